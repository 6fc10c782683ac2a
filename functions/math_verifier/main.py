"""The math verifier's function: judges answers to mathematical questions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from verifleet.serving.app import InProcessBackend, cloud_function, verifier_app

if TYPE_CHECKING:
    from starlette.applications import Starlette

    from verifleet.settings import Settings
    from verifleet.verification import BaseVerifier


def build(settings: Settings) -> Starlette:
    """The app; the verifier itself is made on the first request."""
    return verifier_app("math", InProcessBackend(make_verifier), settings=settings)


def make_verifier() -> BaseVerifier:
    """The verifier, with what it needs to run."""
    from verifleet.verifiers.math import PRELOAD, MathVerifier
    from verifleet.workers import ProcessWorkers

    workers = ProcessWorkers(preload=PRELOAD)
    workers.warm()  # in the background: the first hard comparison then finds SymPy imported
    return MathVerifier(workers)


math_verifier = cloud_function("math_verifier", build)
