"""Function calls in a response: the styles that are read, tools' schemas, expected calls with alternatives."""

from contextlib import suppress
from time import thread_time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from verifleet.verification import VerificationResult, parse_request
from verifleet.verifiers.format.tool_calls import read_calls
from verifleet.verifiers.format.verifier import FormatVerifier

VERIFIER = FormatVerifier()
WEATHER = {
    "type": "function",
    "function": {
        "name": "get_weather",
        "parameters": {
            "type": "object",
            "properties": {"city": {"type": "string"}, "days": {"type": "integer"}},
            "required": ["city"],
        },
    },
}
PARIS = {"name": "get_weather", "arguments": {"city": "Paris"}}
ROME = {"name": "get_weather", "arguments": {"city": "Rome"}}


def judged(response: str, options: dict[str, Any] | None = None, **reference: Any) -> VerificationResult:
    request = {"response": response, "reference": {"format": "tool_call", **reference}, "options": options or {}}
    return VERIFIER.check(parse_request("format", request, ""))


@pytest.mark.parametrize(
    "response",
    [
        '{"name": "get_weather", "arguments": {"city": "Paris"}}',
        '[{"name": "get_weather", "parameters": {"city": "Paris"}}]',
        '{"function": {"name": "get_weather", "arguments": "{\\"city\\": \\"Paris\\"}"}}',
        '{"tool_calls": [{"type": "function", "function": {"name": "get_weather", "arguments": {"city": "Paris"}}}]}',
        'I look it up.\n<tool_call>\n{"name": "get_weather", "arguments": {"city": "Paris"}}\n</tool_call>',
        "<tool_call><function=get_weather>\n<parameter=city>\nParis\n</parameter>\n</function></tool_call>",
        '<function_calls><invoke name="get_weather"><parameter name="city">Paris</parameter></invoke></function_calls>',
        '[TOOL_CALLS] [{"name": "get_weather", "arguments": {"city": "Paris"}}]',
        '<|python_tag|>get_weather(city="Paris")',
        "[get_weather(city='Paris')]",
        '```python\nget_weather(city="Paris")\n```',
        '<think>which city?</think>{"name": "get_weather", "arguments": {"city": "Paris"}}<|im_end|>',
        '<|python_tag|>{"name": "get_weather", "parameters": {"city": "Paris"}};',
        '[TOOL_CALLS]get_weather[CALL_ID]a1[ARGS]{"city": "Paris"}',
        "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>get_weather\n```json\n"
        '{"city": "Paris"}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
        '<｜tool▁call▁begin｜>get_weather<｜tool▁sep｜>{"city": "Paris"}<｜tool▁call▁end｜>',
        '<｜DSML｜invoke name="get_weather">\n<｜DSML｜parameter name="city" string="true">Paris</｜DSML｜parameter>\n'
        "</｜DSML｜invoke>",
        '<|tool_call_begin|>functions.get_weather:0<|tool_call_argument_begin|>{"city": "Paris"}<|tool_call_end|>',
        '<|channel|>commentary to=functions.get_weather <|constrain|>json<|message|>{"city": "Paris"}<|call|>',
        '<|tool_call|>[{"name": "get_weather", "arguments": {"city": "Paris"}}]<|/tool_call|>',
        '<|START_ACTION|>[{"tool_name": "get_weather", "parameters": {"city": "Paris"}}]<|END_ACTION|>',
        "<tool_call>get_weather\n<arg_key>city</arg_key>\n<arg_value>Paris</arg_value>\n</tool_call>",
        'Action: get_weather\nAction Input: {"city": "Paris"}',
        '```tool_code\nprint(get_weather(city="Paris"))\n```',
        '{"function_call": {"name": "get_weather", "arguments": "{\\"city\\": \\"Paris\\"}"}}',
        '[{"type": "text", "text": "ok"}, {"type": "tool_use", "name": "get_weather", "input": {"city": "Paris"}}]',
    ],
)
def test_a_call_is_read_in_every_usual_style(response: str):
    assert judged(response, tools=[WEATHER], expected=[PARIS]).score == 1.0
    assert judged(response, tools=[WEATHER], expected=[ROME]).score == 0.0


