"""What a person is told: the rule, the exact place and the path of the first fault, for every format."""

from typing import Any

import pytest

from tests.unit.format.conftest import Judge

XSD = """<x:schema xmlns:x="http://www.w3.org/2001/XMLSchema"><x:element name="a"><x:complexType><x:sequence>
<x:element name="b" type="x:int"/></x:sequence></x:complexType></x:element></x:schema>"""
INTEGERS = {"properties": {"a": {"items": {"type": "integer"}}}}

# response with the fault marked by ¦, reference, rule, path
FAULTS: list[tuple[str, Any, str, str | None]] = [
    ('{"a": [1, 0¦2]}', "json", "number", "/a/1"),
    ('{"a": 1,\n ¦"a": 2}', "json", "duplicate_key", "/a"),
    ('\n {"a/b": [\n  {"c": ¦NaN}]}', "json", "constant", "/a~1b/0/c"),
    ("[1, 2¦", "json", "unclosed", "/1"),
    ('{"a":1}\n{"a":[1¦,]}', "ndjson", "trailing_comma", "/1/a/0"),
    ("1\n¦\n2", "ndjson", "empty_line", None),
    ("<a>\n <b>¦</c></a>", "xml", "tag_name_mismatch", None),
    ("<a b='1' b='2'¦/>", "xml", "attribute_redefined", None),
    ('<!DOCTYPE a [¦<!ENTITY e SYSTEM "x">]><a>&e;</a>', "xml", "external_entity", None),
    ("<?xml version='1.0'?>\n¦<a/>", {"format": "xml", "root": "r"}, "root", "/a"),
    ("<a>\n  ¦<b>x</b>\n</a>", {"format": "xml", "xsd": XSD}, "cvc_datatype_valid_1_2_1", "/a/b"),
    ('a,b\r\n1,2\r\n1,x¦"y\r\n', "csv", "quote", "/2/1"),
    ("a,b\n1,2\n¦1,2,3\n", "csv", "width", "/2"),
    ('a,b\n1,¦"2\n', "csv", "unclosed_quote", "/1/1"),
    ("a,¦c\n1,2", {"format": "csv", "columns": ["a", "b"]}, "header", "/0/1"),
    ("a: 1\nb: [1\nc¦: 2", "yaml", "syntax", None),
    ("# a comment\n¦text", "yaml", "top_node", "/0"),
    ("a: 1\nb: ¦!!python/object:x {}", "yaml", "python_tag", None),
    ("a = 1\nb = 0¦2", "toml", "syntax", None),
    ("a.¦.b@c.example", "email", "consecutivedots", None),
    ("<p>ok</p>\n¦<div/>", "html", "non-void-element-with-trailing-solidus", None),
    ("<p>a</p>¦ bye", "html", "text_outside", None),
    ("| a | b |\n|---|---|\n¦| 1 |", "markdown_table", "width", "/2"),
    ("| a | b |\n¦|---|-x-|", "markdown_table", "delimiter_row", "/1/1"),
    ("https://a¦ b", "url", "host", None),
    ("123e4567-e89b-12d3-a456-42661417400¦g", "uuid", "digit", None),
    ("2024-02-¦30", "date", "day", None),
    ("2024-02-28T¦25:00:00Z", "date-time", "hour", None),
    ("10:00:00¦", "time", "offset", None),
    ("P1¦H", "duration", "unit", None),
    ("1.2.3.¦256", "ipv4", "octet", None),
    ("1:2:¦xyz::", "ipv6", "address", None),
    ("a¦(b", "regex", "group", None),
    ("[¦b-a]", "regex", "range", None),
    ("1.2.¦x", "semver", "patch", None),
    ("x = 1\nif x¦\n  y", "python", "syntax", None),
    ("let a = 1;\nlet b = ¦;", "javascript", "syntax", None),
    ("SELECT 1;\n¦SELEC 2", "sql", "syntax", None),
    ("<n>[1¦,]</n>", {"template": "<n>{json}</n>"}, "trailing_comma", "/0"),
    ("<a>x</a> ¦and", {"template": "<a>{text}</a>"}, "outside", None),
    ("¦abc1", {"pattern": "[a-z]+"}, "pattern", None),
    ('{"a": [1,\n ¦"x"]}', {"format": "json", "json_schema": INTEGERS}, "type", "/a/1"),
    ('{"b":1}\n ¦{"a":1}', {"format": "ndjson", "json_schema": {"required": ["b"]}}, "required", "/1"),
]


@pytest.mark.parametrize(("marked", "reference", "rule", "path"), FAULTS, ids=[marked[:20] for marked, *_ in FAULTS])
def test_the_first_fault_has_its_rule_place_and_path(
    judge: Judge, marked: str, reference: Any, rule: str, path: str | None
) -> None:
    before, _, after = marked.partition("¦")
    fault = judge(before + after, reference).details["fault"]
    line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
    assert (fault["rule"], fault["offset"], fault["line"], fault["column"]) == (rule, len(before), line, column)
    assert fault.get("path") == path


@pytest.mark.parametrize("name", ["yaml", "toml"])
def test_a_schemas_fault_in_yaml_and_toml_has_its_path(judge: Judge, name: str) -> None:
    text = {"yaml": "a:\n- 1\n- x", "toml": 'a = [1, "x"]'}[name]
    fault = judge(text, {"format": name, "json_schema": INTEGERS}).details["fault"]
    assert (fault["rule"], fault["path"], fault["schema_path"]) == ("type", "/a/1", "/properties/a/items/type")


def test_a_reason_is_one_sentence_for_a_person(judge: Judge) -> None:
    assert judge("[1,]", "json").reason == "A comma stands before ']'."
    assert judge("[1]", "json").reason == "The response is valid JSON."
    assert judge("a@b.co", "email").reason == "The response is a valid e-mail address."
