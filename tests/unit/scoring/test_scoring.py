"""`verifleet score`: every row once, in order, also when it was killed in the middle."""

import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from tests.unit import gcs
from tests.unit.inline import Inline
from tests.unit.test_client import Server, by_response
from tests.unit.test_client import server as server
from verifleet.cli import _add_sub_commands, app
from verifleet.commands.guess import run_guess
from verifleet.errors import SettingsError, ShapeError
from verifleet.scoring import bulk, results
from verifleet.scoring.bulk import Changes, Job, results_in, score, score_again
from verifleet.scoring.on_ray import in_order
from verifleet.scoring.processes import Processes
from verifleet.scoring.rows import CHUNK, How, error_of, in_chunks

_add_sub_commands()


def data(file: Path, count: int) -> Path:
    rows = (
        {"id": n, "question": "?", "answer": f"so\n#### {n}", "response": str(n if n % 2 else n + 1)}
        for n in range(count)
    )
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return file


def lines(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text().splitlines()]


@pytest.fixture(autouse=True)
def _in_this_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bulk, "Processes", Inline)


def test_each_row_has_its_line_in_order_and_faults_of_rows_are_kept(tmp_path: Path) -> None:
    source = data(tmp_path / "in.jsonl", 300)
    with source.open("a") as out:
        out.write('{"question": "?", "answer": "no mark"}\n')
    summary = score(Job(source, tmp_path / "out.jsonl", "gsm8k"))
    found = lines(tmp_path / "out.jsonl")
    assert [one["row"] for one in found] == list(range(301))
    assert [one["score"] for one in found] == [0.0, 1.0] * 150 + [None]
    assert found[300]["reason"] == "a row is not of gsm8k: answer has no ####"
    assert found[7]["request_id"] == "7"
    assert (summary.rows, summary.errors, summary.verdicts["correct"], summary.mean) == (301, 1, 150, 0.5)
    assert len(summary.slowest) == 5


def test_a_run_goes_on_behind_the_last_whole_line(tmp_path: Path) -> None:
    source, out = data(tmp_path / "in.jsonl", 400), tmp_path / "out.jsonl"
    job = Job(source, out)
    whole = score(job)
    text = out.read_bytes()
    for cut in (0, 1, 5000, len(text) - 3):
        out.write_bytes(text[:cut])
        again = score(job)
        assert [(one["row"], one["score"]) for one in lines(out)] == [(n, float(n % 2)) for n in range(400)]
        assert (again.rows, again.verdicts) == (400, whole.verdicts)
        assert again.resumed == text[:cut].count(b"\n")


def test_results_of_something_else_are_never_appended_to(tmp_path: Path) -> None:
    source, out = data(tmp_path / "in.jsonl", 3), tmp_path / "out.jsonl"
    score(Job(source, out))
    with pytest.raises(SettingsError, match=r"of another run \(options\)"):
        score(Job(source, out, options={"partial": True}))
    (tmp_path / "other.jsonl").write_text("{}\n")
    with pytest.raises(SettingsError, match="not of an earlier run"):
        score(Job(source, tmp_path / "other.jsonl"))
    (tmp_path / "spam.jsonl").write_text('{"text": "x"}\n')
    with pytest.raises(ShapeError, match="no reader takes the rows"):
        score(Job(tmp_path / "spam.jsonl", tmp_path / "spam.out"))


def test_shards_share_the_rows_and_leave_none_out(tmp_path: Path) -> None:
    source = data(tmp_path / "in.jsonl", 3 * CHUNK + 5)
    found = []
    for shard in range(3):
        job = Job(source, tmp_path / "out.jsonl", shard=shard, shards=3)
        found += [one["row"] for one in lines(Path(score(job).place))]
    assert sorted(file.name for file in tmp_path.glob("out*.jsonl"))[2] == "out-00002-of-00003.jsonl"
    assert sorted(found) == list(range(3 * CHUNK + 5))


