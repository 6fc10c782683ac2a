"""What starts code runners, wherever they run: how many there are, and more of them."""

from __future__ import annotations

from typing import Protocol

from verifleet.errors import TransientError


class LaunchError(TransientError):
    """A runner could not be started now."""


class JobLauncher(Protocol):
    """Starts runners and tells how many there are.

    `near`: on this machine, so that to ask costs nothing and one that died is replaced at once.
    """

    near: bool

    async def running(self) -> int:
        """Tasks that are up or starting."""
        ...

    async def launch(self, tasks: int, stay_s: float = 0.0) -> None:
        """Start `tasks` more, without waiting for their end; raises LaunchError.

        They leave no sooner than `stay_s` seconds from then, even without work.
        """
        ...
