"""Arithmetic inside a report: do the parts add up to the total it states?

A whole and its parts are told by their build, not by their words: a count, a mark or a phrase that opens a list, and
two or more counted parts, each smaller than the whole. What is counted only decides against it: vehicles are no parts
of people, and who died is no part of those who were rescued.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise

from verifleet.agents.caseless import caseless
from verifleet.agents.verifier import groups, totals
from verifleet.agents.verifier.totals import AKIN, FIGURE, LIKELY, NEAR, NUMBER, SAID, STOP, SUMMED, number

ARITHMETIC = "arithmetic"
"""The source that evidence from a sum names."""
MAX_TEXT = 20_000
MAX_SUMS = 16
MAX_LISTS = 128
REACH = 160
"""Characters between a total and the list of its parts."""
LONGEST_PART = 7
"""Words of a part behind its count; what is longer is a clause of its own."""

_COUNT = re.compile(
    rf"(?<![\w.,:/#$€£+-])({NUMBER})(?![\w:./%-]*\d)(?![\w%-])(?:\s((?:[^\W\d_][\w'’-]*\s?){{1,4}}))?",
    re.IGNORECASE,
)
_LAST = r"(?:other|remaining|last)\s"
_JOINED = rf",?\s(?:and|n|plus|as well as|along with|together with)\s(?:the\s(?:{_LAST})?|another\s)?|\s?[&+]\s?"
_BREAK = re.compile(
    rf"(?P<joint>(?:{_JOINED})(?=(?:{NUMBER}|an?)\s)|[,;]\s|,(?=\d+\s)|\s/\s|(?<=[a-z])/(?={NUMBER}\s)|\s?(?:\.\.+|…)\s"
    rf"|\s(?=(?:so|mak(?:es|ing)|totall?ing|which makes|that makes|that['’]?s|altogether|adding up to|for a total of)"
    rf"\s(?:[a-z'’]+\s){{0,2}}?{NUMBER}\b))"
    rf"|(?P<stop>{STOP})"
    r"|(?P<mark>:\s|\s?[(\[]\s?|\s?[)\]]\s?|\s?[–—]\s?|\s-{1,2}\s|\s?=\s?)",
    re.IGNORECASE,
)
_UNPARTED = re.compile(
    rf"(?<=[^\W\d_])(?<!\bon)(?<!\bin)(?<!\bat)(?<!\bof)(?<!\bfor)(?<!\bto)(?<!\bfrom)(?<!\bwith)(?<!\bhalf)\s(?={NUMBER}\s)",
    re.IGNORECASE,
)
_PART = re.compile(
    rf"(?:the\s+(?:{_LAST})?)?({NUMBER}|an?)(?![\w:./%-]*\d)(?![%-])\s+(\S.*)$", re.IGNORECASE | re.DOTALL
)
_TURNED = re.compile(rf"([^\W\d_]{{3,}})\s({NUMBER})$", re.IGNORECASE)
"""A count behind its noun: "shops 6, stalls 9"."""
_BEGINS = caseless(rf"\s?{NUMBER}\s")
_OPENING_WORDS = re.compile(
    r"[,;:(–—-]?\s?\b(?:(?:which |they |these |all |it )?(?:is |are |was |were )?"
    r"(?:(?:made up|composed|comprised|consisting|consists?|comprising|comprises?)(?: of)?|namely"
    r"|broken down (?:as|into)|split(?: (?:as|into|between|among|across))?|shared between"
    r"|divided (?:into|between|among)|break(?:s|ing)? down (?:as|into|to)"
    r"|that (?:is|was|being|would be)|that['’](?:s|d be)"
    r"|i\.?e\.?|viz\.?|being|meaning|as follows|which is to say|which (?:is|are|was|were)|they (?:are|were)"
    r"|in other words)"
    r"|of (?:them|whom|which|these|those)|out of (?:them|whom|which)"
    r"|including|includes?|incl\.?|among (?:them|whom|which)|with|mostly|mainly|at least|some of them)"
    rf"[,:]?\s(?=(?:the\s)?{NUMBER}\s)",
    re.IGNORECASE,
)
_PARTIAL = re.compile(
    r"\b(?:incl\w*|among|at least|mostly|mainly|chiefly|especially|notably|such as|some|with|of (?:these|those))\b",
    re.IGNORECASE,
)
_PARTIAL_LEAD = re.compile(r"\b(?:incl\w*|among|mostly|mainly|chiefly|especially|notably|such as)\b", re.IGNORECASE)
_OF_THEM = re.compile(r"\bof (?:them|whom|which|those|us)\b", re.IGNORECASE)
_SAYS_TOTAL = caseless(
    rf"\b(?:{SUMMED}|(?:total|sum|tally|count)(?: number| count)?(?: of)?(?: [\w'’-]+){{0,4}}?"
    r" (?:is|was|stands at|comes to)|total(?:l?ing|s)?(?: of)?)\W*$"
)
_CLOSED = caseless(
    r"^\W*(?:(?:and\s+)?(?:that(?:['’]s| is| was| makes)|thats)\s+(?:(?:all|it|the lot|everyone|everybody|everything"
    r"|the whole|them all|the total|your lot)\b)|(?:and\s+)?(?:nobody|no one|no-one|nothing|none"
    r"|no other\w*)\b(?: else\b| more\b)?|total\b|in (?:all|total)\b|all told\b|the only\b"
    r"|only those\b|full stop\b|end of\b)",
)
_NO_TOTAL_BEFORE = caseless(
    r"(?:\b(?:magnitude|route|highway|road|exit|engine|ladder|flight|level|category|sector|zone|number|no|unit|bus|line"
    r"|phase|day|m|until|till|aged?|mile|km|ward|gate|block|room|floor|platform|pier|berth|junction"
    r"|channel|station|tower|reactor|lane|runway|terminal)|\d\s(?:out )?of(?: the)?|[^\W\d_]\.)[\s#.-]*$",
)
_NAMED = re.compile(r"[^\s.!?:,;(–—-]\s+[A-Z][\w'’]+\s$")
_LOOSE = caseless(
    r"\b(?:about|around|approximately|roughly|nearly|almost|some|estimated|up to|more than|over|at least)\W*$",
)
_ALL_TOLD = caseless(rf"(?:{SUMMED}|total|together)(?!\w)")
_THAT = caseless(r"\bthat\b")
_IN_SUM = caseless(rf"\b{SUMMED}(?!\w)")
_SAYS_PARTS = caseless(
    r"\b(?:made up|compos|compris|consist|namely|broken|breaks?|split|divided|that|i\.?e|viz|as follows|means?|meaning)"
)
"""What says that the parts are all that the whole is."""
_REST = caseless(r"\W*(?:(?:and|plus)\s)?the\s(?:other|remaining|last)\s")
"""What makes a part the last one: "and the remaining 5 on foot"."""
_AND_OTHERS = re.compile(
    r"\b(?:and|or|plus|among|with)\s(?:the\s)?(?:others?|more|some|several|a few|rest|many|dozens|elsewhere)\b|\betc\b",
    re.IGNORECASE,
)
_OTHERS = caseless(
    r",\s(?:(?:the )?(?:some|others?|rest|more|several|a few|many|maybe|perhaps|unknown|we don['’]?t know))\b"
)
_BESIDES = caseless(r"\b(?:too|also|as well|besides)\W*$")
"""What is counted beside the whole."""
_DIGIT = re.compile(r"\d")
_NUMBERED = re.compile(
    r"\b(?:[A-Z][\w'’]+|floor|ward|gate|block|room|level|platform|pier|lane|zone|year|class"
    r"|grade|car|coach|unit|house|shaft|bay|hall|team|line|track|shift|no\.?) \d{1,4}\b(?!\s\w+s\b)"
)
"""A number that is a name: "3 from Company 8"."""
_A = caseless(r"\s*an?\b(?! (?:dozen|hundred|thousand))")
_OF_COUNT = re.compile(r"\s(?:out\s)?of\s(?:the\s|its\s|their\s)?\d")
"""What makes a count a part itself: "8 of 20 buses"."""
_SENTENCE_END = re.compile(STOP)
_CAPITAL = re.compile(r"[A-Z]")


@dataclass(frozen=True, slots=True)
class Sum:
    """A total and the parts that a report gives for it; `span` covers both, in characters of the report."""

    total: float
    parts: tuple[float, ...]
    partial: bool
    loose: bool
    span: tuple[int, int]

    @property
    def adds_up(self) -> bool:
        """Whether the parts make the total; parts introduced by "including" may make less."""
        made = sum(self.parts)
        slack = 0.2 * self.total if self.loose else 1e-9
        return made <= self.total + slack if self.partial else abs(made - self.total) <= slack

    @property
    def reason(self) -> str:
        """The sum in words."""
        shown = " + ".join(f"{part:g}" for part in self.parts)
        relation = "adds up" if self.adds_up else "does not add up"
        return f"the sum {relation}: {shown} = {sum(self.parts):g}, stated total {self.total:g}"


@dataclass(frozen=True, slots=True)
class _Piece:
    """A stretch between two marks: `opened` is what stands before it, `part` (count, what is counted) if it is one."""

    start: int
    end: int
    opened: str
    kind: str
    part: tuple[float, str] | None
    turned: bool = False
    """Whether the count stands behind what is counted: "shops 6"."""


@dataclass(frozen=True, slots=True)
class _Whole:
    """A count that parts may belong to, with the words behind it."""

    value: float
    words: str
    loose: bool
    said: bool
    start: int


def sums(content: str) -> list[Sum]:
    """The totals of a report for which it also gives the parts, in order; at most MAX_SUMS."""
    content = content[:MAX_TEXT]
    if len(FIGURE.findall(content)) < 2:
        return []
    found: list[Sum] = []
    for front, run in islice(_chains(content, list(_pieces(content))), MAX_LISTS):
        made = _sum_of(content, run) if len(run) > 1 else None
        if not (made and made.adds_up) and front is not None and (inner := _inner(content, front)):
            made = _whole_list(made, _sum_of(content, [*inner, *run]))
        if made:
            found.append(made)
            if len(found) == MAX_SUMS:
                break
    return found


def _whole_list(made: Sum | None, other: Sum | None) -> Sum | None:
    """Of two readings of a list, the second of which has one part more, the one that is meant."""
    return other if made is None or (other is not None and other.adds_up) else made


# --- pieces and lists ---------------------------------------------------------


def _pieces(content: str) -> Iterator[_Piece]:
    """The stretches of a report between marks, list words and phrases that open a list."""
    start, opened, kind = 0, "", "stop"
    for match in _BREAK.finditer(content):
        if match.start() >= start:
            yield from _opened(content, start, match.start(), opened, kind)
            start, opened, kind = match.end(), match.group(), match.lastgroup or ""
    yield from _opened(content, start, len(content), opened, kind)


def _opened(content: str, start: int, end: int, opened: str, kind: str) -> Iterator[_Piece]:
    """The pieces of one stretch, parted where a phrase opens a list: "10 crews here, that is 6 ..."."""
    phrase = _OPENING_WORDS.search(content, start, min(end, start + 2 * REACH))
    if phrase is not None:
        if content[start : phrase.start()].strip():
            yield _piece(content, start, phrase.start(), opened, kind)
        start, opened, kind = phrase.end(), phrase.group(), "phrase"
    # "8 men 3 women": parts without anything between them
    while _BEGINS.match(content, start) and (second := _UNPARTED.search(content, start + 3, min(end, start + REACH))):
        words = content[start : second.start()].split()
        if len(words) > 3 or groups.acts(words[-1]):
            break
        yield _piece(content, start, second.start(), opened, kind)
        start, opened, kind = second.end(), " ", "joint"
    yield _piece(content, start, end, opened, kind)


def _piece(content: str, start: int, end: int, opened: str, kind: str) -> _Piece:
    text = content[start:end].strip()[: 40 * LONGEST_PART]
    match, turned = _PART.match(text), _TURNED.match(text)
    part = None
    if turned is not None and not _can_turn(turned.group(1)):
        turned = None
    if turned is not None:
        part = number(turned.group(2)), turned.group(1)
    elif match is not None:
        noun = " ".join(match.group(2).split())
        if len(noun.split()) <= LONGEST_PART and not (
            _DIGIT.search(_NUMBERED.sub("", noun)) or _ALL_TOLD.match(noun) or _IN_SUM.search(noun)
        ):
            part = number(match.group(1)), noun
    return _Piece(start, end, opened, kind, part, turned is not None)


def _can_turn(noun: str) -> bool:
    """Whether a number behind a noun may count it, or what is its: "shops 6, stalls 9", "Leeds 4, York 5"."""
    if _NO_TOTAL_BEFORE.search(noun) or _NO_TOTAL_BEFORE.search(noun[:-1]):
        return False
    return noun[0].isupper() or groups.is_plural(noun)


def _chains(content: str, pieces: Sequence[_Piece]) -> Iterator[tuple[_Piece | None, list[_Piece]]]:
    """Runs of parts, joined as the items of a list, each with the piece that a first item of it may close."""
    run: list[_Piece] = []
    front: _Piece | None = None
    for before, piece in pairwise((None, *pieces, None)):
        if piece is not None and piece.part is not None and run and _goes_on(run[-1], piece):
            run.append(piece)
            continue
        if run and (len(run) > 1 or front is not None):
            yield front, run
        run = [piece] if piece is not None and _begins(content, piece) else []
        if not run and before is not None and piece is not None and piece.part is not None and piece.kind == "joint":
            inner = _inner(content, before)
            run = [*inner, piece] if inner else []
        front = before if piece is not None and piece.kind == "joint" and not piece.turned else None


def _begins(content: str, piece: _Piece) -> bool:
    """Whether a piece can be the first item of a list."""
    if piece.part is None or _A.match(content, piece.start):
        return False
    return not piece.turned or piece.kind == "mark" or not piece.part[1][0].isupper()


def _goes_on(last: _Piece, piece: _Piece) -> bool:
    return piece.kind == "joint" and last.turned == piece.turned


def _inner(content: str, piece: _Piece) -> list[_Piece]:
    """The parts that a stretch of words closes with: "the storm sank 2 ferries" in front of "and 6 barges"."""
    parts: list[_Piece] = []
    if piece.part is not None:
        return parts
    end = piece.end
    for found in reversed(list(_COUNT.finditer(content, max(piece.start, piece.end - REACH // 2), piece.end))):
        noun = content[found.end(1) : end].split()
        limit = 3 if parts else LONGEST_PART - 2
        if not 0 < len(noun) <= limit or (parts and (groups.acts(noun[-1]) or not groups.is_plural(noun[-1]))):
            break
        numbered = _NO_TOTAL_BEFORE.search(content, piece.start, found.start()) is not None
        if not any(map(groups.is_plural, noun if numbered else noun[:1])) and (numbered or noun[0][0].isupper()):
            break
        if numbered and noun[-1][0].isupper():
            break
        parts.append(_Piece(found.start(), end, " ", "inner", (number(found.group(1)), " ".join(noun))))
        end = found.start()
    return parts[::-1]


# --- one list -----------------------------------------------------------------


def _sum_of(content: str, run: Sequence[_Piece]) -> Sum | None:
    end = run[-1].end
    rest = content[end : end + REACH]
    if _AND_OTHERS.match(rest.lstrip(" ,;")) or _OTHERS.match(rest):
        return None
    rest_named = bool(_REST.match(content, run[-1].start - len(run[-1].opened)))
    closed = rest_named or _CLOSED.search(rest.lstrip(" ,.;:-–—)]")) is not None
    parts = [piece.part for piece in run if piece.part is not None]
    ahead = _wholes(content, run[0])
    headed = _Whole(*parts[0], False, bool(_SAYS_TOTAL.search(content[max(0, run[0].start - 30) : run[0].start])), 0)
    read = [
        _reading(whole, parts, run[0], end, closed=closed, rest_named=rest_named, near=not at)
        for at, whole in enumerate(ahead)
    ]
    # What a mark opens is of the count in front of it: a wrong sum of a farther one is none.
    firm, inner = run[0].kind == "mark", run[0].kind == "inner"
    readings = [made for at, made in enumerate(read) if made and (made.adds_up or not (inner or (firm and at)))]
    if not (readings or inner):
        made = _reading(headed, parts[1:], run[1], end, closed=closed, rest_named=rest_named, start=run[0].start)
        readings = [made] if made else []
    right = [made for made in readings if made.adds_up]
    if right:
        return right[0]
    total = totals.behind(content[max(0, run[0].start - 40) : run[0].start], rest, parts)
    if total is not None:
        counts = tuple(value for value, _ in parts)
        return Sum(total.value, counts, False, total.loose, (run[0].start, end + total.end))
    return readings[0] if readings else None


def _wholes(content: str, first: _Piece) -> list[_Whole]:
    """The counts before a list that it may divide, the nearest first."""
    start = max(0, first.start - REACH)
    lead = content[start : first.start - len(first.opened)] if first.opened else content[start : first.start]
    stops = list(_SENTENCE_END.finditer(lead.rstrip(" .!?")))
    if stops:
        start += stops[-1].end()
        lead = lead[stops[-1].end() :]
    found = []
    for match in reversed(list(_COUNT.finditer(lead))):
        words, ahead = match.group(2) or "", lead[: match.start()]
        said = bool(_SAYS_TOTAL.search(ahead)) or not (words or lead[match.end() :].strip(" ,;:-–—("))
        said = said or _ALL_TOLD.match(words) is not None or _IN_SUM.search(lead, match.end(1)) is not None
        if groups.no_count(words) or _NO_TOTAL_BEFORE.search(ahead) or (not words and _NAMED.search(ahead)):
            continue
        if (
            _OF_COUNT.match(lead, match.end(1))
            or not (words or said)
            or (_CAPITAL.match(words) and not words.split()[0].isupper() and not groups.is_plural(words))
        ):
            continue
        behind = lead[match.start(2) :] if words else ""
        found.append(_Whole(number(match.group(1)), behind, bool(_LOOSE.search(ahead)), said, start + match.start()))
    return found[:3]


def _reading(
    whole: _Whole,
    parts: Sequence[tuple[float, str]],
    first: _Piece,
    end: int,
    *,
    closed: bool,
    rest_named: bool = False,
    near: bool = True,
    start: int | None = None,
) -> Sum | None:
    """The parts as those of a whole, unless they can't be meant as such."""
    values = tuple(value for value, _ in parts)
    nouns = [noun for _, noun in parts]
    if len(parts) < 2 or whole.value < 3 or any(map(groups.no_count, (whole.words, *nouns))):
        return None
    over = max(values) >= whole.value
    if over and not (near and (rest_named or _may_be_over(whole, parts, first, closed=closed))):
        return None
    made = Sum(whole.value, values, False, whole.loose, (whole.start if start is None else start, end))
    if groups.apart(whole.words, nouns) or any(groups.predicated(noun) for noun in nouns):
        return None
    if _BESIDES.search(nouns[-1]):
        return None
    some = (
        _AND_OTHERS.search(nouns[-1])
        or _PARTIAL.search(first.opened)
        or _PARTIAL_LEAD.search(whole.words)
        or any(map(_OF_THEM.match, nouns[:1]))
        or (_OF_THEM.search(first.opened) and not groups.complementary(nouns))
    )
    listed = closed and not _PARTIAL_LEAD.search(f"{first.opened} {whole.words}")
    if some and not (rest_named or listed):
        some_of = Sum(made.total, values, True, whole.loose, made.span)
        # Who is named as one of some may be another of them too: "12 hurt, including 8 women and 7 firefighters".
        return None if over or not (some_of.adds_up or groups.complementary(nouns)) else some_of
    if made.adds_up:
        return made
    if any(map(_OF_THEM.match, nouns)) and not (rest_named or closed):
        return None  # "9 for theft and 4 for arson, 3 of them for both"
    closed = closed or "=" in first.opened
    proportion = sum(values) / whole.value
    if any(map(groups.each, nouns)) or (any(map(groups.several, nouns)) and not groups.several(whole.words)):
        return None
    likely = _range(whole, nouns, first) if near else LIKELY
    likely = AKIN if closed or whole.said else likely
    if not likely[0] <= proportion <= likely[1]:
        return None
    # "In all 40 poles, 12 roofs and 9 trees came down": the first item of a list is no whole for being a total
    said = whole.said and (start is None or groups.akin(whole.words, nouns))
    strong = first.kind in {"mark", "phrase"} or closed or said
    if groups.graded(nouns) or groups.rated(whole.words) or (groups.stated(nouns) and not closed):
        return None
    listed = closed or whole.said or _says_parts(first)
    if groups.passing(nouns) and not listed and (not strong or groups.transient(nouns)):
        return None
    return made if strong or groups.divides(whole.words, nouns, apart_said=first.kind == "stop") else None


