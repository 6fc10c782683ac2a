"""YAML, TOML, HTML and Markdown tables."""

from typing import Any

import pytest
import tomli_w
import yaml
from hypothesis import given
from hypothesis import strategies as st

from tests.unit.format.conftest import InlineWorkers, Judge
from verifleet.verification import FormatReference
from verifleet.verifiers.format.html_text import check_html
from verifleet.verifiers.format.markdown_table import check_markdown_table
from verifleet.verifiers.format.toml_text import check_toml
from verifleet.verifiers.format.yaml_text import check_yaml, expansion

WORKERS = InlineWorkers()

YAML_ACCEPTED = [
    "a: 1",
    "- a\n- b",
    "{a: [1, 2], 'b': \"c\"}",
    "a: |\n  text\n  more\nb: >-\n  folded",
    "# comment\n---\na: &x [1]\nb: *x\n...\n",
    "? complex key\n: value",
    "a: !mine x",
    "a: 1\n---\n- b",
    "[]",
    "a:\n- b\n- c",
    '{"json": [true, null, 1e3]}',
    "%YAML 1.2\n---\na: 1",
    "é: ü 😀",
    "a:\t1\nb:\t\ttwo words",
    "---\n\t{a: 1}",
    "-\ta\n- \t{k: 1}\n-\t'b'",
    "a: |\n  \tk: 1\n  [|]",
    'a: "b\n \tk: 1"',
    "a: '[x, |y]'",
    "# [ |\na: [b, 'c|d', e>f]",
    "a: 1\n\t# comment\n\t",
    "- a: 1\n- a: 2",
    "a: {k: 1}\nb: {k: 1}",
    "a: 1\n---\na: 2",
    "1: a\n'1': b",
    "a: |\n  k: 1\n  k: 2",
    "? [a, b]\n: c\n? d",
    "t: !mine 1\nu: !mine {k: 12:30}",
]
YAML_REFUSED = [
    ("", "empty"),
    ("# nothing\n", "empty"),
    ("just a sentence", "top_node"),
    ("42", "top_node"),
    ("a: 1\n---\ntext", "top_node"),
    ("a: [1, 2", "syntax"),
    ("a:\n\tb: 1", "syntax"),
    ("a:\t- b", "syntax"),
    ("a:\tb: c", "syntax"),
    ("\ta: 1", "tab"),
    ("---\n \t- a", "tab"),
    ("a:\n  - \tk: 1", "tab"),
    ("-\t- a", "syntax"),
    ("-\tk: 1\n  l: 2", "tab"),
    ("a: [1, |2]", "syntax"),
    ("{k: >v}", "syntax"),
    ("- [a,\n   | b]", "syntax"),
    ("a: 1\nb: 2\na: 3", "duplicate_key"),
    ("a: 1\n'a': 2", "duplicate_key"),
    ("- {k: 1, k: 2}", "duplicate_key"),
    ("{k, l, k}", "duplicate_key"),
    ("? k\n? k", "duplicate_key"),
    ("1: a\n1: b", "duplicate_key"),
    ("- &x {k: 1}\n- <<: *x\n  <<: *x", "duplicate_key"),
    ("!mine\nk: 1\nk: 2", "duplicate_key"),
    ("a: b: c", "syntax"),
    ("a: *missing", "syntax"),
    ("a: 'x", "syntax"),
    ("a: 1\n b: 2", "syntax"),
    ("- a\nb: 1", "syntax"),
    ("`a: 1`", "syntax"),
    ("```yaml\na: 1\n```", "syntax"),
    ("a: @b", "syntax"),
    ("a: \x07", "control_character"),
    ("a: \ud800", "lone_surrogate"),
    ("a: !!python/object/apply:os.system [ls]", "python_tag"),
    ("%TAG !p! tag:yaml.org,2002:python/\n---\na: !p!name:os.system x", "python_tag"),
    ("- " * 100_000, "depth"),
    ("[" * 100_000, "depth"),
    ("? " * 100_000, "depth"),
]


@pytest.mark.parametrize("text", YAML_ACCEPTED)
def test_yaml_is_accepted(text: str) -> None:
    assert check_yaml(text, WORKERS) is None


