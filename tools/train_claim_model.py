"""Train the claim model that ships with the package.

    python -m tools.train_claim_model reports.jsonl

FILE has one {"text", "label"} a line (label 1: the text carries something checkable), rows of one incident together.
Cross-validation leaves out blocks of neighbouring rows with a guard around them, so that no incident is on both sides;
a random split would measure how well the incidents were learnt by heart. For the same reason a feature must occur in
several blocks: names of places and incidents do not.
Needs scikit-learn (extra `dev`). The same file gives the same model.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from scipy.sparse import csr_matrix
from sklearn.linear_model import LogisticRegression

from verifleet.agents.audit import ClaimScores, score_claims
from verifleet.agents.verifier.checkworthiness import Model, blend, features, observations, plain, tokens

BLOCKS = 30
MIN_BLOCKS = 8
MIN_ROWS = 5
REGULARISATION = 0.1
SMALLEST_WEIGHT = 0.02
OUTPUT = Path(__file__).parents[1] / "shared/verifleet/agents/verifier/claim_model.json"


def main() -> None:
    """Read the arguments, report the cross-validation, write the model."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("file", type=Path, help='one {"text", "label"} a line')
    parser.add_argument("-o", "--output", type=Path, default=OUTPUT)
    parser.add_argument("--folds", type=int, default=15)
    arguments = parser.parse_args()
    rows = [json.loads(line) for line in arguments.file.read_text("utf-8").splitlines() if line.strip()]
    if len(rows) < BLOCKS * MIN_ROWS:
        raise SystemExit(f"{arguments.file}: {len(rows)} rows are too few, at least {BLOCKS * MIN_ROWS} are needed")
    print(f"{len(rows)} rows; cross-validated over {arguments.folds} blocks: {cross_validate(rows, arguments.folds)}")
    model = train(rows, range(len(rows)))
    weights = dict(sorted(model.weights.items()))
    text = json.dumps({"bias": model.bias, "weights": weights}, ensure_ascii=False, separators=(",", ":"))
    arguments.output.write_text(text + "\n", "utf-8")
    print(f"{arguments.output}: {len(weights)} weights, {len(text.encode()) / 1000:.0f} kB")


def cross_validate(rows: Sequence[dict[str, Any]], folds: int) -> ClaimScores:
    """Figures of models that saw neither the fold nor its neighbours."""
    size = -(-len(rows) // folds)
    scored: list[tuple[int, float]] = []
    for start in range(0, len(rows), size):
        guarded = range(start - size // 2, start + size + size // 2)
        model = train(rows, [index for index in range(len(rows)) if index not in guarded])
        scored += [(row["label"], blend(row["text"], model)) for row in rows[start : start + size]]
    return score_claims(scored)


def train(rows: Sequence[dict[str, Any]], chosen: Sequence[int]) -> Model:
    """The model of the chosen rows."""
    seen = [_features(rows[index]["text"]) for index in chosen]
    block = len(rows) / BLOCKS
    blocks = defaultdict(set)
    counts: Counter[str] = Counter()
    for index, found in zip(chosen, seen, strict=True):
        counts.update(found.keys())
        for name in found:
            blocks[name].add(int(index / block))
    names = sorted(name for name in counts if counts[name] >= MIN_ROWS and len(blocks[name]) >= MIN_BLOCKS)
    columns = {name: column for column, name in enumerate(names)}
    cells = [
        (row, columns[name], value)
        for row, found in enumerate(seen)
        for name, value in found.items()
        if name in columns
    ]
    matrix = csr_matrix(
        ([cell[2] for cell in cells], ([cell[0] for cell in cells], [cell[1] for cell in cells])),
        shape=(len(seen), len(names)),
        dtype=float,
    )
    labels = np.array([rows[index]["label"] for index in chosen])
    fitted = LogisticRegression(C=REGULARISATION, max_iter=1000, class_weight="balanced").fit(matrix, labels)
    weights = {name: round(float(weight), 2) for name, weight in zip(names, fitted.coef_[0], strict=True)}
    kept = {name: weight for name, weight in weights.items() if abs(weight) >= SMALLEST_WEIGHT}
    return Model(bias=round(float(fitted.intercept_[0]), 3), weights=kept)


def _features(text: str) -> dict[str, int]:
    stripped = plain(text)
    words = tokens(stripped)
    return features(words, observations(stripped, words))


if __name__ == "__main__":
    main()
