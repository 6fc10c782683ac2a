"""SkyRL's registry makes an environment that SkyRLEnv is part of, and steps it."""

import pytest

from tests.trainers.judges import Sometimes
from verifleet.errors import VerifierUnavailableError
from verifleet.rewards.skyrl import SkyRLEnv, SkyRLReward

skyrl_gym = pytest.importorskip("skyrl_gym")
base = pytest.importorskip("skyrl_gym.envs.base_text_env")
BaseTextEnv = base.BaseTextEnv


class Env(SkyRLEnv, BaseTextEnv):  # type: ignore[misc]
    reward = SkyRLReward("math")


class Away(SkyRLEnv, BaseTextEnv):  # type: ignore[misc]
    reward = SkyRLReward(Sometimes())


for name in ("Env", "Away"):
    skyrl_gym.register(id=f"verifleet-{name}", entry_point=f"tests.trainers.test_skyrl:{name}")

EXTRAS = {"reward_spec": {"method": "rule", "ground_truth": "4"}, "data_source": "sums"}
PROMPT = [{"role": "user", "content": "2+2?"}]


def test_a_registered_environment_is_made_and_steps_once() -> None:
    for answer, reward in (("\\boxed{4}", 1.0), ("5", 0.0)):
        env = skyrl_gym.make("verifleet-Env", env_config={}, extras=EXTRAS)
        assert env.init(PROMPT) == (PROMPT, {})
        step = env.step(answer)
        assert (step["reward"], step["done"], step["observations"]) == (reward, True, [])
        assert isinstance(env.unwrapped if hasattr(env, "unwrapped") else env, BaseTextEnv)
        assert (env.max_turns, env.get_metrics()) == (1, {"fault": 0.0})
        env.close()


def test_a_fault_of_ours_is_raised() -> None:
    env = skyrl_gym.make("verifleet-Away", env_config={}, extras=EXTRAS)
    env.init(PROMPT)
    with pytest.raises(VerifierUnavailableError, match="no worker"):
        env.step("?")
