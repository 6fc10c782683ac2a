"""Letters that stand for plain ones, made plain: bold, boxed and wide letters, and those that only look alike.

"𝟑𝟎 𝐝𝐞𝐚𝐝" reads as "30 dead" to people; whoever compares reports has to read it so as well.
"""

from __future__ import annotations

import re
import unicodedata
from itertools import chain

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
