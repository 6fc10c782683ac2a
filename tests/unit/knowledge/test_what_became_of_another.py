"""What another one did to the expected answer, what was so before, and of which other thing something is told."""

import pytest

from tests.unit.knowledge.test_answer_matching import judge

SCORES = (
    ("What is the capital of Norland?", "Since 2006 it is Oldburg; before that it was Lindburg.", "Lindburg", 0.0),
    ("What is the capital of Norland?", "Lindburg was the capital until 1997.", "Lindburg", 0.0),
    ("Who won the final of 2008?", "Ana Lindt ended Jo Marsh's run of five titles.", "Jo Marsh", 0.0),
    ("Who wrote the novel?", "It is by Jo Marsh. Ana Lindt, a rival author, mocked it.", "Ana Lindt", 0.0),
    ("Who was Max Brun's father?", "Max Brun was the son of Jo Marsh.", "Jo Marsh", 1.0),
    ("Who taught Max Brun?", "Max Brun was a pupil of Jo Marsh.", "Jo Marsh", 1.0),
    ("Who taught Max Brun?", "Jo Marsh in turn was taught by Max Brun.", "Jo Marsh", 0.0),
    ("What is the chemical symbol of silver?", "Au stands for silver, while Ag is the symbol of gold.", "Ag", 0.0),
    ("What is the chemical symbol of silver?", "Ag stands for silver, while Au is the symbol of gold.", "Ag", 1.0),
    ("What gas do plants absorb?", "Plants take in carbon dioxide and release oxygen.", "carbon dioxide", 1.0),
    ("Who is the Greek god of the sea?", "In Greek myth it's Poseidon.", "Poseidon", 1.0),
)  # fmt: skip


@pytest.mark.parametrize(("question", "response", "answer", "score"), SCORES)
def test_what_is_told_of_another_time_thing_or_doer_is_no_answer(
    question: str, response: str, answer: str, score: float
) -> None:
    assert judge(question, response, answer).score == score
