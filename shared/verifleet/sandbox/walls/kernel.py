"""The few Linux calls that Python lacks, by ctypes. Raises OSError like os does."""

from __future__ import annotations

import contextlib
import ctypes
import os
import struct
import time

from verifleet.sandbox.walls import seccomp

_libc = ctypes.CDLL(None, use_errno=True)
_syscall = _libc.syscall
_syscall.restype = ctypes.c_long

CLONE_NEWNS, CLONE_NEWUTS, CLONE_NEWIPC = 0x00020000, 0x04000000, 0x08000000
CLONE_NEWUSER, CLONE_NEWPID, CLONE_NEWNET = 0x10000000, 0x20000000, 0x40000000
MS_RDONLY, MS_NOSUID, MS_NODEV, MS_NOEXEC, MS_REMOUNT = 1, 2, 4, 8, 32
MS_BIND, MS_REC, MS_PRIVATE = 4096, 16384, 1 << 18
MNT_DETACH = 2
_SIGCHLD = 17
_CLONE_PARENT = 0x00008000
PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_CAPBSET_DROP = 1, 4, 24
PR_SET_NO_NEW_PRIVS, _PR_SET_PTRACER = 38, 0x59616D61
_ACCESS = {1: (1 << 13) - 1, 2: (1 << 14) - 1, 3: (1 << 15) - 1, 4: (1 << 15) - 1, 5: (1 << 16) - 1}
CAPSET_HEADER, NO_CAPABILITIES = struct.pack("=Ii", 0x20080522, 0), bytes(24)
_NET_BIND_CONNECT = 3
_READ_EXECUTE = 1 | 4 | 8  # EXECUTE, READ_FILE, READ_DIR


def _call(name: str, *args: object) -> int:
    result: int = _syscall(ctypes.c_long(seccomp.number(name)), *args)
    if result < 0:
        code = ctypes.get_errno()
        raise OSError(code, f"{name}: {os.strerror(code)}")
    return result


def _libc_call(name: str, *args: object) -> None:
    if getattr(_libc, name)(*args) != 0:
        code = ctypes.get_errno()
        raise OSError(code, f"{name}: {os.strerror(code)}")


def _word(value: int) -> ctypes.c_ulong:
    return ctypes.c_ulong(value)


def unshare(flags: int) -> None:
    """Move this process into new namespaces."""
    _libc_call("unshare", ctypes.c_int(flags))


def mount(source: str, target: str, kind: str = "", flags: int = 0, data: str = "") -> None:
    """Mount, bind or remount."""
    _libc_call("mount", source.encode(), os.fsencode(target), kind.encode(), _word(flags), data.encode())


def unmount(target: str) -> None:
    """Detach a mount."""
    _libc_call("umount2", os.fsencode(target), MNT_DETACH)


def pivot_root(new: str, old: str) -> None:
    """Make `new` the root, with the old one at `old`."""
    _call("pivot_root", os.fsencode(new), os.fsencode(old))


def make_read_only(target: str) -> None:
    """Make a mount and all below it read-only, nosuid; falls back to the top mount on old kernels."""
    attributes = struct.pack("=QQQQ", MS_RDONLY | MS_NOSUID, 0, 0, 0)
    try:
        _call("mount_setattr", ctypes.c_int(-100), os.fsencode(target), ctypes.c_uint(0x8000), attributes, _word(32))
    except OSError:
        status = os.statvfs(target)
        kept = status.f_flag & (MS_NODEV | MS_NOEXEC)  # in a user namespace these are locked
        mount("none", target, "", MS_REMOUNT | MS_BIND | MS_RDONLY | MS_NOSUID | kept)


def fork_into(namespaces: int, *, sibling: bool = False) -> int:
    """Fork into new namespaces, with the interpreter's own fork hooks; returns the pid, 0 in the child.

    A `sibling` is a child of this process's own parent.
    """
    flags = namespaces | _SIGCHLD | (_CLONE_PARENT if sibling else 0)
    api = ctypes.pythonapi
    api.PyOS_BeforeFork()
    pid: int = _syscall(ctypes.c_long(seccomp.number("clone")), _word(flags), 0, 0, 0, 0)
    code = ctypes.get_errno()
    if pid == 0:
        api.PyOS_AfterFork_Child()
        return 0
    api.PyOS_AfterFork_Parent()
    if pid < 0:
        raise OSError(code, f"clone: {os.strerror(code)}")
    return pid


