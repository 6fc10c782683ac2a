"""Strict JSON agrees with Python's own decoder on all that it takes."""

import contextlib
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verifleet.errors import ShapeError, TooLargeError
from verifleet.serving import strict_json

leaves = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text()
values = st.recursive(leaves, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=30)


@given(values)
def test_what_is_valid_is_decoded_as_ever(value: Any) -> None:
    assert strict_json.loads(json.dumps(value).encode()) == value


@given(st.binary())
def test_bytes_are_decoded_or_refused(body: bytes) -> None:
    with contextlib.suppress(ShapeError):
        assert json.dumps(strict_json.loads(body), allow_nan=False)


def test_nesting_is_taken_up_to_the_limit_and_no_deeper() -> None:
    limit = strict_json.MAX_DEPTH
    for opening, closing in ((b"[", b"]"), (b'{"a":', b"}")):
        inner = b"1" if opening != b"[" else b""
        strict_json.loads(opening * limit + inner + closing * limit)
        with pytest.raises(ShapeError, match="nested"):
            strict_json.loads(opening * (limit + 1) + b"1" + closing * (limit + 1))
    wide = [[[[]] * 50] * 50] * 2
    assert strict_json.loads(json.dumps(wide).encode()) == wide


def test_brackets_inside_texts_do_not_count() -> None:
    text = "[{," * 100_000
    assert strict_json.loads(json.dumps([text]).encode()) == [text]


def test_a_short_text_may_not_stand_for_millions_of_values() -> None:
    with pytest.raises(TooLargeError, match="250000 values"):
        strict_json.loads(b"[" + b"0," * 300_000 + b"0]")
    with pytest.raises(TooLargeError):
        strict_json.loads(b"[" + b"[0,0]," * 100_000 + b"0]")


def test_a_byte_order_mark_is_forgiven() -> None:
    assert strict_json.loads(b'\xef\xbb\xbf{"a": 1}') == {"a": 1}


@pytest.mark.parametrize(
    ("body", "told"),
    [
        (b'{"b": 1, "a": 2, "a": 3}', "the name 'a' occurs twice in one object"),
        (b'{"b": [{"%s": 1, "%s": 2}]}' % (b"x" * 200, b"x" * 200), f"the name {'x' * 80!r} occurs twice"),
        (b"[1e999]", "the number 1e999 is too large"),
        (b"[-%s.0e400]" % (b"1" * 200), f"the number -{'1' * 39} is too large"),
        (b"[NaN]", "NaN is not JSON"),
        (b"[-Infinity]", "-Infinity is not JSON"),
        (b"[%s]" % (b"1" * 5000), "not acceptable JSON"),
        (b"[1,]", "not JSON: .* at line 1, column"),
        (b'["\xff"]', "not UTF-8: .* at byte 2"),
        (b"[" * 100_000, "nested more than 200 levels deep"),
        (b'[{"a":' * 150 + b"1" + b"}]" * 150, "nested more than 200 levels deep"),
    ],
)
def test_what_parsers_disagree_on_is_refused_by_what_it_is(body: bytes, told: str) -> None:
    with pytest.raises(ShapeError, match=told) as refused:
        strict_json.loads(body)
    assert refused.value.code == "invalid_json"


def test_the_same_name_in_two_objects_is_no_repeat() -> None:
    assert strict_json.loads(b'[{"a": {"a": 1}}, {"a": 2}]') == [{"a": {"a": 1}}, {"a": 2}]


def test_depth_is_counted_by_what_lies_within_and_not_by_brackets() -> None:
    def nested(levels: int) -> bytes:
        return b"[" * levels + b"]" * (levels - 1) + b", []]"

    assert strict_json.loads(nested(strict_json.MAX_DEPTH))[1] == []
    with pytest.raises(ShapeError, match="nested"):
        strict_json.loads(nested(strict_json.MAX_DEPTH + 1))


def test_values_are_counted_with_the_whole_and_without_the_commas_of_texts() -> None:
    assert strict_json.loads(b'["a,,,,,", 1]', max_values=3) == ["a,,,,,", 1]
    with pytest.raises(TooLargeError, match="more than 2 values"):
        strict_json.loads(b'["a,,,,,", 1]', max_values=2)
