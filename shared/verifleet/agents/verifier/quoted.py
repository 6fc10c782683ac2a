"""What a report says without standing for it: figures quoted to mock them, stories taken back, conditions, past years.

Of "the town says 12 hurt, I counted 40" the claim is what the author counted; "if the dam fails, 900 would have to
leave" says of nobody that he left.
"""

from __future__ import annotations

import re
from dataclasses import replace

from verifleet.agents.caseless import caseless
from verifleet.agents.numbers import Number, numbers_in
from verifleet.agents.quantities import Quantity, extract_quantities

Span = tuple[int, int]
LONGEST = 240
"""Characters of a sentence in which something is quoted and gainsaid."""
_OWN_WORDS = 3
_NUMBER = (
    r"(?:\d[\d.,]*k?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|\w+ty(?:-\w+)?|a"
    r" dozen|dozens"
    r"|hundreds?|thousands?|no ?body|no one|none|no)\b"
)
_JEER = (
    r"(?<!\bon )(?<!\bin )(?<!\bat )(?<!\bover )(?<!\bunder )(?<!\bof )(?<!\bto )(?<!\band )(?<!\bwith )"
    r"(?<!\bbroke )(?<!\bbroken )(?<!\bburnt )(?<!\bcut )(?<!\bcrushed )(?<!\blost )my (?:foot|arse|ass|eye|backside)"
    r"|yeah,? (?:right|sure)|in your dreams|(?:pull )?the other one|do(?:n['’]?t| not) make me laugh"
    r"|who are (?:they|you) kidding|(?:nobody|no one|who) (?:here )?(?:believes|buys|trusts) (?:that|it|this|them)"
)
_SCORN = (
    rf"{_JEER}|as if|what a lie|(?:(?:total|utter|complete|pure|such|absolute) )?(?:nonsense|rubbish|bull\w*"
    rf"|bollocks|lies)"
    r"|nope|wrong|not true"
)
_DISMAY = r"what an? (?:joke|laugh|shame|disgrace)|lo+l|lmao\w*|rofl|haha\w*|smh|really|please|give me a break|get real"
_JEERED = caseless(rf"(?:[\s,–—(-]+(?:{_JEER})\b|\s?[,–—(-]\s*(?:{_SCORN})\b(?=\W*$|\W*[,;:.!–—-]))[\s,;:.!)–—-]*")
"""Scorn behind what somebody quotes: "40 hectares my foot, it's over 300"."""
_JOINT = caseless(r"\s?[,;–—]\s|\s\(?(?:lo+l|lmao\w*|haha\w*|rofl)\W")
"""What parts a figure that is mocked from what its author tells: "they counted 190 homes, 26 my foot"."""
_ONLY_SCORN = caseless(rf"\W*(?:(?:oh|well|sure|and|haha\w*|lol)\W+)?(?:{_SCORN})\W*")
_SCORN_FIRST = caseless(
    rf"\W*(?:{_SCORN})\s?[,;:.!–—-]+\s*(?=\w)|\W*(?=(?:(?:it['’]?s|try|that['’]?s|there are)\s)?(?:more like"
    rf"|closer to"
    rf"|(?:the )?truth is|in (?:reality|truth|fact)|the (?:real|true) (?:number|figure|toll"
    rf"|count) is)\W+(?:\w+\s){{0,3}}?"
    rf"{_NUMBER})"
)
"""How a sentence begins that mocks or corrects the one before it."""
_MORE_LIKE = caseless(rf"\s?[,;–—(-]\s*(?=(?:(?:it['’]?s|try|that['’]?s|there are)\s)?more like\s{_NUMBER})")
_IRONY = caseless(
    r"['\"‘’“”](?:only|just|merely|no|a few|minor|small|under control)['\"‘’“”]\s"
    r"|\band (?:i['’]?m|i am) (?:the |an? )?(?:queen|king|pope|emperor|prince\w*|napoleon|santa|batman|superman|elvis"
    r"|father christmas|easter bunny|tooth fairy|president)\b"
    r"|\bpigs (?:can|might|will|do)? ?fly\b|\bso-called \d"
    r"|^\W*[\"“‘'][^\"“”]{0,60}\d[^\"“”]{0,60}[\"”’'],?\s(?:they|officials|the \w+)\s(?:say|said|claim|keep saying)\b"
)
_SAYING = (
    r"(?:says?|said|saying|claims?|claimed|reports?|reported|reporting|admits?|admitted|counts?|counted|announced"
    r"|announces"
    r"|confirms?|confirmed|tells? (?:us|you)|told us|puts? it at|speaks? of|talks? of|talks? about|keeps? saying"
    r"|(?:is|are) saying|(?:has|have) it)"
)
_AGAINST = (
    r"(?:i|we|my|our|(?:an?|the|one) (?:\w+ )?(?:nurse|doctor|medic|paramedic|witness|friend|neighbou?r|cousin|guard"
    r"|porter|survivor|fireman|firefighter|cop|driver|morgue|hospital|locals?|people)|people (?:here|on|at|in|there)"
    r"|locals?|(?:eye-?)?witness\w*|neighbou?rs?|friends?|the (?:real|true)|in (?:reality|truth|fact)|really|actually"
    r"|truth is|more like|try|those (?:here|on|at)|nurses|doctors|medics|staff"
    r"|(?:it['’]?s|it is|there['’]?s|there (?:are|were|is|was)) (?:now |really |actually |easily |clearly |way )*"
    r"(?:at least|more|over|many|closer|nearer|double|twice|well over|far))"
)
_QUOTED = caseless(
    rf"\W*(?:(?:[\w.'’&/-]+\s){{1,5}}?{_SAYING}|officially|on paper|supposedly)\s(?:that\s|it['’]?s\s|it\sis\s"
    rf"|there\s(?:are|were)\s|only\s|just\s"
    rf"|about\s"
    rf"|at\sleast\s|some\s)*{_NUMBER}[^,;.!?–—]{{0,80}}?"
    rf"(?:\s?[\s,–—-]\s?(?:{_SCORN}|{_DISMAY})\b)?"
    rf"(?:\s?[,;–—-]\s*(?:but\s|and\s|while\s|yet\s|although\s|though\s|whereas\s)?|\s(?:but|yet|while|whereas)\s)"
    rf"(?={_AGAINST}\b)"
)
"""A figure of others in front of what somebody sets against it: "the town says 12 hurt, I counted 40"."""
_DIGITS = caseless(_NUMBER)


