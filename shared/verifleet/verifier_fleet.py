"""Several deployed verifiers behind one client: each row goes to its own, through the same gates first."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from verifleet.errors import SettingsError, ShapeError
from verifleet.references import read_reference
from verifleet.routing import Ask, asks, guessed
from verifleet.verification import VerificationRequest, VerificationResult, VerifierName, parse_request

if TYPE_CHECKING:
    from verifleet.client import VerifierClient

Progress = Callable[[int, int], None]


class VerifierFleet:
    """Asks the verifier that a row's `data_source` names. Each method has a twin for asynchronous callers.

    Args:
        clients: a client for each value of the column.
        column: which of a row's fields says where it belongs; it is not sent.
        all_of: gates, pairs of a client and its reference: what does not pass them all is not judged any further. Its
            result is that of the gate, with score 0.0 and the gate's place as `details.gate`.
        guess: a row that names none of the clients goes to the one whose verifier its reference is for, as
            `routing.guessed` has it; the clients have to say which verifier they are. Without it such a row is refused.

    Raises:
        SettingsError: there is no client; or guess without a client that names its verifier.
        ShapeError: the reference of a gate can't be used.
    """

    def __init__(
        self,
        clients: Mapping[str, VerifierClient],
        *,
        column: str = "data_source",
        all_of: Sequence[tuple[VerifierClient, Any]] = (),
        guess: bool = False,
    ) -> None:
        self._clients = dict(clients)
        self._by_verifier: dict[VerifierName, VerifierClient] = {}
        for client in self._clients.values():
            if client.name is not None:
                self._by_verifier.setdefault(client.name, client)
        if not self._clients or (guess and not self._by_verifier):
            raise SettingsError("a fleet needs clients, and to guess clients with verifier=...")
        self._column, self._guess = column, guess
        self._gates = [(client, _gate(place, client, value)) for place, (client, value) in enumerate(all_of)]

    def verify(self, row: Mapping[str, Any], *, deadline_s: float | None = None) -> VerificationResult:
        """Judge one row; raises as `verify_batch`."""
        return self.verify_batch([row], deadline_s=deadline_s)[0]

    async def averify(self, row: Mapping[str, Any], *, deadline_s: float | None = None) -> VerificationResult:
        """As `verify`."""
        return (await self.averify_batch([row], deadline_s=deadline_s))[0]

    def verify_batch(
        self, rows: Sequence[Mapping[str, Any]], *, deadline_s: float | None = None, progress: Progress | None = None
    ) -> list[VerificationResult]:
        """Judge many, in order, the verifiers side by side; raises as `VerifierClient.verify_batch`.

        Args:
            rows: the fields of a request, with the column beside them.
            deadline_s: seconds for all of it, gates and answers.
            progress: called with (judged, all) as answers come in, from another thread.

        Raises:
            ShapeError: a row names no verifier that is there, or is no request; nothing was asked then.
        """
        first = next(iter(self._clients.values()))
        return first.run(self.averify_batch(rows, deadline_s=deadline_s, progress=progress))

    async def averify_batch(
        self, rows: Sequence[Mapping[str, Any]], *, deadline_s: float | None = None, progress: Progress | None = None
    ) -> list[VerificationResult]:
        """As `verify_batch`."""
        loop = asyncio.get_running_loop()
        until = None if deadline_s is None else loop.time() + deadline_s
        steps, stage = asks({place: self._request(place, row) for place, row in enumerate(rows)}, self._gates), 0
        try:
            several = next(steps)
            while True:
                left = None if until is None else until - loop.time()
                told = (
                    _Told(progress, len(rows), several) if progress is not None and stage >= len(self._gates) else None
                )
                several = steps.send(list(await asyncio.gather(*(_asked(ask, left, told) for ask in several))))
                stage += 1
        except StopIteration as ended:
            came = ended.value
        return [_stopped(came[place].result, came[place].gate) for place in range(len(rows))]

    def close(self) -> None:
        """Close all clients, the gates' too."""
        for client in [*self._clients.values(), *(client for client, _ in self._gates)]:
            client.close()

    def __enter__(self) -> VerifierFleet:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def _request(self, place: int, row: Mapping[str, Any]) -> tuple[VerifierClient, VerificationRequest]:
        fields = {name: value for name, value in row.items() if name != self._column}
        client = self._clients.get(str(row.get(self._column)))
        if client is None and self._guess:
            meant = guessed(fields, self._by_verifier)
            client = None if meant is None else self._by_verifier[meant]
        if client is None:
            problem = f"is {row.get(self._column)!r}; there are verifiers for: {', '.join(self._clients)}"
            raise ShapeError.at(f"requests.{place}.{self._column}", problem)
        try:
            return client, VerificationRequest.model_validate(fields)
        except ValidationError as error:
            raise ShapeError.from_validation(error, f"requests.{place}") from None


class _Told:
    """Adds up what several clients have judged."""

    def __init__(self, progress: Progress, total: int, asked: Sequence[Ask[VerifierClient]]) -> None:
        self._progress, self._total = progress, total
        self._before = total - sum(len(requests) for _, requests in asked)
        self._done: dict[int, int] = {}

    def of(self, ask: Ask[VerifierClient]) -> Progress:
        def told(done: int, of: int) -> None:
            self._done[id(ask)] = done
            self._progress(self._before + sum(self._done.values()), self._total)

        return told


async def _asked(ask: Ask[VerifierClient], left: float | None, told: _Told | None) -> list[VerificationResult]:
    client, requests = ask
    progress = None if told is None else told.of(ask)
    return await client.averify_batch(requests, deadline_s=left, progress=progress)


def _gate(place: int, client: VerifierClient, value: Any) -> VerificationRequest:
    verifier: VerifierName = client.name or "format"
    try:
        return parse_request(verifier, {"response": "", "reference": read_reference(verifier, value)})
    except ShapeError as error:
        raise error.within(f"all_of.{place}") from None


def _stopped(result: VerificationResult, gate: int | None) -> VerificationResult:
    if gate is None:
        return result
    score = None if result.score is None else 0.0
    return result.model_copy(update={"score": score, "details": {**result.details, "gate": gate}})
