"""Build a knowledge base from JSONL, CSV or the plain JSON shape, with every fault named by its line.

JSONL: one {"question", "answer", "aliases"?, "key_terms"?} a line. CSV: the same columns, several values separated
by "|". JSON: {"capital of france": {"exact": "Paris", "aliases": [...], "key_terms": [...]}}. A fact may have notes
(`source`, `id`, `note`), which the base leaves out; any other name is a misspelt one and refused.
The result is a function of the source: the same facts make the same bytes of content and the same version.
"""

from __future__ import annotations

import csv
import json
import os
import sqlite3
import tempfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from verifleet.errors import KnowledgeBaseError, ShapeError
from verifleet.knowledge_base.lookup import index_keys, spellable, spelling_keys, surface_id
from verifleet.knowledge_base.sqlite_base import APPLICATION_ID, FORMAT_VERSION, SqliteKnowledgeBase
from verifleet.verification import KnowledgeReference
from verifleet.verifiers.knowledge.questions import parse_question, written_words

FIELDS = ("question", "answer", "aliases", "key_terms")
NOTES = ("source", "id", "note")
_SQLITE_MAGIC = b"SQLite format 3\0"
_APPLICATION_ID_AT = 68
"""Where in a SQLite file's header the application id stands, four bytes."""
_SCHEMA = """
CREATE TABLE meta(name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE facts(id INTEGER PRIMARY KEY, question TEXT NOT NULL, reference TEXT NOT NULL);
CREATE TABLE keys(key INTEGER NOT NULL, id INTEGER NOT NULL, PRIMARY KEY (key, id)) WITHOUT ROWID;
CREATE TABLE words(word TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE written(id INTEGER PRIMARY KEY, word TEXT NOT NULL);
CREATE TABLE spellings(key INTEGER NOT NULL, id INTEGER NOT NULL, PRIMARY KEY (key, id)) WITHOUT ROWID;
"""


@dataclass(frozen=True, slots=True)
class SourceFact:
    """One fact and where it stands in its source, such as `facts.jsonl:12`."""

    question: str
    reference: KnowledgeReference
    where: str


@dataclass(slots=True)
class BuildReport:
    """What a build did: `duplicates` say the same twice, `conflicts` (the first is kept) contradict each other."""

    facts: int = 0
    duplicates: int = 0
    conflicts: list[str] = field(default_factory=list)
    content_version: str = ""
    size_bytes: int = 0


def read_source(path: Path) -> Iterator[SourceFact]:
    """Read facts from a .jsonl, .csv or .json file. Raises KnowledgeBaseError with file and line."""
    readers = {".jsonl": _read_jsonl, ".ndjson": _read_jsonl, ".csv": _read_csv, ".json": _read_json}
    reader = readers.get(path.suffix.lower())
    if reader is None:
        raise KnowledgeBaseError(f"{path}: the name must end in .jsonl, .csv or .json")
    if not path.is_file():
        raise KnowledgeBaseError(f"{path}: there is no such file")
    try:
        yield from reader(path)
    except UnicodeDecodeError as error:
        raise KnowledgeBaseError(f"{path}: not UTF-8 at byte {error.start}") from None
    except RecursionError:
        raise KnowledgeBaseError(f"{path}: nested too deeply") from None


class _Object(list[tuple[str, Any]]):
    """A JSON object as its pairs: a key that stands twice is seen."""


def _fields(raw: _Object, where: str) -> dict[str, Any]:
    fields = dict(raw)
    if len(fields) < len(raw):
        keys = [key for key, _ in raw]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise KnowledgeBaseError(f"{where}: {twice!r} stands twice")
    return fields


def _check_names(names: Iterable[str], known: tuple[str, ...], where: str) -> None:
    for name in names:
        if name not in known:
            raise KnowledgeBaseError(f"{where}: {name!r} is not known; known are {', '.join(known)}")


def _read_jsonl(path: Path) -> Iterator[SourceFact]:
    with path.open(encoding="utf-8-sig") as lines:
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            where = f"{path.name}:{number}"
            try:
                raw = json.loads(line.rstrip(), object_pairs_hook=_Object)
            except json.JSONDecodeError as error:
                raise KnowledgeBaseError(f"{where}: not JSON: {error.msg} at column {error.colno}") from None
            yield _fact(raw, where)


