"""The guide from tasks to verifiers."""

import json

import pytest

from verifleet.verification import parse_request
from verifleet.verifiers.format import FormatVerifier
from verifleet.verifiers.selection import GUIDES, Guide, guide


@pytest.mark.parametrize(
    ("task", "verifier"),
    [
        ("algebra", "math"),
        ("Calculus", "math"),
        ("word problems", "math"),
        ("a Python function", "code"),
        ("JavaScript", "code"),
        ("SQL query", "code"),
        ("factual questions", "knowledge"),
        ("email", "format"),
        ("JSON", "format"),
        ("XML", "format"),
        ("think tags", "format"),
    ],
)
def test_a_task_finds_its_verifier_first(task: str, verifier: str) -> None:
    assert guide(task)[0].verifier == verifier


def test_an_empty_task_lists_everything_and_an_unknown_one_nothing() -> None:
    assert guide() == list(GUIDES)
    assert guide("sculpture") == []
    assert guide("\ud800") == []


def test_every_verifier_has_a_guide() -> None:
    assert {entry.verifier for entry in GUIDES} == {"math", "code", "knowledge", "format"}


@pytest.mark.parametrize("entry", GUIDES, ids=lambda entry: entry.task)
def test_every_example_is_a_request_that_its_verifier_takes(entry: Guide) -> None:
    request = parse_request(entry.verifier, json.loads(entry.example))
    if entry.verifier == "format" and request.reference.format not in ("python", "javascript", "sql"):
        assert FormatVerifier().check(request).score == 1.0
