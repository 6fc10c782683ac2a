"""verl: a module with `compute_score = VerlReward("math")`, which `custom_reward_function.path` and `.name` name.

With `compute_score = VerlReward("math").acompute_score` verl awaits it. A mapping of judges goes by `data_source`. A
fault of ours raises, which stops verl: it has no other word for "no score".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from verifleet.errors import ShapeError
from verifleet.rewards._reward import Reward, Row
from verifleet.rewards._settle import Scored


class VerlReward(Reward):
    """A `compute_score(data_source, solution_str, ground_truth, extra_info)` with the same scalar keys always."""

    default_column = "ground_truth"

    def __call__(
        self,
        data_source: str,
        solution_str: str,
        ground_truth: Any,
        extra_info: Mapping[str, Any] | None = None,
        **_: Any,
    ) -> dict[str, float]:
        """The score of one response."""
        return _told(self.one(_row(data_source, solution_str, ground_truth, extra_info)))

    async def acompute_score(
        self,
        data_source: str,
        solution_str: str,
        ground_truth: Any,
        extra_info: Mapping[str, Any] | None = None,
        **_: Any,
    ) -> dict[str, float]:
        """The score of one response, without blocking the loop."""
        return _told(await self.aone(_row(data_source, solution_str, ground_truth, extra_info)))

    def batch(
        self,
        data_sources: Sequence[str],
        solution_strs: Sequence[str],
        ground_truths: Sequence[Any],
        extra_infos: Sequence[Mapping[str, Any] | None],
        **_: Any,
    ) -> list[dict[str, float]]:
        """The scores of a batch, for verl's `batch` reward manager."""
        rows = [_row(*one) for one in zip(data_sources, solution_strs, ground_truths, extra_infos, strict=True)]
        return [_told(one) for one in self.every(rows)]


def _row(source: str, response: str, value: Any, extra_info: Mapping[str, Any] | None) -> Row:
    extra = {} if extra_info is None else extra_info
    if not isinstance(extra, Mapping):
        raise ShapeError.at("extra_info", f"give an object, not {type(extra).__name__}")
    prompt, step = extra.get("question") or extra.get("prompt") or "", extra.get("global_steps", extra.get("step"))
    step = step if isinstance(step, int) else None
    return Row(prompt, response, value, source, extra.get("index"), step, extra.get("expected"))


def _told(scored: Scored) -> dict[str, float]:
    result = scored.result
    assert result is not None
    return {
        "score": scored.value,
        "malformed": float(result.verdict == "malformed"),
        "unknown": float(result.status == "unknown"),
        "fault": float(scored.fault),
    }
