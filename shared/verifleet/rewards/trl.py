"""TRL's GRPOTrainer: `reward_funcs=[reward_function(MathVerifier(), column="solution")]`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from verifleet.rewards import Judge, reference_of, text_of
from verifleet.verification import VerificationRequest


def reward_function(
    judge: Judge, *, column: str = "reference", options: dict[str, Any] | None = None
) -> Callable[..., list[float | None]]:
    """Make `f(prompts, completions, **columns)`; it gives None, which leaves the baseline alone, for a fault of ours.

    Args:
        judge: a verifier, or a RemoteJudge.
        column: the dataset's column with the reference, or the plain expected answer.
        options: verifier options for every request.
    """

    def verifleet_reward(prompts: Sequence[Any], completions: Sequence[Any], **columns: Any) -> list[float | None]:
        references = columns.get(column) or [None] * len(completions)
        requests = [
            VerificationRequest.model_validate(
                {
                    "prompt": text_of(prompt),
                    "response": text_of(completion),
                    "reference": reference_of(reference),
                    "options": options or {},
                }
            )
            for prompt, completion, reference in zip(prompts, completions, references, strict=True)
        ]
        results = judge.check_batch(requests)
        log = columns.get("log_extra")
        if callable(log):
            log("verifleet_reason", [result.reason for result in results])
        return [result.score for result in results]

    return verifleet_reward
