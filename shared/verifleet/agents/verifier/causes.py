"""Causes: what a report says an event came from, so that another cause speaks against it and the same one for it."""

from __future__ import annotations

import re
from functools import lru_cache

from verifleet.agents.caseless import caseless, lowered
from verifleet.agents.verifier.wording import VAGUE, body, concepts, words

_EVENT = (
    r"(?:\w*fires?|blazes?|inferno|explosions?|blasts?|collapses?|crash(?:es)?|derailments?|outages?|blackouts?"
    r"|power cuts?"
    r"|stampedes?|crush|surge|\w*slides?|floods?|flooding|leaks?|spills?|outbreak|sickness|illness\w*|cholera"
    r"|accidents?|sinking"
    r"|avalanches?|traged(?:y|ies)|disasters?|collisions?|incidents?|quakes?|pile-?up|mess|deaths?|thing|failure"
    r"|breach|haze|smog)"
)
_IT = rf"(?:it|this|that|(?:(?:the|an?|this|that|today['’]s|our)\s+)?(?:[\w'’-]+\s+){{0,3}}?{_EVENT})\b"
_START = (
    r"(?:(?:the|its) (?:start|seat|origin|beginning|cause)\b(?: of (?:the )?\w+)?"
    r"|(?:where|how) \w+(?: \w+)? (?:began|started))"
)
_MADE = (
    r"(?:(?:has |have |had |was |were |is |been |seen )?(?:caus(?:ed|es|ing|e)|trigger(?:ed|s|ing)?|spark(?:ed|s"
    r"|ing)?|start(?:ed|s|ing)"
    r"|ignit(?:ed|es|ing)|set(?:ting)? off|led to|brought about|brought down|took down|provoked|unleashed)"
    r"|(?:is|was|are|were) (?:behind|responsible for|to blame for|the (?:\w+ )?(?:cause|source|origin|reason"
    r"|culprit|trigger)"
    r" (?:of|for|behind)))"
)
_ACTIVE = caseless(
    rf"(?P<cause>[^.;:!?]{{3,110}}?)\s+(?:{_MADE}\s+{_IT}|did (?:it|this|that)\b|(?:brought|bring|brings"
    rf"|took) (?:[\w'’-]+\s+){{1,4}}down\b"
    r"|(?:is|was|are|were) (?:to blame|responsible|the (?:cause|culprit|reason))\b|(?:is|['’]s) (?:the reason )?why\b"
    r"|(?:that|this|which)['’]?s (?:(?:the reason )?why|what (?:caused|crashed|started|sank|triggered|brought|did))\b"
    r"|caused (?:[\w'’-]+\s+){1,5}?(?:to )?(?:fail|trip|break|rupture|collapse|ignite|explode|burst"
    r"|give way|derail|overturn|capsize|leak|sink|fall|topple|overheat|jam|snap|buckle|short|slip"
    r"|flash over|catch fire)\b)",
)
_PASSIVE = caseless(
    rf"\b(?:it|this|that|{_EVENT}|fell|came down|gave way|collapsed|crashed|derailed|sank|exploded|burst"
    r"|failed|broke|overturned|capsized|blew up|caught fire|tipped over|toppled|went (?:up"
    rf"|down|off))\b[^.;:!?]{{0,70}}?"
    r"\b(?:(?:caused|triggered|sparked|started|ignited|set off|brought (?:about|down)|provoked) by|due to"
    r"|because of|because"
    r"|down to|(?:blamed|pinned) on|(?:traced|linked|tracked)(?: back)? to|attributed to|(?:the )?result of"
    r"|put down to|resulted from"
    r"|stem(?:s|med) from|origina(?:ted|tes) (?:in|from|with)|c[ao]mes? from|began (?:with|when)|started (?:with"
    r"|when|after)|after)\s+"
    r"(?P<cause>[^.;:!?]{3,110})",
)
_NAMED = caseless(
    r"\b(?:cause|reason|origin|source|culprit|trigger)\b(?: (?:of|for|behind) [^.;:!?]{2,60}?)? (?:was|is|were"
    r"|being|appears to be|seems to be)"
    r"\s+(?P<cause>[^.;:!?]{3,90})",
)
_TRACED = caseless(
    rf"\b(?:traced?|tracked|linked|attributed|attributes?|put|blamed?|pinned)"
    rf" (?:{_IT}|{_START})(?: back| down)? (?:to|on)"
    r"\s+(?P<cause>[^.;:!?]{3,110})"
    r"|\b(?:findings?|evidence|inquiry|enquiry|investigations?|inspections?|traces|signs|clues|everything)"
    r"(?: \w+){0,3} point(?:s|ed|ing)? to\s+(?P<found>[^.;:!?]{3,110})",
)
_IT_WAS = caseless(
    r"^\W*(?:it|this|na)(?:['’]s| was| is)? (?:an? |the |some |all )?(?P<cause>[^.;:!?]{3,60}?)(?:,? (?:that|who"
    r"|which|wey)\b)",
)
_NOT = caseless(r"\b(?:not|never|no|nobody|none|nothing|neither|without|cannot)\b|n['’]t\b")
_OF_ELSE = caseless(
    r"\b(?:closed|shut|suspended|cancel+ed|delay\w*|evacuat\w+|diverted|postponed|without power|injur\w+|hurt|died"
    r"|killed|trapped|deaths?|dead|fatalit\w+|toll"
    r"|treated|rescued|school|road|schools|roads|flights|trains|lost)\b",
)
_EMPTY = VAGUE | concepts(
    "cause caused causes reason origin source preliminary initial finding findings report investigators investigation "
    "thing incident accident says believed thought apparently likely probable probably possibly according brother "
    "cousin "
    "uncle friend heard whole train building bridge road street town city tower house"
)
_PEOPLE = frozenset(
    "child children boy boys girl girls kid kids man men woman women teenagers youths police officers guards crew "
    "staff management residents patients".split()
)
"""Who may have caused something, though a statement is no more specific for naming them."""
_CLASSES = (
    "electr circuit short wir cabl transform batteri battery charg socket insul spark power overload overheat "
    "arc".split(),
    "lightn storm wind rain rainfal downpour thunder gust flood water".split(),
    "track rail sleeper point switch".split(),
    "driver captain skipper crew human error pilot".split(),
    "valv pipe tank boiler pressur compressor".split(),
)
_CLASS = {word: number for number, listed in enumerate(_CLASSES) for word in listed}
_SUBSTANCE = caseless(
    r"\b(chlorine|ammonia|phosgene|nerve gas|mustard gas|war gas|sarin|benzene|naphtha|hydrochloric|sulph?uric"
    r"|sulfuric|nitric|methane"
    r"|propane|butane|lpg|hydrogen sul(?:ph|f)ide|cyanide|phosphine|mercury|uranium|plutonium|asbestos|styrene"
    r"|vinyl chloride|xylene|toluene"
    r"|diesel|crude oil|kerosene|petrol|methanol|ethanol|formaldehyde|caustic soda|sodium hydroxide|bromine"
    r"|fluorine|hydrogen|nitrogen"
    r"|carbon (?:mono|di)xide|sulph?ur dioxide|sulfur dioxide|pesticides?|fertili[sz]er|acetone|lead|arsenic"
    r"|radiation|steam|sulph?ur)\b",
)
_RELEASED = caseless(
    r"\b(?:leak\w*|escap\w+|releas\w+|spill\w*|came out|coming out|got out|in the air|seep\w*|vent\w*|cloud|fumes)\b",
)
_RATHER = re.compile(r",?(?: and| but)? (?:not|rather than|instead of)\b")
"""After this comes what it did not come from."""
_IDENTIFIED = caseless(
    r"\b(?:(?:cloud|smoke|plume|gas|vapou?r|fumes|smell|odou?r)(?: \w+){0,3} (?:is|was|are|were|contains?|consists?)"
    rf"(?: (?:pure|just|from|only|of|made|full|burning)){{0,3}} (?={_SUBSTANCE.pattern})"
    r"|(?:samples?|tests?|analys[ei]s|measurements?|readings?|monitors?)(?: \w+){0,3}"
    r" (?:show\w*|found|detected|identified) (?:only|just|ordinary|merely|nothing but|harmless)\b)",
)
_NOT_JUST_BEFORE = caseless(r"\b(?:no|not|never|without|nor|neither)(?: \w+){0,2} $")
_HINT = caseless(
    r"caus|trigger|spark|start|ignit|\bset|led to|brought|bring|brings|took|behind|responsible|blame|due to|down to"
    r"|trace|linked|track|attribute|blame|point(?:s|ed|ing)? to|result"
    r"|stem|origin|c[ao]mes? from|began|pinned|because|after|reason|source|culprit"
    r"|did (?:it|this|that)|\bwhy\b|['’]?s what|provoked|unleashed|^\W*(?:it|this|na)\b",
)
"""One of these is in all that the patterns of causes find; looking for them first is cheap."""
MAX_READ = 240
"""Characters of a sentence that are looked at."""
DENIED, SUBSTANCE = "!", "#substance"
"""Marks of what is said not to have been the cause, and of what was released."""
CARGO, DANGER = "#cargo", "#danger"
"""Marks of what something carried, and of a load that is dangerous."""
_BY = frozenset({"#by 0", "#by 1", "#by 2"})


