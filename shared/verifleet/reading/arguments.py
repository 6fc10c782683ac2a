"""Who does what to whom: the arguments of a verb, by where they stand around it.

"A wrote X", "X was written by A", "X, written by A", "it was A who wrote X", "A, a friend of B, wrote X", "B asked A to
write X", "the X that A wrote": each has a deed with an agent and what it is done to. A short list of words that are no
part of a thing tells where one ends; whether a word is a verb is told from outside. Each step looks a few words far.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Container, Iterator, Mapping, Sequence
from typing import NamedTuple

from verifleet.reading.document import Word

Part = tuple[int, int]
TURNED, EXCLUDED = "turned", "excluded"
_BE = frozenset("is are was were be been being isnt wasnt got gets s".split())
_HAVE = frozenset("has have had having do does did will to".split())
UNREAL = frozenset("may might could would should must cannot cant not never neither didnt wasnt werent isnt".split())
UNREAL |= frozenset("hasnt hadnt havent doesnt dont couldnt wouldnt".split())
_ADVERBS = frozenset("later then also once first 1th ever eventually himself herself itself themselves".split())
_ADVERBS |= frozenset("only just even still already often not soon actually really finally now again".split())
_NEARLY = frozenset("nearly almost practically virtually".split())
_TRYING = frozenset(
    "fail failed fails failing try tried tries trying attempt attempted attempts refuse refused refuses decline "
    "declined unable expected hope hoped hoping want wanted wants wish wished plan planned intend intended threaten "
    "threatened claim claimed claims vow vowed vows swore swear promised offered supposed meant due set about failure "
    "attempting aimed sought seek dreamed powerless reluctant unwilling forgot neglected struggled".split()
)
_MANAGING = frozenset(
    "manage managed manages proceed proceeded come came comes help helped helping happened able".split()
)
HAVING_IT_DONE = frozenset("pay paid paying hire hired commission commissioned get got force forced make made".split())
HAVING_IT_DONE |= frozenset("persuade persuaded employ employed engage engaged lead led cause caused".split())
_ASKING = frozenset("ask asked asking invite invited order ordered choose chose chosen appoint appointed".split())
_ASKING |= frozenset("urge urged inspire inspired enable enabled allow allowed".split())
_OTHER_ROUNDS = frozenset("semi quarter first second third 1th 2th 3th previous next last earlier later".split())
_RELATIVE = frozenset("who which that whom whose".split())
_JOINTS = frozenset("and but or".split())
_PREPOSITIONS = frozenset("in on at by from for with during since until as into per via to within among of".split())
_PREPOSITIONS |= frozenset("across about after before against behind beside between over under near than like".split())
_BOUNDS = frozenset("while when where because although though if so yet used using".split())
_BOUNDS |= _PREPOSITIONS | _JOINTS | _RELATIVE
_OUTSIDE = _BOUNDS - {"of"}  # "Ana Lindt of Norland won": what a thing is of is part of it
_ARTICLES = frozenset("a an the his her its their".split())
_APPOSED = _ARTICLES | _RELATIVE | frozenset("born then known called one himself herself".split())
_USES = frozenset("for on as could can would to".split())
_BREAKS = re.compile(r"[^\s\w\"'“”‘’«»*_`-]|\n|\s-\s")
_POSSESSIVE = frozenset("his her its their whose".split())
_QUALIFYING = frozenset("only eldest oldest elder younger youngest 1th 2th 3th own real true biological".split())
_QUALIFYING |= frozenset("immediate direct famous beloved natural birth legitimate illegitimate late great".split())
_REACH, _DEPTH, _LONG, _YEAR = 12, 3, 24, 4


class Deed(NamedTuple):
    """A verb with what stands where its arguments do: parts of the text, empty ones where nothing does.

    `near` tells that a relative clause or "to" goes back to the last thing of the agent's part: `a friend of A, who
    wrote`; `unreal` that it is not so, or could, may or should only be, `tried` that it did not come to it: `A failed
    to write`, `A nearly wrote`, `B used A to write`.
    """

    at: int
    agent: Part
    patient: Part
    near: bool = False
    unreal: bool = False
    tried: bool = False
    how: str = ""
    """TURNED for what its converse tells: `A lost to B` of `B beat A`; EXCLUDED for what speaks against it."""
    free: bool = False
    """What a preposition leads may be a part of it: `the son of A`, `lost to A`."""

    def part(self, role: str) -> Part:
        """Where the agent stands, or what it is done to."""
        return self.agent if role == "agent" else self.patient


def deeds(
    words: Sequence[Word], verbs: Sequence[int], start: int, end: int, is_verb: Callable[[int], bool]
) -> Iterator[Deed]:
    """The deeds of the verbs at some places of a sentence."""
    for at in verbs:
        first = _first_of(words, at, start)
        helping = {word.text for word in words[first:at]}
        unreal = not helping.isdisjoint(UNREAL)
        first, led = _led(words, first, start, helping)
        by = _by(words, at, end, is_verb)
        if not helping.isdisjoint(_BE) or (by[0] < by[1] and first == at):
            before = _subject(words, first, start, is_verb) if first < at else _reduced(words, first, start)
            tried = led in _TRYING | _NEARLY
            yield Deed(at, by, before, unreal=unreal or tried, tried=tried)
            yield from _gapped(words, at, by, end, is_verb)
            continue
        subject, behind = _subject(words, first, start, is_verb), _behind(words, at + 1, end, is_verb)
        if behind[0] == behind[1] and subject[0] < subject[1] and subject[0] > start:
            that = subject[0] - 1
            if words[that].text in _RELATIVE:
                behind = _thing_before(words, that, start, is_verb)
        near = subject[1] < at and words[subject[1]].text in _RELATIVE | {"to"}
        directly = near and "to" in helping and words[subject[1]].text == "to" and subject[0] > start
        tried = led in _TRYING | _NEARLY or (directly and words[subject[0] - 1].text not in HAVING_IT_DONE | _ASKING)
        tried = tried or (subject[0] - start < 2 < at - start and words[start].text == "had")  # "Had A written it, ..."
        unreal = unreal or tried or ("to" in helping and led not in _MANAGING and is_verb(first - 1))
        yield Deed(at, subject, behind, near, unreal, tried)


def noun_deeds(
    words: Sequence[Word], nouns: Sequence[int], start: int, end: int, is_verb: Callable[[int], bool]
) -> Iterator[Deed]:
    """`A is B's son`, `A is the son of B`, `B's son is A`, `B's son A`, `A, the son of B`: A is the agent."""
    for at in nouns:
        first = at
        while first > start and not _apart(words, first) and words[first - 1].text in _QUALIFYING:
            first -= 1
        owner, behind = words[max(start, first - 1)], words[min(at + 1, end - 1)]
        if "-" in (words[at].gap, behind.gap):
            continue  # "great-grandson", "son-in-law"
        other, left, right = (at, at), first, at + 1
        if first > start and (
            owner.text in _POSSESSIVE or owner.text != owner.base or words[first].gap in ("' ", "’ ")
        ):
            left = first - 1
            while left > start and not _ends_thing(words, left, is_verb):
                left -= 1
            other = left, first
        elif (behind.text, behind.gap) == ("of", " "):
            other = _behind(words, at + 2, end, is_verb)
            left, right = first - (first > start and owner.text in _ARTICLES), other[1]
        if other[0] < other[1]:
            agent, unreal = _related(words, left, right, start, end, is_verb)
            yield Deed(at, agent, other, unreal=unreal, free=True)