def test_deployed_verifiers_are_asked_and_what_they_do_not_answer_is_an_error_of_the_row(
    tmp_path: Path, server: Server
) -> None:
    source = data(tmp_path / "in.jsonl", 200)
    summary = score(Job(source, tmp_path / "out.jsonl", urls={"math": server.url}))
    assert (summary.rows, summary.errors) == (200, 0)
    assert all(body["requests"][0]["reference"] for _, _, body, _ in server.asked)
    server.answer = lambda method, path, body: (500, {}, {})
    summary = score(Job(source, tmp_path / "out2.jsonl", urls={"math": server.url}))
    assert summary.errors == 200
    assert "answered 500" in summary.first_error
    server.asked.clear()
    summary = score(Job(source, tmp_path / "out3.jsonl", urls={"code": server.url}))
    assert (summary.errors, summary.mean, server.asked) == (0, 0.5, [])  # rows of the others are judged here
    server.answer = by_response
    with pytest.raises(SettingsError, match="is a math verifier, not the knowledge verifier that was named"):
        score(Job(source, tmp_path / "out4.jsonl", "knowledge:question:answer", urls={"knowledge": server.url}))


@pytest.mark.parametrize(
    ("status", "said", "asked"),
    [
        (401, "answered 401: who are you?", 1),
        (403, "answered 403: who are you?", 1),
        (413, "answered 413: who are you?", 2 * 5 - 1),  # halved until single rows are too large
        (429, "answered 429 (4 attempts)", 4),
        (500, "answered 500 (4 attempts)", 4),
        (503, "answered 503 (4 attempts)", 4),
    ],
)
def test_a_server_that_refuses_is_asked_so_often_and_its_rows_are_errors_with_the_reason(
    tmp_path: Path, server: Server, status: int, said: str, asked: int
) -> None:
    server.answer = lambda method, path, body: (status, {"retry-after": "0"}, {"error": "who are you?"})
    source, out = data(tmp_path / "in.jsonl", 5), tmp_path / "out.jsonl"
    shown = CliRunner().invoke(app, ["score", str(source), "-o", str(out), "--url", f"math={server.url}"])
    assert shown.exit_code == 1, shown.output
    found = lines(out)
    assert [(one["row"], one["score"], one["status"]) for one in found] == [(n, None, "error") for n in range(5)]
    assert all(said in one["reason"] and one["verifier"] == "math" for one in found), found[0]
    assert len(server.asked) == asked


def test_rows_that_are_errors_are_judged_again_and_the_others_stay_as_they_are(tmp_path: Path, server: Server) -> None:
    source, out = data(tmp_path / "in.jsonl", 600), tmp_path / "out.jsonl"
    with source.open("a") as more:
        more.write('{"question": "?", "answer": "no mark"}\n')
    job = Job(source, out, urls={"math": server.url})

    def half(method: str, path: str, body: Any) -> Any:
        away = method == "POST" and body["requests"][0]["request_id"] == "0"
        return (401, {}, {}) if away else by_response(method, path, body)

    server.answer = half
    first = score(job)
    before = lines(out)
    assert 0 < first.errors < 601
    server.answer = by_response
    server.asked.clear()

    def interrupted(summary: Any) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        score_again(job, interrupted)
    assert lines(out) == before
    again = score_again(job)
    after = lines(out)
    assert (again.rows, again.errors, again.first_error[:8]) == (601, 1, "row 600:")
    assert [one["row"] for one in after] == list(range(601))
    assert [one for one in after if before[one["row"]]["verdict"] != "error"] == [
        one for one in before if one["verdict"] != "error"
    ]
    assert sum(len(body["requests"]) for _, _, body, _ in server.asked if body) == first.errors - 1
    assert sorted(file.name for file in tmp_path.iterdir()) == ["in.jsonl", "out.jsonl", "out.jsonl.manifest.json"]
    with pytest.raises(SettingsError, match="is a folder of parts"):
        score_again(Job(source, f"{tmp_path}/parts/", urls={"math": server.url}))
    shown = CliRunner().invoke(app, ["score", str(source), "-o", str(out), "--again"])
    assert shown.exit_code == 1, shown.output
    assert "601 rows (600 of them before)" in shown.output


@pytest.mark.parametrize("drips", [True, False], ids=["drips", "says nothing"])
def test_a_server_that_never_comes_to_an_end_costs_its_rows_their_deadline_and_no_more(
    tmp_path: Path, drips: bool
) -> None:
    source, out = data(tmp_path / "in.jsonl", 5), tmp_path / "out.jsonl"
    with never_ending(drips=drips) as url:
        command = ["score", str(source), "-o", str(out), "--url", f"math={url}", "--deadline", "0.5"]
        shown = CliRunner().invoke(app, command)
    assert shown.exit_code == 1, shown.output
    assert "5 errors; the first: row 0: The deadline passed" in shown.output
    assert [one["status"] for one in lines(out)] == ["error"] * 5


