"""Claims: what is worth checking in a report, and how it is said."""

import json
from importlib.resources import files
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.unit.reports import claim as verdict_on
from tests.unit.reports import report
from verifleet.agents.verifier.checkworthiness import features, model, observations, plain, tokens
from verifleet.agents.verifier.claims import MAX_CLAIMS, ExtractedClaim, checkworthiness, extract_claims


def only(text: str, source: str = "twitter") -> ExtractedClaim:
    (claim,) = extract_claims(text, source=source)
    return claim


@pytest.mark.parametrize(
    "text",
    [
        "At least 20 people were injured when a bus overturned near the harbour",
        "Hearing that 3,000 homes are without power in the old town",
        "BREAKING: the reservoir wall has burst above Kandel, RUN",
        "OMG 300 injured in the blast!!! they are hiding it",
        "People say looters have emptied the pharmacy!!",
        "El terremoto dejó 20 muertos y 35 heridos",
        "Unemployment fell to 4.1 percent last year, the lowest rate in two decades.",
        "The senator voted against the bill three times in 2009.",
    ],
)
def test_statements_that_can_be_checked_are_claims(text: str) -> None:
    assert extract_claims(text, source="twitter")


@pytest.mark.parametrize(
    "text",
    [
        "Please pray for everyone in the valley",
        "I love this city so much, stay strong!",
        "Is the bridge closed?",
        "Buy now: 50% off all umbrellas, click here!!",
        "I think we must do better, my friends.",
        "Thank you very much and good evening.",
        "Good morning",
        "😀😀😀",
        "",
        "???",
    ],
)
def test_wishes_prayers_questions_adverts_and_noise_are_not(text: str) -> None:
    assert extract_claims(text, source="twitter") == []


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Three climbers rescued in Octavia gorge", "Three climbers rescued in Octavia gorge"),
        ("Tram cut in half in Via Mercato, two injured", "Tram cut in half in Via Mercato, two injured"),
        ("Two divers missing off the Azores via @portradio", "Two divers missing off the Azores"),
        ("Nine miners killed, the company is hushing it up", "Nine miners killed"),
        ("Forty homes burnt down and they just want to hush it up", "Forty homes burnt down"),
    ],
)
def test_no_claim_is_cut_in_a_word_or_before_its_verb(text: str, told: str) -> None:
    assert only(text).text == told


def test_letters_of_a_mere_style_and_disguise_are_read_as_plain_ones() -> None:
    official = report("Fire service: 4 people injured in the silo fire", "emergency")
    told = "\U0001d7d3\U0001d7ce p\U0001d41e\U0001d428ple injur\U0001d41e\U0001d41d in the silo fire"
    posts = [
        report(told),
        report("50 ｐｅｏｐｌｅ injured in the silo fire"),
        report("50 p\u0435ople inj\u1d1cred in the silo fire"),
    ]
    verdict = verdict_on(posts[0], official, *posts[1:])
    assert verdict.verdict == "refuted"
    assert verdict.claim.text == "50 people injured in the silo fire"
    assert told[slice(*verdict.claim.span)] == told


def test_a_claim_stands_where_its_span_says_without_marks_around_it() -> None:
    text = "RT @radio: UPDATE: 12 hurt in the ferry accident. Please stay away! http://t.co/x #ferry"
    claim = only(text)
    assert claim.text == "12 hurt in the ferry accident." == text[slice(*claim.span)]
    assert [text[slice(*quantity.span)] for quantity in claim.quantities] == ["12"]


def test_clauses_that_stand_alone_are_claims_of_their_own() -> None:
    claims = extract_claims(
        "No injuries were reported, but 20 homes were destroyed; the school is closed.", source="news"
    )
    assert [claim.kind for claim in claims] == ["quantity", "quantity", "status"]
    assert [q.slot for claim in claims for q in claim.quantities] == ["injured", "buildings_destroyed"]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Fire officials say 12 homes were destroyed", "quantity"),
        ("Officials say the blaze was caused by a broken power line", "causal"),
        ("Police say Harbour Bridge is closed to all traffic", "status"),
        ("The evacuation centre is at the Central Stadium, officials said", "entity"),
    ],
)
def test_kinds_of_claims(text: str, kind: str) -> None:
    assert only(text, "news").kind == kind


