"""Measures a verifier against labelled rows: `{id, kind, prompt, response, reference, options?, expected}`.

Accepted means score >= 0.5; `expected` is 0..1 and counts as right from 0.5. A false positive is a wrong answer
that was accepted, a false negative a right one that was not; a result of status unknown or error is neither,
and is counted on its own.
"""

from __future__ import annotations

import json
import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from verifleet.errors import FieldProblem, SettingsError, ShapeError
from verifleet.verification import ACCEPTED_FROM, VerificationResult, Verifier, parse_request

CHUNK = 64
Z_95 = 1.959963984540054


@dataclass(frozen=True, slots=True)
class Rate:
    """A share with its Wilson 95 % interval (E. B. Wilson, JASA 22, 1927)."""

    count: int
    total: int

    @property
    def share(self) -> float:
        """Count / total; 0 of nothing is 0."""
        return self.count / self.total if self.total else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """Lower and upper bound of the 95 % interval."""
        if not self.total:
            return 0.0, 1.0
        n, p = self.total, self.share
        centre = (p + Z_95**2 / (2 * n)) / (1 + Z_95**2 / n)
        half = Z_95 / (1 + Z_95**2 / n) * math.sqrt(p * (1 - p) / n + Z_95**2 / (4 * n * n))
        return max(0.0, centre - half), min(1.0, centre + half)


@dataclass(frozen=True, slots=True)
class Row:
    """One labelled case and what the verifier said."""

    id: str
    kind: str
    expected: float
    result: VerificationResult

    @property
    def wanted(self) -> bool:
        """Whether the answer is right by its label."""
        return self.expected >= ACCEPTED_FROM

    @property
    def accepted(self) -> bool:
        """Whether the verifier accepted it; what it could not tell it did not."""
        return self.judged and (self.result.score or 0.0) >= ACCEPTED_FROM

    @property
    def judged(self) -> bool:
        """Whether the verifier could tell: neither unknown nor a fault of its own."""
        return self.result.status == "scored"

    @property
    def failed(self) -> bool:
        """Whether the verifier could not judge it through a fault of its own."""
        return self.result.score is None

    @property
    def agrees(self) -> bool:
        """Whether verdict and label are on the same side."""
        return not self.failed and self.wanted == self.accepted

    @property
    def disagreement(self) -> str:
        """What is wrong with it, in words."""
        if self.failed:
            return "error"
        if not self.judged:
            return "not told"
        return "accepted but wrong" if self.accepted else "right but refused"


@dataclass(slots=True)
class Audit:
    """All rows judged, and the figures over them."""

    rows: list[Row] = field(default_factory=list)

    @property
    def accuracy(self) -> Rate:
        """Rows judged as labelled, of all."""
        return Rate(sum(row.agrees for row in self.rows), len(self.rows))

    @property
    def false_positives(self) -> Rate:
        """Wrong answers that were accepted, of all wrong answers."""
        wrong = [row for row in self.rows if not row.wanted]
        return Rate(sum(row.accepted for row in wrong), len(wrong))

    @property
    def false_negatives(self) -> Rate:
        """Right answers that were judged and not accepted, of all right answers."""
        right = [row for row in self.rows if row.wanted]
        return Rate(sum(row.judged and not row.accepted for row in right), len(right))

    @property
    def exact_scores(self) -> Rate:
        """Rows whose score is the expected one to 1e-9, of all."""
        return Rate(
            sum(not r.failed and abs((r.result.score or 0.0) - r.expected) < 1e-9 for r in self.rows), len(self.rows)
        )

    @property
    def unknown(self) -> Rate:
        """Rows that the verifier could not tell."""
        return Rate(sum(row.result.status == "unknown" for row in self.rows), len(self.rows))

    @property
    def errors(self) -> Rate:
        """Rows that the verifier could not judge through a fault of its own."""
        return Rate(sum(row.failed for row in self.rows), len(self.rows))

    def by_kind(self) -> dict[str, Audit]:
        """The same figures for each kind, in order of name."""
        groups: dict[str, Audit] = defaultdict(Audit)
        for row in self.rows:
            groups[row.kind].rows.append(row)
        return dict(sorted(groups.items()))

    def disagreements(self) -> list[Row]:
        """Rows where verdict and label differ, false positives first."""
        wrong = (row for row in self.rows if not row.agrees)
        return sorted(wrong, key=lambda row: (not row.judged, row.wanted, row.id))

    def slowest(self, count: int = 5) -> list[Row]:
        """The rows that took longest."""
        return sorted(self.rows, key=lambda row: -row.result.duration_ms)[:count]

    def as_json(self) -> dict[str, Any]:
        """The figures as plain data."""
        names = ("accuracy", "false_positives", "false_negatives", "exact_scores", "unknown", "errors")
        figures = {}
        for name in names:
            rate: Rate = getattr(self, name)
            low, high = rate.interval
            figures[name] = {"count": rate.count, "total": rate.total, "share": rate.share, "low": low, "high": high}
        wrong = [
            {"id": row.id, "kind": row.kind, "expected": row.expected, "score": row.result.score}
            for row in self.disagreements()
        ]
        return {"rows": len(self.rows), **figures, "disagreements": wrong}


