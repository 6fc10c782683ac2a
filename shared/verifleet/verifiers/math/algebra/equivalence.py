"""Whether an answer says the same as a reference: by kind of answer, then by value.

Kinds: value, list and set, tuple and vector, interval and inequality, equation, matrix, ratio,
number in a base, amount with a unit, words. The policies are those of the public contract:
an interval equals its inequality, 10% equals 0.1, a unit on one side only is ignored, a comma list
is unordered, tuples and intervals are ordered, ratios scale, decimals are exact unless rounding is asked for.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any

from verifleet.verifiers.math.algebra import amounts
from verifleet.verifiers.math.algebra.equality import constant_difference, constant_multiple, precise_value, same_value
from verifleet.verifiers.math.algebra.evaluate import exact, precise_field
from verifleet.verifiers.math.algebra.families import same_family
from verifleet.verifiers.math.algebra.regions import region, same_region
from verifleet.verifiers.math.algebra.spans import same_span
from verifleet.verifiers.math.question import KINDS, Question
from verifleet.verifiers.math.syntax.expression import (
    COLLECTIONS,
    EMPTY_SET,
    INFINITY,
    PI,
    ZERO,
    Node,
    add,
    mul,
    names_in,
    neg,
    num,
    sub,
    var,
)
from verifleet.verifiers.math.syntax.vectors import carried_out, rows, vector_like
from verifleet.verifiers.math.syntax.vocabulary import conversion, dimension

MAX_PAIRS = 2_500  # of elements compared one with another, in two lists
MAX_INDEXED = 12  # values of an index
MAX_SIGNS = 4  # of ± in one answer

Decider = Callable[[Node, Node], "bool | None"]

UNFINISHED = ("int", "sum", "prod", "lim", "deriv")  # what is left to be worked out
_INFINITE = (INFINITY, neg(INFINITY))
_COMPOSED = ("add", "mul", "div", "neg", "pow", "abs", "tuple")  # what may be asked for, such as a + b
PARAMETERS = frozenset("knm")
_ARBITRARY = re.compile(r"[abcdkmnA-DKMN](?:_\d)?|[A-Z]_0|lambda|alpha|[stux]|theta")
MAX_CONSTANTS = 4
CONSTANT_NAMES = ("C", "c", "K", "k", "C_1", "C_0", "c_1", "A", "D")
_CALL = re.compile(r"([\w^-]+'*)\((\w)\)")
_ROOT_INDEX = re.compile(r"(?<=^[xrz])_\d$")  # x_1 and x_2 are two values of x


class UndecidedError(Exception):
    """These means can't tell whether two values are equal."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """One way to compare: the question's hints, the tolerance, and who decides what is hard."""

    question: Question
    tolerance: float | None = None
    decide: Decider | None = None
    multiples: bool = False  # of the reference are right as well

    # --- by kind ---

    def equal(self, reference: Node, answer: Node) -> bool:
        """Whether the answer says the same, whatever its constants and parameters are called; raises UndecidedError."""
        labels = _label(reference), _label(answer)
        if "" not in labels and len({*labels}) > 1:
            return False  # P(5, 2) is no C(5, 2)
        if labels[1] == "C" and reference.op not in COLLECTIONS and len(answer.args[1].args) == 2:
            answer = Node("binom", answer.args[1].args)
        elif labels[1] and reference.op == "tuple":
            answer = answer.args[1]
        elif answer.op == "list" and all(map(_label, answer.args)) and not any(map(_label, elements(reference))):
            answer = Node("list", tuple(point.args[1] for point in answer.args), answer.value)  # A(3, 4), B(4, 3)
        family = self._same_family(reference, answer)
        if family is not None:
            return family
        return (
            self.same(reference, answer)
            or any(self.same(reference, renamed) for renamed in self._renamings(reference, answer))
            or same_span(reference, answer, self.question, self.multiples)
            or (self.multiples and bool(reference.variables()) and constant_multiple(reference, answer) is not None)
        )

    def _same_family(self, reference: Node, answer: Node) -> bool | None:
        """Whether values of angles for every integer are the same numbers; None for anything else."""
        if not reference.has("const", "deg"):
            return None
        free = frozenset(name for name in PARAMETERS if not self.question.uses(name))
        first, second = (elements(listed(unrestricted(strip_membership(node)))) for node in (reference, answer))
        return same_family(first, second, free)

    def _renamings(self, reference: Node, answer: Node) -> Iterator[Node]:
        """The answer with other names of the constants and variables that the prompt does not speak of."""
        if reference.is_equation:
            answer = self._of_name(reference, answer)
        first, second = (node.variables() - {part.name for part in elements(node)} for node in (reference, answer))
        call, own = _CALL.fullmatch(answer.name), _CALL.fullmatch(reference.name)
        if call and own and call[2] != own[2] and (said := _said_of(reference.args[0], answer.args[0], answer.said)):
            answer, call = Node("rel", (reference.args[0], said), ("=",)), None  # f(t) = t + a as f(x) = x + a
            second = said.variables()
        asked = call is not None and f"{call[1]}(" in self.question.text
        if call and asked and len(first) == 1 and call[2] in second and first.isdisjoint({*second, call[1]}):
            yield answer.said.substitute({call[2]: var(*first)})  # f(t) = 3t says of x 3x
        free = {name for name in first | second if _ARBITRARY.fullmatch(name) and not self.question.uses(name)}
        mine, other = sorted(first & free), sorted(second & free)
        whole = reference.op in ("tuple", "list", "rel") or answer.is_equation
        family = len(mine) < len(first) or ({*mine, *other} <= PARAMETERS and reference.has("const", "deg"))
        if 0 < len(mine) == len(other) <= MAX_CONSTANTS and (whole or family):
            names = (tuple(map(var, order)) for order in itertools.permutations(mine) if order != tuple(other))
            yield from (answer.substitute(dict(zip(other, order, strict=True))) for order in names)

    def same(self, reference: Node, answer: Node) -> bool:
        """Whether the answer says the same; raises UndecidedError."""
        if reference == answer:
            return True
        reference, answer = (
            unrestricted(expand_signs(indexed(strip_membership(node)))) for node in (reference, answer)
        )
        if any(node.op == "rel" and "==" in node.value for node in (reference, answer)):
            return self._same_congruence(reference, answer)
        if reference.op not in COLLECTIONS:
            answer = self._of_name(reference, answer)
        if reference.op not in COLLECTIONS and reference.op != "rel":
            answer = _without_steps(answer if self.question.several else _mixed(answer))
        if self.question.counts and {reference, answer} == {EMPTY_SET, ZERO}:
            return True
        if reference.op in ("tuple", "list") and answer.is_equation and len(answer.args) > 2:  # x = y = 2
            answer = Node("list", tuple(Node("rel", (arg, answer.said), ("=",)) for arg in answer.args[:-1]), ",")
        unsolved = (
            answer.op == "list"
            and all(arg.is_equation for arg in answer.args)
            and not all(arg.name for arg in answer.args)
        )
        reference = carried_out(reference if unsolved else named_list(reference))
        answer = named_list(answer)
        if _contradicts_itself(answer):
            return False
        if reference.is_equation:
            return self._same_equation(reference, answer)
        answer = carried_out(self._value_of(answer))
        reference, answer = vector_like(reference, answer), vector_like(answer, reference)
        if reference == answer:
            return True
        if _is_regional(reference) or _is_regional(answer):
            first, second = region(reference), region(answer)
            if first is not None and second is not None:
                return same_region(first, second)
        return self._same_kind(reference, answer)

    def _same_kind(self, reference: Node, answer: Node) -> bool:
        kinds = {reference.op, answer.op}
        if kinds & {"list", "set"}:
            return self._same_elements(reference, answer)
        if kinds & {"tuple", "matrix", "interval"}:
            return self._same_rows(reference, answer)
        if "rel" in kinds:
            return False
        if "ratio" in kinds:
            return self._same_ratio(reference, answer)
        if "base" in kinds:
            return _same_base(reference, answer, self.question.bases)
        return not kinds & COLLECTIONS and self.same_amount(reference, answer)

    def _of_name(self, reference: Node, answer: Node) -> Node:
        """Of `x = 7, y = 5` what is said of the name that the reference has, or that is asked for or alone written."""
        if answer.op != "list" or answer.value == "or" or not all(arg.is_equation for arg in answer.args):
            return answer
        name = reference.name or self.question.name
        named = [part for part in answer.args if name and part.name]
        said = [part for part in named if part.name == name] or [part for part in named if _alike(part.name, name)]
        said = said or [part for part in answer.args if not part.name and self.question.writes(part.args[0])]
        return said[0] if len(said) == 1 else answer

    def _value_of(self, answer: Node) -> Node:
        """`x = 5`, `10 + 2 = 12`, `f(x) = x + 1`: what stands last, unless it is an equation that is left to solve."""
        if answer.op != "rel" or set(answer.value) - {"=", "~", "to"}:
            return answer
        head, value = answer.args[0], answer.args[-1]
        names = head.variables()
        last = head.args[-1] if head.op == "mul" else head
        power = last.op == "pow" and last.args[0].variables() and (exact(last.args[1]) or 0) > 1
        if power and not value.variables() and not self.question.writes(head):
            return answer  # AB^2 = 16 is no value of AB
        asked = head.op in ("var", "fn") or (len(names) > 1 and head.op in _COMPOSED)
        unsolved = value == ZERO and names and not _is_label(head) and not asked
        return answer if unsolved else value

    def _labels(self, head: Node) -> bool:
        """Whether the left side of a reference only names what its right side is: `NO/BO = 1/2`, `S_1 : S = 7:32`."""
        return _is_label(head) or (head.op != "var" and bool(head.variables()) and self.question.writes(head))

    def _same_congruence(self, reference: Node, answer: Node) -> bool:
        """`x ≡ 3 (mod 7)`: the same residue of the same modulus; a plain 3 is enough."""
        wanted, given = _residue(reference), _residue(answer)
        if wanted is None or given is None:
            first, second = (wanted or (reference,))[0], (given or (answer,))[0]
            return "rel" not in (first.op, second.op) and self.same_number(first, second)
        return same_value(wanted[1], given[1]) is True and same_value(Node("mod", wanted), Node("mod", given)) is True

    # --- collections ---

    def _same_elements(self, reference: Node, answer: Node) -> bool:
        wanted, given = elements(reference), elements(answer)
        if answer.op == "rel" and set(answer.value) in ({"<"}, {">"}):  # 2 < 5 < 7
            ranks = [_precise_real(part) or 0 for part in answer.args]
            given = answer.args if ranks == sorted(ranks, reverse=">" in answer.value) else ()
        if answer.value == "or" != reference.value and len({amounts.strip_unit(part)[1] for part in wanted}) > 1:
            return False  # 23 chickens or 12 rabbits
        kinds, named = (reference.op, answer.op), [node.value == "named" for node in (reference, answer)]
        ends = len(wanted) == 2 and self.question.intervals and not self.question.ordered  # which are no interval
        paired = all(named) or (any(named) and set(kinds) == {"list", "tuple"}) or self.question.sorts
        if paired or (kinds == ("tuple", "list") and not ends) or (kinds == ("list", "tuple") and len(wanted) > 2):
            return len(wanted) == len(given) and all(map(self.same, wanted, given))
        if reference.op in ("tuple", "interval", "matrix") or answer.op in ("tuple", "interval", "matrix"):
            return len(wanted) == len(given) == 1 and self.same(wanted[0], given[0])
        wanted_numbers, given_numbers = list(map(exact, wanted)), list(map(exact, given))
        if None not in wanted_numbers and Counter(wanted_numbers) == Counter(given_numbers):
            return True
        return self.found_among(wanted, given) == (len(wanted), 0)

    def found_among(self, wanted: Sequence[Node], given: Sequence[Node]) -> tuple[int, int]:
        """How many wanted elements are given and how many given ones are wrong, in any order, repeated or not."""
        numbers, others = _by_value(wanted), _by_value(given)
        rest = [node for value, node in numbers.items() if value not in others]
        left = [node for value, node in others.items() if value not in numbers]
        plain = set() if self.tolerance is not None else set(filter(_is_plain, (*rest, *left)))
        near = [node for node in left if node not in plain]
        taken: set[Node] = set()
        pairs = 0
        for element in rest:
            for candidate in near if element in plain else left:
                if candidate in taken:
                    continue
                pairs += 1
                if pairs > MAX_PAIRS:
                    raise UndecidedError
                if self.same(element, candidate):
                    taken.add(candidate)
                    break
        return len(numbers) - len(rest) + len(taken), len(left) - len(taken)

    def share(self, reference: Node, answer: Node) -> float:
        """The share of several required elements that is given, if nothing else is."""
        wanted, given = listed(reference), listed(answer)
        if wanted.op not in ("list", "set") or len(wanted.args) < 2:
            return 0.0
        found, wrong = self.found_among(wanted.args, elements(given))
        return 0.0 if wrong else found / len(wanted.args)

    def _same_rows(self, reference: Node, answer: Node) -> bool:
        first, second = rows(reference), rows(answer)
        if first is None or second is None:
            return False
        unlike = (reference.op, reference.value) != (answer.op, answer.value)
        if "interval" in (reference.op, answer.op) and unlike and "matrix" not in (reference.op, answer.op):
            return False
        if len(first) != len(second) or any(len(a) != len(b) for a, b in zip(first, second, strict=True)):
            return False
        return all(
            self.same(a, b) for left, right in zip(first, second, strict=True) for a, b in zip(left, right, strict=True)
        )

    # --- relations ---

    def _same_equation(self, reference: Node, answer: Node) -> bool:
        left, right = reference.args[0], reference.args[-1]
        solved = left.op == "var" and left not in right.walk()
        if not (answer.is_equation and answer.variables()):
            solved = solved or self._labels(left) or all(map(_is_fraction, reference.args))
            return answer.said.op != "rel" and solved and self.same(right, answer.said)
        head, value = answer.args[0], answer.args[-1]
        if self._labels(left) and _is_label(head) and self._same_kind(left, head):
            return self.same(right, value)
        said = _said_of(left, head, value) if solved and head.op == "var" else None
        if said is not None:
            return self.same(right, said)
        return constant_multiple(sub(left, right), sub(head, value)) is not None

    def _same_ratio(self, reference: Node, answer: Node) -> bool:
        if reference.op != answer.op:
            ratio, other = (reference, answer) if reference.op == "ratio" else (answer, reference)
            parts, unit = _time(ratio)
            if len(parts) == 2 and other.op == "unit" and dimension(unit) == dimension("h"):  # 1:30 h
                return self.same_amount(Node("unit", (add(parts[0], Node("div", (parts[1], num(60)))),), "h"), other)
            odds = ratio is answer and "probability" in self.question.lower and not self.question.ratio  # 1 to 6
            if len(ratio.args) != 2 or self._is_clock(ratio) or other.op in ("ratio", "unit") or odds:
                return False
            return same_value(Node("div", ratio.args), other) is True
        (first, half), (second, other_half) = _time(reference), _time(answer)
        if len(first) != len(second) or (half and other_half and half != other_half):
            return False
        if half != other_half and all(map(self.same_amount, _in_day(first, half), _in_day(second, other_half))):
            return True
        if self._is_clock(reference) or any(exact(part) == 0 for part in (*first, *second)):
            return all(map(self.same_amount, first, second))
        return all(same_value(mul(first[0], b), mul(second[0], a)) is True for a, b in zip(first, second, strict=True))

    def _is_clock(self, ratio: Node) -> bool:
        """Whether a:b is a time of day, which is not scaled."""
        return len(ratio.args) == 2 and self.question.clock and not self.question.ratio

    # --- values ---

    def same_amount(self, reference: Node, answer: Node) -> bool:
        """Values with or without a unit; a unit on one side only is ignored."""
        (wanted, scale), (given, other) = amounts.in_full(reference), amounts.in_full(answer)
        if scale or other:
            if self.same_amount(wanted, given):
                return True
            if (scale or other) not in self.question.lower:
                return False  # 5 million is no 5, unless millions are asked for
        return self._same_measure(reference, answer)

    def _same_measure(self, reference: Node, answer: Node) -> bool:
        (wanted, wanted_unit), (given, given_unit) = amounts.strip_unit(reference), amounts.strip_unit(answer)
        wanted, wanted_unit, given, given_unit = self._in_radians(wanted, wanted_unit, given, given_unit)
        if given_unit and not wanted_unit and conversion(given_unit, KINDS.get(self.question.sought, "")) is None:
            return False
        if given_unit and not wanted_unit and (asked := self.question.unit) and not wanted.variables():
            wanted_unit = asked if conversion(given_unit, asked) is not None else ""
        if wanted_unit and given_unit:
            factor = conversion(given_unit, wanted_unit)
            warm, told = amounts.in_kelvin(wanted, wanted_unit), amounts.in_kelvin(given, given_unit)
            if factor is None and warm and told and not self.question.heats(told[0]):
                return self.same_number(warm[1], told[1])
            if factor is None or (factor != 1 and self.question.unit and self.question.measures_in(given_unit)):
                return False  # also of an amount that is not in the unit that is asked for, but in those that are given
            if factor != 1 and self.same_number(mul(num(1 / factor), wanted), given):
                return True  # 80 km/h is 22.2222222 m/s
            given = given if factor == 1 else mul(num(factor), given)
        elif lettered := self._in_letters(given, wanted, wanted_unit):
            return self.same_amount(reference, lettered)
        elif lettered := self._in_letters(wanted, given, given_unit):
            return self.same_amount(lettered, answer)
        if self.same_number(wanted, given):
            return True
        if wanted.op == "percent" and given.op != "percent" and not given_unit:
            return self.question.percents and self.same_number(wanted.args[0], given)
        if given.op == "percent" and wanted.op != "percent" and self.question.percent:
            return self.same_number(wanted, given.args[0])
        return False

    def _in_radians(self, wanted: Node, unit: str, given: Node, other: str) -> tuple[Node, str, Node, str]:
        """60° beside π/3, either way round, unless the prompt asks for the one that it is not."""
        if other == "degrees" and not unit and wanted.has("const") and "in rad" not in self.question.lower:
            return wanted, "", mul(given, PI, num(Fraction(1, 180))), ""
        radians = given.has("const") and (not other or other.startswith("rad"))
        if unit == "degrees" and radians and "degree" not in self.question.lower:
            return mul(wanted, PI, num(Fraction(1, 180))), "", given, ""
        return wanted, unit, given, other

    def _in_letters(self, node: Node, other: Node, unit: str) -> Node | None:
        """`5 m` as an amount beside another: its letter has a power, or is no variable of the prompt."""
        amount = amounts.unit_letter(node)
        free = amount and not other.variables() and ("^" in amount.value or not self.question.uses(amount.value))
        return amount if unit or free else None

    def same_number(self, reference: Node, answer: Node) -> bool:
        """Equal values, or close enough where that is allowed; raises UndecidedError."""
        infinite = [node in _INFINITE for node in (reference, answer)]
        if all(infinite):
            return reference == answer
        if any(infinite) and _is_finite(answer if infinite[0] else reference):
            return False
        verdict = same_value(reference, answer)
        if verdict is None and self.decide is not None and reference.has(*UNFINISHED):
            verdict = self.decide(reference, answer)
        if verdict is True:
            return True
        if reference.variables() or answer.variables():
            if self.question.antiderivative and same_up_to_constant(reference, answer, self.question):
                return True
        elif self._close_enough(reference, answer):
            return True
        if verdict is None:
            raise UndecidedError
        return False

    def _close_enough(self, reference: Node, answer: Node) -> bool:
        given, wanted = amounts.decimal_digits(answer), amounts.decimal_digits(reference)
        if given is None and wanted is None and self.tolerance is None:
            return False
        first, second = _precise_real(reference), _precise_real(answer)
        if first is None or second is None:
            return False
        gap = abs(first - second)
        if self.tolerance is not None and gap <= self.tolerance * abs(first):
            return True
        if wanted is None:
            inexact = amounts.terminates(reference) or (self.question.exact and not self.question.rounding)
            return not inexact and amounts.stands_for(answer, first, self.question.places)
        places, digits = wanted
        finer = self.question.rounding and (given is None or given[0] > places)
        cut_off = given is None and places > 0 and digits >= 4 and not amounts.terminates(answer)
        return bool((finer or cut_off) and gap <= precise_field().rational(Fraction(10) ** -places) / 2)


def _precise_real(node: Node) -> Any:
    value = precise_value(node)
    return None if value is None or abs(value.imag) > 1e-40 * abs(value) else value.real


def _is_finite(node: Node) -> bool:
    """Whether it is a number, or an expression of variables: no infinity, limit or sum that may be infinite."""
    if node.variables():
        return INFINITY not in node.walk() and not node.has(*UNFINISHED)
    return precise_value(node) is not None


def same_up_to_constant(reference: Node, answer: Node, question: Question) -> bool:
    """Antiderivatives that differ by a constant; with + C where the reference has one."""
    first, wanted = without_constant(reference)
    second, given = without_constant(answer)
    if given is None and not (wanted is not None and question.any_constant):
        return False
    names = first.variables() | second.variables()
    return len(names) == 1 and constant_difference(first, second, next(iter(names))) is True


def without_constant(node: Node) -> tuple[Node, str | None]:
    """An antiderivative without its constant of integration, and that constant's name."""
    names = node.variables()
    for name in CONSTANT_NAMES:
        if name in names and len(names) > 1:
            changed = sub(node.substitute({name: num(1)}), node.substitute({name: num(0)}))
            apart = all(constant_difference(changed, ZERO, other) for other in names - {name})
            if apart and same_value(changed, ZERO) is False:
                return node.substitute({name: ZERO}), name
    return node, None


