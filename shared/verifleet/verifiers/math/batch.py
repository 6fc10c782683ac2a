"""Batches of the math verifier: equal content once, and large batches on two cores.

A batch is cut into pieces. While this process judges one piece after the other from the front, a
worker process judges pieces from the back; what a worker can't decide (it has no workers of its
own) or loses comes back and is judged here.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

from verifleet.errors import VerifierUnavailableError
from verifleet.verification import (
    DEADLINE_MISSED,
    DEFAULT_OPTIONS,
    Judgement,
    MathReference,
    MathRequest,
    Options,
    VerificationRequest,
    VerificationResult,
    stamped,
)

if TYPE_CHECKING:
    from verifleet.verifiers.math.verifier import MathVerifier

R = TypeVar("R")

PIECE = 32  # requests judged between two looks at the clock
WORTH_SHARING = 128  # requests from which a second process pays for the pickling
CPU_SECONDS_EACH = 0.5  # of a request in a shared piece; ordinary ones take a thousandth of it

Content = tuple[str, str, Any, Options | None]
"""What a judgement depends on, as plain data: to pickle whole models costs more than to judge them."""
Outcome = tuple[Judgement, float]  # and the milliseconds it took

_own: dict[type[MathVerifier], MathVerifier] = {}


class _NoWorkers:
    """The pool of a verifier in a worker process: what needs a worker is judged by the process that asked."""

    def call(self, function: Callable[..., R], /, *args: Any, cpu_s: float = 1.0) -> R:
        raise VerifierUnavailableError("no worker within a worker")


@dataclass
class _Batch:
    """Requests by their content: what of them is left to judge, and what is done."""

    verifier: MathVerifier
    deadline: float | None
    requests: dict[Content, VerificationRequest]
    pieces: deque[list[Content]]
    results: dict[Content, VerificationResult] = field(default_factory=dict)

    def over(self) -> bool:
        return self.deadline is not None and time.monotonic() >= self.deadline

    def work(self) -> None:
        """Judge pieces from the front."""
        while self.pieces:
            try:
                piece = self.pieces.popleft()
            except IndexError:  # the other thread took the last
                return
            for content in piece:
                if self.over():
                    return
                self.results[content] = self.verifier.check(self.requests[content])

    def share(self) -> None:
        """Have a worker process judge pieces from the back; what it does not judge is left."""
        left: list[list[Content]] = []
        while self.pieces and not self.over():
            try:
                piece = self.pieces.pop()
            except IndexError:
                break
            sent = [content for content in piece if not isinstance(content[2], str)]
            judged: list[Outcome | None] = []
            try:
                workers, maker = self.verifier.workers, type(self.verifier)
                judged = workers.call(judge_piece, maker, sent, cpu_s=CPU_SECONDS_EACH * len(piece))
            except VerifierUnavailableError:
                pass
            for content, outcome in zip(sent, judged, strict=False):
                if outcome is not None:
                    request_id = self.requests[content].request_id
                    self.results[content] = stamped(self.verifier.name, self.verifier.version, request_id, *outcome)
            left.append([content for content in piece if content not in self.results])
        self.pieces.extend(filter(None, left))


def check_batch(
    verifier: MathVerifier, requests: Sequence[VerificationRequest], deadline: float | None
) -> list[VerificationResult]:
    """Judge requests in order; what the deadline cuts off is an error result."""
    contents = list(map(_content, requests))
    by_content = dict(zip(contents, requests, strict=True))
    unique = list(by_content)
    pieces = deque(unique[start : start + PIECE] for start in range(0, len(unique), PIECE))
    batch = _Batch(verifier, deadline, by_content, pieces)
    helper = threading.Thread(target=batch.share, name="verifleet-math-batch")
    if len(unique) >= WORTH_SHARING:
        helper.start()
        batch.work()
        helper.join()
    batch.work()  # also what the worker gave back
    return [
        (batch.results.get(content) or verifier.stamp(request, DEADLINE_MISSED)).model_copy(
            update={"request_id": request.request_id}
        )
        for content, request in zip(contents, requests, strict=True)
    ]


def _content(request: VerificationRequest) -> Content:
    """The content of a request; a reference that only this process understands is text."""
    reference: Any = request.reference
    if reference is not None:
        reference = tuple(reference_texts(reference)) if isinstance(request, MathRequest) else repr(reference)
    options = None if request.options == DEFAULT_OPTIONS else request.options
    return request.prompt, request.response, reference, options


def reference_texts(reference: MathReference | list[MathReference] | None) -> Iterator[str]:
    """All the answers that are right."""
    for item in reference if isinstance(reference, list) else [reference]:
        if item is not None:
            yield from item.answer if isinstance(item.answer, list) else [item.answer]


def judge_piece(maker: type[MathVerifier], contents: list[Content]) -> list[Outcome | None]:
    """Runs in a worker process: judge requests, None for those that need a worker themselves."""
    verifier = _own.get(maker) or _own.setdefault(maker, maker(_NoWorkers()))
    return [_outcome(verifier, *content) for content in contents]


def _outcome(
    verifier: MathVerifier, prompt: str, response: str, answers: Any, options: Options | None
) -> Outcome | None:
    reference = None if answers is None else MathReference.model_construct(answer=list(answers))
    request = MathRequest.model_construct(
        prompt=prompt, response=response, reference=reference, options=options or DEFAULT_OPTIONS
    )
    started = time.perf_counter()
    try:
        judgement = verifier.judge_turn(request)
    except Exception:  # noqa: BLE001 - whatever it is, the caller's process judges this request itself and reports it
        return None
    return judgement, (time.perf_counter() - started) * 1000.0
