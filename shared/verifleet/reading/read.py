"""`read`: text to document. Marks of networks, clauses, negation, modality, attribution, names, quantities."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence, Set
from dataclasses import replace
from functools import cache, lru_cache
from itertools import pairwise

from verifleet.reading.document import Clause, Document, Modality, Sentence, Span
from verifleet.reading.gazetteer import listed as place_words
from verifleet.reading.gazetteer import meanings, regions
from verifleet.reading.legible import legible
from verifleet.reading.numbers import in_words
from verifleet.reading.quantities import is_without_power, quantities_of
from verifleet.reading.reposts import marks
from verifleet.reading.speakers import speaker_of
from verifleet.reading.tokens import Token, tag_parts, tokens
from verifleet.reading.words import (
    AUXILIARIES,
    INSIDE,
    JOINTS,
    LANGUAGES,
    NO_LONGER,
    RELATIVE,
    Table,
    data,
    fold,
    idioms_in,
    language_of,
    lemma,
    phrases_of,
    sense,
    stem,
    table,
    words_of,
)

MAX_SENTENCES = 400
MAX_CLAUSE, MAX_LEAD = 120, 24
"""Tokens of a clause, longer ones are cut, and of what stands before it in its sentence and may be its head."""
MAX_LABEL = 3
"""Words of a label that calls false what follows it."""
LONGEST_END = 12
"""Characters behind a sentence that show whether it breaks off."""
_DOMAINS = frozenset("com net org gov edu info".split())
LEAST_LAST, LEAST_NAME = 3, 6
"""Letters of a word, and of a name, before a full stop that no blank follows."""
_NAMED = re.compile(r"[-–—] +[A-Z@]")
"""Who is named behind dots: "Two dead in Porto ... - BBC News"."""
_ABBREVIATIONS = frozenset(
    "mr mrs ms dr st sta sto gen gov sen rep sgt lt col capt prof rev hon pres mt ft ave rd blvd hwy no vs approx est "
    "jan feb mar apr jun jul aug sep sept oct nov dec inc ltd co corp mag univ dept brgy bgy bldg hosp jr sr etc "
    "sra min max av conf incl pop colo prot".split()
)
_NOT = frozenset("not never no non nao ne n pas nicht nunca jamas tampoco cannot".split())
"""What negates the verb beside it, in Romance languages that behind it, in others one before."""
_BESIDE_VERBS = frozenset("still yet now already also aun todavia ancora ainda noch se si le lo la li e y hay".split())
_PLACE_BEFORE = frozenset(
    "in at near en a au aux nel nella bei of from outside across over around em no na de off".split()
)
_TITLES = frozenset(
    "mayor president minister gov governor mr mrs ms dr sheriff chief premier pm presidente alcalde".split()
)
_TELLING = frozenset("closed open cancel begin ended hit fell identify visit".split())
_IF, _WHAT_IF = {"en": "if", "de": "falls"}, frozenset(("as", "even", "what"))
"""What begins a condition anywhere in a sentence, and what makes it none."""
_ALL_SUCH = frozenset("the all any these such".split())
_STREETS = frozenset("Road Rd Street St Avenue Ave Highway Hwy Boulevard Blvd Parkway Lane".split())
_QUOTES = '"“”«»„'


@lru_cache(maxsize=512)
def read(text: str) -> Document:
    """The document of a text. Never raises; linear in the length of the text, of which 32,768 characters are read."""
    plain = legible(text)
    found, original = _without_marks(plain, tokens(plain))
    words = [token.low for token in found if token.kind == "word"]
    letters = [letter for letter in plain[:2000] if letter.isalpha()]
    body = [token.low for token in found if token.kind == "word" and token.start >= original]
    language = language_of(body or words, "".join(letters))
    quake = language != "" and any(sense(t.low.lstrip("#"), language).hazard == "earthquake" for t in found)
    told = (_sentence(part, asks, plain, language, quake) for part, asks in _sentences(found)[:MAX_SENTENCES])
    return Document(text, language, tuple(sentence for sentence in told if sentence.clauses))


# --- marks of networks ------------------------------------------------------------


def _without_marks(text: str, found: Sequence[Token]) -> tuple[list[Token], int]:
    """The tokens without leading handles and repost marks, and where what was reposted begins."""
    spans = [span for span, _ in marks(text)]
    kept: list[Token] = []
    at = 0
    for token in found:
        while at < len(spans) and token.start >= spans[at][1]:
            at += 1
        if at == len(spans) or token.start < spans[at][0]:
            kept += [token] if token.text != "RT" else []
        elif kept and kept[-1].kind != "line":
            kept.append(Token("line", token.start, token.start, "\n", "\n", False))
    start = next((at for at, token in enumerate(kept) if token.kind != "handle"), len(kept))
    after = kept[start] if 0 < start < len(kept) else None
    said = after is not None and any(after.low in words_of(language, "attribution") for language in LANGUAGES)
    if after is not None and after.text.islower() and (said or (spans and after.kind == "word")):
        start -= 1  # "RT @x: @MayorY surveys damage", "@MayorY says 9 died"
    return kept[start:], spans[-1][1] if spans else 0


# --- sentences and clauses ------------------------------------------------------------


def _sentences(found: Sequence[Token]) -> list[tuple[list[Token], bool]]:
    """The tokens of each sentence, and whether it asks."""
    made: list[tuple[list[Token], bool]] = []
    current: list[Token] = []
    for index, token in enumerate(found):
        ends = token.kind == "line" or token.text in ("|", "•", "!", "?", "¿", "¡", "…", "。", "؟")
        if token.text == "." and not ends:
            following = found[index + 1] if index + 1 < len(found) else None
            before = current[-1] if current else None
            short = before is not None and (
                before.low in _ABBREVIATIONS or (len(before.text) == 1 and before.text.isupper())
            )
            word = following is not None and following.kind == "word"
            typed = word and not token.glued  # "in Santa Maria .Que"
            apart = (
                following is None or not following.glued or following.kind == "url" or typed or _begins(found, index)
            )
            ends = apart and not short
        ends = (ends and not _garbled(found, index)) or token.text.startswith("..")
        if not ends:
            current.append(token)
            continue
        if current:
            made.append((current, token.text == "?"))
        elif token.text == "?" and made:
            made[-1] = (made[-1][0], True)
        current = []
    if current:
        made.append((current, False))
    return made


def _begins(found: Sequence[Token], stop: int) -> bool:
    """Whether a sentence begins right behind a full stop: "safe today.So sad", but not "Gov.Hickenlooper"."""
    before, after = found[max(0, stop - 1)], found[stop + 1]
    whole = before.kind == "word" and len(before.text) >= (LEAST_LAST if before.text.islower() else LEAST_NAME)
    return whole and after.kind == "word" and after.text.istitle() and after.low not in _DOMAINS


def _garbled(found: Sequence[Token], at: int) -> bool:
    """Whether a question mark stands for a dash that was lost, behind an agency: "MADRID (AP) ? The driver ..."."""
    return found[at].text == "?" and at > 0 and found[at - 1].text == ")" and not found[at].glued


def _sentence(found: list[Token], question: bool, text: str, language: str, quake: bool) -> Sentence:
    parts = _clauses(found, language)
    cut = (part[at : at + MAX_CLAUSE] for part in parts for at in range(0, len(part), MAX_CLAUSE))
    starts = {token.start: at for at, token in enumerate(found)}
    led = ((own, found[max(0, starts[own[0].start] - MAX_LEAD) : starts[own[0].start]]) for own in cut)
    made = (_clause(own, before, question, text, language, quake) for own, before in led)
    clauses = [clause for clause in made if clause is not None]
    between = (parts[0][-1].end, parts[1][0].start) if len(parts) > 1 else (0, 0)
    behind = (parts[-2][-1].end, parts[-1][0].start) if len(parts) > 1 else (0, 0)
    labels = ((between, parts[0]), (behind, parts[-1])) if len(parts) > 1 else ()
    if language and any(
        text[slice(*gap)].strip() in tuple(":-–—") and _calls_false(one, language, behind=gap is behind)
        for gap, one in labels
    ):
        clauses = [replace(clause, negated=True, denials=(clause.span,)) for clause in clauses]
    said = speaker_of(
        parts, any(token.text == ":" and between[0] <= token.start < between[1] for token in found), language
    )
    told = tuple(replace(clause, attributed_to=said) if said else clause for clause in clauses)
    return Sentence(
        (found[0].start, found[-1].end), told, question, _breaks_off(text[found[-1].end : found[-1].end + LONGEST_END])
    )


def _breaks_off(rest: str) -> bool:
    """Whether what follows a sentence shows that it was cut off: dots, and no more words."""
    bare = rest.lstrip()
    after = bare.lstrip("…. ")
    return bare.startswith(("…", "..")) and (
        not after or (after.startswith(("http", "h .", *"#@(\n”\"'")) or _NAMED.match(after) is not None)
    )


def _clauses(found: Sequence[Token], language: str) -> list[list[Token]]:
    """The parts of a sentence that say something of their own."""
    found = _without_corrected(found, language)
    parts: list[list[Token]] = []
    current: list[Token] = []
    ahead = _predicates_ahead(found, language)
    for index, token in enumerate(found):
        after = found[index + 1] if index + 1 < len(found) else None
        breaks = _breaks(found, index, current, ahead, language)
        if token.text in _QUOTES or breaks:
            if current:
                parts.append(current)
                current = []
            if token.text in _QUOTES or token.kind != "word" or after is None:
                continue
        current.append(token)
    return [*parts, current] if current else parts


def _without_corrected(found: Sequence[Token], language: str) -> Sequence[Token]:
    """A sentence without the figures that it corrects: "one person, not two, died"."""
    negates, kept, at = words_of(language, "negation") if language else frozenset[str](), list[Token](), 0
    cut = False
    while at < len(found):
        end = _corrected(found, at, negates, language) if cut or any(map(_is_figure(language), kept[-4:])) else 0
        if end:
            at, cut = end, True
            continue
        if not cut:
            kept.append(found[at])
        at, cut = at + 1, False
    return kept


def _corrected(found: Sequence[Token], at: int, negates: Set[str], language: str) -> int:
    """The comma behind a figure that is corrected, where the one before it stands; 0 if there is none."""
    if found[at].text != "," or at + 3 >= len(found) or found[at + 1].low not in negates:
        return 0
    number = in_words(found, at + 2, language)
    end = at + 2 + (number[1] if number else found[at + 2].kind == "number")
    nobody = (found[at + 1].low, found[at + 2].low) == ("no", "one")
    return end if at + 2 < end < len(found) and found[end].text == "," and not nobody else 0


def _is_figure(language: str) -> Callable[[Token], bool]:
    return lambda token: token.kind == "number" or in_words([token], 0, language) is not None


def _breaks(found: Sequence[Token], at: int, current: Sequence[Token], ahead: Sequence[bool], language: str) -> bool:
    """Whether a clause ends at a token: a mark that parts, a comma between two predications, "but"."""
    token = found[at]
    after = found[at + 1] if at + 1 < len(found) else None
    if token.kind == "url" or token.text in ("(", ")", "[", "]", ";", "—"):
        return True
    if token.low == _IF.get(language) and token.text.islower() and current:
        return current[-1].low not in _WHAT_IF
    if token.text in ("-", "–"):
        return not token.glued and after is not None and not after.glued
    if token.text == ":":
        return after is None or not after.glued or after.kind == "url"
    but = words_of(language, "but")
    if token.text == "," and after is not None and current:
        if after.low in words_of(language, "negation") or after.low in but:
            return True
        both = ahead[at + 1] and any(_predicative(word, language) for word in current)
        return both and after.kind != "number" and not (_listed(found, at) or _in_a_place(found, at))
    negates = bool(current) and current[-1].low in words_of(language, "negation")  # "has not yet been lifted"
    return bool(current) and token.kind == "word" and token.low in but and token.text.islower() and not negates


def _listed(found: Sequence[Token], comma: int) -> bool:
    """Whether a comma stands in a list of names or figures ("Nicaragua, Panama canceled")."""
    before = [token.text for token in found[max(0, comma - 2) : comma]]
    name, *behind = [token.text for token in found[comma + 1 : comma + 3]] or [""]
    listed = behind in ([","], ["and"], ["y"], ["e"]) or (before[:1] == [","] and before[-1][:1].isupper())
    return listed and name[:1].isupper() and not name.isupper()


def _in_a_place(found: Sequence[Token], comma: int) -> bool:
    """Whether a comma stands between a town and its state or country ("the dead in Arequipa, Peru are 4")."""
    names = [[fold(one.text) for one in found[comma + 1 : comma + many]] for many in (2, 3)]
    capital = all(one.text[:1].isupper() for one in found[comma - 1 : comma + 2 : 2])
    countries = (spot.level == "country" for spot in meanings(fold(found[comma - 1].text)))
    return capital and any(map(regions, map(" ".join, names))) and not any(countries)


def _predicates_ahead(found: Sequence[Token], language: str) -> list[bool]:
    """For each place whether a predicate follows before the next comma."""
    ahead = [False] * (len(found) + 1)
    for index in range(len(found) - 1, -1, -1):
        token = found[index]
        if token.text in (",", ";"):
            ahead[index] = False
        else:
            ahead[index] = ahead[index + 1] or _predicative(token, language)
    return ahead


def _predicative(token: Token, language: str) -> bool:
    if token.kind != "word":
        return False
    if token.low in AUXILIARIES or token.low in words_of(language, "attribution"):
        return True
    known = sense(token.low, language)
    if known.state or known.concept in _TELLING:
        return True
    return language == "en" and len(token.low) > 5 and token.low.endswith(("ed", "ing")) and token.text.islower()


def _clause(
    found: list[Token], lead: list[Token], question: bool, text: str, language: str, quake: bool
) -> Clause | None:
    content = [token for token in found if token.kind not in ("url", "handle")]
    while content and content[0].kind == "mark" and content[0].text not in "$€£+>¿":
        content = content[1:]
    while content and ((content[-1].kind == "mark" and content[-1].text not in "%$€£+") or content[-1].low == "via"):
        content = content[:-1]
    if not any(token.kind in ("word", "number", "tag", "clock", "phone") for token in content):
        return None
    span = (content[0].start, content[-1].end)
    idioms = list(idioms_in([token.low for token in content])) if language else []
    over = frozenset(place for places, name in idioms if name == NO_LONGER for place in places)
    within = frozenset(place for places, _ in idioms for place in places)
    denials, negated = _negation(content, language, over)
    return Clause(
        span,
        " ".join(text[span[0] : span[1]].split()),
        negated=negated,
        modality="asked"
        if question
        else _modality([token for at, token in enumerate(content) if at not in within], language, negated),
        lemmas=(*(name for _, name in idioms), *_lemmas(content, language, within)),
        quantities=quantities_of(content, language, quake, lead),
        names=_names(content),
        denials=denials,
    )


# --- negation, modality ------------------------------------------------------------


def _negation(found: Sequence[Token], language: str, over: Set[int]) -> tuple[tuple[Span, ...], bool]:
    """What is covered by a negation: spans from each negating word to the end of the clause; and whether all is.

    `over`: the places of words that tell that something is so no longer, and negate nothing.
    """
    if not language:
        return (), False
    negates, idioms = words_of(language, "negation"), phrases_of(language, "no_negation")
    lows = [token.low.replace("'", "").replace("’", "") for token in found]
    kinds = [
        denies(low) or ("no" if low in negates or token.low.endswith("n't") else "")
        for low, token in zip(lows, found, strict=True)
    ]
    kinds = [
        "" if kind == "dismisses" and not _is_of_what_is_told(found, at) else kind for at, kind in enumerate(kinds)
    ]
    kinds = ["denies" if kind == "dismisses" else kind for kind in kinds]
    kinds = ["" if kind == "wrong" and not _is_wrong(found, at) else kind for at, kind in enumerate(kinds)]
    if not any(kinds):
        return (), False
    skipped = {place for at in range(len(lows)) for place in range(at, at + _idiom(lows, at, idioms))} | over
    spans: list[Span] = []
    whole = False
    for index, kind in enumerate(kinds):
        none = index in skipped or _is_numbered(found, index) or is_without_power(found, index, language)
        if not kind or none or found[index].kind != "word":
            continue
        if kind in ("false", "wrong") or (kind == "denies" and _is_passive(found, index)):
            spans.append((found[0].start, found[-1].end))  # "reports of 10 deaths are incorrect", "were denied"
            whole = True
        elif not (language == "fr" and lows[index] in ("n", "pas", "plus") and spans):
            spans.append((found[index].start, found[-1].end))
            whole = whole or not _told_before(found, index, language)
    return tuple(spans), whole


def denies(word: str) -> str:
    """Whether a word says that something is not so: "denies" for what denies it, "false" for what it is then."""
    return _denying().find(word)


@cache
def _denying() -> Table:
    return table(data("lexicon")["denying"], "")


def telling(word: str) -> bool:
    """Whether a word is one for what is told, which may be true or false: "reports", "rumour", "number"."""
    return bool(_telling().find(word))


@cache
def _telling() -> Table:
    return table({"telling": data("lexicon")["tellings"]}, "")


def _is_passive(found: Sequence[Token], at: int) -> bool:
    """Whether something before a word of denial is what is denied: "were denied", "12 dead claim denied by"."""
    behind = found[at + 1].low if at + 1 < len(found) else ""
    told = found[at].low.endswith("ed") and behind == "by" and any(telling(token.low) for token in found[:at])
    return at > 0 and (found[at - 1].low in AUXILIARIES or told)


def _is_of_what_is_told(found: Sequence[Token], at: int) -> bool:
    """Whether a word such as "dismissed" is of something told, and of nobody's job: "claims of", "reports that"."""
    joined = [one.low for one, other in pairwise(found) if other.low in ("of", "that") and telling(one.low)]
    behind = [token.low for token in found[at + 1 : at + 3]]
    near = any(low in joined for low in (behind if behind[:1] and behind[0] in _ALL_SUCH else behind[:1]))
    return near or any(telling(token.low) and token.low in joined for token in found[:at])


