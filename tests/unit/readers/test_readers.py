"""Rows as public data sets have them become requests that their verifier judges right."""

import base64
import contextlib
import gzip
import io
import json
import pickle
import random
import zlib
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from typer.testing import CliRunner

from verifleet.cli import app
from verifleet.commands.doctoring import Visit, examine
from verifleet.commands.guess import run_guess
from verifleet.errors import SettingsError, ShapeError
from verifleet.readers import READERS, Reader, files_in, guess, joined, reader_named, rows_in
from verifleet.readers.files import raw_rows
from verifleet.rewards import make_verifier
from verifleet.scoring import bulk
from verifleet.scoring.rows import CHUNK, How, in_chunks
from verifleet.verification import parse_request

STDIN = {"inputs": ["1\n", "2\n"], "outputs": ["2\n", "3\n"]}
ADDS, DOUBLES = "```python\nprint(int(input()) + 1)\n```", "```python\nprint(int(input()) * 5)\n```"
HIDDEN = base64.b64encode(
    zlib.compress(pickle.dumps(json.dumps([{"input": "2", "output": "3", "testtype": "stdin"}])))
).decode()

# name, row, right response, wrong response
ROWS: list[tuple[str, dict[str, Any], str, str]] = [
    (
        "gsm8k",
        {
            "question": "Natalia sold clips to 48 of her friends in April, and half as many in May. Altogether?",
            "answer": "In May she sold 48/2 = <<48/2=24>>24 clips.\nAltogether 48+24 = <<48+24=72>>72.\n#### 72",
        },
        "So \\boxed{72}",
        "So \\boxed{24}",
    ),
    (
        "math",
        {"problem": "What is $1+1$?", "level": "Level 1", "type": "Algebra", "solution": "It is $\\boxed{2}$."},
        "\\boxed{2}",
        "\\boxed{3}",
    ),
    (
        "math",
        {
            "problem": "What is $1+1$?",
            "solution": "…",
            "answer": "2",
            "subject": "Algebra",
            "level": 1,
            "unique_id": "a",
        },
        "\\boxed{2}",
        "\\boxed{3}",
    ),
    (
        "numinamath",
        {"source": "cn_k12", "problem": "Half of 3?", "solution": "so \\boxed{\\frac{3}{2}}", "messages": []},
        "\\boxed{1.5}",
        "\\boxed{3}",
    ),
    (
        "numinamath",
        {"source": "aops", "problem": "Half of 3?", "solution": "…", "answer": "3/2", "question_type": "math-word"},
        "\\boxed{1.5}",
        "\\boxed{3}",
    ),
    ("deepscaler", {"problem": "1+1?", "answer": "2", "solution": ""}, "\\boxed{2}", "\\boxed{3}"),
    ("trl", {"prompt": "Half of 3?", "completion": "", "solution": "1.5"}, "\\boxed{\\frac{3}{2}}", "\\boxed{3}"),
    (
        "trl",
        {
            "prompt": [{"role": "user", "content": "Half of 3?"}],
            "solution": "Half of 3 is $3/2$, so \\boxed{\\frac{3}{2}}.",
        },
        "\\boxed{1.5}",
        "\\boxed{3}",
    ),
    (
        "verl",
        {
            "data_source": "math_dapo",
            "prompt": [{"role": "user", "content": "1+1?"}],
            "ability": "MATH",
            "reward_model": {"ground_truth": "2", "style": "rule-lighteval/MATH_v2"},
            "extra_info": {"index": "a"},
        },
        "Answer: 2",
        "Answer: 3",
    ),
    (
        "verl",
        {
            "data_source": "taco",
            "prompt": [{"role": "system", "content": "s"}, {"role": "user", "content": "add one"}],
            "ability": "code",
            "reward_model": {"ground_truth": json.dumps(STDIN), "style": "rule"},
        },
        ADDS,
        DOUBLES,
    ),
    (
        "apps",
        {
            "problem_id": 7,
            "question": "add one",
            "solutions": "[]",
            "input_output": json.dumps(STDIN),
            "starter_code": "",
        },
        ADDS,
        DOUBLES,
    ),
    (
        "livecodebench",
        {
            "question_content": "add one",
            "question_id": "abc",
            "public_test_cases": '[{"input": "1", "output": "2", "testtype": "stdin"}]',
            "private_test_cases": HIDDEN,
            "metadata": "{}",
        },
        ADDS,
        DOUBLES,
    ),
    (
        "mbpp",
        {
            "task_id": 2,
            "text": "Write a function to add one.",
            "code": "",
            "test_list": ["assert up(1) == 2", "assert up(2) == 3"],
            "test_setup_code": "",
            "challenge_test_list": [],
        },
        "def up(a): return a + 1",
        "def up(a): return a * 2",
    ),
    (
        "humaneval",
        {
            "task_id": "HumanEval/0",
            "prompt": "def up(a):\n",
            "canonical_solution": "    return a + 1\n",
            "test": "def check(candidate):\n    assert candidate(1) == 2\n    assert candidate(2) == 3\n",
            "entry_point": "up",
        },
        "def up(a):\n    return a + 1",
        "def up(a):\n    return a * 2",
    ),
    (
        "triviaqa",
        {
            "question": "Which American-born Sinclair won the Nobel Prize for Literature in 1930?",
            "question_id": "tc_1",
            "answer": {"value": "Sinclair Lewis", "aliases": ["Harry Sinclair Lewis", "Sinclair Lewis"]},
        },
        "Harry Sinclair Lewis",
        "Upton Sinclair",
    ),
    ("nq", {"question": "when was it founded", "answer": ["1922", "January 1922"]}, "It was in 1922.", "In 1930."),
    (
        "simpleqa",
        {"metadata": "{'topic': 'Science', 'answer_type': 'Person'}", "problem": "Who?", "answer": "Michio Sugeno"},
        "Michio Sugeno",
        "Takagi",
    ),
    (
        "ifeval",
        {
            "key": 1000,
            "prompt": "Write without commas.",
            "instruction_id_list": ["punctuation:no_comma"],
            "kwargs": [{"num_words": None, "relation": None}],
        },
        "no commas here",
        "one, two",
    ),
    (
        "bfcl",
        {
            "id": "simple_0",
            "question": [[{"role": "user", "content": "Area of a triangle, base 10, height 5?"}]],
            "function": [
                {
                    "name": "area",
                    "description": "",
                    "parameters": {
                        "type": "dict",
                        "properties": {"base": {"type": "integer"}, "height": {"type": "integer"}},
                        "required": ["base", "height"],
                    },
                }
            ],
            "ground_truth": [{"area": {"base": [10], "height": [5]}}],
        },
        "area(base=10, height=5)",
        "area(base=5, height=10)",
    ),
    (
        "verifleet",
        {"verifier": "math", "prompt": "1+1?", "response": "2", "reference": {"answer": "2"}},
        "\\boxed{2}",
        "\\boxed{3}",
    ),
]


