"""Values that tell near misses apart, put into made databases: around the constants of the queries, and repeats.

What holds in the given rows goes on holding: keys, references, signs, the shape of dates and numbers in texts, columns
that determine or bound one another, columns without repeats unless they hold mere measures.
"""

from __future__ import annotations

import datetime
import itertools
import math
import random
import re
from collections.abc import Callable
from typing import Any

Row = tuple[Any, ...]
Relation = tuple[int, int, Callable[[Any, Any], bool] | None]  # None: the first determines the second
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}\Z")
_NAMES_SOMETHING = re.compile(r"(?:id|key|code|no|nr|num|number|year|rank)\Z", re.IGNORECASE)
_DAY_29 = re.compile(r"(?<=-02)-29")


def values_for(given: list[Any], constants: list[list[Any]]) -> list[Any]:
    """Values around constants that fit a column that holds `given`.

    NULL comes only where the given data has it: queries that mean the same part ways over NULLs nobody thought of.
    `constants` are [how it is compared, the constant]; "like" marks a pattern, "date" a part of a date or text.
    """
    there = [value for value in given if value is not None]
    kinds = {type(value) for value in there}
    if kinds == {str}:
        return _texts(there, constants)
    if not kinds or not kinds <= {int, float}:
        return []
    numbers = sorted({number for _, number in constants if isinstance(number, (int, float))})
    around = [value for c in numbers for value in (c, c - 1, c + 1)] + [
        (a + b) / 2 for a, b in itertools.pairwise(numbers)
    ]
    whole = all(float(value).is_integer() for value in there)
    made: list[Any] = [float(round(value)) if whole else float(value) for value in around]
    least = min(there)
    made = [value for value in made if least < 0 or value > 0 or (value == 0 and least == 0)]
    kind = float if float in kinds else int
    return [kind(value) for value in dict.fromkeys(made)]


def _texts(given: list[str], constants: list[list[Any]]) -> list[str]:
    # LIKE without a pattern ignores case, so nothing tells how its constant would be written.
    plain = [text for how, text in constants if isinstance(text, str) and how == "="]
    patterns = [text for how, text in constants if isinstance(text, str) and how == "like" and _wild(text)]
    if all(_DATE.match(value) for value in given):
        made = [day for text in plain if _DATE.match(text) for day in _days(text)]
        made += _other_years(given) if constants else []
    elif any(character.isdigit() for value in given for character in value[:1]):
        made = plain  # numbers, dates with times, telephone numbers: nothing but what the queries name
    else:
        like = [text for pattern in patterns if "\\" not in pattern for text in _matching(pattern)]
        if all(value[:1].isupper() for value in given):
            like = [text[:1].upper() + text[1:] for text in like if len(text) > 1]
        # What is neither of the values that are named: another state, or one that only begins like a constant.
        made = [*plain, *like, *(text + "x" for text in plain), *([""] if plain else [])]
    # Comparisons that ignore case and such that don't mean the same as long as no two values differ in case alone.
    known = {value.lower() for value in given}
    fresh: dict[str, str] = {}
    for text in made:
        if text.lower() not in known:
            fresh.setdefault(text.lower(), text)
    return list(fresh.values())


