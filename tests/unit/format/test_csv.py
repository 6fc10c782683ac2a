"""CSV by RFC 4180, with LF beside CRLF."""

import csv
import io
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.unit.format.conftest import Judge
from verifleet.verification import FormatReference
from verifleet.verifiers.format.csv_text import check_csv

CSV = FormatReference(format="csv")

ACCEPTED: list[tuple[str, dict[str, Any]]] = [
    ("a,b", {}),
    ("a,b\r\n1,2\r\n", {}),
    ("a,b\n1,2\n", {}),
    ('"a","b"\r\n"1","2"', {}),
    ('a,"b\r\nc"\r\n1,"x""y"\r\n', {}),
    ("a,b\n,\n", {}),
    ('a,b\n"",""\n', {}),
    ("é,日本\n1,2", {}),
    ("a;b\n1,5;2", {"delimiter": ";"}),
    ("a\tb\n1\t2", {"delimiter": "\t"}),
    ("a|b", {"delimiter": "|"}),
    ("one\ntwo\n", {"columns": 1}),
    ("a,b,c", {"columns": 3}),
    ("a,b\n1,2", {"columns": ["a", "b"]}),
    ('"a","b ""c"""\n1,2', {"columns": ["a", 'b "c"']}),
    ("1,2\n3,4", {"columns": ["a", "b"], "header": False}),
    ("  a , b ", {}),
]

REFUSED: list[tuple[str, dict[str, Any], str, int]] = [
    ("", {}, "empty", 0),
    ("\n", {}, "empty", 0),
    ("just prose", {}, "columns", 0),
    ('prose with "quotes",\na,b', {}, "quote", 11),
    ('a,b\n"1\n2",3\n4', {}, "width", 12),
    ('"a\nb","c"\n' * 50_000 + '1,"2"x', {}, "after_quote", 500_005),
    (",".join("a" * 200_000) + "\n" + ",".join("a" * 150_000), {}, "row", 400_000),
    ("a,b\n1\n", {}, "width", 4),
    ("a,b\n1,2,3\n", {}, "width", 4),
    ("a,b\n\n1,2", {}, "width", 4),
    ("\na,b", {}, "columns", 0),
    ("a,b\n1,2\n\n", {}, "width", 8),
    ('a,b\n1,"2', {}, "unclosed_quote", 6),
    ('a,b\n1,"2"x', {}, "after_quote", 9),
    ('a,b\n1,2"x"', {}, "quote", 7),
    ('a, "b"', {}, "quote", 3),
    ("a,b\r1,2", {}, "line_break", 3),
    ("a,b", {"columns": 3}, "width", 0),
    ("a,c\n1,2", {"columns": ["a", "b"]}, "header", 2),
    ("b,a\n1,2", {"columns": ["a", "b"]}, "header", 0),
    ("Here is the CSV:\na,b\n1,2", {}, "columns", 0),
    ("```csv\na,b\n1,2\n```", {}, "columns", 0),
    ("a,\ud800", {}, "lone_surrogate", 2),
]


@pytest.mark.parametrize(("text", "fields"), ACCEPTED)
def test_csv_is_accepted(text: str, fields: dict[str, Any]) -> None:
    assert check_csv(text, FormatReference(format="csv", **fields)) is None


@pytest.mark.parametrize(("text", "fields", "rule", "offset"), REFUSED)
def test_the_first_fault_has_its_rule_and_offset(text: str, fields: dict[str, Any], rule: str, offset: int) -> None:
    fault = check_csv(text, FormatReference(format="csv", **fields))
    assert fault is not None
    assert (fault.rule, fault.offset) == (rule, offset)


def test_white_space_around_csv_is_part_of_it(judge: Judge) -> None:
    assert judge("\na,b\n1,2", "csv").score == 0.0
    assert judge("<think>rows</think>\n\na,b\n1,2", "csv").score == 1.0


tables = (
    st.integers(2, 5)
    .flatmap(lambda width: st.lists(st.lists(st.text(), min_size=width, max_size=width), min_size=1, max_size=6))
    .filter(lambda rows: any(field.strip(" \t\r\n") for row in rows for field in row))
)


@settings(max_examples=200)
@given(tables, st.sampled_from([",", ";", "\t"]), st.booleans())
def test_whatever_the_standard_library_writes_is_accepted(rows: list[list[str]], delimiter: str, quoted: bool) -> None:
    out = io.StringIO()
    quoting = csv.QUOTE_ALL if quoted else csv.QUOTE_MINIMAL
    csv.writer(out, delimiter=delimiter, quoting=quoting).writerows(rows)
    assert check_csv(out.getvalue(), FormatReference(format="csv", delimiter=delimiter)) is None


@given(st.text(alphabet='a",\r\n', max_size=12))
def test_quick_and_exact_reading_agree(text: str) -> None:
    fault = check_csv(text, CSV)
    assert fault is None or fault.offset is not None
    assert fault is None or fault.rule != "grammar"
