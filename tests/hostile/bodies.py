# ruff: noqa: E501  (tables are easier to read with one body a line)
"""Requests that are small and cost much, by verifier: what each function must judge without holding up the others.

`hostile(name)` gives (label, body) pairs; `normal(name)` gives (body, score) pairs with known verdicts.
"""

from __future__ import annotations

from functools import reduce
from itertools import pairwise
from typing import Any

Body = dict[str, Any]


def hostile(name: str) -> list[tuple[str, Body]]:
    """Labelled bodies for one verifier."""
    return {"format": _format, "math": _math, "knowledge": _knowledge}[name]()


def normal(name: str, number: int) -> tuple[Body, float]:
    """An ordinary request, different for each number, and its score."""
    right = number % 2 == 0
    if name == "math":
        answer = f"\\frac{{{number}}}{{7}}" if right else f"\\frac{{{number}}}{{8}}"
        body = {"prompt": "Find the value.", "response": f"Step by step, {number}/7. So \\boxed{{{answer}}}."}
        return {**body, "reference": {"answer": f"{number}/7"}}, float(right or number == 0)
    if name == "knowledge":
        body = {
            "prompt": "Who wrote the book?",
            "response": f"Chapter {number}: it was {'Ann' if right else 'Eve'} Lee.",
        }
        return {**body, "reference": {"answer": "Ann Lee", "aliases": ["A. Lee"], "key_terms": ["Lee", "Ann"]}}, float(
            right
        )
    kind = number // 2 % 4
    texts = {
        "json": f'{{"a": {number}}}' if right else f'{{"a": {number},}}',
        "yaml": f"a: {number}\nb: [1, 2]\n" if right else f"a: {number}\nb: [1, 2\n",
        "python": f"x = {number}\n" if right else f"x = = {number}\n",
        "html": f"<p>{number}</p>" if right else f"<p>{number}</b></p><table><p>",
    }
    format_ = list(texts)[kind]
    return {"response": texts[format_], "reference": {"format": format_}}, float(right)


def alias_bomb(levels: int, width: int = 9) -> str:
    """YAML whose aliases multiply at each level."""
    names = [f"n{i}" for i in range(levels + 1)]
    lines = [f"{b}: &{b} [{','.join([f'*{a}'] * width)}]" for a, b in pairwise(names)]
    return f"{names[0]}: &{names[0]} [{', '.join('x' * width)}]\n" + "\n".join(lines)


