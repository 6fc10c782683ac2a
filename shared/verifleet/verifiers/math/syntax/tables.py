"""The signs, commands, words and units that mathematics is written with, from the data files."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import Any


@cache
def data(name: str) -> dict[str, Any]:
    """A data file of this folder."""
    found: dict[str, Any] = json.loads(files(__package__).joinpath("data", f"{name}.json").read_text("utf-8"))
    return found


def listed(name: str) -> frozenset[str]:
    """The words of one class, named after the module that uses it."""
    return frozenset(data("lists")[name].split())


def table(name: str) -> dict[str, str]:
    """What words and signs stand for, named likewise: in the file they stand behind what they mean."""
    return {word: meaning for meaning, words in data("tables")[name].items() for word in words.split()}
