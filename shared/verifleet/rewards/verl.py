"""verl: a module with `compute_score = score_function(MathVerifier())`, named in `custom_reward_function.path`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from verifleet.errors import VerifierUnavailableError
from verifleet.rewards import Judge, reference_of
from verifleet.verification import VerificationRequest


def score_function(judge: Judge, *, options: dict[str, Any] | None = None) -> Callable[..., dict[str, float]]:
    """A `compute_score(data_source, solution_str, ground_truth, extra_info)` that always gives the same scalar keys.

    A fault of ours raises VerifierUnavailableError, because verl has no other word for "no score".
    """

    def compute_score(
        data_source: str, solution_str: str, ground_truth: Any, extra_info: dict[str, Any] | None = None, **_: Any
    ) -> dict[str, float]:
        request = VerificationRequest.model_validate(
            {
                "prompt": str((extra_info or {}).get("question", "")),
                "response": solution_str,
                "reference": reference_of(ground_truth),
                "options": options or {},
            }
        )
        result = judge.check_batch([request])[0]
        if result.score is None:
            raise VerifierUnavailableError(result.reason)
        return {
            "score": result.score,
            "malformed": float(result.verdict == "malformed"),
            "unknown": float(result.status == "unknown"),
        }

    return compute_score
