"""The final statement of a response, read as a grammar.

    sentence  = { clause connective } clause            the last clause that states something counts
    clause    = { words } value { joiner value } [ condition ] [ aside ] { words }
    value     = run of signs, formulas, numbers and symbols, with its unit

A clause is cut into pieces, pieces into runs of mathematics with words between them. Which run is the value is told
by where it stands: behind a copula, in an equation, or as the only amount that the prompt does not give. Words of all
languages are looked up in `phrases`; a word that nobody knows ends a run, whatever it means.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable
from functools import lru_cache
from typing import Final, NamedTuple

from verifleet.reading.numbers import named
from verifleet.reading.words import fold
from verifleet.verifiers.math.answer import phrases
from verifleet.verifiers.math.answer.bounds_in_words import bound_before
from verifleet.verifiers.math.answer.restated import agreed, restated
from verifleet.verifiers.math.answer.stance import denied, unsaid
from verifleet.verifiers.math.answer.wording import PARTS, said_meaning, undressed, words
from verifleet.verifiers.math.question import Question
from verifleet.verifiers.math.syntax.lexer import FUNCTIONS, GREEK, VULGAR, repeats
from verifleet.verifiers.math.syntax.other_languages import UNITS, unit_name
from verifleet.verifiers.math.syntax.units import dimension

MAX_SENTENCE = 8_000
MAX_READ = 1_500  # characters of a sentence that is read as a grammar; a longer one is one formula, or nothing
MAX_RUNS = 60
MAX_CLAUSES = 40  # of a sentence, from the last one
MAX_PIECES = 4_000
MAX_BULLETS = 20
MAX_UNIT = 8  # words and signs of a unit

FORMULA = re.compile(
    r"\\begin\{(?:align|equation|gather)(?:ed)?\*?\}(?P<e>.{1,2000}?)\\end\{(?:align|equation"
    r"|gather)(?:ed)?\*?\}|\$\$(?P<dd>.{1,2000}?)\$\$"
    r"|(?<!\\)\$(?P<d>(?!\d[^$\n]{0,200}[\s(]\$)(?:\\[^\n]|[^$\\\n]){1,2000}?)\$(?!\d)"
    r"|\\\((?P<p>.{1,2000}?)\\\)|\\\[(?P<b>.{1,2000}?)\\\]",
    re.DOTALL,
)
_MASK = "\ue000"
_SENTENCE_END = re.compile(
    r"(?<![A-Z])(?<![0-9]\.\.)(?<!\bi\.e)(?<!\be\.g)[.!?](?=[\"”)]?\s+[A-Z(\[<À-ÞА-Я\ue000]|[\"”)]?\s*$)"
    r"|(?<=[0-9]\.\.\.)(?=\s+[A-Z])|"
    r"(?<=[0-9)%\ue000])(?<!\n[0-9])(?<!^[0-9])(?:[.?]|!(?!\s*[-−+*/=·×)]))(?=\s+\S)|\n"
)
_DECORATION = re.compile(r"(?:\n\s*[-•]\s+(?=\d)|[\s*_:>#\"“”`•])*")
_LIST_SIGN = re.compile(r"(?:\s*[-•]\s+)?" + _DECORATION.pattern)
_NUMBER_WORD = "|".join(sorted(named("en"), key=len, reverse=True))
_NUMERAL = re.compile(
    rf"(?<![A-Za-z-])(?:(?:minus|negative)\s)?(?!(?:one|hundred|thousand|million"
    rf"|billion)\b(?!\s(?:hundred|thousand|million)\b))"
    rf"(?:{_NUMBER_WORD})(?:(?:-|\s(?:and\s)?)(?:{_NUMBER_WORD}))*(?![A-Za-z-])(?!\s+(?:or\b|of\b(?!\s+them)))",
    re.IGNORECASE,
)


_SHARE = re.compile(rf"(?<![A-Za-z-])(?:{_NUMBER_WORD})[-\s](?:{'|'.join(PARTS)})s?(?![A-Za-z-])", re.IGNORECASE)


class Stated(NamedTuple):
    """An answer, where it stands in the text that was searched, and the clause that states it."""

    text: str
    start: int
    end: int
    clause: str = ""
    beside: tuple[str, ...] = ()  # all the values that are stated together, where an answer has several parts


NOTHING: Final = Question("")


def formula_text(match: re.Match[str]) -> str:
    """What stands between a formula's delimiters."""
    return next(group for group in match.groups() if group is not None)


# --- sentences ---------------------------------------------------------------


def stated_after(text: str, start: int, asked: Question = NOTHING) -> Stated | None:
    """The answer in the first sentence after a phrase such as "the final answer is"."""
    body = text[start : start + MAX_SENTENCE]
    lead = (_LIST_SIGN if "\n" in text[max(0, start - 4) : start] else _DECORATION).match(body)
    start += lead.end() if lead else 0
    body = text[start : start + MAX_SENTENCE]
    end = _SENTENCE_END.search(_masked(body))
    return _stated(body[: end.start()] if end else body, start, asked)


def stated_last(text: str, start: int, asked: Question = NOTHING) -> Stated | None:
    """The answer in the last sentence, from `start` on, that concludes: no courtesy, no check, no remark about it."""
    body = text[start:].rstrip()
    masked = _masked(body)
    ends = [match.end() for match in _SENTENCE_END.finditer(masked)][-MAX_SENTENCES:]
    first = 0 if len(ends) < MAX_SENTENCES else ends[0]
    spans = [(a, b) for a, b in zip([first, *ends], [*ends, len(body)], strict=True) if _CONTENT.search(body, a, b)]
    rejected: list[str] = []
    for index in range(len(spans) - 1, -1, -1):
        begin, end = spans[index]
        sentence = body[begin:end]
        if index and phrases.COURTESY.search(masked, begin, end):
            continue
        if (
            index
            and (phrases.CHECK.match(sentence) or _TICKED.search(sentence))
            and runs_of(body[slice(*spans[index - 1])].strip())
        ):
            continue
        if index and (_mentions(sentence, asked) or (phrases.REMARK.match(sentence) and not runs_of(sentence))):
            continue
        if index < len(spans) - 1 and sentence.rstrip().endswith("?"):
            return None
        if index and _refuses(sentence):
            rejected += [_comparable(run.text) for run in runs_of(sentence)]
            continue
        listed = _bullets(body, spans[: index + 1], start)
        if listed is not None and not listed.beside:
            return listed
        lead = _DECORATION.match(body, begin)
        begin = min(lead.end(), end) if lead else begin
        found = _stated(body[begin:end].rstrip(), start + begin, asked, alone=begin == 0)
        if found is None:
            return None
        if listed is not None:
            found = found._replace(beside=listed.beside)
            found = found._replace(text=listed.text, clause=listed.clause) if listed.clause else found
        if not found.beside and _NAMING.match(found.text):
            lines = [run for a, b in spans[max(0, index - 3) : index + 1] for run in _whole(body[a:b].strip())]
            found = found._replace(beside=_together(lines, found.text))
        return found._replace(text=_without(found.text, rejected))
    return None


