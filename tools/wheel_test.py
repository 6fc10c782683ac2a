"""`make wheel-test`: the wheel, built and installed in an empty venv; then `verifleet doctor` on the shipped sample.

It needs the network: pip fetches what builds the wheel, and what the wheel names.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
import time
import venv
from pathlib import Path

from tools.toolbox import ROOT

SOURCES = ("pyproject.toml", "README.md", "LICENSE", "NOTICE", "shared")
SAMPLE = ROOT / "shared" / "verifleet" / "doctor" / "sample" / "rollouts.jsonl"


def main() -> int:
    """Build, install, examine."""
    with tempfile.TemporaryDirectory(prefix="verifleet-wheel-") as name:
        folder = Path(name)
        _copy(folder / "sources")
        pip = [sys.executable, "-m", "pip", "--disable-pip-version-check"]
        _run([*pip, "wheel", "-q", "--no-deps", "-w", str(folder), str(folder / "sources")], folder)
        [wheel] = folder.glob("verifleet-*.whl")
        venv.create(folder / "venv", with_pip=True)
        here = folder / "venv" / "bin"
        _run([str(here / "pip"), "--disable-pip-version-check", "install", "-q", f"{wheel}[rewards]"], folder)
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


def _copy(folder: Path) -> None:
    """The sources alone: what an earlier build left must not come into the wheel."""
    folder.mkdir()
    for name in SOURCES:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, folder / name, ignore=shutil.ignore_patterns("__pycache__", "*.egg-info"))
        else:
            shutil.copy(source, folder)


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
