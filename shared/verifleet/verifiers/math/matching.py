"""One reference against final answers: as text, as a choice, as words, and in every reading as mathematics."""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction
from functools import cached_property

from verifleet.reading.words import spoken
from verifleet.verifiers.math.algebra.equality import in_order
from verifleet.verifiers.math.algebra.equivalence import Comparison, UndecidedError, listed, unrestricted
from verifleet.verifiers.math.algebra.polynomials import factors
from verifleet.verifiers.math.answer import phrases, wording
from verifleet.verifiers.math.answer.bounds_in_words import bound_of, region_in_words
from verifleet.verifiers.math.answer.parts import agree, together
from verifleet.verifiers.math.answer.polarity import ALTERNATIVES, NOT, POLAR
from verifleet.verifiers.math.answer.readings import readings
from verifleet.verifiers.math.answer.stance import denied
from verifleet.verifiers.math.answer.value import Stated
from verifleet.verifiers.math.question import fold, stem
from verifleet.verifiers.math.syntax.expression import EMPTY_SET, INFINITY, REALS, I, Node
from verifleet.verifiers.math.syntax.lexer import MAX_LENGTH
from verifleet.verifiers.math.syntax.runs import runs_of
from verifleet.verifiers.math.syntax.vectors import vector_like
from verifleet.verifiers.math.syntax.vocabulary import phrased
from verifleet.verifiers.math.tasks.asked_form import asserted, bare, copied, missing_form, padded, unevaluated
from verifleet.verifiers.math.tasks.checks import form_fault
from verifleet.verifiers.math.tasks.recognition import asked_form, task_of

_PLAIN_NUMBER = re.compile(r"-?[0-9]{1,18}(?:\.[0-9]{1,12})?")

_REGIONAL = ("interval", "union", "diff", "rel", "list", "setbuilder", "tuple")
_OPEN = spoken(phrased("matching.open"))
_OTHER_SCRIPT = re.compile("[\u0400-\u04ff\u3000-\u30ff\u3400-\u9fff\uac00-\ud7af]+")
_SUPERLATIVE = re.compile(r"\b(?:[a-z]{3,}est|most|least|worst|loser|last|first|second)\b")
_LAST_SPACE = re.compile(r"(?<!\\)\\$")  # what is left of a closing "\\ "
_FORMS = re.compile(r"\bi\.e\.|\bthat is\b|\bequivalently\b|\bin [a-z-]+ form\b|\bor\b")
MAX_FORMS = 4
_MULTIPLES = spoken(
    rf"(?:[\s,;]|\\[,; ]){{0,9}}(?:\\text\{{)?[\s(\[]{{0,4}}\b(?:{phrased('matching.multiples')})[\s)\]}}.]{{0,9}}$"
)
"""`(or any nonzero multiple)`: the multiples of the reference are right as well."""
_EXPLICIT = spoken(r"""\b(?:slope.intercept|vertex|explicit) form\b|\b(?:solve|express)\b[^.?]{0,60}\bfor [a-z]\b|
    \b(?:form|as) \$?y ?=|\bin terms of\b""")
_NUMERAL = re.compile(r"(?=.*[A-F])(?=.*\d)[\dA-F]+")  # in a base above ten: 5D
_GROUPED = re.compile(r"(?<![\d.,])[1-9]\d{0,2}\.\d{3}(?![\d.,])")
_PLAINLY_DECIMAL = re.compile(r"[0-9](?:\{,\}[0-9]|,0[0-9])")  # no list has {,} or an element such as 05
_ENGINEERS_I = re.compile(r"(?<![A-Za-z\\])j(?![A-Za-z])")
_COMMA_LANGUAGES = ("de", "fr", "it", "pt")  # Spanish is written both ways


