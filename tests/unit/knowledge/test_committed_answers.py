"""One question gets one answer: lists of candidates, denied answers and longer names do not count; prose does."""

import pytest

from tests.unit.knowledge.test_answer_matching import judge

CAPITAL = "What is the capital of Norway?"


@pytest.mark.parametrize(
    "response",
    [
        "Bergen\nOslo",
        "Oslo\n\nBergen",
        "oslo\nbergen",
        "Bergen. Oslo",
        "Stockholm. Oslo. Helsinki.",
        "Oslo; Bergen; Narvik",
        "Oslo | Bergen",
        "Oslo! Bergen!",
        "Oslo. Or Bergen.",
        "Oslo. Alternatively, Bergen.",
        "Oslo, maybe Bergen",
        "Oslo (or Bergen)",
        "Bergen, Oslo",
        "Bergen - Oslo",
        "* Bergen\n* Oslo",
        "1. Oslo\n2. Bergen",
        "A) Oslo B) Bergen",
        "It is Oslo. It is Bergen.",
        "The capital is Bergen. The capital is Oslo.",
        "The capital is Bergen. The capital is Oslo. Both have a harbour that freezes in some winters.",
        "Oslo. Bergen is also possible.",
        "Options: Oslo; Bergen",
        "Oslo, Bergen, Narvik",
        "Oslo AND Bergen AND Narvik",
        "My answer is Oslo. My other answer is Bergen.",
    ],
)
def test_several_candidates_for_one_answer_are_no_answer(response: str) -> None:
    assert judge(CAPITAL, response, "Oslo").score == 0.0


@pytest.mark.parametrize(
    "response",
    [
        "I believe it is Bergen. Oslo is larger.",
        "Everybody says Oslo but it is Bergen.",
        "Wrong guesses include Oslo.",
        "The incorrect answer is Oslo.",
        "Untrue: Oslo",
        "Oslo was the capital, but now it is Bergen.",
        "Oslo was, but today it is Bergen",
        "Oslo Larsen",
        "Oslo was thought, but it is Bergen",
        "Oslo, Minnesota",
    ],
)
def test_an_answer_denied_replaced_or_part_of_another_name_does_not_count(response: str) -> None:
    assert judge(CAPITAL, response, "Oslo").score == 0.0


@pytest.mark.parametrize(
    "response",
    [
        'The answer to "What is the capital of Norway?" is Oslo',
        "Possibly Oslo.",
        "Sure! Oslo.",
        "Oslo, Norway",
        "Oslo, Oslo County, Norway",
        "It's Oslo! Long live Haakon!",
        "Oslo\nThe Gem of the Fjords",
        "Norway\nOslo",
        "Oslo; it lies on a fjord.",
        "Not Bergen. Oslo.",
        "Bergen? No. Oslo.",
        "Wrong answers include Bergen, but the correct one is Oslo.",
        "Capital: Oslo\nLargest river: Glomma",
        "Oslo\n\nOslo lies on a fjord.\nBergen is the second largest city.",
        "The country is Norway. The capital is Oslo. The currency is the krone.",
        "The capital is Oslo. It is the largest city. It was called Christiania until 1925.",
    ],
)
def test_one_answer_stays_one_answer_among_other_facts(response: str) -> None:
    assert judge(CAPITAL, response, "Oslo").score == 1.0


@pytest.mark.parametrize(
    ("prompt", "answer", "response", "score"),
    [
        ("when did it open", "1954", "not before 1954", 0.0),
        ("when did it open", "1954", "Not until 1954.", 1.0),
        ("when did it open", "1954", "1954\n1955", 0.0),
        ("when did it open", "1954", "It opened in 1954. It closed in 1972.", 1.0),
        ("how long is it", "31 miles", "31 miles\n50 km", 1.0),
        ("what city hosted the fair", "Boston", "Boston, Massachusetts", 1.0),
        ("which river is the longest", "Nile", "Nile River", 1.0),
        ("who was president", "Lincoln", "Abraham Lincoln", 1.0),
        ("what is the language", "Portuguese", "The language is Portuguese. It is Romance.", 1.0),
        ("who recorded it", "Ana Lindt", "**Artist:** Ana Lindt\n**Album:** Northern\n**Year:** 1971", 1.0),
        ("what is it made of", "oak", "It is oak. It is heavy.", 1.0),
        ("who painted the harbour", "Ana Lindt", "Ana Lindt. The Harbour is in Bergen.", 1.0),
        ("how many ports are there", "2", "2 (Northport and Sudport)", 1.0),
        ("who painted it", "Ana Lindt", "Jo Marsh. No wait, it's Ana Lindt.", 1.0),
        ("who painted it", "Ana Lindt", "Ana Lindt. No wait, it's Jo Marsh.", 0.0),
        ("which ports are there", "Northport", "Northport\nSudport", 1.0),
        ("how long is the race", "26.2 miles", "42.2 km", 1.0),
        ("how long is the race", "26.2 miles", "26.2 km", 0.0),
        ("how long did it last", "20 years", "It lasted two decades.", 1.0),
        ("how tall is it", "828 m", "828 feet", 0.0),
    ],
)
def test_numbers_places_and_labels_are_compared_in_kind(prompt: str, answer: str, response: str, score: float) -> None:
    assert judge(prompt, response, answer).score == score


