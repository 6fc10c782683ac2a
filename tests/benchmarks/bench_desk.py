"""5,000 incidents: how long a page of them takes, how soon the incident page is of use, what memory both need.

And 2,000 reports in one incident: how long it takes to open, and to come to its last report.

make bench-desk
"""

from __future__ import annotations

import asyncio
import resource
import shutil
import tempfile
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from tests.benchmarks.figures import row
from tests.functions.processes import Running, running_function
from tests.functions.test_desk_page import fill
from tests.unit.facts import count, says
from verifleet.agents import briefs
from verifleet.serving.desk.kept import Desk
from verifleet.storage.sqlite import SqliteStore

INCIDENTS = 5_000
REPORTS = 2_000
ASKED = 200
QUERIES = ("", "limit=200", "state=open", "type=flood&place=leeds", "text=number+leeds", "bbox=170,-25,-170,-10")


def resident_mb(server: Running) -> float:
    """Of all of the server's processes."""
    found = 0
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            group = int((folder / "stat").read_text().rsplit(")", 1)[1].split()[2])
            pages = int((folder / "statm").read_text().split()[1])
        except (OSError, ValueError):
            continue  # it has ended
        found += pages * resource.getpagesize() // 1024 if group == server.process.pid else 0
    return found / 1024


def percentile(values: list[float], share: float) -> float:
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]


@contextmanager
def opened_at(server: Running, session: str) -> Iterator[Any]:
    """A tab of a real browser at a session's desk, which is live."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        page = browser.new_page()
        page.goto(f"http://127.0.0.1:{server.port}/desk?session_id={session}")
        page.get_by_text("live", exact=True).wait_for()
        yield page
        browser.close()


def in_browser(server: Running, session: str) -> dict[str, Any]:
    with opened_at(server, "warm") as page:
        began = time.perf_counter()
        page.goto(f"http://127.0.0.1:{server.port}/desk?session_id={session}")
        page.locator("#list [role=option]").first.wait_for()
        first = time.perf_counter() - began
        page.locator("#count", has_text=f"{INCIDENTS} incidents").wait_for(timeout=120_000)
        whole = time.perf_counter() - began
        heap = page.evaluate("performance.memory.usedJSHeapSize") / 2**20
        return {"first_rows_s": round(first, 2), "all_listed_s": round(whole, 2), "heap_mb": round(heap, 1)}


async def one_of_many_reports(path: Path, session: str) -> str:
    """An incident as the agent keeps it, with that many reports; its id."""
    store = SqliteStore(path, 60.0)
    try:
        desk = Desk(store, lambda: datetime.now(UTC))
        event = {"location": "Porto", "event_type": "storm"}
        told = [
            says(f"{n} injured in Porto", count(n, "injured"), by=f"b{n}", minutes=n / 10, event=event)
            for n in range(1, REPORTS + 1)
        ]
        state = briefs.new(session, told[0], datetime.now(UTC))
        for one in told:
            state = briefs.with_event(state, one, "storm", datetime.now(UTC)) or state
            await desk.keep(session, one, session)
        await desk.show(session, briefs.render(state), told[-1])
    finally:
        await store.close()
    return session


def opened(server: Running, session: str) -> dict[str, Any]:
    with opened_at(server, session) as page:
        began = time.perf_counter()
        page.locator("#list [role=option]").first.click()
        page.locator("#s-reports", has_text="Reports: ").wait_for()
        there = time.perf_counter() - began
        while page.get_by_role("button", name="More reports").is_visible():
            page.evaluate("document.querySelector('#detail').scrollTop = 1e9")
            page.wait_for_timeout(5)
        last = time.perf_counter() - began
        shown = page.locator("#s-reports").inner_text()
        rows = page.evaluate("document.querySelectorAll('#detail ul.plain:last-of-type > li').length")
        heap = page.evaluate("performance.memory.usedJSHeapSize") / 2**20
        return {
            "open_s": round(there, 2),
            "all_reports_s": round(last, 2),
            "heap_mb": round(heap, 1),
            "shown": shown,
            "rows": rows,
        }


def main() -> None:
    """Print the figures."""
    with tempfile.TemporaryDirectory() as scratch:
        folder, session = Path(scratch), str(uuid.uuid4())
        asyncio.run(fill(folder / "store.db", session, INCIDENTS))
        with running_function("summarizer_agent", folder, PUBSUB_EMULATOR_HOST="127.0.0.1:9") as server:
            server.get(f"/incidents?session_id={session}")
            print(f"{'query':30} {'p50 ms':>8} {'p95 ms':>8}")
            for query in QUERIES:
                took = []
                for _ in range(ASKED):
                    began = time.perf_counter()
                    assert server.get(f"/incidents?session_id={session}&{query}").status == 200
                    took.append(1000 * (time.perf_counter() - began))
                print(f"{query or '(none)':30} {percentile(took, 0.5):8.1f} {percentile(took, 0.95):8.1f}")
                row(f"desk: {INCIDENTS:,} incidents, {query or 'first page'}, p95", percentile(took, 0.95), "ms")
            print(f"memory of the function: {resident_mb(server):.0f} MB")
            if shutil.which("chromium"):
                print(f"the page: {in_browser(server, session)}")
                large = asyncio.run(one_of_many_reports(folder / "store.db", str(uuid.uuid4())))
                print(f"an incident of {REPORTS} reports: {opened(server, large)}")


if __name__ == "__main__":
    main()
