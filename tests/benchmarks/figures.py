"""What a benchmark found, as rows of the table of `make bench`; without that table a row goes nowhere."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Literal

VARIABLE = "VERIFLEET_BENCH_FIGURES"
"""The file that `make bench` gathers rows in."""


def row(
    what: str,
    ours: float,
    unit: str,
    *,
    against: float | None = None,
    of: str = "",
    wanted: float | None = None,
    better: Literal["more", "less"] = "more",
) -> None:
    """Tell one figure.

    Args:
        what: what was measured.
        ours: our figure, in `unit`.
        unit: what the figures count.
        against: the figure of a peer in the same run, or a limit; None where there is neither.
        of: whose that figure is, such as "Google's emulator" or "goal".
        wanted: the ratio of ours to it that is wanted; 1 for a limit.
        better: whether more or less of the unit is better.
    """
    gathered = os.environ.get(VARIABLE)
    if not gathered:
        return
    ratio = ours / against if against else None
    met = None
    if ratio is not None and wanted is not None:
        met = ratio >= wanted if better == "more" else ratio <= wanted
    told = {"what": what, "ours": ours, "unit": unit, "against": against, "of": of, "ratio": ratio}
    with Path(gathered).open("a") as rows:
        rows.write(json.dumps(told | {"wanted": wanted, "better": better, "met": met}) + "\n")
