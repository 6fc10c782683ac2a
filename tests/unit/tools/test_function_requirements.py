"""What a function installs in the cloud is what pyproject.toml names."""

import re
import tomllib
from collections import defaultdict
from dataclasses import replace
from functools import cache
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from tools import lock
from tools.lock import Artifact, artifacts, problems

ROOT = Path(__file__).parents[3]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
NAMED = {*PROJECT["dependencies"], *(line for extra in PROJECT["optional-dependencies"].values() for line in extra)}
FOLDERS = sorted(path.parent for path in ROOT.glob("functions/*/main.py"))


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_requirements_are_of_the_project_and_pin_the_framework_that_knows_asgi(folder: Path) -> None:
    lines = (folder / "requirements.in").read_text().split("\n")
    required = [line for line in lines if line and not line.startswith("#")]
    assert "functions-framework>=3.10" in required
    assert {"starlette>=0.50", "prometheus-client>=0.22", "google-cloud-pubsub>=2.30"} <= set(required)
    assert "pydantic>=2.12" in required
    assert not [line for line in required if line not in NAMED]


@pytest.mark.parametrize("artifact", artifacts(), ids=lambda artifact: artifact.name)
def test_what_is_installed_is_locked_by_version_and_hash(artifact: Artifact) -> None:
    assert list(problems(artifact)) == []


@cache
def extras_asked_for(name: str, version: str, own: frozenset[str]) -> dict[str, set[str]]:
    """The extras that an installed package, with extras of its `own`, asks of others; nothing where it is not here."""
    found = defaultdict[str, set[str]](set)
    try:
        about = metadata.distribution(name)
    except metadata.PackageNotFoundError:
        return found
    for line in about.requires or () if about.version == version else ():
        asked = Requirement(line)
        if asked.marker is None or any(asked.marker.evaluate({"extra": extra}) for extra in ("", *own)):
            found[canonicalize_name(asked.name)] |= asked.extras
    return found


@pytest.mark.parametrize("artifact", artifacts(), ids=lambda artifact: artifact.name)
def test_a_lock_pins_what_packages_ask_for_with_extras_and_without_since_pip_takes_neither_for_the_other(
    artifact: Artifact,
) -> None:
    lines = [line.rstrip(" \\") for line in artifact.lock.read_text().split("\n")]
    pins = [Requirement(line) for line in lines if "==" in line]
    assert {one.name for one in pins if one.extras} <= {one.name for one in pins if not one.extras}
    pinned = {canonicalize_name(one.name): one for one in pins}  # of two, the one with extras comes later
    missing = {
        (name, other, extra)
        for name, one in pinned.items()
        for other, extras in extras_asked_for(name, str(one.specifier)[2:], frozenset(one.extras)).items()
        for extra in extras
        if other in pinned and extra not in pinned[other].extras
    }
    assert missing == set()


def test_a_lock_with_a_pin_that_has_extras_only_is_not_current(tmp_path: Path) -> None:
    artifact = next(one for one in artifacts() if one.name == "development")
    without = tmp_path / "requirements.txt"
    without.write_text(
        re.sub(r"^google-auth==.+\n(?: +--hash=.+\n)+", "", artifact.lock.read_text(), flags=re.MULTILINE)
    )
    assert list(problems(replace(artifact, lock=without))) == [
        "development: google-auth[requests] is not locked without extras: run `make lock`"
    ]


def test_a_list_of_packages_names_each_once_though_the_lock_may_pin_it_with_extras_too() -> None:
    text = next(one for one in artifacts() if one.name == "development").lock.read_text()
    names = [line.partition("==")[0] for line in lock.each_once(text).split("\n") if "==" in line]
    assert len(names) == len(set(names))
    assert "google-auth" in names


def test_a_lock_that_was_made_in_another_way_is_not_current(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lock, "OPTIONS", ("--generate-hashes",))
    assert "has changed since it was locked" in next(problems(artifacts()[0]))


def test_a_lock_that_is_not_current_is_found_without_an_index(tmp_path: Path) -> None:
    artifact = artifacts()[0]
    changed = replace(artifact, requirements=(*artifact.requirements, "brotli>=1"))
    assert [problem.split(": ")[1] for problem in problems(changed)] == [
        "requirements.in has changed since it was locked",
        "brotli>=1 is locked as nothing",
    ]
    without = tmp_path / "requirements.txt"
    without.write_text(
        re.sub(r"(annotated-types==[\w.]+) \\\n(?: +--hash=\S+(?: \\)?\n)+", r"\1\n", artifact.lock.read_text())
    )
    (problem,) = problems(replace(artifact, lock=without))
    assert "has no hash" in problem
    assert "has no lock" in next(problems(replace(artifact, lock=tmp_path / "missing.txt")))
