"""Units made of units: in words or signs, in British or American spelling, and never of another power."""

import pytest

from tests.unit.knowledge.test_answer_matching import judge
from verifleet.verifiers.knowledge.tokens import tokenize

SOUND = "What is the speed of sound in air?"
AREA = "What is the area of Freedonia?"
DENSITY = "What is the density of water?"
GRAVITY = "What is the acceleration due to gravity on Earth?"
HEIGHT = "How high is Mount Zork?"


@pytest.mark.parametrize(
    ("prompt", "answer", "response"),
    [
        (SOUND, "343 m/s", "343 metres per second"),
        (SOUND, "343 m/s", "The speed of sound in air is about 343 meters per second."),
        (SOUND, "343 metres per second", "343 m/s"),
        (SOUND, "343 m/s", "343 metres per second (about 1,235 km/h)"),
        (AREA, "551695 km²", "551,695 km2"),
        (AREA, "551695 km²", "It covers 551,695 km2."),
        (AREA, "551695 km²", "551,695 km^2"),
        (AREA, "551695 square kilometers", "551,695 km²."),
        (AREA, "551695 square km", "551695 square kilometers"),
        (AREA, "551695 sq km", "551695 square kilometres"),
        (AREA, "1.4 million km²", "1.4 million square kilometres"),
        (DENSITY, "1 g/cm³", "1 gram per cubic centimeter"),
        (DENSITY, "1 g/cm3", "1 gram per cubic centimetre"),
        (GRAVITY, "9.8 m/s²", "9.8 metres per second squared"),
        (GRAVITY, "9.8 m/s²", "9.8 metres per second per second"),
        (GRAVITY, "9.8 m/s²", "9.8 m/s^2"),
        (HEIGHT, "8848 m", "Mount Zork is 8848 metres high."),
    ],
)
def test_a_compound_unit_is_the_same_however_it_is_written(prompt: str, answer: str, response: str) -> None:
    assert judge(prompt, response, answer).score == 1.0


@pytest.mark.parametrize(
    ("prompt", "answer", "response"),
    [
        (SOUND, "343 m/s", "343 kilometres per second"),
        (SOUND, "343 m/s", "343 metres per minute"),
        (SOUND, "343 m/s", "343 metres"),
        (SOUND, "343 m/s", "330 metres per second"),
        (AREA, "551695 km²", "551,695 km"),
        (AREA, "551695 km²", "551,695 km³"),
        (AREA, "551695 km²", "551,695 square miles"),
        (AREA, "551695 sq km", "551695 square meters"),
        (DENSITY, "1 g/cm³", "1 gram per cubic meter"),
        (DENSITY, "1 g/cm³", "1 kilogram per cubic centimeter"),
        (GRAVITY, "9.8 m/s²", "9.8 metres per second"),
        (GRAVITY, "9.8 m/s", "9.8 metres per second squared"),
        (HEIGHT, "8848 m", "8848 m²"),
        (HEIGHT, "8848 m", "8848 square metres"),
        (HEIGHT, "8848 m²", "8848 m"),
    ],
)
def test_another_power_or_part_is_another_unit(prompt: str, answer: str, response: str) -> None:
    assert judge(prompt, response, answer).score == 0.0


def test_words_that_are_units_only_behind_a_number_stay_words_elsewhere() -> None:
    assert [t.text for t in tokenize("sq km, m/s and 5 km 2 times")] == [
        "sq", "km", "m", "s", "and", "5", "kilometer", "2", "times",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("answer", "same", "other"),
    [
        ("1.5 GW", "1,500 megawatts", "1500 kW"),
        ("2500 mL", "250 cl", "2500 cl"),
        ("2500 mL", "2'500 mL", "2'600 mL"),
        ("3,600 s", "60 x 60 = 3 600 s", "60 x 60 = 3 500 s"),
        ("12,000", "just 12 000 people", "12 May 000 people"),
        ("-40 °C", "40 degrees below zero", "40 degrees"),
        ("-273.15 °C", "−273,15 °C", "273,15 °C"),
        ("27 January 1756", "27.I.1756", "27.II.1756"),
        ("1969", "20/07/1969", "20/07/1968"),
    ],
)
def test_prefixes_signs_and_digits_are_read_however_they_are_written(answer: str, same: str, other: str) -> None:
    question = "When was it?" if answer.endswith(("1756", "1969")) else "How much is it?"
    assert judge(question, same, answer).score == 1.0
    assert judge(question, other, answer).score == 0.0


