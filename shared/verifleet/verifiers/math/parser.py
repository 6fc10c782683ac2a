"""Tokens to an expression tree: one Pratt parser for every notation.

Binding, loosest first: separators (`,` `or` `and`), relations, set operations, ratios, sums,
products (explicit and by juxtaposition), signs, powers and other postfix signs.
Everything is capped: length, digits, nesting and number of nodes.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from typing import NoReturn

from verifleet.verifiers.math.expression import (
    EMPTY_SET,
    INFINITY,
    ONE,
    PI,
    REALS,
    TWO,
    E,
    I,
    Node,
    add,
    mul,
    neg,
    num,
    var,
)
from verifleet.verifiers.math.tokens import MathSyntaxError, Token, Tokenizer
from verifleet.verifiers.math.units import PERCENT_WORDS

MAX_NESTING = 40
MAX_NODES = 1_500

_END = Token("end", "")
_RELATIONS = {
    "=": "=", "<": "<", ">": ">", r"\le": "<=", r"\ge": ">=", r"\ne": "!=", r"\approx": "~", r"\equiv": "==",
    r"\in": "in", r"\notin": "notin", r"\subseteq": "sub", r"\subset": "sub", r"\to": "to",
}  # fmt: skip
_SET_OPERATORS = {r"\cup": "union", r"\cap": "inter", r"\setminus": "diff"}
_CLOSERS = {
    "(": ")",
    "[": "]",
    r"\{": r"\}",
    "{": "}",
    r"\langle": r"\rangle",
    r"\lfloor": r"\rfloor",
    r"\lceil": r"\rceil",
}
_MATRICES = frozenset(
    {"pmatrix", "bmatrix", "matrix", "Bmatrix", "smallmatrix", "array", "vmatrix", "Vmatrix", "psmallmatrix"}
)
_SHEETS = frozenset(
    {"aligned", "align", "align*", "gathered", "cases", "split", "equation", "equation*", "gather", "gather*"}
)
_INVERSES = {"sin": "arcsin", "cos": "arccos", "tan": "arctan", "cot": "arccot", "sec": "arcsec", "csc": "arccsc",
             "sinh": "arcsinh", "cosh": "arccosh", "tanh": "arctanh"}  # fmt: skip
_ALIASES = {
    "asin": "arcsin", "acos": "arccos", "atan": "arctan", "acot": "arccot", "asec": "arcsec", "acsc": "arccsc",
    "asinh": "arcsinh", "acosh": "arccosh", "atanh": "arctanh", "arsinh": "arcsinh", "arcosh": "arccosh",
    "artanh": "arctanh",
    "sign": "sgn", "factorial": "fact", "binomial": "binom",
}  # fmt: skip
_PLAIN_FUNCTIONS = frozenset(
    "sin cos tan cot sec csc arcsin arccos arctan arccot arcsec arccsc sinh cosh tanh coth sech csch arcsinh "
    "arccosh arctanh "
    "ln exp max min gcd lcm arg re im sgn det gamma erf conj abs floor ceil fact binom asin acos atan acot asec "
    "acsc asinh "
    "acosh atanh arsinh arcosh artanh sign factorial binomial".split()
)  # fmt: skip
# A word after a quantity names what is counted or its unit, unless it changes what is said.
_NOT_UNITS = frozenset(
    "or and mod in union not no never is are isn't if else but only else either neither nor than except where when "
    "for with "
    "because since so hence thus then therefore maybe perhaps possibly wrong incorrect false between from to".split()
)
_NOT_OPERANDS = frozenset(
    {r"\\", r"\ldots", r"\end", r"\le", r"\ge", r"\ne", r"\times", r"\div", r"\pm", r"\mp", r"\mod", "|"}
)


class _Parser:
    """Parses one list of tokens."""

    def __init__(self, tokens: list[Token]) -> None:
        self.tokens = tokens
        self.at = 0
        self.nesting = 0
        self.nodes = 0
        self.bars = 0  # open | signs: within them | closes
        self.mid_ends = False  # in {x | ...}: | ends the element
        self.integrals: list[str | None] = []  # variables of open integrals, None until dx is seen
        self.power_depth = 0

    # --- token access ---

    def peek(self, ahead: int = 0) -> Token:
        index = self.at + ahead
        return self.tokens[index] if index < len(self.tokens) else _END

    def next(self) -> Token:
        token = self.peek()
        self.at += 1
        return token

    def take(self, value: str) -> bool:
        if self.peek().value == value and self.peek().kind in ("op", "cmd"):
            self.at += 1
            return True
        return False

    def expect(self, value: str) -> None:
        if not self.take(value):
            self.fail(f"expected {value}")

    def fail(self, problem: str) -> NoReturn:
        raise MathSyntaxError(problem)

    def node(self, op: str, *args: Node, value: object = None) -> Node:
        self.nodes += 1
        if self.nodes > MAX_NODES:
            self.fail(f"more than {MAX_NODES} parts")
        return Node(op, args, value)

    def deeper(self, parse: Callable[[], Node]) -> Node:
        self.nesting += 1
        if self.nesting > MAX_NESTING:
            self.fail(f"nested more than {MAX_NESTING} deep")
        result = parse()
        self.nesting -= 1
        return result

    # --- separators and relations ---

    def answer(self) -> Node:
        """The whole text."""
        result = self.listing()
        if self.peek().kind != "end":
            self.fail(f"unexpected {self.peek().value[:20]!r}")
        return result

    def listing(self, closers: tuple[str, ...] = ()) -> Node:
        items = [self.statement()]
        separator = ""
        while (found := self.separator(closers)) is not None:
            if found == "implies":
                items = []
            elif found != "," or not separator:
                separator = found
            if self.peek().kind == "end" or (self.peek().value in closers and self.peek().value != "["):
                break
            items.append(self.statement())
        if not items:
            self.fail("nothing follows")
        return items[0] if len(items) == 1 else self.node("list", *items, value=separator)

    def separator(self, closers: tuple[str, ...]) -> str | None:
        token = self.peek()
        found = {",": ",", ";": ",", r"\\": ",", "or": "or", "and": "and", r"\vee": "∨", r"\wedge": "∧"}.get(
            token.value
        )
        if token.value == r"\implies":
            found = "implies"
        if found is None or token.kind == "var" or (token.value == r"\\" and r"\\" in closers):
            return None
        self.at += 1
        while self.peek().value in (",", "or", "and", ";", r"\\", "&") and not (
            r"\\" in closers and self.peek().value == r"\\"
        ):
            follower = self.next().value
            found = follower if follower in ("or", "and") else found
        return found

    def statement(self) -> Node:
        first = self.set_expression()
        sides, operators = [first], []
        while (operator := self.relation()) is not None:
            operators.append(operator)
            sides.append(self.set_expression())
        return self.node("rel", *sides, value=tuple(operators)) if operators else first

    def relation(self) -> str | None:
        token = self.peek()
        if token.kind == "word" and token.value == "in":
            self.at += 1
            return "in"
        if token.kind not in ("op", "cmd") or token.value not in _RELATIONS:
            return None
        self.at += 1
        self.take("&")
        operator = _RELATIONS[token.value]
        if operator in "<>" and self.take("="):
            operator += "="
        return operator

    def set_expression(self) -> Node:
        left = self.ratio()
        while True:
            token = self.peek()
            operator = "union" if token.value == "union" else _SET_OPERATORS.get(token.value)
            if operator is None:
                return left
            self.at += 1
            left = self.node(operator, left, self.ratio())

    def ratio(self) -> Node:
        first = self.sum()
        if not self.ratio_ahead():
            return first
        parts = [first]
        while self.ratio_ahead():
            self.at += 1
            parts.append(self.sum())
        return self.node("ratio", *parts) if len(parts) > 1 else first

    def ratio_ahead(self) -> bool:
        token = self.peek()
        if token.kind == "word" and token.value == "to":
            return self.peek(1).kind == "num"
        return token.value == ":" and not self.mid_ends and self.peek(1).value != "="

    # --- arithmetic ---

    def sum(self) -> Node:
        return self.deeper(self._sum)

    def _sum(self) -> Node:
        terms = [self.signed_term()]
        while not self.integral_ended():
            token = self.peek()
            if token.value == "+" and token.kind == "op":
                self.at += 1
                terms.append(self.signed_term())
            elif token.value == "-" and token.kind == "op":
                self.at += 1
                terms.append(neg(self.signed_term()))
            elif token.value in (r"\pm", r"\mp"):
                self.at += 1
                left = add(*terms)
                terms = [self.node("pm", left, self.signed_term(), value=1 if token.value == r"\pm" else -1)]
            else:
                break
        return terms[0] if len(terms) == 1 else self.node("add", *terms)

    def signed_term(self) -> Node:
        sign = 1
        while self.peek().value in ("+", "-") and self.peek().kind == "op":
            sign = -sign if self.next().value == "-" else sign
        if self.peek().value in (r"\pm", r"\mp"):
            value = 1 if self.next().value == r"\pm" else -1
            return self.node("pm", num(0), self.term(), value=value)
        term = self.term()
        return term if sign > 0 else neg(term)

    def term(self) -> Node:
        factors = [self.factor()]
        while not self.integral_ended():
            token = self.peek()
            if token.value == "%" and factors[-1].op in ("num", "dec"):  # after a mixed number
                self.at += 1
                factors[-1] = self.node("percent", factors[-1])
            elif token.value in ("*", r"\times") and token.kind != "var":
                self.at += 1
                factors.append(self.signed_factor())
            elif token.value in ("/", r"\div"):
                self.at += 1
                left = factors[0] if len(factors) == 1 else self.node("mul", *factors)
                if self.unit_ahead() and left.op == "unit":
                    factors = [self.node("unit", left.args[0], value=f"{left.value} / {self.unit_words()}")]
                    continue
                factors = [self.node("div", left, self.signed_factor())]
            elif token.value == r"\mod" or (token.kind == "word" and token.value == "mod"):
                self.at += 1
                left = factors[0] if len(factors) == 1 else self.node("mul", *factors)
                factors = [self.node("mod", left, self.signed_factor())]
            elif self.unit_ahead():
                left = factors[0] if len(factors) == 1 else self.node("mul", *factors)
                factors = [self.with_unit(left)]
            elif self.times_x(factors[-1]):
                self.at += 1
                factors.append(self.signed_factor())
            elif self.starts_factor(token):
                factors.append(self.juxtaposed(factors))
            else:
                break
        return factors[0] if len(factors) == 1 else self.node("mul", *factors)

    def signed_factor(self) -> Node:
        sign = 1
        while self.peek().value in ("+", "-") and self.peek().kind == "op":
            sign = -sign if self.next().value == "-" else sign
        factor = self.factor()
        return factor if sign > 0 else neg(factor)

    def times_x(self, left: Node) -> bool:
        """`1.2 x 10^5` and `3 x 4`: a spaced x between numbers is a multiplication sign."""
        token, after = self.peek(), self.peek(1)
        return (
            token.value in ("x", "X")
            and token.kind == "var"
            and token.spaced
            and after.kind == "num"
            and after.spaced
            and left.op in ("num", "dec")
        )

    def starts_factor(self, token: Token) -> bool:
        if token.kind in ("num", "var", "currency"):
            return True
        if token.kind == "diff":
            return True
        if token.kind == "op":
            if token.value == "[":
                return False
            return token.value in ("(", "{") or (token.value == "|" and not self.bars and not self.mid_ends)
        if (
            token.kind != "cmd"
            or token.value in _NOT_OPERANDS
            or token.value in _RELATIONS
            or token.value in _SET_OPERATORS
        ):
            return False
        return token.value not in (
            r"\}",
            r"\rangle",
            r"\rfloor",
            r"\rceil",
            r"\implies",
            r"\vee",
            r"\wedge",
            r"\choose",
            r"\over",
            r"\{",
        )

    def juxtaposed(self, factors: list[Node]) -> Node:
        r"""A factor without a sign before it; `1\\frac{1}{2}` and `1 1/2` are mixed numbers, `2 3` is nothing."""
        left, token = factors[-1], self.peek()
        whole = left.op == "num" and left.value.denominator == 1 and len(factors) == 1
        if token.kind == "num" and left.op in ("num", "dec"):
            grouped = self.grouped_thousands(left, token)
            if grouped is not None:
                factors.pop()
                return grouped
            if whole and token.spaced and self.peek(1).value == "/" and self.peek(2).kind == "num":
                top, bottom = Fraction(token.value), Fraction(self.peek(2).value)
                if top.denominator == bottom.denominator == 1 and top < bottom:
                    self.at += 3
                    factors.pop()
                    return self.mixed(left, num(top / bottom))
            self.fail("two numbers without a sign between them")
        factor = self.factor()
        part = factor.args[0] if factor.op == "percent" else factor
        if whole and token.value == r"\frac" and part.op == "div":
            over, under = part.args
            if over.op == under.op == "num" and 0 < over.value < under.value:
                factors.pop()
                mixed = self.mixed(left, num(over.value / under.value))
                return self.node("percent", mixed) if factor.op == "percent" else mixed
        return factor

    def mixed(self, whole: Node, part: Node) -> Node:
        return self.node("num", value=whole.value + part.value)

    def grouped_thousands(self, left: Node, token: Token) -> Node | None:
        """`12 000`: digits in groups of three, separated by spaces."""
        if not (
            token.spaced
            and len(token.value) == 3
            and token.value.isdigit()
            and left.op == "num"
            and 0 < left.value < 1000
        ):
            return None
        value = Fraction(left.value)
        while (group := self.peek()).kind == "num" and group.spaced and len(group.value) == 3 and group.value.isdigit():
            value = value * 1000 + int(group.value)
            self.at += 1
        return self.node("num", value=value)

    # --- units ---

    def unit_ahead(self) -> bool:
        token = self.peek()
        if token.kind == "word":
            if token.value == "in" and token.text:
                return self.peek(1).value == "^" or self.peek(1).kind == "end"
            return token.value.lower() not in _NOT_UNITS
        if token.value == r"\frac" and self.peek(1).value == "{" and self.peek(2).text:
            return True
        if token.kind == "currency":
            return not self.starts_factor(self.peek(1))
        return token.text and token.kind == "var"

    def with_unit(self, quantity: Node) -> Node:
        words = self.unit_words()
        if words.lower() in PERCENT_WORDS:
            return self.node("percent", quantity)
        return self.node("unit", quantity, value=words)

    def unit_words(self) -> str:
        words: list[str] = []
        while True:
            token = self.peek()
            if token.value == r"\frac" and self.unit_ahead():
                words.append(self.unit_fraction())
            elif self.unit_ahead() or (words and token.kind == "word" and token.value in ("in", "of")):
                words.append(self.next().value)
            elif words and token.value == "^":
                self.at += 1
                words.append("^" + self.exponent_digits())
            elif words and token.kind == "num" and not token.spaced and token.value in ("2", "3"):
                words.append("^" + self.next().value)
            elif (
                words
                and token.value in ("/", r"\times", ".")
                and (self.peek(1).text or self.peek(1).kind in ("word", "end"))
            ):
                self.at += 1
                if token.value == "/":
                    words.append("/")
            elif words and token.text and token.kind == "op" and token.value in "().-":
                self.at += 1
            else:
                return " ".join(words)

    def unit_fraction(self) -> str:
        self.at += 1
        parts = []
        for _ in range(2):
            self.expect("{")
            parts.append(self.unit_words())
            self.expect("}")
        return " / ".join(parts)

    def exponent_digits(self) -> str:
        braced = self.take("{")
        sign = "-" if self.take("-") else ""
        token = self.next()
        if token.kind != "num":
            self.fail("a unit's power is a number")
        if braced:
            self.expect("}")
        return sign + token.value

    # --- factors ---

    def factor(self) -> Node:
        base = self.primary()
        while True:
            token = self.peek()
            if token.value == "^" and token.kind == "op":
                base = self.power(base)
            elif token.value == "!" and token.kind == "op":
                self.at += 1
                base = self.node("fn", base, value="fact2") if self.take("!") else self.node("fact", base)
            elif token.value == "%":
                self.at += 1
                base = self.node("percent", base)
            elif token.value == r"\circ":
                self.at += 1
                base = self.degrees(base)
            elif token.value == "_" and base.op in ("num", "dec"):
                base = self.number_base(base)
            elif token.kind == "prime" and base.op == "var":
                self.at += 1
                base = var(base.value + "'")
            else:
                return base

    def power(self, base: Node) -> Node:
        self.at += 1
        if self.degree_sign():
            return self.degrees(base)
        if self.peek().kind == "prime" or (self.peek().value == "{" and self.peek(1).kind == "prime"):
            primes = 0
            braced = self.take("{")
            while self.peek().kind == "prime":
                primes += 1
                self.at += 1
            if braced:
                self.expect("}")
            return (
                var(str(base.value) + "'" * primes) if base.op == "var" else self.fail("a prime on something unnamed")
            )
        if base == REALS or (base.op == "const" and base.value == "reals"):
            self.exponent()
            return base
        exponent = self.exponent()
        if self.peek().value == "^":  # x^y^z is x^(y^z)
            exponent = self.deeper(lambda: self.power(exponent))
        return self.node("pow", base, exponent)

    def exponent(self) -> Node:
        sign = 1
        while self.peek().value in ("+", "-") and self.peek().kind == "op":
            sign = -sign if self.next().value == "-" else sign
        node = self.deeper(self.primary)
        if self.peek().value == "!":
            self.at += 1
            node = self.node("fact", node)
        return node if sign > 0 else neg(node)

    def degree_sign(self) -> bool:
        if self.peek().value == r"\circ":
            self.at += 1
            return True
        if self.peek().value == "{" and self.peek(1).value == r"\circ" and self.peek(2).value == "}":
            self.at += 3
            return True
        return False

    def degrees(self, base: Node) -> Node:
        token = self.peek()
        if token.value in ("C", "F") and token.kind in ("var", "word"):
            self.at += 1
            return self.node("unit", base, value="celsius" if token.value == "C" else "fahrenheit")
        return self.node("deg", base)

    def number_base(self, base: Node) -> Node:
        self.at += 1
        digits = self.tokens[self.at - 2].value
        token = self.peek()
        braced = self.take("{")
        token = self.next()
        names = {
            "two": 2,
            "three": 3,
            "four": 4,
            "five": 5,
            "six": 6,
            "seven": 7,
            "eight": 8,
            "nine": 9,
            "ten": 10,
            "twelve": 12,
            "sixteen": 16,
        }
        number = int(token.value) if token.kind == "num" and token.value.isdigit() else names.get(token.value.lower())
        if braced:
            self.expect("}")
        if number is None or not 2 <= number <= 36:
            self.fail("not a number base")
        return self.node("base", value=(digits, number))

    def primary(self) -> Node:
        token = self.next()
        parse = getattr(self, f"on_{token.kind}")
        result: Node = parse(token)
        return result

    def on_end(self, token: Token) -> Node:
        self.fail("ends too early")

    def on_prime(self, token: Token) -> Node:
        self.fail("a prime without a name")

    def on_num(self, token: Token) -> Node:
        text = token.value
        mantissa, _, power = text.lower().partition("e")
        value = Fraction(mantissa) * Fraction(10) ** int(power or 0) if abs(int(power or 0)) < 400 else None
        if value is None:
            return self.node("mul", num(Fraction(mantissa)), self.node("pow", num(10), num(int(power))))
        if "." in mantissa or power:
            if self.peek().value == "\\overline" or self.peek().value == "\\bar" or self.peek().value == "\\dot":
                return self.repeating(mantissa)
            return self.node("dec", value=(value, len(mantissa.partition(".")[2]) - int(power or 0)))
        if self.peek().value == "." and self.peek(1).value in ("\\overline", "\\bar", "\\dot"):
            self.at += 1
            return self.repeating(mantissa)
        if self.peek().value == "." and not self.peek().spaced and self.peek(1).kind == "end":
            self.at += 1
        return self.node("num", value=value)

    def repeating(self, mantissa: str) -> Node:
        r"""`0.1\\overline{6}`: a repeating decimal."""
        self.at += 1
        braced = self.take("{")
        digits = self.next()
        if not digits.value.isdigit():
            self.fail("repeating digits expected")
        if braced:
            self.expect("}")
        places = len(mantissa.partition(".")[2])
        cycle = Fraction(int(digits.value), 10**places * (10 ** len(digits.value) - 1))
        return self.node("num", value=Fraction(mantissa) + cycle)

    def on_var(self, token: Token) -> Node:
        name = token.value
        if name == "m" and self.peek().value == r"\angle":
            return self.primary()
        if name in ("C", "P", "nCr") and self.peek().value == "(" and self.peek(1).kind == "num":
            start = self.at
            content = self.on_op(self.next())
            if content.op == "tuple" and len(content.args) == 2:
                chosen = self.node("binom", *content.args)
                return chosen if name == "C" else self.node("mul", chosen, self.node("fact", content.args[1]))
            self.at = start
        if self.peek().value == "_" and self.peek().kind == "op":
            self.at += 1
            name += "_" + self.subscript()
        if name == "e":
            return E
        if name == "i":
            return I
        if token.kind == "var" and name in ("f", "g", "h", "F", "G", "p", "q", "P", "Q", "f'", "f''", "y'"):
            return self.call(name)
        return var(name)

    def call(self, name: str) -> Node:
        """`f(x)`, `f'(x)`, `f^{-1}(x)` as one named quantity; otherwise the plain variable."""
        start = self.at
        suffix = ""
        while self.peek().kind == "prime":
            suffix += "'"
            self.at += 1
        if [self.peek(k).value for k in range(5)] == ["^", "{", "-", "1", "}"]:
            suffix += "^-1"
            self.at += 5
        if self.peek().value == "(" and self.peek(1).kind in ("var", "num"):
            tokens = []
            ahead = 1
            while self.peek(ahead).kind in ("var", "num") or self.peek(ahead).value == ",":
                tokens.append(self.peek(ahead).value)
                ahead += 1
            if self.peek(ahead).value == ")" and (len(tokens) == 1 or "," in tokens):
                follower = self.peek(ahead + 1)
                if follower.value == "=" or suffix or len(tokens) == 1:
                    self.at += ahead + 1
                    return var(f"{name}{suffix}({''.join(tokens)})")
        if not suffix:
            self.at = start
        return var(name + suffix)

    def subscript(self) -> str:
        if not self.take("{"):
            return self.next().value
        words: list[str] = []
        depth = 1
        while depth:
            token = self.next()
            if token.kind == "end":
                self.fail("a subscript that never closes")
            depth += {"{": 1, "}": -1}.get(token.value, 0)
            words.append(token.value if depth else "")
        return "".join(words)

    def on_word(self, token: Token) -> Node:
        """Words before a number (`approximately 5`, `USD 5`) are currency, or no mathematics."""
        if token.value.lower() in ("usd", "rs", "eur", "gbp", "inr", "cny") and self.peek().kind == "num":
            return self.node("unit", self.factor(), value=token.value)
        self.fail(f"the word {token.value[:30]!r}")

    def on_currency(self, token: Token) -> Node:
        if self.starts_factor(self.peek()):
            amount = self.factor()
            if self.peek().value.lower() in ("million", "billion", "thousand", "trillion"):
                scale = {"thousand": 3, "million": 6, "billion": 9, "trillion": 12}[self.next().value.lower()]
                amount = mul(amount, num(10**scale))
            return self.node("unit", amount, value=token.value)
        self.fail("a currency sign without an amount")

    def on_diff(self, token: Token) -> Node:
        if self.integrals:
            if self.integrals[-1] is not None:
                self.fail("a second differential")
            self.integrals[-1] = token.value
            return ONE
        return self.node("mul", var("d"), var(token.value))

    def integral_ended(self) -> bool:
        return bool(self.integrals) and self.integrals[-1] is not None and self.nesting <= self.integral_nesting

    integral_nesting = 0

    # --- brackets ---

    def on_op(self, token: Token) -> Node:
        if token.value == "|":
            return self.absolute()
        if token.value in ("(", "[", "{"):
            return self.deeper(lambda: self.bracket(token.value))
        if token.value == "]":
            return self.deeper(lambda: self.bracket("]"))
        if token.value in ("+", "-"):
            self.at -= 1
            return self.signed_factor()
        self.fail(f"unexpected {token.value[:20]!r}")

    def absolute(self) -> Node:
        self.bars += 1
        mid_ends, self.mid_ends = self.mid_ends, False
        inner = self.deeper(self.set_expression)
        self.bars -= 1
        self.mid_ends = mid_ends
        self.expect("|")
        return self.node("det", inner) if inner.op == "matrix" else self.node("abs", inner)

    def bracket(self, opener: str) -> Node:
        bars, self.bars = self.bars, 0
        mid_ends, self.mid_ends = self.mid_ends, False
        if self.closes_now(opener):
            self.bars, self.mid_ends = bars, mid_ends
            return EMPTY_SET if opener == "{" else self.fail("empty brackets")
        inner = self.listing((")", "]", "}", "["))
        if opener == "{" and self.peek().value in (r"\choose", r"\over"):
            operator = self.next().value
            inner = self.node("binom" if operator == r"\choose" else "div", inner, self.listing())
        closer = self.next()
        self.bars, self.mid_ends = bars, mid_ends
        return self.close(opener, closer.value, inner)

    def closes_now(self, opener: str) -> bool:
        return opener in ("{", "(", "[") and self.take(_CLOSERS[opener])

    def close(self, opener: str, closer: str, inner: Node) -> Node:
        if opener == "{":
            if closer != "}":
                self.fail("a brace closed by something else")
            return self.node("set", *inner.args) if inner.op == "list" and inner.value == "," else inner
        if closer not in (")", "]", "["):
            self.fail(f"a bracket closed by {closer[:5]!r}")
        if inner.op != "list" or inner.value != ",":
            if opener == "(" and closer == ")":
                return inner
            if opener == "[" and closer == "]":
                return inner
            self.fail("brackets that do not match")
        if len(inner.args) == 2 and (opener, closer) != ("(", ")"):
            return self.node("interval", *inner.args, value=(opener != "[", closer != "]"))
        if (opener, closer) not in (("(", ")"), ("[", "]")):
            self.fail("brackets that do not match")
        return self.node("tuple", *inner.args, value=opener + closer)

    # --- commands ---

    def on_cmd(self, token: Token) -> Node:
        name = token.value[1:]
        if name in ("{", "langle", "lfloor", "lceil"):
            return self.deeper(lambda: self.special_bracket(token.value))
        special = _COMMANDS.get(name)
        if special is not None:
            return self.deeper(lambda: special(self))
        if name in _PLAIN_FUNCTIONS:
            return self.function(name)
        if name in _CONSTANTS:
            return _CONSTANTS[name]
        if name.startswith("set"):
            return var(token.value)
        self.fail(f"the command {token.value[:20]}")

    def special_bracket(self, opener: str) -> Node:
        if opener == r"\{":
            return self.braces()
        inner = self.listing((_CLOSERS[opener],))
        self.expect(_CLOSERS[opener])
        if opener == r"\langle":
            return self.node("tuple", *(inner.args if inner.op == "list" else (inner,)), value="<>")
        return self.node("floor" if opener == r"\lfloor" else "ceil", inner)

    def braces(self) -> Node:
        if self.take(r"\}"):
            return EMPTY_SET
        bars, mid_ends = self.bars, self.mid_ends
        self.bars, self.mid_ends = 0, True
        inner = self.listing((r"\}",))
        self.mid_ends = False
        if self.peek().value in ("|", ":"):
            self.at += 1
            condition = self.listing((r"\}",))
            result = self.node("setbuilder", inner, condition)
        else:
            result = self.node("set", *(inner.args if inner.op == "list" else (inner,)))
        self.bars, self.mid_ends = bars, mid_ends
        self.expect(r"\}")
        return result

    def argument(self) -> Node:
        r"""What follows \\frac and the like: a group, or one digit, letter or command."""
        token = self.peek()
        if token.value == "{" and token.kind == "op":
            self.at += 1
            return self.deeper(lambda: self.bracket("{"))
        if token.kind == "num" and len(token.value) > 1 and token.value[0] != ".":
            self.tokens[self.at] = Token("num", token.value[1:], False, token.text)
            return self.node("num", value=Fraction(token.value[0]))
        return self.primary()

    def fraction(self) -> Node:
        derivative = self.derivative()
        if derivative is not None:
            return derivative
        top = self.argument()
        return self.node("div", top, self.argument())

    def derivative(self) -> Node | None:
        r"""`\\frac{d}{dx} f`, `\\frac{d^2}{dx^2} f`; `\\frac{dy}{dx}` is the name of a quantity."""
        values = [self.peek(k).value for k in range(12)]
        order, at = 1, 2
        if values[:2] != ["{", "d"] and not (values[0] == "{" and self.peek(1).kind == "diff"):
            return None
        if self.peek(1).kind == "diff":
            if values[2:4] == ["}", "{"] and self.peek(4).kind == "diff" and values[5] == "}":
                self.at += 6
                return var(f"d{values[1]}/d{values[4]}")
            return None
        if values[at] == "^":
            braced = values[at + 1] == "{"
            text = values[at + 2] if braced else values[at + 1]
            if not text.isdigit() or len(text) > 1:
                return None
            order, at = int(text), at + (4 if braced else 2)
        named = ""
        if self.peek(at).kind == "var" and values[at + 1] == "}":
            named, at = values[at], at + 1
        if values[at : at + 2] != ["}", "{"] or self.peek(at + 2).kind != "diff":
            return None
        variable, at = values[at + 2], at + 3
        while at < 12 and values[at] != "}":
            at += 1
        self.at += at + 1
        if named:
            return var(f"d{named}/d{variable}" if order == 1 else f"d{order}{named}/d{variable}{order}")
        body = self.deeper(self.term)
        return self.node("deriv", body, value=(variable, order))

    def square_root(self) -> Node:
        index = TWO
        if self.take("["):
            index = self.sum()
            self.expect("]")
        radicand = self.radicand()
        return self.node("root", radicand, index)

    def radicand(self) -> Node:
        if self.peek().kind == "num":
            return self.on_num(self.next())
        return self.argument()

    def cube_root(self) -> Node:
        return self.node("root", self.radicand(), num(3))

    def binomial(self) -> Node:
        top = self.argument()
        return self.node("binom", top, self.argument())

    def boxed(self) -> Node:
        return self.argument()

    def over_line(self) -> Node:
        """A bar over letters: a segment or a conjugate, as a name; over digits alone: repeating."""
        inner = self.argument()
        if inner.op in ("var", "mul") and all(part.op == "var" for part in inner.args):
            return var("overline:" + "".join(str(part.value) for part in inner.args or (inner,)))
        return self.node("fn", inner, value="conj")

    def logarithm(self) -> Node:
        base: Node | None = None
        if self.peek().value == "_" and self.peek().kind == "op":
            self.at += 1
            if self.peek().kind == "num" and self.peek(1).kind not in ("num",):
                base = self.on_num(self.next())
            else:
                base = self.argument()
        applied = self.applied("log")
        if base is None:
            return applied
        if applied.op == "pow":
            return self.node("pow", self.node("fn", applied.args[0].args[0], base, value="log"), applied.args[1])
        return self.node("fn", applied.args[0], base, value="log")

    def common_logarithm(self) -> Node:
        applied = self.applied("log")
        if applied.op == "pow":
            return self.node("pow", self.node("fn", applied.args[0].args[0], num(10), value="log"), applied.args[1])
        return self.node("fn", applied.args[0], num(10), value="log")

    def function(self, name: str) -> Node:
        return self.deeper(lambda: self.applied(_ALIASES.get(name, name)))

    def applied(self, name: str) -> Node:
        r"""A function with its argument; `\\sin^2 x`, `\\sin^{-1} x`."""
        power: Node | None = None
        if self.take("^"):
            power = self.exponent()
            if power == num(-1) and name in _INVERSES:
                name, power = _INVERSES[name], None
        arguments = self.arguments()
        if name in ("fact", "binom", "abs", "floor", "ceil", "det"):
            call = self.node(name, *arguments)
        else:
            call = self.node("fn", *arguments, value=name)
        return call if power is None else self.node("pow", call, power)

    def arguments(self) -> tuple[Node, ...]:
        token = self.peek()
        if token.value in ("(", "[", "{"):
            inner = self.primary()
            while inner.op == "tuple" and len(inner.args) == 1:
                inner = inner.args[0]
            if inner.op in ("tuple", "set", "interval"):
                return inner.args
            if token.value == "{" or self.peek().value != "^":
                return (inner,)
            return (inner,)
        return (self.bare_argument(),)

    def bare_argument(self) -> Node:
        r"""`\\sin 2x`, `\\ln 3`, `\\cos 20^\\circ`: what stands together after a function's name."""
        factors = [self.signed_factor()]
        while True:
            token = self.peek()
            simple = token.kind == "var" or (token.kind == "num" and factors[-1].op not in ("num", "dec"))
            if simple or token.value in (r"\pi", r"\frac", r"\sqrt"):
                if token.text or self.times_x(factors[-1]):
                    break
                factors.append(self.factor())
            else:
                break
        return factors[0] if len(factors) == 1 else self.node("mul", *factors)

    def summation(self) -> Node:
        return self.big_operator("sum")

    def product(self) -> Node:
        return self.big_operator("prod")

    def big_operator(self, op: str) -> Node:
        low = high = None
        name = ""
        while self.peek().value in ("_", "^"):
            if self.next().value == "_":
                relation = self.deeper(self.group_or_primary)
                if relation.op != "rel" or relation.value != ("=",) or relation.args[0].op not in ("var", "const"):
                    self.fail("a sum needs i = start")
                name, low = str(relation.args[0].value), relation.args[1]
            else:
                high = self.deeper(self.group_or_primary)
        if low is None or high is None:
            self.fail("a sum needs both limits")
        return self.node(op, self.deeper(self.term), low, high, value=name)

    def group_or_primary(self) -> Node:
        if self.take("{"):
            return self.bracket("{")
        return self.exponent()

    def integral(self) -> Node:
        limits: dict[str, Node] = {}
        while self.peek().value in ("_", "^"):
            sign = self.next().value
            limits[sign] = self.deeper(self.group_or_primary)
        outer = self.integral_nesting
        self.integrals.append(None)
        self.integral_nesting = self.nesting + 1
        body = self.sum()
        variable = self.integrals.pop()
        self.integral_nesting = outer
        if variable is None:
            self.fail("an integral without dx")
        if len(limits) == 1:
            self.fail("an integral with one limit")
        bounds = (limits["_"], limits["^"]) if limits else ()
        return self.node("int", body, *bounds, value=variable)

    def limit(self) -> Node:
        self.expect("_")
        self.expect("{")
        side = self.limit_side()
        target = self.deeper(self.statement)
        self.expect("}")
        if target.op != "rel" or target.value != ("to",):
            self.fail("a limit needs x → point")
        return self.node("lim", self.sum(), target.args[1], value=(str(target.args[0].value), side))

    def limit_side(self) -> str:
        r"""Take the side out of `x \\to 0^+`, where it looks like a power; returns "+", "-" or nothing."""
        for at in range(self.at, min(self.at + 40, len(self.tokens) - 1)):
            if self.tokens[at].value == "^":
                values = [token.value for token in self.tokens[at : at + 5]]
                for shape in (["^", "+", "}"], ["^", "-", "}"], ["^", "{", "+", "}", "}"], ["^", "{", "-", "}", "}"]):
                    if values[: len(shape)] == shape:
                        self.tokens[at : at + len(shape) - 1] = []
                        return "+" if "+" in shape else "-"
        return ""

    def environment(self) -> Node:
        name = self.environment_name()
        if name == "array" and self.peek().value == "{":
            self.at += 1
            while self.next().value != "}":
                if self.peek().kind == "end":
                    self.fail("array columns")
        if name in _SHEETS:
            return self.sheet(name)
        if name not in _MATRICES:
            self.fail(f"the environment {name[:20]}")
        rows, row = [], []
        while True:
            if self.peek().value not in ("&", r"\\", r"\end", r"\hline"):
                row.append(self.statement())
            token = self.next()
            if token.value in (r"\\", r"\end") and row:
                rows.append(self.node("tuple", *row, value="row"))
                row = []
            if token.value == r"\end":
                break
            if token.value not in ("&", r"\\", r"\hline"):
                self.fail("a matrix row")
        if self.environment_name() != name or not rows or len({len(row.args) for row in rows}) != 1:
            self.fail("a ragged matrix")
        matrix = self.node("matrix", *rows)
        return self.node("det", matrix) if name == "vmatrix" else matrix

    def environment_name(self) -> str:
        self.expect("{")
        words = []
        while (token := self.next()).value != "}":
            if token.kind == "end":
                self.fail("an environment's name")
            words.append(token.value)
        return "".join(words)

    def sheet(self, name: str) -> Node:
        items: list[Node] = []
        while self.peek().value != r"\end":
            if self.peek().value in (r"\\", "&", ","):
                self.at += 1
                continue
            items.append(self.statement())
            if self.peek().kind == "end":
                self.fail(f"{name} never ends")
            if self.peek().value not in (r"\\", "&", ",", r"\end"):
                self.fail(f"a line of {name}")
        self.at += 1
        self.environment_name()
        if not items:
            self.fail("nothing inside")
        return items[0] if len(items) == 1 else self.node("list", *items, value=",")

    def operator_mod(self) -> Node:
        self.fail("mod without a left side")

    def angle(self) -> Node:
        r"""`\\angle ABC`, `\\triangle ABC`: a named quantity."""
        letters = ""
        while self.peek().kind == "var" or (self.peek().kind == "word" and self.peek().value.isupper()):
            letters += self.next().value
        return var("angle " + letters)


