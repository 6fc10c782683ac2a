"""Names that the wire contract knows: of verifiers and of formats."""

from __future__ import annotations

from typing import Literal

VerifierName = Literal["math", "code", "knowledge", "format"]
VERIFIER_NAMES: tuple[VerifierName, ...] = ("math", "code", "knowledge", "format")
FormatName = Literal[
    "json",
    "ndjson",
    "xml",
    "csv",
    "yaml",
    "toml",
    "email",
    "html",
    "markdown_table",
    "url",
    "uuid",
    "date",
    "date-time",
    "time",
    "duration",
    "ipv4",
    "ipv6",
    "regex",
    "semver",
    "template",
    "python",
    "javascript",
    "sql",
    "instructions",
    "tool_call",
]
