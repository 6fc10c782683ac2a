"""Things asked for in an order, lettered options, and names whose particles are words of other languages."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.unit.knowledge.test_answer_matching import judge

quick = settings(max_examples=60, deadline=None)
PRESIDENTS = ["Ana Lindt", "Jo Marsh", "Kai Brenner", "Bo Sand"]


@quick
@given(st.permutations(PRESIDENTS), st.sampled_from(["{}. {}", "- {1}", "{1}"]))
def test_things_that_are_asked_for_in_an_order_have_to_stand_in_it(names: list[str], item: str) -> None:
    made = ("\n" if item != "{1}" else ", ").join(item.format(n, name) for n, name in enumerate(names, 1))
    ordered = judge("List the four presidents in the order in which they served.", made, ", ".join(PRESIDENTS)).score
    assert ordered == float(names == PRESIDENTS)
    assert judge("Name the four presidents in chronological order.", made, PRESIDENTS).score == ordered


@pytest.mark.parametrize("asked", ["in any order", "in whatever order", "not necessarily in order", "of the new order"])
def test_no_order_is_asked_for(asked: str) -> None:
    assert judge(f"List the four presidents {asked}.", ", ".join(PRESIDENTS[::-1]), ", ".join(PRESIDENTS)).score == 1.0


@pytest.mark.parametrize("letter", ["B", "(B)", "b", "**B**", "Option B", "The answer is B."])
@pytest.mark.parametrize("answer", ["elm", "B) elm", "B"])
def test_a_letter_tells_the_option_that_the_question_gives_it(letter: str, answer: str) -> None:
    for question in ("Which is a tree? (A) salt (B) elm", "Which is a tree?\nA) salt\nB) elm\nC) tin"):
        assert judge(question, letter, answer).score == 1.0
        assert judge(question, letter.replace("B", "A").replace("b", "a"), answer).score == 0.0
    assert judge("Which is a tree?", letter, "elm").score == 0.0


@pytest.mark.parametrize("particle", ["da", "de", "di", "van", "von", "der", "del", "la"])
def test_a_particle_of_a_name_tells_no_language(particle: str) -> None:
    other = f"Kai {particle} Brenner"
    for response in (f"Ana Lindt, {other} or Jo Marsh.", f"Ana Lindt, {other}, Bo Sand or Jo Marsh"):
        assert judge("Who painted it?", response, "Ana Lindt").score == 0.0
    assert judge("Who painted it?", f"{other}, not Ana Lindt.", other).score == 1.0


def test_when_and_where_it_was_do_not_hide_who_did_it_to_whom() -> None:
    for tail in ("", " in May 1900", " in the final", " in 1900"):
        question = f"Which country did Norland beat{tail}?"
        assert judge(question, "Norland was beaten by Sudland.", "Sudland").score == 0.0
        assert judge(question, "Norland beat Sudland.", "Sudland").score == 1.0
