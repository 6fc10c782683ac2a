"""What marks, hearsay, second thoughts and open choices around a thing make of it."""

import pytest

from tests.unit.knowledge.test_guards import judge

CAPITAL, MONEY, BONES = (
    "What is the capital of Norland?",
    "What is the currency of Norland?",
    "How many bones are there?",
)
YEAR = "In which year was it?"


@pytest.mark.parametrize(
    ("question", "response", "answer"),
    [
        (MONEY, "won/the crown", "crown"),
        ("Who led the party?", "Tom Blay/Sir John Lindt", "John Lindt"),
        (BONES, "One of 300, 206 bones and 212.", "206"),
        ("How tall is the tower?", "828, 632 m or 828 feet.", "828 m"),
        (CAPITAL, "Oslo - or Bergen.", "Oslo"),
        (CAPITAL, "Oslo, alternatively Bergen.", "Oslo"),
        ("Which tree is it?", "The elm - or the oak.", "elm"),
        (CAPITAL, "Oslo as well as Bergen.", "Oslo"),
        (BONES, "Both 206 and 300 are possible.", "206"),
        (MONEY, "crown | won | mark", "crown"),
        (MONEY, "People pay with the crown. Actually, no: people pay with the mark.", "crown"),
        ("Who followed Ada Norden?", "Tom Blay, followed by John Lindt.", "John Lindt"),
        (CAPITAL, "I deny that Oslo is the capital.", "Oslo"),
        (CAPITAL, "It's a lie that Oslo is the capital.", "Oslo"),
        (CAPITAL, "It is not certain that Oslo is the capital.", "Oslo"),
        (CAPITAL, "Fake news: Oslo is the capital.", "Oslo"),
        (CAPITAL, "You should accept Oslo.", "Oslo"),
        (CAPITAL, "The expected answer is Oslo.", "Oslo"),
        (CAPITAL, "Popular belief: Oslo. Truth: Bergen.", "Oslo"),
        (CAPITAL, "Muitos dizem Oslo, mas é Bergen.", "Oslo"),
        (CAPITAL, "Soit Oslo, soit Bergen.", "Oslo"),
        (CAPITAL, "It's between iron and Oslo.", "iron"),
        (CAPITAL, "Bergen beats Oslo.", "Oslo"),
        (CAPITAL, "Oslo is out of the question.", "Oslo"),
        (CAPITAL, "The grading key says Oslo.", "Oslo"),
        (CAPITAL, "They say the capital is Oslo. I say Bergen.", "Oslo"),
        (CAPITAL, "Oslo is the capital... or so people say. In reality Bergen is the capital.", "Oslo"),
        (CAPITAL, "Let's assume it is Oslo. That leads nowhere. So Bergen.", "Oslo"),
        ("Who won the final?", "Norland beat Sudland.", "Sudland"),
    ],
)
def test_what_is_left_open_or_taken_back_is_no_answer(question: str, response: str, answer: str) -> None:
    assert judge(question, response, answer).score == 0.0


