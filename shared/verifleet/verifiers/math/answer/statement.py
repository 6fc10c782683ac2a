"""The final statement of a response, read as a grammar.

    sentence  = { clause connective } clause            the last clause that states something counts
    clause    = { words } value { joiner value } [ condition ] [ aside ] { words }
    value     = run of signs, formulas, numbers and symbols, with its unit

A clause is cut into pieces, pieces into runs of mathematics with words between them. Which run is the value is told
by where it stands: behind a copula, in an equation, or as the only amount that the prompt does not give. Words of all
languages are looked up in `phrases`; a word that nobody knows ends a run, whatever it means.
"""

from __future__ import annotations

import re

from verifleet.reading.spelled import in_digits
from verifleet.reading.words import spoken
from verifleet.verifiers.math.answer import phrases
from verifleet.verifiers.math.answer.bounds_in_words import bound_before
from verifleet.verifiers.math.answer.readings import fits
from verifleet.verifiers.math.answer.restated import Restated, agreed, contradicted, exactly_after, restated, said_about
from verifleet.verifiers.math.answer.stance import WAVERING, by_others, denied, unsaid
from verifleet.verifiers.math.answer.value import (
    NAMED,
    THAT_IS,
    Stated,
    behind_copula,
    closed,
    comparable,
    named_value,
    without_aside,
)
from verifleet.verifiers.math.answer.wording import said_meaning, words
from verifleet.verifiers.math.question import NOTHING, Question, fold, stem, stems
from verifleet.verifiers.math.syntax.runs import MAX_READ, NAMES, blank, runs_of, whole_run, without_formulas
from verifleet.verifiers.math.syntax.vocabulary import phrased

