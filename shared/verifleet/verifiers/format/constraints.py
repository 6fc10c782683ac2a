"""What a reference asks beyond the format itself: a JSON Schema, an XML Schema, a pattern."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

from verifleet.verification import FormatName, FormatReference, Options, WorkerPool
from verifleet.verifiers.format.fault import Fault
from verifleet.verifiers.format.guarded import in_worker
from verifleet.verifiers.format.json_schema import SchemaError, schema_faults
from verifleet.verifiers.format.json_text import offset_at, parse, read_ndjson
from verifleet.verifiers.format.toml_text import toml_value
from verifleet.verifiers.format.yaml_text import yaml_value


def constraint_fault(
    text: str, reference: FormatReference, name: FormatName | None, options: Options, workers: WorkerPool
) -> Fault | None:
    """The first broken constraint of a text that is already known to be in the format."""
    fault = None
    if reference.json_schema is not None:
        fault = _schema_fault(text, reference.json_schema, name, options, workers)
    if fault is None and reference.xsd is not None:
        fault = _xsd_fault(text, reference.xsd, name, workers)
    if fault is None and reference.pattern is not None:
        fault = _pattern_fault(text, reference.pattern, workers)
    return fault


_VALUES: Final[dict[str, Callable[[str], Any]]] = {"json": parse, "toml": toml_value, "yaml": yaml_value}


def _schema_fault(
    text: str, schema: dict[str, Any] | bool, name: FormatName | None, options: Options, workers: WorkerPool
) -> Fault | None:
    starts = [(0, text)]
    if name == "ndjson":
        lines, _ = read_ndjson(text)
        values = [value for _, _, value in lines]
        starts = [(offset, line) for offset, line, _ in lines]
    elif name in _VALUES:
        try:
            values = [_VALUES[name](text)]
        except ValueError as error:
            return Fault("json_schema", f"A JSON Schema can't judge this {name}: {error}.", kind="incorrect")
    else:
        message = f"A JSON Schema applies to json, ndjson, yaml and toml, not to {name}."
        return Fault("json_schema", message, kind="reference")
    try:
        faults = list(schema_faults(schema, options.format_assertion, values, len(text), options.partial, workers))
    except SchemaError as error:
        return Fault("json_schema", str(error), kind="reference")
    number = next((number for number, fault in enumerate(faults) if fault is not None), None)
    if number is None:
        return None
    fault = faults[number]
    assert fault is not None
    share = sum(1.0 if item is None else item.share for item in faults) / len(faults)
    offset = None
    if name in ("json", "ndjson"):
        start, line = starts[number]
        place = offset_at(line, list(fault.more.get("steps", ())))
        offset = None if place is None else start + place
    path = f"/{number}{fault.path}" if name == "ndjson" else fault.path
    return replace(fault, offset=offset, path=path, share=share if options.partial else 0.0)


def _xsd_fault(text: str, xsd: str, name: FormatName | None, workers: WorkerPool) -> Fault | None:
    from verifleet.verifiers.format.xml_text import XsdError, xsd_fault

    if name != "xml":
        return Fault("xsd", f"An XML Schema applies to xml, not to {name}.", kind="reference")
    try:
        return in_worker(workers, xsd_fault, text, xsd)
    except XsdError as error:
        return Fault("xsd", str(error), kind="reference")


def _pattern_fault(text: str, pattern: str, workers: WorkerPool) -> Fault | None:
    """A pattern must match the whole text; ECMA-262 syntax, run by an engine with a step limit."""
    schema = {"allOf": [{"pattern": pattern}, {"pattern": f"^(?:{pattern})$"}]}  # the first keeps a stray ")" out
    try:
        text.encode()
    except UnicodeEncodeError as error:
        return Fault("pattern", "A lone surrogate matches no pattern.", error.start)
    try:
        fault = next(schema_faults(schema, False, [text], len(text), False, workers))
    except SchemaError:
        return Fault("pattern", "The reference's pattern is not a usable regular expression.", kind="reference")
    if fault is None or fault.kind == "undecided":
        return fault
    return Fault("pattern", "The response does not match the reference's pattern as a whole.", kind="incorrect")
