"""Who is named for what a brief tells: an authority, a body that is cited, a newsroom, else whoever says so."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from verifleet.agents.briefs.brings import OFFICIAL
from verifleet.agents.briefs.state import State, Voice, independent
from verifleet.agents.briefs.tolls import LATER
from verifleet.agents.briefs.where import known_place
from verifleet.agents.briefs.words import is_authority
from verifleet.reading.words import LANGUAGES, fold, words_of

_SEVERAL = frozenset("police officials authorities investigators".split())
_AROUND = ".,;:!?()'’"
_OFFICES = frozenset("agency coroner mayor sheriff president governor minister".split())


def who(voices: Sequence[Voice], state: State, *, lasts: bool = False) -> tuple[str, float]:
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
    elif last in _OFFICES and (not before or last == "agency"):
        body = f"the {body}"
    names = sorted(state.entities, key=lambda name: (len(name.split()), state.entities[name]))
    prose = sum(word.islower() for word in voice.label.split()) * 2 > len(voice.label.split())
    for text in (*names, *[voice.label] * prose):
        body = _as_written(body, text)
    return body


def _as_written(body: str, text: str) -> str:
    """A body with those of its words that stand in a text together as they are written there: "Sûreté du Québec"."""
    told = [word.strip(_AROUND) for word in text.split()]
    least = [(at, fold(word)) for at, word in enumerate(told) if fold(word) not in _small()]
    words = body.split()
    for start in range(len(words)):
        for end in range(len(words), start, -1):
            run = [fold(word) for word in words[start:end]]
            at = next((n for n in range(len(least)) if [word for _, word in least[n : n + len(run)]] == run), None)
            whole = told[least[at][0] : least[at + len(run) - 1][0] + 1] if at is not None else []
            named = len(whole) > 1 or (whole and (whole[0].isupper() or not is_authority(run[0])))
            if named and all(word[:1].isupper() or fold(word) in _small() for word in whole):
                return " ".join((*words[:start], *whole, *words[end:]))
    return body


@cache
def _small() -> frozenset[str]:
    return frozenset[str]().union(*(words_of(language, "stop") for language in LANGUAGES), ("du", "des"))
