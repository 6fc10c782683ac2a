"""How often each rule of the verifier fires on real reports, how often it is right, and what changes without it.

    python -m tools.ablate PAIRS.jsonl STREAMS.jsonl

PAIRS has rows as `verifleet audit pairs` takes them, STREAMS rows {event, time, text, info_source}.
"""

from __future__ import annotations

import json
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from verifleet.agents.belief.judge import hears, is_evidence, said
from verifleet.agents.ingest.event import normalise
from verifleet.agents.memory.report import Report, query_keys, stored_keys
from verifleet.agents.pipeline import prepare
from verifleet.audits.claims import source_of
from verifleet.audits.pairs import PairScores, audit_pairs
from verifleet.envelopes import RawEventData

MAX_RELATED = 30
MAX_KEYS = 30


def read(path: str) -> list[dict[str, Any]]:
    """The rows of a JSONL file."""
    return [json.loads(line) for line in Path(path).read_text("utf-8").splitlines() if line]


def fired(rows: Sequence[Mapping[str, Any]]) -> Counter[tuple[str, str]]:
    """How often each rule finds what between reports of one event, as they come in: of each other's claims."""
    events: dict[str, list[Report]] = defaultdict(list)
    for number, row in enumerate(rows):
        events[row["event"]].append(_report(number, row))
    found: Counter[tuple[str, str]] = Counter()
    for reports in events.values():
        for own, related in _with_related(sorted(reports, key=lambda report: report.time)):
            for other in related:
                for one, two in ((own, other), (other, own)):
                    if is_evidence(one, two):
                        heard = hears(one, related)
                        told = (said(one, claim, two, heard) for claim in one.told_by_claim)
                        found.update((findings[0].rule, findings[0].stance) for findings in told if findings)
    return found


def _report(number: int, row: Mapping[str, Any]) -> Report:
    source = source_of(row)
    raw = RawEventData(source=source, content=row["text"], timestamp=row["time"])
    made = prepare(normalise(raw, session_id="s", now=datetime.now(UTC))).report
    return replace(made, event_id=f"{made.event_id}-{number}")


def _with_related(reports: Sequence[Report]) -> Iterator[tuple[Report, list[Report]]]:
    """Each report with the latest of those before it that the memory would find."""
    by_key: dict[str, list[Report]] = defaultdict(list)
    for own in reports:
        wanted = query_keys("s", own, official=False, limit=MAX_KEYS)
        met = {report.event_id: report for key in wanted for report in by_key[key][-MAX_RELATED:]}
        yield own, sorted(met.values(), key=lambda report: report.time, reverse=True)[:MAX_RELATED]
        for key in stored_keys("s", own):
            by_key[key].append(own)


def figures(scores: PairScores) -> str:
    """Precision and recall of what counts, in short."""
    told = []
    for label in ("refutes", "supports"):
        (right, found), (hit, there) = scores.scores.precision(label), scores.scores.recall(label)
        told.append(f"{right}/{found}, {hit}/{there}")
    return f"{' | '.join(told)} | {scores.macro_f1:.3f}"


def main(pairs: str, streams: str) -> None:
    """Print the table."""
    rows = read(pairs)
    whole = audit_pairs(rows)
    on_streams = fired(read(streams))
    on_pairs: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for outcome in whole.outcomes:
        if outcome.rule:
            on_pairs[outcome.rule, outcome.predicted][outcome.label] += 1
    print("| rule | finds | fires on streams | on pairs | right | refutes p, r | supports p, r | macro-F1 |")
    print("|---|---|---|---|---|---|---|---|")
    print(f"| all | | | | | {figures(whole)} |")
    for rule, stance in sorted(set(on_pairs) | set(on_streams)):
        labels = on_pairs[rule, stance]
        without = audit_pairs(rows, frozenset({rule}))
        total = sum(labels.values())
        right = f"{labels[stance]}/{total}" if total else "-"
        print(f"| {rule} | {stance} | {on_streams[rule, stance]} | {total} | {right} | {figures(without)} |")


if __name__ == "__main__":
    main(*sys.argv[1:3])
