r"""Text to tokens: LaTeX, plain text, Unicode, and any mixture of them.

Every kind of dress is taken off here (spacing commands, sizes, fonts, `\\text`, Unicode signs),
so that the parser sees one small alphabet of tokens.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from typing import Final, NamedTuple

from verifleet.verifiers.math.syntax.vocabulary import (
    JOINING,
    JOINING_IN_TEXT,
    PLAIN_UNIT_WORDS,
    UNIT_SIGNS,
    data,
    listed,
    may_be_unit,
    table,
)

MAX_LENGTH = 8_000
MAX_DIGITS = 3_000
_SUPERSCRIPTS = dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻ⁿ⁽⁾ⁱᵃᵇᵉᵏᵗʸˣ", "0123456789+-n()iabektyx", strict=True))
_SUBSCRIPTS = dict(zip("₀₁₂₃₄₅₆₇₈₉₊₋ₙ", "0123456789+-n", strict=True))
VULGAR: Final = "½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞⅐⅑⅒"
_SIGNS = str.maketrans(
    table("lexer.signs") | {sign: rf" \{name} " for sign, name in table("lexer.named_signs").items()}
)
_UNICODE_RUNS = re.compile(f"([{''.join(_SUPERSCRIPTS)}]+)|([{''.join(_SUBSCRIPTS)}]+)|([{VULGAR}])", re.UNICODE)
_OVERLINED = re.compile("(?:[0-9][\u0304\u0305])+")
_PAIR = re.compile(r"(?<![A-Za-z\\])\((\s*-?[\d./]+)\s*\|\s*(-?[\d./]+\s*)\)")  # (7 | 3), a pair

# --- commands ----------------------------------------------------------------

_SPACES = listed("lexer.spaces") | {"\\ "}
_DROP_WITH_ARGUMENT = listed("lexer.dropped_with_argument")
_TEXT_COMMANDS = listed("lexer.text_commands")
_FONT_COMMANDS = listed("lexer.font_commands")
_BOLD = listed("lexer.bold")
_BASIS = {"i": "unit:i", "j": "unit:j", "k": "unit:k", r"\imath": "unit:i", r"\jmath": "unit:j"}
_CANONICAL = table("lexer.commands")
_CURRENCIES = table("lexer.currencies")
INVERSES = {name: f"arc{name}" for name in listed("lexer.inverted")}
SYNONYMS = {f"{short}{name}": inverse for name, inverse in INVERSES.items() for short in ("a", "ar")}
SYNONYMS |= {"sign": "sgn", "factorial": "fact", "binomial": "binom"}
FUNCTIONS = listed("lexer.functions").union(INVERSES, INVERSES.values(), SYNONYMS)
_UNITS_OR_FUNCTIONS = frozenset({"min", "sec", "re", "im", "arg"})
GREEK = listed("lexer.greek")
_WORD_COMMANDS = table("lexer.word_commands")
WORD_OPERATORS = frozenset({"or", "and", "mod", "in", "union"})
_TOKEN = re.compile(
    r"(?P<space>\s+|~|&nbsp;)"
    r"|(?P<thousands>[0-9]{1,3}(?:(?:\s?\{\s?,\s?\}\s?|\\,|\\!,\\!\s?|,\s?\\!\s?|\\!,\s?|"
    r"\\ | +)[0-9]{3})+(?![0-9])(?:\.[0-9]+)?)"
    r"|(?P<commas>[0-9]{1,3}(?:,[0-9]{3})+(?![0-9,])(?:\.[0-9]+)?)"
    r"|(?P<num>(?:[0-9]+(?:\.[0-9]+)?|\.[0-9]+)(?:[eE][+-]?[0-9]{1,4}(?![0-9A-Za-z]))?)"
    r"|(?P<cmd>\\(?:[a-zA-Z]+\*?|.))"
    r"|(?P<letters>[A-Za-z]++(?![\u00c0-\u024f\u1e00-\u1eff]))"
    r"|(?P<foreign>[A-Za-z]*[\u00c0-\u024f\u1e00-\u1eff][A-Za-z\u00c0-\u024f\u1e00-\u1eff\u0300-\u036f]*|"
    r"[^\W\d_A-Za-z\u00c0-\u024f](?:[^\W\d_A-Za-z\u00c0-\u024f]|[\u0900-\u0963\u0e30-\u0e4e])*)"
    r"|(?P<double>\.\.\.+|\*\*|<=|>=|(?<![\d)])!=|==|=<|=>|->|<>)"
    r"|(?P<op>.)",
    re.DOTALL,
)
_DOUBLE = {"**": "^", "<=": r"\le", "=<": r"\le", ">=": r"\ge", "!=": r"\ne", "<>": r"\ne", "==": "="}  # fmt: skip
_DOUBLE |= {"=>": r"\implies", "->": r"\to", "...": r"\ldots"}
_VOWELS = frozenset("aeiouyAEIOUY")
_HALF_DAY = re.compile(r"([0-9]\s*)(?:\\text\s*\{\s*)?([apAP])\.?\s?[mM](?![A-Za-z])\.?\}?")
_NESTED = re.compile(r"\{[^{}]*\{")
_LETTERED = frozenset(r"\vec \overrightarrow \hat \mathcal \tilde \widehat".split())
_JOINERS = JOINING | {word: word for word in WORD_OPERATORS}
_JOINS = WORD_OPERATORS - {"in"}
_GLUED = re.compile(r"(sin|cos|tan|cot|sec|csc|ln|log|sqrt|pi)([a-zA-Z]|theta|alpha|beta|pi|x[a-z]?)$")
_WORDS = PLAIN_UNIT_WORDS | listed("lexer.short_words")
_BRACES = re.compile(r"\\.|[{}]", re.DOTALL)


class MathSyntaxError(ValueError):
    """The text can't be read as a mathematical expression (or is larger than the caps)."""