def _refuses(sentence: str) -> bool:
    """Whether a sentence rejects the values in it or takes them back, outside of its brackets and without a result."""
    if not phrases.REJECTION.search(sentence) and not phrases.WITHDRAWAL.search(sentence):
        return False
    outside = _masked(_without_aside(sentence))
    refused = phrases.REJECTION.search(outside) and not phrases.RESULT.search(outside)
    return bool(refused or phrases.WITHDRAWAL.search(outside))


def _mentions(sentence: str, asked: Question) -> bool:
    """Whether a sentence asserts no value: it stands in brackets, or has nothing but amounts that the prompt gives."""
    if _BRACKETED.match(sentence):
        return True
    runs = () if "=" in sentence else runs_of(sentence)
    given = bool(runs) and all(re.fullmatch(r"[\d.,]+", run.text) and asked.gives(run.text) for run in runs)
    asserted = phrases.RESULT.search(sentence) or any(_behind_copula(sentence, [], run) for run in runs)
    return given and not asserted and len(runs) > 1


_BRACKETED = re.compile(r"\s*\((?=[^)]*\b[A-Za-z]{2,}\s+[a-z]{3,})")
MAX_SENTENCES = 60
_CONTENT = re.compile(r"[^\W_]|[\\$∅∞]")
_TICKED = re.compile(r"(?:^|[\s(])[\d√][^A-Za-z=]*=[^A-Za-z=]*[✓✔]\W*$")
"""A sentence that ends on an identity of numbers with a tick: `54 = 3·18 ✓`."""


def _whole(line: str) -> tuple[Run, ...]:
    """The run of a line that is nothing else."""
    line = line.rstrip(".;,")
    runs = runs_of(line)
    return runs if len(runs) == 1 and runs[0].end - runs[0].start >= len(line) - 2 else ()


def _bullets(body: str, spans: list[tuple[int, int]], offset: int) -> Stated | None:
    """The values of the lines that end a response: `- x = 0`, `- x = 7`; `Center: (1, 2)`, `| radius | 3 |`.

    Lines with labels may also be steps: their values stand beside the last one.
    """
    values: list[str] = []
    labels: list[str] = []
    begin = 0
    for start, end in reversed(spans[-MAX_BULLETS:]):
        line = _ROW.fullmatch(body[start:end].strip())
        if line is None or (line.group("sign", "bar", "label") == (None,) * 3):
            break
        runs = _whole(line.group("value").strip())
        stated = None if runs else _stated(line.group("value").strip(), 0, NOTHING)
        value = runs[0].text if runs else stated.text if stated and _VALUE.search(stated.text) else ""
        if not value:
            break
        values.insert(0, value.strip())
        labels.insert(0, (line.group("label") or "").strip())
        begin = start
    if len(values) < 2:
        return None
    heads = [value.partition("=")[0].strip() for value in values if "=" in value]
    if any(labels) or len(heads) not in (0, len(values)) or not all(map(_is_mere_name, heads)):
        said = "; ".join(f"{label} {value}" for label, value in zip(labels, values, strict=True)) if any(labels) else ""
        return Stated(values[-1], offset + begin, offset + spans[-1][1], said, tuple(values))
    return Stated(", ".join(values), offset + begin, offset + spans[-1][1])


_ROW = re.compile(
    r"(?P<sign>(?:[-*•·–]|\d{1,2}[.)]|\([a-z0-9]\))\s+(?=[A-Za-z0-9$\\(−-]))?(?P<bar>\|\s*)?"
    r"(?:(?P<label>[^|:=$\n]{1,60}?)\s*(?(bar)\||:\s)\s*)?(?P<value>[^|\n]+)\|?"
)


def _masked(text: str) -> str:
    """The text with its formulas blanked out, so that nothing is found within one."""
    return FORMULA.sub(_blank, text) if "$" in text or "\\" in text else text


def _blank(match: re.Match[str]) -> str:
    return _MASK * len(match.group())


_IN_BRACKETS = re.compile(r"[(\[][^()\[\]\n]*[)\]]")


def _stated(sentence: str, offset: int, asked: Question, alone: bool = False) -> Stated | None:
    """What a sentence states; a bound with its words, since `at most 12` is not 12."""
    if len(sentence) > MAX_READ:
        text = sentence.strip()
        return None if " " in text[:200] and _MANY_WORDS.search(text) else Stated(text, offset, offset + len(text))
    sentence = _with_short_labels(sentence)
    begin = _after_contrast(sentence)
    sentence, offset = sentence[begin:], offset + begin
    masked = _masked(sentence)
    exception = phrases.ALL_BUT.match(sentence)
    if exception is not None and phrases.RESULT.search(masked, exception.end()) is None:
        return _words(sentence, offset, _closed(sentence))
    results = [match.span() for match in phrases.RESULT.finditer(masked)]
    cuts = [0, *(end for _, end in results)][-MAX_CLAUSES:]
    ends = [*(start for start, _ in results), len(sentence)][-MAX_CLAUSES:]
    pairs = zip(cuts, ends, strict=True)
    clauses = [(_main(sentence, start, end), end) for start, end in pairs if sentence[start:end].strip()]
    if not clauses:
        return None
    last = _closed(sentence[slice(*clauses[-1])])
    written = [match for match in _numerals(last, asked) if not unsaid(last, match.start(), match.end())]
    if len(written) > 1:
        written = [match for match in written if phrases.COPULA_BEFORE.search(last[: match.start()][-80:])] or written
    share = len(written) == 1 and written[0].re is _SHARE and not runs_of(last)
    result = len(written) == 1 and re.search(r"=\s*$", last[: written[0].start()]) and _is_end(last, written[0].end())
    for start, end in () if share or result else reversed(clauses):
        clause = sentence[start:end]
        plain = _without_aside(clause)
        twice = _said_twice(clause, offset + start, asked)
        twice = twice or (_said_twice(plain, offset + start, asked) if plain != clause else None)
        found = twice or _named(clause, offset + start, asked, alone and not start)
        listed = found is not None and asked.counts and "," in found.text
        if found is None or (len(written) == 1 and (listed or _is_mere_name(found.text))):
            if len(written) == 1 and asked.counts:
                break
            phrase = words(_closed(clause))
            if named_meaning(phrase):
                return _words(clause, offset + start, _closed(clause))
            continue
        bound = bound_before(clause[: found.start - offset - start])
        if bound is not None:
            return Stated(f"{bound[0]} {found.text}", offset + start + bound[1], found.end, last)
        parts = (_closed(sentence[a:b]) for a, b in clauses)
        runs = [run for part in parts for run in runs_of(part) if not denied(part, run.start, run.end)]
        beside = () if phrases.OFFERED.search(masked) else _together(runs, found.text) or _copulas(clause)
        return found._replace(clause=last, beside=beside)
    if len(written) == 1:
        start, word = offset + clauses[-1][0], written[0].group()
        value = named(asked.language).get(fold(word)) if asked.language != "en" else None
        return Stated(str(value or word), start + written[0].start(), start + written[0].end(), last)
    return _words(sentence, offset, last)