@pytest.mark.parametrize(("name", "row", "right", "wrong"), ROWS, ids=[f"{row[0]}{i}" for i, row in enumerate(ROWS)])
def test_a_row_is_guessed_by_its_columns_and_judged_by_its_verifier(
    name: str, row: dict[str, Any], right: str, wrong: str
) -> None:
    assert guess([row])[0].name == name
    for response, score in ((right, 1.0), (wrong, 0.0)):
        request = reader_named(name).request({**row, "response": response})
        verifier = request.pop("verifier")
        result = make_verifier(verifier).check(parse_request(verifier, request))
        assert (result.score, result.status) == (score, "scored"), result.reason


def test_every_reader_has_a_row() -> None:
    assert {reader.name for reader in READERS} == {row[0] for row in ROWS}


def test_rows_of_no_data_set_or_of_two_are_not_guessed() -> None:
    assert guess([]) == []
    assert guess([{"text": "spam", "label": 1}]) == []
    assert guess([ROWS[0][1], {"question": "q", "answer": "42"}]) == []
    with pytest.raises(ShapeError, match="not of gsm8k: answer has no ####"):
        reader_named("gsm8k").request({"question": "q", "answer": "42"})
    with pytest.raises(ShapeError, match="not of gsm8k: it has no 'answer'"):
        reader_named("gsm8k").request({"question": "q"})
    with pytest.raises(SettingsError, match="unknown reader 'gsm'; there are: verifleet, verl"):
        reader_named("gsm")


