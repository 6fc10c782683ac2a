"""Tag templates such as `<think>{text}</think><answer>{text}</answer>`, found in a response.

Each tag of the template appears exactly once in the response and in order, what stands between an opening and a
closing tag is not empty and holds none of the tags, and nothing but white space stands outside.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from verifleet.template_syntax import VALUES, Mark, check_template, template_parts
from verifleet.verifiers.format.fault import Fault, shown

_ANY_TAG = re.compile(r"<[^<>]*+>")
_FEW = 20  # tags, which are quicker to look for by their names


@dataclass(frozen=True, slots=True)
class Slot:
    """A placeholder's content in a response: its name, its text without white space around, where it begins."""

    name: str
    text: str
    start: int


def read_template(text: str, template: str) -> list[Slot] | Fault:
    """The contents of the placeholders, or the first fault. Raises TemplateError for an unusable template."""
    check_template(template)
    parts = template_parts(template)
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


def _tags_fault(text: str, parts: tuple[Mark | str, ...]) -> Fault | None:
    """Each tag as often as the template has it (normally once), and in the template's order."""
    tags = [part.text for part in parts if isinstance(part, Mark) and part.is_tag]
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
