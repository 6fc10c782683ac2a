"""Time per sentence of check-worthiness and its parts, and per report of claims and ingest, in one process.

python -m tests.benchmarks.bench_claims
"""

import statistics
import time
from collections.abc import Callable
from datetime import UTC, datetime

from verifleet.agents.ingest import normalise
from verifleet.agents.quantities import extract_quantities
from verifleet.agents.verifier import checkworthiness as scoring
from verifleet.agents.verifier.claims import extract_claims
from verifleet.envelopes import RawEventData

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
    prepared = [scoring.plain(sentence) for sentence in SENTENCES]
    words = [scoring.tokens(text) for text in prepared]
    counts = [scoring.observations(text, found) for text, found in zip(prepared, words, strict=True)]
    model = scoring.model()
    now = datetime.now(UTC)
    raw = [RawEventData(source="twitter", content=sentence) for sentence in SENTENCES]
    report("model", lambda i: model.log_odds(words[i], counts[i]))
    report("rules", lambda i: scoring.observations(prepared[i], words[i]))
    report("check-worthiness, all of it", lambda i: scoring.checkworthiness(SENTENCES[i]))
    report("quantities", lambda i: extract_quantities(SENTENCES[i]))
    report("claims of a report", lambda i: extract_claims(SENTENCES[i], source="twitter"))
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


if __name__ == "__main__":
    main()
