"""A text as pieces of words."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from verifleet import encoder
from verifleet.encoder import wordpiece

KNOWN = {piece: n for n, piece in enumerate(["[UNK]", "un", "##aff", "##able", "able", "#", ".", "a", "日", "##a"])}


def names(text: str) -> list[str]:
    """The pieces of a text by name."""
    by_number = {n: piece for piece, n in KNOWN.items()}
    return [by_number[n] for n in wordpiece.pieces(text, KNOWN)]


def test_the_longest_known_piece_is_taken_first() -> None:
    assert names("unaffable able") == ["un", "##aff", "##able", "able"]


def test_a_word_with_an_unknown_part_is_unknown_as_a_whole() -> None:
    assert names("unknown able") == ["[UNK]", "able"]


def test_signs_and_ideographs_are_words_of_their_own() -> None:
    assert names("able.#日日a") == ["able", ".", "#", "日", "日", "a"]


def test_case_accents_and_control_characters_tell_nothing() -> None:
    assert names("ÀBLÉ\u0000 A\u200dble \ud800a") == ["able", "able", "a"]


def test_a_word_longer_than_the_limit_is_unknown_and_costs_no_search() -> None:
    assert names("a" * 100_000) == ["[UNK]"]


@given(st.text(max_size=300))
def test_any_text_has_pieces_of_the_vocabulary_that_ships(text: str) -> None:
    assert all(0 <= number < len(encoder.vocabulary()) for number in encoder.pieces(text))
