"""Text to runs of mathematics: what of a sentence is formula, number, symbol and sign, with units and conditions.

A word that nobody knows ends a run, whatever it means.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Sequence
from functools import lru_cache
from typing import NamedTuple

from verifleet.verifiers.math.syntax import vocabulary
from verifleet.verifiers.math.syntax.expression import Node
from verifleet.verifiers.math.syntax.lexer import FUNCTIONS, GREEK, VULGAR
from verifleet.verifiers.math.syntax.parser import read
from verifleet.verifiers.math.syntax.vocabulary import (
    CONDITIONAL,
    JOINING_WORDS,
    NUMBERED,
    PER,
    POWER_WORDS,
    QUANTIFIERS,
    dimension,
)

MAX_READ = 1_500  # characters of a sentence that is read as a grammar; a longer one is one formula, or nothing
MAX_RUNS = 60
MAX_PIECES = 4_000
MAX_UNIT = 8  # words and signs of a unit
FORMULA = re.compile(
    r"\\begin\{(?:align|equation|gather)(?:ed)?\*?\}(?P<e>.{1,2000}?)\\end\{(?:align|equation"
    r"|gather)(?:ed)?\*?\}|\$\$(?P<dd>.{1,2000}?)\$\$"
    r"|(?<!\\)\$(?P<d>(?!\d[^$\n]{0,200}[\s(]\$)(?:\\[^\n]|[^$\\\n]){1,2000}?)\$(?!\d)"
    r"|\\\((?P<p>.{1,2000}?)\\\)|\\\[(?P<b>.{1,2000}?)\\\]",
    re.DOTALL,
)
MASK = "\ue000"
_LATIN = r"[A-Za-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f\u1e00-\u1eff]"
_RAISED = r"\u1d43\u1d47\u1d49\u1d4f\u1d57\u02b8\u02e3"
_LETTER = rf"[^\W\d_\u00b2\u00b3\u00b9\u00bc-\u00be\u2070-\u209f\u2102-\u2124\u2150-\u215e{_RAISED}]"
_PIECE = re.compile(
    FORMULA.pattern
    + r"|(?P<clock>(?<![\d:.])[0-2]?\d:[0-5]\d(?::[0-5]\d)?(?:\s?[AaPp]\.?[Mm](?![A-Za-z])\.?)?(?![\d:]))"
    r"|(?P<aside>\b(?:i\.\s?e|e\.\s?g|z\.\s?B|d\.\s?h|т\.\s?е)\b\.?)"
    r"|(?P<number>\d{1,3}(?:(?:[ \u00a0\u202f]|\\,|\\ )\d{3})+(?!\d)(?:[.,]\d+)?|"
    r"\d+(?:(?:\{,\}|[.,]|\\!,\\!)(?:\d[\u0304\u0305]?)+)*(?:\.{3}|…)?(?:[eE][+-]?\d+)?)"
    r"|(?P<text>\\(?:text|textbf|textit|textrm|mbox|emph)\s*\{[^{}]*\})"
    r"|(?P<group>(?<![\w^}\\])\\?\{(?:[^{}\n]|\{\w{1,9}\}){0,300}\\?\})"
    r"|(?P<command>\\begin\s?\{(?P<sheet>[a-zA-Z]*matrix|array|cases)\}.{1,1500}?\\end\s?\{(?P=sheet)\}|"
    r"\\(?:math[a-z]{2,5}|operatorname|vec|hat|bar|overline|widehat"
    r"|overrightarrow)\s?\{[^{}]{0,60}\}|\\(?:[A-Za-z]+\*?|.))"
    rf"|(?P<word>[\u0370-\u03ff]+|(?:(?!{_LATIN}|[\u0370-\u03ff]){_LETTER})+"
    rf"|{_LATIN}{{2,}}(?:['’-]{_LATIN}+)*|I['’][dm](?!{_LATIN})"
    rf"|{_LATIN}(?:['’]{_LATIN}{{2,}}|-(?:axis|intercepts?|coordinates?|values?))?)"
    rf"|(?P<sign>[-−–+*/^=<>≤≥≠≈≡±∓×·⋅÷∞√∛∫∑∏∂∈∉∪∩∅∖ℝℤℕ∇⟨⟩⌊⌋⌈⌉°%()\[\]{{}}"
    rf"|_!'′²³{VULGAR}$€£¥₹&~∠→⟹⇒\u2070-\u209f¹{_RAISED}]|\.(?=\d))"
    r"|(?P<mark>[,;:.?—…\"“”«»])|\s+|.",
    re.DOTALL,
)
_KINDS_OF_PIECES = {**dict.fromkeys(("e", "dd", "d", "p", "b"), "formula"), "aside": "word", "group": "command"}
NAMES = FUNCTIONS | GREEK | {"pi", "infinity", "infty", "inf", "dx", "dy", "dt", "du"}
_LETTER_WORDS = frozenset("aAIyeoàéèêùЯявксиоуе")
_TIGHT = frozenset("=+*/^<>_²³0123456789}")
_TEXT_WORD = re.compile(r"(?<![\\A-Za-z])[^\W\d_]+(?:['’-][^\W\d_]+)*(?!\s*\{)|[\d.]+|/")
_UNIT_LETTERS = frozenset("mshgLlNJWVK")
_AMOUNT_ENDS = frozenset("0123456789)}$°²³πk" + VULGAR)
_OPERATORS = frozenset("=+*/^<>≤≥≠≈_·×")
_RAISED_SIGNS = frozenset("²³ᵃᵇᵉᵏᵗʸˣ")
_CALL = re.compile(r"\([a-z0-9]\)")
_APPLIED = re.compile(r"(?<![A-Za-z])(?:ln|log|exp|sin|cos|tan|sqrt)\s?$|[√^]$")
_OPEN_BELOW = re.compile(r"\](?:[-−–+√π∞\d]|\\[a-z])[^\[\]()]{0,40}[,;][^\[\]()]{1,40}[\[\])]")  # ]1; 4[
_PRODUCT = re.compile(r"[xyz]{2,3}|abc?|bc|ac|uv|mn|pq|rs")
_GOES_ON_BEHIND = re.compile(
    r"\s*[-−]\s*(?:\d|\\|[a-zA-Z](?![a-zA-Z]))|\sd[a-z](?![a-z])|"
    r"(?<=a)(?<!on a)(?<!y a)\s[a-zA-Z]\s?(?:[=+*/^]|d[a-z](?![a-z]))|"
    r",\s?[a-zA-Z]\s?(?:∈|\\in(?![a-z]))"
)  # a - 1, y dy, a x^2; a, b ∈ ℝ
_GOES_ON = frozenset("×·⋅*/÷+=≈")
_DANGLING = frozenset("=([{-–−+*/!'$&~→_^|:")
_AMOUNTS = ("number", "formula", "clock", "symbol")
_COUNTED = vocabulary.PERCENT_WORDS.union(vocabulary.SCALES, ("units", "unit"))
_SHARES = re.compile(r"(?:in|out\s+of|over)\s+\d+(?=[.,;!]?(?:\s*$|[.;!])|\s+chance)")  # 1 in 6, 3 out of 8
_LIMITING = frozenset({"≠", "≥", "≤", "<", ">", r"\ne", r"\neq", r"\ge", r"\geq", r"\le", r"\leq"})
_RESTRICTION = re.compile(
    r"\s+(?:is\s+|does\s+)?not(?:\s+equal(?:\s+to)?)?\s+[-−]?\d+|\s*(?:≥|≤|≠|<|>|\\[gl]eq?|\\neq?)\s*[-−]?\d+"
)
_FULL_STOP, _CAPITAL = re.compile(r"\.\s*(?:\$\$?|\\[)\]])$"), re.compile(r"\s+\(?[A-Z][a-z]")
_SPACING = frozenset({",", "(", r"\quad", r"\qquad", r"\ ", r"\,", r"\;", r"\left"})
_KINDS = frozenset("integer integers constant constants arbitrary number real entero entier zahl inteiro целое".split())
_MAY_RUN = re.compile(r"\\in(?![a-z])|∈|integer|constant|number")
_MAY_CONDITION = re.compile(vocabulary.CONDITIONAL_HINT)
INDEXED = re.compile(
    rf",?\s{{0,9}}(?:\\text\s?\{{\s?)?\b(?:{'|'.join(vocabulary.CONDITIONAL)})\b[\s}}]{{0,9}}"
    r"(?=(?:\$|\\\()?\s{0,9}[jklmn]\s{0,9}=\s{0,9}\d{1,9}\s{0,9},)"
)
"""What stands between a term and the values of its index: `e^{ikπ/3} for k = 0, 1, 2`."""
_SENTENCE_END = re.compile(r"(?<=[.?!])\s+|\n")
_SAYS = re.compile(r"[0-9=<>^\\+*/(]|\S\s*\S")
_SHEET = re.compile(r"\\(?:begin|end)\{(?:align|aligned|gather|equation|eqnarray)\*?\}")
_ASKED = re.compile(r"=\s*\??\s*$")
_JOINERS = re.compile(r"\\text|\b(?:and|or)\b|[\W_]*?[\s,;:.?!{}]")


def formula_text(match: re.Match[str]) -> str:
    """What stands between a formula's delimiters."""
    return next(group for group in match.groups() if group is not None)


