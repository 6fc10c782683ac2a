"""Which part of a response counts: without reasoning, out of its fence, trimmed.

Reasoning that never ends and a fence that never closes are faults of the response itself.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, Literal

from verifleet.reasoning import answer_in
from verifleet.verifiers.format.fault import Fault
from verifleet.verifiers.format.formats import FORMATS

SPACE: Final = " \t\r\n"
MAX_FENCES: Final = 10_000
# A fence opens a line and may name its language; it is closed by as many of the same marks alone on a line.
# On its lines may stand tags, as in <answer>```json.
_FENCE = re.compile(
    r"^[ ]{0,3}(?:<[\w-]{1,40}>[ \t]*+){0,4}+(?P<marks>`{3,}|~{3,})[ \t]*(?P<info>[^\n`]*)$", re.MULTILINE
)
_INLINE = re.compile(r"`([^`\n]++)`[.]?")


@dataclass(frozen=True, slots=True)
class Candidate:
    """The text that counts, and where it begins in the whole."""

    text: str
    start: int = 0


def without_reasoning(text: str) -> Candidate | Fault:
    """Cut off the reasoning; such that is never closed is a fault."""
    start, unclosed = answer_in(text)
    if unclosed >= 0:
        return Fault("unclosed_think", "The reasoning that <think> opens is never closed.", unclosed)
    if start:
        if not text[start:].strip():
            return Fault("no_answer", "Behind the reasoning there is no answer.", start)
        # The line break after the tag belongs to the tag, also where white space is part of the format.
        start += len(text) - start - len(text[start:].lstrip("\r\n"))
    return Candidate(text[start:], start)


def trimmed(candidate: Candidate, name: str) -> Candidate:
    """Without the white space around, for formats that allow it."""
    if name == "csv":
        # No reader takes empty lines at the end for rows.
        rows = candidate.text.rstrip(SPACE)
        after = candidate.text.find("\n", len(rows))
        return Candidate(candidate.text[: after + 1] if after >= 0 else candidate.text, candidate.start)
    if name in FORMATS and not FORMATS[name].trimmed:
        return candidate
    text = candidate.text.lstrip(SPACE)
    return Candidate(text.rstrip(SPACE), candidate.start + len(candidate.text) - len(text))


def fenced(candidate: Candidate, name: str) -> Candidate | Fault | None:
    """The fenced block: of several the last in the language of `name`, else the last in none; None without fences."""
    blocks: list[tuple[str, Candidate]] = []
    text, at = candidate.text, 0
    while (opening := _FENCE.search(text, at)) is not None:
        closing = _closing(opening["marks"]).search(text, opening.end())
        if closing is None:
            message = "The fenced block is never closed."
            return Fault("unclosed_fence", message, candidate.start + opening.start())
        start = min(opening.end() + 1, closing.start())
        body = text[start : closing.start()]
        language = opening["info"].strip().split(" ")[0].lower()
        blocks.append((language, Candidate(body, candidate.start + start)))
        at = closing.end()
        if len(blocks) > MAX_FENCES:
            message = f"There are more than {MAX_FENCES} fenced blocks."
            return Fault("fences", message, candidate.start + opening.start())
    if not blocks:
        return _ticked(candidate)
    names = (FORMATS[name].fences if name in FORMATS else None) or {name}
    kinds = [[block for language, block in blocks if language in wanted] for wanted in (names, {""})]
    return next(filter(None, (*kinds, [block for _, block in blocks])))[-1]


def _ticked(candidate: Candidate) -> Candidate | None:
    """What stands alone between single ticks on one line, as inline code."""
    inline = _INLINE.fullmatch(candidate.text.strip(SPACE))
    if inline is None:
        return None
    return Candidate(inline[1], candidate.start + candidate.text.index("`") + 1)


def _closing(marks: str) -> re.Pattern[str]:
    return re.compile(
        rf"^[ ]{{0,3}}{marks[0]}{{{len(marks)},}}[ \t]*+(?:</[\w-]{{1,40}}>[ \t]*+){{0,4}}+\r?$", re.MULTILINE
    )


def candidates(text: str, name: str, extract: Literal["whole", "fence", "auto"]) -> list[Candidate | Fault]:
    """What may count, in the order of trying: for `auto` the whole, then the fenced block."""
    whole = without_reasoning(text)
    if isinstance(whole, Fault):
        return [whole]
    if extract == "whole":
        return [trimmed(whole, name)]
    block = fenced(whole, name)
    if isinstance(block, Candidate):
        empty = Fault("no_answer", "The fenced block is empty.", block.start)
        block = trimmed(block, name) if block.text.strip() else empty
    if extract == "fence":
        return [block if block is not None else trimmed(whole, name)]
    return [trimmed(whole, name), *([block] if block is not None else [])]
