"""The share of a JSON Schema's rules that a value satisfies, for partial credit.

    share = earned / total, both summed over the rules that concern what is there or should be there

- A rule of a plain value (type, length, pattern, range, enum, asserted format) is worth 1, and earned if it holds.
- Each name in `required` is worth 1, and earned if it is there; with a missing name the rules of what should stand
  there are missing too. The type of an object or array is none: it is earned by what stands inside.
- `minItems` and `minProperties` n are worth 1, of which len / n is earned; the rules of missing items are missing too.
- A choice (`anyOf`, `oneOf`, `contains`) is worth 1, and earned if it holds for a value that is not empty.
- A limit (nothing more than, nothing else, unique, `not`) earns nothing when kept, and is worth 1 when broken.
- The items of an array, and undeclared properties of an object, weigh together as one: length doesn't buy a share.
- A value of the wrong type earns nothing by any rule of its schema, and all of them are missing.

So nothing is earned where no value was there to check, and a value that breaks any rule has less than 1.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from verifleet.verifiers.format.json_text import pointer

Schema = dict[str, Any] | bool

MAPS: Final = frozenset({"properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "dependencies"})
CHOICES: Final = frozenset({"anyOf", "oneOf", "not", "if", "contains"})
_EARNING: Final = frozenset({"anyOf", "oneOf", "contains"})
_INDEXED: Final = frozenset({"allOf", "anyOf", "oneOf", "prefixItems", "items"})
_DYNAMIC: Final = frozenset({"$dynamicRef", "$recursiveRef"})
_TEXT: Final = frozenset({"minLength", "maxLength", "pattern", "format"})
_NUMBER: Final = frozenset({"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"})
_VALUE_RULES: Final = _TEXT | _NUMBER | {"enum", "const"}
_CONTAINERS: Final = frozenset({"object", "array"})
_MAX_DEPTH: Final = 100
Unit = Mapping[str, Any]


def satisfied_share(schema: Schema, units: Iterable[Unit], value: Any, format_assertion: bool) -> float:
    """The share in 0..1, below 1 in any case, of a value that breaks its schema.

    Args:
        schema: decoded.
        units: the validator's evaluation of the value as a list (JSON Schema's "list" output); it has every broken
            rule, but not every one that holds.
        value: decoded.
        format_assertion: whether formats are rules.
    """
    return _Tally(schema, list(units), format_assertion).share(value)


class _Tally:
    def __init__(self, schema: Schema, units: list[Unit], format_assertion: bool) -> None:
        self.schema = schema
        self.format_assertion = format_assertion
        self.visited = {(unit["evaluationPath"], unit["instanceLocation"]) for unit in units}
        self.broken = {(unit["evaluationPath"], unit["instanceLocation"]) for unit in units if not unit["valid"]}
        # The library marks additionalProperties invalid where only the properties beside it are.
        self.faults = {(unit["evaluationPath"], unit["instanceLocation"]) for unit in units if _is_fault(unit)}
        self.counted: set[tuple[str, str]] = set()
        self.mistyped: set[tuple[str, str]] = set()
        self.open: set[tuple[int, str]] = set()
        self.known: dict[int, float] = {}
        self.earned = self.total = 0.0

    def share(self, value: Any) -> float:
        self._walk(self.schema, "", value, "", 1.0)
        left = self.faults - self.counted
        limits = {path for path, at in left if not _in_choice(path) and not self._is_mistyped(path, at)}
        self.total += len(limits)
        if self.earned >= self.total:  # what is broken is no rule that is counted
            self.total = self.earned + 1.0
        return self.earned / self.total

    def _walk(self, node: Any, path: str, value: Any, at: str, weight: float) -> None:
        """Count the rules of a subschema, at an evaluation path, for a value at a place."""
        key = (id(node), at)
        if not isinstance(node, dict) or key in self.open or len(self.open) > _MAX_DEPTH:
            return
        self.open.add(key)
        if "type" not in node or self._type(node, path, value, at, weight):
            for keyword, rule in node.items():
                self._keyword(node, keyword, rule, path, value, at, weight)
            for part, inner, child, place, share in self._parts(node, path, value, at):
                self._walk(part, inner, child, place, weight * share)
        self.open.discard(key)

    def _type(self, node: dict[str, Any], path: str, value: Any, at: str, weight: float) -> bool:
        """Whether a value has the type of its schema; if not, none of its rules holds."""
        here = (f"{path}/type", at)
        self.counted.add(here)
        if here in self.broken:
            self.total += weight * max(1.0, self._expected(node))
            self.mistyped.add((path, at))
            return False
        if not isinstance(value, (dict, list)):
            self._count(weight, 1.0, 1.0)
        return True

    def _is_mistyped(self, path: str, at: str) -> bool:
        """Whether a rule stands in a schema whose `type` the very same value breaks."""
        while path and self.mistyped:
            path = path.rpartition("/")[0]
            if (path, at) in self.mistyped:
                return True
        return False

    def _keyword(
        self, node: dict[str, Any], keyword: str, rule: Any, path: str, value: Any, at: str, weight: float
    ) -> None:
        here = (f"{path}/{keyword}", at)
        holds = here not in self.broken
        if keyword in _VALUE_RULES:
            if _concerns(keyword, value) and (keyword != "format" or self.format_assertion):
                self._count(weight, float(holds), 1.0)
        elif keyword in _EARNING or keyword in _DYNAMIC:
            if keyword != "contains" or isinstance(value, list):
                self._count(weight, float(holds and value not in ({}, [])), 1.0)
        elif keyword == "required" and isinstance(value, dict) and isinstance(rule, list):
            missing = [name for name in rule if name not in value]
            absent = sum(self._expected(_property(node, name)) for name in missing)
            self._count(weight, float(len(rule) - len(missing)), len(rule) + absent)
        elif keyword == "minItems" and isinstance(value, list) and (least := _whole(rule)):
            absent = self._expected(node.get("items")) * max(0, least - len(value)) / least
            self._count(weight, min(1.0, len(value) / least), 1.0 + absent)
        elif keyword == "minProperties" and isinstance(value, dict) and (least := _whole(rule)):
            self._count(weight, min(1.0, len(value) / least), 1.0)
        else:
            return
        self.counted.add(here)

    def _count(self, weight: float, earned: float, worth: float) -> None:
        self.earned += weight * earned
        self.total += weight * worth

    def _parts(
        self, node: dict[str, Any], path: str, value: Any, at: str
    ) -> Iterator[tuple[Any, str, Any, str, float]]:
        """(subschema, its path, the value it is for, its place, its weight) for each that applies outside a choice."""
        for number, part in enumerate(_list(node.get("allOf"))):
            yield part, f"{path}/allOf/{number}", value, at, 1.0
        target = node.get("$ref")
        if isinstance(target, str) and target.startswith("#"):
            yield resolve(self.schema, target[1:]), f"{path}/$ref", value, at, 1.0
        for branch in ("then", "else"):
            if (f"{path}/{branch}", at) in self.visited:
                yield node.get(branch), f"{path}/{branch}", value, at, 1.0
        if isinstance(value, dict):
            yield from self._of_object(node, path, value, at)
        elif isinstance(value, list):
            yield from self._of_array(node, path, value, at)

    def _of_object(
        self, node: dict[str, Any], path: str, value: dict[str, Any], at: str
    ) -> Iterator[tuple[Any, str, Any, str, float]]:
        for keyword in ("dependentSchemas", "dependencies"):
            for name, part in _dict(node.get(keyword)).items():
                if name in value:
                    yield part, f"{path}/{keyword}{pointer([name])}", value, at, 1.0
        properties, patterns = _dict(node.get("properties")), _dict(node.get("patternProperties"))
        undeclared = [name for name in value if name not in properties]
        for name, child in value.items():
            step = pointer([name])
            if name in properties:
                yield properties[name], f"{path}/properties{step}", child, at + step, 1.0
                continue
            share = 1.0 / len(undeclared)
            inner = [(part, f"{path}/patternProperties{pointer([pattern])}") for pattern, part in patterns.items()]
            inner += [(node.get(rest), f"{path}/{rest}") for rest in ("additionalProperties", "unevaluatedProperties")]
            for part, place in inner:
                if (place, at + step) in self.visited:
                    yield part, place, child, at + step, share

    def _of_array(
        self, node: dict[str, Any], path: str, value: list[Any], at: str
    ) -> Iterator[tuple[Any, str, Any, str, float]]:
        share = 1.0 / max(len(value), _whole(node.get("minItems")), 1)
        first = "items" if isinstance(node.get("items"), list) else "prefixItems"
        rest = "additionalItems" if first == "items" else "items"
        heads = _list(node.get(first))
        for number, child in enumerate(value):
            part, inner = (node.get(rest), rest) if number >= len(heads) else (heads[number], f"{first}/{number}")
            yield part, f"{path}/{inner}", child, f"{at}/{number}", share

    def _expected(self, node: Any, depth: int = 0) -> float:
        """What the rules of a subschema would be worth for a value with nothing but what they require."""
        if not isinstance(node, dict) or depth > _MAX_DEPTH:
            return 0.0
        if id(node) not in self.known:
            self.known[id(node)] = 0.0  # a schema that requires itself again ends here
            self.known[id(node)] = self._required(node, depth + 1)
        return self.known[id(node)]

    def _required(self, node: dict[str, Any], depth: int) -> float:
        worth = float(sum(keyword in _VALUE_RULES or keyword in _EARNING for keyword in node))
        worth -= "format" in node and not self.format_assertion
        types = node.get("type")
        if types is not None and not _CONTAINERS.issuperset(types if isinstance(types, list) else [types]):
            worth += 1.0
        for name in _list(node.get("required")):
            worth += 1.0 + self._expected(_property(node, name), depth)
        if _whole(node.get("minItems")):
            worth += 1.0 + self._expected(node.get("items"), depth)
        worth += bool(_whole(node.get("minProperties")))
        worth += sum(self._expected(part, depth) for part in _list(node.get("allOf")))
        target = node.get("$ref")
        if isinstance(target, str) and target.startswith("#"):
            worth += self._expected(resolve(self.schema, target[1:]), depth)
        return worth


def _is_fault(unit: Unit) -> bool:
    """Whether a unit breaks the keyword it is of; missing names are reported at additionalProperties, too."""
    errors = unit.get("errors") or {}
    return bool(errors) and not (
        unit["evaluationPath"].endswith("/additionalProperties") and set(errors) == {"required"}
    )


def _concerns(keyword: str, value: Any) -> bool:
    if keyword in _TEXT:
        return isinstance(value, str)
    if keyword in _NUMBER:
        return isinstance(value, (int, float)) and not isinstance(value, bool)
    return True


def _property(node: dict[str, Any], name: object) -> Any:
    return _dict(node.get("properties")).get(name) if isinstance(name, str) else None


def _dict(rule: Any) -> dict[str, Any]:
    return rule if isinstance(rule, dict) else {}


def _list(rule: Any) -> list[Any]:
    return rule if isinstance(rule, list) else []


def _whole(number: Any) -> int:
    return int(number) if isinstance(number, (int, float)) and 0 < number < 2**53 else 0


def resolve(root: Any, location: str) -> Any:
    """The part of a schema at a JSON Pointer, None if there is none."""
    node = root
    for step in location.split("/")[1:]:
        step = step.replace("~1", "/").replace("~0", "~")
        if isinstance(node, dict):
            node = node.get(step)
        elif isinstance(node, list) and step.isdigit() and int(step[:9]) < len(node):
            node = node[int(step[:9])]
        else:
            return None
    return node


def _in_choice(path: str) -> bool:
    """Whether an evaluation path leads into a choice, which counts as one."""
    previous = ""
    named = False
    steps = path.split("/")[1:]
    for number, step in enumerate(steps):
        if named or (previous in _INDEXED and step.isdigit()):
            previous, named = "", False
            continue
        if step == "if" or (step in CHOICES and number < len(steps) - 1):
            return True
        previous, named = step, step in MAPS
    return False
