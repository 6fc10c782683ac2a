"""The rows of files, one by one: memory stays flat however large they are."""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Final, Protocol

from verifleet.errors import SettingsError, ShapeError

MAX_LINE: Final = 64 * 1024 * 1024
"""Bytes of one row."""

BATCH_ROWS: Final = 256
PAGE_BYTES: Final = 1024 * 1024
"""Of a column that is read ahead: its whole share of a row group would be as large as who wrote the file made it."""

ENDINGS: Final = (".jsonl", ".ndjson", ".json", ".jsonl.gz", ".json.gz", ".parquet", ".arrow")
ANSWERS: Final = "possible_answer"
MAX_JOINED: Final = 256 * 1024 * 1024
"""Bytes of the files whose rows are looked up by id: they are held."""

Wanted = Callable[[int], bool]
Raw = bytes | dict[str, Any] | ShapeError
"""A row that is not decoded yet, one that came decoded, or what is wrong with what is no row."""
SKIPPED: Final = ShapeError("was not wanted")
Placed = Iterator[tuple[str, Raw]]
"""What the rows are, in order, and where each stands."""


class File(Protocol):
    """A file of rows, wherever it lies."""

    @property
    def name(self) -> str:
        """As messages name it; its ending says what it is."""
        ...

    @property
    def size(self) -> int:
        """Bytes. Raises SettingsError."""
        ...

    def open(self) -> IO[bytes]:
        """From its beginning. Raises OSError, SettingsError."""
        ...


@dataclass(frozen=True, slots=True)
class LocalFile:
    """A file of this machine."""

    path: Path

    @property
    def name(self) -> str:
        """Its path."""
        return str(self.path)

    @property
    def size(self) -> int:
        """Bytes. Raises SettingsError."""
        try:
            return self.path.stat().st_size
        except OSError as error:
            raise SettingsError(f"{self.path} can't be read: {error.strerror}") from None

    def open(self) -> IO[bytes]:
        """From its beginning."""
        return self.path.open("rb")


@dataclass(frozen=True, slots=True)
class JoinedFile:
    """A file whose rows have, beside their own columns, those of the row of `others` that has the same `id`."""

    file: File
    others: tuple[File, ...]

    @property
    def name(self) -> str:
        """Its path."""
        return self.file.name

    @property
    def size(self) -> int:
        """Bytes of all of them. Raises SettingsError."""
        return self.file.size + sum(other.size for other in self.others)

    def open(self) -> IO[bytes]:
        """From its beginning."""
        return self.file.open()


def joined(files: Sequence[File], others: Sequence[File]) -> list[File]:
    """The files with columns of others, by `id`."""
    if not others:
        return list(files)
    plain = ((file.file, file.others) if isinstance(file, JoinedFile) else (file, ()) for file in files)
    return [JoinedFile(file, (*more, *others)) for file, more in plain]


def is_here(file: File) -> bool:
    """Whether reading it takes this machine's disk."""
    parts = (file.file, *file.others) if isinstance(file, JoinedFile) else (file,)
    return any(isinstance(part, LocalFile) for part in parts)


def files_in(path: Path) -> list[File]:
    """The file, or the files with rows of a folder by name. Raises SettingsError where there are none.

    As in BFCL, `possible_answer/NAME` beside a file NAME holds more columns of its rows.
    """
    if not path.is_dir():
        return [_answered(path)]
    files = sorted(file for file in path.rglob("*") if file.is_file() and is_data(file.name))
    rows = [file for file in files if file.parent.name != ANSWERS or file.parents[1] / file.name not in files]
    if not rows:
        raise SettingsError(f"{path} holds no rows; there are to be files of {', '.join(ENDINGS)}")
    return [_answered(file) for file in rows]


def _answered(path: Path) -> File:
    answers = path.parent / ANSWERS / path.name
    return JoinedFile(LocalFile(path), (LocalFile(answers),)) if answers.is_file() else LocalFile(path)


def is_data(name: str) -> bool:
    """Whether a file of a folder holds rows: what `save_to_disk` notes about them, caches and `_...` do not."""
    about = ("dataset_info.json", "state.json", "dataset_dict.json")
    return name.endswith(ENDINGS) and name not in about and not name.startswith(("cache-", ".", "_"))


