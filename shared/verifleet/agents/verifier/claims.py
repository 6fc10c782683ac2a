"""Checkable statements in a report: what is said, how it is said, and how much it is worth checking."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise
from typing import Literal

from verifleet import envelopes
from verifleet.agents.caseless import caseless
from verifleet.agents.count_words import CLASSES
from verifleet.agents.quantities import Quantity, extract_quantities
from verifleet.agents.text import Span, sentences, statement, trimmed
from verifleet.agents.verifier import checkworthiness as scoring
from verifleet.agents.verifier import idle, manner, quoted
from verifleet.agents.verifier.counts import counts_of
from verifleet.agents.verifier.sites import site
from verifleet.agents.verifier.wording import CRY

CHECKWORTHY_FROM = 0.5
MAX_CLAIMS = 64
MAX_CONTENT = 32_768
"""Characters of a report that are looked at."""
LONGEST_CLAUSE = 300
"""Characters beside a joint that are looked at to tell whether both sides stand alone."""
SHORT_REPORT = 400
"""Up to this length the whole report is scored as well as its sentences."""

Kind = Literal["factual", "quantity", "entity", "causal", "status"]
Modality = manner.Modality
checkworthiness = scoring.checkworthiness


@dataclass(frozen=True, slots=True)
class ExtractedClaim:
    """One checkable statement.

    Attributes:
        text: the sentence or clause as it stands in the report.
        source: the report's source class.
        span: [start, end) in characters of the report's content.
        kind: quantity (counts or measures something), causal (says what caused what), status (what state something
            is in: closed, open, evacuated), entity (names who or where), factual (any other checkable statement).
        checkworthiness: 0..1; a claim has at least CHECKWORTHY_FROM.
        negated: the statement says that something is not so ("the bridge is not closed").
        modality: asserted, possible ("may have", "feared"), predicted ("is about to", "will").
        hearsay: told by others ("hearing that", "people say", "reportedly", unconfirmed), or posted by anybody in the
            manner of a rumour ("share before they delete it", "they are hiding it").
        attribution: who is said to have said it ("Civil Protection Agency"), or None.
        denies: the text of the statement that this one calls false ("a tsunami is about to hit the coast"), or None.
            Set for direct denials ("denied claims that X", "reports that X are false") and indirect ones ("no X was
            found", "the dam has not burst": the dam has burst; "nothing of the kind was found": "" stands for
            whatever was rumoured).
        update: the statement brings an earlier figure up to date ("rises to six", "as of 14:00", "now").
        quantities: the quantities in it, spans relative to the report's content.
        moot: it takes a story back, or says what would be or was in another year: it is no evidence on what is so.
    """

    text: str
    source: str
    span: Span
    kind: Kind
    checkworthiness: float
    negated: bool
    modality: Modality
    hearsay: bool
    attribution: str | None
    denies: str | None
    update: bool
    quantities: tuple[Quantity, ...]
    moot: bool = False

    def made_moot(self) -> ExtractedClaim:
        """The claim as one that says nothing of what is so."""
        return replace(self, moot=True, quantities=())

    def as_claim(self) -> envelopes.Claim:
        """The claim as envelopes carry it; negation, modality, hearsay, denial and quantities ride as extra fields."""
        return envelopes.Claim.model_validate(
            {
                **{name: getattr(self, name) for name in _CARRIED},
                "checkworthiness": round(self.checkworthiness, 4),
                "quantities": [{name: getattr(q, name) for name in Quantity.__slots__} for q in self.quantities],
            }
        )


_CARRIED = ("text", "source", "span", "kind", "negated", "modality", "hearsay", "attribution", "denies", "update")


def extract_claims(
    content: str,
    *,
    source: str,
    least: float = CHECKWORTHY_FROM,
    told: bool = False,
    warned: bool = False,
    place: str = "",
) -> list[ExtractedClaim]:
    """The checkable statements of `content`, in order; at most MAX_CLAIMS.

    `least` is the checkworthiness that a claim needs; below CHECKWORTHY_FROM, what expresses a feeling or a wish, asks,
    commands or sells is left out all the same. With `told`, what
    somebody saw or heard of an incident is not left out for being told in the first person; with `warned`, neither is
    what tells people what to do, or how things stand. The words of `place` express nothing: nobody is sad in Novi Sad.
    """
    content = content[:MAX_CONTENT]
    read = _without_name(content, place) if place else content
    said = sentences(content)
    stood, own = _stood_for(content, said) if source in _ANYBODY else (said, _NONE)
    wrong = _called_wrong(content, said)
    clauses = [
        clause
        for span in stood
        for clause in _clauses(content, span, source in _ANYBODY)
        if _says_something(content, clause)
    ]
    scored = _scored(_without_cries(read, said), clauses, _PRIOR.get(source, 0.0), least, told, warned, own)
    if source in _ANYBODY:
        scored = _without_idle(read, scored, clauses)
    else:
        scored = [item for item in scored if not idle.is_fragment(content[slice(*item[0])])]
    if len(scored) > MAX_CLAIMS:
        kept = sorted(sorted(scored, key=lambda item: -item[1])[:MAX_CLAIMS])
        scored = kept
    alarmist = source in _ANYBODY and manner.is_alarmist(content[:SHORT_REPORT])
    found = [_claim(content, span, score, source, alarmist, own) for span, score in scored]
    return [claim.made_moot() if wrong and _within(claim.span, wrong) else claim for claim in found]


def misread_name(place: str) -> str:
    """Of a place with a word in its name that says something elsewhere (Novi Sad, Deal, Best), that name; else ""."""
    words = scoring.tokens(scoring.plain(place[:LONGEST_HEADLINE]))
    seen = scoring.observations("", words)
    return place.split(",", 1)[0] if not _MISREAD_IN_NAMES.isdisjoint(seen) else ""


def _without_name(content: str, place: str) -> str:
    """A text of the same length in which the name of a place is one of no meaning."""
    name = re.compile(rf"\b{re.escape(place)}\b", re.IGNORECASE)
    return name.sub(lambda match: _LETTER.sub(lambda letter: "X" if letter[0].isupper() else "x", match[0]), content)


_LETTER = re.compile(r"[^\W\d_]")
_MISREAD_IN_NAMES = frozenset({"accusation", "advert", "feeling", "courtesy", "opinion"})
_ANYBODY = frozenset({"twitter", "social", "other"})
_NONE: frozenset[int] = frozenset()


def _called_wrong(content: str, said: list[Span]) -> list[Span]:
    """The sentences that the next one calls wrong: "We reported ten dead; this was wrong"."""
    return [span for span, after in pairwise(said) if quoted.calls_wrong(content[slice(*after)])]


def _within(span: Span, spans: Sequence[Span]) -> bool:
    return any(first <= span[0] and span[1] <= last for first, last in spans)


def _stood_for(content: str, said: list[Span]) -> tuple[list[Span], frozenset[int]]:
    """The sentences of a post without those that it mocks; of those that quote others only its own words.

    With them where such own words begin.
    """
    kept: list[Span] = []
    begin: set[int] = set()
    before, mocked = 0, False
    for start, end in said:
        scorn = quoted.is_scorn(content[start:end])
        begins = quoted.scorned(content[start:end])
        if (scorn or begins is not None) and said[0] != (start, end):
            kept = [span for span in kept if span[0] < before]  # the sentence that is mocked
            mocked = True
        own = [] if scorn else quoted.own_words(content, start + (begins or 0), end)
        begin.update(at for at, _ in own if at > start or mocked)
        kept += own
        before, mocked = start, scorn
    return kept, frozenset(begin)


_PRIOR = {"emergency": 1.0, "official": 1.0, "sensor": 1.5}
"""Log-odds added by source: such bodies state facts where others chat, so that "Main Street is open" is a claim."""


def _without_cries(content: str, said: Sequence[Span]) -> str:
    """The report with its cries ended as statements: "300 hurt in Lyon??" asks nothing."""
    for start, end in said if "?" in content else ():
        if idle.is_cried(content[start:end]):
            content = content[:start] + idle.without_cries(content[start:end]) + content[end:]
    return content


def _without_idle(content: str, scored: list[tuple[Span, float]], clauses: list[Span]) -> list[tuple[Span, float]]:
    """The claims of a post without what only asks, and without what tells nothing beside them.

    Where that leaves none, what else the post states takes its place: of "It was a gas bottle, I saw it. Porto blast"
    not the name that it closes with.
    """
    scored = [item for item in scored if not idle.is_question(content[slice(*item[0])])]
    kept = [item for item in scored if not _is_idle(content[slice(*item[0])])]
    if kept or not scored:
        return kept
    best = max(score for _, score in scored)
    stated = [(span, best) for span in clauses if _is_told(content[slice(*span)])]
    return stated or scored


def _is_told(text: str) -> bool:
    return idle.has_verb(text) and not (_is_idle(text) or idle.is_call(text) or idle.is_wish(text) or "?" in text)


def _is_idle(text: str) -> bool:
    return idle.is_idle(text) and not (idle.is_call(text) and _gives_place(text, (0, len(text))))


def _scored(
    content: str,
    clauses: list[Span],
    prior: float,
    least: float,
    told: bool,
    warned: bool = False,
    own: frozenset[int] = _NONE,
) -> list[tuple[Span, float]]:
    """The clauses that are worth checking.

    In a short report its whole text counts too: a label, a link or a prayer beside a sentence tells what kind of
    report it is. What a report calls false is always worth checking.
    """
    score_of = cache(scoring.checkworthiness)  # a short report is often one sentence without marks around it
    scores = [_clause_score(content, span, score_of) for span in clauses]
    if told:
        scores = [
            max(score, score_of(_told(content[slice(*span)]))) for score, span in zip(scores, clauses, strict=True)
        ]
    if clauses and len(content) <= SHORT_REPORT:
        cut = any(_TAIL.search(content, *span) or _ADDRESSED.match(content, *span) for span in sentences(content))
        whole = score_of(". ".join(content[slice(*span)] for span in clauses) if cut else content)
        best = max(range(len(clauses)), key=lambda index: scores[index])
        scores = [
            score
            if content[end - 1] == "?"  # what is asked is no clearer for the answer beside it
            else max(whole, score)
            if index == best
            else _between(whole, score)
            for index, (score, (_, end)) in enumerate(zip(scores, clauses, strict=True))
        ]
    scores = [
        CHECKWORTHY_FROM
        if score < CHECKWORTHY_FROM
        and (
            _gives_place(content, span)
            or _gives_number(content[slice(*span)])
            or _counts_losses(content[slice(*span)])
            or (span[0] in own and quoted.set_against(content, *span) is not None)
        )
        else score
        for span, score in zip(clauses, scores, strict=True)
    ]
    final = [_with_prior(content[slice(*span)], score, prior) for span, score in zip(clauses, scores, strict=True)]
    return [
        (span, score)
        for span, score in zip(clauses, final, strict=True)
        if not (prior == 0.0 and _sells(content[slice(*span)]))
        and (score >= CHECKWORTHY_FROM or (score >= least and _states(content[slice(*span)], told, warned)))
    ]


def _gives_place(content: str, span: Span) -> bool:
    """Whether a clause tells where people are sent, or where something is given or done for them."""
    if _SENDS_TO.search(content, *span) is not None:
        return True
    text = content[slice(*span)]
    if "?" in text or len(text) > LONGEST_CLAUSE or idle.is_wish(text):
        return False
    given = site(text)
    return given is not None and given.service.telling


def _counts_losses(text: str) -> bool:
    """Whether a headline without a verb says how many things were hit: "60 bridges shut!!", "70 boats sunk"."""
    if len(text) > LONGEST_HEADLINE or "?" in text or not _HEADLINE.match(text) or not _states(text):
        return False
    return any(count.fate and count.kind in HIT for count in counts_of(text, (), frozenset()))


def _gives_number(text: str) -> bool:
    """Whether a clause gives a telephone number for those whom the incident concerns."""
    called = _CALLED.search(text)
    return called is not None and _CONCERNED.search(text, called.end()) is not None and not _sells(text)


def _sells(text: str) -> bool:
    """Whether a clause gives a telephone number for what is sold."""
    return _CALLED.search(text) is not None and _SELLS.search(text) is not None


_CALLED = caseless(r"\b(?:call|ring|phone|dial|contact|text|whatsapp)\b[^.?!]{0,40}?(?<!\w)\+?\d[\d\s()./-]{4,18}\d\b")
_CONCERNED = caseless(
    r"\b(?:relatives?|famil\w+|next of kin|missing|loved ones|casualt\w+|victims?|survivors?|evacuees?|evacuation"
    r"|shelters?|rescue|trapped|stranded|sightings?|witness\w*|help ?line|hot ?line|emergency)\b"
)
_SELLS = caseless(r"\b(?:taxis?|cabs?|pizzas?|prices?|cheap\w*|orders?|deals?|win|offers?|quotes?|bookings?)\b")
LONGEST_HEADLINE = 60
HIT = frozenset(CLASSES.values()) | {"bridge", "road", "roof", "street", "pole", "station"}
_HEADLINE = caseless(
    r"\W*(?:(?:over|about|around|nearly|almost|some|at least|more than|up to) )?(?:\d[\d,.]*k?|\w+(?:teen|ty)(?:-\w+)?"
    r"|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozens of|hundreds of|thousands of"
    r"|(?:one|a|two|three|four|five|six|seven|eight|nine) (?:dozen|hundred|thousand)) [^\W\d]"
)


_SENDS_TO = caseless(
    r"\b(?:go|come|head|report|proceed|(?:make|find) (?:your|their) way|taken|carried|brought|directed|sent|call"
    r"|turn up|check in|register|gather|meet|assemble|contact|collect|(?:bring|take) \w+(?: \w+)?) (?:now |straight "
    r"|directly )?(?:to|at|in|outside|there|down) (?:the |our |their )?(?:[\w'’.-]+ ){0,3}?(?:hall|school|church|mosque"
    r"|temple|stadium|arena|gym|gymnasium|barracks|college|university|shelter|hotel|hospital|clinic|museum|market|mall"
    r"|(?<!high )(?<!higher )grounds?|field|park|parking|station|post|office|desk|depot|club|camp|base"
    r"|pier|cent(?:re|er)|complex|pavilion"
    r"|theat(?:re|er)|cinema|auditorium|courthouse|terminal|rink|library)\b",
)
"""Where people are sent is worth checking, though it is said as a command."""
_NO_STATEMENTS = frozenset({"accusation", "advert", "feeling", "courtesy", "question", "command", "opinion"})
_TELLS = frozenset({"number", "toll", "occurrence"})


_TELLER = caseless(
    r"\b(?:(?:my|our|a|his|her) (?:friends?|buddy|mate)|i['’]?m|we['’]?re|i['’]d say|i just|i am|(?:told"
    r"|tell(?:s|ing)?) (?:me|us)"
    r"|i (?:hear|heard|saw)|(?:there )?(?:might|may|could|must) be|gonna)\b",
)
"""Who tells it and how sure, which is kept apart as hearsay and modality."""
_ASIDE = caseless(
    r"^\W*(?:(?:please|pls|kindly)\s)?(?:note|forward|share|rt|be advised|be aware|be warned|attention|psa)"
    r"(?:\sthat)?\b\W*"
    r"|^\W*(?:god (?:help|save|bless) \w+|oh god|my god|thank(?:s to)? (?:god|goodness|heavens?)|thankfully"
    r"|hopefully|sad(?:ly)?(?: news| to (?:say|hear|report))?|sorry to say|tragically|frankly|honestly"
    r"|i (?:think|believe|guess|suppose|know|hear|heard)(?: that)?|you know|of course|maybe|perhaps)\b[\s,:-]*"
    r"|\W+(?:please|pls|kindly|don['’]?t|do not|never|stay|keep|avoid|be (?:careful|safe)|take care|good luck)\b"
    r"[^.!?,;]*\W*$"
    r"|\b(?:lol|lmao|haha\w*|smh|wow|damn|tragedy|tragic|tickets?|not sure|(?:might|may|could|must)(?= be| have| \w+ )"
    r"|would|great|sadly)\b",
)
"""What stands beside a statement: courtesies, cries, advice, how the teller feels about it."""


def _states(text: str, told: bool = False, warned: bool = False) -> bool:
    bare = _told(text)
    if idle.is_wish(bare) or (idle.is_wish(text) and not idle.has_verb(bare)) or idle.is_chat(text):
        return False
    text = _MISREAD.sub(" ", bare) if told else text
    plain = scoring.plain(text)
    seen = {name for name, count in scoring.observations(plain, scoring.tokens(plain)).items() if count}
    left_out = _NO_STATEMENTS - {"command"} if warned else _NO_STATEMENTS
    return not seen & left_out and (told or "first" not in seen or bool(seen & _TELLS))


_MISREAD = re.compile(
    r"\b[Hh]eart (?=attacks?|failures?|conditions?|patients?|surgery|disease|trouble)"
    r"|(?:(?<= are)|(?<= were)) (?:crying|scared|praying|in love)\b|(?:(?<= to)|(?<= in)|(?<= at)) [A-Z][\w'’-]+"
    r"|(?:(?<= till)|(?<= of)|(?<= by)|(?<=until)|(?<=since)|(?<= from)"
    r"|(?<=early)|(?<= late)|(?<=\d)|(?<=before)) May\b"
    r"|\b[Ff]airs?\b(?= (?:is|are|was|were|has|have|will|won['’]t|in|at|on|gets?|got"
    r"|moves?|moved|opens?|stays?|starts?)\b)"
)
"""What expresses nothing of the teller's: an illness, what others feel, a place, a month, a market."""