def _is_end(text: str, at: int) -> bool:
    return not text[at:].strip(" .$")


def _main(sentence: str, start: int, end: int) -> int:
    """Where the main clause begins, behind an opening such as `Since x > 0, `; its start if nothing is stated there."""
    opening = phrases.OPENING.match(_IN_BRACKETS.sub(_blank, _masked(sentence[start:end])))
    main = sentence[start + opening.end() : end] if opening else ""
    return end - len(main) if main and (runs_of(main) or named_meaning(words(main))) else start


def named_meaning(phrase: str) -> bool:
    """Whether a phrase ends on a meaning that is no number in words: `there are none`, `the sum vanishes`."""
    said = said_meaning(phrase)
    return said is not None and (said.op != "num" or said.value == 0)


def _numerals(clause: str, asked: Question) -> list[re.Match[str]]:
    """The numbers in words of a clause in English or the language of the prompt; `ein` may be an article."""
    known = named(asked.language) if asked.language != "en" else {}
    shares = [] if asked.counts else list(_SHARE.finditer(clause))
    foreign = [match for match in re.finditer(r"[^\W\d_]+", clause) if known.get(fold(match.group()), 0) > 1]
    return shares or foreign or list(_NUMERAL.finditer(clause))


def _with_short_labels(sentence: str) -> str:
    """`P(sum = 8) = 5/36` with its label as one word of the same length: nothing in its brackets is a value."""
    if "(" not in sentence and "[" not in sentence:
        return sentence
    masked = _masked(sentence)
    for match in _LABEL.finditer(masked):
        name, inside = match.group("name"), match.group("inside")
        if name.lower() not in _FUNCTIONS and any(word.lower() not in _FUNCTIONS for word in _SAID.findall(inside)):
            filler = "z" * (match.end() - match.end("name"))
            sentence = sentence[: match.end("name")] + filler + sentence[match.end() :]
    return sentence


_INSIDE = r"[^()\[\]\n]{0,120}+"
_LABEL = re.compile(
    rf"(?<![\w\\)\]}}])(?P<name>[A-Za-z]{{1,12}})[(\[](?P<inside>{_INSIDE}(?:["
    rf"(\[]{_INSIDE}[)\]]{_INSIDE}){{0,3}}+)[)\]]"
    r"(?=\s*(?:[=≈:\ue000]|(?:is|are|was|equals)\b))"
)
_SAID = re.compile(r"(?<![\\\w])(?:[A-Za-z]{1,2}[a-z]{2,}|is|at|no|or|of|in|on|to)(?!\w)")
_OPEN_LABEL = re.compile(r"(?<![\w\\)\]}])[A-Za-z]{1,12}[(\[][^()\[\]]*$")


def _balanced(text: str) -> bool:
    """Whether all brackets of a text close, but for that of a choice such as `A) 15`.

    Those of an interval may differ in kind, or be turned around.
    """
    choice = _CHOICE.match(text)
    signs = _BRACKETS.findall(text, choice.end() if choice else 0)
    if any(sign in "[]" for sign in signs):
        return len(signs) % 2 == 0
    depth = 0
    for sign in signs:
        depth += 1 if sign == "(" else -1
        if depth < 0:
            return False
    return depth == 0


_CHOICE = re.compile(r"\s*[A-Za-z]\s?\)")
_BRACKETS = re.compile(r"(?<!\\)[()\[\]]")


_MANY_WORDS = re.compile(r"(?<![\\A-Za-z])[a-z]{3,} (?:[a-z]{2,} ){2}")


def _together(runs: list[Run], chosen: str) -> tuple[str, ...]:
    """Of runs such as `x = 3` and `y = 2` the last of each name, if there are several names; the chosen run holds."""
    named = {}
    if chosen not in (run.text.strip() for run in runs) or not any(map(_NAMING.match, _PARTS.split(chosen))):
        return ()
    for text in (part for run in (*(run.text for run in runs), chosen) for part in _PARTS.split(run)):
        head, equals, _ = text.partition("=")
        if equals and _is_mere_name(head):
            named[head.strip()] = text.strip()
    return tuple(named.values()) if len(named) > 1 else ()


_NAMING = re.compile(r"\s*[A-Za-z]\w{0,2}\s*=")
_PARTS = re.compile(r",\s(?=[a-z]\s?=)|\s(?:and|or)\s(?=[a-z]\s?=)")


def _copulas(clause: str) -> tuple[str, ...]:
    """The values that are said of several things: `the center is (1, 2) and the radius is 3`."""
    pieces = pieces_of(clause)
    said = [run.text.strip() for run in runs_of(clause) if _behind_copula(clause, pieces, run)]
    return tuple(said) if len(said) > 1 else ()


def _closed(clause: str, name: str = "") -> str:
    """A clause without the reason or contrast that follows it; what it says of the name that is asked for stays."""
    masked = _masked(clause)
    value = _FIRST_VALUE.search(masked)
    trailer = phrases.TRAILER.search(masked, value.end() if value else 1)
    kept = name and trailer and re.search(rf"(?<![A-Za-z]){re.escape(name)}\s*=", clause[trailer.start() :])
    return clause if trailer is None or kept else clause[: trailer.start()]


_FIRST_VALUE = re.compile(r"[\d\ue000](?=[^\d\ue000]|$)|[=<>≤≥]")


def _comparable(value: str) -> str:
    """A value without its name, spaces and dress, to be found again in a list."""
    bare = re.sub(r"[\s${}]|\\[,;! ]", "", value.replace("−", "-"))
    return re.sub(r"^\\?[A-Za-z]+(?:_\w+|\([a-z]\))?=", "", bare)


def _without(text: str, rejected: list[str]) -> str:
    """A list of values without those that the response rejects."""
    if not rejected:
        return text
    items = re.split(r"(?<!\\),\s|\s(?:or|and)\s", text)
    kept = [item for item in items if _comparable(item) not in rejected]
    return ", ".join(kept) if kept and len(kept) < len(items) else text


def _after_contrast(sentence: str) -> int:
    """Where the value begins in `It is not 41 but 42`; 0 if nothing is contrasted."""
    begin = phrases.after_contrast(sentence)
    if "not" not in sentence and "n't" not in sentence and "n’t" not in sentence:
        return begin
    for match in _NOT_BUT.finditer(sentence):
        begin = match.end() if re.search(r"[0-9$\\]", match.group("denied")) else begin
    return begin


