"""JSON Schema, drafts 4 to 2020-12, through jsonschema-rs; nothing outside the schema is ever fetched.

A schema may itself be hostile (references that double at each step, patterns that explode), so its cost is
estimated first: a plain one is compiled once and judged here, any other in a killable worker.
"""

from __future__ import annotations

import json
import re
from functools import lru_cache
from typing import Any, Final

from verifleet.verifiers.format.fault import Fault, shown
from verifleet.verifiers.format.json_text import pointer
from verifleet.verifiers.format.schema_share import MAPS, Schema, resolve, satisfied_share

BACKTRACK_LIMIT: Final = 100_000  # steps of one pattern on one string
PLAIN_COST: Final = 5_000  # subschemas with references followed, up to which a schema is judged in this process
PLAIN_WORK: Final = 20_000_000  # that cost times the characters of the text
_COSTLY: Final = PLAIN_COST + 1
_DEFINITIONS: Final = frozenset({"$defs", "definitions"})
_DATA: Final = frozenset({"const", "default", "examples", "example"})
_REPEAT: Final = re.compile(r"\{(\d+)(?:,(\d*))?\}")
_UNICODE_CLASS: Final = re.compile(r"\\[wWdDsSpPbB]")  # each has hundreds of ranges
_BACKTRACKING: Final = re.compile(r"\(\?<?[=!]|\\[1-9k]")


class SchemaError(ValueError):
    """The schema itself can't be used."""


class CompiledSchema:
    """A schema ready to judge decoded JSON values; safe to share between threads."""

    def __init__(self, schema: Schema, format_assertion: bool) -> None:
        import jsonschema_rs

        self.schema = schema
        self._format_assertion = format_assertion
        try:
            self._validator = jsonschema_rs.validator_for(
                schema,
                validate_formats=format_assertion,
                offline=True,
                pattern_options=jsonschema_rs.FancyRegexOptions(backtrack_limit=BACKTRACK_LIMIT),
            )
        except (jsonschema_rs.ValidationError, jsonschema_rs.ReferencingError, ValueError) as error:
            raise SchemaError(_unusable(error)) from None

    def fault(self, value: Any, partial: bool = False) -> Fault | None:
        """The first broken rule with its path, or None. With `partial` also the share of satisfied rules."""
        if self._validator.is_valid(value):
            return None
        first = self._first_error(value)
        kind = type(first.kind).__name__
        if kind in ("BacktrackLimitExceeded", "RegexEngineFailure"):
            return Fault("pattern", "A pattern of the schema needs too many steps.", kind="undecided")
        rule, path = pointer(first.schema_path), pointer(first.instance_path)
        share = self._share(value) if partial else 0.0
        message = f"{shown(path, 80) or 'The value'} breaks the rule {shown(rule, 120) or '/'}: {_message(first)}."
        steps = tuple(first.instance_path)
        return Fault(first.kind.name, message, None, path, "incorrect", share, {"schema_path": rule, "steps": steps})

    def _first_error(self, value: Any) -> Any:
        import jsonschema_rs

        try:
            self._validator.validate(value)  # ends at the first; a list of all errors may take seconds
        except jsonschema_rs.ValidationError as error:
            return error
        return next(iter(self._validator.iter_errors(value)))

    def _share(self, value: Any) -> float:
        units = self._validator.evaluate(value).list().get("details", [])
        return satisfied_share(self.schema, units, value, self._format_assertion)


def _unusable(error: Exception) -> str:
    text = str(getattr(error, "message", None) or error)
    if "is not present in a registry" in text:
        return "The JSON Schema refers to something outside itself; an external $ref is refused."
    return f"The JSON Schema can't be used: {shown(text)}"


def _message(error: Any) -> str:
    """What is wrong; never the allowed values themselves, which the response should not learn."""
    if error.kind.name in ("const", "enum"):
        return "it is not an allowed value"
    return shown(error.message.rstrip("."))


# --- how costly a schema can become -------------------------------------------


