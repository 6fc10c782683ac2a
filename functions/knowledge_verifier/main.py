"""The knowledge verifier's function: judges answers to factual questions."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from verifleet.serving.app import WorkerBackend, cloud_function, verifier_app
from verifleet.serving.asking import GeminiPart
from verifleet.serving.opinions import OpinionBackend

if TYPE_CHECKING:
    from starlette.applications import Starlette

    from verifleet.serving.worker_judging import Make
    from verifleet.settings import Settings


def build(settings: Settings) -> Starlette:
    """The app; the verifier itself is made on the first request, in worker processes; second opinions are Gemini's."""
    gemini = GeminiPart(settings)
    backend = OpinionBackend(WorkerBackend("knowledge", partial(maker, settings)), settings, gemini.make)
    return verifier_app("knowledge", backend, settings=settings, gemini=gemini)


def maker(settings: Settings) -> Make:
    """What makes the verifier in a worker; a base that is elsewhere is fetched here."""
    from verifleet.knowledge_base import open_knowledge_base
    from verifleet.serving.workers_of.knowledge import knowledge_at

    return knowledge_at(str(open_knowledge_base(settings.knowledge_base).path.absolute()))


knowledge_verifier = cloud_function("knowledge_verifier", build)