# --- shapes ------------------------------------------------------------------


def _contradicts_itself(chain: Node) -> bool:
    """Whether a chain such as `x = 6 = 7` or `9π ≈ 31` joins numbers that differ by more than rounding or dress."""
    if not chain.is_equation:
        return False
    pairs = zip(chain.args, chain.args[1:], chain.value, strict=False)
    if len(chain.args) == 2 and "=" in chain.value:  # 42 = 43, but not 1/3 = 0.33
        left, right = chain.args
        differ = not chain.variables() and amounts.plainly_differ(left, right)
        return differ and not amounts.agree(left, right, rounded=True)
    return any(
        (sign == "=" and amounts.plainly_differ(left, right))
        or (sign == "~" and not left.variables() and not amounts.agree(left, right, rounded=True))
        for left, right, sign in pairs
    )


def _mixed(answer: Node) -> Node:
    """`1 and 7/12` as 19/12, with the unit that follows; any other node itself."""
    if answer.op != "list" or answer.value != "and" or len(answer.args) != 2:
        return answer
    share = amounts.strip_unit(answer.args[1])[0]
    whole, part = exact(answer.args[0]), exact(share)
    if whole is None or part is None or share.op != "div" or not 0 < part < 1 <= whole == int(whole):
        return answer
    number = num(whole + part)
    return number if share == answer.args[1] else Node("unit", (number,), answer.args[1].value)


