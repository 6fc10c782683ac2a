"""Dates, numbers and names as people spell, count, dress and shorten them."""

import pytest

from verifleet.verification import parse_request
from verifleet.verifiers.knowledge import KnowledgeVerifier

WHEN, YEAR, SPEED = "When was the treaty signed?", "In what year was the tower built?", "What is the exact speed?"
SHARE = "Roughly what percentage of the island is covered by forest?"

SPOKES = "How many spokes are there?"
EXACT, AGE = "What is the exact share?", "How old was she when she died?"


def score(prompt: str, response: str, answer: str) -> float | None:
    raw = {"prompt": prompt, "response": response, "reference": {"answer": answer}}
    return KnowledgeVerifier().check(parse_request("knowledge", raw)).score


@pytest.mark.parametrize(
    ("prompt", "response", "answer"),
    [
        (WHEN, "At the tenth hour of the fourth day of the eighth month of 1838.", "4 August 1838"),
        (WHEN, "On the fourth of the eighth, 1838.", "4 August 1838"),
        (WHEN, "4.8.38", "4 August 1938"),
        (WHEN, "It was on New Year's Eve 1844.", "31 December 1844"),
        (WHEN, "On Christmas Day, 1844.", "25 December 1844"),
        ("During which years was the war fought?", "From '61 to '65.", "1861–1865"),
        (YEAR, "Nineteen-oh-five.", "1905"),
        (YEAR, "一九八九年", "1989"),
        ("How long is it?", "$5\\,\\text{km}$", "5 km"),
        ("How high is it?", "It is $8{,}849$ m.", "8849 m"),
        ("How much is it?", "It is $12 and not $15.", "$12"),
        (SPOKES, "Twelve ought to be it.", "12"),
        (SPOKES, "Nineteen, oh yes.", "19"),
        (SPEED, "$v = 308\\,975.539\\ \\text{km/s}$", "308,975,539 m/s"),
        (SPEED, "\\(308\\,975\\,539\\ \\mathrm{m/s}\\)", "308,975,539 m/s"),
        ("How high is Mount Norden?", "A shade over 8,789 ft above sea level.", "2,679 m"),
        ("What was her time?", "She stopped the clock at nine point five eight.", "9.58 seconds"),
        (SHARE, "A little over seven tenths.", "71%"),
        (SHARE, "Just under four fifths.", "78%"),
        ("How many seats are there?", "Two for each of them, so a round hundred.", "100"),
        ("How many rolls are there?", "A baker's dozen.", "13"),
        ("How old must one be?", "The 35th birthday must be reached.", "35 years"),
        ("Who founded the firm?", "lindt, in a garage near town in 94", "Ana Lindt"),
        ("Who founded the firm?", "that was lindt i think", "Ana Lindt"),
        ("Which team won?", "Fargo's Mariners, 35-10", "Fargo Mariners"),
        ("Who founded the firm?", "brown", "Robert Brown"),
        (WHEN, "It was on 4.8.38.", "4 August 1938"),
        (WHEN, "4 July 1776. Happy New Year!", "4 July 1776"),
        (WHEN, "On 9 November 1989, before Christmas.", "9 November 1989"),
        (WHEN, "5 May 1890. The sport was boxing.", "5 May 1890"),
        (WHEN, "3 May 1920. It was all new.", "3 May 1920"),
        ("When is Christmas?", "December 25 is Christmas", "December 25"),
        (EXACT, "0.67", "66.7%"),
        (EXACT, "0.04 percent", "0.04%"),
        ("Where was Bo Lindt born?", "Ajaccio is the birthplace of Bo Lindt.", "Ajaccio"),
    ],
)
def test_what_is_spelt_out_counted_or_dressed_is_read(prompt: str, response: str, answer: str) -> None:
    assert score(prompt, response, answer) == 1.0


