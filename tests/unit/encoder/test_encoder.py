"""Two texts read as a pair: what is marked and cut, and that the figures are whole numbers underneath."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from verifleet import encoder
from verifleet.encoder.answers import gives
from verifleet.encoder.transformer import GRID, STEPS, Dense, Norm, gelu, rounded, shared_out


def shown(numbers: tuple[int, ...]) -> list[str]:
    """Pieces by name."""
    known = list(encoder.vocabulary())
    return [known[number] for number in numbers]


def test_a_place_is_marked_before_and_behind() -> None:
    assert shown(encoder.marked("It is Oslo now.", [(6, 10)])) == [
        "it",
        "is",
        "[unused0]",
        "oslo",
        "[unused1]",
        "now",
        ".",
    ]


def test_what_overlaps_is_marked_once() -> None:
    marked = shown(encoder.marked("Abe Lincoln here", [(0, 11), (4, 11)]))
    assert marked == ["[unused0]", "abe", "lincoln", "[unused1]", "here"]


class Caught:
    """In place of the trained encoder: keeps the pair."""

    def odds(self, _question: str, first: list[int], second: list[int]) -> float:
        self.first, self.second = first, second
        return 0.0


@given(st.integers(0, 400), st.integers(0, 400))
def test_of_a_long_text_the_part_around_its_first_mark_is_read(before: int, behind: int) -> None:
    caught = Caught()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(encoder, "trained", lambda: caught)
        text = "so " * before + "Oslo" + " so" * behind
        gives("Which city?", "Oslo", text, [(3 * before, 3 * before + 4)])
    assert len(caught.first) + len(caught.second) <= encoder.MAX_PIECES
    assert {"[unused0]", "oslo", "[unused1]"} <= set(shown(tuple(caught.second)))


def test_matrix_products_are_exact_whole_numbers_whatever_the_order() -> None:
    random = np.random.default_rng(3)
    matrix = random.integers(-STEPS, STEPS + 1, (1536, 8)).astype(np.float32)
    dense = Dense(matrix, np.ones(8, np.float32), np.zeros(8, np.float32))
    x = random.normal(size=(5, 1536)).astype(np.float32)
    order = random.permutation(768)
    both = np.concatenate([order, 768 + order])
    mixed = Dense(matrix[both], dense.scale, dense.bias)
    assert np.array_equal(dense(x), mixed(x[:, both]))
    whole, scale = rounded(x)
    assert np.array_equal(whole, np.rint(whole))
    assert np.abs(whole).max() == STEPS
    exact = whole.astype(np.int64) @ matrix.astype(np.int64)
    assert np.array_equal(dense(x), (exact * scale.astype(np.float64)).astype(np.float32))


def test_normalising_does_not_depend_on_the_order_of_columns() -> None:
    random = np.random.default_rng(4)
    x, order = random.normal(size=(3, 384)).astype(np.float32) * 20, random.permutation(384)
    norm = Norm(np.ones(384), np.zeros(384))
    assert np.array_equal(norm(x)[:, order], norm(x[:, order]))
    assert np.allclose(norm(x).mean(1), 0, atol=1 / GRID)
    assert np.allclose(norm(x).std(1), 1, atol=1e-3)


def test_the_tables_are_near_the_functions_that_they_stand_for() -> None:
    x = np.linspace(-12, 12, 999, dtype=np.float32)
    assert np.abs(gelu(x) - x * (1 + np.tanh(0.7978845608 * (x + 0.044715 * x**3))) / 2).max() < 0.005
    shares = shared_out(x[None, :9] * 3)
    softmax = np.exp(x[:9] * 3) / np.exp(x[:9] * 3).sum()
    assert np.abs(shares / 65_535 - softmax).max() < 0.005
