"""Verdicts on claims from what other reports say."""

from __future__ import annotations

from datetime import timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.unit.reports import NOW, claim, event, report, verify
from verifleet.agents.quantities import Quantity
from verifleet.agents.verifier import evidence, figures, memory
from verifleet.agents.verifier.arithmetic import sums
from verifleet.agents.verifier.events import prepare
from verifleet.agents.verifier.known import known_evidence
from verifleet.agents.verifier.memory_json import from_json, to_json
from verifleet.agents.verifier.wording import near_copy, signature

OFFICIAL = "emergency"


def test_a_lone_post_is_insufficient_not_refuted() -> None:
    found = claim(report("62 people injured by the storm in Porto"))
    assert (found.verdict, found.verified) == ("insufficient", False)
    assert 0.2 < found.confidence < 0.5


def test_a_first_hand_official_report_stands_on_its_own_authority_and_says_so() -> None:
    found = claim(report("Fire Service: 62 people were injured in Porto.", OFFICIAL))
    assert (found.verdict, found.verified) == ("supported", True)
    assert [e.reason for e in found.evidence] == ["first-hand official report, its own authority"]


@pytest.mark.parametrize(
    "other",
    [
        "Hospitals in Porto took in sixty-two casualties",
        "62 hospitalised after the storm, Porto radio says",
        "At least 60 people hurt in Porto",
        "Nearly 65 wounded in the storm in Porto",
    ],
)
def test_an_independent_report_of_the_same_figure_supports_in_any_wording(other: str) -> None:
    found = claim(report("62 people injured by the storm in Porto"), report(other, "news", minutes=9))
    assert (found.verdict, found.verified) == ("supported", True)


def test_the_same_author_and_near_copies_and_reposts_support_nothing() -> None:
    own = report("62 people injured by the storm in Porto", author="ana")
    same_author = report("sixty-two hurt in the Porto storm, horrible", minutes=3, author="@Ana")
    copy = report("62 people injured by the storm in Porto!!", minutes=4, author="rui")
    repost = report("RT @ana: sixty-two wounded here in Porto", minutes=5, author="eva")
    assert claim(own, same_author, copy, repost).verdict == "insufficient"


def test_copies_of_one_text_count_as_one_voice() -> None:
    own = report("62 people injured by the storm in Porto")
    one = report("hospital says sixty-two wounded came in tonight", minutes=2, author="a")
    copy = report("hospital says sixty-two wounded came in tonight...", minutes=3, author="b")
    assert claim(own, one, copy).confidence == claim(own, one).confidence


def test_an_official_figure_far_off_refutes_and_belief_is_low_whoever_claims() -> None:
    found = claim(
        report("400 people injured by the storm in Porto", "news", minutes=20),
        report("Fire Service: 62 people were injured in Porto.", OFFICIAL, minutes=9),
    )
    assert found.verdict == "refuted"
    assert found.confidence <= 0.2


def test_a_later_official_figure_is_an_update_not_a_contradiction() -> None:
    early = report("Fire Service: three dead in Porto.", OFFICIAL, author="fire", minutes=0)
    later = report("Civil Protection: the death toll in Porto is now nine.", OFFICIAL, author="civil", minutes=240)
    social = report("3 dead in the Porto storm", minutes=5)
    assert claim(early, later, social).verdict == "supported"
    assert claim(later, early, social).verdict == "supported"
    assert claim(social, early, later).verdict == "supported"


TOLL = "Fire Service: 10 people were killed in Porto, 40 injured."
RISEN = "Fire Service: the death toll in Porto rises to 25."


@pytest.mark.parametrize("minutes", [0.01, 300])
@pytest.mark.parametrize("author", ["fire", "civil protection"])
def test_a_later_official_figure_takes_the_place_of_the_earlier_one(minutes: float, author: str) -> None:
    first = report(TOLL, OFFICIAL, author="fire")
    update = report(RISEN, OFFICIAL, author=author, minutes=minutes)
    news = report("25 people have died in the storm in Porto", "news", minutes=2 * minutes)
    paper = report("Storm kills twenty-five in Porto, says hospital", "news", minutes=3 * minutes)
    late = report("I saw 10 dead in Porto", minutes=3 * minutes)
    everyone = (first, update, news, paper, late)
    assert [claim(one, *(o for o in everyone if o is not one)).verdict for one in everyone] == [
        *["supported"] * 4,
        "refuted",
    ]
    assert any("update of the figure" in e.reason for e in claim(first, update, news, paper).evidence)


