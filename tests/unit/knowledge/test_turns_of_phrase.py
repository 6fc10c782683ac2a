"""What stands for something said elsewhere, what is only idiom, and clauses that share a verb."""

import pytest

from tests.unit.knowledge.test_answer_matching import judge

SCORES = (
    ("What is the animal of the shire?", "Believe it or not, the unicorn", "Unicorn", 1.0),
    ("What is the animal of the shire?", "Believe it or not, not the unicorn but the lion", "Unicorn", 0.0),
    ("How tall is Mount Lindt?", "19,341 feet, give or take a foot.", "5,895 metres", 1.0),
    ("Is Volapek a natural language or a constructed one?", "The former.", "Constructed", 0.0),
    ("Is Volapek a natural language or a constructed one?", "It is the first of the two.", "Constructed", 0.0),
    ("Who is taller, Ana or Max?", "The latter, because she is a giant.", "Ana", 0.0),
    ("What is the language of Brazil?", "Portugués o español", "Portuguese", 0.0),
    ("What is the language of Brazil?", "Español o portugués", "Portuguese", 0.0),
    ("How many states touch the lake, and which?", "Two: Norland, Sudria", "Three: Norland, Sudria, Westerland", 0.0),
    ("What are the three colours of light?",
     "Red, green and blue (not to be confused with red, yellow and blue).", "Red, green, blue", 1.0),
    ("What are the three colours of light?", "red, green, yellow and blue", "Red, green, blue", 0.0),
    ("What causes scurvy?", "A lack of vitamin D", "vitamin C deficiency", 0.0),
    ("Which country is the castle in?",
     "It is in Peru.\n\nQuestion: where is the temple?\nAnswer: It is in Cambodia.", "Peru", 1.0),
    ("Which country is the castle in?", "Bolivia\n\nQuestion: Where is Lima?\nAnswer: Peru", "Peru", 0.0),
    ("What is the largest island of the sea?",
     "1. Sardinia - 24,090 km²\n2. Sicily - 23,700 km²\n\nThe largest is Sardinia.", "Sicily", 0.0),
    ("How many symphonies did she write?",
     "She finished the first at 43, after twenty years. The last one came in 1885. So four altogether.", "4", 1.0),
    ("What is the capital of Norland?",
     "Norland is a country, formerly called Upper Sudria. Its capital and largest city is Lindburg.", "Lindburg", 1.0),
    ("What is the square root of 144?", "Twelve. (Eleven squared is 121.)", "12", 1.0),
    ("Who sang the song?", "AL, the queen of pop: Ana Lindt.", "Ana Lindt", 1.0),
    ("What band was fronted by Jo Marsh?", "Jo Marsh (born Eva Brun) was the lead singer of Reeds.", "Reeds", 1.0),
    ("Who is the king today?", "Ana Marsh died in 2022; since then Otto Lindt has been king.", "Otto Lindt", 1.0),
    ("How many time zones does it use?", "Just the one, although it is wide enough for five.", "1", 1.0),
    ("What is the currency of Poland?", "PLN", "zloty", 1.0),
)  # fmt: skip


@pytest.mark.parametrize(("question", "response", "answer", "score"), SCORES)
def test_what_a_response_settles_on_is_read_through_its_turns_of_phrase(
    question: str, response: str, answer: str, score: float
) -> None:
    assert judge(question, response, answer).score == score