def _format() -> list[tuple[str, Body]]:
    steps = {f"s{i}": {"oneOf": [{"$ref": f"#/$defs/s{i + 1}"}] * 2} for i in range(40)}
    one_of = {"$ref": "#/$defs/s0", "$defs": {**steps, "s40": {"type": "string"}}}
    properties = {
        f"p{i}": {"type": "object", "properties": {f"q{j}": {"enum": [j]} for j in range(20)}} for i in range(100)
    }
    members = ",".join(f'"p{i}": {{' + ",".join(f'"q{j}": "x"' for j in range(20)) + "}" for i in range(100))
    words = " ".join(f"word{i}" for i in range(60_000))
    bodies: list[tuple[str, str, Any, Body]] = [
        ("oneOf bomb", '"x"', {"json_schema": one_of}, {}),
        ("partial credit over a big schema", "{" + members + "}", {"json_schema": {"properties": properties, "allOf": [{"properties": properties}] * 20}}, {"partial": True}),
        ("contains", "[" + ",".join(f'"v{i}"' for i in range(5_000)) + "]", {"json_schema": {"allOf": [{"contains": {"pattern": f"^(v+)+{i}x$"}} for i in range(200)]}}, {}),
        ("enum", "[" + '"x",' * 50_000 + "1]", {"json_schema": {"items": {"enum": [f"v{i}" for i in range(5_000)]}}}, {"partial": True}),
        ("recursive anyOf", "[" * 100 + "]" * 100, {"json_schema": {"anyOf": [{"items": {"$ref": "#"}}, {"items": {"$ref": "#"}}, {"type": "null"}]}}, {}),
        ("deep schema", "[" * 90 + "]" * 90, {"json_schema": reduce(lambda inner, _: {"items": inner}, range(90), {"type": "integer"})}, {"partial": True}),
        ("backtracking pattern", "a" * 40 + "b", {"pattern": "^(a|a)*$"}, {}),
        ("YAML alias bomb", alias_bomb(9), {"format": "yaml"}, {}),
        ("YAML of many anchors", "".join(f"- &a{i} x\n- *a{i}\n" for i in range(30_000)) + "!", {"format": "yaml"}, {}),
        ("YAML of many keys", "{k: 1, " + "k: 1, " * 50_000 + "}", {"format": "yaml"}, {}),
        ("YAML of many lines", "a:\n" + "  - b: [1, {c: d}]\n" * 20_000, {"format": "yaml"}, {}),
        ("YAML flow", "[" * 900 + "]" * 900, {"format": "yaml"}, {}),
        ("dotted TOML", "".join(f"{'.'.join(['a'] * 60)}.k{i} = 1\n" for i in range(3_000)), {"format": "toml"}, {}),
        ("TOML of a long key", "a." * 24_000 + "a=1", {"format": "toml"}, {}),
        ("nested HTML", "<b><p>" * 3_000 + "</b>" * 3_000, {"format": "html"}, {}),
        ("HTML tables", "<table><td>" * 3_000 + "x" * 1_000, {"format": "html"}, {}),
        ("HTML attributes", "<a " + " ".join(f"x{i}=1" for i in range(40_000)) + ">", {"format": "html"}, {}),
        ("1 MB of Python", "x = [1, 2, (3, 4)]\n" * 52_000, {"format": "python"}, {}),
        ("nested Python", "x = " + "(" * 150 + "1" + ")" * 150 + "\n" + "def f():\n  return 1\n" * 20_000, {"format": "python"}, {}),
        ("JavaScript", "let f = x => [x, {y: x}];\n".replace("let f", "var f") * 20_000, {"format": "javascript"}, {}),
        ("SQL with many ORs", "SELECT 1 WHERE " + "a = 1 OR " * 20_000 + "b = 2", {"format": "sql"}, {}),
        ("SQL statements", "SELECT a FROM t WHERE b IN (1, 2);\n" * 5_000, {"format": "sql"}, {}),
        ("XML entities", "<!DOCTYPE r [<!ENTITY a 'x'>" + "<!ENTITY b '&a;&a;'>" * 50 + "]><r>" + "&b;" * 50_000 + "</r>", {"format": "xml"}, {}),
        ("XML elements", "<r>" + "<a/>" * 500_000, {"format": "xml"}, {}),
        ("a million CSV columns", ",".join("a" * 1_000_000), {"format": "csv"}, {}),
        ("many CSV columns twice", ",".join(f"c{i}" for i in range(200_000)) + "\n1", {"format": "csv"}, {}),
        ("Markdown table", "|a" * 50_000 + "|\n" + "|-" * 50_000 + "|", {"format": "markdown_table"}, {}),
        ("a regular expression", "(?:a{1,2}|[b-z]+)" * 20_000, {"format": "regex"}, {}),
        ("JSON", "[" + "[]," * 1_000_000 + "1]", {"format": "json"}, {}),
        ("NDJSON", "[[],[],[]]\n" * 200_000 + "x", {"format": "ndjson"}, {}),
        ("a long template", "<t" * 300_000, {"template": "".join(f"<t{i}>{{text}}</t{i}>" for i in range(1_000))}, {}),
        ("many alternatives", words, {"any_of": [{"pattern": f"^(.*,)*{i}$"} for i in range(60)]}, {"partial": True}),
    ]  # fmt: skip
    return [
        (label, {"response": text, "reference": reference, "options": options})
        for label, text, reference, options in bodies
    ]


