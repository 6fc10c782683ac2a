"""docs/doctor.md and docs/second-opinion.md: each of their examples is run as it stands."""

import re
import shlex
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from tests.unit.doctor.test_doctor import _in_this_process as _in_this_process
from tests.unit.test_second_opinion import Server
from tests.unit.test_second_opinion import server as server
from verifleet.cli import _add_sub_commands, app
from verifleet.commands import watching
from verifleet.doctor.contracts import CONTRACTS
from verifleet.doctor.sample import ROLLOUTS
from verifleet.readers.shapes import RESPONSES
from verifleet.settings import SETTINGS

_add_sub_commands()
DOCS = Path(__file__).parents[3] / "docs"
DOCTOR, OPINION = ((DOCS / name).read_text("utf-8") for name in ("doctor.md", "second-opinion.md"))


def blocks(page: str, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)


def test_the_commands_run_in_the_order_of_the_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    reward, logging = blocks(DOCTOR, "python")
    Path("my_reward.py").write_text(reward)
    for name, rows in zip(("rollouts.jsonl", "labelled.jsonl"), blocks(DOCTOR, "jsonl"), strict=True):
        Path(name).write_text(rows)
    exec(compile(logging, "docs/doctor.md", "exec"), {})
    outputs = []
    for command in "".join(blocks(DOCTOR, "sh")).splitlines():
        run = CliRunner().invoke(app, shlex.split(command)[1:])
        outputs.append((run.exit_code, run.output))
        assert run.exit_code in (0, 1), run.output
    (doctor, found), (watch, figures), (audit, _) = outputs
    assert (doctor, watch, audit) == (1, 0, 0)
    assert "Your reward accepts what ours refuses: 1 row" in found
    assert "Your reward refuses what ours accepts: 1 row" in found
    assert "only short 0, only verifleet_math 1, both 1" in figures
    assert sorted(file.name for file in tmp_path.glob("*.html")) == ["audit.html", "doctor.html", "watch.html"]


def test_what_the_page_says_of_the_program_is_so() -> None:
    assert all(f"`{contract}`" in DOCTOR for contract in CONTRACTS)
    assert " ".join(RESPONSES) in " ".join(DOCTOR.split())
    planted = [line for line in ROLLOUTS.read_text("utf-8").splitlines() if '"planted"' in line]
    assert f"{len(ROLLOUTS.read_text('utf-8').splitlines())} rollouts with {len(planted)} planted faults" in DOCTOR
    assert {"malformed", "unknown", "error"} < set(watching.VERDICTS)


def test_the_example_of_a_second_opinion_runs(server: Server) -> None:
    names: dict[str, Any] = {"JUDGE_URL": server.url, "JUDGE_KEY": "key"}
    (example,) = blocks(OPINION, "python")
    exec(compile(example, "docs/second-opinion.md", "exec"), names)
    for name in SETTINGS:
        if name.startswith("second_opinion"):
            assert f"`VERIFLEET_{name.upper()}`" in OPINION
