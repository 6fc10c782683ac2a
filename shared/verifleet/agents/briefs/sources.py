"""Who is named for what a brief tells: an authority, a body that is cited, a newsroom, else whoever says so."""

from __future__ import annotations

from collections.abc import Sequence

from verifleet.agents.briefs.brings import OFFICIAL
from verifleet.agents.briefs.state import State, Voice, independent
from verifleet.agents.briefs.tolls import LATER
from verifleet.agents.briefs.words import is_authority

_SEVERAL = frozenset("police officials authorities".split())
_OFFICES = frozenset("agency coroner mayor sheriff president governor minister".split())


def who(voices: Sequence[Voice], state: State, *, lasts: bool = False) -> tuple[str, float]:
    """Who says so and when, first what `lasts`, last what may change: authorities, else the body that news cite.

    Else that is a newsroom or another voice that readers know, before others, with how many others say so.
    """
    pick, turn = (min, -1) if lasts else (max, 1)
    authorities = [one for one in voices if one.official]
    citing = [one for one in voices if is_authority(one.attributed)]
    best = max(citing, key=lambda one: (one.known, one.source == "news", one.as_of), default=None)
    named = authorities or [one for one in citing if best and one.attributed == best.attributed]
    if named:
        time = pick(one.as_of for one in [one for one in named if one.stands] or named)
        bodies = (one if one in citing and (one.nobody or not authorities) else None for one in named)
        names = [_spelt(body.attributed, state) if body else one.name for one, body in zip(named, bodies, strict=True)]
        return " and ".join(list(dict.fromkeys(names))[:2]), time
    known = [one for one in voices if one.known] or list(voices)
    newest, named = max(one.as_of for one in known), [one for one in known if not one.nobody] or known
    sure = [one for one in named if one.verdict == "supported" and (lasts or one.as_of > newest - LATER)] or named
    shown = max(sure, key=lambda one: (one.source == "news", turn * one.as_of, one.name))
    count, alike = len(independent(voices)), len(independent(known))
    by = and_others(shown, count)
    if shown.nobody and count > 1:
        more = f" and {count - alike} other{'s' * (count > alike + 1)}" * (count > alike)
        by = (f"{alike} {'news ' * (shown.source == 'news')}reports" if alike > 1 else shown.name) + more
    return by, shown.as_of


def counted_by(voices: Sequence[Voice], state: State, *, lasts: bool = False) -> tuple[str, float]:
    """Who tells a count and when, and that it is not confirmed where readers know nobody who says so."""
    by, as_of = who(voices, state, lasts=lasts)
    sure = any(voice.known or voice.source in OFFICIAL or is_authority(voice.attributed) for voice in voices)
    return by + ", not confirmed" * (not sure), as_of


def and_others(voice: Voice, count: int) -> str:
    """Whoever is named, and how many others say so; how many sources where nobody has a name."""
    if count < 2:
        return voice.name
    return (
        f"{count} sources"
        if voice.nobody or not voice.known
        else f"{voice.name} and {count - 1} other{'s' * (count > 2)}"
    )


def _spelt(body: str, state: State) -> str:
    """A body as it is told of: "NDRRMC", "an official", "the mayor", "police in Glasgow"."""
    spelt = {name.casefold(): name for name in sorted(state.entities, key=state.entities.__getitem__)}
    *before, last = body.split() or [""]
    if before and before[0] in _SEVERAL and body not in spelt:
        body = f"{before[0]} in {body.partition(' ')[2]}"
    elif last == "official":
        body = f"{'an' if (before or [last])[0][:1] in 'aeiou' else 'a'} {body}"
    elif last in _OFFICES and (not before or last == "agency"):
        body = f"the {body}"
    parts = (word.partition("'") for word in body.split())
    return " ".join(spelt.get(word, word) + mark + tail for word, mark, tail in parts)
