"""Train the rule by which shared content supports a claim, `agents/relate/overlap.json`, and check it across incidents.

    python -m tools.train_overlap PAIRS.jsonl [PAIRS.jsonl ...]

PAIRS have rows as `verifleet audit pairs` takes them. Needs numpy and scikit-learn.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold

from tools.ablate import read
from verifleet.agents.belief.voices import copies
from verifleet.agents.ingest import normalise
from verifleet.agents.pipeline import Prepared, prepare
from verifleet.agents.relate import overlap, quantities, states
from verifleet.agents.relate.types import Told
from verifleet.envelopes import RawEventData

MODEL = Path(__file__).parents[1] / "shared/verifleet/agents/relate/overlap.json"
ABOUT = (
    "Logistic regression on what a claim and a report share; made by tools/train_overlap.py from labelled pairs, "
    "checked across incidents"
)


def prepared(row: Mapping[str, Any], side: str) -> Prepared:
    """A report of a pair as the verifier reads it."""
    told = {"source": row[f"{side}_source"], "content": row[f"{side}_text"], "timestamp": row[f"{side}_time"]}
    return prepare(normalise(RawEventData.model_validate(told), session_id="s", now=datetime.now(UTC)))


def claimed(own: Prepared, claim: str) -> Told | None:
    """What the extracted claim tells that stands where `claim` does."""
    start = max(own.event.content.find(claim[:24]), 0)
    shared = [min(one.span[1], start + len(claim)) - max(one.span[0], start) for one in own.claims]
    best = max(range(len(shared)), key=shared.__getitem__, default=-1)
    return own.report.told_by_claim[best] if best >= 0 and shared[best] > 0 else None


def labelled(path: str) -> Iterator[tuple[dict[str, float], bool, str]]:
    """Features of the labelled pairs that figures and states leave open, as these alone come to the rule."""
    for row in read(path):
        own, other = prepared(row, "claim"), prepared(row, "other")
        claim, told = claimed(own, row["claim"]), other.report.told
        if claim is None or copies(own.report, other.report) or overlap.otherwise(claim, told):
            continue
        if not any(quantities.findings(claim, told)) and not any(states.findings(claim, told)):
            yield overlap.features(claim, told), row["label"] == "supports", row["event"]


def fitted(x: Any, y: Any) -> Any:
    """The regression."""
    return LogisticRegression(max_iter=3000, C=3.0).fit(x, y)


def main(*paths: str) -> None:
    """Train, print figures across incidents, and write the model."""
    rows = [(number, *row) for number, path in enumerate(paths) for row in labelled(path)]
    x = np.array([[made[name] for name in overlap.FEATURES] for _, made, _, _ in rows])
    y, groups, number = (np.array([row[at] for row in rows]) for at in (2, 3, 0))
    likely = np.zeros(len(rows))
    for train, test in GroupKFold(len(set(groups))).split(x, y, groups):
        likely[test] = fitted(x[train], y[train]).predict_proba(x[test])[:, 1]
    for least in (0.4, 0.45, 0.5, 0.55, 0.6, 0.65, 0.7, 0.75):
        told = [f"{least}:"]
        for part in range(len(paths)):
            found = (likely >= least) & (number == part)
            told.append(f"right {int((y & found).sum())}/{int(found.sum())} of {int(y[number == part].sum())}")
        print("  ".join(told))
    model = fitted(x, y)
    weights = dict(zip(overlap.FEATURES, (round(float(weight), 3) for weight in model.coef_[0]), strict=True))
    made = {"about": ABOUT, "weights": weights, "bias": round(float(model.intercept_[0]), 3)}
    MODEL.write_text(json.dumps(made, indent=1) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