@pytest.mark.parametrize(
    ("text", "denied"),
    [
        ("Harbour Police denied claims that a second boat has sunk.", "a second boat has sunk"),
        ("City Council: reports that the water is poisoned are false.", "the water is poisoned"),
        ("It is not true that the driver was drunk, police said", "the driver was drunk"),
        ("Rumours of a second bomb are untrue, the police said.", "a second bomb"),
        ("Contrary to reports that the pier collapsed, it is open, officials said.", "the pier collapsed"),
        ("There is no evidence of looting at the mall, police said", "looting at the mall"),
        ("No second device was found, police said", "second device was found"),
        ("The dam has not burst.", "The dam has burst"),
        ("Nothing of the kind was found, police said", ""),
        ("There is no truth to this rumour, the fire department said.", ""),
    ],
)
def test_a_denial_names_what_it_denies(text: str, denied: str) -> None:
    claim = only(text, "official")
    assert claim.denies == denied
    assert (claim.modality, claim.hearsay) == ("asserted", False)


@pytest.mark.parametrize(
    "text",
    [
        "Police say 20 people were injured",
        "The police report names three suspects",
        "No injuries were reported by police",
    ],
)
def test_what_denies_nothing_has_no_denial(text: str) -> None:
    assert only(text, "official").denies is None


def test_negation_modality_hearsay_attribution_and_updates_are_kept() -> None:
    assert only("Police said the bridge is not closed", "official").negated
    assert only("Up to 20 people may have been injured, police fear").modality == "possible"
    assert only("Harbour Road is about to be closed for 3 days after the flood").modality == "predicted"
    assert only("Friend at the clinic says 50 people were injured in the crash").hearsay
    official = only("Civil Protection Agency: death toll in the flood rises to six as of 14:00.", "emergency")
    assert (official.attribution, official.update, official.hearsay) == ("Civil Protection Agency", True, False)
    assert only("Five people died in the fire, according to the Harbour Police").attribution == "the Harbour Police"


def test_short_statements_of_an_authority_are_claims() -> None:
    assert extract_claims("Main Street is open again", source="official")


def test_a_claim_travels_with_all_that_is_known_of_it() -> None:
    carried: dict[str, Any] = (
        only("Police denied claims that 20 people were injured", "official").as_claim().model_dump()
    )
    assert carried["kind"] == "quantity"
    assert carried["denies"] == "20 people were injured"
    assert carried["quantities"][0]["slot"] == "injured"
    json.dumps(carried)


def test_many_sentences_are_bounded_and_the_best_are_kept_in_order() -> None:
    claims = extract_claims("The road to Kandel is closed. 12 people were killed. " * 500, source="news")
    assert len(claims) == MAX_CLAIMS
    assert [claim.span for claim in claims] == sorted(claim.span for claim in claims)


@given(st.text(max_size=400), st.sampled_from(["twitter", "official", "sensor"]))
def test_any_text_gives_claims_within_it(text: str, source: str) -> None:
    for claim in extract_claims(text, source=source):
        assert text[slice(*claim.span)] == claim.text
        assert 0.5 <= claim.checkworthiness <= 1
        claim.as_claim()


def test_a_prayer_with_the_same_figure_is_worth_less_than_the_figure() -> None:
    assert checkworthiness("RIP, praying for the 12 victims") < checkworthiness("12 victims were found in the lake")


def test_the_shipped_model_is_small_and_knows_no_incident_by_name() -> None:
    size = len(files("verifleet.agents.verifier").joinpath("claim_model.json").read_bytes())
    assert size < 100_000
    assert not {"calgary", "colorado", "boulder", "glasgow", "bohol", "lax", "maring"} & set(model().weights)


def test_the_model_sees_words_pairs_length_and_rules() -> None:
    text = plain("RT @abc: 20 hurt in #BoulderFlood http://t.co/x")
    words = tokens(text)
    seen = features(words, observations(text, words))
    assert {"<rt>", "<num>", "hurt", "<num> hurt", "boulder", "<toll>", "<length1>"} <= set(seen)


@pytest.mark.parametrize(
    "text",
    [
        "She opposed the farm bailout.",
        "Not a single senator voted for that treaty.",
        "He said that he would never sign the tariffs, and then he signed them in May.",
        "Homelessness has doubled since you came into office.",
    ],
)
def test_stands_taken_in_debates_are_worth_checking(text: str) -> None:
    assert checkworthiness(text) >= 0.5


