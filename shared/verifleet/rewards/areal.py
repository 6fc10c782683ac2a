"""AReaL: a module with `reward_fn = ArealReward("math")`, named in the workflow; pickled into a process pool.

AReaL gives a call 15 seconds from when it is sent to the pool, four times, makes 0 of what is too late, and leaves the
rollout out when the last of them raises. So a call here ends by itself before that, and a fault of ours raises.
"""

from __future__ import annotations

from typing import Any

from verifleet.rewards._reward import Reward, Row


class ArealReward(Reward):
    """A `reward_fn(prompt, completions, prompt_ids, completion_ids, **row)`."""

    default_column = "answer"
    default_deadline_s = 10.0

    def __call__(
        self, prompt: Any, completions: Any, prompt_ids: Any = None, completion_ids: Any = None, **row: Any
    ) -> float:
        """The reward of one completion."""
        return self.one(Row(prompt, completions, row.get(self.column), row.get(self.source))).value
