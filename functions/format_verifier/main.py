"""The format verifier's function: judges whether a response has the asked format."""

from __future__ import annotations

from typing import TYPE_CHECKING

from verifleet.serving.app import InProcessBackend, cloud_function, verifier_app

if TYPE_CHECKING:
    from starlette.applications import Starlette

    from verifleet.settings import Settings
    from verifleet.verification import BaseVerifier


def build(settings: Settings) -> Starlette:
    """The app; the verifier itself is made on the first request."""
    return verifier_app("format", InProcessBackend(make_verifier), settings=settings)


def make_verifier() -> BaseVerifier:
    """The verifier; it starts its worker processes when it first needs them."""
    from verifleet.verifiers.format import FormatVerifier

    return FormatVerifier()


format_verifier = cloud_function("format_verifier", build)