@pytest.mark.parametrize(
    "row",
    [
        {"prompt": "Capital of France?", "solution": "Paris"},
        {"prompt": "1+1?", "solution": "It is two, as everybody knows."},
        {"prompt": "Add one.", "solution": "def up(a):\n    return a + 1"},
        {"prompt": "Add one.", "ground_truth": {"inputs": ["1"], "outputs": ["2"]}},
        {"prompt": "Say a.", "solution": "def up():\n    print('a\\n')"},
        {"prompt": "Is this fine?", "completion": "yes", "label": 1},
        {"prompt": "Is this fine?", "completion": "yes", "answer": True},
        {"prompt": "", "solution": "2"},
        {"prompt": "1+1?", "solution": " "},
        {"question": "1+1?", "solution": "2"},
    ],
)
def test_rows_whose_reference_is_no_answer_in_mathematics_are_not_taken_for_trainers_rows(row: dict[str, Any]) -> None:
    assert guess([row]) == []


def test_hidden_tests_that_would_run_something_are_not_read() -> None:
    class Evil:
        def __reduce__(self) -> tuple[Any, ...]:
            return print, ("run",)

    hidden = base64.b64encode(zlib.compress(pickle.dumps(Evil()))).decode()
    with pytest.raises(ShapeError, match=r"private_test_cases can't be read: holds builtins\.print"):
        reader_named("livecodebench").request(
            {"question_content": "q", "public_test_cases": "[]", "private_test_cases": hidden}
        )


def test_a_response_is_looked_for_or_named_and_may_be_messages() -> None:
    row = ROWS[0][1]
    reader = reader_named("gsm8k")
    assert reader.request({**row, "completion": [{"role": "assistant", "content": "72"}]})["response"] == "72"
    assert reader.request({**row, "mine": "72"}, "mine")["response"] == "72"
    assert reader.request(row)["response"] == ""
    with pytest.raises(ShapeError, match="no column 'mine'; it has question, answer"):
        reader.request(row, "mine")


def test_rows_come_out_of_every_kind_of_file(tmp_path: Path) -> None:
    rows = [{"a": n, "b": ["x", None]} for n in range(3)]
    lines = "".join(json.dumps(row) + "\n" for row in rows)
    (tmp_path / "a.jsonl").write_text(lines + "\n")
    (tmp_path / "b.json").write_text(json.dumps(rows, indent=1))
    with gzip.open(tmp_path / "c.jsonl.gz", "wt") as file:
        file.write(lines)
    for name in ("a.jsonl", "b.json", "c.jsonl.gz"):
        assert list(rows_in(tmp_path / name)) == rows
    assert list(rows_in(tmp_path)) == rows * 3
    pyarrow = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    table = pyarrow.Table.from_pylist(rows)
    parquet.write_table(table, tmp_path / "d.parquet")
    assert list(rows_in(tmp_path / "d.parquet")) == rows
    saved = tmp_path / "saved" / "train"
    saved.mkdir(parents=True)
    (saved / "state.json").write_text("{}")
    with (
        pyarrow.OSFile(str(saved / "data-00000-of-00001.arrow"), "wb") as out,
        pyarrow.ipc.new_stream(out, table.schema) as stream,
    ):
        stream.write_table(table)
    assert list(rows_in(tmp_path / "saved")) == rows
    (tmp_path / "bad.parquet").write_text("no")
    with pytest.raises(ShapeError, match="is not Parquet"):
        list(rows_in(tmp_path / "bad.parquet"))


