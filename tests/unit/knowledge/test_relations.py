"""Relations have a direction: who is whose father, teacher or successor, and who beat or lent to whom."""

import random
import time

import pytest

from verifleet.verification import parse_request
from verifleet.verifiers.knowledge import KnowledgeVerifier

FATHER, MOTHER, WON = "Who is Ben Quaid's father?", "Who was the mother of Ada II?", "Who won the 1974 cup?"
LENT, PRECEDED = "Who lent the money to Eva?", "Who preceded Ben Quaid?"


def score(prompt: str, response: str, answer: str) -> float | None:
    raw = {"prompt": prompt, "response": response, "reference": {"answer": answer}}
    return KnowledgeVerifier().check(parse_request("knowledge", raw)).score


@pytest.mark.parametrize(
    ("prompt", "response", "answer"),
    [
        (FATHER, "Ben is Tom Norden's nephew.", "Tom Norden"),
        (FATHER, "Ben is Tom Norden's adopted son.", "Tom Norden"),
        (FATHER, "Ben is Tom Norden's stepson.", "Tom Norden"),
        (FATHER, "Ben is Tom Norden's son-in-law.", "Tom Norden"),
        (FATHER, "Ben is not Tom Norden's son.", "Tom Norden"),
        (FATHER, "Ben is the son of Tom Norden's brother.", "Tom Norden"),
        (FATHER, "Ben is Karl Voss's son, not Tom Norden's.", "Tom Norden"),
        (FATHER, "Tom Norden is his son.", "Tom Norden"),
        (FATHER, "Karl Voss is Ben's father; Tom Norden is his uncle.", "Tom Norden"),
        (MOTHER, "Ilse Varga was Ada II's daughter.", "Ilse Varga"),
        (LENT, "Eva lent the money to Kim.", "Kim"),
        (LENT, "Eva lent Kim the money.", "Kim"),
        (LENT, "Kim borrowed the money from Eva.", "Kim"),
        (PRECEDED, "Ben Quaid preceded George W. Marsh.", "George W. Marsh"),
        (PRECEDED, "George W. Marsh was Ben Quaid's successor.", "George W. Marsh"),
        ("Who married Ada Norden?", "Ada Norden divorced Tom Brandt.", "Tom Brandt"),
        ("Who won, Norland or Sudland?", "Sudland was beaten by Norland.", "Sudland"),
        ("Who won, Norland or Sudland?", "Sudland were the runners-up.", "Sudland"),
        ("Who won, Norland or Sudland?", "Norland beat Sudland.", "Sudland"),
        (WON, "Norland came second.", "Norland"),
        (WON, "Norland were runners-up.", "Norland"),
        (WON, "Norland finished second behind Sudland.", "Norland"),
    ],
)
def test_the_converse_of_what_is_asked_is_no_answer(prompt: str, response: str, answer: str) -> None:
    assert score(prompt, response, answer) == 0.0


@pytest.mark.parametrize(
    ("prompt", "response", "answer"),
    [
        (FATHER, "Ben Quaid is Tom Norden's only son.", "Tom Norden"),
        (FATHER, "He is the son of Tom Norden.", "Tom Norden"),
        (FATHER, "His mother was Ilse Varga; his father was Tom Norden.", "Tom Norden"),
        (FATHER, "His father was Tom Brandt, better known as Tom Norden.", "Tom Norden"),
        (MOTHER, "Ada II was Ilse Varga's daughter.", "Ilse Varga"),
        (MOTHER, "Ada II was the daughter of Karl Voss and Ilse Varga.", "Ilse Varga"),
        ("Who was Karl's uncle?", "Otmar's nephew was Karl.", "Otmar"),
        ("Who was Karl's uncle?", "Karl was Lukas' nephew.", "Lukas"),
        ("Who taught Ben Quaid?", "Ben Quaid was a pupil of Eva Holm.", "Eva Holm"),
        ("Who was Tom's brother?", "Tom was Karl's brother.", "Karl"),
        (LENT, "Kim lent Eva the money.", "Kim"),
        (LENT, "Eva borrowed the money from Kim.", "Kim"),
        (PRECEDED, "Ben Quaid was George W. Marsh's successor.", "George W. Marsh"),
        ("Who married Ada Norden?", "Ada Norden married Tom Brandt.", "Tom Brandt"),
        (WON, "Norland won their second title.", "Norland"),
        (WON, "Norland won it; Sudland were runners-up.", "Norland"),
    ],
)
def test_a_relation_told_from_its_other_side_answers(prompt: str, response: str, answer: str) -> None:
    assert score(prompt, response, answer) == 1.0


NAMES = "Ada Norden;Ben Quaid;Eva Holm;Tom Brandt;Ilse Varga;Nils Okoro;Clara Marsh;Selma;James Ross".split(";")
NOUNS = [("father", "son"), ("mother", "daughter"), ("parent", "child"), ("uncle", "niece"), ("aunt", "nephew")]
NOUNS += [("grandmother", "grandson"), ("teacher", "pupil"), ("predecessor", "successor"), ("husband", "wife")]
NOUNS += [(converse, noun) for noun, converse in NOUNS]
VERBS = [("preceded", "succeeded"), ("succeeded", "preceded"), ("taught", "learned from"), ("defeated", "lost to")]
ASKED = ("Who is {b}'s {r}?", "Who was the {r} of {b}?", "What was the name of {b}'s {r}?")
TOLD = ("{a} is {b}'s {r}.", "{a} was the {r} of {b}.", "{b}'s {r} was {a}.", "The {r} of {b} is {a}.")
TURNED = ("{b} was {a}'s {c}.", "{b} is the {c} of {a}.", "{a}'s {c} is {b}.", "The {c} of {a} was {b}.")
WITH_VERBS = ("{a} {r} {b}.", "{b} was {r} by {a}.", "{b} {c} {a}.")


@pytest.mark.parametrize("seed", range(40))
def test_each_way_to_tell_a_relation_pays_in_one_direction_alone(seed: int) -> None:
    chance = random.Random(seed)
    a, b = chance.sample(NAMES, 2)
    (r, c), (verb, converse) = chance.choice(NOUNS), chance.choice(VERBS)
    asked = [(chance.choice(ASKED), r, c, frame) for frame in TOLD + TURNED]
    asked += [("Who {r} {b}?", verb, converse, frame) for frame in WITH_VERBS]
    for question, one, other, frame in asked:
        prompt = question.format(b=b, r=one)
        right, wrong = (frame.format(a=x, b=y, r=one, c=other) for x, y in ((a, b), (b, a)))
        assert (score(prompt, right, a), score(prompt, wrong, a)) == (1.0, 0.0), (prompt, right, wrong)


def test_a_birthplace_of_a_bare_title_is_read_without_a_fault() -> None:
    assert score("Which city is it?", "Oslo is the home of Mr.", "Oslo") is not None


@pytest.mark.parametrize(
    "piece", ["Tom Norden's son ", "the son of Tom Norden, ", "Ben Quaid is Tom Norden's son. ", "lent "]
)
def test_long_rows_of_relations_are_read_in_linear_time(piece: str) -> None:
    started = time.perf_counter()
    for size in (20_000, 200_000):
        score(FATHER, piece * (size // len(piece)), "Tom Norden")
    assert time.perf_counter() - started < 20
