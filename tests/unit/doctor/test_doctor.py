"""`verifleet doctor`: a reward beside ours, whatever it does, and the faults that a naive one has."""

import json
import os
import subprocess
import time
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from tests.unit.inline import Inline
from verifleet.cli import _add_sub_commands, app
from verifleet.commands.doctoring import Visit, examine
from verifleet.doctor import theirs
from verifleet.doctor.findings import MAX_SHOWN, Findings
from verifleet.doctor.page import findings_page
from verifleet.doctor.sample import REWARD, ROLLOUTS
from verifleet.doctor.theirs import Answer, Theirs
from verifleet.errors import SettingsError, ShapeError
from verifleet.rewards import make_verifier
from verifleet.scoring import bulk
from verifleet.scoring.rows import How, error_of
from verifleet.verification import parse_request

_add_sub_commands()
ROW = {
    "prompt": "p",
    "completion": "c",
    "prompt_text": "p",
    "response": "r",
    "reference": "4",
    "columns": {"answer": "4"},
}


@pytest.fixture(autouse=True)
def _in_this_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bulk, "Processes", Inline)


@pytest.fixture
def reward(tmp_path: Path) -> Callable[[str], str]:
    """Writes a module and names what it defines as `reward`."""

    def made(source: str) -> str:
        file = tmp_path / f"theirs_{len(list(tmp_path.iterdir()))}.py"
        file.write_text(source)
        return f"{file}:reward"

    return made


def rollouts(file: Path, rows: list[dict[str, Any]]) -> Path:
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return file


def maths(*responses: str) -> list[dict[str, Any]]:
    return [
        {"question": f"What is {n} + 4?", "answer": f"so\n#### {n + 4}", "response": response}
        for n, response in enumerate(responses)
    ]


# --- the sample -----------------------------------------------------------------------


def test_every_planted_fault_of_the_sample_is_found_and_nothing_else() -> None:
    found = examine(Visit(ROLLOUTS, REWARD, How("verifleet"), timeout_s=2.5))
    planted = {
        (row["planted"], row["id"])
        for row in map(json.loads, ROLLOUTS.read_text("utf-8").splitlines())
        if row.get("planted")
    }
    shown = {(kind, case.id) for kind, cases in found.shown.items() for case in cases if "probe" not in case.note}
    assert shown == planted
    assert len(planted) == 20
    assert set(found.probes) == {"empty", "several", "echo", "special_tokens"}
    assert found.contract == "trl"


def test_our_verdicts_on_the_sample_are_its_labels() -> None:
    for row in map(json.loads, ROLLOUTS.read_text("utf-8").splitlines()):
        if row["expected"] is not None:
            raw = {name: row[name] for name in ("prompt", "response", "reference")}
            assert make_verifier(row["verifier"]).check(parse_request(row["verifier"], raw)).score == row["expected"]


def test_the_command_says_what_it_found_by_its_exit_code_and_writes_the_page(tmp_path: Path) -> None:
    page = tmp_path / "out" / "doctor.html"
    run = CliRunner().invoke(app, ["doctor", "--sample", "--timeout", "2.5", "--html", str(page)])
    assert run.exit_code == 1
    assert "Your reward accepts a response without an answer: 2 rows, 20 probes" in run.output
    assert "wrong answers accepted 57.1%" in run.output
    assert "What is the smallest prime number?" in page.read_text("utf-8")


