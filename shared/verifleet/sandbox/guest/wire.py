"""Plain data between processes that don't trust each other: a bounded, typed form of JSON.

Lists travel as arrays; every other container and special number is an object with one tag. Nothing that is decoded
runs code: unknown tags, too much depth and too many values raise WireError.
"""

from __future__ import annotations

import base64
import collections
import datetime
import decimal
import fractions
import functools
import json
import math
import re
from collections.abc import Callable
from typing import Any, NamedTuple

MAX_BYTES = 8 * 1024 * 1024
MAX_VALUES = 1_000_000
MAX_DEPTH = 200

Opaque = Callable[[Any], Any]  # what becomes of a value that can't be carried (encode), of a handle (decode)
_FACTORIES: dict[str, type] = {t.__name__: t for t in (int, float, str, list, dict, set, tuple, bool)}
_CONTAINERS = frozenset(
    ("d", "t", "s", "z", "q", "l", "keys", "values", "items", "m", "named", "counter", "ordered", "default", "objects")
)
_numpy: Any = None
_DTYPE = re.compile(r"[<>|=][biufcSUmM]\d{1,6}(\[\d{0,6}[A-Za-z]{1,2}\])?\Z")


class WireError(ValueError):
    """The bytes are not plain data of this form, or the value can't be carried."""


class _How(NamedTuple):
    """How values are carried; see encode()."""

    opaque: Opaque | None
    whole: frozenset[type]
    as_data: bool
    counter: list[int]

    def note(self, depth: int) -> None:
        """One more value. Raises WireError beyond the bounds."""
        self.counter[0] += 1
        if self.counter[0] > MAX_VALUES:
            raise WireError(f"more than {MAX_VALUES} values")
        if depth > MAX_DEPTH:
            raise WireError("nested too deeply")


def encode(
    value: object, opaque: Opaque | None = None, whole: frozenset[type] = frozenset(), *, as_data: bool = False
) -> bytes:
    """Bytes of a plain value. `opaque(value)` gives the JSON of a handle for what can't be carried.

    Subclasses are carried as their base, so that their own methods count for nothing, but for those in `whole`, which
    become handles. Arrays and numbers of numpy are lists and numbers with `as_data`; else only who has numpy, too, and
    takes handles, gets them, as they are. Raises WireError.
    """
    try:
        tagged = _tagged(value, _How(opaque, whole, as_data, [0]), 0)
        data = json.dumps(tagged, ensure_ascii=True, separators=(",", ":")).encode("ascii")
    except (ValueError, RecursionError, OverflowError) as error:
        raise WireError(str(error)) from None
    if len(data) > MAX_BYTES:
        raise WireError(f"the value is larger than {MAX_BYTES} bytes")
    return data


def decode(data: bytes, handle: Opaque | None = None) -> Any:
    """The value of `data`; handles become `handle(id)`. Raises WireError."""
    if len(data) > MAX_BYTES:
        raise WireError(f"the value is larger than {MAX_BYTES} bytes")
    _check_depth(data)
    try:
        return _untagged(json.loads(data, parse_int=_int), handle)
    except WireError:
        raise
    except (ValueError, TypeError, KeyError, IndexError, RecursionError, ArithmeticError) as error:
        raise WireError(f"not plain data: {type(error).__name__}") from None


def _int(text: str) -> int:
    if len(text) > 400:
        raise WireError("a long integer travels as hexadecimal")
    return int(text)


def _check_depth(data: bytes) -> None:
    """Refuse nesting that would exhaust a recursive parser, before it is parsed; counts brackets outside strings."""
    if data.count(b"[") + data.count(b"{") <= MAX_DEPTH:
        return
    depth, inside, escaped = 0, False, False
    for byte in data:
        if inside:
            if escaped:
                escaped = False
            elif byte == 0x5C:
                escaped = True
            elif byte == 0x22:
                inside = False
        elif byte == 0x22:
            inside = True
        elif byte in b"[{":
            depth += 1
            if depth > MAX_DEPTH * 3:
                raise WireError("nested too deeply")
        elif byte in b"]}":
            depth -= 1


# --- encoding -----------------------------------------------------------------


def _tagged(value: Any, how: _How, depth: int) -> Any:
    kind = type(value)
    if value is None or kind is bool:
        return value
    if kind is str:
        return value
    how.note(depth)
    if kind is int:
        return value if -(1 << 63) < value < 1 << 63 else {"i": hex(value)}
    if kind is float:
        return value if math.isfinite(value) else {"f": str(value)}
    if kind is list:
        return [_tagged(item, how, depth + 1) for item in value]
    if (how.as_data or how.opaque is not None) and _is_numpys(value):
        return _tagged(_as_data(value), how, depth + 1) if how.as_data else _exactly(value, how, depth)
    encoder = _ENCODERS.get(kind)
    if encoder is None and kind not in how.whole:
        encoder = next((_ENCODERS[base] for base in _BASES if isinstance(value, base)), None)
    if encoder is not None:
        tag, plain = encoder(value)
        if tag in _CONTAINERS:
            plain = [_tagged(item, how, depth + 1) for item in plain]
        return plain if tag == "" else {tag: plain}
    if how.opaque is None:
        raise WireError(f"a value of type {kind.__name__} can't be carried")
    return how.opaque(value)


