"""A response against a list of instruction constraints: which are followed, strictly or loosely."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, Final

from verifleet.verification import WorkerPool
from verifleet.verifiers.format.fault import Fault, shown
from verifleet.verifiers.format.guarded import in_worker

PLAIN_LENGTH: Final = 20_000
"""Characters of a response up to which checks run in this process, where their arguments are short too."""
PLAIN_ARGUMENTS: Final = 300
_KINDS: Final[dict[str, Any]] = {
    "str": str,
    "int": (int, float),
    "Number": (int, float),
    "list[str]": list,
}
_CALLED: Final = {"str": "a text", "int": "a number", "Number": "a number", "list[str]": "a list of texts"}


def instructions_fault(
    text: str, checks: Sequence[Mapping[str, Any]], loose: bool, workers: WorkerPool
) -> Fault | None:
    """The first instruction that is not followed, with the share of those that are; None where all are.

    A check is `{"id": published name, **published arguments}`; arguments that are null count as not given. Loosely
    means, as published, that the response may be without its first line, its last line, its asterisks.
    """
    if not checks:
        return Fault("checks", "There is no instruction to check.", kind="reference")
    wrong = next((fault for check in checks if (fault := _unusable(check)) is not None), None)
    if wrong is not None:
        return wrong
    plain = len(text) <= PLAIN_LENGTH and len(json.dumps(checks, default=str)) <= PLAIN_ARGUMENTS
    outcome: list[bool] | str | Fault
    outcome = followed(text, checks, loose) if plain else in_worker(workers, followed, text, checks, loose)
    if isinstance(outcome, Fault):
        return outcome
    if isinstance(outcome, str):
        return Fault("checks", outcome, kind="reference")
    failed = [str(check["id"]) for check, ok in zip(checks, outcome, strict=True) if not ok]
    if not failed:
        return None
    count = f"{len(failed)} of {len(checks)} instructions are not followed, such as" if failed[1:] else "Not followed:"
    return Fault(
        "instruction",
        f"{count} {failed[0]}.",
        kind="incorrect",
        share=sum(outcome) / len(outcome),
        more={"followed": {str(number): ok for number, ok in enumerate(outcome)}, "not_followed": failed},
    )


def followed(text: str, checks: Sequence[Mapping[str, Any]], loose: bool) -> list[bool] | str:
    """For each check whether it is followed; what is wrong with an argument, where one is."""
    forms = list(_loosely(text)) if loose else [text]
    try:
        return [any(bool(form.strip()) and _run(form, check) for form in forms) for check in checks]
    except (TypeError, ValueError, AttributeError, OverflowError) as error:
        return f"An instruction's arguments can't be used: {shown(str(error))}."


def _run(text: str, check: Mapping[str, Any]) -> bool:
    return _checks()[check["id"]](text, **_arguments(check))


def _arguments(check: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in check.items() if name != "id" and value is not None}


@cache
def _checks() -> dict[str, Callable[..., bool]]:
    from verifleet.verifiers.format.instructions import ifbench, ifeval

    return {**ifeval.CHECKS, **ifbench.CHECKS}


def _unusable(check: Mapping[str, Any]) -> Fault | None:
    known = _checks()
    name = check.get("id")
    if not isinstance(name, str) or name not in known:
        return Fault("checks", f"There is no instruction {shown(str(name), 60)!r}.", kind="reference")
    given = _arguments(check)
    needed = _parameters(name)
    missing = [argument for argument in needed if argument not in given]
    if missing:
        return Fault("checks", f"The instruction {name} needs {', '.join(missing)}.", kind="reference")
    for argument, kind in needed.items():
        value = given[argument]
        if not isinstance(value, _KINDS[kind]) or isinstance(value, bool):
            message = f"The instruction {name} needs {_CALLED[kind]} as {argument}."
            return Fault("checks", message, kind="reference")
        if kind.startswith("list") and not all(isinstance(item, str) for item in value):
            return Fault("checks", f"The instruction {name} needs texts in {argument}.", kind="reference")
        if _says_nothing(argument, value):
            message = f"The instruction {name} can't be followed or broken with {shown(repr(value))} as {argument}."
            return Fault("checks", message, kind="reference")
    return None


def _says_nothing(argument: str, value: Any) -> bool:
    """Whether an argument is blank, or no number to count by."""
    if isinstance(value, str):
        return not value.strip()
    if isinstance(value, list):
        return not value or not all(item.strip() for item in value)
    return not 0 <= value < float("inf") or (argument != "percentage" and value != int(value))


@cache
def _parameters(name: str) -> dict[str, str]:
    """The arguments of a check, by the kind of each."""
    return {
        parameter.name: str(parameter.annotation)
        for parameter in inspect.signature(_checks()[name]).parameters.values()
        if parameter.kind is inspect.Parameter.KEYWORD_ONLY
    }


def _loosely(text: str) -> Iterator[str]:
    lines = text.split("\n")
    for form in (text, "\n".join(lines[1:]).strip(), "\n".join(lines[:-1]).strip(), "\n".join(lines[1:-1]).strip()):
        yield form
        yield form.replace("*", "")