@pytest.mark.parametrize(
    "text",
    [
        "Each of you has two minutes for a closing statement.",
        "You have sixty seconds to respond.",
        "The dam operators only care about money, always the same story.",
        "#Sado flood: the mayor should be jailed, shameful",
    ],
)
def test_moderation_and_blame_are_not(text: str) -> None:
    assert checkworthiness(text) < 0.5


@pytest.mark.parametrize("text", ["Relatives? Please go to Uhuru Hall", "come to the old school, cots are ready"])
def test_where_people_are_sent_is_a_claim_though_it_is_a_command(text: str) -> None:
    assert extract_claims(text, source="twitter")


@pytest.mark.parametrize(
    ("text", "claims"),
    [
        ("x", 0),
        ("Crews on the scene.", 0),
        ("Firefighters are now at the site", 0),
        ("Move out now.", 0),
        ("Please ignore false rumours circulating on Facebook.", 0),
        ("Further details to follow.", 0),
        ("Evacuate Mill Street now", 1),
        ("Leave the harbour district at once", 1),
        ("Crews are on the scene of a fire at the mill", 1),
        ("Power restored.", 1),
        ("Two dead.", 1),
    ],
)
def test_what_a_body_sends_is_a_claim_where_it_says_something_of_the_world(text: str, claims: int) -> None:
    assert len(report(text, "emergency").claims) == claims


@pytest.mark.parametrize(
    "text",
    [
        "the keeper of the lighthouse had a heart attack",
        "the theatre is lending its hall to the school, parents are crying",
        "the college is sending its boarders to Sale tonight",
    ],
)
def test_an_illness_what_others_feel_and_a_name_express_no_feeling_of_the_teller(text: str) -> None:
    assert report(text).claims


def test_who_is_told_to_go_to_high_ground_is_sent_to_no_place() -> None:
    (first, *_) = report("Mudflow coming down the valley!!! Everyone go to high ground").claims
    assert first.text.startswith("Mudflow")


@pytest.mark.parametrize(
    ("post", "own"),
    [
        ("60 hectares my arse, it's well over 200", "it's well over 200"),
        ("Civil defence says 12 hurt, a nurse at the clinic counts 45", "a nurse at the clinic counts 45"),
        ("12 hurt in the mill. Nonsense, there were 45", "there were 45"),
        ("Four hurt in the mill? Yeah right. At least 45 people were hurt", "At least 45 people were hurt"),
    ],
)
def test_of_a_figure_quoted_to_mock_it_the_claim_is_what_its_author_says(post: str, own: str) -> None:
    told = only(post)
    assert told.text == own == post[slice(*told.span)]
    (figure,) = told.quantities
    assert figure.slot in {"injured", "area_burned"}
    assert figure.low >= 45


@pytest.mark.parametrize(
    "post",
    [
        'Oh sure, "only" 300 flats without water in Porto, and I\'m the Pope',
        "300 flats without water in Porto my foot",
        "300 flats without water in Porto. In your dreams!",
    ],
)
def test_what_a_post_only_mocks_is_no_claim(post: str) -> None:
    assert extract_claims(post, source="twitter") == []


@pytest.mark.parametrize(
    "text",
    [
        "If the levee at Porto breaks, 300 people will have to leave",
        "Should the levee break, 300 people would be evacuated in Porto",
        "Agency retracts its earlier story of 300 people evacuated in Porto",
        "The report that 300 people were evacuated in Porto was withdrawn",
        "Back in 1998 300 people were evacuated in Porto",
        "300 people evacuated in Porto?",
    ],
)
def test_what_nobody_states_supports_nothing(text: str) -> None:
    post = report("300 people evacuated in Porto, the levee road is shut")
    assert verdict_on(post, report(text, "news", author="Agency")).verdict == "insufficient"
    assert verdict_on(report(text, "news", author="Agency"), post).verdict == "insufficient"


@pytest.mark.parametrize(
    "text",
    [
        "300 people evacuated in Porto, can anybody take in a dog?",
        "300 people evacuated, it is not known if they will be housed",
        "In the worst storm since 1998 300 people were evacuated",
        "300 people evacuated in Porto after part of the bridge fell on my arse of a car",
    ],
)
def test_what_is_stated_beside_a_question_or_a_comparison_counts(text: str) -> None:
    post = report("300 people evacuated in Porto, the levee road is shut")
    assert verdict_on(post, report(text, "news", author="Agency")).verdict == "supported"


