"""Public data sets by their columns: which verifier a row is for, and its prompt, response and reference.

A reader takes a row only if all that it needs is there and of its kind, so the first that takes every row of a sample
is the right one; the more particular come first.
"""

from __future__ import annotations

import base64
import binascii
import io
import json
import pickle
import zlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import Any, Final

from verifleet.errors import SettingsError, ShapeError
from verifleet.references import read_reference
from verifleet.rewards import prompt_text, text_of
from verifleet.routing import guessed
from verifleet.verification import VERIFIER_NAMES, VerifierName

Row = Mapping[str, Any]
SAMPLE: Final = 50
"""Rows that a guess looks at."""
FITTING: Final = 0.9
"""Of them a reader takes at least so many: a file of thousands has an odd row, which is an error of its own."""

RESPONSES: Final = tuple(
    "response completion completions output generated_text prediction solution_str answer_text".split()
)
"""Columns that a response is looked for in, where none is named."""

MAX_TESTS: Final = 64 * 1024 * 1024
"""Bytes of hidden tests once they are inflated."""
_TRUTHS: Final = ("solution", "ground_truth", "answer")
_CODE: Final = ("code", "coding", "program")


class NotThisError(Exception):
    """A row is not of this reader's data set."""


OF_ANOTHER: Final = (
    NotThisError,
    ShapeError,
    KeyError,
    TypeError,
    ValueError,
    AttributeError,
    IndexError,
    RecursionError,
)
"""What reading a row of another data set raises."""


@dataclass(frozen=True, slots=True)
class Reader:
    """A data set: its name, its verifier, and how a row is read.

    `read` gives (prompt, reference) and raises one of OF_ANOTHER for another's row.
    `verifier` is None where the row says it, as `read` then does as its third value.
    """

    name: str
    verifier: VerifierName | None
    read: Callable[[Row], tuple[Any, ...]]

    def request(self, row: Row, response: str | None = None) -> dict[str, Any]:
        """A row as a request with its `verifier`; `response` names the column of the response.

        Raises:
            ShapeError: the row is not of this data set.
        """
        try:
            prompt, reference, *verifier = self.read(row)
        except OF_ANOTHER as error:
            raise ShapeError(f"a row is not of {self.name}: {_why(error)}") from None
        return {
            "verifier": verifier[0] if verifier else self.verifier,
            "request_id": _label(row),
            "prompt": prompt_text(prompt),
            "response": _response(row, response),
            "reference": reference,
        }

    def takes(self, row: Row) -> bool:
        """Whether a row is of this data set."""
        try:
            self.read(row)
        except OF_ANOTHER:
            return False
        return True


def guess(rows: Iterable[Row]) -> list[Reader]:
    """The readers that take a sample, but for an odd row: those that take most of it, the most particular first."""
    sample = list(islice(rows, SAMPLE))
    taken = {reader: sum(map(reader.takes, sample)) for reader in READERS}
    fitting = [reader for reader in READERS if sample and taken[reader] >= FITTING * len(sample)]
    return sorted(fitting, key=lambda reader: -taken[reader])


def reader_named(name: str) -> Reader:
    """The reader of a data set, or of columns that are named: `VERIFIER:PROMPT:REFERENCE`. Raises SettingsError."""
    for reader in READERS:
        if reader.name == name:
            return reader
    verifier, *columns = name.split(":")
    for known in VERIFIER_NAMES:
        if known == verifier and len(columns) == 2:
            return Reader(name, known, partial(_columns, known, columns[0], columns[1]))
    raise SettingsError(
        f"unknown reader {name!r}; there are: {', '.join(reader.name for reader in READERS)}, "
        "and VERIFIER:PROMPT:REFERENCE for columns of your own"
    )


def _why(error: Exception) -> str:
    return f"it has no {error}" if isinstance(error, KeyError) else str(error) or type(error).__name__


def _label(row: Row) -> str | None:
    for name in ("request_id", "id", "task_id", "question_id", "problem_id", "unique_id", "uuid", "key"):
        if isinstance(value := row.get(name), (str, int)):
            return str(value)
    return None


def _response(row: Row, column: str | None) -> str:
    named = response_column(row, column)
    return "" if named is None else text_of(row[named])


def response_column(row: Row, column: str | None = None) -> str | None:
    """Where a row has its response: in the column that is named, else in the first that is known; None without one.

    Raises:
        ShapeError: there is no column of that name.
    """
    if column is not None and column not in row:
        raise ShapeError(f"a row has no column {column!r}; it has {', '.join(row)}")
    return column or next((name for name in RESPONSES if row.get(name) is not None), None)


# --- what columns hold ----------------------------------------------------------------