def test_what_is_no_row_is_said_with_its_line(tmp_path: Path) -> None:
    file = tmp_path / "a.jsonl"
    file.write_text('{"a": 1}\n{"a": \n')
    rows = rows_in(file)
    assert next(rows) == {"a": 1}
    with pytest.raises(ShapeError, match=r"a\.jsonl line 2 is not JSON"):
        next(rows)
    file.write_text("[1]")
    with pytest.raises(ShapeError, match="item 1 is not a JSON object"):
        list(rows_in(file))
    with pytest.raises(SettingsError, match="can't be read: No such file"):
        list(rows_in(tmp_path / "none.jsonl"))
    file.write_bytes(b"\xff\xfe")
    with pytest.raises(ShapeError, match="is not UTF-8"):
        list(rows_in(file))


def test_guess_tells_what_is_no_row_by_its_line_and_goes_on(tmp_path: Path) -> None:
    file = tmp_path / "a.jsonl"
    file.write_text(json.dumps(ROWS[0][1]) + "\n{\n" + json.dumps(ROWS[0][1]) + "\n")
    shown = CliRunner().invoke(app, ["guess", str(file)])
    assert shown.exit_code == 0
    assert f"! {file} line 2 is not JSON" in shown.output
    assert "gsm8k takes the first 2 rows" in shown.output


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "a.jsonl holds no rows"),
        (b"[]", "a.jsonl holds no rows"),
        (b"\n\n", "a.jsonl holds no rows"),
        (b"no\n", "a.jsonl holds no rows: .*line 1 is not JSON"),
        (b"\n\xff\n" * 40, "none of its first 40 lines is a row; .*line 2 is not UTF-8"),
    ],
)
def test_a_file_without_rows_is_told_in_a_sentence_by_guess_score_and_doctor(
    tmp_path: Path, content: bytes, said: str
) -> None:
    file = tmp_path / "a.jsonl"
    file.write_bytes(content)
    for run in (
        lambda: list(run_guess(file, 1)),
        lambda: bulk.score(bulk.Job(file, tmp_path / "out.jsonl")),
        lambda: bulk.score(bulk.Job(file, tmp_path / "out.jsonl", "gsm8k")),
        lambda: examine(Visit(file, "column:score", How("gsm8k"))),
    ):
        with pytest.raises(ShapeError, match=said):
            run()


def test_guess_tells_the_first_odd_lines_and_how_many_more_there_are(tmp_path: Path) -> None:
    file = tmp_path / "a.jsonl"
    file.write_text(json.dumps(ROWS[0][1]) + "\n" + "no\n" * 20)
    told = [line for line in run_guess(file, 1) if line.startswith("!")]
    assert [line[:30] for line in told[-2:]] == [f"! {file} line 6 is"[:30], "! and 15 more"]
    assert len(told) == 6


def test_columns_of_another_file_come_to_the_rows_of_the_same_id(tmp_path: Path) -> None:
    def write(name: str, rows: list[dict[str, Any]]) -> Path:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("".join(json.dumps(row) + "\n" for row in rows))
        return tmp_path / name

    asked = {"question": [[{"role": "user", "content": "Sum 1 and 2."}]], "function": [{"name": "add"}]}
    write("simple.json", [{"id": "simple_1", **asked}, {"id": "simple_0", **asked}, {"id": 7, **asked}])
    write("possible_answer/simple.json", [{"id": f"simple_{n}", "ground_truth": [{"add": {"a": [n]}}]} for n in (0, 1)])
    said = write("said.jsonl", [{"id": "7", "result": "none", "function": []}])
    for source in (tmp_path / "simple.json", tmp_path):
        rows = [row for row in rows_in(source) if "question" in row]
        assert [row.get("ground_truth") for row in rows] == [[{"add": {"a": [1]}}], [{"add": {"a": [0]}}], None]
    [bfcl] = guess(rows)
    assert bfcl.request(rows[0])["reference"]["expected"] == [{"add": {"a": [1]}}]
    shown = "\n".join(run_guess(tmp_path / "simple.json", 3, join=[str(said)]))
    assert shown.count('"expected"') == 2  # those beside the file are still there
    [*_, last] = rows_in(joined(files_in(tmp_path / "simple.json"), files_in(said)))
    assert (last["result"], last["function"]) == ("none", asked["function"])  # a column of its own stays
    write("said.jsonl", [{"id": "7"}, {"id": 7}])
    with pytest.raises(SettingsError, match=r"said\.jsonl can't be joined by id: two rows have 7"):
        list(rows_in(joined(files_in(tmp_path / "simple.json"), files_in(said))))


