"""The ingest agent's function: raw reports in, events with place, type and entities out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import functions_framework.aio
from starlette.applications import Starlette
from starlette.requests import Request

from verifleet.messaging.publisher import PubSubPublisher
from verifleet.serving.app import agent_app, start
from verifleet.serving.profiles import ingest_profile
from verifleet.settings import Settings
from verifleet.storage import open_store

if TYPE_CHECKING:
    from verifleet.envelopes import Envelope
    from verifleet.serving.delivery import Handler, Output


def build(settings: Settings) -> Starlette:
    """The app; the agent itself is made on the first request."""
    store = open_store(settings)
    if settings.source_rules is not None:
        from verifleet.serving.ingest import source_rules

        source_rules(settings)  # a wrong file stops the start, not the first report
    made: list[Handler] = []

    async def handle(envelope: Envelope[Any], *, cause: str) -> Sequence[Output]:
        if not made:
            from verifleet.serving.ingest import IngestAgent, source_rules

            made.append(IngestAgent(store, source_rules(settings)))
        return await made[0](envelope, cause=cause)

    def decode(body: bytes, media_type: str) -> Any:
        from verifleet.serving.ingest import decode_report

        return decode_report(body, media_type)

    def coerce(received: Any) -> list[Any]:
        from verifleet.serving.ingest import coerce_report

        return coerce_report(settings.default_session)(received)

    return agent_app(
        "ingest_agent",
        expects=("raw_event_v1",),
        handler=handle,
        settings=settings,
        store=store,
        publisher=PubSubPublisher(settings),
        coerce=coerce,
        decode=decode,
        profile=ingest_profile(),
    )


app = start("ingest_agent", build)


@functions_framework.aio.http
async def ingest_agent(request: Request) -> Starlette:
    """Every route of the function."""
    return app
