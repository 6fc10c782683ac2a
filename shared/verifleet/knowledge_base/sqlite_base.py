"""The knowledge base as a SQLite file, opened immutable and memory-mapped, from a path or a gs:// object.

facts(id INTEGER PRIMARY KEY, question, reference)   id: 63-bit hash of the question's letters and digits
keys(key, id)                                        hashes of the content words, in order and without
words(word)                                          every content word, to tell misspellings from other words
meta(name, value)                                    format version, content version, number of facts
"""

from __future__ import annotations

import json
import os
import sqlite3
import tempfile
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any
from urllib.parse import quote

from verifleet.errors import KnowledgeBaseError, VerifierUnavailableError
from verifleet.knowledge_base.lookup import Stored, find_question, spelling_keys
from verifleet.reading.spelling import within_one_edit
from verifleet.verifiers.knowledge.base import Fact

FORMAT_VERSION = 2
APPLICATION_ID = 0x76664B42  # "vfKB", in the file's header
GENERAL_BASE = Path(__file__).with_name("general_knowledge.db")
_MMAP_BYTES = 1 << 31
_CACHED_FACTS = 4096


class SqliteKnowledgeBase:
    """A knowledge base file; implements KnowledgeBase and is safe for many threads (one connection each)."""

    def __init__(self, path: Path | str) -> None:
        """Open the file; raises KnowledgeBaseError if it is missing, no knowledge base, or of another format."""
        self.path = Path(path)
        self._local = threading.local()
        self.meta = self._read_meta()
        self._fact = lru_cache(maxsize=_CACHED_FACTS)(self._load)

    @property
    def version(self) -> str:
        """Name and content version, such as `general-1f3a9c`."""
        return f"{self.meta['name']}-{self.meta['content_version'][:12]}"

    def __len__(self) -> int:
        return int(self.meta["facts"])

    def lookup(self, question: str) -> Fact | None:
        """The fact that this question asks for, or None. Raises VerifierUnavailableError if the file can't be read."""
        try:
            id = find_question(question, self)
            return None if id is None else self._fact(id)
        except sqlite3.Error as error:
            raise VerifierUnavailableError(f"the knowledge base {self.path} can't be read: {error}") from error

    def __iter__(self) -> Iterator[Fact]:
        rows = self._connection().execute("SELECT question, reference FROM facts ORDER BY id")
        for question, reference in rows:
            yield Fact(question, reference)

    # --- QuestionIndex -----------------------------------------------------------

    def has(self, id: int) -> bool:
        """Whether a question with this surface id is stored."""
        return self._fact(id) is not None

    def by_key(self, key: int, limit: int) -> Sequence[Stored]:
        """Stored questions under a key hash."""
        rows = self._connection().execute(
            "SELECT facts.id, question FROM keys JOIN facts ON facts.id = keys.id WHERE key = ? LIMIT ?", (key, limit)
        )
        return [Stored(id, question) for id, question in rows]

    def known_words(self, words: Iterable[str]) -> set[str]:
        """Those of the words that occur in any stored question."""
        asked = json.dumps(list(words))
        rows = self._connection().execute(
            "SELECT word FROM words WHERE word IN (SELECT value FROM json_each(?))", (asked,)
        )
        return {word for (word,) in rows}

    def near_words(self, words: Iterable[str]) -> Mapping[str, Iterable[str]]:
        """For each word, as written, those of the stored questions that are one edit away."""
        near: dict[str, set[str]] = {}
        by_key: dict[int, list[str]] = {}
        for word in words:
            for key in spelling_keys(word):
                by_key.setdefault(key, []).append(word)
        rows = self._connection().execute(
            "SELECT key, word FROM spellings JOIN written USING (id) WHERE key IN (SELECT value FROM json_each(?))",
            (json.dumps(list(by_key)),),
        )
        for key, other in rows:
            for word in by_key[key]:
                if other != word and within_one_edit(word, other):
                    near.setdefault(word, set()).add(other)
        return near

    # --- file ----------------------------------------------------------------------

    def _load(self, id: int) -> Fact | None:
        row = self._connection().execute("SELECT question, reference FROM facts WHERE id = ?", (id,)).fetchone()
        return None if row is None else Fact(*row)

    def _connection(self) -> sqlite3.Connection:
        connection: sqlite3.Connection | None = getattr(self._local, "connection", None)
        if connection is None:
            connection = self._local.connection = _open(self.path)
        return connection

    def _read_meta(self) -> dict[str, str]:
        if not self.path.is_file():
            raise KnowledgeBaseError(f"there is no knowledge base at {self.path}; make one with `verifleet kb build`")
        try:
            connection = self._connection()
            if connection.execute("PRAGMA application_id").fetchone()[0] != APPLICATION_ID:
                raise KnowledgeBaseError(f"{self.path} is a SQLite file but no knowledge base of `verifleet kb build`")
            meta = dict(connection.execute("SELECT name, value FROM meta"))
        except sqlite3.Error as error:
            raise KnowledgeBaseError(f"{self.path} is not a knowledge base: {error}") from error
        if meta.get("format_version") != str(FORMAT_VERSION):
            found = meta.get("format_version")
            raise KnowledgeBaseError(
                f"{self.path} has format {found}, this release reads {FORMAT_VERSION}; build it again from its source"
            )
        return meta


