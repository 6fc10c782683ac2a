"""docs/trainers and docs/own-verifier.md: each example is run, and what configurations name is there.

Pages whose programs import a trainer's package are run where it is installed: `make test-trainers`.
"""

import ast
import importlib.util
import json
import re
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tests.trainers import open_instruct_recorded

DOCS = Path(__file__).parents[2] / "docs"
PAGES = sorted((DOCS / "trainers").glob("*.md"))
PACKAGES = ("swift", "reasoning_gym")
RECORDED = {"open_instruct.ground_truth_utils": open_instruct_recorded}
"""What stands in for a package that can't be installed."""


def blocks(page: Path, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", page.read_text(), re.MULTILINE | re.DOTALL)


def imported(page: Path, folder: Path) -> Any:
    """The page's program as the module that it says it is."""
    program = blocks(page, "python")[0]
    assert program.startswith("# my_reward.py\n")
    for package in PACKAGES:
        if f"import {package}" in program or f"from {package}" in program:
            pytest.importorskip(package)
    path = folder / "my_reward.py"
    path.write_text(program)
    spec = importlib.util.spec_from_file_location("my_reward", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    there = {name.partition(".")[0]: ModuleType(name) for name in RECORDED} | RECORDED | {"my_reward": module}
    sys.modules.update(there)
    try:
        spec.loader.exec_module(module)
    finally:
        for name in there:
            del sys.modules[name]
    return module


@pytest.mark.parametrize("page", [page for page in PAGES if page.stem != "sandbox-fusion"], ids=lambda page: page.stem)
def test_the_program_of_a_page_runs_and_has_what_its_configuration_names(page: Path, tmp_path: Path) -> None:
    module = imported(page, tmp_path)
    text = page.read_text().replace("my_reward.py", "")
    named = set(re.findall(r"my_reward[.:](\w+)", text))
    for block in blocks(page, "yaml"):
        named |= set(re.findall(r"path: my_reward\.py\n +name: (\w+)", block))
    for name in named:
        assert callable(getattr(module, name)), name


def test_what_configurations_of_trainers_name_is_written_as_they_read_it() -> None:
    yaml = pytest.importorskip("yaml")
    for page in PAGES:
        for block in blocks(page, "yaml"):
            assert isinstance(yaml.safe_load(block), dict)
    verl = yaml.safe_load(blocks(DOCS / "trainers" / "verl.md", "yaml")[0])["reward"]
    assert verl["custom_reward_function"] == {"path": "my_reward.py", "name": "acompute_score"}


def test_the_call_of_sandbox_fusion_is_answered_as_its_page_says() -> None:
    pytest.importorskip("starlette")
    from verifleet.serving.run_code import run_answer, run_request
    from verifleet.verifiers.code import CodeVerifier

    asked, told = map(json.loads, blocks(DOCS / "trainers" / "sandbox-fusion.md", "json"))
    request = run_request(asked)
    assert not isinstance(request, dict)
    answer = run_answer(CodeVerifier().check(request))
    answer["run_result"]["execution_time"] = told["run_result"]["execution_time"]
    assert answer == told


def test_every_adapter_has_a_page_and_every_page_stands_in_the_table() -> None:
    table = (DOCS / "rewards.md").read_text()
    for page in PAGES:
        assert f"(trainers/{page.name})" in table, page.name
    adapters = {path.stem for path in (DOCS.parent / "shared/verifleet/rewards").glob("[a-z]*.py")}
    pages = {page.stem.replace("ms-", "").replace("-", "_") for page in PAGES}
    assert adapters - pages == {"second_opinion"}  # a judge with a page of its own, for any trainer


def test_a_verifier_of_your_own_is_a_reward_and_a_function_as_the_page_says() -> None:
    page, source = DOCS / "own-verifier.md", (DOCS / "examples" / "own_verifier.py").read_text()
    names: dict[str, Any] = {}
    for block in blocks(page, "python"):
        exec(compile(block, "docs/own-verifier.md", "exec"), names)
    shown = ast.get_source_segment(source, ast.parse(source).body[3])
    assert shown is not None
    assert shown in blocks(page, "python")[0]


def test_a_verifier_of_your_own_is_served_with_all_routes() -> None:
    testclient = pytest.importorskip("starlette.testclient")
    pytest.importorskip("functions_framework")
    from verifleet.messaging.publisher import InMemoryPublisher
    from verifleet.serving.app import InProcessBackend, verifier_app
    from verifleet.settings import load_settings

    source = (DOCS / "examples" / "own_verifier.py").read_text().partition("\n\nknowledge_verifier = ")[0]
    names: dict[str, Any] = {}
    exec(compile(source, "own_verifier.py", "exec"), names)
    settings = load_settings(google_cloud_project="test-project")
    backend = InProcessBackend(names["AnagramVerifier"])
    app = verifier_app("knowledge", backend, settings=settings, publisher=InMemoryPublisher())
    body = re.findall(r"-d '(.*?)'$", "\n".join(blocks(DOCS / "own-verifier.md", "sh")), re.MULTILINE | re.DOTALL)[0]
    with testclient.TestClient(app) as client:
        told = client.post("/verify", json=json.loads(body)).json()
        assert (told["score"], told["verifier_version"]) == (1.0, "anagram-1")
        assert client.post("/rm", json={"response": "Silent", "label": "listen"}).json() == 1.0
