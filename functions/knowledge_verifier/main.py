"""The knowledge verifier's function: judges answers to factual questions."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from verifleet.serving.app import InProcessBackend, cloud_function, verifier_app

if TYPE_CHECKING:
    from starlette.applications import Starlette

    from verifleet.settings import Settings
    from verifleet.verification import BaseVerifier


def build(settings: Settings) -> Starlette:
    """The app; the verifier itself is made on the first request."""
    return verifier_app("knowledge", InProcessBackend(partial(make_verifier, settings)), settings=settings)


def make_verifier(settings: Settings) -> BaseVerifier:
    """The verifier on its knowledge base, with Gemini as its judge where one is configured."""
    from verifleet.storage.knowledge_base import open_knowledge_base
    from verifleet.verifiers.knowledge import KnowledgeVerifier

    base = open_knowledge_base(settings.knowledge_base)
    if not (settings.google_api_key or settings.google_genai_use_vertexai):
        return KnowledgeVerifier(base)
    from verifleet.gemini import Gemini

    return KnowledgeVerifier(base, Gemini(settings))


knowledge_verifier = cloud_function("knowledge_verifier", build)