@contextmanager
def never_ending(*, drips: bool) -> Iterator[str]:
    """A server that answers a byte at a time, or not at all."""
    ended = threading.Event()
    listening = socket.create_server(("127.0.0.1", 0))
    listening.settimeout(0.02)

    def serve() -> None:
        callers = []
        while not ended.is_set():
            with suppress(TimeoutError):
                caller = listening.accept()[0]
                callers.append(caller)
                caller.sendall(b"HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n" if drips else b"")
            for caller in callers if drips else ():
                with suppress(OSError):
                    caller.sendall(b" ")
        for caller in callers:
            caller.close()

    serving = threading.Thread(target=serve)
    serving.start()
    try:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    finally:
        ended.set()
        serving.join()
        listening.close()


def test_what_changed_between_two_versions_is_shown(tmp_path: Path) -> None:
    source, old, new = data(tmp_path / "in.jsonl", 10), tmp_path / "old.jsonl", tmp_path / "new.jsonl"
    score(Job(source, old))
    changed = lines(old)
    changed[3] |= {"verdict": "unknown", "score": 0.0}
    old.write_text("".join(json.dumps(row) + "\n" for row in changed))
    shown = CliRunner().invoke(app, ["score", str(source), "-o", str(new), "--against", str(old)])
    assert shown.exit_code == 0, shown.output
    assert "row 3: unknown 0.0 → correct 1.0" in shown.output
    assert "unknown → correct: 1" in shown.output
    assert "1 of 10 rows changed" in shown.output
    old.write_text('{"row": 77, "verdict": "correct", "score": 1.0}\n')
    with pytest.raises(ShapeError, match="no row in common"):
        list(Changes(old, new))