MAX_SENTENCE = 8_000
MAX_CLAUSES = 40  # of a sentence, from the last one
MAX_BULLETS = 20
_SENTENCE_END = re.compile(
    r"(?<!\b[A-Z])(?<![0-9]\.\.)(?<!\bi\.e)(?<!\be\.g)(?!!\))[.!?](?=[\"”)]?\s+(?:[A-Z(\[<À-ÞА-Я\ue000]|"
    r"[a-z]\s?[-−+=])|"
    r"[\"”)]?\s*$)|(?<=[0-9]\.\.\.)(?=\s+[A-Z])|"
    r"(?<=[a-z]{3})(?<!approx)(?<!resp)[.!?](?=\s+\$?[-−]?[0-9])|"
    r"(?<=[0-9)%\ue000])(?<!\n[0-9])(?<!^[0-9])(?:[.?]|!(?!\s*[-−+*/=·×)]))(?=\s+\S)|\n|"
    r",(?=\s(?:while|whereas)\s)"
)
_CELLS = re.compile(r"\|\s(?:[^|\n]*\|){2,}(?=[^|\n]*[^|\s][^|\n]*\|\s*$)[\s*]*")
_PLACED = re.compile(r"\s(?:at|as|for|when)\s(?:x\s=\s)?[\d\ue000]")
_SINGULAR = re.compile(r"\s*(?:which|this|that|it)\b", re.IGNORECASE)
_OTHERS = re.compile(r"\b(?:students?|friends?|classmates?|someone|somebody|people)\b", re.IGNORECASE)
_DECORATION = re.compile(r"(?:\n\s*[-•]\s+(?=\d)|[\s*_:>#\"“”`•])*")
_LIST_SIGN = re.compile(r"(?:\s*[-•]\s+)?" + _DECORATION.pattern)
_OF_ANOTHER = re.compile(r"\s*(?:(?P<while>while|whereas)\s+)?(?P<name>[A-Z][a-z]+)(?:['’]s)?\s")
_BRACKETED = re.compile(r"\s*\((?=[^)]*(?:\b[A-Za-z]{2,}\s+(?:\d+\s+)?[a-z]{3,}|[✓✔]))")
MAX_SENTENCES = 60
_CONTENT = re.compile(r"[^\W_]|[\\$∅∞]")
_TICKED = re.compile(
    r"(?:^|[\s(])[\d√][^A-Za-z=]*=[^A-Za-z=]*"
    r"(?:[✓✔]|,\s(?:which|as)\s(?:agrees|matches|checks|holds|it\sshould)\b.*)\W*$"
)
"""A sentence that ends on an identity of numbers with a tick: `54 = 3·18 ✓`, or with words that say as much."""
_ROW = re.compile(
    r"(?P<sign>(?:[-*•·–]|\d{1,2}[.)]|\([a-z0-9]\))\s+(?=[\w$\\(−-]))?(?P<bar>\|\s*)?"
    r"(?:(?P<label>[^|:=$\n]{1,60}?)\s*(?(bar)\||(?::|(?<=[a-z]{2})=|(?<=[a-z]{2}\s)=)\s)\s*)?(?P<value>[^|\n]+)\|?"
)
_IN_BRACKETS = re.compile(r"[(\[\]][^()\[\]\n]*[)\[\]]")
_INSIDE = r"[^()\[\]\n]{0,120}+"
_LABEL = re.compile(
    rf"(?<![\w\\)\]}}])(?P<name>[A-Za-z]{{1,12}})[(\[](?P<inside>{_INSIDE}(?:["
    rf"(\[]{_INSIDE}[)\]]{_INSIDE}){{0,3}}+)[)\]]"
    r"(?=\s*(?:[=≈:\ue000]|(?:is|are|was|equals)\b))"
)
_SAID = re.compile(r"(?<![\\\w])(?:[A-Za-z]{1,2}[a-z]{2,}|is|at|no|or|of|in|on|to)(?!\w)")
_MANY_WORDS = re.compile(r"(?<![\\A-Za-z])[a-z]{3,} (?:[a-z]{2,} ){2}")
_UNKNOWN = re.compile(r"(?<![\w\\])([a-z])\s*=")
_NAMING = re.compile(r"\s*[A-Za-z]\w{0,2}\s*=")
_ARROWS = frozenset({"->", "→"})
_NEARING = re.compile(r"(?:\b(?:as|when|since|under|lim|limit|maps?|sends?|takes?)\b|\\lim)[^.;]{0,25}\Z")
_STEP = re.compile(r"[=<>≤≥][^=<>≤≥,;]{1,40}\Z|\d\s?[×*+/·−-]\s?\d+\s*\Z")
_NOUN_BEFORE = re.compile(r"([^\W\d_]+)(?: (?:of|de|von))?\s*$")
_NOUN = re.compile(r"(?!inf)[a-z]{3,}\b")
_RATIO = spoken(
    rf"""(?P<first>\d[\d.,/]*) (?P<one>(?:[^\W\d_]+ ){{1,3}}?)(?:{phrased("statement.to")}) (?P<second>\d[\d.,/]*)
    (?P<other>(?: [^\W\d_]+){{1,3}})"""
)
_RATIO_OF = spoken(phrased("statement.ratio_of"))
_PRODUCT = re.compile(r"\\cdot|\\times|[×·⋅*+]")
_VALUE = re.compile(r"[0-9π√]|\\[a-z]")


def stated_after(text: str, start: int, asked: Question = NOTHING) -> Stated | None:
    """The answer in the first sentence after a phrase such as "the final answer is"."""
    body = text[start : start + MAX_SENTENCE]
    lead = (_LIST_SIGN if "\n" in text[max(0, start - 4) : start] else _DECORATION).match(body)
    start += lead.end() if lead else 0
    body = text[start : start + MAX_SENTENCE]
    end = _SENTENCE_END.search(without_formulas(body))
    found = _stated(body[: end.start()] if end else body, asked)
    return found and found.moved(start)