def test_of_two_official_figures_of_one_time_the_one_that_came_in_later_is_current() -> None:
    first = prepare(event(TOLL, OFFICIAL, author="fire"), arrived=NOW)
    update = prepare(event(RISEN, OFFICIAL, author="fire"), arrived=NOW + timedelta(seconds=1))
    news = report("25 people have died in the storm in Porto", "news")
    assert claim(news, first, update).verdict == claim(news, update, first).verdict == "supported"


def test_who_repeated_the_official_figure_before_it_rose_was_right() -> None:
    repeated = report("10 dead in the Porto storm, they say on the radio", minutes=30)
    later = report(RISEN, OFFICIAL, author="fire", minutes=60)
    assert claim(repeated, report(TOLL, OFFICIAL, author="fire"), later).verdict == "supported"


def test_an_update_of_one_figure_leaves_the_others_open_to_contradiction() -> None:
    papers = [report(told, "news", minutes=70) for told in ("90 injured in Porto", "Ninety hurt by storm, says clinic")]
    update = report(RISEN, OFFICIAL, author="fire", minutes=60)
    assert claim(report(TOLL, OFFICIAL, author="fire"), update, *papers).verdict == "conflicting"


@pytest.mark.parametrize(
    ("against", "verdict"),
    [
        ([("I heard 50 people died in Porto", "social")], "supported"),
        (
            [(f"{told} in Porto", "social") for told in ("fifty dead", "51 killed by the storm", "50 bodies")],
            "supported",
        ),
        ([("Storm in Porto kills 50", "news")], "supported"),
        ([("Reportedly 50 dead in Porto", "news"), ("Unconfirmed: storm kills fifty in Porto", "news")], "supported"),
        ([("Storm in Porto kills 50", "news"), ("Fifty people died in Porto, clinics say", "news")], "conflicting"),
    ],
)
def test_only_credible_voices_shake_what_an_authority_states(against: list[tuple[str, str]], verdict: str) -> None:
    others = [report(told, source, minutes=60 + at) for at, (told, source) in enumerate(against)]
    found = claim(report(TOLL, OFFICIAL), *others)
    assert (found.verdict, found.verified) == (verdict, verdict == "supported")
    assert any(e.stance == "refutes" for e in found.evidence)  # what is told against it is shown all the same


def test_figures_of_special_groups_and_of_other_places_do_not_contradict() -> None:
    own = report("3 firefighters injured in Porto")
    everyone = report("Fire Service: 62 people were injured in Porto.", OFFICIAL, minutes=9)
    elsewhere = report("Fire Service: 40 firefighters injured in Braga.", OFFICIAL, minutes=9, location="Braga")
    assert claim(own, everyone, elsewhere).verdict == "insufficient"


def test_a_report_from_days_before_is_another_incident() -> None:
    own = report("62 people injured by the storm in Porto")
    assert claim(own, report("62 wounded in Porto", "news", minutes=-6 * 24 * 60)).verdict == "insufficient"


RUMOUR = "the Lindoso dam has burst in Porto"


@pytest.mark.parametrize(
    "denial",
    [
        "Civil Protection denied claims that the Lindoso dam has burst.",
        "Civil Protection: reports that the Lindoso dam burst are false.",
        "There is talk of a breach of the Lindoso dam. Nothing of the kind was found by our engineers.",
        "Engineers inspected the Lindoso dam, which is intact and holding.",
        "The Lindoso dam has not collapsed, contrary to what is shared online.",
        "No evidence that the Lindoso dam gave way.",
    ],
)
def test_an_official_denial_refutes_the_rumour_also_when_it_is_indirect(denial: str) -> None:
    found = claim(report(RUMOUR), report(denial, OFFICIAL, minutes=10))
    assert found.verdict == "refuted"
    assert found.confidence <= 0.2


