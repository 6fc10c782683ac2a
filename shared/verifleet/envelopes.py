"""The wire contract: what travels between functions, in one file.

An envelope is `{"schema", "session_id", "timestamp", "source_agent", "payload": {"type", "data"}, "metadata"}`.
`parse_envelope` reads one, `make_envelope` makes one with a deterministic `envelope_id`. Fields that are not
declared here are kept, so that a newer sender loses nothing on the way through an older function.
"""

from __future__ import annotations

import contextlib
import json
import math
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Annotated, Any, Generic, Literal, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from verifleet.errors import FieldProblem, MalformedEnvelopeError
from verifleet.instants import EARLIEST, LATEST, instant
from verifleet.verification import (
    REQUEST_MODELS,
    VERIFIER_NAMES,
    Prompt,
    Text,
    VerificationRequest,
    VerificationResult,
    VerifierName,
    json_type,
    parse_request,
)

NAMESPACE = uuid.UUID("5f0c1a5e-6c2b-5d5e-9f43-6e2f1f0f7a11")
"""Namespace of every uuid5 that this package makes."""

UNVERIFIED_BELOW = 0.3
BRIEF_WORD_LIMIT = 200
MAX_REVISION = 2**53 - 1
LONG_MESSAGE = 1_000_000
"""The largest whole number that every JSON reader takes exactly; with each revision one more, nobody comes near it."""

SOURCE_MULTIPLIERS: Mapping[str, float] = {"emergency": 1.1, "official": 1.1, "twitter": 0.9, "social": 0.9}
"""Reliability multiplier by source; every other source counts 1.0."""

EVENT_TYPES = (
    "flood",
    "fire",
    "earthquake",
    "storm",
    "explosion",
    "attack",
    "transport",
    "collapse",
    "airquality",
    "other",
    "none",
)

Timestamp = Annotated[
    datetime,
    AfterValidator(instant),
    Field(description=f"an instant in the years {EARLIEST.year} to {LATEST.year - 1}; without an offset it is UTC"),
]
ActKind = Literal["confirm", "dismiss", "close", "reopen", "merge", "split", "mark", "undo"]
MAX_ACT_ID = 200
MAX_SPLIT = 2_000
"""Reports that one act takes out of an incident."""
_Named = Annotated[Text, Field(max_length=400)]
MAX_PROGRAMS = 64
"""Programs that travel in one message."""
T = TypeVar("T", bound=BaseModel)

_SCALARS = frozenset({str, int, bool})


def _time(value: Any) -> str:
    if isinstance(value, datetime):
        return value.isoformat()
    raise TypeError(f"an envelope can't carry {type(value).__name__}")


_ASCII, _UNICODE = (
    json.JSONEncoder(ensure_ascii=ascii, allow_nan=False, separators=(",", ":"), default=_time)
    for ascii in (True, False)
)


class _Model(BaseModel):
    model_config = ConfigDict(extra="allow", populate_by_name=True, allow_inf_nan=False)


# --- payload data ------------------------------------------------------------


class ReportMetadata(_Model):
    """What is known of a report's author and links."""

    author: Text | None = None
    verified: bool | None = None
    followers: int | None = None
    urls: list[Text] | None = None
    in_reply_to: Text | None = None


_NO_METADATA = ReportMetadata()


class RawEventData(_Model):
    """A report as it was published."""

    source: Text = "other"
    content: Text
    timestamp: Timestamp | None = None
    location: Text | None = None
    metadata: ReportMetadata | None = None


class EventData(_Model):
    """A report made ready: cleaned, located, typed."""

    event_id: Annotated[Text, Field(min_length=1, max_length=200)]
    source: Text = "other"
    content: Text
    entities: list[Text] = Field(default_factory=list)
    location: Text | None = None
    event_type: Text = "other"
    timestamp: Timestamp
    metadata: ReportMetadata | None = None

    @property
    def published(self) -> ReportMetadata:
        """Its metadata, empty ones where it has none."""
        return self.metadata or _NO_METADATA

    def carries(self, name: str) -> Any:
        """What its metadata carry under a name that is no field; None for nothing."""
        return (self.published.model_extra or {}).get(name)


class Claim(_Model):
    """One checkable statement of a report; `span` is [start, end) in characters of the event's content."""

    text: Text
    source: Text
    span: tuple[int, int] | None = None
    kind: Text = "factual"
    checkworthiness: float = Field(0.0, ge=0.0, le=1.0)
    facts: list[dict[str, Any]] = Field(
        default_factory=list, description="what it says in a form that can be compared; see agents/facts"
    )


