"""The incident page in a real Chromium: listed, opened, asked why, decided, live, by keyboard alone, text as text."""

from __future__ import annotations

import asyncio
import json
import shutil
import uuid
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from tests.functions.processes import ROOT, Running, await_port, free_port, function_command, running
from tests.functions.test_incident_routes import asked, sent, session, summarizer
from tests.unit.facts import count, says
from verifleet.envelopes import IncidentBriefData
from verifleet.serving.desk import page as page_module
from verifleet.serving.desk.kept import Desk
from verifleet.serving.desk.page import FILES, POLICY, page_routes
from verifleet.serving.desk.tallies import Tallies
from verifleet.storage.sqlite import SqliteStore

__all__ = ["session", "summarizer"]

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
WAIT_MS = 60_000
HOSTILE = '<img src=x onerror="window.owned=1"><script>window.owned=1</script>"\'`${owned}'
SCRIPT_URL = "javascript:window.owned=1"


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    playwright = pytest.importorskip("playwright.sync_api", reason="the page's tests need playwright")
    if CHROMIUM is None:
        pytest.skip("the page's tests need chromium")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


class Page:
    """A tab at the desk; what it asks for and complains about is kept."""

    def __init__(self, browser: Any, server: Running, session: str, **context: Any) -> None:
        self.server = server
        self.context = browser.new_context(**context)
        self.tab = self.context.new_page()
        self.tab.set_default_timeout(WAIT_MS)
        self.problems: list[str] = []
        self.asked: list[str] = []
        self.tab.on("console", lambda said: self.problems.append(said.text) if said.type == "error" else None)
        self.tab.on("pageerror", lambda error: self.problems.append(str(error)))
        self.tab.on("request", lambda request: self.asked.append(request.url))
        self.tab.goto(f"http://127.0.0.1:{server.port}/desk?session_id={session}")
        self.tab.get_by_text("live", exact=True).wait_for()

    def rows(self) -> Any:
        return self.tab.locator("#list").get_by_role("option")

    def option(self, words: str) -> Any:
        return self.rows().filter(has_text=words)

    def detail(self) -> Any:
        return self.tab.locator("#detail")

    def close(self) -> None:
        self.context.close()


@pytest.fixture
def page(browser: Any, summarizer: Running, session: str, storm: dict[str, Any]) -> Iterator[Page]:
    page = Page(browser, summarizer, session)
    yield page
    page.close()


@pytest.fixture
def storm(summarizer: Running, session: str) -> dict[str, Any]:
    told = [
        says("12 dead after the storm", count(12), by="ana", minutes=0, against="Officials"),
        says("12 dead after the storm", count(12), by="Civil Protection", source="official", minutes=5),
    ]
    return sent(summarizer, session, *told)[-1]


def fire(minutes: float = 9, by: str = "radio", **metadata: Any) -> Any:
    event = {"location": "Tulsa, Oklahoma", "event_type": "fire", "metadata": {"author": by, **metadata}}
    return says("3 injured in Tulsa", count(3, "injured"), minutes=minutes, event=event)


def test_an_incident_is_listed_opened_and_says_why(page: Page) -> None:
    page.option("Porto").click()
    page.detail().get_by_role("heading", name="storm, Porto").wait_for()
    assert "12 people have died" in page.detail().inner_text()
    page.detail().get_by_role("button", name="Why? The report of ana").click()
    why = page.tab.get_by_role("dialog")
    why.get_by_text("Against: 1").wait_for()
    assert "Officials" in why.inner_text()
    assert "says otherwise" in why.inner_text()
    why.get_by_role("button", name="Close").click()
    assert page.problems == []
    assert {url.split("/")[2] for url in page.asked} == {f"127.0.0.1:{page.server.port}"}


