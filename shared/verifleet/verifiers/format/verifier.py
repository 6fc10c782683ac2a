"""The format verifier: a response, the format it must have, and the first fault if it has not."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from threading import Lock
from typing import TYPE_CHECKING, Any, ClassVar, Final, TypeVar, cast

from verifleet.reasoning import answer_in
from verifleet.verification import (
    BaseVerifier,
    FormatName,
    FormatReference,
    FormatRequest,
    Judgement,
    Options,
    VerifierName,
    WorkerPool,
)
from verifleet.verifiers.format.answer_text import SPACE, Candidate, candidates, trimmed
from verifleet.verifiers.format.checkers import CHECKERS
from verifleet.verifiers.format.constraints import DECODED, constraint_fault
from verifleet.verifiers.format.fault import Fault, line_and_column, shown
from verifleet.verifiers.format.formats import FORMATS
from verifleet.verifiers.format.guarded import CPU_S, HURRY_S, MeteredWorkers
from verifleet.verifiers.format.json_text import accept
from verifleet.verifiers.format.reference import ReferenceCheck
from verifleet.verifiers.format.template import read_template

if TYPE_CHECKING:
    from verifleet.workers import ProcessWorkers

R = TypeVar("R")

PRELOAD: Final = (
    "verifleet.verifiers.format.checkers",
    "verifleet.verifiers.format.constraints",
    "verifleet.verifiers.format.sql_text",
    "jsonschema_rs",
    "lxml.etree",
    "yaml",
    "yaml12",
    "html5lib",
    "quickjs",
    "sqlglot",
)
_SELF_DELIMITING: Final = frozenset({"json", "ndjson", "xml"})
_MAX_NESTING: Final = 32  # of all_of and any_of
_SHORT: Final = 50_000  # characters; reading a longer wrong text twice would cost too much
_ONLY_FORMAT: Final = {"format"}
_JSON_CORRECT: Final = Judgement.correct("The response is valid JSON.", format="json")
_MARKS: Final = ("```", "~~~")
_FENCED: Final = ' The response is fenced: options.extract = "auto" takes the fenced part.'
_UNKNOWN: Final = (
    "No format was given and none was recognised in the prompt; give reference.format or name the format in the prompt."
)
_BARE: Final = {name: FormatReference(format=cast("FormatName", name)) for name in CHECKERS if name != "instructions"}


class FormatVerifier(BaseVerifier):
    """Judges whether a response is in the asked format.

    What could run long on hostile input goes to `workers`, a pool of killable processes; without one, a
    pool is started the first time it is needed.
    """

    name: ClassVar[VerifierName] = "format"

    def __init__(self, workers: WorkerPool | None = None) -> None:
        self._workers = _LazyWorkers(workers)
        self._references = ReferenceCheck()

    def warm(self) -> None:
        """Start the workers in the background, so that the first program to judge doesn't wait for them."""
        self._workers.warm()

    def close(self) -> None:
        """Stop the workers that this verifier started; the next judgement that needs one starts them again."""
        self._workers.close()

    def judge(self, request: FormatRequest) -> Judgement:
        """Judge the response by `request.reference`, or by what the prompt asks for."""
        options = request.options
        reference = request.reference
        if _asks_for_plain_json(request) and _is_plain_json(request.response):
            return _JSON_CORRECT
        text = options.prefilled + request.response if options.prefilled else request.response
        details: dict[str, Any] = {}
        if reference is None:
            # Its patterns take a while to compile.
            from verifleet.verifiers.format.prompt import asked_format, asks_for_fence

            reference = asked_format(request.prompt)
            if reference is None:
                return Judgement.unknown(_UNKNOWN)
            details["recognised"] = reference.model_dump(exclude_none=True, by_alias=True)
            if "extract" not in options.model_fields_set and asks_for_fence(request.prompt):
                options = options.model_copy(update={"extract": "auto"})
                details["recognised"]["extract"] = "auto"
        judge = _Judge(text, options, self._workers)
        outcome = judge.outcome(reference)
        if "recognised" not in details and _leaves_doubt(outcome, reference):
            outcome = self._references.fault(reference, options.format_assertion, judge.workers) or outcome
        return _judgement(outcome, reference, text, len(options.prefilled), details, options)


def at_once(request: FormatRequest) -> Judgement | None:
    """The verdict on right JSON of ordinary length, which is found in less time than a worker process is asked."""
    marked = "<" in request.response or ">" in request.response or "|]" in request.response  # as ends of turns are
    plain = not marked and _asks_for_plain_json(request) and _is_plain_json(request.response)
    return _JSON_CORRECT if plain else None


def _asks_for_plain_json(request: FormatRequest) -> bool:
    reference, options = request.reference, request.options
    return (
        reference is not None
        and reference.format == "json"
        and reference.__pydantic_fields_set__ == _ONLY_FORMAT
        and options.extract == "whole"
        and not options.prefilled
    )


def _is_plain_json(response: str) -> bool:
    """The short way for the most frequent case: right JSON. Everything else goes the long way, which explains."""
    if len(response) > _SHORT or ("<" in response and "think>" in response):
        return False
    try:
        accept(response.strip(SPACE))
    except (ValueError, RecursionError):
        return False
    return True


