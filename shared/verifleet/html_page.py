"""One self-contained HTML page for reports: no script, no request, and every text escaped.

Whatever is not `Markup` is text. Characters that can't be seen, or that turn the order of others around, are shown by
their code, so that a hostile response can neither break out of its cell nor look like something else.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any, Final

from verifleet.errors import SettingsError

MAX_SHOWN: Final = 1_500
"""Characters of one text."""

_UNSEEN: Final = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff]"
)

STYLE: Final = """
:root { color-scheme: light dark; --line: #8884; --soft: #8881; --good: #2e8b57; --bad: #c0392b; --warn: #b9770e; }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 1200px; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; margin: 0 0 .3rem; } h2 { font-size: 1.15rem; margin: 2rem 0 .4rem; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; margin: .6rem 0; }
th, td { border: 1px solid var(--line); padding: .3rem .5rem; text-align: left; vertical-align: top; }
th { background: var(--soft); font-weight: 600; }
td.n { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
td.good { color: var(--good); font-weight: 600; } td.bad { color: var(--bad); font-weight: 600; }
p { overflow-wrap: anywhere; } p.bad { color: var(--bad); font-weight: 600; }
td.warn { color: var(--warn); font-weight: 600; }
pre { margin: 0; white-space: pre-wrap; overflow-wrap: anywhere; font: 12.5px/1.4 ui-monospace, monospace;
  max-height: 12rem; overflow: auto; unicode-bidi: isolate; }
.cases { table-layout: fixed; min-width: 900px; } .cases th:nth-child(1) { width: 7%; }
.cases th:nth-child(2) { width: 18%; } .cases th:nth-child(3) { width: 27%; }
.cases th:nth-child(6) { width: 11%; } .cases td { overflow-wrap: anywhere; }
details { margin: .5rem 0; } summary { cursor: pointer; font-weight: 600; }
.said { color: #777; } svg { width: 100%; height: auto; display: block; }
svg text { fill: currentColor; font: 11px system-ui; }
svg.dot { display: inline; width: 10px; height: 10px; } figure { margin: .5rem 0; }
.key { display: inline-block; margin-right: 1rem; }
"""

COLOURS: Final = {
    "correct": "#2e8b57",
    "partial": "#88b04b",
    "incorrect": "#8a8f98",
    "malformed": "#e0a030",
    "unknown": "#5b7fc7",
    "error": "#c0392b",
    "none": "#c9c4b8",
}


class Markup(str):
    """HTML that is made already."""

    __slots__ = ()


def shown(value: object, limit: int = MAX_SHOWN) -> str:
    """A value as text of bounded length, with what can't be seen by its code."""
    text = value if isinstance(value, str) else str(value)
    short = cut(text, limit)
    told = f"{short} ({short.whole} characters)" if isinstance(short, Cut) else short
    return _UNSEEN.sub(lambda found: f"\\u{ord(found[0]):04x}", told)


class Cut(str):
    """The beginning and the end of a text that has `whole` characters."""

    __slots__ = ("whole",)
    whole: int


def cut(text: str, limit: int) -> str:
    """A text that is no longer than `limit`, or a Cut of it."""
    if len(text) <= limit:
        return text
    short = Cut(f"{text[: limit * 2 // 3]} … {text[-(limit // 3) :]}")
    short.whole = text.whole if isinstance(text, Cut) else len(text)
    return short


def tag(name: str, *children: object, **attributes: object) -> Markup:
    """An element; children that are no Markup are text, `class_` is the attribute class."""
    given = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(shown(value), quote=True)}"'
        for key, value in attributes.items()
        if value is not None
    )
    inner = "".join(child if isinstance(child, Markup) else escape(shown(child)) for child in children)
    return Markup(f"<{name}{given}>{inner}</{name}>")


def pre(text: object) -> Markup:
    """A text as it is written."""
    return tag("pre", text)


def number(value: object, class_: str = "n") -> Markup:
    """A cell with a number."""
    return tag("td", f"{value:,.4g}" if isinstance(value, float) else value, class_=class_)


def table(headers: Sequence[str], rows: Iterable[Sequence[object]], class_: str | None = None) -> Markup:
    """A table, which scrolls where it is wider than the page.

    Numbers stand to the right, a cell that is made already as a `td` is taken as it is.
    """
    head = tag("tr", *(tag("th", header) for header in headers))
    body = (tag("tr", *map(_cell, row)) for row in rows)
    rolled = tag("table", tag("thead", head), tag("tbody", *body), class_=class_)
    return tag("div", rolled, class_="wide", tabindex="0")


def _cell(value: object) -> Markup:
    if isinstance(value, Markup):
        return value if value.startswith("<td") else tag("td", value)
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return number(value)
    return tag("td", value)


def folded(summary: str, *children: object, open_: bool = False) -> Markup:
    """What is shown on a click."""
    return tag("details", tag("summary", summary), *children, open="" if open_ else None)


def share_chart(steps: Sequence[tuple[str, Mapping[str, float]]], colours: Mapping[str, str] = COLOURS) -> Markup:
    """Shares, from 0 to 1 for each name, as stacked columns over labelled steps."""
    width, height, bottom = 1000.0, 220.0, 18.0
    each = width / max(1, len(steps))
    marks: list[Markup] = []
    for place, (label, shares) in enumerate(steps):
        top = height
        for name, colour in colours.items():
            size = height * min(1.0, max(0.0, shares.get(name, 0.0)))
            top -= size
            if size > 0:
                box = {"x": f"{place * each:.1f}", "y": f"{top:.1f}", "width": f"{max(each - 1, 0.5):.1f}"}
                told = tag("title", f"{label}: {name} {shares[name]:.1%}")
                marks.append(tag("rect", told, height=f"{size:.1f}", fill=colour, **box))
    marks += _ticks([label for label, _ in steps], each, height + bottom - 4)
    return tag("figure", _legend(colours), _svg(width, height + bottom, marks))


def line_chart(steps: Sequence[tuple[str, Mapping[str, float | None]]], colours: Mapping[str, str] = COLOURS) -> Markup:
    """Values over labelled steps, a line for each name; None leaves a gap."""
    width, height, bottom = 1000.0, 180.0, 18.0
    every = [value for _, values in steps for value in values.values() if value is not None]
    most = max(every, default=0.0) or 1.0
    each = width / max(1, len(steps))
    marks: list[Markup] = [tag("text", f"{most:,.4g}", x="2", y="11")]
    for name, colour in colours.items():
        points = [
            (place * each + each / 2, height - (height - 14) * value / most, value)
            for place, (_, values) in enumerate(steps)
            if (value := values.get(name)) is not None
        ]
        if not points:
            continue
        joined = " ".join(f"{x:.1f},{y:.1f}" for x, y, _ in points)
        marks.append(tag("polyline", points=joined, fill="none", stroke=colour, stroke_width="2"))
        marks += [
            tag("circle", tag("title", f"{name} {v:,.4g}"), cx=f"{x:.1f}", cy=f"{y:.1f}", r="3", fill=colour)
            for x, y, v in points
        ]
    marks += _ticks([label for label, _ in steps], each, height + bottom - 4)
    return tag("figure", _legend(colours), _svg(width, height + bottom, marks))


def _ticks(labels: Sequence[str], each: float, y: float) -> list[Markup]:
    apart = max(1, len(labels) // 12)
    return [tag("text", labels[n], x=f"{n * each:.1f}", y=f"{y:.1f}") for n in range(0, len(labels), apart)]


def _svg(width: float, height: float, marks: Iterable[Markup]) -> Markup:
    return tag("svg", *marks, viewBox=f"0 0 {width:g} {height:g}", role="img")


def _legend(colours: Mapping[str, str]) -> Markup:
    def key(name: str, colour: str) -> Markup:
        square = tag("svg", tag("rect", width="10", height="10", fill=colour), width="10", height="10", class_="dot")
        return tag("span", square, f" {name}", class_="key")

    return tag("figcaption", *(key(*one) for one in colours.items()))


def page(title: str, *children: object) -> str:
    """A whole document, which may neither run anything nor ask for anything."""
    digest = base64.b64encode(hashlib.sha256(STYLE.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    head = (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<meta name="referrer" content="no-referrer">'
        f"{tag('title', title)}<style>{STYLE}</style></head>"
    )
    return f"{head}{tag('body', tag('h1', title), *children)}</html>\n"


def write(file: Path, text: str) -> None:
    """Write a page. Raises SettingsError where that can't be done."""
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text.encode("utf-8", "replace"))
    except OSError as error:
        raise SettingsError(f"{file} can't be written: {error.strerror or error}") from None


def plain(value: Any, limit: int = MAX_SHOWN) -> str:
    """A value for the terminal, on one line."""
    return " ".join(shown(value, limit).split())
