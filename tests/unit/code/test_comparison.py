"""What a program gave beside what was expected: equal where a reader would say so, and nowhere else."""

import collections
from typing import Any

import pytest

from verifleet.verifiers.code.comparison import same_output, same_value


@pytest.mark.parametrize(
    ("actual", "expected", "whitespace", "tolerance", "same"),
    [
        ("a\n", "a\n", "exact", None, True),
        ("a\n", "a", "exact", None, False),
        ("a\n", "a", "trailing", None, True),
        ("a  \r\nb\n\n", "a\nb", "trailing", None, True),
        (" a", "a", "trailing", None, False),
        ("a\n\nb", "a\nb", "trailing", None, False),
        ("a  b", "a b", "trailing", None, False),
        (" a \n b ", "a b", "any", None, True),
        ("ab", "a b", "any", None, False),
        ("1.001", "1", "trailing", None, False),
        ("1.001", "1", "trailing", 0.01, True),
        ("1.02", "1", "trailing", 0.01, False),
        ("1", "1.02", "trailing", 0.01, False),
        ("x 1.001 y", "x 1 y", "trailing", 0.01, True),
        ("x 1.001 z", "x 1 y", "trailing", 0.01, False),
        ("x  1.001", "x 1", "trailing", 0.01, False),
        ("x  1.001", "x 1", "any", 0.01, True),
        ("1.001 2", "1", "trailing", 0.01, False),
        ("one", "1", "trailing", 0.01, False),
        ("1", "one", "trailing", 0.01, False),
        ("nan", "nan", "trailing", 0.01, True),
        ("inf", "1e400", "trailing", 0.01, False),
        ("1e0", "+1.", "trailing", 0.01, True),
        (".5", "0.5", "trailing", 0.01, True),
        ("1x", "1", "trailing", 0.01, False),
        ("0.000009", "0", "trailing", 0.01, True),
        ("0.00002", "0", "trailing", 0.01, False),
    ],
)
def test_texts_are_equal_as_their_white_space_and_tolerance_say(
    actual: str, expected: str, whitespace: str, tolerance: float | None, same: bool
) -> None:
    assert same_output(actual, expected, whitespace, tolerance) is same


class Liar:
    def __eq__(self, other: object) -> bool:
        return True

    def __hash__(self) -> int:
        return 0


@pytest.mark.parametrize(
    ("actual", "expected", "same"),
    [
        (1, 1, True),
        (1, 1.0, True),
        (1, 2, False),
        (True, True, True),
        (True, False, False),
        (True, 1, False),
        (1, True, False),
        (0, False, False),
        (float("nan"), float("nan"), True),
        (float("nan"), 1.0, False),
        (1.0, float("nan"), False),
        (10**400, float("nan"), False),
        (10**400, 1.5, False),
        (0.1 + 0.2, 0.3, False),
        ("1", 1, False),
        (1, "1", False),
        ("a", "a", True),
        ("a", "b", False),
        (None, None, True),
        (None, "", False),
        ("", None, False),
        (0, None, False),
        ([1, 2], [1, 2], True),
        ((1, 2), [1, 2], True),
        (collections.deque([1, 2]), [1, 2], True),
        (range(1, 3), [1, 2], True),
        ({"a": 1}.values(), [1], True),
        ([1, 2], [2, 1], False),
        ([1], [1, 2], False),
        ([1, 2], [1], False),
        ("ab", ["a", "b"], False),
        ({1, 2}, [2, 1], True),
        (frozenset({1, 2}), [2, 1], True),
        ({"a": 1}.keys(), ["a"], True),
        ({1, 2}, [1, 3], False),
        ({1, 2}, [1, 1], False),
        ({1}, [1, 1], False),
        ([1, [2, (3,)]], [1, [2, [3]]], True),
        ([1, [2, (3,)]], [1, [2, [4]]], False),
        ({"a": 1}, {"a": 1}, True),
        ({"a": 1}, {"a": 2}, False),
        ({"a": 1}, {"b": 1}, False),
        ({"a": 1, "b": 2}, {"a": 1}, False),
        ({1: "x"}, {"1": "x"}, True),
        ({1.5: "x"}, {"1.5": "x"}, True),
        ({True: "x"}, {"true": "x"}, True),
        ({False: "x"}, {"false": "x"}, True),
        ({None: "x"}, {"null": "x"}, True),
        ({None: "x"}, {"None": "x"}, False),
        ({1: "x", "1": "x"}, {"1": "x", "2": "x"}, False),
        ([("a", 1)], {"a": 1}, False),
        ({"a": [1, 2]}, {"a": [1, 3]}, False),
        (b"a", b"a", True),
        (b"a", b"b", False),
        (bytearray(b"a"), b"a", False),
        (Liar(), 1, False),
        (Liar(), "a", False),
        (Liar(), None, False),
        (Liar(), [1], False),
        (Liar(), {"a": 1}, False),
        (Liar(), b"a", False),
        (Liar(), True, False),
    ],
)
def test_values_are_equal_as_plain_data(actual: Any, expected: Any, same: bool) -> None:
    assert same_value(actual, expected, None) is same


@pytest.mark.parametrize(
    ("actual", "expected", "same"),
    [
        (1.001, 1, True),
        (1.02, 1, False),
        (1, 1.02, False),
        (0.000009, 0, True),
        (0.00002, 0, False),
        (10**400, 1.5, False),
        ([1.001], [1], True),
        ({"a": 1.001}, {"a": 1}, True),
        ({"a": [1.02]}, {"a": [1]}, False),
        ({1.001}, [1], True),
    ],
)
def test_a_tolerance_is_relative_and_reaches_into_values(actual: Any, expected: Any, same: bool) -> None:
    assert same_value(actual, expected, 0.01) is same


def nested(levels: int, kind: str) -> Any:
    value: Any = 1
    for _ in range(levels):
        value = {"a": value} if kind == "object" else [value]
    return value


@pytest.mark.parametrize("kind", ["array", "object"])
def test_what_is_nested_deeper_than_the_bound_is_equal_to_nothing(kind: str) -> None:
    assert same_value(nested(200, kind), nested(200, kind), None)
    assert not same_value(nested(201, kind), nested(201, kind), None)


def test_a_set_counts_as_two_levels() -> None:
    deep: Any = 1
    for _ in range(100):
        deep = frozenset({deep})
    assert same_value(deep, nested(100, "array"), None)
    assert not same_value(frozenset({deep}), nested(101, "array"), None)


def test_a_set_of_more_than_ten_thousand_is_not_searched() -> None:
    assert same_value(set(range(10_000)), list(range(10_000)), None)
    assert not same_value(set(range(10_001)), list(range(10_001)), None)
