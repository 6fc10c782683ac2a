"""What a function installs in the cloud is what pyproject.toml names."""

import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
NAMED = {*PROJECT["dependencies"], *(line for extra in PROJECT["optional-dependencies"].values() for line in extra)}
FOLDERS = sorted(path.parent for path in ROOT.glob("functions/*/main.py"))


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_requirements_are_of_the_project_and_pin_the_framework_that_knows_asgi(folder: Path) -> None:
    lines = (folder / "requirements.txt").read_text().split("\n")
    required = [line for line in lines if line and not line.startswith("#")]
    assert "functions-framework>=3.10" in required
    assert {"starlette>=0.50", "prometheus-client>=0.22", "google-cloud-pubsub>=2.30"} <= set(required)
    assert {"pydantic>=2.12", "pydantic-settings>=2.10"} <= set(required)
    assert not [line for line in required if line not in NAMED]
