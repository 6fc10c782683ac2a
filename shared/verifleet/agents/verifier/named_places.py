"""Names of places in a statement: which of its words name where something is, by what stands around them.

A name follows a cue ("at the", "is", ":"), begins a clause ("Olivia Arena hosts ..."), or is a building's by its kind.
What the words of a name tell of the place is read in `place_names`, and what is done there in `services`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from verifleet.agents.verifier.place_names import (
    ENDINGS,
    KIND_OF,
    KINDLESS,
    MODIFIERS,
    NOUNS,
    PLAIN,
    STREETS,
    Name,
)
from verifleet.agents.verifier.wording import fold

_TIMES = frozenset(
    "monday tuesday wednesday thursday friday saturday sunday january february march april may june july august "
    "september october november december today tomorrow tonight noon midnight dawn am pm".split()
)
_NO_NAMES = frozenset(
    "i we they he she it you facebook twitter whatsapp instagram tiktok youtube google covid god lord home hospital "
    "safety custody police sir madam us uk risk least last present once full large work hand all first stake peace "
    "time times capacity need shelter help hours scene emergency quarantine".split()
)
_STOP = frozenset(
    "is are was were be been being am has have had having do does did will would can could may might must shall "
    "should where which who whom whose that this these those there here when while until till unless if because since "
    "for from to in on at by with without within via after before during about against under over through into onto "
    "near behind opposite outside inside beside between not no nor but or so then than as now already says said say "
    "tells told your their our my his her its please pls just also only again still yet kindly we they i you he she it "
    "and & , na dun po sa ya y'all everyone everybody guys folks come go get bring take call contact open opened "
    "opens running ready set giving handing being serving gets".split()
)
_AT = frozenset(
    "at in inside into to @ outside behind opposite beside onto on from via through along near sa nasa iko".split()
)
_DETERMINERS = frozenset("the a an our your their its old dis da that this".split())
_BE = frozenset("is are was be now remains will 's becomes became been na =".split())
_GO = frozenset("go head come report proceed contact use host hosts visit try reach dey turned using".split())
_OUT_OF = frozenset(
    "collected available given distributed collect operating run working out distribute pick picked picked-up pickup "
    "served handed issued dispensed operate runs works obtained got get leave leaves leaving depart departing "
    "retrieve retrieved reclaim reclaimed claim claimed fetch serving sent bought offered "
    "supplied running worked directed go goes going start starts starting board boarding".split()
)
_NOT_BEFORE_TO = frozenset(
    "according due thanks owing damage prior contrary linked related similar up close next access addressed used want "
    "trying compared back response attached respond responding".split()
)
_NOT_BEFORE_AT = frozenset(
    "more soon info information details reporter reporters reporting correspondent updates live photo angry look "
    "looking interested believe specialised mad writes engulfed rescued".split()
)
_TOKEN = re.compile(
    r"@|&|=|['’]s\b|\b(?:[Ii]t|[Tt]hat|[Tt]?[Hh]ere|[Ww]hat|[Hh]e|[Ss]he)(?=['’]s\b)"
    r"|[^\W_]+(?=['’]s (?:at|in|on|inside|open|opened|now|been|the)\b)|[^\W_]+(?:['’.-][^\W_]+)*"
)
_BREAK = re.compile(r"[;:!?()\[\]\n\"“”–—/]|\.(?=\s|$)|\s-\s")


@dataclass(frozen=True, slots=True)
class Token:
    """A word of a statement, folded, and what mark stands before it."""

    text: str
    folded: str
    after_break: bool
    after_comma: bool

    @property
    def capital(self) -> bool:
        """Whether it begins with a capital or a digit."""
        return self.text[0].isupper() or self.text[0].isdigit()


def tokens_of(text: str) -> list[Token]:
    """The words of a text."""
    made: list[Token] = []
    end = 0
    for match in _TOKEN.finditer(text):
        between = text[end : match.start()]
        short = bool(made) and len(made[-1].text) <= 3 and between.startswith(". ") and made[-1].text[0].isupper()
        end = match.end()
        # A single sign may unfold into several words.
        folded = fold(match[0]).replace("’", "'").replace(" ", "").rstrip(".")
        if folded:
            made.append(
                Token(match[0], folded, between != " " and bool(_BREAK.search(between)) and not short, "," in between)
            )
    return made


Found = list[tuple[int, int, Name]]


def names_in(tokens: list[Token], home: frozenset[str], hazard: frozenset[str]) -> Found:
    """The places named after a cue ("at", "is"); else at the begin of a clause; else anywhere, as a building's name."""
    return (
        _goals(tokens, cued(tokens, home, hazard, _after_cue))
        or cued(tokens, home, hazard, _begin)
        or cued(tokens, home, hazard, _anywhere)
    )


