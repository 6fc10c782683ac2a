"""Cleaning the text of a report, and the host that an address names; linear in the length, whatever the text is."""

from __future__ import annotations

import html
import re
import unicodedata

from verifleet.reading.legible import plain_letters
from verifleet.reading.tokens import ENTITY, UNSEEN

_BLANKS = re.compile(r"[^\S\n]+")
_LINES = re.compile(r"\s*\n\s*")
_MARKS = re.compile(r"([\u0300-\u036f\u0483-\u0489\u20d0-\u20ff]{4})[\u0300-\u036f\u0483-\u0489\u20d0-\u20ff]+")
"""Marks on one letter beyond the fourth ("zalgo" text)."""

_HOST = re.compile(r"(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.){1,8}[a-z](?:[a-z0-9-]{0,61}[a-z0-9])")


def clean(text: str, limit: int | None = None) -> str:
    """The text in NFC and plain letters, without control characters, invisible marks and runs of blanks.

    HTML character references are resolved once; joiners that emoji and Indic scripts need are kept, as are the
    letters of every script. Direction overrides are dropped: they can make a text read other than it is stored.
    """
    if limit is not None:
        text = text[:limit]
    text = "\n".join(ENTITY.sub(lambda match: html.unescape(match[0]), text).splitlines())
    text = plain_letters(unicodedata.normalize("NFC", UNSEEN.sub("", text)))
    return _LINES.sub("\n", _BLANKS.sub(" ", _MARKS.sub(r"\1", text))).strip()


def host_of(address: str) -> str:
    """The host of an http(s) link, of an e-mail address, or a name that is itself a host; "" for anything else.

    Only plain ASCII names count, and nothing is guessed: of what could be read in two ways ("fema.gov@evil.com" in a
    link, "evil.com?.gov") there is no host, since authority may hang on it.
    """
    if not address.isascii() or len(address) > 2_000:
        return ""
    plain = address.strip().lower()
    link = re.match(r"https?://([^/?#\\]*)", plain)
    host = re.sub(r":\d{1,5}$", "", link[1]) if link else plain
    if not link and host.count("@") == 1:
        local, host = host.split("@")
        if not re.fullmatch(r"[a-z0-9._%+-]+", local):
            return ""
    if not link:
        host = host.removesuffix("/")
    return host.removeprefix("www.") if len(host) <= 253 and _HOST.fullmatch(host) else ""
