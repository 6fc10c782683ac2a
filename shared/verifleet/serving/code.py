"""code_verifier's edge: admits, dispatches to the code runner by topic, waits for results. It runs no program.

- dispatch: /verify, /verify/batch and verification-requests to code-executions, where the runner pulls, or beyond a
  caller's share to code-executions-bulk (`shares.py`); programs of one batch in chunks (`chunks.py`), and none of them
  twice when a request is repeated (`sent.py`);
- receive: code-results to the Store, where /verify, /verifications/{id} and /batches/{id} wait and read, and to
  verification-results;
- watch: until a chunk's results are in the Store, each redelivery of its watchdog makes sure that a runner is up.

A result is believed when it came over the runner's own subscription and proves that its sender was given the execution
(`proofs.py`); the first one stands. What does not is refused, counted and kept as a dead letter.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import logging
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, Protocol

from verifleet import observability
from verifleet.code_languages import ON_THE_RUNNER, installed_languages
from verifleet.errors import FieldProblem, ShapeError, TransientError
from verifleet.messaging.topology import (
    MAX_DELIVERY_ATTEMPTS,
    RUNNER_RESULTS,
    VERIFICATION_RESULTS,
    WATCHDOG,
    WATCHDOG_BULK,
)
from verifleet.serving import chunks
from verifleet.serving.backends import BatchAnswer, BatchState, Pending
from verifleet.serving.callers import UNAUTHENTICATED
from verifleet.serving.chunks import FUNCTION, Program, execution_of_many, execution_of_one, program_id, results_in
from verifleet.serving.delivery import Output, current_delivery
from verifleet.serving.proofs import PROOF_CHARS, Proofs
from verifleet.serving.sent import SENDING_S, Chunk, Sent, SentRequests
from verifleet.serving.shares import FEW, Shares
from verifleet.storage.idempotency import Idempotency
from verifleet.storage.store import Document, Store

if TYPE_CHECKING:
    from verifleet.envelopes import Envelope
    from verifleet.jobs.runner_keeper import Warmed
    from verifleet.messaging.publisher import Publisher
    from verifleet.settings import Settings
    from verifleet.verification import Judgement, VerificationRequest, VerificationResult

logger = logging.getLogger(__name__)

EXPECTS = (
    "verification_request_v1",
    "verification_result_v1",
    "code_execution_v1",
    "code_executions_v1",
    "code_results_v1",
)
RESULTS = ("verification_result_v1", "code_results_v1")
EXECUTIONS = ("code_execution_v1", "code_executions_v1")
KIND = "result"
WAIT_S = 30.0
BATCH_WAIT_S = 280.0

GIVE_UP_AT = MAX_DELIVERY_ATTEMPTS - 2
"""The watchdog's attempt at which the result becomes an error: two are left, should publishing that fail."""

FIRST_POLL_S, MAX_POLL_S = 1.0, 2.0
"""How often the Store is asked for results that another instance may have received."""

WATCHED_S = 60.0
"""How long what its watchdog told to be without a result counts as backlog, unless its end is seen here."""

SENT_AT_ONCE = 16
"""Chunks of one request that are published at the same time; the limit of time is for each."""

MAX_REMEMBERED = 10_000


class RefusedResultError(ShapeError):
    """A code result, or what leads to one, that did not come from who was given the execution."""

    code = "refused_result"


class Keeper(Protocol):
    """Makes sure that runners are up; see `jobs.runner_keeper.RunnerKeeper`."""

    async def ensure(self, backlog: Callable[[], int]) -> None:
        """Raises LaunchError."""
        ...

    async def warm(self, programs: int, stay_s: float) -> Warmed:
        """Raises LaunchError."""
        ...

    def tasks(self, programs: int) -> int:
        """Runner tasks that so many programs get."""
        ...


@dataclass(slots=True)
class _Waiter:
    """Who waits in this process for one chunk."""

    programs: int
    results: Sequence[VerificationResult] | None = None
    told: list[asyncio.Event] = field(default_factory=list)