def _related(
    words: Sequence[Word], left: int, right: int, start: int, end: int, is_verb: Callable[[int], bool]
) -> tuple[Part, bool]:
    """The thing of which `B's son` is said, and whether it is denied."""
    last, first = right, left
    if right < end and words[right].capital and words[right].gap == " ":
        while last + 1 < end and words[last + 1].gap == " " and (words[last + 1].capital or words[last + 1].number):
            last += 1
        return (right, last + 1), False  # "B's son A"
    while last < end and not _apart(words, last) and _helps(words, last):
        last += 1
    first = _first_of(words, first, start)
    before, behind = ({word.text for word in words[i:j]} for i, j in ((first, left), (right, last)))
    if not behind.isdisjoint(_BE):
        kind = last < end and words[last].text in ("a", "an")  # "B's son is a painter"
        return (last, last) if kind else _behind(words, last, end, is_verb), not behind.isdisjoint(UNREAL)
    if not before.isdisjoint(_BE):
        agent = _subject(words, first, start, is_verb)
        asks = agent[0] == agent[1] and first == start + 1  # "who is B's son"
        return (start, first) if asks else agent, not before.isdisjoint(UNREAL)
    if left > start and words[left].gap == ", ":
        return _thing_before(words, left, start, is_verb), False
    return (left, left), False


