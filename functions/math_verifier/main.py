"""The math verifier's function: judges answers to mathematical questions."""

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
    return verifier_app("math", InProcessBackend(make_verifier), settings=settings, publisher=PubSubPublisher(settings))


def make_verifier() -> BaseVerifier:
    """The verifier, with what it needs to run."""
    from verifleet.verifiers.math import PRELOAD, MathVerifier
    from verifleet.workers import ProcessWorkers

    workers = ProcessWorkers(preload=PRELOAD)
    workers.warm()  # in the background: the first hard comparison then finds SymPy imported
    return MathVerifier(workers)


app = start("math_verifier", build)


@functions_framework.aio.http
async def math_verifier(request: Request) -> Starlette:
    """Every route of the function."""
    return app