def _of_dict(value: dict[Any, Any]) -> tuple[str, Any]:
    flat: list[Any] = []
    for pair in dict.items(value):
        flat.extend(pair)
    return "d", flat


def _of_default(value: Any) -> tuple[str, Any]:
    factory = value.default_factory
    return "default", [factory.__name__ if factory in _FACTORIES.values() else "", *_of_dict(value)[1]]


def _of_tuple(value: tuple[Any, ...]) -> tuple[str, Any]:
    items = list(tuple.__iter__(value))
    names = getattr(type(value), "_fields", None)
    if type(value) is tuple or type(names) is not tuple or len(names) != len(items):
        return "t", items
    return "named", [type(value).__name__, ",".join(map(str, names)), *items]


def _of_int(value: int) -> tuple[str, Any]:
    plain = int.__index__(value)
    return ("", plain) if -(1 << 63) < plain < 1 << 63 else ("i", hex(plain))


def _of_float(value: float) -> tuple[str, Any]:
    plain = float.__float__(value)
    return ("", plain) if math.isfinite(plain) else ("f", str(plain))


def _of_delta(value: datetime.timedelta) -> tuple[str, Any]:
    return "timedelta", [value.days, value.seconds, value.microseconds]


_ENCODERS: dict[type, Callable[[Any], tuple[str, Any]]] = {
    dict: _of_dict,
    tuple: lambda v: _of_tuple(v),
    set: lambda v: ("s", list(set.__iter__(v))),
    frozenset: lambda v: ("z", list(frozenset.__iter__(v))),
    collections.deque: lambda v: ("q", list(collections.deque.__iter__(v))),
    list: lambda v: ("l", list(list.__iter__(v))),
    type({}.keys()): lambda v: ("keys", list(v)),
    type({}.values()): lambda v: ("values", list(v)),
    type({}.items()): lambda v: ("items", [part for pair in v for part in pair]),
    str: lambda v: ("", str.__str__(v)),
    bytes: lambda v: ("b", base64.b64encode(bytes.__getitem__(v, slice(None))).decode()),
    bytearray: lambda v: ("a", base64.b64encode(bytearray.__getitem__(v, slice(None))).decode()),
    int: _of_int,
    float: _of_float,
    complex: lambda v: ("c", [str(complex.__complex__(v).real), str(complex.__complex__(v).imag)]),
    range: lambda v: ("r", [hex(v.start), hex(v.stop), hex(v.step)]),
    decimal.Decimal: lambda v: ("decimal", decimal.Decimal.__str__(v)),
    fractions.Fraction: lambda v: ("fraction", [hex(v.numerator), hex(v.denominator)]),
    datetime.datetime: lambda v: ("datetime", datetime.datetime.isoformat(v)),
    datetime.date: lambda v: ("date", datetime.date.isoformat(v)),
    datetime.time: lambda v: ("time", datetime.time.isoformat(v)),
    datetime.timedelta: _of_delta,
    type(Ellipsis): lambda _: ("e", 0),
    collections.Counter: lambda v: ("counter", _of_dict(v)[1]),
    collections.OrderedDict: lambda v: ("ordered", _of_dict(v)[1]),
    collections.defaultdict: _of_default,
}
_BASES = tuple(base for base in _ENCODERS if base not in (range, type(Ellipsis)))


# --- numpy, where both sides have it ------------------------------------------


def carry_arrays(numpy: Any) -> None:
    """From now on this process carries arrays and numbers of numpy, and takes them."""
    global _numpy
    _numpy = numpy
    _DECODERS.update(array=_array, scalar=lambda v: _array([v[0], [], v[1]])[()], objects=_objects)


def is_array(value: object) -> bool:
    """Whether it is an array of numpy, no subclass."""
    return _numpy is not None and type(value) is _numpy.ndarray


def _is_numpys(value: object) -> bool:
    return _numpy is not None and isinstance(value, (_numpy.ndarray, _numpy.generic))


def _as_data(value: Any) -> Any:
    if isinstance(value, _numpy.ma.MaskedArray):
        return _numpy.ma.MaskedArray.tolist(value)
    if isinstance(value, _numpy.ndarray):
        return _numpy.ndarray.tolist(value)
    plain = _numpy.generic.item(value)
    if isinstance(plain, _numpy.complexfloating):  # longer than Python's
        return complex(plain)
    return float(plain) if isinstance(plain, _numpy.floating) else plain