def test_a_decision_is_asked_for_a_reason_and_every_open_page_shows_it(
    page: Page, browser: Any, summarizer: Running, session: str, storm: dict[str, Any]
) -> None:
    other = Page(browser, summarizer, session)
    other.option("Porto").click()
    other.detail().get_by_role("button", name="Dismiss…").wait_for()
    page.option("Porto").click()
    page.detail().get_by_role("button", name="Confirm…").click()
    dialog = page.tab.get_by_role("dialog")
    dialog.get_by_role("button", name="Do it").click()  # without a reason nothing is sent
    dialog.get_by_label("Why").fill("seen on site")
    dialog.get_by_label("Your name").fill("Ana")
    dialog.get_by_role("button", name="Do it").click()
    page.detail().get_by_text("confirm by Ana: seen on site").wait_for()
    page.detail().get_by_role("button", name="Confirm…").wait_for(state="detached")
    assert page.tab.evaluate("document.activeElement.id") == "detail"  # its button is gone: nothing is lost by keyboard
    other.detail().get_by_text("confirm by Ana: seen on site").wait_for()
    found = asked(summarizer, f"/incidents/{storm['incident_id']}", session)
    assert (found["incident"]["state"], len(found["acts"])) == ("confirmed", 1)
    page.detail().get_by_role("button", name="Undo… confirm").click()
    dialog.get_by_label("Why").fill("another bridge")
    dialog.get_by_role("button", name="Do it").click()
    page.detail().get_by_text("undo by Ana: another bridge").wait_for()
    assert asked(summarizer, f"/incidents/{storm['incident_id']}", session)["incident"]["state"] == "open"
    other.close()


def test_the_second_of_two_officers_is_told_what_the_first_decided(
    page: Page, summarizer: Running, session: str, storm: dict[str, Any]
) -> None:
    page.option("Porto").click()
    page.detail().get_by_role("button", name="Dismiss…").click()
    act = f'{{"kind": "confirm", "incident_id": "{storm["incident_id"]}", "reason": "seen", "by": "Bea"}}'
    assert summarizer.post(f"/acts?session_id={session}", act.encode()).status == 200
    dialog = page.tab.get_by_role("dialog")
    dialog.get_by_label("Why").fill("a rumour")
    dialog.get_by_role("button", name="Do it").click()
    dialog.get_by_text("somebody decided after you looked: confirm by Bea: seen").wait_for()
    assert asked(summarizer, f"/incidents/{storm['incident_id']}", session)["incident"]["state"] == "confirmed"


def test_what_is_new_appears_by_itself(page: Page, summarizer: Running, session: str) -> None:
    assert page.option("Tulsa").count() == 0
    sent(summarizer, session, fire())
    page.option("Tulsa").wait_for()
    assert "Tulsa" in page.rows().first.inner_text()


def test_hostile_text_is_shown_as_text_and_runs_nothing(browser: Any, summarizer: Running, session: str) -> None:
    event = {"location": f"Porto {HOSTILE}", "metadata": {"author": HOSTILE, "urls": [SCRIPT_URL]}}
    data = says(f"{HOSTILE} 12 dead after the storm", count(12), event=event, against=HOSTILE, said=HOSTILE)
    sent(summarizer, session, data)
    page = Page(browser, summarizer, session)
    page.rows().first.click()
    page.detail().get_by_role("heading", name="Reports").wait_for()
    page.detail().get_by_role("button", name="Why? The report of").click()
    page.tab.get_by_role("dialog").get_by_text("Against: 1").wait_for()
    assert "<script>window.owned=1</script>" in page.detail().inner_text()
    assert page.tab.evaluate("window.owned") is None
    assert page.tab.locator("#detail img, #detail script, dialog img").count() == 0
    links = page.tab.locator("a").evaluate_all("all => all.map((one) => one.protocol)")
    assert set(links) <= {"http:", "https:"}
    assert page.problems == []
    page.close()


def test_everything_is_reached_by_keyboard_alone(page: Page, summarizer: Running, session: str) -> None:
    sent(summarizer, session, fire())
    page.option("Tulsa").wait_for()
    keys = page.tab.keyboard
    keys.press("/")
    assert page.tab.evaluate("document.activeElement.name") == "text"
    page.tab.locator("#list").focus()
    keys.press("End")
    keys.press("Enter")
    page.detail().get_by_role("heading", name="storm, Porto").wait_for()
    assert page.tab.evaluate("document.activeElement.id") == "detail"
    for _ in range(60):
        keys.press("Tab")
        if "Why?" in page.tab.evaluate("document.activeElement.textContent").strip():
            break
    keys.press("Enter")
    page.tab.get_by_role("dialog").wait_for()
    keys.press("Escape")
    page.tab.get_by_role("dialog").wait_for(state="hidden")
    keys.press("Escape")
    assert page.tab.evaluate("document.activeElement.id") == "list"