def test_required_answers_may_stand_on_lines_of_their_own() -> None:
    assert judge("What does the flag show?", "Red\nYellow\nBlue", ["red", "yellow", "blue"]).score == 1.0


def test_an_explained_list_of_required_answers_counts_whole() -> None:
    said = "The three gods are Brahma (creator), Vishnu (preserver) and Shiva (destroyer)."
    assert judge("Name the three gods.", said, ["Brahma", "Vishnu", "Shiva"], partial=True).score == 1.0


def test_a_year_is_not_compared_with_a_tolerance() -> None:
    assert judge("When did it open?", "1945", "1950", tolerance=0.01).score == 0.0


@pytest.mark.parametrize(
    "response",
    [
        "I used to think it was Ana Lindt. Now I know it is Karl Marsh.",
        "Ana Lindt would be a fair guess, but it is wrong.",
        "I was told Ana Lindt, but that turned out to be false.",
        "By no means Ana Lindt.",
        "Under no circumstances is it Ana Lindt.",
        "Nothing like Ana Lindt.",
        "If I had to choose between Ana Lindt and Karl Marsh, I'd choose Karl Marsh.",
        "It's 50/50 between Ana Lindt and Karl Marsh.",
        "The possible answers include Ana Lindt, Karl Marsh and Eva Holm.",
        "The answer isn't known; guesses range from Ana Lindt to Karl Marsh.",
        "Few would say Ana Lindt.",
        "Ana Lindt unless it's Karl Marsh.",
        "Answer 1: Ana Lindt\nAnswer 2: Karl Marsh",
        "A) Ana Lindt B) Karl Marsh",
        "Ana Lindt|Karl Marsh",
        "The answer used to be listed as Ana Lindt, but it was corrected to Karl Marsh.",
        "Everyone assumes Ana Lindt, yet it's Karl Marsh.",
        "There's a myth that it's Ana Lindt.",
        "Most likely Karl Marsh, less likely Ana Lindt.",
        "The opposite of Ana Lindt.",
        "Anyone else than Ana Lindt.",
        "One of these: Ana Lindt, Karl Marsh.",
    ],
)
def test_what_is_dropped_doubted_or_one_of_several_offers_is_no_answer(response: str) -> None:
    assert judge("who painted the harbour", response, "Ana Lindt").score == 0.0


@pytest.mark.parametrize(
    "response",
    [
        "I used to think it was Karl Marsh. Now I know it is Ana Lindt.",
        "Karl Marsh would be a fair guess, but it is wrong. It was Ana Lindt.",
        "If I had to choose between Karl Marsh and Ana Lindt, I'd choose Ana Lindt.",
        "The possible answers include Karl Marsh and Eva Holm, but the answer is Ana Lindt.",
        "You're looking for Ana Lindt.",
        "Everyone assumes Karl Marsh, yet it's Ana Lindt.",
        "Karl Marsh comes to mind, but Ana Lindt painted it.",
        "It was Ana Lindt, but Karl Marsh is better known.",
        "Ana Lindt painted it, but Karl Marsh framed it.",
        "Ana Lindt. I hope this helps!",
        "Short answer: Ana Lindt. Long answer: it's complicated.",
        "Ana Lindt, not to be confused with Karl Marsh.",
        "Ana Lindt painted it, though the year might be wrong.",
    ],
)
def test_what_is_chosen_in_the_end_counts(response: str) -> None:
    assert judge("who painted the harbour", response, "Ana Lindt").score == 1.0


@pytest.mark.parametrize(
    ("response", "score"),
    [
        ("It's not 206. It's 212.", 1.0),
        ("Many think it's 206, but it's actually 212.", 1.0),
        ("First I considered 206, but the answer is 212.", 1.0),
        ("It's not 212. It's 206.", 0.0),
        ("A) 212 B) 206", 0.0),
        ("The possible answers include 212, 206 and 50.", 0.0),
    ],
)
def test_a_number_that_is_taken_back_is_no_rival(response: str, score: float) -> None:
    assert judge("how many bridges are there", response, "212").score == score