@lru_cache(maxsize=2048)
def cause(text: str) -> frozenset[str]:
    """The telling words of the cause that a sentence gives for an event; empty where it gives none."""
    text = body(text[:MAX_READ])
    if _SUBSTANCE.search(text) and (_RELEASED.search(text) or _IDENTIFIED.search(text)):
        named = [m[1] for m in _SUBSTANCE.finditer(text) if not _NOT_JUST_BEFORE.search(text[: m.start()])]
        if named:
            return frozenset({SUBSTANCE, *(f"#{name}" for name in named)})
    if not _HINT.search(text):
        return _cargo(text)
    match = _PASSIVE.search(text) or _ACTIVE.search(text) or _NAMED.search(text) or _TRACED.search(text)
    match = match or _IT_WAS.search(text)
    if match is None:
        return _cargo(text)
    group = "found" if match.re is _TRACED.re and match["found"] else "cause"
    told = _RATHER.split(match[group], maxsplit=1)[0]
    if _OF_ELSE.search(text[: match.start(group)]):
        return frozenset()
    found = (concepts(told) - _EMPTY) | _PEOPLE.intersection(words(told))
    denied = _NOT.search(text, 0, match.start(group)) or (match.re is _ACTIVE.re and _NOT.search(text, 0, match.end()))
    return frozenset({DENIED, *found} if denied and found else found)