def _exactly(value: Any, how: _How, depth: int) -> Any:
    plain = _numpy.asarray(value)
    if plain.dtype.hasobject:
        items = [*plain.shape, *plain.ravel().tolist()]
        return {"objects": [plain.ndim, *(_tagged(item, how, depth + 1) for item in items)]}
    if not _DTYPE.match(plain.dtype.str):
        assert how.opaque is not None
        return how.opaque(value)
    data = base64.b64encode(plain.tobytes()).decode()
    if isinstance(value, _numpy.ndarray):
        return {"array": [plain.dtype.str, list(plain.shape), data]}
    return {"scalar": [plain.dtype.str, data]}


def _array(given: list[Any]) -> Any:
    kind, shape, data = given
    if not _DTYPE.match(kind):
        raise WireError("not an array of plain values")
    return _numpy.ndarray(tuple(shape), _numpy.dtype(kind), base64.b64decode(data, validate=True)).copy()


def _objects(flat: list[Any]) -> Any:
    shape, items = flat[1 : flat[0] + 1], flat[flat[0] + 1 :]
    made = _numpy.empty(len(items), object)
    for index, item in enumerate(items):
        made[index] = item
    return made.reshape(shape)


# --- decoding -----------------------------------------------------------------


def _untagged(data: Any, handle: Opaque | None) -> Any:
    kind = type(data)
    if kind is list:
        return [_untagged(item, handle) for item in data]
    if kind is not dict:
        return data
    if len(data) != 1:
        raise WireError("an object with one tag was expected")
    ((tag, plain),) = data.items()
    if tag == "h":
        if handle is None:
            raise WireError("a handle is not allowed here")
        return handle(plain)
    decoder = _DECODERS.get(tag)
    if decoder is None:
        raise WireError("unknown tag")
    if tag in _CONTAINERS:
        plain = [_untagged(item, handle) for item in plain]
    return decoder(plain)


def _dict(flat: list[Any]) -> dict[Any, Any]:
    return dict(zip(flat[::2], flat[1::2], strict=True))


def _counter(flat: list[Any]) -> collections.Counter[Any]:
    counter: collections.Counter[Any] = collections.Counter()
    dict.update(counter, _dict(flat))  # the values may be no numbers
    return counter


def named_tuple(name: str, fields: str, items: list[Any]) -> tuple[Any, ...]:
    """A named tuple of plain values; an ordinary one where the names are none."""
    try:
        made: tuple[Any, ...] = _named_class(name[:100], fields[:2000])._make(items)
    except (ValueError, TypeError):
        return tuple(items)
    return made


@functools.lru_cache(maxsize=256)
def _named_class(name: str, fields: str) -> Any:
    return collections.namedtuple(name, fields)  # refuses what is no identifier


def _hex(text: str) -> int:
    return int(text, 16)


_DECODERS: dict[str, Callable[[Any], Any]] = {
    "d": _dict,
    "t": tuple,
    "named": lambda v: named_tuple(str(v[0]), str(v[1]), v[2:]),
    "counter": _counter,
    "ordered": lambda v: collections.OrderedDict(_dict(v)),
    "default": lambda v: collections.defaultdict(_FACTORIES.get(v[0]), _dict(v[1:])),
    "s": set,
    "z": frozenset,
    "q": collections.deque,
    "l": list,
    "keys": lambda v: dict.fromkeys(v).keys(),
    "values": lambda v: dict(enumerate(v)).values(),
    "items": lambda v: _dict(v).items(),
    "b": lambda v: base64.b64decode(v, validate=True),
    "a": lambda v: bytearray(base64.b64decode(v, validate=True)),
    "i": _hex,
    "f": lambda v: {"nan": math.nan, "inf": math.inf, "-inf": -math.inf}[v],
    "c": lambda v: complex(float(v[0]), float(v[1])),
    "r": lambda v: range(*map(_hex, v)),
    "decimal": lambda v: decimal.Decimal(v[:10_000]),
    "fraction": lambda v: fractions.Fraction(_hex(v[0]), _hex(v[1])),
    "datetime": datetime.datetime.fromisoformat,
    "date": datetime.date.fromisoformat,
    "time": datetime.time.fromisoformat,
    "timedelta": lambda v: datetime.timedelta(*map(int, v)),
    "e": lambda _: Ellipsis,
    # from JavaScript, which has more of nothing, less of numbers, and no tuples
    "u": lambda _: None,
    "n": lambda _: -0.0,
    "m": _dict,
    "re": lambda v: f"/{v[0]}/{v[1]}",
    "jsdate": lambda v: datetime.datetime.fromtimestamp(v / 1000, datetime.UTC).isoformat(timespec="milliseconds"),
}