def test_rows_are_pulled_from_a_file_as_they_are_wanted(tmp_path: Path) -> None:
    class Endless(io.RawIOBase):
        pulled = 0

        def readable(self) -> bool:
            return True

        def readinto(self, buffer: Any) -> int:
            line = b'{"a": 1}\n'
            size = len(buffer) // len(line) * len(line)
            buffer[:size] = line * (size // len(line))
            self.pulled += size
            return size

    class Pipe(NamedTuple):
        name = "endless.jsonl"
        size = 0
        stream: Endless

        def open(self) -> io.BufferedReader:
            return io.BufferedReader(self.stream)

    endless = Endless()
    chunks = in_chunks(raw_rows([Pipe(endless)]))
    for _ in range(10):
        assert len(next(chunks)) == CHUNK
    assert endless.pulled < 10 * CHUNK * 9 + 2 * io.DEFAULT_BUFFER_SIZE


def test_guess_shows_rows_as_requests(tmp_path: Path) -> None:
    file = tmp_path / "a.jsonl"
    file.write_text((json.dumps(ROWS[0][1]) + "\n") * 5)
    shown = CliRunner().invoke(app, ["guess", str(file), "--rows", "2"])
    assert shown.exit_code == 0
    assert "gsm8k takes the first 5 rows" in shown.output
    assert shown.output.count('"reference": {"answer": "72"}') == 2
    assert "the row holds no response" in shown.output
    file.write_text('{"text": "spam", "label": 1}')
    shown = CliRunner().invoke(app, ["guess", str(file)])
    assert isinstance(shown.exception, ShapeError)
    assert "the first has the columns text, label" in str(shown.exception)


@pytest.mark.parametrize("reader", [*READERS, reader_named("math:prompt:reference")], ids=lambda reader: reader.name)
def test_no_value_of_a_column_makes_a_reader_fail_otherwise_than_by_saying_so(reader: Reader) -> None:
    deep = "[" * 100_000
    values: list[Any] = [None, 0, float("nan"), "", deep, '{"inputs":' + deep, [], [None], {}, {"ground_truth": deep}]
    columns = (
        "prompt response reference question answer problem solution reward_model data_source metadata kwargs function "
        "instruction_id_list public_test_cases private_test_cases question_content input_output test_list test"
    ).split()
    seeded = random.Random(5)
    for _ in range(500):
        row = {name: seeded.choice(values) for name in columns}
        with contextlib.suppress(ShapeError):
            reader.request(row)
        assert reader.takes(row) in (True, False)


def test_guess_shows_rows_as_a_reader_that_is_named_takes_them(tmp_path: Path) -> None:
    file = tmp_path / "a.jsonl"
    file.write_text('{"q": "1+1?", "gold": "2", "response": "2"}\n')
    with pytest.raises(ShapeError, match="--reader VERIFIER:PROMPT:REFERENCE"):
        list(run_guess(file, 1))
    assert '"reference": {"answer": "2"}' in "\n".join(run_guess(file, 1, "math:q:gold"))
    with pytest.raises(ShapeError, match="it has no 'wrong'"):
        list(run_guess(file, 1, "math:q:wrong"))
