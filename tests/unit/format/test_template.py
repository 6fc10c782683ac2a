"""Tag templates."""

import pytest

from tests.unit.format.conftest import Judge
from verifleet.errors import ShapeError
from verifleet.verification import parse_request

TWO = "<think>{text}</think><answer>{text}</answer>"


@pytest.mark.parametrize(
    ("template", "text"),
    [
        (TWO, "<think>a</think><answer>b</answer>"),
        (TWO, "\n<think>\na\n</think>\n\n<answer>b</answer>\n"),
        (TWO, "<think>a < b and <b>bold</b></think><answer>c</answer>"),
        ("<think>{text}</think>{text}", "<think>a</think> b"),
        ("<a>{}</a>", "<a>1</a>"),
        ("<plan>{plan}</plan><answer>{answer}</answer>", "<plan>1</plan><answer>2</answer>"),
        ("<n>{int}</n>", "<n> -12 </n>"),
        ("<n>{number}</n>", "<n>1.5e-3</n>"),
        ("Answer: {text}", "Answer: 42"),
        ("<n>{json}</n>", '<n>\n{"a": 1}\n</n>'),
        ("{{{text}}}", "{x}"),
    ],
)
def test_a_response_in_the_template_is_accepted(judge: Judge, template: str, text: str) -> None:
    assert judge(text, {"format": "template", "template": template}).score == 1.0


@pytest.mark.parametrize(
    ("template", "text", "rule"),
    [
        (TWO, "", "missing_tag"),
        (TWO, "<think>a</think>", "missing_tag"),
        (TWO, "<answer>b</answer><think>a</think>", "tag_order"),
        (TWO, "<think>a</think><answer>b</answer><answer>c</answer>", "repeated_tag"),
        (TWO, "<think>a<think>b</think></think><answer>c</answer>", "repeated_tag"),
        (TWO, "<think><answer>b</answer></think>", "tag_order"),
        (TWO, "<think>a<answer>b</think></answer>", "tag_order"),
        (TWO, "<think> </think><answer>b</answer>", "empty_content"),
        (TWO, "<think>a</think><answer></answer>", "empty_content"),
        (TWO, "<think>a</think>so<answer>b</answer>", "outside"),
        (TWO, "Hi<think>a</think><answer>b</answer>", "outside"),
        (TWO, "<think>a</think><answer>b</answer>.", "outside"),
        (TWO, "<Think>a</Think><answer>b</answer>", "tag_order"),
        ("<think>{text}</think>{text}", "<think>a</think>", "empty_content"),
        ("Answer: {text}", "The answer: 42", "missing_text"),
        ("<n>{json}</n>", "<n>{a}</n>", "key"),
        ("<n>{int}</n>", "<n>1.5</n>", "int"),
        ("<n>{int}</n>", "<n>²</n>", "int"),
        ("<n>{number}</n>", "<n>1,5</n>", "number"),
        ("<n>{number}</n>", "<n>NaN</n>", "number"),
    ],
)
def test_a_response_out_of_the_template_is_refused(judge: Judge, template: str, text: str, rule: str) -> None:
    result = judge(text, {"template": template})
    assert result.score == 0.0
    assert result.details["fault"]["rule"] == rule


def test_a_fault_inside_a_placeholder_is_placed_in_the_response(judge: Judge) -> None:
    text = "<n>\n[1,]</n>"
    fault = judge(text, {"template": "<n>{json}</n>"}).details["fault"]
    assert text[fault["offset"]] == ","


@pytest.mark.parametrize(
    "template", ["{json}{text}", "<a>{text</a>", "", "<a>}</a>", "{JSON}", "{jsn}", "<JSON>{JSON}</JSON>", "<a>{x}</a>"]
)
def test_an_unusable_template_is_refused_with_the_request(template: str) -> None:
    with pytest.raises(ShapeError) as caught:
        parse_request("format", {"response": "x", "reference": {"template": template}})
    assert [field.path for field in caught.value.fields] == ["reference.template"]


def test_an_unknown_placeholder_is_told_the_known_ones() -> None:
    with pytest.raises(
        ShapeError, match=r"\{jsn\} is not known; did you mean \{json\}\? There are .*ndjson.*int.*text"
    ):
        parse_request("format", {"response": "x", "reference": {"template": "<a>{jsn}</a>"}})


def test_the_format_template_needs_a_template() -> None:
    with pytest.raises(ShapeError, match="needs template"):
        parse_request("format", {"response": "x", "reference": {"format": "template"}})
