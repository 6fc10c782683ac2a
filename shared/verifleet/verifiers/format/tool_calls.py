"""Function calls in a response: read in the styles that models use, checked against tools and expected calls."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from verifleet.verification import WorkerPool
from verifleet.verifiers.format.fault import Fault, shown
from verifleet.verifiers.format.guarded import in_worker
from verifleet.verifiers.format.json_schema import SchemaError, schema_faults

MAX_LENGTH: Final = 200_000
MAX_CALLS: Final = 128
_TAGGED: Final = re.compile(r"<(tool_calls?|function_calls?|TOOLCALL|toolcall|tools?_use)>")
_FUNCTION: Final = re.compile(r"<function=([^<>\s]{1,200})>")
_PARAMETER: Final = re.compile(r"<parameter=([^<>\s]{1,200})>")
_INVOKE: Final = re.compile(r'<invoke name="([^"<>]{1,200})">')
_NAMED: Final = re.compile(r'<parameter name="([^"<>]{1,200})"(?: string="(?:true|false)")?>')
_PAIR: Final = re.compile(r"<arg_key>([^<>]{1,200})</arg_key>\s*+<arg_value>")
_PREFIX: Final = re.compile(r"(?<=<)(/?)(?:｜DSML｜|[a-z]{1,16}:)(?=(?:invoke|parameter|function_calls|tool_calls?)\b)")
_MARK: Final = re.compile(
    r"\[TOOL_CALLS\]|<\|python_tag\|>|<\|tool_calls?(?:_begin)?\|>|<\|plugin\|>|<\|START_ACTION\|>|^functools(?=\[)"
)
_CLOSED: Final = re.compile(r"<\|(?:/tool_calls?|tool_calls?_end|action_end|END_ACTION|call)\|>")
_OPENED: Final = re.compile(
    r"(?:\[TOOL_CALLS\]|<｜tool▁call▁begin｜>(?:function<｜tool▁sep｜>)?|<\|tool_call_begin\|>|\bto=(?=functions\.)"
    "|✿FUNCTION✿:"
    r"|^Action:)[ \t]*+(?:functions\.)?([\w.-]{1,200}+)(?::\d{1,6})?\s{0,8}+"
    r"(?:\[CALL_ID\]\w{1,64}+)?(?:\[ARGS\]|<｜tool▁sep｜>|<\|tool_call_argument_begin\|>|✿ARGS✿:|Action Input:)?"
    r"(?:<\|(?:channel|constrain|message)\|>[\w ]{0,40}+){0,4}+\s{0,8}+(?:```(?:json)?\s{0,8}+)?(?=\{)",
    re.MULTILINE,
)
"""A function's name behind a token of a chat format, up to the object of its arguments."""
_FENCE: Final = re.compile(r"```(?:json|python|tool_code|tool_call|xml)?[ \t]*\n((?:[^`]++|`(?!``))*+)```")
_BFCL_TYPES: Final = {"dict": "object", "float": "number", "tuple": "array", "list": "array", "int": "integer"}
_BETWEEN: Final = re.compile(r"[\s,;]*+")


@dataclass(frozen=True, slots=True)
class Call:
    """One call: a function's name and its arguments."""

    name: str
    arguments: Mapping[str, Any]
    texts: Mapping[str, str] = field(default_factory=dict, compare=False)
    """Arguments that were written as tags, which do not tell a text of digits from a number."""

    def typed(self, schema: Any) -> Call:
        """This call with those of its tags as texts that a JSON Schema says are texts."""
        known = schema.get("properties") if isinstance(schema, Mapping) else None
        if not self.texts or not isinstance(known, Mapping):
            return self
        texts = {name: text for name, text in self.texts.items() if _is_text(known.get(name))}
        return Call(self.name, {**self.arguments, **texts}, self.texts)


def _is_text(schema: Any) -> bool:
    return isinstance(schema, Mapping) and schema.get("type") == "string"


