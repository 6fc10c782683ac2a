"""The system-call filter of a jailed process: an allow-list, compiled to classic BPF."""

from __future__ import annotations

import errno
import platform
import struct
from functools import lru_cache

_ARCHITECTURES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}
_ALLOW, _ERRNO = 0x7FFF0000, 0x00050000
_LOAD, _JEQ, _JGE, _JSET, _RETURN, _AND = 0x20, 0x15, 0x35, 0x45, 0x06, 0x54
_CLONE_THREAD = 0x00010000
_CLONE_NAMESPACES = 0x7E020080  # every CLONE_NEW* flag, time namespaces included
_PRCTL_ALLOWED = (15, 16, 0x53564D41)  # PR_SET_NAME, PR_GET_NAME, PR_SET_VMA
_PR_SET_PDEATHSIG = 1
_LANDLOCK = ("landlock_create_ruleset", "landlock_add_rule", "landlock_restrict_self")
_IOCTL_ALLOWED = (0x5413, 0x541B, 0x5421, 0x5450, 0x5451)  # TIOCGWINSZ FIONREAD FIONBIO FIONCLEX FIOCLEX
Instruction = tuple[int, int, int, int]


def _table(text: str) -> dict[str, tuple[int | None, int | None]]:
    """Read `name:x86_64 number:aarch64 number` words; - where the architecture lacks the call."""
    rows = (word.split(":") for word in text.split())
    return {name: (None if x86 == "-" else int(x86), None if arm == "-" else int(arm)) for name, x86, arm in rows}


