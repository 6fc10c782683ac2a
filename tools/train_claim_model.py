"""Train the models of claims that ship with the package.

    python -m tools.train_claim_model reports.jsonl streams.jsonl

Files of rows {"text", "label"} (label 1: the text carries something checkable), rows of one incident together; of rows
{"text", "event", "time", "info_source", "informative"}. A text of both gives its event to its neighbours in the first.
Beside this module, clause_labels.jsonl tells of pieces of the texts of both, which are not kept here, whether somebody
who read them judged them "claim", "doubtful", "guidance" or "none".
Cross-validation leaves out an incident at a time; a random split would measure how well the incidents were learnt by
heart. For the same reason a word must occur in several incidents: names of places and incidents do not.
The model of clauses is trained on what models that saw nothing of the incident say of its reports.
Needs scikit-learn (extra `dev`). The same files give the same models.
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

import numpy as np
from scipy.sparse import csr_matrix, diags
from sklearn.linear_model import LogisticRegression

from verifleet.agents.claims.extract import LEAST_ODDS, MARK, Models, pieces_of
from verifleet.agents.lexicon import Model, probability
from verifleet.audits.claims import audit_yields, score_claims, source_of
from verifleet.reading.features import features
from verifleet.reading.read import read

MIN_EVENTS = 5
MIN_ROWS = 5
REGULARISATION = 0.05
SMALLEST_WEIGHT = 0.005
CLAUSE_REGULARISATION = 0.01
CLAUSE_EVENTS = 5
RARE = 0.15
"""Spread of a word up to which it counts as rare, and weighs no more for being rarer."""
SHARE_OF_WORDS = 0.6
"""How much freer words' weights are held down than those of marks."""
SAME_PIECE = 0.7
"""How alike the spans of a piece and of a judged one are at least that the judgement holds for it."""
DOUBTFUL = 0.5
"""How much of a claim a doubtful one is."""
FOLDER = Path(__file__).parents[1] / "shared/verifleet/agents/claims"
LABELS = Path(__file__).parent / "clause_labels.jsonl"
INFORMATIVE = "Related and informative"


@dataclass(frozen=True, slots=True)
class Row:
    """A text, whether it carries something checkable, its incident, and the files that have it."""

    text: str
    label: int
    event: str
    labelled: bool
    streamed: bool


@dataclass(frozen=True, slots=True)
class Clause:
    """A piece of a text as the model sees it, how it was judged, and its incident."""

    seen: Mapping[str, float]
    label: str
    event: str