class Matcher:
    """One reference, ready to be compared with answers."""

    def __init__(self, comparison: Comparison, reference: str) -> None:
        self.reference, multiples = _MULTIPLES.subn("", reference.strip())
        self.comparison, self.question = replace(comparison, multiples=multiples > 0), comparison.question
        self.phrase = wording.words(self.reference) if len(self.reference) <= MAX_LENGTH else ""
        self._plain = Fraction(self.reference) if _PLAIN_NUMBER.fullmatch(self.reference) else None
        self._exact_only = comparison.tolerance is None and not self.question.rounding

    @cached_property
    def nodes(self) -> tuple[Node, ...]:
        """The reference in every reading as mathematics that is certain."""
        return self._readings[0]

    @cached_property
    def _readings(self) -> tuple[tuple[Node, ...], tuple[Node, ...]]:
        """The certain readings, and the doubtful ones: an answer equal to one of these is not decided.

        `5,1` is two numbers where several are asked for and one where the prompt writes decimal commas.
        """
        separated = tuple(readings(self.reference, decimal_commas=False))
        if self.reference.count(",") != 1:
            return separated, ()
        decimal = tuple(node for node in readings(self.reference) if node not in separated)
        if not decimal or _PLAINLY_DECIMAL.search(self.reference):
            return (*separated, *decimal), ()
        several = self.question.several
        if self.question.decimal_commas or (self.question.language in _COMMA_LANGUAGES and not several):
            return decimal, separated
        return separated, () if several else decimal

    def in_its_letters(self, answer: Stated) -> Stated:
        """The answer with the reference's letter of the imaginary unit: `3+4j` as `3+4i`."""
        if "j" not in answer.text or "i" in answer.text or not any(I in node.walk() for node in self.nodes):
            return answer
        return answer._replace(text=_ENGINEERS_I.sub("i", answer.text))

    def matches(self, answer: Stated) -> bool:
        """Whether the final answer says the same; raises UndecidedError."""
        if answer.parts and not self._is_list():
            return all(self._same_text(part) for part in answer.parts)
        if "odds" in answer.clause.lower() and "odds" not in self.question.lower:
            return False  # 1 to 6 is 1/7
        said = wording.said_meaning(wording.words(answer.clause)) if answer.clause and self.nodes else None
        if said == EMPTY_SET and REALS in readings(answer.text):  # no solution in ℝ
            return said in self.nodes
        whole = answer.whole or answer.text
        said_of = agree(
            self.reference, whole, self.question, lambda own, given: Matcher(self.comparison, own)._same_text(given)
        )
        if said_of is not None:
            return said_of
        if self._same_text(answer.text):
            return True
        in_words = region_in_words(answer.clause or answer.text)
        if in_words is not None and any(node.op in _REGIONAL for node in self.nodes) and self._same_text(in_words):
            return True
        if answer.clause and (self._is_worded and self._said_by(answer.clause)):
            return True
        several = together(answer.whole) if self._is_list() else ""
        return (bool(several) and self._same_text(several)) or self._said_alike(answer.text)

    def _said_alike(self, text: str) -> bool:
        """`y = 3x - 1, or in standard form 3x - y = 1`: whether each of several forms of one value is the reference."""
        if wording.BANNED.search(text.replace(" or ", " ")):
            return False
        forms = [run.text for part in _FORMS.split(text[: wording.MAX_CLAUSE]) for run in runs_of(part)]
        return 2 <= len(forms) <= MAX_FORMS and all(map(self._same_text, forms))

    def fault(self, answer: Stated, strict: bool) -> str | None:
        """Why an answer of the right value is refused all the same."""
        letter = wording.choice_letter(self.reference)
        if fold(answer.text) == fold(self.reference) or (letter and letter[0] in self.question.choices):
            return None  # what is chosen stands in the prompt
        node, lower = next(readings(answer.text), None), self.question.lower
        said = node and in_order(asserted(unrestricted(node)))
        if copied(answer.text, node, self.question) and said not in tuple(map(in_order, self.nodes)):
            return "The answer is copied from the prompt."
        if node is None or said is None:
            return None
        task = task_of(self.question) if strict else None
        if task is not None:
            return form_fault(task, answer.text, node, self.question)
        if any(vector_like(node, own) != node for own in self.nodes):
            return None
        if self.nodes and padded(node) and not any(map(Node.variables, self.nodes)):
            return "The answer holds variables that cancel out."
        unsolved = node.is_equation and not any(side.op == "var" or "(" in str(side.value) for side in node.args)
        turned = any(own.name and node.name in own.said.variables() for own in self.nodes)  # x = 3 - 3y/2
        if (turned or (unsolved and any(own.name for own in self.nodes))) and _EXPLICIT.search(lower):
            return "The answer is not in the form that is asked for."
        said, form = said.said, asked_form(lower)
        lacking = next((fault for own in self.nodes if (fault := missing_form(form, said, own))), None)
        sought = [sorted(map(str, factors(own))) for own in self.nodes if own.op in ("mul", "pow")]
        residues = [one.op == "rel" and "==" in one.value for one in (node, *self.nodes)]
        literal = all(residues) and said.op == "mod" and bare(said.args[0]).op == "num"  # x ≡ 12 (mod 7)
        undone = not literal and unevaluated(said) and sorted(map(str, factors(said))) not in sought
        if lacking is None and undone and lower.strip() and not any(map(unevaluated, self.nodes)):
            return "The arithmetic was left undone."
        return lacking

    def part(self, answer: Stated) -> float:
        """Credit for some of several required answers: 0.5 of their share; any wrong one means none."""
        given = tuple(readings(answer.text, not self.question.several))
        return 0.5 * max((self.comparison.share(own, node) for own in self.nodes for node in given), default=0.0)

    @cached_property
    def _is_worded(self) -> bool:
        """Whether the reference is a name or another word, rather than a value said in words."""
        return wording.is_wordy(self.reference) and wording.meaning(self.phrase) is None

    def _is_list(self) -> bool:
        return any(listed(node).op in ("list", "set", "tuple") for node in self.nodes)

    def _same_text(self, text: str) -> bool:
        text = _LAST_SPACE.sub("", _MULTIPLES.sub("", text.strip()) if self.comparison.multiples else text.strip())
        if self._plain is not None and _PLAIN_NUMBER.fullmatch(text):  # what most real answers are
            if text == self.reference or Fraction(text) == self._plain:
                return True
            if self._exact_only and not _GROUPED.search(text):
                return False
        if fold(text) == fold(self.reference):
            return True
        if max(len(text), len(self.reference)) > MAX_LENGTH:
            return False
        if _NUMERAL.fullmatch(self.reference) and self.question.bases:
            return text.lower().removeprefix("0x").lstrip("0") == self.reference.lower().lstrip("0")
        letter, given = wording.choice_letter(self.reference), wording.choice_letter(text)
        if given is None and text.islower() and text.upper() in self.question.choices:
            given = (text.upper(), "")  # b, where A to D are offered
        if letter is not None and (not letter[1] or letter[0] in self.question.choices):
            return self._same_choice(letter[0], given, text)
        if given is not None and self._same_as_choice(given):
            return True
        phrase = wording.words(text)
        if phrase and (phrase == self.phrase) and wording.is_wordy(self.reference):
            return True
        if self._is_worded and (not self.nodes or self._said_by(text)):
            return self._said_by(text)
        return self._same_value(text)

    def _said_by(self, clause: str) -> bool:
        """Whether a clause says the words of the reference of what the prompt asks, and no other words of its own."""
        phrase = wording.words(clause)
        if self.phrase in POLAR or len(phrase) > wording.MAX_CLAUSE or _OPEN.search(clause):
            return False
        prompt = self.question.words - set(self.phrase.split())
        said, wanted = wording.content(phrase, prompt), wording.content(self.phrase, prompt)
        if self._is_alternative(clause):
            return True
        if wanted and not wording.BANNED.search(clause) and sorted(map(stem, said)) == sorted(map(stem, wanted)):
            return True
        if not clause.isascii() and wording.words(_OTHER_SCRIPT.sub(" ", clause)) == self.phrase:
            found = re.search(r"[ -~]+", clause)
            return found is not None and not denied(clause, *found.span())
        if not phrase.endswith(f" {self.phrase}"):
            return False
        first, lower = self.phrase.split()[0], clause.lower()
        at = lower.rfind(first if first in lower else first[:3])  # Fri
        before = clause[:at]
        if phrases.COPULA_BEFORE.search(before[-80:]) is None or wording.BANNED.search(before):
            return False
        lower = self.question.lower
        return not lower.strip() or all(word in lower for word in _SUPERLATIVE.findall(before.lower()))

    def _is_alternative(self, clause: str) -> bool:
        """`The series converges`, asked whether it converges or diverges: one of the words offered, and no other."""
        offered = {stem(word) for group in ALTERNATIVES.findall(self.question.lower) for word in group if word}
        said = offered & set(map(stem, wording.words(clause).split()))
        return said == {stem(self.phrase)} and not wording.BANNED.search(clause) and not NOT.search(clause)

    def _same_choice(self, letter: str, given: tuple[str, str] | None, text: str) -> bool:
        content = self.question.choices.get(letter)
        if given is not None:
            told = [own for own in self.question.choices.values() if given[1] and self._says(own, given[1])]
            return given[0] == letter and (not told or content in told)  # B. 5, where 5 stands at A
        if content is None:
            return self._same_value(text)
        return self._says(content, text)

    def _says(self, content: str, text: str) -> bool:
        """Whether a text says what stands at a letter, which is no letter itself."""
        return wording.choice_letter(content) is None and Matcher(self.comparison, content)._same_text(text)

    def _same_as_choice(self, given: tuple[str, str]) -> bool:
        """The answer is a letter (with its text), the reference is the text."""
        letter, rest = given
        content = self.question.choices.get(letter)
        if rest and self._same_text(rest):
            return content is None or self._same_text(content)
        return content is not None and not rest and wording.choice_letter(content) is None and self._same_text(content)

    def _same_value(self, text: str) -> bool:
        undecided = False
        certain, doubtful = self._readings
        bound = bound_of(text)  # at least 12, where the least value is asked for
        extreme = readings(bound[1]) if bound and bound[0] in self.question.extremes else ()
        candidates = (*readings(text, not self.question.several), *extreme)
        if _GROUPED.search(text) and self.question.language not in ("", "en"):  # 2.500 Einwohner
            candidates += tuple(readings(_GROUPED.sub(lambda match: match.group().replace(".", ""), text)))
        endless = wording.is_endless(wording.words(text))
        for own in (*certain, *doubtful):
            if (endless and own == INFINITY) or (wording.is_endless(self.phrase) and INFINITY in candidates):
                return True
            for given in candidates:
                try:
                    if self.comparison.equal(own, given):
                        if own in certain:
                            return True
                        undecided = True
                except UndecidedError:
                    undecided = True
        if undecided:
            raise UndecidedError
        return bool(self.phrase) and wording.words(text) == self.phrase and not self.nodes
