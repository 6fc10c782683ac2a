"""What is told of others beside the one that leads the response, and of the answer beside another one."""

import pytest

from tests.unit.knowledge.test_answer_matching import judge

SCORES = (
    ("Who was the first president?", "Ana Lindt took the oath in May; Jo Marsh was her deputy.", "Ana Lindt", 1.0),
    ("Who commanded the fleet?", "Adm. Geo. G. Lindt; he had replaced Joe Marsh days before.", "George Lindt", 1.0),
    ("Who was the captain?", "Ana Lindt lifted the cup; she won it again later, ahead of Jo Marsh.", "Ana Lindt", 1.0),
    ("Who wrote The Glass Harbour?", "Jo Marsh wrote it. Her sister Ana Lindt had written Reeds.", "Ana Lindt", 0.0),
    ("Who wrote The Glass Harbour?", "Jo Marsh, an acquaintance of Ana Lindt's.", "Ana Lindt", 0.0),
    ("Who walked there first?", "Marsh. His commander, Ana Lindt, followed.", "Ana Lindt", 0.0),
    ("Who succeeded Ana Lindt?", "Jo Marsh was minister before, but her successor was Max Brun.", "Max Brun", 1.0),
    ("Who discovered the spring?", "Credit for the find goes to the Scottish botanist Lindt.", "Ana Lindt", 1.0),
    ("What is the SI unit of resistance?", "The siemens; its reciprocal is the ohm.", "Ohm", 0.0),
    ("What is the largest planet?", "Saturn, whose mass exceeds that of Jupiter.", "Jupiter", 0.0),
    ("What is the capital of Norland?", "Bergen, or Bjorgvin, in the west. It sends ships to Oslo.", "Oslo", 0.0),
    ("What is the capital of Norland?", "Oslo, in the east. It sends ships to Bergen.", "Oslo", 1.0),
    ("Who painted it?", "Jo Marsh, the painter. She taught Ana Lindt.", "Ana Lindt", 0.0),
    ("What is the smallest bone?", "The incus, in the ear. It passes vibrations on to the stapes.", "the stapes", 0.0),
    ("What is the smallest bone?", "A bone in the middle ear. It is the stapes.", "the stapes", 1.0),
    ("How many play in a team?", "Ten, five of whom are guards.", "5", 0.0),
    ("How many play in a team?", "Thirteen a side. Union is the code with fifteen.", "13", 1.0),
)  # fmt: skip


@pytest.mark.parametrize(("question", "response", "answer", "score"), SCORES)
def test_what_refers_back_to_the_one_that_leads_is_not_what_is_answered(
    question: str, response: str, answer: str, score: float
) -> None:
    assert judge(question, response, answer).score == score


@pytest.mark.parametrize(
    ("response", "score"),
    [
        ("That is the femur, also known as the thighbone or upper leg bone.", 1.0),
        ("The femur, a.k.a. thighbone, thigh bone, or os femoris, is the longest.", 1.0),
        ("The femur, also called the thighbone, or the tibia.", 0.0),
        ("It is also known as the femur or tibia.", 0.0),
        ("The femur, known to many, or the tibia.", 0.0),
    ],
)
def test_other_names_of_the_answer_are_no_alternatives(response: str, score: float) -> None:
    assert judge("What is the longest bone in the body?", response, "femur").score == score


@pytest.mark.parametrize(
    ("response", "score"),
    [
        ("There are six equally likely outcomes, so it is 1/6.", 1.0),
        ("1/6 and 1/3 are equally likely.", 0.0),
        ("1/6 and 1/3 are equally likely answers.", 0.0),
    ],
)
def test_equally_likely_outcomes_leave_no_answer_open(response: str, score: float) -> None:
    assert judge("What is the probability of a six?", response, "1/6").score == score
