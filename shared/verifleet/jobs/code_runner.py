"""The code-runner job: pulls code executions, runs each in the sandbox, scores it, publishes the result.

It lingers while there is work, so that start-up is paid once per burst, pulls once more and exits when idle. Being idle
begins with the first successful call: a container's network may come up a minute after its program does.
An execution is acknowledged only after its result was published: a runner that dies loses nothing.
"""

from __future__ import annotations

import argparse
import fcntl
import gc
import json
import logging
import queue
import sys
import threading
import time
import warnings
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from verifleet import observability
from verifleet.envelopes import (
    MAX_PROGRAMS,
    CodeResultsData,
    Envelope,
    EnvelopeMetadata,
    make_envelope,
    message_attributes,
    parse_envelope,
)
from verifleet.errors import ShapeError
from verifleet.messaging.topology import (
    CODE_RESULTS,
    DEAD_LETTERS,
    RUNNER,
    RUNNER_BULK,
    subscription_path,
    topic_path,
)
from verifleet.settings import Settings, settings
from verifleet.verification import VerificationRequest, VerificationResult, Verifier

if TYPE_CHECKING:
    from google.pubsub_v1 import PublisherClient, SubscriberClient

logger = logging.getLogger("verifleet.code_runner")

SOURCE_AGENT = "code_runner"
PARALLEL = 128
"""Programs under way at once."""
FEW_MESSAGES = 32
"""Pulled at once at most: each may turn out to hold 64 programs, which another runner then does not get."""
PULL_S, MIN_PULL_S = 5.0, 0.5
LEASE_S = 10
"""Short leases, renewed while work goes on: what a killed runner held comes back soon. Pub/Sub allows no shorter."""

GARBAGE_THRESHOLDS = (5_000, 10, 100)

GATHER_S = 0.001
"""How long a result waits for company, for each request that is under way."""

ROOM_S = 0.25
"""How long the next pull waits for more room while there is plenty of work."""

CONNECT_PAUSE_S = 1.0
MAX_SENT = 500
MAX_SENT_BYTES = 9_000_000
_NO_RESULTS = '"results":[]'
MAX_RESULTS_CHARS = 700_000
"""Of the results of one message, which become one document; a document of the Store holds a little more."""


class NotConnectedError(Exception):
    """A runner that never reached Pub/Sub: its task has failed and is started again."""


def result_envelope(
    execution: Envelope[Any], result: VerificationResult, cause: str, trace: str | None
) -> Envelope[Any]:
    """The result of an execution on its way back; the same execution always gives the same envelope_id.

    It brings back the execution's proof, which never comes near the program.
    """
    about = {"verification_id": execution.data.verification_id, "proof": execution.data.proof}
    return _result_envelope("verification_result_v1", result.model_copy(update=about), execution, cause, trace)


def results_message(
    execution: Envelope[Any], results: Sequence[VerificationResult], cause: str, trace: str | None
) -> tuple[bytes, dict[str, str]]:
    """The same for an execution of several programs, as the message that it becomes: data and attributes."""
    about = {"verification_id": execution.data.verification_id, "proof": execution.data.proof}
    empty = CodeResultsData.model_construct(**about, results=[])
    envelope = _result_envelope("code_results_v1", empty, execution, cause, trace)
    # Each result is made JSON once, and within a string of the rest its quotes could not stand bare.
    head, _, tail = envelope.encode().decode("ascii").partition(_NO_RESULTS)
    return f'{head}"results":[{",".join(fitting(results))}]{tail}'.encode("ascii"), message_attributes(envelope)


def fitting(results: Sequence[VerificationResult], room: int = MAX_RESULTS_CHARS) -> list[str]:
    """Results in JSON that one document can hold: the longest lose their details, never their verdicts."""
    texts = [_as_json(result) for result in results]
    left = sum(map(len, texts)) - room
    while left > 0:
        longest = max(range(len(texts)), key=lambda index: len(texts[index]))
        told = f"{len(texts[longest])} characters of JSON, too long to be kept"
        short = _as_json(results[longest].model_copy(update={"details": {"left_out": told}}))
        if len(short) >= len(texts[longest]):
            break
        left -= len(texts[longest]) - len(short)
        texts[longest] = short
    return texts


def _as_json(result: VerificationResult) -> str:
    return json.dumps(result.model_dump(mode="python"), ensure_ascii=True, allow_nan=False, separators=(",", ":"))


