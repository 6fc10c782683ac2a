"""AReaL's wrapper of rewards sends ArealReward into its process pool."""

import asyncio
import time
from collections.abc import Sequence
from typing import Any

import pytest

from tests.trainers.bare import bare_module
from tests.trainers.judges import Sometimes
from verifleet.errors import VerifierUnavailableError
from verifleet.rewards.areal import ArealReward
from verifleet.verification import VerificationRequest, VerificationResult

reward_api = bare_module("areal.api.reward_api")


class Slow(Sometimes):
    """Answers long after AReaL has given up."""

    def check_batch(self, requests: Sequence[VerificationRequest]) -> list[VerificationResult]:
        time.sleep(5)
        return super().check_batch(requests)


def rewarded(reward: ArealReward, answer: str, **settings: Any) -> Any:
    wrapper = reward_api.AsyncRewardWrapper(reward, max_workers=1, **settings)
    return asyncio.run(wrapper("2+2?", answer, [1], [2], answer="4"))


def test_the_pool_calls_a_reward() -> None:
    assert [rewarded(ArealReward("math"), answer) for answer in ("4<|im_end|>", "5")] == [1.0, 0.0]


def test_a_fault_of_ours_is_raised_and_no_zero_also_where_the_judge_is_too_slow() -> None:
    with pytest.raises(VerifierUnavailableError, match="no worker"):
        rewarded(ArealReward(Sometimes()), "?")
    with pytest.raises(VerifierUnavailableError, match="own deadline"):
        rewarded(ArealReward(Slow(), deadline_s=0.2), "4", max_retries=1)


def test_the_pool_remembers_what_it_judged_lately() -> None:
    reward = ArealReward(Sometimes(), on_error="mean")
    assert [rewarded(reward, answer) for answer in ("4", "?")] == [1.0, 1.0]
