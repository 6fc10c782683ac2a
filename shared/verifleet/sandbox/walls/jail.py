# ruff: noqa: S103, S108
"""The walls around one run, strongest first.

Rung A: root makes namespaces. B: an ordinary user makes them inside a user namespace; root becomes one for it. C: no
namespaces; Landlock, seccomp, limits, and another user id where the keeper may change it. On every rung: seccomp
allow-list, rlimits, no capabilities, no_new_privs, no descriptors but the run's own, death together with the keeper.
"""

from __future__ import annotations

import os
import pathlib
import resource
import stat
import sys
from collections.abc import Sequence
from dataclasses import dataclass

from verifleet.sandbox.walls import kernel, seccomp

MIB = 1024 * 1024
TMP_BYTES = 64 * MIB
TMP_FILES = 1024
FILE_BYTES = 32 * MIB
OPEN_FILES = 64
TASKS = 64
STACK_BYTES = 64 * MIB
LIMITS = (
    (resource.RLIMIT_CORE, 0),
    (resource.RLIMIT_FSIZE, FILE_BYTES),
    (resource.RLIMIT_MEMLOCK, 0),
    (resource.RLIMIT_MSGQUEUE, 0),
)
FIRST_UID = 62000  # where a user namespace has no room for others
KEEPER_UID = FIRST_UID - 1
USERS = 2048  # user ids of one keeper: one for each process of each run that there can be
# Ids that no system gives to anybody; else such as a container with a large map of its own has.
_FREE_UIDS = (range(0x70000000, 0x7FFE0000), range(1 << 16, 0x70000000))
_HOMES = ("/tmp", "/home")  # where a run with a mount namespace may write: the first that nothing is loaded from
TMP_OPTIONS = f"size={TMP_BYTES},nr_inodes={TMP_FILES},mode=0777"
_SYSTEM_TREES = ("/usr/lib", "/usr/lib64", "/usr/lib32", "/lib", "/lib64", "/usr/local/lib", "/usr/share/zoneinfo")
_SYSTEM_FILES = ("/etc/ld.so.cache", "/etc/localtime", "/etc/ld.so.conf", "/etc/ssl/openssl.cnf")
_DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom")
_MOUNT_POINTS = ("/mnt", "/media", "/srv", "/opt", "/var", "/tmp", "/run", "/home")
# READ_FILE, WRITE_FILE, READ_DIR, REMOVE_FILE, MAKE_REG, TRUNCATE; within namespaces also directories and renames.
_FLAT_FILES = 2 | 4 | 8 | (1 << 5) | (1 << 8) | (1 << 14)
_EXECUTE, _READ = 1, 4 | 8
_ALL_FILES = _FLAT_FILES | (1 << 4) | (1 << 7) | (1 << 12) | (1 << 13)
_held = 0


@dataclass
class Walls:
    """What the keeper has set up for its runs."""

    rung: str
    namespaces: int = 0
    own_uid: bool = False
    first_uid: int = FIRST_UID
    landlock_abi: int = 0
    home: str = _HOMES[0]
    scratch: str = ""  # rung C: the folder that holds each run's own folder
    ruleset: int = -1  # a Landlock descriptor: on C what all runs may read; else all, for the mounts hold there
    executing: int = -1  # the same for runs that execute what they have made
    compiling: int = -1  # and for those that find the compiler
    tools: Sequence[str] = ()  # mounts that only runs of the compiler are to find

    def user(self, slot: int) -> int:
        """The user and group id of the run in `slot`, where runs have their own."""
        return self.first_uid + slot

    def describe(self) -> dict[str, object]:
        """For the self-probe's report."""
        return {"rung": self.rung, "own_uid": self.own_uid, "landlock_abi": self.landlock_abi}


