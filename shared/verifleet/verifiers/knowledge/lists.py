"""The closed classes and tables of words that the rules of this package know, from its data files."""

from __future__ import annotations

import json
import re
from functools import cache
from importlib.resources import files
from typing import Any


@cache
def _file(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(files(__package__).joinpath("data", f"{name}.json").read_text("utf-8"))
    return found


def listed(name: str) -> frozenset[str]:
    """The words of one class, named after the module that uses it."""
    return frozenset(_file("lists")[name].split())


def listed_all(module: str, names: str) -> tuple[frozenset[str], ...]:
    """The words of several classes of one module."""
    return tuple(listed(f"{module}.{name}") for name in names.split())


def phrases(name: str) -> tuple[tuple[str, ...], ...]:
    """Words that follow one another, likewise."""
    return tuple(tuple(phrase.split()) for phrase in _file("lists")[name].split(","))


def expression(name: str, behind: str = "", before: str = "") -> re.Pattern[str]:
    """Phrases as one expression, in any case; what must follow each of them stands `behind`."""
    return re.compile(f"{before}({'|'.join(_file('phrases')[name])}){behind}", re.IGNORECASE)


def groups(name: str) -> list[frozenset[str]]:
    """Groups of words that belong together."""
    return [frozenset(group.split()) for group in _file("lists")[name].split(";")]


def table(name: str) -> dict[str, str]:
    """What words stand for, named likewise."""
    return dict(_file("tables")[name])


@cache
def language_tables() -> dict[str, Any]:
    """Words of other languages, by language and English word; stems of deeds; endings of cases."""
    return _file("languages")


@cache
def exonyms() -> dict[str, tuple[str, ...]]:
    """What things are called in other languages, by their English names."""
    return {name: tuple(others.split(",")) for name, others in _file("exonyms")["names"].items()}


@cache
def codes() -> dict[str, tuple[str, ...]]:
    """The codes of countries and states, by their names."""
    return {name: tuple(told.split(",")) for name, told in _file("exonyms")["codes"].items()}


@cache
def synonyms() -> dict[str, tuple[str, ...]]:
    """Other English names of things, by one of them."""
    return {name: tuple(others.split(",")) for name, others in _file("synonyms")["names"].items()}


@cache
def weights() -> dict[str, float]:
    """The weights of the features of a place, by name."""
    return dict(_file("weighing")["weights"])


@cache
def pattern_model() -> dict[str, float]:
    """The weights of how a response reads, by name; that of "" counts always."""
    return dict(_file("pattern")["weights"])


@cache
def pattern_words() -> frozenset[str]:
    """The words that are told as they are in how a response reads."""
    return frozenset(_file("pattern")["words"].split())
