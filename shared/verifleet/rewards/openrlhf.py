"""OpenRLHF: a file with `reward_func = OpenRLHFReward("math")` for `--reward.remote_url`, or a server around `answer`.

OpenRLHF swallows an Exception of a reward function and goes on without a reward, so on a fault of ours the reward is
the usual one, and what has to end the training is a StopTrainingError.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from verifleet.errors import RewardReferenceError, ShapeError
from verifleet.messages import prompt_text
from verifleet.rewards._bodies import list_in, object_in
from verifleet.rewards._reward import Reward, Row, unswallowed
from verifleet.rewards._settle import Scored


class OpenRLHFReward(Reward):
    """A `reward_func(queries, prompts, labels)`; a query is prompt and response together."""

    default_column = "labels"
    default_on_error = "mean"
    has_sources = False

    def __call__(
        self, queries: Sequence[str], prompts: Sequence[Any] = (), labels: Sequence[Any] = (), **_: Any
    ) -> dict[str, Any]:
        """`rewards`, `scores` and `extra_logs`, a value for each query.

        Raises:
            StopTrainingError: a label can't be used, or is missing; there is not one for each query; or nothing could
                be judged yet.
        """
        with unswallowed():
            return self._answered(queries, prompts, labels)

    def answer(self, body: Mapping[str, Any]) -> dict[str, Any]:
        """The answer to the body of its remote call: `query`, `prompts`, `labels`; arrays may be empty."""
        return self._answered(*_parts(body))

    async def aanswer(self, body: Mapping[str, Any]) -> dict[str, Any]:
        """As `answer`, without blocking the loop."""
        return _answer(await self.aevery(self._rows(*_parts(body))))

    def _answered(self, queries: Sequence[str], prompts: Sequence[Any], labels: Sequence[Any]) -> dict[str, Any]:
        return _answer(self.every(self._rows(queries, prompts, labels)))

    def _rows(self, queries: Sequence[str], prompts: Sequence[Any], labels: Sequence[Any]) -> list[Row]:
        for column, values in (("prompts", prompts), ("labels", labels)):
            if values and len(values) != len(queries):
                raise RewardReferenceError(f"{column!r} holds {len(values)} values for {len(queries)} responses")
        asked = list(prompts) or [""] * len(queries)
        values = list(labels) or [None] * len(queries)
        return [
            Row(prompt, query.removeprefix(prompt if isinstance(prompt, str) else prompt_text(prompt)), value, place=at)
            for at, (query, prompt, value) in enumerate(zip(queries, asked, values, strict=True))
        ]


def _answer(scored: Sequence[Scored]) -> dict[str, Any]:
    scores = [one.score for one in scored]
    malformed = [float(one.result is not None and one.result.verdict == "malformed") for one in scored]
    return {
        "rewards": scores,
        "scores": scores,
        "extra_logs": {"malformed": malformed, "fault": [float(one.fault) for one in scored]},
    }


def _parts(body: Mapping[str, Any]) -> tuple[list[str], list[Any], list[Any]]:
    queries = list_in(object_in(body), "query", needed=True)
    for at, query in enumerate(queries):
        if not isinstance(query, str):
            raise ShapeError.at(f"query.{at}", "give a text")
    return queries, list_in(body, "prompts"), list_in(body, "labels")
