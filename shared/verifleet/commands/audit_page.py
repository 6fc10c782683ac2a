"""An audit of a verifier as a page."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from verifleet.audits.answers import Audit, Row
from verifleet.doctor.page import spread_table, told
from verifleet.figures import Spread
from verifleet.html_page import Markup, page, pre, table, tag

FIGURES = ("accuracy", "false_positives", "false_negatives", "exact_scores", "unknown", "errors")
MAX_SHOWN = 1_000


def audit_page(name: str, outcome: Audit, rows: Mapping[str, Mapping[str, Any]], broken: list[str]) -> str:
    """All of it as one document; `rows` by id give the texts of disagreements."""
    times = Spread()
    for one in outcome.rows:
        times.add(one.result.duration_ms, one.id)
    wrong = outcome.disagreements()
    kinds = [*outcome.by_kind().items(), ("all", outcome)]
    verdicts: dict[str, int] = {}
    for one in outcome.rows:
        verdicts[one.result.verdict] = verdicts.get(one.result.verdict, 0) + 1
    cut = f", the first {MAX_SHOWN}" if len(wrong) > MAX_SHOWN else ""
    return page(
        f"verifleet audit {name}",
        *(tag("p", f"Bound broken: {line}", class_="bad") for line in broken),
        tag("h2", "By kind"),
        table(("kind", "rows", *(figure.replace("_", " ") for figure in FIGURES)), [_kind(*kind) for kind in kinds]),
        tag("h2", "Verdicts"),
        table(("verdict", "rows"), sorted(verdicts.items())),
        tag("h2", "Time"),
        spread_table({name: times}),
        tag("h2", f"Disagreements ({len(wrong)}{cut})"),
        table(
            ("row", "prompt", "response", "expected", "verdict", "reason"),
            [_disagreement(one, rows.get(one.id, {})) for one in wrong[:MAX_SHOWN]],
            "cases",
        ),
    )


def _kind(kind: str, group: Audit) -> tuple[object, ...]:
    return (kind or "(none)", len(group.rows), *(told(getattr(group, figure)) for figure in FIGURES))


def _disagreement(one: Row, row: Mapping[str, Any]) -> tuple[Markup | str | float, ...]:
    score = "none" if one.result.score is None else f"{one.result.score:g}"
    texts = (pre(str(row.get("prompt") or "")), pre(str(row.get("response") or "")))
    what = f"{one.disagreement}: {one.result.verdict} {score}"
    return (f"{one.id} ({one.kind})", *texts, one.expected, what, one.result.reason)