_TRANSFERRED = frozenset(
    "taken took moved transferred brought driven drove bused bussed sent shifted ferried flown relocated walked rushed "
    "escorted transported conveyed airlifted evacuated admitted".split()
)
_LEFT = frozenset("evacuated emptied vacated rescued freed transferred relocated moved shifted".split())


def _goals(tokens: list[Token], found: Found) -> Found:
    """Where people were taken, without the place that they were taken from: "all at the clinic were moved to Rosa".

    And without what a place is said to be: "the Rosa, that's the depot".
    """
    if len(found) < 2:
        return found
    found = [item for item in found if not _says_what(tokens, item)] or found
    cues = [_cue_of(tokens, start) for start, _, _ in found]
    goals = [
        cue >= 0
        and tokens[cue].folded in {"to", "into"}
        and any(token.folded in _TRANSFERRED for token in tokens[max(0, cue - 6) : cue])
        for cue in cues
    ]
    if True not in goals:
        return found
    return [
        item
        for item, cue, goal in zip(found, cues, goals, strict=True)
        if goal or not ((cue >= 0 and tokens[cue].folded == "from") or PLAIN.issuperset(item[2].words))
    ]


def _says_what(tokens: list[Token], item: tuple[int, int, Name]) -> bool:
    start, _, name = item
    cue = _cue_of(tokens, start)
    return len(name.words) == 1 and name.words[0] in NOUNS and 0 <= cue < start - 1 and tokens[cue].folded in _BE


_SAID_BETWEEN = frozenset("all now still currently both already safe safely together".split())
_BROUGHT = frozenset("they were was been being got get are".split())


OFF_TO = ["off", "to"]


def is_there(tokens: list[Token], start: int) -> bool:
    """Whether somebody "is at" a place, or was brought there: "are all in the Rosa", "they shipped them off to"."""
    cue = _cue_of(tokens, start)
    if cue < 1:
        return False
    if tokens[cue].folded in {"to", "into"}:
        return not _BROUGHT.isdisjoint(token.folded for token in tokens[max(0, cue - 9) : cue - 1])
    before = cue - 1
    while before > 0 and tokens[before].folded in _SAID_BETWEEN:
        before -= 1
    if tokens[before].folded == "up":
        return before > 0 and tokens[before - 1].folded == "put"
    return tokens[cue].folded in {"at", "in", "inside", "aboard"} and tokens[before].folded in {"are", "r", "re"}


def _cue_of(tokens: list[Token], start: int) -> int:
    cue = start - 1
    while cue >= 0 and tokens[cue].folded in _DETERMINERS:
        cue -= 1
    return cue


_HAVE = frozenset("was were is are been has have being got".split())


def _is_left(tokens: list[Token], end: int) -> bool:
    """Whether people were taken from a place: "those at Ashby Mall were evacuated"."""
    if end >= len(tokens) or tokens[end].folded not in _HAVE:
        return False
    return any(token.folded in _LEFT and not token.after_break for token in tokens[end + 1 : end + 4])


def cued(
    tokens: list[Token],
    home: frozenset[str],
    hazard: frozenset[str],
    cue: Callable[[list[Token], int], int | None],
) -> Found:
    """The names that begin where `cue` says that one may."""
    found: Found = []
    index = 0
    while index < len(tokens):
        start = cue(tokens, index)
        if start is None:
            index += 1
            continue
        end = _end_of_name(tokens, start)
        name = _name(tokens[start:end], home, hazard, determined=start > 0 and tokens[start - 1].folded in _DETERMINERS)
        if name and not _is_left(tokens, end):
            found.append((start, end, name))
        index = end if name else index + 1
    return found


def _anywhere(tokens: list[Token], index: int) -> int | None:
    """A building's name in capitals, wherever it stands: "desk iko Uhuru Park"."""
    if index == 0 or tokens[index].after_break or not tokens[index].capital or tokens[index].folded in _STOP:
        return None
    if tokens[index - 1].folded in {"from", "evacuated", "evacuating", "left", "leaving", "fled"}:
        return None
    end = _end_of_name(tokens, index)
    if tokens[end - 1].folded in _OFFICES and all(token.capital for token in tokens[:index]):
        return None  # "Port Rose Disaster Headquarters, update 2: ..." speaks
    named = tokens[index:end]
    if len(named) < 2 or not all(token.capital for token in named[:-1]) or named[-1].folded not in KIND_OF:
        return None
    return index