def _without_steps(answer: Node) -> Node:
    """Of `2x = 14 and x = 7` and of `r = 4, A = πr² = 16π` the last, if the others lead to it."""
    last = answer.args[-1] if answer.op == "list" and answer.value != "or" else answer
    if last != answer and last.is_equation and not last.variables():
        return last  # 2 and 5; 2 + 5 = 7
    if last == answer or not all(arg.is_equation for arg in answer.args):
        return answer
    between = names_in(last.args[1:-1])
    for step in answer.args[:-1]:
        first, *others = (side.substitute({last.name: last.said}) for side in step.args)
        if step.name not in between and not all(same_value(first, side) is True for side in others):
            return answer
    return last


def _is_label(node: Node) -> bool:
    """Whether all the names in it are those of quantities, such as AB, S_1, P(A), angle APC: nothing to solve for."""
    names = node.variables()
    return bool(names) and all(name[:1].isupper() or not name.isalpha() for name in names)


def _said_of(name: Node, head: Node, value: Node) -> Node | None:
    """What `head = value` says of a name: of f(x) also `f(t) = 3t`, of a_n also `a(n) = n`; None of another one."""
    given, own = _CALL.fullmatch(str(head.value)), _CALL.fullmatch(str(name.value))
    if given and own and given[1] == own[1] and given[2] != own[2]:
        return None if own[2] in value.variables() else value.substitute({given[2]: var(own[2])})
    return value if _alike(str(name.value), str(head.value)) else None


