"""OpenRLHF: the body of its remote reward call in, `{"rewards", "scores", "extra_logs"}` out, for any web server."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from verifleet.errors import VerifierUnavailableError
from verifleet.rewards import Judge, check_batch, check_length, checked_options, request_of


def rewards(judge: Judge, body: Mapping[str, Any], *, options: dict[str, Any] | None = None) -> dict[str, Any]:
    """Judge one call's `query` (prompt and response together), `prompts`, `labels`; arrays may be empty.

    Raises:
        VerifierUnavailableError: a response could not be judged; the caller answers 503.
        RewardReferenceError: a label can't be used as a reference; names its row. Or there is not one for each query.
    """
    chosen = checked_options(options)
    queries = list(body.get("query") or [])
    prompts = list(body.get("prompts") or []) or [""] * len(queries)
    labels = list(body.get("labels") or []) or [None] * len(queries)
    check_length("labels", labels, queries)
    requests = [
        request_of(judge, prompt, query.removeprefix(prompt), label, chosen, column="labels", row=row)
        for row, (query, prompt, label) in enumerate(zip(queries, prompts, labels, strict=True))
    ]
    results = check_batch(judge, requests, "labels")
    for result in results:
        if result.score is None:
            raise VerifierUnavailableError(result.reason)
    scores = [result.score for result in results]
    return {
        "rewards": scores,
        "scores": scores,
        "extra_logs": {"malformed": [float(result.verdict == "malformed") for result in results]},
    }
