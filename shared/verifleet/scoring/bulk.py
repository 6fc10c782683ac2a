"""Scoring a whole data set: rows in, a result out for each, in order, by all cores, deployed verifiers or Ray.

Results are kept as they come, and a run that was interrupted, however rudely, goes on behind them: see `results`.
"""

from __future__ import annotations

import heapq
import os
import re
import time
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any, Final, Protocol, TypeVar

from verifleet.client import VerifierClient
from verifleet.errors import SettingsError, ShapeError
from verifleet.readers import File, Reader, files_in, guess, joined, no_rows, placed_rows, reader_named, rows_in
from verifleet.readers.files import Raw, Wanted, raw_rows
from verifleet.readers.shapes import SAMPLE
from verifleet.scoring.processes import ProcessDiedError, Processes
from verifleet.scoring.results import Lines, Out, out_of
from verifleet.scoring.rows import (
    CHUNK,
    DEADLINE_S,
    Answer,
    How,
    Result,
    check_here,
    error_of,
    in_chunks,
    judge,
    judge_here,
    refused_by_all,
)
from verifleet.storage.objects import is_object, objects_in
from verifleet.verification import VerifierName

REQUESTS: Final = 16
"""Under way at least, where deployed verifiers are asked."""

REQUESTED: Final = 4 * CHUNK
"""Rows that deployed verifiers are asked about together: each of the four gets a request of its share."""

SLOWEST: Final = 5
RawT = TypeVar("RawT", bound=Raw)
_SHARD: Final = re.compile(r"\d{5}-of-\d{5}")


@dataclass(frozen=True, slots=True)
class Job:
    """What is scored, and how.

    Args:
        source: a file or folder as `readers.rows_in` takes them, or a gs:// address of either.
        out: where the results go: a file of JSONL, a folder of Parquet (NAME.parquet) or of JSONL, a gs:// address.
        reader: of the rows; guessed without.
        response, options, urls, workers, deadline_s: see `How`.
        join: more files, whose columns the rows with the same `id` have too.
        shard, shards: this run takes every `shards`-th chunk of rows, from the `shard`-th.
        ray: the address of a Ray cluster that judges, `auto` for the one that is there.
    """

    source: Path | str
    out: Path | str
    reader: str | None = None
    response: str | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    urls: Mapping[VerifierName, str] = field(default_factory=dict)
    workers: int = 0
    shard: int = 0
    shards: int = 1
    ray: str | None = None
    deadline_s: float = DEADLINE_S
    join: Sequence[str] = ()

    def how(self, reader: str) -> How:
        """What of this concerns a single row."""
        return How(reader, self.response, self.options, self.urls, self.workers, self.deadline_s)

    def about(self, files: Sequence[File], reader: str) -> dict[str, Any]:
        """What the results are of: those of another are never added to them. Raises SettingsError."""
        source = self.source if is_object(str(self.source)) else str(Path(self.source).resolve())
        said = {"source": source, "files": len(files), "size": sum(file.size for file in files), "reader": reader}
        how = {"response": self.response, "options": dict(self.options), "shards": self.shards, "chunk": CHUNK}
        return said | how

    def wanted(self, done: int) -> Wanted:
        """Whether a row is of this shard, and not among the first `done` of it."""
        cycle = CHUNK * self.shards

        def wanted(number: int) -> bool:
            cycles, place = divmod(number, cycle)
            within = place - self.shard * CHUNK
            return 0 <= within < CHUNK and cycles * CHUNK + within >= done

        return wanted


@dataclass(slots=True)
class Summary:
    """What came of a run, the rows of earlier runs that it went on from included."""

    place: str = ""
    """Where the results are."""

    rows: int = 0
    resumed: int = 0
    seconds: float = 0.0
    verdicts: Counter[str] = field(default_factory=Counter)
    score: float = 0.0
    slowest: list[tuple[float, int]] = field(default_factory=list)
    first_error: str = ""

    def add(self, result: Mapping[str, Any]) -> None:
        """Count one result."""
        self.rows += 1
        self.verdicts[str(result["verdict"])] += 1
        self.score += result["score"] or 0.0
        if result["verdict"] == "error" and not self.first_error:
            self.first_error = f"row {result['row']}: {result['reason']}"
        if len(self.slowest) < SLOWEST or result["duration_ms"] > self.slowest[-1][0]:
            self.slowest = sorted([*self.slowest, (result["duration_ms"], result["row"])], reverse=True)[:SLOWEST]

    @property
    def errors(self) -> int:
        """Rows without a verdict."""
        return self.verdicts["error"]

    @property
    def rate(self) -> float:
        """Rows a second of this run."""
        return (self.rows - self.resumed) / self.seconds if self.seconds else 0.0

    @property
    def mean(self) -> float | None:
        """Of the rows that have a score; None where none has."""
        judged = self.rows - self.errors
        return self.score / judged if judged else None


