"""What ships as data beside the agents: word lists, logistic models, anything."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any


def shipped(path: str) -> Any:
    """What a JSON file of this package holds, such as facts/rules.json."""
    return json.loads(files(__package__).joinpath(path).read_text("utf-8"))


@dataclass(frozen=True, slots=True)
class Model:
    """A logistic model: a bias and a weight for each feature that it knows."""

    bias: float
    weights: Mapping[str, float]

    def sum(self, seen: Mapping[str, float]) -> float:
        """The log-odds that features tell."""
        weights = self.weights
        return self.bias + sum([weights[name] * value for name, value in seen.items() if name in weights])


@cache
def model(path: str) -> Model:
    """The model in a JSON file of this package; read on first use."""
    document = shipped(path)
    return Model(document["bias"], document["weights"])


def probability(odds: float) -> float:
    """The probability that log-odds stand for."""
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, odds))))
