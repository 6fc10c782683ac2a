"""The pages of doctor, watch and audit in a real Chromium: nothing runs, nothing is asked for, narrow screens do."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from tests.functions.test_desk_page import browser
from verifleet.cli import _add_sub_commands, app
from verifleet.rewards.trl import TRLReward

__all__ = ["browser"]

_add_sub_commands()
LONG = "https://example.org/" + "a" * 400
HOSTILE = "<script>window.owned=1</script><img src=http://127.0.0.1:9/x onerror=window.owned=1>" + LONG


def doctor(folder: Path) -> Path:
    file = folder / "rollouts.jsonl"
    rows = [
        {"question": HOSTILE, "answer": f"#### {n}", "response": f"{HOSTILE} so {n}", "score": n % 2} for n in range(9)
    ]
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    _run("doctor", str(file), "--reward", "column:score", "--reader", "gsm8k", "--html", str(folder / "page.html"))
    return folder / "page.html"


def watch(folder: Path) -> Path:
    log = folder / "log.jsonl"
    reward = TRLReward("math", column="answer", log=log, name="math")
    for answer in range(3):
        reward(prompts=[HOSTILE] * 3, completions=[f"{HOSTILE} {n}" for n in range(3)], answer=[str(answer)] * 3)
    _run("watch", str(log), "--html", str(folder / "page.html"))
    return folder / "page.html"


def audit(folder: Path) -> Path:
    file = folder / "labelled.jsonl"
    rows = [
        {
            "id": str(n),
            "kind": "k",
            "prompt": HOSTILE,
            "response": f"{HOSTILE} {n}",
            "reference": {"answer": "3"},
            "expected": n == 3,
        }
        for n in range(5)
    ]
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    _run("audit", "math", str(file), "--html", str(folder / "page.html"))
    return folder / "page.html"


def _run(*command: str) -> None:
    shown = CliRunner().invoke(app, list(command))
    assert shown.exit_code in (0, 1), shown.output


@pytest.mark.parametrize("made", [doctor, watch, audit], ids=lambda made: made.__name__)
def test_a_report_fits_a_narrow_screen_runs_nothing_and_asks_for_nothing(
    made: Callable[[Path], Path], tmp_path: Path, browser: Any
) -> None:
    file = made(tmp_path)
    context = browser.new_context(viewport={"width": 480, "height": 900})
    try:
        tab = context.new_page()
        asked: list[str] = []
        tab.on("request", lambda request: asked.append(request.url))
        tab.goto(file.as_uri())
        assert tab.evaluate("document.documentElement.scrollWidth") <= 480
        assert tab.evaluate("window.owned") is None
        assert asked == [file.as_uri()]
        assert tab.get_by_text("window.owned").count() or made is watch
    finally:
        context.close()
