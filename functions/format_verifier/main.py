"""The format verifier's function: judges whether a response has the asked format."""

from __future__ import annotations

from typing import TYPE_CHECKING

import functions_framework.aio
from starlette.applications import Starlette
from starlette.requests import Request

from verifleet.messaging.publisher import PubSubPublisher
from verifleet.serving.app import InProcessBackend, start, verifier_app

if TYPE_CHECKING:
    from verifleet.settings import Settings
    from verifleet.verification import BaseVerifier


def build(settings: Settings) -> Starlette:
    """The app; the verifier itself is made on the first request."""
    return verifier_app(
        "format", InProcessBackend(make_verifier), settings=settings, publisher=PubSubPublisher(settings)
    )


def make_verifier() -> BaseVerifier:
    """The verifier; it starts its worker processes when it first needs them."""
    from verifleet.verifiers.format import FormatVerifier

    return FormatVerifier()


app = start("format_verifier", build)


@functions_framework.aio.http
async def format_verifier(request: Request) -> Starlette:
    """Every route of the function."""
    return app
