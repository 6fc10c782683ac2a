"""Bounds said in words, such as `at most 12`: half a line of numbers, never the number itself."""

from __future__ import annotations

import re

from verifleet.reading.spelled import in_digits
from verifleet.reading.words import spoken
from verifleet.verifiers.math.syntax.vocabulary import phrased

_MORE, _LESS, _NO = "(?:more|greater|larger|bigger|higher)", "(?:less|fewer|smaller|lower)", "(?:no|not|n['’]t)"
_IS = r"(?:^|(?<=is\s)|(?<=are\s)|(?<=be\s)|(?<=was\s))"
_PHRASE = (
    rf"(?P<ge>at\s+least|{_MORE}\s+than\s+or\s+equal\s+to|{_NO}\s+{_LESS}\s+than)"
    rf"|(?P<le>at\s+most|{_LESS}\s+than\s+or\s+equal\s+to|{_NO}\s+{_MORE}\s+than|not\s+exceed(?:ing)?)"
    rf"|(?P<gt>{_MORE}\s+than|exceed(?:s|ing)?|{_IS}(?:over|above)|just\s+(?:over|above))"
    rf"|(?P<lt>{_LESS}\s+than|{_IS}(?:under|below)|(?:almost|nearly|just\s+(?:under|below|short\s+of)))"
)
_SIGNS = {"ge": r"\ge", "le": r"\le", "gt": ">", "lt": "<"}
_BEFORE = spoken(
    rf"""(?:\bstrictly )?(?:(?<![A-Za-z])|
    (?<=[a-z](?=n['’]t)))(?:{_PHRASE})[\s$*(\\\[]*(?:(?:about|approximately|exactly|roughly)[\s$*(\\\[]+)?$"""
)
_DRESS = " \t\n$*([\\~"  # what may stand between the words and the value
_START = re.compile(rf"(?:strictly\s+)?(?:{_PHRASE})(?![A-Za-z])\s*", re.IGNORECASE)
_END = spoken(phrased("bounds_in_words.end"))
_NEGATED = re.compile(r"\b(?:not|never|no|cannot|nor|neither)\b|n['’]t\b", re.IGNORECASE)
_TEXT = re.compile(r"\\(?:text|textbf|textit|textrm|mbox|mathrm)\s*\{([^{}]*)\}")
_SPACING = re.compile(r"(?:\\[,;: ]|~|\s)+")
_MAY_BOUND = spoken(rf"\b(?:{phrased('bounds.words')})\b")
_VALUE = r"\$?[-−+]?[^\s,()$]{0,30}[^\s,()$.]\$?"
_SPAN = spoken(
    rf"""(?:(?P<open>\bstrictly|\bopen interval|\bproperly) |(?P<closed>\bclosed interval) )?\b(?:between|
    from) (?P<low>{_VALUE}) (?:and|to) (?P<high>{_VALUE})(?P<tail>[\s,(]+(?:(?P<out>exclusive\b|excluded\b|
    not include(?:d|s)?)|inclusive\b|included\b|including both)[^.]{{0,30}})?[.)\s]*$"""
)
_EVERY = spoken(
    rf"""\b(?:{phrased("bounds.all")}) (?:real )?(?:numbers? |values? (?:of )?)?
    (?:(?P<of>[a-z]),? (?:{phrased("bounds.such")}) (?=[-−+\d\\]|(?P=of)\b|\|))?
    (?P<condition>(?(of)|[a-z](?![a-z'])).{{1,120}}?)
    (?:(?: (?:except|but not|other than) (?:for )?(?:[a-z]\s*=\s*)?|,? (?:with|and) \$?[a-z]\s*(?:≠|\\neq?)
    \s?)(?P<out>[^\s=]+?))?[.\s]*$"""
)
_ABOUT = spoken(rf"=|\bfails?\b|{_NEGATED.pattern}")
"""What makes a condition of a region, or denies it."""
_DOLLAR = re.compile(r"\$|\\[()]")
_SUBJECT = spoken(phrased("bounds_in_words.subject"))


def bound_before(text: str) -> tuple[str, int] | None:
    """The words of a bound that a text ends on, and where they begin; denied ones are marked with "not:"."""
    text = text.rstrip(_DRESS)
    tail = max(0, len(text) - 80)
    match = _BEFORE.search(text[tail:])
    if match is None:
        return None
    phrase = " ".join(re.sub(r"[$*(\\\[]", " ", match.group()).split())
    denied = _NEGATED.search(text[:tail] + text[tail : tail + match.start()])
    return (f"not: {phrase}" if denied else phrase), tail + match.start()


def bound_of(text: str) -> tuple[str, str] | None:
    """The sign, in LaTeX, and the value of a text that is nothing but a bound, such as `at most 12` or `12 or more`."""
    if not _MAY_BOUND.search(text):
        return None
    plain = _SPACING.sub(" ", _TEXT.sub(r" \1 ", text)).strip(" .")
    start = _START.match(plain)
    if start is not None:
        return _SIGNS[start.lastgroup or ""], plain[start.end() :]
    end = _END.search(plain)
    if end is None:
        return None
    return r"\ge" if end.group("up") or end.group("least") else r"\le", plain[: end.start()]


def region_in_words(text: str) -> str | None:
    """`x lies strictly between -3 and 7` as an interval, `x is at most -3 or at least 3` as a union."""
    if not _MAY_BOUND.search(text):
        return None
    text = in_digits(_DOLLAR.sub("", text[-300:]))
    span = _SPAN.search(text)
    if span is not None and (
        text[span.start() :].lower().startswith("between") or span.group("open", "closed", "tail") != (None,) * 3
    ):
        shut = span.group("closed") or (span.group("tail") and not span.group("out"))
        low, high = (span.group(name).strip("$") for name in ("low", "high"))
        return f"[{low}, {high}]" if shut else f"({low}, {high})"
    subject = _SUBJECT.match(text)
    joined = " and " if " and " in text and " or " not in text else " or "
    sides = [bound_of(side) for side in text[subject.end() :].split(joined)] if subject else []
    if len(sides) > 1 and all(sides):
        return joined.join(f"x {' '.join(side)}" for side in sides if side)
    every = _EVERY.search(text)
    if every is not None and not _ABOUT.search(text, 0, every.start()):
        of, condition, out = every.group("of", "condition", "out")
        return f"{condition} and {of or condition[0]} ≠ {out}" if out else condition
    return None