def test_incidents_are_points_of_a_map_that_keys_move_between(page: Page, summarizer: Running, session: str) -> None:
    sent(summarizer, session, fire())
    points = page.detail().get_by_role("button", name="severity")
    points.nth(1).wait_for()
    assert page.tab.locator(".land").get_attribute("d").startswith("M")
    assert page.detail().locator(".point[tabindex='0']").count() == 1  # one stop of the tab key for all of them
    page.detail().get_by_role("button", name="storm, Porto").focus()
    page.tab.keyboard.press("ArrowLeft")
    assert "Tulsa" in page.tab.evaluate("document.activeElement.getAttribute('aria-label')")
    page.tab.keyboard.press("+")
    page.tab.keyboard.press("Enter")
    page.detail().get_by_role("heading", name="fire, Tulsa").wait_for()
    page.detail().locator(".point.own").wait_for(state="attached")  # one, or it fails
    assert page.problems == []
    assert {url.split("/")[2] for url in page.asked} == {f"127.0.0.1:{page.server.port}"}


def test_what_is_told_of_a_country_alone_is_a_ring_on_it(page: Page, summarizer: Running, session: str) -> None:
    far = {"location": "Bolivia", "event_type": "explosion", "metadata": {"author": "radio"}}
    sent(summarizer, session, says("39 dead in Bolivia", count(39), minutes=9, event=far))
    page.detail().get_by_role("button", name="explosion, somewhere in Bolivia").click()
    page.detail().get_by_role("heading", name="explosion, Bolivia").wait_for()
    page.detail().locator(".point.own.rough").wait_for(state="attached")
    (row,) = [row for row in asked(summarizer, "/incidents", session)["incidents"] if row["location"] == "Bolivia"]
    assert row["position"] is None
    assert -23 < row["country_position"][0] < -9
    assert -70 < row["country_position"][1] < -57
    assert asked(summarizer, "/incidents?bbox=-70,-23,-57,-9", session)["incidents"] == []
    assert asked(summarizer, "/incidents?place=bolivia", session)["incidents"] == [row]


def test_reports_without_a_claim_can_be_left_out(page: Page, summarizer: Running, session: str) -> None:
    chatter = says("thoughts and prayers for Porto", by="eve", minutes=7).model_copy(update={"verified_claims": []})
    sent(summarizer, session, chatter)
    page.option("Porto").click()
    page.detail().get_by_text("thoughts and prayers").wait_for()
    page.detail().get_by_label("only those with claims").check()
    page.detail().get_by_text("thoughts and prayers").wait_for(state="hidden")
    assert page.detail().get_by_role("button", name="Why? The report of ana").is_visible()


def test_several_incidents_of_one_place_are_one_point_that_lists_them(
    page: Page, summarizer: Running, session: str
) -> None:
    away = {"location": "Porto", "event_type": "fire", "metadata": {"author": "radio"}}
    sent(summarizer, session, says("3 injured in a fire in Porto", count(3, "injured"), minutes=9, event=away))
    page.detail().get_by_role("button", name="2 incidents near Porto").click()
    page.detail().get_by_role("link", name="fire, Porto").click()
    page.detail().get_by_role("heading", name="fire, Porto").wait_for()


def test_reports_are_chosen_to_leave_an_incident_and_brought_back(page: Page, storm: dict[str, Any]) -> None:
    page.option("Porto").click()
    page.detail().get_by_role("button", name="Split…").click()
    page.detail().get_by_role("checkbox", name="The report of ana leaves").check()
    page.detail().get_by_role("button", name="Split off…").click()
    dialog = page.tab.get_by_role("dialog")
    dialog.get_by_text("1 of 2 reports leave").wait_for()
    dialog.get_by_label("Why").fill("another storm")
    dialog.get_by_role("button", name="Do it").click()
    page.option("Porto").nth(1).wait_for()
    page.detail().get_by_role("heading", name="Reports: 1").wait_for()
    assert page.detail().get_by_role("button", name="Why? The report of ana").count() == 0
    page.detail().get_by_role("link", name="the other incident").click()
    page.detail().get_by_role("button", name="Why? The report of ana").wait_for()
    page.detail().get_by_role("button", name="Undo… split").click()
    dialog.get_by_label("Why").fill("the same storm")
    dialog.get_by_role("button", name="Do it").click()
    page.detail().get_by_text("It turned out to be another incident").wait_for()
    page.option("Porto").nth(1).wait_for(state="detached")


