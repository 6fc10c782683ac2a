"""The routes of the verifiers' tab; what they need is imported when they are first asked."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from verifleet.errors import ShapeError
from verifleet.serving.http import json_response, read_json

if TYPE_CHECKING:
    from verifleet.serving.desk.tallies import Tallies
    from verifleet.settings import Settings
    from verifleet.storage.store import Store

HOURS = "24"


class Watched:
    """The verifiers as they are looked at from the first question on, where the settings say where they are."""

    def __init__(self, settings: Settings, store: Store) -> None:
        self._settings = settings
        self._store = store
        self._tallies: Tallies | None = None
        self._watching: asyncio.Task[None] | None = None

    def routes(self) -> list[Route]:
        """Both of them."""
        return [
            Route("/verifiers", self._answer),
            Route("/verifiers/audits", self._record, methods=["POST"]),
        ]

    def start(self) -> Tallies:
        """Look from now on."""
        if self._tallies is None:
            from verifleet.serving.desk.tallies import Tallies

            urls = dict(one.split("=", 1) for one in self._settings.verifier_urls)
            self._tallies = Tallies(self._store, {name: url.rstrip("/") for name, url in urls.items()})
        if self._settings.verifier_urls and (self._watching is None or self._watching.done()):
            self._watching = asyncio.get_running_loop().create_task(self._tallies.watch())
        return self._tallies

    async def _answer(self, request: Request) -> Response:
        from verifleet.serving.desk.queries import known
        from verifleet.serving.desk.tallies import hours_of

        known(request.query_params, frozenset({"hours", "session_id"}))
        found = await self.start().verifiers(hours_of(request.query_params.get("hours", HOURS)))
        return json_response(found, headers={"Cache-Control": "no-store"})

    async def _record(self, request: Request) -> Response:
        from pydantic import ValidationError

        from verifleet.verifier_views import AuditCall

        raw = await read_json(request, self._settings.max_http_bytes)
        try:
            given = AuditCall.model_validate(raw)
        except ValidationError as error:
            raise ShapeError.from_validation(error) from None
        return json_response(await self.start().record(given))
