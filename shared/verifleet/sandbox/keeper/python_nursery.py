"""The nursery of Python processes: it only forks, and never sees a job.

A fork inherits its parent's memory. The keeper's memory holds the test programs of every request it relays, so it must
not be what untrusted processes are forked from. This nursery is forked from the keeper before the first job; it gets
the ends of a run's pipes and makes the keeper the parent of what it forks.

Parent and child share a page until one of them writes to it, and an interpreter writes all the time, if only to count
references. So nothing is interpreted here between two forks: a loop of machine code takes the message, forks, and in
the child makes the system calls that close the walls, as the keeper has written them down: rows of a number and six
arguments. Where such a loop can't be had, the same is done by ctypes.
"""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]  # without signal's enums, which would be copied for every run
import contextlib
import ctypes
import mmap
import os
import platform
import resource
import select
import signal
import socket
import struct
from collections.abc import Callable, Sequence

from verifleet.sandbox.guest import runner
from verifleet.sandbox.keeper import memory
from verifleet.sandbox.walls import jail, kernel, seccomp

_LINK = 3  # in the nursery; received descriptors have the numbers that follow
_MESSAGE = 4096
_COUNT = struct.Struct("=q")
_ROW = struct.Struct("=q6Q")
_MSGHDR = struct.Struct("=Q I4x Q Q Q Q i4x")
_SIGCHLD, _CLONE_PARENT = 17, 0x8000
# long serve(c): c is link, &msghdr, clone's flags, rows, &count, length of control data, first descriptor to close,
# &answer. In the child: 0, or -(errno + 4096 * rows left) for the first call that failed. 1 when the keeper is gone.
_SERVE = {
    # push rbx; push r12; mov rbx, rdi
    # next: mov rsi, [rbx+8]; mov rax, [rbx+40]; mov [rsi+40], rax; mov rdi, [rbx]; xor edx, edx; mov eax, 47 (recvmsg);
    #   syscall; cmp rax, -4; je next; test rax, rax; jle gone
    #   mov rdi, [rbx+16]; xor esi, esi; xor edx, edx; xor r10d, r10d; xor r8d, r8d; mov eax, 56 (clone); syscall
    #   test rax, rax; jz child; mov rsi, [rbx+56]; mov [rsi], rax
    #   mov rdi, [rbx+48]; mov esi, -1; xor edx, edx; mov eax, 436 (close_range); syscall
    #   mov rdi, [rbx]; mov rsi, [rbx+56]; mov edx, 8; mov eax, 1 (write); syscall; jmp next
    # child: mov rax, [rbx+32]; mov r12, [rax]; mov rbx, [rbx+24]
    # row: test r12, r12; jz done; mov rax, [rbx]; mov rdi, [rbx+8]; mov rsi, [rbx+16]; mov rdx, [rbx+24];
    #   mov r10, [rbx+32]; mov r8, [rbx+40]; mov r9, [rbx+48]; syscall; test rax, rax; js failed
    #   add rbx, 56; dec r12; jmp row
    # gone: mov eax, 1; jmp out; failed: shl r12, 12; sub rax, r12; jmp out; done: xor eax, eax
    # out: pop r12; pop rbx; ret
    "x86_64": (
        "5341544889fb488b7308488b432848894628488b3b31d2b82f0000000f054883f8fc74e24885c00f8e83000000488b7b1031f631d24531"
        "d24531c0b8380000000f054885c0742e488b7338488906488b7b30beffffffff31d2b8b40100000f05488b3b488b7338ba08000000b801"
        "0000000f05eb91488b43204c8b20488b5b184d85e4743b488b03488b7b08488b7310488b53184c8b53204c8b43284c8b4b300f054885c0"
        "78104883c33849ffccebd0b801000000eb0b49c1e40c4c29e0eb0231c0415c5bc3"
    ),
    # The same with x8 for the number, x0 to x5 for arguments, svc #0, x19 for rbx and x20 for r12.
    "aarch64": (
        "f353bfa9f30300aa600640a9621640f9221400f9020080d2881a80d2010000d41f1000b120ffff541f0000f16d040054600a40f9010080"
        "d2020080d2030080d2040080d2881b80d2010000d4c00100b4611e40f9200000f9601a40f901008012020080d2883680d2010000d46002"
        "40f9611e40f9020180d2080880d2010000d4e2ffff17741240f9940240f9730e40f9d40100b4680240f9608640a9628e41a9649642a901"
        "0000d4c000f8b773e20091940600d1f7ffff17200080d204000014003014cb02000014000080d2f353c1a8c0035fd6"
    ),
}

