"""`make mutants`: how many small faults planted in comparers and guards their tests notice, by cosmic-ray.

    python -m tools.mutants                 all of MODULES; minutes
    python -m tools.mutants template        those whose path holds the word

Each fault is planted in a copy of the sources, and the module's own fast tests run. What survives is told with its
place; under FLOOR the exit code is 1.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from tools.toolbox import ROOT, binaries

FLOOR = 0.85
TOOL = ("cosmic-ray==8.7.0",)
MODULES = {
    "verifiers/code/comparison.py": "tests/unit/code/test_comparison.py",
    "verifiers/format/template.py": "tests/unit/format/test_template.py",
    "template_syntax.py": "tests/unit/test_template_syntax.py tests/unit/format/test_template.py",
    "serving/strict_json.py": "tests/unit/serving/test_strict_json.py",
}
# Types are not looked at while a program runs, and a pass of `X | None` to something else is the same program.
_FILTERS = 'exclude-operators = ["core/ReplaceBinaryOperator_BitOr_.*", "core/RemoveDecorator"]'


def main() -> int:
    """Plant the faults, module by module."""
    wanted = [name for name in MODULES if len(sys.argv) < 2 or sys.argv[1] in name]
    killed = total = 0
    with tempfile.TemporaryDirectory(prefix="verifleet-mutants-") as name:
        copy = Path(name)
        for part in ("shared", "tests", "tools"):
            shutil.copytree(ROOT / part, copy / part, ignore=shutil.ignore_patterns("__pycache__", "*.egg-info"))
        shutil.copy(ROOT / "pyproject.toml", copy)
        for module in wanted:
            survivors, planted = _of(copy, module)
            killed, total = killed + planted - len(survivors), total + planted
            print(f"{module}: {planted - len(survivors)} of {planted} killed", flush=True)
            for line in survivors:
                print("   survived", line)
    share = killed / total if total else 0.0
    print(f"{killed} of {total} killed, {100 * share:.1f} %; at least {100 * FLOOR:.0f} % are wanted")
    return 0 if share >= FLOOR else 1


def _of(copy: Path, module: str) -> tuple[list[str], int]:
    """What survived, as texts, and how many faults there were."""
    path = f"shared/verifleet/{module}"
    command = f"{sys.executable} -m pytest -x -q -p no:cacheprovider -p no:xdist {MODULES[module]}"
    settings = copy / "mutants.toml"
    settings.write_text(
        f'[cosmic-ray]\nmodule-path = "{path}"\ntimeout = 60.0\ntest-command = "{command}"\n'
        f'distributor.name = "local"\n[cosmic-ray.filters.operators-filter]\n{_FILTERS}\n'
    )
    tool = binaries("mutants", TOOL)
    session = copy / "session.sqlite"
    session.unlink(missing_ok=True)
    for words in (["init"], ["exec"]):
        if words == ["exec"]:
            _run([str(tool / "cr-filter-operators"), str(session), str(settings)], copy)
        _run([str(tool / "cosmic-ray"), *words, str(settings), str(session)], copy)
    survivors, planted = [], 0
    for line in _run([str(tool / "cosmic-ray"), "dump", str(session)], copy).splitlines():
        work, result = json.loads(line)
        if result is None or result.get("worker_outcome") == "skipped":
            continue
        planted += 1
        if result["test_outcome"] == "survived":
            [mutation] = work["mutations"]
            survivors.append(f"{module}:{mutation['start_pos'][0]} {mutation['operator_name'].removeprefix('core/')}")
    return survivors, planted


def _run(command: list[str], folder: Path) -> str:
    environment = {
        **os.environ,
        "PYTHONPATH": f"{folder / 'shared'}{os.pathsep}{folder}",
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{command[0]} failed: {done.stderr[-2000:]}")
    return done.stdout


if __name__ == "__main__":
    sys.exit(main())
