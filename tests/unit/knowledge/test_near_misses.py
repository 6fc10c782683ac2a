"""Answers one step beside the right one earn nothing; the right one in an unusual dress does."""

import pytest

from tests.unit.knowledge.test_answer_matching import judge

CAPITAL = "What is the capital of Norland?"
ANGLE = "How large is the angle?"


@pytest.mark.parametrize(
    ("prompt", "response", "answer", "aliases"),
    [
        ("Who wrote it?", "Hans Otto Brandt", "Otto Brandt", []),
        ("Who wrote it?", "Otto Brandt III", "Otto Brandt", []),
        ("Who painted it?", "Lionello Merisi da Lund", "Lionello", ["Lionello Bonarelli"]),
        ("How long is the mile?", "1,852 kilometres", "1,852 metres", ["1852 m"]),
        (
            "How many are on the field?",
            "Fifteen is what most people would guess. The right number is thirteen.",
            "15",
            [],
        ),
        (CAPITAL, "Any quiz book will tell you Oslo. Don't believe it: Bergen is the capital.", "Oslo", []),
        (CAPITAL, "Eliminate Oslo. Bergen remains.", "Oslo", []),
        (CAPITAL, "Oslo is the trap here; Bergen it is.", "Oslo", []),
        (CAPITAL, "| wrong | right |\n|---|---|\n| Oslo | Bergen |", "Oslo", []),
        ("What is the Latin plural of 'opus'?", "operas", "opera", []),
        ("Which liquid is it?", "no water", "water", []),
        ("In which year did it join?", "between 2007 and 2011", "2007", []),
        ("When did it open?", "on the eve of 3 May 1902", "3 May 1902", []),
        ("How many squares has it?", "8 rows × 8 columns = 64. Half are white, so 32.\n\n#### 32", "64", []),
        ("Who painted it?", "Workshop of Botticelli, not the master himself", "Sandro Botticelli", ["Botticelli"]),
        ("Which company makes it?", "Apple Records", "Apple", []),
        ("Which company makes it?", "A supplier of Apple's", "Apple", []),
        ("Who was the goddess?", "Athens", "Athena", []),
        ("Is the Atlantic larger than the Pacific?", "The Atlantic is larger.", "No", []),
        ("How many bones are there?", "207, i.e. 206 plus the hyoid", "206", []),
        ("Which status means it?", "It's 403. You may be thinking of 404, which is another one.", "404", []),
        (CAPITAL, "Bergen. The port of Oslo lies further east.", "Oslo", []),
        (CAPITAL, "It is not the largest city, Oslo.", "Oslo", []),
        (CAPITAL, "It's definitely not there: anything other than Oslo", "Oslo", []),
        (CAPITAL, "Oslo (Bergen)", "Oslo", []),
    ],
)
def test_a_near_miss_earns_nothing(prompt: str, response: str, answer: str, aliases: list[str]) -> None:
    assert judge(prompt, response, answer, *aliases).score == 0.0


