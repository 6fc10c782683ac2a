"""Locks what each function, the code runner and a developer install: every package by version and hash.

    python -m tools.lock            write every requirements.txt anew, from its requirements.in
    python -m tools.lock --check    say which is not current; needs no network
    python -m tools.lock --sbom -o build/sbom    a CycloneDX list of each artifact's packages, out of the locks
    python -m tools.lock --audit    known vulnerabilities of what is locked

What the runner installs is named by pyproject.toml's extra `runner`, what its image may offer to programs besides by
the extra `numpy`, what tests, checks and pages need by the extras `dev` and `docs` (`make install-locked`). A lock's
first lines say what it was made from, so that a change of requirements.in that is not locked is found without asking
an index.
"""

from __future__ import annotations

import argparse
import hashlib
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tools.toolbox import ROOT, binaries

PYTHON = "3.11"
PLATFORM = "x86_64-unknown-linux-gnu"
LOCKERS = ("uv==0.13.9",)
# Extras are kept, beside a line without them: where one package asks for `google-auth[requests]<3` and another for
# `google-auth<3`, some versions of pip (23.2 is one) don't take the pin of the one for the other, but the newest
# version, which they then refuse, since it is not pinned.
OPTIONS = ("--generate-hashes", "--no-strip-extras")
LISTERS = ("cyclonedx-bom==7.5.0", "pip-audit==2.10.1")
RUNNER = ROOT / "infra" / "code_runner"
_HEADER = "# Made by `make lock`; edit {source} instead. Made from sha256:{digest}\n"
_MADE_FROM = re.compile(r"Made from sha256:(\w+)")
_PIN = re.compile(
    r"^(?P<name>[A-Za-z0-9][\w.\-]*)(?P<extras>\[[\w.,\-]+\])?==(?P<version>[\w.!+]+)(?P<rest>.*?)(?=^\S|\Z)",
    re.MULTILINE | re.DOTALL,
)


@dataclass(frozen=True)
class Artifact:
    """What is installed somewhere: its name, its direct requirements, and the file that locks them all."""

    name: str
    source: str
    requirements: tuple[str, ...]
    lock: Path

    @property
    def digest(self) -> str:
        """Of everything that the lock depends on, but for the index."""
        text = "\n".join([*sorted(self.requirements), PYTHON, PLATFORM, *LOCKERS, *OPTIONS])
        return hashlib.sha256(text.encode()).hexdigest()


def artifacts(root: Path = ROOT) -> tuple[Artifact, ...]:
    """The functions, the runner, and what the project is developed with."""
    functions = sorted(root.glob("functions/*/requirements.in"))
    found = [
        Artifact(file.parent.name, file.name, tuple(_lines(file.read_text("utf-8"))), file.with_suffix(".txt"))
        for file in functions
    ]
    runner = root / "infra" / "code_runner"
    return (
        *found,
        Artifact("code_runner", "pyproject.toml", _requirements(root, "runner"), runner / "requirements.txt"),
        Artifact("code_runner_numpy", "pyproject.toml", _requirements(root, "numpy", alone=True), runner / "numpy.txt"),
        Artifact("development", "pyproject.toml", _requirements(root, "dev", "docs"), root / "requirements-dev.txt"),
    )


def _lines(text: str) -> Iterator[str]:
    for line in text.split("\n"):
        if line.strip() and not line.startswith("#"):
            yield line.strip()


def _requirements(root: Path, *wanted: str, alone: bool = False) -> tuple[str, ...]:
    """What some extras ask for, with what the project itself does unless it is wanted `alone`."""
    project = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]
    extras = project["optional-dependencies"]
    found, ahead = set() if alone else set(project["dependencies"]), [*wanted]
    while ahead:
        for line in extras[ahead.pop()]:
            named = Requirement(line)
            if named.name == project["name"]:
                ahead.extend(sorted(named.extras))
            else:
                found.add(line)
    return tuple(sorted(found))


def write(artifact: Artifact) -> None:
    """Resolve an artifact's requirements and write its lock."""
    command = [str(binaries("lock-tools", LOCKERS) / "uv"), "pip", "compile", "-", "--quiet", *OPTIONS]
    command += ["--no-header", "--no-config", "--python-version", PYTHON, "--python-platform", PLATFORM]
    done = subprocess.run(
        command, input="\n".join(artifact.requirements), capture_output=True, text=True, check=False, cwd=ROOT
    )
    if done.returncode:
        raise SystemExit(f"{artifact.name} can't be locked: {done.stderr.strip()[-2000:]}")
    lines = [line for line in done.stdout.split("\n") if not line.lstrip().startswith("#")]
    text = plain_beside_extras("\n".join(lines))
    artifact.lock.write_text(_HEADER.format(source=artifact.source, digest=artifact.digest) + text)