_CARRIERS = (
    "train trains wagon wagons tanker tankers car cars carriages hopper hoppers".split(),
    "truck trucks lorry lorries tanker tankers trailer van vans".split(),
    "ship ships vessel tanker tankers barge freighter boat".split(),
)
_CARGO = caseless(
    r"\b(?P<carrier>trains?|wagons?|tankers?|(?:tank|rail) cars?|hoppers?|trucks?|lorr(?:y|ies)|trailers?|vans?|ships?"
    r"|vessel|barge|freighter)\b(?: (?!no\b|not\b)[\w'’-]+){0,5}? (?:carr(?:y|ies|ied|ying)|load(?:ed)? (?:with|of)"
    r"|full of|filled with|transport(?:s|ed|ing)|haul(?:s|ed|ing)) (?P<load>[^.;:,!?]{3,60})",
)
_CARRIED = ("carr", "load", "full", "filled", "transport", "haul")
"""One of these is in all that the pattern of loads finds."""
_DANGEROUS = caseless(
    rf"{_SUBSTANCE.pattern}|\b(?:chemicals?|explosives?|dynamite|ammunition|munitions|weapons|missiles?|bombs?|acid|poison"
    r"|toxic|gas|drugs|nuclear|radioactive)\b"
)


def _cargo(text: str) -> frozenset[str]:
    """What is said to be carried, by what: of a danger that is rumoured, an authority names what it was instead."""
    low = lowered(text)
    load = _CARGO.search(text) if any(word in low for word in _CARRIED) else None
    if load is None:
        return frozenset()
    carrier = load["carrier"].split()[-1]
    by = {f"#by {number}" for number, listed in enumerate(_CARRIERS) if carrier in listed}
    found = concepts(load["load"]) - _EMPTY
    marks = {CARGO, *by, *({DANGER} if _DANGEROUS.search(load["load"]) else ())}
    return frozenset(marks | found) if found and not _OF_PEOPLE.search(load["load"]) else frozenset()


_OF_PEOPLE = caseless(
    r"\b(?:people|passengers|kids|children|workers|tourists|pupils|soldiers|migrants|fans|pilgrims)\b"
)


def against(mine: frozenset[str], theirs: frozenset[str]) -> bool | None:
    """Whether two causes of one event exclude each other: True; False for one cause; None where that cannot be told."""
    if CARGO in mine or CARGO in theirs:
        other = CARGO in mine and CARGO in theirs and DANGER in mine and not (mine & _BY).isdisjoint(theirs)
        return True if other and (mine & theirs) <= _BY | {CARGO, DANGER} else None
    if not mine or not theirs or DENIED in mine or (SUBSTANCE in mine) != (SUBSTANCE in theirs):
        return None
    shared = (mine & theirs) - {SUBSTANCE}
    if shared and SUBSTANCE in mine:
        return None  # everybody names what leaked
    if DENIED in theirs:
        return True if shared else None
    if shared:
        return False
    if {_CLASS[word] for word in mine & _CLASS.keys()} & {_CLASS[word] for word in theirs & _CLASS.keys()}:
        return None
    return True
