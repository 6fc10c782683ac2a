"""Wheel and sdist, the same bytes for the same commit.

    python -m tools.distributions [FOLDER]    default: dist

Times are those of the last commit (SOURCE_DATE_EPOCH). setuptools writes an sdist with the times of files and the
builder's name; it is packed anew in order, without them.
"""

from __future__ import annotations

import gzip
import io
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

from tools.toolbox import ROOT

_BACKEND = """
import sys
from setuptools import build_meta
out = sys.argv[1]
build_meta.build_sdist(out)
build_meta.build_wheel(out)
"""
SOURCES = ("pyproject.toml", "README.md", "LICENSE", "NOTICE", "shared")


def build(out: Path) -> tuple[Path, Path]:
    """The wheel and the sdist, made in `out` of the sources alone: what an earlier build left does not come in."""
    epoch = os.environ.get("SOURCE_DATE_EPOCH") or _of_the_commit()
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="verifleet-dist-") as name:
        folder = Path(name)
        (folder / "out").mkdir()
        for source in SOURCES:
            _copy(ROOT / source, folder / source)
        done = subprocess.run(
            [sys.executable, "-c", _BACKEND, str(folder / "out")],
            cwd=folder,
            env={**os.environ, "SOURCE_DATE_EPOCH": epoch},
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            raise SystemExit(f"the distributions can't be built: {done.stderr[-2000:]}")
        [wheel], [sdist] = (folder / "out").glob("*.whl"), (folder / "out").glob("*.tar.gz")
        made = out / wheel.name, out / sdist.name
        shutil.copyfile(wheel, made[0])
        made[1].write_bytes(_in_order(sdist, int(epoch)))
    return made


def _of_the_commit() -> str:
    command = ["git", "log", "-1", "--format=%ct"]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()


def _copy(source: Path, target: Path) -> None:
    if source.is_dir():
        shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__", "*.egg-info"))
    else:
        shutil.copy(source, target)


def _in_order(sdist: Path, epoch: int) -> bytes:
    """The same archive, in order and without whose it was when."""
    packed = io.BytesIO()
    with (
        tarfile.open(sdist) as given,
        gzip.GzipFile("", "wb", fileobj=packed, mtime=epoch) as zipped,
        tarfile.open(fileobj=zipped, mode="w", format=tarfile.PAX_FORMAT) as tar,
    ):
        for member in sorted(given.getmembers(), key=lambda member: member.name):
            plain = tarfile.TarInfo(member.name)
            plain.type, plain.size, plain.mtime = member.type, member.size, epoch
            plain.mode = 0o755 if member.isdir() or member.mode & 0o100 else 0o644
            tar.addfile(plain, given.extractfile(member) if member.isfile() else None)
    return packed.getvalue()


def main() -> int:
    """Build them."""
    for file in build(Path(sys.argv[1] if len(sys.argv) > 1 else "dist")):
        print(file)
    return 0


if __name__ == "__main__":
    sys.exit(main())