_NOT_BUT = re.compile(
    r"(?:\bnot|n['’]t)\s(?P<denied>[^;!?\n]{1,60}?)[,\s]\s{0,5}"
    r"(?:but(?:\s+(?:rather|actually|instead))?|rather|it(?:['’]s|\s+is)|they(?:['’]re|\s+are))\s+"
    r"(?!not\b|also\b|only\b)",
    re.IGNORECASE,
)


def _said_twice(clause: str, offset: int, asked: Question) -> Stated | None:
    """`The area is 9π, which is approximately 28.27`: the value with what it is said to be about."""
    said = restated(clause)
    said = None if said is None or said.text.count("$") % 2 else said
    found = _named(said.text, offset, asked) if said is not None else None
    if said is None or found is None or not _VALUE.search(found.text) or _JOINS.search(said.text):
        return None
    if _EITHER.search(said.text):
        return None
    if not said.rounded and not agreed(said._replace(text=found.text)):
        return None
    again = said.again.rstrip(". ")
    tail = f"approximately {again}" if said.rounded else again
    return Stated(f"{found.text} ({tail})", found.start, offset + len(clause.rstrip()))


_EITHER = re.compile(r"\b(?:either(?!\s+(?:way|case|side))|entweder|maybe|perhaps|possibly)\b", re.IGNORECASE)
_JOINS = re.compile(r"\b(?:or|and)\s*$")
_VALUE = re.compile(r"[0-9π√]|\\[a-z]")


def _words(sentence: str, offset: int, clause: str) -> Stated | None:
    text = _trimmed(_without_aside(clause)) or _trimmed(sentence)
    if not text or len(text) > 400:
        return None
    start = offset + sentence.find(text[:1])
    return Stated(text, start, start + len(text), clause)


def _trimmed(sentence: str) -> str:
    text = sentence.strip().rstrip('.!"”;, \n\t')
    return f"{text}..." if repeats(f"{text}...") and f"{text}..." in sentence else text


# --- pieces ------------------------------------------------------------------


class Piece(NamedTuple):
    """A piece of a clause: formula, number, symbol, sign, word, mark."""

    kind: str
    start: int
    end: int
    text: str


class Run(NamedTuple):
    """Mathematics without words in it, but for joiners, units and conditions; `pieces`: by index, end excluded."""

    start: int
    end: int
    text: str
    first: int
    last: int


_LATIN = r"[A-Za-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f\u1e00-\u1eff]"
_RAISED = r"\u1d43\u1d47\u1d49\u1d4f\u1d57\u02b8\u02e3"
_LETTER = rf"[^\W\d_\u00b2\u00b3\u00b9\u00bc-\u00be\u2070-\u209f\u2102-\u2124\u2150-\u215e{_RAISED}]"
_PIECE = re.compile(
    FORMULA.pattern
    + r"|(?P<clock>(?<![\d:.])[0-2]?\d:[0-5]\d(?::[0-5]\d)?(?:\s?[AaPp]\.?[Mm](?![A-Za-z])\.?)?(?![\d:]))"
    r"|(?P<aside>\b(?:i\.\s?e|e\.\s?g|z\.\s?B|d\.\s?h|т\.\s?е)\b\.?)"
    r"|(?P<number>\d{1,3}(?:(?:[ \u00a0\u202f]|\\,|\\ )\d{3})+(?!\d)(?:[.,]\d+)?|"
    r"\d+(?:(?:\{,\}|[.,]|\\!,\\!)\d+)*(?:\.{3}|…)?(?:[eE][+-]?\d+)?)"
    r"|(?P<text>\\(?:text|textbf|textit|textrm|mbox|emph)\s*\{[^{}]*\})"
    r"|(?P<group>(?<![\w^}\\])\\?\{[^{}\n]{0,300}\\?\})"
    r"|(?P<command>\\begin\s?\{(?P<sheet>[a-zA-Z]*matrix|array|cases)\}.{1,1500}?\\end\s?\{(?P=sheet)\}|"
    r"\\(?:math[a-z]{2,5}|operatorname|vec|hat|bar|overline|widehat"
    r"|overrightarrow)\s?\{[^{}]{0,60}\}|\\(?:[A-Za-z]+\*?|.))"
    rf"|(?P<word>[\u0370-\u03ff]+|(?:(?!{_LATIN}|[\u0370-\u03ff]){_LETTER})+"
    rf"|{_LATIN}{{2,}}(?:['’-]{_LATIN}+)*|{_LATIN}(?:['’]{_LATIN}{{2,}})?)"
    rf"|(?P<sign>[-−–+*/^=<>≤≥≠≈≡±∓×·⋅÷∞√∛∫∑∏∈∉∪∩∅∖ℝℤℕ∇⟨⟩°%()\[\]{{}}"
    rf"|_!'′²³{VULGAR}$€£&~∠→⟹⇒\u2070-\u209f¹{_RAISED}]|\.(?=\d))"
    r"|(?P<mark>[,;:.?—…\"“”«»])|\s+|.",
    re.DOTALL,
)
_FUNCTIONS = FUNCTIONS | GREEK | {"pi", "infinity", "infty", "inf", "dx"}
_LETTER_WORDS = frozenset("aAIyeoàéèêùЯявксиоуе")
_TIGHT = frozenset("=+*/^<>_²³0123456789}")


@lru_cache(maxsize=256)
def pieces_of(clause: str) -> list[Piece]:
    """The pieces of a clause in order, without white space; a symbol is a letter or name that stands for a value."""
    found: list[Piece] = []
    depth = 0
    for match in _PIECE.finditer(clause):
        kind = match.lastgroup or ""
        if kind in ("e", "dd", "d", "p", "b"):
            kind = "formula"
        elif kind == "aside":
            kind = "word"
        elif kind == "group":
            kind = "command"
        elif kind == "word":
            kind = "symbol" if _is_symbol(clause, match.start(), match.end(), depth) else "word"
        elif kind == "text":
            words = _TEXT_WORD.findall(match.group())
            found += [Piece("sign" if word == "/" else "word", match.start(), match.end(), word) for word in words]
            continue
        elif kind == "sign":
            depth += (match.group() in "([{") - (match.group() in ")]}")
        elif not kind:
            continue
        found.append(Piece(kind, match.start(), match.end(), match.group()))
        if len(found) >= MAX_PIECES:
            break
    return found


_TEXT_WORD = re.compile(r"(?<![\\A-Za-z])[^\W\d_]+(?:['’-][^\W\d_]+)*(?!\s*\{)|[\d.]+|/")


