"""What a reference says in a phrase, a name, a date or a value, said in other words, letters, languages and digits."""

import pytest

from tests.unit.knowledge.test_answer_matching import judge

LADLE = "what does a hygrometer measure"
PUMP = "what does the pump of the mill do"
SALT = "why is the lake salty"
RIDGE = "what is the difference between a brank and a brunt"
TWO = "a brank hangs from the roof, a brunt rises from the floor"


@pytest.mark.parametrize(
    ("prompt", "answer", "response", "score"),
    [
        (LADLE, "air moisture", "It measures the moisture of the air.", 1.0),
        (LADLE, "air moisture", "It does not measure the moisture of the air but its weight.", 0.0),
        (LADLE, "air moisture", "It measures the weight of the air. Moisture is something else.", 0.0),
        (LADLE, "air moisture", "It measures air pressure, not moisture.", 0.0),
        (PUMP, "drains water from the cellar", "The pump keeps draining the water out of the cellar.", 1.0),
        (PUMP, "drains water from the cellar", "It brings water into the cellar.", 0.0),
        (PUMP, "presiding officer of the guild", "It presides over the guild as its officer.", 1.0),
        (SALT, "streams carry dissolved minerals into it", "Streams dissolve minerals and carry them there.", 1.0),
        (SALT, "streams carry dissolved minerals into it", "Fish excrete salt, and streams bring little water.", 0.0),
        (
            SALT,
            "the wind evaporates its water, so that minerals remain",
            "Wind blows. Water evaporates, minerals remain.",
            1.0,
        ),
        (RIDGE, TWO, "Branks hang down from the roof of a cave, whereas brunts rise up from its floor.", 1.0),
        (RIDGE, TWO, "Brunts hang down from the roof of a cave, whereas branks rise up from its floor.", 0.0),
        ("what does it convert", "heat into motion", "It turns heat into motion.", 1.0),
        ("what does it convert", "heat into motion", "It turns motion into heat.", 0.0),
        ("what does ars longa mean", "it is long", '"Ars longa" means "it shall be long".', 0.0),
    ],
)
def test_an_explanation_counts_in_any_words_that_say_all_of_it(
    prompt: str, answer: str, response: str, score: float
) -> None:
    assert judge(prompt, response, answer).score == score


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
