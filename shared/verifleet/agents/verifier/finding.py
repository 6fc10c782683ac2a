"""What one report says about a claim of another, and which of several such findings decides."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

WHOLLY_DENIED = 0.7
"""Strength of a denial of all that is supposed to have happened."""
TOUCHED = 0.5
"""Strength of a denial that is only about the same thing."""


@dataclass(slots=True, unsafe_hash=True)
class Finding:
    """What a report says about a claim. Nobody changes one; see `memory.Statement`.

    Attributes:
        stance: for it, against it, or about the same without either.
        strength: 0..1, how clearly.
        reason: for a person to read.
        figure: what both count, as slot and group ("injured|firefighter"); "" when no figures were compared.
        first_hand: the report states it as a fact, neither passed on from others nor as a possibility.
        ends: it says that what the claim calls in force has ended.
        named: what a denial and the claim both name, where that alone makes the denial one of the claim.
        about: all that such a denial names.
        confirms: it states that the event happened, beside whatever else it may deny.
        place: how the place that it gives for a service relates to the claim's; "" where it gives none.
    """

    stance: Literal["supports", "refutes", "neutral"]
    strength: float
    reason: str
    figure: str = ""
    first_hand: bool = True
    confirms: bool = False
    ends: bool = False
    named: frozenset[str] = frozenset()
    about: frozenset[str] = frozenset()
    place: Literal["", "same", "another"] = ""

    @classmethod
    def of_same_place(cls, named: str) -> Finding:
        """The same place for the same service."""
        return cls("supports", 1.0, f"names the same place{named}", place="same")

    @classmethod
    def of_another_place(cls, named: str, *, refutes: bool) -> Finding:
        """Another place for the same service, which may leave it open whether there are two."""
        stance: Literal["refutes", "neutral"] = "refutes" if refutes else "neutral"
        return cls(stance, 1.0 if refutes else 0.0, f"names another place{named}", place="another")


def strongest(found: Sequence[Finding]) -> Finding | None:
    """The finding that decides what one report says about a claim; None when it says nothing about it."""
    if len(found) < 2:
        return found[0] if found else None
    ended = next((finding for finding in found if finding.ends), None)
    if ended is not None:
        return ended
    if any(finding.confirms for finding in found):
        # What else the report denies is not what it confirms.
        found = [f for f in found if f.stance != "refutes" or f.figure or f.strength > WHOLLY_DENIED]
    elif any(finding.stance == "refutes" and finding.strength == TOUCHED for finding in found):
        # Who speaks against it repeats it in order to do so.
        found = [finding for finding in found if finding.stance != "supports" or finding.figure]
    supporting = [f for f in found if f.stance == "supports"]
    # "64 were treated, 17 taken to hospital" agrees with 17 hurt: of several counts of a kind one that agrees decides.
    agreed = {_counted(f) for f in supporting if f.figure}
    refuting = [f for f in found if f.stance == "refutes" and not (f.figure and _counted(f) in agreed)]
    if refuting and supporting:
        # The same report may count several things; a contradiction decides unless it is the weaker reading.
        against = max(refuting, key=_strength)
        return against if against.strength >= max(map(_strength, supporting)) else max(supporting, key=_strength)
    return max(refuting or supporting or found, key=_strength, default=None)


def _counted(finding: Finding) -> str:
    return finding.figure.partition("|")[0]


def _strength(finding: Finding) -> float:
    return finding.strength
