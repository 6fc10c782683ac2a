"""The verifier agent's function: claims of an event, what speaks for and against them, its reliability."""

from __future__ import annotations

from typing import TYPE_CHECKING

from verifleet.messaging.publisher import PubSubPublisher
from verifleet.serving.app import agent_app, cloud_function
from verifleet.serving.profiles import verifier_profile
from verifleet.serving.verifier_forwarding import VerifierWithForwarding
from verifleet.storage import open_store

if TYPE_CHECKING:
    from starlette.applications import Starlette

    from verifleet.settings import Settings


def build(settings: Settings) -> Starlette:
    """The app; the agent itself is made on the first request."""
    store, publisher = open_store(settings), PubSubPublisher(settings)
    verifier = VerifierWithForwarding(settings, store, publisher)
    return agent_app(
        "verifier_agent",
        expects=("event_v1", "incident_act_v1"),
        handler=verifier,
        settings=settings,
        store=store,
        publisher=publisher,
        gemini=verifier.gemini,
        profile=verifier_profile(verifier.agent, verifier.forward, settings.default_session),
    )


verifier_agent = cloud_function("verifier_agent", build)
