"""Figures that tell how well claims and event types are recognised, from labelled rows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from verifleet.errors import FieldProblem, ShapeError


@dataclass(frozen=True, slots=True)
class ClaimScores:
    """How well check-worthiness agrees with labels: macro-averaged F1 at the threshold 0.5, and area under the ROC."""

    rows: int
    positives: int
    macro_f1: float
    auc: float | None
    """None when all rows have the same label."""

    def __str__(self) -> str:
        auc = "undefined" if self.auc is None else f"{self.auc:.3f}"
        return f"macro-F1 {self.macro_f1:.3f}, AUC {auc} ({self.rows} rows, {self.positives} positive)"


@dataclass(frozen=True, slots=True)
class EventTypeScores:
    """Share of rows with the right event type, over all, where the hazard is named, and by type."""

    rows: int
    accuracy: float
    named_rows: int
    named_accuracy: float | None
    by_type: Mapping[str, float]

    def __str__(self) -> str:
        named = "none named" if self.named_accuracy is None else f"{self.named_accuracy:.3f} where the hazard is named"
        return f"accuracy {self.accuracy:.3f}, {named} ({self.rows} rows)"


def audit_claims(rows: Sequence[Mapping[str, Any]], score: Callable[[str], float]) -> ClaimScores:
    """Judge `score(text)` against rows of {"text", "label"}; raises ShapeError naming the row that is wrong."""
    scored = []
    for number, row in enumerate(rows, start=1):
        text, label = row.get("text"), row.get("label")
        if not isinstance(text, str):
            raise _wrong(number, "text", "must be a string")
        if label not in (0, 1):
            raise _wrong(number, "label", "must be 0 or 1")
        scored.append((int(label), score(text)))
    return score_claims(scored)


def audit_event_types(rows: Sequence[Mapping[str, Any]], classify: Callable[[str], str]) -> EventTypeScores:
    """Judge `classify(text)` against rows of {"text", "event_type", "hazard_named"?}; raises ShapeError."""
    outcomes: list[tuple[str, bool, bool]] = []
    for number, row in enumerate(rows, start=1):
        text, expected = row.get("text"), row.get("event_type")
        if not isinstance(text, str):
            raise _wrong(number, "text", "must be a string")
        if not isinstance(expected, str):
            raise _wrong(number, "event_type", "must be a string")
        outcomes.append((expected, bool(row.get("hazard_named")), classify(text) == expected))
    if not outcomes:
        raise ShapeError("no rows to audit")
    kinds: dict[str, list[bool]] = {}
    for expected, _, right in outcomes:
        kinds.setdefault(expected, []).append(right)
    named = [right for _, is_named, right in outcomes if is_named]
    return EventTypeScores(
        rows=len(outcomes),
        accuracy=_share([right for _, _, right in outcomes]),
        named_rows=len(named),
        named_accuracy=_share(named) if named else None,
        by_type={kind: _share(rights) for kind, rights in sorted(kinds.items())},
    )


def score_claims(scored: Iterable[tuple[int, float]]) -> ClaimScores:
    """Figures of (label, check-worthiness) pairs."""
    pairs = list(scored)
    if not pairs:
        raise ShapeError("no rows to audit")
    positives = sum(label for label, _ in pairs)
    predicted = [(label, int(score >= 0.5)) for label, score in pairs]
    macro = (_f1(predicted, 1) + _f1(predicted, 0)) / 2
    return ClaimScores(len(pairs), positives, macro, _auc(pairs))


def _f1(predicted: Sequence[tuple[int, int]], positive: int) -> float:
    right = sum(label == guess == positive for label, guess in predicted)
    wrong = sum(label != guess for label, guess in predicted)
    return 2 * right / (2 * right + wrong) if right or wrong else 1.0


def _auc(pairs: Sequence[tuple[int, float]]) -> float | None:
    """Area under the ROC curve by ranks; ties count half (Mann-Whitney U)."""
    positives = sum(label for label, _ in pairs)
    negatives = len(pairs) - positives
    if not positives or not negatives:
        return None
    ordered = sorted(pairs, key=lambda pair: pair[1])
    rank_sum, start = 0.0, 0
    while start < len(ordered):
        end = start
        while end < len(ordered) and ordered[end][1] == ordered[start][1]:
            end += 1
        rank_sum += sum(label for label, _ in ordered[start:end]) * (start + 1 + end) / 2
        start = end
    return (rank_sum - positives * (positives + 1) / 2) / (positives * negatives)


def _share(rights: Sequence[bool]) -> float:
    return sum(rights) / len(rights)


def _wrong(number: int, field: str, problem: str) -> ShapeError:
    return ShapeError(f"row {number}: {field} {problem}", [FieldProblem(f"{number}.{field}", problem)])
