"""What a reference asks beyond the format itself: a JSON Schema, an XML Schema, a pattern."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

from verifleet.verification import FormatName, FormatReference, Options, WorkerPool
from verifleet.verifiers.format.fault import Fault, line_start
from verifleet.verifiers.format.guarded import in_worker
from verifleet.verifiers.format.json_schema import SchemaError, is_plain, schema_faults
from verifleet.verifiers.format.json_text import offset_at, read, read_ndjson
from verifleet.verifiers.format.toml_text import toml_value
from verifleet.verifiers.format.yaml_text import yaml_value

# Characters up to which a schema is applied in this process; counting shares takes a multiple of the time.
PLAIN_LENGTH: Final[dict[str, int]] = {"json": 2_000_000, "ndjson": 2_000_000, "toml": 10_000, "yaml": 50_000}
PARTIAL_COST: Final = 50
UNUSABLE_PATTERN: Final = "The pattern is not a usable regular expression (ECMA-262)."
DECODED: Final = frozenset({"json", "ndjson"})  # what a schema's judgement reads strictly by itself


def constraint_fault(
    text: str, reference: FormatReference, name: FormatName | None, options: Options, workers: WorkerPool
) -> Fault | None:
    """The first broken constraint of a text that is already known to be in the format (if a schema doesn't tell)."""
    fault = None
    if reference.json_schema is not None:
        fault = _schema_fault(text, reference.json_schema, name, options, workers)
    if fault is None and reference.xsd is not None:
        fault = _xsd_fault(text, reference.xsd, name, workers)
    if fault is None and reference.pattern is not None:
        fault = _pattern_fault(text, reference.pattern, workers)
    return fault


def _schema_fault(
    text: str, schema: dict[str, Any] | bool, name: FormatName | None, options: Options, workers: WorkerPool
) -> Fault | None:
    if name is None or name not in _VALUES:
        message = f"A JSON Schema applies to json, ndjson, yaml and toml, not to {name}."
        return Fault("json_schema", message, kind="reference")
    try:
        rules = json.dumps(schema)
    except RecursionError:
        return Fault("json_schema", "The JSON Schema is nested too deeply.", kind="reference")
    arguments = (name, text, rules, options.format_assertion, options.partial)
    size = len(text) * (PARTIAL_COST if options.partial else 1)
    plain = size <= PLAIN_LENGTH[name] and is_plain(rules, size) and not (name == "yaml" and "*" in text)
    try:
        faults = value_faults(*arguments) if plain else in_worker(workers, value_faults, *arguments)
    except SchemaError as error:
        return Fault("json_schema", str(error), kind="reference")
    except ValueError as error:
        return Fault("json_schema", f"A JSON Schema can't judge this {name}: {error}.", kind="incorrect")
    if isinstance(faults, Fault):
        return faults
    number = next((number for number, fault in enumerate(faults) if fault is not None), None)
    if number is None:
        return None
    fault = faults[number]
    assert fault is not None
    share = sum(1.0 if item is None else item.share for item in faults) / len(faults)
    return replace(_placed(fault, name, text, number), share=share if options.partial else 0.0)


def value_faults(
    name: str, text: str, schema: str, format_assertion: bool, partial: bool
) -> list[Fault | None] | Fault:
    """The first broken rule of each value of a text, or why it has none."""
    values = _VALUES[name](text)
    return values if isinstance(values, Fault) else schema_faults(schema, format_assertion, values, partial)


def _json_values(text: str) -> list[Any] | Fault:
    value, fault = read(text)
    return [value] if fault is None else fault


def _ndjson_values(text: str) -> list[Any] | Fault:
    lines, fault = read_ndjson(text)
    return [value for _, _, value in lines] if fault is None else fault


_VALUES: Final[dict[str, Callable[[str], list[Any] | Fault]]] = {
    "json": _json_values,
    "ndjson": _ndjson_values,
    "toml": lambda text: [toml_value(text)],
    "yaml": lambda text: [yaml_value(text)],
}


def _placed(fault: Fault, name: str | None, text: str, number: int) -> Fault:
    """A fault with its place in the text; in newline-delimited JSON the number of its line begins the path."""
    steps = list(fault.more.get("steps", ()))
    if name == "json":
        return replace(fault, offset=offset_at(text, steps))
    if name == "ndjson":
        start = line_start(text, number + 1)
        line = text[start:].split("\n", 1)[0]
        body = line.lstrip(" \t\r")
        place = offset_at(body, steps)
        offset = None if place is None else start + len(line) - len(body) + place
        return replace(fault, offset=offset, path=f"/{number}{fault.path}")
    return fault


def _xsd_fault(text: str, xsd: str, name: FormatName | None, workers: WorkerPool) -> Fault | None:
    from verifleet.verifiers.format.xml_text import XsdError, xsd_fault

    if name != "xml":
        return Fault("xsd", f"An XML Schema applies to xml, not to {name}.", kind="reference")
    try:
        return in_worker(workers, xsd_fault, text, xsd)
    except XsdError as error:
        return Fault("xsd", str(error), kind="reference")


def compile_schema(rules: str, format_assertion: bool) -> str | None:
    """Why a JSON Schema, as JSON, can't be used; None where it can."""
    try:
        schema_faults(rules, format_assertion, [], False)
    except SchemaError as error:
        return str(error)
    return None


def compile_pattern(pattern: str, _: bool) -> str | None:
    """Why a pattern can't be used; None where it can."""
    return None if compile_schema(_whole(pattern), False) is None else UNUSABLE_PATTERN


def _whole(pattern: str) -> str:
    """A JSON Schema of the texts that a pattern matches as a whole."""
    # The first of both keeps a stray ")" out.
    return json.dumps({"allOf": [{"pattern": pattern}, {"pattern": f"^(?:{pattern})$"}]})


def _pattern_fault(text: str, pattern: str, workers: WorkerPool) -> Fault | None:
    """A pattern must match the whole text; ECMA-262 syntax, run by an engine with a step limit."""
    schema = _whole(pattern)
    try:
        text.encode()
    except UnicodeEncodeError as error:
        return Fault("pattern", "A lone surrogate matches no pattern.", error.start)
    try:
        if is_plain(schema, len(text)):
            faults = schema_faults(schema, False, [text], False)
        else:
            found = in_worker(workers, schema_faults, schema, False, [text], False)
            faults = [found] if isinstance(found, Fault) else found
    except SchemaError:
        return Fault("pattern", UNUSABLE_PATTERN, kind="reference")
    fault = faults[0]
    if fault is None or fault.kind == "undecided":
        return fault
    return Fault("pattern", "The response does not match the reference's pattern as a whole.", 0, kind="incorrect")
