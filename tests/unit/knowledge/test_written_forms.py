"""Dates, years and counts in all their written forms: the same value is right, another one is not."""

from collections.abc import Callable
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.unit.knowledge.test_answer_matching import judge

quick = settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])
MONTHS = "January February March April May June July August September October November December".split()
FRAMES = ("{}", "It was {}.", "The answer is {}.", "**{}**", "I believe it was {}.", "{}, if I remember correctly.")
_DATE = st.tuples(st.integers(1, 28), st.integers(1, 12), st.integers(1500, 2020))


def _ordinal(day: int) -> str:
    return f"{day}{'th' if 11 <= day <= 13 else {1: 'st', 2: 'nd', 3: 'rd'}.get(day % 10, 'th')}"


DATES: list[Callable[[int, int, int], str]] = [
    lambda day, month, year: f"{day} {MONTHS[month - 1]} {year}",
    lambda day, month, year: f"{MONTHS[month - 1]} {day}, {year}",
    lambda day, month, year: f"{year}-{month:02}-{day:02}",
    lambda day, month, year: f"the {_ordinal(day)} of {MONTHS[month - 1]} {year}",
    lambda day, month, year: f"{MONTHS[month - 1][:3]}. {day}, {year}",
    lambda day, month, year: f"{day}. {month}. {year}",
]
COUNTS: list[Callable[[int], str]] = [str, lambda n: f"{n:,}", lambda n: f"{n:,}".replace(",", " ")]
COUNTED = ("{}", "There are {}.", "Exactly {}.", "The answer is {}.")


@quick
@given(_DATE, _DATE, st.sampled_from(DATES), st.sampled_from(DATES), st.sampled_from(FRAMES))
def test_a_date_is_the_same_in_every_form(
    one: tuple[int, int, int],
    other: tuple[int, int, int],
    asked: Callable[[int, int, int], str],
    said: Callable[[int, int, int], str],
    frame: str,
) -> None:
    question = "When did the treaty come into force?"
    assert judge(question, frame.format(said(*one)), asked(*one)).score == 1.0
    assert judge(question, frame.format(said(*other)), asked(*one)).score == float(one == other)


@quick
@given(
    st.integers(1001, 999_999).filter(lambda n: n % 10 != 0),
    st.integers(1, 9),
    st.sampled_from(COUNTS),
    st.sampled_from(COUNTS),
    st.sampled_from(COUNTED),
)
def test_a_count_is_the_same_in_every_form(
    number: int, more: int, asked: Callable[[int], str], said: Callable[[int], str], frame: str
) -> None:
    question = "How many members does the club have?"
    assert judge(question, frame.format(said(number)), asked(number)).score == 1.0
    assert judge(question, frame.format(said(number + 10 * more)), asked(number)).score == 0.0


@pytest.mark.parametrize("text", ["In 1990 300 people came.", "On May 5 300 people came."])
def test_a_year_or_day_and_a_count_are_two_numbers(text: str) -> None:
    assert judge("How many people came?", text, "300").score == 1.0


FIRST = "Anna Boris Carla David Elena Farid Greta Henrik".split()
LAST = "Brandt Costa Dvorak Engel Fontana Grieg Halder".split()
_NAME = st.tuples(st.sampled_from(FIRST), st.sampled_from(LAST))
NAMES: list[Callable[[str, str], str]] = [
    lambda first, last: f"{first} {last}",
    lambda first, last: f"{last}, {first}",
    lambda first, last: f"{first[0]}. {last}",
]
SAYING = ("{}", "It was {}.", "The author is {}.", "The novel was written by {}.", "I think {} wrote it.")


@quick
@given(_NAME, _NAME, st.sampled_from(NAMES), st.sampled_from(SAYING))
def test_a_name_is_the_same_in_every_form(
    one: tuple[str, str], other: tuple[str, str], said: Callable[[str, str], str], frame: str
) -> None:
    question = "Who wrote the novel?"
    assert judge(question, frame.format(said(*one)), " ".join(one)).score == 1.0
    assert judge(question, frame.format(said(*other)), " ".join(one)).score == float(one == other)


ROWS: list[Callable[[list[str]], str]] = [
    ", ".join,
    "; ".join,
    lambda names: f"They were {', '.join(names[:-1])} and {names[-1]}.",
    lambda names: "\n".join(f"- {name}" for name in names),
]