def _leaves_doubt(outcome: Fault | None, reference: FormatReference) -> bool:
    """Whether a part of the reference may be unusable without having shown it: it was not reached."""
    if outcome is None:
        return reference.any_of is not None or reference.all_of is not None
    return outcome.kind != "reference"


def _judgement(
    outcome: Fault | None,
    reference: FormatReference,
    text: str,
    prefilled: int,
    details: dict[str, Any],
    options: Options,
) -> Judgement:
    name = format_of(reference)
    if name is not None:
        details["format"] = name
    if outcome is None:
        return Judgement(1.0, "correct", f"The response is {_title(name)}.", details)
    details["fault"] = _placed(outcome, text, prefilled)
    if outcome.kind == "reference":
        return Judgement.malformed(f"The reference is at fault, not the response: {outcome.message}", **details)
    if outcome.kind == "undecided":
        return Judgement.unknown(outcome.message, **details)
    if options.partial and outcome.share > 0.0:
        return Judgement.partial(min(outcome.share, 1.0), outcome.message, **details)
    if outcome.kind == "incorrect":
        return Judgement.incorrect(outcome.message, **details)
    fenced = name is not None and options.extract == "whole" and _is_fenced(text)
    return Judgement.malformed(outcome.message + _FENCED if fenced else outcome.message, **details)


def _is_fenced(text: str) -> bool:
    return text[answer_in(text).start :].lstrip().startswith(_MARKS)


def _placed(fault: Fault, text: str, prefilled: int) -> dict[str, Any]:
    """A fault as JSON; offset, line and column count in the response as it was sent."""
    placed: dict[str, Any] = {"rule": fault.rule}
    if fault.offset is not None:
        offset = max(0, min(fault.offset, len(text)) - prefilled)
        line, column = line_and_column(text[prefilled:] if prefilled else text, offset)
        placed |= {"offset": offset, "line": line, "column": column}
    if fault.path is not None:
        placed["path"] = shown(fault.path)
    placed |= {key: value for key, value in fault.more.items() if key != "steps"}
    if fault.kind == "reference":
        placed["in"] = "reference"
    return placed


def _title(name: str | None) -> str:
    """What a right response is called: valid JSON, a valid URL, valid by the reference."""
    return "valid by the reference" if name is None else FORMATS[name].title


def format_of(reference: FormatReference) -> FormatName | None:
    """The format a reference names or implies; None for a composition or a pattern alone."""
    if reference.format is not None:
        return reference.format
    if reference.template is not None:
        return "template"
    if reference.checks is not None:
        return "instructions"
    if reference.tools is not None or reference.expected is not None:
        return "tool_call"
    return "json" if reference.json_schema is not None else None


