"""The adapters speak their trainers' contracts, as the packages of the versions named in docs/rewards.md call them.

Behind them is a real verifier, or one that has a fault.
"""

import asyncio
import inspect
import multiprocessing
import pickle
import sys
import threading
from collections.abc import Callable, Sequence
from functools import partial
from types import SimpleNamespace
from typing import Any

import pytest

from tests.trainers import open_instruct_recorded
from verifleet.client import VerifierClient
from verifleet.errors import (
    ForbiddenError,
    RewardReferenceError,
    SettingsError,
    ShapeError,
    StopTrainingError,
    TransientError,
    VerifierUnavailableError,
)
from verifleet.rewards import Reward, _reward, _settle, prompt_text, text_of, trl
from verifleet.rewards.areal import ArealReward
from verifleet.rewards.nemo_gym import NemoGymReward
from verifleet.rewards.open_instruct import OpenInstructReward, OpenInstructVerifier
from verifleet.rewards.openrlhf import OpenRLHFReward
from verifleet.rewards.skyrl import SkyRLEnv, SkyRLReward
from verifleet.rewards.slime import SlimeReward
from verifleet.rewards.swift import AsyncSwiftReward, SwiftReward
from verifleet.rewards.trl import TRLReward
from verifleet.rewards.verifiers import VerifiersReward
from verifleet.rewards.verl import VerlReward
from verifleet.verification import VerificationRequest, VerificationResult
from verifleet.verifiers.format import FormatVerifier
from verifleet.verifiers.knowledge import KnowledgeVerifier
from verifleet.verifiers.math import MathVerifier

MATH = MathVerifier()


@pytest.fixture
def leaving_none_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """As TRL from 1.6 on does."""
    monkeypatch.setattr(trl, "leaves_none_out", lambda: True)


