"""What a reference says in a name, a date or a value, said in other words, letters, languages and digits."""

import pytest

from tests.unit.knowledge.test_answer_matching import judge


@pytest.mark.parametrize(
    ("answer", "response", "score"),
    [
        ("Wolfram van Eyk", "Wolfram painted it.", 1.0),
        ("Anna van Eyk", "Anna painted it.", 0.0),
        ("Wolfram van Eyk", "Wolfram Tessel", 0.0),
        ("King Henry VII of Norland", "Henry VII", 1.0),
        ("King Henry VII of Norland", "Henry VI", 0.0),
        ("Wolfram", "Wolfram Tessel", 1.0),
        ("Dmitri Gorbunchev", "Dmitrij Gorbuntschow", 1.0),
        ("Dmitri Gorbunchev", "Дмитрий Горбунчев", 1.0),
        ("Dmitri Gorbunchev", "Dmitrij Karbuntschow", 0.0),
        ("Kassandrus", "Cassandros", 1.0),
    ],
)
def test_a_name_is_known_by_its_parts_and_its_sound(answer: str, response: str, score: float) -> None:
    assert judge("who painted it", response, answer).score == score


@pytest.mark.parametrize(
    ("prompt", "answer", "response", "score"),
    [
        ("when was it built", "14 July 1889", "le 14 juillet 1889", 1.0),
        ("when was it built", "14 July 1889", "el 14 de julio de 1889", 1.0),
        ("when was it built", "14 July 1889", "1889年7月14日", 1.0),
        ("when was it built", "14 July 1889", "am 14. Mai 1889", 0.0),
        ("when was it built", "11 February 1990", "on 11 Feb. '90", 1.0),
        ("when was it built", "11 February 1990", "on 11 Feb. '91", 0.0),
        ("in what year was it built", "1143", "Anno MCXLIII.", 1.0),
        ("in what year was it built", "1143", "Anno MCXLIV.", 0.0),
        ("in which decade was it built", "1870s", "the eighteen-seventies", 1.0),
        ("in which decade was it built", "1870s", "the nineteen-seventies", 0.0),
        ("at what temperature does it melt", "373 K", "at 373.15 K", 1.0),
        ("at what temperature does it melt", "373 K", "at 374.15 K", 0.0),
        ("how fast is it", "200,000 km/s", "about 2×10⁸ m/s", 1.0),
        ("how fast is it", "200,000 km/s", "about 2×10⁷ m/s", 0.0),
        ("which film won", "Brogg", "Brogg 2", 0.0),
        ("which film won", "Brogg", "Brogg", 1.0),
    ],
)
def test_dates_and_values_count_in_other_writings(prompt: str, answer: str, response: str, score: float) -> None:
    assert judge(prompt, response, answer).score == score