def _alike(first: str, second: str) -> bool:
    """Y and f(x) may name the same function."""
    functional = [name == "y" or "(" in name or "/" in name or "'" in name for name in (first, second)]
    if re.sub(r"[\W_]", "", first) == re.sub(r"[\W_]", "", second):
        return True  # a_n and a(n)
    return first.lower() == second.lower() or all(functional) or first.partition("(")[0] == second.partition("(")[0]


def _by_value(nodes: Sequence[Node]) -> dict[Fraction | Node, Node]:
    """Each element once: numbers by their exact value, all others as they are written."""
    found: dict[Fraction | Node, Node] = {}
    for node in nodes:
        value = exact(node)
        found.setdefault(node if value is None else value, node)
    return found


def _is_plain(number: Node) -> bool:
    """Whether a number is written without point and percent sign: nothing but its own value is close to it."""
    return all(part.op in ("num", "neg", "div") for part in number.walk())


def _is_fraction(node: Node) -> bool:
    """Whether a number is written as one, rather than worked out: 6/36, but not 8/(3 - 8/3)."""
    return node.op in ("num", "dec", "percent") or (node.op == "div" and all(part.op == "num" for part in node.args))


def _label(node: Node) -> str:
    """The capital letter before a tuple: that of a point, a distribution or a number of choices; "" for others."""
    name = str(node.args[0].value) if node.op == "mul" and [part.op for part in node.args] == ["var", "tuple"] else ""
    return name if name.isupper() else ""


