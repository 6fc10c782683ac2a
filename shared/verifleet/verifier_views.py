"""What `GET /verifiers` answers: how the verifiers did over time, and what audits measured of them."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from verifleet.envelopes import Timestamp
from verifleet.verification import VERIFIER_NAMES, Text, VerifierName

__all__ = ["VERIFIER_NAMES", "AuditCall", "AuditFigure", "AuditView", "Slot", "VerifierView", "VerifiersView"]

Count = Annotated[int, Field(ge=0)]
Milliseconds = Annotated[float, Field(ge=0)]


class _View(BaseModel):
    model_config = ConfigDict(extra="ignore", allow_inf_nan=False)


class Slot(_View):
    """What one verifier answered in a span of time."""

    at: Timestamp
    requests: Count = Field(0, description="that asked for verdicts over HTTP")
    rejected: Count = Field(0, description="requests that were malformed or too many")
    failed: Count = Field(0, description="requests that were not answered for a fault of ours")
    away: Count = Field(0, description="looks at the verifier that it did not answer")
    verdicts: dict[Text, Count] = Field(default_factory=dict)
    p50_ms: Milliseconds | None = Field(None, description="half of the requests took at most so long; null: none came")
    p95_ms: Milliseconds | None = None


class VerifierView(_View):
    """One verifier over time."""

    verifier: VerifierName
    state: Literal["up", "away", "not watched"]
    total: Slot
    slots: list[Slot] = Field(description="the oldest first; spans in which nothing was asked are left out")


class AuditFigure(_View):
    """A share that an audit measured, and the interval that it lies in with 95 %."""

    count: Count
    total: Count
    share: Annotated[float, Field(ge=0, le=1)]
    low: Annotated[float, Field(ge=0, le=1)] = 0.0
    high: Annotated[float, Field(ge=0, le=1)] = 1.0


class AuditCall(_View):
    """An audit's figures, as `verifleet audit --json` prints them, and of what; what `POST /verifiers/audits` takes."""

    verifier: VerifierName
    file: Annotated[Text, Field(min_length=1, max_length=200)]
    version: Annotated[Text, Field(max_length=80)] = ""
    rows: Count
    accuracy: AuditFigure
    false_positives: AuditFigure
    false_negatives: AuditFigure
    unknown: AuditFigure
    errors: AuditFigure


class AuditView(AuditCall):
    """An audit as it was recorded."""

    at: Timestamp


class VerifiersView(_View):
    """The verifiers over the last hours, and the audits that were recorded, the latest first."""

    as_of: Timestamp
    step_s: Count = Field(description="seconds of a slot")
    verifiers: list[VerifierView]
    audits: list[AuditView]
