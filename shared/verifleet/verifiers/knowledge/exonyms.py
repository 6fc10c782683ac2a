"""What a thing is called in other languages: `Michel-Ange`, `Wasserstoff`, `ソニー`."""

from __future__ import annotations

from collections.abc import Collection
from functools import cache

from verifleet.verifiers.knowledge.lists import exonyms


@cache
def _by_other_name() -> dict[str, str]:
    """The English name by another one, where only one thing bears that."""
    owners: dict[str, list[str]] = {}
    for name, others in exonyms().items():
        for other in others:
            owners.setdefault(other, []).append(name)
    return {other: names[0] for other, names in owners.items() if len(names) == 1}


@cache
def _by_surname() -> dict[str, str]:
    found: dict[str, list[str]] = {}
    for name in exonyms():
        found.setdefault(name.rpartition(" ")[2], []).append(name)
    return {word: names[0] for word, names in found.items() if len(names) == 1}


def other_names(words: tuple[str, ...], asked: Collection[str], person: bool) -> tuple[str, ...]:
    """The names of a thing in other languages; of Mercury those of the planet, if the question asks for one."""
    name, known = " ".join(words), exonyms()
    key = next((f"{kind} {name}" for kind in asked if f"{kind} {name}" in known), name)
    if key not in known and (joined := "".join(words)) in _by_other_name():
        key = _by_other_name()[joined]
    if key not in known:
        key = _by_other_name().get(name, "") or (_by_surname().get(name, "") if person and len(words) == 1 else "")
    return (*((key,) if key != name else ()), *known[key]) if key in known else ()