def _told(text: str) -> str:
    """What a post tells, without who tells it and what he feels about it."""
    return _ASIDE.sub(" ", _TELLER.sub(" ", _LEAD.sub(" ", text))).strip()


def _with_prior(text: str, score: float, prior: float) -> float:
    if prior and score > 0:
        score = 1 / (1 + (1 / score - 1) * math.exp(-prior))
    if score >= CHECKWORTHY_FROM or "?" in text or not manner.is_explicit_denial(text):
        return score
    reads_like_report = prior > 0 or scoring.crisis_likeness(scoring.tokens(scoring.plain(text))) > 0
    return CHECKWORTHY_FROM if reads_like_report else score


def _clause_score(content: str, span: Span, score_of: Callable[[str], float]) -> float:
    text = content[slice(*span)]
    score = score_of(text)
    start, end = statement(content, span)
    lead = _LEAD.match(content, start, end)
    inner = content[lead.end() if lead else start : end]
    return max(score, score_of(inner)) if len(inner) < len(text) else score


_LEAD = caseless(
    r"(?:\W*(?:omg|omfg|wow|wtf|oh my god|oh no|guys|fyi|damn|breaking)\b\W*)+"
    r"|^\W*(?:please )?help(?: us| me)?(?: please)?(?:[,!.:;]+\s+|\s+(?=(?:we|i['’]?m|i am|there|water|kids|people)\b))"
)


