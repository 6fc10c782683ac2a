"""What a function installs in the cloud is what pyproject.toml names."""

import re
import tomllib
from dataclasses import replace
from pathlib import Path

import pytest
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
