"""Train the model of the stance of replies that ships with the package.

    python -m tools.train_replies threads.jsonl

FILE has threads as `verifleet audit replies` reads them. Cross-validation leaves out one incident at a time, so that
no thread, author or wording of an incident is on both sides; words are chosen anew each time from what is trained on.
Logistic regression on marks and the words that tell most (scikit-learn, extra `dev`); the weights are written as data.
The same file gives the same model.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.linear_model import LogisticRegression

from verifleet.agents.lexicon import Model
from verifleet.agents.voices.replies import STANCES, chances, features
from verifleet.audits.replies import LabelledReply, as_json, labelled_replies
from verifleet.audits.scores import Scores
from verifleet.reading.replies import Reply, reply_of

REGULARISATION = 0.001
SMALLEST_WEIGHT = 0.0005
WORDS = 60
LEAST_REPLIES, LEAST_INCIDENTS = 12, 3
WEIGHTS = {"comment": 1.4, "deny": 1.0, "query": 1.0, "support": 1.0}
"""Beside the inverse of a stance's share: replies that only comment are many, and none is to be found in them."""
OUTPUT = Path(__file__).parents[1] / "shared/verifleet/agents/voices/reply_model.json"


class _Every:
    def __contains__(self, word: object) -> bool:
        return True


def main() -> None:
    """Read the arguments, report the cross-validation, write the model."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("file", type=Path, help="threads, one a line")
    parser.add_argument("-o", "--output", type=Path, default=OUTPUT)
    parser.add_argument("--no-folds", action="store_true", help="train without cross-validation")
    arguments = parser.parse_args()
    rows = [json.loads(line) for line in arguments.file.read_text("utf-8").splitlines() if line.strip()]
    replies = list(labelled_replies(rows, _read))
    if not arguments.no_folds:
        print(json.dumps(as_json(cross_validate(replies)), indent=1))
    data = train(replies)
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    arguments.output.write_text(text + "\n", "utf-8")
    print(f"{arguments.output}: {len(data['vocabulary'])} words, {len(text.encode()) / 1000:.0f} kB")


def cross_validate(replies: Sequence[LabelledReply]) -> Scores:
    """Figures of models that saw nothing of the incident."""
    found: list[tuple[str, str]] = []
    for incident in sorted({item.incident for item in replies}):
        data = train([item for item in replies if item.incident != incident])
        models = {stance: Model(data["biases"][stance], data["weights"][stance]) for stance in STANCES}
        for item in replies:
            if item.incident == incident:
                told = chances(_features(item), models)
                found.append((item.label, max(told, key=told.__getitem__)))
    return Scores.of(STANCES, found)


def train(replies: Sequence[LabelledReply]) -> dict[str, Any]:
    """The model of the replies, in its JSON form."""
    seen = [_features(item) for item in replies]
    labels = np.array([STANCES.index(item.label) for item in replies])  # type: ignore[arg-type]
    vocabulary = _telling(replies, seen, labels)
    names = sorted({name for found in seen for name in found if not name.startswith("w:")})
    names += [f"w:{word}" for word in vocabulary]
    matrix = np.array([[found.get(name, 0.0) for name in names] for found in seen])
    shares = np.bincount(labels, minlength=len(STANCES)) / len(labels)
    weights = np.array([WEIGHTS[name] for name in STANCES]) / len(STANCES) / np.maximum(shares, 1e-9)
    scale = matrix.std(axis=0) + 1e-6
    fitted = LogisticRegression(C=REGULARISATION, max_iter=500).fit(
        matrix / scale, labels, sample_weight=weights[labels]
    )
    return {
        "vocabulary": vocabulary,
        "biases": {stance: round(float(bias), 4) for stance, bias in zip(STANCES, fitted.intercept_, strict=True)},
        "weights": {stance: _weights(names, row / scale) for stance, row in zip(STANCES, fitted.coef_, strict=True)},
    }


def _weights(names: Sequence[str], row: Sequence[float]) -> dict[str, float]:
    rounded = {name: round(float(weight), 4) for name, weight in zip(names, row, strict=True)}
    return {name: weight for name, weight in rounded.items() if abs(weight) >= SMALLEST_WEIGHT}


def _telling(replies: Sequence[LabelledReply], seen: Sequence[dict[str, float]], labels: Any) -> list[str]:
    """The words and pairs that are most over-represented in one of the three rarer stances, in several incidents."""
    counts: Counter[str] = Counter()
    by_stance: dict[int, Counter[str]] = defaultdict(Counter)
    incidents = defaultdict(set)
    for item, found, label in zip(replies, seen, labels, strict=True):
        words = [name[2:] for name in found if name.startswith("w:")]
        counts.update(words)
        by_stance[int(label)].update(words)
        for word in words:
            incidents[word].add(item.incident)
    surplus = {}
    for word, count in counts.items():
        if count >= LEAST_REPLIES and len(incidents[word]) >= LEAST_INCIDENTS:
            expected = {k: count * float((labels == k).mean()) for k in range(1, len(STANCES))}
            surplus[word] = max((by_stance[k][word] - e) / (e + 1) ** 0.5 for k, e in expected.items())
    return sorted(sorted(surplus, key=lambda word: (-surplus[word], word))[:WORDS])


def _read(text: str) -> Reply:
    return reply_of(text, _Every())


def _features(item: LabelledReply) -> dict[str, float]:
    return features(item.reply, item.answered, author=item.author)


if __name__ == "__main__":
    main()
