"""What the command line says about files, texts and addresses that are not what they should be."""

import json
import signal
import socket
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import httpx
import pytest
from rich.console import Console
from typer.testing import CliRunner

from verifleet import __version__
from verifleet.audits.answers import read_rows
from verifleet.cli import app, main, publish
from verifleet.commands import dead_letters
from verifleet.commands import kb as kb_cli
from verifleet.commands.canaries import run_canaries
from verifleet.commands.publish import attributes_of, publish_file, read_items, wrap
from verifleet.errors import SettingsError, ShapeError, TransientError
from verifleet.local import running
from verifleet.local.pubsub import EMULATOR, choose_fleet
from verifleet.scoring.one_request import judge_there, read_reference

Command = Callable[[Sequence[str]], tuple[int, str]]
ROW = {"id": "1", "prompt": "1+1?", "response": "\\boxed{2}\u2028", "reference": {"answer": "2"}, "expected": 1}


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    def call(arguments: Sequence[str]) -> tuple[int, str]:
        monkeypatch.setattr(sys, "argv", ["verifleet", *arguments])
        with pytest.raises(SystemExit) as ended:
            main()
        return int(ended.value.code or 0), capsys.readouterr().err

    return call


@pytest.mark.parametrize("text", ["[/b]", "[local]", "[bold]"])
def test_what_looks_like_markup_is_shown_as_it_is(run: Command, text: str) -> None:
    code, said = run(["guide", text])
    assert code == 2
    assert text in said


def test_the_guide_has_requests_in_one_piece(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["verifleet", "guide", "json schema"])
    with pytest.raises(SystemExit):
        main()
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines() if line.startswith("{")]
    assert lines[0]["reference"]["json_schema"]["required"] == ["name", "age"]


@pytest.mark.parametrize("read", [read_rows, read_items])
def test_a_file_that_is_not_utf8_is_named(tmp_path: Path, read: Callable[[Path], object]) -> None:
    file = tmp_path / "rows.jsonl"
    file.write_bytes(b'{"a": "\xff"}')
    with pytest.raises(ShapeError, match=r"rows\.jsonl is not UTF-8"):
        read(file)


@pytest.mark.parametrize("read", [read_rows, read_items])
def test_nested_brackets_in_a_file_are_a_shape_fault(tmp_path: Path, read: Callable[[Path], object]) -> None:
    file = tmp_path / "rows.jsonl"
    file.write_text("[" * 100_000)
    with pytest.raises(ShapeError, match="line 1"):
        read(file)


@pytest.mark.parametrize("read", [read_rows, read_items])
def test_a_line_separator_inside_a_text_ends_no_row(tmp_path: Path, read: Callable[[Path], object]) -> None:
    file = tmp_path / "rows.jsonl"
    file.write_text(json.dumps(ROW, ensure_ascii=False) + "\n" + json.dumps(ROW) + "\n", encoding="utf-8")
    assert read(file) == [ROW, ROW]


def test_a_row_without_an_id_is_named_by_its_number(run: Command, tmp_path: Path) -> None:
    file = tmp_path / "rows.jsonl"
    file.write_text('{"prompt": "1+1?", "response": "2"}')
    code, said = run(["audit", "math", str(file)])
    assert code == 2
    assert "row #1: expected must be a number from 0 to 1, and there are only prompt, response" in said
    file.write_text('{"prompt": "1+1?", "expected": 1}')
    assert "#1.response: is required" in run(["audit", "math", str(file)])[1]


def test_an_audit_of_no_rows_is_refused(run: Command, tmp_path: Path) -> None:
    file = tmp_path / "rows.jsonl"
    file.write_text("\n")
    code, said = run(["audit", "math", str(file), "--max-false-positives", "0"])
    assert code == 2
    assert "holds no row" in said


def test_bounds_that_would_not_be_looked_at_are_refused(run: Command, tmp_path: Path) -> None:
    file = tmp_path / "rows.jsonl"
    file.write_text(json.dumps({"id": "1", "text": "A fire.", "label": 0}))
    code, said = run(["audit", "claims", str(file), "--min-accuracy", "1"])
    assert code == 2
    assert "takes no bounds" in said


