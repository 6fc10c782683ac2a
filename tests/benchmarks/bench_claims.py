"""Time per sentence of check-worthiness and its parts, and per report of claims and ingest, in one process.

python -m tests.benchmarks.bench_claims
"""

import statistics
import time
from collections.abc import Callable
from datetime import UTC, datetime

from tests.benchmarks.figures import row
from verifleet.agents.claims.extract import checkworthiness, extract
from verifleet.agents.ingest.event import normalise
from verifleet.envelopes import RawEventData
from verifleet.reading.read import read

SENTENCES = [
    f"{lead} {count} people {state} in the {hazard} near {place}, {tail}"
    for lead in ("At least", "Police say", "RT @radio: Hearing that", "Please pray for the")
    for count in ("twelve", "1,200", "3.4k")
    for state in ("injured", "without power", "evacuated")
    for hazard in ("flood", "warehouse fire", "train derailment")
    for place in ("Tulsa", "Harbour Bridge")
    for tail in ("hospitals on alert http://t.co/abc", "units remain on scene.", "stay safe all #update")
]
ROUNDS = 5


def main() -> None:
    """Print the median of some rounds for each part."""
    now = datetime.now(UTC)
    raw = [RawEventData(source="twitter", content=sentence) for sentence in SENTENCES]
    plain = read.__wrapped__  # without what it remembers
    documents = [read(sentence) for sentence in SENTENCES]
    report("check-worthiness", lambda i: checkworthiness(SENTENCES[i]))
    report("reading", lambda i: plain(SENTENCES[i]))
    report("claims of a document", lambda i: extract(documents[i], "twitter"))
    report("event of a raw report", lambda i: normalise(raw[i], session_id="s", now=now))


def report(name: str, work: Callable[[int], object]) -> None:
    """Time `work` on every sentence and print the median round."""
    rounds = []
    for _ in range(ROUNDS):
        started = time.perf_counter()
        for index in range(len(SENTENCES)):
            work(index)
        rounds.append((time.perf_counter() - started) / len(SENTENCES))
    print(f"{name:28} {statistics.median(rounds) * 1e6:8.0f} µs")
    row(f"agents: {name}", statistics.median(rounds) * 1e6, "µs a sentence")


if __name__ == "__main__":
    main()
