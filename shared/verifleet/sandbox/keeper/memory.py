"""Arranges a process's memory so that its forks are cheap. Where the kernel or the C library won't, nothing is lost.

What a fork costs, and the end of it, grows with the number of mappings and of pages. Sixty loaded libraries are two
hundred mappings, an interpreter with its modules four thousand pages: three quarters of the price of a run.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
from collections.abc import Iterator

_HUGE = 2 << 20
_ARENA = 1 << 20  # CPython's; also its alignment
_MADV_COLLAPSE = 25
_READ, _WRITE, _EXEC = 1, 2, 4
_M_MMAP_THRESHOLD = -3

_libc = ctypes.CDLL(None, use_errno=True)


class _ArenaAllocator(ctypes.Structure):
    _fields_ = (("context", ctypes.c_void_p), ("allocate", ctypes.c_void_p), ("free", ctypes.c_void_p))


@contextlib.contextmanager
def in_one_piece() -> Iterator[None]:
    """Whatever the interpreter allocates meanwhile lies in one mapping, the heap: fit to become huge pages.

    Its arenas come from aligned_alloc(alignment, size), whose alignment takes the place of the allocator's context.
    They are given back, if ever, as always: by unmapping, which the heap takes for memory that stays in use.
    """
    usual = _ArenaAllocator()
    try:
        _libc.mallopt(_M_MMAP_THRESHOLD, 32 << 20)
        aligned_alloc = ctypes.cast(_libc.aligned_alloc, ctypes.c_void_p).value
        ctypes.pythonapi.PyObject_GetArenaAllocator(ctypes.byref(usual))
    except AttributeError:  # another C library or interpreter
        yield
        return
    ctypes.pythonapi.PyObject_SetArenaAllocator(ctypes.byref(_ArenaAllocator(_ARENA, aligned_alloc, usual.free)))
    try:
        yield
    finally:
        ctypes.pythonapi.PyObject_SetArenaAllocator(ctypes.byref(usual))


def settle(proc: int) -> None:
    """Make few mappings of the libraries' many, and huge pages of the heap. `proc` is a descriptor of /proc."""
    _join_libraries(proc)
    for start, end, mode, name in _mappings(proc):
        if mode == "rw-p" and name in ("", "[heap]"):
            for at in range(-(-start // _HUGE) * _HUGE, end - _HUGE + 1, _HUGE):
                _libc.madvise(ctypes.c_void_p(at), ctypes.c_size_t(_HUGE), _MADV_COLLAPSE)


def _join_libraries(proc: int) -> None:
    """Give neighbouring parts of a library the same rights, so that the kernel keeps them as one mapping.

    Constants become executable, relocated tables writable: of no use to a program that may map memory as it likes.
    """
    mappings = list(_mappings(proc))
    for (start, end, mode, name), following in zip(mappings, [*mappings[1:], (0, 0, "", "")], strict=True):
        if mode == "r--p" and ".so" in name:
            before_data = following[2:] == ("rw-p", name)
            rights = _READ | _WRITE if before_data else _READ | _EXEC
            _libc.mprotect(ctypes.c_void_p(start), ctypes.c_size_t(end - start), rights)


def _mappings(proc: int) -> Iterator[tuple[int, int, str, str]]:
    with open(os.open("self/maps", os.O_RDONLY, dir_fd=proc)) as file:
        lines = file.readlines()
    for line in lines:
        span, mode, _, _, _, *name = line.split(maxsplit=5)
        start, end = (int(number, 16) for number in span.split("-"))
        yield start, end, mode, name[0].strip() if name else ""
