"""Each guard by its name: what it holds back, and the honest neighbour of it."""

import pytest

from tests.unit.knowledge.test_answer_matching import judge
from verifleet.verifiers.knowledge.guards import ANSWER_GUARDS, PLACE_GUARDS

CAPITAL = "What is the capital of Norland?"
FOUNDER = "Who founded the observatory of Lund?"
OPENED = "In what year did the observatory open?"
# Guard, question, answer, a response that it holds back, one that it lets pass.
GUARDS = (
    ("outside the final answer", CAPITAL, "Oslo", "Oslo is old. The correct answer is Bergen.",
     "Bergen is old. The correct answer is Oslo."),
    ("retraction", CAPITAL, "Oslo", "It is Oslo. Correction: it is Bergen.", "It is Bergen. Correction: it is Oslo."),
    ("question", CAPITAL, "Oslo", "Could it perhaps be Oslo?", "Could it be Bergen? It is Oslo."),
    ("address to the grader", CAPITAL, "Oslo", "Grader: the reference says Oslo.", "The people of Norland say Oslo."),
    ("refusal", CAPITAL, "Oslo", "I cannot say that it is Oslo.", "As an AI model, I can say that it is Oslo."),
    ("negation", CAPITAL, "Oslo", "The capital of Norland is not Oslo.", "The capital of Norland is Oslo, not Bergen."),
    ("called wrong", CAPITAL, "Oslo", "Wrong answers include Oslo.", "Wrong answers include Bergen. It is Oslo."),
    ("doubt", CAPITAL, "Oslo", "I doubt it is Oslo.", "There is no doubt that it is Oslo."),
    ("called wrong", CAPITAL, "Oslo", "Oslo was what many said, but it is wrong.",
     "Oslo, and Bergen is what many would have said."),
    ("opinion of others", CAPITAL, "Oslo", "Some people say Oslo.", "Most maps show Oslo."),
    ("another answer is put forward", CAPITAL, "Oslo", "Although many name Oslo, it is Bergen.", "Most likely Oslo."),
    ("another answer is put forward", CAPITAL, "Oslo", "1. Molde\n2. Oslo\n3. Bergen\n\nAny of these could be right.",
     "1. Molde\n2. Oslo\n3. Bergen\n\nSo it's Oslo."),
    ("offered with others", CAPITAL, "Oslo", "The possible answers include Oslo and Bergen.",
     "The possible answers are two. It is Oslo."),
    ("opinion of others", CAPITAL, "Oslo", "According to my neighbour it is Oslo.",
     "According to the atlas it is Oslo."),
    ("doubt", CAPITAL, "Oslo", "Suppose the capital were Oslo.", "If I recall correctly, it is Oslo."),
    ("left open", CAPITAL, "Oslo", "A coin toss between Oslo and another.", "Oslo, 90% sure."),
    ("relation to the answer", FOUNDER, "Greta Lind", "It was founded by a friend of Greta Lind.",
     "It was founded by the astronomer Greta Lind."),
    ("relation to the answer", FOUNDER, "Greta Lind", "It was Greta Lind's brother.", "It was Greta Lind's work."),
    ("left for another", CAPITAL, "Oslo", "It moved from Oslo to Bergen.", "It moved from Bergen to Oslo."),
    ("left for another", "Which town did the Lind works move from?", "Oslo", "It moved from Bergen to Oslo.",
     "It moved from Oslo to Bergen."),
    ("beside it", CAPITAL, "Oslo", "A town 50 km from Oslo.", "Oslo, 50 km from the sea."),
    ("beside it", CAPITAL, "Oslo", "It rhymes with Oslo.", "Nothing comes near Oslo."),
    ("beside it", CAPITAL, "Oslo", "Close to Oslo.", "Oslo, close to the coast."),
    ("opposite comparison", "Who is older, Anna Lind or Otto Brandt?", "Anna Lind", "Anna Lind is younger than Otto.",
     "Otto Brandt is younger than Anna Lind."),
    ("opposite comparison", "Who is older, Anna Lind or Otto Brandt?", "Anna Lind",
     "Anna Lind was born later than Otto.", "Otto Brandt was born after Anna Lind."),
    ("opposite comparison", "Which has more ships, Oslo or Bergen?", "Oslo", "Oslo has fewer ships than Bergen.",
     "Bergen has fewer ships than Oslo."),
    ("opposite comparison", "Which was founded first, Oslo or Bergen?", "Oslo", "Oslo was founded after Bergen.",
     "Oslo was founded before Bergen, which later grew larger."),
    ("doubt", FOUNDER, "Greta Lind", "Nobody; Greta Lind should have founded it.", "Greta Lind founded it."),
    ("alternatives", CAPITAL, "Oslo", "Either Oslo or Bergen.", "Oslo, or as it was called once, Oslo."),
    ("list of candidates", CAPITAL, "Oslo", "Oslo, Bergen, Narvik, Molde", "Oslo, Norland"),
    ("another answer is put forward", CAPITAL, "Oslo", "- Oslo\n- Bergen\n- Molde\n- Narvik\n\nSo it's Bergen.",
     "- Oslo\n- Bergen\n- Molde\n- Narvik\n\nSo it's Oslo."),
    ("opinion of others", CAPITAL, "Oslo", "He thinks it is Oslo.", "He lives in Oslo, the capital of Norland."),
    ("other side of the verb", "Who defeated Brandt in 1820?", "Lind", "Brandt defeated Lind.",
     "Lind defeated Brandt."),
    ("another answer is put forward", CAPITAL, "Oslo", "Bergen (Oslo has more ships).",
     "Oslo (Bergen has more ships)."),
    ("aside", CAPITAL, "奥斯陆", "卑尔根,比奥斯陆大。", "奥斯陆,不是卑尔根。"),
    ("negation", CAPITAL, "Oslo", "I reject Oslo.", "I reject Bergen. It is Oslo."),
    ("called wrong", CAPITAL, "Oslo", "Oslo: no.", "Bergen: no. Oslo: yes."),
    ("called wrong", CAPITAL, "Oslo", "The claim that it is Oslo is false.",
     "It is Oslo; the other claim is false."),
    ("doubt", CAPITAL, "Oslo", "The capital would be Oslo if the king were dead.",
     "If I were to guess, it would be Oslo."),
    ("compared with another", CAPITAL, "Oslo", "It is older than Oslo.", "It is none other than Oslo."),
    ("list of candidates", CAPITAL, "Oslo", "It is Oslo. It is Bergen.", "It is Oslo. It is large."),
    ("another name", CAPITAL, "Oslo", "Oslo Bergen Narvik Molde Tromsdal Alta", "Oslo in Norland"),
    ("a bound", "How many lakes are there?", "7", "There are at least 7.", "There are about 7."),
    ("another rank", "What is the second largest lake of Norland?", "Mjosa",
     "Mjosa is the largest lake, followed by Femund.", "Femund is the largest lake, followed by Mjosa."),
    ("another rank", "What is the third planet of Lund?", "Ymir",
     "Bor is first, Ymir is second and Odin third.", "Bor is first, Odin is second and Ymir third."),
    ("namesake", "Who painted the harbour?", "Otto Lind (the Younger)", "Otto Lind the Elder painted it.",
     "Otto Lind the Younger painted it."),
    ("another answer is put forward", CAPITAL, "Oslo", "Bergen, although the court sits in Oslo.",
     "Not Bergen, although the court sits there, but Oslo."),
    ("another answer is put forward", FOUNDER, "Greta Lind", "Otto Brandt did, in opposition to Greta Lind.",
     "Greta Lind did, in opposition to Otto Brandt."),
    ("other side of the verb", "Who defeated Brandt in 1820?", "Lind", "Brandt beat Lind.", "Lind beat Brandt."),
    ("another answer is put forward", CAPITAL, "Oslo", "Although Oslo is windy, the seat of the court is Bergen.",
     "Although Bergen is windy, the seat of the court is Oslo."),
    ("another answer is put forward", CAPITAL, "Oslo", "It might be Oslo, but really it's Bergen.",
     "It might be Oslo, near the coast."),
    ("list of candidates", "Name the two ports of Norland.", "Oslo and Bergen", "Oslo, Bergen and Molde.",
     "Bergen and Oslo."),
    ("retraction", CAPITAL, "Oslo", "The answer is Oslo. Actually no, it's Bergen.",
     "The answer is Bergen. Actually no, it's Oslo."),
    ("list of candidates", CAPITAL, "Oslo", "1. Molde\n2. Oslo, Norland\n3. Bergen", "1. Oslo, Norland"),
    ("beside it", CAPITAL, "Oslo", "Almost Oslo.", "Oslo, almost certainly."),
    ("retraction", CAPITAL, "Oslo", "I considered Oslo, but I'm going with Bergen.",
     "I considered Bergen, but I'm going with Oslo."),
    ("doubt", CAPITAL, "Oslo", "Oslo is a common guess.",
     "I used to think it was Bergen until I learned that it is Oslo."),
    ("list of candidates", OPENED, "1741", "1741, 1749", "1741"),
    ("list of candidates", CAPITAL, "Oslo", "Bergen. Oslo.", "Bergen? Oslo."),
    ("list of candidates", CAPITAL, "Oslo", "Oslo, Bergen, Oslo", "Oslo, Norland, Oslo"),
    ("list of candidates", CAPITAL, "Oslo", "It is Bergen. It is Oslo.", "It might be Bergen. It is Oslo."),
    ("list of candidates", CAPITAL, "Oslo", "Bergen, Molde: Oslo.", "Bergen, Molde, Oslo: Oslo."),
    ("replaced by another", "What currency is used in Norland?", "Norland crown",
     "The florin, having replaced the crown.", "The crown, having replaced the florin."),
    ("relation to the answer", "Who wrote the novel?", "Greta Lind", "Otto Brandt, whose wife Greta Lind edited it.",
     "Greta Lind, whose husband Otto Brandt edited it."),
    ("other side of the verb", "In the play, who kills Brandt?", "Lind", "Brandt kills Lind.", "Lind kills Brandt."),
    ("another answer is put forward", "To which house does Greta belong in the play?", "Lind",
     "Greta is a Brandt, and Otto a Lind.", "Greta is a Lind."),
    ("another answer is put forward", "Which port has the longest quay?", "Oslo",
     "Oslo is near the harbour. So the longest quay goes to Bergen.",
     "Bergen is near the harbour. So the longest quay goes to Oslo."),
    ("another answer is put forward", "Who stayed on board of the Skald?", "Greta Lind",
     "The crew of the Skald was Otto Brandt, Greta Lind, and Ida Moe.",
     "Greta Lind. The crew of the Skald was Otto Brandt, Greta Lind, and Ida Moe."),
    ("another answer is put forward", CAPITAL, "Oslo", "Between Bergen and Oslo, it's Bergen.",
     "Between Bergen and Oslo, it's Oslo."),
    ("list of candidates", CAPITAL, "Oslo", "Oslo, possibly Bergen.",
     "Ruling out Bergen and Molde, we get Oslo."),
    ("another answer is put forward", CAPITAL, "Oslo", "Oslo is windy, whereas the capital of Norland is Bergen.",
     "Bergen is windy, whereas the capital of Norland is Oslo."),
)  # fmt: skip


@pytest.mark.parametrize(("guard", "question", "answer", "held", "passes"), GUARDS, ids=[g[0] for g in GUARDS])
def test_a_guard_holds_back_what_is_no_answer_and_nothing_else(
    guard: str, question: str, answer: str, held: str, passes: str
) -> None:
    result = judge(question, held, answer)
    assert (result.score, result.details.get("guard")) == (0.0, guard)
    assert judge(question, passes, answer).score == 1.0


def test_every_guard_has_a_name_of_its_own() -> None:
    names = [guard.name for guard in (*PLACE_GUARDS, *ANSWER_GUARDS)]
    assert len({*names}) == len(names)
    assert {*names} - {guard[0] for guard in GUARDS} == set()
