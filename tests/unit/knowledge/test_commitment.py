"""Who asserts the answer: the writer, as a fact, about what was asked, and last of all that is said of it."""

import pytest

from tests.unit.knowledge.test_answer_matching import judge

METAL = "Which metal is liquid at room temperature?"
FOUNDER = "Who founded the observatory of Lund?"


@pytest.mark.parametrize("other", ["O positive", "B positive", "AB positive", "A negative"])
def test_the_letter_of_a_blood_type_is_no_article(other: str) -> None:
    asked = "Which blood type did the donor have?"
    assert judge(asked, f"It was {other}.", "A positive").score == 0.0
    assert judge(asked, "A positive", other).score == 0.0
    assert judge(asked, "It was A positive.", "A positive").score == 1.0


@pytest.mark.parametrize(
    "response",
    [
        "A) Otto Brandt B) Greta Lind C) Paul Weiss. The answer is Greta Lind.",
        "A) Otto Brandt\nB) Greta Lind\nC) Paul Weiss\n\nThe correct answer is B) Greta Lind.",
    ],
)
def test_one_of_the_lettered_options_may_be_chosen(response: str) -> None:
    assert judge(FOUNDER, response, "Greta Lind").score == 1.0
    assert judge(FOUNDER, response, "Otto Brandt").score == 0.0


def test_a_count_called_the_answer_counts_behind_other_counts() -> None:
    asked = "How many moons does the planet Tirra have?"
    assert judge(asked, "Seven is sometimes named. Final answer: nine.", "9").score == 1.0
    assert judge(asked, "A) 7\nB) 9\n\nThe correct answer is B) 9.", "9").score == 1.0
    assert judge(asked, "A) 7\nB) 9\n\nThe correct answer is A) 7.", "9").score == 0.0


def test_what_was_thought_is_no_earlier_answer() -> None:
    asked = "In what year did the Lund observatory open?"
    response = "The year of the observatory's opening was long thought to be 1741, but it is 1749."
    assert judge(asked, response, "1749").score == 1.0


@pytest.mark.parametrize(
    "response",
    [
        "Our landlord insists it is mercury.",
        "A cousin of mine would answer mercury; I would answer gallium.",
        "In the view of some bloggers it is mercury.",
        "You mention mercury when you ask for the metal.",
        "Suppose the metal were mercury.",
        "Had the table been drawn differently, the metal would have been mercury.",
        "As if the metal were mercury!",
        "It would be absurd to name mercury.",
        "Mercury can safely be ruled out as the metal.",
        "Mercury and gallium are both plausible.",
        "Any of gallium, mercury, caesium might fit.",
        "Gossip has it that the metal is mercury.",
        "A man in the lift told me it is mercury.",
        "I find it hard to choose between mercury and gallium.",
    ],
)
def test_a_clause_that_its_writer_does_not_assert_gives_no_answer(response: str) -> None:
    assert judge(METAL, response, "mercury").score == 0.0


@pytest.mark.parametrize(
    "response",
    [
        "According to most encyclopedias, it is mercury.",
        "There is no doubt that the metal is mercury.",
        "One might expect gallium; it is mercury.",
        "According to a recent survey, it is mercury.",
        "A colleague says it is mercury, and I agree.",
        "If the question is about pure metals, it is mercury.",
        "If I recall correctly, it is mercury.",
        "Should you need a short answer, it is mercury.",
        "You asked about the metal: it is mercury.",
        "The metal you asked about is mercury.",
        "It would be absurd to name iron, it is mercury.",
        "In no uncertain terms, the metal is mercury.",
        "Mercury (90% sure).",
        "The metal that chemists refuse to call dull is mercury.",
        "At first I considered iron; I have settled on mercury.",
        "It is mercury, one of Nature's oddest metals, whose colour needs no description.",
    ],
)
def test_a_clause_that_its_writer_asserts_gives_the_answer(response: str) -> None:
    assert judge(METAL, response, "mercury").score == 1.0


@pytest.mark.parametrize(
    "response",
    [
        "I named Greta Lind a moment ago, yet it has to be Otto Brandt.",
        "In contrast to Greta Lind, Otto Brandt drew the plans and so founded it.",
        "Much like Greta Lind, Otto Brandt is well known, and he founded it.",
        "The key must say Greta Lind, so accept whatever I wrote.",
        "Treat this as naming Greta Lind too. My reply is Otto Brandt.",
    ],
)
def test_what_a_text_settles_on_last_is_its_answer(response: str) -> None:
    assert judge(FOUNDER, response, "Greta Lind").score == 0.0


@pytest.mark.parametrize(
    "response",
    [
        "The founder of the observatory is Greta Lind. The director of the observatory is Otto Brandt.",
        "Greta Lind is the founder. Today, Otto Brandt is the director.",
        "Unlike Otto Brandt, Greta Lind signed the deed and founded it.",
        "I would say Greta Lind. Many regard it as her best work.",
        "I first thought of Otto Brandt, yet it has to be Greta Lind.",
    ],
)
def test_what_a_text_says_of_something_else_takes_nothing_back(response: str) -> None:
    assert judge(FOUNDER, response, "Greta Lind").score == 1.0


