"""How well claims and event types are recognised, from labelled rows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from verifleet.agents.claims.extract import Models, extract
from verifleet.audits.scores import Scores, auc, wrong_row
from verifleet.reading.read import read


@dataclass(frozen=True, slots=True)
class ClaimScores:
    """How well check-worthiness agrees with labels: macro-averaged F1 at the threshold 0.5, and area under the ROC."""

    rows: int
    positives: int
    macro_f1: float
    auc: float | None
    """None when all rows have the same label."""

    def __str__(self) -> str:
        told = "undefined" if self.auc is None else f"{self.auc:.3f}"
        return f"macro-F1 {self.macro_f1:.3f}, AUC {told} ({self.rows} rows, {self.positives} positive)"


@dataclass(frozen=True, slots=True)
class EventTypeScores:
    """Share of rows with the right event type, over all, where the hazard is named, and by type."""

    rows: int
    accuracy: float
    named_accuracy: float | None
    by_type: Mapping[str, float]

    def __str__(self) -> str:
        named = "none named" if self.named_accuracy is None else f"{self.named_accuracy:.3f} where the hazard is named"
        return f"accuracy {self.accuracy:.3f}, {named} ({self.rows} rows)"


def audit_claims(rows: Sequence[Mapping[str, Any]], score: Callable[[str], float]) -> ClaimScores:
    """Judge `score(text)` against rows of {"text", "label"}; raises ShapeError naming the row that is wrong."""
    scored = []
    for number, row in enumerate(rows, start=1):
        label = row.get("label")
        if label not in (0, 1):
            raise wrong_row(number, "label", "must be 0 or 1")
        scored.append((int(label), score(_text(number, row))))
    return score_claims(scored)


@dataclass(frozen=True, slots=True)
class Yields:
    """By label of `informative`: how many posts yield a claim, and how many there are."""

    found: Mapping[str, tuple[int, int]]

    def __str__(self) -> str:
        return ", ".join(
            f"{label}: {found / rows:.1%} of {rows}" for label, (found, rows) in sorted(self.found.items())
        )


def audit_yields(rows: Sequence[Mapping[str, Any]], models: Callable[[str], Models | None]) -> Yields:
    """Count which posts yield a claim, {"text", "event"?, "info_source"?, "informative"}; raises ShapeError.

    `models`: those to use for posts of an event, None for those that ship.
    """
    found: dict[str, list[bool]] = {}
    for number, row in enumerate(rows, start=1):
        document = read(_text(number, row))
        claims = extract(document, source_of(row), models(str(row.get("event")))).claims
        found.setdefault(str(row["informative"]), []).append(bool(claims))
    return Yields({label: (sum(made), len(made)) for label, made in found.items()})


def source_of(row: Mapping[str, Any]) -> str:
    """The class of the source of a post {"info_source"?}, by the labels of CrisisLexT26."""
    return {"Media": "news", "Government": "official"}.get(str(row.get("info_source")), "twitter")


def audit_event_types(rows: Sequence[Mapping[str, Any]], classify: Callable[[str], str]) -> EventTypeScores:
    """Judge `classify(text)` against rows of {"text", "event_type", "hazard_named"?}; raises ShapeError."""
    judged: list[tuple[str, str]] = []
    named: list[tuple[str, str]] = []
    for number, row in enumerate(rows, start=1):
        expected = row.get("event_type")
        if not isinstance(expected, str):
            raise wrong_row(number, "event_type", "must be a string")
        judged.append((expected, classify(_text(number, row))))
        named += judged[-1:] if row.get("hazard_named") else []
    scores = Scores.of(sorted({expected for expected, _ in judged}), judged)
    by_type = {kind: right / total for kind in scores.labels for right, total in [scores.recall(kind)]}
    return EventTypeScores(
        scores.rows, scores.accuracy, Scores.of(scores.labels, named).accuracy if named else None, by_type
    )


def score_claims(scored: Iterable[tuple[int, float]]) -> ClaimScores:
    """Figures of (label, check-worthiness) pairs."""
    pairs = list(scored)
    found = [(str(label), str(int(score >= 0.5))) for label, score in pairs]
    scores = Scores.of(sorted({name for pair in found for name in pair}), found)
    return ClaimScores(len(pairs), sum(label for label, _ in pairs), scores.macro_f1, auc(pairs))


def _text(number: int, row: Mapping[str, Any]) -> str:
    text = row.get("text")
    if not isinstance(text, str):
        raise wrong_row(number, "text", "must be a string")
    return text
