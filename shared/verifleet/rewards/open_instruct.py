"""open-instruct: a class beside its `VerifierFunction`, whose subclasses it takes for its verifiers, and its code API.

class Math(OpenInstructVerifier, VerifierFunction):
reward = OpenInstructReward("math", name="math")

A row of which `dataset` is that name is judged by it. A fault of ours raises: open-instruct has no row without a score.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final

from verifleet.errors import ShapeError
from verifleet.rewards._bodies import list_in, object_in, seconds_in, text_in
from verifleet.rewards._reward import Judges, Reward, Row, checked_options
from verifleet.rewards._settle import Scored

WAIT_S: Final = 10.0
"""Wall time of a test beyond its processor time: sandboxes wait for a core."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What open-instruct reads of a verification."""

    score: float
    cost: float = 0.0
    reasoning: str | None = None
    eq_hack_detected: bool = False
    env_tampered: bool = False


class OpenInstructReward(Reward):
    """Called with the prediction as tokens and as text, the label, and the query; `async_call` is the same, awaited.

    `weight` is what open-instruct multiplies its scores by; the other arguments are those of every reward.
    """

    default_column = "label"
    has_sources = False

    def __init__(self, judge: Judges, *, weight: float = 1.0, **settings: Any) -> None:
        super().__init__(judge, **settings)
        self.weight = weight

    @property
    def name(self) -> str:
        """What the data's column `dataset` calls it."""
        return self.__name__

    def __call__(
        self,
        tokenized_prediction: Any,
        prediction: str,
        label: Any,
        query: str | None = None,
        rollout_state: Any = None,
    ) -> Outcome:
        """The outcome of one prediction."""
        scored = self.one(Row(query, prediction, label))
        return Outcome(scored.value, reasoning=scored.reason)

    async def async_call(
        self,
        tokenized_prediction: Any,
        prediction: str,
        label: Any,
        query: str | None = None,
        rollout_state: Any = None,
    ) -> Outcome:
        """The outcome of one prediction, without blocking the loop."""
        scored = await self.aone(Row(query, prediction, label))
        return Outcome(scored.value, reasoning=scored.reason)

    def test_program(self, body: Mapping[str, Any]) -> dict[str, list[float]]:
        """The answer to `{program, tests, max_execution_time}`, with asserts as `tests` or pairs of input and output.

        Each test is run for itself, so that `results` has 1 or 0 for each; `runtimes` are seconds, -1 of what failed.
        """
        rows, limited = self._tested(body)
        return _results(limited.every(rows))

    async def atest_program(self, body: Mapping[str, Any]) -> dict[str, list[float]]:
        """As `test_program`, without blocking the loop."""
        rows, limited = self._tested(body)
        return _results(await limited.aevery(rows))

    def _tested(self, body: Mapping[str, Any]) -> tuple[list[Row], OpenInstructReward]:
        program = text_in(object_in(body), "program")
        seconds = seconds_in(body, "max_execution_time", 1.0)
        rows = [Row("", program, _reference(test, at), place=at) for at, test in enumerate(_tests(body))]
        limited = copy.copy(self)
        limited._options = checked_options({"limits": {"cpu_s": seconds, "wall_s": seconds + WAIT_S}})
        return rows, limited


def _results(scored: Sequence[Scored]) -> dict[str, list[float]]:
    passed = [one.score == 1.0 for one in scored]
    seconds = [0.0 if one.result is None else one.result.duration_ms / 1000.0 for one in scored]
    return {
        "results": [int(one) for one in passed],
        "runtimes": [took if good else -1.0 for took, good in zip(seconds, passed, strict=True)],
    }


class OpenInstructVerifier:
    """What open-instruct asks of a verifier function: it makes one of each subclass, with a configuration."""

    reward: ClassVar[OpenInstructReward]

    def __init__(self, verifier_config: Any = None) -> None:
        self.name, self.weight = self.reward.name, self.reward.weight
        self.verifier_config = verifier_config

    def __call__(
        self,
        tokenized_prediction: Any,
        prediction: str,
        label: Any,
        query: str | None = None,
        rollout_state: Any = None,
    ) -> Outcome:
        """The outcome of one prediction."""
        return self.reward(tokenized_prediction, prediction, label, query)

    async def async_call(
        self,
        tokenized_prediction: Any,
        prediction: str,
        label: Any,
        query: str | None = None,
        rollout_state: Any = None,
    ) -> Outcome:
        """The outcome of one prediction, without blocking the loop."""
        return await self.reward.async_call(tokenized_prediction, prediction, label, query)


def _tests(body: Mapping[str, Any]) -> list[Any]:
    """The tests, a list or its JSON text; what is pickled, as open-instruct also sends it, is refused unread."""
    if not isinstance(body.get("tests"), str):
        return list_in(body, "tests")
    try:
        return list_in({"tests": json.loads(body["tests"] or "[]")}, "tests")
    except (ValueError, RecursionError):
        raise ShapeError.at("tests", "give a list, or a list as JSON text; pickled tests are not read") from None


def _reference(test: Any, at: int) -> Any:
    if isinstance(test, Mapping):
        return {"tests": [{"input": test.get("input") or "", "output": test.get("output")}]}
    if not isinstance(test, str):
        raise ShapeError.at(f"tests.{at}", "give a text of asserts, or an object with input and output")
    return {"test_code": test + "\n"}