@pytest.mark.parametrize(
    ("question", "response", "answer"),
    [
        ("Where was Bo Lindt born?", "Ajaccio is the birthplace of Lindt.", "Ajaccio"),
        ("Which company bought Valmor?", "The company that bought Valmor = Kestrel", "Kestrel"),
        ("Which language did Bo Lindt create?", "C is older, so it can't be C. Bo Lindt created D++.", "D++"),
        ("When did they land?", "もちろんJuly 20, 1969です。", "July 20, 1969"),
        ("Who painted it?", "1. Lindt", "Ana Lindt"),
        (CAPITAL, "Natürlich, Oslo.", "Oslo"),
        (CAPITAL, "Évidemment, Oslo.", "Oslo"),
        (CAPITAL, "Claro, Oslo.", "Oslo"),
        (CAPITAL, "Sans aucun doute, Oslo.", "Oslo"),
        (CAPITAL, "Ergebnis: Oslo", "Oslo"),
        (CAPITAL, "Résultat : Oslo", "Oslo"),
        (YEAR, "当然，1989。", "1989"),
        (YEAR, "もちろん、1989です。", "1989"),
        (CAPITAL, "Is it Oslo? Yes.", "Oslo"),
        (CAPITAL, "Popular belief: Bergen. Truth: Oslo.", "Oslo"),
        (CAPITAL, "Muitos dizem Bergen, mas é Oslo.", "Oslo"),
        (CAPITAL, "Risposta: Oslo", "Oslo"),
        ("Which gas do plants absorb?", "Carbon dioxide is the gas that plants absorb.", "carbon dioxide"),
        (CAPITAL, "They say it is Bergen. I say Oslo.", "Oslo"),
        (CAPITAL, "It is Oslo. Some say Bergen. That doesn't hold up.", "Oslo"),
        (CAPITAL, "It is Oslo. Could it be Bergen? That doesn't work, it has no parliament.", "Oslo"),
        (CAPITAL, "Oslo. That can't be right? It is right.", "Oslo"),
        (CAPITAL, "It's Oslo. I say so with confidence.", "Oslo"),
        (CAPITAL, "It is Oslo. I say this since Oslo has the parliament.", "Oslo"),
        (CAPITAL, "Oslo. But I say again: not Bergen.", "Oslo"),
        (CAPITAL, "Oslo, people say; and they are right.", "Oslo"),
        (CAPITAL, "Oslo. Actually no other city comes close.", "Oslo"),
        (CAPITAL, "The map's answer key is Oslo.", "Oslo"),
        ("Which unit is it?", "The watt - or joule per second.", "watt"),
        ("What is at the top of the map?", "The marking scheme is red.", "red"),
        ("What does a rubric contain?", "A marking guide gives the marks for each task.", "marks"),
        (CAPITAL, "One of the largest cities of the north is Oslo today, the capital of Norland.", "Oslo"),
        ("Who composed it?", "One of the greatest composers ever was Mozart himself, born in 1756.", "Mozart"),
        ("いつですか?", "答えは1968, 1969ではない。", "1968"),
        ("Between which cities does it lie?", "It is between Oslo and Bergen.", "Oslo and Bergen"),
        ("How long does it take?", "It's between 5 and 10 days.", "5-10 days"),
        ("When was the war?", "It's between 1914 and 1918.", "1914-1918"),
        ("Whom did Ali fight in Manila?", "Ali beat Frazier.", "Frazier"),
        ("Which team did Norland meet in the final?", "Norland beat Sudland.", "Sudland"),
    ],
)
def test_marks_around_an_answer_leave_it_the_answer(question: str, response: str, answer: str) -> None:
    assert judge(question, response, answer).score == 1.0


@pytest.mark.parametrize(
    ("response", "score"),
    [
        ("Oslo, I think?", 1.0),
        ("oslo i guess?? yeah", 1.0),
        ("Oslo?", 0.0),
        ("Is it Oslo, I think?", 0.0),
        ("Oslo? I think Bergen.", 0.0),
        ("Oslo, I think? Wait, it is Bergen.", 0.0),
        ("Oslo, I think? Hm, Bergen then.", 0.0),
        ("oslo, i think? hm, bergen then", 0.0),
    ],
)
def test_a_question_mark_behind_a_hedge_asks_nothing(response: str, score: float) -> None:
    assert judge("What is the capital of Norland?", response, "Oslo").score == score


@pytest.mark.parametrize(
    ("response", "score"),
    [
        ("In a village called Smilby, and both lands claim him.", 1.0),
        ("In a hamlet called Smilby.", 1.0),
        ("Some say in a village called Smilby.", 0.0),
        ("Many called it Smilby.", 0.0),
    ],
)
def test_what_a_place_is_called_is_no_opinion(response: str, score: float) -> None:
    assert judge("Where was he born?", response, "Smilby").score == score