def _ends_thing(words: Sequence[Word], at: int, is_verb: Callable[[int], bool]) -> bool:
    """Whether no word before a place goes on with the thing that begins there."""
    return _apart(words, at) or words[at - 1].text in _BOUNDS | _BE | _HAVE | UNREAL | _ADVERBS or is_verb(at - 1)


def turn(
    words: Sequence[Word], deed: Deed, led: Sequence[str], end: int, is_verb: Callable[[int], bool]
) -> Deed | None:
    """The deed of a converse, as of `lend`: its agent is the patient, or what is `led` by a word behind the verb."""
    patient = deed.patient
    for i in range(deed.at + 1, min(end, deed.at + _REACH) if led else deed.at + 1):
        if words[i].text in led:
            patient = _behind(words, i + 1, end, is_verb)
            break
        if is_verb(i) or not {";", ".", ":", ","}.isdisjoint(words[i].gap):
            return None
    return Deed(deed.at, patient, deed.agent, unreal=deed.unreal, how=TURNED, free=True)


def told_deeds(
    words: Sequence[Word],
    start: int,
    names: Sequence[str],
    is_verb: Callable[[int], bool],
    is_noun: Callable[[int], bool],
    verb: str,
    converses: Mapping[str, str],
    excluding: Mapping[str, str],
) -> Iterator[Deed]:
    """All that the words of a sentence tell of the deed `verb`; each word there has the name of its deed, or none.

    `converses` gives the deeds that have the sides of another one exchanged, with the preposition that leads its agent
    behind a colon: "lose" is "beat:to".
    """
    end = start + len(names)
    for at, name in enumerate(names, start):
        converse, *led = converses.get(name, "").split(":")
        turned, excluded = verb in converse.split(), bool(name) and name == excluding.get(verb)
        if name == verb or turned or excluded:
            read = noun_deeds if is_noun(at) else deeds
            for deed in read(words, [at], start, end, is_verb):
                if not turned or name == verb:
                    yield deed._replace(how=EXCLUDED if excluded else "")
                if turned and (other := turn(words, deed, led, end, is_verb)):
                    yield other


def _apart(words: Sequence[Word], at: int) -> bool:
    initial = at and words[at - 1].capital and len(words[at - 1].text) == 1 and words[at].gap == ". "
    return not initial and _BREAKS.search(words[at].gap) is not None


def _first_of(words: Sequence[Word], at: int, start: int) -> int:
    """Where the words that help what stands at a place begin: "had not been" before "written"."""
    while at > start and not _apart(words, at) and _helps(words, at - 1):
        at -= 1
    return at


