"""The JSON Schema that a prompt shows: a literal one, or an object of placeholders for what is asked.

A prompt that may mean something else (an input, a map whose keys are data) gives none.
"""

from __future__ import annotations

import json
import re
from itertools import islice
from typing import Any, Final

from verifleet.verifiers.format.constraints import compile_schema
from verifleet.verifiers.format.json_schema import PLAIN_COST, cost_of

_LONGEST: Final = 4_000  # characters of a skeleton
_LONGEST_INTEGER: Final = 18
_MOST_TRIED: Final = 20  # places that may hold a literal schema
_TYPES: Final = frozenset(("array", "boolean", "integer", "null", "number", "object", "string"))

_FENCE: Final = r"\s*(?:```\w*\s*)?"
_LITERAL = re.compile(
    r"(?:\b(?:match\w*|conform\w*|follow\w*|adher\w*|accord\w*|compl(?:y|ies|ying|iant)|satisf\w+|obey\w*|against"
    "|per|with|"
    r"using|fit\w*|use)[ \t]+(?:to[ \t]+|with[ \t]+)?"
    r"(?:(?:the|this|that|a|following|provided|given|exact|strict|json|output|response)[ \t]+){0,5}(?:json[- ]?)?"
    r"|(?:^|[.!\n])[ \t]*(?:(?:the|your|required|expected|target|output|response|answer|json)[ \t]+){0,3})"
    rf"schema\b(?:[ \t]+(?:is|below|here))?[ \t]*[.:]?{_FENCE}(?=\{{)",
    re.IGNORECASE,
)
_SHAPE: Final = r"(?:format|structure|shape|form|template|layout|schema)"
_SKELETON = re.compile(
    rf"\b(?:(?:(?:the|this|that|following|exact|same|json|output|response)[ \t]+){{1,5}}{_SHAPE}"
    rf"|json[ \t]+(?:object[ \t]+)?(?:{_SHAPE}|like|as|as follows)"
    r"|(?:like|as)[ \t]+(?:this|the following|so)|as follows|(?:looks?|object)[ \t]+like|like)"
    rf"\b(?:[ \t]+(?:below|is))?[ \t]*[.:,]?{_FENCE}(?P<many>\[\s*)?(?=\{{)",
    re.IGNORECASE,
)
# What is shown so is given, or refused.
_OTHER = re.compile(
    r"\b(?:input|inputs|given|data|source|currently|comes?|received?|stored|provided|convert|transform|not|never|avoid|"
    r"instead|parse|fix|repair|validate|minify|example of|optional|either|or)\b|n't",
    re.IGNORECASE,
)
# What is shown so is a part of what is asked, or in a text that comes with the request.
_WITHIN = re.compile(
    r"\b(?:items?|elements?|entries|entry|rows?|array|list|objects|hold(?:s|ing)|keys?|fields?|property|properties"
    "|values?|"
    r"whose|where|wrapped|under|inside|named|called|containing)\b|:[ \t]*\"|\b(?:text|document|passage|article|email|"
    r"message|question|record)s?[ \t]*:",
    re.IGNORECASE,
)
_MANY_ASKED = re.compile(r".{0,4}\s*(?:array|list)\b", re.IGNORECASE)
_WRAPPED = re.compile(r"\b(?:wrap\w*|nest\w*|inside|under)\b", re.IGNORECASE)
_KEYS_ARE_DATA = re.compile(
    r"\b(?:whose keys|(?:each|every|the) key|keys (?:are|is|should be|being)|as (?:the )?keys?|keyed|map(?:s|ped|ping)?"
    r"|key-value)\b",
    re.IGNORECASE,
)
_SEVERAL = re.compile(r"\b(?:array|list|each|every|per|objects|multiple|several|all|one for)\b", re.IGNORECASE)
_KEY = re.compile(r"""\s*(?:"(?P<a>[^"\n\\]{1,60})"|'(?P<b>[^'\n\\]{1,60})'|(?P<c>[A-Za-z_]\w{0,59}))\s*:\s*""")
_CLOSING = re.compile(r"\s*\}")
# A second object that would do as well: "or {...}", "if there is none, return {...}".
_ANOTHER = re.compile(r"\b(?:or|else|otherwise|if|when|unless)\b[^{}]{0,120}\{", re.IGNORECASE)
_PLAIN_KEY = re.compile(r"[a-z_][A-Za-z0-9_-]*\Z")
_PLACEHOLDER_KEY = re.compile(
    r"(?:some_?|your_?|any_?)?(?:key|field|property|attribute|value|item|word|column)[_-]?(?:name|\d+|[a-z])?", re.I
)
_OPTIONAL = re.compile(
    r"\b(?:optional\w*|omit\w*|undefined|if (?:any|known|present|available|applicable))\b|\?\s*$", re.I
)
_WORDS: Final = {
    "string": "string",
    "str": "string",
    "number": "number",
    "float": "number",
    "int": "integer",
    "integer": "integer",
    "bool": "boolean",
    "boolean": "boolean",
    "true|false": "boolean",
    "true/false": "boolean",
    "array": "array",
    "list": "array",
}
_CONTAINERS: Final = (
    (re.compile(r"\[\s*(?:\]|[\"{\d]|\.\.\.|(?:string|str|number|float|int|integer|bool|boolean)\b)"), "array"),
    (re.compile(r"\{\s*(?:\}|\"(?!type\"|description\"|\$))"), "object"),
)
_STANDS_FOR = re.compile(r"<[^<>\n]*>|\"<[^<>\n]*>\"|\.{3}|…|\"(?:\.{3}|…|)\"|null", re.I)
# With values that may be data, only such keys show a record rather than a map.
_FIELD_NAMES: Final = frozenset(
    "action age amount answer author category city code confidence content country currency date description email "
    "explanation first_name id label language last_name message name phone price product quantity rating reason "
    "reasoning result score sentiment status summary tags text title total type url value verdict year".split()
)
_QUOTED: Final = r"(?:\"[^\"\n]{1,60}\"|'[^'\n]{1,60}'|`[^`\n]{1,60}`)"
_LIST: Final = rf"(?P<list>{_QUOTED}(?:(?:[ \t]*,[ \t]*(?:and[ \t]+)?|[ \t]+and[ \t]+|[ \t]*&[ \t]*){_QUOTED})*)"
_NOUN: Final = r"(?:keys?|fields?|properties|property|attributes?)\b"
_NAMED: Final = (
    re.compile(
        r"\b(?:with|containing|contains?|having|has|have|including|includes?|using)[ \t]+"
        rf"(?:(?:the|a|an|both|exactly|only|just|required|two|three|four|five|six)[ \t]+)*{_LIST}[ \t]+{_NOUN}"
    ),
    re.compile(
        r"\b(?:with|containing|contains?|having|has|have|including|includes?|using)[ \t]+"
        rf"(?:(?:the|both|exactly|only|just)[ \t]+)*{_LIST}[ \t]+as[ \t]+(?:the[ \t]+|its[ \t]+)?{_NOUN}"
    ),
    re.compile(
        r"\b(?:keys|fields|properties|attributes)[ \t]*(?:named|called|(?:must|should|shall)[ \t]+be|are)?"
        rf"[ \t]*:?[ \t]*{_LIST}(?=[ \t]*(?:[.;!\n]|$))"
    ),
)
_UNSURE_NAMES = re.compile(
    r"\b(?:not|no|never|without|avoid|omit\w*|remove|input|optional\w*|either|or|such as|e\.g|if|may|can|could|any|"
    r"each|sort\w*|values?|rename)\b|n't",
    re.IGNORECASE,
)