def _between(first: float, second: float) -> float:
    """The score half way between two, in log-odds."""
    odds = [math.log(max(score, 1e-9) / max(1 - score, 1e-9)) for score in (first, second)]
    return 1 / (1 + math.exp(-sum(odds) / 2))


# --- clauses ------------------------------------------------------------------

_JOINT = re.compile(
    r"(?:,\s+(?:but|while|whereas|and|pero|mas|ma|mais|aber)\s+|\s+but\s+|\s+[–—]\s+|"
    r",\s+(?=(?:at least |about |more than |over |some |around )?(?:\d|(?:hundreds|dozens|thousands|scores) of\b))|"
    # "Keep your windows shut, the depot is burning": advice, and the reason for it
    r"(?P<reason>,\s+(?=(?:the|a|an|an?other|his|her|their|its?|they|there|we|he|she|[A-Z])\b)))"
)
_PREDICATE = caseless(
    r"\b(?:is|are|was|were|has|have|had|will|been|remains?|\w{3,}ed|dead|missing|without|struck|hit|"
    r"burst|left|shut|lost|cut|stuck|blocked|impassable|capsized|offline|"
    r"found|killed|kills)\b",
)


_TAIL = caseless(
    r"[,.…!–—-]*\s+(?:please|pls|plz|bless (?:them|him|her|you)|pray(?:ing|ers)?|god (?:help|bless|rest|is)"
    r"|do(?:n['’]?t| not) (?:believe|trust|listen)|wake up|share (?:this|before|now)|(?:cover"
    r"|hush)(?:ed|ing)? (?:it |this )?up"
    r"|thank(?:s| god| goodness)?|thoughts"
    r"|so sad|rip|smh|lol|omg|poor (?:things?|souls?)|heartbroken|legends?)\b[^.!?]{0,60}[.!?…\s]*$",
)
"""A wish, a thanks or a plea behind what is told: "22 were carried out, bless them"."""
_LOOSE_END = caseless(
    r"(?:\s?[,;–—-]\s?(?:(?:and|but|so|because)\s)?(?:the|our|my)\s\w+|[\s,;–—-]+(?:(?:and|but|so|because)\s)?(?:the\s)?"
    r"(?:they|we|i|it|he|she|you|people|everyone|media|press|police|officials|authorities|gov\w*|council|mayor))"
    r"(?:['’](?:re|ve|s|m|d|ll))?(?:\s(?:is|are|am|was|were|be|have|has|had|been|will|just|all|now|still|really|to|wants?"
    r"|trying|try|tried|busy|keep|always|already))*\s*$"
)
"""The subject of a cry that was cut off: "seven dead, they are (covering it up)"."""
_GAINSAID = caseless(
    r"\W*(?:(?:the|our|those|all the)\s)?(?:(?:news)?papers?|news|media|tv|telly|radio|press|police|officials?"
    r"|authorities"
    r"|government|govt|council|mayor|journalists|reporters|they|everyone)(?:\s(?:on|in)\s\w+)?(?:\s\w+)?\s(?:got|gets?"
    r"|getting|have|has|had)\s(?:it|this|that|(?:the|their)\s\w+)\s(?:(?:all|so|totally|completely|dead|badly"
    r"|very|just)\s)*"
    r"wrong\s?[,:;–—-]\s+(?=\w+\s\w+)",
)
"""That others are wrong, in front of what somebody says instead: "the paper got it wrong, 700 are cut off"."""
_ADDRESSED = caseless(
    r"\W*(?:(?:so|well|ok|okay|right|hey|hi|hello|listen|look|guys|folks|all|everyone|people)\b\W+){0,2}(?:"
    r"(?:just )?(?:so|in case|if) (?:(?:you(?: all| guys)?|y['’]?all|every(?:one|body)|any(?:one|body)|people|folks)\s)"
    r"(?:(?:did(?:n['’]t| not)|have(?:n['’]t| not)|has(?:n['’]t| not)|is|are|were|was|all|still|even|already)\s){0,3}"
    r"(?:knows?|aware|wonder\w*|asks?|asking|asked|cares?|interested|curious|heard?|seen|missed|needs?)"
    r"(?: (?:about|of))?(?: (?:it|this|that))?(?: (?:yet|already))?"
    r"|(?:just )?for (?:(?:anyone|everyone|those|people|everybody|anybody|all)"
    r"(?: (?:of )?(?:you|who(?:['’]s| is| are)?))? (?:wonder\w*|ask\w*|interested|curious)|your information"
    r"|what it['’ ]?i?s worth)"
    r"|fyi|fwiw|psa|just fyi|(?:just )?(?:a )?(?:quick )?heads[- ]up|good to know|note to (?:all|self)|reminder"
    r")(?:\s+(?:everyone|everybody|all|folks|guys|people))?\s*(?:[,:;–—-]+|\b(?:that|but)\b)\s*(?=\S+ \w)",
)
"""Words to the reader in front of what somebody says: "just so you know, the fair is put off"."""
_DISCLAIMED = caseless(
    r"[^.:;!?\d]{0,40}?\b(?:not|never|no|nobody|no one|none|nothing|hardly (?:any\w*|on)|dont|cant|wont|isnt|hate|sorry"
    r"|\w+n['’]t)\b(?:\s+(?!but\b)[\w'’]+){0,4}?\s+(?:news|tv|telly|radio|media|papers?|headlines|reported"
    r"|reporting|report"
    r"|confirm\w*|official(?:ly)?|announced|announcement|verified|proof|saying|talking|telling|tell|told|say"
    r"|said|heard|admit\w*"
    r"|sure|know|true|panic|alarm\w*|scare|spread|gossip|exaggerat\w*|expert|word|public|covering|mention\w*)\b"
    r"(?:\s+(?!but\b)[\w'’]+){0,4}?,?\s+but\s+(?=\S+ \w)",
)
"""That it is not told elsewhere, or not certain, in front of what somebody says: "not on the news yet but ..."."""
_PREFACES = (_GAINSAID, _ADDRESSED, _DISCLAIMED)
_SILENCED = caseless(
    r",\s+(?:and\s|but\s)?(?:(?:of course|obviously|naturally|as usual|needless to say|funny how|but of course)\W+)?"
    r"(?:the\s)?(?:media|news(?:\s\w+)?|tv|telly|radio|press|papers?|gov\w*|officials?|authorities"
    r"|council|police|mayor|they|nobody|no\s?one)\s(?:\w+\s){0,2}?"
    r"(?:(?:won['’]?t|don['’]?t|doesn['’]?t|didn['’]?t|(?:do|does|did|will) not|never|dares?|refuses? to|dare not)\s"
    r"(?:\w+\s)?(?:show|tell|say|touch|report|cover|admit|mention|talk|print|speak|air)\w*\b"
    r"|(?:silent|mum|quiet|asleep|lying)\b)[^,.!?;]{0,40}[.!?…\s]*$",
)
"""That nobody tells of it, behind what somebody says: "250 taken off roofs, the media won't touch it"."""
_LONG_ENOUGH = 4


