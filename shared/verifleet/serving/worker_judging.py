"""What runs in worker processes: verifiers that judge one request after the other.

The zygote imports this module, so it imports nothing of the edge.
"""

from __future__ import annotations

import logging
import pickle
import signal
import time
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple, TypeVar

from verifleet.verification import (
    DEFAULT_OPTIONS,
    REQUEST_MODELS,
    BaseVerifier,
    Judgement,
    Options,
    VerificationRequest,
    VerifierName,
    WorkerPool,
    parse_request,
)
from verifleet.workers import call_in_child

R = TypeVar("R")

PIECE_CPU_S = 0.02
"""After so much of it a piece of a batch is given back, though not all of it may be judged."""

Make = Callable[[WorkerPool], BaseVerifier]
"""Makes a verifier in a worker; can be pickled."""

_OF = "verifleet.serving.workers_of"
PRELOADS: dict[VerifierName, tuple[str, ...]] = {
    "math": ("verifleet.verifiers.math.verifier", "verifleet.verifiers.math.algebra.symbolic", f"{_OF}.math:rehearse"),
    "format": ("verifleet.verifiers.format", f"{_OF}.format:preload", f"{_OF}.format:rehearse"),
    "knowledge": (f"{_OF}.knowledge:rehearse",),
}
"""What the zygote of each verifier does, step by step; workers can be had after the first step."""
_verifiers: dict[bytes, BaseVerifier] = {}


class Outcome(NamedTuple):
    """A judgement on its way back: its fields, what the result is stamped with, and what is to be logged."""

    judgement: tuple[Any, ...]
    duration_ms: float
    version: str
    notes: tuple[str, ...] = ()


# --- in the server: requests as bytes ----------------------------------------


def pack(request: VerificationRequest) -> bytes:
    """What a judgement depends on; equal for equal content."""
    reference = request.reference
    if isinstance(reference, list):
        reference = list(map(_fields, reference))
    elif reference is not None:
        reference = _fields(reference)
    options = request.options if request.options.model_fields_set else None
    content = request.prompt, request.response, reference, options
    return pickle.dumps(content, pickle.HIGHEST_PROTOCOL)


def _fields(reference: Any) -> tuple[type, dict[str, Any]]:
    """A model as plain data: pickling whole ones costs more than many a judgement."""
    return type(reference), {name: getattr(reference, name) for name in sorted(reference.model_fields_set)}


def judgement_of(outcome: Outcome) -> Judgement:
    """The judgement of an outcome."""
    return Judgement(*outcome.judgement)


# --- in a worker -------------------------------------------------------------


class Within:
    """The pool of a verifier that runs in a worker itself."""

    patient = False

    def call(self, function: Callable[..., R], /, *args: Any, cpu_s: float = 1.0) -> R:
        """Where all of the work has little time, a part needs no limit of its own."""
        return call_in_child(function, *args, cpu_s=cpu_s) if self.patient else function(*args)


class _Notes(logging.Handler):
    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(self.format(record))


_within = Within()
_notes = _Notes()


def judge_piece(make: bytes, items: list[bytes], patient: bool) -> list[Outcome]:
    """Judge requests until all are or the piece has had its time; the first one always is."""
    verifier = _verifier(make)
    _within.patient = patient
    outcomes: list[Outcome] = []
    began = time.process_time()
    for item in items:
        outcomes.append(_judged(verifier, item))
        if time.process_time() - began > PIECE_CPU_S:
            break
    return outcomes


def _verifier(make: bytes) -> BaseVerifier:
    if make not in _verifiers:
        logging.getLogger().addHandler(_notes)
        left, _ = signal.setitimer(signal.ITIMER_PROF, 0)  # making it is no work of the request
        made: Make = pickle.loads(make)  # noqa: S301 - from the process that started us
        _verifiers[make] = made(_within)
        signal.setitimer(signal.ITIMER_PROF, left)
    return _verifiers[make]


def _judged(verifier: BaseVerifier, item: bytes) -> Outcome:
    prompt, response, reference, options = pickle.loads(item)  # noqa: S301 - `pack` wrote it
    request = REQUEST_MODELS[verifier.name].model_construct(
        prompt=prompt, response=response, reference=_reference(reference), options=options or DEFAULT_OPTIONS
    )
    _notes.lines.clear()
    result = verifier.check(request)
    judgement = result.score, result.verdict, result.reason, result.details, result.status
    return Outcome(judgement, result.duration_ms, result.verifier_version, tuple(_notes.lines))


def _reference(packed: Any) -> Any:
    if packed is None:
        return None
    if isinstance(packed, list):
        return list(map(_reference, packed))
    model, fields = packed
    known = {name: value for name, value in fields.items() if name in model.model_fields}
    made = model.model_construct(set(fields), **known)
    if made.__pydantic_extra__ is not None:  # by any name, also one of model_construct's own arguments
        made.__pydantic_extra__.update((name, value) for name, value in fields.items() if name not in known)
    return made


def rehearse_with(verifier: BaseVerifier, samples: Iterable[tuple[str, str, Any]]) -> None:
    """Judge samples, so that what is made on first use is there."""
    for prompt, response, reference in samples:
        raw = {"prompt": prompt, "response": response, "reference": reference, "options": Options(partial=True)}
        verifier.check(parse_request(verifier.name, raw))
