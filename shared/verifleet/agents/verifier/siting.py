"""Where a report puts a service, read with what stands around the clause: who is asked before it, and what after it.

"Need a bed? They are at Rosa Hall": the question says what for. "Anyone who saw it, please come to Rosa Hall": the
request says where. And "Rosa Hall isn't it" or "is not a shelter" says where a service is not.
"""

from __future__ import annotations

from verifleet.agents.caseless import caseless
from verifleet.agents.verifier.sites import Site, absent, corrects, site

_WITHIN = 300
"""Characters around a clause that are looked at."""
_QUESTION = caseless(r"(?:^|[.!?;\n])\s*([^.!?;\n]{4,160})\?+\s*$")
_NEED = caseless(
    r"(?:^|[.!?;\n])\s*((?:(?:please|pls) )?(?:give|donate|bring|collect|get|need) [^.!?;\n]{3,60})[!.]+\s*$"
)
"""What is to be done at the place named next: "Give blood! They take it at ..."."""
_ASKS_TO_KNOW = caseless(
    r"\b(?:any(?:one|body) (?:know|knows|else|hear|heard|seen)|do(?:es)? (?:you|any|we|they)"
    r"|is (?:it|there|that|this|the)|are (?:they|there|the)"
    r"|where|what|when|why|how|who|whose|which|true|heard|really|seriously)\b",
)
_ADDRESSED = caseless(
    r"\b(?:any(?:one|body)|every(?:one|body)|those|people|persons|residents|families|relatives|witnesses|motorists"
    r"|drivers|parents|passengers|volunteers|donors|if you|who(?:ever)?)\b",
)
_SAW = caseless(r"\bwho (?:may have |also )?(?:saw|seen|witnessed|was there|were there|filmed)\b")
_KEPT_OUT = caseless(
    r"\b(?:who (?:can ?not|can['’]?t|could(?: not|n.?t)|are (?:not able|unable) to|may not)|(?:un|not )able to)"
    r" (?:yet )?(?:get|go|return|stay|live|sleep|remain)(?: back| in(?:to)?| to| at)?(?= (?:their|your|the|home)\b)?"
)
"""Who is told to go elsewhere, which is no denial."""
_REQUEST = caseless(
    r"\s*[,:–—-]?\s*(?:please|kindly|pls|plz)\s+(?:do\s+)?(?:come|go|head|report|register|call in|proceed|drive|walk"
    r"|make (?:your|their) way|present yourselves?|contact|visit)\b[^.!?;\n]{3,160}",
)


def told_site(
    content: str, span: tuple[int, int], home: frozenset[str], hazard: frozenset[str], *, denial: bool = False
) -> Site | None:
    """The place that a clause of a report gives for a service; of a denial, one that it corrects or takes back."""
    text = content[span[0] : span[1]]
    kept_out = _KEPT_OUT.sub("who left", text)
    if kept_out != text:
        text, denial = kept_out, False
    if denial:
        return site(text, home, hazard) if corrects(text) else absent(text, home, hazard)
    request = _REQUEST.match(content, span[1]) if content[span[1] : span[1] + 1] in {",", " ", ":", "-"} else None
    if request and _ADDRESSED.search(text):
        about = f"witnesses {text}" if _SAW.search(text) else text
        asked = site(request[0].strip(" ,:–—-"), home, hazard, about)
        if asked:
            return asked
    return site(text, home, hazard, _asked(content[max(0, span[0] - _WITHIN) : span[0]]))


def _asked(before: str) -> str:
    """The question or request before a clause, if it names a need and does not ask to know something; else ""."""
    need = _NEED.search(before)
    if need:
        return need[1]
    if "?" not in before:
        return ""
    question = _QUESTION.search(before)
    return question[1] if question and not _ASKS_TO_KNOW.search(question[1]) else ""