def _open(path: Path) -> sqlite3.Connection:
    uri = path.resolve().as_uri() + "?mode=ro&immutable=1"
    connection = sqlite3.connect(uri, uri=True, isolation_level=None)
    connection.execute(f"PRAGMA mmap_size={_MMAP_BYTES}")
    connection.execute("PRAGMA query_only=1")
    return connection


# --- opening by location -----------------------------------------------------------


def open_knowledge_base(location: str | None = None, cache_dir: Path | None = None) -> SqliteKnowledgeBase:
    """Open the base at a path or gs:// address; none: the general base of this package.

    A gs:// object is downloaded once for each of its generations, checked against its CRC32C and kept in `cache_dir`
    (default: the system's temporary directory). Raises KnowledgeBaseError.
    """
    if not location:
        return SqliteKnowledgeBase(GENERAL_BASE)
    if location.startswith("gs://"):
        return SqliteKnowledgeBase(_downloaded(location, cache_dir or Path(tempfile.gettempdir()) / "verifleet-kb"))
    return SqliteKnowledgeBase(location)


def _downloaded(location: str, cache_dir: Path) -> Path:
    bucket_name, _, object_name = location.removeprefix("gs://").partition("/")
    if not bucket_name or not object_name:
        raise KnowledgeBaseError(f"{location!r} is not gs://BUCKET/OBJECT")
    try:
        import google.cloud.storage as storage
        from google.api_core.exceptions import GoogleAPIError
        from google.auth.exceptions import GoogleAuthError
        from google.cloud.storage.exceptions import DataCorruption, InvalidResponse
    except ImportError as error:
        raise KnowledgeBaseError("gs:// needs google-cloud-storage: pip install 'verifleet[storage]'") from error
    try:
        blob = storage.Client().bucket(bucket_name).get_blob(object_name)
        if blob is None:
            raise KnowledgeBaseError(f"there is no object {location}")
        target = cache_dir / f"{bucket_name}-{quote(object_name, safe='')}-{blob.generation}.db"
        if not target.is_file() or target.stat().st_size != blob.size:
            _download(blob, target)
    except (GoogleAPIError, GoogleAuthError, DataCorruption, InvalidResponse, OSError) as error:
        reason = str(error).strip().split("\n")[0]
        raise KnowledgeBaseError(f"{location} can't be downloaded: {reason}") from error
    return target


def _download(blob: Any, target: Path) -> None:
    """Write the object beside its place and move it there, so that nobody ever sees a part of it."""
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(dir=target.parent, suffix=".part", delete=False) as part:
        try:
            blob.download_to_file(part, checksum="crc32c", if_generation_match=blob.generation)
        except BaseException:
            Path(part.name).unlink(missing_ok=True)
            raise
    os.replace(part.name, target)
