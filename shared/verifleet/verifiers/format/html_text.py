"""HTML through html5lib: the parse errors of the living standard are faults, a missing doctype is none.

html5lib knows an older standard. What today's says differently is put right here: ampersands that begin no
reference, the contents of `<template>`, text directly in a table.
"""

from __future__ import annotations

import re
from dataclasses import replace
from html.entities import html5
from typing import Any, Final

from verifleet.verification import WorkerPool
from verifleet.verifiers.format.fault import Fault, offset_of, shown, surrogate_fault
from verifleet.verifiers.format.guarded import in_worker

PLAIN_LENGTH: Final = 5_000  # characters up to which a text is read in this process
MAX_TEMPLATES: Final = 1_000
_NO_DOCTYPE: Final = "expected-doctype-but-got-"
_LONGEST: Final = 6  # letters of a name that may stand without its semicolon
_REFERENCE = re.compile(r"&(?P<name>[a-zA-Z][a-zA-Z0-9]*+)(?P<end>[;=]?)")
_ATTRIBUTES: Final = r"""(?:[^"'>]|"[^"]*"|'[^']*')*+>"""
_TAG_OR_REFERENCE = re.compile(rf"<[a-zA-Z]{_ATTRIBUTES}|{_REFERENCE.pattern}")
_ELEMENT = re.compile(r"<[a-zA-Z]")
_BODY = re.compile(r"<(?:html|body)(?=[\s/>])", re.IGNORECASE)
# Comments and elements of text alone, in which no tag counts, and the tags of templates.
_TEMPLATE_TAG = re.compile(
    r"<!--.*?--!?>|<(?P<raw>script|style|textarea|title|xmp|iframe)(?=[\s/>]).*?</(?P=raw)(?=[\s/>])"
    rf"|<(?P<end>/?)template(?=[\s/>]){_ATTRIBUTES}",
    re.IGNORECASE | re.DOTALL,
)
_FIRST_TAG = re.compile(r"\s*+(?:<!--(?:(?!-->).)*+-->\s*+)*+<(?P<name>[a-zA-Z]+)", re.DOTALL)
_NOT_BREAK = re.compile(r"[^\n]")
# In what the first tag of a template's contents has to stand; for all others it's a div.
_PARENTS: Final = dict.fromkeys(("td", "th"), "tr") | {
    "tr": "tbody",
    "col": "colgroup",
    **dict.fromkeys(("tbody", "thead", "tfoot", "caption", "colgroup"), "table"),
}


def check_html(text: str, workers: WorkerPool) -> Fault | None:
    """The first fault of a trimmed text as HTML: markup from its first character, no parse error, no prose after."""
    if not text:
        return Fault("empty", "There is no HTML: the text is empty.", 0)
    fault = surrogate_fault(text)
    if fault is not None:
        return fault
    if not text.startswith("<"):
        return Fault("text_outside", "Text stands before the markup.", 0)
    if not _ELEMENT.search(text):
        return Fault("no_element", "There is no element.", 0)
    if len(text) <= PLAIN_LENGTH:
        return html_fault(text)
    return in_worker(workers, html_fault, text)


def _without_harmless(match: re.Match[str]) -> str:
    """A tag or a character reference without those ampersands that today's standard takes as they are.

    The parser's standard is older: it complains of every ampersand that begins no reference, as in `AT&T` and
    `href="?a=1&b=2"`. A plus sign takes their place, so that all other places stay the same.
    """
    if match["name"] is None:
        return _REFERENCE.sub(lambda inner: _plain_ampersand(inner, in_tag=True), match[0])
    return _plain_ampersand(match, in_tag=False)


def _plain_ampersand(match: re.Match[str], in_tag: bool) -> str:
    name, end = match["name"], match["end"]
    if name + ";" in html5 and end == ";":
        return match[0]
    known = next((length for length in range(min(len(name), _LONGEST), 1, -1) if name[:length] in html5), None)
    if known is None:
        return match[0] if end == ";" else "+" + match[0][1:]
    following = name[known : known + 1] or end
    return "+" + match[0][1:] if in_tag and (following.isalnum() or following == "=") else match[0]


