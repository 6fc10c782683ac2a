"""Who is named for what a brief tells: an authority, a body that is cited, a newsroom, else whoever says so."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from verifleet.agents.briefs.brings import OFFICIAL
from verifleet.agents.briefs.state import State, Voice, independent
from verifleet.agents.briefs.tolls import LATER
from verifleet.reading.gazetteer import known_place
from verifleet.reading.speakers import OFFICES, is_authority
from verifleet.reading.words import fold

_SEVERAL = frozenset("police officials authorities investigators".split())
_SMALL = re.compile("d[aeiou]s?|del|of|the")
_INSIDE = rf"\W+(?:(?:{_SMALL.pattern})\W+)?"
"""Between the words of a name, small ones that are not kept of it."""


def who(voices: Sequence[Voice], state: State, *, lasts: bool) -> tuple[str, float]:
    """Who says so and when, first what `lasts`, last what may change: authorities, else the body that news cite.

    Else that is a newsroom or another voice that readers know, before others, with how many others say so.
    """
    turn = -1 if lasts else 1
    if bodies := [one for one in voices if one.official or is_authority(one.attributed)]:
        best = max(bodies, key=lambda one: (one.official or one.known, one.stands, turn * one.as_of, one.official))
        named = [one for one in bodies if one.official] if best.official else [best]
        names = dict.fromkeys(_spelt(one, state) if _is_cited(one) else one.name for one in named)
        return " and ".join(list(names)[:2]), best.as_of
    known = [one for one in voices if one.known] or list(voices)
    newest, named = max(one.as_of for one in known), [one for one in known if not one.nobody] or known
    sure = [one for one in named if one.verdict == "supported" and (lasts or one.as_of > newest - LATER)] or named
    shown = max(sure, key=lambda one: (one.source == "news", turn * one.as_of, one.name))
    return and_others(shown, voices), shown.as_of


def _is_cited(voice: Voice) -> bool:
    """Whether a body is better known by the name under which its word is passed on: "the mayor", not "officials"."""
    return is_authority(voice.attributed) and (voice.nobody or not voice.official)


def counted_by(voices: Sequence[Voice], state: State, *, lasts: bool = False) -> tuple[str, float]:
    """Who tells a count and when, and that it is not confirmed where readers know nobody who says so."""
    by, as_of = who(voices, state, lasts=lasts)
    sure = any(voice.known or voice.source in OFFICIAL or is_authority(voice.attributed) for voice in voices)
    return by + ", not confirmed" * (not sure), as_of


def and_others(shown: Voice, voices: Sequence[Voice]) -> str:
    """Whoever is named, and how many others say so: "@reuters and 2 others", "3 news reports", "2 sources"."""
    count = len(independent(voices))
    if count < 2:
        return shown.name
    if not shown.known:
        return f"{count} sources"
    alike = len(independent([one for one in voices if one.known])) if shown.nobody else 1
    first = f"{alike} news reports" if alike > 1 and shown.source == "news" else shown.name
    rest = count - alike
    return first + f" and {rest} other{'s' * (rest > 1)}" * bool(rest)


def _spelt(voice: Voice, state: State) -> str:
    """A body as it is told of: "NDRRMC", "an official", "the mayor", "police in Glasgow"."""
    body = voice.attributed
    *before, last = body.split() or [""]
    if before and before[0] in _SEVERAL and known_place(body.partition(" ")[2]):
        body = f"{before[0]} in {body.partition(' ')[2]}"
    elif last == "official":
        body = f"{'an' if (before or [last])[0][:1] in 'aeiou' else 'a'} {body}"
    elif last in OFFICES and (not before or last == "agency"):
        body = f"the {body}"
    prose = sum(word.islower() for word in voice.label.split()) * 2 > len(voice.label.split())
    texts = (*[voice.label] * prose, *sorted(state.entities, key=state.entities.__getitem__, reverse=True))
    return next((told for text in texts if (told := _as_written(body, text)) != body), body)


@lru_cache(maxsize=4096)
def _as_written(body: str, text: str) -> str:
    """A body with those of its words that stand in a text together as they are written there: "Sûreté du Québec"."""
    words, plain = body.split(), "".join(fold(letter)[:1] or " " for letter in text)
    runs = [words[start:end] for start in range(len(words)) for end in range(start + 1, len(words) + 1)]
    for run in sorted(runs, key=len, reverse=True):
        found = re.search(rf"\b{_INSIDE.join(map(re.escape, run))}\b", plain)
        told = text[slice(*found.span())] if found else ""
        name = told and all(word[:1].isupper() or _SMALL.fullmatch(word) for word in told.split())
        if name and (len(run) > 1 or (len(told) > 2 and told.isupper() == is_authority(told.lower()))):
            return body.replace(" ".join(run), told)
    return body