def without_formulas(text: str) -> str:
    """The text with its formulas blanked out, so that nothing is found within one."""
    return FORMULA.sub(blank, text) if "$" in text or "\\" in text else text


def blank(match: re.Match[str]) -> str:
    """As many placeholders as the match is long; a full stop in it that ends a sentence stays, behind it."""
    ends = _FULL_STOP.search(match.group()) and _CAPITAL.match(match.string, match.end())
    return MASK * (len(match.group()) - 1) + ("." if ends else MASK)


# --- pieces ------------------------------------------------------------------


class Piece(NamedTuple):
    """A piece of a clause: formula, number, symbol, sign, word, mark."""

    kind: str
    start: int
    end: int
    text: str


class Run(NamedTuple):
    """Mathematics without words in it, but for joiners, units and conditions; of its clause's pieces first to last."""

    start: int
    end: int
    text: str
    clause: str
    pieces: Sequence[Piece]
    first: int
    last: int

    def before(self, reach: int = 80) -> str:
        """The text before it."""
        return self.clause[max(0, self.start - reach) : self.start]

    @property
    def word_before(self) -> str:
        """The piece before it, in lower case."""
        return self.pieces[self.first - 1].text.lower() if self.first else ""

    @property
    def after(self) -> Sequence[Piece]:
        """The pieces behind it."""
        return self.pieces[self.last :]


