"""The math verifier: extract, parse, compare with the reference, or check what the prompt asks."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from functools import lru_cache
from typing import Any, ClassVar

from verifleet.reasoning import answer_in
from verifleet.verification import (
    EMPTY_ANSWER,
    BaseVerifier,
    Judgement,
    MathRequest,
    VerificationRequest,
    VerificationResult,
    VerifierName,
    WorkerPool,
)
from verifleet.verifiers.math.algebra.equivalence import Comparison, UndecidedError
from verifleet.verifiers.math.answer.final import NoAnswerError, extract, final_of
from verifleet.verifiers.math.answer.parts import lettered, together
from verifleet.verifiers.math.answer.polarity import polar, said_of
from verifleet.verifiers.math.answer.readings import kind_of, readings
from verifleet.verifiers.math.answer.value import Stated
from verifleet.verifiers.math.answer.wording import is_wordy
from verifleet.verifiers.math.batch import check_batch, reference_texts
from verifleet.verifiers.math.matching import Matcher
from verifleet.verifiers.math.question import Question, read_question
from verifleet.verifiers.math.tasks.checks import SharedTime, check_task, symbolically
from verifleet.verifiers.math.tasks.recognition import task_of
from verifleet.verifiers.math.tasks.solving import Finding
from verifleet.workers import ProcessWorkers

PRELOAD = ("verifleet.verifiers.math.batch", "verifleet.verifiers.math.algebra.symbolic")
_UNREADABLE = Judgement.unusable_reference("The reference can't be read: a bracket in it never closes.", "answer")
_SHOWN = 200  # characters of the candidate's own answer in `details`
_DRESSES = (("", ""), ("$", "$"), ("$$", "$$"), ("\\boxed{", "}"), ("$\\boxed{", "}$"), ("$$\\boxed{", "}$$"))
_DRESS = 1_000  # characters of white space and signs around an answer that is the reference word for word

_SPACED = re.compile(r"\s(?=\((?:[a-h]|i{1,3}|iv|v)\)\s)")
_LETTER = re.compile(r"(?<![A-Za-z\\])[A-Za-z](?![A-Za-z])")

_final_of = lru_cache(maxsize=2048)(final_of)


@lru_cache(maxsize=2048)
def _kind_of(reference: str, prompt: str) -> str:
    """The kind of value that a reference is in all its readings: no function, if the prompt has none of its names."""
    nodes = [] if is_wordy(reference) else list(readings(_final_of(reference)))
    kinds = set(map(kind_of, nodes))
    if kinds == {"function"} and not (nodes[0].args or nodes)[-1].variables() & set(_LETTER.findall(prompt)):
        return "any"
    return kinds.pop() if len(kinds) == 1 else "any" if kinds else ""


@lru_cache(maxsize=2048)
def _is_unreadable(reference: str) -> bool:
    """Whether brackets of a reference never close, and nothing else can be made of it."""
    opened, closed = (sum(map(reference.count, signs)) for signs in ("([", ")]"))
    broken = opened > closed or reference.count("{") > reference.count("}")
    return broken and not is_wordy(reference) and not any(readings(_final_of(reference)))


class MathVerifier(BaseVerifier):
    """Judges mathematical answers against a reference, or against what the prompt itself asks.

    What could run long goes to `workers`, a pool of killable processes; without one, a pool is
    started the first time it is needed.
    """

    name: ClassVar[VerifierName] = "math"
    version: ClassVar[str] = "1"

    def __init__(self, workers: WorkerPool | None = None) -> None:
        self.workers: WorkerPool = workers if workers is not None else ProcessWorkers(preload=PRELOAD)

    def judge(self, request: MathRequest) -> Judgement:
        """Judge a response; a reference that can't be read is compared as text."""
        if request.reference is not None and not any(map(str.strip, reference_texts(request.reference))):
            return EMPTY_ANSWER
        said = _word_for_word(request)
        if said is not None:
            start, end = said
            shown = request.response[start:end][:_SHOWN]
            return Judgement.correct(
                "The response is the reference.", answer=shown, span=[start, end], found="whole", mode="reference"
            )
        if request.reference is not None and all(map(_is_unreadable, reference_texts(request.reference))):
            return _UNREADABLE
        kinds = {_kind_of(reference, request.prompt) for reference in reference_texts(request.reference)}
        question = read_question(request.prompt, kinds.pop() if len(kinds) == 1 else "")
        try:
            answer = extract(request.options.prefilled, request.response, question)
        except NoAnswerError as error:
            return Judgement.malformed(error.reason) if error.malformed else Judgement.incorrect(error.reason)
        details: dict[str, Any] = {
            "answer": answer.text[:_SHOWN],
            "span": [answer.start, answer.end],
            "found": answer.how,
        }
        if request.reference is None:
            return self._by_prompt(request, answer, question, details)
        return self._against_reference(request, answer, question, details)

    def check_batch(
        self, requests: Sequence[VerificationRequest], deadline: float | None = None
    ) -> list[VerificationResult]:
        """Judge many, in order; equal content once, large batches on several cores."""
        return check_batch(self, requests, deadline)

    def _against_reference(
        self, request: MathRequest, answer: Stated, question: Question, details: dict[str, Any]
    ) -> Judgement:
        details["mode"] = "reference"
        workers = SharedTime(self.workers)
        comparison = Comparison(question, request.options.tolerance, lambda a, b: symbolically(workers, "same", a, b))
        undecided = any_read = False
        best = 0.0
        for reference in reference_texts(request.reference):
            wanted = polar(reference, question)
            if wanted and wanted == said_of(question, request.options.prefilled, request.response, answer):
                return Judgement.correct("The answer equals the reference.", **details)
            parts = _by_letter(request, reference, answer) or [(_final_of(reference), answer)]
            told = [(Matcher(comparison, own), given) for own, given in parts]
            told = [(matcher, matcher.in_its_letters(given)) for matcher, given in told]
            try:
                if all(matcher.matches(given) for matcher, given in told):
                    strict = request.options.form == "strict"
                    fault = next(filter(None, (matcher.fault(given, strict) for matcher, given in told)), None)
                    if fault is None:
                        return Judgement.correct("The answer equals the reference.", **details)
                    return Judgement.incorrect(fault, **details)
                if request.options.partial and len(told) == 1:
                    best = max(best, told[0][0].part(answer))
                any_read = any_read or any(matcher.nodes for matcher, _ in told)
            except UndecidedError:
                undecided = True
        if best > 0.0:
            return Judgement.partial(best, "Part of the required answers was found, and nothing wrong.", **details)
        if undecided:
            return Judgement.unknown("Whether the answer equals the reference could not be decided.", **details)
        text_only = " (not read as mathematics, compared as text)" if not any_read else ""
        return Judgement.incorrect(f"The answer differs from the reference{text_only}.", **details)

    def _by_prompt(
        self, request: MathRequest, answer: Stated, question: Question, details: dict[str, Any]
    ) -> Judgement:
        details["mode"] = "prompt"
        task = task_of(question)
        if task is None:
            return Judgement.unknown("No task that can be checked was recognised in the prompt.", **details)
        details["task"] = task.kind
        finding = Finding(False, "The answer can't be read as mathematics.")
        workers = SharedTime(self.workers)
        text = (task.kind == "system" and together(answer.whole)) or answer.text
        for node in readings(text, not question.several):
            finding = check_task(task, answer.text, node, question, workers)
            if finding.right:
                return Judgement.correct(finding.reason, **details)
        if finding.right is None:
            return Judgement.unknown(finding.reason, **details)
        if request.options.partial and finding.part > 0.0:
            return Judgement.partial(0.5 * finding.part, finding.reason, **details)
        return Judgement.incorrect(finding.reason, **details)