def test_the_verifiers_tab_shows_rates_verdicts_errors_and_audits(page: Page, summarizer: Running) -> None:
    with ThreadPoolExecutor(1) as apart:
        apart.submit(asyncio.run, ask_often(summarizer.log.parent / "store.db")).result()
    for accuracy in (0.5, 0.75):
        assert summarizer.post("/verifiers/audits", json.dumps(audited(accuracy)).encode()).status == 200
    page.tab.get_by_role("link", name="Verifiers").click()
    card = page.tab.get_by_role("region", name="math")
    card.get_by_text("incorrect 25.0 %").wait_for()
    assert "10.0 %" in card.inner_text()  # of 40 requests 4 failed
    card.get_by_role("img", name="Requests over time").wait_for()
    table = page.tab.get_by_role("region", name="Audits")
    assert table.get_by_role("row").nth(1).inner_text().split("\t")[1:6] == [
        "math",
        f"{HOSTILE}.jsonl",
        "1",
        "4",
        "75.00 %",
    ]
    page.tab.get_by_text("accuracy 50.00 % → 75.00 %").wait_for()
    assert page.tab.evaluate("window.owned") is None
    assert page.problems == []


def audited(accuracy: float) -> dict[str, Any]:
    share = {"count": int(4 * accuracy), "total": 4, "share": accuracy, "low": 0, "high": 1}
    none = {"count": 0, "total": 4, "share": 0, "low": 0, "high": 1}
    rates = dict.fromkeys(("false_positives", "false_negatives", "unknown", "errors"), none)
    return {"verifier": "math", "file": f"{HOSTILE}.jsonl", "version": "1", "rows": 4, "accuracy": share, **rates}


async def ask_often(path: Path) -> None:
    """As if the math verifier had answered 40 requests, 4 of which failed."""

    async def metrics(url: str) -> str:
        return (
            'agent_requests_total{function="math",operation="verify",outcome="ok"} 36.0\n'
            'agent_requests_total{function="math",operation="verify",outcome="failed"} 4.0\n'
            'verdicts_total{function="math",verdict="correct"} 30.0\n'
            'verdicts_total{function="math",verdict="incorrect"} 10.0\n'
        )

    store = SqliteStore(path, 60.0)
    try:
        await Tallies(store, {"math": "http://127.0.0.1:9"}, fetch=metrics).look()
    finally:
        await store.close()


def test_words_and_state_narrow_the_list(page: Page, summarizer: Running, session: str) -> None:
    sent(summarizer, session, fire())
    page.option("Tulsa").wait_for()
    page.tab.get_by_label("Words").fill("tulsa")
    page.tab.get_by_role("button", name="Filter").click()
    page.option("Porto").wait_for(state="detached")
    assert page.rows().count() == 1
    page.tab.get_by_label("Words").fill("")
    page.tab.get_by_label("State").select_option("closed")
    page.tab.get_by_text("No incidents.").wait_for()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 380])
def test_axe_finds_nothing_serious(
    browser: Any, summarizer: Running, session: str, storm: dict[str, Any], scheme: str, width: int
) -> None:
    axe = pytest.importorskip("axe_playwright_python", reason="axe comes with axe-playwright-python")
    rules = (Path(axe.__file__).parent / "axe.min.js").read_text()
    size = {"width": width, "height": 800}
    page = Page(browser, summarizer, session, color_scheme=scheme, viewport=size, bypass_csp=True)
    seen = [page]
    page.tab.evaluate(rules)

    def serious() -> list[Any]:
        found = page.tab.evaluate("axe.run()")["violations"]
        return [
            (one["id"], [node["html"][:200] for node in one["nodes"][:3]])
            for one in found
            if one["impact"] in ("serious", "critical")
        ]

    assert serious() == []
    page.option("Porto").click()
    page.detail().get_by_role("heading", name="Reports").wait_for()
    assert serious() == []
    page.detail().get_by_role("button", name="Why? The report of ana").click()
    page.tab.get_by_text("Against: 1").wait_for()
    assert serious() == []
    page.tab.get_by_role("button", name="Mark false…").click()
    page.tab.get_by_label("Your name").wait_for()
    assert serious() == []
    page.tab.keyboard.press("Escape")
    page.tab.get_by_role("link", name="Verifiers").click()
    page.tab.locator("#cards section").nth(3).wait_for()
    assert serious() == []
    assert page.tab.evaluate("document.documentElement.scrollWidth <= innerWidth")
    for one in seen:
        one.close()


