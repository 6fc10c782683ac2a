"""Which run of a clause is the value that it states: by copula, by equation, or as the only one that is not given."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable
from typing import NamedTuple

from verifleet.reading.words import spoken
from verifleet.verifiers.math.answer import phrases
from verifleet.verifiers.math.answer.bounds_in_words import bound_before
from verifleet.verifiers.math.answer.stance import unsaid
from verifleet.verifiers.math.answer.wording import undressed
from verifleet.verifiers.math.question import NOTHING, Question, stem, stems
from verifleet.verifiers.math.syntax.runs import MAX_READ, NAMES, Run, measured, runs_of, whole_run, without_formulas
from verifleet.verifiers.math.syntax.vocabulary import NUMBERED, listed, phrased

_BOUND_AFTER = spoken(phrased("value.bound_after"))
_FACTORIAL = re.compile(r"(?:[^A-Za-z!?]|(?<![A-Za-z])[A-Za-z](?![A-Za-z]))*[0-9)]!\.?")
_ASIDE = re.compile(
    r"(?<=\S)\s+\((?P<said>[^()]*+(?:\([^()]*+\)[^()]*+){0,4}+)\)[.\s]*$|"
    r"(?<=[A-Za-z0-9}$])\((?P<word>[a-z]{3,}[^()=\\]*)\)[.\s]*$"
)
_NO_ASIDE = spoken(phrased("value.no_aside"))
_RELATION_SIGNS = "=≈∈<>≤≥✓"
_ASIDE_WORD = re.compile(rf"(?<![\\A-Za-z])[^\W\d_]{{2,}}|[{_RELATION_SIGNS}]")
_SOLVED = re.compile(r"\s*(?:[a-zα-ω]|\\[a-z]+)(?:_\d)?\s?=(?!.*[a-zA-Z]\s?=)")
_CHAINED = re.compile(r"(?:(?!and\b)[^,;:.=])*=\s*")
_COUNT = re.compile(r"[\d.,]+(?:\s*\\text\{[^{}]*\})?")
_ITEMS = re.compile(r",\s*(?:and\s)?|\sand\s")
_TOTAL_OF = re.compile(r"\b(?:a\s+total\s+of|(?:al)?together)\s[\s$]{0,9}$")
_OPERATED = re.compile(r"\S\s?[-−+*/·×^=]|\\[a-z]|\b(?:plus|minus|times|divided|over)\b")
THAT_IS = re.compile(r"\bi\.\s?e\.|\bnamely\b")
_STATED = re.compile(
    r"\s*(?:[A-Za-z]+\s*=|(?:\\left|\\bigl?|\\Bigl?)?\s*(?:[(⟨]|\\langle|\\begin)(?=.*?(?:,|\\\\|&)))", re.DOTALL
)
_OPERAND = re.compile(rf"[a-z]\s?[)\]]?\s?[-−+*/·×÷^]\s?$|\b(?i:{phrased('value.spans')})[\s$]*$")
_WORD_LABEL = re.compile(r"(?<!\w)([A-Za-z]{3,})\s*[=:]\s*$")
PERMUTED = spoken(rf"(?:[\s,$(]|\\text\s?\{{){{0,9}}(?:{phrased('value.permuted')})[\s.)}}$]{{0,9}}$")
"""`and all of its permutations`, behind a tuple."""
_PERMUTATIONS_OF = spoken(rf"\b(?:{phrased('value.permutations_of')})[\s$]*$")
_THEN_NAMED = re.compile(r"([^=,;]+)[,;]\s(?=[^=,;\d]{1,12}=)")
_WHOLE = re.compile(r"them\b|(?:the|these|those|all|our)\s(?:[a-z]+\s)?\d")
_PARTED = re.compile(r"[\d)}$½⅓⅔¼¾⅛]\*{0,2}\s+(?:[a-z]+\s+)?of\s+(?:the|these|those|all|our)\s+(?:[a-z]+\s+)?\$?$")
_AND_THE = re.compile(r"\band\s(?:the|its|a)\s(?P<noun>[a-z]+)\s[\s$]*$")
NAMED = re.compile(rf"(?!(?:{'|'.join(sorted(listed('value.no_names')))})\b)[A-Z][a-z]+(?![A-Za-z])")
_DIFFERENCE = re.compile(phrased("value.difference"))
_THING = re.compile(r"(?!(?:in|on|of|at|for|with|from|to|the|left|per|each)\b)")
_DETERMINERS = frozenset("the his her its their my our".split())
_BORDERS = frozenset("and but while whereas or y e et und и".split())
_NAME = re.compile(
    r"(?:[A-Za-z]|[A-Z]{2,4}|\\(?!emptyset|infty|pi\b|varnothing)[a-z]+)(?:_\{?\w+\}?)?'*"
    r"|(?:\\angle|∠|\\triangle|△|\\overline)\s*\{?[A-Z]+\}?|[A-Za-z]+\([A-Za-z](?:,\s?[A-Za-z])*\)|"
    r"\([a-z](?:,\s?[a-z])+\)"
)
_CHOICE = re.compile(r"\s*[A-Za-z]\s?\)")
_EQUATION = re.compile(r"(?<![<>!\\])=|\\(?:le|ge|in|approx|lt|gt)(?![a-z])|[≤≥≈∈<>]")
_BRACKETS = re.compile(r"(?<!\\)[()\[\]]")
_FIRST_VALUE = re.compile(r"[\d\ue000](?=[^\d\ue000]|$)|[=<>≤≥]")

_OPEN_LABEL = re.compile(r"(?<![\w\\)\]}])[A-Za-z]{1,12}[(\[][^()\[\]]*$")


class Stated(NamedTuple):
    """An answer, where it stands in the text that was searched, and how it was found."""

    text: str
    start: int
    end: int
    clause: str = ""  # that states it, for answers in words
    whole: str = ""  # all that is stated with it, for answers in several parts
    how: str = ""
    parts: tuple[str, ...] = ()  # several boxes that stand together

    def moved(self, by: int) -> Stated:
        """The same in a text that begins so much earlier."""
        return self._replace(start=max(0, self.start + by), end=max(0, self.end + by))


def named_value(clause: str, asked: Question, alone: bool = False) -> Stated | None:
    """The value that a clause states: by copula, by equation, or as the only one that is not given."""
    body = without_aside(closed(clause, asked.name).rstrip())
    runs = runs_of(body)
    chosen = _chosen([run for run in runs if _may_be_value(run, asked)], asked)
    if sum(not is_mere_name(run.text) for run in runs) > 1 and phrases.EITHER.search(without_formulas(body)):
        return None
    if chosen is None or any(phrases.ONE_OF.search(run.before()) for run in runs):
        return None
    text = chosen.text.strip()
    label, named = _WORD_LABEL.search(body, 0, chosen.start), _THEN_NAMED.match(text)
    if named and (label or body[: chosen.start].rstrip().endswith(" by")):  # Variance = 4, σ = 2; dividing by 2, x = 3
        text = named[1] if label and label[1].lower() in asked.words else text[named.end() :]
    if _OPERAND.search(body, 0, chosen.start) and "=" in text:
        text = text.partition("=")[2].strip()  # (base × height)/2 = 6 · 4/2 = 12, x² from 0 to 1 = 1 - 0
    if alone and _FACTORIAL.fullmatch(clause.strip()):
        text = clause.strip().rstrip(".")
    bound = _BOUND_AFTER.match(body, chosen.end)
    if bound is not None:
        return Stated(text + bound.group(), chosen.start, bound.end())
    permuted = PERMUTED.match(body, chosen.end) or _PERMUTATIONS_OF.search(body, 0, chosen.start)
    return Stated(f"{text} and permutations" if permuted else text, chosen.start, chosen.end)


def _may_be_value(run: Run, asked: Question) -> bool:
    """Whether a run is one of the values of its clause: no step's number, not denied, not a part of something else."""
    return (
        (not _changed(run) or _BOUND_AFTER.match(run.clause, run.end) is not None or _differs(run, asked))
        and run.word_before not in NUMBERED
        and not unsaid(run.clause, run.start, run.end)
        and not _PARTED.search(run.before())
        and not phrases.CHANGED_BEFORE.search(run.before(30))
        and _balanced(run.text)
        and not _OPEN_LABEL.search(run.clause, 0, run.start)
    )