@pytest.mark.parametrize(
    ("response", "told"),
    [
        ("It is sunny in Paris.", "holds no function call"),
        ('{"name": "fly", "arguments": {}}', "There is no tool 'fly'"),
        ('{"name": "get_weather", "arguments": {"days": 2}}', "city"),
        ('{"name": "get_weather", "arguments": {"city": "Paris", "days": "two"}}', "integer"),
        ('{"name": "get_weather", "arguments": {"city": "Paris", "hour": 3}}', "has no parameter 'hour'"),
        ("<tool_call>{broken</tool_call>", "can't be read"),
        ('get_weather(city=open("x").read())', "holds no function call"),
    ],
)
def test_a_wrong_call_says_what_is_wrong(response: str, told: str):
    result = judged(response, tools=[WEATHER])
    assert result.score == 0.0
    assert told in result.reason


def test_calls_come_in_any_order_unless_the_reference_says_otherwise():
    response = '[get_weather(city="Rome"), get_weather(city="Paris")]'
    assert judged(response, expected=[PARIS, ROME]).score == 1.0
    assert judged(response, expected=[PARIS, ROME], ordered=True).score == 0.0


def test_a_call_too_many_is_wrong_and_a_missing_one_leaves_a_share():
    two = '[get_weather(city="Rome"), get_weather(city="Paris")]'
    assert judged(two, {"partial": True}, expected=[PARIS]).score == 0.0
    assert judged('[get_weather(city="Rome")]', {"partial": True}, expected=[PARIS, ROME]).score == 0.5


def test_alternatives_and_optional_arguments_are_right_too():
    expected = [{"name": "f", "arguments": {"x": 1}, "alternatives": {"x": [2], "y": ["a", "b"]}, "optional": ["y"]}]
    assert [judged(call, expected=expected).score for call in ("f(x=1.0)", "f(x=2, y='b')", "f(x=3)", "f(y='a')")] == [
        1.0,
        1.0,
        0.0,
        0.0,
    ]
    assert judged("f(x=True)", expected=expected).score == 0.0


def test_the_answers_of_a_function_calling_leaderboard_are_taken_as_they_are():
    expected = [{"area.triangle": {"base": [10], "height": [5, 5.0], "unit": ["cm", ""]}}]
    assert judged("[area.triangle(base=10, height=5)]", expected=expected).score == 1.0
    assert judged("[area.triangle(base=10, height=6)]", expected=expected).score == 0.0


def test_no_call_is_right_where_none_is_expected():
    assert judged("I can't do that with these tools.", tools=[WEATHER], expected=[]).score == 1.0
    assert judged('[get_weather(city="Paris")]', tools=[WEATHER], expected=[]).score == 0.0


@pytest.mark.parametrize(
    "response",
    [
        "<function=zip><parameter=code>75001</parameter></function>",
        '<invoke name="zip"><parameter name="code">75001</parameter></invoke>',
        "<tool_call>zip\n<arg_key>code</arg_key>\n<arg_value>75001</arg_value></tool_call>",
    ],
)
def test_digits_in_a_tag_are_the_text_that_a_tool_asks_for(response: str):
    zip_code = {"name": "zip", "parameters": {"type": "object", "properties": {"code": {"type": "string"}}}}
    assert judged(response, tools=[zip_code], expected=[{"name": "zip", "arguments": {"code": "75001"}}]).score == 1.0
    assert judged(response, expected=[{"name": "zip", "arguments": {"code": "75001"}}]).score == 1.0
    assert judged(response, tools=[zip_code], expected=[{"name": "zip", "arguments": {"code": "75002"}}]).score == 0.0


@pytest.mark.parametrize("part", ["<tool_call>x", "<function=f>", "[TOOL_CALLS]a ", "Action: a\n", "<arg_key>", "{} ,"])
def test_calls_that_never_end_are_read_in_linear_time(part: str):
    start = thread_time()
    with suppress(ValueError):
        read_calls(part * (100_000 // len(part)))
    assert thread_time() - start < 5


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet="{}[]()<>/=\"\\'`,:ab1 \n", max_size=80))
def test_no_text_breaks_the_reading_of_calls(text: str):
    with suppress(ValueError):
        assert isinstance(read_calls(text), list)
