"""The findings as a page."""

from __future__ import annotations

from verifleet.audits.answers import Rate
from verifleet.doctor.findings import KINDS, OURS, THEIRS, Case, Findings
from verifleet.figures import Spread
from verifleet.figures import told as ms_told
from verifleet.html_page import Markup, folded, page, pre, table, tag

_AGREE = {("accepted", "accepted"), ("refused", "refused"), ("refused", "malformed")}
_DIFFER = {("accepted", "refused"), ("accepted", "malformed"), ("refused", "accepted")}


def findings_page(found: Findings, source: str, target: str) -> str:
    """All of it as one document."""
    looked_at = f"{found.rows} rows of {source}, read as {found.reader}; {target}: {found.contract}."
    parts = [tag("p", looked_at, class_="said")]
    parts += [tag("h2", "Agreement"), _table(found), tag("p", f"Agreement {told(found.agreement)}")]
    parts += [tag("p", line) for line in _labels(found)]
    if not found.kinds():
        parts.append(tag("p", "Nothing was found."))
    else:
        listed = [(KINDS[kind], found.counts[kind] or "", found.probes[kind] or "") for kind in found.kinds()]
        parts += [tag("h2", "Findings"), table(("finding", "rows", "probes"), listed)]
        parts += [_finding(found, kind) for kind in found.kinds()]
    parts += [tag("h2", "Time of a call"), spread_table({"yours": found.their_times, "ours": found.our_times})]
    return page("verifleet doctor", *parts)


def _table(found: Findings) -> Markup:
    def cell(theirs: str, ours: str) -> Markup:
        count = found.table[theirs, ours]
        pair = (theirs, ours)
        tone = (
            "" if not count else " good" if pair in _AGREE else " bad" if pair in _DIFFER or theirs == "fault" else ""
        )
        return tag("td", count or "", class_=f"n{tone}")

    rows = [[f"yours: {theirs}", *(cell(theirs, ours) for ours in OURS)] for theirs in THEIRS]
    return table(("", *(f"ours: {ours}" for ours in OURS)), rows)


def _labels(found: Findings) -> list[str]:
    lines = []
    for whose, name in (("theirs", "yours"), ("ours", "ours")):
        accepted, refused = found.mistakes(whose)
        if accepted.total or refused.total:
            lines.append(
                f"By the labels of the rows, {name}: wrong accepted {told(accepted)}, right refused {told(refused)}"
            )
    return lines


def _finding(found: Findings, kind: str) -> Markup:
    cases = found.shown[kind]
    more = found.unshown(kind)
    cut = f" (the first {len(cases)}; {more:,} more are not shown here, --json has them all)" if more else ""
    rows = [(case.label, pre(case.prompt), pre(case.response), _theirs(case), _ours(case), case.note) for case in cases]
    shown = table(("row", "prompt", "response", "yours", "ours", "note"), rows, "cases")
    return folded(f"{KINDS[kind]}: {found.count(kind)}{cut}", shown, open_=len(cases) <= 10)


def _theirs(case: Case) -> Markup:
    value = case.theirs.value
    first = f"{value:g}" if value is not None else case.theirs.kind
    said = pre(case.theirs.said) if case.theirs.said else ""
    return tag("td", tag("b", first), said, tag("div", ms_told(case.theirs.ms), class_="said"))


def _ours(case: Case) -> Markup:
    if not case.ours["verdict"]:
        return tag("td", "")
    score = case.ours["score"]
    first = f"{case.ours['verdict']} {'' if score is None else format(score, 'g')}"
    return tag("td", tag("b", first), tag("div", case.ours["reason"]))


def spread_table(times: dict[str, Spread]) -> Markup:
    """Quantiles and the slowest."""
    rows = [
        (
            name,
            ms_told(one.quantile(0.5)),
            ms_told(one.quantile(0.99)),
            ", ".join(f"{label} {ms_told(ms)}" for ms, label in one.slowest),
        )
        for name, one in times.items()
    ]
    return table(("", "p50", "p99", "slowest"), rows)


def told(rate: Rate) -> str:
    """A share with its interval."""
    if not rate.total:
        return "-"
    low, high = rate.interval
    return f"{rate.share:.2%} ({rate.count} of {rate.total}; 95 %: {low:.1%} to {high:.1%})"