def own_words(content: str, start: int, end: int) -> list[Span]:
    """The spans of a sentence in which its author speaks, where it quotes others to gainsay them; else all of it."""
    if end - start > LONGEST:
        return [(start, end)]
    if _IRONY.search(content, start, end):
        return []
    quoted = _QUOTED.match(content, start, end)
    if quoted and _counts_otherwise(content, start, quoted.end(), end):
        return [(quoted.end(), end)]
    more = _MORE_LIKE.search(content, start, end)
    if more and _DIGITS.search(content, start, more.start()):
        return [(more.end(), end)]
    jeered = _JEERED.search(content, start, end)
    if jeered is None or len(content[start : jeered.start()].split()) < 1:
        return [(start, end)]
    before = start
    for joint in _JOINT.finditer(content[start : jeered.start()]):
        before = start + joint.start()
    spans = ((start, before), (jeered.end(), end))
    return [span for span in spans if len(content[slice(*span)].split()) >= _OWN_WORDS]


def _counts_otherwise(content: str, start: int, own: int, end: int) -> bool:
    """Whether what stands behind a quoted figure counts the same otherwise, and not some of those counted."""
    if _OF_THEM.search(content, own, end):
        return False
    against = set_against(content, own, end)
    mine = [against] if against else extract_quantities(content[own:end])
    told = extract_quantities(content[start:own])
    return any(one.slot == other.slot and one.low != other.low for one in mine for other in told)


_OF_THEM = caseless(
    r"\b(?:of (?:them|those|these|the)|one of|(?:too|also|as well)\b|(?:is|it['’]?s|are) (?:true|right))\b"
)


def scorned(text: str) -> int | None:
    """Where a sentence begins that mocks or corrects the one before it: 10 for "Nonsense, it is 40"; None for none."""
    match = _SCORN_FIRST.match(text)
    return match.end() if match else None


def is_scorn(text: str) -> bool:
    """Whether a sentence only mocks the one before it: "Yeah right.", "What a joke!"."""
    return len(text) < LONGEST and _ONLY_SCORN.fullmatch(text) is not None


def set_against(content: str, start: int, end: int) -> Quantity | None:
    """The figure of `content[start:end]` that counts what a figure quoted before it counts; None for none.

    "The town says 12 hurt, I counted 40" is 40 hurt. Its span is that of the content.
    """
    before, own = content[max(0, start - LONGEST) : start], content[start:end]
    if not before or len(own) > LONGEST:
        return None
    if any(quantity.slot not in _OF_ANY and quantity.noun not in _OF_ANY for quantity in extract_quantities(own)):
        return None  # "12 hurt, I counted 3 ambulances"
    told = [quantity for quantity in extract_quantities(before) if quantity.low > 0]
    tokens, numbers = numbers_in(own)
    quoted = numbers_in(before)[1]
    if len(told) != 1 or len(numbers) != 1 or not quoted or quoted[-1].low <= 0:
        return None
    number, span = numbers[0], (tokens[numbers[0].first].start, tokens[numbers[0].last - 1].end)
    return _counting(
        told[0], number, told[0].low / quoted[-1].low, (span[0] + start, span[1] + start), own[slice(*span)]
    )