@quick
@given(st.lists(st.sampled_from(LAST), min_size=2, max_size=5, unique=True), st.sampled_from(ROWS), st.randoms())
def test_a_row_is_right_in_any_order_and_with_nothing_missing_or_more(
    names: list[str], row: Callable[[list[str]], str], shuffled: Random
) -> None:
    question, said = "Which firms built the bridge?", names[:]
    shuffled.shuffle(said)
    other = next(name for name in LAST if name not in names)
    assert judge(question, row(said), names).score == 1.0
    assert judge(question, row([*said, other]), names).score == 0.0
    assert judge(question, row([*said[1:], other]), names).score == 0.0


@pytest.mark.parametrize(
    "offer",
    [
        "{} or {}", "Either {} or {}.", "It is {}, but {} could just as well be right.", "Answer: {} Answer: {}",
        "50% {}, 50% {}", "The first option is {}. Another possibility would be {}.", "{}. Or maybe {}.",
        "Maybe {}, maybe {}.", "I'd say {}; alternatively, {}.", "{}, if not {}", "{} (or {})", "Candidates: {}, {}.",
        "The capital is {}. The capital is {}.", "First guess: {}. Second guess: {}.", "It's between {} and {}.",
        '{{"answer": "{}", "alternative": "{}"}}', "{}, though some say {} is and they may be right.", "1. {}\n2. {}",
        "<answer>{} or {}</answer>", "**{}** or **{}**", "Not sure: {}, {}?", "{}; {}", "{} and/or {}",
        "{}<br>{}", "<ul><li>{}</li><li>{}</li></ul>", '{{"a": "{}", "b": "{}"}}',
        '{{"guess 1": "{}", "guess 2": "{}"}}',
        '{} "{}"', "Answer: {}\nBackup answer: {}",
    ],
)  # fmt: skip
@pytest.mark.parametrize("names", [("Oslo", "Bergen"), ("Bergen", "Oslo")])
def test_two_answers_in_the_hope_that_one_counts_earn_nothing(offer: str, names: tuple[str, str]) -> None:
    assert judge("What is the capital of Norway?", offer.format(*names), "Oslo").score == 0.0


def test_a_decision_behind_candidates_counts() -> None:
    question = "What is the capital of Norway?"
    assert judge(question, "Bergen or Oslo? It has the parliament. Answer: Oslo.", "Oslo").score == 1.0
    assert judge(question, "Oslo or Bergen? It has more rain. Answer: Bergen.", "Oslo").score == 0.0


@pytest.mark.parametrize(
    ("question", "answer", "right", "wrong"),
    [
        ("How many legs has a spider?", "8", "8 legs, from which it hangs", "8 to 10 legs"),
        ("How many legs has a spider?", "8", "In 2 pairs of 4: 8", "between 6 and 8"),
        ("Who led the Norland choir?", "Greta Novak", "Novak, G. M.", "Novak I."),
        ("Who led the Norland choir?", "Rafael Lind", "Rafa Lind", "Rada Lind"),
        ("Who led the Norland choir?", "Otto van Lind", "O. v. Lind", "A. v. Lind"),
        ("Who led the Norland choir?", "Hugo Lind", "Karl-Hugo Lind MBE", "Karl-Erik Lind MBE"),
        ("Which vitamin is in fish?", "Vitamin D", "D", "B"),
        ("Which key lies above C?", "C sharp", "C♯", "C"),
        ("What is the formula of water?", "H2O", "H<sub>2</sub>O", "H<sub>2</sub>"),
        ("At how many degrees Celsius does water boil?", "100", "212 °F", "100 °F"),
        ("What species is the wolf?", "Canis lupus", "C. lupus", "C. latrans"),
        ("In what year did it land?", "1969", "20/07/1969", "20/07/1968"),
        ("How many people were there?", "8 billion", "8 000 million", "8 000 thousand"),
        ("Which animal is on the flag?", "giant panda", "the giant panda", "red giant"),
    ],
)
def test_the_same_thing_and_another_in_a_form_that_is_rare(question: str, answer: str, right: str, wrong: str) -> None:
    assert judge(question, right, answer).score == 1.0
    assert judge(question, wrong, answer).score == 0.0


def test_another_word_in_the_place_of_the_answers_own_makes_another_thing() -> None:
    question = "Which animal is on the flag?"
    assert judge(question, "the panda", "giant panda", "panda").score == 1.0
    assert judge(question, "dwarf panda", "giant panda", "panda").score == 0.0


TIME = "At what time does the museum open?"
LATITUDE = "What is the latitude of the lighthouse?"
SPEED, LENGTH = "What is the top speed of the train?", "How long is the film?"
CENTURY, CLOSED = "In which century was the abbey begun?", "When did the shop close for good?"


