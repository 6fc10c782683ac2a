"""What is uploaded for a function is enough to run it, and no more than that."""

import ast
import re
import sys
import tomllib
import zipfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from tools.stage import FUNCTIONS, ROOT, stage, staged_files

SHARED = ROOT / "shared"
# What provides each import; google's own namespace by three parts.
PROVIDED_BY = {
    "httpcore": "httpx",  # whose transport it is
    "a2a": "a2a-sdk",
    "email_validator": "email-validator",
    "functions_framework": "functions-framework",
    "google.cloud.firestore": "google-cloud-firestore",
    "google.cloud.pubsub_v1": "google-cloud-pubsub",
    "google.cloud.run_v2": "google-cloud-run",
    "google.cloud.storage": "google-cloud-storage",
    "google.genai": "google-genai",
    "httpx": "httpx",
    "jsonschema_rs": "jsonschema-rs",
    "mpmath": "sympy",
    "opentelemetry": "opentelemetry-exporter-otlp-proto-http",
    "prometheus_client": "prometheus-client",
    "quickjs": "quickjs-ng",
    "typing_extensions": "pydantic",
    "uvicorn": "functions-framework",
    "uvicorn_worker": "functions-framework",
    "yaml": "PyYAML",
    "yaml12": "py-yaml12",
}
WITH_PUBSUB = ("google.api_core", "google.auth", "google.oauth2", "google.protobuf", "google.pubsub_v1", "grpc")
# Reached by an import that these functions never come to: only agents serve A2A, three verifiers keep no store, the
# summarizer looks nothing up.
NEVER_REACHED = {
    "a2a": {name for name in FUNCTIONS if name.endswith("_verifier")},
    "google.cloud.storage": {"summarizer_agent"},
    "google.cloud.firestore": {"math_verifier", "knowledge_verifier", "format_verifier"},
}


@cache
def module_file(module: str) -> Path | None:
    place = SHARED.joinpath(*module.split("."))
    if (place / "__init__.py").is_file():
        return place / "__init__.py"
    return place.with_suffix(".py") if place.with_suffix(".py").is_file() else None


@cache
def imports(file: Path) -> tuple[str, ...]:
    """Every import of a file, lazy ones too, except for type checkers' sake."""
    return tuple(_imports(file))


def _imports(file: Path) -> Iterator[str]:
    tree = ast.parse(file.read_text())
    for_types = {
        id(node)
        for block in ast.walk(tree)
        if isinstance(block, ast.If) and ast.unparse(block.test) == "TYPE_CHECKING"
        for statement in block.body
        for node in ast.walk(statement)
    }
    for node in ast.walk(tree):
        if id(node) in for_types:
            continue
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


@cache
def reached(main: Path) -> tuple[set[Path], set[str]]:
    """Files of the package and imports of others that `main` can come to."""
    files: set[Path] = set()
    others: set[str] = set()
    ahead = [main]
    while ahead:
        file = ahead.pop()
        if file in files:
            continue
        files.add(file)
        for name in imports(file):
            parts = name.split(".")
            if parts[0] == "verifleet":
                found = (module_file(".".join(parts[:end])) for end in range(1, len(parts) + 1))
                ahead.extend(place for place in found if place)
            elif parts[0] not in sys.stdlib_module_names:
                others.add(name)
    return files - {main}, others


def required(name: str) -> set[str]:
    lines = (ROOT / "functions" / name / "requirements.in").read_text().split()
    return {line.split(">")[0].split("[")[0] for line in lines}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_module_that_a_function_can_come_to_is_staged(name: str) -> None:
    files, _ = reached(ROOT / "functions" / name / "main.py")
    assert not files - {source for _, source in staged_files(name)}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_data_file_that_a_function_can_come_to_read_is_staged(name: str) -> None:
    files, _ = reached(ROOT / "functions" / name / "main.py")
    read = {file.parent / data for file in files for data in re.findall(r'joinpath\("([\w.]+)"\)', file.read_text())}
    agents = ROOT / "shared/verifleet/agents"
    read |= {agents / data for file in files for data in re.findall(r'shipped\("([\w/]+\.json)"\)', file.read_text())}
    assert not read - {source for _, source in staged_files(name)}
    assert name != "verifier_agent" or len(read) > 2


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_library_that_a_function_can_come_to_is_in_its_requirements(name: str) -> None:
    _, others = reached(ROOT / "functions" / name / "main.py")
    wanted = set()
    for module in others:
        parts = module.split(".")
        top = ".".join(parts[:3]) if module.startswith("google.cloud.") else ".".join(parts[:2])
        top = top if parts[0] == "google" else parts[0]
        if top.startswith(WITH_PUBSUB) or top == "google.cloud" or name in NEVER_REACHED.get(top, ()):
            continue
        wanted.add(PROVIDED_BY.get(top, top))
    assert not wanted - required(name)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_no_requirement_names_our_own_package(name: str) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["name"]
    assert project not in required(name)


def test_staging_holds_no_samples_no_tests_and_only_its_own_data() -> None:
    for name in FUNCTIONS:
        inside = [path for path, _ in staged_files(name)]
        assert "main.py" in inside
        assert "requirements.txt" in inside, "the lock, so that what is rolled back to is what ran"
        assert "requirements.in" not in inside
        assert not [path for path in inside if "samples" in path or "__pycache__" in path or "broker" in path]
        assert ("verifleet/knowledge_base/general_knowledge.db" in inside) == (name == "knowledge_verifier")


def test_the_same_sources_give_the_same_zip(tmp_path: Path) -> None:
    for folder in ("one", "two"):
        stage("ingest_agent", tmp_path / folder)
    first, second = ((tmp_path / folder / "ingest_agent.zip").read_bytes() for folder in ("one", "two"))
    assert first == second
    with zipfile.ZipFile(tmp_path / "one" / "ingest_agent.zip") as archive:
        assert set(archive.namelist()) == {path for path, _ in staged_files("ingest_agent")}


def test_what_was_staged_before_is_gone(tmp_path: Path) -> None:
    left = tmp_path / "ingest_agent" / "left.py"
    left.parent.mkdir()
    left.write_text("")
    stage("ingest_agent", tmp_path)
    assert not left.exists()


def test_an_unknown_function_is_refused_with_the_names_there_are(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="math_verifier"):
        stage("maths", tmp_path)
