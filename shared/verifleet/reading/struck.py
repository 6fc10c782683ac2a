"""Text that its writer crossed out or hid, and marks around text, blanked so that offsets stay.

`~~X~~`, `<!-- X -->`, `X ❌`, `<b>X</b>`.
"""

from __future__ import annotations

import re

from verifleet.reading.tex import without_tex

_STRUCK = re.compile(
    r"<!--.{0,2000}?(?:-->|\Z)|~~(?=\S)[^\n]{1,500}?~~|<(?P<tag>del|s|strike)>.{0,2000}?(?:</(?P=tag)>|\Z)",
    re.IGNORECASE | re.DOTALL,
)
_TAG = re.compile(
    r"</?(?:(?P<block>p|br|li|ul|ol|h[1-6]|div|t[rdh]|table|blockquote)|[biu]|em|strong|span|code|mark)\b[^<>\n]{,80}>",
    re.IGNORECASE,
)
_FIRST = re.compile(r"\A\s*1[.)][ \t]+(?=\S)(?![^\n]*\n)(?!\w{3,9}\.? \d{4}|\d)")
"""The mark of a list of one."""
_LOWERED = re.compile(r"(<sup>)(?=\d)|</?su[bp]>", re.IGNORECASE)
"""`H<sub>2</sub>O`, `10<sup>8</sup>`."""
_MATHS = re.compile(r"\$(?=[^\s$])(?!\d[^$\n]{0,60}\s)(?:\\[a-z]{2,8}\{)?([^$\n]{1,60}?)\}?(?<=\S)\$(?!\w)")
"""`$x$`, `$\\text{Oslo}$`, no sums of money."""
_TEX = re.compile(r"\$(?=[^\s$])(?=[^$\n]{0,80}[\\{])([^$\n]{1,160})(?<=\S)\$(?!\w)")
"""`$5\\,\\text{km}$`: no money where there is a command of LaTeX."""
_INITIALS = re.compile(r"(?<![^\W_]|[*_])(\*{1,3}|__)(?:(?<=[*_]{2})|(?=[A-Z]))([^\W\d_]{1,4})\1(?=[^\W\d_]{2})")
"""`**L**ight`: signs of emphasis around the first letters of a word are no end of it; `*x*cos` is a product."""
_COUNTED = re.compile(r'"(?:[a-z]|[a-z_ ]*\d+)"\s*:', re.IGNORECASE)
"""A key that only counts: `"a": "Paris"`, `"guess 2": "Lyon"`."""
_CROSSES = "❌✗✘❎🚫👎"
_CHECKS = "✅✓✔☑👍"
_MARK = re.compile(f"[{_CROSSES}{_CHECKS}]")
_PIECE = rf"[^\n,;|/.!?{_CROSSES}{_CHECKS}]"
_CROSSED_BEFORE = re.compile(rf"{_PIECE}{{0,200}}[ .!?\n]{{0,3}}[{_CROSSES}]")
_CROSSED_BEHIND = re.compile(rf"[{_CROSSES}]{_PIECE}{{0,200}}")


def without_struck(text: str) -> str:
    """The text with blanks for what is crossed out.

    A cross marks the piece before it; where the text begins with a mark, the piece behind it.
    """
    text = _FIRST.sub(blank, without_tex(_TEX.sub(r" \1 ", text)))
    text = _LOWERED.sub(lambda tag: "^" * bool(tag[1]) + "\u200b" * (len(tag[0]) - bool(tag[1])), text)
    text = _TAG.sub(lambda tag: "\n" + blank(tag)[1:] if tag["block"] else blank(tag), _STRUCK.sub(blank, text))
    text = _MATHS.sub(lambda m: m[1].rjust(m.end(1) - m.start()).ljust(len(m[0])), text)
    text = _INITIALS.sub(lambda m: m[2].rjust(len(m[0])), text)
    text = _COUNTED.sub(lambda key: "\n" + blank(key)[1:], text) if text.lstrip()[:1] == "{" else text
    leading = _MARK.match(text.lstrip(" *_-•")) is not None
    return (_CROSSED_BEHIND if leading else _CROSSED_BEFORE).sub(blank, text)


def blank(match: re.Match[str]) -> str:
    """As many blanks as what matched has characters, its line breaks kept."""
    return blanks(match.group())


def blanks(text: str) -> str:
    """The same for a text."""
    return re.sub(r"[^\n]", " ", text)
