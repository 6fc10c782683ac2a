"""Reposts are told from reports of their own."""

import time

import pytest

from verifleet.agents.voices.originals import adds_nothing, author_of_words, keys, same_original
from verifleet.reading.reposts import original_of

QUAKE = "RT @BreakingNews: Magnitude 7.9 earthquake strikes off the coast of Costa Rica - USGS"


def same(one: str, other: str) -> bool:
    return same_original(original_of(one), original_of(other))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (QUAKE, "Oh dear RT @BreakingNews: Magnitude 7.9 earthquake strikes off the coast of Costa Rica - USGS"),
        (QUAKE, "“@BreakingNews: Magnitude 7.9 earthquake strikes off the coast of Costa Rica - USGS” stay safe all"),
        (
            "Reports of many people trapped after helicopter crashes into the roof of a pub - @SkyNewsBreak",
            "RT @SkyNewsBreak: Update - Reports of many people trapped after helicopter crashes into the roof of a…",
        ),
        (
            "Explosion kills 39 at Venezuela refinery http://t.co/wK6ApKNK",
            "enterprisedaily: Explosion kills 39 at Venezuela refinery - The death toll from an explosion at ... http://t.co/7",
        ),
        (
            "Floods recede in Manila as thousands evacuated http://t.co/q",
            "FLOOD ALERT: FLOOD NEWS: Floods recede in Manila as thousands evacuated - MyFox Los Angeles ...",
        ),
        (
            "(BBC) Wrecked ferry lifted from the harbour http://t.co/q",
            "Wrecked ferry lifted from the harbour: Divers lift a ferry that sank in a storm on... http://t.co/r",
        ),
        ("水庫大壩決口，居民立即撤離", "RT @x: 水庫大壩決口，居民立即撤離 http://t.co/a"),
    ],
)
def test_copies_are_the_same_whatever_stands_around_them(one: str, other: str) -> None:
    assert same(one, other)
    assert same(other, one)
    assert set(keys(original_of(one))) & set(keys(original_of(other)))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("RT @gma: tally: 325 dead, 411 injured, 379 missing", "RT @gma: tally: 332 dead, 411 injured, 379 missing"),
        ("Storm Maring is expected to leave by Wednesday night", "Storm Maring is expected to leave on Thursday night"),
        ("FALSE: the dam at Torpè has given way tonight", "the dam at Torpè has given way tonight"),
        ("Oil tanker train had no conductor aboard", "Oil tanker train had a conductor aboard"),
        (
            "The old bridge over the river has collapsed in the night, they…",
            "A fisherman who lives nearby says to us that the old bridge over the river has collapsed in the night.",
        ),
        ("stay safe everyone", "stay safe everyone"),
        (
            "The reservoir wall above Kandel has burst, everybody must leave the valley at once",
            "The reservoir wall above Kandel holds, nobody must leave their homes tonight",
        ),
        ("The bridge over the Arno was shut at 7 today", "The bridge over the Arno was shut at 9 today"),
        (
            "the old dam above Torpè has given way tonight",
            "Our photographer is there: FALSE: the old dam above Torpè has given way tonight",
        ),
        ("4 people killed in building collapse after 7.2 quake", "Four killed in building collapse after quake"),
    ],
)  # fmt: skip
def test_other_words_figures_and_denials_make_a_report_of_its_own(one: str, other: str) -> None:
    assert not same(one, other)


def test_a_repost_is_the_voice_of_its_author_and_may_add_words_of_its_own() -> None:
    plain, doubting = original_of(QUAKE), original_of("Not true! " + QUAKE)
    assert author_of_words("@Somebody", plain) == "breakingnews"
    assert author_of_words("@Somebody", original_of("A wall fell on our street")) == "somebody"
    assert adds_nothing(plain, original_of(QUAKE + " http://t.co/x"))
    assert same_original(doubting, plain)
    assert not adds_nothing(doubting, plain)


@pytest.mark.parametrize("part", ["“@a ", "RT @a: ", "... ", "…", "#x ", "http://", "via @a ", "a. ", '"@b: cc'])
def test_hostile_text_takes_linear_time(part: str) -> None:
    before = time.thread_time()
    original_of(part * 60_000)
    assert time.thread_time() - before < 2