def stated_last(body: str, asked: Question = NOTHING) -> Stated | None:
    """The answer in the last sentence that concludes: no courtesy, no check, no remark about it."""
    ends = [match.end() for match in _SENTENCE_END.finditer(without_formulas(body))][-MAX_SENTENCES:]
    first = 0 if len(ends) < MAX_SENTENCES else ends[0]
    spans = [(a, b) for a, b in zip([first, *ends], [*ends, len(body)], strict=True) if _CONTENT.search(body, a, b)]
    rejected: list[str] = []
    spare: Stated | None = None  # of another kind than what is sought
    refused: Stated | None = None  # by the last sentence
    for index in range(len(spans) - 1, -1, -1):
        begin, end = spans[index]
        sentence = body[begin:end]
        above = body[slice(*spans[index - 1])].strip() if index else ""
        if (spare and _OTHERS.search(sentence)) or (index and _states_nothing(sentence, above, asked)):
            continue
        if index < len(spans) - 1 and sentence.rstrip().endswith("?"):
            return refused
        if index and _refuses(sentence):
            rejected += [comparable(run.text) for run in runs_of(sentence)]
            continue
        listed = _bullets(body, spans[: index + 1])
        if listed is not None and not listed.whole:
            return listed
        begin += phrases.after_withdrawal(sentence)
        lead = _CELLS.match(body, begin, end) or _DECORATION.match(body, begin)
        begin = min(lead.end(), end) if lead else begin
        found = _stated(body[begin:end].rstrip(), asked, alone=begin == 0)
        if found is None:
            return spare or refused
        found = found.moved(begin)
        if index and not refused and denied(body, found.start, found.end):
            refused = found  # 49 - 20 = 29. It is not 225.
            continue
        if (index or spare) and not fits(found.text, asked):
            spare = spare or found
            continue
        if listed is not None:
            found = found._replace(whole=listed.whole, text=listed.text)
        elif _NAMING.match(found.text):
            earlier = spans[max(0, index - 3) : index]
            before = (one.moved(a) for a, b in earlier if (one := _stated(body[a:b].rstrip(" \n.,;"), asked)))
            named = (one for one in before if _NAMING.match(re.split(r"[,;]", one.text)[-1]))  # 2x = 14, x = 7
            earlier_ones = [one.whole or one.text for one in named if not denied(body, one.start, one.end)]
            found = found._replace(whole="; ".join((*earlier_ones, found.whole)))
        return found._replace(text=_without(found.text, rejected))
    return spare or refused


def _states_nothing(sentence: str, above: str, asked: Question) -> bool:
    """Whether a sentence is a courtesy, a check or a remark, or says of the one above what it is about or not."""
    masked = without_formulas(sentence)
    if phrases.COURTESY.search(masked) or _mentions(sentence, asked):
        return True
    other = _OF_ANOTHER.match(sentence)
    if other and (other["while"] or other["name"] in asked.text) and NAMED.match(other["name"]) and runs_of(above):
        here, before = (stems(re.findall(r"\w+", text)) & asked.topic for text in (sentence, above))
        if here < before and stem(other["name"].lower()) not in here:
            return True
    if phrases.CHECK.match(sentence) or _TICKED.search(sentence):
        return bool(runs_of(above)) and not _finds(sentence, above)
    opening = phrases.OPENING.match(masked)
    main = sentence[opening.end() :] if opening else sentence
    reason = opening and asked.kind and not named_meaning(words(main))
    if (reason or phrases.REMARK.match(main)) and not runs_of(in_digits(main) if _SINGULAR.match(main) else main):
        return True
    runs = runs_of(sentence)
    if runs and all(by_others(sentence, run.start) for run in runs):
        return True
    if WAVERING.search(sentence):
        return False
    if phrases.CONTINUED.match(sentence):
        return True
    if runs and _of_others(sentence, above, asked):
        return True
    if phrases.RESULT.search(masked):
        return False
    asks_rate = not asked.topic.isdisjoint(("each", "every", "per"))
    rated = phrases.RATE.match(sentence) and not (asks_rate and any(not asked.gives(run.text) for run in runs))
    if rated or phrases.UNREAL.match(sentence):
        return bool(runs_of(above))
    about = said_about(sentence)
    said = _stated(above, asked) if about else None
    return said is not None and any(agreed(Restated(said.text, amount, True)) for amount in about)