def _is_regional(node: Node) -> bool:
    if node.op in ("interval", "union", "inter", "diff", "setbuilder"):
        return True
    if node.op == "rel":
        return bool(set(node.value) & {"<", ">", "<=", ">=", "!=", "in", "notin"})
    if node.op == "const":
        return node.value in ("reals", "emptyset")
    if node.op == "tuple" and node.value == "()":
        return any(INFINITY in arg.walk() for arg in node.args)
    return node.op in ("list", "set") and any(_is_regional(arg) for arg in node.args)


def elements(node: Node) -> tuple[Node, ...]:
    """The elements of a list or set; the node itself otherwise."""
    if node == EMPTY_SET:
        return ()
    return node.args if node.op in ("list", "set", "tuple") else (node,)


def strip_membership(node: Node) -> Node:
    """`x in S` says S, `{2k : k in Z}` says 2k; `S = {1, 2}` and `x = y` stay."""
    if node.op == "setbuilder" and node.args[0].op not in ("rel", "var") and _is_integrality(node.args[1]):
        return node.args[0]
    member = node.op == "rel" and node.value == ("in",) and node.args[0].op in ("var", "tuple", "list")
    return node.args[1] if member else node


def unrestricted(node: Node) -> Node:
    """`2x + 3, x ≠ 1` without what is said of x; a congruence without a modulus as an identity."""
    if node.op == "rel" and "==" in node.value and not node.has("mod"):
        return Node("rel", node.args, tuple("=" if sign == "==" else sign for sign in node.value))
    if node.op != "list" or node.value not in (",", "and"):
        return node
    if node.args[0].op == "rel":  # of an equation only what a variable can't be: `x = 1, y > 2` are two statements
        apart = node.args[0].is_equation and all(arg.op == "rel" and arg.value == ("!=",) for arg in node.args[1:])
        return node.args[0] if apart else node
    rest = [part for part in node.args if not (part.op == "rel" and set(part.value) & {"!=", "<", ">", "<=", ">="})]
    return rest[0] if len(rest) == 1 else node


