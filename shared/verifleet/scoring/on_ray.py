"""Scoring on Ray: `Score` for `Dataset.map_batches`, and what `verifleet score --ray` does with it.

How work is spread, tried again when a node dies and held back when memory is short is Ray's; what a row comes to is the
same as everywhere.
"""

from __future__ import annotations

import itertools
import logging
import pickle
import socket
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from verifleet.client import VerifierClient
from verifleet.errors import SettingsError, ShapeError
from verifleet.readers import File, reader_named
from verifleet.readers.files import Raw, Wanted, is_here, raw_rows
from verifleet.scoring.results import table_of
from verifleet.scoring.rows import FIELDS, Answer, How, Result, check_here, in_chunks, judge
from verifleet.verification import VerifierName

PREFIX: Final = "vf_"
CONNECT_S: Final = 20.0


class Score:
    """Judges batches of an Arrow table: its columns, and the result's with a prefix (`vf_score`, `vf_verdict` ...).

        ds.map_batches(Score, fn_constructor_args=("gsm8k",), batch_format="pyarrow", batch_size=128, concurrency=8)

    As actors, verifiers, SymPy and the sandbox stay warm between batches. `vf_details` is JSON. A row that is none of
    its data set, or that no verifier answered for, has `vf_status` error, no `vf_score` and the reason.

    Args:
        reader: of the rows, by name or VERIFIER:PROMPT:REFERENCE.
        response: the column with the response; looked for without.
        options: verifier options for every row.
        urls: deployed verifiers by name, which are asked instead of judging in the actor.
        prefix: of the columns that come.
        keep: columns of the rows that stay; all without.

    Raises:
        SettingsError: there is no such reader.
    """

    def __init__(
        self,
        reader: str,
        *,
        response: str | None = None,
        options: Mapping[str, Any] | None = None,
        urls: Mapping[VerifierName, str] | None = None,
        prefix: str = PREFIX,
        keep: Sequence[str] | None = None,
    ) -> None:
        reader_named(reader)
        self._judging = _Judging(How(reader, response, dict(options or {}), dict(urls or {})))
        self._prefix = prefix
        self._keep = None if keep is None else list(keep)

    def __call__(self, table: Any) -> Any:
        """The table of a batch. Raises ShapeError where its columns have names of ours."""
        kept = table if self._keep is None else table.select(self._keep)
        results = table_of(self._judging(list(enumerate(table.to_pylist()))))
        for name in FIELDS:
            if name == "row":
                continue
            if self._prefix + name in kept.column_names:
                raise ShapeError(f"the rows have a column {self._prefix + name}; give Score another prefix=")
            kept = kept.append_column(self._prefix + name, results[name])
        return kept


class _Judging:
    """Rows to results, in the process of an actor or a task; only how is pickled."""

    def __init__(self, how: How) -> None:
        self._how = how
        self._clients: dict[VerifierName, VerifierClient] = {}

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self._how,)

    def __call__(self, chunk: Sequence[tuple[int, Raw]]) -> list[Result]:
        return judge(chunk, self._how, self._asked)

    def _asked(self, name: VerifierName, bodies: list[dict[str, Any]]) -> Sequence[Answer]:
        if name not in self._how.urls:
            return check_here(name, bodies)
        if name not in self._clients:
            self._clients[name] = VerifierClient(self._how.urls[name], verifier=name)
        return self._clients[name].verify_batch(bodies, deadline_s=self._how.deadline_s)


# --- verifleet score --ray ------------------------------------------------------------------


def judged_on_ray(address: str, how: How, files: Sequence[File], wanted: Wanted) -> Iterator[list[Result]]:
    """The results of the wanted rows, in order, judged by as many actors as the cluster has CPUs.

    Raises:
        SettingsError: Ray is not installed or not there, or a row got lost or came twice on the way.
    """
    ray = _connected(address)
    try:
        scored = _scored(ray, how, files, wanted).iter_rows()
        yield from in_order((pickle.loads(row["results"]) for row in scored), wanted)  # noqa: S301 - by _ScoreChunk
    finally:
        ray.shutdown()


