# ruff: noqa: E501
"""The evaluator of plain asserts agrees with Python itself."""

import math
from typing import Any

import pytest

from verifleet.verifiers.code import asserts

VALUES: list[Any] = [
    0, 1, 3, -2, True, False, None, 0.5, 3.0, math.nan, math.inf, "", "abc", "3", b"hi", [], [1, 2], [2, 1], [[1], [2]],
    (), (1, 2), {}, {"a": 1}, {1: 2}, set(), {1, 2}, frozenset({1}), 2**70, 1 + 2j, [1, "a"], [None], range(3),
]  # fmt: skip
EXPRESSIONS = """f(0) == 1; f(0) == [1, 2]; f(0) == {'a': 1}; f(0) != 3; 1 < f(0) < 4; f(0) is None; f(0) is True; not f(0)
f(0) in (1, 3); 1 in f(0); len(f(0)) == 2; sorted(f(0)) == [1, 2]; set(f(0)) == {1, 2}; tuple(f(0)) == (1, 2); f(0)[-1] == 2
abs(f(0) - 0.5) < 1e-6; round(f(0), 2) == 0.5; sum(f(0)) == 3; max(f(0)) == 2; math.isclose(f(0), 0.5); f(0)['a'] == 1
isinstance(f(0), int); isinstance(f(0), list); isinstance(f(0), (list, tuple)); isinstance(f(0), str); -f(0) == 2
isinstance(f(0), dict) and f(0)['a'] == 1; f(0) is None or len(f(0)) == 2; f(0) == 1 or f(0)[0] == 1; f(0) and f(0) == 3
not f(0) or f(0)[0] == 2; f(0) == 3 or (f(0) != 3 and f(0)[0] == 1); f(0) + [3] == [1, 2, 3]; f(0) % 2 == 1; f(0) == f(0)"""


@pytest.mark.parametrize("expression", [part.strip() for part in EXPRESSIONS.replace("\n", ";").split(";")])
def test_an_assert_holds_where_it_holds_in_python(expression: str) -> None:
    plan = asserts.plan(f"assert {expression}", "f")
    assert plan is not None
    for value in VALUES:
        try:
            expected = bool(eval(expression, {"f": lambda _, value=value: value, "math": math}))
        except (TypeError, ValueError, LookupError, ArithmeticError):
            expected = False
        try:
            assert plan.holds(0, [value] * expression.count("f(0)")) is expected, (expression, value)
        except asserts.UnknownFormError:
            continue  # the judge process decides