_OFFICES = frozenset("headquarters office offices station bureau embassy municipality precinct post".split())


def _after_cue(tokens: list[Token], index: int) -> int | None:
    """Where a name may begin by what stands before it: "at the", "is", ":", the begin of a clause."""
    token = tokens[index]
    before = tokens[index - 1].folded if index and not token.after_break else ""
    following = index + 1
    if token.folded in _AT:
        if token.folded == "to" and before in _NOT_BEFORE_TO:
            return None
        if token.folded in {"at", "in", "on"} and before in _NOT_BEFORE_AT:
            return None
        if token.folded == "from" and not any(t.folded in _OUT_OF for t in tokens[max(0, index - 4) : index]):
            return None
    elif not (token.folded in _BE or token.folded == "'s" or _sends(tokens, index)):
        return None
    while following < len(tokens) and tokens[following].folded in _DETERMINERS | {"now", "only", "just"}:
        if tokens[following].after_break:
            break
        following += 1
    if following >= len(tokens) or (tokens[following].after_break and token.folded not in _BE):
        return None
    if tokens[following].folded in _AT:
        return None
    return _behind_verb(tokens, following) if token.folded == "to" and following == index + 1 else following


def _behind_verb(tokens: list[Token], index: int) -> int:
    """Where a name begins that a verb may stand before: "asked to attend the Rosa Hall"."""
    place = index + 1
    while place < len(tokens) and tokens[place].folded in _DETERMINERS:
        place += 1
    verb = not tokens[index].capital and tokens[index].folded not in NOUNS
    return place if verb and index + 1 < place < len(tokens) else index


_HEAD = frozenset({"head", "make"})


def _sends(tokens: list[Token], index: int) -> bool:
    """Whether a verb stands right before a name: "go Lion Building", "use the Refinery Junction diversion"."""
    if index + 1 >= len(tokens):
        return False
    if tokens[index].folded == "opened":
        place = index + 2 if tokens[index + 1].folded in _DETERMINERS | {"up"} else index + 1
        return place < len(tokens) and tokens[place].capital and "for" in {t.folded for t in tokens[place : place + 8]}
    if tokens[index].folded == "want":
        return index > 0 and tokens[index - 1].folded in {"you", "ya"} and tokens[index + 1].folded in _DETERMINERS
    if tokens[index].folded not in _GO and not (tokens[index].folded == "for" and tokens[index - 1].folded in _HEAD):
        return False
    return tokens[index + 1].capital or tokens[index + 1].folded in _DETERMINERS


_HOLDS = frozenset(
    "is are was has have will hosts host serves opened opens offers houses housing now being where turned "
    "gives takes receives shelters accommodates admits lodges welcomes fills".split()
)


def _begin(tokens: list[Token], index: int) -> int | None:
    """A name at the begin of a clause: "Olivia Arena in Gdansk hosts", or after a colon at its end."""
    if index and not tokens[index].after_break:
        return None
    start = index
    while start < len(tokens) and tokens[start].folded in _DETERMINERS:
        start += 1
    if start >= len(tokens):
        return None
    end = _end_of_name(tokens, start)
    name = {token.folded for token in tokens[start:end]}
    if not name & (NOUNS - KINDLESS) and not any(word.endswith(ENDINGS) for word in name):
        if index == 0 or end < len(tokens):
            return start if end < len(tokens) and tokens[end].folded in {"is", "hosts"} and end > start else None
        return start if all(token.capital for token in tokens[start:end]) else None
    if index and (end >= len(tokens) or tokens[end].after_break or tokens[end].after_comma):
        return start  # "Family centre: Partick Burgh Hall, says ..."
    if not name - NOUNS - MODIFIERS - _DETERMINERS - _SERVICE_NOUNS:
        return None  # "the field hospital is at ..."
    held = {token.folded for token in tokens[end : end + 4]}
    return start if held & _HOLDS else None


