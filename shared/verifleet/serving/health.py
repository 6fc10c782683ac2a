"""`GET /health`: 200 while all that a function needs is there, else 503 that names what is away and why.

Parts are not called for it: each says what it knows from the calls that were made anyway.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

from starlette.requests import Request
from starlette.responses import Response

from verifleet.errors import VerifleetError
from verifleet.serving.http import json_response

if TYPE_CHECKING:
    from verifleet.storage.store import Store

Check = Callable[[], str | None]
"""Why a part is away, None while it is there; answers at once."""

LOOK_EVERY_S = 3.0
LOOK_FOR_S = 1.0


class Health:
    """The state of a function's parts, by name. Parts are added while the app is built.

    Args:
        function: the function's name.
    """

    def __init__(self, function: str) -> None:
        self._function = function
        self._checks: dict[str, Check] = {}
        self._states: dict[str, Callable[[], Any]] = {}
        self._looks: dict[str, Callable[[], Awaitable[None]]] = {}
        self._looked_at = 0.0
        self._looking: set[asyncio.Task[None]] = set()

    def add(self, name: str, check: Check, look: Callable[[], Awaitable[None]] | None = None) -> None:
        """Have `check` asked for each answer; while it says "away", `look` is called now and then to see for itself."""
        self._checks[name] = check
        if look is not None:
            self._looks[name] = look

    def add_part(self, name: str, part: object) -> None:
        """Add a part that has an `away()`, as stores and publishers do; one without is never away.

        What a part's `state()` tells is shown.
        """
        check, state = getattr(part, "away", None), getattr(part, "state", None)
        if state is not None:
            self._states[name] = state
        if check is not None:
            self.add(name, check)

    def tell(self, name: str, state: Callable[[], Any]) -> None:
        """Show what `state` returns, if that is something."""
        self._states[name] = state

    def add_store(self, store: Store) -> None:
        """Add the store, which is looked at with a write of nothing."""
        self.add("store", store.away, lambda: store.delete("health", "look"))

    def away(self) -> dict[str, str]:
        """What is away, with the reason."""
        found = {name: check() for name, check in self._checks.items()}
        return {name: reason for name, reason in found.items() if reason is not None}

    async def answer(self, request: Request) -> Response:
        """The answer to `GET /health`."""
        away = self.away()
        if away and time.monotonic() - self._looked_at >= LOOK_EVERY_S:
            self._looked_at = time.monotonic()
            await self._look(away)
            away = self.away()
        if not away:
            return json_response({"status": "ok", "function": self._function} | self._shown())
        content: dict[str, Any] = {
            "status": "unavailable",
            "function": self._function,
            "away": sorted(away),
            "reasons": away,
        }
        return json_response(content | self._shown(), 503)

    def _shown(self) -> dict[str, Any]:
        return {name: told for name, state in self._states.items() if (told := state())}

    async def _look(self, away: dict[str, str]) -> None:
        """See whether what was away is back; what takes longer than LOOK_FOR_S is told by the next answer."""
        tasks = [asyncio.ensure_future(_quietly(self._looks[name])) for name in away if name in self._looks]
        if tasks:
            self._looking.update(tasks)
            for task in tasks:
                task.add_done_callback(self._looking.discard)
            await asyncio.wait(tasks, timeout=LOOK_FOR_S)


async def _quietly(look: Callable[[], Awaitable[None]]) -> None:
    with contextlib.suppress(VerifleetError):  # what was met is known to the part itself
        await look()
