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
from pathlib import Path
from typing import Any

from scipy.sparse import csr_matrix
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score

from verifleet.agents.briefs.brings import SECTIONS, WORTH, Section, features
from verifleet.agents.briefs.sentences import spoken
from verifleet.agents.briefs.words import plain
from verifleet.agents.claims.extract import extract
from verifleet.agents.lexicon import Model
from verifleet.reading.read import read

MIN_EVENTS, MIN_ROWS = 4, 5
REGULARISATION = 0.2
WEIGHT_OF_POST = 0.1
SMALLEST_WEIGHT = 0.02
KINDS: Mapping[str, Section] = {
    "Caution and advice": "advice", "Donations and volunteering": "needs", "Affected individuals": "people",
    "Infrastructure and utilities": "now",
}  # fmt: skip
_OTHER, _PEOPLE = "Other Useful Information", "Affected individuals"
UNTOLD: Mapping[str, frozenset[str]] = {
    WORTH: frozenset({_OTHER, _PEOPLE}), "damage": frozenset({_OTHER, *KINDS}), "now": frozenset({_OTHER, _PEOPLE}),
    "cause": frozenset({_OTHER, *KINDS}), "inquiry": frozenset({_OTHER, *KINDS}),
    "people": frozenset({_OTHER}), "needs": frozenset({_OTHER}), "advice": frozenset({_OTHER}),
}  # fmt: skip
"""Kinds of posts that do not tell whether one belongs to a section, or is worth telling."""
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

    def weight(self, asked: str) -> float:
        """How much it counts for a section, or for what is worth telling."""
        return 1.0 if self.label else 0.0 if self.kind in UNTOLD[asked] else WEIGHT_OF_POST

    def belongs(self, asked: str) -> bool:
        """Whether it belongs there."""
        own = self.label or KINDS.get(self.kind, "none")
        return own != "none" if asked == WORTH else own == asked


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
        Row(features(text, source_of(post), spoken(text, post["text"])), post["event"], label=labels[mark(text)])
        for post in posts
        for text in sentences_of(post)
        if mark(text) in labels
    ]
    rows = [
        *told,
        *(
            Row(
                features(post["text"], source_of(post), spoken(post["text"], "")), post["event"], kind=post["info_type"]
            )
            for post in posts
        ),
    ]
    tell(told, rows)
    made = {name: {"bias": model.bias, "weights": model.weights} for name, model in train(rows).items()}
    text = json.dumps(made, ensure_ascii=False, separators=(",", ":"))
    arguments.output.write_text(text + "\n", "utf-8")
    print(f"{arguments.output}: {len(text.encode()) / 1000:.0f} kB")


def sentences_of(post: Mapping[str, Any]) -> Iterator[str]:
    """What a post says and advises, as briefs know it."""
    found = extract(read(post["text"]), source_of(post))
    yield from dict.fromkeys(plain(text) for text in (*(claim.text for claim in found.claims), *found.guidance))


def source_of(post: Mapping[str, Any]) -> str:
    """The class of its sender."""
    return SOURCES.get(post["info_source"], "twitter")


def mark(text: str) -> str:
    """What a sentence is known by."""
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def train(rows: Sequence[Row]) -> dict[str, Model]:
    """The models of these rows."""
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
    return {asked: _trained(rows, asked, matrix, names) for asked in (WORTH, *SECTIONS)}


def _trained(rows: Sequence[Row], asked: str, matrix: Any, names: Sequence[str]) -> Model:
    fitted = LogisticRegression(C=REGULARISATION, max_iter=300, solver="liblinear").fit(
        matrix, [row.belongs(asked) for row in rows], sample_weight=[row.weight(asked) for row in rows]
    )
    weights = {name: round(float(weight), 2) for name, weight in zip(names, fitted.coef_[0], strict=True)}
    kept = {name: weight for name, weight in weights.items() if abs(weight) >= SMALLEST_WEIGHT}
    return Model(bias=round(float(fitted.intercept_[0]), 2), weights=kept)


def tell(told: Sequence[Row], rows: Sequence[Row]) -> None:
    """Print how models that saw nothing of a crisis judge its sentences."""
    judged: list[tuple[Row, dict[str, float]]] = []
    for event in sorted({row.event for row in told}):
        models = train([row for row in rows if row.event != event])
        judged += [(row, {s: m.sum(row.seen) for s, m in models.items()}) for row in told if row.event == event]
    print(f"{len(told)} sentences, a crisis left out at a time: {dict(Counter(row.label for row in told))}")
    for asked in (WORTH, *SECTIONS):
        scored = [(row.belongs(asked), odds[asked]) for row, odds in judged]
        print(f"{asked}: AUC {roc_auc_score(*zip(*scored, strict=True)):.3f}")
    judged.sort(key=lambda one: -one[1][WORTH])
    for most in (50, 100, 200, 300):
        taken = judged[:most]
        right = sum(row.label == max(SECTIONS, key=odds.__getitem__) for row, odds in taken)
        useful = sum(row.belongs(WORTH) for row, _ in taken)
        least = taken[-1][1][WORTH]
        print(f"best {most} (log-odds from {least:.2f}): worth telling {useful}, in the right section {right}")


def _lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]


if __name__ == "__main__":
    main()
