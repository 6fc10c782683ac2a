"""Train the model of what a sentence brings to those who have to act, which ships with the package.

    python -m tools.train_brief_model streams.jsonl

A file of rows {"text", "event", "time", "info_source"}: posts of CrisisLexT26 (MIT licence). Beside this module,
brief_labels.jsonl tells of sentences of these posts, which are not kept here, what readers judged: of what use each is
in the last brief of its crisis (`use`, 0 none to 3 it must have it, one number of each reader), whether it could be
printed as it is (`reads`, 0 or 1 of each), whether it tells what is true of its moment alone (`passes`), and the
section of a brief in which it belongs (`label`), or "none".
Cross-validation leaves out a crisis at a time, and a feature must occur in several: names do not. Needs scikit-learn
(extra `dev`). The same files give the same model.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Any

from scipy.sparse import csr_matrix
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score

from verifleet.agents.briefs.brings import FLAGS, SECTIONS, USE, features
from verifleet.agents.briefs.words import plain
from verifleet.agents.claims.extract import extract
from verifleet.agents.lexicon import Model
from verifleet.audits.claims import source_of
from verifleet.reading.languages import content, spoken_in
from verifleet.reading.read import read

MIN_EVENTS, MIN_ROWS = 4, 5
REGULARISATION = 0.2
SMALLEST_WEIGHT = 0.02
WORTH = (0.0, 0.15, 0.75, 1.0)
"""How much a sentence that is of no use, of little, good to have or a must counts as one that is told."""
MODEL = Path(__file__).parents[1] / "shared/verifleet/agents/briefs/brings_model.json"
LABELS = Path(__file__).parent / "brief_labels.jsonl"


@dataclass(frozen=True, slots=True)
class Row:
    """A sentence that was labelled, and what the model sees of it."""

    seen: Mapping[str, float]
    event: str
    label: str | None
    use: Sequence[int]
    flags: Mapping[str, Sequence[int]]

    def shares(self, asked: str) -> tuple[float, float]:
        """How much of it is no and yes to what a model is asked, as its readers say; none of what is unknown."""
        told = {USE: [WORTH[use] for use in self.use], **self.flags}
        judged = told.get(asked, [self.label == asked] if self.label else [])
        return (1 - fmean(judged), fmean(judged)) if judged else (0.0, 0.0)


def main() -> None:
    """Read the arguments, report the cross-validation, write the model."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("streams", type=Path, help='one {"text", "event", "time", "info_source"} a line')
    parser.add_argument("--labels", type=Path, default=LABELS, help='one {"sha256", "label", "use"} a line')
    parser.add_argument("-o", "--output", type=Path, default=MODEL)
    arguments = parser.parse_args()
    labels = {row["sha256"]: row for row in _lines(arguments.labels)}
    rows = list(_rows(_lines(arguments.streams), labels))
    tell(rows)
    made = {name: {"bias": model.bias, "weights": model.weights} for name, model in train(rows).items()}
    text = json.dumps(made, ensure_ascii=False, separators=(",", ":"))
    arguments.output.write_text(text + "\n", "utf-8")
    print(f"{arguments.output}: {len(text.encode()) / 1000:.0f} kB")


def _rows(posts: Sequence[Mapping[str, Any]], labels: Mapping[str, Mapping[str, Any]]) -> Iterator[Row]:
    """The labelled sentences of these posts, those of the same words once."""
    known = set()
    for post in posts:
        for text in sentences_of(post):
            language, label = spoken_in(text, post["text"]), labels.get(mark(text))
            key = (post["event"], content(text, language))
            if label and key not in known:
                known.add(key)
                told = (label.get("label"), label.get("use", ()), {flag: label.get(flag, ()) for flag in FLAGS})
                yield Row(features(text, source_of(post), language), post["event"], *told)


def sentences_of(post: Mapping[str, Any]) -> Iterator[str]:
    """What a post says and advises, as briefs know it."""
    found = extract(read(post["text"]), source_of(post))
    yield from dict.fromkeys(plain(text) for text in (*(claim.text for claim in found.claims), *found.guidance))


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
    return {asked: _trained(rows, asked, matrix, names) for asked in (USE, *FLAGS, *SECTIONS)}


def _trained(rows: Sequence[Row], asked: str, matrix: Any, names: Sequence[str]) -> Model:
    shares = [(at, yes, share) for at, row in enumerate(rows) for yes, share in enumerate(row.shares(asked)) if share]
    taken, answers, weights = zip(*shares, strict=True)
    fitted = LogisticRegression(C=REGULARISATION, max_iter=300, solver="liblinear").fit(
        matrix[list(taken)], answers, sample_weight=weights
    )
    found = {name: round(float(weight), 2) for name, weight in zip(names, fitted.coef_[0], strict=True)}
    kept = {name: weight for name, weight in found.items() if abs(weight) >= SMALLEST_WEIGHT}
    return Model(bias=round(float(fitted.intercept_[0]), 2), weights=kept)


def tell(rows: Sequence[Row]) -> None:
    """Print how models that saw nothing of a crisis judge its sentences."""
    judged: dict[str, list[tuple[Row, dict[str, float]]]] = {}
    for event in sorted({row.event for row in rows}):
        models = train([row for row in rows if row.event != event])
        judged[event] = [(row, {s: m.sum(row.seen) for s, m in models.items()}) for row in rows if row.event == event]
    every = [one for ones in judged.values() for one in ones]
    print(f"{len(rows)} sentences, a crisis left out at a time")
    used = [(fmean(row.use), found[USE]) for row, found in every if row.use]
    odds = [found for *_, found in used]
    for least in (1, 2, 2.5):
        print(f"use of {least} or more: AUC {roc_auc_score([use >= least for use, *_ in used], odds):.3f}")
    for flag in FLAGS:
        known = [(round(fmean(row.flags[flag])), found[flag]) for row, found in every if row.flags[flag]]
        taken = [yes for yes, odds in known if odds >= 0]
        auc = roc_auc_score(*zip(*known, strict=True))
        print(f"{flag}: AUC {auc:.3f} of {len(known)}; of {len(taken)} taken for such {sum(taken)} are")
    told = [(row, found) for row, found in every if row.label in SECTIONS]
    right = sum(row.label == max(SECTIONS, key=found.__getitem__) for row, found in told)
    print(f"section right: {right} of {len(told)}")
    for most in (10, 15, 20):
        best = [
            sorted((one for one in ones if one[0].use), key=lambda one: -one[1][USE])[:most] for ones in judged.values()
        ]
        uses = [fmean(row.use) for ones in best for row, _ in ones]
        many = fmean(use >= 2 for use in uses)
        print(f"best {most} of each crisis: mean use {fmean(uses):.2f}, of 2 or more {many:.0%}")


def _lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]


if __name__ == "__main__":
    main()
