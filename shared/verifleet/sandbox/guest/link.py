"""The pipe between a judge and a candidate: frames of plain data, on descriptors 4 (in) and 5 (out)."""

from __future__ import annotations

import os
import struct
from typing import Any

from verifleet.sandbox.guest import wire

_IN, _OUT = 4, 5


class LinkLostError(EOFError):
    """The other process is gone."""


def send(message: tuple[Any, ...], opaque: wire.Opaque | None = None, whole: frozenset[type] = frozenset()) -> None:
    """Write one message. Raises WireError before anything is written, LinkLostError when nobody reads."""
    data = wire.encode(message, opaque, whole)
    view = memoryview(struct.pack(">I", len(data)) + data)
    try:
        while view:
            view = view[os.write(_OUT, view) :]
    except BrokenPipeError:
        raise LinkLostError from None


def receive(handle: wire.Opaque | None = None) -> Any:
    """Read one message. Raises WireError for what is not plain data, LinkLostError at the end."""
    (length,) = struct.unpack(">I", _exactly(4))
    if length > wire.MAX_BYTES:
        raise wire.WireError("the message is too long")
    return wire.decode(_exactly(length), handle)


def _exactly(size: int) -> bytes:
    data = os.read(_IN, size)
    if len(data) == size:
        return data
    parts = [data]
    while data and (size := size - len(data)):
        data = os.read(_IN, min(size, 1 << 20))
        parts.append(data)
    if not data:
        raise LinkLostError
    return b"".join(parts)
