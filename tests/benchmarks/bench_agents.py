"""Each agent alone, with earlier events in memory: p50 and p99 per event, events a second.

    python -m tests.benchmarks.bench_agents [EARLIER ...]      (default 10 1000 100000)

Earlier events are about incidents of 50 reports each; the events measured are further reports of such incidents, so
that there is evidence to weigh. "hot" puts all earlier events into one single incident. One process, SQLite, garbage
collected as the functions do.
"""

from __future__ import annotations

import asyncio
import gc
import logging
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from tests.benchmarks.figures import row
from verifleet.agents.memory import keys
from verifleet.agents.memory import report as memory
from verifleet.agents.memory.report import to_json
from verifleet.agents.pipeline import prepare
from verifleet.envelopes import Envelope, EventData, RawEventData, make_envelope
from verifleet.reading.gazetteer import names_in
from verifleet.serving.app import GARBAGE_THRESHOLDS
from verifleet.serving.delivery import Output
from verifleet.serving.ingest import IngestAgent
from verifleet.serving.records import KEPT_FOR
from verifleet.serving.report_memory import REPORTS
from verifleet.serving.summarizer_agent import SummarizerAgent
from verifleet.serving.verified_events import VERIFIED
from verifleet.serving.verifier_agent import VerifierAgent
from verifleet.storage.sqlite import SqliteStore
from verifleet.storage.store import Document

MEASURED = 200
REPORTS_PER_INCIDENT = 50
START = datetime(2026, 3, 1, tzinfo=UTC)
KINDS = ("flood", "fire", "earthquake", "storm", "explosion", "transport")
TEXTS = (
    ("twitter", "{n} people injured in the {kind} in {place}, ambulances everywhere"),
    ("news", "Hospitals in {place} took in {n} casualties after the {kind}, the radio says"),
    ("emergency", "Fire Service: {n} people were injured in {place}. Units remain on scene."),
    ("twitter", "Hearing that {m} homes are without power in {place}"),
    ("news", "{m} customers have lost power in {place} in the {kind}"),
    ("emergency", "Civil Protection: the evacuation centre is at the Central Stadium; {m} residents were evacuated."),
    ("twitter", "The old bridge in {place} has collapsed!"),
    ("emergency", "Police: reports that the old bridge in {place} has collapsed are false."),
)
Handler = Callable[..., Awaitable[Sequence[Output]]]


def template(number: int) -> int:
    """Which of TEXTS the event of a number has."""
    return random.Random(number).randrange(len(TEXTS))


def event(number: int, incidents: int) -> EventData:
    which = number % incidents
    source, text = TEXTS[template(number)]
    place, kind = f"Town{which}", KINDS[which % len(KINDS)]
    content = text.format(n=84, m=1200, place=place, kind=kind)
    return EventData.model_validate(
        {
            "event_id": f"event-{number}",
            "source": source,
            "content": f"{content} ({number})",
            "location": place,
            "event_type": kind,
            "timestamp": START + timedelta(minutes=which % 5000, seconds=number // incidents * 20),
            "metadata": {"author": f"{source}-{number}"},
        }
    )


async def remember(store: SqliteStore, count: int, incidents: int) -> None:
    """Put `count` earlier reports into the incident memory, as the verifier agent writes them."""
    forms = {template(number): prepare(event(number, 1)).report for number in range(64)}
    expires = datetime.now(UTC) + KEPT_FOR
    batch: dict[str, Document] = {}
    outcomes: dict[str, Document] = {}
    for number in range(count):
        data = event(number, incidents)
        form = forms[template(number)]
        report = replace(
            form,
            event_id=data.event_id,
            author=f"{data.source}-{number}",
            places=names_in(data.location),
            family=keys.family(data.event_type),
            time=data.timestamp,
        )
        id = f"{keys.session_key('bench')}|{data.event_id}"
        batch[id] = Document(to_json(report), memory.stored_keys("bench", report), report.time, expires)
        outcome = {"revision": 1, "verdicts": [_settled(form)] * 4, "cause": "", "asked": []}
        outcomes[id] = Document({"event": stored_event(data), **outcome}, (), report.time, expires)
        if len(batch) == 1000 or number == count - 1:
            await store.put_many(REPORTS, batch)
            await store.put_many(VERIFIED, outcomes)
            batch, outcomes = {}, {}


def _settled(report: memory.Report) -> str:
    """The verdict that the claims of a report of TEXTS have once its incident's others are in."""
    return "refuted" if report.claims and report.claims[0].label.startswith("The old bridge") else "supported"


def stored_event(data: EventData) -> dict[str, Any]:
    return data.model_dump(mode="json")


def envelope(schema: str, data: Any) -> Envelope[Any]:
    return make_envelope(
        schema, data, session_id="bench", source_agent="bench", timestamp=START, cause="b", output_key=str(id(data))
    )


async def measure(name: str, earlier: str, handler: Handler, inputs: Sequence[Envelope[Any]]) -> list[Envelope[Any]]:
    outputs: list[Envelope[Any]] = []
    took = []
    started = time.perf_counter()
    for number, given in enumerate(inputs):
        began = time.perf_counter()
        made = await handler(given, cause=f"{name}-{number}")
        took.append(time.perf_counter() - began)
        outputs += [output.envelope for output in made]
    rate = len(inputs) / (time.perf_counter() - started)
    took.sort()
    p50, p99 = statistics.median(took) * 1000, took[int(len(took) * 0.99)] * 1000
    print(f"  {name:<10} p50 {p50:7.2f} ms   p99 {p99:7.2f} ms   {rate:7.0f} events/s", flush=True)
    row(f"{name} agent alone, {earlier} earlier events", rate, "events/s")
    return outputs


async def run(earlier: int, *, hot: bool) -> None:
    incidents = 1 if hot else max(1, earlier // REPORTS_PER_INCIDENT)
    with tempfile.TemporaryDirectory() as folder:
        store = SqliteStore(Path(folder) / "store.db")
        began = time.perf_counter()
        await remember(store, earlier, incidents)
        print(
            f"{earlier} earlier events in {incidents} incident{'s' if incidents > 1 else ''}"
            f" (written in {time.perf_counter() - began:.0f} s)"
        )
        new = [event(earlier + number * 7, incidents) for number in range(MEASURED)]
        raw = [
            envelope(
                "raw_event_v1",
                RawEventData.model_validate(
                    {
                        "source": data.source,
                        "content": data.content,
                        "timestamp": data.timestamp,
                        "location": data.location,
                        "metadata": {"author": f"ingest-{data.event_id}"},
                    }
                ),
            )
            for data in new
        ]
        verifier, summarizer = VerifierAgent(store), SummarizerAgent(store)
        await verifier(envelope("event_v1", event(10**7, incidents)), cause="warm")
        before = f"{earlier:,}{' hot' if hot else ''}"
        await measure("ingest", before, IngestAgent(store), raw)
        verified = await measure("verifier", before, verifier, [envelope("event_v1", data) for data in new])
        await measure("summarizer", before, summarizer, verified)
        await store.close()


def main() -> None:
    logging.disable(logging.CRITICAL)
    gc.collect()
    gc.freeze()
    gc.set_threshold(*GARBAGE_THRESHOLDS)
    sizes = [int(size) for size in sys.argv[1:]] or [10, 1_000, 100_000]
    for size in sizes:
        asyncio.run(run(size, hot=False))
    asyncio.run(run(sizes[-1], hot=True))


if __name__ == "__main__":
    main()