class CodeDispatch:
    """Backend of the verifier's routes and handler of deliveries for the code verifier.

    Args:
        settings: limits and names.
        store: where results are kept and waited for.
        publisher: the way to the runner.
        keeper: makes sure that runners are up; by default with the launcher that the settings ask for.
    """

    def __init__(self, settings: Settings, store: Store, publisher: Publisher, keeper: Keeper | None = None) -> None:
        self._settings = settings
        self._store = self.store = store
        self._publisher = publisher
        self._keeper = keeper or _keeper(settings, store)
        self._proofs = Proofs(store)
        self._shares = Shares(settings.caller_programs)
        self._requests = SentRequests(store, self._proofs, settings.idempotency_ttl_s)
        self._idempotency = Idempotency(store, settings.idempotency_ttl_s, settings.ack_deadline_s)
        self._waiting: dict[str, _Waiter] = {}
        self._watched: dict[str, tuple[int, float]] = {}
        self._sending: dict[str, asyncio.Task[None]] = {}
        self._published: dict[str, None] = {}
        self._received: dict[str, None] = {}
        self._looking: asyncio.Task[None] | None = None
        self._under_way: set[asyncio.Task[None]] = set()

    def languages(self) -> list[str]:
        """Whose programs can be run: by this machine's runner, or by the deployed one as it is built."""
        if self._settings.code_runner_job:
            return [*ON_THE_RUNNER, *self._settings.sandbox_languages]
        return installed_languages()

    # --- HTTP ----------------------------------------------------------------

    async def check(self, request: VerificationRequest, key: str | None = None) -> VerificationResult | Pending:
        """Dispatch one and wait `options.wait_s` for it; Pending when it takes longer. Raises PublishError."""
        wait_s = WAIT_S if request.options.wait_s is None else request.options.wait_s
        refused = self._too_large(request)
        if refused is not None:
            return refused
        until = time.monotonic() + wait_s
        programs = [Program.of(request)]
        sent = await self._send(programs, key, note=wait_s > SENDING_S)
        try:
            found = await self._arrived(sent, until)
        except asyncio.CancelledError:
            self._keep(asyncio.create_task(self._leave(programs, sent, sent.chunks)))
            raise
        if 0 in found:
            return found[0].model_copy(update={"request_id": request.request_id})
        await self._leave(programs, sent, sent.chunks)
        return Pending(_ids(sent)[0])

    async def check_batch(
        self, requests: Sequence[VerificationRequest], deadline: float | None
    ) -> list[VerificationResult]:
        """As `send_batch`, without the handle."""
        return (await self.send_batch(requests, deadline)).results

    async def send_batch(
        self, requests: Sequence[VerificationRequest], deadline: float | None, key: str | None = None
    ) -> BatchAnswer:
        """Dispatch all at once, equal content once; what is not there at the deadline is asked for by the handle."""
        until = deadline if deadline is not None else time.monotonic() + BATCH_WAIT_S
        programs, places, refused = await asyncio.to_thread(self._programs, requests)
        if not programs:
            return BatchAnswer([one for one in refused if one is not None])
        sent = await self._send(programs, key)
        found = await self._arrived(sent, until)
        names = _ids(sent)
        results = [
            no or self._answered(request, found.get(place), names[place])
            for request, place, no in zip(requests, places, refused, strict=True)
        ]
        missing = len(programs) - len(found)
        if not missing:
            return BatchAnswer(results)
        late = [chunk for chunk in sent.chunks if not found.keys() >= set(chunk.places)]
        await self._leave(programs, sent, late)
        return BatchAnswer(results, BatchState(sent.id, len(found), missing))

    async def result(self, verification_id: str) -> VerificationResult | Pending | None:
        """The stored result; Pending while it is under way; None for an unknown id."""
        chunk, _, index = verification_id.partition(".")
        document = await self._store.get(KIND, chunk)
        if document is None:
            return Pending(verification_id) if chunk in self._waiting else None
        results = results_in(document)
        if results is None:
            return Pending(verification_id)
        self._shares.finished(chunk)
        at = int(index) if index.isdecimal() and len(index) < 4 else 0
        return _named(results[at], verification_id) if at < len(results) else None

    async def batch(self, batch_id: str) -> BatchAnswer | None:
        """The results of a batch once all are there, until then how many are; None for an unknown id."""
        sent = await self._requests.read(batch_id)
        if sent is None:
            return None
        found = await self._found(sent)
        missing = sent.programs - len(found)
        if missing:
            return BatchAnswer([], BatchState(sent.id, len(found), missing))
        return BatchAnswer([found[place] for place in range(sent.programs)])

    async def warm(self, programs: int, stay_s: float) -> Warmed:
        """Start runners for so many programs that are to come. Raises LaunchError."""
        return await self._keeper.warm(programs, stay_s)

    def _programs(
        self, requests: Sequence[VerificationRequest]
    ) -> tuple[list[Program], list[int], list[VerificationResult | None]]:
        """Different programs; which of them each request has; and the results of those that are refused."""
        programs: dict[str, tuple[int, Program]] = {}
        places, refused = [], []
        for request in requests:
            no = self._too_large(request)
            refused.append(no)
            program = Program.of(request)
            place, _ = (-1, None) if no else programs.setdefault(program.digest, (len(programs), program))
            places.append(place)
        return [program for _, program in programs.values()], places, refused

    def _answered(
        self, request: VerificationRequest, result: VerificationResult | None, verification_id: str
    ) -> VerificationResult:
        from verifleet.verification import DEADLINE_MISSED

        if result is not None:
            return result.model_copy(update={"request_id": request.request_id})
        missed = _stamped(request, DEADLINE_MISSED)
        return missed.model_copy(update={"details": {"verification_id": verification_id}})

    def _too_large(self, request: VerificationRequest) -> VerificationResult | None:
        from verifleet.verification import Judgement

        limit = self._settings.max_message_bytes
        # Six bytes is what one character can take in ASCII JSON; only near the limit is it worth counting.
        if (len(request.response) + len(request.prompt)) * 6 < limit // 2:
            return None
        execution = execution_of_one(request, "", "0" * PROOF_CHARS, self._settings.default_session, "size")
        size = len(execution.encode())
        if size <= limit:
            return None
        return _stamped(request, Judgement.malformed(f"The request comes to {size} bytes; at most {limit} can be run."))

    # --- sending ---------------------------------------------------------------

    async def _send(self, programs: Sequence[Program], key: str | None, *, note: bool = True) -> Sent:
        """Send what was not sent before for the same request; of what was, what ended as a fault of ours.

        Without `note` the caller sees to it that there soon is a document of each chunk, which tells so, too.
        """
        content = hashlib.sha256("".join(program.digest for program in programs).encode()).hexdigest()
        self._shares.check(len(programs))

        def split() -> list[list[int]]:
            return chunks.split([len(program.text) for program in programs], self._keeper.tasks(len(programs)))

        sent = await self._requests.open(_caller(), key, content, split)
        if sent.found and not sent.unsent:
            failed = [place for place, result in (await self._found(sent)).items() if result.status == "error"]
            if failed:
                again = chunks.split([len(programs[place].text) for place in failed], self._keeper.tasks(len(failed)))
                sent = await self._requests.add(sent, [[failed[at] for at in some] for some in again])
        if sent.found and sent.unsent:
            sent = replace(sent, unsent=await self._untold(sent.unsent))
        if sent.unsent:
            await self._publish_whole(programs, sent, note=note)
        return sent

    async def _publish_whole(self, programs: Sequence[Program], sent: Sent, *, note: bool) -> None:
        # Goes on when the client leaves: what was begun is sent whole, and found by who asks again.
        task = asyncio.create_task(self._publish_all(programs, sent, note=note))
        self._keep(task)
        ids = [chunk.id for chunk in sent.unsent]
        self._sending |= dict.fromkeys(ids, task)
        task.add_done_callback(lambda _: [self._sending.pop(id, None) for id in ids])
        await asyncio.shield(task)

    async def _publish_all(self, programs: Sequence[Program], sent: Sent, *, note: bool) -> None:
        few = asyncio.Semaphore(SENT_AT_ONCE)
        missing = {chunk.id for chunk in sent.unsent}

        async def publish(chunk: Chunk) -> None:
            async with few:
                await self._publish([programs[place] for place in chunk.places], chunk.id, len(programs))
            missing.discard(chunk.id)

        try:
            self._shares.admit(_caller(), sum(len(chunk.places) for chunk in sent.unsent))
            done = await asyncio.gather(*map(publish, sent.unsent), return_exceptions=True)
        except BaseException:
            await self._requests.told(sent, missing)
            raise
        failures = [one for one in done if one is not None]
        if failures:
            await self._requests.told(sent, missing)
            raise failures[0]
        if note:
            self._keep(asyncio.create_task(self._note_sent(sent)))
        if self._looking is None or self._looking.done():
            self._looking = asyncio.create_task(self._ensure_quietly())

    async def _note_sent(self, sent: Sent) -> None:
        # Without the note who asks again sends again, after a while: its results would be the same.
        with contextlib.suppress(TransientError):
            await self._requests.told(sent, ())

    def _keep(self, task: asyncio.Task[None]) -> None:
        self._under_way.add(task)
        task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._under_way.discard(task)
        if not task.cancelled() and task.exception() is not None:
            logger.warning("programs could not be sent: %s", task.exception())

    async def _publish(self, programs: Sequence[Program], id: str, of: int) -> None:
        """Publish a chunk where its caller's share allows; `of` is how many programs its request has."""
        proof, session = await self._proofs.proof(id), self._settings.default_session
        topic = self._shares.topic(_caller(), id, len(programs), of=of)
        try:
            if len(programs) == 1:
                execution = execution_of_one(programs[0].request, id, proof, session, id)
                await self._publisher.publish(topic, execution)
            else:
                await self._publisher.publish_raw(topic, *execution_of_many(programs, id, proof, session))
        except BaseException:
            self._shares.finished(id)
            raise
        _remember(self._published, id)

    async def _ensure_quietly(self) -> None:
        # The watchdog subscription tries again, so a launch that fails now loses nothing.
        with contextlib.suppress(TransientError):
            await self._keeper.ensure(self._backlog)

    # --- Pub/Sub ---------------------------------------------------------------

    async def handle(self, envelope: Envelope[Any], *, cause: str) -> Sequence[Output]:
        """The Handler of all its schemas."""
        if envelope.schema_ in RESULTS:
            return await self._receive(envelope)
        if envelope.schema_ in EXECUTIONS:
            return await self._watch(envelope)
        return await self._dispatch_delivered(envelope, cause)

    async def _dispatch_delivered(self, envelope: Envelope[Any], cause: str) -> Sequence[Output]:
        from verifleet.envelopes import derived_id

        if envelope.data.verifier != "code":
            raise ShapeError(f"payload.data.verifier is {envelope.data.verifier}, but this is the code verifier")
        request = envelope.data.request()
        if self._too_large(request) is not None:
            raise ShapeError(f"the execution would be larger than {self._settings.max_message_bytes} bytes")
        verification_id = derived_id(f"{FUNCTION}/{cause}/{request.digest()}")
        attempt = await self._idempotency.start(f"{FUNCTION}/{verification_id}")
        if attempt.state == "busy":
            raise TransientError(f"verification {verification_id} is being dispatched already")
        if attempt.state == "started":
            topic = self._shares.topic(_caller(), verification_id, of=FEW + 1)
            try:
                proof = await self._proofs.proof(verification_id)
                execution = execution_of_one(request, verification_id, proof, envelope.session_id, cause)
                await self._publisher.publish(topic, execution)
            except BaseException:
                self._shares.finished(verification_id)
                await self._idempotency.abandon(attempt)
                raise
            await self._idempotency.complete(attempt)
        return []

    async def _receive(self, envelope: Envelope[Any]) -> Sequence[Output]:
        verification_id, proof, results = _told(envelope)
        await self._check_proof((RUNNER_RESULTS,), verification_id, proof)
        assert isinstance(verification_id, str)
        document = await self._store_results(verification_id, results)
        stored = results_in(document) or ()
        for index, (first, result) in enumerate(zip(stored, results, strict=False)):
            # An error claims nothing: it is what a runner says that was short of something at its second try.
            if result.status == "error" or _says_the_same(first, result):
                continue
            late = first.status == "error"
            problem = (
                f"{result.verdict} with score {result.score} came after {first.verdict} with score {first.score}, "
                f"which stands: {'too late' if late else 'tampering, or a program that ends differently each time'}"
            )
            path = "payload.data.score" if len(results) == 1 else f"payload.data.results.{index}.score"
            raise self._refusal("late" if late else "different", path, problem, verification_id)
        await self._tell_everybody(document, verification_id, envelope)
        return []

    async def _tell_everybody(self, document: Document, verification_id: str, envelope: Envelope[Any]) -> None:
        """Publish what stands of a chunk; `envelope` is what led to it."""
        messages = chunks.published(document, verification_id, envelope.session_id)
        with observability.tool("publish", topic=VERIFICATION_RESULTS, messages=len(messages)) as call:
            await self._publisher.publish_many(VERIFICATION_RESULTS, messages)
            call.fields["code_verdict_seconds"] = round((datetime.now(UTC) - _began_at(envelope)).total_seconds(), 3)

    async def _watch(self, envelope: Envelope[Any]) -> Sequence[Output]:
        verification_id = envelope.data.verification_id
        await self._check_proof((WATCHDOG, WATCHDOG_BULK), verification_id, envelope.data.proof)
        delivery = current_delivery()
        if delivery is not None and delivery.attempt >= GIVE_UP_AT:
            return await self._give_up(envelope)
        if await self._is_finished(verification_id):
            return []
        programs = len(envelope.data.programs) if envelope.schema_ == "code_executions_v1" else 1
        self._watched[verification_id] = (programs, time.monotonic())
        # Answered without waiting for the results: whoever is held here is paid for, and the message comes again.
        await self._keeper.ensure(self._backlog)
        raise TransientError(f"verification {verification_id} has no result yet")

    async def _give_up(self, envelope: Envelope[Any]) -> Sequence[Output]:
        from verifleet.verification import Judgement

        reason = Judgement.error(f"No runner judged this program within {GIVE_UP_AT} attempts.")
        verification_id = envelope.data.verification_id
        results = [_stamped(request, reason) for request in envelope.data.requests()]
        # A result that did come in time stands, and is published again: whether it was, nobody knows any more.
        document = await self._store_results(verification_id, results)
        await self._tell_everybody(document, verification_id, envelope)
        return []

    async def _check_proof(self, subscriptions: Sequence[str], verification_id: object, proof: object) -> None:
        """Refuse what did not come over one of `subscriptions`, or does not prove that its sender was given it."""
        delivery = current_delivery()
        came_over = "no subscription" if delivery is None else delivery.subscription
        if came_over not in subscriptions:
            problem = f"{came_over[:100]!r} is not {' or '.join(subscriptions)}"
            raise self._refusal("origin", "subscription", problem, verification_id)
        if not isinstance(verification_id, str):
            raise self._refusal("unproven", "payload.data.verification_id", "a code result names its verification", "")
        if not await self._proofs.holds(verification_id, proof):
            problem = (
                "does not fit: only who is given an execution can answer it, and only while the store that gave it is "
                "there; after a store was lost or replaced, send the request again"
            )
            raise self._refusal("unproven", "payload.data.proof", problem, verification_id)

    def _refusal(self, why: str, path: str, problem: str, verification_id: object) -> RefusedResultError:
        observability.count_refused_result(why)
        # A warning: anyone who reaches a function of an open fleet could otherwise raise the alarm for errors.
        name = verification_id[:100] if isinstance(verification_id, str) else ""
        fields = {"refused_result": why, "verification_id": name}
        logger.warning("a result is refused (%s): %s %s", why, path, problem, extra={"fields": fields})
        return RefusedResultError(f"{path}: {problem}", [FieldProblem(path, problem)])

    # --- waiting ---------------------------------------------------------------

    async def _arrived(self, sent: Sent, until: float) -> dict[int, VerificationResult]:
        """The results of a request's programs by place, as far as they are there in time.

        They are told in this process, or found in the Store, written by another instance.
        """
        event = asyncio.Event()
        found: dict[str, Sequence[VerificationResult]] = {}
        # What came while the rest was being sent is in the Store already.
        at_once = sent.found or any(chunk.id in self._received for chunk in sent.chunks)
        next_poll = 0.0 if at_once else time.monotonic() + FIRST_POLL_S
        poll_s = FIRST_POLL_S
        with self._waiters(sent.chunks, event) as waiters:
            while True:
                event.clear()
                for id, waiter in waiters.items():
                    if waiter.results is not None and id not in found:
                        found[id] = waiter.results
                missing = [id for id in waiters if id not in found]
                now = time.monotonic()
                if missing and (now >= next_poll or now >= until):
                    found |= await self._stored(missing)
                    poll_s = min(MAX_POLL_S, 1.5 * poll_s)
                    next_poll = time.monotonic() + poll_s
                    missing = [id for id in missing if id not in found]
                if not missing or now >= until:
                    return _by_place(sent, found)
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(max(0.0, min(next_poll, until) - time.monotonic())):
                        await event.wait()

    @contextlib.contextmanager
    def _waiters(self, sent: Collection[Chunk], event: asyncio.Event) -> Iterator[dict[str, _Waiter]]:
        waiters = {chunk.id: self._waiting.setdefault(chunk.id, _Waiter(len(chunk.places))) for chunk in sent}
        for waiter in waiters.values():
            waiter.told.append(event)
        try:
            yield waiters
        finally:
            for id, waiter in waiters.items():
                waiter.told.remove(event)
                if not waiter.told:
                    self._waiting.pop(id, None)

    async def _found(self, sent: Sent) -> dict[int, VerificationResult]:
        return _by_place(sent, await self._stored([chunk.id for chunk in sent.chunks]))

    async def _stored(self, ids: Sequence[str]) -> dict[str, Sequence[VerificationResult]]:
        """The results of those chunks that have theirs in the Store."""
        found: dict[str, Sequence[VerificationResult]] = {}
        for id, document in (await self._store.get_many(KIND, ids)).items():
            results = results_in(document)
            if results is not None:
                found[id] = results
                self._shares.finished(id)
        return found

    async def _is_finished(self, verification_id: str) -> bool:
        if verification_id in self._received:
            return True
        if verification_id in self._waiting:
            return False  # nothing has come to this instance, and its waiter asks the Store
        if not await self._stored([verification_id]):
            return False
        self._watched.pop(verification_id, None)
        return True

    async def _store_results(self, verification_id: str, results: Sequence[VerificationResult]) -> Document:
        """Store the first results of a chunk and tell who waits for them; returns what stands."""
        data = chunks.kept(results, observability.caller())
        mine = Document(data, expires_at=self._expiry())

        def if_first(present: Document | None) -> Document | None:
            return mine if present is None or not chunks.is_finished(present.data) else None

        document = await self._store.update(KIND, verification_id, if_first) or mine
        self._shares.finished(verification_id)
        self._watched.pop(verification_id, None)
        _remember(self._received, verification_id)
        waiter = self._waiting.get(verification_id)
        if waiter is not None:
            waiter.results = results if document.data is data else results_in(document)
            for event in waiter.told:
                event.set()
        elif document.data is data:  # whoever waits counts what it answers
            observability.count_verdicts(Counter(result.verdict for result in results))
        return document

    async def _leave(self, programs: Sequence[Program], sent: Sent, late: Sequence[Chunk]) -> None:
        """Let chunks be asked for later: mark them as pending once it is certain that they were sent.

        Of like requests at the same time one sends for all. Should that one have failed or gone, these are sent here:
        at worst a program runs twice, and the first result stands. Raises PublishError.
        """
        sending = {self._sending[chunk.id] for chunk in late if chunk.id in self._sending}
        if sending:
            await asyncio.wait(sending)
        unsure = [chunk for chunk in late if chunk.id not in self._published]
        if unsure:
            record = await self._requests.read(sent.id)
            unsent = {chunk.id for chunk in record.unsent} if record is not None else set()
            unsure = await self._untold([chunk for chunk in unsure if chunk.id in unsent])
        if unsure:
            await self._publish_whole(programs, replace(sent, unsent=unsure), note=False)
        await self._mark_pending(late)

    async def _untold(self, sent: Sequence[Chunk]) -> list[Chunk]:
        """Those of which no document tells that they were sent."""
        there = await self._store.get_many(KIND, [chunk.id for chunk in sent])
        return [chunk for chunk in sent if chunk.id not in there]

    async def _mark_pending(self, sent: Collection[Chunk]) -> None:
        pending = Document(chunks.NOT_YET, expires_at=self._expiry())
        writing = (
            self._store.update(KIND, chunk.id, lambda present: pending if present is None else None) for chunk in sent
        )
        await asyncio.gather(*writing)

    def _expiry(self) -> datetime:
        return datetime.now(UTC) + timedelta(seconds=self._settings.idempotency_ttl_s)

    def _backlog(self) -> int:
        limit = time.monotonic() - WATCHED_S
        self._watched = {id: known for id, known in self._watched.items() if known[1] > limit}
        waiting = sum(waiter.programs for waiter in self._waiting.values() if waiter.results is None)
        return waiting + sum(programs for id, (programs, _) in self._watched.items() if id not in self._waiting)