def _by_letter(request: MathRequest, reference: str, answer: Stated) -> list[tuple[str, Stated]]:
    """The parts of a reference such as `(a) 2x; (b) 7`, each with the answer at its letter or in its box; or none."""
    wanted = lettered(_SPACED.sub("\n", reference))
    whole = request.options.prefilled + request.response if wanted else ""
    given = lettered(whole[answer_in(whole).start :]) or dict(zip(wanted, answer.parts, strict=False))
    pairs: list[tuple[str, Stated]] = []
    for letter, own in wanted.items() if wanted.keys() <= given.keys() else ():
        said = Stated("", 0, 0)
        with suppress(NoAnswerError):
            said = extract("", given[letter], read_question(request.prompt, _kind_of(own, request.prompt)))
        pairs.append((_final_of(own), said))
    return pairs


def _word_for_word(request: MathRequest) -> tuple[int, int] | None:
    """Where a response that is nothing but the reference (boxed, in dollars) has it: right, whatever its shape."""
    prefilled = request.options.prefilled
    whole = prefilled + request.response
    behind = answer_in(whole).start
    for reference in reference_texts(request.reference):
        wanted = reference.strip()
        if len(whole) - behind > 2 * len(reference) + _DRESS:
            continue
        text = whole[behind:].strip()
        for before, after in _DRESSES:
            if text.startswith(before) and text.endswith(after) and len(text) >= len(before) + len(after):
                bare = text[len(before) : len(text) - len(after)]
                if bare.strip() == wanted or bare.split() == wanted.split():
                    start = whole.index(text, behind) + len(before) - len(prefilled)
                    return max(0, start), max(0, start + len(bare))
    return None
