"""Where results go, and how far an earlier run came.

A file of lines on this machine is its own record: whole lines are done. Everything else, which can't be added to
(objects, Parquet), is a folder of parts: a part is there whole or not at all, and those that are there are done.
Beside the results stands what they are of, so that those of something else are never added to them.
"""

from __future__ import annotations

import fcntl
import io
import json
import os
import re
import time
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, Protocol

from verifleet.errors import SettingsError
from verifleet.readers import rows_in
from verifleet.scoring.rows import FIELDS, Result
from verifleet.storage.objects import Folder, is_object

_UNDER_WAY: Final = ".under-way"
_MANIFEST: Final = ".manifest.json"
PART_ROWS: Final = 8192
PART_S: Final = 30.0
"""After which a part is written though it is not full: so much is done again after a kill."""


class Out(ABC):
    """The results of one shard."""

    place: str
    """As messages name it."""

    @abstractmethod
    def kept(self) -> Iterator[Result]:
        """Results that are there already, in order. Raises SettingsError for those of something else."""

    @abstractmethod
    def write(self, results: Sequence[Result]) -> None:
        """Add results."""

    @abstractmethod
    def close(self) -> None:
        """What was written is kept from now on."""

    @abstractmethod
    def finish(self, summary: Mapping[str, Any]) -> None:
        """All rows have their result."""


def out_of(address: str, about: Mapping[str, Any], shard: int, shards: int) -> Out:
    """Where results go: `about` is what they are of. Raises SettingsError."""
    parquet = address.endswith(".parquet")
    if is_object(address):
        return Parts(Folder(address), about, shard, shards, parquet=parquet)
    if parquet or address.endswith("/") or Path(address).is_dir():
        return Parts(LocalFolder(Path(address)), about, shard, shards, parquet=parquet)
    file = Path(address)
    if shards > 1:
        file = file.with_name(f"{file.stem}-{_share(shard, shards)}{file.suffix}")
    return Lines(file, about)


def _share(shard: int, shards: int) -> str:
    return f"{shard:05}-of-{shards:05}"


def _same(place: str, found: Any, wanted: Mapping[str, Any]) -> None:
    if found != wanted:
        other = [name for name in wanted if not isinstance(found, dict) or found.get(name) != wanted[name]]
        raise SettingsError(f"{place} is of another run ({', '.join(other)}); name another one, or remove it")