def main() -> None:
    """Read the arguments, report the cross-validation, write the models."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("labelled", type=Path, help='one {"text", "label"} a line, incidents together')
    parser.add_argument("streams", type=Path, help='one {"text", "event", "time", "info_source", "informative"} a line')
    parser.add_argument("--clauses", type=Path, default=LABELS, help='one {"text_sha256", "span", "label"} a line')
    parser.add_argument("-o", "--output", type=Path, default=FOLDER)
    arguments = parser.parse_args()
    streams = _lines(arguments.streams)
    rows = rows_of(_lines(arguments.labelled), streams)
    reports = {event: train([row for row in rows if row.event != event]) for event in sorted({r.event for r in rows})}
    out_of_sample = [probability(reports[row.event].sum(features(row.text))) for row in rows]
    for name in ("labelled", "streamed"):
        scored = [(row.label, p) for row, p in zip(rows, out_of_sample, strict=True) if getattr(row, name)]
        right = sum((p >= 0.5) == bool(label) for label, p in scored) / len(scored)
        print(f"{name}, an incident left out at a time: accuracy {right:.3f}, {score_claims(scored)}")
    clauses = list(clauses_of(_lines(arguments.clauses), rows, streams, reports))
    folds = {e: Models(reports[e], train_clauses([c for c in clauses if c.event != e])) for e in reports}
    tell_clauses(clauses, folds)
    print(f"posts that yield a claim: {audit_yields(streams, folds.get)}")
    _write(arguments.output / "claim_model.json", train(rows))
    _write(arguments.output / "clause_model.json", train_clauses(clauses))


def rows_of(labelled: Sequence[dict[str, Any]], streams: Sequence[dict[str, Any]]) -> list[Row]:
    """The rows of both files, each text once; a labelled text takes the incident of the last one whose it is known."""
    events = {row["text"]: row["event"] for row in streams}
    event = next(events[row["text"]] for row in labelled if row["text"] in events)
    rows = {}
    for row in labelled:
        event = events.get(row["text"], event)
        rows[row["text"]] = Row(row["text"], row["label"], event, True, row["text"] in events)
    for row in streams:
        label = int(row["informative"] == INFORMATIVE)
        rows.setdefault(row["text"], Row(row["text"], label, row["event"], labelled=False, streamed=True))
    return list(rows.values())


def train(rows: Sequence[Row]) -> Model:
    """The model of reports of these rows."""
    seen = [features(row.text) for row in rows]
    events = defaultdict(set)
    counts: Counter[str] = Counter()
    for row, found in zip(rows, seen, strict=True):
        counts.update(found.keys())
        for name in found:
            events[name].add(row.event)
    names = sorted(name for name in counts if counts[name] >= MIN_ROWS and len(events[name]) >= MIN_EVENTS)
    matrix = _matrix(seen, names)
    labels = np.array([row.label for row in rows])
    fitted = LogisticRegression(C=REGULARISATION, max_iter=300, solver="liblinear").fit(matrix, labels)
    return _model(names, fitted.coef_[0], fitted.intercept_[0])


def clauses_of(
    labels: Sequence[Mapping[str, Any]],
    rows: Sequence[Row],
    streams: Sequence[Mapping[str, Any]],
    reports: Mapping[str, Model],
) -> Iterator[Clause]:
    """The judged pieces, each as seen with the model of reports that saw nothing of its incident."""
    known = {hashlib.sha256(row.text.encode()).hexdigest()[:16]: row for row in rows}
    sources = {row["text"]: source_of(row) for row in reversed(streams)}
    judged: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
    for label in labels:
        judged[label["text_sha256"]].append(label)
    for text in sorted(judged.keys() & known.keys()):
        row = known[text]
        for piece in pieces_of(read(row.text), sources.get(row.text, source_of({})), reports[row.event]):
            alike, label = max((_alike(piece.span, one["span"]), one["label"]) for one in judged[text])
            if alike >= SAME_PIECE:
                yield Clause(piece.features, label, row.event)


def _alike(one: Sequence[int], other: Sequence[int]) -> float:
    """How much two spans share of what both cover."""
    shared = min(one[1], other[1]) - max(one[0], other[0])
    return shared / (max(one[1], other[1]) - min(one[0], other[0]))


def train_clauses(clauses: Sequence[Clause]) -> Model:
    """The model of clauses of these pieces; a doubtful one counts as both."""
    events = defaultdict(set)
    for clause in clauses:
        for name in clause.seen:
            events[name].add(clause.event)
    names = sorted(name for name in events if len(events[name]) >= CLAUSE_EVENTS)
    told = [(c, 1.0, DOUBTFUL if c.label == "doubtful" else 1.0) for c in clauses if c.label in ("claim", "doubtful")]
    told += [(c, 0.0, 1 - DOUBTFUL if c.label == "doubtful" else 1.0) for c in clauses if c.label != "claim"]
    matrix = _matrix([clause.seen for clause, _, _ in told], names)
    spread = np.sqrt(matrix.power(2).mean(axis=0) - np.square(matrix.mean(axis=0))).A1 + 1e-6
    words = np.array([not name.startswith(MARK) for name in names])
    scale = np.where(words, np.maximum(spread, RARE) / SHARE_OF_WORDS, spread)
    fitted = LogisticRegression(C=CLAUSE_REGULARISATION, max_iter=1000).fit(
        matrix @ diags(1 / scale), [label for _, label, _ in told], sample_weight=[weight for _, _, weight in told]
    )
    return _model(names, fitted.coef_[0] / scale, fitted.intercept_[0])


def _matrix(seen: Sequence[Mapping[str, float]], names: Sequence[str]) -> csr_matrix:
    columns = {name: column for column, name in enumerate(names)}
    cells = [(row, columns[n], value) for row, found in enumerate(seen) for n, value in found.items() if n in columns]
    rows, places, values = zip(*cells, strict=True)
    return csr_matrix((values, (rows, places)), shape=(len(seen), len(names)), dtype=float)


def tell_clauses(clauses: Sequence[Clause], folds: Mapping[str, Models]) -> None:
    """Print how the models that saw nothing of an incident judge its pieces."""
    judged = [(clause.label, folds[clause.event].clause.sum(clause.seen)) for clause in clauses]
    scores = score_claims((int(label in ("claim", "doubtful")), probability(odds)) for label, odds in judged)
    taken = Counter(label for label, odds in judged if odds >= LEAST_ODDS)
    shares = ", ".join(f"{label} {count / taken.total():.3f}" for label, count in taken.most_common())
    print(f"clauses, an incident left out at a time: {scores}; of {taken.total()} taken as claims: {shares}")


def _model(names: Sequence[str], weights: Sequence[float], bias: float) -> Model:
    rounded = {name: round(float(weight), 3) for name, weight in zip(names, weights, strict=True)}
    kept = {name: weight for name, weight in rounded.items() if abs(weight) >= SMALLEST_WEIGHT}
    return Model(bias=round(float(bias), 3), weights=kept)


def _write(path: Path, model: Model) -> None:
    made = {"bias": model.bias, "weights": dict(sorted(model.weights.items()))}
    text = json.dumps(made, ensure_ascii=False, separators=(",", ":"))
    path.write_text(text + "\n", "utf-8")
    print(f"{path}: {len(model.weights)} weights, {len(text.encode()) / 1000:.0f} kB")


def _lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]


if __name__ == "__main__":
    main()
