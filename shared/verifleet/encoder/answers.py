"""Whether a response gives the expected answer to a question, as the encoder reads all three."""

from __future__ import annotations

from collections.abc import Sequence

from verifleet.encoder import marked, odds, pieces

GIVES, EXPLAINS = "gives", "explains"
"""The questions put to the encoder: is what stands at the marks the answer, and is the same said in other words?"""
MAX_CHARS, MAX_ASKED, MAX_EXPECTED = 600, 64, 48
"""Characters of a prompt's end and of an expected answer, and pieces of each, that are looked at."""
MAX_RESPONSE, MAX_SENTENCES = 4_000, 8
"""Characters of a response that are looked at, and how many of its sentences by themselves."""
SAID, LEANS = 2.0, 0.0
"""Log-odds from which an explanation is taken for said, and of a whole response for one of its sentences to do."""

_ENDS = tuple(".!?…:;)]}'\"`*_。！？")


def gives(prompt: str, expected: str, response: str, places: Sequence[tuple[int, int]]) -> float:
    """The log-odds that a response gives as its own answer what is expected and stands at `places`, offsets in order.

    Of a long response the part around the first of them is read.
    """
    start = max(0, places[0][0] - MAX_RESPONSE // 2)
    shown = [(a - start, b - start) for a, b in places if b - start <= MAX_RESPONSE]
    return odds(GIVES, _asked(prompt, expected), marked(response[start : start + MAX_RESPONSE], shown))


def explains(prompt: str, expected: str, response: str, sentences: Sequence[str] = ()) -> float:
    """The log-odds that a response says what an expected explanation or description says, in whatever words.

    Of one that leans to it as a whole, by the clearest of its `sentences`: what else it tells makes it no less right.
    """
    asked = _asked(prompt, expected)
    whole = odds(EXPLAINS, asked, _ended(response))
    if not LEANS <= whole < SAID or len(sentences) < 2:
        return whole
    return max(whole, *(odds(EXPLAINS, asked, _ended(said)) for said in sentences[:MAX_SENTENCES]))


def _ended(text: str) -> Sequence[int]:
    """A text with an end, as most have one: whether it has a full stop tells nothing."""
    text = text[:MAX_RESPONSE].rstrip()
    return pieces(text if text.endswith(_ENDS) else f"{text}.")


def _asked(prompt: str, expected: str) -> tuple[Sequence[int], Sequence[int]]:
    return pieces(prompt[-MAX_CHARS:])[-MAX_ASKED:], pieces(expected[:MAX_CHARS])[:MAX_EXPECTED]