def test_a_reward_that_agrees_is_told_so(tmp_path: Path, reward: Callable[[str], str]) -> None:
    ours = "from verifleet.rewards.trl import TRLReward\nreward = TRLReward('math', column='answer')"
    file = rollouts(
        tmp_path / "in.jsonl", [{**row, "answer": row["answer"][-1]} for row in maths("4", "\\boxed{6}", "6")]
    )
    reader = ["--reader", "math:question:answer", "--slow", "100"]  # importing it takes its time
    run = CliRunner().invoke(app, ["doctor", str(file), "--reward", reward(ours), *reader])
    assert (run.exit_code, "Nothing was found." in run.output) == (0, True), run.output
    assert "agreement 100.0% (3/3" in run.output


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["doctor"], "give ROLLOUTS and --reward"),
        (["doctor", str(ROLLOUTS), "--reward", "no_such_module:f"], "No module named 'no_such_module'"),
        (["doctor", str(ROLLOUTS), "--reward", "math"], "give module:function"),
        (["doctor", str(ROLLOUTS), "--reward", "math:nothing"], "has no attribute 'nothing'"),
        (["doctor", str(ROLLOUTS), "--reward", "math:pi"], "is no function but float"),
        (["doctor", "--sample", "--contract", "trll"], "there are trl, verl"),
        (["doctor", "--sample", "--options", "{"], "is not JSON"),
        (["doctor", "--sample", "--response", "said"], "--response said: the rows have no such column; they have "),
    ],
)
def test_what_can_not_be_run_is_said_in_a_sentence(arguments: list[str], said: str) -> None:
    run = CliRunner().invoke(app, arguments)
    assert isinstance(run.exception, (SettingsError, ShapeError)) or run.exit_code == 1
    assert said in f"{run.exception} {run.output}"


# --- what a reward may do ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "kind", "said"),
    [
        ("return 1", "number", ""),
        ("return True", "number", ""),
        ("return 1 << 2000", "other", "no finite number"),
        ("return None", "none", ""),
        ("return float('nan')", "other", "no finite number: float nan"),
        ("return float('inf')", "other", "no finite number"),
        ("return '1.0'", "other", "no number: str 1.0"),
        ("return [1.0]", "other", "no number: list [1.0]"),
        ("return {'score': 1}", "other", "no number: dict"),
        ("return type('R', (), {'__repr__': lambda self: 1 / 0})()", "other", "its repr raised ZeroDivisionError"),
        ("raise ValueError('no box')", "exception", "ValueError: no box (theirs_0.py:3)"),
        ("raise type('E', (Exception,), {'__str__': lambda self: 1 / 0})()", "exception", "E"),
        ("import sys; sys.exit(3)", "exception", "SystemExit: 3"),
        ("import os; os._exit(3)", "died", "it ended: exit code 3"),
        ("import os; os.kill(os.getpid(), 9)", "died", "SIGKILL"),
        ("import ctypes; ctypes.string_at(0)", "died", "SIGSEGV"),
        ("import sys; print('last words', flush=True); import os; os.abort()", "died", "it wrote: last words"),
        ("while True: pass", "hang", "no answer within 1.5 s"),
        ("while True: print('x' * 100000)", "hang", "no answer within 1.5 s"),
        ("import time; time.sleep(1000)", "hang", "it was killed"),
        ("import signal, time; signal.signal(15, signal.SIG_IGN); time.sleep(1000)", "hang", "it was killed"),
        ("return bytearray(1 << 40)", "exception", "MemoryError"),
        ("def deep(): return deep()\n    return deep()", "exception", "RecursionError"),
        ("import sys; sys.stdout.close(); sys.stderr.close(); return 0.5", "number", ""),
    ],
)
def test_whatever_a_reward_does_is_an_answer_and_the_next_row_is_asked(
    reward: Callable[[str], str], body: str, kind: str, said: str
) -> None:
    source = f"def reward(prompt, response):\n    if response == 'fine': return 0.25\n    {body}\n"
    with Theirs(reward(source), timeout_s=1.5, memory_mb=2048) as asked:
        answer = asked.ask(ROW)
        assert (answer.kind, said in answer.said) == (kind, True), answer
        assert asked.ask({**ROW, "response": "fine"}).value == 0.25


def test_a_row_larger_than_any_buffer_goes_through(reward: Callable[[str], str]) -> None:
    with Theirs(reward("def reward(response): return len(response)")) as asked:
        assert asked.ask({**ROW, "response": "é\ud800" * 3_000_000}).value == 6_000_000


