"""Further databases from a given one, so that a hard-coded answer fails and an equivalent query does not.

Its rows are resampled. What holds in the given data holds in the others: declared keys and constraints, columns
without repeated values, columns without NULL, values that refer to another table's key, columns that determine or
bound one another. Values come from the same columns, or from the constants with which queries compare them (seeds.py);
no table that had rows is empty.
"""

from __future__ import annotations

import itertools
import random
import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from verifleet.sandbox.guest import seeds

MAX_ROWS = 5_000
_MAX_SEEDED = 300  # rows of a table into which values are put one by one
_REFERENCE_ROUNDS = 8
Row = tuple[Any, ...]
Connect = Callable[[], sqlite3.Connection]


@dataclass
class Table:
    """One table of the given database and what its rows have in common."""

    name: str
    columns: list[str]
    stored: list[str]  # columns that can be inserted: generated ones can't
    rows: list[Row]
    unique: set[int] = field(default_factory=set)
    minted: int | None = None  # an integer key for which new values may be made
    groups: list[list[int]] = field(default_factory=list)  # columns that belong together
    pairs: list[tuple[int, int]] = field(default_factory=list)  # pairs of columns without repeats
    refers: dict[int, tuple[str, int]] = field(default_factory=dict)  # column -> table and its key
    declared: dict[int, tuple[str, int]] = field(default_factory=dict)  # the same, by its own foreign keys
    related: list[seeds.Relation] = field(default_factory=list)  # what holds between columns, once it is asked for


def names(database: sqlite3.Connection) -> list[str]:
    """Ordinary tables, by name."""
    query = (
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name"
    )
    return [name for (name,) in database.execute(query)]


def quoted(name: str) -> str:
    """A name as an SQL identifier."""
    return '"' + name.replace('"', '""') + '"'


def variants(
    original: sqlite3.Connection, count: int, connect: Connect, constants: dict[str, list[Any]] | None = None
) -> list[sqlite3.Connection]:
    """Up to `count` databases; fewer where the given one has no rows to draw from or can't be copied.

    With `constants` that columns are compared with, by column name, as many more with values around them and repeats.
    """
    try:
        tables = {name: _read(original, name) for name in names(original)}
        if sum(len(table.rows) for table in tables.values()) > MAX_ROWS * 4 or not any(t.rows for t in tables.values()):
            return []
        _relate(tables)
        made = []
        for number in range(count):
            rng = random.Random(number + 1)
            made.append(_build(original, tables, _drawn(tables, number, rng), connect))
        for number in range(0 if constants is None else count):
            rng = random.Random(1000 + number)
            rows = _drawn(tables, number, rng, _MAX_SEEDED)
            before = {name: list(rows[name]) for name in rows}
            for name, table in tables.items():
                _seed(table, tables, rows[name], constants or {}, rng)
            made.append(_build(original, tables, rows, connect, before))
        return made
    except sqlite3.Error:
        return []  # virtual tables and the like: the given database alone decides


def reordered(database: sqlite3.Connection, connect: Connect) -> Iterator[sqlite3.Connection]:
    """The same content, read or stored in another order, to see whether a query's result hangs on that."""
    reverse = connect()
    database.backup(reverse)
    reverse.execute("PRAGMA reverse_unordered_selects=ON")
    yield reverse
    try:
        tables = {name: _read(database, name) for name in names(database)}
        rng = random.Random(99)
        rows = {name: rng.sample(table.rows, len(table.rows)) for name, table in tables.items()}
        yield _build(database, tables, rows, connect)
    except sqlite3.Error:
        return


# --- what the given rows have in common -------------------------------------------


def _read(database: sqlite3.Connection, name: str) -> Table:
    info = database.execute(f"PRAGMA table_xinfo({quoted(name)})").fetchall()
    columns = [row[1] for row in info]
    stored = [row[1] for row in info if row[6] == 0]
    chosen = ", ".join(quoted(column) for column in stored)
    rows = database.execute(f"SELECT {chosen} FROM {quoted(name)}").fetchall()  # noqa: S608
    table = Table(name, columns, stored, rows)
    width = range(len(stored))
    values = {i: [row[i] for row in rows] for i in width}
    table.unique = {i for i in width if len(set(values[i])) == len(rows)}
    key = [i for i, row in enumerate(info) if row[5] and row[6] == 0]
    if len(key) == 1 and all(type(value) is int for value in values[key[0]]):
        table.minted = key[0]
    table.groups = _groups(table, values)
    for row in database.execute(f"PRAGMA foreign_key_list({quoted(name)})").fetchall():
        _declare(database, table, *row[2:5])
    return table


