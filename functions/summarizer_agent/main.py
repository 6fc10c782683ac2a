"""The summarizer agent's function: one brief for each incident, revised as reports come in."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import functions_framework.aio
from starlette.applications import Starlette
from starlette.requests import Request

from verifleet.messaging.publisher import PubSubPublisher
from verifleet.serving.app import agent_app, start
from verifleet.serving.profiles import summarizer_profile
from verifleet.storage import open_store

if TYPE_CHECKING:
    from verifleet.envelopes import Envelope
    from verifleet.serving.delivery import Handler, Output
    from verifleet.settings import Settings


def build(settings: Settings) -> Starlette:
    """The app; the agent itself is made on the first request."""
    store = open_store(settings)
    made: list[Handler] = []

    async def handle(envelope: Envelope[Any], *, cause: str) -> Sequence[Output]:
        if not made:
            from verifleet.serving.agents import SummarizerAgent, make_gemini

            made.append(SummarizerAgent(store, gemini=make_gemini(settings)))
        return await made[0](envelope, cause=cause)

    return agent_app(
        "summarizer_agent",
        expects=("verified_event_v1",),
        handler=handle,
        settings=settings,
        store=store,
        publisher=PubSubPublisher(settings),
        profile=summarizer_profile(),
    )


app = start("summarizer_agent", build)


@functions_framework.aio.http
async def summarizer_agent(request: Request) -> Starlette:
    """Every route of the function."""
    return app