def _clauses(content: str, span: Span, by_anybody: bool) -> Iterator[Span]:
    """The parts of a sentence that could stand alone ("20 were hurt, but the bridge is open")."""
    start, end = span
    start = _past_preface(content, start, end) if by_anybody else start
    silenced = _SILENCED.search(content, start, end) if by_anybody else None
    if silenced and len(content[start : silenced.start()].split()) >= _LONG_ENOUGH:
        end = silenced.start()
    tail = _TAIL.search(content, start, end)
    if tail and len(content[start : tail.start()].split()) >= _LONG_ENOUGH:
        loose = _LOOSE_END.search(content, start, tail.start())
        end = loose.start() if loose else tail.start()
    for match in _JOINT.finditer(content, start, end):
        left = content[max(start, match.start() - LONGEST_CLAUSE) : match.start()]
        right = content[match.end() : min(end, match.end() + LONGEST_CLAUSE)]
        if match.lastgroup == "reason":
            parted = by_anybody and idle.is_call(left) and idle.has_verb(right)
            parted = parted and not _gives_place(left, (0, len(left)))
        else:
            parted = _stands_alone(left) and _stands_alone(right) and not _THERE.search(right)
        if parted:
            yield trimmed(content, (start, match.start()))
            start = match.end()
    yield trimmed(content, (start, end))


