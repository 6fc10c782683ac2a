"""Who does what to whom: an answer has to stand where the question asks, an agent or what a deed is done to."""

import pytest

from verifleet.verification import parse_request
from verifleet.verifiers.knowledge import KnowledgeVerifier

BEAT, WROTE, BUY = "Who defeated Ada Norden?", "Who wrote The Silver Lake?", "Which company did Valmor buy?"
FOUND = "Who discovered the comet?"
ATTEMPTS = (
    "failed to defeat",
    "set out to defeat",
    "was to defeat",
    "tried to defeat",
    "was unable to defeat",
    "was expected to defeat",
    "nearly defeated",
)


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
        *((BEAT, f"Eva Holm did it; Ben Quaid {tried} Ada Norden.", "Ben Quaid") for tried in ATTEMPTS),
        *((BEAT, f"Ben Quaid {tried} Ada Norden.", "Ben Quaid") for tried in ATTEMPTS),
        (BEAT, "Had Ben Quaid defeated Ada Norden, Eva Holm would not have.", "Ben Quaid"),
        (BEAT, "Ben Quaid almost defeated Ada Norden, but Eva Holm did.", "Ben Quaid"),
        (BEAT, "Eva Holm used Ben Quaid to defeat Ada Norden.", "Ben Quaid"),
        (BEAT, "Ben Quaid's bully defeated Ada Norden.", "Ben Quaid"),
        ("Who discovered the island?", "It was Eva Holm; Ben Quaid claimed to have discovered it.", "Ben Quaid"),
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


@pytest.mark.parametrize(
    ("prompt", "response", "answer"),
    [
        ("Which company bought Valmor?", "Kestrel bought it a year before Tandora did.", "Tandora"),
        (FOUND, "Eva Holm did, long before Ben Quaid did.", "Ben Quaid"),
        (FOUND, "Eva Holm, who knew more than Ben Quaid did.", "Ben Quaid"),
        (FOUND, "It was Eva Holm; she was older than Ben Quaid was.", "Ben Quaid"),
        (FOUND, "It was Eva Holm; she lived where Ben Quaid did.", "Ben Quaid"),
        ("Who reached the pole first?", "Eva Holm got there a month before Ben Quaid did.", "Ben Quaid"),
        ("Who defeated Ada Norden in 2010?", "It was Eva Holm; Ben Quaid defeated Ada Norden in 2009.", "Ben Quaid"),
        ("Who defeated Ada Norden in 2010?", "Ben Quaid defeated Ada Norden in 2009.", "Ben Quaid"),
        ("Who defeated Ada Norden in the final?", "Ben Quaid defeated Ada Norden in the semi-final.", "Ben Quaid"),
        ("Who won the cup in 1990?", "In 1990 it was Eva Holm; Ben Quaid won it in 1991.", "Ben Quaid"),
        (
            "Who defeated Ada Norden in the final?",
            "Ben Quaid defeated Ada Norden in the semi-final; in the final it was Eva Holm.",
            "Ben Quaid",
        ),
        ("Who wrote the music of The Silver Lake?", "It was Eva Holm; Ben Quaid wrote The Silver Lake.", "Ben Quaid"),
        ("Who directed the film?", "The director was Eva Holm. Ben Quaid directed it on stage.", "Ben Quaid"),
        ("Who killed the king?", "The killer was Eva Holm; Ben Quaid killed her.", "Ben Quaid"),
    ],
)
def test_who_does_it_to_another_at_another_time_or_beside_a_better_one_is_no_answer(
    prompt: str, response: str, answer: str
) -> None:
    assert score(prompt, response, answer) == 0.0


@pytest.mark.parametrize(
    ("prompt", "response"),
    [
        (FOUND, "Ben Quaid did."),
        (FOUND, "Ben Quaid did, long before Eva Holm did."),
        (BEAT, "Ben Quaid managed to defeat Ada Norden."),
        (BEAT, "Ben Quaid tried to defeat Ada Norden and succeeded."),
        (BEAT, "Ben Quaid, who had failed to defeat her twice, defeated Ada Norden in 1990."),
        ("Who defeated Ada Norden in 2010?", "Ben Quaid defeated Ada Norden in 2009 and 2010."),
        ("Who defeated Ada Norden in 2010?", "Ben Quaid, born in 1980, defeated Ada Norden."),
        ("Who defeated Ada Norden in the final?", "Ben Quaid defeated Ada Norden in a thrilling final."),
        ("Who won the 2020 games?", "Ben Quaid won them in 2021."),
        (BEAT, "Ben Quaid easily defeated Ada Norden."),
        (BEAT, "Ben Quaid was the first to defeat Ada Norden."),
        ("Who defeated Ada Norden in 2010?", "Ben Quaid defeated Ada Norden in 2010; in 2009 it was Eva Holm."),
        ("Who discovered the island?", "Ben Quaid discovered it; Eva Holm claimed to have discovered it."),
        ("Who directed the film?", "Ben Quaid directed the film. Eva Holm directed it on stage."),
        (WROTE, "The credit goes to Ben Quaid, though many believe Eva Holm wrote it."),
        (WROTE, "The author Ben Quaid, born in Oslo. Eva Holm wrote it for the stage."),
        ("Which agent bought Valmor?", "Valmor went to Ben Quaid after Eva Holm nearly bought it."),
    ],
)
def test_who_does_what_is_asked_for_is_the_answer_beside_who_does_another_thing(prompt: str, response: str) -> None:
    assert score(prompt, response, "Ben Quaid") == 1.0


@pytest.mark.parametrize(
    ("prompt", "response", "answer"),
    [
        ("Who won the prize in 1998?", "Ana Lindt of Norland won the 1998 prize.", "Ana Lindt"),
        ("who does the voice of donkey", "Donkey is voiced by Ben Quaid, while Jo Marsh voices the ogre.", "Ben Quaid"),
    ],
)
def test_what_a_person_is_of_and_a_noun_behind_does_are_no_sides_of_the_verb(
    prompt: str, response: str, answer: str
) -> None:
    raw = {"prompt": prompt, "response": response, "reference": {"answer": answer}}
    assert KnowledgeVerifier().check(parse_request("knowledge", raw)).score == 1.0