def _finds(sentence: str, above: str) -> bool:
    """Whether a sentence concludes the value of another unknown: `Plugging back in: 7 + y = 10, so y = 3`."""
    result = phrases.RESULT.search(without_formulas(sentence))
    named = _UNKNOWN.findall(sentence, result.end()) if result else ()
    return any(re.search(rf"\b{name}\s*=", above) is None for name in named)


def _of_others(sentence: str, above: str, asked: Question) -> bool:
    """Whether a sentence gives values of nothing but what the prompt does not name, behind one that gives what it does.

    `Its x-intercept is 3` speaks of what stands above; `The trace is 5` only behind a value of what is asked.
    """
    known = set(map(stem, asked.words))
    told = phrases.OTHER.findall(sentence.lower())
    if not told or any(known & {stem(noun), noun.partition("-")[0]} for _, noun in told) or not runs_of(above):
        return False
    if any(whose in ("", "the") for whose, _ in told):
        here, before = (any(one in fold(text) for one, _ in asked.formulas) for text in (sentence, above))
        return bool(asked.sought and asked.sought in above.lower()) or (before and not here)
    return True


def _refuses(sentence: str) -> bool:
    """Whether a sentence rejects the values in it or takes them back, outside of its brackets and without a result."""
    if not phrases.REJECTION.search(sentence) and not phrases.WITHDRAWAL.search(sentence):
        return False
    outside = without_formulas(without_aside(sentence[phrases.after_withdrawal(sentence) :]))
    refused = phrases.REJECTION.search(outside) and not phrases.RESULT.search(outside)
    return bool(refused or phrases.WITHDRAWAL.search(outside))


def _mentions(sentence: str, asked: Question) -> bool:
    """Whether a sentence asserts no value: it stands in brackets, or has nothing but amounts that the prompt gives."""
    if _BRACKETED.match(sentence):
        return True
    runs = () if "=" in sentence else runs_of(sentence)
    given = bool(runs) and all(re.fullmatch(r"[\d.,]+", run.text) and asked.gives(run.text) for run in runs)
    asserted = phrases.RESULT.search(sentence) or any(behind_copula(run) for run in runs)
    return given and not asserted and len(runs) > 1


def _bullets(body: str, spans: list[tuple[int, int]]) -> Stated | None:
    """The values of the lines that end a response: `- x = 0`, `- x = 7`; `Center: (1, 2)`, `| radius | 3 |`.

    Lines with labels may also be steps: their values stand beside the last one.
    """
    rows: list[tuple[str, str]] = []
    begin = 0
    for start, end in reversed(spans[-MAX_BULLETS:]):
        line = _ROW.fullmatch(body[start:end].strip())
        if line is None or (line.group("sign", "bar", "label") == (None,) * 3):
            break
        runs = whole_run(line.group("value").strip())
        stated = None if runs else _stated(line.group("value").strip(), NOTHING)
        value = runs[0].text if runs else stated.text if stated and _VALUE.search(stated.text) else ""
        if not value:
            break
        rows.insert(0, ((line.group("label") or "").strip(), value.strip()))
        begin = start
    if len(rows) < 2:
        return None
    named = sum("=" in value for _, value in rows)
    if any(label for label, _ in rows) or named not in (0, len(rows)):
        said = "; ".join(f"{label}: {value}" for label, value in rows)
        return Stated(rows[-1][1], begin, spans[-1][1], whole=said)
    groups = "; " if any("," in value for _, value in rows) else ", "
    return Stated(groups.join(value for _, value in rows), begin, spans[-1][1])


def _stated(sentence: str, asked: Question, alone: bool = False) -> Stated | None:
    """What a sentence states; a bound with its words, since `at most 12` is not 12."""
    if len(sentence) > MAX_READ:
        text = sentence.strip()
        return None if _MANY_WORDS.search(text) else Stated(text, 0, len(text))
    sentence = _with_short_labels(sentence)
    begin = max(phrases.after_contrast(sentence), exactly_after(sentence))
    found = _by_clauses(sentence[begin:], asked, alone)
    return found and found.moved(begin)