@pytest.mark.parametrize(
    ("prompt", "response", "answer"),
    [
        (CAPITAL, "Not Bergen, Oslo.", "Oslo"),
        (CAPITAL, "It can't be anything other than Oslo.", "Oslo"),
        (CAPITAL, "Options: Bergen, Oslo. Oslo it is.", "Oslo"),
        (CAPITAL, "It is tempting to say Bergen, but Oslo is correct.", "Oslo"),
        (CAPITAL, "$\\text{Oslo}$", "Oslo"),
        (CAPITAL, "(B) Oslo", "Oslo"),
        ("Which country held it?", "Brazil (Rio de Janeiro)", "Brazil"),
        ("What is the capital of Turkey?", "Ankara, Türkiye", "Ankara"),
        ("Which driver won?", "Ayrton Lind da Silva", "Ayrton Lind"),
        ("Who was it?", "Gaius Octavius, better known as Augustus.", "Augustus"),
        ("Which amendment was it?", "Amendment XIX", "Nineteenth Amendment"),
        ("Which vitamin is it?", "C.", "Vitamin C"),
        ("Which opera is it?", "Die Zauberfloete (K. 620)", "Die Zauberflöte"),
        ("What is the mass?", "0.453 592 37 kg, exactly", "453.59237 grams"),
        ("How fast is it?", "2.997 924 58 × 10⁸ m·s⁻¹", "299,792,458 m/s"),
        (
            "What is the chemical symbol for gold?",
            "| Field | Value |\n|---|---|\n| Element | gold |\n| Symbol | Au |",
            "Au",
        ),
        ("Is the Atlantic larger than the Pacific?", "The Pacific is larger.", "No"),
        ("Is the Pacific larger than the Atlantic?", "The Pacific is larger.", "Yes"),
        ("What is the speed limit?", "fifty kilometres an hour", "50 km/h"),
        ("Which nation has Lund as its capital?", "Lund is the capital of Norland.", "Norland"),
        ("Who won the cup?", "The cup was lifted by Norland in Bergen.", "Norland"),
        ("Which rank is above captain?", "lieutenant → captain → **major** → colonel", "Major"),
        (CAPITAL, "Oslo. (Until 1997 it was Bergen.)", "Oslo"),
        (ANGLE, "π/2 radians", "90 degrees"),
        (ANGLE, "$\\pi$ radians", "180 degrees"),
        (ANGLE, "2π/3 rad", "120°"),
    ],
)
def test_the_right_answer_in_an_unusual_dress_counts(prompt: str, response: str, answer: str) -> None:
    assert judge(prompt, response, answer).score == 1.0


def test_dates_and_names_beside_a_bound_are_untouched() -> None:
    assert judge("When did it open?", "Not until 1954.", "1954").score == 1.0
    assert judge("When did the war end?", "1939 to 1945", "1945").score == 1.0
    assert judge("What was her birth name?", "Greta Anna Lind Jr.", "Greta Lind").score == 1.0


def test_a_line_that_is_quoted_bounds_no_number() -> None:
    assert judge("When did it fall?", "> 1989", "1989").score == 1.0


def test_another_thing_that_is_taken_back_comes_not_first() -> None:
    assert judge(CAPITAL, "Bergen. No, wait, it is Oslo.", "Oslo").score == 1.0


@pytest.mark.parametrize(
    ("response", "answer", "score"),
    [
        ("It's called adduction.", "abduction", 0.0),
        ("the adductor", "abductor", 0.0),
        ("perineal nerve", "peroneal nerve", 0.0),
        ("antibellum period", "antebellum period", 0.0),
        ("photosythesis", "photosynthesis", 1.0),
        ("arachnaphobia", "arachnophobia", 1.0),
    ],
)
def test_a_letter_off_that_makes_another_known_word_is_no_slip(response: str, answer: str, score: float) -> None:
    assert judge("What is it called?", response, answer).score == score


@pytest.mark.parametrize(
    ("response", "score"),
    [
        ("It was first offered to director Ana Lindt.", 0.0),
        ("Ana Lindt was considered but turned it down.", 0.0),
        ("Ana Lindt did everything except direct it.", 0.0),
        ("It was offered to Ana Lindt, who declined.", 0.0),
        ("Ana Lindt was offered the job, but Jo Marsh accepted it.", 0.0),
        ("It was offered to Jo Marsh first, but Ana Lindt directed it.", 1.0),
        ("It was offered to Ana Lindt, who took it.", 1.0),
        ("Ana Lindt, who declined the prize for it.", 1.0),
    ],
)
def test_who_was_only_offered_it_is_not_who_did_it(response: str, score: float) -> None:
    assert judge("Who directed the film?", response, "Ana Lindt").score == score


def test_who_was_offered_or_declined_something_may_be_asked() -> None:
    assert judge("Who was offered the post?", "It was offered to Ana Lindt.", "Ana Lindt").score == 1.0
    assert judge("Who declined the prize?", "Ana Lindt turned it down.", "Ana Lindt").score == 1.0