def _past_preface(content: str, start: int, end: int) -> int:
    """Where a sentence begins to tell something."""
    for preface in _PREFACES:
        found = preface.match(content, start, end)
        if found is not None:
            return found.end()
    return start


_THERE = caseless(r"^(?!there\b).{0,80}\bthere\b\W*(?:now|already|so far|today|tonight)?\W*$")
"""A clause that says nothing of where it is but "there": it belongs to the one before it."""
_MARK = re.compile(r"https?\S*+|www\.\S*+|[@#]\w++")


def _says_something(content: str, span: Span) -> bool:
    """Whether there are words beside links, handles, hashtags and cries ("Oh no")."""
    return any(letter.isalpha() for letter in CRY.sub("", _MARK.sub("", content[slice(*span)])))


def _stands_alone(clause: str) -> bool:
    return len(clause.split()) >= 3 and _PREDICATE.search(clause) is not None and not clause.lstrip().startswith("who")


# --- one claim ----------------------------------------------------------------

_CAUSAL = caseless(
    r"\b(?:because(?: of)?|caused?(?: by)?|causing|due to(?! (?:arrive|hit|open|close|reach|make))|"
    r"as a result of|led to|resulted in|triggered(?: by)?|started by|"
    r"blamed on|sparked(?: by)?|set off by|brought down by|attributed to|debido a|a causa d[ei]|"
    r"por causa d[eo]|à cause d[eu])\b",
)
_STATUS = caseless(
    r"\b(?:closed|closing|closure|open(?:ed)?|reopen(?:s|ed|ing)?|blocked|impassable|suspended|"
    r"cancel+ed|shut(?: down)?|restored|"
    r"contained|evacuated|under (?:control|evacuation|water)|in effect|lifted|resumed|restricted|"
    r"diverted|on fire|burst|"
    r"collapsed|trapped|missing|stranded|in custody|out of service|operational|without (?:power|"
    r"electricity|water)|safe|secured|"
    r"cerrad[oa]s?|abiert[oa]s?|chius[oaie]|fechad[oa]s?)\b",
)
_ENTITY = re.compile(
    r"\b(?:identified as|named as|named|is called|suspect is|the victim(?:s)? (?:is|are|was|were)|"
    r"at the [A-Z]\w+|located (?:at|in)|is at|are at)\b"
)
_BACKGROUND_SLOTS = frozenset({"duration", "distance", "length", "money", "percent", "speed", "weight", "volume"})


