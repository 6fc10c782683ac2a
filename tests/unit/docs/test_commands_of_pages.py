"""README and docs: each command of ours parses as it is written, and those of whom rewards are made are run."""

import json
import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import pytest
import typer.main
from starlette.testclient import TestClient
from typer.testing import CliRunner

from tests.unit import gcs
from tests.unit.inline import Inline
from tests.unit.test_client import Server
from tests.unit.test_client import server as server
from verifleet.cli import _add_sub_commands, app
from verifleet.messaging.publisher import InMemoryPublisher
from verifleet.readers.files import raw_rows
from verifleet.scoring import bulk, on_ray
from verifleet.scoring.one_request import make_verifier
from verifleet.scoring.rows import in_chunks
from verifleet.serving.app import InProcessBackend, verifier_app
from verifleet.settings import load_settings

_add_sub_commands()
ROOT = Path(__file__).parents[3]
DOCS = ROOT / "docs"
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted(DOCS.rglob("*.md"))]
PORTS = {"8101": "math", "8103": "knowledge", "8104": "format"}


def blocks(page: Path, *languages: str) -> list[str]:
    """The fenced blocks of these languages; without any, those of a shell."""
    found = re.findall(r"^```(\w*)\n(.*?)^```$", page.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    return [text for language, text in found if language in (languages or ("sh", "bash", ""))]


def commands(block: str) -> Iterator[list[str]]:
    """The words of each command; what is quoted may go over several lines."""
    text = ""
    for line in block.splitlines():
        text += line + "\n"
        if line.endswith("\\"):
            continue
        try:
            words = shlex.split(text, comments=True)
        except ValueError:  # a quotation is open
            continue
        text = ""
        if words:
            yield words


def of_ours(page: Path) -> list[list[str]]:
    """The arguments of each `verifleet` of a page."""
    text = [command for block in blocks(page) for command in commands(block.replace("$(", "("))]
    return [words[1:] for words in text if words[0].rpartition("/")[2] == "verifleet"]


OURS = [(page.name, words) for page in PAGES for words in of_ours(page)]


@pytest.mark.parametrize(("page", "words"), OURS, ids=[f"{page} {' '.join(words)[:60]}" for page, words in OURS])
def test_every_command_of_the_docs_is_one_that_there_is_with_options_that_it_has(page: str, words: list[str]) -> None:
    command: click.Command = typer.main.get_command(app)
    context = click.Context(command)
    while isinstance(command, click.Group):
        name, *words = words
        found = command.get_command(context, name)
        assert found is not None, name
        command = found
    problem = _problem(command, words)
    assert not problem or "does not exist" in problem  # a file


def _problem(command: click.Command, words: list[str]) -> str:
    try:
        command.make_context(command.name, words)
    except click.UsageError as error:
        return error.format_message()
    return ""


def run(words: list[str], status: int = 0) -> str:
    done = CliRunner().invoke(app, words)
    assert done.exit_code == status, f"{words}: {done.output} {done.exception!r}"
    return done.output


# --- README ------------------------------------------------------------------------------


def test_the_answers_of_the_readme_are_scored_as_one_expects() -> None:
    verified = [words for words in of_ours(ROOT / "README.md") if words[0] == "verify"]
    scores = {(words[1], json.loads(run(words))["score"]) for words in verified}
    assert scores == {("math", 1.0), ("knowledge", 1.0), ("format", 0.0), ("code", 1.0)}
    assert "math" in run(["guide"])


def asked(page: Path) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """(verifier, path, body) of each call of a verifier of this machine."""
    for block in blocks(page):
        for words in commands(block):
            found = re.match(r"localhost:(\d+)(/\S+)", words[2]) if words[:2] == ["curl", "-s"] else None
            if found and "-d" in words and found[1] in PORTS:
                yield PORTS[found[1]], found[2], json.loads(words[words.index("-d") + 1])


def test_the_calls_of_the_readme_are_answered() -> None:
    settings = load_settings(google_cloud_project="test-project")
    answers = []
    for name, path, body in asked(ROOT / "README.md"):
        backend = InProcessBackend(lambda name=name: make_verifier(name))
        app_ = verifier_app(name, backend, settings=settings, publisher=InMemoryPublisher())  # type: ignore[arg-type]
        with TestClient(app_) as client:
            answers.append(client.post(path, json=body).json())
    one, many = answers
    assert one["score"] == 1.0
    assert [result["score"] for result in many["results"]] == [1.0, 0.0]


def test_the_audit_of_the_readme_fails_for_an_answer_that_should_not_be_accepted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    [block] = [block for block in blocks(ROOT / "README.md") if "verifleet audit" in block]
    [row] = re.findall(r"^echo '(.*)' > \.verifleet/rows\.jsonl$", block, re.MULTILINE)
    (tmp_path / ".verifleet").mkdir()
    monkeypatch.chdir(tmp_path)
    [audit] = [words for words in of_ours(ROOT / "README.md") if words[0] == "audit"]
    for expected, status in ((0, 0), (1, 0)):
        Path(".verifleet/rows.jsonl").write_text(json.dumps({**json.loads(row), "expected": expected}))
        run(audit, status)
    Path(".verifleet/rows.jsonl").write_text(json.dumps({**json.loads(row), "response": "\\boxed{2}"}))
    run(audit, 1)


def test_the_program_of_the_readme_makes_a_reward() -> None:
    made: dict[str, Any] = {}
    [program] = blocks(ROOT / "README.md", "python")
    exec(compile(program, "README.md", "exec"), {"GRPOTrainer": lambda *of, **named: made.update(named)})
    [reward] = made["reward_funcs"]
    assert reward(prompts=["1+1?"], completions=["2"], solution=["2"]) == [1.0]


def test_every_target_of_make_that_the_docs_name_is_there() -> None:
    there = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    there |= {f"bench-{file.stem.removeprefix('bench_')}" for file in (ROOT / "tests/benchmarks").glob("bench_*.py")}
    for page in PAGES:
        named = {words[1] for block in blocks(page) for words in commands(block) if words[0] == "make"}
        named |= set(re.findall(r"`make ([a-z][a-z_-]*)", page.read_text("utf-8")))
        assert not {name for name in named - there if not name.endswith("-NAME")}, page.name


# --- docs/bulk.md -------------------------------------------------------------------------


def test_the_commands_of_bulk_run_one_after_the_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, server: Server
) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    rows = [{"id": n, "question": "1+3?", "answer": "so\n#### 4", "response": said} for n, said in enumerate("45")]
    lines = "".join(json.dumps(row) + "\n" for row in rows)
    parts = {
        "rollouts": rows,
        "mine": [{"question": row["question"], "gold": "4", "response": row["response"]} for row in rows],
        "questions": [{name: row[name] for name in ("id", "question", "answer")} for row in rows],
        "responses": [{name: row[name] for name in ("id", "response")} for row in rows],
    }
    for name, some in parts.items():
        (tmp_path / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in some))
    parquet.write_table(pyarrow.Table.from_pylist(rows), tmp_path / "train.parquet")

    def judged_on_ray(address: str, how: Any, files: Any, wanted: Any) -> Iterator[Any]:
        assert address == "auto"
        return (results for _, results in bulk.judged(how, in_chunks(raw_rows(files, wanted))))

    monkeypatch.setattr(on_ray, "judged_on_ray", judged_on_ray)
    monkeypatch.setattr(bulk, "Processes", Inline)
    monkeypatch.chdir(tmp_path)
    [execute] = re.findall(r"--args=(\S+)", (DOCS / "bulk.md").read_text())
    with gcs.running(monkeypatch) as storage:
        storage.put("team", "rollouts/a.jsonl", lines.encode())
        storage.put("my-rollouts", "step-100/a.jsonl", lines.encode())
        outputs = []
        for words in [*of_ours(DOCS / "bulk.md"), ["score", *execute.split(",")]]:
            deployed = [word.replace("https://math-verifier-abc-ew.a.run.app", server.url) for word in words]
            outputs.append(run(deployed))
            assert "mean score 0.5000" in outputs[-1], words
    assert len(outputs) == 11
    assert "0 of 2 rows changed against scores.jsonl" in "".join(outputs)
    assert len(server.asked) == 1