def _read_csv(path: Path) -> Iterator[SourceFact]:
    with path.open(encoding="utf-8-sig", newline="") as lines:
        rows = csv.reader(lines, strict=True)
        try:
            header = next(rows, [])
            if not {"question", "answer"} <= set(header):
                raise KnowledgeBaseError(f"{path.name}:1: the header must name the columns question and answer")
            _check_names(header, (*FIELDS, *NOTES), f"{path.name}:1")
            _fields(_Object((name, "") for name in header), f"{path.name}:1")
            for cells in rows:
                where = f"{path.name}:{rows.line_num}"
                if not cells:
                    continue
                if len(cells) != len(header):
                    raise KnowledgeBaseError(
                        f"{where}: {len(cells)} fields where the header has {len(header)}; "
                        "a field with a comma stands in double quotes"
                    )
                row = dict(zip(header, cells, strict=True))
                many = {k: _split(row.get(k)) for k in ("aliases", "key_terms")}
                yield _fact({"question": row["question"], "answer": row["answer"], **many}, where)
        except csv.Error as error:
            raise KnowledgeBaseError(f"{path.name}:{rows.line_num}: {error}") from None


def _split(cell: str | None) -> list[str]:
    return [part.strip() for part in (cell or "").split("|") if part.strip()]


def _read_json(path: Path) -> Iterator[SourceFact]:
    try:
        raw = json.loads(path.read_text(encoding="utf-8-sig"), object_pairs_hook=_Object)
    except json.JSONDecodeError as error:
        raise KnowledgeBaseError(f"{path.name}:{error.lineno}: not JSON: {error.msg}") from None
    if isinstance(raw, _Object):
        yield from _read_questions(raw, path)
    elif isinstance(raw, list):
        yield from (_fact(item, f"{path.name}[{i}]") for i, item in enumerate(raw))
    else:
        raise KnowledgeBaseError(f"{path.name}: an object of questions is expected")


def _read_questions(raw: _Object, path: Path) -> Iterator[SourceFact]:
    seen: set[str] = set()
    for question, item in raw:
        where = f"{path.name}[{question!r}{', again' if question in seen else ''}]"
        seen.add(question)
        if not isinstance(item, _Object):
            raise KnowledgeBaseError(f"{where}: an object with exact, aliases and key_terms is expected")
        fields = _fields(item, where)
        _check_names(fields, ("exact", *FIELDS[1:], *NOTES), where)
        if fields.get("exact") != fields.get("answer", fields.get("exact")):
            raise KnowledgeBaseError(f"{where}: exact and answer mean the same and differ; give one of them")
        key = "answer" if "answer" in fields else "exact"
        rest = {k: fields.get(k) or [] for k in ("aliases", "key_terms")}
        named = {"answer": fields[key]} if key in fields else {}
        yield _checked({"question": question, **named, **rest}, where, key)


def _fact(raw: Any, where: str) -> SourceFact:
    if isinstance(raw, _Object):
        raw = _fields(raw, where)
    if not isinstance(raw, dict):
        raise KnowledgeBaseError(f"{where}: an object with question and answer is expected")
    _check_names(raw, (*FIELDS, *NOTES), where)
    return _checked(raw, where, "answer")


def _checked(raw: dict[str, Any], where: str, answer_key: str) -> SourceFact:
    """The fact; what is wrong with the answer is said of `answer_key`, as the source calls it."""
    question = raw.get("question")
    if not isinstance(question, str) or not parse_question(question).words:
        raise KnowledgeBaseError(f"{where}: question must be a text with at least one word that says something")
    try:
        reference = KnowledgeReference.model_validate(
            {k: raw[k] for k in ("answer", "aliases", "key_terms") if k in raw}
        )
    except ValidationError as error:
        wrong = ShapeError.from_validation(error).fields[0]
        path = answer_key + wrong.path.removeprefix("answer") if wrong.path.startswith("answer") else wrong.path
        raise KnowledgeBaseError(f"{where}: {path}: {wrong.problem}") from None
    answers = reference.answer if isinstance(reference.answer, list) else [reference.answer]
    if not answers or not all(a.strip() for a in answers):
        raise KnowledgeBaseError(f"{where}: {answer_key} must not be empty")
    return SourceFact(question.strip(), reference, where)


def _check_target(out: Path) -> None:
    """Only a knowledge base is ever replaced: a source or another file of the same name is not."""
    if out.is_dir():
        raise KnowledgeBaseError(f"{out} is a folder; name the file to write")
    if not out.exists():
        return
    if out.is_file():
        with out.open("rb") as file:
            head = file.read(_APPLICATION_ID_AT + 4)
        known = head.startswith(_SQLITE_MAGIC) and head[_APPLICATION_ID_AT:] == APPLICATION_ID.to_bytes(4, "big")
        if known or not head:
            return
    raise KnowledgeBaseError(f"{out} is there already and no knowledge base; it stays as it is, name another file")