def _is_symbol(clause: str, start: int, end: int, depth: int) -> bool:
    word = clause[start:end]
    before, after = clause[:start].rstrip()[-1:], clause[end : end + 3].lstrip()[:1]
    tight_before, tight_after = clause[start - 1 : start] if start else "", clause[end : end + 1]
    if not word.isascii() and word not in "αβγδεζηθικλμνξρστυφχψωπΔΩΣîĵ":
        return False
    if len(word) == 1:
        if word in _LETTER_WORDS:
            return _joins_operator(clause, word, end, before, after, tight_before, depth)
        if depth > 0 and tight_before.isdigit():
            return True  # (1 + 3s, 2 - s)
        return not (word in _UNIT_LETTERS and before in _AMOUNT_ENDS and after not in _OPERATORS and tight_before != "")
    if word.lower() in _FUNCTIONS and word.lower() not in ("max", "min", "sec", "sign", "arg", "re", "im", "mod"):
        return True
    if word == "mod":
        return (before in _AMOUNT_ENDS or before == "(") and after.isdigit()
    if tight_after == "(" and (len(word) <= 2 or word.lower() in ("max", "min", "sec", "arg")):
        return True
    if len(word) <= 4 and (
        (tight_after in _TIGHT and tight_after != "") or (tight_before in _TIGHT and tight_before != "")
    ):
        return dimension(word) is None or before not in _AMOUNT_ENDS or before == ""
    if (
        len(word) == 2
        and (word.islower() or word[1] in "ntxyz")
        and before in _ARITHMETIC
        and (after in _ARITHMETIC or after in ".,)")
    ):
        return dimension(word) is None and before != ""
    if word.lower().startswith("const") and before == "+":
        return True
    return (
        len(word) <= 5
        and word.isupper()
        and ((after in "=/:≈^" and after != "") or (before in "=/+∠°" and before != ""))
    )


_ARITHMETIC = "=+-−/*·"
_UNIT_LETTERS = frozenset("mshgLlNJWVK")
_AMOUNT_ENDS = frozenset("0123456789)}$°²³πk" + VULGAR)
_OPERATORS = frozenset("=+*/^<>≤≥≠≈_(·×")


_RAISED_SIGNS = frozenset("²³ᵃᵇᵉᵏᵗʸˣ")
_CALL = re.compile(r"\([a-z0-9]\)")
_APPLIED = re.compile(r"(?<![A-Za-z])(?:ln|log|exp|sin|cos|tan)\s?$")
_MINUS = re.compile(r"\s*[-−]\s*(?:\d|\\|[a-zA-Z](?![a-zA-Z]))")


def _joins_operator(clause: str, word: str, end: int, before: str, after: str, tight_before: str, depth: int) -> bool:
    """Whether a letter that may be a word, such as a and I, is a symbol here."""
    if (
        _MINUS.match(clause, end)
        or before in _OPERATORS - {"("}
        or after in _OPERATORS - {"("}
        or (after in _RAISED_SIGNS and after != "")
        or before + after == "||"
        or tight_before.isdigit()
    ):
        return True
    if (depth > 0 and after and after in ",)}") or _CALL.match(clause, end) or _APPLIED.search(clause, 0, end - 1):
        return True
    follower = re.match(r"\s+([^\W\d_]{2,})", clause[end : end + 30])
    return word in "ABCI" and word != "I" and (follower is None or follower.group(1).lower() in phrases.JOINING_WORDS)


def _math(piece: Piece) -> bool:
    return piece.kind in ("formula", "number", "clock", "symbol", "sign", "command")


# --- runs --------------------------------------------------------------------


@lru_cache(maxsize=256)
def runs_of(clause: str) -> tuple[Run, ...]:
    """The runs of mathematics of a clause, in order."""
    pieces = pieces_of(clause)
    found: list[Run] = []
    at = 0
    while at < len(pieces):
        if not _begins(pieces, at):
            at += 1
            continue
        first, parts, at = at, [], at
        while True:
            begin = at
            while at < len(pieces) and _math(pieces[at]):
                at += 1
            end = scanned = at
            bars = sum(piece.text == "|" for piece in pieces[begin:end]) % 2 == 0
            closing = "|" if bars else "[" if pieces[first].text in "[]" else ""  # |x|, ]0, 1[
            while end > begin and pieces[end - 1].text in _DANGLING and pieces[end - 1].text != closing:
                if pieces[end - 1].text == "!" and any(piece.text == "!" for piece in pieces[begin : end - 1]):
                    break  # x²/2! − x³/3!
                end -= 1
            text = _text(clause, pieces[begin:end])
            stop, unit = _unit_after(clause, pieces, end)
            parts.append(f"{text} {unit}" if unit else text)
            at = max(at, stop) if stop > end else end
            last = at
            at = _condition_end(clause, pieces, at)
            joined = _joiner(pieces, at, begin, clause) or _joiner(pieces, _behind_aside(pieces, at), begin, clause)
            if stop > end and at < len(pieces) and (pieces[at].kind == "number" or pieces[at].text in _GOES_ON):
                joined = " ", at  # 5 hours 30 minutes, 240 km / 3 h
            if joined is None or at >= len(pieces):
                break
            parts.append(joined[0])
            at = joined[1]
        text = "".join(parts)
        if re.search(rf"[0-9A-Za-z\\π∞√{VULGAR}∅ℝα-ω]", text):
            found.append(Run(pieces[first].start, pieces[last - 1].end, text, first, last))
        else:
            last = scanned
        at = max(at, last, first + 1)
    return tuple(found[-MAX_RUNS:])


_GOES_ON = frozenset("×·⋅*/÷+=≈")


def _behind_aside(pieces: list[Piece], at: int) -> int:
    """Behind a word in brackets that says which value stands before it: `x = 1 (minimum) and x = -1`."""
    aside = [piece.text for piece in pieces[at : at + 3]]
    if aside[::2] != ["(", ")"] or pieces[at + 1].kind != "word" or dimension(aside[1]) is not None:
        return at
    word = f"{aside[1]} "
    return at if phrases.REJECTION.search(word) or denied(word, len(word), len(word)) else at + 3


_DANGLING = frozenset(
    {"=", "(", "[", "{", "-", "–", "−", "+", "*", "/", "!", "'", "$", "&", "~", "→", "_", "^", "|", ":"}
)


def _begins(pieces: list[Piece], at: int) -> bool:
    piece = pieces[at]
    if not _math(piece):
        return False
    if piece.kind != "sign":
        return True
    if piece.text == "]":
        return (
            at + 1 < len(pieces)
            and pieces[at + 1].text in "-−–∞0123456789"
            and any(later.text == "[" for later in pieces[at + 2 : at + 9])
        )
    return (piece.text in "-−+√∛±∫∑∏∇⟨([{|≈∠$€£." and at + 1 < len(pieces)) or piece.text in "∞∅ℝ" + VULGAR