def cost_of(schema: Any) -> int:
    """An upper estimate of the subschemas that are visited for one value; above PLAIN_COST it is not exact."""
    try:
        return _Cost(schema).of(schema, 0)
    except RecursionError:
        return _COSTLY


class _Cost:
    def __init__(self, root: Any) -> None:
        self.root = root
        self.known: dict[int, int] = {}
        self.open: set[int] = set()

    def of(self, node: Any, depth: int) -> int:
        if not isinstance(node, dict):
            return 1
        if id(node) in self.open or depth > 200:
            return _COSTLY
        if id(node) in self.known:
            return self.known[id(node)]
        self.open.add(id(node))
        cost = 1
        for keyword, value in node.items():
            cost += self._keyword(keyword, value, depth + 1)
            if cost > PLAIN_COST:
                break
        if "unevaluatedProperties" in node or "unevaluatedItems" in node:
            cost *= 2
        self.open.discard(id(node))
        self.known[id(node)] = min(cost, _COSTLY)
        return self.known[id(node)]

    def _keyword(self, keyword: str, value: Any, depth: int) -> int:
        if keyword == "enum" and isinstance(value, list):
            return 1 + len(value) // 10  # the values are compared one by one
        if keyword == "multipleOf":
            return _multiple_cost(value)
        if keyword in _DATA or keyword in _DEFINITIONS:
            return 1
        if keyword in ("$ref", "$dynamicRef", "$recursiveRef"):
            return self._reference(keyword, value, depth)
        if keyword == "pattern":
            return _pattern_cost(value)
        if keyword == "patternProperties" and isinstance(value, dict):
            return sum(_pattern_cost(name) + self.of(child, depth) for name, child in value.items())
        if keyword in MAPS and isinstance(value, dict):
            return sum(self.of(child, depth) for child in value.values())
        if isinstance(value, list):
            return sum(self.of(child, depth) for child in value)
        return self.of(value, depth)

    def _reference(self, keyword: str, value: Any, depth: int) -> int:
        if keyword != "$ref" or not isinstance(value, str) or not value.startswith("#/"):
            return _COSTLY
        target = resolve(self.root, value[1:])
        return self.of(target, depth) if target is not None else 1


def _multiple_cost(divisor: Any) -> int:
    """Fractions are divided exactly, and the digits of a tiny one are many."""
    if isinstance(divisor, int):
        return 1 if abs(divisor) < 2**63 else 10
    return 10 if isinstance(divisor, float) and abs(divisor) > 1e-12 else 200


def _pattern_cost(pattern: Any) -> int:
    if not isinstance(pattern, str):
        return 1
    cost = 1 + len(pattern) // 20 + 20 * len(_UNICODE_CLASS.findall(pattern))
    for low, high in _REPEAT.findall(pattern):
        cost *= max(1, min(_COSTLY, int((high or low)[:9])))
        if cost > PLAIN_COST:
            return _COSTLY
    return min(_COSTLY, cost + 2_000) if _BACKTRACKING.search(pattern) else cost


# --- judging ------------------------------------------------------------------


@lru_cache(maxsize=256)
def _compiled(text: str, format_assertion: bool) -> CompiledSchema:
    return CompiledSchema(json.loads(text), format_assertion)


@lru_cache(maxsize=256)
def _cost(text: str) -> int:
    return cost_of(json.loads(text))


def is_plain(schema: str, size: int) -> bool:
    """Whether a schema, as JSON, is judged in no time even by a hostile text of `size` characters."""
    cost = _cost(schema)
    return cost <= PLAIN_COST and cost * size <= PLAIN_WORK


def schema_faults(schema: str, format_assertion: bool, values: list[Any], partial: bool) -> list[Fault | None]:
    """The first broken rule of each value by a schema, given as JSON; without `partial` no further than a fault.

    Raises:
        SchemaError: the schema can't be used, or refers to something outside itself.
    """
    compiled = _compiled(schema, format_assertion)
    faults: list[Fault | None] = []
    for value in values:
        faults.append(compiled.fault(value, partial))
        if faults[-1] is not None and not partial:
            break
    return faults