def literal_schema(prompt: str) -> dict[str, Any] | None:
    """The one usable JSON Schema that a prompt wants the answer to conform to; at most PLAIN_COST to apply."""
    found: list[tuple[dict[str, Any], str]] = []
    decoder = json.JSONDecoder(parse_constant=_refuse, parse_int=_short_integer)
    end = 0
    for match in islice(_LITERAL.finditer(prompt), _MOST_TRIED):
        if match.end() < end:
            continue
        try:
            value, end = decoder.raw_decode(prompt, match.end())
            rules = json.dumps(value, allow_nan=False)
            json.dumps(value, ensure_ascii=False).encode()
        except (ValueError, RecursionError):
            continue
        if _is_schema(value) and cost_of(value) <= PLAIN_COST and compile_schema(rules, False) is None:
            found.append((value, prompt[: match.start()] + prompt[end:]))
    if len(found) != 1:
        return None
    ((schema, around),) = found
    if schema.get("type", "object") != "object" or not _SEVERAL.search(around):
        return schema
    # One for each: a reference within the schema would lose its target in there.
    return None if "$ref" in json.dumps(schema) else one_or_many(schema)


def one_or_many(one: dict[str, Any]) -> dict[str, Any]:
    """A schema of an object or of an array of such."""
    return {"if": {"type": "array"}, "then": {"type": "array", "items": one}, "else": one}


def _refuse(name: str) -> Any:
    raise ValueError(name)


def _short_integer(digits: str) -> int:
    if len(digits) > _LONGEST_INTEGER:
        raise ValueError("too long")
    return int(digits)


def _is_schema(value: Any) -> bool:
    if not isinstance(value, dict):
        return False
    kinds = value.get("type")
    if isinstance(kinds, str):
        return kinds in _TYPES
    properties = value.get("properties")
    shown = isinstance(properties, dict) and all(isinstance(item, (dict, bool)) for item in properties.values())
    return shown or isinstance(value.get("$schema"), str)