def _text(clause: str, pieces: list[Piece]) -> str:
    """The text of a run's pieces, its formulas without their delimiters."""
    if not pieces:
        return ""
    parts, at = [], pieces[0].start
    for piece in pieces:
        parts.append(clause[at : piece.start])
        if piece.kind == "formula":
            match = FORMULA.fullmatch(piece.text)
            parts.append(
                f" {formula_text(match).strip()} "
                if match and len(pieces) > 1
                else formula_text(match)
                if match
                else ""
            )
        else:
            parts.append(piece.text)
        at = piece.end
    return "".join(parts)


def _unit_after(clause: str, pieces: list[Piece], at: int) -> tuple[int, str]:
    """Where the unit of an amount ends, by index, and the unit as text; counted things such as apples are none."""
    if not at or at >= len(pieces) or not _closes_amount(pieces[at - 1]):
        return at, ""
    words: list[str] = []
    end = at
    while end < len(pieces) and len(words) < MAX_UNIT:
        piece = pieces[end]
        word = piece.text.lower().rstrip(".")
        if piece.kind == "word" and (
            word in ("per", "square", "cubic", "sq", "squared", "cubed") or _is_unit(piece.text, words)
        ):
            words.append(unit_name(piece.text) or piece.text if not piece.text.isascii() else piece.text)
        elif piece.kind == "sign" and words and piece.text in "/^²³€£%·⋅⁻¹":
            words.append({"²": "^2", "³": "^3", "·": " ", "⋅": " ", "⁻": "^-", "¹": "1"}.get(piece.text, piece.text))
        elif (piece.kind == "number" and words and words[-1] == "^") or (
            words and words[-1] in "/ " and piece.kind == "symbol"
        ):
            words.append(piece.text)
        else:
            break
        end += 1
    while words and words[-1] == " ":
        words, end = words[:-1], end - 1
    return (end, rf"\text{{ {' '.join(words)} }}".replace("^ ", "^")) if words else (at, "")


def _closes_amount(piece: Piece) -> bool:
    return piece.kind in ("number", "formula", "clock", "symbol") or piece.text in ")]}°²³π" + VULGAR


_SCALES = frozenset("hundred thousand million billion trillion percent pct units unit".split())


def _is_unit(word: str, words: list[str]) -> bool:
    lower = word.lower()
    if lower in _SCALES or lower in UNITS:
        return True
    if len(word) == 1:
        return word in _UNIT_LETTERS or (bool(words) and words[-1] in ("/", "per", " "))
    return lower not in ("in", "a", "s") and dimension(lower) is not None


def _joiner(pieces: list[Piece], at: int, begin: int, clause: str) -> tuple[str, int] | None:
    """The joiner at a piece, as text for the parser, and where the next value begins."""
    kinds: list[str] = []
    end = at
    while end < len(pieces) and len(kinds) < 3:
        piece = pieces[end]
        word = piece.text.lower()
        if piece.kind == "mark" and piece.text in ",;":
            kinds.append(piece.text)
        elif piece.kind == "word" and word in phrases.JOINING_WORDS:
            kinds.append(phrases.JOINING_WORDS[word])
        else:
            break
        end += 1
    if kinds and end < len(pieces) and _begins(pieces, end):
        return (" or " if "or" in kinds else " and " if "and" in kinds else f"{kinds[0]} "), end
    if kinds or at >= len(pieces) or at + 1 >= len(pieces) or at == begin:
        return None
    piece, after = pieces[at], pieces[at + 1]
    numeric = pieces[at - 1].kind in ("number", "formula", "symbol") and (
        pieces[at + 1].kind == pieces[at - 1].kind or piece.text == "out"
    )
    if numeric and piece.text == ":" and not _is_label(pieces, at) and not _PUNCTUATED.match(clause, piece.start - 1):
        return " : ", at + 1
    if numeric and _SHARES.match(clause, piece.start) and pieces[at - 1].kind == "number":
        return " / ", at + (2 if piece.text == "out" else 1)
    if numeric and piece.text == "to" and after.kind == "number" and not _ranges(pieces, begin):
        return " to ", at + 1
    return None


_PUNCTUATED = re.compile(r".:=|\S:\s", re.DOTALL)
_SHARES = re.compile(r"(?:in|out\s+of|over)\s+\d+(?=[.,;!]?(?:\s*$|[.;!])|\s+chance)")  # 1 in 6, 3 out of 8


def _is_label(pieces: list[Piece], at: int) -> bool:
    """Whether `Step 2:` or `x:` stands before a colon."""
    return pieces[at - 1].kind == "symbol" or (
        at > 1
        and pieces[at - 2].kind == "word"
        and pieces[at - 1].kind == "number"
        and pieces[at - 2].text.lower() in phrases.NUMBERED
    )


def _ranges(pieces: list[Piece], begin: int) -> bool:
    return begin > 0 and pieces[begin - 1].text.lower() in ("from", "between")


def _condition_end(clause: str, pieces: list[Piece], at: int) -> int:
    """Behind a condition such as `for all x`, `where k is an integer`; `at` if there is none."""
    end = at
    while end < len(pieces) and (pieces[end].text in ",(" or pieces[end].text in _SPACING):
        end += 1
    if end > at and end < len(pieces) and pieces[end].kind in ("symbol", "formula"):
        return _membership_end(pieces, at, end)
    if end >= len(pieces) or pieces[end].kind != "word" or pieces[end].text.lower() not in phrases.CONDITIONAL:
        return at
    end += 1
    quantified = False
    while end < len(pieces) and pieces[end].kind == "word" and pieces[end].text.lower() in phrases.QUANTIFIERS:
        quantified, end = True, end + 1
    values = end
    limited = False
    while end < len(pieces) and _math(pieces[end]) and pieces[end].text != ")":
        limited = limited or pieces[end].text in _LIMITING
        if pieces[end].kind == "number" and not limited:
            break
        end += 1
    if end == values and not quantified:
        return at
    while end < len(pieces) and (pieces[end].text in ")" or pieces[end].text.lower() in phrases.QUANTIFIERS):
        end += 1
    restriction = _RESTRICTION.match(clause, pieces[end - 1].end) if end > values else None
    while restriction is not None and end < len(pieces) and pieces[end].start < restriction.end():
        end += 1
    return end


_LIMITING = frozenset({"≠", "≥", "≤", "<", ">", r"\ne", r"\neq", r"\ge", r"\geq", r"\le", r"\leq"})
_RESTRICTION = re.compile(
    r"\s+(?:is\s+|does\s+)?not(?:\s+equal(?:\s+to)?)?\s+[-−]?\d+|\s*(?:≥|≤|≠|<|>|\\[gl]eq?|\\neq?)\s*[-−]?\d+"
)


_SPACING = frozenset({r"\quad", r"\qquad", r"\ ", r"\,", r"\;", r"\left"})