@lru_cache(maxsize=256)
def pieces_of(clause: str) -> list[Piece]:
    """The pieces of a clause in order, without white space; a symbol is a letter or name that stands for a value."""
    found: list[Piece] = []
    depth = 0
    for match in _PIECE.finditer(clause):
        kind = _KINDS_OF_PIECES.get(match.lastgroup or "", match.lastgroup)
        if kind is None:
            continue
        if match.lastgroup == "word":
            kind = "symbol" if _is_symbol(clause, match.start(), match.end(), depth) else "word"
        elif kind == "text":
            words = _TEXT_WORD.findall(match.group())
            found += [Piece("sign" if word == "/" else "word", match.start(), match.end(), word) for word in words]
            continue
        elif kind == "sign":
            depth += (match.group() in "([{") - (match.group() in ")]}")
        found.append(Piece(kind, match.start(), match.end(), match.group()))
        if len(found) >= MAX_PIECES:
            break
    return found


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
        unit = word in _UNIT_LETTERS and before in _AMOUNT_ENDS and tight_before
        added = rf"(?<![A-Za-z0-9]){word}\s?[-+−]\s?\d|\d\s?[-+−]\s?{word}(?![A-Za-z])"
        return not unit or after in _OPERATORS or after == "(" or re.search(added, clause) is not None
    if word.lower() in NAMES and word.lower() not in ("max", "min", "sec", "sign", "arg", "re", "im", "mod"):
        return True
    if word == "mod":
        return (before in _AMOUNT_ENDS or before == "(") and after.isdigit()
    joined = {before, after} & _OPERATORS.union("-−") or before + after == "()"
    if _PRODUCT.fullmatch(word) and joined:
        return True  # xy + 1
    if len(word) <= 3 and tight_before == "(" and _APPLIED.search(clause, 0, start - 1):
        return True  # cos(kt)
    if tight_after == "(" and (len(word) <= 2 or word.lower() in ("max", "min", "sec", "arg")):
        return True
    if len(word) <= 4 and {tight_before, tight_after} & _TIGHT:
        line = word.isupper() and word in vocabulary.UNIT_SIGNS  # 2MN
        return line or dimension(word) is None or before not in _AMOUNT_ENDS
    if word.lower().startswith("const") and before == "+":
        return True
    return len(word) <= 5 and word.isupper() and (after in set("=/:≈^") or before in set("=/+∠°"))