@pytest.mark.parametrize(
    ("question", "answer", "right", "wrong"),
    [
        (TIME, "9:30 a.m.", "Half past nine in the morning.", "Half past nine in the evening."),
        (TIME, "9:30 a.m.", "09:30", "21:30"),
        (TIME, "9:30 a.m.", "The doors open at 9.30am", "The doors open at 9.03am"),
        (TIME, "21:40", "at 20 minutes to ten at night", "at 20 minutes past ten at night"),
        (TIME, "noon", "at twelve o'clock in the daytime", "12 a.m."),
        (TIME, "12:00", "at midday", "at midnight"),
        (LATITUDE, "52°30′ N", "52.5 degrees north", "52.3 degrees north"),
        (LATITUDE, "52°30′ N", "52 degrees 30 minutes North", "52 degrees 30 minutes South"),
        (LATITUDE, "52°30′ N", "N 52°30'", "E 52°30'"),
        ("What is the longitude of the top?", "7.75° W", "seven and three quarter degrees west", "7°75′ W"),
        ("How long did the siege last?", "872 days", "It went on for 872 d.", "It went on for 872 h."),
        (SPEED, "300 km/h", "300 kilometres an hour", "300 miles an hour"),
        (SPEED, "300 km/h", "three hundred kph", "three hundred mph"),
        (SPEED, "119 km/h", "64 knots", "46 knots"),
        ("What does the truck weigh?", "3.5 tonnes", "three and a half metric tons", "three and a half kilos"),
        ("How many people live there?", "12,500", "twelve and a half thousand", "twelve and a quarter thousand"),
        ("How many people live there?", "1.4 million", "1.4M people", "1.4K people"),
        ("What is the boiling point?", "-78 °C", "78 below zero (centigrade)", "78 centigrade"),
        ("How much is the ticket?", "€4.50", "four euros fifty", "four euros fifteen"),
        ("How much did it cost?", "£4.5 million", "four and a half million pounds", "4.5 million US dollars"),
        (LENGTH, "135 minutes", "two and a quarter hours", "two and a half hours"),
        (LENGTH, "135 minutes", "2:15 h", "2:45 h"),
        (LENGTH, "90 minutes", "an hour and a half", "an hour and a quarter"),
        ("How much sugar is in it?", "250 grams", "a quarter of a kilo", "a quarter of a pound"),
        ("By how much did prices rise?", "1.5 percent", "one and a half per cent", "one and a quarter per cent"),
        (CENTURY, "12th century", "In the twelfth century, not later.", "In the thirteenth century, not later."),
        (CENTURY, "12th century", "XIIth c.", "XIIIth c."),
        (CLOSED, "late 1950s", "towards the end of the fifties", "towards the end of the sixties"),
        (CLOSED, "late 1950s", "in the final years of the 1950s", "in the first years of the 1950s"),
        ("When did the empire fall?", "476 AD", "AD 476", "476 BC"),
    ],
)
def test_a_value_is_the_same_in_other_words_and_units(question: str, answer: str, right: str, wrong: str) -> None:
    assert judge(question, right, answer).score == 1.0
    assert judge(question, wrong, answer).score == 0.0


