"""The logs of the fleet: bounded, private, and nothing that was written is lost on the way."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import Mock

import pytest
from google.api_core.exceptions import ServiceUnavailable

from verifleet.errors import SettingsError
from verifleet.local.broker.faults import BrokerStartError
from verifleet.local.broker.journal import _locked
from verifleet.local.local_fleet import Fleet, Member, without_secrets
from verifleet.local.logs import LogKeeper, RotatingFile


def lines_of(*paths: Path) -> list[str]:
    return [line for path in paths for line in path.read_text().splitlines()]


def test_files_are_rotated_at_line_ends_and_bounded_in_size_and_number(tmp_path: Path) -> None:
    path = tmp_path / "logs" / "f.log"
    log = RotatingFile(path, max_bytes=1000, older_kept=2)
    written = [f"line {n:05}" for n in range(1000)]
    for start in range(0, 1000, 7):  # chunks that end in the middle of lines
        text = "\n".join(written) + "\n"
        log.write(text[start * 11 : (start + 7) * 11 + 3].encode()[3 if start else 0 :])
    kept = [tmp_path / "logs" / name for name in ("f.log.2", "f.log.1", "f.log")]
    assert sorted((tmp_path / "logs").iterdir()) == sorted(kept)
    assert all(file.stat().st_size < 1100 for file in kept)
    lines = lines_of(*kept)
    assert len(lines) > 150
    assert lines == written[-len(lines) :]
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.parent.stat().st_mode & 0o777 == 0o700


def test_a_log_without_line_ends_is_bounded_too(tmp_path: Path) -> None:
    log = RotatingFile(tmp_path / "f.log", max_bytes=1000, older_kept=1)
    for _ in range(100):
        log.write(b"x" * 100)
    assert sum(file.stat().st_size for file in tmp_path.iterdir()) < 5000


def test_a_log_folder_that_was_removed_is_made_anew(tmp_path: Path) -> None:
    path = tmp_path / "logs" / "f.log"
    log = RotatingFile(path)
    log.write(b"before\n")
    shutil.rmtree(path.parent)
    log.write(b"after\n")
    assert path.read_text() == "after\n"


@pytest.fixture
def keeper(tmp_path: Path) -> Iterator[LogKeeper]:
    keeper = LogKeeper(tmp_path / "logs", ["one", "two"], os.environ)
    yield keeper
    keeper.close()


def test_what_was_written_is_in_the_files_after_sync_also_when_the_keeper_was_killed(
    keeper: LogKeeper, tmp_path: Path
) -> None:
    os.write(keeper.pipe("one"), b"first\n")
    keeper.sync()
    assert lines_of(tmp_path / "logs" / "one.log") == ["first"]
    keeper._process.send_signal(signal.SIGKILL)
    keeper._process.wait()
    os.write(keeper.pipe("one"), b"second\n")
    os.write(keeper.pipe("two"), b"other\n")
    keeper.sync()
    assert lines_of(tmp_path / "logs" / "one.log", tmp_path / "logs" / "two.log") == ["first", "second", "other"]


def test_a_fleet_killed_with_9_leaves_whole_logs_and_no_keeper(tmp_path: Path) -> None:
    program = f"""
import os, sys, time
from pathlib import Path
from verifleet.local.logs import LogKeeper
keeper = LogKeeper(Path({str(tmp_path)!r}), ["one"], os.environ)
os.write(keeper.pipe("one"), b"x" * 60_000 + b"\\n")
print(keeper._process.pid, flush=True)
os.kill(os.getpid(), 9)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False, timeout=20)
    process = Path(f"/proc/{int(done.stdout)}")
    deadline = time.monotonic() + 5
    while process.exists() and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not process.exists()
    assert (tmp_path / "one.log").stat().st_size == 60_001


@pytest.fixture
def small_fleet(tmp_path: Path) -> Iterator[Fleet]:
    """A fleet whose only process says what it was given and ends when told to."""
    fleet = Fleet(tmp_path / "data")
    program = "import os, sys; print(sorted(os.environ)); sys.stdout.flush(); os.stat('.'); os.kill(os.getpid(), 15)"
    fleet.members = [Member("code_verifier", [sys.executable, "-c", program])]
    fleet._keeper = LogKeeper(fleet.logs, ["code_verifier"], os.environ)
    yield fleet
    fleet.stop()


def test_a_process_that_ends_is_restarted_also_when_the_log_folder_is_gone(small_fleet: Fleet) -> None:
    said: list[str] = []
    small_fleet._progress = lambda name, what: said.append(what)
    small_fleet._spawn(small_fleet.members[0])
    deadline = time.monotonic() + 20
    while said.count("restarted") < 2 and time.monotonic() < deadline:
        shutil.rmtree(small_fleet.logs, ignore_errors=True)
        small_fleet.watch()
        time.sleep(0.02)
    assert said.count("restarted") >= 2
    small_fleet._keeper.sync()  # type: ignore[union-attr]


def test_restart_pauses_grow_and_begin_anew_after_a_process_ran_well(small_fleet: Fleet) -> None:
    (member,) = small_fleet.members
    pauses = []
    for ran_s in (0, 0, 0, 60, 0):
        small_fleet._spawn(member)
        member.process.wait(10)  # type: ignore[union-attr]
        member.started_at = time.monotonic() - ran_s
        before = time.monotonic()
        small_fleet.watch()
        pauses.append(round(member.restart_at - before, 1))
    assert pauses == [0.2, 0.4, 0.8, 0.2, 0.4]


def test_only_functions_that_ask_gemini_get_its_key_and_none_gets_other_secrets(
    small_fleet: Fleet, monkeypatch: pytest.MonkeyPatch
) -> None:
    secrets = {"GOOGLE_API_KEY", "GEMINI_API_KEY", "AWS_SECRET_ACCESS_KEY", "GITHUB_TOKEN", "DB_PASSWORD"}
    for name in secrets:
        monkeypatch.setenv(name, "s3cret")
    assert not secrets & without_secrets(small_fleet.environment).keys()
    for name, given in (("code_verifier", set()), ("verifier_agent", {"GOOGLE_API_KEY", "GEMINI_API_KEY"})):
        (member,) = small_fleet.members
        member.name = name
        small_fleet._keeper.close()  # type: ignore[union-attr]
        small_fleet._keeper = LogKeeper(small_fleet.logs, [name], without_secrets(os.environ))
        small_fleet._spawn(member)
        member.process.wait(10)  # type: ignore[union-attr]
        told = small_fleet._last_words(member)
        assert "PATH" in told
        assert {secret for secret in secrets if f"'{secret}'" in told} == given


def test_a_broker_that_can_not_use_its_data_is_quoted_with_the_option_of_the_fleet(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fleet = Fleet(tmp_path)
    fleet.logs.mkdir()
    lock = _locked(tmp_path / "broker.db")
    with pytest.raises(BrokerStartError) as said:
        _locked(tmp_path / "broker.db")
    os.close(lock)
    (fleet.logs / "broker.log").write_text(f"verifleet broker: {said.value}\n")
    broker = fleet.members[0]
    broker.process = subprocess.Popen([sys.executable, "-c", "raise SystemExit(1)"])
    monkeypatch.setattr(fleet, "clients", Mock(side_effect=ServiceUnavailable("failed to connect to all addresses")))
    with pytest.raises(SettingsError) as refused:
        fleet._provision()
    broker.process.wait()
    used = f"another broker already uses {tmp_path / 'broker.db'}: stop it or choose another --data-dir"
    assert str(refused.value) == f"the broker ended at once: {used} (log: {fleet.logs / 'broker.log'})"
