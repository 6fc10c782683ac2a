"""What a reward judges by."""

from __future__ import annotations

import asyncio
import functools
import importlib
import inspect
import threading
import time
from collections.abc import Sequence
from typing import Any, Final, Protocol, get_args

from verifleet.errors import SettingsError, TransientError, VerifierUnavailableError
from verifleet.verification import Judgement, VerificationRequest, VerificationResult, Verifier, VerifierName, stamped

TOLD_SHARE: Final = 0.9
"""The share of what is left of a call that its judge is told: what comes of it has to be handed back."""
# By name, because a deployed verifier answers trainers' calls with the adapters here and has no other verifier.
_VERIFIERS = {
    "math": "MathVerifier",
    "code": "CodeVerifier",
    "knowledge": "KnowledgeVerifier",
    "format": "FormatVerifier",
}
_LATE: Final = VerifierUnavailableError("The reward's own deadline came before an answer.")


class Judge(Protocol):
    """What an adapter needs of a verifier.

    `acheck_batch`, where there is one, is for asynchronous callers. A judge whose methods take `deadline`, on
    time.monotonic()'s scale, is told it; any other one is left alone with what it was asked when the time is over.
    """

    def check_batch(self, requests: Sequence[VerificationRequest]) -> list[VerificationResult]:
        """Judge many, in order."""
        ...


class NamedJudge:
    """A verifier of this process by its name, made when it is first asked; only the name is pickled.

    All of a name share one verifier: AReaL unpickles a reward for each call, and what it judges by outlasts the call.
    """

    def __init__(self, name: VerifierName) -> None:
        self.name = name

    def __reduce__(self) -> tuple[Any, ...]:
        return NamedJudge, (self.name,)

    def check_batch(
        self, requests: Sequence[VerificationRequest], deadline: float | None = None
    ) -> list[VerificationResult]:
        """Judge many, in order."""
        return _of_this_process(self.name).check_batch(requests, deadline)


@functools.cache
def _of_this_process(name: VerifierName) -> Verifier:
    return make_verifier(name)


def make_verifier(name: str) -> Verifier:
    """A verifier in this process; raises SettingsError for an unknown name."""
    if name not in _VERIFIERS:
        raise SettingsError(f"unknown verifier {name!r}; there are: {', '.join(get_args(VerifierName))}")
    module = importlib.import_module(f"verifleet.verifiers.{name}")
    verifier: Verifier = getattr(module, _VERIFIERS[name])()
    return verifier


def judge_of(given: Judge | str) -> Judge:
    """A judge as it is, or the verifier of a name. Raises SettingsError."""
    if isinstance(given, type):
        raise SettingsError(f"{given.__name__} is a class: give a verifier, {given.__name__}()")
    if not isinstance(given, str):
        if not hasattr(given, "check_batch"):
            raise SettingsError(f"{given!r:.100} is no verifier: it has no check_batch(requests)")
        return given
    if "://" in given:
        raise SettingsError(f"{given!r} is a URL: give VerifierClient({given!r}, verifier=...)")
    known: dict[str, VerifierName] = {name: name for name in get_args(VerifierName)}
    if given not in known:
        raise SettingsError(f"unknown verifier {given!r}; there are: {', '.join(known)}")
    return NamedJudge(known[given])


def asked(
    judge: Judge, requests: Sequence[VerificationRequest], until: float | None = None
) -> list[VerificationResult]:
    """The judge's results; that it could not be asked, or not by `until`, is a result of status `error` for each."""
    try:
        if until is None:
            return judge.check_batch(requests)
        return _within(until, judge, requests)
    except (TransientError, VerifierUnavailableError) as error:
        return _faults(judge, requests, error)


async def asked_async(
    judge: Judge, requests: Sequence[VerificationRequest], until: float | None = None
) -> list[VerificationResult]:
    """As `asked`, without blocking the loop."""
    own = getattr(judge, "acheck_batch", None)
    if own is None:
        return await asyncio.to_thread(asked, judge, requests, until)
    left = None if until is None else max(0.0, until - time.monotonic())
    try:
        results: list[VerificationResult] = await asyncio.wait_for(own(requests, **_told(own, left)), left)
        return results
    except TimeoutError:
        return _faults(judge, requests, _LATE)
    except (TransientError, VerifierUnavailableError) as error:
        return _faults(judge, requests, error)


def _told(check: Any, left: float | None) -> dict[str, float]:
    takes = left is not None and "deadline" in inspect.signature(check).parameters
    return {"deadline": time.monotonic() + left * TOLD_SHARE} if takes and left is not None else {}


def _within(until: float, judge: Judge, requests: Sequence[VerificationRequest]) -> list[VerificationResult]:
    """What the judge answers in time, asked in a thread that nobody waits for any longer than that."""
    left = max(0.0, until - time.monotonic())
    told = _told(judge.check_batch, left)
    came: list[list[VerificationResult]] = []
    failed: list[BaseException] = []

    def ask() -> None:
        try:
            came.append(judge.check_batch(requests, **told))
        except BaseException as error:  # noqa: BLE001 - raised again where it is waited for
            failed.append(error)

    asking = threading.Thread(target=ask, name="verifleet-reward", daemon=True)
    asking.start()
    asking.join(left)
    if failed:
        raise failed[0]
    if not came:
        raise _LATE
    return came[0]


def _faults(judge: Judge, requests: Sequence[VerificationRequest], error: Exception) -> list[VerificationResult]:
    name: VerifierName = getattr(judge, "name", None) or "math"
    return [stamped(name, "", request.request_id, Judgement.error(str(error)), 0.0) for request in requests]
