"""The broker's process: `python -m verifleet.local.broker --host 127.0.0.1 --port 8085 --data PATH.db`."""

from __future__ import annotations

import argparse
import asyncio
import gc
import logging
import os
import secrets
import signal
import socket
import sys
from pathlib import Path
from typing import Any

import grpc
from google.protobuf.message import DecodeError

from verifleet.local.broker import DATA_FAULT
from verifleet.local.broker.core import Broker
from verifleet.local.broker.faults import BrokerDataError, BrokerStartError, UnavailableError
from verifleet.local.broker.front import Front
from verifleet.local.broker.journal import Journal
from verifleet.local.broker.rest import RestConnection
from verifleet.local.broker.service import PubSubHandler

_LOG = logging.getLogger("verifleet.local.broker")

_OPTIONS = [
    ("grpc.max_receive_message_length", 32 * 1024 * 1024),
    ("grpc.max_send_message_length", -1),
    # Google's clients ping every 30 s, which gRPC's default would punish.
    ("grpc.http2.min_recv_ping_interval_without_data_ms", 5_000),
    ("grpc.keepalive_permit_without_calls", 1),
]


def main(arguments: list[str] | None = None) -> int:
    """Serve until SIGTERM or SIGINT; the exit status."""
    options = _parsed(arguments)
    os.umask(0o077)  # messages are nobody else's to read
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(message)s", stream=sys.stderr)
    try:
        _run(_serve(options))
    except BrokerStartError as error:
        print(f"verifleet broker: {error}", file=sys.stderr)
        return DATA_FAULT if isinstance(error, BrokerDataError) else 1
    return 0


async def _serve(options: argparse.Namespace) -> None:
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    _watch_parent(options.parent_pid, stop)
    listener = _listening(options.host, options.port)
    server = grpc.aio.server(options=_OPTIONS)
    inside = f"verifleet-broker-{os.getpid()}-{secrets.token_hex(8)}"
    server.add_insecure_port(f"unix-abstract:{inside}")
    journal = Journal(options.data, on_damage=stop.set)
    broker = _restored(journal, options.data)
    handler = PubSubHandler(broker)
    server.add_generic_rpc_handlers((handler,))
    await server.start()

    front = await loop.create_server(lambda: Front(f"\0{inside}", lambda: RestConnection(handler)), sock=listener)
    port = listener.getsockname()[1]
    # What is loaded by now stays, and messages are in no cycles: the collector need not look often.
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)
    _LOG.info("broker listens on %s:%d, data in %s", options.host, port, options.data)
    await stop.wait()
    front.close()
    handler.stop()
    broker.close()
    await server.stop(grace=1.0)
    journal.close()
    if journal.damage:
        raise BrokerDataError(journal.damage)
    _LOG.info("broker stopped")


def _restored(journal: Journal, data: Path) -> Broker:
    try:
        return Broker(journal)
    except DecodeError:
        journal.report_damage("a topic or subscription can't be read")
        raise BrokerDataError(journal.damage) from None
    except UnavailableError as error:
        if journal.damage:
            raise BrokerDataError(journal.damage) from None
        raise BrokerStartError(f"{error}; make {data} writable or choose another --data path") from None


def _run(serving: Any) -> None:
    try:
        from uvloop import new_event_loop
    except ImportError:
        asyncio.run(serving)
        return
    with asyncio.Runner(loop_factory=new_event_loop) as runner:
        runner.run(serving)


def _listening(host: str, port: int) -> socket.socket:
    try:
        return socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET)
    except OSError as error:
        raise BrokerStartError(
            f"can't listen on {host}:{port} ({error.strerror}): stop what uses it or choose another --port"
        ) from None


def _watch_parent(pid: int | None, stop: asyncio.Event) -> None:
    """Stop when that process is gone, however it went."""
    if pid is None:
        return
    try:
        descriptor = os.pidfd_open(pid)
    except ProcessLookupError:
        raise BrokerStartError(f"process {pid}, to stop together with, does not exist") from None
    asyncio.get_running_loop().add_reader(descriptor, stop.set)


def _port(text: str) -> int:
    number = int(text)
    if not 0 <= number <= 65535:
        raise ValueError
    return number


_port.__name__ = "port"  # argparse says "invalid port value"


def _parsed(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m verifleet.local.broker", description="A Pub/Sub-compatible broker for one machine."
    )
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on (default: %(default)s)")
    parser.add_argument("--port", type=_port, default=8085, help="port to listen on, 0 for any (default: %(default)s)")
    parser.add_argument(
        "--data", type=Path, default=Path(".verifleet/broker.db"), help="SQLite file (default: %(default)s)"
    )
    parser.add_argument("--parent-pid", type=int, help="stop when this process is gone")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
