"""SQL on SQLite: gold and candidate in separate processes, on the given database and on others made from it."""

from __future__ import annotations

import json
import math
import re
import threading
from collections import OrderedDict
from concurrent.futures import Future
from typing import Any

from verifleet.sandbox import Job, JobResult, ProcessResult, Sandbox
from verifleet.sandbox.guest import wire
from verifleet.verification import CodeReference, Judgement, Options
from verifleet.verifiers.code import ordering
from verifleet.verifiers.code.constants import Constants, compared
from verifleet.verifiers.code.extraction import Extracted
from verifleet.verifiers.code.outcomes import TestOutcome, failure, from_report, judgement, measured, report_in, started

VARIANTS = 6
FLOAT_TOLERANCE = 1e-9  # sums in another order differ in their last digits
_REMEMBERED = 128


class GoldResults:
    """What gold queries gave, remembered: a group of responses shares one reference."""

    def __init__(self) -> None:
        self._known: OrderedDict[tuple[str, str], Future[list[list[Any]] | None]] = OrderedDict()
        self._lock = threading.Lock()

    def __reduce__(self) -> tuple[Any, ...]:
        return GoldResults, ()  # each process remembers its own

    def get(
        self, sandbox: Sandbox, reference: CodeReference, constants: Constants, options: Options
    ) -> list[list[Any]] | None:
        """For each database the acceptable results; None where the gold query itself fails.

        Whoever asks first has it run, the others wait for that. Raises SandboxUnavailableError.
        """
        key = (reference.schema_ or "", f"{_ordered(reference)} {json.dumps(constants)} {reference.query}")
        with self._lock:
            known = self._known.get(key)
            if known is None:
                future = self._known[key] = Future()
                while len(self._known) > _REMEMBERED:
                    self._known.popitem(last=False)
            else:
                self._known.move_to_end(key)
        if known is not None:
            return known.result()
        try:
            future.set_result(_gold(sandbox, reference, constants, options))
        except BaseException as error:
            with self._lock:
                self._known.pop(key, None)
            future.set_exception(error)
            raise
        return future.result()


def judge(
    sandbox: Sandbox, gold: GoldResults, found: Extracted, reference: CodeReference, options: Options
) -> Judgement:
    """Compare results on every database on which the gold result is determined; all must agree.

    The first databases know the constants of the reference. Who passes there and compares with others is judged again
    on databases that know those too.
    """
    own = compared(reference.query or "")
    judged = _judge(sandbox, gold, found, reference, own, options)
    both = compared(reference.query or "", found.code)
    if both != own and judged.score == 1.0:
        judged = _judge(sandbox, gold, found, reference, both, options)
    return judged


def _judge(
    sandbox: Sandbox,
    gold: GoldResults,
    found: Extracted,
    reference: CodeReference,
    constants: Constants,
    options: Options,
) -> Judgement:
    accepted = gold.get(sandbox, reference, constants, options)
    if accepted is None:
        reason = "The reference's schema or query fails, so nothing can be compared with it."
        return Judgement.unusable_reference(reason, "query")
    result = sandbox.submit(_job(found.code, reference, constants, options, gold=False)).result()
    process = result.processes[0]
    started(process)
    outcomes = []
    for index, frame in enumerate(process.frames[1 : len(accepted) + 1]):
        if accepted[index]:
            outcomes.append(_outcome(result, process, frame, accepted[index], _ordered(reference), options))
    stopped = bool(outcomes) and outcomes[-1].outcome != "passed"
    if len(process.frames) - 1 < len(accepted) and not stopped:
        outcomes.append(failure(result, process) or measured(result, process, "killed", "the query's process ended"))
    wrong = next((outcome for outcome in outcomes if outcome.outcome != "passed"), None)
    return judgement(
        [wrong or outcomes[0]],
        all_or_nothing=options.all_or_nothing,
        mode="sql",
        language="sql",
        rung=sandbox.rung,
        span=found.span,
        databases=len(outcomes),
    )


def _ordered(reference: CodeReference) -> bool:
    """Whether the order of rows counts: as the reference says, else where its query has an ORDER BY."""
    return ordering.has_order(reference.query or "") if reference.ordered is None else reference.ordered


def _job(
    query: str,
    reference: CodeReference,
    constants: Constants,
    options: Options,
    *,
    gold: bool,
    keyed: ordering.Keyed | None = None,
) -> Job:
    limits = options.limits
    job = {
        "mode": "sql",
        "schema": reference.schema_ or "",
        "query": query,
        "writing": changes_data(reference.query or ""),
        "gold": gold,
        "keyed": keyed.query if gold and keyed is not None else "",
        "variants": VARIANTS,
        "constants": constants,
        "cpu_s": limits.cpu_s * (3 if gold else 1),
    }
    return Job(
        "python",
        (json.dumps(job).encode(),),
        cpu_s=limits.cpu_s * (3 if gold else 1) + 1,
        wall_s=limits.wall_s * (3 if gold else 1),
        memory_mb=max(limits.memory_mb, 256) if gold else limits.memory_mb,
        marks=2 * VARIANTS + 2,
    )