class Token(NamedTuple):
    """One token. Kinds: num, var, word, cmd (LaTeX command or its Unicode or word form), op, diff, prime, currency."""

    kind: str
    value: str
    spaced: bool = False  # white space before it
    text: bool = False  # inside \text{} or the like


def _unicode_run(match: re.Match[str]) -> str:
    if match.group(1):
        return "^{" + "".join(_SUPERSCRIPTS[char] for char in match.group(1)) + "}"
    if match.group(2):
        return "_{" + "".join(_SUBSCRIPTS[char] for char in match.group(2)) + "}"
    top, bottom = unicodedata.normalize("NFKC", match.group(3)).split("\u2044")
    return rf"\frac{{{top}}}{{{bottom}}}"


def plain_signs(text: str) -> str:
    """Unicode signs as LaTeX; full-width and styled letters as ASCII."""
    if text.isascii():
        return text
    text = _OVERLINED.sub(lambda match: rf"\overline{{{re.sub('[^0-9]', '', match.group())}}}", text)
    text = _UNICODE_RUNS.sub(_unicode_run, text).translate(_SIGNS)
    return text if text.isascii() else unicodedata.normalize("NFKC", text).translate(_SIGNS)


def _by_rows(match: re.Match[str]) -> str:
    """`[1, 2; 3, 4]` and `[1 2; 3 4]` as a matrix."""
    rows = [re.split(r"\s*,\s*" if "," in row else r"\s+", row.strip()) for row in match.group(1).split(";")]
    if len(rows[0]) < 2 or len(set(map(len, rows))) > 1:
        return match.group()
    return r"\begin{pmatrix}" + r" \\ ".join(map(" & ".join, rows)) + r"\end{pmatrix}"


