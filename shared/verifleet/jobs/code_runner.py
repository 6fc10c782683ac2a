"""The code-runner job: pulls code executions, runs each in the sandbox, scores it, publishes the result.

It lingers while there is work, so that start-up is paid once per burst, pulls once more and exits when idle.
An execution is acknowledged only after its result was published: a runner that dies loses nothing.
"""

from __future__ import annotations

import argparse
import fcntl
import json
import logging
import queue
import sys
import threading
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from verifleet.envelopes import Envelope, make_envelope, message_attributes, parse_envelope
from verifleet.errors import ShapeError
from verifleet.messaging.topology import DEAD_LETTERS, RUNNER, VERIFICATION_RESULTS
from verifleet.settings import Settings, settings
from verifleet.verification import VerificationResult, Verifier

if TYPE_CHECKING:
    from google.pubsub_v1 import PublisherClient, SubscriberClient

logger = logging.getLogger("verifleet.code_runner")

SOURCE_AGENT = "code_runner"
PARALLEL = 128
PULL_S, MIN_PULL_S = 5.0, 0.5
LEASE_S = 10
"""Short leases, renewed while work goes on: what a killed runner held comes back soon. Pub/Sub allows no shorter."""

GATHER_S = 0.001
"""How long a result waits for company, for each request that is under way."""

ROOM_S = 0.25
"""How long the next pull waits for more room while there is plenty of work."""

MAX_SENT = 500
MAX_SENT_BYTES = 9_000_000


def result_envelope(execution: Envelope[Any], result: VerificationResult, cause: str) -> Envelope[Any]:
    """The result of an execution on its way back; the same execution always gives the same envelope_id."""
    data = result.model_copy(update={"verification_id": execution.data.verification_id})
    return make_envelope(
        "verification_result_v1",
        data,
        session_id=execution.session_id,
        source_agent=SOURCE_AGENT,
        timestamp=datetime.now(UTC),
        cause=cause,
        trace=execution.metadata.trace if execution.metadata else None,
    )


@dataclass(frozen=True, slots=True)
class _Finished:
    """What is to be published of an execution before it is acknowledged."""

    ack_id: str
    topic: str
    data: bytes
    attributes: dict[str, str]