def _by_clauses(sentence: str, asked: Question, alone: bool) -> Stated | None:
    """What the last of its clauses states that states anything of the kind that is sought."""
    masked = without_formulas(sentence)
    told = phrases.RESULT.finditer(masked)
    results = [m.span() for m in told if m.group().strip() not in _ARROWS or _leads_on(sentence[: m.start()], m)]
    cuts = [0, *(end for _, end in results)][-MAX_CLAUSES:]
    ends = [*(start for start, _ in results), len(sentence)][-MAX_CLAUSES:]
    pairs = zip(cuts, ends, strict=True)
    clauses = [(_main(sentence, start, end), end) for start, end in pairs if sentence[start:end].strip()]
    last = closed(without_aside(sentence[slice(*clauses[-1])])) if clauses else ""
    spare: Stated | None = None
    for start, end in reversed(clauses):
        found = _of_clause(sentence[start:end], asked, alone and not start)
        if found is None:
            continue
        found = found.moved(start)
        if found.clause:
            return found
        spelled = sentence if found.text in sentence else in_digits(sentence, asked.language, asked.counts)
        found = found._replace(clause=last, whole=spelled.strip())
        if (spare or len(clauses) > 1) and not fits(found.text, asked):
            spare = spare or found
            continue
        bound = bound_before(sentence[start : found.start])
        return found if bound is None else Stated(f"{bound[0]} {found.text}", start + bound[1], found.end, last)
    return spare or _words(sentence, last)


def _leads_on(before: str, arrow: re.Match[str]) -> bool:
    """Whether an arrow stands between two steps: `2x = 24 -> x = 12`, but not `5 as x -> 0`."""
    noun = before[-1:].isdigit() and _NOUN.match(arrow.string, arrow.end())  # 5 & 7 -> median 6
    return not _NEARING.search(before) and ("-" not in arrow.group() or bool(noun or _STEP.search(before)))


def _of_clause(clause: str, asked: Question, alone: bool) -> Stated | None:
    """The value that a clause states; or its words, where these are what it states."""
    if phrases.ALL_BUT.match(clause):
        return _words(clause, closed(clause))
    if phrases.BY_CASES.match(clause):
        return _words(clause, clause)
    if asked.ratio and (ratio := _ratio(in_digits(clause, asked.language), asked)):
        return ratio
    placed = _PLACED.search(without_formulas(clause))
    if placed and not asked.several and named_meaning(words(clause[: placed.start()])):
        return _words(clause, clause[: placed.start()])
    twice = (_said_twice(text, asked) for text in dict.fromkeys((clause, without_aside(clause))))
    found = next(filter(None, twice), None) or named_value(clause, asked, alone)
    valued = found is not None and any(map(str.isdigit, found.text))
    languages = asked.language, "" if valued else Question(clause).language
    spelled = in_digits(clause, languages[0], asked.counts)
    spelled = in_digits(clause, languages[1], asked.counts) if spelled == clause and languages[1] else spelled
    said = named_value(spelled, asked) if spelled != clause else None
    if said and (
        found is None
        or asked.counts
        or not _VALUE.search(found.text)
        or len(closed(spelled)) <= found.start
        or said.start <= found.start < found.end <= said.end
        or (found.end <= said.start and _told(spelled[found.end : said.start], asked))
    ):
        found = said
    return _words(clause, closed(clause)) if found is None and named_meaning(words(closed(clause))) else found


def _ratio(clause: str, asked: Question) -> Stated | None:
    """`3 girls to 2 boys`, asked for the ratio of girls to boys: in the order in which the prompt names them."""
    of, said = _RATIO_OF.split(asked.lower), _RATIO.search(clause)
    sought = len(of) > 1 and (asked.sought == "ratio" or re.search(r"[.;?!]\s+\w", of[-1]) is None)
    if said is None or not sought or phrases.OFFERED.search(clause) or unsaid(clause, *said.span()):
        return None
    one, other, named = (stems(re.findall(r"\w+", words)) for words in (*said.group("one", "other"), of[-1]))
    places = [min(map(of[-1].find, mine & named), default=-1) for mine in (one - other, other - one)]
    amounts = said.group("first", "second")[:: 1 if places[0] < places[1] else -1]
    return None if -1 in places or denied(clause, *said.span()) else Stated(" : ".join(amounts), *said.span())


