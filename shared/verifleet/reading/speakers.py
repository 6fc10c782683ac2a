"""Who says so: newsrooms, public bodies and authorities by their names, and who stands beside what they say."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache, lru_cache

from verifleet.reading.acts import listed
from verifleet.reading.gazetteer import district, spot_of
from verifleet.reading.tokens import Token
from verifleet.reading.words import AUXILIARIES, INSIDE, data, fold, offices, phrases_of, sense, words_of

LONGEST_SPEAKER = 3
"""Words before a colon that may be whoever says so."""
MAX_BODY = 8
"""Words of a body's name."""
OFFICES = frozenset("agency coroner mayor sheriff president governor minister".split())
"""What is told with its article where nothing stands before it."""
_WORDS = data("speakers")
_IMPOSTOR = re.compile("|".join(_WORDS["impostors"]))
_SAID = r"(?:says?|said|tells?|told|confirms?|confirmed|announces?|announced)"
_WHO = r"(?P<who>(?:[\w.'’&/-]+ ){0,5}?[\w.'’&/-]+)"
_AHEAD = r"(?:: | (?:says?|(?:is |are )?reporting|reports|understands) (?:that )?)"
_SPEAKER_AHEAD = re.compile(rf"{_WHO}{_AHEAD}(?!of )(?P<said>(?:\S+ ){{3,}}\S+)")
_SPEAKER_BEHIND = re.compile(rf"(?P<said>(?:\S+ ){{3,}}\S+), {_WHO} {_SAID}(?: [A-Z]\S*){{0,3}}")
_VERB_BEHIND = re.compile(rf"(?P<said>(?:\S+ ){{3,}}\S+), (?:says|reports) {_WHO}")
"""Who stands before or behind what they say."""


@cache
def _listed(kind: str) -> frozenset[str]:
    return frozenset(_WORDS[kind].split())


# --- by their names -----------------------------------------------------------


def is_authority(name: str) -> bool:
    """Whether somebody who is quoted is named as a body that is in a position to know."""
    return not _listed("authorities").isdisjoint(name.split())


def is_impostor(name: str) -> bool:
    """Whether a handle says that it is none of those whom it names: a parody, a bot, fans."""
    return _IMPOSTOR.search(name) is not None


@lru_cache(maxsize=4096)
def is_public(handle: str) -> bool:
    """Whether a handle is a newsroom's or a public body's, as far as its name tells."""
    named = is_newsroom(handle) or _is_part_of(handle, "public bodies")
    return named and not is_impostor(handle.lstrip("@").casefold())


@lru_cache(maxsize=4096)
def is_newsroom(name: str) -> bool:
    """Whether a handle or a name is a newsroom's, as far as it tells, and no mere word for news."""
    return not words_of("en", "stop").issuperset(name.casefold().split()) and _is_part_of(name, "newsrooms")


def _is_part_of(name: str, kind: str) -> bool:
    name, known = "".join(filter(str.isalnum, name.casefold())), _WORDS[kind].split()
    return any(name == part[1:] if part[0] == "=" else part in name for part in known)


# --- beside what they say -------------------------------------------------------


def without_speaker(text: str) -> tuple[str, str]:
    """A sentence without those by whose word it stands, and who they are: "Mayor: …", "…, police say"."""
    found = next(filter(None, (form.fullmatch(text) for form in (_SPEAKER_AHEAD, _SPEAKER_BEHIND, _VERB_BEHIND))), None)
    words = found["who"].split() if found else []
    low = [fold(word) for word in words]
    bodies = [is_authority(word) or word in _listed("others") for word in low]
    parts = [body or word[0].isupper() or word in listed("function") for word, body in zip(words, bodies, strict=True)]
    known = len(words) > 1 or any(bodies) or is_public("".join(words))
    led = bool(low) and low[0] in listed("function") - listed("article")  # "After police say …"
    if not (found and known and all(parts)) or led or not _listed("against").isdisjoint(low):
        return text, ""
    if spot_of(found["who"].title()) or district(found["who"].casefold()) or not listed("label").isdisjoint(low):
        return text, ""
    who = found["who"]
    small = is_authority(low[0]) if len(words) == 1 else low[0] in listed("article") and words[1].islower()
    who = who if who.isupper() or not small else who[0].lower() + who[1:]
    return found["said"], "the " * (len(words) == 1 and low[0] in OFFICES) + who