def tool_call_fault(
    text: str,
    tools: Sequence[Mapping[str, Any]] | None,
    expected: Sequence[Mapping[str, Any]] | None,
    ordered: bool,
    workers: WorkerPool,
) -> Fault | None:
    """The first thing wrong with the calls of a response; None where they are those that are expected.

    Without `expected` at least one call is needed; an empty list expects none. Where the calls do not all come as
    expected, `share` is the part of the expected ones that do, and 0 with a call too many.
    """
    if len(text) > MAX_LENGTH:
        return Fault("length", f"Calls are read in up to {MAX_LENGTH} characters.", MAX_LENGTH)
    return in_worker(workers, calls_fault, text, tools, expected, ordered)


def calls_fault(
    text: str,
    tools: Sequence[Mapping[str, Any]] | None,
    expected: Sequence[Mapping[str, Any]] | None,
    ordered: bool,
) -> Fault | None:
    """`tool_call_fault`, in a worker: what parses Python and compiles schemas may use up its memory."""
    try:
        schemas = {name: parameters for name, parameters in map(_tool, tools or ())}
        wanted = [_expected(item) for item in expected] if expected is not None else None
    except ValueError as error:
        return Fault("tools", f"{error}", kind="reference")
    if wanted is not None and schemas and (unknown := next((w.name for w in wanted if w.name not in schemas), None)):
        return Fault("expected", f"The expected call {shown(unknown, 80)!r} is to no tool.", kind="reference")
    try:
        calls = read_calls(text)
    except ValueError as error:
        return Fault("calls", f"{error}", 0)
    calls = [call.typed(schemas.get(call.name)) for call in calls]
    if wanted == []:
        return Fault("calls", "A call was made where none is expected.", kind="incorrect") if calls else None
    if not calls:
        return Fault("calls", "The response holds no function call.", 0)
    for number, call in enumerate(calls):
        if schemas and call.name not in schemas:
            return Fault(
                "name", f"There is no tool {shown(call.name, 80)!r}.", path=f"/{number}/name", kind="incorrect"
            )
        fault = _arguments_fault(call, schemas.get(call.name), number)
        if fault is not None:
            return fault
    return None if wanted is None else _compared(calls, wanted, ordered)


def _arguments_fault(call: Call, schema: Any, number: int) -> Fault | None:
    if schema is None:
        return None
    try:
        fault = schema_faults(json.dumps(schema), False, [dict(call.arguments)], False)[0]
    except SchemaError as error:
        return Fault(
            "tools", f"The parameters of {shown(call.name, 80)!r} are no usable JSON Schema: {error}", kind="reference"
        )
    if fault is None and isinstance(schema, Mapping) and isinstance(schema.get("properties"), Mapping):
        extra = next((name for name in call.arguments if name not in schema["properties"]), None)
        if extra is not None and "additionalProperties" not in schema and "patternProperties" not in schema:
            message = f"{shown(call.name, 80)!r} has no parameter {shown(extra, 80)!r}."
            return Fault("arguments", message, path=f"/{number}/arguments/{shown(extra, 80)}", kind="incorrect")
    if fault is None:
        return None
    return Fault("arguments", fault.message, path=f"/{number}/arguments{fault.path or ''}", kind="incorrect")


# --- what is expected ------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Expected:
    """A call that is expected: for each argument the values that are right; those that may be left out."""

    name: str
    arguments: Mapping[str, Sequence[Any]]
    optional: frozenset[str]

    def takes(self, call: Call) -> bool:
        """Whether a call is this one."""
        if call.name != self.name or not self.arguments.keys() >= call.arguments.keys():
            return False
        left_out = self.arguments.keys() - call.arguments.keys()
        given = [(name, (value, call.texts.get(name, value))) for name, value in call.arguments.items()]
        return left_out <= self.optional and all(
            any(_same(form, right) for right in self.arguments[name] for form in forms) for name, forms in given
        )


