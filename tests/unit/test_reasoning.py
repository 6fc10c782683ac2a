"""Reasoning in the tags that models use is no part of an answer, for every verifier."""

import json
import time
from importlib import resources
from typing import Any

import pytest

from verifleet.reasoning import answer_in
from verifleet.verification import BaseVerifier, VerifierName, parse_request
from verifleet.verifiers.code import CodeVerifier
from verifleet.verifiers.format import FormatVerifier
from verifleet.verifiers.knowledge import KnowledgeVerifier
from verifleet.verifiers.math import MathVerifier

TAGS = json.loads(resources.files("verifleet").joinpath("reasoning_tags.json").read_text("utf-8"))
VERIFIERS: dict[VerifierName, BaseVerifier] = {
    "math": MathVerifier(),
    "code": CodeVerifier(),
    "knowledge": KnowledgeVerifier(),
    "format": FormatVerifier(),
}
TABLE = {"language": "sql", "schema": "CREATE TABLE t (a INT); INSERT INTO t VALUES (1)", "query": "SELECT a FROM t"}
RIGHT: dict[VerifierName, tuple[str, str, dict[str, Any]]] = {
    "math": ("\\boxed{42}", "\\boxed{41}", {"answer": "42"}),
    "code": ("```sql\nSELECT a FROM t\n```", "```sql\nSELECT 2\n```", TABLE),
    "knowledge": ("It is Paris.", "It is Lyon.", {"answer": "Paris"}),
    "format": ('{"a": 1}', '{"a": }', {"format": "json"}),
}


def score(name: VerifierName, response: str, reference: Any = None, **fields: Any) -> float | None:
    raw = {"response": response, "reference": reference, **fields}
    return VERIFIERS[name].check(parse_request(name, raw)).score


@pytest.mark.parametrize("opening", TAGS)
@pytest.mark.parametrize("name", RIGHT)
def test_what_follows_the_reasoning_is_the_answer(name: VerifierName, opening: str) -> None:
    right, wrong, reference = RIGHT[name]
    closing = TAGS[opening]
    assert score(name, f"{opening}\nIs it {wrong}?\n{closing}\n\n{right}", reference) == 1.0
    assert score(name, f"\ufeff\n{opening}{closing}{right}<|im_end|>", reference) == 1.0
    assert score(name, f"{wrong}{closing}{right}", reference, options={"prefilled": opening}) == 1.0
    assert score(name, f"{opening}\n{right}\n{closing}\n\n{wrong}", reference) == 0.0
    assert score(name, f"{opening}\n{right}\n{closing}", reference) == 0.0
    assert score(name, f"{opening}\n{right}", reference) == 0.0


def test_pieces_of_reasoning_may_follow_one_another() -> None:
    assert answer_in("<thinking>a</thinking>\n<scratchpad>b</scratchpad> c") == (49, -1)
    assert answer_in("<think>a</think><thinking>b") == (16, 16)
    assert answer_in("<thinking>a</thinking> <think>b") == (22, 23)


@pytest.mark.parametrize(
    ("response", "reference", "prompt"),
    [
        ("<reasoning>so</reasoning><a>4</a>", {"template": "<reasoning>{text}</reasoning><a>{int}</a>"}, ""),
        ("<reasoning>so</reasoning>", {"format": "xml", "root": "reasoning"}, ""),
        ("<d><thinking>a</thinking></d>", {"format": "xml"}, ""),
        (
            "<thinking>so</thinking>\n<answer>4</answer>",
            None,
            "Think in <thinking></thinking> tags, then answer in <answer></answer> tags.",
        ),
    ],
)
def test_tags_that_are_asked_for_are_part_of_the_answer(response: str, reference: Any, prompt: str) -> None:
    assert score("format", response, reference, prompt=prompt) == 1.0


def test_tags_in_the_midst_of_an_answer_are_text() -> None:
    assert score("knowledge", "Paris, as <thinking> tells", {"answer": "Paris"}) == 1.0
    assert score("math", "\\boxed{42} [THINK]", {"answer": "42"}) == 1.0


def test_many_tags_are_read_in_linear_time() -> None:
    started = time.thread_time()
    for tag in (*TAGS, *TAGS.values(), "<thinking></thinking>"):
        answer_in(tag * (2_000_000 // len(tag)))
    assert time.thread_time() - started < 10.0
