"""The encoder's weights as they are kept in a file of arrays."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.resources import as_file, files
from typing import Any

import numpy as np

from verifleet.encoder.transformer import GRID, Array, Dense, Layer, Norm, Transformer

FILE = "weights.npz"
DENSE = ("query", "key", "value", "output", "wide", "narrow")
NORMS = ("attended", "finished")


def read() -> Transformer:
    """The transformer that ships with this package."""
    with as_file(files(__package__).joinpath("data", FILE)) as path, np.load(path, allow_pickle=False) as kept:
        return assembled({name: kept[name] for name in kept.files})


def assembled(kept: Mapping[str, Array]) -> Transformer:
    """A transformer of arrays by name: `words`, `layer 0 query matrix`, `question answers weights`, and so on."""

    def norm(name: str) -> Norm:
        return Norm(kept[f"{name} weight"].astype(np.float64), kept[f"{name} bias"].astype(np.float64))

    def dense(name: str) -> Dense:
        matrix = kept[f"{name} matrix"].astype(np.float32)
        return Dense(matrix, kept[f"{name} scale"], kept[f"{name} bias"])

    def layer(name: str) -> Layer:
        parts: dict[str, Any] = {part: dense(f"{name} {part}") for part in DENSE}
        parts |= {part: norm(f"{name} {part}") for part in NORMS}
        return Layer(**parts)

    count = sum(name.endswith("query matrix") for name in kept)
    asked = [name.split()[1] for name in kept if name.startswith("question") and name.endswith("weights")]
    return Transformer(
        words=kept["words"],
        word_scale=kept["word scale"],
        places=kept["places"],
        sides=kept["sides"],
        opening=norm("opening"),
        layers=tuple(layer(f"layer {n}") for n in range(count)),
        heads=int(kept["heads"]),
        questions={
            name: (np.rint(kept[f"question {name} weights"] * GRID), float(kept[f"question {name} bias"]))
            for name in asked
        },
    )
