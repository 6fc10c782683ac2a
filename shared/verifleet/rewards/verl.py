"""verl: a module with `compute_score = score_function(MathVerifier())`, named in `custom_reward_function.path`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from verifleet.errors import VerifierUnavailableError
from verifleet.rewards import Judge, check_batch, checked_options, request_of


def score_function(judge: Judge, *, options: dict[str, Any] | None = None) -> Callable[..., dict[str, float]]:
    """A `compute_score(data_source, solution_str, ground_truth, extra_info)` that always gives the same scalar keys.

    A fault of ours raises VerifierUnavailableError, because verl has no other word for "no score"; a ground truth that
    can't be used as a reference raises RewardReferenceError with the row's `extra_info["index"]`, where it has one.
    """
    chosen = checked_options(options)

    def compute_score(
        data_source: str, solution_str: str, ground_truth: Any, extra_info: dict[str, Any] | None = None, **_: Any
    ) -> dict[str, float]:
        extra = extra_info or {}
        index = extra.get("index")
        request = request_of(
            judge,
            str(extra.get("question", "")),
            solution_str,
            ground_truth,
            chosen,
            column="ground_truth",
            row=index,
        )
        result = check_batch(judge, [request], "ground_truth", [index])[0]
        if result.score is None:
            raise VerifierUnavailableError(result.reason)
        return {
            "score": result.score,
            "malformed": float(result.verdict == "malformed"),
            "unknown": float(result.status == "unknown"),
        }

    return compute_score
