"""In an explanation the clause that speaks of what was asked decides, and the role that was asked for."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.unit.knowledge.test_answer_matching import judge
from verifleet.verifiers.knowledge.tokens import tokenize

FILM = "The film was directed by Ana Lindt and written by Jo Marsh; the music was composed by Lev Orlov."
MATCH = "Norland won the final in 2010, beating Sudria 2-1 after extra time."
BATTLE = "The siege lasted from July 1 to July 3, 1863."
RANKED = "Mount Aro is the highest mountain of the island, followed by Mount Bel and Mount Cor."
HARBOUR = "Although many people assume that Sudport is the capital, the capital city is Northport."
GASES = "Its air is mostly argon (78%), followed by neon (21%)."


@pytest.mark.parametrize(
    ("prompt", "answer", "response", "score"),
    [
        ("who directed the film", "Ana Lindt", FILM, 1.0),
        ("who wrote the film", "Jo Marsh", FILM, 1.0),
        ("who composed the music of the film", "Lev Orlov", FILM, 1.0),
        ("who wrote the film", "Lev Orlov", FILM, 0.0),
        ("who directed the film", "Jo Marsh", FILM, 0.0),
        ("who won the final in 2010", "Norland", MATCH, 1.0),
        ("who won the final in 2010", "Sudria", MATCH, 0.0),
        ("who did norland beat in the final in 2010", "Sudria", MATCH, 1.0),
        ("what was the score of the final in 2010", "2–1", MATCH, 1.0),
        ("what was the score of the final in 2010", "3–1", MATCH, 0.0),
        ("when did the siege end", "July 3, 1863", BATTLE, 1.0),
        ("which mountain is the highest of the island", "Mount Aro", RANKED, 1.0),
        ("which mountain is the highest of the island", "Mount Bel", RANKED, 0.0),
        ("what is the capital", "Northport", HARBOUR, 1.0),
        ("what is the capital", "Sudport", HARBOUR, 0.0),
        ("where was Mia Roth born", "Aro", "Maria Brun, known as Mia Roth, was born in Aro, Norland.", 1.0),
        ("in which country is Lund", "Norland", "Lund lies in Sudria, south of Norland.", 0.0),
        ("who wrote the song impossible love", "Ana Lindt", "The song Impossible Love was written by Ana Lindt.", 1.0),
        ("who won the award for best score", "Ana Lindt", "The award for best score went to Ana Lindt.", 1.0),
        ("who made The Gull", "Ana Lindt", "The person who made The Gull was Ana Lindt.", 1.0),
        ("who founded Lindt Works", "Ana Lindt", "Ana Marsh founded Lindt Works.", 0.0),
        ("what is the capital", "Northport", "Thanks for asking. Northport. I hope this helps!", 1.0),
        ("what is the capital", "Northport", "Northport, Sudport, Lund. Let me know if you need more.", 0.0),
        ("which novel did she write", "The Red Gull", "The Red Gull, or The Storm", 1.0),
        ("who was the first", "Marie Lund", "Maria Roth-Lund, with her husband Otto.", 1.0),
        ("what is the most abundant gas in its air", "argon", GASES, 1.0),
        ("what is the most abundant gas in its air", "neon", GASES, 0.0),
        ("how many ships did it have", "12", "The fleet had 40 crews, and it had 12 ships.", 1.0),
        ("how many ships did it have", "40", "The fleet had 12 ships, and 40 crews.", 0.0),
        ("how many medals did she win", "9", "She entered 14 races and won 9 medals in 2004.", 1.0),
        ("how many medals did she win", "14", "She entered 14 races and won 9 medals in 2004.", 0.0),
        ("how many people live there", "1.2 million", "As of 2018, about 1.2 million people lived there.", 1.0),
        ("how old was he when he died", "35", "He died on December 5, 1791, at the age of 35.", 1.0),
        ("in what year did the bridge open", "1937", "Begun on 5 January 1933, it opened on 27 May 1937.", 1.0),
        ("when did the bridge open", "1937", "The bridge opened in 1933. In 1937 it was painted red.", 0.0),
        ("what is the largest organ", "skin", "The liver is the largest organ. It is under the skin.", 0.0),
        ("who wrote the play", "Ida Holm", "Max Brun wrote the play; Ida Holm wrote a novel.", 0.0),
        ("who wrote the play", "Ida Holm", "The author was Max Brun, with corrections from Ida Holm.", 0.0),
        ("who is the mayor of the town", "Eva Roth", "The mayor of the town is Kai Lund, who succeeded Eva Roth.", 0.0),
        ("what is the symbol for helium", "He", "He found it in 1868, so I would say Hm.", 0.0),
        ("what is the symbol for helium", "He", "The symbol for helium is He.", 1.0),
        ("is the wall visible from space", "no", "Yes, there is no doubt about it.", 0.0),
        ("is the wall visible from space", "no", "No, it is not visible from space.", 1.0),
        ("what does the word mean", "lucky", 'It means "lucky" or "blessed".', 1.0),
        ("how long is the tunnel", "31 miles", "The tunnel is about 50 kilometers long, or 31 miles.", 1.0),
        ("what is the capital", "Northport", "Northport used to be the capital, but now it is Sudport.", 0.0),
        ("what is the capital", "Northport", "Northport is large. So it is Sudport.", 0.0),
        ("what is the capital", "Northport", "Sudport is larger. So it is Northport.", 1.0),
        ("what is the capital", "Northport", "Northport and Sudport", 0.0),
        ("what is the capital", "Northport", "1. Sudport\n2. Northport\n3. Westport", 0.0),
        ("what is the capital", "Northport", "- **Capital**: Northport\n- **Largest city**: Sudport", 1.0),
    ],
)  # fmt: skip
def test_the_clause_and_role_that_were_asked_for_decide(prompt: str, answer: str, response: str, score: float) -> None:
    assert judge(prompt, response, answer).score == score


ONES = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen".split()
ONES += ["seventeen", "eighteen", "nineteen"]
TENS = ["", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]


def in_words(number: int) -> str:
    if number < 20:
        return ONES[number]
    if number < 100:
        return TENS[number // 10] + (f"-{ONES[number % 10]}" if number % 10 else "")
    for size, name in ((10**6, "million"), (1000, "thousand"), (100, "hundred")):
        if number >= size:
            rest = number % size
            link = " and " if size == 100 or 0 < rest < 100 else " "
            return f"{in_words(number // size)} {name}" + (f"{link}{in_words(rest)}" if rest else "")
    raise AssertionError(number)


@given(st.integers(0, 999_999_999))
def test_a_number_in_words_equals_its_digits(number: int) -> None:
    assert [t.text for t in tokenize(in_words(number))] == [t.text for t in tokenize(f"{number:,}")] == [str(number)]


@given(st.dates(date(1000, 1, 1)))
def test_a_date_equals_itself_in_every_order(day: date) -> None:
    gold = f"{day:%B} {day.day}, {day.year}"
    for written in (f"{day.day} {day:%B} {day.year}", f"{day:%b} {day.day} {day.year}", day.isoformat()):
        assert judge("when was it", f"It was on {written}.", gold).score == 1.0
    assert judge("when was it", f"It was on {day.day} {day:%B} {day.year - 1}.", gold).score == 0.0
