"""Train the model of what a sentence brings to those who have to act, which ships with the package.

    python -m tools.train_brief_model streams.jsonl

A file of rows {"text", "event", "time", "info_source", "info_type"}: posts of CrisisLexT26 (MIT licence), with the kind
of information that its annotators found. Beside this module, brief_labels.jsonl tells of sentences of these posts,
which are not kept here, the section of a brief in which somebody who read them would tell them, or "none". The kinds
of posts count with a small weight, where a section has one. Cross-validation leaves out a crisis at a time, and a
feature must occur in several: names do not. Needs scikit-learn (extra `dev`). The same files give the same model.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import numpy as np
from scipy.sparse import csr_matrix
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score

from verifleet.agents.briefs.brings import SECTIONS, Section, features
from verifleet.agents.briefs.words import plain
from verifleet.agents.claims.checkworthiness import Model
from verifleet.agents.claims.extract import extract
from verifleet.reading.read import read

MIN_EVENTS, MIN_ROWS = 4, 5
REGULARISATION = 0.2
WEIGHT_OF_POST = 0.1
SMALLEST_WEIGHT = 0.02
KINDS: Mapping[str, Section] = {
    "Caution and advice": "advice", "Donations and volunteering": "needs", "Affected individuals": "people",
    "Infrastructure and utilities": "now",
}  # fmt: skip
UNTOLD: Mapping[Section, frozenset[str]] = {
    "now": frozenset({"Other Useful Information", "Affected individuals"}),
    "people": frozenset({"Other Useful Information"}),
    "cause": frozenset({"Other Useful Information", *KINDS}),
    "needs": frozenset({"Other Useful Information"}),
    "advice": frozenset({"Other Useful Information"}),
}
"""Kinds of posts that do not tell whether one belongs to a section."""
SOURCES = {"Media": "news", "Government": "official"}
MODEL = Path(__file__).parents[1] / "shared/verifleet/agents/briefs/brings_model.json"
LABELS = Path(__file__).parent / "brief_labels.jsonl"


@dataclass(frozen=True, slots=True)
class Row:
    """A sentence that was labelled, or a post with its kind of information: what the model sees of it."""

    seen: Mapping[str, float]
    event: str
    label: str = ""
    kind: str = ""

    def weight(self, section: Section) -> float:
        """How much it counts for a section."""
        return 1.0 if self.label else 0.0 if self.kind in UNTOLD[section] else WEIGHT_OF_POST

    def belongs(self, section: Section) -> bool:
        """Whether it belongs there."""
        return section == (self.label or KINDS.get(self.kind))


def main() -> None:
    """Read the arguments, report the cross-validation, write the model."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("streams", type=Path, help='one {"text", "event", "time", "info_source", "info_type"} a line')
    parser.add_argument("--labels", type=Path, default=LABELS, help='one {"sha256", "label"} a line')
    parser.add_argument("-o", "--output", type=Path, default=MODEL)
    arguments = parser.parse_args()
    posts = _lines(arguments.streams)
    labels = {row["sha256"]: row["label"] for row in _lines(arguments.labels)}
    told = [
        Row(features(text), post["event"], label=labels[mark(text)])
        for post in posts
        for text in sentences_of(post)
        if mark(text) in labels
    ]
    rows = [*told, *(Row(features(post["text"]), post["event"], kind=post["info_type"]) for post in posts)]
    tell(told, rows)
    made = {name: {"bias": model.bias, "weights": model.weights} for name, model in train(rows).items()}
    text = json.dumps(made, ensure_ascii=False, separators=(",", ":"))
    arguments.output.write_text(text + "\n", "utf-8")
    print(f"{arguments.output}: {len(text.encode()) / 1000:.0f} kB")


def sentences_of(post: Mapping[str, Any]) -> Iterator[str]:
    """What a post says and advises, as briefs know it."""
    source = SOURCES.get(post["info_source"], "twitter")
    found = extract(read(post["text"]), source, datetime.fromisoformat(post["time"]))
    yield from dict.fromkeys(plain(text) for text in (*(claim.text for claim in found.claims), *found.guidance))


def mark(text: str) -> str:
    """What a sentence is known by."""
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def train(rows: Sequence[Row]) -> dict[Section, Model]:
    """A model of each section of these rows."""
    events, counts = defaultdict(set), Counter[str]()
    for row in rows:
        counts.update(row.seen.keys())
        for name in row.seen:
            events[name].add(row.event)
    names = sorted(name for name in counts if counts[name] >= MIN_ROWS and len(events[name]) >= MIN_EVENTS)
    columns = {name: column for column, name in enumerate(names)}
    cells = [(at, columns[n], value) for at, row in enumerate(rows) for n, value in row.seen.items() if n in columns]
    ys, xs, values = zip(*cells, strict=True)
    matrix = csr_matrix((values, (ys, xs)), shape=(len(rows), len(names)), dtype=float)
    return {section: _trained(rows, section, matrix, names) for section in SECTIONS}


def _trained(rows: Sequence[Row], section: Section, matrix: Any, names: Sequence[str]) -> Model:
    fitted = LogisticRegression(C=REGULARISATION, max_iter=300, solver="liblinear").fit(
        matrix, [row.belongs(section) for row in rows], sample_weight=[row.weight(section) for row in rows]
    )
    weights = {name: round(float(weight), 2) for name, weight in zip(names, fitted.coef_[0], strict=True)}
    kept = {name: weight for name, weight in weights.items() if abs(weight) >= SMALLEST_WEIGHT}
    return Model(bias=round(float(fitted.intercept_[0]), 2), weights=kept)


def tell(told: Sequence[Row], rows: Sequence[Row]) -> None:
    """Print how models that saw nothing of a crisis judge its sentences."""
    judged: list[tuple[Row, dict[Section, float]]] = []
    for event in sorted({row.event for row in told}):
        models = train([row for row in rows if row.event != event])
        judged += [(row, {s: m.sum(row.seen) for s, m in models.items()}) for row in told if row.event == event]
    print(f"{len(told)} sentences, a crisis left out at a time: {dict(Counter(row.label for row in told))}")
    for section in SECTIONS:
        scored = [(row.label == section, odds[section]) for row, odds in judged]
        print(f"{section}: AUC {roc_auc_score(*zip(*scored, strict=True)):.3f}")
    worth = [row.label != "none" for row, _ in judged]
    ranked = np.argsort([-max(odds.values()) for _, odds in judged])
    for most in (50, 100, 200, 300):
        taken = [judged[at] for at in ranked[:most]]
        least = min(max(odds.values()) for _, odds in taken)
        right = sum(row.label == max(odds, key=odds.__getitem__) for row, odds in taken)
        useful = sum(worth[at] for at in ranked[:most])
        print(f"best {most} (log-odds from {least:.2f}): worth telling {useful}, in the right section {right}")


def _lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]


if __name__ == "__main__":
    main()
