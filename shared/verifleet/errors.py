"""Every error that this package raises on purpose.

VerifleetError
├── ShapeError                  what a client sent has the wrong shape; carries field paths (HTTP 400)
│   ├── MalformedEnvelopeError  the same for an envelope: dead-lettered, never retried
│   ├── UnpublishableError      what was made of an input can never be published: the input is dead-lettered
│   └── RewardReferenceError    a trainer's row whose reference can't be used; a ValueError too
├── TooLargeError               a body above the limit (HTTP 413)
├── ForbiddenError              the caller is not who may do this (HTTP 403)
├── QuotaExceededError          one caller wants more at once than it may have (HTTP 429)
├── TransientError              may succeed later: retried by Pub/Sub, HTTP 503
│   ├── StoreUnavailableError
│   ├── PublishError
│   ├── CallerUnknownError      who calls could not be found out
│   ├── GeminiUnavailableError
│   └── OpinionUnavailableError a second opinion could not be had
├── VerifierUnavailableError    a fault of ours: the answer could not be judged
│   ├── WorkerTimeoutError      a comparison used up its own time
│   ├── WorkerLostError         a worker process died
│   │   ├── BrokenByContentError    of what it was given
│   │   └── DisturbedError          of something else
│   └── SandboxUnavailableError no isolation on this machine, or a sandbox broke
├── KnowledgeBaseError          a knowledge base or its source can't be read; names file and line
└── SettingsError               a wrong setting; names the variable and what is allowed

StopTrainingError, a BaseException, stands beside them: one of ours where a trainer would swallow an Exception.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Self

MAX_SHOWN_PROBLEMS = 100
"""An answer names this many faults; a list of a hundred thousand bad items needs no answer as long."""


MAX_EDITS = 2
"""Up to which a name that is not known is taken for a slip in a known one."""
_OURS = re.compile(r"<|function-|constrained-|tagged-union|(list|dict|set|tuple)\[")
_TYPES = ("str", "int", "float", "bool")  # the branches of a union, below the field that has it
_PLAIN_WORDS = {
    "missing": "is required",
    "extra_forbidden": "is not known here",
    "model_type": "must be a JSON object",
    "model_attributes_type": "must be a JSON object",
    "dict_type": "must be a JSON object",
    "list_type": "must be a JSON array",
    "string_type": "must be a string",
    "bool_type": "must be true or false",
}


@dataclass(frozen=True, slots=True)
class FieldProblem:
    """One fault in what a client sent: `path` such as `requests.3.reference.answer`, and what is wrong there."""

    path: str
    problem: str


class VerifleetError(Exception):
    """Base of all errors raised by verifleet."""


class StopTrainingError(BaseException):
    """A training must end, in a trainer that would make a reward of an Exception; the cause is one of ours."""


class ShapeError(VerifleetError):
    """What a client sent has the wrong shape. Never worth a retry."""

    code = "invalid_request"

    def __init__(self, message: str, fields: Sequence[FieldProblem] = (), code: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.fields = tuple(fields)
        if code is not None:
            self.code = code

    @classmethod
    def from_validation(cls, error: Any, prefix: str = "") -> ShapeError:
        """Build from a pydantic `ValidationError`; `prefix` is put before every path."""
        return cls.of([_field_problem(item, prefix) for item in error.errors(include_url=False, include_input=False)])

    @classmethod
    def of(cls, problems: Sequence[FieldProblem]) -> ShapeError:
        """Build from problems, which the message names (the first three of many)."""
        shown = "; ".join(f"{p.path}: {p.problem}" for p in problems[:3])
        more = f" (and {len(problems) - 3} more)" if len(problems) > 3 else ""
        return cls(f"{shown}{more}", problems)

    @classmethod
    def at(cls, path: str, problem: str) -> Self:
        """Build from the one problem of one field."""
        return cls(f"{path}: {problem}", [FieldProblem(path, problem)])

    def within(self, path: str) -> ShapeError:
        """The same error of what stands at `path` in something larger."""
        fields = [FieldProblem(f"{path}.{problem.path}", problem.problem) for problem in self.fields]
        return ShapeError(f"{path}: {self.message}", fields, self.code)

    def as_json(self) -> dict[str, Any]:
        """The `error` object of an HTTP answer: code, message, fields[{path, problem}]."""
        shown = [asdict(problem) for problem in self.fields[:MAX_SHOWN_PROBLEMS]]
        return {"code": self.code, "message": self.message, "fields": shown}


class ConflictError(ShapeError):
    """What was asked for was right when whoever asks looked, and others have acted since."""

    code = "conflict"


class MalformedEnvelopeError(ShapeError):
    """An envelope that can never be handled: unknown schema, wrong type, missing field."""

    code = "malformed_envelope"


class UnpublishableError(ShapeError):
    """What was made of an input can never be published: dead-lettered or refused with the reason, never retried."""

    code = "unpublishable"

    def __init__(self, topic: str, problem: str) -> None:
        super().__init__(f"what was made of it for {topic} {problem}")


class RewardReferenceError(ShapeError, ValueError):
    """A reference in a trainer's data that can't be used; training must stop, not go on with rewards of 0.0."""

    code = "invalid_reference"


class TooLargeError(VerifleetError):
    """A body is larger than the limit."""


class ForbiddenError(VerifleetError):
    """The caller is not who may do this."""


class QuotaExceededError(VerifleetError):
    """One caller wants more at once than it may have; later it is welcome again."""


class TransientError(VerifleetError):
    """The same request may succeed later."""


class StoreUnavailableError(TransientError):
    """The store did not answer."""


class PublishError(TransientError):
    """A message could not be published."""


class CallerUnknownError(TransientError):
    """Who calls could not be found out now."""


class GeminiUnavailableError(TransientError):
    """Gemini did not give a usable answer in time."""


class OpinionUnavailableError(TransientError):
    """A model that was asked for a second opinion gave no usable one in time."""


class VerifierUnavailableError(VerifleetError):
    """An answer could not be judged through a fault of ours; never to be read as a score of 0.0."""


class WorkerTimeoutError(VerifierUnavailableError):
    """The work used up its own CPU or wall time and its process was killed."""


class WorkerLostError(VerifierUnavailableError):
    """A worker process died or could not be started."""


class BrokenByContentError(WorkerLostError):
    """A worker crashed or used up its memory: another one would fare no better with the same call."""


class DisturbedError(WorkerLostError):
    """A worker was stopped or killed from outside: the same call is worth another try."""


class SandboxUnavailableError(VerifierUnavailableError):
    """Untrusted code can't be isolated here, or the sandbox itself failed."""


