"""Which clauses of a report are claims of fact about an incident, and what of it is guidance."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verifleet.agents.claims.extract import Claims, Models, extract, pieces_of
from verifleet.agents.lexicon import Model, model
from verifleet.reading.read import read


def claims_of(text: str, source: str = "twitter") -> Claims:
    return extract(read(text), source)


def texts(text: str, source: str = "twitter") -> list[str]:
    return [claim.text for claim in claims_of(text, source).claims]


@pytest.mark.parametrize(
    ("text", "claimed"),
    [
        ("RT @ReutersWorld: At least 35 people killed after train derails in Galicia, Spain http://t.co/PUMrgkwB3O",
         "At least 35 people killed after train derails in Galicia, Spain"),
        ("BREAKING: 12 hurt in the ferry accident, pray for them! http://t.co/x", "12 hurt in the ferry accident"),
        ("Three killed in Costa Rica 7.6-magnitude quake - Xinhua http://t.co/NzafHqdW",
         "Three killed in Costa Rica 7.6-magnitude quake"),
        ("RT @UnionRadio: Van 41 muertos y 80 heridos en la explosión de #Amuay http://t.co/x",
         "Van 41 muertos y 80 heridos en la explosión de Amuay"),
        ("Thousands evacuated in Canada floods – in pictures: Widespread flooding, caused by torrent...",
         "Thousands evacuated in Canada floods"),
    ],
)  # fmt: skip
def test_a_claim_reads_without_marks_of_networks_asides_and_what_was_cut_off(text: str, claimed: str) -> None:
    assert texts(text)[0] == claimed


def test_a_count_keeps_its_bound_in_front_and_its_figure_behind_a_dash() -> None:
    assert texts("Más de 30 heridos tras chocar dos trenes en Lugo")[0].startswith("Más de 30 heridos")
    assert texts("River level reaches record high – 4.2 metres as of 11am") == [
        "River level reaches record high – 4.2 metres as of 11am"
    ]


@pytest.mark.parametrize(
    "text",
    [
        "Praying for everyone affected by the earthquake in Bohol, stay strong!",
        "I hope everyone in Calgary is safe from the floods",
        "Is the bridge at Lyons closed?",
        "Can't believe what happened to that pub in Glasgow",
        "Buy tickets for the concert, win a free album, click here",
        "How you can help victims of the floods",
        "Solidaridad con las víctimas del accidente de tren en Santiago",
        "",
        "???",
        "#Sardegna #Olbia http://t.co/x",
    ],
)
def test_feelings_wishes_questions_and_adverts_are_no_claims(text: str) -> None:
    assert claims_of(text).claims == ()


@pytest.mark.parametrize(
    "text",
    [
        "Avoid the roads around Boulder and stay indoors, please",
        "Mettiamo a disposizione camere per gli sfollati a Ravenna, 0544 455902",
    ],
)
def test_advice_and_offers_are_guidance_and_no_claims(text: str) -> None:
    found = claims_of(text)
    assert found.guidance
    assert not found.claims


@pytest.mark.parametrize(
    "text",
    [
        "Numero telefonico della Protezione Civile di #Modena: 059200200 #Terremoto",
        "Blood donors needed at the hospital of Mirandola, call 059200200",
    ],
)
def test_a_number_to_call_is_guidance(text: str) -> None:
    found = claims_of(text)
    assert len(found.guidance) == 1
    assert {claim.text for claim in found.claims} <= set(found.guidance)


@pytest.mark.parametrize(
    "text",
    [
        "Storm Sandy batters Haiti - homes swept away by floods",
        "Typhoon Bopha heading for southern Philippines",
        "Salgono a 18 le vittime dell'alluvione in Sardegna",
        "Spain investigators: Train driver was on phone: MADRID (AP) ? The driver was on the phone with a colleague",
    ],
)
def test_headlines_without_a_known_verb_and_garbled_datelines_are_claims(text: str) -> None:
    assert texts(text, "news")


@pytest.mark.parametrize(
    ("text", "claimed"),
    [
        ("UPDATE: Province of Batangas - Classes in all levels suspended #rain",
         "Province of Batangas - Classes in all levels suspended"),
        ("At least 25 people injured by the meteor over Chelyabinsk - interior ministry http://t.co/x",
         "At least 25 people injured by the meteor over Chelyabinsk - interior ministry"),
        ("BBC News - Storms and flash floods kill at least nine in Sardinia http://t.co/x",
         "Storms and flash floods kill at least nine in Sardinia"),
        ("PSI is 170 as of 2pm (pic: Some Person of the Daily Times) #SgHaze", "Sg Haze: PSI is 170 as of 2pm"),
        ("Road to Lyons closed, says @ElectDanielle_", "Road to Lyons closed, says ElectDanielle"),
        ("Typhoon 'Bopha' stronger than 'Sendong' - PAGASA http://t.co/x",
         "Typhoon 'Bopha' stronger than 'Sendong' - PAGASA"),
    ],
)  # fmt: skip
def test_what_leans_on_its_sentence_stays_in_it_and_names_of_accounts_stay_as_they_are(text: str, claimed: str) -> None:
    assert texts(text, "news") == [claimed]


def test_statements_that_semicolons_part_are_claims_of_their_own() -> None:
    told = texts("Flooding has closed the road to Lyons; 12 people are missing; mayor says bridge destroyed", "news")
    assert told[:2] == [
        "Flooding has closed the road to Lyons", "Flooding has closed the road to Lyons. 12 people are missing",
    ]  # fmt: skip
    assert len(told) == 3


def test_a_bulletin_keeps_its_figure_and_its_place_together() -> None:
    report = model("claims/claim_model.json")
    (piece,) = pieces_of(read("#earthquake: M 4.9 - Pacific Ocean - West Philippines http://t.co/x"), "news", report)
    assert piece.text == "earthquake: M 4.9 - Pacific Ocean - West Philippines"


def test_a_hashtag_tells_what_a_claim_that_names_nothing_is_about() -> None:
    assert texts("3-hour PSI is 48. Issued 6am. http://t.co/x #sghaze", "official") == ["sghaze: 3-hour PSI is 48"]


def test_a_link_that_was_cut_off_leaves_the_words_before_it_whole() -> None:
    text = "RT @x: Después del accidente de tren en Galicia, la policía evacuó a 30 heridos http…"
    assert texts(text)[0].endswith("evacuó a 30 heridos")


@pytest.mark.parametrize(
    ("text", "claimed"),
    [
        ("Globe Telecom reports an outage due to cuts of its cables in the towns of Davao ...",
         "Globe Telecom reports an outage due to cuts of its cables"),
        ("Globe Telecom experienced service interruption due to fiber optic cuts in areas of Davao ...",
         "Globe Telecom experienced service interruption"),
        ("Police expect more deaths after the derailment in Quebec, which has ...",
         "Police expect more deaths after the derailment in Quebec"),
        ("El maquinista reconoció el exceso de velocidad en la curva del descarrilamiento ...",
         "El maquinista reconoció el exceso de velocidad"),
        ("Rescuers found 13 people in Quebec and took at http://t.co/x", "Rescuers found 13 people in Quebec"),
    ],
)  # fmt: skip
def test_what_breaks_off_ends_where_it_states_something(text: str, claimed: str) -> None:
    assert texts(text, "news")[:1] == [claimed]


@pytest.mark.parametrize(
    "text",
    [
        "The 23-year-old suspect in the shooting at the airport of ...",
        "Canada, il terribile incidente ferroviario di Lac-Megantic sta provocando un ...",
        "Severe flooding in Jamestown in the county of ...",
    ],
)
def test_what_breaks_off_before_it_states_anything_is_no_claim(text: str) -> None:
    assert texts(text, "news") == []


@pytest.mark.parametrize(
    ("text", "claimed"),
    [
        ("Irony alert @KDVR: Oil spills now exceed 25,000 gallons due to Colorado flooding http://t.co/x",
         "Oil spills now exceed 25,000 gallons due to Colorado flooding"),
        ("From @GlobeQuebec: Massive explosions strike Quebec town after train carrying oil derails",
         "Massive explosions strike Quebec town after train carrying oil derails"),
        ("Excelente observación @clima: Satélite muestra el humo del incendio en la refinería de Amuay",
         "Satélite muestra el humo del incendio en la refinería de Amuay"),
    ],
)  # fmt: skip
def test_what_is_quoted_from_an_account_stands_without_the_comment_before_it(text: str, claimed: str) -> None:
    assert texts(text, "news") == [claimed]


@pytest.mark.parametrize("when", ["Sep 5 8:42am", "May 23 11:41pm"])
def test_a_time_and_place_lean_on_the_statement_before_them(when: str) -> None:
    assert texts(f"7.9 earthquake, off the coast of Costa Rica. {when} at epicenter (83km S of Liberia)", "news") == [
        "7.9 earthquake, off the coast of Costa Rica",
        f"7.9 earthquake, off the coast of Costa Rica. {when} at epicenter (83km S of Liberia)",
    ]


@pytest.mark.parametrize(
    ("text", "claimed"),
    [
        ("At least 128 flights canceled due to typhoon #PabloPH #NewsYouCanUse",
         "At least 128 flights canceled due to typhoon Pablo PH"),
        ("Another typhoon named internationally as #Bopha will hit #Southern #Mindanao",
         "Another typhoon named internationally as Bopha will hit Southern Mindanao"),
        ("At least 128 flights canceled due to smoke #PabloPH", "At least 128 flights canceled due to smoke"),
    ],
)  # fmt: skip
def test_a_hashtag_at_the_end_stays_where_the_word_before_it_asks_for_it(text: str, claimed: str) -> None:
    assert texts(text, "news") == [claimed]


def test_a_sentence_that_ends_in_a_time_is_a_claim_of_its_own() -> None:
    assert texts("“@x: PSI is 170 as of 2pm. As it increases, we can abandon the PSI #SgHaze”") == [
        "Sg Haze: PSI is 170 as of 2pm"
    ]


@pytest.mark.parametrize(
    ("text", "claimed"),
    [
        ("Smoke of the wildfire has reached Lyons: LARAMIE, Wyo. (AP)", "Smoke of the wildfire has reached Lyons"),
        ("'Apocalyptic' storm floods Sardinia, 17 dead: ROME (AP) — The island of Sardinia, prized by the ... http://t.co/7",
         "Apocalyptic' storm floods Sardinia, 17 dead"),
        ("Flight delays continue across US after LAX shooting: Flights to and from Los Angeles con... http://t.co/V",
         "Flight delays continue across US after LAX shooting"),
        ("AP PHOTOS: Passengers evacuate Los Angeles International Airport following a shooting: http://t.co/ia",
         "Passengers evacuate Los Angeles International Airport following a shooting"),
        ("Costa Rica official: There's chaos in San Jose because it was a strong earthquake",
         "Costa Rica official: There's chaos in San Jose because it was a strong earthquake"),
        ("20 dead, 30 presumed dead in Quebec oil train crash- PHOTOS: Deadly train derailment: http://t.co/h",
         "20 dead, 30 presumed dead in Quebec oil train crash"),
        ("Já chegou em 245 o calculo de mortos na boate Kiss em Santa Maria .Que deus ilumine todos",
         "Já chegou em 245 o calculo de mortos na boate Kiss em Santa Maria"),
        ("RT @SgtJamesMain: @policescotland have issued a helpline for families following the Glasgow helicopter crash",
         "policescotland have issued a helpline for families following the Glasgow helicopter crash"),
    ],
)  # fmt: skip
def test_a_headline_stands_without_label_dateline_and_the_article_behind_it_but_with_who_says_or_does_it(
    text: str, claimed: str
) -> None:
    assert texts(text, "news")[0] == claimed


def test_what_media_tell_is_a_claim_rather_than_the_same_words_of_anybody() -> None:
    text = "Orphaned kids traumatized by typhoon"
    report, clause = model("claims/claim_model.json"), model("claims/clause_model.json")
    (of_media,), (of_anybody,) = (pieces_of(read(text), source, report) for source in ("news", "twitter"))
    assert of_media.claims(clause) > of_anybody.claims(clause)


def test_other_models_may_decide() -> None:
    text = "At least 35 people killed after train derails in Galicia, Spain"
    never = Models(Model(0, {}), Model(-5, {}))
    assert extract(read(text), "twitter", models=never).claims == ()
    always = Models(Model(0, {}), Model(5, {}))
    assert [claim.text for claim in extract(read("what a day for us"), "twitter", models=always).claims]


def test_a_language_that_is_not_read_is_said_to_be_unread() -> None:
    assert claims_of("Метеорит упал в Челябинске, пострадали 1200 человек") == Claims(unread=True)


def test_an_official_bulletin_claims_each_of_its_sentences_with_the_one_that_names_the_place() -> None:
    bulletin = "The main bridge in Lyons is closed. 20 homes were destroyed. 3 people are missing."
    assert texts(bulletin, "emergency") == [
        "The main bridge in Lyons is closed",
        "The main bridge in Lyons is closed. 20 homes were destroyed",
        "The main bridge in Lyons is closed. 3 people are missing",
    ]


PARTS = st.sampled_from(
    [
        "RT",
        "@x",
        ":",
        "#floodPH",
        "http://t.co/x",
        "…",
        "...",
        ",",
        " - ",
        "(",
        ")",
        "[",
        '"',
        "“",
        "?",
        "!",
        "12",
        "|",
        "killed",
        "in",
        "Lyons",
        "pray",
        "the",
        "I",
        "hope",
        "avoid",
        "İ",
        "ﷺ",
        "\n",
        "\x00",
        ";",
    ]
)


@given(
    st.one_of(
        st.text(max_size=200), st.lists(PARTS, max_size=40).map(" ".join), st.lists(PARTS, max_size=40).map("".join)
    )
)
def test_claims_of_any_text_stand_where_their_spans_say_in_order(text: str) -> None:
    before = 0
    for claim in claims_of(text, "emergency").claims:
        start, end = claim.span
        assert before <= start < end <= len(text)
        assert claim.text
        assert 0 <= claim.checkworthiness <= 1
        before = end


@pytest.mark.parametrize(
    "piece", ["12 killed, ", "RT @x: ", "#flood ", "((", "pray, ", "a", "…", "- by ", '"', "hope in ", "fire hit the "]
)
def test_repeats_of_anything_take_linear_time(piece: str) -> None:
    text = piece * (32_000 // len(piece)) + " ..."
    started = time.thread_time()
    claims_of(text)
    assert time.thread_time() - started < 5
