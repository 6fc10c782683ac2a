"""Prime Intellect's verifiers call VerifiersReward: tasks and traces from v1 on, rubrics and environments up to 0.3."""

import asyncio
import importlib.util
from typing import Any

import pytest

from tests.trainers.judges import Sometimes
from verifleet.errors import StopTrainingError
from verifleet.rewards import _reward
from verifleet.rewards.verifiers import VerifiersReward

pytest.importorskip("verifiers")

# --- v1 -----------------------------------------------------------------------------------

needs_v1 = pytest.mark.skipif(
    importlib.util.find_spec("verifiers.legacy") is not None, reason="v1 as 0.4 has it is not installed"
)
SETTINGS = {"right": VerifiersReward("math"), "away": VerifiersReward(Sometimes())}
of_trace = SETTINGS["right"].of_trace


def trace_of(task: Any, reply: str) -> Any:
    from verifiers.v1.configs.agent import AgentConfig
    from verifiers.v1.graph import MessageNode
    from verifiers.v1.trace import AgentInfo, Trace, TraceTask
    from verifiers.v1.types import AssistantMessage

    node = MessageNode(message=AssistantMessage(content=reply), sampled=True)
    agent = AgentInfo[AgentConfig](config=AgentConfig())
    return Trace(task=TraceTask(type="Sum", data=task.data), agent=agent, nodes=[node])


@needs_v1
def test_a_class_of_tasks_holds_a_reward() -> None:
    import verifiers.v1 as vf

    class Data(vf.TaskData):
        answer: str

    class Sum(vf.Task[Data]):
        right = vf.reward(VerifiersReward("math", name="right").of_task())

    for reply, reward in (("\\boxed{4}", 1.0), ("5", 0.0)):
        task = Sum(Data(prompt="2+2=?", answer="4"))
        trace = trace_of(task, reply)
        asyncio.run(task.score(trace))
        assert {name: one.value for name, one in trace.rewards.items()} == {"right": reward}


@needs_v1
def test_a_configuration_names_a_reward() -> None:
    import verifiers.v1 as vf

    class Data(vf.TaskData):
        answer: str

    class Sum(vf.Task[Data]):
        pass

    config = vf.TaskConfig(rewards={"right": {"fn": "tests.trainers.test_verifiers:of_trace"}})
    task = Sum(Data(prompt="2+2=?", answer="4"), config)
    trace = trace_of(task, "4")
    asyncio.run(task.score(trace))
    assert trace.rewards["right"].value == 1.0


@needs_v1
def test_a_fault_of_ours_is_an_error_of_the_task() -> None:
    import verifiers.v1 as vf

    class Data(vf.TaskData):
        answer: str

    class Sum(vf.Task[Data]):
        right = vf.reward(SETTINGS["away"].of_task())

    task = Sum(Data(prompt="2+2=?", answer="4"))
    with pytest.raises(vf.TaskError, match="no worker"):
        asyncio.run(task.score(trace_of(task, "?")))


# --- v0 -----------------------------------------------------------------------------------

needs_v0 = pytest.mark.skipif(
    importlib.util.find_spec("verifiers.legacy") is None, reason="a version with rubrics is not installed"
)


def rollout(rubric: Any, reply: str, info: dict[str, Any] | None = None) -> Any:
    import verifiers as vf

    user, said = {"role": "user", "content": "2+2=?"}, {"role": "assistant", "content": reply}
    state = vf.State(input={"prompt": [user], "answer": "4", "example_id": 0, "info": info or {}, "task": "sums"})
    state["prompt"], state["completion"], state["answer"] = [user], [said], "4"
    state["timing"] = state.get("timing") or {}
    asyncio.run(rubric.score_rollout(state))
    return state


@needs_v0
def test_a_rubric_calls_it_by_what_it_names() -> None:
    import verifiers as vf

    rubric = vf.Rubric(funcs=[VerifiersReward("math")])
    assert rollout(rubric, "\\boxed{4}")["reward"] == 1.0
    assert rollout(rubric, "5")["reward"] == 0.0
    assert rollout(rubric, "5")["metrics"] == {"verifleet_math": 0.0}


@needs_v0
def test_a_rubric_gets_the_usual_reward_for_a_fault_of_ours() -> None:
    import verifiers as vf

    rubric = vf.Rubric(funcs=[VerifiersReward(Sometimes())])
    assert [rollout(rubric, reply)["reward"] for reply in ("4", "5", "?")] == [1.0, 0.0, 0.5]


@needs_v0
@pytest.mark.parametrize(("reply", "on_error"), [("?", "mean"), ("?", "raise")])
def test_what_has_to_end_a_training_is_no_zero_of_a_rubric(
    reply: str, on_error: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    import verifiers as vf

    monkeypatch.setattr(_reward, "FIRST_WAITS_S", (0.0,))
    with pytest.raises(StopTrainingError, match="no worker"):
        rollout(vf.Rubric(funcs=[VerifiersReward(Sometimes(), on_error=on_error)]), reply)


@needs_v0
def test_an_environment_scores_its_rollouts() -> None:
    import verifiers as vf
    from datasets import Dataset
    from verifiers.legacy.clients import Client
    from verifiers.legacy.types import Response, ResponseMessage

    class Model(Client):  # type: ignore[misc]
        """Answers what it was made with."""

        async def get_response(self, *_: Any, **__: Any) -> Response:
            message = ResponseMessage(content=self.client, finish_reason="stop", is_truncated=False)
            return Response(id="1", created=0, model="m", message=message)

    Model.__abstractmethods__ = frozenset()
    data = Dataset.from_list([{"question": "2+2=?", "answer": "4"}])
    environment = vf.SingleTurnEnv(dataset=data, rubric=vf.Rubric(funcs=[VerifiersReward("math")]))
    row = environment.get_dataset()[0]
    for reply, reward in (("So it is \\boxed{4}.", 1.0), ("5", 0.0)):
        output = asyncio.run(environment.run_rollout(row, Model(reply), "m", {}))
        assert (output["reward"], output["metrics"]["verifleet_math"]) == (reward, reward)