def test_a_bare_alias_is_in_the_unit_of_the_answer() -> None:
    for said, score in (("5", 1.0), ("five hours", 1.0), ("5 minutes", 0.0)):
        assert judge("How long is it?", said, "5 hours", "5").score == score
    assert judge("How long is it?", "5 minutes", "5 hours", "5 minutes", "5").score == 1.0


@pytest.mark.parametrize(
    ("answer", "same", "other"),
    [
        ("3 mW", "3 milliwatts", "3 MW"),
        ("3 mW", "3 mW", "It is 3 MW."),
        ("3 MW", "3,000 kW", "3 mW"),
        ("3 MW", "3 mw", "3 milliwatts"),
        ("5 Mb/s", "It runs at 5 Mb/s.", "5 MB/s"),
        ("5 MB", "5 mb", "5 Mb"),
        ("5 ms", "5ms", "5 Ms"),
        ("10 mm", "10 MM", "10 Mm"),
        ("20 mg", "20 MG", "20 Mg"),
        ("250 ml", "250 mL", "250 cl"),
        ("5 kg", "5 KG", "5 mg"),
        ("101.325 kPa", "1013.25 hPa", "101.325 hPa"),
        ("101.325 kPa", "1013.25 mbar", "1013.25 bar"),
        ("5,730 years", "5.73 kyr", "5.73 Myr"),
        ("66 million years", "66 Ma", "66 mA"),
        ("8 micrometers", "8 µm", "8 mm"),
        ("4.7 kΩ", "4700 ohms", "4.7 MΩ"),
        ("4.2 GJ", "4200 MJ", "4.2 MJ"),
    ],
)
def test_the_case_of_a_sign_tells_units_apart_where_it_has_a_meaning(answer: str, same: str, other: str) -> None:
    assert judge("How much is it?", same, answer).score == 1.0
    assert judge("How much is it?", other, answer).score == 0.0


@pytest.mark.parametrize(
    ("question", "same", "other", "answer"),
    [
        ("How many square metres has a hectare?", "ten thousand square metres", "10,000 square feet", "10,000"),
        ("How many square metres are in one hectare?", "10,000 m²", "1 hectare", "10,000"),
        ("How many cubic centimetres are in a litre?", "It has 1,000 cm³.", "1,000 square centimetres", "1000"),
        ("How many kilometres per hour is Mach 1?", "about 1,235 km/h", "1,235 m/s", "1,235"),
        ("How many metres per second is it?", "343 metres", "343 km/s", "343"),
        ("How many days per week is it open?", "two days", "two hours", "2"),
    ],
)
def test_a_bare_number_is_in_the_compound_unit_asked_for(question: str, same: str, other: str, answer: str) -> None:
    assert judge(question, same, answer).score == 1.0
    assert judge(question, other, answer).score == 0.0


@pytest.mark.parametrize(
    ("answer", "same", "other"),
    [
        ("273.15 K", "Zero Celsius corresponds to 273.15 K.", "Zero Celsius corresponds to 373.15 K."),
        ("273.15 K", "It is 0 °C (273 K).", "It is 0 °C (263.15 K)."),
        ("42.195 km", "26.2 miles (42.2 km)", "26.2 miles (45.2 km)"),
        ("330 m", "It is 1,083 ft tall, which equals 330 m.", "It is 1,083 ft tall, which equals 303 m."),
        ("273.15 K", "At 0 °C, while 373.15 K is for steam.", "At 100 °C, while 373.15 K is for steam."),
    ],
)
def test_what_is_converted_counts_unless_the_unit_asked_tells_another_value(answer: str, same: str, other: str) -> None:
    assert judge("What is it?", same, answer).score == 1.0
    assert judge("What is it?", other, answer).score == 0.0