def test_what_a_killed_reward_started_ends_with_it(reward: Callable[[str], str], tmp_path: Path) -> None:
    pids = tmp_path / "pids.txt"
    source = f"""
import subprocess, time
def reward(response):
    child = subprocess.Popen(["sleep", "1000"])
    open({str(pids)!r}, "w").write(str(child.pid))
    time.sleep(1000)
"""
    with Theirs(reward(source), timeout_s=2.0) as asked:
        assert asked.ask(ROW).kind == "hang"
    left = subprocess.run(["ps", "-o", "stat=", "-p", pids.read_text()], capture_output=True, text=True)
    assert left.stdout.strip()[:1] in ("", "Z")


def test_a_reward_that_always_hangs_is_left_alone_in_the_end(
    reward: Callable[[str], str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(theirs, "MAX_RESTARTS", 2)
    file = rollouts(tmp_path / "in.jsonl", maths(*["4"] * 40))
    began = time.monotonic()
    hanging = reward("def reward(response):\n    while True: pass")
    found = examine(Visit(file, hanging, How(""), timeout_s=0.3))
    assert dict(found.counts) == {"hang": 3, "unasked": 37}
    assert not found.probes
    assert time.monotonic() - began < 30


def test_a_reward_that_does_not_start_again_is_left_alone(reward: Callable[[str], str], tmp_path: Path) -> None:
    source = f"""
import os
if os.path.exists({str(tmp_path / "been")!r}): raise RuntimeError("one only")
open({str(tmp_path / "been")!r}, "w").close()
def reward(response): os._exit(1)
"""
    with Theirs(reward(source)) as asked:
        assert "then it did not start again" in asked.ask(ROW).said
        assert asked.ask(ROW).kind == "unasked"


# --- contracts ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("source", "contract", "value"),
    [
        ("def reward(prompts, completions, answer, **kw): return [float(answer == ['4'])]", "trl", 1.0),
        ("def reward(completions, **kw): return [float(kw['answer'][0])]", "trl", 4.0),
        ("async def reward(completions, **kw): return [0.5]", "trl", 0.5),
        (
            "class reward:\n  def __init__(self, args=None): pass\n  def __call__(self, completions): return [0.5]",
            "trl",
            0.5,
        ),
        (
            "def reward(data_source, solution_str, ground_truth, extra_info=None):"
            " return {'score': float(ground_truth + solution_str == '4r')}",
            "verl",
            1.0,
        ),
        ("def reward(queries, prompts, labels): return {'rewards': [float(queries == ['pr'])]}", "openrlhf", 1.0),
        ("def reward(queries, prompts, labels):\n  import array; return array.array('d', [1.0])", "openrlhf", 1.0),
        ("def reward(prompt, completions, prompt_ids, completion_ids, answer): return answer == '4'", "areal", 1.0),
        ("async def reward(args, sample): return float(sample.label)", "slime", 4.0),
        (
            "def reward(question, output, ground_truth): return question + output + ground_truth == 'pr4'",
            "by-name",
            1.0,
        ),
        ("async def reward(completion, answer): return float(completion + answer == 'c4')", "by-name", 1.0),
        (
            "class _R:\n  def score(self, response): return 0.75\nclass reward_holder: pass\nreward = _R().score",
            "by-name",
            0.75,
        ),
    ],
)
def test_a_reward_is_called_as_its_trainer_would(
    reward: Callable[[str], str], source: str, contract: str, value: float
) -> None:
    with Theirs(reward(source), columns=["answer"]) as asked:
        answer = asked.ask(ROW)
        assert (asked.contract, answer.value) == (contract, value), answer


def test_a_parameter_that_nothing_is_known_for_is_named(reward: Callable[[str], str]) -> None:
    with pytest.raises(SettingsError, match="nothing is known for its parameter 'flavour'"):
        Theirs(reward("def reward(response, flavour): return 1"))


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("raise RuntimeError('no GPU')", "RuntimeError: no GPU"),
        ("import sys; print('bye'); sys.exit(1)", "SystemExit: 1"),
        ("import os; print('bye', flush=True); os._exit(1)", "it wrote: bye"),
        ("def reward(:", "SyntaxError"),
    ],
)
def test_a_module_that_does_not_load_is_told(reward: Callable[[str], str], source: str, said: str) -> None:
    with pytest.raises(SettingsError, match=said):
        Theirs(reward(source))