class KnowledgeBaseError(VerifleetError):
    """A knowledge base, or the source of one, is missing or can't be read."""


class SettingsError(VerifleetError):
    """A setting has a value that is not allowed."""


def nearest_name(name: str, known: Collection[str]) -> str | None:
    """The known name that is at most two edits (one character put in, left out or changed) away, the closest first."""
    folded = name.casefold()
    ranked = sorted((_edits(folded, other), other) for other in known if abs(len(folded) - len(other)) <= MAX_EDITS)
    return ranked[0][1] if ranked and ranked[0][0] <= MAX_EDITS else None


def _edits(one: str, other: str) -> int:
    row = list(range(len(other) + 1))
    for number, mark in enumerate(one, 1):
        diagonal, row[0] = row[0], number
        for place, wanted in enumerate(other, 1):
            changed = diagonal + (mark != wanted)
            diagonal, row[place] = row[place], min(row[place] + 1, row[place - 1] + 1, changed)
    return row[-1]


def _field_problem(item: Mapping[str, Any], prefix: str) -> FieldProblem:
    # Union branches and wrapped validators are our own business, not part of the client's path.
    steps = [str(step) for step in item["loc"] if not _OURS.match(str(step))]
    steps = [step for place, step in enumerate(steps) if place == 0 or step not in _TYPES]
    path = ".".join([prefix, *steps] if prefix else steps)
    problem = _PLAIN_WORDS.get(item["type"], str(item["msg"]).removeprefix("Value error, "))
    return FieldProblem(path or "(body)", problem)
