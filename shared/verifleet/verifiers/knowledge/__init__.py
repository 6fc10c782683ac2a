"""The knowledge verifier: is a factual answer right, in whatever dress."""

from verifleet.verifiers.knowledge.base import Fact, KnowledgeBase
from verifleet.verifiers.knowledge.verifier import KnowledgeVerifier

__all__ = ["Fact", "KnowledgeBase", "KnowledgeVerifier"]
