"""What the log of a run's rewards says: figures over its steps, in one pass over the lines."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path
from typing import Any, Final

from verifleet.audits.answers import Rate
from verifleet.errors import SettingsError
from verifleet.figures import Spread
from verifleet.verification import ACCEPTED_FROM

VERDICTS: Final = ("correct", "partial", "incorrect", "malformed", "unknown", "error", "none")
BLOCK_ROWS: Final = 256
"""Rows that stand for a step where the trainer hands over none."""

MAX_STEPS: Final = 400
"""Steps that are told apart; of a longer run neighbours are taken together."""
MAX_LINE: Final = 1024 * 1024
MAX_JOINED: Final = 200_000
"""Different rows that are compared between rewards."""
MAX_REASONS: Final = 2_000
SHOWN: Final = 20
_NEEDED: Final = {"name": str, "group": str, "row": str, "chars": int, "response": str, "verdict": str}


@dataclass(slots=True)
class Step:
    """Figures of the rows of one step."""

    rows: int = 0
    judged: int = 0
    score: float = 0.0
    verdicts: Counter[str] = field(default_factory=Counter)
    chars: Counter[str] = field(default_factory=Counter)
    groups: dict[str, tuple[float, float, int]] = field(default_factory=dict)

    def add(self, row: Mapping[str, Any]) -> None:
        """Count a row."""
        score, verdict = row["score"], row["verdict"]
        self.rows += 1
        self.verdicts[verdict] += 1
        self.chars[verdict] += row["chars"]
        if score is None:
            return
        self.judged += 1
        self.score += score
        low, high, count = self.groups.get(row["group"], (score, score, 0))
        self.groups[row["group"]] = (min(low, score), max(high, score), count + 1)

    def merge(self, other: Step) -> None:
        """Take another step in."""
        self.rows, self.judged, self.score = (
            self.rows + other.rows,
            self.judged + other.judged,
            self.score + other.score,
        )
        self.verdicts += other.verdicts
        self.chars += other.chars
        for group, (low, high, count) in other.groups.items():
            before = self.groups.get(group, (low, high, 0))
            self.groups[group] = (min(low, before[0]), max(high, before[1]), count + before[2])

    @property
    def mean(self) -> float:
        """Of the rows with a score."""
        return self.score / self.judged if self.judged else 0.0

    @property
    def flat(self) -> Rate:
        """Groups of one prompt whose scores are all the same, of those with several: they teach nothing."""
        several = [one for one in self.groups.values() if one[2] > 1]
        return Rate(sum(low == high for low, high, _ in several), len(several))

    def share(self, verdict: str) -> float:
        """Of the rows."""
        return self.verdicts[verdict] / self.rows if self.rows else 0.0

    def length(self, verdict: str) -> float | None:
        """Mean characters of the responses with this verdict."""
        count = self.verdicts[verdict]
        return self.chars[verdict] / count if count else None


@dataclass(slots=True)
class Watched:
    """One reward of the run."""

    name: str
    rows: int = 0
    steps: dict[int, Step] = field(default_factory=dict)
    stepped: bool = False
    times: Spread = field(default_factory=Spread)
    lengths: dict[str, Spread] = field(default_factory=lambda: defaultdict(Spread))
    labels: Counter[tuple[bool, bool]] = field(default_factory=Counter)
    """(right by its label, accepted) of labelled rows with a score."""
    reasons: Counter[tuple[str, str]] = field(default_factory=Counter)

    def add(self, row: Mapping[str, Any]) -> None:
        """Count a row."""
        step = row["step"]
        self.stepped = self.stepped or step is not None
        number = self.rows // BLOCK_ROWS if step is None else step
        self.rows += 1
        self.steps.setdefault(number, Step()).add(row)
        label = f"step {number}: {row['response'][:60]!r}"
        if row.get("ms") is not None:
            self.times.add(row["ms"], label)
        self.lengths[row["verdict"]].add(float(row["chars"]), label)
        if row.get("expected") is not None and row["score"] is not None:
            self.labels[row["expected"] >= ACCEPTED_FROM, accepted(row)] += 1
        reason = (row["verdict"], str(row.get("reason", ""))[:200])
        if reason[1] and (reason in self.reasons or len(self.reasons) < MAX_REASONS):
            self.reasons[reason] += 1

    def over_steps(self, most: int = MAX_STEPS) -> list[tuple[str, Step]]:
        """Steps in order with their labels, neighbours together where there are more than `most`."""
        numbers = sorted(self.steps)
        size = -(-len(numbers) // most) if numbers else 1
        told = []
        for start in range(0, len(numbers), size):
            part = numbers[start : start + size]
            step = Step()
            for number in part:
                step.merge(self.steps[number])
            told.append((self._label(part[0], part[-1]), step))
        return told

    def whole(self) -> Step:
        """All rows; its groups are those of the steps, each by itself."""
        step = Step()
        for number, one in self.steps.items():
            apart = {f"{number} {group}": figures for group, figures in one.groups.items()}
            step.merge(Step(one.rows, one.judged, one.score, one.verdicts, one.chars, apart))
        return step

    def mistakes(self) -> tuple[Rate, Rate]:
        """False positives and false negatives by the labels of the rows."""
        right = self.labels[True, True] + self.labels[True, False]
        wrong = self.labels[False, True] + self.labels[False, False]
        return Rate(self.labels[False, True], wrong), Rate(self.labels[True, False], right)

    def _label(self, first: int, last: int) -> str:
        if self.stepped:
            return str(first) if first == last else f"{first}–{last}"
        return f"rows {first * BLOCK_ROWS}–"


@dataclass(slots=True)
class Between:
    """The rows that two rewards judged: who accepts which."""

    names: tuple[str, str]
    counts: Counter[tuple[bool, bool]] = field(default_factory=Counter)
    shown: dict[tuple[bool, bool], list[Mapping[str, Any]]] = field(default_factory=dict)


@dataclass(slots=True)
class Run:
    """All that a log holds."""

    rewards: dict[str, Watched] = field(default_factory=dict)
    between: dict[tuple[str, str], Between] = field(default_factory=dict)
    broken: int = 0
    """Lines that are none of a log: one that was cut off when its writer was killed, perhaps."""
    _joined: dict[str, dict[str, bool]] = field(default_factory=dict)

    def add(self, row: Mapping[str, Any]) -> None:
        """Count a row."""
        name = row["name"]
        self.rewards.setdefault(name, Watched(name)).add(row)
        if row["score"] is None:
            return
        if row["row"] not in self._joined and len(self._joined) >= MAX_JOINED:
            return
        said = self._joined.setdefault(row["row"], {})
        if name in said:
            return
        for other, theirs in said.items():
            self._compare(other, theirs, name, row)
        said[name] = accepted(row)

    def pairs(self) -> list[Between]:
        """Each two rewards that judged the same rows."""
        return [self.between[two] for two in combinations(sorted(self.rewards), 2) if two in self.between]

    def _compare(self, other: str, theirs: bool, name: str, row: Mapping[str, Any]) -> None:
        names = (other, name) if other < name else (name, other)
        one = self.between.setdefault(names, Between(names))
        sides = (theirs, accepted(row)) if other < name else (accepted(row), theirs)
        one.counts[sides] += 1
        kept = one.shown.setdefault(sides, [])
        if sides[0] != sides[1] and len(kept) < SHOWN:
            kept.append(row)


def accepted(row: Mapping[str, Any]) -> bool:
    """Whether a row's score says that its response is right."""
    return bool(row["score"] is not None and row["score"] >= ACCEPTED_FROM)