def _claim(content: str, span: Span, score: float, source: str, alarmist: bool, own: frozenset[int]) -> ExtractedClaim:
    start, end = statement(content, span)
    text = content[start:end]
    quantities = tuple(_shifted(quantity, start) for quantity in extract_quantities(text))
    moot = quoted.is_moot(text)
    if moot:
        quantities = ()
    elif span[0] in own and (against := quoted.set_against(content, start, end)) is not None:
        quantities = (against,)
    nothing_counted = any(quantity.high == 0 for quantity in quantities)
    denies = None if nothing_counted else manner.denied_statement(text)
    return ExtractedClaim(
        text=text,
        source=source,
        span=(start, end),
        kind=_kind(text, quantities),
        checkworthiness=score,
        negated=manner.is_negated(text),
        modality=manner.modality(text) if denies is None else "asserted",
        hearsay=denies is None and (alarmist or manner.is_hearsay(text)),
        attribution=manner.attribution(text),
        denies=denies,
        update=manner.is_update(text),
        quantities=quantities,
        moot=moot,
    )


def _shifted(quantity: Quantity, offset: int) -> Quantity:
    return replace(quantity, span=(quantity.span[0] + offset, quantity.span[1] + offset))


def _kind(text: str, quantities: tuple[Quantity, ...]) -> Kind:
    if any(quantity.slot not in _BACKGROUND_SLOTS for quantity in quantities):
        return "quantity"
    if _CAUSAL.search(text) is not None:
        return "causal"
    if _STATUS.search(text) is not None:
        return "status"
    if quantities:
        return "quantity"
    return "entity" if _ENTITY.search(text) is not None else "factual"
