"""docs/rewards.md: each of its examples is run as it stands."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from tests.unit.format.conftest import Judge
from tests.unit.format.conftest import judge as judge
from tests.unit.format.conftest import workers as workers
from verifleet.messaging.publisher import InMemoryPublisher
from verifleet.serving.app import InProcessBackend, verifier_app
from verifleet.settings import load_settings
from verifleet.verification import VERIFIER_NAMES, FormatReference, Options, VerifierName, parse_request
from verifleet.verifiers.format import FormatVerifier

PAGE = (Path(__file__).parents[3] / "docs" / "rewards.md").read_text()


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


ROWS = [json.loads(line) for block in blocks("jsonl") for line in block.splitlines()]


def test_the_programs_run_one_after_the_other() -> None:
    names: dict[str, Any] = {}
    for block in blocks("python"):
        exec(compile(block, "docs/rewards.md", "exec"), names)
    assert len(blocks("python")) >= 5


@pytest.mark.parametrize("row", ROWS, ids=[json.dumps(row.get("reference", row.get("prompt"))) for row in ROWS])
def test_the_right_response_of_each_row_is_accepted_and_the_wrong_one_is_not(judge: Judge, row: dict[str, Any]) -> None:
    reference, prompt = row.get("reference"), row.get("prompt", "")
    assert judge(row["right"], reference, prompt).score == 1.0
    wrong = judge(row["wrong"], reference, prompt)
    assert (wrong.score, wrong.status) == (0.0, "scored")
    assert wrong.details["fault"].get("in") is None


def test_the_commands_are_answered() -> None:
    bodies = re.findall(r"localhost:8104(\S+) .*?-d '(.*?)'$", "\n".join(blocks("sh")), re.MULTILINE | re.DOTALL)
    settings = load_settings(google_cloud_project="test-project")
    app = verifier_app("format", InProcessBackend(FormatVerifier), settings=settings, publisher=InMemoryPublisher())
    with TestClient(app) as client:
        one, many, reward = [client.post(route, json=json.loads(body)).json() for route, body in bodies]
    assert one["score"] == 1.0
    assert [result["score"] for result in many["results"]] == [1.0, 1.0, 0.0]
    assert f"answers `{json.dumps(reward)}`" in PAGE


@pytest.mark.parametrize("name", VERIFIER_NAMES)
def test_a_plain_text_is_the_reference_that_the_table_says(name: VerifierName) -> None:
    [shown] = re.findall(rf"^\| {name} \| [^|]* \| (`{{.*}}`) \|$", PAGE, re.MULTILINE)
    for text in re.findall("`([^`]+)`", shown):
        meant = json.loads(text)
        [value] = meant.values()
        labelled = parse_request(name, {"response": "", "label": value}).reference
        assert labelled == parse_request(name, {"response": "", "reference": meant}).reference


def test_every_key_of_a_format_reference_is_explained() -> None:
    for name in FormatReference.model_fields:
        assert f"`{name}`" in PAGE
    for name in ("extract", "partial", "tolerance", "format_assertion"):
        assert name in Options.model_fields
        assert f"options.{name}" in PAGE