class Evidence(_Model):
    """One thing that speaks for or against a claim, and why it counts."""

    source: Text
    url: Text | None = None
    stance: Literal["supports", "refutes", "updates", "neutral"]
    rule: Text = Field("", description="id of the rule that found it")
    reason: Text
    observed_at: Timestamp | None = None


class VerifiedClaim(_Model):
    """A claim with what was found out about it; `confidence` is the belief that the claim is true."""

    claim: Claim
    verified: bool
    verdict: Literal["supported", "refuted", "conflicting", "outdated", "insufficient"]
    confidence: float = Field(ge=0.0, le=1.0)
    sources: list[Text] = Field(default_factory=list)
    evidence: list[Evidence] = Field(default_factory=list)


class VerifiedEventData(_Model):
    """An event with every extracted claim, verified or not, and its reliability."""

    event_id: Text
    reliability_score: float = Field(ge=0.0, le=1.0)
    reliability_parts: dict[str, Any] = Field(
        default_factory=dict, description="verification_rate, avg_confidence, source_multiplier, formula"
    )
    unverified: bool
    unverified_reason: Text | None = None
    verified_claims: list[VerifiedClaim] = Field(default_factory=list)
    guidance: list[Text] = Field(default_factory=list, description="advice and offers of help, which are no claims")
    verification_timestamp: Timestamp
    original_event: EventData
    revision: int = Field(1, ge=1, le=MAX_REVISION)
    method: Literal["gemini", "heuristic"] = "heuristic"


class FactSource(_Model):
    """A report that a fact of a brief rests on."""

    event_id: Text
    source: Text
    author: Text | None = None
    url: Text | None = None
    time: Timestamp
    claims: list[int] = Field(default_factory=list, description="which claims of the report tell it, counted from 0")


class BriefFact(_Model):
    """One fact of a brief; `id` stays the same over revisions."""

    id: Text
    kind: Text
    text: Text
    value: dict[str, Any] | None = Field(None, description="low, high, unit, previous {low, high, as_of}")
    status: Literal["confirmed", "reported", "disputed", "ended"]
    refuted: bool = Field(False, description="of what is disputed: nobody who was heard of it since stands by it")
    as_of: Timestamp
    sources: list[FactSource] = Field(default_factory=list)


class IncidentBriefData(_Model):
    """What responders read about one incident; the summary has at most 200 words."""

    incident_id: Text
    kind: Literal["brief", "count"] = Field(
        "brief", description="count: no fact has changed since this revision was made, only reports were counted"
    )
    summary: Text
    key_facts: list[BriefFact] = Field(default_factory=list)
    changes: list[Text] = Field(default_factory=list, description="what this revision tells that the last one did not")
    guidance: list[Text] = Field(default_factory=list, description="advice and offers of help, official ones first")
    location: Text | None = None
    affected_entities: list[Text] = Field(default_factory=list)
    event_ids: list[Text] = Field(default_factory=list)
    reliability_score: float = Field(ge=0.0, le=1.0)
    similar_incidents: list[dict[str, Any]] = Field(default_factory=list)
    reports: int = Field(0, ge=0)
    event_type: Text = "other"
    merged_into: Text | None = Field(None, description="the incident that this one turned out to be; its last brief")
    merged_incidents: list[Text] = Field(default_factory=list, description="incidents that turned out to be this one")
    revision: int = Field(1, ge=1, le=MAX_REVISION)
    created_at: Timestamp
    updated_at: Timestamp
    reported_at: Timestamp | None = Field(None, description="the time of the latest of its reports, by their own word")