def test_a_task_of_a_job_takes_its_share_and_the_exit_code_says_errors(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = data(tmp_path / "in.jsonl", CHUNK + 5)
    monkeypatch.setenv("CLOUD_RUN_TASK_INDEX", "1")
    monkeypatch.setenv("CLOUD_RUN_TASK_COUNT", "2")
    shown = CliRunner().invoke(app, ["score", str(source), "-o", str(tmp_path / "out.jsonl"), "--json"])
    assert shown.exit_code == 0, shown.output
    assert json.loads(shown.stdout)["rows"] == 5
    source.write_text('{"question": "?", "answer": "#"}\n')
    shown = CliRunner().invoke(
        app,
        ["score", str(source), "-o", str(tmp_path / "o.jsonl"), "--reader", "gsm8k"],
        env={"CLOUD_RUN_TASK_INDEX": "0"},
    )
    assert shown.exit_code == 1, shown.output
    monkeypatch.setenv("CLOUD_RUN_TASK_INDEX", "2")
    shown = CliRunner().invoke(app, ["score", str(source), "-o", str(tmp_path / "o.jsonl")])
    assert "none of CLOUD_RUN_TASK_COUNT=2" in str(shown.exception)


# --- folders of parts: objects, Parquet -----------------------------------------------------


def test_parquet_and_objects_are_read_and_written_in_parts_that_are_gone_on_from(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("pyarrow")
    monkeypatch.setattr(results, "PART_ROWS", CHUNK)
    source = data(tmp_path / "in.jsonl", 300)
    with gcs.running(monkeypatch) as storage:
        storage.put("team", "in/a.jsonl", source.read_bytes())
        for out in (
            "gs://team/out.jsonl",
            "gs://team/out.parquet",
            str(tmp_path / "out.parquet"),
            f"{tmp_path}/lines/",
        ):
            job = Job("gs://team/in/", out)
            assert score(job).rows == 300
            found = list(results_in(out))
            assert [(one["row"], one["score"]) for one in found] == [(n, float(n % 2)) for n in range(300)]
            again = score(job)
            assert (again.rows, again.resumed, again.mean) == (300, 300, 0.5)
            with pytest.raises(SettingsError, match=r"of another run \(options\)"):
                score(Job("gs://team/in/", out, options={"partial": True}))
        assert [name for name in storage.names("team") if name.startswith("out.parquet/")] == [
            "out.parquet/_manifest-00000-of-00001.json",
            "out.parquet/_summary-00000-of-00001.json",
            *(f"out.parquet/part-00000-of-00001-00000{n}.parquet" for n in range(3)),
        ]
        del storage.objects["team", "out.parquet/part-00000-of-00001-000002.parquet"]
        assert score(Job("gs://team/in/", "gs://team/out.parquet")).resumed == 2 * CHUNK
        assert len(list(results_in("gs://team/out.parquet"))) == 300
        del storage.objects["team", "out.parquet/part-00000-of-00001-000001.parquet"]
        with pytest.raises(SettingsError, match=r"000002\.parquet, but not part-00000-of-00001-000001"):
            score(Job("gs://team/in/", "gs://team/out.parquet"))


def test_what_stops_in_the_middle_has_written_what_it_judged(tmp_path: Path) -> None:
    source = data(tmp_path / "in.jsonl", 5 * CHUNK)
    job = Job(source, f"{tmp_path}/out/", workers=1)

    def interrupted(summary: Any) -> None:
        if summary.rows == 2 * CHUNK:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        score(job, interrupted)
    assert len(list(results_in(f"{tmp_path}/out"))) == 2 * CHUNK
    assert not (tmp_path / "out" / "_summary-00000-of-00001.json").exists()
    again = score(job)
    assert (again.resumed, again.rows) == (2 * CHUNK, 5 * CHUNK)
    assert [one["row"] for one in results_in(f"{tmp_path}/out")] == list(range(5 * CHUNK))


def test_shards_of_a_folder_are_read_in_the_order_of_the_rows_and_compared_with_one_of_another_number(
    tmp_path: Path,
) -> None:
    source = data(tmp_path / "in.jsonl", 3 * CHUNK + 5)
    for shard in range(2):
        score(Job(source, f"{tmp_path}/two/", shard=shard, shards=2))
    score(Job(source, tmp_path / "one.jsonl"))
    assert [one["row"] for one in results_in(f"{tmp_path}/two/")] == list(range(3 * CHUNK + 5))
    found = Changes(f"{tmp_path}/two/", tmp_path / "one.jsonl")
    assert (list(found), found.rows, found.only_new) == ([], 3 * CHUNK + 5, 0)
    with pytest.raises(SettingsError, match="holds something else"):
        score(Job(source, f"{tmp_path}/two/", shards=3))


def test_storage_that_fails_for_a_while_loses_nothing_and_an_upload_whose_answer_got_lost_counts_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with gcs.running(monkeypatch) as storage:
        storage.put("team", "a.jsonl", data(tmp_path / "in.jsonl", 10).read_bytes())
        storage.faults = [("GET", 503), ("POST", 503), ("GET", 500)]
        storage.lose_answers_to_uploads = 1
        assert score(Job("gs://team/a.jsonl", "gs://team/out")).rows == 10
        assert [one["row"] for one in results_in("gs://team/out")] == list(range(10))
        with pytest.raises(SettingsError, match="no object gs://team/none, nor any below it"):
            score(Job("gs://team/none", tmp_path / "o.jsonl"))
        storage.faults = [("GET", 403)]
        with pytest.raises(SettingsError, match=r"gs://team/a\.jsonl: 403 .*planted"):
            score(Job("gs://team/a.jsonl", tmp_path / "o.jsonl"))


def test_two_runs_never_write_to_one_place(tmp_path: Path) -> None:
    source = data(tmp_path / "in.jsonl", CHUNK)

    def another(summary: Any) -> None:
        with pytest.raises(SettingsError, match="is being written by another run"):
            score(Job(source, tmp_path / "out.jsonl"))

    assert score(Job(source, tmp_path / "out.jsonl"), another).rows == CHUNK


# --- rows that are none ----------------------------------------------------------------------


def test_what_is_no_row_is_an_error_and_the_others_are_judged(tmp_path: Path) -> None:
    source = data(tmp_path / "in.jsonl", 3)
    with source.open("ab") as out:
        out.write(
            b'{"question": \n[1]\n\xff\n' + b"[" * 100_000 + b'\n{"question": 1, "answer": 2}\n{"question": "?"}\n'
        )
    data(tmp_path / "more.jsonl", 1)
    with source.open("a") as out:
        out.write((tmp_path / "more.jsonl").read_text())
    summary = score(Job(source, tmp_path / "out.jsonl", "gsm8k"))
    assert (summary.rows, summary.errors) == (10, 6)
    reasons = [one["reason"] for one in lines(tmp_path / "out.jsonl") if one["status"] == "error"]
    said = [
        f"{source} line 4 is not JSON",
        "not a JSON object",
        "is not UTF-8",
        "is not JSON",
        "is no text",
        "has no 'answer'",
    ]
    assert [word for word, reason in zip(said, reasons, strict=True) if word not in reason] == []


def test_a_reference_that_can_not_be_used_is_an_error_here_and_there_in_the_same_words(
    tmp_path: Path, server: Server
) -> None:
    source = tmp_path / "in.jsonl"
    source.write_text(json.dumps({"verifier": "math", "response": "4", "reference": {"answer": None}}) + "\n")
    summary = score(Job(source, tmp_path / "here.jsonl"))
    fields = [{"path": "requests.0.reference.answer", "problem": "must be a string"}]
    refused = {**by_response("", "/verify", {"response": ""})[2], "verdict": "malformed", "details": {"fields": fields}}
    server.answer = lambda method, path, body: (200, {}, {"results": [refused]})
    assert score(Job(source, tmp_path / "there.jsonl", urls={"math": server.url})).errors == summary.errors == 1
    here, there = (lines(tmp_path / name)[0] for name in ("here.jsonl", "there.jsonl"))
    assert here == there
    assert here["reason"] == "reference.answer: must be a string"


def test_an_odd_row_of_a_data_set_does_not_hide_which_it_is(tmp_path: Path) -> None:
    source = data(tmp_path / "in.jsonl", 40)
    with source.open("a") as more:
        more.write('{"text": "spam"}\n')
    summary = score(Job(source, tmp_path / "out.jsonl"))
    assert (summary.rows, summary.errors) == (41, 1)
    assert summary.first_error == "row 40: a row is not of gsm8k: it has no 'question'"
    shown = "\n".join(run_guess(source, 1))
    assert "gsm8k takes 40 of the first 41 rows" in shown
    assert "! a row is not of gsm8k: it has no 'question'" in shown


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (["--options", '{"tolerence": 1}'], "no row can be judged: options.tolerence: "),
        (
            ["--reader", "math:quest:answer"],
            "no row can be judged: a row is not of math:quest:answer: it has no 'quest'",
        ),
        (
            ["--response", "resp"],
            "no row can be judged: a row has no column 'resp'; it has id, question, answer, response",
        ),
        (["--against", "IN"], "holds no results of `verifleet score`"),
        (["--again"], "there is nothing to judge again: "),
    ],
)
def test_what_would_be_wrong_with_every_row_is_refused_before_any_is_judged(
    tmp_path: Path, command: list[str], said: str
) -> None:
    source = data(tmp_path / "in.jsonl", 3)
    told = [str(source) if word == "IN" else word for word in command]
    shown = CliRunner().invoke(app, ["score", str(source), "-o", str(tmp_path / "out.jsonl"), *told])
    assert said in str(shown.exception)
    assert [file.name for file in tmp_path.iterdir()] == ["in.jsonl"]


