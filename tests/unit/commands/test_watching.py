"""The log of rewards that adapters write when asked, what `verifleet watch` makes of it, and the audit's page."""

import json
import multiprocessing
import pickle
import signal
import subprocess
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from typer.testing import CliRunner

from tests.unit.doctor.test_doctor import HOSTILE, Reading
from tests.unit.rewards.test_rewards import FaultyJudge
from verifleet.cli import _add_sub_commands, app
from verifleet.commands.watch_page import run_page
from verifleet.commands.watching import MAX_STEPS, read_run
from verifleet.errors import SettingsError, VerifierUnavailableError
from verifleet.rewards import Logged, RewardLog
from verifleet.rewards._log import MIN_BYTES, entry
from verifleet.rewards.openrlhf import OpenRLHFReward
from verifleet.rewards.trl import TRLReward
from verifleet.rewards.verl import VerlReward

_add_sub_commands()


def lines(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text().splitlines()]


def substring(prompts: list[str], completions: list[str], answer: list[str], **columns: Any) -> list[float]:
    return [float(right in said) for said, right in zip(completions, answer, strict=True)]


def trained(log: Path, steps: int = 3) -> TRLReward:
    """A run of a few steps with two prompts, four completions each, by two rewards."""
    ours = TRLReward("math", column="answer", log=log, name="math")
    theirs = Logged(substring, log)
    said = ["\\boxed{4}", "It is 14.", "\\boxed{5", "4 or 5", "\\boxed{7}", "\\boxed{7}", "7", "$7$"]
    for step in range(steps):
        call: dict[str, Any] = {
            "prompts": ["What is 2 + 2?"] * 4 + ["What is 3 + 4?"] * 4,
            "completions": said,
            "answer": ["4"] * 4 + ["7"] * 4,
            "expected": [1, 0, 0, 0, 1, 1, 1, 1],
            "trainer_state": SimpleNamespace(global_step=step),
        }
        assert ours(**call) == [1.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0]
        theirs(**call)
    return ours


def test_nothing_is_logged_unless_it_is_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert TRLReward("math", column="a")(prompts=["p"], completions=["4"], a=["4"]) == [1.0]
    assert not list(tmp_path.iterdir())


def test_each_row_of_a_call_is_a_line(tmp_path: Path) -> None:
    log = tmp_path / "run" / "rewards.jsonl"
    trained(log, steps=1)
    rows = lines(log)
    assert len(rows) == 16
    first = rows[0]
    assert (first["name"], first["step"], first["verdict"], first["score"]) == ("math", 0, "correct", 1.0)
    assert (first["prompt"], first["response"], first["chars"]) == ("What is 2 + 2?", "\\boxed{4}", 9)
    assert (first["expected"], first["reason"]) == (1.0, "The response is the reference.")
    assert first["row"] == rows[8]["row"] != rows[1]["row"]


