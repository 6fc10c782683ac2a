"""Where the reasoning in a response ends and the answer begins, for every verifier.

Everything up to the last `</think>` is reasoning, whether or not the response itself opens it: chat templates do.
The other tags of `reasoning_tags.json`, a closed list, count where they begin what is left, since elsewhere they may
as well be markup; reasoning then goes up to their last closing tag.
"""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

MAX_PARTS: Final = 16
"""Pieces of reasoning one after the other."""
_OTHER_KEY: Final = re.compile(r'"(?:or|(?:alternative|other|second|backup)[^"\\]{0,60})"\s*:', re.IGNORECASE)
_OPENING: Final = ("<think>", "<THINK>", "<Think>")
_CLOSING: Final = tuple(tag.replace("<", "</") for tag in _OPENING)
_BLANK: Final = " \t\r\n\f\v\ufeff\u200b\u2060"


class Answer(NamedTuple):
    """Where the answer starts; `unclosed` is where reasoning begins that never ends, or -1."""

    start: int
    unclosed: int = -1


def answer_in(text: str) -> Answer:
    """What follows the reasoning."""
    start = max(text.rfind(tag) + len(tag) if tag in text else 0 for tag in _CLOSING)
    for _ in range(MAX_PARTS):
        at = len(text) - len(text[start:].lstrip(_BLANK))
        opened = next((pair for pair in _tags() if text.startswith(pair[0], at)), None)
        if opened is None:
            break
        close = text.rfind(opened[1], at)
        if close < 0:
            return Answer(start, at)
        start = close + len(opened[1])
    return Answer(start, next((at for tag in _OPENING if (at := text.find(tag, start)) >= 0), -1))


@cache
def _tags() -> tuple[tuple[str, str], ...]:
    known = json.loads(Path(__file__).with_name("reasoning_tags.json").read_text("utf-8"))
    return tuple(known.items())


def offers_another(json_object: str) -> bool:
    """Whether a JSON object has another answer beside its own, under a key such as "alternative" or "or"."""
    return _OTHER_KEY.search(json_object) is not None