_ALLOWED = _table(
    "read:0:63 write:1:64 open:2:- close:3:57 stat:4:- fstat:5:80 lstat:6:- poll:7:- lseek:8:62 mmap:9:222 "
    "mprotect:10:226 munmap:11:215 brk:12:214 rt_sigaction:13:134 rt_sigprocmask:14:135 rt_sigreturn:15:139 "
    "pread64:17:67 pwrite64:18:68 readv:19:65 writev:20:66 access:21:- pipe:22:- select:23:- sched_yield:24:124 "
    "mremap:25:216 msync:26:227 mincore:27:232 madvise:28:233 dup:32:23 dup2:33:- pause:34:- nanosleep:35:101 "
    "getitimer:36:102 alarm:37:- setitimer:38:103 getpid:39:172 sendfile:40:71 sendto:44:206 recvfrom:45:207 "
    "exit:60:93 uname:63:160 fcntl:72:25 flock:73:32 fsync:74:82 fdatasync:75:83 truncate:76:45 ftruncate:77:46 "
    "getdents:78:- getcwd:79:17 chdir:80:49 fchdir:81:50 rename:82:- mkdir:83:- rmdir:84:- creat:85:- link:86:- "
    "unlink:87:- symlink:88:- readlink:89:- chmod:90:- fchmod:91:52 umask:95:166 gettimeofday:96:169 "
    "getrlimit:97:163 setrlimit:160:164 getrusage:98:165 times:100:153 getuid:102:174 getgid:104:176 "
    "geteuid:107:175 getegid:108:177 getppid:110:173 getpgrp:111:- getgroups:115:158 getresuid:118:148 "
    "getresgid:120:150 getpgid:121:155 getsid:124:156 capget:125:90 rt_sigpending:127:136 rt_sigtimedwait:128:137 "
    "rt_sigsuspend:130:133 sigaltstack:131:132 utime:132:- statfs:137:43 fstatfs:138:44 getpriority:140:141 "
    "sched_getparam:143:121 sched_getscheduler:145:120 sched_get_priority_max:146:125 "
    "sched_get_priority_min:147:126 arch_prctl:158:- gettid:186:178 readahead:187:213 time:201:- futex:202:98 "
    "sched_getaffinity:204:123 epoll_create:213:- epoll_wait:232:- epoll_ctl:233:21 getdents64:217:61 "
    "set_tid_address:218:96 restart_syscall:219:128 fadvise64:221:223 timer_create:222:107 timer_settime:223:110 "
    "timer_gettime:224:108 timer_getoverrun:225:109 timer_delete:226:111 clock_gettime:228:113 "
    "clock_getres:229:114 clock_nanosleep:230:115 exit_group:231:94 utimes:235:- openat:257:56 mkdirat:258:34 "
    "newfstatat:262:79 unlinkat:263:35 renameat:264:38 linkat:265:37 symlinkat:266:36 readlinkat:267:78 "
    "fchmodat:268:53 faccessat:269:48 pselect6:270:72 ppoll:271:73 set_robust_list:273:99 get_robust_list:274:100 "
    "utimensat:280:88 epoll_pwait:281:22 timerfd_create:283:85 timerfd_settime:286:86 timerfd_gettime:287:87 "
    "eventfd:284:- eventfd2:290:19 fallocate:285:47 epoll_create1:291:20 dup3:292:24 pipe2:293:59 preadv:295:69 "
    "pwritev:296:70 getcpu:309:168 renameat2:316:276 getrandom:318:278 membarrier:324:283 copy_file_range:326:285 "
    "preadv2:327:286 pwritev2:328:287 pkey_mprotect:329:288 pkey_alloc:330:289 pkey_free:331:290 statx:332:291 "
    "rseq:334:293 close_range:436:436 faccessat2:439:439 epoll_pwait2:441:441 wait4:61:260 waitid:247:95 "
    "sysinfo:99:179 "
)
_REFUSED = _table(
    "execve:59:221 socketpair:53:199 clone:56:220 kill:62:129 tgkill:234:131 tkill:200:130 prctl:157:167 "
    "ioctl:16:29 prlimit64:302:261 socket:41:198 connect:42:203 fork:57:- vfork:58:- execveat:322:281 "
    "ptrace:101:117 mount:165:40 umount2:166:39 pivot_root:155:41 chroot:161:51 unshare:272:97 setns:308:268 "
    "keyctl:250:219 add_key:248:217 request_key:249:218 bpf:321:280 userfaultfd:323:282 io_uring_setup:425:425 "
    "io_uring_enter:426:426 io_uring_register:427:427 perf_event_open:298:241 process_vm_readv:310:270 "
    "process_vm_writev:311:271 kcmp:312:272 pidfd_open:434:434 pidfd_getfd:438:438 pidfd_send_signal:424:424 "
    "memfd_create:319:279 memfd_secret:447:447 shmget:29:194 shmat:30:196 semget:64:190 msgget:68:186 "
    "mq_open:240:180 name_to_handle_at:303:264 open_by_handle_at:304:265 init_module:175:105 finit_module:313:273 "
    "kexec_load:246:104 reboot:169:142 swapon:167:224 sethostname:170:161 setuid:105:146 setgid:106:144 "
    "setreuid:113:145 setregid:114:143 setresuid:117:147 setresgid:119:149 setgroups:116:159 capset:126:91 "
    "personality:135:92 seccomp:317:277 rt_sigqueueinfo:129:138 rt_tgsigqueueinfo:297:240 "
    "sched_setaffinity:203:122 setpriority:141:140 bind:49:200 listen:50:201 accept:43:202 accept4:288:242 "
    "sendmsg:46:211 recvmsg:47:212 sendmmsg:307:269 setsid:112:157 setpgid:109:154 mknod:133:- mknodat:259:33 "
    "fsopen:430:430 fsmount:432:432 move_mount:429:429 open_tree:428:428 mount_setattr:442:442 splice:275:76 "
    "tee:276:77 vmsplice:278:75 chown:92:- fchown:93:55 lchown:94:- fchownat:260:54 setxattr:188:5 "
    "landlock_create_ruleset:444:444 landlock_add_rule:445:445 landlock_restrict_self:446:446 "
    "sched_setscheduler:144:119 "
)


class UnsupportedArchitectureError(RuntimeError):
    """No system-call table for this machine."""


def _architecture() -> tuple[int, int]:
    try:
        return _ARCHITECTURES[platform.machine()]
    except KeyError:
        raise UnsupportedArchitectureError(f"no system-call table for {platform.machine()}") from None


def number(name: str) -> int:
    """The number of a system call on this machine; raises UnsupportedArchitectureError or KeyError."""
    index, _ = _architecture()
    value = (_ALLOWED.get(name) or _REFUSED[name])[index]
    if value is None:
        raise KeyError(name)
    return value


def _argument(index: int) -> int:
    return 16 + 8 * index  # low half of the 64-bit argument, little endian


def _refuse(code: int) -> Instruction:
    return (_RETURN, 0, 0, _ERRNO | code)


def _only(argument: int, values: tuple[int, ...], refusal: int) -> list[Instruction]:
    """Allow a call when its argument is one of `values`."""
    code: list[Instruction] = [(_LOAD, 0, 0, _argument(argument))]
    for position, value in enumerate(values):
        code.append((_JEQ, len(values) - position, 0, value))
    return [*code, _refuse(refusal), (_RETURN, 0, 0, _ALLOW)]


