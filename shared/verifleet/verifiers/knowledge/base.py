"""What the knowledge verifier asks of a knowledge base, and of a judge."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from verifleet.verification import KnowledgeReference


@dataclass(frozen=True, slots=True)
class Fact:
    """What a base holds on one question; `json` is its reference as stored, parsed where it is needed."""

    question: str
    json: str

    @property
    def reference(self) -> KnowledgeReference:
        """The answer with its aliases and key terms."""
        return KnowledgeReference.model_validate_json(self.json)


class KnowledgeBase(Protocol):
    """Answers questions by content, in any safe wording. Used from many threads at once."""

    @property
    def version(self) -> str:
        """Which base this is: name and content version."""
        ...

    def lookup(self, question: str) -> Fact | None:
        """The fact that this question asks for, or None. Raises VerifierUnavailableError if the base can't be read."""
        ...