def listed(node: Node) -> Node:
    """The list of values that it says, with ± and names read; any other node itself."""
    return named_list(expand_signs(node))


def named_list(node: Node) -> Node:
    """`x = 1 or x = 2` says 1, 2; `x = 1, y = 2` says the tuple (1, 2) in the order of the names; `n = 1, 2, 3`."""
    if node.op != "list":
        return node
    heads = {arg: _ROOT_INDEX.sub("", arg.name) for arg in node.args if arg.is_equation}
    names = set(heads.values())
    if not heads or "" in names:
        return node
    if len(names) == 1 and not any(arg.op == "rel" and arg not in heads for arg in node.args):
        return Node("list", tuple(arg.args[-1] if arg in heads else arg for arg in node.args), node.value)
    if len(names) == len(heads) == len(node.args):
        ordered = sorted(node.args, key=lambda arg: arg.name)
        return Node("list", tuple(arg.args[-1] for arg in ordered), "named")
    return node


def indexed(node: Node) -> Node:
    """`x = 2^k, k = 0, 1, 2` as the list of its values; any other node itself."""
    value, index, *others = node.args if node.op == "list" and len(node.args) > 2 else (node, node)
    name = index.name if 0 < len(others) < MAX_INDEXED and index.is_equation else ""
    if not name or name not in value.variables() or names_in(others):
        return node
    return Node("list", tuple(value.substitute({name: at}) for at in (index.said, *others)), ",")


