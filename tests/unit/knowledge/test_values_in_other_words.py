"""Numbers, units, times and names in ordinary words of another kind: the same value is right, its neighbour is not."""

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.unit.knowledge.test_answer_matching import judge

quick = settings(max_examples=60, deadline=None)
DIGITS = "zero one two three four five six seven eight nine".split()
NUMBER, FILM, AGE = "Which number do you dial?", "How long does the film last?", "How old is the rock?"
WAR, END, PEOPLE = "How long did the war last?", "When does it end?", "How many people live there?"
BOILS, GRAMS = "At what temperature does it boil?", "How many grams are in half a kilogram?"
WIVES, SHARE, LIST = "How many wives did he have?", "What percentage of them is left?", "Which numbers are on the list?"
FOUNDER, START, SPEED = "Who founded the firm?", "On which date did it start?", "What is its average speed?"

LINES = "\n- **T**ransfer\n- **P**rotocol"


def _spelt(joint: str) -> Callable[[int], str]:
    return lambda number: joint.join(DIGITS[int(digit)] for digit in str(number))


def _european(number: int) -> str:
    return f"{number:,}".replace(",", ".") + ",5"


def _indian(number: int) -> str:
    head, tail = str(number)[:-3], str(number)[-3:]
    pairs = [head[max(0, end - 2) : end] for end in range(len(head), 0, -2)][::-1]
    return ",".join((*pairs, tail))


@quick
@given(
    st.integers(100, 999_999),
    st.integers(100, 999_999),
    st.sampled_from([_spelt("-"), _spelt(" "), _spelt(", ")]),
)
def test_a_number_is_read_digit_by_digit(number: int, other: int, said: Callable[[int], str]) -> None:
    assert judge(NUMBER, said(number), str(number)).score == 1.0
    assert judge(NUMBER, said(other), str(number)).score == float(other == number)
    assert judge(NUMBER, said(number * 10 + 7), str(number)).score == 0.0


@quick
@given(st.integers(1_000, 9_999_999), st.integers(1_000, 9_999_999))
def test_a_number_is_grouped_as_elsewhere(number: int, other: int) -> None:
    assert judge("How high is it?", f"{_european(number)} m", f"{number:,}.5 metres").score == 1.0
    assert judge(PEOPLE, _indian(number * 100), f"{number * 100:,}").score == 1.0
    apart = abs(number - other) > 0.1 * number
    assert not apart or judge("How high is it?", f"{_european(other)} m", f"{number:,}.5 metres").score == 0.0


@quick
@given(st.integers(1, 9), st.integers(10, 59), st.integers(10, 59))
def test_hours_and_minutes_are_one_duration(hours: int, minutes: int, other: int) -> None:
    answer = f"{60 * hours + minutes} minutes"
    first = "An hour" if hours == 1 else f"{DIGITS[hours]} hours"
    for form in ("{first} and {m} minutes.", "{first} plus {m} minutes", "{h}h{m}", "{h}h {m}m"):
        assert judge(FILM, form.format(first=first, h=hours, m=minutes), answer).score == 1.0
        assert judge(FILM, form.format(first=first, h=hours, m=other), answer).score == float(other == minutes)


@quick
@given(st.integers(2, 40), st.integers(2, 40), st.sampled_from([("wives", "children"), ("plays", "books")]))
def test_a_number_of_other_things_is_no_answer(one: int, other: int, things: tuple[str, str]) -> None:
    asked, beside = things
    question = f"How many {asked} did he have?"
    assert judge(question, f"He had {other} {beside} and {one} {asked}.", str(one)).score == 1.0
    assert judge(question, f"He had {one} {beside} by {other} {asked}.", str(one)).score == float(one == other)


@quick
@given(st.lists(st.integers(11, 99), min_size=4, max_size=6, unique=True))
def test_one_number_too_many_spoils_a_list(numbers: list[int]) -> None:
    answer = ", ".join(map(str, sorted(numbers[1:])))
    told = ", ".join(map(str, numbers[1:-1]))
    assert judge(LIST, f"{told} and {numbers[-1]}.", answer).score == 1.0
    assert judge(LIST, f"{numbers[0]}, {told} and {numbers[-1]}.", answer).score == 0.0