def test_every_adapter_logs_also_the_fault_that_it_raises(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    VerlReward("math", log=log)("math", "4", "4", {"question": "q", "global_steps": 12})
    OpenRLHFReward("math", log=log)(["q4"], ["q"], ["4"])
    with pytest.raises(VerifierUnavailableError):
        VerlReward(FaultyJudge(), log=log)("math", "?", "4")
    assert [(row["step"], row["verdict"], row["score"]) for row in lines(log)] == [
        (12, "correct", 1.0),
        (None, "correct", 1.0),
        (None, "error", None),
    ]


def test_a_row_that_abstains_is_logged_as_such(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    TRLReward("math", column="a", log=log)(prompts=["p"], completions=["4"], a=[None])
    assert [(row["verdict"], row["score"]) for row in lines(log)] == [("none", None)]


def test_the_log_has_a_bound_and_keeps_what_is_new(tmp_path: Path) -> None:
    log = RewardLog(tmp_path / "log.jsonl", max_bytes=MIN_BYTES)
    for number in range(400):
        log.write("r", [entry("p" * 5000, "r" * 5000, 1.0, number)])
    both = lines(log.older) + lines(log.path)
    assert sum(file.stat().st_size for file in tmp_path.iterdir()) <= MIN_BYTES
    steps = [row["step"] for row in both]
    assert steps == list(range(steps[0], 400))
    assert len(steps) > 15
    log.write("r", [entry("p", "r" * 5000, 1.0, 400)] * 1000)
    assert sum(file.stat().st_size for file in tmp_path.iterdir()) <= MIN_BYTES
    assert all(row["step"] == 400 for row in lines(log.path))
    with pytest.raises(SettingsError, match="at least 65536 bytes"):
        RewardLog("x", max_bytes=1)


def test_a_disk_that_fails_stops_no_training(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "file").write_text("")
    reward = TRLReward("math", column="a", log=tmp_path / "file" / "log.jsonl")
    for _ in range(3):
        assert reward(prompts=["p"], completions=["4"], a=["4"]) == [1.0]
    assert sum("not logged" in record.message for record in caplog.records) == 1


def _write(log: RewardLog, name: str) -> None:
    for number in range(50):
        log.write(name, [entry("p", f"{name} {number}", 1.0, number, verdict="correct")] * 3)


def test_several_processes_write_whole_lines_to_one_log(tmp_path: Path) -> None:
    log = RewardLog(tmp_path / "log.jsonl")
    with ProcessPoolExecutor(3, mp_context=multiprocessing.get_context("spawn")) as pool:
        list(pool.map(_write, [log] * 3, "abc"))
    run = read_run(log.path)
    assert (run.broken, {name: one.rows for name, one in run.rewards.items()}) == (0, dict.fromkeys("abc", 150))


def test_a_reward_with_a_log_can_be_pickled(tmp_path: Path) -> None:
    reward = pickle.loads(pickle.dumps(trained(tmp_path / "log.jsonl", 1)))
    assert reward(prompts=["p"], completions=["4"], answer=["4"]) == [1.0]
    assert len(lines(tmp_path / "log.jsonl")) == 17
    assert pickle.loads(pickle.dumps(Logged(substring, tmp_path / "x"))).__name__ == "substring"


def test_trl_is_handed_verdicts_and_shares_for_its_own_logging() -> None:
    extra: dict[str, list[Any]] = {}
    metrics: dict[str, float] = {}
    reward = TRLReward("math", column="answer")
    reward(
        prompts=["p"] * 4,
        completions=["4", "5", "\\boxed{", ""],
        answer=["4", "4", "4", None],
        log_extra=extra.__setitem__,
        log_metric=metrics.__setitem__,
    )
    assert extra["verifleet_verdict"] == ["correct", "incorrect", "malformed", "none"]
    assert len(extra["verifleet_reason"]) == 4
    slowest = metrics.pop("verifleet/slowest_ms")
    assert slowest > 0
    assert metrics == {
        "verifleet/faults": 0.0,
        "verifleet/malformed": 0.25,
        "verifleet/unknown": 0.0,
        "verifleet/abstained": 0.25,
    }


# --- watch ---------------------------------------------------------------------------


def test_figures_of_a_run_by_hand(tmp_path: Path) -> None:
    trained(tmp_path / "rewards.jsonl")
    run = read_run(tmp_path)
    ours, theirs = run.rewards["math"], run.rewards["substring"]
    assert [label for label, _ in ours.over_steps()] == ["0", "1", "2"]
    whole = ours.whole()
    assert (whole.rows, whole.mean) == (24, 0.625)
    assert dict(whole.verdicts) == {"correct": 15, "incorrect": 6, "malformed": 3}
    assert (whole.flat.count, whole.flat.total) == (3, 6)
    assert whole.length("malformed") == 8.0
    accepted, refused = ours.mistakes()
    assert ((accepted.count, accepted.total), (refused.count, refused.total)) == ((0, 9), (0, 15))
    accepted, _ = theirs.mistakes()
    assert (accepted.count, accepted.total) == (6, 9)
    assert accepted.interval[0] < 6 / 9 < accepted.interval[1]
    (between,) = run.pairs()
    assert between.names == ("math", "substring")
    assert dict(between.counts) == {(True, True): 4, (False, True): 2, (False, False): 1}
    assert [row["response"] for row in between.shown[False, True]] == ["It is 14.", "4 or 5"]
    assert ours.reasons["malformed", "The final box never closes."] == 3


def test_without_steps_rows_are_taken_in_blocks_and_a_long_run_together(tmp_path: Path) -> None:
    log = RewardLog(tmp_path / "log.jsonl")
    log.write("blocks", [entry("p", str(n), 1.0, verdict="correct") for n in range(600)])
    log.write("long", [entry("p", "r", float(n % 2), n, verdict="correct") for n in range(3 * MAX_STEPS)])
    run = read_run(log.path)
    assert [(label, step.rows) for label, step in run.rewards["blocks"].over_steps()] == [
        ("rows 0–", 256),
        ("rows 256–", 256),
        ("rows 512–", 88),
    ]
    told = run.rewards["long"].over_steps()
    assert len(told) == MAX_STEPS
    assert (told[0][0], told[0][1].rows, told[0][1].flat.share) == ("0–2", 3, 0.0)
    assert run.rewards["long"].whole().flat.total == 0


def test_lines_that_are_none_of_a_log_are_counted_and_left_out(tmp_path: Path) -> None:
    file = tmp_path / "log.jsonl"
    trained(file, 1)
    good = lines(file)[0]
    bad: list[Any] = [
        5,
        [],
        {},
        {**good, "score": "1"},
        {**good, "score": float("nan")},
        {**good, "step": 1.5},
        {**good, "chars": -1},
        {**good, "verdict": "splendid"},
        {**good, "response": None},
    ]
    with file.open("a") as out:
        out.writelines(json.dumps(one) + "\n" for one in bad)
        out.write("[" * 100_000 + "\n")
        out.write('{"name": "cut')
    run = read_run(file)
    assert (run.broken, sum(one.rows for one in run.rewards.values())) == (11, 16)


def test_the_command_prints_writes_a_page_and_gives_json(tmp_path: Path) -> None:
    trained(tmp_path / "rewards.jsonl")
    page = tmp_path / "watch.html"
    shown = CliRunner().invoke(app, ["watch", str(tmp_path), "--html", str(page)])
    assert shown.exit_code == 0, shown.output
    assert "accepted by only math 0, only substring 2, both 4, neither 1" in shown.output
    assert "wrong accepted 66.7% (6/9, " in shown.output
    reading = Reading()
    reading.feed(page.read_text("utf-8"))
    assert {"svg", "rect", "polyline"} <= reading.tags
    plain = json.loads(CliRunner().invoke(app, ["watch", str(tmp_path), "--json"]).output)
    assert plain["rewards"]["math"]["groups_without_variance"]["share"] == 0.5
    assert plain["accepted_by_one_only"] == [{"math": 0, "substring": 2, "both": 4}]
    told = plain["rewards"]["math"]
    assert {verdict: one["rows"] for verdict, one in told["characters"].items()} == told["verdicts"]
    assert set(told["steps"][0]["mean_characters"]) == set(told["steps"][0]["verdicts"])
    assert {one["verdict"] for one in told["reasons"]} == set(told["verdicts"])
    length = told["characters"]["correct"]
    assert f"characters: correct p50 {length['p50']:.0f}, p99 {length['p99']:.0f}" in shown.output
    (tmp_path / "empty").mkdir()
    assert isinstance(CliRunner().invoke(app, ["watch", str(tmp_path / "empty")]).exception, SettingsError)


def test_hostile_texts_stay_text_on_the_pages(tmp_path: Path) -> None:
    log = RewardLog(tmp_path / "log.jsonl")
    log.write(HOSTILE, [entry(HOSTILE, HOSTILE, 1.0, 1, verdict="correct", reason=HOSTILE, ms=1.0)])
    log.write("b", [entry(HOSTILE, HOSTILE, 0.0, 1, verdict="incorrect")])
    made = run_page(read_run(log.path), HOSTILE)
    reading = Reading()
    reading.feed(made)
    assert not reading.tags & {"script", "img", "link"}
    assert "<script>alert(1)</script>" in reading.text
    made.encode("utf-8")


def test_an_audit_writes_its_figures_and_disagreements_as_a_page(tmp_path: Path) -> None:
    rows = [
        {"id": "1", "kind": "sum", "prompt": "1+1?", "response": "2", "reference": {"answer": "2"}, "expected": 1},
        {"id": "2", "kind": "sum", "prompt": "1+1?", "response": HOSTILE, "reference": {"answer": "2"}, "expected": 1},
    ]
    file, page = tmp_path / "rows.jsonl", tmp_path / "audit.html"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    run = CliRunner().invoke(app, ["audit", "math", str(file), "--html", str(page), "--min-accuracy", "1"])
    assert run.exit_code == 1
    reading = Reading()
    reading.feed(page.read_text("utf-8"))
    assert "Bound broken: accuracy 50.00% is not at least 100.00%" in reading.text
    assert "50.00% (1 of 2; 95 %: 9.5% to 90.5%)" in reading.text
    assert "right but refused" in reading.text
    assert not reading.tags & {"script", "img"}
    refused = CliRunner().invoke(app, ["audit", "pairs", str(file), "--html", str(page)])
    assert "audit pairs writes no page" in str(refused.exception)


def test_it_reads_again_until_it_is_interrupted_and_sees_what_came_since(tmp_path: Path) -> None:
    log, page = RewardLog(tmp_path / "log.jsonl"), tmp_path / "watch.html"
    log.write("first", [entry("p", "r", 1.0, 1, verdict="correct")])
    command = [sys.executable, "-m", "verifleet.cli", "watch", str(log.path), "--every", "0.2", "--html", str(page)]
    watching = subprocess.Popen(
        command,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # a suite in the background ignores it
    )
    for name in ("first", "second"):
        for _ in range(400):
            if page.exists() and name in page.read_text("utf-8"):
                break
            time.sleep(0.05)
        assert name in page.read_text("utf-8")
        log.write("second", [entry("p", "r", 1.0, 2, verdict="correct")])
    watching.send_signal(signal.SIGINT)
    assert watching.wait(20) == 130
