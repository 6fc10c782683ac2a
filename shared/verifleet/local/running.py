"""`verifleet up`: the fleet with its progress shown, until Ctrl-C."""

from __future__ import annotations

import signal
import time
from pathlib import Path
from types import FrameType

from rich.console import Console

from verifleet.local.addresses import BROKER, PORTS, Addresses
from verifleet.local.local_fleet import Fleet
from verifleet.local.traces import TraceReceiver, tree


class _StopRequested(BaseException):
    """SIGTERM or Ctrl-C."""


def run_fleet(data_dir: Path, port_offset: int, console: Console, *, trace: bool = False) -> None:
    """Start the fleet, restart what dies, stop it cleanly on SIGINT or SIGTERM. Raises SettingsError.

    With `trace`, what becomes of each event and request is shown as a tree once nothing more comes of it.
    """
    addresses = Addresses(port_offset)
    traces = TraceReceiver() if trace else None
    fleet = Fleet(data_dir, addresses, traces.environment if traces else None)
    signal.signal(signal.SIGTERM, _stop)
    signal.signal(signal.SIGINT, _stop)
    try:
        fleet.start(lambda name, what: console.print(f"[green]{name:20}[/] port {addresses.port(name)}  {what}"))
        console.print(f"The fleet is up; data and logs are in {fleet.data_dir}. Ctrl-C stops it.")
        console.print(f"For Pub/Sub clients: export PUBSUB_EMULATOR_HOST={addresses.broker}", highlight=False)
        console.print(f"For curl and gcloud: http://{addresses.broker}/v1/projects/{fleet.project}", highlight=False)
        for name in PORTS:
            if name != BROKER:
                console.print(f"  {name:20} {addresses.url(name)}", highlight=False)
        console.print(f"Incidents: {addresses.url('summarizer_agent')}/desk", highlight=False, style="bold")
        while True:
            fleet.watch()
            if traces is not None:
                _show(traces, console)
            time.sleep(0.1)
    except _StopRequested:
        console.print("stopping ...")
    finally:
        fleet.stop()
        if traces is not None:
            traces.close()


def _show(traces: TraceReceiver, console: Console) -> None:
    for id, spans in traces.complete():
        console.print(f"\ntrace {id}", style="bold", highlight=False)
        for line in tree(spans):
            console.print(line, markup=False, highlight=False, soft_wrap=True)


def _stop(number: int, frame: FrameType | None) -> None:
    for further in (signal.SIGINT, signal.SIGTERM):  # a second Ctrl-C must not interrupt the stopping
        signal.signal(further, signal.SIG_IGN)
    raise _StopRequested
