"""Prime Intellect's verifiers: `vf.Rubric(funcs=[VerifiersReward("math")])` up to 0.3, tasks and traces from v1 on.

In v1: `right = vf.reward(VerifiersReward("math").of_task())` in the class of a task, or `rewards` of a task's
configuration by `fn`, which names an `of_trace`.

A rubric of v0 turns an Exception of a function into 0.0, so there a fault of ours is the usual reward, and what has to
end the training is a StopTrainingError; a task of v1 notes the error on its trace, so there it raises.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from verifleet.rewards._reward import Reward, Row, unswallowed


class VerifiersReward(Reward):
    """A function of a rubric (v0), which is called with what it names, and of a task and its trace (v1)."""

    default_column = "answer"
    default_on_error = "mean"

    async def __call__(
        self, prompt: Any, completion: Any, answer: Any = None, info: Any = None, task: Any = None
    ) -> float:
        """The reward of one rollout; a column of another name than `answer` is looked up in `info`.

        Raises:
            StopTrainingError: there is no reference that can be used; or nothing could be judged yet.
        """
        value = answer if self.column == "answer" else (info or {}).get(self.column)
        with unswallowed():
            return (await self.aone(Row(prompt, completion, value or None, task))).value

    async def of_trace(self, task: Any, trace: Any) -> float:
        """The reward of a trace; the reference is the field of the task's data that is named as the column."""
        row = Row(task.prompt, trace.last_reply, getattr(task, self.column, None), task.name)
        return (await self.aone(row, self._on_error or "raise")).value

    def of_task(self) -> Callable[..., Awaitable[float]]:
        """The same as a plain function with `self`, which `vf.reward` can mark and a class of tasks can hold."""

        async def reward(self_: Any, task: Any, trace: Any) -> float:
            return await self.of_trace(task, trace)

        reward.__name__ = reward.__qualname__ = self.__name__
        return reward
