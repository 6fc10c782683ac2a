"""What reading makes of a text: marks, clauses, what is denied and supposed, what is counted."""

from __future__ import annotations

import time

import pytest

from verifleet.reading.document import Clause, Quantity
from verifleet.reading.numbers import in_words
from verifleet.reading.read import read
from verifleet.reading.tokens import tokens


def clauses(text: str) -> list[Clause]:
    return [clause for sentence in read(text).sentences for clause in sentence.clauses]


def counted(text: str) -> list[tuple[float, float, str, str]]:
    def told(quantity: Quantity) -> tuple[float, float, str, str]:
        return quantity.low, quantity.high, quantity.unit or quantity.noun, quantity.predicate

    return [told(quantity) for clause in clauses(text) for quantity in clause.quantities]


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("The bridge is closed and people were evacuated", "en"),
        ("Terremoto en Costa Rica, deja dos muertos", "es"),
        ("Il bilancio sale a 16 morti e un disperso", "it"),
        ("não foram 245 mortos, foram 232", "pt"),
        ("Le bilan est de cinq morts selon la police", "fr"),
        ("Die Polizei meldet drei Tote nach dem Unfall", "de"),
        ("16 na daw namatay sa Cebu dahil sa lindol", ""),
        ("Что на самом деле упало в Челябинске", ""),
    ],
)
def test_language(text: str, language: str) -> None:
    assert read(text).language == language


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("So sad. RT @a: RT @bbc: 12 dead in fire http://t.co/x", ["So sad", "12 dead in fire"]),
        ("@you @me it is open", ["it is open"]),
        ("“@STcom: PSI is 290”", ["PSI is 290"]),
        ("@STcom: PSI is 290", ["PSI is 290"]),
    ],
)
def test_repost_and_reply_marks_are_no_text(text: str, told: list[str]) -> None:
    assert [clause.text for clause in clauses(text)] == told


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Joe Cusker died earlier today.So sad", ["Joe Cusker died earlier today", "So sad"]),
        ("Fire in Compostela.Mucho humo", ["Fire in Compostela", "Mucho humo"]),
        ("Says Gov.Hickenlooper on cbs.com", ["Says Gov.Hickenlooper on cbs.com"]),
        ("Two dead in Colo. flooding", ["Two dead in Colo. flooding"]),
        ("@BloombergNews reports FAA has suspended flights", ["@BloombergNews reports FAA has suspended flights"]),
    ],
)
def test_a_sentence_begins_behind_a_full_stop_but_not_behind_an_abbreviation(text: str, told: list[str]) -> None:
    assert [text[slice(*sentence.span)] for sentence in read(text).sentences] == told


@pytest.mark.parametrize(
    ("text", "cut"),
    [
        ("Two dead in the ... http://t.co/x", True),
        ("Two dead in the town of Ly...'", True),
        ("Two dead in the ... - Reuters", True),
        ("Two dead in the... h ...", True),
        ("Two dead... more missing", False),
        ("Dead.", False),
    ],
)
def test_dots_with_no_words_behind_them_tell_that_a_sentence_breaks_off(text: str, cut: bool) -> None:
    assert read(text).sentences[0].cut is cut


def test_entities_leave_spans_where_they_are() -> None:
    text = "Fire &amp; smoke; 5 dead &gt; 3"
    for clause in clauses(text):
        assert text[slice(*clause.span)]
    assert any(quantity.low == 5 for clause in clauses(text) for quantity in clause.quantities)


@pytest.mark.parametrize(
    "text",
    [
        "No zoo animals at the court",
        "El terremoto no ha causado víctimas",
        "Terrorism unlikely",
        "Il ponte non è crollato",
    ],
)
def test_one_scope_negates(text: str) -> None:
    assert any(clause.negated for clause in clauses(text))


@pytest.mark.parametrize(
    "text", ["I can't believe 12 people died", "No doubt it was arson", "No puedo creer lo del tren"]
)
def test_idioms_deny_nothing(text: str) -> None:
    assert not any(clause.negated for clause in clauses(text))


@pytest.mark.parametrize(
    ("text", "modality"),
    [
        ("Is the bridge closed?", "asked"),
        ("Storm expected to leave on Thursday", "predicted"),
        ("There may be a second shooter", "possible"),
        ("Hoping everyone is safe", "wished"),
        ("Please avoid the area", "ordered"),
        ("The bridge is closed", "asserted"),
    ],
)
def test_modality(text: str, modality: str) -> None:
    assert clauses(text)[0].modality == modality


@pytest.mark.parametrize(
    "text",
    ["346 homes destroyed, officials say", "Police: 346 homes destroyed", "346 homes destroyed, according to FEMA"],
)
def test_who_is_said_to_say_so(text: str) -> None:
    assert any(clause.attributed_to for clause in clauses(text) if clause.quantities)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Nearly 350 homes destroyed", (350, 350, "homes", "destroyed")),
        ("Powerful quake kills at least 4", (4, float("inf"), "", "dead")),
        ("Death toll in #Brazil fire hits 234", (234, 234, "", "dead")),
        ("wildfire forces 32,000 from homes", (32000, 32000, "people", "evacuated")),
        ("Il bilancio sale a 16 morti", (16, 16, "", "dead")),
        ("3.000 sfollati nel modenese", (3000, 3000, "", "evacuated")),
        ("Un terremoto de magnitud 7,9 sacudió", (7.9, 7.9, "magnitude", "")),
        ("Costa Rica quake downgraded to 7.6", (7.6, 7.6, "magnitude", "")),
        ("55% containment of the fire", (55, 55, "%", "contained")),
        ("PSI is 290 at 9pm", (290, 290, "psi", "")),
        ("Number of missing rises to 60", (60, 60, "", "missing")),
    ],
)
def test_what_is_counted(text: str, expected: tuple[float, float, str, str]) -> None:
    assert expected in counted(text)


