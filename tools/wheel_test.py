"""`make wheel-test`: wheel and sdist, built twice to the same bytes; the wheel in an empty venv, where the doctor runs.

It needs the network: pip fetches what the wheel names.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
import venv
from pathlib import Path

from tools.distributions import build
from tools.toolbox import ROOT

SAMPLE = ROOT / "shared" / "verifleet" / "doctor" / "sample" / "rollouts.jsonl"


def main() -> int:
    """Build, install, examine."""
    with tempfile.TemporaryDirectory(prefix="verifleet-wheel-") as name:
        folder = Path(name)
        once, again = build(folder / "once"), build(folder / "again")
        if [one.read_bytes() for one in once] != [other.read_bytes() for other in again]:
            raise SystemExit("two builds of the same sources differ")
        print(f"{' and '.join(file.name for file in once)}: the same twice")
        wheel = once[0]
        venv.create(folder / "venv", with_pip=True)
        here = folder / "venv" / "bin"
        _run([str(here / "pip"), "--disable-pip-version-check", "install", "-q", f"{wheel}[rewards]"], folder)
        print(_run([str(here / "verifleet"), "--version"], folder).strip())
        told = _run([str(here / "verifleet"), "doctor", "--sample", "--json", "--html", "doctor.html"], folder, 1)
        page = (folder / "doctor.html").stat().st_size
    return _judged(json.loads(told)["cases"], page)


def _judged(cases: dict[str, list[dict[str, str]]], page: int) -> int:
    """Whether each planted fault was found, and nothing else."""
    found = {(kind, case["id"]) for kind, several in cases.items() for case in several if "probe" not in case["note"]}
    rows = map(json.loads, SAMPLE.read_text("utf-8").splitlines())
    planted = {(row["planted"], row["id"]) for row in rows if row.get("planted")}
    print(
        f"{len(found & planted)} of {len(planted)} planted faults found, {len(found - planted)} besides; {page} bytes"
    )
    return 0 if found == planted and page else 1


def _run(command: list[str], folder: Path, status: int = 0) -> str:
    """What a command prints; stops where it ends otherwise than with `status`."""
    started = time.monotonic()
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    shown = " ".join([Path(command[0]).name, *command[1:]]).replace(str(folder), "…")
    print(f"{time.monotonic() - started:5.1f} s  {shown}", flush=True)
    if done.returncode != status:
        raise SystemExit(f"it ended with {done.returncode}: {(done.stderr or done.stdout)[-2000:]}")
    return done.stdout


if __name__ == "__main__":
    sys.exit(main())
