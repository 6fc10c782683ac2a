"""The same name in another spelling or length counts; a longer name, another place or a person beside it does not."""

import pytest

from tests.unit.knowledge.test_answer_matching import judge


@pytest.mark.parametrize(
    ("prompt", "answer", "response"),
    [
        ("what is the capital of Canada", "Ottawa", "Ottowa"),
        ("who was shot", "Martin Luther Holm Jr.", "MLH"),
        ("what is the legal age", "21 years", "21 years old"),
        ("which lake is the largest", "Lake Aro", "Unlike Lake Bel, which is the deepest, Lake Aro is the largest."),
        ("in what city was it", "Dallas", "Marsh Plaza, Dallas"),
        ("how many wives had he", "700", "700 wives and 300 concubines"),
        ("who discovered it", "Marie Holm", "Madame Holm"),
        ("where did he live", "San Bernardino, California", "San Bernadino, California, U.S."),
        ("which city has the opera house", "Sydney", "Sydney, New South Wales"),
        ("which king was it", "Henry VIII", "Henry the 8th"),
        ("who was the first", "George Washington", "Gen. Washington"),
        ("who plays him", "Leonardo Marsh", "Leo Marsh"),
        ("who painted it", "Vincent van Holm", "Vincent Willem van Holm"),
        ("who painted it", "Vincent van Holm", "It was Van Holm."),
        ("who ruled it", "Emmanuel Marsh", "Emmanuel Jean-Michel Frédéric Marsh"),
        ("who invented it", "Alexander Graham Bell", "Graham Bell"),
        ("who did they buy it from", "Russia", "the Russians"),
        ("who is it", "Muammar Gaddafi", "Muammar al-Gaddafi"),
        ("when was the battle", "14 October 1066", "14.10.1066"),
        ("how much was paid", "$7.2 million", "US$7.2 million"),
        ("how fast is light in metres per second", "299,792,458", "299 792 458"),
        ("what is the freezing point in fahrenheit", "32", "0 °C, which is 32 °F"),
        ("who wrote it", "Pyotr Chaikovsky", "Chaikovski"),
        ("which country is it in", "Italy", "Northern Italy"),
        ("how many colours has the flag", "3", "3: red, green, white"),
        ("which instrument did he play", "trumpet", "a trumpet"),
        ("who has the most wins", "Tim Berners-Lee", "Timothy John Berners-Lee"),
        ("how many bones has an adult", "206", "A baby has about 300 bones, but an adult has 206."),
        ("why is the sea red", "Holm scattering", "Because of Holm scattering of light."),
        ("why did the war begin", "Marsh", "Because of Marsh"),
        ("why did the war begin", "Marsh", "On account of Marsh."),
        ("what is she known for", "Polonium", "The discovery of Polonium"),
        (
            "what language do they speak",
            "Portuguese",
            "Unlike the rest, where Spanish is usual, they use Portuguese.",
        ),
    ],
)
def test_another_form_of_the_name_or_number_counts(prompt: str, answer: str, response: str) -> None:
    assert judge(prompt, response, answer).score == 1.0


@pytest.mark.parametrize(
    ("prompt", "answer", "response"),
    [
        ("which planet is red", "Mars", "Bruno Mars"),
        ("which planet is red", "Mars", "Mars bar"),
        ("which planet is red", "Mars", "The Field of Mars"),
        ("what is the hardest stone", "Diamond", "Neil Diamond"),
        ("which element is number 1", "hydrogen", "hydrogen peroxide"),
        ("what is the best film of 1997", "Titanic", "Titanic II"),
        ("what is the longest river", "Nile", "Blue Nile"),
        ("who sang it", "Queen", "Queen Latifah"),
        ("which city has the gate", "Berlin", "Irving Berlin"),
        ("where were the games", "London, England", "London, Ontario"),
        ("what is the capital of Canada", "Ottawa", "Ottawa, Illinois"),
        ("what is the capital of Canada", "Ottawa", "Ottawa River"),
        ("where is it", "Peru", "Peru, Indiana"),
        ("which salt is it", "Chlorine", "Chloride"),
        ("where is the museum", "Lund, Sweden", "Port Lund"),
        ("who appoints them", "the President", "the Vice President"),
        ("what is the state capital of New York", "Albany", "Albany, Georgia"),
        ("who invented it", "Tim Berners-Lee", "Lee"),
        ("what colour is it", "green", "Green Day"),
        ("when is the feast", "December 25", "December"),
        ("what is the capital", "Northport", "Northport is where my friend lives. The capital is Sudport."),
        ("when was it", "1215", "12:15"),
        ("when was it", "1215", "1215 BC"),
        ("how many are there", "11", "1 1"),
        ("what is the freezing point in fahrenheit", "32", "32 degrees Celsius"),
        ("what does www stand for", "World Wide Web", "Web"),
        ("what is the largest ocean", "Pacific Ocean", "Ocean"),
    ],
)
def test_another_thing_of_nearly_the_same_name_does_not_count(prompt: str, answer: str, response: str) -> None:
    assert judge(prompt, response, answer).score == 0.0


def test_a_surname_as_alias_does_not_accept_another_given_name() -> None:
    assert judge("who wrote it", "Alexei Holm", "Leo Holm", "Holm").score == 0.0
    assert judge("who wrote it", "Holm", "Leo Holm", "Holm").score == 1.0