# --- rows ----------------------------------------------------------------------------------


def test_rows_that_can_not_be_read_are_findings_and_stop_nothing(tmp_path: Path, reward: Callable[[str], str]) -> None:
    odd: list[dict[str, Any]] = [
        {},
        {"question": 5, "answer": "#### 1", "response": "1"},
        {"question": "?", "answer": None, "response": "1"},
        {"question": "?", "answer": ["#### 1"], "response": "1"},
        {"question": "?", "answer": "#### 4", "response": None},
        {"question": "?", "answer": "#### 4", "response": {"content": "4"}},
        {"question": "?", "answer": "#### 4", "response": [{"role": "assistant", "content": None}]},
        {"question": "?", "answer": "#### 4", "response": 4},
        {"question": "\ud800", "answer": "#### 4", "response": "\x00\ud800"},
    ]
    file = rollouts(tmp_path / "in.jsonl", odd)
    found = examine(Visit(file, reward("def reward(response): return float(response == '4')"), How("gsm8k")))
    assert found.rows == 9
    assert found.counts["unreadable"] == 6
    assert found.table["accepted", "accepted"] == 1
    findings_page(found, "x", "y")


def test_what_is_no_row_at_all_is_told_with_its_line_and_the_rest_goes_on(tmp_path: Path) -> None:
    file = rollouts(tmp_path / "in.jsonl", [{**row, "score": 1.0} for row in maths("4", "5", "6")])
    with file.open("a") as out:
        out.write('{"question": \n\n[1]\n')
    rollouts(tmp_path / "more.jsonl", [{**maths("9")[0], "score": 1.0}])
    found = examine(Visit(tmp_path, "column:score", How("gsm8k")))
    assert (found.rows, found.counts["unreadable"], found.counts["accepts_wrong"]) == (6, 2, 1)
    reasons = [case.ours["reason"] for case in found.shown["unreadable"]]
    assert f"{file} line 4 is not JSON" in reasons[0]
    assert f"{file} line 6 is not a JSON object" in reasons[1]


def test_every_disagreement_is_in_the_json_and_the_page_says_how_many_it_does_not_show(tmp_path: Path) -> None:
    rows = [{**maths("5")[0], "score": 1.0, "id": str(n)} for n in range(MAX_SHOWN + 17)]
    file, page = rollouts(tmp_path / "in.jsonl", rows), tmp_path / "page.html"
    run = CliRunner().invoke(
        app, ["doctor", str(file), "--reward", "column:score", "--json", "--html", str(page), "--reader", "gsm8k"]
    )
    assert run.exit_code == 1, run.output
    cases = json.loads(run.stdout)["cases"]
    assert [case["id"] for case in cases["accepts_wrong"]] == [row["id"] for row in rows]
    shown = page.read_text("utf-8")
    assert f"{MAX_SHOWN + 17} rows (the first {MAX_SHOWN}; 17 more are not shown here" in shown
    assert shown.count("<tr><td>row ") == MAX_SHOWN


def test_rollouts_without_any_response_are_refused(tmp_path: Path, reward: Callable[[str], str]) -> None:
    file = rollouts(tmp_path / "in.jsonl", [{"question": "?", "answer": "#### 1", "reply": "1"}])
    fine = reward("def reward(reply, answer): return 1")
    with pytest.raises(ShapeError, match="name the column with --response"):
        examine(Visit(file, fine, How("")))
    assert examine(Visit(file, fine, How("", response="reply"))).rows == 1