def _threads_only() -> list[Instruction]:
    return [
        (_LOAD, 0, 0, _argument(0)),
        (_JSET, 2, 0, _CLONE_NAMESPACES),
        (_JSET, 0, 1, _CLONE_THREAD),
        (_RETURN, 0, 0, _ALLOW),
        _refuse(errno.EPERM),
    ]


def _stream_pairs_only() -> list[Instruction]:
    # AF_UNIX datagram pairs could be aimed at a path with sendto; stream pairs can't.
    return [
        (_LOAD, 0, 0, _argument(0)),
        (_JEQ, 0, 4, 1),
        (_LOAD, 0, 0, _argument(1)),
        (_AND, 0, 0, 0xF),
        (_JEQ, 0, 1, 1),
        (_RETURN, 0, 0, _ALLOW),
        _refuse(errno.EPERM),
    ]


def _processes_too() -> list[Instruction]:
    return [
        (_LOAD, 0, 0, _argument(0)),
        (_JSET, 0, 1, _CLONE_NAMESPACES),
        _refuse(errno.EPERM),
        (_RETURN, 0, 0, _ALLOW),
    ]


def _guarded(pid: int, may_exec: bool, may_fork: bool) -> dict[str, list[Instruction]]:
    eperm = errno.EPERM
    guarded = {
        "clone": _threads_only(),
        "socketpair": _stream_pairs_only(),
        "kill": _only(0, (pid,), eperm),
        "tgkill": _only(0, (pid,), eperm),
        "prctl": _only(0, _PRCTL_ALLOWED, eperm),
        "prlimit64": _only(0, (0, pid), eperm),
        "ioctl": _only(1, _IOCTL_ALLOWED, errno.ENOTTY),  # so that isatty() answers no
    }
    if may_exec:
        for name in ("execve", *_LANDLOCK):  # the latter only take rights away: to execute other programs
            guarded[name] = [(_RETURN, 0, 0, _ALLOW)]
    if may_fork:
        guarded["clone"] = _processes_too()
        guarded["prctl"] = _only(0, (*_PRCTL_ALLOWED, _PR_SET_PDEATHSIG), eperm)
        guarded["seccomp"] = [(_RETURN, 0, 0, _ALLOW)]
    return guarded


@lru_cache(maxsize=8)
def program(pid: int, *, may_exec: bool = False, may_fork: bool = False) -> bytes:
    """The filter for a process that sees itself as `pid`: struct sock_filter[].

    Allowed calls pass, known dangerous ones get EPERM, all others ENOSYS, so that the C library falls back.
    Threads are allowed, new processes are not: a run is one process, so that its CPU time is exact and nothing
    survives it. Who `may_fork` may also put a stricter filter on what it starts, and let it die with itself.
    """
    index, arch = _architecture()
    code: list[Instruction] = [
        (_LOAD, 0, 0, 4),
        (_JEQ, 1, 0, arch),
        _refuse(errno.EPERM),
        (_LOAD, 0, 0, 0),
    ]
    if index == 0:
        code += [(_JGE, 0, 1, 0x40000000), _refuse(errno.ENOSYS)]  # the x32 numbers
    for name, body in _guarded(pid, may_exec, may_fork).items():
        code += [(_JEQ, 0, len(body), number(name)), *body]
    allowed = sorted(n[index] for n in _ALLOWED.values() if n[index] is not None)  # type: ignore[type-var]
    code += _ranges(allowed, _ALLOW)
    refused = sorted(n[index] for name, n in _REFUSED.items() if n[index] is not None)  # type: ignore[type-var]
    code += _ranges(refused, _ERRNO | errno.EPERM)
    code.append(_refuse(errno.ENOSYS))
    return b"".join(struct.pack("<HBBI", *instruction) for instruction in code)


def refusing(name: str) -> bytes:
    """A filter that refuses one system call, as a kernel that lacks it does, and allows all others."""
    code = [(_LOAD, 0, 0, 0), (_JEQ, 0, 1, number(name)), _refuse(errno.ENOSYS), (_RETURN, 0, 0, _ALLOW)]
    return b"".join(struct.pack("<HBBI", *instruction) for instruction in code)


def _ranges(numbers: list[int | None], action: int) -> list[Instruction]:
    """Return `action` for these numbers; runs of neighbours are tested as one range, to keep the filter short."""
    spans: list[list[int]] = []
    for value in numbers:
        assert value is not None
        if spans and spans[-1][1] + 1 == value:
            spans[-1][1] = value
        else:
            spans.append([value, value])
    code: list[Instruction] = []
    for low, high in spans:
        # below low: next span; above high: next span
        code += [(_JGE, 0, 2, low), (_JGE, 1, 0, high + 1), (_RETURN, 0, 0, action)]
    return code