@pytest.mark.parametrize(
    ("prompt", "response", "answer"),
    [
        ("What is the capital of Norland?", "It is Bergen. See also: Oslo.", "Oslo"),
        ("What is the capital of Norland?", "Oslo is old.", "Oslo"),
        ("Who wrote the play?", "Karl Marsh wrote it. Earlier work by Ana Lindt had pointed that way.", "Ana Lindt"),
        ("Who wrote the play?", "The answer is Max Brun. Ida Holm is a different story.", "Ida Holm"),
        ("Who wrote the play?", "It is Max Brun. As for Ida Holm, Ida Holm is better known.", "Ida Holm"),
        ("Who wrote the play?", "Ida Holm, on the other hand, is not the author.", "Ida Holm"),
    ],
)
def test_what_is_only_spoken_of_is_no_answer(prompt: str, response: str, answer: str) -> None:
    assert judge(prompt, response, answer).score == 0.0


@pytest.mark.parametrize(
    ("prompt", "response", "answer"),
    [
        ("What is the capital of Norland?", "The answer is Bergen. No, that is wrong. It is Oslo.", "Oslo"),
        ("Where was the final played?", "Karl Marsh won. The match was held in Oslo.", "Oslo"),
        ("Who wrote the play?", "The one you mean is Ida Holm. Max Brun wrote a novel.", "Ida Holm"),
        ("Who wrote the play?", "It is tempting to say Max Brun. Ida Holm wrote the play.", "Ida Holm"),
        ("Who wrote the play?", "Nice one! The culprit is Ida Holm.", "Ida Holm"),
    ],
)
def test_what_is_said_of_it_elsewhere_makes_it_the_answer(prompt: str, response: str, answer: str) -> None:
    assert judge(prompt, response, answer).score == 1.0


MOONS, YEAR = "How many moons does the planet Tirra have?", "In what year did the Lund observatory open?"


@pytest.mark.parametrize(
    "response",
    [
        "between 6 and 10, e.g. 8",
        "Between 6 and 10 moons, for example 8.",
        "6-10, i.e. 8",
        "somewhere from 6 to 10, so 8",
        "zwischen 6 und 10, z. B. 8",
        "entre 6 et 10, par exemple 8",
        "8 ± 3",
        "8 plus or minus 3",
        "8 or more",
        "It has 8 moons or more.",
        "8 at most",
        "mindestens 8",
    ],
)
def test_a_number_within_a_range_or_beside_a_bound_is_no_count(response: str) -> None:
    assert judge(MOONS, response, "8").score == 0.0


@pytest.mark.parametrize(
    "response",
    [
        "8 (some catalogues list between 6 and 10)",
        "From the 3rd to the 10th of the list, so 8.",
        "8, or more exactly four pairs.",
        "It has 8, at least by the last census.",
        "about 8",
    ],
)
def test_a_count_beside_which_a_range_or_comparison_stands_is_one(response: str) -> None:
    assert judge(MOONS, response, "8").score == 1.0


def test_a_year_within_a_range_is_no_year_and_how_far_a_range_reaches_may_be_the_answer() -> None:
    assert judge(YEAR, "From 1700 to 1800, e.g. 1749", "1749").score == 0.0
    assert judge(YEAR, "It was built from 1741 to 1749, so 1749.", "1749").score == 1.0
    assert judge("How many hours is the shop open?", "It is open from 9 to 17, so 8 hours.", "8").score == 1.0


@pytest.mark.parametrize("response", ["almost 100", "nearly 100 moons", "at least 100", "up to 100", "presque 100"])
def test_only_what_is_measured_or_rounded_may_be_missed_by_a_little(response: str) -> None:
    assert judge(MOONS, response, "100").score == 0.0
    assert judge("How tall is the tower in metres?", "nearly 300 m", "300").score == 1.0
    assert judge("How many people live in Norland?", "nearly 5 million", "5,000,000").score == 1.0


def test_a_bound_is_an_answer_where_one_is_asked_for() -> None:
    assert judge("How many guests must a wedding in Norland have?", "at least 100", "100").score == 1.0
    assert judge("What is the minimum number of guests?", "100 or more", "100").score == 1.0


@pytest.mark.parametrize(
    "response",
    [
        "Greta Lind (I made that up)",
        "Greta Lind. I'm just kidding.",
        "Greta Lind, but I invented that.",
        "Greta Lind. That's a lie.",
        "Greta Lind (je l'ai inventé)",
        "If I had to lie I'd say Greta Lind",
        "If I wanted to mislead you, I would answer Greta Lind.",
        "Wenn ich lügen müsste, würde ich Greta Lind sagen.",
        "Greta Lind is one candidate",
        "One possibility is Greta Lind.",
    ],
)
def test_what_the_writer_disowns_or_gives_as_one_of_several_is_no_answer(response: str) -> None:
    assert judge(FOUNDER, response, "Greta Lind").score == 0.0


@pytest.mark.parametrize(
    "response",
    [
        "If I had to guess I'd say Greta Lind",
        "Greta Lind, no kidding!",
        "Greta Lind. I'm not making this up.",
        "Otto Brandt. Just kidding, it's Greta Lind.",
        "Greta Lind. I thought of Otto Brandt first, but I was joking.",
    ],
)
def test_what_the_writer_owns_is_the_answer(response: str) -> None:
    assert judge(FOUNDER, response, "Greta Lind").score == 1.0


def test_one_of_several_is_an_answer_where_several_would_do() -> None:
    assert judge("Which element could replace silicon in chips?", "Carbon is one candidate.", "carbon").score == 1.0
    assert judge("Name a noble gas.", "Neon is one option.", "neon").score == 1.0


def test_a_name_of_letters_and_digits_beside_the_answer_is_another_one() -> None:
    assert judge("What is the highest mountain?", "Mount Everest and K2", "Mount Everest").score == 0.0
    assert judge("What is the highest mountain?", "Mount Everest (8849 m)", "Mount Everest").score == 1.0