def score(job: Job, progress: Callable[[Summary], None] = lambda summary: None) -> Summary:
    """Score what is not scored yet.

    Raises:
        SettingsError: the results that are there are of something else; a column or a setting is wrong.
        ShapeError: no reader fits, every row is refused for one reason, or a file breaks off in the middle.
    """
    files = source_files(job.source, job.join)
    reader = fitting_reader(files, job.reader)
    refused = refused_by_all((raw for _, raw in islice(raw_rows(files), SAMPLE)), job.how(reader.name))
    if refused is not None:
        raise ShapeError(f"no row can be judged: {refused}")
    out = out_of(str(job.out), job.about(files, reader.name), job.shard, job.shards)
    summary = _go_on(job, reader, files, out, job.wanted, progress)
    out.finish(summary_json(summary))
    return summary


def score_again(job: Job, progress: Callable[[Summary], None] = lambda summary: None) -> Summary:
    """Judge the rows anew whose result is an error, such as those of a server that was away; others stay as they are.

    New results wait in a file of their own until all are there, so this too goes on where it was interrupted.

    Raises:
        SettingsError: as `score`, and when the results are in parts, which are never changed.
        ShapeError: as `score`.
    """
    files = source_files(job.source, job.join)
    reader = fitting_reader(files, job.reader)
    out = out_of(str(job.out), job.about(files, reader.name), job.shard, job.shards)
    if not isinstance(out, Lines):
        raise SettingsError(f"--again is for results in one file; {out.place} is a folder of parts: name another one")
    summary = Summary(out.place)
    try:
        if not out.begun:
            Path(out.place).unlink()
            raise SettingsError(f"there is nothing to judge again: {out.place} holds no results")
        failed = {result["row"] for result in out.kept() if result["verdict"] == "error"}
        beside = Lines(Path(f"{out.place}.again"), job.about(files, reader.name) | {"again": True})
        failed.difference_update(result["row"] for result in beside.kept())
        anew = _go_on(job, reader, files, beside, lambda done: failed.__contains__, progress)
        out.replace(beside.kept())
        beside.remove()
        for result in out.kept():
            summary.add(result)
    finally:
        out.close()
    summary.resumed, summary.seconds = summary.rows - anew.rows, anew.seconds
    return summary


def _go_on(
    job: Job,
    reader: Reader,
    files: Sequence[File],
    out: Out,
    wanted: Callable[[int], Wanted],
    progress: Callable[[Summary], None],
) -> Summary:
    """Judge what `out` does not hold: the rows that are `wanted` behind as many as are done."""
    summary = Summary(out.place)
    try:
        for result in out.kept():
            summary.add(result)
        summary.resumed = summary.rows
        started = time.monotonic()
        for results in _results(job, job.how(reader.name), files, wanted(summary.resumed)):
            out.write(results)
            for result in results:
                summary.add(result)
            summary.seconds = time.monotonic() - started
            progress(summary)
    finally:
        out.close()
    return summary


def _results(job: Job, how: How, files: Sequence[File], wanted: Wanted) -> Iterator[list[Result]]:
    """The results of the wanted rows, in order."""
    if job.ray is not None:
        from verifleet.scoring.on_ray import judged_on_ray

        yield from judged_on_ray(job.ray, how, files, wanted)
        return
    most = REQUESTED if how.urls else CHUNK
    for _, results in judged(how, in_chunks(raw_rows(files, wanted), most)):
        yield results


def source_files(source: Path | str, join: Sequence[str] = ()) -> Sequence[File]:
    """The files of a path or a gs:// address, with columns of others. Raises SettingsError for what is not there."""
    files = objects_in(str(source)) if is_object(str(source)) else files_in(Path(source))
    return joined(files, [file for other in join for file in source_files(other)])


def first_rows(files: Sequence[File]) -> list[dict[str, Any]]:
    """The rows that a data set begins with. Raises ShapeError where there are none."""
    first = list(islice(placed_rows(files), SAMPLE))
    sample = [row for row in first if not isinstance(row, ShapeError)]  # the others will be errors
    if not sample:
        raise ShapeError(no_rows(files, [row for row in first if isinstance(row, ShapeError)]))
    return sample


def fitting_reader(files: Sequence[File], name: str | None) -> Reader:
    """The reader of that name, else the first that takes the data set. Raises SettingsError, ShapeError."""
    named = reader_named(name) if name else None
    rows = first_rows(files)
    fitting = guess(rows) if named is None else [named]
    if not fitting:
        raise ShapeError(
            f"no reader takes the rows of {files[0].name}; name one with --reader (VERIFIER:PROMPT:REFERENCE for "
            "columns of your own, such as math:question:gold), or see `verifleet guess`"
        )
    return fitting[0]


def summary_json(summary: Summary) -> dict[str, Any]:
    """A summary as plain data."""
    plain = asdict(summary) | {"errors": summary.errors, "rate": round(summary.rate, 1), "mean": summary.mean}
    return plain | {"verdicts": dict(summary.verdicts)}


# --- two versions ---------------------------------------------------------------------------


