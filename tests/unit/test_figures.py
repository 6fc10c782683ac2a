"""What the figures of one report say about those of another."""

from __future__ import annotations

import pytest

from tests.unit.reports import claim, report


def reasons(own, *others) -> str:
    return " / ".join(item.reason for item in claim(own, *others).evidence)


def sensor(content: str, station: str, minutes: float = 0):
    return report(content, "sensor", minutes=minutes, metadata={"author": station})


class TestSensors:
    def test_the_reading_of_one_gauge_says_nothing_of_another(self):
        rise = sensor("Gauge K1: water level 7.90 m", "k1", 80)
        found = claim(
            rise, sensor("Gauge K1: water level 4.30 m", "k1"), sensor("Gauge M4: water level 4.40 m", "m4", 5)
        )
        assert found.verdict == "insufficient"
        assert not found.evidence

    def test_rain_is_not_held_against_the_level_of_a_river(self):
        rain = sensor("Rain gauge P7: 55 mm", "p7")
        level = report("River gauge at the mill: water level 3.10 m", "official", minutes=2)
        assert not claim(rain, level).evidence
        assert claim(level, rain).verdict == "supported"

    def test_an_index_of_the_air_is_not_held_against_its_dust(self):
        dust = report("Air board: PM2.5 is 280 µg/m³ downtown", "official")
        assert not claim(report("The AQI is 420 downtown", minutes=4), dust).evidence

    def test_the_same_dust_still_compares_with_and_without_its_unit(self):
        dust = report("Air board: PM2.5 is 280 µg/m³ downtown", "official")
        assert claim(report("PM2.5 at 900 downtown", minutes=4), dust).verdict == "refuted"

    def test_two_seismometers_that_measure_one_quake_agree(self):
        one, other = (sensor(f"Magnitude {size} earthquake offshore", size) for size in ("6.1", "6.2"))
        assert claim(one, other).verdict == "supported"


class TestNobody:
    def test_nobody_is_no_part_of_those_whom_an_authority_counts(self):
        officials = report("Blaze in Rua Nova. Three injured.", "emergency")
        assert claim(report("Blaze in Rua Nova, no injuries", minutes=2), officials).verdict == "refuted"


class TestOneHospital:
    ministry = report("Health ministry: 52 injured in the stadium crush", "official")
    hospital = report("Santa Clara Hospital: we received 23 injured from the stadium crush", "official", minutes=3)

    def test_those_whom_one_hospital_received_do_not_refute_the_whole(self):
        news = report("52 injured in stadium crush", "news", minutes=5)
        assert claim(news, self.ministry, self.hospital).verdict == "supported"

    def test_several_hospitals_together_count_all(self):
        rumour = report("52 injured in the stadium crush", minutes=5)
        every = report("Hospitals have received 23 injured from the stadium crush", "official", minutes=3)
        assert claim(rumour, every).verdict == "refuted"


class TestUpdates:
    def test_an_older_figure_of_a_newsroom_counts_no_more_once_an_authority_gave_a_later_one(self):
        old = report("Two injured in the tram crash", "news", minutes=4)
        first = report("2 injured in the tram crash", "official", metadata={"author": "transit"})
        later = report(
            "Correction: 3 injured in the tram crash", "official", minutes=30, metadata={"author": "transit"}
        )
        assert claim(report("4 injured in the tram crash", "news", minutes=35), old, first, later).verdict != "refuted"

    def test_what_had_been_counted_twice_is_no_count(self):
        revised = report("Rescue agency revises toll: 30 dead, two bodies were counted twice", "official", minutes=9)
        assert "two" not in reasons(report("36 dead in the collapse", "emergency"), revised)


class TestReasons:
    @pytest.mark.parametrize(
        ("own", "other", "told"),
        [
            ("5 dead in the shooting", "60 dead in the shooting", "told before"),
            ("12 hurt in the shooting", "at least 14 hurt in the shooting", "is near that figure"),
        ],
    )
    def test_a_rumour_is_no_update_of_an_official_figure(self, own, other, told):
        assert told in reasons(report(own, "official", minutes=5), report(other))

    def test_a_magnitude_is_part_of_no_greater_one(self):
        own = report("Magnitude 6.4 earthquake near Agra Harbour", "official")
        assert "part" not in reasons(own, report("9.1 magnitude earthquake", minutes=4))

    def test_magnitudes_three_tenths_apart_are_not_the_same(self):
        own = report("Magnitude 7.1 earthquake", minutes=4)
        assert claim(own, report("Magnitude 7.4 earthquake", "official")).verdict == "insufficient"