def build(
    facts: Iterable[SourceFact], out: Path, name: str = "", on_fact: Callable[[], None] | None = None
) -> BuildReport:
    """Write a base to `out`, whole or not at all; `on_fact` is called once for each fact.

    Raises KnowledgeBaseError, also when `out` is a file that is no knowledge base.
    """
    out.parent.mkdir(parents=True, exist_ok=True)
    _check_target(out)
    handle, part = tempfile.mkstemp(dir=out.parent, prefix=out.name, suffix=".part")
    os.close(handle)
    try:
        report = _write(facts, Path(part), name or out.stem, on_fact)
        os.chmod(part, 0o644)
        os.replace(part, out)
    except BaseException:
        Path(part).unlink(missing_ok=True)
        raise
    report.size_bytes = out.stat().st_size
    return report


def _write(facts: Iterable[SourceFact], path: Path, name: str, on_fact: Callable[[], None] | None) -> BuildReport:
    report = BuildReport()
    digest = 0
    connection = sqlite3.connect(path, isolation_level=None)
    try:
        connection.executescript(
            "PRAGMA page_size=4096; PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF;"
            f"PRAGMA application_id={APPLICATION_ID};"
        )
        connection.executescript(_SCHEMA)
        connection.execute("BEGIN")
        first: dict[int, str] = {}
        written: dict[str, int] = {}
        for fact in facts:
            digest ^= _insert(connection, fact, first, written, report)
            if on_fact is not None:
                on_fact()
        _insert_spellings(connection, written)
        if not report.facts:
            raise KnowledgeBaseError("the source holds no fact")
        report.content_version = f"{digest:032x}"
        meta = {"format_version": FORMAT_VERSION, "content_version": report.content_version, "name": name}
        rows = [(k, str(v)) for k, v in (meta | {"facts": report.facts}).items()]
        connection.executemany("INSERT INTO meta VALUES (?, ?)", rows)
        connection.execute("COMMIT")
        connection.execute("VACUUM")
    finally:
        connection.close()
    return report


def _insert_spellings(connection: sqlite3.Connection, written: dict[str, int]) -> None:
    connection.executemany("INSERT INTO written VALUES (?, ?)", [(id, word) for word, id in written.items()])
    rows = ((key, id) for word, id in written.items() for key in spelling_keys(word))
    connection.executemany("INSERT OR IGNORE INTO spellings VALUES (?, ?)", rows)


def _insert(
    connection: sqlite3.Connection,
    fact: SourceFact,
    first: dict[int, str],
    written: dict[str, int],
    report: BuildReport,
) -> int:
    """Insert one fact; returns its share of the content version (0 if it adds nothing)."""
    id = surface_id(fact.question)
    reference = json.dumps(fact.reference.model_dump(exclude_defaults=True), ensure_ascii=False, separators=(",", ":"))
    known = connection.execute("SELECT reference FROM facts WHERE id = ?", (id,)).fetchone()
    if known is not None:
        if json.loads(known[0])["answer"] == fact.reference.answer:
            report.duplicates += 1
        else:
            report.conflicts.append(f"{fact.where}: {fact.question!r} has another answer than at {first[id]}")
        return 0
    first[id] = fact.where
    question = parse_question(fact.question)
    connection.execute("INSERT INTO facts VALUES (?, ?, ?)", (id, fact.question, reference))
    connection.executemany("INSERT OR IGNORE INTO keys VALUES (?, ?)", [(k, id) for k in index_keys(question)])
    connection.executemany("INSERT OR IGNORE INTO words VALUES (?)", [(w,) for w in question.words])
    for word in written_words(fact.question):
        if spellable(word):
            written.setdefault(word, len(written))
    report.facts += 1
    content = f"{fact.question}\0{reference}".encode("utf-8", "replace")
    return int.from_bytes(blake2b(content, digest_size=16).digest(), "big")


def extended(base: SqliteKnowledgeBase, facts: Iterable[SourceFact]) -> Iterator[SourceFact]:
    """The facts of a base followed by further ones, for building it anew."""
    for fact in base:
        yield SourceFact(fact.question, fact.reference, base.path.name)
    yield from facts