def _membership_end(pieces: list[Piece], at: int, end: int) -> int:
    """Behind `(k ∈ ℤ)` and `, n is an integer`, which say what a parameter runs over; `at` if it is none."""
    while [piece.kind for piece in pieces[end : end + 3]] == ["symbol", "mark", "symbol"]:
        end += 2  # A, B ∈ ℝ
    after = pieces[end + 1].text if end + 1 < len(pieces) else ""
    if pieces[end].kind == "symbol" and after in (r"\in", "∈"):
        while end < len(pieces) and _math(pieces[end]) and pieces[end].text != ")":
            end += 1
        closed = end < len(pieces) and pieces[end].text == ")"
        return end + 1 if closed else end if end == len(pieces) else at
    words = end + 1
    while words < len(pieces) and pieces[words].text.lower() in phrases.QUANTIFIERS:
        words += 1
    if words == end + 1 or pieces[words - 1].text.lower() not in _KINDS:
        return at
    return words + (words < len(pieces) and pieces[words].text == ")")


_KINDS = frozenset("integer integers constant number real entero entier zahl inteiro целое".split())


# --- which run is the value --------------------------------------------------


def _named(clause: str, offset: int, asked: Question, alone: bool = False) -> Stated | None:
    """The value that a clause states: by copula, by equation, or as the only one that is not given."""
    body = _without_aside(_closed(clause, asked.name).rstrip())
    runs = list(runs_of(body))
    pieces = pieces_of(body)
    candidates = [run for run in runs if _BOUND_AFTER.match(body, run.end) or not _changed(pieces, run)]
    candidates = [run for run in candidates if not _is_numbering(pieces, run) and not unsaid(body, run.start, run.end)]
    candidates = [
        run for run in candidates if not phrases.CHANGED_BEFORE.search(body[max(0, run.start - 30) : run.start])
    ]
    candidates = [run for run in candidates if _balanced(run.text) and not _OPEN_LABEL.search(body, 0, run.start)]
    chosen = _chosen(body, pieces, candidates, asked)
    if sum(not _is_mere_name(run.text) for run in runs) > 1 and _EITHER.search(_masked(body)):
        return None
    if chosen is None or any(phrases.ONE_OF.search(body[max(0, run.start - 80) : run.start]) for run in runs):
        return None
    text = chosen.text.strip()
    if alone and _FACTORIAL.fullmatch(clause.strip()):
        text = clause.strip().rstrip(".")
    bound = _BOUND_AFTER.match(body, chosen.end)
    if bound is not None:
        return Stated(text + bound.group(), offset + chosen.start, offset + bound.end())
    return Stated(text, offset + chosen.start, offset + chosen.end)


_BOUND_AFTER = re.compile(
    r"(?:\s+[a-z]+)?,?\s+(?:(?:or|and)\s+(?:more|greater|larger|higher|above|over|less|fewer|smaller|lower|below|under)"
    r"|at\s+(?:the\s+)?(?:least|most))\b",
    re.IGNORECASE,
)
_FACTORIAL = re.compile(r"(?:[^A-Za-z!?]|(?<![A-Za-z])[A-Za-z](?![A-Za-z]))*[0-9)]!\.?")
_ASIDE = re.compile(
    r"(?<=\S)\s+\((?P<said>[^()]*+(?:\([^()]*+\)[^()]*+){0,4}+)\)[.\s]*$|"
    r"(?<=[A-Za-z0-9}$])\((?P<word>[a-z]{3,}[^()=\\]*)\)[.\s]*$"
)
_NO_ASIDE = re.compile(
    r"\s*(?:or|and(?!\s[\s$]?\w\s?(?:≠|\\ne))|maybe|perhaps|possibly)\b|[\\^_]|.*\b(?:or|maybe|perhaps|possibly)\b",
    re.IGNORECASE,
)
_RELATION_SIGNS = "=≈∈<>≤≥✓"
_ASIDE_WORD = re.compile(rf"(?<![\\A-Za-z])[^\W\d_]{{2,}}|[{_RELATION_SIGNS}]")


def _without_aside(clause: str) -> str:
    """A clause without what stands in brackets at its end: a remark, a condition, a check."""
    masked = _masked(clause)
    aside = _ASIDE.search(masked) if len(masked) <= MAX_READ else None
    name = "word" if aside is None or aside.group("said") is None else "said"
    said = clause[slice(*aside.span(name))] if aside else ""
    if (
        aside is None
        or _NO_ASIDE.match(said)
        or (not runs_of(clause[: aside.start()]) and runs_of(said) and not set(said) & set(_RELATION_SIGNS))
    ):
        return clause
    words = {word for word in _ASIDE_WORD.findall(said) if word.lower() not in _FUNCTIONS}
    remark = words & set(_RELATION_SIGNS) or (words and not _whole(said.strip()))
    return clause[: aside.start()] if remark else clause


def _changed(pieces: list[Piece], run: Run) -> bool:
    """Whether the words after a run make something else of it: `3 more than`, `15% of 80`."""
    after = [piece.text.lower() for piece in pieces[run.last : run.last + 3]]
    if not after:
        return False
    if after[0] == "or":
        return True
    if after[0] == "of":
        text = run.text.rstrip()
        if text.endswith("%") or "percent" in text:
            return run.last + 1 >= len(pieces) or pieces[run.last + 1].kind != "word"  # 45% of the class
        return not text.endswith("}")
    return after[0] in phrases.CHANGING or (
        len(after) > 1 and after[1] in ("more", "less", "fewer", "times") and "than" in after
    )


def _chosen(clause: str, pieces: list[Piece], runs: list[Run], asked: Question) -> Run | None:
    if len({_comparable(run.text) for run in runs}) <= 1:
        return runs[-1] if runs else None
    values = [run for run in runs if not _is_mere_name(run.text) or run.text.strip() in asked.choices] or runs
    values = [run for run in values if bound_before(clause[: run.start]) is None] or values
    if len({_comparable(run.text) for run in values}) == 1:
        return values[-1]
    gaps = [clause[: values[0].start], *(clause[a.end : b.start] for a, b in itertools.pairwise(values))]
    if any(phrases.OFFERED.search(f" {gap} ") for gap in gaps):
        return None
    if asked.counts and values[-2].text.rpartition("=")[2].strip() == str(len(_ITEMS.split(values[-1].text))):
        return values[-2]  # 3 divisors: 1, 2, 4
    between = clause[values[-2].start : values[-1].start]
    worked_out = _COUNT.fullmatch(values[-1].text.strip()) and _OPERATED.search(between)
    if _THAT_IS.search(gaps[-1]) and (worked_out or _STATED.match(values[-1].text)):
        return values[-1]
    total = [run for run in values if _TOTAL.match(clause, run.end)]
    if len(total) == 1:
        return total[0]
    values = [run for run in values if not _UNREAL.search(clause[max(0, run.start - 40) : run.start])] or values
    solved = [run for run in values if "solve" in asked.lower and _SOLVED.match(run.text)]
    if solved:
        return solved[-1]
    values = [
        run for run in values if not (_is_background(pieces, run) and asked.gives(_amount(clause, pieces, run)))
    ] or values
    for test in (_behind_copula, _is_topical(asked, pieces, values, before=True), _is_equation):
        found = [run for run in values if test(clause, pieces, run)]
        if found:
            on_topic = _is_topical(asked, pieces, found)
            return next((run for run in found if on_topic(clause, pieces, run)), found[-1])
    fresh = [run for run in values if not asked.gives(_amount(clause, pieces, run)) and not _is_background(pieces, run)]
    if len({_comparable(run.text) for run in fresh}) == 1:
        return fresh[-1]
    parts = [match.end() for match in re.finditer(r"[,;]\s", _masked(clause))]
    tail = [run for run in fresh or values if parts and run.start >= parts[-1]]
    if len(tail) == 1:
        return tail[0]
    last = values[-1]
    return last if pieces[last.last - 1].kind == "formula" else None