def _says_parts(first: _Piece) -> bool:
    return "=" in first.opened or _SAYS_PARTS.search(first.opened) is not None


def _may_be_over(whole: _Whole, parts: Sequence[tuple[float, str]], first: _Piece, *, closed: bool) -> bool:
    """Whether counts as large as the whole can be meant as its parts: "7 horses dug out: 5 mares and 8 foals"."""
    nouns = [noun for _, noun in parts]
    if groups.collective(whole.words, nouns) or sum(value for value, _ in parts) > AKIN[1] * whole.value:
        return False
    if whole.said or closed or _says_parts(first):
        if max(value for value, _ in parts) == whole.value or groups.akin(whole.words, nouns):
            return True
        plainly = whole.said or (_says_parts(first) and not _THAT.search(first.opened))
        return plainly and groups.free(whole.words, nouns)
    if groups.tied(whole.words, nouns) and groups.complementary(nouns):
        return True
    if first.kind != "mark":
        return False
    if groups.tied(whole.words, nouns) or groups.general(whole.words, nouns):
        return True
    return max(value for value, _ in parts) == whole.value and groups.free(whole.words, nouns)


def _range(whole: _Whole, nouns: Sequence[str], first: _Piece) -> tuple[float, float]:
    """How far apart a whole and its parts may be."""
    if groups.collective(whole.words, nouns):
        return LIKELY
    if _says_parts(first):
        return AKIN if groups.akin(whole.words, nouns) else SAID
    if first.kind == "mark" and groups.akin(whole.words, nouns):
        return LIKELY[0], SAID[1]
    if first.kind == "mark" and groups.free(whole.words, nouns):
        return NEAR
    return (LIKELY[0], SAID[1]) if groups.complementary(nouns) and groups.tied(whole.words, nouns) else LIKELY
