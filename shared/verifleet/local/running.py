"""`verifleet up`: the fleet with its progress shown, until Ctrl-C."""

from __future__ import annotations

import signal
import time
from pathlib import Path
from types import FrameType

from rich.console import Console

from verifleet.local.fleet import Fleet
from verifleet.local.places import BROKER, PORTS, Addresses


class _StopRequested(BaseException):
    """SIGTERM or Ctrl-C."""


def run_fleet(data_dir: Path, port_offset: int, console: Console) -> None:
    """Start the fleet, restart what dies, stop it cleanly on SIGINT or SIGTERM. Raises SettingsError."""
    addresses = Addresses(port_offset)
    fleet = Fleet(data_dir, addresses)
    signal.signal(signal.SIGTERM, _stop)
    signal.signal(signal.SIGINT, _stop)
    try:
        fleet.start(lambda name, what: console.print(f"[green]{name:20}[/] port {addresses.port(name)}  {what}"))
        console.print(f"The fleet is up; data and logs are in {fleet.data_dir}. Ctrl-C stops it.")
        console.print(f"For Pub/Sub clients: export PUBSUB_EMULATOR_HOST={addresses.broker}", highlight=False)
        for name in PORTS:
            if name != BROKER:
                console.print(f"  {name:20} {addresses.url(name)}", highlight=False)
        while True:
            fleet.watch()
            time.sleep(0.1)
    except _StopRequested:
        console.print("stopping ...")
    finally:
        fleet.stop()


def _stop(number: int, frame: FrameType | None) -> None:
    for further in (signal.SIGINT, signal.SIGTERM):  # a second Ctrl-C must not interrupt the stopping
        signal.signal(further, signal.SIG_IGN)
    raise _StopRequested
