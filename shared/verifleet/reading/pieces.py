"""Sentences as pieces that can stand alone, without the marks of networks, and how they read."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

from verifleet.reading import gazetteer
from verifleet.reading.acts import acts, listed
from verifleet.reading.gazetteer import joined, spot_of
from verifleet.reading.legible import legible
from verifleet.reading.reposts import find_repost
from verifleet.reading.speakers import is_public
from verifleet.reading.tokens import Token, tag_parts, tokens
from verifleet.reading.words import endings_of, fold, offices, sense

LONGEST_SOURCE = 5
"""Words of a name of a medium behind a headline: "… - Yahoo! News Canada"."""
MAX_TOKENS = 400
_WORDS = frozenset({"word", "tag", "handle"})
_LINKS = frozenset({"url", "email", "line"})
_OPENING = frozenset("\"“”'‘’«»()[]{}*•|>~=-–—_:;,./…+!¡&%^#@<【】▶►→")
_CLOSING = frozenset("\"“‘'«(<[{*•|>~=-–—_:;,/…+&^#@【】▶►→")
_OPENED, _CLOSED = ("(", "["), (")", "]")
LONGEST_JOINED = 160
"""Characters up to which what a dash parts stays one statement, where one side leans on the other."""
SHORTEST = 5
"""Letters up to which a word that ends like a verb need be none, "speed", and one in capitals no place, "USGS"."""
MAX_TOPIC = 3
"""Words of a hashtag that names a place: "#PrayForTheVictimsInManila" does more."""
MAX_ASIDE = 10
"""Tokens of an aside in brackets."""
LEAST_WHOLE = 4
"""Tokens before a joint that can stand alone."""
LEAST_BEHIND = 20
"""Characters behind a piece that tell whether it goes on."""
_GOES_ON = ("…", "..", "&")
_BREAKS = frozenset(";|•–—…►")
_MARKS = frozenset(",:(")
_QUOTES = {'"': '"', "'": "'", "”": "“", "’": "‘", "»": "«"}
"""Marks that close a quotation, and those that open it."""


def _is_in(token: Token, *names: str) -> bool:
    return any(token.low in listed(name) for name in names)


def pieces(sentence: Sequence[Token], language: str, cut: bool = False) -> list[list[Token]]:
    """The pieces of a sentence in order, marks, asides and names of media left out; `cut`: it breaks off at its end."""
    body = _stripped(list(sentence[:MAX_TOKENS]))
    broken = cut and bool(body) and body[-1] is sentence[-1]
    last = [token for token in sentence if token.kind not in _LINKS][-1:]
    loose = bool(body) and last != body[-1:] and last[0].text in listed("loose")
    parted = _parted(body, [tells(token, language) for token in body], broken or loose)
    if broken or loose:
        parted[-1] = _whole(_stripped(parted[-1]), language, loose)
    parts = [part for part in (_stripped(part) for part in parted) if any(token.kind in _WORDS for token in part)]
    whole = _joined(parts, body, language)
    return whole[:-1] if len(whole) > 1 and _is_name(whole[-1]) else whole


def _joined(parts: list[list[Token]], body: list[Token], language: str) -> list[list[Token]]:
    """The parts, those at a dash put together where one names nothing without the other."""
    starts = {token.start: index for index, token in enumerate(body)}
    made: list[list[Token]] = []
    for part in parts:
        between = body[starts[made[-1][-1].start] + 1 : starts[part[0].start]] if made else []
        near = bool(made) and part[-1].end - made[-1][0].start <= LONGEST_JOINED
        soft = bool(between) and between[-1].text in "-–—" and all(one.text in _QUOTES for one in between[:-1])
        if near and soft and _one(made[-1], part, language):
            made[-1] = [*made[-1], *between, *part]
        else:
            made.append(part)
    return made


def _one(first: list[Token], second: list[Token], language: str) -> bool:
    """Whether two parts of a sentence are one statement: the second says something or who says it, and one leans."""
    if _is_name(first) and not names_topic(first, language):
        return False
    who = len(second) <= LONGEST_SOURCE and any(token.low in offices() for token in second)
    says = any(token.kind == "number" or tells(token, language) for token in second)
    return who or (says and (leans(first, language) or leans(second, language)))


def word_of(token: Token) -> str:
    """A word without accents and capitals, but for "è" and "é", which are no "and"."""
    return "e'" if token.text.lower() in ("è", "é") else token.low


def tells(token: Token, language: str) -> bool:
    """Whether a word can be what a statement says of something: a verb, or what befell somebody."""
    if token.kind != "word" or word_of(token) in listed("verb"):
        return token.kind == "word"
    finite = len(token.low) > SHORTEST and token.text.islower() and token.text.endswith(endings_of(language))
    return finite or bool(sense(token.low, language).state)


def reads(part: Sequence[Token]) -> str:
    """How tokens read: links left out, handles without their mark, hashtags as words."""
    made = ""
    for token in part:
        text = " ".join(tag_parts(token.text)) if token.kind == "tag" else token.text
        text = text[1:].replace("_", " ").strip() if token.kind == "handle" else text  # names of accounts are no words
        made += "" if token.kind in _LINKS else text if token.glued else f" {text}"
    return " ".join(made.split())


def plain(text: str) -> str:
    """How a line of figures reads by itself: what is reposted, without links, tails and the marks of networks."""
    text = legible(text)
    return reads(_stripped(list(tokens(text[slice(*find_repost(text).original)])[:MAX_TOKENS])))


def is_plain(content: str, span: tuple[int, int] | None) -> bool:
    """Whether a part of a report is whole, and words: no handle that it is about, no hashtags in a row or behind it."""
    if span is None:
        return True
    if _goes_on(content, span):
        return False
    found = tokens(legible(content[slice(*span)]))
    named = not found or found[0].kind != "handle" or is_public(found[0].text)  # readers know nobody else
    loose = len(found) > 1 and found[-1].kind == "tag" and found[-2].low in listed("verb") - listed("function")
    return named and not loose and not any(one.kind == other.kind == "tag" for one, other in pairwise(found))


def _goes_on(content: str, span: tuple[int, int]) -> bool:
    behind = content[span[1] : span[1] + LEAST_BEHIND].lstrip()
    return behind.startswith(_GOES_ON) or (behind[:1].islower() and not behind.startswith(("http", "via")))


def leans(part: Sequence[Token], language: str) -> bool:
    """Whether a part has no name of anything, so that what it tells of stands beside it: "32 in hospital"."""
    words = [token for token in part if token.kind in _WORDS]
    capital = [token.text[:1].isupper() for token in words[1:]]
    named = 0 < 2 * sum(capital) < len(capital)  # not a title, in which each word has a capital
    return not named and all(token.kind == "word" for token in words) and not names_topic(part, language)


def led_by(part: Sequence[Token], language: str, before: str, about: str) -> str:
    """What a part leans on: the statement before it where it names nothing, else what the report is about."""
    timed = before.endswith(". ") and any(token.kind == "clock" for token in part[:LEAST_WHOLE])
    if timed and not any(tells(token, language) or sense(token.low, language).hazard for token in part[LEAST_WHOLE:]):
        return before  # "Sep 5 8:42am at epicenter, 83km S of Liberia"
    return before if leans(part, language) else "" if names_topic(part, language) else about


def names_topic(part: Sequence[Token], language: str) -> bool:
    """Whether a part names a hazard or a place, or has a hashtag among its words."""
    return any(token.kind == "tag" or (token.kind == "word" and _is_topic(token.text, language)) for token in part)


def topic(found: Sequence[Token], language: str) -> str:
    """What the first hashtag that names a place, else a hazard, says a report is about, "" without one."""
    hazard = ""
    for token in found:
        if token.kind == "tag":
            said, low = tag_parts(token.text), token.low[1:]
            ends = [low[-size:] for size in range(4, 10)]  # "yycflood"
            placed = low in joined() or (len(said) <= MAX_TOPIC and any(map(spot_of, said)))
            named = placed or any(sense(fold(word), language).hazard for word in (*said, *ends))
            if named and {"feel", "wish", "imperative"}.isdisjoint(acts().names([word.lower() for word in said])):
                hazard = f"{' '.join(said)}: " if placed or not hazard else hazard
                if placed:
                    break
    return hazard


@lru_cache(maxsize=8192)
def _is_topic(word: str, language: str) -> bool:
    """Whether a word is of a hazard or names a place."""
    return bool(sense(fold(word), language).hazard or spot_of(word))


def _whole(part: list[Token], language: str, loose: bool) -> list[Token]:
    """Of a part that breaks off what states something before its last mark, conjunction or preposition.

    Not before "of", without which a noun is not whole, nor before an article behind a verb. `loose`: the end is left
    out already.
    """
    told = next((at for at, token in enumerate(part) if tells(token, language)), len(part))
    counted = next((at for at, token in enumerate(part) if token.kind == "number"), told)
    if loose and told < len(part) and _ends(part[-1], language):
        return part
    for joints in (_MARKS, listed("joint"), listed("function")):
        index = len(part)
        while (index := index - 1) >= LEAST_WHOLE:
            low, after = part[index].low, _is_in(part[index - 1], "function")
            if low not in joints or low in listed("genitive") or (low in listed("article") and not after):
                continue
            while _is_in(part[index - 1], "function", "hanging") and index > LEAST_WHOLE:
                index -= 1
            stated = min(told, counted) < index if low in _MARKS else told < index and _ends(part[index - 1], language)
            if stated or low == ":":
                return part[:index]
    return []


def _ends(token: Token, language: str) -> bool:
    """Whether a statement can end in a word: in what befell somebody, but in no verb that asks for an object."""
    known = sense(token.low, language)
    return bool(known.state or known.hazard) or not _is_in(token, "verb", "function")


def _stripped(part: list[Token]) -> list[Token]:
    start, end = 0, len(part)
    while start < end and (skipped := _leading(part, start, end)):
        start += skipped
    while end > start and (skipped := _trailing(part, start, end)):
        end -= skipped
    return part[start:end]


def _leading(part: list[Token], start: int, end: int) -> int:
    """How many tokens at the start are no part of what is said."""
    token = part[start]
    following = part[start + 1] if start + 1 < end else None
    if token.text in _OPENED:
        return 1 + next((n for n in range(1, min(MAX_ASIDE, end - start)) if part[start + n].text in _CLOSED), 0)
    goes_on = following is not None and following.kind == "word" and following.text[:1].islower()
    if token.kind in _LINKS:
        return 1
    if token.kind == "handle":
        return int(following is None or not goes_on or _is_in(following, "first", "you", "article", "this"))
    if token.kind == "mark":
        return int(token.text[0] in _OPENING or not token.text.isascii())
    if token.kind == "tag":
        of_it = following is not None and following.low in offices() | gazetteer.listed("kinds")  # "#Boulder County:"
        named = goes_on or of_it or (following is not None and following.text == ":")
        return int(not named or token.low.lstrip("#") in listed("label"))
    if word_of(token) in listed("lead") and end - start > LEAST_WHOLE:
        return int(not (part[start + 1].low == "de" and part[start + 2].text[:1].isdigit()))  # "más de 30 muertos"
    for length in (3, 2, 1):  # "BREAKING NEWS:"
        closed = part[start + length].text[0] if start + length < end else ""
        label = [word.low.lstrip("#") for word in part[start : start + length]]
        told = " ".join(label) in listed("label") or (closed == ":" and label[-1] in listed("label"))
        if told and closed and closed in ":|-–—!/.*":
            return length + 1
    return 0


def _trailing(part: list[Token], start: int, end: int) -> int:
    """How many tokens at the end are no part of what is said."""
    token = part[end - 1]
    before = part[end - 2] if end - 2 >= start else None
    if token.kind in _LINKS:
        return 1
    if token.text in _CLOSED:
        opened = next((n for n in range(2, min(MAX_ASIDE, end - start) + 1) if part[end - n].text in _OPENED), 0)
        noted = {word.low for word in part[end - opened : end]} if opened else set()
        return opened if noted & (listed("label") | listed("tail")) else 0
    if token.text in _QUOTES and start < end - 1:
        opens = (one.text == _QUOTES[token.text] for one in part[start : end - 1])
        return int(sum(opens) % 2 == 0) if token.text in "\"'" else int(not any(opens))
    if token.kind == "mark":
        return int(token.text[0] in _CLOSING or token.text.startswith("..") or not token.text.isascii())
    if token.kind in ("tag", "handle"):
        return int(before is None or not _awaits(before, token))
    if token.text in listed("loose") and end - start > LEAST_WHOLE:
        return 1
    for length in range(min(4, end - start), 0, -1):
        tail = " ".join(word.low for word in part[end - length : end])
        if tail in listed("tail") and (length > 1 or tail in ("via", "rt", "cont")):
            return length
    return 0


def _awaits(before: Token, name: Token) -> bool:
    """Whether a word asks for the hashtag or account behind it: "in #Boulder", "Typhoon #Pablo", "4.5 #earthquake"."""
    known, storm = sense(name.low[1:], "en"), before.kind == "word" and sense(before.low, "en").hazard == "storm"
    counted = before.kind == "number" and bool(known.hazard or known.state)
    low = before.low.lstrip("#")
    return storm or counted or low.endswith("'s") or any(low in listed(k) for k in ("function", "verb", "before"))


def _parted(body: list[Token], telling: list[bool], cut: bool) -> list[list[Token]]:
    """The body cut at links, at marks between statements, and before asides.

    The beginning of an article behind its headline is left out where it is cut off and has no figure of its own.
    """
    parts: list[list[Token]] = [[]]
    closed = max((index for index, token in enumerate(body) if token.text in _CLOSED), default=-1)
    told = max((index for index, tells in enumerate(telling) if tells), default=-1)
    head = 0
    for index, token in enumerate(body):
        long = token.kind == "mark" and len(parts[-1]) >= LEAST_WHOLE
        whole = long and any(telling[index - len(parts[-1]) : index])
        following = body[index + 1] if index + 1 < len(body) else None
        quotes = token.kind == "handle" and following is not None and following.text[0] in ":@"
        quotes &= not any(one.low in offices() for one in parts[-1][-2:])  # "PM @leehsienloong: Haze could last"
        breaks = token.kind in ("line", "url") or (token.text in _OPENED and index > closed) or quotes
        if token.text == ":" and (index + 1 == len(body) or not body[index + 1].glued):
            dated = following is not None and following.text.isupper() and len(following.text) >= SHORTEST
            breaks = whole and (cut or told > index or dated)  # "Smoke drifts north: LARAMIE, Wyo. (AP)"
        elif token.kind == "mark" and not breaks:
            bare = any(one.kind == "number" for one in parts[-1]) and not any(telling[index - len(parts[-1]) : index])
            breaks = _breaks(body, index) and not (bare and token.text in "-–—")  # "M 4.9 - Pacific Ocean"
        if breaks:
            head = head or (whole and token.text in ":-–—|" and len(parts))
            parts.append([token] if quotes else [])
        else:
            parts[-1].append(token)
    known = {token.low for part in parts[:head] for token in part}
    fresh = any(token.kind == "number" and token.low not in known for part in parts[head:] for token in part)
    return [*parts[:head], []] if cut and head and not fresh else parts


def _breaks(body: list[Token], index: int) -> bool:
    token, following = body[index], body[index + 1] if index + 1 < len(body) else None
    if token.text[0] in _BREAKS or token.text.startswith(".."):
        return token.text not in "–—" or following is None or not following.text[:1].isdigit()
    if token.text == "-" or (token.text == "/" and not token.glued):
        return following is not None and not following.glued
    return token.text == "," and following is not None and _is_aside(body, index + 1)


def _is_aside(body: list[Token], start: int) -> bool:
    """Whether what follows a comma turns to the reader or to God."""
    ahead = [token.low for token in body[start : start + 6] if token.kind != "mark"][:3]
    feels = not {"feel", "wish"}.isdisjoint(acts().names(ahead))
    return feels or not listed("imperative").isdisjoint(ahead[:1])


def _is_name(part: Sequence[Token]) -> bool:
    """Whether a part is no more than a name of somebody who tells it."""
    words = [token for token in part if token.kind in _WORDS]
    return 0 < len(words) <= LONGEST_SOURCE and all(
        token.text[:1].isupper() or token.kind != "word" or token.low in listed("function") for token in words
    )
