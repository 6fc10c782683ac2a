"""HTML through html5lib: the parse errors of the living standard are faults, a missing doctype is none."""

from __future__ import annotations

import re
from html.entities import html5
from typing import Any, Final

from verifleet.verification import WorkerPool
from verifleet.verifiers.format.fault import Fault, offset_of, shown, surrogate_fault
from verifleet.verifiers.format.guarded import in_worker

PLAIN_LENGTH: Final = 5_000  # characters up to which a text is read in this process
_NO_DOCTYPE: Final = "expected-doctype-but-got-"
_LONGEST: Final = 6  # letters of a name that may stand without its semicolon
_REFERENCE = re.compile(r"&(?P<name>[a-zA-Z][a-zA-Z0-9]*+)(?P<end>[;=]?)")
_TAG_OR_REFERENCE = re.compile(rf"""<[a-zA-Z](?:[^"'>]|"[^"]*"|'[^']*')*+>|{_REFERENCE.pattern}""")
_ELEMENT = re.compile(r"<[a-zA-Z]")


def check_html(text: str, workers: WorkerPool) -> Fault | None:
    """The first fault of a trimmed text as HTML: markup from its first to its last character, no parse errors."""
    if not text:
        return Fault("empty", "There is no HTML: the text is empty.", 0)
    fault = surrogate_fault(text)
    if fault is not None:
        return fault
    if not text.startswith("<"):
        return Fault("text_outside", "Text stands before the markup.", 0)
    if not text.endswith(">"):
        return Fault("text_outside", "Text stands after the markup.", text.rfind(">") + 1)
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
    import html5lib
    from html5lib.constants import E as MESSAGES

    parser = html5lib.HTMLParser()
    try:
        parser.parse(_TAG_OR_REFERENCE.sub(_without_harmless, text))
    except RecursionError:
        return Fault("depth", "The elements are nested too deeply.", None)
    errors: list[Any] = [error for error in parser.errors if not error[1].startswith(_NO_DOCTYPE)]
    if not errors:
        return None
    (line, column), code, values = errors[0]
    message = MESSAGES.get(code, code) % values
    # The parser names the place just behind the fault, counting columns from 0; behind a tag, the tag is meant.
    offset = offset_of(text, line, column + 1)
    if text[offset - 1 : offset] == ">":
        offset = max(0, text.rfind("<", 0, offset))
    return Fault(code, f"HTML parse error: {shown(message).rstrip('.')}.", offset)
