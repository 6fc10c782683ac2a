"""TRL's GRPOTrainer and AsyncGRPO's worker call TRLReward."""

import asyncio
import importlib.util
import math
import pickle
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.trainers.judges import Sometimes
from verifleet.rewards.trl import TRLReward

torch = pytest.importorskip("torch")
pytest.importorskip("trl")

EXAMPLE = Path(__file__).parents[2] / "docs" / "examples" / "grpo_trl.py"


@pytest.fixture(scope="module")
def example() -> Any:
    spec = importlib.util.spec_from_file_location("grpo_trl", EXAMPLE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["grpo_trl"] = module
    spec.loader.exec_module(module)
    return module


def test_a_training_takes_the_rewards_of_two_verifiers(example: Any, tmp_path: Path) -> None:
    trainer = example.trainer(example.rewards(), steps=2, folder=str(tmp_path))
    trainer.train()
    logs = [log for log in trainer.state.log_history if "reward" in log]
    assert len(logs) == 2
    assert all(0.0 < log["rewards/verifleet_format/mean"] <= 1.0 for log in logs)
    assert all(0.0 < log["rewards/verifleet_math/mean"] < 1.0 for log in logs)
    assert all(log["verifleet/faults"] == 0.0 and math.isfinite(log["loss"]) for log in logs)


def scored(trainer: Any, completions: list[str], solutions: list[Any]) -> Any:
    inputs = [{"prompt": "2+2=", "solution": solution, "shape": "{any}"} for solution in solutions]
    prompts = ["2+2="] * len(completions)
    return trainer._calculate_rewards(inputs, prompts, completions, [[1]] * len(completions))


@pytest.fixture
def make(example: Any, tmp_path: Path) -> Any:
    return lambda *rewards: example.trainer(list(rewards), steps=1, folder=str(tmp_path))


def test_the_trainer_calls_plain_and_asynchronous_rewards_alike(make: Any) -> None:
    plain = TRLReward("math", column="solution")
    rewards = scored(make(plain, plain.acall), ["4", "5", "6"], ["4", "4", None])
    assert rewards[:2].tolist() == [[1.0, 1.0], [0.0, 0.0]]
    assert rewards[2].isnan().all()


def test_a_fault_beside_another_reward_is_the_usual_reward_because_none_is_summed_as_nothing(make: Any) -> None:
    other = TRLReward("format", column="shape", name="shape")
    by_default = scored(make(TRLReward(Sometimes(), column="solution"), other), ["4", "4", "?"], ["4"] * 3)
    assert by_default[:, 0].tolist() == [1.0, 1.0, 1.0]
    none = scored(make(TRLReward(Sometimes(), column="solution", on_error="none"), other), ["4", "4", "?"], ["4"] * 3)
    assert none.nansum(dim=1).tolist() == [2.0, 2.0, 1.0]


def test_a_prompt_that_could_not_be_judged_at_all_is_left_out(make: Any) -> None:
    trainer = make(TRLReward(Sometimes(), column="solution"))
    scored(trainer, ["4", "5"], ["4", "4"])  # faults from the start on are a mistake of the set-up, and raised
    assert scored(trainer, ["?", "?"], ["4", "4"]).isnan().all()


def test_the_worker_of_async_grpo_scores_a_group_with_a_reward_that_was_pickled() -> None:
    worker = pytest.importorskip("trl.experimental.async_grpo.async_rollout_worker")
    held = SimpleNamespace(
        reward_funcs=[pickle.loads(pickle.dumps(TRLReward("math", column="solution")))],
        reward_func_names=["verifleet_math"],
        _env_reward_types=[],
        _provides_rollout_reward=False,
    )
    group = SimpleNamespace(
        completions=["4", "5"],
        prompts=["2+2=", "2+2="],
        completions_ids=[[1], [2]],
        completions_sequences=[[], []],
        reward_kwargs={"solution": ["4", "4"]},
        tool_call_counts=[0, 0],
        tool_failure_counts=[0, 0],
    )
    seen: list[float] = []
    worker_class = worker._AsyncRolloutLoop
    worker.logger.info = lambda told: seen.append(told)
    asyncio.run(worker_class._score_group(held, group))
    assert "reward_mean=0.5000, reward_std=0.5000" in str(seen[0])
