"""The syntax of tag templates such as `<think>{text}</think><answer>{text}</answer>`.

A placeholder named after a format (`{json}`) requires content in that format, `{int}` and `{number}` a number;
`{text}`, `{}`, one of the other names in FREE_TEXT and the name of the tag before it (`<plan>{plan}</plan>`) take any
text. Every other name is refused: a misspelt one would take any text, too. `{{` and `}}` stand for braces.

It stands outside of the format verifier, so that a reference can be read where that is not.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, get_args

from verifleet.errors import nearest_name
from verifleet.wire_names import FormatName

MAX_LENGTH: Final = 100_000  # characters of a template

FREE_TEXT: Final = ("text", "any", "answer", "content", "reasoning", "response", "solution", "thinking", "thought")
VALUES: Final = {
    "int": re.compile(r"[+-]?[0-9]+"),
    "number": re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?"),
}
FORMATS: Final = tuple(name for name in get_args(FormatName) if name not in ("template", "instructions"))
_KNOWN: Final = frozenset((*FREE_TEXT, *VALUES, *FORMATS))
_PART = re.compile(r"\{\{|\}\}|\{(?P<name>[\w-]*)\}|(?P<tag></?[^<>{}\s][^<>{}]*>)|(?P<brace>[{}])|[^{}<]+|<")


class TemplateError(ValueError):
    """The template itself can't be used."""


@dataclass(frozen=True, slots=True)
class Mark:
    """Fixed text of a template; a tag appears in a response as often as in the template."""

    text: str
    is_tag: bool


@lru_cache(maxsize=256)
def template_parts(template: str) -> tuple[Mark | str, ...]:
    """Marks (fixed text) and the names of placeholders, in order; two placeholders never touch."""
    parts: list[Mark | str] = []
    literal = ""

    def end_literal() -> None:
        nonlocal literal
        if literal.strip():
            parts.append(Mark(literal.strip(), False))
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
            parts.append(Mark(match["tag"], True))
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
    raise TemplateError(f"The placeholder {{{name[:60]}}} is not known{meant} There are {known}.")


def check_template(template: str) -> None:
    """Raises TemplateError for a template that can't be used."""
    if len(template) > MAX_LENGTH:
        raise TemplateError(f"The template is longer than {MAX_LENGTH} characters.")
    template_parts(template)