@pytest.mark.parametrize(
    "lead", ["Just so you know, ", "Not on the news yet but ", "For anyone wondering: ", "I can't confirm it but "]
)
def test_what_a_post_says_to_its_readers_is_no_part_of_its_claim(lead: str) -> None:
    (found,) = extract_claims(f"{lead}the weir on the Minho has collapsed", source="twitter")
    assert (found.text, found.negated) == ("the weir on the Minho has collapsed", False)


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("Chimney of the Novi Sad dairy just broke off, cars under it", "Novi Sad, Serbia"),
        ("at least 9 still in the lift shaft in happy valley", "Happy Valley"),
        ("a yacht rammed the pier at Deal, its listing to port", "Deal"),
    ],
)
def test_the_name_of_a_place_expresses_nothing(text: str, place: str) -> None:
    (told,) = report(text, location=place).claims
    assert told.text == text


def test_a_number_to_call_about_the_missing_is_a_claim_and_that_of_a_shop_is_none() -> None:
    assert extract_claims("dial 0351 555 70 for news of missing pupils", source="twitter")
    assert not extract_claims("dial 0351 555 70 for news of our family offers", source="twitter")


@pytest.mark.parametrize(
    "text",
    [
        "watching the highlights from Porto",
        "that midfielder scored from the halfway line in Porto",
        "the new songs from Porto are out",
        "it's always the little man who pays in Porto",
        "we are hiring a baker in Porto",
        "beautiful morning in Porto",
        "help the families, donate now",
    ],
)
def test_chat_beside_the_incident_is_no_claim(text: str) -> None:
    assert report(text).claims == ()


def test_that_nobody_will_say_it_is_no_part_of_what_somebody_says() -> None:
    (told,) = report("the arsonist is a former guard, obviously the press will not say so", event_type="fire").claims
    assert told.text == "the arsonist is a former guard"


@pytest.mark.parametrize(
    "post",
    [
        "On paper 4 hurt in the mill, in reality 45",
        "4 hurt in the mill?! More like 45",
        "The mill owner admits 4 hurt but we saw 45 in the yard",
        "4 hurt in the mill, more like 45",
    ],
)
def test_what_is_more_like_it_is_the_claim(post: str) -> None:
    (figure,) = only(post).quantities
    assert (figure.slot, figure.low) == ("injured", 45)


@pytest.mark.parametrize(
    "text",
    [
        "An earlier version of this article said 300 people were evacuated in Porto",
        "We told you that 300 people were evacuated in Porto. This was wrong.",
        "Suppose 300 people are evacuated in Porto tonight",
        "It could have been 300 people evacuated in Porto",
        "The Porto flood of 1962 saw 300 people evacuated",
    ],
)
def test_what_was_wrong_or_nearly_so_supports_nothing(text: str) -> None:
    post = report("300 people evacuated in Porto, the levee road is shut")
    assert verdict_on(post, report(text, "news", author="Agency")).verdict == "insufficient"


def test_a_story_that_its_author_took_back_supports_nobody() -> None:
    post = report("300 people evacuated in Porto, the levee road is shut")
    story = report("Some 300 people were evacuated from their homes on the Douro", "news", author="Agency", minutes=1)
    withdrawn = report("Agency retracts its story of 300 people evacuated", "news", author="Agency", minutes=9)
    other = report("Paper retracts its story of 300 people evacuated", "news", author="Paper", minutes=9)
    assert verdict_on(post, story, other).verdict == "supported"
    assert verdict_on(post, story, withdrawn).verdict == "insufficient"


def test_who_calls_for_help_says_where_he_is() -> None:
    (told,) = report("help us, we are in the attic at Rua Nova 9").claims
    assert "attic" in told.text


@pytest.mark.parametrize(
    "post",
    ["The mill says 12 people hurt, I know two of them", "The mill says 12 people hurt, we counted five ambulances"],
)
def test_some_of_those_counted_or_other_things_are_not_set_against_a_figure(post: str) -> None:
    assert "injured" in {figure.slot for figure in only(post).quantities}
    assert only(post).text == post


@pytest.mark.parametrize(
    "text", ["The toy fair is put back to October", "The lift is out of order till May", "The song festival is off"]
)
def test_a_fair_a_month_and_a_festival_are_no_opinion_and_no_chat(text: str) -> None:
    assert [claim.text for claim in extract_claims(text, source="twitter", least=0.1, told=True)] == [text]