def _differs(run: Run, asked: Question) -> bool:
    """Whether a value tells by how much two things differ, where that may be asked: `A costs $3 more than B`."""
    open_ = asked.compares or not (asked is NOTHING or asked.text.strip())
    return open_ and _DIFFERENCE.match(run.clause, run.end) is not None


def without_aside(clause: str) -> str:
    """A clause without what stands in brackets at its end: a remark, a condition, a check."""
    masked = without_formulas(clause)
    aside = _ASIDE.search(masked) if len(masked) <= MAX_READ else None
    name = "word" if aside is None or aside.group("said") is None else "said"
    said = clause[slice(*aside.span(name))] if aside else ""
    if (
        aside is None
        or _NO_ASIDE.match(said)
        or (not runs_of(clause[: aside.start()]) and runs_of(said) and not set(said) & set(_RELATION_SIGNS))
    ):
        return clause
    words = {word for word in _ASIDE_WORD.findall(said) if word.lower() not in NAMES}
    remark = words & set(_RELATION_SIGNS) or (words and not whole_run(said.strip()))
    return clause[: aside.start()] if remark else clause


def _changed(run: Run) -> bool:
    """Whether the words after a run make something else of it: `3 more than`, `15% of 80`."""
    after = [piece.text.lower() for piece in run.after[:5]]
    if not after:
        return False
    if after[0] == "or":
        again = re.split("['’]", after[1])[0] if after[1:] else ""  # or it's
        return again not in ("it", "they") or not any(map(str.isdigit, run.clause[run.end :]))  # another value
    if after[0] == "of" or after[:2] == ["out", "of"]:
        if _WHOLE.match(" ".join(after[after.index("of") + 1 :])):
            return False  # 56 of the 64 subsets
        text = run.text.rstrip()
        if text.endswith("%") or "percent" in text:
            return [piece.kind for piece in run.after[1:2]] != ["word"]  # 45% of the class
        return not text.endswith("}") and ("/" not in text or after[1:2] in (["a"], ["an"]))
    return after[0] in phrases.CHANGING or (
        len(after) > 1 and after[1] in ("more", "less", "fewer", "times") and "than" in after
    )


