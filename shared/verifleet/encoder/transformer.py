"""A small transformer that reads two texts as a pair, in whole numbers: the same figures on every machine.

Weights and activations are rounded to 8 bits, so each matrix product is a sum of whole numbers below 2**24, which
single precision holds exactly in whatever order a machine adds them up; exponential and GELU come from tables, and
sums of squares are made on a grid that double precision holds exactly. The architecture is BERT's encoder (Devlin et
al. 2019, https://arxiv.org/abs/1810.04805).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
"""Rows are pieces of the text, columns what is known of them."""
STEPS = 127
"""The largest whole number of 8 bits."""
SLICE = 768
"""Products of 8-bit numbers that add up to less than 2**24."""
GRID = 2.0**14
"""Steps of one on the grid on which sums are exact."""
GELU_STEP, GELU_END = 256, 8
EXP_STEP, EXP_END = 256, 16
"""Entries of the tables for one, and where they end."""
EPSILON = 1e-12
SHARES = 65_535
"""What the attention of one piece is shared out in."""

_GELU = np.array(
    [
        x / 2 * (1 + math.erf(x / math.sqrt(2)))
        for x in np.arange(-GELU_END * GELU_STEP, GELU_END * GELU_STEP + 1) / GELU_STEP
    ],
    dtype=np.float32,
)
_EXP = np.array([round(32_767 * math.exp(-n / EXP_STEP)) for n in range(EXP_STEP * EXP_END + 1)], dtype=np.float32)


@dataclass(frozen=True, slots=True)
class Dense:
    """A matrix of whole numbers, inputs by outputs, with a scale for each output, and a bias."""

    matrix: Array
    scale: Array
    bias: Array

    def __call__(self, x: Array) -> Array:
        """The outputs for each row of inputs."""
        whole, scale = rounded(x)
        parts = [
            whole[:, start : start + SLICE] @ self.matrix[start : start + SLICE]
            for start in range(0, len(self.matrix), SLICE)
        ]
        total = parts[0] if len(parts) == 1 else sum(part.astype(np.float64) for part in parts)
        return (total * scale * self.scale + self.bias).astype(np.float32)


@dataclass(frozen=True, slots=True)
class Norm:
    """Layer normalisation."""

    weight: Array
    bias: Array

    def __call__(self, x: Array) -> Array:
        """Each row with mean 0 and deviation 1, then weighted."""
        grid = np.rint(x.astype(np.float64) * GRID)
        size = grid.shape[1]
        mean = grid.sum(1, keepdims=True) / size
        variance = (grid * grid).sum(1, keepdims=True) / size - mean * mean
        spread = np.sqrt(np.maximum(variance, 0.0) + EPSILON * GRID * GRID)
        normal: Array = (grid - mean) / spread * self.weight + self.bias
        return normal.astype(np.float32)


@dataclass(frozen=True, slots=True)
class Layer:
    """Self-attention, then two dense layers; each adds to what came in."""

    query: Dense
    key: Dense
    value: Dense
    output: Dense
    attended: Norm
    wide: Dense
    narrow: Dense
    finished: Norm

    def __call__(self, x: Array, heads: int) -> Array:
        """What the layer makes of each piece."""
        x = self.attended(x + self.output(self._attention(x, heads)))
        return self.finished(x + self.narrow(gelu(self.wide(x))))

    def _attention(self, x: Array, heads: int) -> Array:
        length, width = x.shape

        def parted(dense: Dense) -> Array:
            return dense(x).reshape(length, heads, width // heads).transpose(1, 0, 2)

        query, query_scale = rounded(parted(self.query))
        key, key_scale = rounded(parted(self.key))
        near = (query @ key.transpose(0, 2, 1)) * (query_scale * key_scale.transpose(0, 2, 1))
        shares = shared_out(near / np.float32(math.sqrt(width // heads)))
        value, value_scale = rounded(parted(self.value).reshape(heads, -1))
        seen = (shares @ value.reshape(heads, length, -1)) * (value_scale[:, :, None] / np.float32(SHARES))
        return seen.transpose(1, 0, 2).reshape(length, width).astype(np.float32)


@dataclass(frozen=True, slots=True)
class Transformer:
    """The encoder: what it knows of pieces and places, its layers, and a row of weights for each question put to it."""

    words: Array
    word_scale: Array
    places: Array
    sides: Array
    opening: Norm
    layers: tuple[Layer, ...]
    heads: int
    questions: Mapping[str, tuple[Array, float]]

    def odds(self, question: str, first: Sequence[int], second: Sequence[int]) -> float:
        """The log-odds of "yes" to a question about a pair of texts, given as pieces with all marks between them."""
        pieces = np.array([*first, *second])
        side = np.array([0] * len(first) + [1] * len(second))
        known = self.words[pieces].astype(np.float32) * self.word_scale[pieces]
        x = self.opening(known + self.places[: len(pieces)] + self.sides[side])
        for layer in self.layers:
            x = layer(x, self.heads)
        weights, bias = self.questions[question]
        return float((np.rint(x[0].astype(np.float64) * GRID) * weights).sum() / GRID / GRID + bias)


def rounded(x: Array) -> tuple[Array, Array]:
    """Each row as whole numbers from -127 to 127, and what one of them stands for."""
    scale = np.maximum(np.abs(x).max(-1, keepdims=True), np.float32(1e-9)) / np.float32(STEPS)
    return np.rint(x / scale), scale


def gelu(x: Array) -> Array:
    """Each number times the share of a normal distribution that is below it."""
    at = np.rint(np.clip(x, -GELU_END, GELU_END) * np.float32(GELU_STEP)).astype(np.int32) + GELU_END * GELU_STEP
    return np.where(x > GELU_END, x, _GELU[at])


def shared_out(near: Array) -> Array:
    """Softmax of each row, in whole parts of SHARES."""
    below = (near.max(-1, keepdims=True) - near) * np.float32(EXP_STEP)
    powers = _EXP[np.minimum(np.rint(below), len(_EXP) - 1).astype(np.int32)]
    shares: Array = powers * (np.float32(SHARES) / powers.sum(-1, keepdims=True))
    return np.rint(shares)
