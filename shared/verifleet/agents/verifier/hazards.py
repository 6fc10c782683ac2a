"""Hazards: which kinds of event a statement says have happened.

The words of an incident's own kind ("fire" in a report of a fire) make no statement about it specific, so statements
carry them apart: they are what a plain report ("Fire at the mill") is confirmed or denied by.
"""

from __future__ import annotations

import re

_WORDINGS = {
    "fire": r"(?<!cease)(?<!cease-)fires?(?!-)|wildfires?|bush ?fires?|blazes?|ablaze|flames|inferno|burning",
    "explosion": r"explosions?|explod(?:e|es|ed|ing)|blasts?|detonat\w+|blew up|blown up",
    "bomb": r"bombs?|bombing|explosive device|ied",
    "shooting": r"shootings?|gunm[ae]n|shooters?|gunfire|gunshots?"
    r"|shots? (?:were |was |have been |being )?(?:fired|heard)"
    r"|snipers?|opened fire",
    "stabbing": r"stabbings?|stabbed|knife attack|knifem[ae]n",
    "hostage": r"hostages?|hostage[- ]taking|kidnap\w*|abduct(?:ed|ion)",
    "attack": r"attack(?:s|ed|ers?)?|terroris\w+",
    "derailment": r"derail\w*",
    "crash": r"crash(?:es|ed)?|collisions?|collid(?:e|es|ed)|pile-?ups?",
    "grounding": r"(?:ran|runs?|run) aground|grounded on|grounding",
    "sinking": r"sank|sinking|sunk|capsiz(?:e|es|ed|ing)",
    "flood": r"floods?|flooding|flooded|inundat\w+",
    "landslide": r"land ?slides?|mud ?slides?|rock ?slides?|rock ?falls?|mudflows?|debris flows?",
    "avalanche": r"avalanches?",
    "quake": r"(?:earth)?quakes?|tremors?|aftershocks?|seismic",
    "tsunami": r"tsunamis?|tidal waves?",
    "tornado": r"tornado(?:e?s)?|twisters?|waterspouts?|funnel clouds?",
    "storm": r"hurricanes?|cyclones?|typhoons?|storms?|thunderstorms?|blizzards?",
    "eruption": r"erupt(?:s|ed|ing|ion|ions)?",
    "collapse": r"collaps(?:e|es|ed|ing)|ga?ve way|give way|caved in|cave-?ins?|fell down|came down|toppled|sinkholes?",
    "breach": r"burst(?:s|ing)?|breach(?:es|ed)?|ruptur(?:e|es|ed)|failed|overtopp\w+",
    "leak": r"leak(?:s|ed|ing|age)?|spill(?:s|ed|age|t)?|gas escape",
    "contamination": r"contaminat\w+|poisoned",
    "outbreak": r"outbreaks?|cholera|typhoid|epidemic",
    "looting": r"loot(?:ing|ers?|ed)?",
    "riot": r"riot(?:s|ing|ers?)?",
    "escape": r"escap(?:e|es|ed|ing)",
    "meltdown": r"meltdown",
}
_NAMED = re.compile("|".join(rf"(?P<{name}>\b(?:{wordings})\b)" for name, wordings in _WORDINGS.items()), re.IGNORECASE)
_STARTS = frozenset(
    word[:3]
    for word in "fire wildfire bush blaze ablaze flames inferno burning explosion detonation blew blown bomb "
    "ied shooting gun sniper opened stabbing knife hostage kidnap abducted attack terror derail "
    "crash collision pile ran run ground sank sinking sunk capsize flood inundated land mud rock "
    "debris avalanche earthquake quake tremor aftershock seismic tsunami tidal tornado twister "
    "water funnel hurricane cyclone typhoon storm thunder blizzard erupt gave give cave fell came "
    "toppled breach rupture failed overtop leak spill gas contaminate poison outbreak cholera "
    "epidemic looting riot escape meltdown".split()
)
"""How the wordings begin; looking at the beginnings of words first is cheap."""
_WORD = re.compile(r"[^\W\d_]{3,}")
_NOT_EVENT = re.compile(
    r"\W{0,2}(?:warnings?|watch|advisor(?:y|ies)|alerts?|risks?|dangers?|threats?|departments?|brigades?|services?|stations?"
    r"|trucks?|fighters?|fighting|crews?|chiefs?|engines?|alarms?|drills?|hydrants?|marshals?|protection|rescue|safety|season"
    r"|defen[cs]es?|barriers?|gates?|squad|disposal|exits?|doors?|escapes?|hazards?|tests?|insurance|officials?|officers?"
    r"|authorit\w+|centres?|centers?|ban|in (?:charge|command)|conditions?)\b",
    re.IGNORECASE,
)
_KNOWN = re.compile(
    r"\b(?:the|this|that|these|those|today['’]s|yesterday['’]s|last \w+['’]s)\s+(?:[\w-]+\s+){0,2}$", re.I
)
_IMPLIED = {
    "explosion": frozenset({"bomb"}),
    "attack": frozenset({"bomb", "shooting", "hostage", "stabbing"}),
}
"""What cannot be either where it is said that this was not: no explosion, so no bomb."""


def hazards(text: str, *, told_anew: bool = False) -> frozenset[str]:
    """The kinds of event that a text names as events; `told_anew`: without those it takes for granted ("the fire")."""
    found = set()
    text = text[:1000]
    end = 0
    for word in _WORD.finditer(text):
        known = word.start() >= end and word[0][:3].lower() in _STARTS
        match = _NAMED.match(text, word.start()) if known else None
        end = match.end() if match else end
        if match is None or _NOT_EVENT.match(text, match.end()):
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
)
_NEGATION = re.compile(
    r"\b(?:no|not|never|neither|nor|none|nothing|without|nobody|cannot|contrary to|zero)\b|n['’]t\b", re.IGNORECASE
)


def after_negation(text: str) -> str:
    """What stands behind the first negation of a text; "" without one."""
    match = _NEGATION.search(text)
    return text[match.end() :] if match else ""