class _Judge:
    """One response against a reference and its parts."""

    def __init__(self, text: str, options: Options, workers: WorkerPool) -> None:
        self.text = text
        self.options = options
        self.workers = MeteredWorkers(workers)

    def outcome(self, reference: FormatReference, depth: int = 0) -> Fault | None:
        if depth > _MAX_NESTING:
            return Fault("nesting", "The reference nests all_of and any_of too deeply.", kind="reference")
        faults: list[Fault] = []
        shares: list[tuple[float, float]] = []
        name = format_of(reference)
        if name is not None or reference.pattern is not None:
            own = self._own(reference, name)
            faults += [own] if own is not None else []
            shares.append((1.0, 1.0 if own is None else own.share))
        if reference.all_of is not None:
            found, share = self._all_of(reference.all_of, reference.weights, depth)
            faults += [found] if found is not None else []
            shares.append((1.0, share))
        if reference.any_of is not None:
            found, share = self._any_of(reference.any_of, None if reference.all_of else reference.weights, depth)
            faults += [found] if found is not None else []
            shares.append((1.0, share))
        if not faults:
            return None
        return replace(min(faults, key=_rank_of_all), share=_mean(shares))

    def _all_of(
        self, parts: list[FormatReference], weights: list[float] | None, depth: int
    ) -> tuple[Fault | None, float]:
        """Every part with a weight above 0 must hold; the share is the weighted one."""
        faults: list[Fault] = []
        shares: list[tuple[float, float]] = []
        weighed = weights or [1.0] * len(parts)
        for number, fault in self._outcomes([(n, part) for n, part in enumerate(parts) if weighed[n] > 0.0], depth):
            shares.append((weighed[number], 1.0 if fault is None else fault.share))
            if fault is not None:
                faults.append(_of_part(fault, "all_of", number))
        return min(faults, key=_rank_of_all, default=None), _mean(shares)

    def _any_of(
        self, parts: list[FormatReference], weights: list[float] | None, depth: int
    ) -> tuple[Fault | None, float]:
        """One part must hold; with partial credit a lighter part is worth its weight by the heaviest."""
        weighed = weights or [1.0] * len(parts)
        faults: list[Fault] = []
        best_share = 0.0
        for number, fault in self._outcomes(list(enumerate(parts)), depth):
            share = weighed[number] / max(weighed) * (1.0 if fault is None else fault.share)
            if fault is None and (share >= 1.0 or not self.options.partial):
                return None, 1.0
            fault = fault or Fault("lighter", "Only a lighter alternative holds.", kind="incorrect")
            faults.append(_of_part(replace(fault, share=share), "any_of", number))
            best_share = max(best_share, share)
        return min(faults, key=_rank_of_any), best_share

    def _outcomes(self, parts: list[tuple[int, FormatReference]], depth: int) -> Iterator[tuple[int, Fault | None]]:
        """The number and outcome of each part; one that takes long is looked at again when the others are done."""
        late: list[tuple[int, FormatReference, Fault]] = []
        for number, part in parts:
            if number and self.workers.exhausted:
                message = "The parts before this one used up the request's time."
                yield number, Fault("time_budget", message, kind="undecided")
                continue
            with self.workers.at_most(HURRY_S if len(parts) > 1 else CPU_S):
                fault = self.outcome(part, depth + 1)
            if fault is not None and fault.rule == "time_limit" and len(parts) > 1:
                late.append((number, part, fault))
            else:
                yield number, fault
        for index, (number, part, fault) in enumerate(late):
            left = self.workers.left
            with self.workers.at_most(max(left / (len(late) - index), 2 * HURRY_S)):
                yield number, self.outcome(part, depth + 1) if left > HURRY_S else fault

    def _own(self, reference: FormatReference, name: FormatName | None) -> Fault | None:
        if name == "template":
            return self._template(reference)
        whole = self._quoting_tag(name)
        if whole is not None:
            fault = self._check(whole, reference, name)
            if fault is None or fault.kind != "malformed":
                return fault
        first: Fault | None = None
        for candidate in candidates(self.text, name or "", self.options.extract):
            fault = candidate if isinstance(candidate, Fault) else self._check(candidate, reference, name)
            if fault is None:
                return None
            if first is None or fault.share > first.share:
                first = fault
        return first

    def _quoting_tag(self, name: FormatName | None) -> Candidate | None:
        """The whole of a text that may be a document which quotes a tag of reasoning, and has none itself."""
        if (
            name in _SELF_DELIMITING
            and not self.text.lstrip().startswith("<think>")
            and answer_in(self.text) != (0, -1)
        ):
            return trimmed(Candidate(self.text), name)
        return None

    def _check(self, candidate: Candidate, reference: FormatReference, name: FormatName | None) -> Fault | None:
        fault = None
        if name is not None and not (name in DECODED and reference.json_schema is not None):
            fault = CHECKERS[name](candidate.text, reference, self.workers)
        if fault is None:
            fault = constraint_fault(candidate.text, reference, name, self.options, self.workers)
        if fault is not None and fault.offset is not None and candidate.start:
            fault = replace(fault, offset=fault.offset + candidate.start)
        return fault

    def _template(self, reference: FormatReference) -> Fault | None:
        assert reference.template is not None
        slots = read_template(self.text, reference.template)
        if isinstance(slots, Fault):
            return slots
        for slot in slots:
            if slot.name in _BARE:
                fault = self._check(Candidate(slot.text, slot.start), _BARE[slot.name], cast("FormatName", slot.name))
                if fault is not None:
                    return fault
        return None


def _rank_of_all(fault: Fault) -> int:
    """Which of several faults tells that not all hold: one that is sure goes before one that is undecided."""
    return {"reference": 0, "undecided": 2}.get(fault.kind, 1)


def _rank_of_any(fault: Fault) -> tuple[int, float]:
    """Which of several faults tells that none holds: what is undecided may hold, so nothing else is sure."""
    return {"reference": 0, "undecided": 1}.get(fault.kind, 2), -fault.share


def _of_part(fault: Fault, composition: str, number: int) -> Fault:
    part = f"{composition}/{number}"
    inner = fault.more.get("part")
    return replace(fault, more={**fault.more, "part": f"{part}/{inner}" if inner else part})


def _mean(shares: list[tuple[float, float]]) -> float:
    total = sum(weight for weight, _ in shares)
    return sum(weight * share for weight, share in shares) / total if total else 0.0


class _LazyWorkers:
    """The pool that was given, or one of our own from the first call on."""

    def __init__(self, given: WorkerPool | None) -> None:
        self._given = given
        self._own: ProcessWorkers | None = None
        self._lock = Lock()

    def __reduce__(self) -> tuple[Any, ...]:
        return _LazyWorkers, (self._given,)

    def call(self, function: Callable[..., R], /, *args: Any, cpu_s: float = 1.0) -> R:
        pool = self._given if self._given is not None else self._started()
        return pool.call(function, *args, cpu_s=cpu_s)

    def warm(self) -> None:
        if self._given is None:
            self._started().warm()

    def close(self) -> None:
        with self._lock:
            own, self._own = self._own, None
        if own is not None:
            own.close()

    def _started(self) -> ProcessWorkers:
        with self._lock:
            if self._own is None:
                from verifleet.workers import ProcessWorkers  # rarely needed, and costs a start its time

                self._own = ProcessWorkers(preload=PRELOAD)
            return self._own