def _is_wrong(found: Sequence[Token], at: int) -> bool:
    """Whether something told is called wrong, and nothing went wrong: "reports of 10 deaths are wrong"."""
    said = any(telling(token.low) for token in found)
    beside = [token.low for token in (*found[max(0, at - 1) : at], *found[at + 1 : at + 2])]
    return said and any(low in AUXILIARIES or telling(low) or low in ("the", "a", "all") for low in beside)


def _calls_false(part: Sequence[Token], language: str, *, behind: bool = False) -> bool:
    """Whether a label calls false what follows: "FALSE:", "Not true:", "Hoax -"; or what is before it: "- DEBUNKED"."""
    lows = [token.low for token in part if token.kind in ("word", "tag")]
    negates = words_of(language, "negation")
    known = all(denies(low) or telling(low) or low in negates for low in lows)
    if behind and (not any(map(denies, lows)) or any(low in negates and not denies(low) for low in lows)):
        return False  # "- news reports", "- not fake news"
    return known and len(lows) <= MAX_LABEL and (any(map(denies, lows)) or len(lows) > 1)


def _told_before(found: Sequence[Token], at: int, language: str) -> bool:
    """Whether something is told before a negating word that does not cover it.

    What negates a verb covers its subject: "The order for those who were evacuated has NOT been lifted" denies all of
    it; "3 died in a fire, not caused by" and "3 died when the alarm did not ring" only what follows.
    """
    before, behind = at, at + 1
    while before and found[before - 1].low in _BESIDE_VERBS:
        before -= 1
    while behind < len(found) and found[behind].low in _BESIDE_VERBS:
        behind += 1
    verb = found[before - 1].low.rpartition("'")[2] if before else ""
    held = found[at].low.endswith("n't") or (found[at].low in _NOT and verb in AUXILIARIES)
    before -= held and not found[at].low.endswith("n't")
    if not held and language in ("es", "it", "pt", "fr") and found[at].low in _NOT and behind < len(found):
        first = found[behind]
        held = first.kind == "word" and (first.low in AUXILIARIES or first.low not in words_of(language, "stop"))
    states = [bool(sense(token.low.lstrip("#"), language).state) for token in found[:at]]
    if not held:
        return any(states) or any(token.kind == "number" for token in found[:at])
    # A relative clause before the verb is part of its subject.
    joints = (n for n in range(before - 1, 0, -1) if found[n].low in JOINTS - (RELATIVE if n < before - 1 else set()))
    joint = next(joints, 0)
    counts = (n for n in range(joint) if found[n].kind == "number")
    return any(token.low in AUXILIARIES and len(token.low) > 1 for token in found[:joint]) or any(
        any(states[max(0, n - 2) : joint]) for n in counts
    )


