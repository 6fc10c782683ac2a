"""Long answers name more than the answer: what is asked for counts, what only stands beside it does not."""

import pytest

from tests.unit.knowledge.test_answer_matching import judge


@pytest.mark.parametrize(
    ("prompt", "answer", "response", "score"),
    [
        ("how many people live there", "7,405,743", "approximately 7.4 million people", 1.0),
        ("how many people live there", "7,405,743", "approximately 7.5 million people", 0.0),
        ("how many people live there", "7,405,743", "7,405,744", 0.0),
        ("how many people live there", "about 7 million", "7.4 million", 1.0),
        ("how many people live there", "about 7 million", "6.1 million", 0.0),
        ("how much did it earn", "$2.187 billion", "about $2.2 billion", 1.0),
        ("how much did it earn", "$2.187 billion", "about $2 billion", 0.0),
        ("how high is it", "8,648 m", "8,648.86 metres", 1.0),
        ("how high is it", "8,648 m", "8,650 feet", 0.0),
        ("when did it end", "1918", "1,920", 0.0),
        ("how many are there", "206", "210", 0.0),
    ],
)
def test_a_large_number_may_be_rounded_as_people_do(prompt: str, answer: str, response: str, score: float) -> None:
    assert judge(prompt, response, answer).score == score


WHO = "who painted the harbour"


@pytest.mark.parametrize(
    "response",
    [
        "Jo Marsh painted the harbour, and Ana Lindt restored it.",
        "Jo Marsh painted the harbour and Ana Lindt merely sold it.",
        "Jo Marsh and Kai Roth painted it, with Lindt doing some sketches.",
        "Jo Marsh painted it alongside Kai Roth and Ana Lindt.",
        "It was painted by Jo Marsh, using a sketch of Ana Lindt.",
        "Lindt is a town; the painter was Jo Marsh.",
        "The painter is Jo Marsh, a neighbour of Ana Lindt.",
        "He said it was Ana Lindt but he was mistaken: Jo Marsh painted it.",
        "Lindt, Marsh",
        "Marsh, Lindt",
        "Although Ana Lindt is commonly credited, the harbour was really painted by Jo Marsh.",
        "Jo Marsh painted the harbour, which Ana Lindt bought.",
        "Jo Marsh painted the harbour and Ana Lindt painted the bridge.",
        "Joan Marsh painted the harbour, with the help of Ana Lindt.",
        "It was Joan Marsh, the sculptor who taught Ana Lindt.",
        "Joan Marsh painted it, advised by Ana Lindt's agent.",
    ],
)
def test_whoever_stands_beside_the_one_asked_for_is_no_answer(response: str) -> None:
    assert judge(WHO, response, "Ana Lindt").score == 0.0


@pytest.mark.parametrize(
    "response",
    [
        "Jo Marsh restored the harbour, and Ana Lindt painted it.",
        "Jo Marsh sold it, while Ana Lindt painted it.",
        "It was painted by Ana Lindt, using a sketch of Jo Marsh.",
        "Jo Marsh painted the bridge, and Ana Lindt painted the harbour.",
        "He said it was Jo Marsh but he was mistaken: Ana Lindt painted it.",
        "Ana Lindt painted it alongside Kai Roth.",
        "Ana Lindt. The answer is correct as of 2024.",
        "Ana Lindt, Virginia",
        "Ana Karin Lindt",
        "The harbour (a small oil painting), which Jo Marsh sold, was painted by Ana Lindt.",
        "Lindt drew it.",
        "Jo Marsh and Ana Lindt painted the harbour.",
        "Joan Marsh was a sculptor and Ana Lindt painted the harbour.",
    ],
)
def test_the_one_asked_for_counts_whoever_stands_beside(response: str) -> None:
    assert judge(WHO, response, "Ana Lindt").score == 1.0


def test_the_same_verb_with_another_object_is_another_deed() -> None:
    prompt = "who painted the harbour in the big hall"
    assert judge(prompt, "Jo Marsh painted the harbour and Ana Lindt painted the bridge.", "Ana Lindt").score == 0.0
    assert judge(prompt, "Jo Marsh painted the bridge and Ana Lindt painted the harbour.", "Ana Lindt").score == 1.0


def test_one_person_asked_for_is_not_two() -> None:
    assert judge("who was the first painter", "Ana Lindt and Karl Marsh", "Ana Lindt").score == 0.0
    assert judge("who was the first painter", "Karl Marsh and Ana Lindt", "Ana Lindt").score == 0.0
    assert judge(WHO, "Ana Lindt and Karl Marsh", "Ana Lindt", "Karl Marsh").score == 1.0


@pytest.mark.parametrize(
    ("prompt", "answer", "aliases", "response", "score"),
    [
        ("what is the symbol", "Au", [], "Au, Ag", 0.0),
        ("what is the symbol of gold", "Au", [], "The symbol of gold is Ag, and that of silver is Au.", 0.0),
        ("in which year was it", "1718", [], "July 1718, August 1719", 0.0),
        ("in which year was it", "1718", [], "July 20, 1718", 1.0),
        ("how old was she", "22", ["23"], "22 or 23", 1.0),
        ("how old was she", "22", ["23"], "22 or 24", 0.0),
        ("when was it", "July 20, 1769", [], "Thursday, July 20, 1769, 20:17 UTC", 1.0),
        ("which country gave it", "France", [], "The French gave it.", 1.0),
        ("what is ferrol also known as", "iron", [], "It is also known as iron or ferrum.", 1.0),
        ("who sang it", "Ana Lindt of the Reds and Jo Marsh", [], "Ana Lindt", 0.0),
    ],
)
def test_one_thing_is_told_from_a_row_of_them(
    prompt: str, answer: str, aliases: list[str], response: str, score: float
) -> None:
    assert judge(prompt, response, answer, *aliases).score == score


@pytest.mark.parametrize(
    ("prompt", "answer", "response", "score"),
    [
        ("what does the word Norburg mean", "north castle", 'The word "Norburg" (nɔ), which says "north castle"', 1.0),
        ("what was the first film", "The Harbour", "The first was Dunes, and The Harbour followed.", 0.0),
        ("where is the temple", "Sylvania", "The temple is in Freedonia, near the border with Sylvania.", 0.0),
        ("where is the temple", "Freedonia", "The temple is in Freedonia, near the border with Sylvania.", 1.0),
        ("what is the main language", "Norse", "Freedonian is the main language, with Norse as a minor one.", 0.0),
        ("how tall is he", "5 ft 4 in", "5'4\"", 1.0),
        ("how tall is he", "5 ft 4 in", "5'6\"", 0.0),
        ("who founded it", "Henri Marsh", "It was founded by Jean-Henri Marsh.", 1.0),
    ],
)
def test_the_place_of_the_answer_in_its_clause_decides(prompt: str, answer: str, response: str, score: float) -> None:
    assert judge(prompt, response, answer).score == score


def test_a_shorter_form_of_a_long_name_as_alias_is_no_mere_surname() -> None:
    answers = ["Cam Holm", 'Elinor Camilla "Cam" Holm']
    assert judge("who plays her", "Cam Holm Marsh, then four years old, plays her.", *answers).score == 1.0
