"""The final answer in a response: reasoning stripped, then tags, boxes or an "Answer:" label, else the whole text."""

from __future__ import annotations

import re
from collections import deque
from dataclasses import dataclass

from verifleet.reasoning import answer_in, offers_another

# A factual answer is short. Of anything longer only the end, where answers stand, is read.
MAX_READ_CHARS = 20_000
_ANSWER_TAG = re.compile(r"<(?:final_?)?answer>(.*?)(?:</(?:final_?)?answer>|\Z)", re.IGNORECASE | re.DOTALL)
_JSON_ANSWER = re.compile(r'"(?:final_?)?answer"\s*:\s*(?:"((?:[^"\\]|\\.)*)"|(-?[\d.,]+))', re.IGNORECASE)
# another answer beside it: `Second answer: Lyon`
_OTHER = re.compile(
    r"^[^\w\n]*(?:alternative|other|second|backup) (?:answer|choice)[*]*\s*:", re.IGNORECASE | re.MULTILINE
)
_HASHED, MAX_HASHED = re.compile(r"####[ \t]++(?=[^\s#])"), 200
"""What opens a last line such as `#### 32`, and the signs that may follow it."""
_FIGURE = re.compile(r"[^#]*\d[^#]*")
_BOXED = "\\boxed{"
_LABEL = re.compile(
    r"(?:^[ \t>*_#`\-]*|(?<=[.!?] )(?=(?:final )?answer:))"
    r"(?:(?:my|the|your|so)\s+)?(?:(?:final|short|correct|direct)\s+)?(?:answer|conclusion|a|tl;?dr)"
    r"[ \t]*(?:is[ \t]*)?[*_`]*[ \t]*[:：=][ \t*_`]*(?P<rest>[^\n]*)",
    re.IGNORECASE | re.MULTILINE,
)


@dataclass(frozen=True, slots=True)
class Extraction:
    """`text` is what counts as the answer, `start` its offset in the response, `how` tells where it stood."""

    text: str
    start: int
    how: str
    malformed: str = ""


def extract_answer(response: str) -> Extraction:
    """Find the final answer. An unclosed `<think>` or code fence makes the response malformed."""
    start, unclosed = answer_in(response)
    if unclosed >= 0:
        return Extraction("", start, "none", "a <think> block is never closed")
    if response.count("```", start) % 2:
        return Extraction("", start, "none", "a code fence is never closed")
    if len(response) - start > MAX_READ_CHARS:
        start = len(response) - MAX_READ_CHARS
    text = response[start:]
    for how, find in (("tag", _tagged), ("json", _json_field), ("boxed", _boxed), ("label", _labelled)):
        span = find(text)
        if span is not None and text[span[0] : span[1]].strip():
            return _trimmed(text, span, start, how)
    return _trimmed(text, (0, len(text)), start, "whole")


def _trimmed(text: str, span: tuple[int, int], offset: int, how: str) -> Extraction:
    start, end = span
    inner = text[start:end]
    lead = len(inner) - len(inner.lstrip())
    return Extraction(inner.strip(), offset + start + lead, how)


def last_match(pattern: re.Pattern[str], text: str) -> re.Match[str] | None:
    """The last of all matches."""
    matches = deque(pattern.finditer(text), maxlen=1)
    return matches[0] if matches else None


def _tagged(text: str) -> tuple[int, int] | None:
    last = last_match(_ANSWER_TAG, text)
    return last.span(1) if last else None


def _json_field(text: str) -> tuple[int, int] | None:
    """The value of `answer` where the whole response is a JSON object."""
    whole = text.strip()
    if offers_another(whole) or not (whole.startswith("{") and whole.endswith("}")):
        return None
    last = last_match(_JSON_ANSWER, text)
    return (last.span(1) if last.group(1) is not None else last.span(2)) if last else None


def _boxed(text: str) -> tuple[int, int] | None:
    at = text.rfind(_BOXED)
    if at < 0:
        return None
    depth, start = 1, at + len(_BOXED)
    for i in range(start, len(text)):
        depth += {"{": 1, "}": -1}.get(text[i], 0)
        if depth == 0:
            return start, i
    return None


def _labelled(text: str) -> tuple[int, int] | None:
    end = len(text.rstrip())
    hashed = _HASHED.match(text, text.rfind("\n", 0, end) + 1, end)
    if hashed and end - hashed.end() <= MAX_HASHED and _FIGURE.fullmatch(text, hashed.end(), end):
        return hashed.end(), end
    last = last_match(_LABEL, text)
    if last is None or _OTHER.search(text):
        return None
    if last.group("rest").strip(" *_`"):
        return last.span("rest")
    rest = text[last.end() :]
    lead = len(rest) - len(rest.lstrip())
    end = rest.find("\n\n", lead)
    return last.end() + lead, last.end() + (end if end >= 0 else len(rest))
