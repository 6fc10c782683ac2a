"""Where something that exists once is: the evacuation centre, the command post, the epicentre.

Two reports that put the same shelter in two places contradict each other; two closed roads do not. So only functions
that an incident has once are read, and words such as "a second" or "another" switch the reading off. What is done for
people at any place is read in `sites`, which decides first.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from verifleet.agents.caseless import caseless
from verifleet.agents.verifier.place_names import plain_word
from verifleet.agents.verifier.wording import body, fold

_FUNCTIONS = {
    "shelter": r"(?:evac\w*|relief|reception|rest|assistance|emergency|welfare|reunification|family|temporary|warming"
    r"|cooling|accommodation|refuge|assembly|muster)\s+(?:\w+\s+)?(?:cent(?:re|er)|shelter|point|site|hub|hall|area"
    r"|accommodation|camp)"
    r"|shelter(?:s|ed|ing)?\b|evacuees?\b|evacuated\b|relocated\b|rehoused\b|bussed\b|bused\b"
    r"|(?:moved|taken|brought|sent|directed|ferried|shifted|transferred|escorted)\s+(?:by\s+\w+\s+)?(?:to "
    r"safety|(?:in)?to|out)\b"
    r"|(?:(?:should|must|may|can|please|to)\s+go|come|report|proceed|head|make (?:your|their) way)\s+to\b"
    r"|(?:can|may|to)\s+rest\s+(?:at|in)\b|\bput\s+(?:up\s+)?(?:in|at)\b|(?:hosted|housed|lodged|displaced|camped|camping)\b"
    r"|tents?\b|(?:passengers|families|residents|survivors|victims|evacuees|people|guests|pupils|tourists)\b[^.;:]{0,40}?"
    r"\b(?:are|were|stay|wait|waiting|gathered)(?:\s+(?:now|all|currently|waiting))?\s+(?:at|in)\b"
    r"|(?:looked|cared)\s+after\s+(?:at|in)\b|\bstay(?:ing|ed)?\s+at\b"
    r"|spent the night\s+(?:at|in)\b|\bof us\s+(?:are\s+)?(?:now\s+)?(?:at|in)\b|sleeping\s+(?:at|in)\b"
    r"|full of (?:families|evacuees)|"
    r"accommodated\b|sheltering\b",
    "command": r"(?:incident|mobile|forward|joint|unified)?\s*command\s+(?:post|cent(?:re|er)|unit)|headquarters"
    r"|control\s+(?:point|room)",
    "epicentre": r"epicent(?:re|er)",
    "distribution": r"(?:water|food|aid|sandbag|supply)\s+(?:distribution|collection|pick-?up)"
    r"\s*(?:point|site|cent(?:re|er))?",
    "landing": r"(?:staging|triage|landing)\s+(?:area|point|zone|site)",
}
_MARKS = {
    "shelter": (
        "cent,shelter,evac,relocat,rehous,bussed,bused,moved,taken,brought,sent,directed,ferried,shifted,transferred,"
        "escorted,go to,go  to,come,report,proceed,head,way,rest,put,host,hous,lodged,displaced,camp,tent,stay,looked,"
        "cared,spent,accommod,point,site,hub,hall,area,passengers,families,residents,survivors,victims,people,guests,"
        "pupils,tourists,of us,sleeping"
    ).split(","),
    "command": ["command", "headquarters", "control"],
    "epicentre": ["epicent"],
    "distribution": ["distribution", "collection", "pick"],
    "landing": ["staging", "triage", "landing"],
}
"""One of these is in each wording of a function; to look for them first is cheaper."""
_FUNCTION = {kind: caseless(pattern) for kind, pattern in _FUNCTIONS.items()}
_SEVERAL = caseless(
    r"\b(?:second|third|another|additional|further|more|other|several|two|three|four|both|new)\s+(?:\w+\s+){0,2}"
    r"(?:shelter|cent(?:re|er)|point|site|hub)|\bshelters\b|\bcent(?:re|er)s\b",
)
_CARE = caseless(
    r"\b(?:patients?|injured|wounded|hurt|hospital\w*|medical|ambulances?|clinic|custody|detained|arrested|suspects?|bodies|morgue"
    r"|mortuary)\b|\b(?:firefighters|soldiers|troops|engineers|divers|crews|officers)"
    r" (?:(?:were|are|have been|being) )+(?:sent|moved|brought)\b",
)
_HOUSING = caseless(r"\b(?:evac\w*|shelter\w*|hous\w+|camps?|relief|reception|homeless|displaced|residents)\b")
_FROM_THERE = caseless(
    r"\b(?:homes|houses|properties|flats|streets?|families|households|residents|people|buildings) (?:\w+ ){0,3}?"
    r"evacuated (?:in|at|on|around|near|from)\b"
    r"(?! (?:the |a )?(?:\w+ ){0,3}?(?:cent(?:re|er)|hall|school|gym\w*|shelter|stadium|church))"
)
"""Where people had to leave, and not where they were taken."""
_PRIVATELY = caseless(r"\b(?:to|with|at|by) (?:their |our )?(?:relatives|friends|family|families|neighbou?rs)\b")
_NOT_THERE = caseless(r"\b(?:no longer|not|never)\s+(?:at|in|inside|being)\b|n['’]t\s+(?:at|in|inside)\b")
_PLACE_NOUN = (
    r"grounds|airport|stadium|arena|school|college|university|campus|church|chapel|mosque|temple|synagogue|hall|gym|gymnasium"
    r"|library|hospital|hotel|park|fairgrounds?|showgrounds?|racecourse|theatre|theater|cinema|museum|barracks|base"
    r"|market|mall|plaza|square|pavilion|dome|coliseum|auditorium|depot|warehouse|station|terminal|port|pier|ground"
    r"|cent(?:re|er)|club|leisure centre|rink|pool|tent|monastery|convent|kindergarten|cathedral|lodge"
    r"|farm|factory|track|exhibition|complex|academy|institute|house|camp|hangar|field|oval|site|building"
    r"|garage"
)
_STREET = re.compile(
    r"\b(?:[A-Z0-9][\w'’.-]*\s+){1,3}(?:Street|St|Road|Rd|Avenue|Ave|Lane|Drive|Boulevard|Blvd|Way|Highway|Trail|Square|Terrace)\b"
    r"|\b(?:Avenida|Calle|Rua|Rue|Via|Jalan|Ulica|Rruga)\s+[A-Z][\w'’-]*"
)
_NAMED = re.compile(
    r"(?:\b(?:at|in|on|inside|into|to|is|now|near|(?:operat\w+|run|working) (?:from|out of|on)|set up on)|:)"
    r"\s+(?:the\s+|an?\s+)?"
    r"((?:[A-Z][\w'’-]*)(?:\s+(?:of|de|la|[A-Z0-9][\w'’-]*)){0,5})"
)
_PREPOSED = re.compile(
    r"\b(?:at|on|onto|in|into|near|around|along|across|off|over|outside|inside|behind|opposite|beside|from|to|of|under|between)\s+(?:the\s+)?([A-Z][\w'’-]*(?:\s+[A-Z][\w'’-]*){0,4}(?:,\s+[A-Z][\w'’-]*)?)"
)
_NOUN = re.compile(
    rf"\b(?:at|in|on|inside|into|to|is|:)\s+(?:the\s+|an?\s+)?"
    rf"((?:(?!(?:is|are|was|were|on|at|in|to|now|for)\b)[\w'’-]+\s+){{0,4}}?(?:{_PLACE_NOUN}))\b",
    re.IGNORECASE,
)
_BEFORE = re.compile(
    rf"((?:[A-Z][\w'’-]*\s+){{0,4}}(?:{_PLACE_NOUN}))\s+(?:is|are|was|has been|have been|will|now|being|serves?"
    r"|opened?|hosts?)\b.{0,40}$",
    re.IGNORECASE,
)
_WHERE = caseless(r"\b(?:that is|that['’]s|which is|is)\s+where\b|\bgo to\b|\bhead to\b|\bturned into\b|\bused as\b")
_PLAIN = frozenset(
    "the a an of old new central city town county community civic municipal national high primary "
    "secondary elementary middle north south east west northern southern eastern western main local "
    "public regional state general place point".split()
) | frozenset(re.sub(r"[^\w|]", "", _PLACE_NOUN).split("|"))


_TIMES = frozenset(
    "monday tuesday wednesday thursday friday saturday sunday january february march april june july august september "
    "october november december today tomorrow tonight".split()
)


@dataclass(frozen=True, slots=True)
class Venue:
    """A function and where it is said to be, as folded words."""

    kind: str
    name: tuple[str, ...]

    def same_as(self, other: Venue) -> bool:
        """Whether both name one place: a shared distinctive word decides, else the greater part of all words."""
        mine, theirs = ({plain_word(word) for word in each.name} for each in (self, other))
        if mine - _PLAIN and theirs - _PLAIN:
            return bool((mine & theirs) - _PLAIN)
        return len(mine & theirs) > len(mine | theirs) / 2 or mine <= theirs or theirs <= mine


def venue(sentence: str, known_places: frozenset[str] = frozenset()) -> Venue | None:
    """The function that `sentence` puts at a named place, if any.

    Args:
        sentence: one sentence or clause of a report.
        known_places: words of the incident's own location: "in Tulsa" is no venue.
    """
    sentence = body(sentence[:1000])
    if _SEVERAL.search(sentence) or _NOT_THERE.search(sentence):
        return None
    low = sentence.lower()
    for kind, pattern in _FUNCTION.items():
        if not any(mark in low for mark in _MARKS[kind]):
            continue
        if kind == "shelter" and _CARE.search(sentence) and not _HOUSING.search(sentence):
            continue  # where the hurt or the detained are taken is no shelter
        found = pattern.search(sentence)
        if found and kind == "shelter" and (_FROM_THERE.search(sentence) or _PRIVATELY.search(sentence)):
            continue
        if found:
            name = _place_after(sentence[found.start() :], known_places)
            if not name and found[0].lower() != "evacuated":  # those who were evacuated are elsewhere
                name = _place_before(sentence[: found.end()], known_places)
            return Venue(kind, name) if name else None
    return None


def place_names(text: str, known_places: frozenset[str] = frozenset()) -> frozenset[str]:
    """The words of the places that a statement names after "at", "on", "near"..., without the incident's own."""
    return frozenset(
        word
        for match in _PREPOSED.finditer(text[:1000])
        for word in (_POSSESSIVE.sub("", word) for word in re.findall(r"[\w'’-]+", fold(match.group(1))))
        if word not in known_places and word not in _TIMES
    )