class Runner:
    """Drains one subscription until it has been idle for `idle_s` seconds.

    Requests are pulled, published and acknowledged many in one call: the threaded client with its stream costs several
    times as much for each. Programs that wait cost nothing, so many requests are under way at once; how many may use
    the CPU is the sandbox's business.

    Args:
        verifier: judges.
        subscriber: google.pubsub_v1.SubscriberClient.
        publisher: google.pubsub_v1.PublisherClient.
        project: of the topics and the subscription.
        parallel: requests under way at once.
        idle_s: seconds without work after which `run` returns.
        publish_timeout_s: seconds for which a publish is tried.
    """

    def __init__(
        self,
        verifier: Verifier,
        subscriber: SubscriberClient,
        publisher: PublisherClient,
        *,
        project: str,
        parallel: int,
        idle_s: float,
        publish_timeout_s: float,
    ) -> None:
        self._verifier = verifier
        self._subscriber = subscriber
        self._publisher = publisher
        self._project = project
        self._subscription = f"projects/{project}/subscriptions/{RUNNER}"
        self._parallel = parallel
        self._idle_s = idle_s
        self._publish_timeout_s = publish_timeout_s
        self._changed = threading.Condition()
        self._held: set[str] = set()
        self._finished: queue.SimpleQueue[_Finished | None] = queue.SimpleQueue()
        self._stopped = threading.Event()
        self.done = 0

    def run(self) -> None:
        """Work until idle, look once more, return."""
        sender = threading.Thread(target=self._send_all, name="sender")
        renewer = threading.Thread(target=self._renew_leases, name="leases", daemon=True)
        sender.start()
        renewer.start()
        try:
            with ThreadPoolExecutor(self._parallel, thread_name_prefix="execution") as executor:
                self._drain(executor)
        finally:
            self._finished.put(None)
            sender.join()
            self._stopped.set()
            renewer.join()

    def _drain(self, executor: ThreadPoolExecutor) -> None:
        last_work = time.monotonic()
        while True:
            free = self._wait_for_room()
            idle_for = time.monotonic() - last_work
            received = self._pull(free, min(PULL_S, max(MIN_PULL_S, self._idle_s - idle_for)))
            if received:
                self._lease([item.ack_id for item in received])
            for item in received:
                executor.submit(self._handle, item.ack_id, item.message)
            if received or self._held:
                last_work = time.monotonic()
            elif time.monotonic() - last_work >= self._idle_s:
                return

    def _wait_for_room(self) -> int:
        """How many more may be pulled; waits a little until that is worth a call, and for as long as it is none."""
        with self._changed:
            self._changed.wait_for(lambda: len(self._held) <= self._parallel * 3 // 4, ROOM_S)
            self._changed.wait_for(lambda: len(self._held) < self._parallel)
            return self._parallel - len(self._held)

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

    def _handle(self, ack_id: str, message: Any) -> None:
        try:
            finished = self._execute(ack_id, message)
        except Exception:
            # Whatever went wrong is ours: the execution is handed back and will be delivered again.
            logger.exception("execution %s failed and is handed back", message.message_id)
            self._hand_back([ack_id])
        else:
            self._finished.put(finished)

    def _execute(self, ack_id: str, message: Any) -> _Finished:
        cause = message.attributes.get("envelope_id") or message.message_id
        try:
            execution = parse_envelope(json.loads(message.data), expect="code_execution_v1")
            request = execution.data.request()
        except (ShapeError, ValueError, RecursionError) as error:
            attributes = {"reason": str(error)[:1000], "origin": RUNNER, "message_id": message.message_id}
            return _Finished(ack_id, DEAD_LETTERS, message.data, {**message.attributes, **attributes})
        result = self._verifier.check(request)
        envelope = result_envelope(execution, result, cause)
        attributes = message_attributes(envelope) | {"verifier": "code"}
        return _Finished(ack_id, VERIFICATION_RESULTS, envelope.encode(), attributes)

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
        self.done += sum(item.topic == VERIFICATION_RESULTS for item in finished)

    def _publish(self, finished: list[_Finished]) -> None:
        from google.api_core.retry import Retry

        start, size = 0, 0
        for end, item in enumerate(finished, 1):
            size += len(item.data) + 2000
            if end == len(finished) or size + len(finished[end].data) + 2000 > MAX_SENT_BYTES:
                self._publisher.publish(
                    request={
                        "topic": f"projects/{self._project}/topics/{item.topic}",
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
            self._changed.notify_all()

    def _set_deadline(self, ack_ids: Sequence[str], seconds: int) -> None:
        from google.api_core.exceptions import GoogleAPIError

        request = {"subscription": self._subscription, "ack_ids": list(ack_ids), "ack_deadline_seconds": seconds}
        try:
            self._subscriber.modify_ack_deadline(request=request, timeout=LEASE_S / 3)
        except GoogleAPIError as error:
            logger.warning("the leases of %d executions could not be changed: %s", len(ack_ids), error)


def main() -> None:
    """The job's entry point."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lock", type=Path, help="file to hold locked while running; exit when another holds it")
    arguments = parser.parse_args()
    config = settings()
    logging.basicConfig(level=config.log_level, stream=sys.stderr, format="%(levelname)s %(name)s %(message)s")
    if arguments.lock is not None:
        lock = arguments.lock.open("ab")
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            logger.info("another runner is up")
            return
    run(config)


def run(config: Settings) -> None:
    """Start sandbox and clients as the settings say and drain the subscription."""
    # The sandbox's zygote starts first, before clients and credentials are loaded into this process.
    from verifleet.sandbox import LocalSandbox
    from verifleet.verifiers.code import CodeVerifier

    sandbox = LocalSandbox(launcher=config.sandbox_launcher, min_rung=config.sandbox_min_rung)
    subscriber, publisher = _clients(config)
    try:
        runner = Runner(
            CodeVerifier(sandbox=sandbox),
            subscriber,
            publisher,
            project=config.google_cloud_project,
            parallel=config.runner_parallel or PARALLEL,
            idle_s=config.runner_idle_s,
            publish_timeout_s=config.publish_timeout_s,
        )
        runner.run()
        logger.info("idle after %d executions", runner.done)
    finally:
        sandbox.close()
        publisher.transport.close()  # type: ignore[no-untyped-call]
        subscriber.transport.close()  # type: ignore[no-untyped-call]


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