def raise_walls(
    wanted: str, programs: list[str], scratch: str, packages: Sequence[str] = (), tools: Sequence[str] = ()
) -> Walls:
    """Enclose this (keeper's) process on rung `wanted` for good. Raises OSError where the rung can't be had.

    `programs` are executables that runs need besides this interpreter, such as node; `packages` are folders of Python
    packages that are offered to programs, all others stay out of sight; `tools` is what a compiler reads.
    """
    trees = _trees(programs)
    tools = _outermost(tools, trees)
    root = os.geteuid() == 0
    if wanted == "C":
        abi = kernel.landlock_abi()
        if abi < 4:
            raise OSError(f"Landlock ABI 4 or newer is needed without namespaces, this kernel has {abi}")
        readable = [part for tree in trees for part in _without_packages(tree)] + [*packages, *_SYSTEM_FILES]
        writable = [(scratch, _FLAT_FILES), *((path, 2 | 4) for path in _DEVICES)]
        ruleset = kernel.landlock_ruleset(readable, writable, abi)
        own_uid = _may_change_user() and all(map(_open_to_others, (*trees, *packages, *tools)))
        walls = Walls("C", own_uid=own_uid, landlock_abi=abi, scratch=scratch, ruleset=ruleset)
        walls.first_uid = own_users() if own_uid else FIRST_UID
        walls.executing = kernel.landlock_ruleset(readable, [(scratch, _FLAT_FILES | _EXECUTE), *writable[1:]], abi)
        walls.compiling = kernel.landlock_ruleset([*readable, *tools], writable, abi)
        return walls
    if wanted == "A" and not root:
        raise OSError("rung A needs root")
    first_uid = own_users() if wanted == "A" else FIRST_UID  # while /proc can still be read
    if wanted == "B" and root:
        _become_ordinary([*trees, *packages, *tools])
    _enter_namespaces(user=wanted == "B")
    loaded = (*trees, *packages, *tools)
    home = next(home for home in _HOMES if not any(path.startswith(home + "/") for path in loaded))
    _build_root(trees, packages, home, tools)
    abi = kernel.landlock_abi()
    ruleset = kernel.landlock_ruleset(["/"], [("/", _ALL_FILES)], abi) if abi else -1
    for may_exec in (False, True):
        seccomp.program(1, may_exec=may_exec)  # made once; the forks inherit it
    namespaces = kernel.CLONE_NEWPID | kernel.CLONE_NEWNS | kernel.CLONE_NEWIPC
    walls = Walls(wanted, namespaces, own_uid=wanted == "A", landlock_abi=abi, home=home, ruleset=ruleset)
    walls.executing, walls.compiling, walls.tools = ruleset, ruleset, tools
    walls.first_uid = first_uid
    return walls


def own_users(maps: Sequence[str] = ("/proc/self/uid_map", "/proc/self/gid_map")) -> int:
    """The first of USERS user ids, drawn at random, for the runs of one keeper.

    The kernel counts the tasks of a user on the whole machine, in all containers of a user namespace. With ids that
    keepers share, one keeper's runs would be refused threads because of another's: node aborts then, or waits forever.
    """
    try:
        mapped = [_mapped(path) for path in maps]
    except OSError:
        return FIRST_UID  # ids that keepers share are walls as high
    for free in _FREE_UIDS:
        starts = [
            range(low, high - USERS, USERS)
            for users in mapped[0]
            for groups in mapped[1]
            if (low := max(free.start, users.start, groups.start)) + USERS
            < (high := min(free.stop, users.stop, groups.stop))
        ]
        if starts:
            most = max(starts, key=len)
            return most[int.from_bytes(os.urandom(4), "big") % len(most)]
    return FIRST_UID


def _mapped(path: str) -> list[range]:
    """The ids of this user namespace that exist outside of it."""
    with open(path) as file:
        rows = [[int(number) for number in line.split()] for line in file]
    return [range(first, first + count) for first, _, count in rows]


def execute_only(paths: Sequence[str]) -> None:
    """Let this process, from within its walls, become no program but these, where the kernel has Landlock."""
    abi = kernel.landlock_abi()
    if abi:
        executable = [(path, _EXECUTE | _READ) for path in paths]
        kernel.landlock_restrict(kernel.landlock_ruleset([], [("/", _ALL_FILES), *executable], abi))


def put_tools_away(walls: Walls) -> None:
    """Take the compiler out of the sight of this process and of what it forks from now on."""
    for path in reversed(walls.tools):
        kernel.unmount(path)
    walls.tools = ()


def _trees(programs: list[str]) -> list[str]:
    """The folders that the interpreter and the other programs load from, none inside another."""
    wanted = [sys.base_prefix, sys.base_exec_prefix] if sys.base_prefix not in ("/", "/usr") else ["/usr/bin/python3"]
    return _outermost([*wanted, os.path.realpath(sys.executable), *_SYSTEM_TREES, *map(os.path.realpath, programs)])


def _outermost(paths: Sequence[str], others: Sequence[str] = ()) -> list[str]:
    """Those paths that exist and lie neither in another of them nor in `others`."""
    kept: list[str] = []
    for path in sorted(set(paths), key=len):
        if os.path.exists(path) and not any(f"{path}/".startswith(parent + "/") for parent in (*kept, *others)):
            kept.append(path)
    return kept