@pytest.mark.parametrize(
    ("rumour", "denial"),
    [
        ("The old viaduct in Porto has come down", "City Works: The viaduct is open to all traffic."),
        ("The harbour crane is about to fall", "Port Authority: We checked the crane this morning. It is sound."),
        ("Our wells in Porto are poisoned", "Health Office: Samples from the wells meet all standards."),
        ("Divers are trapped in the Porto caves", "Rescue Service: All divers left the caves and are accounted for."),
        ("Porto cinema is being plundered", "Police: We have had no reports of thefts around the cinema."),
        ("The ferry captain was abducted", "Coast Guard: What was posted about the captain is pure invention."),
        ("The lighthouse burned to the ground", "Civil Protection: Talk about the lighthouse is nonsense."),
    ],
)
def test_a_reassurance_that_shares_only_its_topic_speaks_against_a_rumour(rumour: str, denial: str) -> None:
    found = claim(report(rumour), report(denial, OFFICIAL, minutes=10))
    assert found.verdict == "refuted", found


@pytest.mark.parametrize(
    ("told", "reassurance"),
    [
        ("The quarry road is blocked by mud", "City Works: The viaduct is open to all traffic."),
        ("A rest stop sign fell on a parked van", "Civil Protection: A rest centre is open at Garcia School."),
        (RUMOUR, "City Works: The spire was inspected and remains stable."),
        ("The old viaduct closes for a fortnight", "City Works: Teams went over the viaduct and found no defects."),
        ("Foreign aid was turned back at the border", "Harbour Office: Sea level is back to normal."),
        ("62 people injured by the storm in Porto", "Rescue Service: All divers left the caves and are accounted for."),
        ("18 dead in the Porto storm", "Civil Protection: Nobody died in the shelter, that is pure invention."),
    ],
)
def test_a_reassurance_about_something_else_says_nothing(told: str, reassurance: str) -> None:
    found = claim(report(told), report(reassurance, OFFICIAL, minutes=10))
    assert found.verdict == "insufficient", found


def test_no_reassurance_speaks_against_what_is_told_after_it() -> None:
    denial = report("City Works: The viaduct is open to all traffic.", OFFICIAL, minutes=0)
    assert claim(report("The old viaduct in Porto has come down", minutes=60), denial).verdict == "insufficient"


def test_rumours_denied_without_saying_which_lower_belief_and_settle_nothing() -> None:
    own = report("The old viaduct in Porto has come down")
    denial = report("Civil Protection: please ignore the rumours. They are false.", OFFICIAL, minutes=10)
    found = claim(own, denial)
    assert found.verdict == "conflicting"
    assert 0.2 < found.confidence < claim(own).confidence
    counted = report("62 people injured by the storm in Porto", "news")
    assert claim(counted, denial).verdict == "insufficient"


def test_an_incident_report_without_a_clear_claim_has_its_nearest_one_judged() -> None:
    assert claim(report("Traffic lights out all along Rua Nova")).verdict == "insufficient"
    assert verify(report("Praying for everybody in Porto tonight")).verified_claims == []
    assert verify(report("Buy our new storm lamps, 20% off")).verified_claims == []


def test_those_at_one_shelter_are_not_all_who_left() -> None:
    official = report("Civil Protection: 2,950 people were evacuated from Porto.", OFFICIAL, minutes=3)
    assert claim(official, report("340 people spent the night at Garcia School", "news")).verdict == "supported"


def test_a_denial_hits_only_what_it_denies() -> None:
    denial = report("Civil Protection: rumours of looting in the centre are untrue.", OFFICIAL, minutes=10)
    assert claim(report(RUMOUR), denial).verdict == "insufficient"
    other = report("Fire Service: 62 people were injured in the centre of Porto.", OFFICIAL, author="fire")
    assert claim(other, denial).verdict == "supported"
    assert claim(denial, report("gangs are looting the centre of Porto")).verdict == "supported"


def test_one_shelter_in_two_places_is_a_contradiction_two_shelters_are_none() -> None:
    official = report("Civil Protection: the evacuation centre is at Garcia School.", OFFICIAL, minutes=3)
    assert claim(report("The evacuation centre is at Harbour Hall"), official).verdict == "refuted"
    assert claim(report("A second evacuation centre opened at Harbour Hall"), official).verdict != "refuted"