_OF_ANY = frozenset({"people", "stretcher", "body", "bodybag", "casualty", "victim"})


def _counting(like: Quantity, number: Number, factor: float, span: tuple[int, int], text: str) -> Quantity:
    high = None if number.high is None else number.high * factor
    return replace(
        like,
        low=number.low * factor,
        high=high,
        qualifier=number.qualifier,
        approximate=number.approximate,
        span=span,
        text=text,
    )


# --- what nobody stands for -----------------------------------------------------

_STORY = (
    r"(?:stor(?:y|ies)|reports?|claims?|tweets?|articles?|statements?|figures?|tolls?|bulletins?|headlines?"
    r"|allegations?"
    r"|assertions?|news ?flash(?:es)?|dispatch(?:es)?)"
)
_ASKS = caseless(
    r"\?[?!]+\W*$|!\?|[,;:–—-]\s*(?:and |but |so )?(?:can|could|will|would|where|who|how|what|why|when|any\w*|does|do"
    r"|did|should|has any\w*|have you|(?:is|are|was|were)\b(?! (?:it|that|this) (?:true|real|right|confirmed"
    r"|so)\b))\b"
    r"[^,]*\?\W*$"
)
"""A cry that asks nothing, or a statement with a question behind it: "12 hurt in Lyon, can anybody help?"."""
_TAKEN_BACK = caseless(
    r"\b(?:withdraws?|withdrew|withdrawn|withdrawing|retracts?|retracted|retracting|recants?|recanted|takes? back"
    r"|took back|taken back|pulls|pulled|deletes?|deleted|unpublish\w*|no longer stands? by|backs? away from|regrets?"
    r"|apologi[sz]e[sd]? for) (?:(?:its|their|the|his|her|an?|our|my|this|that|all|earlier|own|previous|false|wrong"
    rf"|erroneous|mistaken|first|initial|morning|\w+['’]s) ){{1,4}}{_STORY}\b"
    rf"|\b{_STORY} (?:of|that|about|saying|on) [^.;!?]{{3,120}} (?:has|have|had|was|were|is|are) (?:now |since "
    rf"|been )*"
    r"(?:withdrawn|retracted|taken back|pulled|deleted|recanted)\b"
)
_RETRACTED = caseless(
    r"\b(?:removes?|removed|deletes?|deleted|takes? down|took down|taken down) (?:(?:its|their|the|his|her|an?"
    r"|our|my|earlier"
    r"|previous|false|wrong) ){1,3}(?:posts?|tweets?|items?|videos?|articles?|stor(?:y|ies)|reports?) (?:that"
    r"|which|saying"
    r"|claiming|about|of|with)\b"
    r"|\bearlier (?:version|edition|headline) of (?:this|the|our|its) \w+ (?:wrongly |mistakenly "
    r"|incorrectly )?(?:said|stated"
    r"|gave|reported|had|put)\b"
    rf"|\bcorrect(?:s|ed|ing) (?:(?:its|their|the|an?|our|earlier|previous|first) ){{1,3}}{_STORY} (?:that|of"
    rf"|about|saying)\b"
    r"(?![^.;]*\bto (?:\d|one\b|two\b|three\b|four\b|five\b|six\b))"
)
_CALLED_WRONG = caseless(
    r"\W*(?:but )?(?:this|that|it|which|the report|the figure) (?:is|was|has proved|proved|turned out|has turned out)"
    r" (?:to be )?(?:now known to be )?(?:wrong|false|untrue|incorrect|not (?:true|correct|so|the case)|an error"
    r"|a mistake"
    r"|fake|a hoax|made up)\W*"
)


def calls_wrong(text: str) -> bool:
    """Whether a sentence calls the one before it wrong, and no more: "This was wrong."."""
    return len(text) < LONGEST and _CALLED_WRONG.fullmatch(text) is not None