def _told(before: str, asked: Question) -> bool:
    """Whether the words before a number say that it is the value: `makes`, `i.e.`, a noun for what is asked for."""
    noun = _NOUN_BEFORE.search(before)
    topical = noun is not None and stem(noun[1].lower()) in asked.topic
    return topical or bool(THAT_IS.search(before) or phrases.COPULA_BEFORE.search(before))


def _main(sentence: str, start: int, end: int) -> int:
    """Where the main clause begins, behind an opening such as `Since x > 0, `; its start if nothing is stated there."""
    opening = phrases.OPENING.match(_IN_BRACKETS.sub(blank, without_formulas(sentence[start:end])))
    main = sentence[start + opening.end() : end] if opening else ""
    return end - len(main) if main and (runs_of(main) or named_meaning(words(main))) else start


def named_meaning(phrase: str) -> bool:
    """Whether a phrase ends on a meaning that is no number in words: `there are none`, `the sum vanishes`."""
    said = said_meaning(phrase)
    return said is not None and (said.op != "num" or said.value == 0)


def _with_short_labels(sentence: str) -> str:
    """`P(sum = 8) = 5/36` with its label as one word of the same length: nothing in its brackets is a value."""
    if "(" not in sentence and "[" not in sentence:
        return sentence
    masked = without_formulas(sentence)
    for match in _LABEL.finditer(masked):
        name, inside = match.group("name"), match.group("inside")
        if name.lower() not in NAMES and any(word.lower() not in NAMES for word in _SAID.findall(inside)):
            filler = "z" * (match.end() - match.end("name"))
            sentence = sentence[: match.end("name")] + filler + sentence[match.end() :]
    return sentence


def _without(text: str, rejected: list[str]) -> str:
    """A list of values without those that the response rejects."""
    if not rejected:
        return text
    items = re.split(r"(?<!\\),\s|\s(?:or|and)\s", text)
    kept = [item for item in items if comparable(item) not in rejected]
    return ", ".join(kept) if kept and len(kept) < len(items) else text


def _said_twice(clause: str, asked: Question) -> Stated | None:
    """`The area is 9π, which is approximately 28.27`: the value with what it is said to be about."""
    said = restated(clause)
    said = None if said is None or said.text.count("$") % 2 or said.text.count("$$") % 2 else said
    found = named_value(said.text, asked) if said is not None else None
    if said is None or found is None or not _VALUE.search(found.text) or phrases.EITHER.search(said.text):
        return None
    both = said._replace(text=found.text)
    worked_out = _PRODUCT.search(found.text) and contradicted(both)  # ⅓ · π · 36 · 10, which is 120
    if not said.rounded and not agreed(both) and not worked_out:
        return None
    again = said.again.rstrip(". ")
    tail = f"approximately {again}" if said.rounded else again
    return Stated(f"{found.text} ({tail})", found.start, len(clause.rstrip()))


def _words(sentence: str, clause: str) -> Stated | None:
    text = without_aside(clause).strip().rstrip('.!"”;, \n\t')
    start = sentence.find(text[:1])
    return Stated(text, start, start + len(text), clause) if 0 < len(text) <= 400 else None


def leading_value(text: str) -> tuple[str, str] | None:
    """The value that a text begins with, and the rest of its sentence."""
    end = _SENTENCE_END.search(without_formulas(text))
    sentence = in_digits(text[: end.start()] if end else text)
    runs = runs_of(sentence)
    return (runs[0].text, sentence[runs[0].end :]) if runs and not sentence[: runs[0].start].strip(" *_$(:") else None


def is_mathematical(text: str) -> bool:
    """Whether a plain text is an expression or an amount, rather than a sentence."""
    runs = runs_of(text[:MAX_SENTENCE])
    return len(runs) == 1 and len(text) - len(runs[0].text) < 60
