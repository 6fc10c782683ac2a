"""Levels: the step of a scale that a text says is in force, as an alert level, a storm's category or a signal number.

One scale stands at one step, so that an authority for which it stands at another speaks against a claim.
"""

from __future__ import annotations

from functools import lru_cache

from verifleet.agents.caseless import caseless

_STEPS = {name: str(number) for number, name in enumerate("zero one two three four five six seven".split())}
_ROMAN = {"i": "1", "ii": "2", "iii": "3", "iv": "4", "v": "5"}
_SCALES = {
    "level": caseless(
        r"\b(?:alert|threat|warning|danger|hazard|emergency|alarm|avalanche|volcan\w*|terror\w*|eruption|lahar)\b"
    ),
    "category": caseless(r"\b(?:hurricane|cyclone|typhoon|storm|landfall|cat)\b"),
    "signal": caseless(r"\b(?:signal (?:no|number)|wind|storm|typhoon|hoist\w*)\b"),
    "stage": caseless(r"\b(?:alert|restrictions?|warning|emergency|drought|alarm)\b"),
}
"""What else a text names where it speaks of such a scale, and not of a deck, a stage of a race or of an illness."""
_STEP = caseless(
    r"\b(?P<scale>level|category|cat|signal|stage)s?(?: (?:no|number)\b\.?)?"
    r"(?:,? (?:is|was|has|have|been|not|changed|unchanged|only|just|and|stays?|stands?|remains?|kept|still|now|at|to"
    r"|raised|lowered|went|goes|red|orange|yellow|(?:of|for) (?:the )?[a-z]+)\b){0,8}"
    r"[ -](?P<step>[0-7]|zero|one|two|three|four|five|six|seven|i{1,3}|iv|v)(?![\w%]|[.,:]\d"
    r"| (?:metres?|meters?|feet|hours?|days?|people|dead|km|cm)\b)",
)
_MARKED = ("level", "categories", "category", "cat ", "signal", "stage")
_UP = caseless(r"\b(?:rais|rise|rose|upgrad|increase?|strengthen|intensif|step\w* up)\w*")
_DOWN = caseless(r"\b(?:lower|downgrad|reduc|weaken|decrease?|drop|step\w* down)\w*")
_KEPT = caseless(r"\b(?:remain\w*|stay\w*|still|unchanged|not (?:been )?(?:changed|raised)|kept|maintain\w*)\b")
MARK, UNTRUE = "@!"
"""Marks of a step among the sides of a statement: "@level 4" that it gives, "!level 4" that it calls untrue."""


_SAID = caseless(
    r"\b(?:reports?|rumou?rs?|claims?|talk|posts?|messages?|stor(?:y|ies)|false|fake|untrue|incorrect|wrong|hoax"
    r"|not true|no (?:truth|such|plans?))\b",
)
"""What may call the step untrue that it names."""


def stated(low: str, *, denies: bool) -> frozenset[str]:
    """The steps that a text in lower case gives; marked as such ("!level 4"), those of a rumour that it denies."""
    found = steps(low)
    return frozenset(UNTRUE + step[1:] for step in found) if found and denies and _SAID.search(low) else found


def steps(low: str) -> frozenset[str]:
    """The steps of scales that a text in lower case gives: "@level 4", "@category 2"."""
    return _steps(low) if any(mark in low for mark in _MARKED) else frozenset()


@lru_cache(maxsize=512)
def _steps(low: str) -> frozenset[str]:
    return frozenset(f"{MARK}{scale} {step}" for scale, step in _numbered(low) if _SCALES[scale].search(low))


def _numbered(low: str) -> set[tuple[str, str]]:
    found = set()
    for match in _STEP.finditer(low):
        scale, said = match["scale"], match["step"]
        found.add(("category" if scale == "cat" else scale, _STEPS.get(said) or _ROMAN.get(said) or said))
    return found


def excluded(step: str, answer: str, given: frozenset[str], *, later: bool) -> bool:
    """Whether a scale does not stand at the step of a claim, by an authority's answer, which gives other steps of it.

    What has been lowered may have stood there, and what an authority told earlier may have changed, unless it says that
    it does not.
    """
    if UNTRUE + step[1:] in given:
        return True
    scale, number = step.rsplit(" ", 1)
    told = [int(other.rsplit(" ", 1)[1]) for other in given if other.startswith(f"{scale} ")]
    if not told or int(number) in told:
        return False
    if _UP.search(answer) and max(told) > int(number) and not _KEPT.search(answer):
        return False
    if _DOWN.search(answer) and min(told) < int(number) and not _KEPT.search(answer):
        return False
    return later or _KEPT.search(answer) is not None


def differ(claim: str, answer: str) -> bool:
    """Whether two texts give different steps of one scale, or floors of one name, so that they do not say the same."""
    low = claim.lower()
    if not any(mark in low for mark in _MARKED):
        return False
    mine, theirs = _numbered(low), _numbered(answer.lower())
    return bool({scale for scale, _ in mine} & {scale for scale, _ in theirs}) and mine.isdisjoint(theirs)
