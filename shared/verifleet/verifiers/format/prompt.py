"""The format that a prompt asks for, when no reference names it."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any, Final

from verifleet.verification import FormatReference

SEARCHED: Final = 8_000  # characters from each end of a prompt; instructions stand there
_CACHED_LENGTH: Final = 8_000

# Each format by the words that name it. Longer names come before the shorter ones they contain.
_NAMES: Final[tuple[tuple[str, str], ...]] = (
    ("ndjson", r"(?:ndjson|json ?lines|jsonl|newline[- ]delimited json)"),
    ("json", r"json(?! ?(?:schema|lines|l\b|path|web))"),
    ("xml", r"xml(?! ?schema)"),
    ("csv", r"(?:csv|comma[- ]separated values?)"),
    ("yaml", r"ya?ml"),
    ("toml", r"toml"),
    ("html", r"html5?"),
    ("markdown_table", r"(?:markdown|md) table"),
    ("email", r"e-?mail address"),
    ("url", r"(?:url|uri|web ?link)"),
    ("uuid", r"(?:uuid|guid)(?:v?[1-8])?"),
    ("date-time", r"(?:date-?time|(?:(?:iso[- ]?8601|rfc[- ]?3339) )?timestamp|date and time)"),
    ("duration", r"iso[- ]?8601 duration"),
    ("date", r"(?:(?:iso[- ]?8601|rfc[- ]?3339|yyyy-mm-dd) )(?:calendar )?(?:date)?(?:format)?"),
    ("time", r"(?:iso[- ]?8601|rfc[- ]?3339) time"),
    ("ipv6", r"ip ?v6(?: address)?"),
    ("ipv4", r"(?:ip ?v4(?: address)?|ip address)"),
    ("semver", r"(?:semantic version(?: number)?|semver(?: version)?)"),
    ("regex", r"(?:regex|regexp|regular expression)"),
    ("javascript", r"(?:javascript|ecmascript|node\.?js)"),
    ("python", r"python ?3?"),
    ("sql", r"sql(?:ite)?"),
)
_LANGUAGES: Final = {"javascript", "python", "sql"}
_ANY: Final = "|".join(f"(?P<f{number}>{words})" for number, (_, words) in enumerate(_NAMES))
_FILLER: Final = (
    r"(?:(?:(?:only|just|back|me|us|it|with|in|as|to|into|using|a|an|the|one|single|your|valid|strict|strictly|"
    r"well-?formed|compliant|correct|proper|raw|pure|plain|minified|compact|pretty-?printed|formatted|standard|"
    r"syntactically|complete|simple|small|short|random|working|some|exactly|of|rfc[- ]?\d+|version[- ]?\d|"
    r"(?:semicolon|tab|pipe|comma)[- ](?:separated|delimited)|"
    r"answer|response|output|result|results|object|document|reply|format|form|code|be|must|should|following)\b|:)"
    r"[ \t]*+[ \t\n:,\"'`*]{0,3}+){0,8}+"
)
_VERBS: Final = (
    r"(?:return|respond|reply|answer|output|print|emit|produce|generate|give|provide|write|create|format|"
    r"formatted|encode|serialize|serialise|convert|present|supply|submit|send|make|build|express|render|"
    r"structured?|represent|returned|output(?:ted)?|must be|should be|needs to be|has to be|be)"
)
_BEFORE: Final = r"(?<![\w/.\-])"
_AFTER: Final = r"(?![\w/]|\.\w|-(?!formatted|only|compliant))"
_NEGATED = re.compile(
    r"(?:\b(?:not|no|never|without|avoid|instead of|rather than|neither|nor)|n't)[^.\n;,]{0,25}$", re.IGNORECASE
)
_QUOTED_SOURCE = re.compile(
    r"\b(?:this|that|these|those|from|parse[sd]?|parsing|given|reads?|reading)\s+(?:the\s+)?$", re.I
)


def _tier(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


# From the surest wording to the weakest: "return valid JSON"; "answer as CSV"; "valid YAML"; "TOML only".
_TIERS: Final = (
    _tier(rf"\b{_VERBS}[ \t\n:]+{_FILLER}{_BEFORE}(?:{_ANY}){_AFTER}"),
    _tier(rf"\b(?:as|in|into|to|using)[ \t\n]+{_FILLER}{_BEFORE}(?:{_ANY}){_AFTER}"),
    _tier(rf"\b(?:valid|well-?formed)[ \t\n]+{_FILLER}{_BEFORE}(?:{_ANY}){_AFTER}"),
    _tier(rf"{_BEFORE}(?:{_ANY})[ \t]+(?:only|output|format|object|array|document|string|response|please)\b"),
    _tier(rf"\bwhat(?:'s| is| are)?[ \t\n]+{_FILLER}{_BEFORE}(?:{_ANY}){_AFTER}"),
)
_COLUMNS = re.compile(
    r"\b(?:columns?|headers?|fields?)\b(?: row| names?(?![\w,])| named| called| are| is| of| in order| exactly| these|"
    r" the following| should be| must be|:|,| -)*[ \t]+(?P<names>[^.\n;]{1,400})",
    re.IGNORECASE,
)
_COLUMN_NUMBER = re.compile(r"\b(\d{1,3}|two|three|four|five|six|seven|eight|nine|ten)[ -]+columns?\b", re.IGNORECASE)
_NUMBERS: Final = {
    word: number
    for number, word in enumerate(["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"], 2)
}
_DELIMITERS: Final = (("semicolon", ";"), ("tab", "\t"), ("pipe", "|"))
_NO_HEADER = re.compile(r"\b(?:no|without(?: an?)?|omit the|skip the) header", re.IGNORECASE)
_TAG_PAIR = re.compile(r"<(?P<tag>[a-zA-Z][\w-]{0,40})>[^<>]{0,200}</(?P=tag)>")
_TAG_NAMED = re.compile(
    r"<(?P<tag>[a-zA-Z][\w-]{0,40})>(?:[ \t]*(?:and|\.\.\.|…|,)?[ \t]*</(?P=tag)>)?[`'\"]?[ \t]+(?:tags?|blocks?)\b",
    re.I,
)
_TAG_WORDS = re.compile(r"\btags?\b|\btemplate\b|\bformat\b", re.IGNORECASE)
_WELL_KNOWN_TAGS: Final = frozenset(("think", "thinking", "reasoning", "answer", "solution", "final_answer", "result"))
_MAX_TAGS: Final = 12
_TAG_VERB = re.compile(
    r"\b(?:wrap|enclose|put|place|inside|in|within|between|using|surround)\b[^.\n<]{0,80}<(?P<tag>[a-zA-Z][\w-]{0,40})>",
    re.IGNORECASE,
)
_LINES = re.compile(
    r"\bjson\b[^.\n]{0,40}\b(?:per|each|every|a|on each) line\b|\b(?:ndjson|jsonl|json lines)\b", re.IGNORECASE
)
_ROOT = re.compile(
    r"\broot(?: element| tag| node)?(?: named| called| of| is| should be| must be|:)*[ \t]+"
    r"[`'\"<]{0,2}([A-Za-z_](?:[\w.-]*\w)?)",
    re.I,
)


def asked_format(prompt: str) -> FormatReference | None:
    """The reference that a prompt's wording amounts to; None where it asks for no format."""
    if len(prompt) <= _CACHED_LENGTH:
        return _cached(prompt)
    return _asked(prompt if len(prompt) <= 2 * SEARCHED else prompt[:SEARCHED] + "\n\n" + prompt[-SEARCHED:])


