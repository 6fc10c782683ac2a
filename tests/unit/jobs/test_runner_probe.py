"""`python -m verifleet.jobs.code_runner --probe`: one line of JSON and a status that a deployment can go by."""

import json
import os
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from verifleet.jobs.probe import PROGRAMS


def probed(*before: str, **environment: str) -> tuple[int, dict[str, Any]]:
    done = subprocess.run(
        [*before, sys.executable, "-m", "verifleet.jobs.code_runner", "--probe"],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=90,
        check=False,
    )
    (line,) = done.stdout.splitlines()
    return done.returncode, json.loads(line)


@pytest.mark.skipif(sys.platform != "linux" or shutil.which("node") is None, reason="needs Linux and node")
def test_a_probe_runs_a_program_of_each_language_and_package_and_names_the_rung_and_the_kernel() -> None:
    packages = [name for name in ("numpy",) if find_spec(name) is not None]
    status, told = probed(VERIFLEET_SANDBOX_PACKAGES=",".join(packages))
    assert status == 0, told
    assert (told["ok"], told["severity"]) == (True, "INFO")
    assert told["rung"] in ("A", "B", "C")
    ran = [*PROGRAMS, *packages, *(["cpp"] if shutil.which("g++") else [])]
    assert told["languages"] == {name: {"score": 1.0} for name in ran}
    assert told["kernel"].keys() >= {"release", "capabilities", "user_namespaces", "landlock_abi", "user"}


@pytest.mark.skipif(sys.platform != "linux", reason="needs Linux")
def test_a_probe_fails_where_a_language_that_is_demanded_is_not_installed(tmp_path: Path) -> None:
    if (node := shutil.which("node")) is not None:
        (tmp_path / "node").symlink_to(node)
    status, told = probed(VERIFLEET_SANDBOX_LANGUAGES="cpp", PATH=str(tmp_path))
    assert (status, told["languages"]["cpp"]["score"]) == (1, None)
    assert "g++ is not installed" in told["languages"]["cpp"]["reason"]


def test_a_probe_fails_where_isolation_is_weaker_than_the_installation_accepts() -> None:
    before: tuple[str, ...] = ()
    if os.geteuid() == 0:
        if shutil.which("setpriv") is None:
            pytest.skip("needs setpriv, to be a root without privileges")
        before = ("setpriv", "--bounding-set=-sys_admin", "--inh-caps=-sys_admin")
    status, told = probed(*before, VERIFLEET_SANDBOX_MIN_RUNG="A")
    assert status == 1
    assert (told["ok"], told["severity"], told["rung"]) == (False, "ERROR", None)
    assert "rung A" in told["reason"]


def test_a_probe_fails_where_a_language_can_not_be_run(tmp_path: Any) -> None:
    status, told = probed(PATH=str(tmp_path))
    assert status == 1
    assert told["languages"]["python"] == {"score": 1.0}
    assert told["languages"]["javascript"]["score"] is None
    assert "node" in told["languages"]["javascript"]["reason"]