def _declare(database: sqlite3.Connection, table: Table, target: str, column: str, referred: str | None) -> None:
    """Note a foreign key; names count in any case, and without a column the other table's key is meant."""
    name = next((name for name in names(database) if name.lower() == target.lower()), "")
    info = database.execute(f"PRAGMA table_xinfo({quoted(name)})").fetchall()
    stored = [row for row in info if row[6] == 0]
    keys = [i for i, row in enumerate(stored) if (row[1].lower() == referred.lower() if referred else row[5] == 1)]
    own = [i for i, other in enumerate(table.stored) if other.lower() == column.lower()]
    if keys and own:
        table.declared[own[0]] = (name, keys[0])


def _groups(table: Table, values: dict[int, list[Any]]) -> list[list[int]]:
    """Columns outside the key, joined where one determines or always bounds the other."""
    free = [i for i in values if i != table.minted]
    parent = {i: i for i in free}

    def root(i: int) -> int:
        while parent[i] != i:
            i = parent[i]
        return i

    for a, b in itertools.combinations(free, 2):
        if _bound(values[a], values[b]) or _determines(values[a], values[b]) or _determines(values[b], values[a]):
            parent[root(a)] = root(b)
    groups: dict[int, list[int]] = {}
    for i in free:
        groups.setdefault(root(i), []).append(i)
    return list(groups.values())


def _determines(left: list[Any], right: list[Any]) -> bool:
    """Equal values on the left always come with equal ones on the right, and there are enough repeats to tell."""
    seen: dict[Any, Any] = {}
    repeats = 0
    for a, b in zip(left, right, strict=True):
        if a is None:
            continue
        if a in seen:
            repeats += 1
            if seen[a] != b:
                return False
        seen[a] = b
    # A column that never varies is determined by everything, which says nothing about the two.
    return repeats >= 2 and len({repr(value) for value in right}) > 1


def _bound(left: list[Any], right: list[Any]) -> bool:
    """One column is never above the other, over at least four rows with both."""
    both = [(a, b) for a, b in zip(left, right, strict=True) if a is not None and b is not None]
    kinds = {type(value) for pair in both for value in pair}
    if len(both) < 4 or not (kinds <= {int, float} or kinds == {str}):
        return False
    if max(a for a, _ in both) < min(b for _, b in both) or max(b for _, b in both) < min(a for a, _ in both):
        return False  # apart anyhow, whatever is paired with what
    return all(a <= b for a, b in both) or all(a >= b for a, b in both)


def _relate(tables: dict[str, Table]) -> None:
    """Find columns that refer to another table's key, declared or by all their values being among its values."""
    keys = {
        (table.name, i): {row[i] for row in table.rows}
        for table in tables.values()
        for i in table.unique
        if len(table.rows) > 1
    }
    for table in tables.values():
        for i in range(len(table.stored)):
            values = {row[i] for row in table.rows} - {None}
            if not values or i == table.minted or any(isinstance(value, float) for value in values):
                continue
            targets = [key for key, domain in keys.items() if values <= domain and key != (table.name, i)]
            if i in table.declared:
                targets = [target for target in targets if target == table.declared[i]]
            if targets:
                named = [(t, key) for t, key in targets if tables[t].stored[key].lower() == table.stored[i].lower()]
                table.refers[i] = (named or targets)[0]
        for a, b in itertools.combinations(range(len(table.stored)), 2):
            linked = a in table.refers and b in table.refers
            if not linked and (table.unique or table.minted is not None):
                continue
            if len({(row[a], row[b]) for row in table.rows}) == len(table.rows):
                table.pairs.append((a, b))


# --- drawing rows -------------------------------------------------------------------


def _drawn(tables: dict[str, Table], number: int, rng: random.Random, most: int = MAX_ROWS * 4) -> dict[str, list[Row]]:
    """Rows for every table: parts of the given rows, columns dealt anew, and more rows under new keys, by turns."""
    share = (0.6, 1.0, 0.8, 0.4)[number % 4]
    kept = {}
    for name, table in tables.items():
        size = min(most, max(min(len(table.rows), 2), round(len(table.rows) * share)))
        kept[name] = sorted(rng.sample(range(len(table.rows)), size)) if table.rows else []
    _keep_referred(tables, kept)
    drawn = {}
    for name, table in tables.items():
        rows = [table.rows[i] for i in kept[name]]
        if number % 4 != 0:
            rows = _dealt(table, rows, rng, drawn_from=(None, None, 1.0, 0.5)[number % 4])
        if number % 4 >= 2:
            rows = _more(table, rows, rng)
        rows = _without_repeats(table, rows)
        rng.shuffle(rows)
        drawn[name] = rows
    _drop_dangling(tables, drawn)
    return drawn


