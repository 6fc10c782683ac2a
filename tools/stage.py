"""Stages functions as they are uploaded: the files of their folder and the package beside them, as a folder and a zip.

    python -m tools.stage -o build/functions [NAME ...]

The same sources always give the same bytes and the same `version` (a file beside the zips, and the prefix that
they are uploaded under), so that unchanged functions are not built again in the cloud.
What a function installs is locked by version and hash (tools/lock.py), so that a rollback is a rollback.
The package's own name never stands in requirements.txt: what runs is the copy beside main.py, never an index's.
"""

from __future__ import annotations

import argparse
import fnmatch
import hashlib
import shutil
import sys
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "shared" / "verifleet"
FUNCTIONS = sorted(path.parent.name for path in ROOT.glob("functions/*/main.py"))

# What only a laptop, a trainer or a build uses.
LEFT_OUT = (
    *(
        "commands/*",
        "local/*",
        "scoring/*",
        "ray.py",
        "rewards/*",
        "readers/*",
        "doctor/*",
        "audits/*",
        "knowledge_base/build.py",
    ),
    *("cli.py", "__main__.py", "client.py", "html_page.py", "figures.py", "*.jsonl", "*.pyc"),
)
KEPT = (
    # The adapters of trainers that ask by URL, and what they share.
    *("rewards/_*.py", "rewards/nemo_gym.py", "rewards/open_instruct.py", "rewards/openrlhf.py", "rewards/slime.py"),
)
# Data that one function reads, and no other.
DATA_OF = {
    "knowledge_base/general_knowledge.db": "knowledge_verifier",
    "encoder/data/vocabulary.json": "knowledge_verifier",
    "encoder/data/weights.npz": "knowledge_verifier",
    **{f"desk/{name}": "summarizer_agent" for name in ("index.html", "desk.css", "desk.js")},
    **{f"serving/openapi/{name}.json": name for name in FUNCTIONS},
}

_FIRST_DAY_OF_ZIP = (1980, 1, 1, 0, 0, 0)


def staged_files(name: str) -> Iterator[tuple[str, Path]]:
    """(path in the staged folder, source file) of a function, in a fixed order."""
    folder = ROOT / "functions" / name
    for path in sorted(folder.iterdir()):
        if path.is_file() and path.name != "requirements.in":
            yield path.name, path
    for path in sorted(PACKAGE.rglob("*")):
        inside = path.relative_to(PACKAGE).as_posix()
        if path.is_file() and _belongs(inside, name):
            yield f"verifleet/{inside}", path


def _belongs(inside: str, name: str) -> bool:
    if inside in DATA_OF:
        return DATA_OF[inside] == name
    return _matches(inside, KEPT) or not _matches(inside, LEFT_OUT)


def _matches(inside: str, patterns: Sequence[str]) -> bool:
    return any(fnmatch.fnmatch(inside, pattern) for pattern in patterns)


def stage(name: str, out: Path) -> Path:
    """Write `out/NAME/` and `out/NAME.zip` anew; returns the folder. Raises ValueError for an unknown function."""
    if name not in FUNCTIONS:
        raise ValueError(f"unknown function {name!r}; there are: {', '.join(FUNCTIONS)}")
    folder = out / name
    shutil.rmtree(folder, ignore_errors=True)
    with zipfile.ZipFile(_parent(out / f"{name}.zip"), "w", zipfile.ZIP_DEFLATED) as archive:
        for inside, source in staged_files(name):
            data = source.read_bytes()
            _parent(folder / inside).write_bytes(data)
            entry = zipfile.ZipInfo(inside, _FIRST_DAY_OF_ZIP)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, data)
    return folder


def _parent(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    return path


def main(arguments: Sequence[str] | None = None) -> int:
    """Stage what is named, or all."""
    parser = argparse.ArgumentParser(description="Stage functions as they are uploaded.")
    parser.add_argument("names", nargs="*", help=f"default: all of {', '.join(FUNCTIONS)}")
    parser.add_argument("-o", "--out", type=Path, default=ROOT / "build" / "functions")
    chosen = parser.parse_args(arguments)
    try:
        version = hashlib.sha256()
        for name in chosen.names or FUNCTIONS:
            stage(name, chosen.out)
            packed = chosen.out / f"{name}.zip"
            version.update(packed.read_bytes())
            print(f"{packed}  {packed.stat().st_size / 1024:.0f} kB")
        (chosen.out / "version").write_text(version.hexdigest()[:16])
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
