"""A verifier in killable worker processes: no request holds up the server or, for long, another request."""

from __future__ import annotations

import asyncio
import logging
import pickle
import time
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from verifleet import observability
from verifleet.errors import BrokenByContentError, VerifierUnavailableError, WorkerTimeoutError
from verifleet.serving.callers import UNAUTHENTICATED
from verifleet.serving.http import LONG_WORK, off_loop
from verifleet.serving.lanes import Asker, Lanes, TooSlowError
from verifleet.serving.worker_judging import PRELOADS, Make, Outcome, judge_piece, judgement_of, pack
from verifleet.verification import (
    DEADLINE_MISSED,
    Judgement,
    VerificationRequest,
    VerificationResult,
    VerifierName,
    stamped,
)

logger = logging.getLogger(__name__)

AtOnce = Callable[[Any], Judgement | None]
"""Judges in the server's own process what costs less than asking a worker; None for what does not."""

PIECE = 16
"""Requests of a batch that go to a worker at once."""
PIECE_BYTES = 256 * 1024
PULLERS = 4
"""Workers that one batch uses at most."""


class WorkerVerifier:
    """Judges requests in `Lanes` of workers."""

    def __init__(self, name: VerifierName, make: Make, at_once: AtOnce | None = None) -> None:
        self.name = name
        self.lanes = Lanes(PRELOADS[name])
        self._make = pickle.dumps(make)
        self._at_once = at_once

    async def check(self, request: VerificationRequest) -> VerificationResult:
        """Judge one."""
        item = await off_loop(len(request.response) + len(request.prompt), self._prepared, request)
        if isinstance(item, Outcome):
            return self._result(request, item)
        asker = _asker()
        try:
            outcome = (await self.quickly(asker, [item]))[0]
        except TooSlowError:
            outcome = await self.patiently(asker, item)
        return self._result(request, outcome)

    async def check_batch(
        self, requests: Sequence[VerificationRequest], deadline: float | None
    ) -> list[VerificationResult]:
        """Judge many, in order, equal content once; at the deadline what is not ready becomes an error result."""
        if deadline is not None and time.monotonic() >= deadline:
            return [self._result(request, _without_worker(DEADLINE_MISSED)) for request in requests]
        items = await off_loop(LONG_WORK if len(requests) > PIECE else 0, lambda: list(map(self._prepared, requests)))
        batch = _Batch(self, dict.fromkeys(item for item in items if isinstance(item, bytes)))
        await batch.run(deadline)
        results = []
        for request, item in zip(requests, items, strict=True):
            outcome = batch.outcomes.get(item) if isinstance(item, bytes) else item
            results.append(self._result(request, outcome or _without_worker(DEADLINE_MISSED)))
        return results

    def _prepared(self, request: VerificationRequest) -> bytes | Outcome:
        """What a worker is to judge, or the outcome of what costs less than asking one."""
        if self._at_once is None:
            return pack(request)
        began = time.perf_counter()
        judgement = self._at_once(request)
        if judgement is None:
            return pack(request)
        return _without_worker(judgement, (time.perf_counter() - began) * 1000.0)

    async def quickly(self, asker: Asker, piece: list[bytes]) -> list[Outcome]:
        """The outcomes of the first of a piece, or of all. Raises TooSlowError."""
        try:
            outcomes: list[Outcome] = await self.lanes.quickly(asker, judge_piece, self._make, piece, False)
        except TooSlowError:
            raise
        except VerifierUnavailableError as error:
            return [_without_worker(Judgement.error(str(error)))] * len(piece)
        return outcomes

    async def patiently(self, asker: Asker, item: bytes) -> Outcome:
        """The outcome of what is too slow for the quick lane: running out of time or memory is one."""
        try:
            outcomes: list[Outcome] = await self.lanes.patiently(asker, judge_piece, self._make, [item], True)
        except WorkerTimeoutError as error:
            judgement = Judgement.unknown(f"The comparison took too long and was stopped: {error}")
        except BrokenByContentError as error:
            judgement = Judgement.unknown(f"The comparison used up its memory and was stopped: {error}")
        except VerifierUnavailableError as error:
            judgement = Judgement.error(str(error))
        else:
            return outcomes[0]
        return _without_worker(judgement)

    def _result(self, request: VerificationRequest, outcome: Outcome) -> VerificationResult:
        judgement = judgement_of(outcome)
        for note in outcome.notes:
            logger.error("in a worker: %s", note)
        return stamped(self.name, outcome.version, request.request_id, judgement, outcome.duration_ms)


def _asker() -> Asker:
    """A new request of whoever calls."""
    return Asker(observability.caller() or UNAUTHENTICATED, object())


def _without_worker(judgement: Judgement, duration_ms: float = 0.0) -> Outcome:
    fields = judgement.score, judgement.verdict, judgement.reason, judgement.details, judgement.status
    return Outcome(fields, duration_ms, "1")


class _Batch:
    """One batch under way. Its pieces go through the quick lane; what is too slow is left to the slow one."""

    def __init__(self, verifier: WorkerVerifier, items: Iterable[bytes]) -> None:
        self.outcomes: dict[bytes, Outcome] = {}
        self._verifier = verifier
        self._asker = _asker()
        self._pieces = deque(_pieces(items))
        self._slow: set[asyncio.Task[None]] = set()

    async def run(self, deadline: float | None) -> None:
        """Judge until all is done, the deadline has come or nobody waits any more."""
        if deadline is not None and time.monotonic() >= deadline:
            return
        pulling = {asyncio.ensure_future(self._pull()) for _ in range(min(PULLERS, len(self._pieces)))}
        pending = pulling
        try:
            while pending:
                left = None if deadline is None else deadline - time.monotonic()
                if left is not None and left <= 0.0:
                    return
                done, _ = await asyncio.wait(pending, timeout=left, return_when=asyncio.FIRST_COMPLETED)
                for task in done:
                    task.result()
                pending = {task for task in pulling | self._slow if not task.done()}
        finally:
            for task in pulling | self._slow:
                task.cancel()

    async def _pull(self) -> None:
        while self._pieces:
            piece = self._pieces.popleft()
            try:
                outcomes = await self._verifier.quickly(self._asker, piece)
            except TooSlowError:
                if len(piece) == 1:
                    self._slow.add(asyncio.ensure_future(self._judge_slowly(piece[0])))
                self._pieces.extendleft([item] for item in reversed(piece if len(piece) > 1 else ()))
                continue
            self.outcomes.update(zip(piece, outcomes, strict=False))
            if len(outcomes) < len(piece):
                self._pieces.appendleft(piece[len(outcomes) :])

    async def _judge_slowly(self, item: bytes) -> None:
        self.outcomes[item] = await self._verifier.patiently(self._asker, item)


def _pieces(items: Iterable[bytes]) -> Iterable[list[bytes]]:
    piece: list[bytes] = []
    size = 0
    for item in items:
        if piece and (len(piece) >= PIECE or size + len(item) > PIECE_BYTES):
            yield piece
            piece, size = [], 0
        piece.append(item)
        size += len(item)
    if piece:
        yield piece
