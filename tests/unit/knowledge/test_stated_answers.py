"""Answers that a response states outright, for another thing or in somebody else's name."""

import pytest

from tests.unit.knowledge.test_answer_matching import judge

CAPITAL = "What is the capital of France?"
AUTHOR = "Who is the author of Hamlet?"
FOUNDED = "When was Freedonia founded?"
DAY = "12 March 1847"


@pytest.mark.parametrize(
    ("prompt", "response", "answer"),
    [
        (CAPITAL, "It might be Paris, but actually it's Lyon.", "Paris"),
        (CAPITAL, "It might be Paris, but really it is Lyon.", "Paris"),
        (CAPITAL, "The answer might be Paris; however, it is actually Lyon.", "Paris"),
        (CAPITAL, "Could be Paris - no, it's Lyon.", "Paris"),
        ("Which city is the capital of France?", "Paris is a city. Lyon is the capital of France.", "Paris"),
        (CAPITAL, "Paris is in France. The capital of France is Lyon.", "Paris"),
        (CAPITAL, "Paris is lovely. Lyon is the capital of France.", "Paris"),
        (CAPITAL, "France's capital is Lyon. Paris is bigger.", "Paris"),
        ("Who wrote Hamlet?", "Marlowe wrote Hamlet. Shakespeare wrote Macbeth.", "William Shakespeare"),
        (CAPITAL, "Lyon, and the largest city is Paris.", "Paris"),
        (CAPITAL, "Lyon, while the most visited city is Paris.", "Paris"),
    ],
)
def test_an_outright_statement_with_another_name_is_the_answer(prompt: str, response: str, answer: str) -> None:
    assert judge(prompt, response, answer).score == 0.0


@pytest.mark.parametrize(
    ("prompt", "response", "answer"),
    [
        (CAPITAL, "The capital of Germany is Paris.", "Paris"),
        (CAPITAL, "Germany's capital is Paris.", "Paris"),
        ("what is the capital of france", "the capital of germany is paris", "Paris"),
        (AUTHOR, "The author of Macbeth is William Shakespeare.", "William Shakespeare"),
        ("Who is the mayor of Zork?", "The mayor of Quux is Ann Lee.", "Ann Lee"),
        ("Which city is the capital of France?", "The capital of Italy is Paris.", "Paris"),
        ("Name the capital of France.", "The capital of Germany is Paris.", "Paris"),
        (CAPITAL, "Paris is the capital of Germany.", "Paris"),
    ],
)
def test_the_same_relation_of_another_subject_is_no_answer(prompt: str, response: str, answer: str) -> None:
    assert judge(prompt, response, answer).score == 0.0


@pytest.mark.parametrize(
    "response",
    [
        "My friend thinks it's Paris.",
        "My teacher says it's Paris.",
        "Tom thinks it is Paris.",
        "Someone told me it is Paris.",
        "His brother believes it is Paris.",
        "According to my neighbor, it is Paris.",
        "A guy I know said so: my uncle claims Paris.",
    ],
)
def test_what_somebody_else_thinks_is_no_commitment(response: str) -> None:
    assert judge(CAPITAL, response, "Paris").score == 0.0


@pytest.mark.parametrize("response", ["March 12", "12 March", "It was founded on March 12.", "3/12"])
def test_a_day_without_its_year_does_not_say_when_something_was(response: str) -> None:
    assert judge(FOUNDED, response, DAY).score == 0.0


@pytest.mark.parametrize(
    ("prompt", "response", "answer"),
    [
        (CAPITAL, "It might be Lyon, but actually it's Paris.", "Paris"),
        (CAPITAL, "My friend thinks it's Lyon, but it's Paris.", "Paris"),
        (CAPITAL, "My friend thinks it's Paris, and I agree.", "Paris"),
        (CAPITAL, "My textbook says it's Paris.", "Paris"),
        (CAPITAL, "My calculation says it's Paris.", "Paris"),
        (CAPITAL, "The capital of the French Republic is Paris.", "Paris"),
        (CAPITAL, "The capital of the country is Paris.", "Paris"),
        (CAPITAL, "The capital of Germany is Berlin; the capital of France is Paris.", "Paris"),
        (CAPITAL, "I believe the capital of France is Paris.", "Paris"),
        (CAPITAL, "Vichy was the capital of France during the war, today it is Paris.", "Paris"),
        (CAPITAL, "Paris is the capital of France. Lyon is a large city.", "Paris"),
        ("What is the capital of Myanmar?", "The capital of Burma is Naypyidaw.", "Naypyidaw"),
        ("What is the capital of the USA?", "The capital of the United States is Washington.", "Washington"),
        ("What is the capital of Spain?", "Madrid, and the language is Spanish.", "Madrid"),
        ("What was the cause?", "His family said the cause was pneumonia.", "pneumonia"),
        ("What was the cause?", "According to a recent poll, it was pneumonia.", "pneumonia"),
        ("What did John think it was?", "He thought it was a ghost.", "a ghost"),
        ("Who does my friend think won?", "Your friend thinks it's Anna.", "Anna"),
        ("Who wrote Hamlet?", "Scholars believe it was written by William Shakespeare.", "William Shakespeare"),
        ("Who is the author of The Lord of the Rings?", "The author of LOTR is Tolkien.", "J. R. R. Tolkien"),
        ("Who is the mayor of Zork?", "The mayor of Zork is Ann Lee. The mayor of Quux is Bob Roe.", "Ann Lee"),
        ("Who is the king of the gods in Greek mythology?", "The king of the Olympians is Zeus.", "Zeus"),
        ("Who wrote Hamlet?", "Shakespeare wrote Hamlet and Macbeth.", "William Shakespeare"),
        ("Who wrote Hamlet?", "Shakespeare wrote The Tragedy of Hamlet, Prince of Denmark.", "William Shakespeare"),
        ("Who wrote Hamlet?", "Shakespeare wrote it.", "William Shakespeare"),
        ("Who discovered America?", "Columbus discovered the New World.", "Christopher Columbus"),
        ("Who won the 1998 cup?", "France won the World Cup.", "France"),
        (CAPITAL, "It could be Lyon - no, it's Paris.", "Paris"),
        (FOUNDED, "March 1847", DAY),
        (FOUNDED, "In 1847, on March 12.", DAY),
        ("When in 1847 was Freedonia founded?", "March 12", DAY),
        ("When does the season start?", "March 12", "12 March 2018"),
        ("What day was Freedonia founded?", "March 12", DAY),
    ],
)
def test_honest_neighbours_of_these_are_right(prompt: str, response: str, answer: str) -> None:
    assert judge(prompt, response, answer).score == 1.0


@pytest.mark.parametrize(
    ("behind", "score"),
    [
        ("So the row you're after is the second one.", 1.0),
        ("The answer is the last row.", 1.0),
        ("It's in the bottom row.", 1.0),
        ("So the row you're after is the first one.", 0.0),
        ("It's the top row.", 0.0),
    ],
)
def test_a_row_of_a_table_is_chosen_by_its_place(behind: str, score: float) -> None:
    table = "| Part | Main job |\n|---|---|\n| Cerebrum | thought |\n| Cerebellum | smooth movement |\n\n"
    question = "Which part of the brain coordinates balance?"
    assert judge(question, table + behind, "the cerebellum").score == score
