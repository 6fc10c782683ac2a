"""The math verifier's function: judges answers to mathematical questions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from verifleet.serving.app import WorkerBackend, cloud_function, verifier_app
from verifleet.serving.opinions import OpinionBackend

if TYPE_CHECKING:
    from starlette.applications import Starlette

    from verifleet.serving.worker_judging import Make
    from verifleet.settings import Settings


def build(settings: Settings) -> Starlette:
    """The app; the verifier itself is made on the first request, in worker processes."""
    return verifier_app("math", OpinionBackend(WorkerBackend("math", maker), settings), settings=settings)


def maker() -> Make:
    """What makes the verifier in a worker."""
    from verifleet.serving.workers_of.math import math

    return math


math_verifier = cloud_function("math_verifier", build)