def _helps(words: Sequence[Word], at: int) -> bool:
    word = words[at]
    owned = at > 0 and (words[at - 1].text in _ARTICLES or words[at - 1].text != words[at - 1].base)  # "A's bully"
    plain = not word.capital and not word.number and not owned
    return word.text in _BE | _HAVE | UNREAL | _ADVERBS | _NEARLY or (plain and word.text.endswith("ly"))


def _led(words: Sequence[Word], first: int, start: int, helping: Collection[str]) -> tuple[int, str]:
    """Where the subject ends of `A failed to write`, `A was unable to write`, and what leads to the deed there."""
    led = next((word for word in helping if word in _NEARLY), "")
    if "to" not in helping or first == start or _apart(words, first):
        return first, led
    at = next(i for i in range(first, len(words)) if words[i].text == "to")
    if at > first and words[at - 1].text in ("was", "were", "is", "are"):
        return first, "supposed"  # "A was to write"
    led = words[first - 1].text
    if led == "out" and first - 1 > start and words[first - 2].text in ("set", "setting"):
        first, led = first - 1, "tried"
    if led in _TRYING | _MANAGING:
        first = _first_of(words, first - 1, start)
    return first, led


def _thing_before(words: Sequence[Word], end: int, start: int, is_verb: Callable[[int], bool]) -> Part:
    """The thing that ends before a word: back to a mark, a verb or a word that is no part of it."""
    first = end
    while first > start and end - first < _REACH and words[first - 1].text not in _OUTSIDE and not is_verb(first - 1):
        if first < end and _apart(words, first):
            break
        first -= 1
    return first, end


def _subject(words: Sequence[Word], at: int, start: int, is_verb: Callable[[int], bool], depth: int = 0) -> Part:
    """What stands as the subject of the verb whose helpers begin at a word."""
    before = at - 1
    if before < start or depth > _DEPTH:
        return at, at
    if "," in words[at].gap:
        commas = [i for i in range(before, max(start, before - _LONG), -1) if "," in words[i].gap]
        cut = next((i for i in commas if words[i].text in _APPOSED or is_verb(i)), 0)
        return _thing_before(words, cut, start, is_verb) if cut else (at, at)
    if _apart(words, at):
        return at, at
    text = words[before].text
    if text in _RELATIVE:
        return _thing_before(words, before, start, is_verb)
    if text in _JOINTS or text in ("to", "then") or is_verb(before):
        if text == "to" and before > start and not is_verb(before - 1):
            return _thing_before(words, before, start, is_verb)  # "B asked A to write"
        verb = next((i for i in range(before, max(start - 1, before - _LONG), -1) if is_verb(i)), -1)
        first = _first_of(words, verb, start)
        return _subject(words, first, start, is_verb, depth + 1) if verb >= 0 else (at, at)
    return _thing_before(words, at, start, is_verb)


def _reduced(words: Sequence[Word], at: int, start: int) -> Part:
    """The X of `X, written by A` and `the X written by A`."""
    first = at
    while first > start and at - first < _REACH and words[first - 1].text not in _JOINTS | _RELATIVE:
        if first < at and _apart(words, first):
            break
        first -= 1
    return first, at


def _behind(words: Sequence[Word], at: int, end: int, is_verb: Callable[[int], bool]) -> Part:
    """The thing behind a verb."""
    first = at
    while first < end and not _apart(words, first) and words[first].text in _ADVERBS:
        first += 1
    last = first
    while last < end and last - first < _REACH and words[last].text not in _OUTSIDE and not is_verb(last):
        if _apart(words, last):
            break
        last += 1
    return first, last


def _by(words: Sequence[Word], at: int, end: int, is_verb: Callable[[int], bool]) -> Part:
    """The agent behind "by"; empty if the verb has none before another one begins."""
    for i in range(at + 1, min(end, at + _REACH)):
        if words[i].text == "by":
            return _behind(words, i + 1, end, is_verb)
        if is_verb(i) or words[i].text in _RELATIVE | {"and", "but"} or not {";", ".", ":"}.isdisjoint(words[i].gap):
            break
    return 0, 0


