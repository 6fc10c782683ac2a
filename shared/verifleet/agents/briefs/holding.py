"""What holds and what has ended: of each thing the phase that counts.

That something ended is heard late by many, so its end counts until an authority has it hold again.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from verifleet.agents.briefs.circumstances import HOUR, Circumstance, circumstances
from verifleet.agents.briefs.sentences import sentence
from verifleet.agents.briefs.state import Said, State
from verifleet.agents.briefs.tolls import cited, standing

OF_USE = 0.0
"""Of what use the words of one report in another language are for what they tell to be told in ours."""
Telling = tuple[Said, Circumstance]


def told_circumstances(state: State) -> list[Telling]:
    """What was said of things that hold or have ended."""
    known = ((said, circumstances().get(said.words["subject"])) for said in state.said if said.kind == "circumstance")
    return [(said, kind) for said, kind in known if kind is not None]


def is_past(said: Said, kind: Circumstance, state: State) -> bool:
    """Whether nobody has told it for so long that it need not hold any more."""
    return bool(kind.hours) and said.newest <= state.latest - kind.hours * HOUR


def held(state: State) -> list[Telling]:
    """The phase that counts of each thing that several or an authority tell of, in the order of their times."""
    things: dict[tuple[str, str], list[Telling]] = {}
    for said, kind in told_circumstances(state):
        if said.stands:
            things.setdefault((kind.thing, said.words["state"]), []).append((said, kind))
    found = {thing: now for thing, told in things.items() if (now := _phase(told)) is not None}
    kept = [one for (_, whom), one in found.items() if (one[1].yields, whom) not in found]
    return sorted(kept, key=lambda one: one[0].newest if one[1].hours else one[0].first)


def _phase(told: Sequence[Telling]) -> Telling | None:
    """The phase of one thing that counts; None where nobody sure tells any.

    Who tells in one report that it ended and that it holds tells of parts of it.
    """
    holds = {voice.event for said, kind in told if not kind.over for voice in said.voices}
    told = [one for one in told if not one[1].over or any(voice.event not in holds for voice in one[0].voices)]
    ended = max((said.newest for said, kind in told if kind.over and _is_sure(said, kind)), default=math.inf)

    def counts(one: Telling) -> tuple[bool, int, float]:
        said, kind = one
        anew = any(voice.official and voice.stands and voice.as_of > ended for voice in said.voices)
        return kind.over or ended == math.inf or anew, 0 if kind.hours else kind.order, said.newest

    return max((one for one in told if _is_sure(*one)), key=counts, default=None)


def _is_sure(said: Said, kind: Circumstance) -> bool:
    foreign = all(voice.spoken != "en" for voice in said.voices)
    if kind.section == "needs":  # calls that readers can read are told in their words
        return foreign or not any(sentence(one.label, one.spoken)[0] for one in said.voices)
    of_use = any(one.brings.use >= OF_USE for one in said.voices)
    known = any(voice.known for voice in said.voices)
    alone = foreign and (of_use or known) and not kind.over  # in English its words would be told
    return alone or standing(said) == 2 or len(said.authors) > 1 or bool(cited(said.voices))