@pytest.mark.parametrize(
    ("prompt", "response", "answer"),
    [
        (WHEN, "On the eighth day of the fourth month of 1838.", "4 August 1838"),
        (WHEN, "It was on New Year's Day 1844.", "31 December 1844"),
        ("During which years was the war fought?", "From '61 to '66.", "1861–1865"),
        (YEAR, "Nineteen-oh-five.", "1906"),
        (SPOKES, "Ten oh five", "1005"),
        ("How long is it?", "$10~15\\ \\text{km}$", "15 km"),
        ("How long is it?", "$300~400\\ \\text{km}$", "300,400 km"),
        ("How long is it?", "$200\\;300\\ \\text{km}$", "200,300 km"),
        (WHEN, "On the second of the third, 1999 runners met", "2 March 1999"),
        ("Where was Bo Lindt born?", "Ajaccio is the birthplace of Ana Lindt.", "Ajaccio"),
        (SPEED, "$v = 308\\,975.539\\ \\text{km/s}$", "307,975,539 m/s"),
        ("How high is Mount Norden?", "A shade over 9,789 ft above sea level.", "2,679 m"),
        (SHARE, "A little over seven tenths.", "69%"),
        (SHARE, "Just under four fifths.", "75%"),
        ("How deep is the pool?", "50 / (10 x 2.5) = 2 cm", "2 m"),
        ("How many spokes are there?", "At least 46.", "46"),
        ("How many spokes are there?", "A baker's score", "21"),
        ("How many spokes are there?", "100\\ 200", "100200"),
        ("How high is Mount Norden?", "It is at least a little under 8,900.5 m.", "8,900.5 m"),
        ("What was her time?", "Place 9.58 on the list", "9.58 seconds"),
        (WHEN, "At Christmas events", "24 December"),
        (WHEN, "It is all new", "1 January"),
        (WHEN, "In release 4.8.38", "4 August 1938"),
        (WHEN, "It was score 4-8-38 at that time", "4 August 1938"),
        (EXACT, "0.4%", "0.04%"),
        (EXACT, "0.5%", "0.05%"),
        (EXACT, "0.6%", "1%"),
        (EXACT, "0.35 percent", "0.7 percent"),
        (EXACT, "Nearly one half.", "48.1%"),
        (SHARE, "Over the years, two thirds of them.", "68%"),
        (AGE, "She died shortly before her 35th birthday.", "35"),
        (AGE, "Weeks ahead of her 21st birthday", "21"),
        (AGE, "on the 18th birthday cake there were 35 candles", "18 years"),
        ("Who discovered the motion?", "the liquid was brown", "Robert Brown"),
        ("Who discovered the motion?", "it was brown, and fast", "Robert Brown"),
        ("Who wrote it?", "it has a king, a queen and a knave", "Stephen King"),
        ("Who led the party?", "it grew in the bush, i think", "George Bush"),
        ("Who wrote it?", "young, rich and beautiful people did", "Neil Young"),
        ("Who wrote it?", "she was from paris, texas", "Ana Paris"),
        ("Which team won?", "San Francisco's Giants", "New York Giants"),
        ("Which team won?", "Arizona's Cardinals", "St. Louis Cardinals"),
        ("Who wrote it?", "It was Bo's Lindt.", "Ana Lindt"),
        ("Where was Bo Lindt born?", "Ajaccio is the birthplace of his wife.", "Ajaccio"),
    ],
)
def test_another_date_number_or_share_is_no_other_writing(prompt: str, response: str, answer: str) -> None:
    assert score(prompt, response, answer) == 0.0


@pytest.mark.parametrize(
    ("prompt", "response", "answer", "expected"),
    [
        ("What does WHO stand for?", "**W**orld **H**ealth **O**rganization", "World Health Organization", 1.0),
        ("What does WHO stand for?", "*W*orld *H*ealth *O*rganization", "World Health Organization", 1.0),
        ("What does WHO stand for?", "**W**orld **H**unger **O**rganization", "World Health Organization", 0.0),
        ("In which museum does it hang?", "At the Museum of Modern Art.", "MoMA", 1.0),
        ("In which museum does it hang?", "At the Museum of Ancient Tools.", "MoMA", 0.0),
        ("In which museum does it hang?", "At MoMA in New York.", "Museum of Modern Art", 1.0),
        ("Which department runs it?", "The Department of Defense", "DoD", 1.0),
        ("Which department runs it?", "The Department of Energy", "DoD", 0.0),
        ("Which series was it?", "It was GoT.", "Game of Thrones", 1.0),
        ("Which series was it?", "I got it.", "Game of Thrones", 0.0),
    ],
)
def test_initials_may_be_set_off_and_be_those_of_small_words(
    prompt: str, response: str, answer: str, expected: float
) -> None:
    assert score(prompt, response, answer) == expected
