"""Hazards: which kinds of event a statement says have happened.

The words of an incident's own kind ("fire" in a report of a fire) make no statement about it specific, so statements
carry them apart: they are what a plain report ("Fire at the mill") is confirmed or denied by.
"""

from __future__ import annotations

import re
from functools import lru_cache

from verifleet.agents.caseless import caseless

_WORDINGS = {
    "fire": r"(?<!cease)(?<!cease-)fires?(?!-)|wildfires?|bush ?fires?|blazes?|ablaze|flames?|aflame|alight"
    r"|inferno|burning|on fire",
    "explosion": r"explosions?|explod(?:e|es|ed|ing)|blasts?|detonat\w+|blew up|blown (?:up|out|apart|off)"
    r"|(?:huge|loud|massive|big|enormous|almighty|giant) (?:boom|bang)",
    "bomb": r"bombs?|bombing|explosives|explosive device|ied",
    "shooting": r"shootings?|gunm[ae]n|shooters?|gunfire|gunshots?"
    r"|shots? (?:were |was |have been |being )?(?:fired|heard)"
    r"|snipers?|opened fire|gunshot wounds?|bullets?|bullet wounds?|shots (?:rang|ringing|going off)"
    r"|(?:some(?:one|body)|he|man)"
    r" (?:is |was |keeps? |started )?(?:firing|shooting)|(?:is|are|was|were|people|got|been) shot",
    "stabbing": r"stabbings?|stabbed|knife attack|knifem[ae]n",
    "hostage": r"(?:persons?|people|customers|shoppers|staff|passengers|pupils|workers|anyone|nobody|no one)"
    r" (?:(?:is|are|was|were|has been|have been) )?(?:being )?held|hostages?|hostage[- ]taking|kidnap\w*"
    r"|abduct(?:ed|ion)",
    "attack": r"attack(?:s|ed|ers?)?|terroris\w+",
    "derailment": r"derail\w*|(?:came|come|coming|jumped|jumps|slid|went|gone|flew|left|leaves"
    r"|off)(?: off)? the (?:rails|tracks?)",
    "crash": r"crash(?:es|ed)?|collisions?|collid(?:e|es|ed)|pile-?ups?",
    "grounding": r"(?:ran|runs?|run) aground|grounded on|grounding",
    "sinking": r"sank|sinking|sunk|capsiz(?:e|es|ed|ing)|(?:launch|boat|ferry|ship|vessel|trawler|barge|yacht)"
    r" (?:\w+ ){0,4}?(?:went down|went under|overturned|keeled over|on (?:its|her) side)",
    "flood": r"floods?|flooding|flooded|inundat\w+",
    "landslide": r"land ?slides?|mud ?slides?|rock ?slides?|rock ?falls?|mudflows?|debris flows?",
    "avalanche": r"avalanches?",
    "quake": r"(?:earth)?quakes?|tremors?|aftershocks?|seismic|temblors?|the shaking|swaying|jolts?"
    r"|(?:ground|earth|house|building|everything|floor|walls?) (?:is |was |started |kept )?(?:shook|shakes"
    r"|shaking|trembl\w+|moving)",
    "tsunami": r"tsunamis?|tidal waves?",
    "tornado": r"tornado(?:e?s)?|twisters?|waterspouts?|funnel clouds?|wedge|vortex",
    "storm": r"hurricanes?|cyclones?|typhoons?|storms?|thunderstorms?|blizzards?",
    "eruption": r"erupt(?:s|ed|ing|ion|ions)?|lava|ash ?falls?|(?:column|plume|cloud) of ash",
    "collapse": r"collaps(?:e|es|ed|ing)|ga?ve way|give way|caved in|cave-?ins?|fell down|c[ao]me down|toppled"
    r"|tumbled down|crumbled"
    r"|(?:buildings?|blocks?|houses?|walls?|roofs?|towers?|bridges?|cranes?|ceilings?|balcon(?:y|ies)|scaffold\w*|stands?"
    r"|masts?|pylons?|flats) (?:has |have |had |just |all )*(?:fell|fallen)(?! (?:on|into|in|from|silent|ill))"
    r"|pancaked|sinkholes?|(?:span|bridge|viaduct|overpass|roof|wall|tower|crane|building|slope|hillside|ceiling)"
    r" (?:is |has |was )?(?:just |simply |completely |all |totally )?(?:gone )?down",
    "breach": r"burst(?:s|ing)?|breach(?:es|ed)?|ruptur(?:e|es|ed)|failed|overtopp\w+",
    "leak": r"leak(?:s|ed|ing|age)?|spill(?:s|ed|age|t)?|gas escape|fumes|(?:substances?|materials?|gas"
    r"|chemicals?) (?:has |have )?(?:escaped|been released)|(?:chemical|gas|ammonia"
    r"|chlorine) release|release of (?:\w+ )?(?:gas|chemicals?|fumes|ammonia|chlorine)"
    r"|(?:gas|toxic|chemical|vapou?r|acrid|yellow|green|white|orange) clouds?",
    "contamination": r"contaminat\w+|poisoned",
    "outbreak": r"outbreaks?|cholera|typhoid|epidemic",
    "looting": r"loot(?:ing|ers?|ed)?",
    "riot": r"riot(?:s|ing|ers?)?",
    "escape": r"escap(?:e|es|ed|ing)",
    "meltdown": r"meltdown",
    "outage": r"(?:power|electricity)(?: supply)? (?:outages?|cuts?|failures?|out|off|gone)|outages?|black-?outs?"
    r"|(?:power|electricity|supply)(?: supply)? (?:is|are|was|has been|have been|went|goes)(?: all)? (?:out|off"
    r"|gone|lost"
    r"|(?:switched|turned|shut|cut) off|cut|interrupted)"
    r"|(?:in|pitch|pitch-|gone|went|goes|neighbou?rhood|street|town|quarter|district|area) (?:the )?dark(?:ness)?"
    r"|(?:no|without|zero|lost|lose|losing|not a single) (?:power|electricity|lights?|lamps?|current|mains"
    r"|supply|service)"
    r"|customers (?:are |were |remain )?(?:out|off)|lights? (?:is |are |went |all |have )?(?:out|off|gone)"
    r"|cut (?:off )?from (?:the )?(?:electricity|power|grid)",
}
_NAMED = caseless(rf"\b(?:{'|'.join(rf'(?P<{name}>{wordings})' for name, wordings in _WORDINGS.items())})\b")
_NOT_EVENT = caseless(
    r"\W{0,2}(?:warnings?|watch|advisor(?:y|ies)|alerts?|risks?|dangers?|threats?|departments?|brigades?|services?|stations?"
    r"|trucks?|fighters?|fighting|crews?|chiefs?|engines?|alarms?|drills?|hydrants?|marshals?|protection|rescue|safety|season"
    r"|defen[cs]es?|barriers?|gates?|squad|disposal|exits?|doors?|escapes?|hazards?|tests?|insurance|officials?|officers?"
    r"|authorit\w+|centres?|centers?|ban|in (?:charge|command)|conditions?)\b",
)
_KNOWN = caseless(r"\b(?:the|this|that|these|those|today['’]s|yesterday['’]s|last \w+['’]s)\s+(?:[\w-]+\s+){0,2}$")
_IMPLIED = {
    "explosion": frozenset({"bomb"}),
    "attack": frozenset({"bomb", "shooting", "hostage", "stabbing"}),
}
"""What cannot be either where it is said that this was not: no explosion, so no bomb."""


