"""The code-runner job: pulls code executions, runs each in the sandbox, scores it, publishes the result.

It lingers while there is work, so that start-up is paid once per burst, pulls once more and exits when idle.
An execution is acknowledged only after its result was published: a runner that dies loses nothing.
"""

from __future__ import annotations

import argparse
import fcntl
import json
import logging
import os
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from verifleet.envelopes import Envelope, make_envelope, message_attributes, parse_envelope
from verifleet.errors import ShapeError
from verifleet.messaging.topology import DEAD_LETTERS, RUNNER, VERIFICATION_RESULTS
from verifleet.settings import Settings, settings
from verifleet.verification import VerificationResult, Verifier

if TYPE_CHECKING:
    from google.cloud.pubsub_v1 import PublisherClient, SubscriberClient

logger = logging.getLogger("verifleet.code_runner")

SOURCE_AGENT = "code_runner"


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


class Runner:
    """Drains one subscription until it has been idle for `idle_s` seconds."""

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
        self._parallel = parallel
        self._idle_s = idle_s
        self._publish_timeout_s = publish_timeout_s
        self._lock = threading.Lock()
        self._busy = 0
        self._last_work = time.monotonic()
        self.done = 0

    @property
    def _subscription(self) -> str:
        return f"projects/{self._project}/subscriptions/{RUNNER}"

    def run(self) -> None:
        """Work until idle, look once more, return."""
        while True:
            self._stream_until_idle()
            if not self._pull_once():
                return

    def _stream_until_idle(self) -> None:
        from google.cloud.pubsub_v1.subscriber.scheduler import ThreadScheduler
        from google.cloud.pubsub_v1.types import FlowControl

        executor = ThreadPoolExecutor(self._parallel, thread_name_prefix="execution")
        flow = FlowControl(
            max_messages=2 * self._parallel,
            max_bytes=256 * 1024 * 1024,
            # Short leases, renewed while work goes on: what a killed runner held comes back soon.
            min_duration_per_lease_extension=10,
            max_duration_per_lease_extension=10,
        )
        stream = self._subscriber.subscribe(
            self._subscription, callback=self._handle, flow_control=flow, scheduler=ThreadScheduler(executor)
        )
        self._touch(0)
        try:
            while not self._idle():
                if stream.done():
                    stream.result()  # raises what ended it
                time.sleep(min(0.2, self._idle_s / 4 or 0.01))
        finally:
            stream.cancel()
            # Work already handed to the threads is finished and acknowledged first.
            stream.result(timeout=None)
            executor.shutdown(wait=True)

    def _pull_once(self) -> bool:
        """One more look before leaving, for what arrived while the stream was closing; True if there was something."""
        from google.api_core.exceptions import DeadlineExceeded

        try:
            response = self._subscriber.pull(subscription=self._subscription, max_messages=self._parallel, timeout=2.0)
        except DeadlineExceeded:
            return False
        ids = [received.ack_id for received in response.received_messages]
        if ids:
            # Handed back at once: the stream that opens again gets them, with lease renewal.
            self._subscriber.modify_ack_deadline(subscription=self._subscription, ack_ids=ids, ack_deadline_seconds=0)
        return bool(ids)

    def _handle(self, message: Any) -> None:
        self._touch(+1)
        try:
            self._execute(message)
        except Exception:
            # Whatever went wrong is ours: the execution is handed back and will be delivered again.
            logger.exception("execution %s failed and is handed back", message.message_id)
            message.nack()
        finally:
            self._touch(-1)

    def _execute(self, message: Any) -> None:
        cause = message.attributes.get("envelope_id") or message.message_id
        try:
            execution = parse_envelope(json.loads(message.data), expect="code_execution_v1")
            request = execution.data.request()
        except (ShapeError, ValueError, RecursionError) as error:
            attributes = {"reason": str(error)[:1000], "origin": RUNNER, "message_id": message.message_id}
            self._publish(DEAD_LETTERS, message.data, {**message.attributes, **attributes})
            message.ack()
            return
        result = self._verifier.check(request)
        envelope = result_envelope(execution, result, cause)
        attributes = message_attributes(envelope) | {"verifier": "code"}
        self._publish(VERIFICATION_RESULTS, envelope.encode(), attributes)
        message.ack()
        self.done += 1

    def _publish(self, topic: str, data: bytes, attributes: dict[str, str]) -> None:
        path = f"projects/{self._project}/topics/{topic}"
        self._publisher.publish(path, data, **attributes).result(self._publish_timeout_s)

    def _touch(self, change: int) -> None:
        with self._lock:
            self._busy += change
            self._last_work = time.monotonic()

    def _idle(self) -> bool:
        with self._lock:
            return self._busy == 0 and time.monotonic() - self._last_work > self._idle_s


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
    from google.cloud.pubsub_v1 import PublisherClient, SubscriberClient
    from google.cloud.pubsub_v1.types import BatchSettings

    # Each thread waits for its own result's publish, so waiting for a fuller batch only costs time.
    publisher = PublisherClient(batch_settings=BatchSettings(max_latency=0.002))
    subscriber = SubscriberClient()
    try:
        runner = Runner(
            CodeVerifier(sandbox=sandbox),
            subscriber,
            publisher,
            project=config.google_cloud_project,
            parallel=config.runner_parallel or 2 * (os.cpu_count() or 1),
            idle_s=config.runner_idle_s,
            publish_timeout_s=config.publish_timeout_s,
        )
        runner.run()
        logger.info("idle after %d executions", runner.done)
    finally:
        sandbox.close()
        publisher.stop()
        subscriber.close()


if __name__ == "__main__":
    main()