class IncidentActData(_Model):
    """What a person decides on an incident or a claim, and why; applied once for each `act_id`."""

    act_id: Annotated[Text, Field(min_length=1, max_length=MAX_ACT_ID)]
    kind: ActKind
    incident_id: _Named | None = Field(None, description="which incident; not for mark and undo")
    into: _Named | None = Field(
        None, description="merge: the incident that it is in truth; split: the new incident, by the fleet's own word"
    )
    reports: list[_Named] = Field(
        default_factory=list, max_length=MAX_SPLIT, description="split: the event_ids of those that leave it"
    )
    claim_id: _Named | None = Field(None, description="mark: which claim, as `/claims/{claim_id}` takes it")
    verdict: Literal["true", "false", "outdated"] | None = Field(None, description="mark: what it is")
    undoes: _Named | None = Field(None, description="undo: the act_id of what is taken back")
    reason: Annotated[Text, Field(min_length=1, max_length=2000)]
    by: Annotated[Text, Field(max_length=200)] = ""
    caller: Text | None = Field(None, description="the account that sent it over HTTP; the fleet's own word")
    expects: int | None = Field(
        None, description="how many acts there were when who acts looked; else it is refused; split needs it"
    )
    at: Timestamp


class VerificationRequestData(_Model):
    """A verification request on its way to a verifier: the verifier's name beside the request's own fields."""

    verifier: VerifierName
    prompt: Prompt = ""
    response: Text

    def request(self) -> VerificationRequest:
        """The typed request; raises ShapeError with paths below payload.data."""
        data = self.model_dump(exclude={"verifier"})
        return parse_request(self.verifier, data, "payload.data")


class CodeExecutionData(_Model):
    """A code request that was admitted, on its way to the runner.

    `proof` is a secret between code_verifier and the runner, who sends it back with the result: without it a result is
    not believed. It is in no result that is stored, published or answered.
    """

    verification_id: Text
    proof: Text = ""
    prompt: Text = ""
    response: Text

    def request(self) -> VerificationRequest:
        """The typed request; raises ShapeError with paths below payload.data."""
        return parse_request("code", self.model_dump(exclude={"verification_id", "proof"}), "payload.data")

    def requests(self) -> list[VerificationRequest]:
        """The same as of several; raises ShapeError."""
        return [self.request()]


class CodeExecutionsData(_Model):
    """1 to 64 programs of one batch, admitted, on their way to the runner together.

    `verification_id` is that of all of them; of the program at index i it is `{verification_id}.{i}` (of one alone, the
    same). `proof` is as in a single execution. Each program is a request's own fields.
    """

    verification_id: Text
    proof: Text = ""
    programs: list[dict[str, Any]] = Field(min_length=1, max_length=MAX_PROGRAMS)

    def requests(self) -> list[VerificationRequest]:
        """The typed requests; raises ShapeError with paths below payload.data."""
        return [
            parse_request("code", program, f"payload.data.programs.{index}")
            for index, program in enumerate(self.programs)
        ]


class CodeResultsData(_Model):
    """The results of an execution of several programs, in their order, on their way back from the runner."""

    verification_id: Text
    proof: Text = ""
    results: list[VerificationResult] = Field(min_length=1, max_length=MAX_PROGRAMS)


class ErrorDetail(_Model):
    """Why a task failed."""

    code: Text
    message: Text
    fields: list[dict[str, Any]] = Field(default_factory=list)


class McpData(_Model):
    """An agent's answer to a task: the complete envelope(s) produced, or the error."""

    status: Literal["completed", "failed"]
    result: Any = None
    error: ErrorDetail | None = None


# --- the envelope ------------------------------------------------------------


class Payload(_Model, Generic[T]):
    """The typed content of an envelope."""

    type: str
    data: T


class EnvelopeMetadata(_Model):
    """Identity and trace of an envelope.

    `began_at` is when what it goes back to reached the fleet, and `caller` who sent that: an account, `local`, or
    `session:...` where it came over a topic. Both are the fleet's own: from outside they count for nothing.
    """

    envelope_id: Text | None = None
    causation_id: Text | None = None
    trace: Text | None = None
    began_at: Timestamp | None = None
    caller: Text | None = None