def _expected(item: Mapping[str, Any]) -> Expected:
    """`{"name", "arguments", "alternatives"?, "optional"?}`, or BFCL's `{name: {argument: [right values]}}`."""
    if "name" not in item and len(item) == 1:
        [(name, listed)] = item.items()
        if isinstance(listed, Mapping) and all(isinstance(values, list) for values in listed.values()):
            optional = frozenset(argument for argument, values in listed.items() if "" in values)
            return Expected(name, listed, optional)
    called, arguments = item.get("name"), _object(item.get("arguments", {}))
    alternatives, optional_names = item.get("alternatives", {}), item.get("optional", [])
    if not isinstance(called, str) or arguments is None:
        raise ValueError("An expected call is an object with name and arguments.")
    if not isinstance(alternatives, Mapping) or not all(isinstance(v, list) for v in alternatives.values()):
        raise ValueError("The alternatives of an expected call are lists of right values by argument.")
    if not isinstance(optional_names, list) or not all(isinstance(n, str) for n in optional_names):
        raise ValueError("The optional arguments of an expected call are a list of names.")
    right = {argument: [value] for argument, value in arguments.items()}
    for argument, values in alternatives.items():
        right[argument] = [*right.get(argument, []), *values]
    return Expected(called, right, frozenset(optional_names))


def _tool(tool: Mapping[str, Any]) -> tuple[str, Any]:
    """`{"type": "function", "function": {...}}` or `{"name", "parameters" | "input_schema" | "inputSchema"}`."""
    inner = tool.get("function", tool)
    if not isinstance(inner, Mapping) or not isinstance(inner.get("name"), str):
        raise ValueError("A tool is an object with a name and parameters (a JSON Schema).")
    parameters = next((inner[key] for key in ("parameters", "input_schema", "inputSchema") if key in inner), None)
    if isinstance(parameters, Mapping) and parameters.get("type") == "dict":  # as BFCL writes it
        parameters = _as_json_schema(parameters)
    return inner["name"], parameters


def _as_json_schema(schema: Any, depth: int = 0) -> Any:
    if depth > 64 or not isinstance(schema, (Mapping, list)):
        return schema
    if isinstance(schema, list):
        return [_as_json_schema(item, depth + 1) for item in schema]
    renamed = {key: _as_json_schema(value, depth + 1) for key, value in schema.items()}
    kind = renamed.get("type")
    if isinstance(kind, str):
        renamed["type"] = _BFCL_TYPES.get(kind, kind)
        if kind == "any":
            del renamed["type"]
    return renamed


def _compared(calls: Sequence[Call], wanted: Sequence[Expected], ordered: bool) -> Fault | None:
    if ordered:
        pairs = list(zip(wanted, calls, strict=False))
        matched = [number for number, (expected, call) in enumerate(pairs) if expected.takes(call)]
    else:
        matched = _matched(calls, wanted)
    if len(matched) == len(wanted) and len(calls) == len(wanted):
        return None
    share = len(matched) / len(wanted) if len(calls) <= len(wanted) else 0.0
    told = f"{len(matched)} of {len(wanted)} expected calls were made"
    extra = len(calls) - len(wanted)
    message = f"{told}, with {extra} too many." if extra > 0 else f"{told}."
    return Fault("expected", message, kind="incorrect", share=share)


def _matched(calls: Sequence[Call], wanted: Sequence[Expected]) -> list[int]:
    """The expected calls that can be matched, each with a call of its own (augmenting paths)."""
    taken: dict[int, int] = {}

    def place(number: int, seen: set[int]) -> bool:
        for index, call in enumerate(calls):
            if index not in seen and wanted[number].takes(call):
                seen.add(index)
                if index not in taken or place(taken[index], seen):
                    taken[index] = number
                    return True
        return False

    return [number for number in range(len(wanted)) if place(number, set())]


def _same(given: Any, right: Any, depth: int = 0) -> bool:
    """Whether two values are one: 1 is 1.0, true is not 1; texts without white space around."""
    if depth > 64:
        return False
    if isinstance(given, bool) or isinstance(right, bool):
        return given is right
    if isinstance(given, (int, float)) and isinstance(right, (int, float)):
        return given == right
    if isinstance(given, str) and isinstance(right, str):
        return given.strip() == right.strip()
    if isinstance(given, Mapping) and isinstance(right, Mapping):
        return given.keys() == right.keys() and all(_same(given[k], right[k], depth + 1) for k in given)
    if isinstance(given, list) and isinstance(right, list):
        return len(given) == len(right) and all(_same(a, b, depth + 1) for a, b in zip(given, right, strict=True))
    return given is None and right is None


# --- reading --------------------------------------------------------------------