def _is_integrality(node: Node) -> bool:
    """`n in Z`, said of a parameter."""
    return node.op == "rel" and node.value == ("in",) and str(node.args[1].value).startswith("\\set")


def expand_signs(node: Node) -> Node:
    """Write an answer with ± as the list of both values."""
    if node.op == "diff":
        return Node("diff", (node.args[0], expand_signs(node.args[1])))
    if not node.has("pm") or sum(part.op == "pm" for part in node.walk()) > MAX_SIGNS:
        return node
    if node.op in ("list", "set"):
        expanded = map(expand_signs, node.args)
        args = (part for each in expanded for part in (each.args if each.op == "list" else (each,)))
        return Node(node.op, tuple(args), node.value)
    return Node("list", tuple(node.rebuilt(partial(_signed, sign)) for sign in (1, -1)), ",")


def _signed(sign: int, node: Node) -> Node:
    if node.op != "pm":
        return node
    first, second = node.args
    second = second if sign * node.value > 0 else neg(second)
    return second if first == ZERO else add(first, second)


def _residue(node: Node) -> tuple[Node, Node] | None:
    """Residue and modulus of a congruence."""
    last = node.args[-1] if node.op == "rel" else node
    names = last.variables() & PARAMETERS
    if node.op == "rel" and len(names) == 1 and names == last.variables():  # x = 7k + 6
        first, second, third = (last.substitute({name: num(value)}) for name in names for value in (0, 1, 2))
        even = same_value(add(first, third), add(second, second)) is True
        step = exact(sub(second, first))
        return (first, num(abs(step))) if even and step else None
    if last.op == "neg" and last.args[0].op == "mod":
        return neg(last.args[0].args[0]), last.args[0].args[1]
    return (last.args[0], last.args[1]) if last.op == "mod" else None


def _time(ratio: Node) -> tuple[tuple[Node, ...], str]:
    """The parts of a ratio or a time of day, and of `1:35 pm` the half of the day."""
    *before, last = ratio.args
    return ((*before, last.args[0]), str(last.value).lower()) if last.op == "unit" else (ratio.args, "")


def _in_day(parts: tuple[Node, ...], half: str) -> tuple[Node, ...]:
    """`1:35 pm` as 13:35."""
    hour = exact(parts[0])
    return (num(hour % 12 + 12 * (half == "pm")), *parts[1:]) if half and hour else parts


def _same_base(reference: Node, answer: Node, asked: bool) -> bool:
    if reference.op == answer.op:
        return bool(
            reference.value[1] == answer.value[1] and reference.value[0].lstrip("0") == answer.value[0].lstrip("0")
        )
    based, plain = (reference, answer) if reference.op == "base" else (answer, reference)
    value = exact(plain)
    if based is answer and not asked and based.value[1] != 10:
        return False
    return value is not None and value.denominator == 1 and based.value[0].lstrip("0") == str(value.numerator)
