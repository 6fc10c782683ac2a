"""The types that a prompt names beside the keys of a JSON object or for the items of an array, and "exactly".

Only what plainly is a type tells one: "age (integer)", not "age (number of years)" or "age (integer or string)".
"""

from __future__ import annotations

import re
from typing import Any, Final

_JSON_TYPES: Final = {
    "string": "string",
    "str": "string",
    "integer": "integer",
    "int": "integer",
    "number": "number",
    "float": "number",
    "boolean": "boolean",
    "bool": "boolean",
    "array": "array",
    "list": "array",
    "object": "object",
    "dictionary": "object",
    "dict": "object",
    "null": "null",
}
_NAME: Final = f"(?:{'|'.join(sorted(_JSON_TYPES, key=len, reverse=True))})"
_TOLD = re.compile(
    rf"[ \t]*(?:an?[ \t]+)?(?P<many>(?:array|list)[ \t]+of[ \t]+)?(?P<type>{_NAME})(?P<plural>s|ies)?"
    r"(?P<null>[ \t]*(?:,|/|\|)?[ \t]*(?:or[ \t]+)?(?:null|nullable))?[ \t]*(?=[,;.)–—\n]|-[ \t]|\Z)",
    re.IGNORECASE,
)
# What may take back or widen the type that stands before it.
_WIDER = re.compile(r"\b(?:or|null|nullable|optional|if|either|any|may|can|else|unless|string|number|array)\b", re.I)
_ITEMS_OF = re.compile(
    rf"[ \t]+of[ \t]+(?P<type>{_NAME})s?(?=[ \t]*(?:[.;:!\n]|\Z)|[ \t]+(?:only|containing|representing|sorted|for)\b)",
    re.IGNORECASE,
)
_NOUN: Final = r"(?:keys?|fields?|properties|property|attributes?)"
_TYPED_KEY: Final = (
    rf"(?:(?:an?|the|one)[ \t]+)?(?P<type>{_NAME})[ \t]+"
    r"(?:key|field|property|attribute)(?:[ \t]+(?:named|called))?[ \t]+"
    r"(?:\"(?P<a>[^\"\n]{1,60})\"|'(?P<b>[^'\n]{1,60})'|`(?P<c>[^`\n]{1,60})`|(?P<d>[A-Za-z_]\w*))"
)
_ONE_TYPED = re.compile(_TYPED_KEY)
_PLAIN_TYPED: Final = re.sub(r"\?P<\w+>", "?:", _TYPED_KEY)
_TYPED_KEYS = re.compile(
    r"[^.\n]{0,40}?\b(?:with|containing|contains?|having|has|have|including|includes?)[ \t]+(?:just[ \t]+|only[ \t]+)?"
    rf"(?P<list>{_PLAIN_TYPED}(?:(?:[ \t]*,[ \t]*(?:and[ \t]+)?|[ \t]+and[ \t]+){_PLAIN_TYPED})*)"
    r"(?=[ \t]*(?:[.;:!?\n]|\Z))"
)
_ONLY_THESE = re.compile(
    r"\b(?:exactly|only|just)[ \t]+(?:(?:the|these|following|required|a|one|two|three|four|five|six|\d+)[ \t]+){0,3}"
    rf"{_NOUN}\b",
    re.IGNORECASE,
)
_NOTHING_ELSE = re.compile(
    r"[ \t]*,?[ \t]*(?:only[ \t]*(?:[.;!\n]|\Z)|(?:and|with|but)[ \t]+(?:nothing[ \t]+else|"
    rf"no[ \t]+(?:other|more|extra|additional|further)[ \t]+{_NOUN})\b)",
    re.IGNORECASE,
)


def told_type(words: str) -> dict[str, Any]:
    """The JSON Schema of what is said of a key, in brackets or behind a colon; empty where it is no mere type."""
    match = _TOLD.match(words)
    if match is None or (match["plural"] and not match["many"]) or _WIDER.search(words, match.end()):
        return {}
    kind = _JSON_TYPES[match["type"].lower()]
    schema: dict[str, Any] = {"type": "array", "items": {"type": kind}} if match["many"] else {"type": kind}
    return schema | {"type": [schema["type"], "null"]} if match["null"] else schema


def items_type(prompt: str, at: int) -> dict[str, Any]:
    """The `items` of an array that is named up to `at`: `... of strings`."""
    match = _ITEMS_OF.match(prompt, at)
    return {} if match is None else {"items": {"type": _JSON_TYPES[match["type"].lower()]}}


def typed_keys(following: str) -> dict[str, dict[str, Any]]:
    """Keys with their types before them: `with a string field name and an integer field age`."""
    match = _TYPED_KEYS.match(following)
    found = _ONE_TYPED.finditer(match["list"]) if match is not None else ()
    return {m["a"] or m["b"] or m["c"] or m["d"]: {"type": _JSON_TYPES[m["type"].lower()]} for m in found}


def admits_no_other(told: str, behind: str) -> bool:
    """`exactly two keys: a and b`, `keys a and b only`, `keys a and b and nothing else`."""
    return _ONLY_THESE.search(told) is not None or _NOTHING_ELSE.match(behind) is not None