def rows_in(source: Path | Sequence[File]) -> Iterator[dict[str, Any]]:
    """The rows of a file, of the files of a folder by name, or of files.

    Raises:
        SettingsError: it can't be read, or is of a kind that is not known here.
        ShapeError: a row is no JSON object, by file and line.
    """
    for row in placed_rows(files_in(source) if isinstance(source, Path) else source):
        if isinstance(row, ShapeError):
            raise row
        yield row


def placed_rows(files: Sequence[File]) -> Iterator[dict[str, Any] | ShapeError]:
    """Rows, and in the place of what is none, what is wrong with it, by file and line.

    Raises:
        SettingsError: a file can't be read. ShapeError: it breaks off.
    """
    for _, raw in raw_rows(files):
        try:
            yield decoded(raw)
        except ShapeError as error:
            yield error


def raw_rows(files: Sequence[File], wanted: Wanted = lambda number: True) -> Iterator[tuple[int, Raw]]:
    """Rows with their numbers over all files, undecoded where that is cheaper; those that are not `wanted` are skipped.

    Raises:
        SettingsError: a file can't be read. ShapeError: it breaks off.
    """
    for number, raw in enumerate(_every(files, wanted)):
        if raw is not SKIPPED:
            yield number, raw


def _every(files: Sequence[File], wanted: Wanted) -> Iterator[Raw]:
    """All rows of all files; what is none says where it stands."""
    number = 0
    others: tuple[File, ...] = ()
    columns: Mapping[str, dict[str, Any]] = {}
    for file in files:
        joins = isinstance(file, JoinedFile)
        if isinstance(file, JoinedFile) and file.others != others:
            others, columns = file.others, _by_id(file.others)
        for place, raw in _read(file, number, wanted):
            placed = _placed(raw, f"{file.name} {place}")
            yield _with_columns(placed, columns) if joins else placed
            number += 1


class Line(bytes):
    """A row that is not decoded yet, which knows its place."""

    place: str


def _placed(raw: Raw, place: str) -> Raw:
    if isinstance(raw, bytes):
        line = Line(raw)
        line.place = place
        return line
    return ShapeError(f"{place} {raw}") if isinstance(raw, ShapeError) and raw is not SKIPPED else raw


def _by_id(files: Sequence[File]) -> dict[str, dict[str, Any]]:
    """Rows by their id. Raises SettingsError where they can't be looked up by it."""
    if sum(file.size for file in files) > MAX_JOINED:
        raise SettingsError(f"{files[0].name} is too large to be joined by id: more than {MAX_JOINED} bytes")
    found: dict[str, dict[str, Any]] = {}
    for file in files:
        here: dict[str, dict[str, Any]] = {}
        for row in rows_in([file]):
            name = _id(row)
            if name is None or name in here:
                why = "a row has none" if name is None else f"two rows have {name}"
                raise SettingsError(f"{file.name} can't be joined by id: {why}")
            here[name] = row
        for name, row in here.items():
            found[name] = {**row, **found.get(name, {})}
    return found


def _with_columns(raw: Raw, columns: Mapping[str, dict[str, Any]]) -> Raw:
    if raw is SKIPPED:
        return raw
    try:
        row = decoded(raw)
    except ShapeError as error:
        return error
    name = _id(row)
    return {**columns.get(name, {}), **row} if name is not None else row


def _id(row: Mapping[str, Any]) -> str | None:
    name = row.get("id")
    return str(name) if isinstance(name, (str, int)) else None


def decoded(raw: Raw) -> dict[str, Any]:
    """A row. Raises ShapeError for what is none, by its place."""
    if isinstance(raw, ShapeError):
        raise raw
    if isinstance(raw, dict):
        return raw
    place = raw.place if isinstance(raw, Line) else "the row"
    row = _parsed(raw, place)
    if not isinstance(row, dict):
        raise ShapeError(f"{place} is not a JSON object")
    return row


def _parsed(text: bytes, place: str) -> Any:
    try:
        return json.loads(text.decode())
    except UnicodeDecodeError as error:
        raise ShapeError(f"{place} is not UTF-8: {error.reason}") from None
    except (ValueError, RecursionError) as error:
        raise ShapeError(f"{place} is not JSON: {error}") from None


def no_rows(files: Sequence[File], odd: Sequence[ShapeError]) -> str:
    """What is wrong with files that begin with nothing but what is no row."""
    if len(odd) > 1:
        return f"{files[0].name}: none of its first {len(odd)} lines is a row; {odd[0]}"
    why = f": {odd[0]}" if odd else ""
    return f"{files[0].name} holds no rows{why}" if len(files) == 1 else f"none of {len(files)} files holds a row{why}"


