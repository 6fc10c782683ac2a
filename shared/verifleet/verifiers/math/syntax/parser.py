"""Operands of the grammar: numbers, names, brackets, and LaTeX commands."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from fractions import Fraction
from functools import lru_cache
from itertools import takewhile

from verifleet.verifiers.math.syntax.expression import EMPTY_SET, INFINITY, PI, REALS, E, I, Node, deeper_than, num, var
from verifleet.verifiers.math.syntax.grammar import Grammar
from verifleet.verifiers.math.syntax.lexer import FUNCTIONS, INVERSES, SYNONYMS, MathSyntaxError, Token, Tokenizer
from verifleet.verifiers.math.syntax.vectors import with_components
from verifleet.verifiers.math.syntax.vocabulary import SCALES, listed

MAX_DEPTH = 100  # of a tree; chains such as a/b/c/... nest without brackets. All walks of trees rely on it
_CLOSERS = {"(": ")", "[": "]", "{": "}", r"\{": r"\}"} | {
    rf"\l{name}": rf"\r{name}" for name in ("angle", "floor", "ceil")
}
_MATRICES = listed("parser.matrices")
_SHEETS = listed("parser.sheets")
_PLAIN_FUNCTIONS = FUNCTIONS - {"mod"} | {"fact"}
_CALLED = frozenset({*"fghFGpqPQ", "f'", "f''", "y'"})
MAX_CALL = 20  # tokens of the arguments of a named function
_CYCLE = re.compile(r"\.([0-9]{0,20}?)([0-9]{1,20}?)\2{2,60}$")

_CONSTANTS: dict[str, Node] = {
    "pi": PI,
    "infty": INFINITY,
    "emptyset": EMPTY_SET,
    "reals": REALS,
    "complexes": Node("const", (), "complexes"),
    "e": E,
}


class _Parser(Grammar):
    """Parses one list of tokens."""

    def primary(self) -> Node:
        token = self.next()
        parse = getattr(self, f"on_{token.kind}", None)
        if parse is None:
            self.fail(f"unexpected {token.value!r}" if token.value else "ends too early")
        result: Node = parse(token)
        return result

    def on_num(self, token: Token) -> Node:
        mantissa, _, power = token.value.lower().partition("e")
        pointed = "." in mantissa
        if (pointed or self.peek().value == ".") and self.peek(1 - pointed).value in (r"\overline", r"\bar", r"\dot"):
            self.at += 2 - pointed
            return self.repeating(mantissa)
        if pointed and self.peek().value == r"\ldots":
            return self.unending(mantissa)
        if not pointed and not power:
            return self.node("num", value=Fraction(mantissa))
        decimal = self.node("dec", value=(Fraction(mantissa), len(mantissa.partition(".")[2])))
        return self.node("mul", decimal, self.node("pow", num(10), num(int(power)))) if power else decimal

    def unending(self, mantissa: str) -> Node:
        """`0.1666...`: a repeating decimal, if its last digits stand there at least three times."""
        match = _CYCLE.search(mantissa)
        if match is None:
            self.fail("an ellipsis after digits that do not repeat")
        self.at += 1
        return self.cycle(f"{mantissa[: match.start()]}.{match.group(1)}", match.group(2))

    def repeating(self, mantissa: str) -> Node:
        r"""`0.1\\overline{6}`: a repeating decimal."""
        digits = self.group()
        if not digits.isdigit():
            self.fail("repeating digits expected")
        return self.cycle(mantissa, digits)

    def cycle(self, before: str, digits: str) -> Node:
        places = len(before.partition(".")[2])
        repeated = Fraction(int(digits), 10**places * (10 ** len(digits) - 1))
        return self.node("num", value=Fraction(before) + repeated)

    def on_var(self, token: Token) -> Node:
        name = token.value
        if name == "m" and self.peek().value == r"\angle":
            return self.primary()
        if self.peek().value == "_" and self.peek().kind == "op":
            self.at += 1
            name += "_" + self.group()
        if name == "e":
            return E
        if name == "i":
            return I
        defined = [self.peek(k).value for k in (0, 2, 3)] == ["(", ")", "="] and self.peek(1).kind == "var"
        if token.kind == "var" and (defined or name in _CALLED):
            return self.call(name)
        return var(name)

    def call(self, name: str) -> Node:
        """`f(x)`, `f'(x)`, `f^{-1}(x)` as one named quantity; otherwise the plain variable."""
        start = self.at
        suffix = ""
        while self.peek().kind == "prime":
            suffix += "'"
            self.at += 1
        shape = "".join(self.peek(ahead).value for ahead in range(5))
        if shape == "^{-1}" or shape.startswith("^-1("):
            suffix += "^-1"
            self.at += 5 if shape == "^{-1}" else 3
        ahead = self.tokens[self.at + 1 : self.at + MAX_CALL]
        inside = list(takewhile(lambda token: token.kind in ("var", "num") or token.value == ",", ahead))
        closed = [self.peek(at).value for at in (0, len(inside) + 1)] == ["(", ")"] and self.peek(1).value != ","
        several = any(token.value == "," for token in inside)
        if closed and (len(inside) == 1 or (several and (suffix or self.peek(len(inside) + 2).value == "="))):
            self.at += len(inside) + 2
            return var(f"{name}{suffix}({''.join(token.value for token in inside)})")
        if not suffix:
            self.at = start
        return var(name + suffix)

    def on_word(self, token: Token) -> Node:
        """Words before a number (`approximately 5`, `USD 5`) are currency, or no mathematics."""
        if token.value.lower() in ("usd", "rs", "eur", "gbp", "inr", "cny") and self.peek().kind == "num":
            return self.node("unit", self.factor(), value=token.value)
        self.fail(f"the word {token.value[:30]!r}")

    def on_currency(self, token: Token) -> Node:
        if self.starts_factor(self.peek()):
            amount = self.factor()
            scale = f"{self.next().value} " if self.peek().value.lower() in SCALES else ""
            return self.node("unit", amount, value=scale + token.value)
        self.fail("a currency sign without an amount")

    def on_diff(self, token: Token) -> Node:
        if self.integrals:
            if self.integrals[-1] is not None:
                self.fail("a second differential")
            self.integrals[-1] = token.value
            return num(1)
        return self.node("mul", var("d"), var(token.value))

    # --- brackets ---

    def on_op(self, token: Token) -> Node:
        if token.value == "|":
            return self.deeper(self.absolute)
        if token.value in ("(", "[", "{", "]"):
            return self.deeper(lambda: self.bracket(token.value))
        self.fail(f"unexpected {token.value[:20]!r}")

    def absolute(self) -> Node:
        inner = self.within(self.set_expression, self.bars + 1)
        self.expect("|")
        return self.node("det", inner) if inner.op == "matrix" else self.node("abs", inner)

    def within(self, parse: Callable[[], Node], bars: int = 0, mid_ends: bool = False) -> Node:
        """Parse what stands in brackets, where | has a meaning of its own."""
        outer = self.bars, self.mid_ends
        self.bars, self.mid_ends = bars, mid_ends
        inner = parse()
        self.bars, self.mid_ends = outer
        return inner

    def bracket(self, opener: str) -> Node:
        if opener in _CLOSERS and self.take(_CLOSERS[opener]):
            return EMPTY_SET if opener == "{" else self.fail("empty brackets")
        inner = self.within(lambda: self.listing((")", "]", "}", "[")))
        if opener == "{" and self.peek().value in (r"\choose", r"\over"):
            operator = self.next().value
            inner = self.node("binom" if operator == r"\choose" else "div", inner, self.within(self.listing))
        return self.close(opener, self.next().value, inner)

    def close(self, opener: str, closer: str, inner: Node) -> Node:
        listed = inner.op == "list" and inner.value == ","
        if opener == "{" and closer == "}":
            return self.node("set", *inner.args) if listed else inner
        if opener == "{" or closer not in (")", "]", "["):
            self.fail(f"a bracket closed by {closer[:5]!r}")
        if listed and len(inner.args) == 2 and (opener, closer) != ("(", ")"):
            return self.node("interval", *inner.args, value=(opener != "[", closer != "]"))
        if opener == "]" or closer != _CLOSERS[opener]:
            self.fail("brackets that do not match")
        return self.node("tuple", *inner.args, value=opener + closer) if listed else inner

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
        inner = self.within(lambda: self.listing((r"\}",)), mid_ends=True)
        if self.peek().value in ("|", ":"):
            self.at += 1
            result = self.node("setbuilder", inner, self.within(lambda: self.listing((r"\}",))))
        else:
            result = self.node("set", *(inner.args if inner.op == "list" else (inner,)))
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
        top = self.argument()
        return self.node("div", top, self.argument())

    def derivative(self) -> Node:
        r"""`\\frac{d}{dx} f`, `\\frac{d^2}{dx^2} f`; `\\frac{dy}{dx}` is the name of a quantity."""
        order, named, variable = (self.group() for _ in range(3))
        if named:
            return var(f"d{order}{named}/d{variable}{order}")
        return self.node("deriv", self.deeper(self.term), var(variable), value=(variable, int(order or 1)))

    def square_root(self) -> Node:
        index = num(2)
        if self.take("["):
            index = self.sum()
            self.expect("]")
        radicand = self.radicand()
        return self.node("root", radicand, index)

    def radicand(self) -> Node:
        if self.peek().kind == "num":
            return self.on_num(self.next())
        return self.argument()

    def over_line(self) -> Node:
        """A bar over letters: a segment or a conjugate, as a name; over digits alone: repeating."""
        inner = self.argument()
        if inner.op in ("var", "mul") and all(part.op == "var" for part in inner.args):
            return var("overline:" + "".join(str(part.value) for part in inner.args or (inner,)))
        return self.node("fn", inner, value="conj")

    def logarithm(self, base: Node | None = None) -> Node:
        if self.peek().value == "_" and self.peek().kind == "op":
            self.at += 1
            lone = self.peek().kind == "num" and self.peek(1).kind != "num"
            base = self.on_num(self.next()) if lone else self.argument()
        return self.applied("log", *(() if base is None else (base,)))

    def function(self, name: str) -> Node:
        return self.deeper(lambda: self.applied(SYNONYMS.get(name, name)))

    def applied(self, name: str, *base: Node) -> Node:
        r"""A function with its argument; `\\sin^2 x`, `\\sin^{-1} x`."""
        power: Node | None = None
        if self.take("^"):
            power = self.exponent()
            if power == num(-1) and name in INVERSES:
                name, power = INVERSES[name], None
        arguments = self.arguments()
        if name == "cis":
            return self.node("pow", E, self.node("mul", I, *arguments))
        if name in ("fact", "binom", "abs", "floor", "ceil", "det"):
            call = self.node(name, *arguments)
        else:
            call = self.node("fn", *arguments, *base, value=name)
        return call if power is None else self.node("pow", call, power)

    def arguments(self) -> tuple[Node, ...]:
        token = self.peek()
        if token.value in ("(", "[", "{"):
            inner = self.primary()
            return inner.args if inner.op in ("tuple", "set", "interval") else (inner,)
        return (self.bare_argument(),)

    def bare_argument(self) -> Node:
        r"""`\\sin 2x`, `\\ln 3`, `\\cos 20^\\circ`: what stands together after a function's name."""
        factors = [self.signed_factor()]
        while self.goes_with(factors[-1]):
            factors.append(self.factor())
        return self.product(factors)

    def goes_with(self, left: Node) -> bool:
        token = self.peek()
        simple = token.kind == "var" or (token.kind == "num" and left.op not in ("num", "dec"))
        simple = simple or token.value in (r"\pi", r"\frac", r"\sqrt")
        return simple and not token.text and not self.times_x(left)

    def big_operator(self, op: str) -> Node:
        limits = self.limits()
        if len(limits) < 2:
            self.fail("a sum needs both limits")
        start = limits["_"]
        if start.op != "rel" or start.value != ("=",) or start.args[0].op not in ("var", "const"):
            self.fail("a sum needs i = start")
        return self.node(op, self.deeper(self.term), start.args[1], limits["^"], value=str(start.args[0].value))

    def limits(self) -> dict[str, Node]:
        """What stands below and above a big operator."""
        found: dict[str, Node] = {}
        while self.peek().value in ("_", "^"):
            sign = self.next().value
            found[sign] = self.deeper(self.group_or_primary)
        return found

    def group_or_primary(self) -> Node:
        if self.take("{"):
            return self.bracket("{")
        return self.exponent()

    def integral(self) -> Node:
        limits = self.limits()
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
        if self.peek().value == "=":
            return var("lim")
        self.expect("_")
        self.expect("{")
        target = self.deeper(self.statement)
        side = "+" if self.take(r"\above") else "-" if self.take(r"\below") else ""
        self.expect("}")
        if target.op != "rel" or target.value != ("to",):
            self.fail("a limit needs x → point")
        return self.node("lim", self.sum(), target.args[1], value=(str(target.args[0].value), side))

    def environment(self) -> Node:
        name = self.group()
        if name == "array" and self.peek().value == "{":
            self.group()
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
        if self.group() != name or not rows or len({len(row.args) for row in rows}) != 1:
            self.fail("a ragged matrix")
        matrix = self.node("matrix", *rows)
        return self.node("det", matrix) if name == "vmatrix" else matrix

    def sheet(self, name: str) -> Node:
        items: list[Node] = []
        while self.peek().value != r"\end":
            if self.peek().value in (r"\\", "&", ","):
                self.at += 1
                continue
            items.append(self.statement())
            condition = self.condition() if name == "cases" else None
            if condition is not None:
                items[-1] = self.node("tuple", items[-1], condition, value="()")
            if self.peek().value not in (r"\\", "&", ",", r"\end"):
                self.fail(f"a line of {name}")
        self.at += 1
        self.group()
        if not items:
            self.fail("nothing inside")
        return items[0] if len(items) == 1 else self.node("list", *items, value=",")

    def condition(self) -> Node | None:
        r"""What stands after a value in `cases`: `, & \\text{if } x < 0`."""
        start = self.at
        self.take(",")
        aligned = self.take("&")
        worded = False
        while self.peek().kind == "word" and self.peek().value.lower() in ("if", "for", "when", "where"):
            self.at += 1
            worded = True
        if self.peek().kind == "word" and self.peek().value.lower() in ("otherwise", "else"):
            self.at += 1
            return var("otherwise")
        if aligned or worded:
            return self.statement()
        self.at = start
        return None

    def angle(self) -> Node:
        r"""`\\angle ABC`, `\\triangle ABC`: a named quantity."""
        letters = ""
        while self.peek().kind == "var" or (self.peek().kind == "word" and self.peek().value.isupper()):
            letters += self.next().value
        return var("angle " + letters)