def _math() -> list[tuple[str, Body]]:
    answers = {
        "quotients": "a" + "/a" * 600,
        "units": "5 km/h " * 150,
        "factorials": "x" + "!" * 2_000,
        "bmod": "1" + "\\bmod 7" * 500,
        "div": "1" + "\\div 2" * 500,
        "cap": "A" + "\\cap B" * 500,
        "setminus": "A" + "\\setminus B" * 500,
        "powers": "x^{" * 120 + "2" + "}" * 120,
        "fractions": "\\frac{1}{1+" * 60 + "x" + "}" * 60,
        "nested roots": "\\sqrt{1+" * 80 + "x" + "}" * 80,
        "unit products": "kg m^2/s^3 " * 200,
        "unit sums": "3 cm + " * 200 + "1 m",
        "product of sums": "".join(f"(x+{k})" for k in range(80)),
        "many variables": "+".join(f"{a}{b}{c}" for a in "abcdf" for b in "ghkmn" for c in "pqrst"),
        "trigonometry": "\\sin(" * 40 + "x" + ")" * 40,
        "sum": "\\sum_{i=1}^{2000}\\sum_{j=1}^{2000}\\sum_{k=1}^{2000} ijk",
        "infinite sum": "\\sum_{k=1}^{\\infty} \\frac{\\sin(k!)}{k}",
        "integral": "\\int_0^1 \\frac{1}{x^{50} + \\sin(x^{70}) + e^{\\cos x}} \\, dx",
        "expansion": "(a+b+c+d+e+f+g+h)^{60}",
        "matrix": "\\begin{vmatrix}" + ("1&" * 30 + "1\\\\") * 31 + "\\end{vmatrix}",
        "limit": "\\lim_{x \\to 0} \\frac{\\sin(\\sin(\\sin(\\sin x))) - \\tan(\\tan(\\tan x))}{x^{97}}",
        "list": ",".join(f"\\frac{{{n}}}{{x+{n}}}" for n in range(400)),
        "set of roots": "\\{" + ",".join(f"\\sqrt{{{n}}}+\\sqrt{{{n + 1}}}" for n in range(300)) + "\\}",
        "union": " \\cup ".join(f"(\\sqrt{{{n}}},\\sqrt{{{n + 1}}})" for n in range(300)),
        "plus or minus": "\\pm \\sqrt{2} " * 30 + "1",
    }
    bodies = [
        (f"answer: {name}", {"response": f"\\boxed{{{text}}}", "reference": {"answer": "7"}})
        for name, text in answers.items()
    ]
    bodies += [
        (f"both: {name}", {"response": f"\\boxed{{{text}}}", "reference": {"answer": text + "+1"}})
        for name, text in answers.items()
    ]
    tasks = {
        "integrate": "Find $\\int \\frac{1}{x^{99}+x+1} \\, dx$.",
        "solve": "Solve for x: $x^9 + \\sin x^5 - e^x = 7$.",
        "limit": f"Compute $\\lim_{{x \\to 0}} {answers['trigonometry']}$.",
        "definite": f"Evaluate ${answers['integral']}$.",
        "system": "Solve the system x^5 + y^3 + z = 7, x y z^4 = 2, x + y^7 = z^2.",
    }
    bodies += [(f"task: {name}", {"prompt": text, "response": "\\boxed{x^2 + 3}"}) for name, text in tasks.items()]
    words = {
        "retractions": "Wait, \\boxed{8} " * 10_000,
        "boxes": "\\boxed{" * 20_000,
        "text": "the answer is " * 50_000,
    }
    return bodies + [(name, {"response": text, "reference": {"answer": "7"}}) for name, text in words.items()]


def _knowledge() -> list[tuple[str, Body]]:
    prose = " ".join(f"Word{i % 700} said that number {i} is in the harbour." for i in range(2_000))
    plain = " ".join(f"word{i}" for i in range(2_000))
    walls = {"either or": "either or " * 3_000, "dates": "July 4 " * 20_000, "numbers": "1 2 " * 20_000, "not": "not " * 50_000,
             "answers": "Maria Mitchell " * 20_000, "commas": "Maria, " * 50_000, "labels": "Answer:\n" * 50_000,
             "number words": "one hundred and " * 20_000, "quotes": ".\"'" * 300_000, "ones": "1 " * 100_000,
             "formulas": "$x=1$ " * 40_000}  # fmt: skip
    names = [f"Name{i} Surname{i * 7 % 97}" for i in range(200)]
    who = "Who discovered the comet?"
    bodies: list[tuple[str, str, str, Body]] = [
        ("100 key terms", who, plain, {"answer": "Maria Mitchell", "key_terms": [f"word{i * 13}" for i in range(100)]}),
        ("200 aliases", who, plain, {"answer": "Maria Mitchell", "aliases": names}),
        ("200 aliases in prose", who, prose, {"answer": "Maria Mitchell", "aliases": names}),
        ("200 answers", who, prose, {"answer": names}),
        ("4,000 aliases", who, plain, {"answer": "Maria Mitchell", "aliases": [f"{n} {i}" for i, n in enumerate(names * 20)]}),
        ("50,000 aliases", who, plain, {"answer": "Maria Mitchell", "aliases": [f"Name {i}" for i in range(50_000)]}),
        ("a long alias", who, prose, {"answer": "Maria Mitchell", "aliases": ["Maria " * 3_000]}),
        ("a long prompt", "Who wrote it? " * 20_000, prose, {"answer": "Maria Mitchell"}),
        ("a long question to look up", "who was the mayor of " * 5_000, "Halley", {}),
    ]  # fmt: skip
    bodies += [
        (f"wall: {name}", who, text, {"answer": "Maria Mitchell", "aliases": names[:50]})
        for name, text in walls.items()
    ]
    bodies += [(f"wall thrice: {name}", text, text, {"answer": text}) for name, text in walls.items()]
    return [
        (label, {"prompt": prompt, "response": response, "reference": reference or None})
        for label, prompt, response, reference in bodies
    ]
