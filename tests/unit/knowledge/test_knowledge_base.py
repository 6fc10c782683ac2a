"""Building, opening and extending knowledge bases; the base that ships."""

import json
import os
import sqlite3
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from typer.testing import CliRunner

from verifleet.commands.kb import app
from verifleet.errors import KnowledgeBaseError, VerifierUnavailableError
from verifleet.knowledge_base.build import build, read_source
from verifleet.knowledge_base.sqlite_base import GENERAL_BASE, SqliteKnowledgeBase, open_knowledge_base
from verifleet.verification import KnowledgeRequest
from verifleet.verifiers.knowledge import KnowledgeVerifier

FACTS = [
    {"question": "What is the capital of Freedonia?", "answer": "Sylvania", "aliases": ["Old Sylvania"]},
    {"question": "Who rules Freedonia?", "answer": "Firefly", "key_terms": ["Firefly"]},
]


def _jsonl(path: Path, rows: list[object]) -> Path:
    path.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
    return path


def test_the_three_source_shapes_make_the_same_base(tmp_path: Path) -> None:
    jsonl = _jsonl(tmp_path / "a.jsonl", list(FACTS))
    table = tmp_path / "a.csv"
    table.write_text(
        "question,answer,aliases,key_terms\nWhat is the capital of Freedonia?,Sylvania,Old Sylvania,\n"
        "Who rules Freedonia?,Firefly,,Firefly\n",
        encoding="utf-8",
    )
    plain = tmp_path / "a.json"
    shape = {f["question"]: {"exact": f["answer"], **{k: v for k, v in f.items() if k[0] in "ak"}} for f in FACTS}
    plain.write_text(json.dumps(shape), encoding="utf-8")
    versions = {build(read_source(p), tmp_path / "out.db").content_version for p in (jsonl, table, plain)}
    assert len(versions) == 1


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("a.jsonl", '{"question": "q one", "answer": "a"}\n{"question": }', "a.jsonl:2: not JSON"),
        ("a.jsonl", '{"question": "q one"}', "a.jsonl:1: answer"),
        ("a.jsonl", '{"question": "q one", "answer": " "}', "a.jsonl:1: answer must not be empty"),
        ("a.jsonl", '\n{"question": "?", "answer": "a"}', "a.jsonl:2: question must be a text"),
        ("a.jsonl", "[]", "a.jsonl:1: an object"),
        ("a.jsonl", "", "the source holds no fact"),
        ("a.csv", "q,a\n1,2\n", "a.csv:1: the header must name"),
        ("a.csv", 'question,answer\n"x', "a.csv:2: unexpected end of data"),
        ("a.json", "{,}", "a.json:1: not JSON"),
        ("a.json", '{"q one": 3}', "a.json['q one']: an object"),
        ("a.txt", "", "must end in"),
        ("a.csv", "question,answer\nWho made it?,Smith, John\n", "a.csv:2: 3 fields where the header has 2"),
        ("a.csv", "question,answer,aliases\nq one,a,\n\nq two,b\n", "a.csv:4: 2 fields where the header has 3"),
        ("a.csv", "question,answer,alias\nq one,a,b\n", "a.csv:1: 'alias' is not known; known are question, answer"),
        ("a.csv", "question,answer,answer\nq one,a,b\n", "a.csv:1: 'answer' stands twice"),
        ("a.jsonl", '{"question": "q one", "answer": "a", "keyterms": []}', "a.jsonl:1: 'keyterms' is not known"),
        ("a.jsonl", '{"question": "q one", "answer": "a", "answer": "b"}', "a.jsonl:1: 'answer' stands twice"),
        ("a.json", '[{"question": "q one", "answer": "a", "alias": []}]', "a.json[0]: 'alias' is not known"),
        ("a.json", '{"q one": {"aliases": []}}', "a.json['q one']: exact: is required"),
        ("a.json", '{"q one": {"exact": true}}', "a.json['q one']: exact: must be a string"),
        ("a.json", '{"q one": {"exact": [" "]}}', "a.json['q one']: exact must not be empty"),
        ("a.json", '{"q one": {"exact": "a", "answer": "b"}}', "a.json['q one']: exact and answer mean the same"),
        ("a.json", '{"q one": {"exact": "a", "key_term": ["a"]}}', "known are exact, answer, aliases, key_terms"),
    ],
)
def test_a_fault_in_the_source_is_named_by_its_place(tmp_path: Path, name: str, text: str, message: str) -> None:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    with pytest.raises(KnowledgeBaseError, match=message.replace("[", r"\[").replace("]", r"\]")):
        build(read_source(path), tmp_path / "out.db")
    assert not list(tmp_path.glob("out.db*"))


def test_duplicates_are_counted_and_of_a_conflict_the_first_is_kept(tmp_path: Path) -> None:
    rows = [*FACTS, FACTS[0], {"question": "who rules freedonia", "answer": "Teasdale"}]
    report = build(read_source(_jsonl(tmp_path / "a.jsonl", list(rows))), tmp_path / "out.db")
    assert (report.facts, report.duplicates) == (2, 1)
    assert report.conflicts == ["a.jsonl:4: 'who rules freedonia' has another answer than at a.jsonl:2"]
    fact = SqliteKnowledgeBase(tmp_path / "out.db").lookup("who rules Freedonia")
    assert fact is not None
    assert fact.reference.answer == "Firefly"