# --- one file ---------------------------------------------------------------------------


def _read(file: File, first: int, wanted: Wanted) -> Placed:
    """All rows of a file whose first has the number `first`; SKIPPED stands for what is not wanted."""
    try:
        with file.open() as stream:
            if file.name.endswith(".parquet"):
                yield from _parquet(file.name, stream, first, wanted)
            elif file.name.endswith(".arrow"):
                yield from _arrow(file.name, stream, first, wanted)
            elif file.name.endswith(".gz"):
                with gzip.open(stream, "rb") as lines:
                    yield from _json(file.name, lines, first, wanted)
            else:
                yield from _json(file.name, stream, first, wanted)
    except (EOFError, zlib.error) as error:
        raise ShapeError(f"{file.name} breaks off: {error}") from None
    except OSError as error:
        raise SettingsError(f"{file.name} can't be read: {error.strerror or error}") from None


def _json(name: str, lines: IO[bytes] | gzip.GzipFile, first: int, wanted: Wanted) -> Placed:
    number, line_number = first, 0
    while line := lines.readline(MAX_LINE + 1):
        line_number += 1
        line = line.removeprefix(b"\xef\xbb\xbf") if line_number == 1 else line
        too_long = len(line) > MAX_LINE
        while too_long and line and not line.endswith(b"\n"):
            line = lines.readline(MAX_LINE)
        if not too_long and not line.strip():
            continue
        if line_number == 1 and not too_long and _is_whole(line):
            yield from _whole(name, line + lines.read(MAX_LINE + 1), first, wanted)
            return
        place = f"line {line_number}"
        if not wanted(number):
            yield place, SKIPPED
        elif too_long:
            yield place, ShapeError(f"has more than {MAX_LINE} bytes")
        else:
            yield place, line
        number += 1


def _is_whole(line: bytes) -> bool:
    """Whether a first line begins a JSON value of many lines."""
    text = line.strip()
    return text[:1] == b"[" or text == b"{"


def _whole(name: str, text: bytes, first: int, wanted: Wanted) -> Placed:
    if len(text) > MAX_LINE:
        raise ShapeError(f"{name} is one JSON value of more than {MAX_LINE} bytes; make it JSONL")
    value = _parsed(text, name)
    for number, row in enumerate(value if isinstance(value, list) else [value]):
        skipped = not wanted(first + number)
        fault = ShapeError("is not a JSON object")
        yield f"item {number + 1}", SKIPPED if skipped else row if isinstance(row, dict) else fault


def _parquet(name: str, stream: IO[bytes], first: int, wanted: Wanted) -> Placed:
    pyarrow = _pyarrow(name)
    from pyarrow import parquet

    try:
        with parquet.ParquetFile(stream, buffer_size=PAGE_BYTES, pre_buffer=False) as file:
            for batch in file.iter_batches(BATCH_ROWS, use_threads=False):
                yield from _batch(batch, first, wanted)
                first += len(batch)
    except pyarrow.ArrowInvalid as error:
        raise ShapeError(f"{name} is not Parquet: {error}") from None


def _arrow(name: str, stream: IO[bytes], first: int, wanted: Wanted) -> Placed:
    pyarrow = _pyarrow(name)
    try:
        with pyarrow.ipc.open_stream(stream) as batches:
            for whole in batches:
                for start in range(0, len(whole), BATCH_ROWS):
                    batch = whole.slice(start, BATCH_ROWS)
                    yield from _batch(batch, first, wanted)
                    first += len(batch)
    except pyarrow.ArrowInvalid as error:
        raise ShapeError(f"{name} is not an Arrow stream: {error}") from None


def _batch(batch: Any, first: int, wanted: Wanted) -> Placed:
    numbers = range(first, first + len(batch))
    rows = batch.to_pylist() if any(wanted(number) for number in numbers) else [None] * len(batch)
    for number, row in zip(numbers, rows, strict=True):
        yield f"row {number}", row if wanted(number) else SKIPPED


def _pyarrow(name: str) -> Any:
    try:
        import pyarrow
        import pyarrow.ipc
    except ImportError:
        raise SettingsError(f"{name} needs pyarrow: pip install 'verifleet[data]'") from None
    return pyarrow