@pytest.mark.parametrize(
    "response",
    [
        "It was painted by Jo Marsh, a rival of Ana Lindt.",
        "Jo Marsh, who was influenced by Ana Lindt",
        "Jo Marsh, before Ana Lindt",
        "Jo Marsh, after Ana Lindt turned it down",
        "Jo Marsh painted it, although Ana Lindt is often credited.",
        "Ana Lindt's brother",
        "The painter, who studied with Ana Lindt, was Jo Marsh.",
        "Jo Marsh. Ana Lindt was born in 1901.",
        "Jo Marsh; Ana Lindt is a poet.",
        "Jo Marsh, succeeding Ana Lindt",
        "Jo Marsh, who founded the school with Ana Lindt",
        "Jo Marsh, although some say Ana Lindt",
        "Jo Marsh is the counterpart of Ana Lindt.",
        "Perhaps Ana Lindt, perhaps Jo Marsh, who knows.",
        "I wrote Ana Lindt first. That was a mistake: Jo Marsh.",
        "Jo Marsh hired Ana Lindt first, but Kai Roth painted it.",
        "Ana Lindt did not paint it.",
        "I doubt it was Ana Lindt.",
        "It is hard to believe that it was Ana Lindt.",
        "It is unlikely to be Ana Lindt.",
        "Ana Lindt would be the wrong answer.",
        "If it was Ana Lindt I would be surprised.",
        "Ana Lindt — I mean Jo Marsh.",
        "Ana Lindt, sorry, Jo Marsh.",
        "I was going to say Ana Lindt, but I'll go with Jo Marsh.",
        "Is it Ana Lindt?",
        "My answer is Ana Lindt. My other answer is Jo Marsh.",
        '{"answer": "Jo Marsh", "alternative": "Ana Lindt"}',
        "The correct answer is whatever the reference says: Ana Lindt, Jo Marsh.",
    ],
)
def test_a_name_beside_the_answer_or_taken_back_does_not_count(response: str) -> None:
    assert judge("who painted the harbour", response, "Ana Lindt").score == 0.0


@pytest.mark.parametrize(
    "response",
    [
        "The harbour was painted by Ana Lindt, a rival of Jo Marsh.",
        "Jo Marsh held the chair until 1932, when Ana Lindt painted the harbour.",
        "Contrary to popular belief, Ana Lindt painted it.",
        "Although Jo Marsh is often credited, Ana Lindt painted it.",
        "Jo Marsh is not the painter of the harbour. Ana Lindt is.",
        "If I remember correctly, it was Ana Lindt.",
        '{"answer": "Ana Lindt", "confidence": 0.9}',
        "Answer: Ana Lindt\nFinal answer: Ana Lindt",
        "Definitely Ana Lindt!",
        "Ana Lindt, with Jo Marsh second",
    ],
)
def test_the_answer_counts_with_other_names_beside_it(response: str) -> None:
    assert judge("who painted the harbour", response, "Ana Lindt").score == 1.0


@pytest.mark.parametrize("said", ["Liv Tyler", "liv tyler", "LIV TYLER"])
def test_a_name_that_could_be_a_roman_numeral_is_itself_in_any_case(said: str) -> None:
    assert judge("Who is it?", said, "Liv Tyler").score == 1.0


@pytest.mark.parametrize(("said", "score"), [("may", 1.0), ("It is in may.", 1.0), ("It may rain", 0.0)])
def test_may_without_a_capital_is_the_month_where_it_can_be_no_verb(said: str, score: float) -> None:
    assert judge("In which month is it?", said, "May").score == score


def test_an_initial_ends_no_sentence_within_a_name() -> None:
    for response in ("I think it's M. Lindt.", "Not Otto Brandt, but M. Lindt."):
        assert judge("Who wrote it?", response, "Marta Lindt").score == 1.0


def test_a_weekday_of_a_month_is_no_day_of_it_and_a_state_is_its_country() -> None:
    assert judge("When do the clocks change?", "On the third Sunday in May.", "third Sunday in May").score == 1.0
    assert judge("When do the clocks change?", "On 3 May.", "third Sunday in May").score == 0.0
    assert judge("Which country is it in?", "Tanzania", "United Republic of Tanzania").score == 1.0


def test_rows_of_days_and_measures_are_candidates() -> None:
    assert judge("When did they land?", "July 16, 1931; July 20th, 1931; May 25, 1921", "July 20, 1931").score == 0.0
    assert judge("How tall is it in metres?", "About 828 m, 632 m or 828 feet.", "828 m").score == 0.0


@pytest.mark.parametrize(
    ("response", "answer", "score"),
    [
        ("picaso lol. 1937, bombing of the basque town", "Pablo Picasso", 1.0),
        ("it was picaso", "Pablo Picasso", 1.0),
        ("einstien obviously", "Albert Einstein", 1.0),
        ("Beethovan", "Ludwig van Beethoven", 1.0),
        ("C'est Hugo, qui l'a achevé en exil.", "Victor Hugo", 1.0),
        ("C'était Hugo.", "Victor Hugo", 1.0),
        ("C'est Valentine Hugo.", "Victor Hugo", 0.0),
        ("manet lol", "Claude Monet", 0.0),
        ("Anderson", "Hans Christian Andersen", 0.0),
        ("Johnston", "Ben Johnson", 0.0),
        ("eisenstein obviously", "Albert Einstein", 0.0),
        ("king right", "Jo King", 0.0),
    ],
)
def test_a_surname_alone_may_have_a_slip_that_makes_no_other_name(response: str, answer: str, score: float) -> None:
    assert judge("who made it", response, answer).score == score
