"""The ingest agent's function: raw reports in, events with place, type and entities out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from verifleet.serving.app import agent_app, cloud_function, on_first_use
from verifleet.serving.profiles import ingest_profile
from verifleet.storage import open_store

if TYPE_CHECKING:
    from starlette.applications import Starlette

    from verifleet.settings import Settings


def build(settings: Settings) -> Starlette:
    """The app; the agent itself is made on the first request."""
    store = open_store(settings)
    if settings.source_rules is not None:
        edge().source_rules(settings)  # a wrong file stops the start, not the first report
    return agent_app(
        "ingest_agent",
        expects=("raw_event_v1",),
        handler=on_first_use(lambda: edge().IngestAgent(store, edge().source_rules(settings))),
        settings=settings,
        store=store,
        profile=ingest_profile(),
        coerce=lambda received, session: edge().coerce_report(settings.default_session)(received, session),
        decode=lambda body, media_type: edge().decode_report(body, media_type),
    )


def edge() -> Any:
    """The agent and what reads reports; imported when the first one comes."""
    from verifleet.serving import ingest

    return ingest


ingest_agent = cloud_function("ingest_agent", build)