def _is(holds: bool, what: str) -> None:
    if not holds:
        raise NotThisError(what)


def _text(row: Row, *names: str) -> str:
    """The first of the columns that is there; it holds text."""
    for name in names:
        if (value := row.get(name)) is not None:
            _is(isinstance(value, str), f"{name} is no text")
            return str(value)
    raise KeyError(" or ".join(names))


def _list(row: Row, name: str) -> list[Any]:
    value = row[name]
    value = value.tolist() if hasattr(value, "tolist") else value
    value = json.loads(value) if isinstance(value, str) else value
    _is(isinstance(value, list), f"{name} is no list")
    return list(value)


def _answer(row: Row) -> str:
    value = row["answer"]
    _is(isinstance(value, (str, int, float)) and str(value).strip() != "", "answer is no text")
    return str(value)


# --- mathematics ------------------------------------------------------------------------


def _gsm8k(row: Row) -> tuple[Any, ...]:
    question, answer = _text(row, "question"), _text(row, "answer")
    _, mark, last = answer.rpartition("####")
    _is(bool(mark) and bool(last.strip()), "answer has no ####")
    return question, {"answer": last.strip()}


def _simpleqa(row: Row) -> tuple[Any, ...]:
    metadata = row["metadata"]
    _is("topic" in metadata and "answer_type" in str(metadata), "metadata has no topic and answer_type")
    return _text(row, "problem"), {"answer": _answer(row)}


def _deepscaler(row: Row) -> tuple[Any, ...]:
    _text(row, "solution")
    _is("source" not in row and "level" not in row, "it is of another")
    return _text(row, "problem"), {"answer": _answer(row)}


def _numina(row: Row) -> tuple[Any, ...]:
    _text(row, "source")
    solution = _text(row, "solution")
    given = row.get("answer")
    if isinstance(given, str) and given.strip() not in ("", "proof", "notfound"):
        return _text(row, "problem"), {"answer": given}
    _is("\\boxed" in solution or given is not None, "solution has no \\boxed")
    return _text(row, "problem"), {"answer": solution} if "\\boxed" in solution else None


def _math(row: Row) -> tuple[Any, ...]:
    solution = _text(row, "solution")
    _is("level" in row or "type" in row or "subject" in row, "it has no level, type or subject")
    answer = row.get("answer")
    _is(isinstance(answer, str) or "\\boxed" in solution, "solution has no \\boxed")
    return _text(row, "problem"), {"answer": answer if isinstance(answer, str) else solution}


# --- what trainers hold -------------------------------------------------------------------


def _verl(row: Row) -> tuple[Any, ...]:
    """The shape of verl's data: DAPO, PRIME's Eurus, and what users make."""
    truth = row["reward_model"]["ground_truth"]
    says = f"{row.get('ability') or ''} {row['data_source']}".lower()
    verifier: VerifierName = "code" if any(word in says for word in _CODE) or _has_tests(truth) else "math"
    if isinstance(truth, str) and verifier == "code":
        truth = json.loads(truth)
    return row["prompt"], truth if isinstance(truth, dict) else {"answer": truth}, verifier


def _has_tests(truth: Any) -> bool:
    if isinstance(truth, str) and truth.lstrip()[:1] == "{":
        try:
            truth = json.loads(truth)
        except ValueError:
            return False
    return isinstance(truth, Mapping) and ("inputs" in truth or "tests" in truth)


def _own(row: Row) -> tuple[Any, ...]:
    """Our own rows, as `verifleet audit` and `/verify` take them, with the verifier's name."""
    _is(row["verifier"] in ("math", "code", "knowledge", "format"), "verifier is none of ours")
    _text(row, "response")
    return row.get("prompt") or "", row.get("reference"), row["verifier"]


def _columns(verifier: VerifierName, prompt: str, reference: str, row: Row) -> tuple[Any, ...]:
    """A row of columns that the user named; an empty name is no column."""
    value = read_reference(verifier, row[reference]) if reference else None
    return row[prompt] if prompt else "", value


def _trl(row: Row) -> tuple[Any, ...]:
    """What TRL's rewards are given: a prompt, and an answer in mathematics, or a solution that boxes one."""
    prompt = row["prompt"]
    _is(isinstance(prompt, (str, list)) and bool(prompt), "prompt is neither text nor messages")
    name = next((name for name in _TRUTHS if row.get(name) is not None), " or ".join(_TRUTHS))
    given = row[name]
    _is(isinstance(given, (str, int, float)) and not isinstance(given, bool), f"{name} is neither text nor number")
    text = str(given).strip()
    _is(text != "" and ("\\boxed" in text or "\n" not in text), f"{name} is no answer")
    _is(guessed({"reference": text}, VERIFIER_NAMES) == "math", f"{name} is no answer in mathematics")
    return prompt, {"answer": text}