def _other_years(given: list[str]) -> list[str]:
    """Dates of the same months in other years: whoever names a month may mean one year or all."""
    spread = sorted(set(given))
    chosen = {spread[0], spread[len(spread) // 3], spread[2 * len(spread) // 3], spread[-1]}
    return [f"{int(day[:4]) + step:04d}{_DAY_29.sub('-28', day[4:])}" for day in sorted(chosen) for step in (-1, 1)]


def _wild(text: str) -> bool:
    return any(character in text for character in "%_*?")


def _matching(pattern: str) -> list[str]:
    """Texts that a pattern matches, and such that only hold its text."""
    single = re.sub(r"[_?]", "x", pattern)
    bare, filled = re.sub(r"[%*]+", "", single), re.sub(r"[%*]+", "x", single)
    return [bare, filled, bare + "x", "x" + bare] if bare.strip("x ") else []


def _days(text: str) -> list[str]:
    try:
        day = datetime.date.fromisoformat(text)
        return [text, *((day + datetime.timedelta(days=step)).isoformat() for step in (-1, 1))]
    except (ValueError, OverflowError):
        return []


def is_day(value: Any) -> bool:
    """Whether a value is a date."""
    return isinstance(value, str) and _DATE.match(value) is not None


def later(day: str, days: int) -> str:
    """A date so many days later; the same where the calendar ends."""
    try:
        return (datetime.date.fromisoformat(day) + datetime.timedelta(days=days)).isoformat()
    except (ValueError, OverflowError):
        return day


def is_extreme(number: Any, there: list[Any]) -> bool:
    """Whether a number is the greatest or the least of a column."""
    known = [other for other in there if other is not None]
    return number is not None and number in (max(known), min(known))


def beside(number: Any, there: list[Any]) -> Any:
    """A number between one and its neighbour; the same where there is none."""
    if number is None:
        return None
    others = sorted({other for other in there if other is not None and other != number}, key=lambda o: abs(o - number))
    if not others:
        return number
    between = (number + others[0]) / 2
    return math.floor(between) if isinstance(number, int) else between


def is_name(given: list[Any]) -> bool:
    """Whether a column holds words, so that there may be others."""
    return all(value is None or (isinstance(value, str) and not any(map(str.isdigit, value))) for value in given)


def is_measure(name: str, given: list[Any]) -> bool:
    """Whether a column holds numbers that name nothing, so that equal ones are nothing strange."""
    kinds = {type(value) for value in given if value is not None}
    return bool(kinds) and kinds <= {int, float} and _NAMES_SOMETHING.search(name) is None


def relations(groups: list[list[int]], given: dict[int, list[Any]], determines: Callable[..., bool]) -> list[Relation]:
    """What columns that belong together have in common."""
    found: list[Relation] = []
    for group in groups:
        for a, b in itertools.permutations(group, 2):
            both = [(x, y) for x, y in zip(given[a], given[b], strict=True) if x is not None and y is not None]
            if determines(given[a], given[b]):
                found.append((a, b, None))
            if _ordered([value for pair in both for value in pair]) and all(x <= y for x, y in both):
                found.append((a, b, lambda x, y: x is None or y is None or x <= y))
    return found


def _ordered(values: list[Any]) -> bool:
    """Whether one column may bound another: numbers and dates, not words, whose alphabet says nothing."""
    if all(type(value) is str for value in values):
        return all(value[:1].isdigit() for value in values)
    return all(type(value) in (int, float) for value in values)


def put(
    rows: list[Row],
    place: int,
    column: int,
    value: Any,
    related: list[Relation],
    pairs: list[tuple[int, int]],
    *,
    unique: bool,
) -> bool:
    """Put a value into a row, unless that breaks what holds; whether it was put.

    `pairs` are pairs of columns without repeats; `unique` says that of the column alone.
    """
    changed = (*rows[place][:column], value, *rows[place][column + 1 :])

    def elsewhere(found: Callable[[Row], bool]) -> bool:
        return any(found(row) for number, row in enumerate(rows) if number != place)

    def met(a: int, b: int) -> bool:
        return elsewhere(lambda row: row[a] == changed[a] and row[b] == changed[b])

    if unique and elsewhere(lambda row: row[column] == value):
        return False
    for a, b in pairs:
        if column in (a, b) and met(a, b):
            return False
    for a, b, holds in related:
        if column not in (a, b):
            continue
        if holds is not None:
            if not holds(changed[a], changed[b]):
                return False
        elif elsewhere(lambda row, a=a, b=b: row[a] == changed[a] and row[b] != changed[b]):  # type: ignore[misc]
            return False
    rows[place] = changed
    return True


def repeat(
    rows: list[Row], column: int, related: list[Relation], pairs: list[tuple[int, int]], rng: random.Random
) -> None:
    """Let a value come twice; never the greatest or the least, of which a query may rightly want the only one."""
    there = sorted({row[column] for row in rows if row[column] is not None})
    if len(there) >= 3:
        value = rng.choice(there[1:-1])
        places = [n for n, row in enumerate(rows) if row[column] in there[1:-1] and row[column] != value]
        places = places or [n for n, row in enumerate(rows) if row[column] is not None and row[column] != value]
        put(rows, rng.choice(places), column, value, related, pairs, unique=False)