def _joins_operator(clause: str, word: str, end: int, before: str, after: str, tight_before: str, depth: int) -> bool:
    """Whether a letter that may be a word, such as a and I, is a symbol here."""
    if (
        _GOES_ON_BEHIND.match(clause, end)
        or {before, after} & _OPERATORS
        or after in _RAISED_SIGNS
        or "\u2080" <= clause[end : end + 1] <= "\u209c"
        or before + after == "||"
        or tight_before.isdigit()
    ):
        return True
    if (depth > 0 and after and after in ",)}") or _CALL.match(clause, end) or _APPLIED.search(clause, 0, end - 1):
        return True
    follower = re.match(r"\s+([^\W\d_]{2,})", clause[end : end + 30])
    return word in "ABCI" and word != "I" and (follower is None or follower.group(1).lower() in JOINING_WORDS)


def _math(piece: Piece) -> bool:
    return piece.kind in ("formula", "number", "clock", "symbol", "sign", "command")


def _past(pieces: list[Piece], at: int, test: Callable[[Piece], bool]) -> int:
    """Behind the pieces from a place on that pass a test."""
    while at < len(pieces) and test(pieces[at]):
        at += 1
    return at


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
        first = at
        parts: list[str] = []
        while True:
            begin = at
            end = scanned = at = _past(pieces, at, _math)
            shut = [signs[0] for signs in ("|", "[]") if sum(one.text in signs for one in pieces[first:end]) % 2 == 0]
            while end > begin and pieces[end - 1].text in _DANGLING and pieces[end - 1].text not in shut:  # |x|, ]0, 1[
                if pieces[end - 1].text == "!" and any(piece.text == "!" for piece in pieces[begin : end - 1]):
                    break  # x²/2! − x³/3!
                end -= 1
            text = _text(clause, pieces[begin:end])
            stop, unit = _unit_after(clause, pieces, end)
            if parts and parts[-1][0] in ",;" and len({measured(parts[-2]), measured(unit)} - {()}) > 1:
                parts.pop()
                at = begin
                break  # 2 hours, 140 km
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
            found.append(Run(pieces[first].start, pieces[last - 1].end, text, clause, pieces, first, last))
        else:
            last = scanned
        at = max(at, last, first + 1)
    return tuple(found[-MAX_RUNS:])


def measured(amount: str) -> Hashable:
    """What the unit that ends the text of a run measures; () where there is none."""
    known = dimension(amount.rpartition("{ ")[2].removesuffix(" }"))
    return known[0] if known else ()


def whole_run(line: str) -> tuple[Run, ...]:
    """The run of a line that is nothing else."""
    line = line.rstrip(".;,")
    runs = runs_of(line)
    return runs if len(runs) == 1 and runs[0].end - runs[0].start >= len(line) - 2 else ()


def _behind_aside(pieces: list[Piece], at: int) -> int:
    """Behind a word in brackets that says which value stands before it: `x = 1 (minimum) and x = -1`."""
    aside = [piece.text for piece in pieces[at : at + 3]]
    if aside[::2] != ["(", ")"] or pieces[at + 1].kind != "word" or dimension(aside[1]) is not None:
        return at
    return at if vocabulary.REFUSING.search(aside[1]) else at + 3


def _begins(pieces: list[Piece], at: int) -> bool:
    piece = pieces[at]
    if not _math(piece):
        return False
    if piece.kind != "sign":
        return True
    after = pieces[at + 1].text if at + 1 < len(pieces) else ""
    if piece.text == "]":
        return _OPEN_BELOW.match("".join(later.text for later in pieces[at : at + 16])) is not None
    return (piece.text in "-−+√∛±∫∑∏∂∇⟨⌊⌈([{|≈∠$€£¥₹." and after != "") or piece.text in "∞∅ℝ" + VULGAR