# --- programs -----------------------------------------------------------------------------


def _apps(row: Row) -> tuple[Any, ...]:
    """APPS and TACO."""
    tests = row["input_output"]
    tests = json.loads(tests) if isinstance(tests, str) else tests
    _is("inputs" in tests and "outputs" in tests, "input_output has no inputs and outputs")
    return _text(row, "question", "problem"), dict(tests)


def _livecodebench(row: Row) -> tuple[Any, ...]:
    tests = _list(row, "public_test_cases")
    if row.get("private_test_cases"):
        tests = tests + _hidden(row["private_test_cases"])
    reference = {"public_test_cases": tests}
    if row.get("metadata"):
        reference["metadata"] = row["metadata"]
    return _text(row, "question_content"), reference


class _TextOnly(pickle.Unpickler):
    """Reads a pickled text, and nothing that would have to be found and called."""

    def find_class(self, module: str, name: str) -> Any:
        raise pickle.UnpicklingError(f"holds {module}.{name}, which no text does")


def _hidden(given: Any) -> list[Any]:
    """Hidden tests: JSON as it is, or pickled, deflated and in base64, as LiveCodeBench publishes them."""
    if not isinstance(given, str):
        return list(given)
    try:
        return list(json.loads(given))
    except ValueError:
        pass
    try:
        inflater = zlib.decompressobj()
        data = inflater.decompress(base64.b64decode(given), MAX_TESTS)
        _is(not inflater.unconsumed_tail, f"private_test_cases come to more than {MAX_TESTS} bytes")
        text = _TextOnly(io.BytesIO(data)).load()
        return list(json.loads(text))
    except (binascii.Error, zlib.error, pickle.UnpicklingError, EOFError) as error:
        raise NotThisError(f"private_test_cases can't be read: {error}") from None


def _mbpp(row: Row) -> tuple[Any, ...]:
    names = ("test_imports", "test_setup_code", "challenge_test_list")
    reference = {name: row[name] for name in names if row.get(name)}
    return _text(row, "text", "prompt"), {**reference, "test_list": _list(row, "test_list")}


def _humaneval(row: Row) -> tuple[Any, ...]:
    return _text(row, "prompt"), {"test": _text(row, "test"), "entry_point": _text(row, "entry_point")}


# --- knowledge, formats -----------------------------------------------------------------------


def _triviaqa(row: Row) -> tuple[Any, ...]:
    answer = row["answer"]
    value, aliases = answer["value"], list(answer["aliases"])
    return _text(row, "question"), {"answer": value, "aliases": [one for one in aliases if one != value]}


def _nq(row: Row) -> tuple[Any, ...]:
    answers = _list(row, "answer") if not isinstance(row["answer"], str) else []
    _is(bool(answers) and all(isinstance(one, str) for one in answers), "answer is no list of texts")
    return _text(row, "question"), {"answer": answers[0], "aliases": answers[1:]}  # any one is right


def _ifeval(row: Row) -> tuple[Any, ...]:
    kwargs = [_given(one) for one in _list(row, "kwargs")]
    return row["prompt"], {"instruction_id_list": _list(row, "instruction_id_list"), "kwargs": kwargs}


def _given(arguments: Any) -> dict[str, Any]:
    """Columnar files fill in None for each argument of the other instructions."""
    return {name: value for name, value in (arguments or {}).items() if value is not None}


def _bfcl(row: Row) -> tuple[Any, ...]:
    tools, turns = _list(row, "function"), _list(row, "question")
    _is(bool(turns) and isinstance(turns[0], list), "question is no list of turns")
    _is(len(turns) == 1, "several turns are not judged one by one")
    reference: dict[str, Any] = {"tools": tools}
    if row.get("ground_truth") is not None:
        reference["expected"] = _list(row, "ground_truth")
    return turns[0], reference


READERS: Final = (
    Reader("verifleet", None, _own),
    Reader("verl", None, _verl),
    Reader("ifeval", "format", _ifeval),
    Reader("bfcl", "format", _bfcl),
    Reader("livecodebench", "code", _livecodebench),
    Reader("apps", "code", _apps),
    Reader("mbpp", "code", _mbpp),
    Reader("humaneval", "code", _humaneval),
    Reader("gsm8k", "math", _gsm8k),
    Reader("simpleqa", "knowledge", _simpleqa),
    Reader("triviaqa", "knowledge", _triviaqa),
    Reader("nq", "knowledge", _nq),
    Reader("numinamath", "math", _numina),
    Reader("deepscaler", "math", _deepscaler),
    Reader("math", "math", _math),
    Reader("trl", "math", _trl),
)
"""The more particular before the more general."""
