"""Each format's checker: text, reference and workers in, the first fault out (None where there is none)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from verifleet.verification import FormatReference, WorkerPool
from verifleet.verifiers.format import identifiers, timestamps
from verifleet.verifiers.format.csv_text import check_csv
from verifleet.verifiers.format.email_address import check_email
from verifleet.verifiers.format.fault import Fault
from verifleet.verifiers.format.html_text import check_html
from verifleet.verifiers.format.json_text import check_json, check_ndjson
from verifleet.verifiers.format.markdown_table import check_markdown_table
from verifleet.verifiers.format.program_syntax import check_javascript, check_python
from verifleet.verifiers.format.toml_text import check_toml
from verifleet.verifiers.format.xml_text import check_xml
from verifleet.verifiers.format.yaml_text import check_yaml

Checker = Callable[[str, FormatReference, WorkerPool], Fault | None]


def _plain(check: Callable[[str], Fault | None]) -> Checker:
    return lambda text, reference, workers: check(text)


def _declared(check: Callable[[str, FormatReference], Fault | None]) -> Checker:
    return lambda text, reference, workers: check(text, reference)


def _guarded(check: Callable[[str, WorkerPool], Fault | None]) -> Checker:
    return lambda text, reference, workers: check(text, workers)


def _regex(text: str) -> Fault | None:
    from verifleet.verifiers.format.regex_syntax import check_regex  # large tables

    return check_regex(text)


def _sql(text: str, workers: WorkerPool) -> Fault | None:
    from verifleet.verifiers.format.sql_text import check_sql  # brings the database along

    return check_sql(text, workers)


def _instructions(text: str, reference: FormatReference, workers: WorkerPool) -> Fault | None:
    from verifleet.verifiers.format.instructions.check import instructions_fault

    return instructions_fault(text, reference.checks or [], bool(reference.loose), workers)


def _tool_call(text: str, reference: FormatReference, workers: WorkerPool) -> Fault | None:
    from verifleet.verifiers.format.tool_calls import tool_call_fault

    return tool_call_fault(text, reference.tools, reference.expected, bool(reference.ordered), workers)


CHECKERS: Final[dict[str, Checker]] = {
    "json": _plain(check_json),
    "ndjson": _plain(check_ndjson),
    "xml": lambda text, reference, workers: check_xml(text, reference.root, workers),
    "csv": _declared(check_csv),
    "yaml": _guarded(check_yaml),
    "toml": _guarded(check_toml),
    "email": _plain(check_email),
    "html": _guarded(check_html),
    "markdown_table": _declared(check_markdown_table),
    "url": _plain(identifiers.check_url),
    "uuid": _plain(identifiers.check_uuid),
    "date": _plain(timestamps.check_date),
    "date-time": _plain(timestamps.check_date_time),
    "time": _plain(timestamps.check_time),
    "duration": _plain(timestamps.check_duration),
    "ipv4": _plain(identifiers.check_ipv4),
    "ipv6": _plain(identifiers.check_ipv6),
    "regex": _plain(_regex),
    "semver": _plain(identifiers.check_semver),
    "python": _guarded(check_python),
    "javascript": _guarded(check_javascript),
    "sql": _guarded(_sql),
    "instructions": _instructions,
    "tool_call": _tool_call,
}