def read_calls(text: str) -> list[Call]:
    """The calls of a response, in order; [] where there is none. Raises ValueError for calls that can't be read."""
    text = _CLOSED.sub("", _PREFIX.sub(r"\1", text))
    opened = _of_opened(text)
    if opened:
        return opened
    tagged = [body for _, _, body in _elements(_TAGGED, text)]
    inner = "\n".join(tagged) if tagged else text
    by_name = [(*found, _PARAMETER) for found in _elements(_FUNCTION, inner, "function")]
    by_name += [(*found, _NAMED) for found in _elements(_INVOKE, inner, "invoke")]
    if by_name:
        by_name.sort(key=lambda item: item[0])
        calls = [_of_tags(name, body, form) for _, name, body, form in by_name]
    elif tagged:
        calls = [call for part in tagged for call in _of_pairs(part) or _of_text(part, required=True)]
    else:
        marked = _MARK.split(text)
        calls = _of_text(marked[-1], required=len(marked) > 1)
    if len(calls) > MAX_CALLS:
        raise ValueError(f"There are more than {MAX_CALLS} calls.")
    return calls


def _elements(opening: re.Pattern[str], text: str, tag: str = "") -> Iterator[tuple[int, str, str]]:
    """Where an opening tag stands, the name in it, and what it encloses up to the first closing tag, in linear time."""
    place = 0
    unclosed: set[str] = set()
    for found in opening.finditer(text):
        closing = f"</{tag or found[1]}>"
        if found.start() < place or closing in unclosed:
            continue
        end = text.find(closing, found.end())
        if end < 0:
            unclosed.add(closing)
            continue
        place = end + len(closing)
        yield found.start(), found[1], text[found.end() : end]


def _of_opened(text: str) -> list[Call]:
    """Calls that are a name and an object behind the tokens of a chat format."""
    calls: list[Call] = []
    for found in _OPENED.finditer(text):
        try:
            arguments, _ = _JSON.raw_decode(text, found.end())
        except (ValueError, RecursionError):
            raise ValueError(f"The arguments of {shown(found[1], 80)!r} can't be read as JSON.") from None
        calls.append(Call(found[1], arguments))
        if len(calls) > MAX_CALLS:
            raise ValueError(f"There are more than {MAX_CALLS} calls.")
    return calls


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is no JSON")