_libc = ctypes.CDLL(None, use_errno=True)
_pages: list[mmap.mmap] = []


class PythonNursery:
    """The keeper's side: asks for processes.

    Those that `may_exec` become another program when they have read their job; those that `may_fork` start others. The
    walls' tools stay in sight of these processes when the keeper puts them away afterwards.
    """

    def __init__(self, walls: jail.Walls, proc: int, *, may_exec: bool = False, may_fork: bool = False) -> None:
        self._walls = walls
        self._may = {"may_exec": may_exec, "may_fork": may_fork}
        self._kept: list[object] = []  # what addresses lead to, from before the fork on: the same in both processes
        self._page = mmap.mmap(-1, 3 * mmap.PAGESIZE, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)  # all that the loop writes
        self._message = ctypes.addressof(ctypes.c_char.from_buffer(self._page))
        self._fixed = self._fixed_rows()
        self._link, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.pid = os.fork()
        if self.pid == 0:
            try:
                kernel.die_with_parent()
                self._serve(theirs.fileno(), proc)
            finally:
                os._exit(0)
        theirs.close()
        if walls.tools:
            self._link.recv(1)

    def spawn(self, role: str, slot: int, memory_mb: int, ends: Sequence[int]) -> int:
        """Fork a jailed process, a child of this process, with `ends` as its descriptors from 0; returns its pid."""
        own = [jail.own_ruleset(self._walls, slot)] if self._walls.scratch else []
        shared = [self._walls.ruleset] if self._walls.ruleset >= 0 else []
        try:
            message = self._written_down(slot, len(ends), len(shared) + len(own))
            socket.send_fds(self._link, [message], [*ends, *shared, *own])
        finally:
            for descriptor in own:
                os.close(descriptor)
        answer = self._link.recv(_COUNT.size)
        if not answer:
            raise OSError("the nursery has ended")
        (pid,) = _COUNT.unpack(answer)
        if pid < 0:
            raise OSError(-pid, f"clone: {os.strerror(-pid)}")
        return int(pid)

    # --- the walls as rows --------------------------------------------------------

    def _fixed_rows(self) -> tuple[list[bytes], list[bytes], list[bytes]]:
        """What all runs have in common: a folder of their own, no privileges, the filter (on C not yet)."""
        folder, filtered = [], []
        if self._walls.namespaces:
            flags = kernel.MS_NOSUID | kernel.MS_NODEV
            folder.append(
                self._row("mount", b"tmpfs", self._walls.home.encode(), b"tmpfs", flags, jail.TMP_OPTIONS.encode())
            )
            folder.append(self._row("chdir", self._walls.home.encode()))
            program = seccomp.program(1, **self._may)
            wrapped = struct.pack("=H6xQ", len(program) // 8, self._address(program))
            filtered.append(self._row("seccomp", 1, 0, wrapped))
        files = struct.pack("=QQ", jail.OPEN_FILES, jail.OPEN_FILES)
        bare = [
            self._row("capset", kernel.CAPSET_HEADER, kernel.NO_CAPABILITIES),
            self._row("prctl", kernel.PR_SET_PDEATHSIG, signal.SIGKILL),  # with the keeper, whose child a run is
            self._row("prlimit64", 0, resource.RLIMIT_NOFILE, files, 0),
        ]
        return folder, bare, filtered

    def _written_down(self, slot: int, ends: int, rules: int) -> bytes:
        """The calls that close the walls around the run in `slot`, which finds its descriptors after the link."""
        folder, bare, filtered = self._fixed
        rows = [self._row("dup3", _LINK + 1 + number, number, 0) for number in range(ends + rules)]
        rows += [self._row("close_range", ends + rules, 0xFFFFFFFF, 0), self._row("setsid"), *folder]
        home = b""
        if self._walls.scratch:
            home = jail.own_folder(self._walls, slot).encode() + b"\0"
            rows.append(self._row("chdir", self._message + _MESSAGE - len(home)))
        if self._walls.own_uid:
            uid = self._walls.user(slot)
            rows.append(self._row("setgroups", 0, 0))
            rows += [self._row(name, uid, uid, uid) for name in ("setresgid", "setresuid")]
        rows += bare
        for number in range(ends, ends + rules):
            rows += [self._row("landlock_restrict_self", number, 0), self._row("close", number)]
        rows += filtered
        text = _COUNT.pack(len(rows)) + b"".join(rows)
        return text.ljust(_MESSAGE - len(home), b"\0") + home if home else text

    def _row(self, name: str, *arguments: int | bytes) -> bytes:
        """A call; bytes are passed by address, and end with a zero byte there."""
        words = [self._address(value) if isinstance(value, bytes) else value for value in arguments]
        return _ROW.pack(seccomp.number(name), *words, *(0,) * (6 - len(words)))

    def _address(self, data: bytes) -> int:
        buffer = ctypes.create_string_buffer(data)
        self._kept.append(buffer)
        return ctypes.addressof(buffer)

    # --- the nursery's own process ------------------------------------------------

    def _serve(self, link: int, proc: int) -> None:
        """Fork what is asked for until the keeper is gone; also returns, to run a job, in each child."""
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        if self._walls.tools:  # the keeper unmounts them when it hears that they stay here
            kernel.unshare(kernel.CLONE_NEWNS)
            os.write(link, b"!")
        jail.prepare(self._walls)
        if self._may["may_exec"]:
            runner.become_plain(self._walls.home)
            select.select([link], [], [])  # most fleets never ask for one of these: arranged when it is wanted
        else:
            runner.rehearse(self._walls.home)
        memory.settle(proc)
        os.dup2(link, _LINK)
        os.closerange(_LINK + 1, 65536)
        flags = self._walls.namespaces | _CLONE_PARENT | _SIGCHLD
        at = self._message
        control, vector, header, answer = (at + _MESSAGE + offset for offset in (0, 512, 1024, 1536))
        context = struct.pack("=8Q", _LINK, header, flags, at + 8, at, 512, _LINK + 1, answer)
        self._page[_MESSAGE + 512 : _MESSAGE + 528] = struct.pack("=QQ", at, _MESSAGE)
        self._page[_MESSAGE + 1024 : _MESSAGE + 1080] = _MSGHDR.pack(0, 0, vector, 1, control, 512, 0)
        loop = _machine_code()
        result = loop(self._address(context)) if loop else self._loop(flags)
        if result == 1:
            return
        try:
            if result:
                left, code = divmod(-result, 4096)
                raise OSError(code, f"{os.strerror(code)} ({left} calls before the last)")
            jail.finish(self._walls, **self._may)
            _signal.signal(_signal.SIGINT, _signal.default_int_handler)
            runner.serve()
        except BaseException as error:  # noqa: BLE001 - nothing may unwind into the keeper's frames
            with contextlib.suppress(OSError):
                os.write(2, f"sandbox: {type(error).__name__}: {error}\n".encode())
        finally:
            os._exit(120)

    def _loop(self, flags: int) -> int:
        """The loop without machine code."""
        link = socket.socket(fileno=_LINK)
        while True:
            message, descriptors, _, _ = socket.recv_fds(link, _MESSAGE, 16)
            if not message:
                return 1
            pid: int = _libc.syscall(ctypes.c_long(seccomp.number("clone")), ctypes.c_ulong(flags), 0, 0, 0, 0)
            if pid == 0:
                link.detach()  # its number is the run's now
                self._page[: len(message)] = message
                return _make_rows(message)
            for descriptor in descriptors:
                os.close(descriptor)
            link.send(_COUNT.pack(pid if pid > 0 else -ctypes.get_errno()))


def _make_rows(message: bytes) -> int:
    count: int = _COUNT.unpack_from(message)[0]
    for row in range(count):
        number, *words = _ROW.unpack_from(message, _COUNT.size + row * _ROW.size)
        if _libc.syscall(ctypes.c_long(number), *map(ctypes.c_ulong, words)) < 0:
            return -(ctypes.get_errno() + 4096 * (count - row))
    return 0


def _machine_code() -> Callable[[int], int] | None:
    """The loop, in a page that can't be written any more; None on other processors or where that is barred."""
    code = bytes.fromhex(_SERVE.get(platform.machine(), ""))
    if not code:
        return None
    page = mmap.mmap(-1, mmap.PAGESIZE, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    page.write(code)
    address = ctypes.addressof(ctypes.c_char.from_buffer(page))
    if _libc.mprotect(ctypes.c_void_p(address), ctypes.c_size_t(mmap.PAGESIZE), mmap.PROT_READ | mmap.PROT_EXEC):
        return None
    _pages.append(page)
    return ctypes.PYFUNCTYPE(ctypes.c_long, ctypes.c_void_p)(address)  # keeps the interpreter's lock: a fork has it too