def _chosen(runs: list[Run], asked: Question) -> Run | None:
    if len({comparable(run.text) for run in runs}) <= 1:
        return runs[-1] if runs else None
    clause = runs[0].clause
    values = _those(runs, lambda run: not is_mere_name(run.text) or run.text.strip() in asked.choices)
    values = _those(values, lambda run: bound_before(clause[: run.start]) is None)
    if len({comparable(run.text) for run in values}) == 1:
        return values[-1]
    gaps = [clause[: values[0].start], *(clause[a.end : b.start] for a, b in itertools.pairwise(values))]
    if any(phrases.OFFERED.search(f" {gap.rpartition(': ')[2]} ") for gap in gaps):
        return None
    if asked.counts and values[-2].text.rpartition("=")[2].strip() == str(len(_ITEMS.split(values[-1].text))):
        return values[-2]  # 3 divisors: 1, 2, 4
    between = clause[values[-2].start : values[-1].start]
    worked_out = _COUNT.fullmatch(values[-1].text.strip()) and _OPERATED.search(between)
    that_is = THAT_IS.search(gaps[-1]) and (
        worked_out or (asked.kind != "number" and _STATED.match(values[-1].text)) or _SOLVED.match(values[-1].text)
    )
    if that_is or all(map(_CHAINED.fullmatch, gaps[1:])):  # 1/2 · base · height = 1/2 · 10 · 6 = 30
        return values[-1]
    total = [run for run in values if _TOTAL_OF.search(run.before())]
    total = total or [run for run in values if asked.compares and _differs(run, asked)]
    own = None if total else _of_their_own(values, asked)
    if own is not None:
        return own[0] if own else None
    counted = [run for run in values if run.after and run.after[0].text.lower() == asked.counted]
    alone = next((found[0] for found in (total, counted) if len(found) == 1), None)
    if alone is not None:
        return alone
    values = _relevant(values, asked)
    solved = [run for run in values if "solve" in asked.lower and _SOLVED.match(run.text)]
    if solved:
        return solved[-1]
    assigned = [run for run in values if "=" in run.text and is_mere_name(run.text.partition("=")[0])]
    headed = [run for run in assigned[:-1] if run.before().rstrip().endswith(":")]  # Heron: s = 21, A = 84
    told = (
        [run for run in values if _named_last(run, asked)],
        [run for run in values if behind_copula(run) and run not in headed],
        _topical(values, asked, before=True),
        [run for run in values if _EQUATION.search(run.text)],
        _topical(values, asked),
    )
    found = next(filter(None, told), [])
    return (_topical(found, asked) or found)[-1] if found else _left_over(values, asked)


def _of_their_own(values: list[Run], asked: Question) -> list[Run] | None:
    """The value of the one that is asked about, where each has a clause or a noun of its own; [] if it is none of them.

    `Sam has 12 apples and Jo has 15`, `3 red balls and 4 blue balls`. None where they are not told apart like that.
    """
    spans = [_around(run) for run in values]
    before = [run.pieces[begin : run.first] for run, (begin, _) in zip(values, spans, strict=True)]
    behind = [run.pieces[run.last : end] for run, (_, end) in zip(values, spans, strict=True)]
    things = [stems(itertools.takewhile(_THING.match, (piece.text for piece in own))) for own in behind]
    if all(any(piece.text.lower() in _DETERMINERS or NAMED.match(piece.text) for piece in own) for own in before):
        told = [stems(piece.text for piece in own) for own in before]
        open_ = any(NAMED.match(piece.text) for piece in before[-1])
    elif all(things) and not any(before[1:]):
        told, open_ = things, asked.counts
    else:
        return None
    scores = [len(own & asked.topic) for own in told]
    best = [run for run, score in zip(values, scores, strict=True) if score == max(scores)]
    fresh = [run for run in values if not asked.gives(_amount(run))]
    if len(best) == 1:
        return best if best[0] in fresh or not fresh else None
    return [] if open_ and asked.topic and len(fresh) > 1 else None


