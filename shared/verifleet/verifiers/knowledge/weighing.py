"""How likely it is the expected answer that a response puts forward, and not another thing of its kind.

A log-linear model scores every place where one of them stands by its `features`; the answer is what stands at one of
them, or none of these. `tools/train_weighing.py` fits the weights.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from verifleet.verifiers.knowledge.claims import Sought, candidates
from verifleet.verifiers.knowledge.clauses import pieces_of
from verifleet.verifiers.knowledge.features import Place, features
from verifleet.verifiers.knowledge.lists import weights
from verifleet.verifiers.knowledge.places import holds_places
from verifleet.verifiers.knowledge.reading import Reading
from verifleet.verifiers.knowledge.spans import Occurrence

MAX_PLACES = 60
MAX_WEIGHED = 400
"""Tokens of a response up to which it is weighed; a longer one is no answer but an essay."""
RIVAL, MENTION = "another answer is put forward", "only spoken of"
_ALONE_AGAINST = {"exchanged": "other side of the verb", "compared": "compared with another"}
"""What tells against the expected answer whatever else does, and its name, if it holds of every place of it."""
NOTHING = "nothing"
"""The name of the weight of what no place tells."""


@dataclass(frozen=True, slots=True)
class Weighed:
    """How likely a response answers with the expected thing, from 0 to 1, and what tells against it most."""

    likely: float
    against: str
    others: tuple[Occurrence, ...] = ()
    """Where other things of its kind stand."""


def weigh(
    reading: Reading,
    kept: Sequence[Occurrence],
    found: Sequence[Occurrence],
    asked: Sought,
    stands: Callable[[Occurrence], bool],
) -> Weighed | None:
    """Weigh what stands at `kept` against the rest of the response; None where too much stands there.

    `found` is wherever the expected answer stands; `stands` tells of a rival's place that no guard holds it back.
    """
    if len(reading.tokens) > MAX_WEIGHED:
        return None
    places = places_of(reading, kept, found, asked)
    if len(places) > MAX_PLACES:
        return None
    known, told = weights(), features(reading, places, asked)
    own = [described for place, described in zip(places, told, strict=True) if place.mine]
    against = next((name for name in _ALONE_AGAINST if all(name in described for described in own)), "")
    if against:
        return Weighed(0.0, _ALONE_AGAINST[against])
    mine = others = 0.0
    for place, described in zip(places, told, strict=True):
        if place.mine:
            mine += math.exp(_score(described, known))
        elif stands(Occurrence(place.start, place.end)):
            others += math.exp(_score(described, known))
    nothing = math.exp(known[NOTHING])
    against = RIVAL if others > nothing else MENTION
    rivals = tuple(Occurrence(place.start, place.end) for place in places if not place.mine)
    return Weighed(mine / (mine + others + nothing), against, rivals)


def _score(described: Mapping[str, float], known: Mapping[str, float]) -> float:
    return min(30.0, sum(known.get(name, 0.0) * value for name, value in described.items()))


def places_of(reading: Reading, kept: Sequence[Occurrence], found: Sequence[Occurrence], asked: Sought) -> list[Place]:
    """Where the expected answer or another thing of its kind stands, in order.

    A place and the one that it lies in (`Norburg, Freedonia`) are one, if either is the answer.
    """
    tokens = reading.tokens
    mine = {i for place in found for i in range(place.start, place.end)}
    spans = {span for piece in pieces_of(reading) for span in candidates(reading, piece, asked)}
    others = [Place(*span, False) for span in spans if mine.isdisjoint(range(*span))]
    places: list[Place] = []
    for place in sorted([*(Place(o.start, o.end, True) for o in kept), *others]):
        last = places[-1] if places else place
        within = last.mine != place.mine and last.end == place.start and "," in tokens[place.start].gap
        if within and holds_places([t.text for t in tokens[place.start : place.end]]):
            places[-1] = Place(last.start, place.end, True)
        else:
            places.append(place)
    return places