def test_the_right_number_at_the_wrong_place_is_not_supported() -> None:
    official = report("Civil Protection: 350 people were evacuated to Garcia School.", OFFICIAL, minutes=3)
    assert claim(report("350 evacuated to Harbour Hall in Porto"), official).verdict == "refuted"


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("20 people hurt: 12 men and 5 women", False),
        ("12 men and 5 women were hurt, 20 in all", False),
        ("A total of 17 people, 12 men and 5 women, were hurt", True),
        ("seventeen rescued (twelve adults, five children)", True),
        ("20 casualties, including 3 dead and 4 injured", True),
        ("11 vehicles wrecked: six cars, three vans and a bus", False),
        ("14 boats sunk off Porto: 5 yachts and 6 fishing boats", False),
        ("Rua Nova: 25 trees down (10 oaks, 5 pines)", False),
        ("15 cars crushed (10 parked, 5 moving)", True),
        ("18 roofs torn off = 5 houses + 3 barns", False),
        ("11 people stuck in a lift: 7 tourists and 4 locals", True),
    ],
)
def test_parts_are_added_up(text: str, right: bool) -> None:
    assert [found.adds_up for found in sums(text)] == [right]


@pytest.mark.parametrize(
    "text",
    [
        "As of 14:00: 3 dead and 12 injured",
        "Magnitude 6 quake: 3 dead, 5 injured",
        "2 explosions: 3 dead and 12 injured",
    ],
)
def test_numbers_that_are_no_total_are_not_added_up(text: str) -> None:
    assert sums(text) == []


def test_a_wrong_sum_ranks_between_a_single_report_and_a_contradicted_one() -> None:
    wrong = verify(report("20 people hurt in Porto: 12 men and 5 women")).reliability_score
    single = verify(report("17 people hurt in Porto: 12 men and 5 women")).reliability_score
    official = report("Fire Service: 62 people were injured in Porto.", OFFICIAL, minutes=9)
    contradicted = verify(report("400 people hurt in Porto", minutes=12), official).reliability_score
    assert single > wrong > contradicted


def test_reports_rank_official_corroborated_single_contradicted() -> None:
    official = report("Fire Service: 62 people were injured in Porto.", OFFICIAL, minutes=9)
    social = report("sixty-two hurt here in Porto by the storm", minutes=2)
    single = report("9,000 homes without power in Porto", minutes=4)
    wrong = report("300 people injured in Porto!!", minutes=15)
    everyone = [official, social, single, wrong]
    scores = [verify(own, *(o for o in everyone if o is not own)).reliability_score for own in everyone]
    assert scores == sorted(scores, reverse=True)
    assert len(set(scores)) == 4


def test_evidence_names_source_stance_reason_and_time() -> None:
    other = report("Fire Service: 62 people were injured in Porto.", OFFICIAL, author="porto_fire", minutes=9)
    evidence = claim(report("62 people injured in Porto"), other).evidence
    assert [(e.source, e.stance, e.observed_at) for e in evidence] == [
        ("porto_fire", "supports", other.event.timestamp)
    ]
    assert "same figure" in evidence[0].reason


def test_a_report_survives_the_store_unchanged() -> None:
    kept = report("Civil Protection: 350 were evacuated to Garcia School; 3 firefighters hurt.", OFFICIAL).report
    assert from_json(to_json(kept)) == kept


def test_keys_name_session_place_and_feature_and_sessions_never_share_one() -> None:
    kept = report("62 people injured in Porto").report
    one, other = memory.stored_keys("a", kept), memory.stored_keys("a|porto", kept)
    assert set(one).isdisjoint(other)
    assert set(memory.query_keys("a", kept, official=False, limit=30)) & set(one)


def test_a_report_from_the_future_is_judged_by_event_time() -> None:
    own = report("62 people injured in Porto", minutes=10_000_000)
    assert claim(own, report("62 wounded in Porto", "news", minutes=10_000_009)).verdict == "supported"


def _figure(low: float, high: float | None) -> Quantity:
    return Quantity(low, high, "exact" if low == high else "range", False, "injured", "", "", (0, 1), "x")


