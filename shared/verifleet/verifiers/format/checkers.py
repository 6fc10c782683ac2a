"""Each format's checker: text and reference in, the first fault out (None where there is none)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from verifleet.verification import FormatReference
from verifleet.verifiers.format.csv_text import check_csv
from verifleet.verifiers.format.email_address import check_email
from verifleet.verifiers.format.fault import Fault
from verifleet.verifiers.format.json_text import check_json, check_ndjson
from verifleet.verifiers.format.xml_text import check_xml

Checker = Callable[[str, FormatReference], Fault | None]


def _plain(check: Callable[[str], Fault | None]) -> Checker:
    return lambda text, reference: check(text)


CHECKERS: Final[dict[str, Checker]] = {
    "json": _plain(check_json),
    "ndjson": _plain(check_ndjson),
    "xml": lambda text, reference: check_xml(text, reference.root),
    "csv": check_csv,
    "email": _plain(check_email),
}
