"""TRL's GRPOTrainer: `reward_funcs=[reward_function(MathVerifier(), column="solution")]`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from verifleet.errors import ShapeError
from verifleet.rewards import Judge, check_batch, check_length, checked_options, request_of, text_of


def reward_function(
    judge: Judge, *, column: str | None = None, options: dict[str, Any] | None = None
) -> Callable[..., list[float | None]]:
    """Make `f(prompts, completions, **columns)`; it gives None, which leaves the baseline alone, for a fault of ours.

    Args:
        judge: a verifier, or a RemoteJudge.
        column: the dataset's column with the reference: an object, the same as JSON text, or a plain value as
            `verifleet.references.read_reference` takes it (the answer, the format's name or its template). A row that
            holds None there is judged by its prompt alone. Not named, it is `reference`, and a dataset without one is
            judged by prompts.
        options: verifier options for every request; raises ShapeError for wrong ones.

    Called, it raises ShapeError where a named column is not among those that the trainer hands over, and
    RewardReferenceError (a ValueError) with column, row and fault for a reference that can't be used,
    or with both lengths for a column that has not one value for each completion.
    """
    chosen = checked_options(options)
    named = "reference" if column is None else column

    def verifleet_reward(prompts: Sequence[Any], completions: Sequence[Any], **columns: Any) -> list[float | None]:
        if column is not None and column not in columns:
            there = ", ".join(sorted(name for name, values in columns.items() if isinstance(values, list))) or "none"
            raise ShapeError(
                f"the dataset has no column {column!r} with references; the trainer handed over: {there}. "
                "Name one of them in reward_function(column=...)."
            )
        references = columns.get(named)
        if references is None:
            references = [None] * len(completions)
        check_length(named, references, completions)
        requests = [
            request_of(judge, text_of(prompt), text_of(completion), reference, chosen, column=named, row=row)
            for row, (prompt, completion, reference) in enumerate(zip(prompts, completions, references, strict=True))
        ]
        results = check_batch(judge, requests, named)
        log = columns.get("log_extra")
        if callable(log):
            log("verifleet_reason", [result.reason for result in results])
        return [result.score for result in results]

    return verifleet_reward
