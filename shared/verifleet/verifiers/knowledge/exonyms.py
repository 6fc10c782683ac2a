"""What a thing is also called: `Michel-Ange`, `Wasserstoff`, `ソニー`, `Kristiania`, `variola`, `FRA`."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cache

from verifleet.verifiers.knowledge.lists import codes, exonyms, synonyms
from verifleet.verifiers.knowledge.tokens import stem

Names = Callable[[], Mapping[str, tuple[str, ...]]]


@cache
def _by_other_name(table: Names) -> dict[str, str]:
    """The first name by another one, where only one thing bears that."""
    owners: dict[str, list[str]] = {}
    for name, others in table().items():
        for other in others:
            owners.setdefault(other, []).append(name)
    return {other: names[0] for other, names in owners.items() if len(names) == 1}


@cache
def words_of_names() -> frozenset[str]:
    """Every word of a name that is known."""
    told = (name for known in (exonyms(), synonyms()) for key, others in known.items() for name in (key, *others))
    return frozenset(word for name in told for word in name.lstrip("~").split())


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
    if key not in known and (joined := "".join(words)) in _by_other_name(exonyms):
        key = _by_other_name(exonyms)[joined]
    if key not in known:
        single = stem(name) if stem(name) in known else ""
        surname = _by_surname().get(name, "") if person and len(words) == 1 else ""
        key = _by_other_name(exonyms).get(name, "") or single or surname
    if key not in known or (key != name and {*key.split()} <= {*asked}):
        return ()
    return tuple(n for n in (key, *known[key]) if n != name and not {*n.split()} <= {*asked})


def english_names(words: tuple[str, ...], asked: Collection[str]) -> tuple[str, ...]:
    """Other English names of a thing: `garbanzo` for chickpeas; none where the question says one itself.

    In the table "~" marks what names other things as well.
    """
    name, known = " ".join(words), synonyms()
    key = next((k for k in (name, stem(name), _by_other_name(synonyms).get(name, "")) if k in known), "")
    others = [other for other in (key, *known[key]) if other != name] if key else []
    said = any({*other.lstrip("~").split()} <= {*asked} for other in others)
    return () if said else tuple(other for other in others if other[0] != "~")


def are_two(longer: Sequence[str], name: Sequence[str]) -> bool:
    """Whether a name with another one inside it is known as somebody else's: John Quincy Adams is not John Adams."""
    one, other = (_by_other_name(synonyms).get(" ".join(n), " ".join(n)) for n in (longer, name))
    return len(longer) > len(name) and one != other and {one, other} <= synonyms().keys()


def codes_of(words: tuple[str, ...]) -> tuple[str, ...]:
    """`pe` and `per` for Peru."""
    return codes().get(" ".join(words), ())