_MODAL = r"\b(?:would|could|might|may|will|wo|can|must|have to|has to|had to|needs? to|is to|are to)\b|['’](?:ll|d)\b"
_IF = caseless(
    r"(?<!\bas )(?<!\bwhat )(?<!\bknow )(?<!\bknows )(?<!\bknown )(?<!\bclear )(?<!\bsee )(?<!\bask )(?<!\basks )"
    r"(?<!\basked )"
    r"(?<!\basking )(?<!\bwonder )(?<!\bwondering )(?<!sure )(?<!\btell )(?<!\bcheck )(?<!\bout )(?<!\bsay"
    r" )(?<!\bsaid )"
    r"(?<!\binvestigating )(?<!\bdetermine )(?<!\bestablish )"
    r"\b(?:if|unless) (?!you\b|u\b|ya\b|your\b|any|someone|not\b|necessary|needed|possible|true|so\b|confirmed"
    r"|only\b|safe\b"
    r"|in (?:doubt|danger)|affected|i\b|we\b|people need|residents need|and when)"
    r"|^\W*should (?!i\b|we\b|you\b|they\b)[^?]{3,100}, "
    r"|^\W*in (?:the )?(?:case|event) (?:of|that|the|an?)\b"
    r"|^\W*were [^?,]{3,80} to [^?,]{3,60}, "
)
_MODALS = caseless(_MODAL)
_COUNTERFACTUAL = caseless(
    r"\bwould (?:otherwise )?(?:have to (?:be|leave|flee|move|evacuate|go)|have (?:been |all )?\w+(?:ed|en|t)"
    r"|need to be)\b"
)
_SUPPOSED = caseless(r"\W*(?:and |but |so )?(?:assuming|suppose|supposing|imagine|let['’]s say)\b")
_NEARLY = caseless(
    rf"\b(?:could|might) (?:so )?(?:easily |well )?have (?:been (?:far |much |a lot )?(?:worse|{_NUMBER}"
    rf"|a disaster|killed)"
    r"|(?:killed|hurt|injured|hit|destroyed)\b)"
)
_REPORTED = caseless(r"\b(?:said|told|announced|warned|decided|ordered|promised|knew|thought|feared)\b")


def takes_back(text: str) -> bool:
    """Whether a statement takes back what its author had told: "withdraws its story of ten dead"."""
    return _TAKEN_BACK.search(text) is not None or _RETRACTED.search(text) is not None


def is_moot(text: str) -> bool:
    """Whether a statement asks, takes a story back, or says only what would be if something else were so."""
    if text.rstrip(" \"'”’)").endswith("?") and _ASKS.search(text) is None:
        return True
    if takes_back(text):
        return True
    if _SUPPOSED.match(text) is not None or _NEARLY.search(text) is not None:
        return True
    if _IF.search(text) is not None and _MODALS.search(text) is not None:
        return True
    return _COUNTERFACTUAL.search(text) is not None and _REPORTED.search(text) is None


_MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\w*"
_BUILT = (
    r"built|opened|founded|born|since|created|established|made|elected|rebuilt|completed|filmed|taken|shot|from"
    r"|than|as"
)
_YEAR = re.compile(
    rf"^\W*(?:(?i:back|as long ago as) )?(?:[Ii]n|[Dd]uring|[Oo]n) (?:the )?(?:(?:early|late|summer|winter|spring"
    rf"|autumn|fall)"
    rf" (?:of )?)?(?:(?:\d{{1,2}} )?(?i:{_MONTH}) (?:\d{{1,2}},? )?(?:of )?)?(?P<first>(?:19|20)\d\d)\b"
    rf"|^\W*(?i:remember (?:in )?|(?:the )?(?:[\w'’-]+ ){{1,4}}of )(?P<of>(?:19|20)\d\d)\b"
    rf"|(?<!\b(?i:as)) (?:back )?in (?:(?i:{_MONTH}) )?(?P<last>(?:19|20)\d\d)\W*$"
)
_LAST_YEAR = caseless(
    r"^\W*(?:last (?:year|summer|winter|spring|autumn)|(?:\w+|a (?:few|couple of)|\d+) (?:years?|decades?) ago|a"
    r" decade ago"
    r"|the (?:year|decade) before)\b(?!['’]s)"
)
_NOW = caseless(
    r"\b(?:now|today|tonight|this (?:time|morning|year|week|afternoon|evening)|again|currently|still|since then"
    r"|footage"
    r"|videos?|photos?|pictures?|images?|clips?|pics?|old)\b"
)
_OF_ANOTHER_TIME = caseless(rf"\b(?:{_BUILT})\b")


def is_past(text: str, year: int) -> bool:
    """Whether a statement is of a year before `year`: "in 2017, 900 people had to leave"."""
    if _NOW.search(text) is not None:
        return False
    match = _YEAR.search(text)
    if match is not None:
        behind = text[max(0, match.start("last") - LONGEST) : match.start("last")] if match["last"] else ""
        return int(match["first"] or match["of"] or match["last"]) < year and _OF_ANOTHER_TIME.search(behind) is None
    return _LAST_YEAR.search(text) is not None