def _drop_dangling(tables: dict[str, Table], drawn: dict[str, list[Row]]) -> None:
    """Drop rows that refer to what was not drawn after all, as long as some are left.

    Last by declared keys alone, which always hold: where none would be left, what they refer to is drawn.
    """
    for declared in (False, True):
        for _ in range(_REFERENCE_ROUNDS):
            before = {name: len(rows) for name, rows in drawn.items()}
            for name, table in tables.items():
                for column, (target, key) in (table.declared if declared else table.refers).items():
                    have = {row[key] for row in drawn[target]} | {None}
                    kept = [row for row in drawn[name] if row[column] in have]
                    if not kept and declared:
                        wanted = {row[column] for row in drawn[name]}
                        drawn[target] = drawn[target] + [row for row in tables[target].rows if row[key] in wanted]
                    drawn[name] = kept or drawn[name]
            if before == {name: len(rows) for name, rows in drawn.items()}:
                break


def _keep_referred(tables: dict[str, Table], kept: dict[str, list[int]]) -> None:
    """Add the rows that kept rows refer to, until nothing is missing."""
    for _ in range(_REFERENCE_ROUNDS):
        grown = False
        for name, table in tables.items():
            for column, (target, key) in table.refers.items():
                wanted = {table.rows[i][column] for i in kept[name]} - {None}
                have = {tables[target].rows[i][key] for i in kept[target]}
                if missing := wanted - have:
                    more = [i for i, row in enumerate(tables[target].rows) if row[key] in missing]
                    kept[target] = sorted({*kept[target], *more})
                    grown = True
        if not grown:
            return


def _dealt(table: Table, rows: list[Row], rng: random.Random, *, drawn_from: float | None) -> list[Row]:
    """The values of every column dealt anew to the rows, columns that belong together staying so.

    With `drawn_from`, values that repeat in the given data are drawn from that share of the rows: some come more often
    then and others, the greatest among them, not at all, so that an average or a maximum moves.
    """
    columns = [list(column) for column in zip(*rows, strict=True)]
    places = range(len(rows))
    for group in table.groups:
        order = rng.sample(places, len(rows))
        if drawn_from is not None and not table.unique.intersection(group):
            pool = _without_extreme(columns[group[0]], order, rng)
            order = rng.choices(pool[: max(2, round(len(pool) * drawn_from))], k=len(rows))
        for i in group:
            columns[i] = _still_mixed(columns[i], [columns[i][place] for place in order])
    return list(zip(*columns, strict=True)) if columns else rows


def _without_extreme(values: list[Any], places: list[int], rng: random.Random) -> list[int]:
    """Places without those of the greatest or the least value, as long as several values are left."""
    kinds = {type(value) for value in values if value is not None}
    if not (kinds <= {int, float} or kinds == {str}) or len(set(values)) < 4:
        return places
    extreme = rng.choice((max, min))(value for value in values if value is not None)
    return [place for place in places if values[place] != extreme]


def _still_mixed(given: list[Any], drawn: list[Any]) -> list[Any]:
    """A column of integers and fractions keeps a fraction: without any, dividing it would mean something else."""
    fraction = next((value for value in given if isinstance(value, float)), None)
    if fraction is None or any(isinstance(value, float) for value in drawn):
        return drawn
    return [fraction, *drawn[1:]]


