"""Publish, streaming pull and push of our broker and, where installed, of Google's emulator, in one run.

Both serve the unmodified google-cloud-pubsub client, in a process of its own, and push to the same receiver. Ours
writes every message to disk, the emulator keeps them in memory. Rounds alternate between the brokers, the median
counts. Rates depend on the machine: read the ratios.

    python -m tests.benchmarks.bench_broker [--messages 10000] [--bytes 1000] [--rounds 3]
"""

from __future__ import annotations

import argparse
import multiprocessing
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import uuid
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from google.pubsub_v1.services.publisher import PublisherClient as Api
from google.pubsub_v1.types import PublishRequest, PushConfig

from tests.benchmarks.figures import row
from tests.contract.broker_backends import BrokerProcess, clients, google_emulator

PROJECT = "projects/bench"
_BATCH = 100


class Receiver:
    """The push endpoint's process."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.benchmarks.push_receiver"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self._process.stdout is not None
        self.url = f"http://127.0.0.1:{int(self._process.stdout.readline())}/"

    def answered(self) -> int:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write("\n")
        self._process.stdin.flush()
        return int(self._process.stdout.readline())

    def close(self) -> None:
        self._process.terminate()
        self._process.wait(5)


def publish(publisher: Any, topic: str, count: int, size: int) -> float:
    """Requests of 100 messages, eight on the way at once: the client has little to do, the broker has all."""
    messages = [{"data": b"x" * size, "attributes": {"schema": "event_v1", "number": str(n)}} for n in range(_BATCH)]
    request = PublishRequest(topic=topic, messages=messages)

    def send(_: int) -> int:
        return len(Api.publish(publisher, request=request).message_ids)

    with ThreadPoolExecutor(8) as threads:
        send(0)
        started = time.perf_counter()
        assert sum(threads.map(send, range(count // _BATCH - 1))) == count - _BATCH
        return (count - _BATCH) / (time.perf_counter() - started)


def publish_one_by_one(publisher: Any, topic: str, count: int, size: int) -> float:
    """Single messages that the client itself gathers into requests: mostly the client is measured."""
    payload = b"x" * size
    started = time.perf_counter()
    futures = [publisher.publish(topic, payload, schema="event_v1", number=str(n)) for n in range(count)]
    for future in futures:
        future.result(timeout=120)
    return count / (time.perf_counter() - started)


def stream(subscriber: Any, subscription: str, count: int) -> float:
    seen: set[str] = set()
    complete = threading.Event()

    def callback(message: Any) -> None:
        message.ack()
        seen.add(message.message_id)
        if len(seen) == count:
            complete.set()

    started = time.perf_counter()
    streaming = subscriber.subscribe(subscription, callback)
    if not complete.wait(120):
        raise AssertionError(f"only {len(seen)} of {count} messages came")
    rate = count / (time.perf_counter() - started)
    streaming.cancel()
    streaming.result()
    return rate


def push(subscriber: Any, subscription: str, receiver: Receiver, count: int) -> float:
    before = receiver.answered()
    started = time.perf_counter()
    subscriber.modify_push_config(subscription=subscription, push_config=PushConfig(push_endpoint=receiver.url))
    while receiver.answered() < before + count:
        time.sleep(0.002)
        if time.perf_counter() - started > 120:
            raise AssertionError(f"only {receiver.answered() - before} of {count} messages were pushed")
    return count / (time.perf_counter() - started)


def one_round(address: str, receiver: Receiver, count: int, size: int) -> dict[str, float]:
    with clients(address) as (publisher, subscriber):
        topic = f"{PROJECT}/topics/t-{uuid.uuid4().hex}"
        pulled, pushed = (f"{PROJECT}/subscriptions/s-{uuid.uuid4().hex}" for _ in range(2))
        publisher.create_topic(name=topic)
        subscriber.create_subscription(name=pulled, topic=topic)
        rates = {"publish": publish(publisher, topic, count, size)}
        rates["streaming pull"] = stream(subscriber, pulled, count)
        subscriber.delete_subscription(subscription=pulled)
        subscriber.create_subscription(name=pushed, topic=topic)
        rates["publish, one by one"] = publish_one_by_one(publisher, topic, count, size)
        rates["push"] = push(subscriber, pushed, receiver, count)
        subscriber.delete_subscription(subscription=pushed)
        publisher.delete_topic(topic=topic)
    return rates


def in_own_process(work: Callable[..., dict[str, float]], *arguments: Any) -> dict[str, float]:
    """A fresh client for every round: what one round leaves behind must not slow down the next."""
    context = multiprocessing.get_context("fork")
    receiving, sending = context.Pipe(duplex=False)
    process = context.Process(target=lambda: sending.send(work(*arguments)))
    process.start()
    sending.close()
    result: dict[str, float] = receiving.recv()
    process.join()
    return result


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--messages", type=int, default=10_000)
    parser.add_argument("--bytes", type=int, default=1_000)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    receiver = Receiver()
    with tempfile.TemporaryDirectory() as folder:
        brokers = {"ours": BrokerProcess.ours(Path(folder) / "broker.db")}
        if google_emulator():
            brokers["Google's emulator"] = BrokerProcess.google()
        results: dict[str, list[dict[str, float]]] = {name: [] for name in brokers}
        try:
            for _ in range(options.rounds):
                for name, broker in brokers.items():
                    rates = in_own_process(one_round, broker.address, receiver, options.messages, options.bytes)
                    results[name].append(rates)
        finally:
            for broker in brokers.values():
                broker.stop()
            receiver.close()
    print(f"{options.messages} messages of {options.bytes} bytes, median of {options.rounds} rounds, messages a second")
    print(f"{'':20}" + "".join(f"{name:>20}" for name in results) + ("     ratio" if len(results) > 1 else ""))
    for what in ("publish", "publish, one by one", "streaming pull", "push"):
        rates_of = [statistics.median(rates[what] for rates in rounds) for rounds in results.values()]
        ratio = f"{rates_of[0] / rates_of[1]:9.1f}x" if len(rates_of) > 1 else ""
        print(f"{what:20}" + "".join(f"{rate:20,.0f}" for rate in rates_of) + ratio)
        peer = rates_of[1] if len(rates_of) > 1 else None
        row(f"broker: {what}", rates_of[0], "messages/s", against=peer, of="Google's emulator", wanted=1)
    if len(results) == 1:
        print("Google's emulator is not installed (google-cloud-cli-pubsub-emulator and Java): no ratios")


if __name__ == "__main__":
    main()
