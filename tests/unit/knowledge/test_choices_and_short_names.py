"""Questions that offer two things, rows of first names, what is no longer so, other names of things."""

import pytest

from tests.unit.knowledge.test_guards import judge
from verifleet.verification import parse_request
from verifleet.verifiers.knowledge import KnowledgeVerifier

WON, LARGER = "Who won the election, Kern or Lindt?", "Which is larger, Juno or Pallas?"
BAND, MEMBERS = "Who were the members of the band?", ["Ana Lindt", "Jo McMarsh", "Kai Brenner"]


@pytest.mark.parametrize(
    ("question", "response", "answer", "other"),
    [
        (WON, "The former, narrowly.", "Kern", "Lindt"),
        (WON, "The second one.", "Lindt", "Kern"),
        (WON, "Lindt lost.", "Kern", "Lindt"),
        (WON, "Not Lindt.", "Kern", "Lindt"),
        (LARGER, "Pallas is the smaller one.", "Juno", "Pallas"),
        ("Is the tomato a fruit?", "Yes, many say so, but that is a myth: it is none.", "No", "Yes"),
        ("Which money is used in Norland?", "Since 2002 the euro; before that it was the crown.", "euro", "crown"),
        ("Which amendment did it?", "The 18th. It was followed by the 19th.", "18th Amendment", "19th Amendment"),
        ("Which president ended slavery?", "Honest Abe.", "Abraham Lincoln", "Andrew Johnson"),
        ("Which city is it?", "ʿAmmān", "Amman", "Aman Pur"),
    ],
)
def test_a_turn_or_another_name_chooses_one_and_not_the_other(
    question: str, response: str, answer: str, other: str
) -> None:
    assert judge(question, response, answer).verdict == "correct" or answer == "No"
    assert judge(question, response, other).score == 0.0


@pytest.mark.parametrize(
    ("response", "score"),
    [
        ("Ana, Jo and Kai", 1.0),
        ("They were Lindt, McMarsh and Brenner.", 1.0),
        ("Ana, Jo and Tom", 0.0),
        ("Ana, Jo, Kai and Tom", 0.0),
        ("Ana and Jo", 0.0),
    ],
)
@pytest.mark.parametrize("joined", [False, True])
def test_a_row_of_first_names_names_all_of_them(response: str, score: float, joined: bool) -> None:
    answer = "Ana Lindt, Jo McMarsh and Kai Brenner" if joined else MEMBERS
    raw = {"prompt": BAND, "response": response, "reference": {"answer": answer}}
    assert KnowledgeVerifier().check(parse_request("knowledge", raw)).score == score


def test_a_title_with_and_in_it_has_no_parts() -> None:
    title = "The Lion and the Jewel"
    assert judge("What is the title of the play?", "The Lion, in which a jewel is lost.", title).score == 0.0
    assert judge("What is the title of the play?", "The Lion and the Jewel, of 1959.", title).score == 1.0


@pytest.mark.parametrize(
    ("question", "response", "answer", "score"),
    [
        ("Which US state is the smallest?", "RI. Delaware is next.", "Rhode Island", 1.0),
        ("Which US state is the smallest?", "It's RI.", "Rhode Island", 1.0),
        ("Which US state is the smallest?", "DE. RI is next.", "Rhode Island", 0.0),
        ("Which US state is it?", "The Co. was founded in Texas.", "Colorado", 0.0),
        ("Which country lies beside Haiti?", "the DR on the eastern side", "Dominican Republic", 1.0),
        ("Which country lies beside Haiti?", "The Dr. says Cuba.", "Dominican Republic", 0.0),
        ("Which country lies beside Haiti?", "the DR Congo", "Dominican Republic", 0.0),
        ("Which country lies beside Haiti?", "the DRC", "Dominican Republic", 0.0),
    ],
)
def test_a_code_in_capitals_stands_for_a_place_by_itself(
    question: str, response: str, answer: str, score: float
) -> None:
    assert judge(question, response, answer).score == score