def _left_over(values: list[Run], asked: Question) -> Run | None:
    """Of values that nothing tells apart the one that is not given, or that ends the clause."""
    clause = values[0].clause
    fresh = [run for run in values if not asked.gives(_amount(run)) and run.word_before not in phrases.BACKGROUND]
    if len({comparable(run.text) for run in fresh}) == 1:
        return fresh[-1]
    parts = [match.end() for match in re.finditer(r"[,;]\s", without_formulas(clause))]
    tail = [run for run in fresh or values if parts and run.start >= parts[-1]]
    return tail[0] if len(tail) == 1 else None


def _those(values: list[Run], test: Callable[[Run], bool]) -> list[Run]:
    """The values that pass a test, or all."""
    return list(filter(test, values)) or values


def _relevant(values: list[Run], asked: Question) -> list[Run]:
    """The values that are not of another unit, or given in passing."""
    if asked.unit and all("\\text{ " in run.text for run in values):
        values = _those(values, lambda run: measured(run.text) == measured(asked.unit))
    return _those(values, lambda run: not (run.word_before in phrases.BACKGROUND and asked.gives(_amount(run))))


def _named_last(run: Run, asked: Question) -> bool:
    """Whether a value ends what is said of a word of the prompt: `the quotient is 3 and the remainder 2`."""
    match = _AND_THE.search(run.clause, 0, run.start)
    topical = match is not None and stem(match.group("noun").lower()) in asked.topic
    return topical and (not run.after or run.after[0].kind == "mark")


def _topical(values: list[Run], asked: Question, before: bool = False) -> list[Run]:
    """The one value that is said of something the prompt asks for, if there is one."""
    scores = [_topicality(run, asked, before) for run in values]
    best = max(scores)
    return [values[scores.index(best)]] if best > 0 and scores.count(best) == 1 else []


def _topicality(run: Run, asked: Question, before: bool) -> int:
    """How many of the words around a value, or only before it, are words for what the prompt asks."""
    begin, end = _around(run)
    return len(stems(piece.text for piece in run.pieces[begin : run.last if before else end]) & asked.topic)


def _around(run: Run) -> tuple[int, int]:
    """Where the words around a value begin and end, by index of their pieces."""
    begin, end, pieces = run.first, run.last, run.pieces
    while (
        begin
        and pieces[begin - 1].text.lower() not in _BORDERS
        and (pieces[begin - 1].kind in ("word", "symbol") or pieces[begin - 1].text == ":")
    ):
        begin -= 1
    while end < len(pieces) and pieces[end].kind == "word" and pieces[end].text.lower() not in _BORDERS:
        end += 1
    return begin, end


def is_mere_name(text: str) -> bool:
    """Whether a text only names a value: `x_1`, `AB`, `f(x)`."""
    return _NAME.fullmatch(text.strip()) is not None


def behind_copula(run: Run) -> bool:
    """Whether words that assert a value stand before a run."""
    return phrases.COPULA_BEFORE.search(run.before()) is not None


def _amount(run: Run) -> str:
    """A run with the word that follows it, as `20 chickens`."""
    following = [piece.text for piece in run.after[:1] if piece.kind == "word"]
    return " ".join([*undressed(run.text).split(), *following])


def _balanced(text: str) -> bool:
    """Whether all brackets of a text close, but for that of a choice such as `A) 15`.

    Those of an interval may differ in kind, or be turned around.
    """
    choice = _CHOICE.match(text)
    signs = _BRACKETS.findall(text, choice.end() if choice else 0)
    if any(sign in "[]" for sign in signs):
        return len(signs) % 2 == 0
    depths = [0, *itertools.accumulate(1 if sign == "(" else -1 for sign in signs)]
    return min(depths) == depths[-1] == 0


def closed(clause: str, name: str = "") -> str:
    """A clause without the reason or contrast that follows it; what it says of the name that is asked for stays."""
    masked = without_formulas(clause)
    value = _FIRST_VALUE.search(masked)
    trailer = phrases.TRAILER.search(masked, value.end() if value else 1)
    kept = name and trailer and re.search(rf"(?<![A-Za-z]){re.escape(name)}\s*=", clause[trailer.start() :])
    return clause if trailer is None or kept else clause[: trailer.start()]


def comparable(value: str) -> str:
    """A value without its name, spaces and dress, to be found again in a list."""
    bare = re.sub(r"[\s${}]|\\[,;! ]", "", value.replace("−", "-"))
    return re.sub(r"^\\?[A-Za-z]+(?:_\w+|\([a-z]\))?=", "", bare)