def _is_numbered(found: Sequence[Token], at: int) -> bool:
    """Whether a word stands before a number as its name: "Advisory No. 33"."""
    behind = next((token for token in found[at + 1 : at + 3] if token.text != "."), None)
    return found[at].low == "no" and behind is not None and behind.kind == "number" and at > 0


def _idiom(lows: Sequence[str], at: int, idioms: Sequence[tuple[str, ...]]) -> int:
    """The length of an idiom at a place that negates nothing, 0 for none."""
    for phrase in idioms:
        if lows[at] == phrase[0] and tuple(lows[at : at + len(phrase)]) == phrase:
            return len(phrase)
    return 0


def _modality(found: Sequence[Token], language: str, negated: bool) -> Modality:
    if not language:
        return "asserted"
    words = [token.low for token in found if token.kind == "word"]
    if not words:
        return "asserted"
    if not words_of(language, "unreal").isdisjoint((words[0], " ".join(words[:2]))) or "would" in words[:6]:
        return "unreal"
    if any(word in words_of(language, "wished") for word in words[:4]):
        return "wished"
    if words[0] in words_of(language, "ordered"):
        return "ordered"
    # Who denies what may come is sure of it, and so is "no truth in rumours".
    told, negating, rejects = negated and any(map(telling, words)), False, False
    for at, word in enumerate(words):
        rejects |= negated and (bool(denies(word)) or (negating and telling(word)))
        negating |= word in words_of(language, "negation")
        confirms = any(map(telling, words[at + 1 : at + 3]))  # "we can now confirm that"
        if word in words_of(language, "possible") and not (rejects or confirms or (told and telling(word))):
            return "possible"
        if word in words_of(language, "predicted") and not rejects:
            return "predicted"
        if sense(word, language).state:
            break
    return "asserted"