@pytest.mark.parametrize(("text", "rule"), YAML_REFUSED, ids=lambda value: str(value)[:20].encode("ascii", "replace"))
def test_what_is_not_yaml_is_refused(text: str, rule: str) -> None:
    fault = check_yaml(text, WORKERS)
    assert fault is not None
    assert fault.rule == rule


def test_the_place_of_a_yaml_fault_is_exact(judge: Judge) -> None:
    fault = judge("a: 1\nb: [1, 2\nc: 3", "yaml").details["fault"]
    assert fault["line"] == 3
    fault = judge("é: 1\r\nx:\r\n  - k: 1\r\n    k: 2", "yaml").details["fault"]
    assert (fault["rule"], fault["line"], fault["column"]) == ("duplicate_key", 4, 5)


def test_the_bound_on_aliases_is_never_below_what_they_expand_to() -> None:
    assert expansion("a: &x [1]\nb: *x") < 100
    bomb = "- &a [x,x]\n" + "".join(f"- &{b} [*{a},*{a}]\n" for a, b in zip("abcdefgh", "bcdefghi", strict=True))
    assert expansion(bomb) >= 2**9
    same_name = "- &a [x,x]\n" + "- &a [*a,*a]\n" * 8
    assert expansion(same_name) >= 2**9


@given(st.recursive(st.integers() | st.text(), lambda x: st.lists(x) | st.dictionaries(st.text(), x), max_leaves=10))
def test_whatever_a_yaml_writer_writes_is_accepted(value: Any) -> None:
    text = yaml.safe_dump({"value": value}, allow_unicode=False)
    assert check_yaml(text, WORKERS) is None


def test_a_schema_judges_yaml_and_toml(judge: Judge) -> None:
    schema = {"properties": {"n": {"type": "integer"}}, "required": ["n"]}
    assert judge("n: 1", {"format": "yaml", "json_schema": schema}).score == 1.0
    assert judge("n: x", {"format": "yaml", "json_schema": schema}).details["fault"]["path"] == "/n"
    assert judge("1: x", {"format": "yaml", "json_schema": schema}).score == 0.0
    assert judge("n = 1", {"format": "toml", "json_schema": schema}).score == 1.0
    assert judge("n = 2024-01-01", {"format": "toml", "json_schema": schema}).score == 0.0


@pytest.mark.parametrize(
    "text", ["", "a = 1", "[t]\nx = [1, 'a']\n[[u]]\ny = 1979-05-27T07:32:00Z", 'a."b c" = {x = 1}']
)
def test_toml_is_accepted(text: str) -> None:
    assert check_toml(text, WORKERS) is None


@pytest.mark.parametrize(
    ("text", "offset"),
    [
        ("a", 1),
        ("a = ", 4),
        ("a = 1\na = 2", 11),
        ("a = 01", 5),
        ("a = 'x", 6),
        ("[a]\n[a]", 6),
        ("a = {b = 1,}", 11),
        ("a = \ud800", 4),
        ("A sentence.", 2),
    ],
)
def test_what_is_not_toml_is_refused_with_its_place(text: str, offset: int) -> None:
    fault = check_toml(text, WORKERS)
    assert fault is not None
    assert fault.offset == offset


@given(st.dictionaries(st.text(min_size=1), st.integers(-(2**63), 2**63 - 1) | st.text() | st.lists(st.booleans())))
def test_whatever_a_toml_writer_writes_is_accepted(value: dict[str, Any]) -> None:
    assert check_toml(tomli_w.dumps(value), WORKERS) is None


