"""ms-swift: `orms["answer"] = partial(SwiftReward, "math", column="solution")` in a plugin, `--reward_funcs answer`.

ms-swift sums rewards with nansum, so None counts as 0: a fault of ours is the mean of what was judged instead.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from verifleet.rewards._reward import Judges, Reward


class SwiftReward(Reward):
    """An ORM, which ms-swift makes with `args=` and calls with completions and columns; None where a row abstains."""

    default_column = "solution"
    default_on_error = "mean"

    def __init__(self, judge: Judges, args: Any = None, **settings: Any) -> None:
        super().__init__(judge, **settings)

    def __call__(self, completions: Sequence[Any], **columns: Any) -> list[float | None]:
        """The rewards of a batch."""
        rows = self.rows_of(_prompts(columns), completions, columns)
        return [one.score for one in self.score(rows)]


class AsyncSwiftReward(SwiftReward):
    """The same as an AsyncORM: ms-swift awaits it beside other rewards."""

    async def __call__(  # type: ignore[override]
        self, completions: Sequence[Any], **columns: Any
    ) -> list[float | None]:
        """The rewards of a batch."""
        rows = self.rows_of(_prompts(columns), completions, columns)
        return [one.score for one in await self.ascore(rows)]


def _prompts(columns: dict[str, Any]) -> Sequence[Any] | None:
    """Prompts are within the messages of each row, before the model's own last."""
    messages: Sequence[Any] | None = columns.get("messages")
    return [list(one)[:-1] if len(one) > 1 else list(one) for one in messages] if messages else None