def _text(clause: str, pieces: list[Piece]) -> str:
    """The text of a run's pieces, its formulas without their delimiters."""
    parts, at = [], pieces[0].start if pieces else 0
    for piece in pieces:
        match = FORMULA.fullmatch(piece.text) if piece.kind == "formula" else None
        inside = formula_text(match) if match else piece.text
        parts += [clause[at : piece.start], f" {inside.strip()} " if match and len(pieces) > 1 else inside]
        at = piece.end
    return "".join(parts)


def _unit_after(clause: str, pieces: list[Piece], at: int) -> tuple[int, str]:
    """Where the unit of an amount ends, by index, and the unit as text; counted things such as apples are none."""
    amount = pieces[at - 1] if 0 < at < len(pieces) else None
    if amount is None or not (amount.kind in _AMOUNTS or amount.text in ")]}°²³π" + VULGAR):
        return at, ""
    words: list[str] = []
    end = at
    while end < len(pieces) and len(words) < MAX_UNIT:
        piece = pieces[end]
        word = piece.text.lower().rstrip(".")
        if piece.kind == "word" and (
            word == "per"
            or (word == "in" and {later.text for later in pieces[end + 1 : end + 3]} <= {"."})
            or (words and word in PER)
            or word in POWER_WORDS
            or _is_unit(piece.text, words)
        ):
            words.append(piece.text)
        elif piece.kind == "sign" and words and piece.text in "/^²³€£%·⋅⁻¹":
            words.append({"²": "^2", "³": "^3", "·": " ", "⋅": " ", "⁻": "^-", "¹": "1"}.get(piece.text, piece.text))
        elif (piece.kind == "number" and words and words[-1] == "^") or (
            words and words[-1] in "/ " and piece.kind == "symbol"
        ):
            words.append(piece.text)
        else:
            break
        end += 1
    return (end, rf"\text{{ {' '.join(words)} }}".replace("^ ", "^")) if words else (at, "")


def _is_unit(word: str, words: list[str]) -> bool:
    lower = word.lower()
    if lower in _COUNTED or (not word.isascii() and dimension(lower) is not None):
        return True
    if len(word) == 1:
        return word in _UNIT_LETTERS or (bool(words) and (words[-1] in PER or words[-1] == " "))
    return lower not in ("in", "a", "s") and dimension(word) is not None


def _joiner(pieces: list[Piece], at: int, begin: int, clause: str) -> tuple[str, int] | None:
    """The joiner at a piece, as text for the parser, and where the next value begins."""
    kinds: list[str] = []
    end = at
    while end < len(pieces) and len(kinds) < 3:
        piece = pieces[end]
        word = piece.text.lower()
        if piece.kind == "mark" and piece.text in ",;":
            kinds.append(piece.text)
        elif piece.kind == "word" and word in JOINING_WORDS:
            kinds.append(JOINING_WORDS[word])
        else:
            break
        end += 1
    if kinds and end < len(pieces) and _begins(pieces, end):
        return (" or " if "or" in kinds else " and " if "and" in kinds else f"{kinds[0]} "), end
    if kinds or at >= len(pieces) or at + 1 >= len(pieces) or at == begin:
        return None
    piece, after = pieces[at], pieces[at + 1]
    if INDEXED.match(clause, piece.start):
        return ", ", at + 1
    numeric = pieces[at - 1].kind in ("number", "formula", "symbol") and (
        pieces[at + 1].kind == pieces[at - 1].kind or piece.text == "out"
    )
    labelled = pieces[at - 1].kind == "symbol" or (at > 1 and pieces[at - 2].text.lower() in NUMBERED)  # Step 2:
    labelled |= after.kind == "formula" and "=" in after.text
    if numeric and piece.text == ":" and not labelled:
        return " : ", at + 1
    if numeric and _SHARES.match(clause, piece.start) and pieces[at - 1].kind == "number":
        return " / ", at + (2 if piece.text == "out" else 1)
    ranged = begin > 0 and pieces[begin - 1].text.lower() in ("from", "between")
    if numeric and piece.text == "to" and after.kind == "number" and not ranged:
        return " to ", at + 1
    return None


