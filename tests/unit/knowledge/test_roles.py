"""Who does what to whom: an answer has to stand where the question asks, an agent or what a deed is done to."""

import pytest

from verifleet.verification import parse_request
from verifleet.verifiers.knowledge import KnowledgeVerifier

BEAT, WROTE, BUY = "Who defeated Ada Norden?", "Who wrote The Silver Lake?", "Which company did Valmor buy?"


def score(prompt: str, response: str, answer: str) -> float | None:
    raw = {"prompt": prompt, "response": response, "reference": {"answer": answer}}
    return KnowledgeVerifier().check(parse_request("knowledge", raw)).score


@pytest.mark.parametrize(
    ("prompt", "response", "answer"),
    [
        (BEAT, "Ben Quaid was defeated by Ada Norden.", "Ben Quaid"),
        (BEAT, "Ben Quaid was defeated by Ada Norden, and Ada Norden in turn by Eva Holm.", "Ben Quaid"),
        (BEAT, "Eva Holm did; Ada Norden had defeated Ben Quaid the year before.", "Ben Quaid"),
        (WROTE, "Ben Quaid wrote The Golden Mirror. Eva Holm wrote The Silver Lake.", "Ben Quaid"),
        (WROTE, "The Silver Lake, written by Eva Holm, was dedicated to Ben Quaid.", "Ben Quaid"),
        (WROTE, "Ben Quaid paid Eva Holm to write The Silver Lake.", "Ben Quaid"),
        (WROTE, "Ben Quaid did not write it; Eva Holm wrote it.", "Ben Quaid"),
        (BUY, "Valmor was bought by Tandora.", "Tandora"),
        (BUY, "Valmor, which had been bought by Tandora, later bought Kestrel.", "Tandora"),
        (BUY, "It was Tandora that bought Valmor.", "Tandora"),
        ("Which organ produces insulin?", "The pancreas lies behind it, but the liver produces insulin.", "pancreas"),
        ("Which gas do plants absorb?", "Plants absorb oxygen and release carbon dioxide.", "carbon dioxide"),
    ],
)
def test_the_other_side_of_the_verb_and_the_doer_of_another_deed_are_no_answer(
    prompt: str, response: str, answer: str
) -> None:
    assert score(prompt, response, answer) == 0.0


@pytest.mark.parametrize(
    ("prompt", "response", "answer"),
    [
        (BEAT, "Ben Quaid was defeated by Ada Norden, and Ada Norden in turn by Eva Holm.", "Eva Holm"),
        (BEAT, "Eva Holm did; Ada Norden had defeated Ben Quaid the year before.", "Eva Holm"),
        (BEAT, "Ben Quaid, the brother of Eva Holm, defeated his rival, Ada Norden.", "Ben Quaid"),
        (WROTE, "The Silver Lake, written by Eva Holm, was dedicated to Ben Quaid.", "Eva Holm"),
        (WROTE, "Ben Quaid paid Eva Holm to write The Silver Lake.", "Eva Holm"),
        (WROTE, "It was written by Ben Quaid and Eva Holm.", "Eva Holm"),
        (BUY, "Valmor, which had been bought by Tandora, later bought Kestrel.", "Kestrel"),
        (BUY, "Kestrel; Tandora bought Valmor.", "Kestrel"),
        (BUY, "It was Kestrel that Valmor bought.", "Kestrel"),
        ("Who succeeded Queen Ada?", "Ben II succeeded his mother, Queen Ada, in 1922.", "Ben II"),
        ("Who did Ada Norden marry?", "Ben Quaid married Ada Norden.", "Ben Quaid"),
    ],
)
def test_who_has_the_role_that_is_asked_for_is_the_answer(prompt: str, response: str, answer: str) -> None:
    assert score(prompt, response, answer) == 1.0