def test_the_page_goes_on_when_the_function_was_away(browser: Any, tmp_path: Path) -> None:
    port, session = free_port(), str(uuid.uuid4())
    command = function_command(ROOT / "functions" / "summarizer_agent" / "main.py", "summarizer_agent", port)
    variables = {"PUBSUB_EMULATOR_HOST": "127.0.0.1:9"}  # nothing is published here
    with running(command, port, tmp_path, **variables) as server:
        await_port(server)
        page = Page(browser, server, session)
    page.tab.get_by_text("reconnecting", exact=True).wait_for()
    with ThreadPoolExecutor(1) as apart:
        apart.submit(asyncio.run, fill(tmp_path / "store.db", session, 1, timedelta())).result()
    with running(command, port, tmp_path, **variables) as server:
        await_port(server)
        page.option("number 0 ").wait_for()
        page.tab.get_by_text("live", exact=True).wait_for()
        page.close()


def test_of_five_thousand_incidents_only_what_is_seen_is_drawn(browser: Any, summarizer: Running) -> None:
    session = str(uuid.uuid4())
    with ThreadPoolExecutor(1) as apart:  # playwright has an event loop of its own in this thread
        apart.submit(asyncio.run, fill(summarizer.log.parent / "store.db", session, 5_000)).result()
    page = Page(browser, summarizer, session)
    page.tab.locator("#count", has_text="5000 incidents").wait_for()
    assert page.rows().count() < 60
    page.tab.locator("#list").focus()
    page.tab.keyboard.press("End")
    page.option("number 0 ").wait_for()
    assert page.rows().count() < 60
    page.close()


async def fill(path: Path, session: str, many: int, ago: timedelta = timedelta(hours=5)) -> None:
    """As many incidents as they are kept, the oldest first."""
    store, begin = SqliteStore(path, 60.0), datetime.now(UTC) - ago
    clock = [begin]
    desk = Desk(store, lambda: clock[0])
    try:
        for number in range(many):
            clock[0] = begin + timedelta(seconds=number)
            told = {
                "incident_id": f"{session}-{number}",
                "summary": f"Incident number {number} in Leeds.",
                "location": "Leeds",
                "event_type": "flood",
                "reliability_score": 0.5,
                "created_at": begin,
                "updated_at": begin,
            }
            await desk._list(session, IncidentBriefData.model_validate(told))
    finally:
        await store.close()


def test_a_page_whose_script_does_not_come_says_so(browser: Any, summarizer: Running) -> None:
    tab = browser.new_page()
    tab.route("**/parts.js", lambda route: route.abort())
    tab.goto(f"http://127.0.0.1:{summarizer.port}/desk")
    tab.get_by_role("link", name="Reload").wait_for()
    tab.unroute("**/parts.js")
    tab.get_by_role("link", name="Reload").click()
    tab.get_by_text("live", exact=True).wait_for()
    tab.close()


def test_the_page_stays_as_it_was_when_the_function_started(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in FILES:
        (tmp_path / name).write_text(f"{name} of today")
    monkeypatch.setattr(page_module, "FOLDER", tmp_path)
    client = TestClient(Starlette(routes=page_routes()))
    (tmp_path / "desk.js").write_text("of tomorrow")
    (tmp_path / "parts.js").unlink()
    assert client.get("/desk/desk.js").text == "desk.js of today"
    assert client.get("/desk/parts.js").text == "parts.js of today"


def test_the_list_is_ordered_by_severity_reports_or_time(page: Page, summarizer: Running, session: str) -> None:
    sent(summarizer, session, fire())
    page.option("Tulsa").wait_for()
    assert "Tulsa" in page.rows().first.inner_text()
    for order in ("most severe", "most reports"):
        page.tab.locator("#sort").select_option(order)
        page.tab.locator("#row-0", has_text="Porto").wait_for()
    page.tab.locator("#sort").select_option("latest change")
    page.tab.locator("#row-0", has_text="Tulsa").wait_for()


def test_the_page_s_files_are_served_with_a_policy_that_lets_nothing_else_in(summarizer: Running) -> None:
    for path in ("/desk", *(f"/desk/{name}" for name in FILES)):
        answer = summarizer.get(path)
        assert answer.status == 200
        assert answer.headers["content-security-policy"] == POLICY
        assert answer.headers["x-content-type-options"] == "nosniff"
    for path in ("/desk/desk.py", "/desk/..%2f..%2fcli.py", "/desk/nothing"):
        assert summarizer.get(path).status == 404
    assert "unsafe" not in POLICY
    assert "http" not in POLICY