def skeleton_schema(prompt: str, start: int) -> dict[str, Any] | None:
    """A JSON Schema of the object whose parts a prompt shows behind `start`, such as {"name": string}."""
    match = _SKELETON.search(prompt, start)
    if match is None or _KEYS_ARE_DATA.search(prompt):
        return None
    begin = max(prompt.rfind(mark, start, match.start()) for mark in (". ", "\n", "! ", "? ", "; ")) + 1
    if _OTHER.search(prompt[max(begin, start) : match.end()]):
        return None
    if _WITHIN.search(prompt[start : match.start()]) and not _MANY_ASKED.match(prompt, start):
        return None
    items, end = _items(prompt[match.end() : match.end() + _LONGEST])
    after = prompt[match.end() + end :]
    if not items or not _is_record(items) or _ANOTHER.search(after) or _WRAPPED.search(after[:200]):
        return None
    if not {"properties", "$schema"}.isdisjoint(keys := {key for key, _ in items}) or (
        "type" in keys and match[0].lower().rstrip(" \t\n:.`").endswith("schema")
    ):
        return None  # a schema that can't be used
    one = _record(items)
    if match["many"]:
        return {"type": "array", "items": one}
    return one_or_many(one) if _SEVERAL.search(prompt[: match.start()] + after) else one


def shown_object(text: str, at: int) -> dict[str, Any] | None:
    """A JSON Schema of the object of placeholders that stands at a place; None where it may be anything else."""
    items, end = _items(text[at : at + _LONGEST])
    if not items or not _is_record(items) or _KEYS_ARE_DATA.search(text) or _ANOTHER.search(text, at + end):
        return None
    return _record(items)


def _record(items: list[tuple[str, str]]) -> dict[str, Any]:
    one: dict[str, Any] = {"type": "object", "required": [key for key, value in items if not _OPTIONAL.search(value)]}
    typed = {key: {"type": kind} for key, value in items if (kind := _type(value)) is not None}
    return one | {"properties": typed} if typed else one


def _items(text: str) -> tuple[list[tuple[str, str]], int]:
    """The keys of an object, the texts of their values, and where it ends; none where it is not read surely."""
    items: list[tuple[str, str]] = []
    at = 1
    while (match := _KEY.match(text, at)) is not None:
        key = match["a"] or match["b"] or match["c"]
        end = _value_end(text, match.end())
        value = text[match.end() : end].strip()
        if end >= len(text) or not value or key in (known for known, _ in items):
            return [], 0
        items.append((key, value))
        at = end + 1
        if text[end] == "}":
            return items, at
        if (closing := _CLOSING.match(text, at)) is not None:
            return items, closing.end()
    return [], 0


def _value_end(text: str, at: int) -> int:
    """Where a value ends: at the comma or brace that is in nothing else."""
    depth, quoted = 0, False
    while at < len(text):
        char = text[at]
        if quoted:
            at += char == "\\"
            quoted = char != '"'
        elif char == '"':
            quoted = True
        elif char in "{[(":
            depth += 1
        elif char in "}])":
            if depth == 0:
                return at if char == "}" else len(text)
            depth -= 1
        elif char == "," and depth == 0:
            return at
        at += 1
    return len(text)


def _is_record(items: list[tuple[str, str]]) -> bool:
    """Whether the keys are those of the answer, and not placeholders or data themselves."""
    keys = [key for key, _ in items]
    if any(_PLACEHOLDER_KEY.fullmatch(key) or "//" in value or "/*" in value for key, value in items):
        return False
    if any(not re.fullmatch(r"\w[\w -]*", key) for key in keys):
        return False
    if all(_is_placeholder(value) for _, value in items):
        return True
    if not all(_PLAIN_KEY.match(key) for key in keys):
        return False
    return len({_look(value) for _, value in items}) > 1 or not _FIELD_NAMES.isdisjoint(keys)


def _is_placeholder(value: str) -> bool:
    return value.strip('"').lower() in _WORDS or _STANDS_FOR.fullmatch(value) is not None


def _look(value: str) -> str:
    first = value[0]
    return "number" if first.isdigit() or first == "-" else first if first in '"{[' else "word"


def _type(value: str) -> str | None:
    """The JSON type that a placeholder plainly names."""
    word = value.lower()
    if word == '"number"' or word in ('"array"', '"list"'):
        return None  # may be a text about one
    kind = _WORDS.get(word.strip('"'))
    if kind is not None:
        return kind
    return next((kind for shape, kind in _CONTAINERS if shape.match(value)), None)


def quoted_names(following: str) -> list[str]:
    """The quoted names of fields in what follows "JSON": `with "name" and "age" fields`."""
    for pattern in _NAMED:
        match = pattern.search(following)
        if match is None or (_WITHIN.search(following, 0, match.start()) and not _MANY_ASKED.match(following)):
            continue
        begin = max(following.rfind(mark, 0, match.start()) for mark in (". ", "\n", "; ")) + 1
        stop = re.compile(r"[.\n;]").search(following, match.end())
        around = following[begin : match.start("list")] + following[match.end("list") : stop.start() if stop else None]
        if not _UNSURE_NAMES.search(around):
            return list(dict.fromkeys(name[1:-1] for name in re.findall(_QUOTED, match["list"])))
    return []
