"""Plain data between processes: what goes in comes out, what is not plain data is refused."""

import collections
import contextlib
import datetime
import json
import math
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verifleet.sandbox.guest import wire

SCALARS = (
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text() | st.binary()
    | st.complex_numbers(allow_nan=False) | st.fractions() | st.dates() | st.timedeltas()
)  # fmt: skip
VALUES = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.lists(inner, max_size=4).map(tuple)
        | st.dictionaries(st.text() | st.integers() | st.tuples(st.booleans()), inner, max_size=4)
        | st.frozensets(st.integers() | st.text(), max_size=4)
        | st.sets(st.integers(), max_size=4)
    ),
    max_leaves=20,
)


@given(VALUES)
def test_plain_values_come_back_as_they_were(value: object) -> None:
    back = wire.decode(wire.encode(value))
    assert back == value
    assert type(back) is type(value)


def test_special_values_come_back() -> None:
    values = [
        math.inf,
        10**5000,
        range(1, 9, 2),
        collections.deque([1]),
        bytearray(b"x"),
        Decimal("1.10"),
        Fraction(1, 3),
    ]
    values += [datetime.datetime(2024, 1, 2, 3, 4, 5), datetime.time(1, 2), ...]  # noqa: DTZ001
    assert wire.decode(wire.encode(values)) == values
    assert math.isnan(wire.decode(wire.encode(math.nan)))


def test_subclasses_are_carried_as_their_base_so_that_their_methods_count_for_nothing() -> None:
    class Liar(int):
        def __eq__(self, other: object) -> bool:
            return True

        __hash__ = int.__hash__

    back = wire.decode(wire.encode([Liar(5), collections.Counter("aab"), collections.OrderedDict(x=1)]))
    assert back == [5, {"a": 2, "b": 1}, {"x": 1}]
    assert type(back[0]) is int


@pytest.mark.parametrize("value", [object(), len, lambda: 0, [set], type])
def test_what_is_not_plain_data_is_refused(value: object) -> None:
    with pytest.raises(wire.WireError):
        wire.encode(value)


def test_too_deep_too_many_and_too_large_are_refused() -> None:
    deep: list[object] = []
    for _ in range(100_000):
        deep = [deep]
    with pytest.raises(wire.WireError):
        wire.encode(deep)
    with pytest.raises(wire.WireError):
        wire.encode("x" * (wire.MAX_BYTES + 1))
    with pytest.raises(wire.WireError):
        wire.decode(b"[" * 1_000_000)


@given(st.binary(max_size=200))
def test_any_bytes_are_decoded_or_refused(data: bytes) -> None:
    with contextlib.suppress(wire.WireError):
        wire.decode(data)


TAGS = st.sampled_from(["t", "d", "h", "i", "f", "b", "r", "c", "keys", "date"])
JSON = st.recursive(
    st.none() | st.integers() | st.text(), lambda x: st.lists(x) | st.dictionaries(TAGS, x), max_leaves=9
)


@given(JSON)
def test_any_json_is_decoded_or_refused(data: object) -> None:
    with contextlib.suppress(wire.WireError):
        wire.decode(json.dumps(data).encode())