_COMMANDS: dict[str, Callable[[_Parser], Node]] = {
    "frac": _Parser.fraction,
    "derivative": _Parser.derivative,
    "sqrt": _Parser.square_root,
    "cbrt": lambda parser: parser.node("root", parser.radicand(), num(3)),
    "binom": lambda parser: parser.node("binom", parser.argument(), parser.argument()),
    "overline": _Parser.over_line,
    "bar": _Parser.over_line,
    "log": _Parser.logarithm,
    "lg": lambda parser: parser.logarithm(num(10)),
    "sum": lambda parser: parser.big_operator("sum"),
    "prod": lambda parser: parser.big_operator("prod"),
    "int": _Parser.integral,
    "lim": _Parser.limit,
    "begin": _Parser.environment,
    "angle": _Parser.angle,
    "triangle": _Parser.angle,
}


@lru_cache(maxsize=8192)
def read(text: str, commas: bool = True) -> Node | None:
    """As `parse`; None for what can't be read."""
    with suppress(MathSyntaxError):
        return parse(text, commas)
    return None


def parse(text: str, commas: bool = True) -> Node:
    """Read an answer; `commas`: `1,234` is one number. Raises MathSyntaxError and nothing else."""
    tokenizer = Tokenizer(text, commas)
    tokens = tokenizer.run()
    try:
        answer = _Parser(tokens).answer()
        if deeper_than(answer, MAX_DEPTH):
            raise MathSyntaxError(f"more than {MAX_DEPTH} operations within each other")
        return with_components(answer) if tokenizer.vectors else answer
    except (RecursionError, ValueError, ZeroDivisionError, OverflowError) as error:
        raise error if isinstance(error, MathSyntaxError) else MathSyntaxError(str(error)) from None