def _gold(sandbox: Sandbox, reference: CodeReference, constants: Constants, options: Options) -> list[list[Any]] | None:
    keyed, ordered = ordering.keyed(reference.query or ""), _ordered(reference)
    result = sandbox.submit(_job(reference.query or "", reference, constants, options, gold=True, keyed=keyed)).result()
    process = result.processes[0]
    started(process)
    accepted: list[list[Any]] = []
    for frame in process.frames[1:]:
        if frame[:1] != b"=":
            return None
        _, in_groups, *answers = wire.decode(frame[1:])
        results = [_decoded(answer) for answer in answers]
        given = not accepted
        if given and results[0] is None:
            return None
        groups = _groups(keyed, _decoded(in_groups), results, ordered)
        usable = [r for r in results if r is not None]
        same = len(usable) == len(results) and all(_same(r, usable[0], ordered, None) for r in usable)
        # The given database always counts, with every result that the gold query has on it.
        accepted.append(groups or (usable if given else usable[:1] if same else []))
    return accepted or None


def _groups(
    keyed: ordering.Keyed | None, answer: dict[str, Any] | None, results: list[dict[str, Any] | None], ordered: bool
) -> list[dict[str, Any]]:
    """The gold result with what its order leaves open; nothing where that is not in keeping with its own results."""
    if keyed is None or answer is None or "rows" not in answer:
        return []
    columns = answer["columns"] - keyed.added
    if any(not 0 <= place < columns for place in keyed.columns):
        return []
    gold = {"columns": columns, "groups": ordering.grouped(keyed, answer["rows"])}
    fitting = all(result is not None and _same(result, gold, ordered, None) for result in results)
    return [gold] if fitting else []


def _decoded(answer: bytes) -> dict[str, Any] | None:
    try:
        value = wire.decode(answer)
    except wire.WireError:
        return None
    return value if isinstance(value, dict) and value.keys() & {"rows", "tables"} else None


def _outcome(
    result: JobResult, process: ProcessResult, frame: bytes, accepted: list[Any], ordered: bool, options: Options
) -> TestOutcome:
    if frame[:1] == b"!":
        report = report_in(frame[1:])
        if report.get("outcome") in ("timeout", "output_limit"):
            return measured(result, process, str(report["outcome"]))
        return from_report(result, process, report)
    actual = _decoded(frame[1:])
    good = actual is not None and any(_same(actual, gold, ordered, options.tolerance) for gold in accepted)
    return measured(result, process, "passed" if good else "wrong_output")


def _same(actual: dict[str, Any], gold: dict[str, Any], ordered: bool, tolerance: float | None) -> bool:
    if "tables" in gold:
        left, right = actual.get("tables"), gold["tables"]
        if not isinstance(left, dict) or left.keys() != right.keys():
            return False
        return all(_same_rows(left[name], right[name], False, tolerance) for name in right)
    if actual.get("columns") != gold["columns"]:
        return False
    if "groups" in gold:
        rows = actual.get("rows")

        def same(left: Any, right: Any) -> bool:
            return _same_rows(list(left), list(right), False, tolerance)

        return isinstance(rows, list) and ordering.fits(
            rows, gold["groups"], ordered=ordered, same=same, sort_key=_sort_key
        )
    return _same_rows(actual.get("rows"), gold["rows"], ordered, tolerance)


def _same_rows(left: Any, right: list[Any], ordered: bool, tolerance: float | None) -> bool:
    if not isinstance(left, list) or len(left) != len(right):
        return False
    if not ordered:
        left, right = sorted(left, key=_sort_key), sorted(right, key=_sort_key)
    allowed = max(FLOAT_TOLERANCE, tolerance or 0.0)
    return all(_same_row(a, b, allowed) for a, b in zip(left, right, strict=True))


def _same_row(left: Any, right: Any, allowed: float) -> bool:
    return (
        isinstance(left, tuple)
        and len(left) == len(right)
        and all(_same_cell(a, b, allowed) for a, b in zip(left, right, strict=True))
    )


def _same_cell(left: Any, right: Any, allowed: float) -> bool:
    if isinstance(left, (int, float)) and isinstance(right, (int, float)):
        if type(left) is int and type(right) is int:
            return left == right
        return left == right or math.isclose(left, right, rel_tol=allowed, abs_tol=allowed)
    return type(left) is type(right) and bool(left == right)


def _sort_key(row: Any) -> list[tuple[int, Any]]:
    """NULLs, numbers, texts, blobs; floats rounded, so that last digits don't change the order."""
    keys: list[tuple[int, Any]] = []
    for value in row if isinstance(row, tuple) else ():
        if value is None:
            keys.append((0, 0))
        elif isinstance(value, (int, float)):
            keys.append((1, float(f"{value:.9g}") if abs(value) < 1e300 else value))
        else:
            keys.append((2, value) if isinstance(value, str) else (3, bytes(value)))
    return keys


def changes_data(query: str) -> bool:
    """Whether a statement changes tables rather than returning rows, judged from its first words."""
    text = re.sub(r"--[^\n]*|/\*.*?\*/", " ", query, flags=re.DOTALL).lstrip(" \t\r\n;(").lower()
    if text.startswith("with"):
        return re.search(r"\)\s*(insert|update|delete|replace)\b", text) is not None
    return text.startswith(("insert", "update", "delete", "replace", "create", "drop", "alter", "begin"))
