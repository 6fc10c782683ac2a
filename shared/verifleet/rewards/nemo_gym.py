"""NeMo-Gym: what a resource server answers to `/verify`, for any web server: `NemoGymReward("math").answer(body)`.

A fault of ours has `mask_sample` true, `failure_kind` `verifier_error`, and says why in `failure_reason`: the trainer
leaves the row out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from verifleet.errors import ShapeError
from verifleet.messages import text_of
from verifleet.references import contradicting
from verifleet.rewards._bodies import list_in, number_of, object_in
from verifleet.rewards._reward import Reward, Row
from verifleet.rewards._settle import Scored
from verifleet.verification import REFERENCE_ALIASES, VerifierName

_NAMES: Final = ("reference", *REFERENCE_ALIASES)


class NemoGymReward(Reward):
    """Reads the row's fields, `responses_create_params` and `response` (an OpenAI Responses object)."""

    default_column = "expected_answer"
    default_on_error = "none"
    leaves_out = True
    marks_faults = True

    def answer(self, body: Mapping[str, Any]) -> dict[str, Any]:
        """The body as it came with `reward`, and with `mask_sample` and `failure_reason` where there is none."""
        return _answer(body, self.score([self._row(body)])[0])

    async def aanswer(self, body: Mapping[str, Any]) -> dict[str, Any]:
        """As `answer`, without blocking the loop."""
        return _answer(body, (await self.ascore([self._row(body)]))[0])

    def _row(self, body: Mapping[str, Any]) -> Row:
        asked = {} if object_in(body).get("responses_create_params") is None else body["responses_create_params"]
        if not isinstance(asked, Mapping):
            raise ShapeError.at("responses_create_params", "give an object")
        if body.get("response") is None:
            raise ShapeError.at("response", "is required")
        return Row(asked.get("input"), _output_text(body["response"]), body.get(self.column), body.get(self.source))


def _answer(body: Mapping[str, Any], scored: Scored) -> dict[str, Any]:
    told = {**body, "reward": 0.0 if scored.score is None else scored.score}
    if scored.score is None or scored.fault:
        told |= {"mask_sample": True, "failure_reason": scored.reason}
    if scored.fault:
        told["failure_kind"] = "verifier_error"
    return told


def _output_text(response: Any) -> str:
    """What the model said last: the text of the last message of the output."""
    if not isinstance(response, Mapping):
        raise ShapeError.at("response", "give a response of OpenAI's Responses API")
    output = response.get("output")
    if output is None:
        raise ShapeError.at("response.output", "is required")
    if not isinstance(output, list) or not all(isinstance(one, Mapping) for one in output):
        raise ShapeError.at("response.output", "give a list of objects")
    messages = [one for one in output if one.get("type") == "message"]
    return text_of(messages[-1]) if messages else ""


def reference_column(verifier: VerifierName, body: Any) -> str:
    """Under which of the names that data sets use the row has its reference. Raises ShapeError where two differ.

    NeMo-Gym's own name, `expected_answer`, goes before those that any column may have.
    """
    names = ("reference", "expected_answer") if object_in(body).get("expected_answer") is not None else _NAMES
    given = {name: body[name] for name in names if body.get(name) is not None}
    if differing := contradicting(verifier, given):
        raise ShapeError.at(differing[0], f"{' and '.join(differing)} differ: send the one that is meant")
    return next(iter(given), "expected_answer")


def session(body: Any) -> dict[str, Any]:
    """The answer to a session's start and end: there is none to keep."""
    named = object_in(body).get("resources_session_id")
    return {} if named is None else {"resources_session_id": named}


def aggregate(body: Any) -> dict[str, Any]:
    """The means of what was verified, of each task and of all; what is masked counts in none of them."""
    tasks: dict[str, list[float]] = {}
    masked = 0
    for at, one in enumerate(list_in(object_in(body), "verify_responses", needed=True)):
        reward = number_of(one.get("reward")) if isinstance(one, Mapping) else None
        if reward is None:
            raise ShapeError.at(f"verify_responses.{at}.reward", "give a number")
        if one.get("mask_sample"):
            masked += 1
        else:
            tasks.setdefault(str(one.get("_ng_task_index")), []).append(reward)
    rewards = [reward for group in tasks.values() for reward in group]
    overall = {"mean/reward": _mean(rewards), "count": len(rewards), "masked": masked}
    return {
        "group_level_metrics": [{"_ng_task_index": task, "mean/reward": _mean(group)} for task, group in tasks.items()],
        "agent_metrics": overall,
        "key_metrics": {"mean/reward": overall["mean/reward"]},
    }


def _mean(values: Sequence[float]) -> float | None:
    return sum(value / len(values) for value in values) if values else None
