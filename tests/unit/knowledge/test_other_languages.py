"""Answers in other languages: names, numbers, and sentences that are read by the English words for theirs."""

from __future__ import annotations

import pytest

from tests.unit.knowledge.test_guards import judge

PAIRS = (
    ("Who carved the statue of David?", "Michelangelo", "C'est Michel-Ange qui l'a sculpté.", "C'est Donatello."),
    ("Which gas do plants give off?", "oxygen", "Sauerstoff", "Stickstoff"),
    ("Which company made the Walkman?", "Sony", "ソニーです。", "アイワです。"),
    ("Who wrote Eugene Onegin?", "Alexander Pushkin", "Александр Пушкин", "Михаил Лермонтов"),
    ("In what year did it fall?", "1989", "答え：1989", "答え：1998"),
    ("Which animal is on the coat of arms?", "unicorn", "El unicornio.", "El unicolor."),
    ("How long is the Rhine?", "1,233 km", "Er hat 1.233 km.", "Er hat 1.332 km."),
    ("How high is Mount Everest in metres?", "8848.86 m", "8 848,86 mètres", "8 488,86 mètres"),
    ("In which month did it end?", "August 1945", "Agustus 1945", "September 1945"),
    ("How many players are on the court?", "5", "Son cinco.", "Son seis."),
    ("Which country won the 2010 World Cup?", "Spain", "España", "Alemania"),
    ("Which planet is the smallest?", "Mercury", "Merkur", "Quecksilber"),
)  # fmt: skip
READ = (
    ("Who painted it?", "Rembrandt", "Het is van Rembrandt.", "Het is niet van Rembrandt, maar van Jan Steen."),
    ("Who invented it?", "Alfred Nobel", "Det var Alfred Nobel.", "Det var inte Alfred Nobel utan hans far."),
    ("Who wrote it?", "Ibsen", "Det er Ibsen.", "Det er ikke Ibsen, men Strindberg."),
    ("Who was the first president?", "Sukarno", "Sukarno.", "Bukan Sukarno, melainkan Sjahrir."),
    ("Who wrote it?", "Machado", "Foi Machado.", "Machado... não, minto, foi Azevedo."),
    ("¿Quién la escribió?", "Juan Lind", "La escribió Juan Lind.", "No la escribió Juan Lind, sino Bo Moe."),
    ("Which country was it?", "Norland", "È la Norland.", "Non lo so, forse la Norland."),
)


@pytest.mark.parametrize(("question", "answer", "same", "other"), PAIRS, ids=[p[2] for p in PAIRS])
def test_a_name_or_number_of_another_language_is_the_answer(question: str, answer: str, same: str, other: str) -> None:
    assert judge(question, same, answer).score == 1.0
    assert judge(question, other, answer).score == 0.0


@pytest.mark.parametrize(("question", "answer", "right", "wrong"), READ, ids=[p[3] for p in READ])
def test_a_denial_in_another_language_is_one(question: str, answer: str, right: str, wrong: str) -> None:
    assert judge(question, right, answer).score == 1.0
    assert judge(question, wrong, answer).score == 0.0


def test_a_short_word_of_another_language_is_no_name_in_an_english_text() -> None:
    assert judge("Which metal is it?", "It is iron or silver, one of the two.", "gold").score == 0.0


def test_a_state_that_calls_itself_democratic_is_not_named_by_the_name_of_another() -> None:
    assert judge("Which country is it?", "Congo", "Republic of the Congo").score == 1.0
    assert judge("Which country is it?", "Congo", "Democratic Republic of the Congo").score == 0.0


@pytest.mark.parametrize(
    ("answer", "right", "wrong"),
    [
        ("富士山", "北岳ではなく富士山です。", "北岳です。富士山はその次になります。"),
        ("长江", "不是黄河,是长江。", "黄河,比长江还要长。"),
        ("徳川家康", "徳川家康が西軍を破りました。", "石田三成が徳川家康を破りました。"),
        ("삼성", "LG가 아니라 삼성입니다.", "삼성이 아니라 애플이 만듭니다."),
        ("القاهرة", "عاصمة مصر هي القاهرة.", "الإسكندرية، وليس القاهرة."),
    ],
)
def test_where_no_capitals_tell_names_the_first_clause_that_denies_nothing_answers(
    answer: str, right: str, wrong: str
) -> None:
    assert judge("What is it?", right, answer).score == 1.0
    assert judge("What is it?", wrong, answer).score == 0.0