def _result_envelope(schema: str, data: Any, execution: Envelope[Any], cause: str, trace: str | None) -> Envelope[Any]:
    return make_envelope(
        schema,
        data,
        session_id=execution.session_id,
        source_agent=SOURCE_AGENT,
        timestamp=datetime.now(UTC),
        cause=cause,
        trace=trace,
        began_at=execution.timestamp,
        caller=execution.metadata.caller if execution.metadata else None,
    )


@dataclass(frozen=True, slots=True)
class _Finished:
    """What is to be published of an execution before it is acknowledged."""

    ack_id: str
    topic: str
    data: bytes
    attributes: dict[str, str]
    programs: int = 0


@dataclass(slots=True)
class _Execution:
    """A message under way: what it holds, and what became of its programs so far."""

    ack_id: str
    envelope: Envelope[Any]
    requests: Sequence[VerificationRequest]
    cause: str
    results: list[VerificationResult | None]
    left: int


class Idleness:
    """Since when all runners of one process have been without work.

    None leaves while another works: a process that is up is taken for one that looks after every subscription. Nor does
    any leave in its first `stay_s` seconds.
    """

    def __init__(self, idle_s: float, stay_s: float = 0.0) -> None:
        self.idle_s = idle_s
        self._stays_until = time.monotonic() + stay_s
        self._lock = threading.Lock()
        self._busy: set[object] = set()
        self._since = time.monotonic()

    def tell(self, runner: object, *, works: bool) -> None:
        """A runner has work, or tries to reach Pub/Sub; or it has none."""
        with self._lock:
            if works:
                self._busy.add(runner)
            elif runner in self._busy:
                self._busy.remove(runner)
                self._since = time.monotonic()

    @property
    def left_s(self) -> float:
        """Seconds until it is time to go."""
        with self._lock:
            if self._busy:
                return self.idle_s
            return max(self._since + self.idle_s, self._stays_until) - time.monotonic()