class Envelope(_Model, Generic[T]):
    """What travels on every topic and over `/tasks`."""

    schema_: str = Field(alias="schema")
    session_id: Annotated[Text, Field(min_length=1, max_length=200)]
    timestamp: Timestamp
    source_agent: Text
    payload: Payload[T]
    metadata: EnvelopeMetadata | None = None

    @property
    def data(self) -> T:
        """The payload's data."""
        return self.payload.data

    @property
    def envelope_id(self) -> str | None:
        """The id that receivers deduplicate by, where the sender gave one."""
        return self.metadata.envelope_id if self.metadata else None

    def as_json(self) -> dict[str, Any]:
        """Plain JSON data; text is kept as it is, lone surrogates included.

        Raises ValueError for infinity and what is not a number: JSON has neither, and no receiver could read it.
        """
        plain: dict[str, Any] = plain_json(self.model_dump(mode="python", by_alias=True))
        return plain

    def encode(self) -> bytes:
        """The bytes of a Pub/Sub message: ASCII JSON, so that any text survives.

        What is long is UTF-8 where it can be: a report in Cyrillic is three times as long in ASCII, and a message that
        was let in must not outgrow what may go out.
        """
        data = self.model_dump(mode="python", by_alias=True)
        try:
            text = _ASCII.encode(data)
        except ValueError:
            plain_json(data)  # which names the field that JSON can't carry
            raise
        if len(text) > LONG_MESSAGE:
            with contextlib.suppress(UnicodeEncodeError):  # a lone surrogate
                return _UNICODE.encode(data).encode("utf-8")
        return text.encode("ascii")


@dataclass(frozen=True, slots=True)
class Schema:
    """One row of the contract: schema name, the payload types it allows, the model of its data."""

    name: str
    payload_types: tuple[str, ...]
    model: type[BaseModel]


SCHEMAS: Mapping[str, Schema] = {
    schema.name: schema
    for schema in (
        Schema("raw_event_v1", ("raw_event",), RawEventData),
        Schema("event_v1", ("event",), EventData),
        Schema("verified_event_v1", ("verified_event",), VerifiedEventData),
        Schema("incident_brief_v1", ("incident_brief",), IncidentBriefData),
        Schema("incident_act_v1", ("incident_act",), IncidentActData),
        Schema("verification_request_v1", ("verification_request",), VerificationRequestData),
        Schema("code_execution_v1", ("code_execution",), CodeExecutionData),
        Schema("code_executions_v1", ("code_executions",), CodeExecutionsData),
        Schema("code_results_v1", ("code_results",), CodeResultsData),
        Schema("verification_result_v1", ("verification_result",), VerificationResult),
        Schema("mcp_envelope_v1", ("response", "error", "acknowledgment"), McpData),
    )
}


def parse_envelope(raw: object, expect: str | tuple[str, ...] | None = None) -> Envelope[Any]:
    """Validate decoded JSON as an envelope.

    Args:
        raw: what `json.loads` gave.
        expect: schema name or names that the receiver handles; none means any known one.

    Raises:
        MalformedEnvelopeError: unknown or unexpected schema, wrong type, missing field; carries the field paths.
    """
    if not isinstance(raw, dict):
        raise MalformedEnvelopeError(f"an envelope is a JSON object, not {json_type(raw)}")
    allowed = (expect,) if isinstance(expect, str) else expect or tuple(SCHEMAS)
    name = raw.get("schema")
    if not isinstance(name, str) or name not in allowed:
        given = "is missing" if name is None else f"{str(name)[:80]!r} is not handled here"
        problem = f"{given}; use one of: {', '.join(allowed)}"
        raise MalformedEnvelopeError(f"schema {problem}", [FieldProblem("schema", problem)])
    schema = SCHEMAS[name]
    try:
        envelope = _envelope_of(schema.model).model_validate(raw)
    except ValidationError as error:
        raise MalformedEnvelopeError.from_validation(error) from None
    if envelope.payload.type not in schema.payload_types:
        problem = f"{envelope.payload.type[:80]!r} does not belong to {name}; use {' or '.join(schema.payload_types)}"
        raise MalformedEnvelopeError(f"payload.type {problem}", [FieldProblem("payload.type", problem)])
    return envelope


# pydantic holds its generic classes weakly: without these, one is now and then made anew in the middle of a request.


@cache
def _envelope_of(model: type[BaseModel] | None) -> type[Envelope[Any]]:
    return Envelope[Any] if model is None else Envelope[model]  # type: ignore[valid-type]


@cache
def _payload_of_any() -> type[Payload[Any]]:
    return Payload[Any]


def output_id(cause: str, function: str, schema: str, output_key: str = "") -> str:
    """The deterministic `envelope_id` of an output: the same input always gives the same id.

    Args:
        cause: envelope_id of the causing envelope, or the Pub/Sub messageId.
        function: name of the function that makes the output.
        schema: schema of the output.
        output_key: event_id or incident_id with its revision, where one input has several outputs.
    """
    return derived_id("\x1f".join((cause, function, schema, output_key)))


