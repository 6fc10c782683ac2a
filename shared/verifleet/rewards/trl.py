"""TRL: `GRPOTrainer(reward_funcs=[TRLReward("math", column="solution")])`; also unsloth, axolotl, AsyncGRPO.

On a fault of ours the row has the mean of the prompt's other completions, and None where none of those was judged: TRL
from 1.6 leaves out what no reward scored. A single None beside another reward's score is summed as 0 there, so that
`on_error="none"` is for a reward that stands alone. Before 1.6, and in trainers of unsloth and axolotl, None is 0 or
breaks the step: there a fault is never None, and `on_error="none"` is refused.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from functools import cache
from typing import Any, Final

from verifleet.rewards._reward import Reward
from verifleet.rewards._settle import Scored, shares

NONE_FROM: Final = (1, 6)
SUMMING: Final = ("unsloth", "unsloth_zoo", "axolotl")
"""Packages with trainers of their own behind TRL's contract, which sum None as 0 whichever TRL they stand on."""


class TRLReward(Reward):
    """Called with prompts, completions and the data set's columns, each a list; None for a row that abstains.

    `acall` is the same for trainers that await: `reward_funcs=[reward.acall]`, in any version of TRL.
    """

    default_on_error = "mean"

    @property
    def leaves_out(self) -> bool:  # type: ignore[override]
        """Whether the trainer of this process leaves out what no reward scored."""
        return leaves_none_out()

    def __call__(self, prompts: Sequence[Any], completions: Sequence[Any], **columns: Any) -> list[float | None]:
        """The rewards of a batch."""
        return _told(self.score(self.rows_of(prompts, completions, columns)), columns)

    async def acall(self, prompts: Sequence[Any], completions: Sequence[Any], **columns: Any) -> list[float | None]:
        """The rewards of a batch, without blocking the loop."""
        return _told(await self.ascore(self.rows_of(prompts, completions, columns)), columns)


def _told(scored: list[Scored], columns: dict[str, Any]) -> list[float | None]:
    if callable(log := columns.get("log_extra")):
        log("verifleet_verdict", [one.verdict for one in scored])
        log("verifleet_reason", [one.reason for one in scored])
    if callable(metric := columns.get("log_metric")) and scored:
        for name, value in shares(scored).items():
            metric(f"verifleet/{name}", value)
    return [one.score for one in scored]


def leaves_none_out() -> bool:
    """Whether the trainer of this process leaves a row without a reward out of its baseline."""
    return not any(name in sys.modules for name in SUMMING) and _version() >= NONE_FROM


@cache
def _version() -> tuple[int, ...]:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return tuple(int(part) for part in re.findall(r"\d+", version("trl"))[:2])
    except PackageNotFoundError:
        return (0,)