def _condition_end(clause: str, pieces: list[Piece], at: int) -> int:
    """Behind a condition such as `for all x`, `where k is an integer`; `at` if there is none."""
    end = _past(pieces, at, lambda piece: piece.text in _SPACING)
    if end > at and end < len(pieces) and pieces[end].kind in ("symbol", "formula"):
        return _membership_end(pieces, at, end)
    if end >= len(pieces) or pieces[end].kind != "word" or pieces[end].text.lower() not in CONDITIONAL:
        return at
    if INDEXED.match(clause, pieces[end].start):
        return at
    quantified = end + 1
    end = values = _past(pieces, quantified, lambda piece: piece.kind == "word" and piece.text.lower() in QUANTIFIERS)
    end = _behind_names(pieces, end)
    limited = False
    while end < len(pieces) and _math(pieces[end]) and pieces[end].text != ")":
        limited = limited or pieces[end].text in _LIMITING
        if pieces[end].kind == "number" and not limited:
            end -= end > values and pieces[end - 1].text in "-−–"  # for all x with -2 ≤ x
            break
        end += 1
    if end == values == quantified:
        return at
    end = _past(pieces, end, lambda piece: piece.text == ")" or piece.text.lower() in QUANTIFIERS)
    restriction = _RESTRICTION.match(clause, pieces[end - 1].end) if end > values else None
    return end if restriction is None else _past(pieces, end, lambda piece: piece.start < restriction.end())


def _membership_end(pieces: list[Piece], at: int, begin: int) -> int:
    """Behind `(k ∈ ℤ)` and `, n is an integer`, which say what a parameter runs over; `at` if it is none."""
    named = _behind_names(pieces, begin)
    if named > begin and named < len(pieces) and pieces[named].text in (r"\in", "∈"):
        end = _past(pieces, named, lambda piece: _math(piece) and piece.text != ")")
        closed = end < len(pieces) and pieces[end].text == ")"
        return end + 1 if closed else end if end == len(pieces) else at
    named = max(named, begin + 1)
    words = _past(pieces, named, lambda piece: piece.text.lower() in QUANTIFIERS)
    if words == named or pieces[words - 1].text.lower() not in _KINDS:
        return at
    return words + (words < len(pieces) and pieces[words].text == ")")


def _behind_names(pieces: list[Piece], at: int) -> int:
    """Behind names that are joined, as in `A, B and C_1`; `at` for anything else."""
    while at < len(pieces) and pieces[at].kind == "symbol":
        at += 3 if [piece.text for piece in pieces[at + 1 : at + 2]] == ["_"] else 1
        joined = [piece.kind for piece in pieces[at + 1 : at + 2]] == ["symbol"]
        joint = pieces[at].text.lower() if joined else ""
        if joint != "," and JOINING_WORDS.get(joint) != "and":
            break
        at += 1
    return at


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


# --- formulas of a prompt ----------------------------------------------------


def readable(text: str) -> list[tuple[str, Node]]:
    """The formulas of a prompt that can be read, as written and parsed: delimited ones if there are any, else runs."""
    return [(formula, node) for _, formula, node in _read_spans(text)]


def beside(text: str) -> str:
    """A prompt without the formulas that can be read, but with single letters and the conditions of its formulas."""
    for span, formula, node in _read_spans(text):
        said = _JOINERS.sub("", formula)
        ends = (
            end for end in range(len(span), 0, -1) if FORMULA.fullmatch(span) or _JOINERS.sub("", span[:end]) == said
        )
        text = text.replace(span[: next(ends, 0)], f" {node.value} " if node.op == "var" else MASK, 1)
    return text


@lru_cache(maxsize=64)  # each rule that may recognise a task asks for those of one prompt
def _read_spans(text: str) -> tuple[tuple[str, str, Node], ...]:
    delimited = [(match.group(), formula_text(match).strip()) for match in FORMULA.finditer(text)]
    runs = ((sentence, run) for sentence in _SENTENCE_END.split(text) for run in runs_of(sentence))
    plain = ((run, run.text.strip(" ,;:.?") + "!" * sentence.startswith("!", run.end)) for sentence, run in runs)
    undelimited = ((run.clause[run.start : run.end], said) for run, said in plain if _SAYS.search(said))
    told = [pair for pair in delimited if pair[1]] or undelimited
    cleaned = ((span, _SHEET.sub("", _ASKED.sub("", said)).strip().rstrip(".,;")) for span, said in told)
    return tuple((span, formula, node) for span, formula in cleaned if (node := read(formula)) is not None)