def derived_id(name: str) -> str:
    """The uuid5 of any text, lone surrogates included."""
    return str(uuid.uuid5(NAMESPACE, _utf8(name)))


def make_envelope(
    schema: str,
    data: BaseModel,
    *,
    session_id: str,
    source_agent: str,
    timestamp: datetime,
    cause: str,
    output_key: str = "",
    payload_type: str | None = None,
    trace: str | None = None,
    began_at: datetime | None = None,
    caller: str | None = None,
    caused_by_many: bool = False,
) -> Envelope[Any]:
    """Wrap `data` in an envelope of `schema`, with a deterministic envelope_id (see `output_id`).

    What has one of several causes, whichever comes first, is named by its `output_key` alone (`caused_by_many`).
    """
    envelope_id = output_id("" if caused_by_many else cause, source_agent, schema, output_key)
    metadata = EnvelopeMetadata(
        envelope_id=envelope_id, causation_id=cause, trace=trace, began_at=began_at, caller=caller
    )
    return _envelope_of(None)(
        schema_=schema,
        session_id=session_id,
        timestamp=timestamp,
        source_agent=source_agent,
        payload=_payload_of_any()(type=payload_type or SCHEMAS[schema].payload_types[0], data=data),
        metadata=metadata,
    )


def message_attributes(envelope: Envelope[Any]) -> dict[str, str]:
    """The Pub/Sub attributes of an envelope: schema, session_id, envelope_id, verifier, traceparent.

    Only of declared fields, whose types were checked: data may hold a `verifier` of its own, of any type.
    """
    metadata = envelope.metadata or EnvelopeMetadata()
    verifier = envelope.data.verifier if "verifier" in type(envelope.data).model_fields else None
    attributes = {
        "schema": envelope.schema_,
        "session_id": envelope.session_id,
        "envelope_id": metadata.envelope_id,
        "verifier": verifier,
        "traceparent": metadata.trace,
    }
    return {key: _utf8(value)[:1024] for key, value in attributes.items() if value}


def json_schemas() -> dict[str, dict[str, Any]]:
    """The JSON Schema of every envelope, by schema name; written to docs/schemas."""
    documents = {}
    for schema in SCHEMAS.values():
        document = Envelope[schema.model].model_json_schema(by_alias=True)  # type: ignore[name-defined]
        document["title"] = schema.name
        document["properties"]["schema"] = {"const": schema.name}
        payload = next(part for name, part in document["$defs"].items() if name.startswith("Payload"))
        payload["properties"]["type"] = {"enum": list(schema.payload_types)}
        if schema.model in _REQUESTED:
            _describe_request(document, schema.model.__name__, _REQUESTED[schema.model])
        documents[schema.name] = document
    return documents


_REQUESTED: dict[type[BaseModel], tuple[VerifierName, ...]] = {
    VerificationRequestData: VERIFIER_NAMES,
    CodeExecutionData: ("code",),
}


def _describe_request(document: dict[str, Any], model: str, verifiers: tuple[VerifierName, ...]) -> None:
    """Add what is read only once the verifier is known: the label, the options, and the reference of each verifier."""
    data = document["$defs"][model]
    references = {}
    for name in verifiers:
        request = REQUEST_MODELS[name].model_json_schema(by_alias=True)
        document["$defs"] |= request["$defs"]
        fields = request["properties"]
        data["properties"] |= {field: fields[field] for field in ("request_id", "options")}
        references[name] = {"properties": {"reference": fields["reference"]}}
    if len(verifiers) == 1:
        data["properties"] |= references[verifiers[0]]["properties"]
        return
    data["properties"]["reference"] = {"description": "what is expected; its shape is that of the verifier, below"}
    data["allOf"] = [
        {"if": {"properties": {"verifier": {"const": name}}}, "then": reference}
        for name, reference in references.items()
    ]


def plain_json(value: Any, at: str = "") -> Any:
    """A model's `model_dump(mode="python")` as JSON data; raises ValueError for what JSON can't carry."""
    if value is None or type(value) in _SCALARS:
        return value
    if isinstance(value, dict):
        return {key: plain_json(item, key) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain_json(item, at) for item in value]
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, float) and not math.isfinite(value):
        raise ValueError(f"the envelope's field {at!r} is {value}, which JSON can't carry: leave it out")
    return value


def _utf8(text: str) -> str:
    """Text as a protocol that wants valid UTF-8 can carry it: lone surrogates escaped."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")