def _each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object whose keys differ: of two values under one key, each reader takes another."""
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a key comes twice")
    return found


_JSON: Final = json.JSONDecoder(object_pairs_hook=_each_once, parse_constant=_no_constant)


def _of_pairs(text: str) -> list[Call] | None:
    """A call as a name with its arguments as pairs of tags behind it; None where it is none."""
    name, _, _ = text.partition("<arg_key>")
    pairs = {key.strip(): body.strip("\n") for _, key, body in _elements(_PAIR, text, "arg_value")}
    if not re.fullmatch(r"[\w.-]{1,200}", name.strip()):
        return None
    return [Call(name.strip(), {key: _value(value) for key, value in pairs.items()}, pairs)]


def _of_tags(name: str, body: str, form: re.Pattern[str]) -> Call:
    stated = _object(body.strip()) if body.strip().startswith("{") else None
    if stated is not None:
        return Call(name, stated)
    texts = {key: value.strip("\n") for _, key, value in _elements(form, body, "parameter")}
    return Call(name, {key: _value(value) for key, value in texts.items()}, texts)


def _value(text: str) -> Any:
    try:
        return _JSON.decode(text)
    except (ValueError, RecursionError):
        return text


def _of_text(text: str, *, required: bool) -> list[Call]:
    """The calls of a text that is JSON or Python, fenced or bare, as a whole or line by line."""
    fenced = [found[1] for found in _FENCE.finditer(text)]
    parts = [_of_whole(part.strip()) for part in fenced or [text]]
    if all(parts):
        return [call for calls in parts for call in calls or ()]
    if required:
        raise ValueError("The calls can't be read as JSON or Python.")
    return []


def _of_whole(text: str) -> list[Call] | None:
    if not text:
        return None
    if text[0] in "{[":
        values = _values(text)
        if values is not None:
            found = [_of_json(value) for value in values]
            return [call for calls in found for call in calls or ()] if all(found) else None
    return _of_python(text)


def _values(text: str) -> list[Any] | None:
    """The JSON values of a text, parted by white space, commas or semicolons; None where it holds anything else."""
    values: list[Any] = []
    place = 0
    while place < len(text):
        try:
            value, place = _JSON.raw_decode(text, place)
        except (ValueError, RecursionError):
            return None
        values.append(value)
        place = _BETWEEN.match(text, place).end()  # type: ignore[union-attr]  # it matches anything
    return values


def _of_json(value: Any) -> list[Call] | None:
    """Calls of a JSON value: an object or a list of objects, in any of the usual shapes; None where it holds none."""
    if isinstance(value, dict):
        for key in ("tool_calls", "function_calls", "calls", "content"):
            if isinstance(value.get(key), list):
                return _of_json(value[key])
        if isinstance(value.get("function_call"), dict):
            value = value["function_call"]
        value = [value]
    if not isinstance(value, list):
        return None
    beside = ("text", "thinking", "reasoning")  # other parts of a message
    calls = [_of_object(item) for item in value if not (isinstance(item, dict) and item.get("type") in beside)]
    return [call for call in calls if call is not None] if all(calls) else None


def _of_object(item: Any) -> Call | None:
    if not isinstance(item, dict):
        return None
    inner = item.get("function", item)
    if isinstance(inner, str):
        inner = {**item, "name": inner}
    if not isinstance(inner, dict):
        return None
    name = inner.get("name") or inner.get("tool_name") or inner.get("tool")
    for key in ("arguments", "parameters", "args", "input", "tool_input"):
        if key in inner:
            arguments = _object(inner[key])
            return Call(name, arguments) if isinstance(name, str) and arguments is not None else None
    if isinstance(name, str):
        return Call(name, {})
    if len(inner) == 1:  # {"name of the function": {arguments}}
        [(only, arguments)] = inner.items()
        return Call(only, arguments) if isinstance(arguments, dict) else None
    return None


def _object(value: Any) -> dict[str, Any] | None:
    """Arguments as an object, or as the JSON of one."""
    if isinstance(value, str):
        try:
            value = _JSON.decode(value) if value.strip() else {}
        except (ValueError, RecursionError):
            return None
    return value if isinstance(value, dict) else None


def _of_python(text: str) -> list[Call] | None:
    """Calls as Python writes them: `f(a=1)`, a list of such, or one a line; arguments are literals."""
    try:
        tree = ast.parse(text, mode="exec")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    calls: list[Call] = []
    for statement in tree.body:
        if not isinstance(statement, ast.Expr):
            return None
        nodes = statement.value.elts if isinstance(statement.value, (ast.List, ast.Tuple)) else [statement.value]
        for node in nodes:
            call = _of_node(node)
            if call is None:
                return None
            calls.append(call)
    return calls or None


def _of_node(node: ast.expr) -> Call | None:
    if isinstance(node, ast.Call) and _dotted(node.func) == "print" and len(node.args) == 1 and not node.keywords:
        node = node.args[0]  # print(f(a=1)), as tool code is written
    if not isinstance(node, ast.Call) or node.args or any(keyword.arg is None for keyword in node.keywords):
        return None
    name = _dotted(node.func)
    if name == "print" or name is None:
        return None
    try:
        return Call(name, {str(k.arg): _plain(ast.literal_eval(k.value)) for k in node.keywords})
    except (ValueError, TypeError, RecursionError, MemoryError):
        return None


def _dotted(node: ast.expr) -> str | None:
    parts: list[str] = []
    while isinstance(node, ast.Attribute) and len(parts) < 8:
        parts.append(node.attr)
        node = node.value
    return ".".join([node.id, *reversed(parts)]) if isinstance(node, ast.Name) else None


def _plain(value: Any, depth: int = 0) -> Any:
    """A Python literal as JSON has it. Raises ValueError for what JSON can't hold."""
    if depth > 64 or isinstance(value, (bytes, complex)):
        raise ValueError("no JSON")
    if isinstance(value, (list, tuple)):
        return [_plain(item, depth + 1) for item in value]
    if isinstance(value, dict):
        return {str(key): _plain(item, depth + 1) for key, item in value.items()}
    if isinstance(value, (set, frozenset)):
        raise ValueError("no JSON")
    return value
