"""The letters of a text: cleaned of what can't be seen, and letters that stand for plain ones made plain.

"𝟑𝟎 𝐝𝐞𝐚𝐝" reads as "30 dead" to people; whoever compares reports has to read it so as well. All of it is linear.
"""

from __future__ import annotations

import html
import re
import unicodedata
from itertools import chain

MAX_TEXT = 32_768
"""Characters of a text that are read."""

_ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-zA-Z]{2,8});")
_UNSEEN = re.compile(
    "[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069"
    "\ufeff\ud800-\udfff\ufffe\uffff]"
)
_BLANKS = re.compile(r"[^\S\n]+")
_LINES = re.compile(r"\s*\n\s*")
_MARKS = re.compile(r"([\u0300-\u036f\u0483-\u0489\u20d0-\u20ff]{4})[\u0300-\u036f\u0483-\u0489\u20d0-\u20ff]+")
"""Marks on one letter beyond the fourth ("zalgo" text)."""

_SMALL_CAPITALS = dict(zip("ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢ", "abcdefghijklmnoprstuvwyz", strict=True))
_WHITE_ON_BLACK = {
    first + place: chr(ord("A") + place) for first in (0x1F150, 0x1F170) for place in range(26)
}  # they have no compatibility form
_STYLED = chain(
    range(0x2100, 0x2150),  # letterlike
    range(0x2460, 0x2500),  # circled, in brackets
    range(0xFF01, 0xFF5F),  # of full width
    range(0x1D400, 0x1D800),  # mathematical
    range(0x1F130, 0x1F14A),  # squared
    range(0x1FBF0, 0x1FBFA),  # segmented
)
_ALIKE = str.maketrans(
    "асеорхуіјѕԁһӏАВЕКМНОРСТХУІЈЅοναρικΑΒΕΖΗΙΚΜΝΟΡΤΥΧ",
    "aceopxyijsdhlABEKMHOPCTXYIJSovapikABEZHIKMNOPTYX",
)
_LOOKALIKES = re.escape("".join(map(chr, _ALIKE)))
_MIXED = re.compile(
    rf"(?<![^\W\d_])(?=[{_LOOKALIKES}]*[A-Za-z])(?=[A-Za-z]*[{_LOOKALIKES}])[A-Za-z{_LOOKALIKES}]+(?![^\W\d_])"
)
"""A word of Latin letters and such as only look so; a word of one script alone is left as it is."""


def _plain_form(code: int) -> str:
    form = unicodedata.normalize("NFKC", chr(code))
    return form if len(form) == 1 and form != chr(code) and (form.isalnum() or form in "%$") else ""


_PLAIN = (
    {code: form for code in _STYLED if (form := _plain_form(code))}
    | {ord(letter): plain for letter, plain in _SMALL_CAPITALS.items()}
    | _WHITE_ON_BLACK
)


def plain_letters(text: str) -> str:
    """A text of the same length in which letters and digits of a mere style, or of a disguise, are plain ones."""
    if text.isascii():
        return text
    return _MIXED.sub(lambda match: match[0].translate(_ALIKE), text.translate(_PLAIN))


def legible(text: str) -> str:
    """A text of the same length, at most MAX_TEXT, in plain letters: entities resolved, unseen characters blank."""
    text = text[:MAX_TEXT]
    if "&" in text:
        text = _ENTITY.sub(_resolved, text)
    if not text.isascii():
        text = plain_letters(text)
    return _UNSEEN.sub(" ", text)


def _resolved(match: re.Match[str]) -> str:
    made = html.unescape(match[0])
    return made.ljust(len(match[0])) if len(made) <= len(match[0]) and made != match[0] else match[0]


def clean(text: str, limit: int | None = None) -> str:
    """The text in NFC and plain letters, without control characters, invisible marks and runs of blanks.

    HTML character references are resolved once; joiners that emoji and Indic scripts need are kept, as are the
    letters of every script. Direction overrides are dropped: they can make a text read other than it is stored.
    """
    if limit is not None:
        text = text[:limit]
    text = "\n".join(_ENTITY.sub(lambda match: html.unescape(match[0]), text).splitlines())
    text = plain_letters(unicodedata.normalize("NFC", _UNSEEN.sub("", text)))
    return _LINES.sub("\n", _BLANKS.sub(" ", _MARKS.sub(r"\1", text))).strip()