def names_speaker(named: Sequence[str]) -> bool:
    """Whether words before a colon name who says what follows or where it is, no subject, medium or kind of post."""
    name = " ".join(named).strip(":").casefold()
    known = (
        is_authority(name) or not _listed("others").isdisjoint(name.split()) or spot_of(name.title()) or district(name)
    )
    return len(named) <= LONGEST_SPEAKER and bool(known)


# --- of the clauses of a sentence -------------------------------------------------


def speaker_of(parts: Sequence[Sequence[Token]], labelled: bool, language: str) -> str:
    """Who is said to say so: "X: ..." (`labelled`), "... , X says", "according to X", "- X"; "" for the author."""
    said = (_named_in(parts, at, labelled and not at, language) for at in range(len(parts)))
    return next(filter(None, said), "")


def _named_in(parts: Sequence[Sequence[Token]], index: int, label: bool, language: str) -> str:
    found = [token for token in parts[index] if token.kind in ("word", "tag", "handle")]
    lows = [token.low for token in found]
    if label and 0 < len(found) <= 4:
        return _named(found, roles_only=not _acronym(found))
    for phrase in phrases_of(language, "according"):
        for at in range(len(lows) - len(phrase)):
            if tuple(lows[at : at + len(phrase)]) == phrase:
                return _named(found[at + len(phrase) : at + len(phrase) + 4])
    verbs = words_of(language, "attribution")
    for at, low in enumerate(lows):
        if low in verbs:
            said = _named(found[max(0, at - 3) : at]) if at <= 5 or at == len(lows) - 1 else ""
            said = said or _body_before(found, at)
            return said or (_named(found[at + 1 : at + 3]) if at == 0 else "")
        if at and low in data("languages")["finding"].split() and (body := _body_before(found, at)):
            return body
    last = all(token.kind == "tag" for behind in parts[index + 1 :] for token in behind)
    if index and last and 0 < len(found) <= 2:
        return _named(found, roles_only=True)  # "..., USGS"
    return ""


def _body_before(found: Sequence[Token], verb: int) -> str:
    """The body that is the subject of a verb: "La Sûreté du Québec a retrouvé", "Comisión Nacional de X declaró"."""
    subject = [token for token in found[:verb] if token.low not in AUXILIARIES]
    inside = [token for token in subject if token.low not in INSIDE and token.low not in words_of("es", "stop")]
    named = all(token.text[:1].isupper() or token.low in offices() for token in inside)
    return _named(inside, roles_only=True) if named and len(subject) <= MAX_BODY else ""


def _acronym(found: Sequence[Token]) -> bool:
    """Whether words before a colon are a body's short name ("NDRRMC") or an account, no place and no topic."""
    if len(found) != 1:
        return False
    text, known = found[0].text, sense(found[0].low, "en")
    if found[0].kind == "handle":
        return True
    return (
        3 <= len(text) <= 7 and text.isalpha() and text.isupper() and not (known.state or known.concept or known.name)
    )


def _named(found: Sequence[Token], *, roles_only: bool = False) -> str:
    """Who is named: words of offices and capitalised ones; "" for neither."""
    stop = words_of("en", "stop") | words_of("es", "stop") | frozenset(data("lexicon")["toll_heads"].split())
    counts = data("languages")["en"]["numbers"]
    if any(token.low in counts or token.kind == "number" for token in found):
        return ""  # "Eight confirmed dead"
    if len(found) == 1 and found[0].low in data("languages")["no_speaker"].split():
        return ""
    if not any(token.low.lstrip("@#") in offices() for token in found):
        if roles_only or not all(token.text[:1].isupper() or token.kind == "handle" for token in found):
            return ""
        if any(sense(token.low, "en").name for token in found):
            return ""
    return " ".join(token.low.lstrip("@#") for token in found if token.low not in stop)