def read_run(place: Path) -> Run:
    """The rows of a log with the file before it, or of all logs of a folder. Raises SettingsError."""
    run = Run()
    for file in _files(place):
        for line in _lines(file):
            row = _row(line)
            if row is None:
                run.broken += 1
            else:
                run.add(row)
    if not run.rewards:
        raise SettingsError(f"{place} holds no row of a reward's log; give a reward log='{place}' to have one written")
    return run


def _files(place: Path) -> list[Path]:
    if place.is_dir():
        files = sorted(place.rglob("*.jsonl"), key=lambda file: (_name(file), not file.stem.endswith(".1")))
    else:
        files = [file for file in (place.with_name(f"{place.stem}.1{place.suffix}"), place) if file.is_file()]
    if not files:
        raise SettingsError(f"{place} is no log of rewards, and holds none (*.jsonl)")
    return files


def _name(file: Path) -> str:
    return str(file.with_name(file.stem.removesuffix(".1")))


def _lines(file: Path) -> Iterator[bytes]:
    try:
        with file.open("rb") as lines:
            while line := lines.readline(MAX_LINE):
                yield line
    except OSError as error:
        raise SettingsError(f"{file} can't be read: {error.strerror or error}") from None


def _row(line: bytes) -> dict[str, Any] | None:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if not isinstance(row, dict) or not all(isinstance(row.get(name), kind) for name, kind in _NEEDED.items()):
        return None
    score, step, ms, expected = (row.setdefault(name, None) for name in ("score", "step", "ms", "expected"))
    numbers = all(one is None or (isinstance(one, (int, float)) and one == one) for one in (score, ms, expected))
    whole = step is None or isinstance(step, int)
    return row if numbers and whole and row["verdict"] in VERDICTS and row["chars"] >= 0 else None