_CONSTANTS: dict[str, Node] = {
    "pi": PI,
    "infty": INFINITY,
    "emptyset": EMPTY_SET,
    "reals": REALS,
    "complexes": Node("const", (), "complexes"),
    "e": E,
}

_COMMANDS: dict[str, Callable[[_Parser], Node]] = {
    "frac": _Parser.fraction,
    "sqrt": _Parser.square_root,
    "cbrt": _Parser.cube_root,
    "binom": _Parser.binomial,
    "boxed": _Parser.boxed,
    "overline": _Parser.over_line,
    "bar": _Parser.over_line,
    "log": _Parser.logarithm,
    "lg": _Parser.common_logarithm,
    "sum": _Parser.summation,
    "prod": _Parser.product,
    "int": _Parser.integral,
    "lim": _Parser.limit,
    "begin": _Parser.environment,
    "angle": _Parser.angle,
    "triangle": _Parser.angle,
}


@lru_cache(maxsize=8192)
def parse(text: str, commas: bool = True) -> Node:
    """Read an answer; `commas`: `1,234` is one number. Raises MathSyntaxError and nothing else."""
    tokens = Tokenizer(text, commas).run()
    try:
        return _Parser(tokens).answer()
    except (RecursionError, ValueError, ZeroDivisionError, OverflowError) as error:
        raise error if isinstance(error, MathSyntaxError) else MathSyntaxError(str(error)) from None