def test_values_that_the_trainer_recorded_need_no_function(tmp_path: Path) -> None:
    rows: list[dict[str, Any]] = [
        {"input": "2 + 2?", "output": said, "gts": "4", "score": score, "step": 1}
        for said, score in (("4", 1.0), ("5", 1), ("\\boxed{4}", 0.0), ("4", None), ("4", "1.0"), ("4", float("nan")))
    ]
    file = rollouts(tmp_path / "in.jsonl", [*rows, {"input": "?", "output": "4", "gts": "4"}])
    found = examine(Visit(file, "column:score", How("math:input:gts")))
    assert dict(found.counts) == {"accepts_wrong": 1, "refuses_right": 1, "no_number": 2}
    assert (found.table["none", "accepted"], sum(found.probes.values())) == (2, 0)
    with pytest.raises(SettingsError, match="the rows have no such column; they have gts, input, output, score, step"):
        examine(Visit(file, "column:reward", How("math:input:gts")))


def test_a_reward_that_is_unsteady_or_refuses_its_own_reference_is_found_by_probes(
    tmp_path: Path, reward: Callable[[str], str]
) -> None:
    file = rollouts(tmp_path / "in.jsonl", maths("4", "5", "6"))
    counting = "n = 0\ndef reward(response):\n    global n; n += 1\n    return n / 1000"
    found = examine(Visit(file, reward(counting), How("")))
    assert (found.probes["unsteady"], found.probes["reference_refused"]) == (3, 3)
    assert found.counts["refuses_right"] == 3
    assert found.as_json()["findings"]["unsteady"] == {"rows": 0, "probes": 3}


def test_references_that_are_equal_are_no_conflict(tmp_path: Path, reward: Callable[[str], str]) -> None:
    rows = [{"q": "Half of 3?", "a": answer, "response": "1.5"} for answer in ("3/2", "1.5", "\\frac{3}{2}", "1.5")]
    fine = reward("def reward(response): return 1")
    file = rollouts(tmp_path / "in.jsonl", rows)
    assert not examine(Visit(file, fine, How("math:q:a"), probed=0)).counts
    rows = [{"q": "How many?", "a": answer, "response": "8"} for answer in ("8", "6", "6")]
    found = examine(Visit(rollouts(tmp_path / "in.jsonl", rows), fine, How("math:q:a"), probed=0))
    assert found.counts["reference_conflict"] == 1
    assert found.shown["reference_conflict"][0].note == "this row has '6', an earlier one '8'"


# --- the page --------------------------------------------------------------------------------


