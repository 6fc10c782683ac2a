"""Batches of the math verifier: equal content once, and large batches on two cores.

A batch is cut into pieces. While this process judges one piece after the other from the front, a
worker process judges pieces from the back; what a worker can't decide (it has no workers of its
own) or loses comes back and is judged here.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
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

_own: dict[type[MathVerifier], MathVerifier] = {}


class _NoWorkers:
    """The pool of a verifier in a worker process: what needs a worker is judged by the process that asked."""

    def call(self, function: Callable[..., R], /, *args: Any, cpu_s: float = 1.0) -> R:
        raise VerifierUnavailableError("no worker within a worker")


@dataclass
class _Batch:
    """What is left to judge, by index into `requests`, and what is done."""

    requests: Sequence[VerificationRequest]
    results: list[VerificationResult | None]
    pieces: deque[list[int]]


def check_batch(
    verifier: MathVerifier, requests: Sequence[VerificationRequest], deadline: float | None
) -> list[VerificationResult]:
    """Judge requests in order; what the deadline cuts off is an error result."""
    first: dict[tuple[object, ...], int] = {}
    same_as = [first.setdefault(_key(request), index) for index, request in enumerate(requests)]
    unique = sorted(first.values())
    pieces = deque(unique[start : start + PIECE] for start in range(0, len(unique), PIECE))
    batch = _Batch(requests, [None] * len(requests), pieces)
    helper = None
    if len(unique) >= WORTH_SHARING:
        helper = threading.Thread(target=_help, args=(verifier, batch, deadline), name="verifleet-math-batch")
        helper.start()
    _work(verifier, batch, deadline)
    if helper is not None:
        helper.join()
        _work(verifier, batch, deadline)  # what the worker gave back
    return [
        _result(verifier, request, batch.results[origin]) for request, origin in zip(requests, same_as, strict=True)
    ]


def _key(request: VerificationRequest) -> tuple[object, ...]:
    return request.prompt, request.response, repr(request.reference), _own_options(request)


def _own_options(request: VerificationRequest) -> Options | None:
    return None if request.options == DEFAULT_OPTIONS else request.options


def _result(
    verifier: MathVerifier, request: VerificationRequest, result: VerificationResult | None
) -> VerificationResult:
    """The result of a request, from that of one with the same content."""
    if result is None:
        return verifier.stamp(request, DEADLINE_MISSED)
    same = result.request_id == request.request_id
    return result if same else result.model_copy(update={"request_id": request.request_id})


def _over(deadline: float | None) -> bool:
    return deadline is not None and time.monotonic() >= deadline


def _work(verifier: MathVerifier, batch: _Batch, deadline: float | None) -> None:
    while True:
        try:
            piece = batch.pieces.popleft()
        except IndexError:
            return
        for index in piece:
            if _over(deadline):
                return
            batch.results[index] = verifier.check(batch.requests[index])


def _help(verifier: MathVerifier, batch: _Batch, deadline: float | None) -> None:
    """Have a worker process judge pieces from the back."""
    returned: list[list[int]] = []
    while not _over(deadline):
        try:
            piece = batch.pieces.pop()
        except IndexError:
            break
        plain = [index for index in piece if isinstance(batch.requests[index], MathRequest)]
        try:
            sent = [_packed(batch.requests[index]) for index in plain]
            judged = verifier.workers.call(judge_piece, type(verifier), sent, cpu_s=CPU_SECONDS_EACH * len(piece))
        except VerifierUnavailableError:
            returned.append(piece)
            continue
        for index, outcome in zip(plain, judged, strict=True):
            if outcome is not None:
                request_id = batch.requests[index].request_id
                batch.results[index] = stamped(verifier.name, verifier.version, request_id, *outcome)
        returned.append([index for index in piece if batch.results[index] is None])
    batch.pieces.extend(filter(None, returned))


Packed = tuple[str, str, Any, Options | None]
Outcome = tuple[Judgement, float]  # and the milliseconds it took


def _packed(request: VerificationRequest) -> Packed:
    """What the judgement depends on, as plain data: pickling whole models costs more than judging them."""
    reference = request.reference
    if reference is not None:
        reference = [item.answer for item in (reference if isinstance(reference, list) else [reference])]
    return request.prompt, request.response, reference, _own_options(request)


def judge_piece(maker: type[MathVerifier], packed: list[Packed]) -> list[Outcome | None]:
    """Runs in a worker process: judge requests, None for those that need a worker themselves."""
    verifier = _own.get(maker) or _own.setdefault(maker, maker(_NoWorkers()))
    return [_outcome(verifier, *item) for item in packed]


def _outcome(
    verifier: MathVerifier, prompt: str, response: str, answers: Any, options: Options | None
) -> Outcome | None:
    reference = None if answers is None else [MathReference.model_construct(answer=answer) for answer in answers]
    request = MathRequest.model_construct(
        prompt=prompt, response=response, reference=reference, options=options or DEFAULT_OPTIONS
    )
    started = time.perf_counter()
    try:
        judgement = verifier.judge_turn(request)
    except Exception:  # noqa: BLE001 - whatever it is, the caller's process judges this request itself and reports it
        return None
    return judgement, (time.perf_counter() - started) * 1000.0