def _more(table: Table, rows: list[Row], rng: random.Random) -> list[Row]:
    """Further rows under new keys, with repeated values where values may repeat."""
    if table.minted is None or table.unique != {table.minted} or len(rows) < 2:
        return rows
    fresh = max(row[table.minted] for row in table.rows) + 1
    added = []
    for number in range(max(2, len(rows) // 3)):
        row = list(rng.choice(rows))
        row[table.minted] = fresh + number
        added.append(tuple(row))
    return rows + added


def _copied(table: Table, row: Row, key: int, rows: list[Row], rng: random.Random) -> Row | None:
    """A row under a new key, with other names, days and measures where these never repeat; None where it can't be.

    All its days move alike, so that what lies between them stays. The greatest and the least of a measure stay alone.
    """
    assert table.minted is not None
    copied = list(row)
    copied[table.minted] = key
    days = rng.choice((-1, 1)) * rng.randrange(1, 28) if any(seeds.is_day(row[i]) for i in table.unique) else 0
    for i, name in enumerate(table.stored):
        if days and seeds.is_day(row[i]):
            copied[i] = seeds.later(row[i], days)
        elif i == table.minted or i in table.refers:
            continue
        elif seeds.is_measure(name, there := [other[i] for other in rows]):
            if i in table.unique or seeds.is_extreme(row[i], there):
                copied[i] = seeds.beside(row[i], there)
        elif i in table.unique and seeds.is_name([other[i] for other in table.rows]):
            copied[i] = None if row[i] is None else row[i] + rng.choice("aeiou") + rng.choice("lmnrst")
    both = [*rows, tuple(copied)]
    kept = all(
        seeds.put(both, len(rows), i, value, table.related, table.pairs, unique=i in table.unique)
        for i, value in enumerate(copied)
        if value != row[i] or i in table.unique
    )
    return both[-1] if kept else None


def _seed(
    table: Table,
    tables: dict[str, Table],
    rows: list[Row],
    constants: dict[str, list[Any]],
    rng: random.Random,
) -> None:
    """Put values around constants, and repeats, into rows and into copies of rows, which come last."""
    if not rows or len(rows) > 2 * _MAX_SEEDED:
        return
    referred = {key for other in tables.values() for target, key in other.refers.values() if target == table.name}
    given = {i: [row[i] for row in table.rows] for i in range(len(table.stored))}
    related = table.related = table.related or seeds.relations(table.groups, given, _determines)
    fresh = max((row[table.minted] for row in table.rows), default=0) + 1000 if table.minted is not None else 0
    for i, name in enumerate(table.stored):
        if i in table.refers or i in table.declared or i in referred or i == table.minted:
            continue
        unique = i in table.unique
        if unique and table.minted is not None and seeds.is_measure(name, given[i]):
            unique = False
            seeds.repeat(rows, i, related, table.pairs, rng)
        values = seeds.values_for(given[i], constants.get(name.lower(), []))
        free = rng.sample(range(len(rows)), len(rows))
        for value in rng.sample(values, len(values)):
            place = free.pop() if free else rng.randrange(len(rows))
            if table.minted is not None and not table.pairs and rng.random() < 0.5:
                fresh += 1
                copied = _copied(table, rows[place], fresh, rows, rng)
                if copied is not None:
                    both = [*rows, copied]
                    if seeds.put(both, len(rows), i, value, related, table.pairs, unique=unique):
                        rows.append(both[-1])
                        continue
            seeds.put(rows, place, i, value, related, table.pairs, unique=unique)


def _without_repeats(table: Table, rows: list[Row]) -> list[Row]:
    """Drop rows that would repeat what never repeats in the given data."""
    kept = []
    seen: list[set[Any]] = [set() for _ in table.pairs]
    for row in rows:
        keys = [(row[a], row[b]) for a, b in table.pairs]
        if any(key in known for key, known in zip(keys, seen, strict=True)):
            continue
        for key, known in zip(keys, seen, strict=True):
            known.add(key)
        kept.append(row)
    return kept


def _build(
    original: sqlite3.Connection,
    tables: dict[str, Table],
    rows: dict[str, list[Row]],
    connect: Connect,
    before: dict[str, list[Row]] | None = None,
) -> sqlite3.Connection:
    """A database with the original's schema and these rows; what a constraint refuses is as `before`, or left out."""
    database = connect()
    parts = original.execute("SELECT type, sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY rowid").fetchall()
    for kind, sql in parts:
        if kind == "table" and not sql.lower().startswith("create table sqlite_"):
            database.execute(sql)
    for name, table in tables.items():
        marks = ", ".join("?" * len(table.stored))
        chosen = ", ".join(quoted(column) for column in table.stored)
        statement = f"INSERT OR IGNORE INTO {quoted(name)} ({chosen}) VALUES ({marks})"  # noqa: S608
        if before is None:
            database.executemany(statement, rows[name])
            continue
        for row, earlier in itertools.zip_longest(rows[name], before[name]):
            if database.execute(statement, row).rowcount < 1 and earlier is not None:
                database.execute(statement, earlier)
    for kind, sql in parts:
        if kind != "table":
            database.execute(sql)
    return database