class Reading(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: dict[str, set[str]] = {}
        self.policy = ""
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        for name, value in attrs:
            self.attributes.setdefault(name, set()).add(value or "")
        given = dict(attrs)
        if given.get("http-equiv") == "Content-Security-Policy":
            self.policy = str(given["content"])

    def handle_data(self, data: str) -> None:
        self.text += data


HOSTILE = "</pre></td><script>alert(1)</script><img src=http://x/ onerror=alert(1)>&lt;\x00\u202etxt.exe\ud800'\"`"


def test_no_text_gets_out_of_its_place_and_the_page_asks_for_nothing() -> None:
    found = Findings()
    ours = {
        "score": 0.0,
        "status": "scored",
        "verdict": "incorrect",
        "reason": HOSTILE,
        "duration_ms": 1.0,
        "details": {},
    }
    from verifleet.doctor.findings import Case

    found.add(Case(0, HOSTILE, HOSTILE, HOSTILE, Answer("number", 1.0, HOSTILE, 1.0), ours, None, HOSTILE), [])
    reading = Reading()
    made = findings_page(found, HOSTILE, HOSTILE)
    reading.feed(made)
    assert not reading.tags & {"script", "img", "link", "iframe", "object", "a", "form", "base"}
    assert not {name for name in reading.attributes if name.startswith("on") or name in ("src", "href", "style")}
    assert reading.policy.startswith("default-src 'none'; style-src 'sha256-")
    assert "<script>alert(1)</script>" in reading.text
    assert "\\u202e" in made
    assert not {"\u202e", "\x00", "\ud800"} & set(made)
    made.encode("utf-8")


def test_the_reward_is_not_left_behind_when_the_doctor_is_killed(reward: Callable[[str], str], tmp_path: Path) -> None:
    file = rollouts(tmp_path / "in.jsonl", maths("4"))
    pid = tmp_path / "pid"
    hanging = reward(
        f"import os\ndef reward(response):\n    open({str(pid)!r}, 'w').write(str(os.getpid()))\n    while True: pass"
    )
    import sys

    doctor = subprocess.Popen(
        [sys.executable, "-m", "verifleet.cli", "doctor", str(file), "--reward", hanging, "--timeout", "100"],
        stdout=subprocess.DEVNULL,
    )
    for _ in range(300):
        if pid.exists() and pid.read_text():
            break
        time.sleep(0.1)
    doctor.kill()
    doctor.wait()
    for _ in range(50):
        if not os.path.exists(f"/proc/{pid.read_text()}"):
            return
        time.sleep(0.1)
    state = Path(f"/proc/{pid.read_text()}/stat").read_text().rpartition(")")[2].split()[0]
    assert state == "Z"


# --- ours ------------------------------------------------------------------------------------


def _away(asked: Callable[[int], bool]) -> Callable[..., list[Any]]:
    """Verifiers that answer for the first rows they are asked about, and then are away."""
    here, count = bulk.judge_here, 0

    def judge(chunk: Any, how: How) -> list[Any]:
        nonlocal count
        found = []
        for number, row in chunk:
            found += here([(number, row)], how) if asked(count) else [error_of(number, "no answer", "math")]
            count += 1
        return found

    return judge


def test_rows_and_probes_that_ours_could_not_judge_are_a_finding_and_no_blame(
    tmp_path: Path, reward: Callable[[str], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bulk, "judge_here", _away(lambda count: count < 1))
    file = rollouts(tmp_path / "in.jsonl", maths("4", "5", "9"))
    found = examine(Visit(file, reward("def reward(response): return 1"), How("")))
    assert dict(found.counts) == {"unjudged": 2}
    assert found.shown["unjudged"][0].ours["reason"] == "no answer"
    assert set(found.probes) == {"unjudged"}
    assert (found.our_times.count, found.their_times.count) == (1, 3)


def test_where_ours_could_judge_no_row_the_doctor_says_so_and_finds_nothing(tmp_path: Path) -> None:
    file = rollouts(tmp_path / "in.jsonl", [{**row, "score": 1.0} for row in maths("4", "5")])
    command = ["doctor", str(file), "--reward", "column:score", "--url", "math=http://127.0.0.1:9", "--probes", "0"]
    run = CliRunner().invoke(app, command)
    assert isinstance(run.exception, SettingsError)
    assert f"ours could judge none of the 2 rows of {file}: " in str(run.exception)


def test_the_doctor_says_which_reader_it_used(tmp_path: Path) -> None:
    file = rollouts(tmp_path / "in.jsonl", [{**maths("4")[0], "score": 1.0}])
    command, page = ["doctor", str(file), "--reward", "column:score"], tmp_path / "page.html"
    run = CliRunner().invoke(app, [*command, "--html", str(page)])
    assert "1 rows, read as gsm8k; column:score is read" in run.output
    assert "read as gsm8k" in page.read_text("utf-8")
    assert json.loads(CliRunner().invoke(app, [*command, "--json"]).stdout)["reader"] == "gsm8k"


def test_a_long_response_is_shown_by_its_ends_and_its_whole_length(tmp_path: Path) -> None:
    file = rollouts(tmp_path / "in.jsonl", [{**maths("5" + "y" * 9_000 + "\\boxed{9}")[0], "score": 1.0}])
    command, page = ["doctor", str(file), "--reward", "column:score"], tmp_path / "page.html"
    run = CliRunner().invoke(app, [*command, "--html", str(page)])
    assert "(9010 characters)" in run.output
    assert "(9010 characters)" in page.read_text("utf-8")
    assert "4000" not in run.output
    assert "\\boxed{9}" in page.read_text("utf-8")
