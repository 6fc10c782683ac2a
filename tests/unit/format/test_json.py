"""JSON by RFC 8259: what is accepted, and the exact first fault of what is not."""

import gc
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from verifleet.verifiers.format.json_text import (
    MAX_DEPTH,
    MAX_PARTS,
    MAX_STEPS,
    check_json,
    check_ndjson,
    offset_at,
)

ACCEPTED = [
    "0",
    "-0",
    "-0.0e-0",
    "1E+2",
    "12.5e10",
    "true",
    "null",
    '""',
    '"\\u00e9\\n\\/"',
    '"\\ud834\\udd1e"',
    '"\\\\ud800"',
    '"\x7f\u2028\U0010ffff"',
    "[]",
    "{}",
    '{"": 0}',
    '{"a": {"a": 1}, "b": [{"a": 1}, {"a": 2}]}',
    "[1,\r\n\t 2]",
    "9" * 5_000,
    "[" * MAX_DEPTH + "]" * MAX_DEPTH,
    '["' + "[" * 2_000 + '"]',
    '["\\\\", "\\"", "' + "[" * 2_000 + '\\\\"]',
    '["\\ud83d\\ude00", "\\\\ud83d", "\\u00e9"]',
]

REFUSED = [
    ("", "empty", 0),
    ("[1,]", "trailing_comma", 2),
    ('{"a":1,}', "trailing_comma", 6),
    ("[,1]", "value", 1),
    ("[1 2]", "comma", 3),
    ('{"a" 1}', "colon", 5),
    ('{"a":}', "value", 5),
    ("{a: 1}", "key", 1),
    ("{'a': 1}", "single_quotes", 1),
    ("['a']", "single_quotes", 1),
    ('{"a":1,"b":{"c":1,"c":2}}', "duplicate_key", 18),
    ('{"a":1,"\\u0061":2}', "duplicate_key", 7),
    ("[NaN]", "constant", 1),
    ("-Infinity", "constant", 0),
    ("[1] [2]", "trailing_text", 4),
    ('{"a":1} Hope this helps!', "trailing_text", 8),
    ('Here is the JSON: {"a":1}', "value", 0),
    ("[1, // one\n2]", "comment", 4),
    ("[1 /* one */]", "comment", 3),
    ("[01]", "number", 2),
    ("[1.]", "number", 2),
    ("[.5]", "number", 1),
    ("[+1]", "number", 1),
    ("[1e]", "number", 2),
    ("[0x1F]", "number", 2),
    ("[1_000]", "number", 2),
    ("[True]", "value", 1),
    ('["\t"]', "control_character", 2),
    ('["a\n"]', "control_character", 3),
    ('["\\x41"]', "escape", 2),
    ('["\\u12G4"]', "escape", 2),
    ('["\\ud800"]', "lone_surrogate", 2),
    ('["\\udc00\\ud800"]', "lone_surrogate", 2),
    ('["\\ud800\\ud800\\udc00"]', "lone_surrogate", 2),
    ('["\ud800"]', "lone_surrogate", 2),
    ("[1", "unclosed", 2),
    ('{"a": "b', "unclosed", 8),
    ("[1}", "comma", 2),
    ("\ufeff[]", "byte_order_mark", 0),
    ("[\u00a01]", "value", 1),
    ("[\uff11]", "value", 1),
    ("[" * 600 + "]" * 600, "depth", MAX_DEPTH),
]


@pytest.mark.parametrize("text", ACCEPTED, ids=lambda text: text[:20])
def test_json_is_accepted(text: str) -> None:
    assert check_json(text) is None


@pytest.mark.parametrize(("text", "rule", "offset"), REFUSED, ids=lambda value: str(value)[:20])
def test_the_first_fault_has_its_rule_and_offset(text: str, rule: str, offset: int) -> None:
    fault = check_json(text)
    assert fault is not None
    assert (fault.rule, fault.offset) == (rule, offset)


def test_too_many_parts_are_not_read() -> None:
    for text in ("[" + "[]," * MAX_PARTS + "1]", "[" + '{"a":1},' * (MAX_PARTS // 2) + "1]"):
        fault = check_json(text)
        assert fault is not None
        assert (fault.rule, fault.kind) == ("parts", "undecided")
    assert check_json("[" + ",".join(['"[[{{::"'] * (MAX_PARTS // 4)) + "]") is None


def test_a_fault_far_into_a_text_keeps_its_rule_and_place() -> None:
    start = "[" + "1, " * MAX_STEPS
    for end, rule, at in (("01]", "comma", 1), ("x]", "value", 0), ('{"a" 1}]', "colon", 5), ("{a: 1}]", "key", 1)):
        fault = check_json(start + end)
        assert fault is not None
        assert (fault.rule, fault.offset) == (rule, len(start) + at)


def test_collection_of_garbage_goes_on_after_a_large_document() -> None:
    large = "[" + "[]," * 100_000 + "1]"
    check_json(large)
    assert gc.isenabled()
    gc.disable()
    try:
        check_json(large + "x")
        assert not gc.isenabled()
    finally:
        gc.enable()


def test_a_fault_names_the_path_to_it_as_a_json_pointer() -> None:
    fault = check_json('{"a/b": [0, {"c~": 01}]}')
    assert fault is not None
    assert fault.path == "/a~1b/1/c~0"


def test_the_offset_of_a_path_is_found() -> None:
    text = '{"x": [1, {"y": "z"}], "": 3}'
    assert offset_at(text, ["x", 1, "y"]) == text.index('"z"')
    assert offset_at(text, [""]) == text.index("3")
    assert offset_at(text, []) == 0


def test_ndjson_has_one_value_on_each_line() -> None:
    assert check_ndjson('{"a":1}\n[2]\r\n"x"') is None
    fault = check_ndjson('{"a":1}\n{"a":}')
    assert fault is not None
    assert (fault.rule, fault.offset, fault.path) == ("value", 13, "/1/a")
    empty = check_ndjson("1\n\n2")
    assert empty is not None
    assert empty.rule == "empty_line"
    pretty = check_ndjson('{\n"a":1}')
    assert pretty is not None


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


@given(json_values, st.booleans(), st.sampled_from([None, 2]))
def test_whatever_the_standard_library_writes_is_accepted(value: Any, ascii_only: bool, indent: int | None) -> None:
    assert check_json(json.dumps(value, ensure_ascii=ascii_only, indent=indent)) is None


@settings(max_examples=300)
@given(json_values, st.data())
def test_a_changed_character_gets_the_verdict_of_a_strict_parser(value: Any, data: st.DataObject) -> None:
    text = json.dumps(value)
    at = data.draw(st.integers(0, len(text) - 1))
    text = (text[:at] + data.draw(st.characters()) + text[at + 1 :]).strip(" \t\r\n")
    fault = check_json(text)
    if fault is None:
        json.loads(text)
    else:
        assert fault.offset is not None
        assert 0 <= fault.offset <= len(text)
        assert fault.rule != "syntax", "the scanner must explain whatever the parser refuses"
