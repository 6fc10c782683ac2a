"""NeMo-Gym's models make what is sent to `/nemo-gym/verify`, and read what comes back."""

import logging
from typing import Any

import pytest

from tests.trainers.judges import Sometimes
from verifleet.rewards.nemo_gym import NemoGymReward, aggregate, session

server = pytest.importorskip("nemo_gym.base_resources_server")
types = pytest.importorskip("nemo_gym.config_types")


class Request(server.BaseVerifyRequest):  # type: ignore[misc, name-defined]
    expected_answer: str


class Response(server.BaseVerifyResponse):  # type: ignore[misc, name-defined]
    expected_answer: str


def sent(answer: str) -> dict[str, Any]:
    """The body of a call, as the models write it."""
    part = {"type": "output_text", "text": answer, "annotations": []}
    message = {"id": "m", "type": "message", "role": "assistant", "status": "completed", "content": [part]}
    response = {
        "id": "r",
        "created_at": 0.0,
        "model": "m",
        "object": "response",
        "output": [message],
        "parallel_tool_calls": False,
        "tool_choice": "auto",
        "tools": [],
    }
    asked = {"input": [{"role": "user", "content": "What is 2+2?"}]}
    row = {"responses_create_params": asked, "response": response, "expected_answer": "4"}
    body: dict[str, Any] = Request.model_validate(row).model_dump(mode="json")
    return body


def test_its_models_send_a_row_and_read_its_reward() -> None:
    reward = NemoGymReward("math")
    read = [Response.model_validate(reward.answer(sent(answer))) for answer in ("\\boxed{4}", "5")]
    assert [(one.reward, one.mask_sample, one.failure_kind) for one in read] == [(1.0, False, None), (0.0, False, None)]


def test_its_models_read_a_fault_of_ours_as_a_sample_to_mask_of_a_kind_they_know(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with caplog.at_level(logging.WARNING, "nemo_gym"):
        masked = Response.model_validate(NemoGymReward(Sometimes()).answer(sent("?")))
    assert (masked.reward, masked.mask_sample, masked.failure_reason) == (0.0, True, "no worker")
    assert masked.failure_kind == "verifier_error"
    assert [record for record in caplog.records if record.name.startswith("nemo_gym")] == []


def test_its_models_read_sessions_and_metrics() -> None:
    assert server.BaseSeedSessionResponse.model_validate(session({})) is not None
    named = {"resources_session_id": "s", "episode_id": "e"}
    assert server.ResourcesCloseSessionResponse.model_validate(session(named)).resources_session_id == "s"
    assert server.ResourcesSeedSessionResponse.model_validate(session(named)).resources_session_id == "s"
    rows = [{"_ng_task_index": 0, "reward": 1.0}, {"_ng_task_index": 0, "reward": 0.0}]
    metrics = types.AggregateMetrics.model_validate(aggregate({"verify_responses": rows}))
    assert metrics.key_metrics == {"mean/reward": 0.5}
    assert server.ReverifyMode("stateless") is server.ReverifyMode.STATELESS
