"""OpenRLHF: the body of its remote reward call in, `{"rewards", "scores", "extra_logs"}` out, for any web server."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from verifleet.errors import VerifierUnavailableError
from verifleet.rewards import Judge, reference_of
from verifleet.verification import VerificationRequest


def rewards(judge: Judge, body: Mapping[str, Any]) -> dict[str, Any]:
    """Judge one call's `query` (prompt and response together), `prompts`, `labels`; arrays may be empty.

    Raises VerifierUnavailableError when a response could not be judged, so that the caller answers 503.
    """
    queries = list(body.get("query") or [])
    prompts = list(body.get("prompts") or []) or [""] * len(queries)
    labels = list(body.get("labels") or []) or [None] * len(queries)
    requests = [
        VerificationRequest.model_validate(
            {"prompt": prompt, "response": query.removeprefix(prompt), "reference": reference_of(label)}
        )
        for query, prompt, label in zip(queries, prompts, labels, strict=True)
    ]
    results = judge.check_batch(requests)
    for result in results:
        if result.score is None:
            raise VerifierUnavailableError(result.reason)
    scores = [result.score for result in results]
    return {
        "rewards": scores,
        "scores": scores,
        "extra_logs": {"malformed": [float(result.verdict == "malformed") for result in results]},
    }
