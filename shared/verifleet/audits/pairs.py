"""What the verifier finds between two real reports, against what people found who read both."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from pydantic import ValidationError

from verifleet.agents.ingest.event import normalise
from verifleet.agents.memory.report import query_keys, stored_keys
from verifleet.agents.pipeline import Prepared, prepare, verify_event
from verifleet.agents.voices.originals import same_original
from verifleet.audits.scores import Scores, unreadable
from verifleet.envelopes import RawEventData, VerifiedClaim
from verifleet.reading.document import Span

LABELS = ("supports", "refutes", "updates", "repost", "neutral")
_STRENGTH = {"refutes": 3, "updates": 2, "supports": 1, "neutral": 0}
MAX_KEYS = 30


@dataclass(frozen=True, slots=True)
class PairOutcome:
    """One labelled pair and what was found; `rule` is the rule that found it, "" for none."""

    id: str
    event: str
    label: str
    predicted: str
    rule: str
    reason: str
    claim: str
    extracted: str
    claim_text: str
    other_text: str

    def as_json(self) -> dict[str, str]:
        """A row of the audit's output."""
        return {name: getattr(self, name) for name in self.__slots__}


@dataclass(frozen=True, slots=True)
class PairScores:
    """All outcomes, and what they come to."""

    outcomes: tuple[PairOutcome, ...]

    @property
    def scores(self) -> Scores:
        """Figures of all labels."""
        return Scores.of(LABELS, ((outcome.label, outcome.predicted) for outcome in self.outcomes))

    @property
    def macro_f1(self) -> float:
        """Of refutes, supports and neutral, updates and reposts being neutral."""
        pairs = ((_three(outcome.label), _three(outcome.predicted)) for outcome in self.outcomes)
        return Scores.of(("refutes", "supports", "neutral"), pairs).macro_f1

    def as_json(self) -> dict[str, Any]:
        """The figures."""
        return {"pairs": len(self.outcomes), **self.scores.as_json(), "macro_f1": round(self.macro_f1, 4)}

    def __str__(self) -> str:
        scores = self.scores
        lines = [f"{'label':>10} " + " ".join(f"{label:>9}" for label in LABELS)]
        for label in LABELS:
            counts = (f"{scores.confusion.get((label, found), 0):>9}" for found in LABELS)
            lines.append(f"{label:>10} " + " ".join(counts))
        for label in ("refutes", "supports", "updates"):
            (right, found), (hit, there) = scores.precision(label), scores.recall(label)
            told = f"precision {right}/{found} {_share(right, found)}, recall {hit}/{there} {_share(hit, there)}"
            lines.append(f"{label}: {told}")
        lines.append(f"macro-F1 of refutes, supports, neutral: {self.macro_f1:.3f}")
        return "\n".join(lines)


def _share(part: int, whole: int) -> str:
    return f"({part / whole:.0%})" if whole else "(-)"


def _three(label: str) -> str:
    return label if label in ("refutes", "supports") else "neutral"


def audit_pairs(rows: Sequence[Mapping[str, Any]], without: frozenset[str] = frozenset()) -> PairScores:
    """Judge pairs {id, label, claim, claim_text, claim_time, claim_source, other_text, other_time, other_source}.

    `claim` is a part of `claim_text`. Both reports go through ingest and verifier in a session of their own; what
    counts is what the other adds to the claim that stands there. Raises ShapeError naming the row that is wrong.
    """
    return PairScores(tuple(_outcome(number, row, without) for number, row in enumerate(rows, start=1)))


def _outcome(number: int, row: Mapping[str, Any], without: frozenset[str]) -> PairOutcome:
    session = f"pair {number}"
    own = _prepared(number, row, "claim", session)
    other = _prepared(number, row, "other", session)
    told = {name: str(row.get(name, "")) for name in ("event", "label", "claim", "claim_text", "other_text")}
    predicted, rule, reason, extracted = _found(own, other, told["claim"], session, without)
    return PairOutcome(
        id=str(row.get("id", number)), predicted=predicted, rule=rule, reason=reason, extracted=extracted, **told
    )


def _prepared(number: int, row: Mapping[str, Any], side: str, session: str) -> Prepared:
    columns = {"source": f"{side}_source", "content": f"{side}_text", "timestamp": f"{side}_time"}
    try:
        raw = RawEventData.model_validate({field: row[column] for field, column in columns.items()})
        event = normalise(raw, session_id=session, now=datetime.now(UTC))
    except (KeyError, TypeError, ValidationError) as error:
        raise unreadable(f"row {number}", error, columns) from None
    # Two posts of one wording are two events all the same, as their authors are not known.
    return prepare(event.model_copy(update={"event_id": f"{event.event_id}-{side}"}))


def _found(
    own: Prepared, other: Prepared, claim: str, session: str, without: frozenset[str]
) -> tuple[str, str, str, str]:
    """Label, rule, reason, and the extracted claim that stands where the labelled one does."""
    if same_original(own.report.original, other.report.original):
        return "repost", "voices.original", "one original", ""
    stored = set(stored_keys(session, other.report))
    wanted = query_keys(session, own.report, official=False, limit=MAX_KEYS)
    met = [other.report] if stored.intersection(wanted) else []
    verified = verify_event(own, met, now=datetime.now(UTC), without=without)
    start = own.event.content.find(claim)
    if start < 0:
        start = max(own.event.content.find(claim[:24]), 0)
    there = _standing(verified.verified_claims, (start, start + len(claim)))
    if there is None:
        return "neutral", "", "no claim was extracted there", ""
    told = [item for item in there.evidence if item.rule != "source.official"]
    told.sort(key=lambda item: -_STRENGTH[item.stance])
    if not told:
        return "neutral", "", "" if met else "the other was not looked up", there.claim.text
    return told[0].stance, told[0].rule, told[0].reason, there.claim.text


def _standing(claims: Sequence[VerifiedClaim], span: Span) -> VerifiedClaim | None:
    """The claim that covers most of a span."""

    def shared(claim: VerifiedClaim) -> int:
        start, end = claim.claim.span or (0, 0)
        return min(end, span[1]) - max(start, span[0])

    best = max(claims, key=shared, default=None)
    return best if best is not None and shared(best) > 0 else None
