"""`verifleet doctor`: the rollouts through both rewards, then probes made of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any, Final

from verifleet.doctor import probes
from verifleet.doctor.findings import Case, Findings, side_of, unusable
from verifleet.doctor.theirs import MEMORY_MB, Answer, Asked, Recorded, Theirs
from verifleet.errors import SettingsError, ShapeError
from verifleet.readers import Reader, placed_rows
from verifleet.readers.shapes import response_column
from verifleet.rewards import text_of
from verifleet.scoring.bulk import first_rows, fitting_reader, judged, source_files
from verifleet.scoring.rows import How, Result, in_chunks

MAX_PROBED_BYTES: Final = 1024 * 1024
"""Of one row that probes are made of: they are kept until the rollouts are through."""

MAX_PROMPTS: Final = 50_000
"""Different prompts that are remembered, to find those with two references."""
MAX_PROMPT_CHARS: Final = 500
MAX_CONFLICTS: Final = 50
Row = dict[str, Any] | ShapeError
"""A rollout, or what is wrong with what is none."""


@dataclass(frozen=True, slots=True)
class Visit:
    """What is looked at, and how.

    Args:
        source: the rollouts, as `readers.rows_in` takes them.
        reward: theirs, `module:function`, or `column:NAME` where its values stand in the rows.
        how: how our verifiers read and judge the rows; its reader is guessed where it is empty.
        contract: how theirs is called; by its parameters without.
        rows: at most so many; 0 is all.
        probed: rows that probes are made of.
        timeout_s, slow_s: of a call of theirs, until it is killed, and until it counts as slow.
        accept_from: from which value of theirs a response counts as accepted.
        memory_mb: for their process.
        join: more files, whose columns the rows with the same `id` have too.
        every: see `Findings`.
    """

    source: Path
    reward: str
    how: How
    contract: str = ""
    rows: int = 1000
    probed: int = 20
    timeout_s: float = 10.0
    slow_s: float = 1.0
    accept_from: float = 0.5
    memory_mb: int = MEMORY_MB
    join: Sequence[str] = ()
    every: Callable[[str, Case], None] = lambda kind, case: None


@dataclass(frozen=True, slots=True)
class _Rollout:
    """A row as both are asked about it."""

    number: int
    row: dict[str, Any]
    column: str
    request: Mapping[str, Any]

    @property
    def prompt(self) -> str:
        return str(self.request["prompt"])

    @property
    def answer(self) -> str | None:
        return probes.plain_answer(self.request.get("reference"))

    def case(self, theirs: Answer, ours: Result, response: str, note: str = "") -> Case:
        expected = self.row.get("expected")
        label = float(expected) if isinstance(expected, (int, float)) and 0 <= expected <= 1 else None
        name = str(self.request.get("request_id") or "")[:80]
        return Case(self.number, name, self.prompt, response, theirs, ours, label, note)


def examine(visit: Visit, progress: Callable[[str], None] = lambda said: None) -> Findings:
    """Look at the rollouts.

    Raises:
        SettingsError: their reward can't be loaded; a column or a setting is wrong.
        ShapeError: no reader fits, no row holds a response, or the file breaks off.

    `SettingsError` is raised also where ours could judge no row: then nothing is known of theirs.
    """
    files = source_files(visit.source, visit.join)
    reader = fitting_reader(files, visit.how.reader or None)
    how = How(reader.name, visit.how.response, visit.how.options, visit.how.urls, visit.how.workers)
    sample = first_rows(files)
    if how.response is None and all(response_column(row) is None for row in sample):
        raise ShapeError(f"the rows of {visit.source} hold no response; name the column with --response")
    columns = sorted({name for row in sample for name in row})
    if how.response is not None and how.response not in columns:
        raise SettingsError(_no_column(f"--response {how.response}", columns))
    found = Findings(accept_from=visit.accept_from, slow_s=visit.slow_s, every=visit.every, reader=reader.name)
    with _theirs(visit, columns) as theirs:
        found.contract = theirs.contract
        examination = _Examination(found, theirs, reader, how, visit.probed, progress)
        examination.rollouts(islice(enumerate(placed_rows(files)), visit.rows or None))
        if found.unjudged:
            raise SettingsError(f"ours could judge none of the {found.rows} rows of {visit.source}: {found.unjudged}")
        examination.probe()
    return found


def _theirs(visit: Visit, columns: list[str]) -> AbstractContextManager[Asked]:
    kind, _, name = visit.reward.partition(":")
    if kind != "column":
        options: dict[str, Any] = {"timeout_s": visit.timeout_s, "memory_mb": visit.memory_mb}
        return Theirs(visit.reward, contract=visit.contract, columns=columns, **options)
    if name not in columns:
        raise SettingsError(_no_column(f"--reward {visit.reward}", columns))
    return nullcontext(Recorded(name))


def _no_column(option: str, columns: list[str]) -> str:
    return f"{option}: the rows have no such column; they have {', '.join(columns)}"


@dataclass(slots=True)
class _Examination:
    found: Findings
    theirs: Asked
    reader: Reader
    how: How
    probed: int
    progress: Callable[[str], None]
    _kept: list[_Rollout] = field(default_factory=list)
    _prompts: set[str] = field(default_factory=set)
    _taken: dict[int, Answer] = field(default_factory=dict)
    """What theirs said of the kept rollouts, by number."""
    _accepted: list[_Rollout] = field(default_factory=list)
    _first: dict[str, str] = field(default_factory=dict)
    """The first answer that each prompt has as its reference."""
    _other: dict[str, tuple[_Rollout, Answer, str]] = field(default_factory=dict)
    """By prompt: a rollout with another one, what theirs said of it, and the first."""

    def rollouts(self, rows: Iterator[tuple[int, Row]]) -> None:
        """Each row, by both."""
        for chunk, results in judged(self.how, in_chunks(rows)):
            for (number, row), result in zip(chunk, results, strict=True):
                self._row(number, row, result)
                self.progress(f"{self.found.rows} rows, {sum(self.found.counts.values())} findings")

    def _row(self, number: int, row: Row, result: Result) -> None:
        rollout = None if isinstance(row, ShapeError) else self._rollout(number, row)
        if rollout is None:
            shown = "" if isinstance(row, ShapeError) else str(row)[:200]
            case = Case(number, "", "", shown, Answer("none"), result)
            self.found.add(case, [])
            return
        response = str(rollout.request["response"])
        answer = self._asked(rollout, rollout.row)
        case = rollout.case(answer, result, response)
        shows = self._shows(rollout, answer, result, response)
        self.found.add(case, shows)
        self._compare(rollout, answer)
        self._keep(rollout, answer, result)

    def _shows(self, rollout: _Rollout, answer: Answer, result: Result, response: str) -> list[str]:
        """What a disagreement is about, if that can be told."""
        if answer.kind != "number" or self.found.accepts(answer) == (side_of(result) == "accepted"):
            return []
        if self.found.accepts(answer):
            return probes.patterns(rollout.prompt, response, result, rollout.answer)
        bare = probes.without_tokens(response)
        if bare.strip() == response.strip():
            return []
        again = self._asked(rollout, probes.with_response(rollout.row, rollout.column, bare))
        return ["special_tokens"] if self.found.accepts(again) else []

    def _rollout(self, number: int, row: dict[str, Any]) -> _Rollout | None:
        try:
            request = self.reader.request(row, self.how.response)
            column = response_column(row, self.how.response)
        except ShapeError:
            return None
        return _Rollout(number, row, column or "response", request)

    def _asked(self, rollout: _Rollout, row: Mapping[str, Any]) -> Answer:
        completion = row.get(rollout.column)
        return self.theirs.ask(
            {
                "prompt": row.get("prompt", rollout.prompt),
                "completion": completion,
                "prompt_text": rollout.prompt,
                "response": text_of(completion),
                "reference": _told_reference(row, rollout.request.get("reference")),
                "columns": {name: value for name, value in row.items() if name not in (rollout.column, "prompt")},
            }
        )

    def _keep(self, rollout: _Rollout, answer: Answer, result: Result) -> None:
        room = len(self._kept) < self.probed and rollout.prompt not in self._prompts
        if room and len(str(rollout.row)) <= MAX_PROBED_BYTES and answer.kind == "number":
            self._prompts.add(rollout.prompt)
            self._kept.append(rollout)
            self._taken[rollout.number] = answer
        if len(self._accepted) < self.probed and side_of(result) == "accepted" and self.found.accepts(answer):
            self._accepted.append(rollout)

    def _compare(self, rollout: _Rollout, answer: Answer) -> None:
        """Remember a prompt that has come with another reference."""
        prompt, right = rollout.prompt[:MAX_PROMPT_CHARS], (rollout.answer or "")[:MAX_PROMPT_CHARS]
        if not prompt.strip() or not right:
            return
        first = self._first.get(prompt, right)
        if len(self._first) < MAX_PROMPTS:
            self._first[prompt] = first
        if first != right and len(self._other) < MAX_CONFLICTS:
            self._other.setdefault(prompt, (rollout, answer, first))

    # --- probes -------------------------------------------------------------------------

    def probe(self) -> None:
        """What theirs makes of responses that are made, and ours of references that differ."""
        self._conflicts()
        if self.theirs.given_up:
            return
        self.progress("probing")
        self._steady()
        self._tokens()
        self._references()
        self._patterns()

    def _conflicts(self) -> None:
        """Two references of one prompt are at odds where the one, as a response, is wrong by the other."""
        made = list(self._other.values())
        rows = [probes.with_response(one.row, one.column, first) for one, _, first in made]
        for (rollout, answer, first), result in zip(made, self._ours(rows), strict=True):
            if side_of(result) in ("refused", "malformed"):
                note = f"this row has {rollout.answer!r}, an earlier one {first!r}"
                case = rollout.case(answer, result, str(rollout.request["response"]), note)
                self.found.note("reference_conflict", case)

    def _ours(self, rows: list[dict[str, Any]]) -> Iterator[Result]:
        return (result for _, results in judged(self.how, in_chunks(enumerate(rows))) for result in results)

    def _steady(self) -> None:
        for rollout in self._kept:
            again, before = self._asked(rollout, rollout.row), self._taken[rollout.number]
            if again.kind == "number" and again.value != before.value:
                self._note("unsteady", rollout, again, None, f"first {before.value:g}, then {again.value:g}")

    def _tokens(self) -> None:
        for rollout in self._accepted:
            response = f"{rollout.request['response']}{probes.END_OF_TURN}"
            answer = self._asked(rollout, probes.with_response(rollout.row, rollout.column, response))
            if not self.found.accepts(answer):
                self._note("special_tokens", rollout, answer, response, "it accepted this response without the token")

    def _references(self) -> None:
        for rollout in self._kept:
            if rollout.answer is None or rollout.request["verifier"] not in ("math", "knowledge"):
                continue
            for response in probes.right_forms(rollout.answer):
                answer = self._asked(rollout, probes.with_response(rollout.row, rollout.column, response))
                if self.found.accepts(answer):
                    break
            else:
                self._note("reference_refused", rollout, answer, response, f"the reference is {rollout.answer[:200]}")

    def _patterns(self) -> None:
        answers = [rollout.answer for rollout in self._kept if rollout.answer is not None]
        made: list[tuple[_Rollout, str, str]] = []
        for rollout in self._kept:
            for pattern, response in probes.wrong_probes(rollout.prompt, rollout.answer, answers):
                made.append((rollout, pattern, response))
        rows = [probes.with_response(one.row, one.column, response) for one, _, response in made]
        for (rollout, pattern, response), row, result in zip(made, rows, self._ours(rows), strict=True):
            answer = self._asked(rollout, row)
            if answer.faulty or (self.found.accepts(answer) and side_of(result) in ("refused", "malformed")):
                self.found.probe(pattern, rollout.case(answer, result, response))
            elif unusable(result) == "unjudged":
                self.found.probe("unjudged", rollout.case(answer, result, response))

    def _note(self, kind: str, rollout: _Rollout, answer: Answer, response: str | None, note: str) -> None:
        if answer.kind == "unasked":
            return
        said = str(rollout.request["response"]) if response is None else response
        self.found.probe(kind, rollout.case(answer, _not_asked(), said, note))


def _told_reference(row: Mapping[str, Any], reference: Any) -> Any:
    """What a trainer hands over as the ground truth: verl's own, else the answer alone where that is all."""
    model = row.get("reward_model")
    if isinstance(model, Mapping) and "ground_truth" in model:
        return model["ground_truth"]
    if isinstance(reference, Mapping) and set(reference) == {"answer"}:
        return reference["answer"]
    return reference


def _not_asked() -> Result:
    return {"score": None, "status": "", "verdict": "", "reason": "", "details": {}, "duration_ms": 0.0}
