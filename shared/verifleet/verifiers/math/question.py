"""What a prompt says about the answer that is wanted: rounding, percent, order, an antiderivative."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cached_property, lru_cache
from itertools import islice, takewhile
from typing import TYPE_CHECKING, Final

from verifleet.reading.numbers import named
from verifleet.reading.words import fold as folded
from verifleet.reading.words import language_of
from verifleet.verifiers.math.syntax.runs import readable
from verifleet.verifiers.math.syntax.vocabulary import dimension, listed, phrased, table

if TYPE_CHECKING:
    from verifleet.verifiers.math.syntax.expression import Node
MAX_PROMPT = 20_000  # characters at the end of a prompt that are read
_NEAREST = {word: int(places) for word, places in table("question.nearest").items()}
_ASKED_UNIT = re.compile(phrased("question.asked_unit"))
_ASKED_NAME = re.compile(phrased("question.asked_name"))
_SOUGHT = re.compile(phrased("question.sought"))
KINDS = table("question.kinds")
"""Units of the kind that nouns for what is asked for are measured in."""
_EVERYDAY = listed("question.everyday")
_WORD = re.compile(r"(?<!\\)[^\W\d_]{2,}")
MAX_FORMULAS = 4_000  # characters at the end of a prompt in which formulas are read
MAX_PROMPT_FORMULAS = 20
_MEASURED = re.compile(r"\d[\s$}]*(?:\\text\s?\{\s*|\\,|\\ )?([^\W\d_]+)")
_PERCENT = r"per\s?cent|pct\b|\\?%"
MAX_PERCENTS = 1_000  # of a prompt that are looked at
_GIVEN_AMOUNT = re.compile(rf"(?:[\d½¼¾]|\b(?:{'|'.join(named('en'))}|half))[\s$}})-]*$")
_ASKED_RATE = r"\b(?:what|find|determine|calculate|compute|give|state)\b[^.?!]{0,60}\brate\b"
_DRESS = re.compile(r"\\(?:left|right|displaystyle|bigl|bigr|big|Big)(?![a-z])|\\!")
_BORDERS = re.compile(r"\$+(?<!\\\$)|\\[()\[\],;: ]|~")
_GROUP = re.compile(r" (?<=[0-9] )[0-9]{3}(?![0-9])")
_THOUSANDS = re.compile(r"(?<![0-9.,] )(?<![0-9.,])[0-9]{1,3}(?: [0-9]{3})+(?! ?[0-9])")
_SPACE = re.compile(r" (?:(?<![A-Za-z0-9] )|(?![A-Za-z0-9\\(])|(?<=[0-9] )(?![0-9]))")
_CHOICE = re.compile(
    r"(?:(?<![A-Za-z0-9\\({])|(?=\\(?:text|math|rm|bf)))(?:\\(?:textbf|text|mathrm|textrm|rm"
    r"|bf)\s*\{?\s*)?\(?([A-H])(?:\)|\.(?=\s)|:)\s*\}?"
)


def _says(pattern: str) -> cached_property[bool]:
    """Whether the prompt, in lower case, has what a pattern finds; looked for when first asked."""
    return cached_property(lambda question: re.search(pattern, question.lower) is not None)


class Question:
    """A prompt, read once; the properties are computed when first asked for."""

    def __init__(self, prompt: str, kind: str = "") -> None:
        self.kind = kind  # of the answer that is sought: a number, a function
        self.text = prompt[-MAX_PROMPT:]
        self.lower = self.text.lower()

    rounding = _says(phrased("question.rounding"))
    """The answer may be, or has to be, rounded; where the task is to round a number, nothing else will do."""

    exact = _says(phrased("question.exact"))
    """No decimal will do for a value that has none."""

    def _has(self, pattern: str) -> bool:
        return re.search(pattern, self.lower) is not None

    @cached_property
    def places(self) -> int | None:
        """Digits after the point that are asked for, where the prompt says so."""
        match = re.search(r"(?<!\d)(\d{1,2}|[a-z]+)\s+decimal\s+places?", self.lower)
        if match:
            return int(match[1]) if match[1].isdigit() else named("en").get(match[1])
        match = re.search(r"nearest\s+([a-z-]+)", self.lower)
        return _NEAREST.get(match.group(1)) if match else None

    @cached_property
    def percent(self) -> bool:
        """Whether a percentage is asked for: one is spoken of that is not just given, as in `15% of 60`."""
        if not self._has(_PERCENT):
            return False
        places = [match.start() for match in islice(re.finditer(_PERCENT, self.lower), MAX_PERCENTS)]
        given = all(_GIVEN_AMOUNT.search(self.lower, max(0, at - 24), at) for at in places)
        return not given or self._has(_ASKED_RATE)

    percents = _says(rf"{_PERCENT}|\brates?\b|^\s*$")
    """It speaks of percents, or says nothing: a plain number may be one of them."""

    ordered = _says(phrased("question.ordered"))
    """A pair, a triple or a point is asked for, rather than an interval."""

    @cached_property
    def extremes(self) -> frozenset[str]:
        """The signs of bounds whose end is asked for: the least value that is possible, or the greatest."""
        least = self._has(r"\b(?:minimum|minimal|minimi[sz]e|least|fewest|smallest|lowest|lower bound)\b")
        most = self._has(r"\b(?:maximum|maximal|maximi[sz]e|most|largest|greatest|highest|upper bound)\b")
        return frozenset(([r"\ge"] if least else []) + ([r"\le"] if most else []))

    @cached_property
    def several(self) -> bool:
        """Whether all solutions are asked for, so that a comma stands between two of them: `-7,0` is no -7.

        Not where the prompt itself writes numbers with decimal commas.
        """
        return not self.decimal_commas and self._has(
            r"\bsolve|\bsolutions\b|\b(?:roots|zeros|zeroes)\b|\bordered\s+(?:pair|triple|quadruple)|"
            r"\bseparated\s+by\s+(?:a\s+)?commas?\b|\bcomma[- ]separated\b|"
            r"\b(?:what|which|find|determine|give|list|state)\s+(?:the\s+)?(?:possible\s+|exact\s+)?values\b|"
            r"\b(?:all|every|each|both)\s+(?:(?:the|real|complex|integer|rational|positive|negative|possible"
            r"|of)\s+){0,3}"
            r"(?:\$?[a-z]\$?(?![a-z])|solutions?|values?|numbers?|integers?|points?)"
        )

    decimal_commas = _says(r"(?<![\d,.(\[{])(?<!\b[a-z]=)(?<!\b[a-z]\s=\s)\d+(?:,|\{,\})\d{1,2}(?![\d,)\]}\\]|\.\d)")
    """It writes numbers with decimal commas itself; `(1,2)` and `n=1,2` are none."""

    @cached_property
    def language(self) -> str:
        """The language it is written in, "" if that can't be told."""
        words = _WORD.findall(self.lower)
        return language_of([folded(word) for word in words], "".join(words))

    judges = _says(r"\btrue or false\b|\bis it (?:true|correct)\b|\b(?:statement|claim)\b[^.?]{0,40}\btrue\b")
    """A statement is to be judged."""

    counts = _says(r"\bhow\s+many|\bnumber\s+of|\bwie\s+viele|\banzahl|\bcombien|\bcuánt[oa]s|\bquant[oiae]s?\b")
    """It asks how many there are."""

    compares = _says(phrased("question.compares"))
    """It asks by how much two things differ."""

    @cached_property
    def counted(self) -> str:
        """What it asks the number of: `edges` in `How many edges`."""
        match = re.search(r"\bhow\s+many\s+([a-z]{3,})\s+(?:are|is|do|does|did|has|have|can|will|were)\b", self.lower)
        return match.group(1) if match else ""

    intervals = _says(r"interval|inequalit|domain|range|<|>|\\\\[lg]eq?|≤|≥")
    """The answer is likely to be an interval."""

    bases = _says(r"\bbase|binary|octal|hex|decimal|_\{?\d")
    """It speaks of number bases."""

    def uses(self, letter: str) -> bool:
        """Whether a letter stands for a quantity in it: alone, and not as the unit of a number before it."""
        return re.search(rf"(?<![A-Za-z\\])(?<![0-9])(?<![0-9] ){re.escape(letter)}(?![A-Za-z])", self.text) is not None

    @cached_property
    def unit(self) -> str:
        """The unit that the answer is asked in: `how many hours`, `in square metres`."""
        for match in _ASKED_UNIT.finditer(self.lower):
            words = match.group("unit") or match.group("unit_")
            known = dimension(words)
            if known is not None and known[0]:
                return str(words)
        return ""

    def heats(self, scale: str) -> bool:
        """Whether it speaks of temperatures of a scale: of `celsius` or °C."""
        return self._has(rf"{scale}|(?:°|\\circ)[\s}}$]*(?:\\\w+\s*\{{)?\s*{scale[0]}\b")

    def measures_in(self, unit: str) -> bool:
        """Whether it gives amounts in a unit, or in the parts of one: 90 km and 2 hours for `km/h`."""
        given = {dimension(word) for word in _MEASURED.findall(self.lower)}
        return {dimension(word) for word in re.findall(r"[^\W\d_]+", unit) if word != "per"} <= given - {None}

    @cached_property
    def formulas(self) -> tuple[tuple[str, Node], ...]:
        """Its formulas, folded and parsed."""
        return tuple((fold(text), node) for text, node in readable(self.text[-MAX_FORMULAS:])[:MAX_PROMPT_FORMULAS])

    def writes(self, node: Node) -> bool:
        """Whether an expression stands in it as a formula, or as a side of one."""
        return any(node == part or (part.op == "rel" and node in part.args) for _, part in self.formulas)

    ratio = _says(rf"\bratio|proportion|odds|scale|{phrased('statement.ratio_of')}")
    """It speaks of a ratio."""

    clock = _says(r"\btime\b|o'?clock|\bclock|a\.m|p\.m|\bam\b|\bpm\b|noon|midnight|minutes")
    """It speaks of the time of day."""

    antiderivative = _says(phrased("question.antiderivative"))
    """An indefinite integral is asked for."""

    any_constant = _says(r"\ban antiderivative|\ba primitive|\bone antiderivative")
    """One antiderivative is enough, so that + C may be left out."""

    @cached_property
    def folded(self) -> str:
        """The text without white space, dollar signs and size commands, to look for copies in."""
        return fold(self.text)

    @cached_property
    def words(self) -> frozenset[str]:
        """Its words in lower case."""
        return frozenset(re.findall(r"[a-z]+(?:['-][a-z]+)*", self.lower))

    @cached_property
    def name(self) -> str:
        """The letter whose value is asked for, as in `Find $x$`."""
        match = _ASKED_NAME.search(self.text)
        return match.group(1) if match else ""

    @cached_property
    def sought(self) -> str:
        """The noun for what is asked for, as `area` in `What is the triangle's area?`."""
        match = _SOUGHT.search(self.lower)
        return match.group(1) if match else ""

    converts = _says(phrased("question.converts"))
    """It asks for another way to write a number."""

    @cached_property
    def topic(self) -> frozenset[str]:
        """The stems of the words that say what is asked for: those of its last sentence."""
        last = re.split(r"[.!?]\s+(?=\S)", self.text.strip())[-1]
        words = re.findall(r"(?i:[a-z]{3,})|(?<=[a-z,]\s)[A-Z][a-z]\b", last)  # Jo
        return frozenset(stem(word) for word in map(str.lower, words) if word not in _EVERYDAY)

    sorts = _says(phrased("question.sorts"))
    """Things are to be put in an order."""

    def gives(self, amount: str) -> bool:
        """Whether it gives an amount itself, such as `20 chickens` or `20`."""
        return bool(amount) and re.search(rf"(?<![\w.,]){re.escape(amount.lower())}(?![\w])", self.lower) is not None

    @cached_property
    def choices(self) -> dict[str, str]:
        """Answers to choose from, by letter."""
        found = list(_CHOICE.finditer(self.text))
        first = max((index for index, match in enumerate(found) if match.group(1) == "A"), default=len(found))
        pairs = takewhile(lambda pair: pair[0] == pair[1].group(1), zip("ABCDEFGH", found[first:], strict=False))
        run = [match for _, match in pairs]
        ends = [*(match.start() for match in run[1:]), len(self.text)]
        texts = (self.text[match.end() : end] for match, end in zip(run, ends, strict=False))
        plain = (text.strip().strip("$").strip().rstrip(",.;").strip("$ ") for text in texts)
        return dict(zip("ABCDEFGH", plain, strict=False)) if len(run) > 1 else {}


NOTHING: Final = Question("")


def stem(word: str) -> str:
    """The letters by which a word is told from others."""
    return word[:6]


def stems(words: Iterable[str]) -> frozenset[str]:
    """The stems of words in any case, of `Tom's` that of the name."""
    return frozenset(stem(word.lower().partition("'")[0].partition("’")[0]) for word in words)


def fold(text: str) -> str:
    """Text without dress that never changes a meaning; spaces stay where they keep words or numbers apart."""
    text = " ".join(_BORDERS.sub(" ", _DRESS.sub("", text)).split())
    if _GROUP.search(text):
        text = _THOUSANDS.sub(lambda match: match.group().replace(" ", ""), text)
    text = _SPACE.sub("", text)
    return (
        text.replace(r"\dfrac", r"\frac")
        .replace(r"\tfrac", r"\frac")
        .replace(r"\cdot", r"\times")
        .replace("*", r"\times")
    )


read_question = lru_cache(maxsize=2048)(Question)
"""The question of a prompt, to be answered by a kind of value; equal prompts are read once."""
