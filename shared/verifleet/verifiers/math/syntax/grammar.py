"""The grammar of answers: what binds how strongly.

Binding, loosest first: separators (`,` `or` `and`), relations, set operations, ratios, sums,
products (explicit and by juxtaposition), signs, powers and other postfix signs. Everything is
capped: nesting and number of nodes here, length and digits in the tokenizer.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import NoReturn

from verifleet.reading.numbers import named
from verifleet.verifiers.math.syntax.expression import REALS, Node, add, neg, num, var
from verifleet.verifiers.math.syntax.lexer import MathSyntaxError, Token
from verifleet.verifiers.math.syntax.vocabulary import PERCENT_WORDS, conversion, listed

MAX_NESTING = 40
MAX_NODES = 1_500

_END = Token("end", "")
_RELATIONS = {
    "=": "=", "<": "<", ">": ">", r"\le": "<=", r"\ge": ">=", r"\ne": "!=", r"\approx": "~", r"\equiv": "==",
    r"\in": "in", "in": "in", r"\notin": "notin", r"\subseteq": "sub", r"\subset": "sub", r"\to": "to",
}  # fmt: skip
_SEPARATORS = {
    ",": ",", ";": ",", r"\\": ",", "or": "or", "and": "and", r"\vee": "∨", r"\wedge": "∧", r"\implies": "implies",
}  # fmt: skip
_REPEATED = frozenset({",", "or", "and", ";", r"\\", "&"})
_DIVISIONS = {"/": "div", r"\div": "div", r"\mod": "mod", "mod": "mod"}
_SET_OPERATORS = {r"\cup": "union", "union": "union", r"\cap": "inter", r"\setminus": "diff"}
# A word after a quantity names what is counted or its unit, unless it changes what is said.
_NOT_UNITS = listed("grammar.no_units")
_UNIT_LETTERS = frozenset("hmsgl")
_AS_PART = {"m": "min", "cent": "eurocent", "cents": "eurocents"}
"""Units that stand for another one as the smaller part of an amount: `3 h 30 m`, `7 euros 20 cents`."""
_NO_OPERANDS = frozenset(
    r"\\ \ldots \end \times \div \pm \mp \mod | \} \rangle \rfloor \rceil \implies \vee \wedge \choose \over "
    r"\above \below \{".split()
)


def exact_number(amount: Node) -> Fraction:
    """The number of an amount such as `2.5 hours`."""
    quantity = amount.args[0]
    return Fraction(quantity.value if quantity.op == "num" else quantity.value[0])


class Grammar:
    """The rules from separators down to postfix signs; subclasses add what an operand may be."""

    def __init__(self, tokens: list[Token]) -> None:
        self.tokens = tokens
        self.at = 0
        self.nesting = 0
        self.nodes = 0
        self.bars = 0  # open | signs: within them | closes
        self.mid_ends = False  # in {x | ...}: | ends the element
        self.integrals: list[str | None] = []  # variables of open integrals, None until dx is seen
        self.integral_nesting = 0

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

    def group(self) -> str:
        """The text of a group in braces, or else of one token."""
        words: list[str] = []
        depth = 0
        while depth > 0 or not words:
            token = self.next()
            if token.kind == "end":
                self.fail("a name that never closes")
            depth += {"{": 1, "}": -1}.get(token.value, 0)
            words.append(token.value)
        return "".join(words[1:-1] if len(words) > 1 else words)

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
        while (found := self.separator()) is not None:
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

    def separator(self) -> str | None:
        token = self.peek()
        found = _SEPARATORS.get(token.value)
        if found is None or token.kind == "var":
            return None
        self.at += 1
        while (follower := self.peek().value) in _REPEATED:
            self.at += 1
            found = follower if follower in ("or", "and") else found
        return found

    def statement(self) -> Node:
        first = self.set_expression()
        sides, operators = [first], []
        while (operator := self.relation()) is not None:
            operators.append(operator)
            sides.append(self.set_expression())
        if operators == ["="] and sides[1].op == "var" != first.op:
            sides.reverse()  # 5 = x
        return self.node("rel", *sides, value=tuple(operators)) if operators else first

    def relation(self) -> str | None:
        token = self.peek()
        if token.kind not in ("op", "cmd", "word") or token.value not in _RELATIONS:
            return None
        self.at += 1
        self.take("&")
        operator = _RELATIONS[token.value]
        return f"{operator}=" if operator in "<>" and self.take("=") else operator

    def set_expression(self) -> Node:
        left = self.ratio()
        while True:
            token = self.peek()
            operator = _SET_OPERATORS.get(token.value)
            if left == REALS and token.value in (r"\{", "{"):  # a backslash alone is white space
                operator, self.at = "diff", self.at - 1
            if operator is None:
                return left
            self.at += 1
            left = self.node(operator, left, self.ratio())

    def ratio(self) -> Node:
        first = self.sum()
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
        sign = self.signs()
        if self.peek().value in (r"\pm", r"\mp"):
            value = 1 if self.next().value == r"\pm" else -1
            return self.node("pm", num(0), self.term(), value=value)
        term = self.term()
        return term if sign > 0 else neg(term)

    def signs(self) -> int:
        sign = 1
        while self.peek().value in ("+", "-") and self.peek().kind == "op":
            sign = -sign if self.next().value == "-" else sign
        return sign

    def term(self) -> Node:
        factors = [self.factor()]
        while not self.integral_ended():
            token = self.peek()
            if (token.value in ("*", r"\times") and token.kind != "var") or self.times_x(factors[-1]):
                self.at += 1
                factors.append(self.signed_factor())
            elif token.value in _DIVISIONS:
                self.at += 1
                factors = [self.node(_DIVISIONS[token.value], self.product(factors), self.signed_factor())]
            elif self.unit_ahead():
                factors = [self.with_unit(self.product(factors))]
            elif self.starts_factor(token) and (factors != [REALS] or token.value != "{"):
                factors.append(self.juxtaposed(factors))
            else:
                return self.product(factors)
        return self.product(factors)

    def product(self, factors: list[Node]) -> Node:
        return factors[0] if len(factors) == 1 else self.node("mul", *factors)

    def signed_factor(self) -> Node:
        return self.factor() if self.signs() > 0 else neg(self.factor())

    def times_x(self, left: Node) -> bool:
        """`1.2 x 10^5` and `3 x 4`: a spaced x between numbers is a multiplication sign."""
        token, after = self.peek(), self.peek(1)
        spaced = token.value in ("x", "X") and token.kind == "var" and token.spaced and not token.text
        return spaced and after.kind == "num" and after.spaced and left.op in ("num", "dec")

    def starts_factor(self, token: Token) -> bool:
        if token.kind == "op":
            return token.value in ("(", "{") or (token.value == "|" and not self.bars and not self.mid_ends)
        if token.kind == "cmd":
            return not any(token.value in other for other in (_NO_OPERANDS, _RELATIONS, _SET_OPERATORS))
        return token.kind in ("num", "var", "currency", "diff")

    def juxtaposed(self, factors: list[Node]) -> Node:
        r"""A factor without a sign before it; `1\\frac{1}{2}` and `1 1/2` are mixed numbers, `2 3` is nothing."""
        left, token = factors[-1], self.peek()
        whole = left.op == "num" and left.value.denominator == 1 and len(factors) == 1
        if token.kind == "num" and left.op in ("num", "dec"):
            if whole and token.spaced and self.peek(1).value == "/" and self.peek(2).kind == "num":
                top, bottom = Fraction(token.value), Fraction(self.peek(2).value)
                if top.denominator == bottom.denominator == 1 and top < bottom:
                    self.at += 3
                    factors.pop()
                    mixed = self.node("num", value=left.value + top / bottom)
                    return self.node("percent", mixed) if self.take("%") else mixed
            self.fail("two numbers without a sign between them")
        factor = self.factor()
        part = factor.args[0] if factor.op == "percent" else factor
        if whole and token.value == r"\frac" and part.op == "div":
            over, under = part.args
            if over.op == under.op == "num" and 0 < over.value < under.value:
                factors.pop()
                mixed = self.node("num", value=left.value + over.value / under.value)
                return self.node("percent", mixed) if factor.op == "percent" else mixed
        return factor

    # --- units ---

    def unit_ahead(self) -> bool:
        token = self.peek()
        if token.kind == "word":
            if token.value == "in" and (token.text or self.peek(1).kind == "end"):
                return self.peek(1).value == "^" or self.peek(1).kind == "end"
            return token.value.lower() not in _NOT_UNITS
        if token.kind == "currency":
            return not self.starts_factor(self.peek(1))
        if token.kind == "var" and token.value in _UNIT_LETTERS and token.spaced and self.at:
            after = self.peek(1)
            spelled = (after.kind == "word" and after.value.lower() not in _NOT_UNITS) or after.kind == "num"
            divided = after.value == "/" and (self.peek(2).kind == "word" or self.letter_ends(2))
            return self.tokens[self.at - 1].kind == "num" and (spelled or divided)
        return token.text and token.kind == "var"

    def with_unit(self, quantity: Node) -> Node:
        words = self.unit_words()
        if words.lower() in PERCENT_WORDS:
            return self.node("percent", quantity)
        amount = self.node("unit", quantity, value=words)
        return self.compound(amount) if quantity.op in ("num", "dec") else amount

    def compound(self, amount: Node) -> Node:
        """`2 hours and 30 minutes`: parts of one amount, each in a smaller unit than the one before."""
        start, nodes = self.at, self.nodes
        if self.peek().value in ("and", ","):
            self.at += 1
        if self.peek().kind == "num":
            part = self.factor()
            ahead, minutes = self.unit_ahead(), amount.value == "h" and self.peek().kind == "end"  # 3h30
            if (ahead or minutes) and part.op in ("num", "dec"):
                rest = self.with_unit(part) if ahead else self.node("unit", part, value="min")
                smaller = str(rest.value)
                names = (smaller, _AS_PART.get(smaller.lower(), smaller)) if rest.op == "unit" else ()
                share = next(filter(None, (conversion(name, str(amount.value)) for name in names)), None)
                if share is not None and 0 < share < 1 and exact_number(rest) * share < 1:
                    total = exact_number(amount) + exact_number(rest) * share
                    return self.node("unit", num(total), value=amount.value)
        self.at, self.nodes = start, nodes
        return amount

    def unit_words(self) -> str:
        words: list[str] = []
        while True:
            token = self.peek()
            if self.unit_ahead() or (words and token.kind == "word" and token.value in ("in", "of")):
                words.append(self.next().value)
            elif words and token.value == "^":
                self.at += 1
                words.append("^" + self.exponent_digits())
            elif words and token.kind == "num" and not token.spaced and token.value in ("2", "3"):
                words.append("^" + self.next().value)
            elif (
                words
                and token.value in ("/", r"\times", ".")
                and (self.peek(1).text or self.peek(1).kind in ("word", "end") or self.letter_ends(1))
            ):
                self.at += 1
                if token.value == "/":
                    words.append("/")
                    if self.letter_ends(0):
                        words.append(self.next().value)
            else:
                return " ".join(words)

    def letter_ends(self, ahead: int) -> bool:
        """Whether a lone letter for a unit follows, and nothing that goes on with it: the h of `km/h`."""
        token, after = self.peek(ahead), self.peek(ahead + 1)
        return token.value in _UNIT_LETTERS and (
            after.kind in ("end", "cmd") or after.value in (",", ")", "}", ";", "^")
        )

    def exponent_digits(self) -> str:
        sign = "-" if self.take("-") else ""
        digits = sign + self.group()
        if not digits.removeprefix("-").isdigit():
            self.fail("a unit's power is a number")
        return digits

    # --- factors ---

    def factor(self) -> Node:
        base = self.primary()
        while True:
            token = self.peek()
            if token.value == "^" and token.kind == "op":
                base = self.power(base)
            elif token.value == "!" and token.kind == "op":
                self.at += 1
                base = self.node("fact", base)
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
        if [self.peek(ahead).value for ahead in range(3)] == ["{", r"\circ", "}"]:
            self.at += 3
            return self.degrees(base)
        if self.take(r"\circ"):
            return self.degrees(base)
        exponent = self.exponent()
        if exponent == var("T") and base.op == "matrix":
            columns = zip(*(row.args for row in base.args), strict=True)
            return self.node("matrix", *(Node("tuple", cells, "row") for cells in columns))
        if exponent == var("T") and base.op == "tuple":
            return base
        if self.peek().value == "^":  # x^y^z is x^(y^z)
            exponent = self.deeper(lambda: self.power(exponent))
        return self.node("pow", base, exponent)

    def exponent(self) -> Node:
        sign = self.signs()
        node = self.deeper(self.primary)
        return node if sign > 0 else neg(node)

    def degrees(self, base: Node) -> Node:
        token = self.peek()
        if token.value in ("C", "F") and token.kind in ("var", "word"):
            self.at += 1
            return self.node("unit", base, value="celsius" if token.value == "C" else "fahrenheit")
        return self.node("deg", base)

    def number_base(self, base: Node) -> Node:
        self.at += 1
        digits = self.tokens[self.at - 2].value
        written = self.group().strip("()")
        number = int(written) if written.isdigit() else named("en").get(written.lower())
        if number is None or not 2 <= number <= 36:
            self.fail("not a number base")
        return self.node("base", value=(digits, number))

    def integral_ended(self) -> bool:
        return bool(self.integrals) and self.integrals[-1] is not None and self.nesting <= self.integral_nesting

    def primary(self) -> Node:
        raise NotImplementedError