_WRITTEN: dict[str, Callable[[re.Match[str]], str]] = {
    "by rows": _by_rows,
    "primes": lambda match: "'" * match.group().count("prime"),  # f^{\\prime}(x)
}
_READ = tuple(
    (sign, re.compile(pattern), _WRITTEN.get(written, written))
    for sign, pattern, written, *_ in data("rewrites")["rewrites"]
)
"""What stands in a text in which one way to write something is looked for, and the way to write it that is read.

In the file an example may follow.
"""


class Tokenizer:
    """Turns text into tokens. `commas`: whether `1,234` is one number (it may be a list of two)."""

    def __init__(self, text: str, commas: bool = True) -> None:
        if len(text) > MAX_LENGTH:
            raise MathSyntaxError(f"longer than {MAX_LENGTH} characters")
        if _NESTED.search(text) and not any(sign in text for sign in "\\^_"):  # without LaTeX: braces of sets
            text = text.replace("{", r"\{").replace("}", r"\}")
        for sign, pattern, written in _READ:
            text = pattern.sub(written, text) if sign in text else text
        self.source = _HALF_DAY.sub(r"\1\\text{ \2m}", _PAIR.sub(r"(\1,\2)", plain_signs(text)))
        if len(self.source) > 2 * MAX_LENGTH:
            raise MathSyntaxError(f"longer than {MAX_LENGTH} characters")
        self.commas = commas
        self.tokens: list[Token] = []
        self.spaced = False
        self.vectors = False  # whether unit vectors such as \\mathbf{i} were seen

    def run(self) -> list[Token]:
        """All tokens; raises MathSyntaxError."""
        self._scan(self.source, text=False, depth=0)
        return self.tokens

    def _scan(self, source: str, text: bool, depth: int) -> None:
        if depth > 12:
            raise MathSyntaxError("fonts nested too deeply")
        position = 0
        while position < len(source):
            match = _TOKEN.match(source, position)
            assert match is not None  # the last alternative matches any character
            position = match.end()
            kind, value = match.lastgroup, match.group()
            if kind == "cmd":
                position = self._command(source, value, position, text, depth)
            elif kind == "commas" and not self.commas:
                self._emit("num", value.split(",")[0], text)
                position = match.start() + value.index(",")
            else:
                self._simple(str(kind), value, text)

    def _emit(self, kind: str, value: str, text: bool = False) -> None:
        self.tokens.append(Token(kind, value, self.spaced, text))
        self.spaced = False

    def _simple(self, kind: str, value: str, text: bool) -> None:
        if kind == "space" or value == "$":
            self.spaced = True
        elif kind in ("num", "thousands", "commas"):
            if len(value) > MAX_DIGITS:
                raise MathSyntaxError(f"a number of more than {MAX_DIGITS} digits")
            self._emit("num", re.sub(r"[^0-9.eE+-]", "", value), text)
        elif kind == "letters":
            self._letters(value, text)
        elif kind == "foreign":  # a word of another language: it joins values, names a unit, or is no mathematics
            joining = JOINING.get(value.lower())
            self._emit("word" if joining or may_be_unit(value) else "op", joining or value, True)
        elif kind == "double":
            value = _DOUBLE[value[:3]]
            self._emit("cmd" if value.startswith("\\") else "op", value, text)
        else:
            self._emit("prime" if value == "'" else "op", value, text)

    def _command(self, source: str, name: str, end: int, text: bool, depth: int) -> int:
        if name in _SPACES:
            self.spaced = self.spaced or name != r"\!"
        elif name in _DROP_WITH_ARGUMENT:
            _, end = group_at(source, end)
            self.spaced = True
        elif name in _TEXT_COMMANDS or name in _FONT_COMMANDS:
            content, end = group_at(source, end)
            self._font(name, content, text, depth)
        elif name == r"\mathbb" or name == r"\Bbb":
            content, end = group_at(source, end)
            self._emit("cmd", {"R": r"\reals", "C": r"\complexes"}.get(content.strip(), r"\set" + content.strip()[:1]))
        elif name in _CURRENCIES:
            self._emit("currency", _CURRENCIES[name])
        else:
            name = _CANONICAL.get(name, name)
            letters = name.removeprefix("\\")
            kind = "op" if name == letters else "var" if letters in GREEK else "cmd"
            self._emit(kind, letters if kind == "var" else name, text and name != r"\\")
        return end

    def _font(self, name: str, content: str, text: bool, depth: int) -> None:
        stripped = content.strip(" ~")
        if stripped != content:
            self.spaced = True
        upright = name in (r"\mathrm", r"\operatorname", r"\operatorname*")
        joins = name in _TEXT_COMMANDS and content[:1] == content[-1:] == " "
        if name in _BOLD and stripped in _BASIS:
            self.vectors = True
            self._emit("var", _BASIS[stripped])
        elif name in _LETTERED and stripped.isalpha():
            self._emit("var", stripped, text)
        elif upright and stripped in ("e", "i", "d"):
            self._emit("var", stripped)
        elif joins and stripped in JOINING_IN_TEXT:
            self._emit("word", JOINING_IN_TEXT[stripped])
        else:
            wordy = upright and (len(stripped) > 1 or self._after_number() or stripped != content)
            self._scan(content, text or wordy or name in _TEXT_COMMANDS, depth + 1)
            self.spaced = self.spaced or stripped != content

    def _is_function(self, name: str) -> bool:
        return name in FUNCTIONS and not (name in _UNITS_OR_FUNCTIONS and self._after_number())

    def _after_number(self) -> bool:
        return bool(self.tokens) and self.tokens[-1].kind == "num"

    def _after_word(self) -> bool:
        last = self.tokens[-1] if self.spaced and self.tokens else None
        return last is not None and last.kind == "word" and last.value not in _JOINS

    def _letters(self, letters: str, text: bool) -> None:
        lower = letters.lower()
        if lower in _JOINERS:
            self._emit("word", _JOINERS[lower], text)
        elif letters in _WORD_COMMANDS and not (text and letters in ("inf", "pm", "oo", "cup")):
            self._emit("cmd", _WORD_COMMANDS[letters], text)
        elif len(letters) > 1 and self._is_function(lower):
            self._emit("cmd", "\\" + lower, text)
        elif text or (letters == "a" and self._after_word()):
            self._emit("word", letters, text)
        elif len(letters) == 1 or letters in GREEK:
            self._emit("var", letters)
        elif letters[0] == "d" and len(letters) == 2:
            self._emit("diff", letters[1])
        else:
            self._run_together(letters)

    def _run_together(self, letters: str) -> None:
        """`xy`, `sinx`, `2pir`, or a word."""
        match = _GLUED.match(letters)
        if match and match.group(1):
            self._emit("cmd", "\\" + match.group(1))
            self._letters(match.group(2), text=False)
            return
        long = len(letters) > 4 or (len(letters) == 4 and _VOWELS.intersection(letters))
        sign = letters in UNIT_SIGNS and self._after_number() and (self.spaced or not letters.isupper())
        if long or sign or letters.lower() in _WORDS or self._after_word():
            self._emit("word", letters)  # "balls in the box", where box is no product
        else:
            for letter in letters:
                self._emit("var", letter)


def group_at(source: str, position: int) -> tuple[str, int]:
    """The `{...}` group (or the single character) at or after a position, and where it ends."""
    while position < len(source) and source[position].isspace():
        position += 1
    if source[position : position + 1] != "{":
        return source[position : position + 1], min(position + 1, len(source))
    end = balanced_end(source, position)
    if end is None:
        raise MathSyntaxError("a brace that never closes")
    return source[position + 1 : end], end + 1


def balanced_end(source: str, position: int) -> int | None:
    """Where the brace that opens at a position closes; None if it never does."""
    depth = 0
    for match in _BRACES.finditer(source, position):
        brace = match.group()
        if brace == "{":
            depth += 1
        elif brace == "}":
            depth -= 1
            if depth == 0:
                return match.start()
    return None