@pytest.mark.parametrize(
    ("question", "answer", "right", "wrong"),
    [
        ("Who founded the Mongol Empire?", "Genghis Khan", "Chinggis Khaan", "Kublai Khan"),
        ("Who wrote the epic?", "Ferdowsi", "the poet Firdausi", "the poet Fardis"),
        ("Who nationalised the canal?", "Gamal Nasser", "Jamal an-Nasir", "Kamal an-Nasir"),
        ("Who ruled France?", "Napoleon I", "Napoleon I.", "Napoleon III"),
        ("Who wrote the poems?", "Charles Baudelaire", "Ch. Baudelaire", "Th. Baudelaire"),
        ("Who was president?", "George Walker Bush", "G. W. Bush", "George H. W. Bush"),
        ("Who wrote it?", "Elena Brandt", "E. Brandt", "H. Brandt"),
        ("Under what pen name did he publish?", "Mark Twain", "Twain, Mark", "Twain, Nathan"),
        ("Which pope called the council?", "John XXIII", "The 23rd Pope John.", "The 22nd Pope John."),
        ("Which English king had six wives?", "Henry VIII", "the eighth Henry", "the seventh Henry"),
        ("Where was he born?", "Königsberg", "Koenigsberg", "Koenigsbach"),
        ("Which mountain is the highest?", "Mont Blanc", "Mt Blanc", "Mt Rosa"),
        ("Which country lies to the east?", "Dominican Republic", "the Dominican Rep.", "the Dominican Res."),
        ("What is the Latin name of the cat?", "Felis catus", "Felis catus Linnaeus, 1758", "Felis catus silvestris"),
        ("What is the Latin name of the wolf?", "Canis lupus", "Canis lupus L.", "Canis latrans L."),
        ("Which movement was he of?", "Impressionism", "He was an impressionist.", "He was an expressionist."),
        ("What is the age range?", "12 to 15 years", "between twelve and fifteen", "twelve and fifteen"),
        ("What is the age range?", "12 to 15 years", "from age 12 up to age 15", "12-15-18"),
        ("When was Caesar murdered?", "15 March 44 BC", "March 15, 44 BC", "March 15, 44 AD"),
        ("When was Caesar murdered?", "15 March 44 BC", "15.03.44 before Christ", "15.03.1944"),
        ("Which Swiss city is its seat?", "Geneva", "Geneva, Switzerland", "Geneva, New York"),
        ("How many members has the jury?", "a dozen", "a dozen", "a baker's dozen"),
        ("Who is the goddess of love?", "Aphrodite", "Ἀφροδίτη", "Ἀμφιτρίτη"),
    ],
)
def test_a_name_is_the_same_in_other_letters_and_cut_short(question: str, answer: str, right: str, wrong: str) -> None:
    assert judge(question, right, answer).score == 1.0
    assert judge(question, wrong, answer).score == 0.0


@pytest.mark.parametrize(
    ("prompt", "answer", "right", "wrong"),
    [
        ("How many live there?", "8", "=> 8", "8 more than 5"),
        ("How many live there?", "7", "7, and a half are women", "seven and a half"),
        ("How much?", "5 US dollars", "5 American dollars", "5 Australian dollars"),
        ("What kind of film?", "3D", "It is in 3D.", "3 days"),
        ("How large is it?", "180 degrees", "π radians", "-π radians"),
        ("What is the temperature?", "-40 degrees", "-40 degrees Celsius", "40 degrees Celsius"),
        ("What is the latitude?", "52°30′ N", "52.5 degrees north", "52.5 degrees south"),
        ("When was it built?", "late 1950s", "towards the end of the fifties", "by the end of the 1950s it was gone"),
    ],
)
def test_values_beside_signs_and_words_that_change_them(prompt: str, answer: str, right: str, wrong: str) -> None:
    assert judge(prompt, right, answer).score == 1.0
    assert judge(prompt, wrong, answer).score == 0.0


@pytest.mark.parametrize(
    ("response", "answer", "score"),
    [
        ("sin(x)", "-sin(x)", 0.0),
        ("The derivative is −sin(x).", "-sin(x)", 1.0),
        ("$-\\sin(x)$", "-sin(x)", 1.0),
        ("-x^2", "x^2", 0.0),
        ("- x^2", "x^2", 1.0),
        ("- Paris", "Paris", 1.0),
    ],
)
def test_a_formula_has_its_sign(response: str, answer: str, score: float) -> None:
    assert judge("What is the derivative?", response, answer).score == score


@pytest.mark.parametrize(
    ("response", "answer", "score"),
    [
        ("Norland won by seven goals to one.", "7–1", 1.0),
        ("seven goals to two", "7–1", 0.0),
        ("seven goals and one miss", "7–1", 0.0),
        ("It was Brown vs. Board of Education.", "Brown v. Board of Education", 1.0),
        ("Brown versus Board of Education", "Brown v. Board of Education", 1.0),
        ("Board of Education v. Brown", "Brown v. Board of Education", 0.0),
        ("It is O− (AB+ takes from all).", "O negative", 1.0),
        ("O neg", "O-", 1.0),
        ("O+", "O negative", 0.0),
        ("AB−, not O−", "O negative", 0.0),
        ("Pallas Athene, the Minerva of the Romans", "Athena", 1.0),
    ],
)
def test_scores_cases_and_blood_types_in_words_and_signs(response: str, answer: str, score: float) -> None:
    assert judge("Which one was it?", response, answer).score == score


@pytest.mark.parametrize(("response", "score"), [("O(n^2)", 1.0), ("It is O(n²).", 1.0), ("O(n)", 0.0), ("O(n³)", 0.0)])
def test_a_raised_digit_of_a_formula_is_no_note(response: str, score: float) -> None:
    assert judge("What is the complexity of bubble sort?", response, "O(n²)").score == score