def in_order(parts: Iterable[list[Result]], wanted: Wanted) -> Iterator[list[Result]]:
    """Results as they come. Raises SettingsError where a row is missing or there twice."""
    expected = (number for number in itertools.count() if wanted(number))
    for results in parts:
        for result, number in zip(results, expected, strict=False):
            if result["row"] != number:
                raise SettingsError(f"row {result['row']} came from Ray where row {number} was due; run it again")
        yield results


def _connected(address: str) -> Any:
    try:
        import ray
        import ray.data
    except ImportError:
        raise SettingsError("--ray needs Ray: pip install 'verifleet[ray]'") from None
    if ":" in address:
        _reached(address)
    try:
        ray.init(address, log_to_driver=False, logging_level="ERROR", ignore_reinit_error=True)
    except (ConnectionError, ValueError) as error:
        raise SettingsError(f"there is no Ray cluster at {address}: {str(error).splitlines()[0]}") from None
    return ray


def _reached(address: str) -> None:
    """Raises SettingsError where nobody listens: Ray itself would look for minutes, and then end the process."""
    host, _, port = address.rpartition(":")
    if "/" in address or not port.isdecimal():
        raise SettingsError(f"--ray {address}: use HOST:PORT, or auto on a node of the cluster")
    try:
        socket.create_connection((host, int(port)), CONNECT_S).close()
    except (OSError, OverflowError) as error:
        raise SettingsError(f"there is no Ray cluster at {address}: {error}") from None


def _scored(ray: Any, how: How, files: Sequence[File], wanted: Wanted) -> Any:
    """One reader that streams, and actors that judge; what they make comes in the order of the rows."""
    context = ray.data.DataContext.get_current()
    context.execution_options.preserve_order = True
    context.enable_progress_bars = False
    logging.getLogger("ray.data").setLevel(logging.WARNING)
    context.target_max_block_size = 1  # a block is what one actor is given: a row, which is a chunk of ours
    here = {"ray.io/node-id": ray.get_runtime_context().get_node_id()}
    # Files of this machine are read on it; objects wherever there is room. Reading takes no CPU from those that judge.
    where = {"label_selector": here} if any(map(is_here, files)) else {}
    most = how.workers or max(1, int(ray.cluster_resources().get("CPU", 1)))
    chunks = ray.data.from_items([0]).map_batches(
        _Chunks(files, wanted), batch_size=None, batch_format="pyarrow", num_cpus=0, **where
    )
    return chunks.map_batches(
        _ScoreChunk,
        fn_constructor_args=(how,),
        batch_size=None,
        batch_format="pyarrow",
        compute=ray.data.ActorPoolStrategy(min_size=1, max_size=most, initial_size=most),
        num_cpus=1,
    )


class _Chunks:
    """Streams chunks of rows, pickled, each a table of one row."""

    def __init__(self, files: Sequence[File], wanted: Wanted) -> None:
        self._files, self._wanted = list(files), wanted

    def __call__(self, _: Any) -> Iterator[Any]:
        for chunk in in_chunks(raw_rows(self._files, self._wanted)):
            yield _one_row("chunk", chunk)


class _ScoreChunk:
    """Tables of _Chunks to tables of pickled results."""

    def __init__(self, how: How) -> None:
        self._judging = _Judging(how)

    def __call__(self, table: Any) -> Iterator[Any]:
        for chunk in table["chunk"].to_pylist():
            yield _one_row("results", self._judging(pickle.loads(chunk)))  # noqa: S301 - written by _Chunks


def _one_row(name: str, value: Any) -> Any:
    import pyarrow

    return pyarrow.table({name: pyarrow.array([pickle.dumps(value)], pyarrow.large_binary())})
