"""What the routes of incidents answer, which is also how it is kept: the wire contract of the desk."""

from __future__ import annotations

from typing import Annotated, Any, Literal, get_args

from pydantic import BaseModel, ConfigDict, Field

from verifleet.envelopes import (
    MAX_ACT_ID,
    MAX_REVISION,
    MAX_SPLIT,
    ActKind,
    BriefFact,
    Evidence,
    IncidentActData,
    IncidentBriefData,
    Timestamp,
)
from verifleet.verification import Text

State = Literal["open", "confirmed", "closed", "dismissed", "merged"]
STATES: tuple[State, ...] = get_args(State)
Severity = Literal["extreme", "severe", "moderate", "minor", "unknown"]
SEVERITIES: tuple[Severity, ...] = get_args(Severity)
Verdict = Literal["supported", "refuted", "conflicting", "outdated", "insufficient"]
Count = Annotated[int, Field(ge=0, le=MAX_REVISION)]
Share = Annotated[float, Field(ge=0.0, le=1.0)]


class _View(BaseModel):
    # What a later version adds is passed over: a document that is kept outlives the program that wrote it.
    model_config = ConfigDict(extra="ignore", allow_inf_nan=False)


class LastAct(_View):
    """Who acted last, how and why."""

    act_id: Text
    kind: ActKind
    by: Text
    reason: Text
    at: Timestamp
    revision: Count = Field(0, description="the brief's revision that was decided on")


class IncidentRow(_View):
    """One incident in a list.

    `changed_at` is when its brief last told something new, and what lists are ordered by; `updated_at` is when a report
    was last counted, `reported_at` the time of its latest report by the report's own word.
    """

    incident_id: Text
    state: State = "open"
    severity: Severity = "unknown"
    event_type: Text
    location: Text | None = None
    position: tuple[float, float] | None = Field(None, description="latitude and longitude of the place, where known")
    country_position: tuple[float, float] | None = Field(
        None, description="a point of its country, where nothing closer is told of where; no filter goes by it"
    )
    headline: Text
    reports: Count = 0
    reliability_score: Share = 0.0
    confirmed: Count = Field(0, description="facts that are confirmed")
    reported: Count = Field(0, description="facts that nobody has confirmed")
    disputed: Count = Field(0, description="facts that are disputed")
    revision: Annotated[int, Field(ge=1, le=MAX_REVISION)] = 1
    created_at: Timestamp
    changed_at: Timestamp
    updated_at: Timestamp
    reported_at: Timestamp | None = None
    merged_into: Text | None = None
    acts: Count = Field(0, description="how many acts there were; give it with an act as `expects`")
    act: LastAct | None = Field(None, description="the last act on it")
    applied: list[Text] = Field(default_factory=list, description="the ids of the last acts on it")


class IncidentPage(_View):
    """Incidents, those that changed last first; `next` asks for those after them.

    A page may have fewer than were asked for, and still others after it: so many are looked through for one answer.
    """

    incidents: list[IncidentRow]
    next: Text | None = Field(None, description="give it as `cursor`; null: there are no more")
    as_of: Timestamp = Field(description="give it to /incidents/stream as `since`, and nothing is missed")


class ClaimView(_View):
    """A claim, its verdict, and what speaks for and against it."""

    claim_id: Text
    text: Text
    kind: Text = "factual"
    checkworthiness: Share = 0.0
    verdict: Verdict
    verified: bool
    confidence: Share = Field(description="the belief that the claim is true")
    evidence: list[Evidence] = Field(default_factory=list)
    more_evidence: Count = Field(0, description="pieces of evidence that are not kept")


class EarlierVerdicts(_View):
    """What an earlier revision of a report's verification said of its claims, in their order."""

    revision: Count
    at: Timestamp
    verdicts: list[Verdict]