def _may_change_user() -> bool:
    """Whether this process has CAP_SETGID and CAP_SETUID."""
    with open("/proc/self/status") as file:
        held = next(int(line.split()[1], 16) for line in file if line.startswith("CapEff"))
    return held & 0b1100_0000 == 0b1100_0000


def _become_ordinary(trees: list[str]) -> None:
    """Change to an ordinary user for good: inside a user namespace of root, runs would be root to the outside."""
    if not _may_change_user():
        raise OSError("rung B never runs programs as root, and this root may not change its user: start as another one")
    closed = [tree for tree in trees if not _open_to_others(tree)]
    if closed:
        raise OSError(f"rung B never runs programs as root, and other users can't reach {closed[0]}")
    os.setgroups([])
    os.setresgid(KEEPER_UID, KEEPER_UID, KEEPER_UID)
    os.setresuid(KEEPER_UID, KEEPER_UID, KEEPER_UID)
    kernel.open_to_itself()


def _open_to_others(path: str) -> bool:
    """Whether another user can reach `path`; an interpreter under /root can't be run by one."""
    parts = [path, *(str(parent) for parent in pathlib.PurePath(path).parents)]
    return all(os.stat(part).st_mode & stat.S_IXOTH for part in parts)


def _enter_namespaces(*, user: bool) -> None:
    uid, gid = os.geteuid(), os.getegid()
    rest = kernel.CLONE_NEWNS | kernel.CLONE_NEWNET | kernel.CLONE_NEWIPC | kernel.CLONE_NEWUTS
    kernel.unshare(rest | (kernel.CLONE_NEWUSER if user else 0))
    if user:
        for name, text in (("setgroups", "deny"), ("uid_map", f"0 {uid} 1"), ("gid_map", f"0 {gid} 1")):
            with open(f"/proc/self/{name}", "w") as file:
                file.write(text)
    kernel.mount("none", "/", "", kernel.MS_REC | kernel.MS_PRIVATE)


def _build_root(trees: list[str], packages: Sequence[str], home: str, tools: Sequence[str]) -> None:
    """Make a small read-only root of trees, packages and tools and pivot into it; nothing else is left in sight."""
    used = [*trees, *packages, *tools]
    base = next(p for p in _MOUNT_POINTS if os.path.isdir(p) and not any((t + "/").startswith(p + "/") for t in used))
    kernel.mount("tmpfs", base, "tmpfs", kernel.MS_NOSUID, "size=1m,mode=0755")
    for tree in trees:
        if os.path.islink(tree):
            os.makedirs(os.path.dirname(base + tree), exist_ok=True)
            os.symlink(os.readlink(tree), base + tree)
        else:
            _bind(tree, base + tree)
            kernel.make_read_only(base + tree)
            _hide_packages(base, tree, packages)
    for folder in packages:
        if not any(folder.startswith(tree + "/") for tree in trees):
            _show(folder, base)
    for path in tools:
        _show(path, base)
    for file in (*_SYSTEM_FILES, *_DEVICES):
        if os.path.exists(file):
            _bind(os.path.realpath(file) if file not in _DEVICES else file, base + file)
            if file not in _DEVICES:
                kernel.make_read_only(base + file)
    for folder in (home, "/.old"):
        os.makedirs(base + folder, exist_ok=True)
    os.chmod(base + home, 0o1777)
    kernel.pivot_root(base, base + "/.old")
    os.chdir("/")
    kernel.unmount("/.old")
    os.rmdir("/.old")
    kernel.mount("none", "/", "", kernel.MS_REMOUNT | kernel.MS_BIND | kernel.MS_RDONLY | kernel.MS_NOSUID)


def _bind(source: str, target: str) -> None:
    if stat.S_ISDIR(os.stat(source).st_mode):
        os.makedirs(target, exist_ok=True)
    else:
        os.makedirs(os.path.dirname(target), exist_ok=True)
        with open(target, "w"):
            pass
    kernel.mount(source, target, "", kernel.MS_BIND | kernel.MS_REC)


def _packages() -> list[str]:
    """Where installed packages may be, below a tree. Only the standard library is part of the contract."""
    version = f"python{sys.version_info[0]}.{sys.version_info[1]}"
    return [
        f"lib/{version}/site-packages",
        f"lib/{version}/dist-packages",
        "python3/dist-packages",
        f"{version}/site-packages",
    ]


