"""Units and money: what is converted, and what is not the same."""

from __future__ import annotations

import pytest

from verifleet.verification import parse_request
from verifleet.verifiers.math import MathVerifier

_VERIFIER = MathVerifier()


def score(reference: str, response: str, prompt: str = "How much is it?") -> float | None:
    raw = {"prompt": prompt, "reference": {"answer": reference}, "response": response}
    return _VERIFIER.check(parse_request("math", raw)).score


@pytest.mark.parametrize(
    ("reference", "right", "wrong"),
    [
        ("€3", "3 euros", "$3"),
        ("€3", "It costs €3.", "It costs $3."),
        ("$3", "3 dollars", "€3"),
        ("3 euros", "€3", "$3"),
        ("$3", r"\boxed{\$3}", r"\boxed{€3}"),
        ("£3", "3 pounds", "3 euros"),
        ("$300", "300", "¥300"),
        ("300 yen", "¥300", "₹300"),
        ("$5 million", "$5,000,000", "€5 million"),
        ("$1,500,000", "$1.5 million", "$1.5 billion"),
    ],
)
def test_money_is_of_its_currency(reference: str, right: str, wrong: str) -> None:
    assert (score(reference, right), score(reference, wrong)) == (1.0, 0.0)


@pytest.mark.parametrize(
    ("reference", "right", "wrong"),
    [
        ("5 kW", "5 kilowatts", "5 kWh"),
        ("5 kWh", "5 kilowatt-hours", "5 kW"),
        ("5 kWh", "18 MJ", "18 kJ"),
        ("3 mW", "0.003 W", "3 MW"),
        ("3 MW", "3000 kW", "3 mW"),
        ("1 mA", "0.001 A", "1 MA"),
        ("1 mA", r"\boxed{1\,\text{mA}}", r"\boxed{1\,\mathrm{MA}}"),
        ("5 Ms", "5000000 s", "5 ms"),
        ("5 ms", "0.005 s", "5 Ms"),
        ("5 mm", "0.5 cm", "5 Mm"),
        ("5000 ohms", "5 kΩ", "5 Ω"),
        ("5 MΩ", "5000 kΩ", "5 mΩ"),
        ("5 um", "5 μm", "5 nm"),
        ("5 GB", "5000 MB", "5 MB"),
        ("5 km", "5 KM", "5 m"),
        ("5 kg", "5 Kg", "5 g"),
        ("3000 N", "3 kN", "3 mN"),
    ],
)
def test_the_sign_of_a_unit_says_its_size(reference: str, right: str, wrong: str) -> None:
    assert (score(reference, right), score(reference, wrong)) == (1.0, 0.0)


def test_a_line_of_two_points_is_no_unit() -> None:
    asked = "Find AB in terms of MN."
    assert score("2MN", r"$AB = 2 \cdot MN$", asked) == score("2MN", "AB = 2MN", asked) == 1.0
    assert score("2MN", "AB = 3MN", asked) == 0.0


def test_a_dollar_sign_that_never_closes_is_no_part_of_a_number() -> None:
    assert score("5", "The answer is $5.") == score("-30", "-$30") == 1.0
    assert score("-$30", "$30") == 0.0


@pytest.mark.parametrize(
    ("reference", "right", "wrong"),
    [
        ("80 km/h", "22.2222222 m/s", "22.2 m/s"),
        ("66 in", "5 ft 6 in", "5 ft 7 in"),
        ("66 in", "It is 5 ft 6 in.", "It is 6 ft 5 in."),
        ("5 ft 6 in", "66 inches", "56 inches"),
        ("90 min", "1:30 h", "1:20 h"),
        ("90 minutes", "1:30 hours", "1:03 hours"),
        ("18 MJ", "5 kWh", "5 kW"),
    ],
)
def test_amounts_are_converted(reference: str, right: str, wrong: str) -> None:
    assert (score(reference, right), score(reference, wrong)) == (1.0, 0.0)


def test_a_duration_beside_a_time_without_a_unit_is_the_same_one() -> None:
    assert score("1:30", "1:30 h") == score("1:30 pm", "1:30pm") == 1.0


@pytest.mark.parametrize(
    ("reference", "right", "wrong"),
    [
        ("100 °C", "212 °F", "213 °F"),
        ("212 °F", "100 degrees Celsius", "100 °F"),
        ("100 °C", "373.15 K", "100 K"),
    ],
)
def test_temperatures_are_converted(reference: str, right: str, wrong: str) -> None:
    assert (score(reference, right), score(reference, wrong)) == (1.0, 0.0)


@pytest.mark.parametrize("given", ["100 °C", r"$100^\circ\text{C}$", "100 degrees Celsius"])
def test_the_temperature_that_is_to_be_converted_is_no_answer(given: str) -> None:
    asked = f"Convert {given} to Fahrenheit."
    assert (score("212 °F", "100 °C", asked), score("212 °F", "212 °F", asked)) == (0.0, 1.0)


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ("What is the probability of rain?", 0.0),
        ("What is the percentage of red balls?", 1.0),
        ("What is the rate of growth?", 1.0),
        ("It rose by 20% and fell by 10%. What is the change?", 1.0),
    ],
)
def test_a_plain_number_is_a_percentage_where_one_is_spoken_of(asked: str, expected: float) -> None:
    assert score(r"8\%", "8", asked) == expected
    assert score(r"8\%", "8%", asked) == score(r"8\%", "0.08", asked) == 1.0


@pytest.mark.parametrize("said", ["half a million", "It has half a million people.", "About: half a million"])
def test_half_of_a_large_number_in_words_is_a_number(said: str) -> None:
    assert (score("500000", said), score("1000000", said)) == (1.0, 0.0)
