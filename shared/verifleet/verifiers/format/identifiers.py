"""URIs (RFC 3986), UUIDs (RFC 9562), IP addresses and semantic versions."""

from __future__ import annotations

import ipaddress
import re
from typing import Final

from verifleet.verifiers.format.cursor import Cursor, UnexpectedError
from verifleet.verifiers.format.fault import Fault, shown

_UNRESERVED: Final = r"A-Za-z0-9\-._~"
_SUB_DELIMS: Final = r"!$&'()*+,;="
_PERCENT: Final = r"%[0-9A-Fa-f]{2}"
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.\-]*")
_SCHEME_END = re.compile(":")
_AUTHORITY_START = re.compile("//")
_USER = re.compile(rf"(?:[{_UNRESERVED}{_SUB_DELIMS}:]|{_PERCENT})*+@")
_IP_LITERAL = re.compile(r"\[([^\[\]/?#@]*)\]")
_IP_FUTURE = re.compile(rf"[vV][0-9A-Fa-f]+\.[{_UNRESERVED}{_SUB_DELIMS}:]+")
_REG_NAME = re.compile(rf"(?:[{_UNRESERVED}{_SUB_DELIMS}]|{_PERCENT})*+")
_PORT = re.compile(r":[0-9]*+")
_PATH = re.compile(rf"(?:[{_UNRESERVED}{_SUB_DELIMS}:@/]|{_PERCENT})*+")
_QUERY = re.compile(rf"\?(?:[{_UNRESERVED}{_SUB_DELIMS}:@/?]|{_PERCENT})*+")
_FRAGMENT = re.compile(rf"#(?:[{_UNRESERVED}{_SUB_DELIMS}:@/?]|{_PERCENT})*+")
_NEED_HOST: Final = frozenset({"http", "https", "ws", "wss", "ftp"})
_UUID: Final = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
_HEX: Final = frozenset("0123456789abcdefABCDEF")
_UUID_LENGTH: Final = 36
_OCTET = re.compile(r"25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9]")
_GROUP = re.compile(r"[0-9a-fA-F]{1,4}")
_IPV6_LENGTH: Final = 45
MAX_SEMVER: Final = 10_000  # characters
_CORE = re.compile(r"0|[1-9][0-9]*")
_DOT = re.compile(r"\.")
_PRERELEASE = re.compile(r"[0-9]*[A-Za-z-][0-9A-Za-z-]*|0(?![0-9A-Za-z-])|[1-9][0-9]*")
_BUILD = re.compile(r"[0-9A-Za-z-]+")


def check_url(text: str) -> Fault | None:
    """The first fault of a trimmed text as an absolute URI of any scheme."""
    cursor = Cursor(text)
    try:
        _uri(cursor)
    except UnexpectedError as error:
        return error.fault
    return None


def _uri(cursor: Cursor) -> None:
    scheme = cursor.take(_SCHEME, "scheme", "a scheme such as https")
    cursor.take(_SCHEME_END, "scheme", "':' after the scheme")
    needs_host = scheme.lower() in _NEED_HOST
    if cursor.maybe(_AUTHORITY_START) is not None:
        host_at = _authority(cursor, needs_host)
        if cursor.at < len(cursor.text) and cursor.text[cursor.at] not in "/?#":
            rule = "host" if cursor.at >= host_at else "user"
            raise cursor.unexpected(rule, "This character is not allowed in a host")
    elif needs_host:
        raise cursor.unexpected("authority", f"Expected '//' and a host after {scheme}:")
    cursor.maybe(_PATH)
    cursor.maybe(_QUERY)
    cursor.maybe(_FRAGMENT)
    if cursor.at < len(cursor.text):
        raise cursor.unexpected("character", "This character is not allowed here in a URI")


def _authority(cursor: Cursor, needs_host: bool) -> int:
    cursor.maybe(_USER)
    host_at = cursor.at
    literal = cursor.maybe(_IP_LITERAL)
    if literal is not None:
        inner = literal[1:-1]
        if not _IP_FUTURE.fullmatch(inner) and check_ipv6(inner) is not None:
            raise cursor.unexpected("ip_literal", "The brackets hold no IPv6 address", host_at)
    else:
        host = cursor.maybe(_REG_NAME)
        if not host and needs_host:
            raise cursor.unexpected("host", "Expected a host")
    cursor.maybe(_PORT)
    return host_at


def check_uuid(text: str) -> Fault | None:
    """The first fault of a trimmed text as a UUID of any version, in the form with hyphens."""
    if _UUID.fullmatch(text):
        return None
    for at, character in enumerate(text[:_UUID_LENGTH]):
        if at in (8, 13, 18, 23):
            if character != "-":
                return Fault("hyphen", f"Expected '-', found {character!r}.", at)
        elif character not in _HEX:
            return Fault("digit", f"Expected a hexadecimal digit, found {character!r}.", at)
    message = f"A UUID has {_UUID_LENGTH} characters, this has {len(text)}."
    return Fault("length", message, min(len(text), _UUID_LENGTH))


def check_ipv4(text: str) -> Fault | None:
    """The first fault of a trimmed text as a dotted quad, without leading zeros."""
    at = 0
    parts = text.split(".", 4)
    for part in parts[:4]:
        if not _OCTET.fullmatch(part):
            message = f"Expected a number from 0 to 255 without leading zeros, found {shown(part, 40)!r}."
            return Fault("octet", message, at)
        at += len(part) + 1
    if len(parts) != 4:
        return Fault("parts", "An IPv4 address has four numbers.", min(at, len(text)))
    return None


def check_ipv6(text: str) -> Fault | None:
    """The first fault of a trimmed text as an IPv6 address (RFC 4291), without a zone."""
    if len(text) <= _IPV6_LENGTH and "%" not in text and "/" not in text:
        try:
            ipaddress.IPv6Address(text)
        except ValueError as error:
            return Fault("address", f"This is not an IPv6 address: {shown(str(error), 120)}.", _ipv6_place(text))
        return None
    return Fault("address", "This is not an IPv6 address.", _ipv6_place(text))


def _ipv6_place(text: str) -> int:
    """Where the first group stands that is none; the end where the groups are right and only their number is not."""
    at = 0
    for part in text[: _IPV6_LENGTH + 1].split(":"):
        if part and not _GROUP.fullmatch(part) and check_ipv4(part) is not None:
            return at
        at += len(part) + 1
    return min(len(text), _IPV6_LENGTH)


def check_semver(text: str) -> Fault | None:
    """The first fault of a trimmed text as a semantic version 2.0.0."""
    if len(text) > MAX_SEMVER:
        return Fault("length", f"The version is longer than {MAX_SEMVER} characters.", MAX_SEMVER)
    cursor = Cursor(text)
    try:
        for number, name in enumerate(("major", "minor", "patch")):
            if number:
                cursor.take(_DOT, "dot", f"'.' before the {name} version")
            cursor.take(_CORE, name, f"the {name} version without leading zeros")
        for mark, pattern, what in (("-", _PRERELEASE, "pre-release"), ("+", _BUILD, "build")):
            if cursor.maybe(re.compile(re.escape(mark))) is not None:
                cursor.take(pattern, what, f"a {what} identifier")
                while cursor.maybe(_DOT) is not None:
                    cursor.take(pattern, what, f"a {what} identifier")
        cursor.end()
    except UnexpectedError as error:
        return error.fault
    return None