class Runner:
    """Drains one subscription until its process has been idle for a while.

    Requests are pulled, published and acknowledged many in one call: the threaded client with its stream costs several
    times as much for each. Programs that wait cost nothing, so many requests are under way at once; how many may use
    the CPU is the sandbox's business.

    Args:
        verifier: judges.
        subscriber: google.pubsub_v1.SubscriberClient.
        publisher: google.pubsub_v1.PublisherClient.
        project: of the topics and the subscription.
        parallel: requests under way at once.
        idleness: tells when `run` returns; shared by the runners of one process.
        connect_s: seconds after which `run` gives up that never reached Pub/Sub.
        publish_timeout_s: seconds for which a publish is tried.
        subscription: what is drained.
        prefix: of the installation's topics and subscriptions.
    """

    def __init__(
        self,
        verifier: Verifier,
        subscriber: SubscriberClient,
        publisher: PublisherClient,
        *,
        project: str,
        parallel: int,
        idleness: Idleness,
        connect_s: float,
        publish_timeout_s: float,
        subscription: str = RUNNER,
        prefix: str = "",
    ) -> None:
        self._verifier = verifier
        self._subscriber = subscriber
        self._publisher = publisher
        self._project = project
        self._prefix = prefix
        self._origin = subscription
        self._subscription = subscription_path(project, subscription, prefix)
        self._parallel = parallel
        self._idleness = idleness
        idleness.tell(self, works=True)
        self._connect_s = connect_s
        self._publish_timeout_s = publish_timeout_s
        self._changed = threading.Condition()
        self._held: set[str] = set()
        self._programs = 0
        self._enough = parallel * 3 // 4
        self._each = float(MAX_PROGRAMS)
        self._finished: queue.SimpleQueue[_Finished | None] = queue.SimpleQueue()
        self._stopped = threading.Event()
        self.done = 0

    def run(self) -> None:
        """Work until idle, look once more, return. Raises NotConnectedError."""
        sender = threading.Thread(target=self._send_all, name="sender")
        renewer = threading.Thread(target=self._renew_leases, name="leases", daemon=True)
        sender.start()
        renewer.start()
        try:
            with ThreadPoolExecutor(self._parallel, thread_name_prefix="execution") as executor:
                self._drain(executor)
        finally:
            self._idleness.tell(self, works=False)
            self._finished.put(None)
            sender.join()
            self._stopped.set()
            renewer.join()

    def _drain(self, executor: ThreadPoolExecutor) -> None:
        received = self._connect()
        while True:
            if received:
                self._begin_all(received, executor)
            works = bool(received or self._held)
            self._idleness.tell(self, works=works)
            if not works and self._idleness.left_s <= 0.0:
                return
            free = self._wait_for_room()
            received = self._pull(free, min(PULL_S, max(MIN_PULL_S, self._idleness.left_s)))

    def _begin_all(self, received: Sequence[Any], executor: ThreadPoolExecutor) -> None:
        self._lease([item.ack_id for item in received])
        before = self._programs
        for item in received:
            execution = self._begun(item.ack_id, item.message)
            if isinstance(execution, _Finished):
                self._finished.put(execution)
                continue
            with self._changed:
                self._programs += len(execution.requests)
            for index in range(len(execution.requests)):
                executor.submit(self._handle, execution, index)
        # What comes next is taken to be like this.
        self._each = max(1.0, (self._programs - before) / len(received))

    def _connect(self) -> Sequence[Any]:
        """What the first successful call pulls; an ordinary pull of nothing looks like one that reached nobody."""
        from google.api_core.exceptions import GoogleAPICallError
        from google.auth.exceptions import GoogleAuthError

        limit = max(1, self._parallel // MAX_PROGRAMS)
        request = {"subscription": self._subscription, "max_messages": limit, "return_immediately": True}
        until = time.monotonic() + self._connect_s
        while True:
            try:
                with warnings.catch_warnings():
                    # Deprecated for polling, which this is not; nothing else answers at once to the runner's one role.
                    warnings.simplefilter("ignore", DeprecationWarning)
                    response = self._subscriber.pull(request=request, timeout=PULL_S, retry=None)
            except (GoogleAPICallError, GoogleAuthError) as error:
                if time.monotonic() >= until:
                    problem = f"Pub/Sub could not be reached within {self._connect_s:g} s: {error}"
                    raise NotConnectedError(problem) from error
                logger.warning("Pub/Sub can't be reached yet: %s", error)
                time.sleep(min(CONNECT_PAUSE_S, self._connect_s))
            else:
                messages: Sequence[Any] = type(response).pb(response).received_messages
                return messages

    def _wait_for_room(self) -> int:
        """How many messages may be pulled; waits a little until that is worth a call, and for as long as it is none."""
        with self._changed:
            self._changed.wait_for(lambda: self._programs <= self._enough, ROOM_S)
            self._changed.wait_for(lambda: self._programs < self._parallel)
            return max(1, min(FEW_MESSAGES, int((self._parallel - self._programs) / self._each)))

    def _pull(self, limit: int, timeout_s: float) -> Sequence[Any]:
        from google.api_core.exceptions import DeadlineExceeded, ServerError

        request = {"subscription": self._subscription, "max_messages": limit}
        try:
            response = self._subscriber.pull(request=request, timeout=timeout_s, retry=None)
        except DeadlineExceeded:
            return ()
        except ServerError as error:
            logger.warning("can't pull now: %s", error)
            time.sleep(min(1.0, timeout_s))
            return ()
        messages: Sequence[Any] = type(response).pb(response).received_messages
        return messages

    # --- one execution -----------------------------------------------------------

    def _one_less(self) -> None:
        """A program has ended; whoever pulls is woken when that makes a difference, and not for each."""
        self._programs -= 1
        if self._programs in (self._enough, self._parallel - 1):
            self._changed.notify_all()

    def _begun(self, ack_id: str, message: Any) -> _Execution | _Finished:
        """What is to be done for a message, or the dead letter that it becomes."""
        try:
            envelope = parse_envelope(json.loads(message.data), expect=("code_execution_v1", "code_executions_v1"))
            requests = envelope.data.requests()
        except (ShapeError, ValueError, RecursionError) as error:
            attributes = {"reason": str(error)[:1000], "origin": self._origin, "message_id": message.message_id}
            return _Finished(ack_id, DEAD_LETTERS, message.data, {**message.attributes, **attributes})
        cause = message.attributes.get("envelope_id") or message.message_id
        return _Execution(ack_id, envelope, requests, cause, [None] * len(requests), len(requests))

    def _handle(self, execution: _Execution, index: int) -> None:
        try:
            finished = self._execute(execution, index)
        except Exception:
            # Whatever went wrong is ours: the execution is handed back and will be delivered again.
            logger.exception("execution %s failed and is handed back", execution.cause)
            with self._changed:
                self._one_less()
            self._hand_back([execution.ack_id])
        else:
            if finished is not None:
                self._finished.put(finished)

    def _execute(self, execution: _Execution, index: int) -> _Finished | None:
        """Judge one program; with the last of an execution, its message."""
        envelope = execution.envelope
        metadata = envelope.metadata or EnvelopeMetadata()
        with observability.request_context(SOURCE_AGENT, "execute", {}, self._project):
            observability.note_envelope(envelope.session_id, metadata.trace, metadata.caller)
            with observability.span("execute", entry=True, verification_id=envelope.data.verification_id):
                execution.results[index] = self._verifier.check(execution.requests[index])
                trace = observability.traceparent()
        with self._changed:
            execution.left -= 1
            self._one_less()
            if execution.left:
                return None
        return _finished(execution, trace)

    # --- publishing and acknowledging ----------------------------------------------

    def _send_all(self) -> None:
        """Publish what is finished and acknowledge it afterwards, as much in one call as is there."""
        going_on = True
        while going_on:
            first = self._finished.get()
            if (others := len(self._held) - 1) > 0:
                time.sleep(GATHER_S * others)  # theirs will go along
            batch = [first]
            while len(batch) < MAX_SENT and not self._finished.empty():
                batch.append(self._finished.get())
            going_on = None not in batch
            finished = [item for item in batch if item is not None]
            for topic in sorted({item.topic for item in finished}):
                self._send([item for item in finished if item.topic == topic])

    def _send(self, finished: list[_Finished]) -> None:
        from google.api_core.exceptions import GoogleAPIError

        ack_ids = [item.ack_id for item in finished]
        try:
            self._publish(finished)
        except GoogleAPIError as error:
            if len(finished) > 1:
                # One of them may be to blame; the others shall not suffer for it.
                for item in finished:
                    self._send([item])
                return
            logger.warning("an execution is handed back, its result could not be published: %s", error)
            self._hand_back(ack_ids)
            return
        try:
            self._subscriber.acknowledge(
                request={"subscription": self._subscription, "ack_ids": ack_ids}, timeout=self._publish_timeout_s
            )
        except GoogleAPIError as error:
            logger.warning("%d executions will come again, they could not be acknowledged: %s", len(ack_ids), error)
        self._let_go(ack_ids)
        self.done += sum(item.programs for item in finished)

    def _publish(self, finished: list[_Finished]) -> None:
        from google.api_core.retry import Retry

        start, size = 0, 0
        for end, item in enumerate(finished, 1):
            size += len(item.data) + 2000
            if end == len(finished) or size + len(finished[end].data) + 2000 > MAX_SENT_BYTES:
                self._publisher.publish(
                    request={
                        "topic": topic_path(self._project, item.topic, self._prefix),
                        "messages": [{"data": f.data, "attributes": f.attributes} for f in finished[start:end]],
                    },
                    retry=Retry(initial=0.05, maximum=1.0, multiplier=2.0, timeout=self._publish_timeout_s),
                    timeout=self._publish_timeout_s,
                )
                start, size = end, 0

    # --- leases ----------------------------------------------------------------------

    def _lease(self, ack_ids: Sequence[str]) -> None:
        with self._changed:
            self._held.update(ack_ids)
        self._set_deadline(ack_ids, LEASE_S)

    def _renew_leases(self) -> None:
        while not self._stopped.wait(LEASE_S / 3):
            with self._changed:
                held = list(self._held)
            if held:
                self._set_deadline(held, LEASE_S)

    def _hand_back(self, ack_ids: Sequence[str]) -> None:
        self._set_deadline(ack_ids, 0)
        self._let_go(ack_ids)

    def _let_go(self, ack_ids: Sequence[str]) -> None:
        with self._changed:
            self._held.difference_update(ack_ids)

    def _set_deadline(self, ack_ids: Sequence[str], seconds: int) -> None:
        from google.api_core.exceptions import GoogleAPIError

        request = {"subscription": self._subscription, "ack_ids": list(ack_ids), "ack_deadline_seconds": seconds}
        try:
            self._subscriber.modify_ack_deadline(request=request, timeout=LEASE_S / 3)
        except GoogleAPIError as error:
            logger.warning("the leases of %d executions could not be changed: %s", len(ack_ids), error)


def _finished(execution: _Execution, trace: str | None) -> _Finished:
    results = [result for result in execution.results if result is not None]
    envelope, cause = execution.envelope, execution.cause
    if envelope.schema_ == "code_executions_v1":
        data, attributes = results_message(envelope, results, cause, trace)
    else:
        answer = result_envelope(envelope, results[0], cause, trace)
        data, attributes = answer.encode(), message_attributes(answer)
    return _Finished(execution.ack_id, CODE_RESULTS, data, attributes | {"verifier": "code"}, len(results))


def main() -> None:
    """The job's entry point."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lock", type=Path, help="file to hold locked while running; exit when another holds it")
    parser.add_argument(
        "--probe", action="store_true", help="say whether and how programs are isolated here, and leave"
    )
    parser.add_argument("--stay", type=float, default=0.0, help="seconds in which it does not leave for want of work")
    arguments = parser.parse_args()
    config = settings()
    if arguments.probe:
        from verifleet.jobs import probe

        sys.exit(probe.report(config))
    observability.configure(
        SOURCE_AGENT,
        level=config.log_level,
        project=config.google_cloud_project,
        otlp_endpoint=config.otlp_endpoint,
    )
    if arguments.lock is not None:
        lock = arguments.lock.open("ab")
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            logger.info("another runner is up")
            return
    try:
        run(config, arguments.stay)
    except NotConnectedError as error:
        logger.critical("%s; the network, the subscription or a role is missing", error)
        sys.exit(1)


def run(config: Settings, stay_s: float = 0.0) -> None:
    """Start sandbox and clients as the settings say and drain the subscription."""
    # The sandbox's keeper starts first, before clients and credentials are loaded into this process.
    from verifleet.jobs.isolation import sandbox_of
    from verifleet.verifiers.code import CodeVerifier

    idleness = Idleness(config.runner_idle_s, stay_s)
    sandbox = sandbox_of(config)
    subscriber, publisher = _clients(config)
    try:
        verifier = CodeVerifier(sandbox=sandbox)
        runners = [
            Runner(
                verifier,
                subscriber,
                publisher,
                project=config.google_cloud_project,
                parallel=config.runner_parallel or PARALLEL,
                idleness=idleness,
                connect_s=config.runner_connect_s,
                publish_timeout_s=config.publish_timeout_s,
                subscription=subscription,
                prefix=config.prefix,
            )
            for subscription in (RUNNER, RUNNER_BULK)
        ]
        # What was loaded is no garbage; looking through it again and again would cost every program.
        gc.freeze()
        gc.set_threshold(*GARBAGE_THRESHOLDS)
        run_all(runners)
        logger.info("idle after %d executions", sum(runner.done for runner in runners))
    finally:
        sandbox.close()
        publisher.transport.close()  # type: ignore[no-untyped-call]
        subscriber.transport.close()  # type: ignore[no-untyped-call]


def run_all(runners: Sequence[Runner]) -> None:
    """Run the runners of a process until all are idle. Raises NotConnectedError where one never reached Pub/Sub."""
    with ThreadPoolExecutor(len(runners), thread_name_prefix="runner") as threads:
        for running in [threads.submit(runner.run) for runner in runners]:
            running.result()


def _clients(config: Settings) -> tuple[SubscriberClient, PublisherClient]:
    from google.pubsub_v1 import PublisherClient, SubscriberClient

    if config.pubsub_emulator_host is None:
        return SubscriberClient(), PublisherClient()
    import grpc
    from google.pubsub_v1.services.publisher.transports import PublisherGrpcTransport
    from google.pubsub_v1.services.subscriber.transports import SubscriberGrpcTransport

    # gRPC's own limit of 4 MB is less than a message may have.
    unlimited = [("grpc.max_send_message_length", -1), ("grpc.max_receive_message_length", -1)]
    channel = grpc.insecure_channel(config.pubsub_emulator_host, options=unlimited)
    return (
        SubscriberClient(transport=SubscriberGrpcTransport(channel=channel)),
        PublisherClient(transport=PublisherGrpcTransport(channel=channel)),
    )


if __name__ == "__main__":
    main()
