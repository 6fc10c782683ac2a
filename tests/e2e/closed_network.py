"""Run a command in a network of its own, where nothing but loopback answers, and tell what it tried to reach.

    python -m tests.e2e.closed_network FOUND.json COMMAND ...

The network has one way out, a cable whose other end is not connected, so that whoever looks for another machine sends
a packet that is seen here, whatever language or library sends it: its protocol, address and port are kept. Exit code:
that of the command, or 77 where this user may make no network (nothing was run then).
"""

from __future__ import annotations

import ipaddress
import json
import os
import socket
import struct
import subprocess
import sys
import threading
from collections import Counter
from pathlib import Path

REFUSED = 77
TCP, UDP = 6, 17
INSIDE = "VERIFLEET_TEST_INSIDE"
ELSEWHERE = "192.0.2.99"
"""An address of documentation (RFC 5737); looked for at the end, to see that a packet would have been seen."""
CABLE = (
    "link set lo up",
    "link add out0 type veth peer name end0",
    "link set end0 up",
    "link set out0 arp off up",
    "addr add 192.0.2.1/24 dev out0",
    "route add default dev out0",
)
CABLE_6 = ("-6 addr add 2001:db8::1/64 dev out0 nodad", "-6 route add default dev out0")


def inside() -> list[str]:
    """What starts a command in a network of its own: as root plainly, else as the root of a name space of users."""
    return ["unshare", "--net"] if os.geteuid() == 0 else ["unshare", "--map-root-user", "--net"]


def target(packet: bytes) -> str | None:
    """Where an IPv4 or IPv6 packet of TCP or UDP goes to; None for what the kernel sends by itself."""
    if packet[0] >> 4 == 4:
        protocol, address, rest = packet[9], packet[16:20], packet[(packet[0] & 15) * 4 :]
    else:
        protocol, address, rest = packet[6], packet[24:40], packet[40:]
    if protocol not in (TCP, UDP):
        return None
    (port,) = struct.unpack_from("!H", rest, 2)
    return f"{'tcp' if protocol == TCP else 'udp'} {ipaddress.ip_address(address)} {port}"


def _watch(cable: socket.socket, found: Counter[str]) -> None:
    while True:
        packet, (_, _, kind, _, _) = cable.recvfrom(2048)
        where = target(packet) if kind == socket.PACKET_OUTGOING else None
        if where is not None:
            found[where] += 1
            if where.split()[1] == ELSEWHERE:
                return


def main() -> None:
    report, command = Path(sys.argv[1]), sys.argv[2:]
    if INSIDE not in os.environ:
        again = [*inside(), sys.executable, "-m", "tests.e2e.closed_network", str(report), *command]
        try:
            raise SystemExit(subprocess.call(again, env={**os.environ, INSIDE: "1"}))
        except FileNotFoundError:
            raise SystemExit(REFUSED) from None
    for arguments in (*CABLE, *CABLE_6):
        try:
            subprocess.run(["ip", *arguments.split()], check=arguments in CABLE, stderr=subprocess.DEVNULL)
        except (OSError, subprocess.CalledProcessError):
            raise SystemExit(REFUSED) from None
    cable = socket.socket(socket.AF_PACKET, socket.SOCK_DGRAM, socket.htons(3))
    cable.bind(("out0", 0x0003))
    found: Counter[str] = Counter()
    watching = threading.Thread(target=_watch, args=(cable, found), daemon=True)
    watching.start()
    del os.environ[INSIDE]
    ended = subprocess.call(command)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.sendto(b"seen?", (ELSEWHERE, 9))
    watching.join(10)
    report.write_text(json.dumps(found))
    raise SystemExit(ended)


if __name__ == "__main__":
    main()
