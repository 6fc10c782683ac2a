"""Hostile documents: no crash, no hang, nothing read from outside, no verdict of `error`."""

import socket
import threading
import time
from collections.abc import Iterator
from functools import reduce
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from verifleet.verification import FormatRequest, VerificationResult
from verifleet.verifiers.format import FormatVerifier

SIZE = 200_000


@pytest.fixture(scope="module")
def verifier() -> Iterator[FormatVerifier]:
    verifier = FormatVerifier()
    verifier.check(FormatRequest(response="x = 1", reference={"format": "python"}))  # workers are up from here on
    yield verifier
    verifier.close()


def judge(verifier: FormatVerifier, response: str, reference: Any, **options: Any) -> tuple[VerificationResult, float]:
    if isinstance(reference, str):
        reference = {"format": reference}
    started = time.thread_time()
    result = verifier.check(FormatRequest(response=response, reference=reference, options=options))
    return result, time.thread_time() - started


def entity_bomb(use: str) -> str:
    levels = "".join(f'<!ENTITY l{i + 1} "{f"&l{i};" * 10}">' for i in range(9))
    return f'<!DOCTYPE a [<!ENTITY l0 "lol">{levels}]>{use}'


def alias_bomb(levels: int) -> str:
    names = [f"n{i}" for i in range(levels + 1)]
    lines = [f"{b}: &{b} [{','.join([f'*{a}'] * 9)}]" for a, b in pairwise(names)]
    return f"{names[0]}: &{names[0]} [x, x, x, x, x, x, x, x, x]\n" + "\n".join(lines)


HOSTILE: dict[str, list[str]] = {
    "json": [
        "[" + "[]," * 3_300_000 + "1]",
        "[" + ("[" * 500 + "]" * 500 + ",") * 9_000 + "x",
        "[" + '{"":0},' * 1_400_000 + "x",
        "[" + "1," * 900_000 + "x",
        '"' + "\\ud83d\\ude00" * 800_000 + '\\ud800"',
        "[" * SIZE,
        '{"a":' * SIZE,
        "[" * SIZE + "]" * SIZE,
        '"' + "\\" * SIZE,
        '"' * SIZE,
        "1" * SIZE + "x",
    ],
    "ndjson": ["1\n" * 5_000_000, "[[],[],[],[],[],[],[],[]]\n" * 299_999, "[\n" * SIZE, "1\n" * SIZE + "x"],
    "xml": [
        "<r>" + "<a/>" * 2_400_000,
        "<r>" + "&#65;" * 1_900_000,
        "<r>" + "\n" * 9_000_000 + "<",
        "<!DOCTYPE r [<!ATTLIST a i IDREF #IMPLIED>]><r>" + "".join(f'<a i="i{i}"/>' for i in range(200_000)),
        "<a>" * SIZE,
        entity_bomb("<a>&l9;</a>"),
        entity_bomb('<a x="&l9;"/>'),
        f'<!DOCTYPE a [<!ENTITY e "{"a" * 60_000}">]><a>{"&e;" * 60_000}</a>',
        "<!DOCTYPE a [" + "".join(f'<!ENTITY e{i} "&e{i + 1};">' for i in range(5_000)) + "]><a>&e0;</a>",
        "<!DOCTYPE a [" + "".join(f'<!ENTITY e{i} SYSTEM "x">' for i in range(5_000)) + "]><a/>",
        "<!DOCTYPE a [<!ELEMENT a " + "(" * 50_000 + "b" + ")" * 50_000 + ">]><a/>",
        "<" * SIZE,
        "&" * SIZE,
    ],
    "csv": [
        "\n" * SIZE + "x",
        "a,b" + " " * SIZE + "\nc",
        '"' * SIZE + "x",
        '"a"b,' * SIZE,
        "\r" * SIZE,
        "," * SIZE + "\nx",
    ],
    "yaml": [
        "[" * SIZE,
        "{a: " * SIZE,
        "- " * SIZE,
        "? " * SIZE,
        "\n".join(" " * i + "a:" for i in range(1_500)),
        alias_bomb(9),
        "- &a [x, x]\n" + "- &a [*a, *a, *a, *a]\n" * 20 + "!",
        "&a [*a]",
        "".join(f"- &a{i} x\n- *a{i}\n" for i in range(60_000)) + "!",
        '- "' + ": >" * 300_000 + "\n",
        "{k: 1, " + "k: 1, " * 100_000 + "}",
    ],
    "toml": ["a." * 24_000 + "a=", "a = " + "[" * SIZE, ".".join("a" * SIZE) + "=", "a = '" + "x" * SIZE],
    "html": [
        "<template>" + "<!---->" * 690 + "</b></template>",
        "<template>" + "<!--" * 1_200,
        "<template><td>" * 300 + "</template>" * 60,
        "<div>" * SIZE,
        "<a " + "x=1 " * SIZE + ">",
        "<table>" * SIZE,
    ],
    "email": [
        "a@[IPv6:]",
        "a@[IPv6:\t ]",
        "a" * SIZE + "@b.c",
        "(" * 900 + "@b",
        '"' * 900 + "@b",
        "é." * 450 + "@b",
        "a@[" + ":" * 900 + "]",
    ],
    "url": ["http://" + "a@" * SIZE, "http://[" + ":" * SIZE, "a" * SIZE],
    "regex": ["(" * SIZE, "(?<a>" * 50_000, "[" * SIZE, "a{1," * SIZE, "(?:" * SIZE + ")" * SIZE + "*)"],
    "semver": ["1.2.3-" + "0a." * SIZE, "1.2.3-" + "0" * SIZE],
    "duration": ["P" + "1" * SIZE, "P1D" * SIZE],
    "ipv4": ["1." * SIZE, "9" * SIZE],
    "ipv6": [":" * SIZE, "1:" * SIZE],
    "uuid": ["0" * SIZE, "-" * SIZE],
    "date": ["2024-" * SIZE, "9" * SIZE],
    "time": ["10:" * SIZE, "10:00:00." + "0" * SIZE],
    "date-time": ["2024-02-29T" * SIZE, "2024-02-29T10:00:00." + "0" * SIZE],
    "tool_call": [
        "f(" * SIZE,
        "[" * 90_000,
        "<tool_call>" * 18_000,
        '{"name":' * 20_000,
        "<function=a>" * 15_000,
        "```" * 60_000,
    ],
    "markdown_table": ["|" * SIZE, "|a|\n" * SIZE],
    "python": ["(" * SIZE, "-" * SIZE + "1", "a." * SIZE + "b", "not " * SIZE, "x = [" + "1," * SIZE, 'f"{' * 500],
    "javascript": ["(" * SIZE, "[" * SIZE, "`${" * SIZE, "{" * SIZE, "a=>" * SIZE, "/*" * SIZE],
    "sql": ["SELECT " + "(" * 5_000, "SELECT 1 " + "OR 1 " * 5_000 + "OR )", "'" + ";" * SIZE, "SELECT 1;" * 500 + "x"],
}