def _gapped(words: Sequence[Word], at: int, by: Part, end: int, is_verb: Callable[[int], bool]) -> Iterator[Deed]:
    """`C was beaten by B, and B by A`, `..., B in turn by A`: the verb goes without saying."""
    last = by[1]
    while by[0] < by[1] and last < end:
        first = last + (words[last].text in _JOINTS)
        again = next((i for i in range(first, min(end, first + _REACH)) if words[i].text == "by" or is_verb(i)), end)
        if again >= end or words[again].text != "by":
            return
        agent = _behind(words, again + 1, end, is_verb)
        yield Deed(at, agent, (first, again))
        last = agent[1] if agent[1] > last else end


def is_head(words: Sequence[Word], start: int, end: int, part: Part, near: bool = False, free: bool = False) -> bool:
    """Whether a thing is what a part is about: the A of `the painter A` and `A of Norland`, not of `A's brother`."""
    if (
        start == part[1] + 1 < len(words)
        and part[0] < part[1]
        and (words[part[1]].text, words[part[1]].gap) == ("and", " ")
    ):
        return True  # the B of "A and B"
    if not part[0] <= start < end <= part[1]:
        return False
    if near:
        return end == part[1]
    led = [word.text for word in words[max(0, part[0] - 1) : part[0]] if word.text in _PREPOSITIONS - {"by"}]
    led = [] if free else led
    led += [word.text for word in words[part[0] : start] if word.text == "of"]
    last = words[end - 1]
    return not led and (end == part[1] or (words[end].text == "of" and last.text == last.base))


def is_given(words: Sequence[Word], at: int, deed: Deed) -> bool:
    """The C of `B gave it to C`, where B has a name."""
    first, end = deed.patient
    apart = first == end or end not in (at, at - 1) or any(word.gap != " " for word in words[end : at + 1])
    return not apart and deed.how != TURNED and any(word.capital for word in words[slice(*deed.agent)])


def apposed(words: Sequence[Word], at: int) -> Part:
    """The name behind a comma: `his mother, Ana Lindt`."""
    end = at
    while end < len(words) and words[end].capital and words[end].gap == (" " if end > at else ", "):
        end += 1
    return at, end


def for_another_use(words: Sequence[Word], deed: Deed) -> bool:
    """`A wrote it for the stage`, `A found it could be cleaned`: no more than something done with it."""
    behind = words[deed.patient[1] : deed.patient[1] + 1] if deed.at < deed.patient[0] else ()
    return any(word.gap == " " and word.text in _USES for word in behind)


def elsewhere(words: Sequence[Word], deed: Deed, start: int, end: int, years: Container[str], last: str) -> bool:
    """`A beat B in 2009` where another year is asked for, `A beat B in the semi-final` where the final is.

    `last` is the noun of what was asked for, the final; `start` and `end` those of the sentence.
    """
    at = max(deed.at + 1, deed.agent[1], deed.patient[1])
    first = min(deed.at, *(part[0] for part in (deed.agent, deed.patient) if part[0] < part[1]))
    lead = [i for i in range(max(start, first - _DEPTH), first) if words[i].text == "in"]
    stop = next((i for i in range(at, end) if ";" in words[i].gap), end)
    for i in (at, *lead[:1]):
        led = words[i : min(end, i + _DEPTH + 1)]
        if not led or led[0].text not in ("in", "at") or (i == at and led[0].gap.strip(" ,")):
            continue
        year = led[1].text if len(led) > 1 and led[1].number and len(led[1].text) == _YEAR else ""
        if years and year and not any(word.text in years for word in words[start:stop]):
            return True
        inside = [word.text for word in led[1:] if word.text not in _ARTICLES and not word.number]
        if last and (inside[:1] == [f"semi-{last}"] or (inside[1:2] == [last] and inside[0] in _OTHER_ROUNDS)):
            return True
    return False
