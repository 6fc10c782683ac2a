"""What all adapters share: rows in, scores out, by one judge or several, with gates before them."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Final

from pydantic import ValidationError

from verifleet.errors import (
    ForbiddenError,
    RewardReferenceError,
    SettingsError,
    ShapeError,
    StopTrainingError,
    VerifleetError,
)
from verifleet.messages import prompt_text, text_of
from verifleet.references import read_reference
from verifleet.rewards._judges import Judge, asked, asked_async, judge_of
from verifleet.rewards._log import REASON_CHARS, RewardLog, entry, label_of, step_of
from verifleet.rewards._settle import OnError, Scored, Settling
from verifleet.routing import Ask, Routed, asks
from verifleet.verification import Judgement as _Judgement
from verifleet.verification import (
    Options,
    VerificationRequest,
    VerificationResult,
    VerifierName,
    parse_request,
    stamped,
    unusable_reference,
)

logger = logging.getLogger("verifleet.rewards")

FIRST_WAITS_S: Final = (1.0, 2.0, 4.0, 8.0, 15.0)
"""Before what nothing could be judged of yet is asked again: a server may come up with the training."""

Judges = Judge | str | Mapping[str, Judge | str]
Gate = tuple[Judge | str, Any]


@dataclass(frozen=True, slots=True)
class Row:
    """One row: prompt and response as the trainer has them, the value of the reference column.

    `source` is what a mapping of judges is asked for, `place` names the row in messages; `step` of the training and
    `expected`, what the row is known to deserve, are logged with it.
    """

    prompt: Any
    response: Any
    value: Any
    source: Any = None
    place: Any = None
    step: int | None = None
    expected: Any = None


class Reward:
    """The base of the adapters.

    Args:
        judge: a verifier or its name, a VerifierClient, or a mapping of names of sources to these: then each row is
            judged by that of its `source`, and a row of another source abstains.
        column: the data set's column with the reference: an object, the same as JSON text, or a plain value as
            `verifleet.references.read_reference` takes it. A row that holds None there abstains.
        options: verifier options for every request; raises ShapeError for wrong ones.
        on_error: what a fault of ours is to this trainer (see the package); by default what is safe with it.
        source: with a mapping of judges, the column that says which.
        by_prompt: rows without a reference are judged by their prompt instead of abstaining.
        gates: pairs of a judge and its reference, the same for all rows: what does not pass them all has 0.0 and is
            not judged any further (format first, then the answer).
        deadline_s: seconds for a call, after which what is not judged is a fault; without it its judge's bounds hold.
        name: under which the trainer logs this reward.
        log: a file, or a `RewardLog`, that takes a line for each row; `verifleet watch` shows it.
    """

    default_on_error: ClassVar[OnError] = "raise"
    default_column: ClassVar[str] = "reference"
    default_deadline_s: ClassVar[float | None] = None
    has_sources: ClassVar[bool] = True
    """Whether this trainer hands over the source of a row, by which a mapping of judges goes."""
    leaves_out: ClassVar[bool] = False
    """Whether this trainer leaves a row that it is told None of out of its baseline, so that a fault may be None."""
    marks_faults: ClassVar[bool] = False
    """Whether it is told of each fault beside the score."""

    def __init__(
        self,
        judge: Judges,
        *,
        column: str | None = None,
        options: Mapping[str, Any] | None = None,
        on_error: OnError | None = None,
        source: str = "data_source",
        by_prompt: bool = False,
        gates: Sequence[Gate] = (),
        deadline_s: float | None = None,
        name: str | None = None,
        log: RewardLog | str | Path | None = None,
    ) -> None:
        if on_error not in (None, "none", "raise", "zero", "mean"):
            raise SettingsError(f"on_error={on_error!r}: use none, raise, zero or mean")
        routed = isinstance(judge, Mapping)
        if routed and not self.has_sources:
            raise SettingsError(
                f"{type(self).__name__}: this trainer hands over no column that says the source of a row, so that a "
                "mapping of judges can't be used; give one judge"
            )
        self._judges = {str(key): judge_of(one) for key, one in judge.items()} if isinstance(judge, Mapping) else {}
        self._judge = None if routed else judge_of(judge)  # type: ignore[arg-type]
        self.column = self.default_column if column is None else column
        self.source = source
        self._options = checked_options(options)
        self._on_error = on_error
        self._refused_none()
        if deadline_s is not None and not deadline_s > 0:
            raise SettingsError(f"deadline_s={deadline_s!r}: give seconds above 0")
        self.deadline_s = self.default_deadline_s if deadline_s is None else deadline_s
        self._by_prompt = by_prompt
        self._gates = [(one, _gate_request(one, value)) for one, value in ((judge_of(g), v) for g, v in gates)]
        self._settling = Settling()
        self._warned = False
        self._log = RewardLog(log) if isinstance(log, (str, Path)) else log
        kind = getattr(self._judge, "name", None) or "reward"
        self.__name__ = name or f"verifleet_{kind}"

    @property
    def on_error(self) -> OnError:
        """What is done on a fault of ours."""
        return self._on_error or self.default_on_error

    def _refused_none(self) -> None:
        if self._on_error == "none" and not self.leaves_out:
            raise SettingsError(
                f"on_error='none' can't be said to this trainer ({type(self).__name__}): it makes 0 of None, or breaks"
            )

    def score(self, rows: Sequence[Row], on_error: OnError | None = None) -> list[Scored]:
        """Judge rows, in order; `on_error` for this call alone.

        As long as nothing could be judged at all it is asked again for half a minute, and then raised, whatever
        `on_error` says, except where the trainer is told of each fault.

        Raises:
            RewardReferenceError: a reference that can't be used, by column, row and fault.
            VerifierUnavailableError: a fault of ours where `on_error` says so, or from the start on.
        """
        until = None if self.deadline_s is None else time.monotonic() + self.deadline_s
        found = self._found(rows, until)
        for wait_s in self._waits(on_error, until):
            if not self._settling.is_dead(found):
                break
            time.sleep(wait_s)
            found = self._found(rows, until)
        return self._settled(rows, found, on_error)

    async def ascore(self, rows: Sequence[Row], on_error: OnError | None = None) -> list[Scored]:
        """As `score`, without blocking the loop."""
        until = None if self.deadline_s is None else time.monotonic() + self.deadline_s
        found = await self._afound(rows, until)
        for wait_s in self._waits(on_error, until):
            if not self._settling.is_dead(found):
                break
            await asyncio.sleep(wait_s)
            found = await self._afound(rows, until)
        return self._settled(rows, found, on_error)

    def _found(self, rows: Sequence[Row], until: float | None) -> list[Scored]:
        requests = self._requests(rows)
        with _Driving(asks(requests, self._gates)) as driving:
            while (several := driving.next()) is not None:
                driving.answers = [self._asked(ask, until) for ask in several]
        return self._outcomes(rows, requests, driving.came)

    async def _afound(self, rows: Sequence[Row], until: float | None) -> list[Scored]:
        requests = self._requests(rows)
        with _Driving(asks(requests, self._gates)) as driving:
            while (several := driving.next()) is not None:
                driving.answers = list(await asyncio.gather(*(self._aasked(ask, until) for ask in several)))
        return self._outcomes(rows, requests, driving.came)

    def _asked(self, ask: Ask[Judge], until: float | None) -> list[VerificationResult]:
        try:
            return asked(*ask, until)
        except ForbiddenError as error:
            return self._forbidden(ask, error)

    async def _aasked(self, ask: Ask[Judge], until: float | None) -> list[VerificationResult]:
        try:
            return await asked_async(*ask, until)
        except ForbiddenError as error:
            return self._forbidden(ask, error)

    def _waits(self, on_error: OnError | None, until: float | None) -> tuple[float, ...]:
        """Before asking again what could not be judged, where that would end the training."""
        ends = (on_error or self.on_error) != "raise" and not self.marks_faults and until is None
        return FIRST_WAITS_S if ends else ()

    def _forbidden(self, ask: Ask[Judge], error: ForbiddenError) -> list[VerificationResult]:
        """A server that refuses us from the start is a mistake of the set-up; later it is a fault like others."""
        if not self._settling.worked:
            raise error
        name: VerifierName = getattr(ask[0], "name", None) or "math"
        return [stamped(name, "", one.request_id, _Judgement.error(str(error)), 0.0) for one in ask[1]]

    def _settled(self, rows: Sequence[Row], scored: Sequence[Scored], on_error: OnError | None) -> list[Scored]:
        self._refused_none()  # which trainer it is may have come out since
        if self._log is not None:
            self._log.write(self.__name__, [_logged(row, one) for row, one in zip(rows, scored, strict=True)])
        groups = [prompt_text(row.prompt) for row in rows]
        return self._settling.settle(
            scored, groups, on_error or self.on_error, left_out=self.leaves_out, marked=self.marks_faults
        )

    def _requests(self, rows: Sequence[Row]) -> dict[int, tuple[Judge, VerificationRequest]]:
        """What is to be asked of whom, by the place of the row; what abstains is not among it."""
        requests: dict[int, tuple[Judge, VerificationRequest]] = {}
        for number, row in enumerate(rows):
            judge = self._judge if self._judge is not None else self._judges.get(str(row.source))
            request = None if judge is None else self._request(judge, row)
            if judge is not None and request is not None:
                requests[number] = (judge, request)
        if self._judges and rows and not requests:
            self._told_of_none(rows)
        return requests

    def _told_of_none(self, rows: Sequence[Row]) -> None:
        """Say once that a mapping of judges has none for a call's rows: a slip in a name costs the whole reward."""
        strange = {str(row.source) for row in rows} - self._judges.keys()
        if strange and not self._warned:
            self._warned = True
            logger.warning(
                "%s abstains from all %d rows: their %s is %s; there are judges for %s",
                self.__name__,
                len(rows),
                self.source,
                ", ".join(sorted(strange)[:5]),
                ", ".join(sorted(self._judges)),
            )

    def _outcomes(
        self,
        rows: Sequence[Row],
        requests: Mapping[int, tuple[Judge, VerificationRequest]],
        came: Mapping[int, Routed],
    ) -> list[Scored]:
        found = [Scored(None, None)] * len(rows)
        for number, routed in came.items():
            result = routed.result
            if routed.gate is None:
                found[number] = self._outcome(requests[number][1], result, rows[number])
            elif unusable_reference(result):
                raise RewardReferenceError(f"gates: {result.reason}")
            else:
                fault = result.score is None
                found[number] = Scored(None if fault else 0.0, result, fault=fault, gated=not fault)
        return found

    def _request(self, judge: Judge, row: Row) -> VerificationRequest | None:
        verifier: VerifierName | None = getattr(judge, "name", None)
        raw: dict[str, Any] = {
            "prompt": prompt_text(row.prompt),
            "response": text_of(row.response),
            "options": self._options,
        }
        try:
            raw["reference"] = read_reference(verifier or "math", row.value)
            if raw["reference"] is None and not self._by_prompt:
                return None
            return VerificationRequest.model_validate(raw) if verifier is None else parse_request(verifier, raw)
        except ShapeError as error:
            raise RewardReferenceError(f"{self._place(row)}: {error.message}", error.fields) from None

    def _outcome(self, request: VerificationRequest, result: VerificationResult, row: Row) -> Scored:
        if unusable_reference(result) or (result.verdict == "malformed" and "fields" in result.details):
            raise RewardReferenceError(f"{self._place(row)}: {result.reason}")
        if request.reference is None and result.status == "unknown":
            return Scored(None, result)  # the prompt says nothing to judge by: the row abstains
        return Scored(result.score, result, fault=result.score is None)

    def _place(self, row: Row) -> str:
        return f"column {self.column!r}" + ("" if row.place is None else f", row {row.place}")

    # --- for adapters of trainers that hand over columns ---------------------------------

    def rows_of(
        self, prompts: Sequence[Any] | None, completions: Sequence[Any], columns: Mapping[str, Any]
    ) -> list[Row]:
        """Rows out of columns.

        Raises:
            ShapeError: a named column is not among them. RewardReferenceError: it has not one value for each row.
        """
        asked_for = prompts if prompts is not None else [""] * len(completions)
        sources = self._column(self.source, columns, len(completions), named=True) if self._judges else None
        values = self._column(self.column, columns, len(completions), named=not self._by_prompt)
        if values is None:
            values = [None] * len(completions)
        sources = sources if sources is not None else [None] * len(completions)
        labels = columns.get("expected")
        labels = labels if isinstance(labels, list) and len(labels) == len(completions) else [None] * len(completions)
        step = step_of(columns)
        parts = zip(asked_for, completions, values, sources, labels, strict=True)
        return [
            Row(prompt, said, value, source, place, step, label)
            for place, (prompt, said, value, source, label) in enumerate(parts)
        ]

    def _column(self, name: str, columns: Mapping[str, Any], length: int, *, named: bool) -> Sequence[Any] | None:
        values = columns.get(name)
        if values is None:
            if named:
                there = ", ".join(sorted(key for key, value in columns.items() if isinstance(value, list))) or "none"
                raise ShapeError(
                    f"the dataset has no column {name!r}; the trainer handed over: {there}. "
                    "Name one of them as column=..., or judge by_prompt=True."
                )
            return None
        listed: Sequence[Any] = values.tolist() if hasattr(values, "tolist") else values
        if len(listed) != length:
            raise RewardReferenceError(
                f"column {name!r} holds {len(listed)} values for {length} responses; it takes one for each."
            )
        return listed

    # --- for adapters of trainers that take no row without a score ------------------------

    def one(self, row: Row, on_error: OnError | None = None) -> Scored:
        """The outcome of a single row, which has to have a score. Raises as `score`, and for a row that abstains."""
        return self.every([row], on_error)[0]

    async def aone(self, row: Row, on_error: OnError | None = None) -> Scored:
        """As `one`."""
        return (await self.aevery([row], on_error))[0]

    def every(self, rows: Sequence[Row], on_error: OnError | None = None) -> list[Scored]:
        """The outcome of each row of a batch, as `one` has it: a float for each, else the first row's fault is raised.

        Raises:
            ShapeError: a mapping of judges has none for the source of a row; nothing is judged then.
            RewardReferenceError: a row abstains, or as `score` says.
            VerifierUnavailableError: as `score` says.
        """
        self._routed(rows)
        return self._told(rows, self.score(rows, on_error))

    async def aevery(self, rows: Sequence[Row], on_error: OnError | None = None) -> list[Scored]:
        """As `every`, without blocking the loop."""
        self._routed(rows)
        return self._told(rows, await self.ascore(rows, on_error))

    def _routed(self, rows: Sequence[Row]) -> None:
        strange = next((row for row in rows if self._judges and str(row.source) not in self._judges), None)
        if strange is not None:
            raise ShapeError(f"{self.source} is {strange.source!r}; there are judges for: {', '.join(self._judges)}")

    def _told(self, rows: Sequence[Row], scored: list[Scored]) -> list[Scored]:
        abstaining = next((row for row, one in zip(rows, scored, strict=True) if one.score is None), None)
        if abstaining is not None:
            but = "and its prompt says nothing to judge by" if self._by_prompt else "and by_prompt=True was not given"
            raise RewardReferenceError(
                f"{self._place(abstaining)}: holds no reference, {but}; this trainer takes no row without a score"
            )
        return scored