# --- names, lemmas ------------------------------------------------------------


def _lemmas(found: Sequence[Token], language: str, within: Set[int]) -> tuple[str, ...]:
    """The content words by their one name, in order, each once; of those within idioms the ones with a name."""
    stop = words_of(language or "en", "stop")
    made: dict[str, None] = {}
    for at, token in enumerate(found):
        if (at in within and not sense(token.low, language).name) or _names_street(found, at):
            continue
        if token.kind == "tag":
            for word in _tag_words(token):
                if word not in stop and len(word) > 1:
                    made[lemma(word, language)] = None
        elif token.kind == "word" and len(token.low) > 1:
            low = token.low.removesuffix("'s")
            for part in low.split("'"):
                if len(part) > 1 and part not in stop:
                    made[lemma(part, language) if language else stem(part, "")] = None
    return tuple(made)


def _names_street(found: Sequence[Token], at: int) -> bool:
    """Whether a site stands in the name of a street: "Airport Road" tells of no airport."""
    behind = found[at + 1].text if at + 1 < len(found) else ""
    return found[at].text.istitle() and found[at].low in place_words("sites") and behind in _STREETS


def _tag_words(token: Token) -> list[str]:
    """The words in a hashtag: "#CostaRica" gives costa and rica."""
    parts = [fold(part) for part in tag_parts(token.text) if not part.isdigit()]
    return parts if 1 < len(parts) <= 5 else [fold(token.text[1:])]


