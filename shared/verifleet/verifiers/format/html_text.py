"""HTML through html5lib: the parse errors of the living standard are faults, a missing doctype is none."""

from __future__ import annotations

import re
from typing import Any, Final

from verifleet.verification import WorkerPool
from verifleet.verifiers.format.fault import Fault, offset_of, shown, surrogate_fault
from verifleet.verifiers.format.guarded import in_worker

PLAIN_LENGTH: Final = 5_000  # characters up to which a text is read in this process
_NO_DOCTYPE: Final = "expected-doctype-but-got-"
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


def html_fault(text: str) -> Fault | None:
    """The first parse error. Pure Python and slow on deep nesting: long texts are read in a worker."""
    import html5lib
    from html5lib.constants import E as MESSAGES

    parser = html5lib.HTMLParser()
    try:
        parser.parse(text)
    except RecursionError:
        return Fault("depth", "The elements are nested too deeply.", None)
    errors: list[Any] = [error for error in parser.errors if not error[1].startswith(_NO_DOCTYPE)]
    if not errors:
        return None
    (line, column), code, values = errors[0]
    message = MESSAGES.get(code, code) % values
    # The parser names the place just behind the fault, counting columns from 0.
    return Fault(code, f"HTML parse error: {shown(message).rstrip('.')}.", offset_of(text, line, column + 1))
