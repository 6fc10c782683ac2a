"""Train the weigher of what bears a claim out, `agents/relate/overlap.json`, and check it across incidents.

    python -m tools.train_overlap STREAMS.jsonl PAIRS.jsonl

STREAMS has rows {event, id, time, text, info_source}, PAIRS rows as `verifleet audit pairs` takes them. Beside this
module, finding_labels.jsonl tells of a claim of one report of STREAMS, by the report's id and the claim's place in it,
and of another report, by its id, whether somebody who read both found that the other says that what the claim asserts
is so: "right", "partly" (of a part of it, or with another figure) or "wrong". It holds no text. Cross-validation leaves
out an incident at a time, with its pairs. Needs numpy and scikit-learn.
"""

from __future__ import annotations

import json
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.linear_model import LogisticRegression

from tools.ablate import MAX_KEYS, MAX_RELATED, read
from verifleet.agents.belief.judge import hears
from verifleet.agents.belief.voices import copies
from verifleet.agents.ingest.event import normalise
from verifleet.agents.memory.report import query_keys, stored_keys
from verifleet.agents.pipeline import Prepared, prepare
from verifleet.agents.relate import overlap, quantities, states
from verifleet.agents.relate.rarity import Heard
from verifleet.agents.relate.types import Told
from verifleet.audits.claims import source_of
from verifleet.envelopes import RawEventData

MODEL = Path(__file__).parents[1] / "shared/verifleet/agents/relate/overlap.json"
LABELS = Path(__file__).parent / "finding_labels.jsonl"
ABOUT = (
    "Logistic regression on what a claim and a report share; made by tools/train_overlap.py, checked across incidents"
)
COUNTS = {(True, True): 1.0, (True, False): 2.2, (False, True): 1.5, (False, False): 1.2}
"""What a pair counts, by whether it is of the streams and whether it is right: an error there costs most."""


@dataclass(frozen=True, slots=True)
class Row:
    """A claim and a report as the weigher sees them, whether the one bears the other out, and where they are from."""

    seen: Mapping[str, float]
    right: bool
    event: str
    streamed: bool

    @property
    def weight(self) -> float:
        """What it counts in training."""
        return COUNTS[self.streamed, self.right]


def prepared(source: str, text: str, time: str) -> Prepared:
    """A report as the verifier reads it."""
    told = RawEventData.model_validate({"source": source, "content": text, "timestamp": time})
    return prepare(normalise(told, session_id="s", now=datetime.now(UTC)))


def standing(own: Prepared, start: int, end: int) -> int | None:
    """Which extracted claim covers most of a place in a text."""
    shared = [min(one.span[1], end) - max(one.span[0], start) for one in own.claims]
    best = max(range(len(shared)), key=shared.__getitem__, default=None)
    return best if best is not None and shared[best] > 0 else None


def row(claim: Told, other: Told, heard: Heard, right: bool, event: str, streamed: bool) -> Row | None:
    """A pair that comes to the weigher; None where figures or states settle it."""
    found = [*quantities.findings(claim, other), *states.findings(claim, other)]
    if overlap.otherwise(claim, other) or any(finding.stance != "supports" for finding in found):
        return None
    rule = max(found, key=lambda finding: finding.strength).rule if found else overlap.RULE
    return Row(overlap.features(claim, other, heard, rule), right, event, streamed)


def of_streams(streams: Sequence[Mapping[str, Any]], labels: Sequence[Mapping[str, Any]]) -> Iterator[Row]:
    """The labelled pairs of the streams, each claim after the reports of its incident that the memory finds for it."""
    events: dict[str, dict[str, Prepared]] = defaultdict(dict)
    event_of = {}
    for told in streams:
        made = prepared(source_of(told), told["text"], told["time"])
        report = replace(made.report, event_id=told["id"])
        events[told["event"]][told["id"]] = replace(made, report=report)
        event_of[told["id"]] = told["event"]
    stored = {id: frozenset(stored_keys("s", one.report)) for told in events.values() for id, one in told.items()}
    for label in labels:
        event = event_of[label["claim"]]
        own, other = events[event][label["claim"]], events[event][label["other"]].report
        index = standing(own, *label["span"])
        if index is None:
            continue
        wanted = query_keys("s", own.report, official=False, limit=MAX_KEYS)
        near = [
            one.report
            for id, one in events[event].items()
            if one.report.time < own.report.time and not stored[id].isdisjoint(wanted)
        ]
        near.sort(key=lambda report: report.time, reverse=True)
        heard = hears(own.report, near[:MAX_RELATED])
        made_row = row(own.report.told_by_claim[index], other.told, heard, label["label"] == "right", event, True)
        if made_row:
            yield made_row


def of_pairs(pairs: Sequence[Mapping[str, Any]]) -> Iterator[Row]:
    """The labelled pairs of PAIRS."""
    for pair in pairs:
        own, other = (
            prepared(*(pair[f"{side}_{name}"] for name in ("source", "text", "time"))) for side in ("claim", "other")
        )
        start = max(own.event.content.find(pair["claim"][:24]), 0)
        index = standing(own, start, start + len(pair["claim"]))
        if index is not None and not copies(own.report, other.report):
            claim, heard = own.report.told_by_claim[index], hears(own.report, [other.report])
            made = row(claim, other.report.told, heard, pair["label"] == "supports", pair["event"], False)
            if made:
                yield made


def fitted(x: Any, y: Any, weights: Any) -> Any:
    """The regression."""
    return LogisticRegression(max_iter=5000, C=3.0).fit(x, y, sample_weight=weights)


def main(streams: str, pairs: str) -> None:
    """Train, print figures across incidents, and write the model."""
    rows = [*of_streams(read(streams), read(str(LABELS))), *of_pairs(read(pairs))]
    names = sorted({name for row in rows for name in row.seen})
    x = np.array([[row.seen.get(name, 0.0) for name in names] for row in rows])
    y, weights = (np.array([getattr(row, name) for row in rows]) for name in ("right", "weight"))
    events, streamed = (np.array([getattr(row, name) for row in rows]) for name in ("event", "streamed"))
    likely = np.zeros(len(rows))
    for event in sorted(set(events)):
        kept = events != event
        likely[~kept] = fitted(x[kept], y[kept], weights[kept]).predict_proba(x[~kept])[:, 1]
    for least in (0.45, 0.5, 0.55, 0.6, 0.65, 0.7):
        told = [f"{least}:"]
        for name, part in (("streams", streamed), ("pairs", ~streamed)):
            found = (likely >= least) & part
            told.append(f"{name} right {int((y & found).sum())}/{int(found.sum())} of {int((y & part).sum())}")
        print("  ".join(told))
    model = fitted(x, y, weights)
    made = dict(zip(names, (round(float(weight), 3) for weight in model.coef_[0]), strict=True))
    document = {"about": ABOUT, "weights": made, "bias": round(float(model.intercept_[0]), 3)}
    MODEL.write_text(json.dumps(document, indent=1) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:3])