@contextmanager
def unswallowed() -> Iterator[None]:
    """For trainers that make a score of an exception, or of none: ours goes through what catches those.

    Raises:
        StopTrainingError: in the place of each error of ours.
    """
    try:
        yield
    except VerifleetError as error:
        raise StopTrainingError(str(error)) from error


class _Driving:
    """Steps a generator of asks from plain and from asynchronous code alike."""

    def __init__(self, steps: Generator[list[Ask[Judge]], list[list[VerificationResult]], dict[int, Routed]]) -> None:
        self._steps = steps
        self.answers: list[list[VerificationResult]] | None = None
        self.came: dict[int, Routed] = {}

    def __enter__(self) -> _Driving:
        return self

    def __exit__(self, *exception: object) -> None:
        self._steps.close()

    def next(self) -> list[Ask[Judge]] | None:
        """What is to be asked next, once `answers` hold what came of the last; None when `came` holds everything."""
        answers, self.answers = self.answers, None
        try:
            return next(self._steps) if answers is None else self._steps.send(answers)
        except StopIteration as ended:
            self.came = ended.value
            return None


def checked_options(options: Mapping[str, Any] | None) -> Options:
    """The options of an adapter; raises ShapeError for a name or value that is not known."""
    try:
        return Options.model_validate(dict(options or {}))
    except ValidationError as error:
        raise ShapeError.from_validation(error, "options") from None


def _gate_request(judge: Judge, value: Any) -> VerificationRequest:
    verifier: VerifierName = getattr(judge, "name", None) or "format"
    try:
        return parse_request(verifier, {"response": "", "reference": read_reference(verifier, value)})
    except ShapeError as error:
        raise RewardReferenceError(f"gates: {error.message}", error.fields) from None


def _logged(row: Row, scored: Scored) -> dict[str, Any]:
    result = scored.result
    more: dict[str, Any] = {"source": row.source, "expected": label_of(row.expected), "verdict": scored.verdict}
    if result is not None:
        more |= {"status": result.status, "ms": result.duration_ms}
    return entry(row.prompt, row.response, scored.score, row.step, reason=scored.reason[:REASON_CHARS], **more)