def _end_of_name(tokens: list[Token], start: int) -> int:
    """Where a name ends that begins at `start`: after its last capital or its last noun of a place."""
    end = last = start
    while end < len(tokens) and end - start < 9:
        token = tokens[end]
        if end > start and (token.after_break or token.after_comma):
            break
        folded = token.folded
        if folded in _STOP and not (folded in {"and", "&"} and _joins(tokens, end)):
            break
        if folded in {"'s", "="}:
            break
        if token.capital or folded in NOUNS or folded in STREETS or folded.endswith(ENDINGS):
            last = end + 1
        elif _links(tokens, end):
            pass
        elif folded not in MODIFIERS and last > start and not _noun_ahead(tokens, end):
            break
        end += 1
    return last


def _joins(tokens: list[Token], index: int) -> bool:
    """Whether an "and" stands inside a name: "Fire and Rescue Hall"."""
    return (
        index + 1 < len(tokens)
        and tokens[index + 1].capital
        and tokens[index - 1].capital
        and tokens[index - 1].folded not in NOUNS
    )


def _links(tokens: list[Token], index: int) -> bool:
    """Whether a short word stands between two capitals: "Palais des Sports"."""
    if index + 1 >= len(tokens) or len(tokens[index].text) > 3 or tokens[index + 1].after_break:
        return False
    return tokens[index - 1].capital and tokens[index + 1].capital


def _noun_ahead(tokens: list[Token], index: int) -> bool:
    for token in tokens[index + 1 : index + 3]:
        if token.after_break or token.after_comma or token.folded in _STOP:
            return False
        if token.folded in NOUNS:
            return True
    return False


_SERVICE_NOUNS = frozenset(
    "shelter incident evacuation distribution donation reunification assistance treatment relief reception rest "
    "welfare warming cooling charging command control information collection pick-up pickup cholera family families "
    "recovery disaster resource "
    "sole only single dedicated drop-off meeting cots beds relatives help media press muster "
    "assembly emergency parcels food sandbag sandbags".split()
)


_SET_UP = frozenset("centre center desk unit point kitchen station post camp office site hub hospital ward".split())
_HOUSES = frozenset(
    "community leisure sports sport youth shopping civic cultural culture convention exhibition conference police fire "
    "bus train railway metro town city county arts senior student naval army military garden business trade".split()
)


_DONE_TO = frozenset(
    "pay charge give get sue fine offer hand refund compensate waive cancel close shut open cut move send sell buy "
    "build demolish arrest ban stop raise bury lose need keep".split()
)
"""Verbs that follow "going to" where nobody goes to a place."""


def _is_no_name(tokens: list[Token], words: list[str]) -> bool:
    """Whether a word that no place is called by leads, and no kind of building follows it as in "Peace Park"."""
    if words[0] not in _NO_NAMES:
        return False
    titled = len(tokens) > 1 and tokens[0].capital and tokens[1].capital and words[0] not in _SERVICE_NOUNS
    return not (titled and any(word in KIND_OF for word in words[1:]))


_FOOTING = frozenset("dry solid firm safe safer higher high lower open home own ground land".split())


def _name(tokens: list[Token], home: frozenset[str], hazard: frozenset[str], *, determined: bool) -> Name | None:
    words = [token.folded for token in tokens if token.folded not in {"the", "a", "an", "of", "'s"}]
    own = [word for word in words if word not in home and word.removesuffix("'s") not in home]
    nouns = [word for word in own if word in KIND_OF or word.endswith(ENDINGS)]
    if not own or any(word in hazard or word in _TIMES for word in own) or _is_no_name(tokens, words):
        return None
    capitals = [token for token in tokens if token.capital and token.folded in own and not token.text[0].isdigit()]
    if not tokens[0].capital and tokens[0].folded in _DONE_TO:
        return None  # "is going to pay R50 per family"
    distinctive = [word for word in own if word not in NOUNS and word not in MODIFIERS]
    if _SERVICE_NOUNS.intersection(distinctive) and (not capitals or _SERVICE_NOUNS.issuperset(distinctive)):
        return None  # "at the family assistance centre" says what is there and not where
    made = Name(
        tuple(words), frozenset(words) - frozenset(own), len(words) > 1 and any(token.capital for token in tokens)
    )
    if not capitals and _FOOTING.issuperset(own):
        return None  # "brought to dry ground", "checks on the ground"
    if not capitals and nouns and own[-1] in _SET_UP and not _HOUSES.intersection(own):
        return None  # "is the recovery centre" says what, not where
    if capitals and not all(token.folded in _NO_NAMES for token in capitals):
        return made
    if nouns and (distinctive or determined or len(own) > 1) and not (own == ["hospital"] and not determined):
        return made
    return None