@lru_cache(maxsize=512)
def _cached(prompt: str) -> FormatReference | None:
    return _asked(prompt)


def _asked(prompt: str) -> FormatReference | None:
    tags = _tags(prompt)
    name = _named(prompt)
    if name in ("xml", "html") and tags and "think" not in tags:
        tags = ()  # tags of the document itself, not of a template
    fields = {} if name is None else _fields(prompt, name)
    if not tags:
        return None if name is None else FormatReference(**fields)
    template = FormatReference(template=_template(tags))
    if name is None or name in _LANGUAGES:
        return template
    if tags == ("think",):
        return FormatReference(all_of=[template, FormatReference(**fields)])
    if name == "json":
        return FormatReference(template=_template(tags, "{json}"))
    return template


def _named(prompt: str) -> str | None:
    for tier in _TIERS:
        for match in tier.finditer(prompt):
            name = next(_NAMES[number][0] for number in range(len(_NAMES)) if match[f"f{number}"])
            at = match.start(f"f{[n for n, _ in _NAMES].index(name)}")
            if _NEGATED.search(prompt[max(0, match.start() - 40) : at]):
                continue
            if _QUOTED_SOURCE.search(prompt[max(0, at - 30) : at]):
                continue
            return name
    return None


def _fields(prompt: str, name: str) -> dict[str, Any]:
    if name == "json" and _LINES.search(prompt):
        name = "ndjson"
    fields: dict[str, Any] = {"format": name}
    if name == "csv":
        fields |= _csv_fields(prompt)
    root = _ROOT.search(prompt) if name == "xml" else None
    if root is not None:
        fields["root"] = root[1]
    return fields


def _csv_fields(prompt: str) -> dict[str, Any]:
    fields: dict[str, Any] = {}
    names = _column_names(prompt)
    number = _COLUMN_NUMBER.search(prompt)
    if names:
        fields["columns"] = names
    elif number is not None:
        word = number[1].lower()
        fields["columns"] = _NUMBERS.get(word) or max(1, int(word))
    if _NO_HEADER.search(prompt):
        fields["header"] = False
    for word, mark in _DELIMITERS:
        if re.search(
            rf"\b{word}s?\b[- ]*(?:delimit|separat|as (?:the )?(?:delimiter|separator))", prompt, re.IGNORECASE
        ):
            fields["delimiter"] = mark
    return fields


def _column_names(prompt: str) -> list[str]:
    """The names listed after "columns"; none where the words are not plainly a list."""
    for match in _COLUMNS.finditer(prompt):
        listed = re.split(r"\s*,\s*(?:and\s+)?|\s+and\s+", match["names"].strip(" :"))
        names = [name.strip(" \t`'\"*()[]") for name in listed]
        if len(names) >= 2 and all(re.fullmatch(r"[\w$%#/-]+(?: [\w$%#/-]+)?", name) for name in names):
            return names
    return []


def _tags(prompt: str) -> tuple[str, ...]:
    """The tags that the prompt wants the response wrapped in, in the order of their naming."""
    found: dict[str, int] = {}
    speaks_of_tags = _TAG_WORDS.search(prompt) is not None
    for pattern in (_TAG_PAIR, _TAG_NAMED, _TAG_VERB):
        for match in pattern.finditer(prompt):
            tag = match["tag"]
            if pattern is _TAG_PAIR and not speaks_of_tags and tag.lower() not in _WELL_KNOWN_TAGS:
                continue  # markup that the prompt merely shows
            found[tag] = min(found.get(tag, match.start()), match.start())
    return tuple(sorted(found, key=lambda tag: found[tag])[:_MAX_TAGS])


def _template(tags: tuple[str, ...], last: str = "{text}") -> str:
    parts = [f"<{tag}>{{text}}</{tag}>" for tag in tags[:-1]] + [f"<{tags[-1]}>{last}</{tags[-1]}>"]
    return "".join(parts) + ("{text}" if tags == ("think",) else "")