def results_in(address: Path | str) -> Iterator[Result]:
    """Results by row, also where several shards wrote them. Raises SettingsError, ShapeError."""
    shards: dict[str, list[File]] = {}
    for file in source_files(address):
        found = _SHARD.search(file.name.rpartition("/")[2])
        shards.setdefault(found[0] if found else file.name, []).append(file)
    return heapq.merge(*(rows_in(files) for files in shards.values()), key=_row_of)


def _row_of(result: Result) -> int:
    if not isinstance(number := result.get("row"), int) or not {"verdict", "score"} <= result.keys():
        raise ShapeError("it holds no results of `verifleet score`: a line has no row, verdict and score")
    return number


def check_results(address: Path | str) -> None:
    """That there are results. Raises SettingsError, ShapeError."""
    try:
        next(results_in(address), None)
    except ShapeError as error:
        raise ShapeError(f"{address}: {error}") from None


class Changes:
    """The rows whose verdict or score is another in `new`, as (before, after); counts while they are gone through."""

    def __init__(self, old: Path | str, new: Path | str) -> None:
        self._old, self._new = old, new
        self.rows = 0
        """In both."""
        self.only_new = 0
        self.verdicts: Counter[tuple[str, str]] = Counter()

    def __iter__(self) -> Iterator[tuple[Result, Result]]:
        """Raises ShapeError where they have no row in common."""
        earlier = results_in(self._old)
        before = next(earlier, None)
        for after in results_in(self._new):
            while before is not None and before["row"] < after["row"]:
                before = next(earlier, None)
            if before is None or before["row"] != after["row"]:
                self.only_new += 1
                continue
            self.rows += 1
            if (before["verdict"], before["score"]) != (after["verdict"], after["score"]):
                self.verdicts[before["verdict"], after["verdict"]] += 1
                yield before, after
        if not self.rows:
            raise ShapeError(f"{self._old} and {self._new} have no row in common: they are not of the same data")


# --- judging ----------------------------------------------------------------------------------


def judged(how: How, chunks: Iterable[list[tuple[int, RawT]]]) -> Iterator[tuple[list[tuple[int, RawT]], list[Result]]]:
    """Each chunk with its results, in order, with a bounded number of them under way. Raises SettingsError."""
    judge_of_rows: _Judge = _Fleet(how) if how.urls else _Cores(how)
    threads = ThreadPoolExecutor(judge_of_rows.at_once)
    waiting: deque[tuple[list[tuple[int, RawT]], Future[list[Result]]]] = deque()
    try:
        for chunk in chunks:
            waiting.append((chunk, threads.submit(judge_of_rows.judge, chunk)))
            if len(waiting) >= 2 * judge_of_rows.at_once:
                first, future = waiting.popleft()
                yield first, future.result()
        while waiting:
            first, future = waiting.popleft()
            yield first, future.result()
    finally:
        threads.shutdown(wait=False, cancel_futures=True)
        judge_of_rows.close()
        threads.shutdown(wait=True)


class _Judge(Protocol):
    """What judges chunks, `at_once` of them in as many threads."""

    at_once: int

    def judge(self, chunk: Sequence[tuple[int, Raw]]) -> list[Result]:
        """A result for each row."""
        ...

    def close(self) -> None:
        """Give up what is under way."""
        ...


class _Cores:
    """The verifiers of this machine, in processes."""

    def __init__(self, how: How) -> None:
        self.at_once = how.workers or os.cpu_count() or 1
        self._how = how
        self._processes = Processes(self.at_once)

    def judge(self, chunk: Sequence[tuple[int, Raw]]) -> list[Result]:
        """A result for each row; one that its process does not survive is an error."""
        try:
            return self._processes.ask(judge_here, chunk, self._how)
        except ProcessDiedError as error:
            if len(chunk) == 1:
                return [error_of(chunk[0][0], f"the process that judged it died: {error}")]
            half = len(chunk) // 2
            return self.judge(chunk[:half]) + self.judge(chunk[half:])

    def close(self) -> None:
        """End the processes."""
        self._processes.close()


class _Fleet:
    """Deployed verifiers, and this machine for those without a URL."""

    def __init__(self, how: How) -> None:
        self.at_once = max(REQUESTS, how.workers)
        self._how = how
        self._clients = {
            name: VerifierClient(url, verifier=name, concurrency=self.at_once, smallest_piece=CHUNK)
            for name, url in how.urls.items()
        }
        self._processes = Processes(os.cpu_count() or 1)
        self._closed = False

    def judge(self, chunk: Sequence[tuple[int, Raw]]) -> list[Result]:
        """A result for each row."""
        return judge(chunk, self._how, self._asked)

    def _asked(self, name: VerifierName, bodies: list[dict[str, Any]]) -> Sequence[Answer]:
        if self._closed:
            raise SettingsError("stopped")
        if name not in self._clients:
            return self._processes.ask(check_here, name, bodies)
        try:
            return self._clients[name].verify_batch(bodies, deadline_s=self._how.deadline_s)
        except CancelledError:
            raise SettingsError("stopped") from None

    def close(self) -> None:
        """Give up what was asked."""
        self._closed = True
        for client in self._clients.values():
            client.close()
        self._processes.close()
