"""Many aliases or key terms: the response is read once, and what is found is the same however it is looked up."""

import pytest

from verifleet.verification import KnowledgeReference, KnowledgeRequest, parse_request
from verifleet.verifiers.knowledge import KnowledgeVerifier, occurrences
from verifleet.verifiers.knowledge.golds import read_gold
from verifleet.verifiers.knowledge.occurrences import find
from verifleet.verifiers.knowledge.questions import parse_question
from verifleet.verifiers.knowledge.tokens import ReadTokens, once, tokenize

TEXT = (
    "The Ottowa river, New-York and newyork; San Bernadino's protects protecting trees. An apple of the U.S.A. in "
    "1 October 1847, 12 km or 12,000 metres. Tchaikovski and Röntgen, Marie Curies, the the End."
)


def test_what_is_found_out_about_a_text_is_found_out_once() -> None:
    tokens = ReadTokens(tokenize(TEXT))
    calls: list[int] = []
    for _ in range(3):
        assert once(tokens, "length", lambda: calls.append(1) or len(tokens)) == len(tokens)
    assert calls == [1]


@pytest.mark.parametrize("count", [200, 400])
def test_words_are_looked_up_once_for_all_aliases(count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    stems: list[str] = []
    original = occurrences.stem
    monkeypatch.setattr(occurrences, "stem", lambda word: stems.append(word) or original(word))
    text = " ".join(f"word{i}" for i in range(1_000))
    aliases = [f"Name{i} Surname{i * 7 % 97}" for i in range(count)]
    request = KnowledgeRequest(
        prompt="Who?", response=text, reference=KnowledgeReference(answer="Maria Mitchell", aliases=aliases)
    )
    assert KnowledgeVerifier().check(request).verdict == "incorrect"
    assert len(stems) < 10 * (1_000 + count)  # each word of the text for each alias would be 200,000


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ("Ottawa", "Ottowa"),
        ("New York", "New-York newyork"),
        ("San Bernardino", ""),
        ("Tchaikovsky", "Tchaikovski"),
        ("the the", "the the"),
        ("Marie Curie", "Marie Curies"),
        ("apple", "apple"),
        ("1 October 1847", "1 October 1847"),
    ],
)
def test_places_of_an_answer_whatever_its_dress(answer: str, said: str) -> None:
    tokens = ReadTokens(tokenize(TEXT))
    gold = read_gold(answer, parse_question("What is it?"), "What is it?")
    found = find(tokens, gold)
    assert " ".join(TEXT[tokens[o.start].start : tokens[o.end - 1].end] for o in found) == said


@pytest.mark.parametrize(
    ("prompt", "response", "reference", "verdict"),
    [
        ("How many chromosomes has a cell?", "Twenty-three.", ("46", "23 pairs"), "incorrect"),
        ("How many chromosomes has a cell?", "23 pairs", ("46", "23 pairs"), "correct"),
        ("How long is it in km?", "1.6", ("1 mile", "1.6 km"), "correct"),
        ("Name three in order.", "They are hydrogen, helium and lithium.", ("Hydrogen, helium, lithium",), "correct"),
        ("Name the first three.", "Lithium, hydrogen and helium", ("Hydrogen, helium, lithium",), "correct"),
    ],
)  # fmt: skip
def test_counts_of_other_things_and_the_order_that_is_asked_for(
    prompt: str, response: str, reference: tuple[str, ...], verdict: str
) -> None:
    expected = KnowledgeReference(answer=reference[0], aliases=list(reference[1:]))
    request = KnowledgeRequest(prompt=prompt, response=response, reference=expected)
    assert KnowledgeVerifier().check(request).verdict == verdict


@pytest.mark.parametrize(
    ("wanted", "response", "score"),
    [
        (["red", "yellow", "blue"], "red, blue, green, yellow, purple, orange", 0.0),
        (["red", "yellow", "blue"], "The three are red (warm), blue (cool) and yellow, as taught in school.", 1.0),
        (["3", "7", "11"], "1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11", 0.0),
        (["3", "7", "11"], "- 3\n- 7\n- 11", 1.0),
        (["Haiti", "Dominican Republic"], "Haiti, in the west, and the Dominican Republic, in the east.", 1.0),
        (["1914", "1918"], "In 1914 and, after 4 years, 1918.", 1.0),
    ],
)
def test_a_row_of_more_things_than_are_required_names_none_of_them(
    wanted: list[str], response: str, score: float
) -> None:
    raw = {"prompt": "Which are they?", "response": response, "reference": {"answer": wanted}}
    assert KnowledgeVerifier().check(parse_request("knowledge", raw)).score == score


COLOURS, FOUNDERS = ["red", "green", "blue"], ["Ana Lindt", "Jo Marsh"]


@pytest.mark.parametrize(
    ("wanted", "response", "score"),
    [
        (COLOURS, "Red, yellow and blue. Mixing the last two gives you green.", 0.0),
        (COLOURS, "Red, yellow and blue; you get green by mixing.", 0.0),
        (COLOURS, "They are red, green, blue and yellow.", 0.0),
        (COLOURS, "Red, green and blue; you get yellow by mixing.", 1.0),
        (COLOURS, "RGB, i.e. red, green and blue. Painters take red, yellow and blue.", 1.0),
        (COLOURS, "RGB: red, green, blue; not red, yellow, blue.", 1.0),
        (COLOURS, "Red, yellow, blue; not red, green, blue.", 0.0),
        (FOUNDERS, "Ana Lindt founded it in 1998 with Jo Marsh, a friend from Oslo and Bergen.", 1.0),
        (FOUNDERS, "Ana Lindt founded it in 1998 with Jo Marsh and Kai Brenner.", 0.0),
        (FOUNDERS, "Ana Lindt and Kai Brenner in 1998. Jo Marsh was hired later.", 0.0),
        (FOUNDERS, "It was in fact founded by Kai Brenner and Jo Marsh. Ana Lindt paid for it.", 0.0),
        (FOUNDERS, "Kai Brenner and Eva Holm, friends of Ana Lindt and Jo Marsh", 0.0),
        (FOUNDERS, "- Ana Lindt\n- Kai Brenner\n\nJo Marsh had left by then.", 0.0),
        (FOUNDERS, "1. Ana Lindt (1998)\n2. Jo Marsh: a friend of hers\n\nKai Brenner had left by then.", 1.0),
        (FOUNDERS, "As everybody knows, Ana Lindt and Jo Marsh founded it. Kai Brenner was hired later.", 1.0),
        (FOUNDERS, "Ana Lindt and Kai Brenner. No, wait: Ana Lindt and Jo Marsh.", 1.0),
        (["Oslo", "Riga"], "Norland: Oslo; Sudland: Bergen (Riga is elsewhere).", 0.0),
        (["Oslo", "Riga"], "Norland: Oslo; Sudland: Riga (Bergen is elsewhere).", 1.0),
    ],
)
@pytest.mark.parametrize("joined", [False, True])
def test_what_is_required_stands_in_the_row_that_answers_not_beside_it(
    wanted: list[str], response: str, score: float, joined: bool
) -> None:
    reference = f"{', '.join(wanted[:-1])} and {wanted[-1]}" if joined else wanted
    raw = {"prompt": "Which are they?", "response": response, "reference": {"answer": reference}}
    assert KnowledgeVerifier().check(parse_request("knowledge", raw)).score == score
