"""JSON Schemas of what is sent and answered over HTTP beside envelopes; written to docs/schemas with theirs."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from verifleet.envelopes import (
    Envelope,
    IncidentActData,
    RawEventData,
    Timestamp,
    VerifiedClaim,
    VerifiedEventData,
    json_schemas,
)
from verifleet.incident_views import (
    ActAnswer,
    ActCall,
    ClaimAnswer,
    IncidentPage,
    IncidentRow,
    IncidentView,
    ReportPage,
    ReportView,
    RevisionPage,
)
from verifleet.verification import REQUEST_MODELS, Options, Prompt, Text, VerificationResult
from verifleet.verifier_views import AuditCall, AuditView, VerifiersView


class Problem(BaseModel):
    """One fault in what was sent."""

    path: Text
    problem: Text


class ErrorBody(BaseModel):
    """What went wrong: a code for programs, a sentence, and where in the body."""

    code: Text
    message: Text
    fields: list[Problem]


class ErrorAnswer(BaseModel):
    """Every answer of 4xx and 5xx, except those of A2A."""

    error: ErrorBody


class Defaults(BaseModel):
    """What each request has that does not say otherwise; options field by field."""

    prompt: Prompt = ""
    reference: Any = None
    options: Options = Field(default_factory=Options)


class Slow(BaseModel):
    """One of the slowest of a batch."""

    index: int
    request_id: Text | None
    duration_ms: float


class Summary(BaseModel):
    """What a batch came to."""

    count: int
    status: dict[Literal["scored", "unknown", "error"], int]
    verdict: dict[Literal["correct", "partial", "incorrect", "malformed", "unknown", "error"], int]
    slowest: list[Slow]


class BatchPending(BaseModel):
    """What goes on of a batch, counted in different requests; all their results will be at `location`."""

    batch_id: Text
    done: int
    pending: int
    location: Text


class BatchAnswer(BaseModel):
    """A result for each request, in their order.

    With `pending` some are errors for now, and `details.verification_id` says by which name to find them at its place.
    """

    results: list[VerificationResult]
    summary: Summary
    pending: BatchPending | None = None


class BatchPendingAnswer(BatchPending):
    """202: the batch goes on; its results will be at `location`."""

    status: Literal["pending"]


class SentBatchAnswer(BaseModel):
    """A result for each different request of a batch, in the order of their first; `verification_id` names each."""

    results: list[VerificationResult]
    summary: Summary


class WarmCall(BaseModel):
    """Programs that are to come, and how long runners wait for the first of them."""

    model_config = ConfigDict(extra="forbid")

    programs: int = Field(ge=0, le=1_000_000)
    stay_s: float = Field(300, ge=0, le=3600)


class WarmAnswer(BaseModel):
    """Runner tasks that are wanted, that are up or starting, and that were launched for it."""

    wanted: int
    running: int
    launched: int


class PendingAnswer(BaseModel):
    """202: the verification goes on; its result will be at `location`."""

    verification_id: Text
    status: Literal["pending"]
    location: Text


class Part(BaseModel):
    """Of a content; thoughts of the model are not part of what it says."""

    text: Text | None = None
    thought: bool | None = None


class Content(BaseModel):
    """One turn of a conversation."""

    role: Text | None = None
    parts: list[Part] | None = None


class Example(BaseModel):
    """A prompt with what is expected: `references.reference` in JSON, else each name is one of its fields."""

    contents: list[Content] | None = None
    references: dict[str, Text] | None = None


class RewardCall(BaseModel):
    """What Gemini's reinforcement tuning sends."""

    example: Example
    response: Content


class RewardAnswer(BaseModel):
    """What it is answered."""

    reward: float = Field(ge=0.0, le=1.0)
    user_requested_aux_info: Text


class BareRawEvent(RawEventData):
    """A report without its envelope; it may name its session itself."""

    session_id: Annotated[Text, Field(min_length=1, max_length=200)] | None = None


class ExtractClaims(BaseModel):
    """Input of the skill extract_claims."""

    content: Text
    source: Text = "other"


class VerifyClaim(BaseModel):
    """Input of the skill verify_claim."""

    claim: Text = Field(min_length=1)
    source: Text = "other"
    location: Text | None = None
    event_type: Text = "other"
    timestamp: Timestamp | None = None
    session_id: Annotated[Text, Field(min_length=1)] = "default"


class ScoreReliability(BaseModel):
    """Input of the skill score_reliability."""

    verified_claims: list[VerifiedClaim]
    source: Text = "other"


SKILL_INPUTS: dict[str, Any] = {
    "extract_claims": ExtractClaims,
    "verify_claim": VerifyClaim,
    "score_reliability": ScoreReliability,
    "forward_to_summarizer": Envelope[VerifiedEventData],
    "summarize_incident": Envelope[VerifiedEventData],
    "decide_on_incident": Envelope[IncidentActData],
    "ingest_report": Envelope[RawEventData],
}
"""What each skill takes; a name that is also a schema's takes that envelope."""

_BODIES: dict[str, Any] = {
    "verify_response": VerificationResult,
    "verify_pending": PendingAnswer,
    "verify_batch_response": BatchAnswer,
    "batch_pending": BatchPendingAnswer,
    "batch_response": SentBatchAnswer,
    "warm_request": WarmCall,
    "warm_response": WarmAnswer,
    "reward_request": RewardCall,
    "reward_response": RewardAnswer,
    "error_response": ErrorAnswer,
    "act_request": ActCall,
    "act_response": ActAnswer,
    "incidents_response": IncidentPage,
    "verifiers_response": VerifiersView,
    "audit_request": AuditCall,
    "audit_response": AuditView,
    "incident_response": IncidentView,
    "incident_event": IncidentRow,
    "reports_response": ReportPage,
    "revisions_response": RevisionPage,
    "report_response": ReportView,
    "claim_response": ClaimAnswer,
    "bare_raw_events": Annotated[
        BareRawEvent | Annotated[Text, Field(min_length=1)] | list[BareRawEvent | Text],
        Field(description="POST /tasks of ingest_agent takes one report, a bare text, or a list of these"),
    ],
}


def all_schemas() -> dict[str, dict[str, Any]]:
    """Every JSON Schema by name: of envelopes, of the bodies of each route, of each skill's input."""
    documents = json_schemas()
    for verifier, model in REQUEST_MODELS.items():
        documents[f"verify_request_{verifier}"] = _schema(model)
        documents[f"verify_batch_request_{verifier}"] = _schema(_batch_of(model))
    documents |= {name: _schema(body) for name, body in _BODIES.items()}
    documents |= {f"skill_{name}": _schema(given) for name, given in SKILL_INPUTS.items()}
    for name, document in documents.items():
        document["title"] = name
    return documents


def _schema(shape: Any) -> dict[str, Any]:
    return TypeAdapter(shape).json_schema(by_alias=True)


def _batch_of(request: type[BaseModel]) -> type[BaseModel]:
    class Batch(BaseModel):
        """Many requests at once."""

        requests: list[request] = Field(max_length=50_000)  # type: ignore[valid-type]
        defaults: Defaults | None = None
        deadline_ms: float | None = Field(None, ge=0)

    Batch.model_rebuild(_types_namespace={"request": request, "Defaults": Defaults})
    return Batch