_POSSESSIVE = re.compile(r"['’]s$")


def street_names(text: str, known_places: frozenset[str] = frozenset()) -> frozenset[str]:
    """The words of the streets that a statement names, without the incident's own place and the kind of street."""
    return frozenset(
        word
        for match in _STREET.finditer(text[:1000])
        for word in re.findall(r"[\w'’-]+", fold(match.group()))
        if word not in known_places and word not in _STREET_KINDS
    )


_STREET_KINDS = frozenset(
    "street st road rd avenue ave lane drive boulevard blvd way highway trail square terrace avenida calle rua rue via "
    "jalan ulica rruga the".split()
)


def without_streets(text: str) -> str:
    """A text without names of streets, which say where and not what: "Lake Street covered in glass"."""
    return _STREET.sub(" ", text)


def _place_after(rest: str, known_places: frozenset[str]) -> tuple[str, ...]:
    for pattern in (_NAMED, _NOUN):
        for match in pattern.finditer(rest):
            name = _name(match.group(1), known_places)
            if name:
                return name
    return ()


def _place_before(start: str, known_places: frozenset[str]) -> tuple[str, ...]:
    match = _BEFORE.search(start)
    if match:
        return _name(match.group(1), known_places)
    # "Go to Harbour Hall, that is where the reception centre is"
    return _place_after(start, known_places) if _WHERE.search(start) else ()


def _name(text: str, known_places: frozenset[str]) -> tuple[str, ...]:
    words = [word for word in re.findall(r"[\w'’-]+", fold(text)) if word not in {"the", "a", "an", "of"}]
    distinctive = [word for word in words if word not in known_places]
    functional = re.compile(r"safety|evac|shelter|hospital$")
    if _TIMES.intersection(distinctive):
        return ()
    return tuple(words) if distinctive and not functional.search(" ".join(distinctive)) else ()
