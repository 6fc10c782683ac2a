"""Tag templates such as `<think>{text}</think><answer>{text}</answer>`.

Each tag of the template appears exactly once in the response and in order, what stands between an opening and a
closing tag is not empty and holds none of the tags, and nothing but white space stands outside. A placeholder
named after a format (`{json}`) requires its content to be in that format, `{int}` and `{number}` a number; `{text}`,
`{}`, one of the other names in FREE_TEXT and the name of the tag before it (`<plan>{plan}</plan>`) take any text.
Every other name is refused: a misspelt one would take any text, too. `{{` and `}}` stand for braces.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, get_args

from verifleet.errors import nearest_name
from verifleet.verification import FormatName
from verifleet.verifiers.format.fault import Fault, shown

MAX_LENGTH: Final = 100_000  # characters of a template

FREE_TEXT: Final = ("text", "any", "answer", "content", "reasoning", "response", "solution", "thinking", "thought")
VALUES: Final = {
    "int": re.compile(r"[+-]?[0-9]+"),
    "number": re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?"),
}
FORMATS: Final = tuple(name for name in get_args(FormatName) if name != "template")
_KNOWN: Final = frozenset((*FREE_TEXT, *VALUES, *FORMATS))
_PART = re.compile(r"\{\{|\}\}|\{(?P<name>[\w-]*)\}|(?P<tag></?[^<>{}\s][^<>{}]*>)|(?P<brace>[{}])|[^{}<]+|<")
_ANY_TAG = re.compile(r"<[^<>]*+>")
_FEW = 20  # tags, which are quicker to look for by their names


class TemplateError(ValueError):
    """The template itself can't be used."""


@dataclass(frozen=True, slots=True)
class Slot:
    """A placeholder's content in a response: its name, its text without white space around, where it begins."""

    name: str
    text: str
    start: int


@dataclass(frozen=True, slots=True)
class _Mark:
    text: str
    is_tag: bool


@lru_cache(maxsize=256)
def _parts(template: str) -> tuple[_Mark | str, ...]:
    """Marks (fixed text) and the names of placeholders, in order; two placeholders never touch."""
    parts: list[_Mark | str] = []
    literal = ""

    def end_literal() -> None:
        nonlocal literal
        if literal.strip():
            parts.append(_Mark(literal.strip(), False))
        literal = ""

    for match in _PART.finditer(template):
        if match["brace"]:
            raise TemplateError(f"The template has a single brace at {match.start()}; write {{{{ or }}}} for one.")
        if match["name"] is not None:
            had_gap = bool(literal)
            end_literal()
            if parts and isinstance(parts[-1], str):
                where = "only white space" if had_gap else "nothing"
                raise TemplateError(f"The template has {where} between two placeholders.")
            name = match["name"] or "text"
            _check_name(name, parts[-1].text if parts else "")  # type: ignore[union-attr]
            parts.append(name)
        elif match["tag"]:
            end_literal()
            parts.append(_Mark(match["tag"], True))
        else:
            literal += {"{{": "{", "}}": "}"}.get(match[0], match[0])
    end_literal()
    if not parts:
        raise TemplateError("The template is empty.")
    return tuple(parts)


def _check_name(name: str, before: str) -> None:
    if name in _KNOWN:
        return
    near = nearest_name(name, _KNOWN)
    if near is None and re.fullmatch(rf"<{re.escape(name)}(?:\s[^<>]*)?>", before):
        return
    meant = f"; did you mean {{{near}}}?" if near else "."
    known = f"the formats {' '.join(FORMATS)}, the numbers {' '.join(VALUES)}, or for any text {' '.join(FREE_TEXT)}"
    raise TemplateError(f"The placeholder {{{shown(name, 60)}}} is not known{meant} There are {known}.")


def check_template(template: str) -> None:
    """Raises TemplateError for a template that can't be used."""
    if len(template) > MAX_LENGTH:
        raise TemplateError(f"The template is longer than {MAX_LENGTH} characters.")
    _parts(template)


def read_template(text: str, template: str) -> list[Slot] | Fault:
    """The contents of the placeholders, or the first fault. Raises TemplateError for an unusable template."""
    check_template(template)
    parts = _parts(template)
    fault = _tags_fault(text, parts)
    if fault is not None:
        return fault
    slots: list[Slot] = []
    at, open_slot = 0, ""
    for part in parts:
        if isinstance(part, str):
            open_slot = part
            continue
        found = text.find(part.text, at)
        if found < 0:
            return Fault("missing_text", f"The text {shown(part.text, 60)!r} is missing or out of order.", at)
        fault = _between(text, at, found, open_slot, slots)
        if fault is not None:
            return fault
        at, open_slot = found + len(part.text), ""
    return _between(text, at, len(text), open_slot, slots) or slots


def _between(text: str, start: int, end: int, name: str, slots: list[Slot]) -> Fault | None:
    content = text[start:end]
    stripped = content.strip()
    begin = start + len(content) - len(content.lstrip())
    if not name:
        return Fault("outside", "Text stands outside the template's tags.", begin) if stripped else None
    if not stripped:
        return Fault("empty_content", f"The content for {{{name}}} is empty.", start)
    if name in VALUES and VALUES[name].fullmatch(stripped) is None:
        return Fault(name, f"The content for {{{name}}} is none.", begin)
    slots.append(Slot(name, stripped, begin))
    return None


def _tags_fault(text: str, parts: tuple[_Mark | str, ...]) -> Fault | None:
    """Each tag as often as the template has it (normally once), and in the template's order."""
    tags = [part.text for part in parts if isinstance(part, _Mark) and part.is_tag]
    if not tags:
        return None
    known = set(tags)
    pattern = re.compile("|".join(map(re.escape, known))) if len(known) <= _FEW else _ANY_TAG
    number = 0
    for match in pattern.finditer(text):
        if match[0] not in known:
            continue
        if number < len(tags) and match[0] == tags[number]:
            number += 1
            continue
        rule = "repeated_tag" if match[0] in tags[:number] else "tag_order"
        what = "stands again" if rule == "repeated_tag" else "is out of order"
        return Fault(rule, f"The tag {shown(match[0], 60)} {what}.", match.start())
    if number < len(tags):
        return Fault("missing_tag", f"The tag {shown(tags[number], 60)} is missing.", len(text))
    return None