def test_a_question_that_stands_twice_in_a_json_object_is_a_conflict_or_a_duplicate(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text('{"who rules Zork": {"exact": "Ann"}, "who rules Zork": {"exact": "Bob"}, "q": {"exact": "1"}}')
    report = build(read_source(path), tmp_path / "out.db")
    assert report.conflicts == [
        "a.json['who rules Zork', again]: 'who rules Zork' has another answer than at a.json['who rules Zork']"
    ]
    fact = SqliteKnowledgeBase(tmp_path / "out.db").lookup("who rules Zork")
    assert fact is not None
    assert fact.reference.answer == "Ann"
    path.write_text('{"who rules Zork": {"exact": "Ann"}, "who rules Zork": {"exact": "Ann"}}')
    assert build(read_source(path), tmp_path / "out.db").duplicates == 1


def test_a_file_that_is_no_knowledge_base_is_never_replaced(tmp_path: Path) -> None:
    source = _jsonl(tmp_path / "a.jsonl", list(FACTS))
    linked = tmp_path / "linked.db"
    linked.hardlink_to(source)
    table = tmp_path / "other.db"
    sqlite3.connect(table).execute("CREATE TABLE t(x)").connection.close()
    for out in (source, linked, table):
        before = out.read_bytes()
        shown = CliRunner().invoke(app, ["build", str(source), "-o", str(out)])
        assert shown.exit_code == 2
        assert out.read_bytes() == before
    empty = tmp_path / "empty.db"
    empty.touch()
    for _ in range(2):  # an empty file has nothing to lose, and a base may be built anew
        assert CliRunner().invoke(app, ["build", str(source), "-o", str(empty)]).exit_code == 0


def test_what_is_no_knowledge_base_is_refused_with_a_reason(tmp_path: Path) -> None:
    with pytest.raises(KnowledgeBaseError, match="there is no knowledge base"):
        open_knowledge_base(str(tmp_path / "missing.db"))
    (tmp_path / "text.db").write_text("hello" * 1000)
    with pytest.raises(KnowledgeBaseError, match="is not a knowledge base"):
        open_knowledge_base(str(tmp_path / "text.db"))
    sqlite3.connect(tmp_path / "other.db").execute("CREATE TABLE t(x)").connection.close()
    with pytest.raises(KnowledgeBaseError, match="no knowledge base of"):
        open_knowledge_base(str(tmp_path / "other.db"))
    with pytest.raises(KnowledgeBaseError, match="gs://BUCKET/OBJECT"):
        open_knowledge_base("gs://bucket-only")


def test_a_base_of_another_format_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "old.db"
    build(read_source(_jsonl(tmp_path / "a.jsonl", list(FACTS))), path)
    connection = sqlite3.connect(path)
    connection.execute("UPDATE meta SET value = '0' WHERE name = 'format_version'")
    connection.commit()
    connection.close()
    with pytest.raises(KnowledgeBaseError, match="has format 0"):
        open_knowledge_base(str(path))


def test_a_base_that_breaks_while_in_use_is_our_fault_and_no_score(tmp_path: Path) -> None:
    path = tmp_path / "out.db"
    build(read_source(_jsonl(tmp_path / "a.jsonl", list(FACTS))), path)
    base = SqliteKnowledgeBase(path)
    base._connection().close()
    with pytest.raises(VerifierUnavailableError):
        base.lookup("Who rules Freedonia?")
    result = KnowledgeVerifier(base).check(KnowledgeRequest(prompt="Who rules Freedonia?", response="Firefly"))
    assert (result.score, result.status) == (None, "error")


def test_many_threads_look_up_at_once() -> None:
    base = open_knowledge_base()
    wrong: list[str] = []

    def ask() -> None:
        for number in range(1, 100):
            fact = base.lookup(f"which element has atomic number {number}?")
            if fact is None or not fact.question.endswith(f" {number}?"):
                wrong.append(str(number))

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_the_general_base_is_the_one_built_from_its_source(tmp_path: Path) -> None:
    report = build(read_source(GENERAL_BASE.with_suffix(".jsonl")), tmp_path / "out.db", "general")
    shipped = open_knowledge_base()
    assert report.content_version == shipped.meta["content_version"]
    assert report.facts == len(shipped) >= 1000
    assert not report.conflicts


def test_a_question_of_the_general_base_is_judged_without_reference() -> None:
    verifier = KnowledgeVerifier(open_knowledge_base())
    assert verifier.verify("What's the capital of Australia?", "Canberra") == 1.0
    assert verifier.verify("What's the capital of Australia?", "Sydney") == 0.0
    assert verifier.verify("What's the capital of Atlantis?", "Poseidonis") == 0.5


def test_kb_commands_build_show_and_add(tmp_path: Path) -> None:
    run = CliRunner().invoke
    source = _jsonl(tmp_path / "a.jsonl", list(FACTS))
    more = _jsonl(tmp_path / "b.jsonl", [{"question": "Where is Freedonia?", "answer": "nowhere"}])
    out = tmp_path / "out.db"
    built = run(app, ["build", str(source), "-o", str(out)])
    assert built.exit_code == 0, built.output
    assert "2 facts" in built.output.replace("\n", " ")
    assert run(app, ["show", str(out), "-q", "Where is Freedonia?"]).exit_code == 1
    assert run(app, ["add", str(out), str(more)]).exit_code == 0
    shown = run(app, ["show", str(out), "-q", "where's freedonia"])
    assert shown.exit_code == 0
    assert "nowhere" in shown.output
    broken = run(app, ["build", str(tmp_path / "none.jsonl"), "-o", str(out)])
    assert broken.exit_code == 2


def test_importing_the_verifier_loads_nothing_heavy() -> None:
    code = (
        "import sys, verifleet.knowledge_base, verifleet.verifiers.knowledge\n"
        "heavy = ('google.cloud.storage', 'google.auth', 'sympy', 'typer', 'rich')\n"
        "print(*[m for m in heavy if m in sys.modules])"
    )
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment)
    assert done.stdout.strip() == ""