def _hide_packages(base: str, tree: str, offered: Sequence[str]) -> None:
    """Cover installed packages with a folder that holds only those that are offered."""
    for folder in _packages():
        hidden = os.path.join(tree, folder)
        if os.path.isdir(base + hidden):
            kernel.mount("tmpfs", base + hidden, "tmpfs", kernel.MS_NOSUID, "size=4k,mode=0755")
            for package in offered:
                if package.startswith(hidden + "/"):
                    _show(package, base)
            kernel.mount(
                "none", base + hidden, "", kernel.MS_REMOUNT | kernel.MS_BIND | kernel.MS_RDONLY | kernel.MS_NOSUID
            )


def _show(path: str, base: str) -> None:
    _bind(path, base + path)
    kernel.make_read_only(base + path)


def _without_packages(tree: str) -> list[str]:
    """The tree as paths that leave installed packages out, for Landlock, which can't take away from a tree."""
    hidden = [os.path.join(tree, folder) for folder in _packages() if os.path.isdir(os.path.join(tree, folder))]
    parts, pending = [], [tree]
    while pending:
        path = pending.pop()
        if path in hidden:
            continue
        if any(inner.startswith(path + "/") for inner in hidden):
            pending += [os.path.join(path, name) for name in sorted(os.listdir(path))]
        else:
            parts.append(path)
    return parts


def own_folder(walls: Walls, slot: int) -> str:
    """Where the run in `slot` may write."""
    return os.path.join(walls.scratch, str(slot)) if walls.scratch else walls.home


def own_ruleset(walls: Walls, slot: int) -> int:
    """A Landlock descriptor that leaves a run without a mount namespace its own folder to write to."""
    writable = [(own_folder(walls, slot), _FLAT_FILES), *((path, 2 | 4) for path in _DEVICES)]
    return kernel.landlock_ruleset(["/"], writable, walls.landlock_abi)


def prepare(walls: Walls) -> None:
    """Close, once, what forks inherit and the process that forks them can do without."""
    kernel.bar_capabilities()
    kernel.forbid_new_privileges()
    for kind, value in LIMITS:
        resource.setrlimit(kind, (value, value))
    if walls.own_uid:
        resource.setrlimit(resource.RLIMIT_NPROC, (TASKS, TASKS))


def finish(walls: Walls, *, may_exec: bool = False, may_fork: bool = False) -> None:
    """The last wall where there are no namespaces: the filter must know the run's process id."""
    if not walls.namespaces:
        kernel.filter_system_calls(seccomp.program(os.getpid(), may_exec=may_exec, may_fork=may_fork))


def enter(walls: Walls, slot: int, *, may_exec: bool) -> None:
    """Close the walls around this freshly forked process. Raises OSError; the caller must then exit at once."""
    os.setsid()
    home = own_folder(walls, slot)
    if walls.namespaces:
        kernel.mount("tmpfs", home, "tmpfs", kernel.MS_NOSUID | kernel.MS_NODEV, TMP_OPTIONS)
    os.chdir(home)
    if walls.own_uid:
        uid = walls.user(slot)
        os.setgroups([])
        os.setresgid(uid, uid, uid)
        os.setresuid(uid, uid, uid)
    kernel.drop_capabilities()
    kernel.forbid_new_privileges()
    kernel.die_with_parent()
    for kind, value in (*LIMITS, (resource.RLIMIT_NOFILE, OPEN_FILES)):
        resource.setrlimit(kind, (value, value))
    if walls.own_uid:
        resource.setrlimit(resource.RLIMIT_NPROC, (TASKS, TASKS))
    if walls.ruleset >= 0:
        kernel.landlock_restrict(walls.ruleset)
    if walls.scratch:
        kernel.landlock_restrict(own_ruleset(walls, slot))
    kernel.filter_system_calls(seccomp.program(os.getpid(), may_exec=may_exec))


def bound(memory_mb: int, cpu_s: float) -> None:
    """Set the limits that a job brings: memory above what this process holds already, and CPU as a last backstop."""
    with_margin = int(cpu_s) + 2
    resource.setrlimit(resource.RLIMIT_CPU, (with_margin, with_margin))
    limit = _held + memory_mb * MIB
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    resource.setrlimit(resource.RLIMIT_STACK, (STACK_BYTES, STACK_BYTES))


def remember_size() -> None:
    """Note this process's address space while /proc can still be read; forks inherit the number."""
    global _held
    with open("/proc/self/statm") as file:
        _held = int(file.read().split()[0]) * resource.getpagesize()
