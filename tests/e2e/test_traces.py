"""`verifleet up --trace`: real processes, one trace, one tree."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from verifleet.commands.demo import free_addresses

pytestmark = pytest.mark.slow

PROGRAM = {"prompt": 'Test 1: input="a", output="a"', "response": "```python\nprint(input())\n```"}


def test_up_with_trace_shows_a_program_from_the_request_through_the_runner(tmp_path: Path) -> None:
    addresses = free_addresses()
    arguments = ("up", "--trace", "--data-dir", str(tmp_path), "--port-offset", str(addresses.offset))
    up = subprocess.Popen(
        [sys.executable, "-m", "verifleet.cli", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env=os.environ | {"PYTHONUNBUFFERED": "1"},
    )
    shown: list[str] = []
    try:
        assert up.stdout is not None
        for line in up.stdout:
            if "The fleet is up" in line:
                break
        answer = httpx.post(f"{addresses.url('code_verifier')}/verify", json=PROGRAM, timeout=60)
        assert answer.json()["score"] == 1.0
        for line in up.stdout:
            shown.append(line)
            if "deliver code-results.code_verifier" in line:
                break
    finally:
        up.send_signal(signal.SIGINT)
        up.communicate(timeout=30)
    top = next(index for index, line in enumerate(shown) if line.startswith("verify "))
    (executed,) = (index for index, line in enumerate(shown) if "─ execute" in line)
    assert "code_runner" in shown[executed]
    depths = [len(shown[index]) - len(shown[index].lstrip("│├└─ ")) for index in (top, executed, len(shown) - 1)]
    assert depths == sorted(depths)
    assert depths[0] == 0 < depths[1] < depths[2]
