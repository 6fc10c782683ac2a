"""Parts of a fleet killed and taken away while inputs flow, briefly; the long form is `make campaign`."""

import random
from collections import Counter
from pathlib import Path

import pytest

from tests.reliability.campaign import Came, campaign, faults_of_accounting, inputs


@pytest.mark.timeout(300)
def test_every_input_has_one_output_or_is_a_dead_letter_whatever_was_killed(tmp_path: Path) -> None:
    report = campaign(3, tmp_path, events=40, requests=40, rate=12.0, faults=5)
    assert report.accepted == report.sent
    assert report.made.total() == 5
    assert report.right, report.told()


def test_a_seed_replays_the_inputs() -> None:
    def labels(seed: int) -> list[str]:
        return [item.label for item in inputs(random.Random(seed), 30, 30)]

    assert labels(7) == labels(7) != labels(8)
    assert max(Counter(labels(7)).values()) == 2


def test_what_is_lost_doubled_or_in_both_places_is_told() -> None:
    came = Came()
    came.results["r1"] = {"one", "other"}
    came.dead["r2"] = [""]
    came.results["r2"] = {"one"}
    came.briefs["incident", 2, "brief", 1] = {"one"}
    wrong = faults_of_accounting({"r1", "r2", "r3"}, came)
    assert wrong["lost"] == ["r3"]
    assert wrong["doubled"] == ["r1"]
    assert wrong["both"] == wrong["without a reason"] == ["r2"]
    assert wrong["refused"] == ["r2: "]
    assert wrong["gaps"] == ["incident has [2]"]
