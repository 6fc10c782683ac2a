"""The formats: what each is called, how it stands in a response, and a short text that is right.

A new one is a row here, a name in `wire_names`, a checker in `checkers`, and whatever else
tests/unit/format/test_every_format.py asks for.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Format:
    """A format.

    `title` is what a right response is called, with its article where it has one; `sample` is one, empty where it takes
    more than the name of a format to judge it. White space around it counts only where it is not `trimmed`. `fences`
    are the languages by which a fenced block says that it is in this format, the format's own name if there are none.
    """

    title: str
    sample: str
    trimmed: bool = True
    fences: frozenset[str] = frozenset()


def _fences(names: str) -> frozenset[str]:
    return frozenset(names.split())


FORMATS: Final[dict[str, Format]] = {
    "json": Format("valid JSON", '{"a": 1}'),
    "ndjson": Format("valid NDJSON", "{}\n{}", fences=_fences("ndjson jsonl jsonlines")),
    "xml": Format("valid XML", "<a/>", fences=_fences("xml svg xsd rss")),
    "csv": Format("valid CSV", "a,b\n1,2", trimmed=False),
    "yaml": Format("valid YAML", "a: [1, 2]", trimmed=False, fences=_fences("yaml yml")),
    "toml": Format("valid TOML", "a = 1", trimmed=False),
    "email": Format("a valid e-mail address", "a@example.com"),
    "html": Format("valid HTML", "<p>a</p>"),
    "markdown_table": Format("a valid Markdown table", "| a |\n|---|\n| 1 |", fences=_fences("markdown md")),
    "url": Format("a valid URL", "https://example.com"),
    "uuid": Format("a valid UUID", "123e4567-e89b-12d3-a456-426614174000"),
    "date": Format("a valid date", "2024-02-29"),
    "date-time": Format("a valid date-time", "2024-02-29T10:00:00Z"),
    "time": Format("a valid time", "10:00:00Z"),
    "duration": Format("a valid duration", "PT36H"),
    "ipv4": Format("a valid IPv4 address", "192.0.2.1"),
    "ipv6": Format("a valid IPv6 address", "2001:db8::1"),
    "regex": Format("a valid regular expression", "a+", fences=_fences("regex regexp")),
    "semver": Format("a valid semantic version", "1.2.3"),
    "template": Format("a valid template", ""),
    "python": Format("valid Python", "x = 1", trimmed=False, fences=_fences("python py python3")),
    "javascript": Format("valid JavaScript", "let x = 1;", fences=_fences("javascript js mjs node")),
    "sql": Format("valid SQL", "SELECT a FROM t WHERE b > 1", fences=_fences("sql sqlite postgresql postgres mysql")),
    "instructions": Format("as all instructions ask", ""),
    "tool_call": Format("a valid tool call", ""),
}