def test_a_row_without_a_response_is_an_error_and_one_that_says_nothing_is_malformed(tmp_path: Path) -> None:
    nothing = {"role": "assistant", "content": None}
    said: list[Any] = [None, {"x": 1}, 4, [], "", nothing, [nothing], "#### 1"]
    rows = [{"question": "?", "answer": "#### 1", "response": one} for one in said] + [
        {"question": "?", "answer": "#### 1"}
    ]
    (tmp_path / "in.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    score(Job(tmp_path / "in.jsonl", tmp_path / "out.jsonl", "gsm8k"))
    found = lines(tmp_path / "out.jsonl")
    assert [one["verdict"] for one in found] == ["error"] * 4 + ["malformed"] * 3 + ["correct", "error"]
    assert found[0]["reason"] == "a row holds no response; it has question, answer, response"


def test_where_no_row_has_a_score_none_is_shown(tmp_path: Path) -> None:
    source = tmp_path / "in.jsonl"
    source.write_text('{"question": "?", "answer": "#"}\n{"question": "?"}\n')
    command = ["score", str(source), "-o", str(tmp_path / "o.jsonl"), "--reader", "gsm8k"]
    shown = CliRunner().invoke(app, command)
    assert "no score: no row was judged" in shown.output
    assert "mean" not in shown.output
    shown = CliRunner().invoke(app, [*command, "--json"])
    assert json.loads(shown.stdout)["mean"] is None


def test_an_option_is_named_as_it_was_given(tmp_path: Path) -> None:
    shown = CliRunner().invoke(app, ["score", "x", "-o", "y", "--url", "localhost:1"])
    assert "--url 'localhost:1': use NAME=URL" in str(shown.exception)
    shown = CliRunner().invoke(app, ["score", str(tmp_path / "none.jsonl"), "-o", str(tmp_path / "y")])
    assert "can't be read: No such file" in str(shown.exception)


def test_a_long_row_makes_its_chunk_short() -> None:
    rows = [(n, b"x" * 600_000) for n in range(5)]
    assert [len(chunk) for chunk in in_chunks(rows)] == [2, 2, 1]


def test_a_row_that_ray_lost_or_gave_twice_stops_the_run() -> None:
    def parts(*rows: int) -> list[Any]:
        return [[error_of(row, "x")] for row in rows]

    assert [one[0]["row"] for one in in_order(parts(1, 3, 5), lambda number: number % 2 == 1)] == [1, 3, 5]
    for rows in ((0, 2), (0, 0), (1,)):
        with pytest.raises(SettingsError, match="was due; run it again"):
            list(in_order(parts(*rows), lambda number: True))


# --- processes --------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_a_row_that_its_process_does_not_survive_is_an_error_and_its_neighbours_are_judged() -> None:
    how = How("gsm8k")
    cores = bulk._Cores.__new__(bulk._Cores)
    cores.at_once, cores._how, cores._processes = 1, how, Processes(1)
    rows = [(n, {"question": "?", "answer": f"#### {n}", "response": str(n)}) for n in range(4)]
    asked = cores._processes.ask

    def deadly(function: Any, chunk: Any, how: How) -> Any:
        return asked(os._exit, 3) if any(number == 2 for number, _ in chunk) else asked(function, chunk, how)

    cores._processes.ask = deadly  # type: ignore[method-assign]
    found = cores.judge(rows)
    cores.close()
    assert [one["score"] for one in found] == [1.0, 1.0, None, 1.0]
    assert found[2]["reason"] == "the process that judged it died: exit code 3"


def _children(pid: int) -> list[int]:
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def _interrupted(command: list[str], out: Path, number: int) -> tuple[int, str]:
    """Exit code and standard error of a run that gets a signal once it has written something."""
    with (out.parent / "stderr").open("w+") as said:
        process = subprocess.Popen(command, start_new_session=True, stdout=subprocess.DEVNULL, stderr=said)
    until = time.monotonic() + 200
    while time.monotonic() < until and process.poll() is None and not (out.exists() and out.stat().st_size > 100_000):
        time.sleep(0.02)
    started = _children(process.pid)
    os.killpg(process.pid, number) if number == signal.SIGINT else os.kill(process.pid, number)
    code = process.wait(200)
    until = time.monotonic() + 200
    while any(Path(f"/proc/{child}/task").exists() for child in started) and time.monotonic() < until:
        time.sleep(0.05)
    assert not [child for child in started if Path(f"/proc/{child}/task").exists()], "processes outlive the run"
    return code, (out.parent / "stderr").read_text()


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 130), (signal.SIGKILL, -signal.SIGKILL)]
)
def test_a_run_that_is_interrupted_leaves_nothing_running_loses_no_row_and_has_none_twice(
    tmp_path: Path, number: signal.Signals, code: int
) -> None:
    source, out = data(tmp_path / "in.jsonl", 10_000), tmp_path / "out.jsonl"
    command = [sys.executable, "-m", "verifleet.cli", "score", str(source), "-o", str(out), "--workers", "2"]
    ended, said = _interrupted(command, out, number)
    assert ended == code
    assert "Traceback" not in said
    before = len(out.read_bytes().splitlines())
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, "Traceback" in done.stderr) == (0, False), done.stderr
    assert 0 < before < 10_000
    assert [one["row"] for one in lines(out)] == list(range(10_000))
