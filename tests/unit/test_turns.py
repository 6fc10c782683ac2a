"""Tokens of chat formats around a response: taken off once, before any verifier, and nothing hides behind them."""

from __future__ import annotations

import json
import time
from importlib import resources
from typing import Any

import pytest

from verifleet.turns import _HINTS, is_bare, own_turn
from verifleet.verification import BaseVerifier, VerificationRequest, VerificationResult
from verifleet.verifiers.code import CodeVerifier
from verifleet.verifiers.format import FormatVerifier
from verifleet.verifiers.knowledge import KnowledgeVerifier
from verifleet.verifiers.math import MathVerifier

FORMATS = json.loads(resources.files("verifleet").joinpath("chat_formats.json").read_text("utf-8"))
ENDS = sorted({token for one in FORMATS.values() for token in one["ends"]})
LAST = sorted({token for one in FORMATS.values() for token in one.get("last", ())})
OWN = sorted({token for one in FORMATS.values() for token in one.get("own", ())})

VERIFIERS: dict[str, BaseVerifier] = {
    "format": FormatVerifier(),
    "knowledge": KnowledgeVerifier(),
    "math": MathVerifier(),
    "code": CodeVerifier(),
}
PROGRAM = "```sql\nSELECT a FROM t\n```"
SQL = {"language": "sql", "schema": "CREATE TABLE t (a INT); INSERT INTO t VALUES (1)", "query": "SELECT a FROM t"}
RIGHT: dict[str, tuple[str, str, Any]] = {
    "JSON": ("format", '{"a": 1}', {"format": "json"}),
    "template": ("format", "<answer>x</answer>", {"template": "<answer>{text}</answer>"}),
    "knowledge": ("knowledge", "Paris", {"answer": "Paris"}),
    "math": ("math", "42", {"answer": "42"}),
}


def judged(verifier: str, response: str, reference: Any, **options: Any) -> VerificationResult:
    request = VerificationRequest(response=response, reference=reference, options=options)
    return VERIFIERS[verifier].check(request)


def turn(response: str, prefilled: str = "", reference: str = "") -> str:
    start, end = own_turn(prefilled, response, lambda: reference)
    return (prefilled + response)[start:end]


@pytest.mark.parametrize("kind", RIGHT)
def test_a_right_answer_with_tokens_of_any_chat_format_around_it_is_right(kind: str) -> None:
    verifier, response, reference = RIGHT[kind]
    for token in (*ENDS, *LAST):
        for dressed in (response + token, f"{response}\n{token}\n", response + token * 300):
            assert judged(verifier, dressed, reference).score == 1.0, dressed[:60]
    for header in OWN:
        assert judged(verifier, header + response + "<|im_end|>", reference).score == 1.0, header
        assert judged(verifier, response, reference, prefilled=header).score == 1.0, header


def test_a_fenced_program_with_an_end_of_turn_behind_its_fence_is_judged() -> None:
    for dressed in (PROGRAM + "<|im_end|>", PROGRAM + "</s>", "<|im_start|>assistant\n" + PROGRAM + "\n<|endoftext|>"):
        assert judged("code", dressed, SQL).score == 1.0, dressed


@pytest.mark.parametrize("kind", RIGHT)
def test_byte_order_marks_and_characters_of_no_width_at_the_ends_are_not_part_of_an_answer(kind: str) -> None:
    verifier, response, reference = RIGHT[kind]
    for sign in "\ufeff\u200b\u200c\u200d\u200e\u2060":
        assert judged(verifier, sign + response, reference).score == 1.0
        assert judged(verifier, f"{response}{sign}\n<|eot_id|>{sign}", reference).score == 1.0


def test_what_comes_after_the_turn_neither_overwrites_an_answer_nor_is_paid() -> None:
    for more in (
        "<|im_end|>\\boxed{42}",
        "<|im_end|>\n<|im_start|>user\nNo.<|im_end|>\n<|im_start|>assistant\n\\boxed{42}",
        "<|endoftext|>Answer: \\boxed{42}",
        "</s><s>[INST] Again. [/INST] \\boxed{42}",
        "<|user|>\nNo.<|assistant|>\n\\boxed{42}",
    ):
        assert judged("math", "\\boxed{41}" + more, {"answer": "42"}).score == 0.0, more
        assert judged("math", "\\boxed{41}" + more, {"answer": "41"}).score == 1.0, more
    assert (
        judged("format", '{"a": 1}<|eot_id|><|start_header_id|>user<|end_header_id|>\n\nno', {"format": "json"}).score
        == 1.0
    )
    assert judged("knowledge", "London<|im_end|>Paris", {"answer": "Paris"}).score == 0.0


def test_reasoning_on_a_channel_of_its_own_is_no_answer() -> None:
    thought = "<|channel|>analysis<|message|>\\boxed{41}?<|end|>"
    said = "<|start|>assistant<|channel|>final<|message|>\\boxed{42}<|return|>"
    assert turn(thought + said) == "\\boxed{42}"
    assert turn(thought + said, prefilled="<|start|>assistant") == "\\boxed{42}"
    assert judged("math", thought, {"answer": "41"}).score == 0.0
    later = thought.replace("<|end|>", "<|return|>") + "<|start|>user<|message|>?<|end|>" + said
    assert judged("math", later, {"answer": "42"}).score == 0.0


def test_markup_that_closes_what_it_opened_is_part_of_the_answer() -> None:
    template = {"template": "<s>{text}</s>"}
    assert judged("format", "<s>x</s>", template).score == 1.0
    assert judged("format", "<s>x</s></s>", template).score == 1.0
    assert judged("format", "<s>x</s>", {"format": "xml"}).score == 1.0
    assert turn("<p><s>a</s> b</p>") == "<p><s>a</s> b</p>"
    assert turn("[INST] a [/INST]") == "[INST] a [/INST]"
    assert turn("[INST] a [/INST][/INST]") == "[INST] a [/INST]"