@pytest.mark.parametrize(
    "text",
    [
        "<p>Hello</p>",
        "<!DOCTYPE html><html lang='en'><head><title>x</title></head><body><p>a<p>b<br></body></html>",
        "<ul><li>a<li>b</ul>",
        "<p>a &lt; b &copy; &#233;</p>",
        "<script>if (a < b && c) {}</script>",
        "<svg><path d='M0 0'/></svg>",
        "<table><tr><td>x</td></tr></table>",
        "<x-custom data-a=1 hidden></x-custom>",
        '<a href="?a=1&b=2&copy=3">AT&T, R&D</a>',
        "<p>a & b</p>",
        "<p>one<p>two",
        "<!DOCTYPE html><title>x</title><p>a > b",
        "<html><head><title>x</title></head><body>text",
        "<template><td>a</td></template>",
        "<table><template><tr><td>a</template><tr><td>b</table>",
        "<template><p>a</p><template><tr><th>b</template></template>",
        "<!-- <template> --><p>x</p><script>'</template>'</script>",
    ],
)
def test_html_is_accepted(text: str) -> None:
    assert check_html(text, WORKERS) is None


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Hello",
        "Here: <p>x</p>",
        "<p>x</p> Hope this helps",
        "<p>x</p> so a > b",
        "<ul><li>x</ul>Done &amp; dusted",
        "<ul><li>a",
        "<table><tr>x<td>y</table>",
        "<template><div></template>",
        "<template a=1 a=2></template>",
        "<template><p></div></template>",
        "<template>",
        "<p>x</p></template>",
        "<!-- nothing -->",
        "<div><span></div>",
        "<div>",
        "</p></div>",
        "<b><i>x</b></i>",
        "<div/>",
        "<p>a < b</p>",
        '<a href="x" href="y">z</a>',
        "<p>&copy</p>",
        "<p>&bogus;</p>",
        "<p title='&copy'>x</p>",
        "<p>\ud800</p>",
        "<p>\0</p>",
    ],
)
def test_html_with_a_parse_error_is_refused(text: str) -> None:
    assert check_html(text, WORKERS) is not None


def test_an_html_fault_has_its_place(judge: Judge) -> None:
    fault = judge("<p>ok</p>\n<template>\n<b></i></b></template>", "html").details["fault"]
    assert (fault["line"], fault["column"]) == (3, 4)
    fault = judge("<p>ok</p>\n<div/>", "html").details["fault"]
    assert fault["rule"] == "non-void-element-with-trailing-solidus"
    assert fault["line"] == 2


@pytest.mark.parametrize(
    ("text", "fields"),
    [
        ("| a | b |\n|---|---|\n| 1 | 2 |", {}),
        ("a|b\n-|-\n1|2", {}),
        ("| a |\n|:-:|\n| 1 |", {}),
        ("| a \\| b | c |\n| :-- | --: |\n| `x \\| y` | |", {}),
        ("| a | b |\r\n|---|---|\r\n| 1 | 2 |", {}),
        ("| a | b |\n|---|---|", {}),
        ("| a | b |\n|---|---|", {"columns": ["a", "b"]}),
        ("| a | b |\n|---|---|", {"columns": 2}),
    ],
)
def test_a_markdown_table_is_accepted(text: str, fields: dict[str, Any]) -> None:
    assert check_markdown_table(text, FormatReference(format="markdown_table", **fields)) is None


@pytest.mark.parametrize(
    ("text", "fields", "rule"),
    [
        ("", {}, "empty"),
        ("text", {}, "header"),
        ("| a | b |", {}, "delimiter_row"),
        ("| a | b |\n| 1 | 2 |", {}, "delimiter_row"),
        ("| a | b |\n|---|", {}, "width"),
        ("| a | b |\n|---|---|\n| 1 |", {}, "width"),
        ("| a | b |\n|---|---|\n| 1 | 2 | 3 |", {}, "width"),
        ("| a | b |\n|---|---|\n\n| 1 | 2 |", {}, "row"),
        ("| a | b |\n|---|---|\n| 1 | 2 |\nDone.", {}, "row"),
        ("Table:\n| a | b |\n|---|---|", {}, "header"),
        ("| a | b |\n|---|---|", {"columns": ["a", "c"]}, "columns"),
        ("| a | b |\n|---|---|", {"columns": 3}, "columns"),
    ],
)
def test_what_is_no_markdown_table_is_refused(text: str, fields: dict[str, Any], rule: str) -> None:
    fault = check_markdown_table(text, FormatReference(format="markdown_table", **fields))
    assert fault is not None
    assert fault.rule == rule