_UNREAL = re.compile(r"\b(?:would|could|might|may)\s+(?:have\s+been|be|give|yield)\s[^.;]{0,20}$")
_SOLVED = re.compile(r"\s*(?:[a-zα-ω]|\\[a-z]+)(?:_\d)?\s?=(?!.*[a-zA-Z]\s?=)")
_COUNT = re.compile(r"[\d.,]+")
_ITEMS = re.compile(r",\s*(?:and\s)?|\sand\s")
_TOTAL = re.compile(r"\s*(?:[a-z]+\s){0,2}(?:in\s+(?:total|all)|altogether)\b")
_OPERATED = re.compile(r"\S\s?[-−+*/·×^=]|\\[a-z]|\b(?:plus|minus|times|divided|over)\b")
_THAT_IS = re.compile(r"\bi\.\s?e\.|\bnamely\b")
_STATED = re.compile(
    r"\s*(?:[A-Za-z]+\s*=|(?:\\left|\\bigl?|\\Bigl?)?\s*(?:[(⟨]|\\langle|\\begin)(?=.*?(?:,|\\\\|&)))", re.DOTALL
)


def _is_topical(
    asked: Question, pieces: list[Piece], values: list[Run], before: bool = False
) -> Callable[[str, list[Piece], Run], bool]:
    """The test for the one value that is said of something the prompt asks for."""
    scores = {run: _topicality(pieces, run, asked, before) for run in values}
    best = max(scores.values())
    alone = best > 0 and list(scores.values()).count(best) == 1
    return lambda clause, pieces, run: alone and scores[run] == best


def _topicality(pieces: list[Piece], run: Run, asked: Question, before: bool) -> int:
    """How many of the words around a value, or only before it, are words for what the prompt asks."""
    begin, end = run.first, run.last
    while (
        begin
        and pieces[begin - 1].text.lower() not in _BORDERS
        and (pieces[begin - 1].kind in ("word", "symbol") or pieces[begin - 1].text == ":")
    ):
        begin -= 1
    while not before and end < len(pieces) and pieces[end].kind == "word" and pieces[end].text.lower() not in _BORDERS:
        end += 1
    return len({piece.text.lower() for piece in pieces[begin:end]} & asked.topic)


_BORDERS = frozenset("and but while whereas or y e et und и".split())


def _is_mere_name(text: str) -> bool:
    return _NAME.fullmatch(text.strip()) is not None


_NAME = re.compile(
    r"(?:[A-Za-z]|[A-Z]{2,4}|\\(?!emptyset|infty|pi\b|varnothing)[a-z]+)(?:_\{?\w+\}?)?'*"
    r"|(?:\\angle|∠|\\triangle|△|\\overline)\s*\{?[A-Z]+\}?|[A-Za-z]+\([A-Za-z](?:,\s?[A-Za-z])*\)|"
    r"\([a-z](?:,\s?[a-z])+\)"
)


def _behind_copula(clause: str, pieces: list[Piece], run: Run) -> bool:
    before = clause[max(0, run.start - 80) : run.start]
    return phrases.COPULA_BEFORE.search(before) is not None


def _is_equation(clause: str, pieces: list[Piece], run: Run) -> bool:
    return re.search(r"(?<![<>!\\])=|\\(?:le|ge|in|approx|lt|gt)(?![a-z])|[≤≥≈∈<>]", run.text) is not None


def _is_numbering(pieces: list[Piece], run: Run) -> bool:
    """Whether a run is the number of a step, a case or a problem."""
    return run.first > 0 and pieces[run.first - 1].text.lower() in phrases.NUMBERED


def _is_background(pieces: list[Piece], run: Run) -> bool:
    return run.first > 0 and pieces[run.first - 1].text.lower() in phrases.BACKGROUND


def _amount(clause: str, pieces: list[Piece], run: Run) -> str:
    """A run with the word that follows it, as `20 chickens`."""
    after = pieces[run.last] if run.last < len(pieces) else None
    said = " ".join(undressed(run.text).split())
    return f"{said} {after.text}" if after is not None and after.kind == "word" else said


def unconditioned(text: str) -> str:
    r"""A formula without the condition that follows it: `f(x) = 2x \\text{ for all } x \\in \\mathbb{R}`."""
    if len(text) > MAX_READ or (not _MAY_CONDITION.search(text) and not _MAY_RUN.search(text)):
        return text
    pieces = pieces_of(text)
    kept, at = [], 0
    for index in range(1, len(pieces)):
        if pieces[index].start < at:
            continue
        end = _condition_end(text, pieces, index)
        if end > index:
            kept.append(text[at : pieces[index].start])
            at = pieces[end - 1].end
    kept.append(text[at:])
    return "".join(kept).rstrip(" ,(") if at else text


_MAY_RUN = re.compile(r"\\in(?![a-z])|∈|integer|constant|number")
_MAY_CONDITION = re.compile(phrases.CONDITIONAL_HINT)


def leading_value(text: str) -> tuple[str, str] | None:
    """The value that a text begins with, and the rest of its sentence."""
    end = _SENTENCE_END.search(_masked(text))
    sentence = text[: end.start()] if end else text
    runs = runs_of(sentence)
    if runs and not sentence[: runs[0].start].strip(" *_$(:"):
        return runs[0].text, sentence[runs[0].end :]
    written = _NUMERAL.match(sentence.lstrip(" *_"))
    return (written.group(), sentence.lstrip(" *_")[written.end() :]) if written else None


def is_mathematical(text: str) -> bool:
    """Whether a plain text is an expression or an amount, rather than a sentence."""
    runs = runs_of(text[:MAX_SENTENCE])
    return len(runs) == 1 and len(text) - len(runs[0].text) < 60