class Lines(Out):
    """A file of lines."""

    def __init__(self, file: Path, about: Mapping[str, Any]) -> None:
        self.place = str(file)
        self._file = file
        self._about = about
        file.parent.mkdir(parents=True, exist_ok=True)
        try:
            self._out = file.open("ab")
        except OSError as error:
            raise SettingsError(f"{file} can't be written: {error.strerror}") from None
        try:
            fcntl.flock(self._out, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self._out.close()
            raise SettingsError(f"{file} is being written by another run") from None

    def kept(self) -> Iterator[Result]:
        """Whole lines; one that was cut off is taken away."""
        about = self._file.with_name(self._file.name + _MANIFEST)
        if not about.exists():
            if self._file.stat().st_size:
                raise SettingsError(f"{self.place} is there, and not of an earlier run; name another one, or remove it")
            _write_whole(about, json.dumps(self._about).encode())
            return
        _same(self.place, _json(about.read_bytes()), self._about)
        whole = 0
        with self._file.open("rb") as lines:
            for line in lines:
                if not line.endswith(b"\n"):
                    break
                yield json.loads(line)
                whole += len(line)
        os.truncate(self._file, whole)

    def write(self, results: Sequence[Result]) -> None:
        """Add lines."""
        self._out.write(_lines(results))
        self._out.flush()

    @property
    def begun(self) -> bool:
        """Whether an earlier run wrote results here."""
        return self._file.stat().st_size > 0

    def replace(self, results: Iterator[Result]) -> None:
        """Put each of some results, in the order of their rows, in the place of the one of its row; all or none."""
        beside = self._file.with_name(self._file.name + _UNDER_WAY)
        anew = next(results, None)
        with beside.open("wb") as out:
            for kept in self.kept():
                if anew is not None and anew["row"] == kept["row"]:
                    kept, anew = anew, next(results, None)
                out.write(_lines([kept]))
            out.flush()
            os.fsync(out.fileno())
        beside.replace(self._file)

    def remove(self) -> None:
        """Take the file away, and what says of what it is."""
        self._file.unlink()
        self._file.with_name(self._file.name + _MANIFEST).unlink()

    def close(self) -> None:
        """Let others write."""
        self._out.close()

    def finish(self, summary: Mapping[str, Any]) -> None:
        """There is nothing more to say."""


class Place(Protocol):
    """A folder of parts."""

    def names(self) -> list[str]:
        """What is in it, in order."""
        ...

    def read(self, name: str) -> bytes:
        """What one of them holds."""
        ...

    def create(self, name: str, content: bytes) -> None:
        """Make one, whole or not at all. Raises SettingsError where another one is in its place."""
        ...


class LocalFolder:
    """A folder of this machine."""

    def __init__(self, path: Path) -> None:
        self._path = path
        try:
            path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise SettingsError(f"{path} can't be a folder of results: {error.strerror}") from None

    def __str__(self) -> str:
        return str(self._path)

    def names(self) -> list[str]:
        """What is in it, in order."""
        return sorted(file.name for file in self._path.iterdir() if not file.name.endswith(_UNDER_WAY))

    def read(self, name: str) -> bytes:
        """What a file holds."""
        return (self._path / name).read_bytes()

    def create(self, name: str, content: bytes) -> None:
        """Make a file."""
        if (self._path / name).exists():
            raise SettingsError(f"{self._path / name} is there already: does another run write to it?")
        _write_whole(self._path / name, content)


class Parts(Out):
    """A folder of parts, each with the results of some thousand rows."""

    def __init__(self, folder: Place, about: Mapping[str, Any], shard: int, shards: int, *, parquet: bool) -> None:
        if parquet:
            _pyarrow()
        self.place = str(folder)
        self._folder = folder
        self._about = about
        self._share = _share(shard, shards)
        self._kind = "parquet" if parquet else "jsonl"
        self._waiting: list[Result] = []
        self._since = time.monotonic()
        self._parts = 0

    def kept(self) -> Iterator[Result]:
        """The rows of the parts that are there."""
        manifest = f"_manifest-{self._share}.json"
        names = self._folder.names()
        self._only_ours(names)
        if manifest in names:
            _same(self.place, _json(self._folder.read(manifest)), self._about)
        else:
            self._folder.create(manifest, json.dumps(self._about).encode())
        for name in names:
            if name.startswith(f"part-{self._share}-"):
                if name != self._name(self._parts):
                    raise SettingsError(f"{self.place}: there is {name}, but not {self._name(self._parts)} before it")
                self._parts += 1
                yield from _rows(name, self._folder.read(name))

    def _only_ours(self, names: Sequence[str]) -> None:
        """Raises SettingsError for a folder that holds anything else, or the parts of another number of shards."""
        of = self._share.rpartition("-")[2]
        ours = re.compile(rf"part-\d{{5}}-of-{of}-\d{{6}}\.{self._kind}|_(manifest|summary)-\d{{5}}-of-{of}\.json")
        other = next((name for name in names if not ours.fullmatch(name)), None)
        if other is not None:
            raise SettingsError(f"{self.place} holds something else ({other}); name another folder")

    def write(self, results: Sequence[Result]) -> None:
        """Add results; every now and then, a part."""
        self._waiting += results
        if len(self._waiting) >= PART_ROWS or time.monotonic() - self._since > PART_S:
            self.close()

    def close(self) -> None:
        """The last part."""
        if self._waiting:
            content = _parquet(self._waiting) if self._kind == "parquet" else _lines(self._waiting)
            self._folder.create(self._name(self._parts), content)
            self._parts += 1
            self._waiting = []
        self._since = time.monotonic()

    def finish(self, summary: Mapping[str, Any]) -> None:
        """What it all came to stands beside the parts: whoever looks for it knows that they are all there."""
        name = f"_summary-{self._share}.json"
        if name not in self._folder.names():
            self._folder.create(name, json.dumps(summary).encode())

    def _name(self, number: int) -> str:
        return f"part-{self._share}-{number:06}.{self._kind}"


# --- content ------------------------------------------------------------------------------


def _write_whole(file: Path, content: bytes) -> None:
    """Written beside its place and moved there, so that nobody ever sees a part of it."""
    beside = file.with_name(file.name + _UNDER_WAY)
    with beside.open("wb") as out:
        out.write(content)
        out.flush()
        os.fsync(out.fileno())
    beside.replace(file)


def _lines(results: Sequence[Result]) -> bytes:
    return b"".join(json.dumps(result).encode("ascii") + b"\n" for result in results)


def _json(content: bytes) -> Any:
    try:
        return json.loads(content)
    except ValueError:
        return None


def table_of(results: Sequence[Result]) -> Any:
    """Results as an Arrow table."""
    pyarrow = _pyarrow()
    schema = pyarrow.schema([(name, pyarrow.type_for_alias(kind)) for name, kind in FIELDS.items()])
    plain = [{**result, "details": json.dumps(result["details"])} for result in results]
    return pyarrow.Table.from_pylist(plain, schema)


def _parquet(results: Sequence[Result]) -> bytes:
    from pyarrow import parquet

    out = io.BytesIO()
    parquet.write_table(table_of(results), out)
    return out.getvalue()


class _Held:
    """What a part holds, as a file."""

    def __init__(self, name: str, content: bytes) -> None:
        self.name = name
        self.size = len(content)
        self._content = content

    def open(self) -> io.BytesIO:
        return io.BytesIO(self._content)


def _rows(name: str, content: bytes) -> Iterator[Result]:
    return rows_in([_Held(name, content)])


def _pyarrow() -> Any:
    try:
        import pyarrow
    except ImportError:
        raise SettingsError("Parquet needs pyarrow: pip install 'verifleet[data]'") from None
    return pyarrow
