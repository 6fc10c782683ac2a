"""Subjects: what a sentence is about, so that two which say different things of one thing are told from others.

An authority often answers a rumour by saying how things stand with what it is about, in words that nobody can foresee:
"the paintings had been taken upstairs and are dry".
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from verifleet.agents.caseless import caseless
from verifleet.agents.verifier.wording import CONCEPTS, GENERIC, body, stem, words

_VERB = caseless(
    r"\b(?:is|are|am|was|were|be|been|has|have|had|do|does|did|will|would|can|cannot|could|may|might|must|shall"
    r"|should|gonna"
    r"|going|\w+n['’]t|(?:do|does|did|is|was|wo|ca|would|could|has|have)nt|[a-z]+['’](?:ve|re|ll|d)|(?!(?:red"
    r"|bed|shed|seed|hundred|united|sacred|watershed|sled)\b)[a-z]{2,}ed"
    r"|gave|fell|broke|blew|lost|took|went|came|got|found|ran|left|sank|burst|cut|shut|hit|stood|stands?|lies"
    r"|lay|sits?|sat|hangs?"
    r"|held|holds?|keeps?|kept|stays?|remains?|shows?|reads?|belongs?|says?|said|runs?|works?|goes|comes|gets|looks?"
    r"|leaks?|burns?|burnt|shot|stole|swept|tore|threw|split|sent|sold|set|made|makes|quit|fled|flew|drove|rose"
    r"|spread|started"
    r"|moves|opens|closes|starts|ends|needs|wants|takes|gives|turns|leaves|falls|breaks|bursts|blows|reopens|returns"
    r"|skips|serves|uses|carries|crosses|passes|begins|continues|drives|sends|brings|lets|puts|finds|meets|happens)\b",
)
_NO_NOUN = caseless(
    r"^\W*(?:(?:there|here)\b(?: (?:is|are|was|were|has been|have been)\b)?|they(?:['’]ve|['’]re)?\b(?: \w+)?)"
)
_LEAD = caseless(
    r"^\W*(?:(?:it (?:is|['’]s|was) (?:\w+ )?(?:false|untrue|wrong|nonsense"
    r"|not (?:true|correct|so|the case)) (?:to say )?"
    r"|(?:there (?:is|was) )?no (?:truth|substance|basis) (?:\w+ ){0,6}?"
    r"|(?:\w+ ){0,4}?(?:claims?|reports?|rumou?rs?|posts?|messages?|stor(?:y|ies)|talk"
    r"|suggestions?) (?:\w+ ){0,4}?)that\b\W*"
    r"|(?:so|well|omg|breaking|urgent|warning|psa|heads up|apparently|rumou?r|now|just|and|but|also"
    r"|please|attention"
    r"|it turns out|turns out|word is|they say|people say|i heard|heard|hearing|someone said"
    r"|my \w+(?: \w+){0,4}? (?:says|said|swears|told me))"
    r"\b\W*(?:that\b\W*)?){1,3}"
)
_OF_TELLING = frozenset(
    stem(word)
    for word in "upstream downstream uphill downhill nearby upstairs downstairs "
    "engineer engineers inspector inspectors diver divers officer officers official officials investigator "
    "investigators expert experts team teams crew crews firefighter firefighters police staff worker workers resident "
    "residents people person nobody everybody everyone anybody someone spokesman spokesperson authority authorities "
    "service services department office council city town county state report reports rumour rumours claim claims "
    "record records check checks inspection survey surveyors record video photo picture family families volunteer "
    "volunteers rescuer rescuers emergency situation incident scene area number total toll count figure figures "
    "today tonight morning evening afternoon night day week hour case cases part parts side every each both all none "
    "first last another second third other others same whole entire new old big huge thing things man woman men women "
    "child children kid kids two three four five six seven eight nine ten eleven twelve victim victims death "
    "deaths body bodies dozen hundred thousand statement message".split()
)
"""Who tells or acts in any incident, and words of counting: two sentences about them may be about anything."""


_BEHIND = caseless(
    r"\b(?:at|in|on|near|over|from|by|with|for|to|along|behind|under|inside|outside|around|beside|between"
    r"|opposite|past|next|across|above|below|off|into|through|against|during|after|before|since|who|which)\b"
)


@dataclass(frozen=True, slots=True)
class Subject:
    """What a sentence is about: its head noun ("roof") and the words with it ("coliseum"), as concepts."""

    head: str
    others: frozenset[str]

    def same_as(self, other: Subject, places: frozenset[str] = frozenset()) -> bool:
        """Whether two sentences may be about one thing: each names the other's head, and no other one of the kind.

        `places` are words that name where both are.
        """
        mine, theirs = self.others | {self.head}, other.others | {other.head}
        if not self.head or self.head not in theirs or other.head not in mine:
            return False
        apart = self.others - {other.head} - places, other.others - {self.head} - places
        return not (apart[0] and apart[1] and apart[0].isdisjoint(apart[1]))


@lru_cache(maxsize=4096)
def subject(text: str) -> Subject:
    """What a sentence is about: its words in front of the verb, or, of "there is", those behind it."""
    told = _LEAD.sub("", _SENDER.sub("", body(text[:300])).lstrip())
    bare = _NO_NOUN.match(told)
    if bare:
        told = _MARK.split(told[bare.end() :], maxsplit=1)[0]
    else:
        verb = _VERB.search(told, 1)
        told = told[: verb.start()] if verb else _MARK.split(told, maxsplit=1)[0]
    thing, _, whole = _BEHIND.re.split(told, maxsplit=1)[0].partition(" of ")
    named, more = _nouns(thing), _nouns(whole)
    if not named:
        named, more = more, []
    return Subject(named[-1], frozenset([*named[:-1], *more])) if named else Subject("", frozenset())


def tells(text: str) -> bool:
    """Whether a text has a verb, so that it says something of its subject."""
    return _VERB.search(text[:300]) is not None


_SENDER = re.compile(r"^[A-Z][^.:;!?]{1,80}: (?=\S)")
_MARK = re.compile(r"[,.;:!?]")


def _nouns(text: str) -> list[str]:
    told = [word for word in words(text) if word not in GENERIC and (len(word) > 2 or word.isdigit())]
    return [
        CONCEPTS.get(word) or CONCEPTS.get(stem(word)) or stem(word) for word in told if stem(word) not in _OF_TELLING
    ]