@given(st.integers(0, 10**6), st.integers(0, 10**6))
@settings(max_examples=60, deadline=None)
def test_comparing_figures_is_symmetric_and_keeps_the_thresholds(one: int, other: int) -> None:
    relation = figures.compare_quantities(_figure(one, one), _figure(other, other))
    assert relation == figures.compare_quantities(_figure(other, other), _figure(one, one))
    gap = abs(one - other) / max(one, other, 1)
    assert relation == ("agree" if gap <= 0.10 else "differ" if gap > 0.25 else "consistent")


@given(st.text(max_size=80), st.text(max_size=80))
@settings(max_examples=60, deadline=None)
def test_near_copy_is_symmetric_and_a_text_is_a_copy_of_itself(one: str, other: str) -> None:
    first, second = signature(one), signature(other)
    assert near_copy(first, second) == near_copy(second, first)
    assert near_copy(first, first) == bool(first)


def test_a_knowledge_base_supports_its_answer_and_refutes_another_number() -> None:
    facts = {"What was The height of the Lindoso dam?": ["110 metres"], "What is the capital of Portugal?": ["Lisbon"]}

    def stance_of(text: str) -> str | None:
        item = known_evidence(text, lambda question: facts.get(question, []))
        return item.stance if item else None

    assert stance_of("The height of the Lindoso dam was 110 metres.") == "supports"
    assert stance_of("The height of the Lindoso dam was 60 metres.") == "refutes"
    assert stance_of("the capital of Portugal is beautiful") is None
    assert stance_of("Fire everywhere") is None


WORDS = st.lists(
    st.sampled_from("dam fire 62 hurt street bridge closed says rising tonight loud near".split()), max_size=9
)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(WORDS, st.sampled_from(["", "a", "b"]), st.sampled_from(["news", OFFICIAL])), max_size=9))
def test_a_voice_is_an_author_with_all_copies_of_what_was_written(told: list[tuple[list[str], str, str]]) -> None:
    reports = [
        report(" ".join(words) or "-", source, minutes=index, author=author).report
        for index, (words, author, source) in enumerate(told)
    ]
    expected: list[list[memory.Report]] = []
    for one in sorted(reports, key=lambda r: (-r.weight, r.time, r.event_id)):
        voice = next((v for v in expected if any(evidence._dependent(one, other) for other in v)), None)
        if voice is None:
            expected.append([one])
        else:
            voice.append(one)
    assert evidence.voices(reports) == expected


@pytest.mark.parametrize(
    ("text", "claims"), [("queue of lorries at the border post", 1), ("praying for all of you", 0), ("stay safe!", 0)]
)
def test_a_plain_remark_about_a_place_is_a_claim_and_a_wish_is_none(text: str, claims: int) -> None:
    assert len(report(text).claims) == claims


def test_an_official_correction_of_a_place_takes_the_place_of_the_earlier_one() -> None:
    first = report("County: the shelter is at Nelson Hall.", "official", author="county")
    post = report("People go to Las Flores High School, that is the shelter", minutes=5)
    other = report("Red Cross: the shelter is at Nelson Hall.", "official", author="cross", minutes=6)
    text = "Correction: the shelter is at Las Flores High School, not at Nelson Hall."
    correction = report(text, "official", author="county", minutes=30)
    late = report("The shelter is at Nelson Hall, bring blankets", minutes=40)
    assert claim(post, first).verdict == "refuted"
    assert claim(post, first, correction).verdict == "supported"
    assert claim(post, first, other, correction).verdict == "supported"
    assert claim(late, first, correction).verdict == "refuted"
    assert claim(late, other, correction).verdict == "refuted"


def test_a_lone_post_does_not_shake_a_newsroom() -> None:
    news = report("Skipper of the Porto ferry tested negative for alcohol, police say", "news", minutes=9)
    told = claim(news, report("the skipper of the Porto ferry was drunk"))
    assert told.verdict == "insufficient"
    assert any(item.reason.startswith("a lone post") for item in told.evidence)


@pytest.mark.parametrize(
    "copied",
    ["Oh no. RT @ana: {}", "omg no words RT @ana: {}", "“{}” - @ana", "Retweeting @ana: {}", "pls share!! {}"],
)
def test_a_repost_with_a_word_of_its_own_is_no_second_voice(copied: str) -> None:
    text = "The lido at Foz stays shut till Sunday"
    assert claim(report(text), report(copied.format(text), minutes=3)).verdict == "insufficient"