# --- knowledge-base.md, sandbox.md, rewards.md, own-verifier.md -----------------------------


def test_the_commands_of_the_knowledge_base_run_one_after_the_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("facts.jsonl").write_text('{"question": "What is the capital of Freedonia?", "answer": "Fredville"}\n')
    Path("more.csv").write_text("question,answer\nWho rules Freedonia?,Rufus Firefly\n")
    outputs = [run(words) for words in of_ours(DOCS / "knowledge-base.md") if "facts.db" in words]
    assert len(outputs) == 4
    assert "Fredville" in outputs[2]


@pytest.mark.parametrize("name", ["knowledge-base.md", "sandbox.md"])
def test_the_programs_of_a_page_run(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    names: dict[str, Any] = {}
    for block in blocks(DOCS / name, "python"):
        exec(compile(block, name, "exec"), names)
    if name == "sandbox.md":
        assert capsys.readouterr().out == "1.0\n"
        names["verifier"].sandbox.close()
    else:
        question = {"prompt": "What is the capital of France?", "response": "Paris"}
        assert names["verifier"].check(_request("knowledge", question)).score == 1.0


def test_the_command_of_rewards_is_answered_where_its_compiler_is() -> None:
    [words] = of_ours(DOCS / "rewards.md")
    done = CliRunner().invoke(app, words)
    told = json.loads(done.output)
    assert (done.exit_code, told["score"]) == (0, 1.0) or "g++ is not installed" in told["reason"]


def test_the_function_that_serves_a_verifier_of_your_own_is_there() -> None:
    [words] = [
        words
        for block in blocks(DOCS / "own-verifier.md")
        for words in commands(block)
        if "functions-framework" in words[0]
    ]
    given = dict(zip(words[1::2], words[2::2], strict=True))
    source = (ROOT / given["--source"]).read_text()
    assert f"\n{given['--target']} = cloud_function(" in source
    assert set(given) == {"--source", "--target", "--port"}


def _request(name: Any, body: dict[str, Any]) -> Any:
    from verifleet.verification import parse_request

    return parse_request(name, body)
