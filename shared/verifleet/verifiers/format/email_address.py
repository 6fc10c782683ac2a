"""E-mail addresses: RFC 5321 mailboxes, with internationalised ones by RFC 6531.

Quoted local parts and address literals are valid; comments, folding white space and obsolete forms are not.
"""

from __future__ import annotations

import re
from typing import Final

from verifleet.verifiers.format.fault import Fault

MAX_LENGTH: Final = 1_000  # far above RFC 5321's 254 octets; keeps the parsers from long texts
_VALID_BELOW: Final = 16  # pyisemail: diagnoses under this are valid for SMTP as they stand
# Address literals that the parser below can't bear: not closed, with white space, or without any group of digits.
_LOCAL: Final = r'(?:"(?:[^"\\]|\\.)*+"|[^"@]*+)@'
_LITERAL = re.compile(_LOCAL + r"\[(?:IPv6:(?![0-9A-Fa-f:.]{2,}\])|[!-Z^-~]*+(?!\]))", re.IGNORECASE | re.DOTALL)
_TAG = re.compile(r"(?<=@\[)ipv6:", re.IGNORECASE)
_ESCAPED = re.compile(r'"(?:[^"\\]|\\[ -~])*+\\')


def check_email(text: str) -> Fault | None:
    """The first fault of a trimmed text as one address."""
    if not text:
        return Fault("empty", "There is no address: the text is empty.", 0)
    if len(text) > MAX_LENGTH:
        return Fault("length", "The text is longer than any address.", MAX_LENGTH)
    if "@" not in text:
        return Fault("at_sign", "An address has an @ between its local part and its domain.", len(text))
    if text.isascii():
        return _ascii_fault(text)
    return _international_fault(text)


def _ascii_fault(text: str) -> Fault | None:
    from pyisemail import is_email

    literal = _LITERAL.match(text)
    if literal is not None:
        return Fault("address_literal", "This is no IP address in brackets.", literal.end())
    diagnosis = is_email(_TAG.sub("IPv6:", text), check_dns=False, diagnose=True)
    if int(diagnosis.code) < _VALID_BELOW:
        return None
    rule = str(diagnosis.diagnosis_type).lower()
    return Fault(rule, f"This is not an address: {str(diagnosis.message).rstrip('.')}.", _place(text))


def _international_fault(text: str) -> Fault | None:
    escaped = _ESCAPED.match(text)
    if escaped is not None:  # RFC 6531 adds letters to what may be quoted, not to what may be escaped
        return Fault("quoted_pair", "A backslash escapes one printable character of ASCII.", escaped.end() - 1)

    from email_validator import EmailNotValidError, validate_email

    try:
        validate_email(
            text,
            check_deliverability=False,
            allow_smtputf8=True,
            allow_quoted_local=True,
            allow_domain_literal=True,
            test_environment=True,
        )
    except (EmailNotValidError, UnicodeError) as error:
        return Fault("international", f"This is not an address: {str(error).rstrip('.')}.", _place(text))
    return None


def _place(text: str) -> int:
    """The best guess at the faulty character: the longest prefix that could still be an address ends there."""
    local, _, domain = text.rpartition("@")
    if not local:
        return 0
    if not local.startswith('"'):
        for number, character in enumerate(local):
            if character in ' ()<>[]:;@\\,"\t\r\n' or (character == "." and local[number - 1 : number] in ("", ".")):
                return number
        if local.endswith("."):
            return len(local) - 1
    base = len(local) + 1
    if not domain.startswith("["):
        for number, character in enumerate(domain):
            bad_dot = character == "." and domain[number - 1 : number] in ("", ".")
            if bad_dot or not (character.isalnum() or character in "-."):
                return base + number
    return base if domain else len(text)