@pytest.mark.parametrize(
    ("question", "answer", "right", "wrong"),
    [
        ("When was he killed?", "44 BC", "In 44 before the Common Era.", "In 44 of the Common Era."),
        ("When was he killed?", "44 BC", "44 before our era", "In 45 before our era"),
        (WAR, "116 years", "A century plus sixteen years.", "A century plus seventeen years."),
        (FILM, "90 minutes", "one hour thirty", "one hour twenty"),
        (WAR, "10 years", "It lasted a decade.", "It lasted a century."),
        (WAR, "25 years", "A quarter century.", "Half a century."),
        (WAR, "14 days", "A fortnight.", "A week."),
        (END, "22:15", "At a quarter past ten that night.", "At a quarter past ten that morning."),
        (END, "19:30", "At 1930 hours.", "At 1830 hours."),
        (END, "19:30", "19h30", "18h30"),
        (END, "7:30 pm", "At seven thirty in the evening.", "At seven thirty in the morning."),
        (AGE, "4.54 billion years", "About 4.54 Ga.", "About 4.54 Ma."),
        (AGE, "5,730 years", "5.73 ka", "5.73 Ma"),
        ("When did they die out?", "66 million years ago", "66 mya", "66 kya"),
        (PEOPLE, "1.43 billion", "Roughly 143 crore.", "Roughly 143 lakh."),
        (PEOPLE, "500,000", "Half a million.", "A quarter of a million."),
        (PEOPLE, "1,500,000", "A million and a half.", "A million."),
        (PEOPLE, "2 million", "2 Mio.", "2 Mrd."),
        (BOILS, "100 °C", "212 degrees on the Fahrenheit scale.", "100 degrees on the Fahrenheit scale."),
        (BOILS, "100 °C", "At 100 degrees Celsius. At 100 degrees steam rises.", "100 °F. At 100 degrees steam rises."),
        (BOILS, "100 °C", "100 deg C", "100 deg F"),
        (GRAMS, "500", "0.5 kg makes 500 g", "0.5 kg makes 50 g"),
        ("What is 212 °F in Celsius?", "100 °C", "212 °F is 100 °C", "212 °F, that is 90 °C"),
        ("How much is it?", "$0.50", "50 cents", "5 cents"),
        ("How tall is he?", "6 ft 2 in", "six foot two", "six foot three"),
        ("How tall is he?", "188 cm", "1m88", "1m98"),
        ("How heavy is she?", "154 pounds", "eleven stone", "twelve stone"),
        ("What is the minimum age?", "35 years", "You have to have turned thirty-five.", "You have to have turned 30."),
        (SPEED, "75 km/h", "seventy-five kilometres every hour", "seventy-five kilometres every second"),
        (SHARE, "78%", "78.1 parts in a hundred", "87 parts in a hundred"),
        (SHARE, "two-thirds", "two out of every three", "two out of every five"),
        (START, "1 January 1970", "Midnight UTC, 01/01/70", "Midnight UTC, 02/01/70"),
        ("How many times did he win?", "1", "He won it once, in 1998.", "He won it twice, in 1998."),
        ("What was the score?", "3-1", "three goals to one", "three goals to two"),
        ("Which symphony is it?", "Symphony No. 5", "the Fifth", "the Sixth"),
        ("Which war was it?", "World War II", "WW2", "WW1"),
        ("Which blood type is it?", "O negative", "0 Rh−", "0 Rh+"),
        ("Which blood type is it?", "AB positive", "AB+", "AB-"),
        ("What is the temperature?", "-40 degrees", "negative forty degrees", "forty degrees"),
        ("Which terminal is it?", "The negative terminal", "Minus", "Plus"),
    ],
)
def test_a_value_in_words_of_another_kind(question: str, answer: str, right: str, wrong: str) -> None:
    assert judge(question, right, answer).score == 1.0
    assert judge(question, wrong, answer).score == 0.0


@pytest.mark.parametrize(
    ("question", "answer", "right", "wrong"),
    [
        (FOUNDER, "Edward Lindt", "Ted Lindt", "Nat Marsh"),
        (FOUNDER, "Theodore Lindt", "Ted Lindt", "Tom Lindt"),
        (FOUNDER, "Rudolf Lindt", "Rudi Lindt", "Willi Lindt"),
        (FOUNDER, "Christiaan Lindt", "Chris Lindt", "Charles Lindt"),
        (FOUNDER, "Winston Churchill", "Wintson Churchil", "Wilton Churchman"),
        (FOUNDER, "Linus Lindt", "LINDT, Linus Benedict (b. 1969)", "LINDT, Anna Benedict (b. 1969)"),
        (FOUNDER, "Ana Maria Lindt", "Ana Maria Lindt Ana Maria Lindt Ana", "Ana Marsh Jo Lindt Kai Brenner Bo"),
        (FOUNDER, "Ana Lindt and Jo Petrov", "petrov + lindt", "petrov + moreau"),
        ("Which emperor was it?", "Constantine the Great", "Konstantin I.", "Konstantin II."),
        ("Which river is the longest?", "Loire", "the Liore", "the Loir"),
        ("What is it made of?", "soybeans", "soya", "soot"),
        ("What is HTTP?", "Hypertext Transfer Protocol", f"- **H**yper**t**ext{LINES}", f"- **S**ub**t**ext{LINES}"),
        ("What is in it?", "Bacon, lettuce, tomato", "Tomatoes, bacon and lettuce", "Tomatoes, ham and lettuce"),
        ("Who were they?", "Ana Lindt, Jo Marsh, Kai Brenner and Bo Sand", "Kai, Ana, Bo and Jo", "Kai, Ana, Bo, Ed"),
        ("What is the chemical name of baking soda?", "sodium bicarbonate", "sodium hydrogen carbonate", "saleratus"),
    ],
)
def test_a_name_in_another_form(question: str, answer: str, right: str, wrong: str) -> None:
    assert judge(question, right, answer).score == 1.0
    assert judge(question, wrong, answer).score == 0.0


@quick
@given(
    st.permutations(["Ana Lindt", "Jo Marsh", "Kai Brenner", "Bo Sand"]), st.sampled_from(["{}. {}", "- {1}", "{1}"])
)
def test_things_that_are_asked_for_in_an_order_have_to_stand_in_it(names: list[str], item: str) -> None:
    answer = "Ana Lindt, Jo Marsh, Kai Brenner, Bo Sand"
    made = ("\n" if item != "{1}" else ", ").join(item.format(n, name) for n, name in enumerate(names, 1))
    ordered = judge("List the four presidents in the order in which they served.", made, answer).score
    assert ordered == float(names == answer.split(", "))
    assert judge("List the four presidents in any order.", made, answer).score == 1.0
    both = judge("Name the four presidents in chronological order.", made, answer.split(", ")).score
    assert both == ordered
