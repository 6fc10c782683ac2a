"""Running system calls inside another, stopped process: what Python lacks of ptrace(2), for x86-64 Linux.

A small loop is placed in the other process once. It makes the calls of a table one after another and stops at a
breakpoint, at once when a call fails. So a whole batch costs one stop, not one for each call.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import struct
from collections.abc import Sequence
from dataclasses import dataclass

from verifleet.sandbox.walls import seccomp

_libc = ctypes.CDLL(None, use_errno=True)
_libc.ptrace.restype = ctypes.c_long
_libc.ptrace.argtypes = (ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p)

_CONT, _SINGLESTEP, _GETREGS, _SETREGS, _DETACH = 7, 9, 12, 13, 17
_SEIZE, _INTERRUPT, _SETOPTIONS, _GETEVENTMSG = 0x4206, 0x4207, 0x4200, 0x4201
_GETSIGMASK, _SETSIGMASK = 0x420A, 0x420B
_TRACEFORK, _TRACECLONE, _EXITKILL = 1 << 1, 1 << 3, 1 << 20
_EVENTS = (signal.SIGTRAP | 1 << 8, signal.SIGTRAP | 3 << 8)  # fork, clone
WALL = 0x40000000
_NONE = 2**64 - 1  # no system call to restart

# rbx: the next row of the table, rbp: rows left. A row is eight words: number, six arguments, one unused.
_LOOP = bytes.fromhex(
    "488b03"  # next: mov rax, [rbx]
    "488b7b08"  # mov rdi, [rbx+8]
    "488b7310"  # mov rsi, [rbx+16]
    "488b5318"  # mov rdx, [rbx+24]
    "4c8b5320"  # mov r10, [rbx+32]
    "4c8b4328"  # mov r8, [rbx+40]
    "4c8b4b30"  # mov r9, [rbx+48]
    "0f05"  # syscall
    "4885c0"  # test rax, rax
    "7809"  # js stop
    "4883c340"  # add rbx, 64
    "48ffcd"  # dec rbp
    "75d5"  # jnz next
    "cc"  # stop: int3
)
_ROW = struct.Struct("=Q6q8x")
_TABLE = 256  # offset of the table in the scratch memory
_MOST_CALLS = 160
_DATA = _TABLE + _MOST_CALLS * _ROW.size
SCRATCH_BYTES = 32768


class Registers(ctypes.Structure):
    """struct user_regs_struct."""

    _fields_ = tuple(
        (name, ctypes.c_ulonglong)
        for name in (
            "r15 r14 r13 r12 rbp rbx r11 r10 r9 r8 rax rcx rdx rsi rdi orig_rax rip cs eflags rsp ss fs_base gs_base "
            "ds es fs gs"
        ).split()
    )


class Batch:
    """System calls to make in the other process, and the memory that their arguments point to."""

    def __init__(self, scratch: int) -> None:
        self._scratch = scratch
        self._rows = bytearray()
        self._data = bytearray()

    @property
    def calls(self) -> int:
        """How many."""
        return len(self._rows) // _ROW.size

    def put(self, data: bytes) -> int:
        """Place bytes (aligned to eight); returns their address there."""
        address = self._scratch + _DATA + len(self._data)
        self._data += data + bytes(-len(data) % 8)
        return address

    def call(self, name: str, *arguments: int | bytes) -> None:
        """Add a call; for bytes it gets their address."""
        words = [self.put(argument) if isinstance(argument, bytes) else argument for argument in arguments]
        self._rows += _ROW.pack(seccomp.number(name), *words, *(0,) * (6 - len(words)))

    def image(self) -> bytes:
        """What goes to the scratch memory."""
        if self.calls > _MOST_CALLS or _DATA + len(self._data) > SCRATCH_BYTES:
            raise OSError("too many system calls in a batch")
        return _LOOP.ljust(_TABLE, b"\0") + bytes(self._rows).ljust(_DATA - _TABLE, b"\0") + bytes(self._data)


def _ptrace(request: int, pid: int, address: int = 0, data: object = None) -> None:
    if _libc.ptrace(request, pid, address, data) < 0:
        code = ctypes.get_errno()
        raise OSError(code, f"ptrace {request:#x}: {os.strerror(code)}")


@dataclass(frozen=True)
class Thread:
    """A thread that is stopped in a system call: its id, its registers, its signal mask."""

    tid: int
    at: Registers
    mask: bytes


def seize(pid: int) -> None:
    """Attach to a thread; what it clones is stopped at its start, and it dies with this process."""
    _ptrace(_SEIZE, pid, 0, _TRACEFORK | _TRACECLONE | _EXITKILL)


def interrupt(pid: int) -> Thread:
    """Stop a running thread."""
    _ptrace(_INTERRUPT, pid)
    _stopped(pid)
    mask = ctypes.create_string_buffer(8)
    _ptrace(_GETSIGMASK, pid, 8, mask)
    return Thread(pid, registers(pid), mask.raw)


def resume(pid: int) -> None:
    """Let a stopped thread run on."""
    _ptrace(_CONT, pid)


def _stopped(pid: int) -> int:
    """Wait for the next stop; returns the signal, with the event above it."""
    _, status = os.waitpid(pid, WALL)
    if not os.WIFSTOPPED(status):
        raise ProcessLookupError(f"process {pid} has ended")
    return status >> 8


def registers(pid: int) -> Registers:
    """The registers of a stopped thread."""
    found = Registers()
    _ptrace(_GETREGS, pid, 0, ctypes.byref(found))
    return found


def set_registers(pid: int, values: Registers) -> None:
    """Set them."""
    _ptrace(_SETREGS, pid, 0, ctypes.byref(values))


class _Vector(ctypes.Structure):
    _fields_ = (("base", ctypes.c_void_p), ("length", ctypes.c_size_t))


def _copy(name: str, pid: int, local: object, address: int, size: int) -> None:
    mine, other = _Vector(ctypes.addressof(local), size), _Vector(address, size)  # type: ignore[arg-type]
    if getattr(_libc, name)(pid, ctypes.byref(mine), 1, ctypes.byref(other), 1, 0) != size:
        code = ctypes.get_errno()
        raise OSError(code, f"{name}: {os.strerror(code)}")


def read_memory(pid: int, address: int, size: int) -> bytes:
    """Bytes of another process."""
    buffer = ctypes.create_string_buffer(size)
    _copy("process_vm_readv", pid, buffer, address, size)
    return buffer.raw


def write_memory(pid: int, address: int, data: bytes) -> None:
    """Set bytes of another process."""
    _copy("process_vm_writev", pid, ctypes.create_string_buffer(data, len(data)), address, len(data))


def run(pid: int, at: Registers, scratch: int, batch: Batch) -> list[int]:
    """Make a batch of calls in a stopped process; returns the ids of the processes and threads that they made.

    These are stopped at their start. Raises OSError with what the first failing call gave.
    """
    write_memory(pid, scratch, batch.image())
    values = Registers.from_buffer_copy(at)
    values.rip, values.orig_rax, values.rbx, values.rbp = scratch, _NONE, scratch + _TABLE, batch.calls
    set_registers(pid, values)
    _ptrace(_CONT, pid)
    made = []
    while (stop := _stopped(pid)) in _EVENTS:
        number = ctypes.c_ulong()
        _ptrace(_GETEVENTMSG, pid, 0, ctypes.byref(number))
        made.append(number.value)
        _ptrace(_CONT, pid)
    found = registers(pid)
    if stop != signal.SIGTRAP or found.rbp:
        reason = os.strerror(abs(_signed(found.rax)))
        raise OSError(f"an injected call failed, {found.rbp} before the end, at stop {stop:#x}: {reason}")
    for child in made:
        _stopped(child)
    return made


def single(pid: int, at: Registers, name: str, *arguments: int) -> int:
    """Make one call with the `syscall` instruction that a stopped thread is blocked in; returns its result."""
    values = Registers.from_buffer_copy(at)
    values.rip, values.rax, values.orig_rax = at.rip - 2, seccomp.number(name), _NONE
    values.rdi, values.rsi, values.rdx, values.r10, values.r8, values.r9 = (
        value % 2**64 for value in (*arguments, *(0,) * (6 - len(arguments)))
    )
    set_registers(pid, values)
    _ptrace(_SINGLESTEP, pid)
    if _stopped(pid) != signal.SIGTRAP:
        raise OSError(f"process {pid} did not make a step")
    result = _signed(registers(pid).rax)
    if result < 0:
        raise OSError(-result, f"{name}: {os.strerror(-result)}")
    return result


def release(tid: int, thread: Thread, *, detach: bool = True) -> None:
    """Let a stopped thread go on as a copy of another: into the call that this was stopped in."""
    values = Registers.from_buffer_copy(thread.at)
    values.rip, values.rax, values.orig_rax = thread.at.rip - 2, thread.at.orig_rax, _NONE
    set_registers(tid, values)
    _ptrace(_SETSIGMASK, tid, len(thread.mask), ctypes.create_string_buffer(thread.mask, len(thread.mask)))
    if not detach:
        _ptrace(_SETOPTIONS, tid, 0, _EXITKILL)
    _ptrace(_DETACH if detach else _CONT, tid)


def kill(pid: int, threads: Sequence[int] = ()) -> None:
    """Kill a process, traced or not yet, and see to it that its parent may reap it; `threads` are its others."""
    os.kill(pid, signal.SIGKILL)
    for tid in (*threads, pid):
        with contextlib.suppress(ChildProcessError):
            while os.WIFSTOPPED(os.waitpid(tid, WALL)[1]):
                pass


def _signed(value: int) -> int:
    return value - 2**64 if value >> 63 else value
