"""A year where a day is asked for, and a person of nearly the same name: what answers and what does not."""

import pytest

from tests.unit.knowledge.test_answer_matching import judge

SCORES = (
    ("When exactly (day, month, year) was she born?", "In 1756.", "27 January 1756", 0.0),
    ("When exactly (day, month, year) was she born?", "In January 1756.", "27 January 1756", 0.0),
    ("When exactly (day, month, year) was she born?", "On 27 January 1756.", "27 January 1756", 1.0),
    ("In which month and year did the war end?", "It ended in 1945.", "September 1945", 0.0),
    ("In which month and year did the war end?", "It ended in September 1945.", "September 1945", 1.0),
    ("In what year did Labor Day begin?", "In 1894.", "June 28, 1894", 1.0),
    ("Which president began the war?", "George H. W. Lind", "George W. Lind", 0.0),
    ("Which president began the war?", "George Herbert Walker Lind", "George W. Lind", 0.0),
    ("Which president began the war?", "George Walker Lind", "George W. Lind", 1.0),
    ("Who composed the opera?", "Wolfgang Amadeus Lind", "Wolfgang Lind", 1.0),
    ("Which president signed it?", "It was signed in 1798 by President John Quincy Adams.", "John Adams", 0.0),
    ("Which president signed it?", "John Quincy Adams", "John Adams", 0.0),
    ("Which president signed it?", "John Adams, the father of John Quincy Adams.", "John Adams", 1.0),
    ("Which president signed it?", "Barack Hussein Obama", "Barack Obama", 1.0),
    ("Who was the minister?", "Hilda Diane Rodham Lind", "Hilda Rodham Lind", 1.0),
)  # fmt: skip


@pytest.mark.parametrize(("question", "response", "answer", "score"), SCORES)
def test_only_what_is_as_fine_as_asked_and_the_same_person_answers(
    question: str, response: str, answer: str, score: float
) -> None:
    assert judge(question, response, answer).score == score