def read_rows(path: Path) -> list[dict[str, Any]]:
    """The rows of a JSONL file; raises ShapeError with the line numbers of what is not a JSON object."""
    rows, problems = [], []
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise SettingsError(f"{path} can't be read: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise ShapeError(f"{path} is not UTF-8: {error.reason} at byte {error.start}") from None
    for number, line in enumerate(text.split("\n"), 1):  # U+2028 and its like end no line of JSONL
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except (ValueError, RecursionError) as error:
            problems.append(FieldProblem(f"line {number}", f"not JSON: {error}"))
            continue
        if isinstance(row, dict):
            rows.append(row)
        else:
            problems.append(FieldProblem(f"line {number}", "not a JSON object"))
    if problems:
        raise ShapeError(f"{path}: {problems[0].path}: {problems[0].problem}", problems)
    if not rows:
        raise ShapeError(f"{path} holds no row, so that every bound would hold")
    return rows


def audit(verifier: Verifier, rows: Sequence[dict[str, Any]], on_done: Callable[[int], None] | None = None) -> Audit:
    """Judge every row and keep what was said; raises ShapeError for rows without response or a 0..1 `expected`.

    Args:
        verifier: any of the four.
        rows: decoded rows.
        on_done: told how many more rows are done.
    """
    outcome = Audit()
    for chunk in _chunks(list(enumerate(rows, 1))):
        requests = [parse_request(verifier.name, _request_fields(row), label_of(n, row)) for n, row in chunk]
        expected = [_expected(number, row) for number, row in chunk]
        for (number, row), want, result in zip(chunk, expected, verifier.check_batch(requests), strict=True):
            outcome.rows.append(Row(label_of(number, row), str(row.get("kind", "")), want, result))
        if on_done:
            on_done(len(chunk))
    return outcome


def _request_fields(row: dict[str, Any]) -> dict[str, Any]:
    names = ("prompt", "response", "reference", "options")
    return {name: row[name] for name in names if row.get(name) is not None}


def _expected(number: int, row: dict[str, Any]) -> float:
    value = row.get("expected")
    if not isinstance(value, (int, float)) or not 0 <= value <= 1:
        found = f"not {value!r}" if "expected" in row else f"and there are only {', '.join(map(str, row))[:200]}"
        raise ShapeError(f"row {label_of(number, row)}: expected must be a number from 0 to 1, {found}")
    return float(value)


def label_of(number: int, row: dict[str, Any]) -> str:
    """What a row is called: by its `id`, else by its number."""
    return str(row.get("id", f"#{number}"))


def _chunks(rows: Sequence[tuple[int, dict[str, Any]]]) -> Iterator[Sequence[tuple[int, dict[str, Any]]]]:
    for start in range(0, len(rows), CHUNK):
        yield rows[start : start + CHUNK]


def violations(outcome: Audit, bounds: Iterable[tuple[str, str, float | None]]) -> list[str]:
    """What breaks the given bounds: (figure, "at least" or "at most", share) of which a None share is no bound."""
    broken = []
    for figure, sense, bound in bounds:
        share = getattr(outcome, figure).share
        if bound is not None and (share < bound if sense == "at least" else share > bound):
            broken.append(f"{figure.replace('_', ' ')} {share:.2%} is not {sense} {bound:.2%}")
    return broken
