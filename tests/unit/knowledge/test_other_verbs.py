"""Sentences with two verbs: the value of the question's own verb answers, that of the other verb does not."""

import time

import pytest

from tests.unit.knowledge.test_answer_matching import judge

BORN = "In what year was Ann Zork born?"
DIED = "In what year did Ann Zork die?"
FALL = "In what year did the Great Wall of Zork fall?"
GAS = "What gas do plants absorb?"
FOUND = "Who discovered zorkium?"
END = "When did the Zork War end?"
WHERE = "Where was Ann Zork born?"


@pytest.mark.parametrize(
    ("prompt", "response", "answer", "other"),
    [
        (BORN, "Ann Zork was born in 1875 and died in 1931.", "1875", "1931"),
        (BORN, "She died in 1931 and was born in 1875.", "1875", "1931"),
        (BORN, "Ann Zork, who died in 1931, was born in 1875.", "1875", "1931"),
        (DIED, "She was born in 1875 and died in 1931.", "1931", "1875"),
        (FALL, "The Wall was built in 1661 and fell in 1689.", "1689", "1661"),
        (FALL, "It fell in 1689, and it was rebuilt in 1702.", "1689", "1702"),
        (GAS, "Plants absorb carbon dioxide and release oxygen.", "carbon dioxide", "oxygen"),
        (GAS, "Plants release oxygen and absorb carbon dioxide.", "carbon dioxide", "oxygen"),
        (FOUND, "Holm discovered it, and Joseph Marsh later named it.", "Holm", "Joseph Marsh"),
        (FOUND, "Holm named zorkium, and Joseph Marsh discovered it.", "Joseph Marsh", "Holm"),
        (FOUND, "It was discovered by Carl Holm in 1902 and refined by Joseph Marsh.", "Carl Holm", "Joseph Marsh"),
        (END, "It began in 1639 and ended in 1645.", "1645", "1639"),
        (END, "The war ended in 1645 and the treaty was signed in 1648.", "1645", "1648"),
        (WHERE, "She was born in Vienna and died in Prague.", "Vienna", "Prague"),
    ],
)
def test_the_value_of_the_verb_that_was_asked_about_is_the_answer(
    prompt: str, response: str, answer: str, other: str
) -> None:
    assert judge(prompt, response, answer).score == 1.0
    assert judge(prompt, response, other).score == 0.0


@pytest.mark.parametrize(
    ("prompt", "response", "answer"),
    [
        (FALL, "It was torn down in 1689.", "1689"),
        (GAS, "Plants take in carbon dioxide and release oxygen.", "carbon dioxide"),
        (GAS, "Plants absorb carbon dioxide and use it.", "carbon dioxide"),
        (BORN, "Some believed she was born in 1870, but records showed 1875.", "1875"),
    ],
)
def test_another_wording_of_the_deed_still_answers(prompt: str, response: str, answer: str) -> None:
    assert judge(prompt, response, answer).score == 1.0


@pytest.mark.parametrize("wall", ["and died; x, ", "1 ", "$x=1$ ", "that ", "Ann on bass and "])
def test_a_sentence_of_very_many_clauses_is_read_in_linear_time(wall: str) -> None:
    started = time.thread_time()
    judge(BORN, "She was born in 1870; named; 1875 " + wall * 20_000, "1875")
    assert time.thread_time() - started < 5.0