def test_publishing_nothing_is_said(run: Command, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as fleet, pytest.MonkeyPatch.context() as patch:
        patch.setenv(EMULATOR, f"127.0.0.1:{fleet.getsockname()[1]}")
        file = tmp_path / "empty.jsonl"
        file.write_text("")
        code, said = run(["publish", str(file)])
    assert code == 2
    assert "holds nothing to publish" in said


def test_an_envelope_of_any_shape_has_attributes() -> None:
    odd = {"schema": "raw_event_v1", "payload": [1], "metadata": "x", "session_id": 3}
    assert attributes_of(odd) == {"schema": "raw_event_v1"}


def test_a_reference_meant_as_json_is_not_judged_as_text() -> None:
    for kind, text in (("math", '{"answer": '), ("format", '[{"format"'), ("code", "tests")):
        with pytest.raises(ShapeError, match="--reference is not JSON"):
            read_reference(kind, text)
    assert read_reference("math", "{1, 2}") == {"answer": "{1, 2}"}
    assert read_reference("math", "[1, 2)") == {"answer": "[1, 2)"}


def answers(monkeypatch: pytest.MonkeyPatch, status: int, body: bytes) -> None:
    transport = httpx.MockTransport(lambda request: httpx.Response(status, content=body))
    monkeypatch.setattr("verifleet.client._connections", lambda settings: httpx.AsyncClient(transport=transport))


@pytest.mark.parametrize(
    ("status", "body", "said"),
    [
        (200, b"<html>", "not as a verifier does"),
        (200, b"[]", "not as a verifier does"),
        (400, b'{"error": {"message": "response: Field required"}}', "400: response: Field required"),
    ],
)
def test_an_answer_that_is_no_verdict_is_a_fault(
    monkeypatch: pytest.MonkeyPatch, status: int, body: bytes, said: str
) -> None:
    answers(monkeypatch, status, body)
    with pytest.raises(ShapeError, match=said):
        judge_there("math", "http://127.0.0.1:1", {"response": "2"})


@pytest.mark.parametrize("body", [b"<html>", b"[]", b'{"results": []}', b'{"results": [3]}'])
def test_canaries_of_what_is_no_such_verifier_are_refused(monkeypatch: pytest.MonkeyPatch, body: bytes) -> None:
    answers(monkeypatch, 200, body)
    with pytest.raises(SettingsError, match="not a math verifier"):
        run_canaries("math", "http://127.0.0.1:1")


def test_a_fleet_that_is_not_up_is_said_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        monkeypatch.setenv(EMULATOR, f"127.0.0.1:{unused.getsockname()[1]}")
        with pytest.raises(TransientError, match="no fleet answers at"):
            choose_fleet(None, 0)


def test_a_port_offset_wins_over_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as fleet:
        monkeypatch.setenv(EMULATOR, "127.0.0.1:1")
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("verifleet.local.addresses.PORTS", {"broker": fleet.getsockname()[1] - 1})
            assert choose_fleet(None, 1)


def test_an_impatient_second_ctrl_c_does_not_interrupt_the_stopping(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    kept = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    stopped = []

    class _Fleet:
        data_dir = tmp_path

        def __init__(self, *given: object) -> None: ...

        def start(self, progress: object) -> None:
            signal.raise_signal(signal.SIGINT)

        def stop(self) -> None:
            signal.raise_signal(signal.SIGINT)
            signal.raise_signal(signal.SIGTERM)
            stopped.append(self)

    monkeypatch.setattr(running, "Fleet", _Fleet)
    try:
        running.run_fleet(tmp_path, 0, Console(quiet=True))
    finally:
        for number, handler in kept.items():
            signal.signal(number, handler)
    assert len(stopped) == 1


def test_dead_letters_are_listed_with_brackets_in_their_reasons(monkeypatch: pytest.MonkeyPatch) -> None:
    letter = dead_letters.DeadLetter("1", b"{}", {"reason": "is '[/b]'", "origin": "events.verifier_agent/x/1"})

    class _Archive(dead_letters.Archive):
        def __init__(self) -> None: ...

        def rounds(self, most: int = 1) -> Iterator[list[dead_letters.DeadLetter]]:
            yield [letter]

    class _Context:
        def __enter__(self) -> dead_letters.Archive:
            return _Archive()

        def __exit__(self, *error: object) -> None: ...

    monkeypatch.setattr(dead_letters, "_archive", lambda project, port_offset: _Context())
    listed = CliRunner().invoke(dead_letters.app, ["list"])
    assert listed.exit_code == 0, listed.output


def test_knowledge_base_commands_say_what_is_wrong_with_a_file(tmp_path: Path) -> None:
    (tmp_path / "facts.csv").write_text("question,answer\nWhat is the capital of Foo?,[/b]ar\n")
    (tmp_path / "deep.json").write_text("[" * 100_000)
    facts, base = str(tmp_path / "facts.csv"), str(tmp_path / "base.db")
    assert CliRunner().invoke(kb_cli.app, ["build", facts, "-o", base]).exit_code == 0
    shown = CliRunner().invoke(kb_cli.app, ["show", base])
    assert shown.exit_code == 0, shown.output
    for source, out in ((facts, str(tmp_path)), (facts, "/proc/base.db"), (str(tmp_path / "deep.json"), base)):
        assert CliRunner().invoke(kb_cli.app, ["build", source, "-o", out]).exit_code == 2


@pytest.mark.parametrize(
    ("item", "problem"),
    [
        ({"prompt": "1 + 1?", "response": "2"}, "item 2: a verification request needs a verifier: math"),
        ({"schema": "event_v7"}, "item 2: schema 'event_v7' can't be published"),
    ],
)
def test_nothing_of_a_file_is_published_if_one_of_its_items_can_not_be(
    tmp_path: Path, item: dict[str, Any], problem: str
) -> None:
    file = tmp_path / "items.jsonl"
    file.write_text(json.dumps({"source": "news", "content": "A fire."}) + "\n" + json.dumps(item))
    with pytest.raises(ShapeError, match=problem):
        publish_file(file, None, None, 0)


def test_what_is_not_installed_is_said_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    from verifleet.__main__ import main as started

    monkeypatch.setitem(sys.modules, "typer", None)
    monkeypatch.delitem(sys.modules, "verifleet.cli")
    with pytest.raises(SystemExit, match=r"typer is not installed\. pip install 'verifleet\[rewards\]'"):
        started()


def test_the_version_is_that_of_the_package() -> None:
    shown = CliRunner().invoke(app, ["--version"])
    assert (shown.exit_code, shown.output) == (0, f"verifleet {__version__}\n")


def test_a_shell_can_complete_commands() -> None:
    asked = {"_VERIFLEET_COMPLETE": "complete_bash", "COMP_WORDS": "verifleet can", "COMP_CWORD": "1"}
    shown = CliRunner().invoke(app, [], prog_name="verifleet", env=asked)
    assert shown.output.split() == ["canaries"]


def test_what_is_no_report_is_not_published_and_the_sample_is(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ShapeError, match="neither a report"):
        wrap({"sample": "a", "event": {"content": "12 dead"}}, "s")
    published: list[Any] = []

    def publish_items(items: Any, *_: Any) -> dict[str, int]:
        published.extend(wrap(item, "s") for item in items)
        return {"raw-events": len(items)}

    monkeypatch.setattr("verifleet.commands.publish.publish_items", publish_items)
    publish(None, sample=True)
    assert len(published) > 20
    assert {one["schema"] for one in published} == {"raw_event_v1"}
    with pytest.raises(SettingsError, match="--sample"):
        publish(None)


def test_what_the_verifier_could_not_tell_is_no_false_positive(run: Command, tmp_path: Path) -> None:
    file = tmp_path / "rows.jsonl"
    file.write_text('{"prompt": "Who invented frobs?", "response": "Bob", "expected": 0}')
    assert run(["audit", "knowledge", str(file), "--max-false-positives", "0"]) == (0, "")


def test_a_disagreement_shows_prompt_and_response(tmp_path: Path) -> None:
    file = tmp_path / "rows.jsonl"
    file.write_text(json.dumps({"prompt": "1+1?", "response": "It is 3", "reference": {"answer": "2"}, "expected": 1}))
    said = CliRunner().invoke(app, ["audit", "math", str(file)]).output
    assert "prompt: 1+1?" in said
    assert "response: It is 3" in said


def test_a_row_that_is_published_keeps_the_session_that_it_names(tmp_path: Path) -> None:
    table = tmp_path / "reports.csv"
    table.write_text("content,session_id\n4 people hurt in Ghent,own\n5 people hurt in Ghent,\n", "utf-8")
    rows = [*read_items(table), {"content": "6 people hurt in Ghent", "session_id": "own"}]
    assert [wrap(row, "given")["session_id"] for row in rows] == ["own", "given", "own"]
    with pytest.raises(ShapeError, match="session_id must be a text"):
        wrap({"content": "6 people hurt", "session_id": 7}, "given")