def plain_beside_extras(text: str) -> str:
    """A lock in which each pin with extras has one without them before it."""
    return _PIN.sub(lambda pin: pin[0].replace(pin["extras"], "", 1) + pin[0] if pin["extras"] else pin[0], text)


def problems(artifact: Artifact) -> Iterator[str]:
    """What is wrong with an artifact's lock."""
    if not artifact.lock.is_file():
        yield f"{artifact.name} has no lock: run `make lock`"
        return
    text = artifact.lock.read_text("utf-8")
    made_from = _MADE_FROM.search(text)
    if made_from is None or made_from[1] != artifact.digest:
        yield f"{artifact.name}: {artifact.source} has changed since it was locked: run `make lock`"
    found = list(_PIN.finditer(text))
    pins = {canonicalize_name(pin["name"]): pin["version"] for pin in found if not pin["extras"]}
    for pin in found:
        if "--hash=sha256:" not in pin["rest"]:
            yield f"{artifact.name}: {pin['name']}=={pin['version']} has no hash: run `make lock`"
        if canonicalize_name(pin["name"]) not in pins:
            yield f"{artifact.name}: {pin['name']}{pin['extras']} is not locked without extras: run `make lock`"
    for line in artifact.requirements:
        wanted = Requirement(line)
        pinned = pins.get(canonicalize_name(wanted.name))
        if pinned is None or not wanted.specifier.contains(pinned, prereleases=True):
            yield f"{artifact.name}: {line} is locked as {pinned or 'nothing'}: run `make lock`"


def list_packages(artifact: Artifact, out: Path) -> Path:
    """Write the artifact's packages as CycloneDX; the same lock always gives the same file."""
    target = out / f"{artifact.name}.cdx.json"
    out.mkdir(parents=True, exist_ok=True)
    tool = binaries("lock-tools-lists", LISTERS) / "cyclonedx-py"
    options = ["--output-reproducible", "--of", "JSON", "-o", str(target)]
    _run([str(tool), "requirements", "-", *options], each_once(artifact.lock.read_text("utf-8")))
    return target


def each_once(text: str) -> str:
    """A lock without the pins that repeat another one for its extras."""
    return _PIN.sub(lambda pin: "" if pin["extras"] else pin[0], text)


def audit(artifact: Artifact) -> None:
    """Ask for known vulnerabilities of what is locked; stops at the first artifact that has any."""
    tool = binaries("lock-tools-lists", LISTERS) / "pip-audit"
    _run([str(tool), "--requirement", str(artifact.lock), "--require-hashes", "--disable-pip", "--strict"])


def _run(command: list[str], given: str | None = None) -> None:
    if subprocess.run(command, check=False, input=given, text=True).returncode:
        raise SystemExit(1)


def main(arguments: Sequence[str] | None = None) -> int:
    """Lock, check, list or audit what is named, or all."""
    parser = argparse.ArgumentParser(description="Lock what functions and the code runner install.")
    parser.add_argument("names", nargs="*", help="default: all")
    parser.add_argument("--check", action="store_true", help="only say what is not current")
    parser.add_argument("--sbom", action="store_true", help="write CycloneDX lists")
    parser.add_argument("--audit", action="store_true", help="ask for known vulnerabilities")
    parser.add_argument("-o", "--out", type=Path, default=ROOT / "build" / "sbom")
    chosen = parser.parse_args(arguments)
    known = {one.name: one for one in artifacts()}
    unknown = sorted(set(chosen.names) - known.keys())
    if unknown:
        print(f"unknown: {', '.join(unknown)}; there are: {', '.join(known)}", file=sys.stderr)
        return 2
    wanted = [known[name] for name in chosen.names or known]
    if chosen.check:
        found = [problem for one in wanted for problem in problems(one)]
        print("\n".join(found) or f"{len(wanted)} locks are current")
        return 1 if found else 0
    for one in wanted:
        if chosen.sbom:
            print(list_packages(one, chosen.out))
        elif chosen.audit:
            audit(one)
        else:
            write(one)
            print(one.lock.relative_to(ROOT))
    return 0


if __name__ == "__main__":
    sys.exit(main())