def html_fault(text: str) -> Fault | None:
    """The first parse error. Pure Python and slow on deep nesting: long texts are read in a worker."""
    outer, templates = _templates_apart(_TAG_OR_REFERENCE.sub(_without_harmless, text))
    try:
        found = [_parse_fault(text, outer)]
        for parent, start, markup in templates:
            fault = _parse_fault(text[start : start + len(markup)], markup, parent)
            found.append(fault and replace(fault, offset=(fault.offset or 0) + start))
    except RecursionError:
        return Fault("depth", "The elements are nested too deeply.", None)
    return min(filter(None, found), key=lambda fault: fault.offset or 0, default=None)


def _templates_apart(text: str) -> tuple[str, list[tuple[str, int, str]]]:
    """The text with a comment in the place of each template, and what was there.

    A comment may stand wherever a template may. Of each template with what it stands in and where: its contents,
    and its tags if they have attributes.
    """
    if "<template" not in text.lower():
        return text, []
    open_tags: list[re.Match[str]] = []
    pairs: list[tuple[int, int, int, int]] = []
    for match in _TEMPLATE_TAG.finditer(text):
        if match["end"] is None:
            continue
        if not match["end"]:
            open_tags.append(match)
        elif open_tags:
            pairs.append((*open_tags.pop().span(), *match.span()))
    templates: list[tuple[str, int, str]] = []
    for start, inner, outer, end in pairs[:MAX_TEMPLATES]:  # the inner ones come first
        first = _FIRST_TAG.match(text, inner, outer)
        parent = _PARENTS.get(first["name"].lower(), "div") if first is not None else "div"
        templates.append((parent, inner, text[inner:outer]))
        if inner - start > len("<template>"):
            templates.append(("div", start, text[start:inner] + "</template>"))
        text = f"{text[:start]}<!--{_NOT_BREAK.sub(' ', text[start + 4 : end - 3])}-->{text[end:]}"
    return text, templates


def _parse_fault(text: str, markup: str, parent: str | None = None) -> Fault | None:
    """The first parse error of a document, or of the contents of `parent`."""
    import html5lib
    from html5lib.constants import E as MESSAGES

    parser = html5lib.HTMLParser(namespaceHTMLElements=False)
    _watch_tables(parser)
    tree = parser.parse(markup) if parent is None else parser.parseFragment(markup, container=parent)
    errors: list[Any] = [error for error in parser.errors if not error[1].startswith(_NO_DOCTYPE)]
    if errors:
        (line, column), code, values = errors[0]
        message = (MESSAGES.get(code) or "Unexpected text directly in a table.") % values
        # The parser names the place just behind the fault, counting columns from 0; behind a tag, the tag is meant.
        offset = offset_of(text, line, column + 1)
        if text[offset - 1 : offset] == ">":
            offset = max(0, text.rfind("<", 0, offset))
        return Fault(code, f"HTML parse error: {shown(message).rstrip('.')}.", offset)
    if parent is None and not _BODY.search(text) and (prose := _last_text(tree)):
        at = text.rfind(prose)  # not found where it holds character references
        return Fault("text_outside", "Text stands after the markup.", text.rfind(">", 0, at if at > 0 else None) + 1)
    return None


def _watch_tables(parser: Any) -> None:
    """Make the parser report text directly in a table, which it moves out without a word."""
    silent = type(parser.phases["inTableText"])

    class Reporting(silent):  # type: ignore[misc, valid-type]  # the library makes the class anew for each parser
        __slots__ = ()

        def flushCharacters(self) -> None:
            if "".join(token["data"] for token in self.characterTokens).strip():
                self.parser.parseError("text-in-table")
            super().flushCharacters()

    parser.phases["inTableText"] = Reporting(parser, parser.tree)


def _last_text(tree: Any) -> str:
    """The text that stands last in the body, outside of any element; empty if an element is last."""
    body = tree.find("body")
    if body is None:
        return ""
    elements = list(body)
    return str((elements[-1].tail if elements else body.text) or "").strip()