def _names(found: Sequence[Token]) -> tuple[str, ...]:
    """Runs of capitalised words; in a text of capitals only, none. Of hashtags those that are written so."""
    words = [token for token in found if token.kind == "word"]
    if len(words) > 3 and sum(token.text[:1].isupper() for token in words) > 0.7 * len(words):
        words = []
    runs: list[list[Token]] = []
    last: Token | None = None
    for token in words:
        shouted = token.text.isupper() and len(token.text) > 5
        capital = token.text[:1].isupper() and not (shouted and (last is None or last.low not in _PLACE_BEFORE))
        joined = last is not None and token.start - last.end <= 1 and bool(runs) and runs[-1][-1] is last
        if joined and (capital or (token.low in INSIDE and len(runs[-1]) < 6)):
            runs[-1].append(token)
        elif capital:
            runs.append([token])
        last = token
    made = [name for run in runs if (name := _name(run, words[0]))]
    for before, token in zip((None, *found), found, strict=False):
        if token.kind == "tag":
            parts = tag_parts(token.text)
            placed = before is not None and before.low in _PLACE_BEFORE
            if (placed or len(parts) > 1) and len(parts) <= 3 and all(part[:1].isupper() for part in parts):
                made.append(" ".join(parts))
    return tuple(made[:24])


def _name(run: list[Token], first: Token) -> str:
    """A run as a name; "" for a person with a title, and for one word that begins a sentence, as any does."""
    while not run[-1].text[:1].isupper():
        run.pop()
    if len(run) == 1 and run[0] is first:
        return ""
    return "" if run[0].low in _TITLES and len(run) > 1 else " ".join(token.text for token in run)