def _remember(known: dict[str, None], id: str) -> None:
    known[id] = None
    if len(known) > MAX_REMEMBERED:
        del known[next(iter(known))]


def _caller() -> str:
    return observability.caller() or UNAUTHENTICATED


def _ids(sent: Sent) -> dict[int, str]:
    """What each program is called, by place; of one that was sent again, what it is called since."""
    return {
        place: program_id(chunk.id, index, len(chunk.places))
        for chunk in sent.chunks
        for index, place in enumerate(chunk.places)
    }


def _by_place(sent: Sent, found: dict[str, Sequence[VerificationResult]]) -> dict[int, VerificationResult]:
    """Results by their programs' places; what was sent again counts instead of what came of it before."""
    latest = _ids(sent)
    results: dict[int, VerificationResult] = {}
    for chunk in sent.chunks:
        for index, (place, result) in enumerate(zip(chunk.places, found.get(chunk.id, ()), strict=False)):
            name = program_id(chunk.id, index, len(chunk.places))
            if latest[place] == name:
                results[place] = _named(result, name)
    return results


def _named(result: VerificationResult, verification_id: str) -> VerificationResult:
    return result.model_copy(update={"verification_id": verification_id})


def _told(envelope: Envelope[Any]) -> tuple[object, object, list[VerificationResult]]:
    """Whose results these are, the proof, and the results; what is kept and answered from here on has no proof."""
    if envelope.schema_ == "code_results_v1":
        results = list(envelope.data.results)
        for result in results:
            (result.model_extra or {}).pop("proof", None)
        return envelope.data.verification_id, envelope.data.proof, results
    extra = envelope.data.model_extra or {}
    return extra.get("verification_id"), extra.pop("proof", None), [envelope.data]


def _began_at(envelope: Envelope[Any]) -> datetime:
    """When an execution was dispatched; a result says so, too."""
    began_at = envelope.metadata.began_at if envelope.metadata else None
    return began_at or envelope.timestamp


def _says_the_same(one: VerificationResult, other: VerificationResult) -> bool:
    """Whether two results agree; a program that was judged twice took a little longer once."""
    return (one.score, one.status, one.verdict) == (other.score, other.status, other.verdict)


def _stamped(request: VerificationRequest, judgement: Judgement) -> VerificationResult:
    from verifleet.verification import VerificationResult

    return VerificationResult(
        request_id=request.request_id,
        verifier="code",
        score=judgement.score,
        status=judgement.status,
        verdict=judgement.verdict,
        reason=judgement.reason,
    )


def _keeper(settings: Settings, store: Store) -> Keeper:
    from verifleet.jobs.runner_keeper import RunnerKeeper, make_launcher

    return RunnerKeeper(
        make_launcher(settings),
        store,
        backlog_per_task=settings.runner_backlog_per_task,
        max_tasks=settings.runner_max_tasks if settings.code_runner_job else 1,
        min_tasks=settings.runner_min_tasks,
    )