@pytest.mark.parametrize(
    ("name", "text"),
    [(name, text) for name, texts in HOSTILE.items() for text in texts],
    ids=[f"{name}-{number}" for name, texts in HOSTILE.items() for number, _ in enumerate(texts)],
)
def test_a_hostile_document_is_refused_quickly(verifier: FormatVerifier, name: str, text: str) -> None:
    result, seconds = judge(verifier, text, name)
    assert result.score == 0.0, result.reason
    assert result.status in ("scored", "unknown")
    assert seconds < 1.0


@pytest.mark.parametrize("name", sorted(HOSTILE))
def test_ten_megabytes_of_anything_get_a_verdict(verifier: FormatVerifier, name: str) -> None:
    for unit in ("a", "<think>"):
        result, _ = judge(verifier, unit * (10_000_000 // len(unit)), name, extract="auto")
        assert result.status in ("scored", "unknown")


def test_nothing_outside_a_document_is_read(verifier: FormatVerifier, tmp_path: Path) -> None:
    secret = tmp_path / "secret.json"
    secret.write_text('{"type": "string"}', encoding="ascii")
    asked: list[tuple[str, int]] = []
    with socket.create_server(("127.0.0.1", 0)) as server:

        def listen() -> None:
            while True:
                try:
                    connection, address = server.accept()
                except OSError:
                    return
                asked.append(address)
                connection.close()

        threading.Thread(target=listen, daemon=True).start()
        for uri in (f"http://127.0.0.1:{server.getsockname()[1]}/x", secret.as_uri()):
            documents = (
                f'<!DOCTYPE a [<!ENTITY e SYSTEM "{uri}">]><a>&e;</a>',
                f'<!DOCTYPE a [<!ENTITY % e SYSTEM "{uri}"> %e;]><a/>',
                f'<!DOCTYPE a SYSTEM "{uri}"><a/>',
                f'<a xmlns:xi="http://www.w3.org/2001/XInclude"><xi:include href="{uri}"/></a>',
            )
            for document in documents:
                result, _ = judge(verifier, document, "xml")
                assert result.status == "scored"
                assert "string" not in result.reason
            schema = {"format": "json", "json_schema": {"$ref": uri}}
            assert judge(verifier, '"x"', schema)[0].details["fault"]["in"] == "reference"
            xsd = f'<x:schema xmlns:x="http://www.w3.org/2001/XMLSchema"><x:include schemaLocation="{uri}"/></x:schema>'
            assert judge(verifier, "<a/>", {"format": "xml", "xsd": xsd})[0].details["fault"]["in"] == "reference"
            judge(verifier, f"import '{uri}'; await import('{uri}')", "javascript")
    assert asked == []


def test_a_schema_that_explodes_is_stopped(verifier: FormatVerifier) -> None:
    steps = {f"s{i}": {"allOf": [{"$ref": f"#/$defs/s{i + 1}"}] * 2} for i in range(60)}
    schema = {"$ref": "#/$defs/s0", "$defs": {**steps, "s60": {"type": "string"}}}
    result, _ = judge(verifier, '"x"', {"json_schema": schema})
    assert (result.score, result.status) == (0.0, "unknown")


@pytest.mark.parametrize(
    "schema",
    [
        {"$ref": "#"},
        {"pattern": "((a{1000}){1000}){1000}"},
        {"pattern": "^(a|a)*$"},
        {"items": {"$ref": "#"}},
        {"anyOf": [{"$ref": "#"}, {"$ref": "#"}]},
        {"$dynamicRef": "#x"},
        {"enum": ["\ud800"]},
        {"pattern": "\ud800"},
        {"properties": {"\ud800": {}}},
        reduce(lambda inner, _: {"items": inner}, range(3_000), {"type": "integer"}),
    ],
    ids=lambda schema: str(type(schema)),
)
def test_a_hostile_schema_never_breaks_us(verifier: FormatVerifier, schema: object) -> None:
    for text in ('"' + "a" * 5_000 + 'b"', "[" * 400 + "]" * 400):
        result, _ = judge(verifier, text, {"json_schema": schema}, partial=True)
        assert result.status in ("scored", "unknown")


@pytest.mark.parametrize(
    ("schema", "text"),
    [
        ({"items": {"enum": [f"v{i}" for i in range(20_000)]}}, "[" + '"x",' * 100_000 + "1]"),
        ({"pattern": r"\w" * 40_000}, '"x"'),
        ({"items": {"type": "string"}}, "[" + "1," * 100_000 + "1]"),
        ({"items": {"propertyNames": {"pattern": "(x+x+)+y"}}}, "[" + '{"a":1},' * 100_000 + "1]"),
        ({"items": {"multipleOf": 1e-300}}, "[" + "7," * 100_000 + "1e-301]"),
    ],
    ids=["enum", "classes", "errors", "names", "multiples"],
)
def test_a_schema_that_is_slow_on_a_long_text_is_stopped(verifier: FormatVerifier, schema: object, text: str) -> None:
    for partial in (False, True):
        result, seconds = judge(verifier, text, {"json_schema": schema}, partial=partial)
        assert result.score == 0.0 or result.verdict == "partial"
        assert seconds < 1.0


def test_a_template_of_many_tags_is_looked_for_in_no_time(verifier: FormatVerifier) -> None:
    template = "".join(f"<t{i}>{{text}}</t{i}>" for i in range(2_000))
    result, seconds = judge(verifier, "<t" * 1_000_000, {"template": template})
    assert result.score == 0.0
    assert seconds < 1.0


def test_an_xsd_that_explodes_is_stopped(verifier: FormatVerifier) -> None:
    xsd = """<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema"><xs:element name="a"><xs:complexType><xs:sequence
    minOccurs="5000" maxOccurs="5000"><xs:sequence minOccurs="5000" maxOccurs="5000"><xs:element name="b"/>
    </xs:sequence></xs:sequence></xs:complexType></xs:element></xs:schema>"""
    result, _ = judge(verifier, "<a/>", {"format": "xml", "xsd": xsd})
    assert result.score == 0.0
    assert result.status in ("scored", "unknown")


def test_a_prompt_of_megabytes_is_searched_in_no_time(verifier: FormatVerifier) -> None:
    units = (
        "return ",
        "as a ",
        "<a>",
        "columns a, ",
        "not ",
        "json ",
        "valid valid ",
        "<a></a>",
        "\n",
        ". ",
        "put <b>",
    )
    for unit in (*units, "how to ", "I need ", "fix the "):
        started = time.thread_time()
        verifier.check(
            FormatRequest(prompt="Return a CSV with columns " + unit * (2_000_000 // len(unit)), response="x")
        )
        assert time.thread_time() - started < 1.0
