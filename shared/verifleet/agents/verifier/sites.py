"""Where a service is given: the place that a statement names for it, and whether two statements name one place.

No kinds of service or of building are decisive here: of two statements that speak of one service (see `services`) and
each name a place for it, either both name the same, or one contradicts the other. `placing` says what follows from that
for a claim; `venues` reads the few functions that are told by fixed wordings.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import lru_cache

from verifleet.agents.caseless import caseless
from verifleet.agents.verifier.named_places import OFF_TO, Token, cued, is_there, names_in, tokens_of
from verifleet.agents.verifier.place_names import ENDINGS, NOUNS, Name, Relation, relation
from verifleet.agents.verifier.services import Service, service
from verifleet.agents.verifier.wording import body

MAX_SITES = 6
MAX_TEXT = 1000

_SEVERAL = caseless(
    r"\b(?:second|third|fourth|another|additional|further|more|other|several|various|multiple|two|three|four|five|many"
    r"|different|extra|numerous|every|all)\s+(?:\w+\s+){0,2}(?:shelters?|cent(?:re|er)s?|points?|sites?|hubs?|places?|stations"
    r"|locations|hospitals|schools|venues|churches|desks?|camps|posts|clinics|halls)\b"
    r"|\b(?:shelters|hospitals|locations|cent(?:re|er)s|hubs|sites|points|camps|clinics|posts|venues|stations)\b"
    r"|\b(?:another|others?|additional|further|also|as well|too|including|such as|among (?:them|others)"
    r"|one of(?! (?:them|us)\b))\b",
)
_NOT_THERE = caseless(r"\b(?:no longer|not|never|isn['’]?t|aren['’]?t|wasn['’]?t|weren['’]?t)\b(?! (?:far|only|just))")
_PART = caseless(
    r"\b(?:some|several|few|many|most|part|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\d+)\s+(?:of\s+)?"
    r"(?:the\s+|our\s+)?(?:\w+\s+){0,2}(?:patients?|injured|wounded|casualties|casualty|people|persons?|victims?|passengers?"
    r"|survivors?|workers?|children|pupils|students|bodies|animals|dogs|horses|men|women|firefighters|officers)\b"
    r"|\bsome\b|\bamong them\b",
)
_WHOLE = caseless(r"\b(?:all|every|everyone|everybody|only|sole|solely|exclusively|single|entire|each)\b")
_SCRAPE = re.compile(r"https?://\S+|[@#](?=\w)")


@dataclass(frozen=True, slots=True)
class Site:
    """A service and the places named for it.

    Attributes:
        service: what is done there.
        names: the places, in order.
        several: it is one of several by its own account, so that another place contradicts nothing.
        part: it tells of some of those concerned, as of some of the injured.
        whole: it tells of all of them, or of the only such place.
        carried: the place stands in another clause of the report ("180 registered there").
        absent: it says that the service is not there: "Rosa Hall is not a shelter".
    """

    service: Service
    names: tuple[Name, ...]
    several: bool = False
    part: bool = False
    whole: bool = False
    carried: bool = False
    absent: bool = False

    def place_of(self, other: Site) -> Relation:
        """Whether this and the other name one place, two places, or may mean either."""
        route = "diversion" in self.service.topics & other.service.topics
        mine_named, theirs_named = (self.names, other.names) if route else (_buildings(self), _buildings(other))
        related = [[relation(mine, theirs, route=route) for theirs in theirs_named] for mine in mine_named]
        pairs = [each for row in related for each in row]
        mine = [row for row in related if set(row) == {"other"}]
        theirs = [column for column in zip(*related, strict=True) if set(column) == {"other"}]
        if all(pair == "other" for pair in pairs):
            return "other"
        if mine and theirs:
            return "other" if len(mine) == len(theirs) == 1 else "open"  # both name the scene besides
        return "same" if "same" in pairs else "open"

    @property
    def built(self) -> bool:
        """Whether a building or a ground is named, and not only an area."""
        return any(word in NOUNS or word.endswith(ENDINGS) for name in self.names for word in name.words)

    @property
    def sure(self) -> bool:
        """Whether it is a building's or a ground's name, or one of several words: "Gelora Bung Karno", not "Delmen"."""
        return self.built or any(name.proper for name in self.names)

    @property
    def firm(self) -> bool:
        """Whether a known service is put into a building or on a ground."""
        return self.built and self.service.telling

    @property
    def named(self) -> str:
        """The places, for a person to read."""
        return ", ".join(" ".join(name.words) for name in self.names)


def _buildings(site: Site) -> tuple[Name, ...]:
    """The names of a site without the street that a named building has beside it: "on Main"."""
    if len(site.names) == 1:
        return site.names
    return tuple(name for name in site.names if not (name.address or name.vague)) or site.names


def site_text(site: Site) -> str:
    """The site as one line for the Store: its parts are words, so that blanks and bars tell them apart."""
    done = site.service
    kept = (site.several, site.part, site.whole, site.carried, site.absent)
    flags = (done.directive, done.eventful, done.standing, done.scene, done.here, *kept)
    parts = [" ".join(sorted(words)) for words in (done.topics, done.modes, done.words, done.facilities)]
    parts.append("".join(str(int(flag)) for flag in flags))
    for name in site.names:
        parts += [" ".join(name.words), " ".join(sorted(name.home)), str(int(name.proper))]
    return "|".join(parts)


@lru_cache(maxsize=8192)
def site_from(line: str) -> Site:
    """A site from its line; the memory is read over and over."""
    parts = line.split("|")
    flags = [flag == "1" for flag in parts[4]]
    several, part, whole, carried, absent = flags[5:]
    topics, modes, words, facilities = (frozenset(words.split()) for words in parts[:4])
    names = tuple(
        Name(tuple(parts[at].split()), frozenset(parts[at + 1].split()), parts[at + 2] == "1")
        for at in range(5, len(parts), 3)
    )
    done = Service(topics, modes, words, facilities, *flags[:5])
    return Site(done, names, several, part, whole, carried, absent)


_CONTRASTED = caseless(
    r"(?:,| and| -| –| —| \() ?not (?:at|in|on|from)\b[^.,;!?]{1,80}|\bnot (?:at|in|on|from)\b[^.,;!?]{1,80},? but\b",
)
"""The place that a service is not at, beside the one that it is at: "at Rosa Hall, not at the library"."""
_NOT_IT = re.compile(
    r"(?:^|[,;.(–—])\s*[^,;.(–—]{2,60}?\s(?:isn['’]?t|is not|ain['’]?t|is no longer)"
    r" (?:it|the (?:right )?(?:one|place))\b"
    r"|,(?: and)? (?:not|NOT)(?: the| at| in| on| from)?"
    r" (?:[A-Z][\w'’.-]*(?: [\w'’.-]+){0,4}|downtown|uptown|there|here)(?=\s*(?:$|[.,;!?)]))"
    r"|(?<!\bis)(?<!\bare)(?<!\bwas)(?<!\bwere)(?<!\bwhy)(?<!['’]s)(?<!['’]re) not (?:at |in )?(?:the [\w'’-]|[A-Z])"
    r"[\w'’ -]{2,40}$"
    r"|(?:^|[.,;!?]\s*)(?:[Dd]on['’]?t|[Dd]o not|[Nn]o need to) (?:go|drive|head|come|walk)"
    r" (?:to|for) [^,;.!?]{2,40}[,;.!?]"
)
"""The same in words of its own: "the library isn't it"."""


_NEGATED = ("not", "NOT", "n't", "n’t", "ont ", "o need", "no longer")


def corrects(text: str) -> bool:
    """Whether a text names the right place of something beside one that is not."""
    return _NOT_IT.search(text) is not None


def site(
    text: str,
    home: frozenset[str] = frozenset(),
    hazard: frozenset[str] = frozenset(),
    asked: str = "",
) -> Site | None:
    """The place that a statement gives for a service, if it does.

    Args:
        text: one sentence or clause of a report.
        home: the folded words of the incident's own location, which is no such place.
        hazard: the words of the incident's kind ("flood"): what they stand in is no such place, either.
        asked: what stands beside it and says for whom or for what, but not where: "Need a bed?".
    """
    text, tokens = _read(text[:MAX_TEXT])
    found = names_in(tokens, home, hazard)
    if not found:
        return None
    inside = {index for start, end, _ in found for index in range(start, end)}
    # They are sent "off to" a place.
    inside |= {
        start - 2 for start, _, _ in found if start > 1 and [t.folded for t in tokens[start - 2 : start]] == OFF_TO
    }
    inside |= _speakers(tokens)
    rest = frozenset(token.folded for index, token in enumerate(tokens) if index not in inside)
    done = service(rest, home | hazard, frozenset(token.folded for token in tokens_of(asked)) if asked else frozenset())
    if done is None:
        return None
    if not done.scene and any(is_there(tokens, start) for start, _, _ in found):
        done = replace(done, here=True)
    names = tuple(dict.fromkeys(name for _, _, name in found))[:MAX_SITES]
    whole = bool(_WHOLE.search(text))
    return Site(done, names, bool(_SEVERAL.search(text)), not whole and bool(_PART.search(text)), whole)


_AGENCIES = frozenset(
    "service services department dept brigade bureau marshal authority agency police ministry council commission "
    "directorate governorate prefecture governorship radio news television tv newsroom bulletin division".split()
)


def _speakers(tokens: list[Token]) -> set[int]:
    """Where bodies and newsrooms are named: the fire of a "County Fire Marshal" does not burn."""
    runs: list[list[int]] = [[]]
    for index, token in enumerate(tokens):
        if token.after_break or not token.capital:
            runs.append([])
        if token.capital and not token.text[0].isdigit():
            runs[-1].append(index)
    named = (run for run in runs if len(run) > 1 and any(tokens[at].folded in _AGENCIES for at in run))
    return {index for run in named for index in run}


@lru_cache(maxsize=1024)
def _read(text: str) -> tuple[str, list[Token]]:
    """A text without the place that it says something is not at, and its words; none where it only says that.

    Done once for the clauses of a report, which are looked at as claims and as statements.
    """
    text = _CONTRASTED.sub("", _SCRAPE.sub(" ", body(text)))
    if any(mark in text for mark in _NEGATED):
        text = _NOT_IT.sub("", text)
    return text, [] if _NOT_THERE.search(text) else tokens_of(text)


def absent(text: str, home: frozenset[str] = frozenset(), hazard: frozenset[str] = frozenset()) -> Site | None:
    """The place of which a statement says that a service is not there."""
    found = _NO_SERVICE.search(text[:MAX_TEXT])
    if found is None:
        return None
    parts = found.groupdict("")
    where, what = tokens_of(body(parts["place"] or parts["at"])), tokens_of(parts["what"] or parts["kind"])
    named = cued(where, home, hazard, lambda tokens, index: index if index == 0 else None)
    done = service(frozenset(token.folded for token in what), home | hazard)
    if not named or done is None or not done.topics:
        return None
    return Site(done, tuple(name for _, _, name in named), absent=True)


_NO_SERVICE = caseless(
    r"(?P<place>[^,.;:!?]{3,60}?) (?:is|was|has|are)(?:n['’]?t| not| no longer)"
    r"(?: been| being| currently| yet| now){0,2}"
    r"(?: (?:used|in use|open|opened|set up|operating|serving|acting|working|designated|available|functioning) as)?"
    r" (?:an?|the|our|any|one of (?:the|our)) (?P<what>[^,.;:!?]{4,60})"
    r"|\b(?:there (?:is|are|was)|we have|(?:has|have) (?:set up|opened)) (?:currently )?no (?P<kind>(?:\w+ ){0,3}?"
    r"(?:shelters?|cent(?:re|er)s?|points?|desks?|hubs?|camps?|kitchens?|clinics?|posts?)) (?:open |running |set up )?"
    r"(?:at|in|inside|on) (?:the )?(?P<at>[^,.;:!?]{3,60})",
)


def carried(named: Site, text: str) -> Site:
    """The site that another clause of a report named, as that of a clause that counts those there."""
    own = service(frozenset(token.folded for token in tokens_of(text[:MAX_TEXT])), frozenset())
    return replace(named, service=named.service.with_words_of(own) if own else named.service, carried=True)