class TestGroupsAndTheRest:
    def test_a_figure_of_those_served_is_none_of_those_who_serve(self):
        officials = report("2 nurses and 9 patients injured in the clinic blaze", "emergency")
        assert claim(report("9 nurses injured in the clinic blaze", minutes=4), officials).verdict == "insufficient"

    def test_a_figure_carries_no_claim_whose_other_half_the_same_authority_denies(self):
        officials = report("The gunman at the mall is not in custody. 4 victims, all dead.", "emergency")
        assert claim(report("Gunman is in custody, 4 dead at the mall", minutes=4), officials).verdict == "refuted"
        assert claim(report("4 dead at the mall", minutes=4), officials).verdict == "supported"

    def test_a_figure_told_of_one_kind_of_site_is_not_borne_out_by_that_of_another(self):
        officials = report("Rocket strike on an apartment block, 7 killed", "emergency")
        assert claim(report("School destroyed by rocket, 7 killed", minutes=4), officials).verdict == "insufficient"
        assert claim(report("Apartment block hit by rocket, 7 killed", minutes=4), officials).verdict == "supported"
        assert claim(report("Rocket strike, 7 killed", minutes=4), officials).verdict == "supported"


class TestMeasures:
    def test_the_same_amount_of_the_same_substance_agrees_in_any_unit(self):
        official = report("Harbour Office: an estimated 3 tonnes of ammonia escaped at the cold store.", "official")
        assert claim(report("Roughly 3,000 kilos of ammonia got out, says a driver"), official).verdict == "supported"
        assert claim(report("50 tonnes of ammonia got out", minutes=4), official).verdict == "refuted"

    @pytest.mark.parametrize(
        "told", ["40 tonnes of foam were laid down at the cold store", "The cold store holds 900 tonnes of fish"]
    )
    def test_an_amount_of_something_else_is_another(self, told):
        official = report("Harbour Office: an estimated 3 tonnes of ammonia escaped at the cold store.", "official")
        assert claim(report(told, minutes=4), official).verdict == "insufficient"

    def test_a_length_compares_with_one_taken_the_same_way(self):
        official = report("Water Board: the gap in the embankment is 18 m across.", "official")
        assert claim(report("that gap is about 60 feet wide"), official).verdict == "supported"
        assert claim(report("the gap is 150 metres wide", minutes=4), official).verdict == "refuted"
        assert not claim(report("the embankment is 150 metres long", minutes=4), official).evidence

    def test_how_deep_water_stands_is_not_how_high_a_river_is(self):
        gauge = sensor("RIVER DOURO AT RIBEIRA STAGE 6.40 M RISING", "r1")
        told = report("the loading bay has a metre of water in it", minutes=4)
        assert claim(told, gauge).verdict == "insufficient"

    def test_degrees_are_read_from_the_code_of_a_station(self):
        station = sensor("WX PORTO-EAST 1430Z DRY BULB 43.2C RH 11 PCT", "wx")
        official = report("Met Office: the airport reached 43.2 degrees Celsius.", "official", minutes=4)
        assert claim(station, official).verdict == "supported"
        spaced = sensor("Weather station Porto East: maximum temperature 43.1 C.", "wx")
        assert claim(spaced, official).verdict == "supported"

    def test_the_area_of_one_crop_is_part_of_what_burned(self):
        official = report("Forest Service: the fire has burned 1,800 hectares.", "official")
        assert claim(report("my uncle lost 30 hectares of vines to the fire", minutes=4), official).verdict != "refuted"
        assert claim(report("15,000 hectares burned", minutes=4), official).verdict == "refuted"

    def test_a_speed_told_by_who_drove_is_none_of_the_wind(self):
        official = report("Met Office: a gust of 132 km/h was measured at the pier.", "official")
        assert claim(report("I drove 30 km/h past the pier in that wind", minutes=4), official).verdict != "refuted"
        assert claim(report("they measured 250 km/h at the pier", minutes=4), official).verdict != "supported"

    def test_two_durations_of_which_one_word_is_shared_are_of_two_things(self):
        official = report("Hospital: our generator has fuel for 36 hours.", "official")
        assert claim(report("the queue for fuel takes 3 hours", minutes=4), official).verdict == "insufficient"

    def test_a_paper_that_names_the_city_in_the_genitive_is_of_no_other_place(self):
        news = report("Radio Norte: 13 people were taken to hospital after the blast in Porto's old town.", "news")
        told = report("13 folk taken off in ambulances after that blast in Miragaia", minutes=-4)
        assert claim(told, news).verdict == "supported"