def hazards(text: str, *, told_anew: bool = False) -> frozenset[str]:
    """The kinds of event that a text names as events; `told_anew`: without those it takes for granted ("the fire")."""
    return _hazards(text[:1000], told_anew)


@lru_cache(maxsize=1024)
def _hazards(text: str, told_anew: bool) -> frozenset[str]:
    """Found once for the sentences of a report, which are asked for several times."""
    found = set()
    for match in _NAMED.finditer(text):
        if _NOT_EVENT.match(text, match.end()):
            continue
        if told_anew and _KNOWN.search(text, max(0, match.start() - 40), match.start()):
            continue
        found.add("collapse" if match.lastgroup == "breach" else match.lastgroup or "")
    return frozenset(found)


def ruled_out_with(denied: frozenset[str]) -> frozenset[str]:
    """The hazards that cannot be where these are denied."""
    return denied.union(*(_IMPLIED[name] for name in denied & _IMPLIED.keys()))


def hazard_words(words: frozenset[str]) -> frozenset[str]:
    """Those of some words, in the form statements keep them, that only name a hazard."""
    return frozenset(word for word in words if _IS_ONE.fullmatch(word))


_IS_ONE = re.compile(
    r"burst|bomb|blast|blaze|shooter|hostage|attack|crash|derail\w*|flood\w*|landslid\w*|mudslid\w*|rockslid\w*|avalanch\w*"
    r"|quake|tsunami|tornado\w*|twister|storm|hurrican\w*|cyclon\w*|typhoon|erupt|leak|contaminate|outbreak|loot|riot|escape"
    r"|capsize|fir[ei]?|fired|explo\w*|stab\w*|knif\w*|aground|ran|terrorist\w*|collaps\w*|fell|sinkhol\w*|meltdown|flame\w*"
    r"|ablaz\w*|wildfir\w*|bushfir\w*|heard|burn\w*|tremor"
    r"|power|light|sway\w*|shak\w*|jolt\w*|toxic|cloud|wedge|bullet"
)
_NEGATION = caseless(r"\b(?:no|not|never|neither|nor|none|nothing|without|nobody|cannot|contrary to|zero)\b|n['’]t\b")


def after_negation(text: str) -> str:
    """What stands behind the first negation of a text; "" without one."""
    match = _NEGATION.search(text)
    return text[match.end() :] if match else ""
