"""Every format of the wire is whole: each test that a new one fails names the file in which it is missing."""

import ast
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import get_args

import pytest

from tests.unit.format.conftest import InlineWorkers
from tests.unit.format.test_results import FAULTS
from verifleet.verification import FormatName, parse_request
from verifleet.verifiers.format import FormatVerifier
from verifleet.verifiers.format.checkers import CHECKERS
from verifleet.verifiers.format.formats import FORMATS
from verifleet.verifiers.format.prompt import _NAMES as ASKED_FOR
from verifleet.verifiers.selection import GUIDES

ROOT = Path(__file__).parents[3]
NAMES = get_args(FormatName)
COMPOSED = {"template", "instructions", "tool_call"}
"""Those that take more than a name: no prompt asks for them in a word."""


def hostile() -> set[str]:
    """The formats of which there are hostile documents; not imported, since those are a hundred megabytes."""
    source = ast.parse((ROOT / "tests" / "security" / "test_format_hostile.py").read_text())
    [rows] = [
        node.value for node in source.body if isinstance(node, ast.AnnAssign) and ast.unparse(node.target) == "HOSTILE"
    ]
    assert isinstance(rows, ast.Dict)
    return {key.value for key in rows.keys if isinstance(key, ast.Constant) and isinstance(key.value, str)}


def guided() -> set[str | None]:
    """The formats of which the guide has an entry, named or implied."""
    samples = [parse_request("format", json.loads(one.example)) for one in GUIDES if one.verifier == "format"]
    return {FormatVerifier(InlineWorkers()).check(sample).details.get("format") for sample in samples}


def documented() -> set[str]:
    """The formats of the table of references."""
    [listed] = re.findall(r"^\| `format` \| \| `(.*)` \|$", (ROOT / "docs" / "rewards.md").read_text(), re.MULTILINE)
    return set(listed.split())


@pytest.mark.parametrize(
    ("named", "missing_from"),
    [
        (lambda: {*FORMATS}, "shared/verifleet/verifiers/format/formats.py"),
        (lambda: {*CHECKERS, "template"}, "shared/verifleet/verifiers/format/checkers.py"),
        (lambda: {name for name, _ in ASKED_FOR} | COMPOSED, "_NAMES of shared/verifleet/verifiers/format/prompt.py"),
        (guided, "shared/verifleet/verifiers/selection.py"),
        (lambda: hostile() | {"template", "instructions"}, "HOSTILE of tests/security/test_format_hostile.py"),
        (
            lambda: {row[1] for row in FAULTS if isinstance(row[1], str)} | COMPOSED,
            "FAULTS of tests/unit/format/test_results.py",
        ),
        (
            documented,
            "the row `format` of docs/rewards.md",
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_every_format_stands_in(named: Callable[[], set[str | None]], missing_from: str) -> None:
    there = named()
    assert [name for name in NAMES if name not in there] == [], f"add them to {missing_from}"
    assert sorted(name for name in there if name and name not in NAMES) == [], (
        f"{missing_from} has names that shared/verifleet/wire_names.py has not"
    )


@pytest.mark.parametrize("name", NAMES)
def test_the_sample_of_a_format_is_right_and_is_called_by_its_title(name: FormatName) -> None:
    sample = FORMATS[name].sample
    assert bool(sample) == (name not in COMPOSED), "shared/verifleet/verifiers/format/formats.py: give a sample"
    if sample:
        result = FormatVerifier(InlineWorkers()).check(
            parse_request("format", {"response": sample, "reference": {"format": name}})
        )
        assert (result.score, result.reason) == (1.0, f"The response is {FORMATS[name].title}.")