class ReportView(_View):
    """A report as it was verified last."""

    event_id: Text
    incident_id: Text | None = None
    kept_out: Literal["", "exercise", "no incident"] = Field("", description="why it belongs to no incident")
    source: Text
    author: Text | None = None
    url: Text | None = None
    time: Timestamp
    location: Text | None = None
    event_type: Text = "other"
    content: Text = Field(description="what it says; cut where it is long")
    reliability_score: Share
    unverified: bool
    unverified_reason: Text | None = None
    method: Literal["gemini", "heuristic"] = "heuristic"
    revision: Annotated[int, Field(ge=1, le=MAX_REVISION)] = 1
    verified_at: Timestamp
    claims: list[ClaimView] = Field(default_factory=list)
    more_claims: Count = Field(0, description="claims that are not kept")
    earlier: list[EarlierVerdicts] = Field(default_factory=list, description="the oldest first")


class ReportPage(_View):
    """Reports of an incident, the latest first."""

    reports: list[ReportView]
    next: Text | None = None


class FactView(BriefFact):
    """A fact of a brief, with the claims that it rests on: what `/claims/{claim_id}` takes."""

    claim_ids: list[Text] = Field(default_factory=list)


class ActView(IncidentActData):
    """An act as it was applied."""

    before: State | None = Field(None, description="the incident's state before it")
    undone: bool = False


class ActCall(_View):
    """What `POST /acts` takes; without an `act_id` it is made, and what is sent again is another act."""

    act_id: Annotated[Text, Field(min_length=1, max_length=MAX_ACT_ID)] | None = None
    kind: ActKind
    incident_id: Text | None = None
    into: Text | None = None
    reports: Annotated[list[Text], Field(max_length=MAX_SPLIT)] = Field(default_factory=list)
    claim_id: Text | None = None
    verdict: Literal["true", "false", "outdated"] | None = None
    undoes: Text | None = None
    reason: Annotated[Text, Field(min_length=1, max_length=2000)]
    by: Annotated[Text, Field(max_length=200)] = ""
    expects: int | None = None


class ActAnswer(_View):
    """What became of an act: itself, and the incident afterwards, where it is about one."""

    act: ActView
    incident: IncidentRow | None = None


class IncidentView(_View):
    """One incident: its row, its brief, its facts, what people decided, and the latest of its reports."""

    incident: IncidentRow
    brief: IncidentBriefData
    facts: list[FactView]
    acts: list[ActView] = Field(default_factory=list, description="the latest first")
    reports: list[ReportView]
    more_reports: Text | None = Field(None, description="give it to /incidents/{incident_id}/reports as `cursor`")


class RevisionView(_View):
    """What one revision of a brief told that the one before did not, and the report that it came of."""

    revision: Annotated[int, Field(ge=1, le=MAX_REVISION)]
    at: Timestamp
    changes: list[Text] = Field(default_factory=list)
    event_id: Text | None = None
    source: Text | None = None
    author: Text | None = None
    url: Text | None = None
    act_id: Text | None = Field(None, description="of what somebody decided, where no report brought it about")
    reported_at: Timestamp | None = None
    reports: Count = 0
    reliability_score: Share = 0.0


class RevisionPage(_View):
    """Revisions of an incident's brief, the latest first."""

    revisions: list[RevisionView]
    next: Text | None = None


class EarlierVerdict(_View):
    """What an earlier revision said of a claim."""

    revision: Count
    at: Timestamp
    verdict: Verdict


class ClaimAnswer(_View):
    """Why a claim has its verdict."""

    claim: ClaimView
    evidence_for: list[Evidence]
    evidence_against: list[Evidence]
    evidence_updating: list[Evidence] = Field(description="what tells that the claim was true and is so no longer")
    evidence_neutral: list[Evidence]
    earlier: list[EarlierVerdict] = Field(description="what it was judged before, the oldest first")
    report: dict[str, Any] = Field(description="the report that makes it: as in /reports/{event_id}, without claims")