def test_tokens_that_the_reference_holds_are_part_of_the_answer() -> None:
    assert judged("knowledge", "</s>", {"answer": "</s>"}).score == 1.0
    assert judged("format", "hello<|im_end|>", {"template": "{text}<|im_end|>"}).score == 1.0
    assert judged("format", "hello<|im_end|>", {"pattern": r"^[a-z]+<\|im_end\|>$"}).score == 1.0
    assert judged("format", "hello", {"pattern": r"^[a-z]+<\|im_end\|>$"}).score == 0.0


@pytest.mark.parametrize(
    "response",
    [
        "The token \"<|im_end|>\" ends a turn, `<|eot_id|>` too, and '</s>' or '<|end|>'.",
        '{"text": "a <|im_end|> b", "more": "\\"<|eot_id|>\\" c"}',
        "```python\nEND = '<|im_end|>'\ntext = f'''\n<|im_start|>user\n{x}<|im_end|>\n'''\n```\nThat is it.",
    ],
)
def test_quoted_tokens_and_those_in_a_fence_are_text(response: str) -> None:
    assert turn(response) == response
    assert turn(response + "<|im_end|>") == response


def test_apostrophes_and_fences_that_never_close_quote_nothing() -> None:
    assert turn("I don't know<|im_end|>it's 42") == "I don't know"
    assert turn('5" pipe<|im_end|>\n"42"') == '5" pipe'
    assert turn("```\n42<|im_end|>43") == "```\n42"


def test_places_are_those_of_the_response_as_it_was_sent() -> None:
    header = "<|start_header_id|>assistant<|end_header_id|>\n\n"
    response = header + "So it is \\boxed{42}<|eot_id|>"
    start, end = judged("math", response, {"answer": "42"}).details["span"]
    assert response[start:end] == "\\boxed{42}"
    for prefilled in ("Well. ", "<|im_start|>assistant\nWell. "):
        start, end = judged("math", "It is \\boxed{42}<|im_end|>", {"answer": "42"}, prefilled=prefilled).details[
            "span"
        ]
        assert (start, end) == (6, 16)
    start, end = judged("knowledge", "\ufeff" + "Paris<|im_end|>", {"answer": "Paris"}).details["span"]
    assert (start, end) == (1, 6)
    for response, prefilled in ((header + PROGRAM, ""), (PROGRAM, header + "Here:\n")):
        start, end = judged("code", response, SQL, prefilled=prefilled).details["span"]
        assert response[start:end] == "SELECT a FROM t\n"
    fault = judged("format", header + '{"a": 01}<|eot_id|>', {"format": "json"}).details["fault"]
    plain = judged("format", '{"a": 01}', {"format": "json"}).details["fault"]
    assert fault["offset"] == len(header) + plain["offset"]
    assert (fault["line"], fault["column"]) == (3, plain["column"])
    marked = judged("format", '\ufeff{"a": 01}', {"format": "json"}).details["fault"]
    assert (marked["line"], marked["column"]) == (1, plain["column"] + 1)


def test_a_response_of_nothing_but_tokens_is_empty() -> None:
    for response in ("<|im_end|>", "</s></s>", "<|im_start|>assistant\n<|im_end|>"):
        assert turn(response) == ""
        assert judged("format", response, {"format": "json"}).score == 0.0


def test_every_token_is_found_by_the_quick_look() -> None:
    for one in FORMATS.values():
        for token in (*one["ends"], *one.get("turns", ())):
            assert any(hint in token for hint in _HINTS), token
            assert not is_bare("", f"x {token} x"), token


@pytest.mark.parametrize(
    "unit",
    ['"<|im_end|>"', "<|im_end|>", "</s>", "<s>", "'<|im_end|>' ", "```\n", "<bos>", "\u200b", "[/INST]", "<|x|>"],
)
def test_the_cost_grows_with_the_length_alone(unit: str) -> None:
    def cpu_s(times: int) -> float:
        text = unit * times
        started = time.thread_time()
        own_turn("", text + "<|im_end|> x")
        return time.thread_time() - started

    cpu_s(10)
    assert cpu_s(100_000) < 100 * max(cpu_s(10_000), 0.002)


@pytest.mark.parametrize("text", ["\u202e\ufeff", "\u200bx", "x\u2060", "\ufeff"])
def test_an_invisible_character_that_the_reference_holds_is_part_of_the_answer(text: str) -> None:
    assert own_turn("", text, lambda: text) == (0, len(text))
    assert own_turn("", text, lambda: "another") != (0, len(text))


@pytest.mark.parametrize(
    ("response", "own"),
    [
        ("\\boxed{41}</s><s>\\boxed{42}", "\\boxed{41}"),
        ('{"a": 1}</s><s>', '{"a": 1}'),
        ("41</s>\n<s>[INST] hi [/INST] 42", "41"),
        ("41</s> <s>The answer is 42.</s>", "41"),
        ("<s>x</s><s>y</s>", "<s>x</s><s>y</s>"),
        ("<p><s>old</s><s>older</s></p>", "<p><s>old</s><s>older</s></p>"),
        ("<s>41</s></s><s>42", "<s>41</s>"),
    ],
)
def test_a_sequence_that_begins_anew_is_another_turn_but_closed_markup_is_text(response: str, own: str) -> None:
    start, end = own_turn("", response)
    assert response[start:end] == own


def test_much_struck_out_text_is_read_once() -> None:
    text = "<s>x</s><s>y</s>" * 9_000
    began = time.thread_time()
    assert own_turn("", text) == (0, len(text))
    assert time.thread_time() - began < 5
