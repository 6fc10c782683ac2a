"""The knowledge verifier in a worker."""

from __future__ import annotations

import os
from functools import partial

from verifleet.serving.worker_judging import Make, rehearse_with
from verifleet.verification import BaseVerifier, WorkerPool


def knowledge(path: str, workers: WorkerPool) -> BaseVerifier:
    """The knowledge verifier on the base at a path."""
    from verifleet.knowledge_base import open_knowledge_base
    from verifleet.verifiers.knowledge import KnowledgeVerifier

    return KnowledgeVerifier(open_knowledge_base(path))


def knowledge_at(path: str) -> Make:
    """`knowledge` on one base."""
    return partial(knowledge, path)


def rehearse() -> None:
    """Fill what is made on first use, but open no base: a connection to it must not be shared by processes."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # workers share the processors already
    import verifleet.knowledge_base  # noqa: F401
    from verifleet.verifiers.knowledge import KnowledgeVerifier

    who = "Who discovered the comet?"
    rehearse_with(KnowledgeVerifier(), [
        (who, "It was Maria Mitchell, not Halley.", {"answer": "Maria Mitchell", "aliases": ["M. Mitchell"]}),
        (who, "Halley or Messier.", {"answer": "Maria Mitchell", "key_terms": ["comet"]}),
        ("When was it?", "On 5 May 1847.", {"answer": "1 October 1847"}),
        ("How far is it?", "About 12 km.", {"answer": "12,000 m"}),
        ("Why does it fall?", "The Earth attracts it.", {"answer": "because gravity pulls it down"}),
    ])  # fmt: skip