@pytest.fixture(autouse=True)
def asked_again_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Instead of after some seconds."""
    monkeypatch.setattr(_reward, "FIRST_WAITS_S", (0.0, 0.0))


class FaultyJudge:
    """Right answers are right, `?` is a fault of ours, and it may be away altogether."""

    def __init__(self, away: Exception | None = None) -> None:
        self.away = away
        self.asked = 0

    def check_batch(self, requests: Sequence[VerificationRequest]) -> list[VerificationResult]:
        self.asked += 1
        if self.away is not None:
            raise self.away
        return [self._of(request) for request in requests]

    def _of(self, request: VerificationRequest) -> VerificationResult:
        if request.response == "?":
            return VerificationResult(verifier="math", score=None, status="error", verdict="error", reason="no worker")
        score = float(request.response == "4")
        return VerificationResult(verifier="math", score=score, status="scored", verdict="correct", reason="")


# --- what is handed over ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("completion", "text"),
    [
        ("a", "a"),
        ([{"content": "a"}, {"content": [{"type": "text", "text": "b"}, {"type": "image"}]}], "b"),
        ([{"role": "assistant", "content": None, "tool_calls": [{"function": {"name": "f"}}]}], ""),
        ({"role": "assistant", "content": "a"}, "a"),
        (SimpleNamespace(role="assistant", content="a"), "a"),
        ([{"role": "assistant", "content": "5"}, {"role": "user", "content": "4"}], "5"),
        (
            [
                {"role": "assistant", "content": "4?"},
                {"role": "tool", "content": "4"},
                {"role": "assistant", "content": "5"},
            ],
            "5",
        ),
        ([{"role": "assistant", "content": None, "tool_calls": []}, {"role": "tool", "content": "4"}], ""),
        ([{"role": "user", "content": "4"}], ""),
        ({"role": "user", "content": "4"}, ""),
        (None, ""),
        ([], ""),
    ],
)
def test_the_text_of_a_completion_is_what_the_model_said_last_and_nothing_where_that_has_none(
    completion: Any, text: str
) -> None:
    assert text_of(completion) == text


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (FaultyJudge, "FaultyJudge is a class: give a verifier, FaultyJudge\\(\\)"),
        (3, "3 is no verifier"),
        ("http://localhost:1", "is a URL: give VerifierClient"),
    ],
)
def test_what_is_no_verifier_is_refused_with_what_to_give(given: Any, said: str) -> None:
    with pytest.raises(SettingsError, match=said):
        TRLReward(given, column="a")


def test_rows_of_sources_that_have_no_judge_are_told_once(caplog: pytest.LogCaptureFixture) -> None:
    reward = TRLReward({"gsm8k": "math"}, column="a")
    for _ in range(2):
        assert reward(prompts=["?"], completions=["4"], a=["4"], data_source=["openai/gsm8k"]) == [None]
    assert caplog.text.count("data_source is openai/gsm8k; there are judges for gsm8k") == 1


def test_the_text_of_a_prompt_is_what_the_user_said_last() -> None:
    user, system = {"role": "user", "content": "2+2?"}, {"role": "system", "content": "s"}
    assert (
        prompt_text([system, {"role": "user", "content": "hi"}, user, {"role": "assistant", "content": ""}]) == "2+2?"
    )
    assert prompt_text([system]) == "s"
    assert prompt_text(None) == prompt_text([]) == ""
    numpy = pytest.importorskip("numpy")
    assert prompt_text(numpy.array([system, user], dtype=object)) == "2+2?"


MESSAGES = [{"role": "system", "content": "s"}, {"role": "user", "content": "What is 2+2?"}]
FOUR = {"role": "assistant", "content": "4"}


@pytest.mark.parametrize(
    "score",
    [
        lambda: TRLReward(MATH, column="a")([MESSAGES], [[FOUR]], a=["4"])[0],
        lambda: VerlReward(MATH)("d", "4", "4", {"prompt": MESSAGES})["score"],
        lambda: OpenRLHFReward(MATH)(["What is 2+2?4"], [MESSAGES], ["4"])["rewards"][0],
        lambda: SwiftReward(MATH)(["4"], messages=[[*MESSAGES, FOUR]], solution=["4"])[0],
        lambda: asyncio.run(VerifiersReward(MATH)(MESSAGES, [FOUR], "4")),
        lambda: ArealReward(MATH)(MESSAGES, "4", [1], [2], answer="4"),
        lambda: SlimeReward(MATH).answer({"prompt": MESSAGES, "response": "4", "label": "4"}),
        lambda: OpenInstructReward(MATH)([1], "4", "4", MESSAGES).score,  # type: ignore[arg-type]
        lambda: SkyRLReward(MATH).of("4", {"prompt": MESSAGES, "reward_spec": {"ground_truth": "4"}})[0],
    ],
)
def test_prompts_may_be_lists_of_messages_everywhere(score: Callable[[], float]) -> None:
    assert score() == 1.0


# --- no score ---------------------------------------------------------------------------


def rewards_of(on_error: Any, **more: Any) -> list[float | None]:
    reward = TRLReward(FaultyJudge(), column="a", on_error=on_error)
    prompts, completions = ["p", "p", "p", "q", "q"], ["4", "5", "?", "?", "?"]
    return reward(prompts, completions, a=["4"] * 5, **more)


def test_a_fault_of_ours_is_what_on_error_says(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert rewards_of("zero") == [1.0, 0.0, 0.0, 0.0, 0.0]
    assert rewards_of("mean") == [1.0, 0.0, 0.5, 0.5, 0.5]
    monkeypatch.setattr(trl, "leaves_none_out", lambda: True)
    assert rewards_of("none") == [1.0, 0.0, None, None, None]
    assert rewards_of("mean") == [1.0, 0.0, 0.5, None, None]
    assert "3 of 5 rewards could not be judged (on_error=mean): no worker" in caplog.text
    with pytest.raises(VerifierUnavailableError, match="no worker"):
        rewards_of("raise")
    with pytest.raises(SettingsError, match="use none, raise, zero or mean"):
        rewards_of("ignore")


def test_the_mean_is_of_the_same_prompt_then_of_the_call_then_of_what_was_judged_lately() -> None:
    reward = SwiftReward(FaultyJudge(), column="a")

    def told(prompts: str, completions: str) -> list[float | None]:
        messages = [[{"role": "user", "content": prompt}, FOUR] for prompt in prompts]
        return reward(list(completions), messages=messages, a=["4"] * len(completions))

    assert told("ppq", "4?5") == [1.0, 1.0, 0.0]
    assert told("r", "?") == [0.5]


@pytest.mark.parametrize("away", [TransientError("no answer"), VerifierUnavailableError("no sandbox")])
def test_a_judge_that_can_not_be_asked_later_is_a_fault_and_not_an_exception(
    away: Exception, leaving_none_out: None
) -> None:
    judge = FaultyJudge()
    reward = TRLReward(judge, column="a", on_error="none")
    assert reward(["p"], ["4"], a=["4"]) == [1.0]
    judge.away = away
    assert reward(["p"], ["4"], a=["4"]) == asyncio.run(reward.acall(["p"], ["4"], a=["4"])) == [None]


def calls_of(judge: Any) -> dict[str, Callable[[], Any]]:
    """A call of each trainer, of a row that has a reference."""
    trl_reward, swift, verifiers = TRLReward(judge, column="a"), SwiftReward(judge), VerifiersReward(judge)
    task, trace = SimpleNamespace(prompt="p", answer="4", name=None), SimpleNamespace(last_reply="4")
    sample = SimpleNamespace(prompt="p", response="4", label="4", metadata={}, index=0)
    return {
        "TRL": lambda: trl_reward(["p"], ["4"], a=["4"]),
        "TRL, awaited": lambda: asyncio.run(trl_reward.acall(["p"], ["4"], a=["4"])),
        "ms-swift": lambda: swift(["4"], solution=["4"]),
        "OpenRLHF": lambda: OpenRLHFReward(judge)(["4"], ["p"], ["4"]),
        "verifiers, a rubric": lambda: asyncio.run(verifiers("p", "4", "4")),
        "verifiers, a task": lambda: asyncio.run(verifiers.of_trace(task, trace)),
        "verl": lambda: VerlReward(judge)("d", "4", "4"),
        "AReaL": lambda: ArealReward(judge)("p", "4", answer="4"),
        "slime": lambda: asyncio.run(SlimeReward(judge).rm(None, sample)),
        "SkyRL": lambda: SkyRLReward(judge).of("4", {"reward_spec": {"ground_truth": "4"}}),
        "open-instruct": lambda: OpenInstructReward(judge)([1], "4", "4"),
        "NeMo-Gym": lambda: NemoGymReward(judge).answer({"expected_answer": "4", "response": {"output": []}}),
    }


SWALLOWING = ("OpenRLHF", "verifiers, a rubric")
PATIENT = (*SWALLOWING, "TRL", "TRL, awaited", "ms-swift")


@pytest.mark.parametrize("trainer", list(calls_of(MATH)))
def test_a_server_that_is_dead_from_the_start_is_no_silent_zero_or_none_in_any_trainer(
    trainer: str, leaving_none_out: None
) -> None:
    judge = FaultyJudge(TransientError("no answer"))
    call = calls_of(judge)[trainer]
    if trainer == "NeMo-Gym":
        told = call()
        assert (told["reward"], told["mask_sample"], told["failure_reason"]) == (0.0, True, "no answer")
        assert told["failure_kind"] == "verifier_error"
        return
    with pytest.raises(StopTrainingError if trainer in SWALLOWING else VerifierUnavailableError, match="no answer"):
        call()
    assert judge.asked == (3 if trainer in PATIENT else 1)


def test_a_server_that_comes_up_with_the_training_is_waited_for() -> None:
    class Late(FaultyJudge):
        def check_batch(self, requests: Sequence[VerificationRequest]) -> list[VerificationResult]:
            self.away = TransientError("no answer") if self.asked < 2 else None
            return super().check_batch(requests)

    judge = Late()
    assert OpenRLHFReward(judge)(["4"], [], ["4"])["rewards"] == [1.0]
    assert judge.asked == 3


def test_what_never_was_judged_is_no_score_whatever_on_error_says(leaving_none_out: None) -> None:
    for on_error in ("none", "zero", "mean"):
        reward = TRLReward(FaultyJudge(), column="a", on_error=on_error, gates=[("format", {"pattern": ".?"})])
        with pytest.raises(VerifierUnavailableError, match="nothing could be judged yet, from the start on: no worker"):
            reward(["p", "p"], ["?", "no number"], a=["4", "4"])  # what a gate judges is no sign of life


def test_a_reward_that_is_unpickled_for_each_call_remembers_what_was_judged_lately() -> None:
    reward = ArealReward(FaultyJudge(), on_error="mean")
    sent = pickle.dumps(reward)
    assert pickle.loads(sent)("p", "4", answer="4") == 1.0
    assert pickle.loads(sent)("p", "?", answer="4") == 1.0
    assert len(_settle._kept) <= _settle.KEPT


def test_a_server_that_refuses_us_from_the_start_stops_the_training_and_later_is_a_fault(
    leaving_none_out: None,
) -> None:
    judge = FaultyJudge(ForbiddenError("403"))
    reward = TRLReward(judge, column="a", on_error="none")
    with pytest.raises(ForbiddenError):
        reward(["p"], ["4"], a=["4"])
    judge.away = None
    assert reward(["p"], ["4"], a=["4"]) == [1.0]
    judge.away = ForbiddenError("403")
    assert reward(["p"], ["4"], a=["4"]) == asyncio.run(reward.acall(["p"], ["4"], a=["4"])) == [None]


@pytest.mark.parametrize(
    ("version", "package", "left"),
    [
        ((1, 16), "trl", None),
        ((1, 6), "trl", None),
        ((1, 6), "unsloth", 1.0),
        ((1, 9), "axolotl", 1.0),
        ((1, 5), "trl", 1.0),
        ((0,), "trl", 1.0),
    ],
)
def test_trl_is_told_none_only_for_a_prompt_that_could_not_be_judged_and_where_it_leaves_that_out(
    monkeypatch: pytest.MonkeyPatch, version: tuple[int, ...], package: str, left: float | None
) -> None:
    monkeypatch.setattr(trl, "_version", lambda: version)
    made_before = TRLReward(FaultyJudge(), column="a", on_error="none") if version >= (1, 6) else None
    monkeypatch.setitem(sys.modules, package, SimpleNamespace())
    reward = TRLReward(FaultyJudge(), column="a")
    assert reward(["p", "p", "q", "q"], ["4", "?", "?", "?"], a=["4"] * 4) == [1.0, 1.0, left, left]
    assert reward(["p", "p"], ["4", "4"], a=["4", None]) == [1.0, None]
    assert TRLReward("math", on_error="raise").on_error == "raise"
    if left is not None:
        with pytest.raises(SettingsError, match="'none' can't be said to this trainer"):
            TRLReward("math", on_error="none")
        if made_before is not None:
            with pytest.raises(SettingsError, match="'none' can't be said to this trainer"):
                made_before(["p", "p"], ["4", "?"], a=["4"] * 2)


@pytest.mark.parametrize(
    ("make", "on_error", "none"),
    [
        (VerlReward, "raise", False),
        (OpenRLHFReward, "mean", False),
        (SwiftReward, "mean", False),
        (VerifiersReward, "mean", False),
        (ArealReward, "raise", False),
        (SlimeReward, "raise", False),
        (SkyRLReward, "raise", False),
        (OpenInstructReward, "raise", False),
        (NemoGymReward, "none", True),
    ],
)
def test_each_trainer_has_its_safe_default_and_is_told_none_only_where_it_takes_it(
    make: type[Reward], on_error: str, none: bool
) -> None:
    assert make("math").on_error == on_error
    if not none:
        with pytest.raises(SettingsError, match="can't be said to this trainer"):
            make("math", on_error="none")


def test_a_row_without_a_reference_abstains_rather_than_being_wrong() -> None:
    missing = float("nan")
    logged: dict[str, Any] = {}
    scores = TRLReward(MATH, column="solution")(
        ["1+1?"] * 4, ["2", "2", "nan", "3"], solution=["2", None, missing, "2"], log_extra=logged.__setitem__
    )
    assert scores == [1.0, None, None, 0.0]
    assert logged["verifleet_reason"][1] == "There is no reference for this verifier."
    assert SwiftReward(MATH)(["2", "2"], solution=["2", None]) == [1.0, None]
    masked = NemoGymReward(MATH).answer({"response": {"output": []}})
    assert (masked["reward"], masked["mask_sample"]) == (0.0, True)
    for single in (
        lambda: VerlReward(MATH)("d", "2", None),
        lambda: OpenRLHFReward(MATH).answer({"query": ["2"], "labels": [None]}),
        lambda: ArealReward(MATH)("p", "2", answer=None),
    ):
        with pytest.raises(RewardReferenceError, match="holds no reference, and by_prompt=True was not given") as told:
            single()
        assert "None" not in str(told.value)
    with pytest.raises(RewardReferenceError, match="'ground_truth': holds no reference, and its prompt says nothing"):
        VerlReward(MATH, by_prompt=True)("d", "2", None)


def test_prompts_are_judged_by_when_asked_and_one_that_says_nothing_abstains() -> None:
    reward = TRLReward("format", by_prompt=True)
    prompts = ["Return valid JSON.", "Return valid JSON.", "Tell me about JSON."]
    assert reward(prompts, ["{}", "{", "{}"]) == [1.0, 0.0, None]
    given = TRLReward(MATH, column="c")(["1+1?"], ["2"], c=[{"answer": "2", "unit": float("nan")}])
    assert given == [1.0]


def test_a_mapping_of_judges_goes_by_the_column_that_says_the_source() -> None:
    judges = {"gsm8k": MATH, "json": "format"}
    reward = TRLReward(judges, column="a")
    sources = ["gsm8k", "json", "other", None]
    assert reward(["p"] * 4, ["4", "{}", "4", "4"], a=["4", "json", "4", "4"], data_source=sources) == [
        1,
        1,
        None,
        None,
    ]
    with pytest.raises(ShapeError, match="no column 'data_source'"):
        reward(["p"], ["4"], a=["4"])
    compute_score = VerlReward(judges)
    assert compute_score("gsm8k", "4", "4")["score"] == compute_score("json", "{}", "json")["score"] == 1.0
    with pytest.raises(ShapeError, match="data_source is 'gsm'; there are judges for: gsm8k, json"):
        compute_score("gsm", "4", "4")


def test_a_source_without_a_judge_is_told_in_a_batch_as_for_one_row_and_nothing_is_judged() -> None:
    judge = FaultyJudge()
    known, strange = (
        SimpleNamespace(prompt="p", response="4", label="4", metadata={"data_source": name}, index=0)
        for name in ("gsm8k", "gsm")
    )
    slime, said = SlimeReward({"gsm8k": judge}), "data_source is 'gsm'; there are judges for: gsm8k"
    for sample in (strange, [known, strange]):
        with pytest.raises(ShapeError, match=said):
            asyncio.run(slime.rm(None, sample))
    with pytest.raises(ShapeError, match=said):
        VerlReward({"gsm8k": judge}).batch(["gsm8k", "gsm"], ["4"] * 2, ["4"] * 2, [None] * 2)
    assert judge.asked == 0
    assert asyncio.run(slime.rm(None, [known, known])) == [1.0, 1.0]


@pytest.mark.parametrize("make", [OpenRLHFReward, OpenInstructReward])
def test_a_mapping_of_judges_is_refused_at_once_where_the_trainer_tells_no_source(make: type[Reward]) -> None:
    with pytest.raises(SettingsError, match="hands over no column that says the source of a row"):
        make({"gsm8k": MATH})


def test_what_does_not_pass_the_gates_is_not_judged() -> None:
    seen: list[str] = []

    class Counting(FaultyJudge):
        def _of(self, request: VerificationRequest) -> VerificationResult:
            seen.append(request.response)
            return super()._of(request)

    template = "<answer>{text}</answer>"
    reward = TRLReward(Counting(), column="a", gates=[("format", template)])
    assert reward(["p"] * 3, ["4", "<answer>5</answer>", "4"], a=["4", "4", None]) == [0.0, 0.0, None]
    assert seen == ["<answer>5</answer>"]
    assert TRLReward(MATH, column="a", gates=[("format", template)])(["p"], ["<answer>4</answer>"], a=["4"]) == [1.0]
    with pytest.raises(RewardReferenceError, match=r"gates: reference\.format"):
        TRLReward(MATH, gates=[("format", "jsn")])


@pytest.mark.parametrize("told", [True, False])
def test_a_call_that_takes_too_long_is_a_fault_before_areal_makes_zero_of_it(told: bool) -> None:
    over = threading.Event()
    deadlines: list[float] = []

    class Slow:
        def check_batch(self, requests: Sequence[VerificationRequest]) -> list[VerificationResult]:
            over.wait(60)
            return []

    class Told(Slow):
        def check_batch(  # type: ignore[override]
            self, requests: Sequence[VerificationRequest], deadline: float | None = None
        ) -> list[VerificationResult]:
            assert deadline is not None
            deadlines.append(deadline)
            return super().check_batch(requests)

    reward = ArealReward(Told() if told else Slow(), deadline_s=0.05)
    with pytest.raises(VerifierUnavailableError, match="own deadline"):
        reward("p", "4", answer="4")
    with pytest.raises(VerifierUnavailableError, match="own deadline"):
        asyncio.run(reward.ascore([_reward.Row("p", "4", "4")]))
    over.set()
    assert len(deadlines) == 2 * told
    assert 0 < (ArealReward("math").deadline_s or 0) < 15
    with pytest.raises(SettingsError, match="deadline_s=0"):
        ArealReward("math", deadline_s=0)


def test_a_fault_of_a_judge_within_a_deadline_is_raised_as_without_one() -> None:
    reward = ArealReward(FaultyJudge(ForbiddenError("403")))
    with pytest.raises(ForbiddenError):
        reward("p", "4", answer="4")
    assert ArealReward("math")("p", "4", answer="4") == 1.0


# --- processes and loops -------------------------------------------------------------------


@pytest.mark.parametrize("judge", ["math", MATH, {"gsm8k": "math"}, VerifierClient("http://x", verifier="math")])
def test_rewards_can_be_pickled(judge: Any) -> None:
    reward = TRLReward(judge, column="a", gates=[("format", "{int}")], name="mine")
    copy = pickle.loads(pickle.dumps(reward))
    assert copy.__name__ == "mine"
    assert pickle.loads(pickle.dumps(copy.acall)).__self__.column == "a"


def test_rewards_work_in_processes_that_are_spawned() -> None:
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        scores = pool.apply(ArealReward("knowledge"), ("p", "Paris", [1], [2]), {"answer": "Paris"})
        assert scores == 1.0


def test_asynchronous_twins_are_known_as_such_and_give_the_same() -> None:
    reward = TRLReward(MATH, column="a")
    assert inspect.iscoroutinefunction(reward.acall)
    assert inspect.iscoroutinefunction(VerlReward(MATH).acompute_score)
    assert inspect.iscoroutinefunction(AsyncSwiftReward(MATH).__call__)
    columns = {"prompts": ["p", "p"], "completions": ["4", "5"], "a": ["4", "4"]}
    assert asyncio.run(reward.acall(**columns)) == reward(**columns) == [1.0, 0.0]
    assert asyncio.run(VerlReward(MATH).acompute_score("d", "4", "4")) == VerlReward(MATH)("d", "4", "4")
    assert asyncio.run(AsyncSwiftReward(MATH)(["4"], solution=["4"])) == [1.0]  # type: ignore[arg-type]


# --- each trainer's own way ------------------------------------------------------------------


def test_trl_hands_over_columns_and_takes_what_is_logged() -> None:
    extra: dict[str, Any] = {}
    metrics: dict[str, float] = {}
    reward = TRLReward(MATH, column="solution")
    scores = reward(
        prompts=["1+1?", [{"role": "user", "content": "2+2?"}]],
        completions=["\\boxed{2}", [{"role": "assistant", "content": "\\boxed{5}"}]],
        completion_ids=[[1], [2]],
        solution=["2", 4],
        trainer_state=object(),
        log_extra=extra.__setitem__,
        log_metric=metrics.__setitem__,
    )
    assert scores == [1.0, 0.0]
    assert len(extra["verifleet_reason"]) == 2
    assert metrics["verifleet/faults"] == 0.0
    assert reward.__name__ == "verifleet_math"


def test_trl_is_told_of_a_column_that_the_dataset_lacks() -> None:
    row = {"prompts": ["1+1?"], "completions": ["\\boxed{2}"]}
    with pytest.raises(ShapeError, match=r"no column 'solutoin'.*handed over: level, solution\."):
        TRLReward(MATH, column="solutoin")(**row, solution=["2"], level=[1], trainer_state=object())
    with pytest.raises(ShapeError, match=r"no column 'reference'.*handed over: none.*by_prompt"):
        TRLReward(MATH)(**row)


@pytest.mark.parametrize(("length", "number"), [(1, 2), (3, 2)])
def test_a_column_of_another_length_stops_the_training(length: int, number: int) -> None:
    problem = rf"holds {length} values for {number} responses"
    with pytest.raises(RewardReferenceError, match=f"column 'c' {problem}"):
        TRLReward(MATH, column="c")(prompts=["p"] * number, completions=["1"] * number, c=["1"] * length)
    with pytest.raises(RewardReferenceError, match=f"'labels' {problem}"):
        OpenRLHFReward(MATH).answer({"query": ["1"] * number, "labels": ["1"] * length})


def test_verl_gets_identical_keys_and_an_exception_for_a_fault_of_ours() -> None:
    compute_score = VerlReward(MATH)
    right = compute_score("gsm8k", "\\boxed{4}", "4", {"question": "2+2?"}, reward_router_address=None)
    assert right["score"] == 1.0
    assert compute_score("gsm8k", "", "4").keys() == right.keys()
    assert [one["score"] for one in compute_score.batch(["d"] * 2, ["4", "5"], ["4"] * 2, [None, {}])] == [1.0, 0.0]
    with pytest.raises(VerifierUnavailableError):
        VerlReward(FaultyJudge())("gsm8k", "?", "4")
    usual = VerlReward(FaultyJudge(), on_error="mean")
    assert usual("d", "4", "4").keys() == right.keys()
    assert usual("d", "?", "4") == {"score": 1.0, "malformed": 0.0, "unknown": 0.0, "fault": 1.0}


def test_openrlhf_gets_arrays_and_an_empty_call_gets_empty_ones() -> None:
    reward = OpenRLHFReward(MATH)
    answer = reward.answer({"query": ["2+2? \\boxed{4}<|im_end|>"], "prompts": ["2+2?"], "labels": ["4"]})
    assert answer["rewards"] == answer["scores"] == [1.0]
    assert answer["extra_logs"] == {"malformed": [0.0], "fault": [0.0]}
    assert reward.answer({"query": [], "prompts": [], "labels": []})["rewards"] == []


def test_swift_makes_the_class_with_its_arguments() -> None:
    orms = {"answer": partial(SwiftReward, MATH, column="solution")}
    reward = orms["answer"](args=object())
    assert reward(["4", "5"], solution=["4", "4"], trainer_state=object()) == [1.0, 0.0]


def test_verifiers_calls_by_name_and_by_trace() -> None:
    reward = VerifiersReward(MATH)
    named = inspect.signature(reward).parameters
    rollout = {
        "prompt": MESSAGES,
        "completion": "4",
        "answer": "4",
        "info": {},
        "task": "d",
        "state": {},
        "parser": None,
    }
    assert asyncio.run(reward(**{name: rollout[name] for name in named})) == 1.0
    assert asyncio.run(VerifiersReward(MATH, column="gold")("p", "4", "", {"gold": "4"})) == 1.0
    task = SimpleNamespace(prompt="2+2?", answer="4", name=None)
    assert asyncio.run(reward.of_trace(task, SimpleNamespace(last_reply="4"))) == 1.0
    assert asyncio.run(reward.of_task()(object(), task, SimpleNamespace(last_reply="4"))) == 1.0
    assert reward.of_task().__name__ == "verifleet_math"
    with pytest.raises(VerifierUnavailableError):
        asyncio.run(VerifiersReward(FaultyJudge()).of_trace(task, SimpleNamespace(last_reply="?")))


def test_slime_awaits_for_a_sample_and_for_a_group() -> None:
    samples = [SimpleNamespace(prompt="p", response=text, label="4", metadata={}, index=0) for text in ("4", "5")]
    rm = SlimeReward(MATH).rm
    assert asyncio.run(rm(SimpleNamespace(), samples[0], evaluation=True)) == 1.0
    assert asyncio.run(rm(SimpleNamespace(), samples)) == [1.0, 0.0]


def test_skyrl_steps_once() -> None:
    class BaseTextEnv:
        def __init__(self) -> None:
            self.turns = 0

    class Env(SkyRLEnv, BaseTextEnv):
        reward = SkyRLReward(MATH)

    env = Env(env_config={}, extras={"reward_spec": {"method": "rule", "ground_truth": "4"}})
    assert env.init(MESSAGES) == (MESSAGES, {})
    step = env.step("4")
    assert (step["reward"], step["done"], step["observations"]) == (1.0, True, [])
    assert env.get_metrics() == {"fault": 0.0}
    env.close()
    assert env.turns == 0


def test_nemo_gym_gets_its_row_back_with_a_reward_or_a_mask() -> None:
    message = {"type": "message", "content": [{"type": "output_text", "text": "4"}]}
    body = {
        "expected_answer": "4",
        "id": 7,
        "responses_create_params": {"input": MESSAGES},
        "response": {"output": [{"type": "reasoning"}, message]},
    }
    assert NemoGymReward(MATH).answer(body) == {**body, "reward": 1.0}
    message["content"] = "?"
    told = NemoGymReward(FaultyJudge()).answer(body)
    assert (told["reward"], told["mask_sample"], told["failure_reason"]) == (0.0, True, "no worker")


def test_open_instruct_finds_a_class_of_ours_makes_it_with_a_configuration_and_reads_its_name_and_weight() -> None:
    class Sums(OpenInstructVerifier, open_instruct_recorded.VerifierFunction):  # type: ignore[misc]
        reward = OpenInstructReward(MATH, name="Sums", weight=0.5)

    found = open_instruct_recorded.build_all_verifiers(object())
    assert (type(found["sums"]), found["sums"].name, found["sums"].weight) == (Sums, "Sums", 0.5)
    assert isinstance(found["sums"].verifier_config, open_instruct_recorded.VerifierConfig)
    assert str(found["sums"]([1], "4", "4").score) == "1.0"
    rewards = open_instruct_recorded.apply_verifiable_reward(found, ["4", "5"], ["4", "4"], ["sums", "Sums"])
    assert asyncio.run(rewards) == [5.0, 0.0]


def test_open_instruct_gets_an_outcome_and_a_result_for_each_test_of_a_program() -> None:
    assert OpenInstructReward(MATH)([1], "4", "4").score == 1.0
    assert asyncio.run(OpenInstructReward(MATH).async_call([1], "5", "4")).score == 0.0
    body = {
        "program": "a = int(input())\nprint(a + 1)",
        "tests": [{"input": "1", "output": "2"}, {"input": "1", "output": "3"}],
    }
    answer = OpenInstructReward("code").test_program(body)
    assert answer["results"] == [1, 0]
    assert len(answer["runtimes"]) == 2


# --- references ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("make", "value", "right", "wrong"),
    [
        (FormatVerifier, "json", "{}", "{"),
        (FormatVerifier, '{"format":"json"}', "{}", "{"),
        (FormatVerifier, {"format": "json", "pattern": None, "weights": None}, "{}", "{"),
        (FormatVerifier, "<answer>{text}</answer>", "<answer>4</answer>", "4"),
        (FormatVerifier, "{json}", "{}", "{"),
        (KnowledgeVerifier, "Paris", "Paris", "Rome"),
        (KnowledgeVerifier, '{"answer":"Paris","aliases":["Lutetia"]}', "Lutetia", "Rome"),
        (KnowledgeVerifier, ["red", "blue"], "red and blue", "red"),
        (KnowledgeVerifier, '["red", "blue"]', "red and blue", "red"),
        (KnowledgeVerifier, {"answer": "Paris", "aliases": None}, "Paris", "Rome"),
        (MathVerifier, ["4", "5"], "5", "6"),
        (MathVerifier, "[1, 2]", "[1, 2]", "1"),
        (MathVerifier, 4, "4", "5"),
        (MathVerifier, '[{"answer": "4"}, {"answer": "5"}]', "5", "6"),
    ],
)
def test_a_plain_value_means_what_it_means_to_the_verifier(make: Any, value: Any, right: str, wrong: str) -> None:
    judge = make()
    scores = TRLReward(judge, column="c")(prompts=["x", "x"], completions=[right, wrong], c=[value, value])
    assert scores == [1.0, 0.0]
    assert VerlReward(judge)("d", right, value)["score"] == 1.0
    assert OpenRLHFReward(judge)([right, wrong], [], [value, value])["rewards"] == [1.0, 0.0]


def test_a_column_of_arrays_is_a_column_of_lists() -> None:
    array = pytest.importorskip("numpy").array(["red", "blue"])
    assert VerlReward(KnowledgeVerifier())("d", "red and blue", array)["score"] == 1.0


@pytest.mark.parametrize(
    ("make", "value", "problem"),
    [
        (FormatVerifier, "jsn", r"reference\.format"),
        (FormatVerifier, '{"formax": "json"}', "reference"),
        (FormatVerifier, '{"format": "json"', "not JSON"),
        (FormatVerifier, ["json"], "must be a JSON object"),
        (FormatVerifier, {}, "give format"),
        (FormatVerifier, {"pattern": "("}, "reference is at fault"),
        (FormatVerifier, {"json_schema": {"type": "foo"}}, "reference is at fault"),
        (FormatVerifier, "<a>{jsn}</a>", r"reference\.template: .*did you mean \{json\}"),
        (KnowledgeVerifier, "", "answer is empty"),
        (KnowledgeVerifier, {"anwser": "Paris"}, r"reference\.answer: is required"),
        (KnowledgeVerifier, [], "answer is empty"),
        (MathVerifier, " ", "answer is empty"),
    ],
)
def test_a_reference_that_is_none_stops_the_training(make: Any, value: Any, problem: str) -> None:
    judge = make()
    columns = {"prompts": ["x", "x"], "completions": ["{}", "<think>"], "c": [None, value]}
    with pytest.raises(ValueError, match=rf"column 'c', row 1: .*{problem}"):
        TRLReward(judge, column="c")(**columns)
    with pytest.raises(ValueError, match=rf"column 'ground_truth', row 7: .*{problem}"):
        VerlReward(judge)("d", "{}", value, {"index": 7})
    with pytest.raises(ValueError, match=rf"column 'labels', row 0: .*{problem}"):
        OpenRLHFReward(judge).answer({"query": ["{}"], "labels": [value]})
    with pytest.raises(StopTrainingError, match=rf"column 'labels', row 0: .*{problem}"):
        OpenRLHFReward(judge)(["{}"], [], [value])


def test_settings_that_are_none_stop_the_training_before_it_begins() -> None:
    with pytest.raises(ShapeError, match=r"options\.partal"):
        TRLReward("math", options={"partal": True})
    with pytest.raises(SettingsError, match="unknown verifier 'maths'"):
        TRLReward("maths")


class RefusingJudge:
    """What a deployed verifier answers for an item of a batch whose shape is wrong."""

    def check_batch(self, requests: Sequence[VerificationRequest]) -> list[VerificationResult]:
        fields = [{"path": "requests.0.reference.format", "problem": "is unknown"}]
        result = {"score": 0.0, "status": "scored", "verdict": "malformed", "reason": "The request can't be judged"}
        return [VerificationResult(verifier="format", details={"fields": fields}, **result) for _ in requests]


def test_a_reference_that_a_deployed_verifier_refuses_stops_the_training() -> None:
    with pytest.raises(ValueError, match="column 'c', row 0: The request can't be judged"):
        TRLReward(RefusingJudge(), column="c")(prompts=["x"], completions=["{}"], c=["jsn"])


def test_rewards_of_a_name_that_are_unpickled_for_each_call_share_one_verifier() -> None:
    from verifleet.rewards import _judges

    reward = ArealReward("format", column="fmt")
    for _ in range(3):
        assert pickle.loads(pickle.dumps(reward))("p", "{}", fmt="json") == 1.0
    assert _judges._of_this_process("format") is _judges._of_this_process("format")
    assert _judges._of_this_process.cache_info().misses <= len(("math", "code", "knowledge", "format"))