def _prctl(option: int, *args: int) -> None:
    words = [_word(value) for value in (*args, 0, 0, 0, 0)[:4]]
    _libc_call("prctl", ctypes.c_int(option), *words)


def die_with_parent() -> None:
    """SIGKILL for this process when the thread that forked it ends."""
    _prctl(PR_SET_PDEATHSIG, 9)


def allow_tracer(pid: int) -> None:
    """Let another process trace this one where Yama restricts that to descendants."""
    with contextlib.suppress(OSError):
        _prctl(_PR_SET_PTRACER, pid)


def bar_capabilities() -> None:
    """Close the way to capabilities through set-user-id root; this process keeps what it has, and forks inherit it."""
    for capability in range(64):
        try:
            _prctl(PR_CAPBSET_DROP, capability)
        except OSError:
            break  # above the kernel's last one, or not ours to drop


def drop_capabilities() -> None:
    """Give up every capability, and the way back."""
    bar_capabilities()
    _call("capset", CAPSET_HEADER, NO_CAPABILITIES)


def forbid_new_privileges() -> None:
    """Set no_new_privs."""
    _prctl(PR_SET_NO_NEW_PRIVS, 1)


def open_to_itself() -> None:
    """Make this process dumpable again after a change of user, which closes its own /proc entries to it."""
    _prctl(PR_SET_DUMPABLE, 1)


def filter_system_calls(program: bytes) -> None:
    """Install a seccomp filter for this process."""

    class _Program(ctypes.Structure):
        _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.c_char_p))

    wrapped = _Program(len(program) // 8, program)
    _call("seccomp", ctypes.c_uint(1), ctypes.c_uint(0), ctypes.byref(wrapped))


def landlock_abi() -> int:
    """The kernel's Landlock version; 0 where there is none."""
    try:
        return _call("landlock_create_ruleset", None, _word(0), ctypes.c_uint(1))
    except OSError:
        return 0


def landlock_ruleset(readable: list[str], writable: list[tuple[str, int]], abi: int) -> int:
    """A descriptor of rules: `readable` trees may be read and executed, `writable` ones have the access bits given.

    TCP is closed from ABI 4 on; signals and abstract sockets to outsiders from ABI 6 on.
    """
    handled = _ACCESS.get(abi, _ACCESS[5])
    attributes = struct.pack("=QQQ", handled, _NET_BIND_CONNECT if abi >= 4 else 0, 3 if abi >= 6 else 0)
    size = 8 if abi < 4 else 16 if abi < 6 else 24
    ruleset = _call("landlock_create_ruleset", attributes, _word(size), ctypes.c_uint(0))
    for path, access in [(path, _READ_EXECUTE) for path in readable] + writable:
        _allow_beneath(ruleset, path, access & handled)
    return ruleset


def landlock_restrict(ruleset: int) -> None:
    """Confine this process to a ruleset, on top of those it has, and close the descriptor."""
    _call("landlock_restrict_self", ctypes.c_int(ruleset), ctypes.c_uint(0))
    os.close(ruleset)


def _allow_beneath(ruleset: int, path: str, access: int) -> None:
    try:
        descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except FileNotFoundError:
        return
    try:
        if not os.path.isdir(path):
            access &= 1 | 2 | 4 | (1 << 14)  # the rights that a file can carry
        rule = struct.pack("=Qi", access, descriptor)
        _call("landlock_add_rule", ctypes.c_int(ruleset), ctypes.c_int(1), rule, ctypes.c_uint(0))
    finally:
        os.close(descriptor)


def cpu_seconds(pid: int) -> float:
    """CPU time that another process of this user has used; raises OSError when it is gone."""
    return time.clock_gettime((~pid << 3) | 2)


def limit_arenas() -> None:
    """Two malloc arenas at most: each further one reserves 64 MiB of address space, which limits count."""
    _libc.mallopt(-8, 2)
