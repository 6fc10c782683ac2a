"""The format verifier's function: judges whether a response has the asked format."""

from __future__ import annotations

from typing import TYPE_CHECKING

from verifleet.serving.app import WorkerBackend, cloud_function, verifier_app

if TYPE_CHECKING:
    from starlette.applications import Starlette

    from verifleet.serving.worker_judging import Make
    from verifleet.serving.worker_verifier import AtOnce
    from verifleet.settings import Settings


def build(settings: Settings) -> Starlette:
    """The app; the verifier itself is made on the first request, in worker processes."""
    return verifier_app("format", WorkerBackend("format", maker, at_once=at_once), settings=settings)


def maker() -> Make:
    """What makes the verifier in a worker."""
    from verifleet.serving.workers_of.format import format_

    return format_


def at_once() -> AtOnce:
    """What judges right JSON without asking a worker."""
    from verifleet.serving.workers_of.format import at_once as judge_at_once

    return judge_at_once


format_verifier = cloud_function("format_verifier", build)