@pytest.mark.parametrize(
    "text",
    [
        "Call 1-800-621-3362 for help",
        "Flight BA-287 is late",
        "Terminal 3 is where it was",
        "On June 25 at 8:42am we left",
        "A 23-year-old from Ohio, back in 1997",
        "1/2 tire deep, see http://t.co/7tU9",
    ],
)
def test_numbers_that_count_nothing(text: str) -> None:
    assert not counted(text)


@pytest.mark.parametrize("piece", ["1,", "@x: ", "no ", "((", "a-", "RT @", "1 000 ", "#a ", "'", "M ", "0-"])
def test_hostile_text_is_read_in_linear_time(piece: str) -> None:
    start = time.thread_time()
    read(piece * 30_000)
    assert time.thread_time() - start < 4


@pytest.mark.parametrize(
    ("spoken", "text", "value"),
    [
        ("pt", "sessenta e quatro", 64), ("pt", "mil e duzentos", 1_200), ("it", "sessantaquattro", 64),
        ("it", "ventuno", 21), ("it", "seicento", 600), ("es", "treinta y uno", 31), ("es", "veintitres", 23),
        ("es", "cuatrocientos", 400), ("de", "vierundsechzig", 64), ("fr", "quatre-vingt-dix-sept", 97),
        ("en", "one hundred and five", 105), ("en", "two and three", 2), ("it", "centro", None), ("es", "unidos", None),
    ],
)  # fmt: skip
def test_a_number_in_several_words_or_in_one_is_read_whole(spoken: str, text: str, value: int | None) -> None:
    told = in_words(tokens(text), 0, spoken)
    assert (told[0] if told else None) == value


@pytest.mark.parametrize(
    ("text", "body"),
    [
        ("La Sûreté du Québec a retrouvé deux nouvelles victimes", "surete quebec"),
        (
            "Comisión Nacional de Emergencias de Costa Rica declaró alerta roja",
            "comision nacional emergencias costa rica",
        ),
        ("I found 20 dollars", ""),
        ("The dead in Boulder County were found", ""),
    ],
)
def test_a_body_that_finds_or_declares_answers_for_what_is_told(text: str, body: str) -> None:
    assert read(text).sentences[0].clauses[0].attributed_to == body


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Noticias del accidente en #España", {"espan"}),
        ("Alerta de tsunami para #CentroAmérica", {"centr", "americ"}),
        ("The suspect of the #LAXshooting is alive", {"airport", "shooting"}),
        ("Schools are closed by the #SGHaze", {"sg", "haze"}),
    ],
)
def test_a_hashtag_is_told_apart_into_its_words(text: str, words: set[str]) -> None:
    assert words <= {lemma for clause in clauses(text) for lemma in clause.lemmas}


def test_a_body_behind_a_dash_speaks_though_a_hashtag_follows() -> None:
    told = clauses("More than 400 people injured in the blast - interior ministry http://t.co/MGX #meteor")
    assert told[0].attributed_to == "interior ministry"


@pytest.mark.parametrize(
    ("text", "befell", "low"),
    [
        ("Death toll in Lac Megantic, Quebec train derailment and fire has risen to 5.", "dead", 5),
        ("Death toll: 48", "dead", 48),
        ("The death toll from the typhoon is up to 95", "dead", 95),
        ("Missing persons: 23", "missing", 23),
        ("Número de mortos sobe para 239", "dead", 239),
        ("Morre em Porto Alegre a 239ª vítima do incêndio", "dead", 239),
        ("deux nouvelles victimes, portant le total des corps retrouvés à 37", "dead", 37),
        ("responsible for the evacuation of almost 12,000", "evacuated", 12000),
        ("77 people who were killed this morning", "dead", 77),
        ("100+ dead in quake", "dead", 100),
        ("6 U.S. troops were killed", "dead", 6),
        ("over 200 people have lost their lives", "dead", 200),
        ("Bilang ng nasawi dahil sa habagat, umakyat na sa 16", "dead", 16),
        ("11 na ang patay sa baha dahil sa habagat", "dead", 11),
        ("Patay- 647, Nawawala - 780, Sugatan - 1482", "missing", 780),
    ],
)
def test_a_toll_is_read_from_its_head_to_its_number(text: str, befell: str, low: float) -> None:
    assert (befell, low) in [(q.predicate, q.low) for c in clauses(text) for q in c.quantities]


@pytest.mark.parametrize("text", ["Death toll may hit 10,000", "Drop-in has evacuated to: 4804 EdmTrail NE"])
def test_what_may_come_and_addresses_are_no_tolls(text: str) -> None:
    assert not [q for c in clauses(text) for q in c.quantities if q.predicate]


def test_a_toll_of_things_tells_which() -> None:
    assert [(q.noun, q.low) for c in clauses("Number of homes destroyed rises to 208") for q in c.quantities] == [
        ("homes", 208)
    ]


def test_catalan_is_told_as_unread() -> None:
    assert read("L'explosió a Girona deixa tres morts i dotze ferits.").language == ""
    assert read("Incêndio deixa 245 mortos em Santa Maria").language == "pt"
    assert read("L'explosion à Lyon fait trois morts et douze blessés").language == "fr"
