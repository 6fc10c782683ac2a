"""Paraphrases of a stored question are found; another year, name, relation or question word is not."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verifleet.knowledge_base import SqliteKnowledgeBase, open_knowledge_base
from verifleet.knowledge_base.build import SourceFact, build
from verifleet.verification import KnowledgeReference
from verifleet.verifiers.knowledge.questions import parse_question

STORED = [
    "What is the capital of France?",
    "What is the capital of Germany?",
    "What is the capital of Iraq?",
    "What is the capital of Iran?",
    "Who wrote Hamlet?",
    "Who won the football world cup in 1998?",
    "Who won the football world cup in 2002?",
    "When did the Berlin Wall fall?",
    "who plays the old wizard in the second film of the series",
    "How many sides does a hexagon have?",
    "Who did Brazil beat in the final?",
    "Where was Ada born?",
    "How tall is the tower?",
    "What is the largest lake in France?",
]


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> SqliteKnowledgeBase:
    path: Path = tmp_path_factory.mktemp("kb") / "test.db"
    build((SourceFact(q, KnowledgeReference(answer=f"answer {i}"), f"line {i}") for i, q in enumerate(STORED)), path)
    return open_knowledge_base(str(path))


@pytest.mark.parametrize(
    ("asked", "stored"),
    [
        ("WHAT IS THE CAPITAL OF FRANCE", 0),
        ("What's the capital of France?", 0),
        ("what’s the capital city of france ??", 0),
        ("Name France's capital.", 0),
        ("France's capital city?", 0),
        ("Which city is the capital of France?", 0),
        ("Please tell me the capital of France.", 0),
        ("Hey, do you know what the capital of France is?", 0),
        ("Can you tell me what the capital of France is, please?", 0),
        ("What is the captial of France?", 0),
        ("What is the capital of Framce?", 0),
        ("waht is the capital of france", 0),
        ("what is teh capital of france", 0),
        ("Answer the question in one word.\n\nQuestion: What is the capital of Germany?\nAnswer:", 1),
        ("You are a geographer. What is the capital of Germany? Think step by step.", 1),
        ("capital of Iran", 3),
        ("Who is the author of Hamlet?", 4),
        ("Who was Hamlet written by?", 4),
        ("By whom was Hamlet written?", 4),
        ("In 1998, who won the football world cup?", 5),
        ("Which person won the football world cup in 1998?", 5),
        ("In what year did the Berlin Wall fall?", 7),
        ("Who plays the old wizard in the 2nd film of the series?", 8),
        ("How many sides has a hexagon?", 9),
        ("May I ask who wrote Hamlet?", 4),
        ("Answer in one word: who wrote Hamlet?", 4),
        ("Out of curiosity, who won the 1998 football world cup?", 5),
        ("Who was the winner of the football world cup in 2002?", 6),
        ("Which author wrote Hamlet?", 4),
        ("which actor played the old wizard in the second film of the series", 8),
        ("What is Ada's birthplace?", 11),
        ("Which city was Ada born in?", 11),
        ("How high is the tower?", 12),
        ("What is the height of the tower?", 12),
        ("Which lake is the biggest in France?", 13),
    ],
)
def test_a_paraphrase_is_found(base: SqliteKnowledgeBase, asked: str, stored: int) -> None:
    fact = base.lookup(asked)
    assert fact is not None
    assert fact.question == STORED[stored]


@pytest.mark.parametrize(
    "asked",
    [
        "What is the capital of Francia?",
        "What is the largest city of France?",
        "What is the capital of the state of France Antarctique?",
        "Who won the football world cup in 1999?",
        "Who won the football world cup in 199?",
        "Who won the football world cup?",
        "When was the football world cup in 1998 won?",
        "Who hosted the football world cup in 1998?",
        "Who lost the football world cup in 1998?",
        "Who wrote Macbeth?",
        "Who did Hamlet write?",
        "Where did the Berlin Wall fall?",
        "When was the Berlin Wall built?",
        "When did the Berlin Wall not fall?",
        "When was Ada born?",
        "Where was Ada buried?",
        "How wide is the tower?",
        "What is the smallest lake in France?",
        "What is the second largest lake in France?",
        "Who did not play the old wizard in the second film of the series?",
        "i did not ask who plays the old wizard in the second film of the series",
        "Who beat Brazil in the final?",
        "How long are the sides of a hexagon?",
        "What is the capital of Paris?",
        "",
        "?",
        "the",
        "what is",
    ],
)
def test_a_near_miss_is_unknown(base: SqliteKnowledgeBase, asked: str) -> None:
    assert base.lookup(asked) is None


def test_a_country_that_the_base_knows_is_no_misspelling_of_another(base: SqliteKnowledgeBase) -> None:
    iran = base.lookup("What is the capital of Iran?")
    iraq = base.lookup("What is the capital of Iraq?")
    assert iran is not None
    assert iraq is not None
    assert iran.question != iraq.question


@given(st.text(max_size=200))
def test_any_text_parses_and_is_looked_up_without_failure(text: str) -> None:
    parse_question(text)
    open_knowledge_base().lookup(text)


@pytest.mark.parametrize(
    ("asked", "answer"),
    [
        ("Capital of Côte d'Ivoire?", "Yamoussoukro"),
        ("Can you name the capital of Cote d’Ivoire?", "Yamoussoukro"),
        ("What is the Czech Republic's capital?", "Prague"),
        ("capital of Türkiye", "Ankara"),
        ("capital of São Tomé and Príncipe", "Sao Tome"),
        ("capital of Congo-Brazzaville", "Brazzaville"),
    ],
)
def test_a_country_is_found_by_its_other_names(asked: str, answer: str) -> None:
    fact = open_knowledge_base().lookup(asked)
    assert fact is not None
    assert fact.reference.answer == answer


@pytest.mark.parametrize(
    "asked", ["capital of the Congo", "capital of North Ireland", "what was Burma formerly called"]
)
def test_another_country_or_its_former_name_is_not_looked_up_instead(asked: str) -> None:
    assert open_knowledge_base().lookup(asked) is None
