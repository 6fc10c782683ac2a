# ruff: noqa: E501 - attacks on one line
"""Attacks on the sandbox and on the verdict, in all three languages, on every rung that holds here.

An attack on the walls prints ESCAPED when it got what it wanted; an attack on the verdict is a wrong answer that wants
a score. After all of them the service answers the next honest request at once, and no process and no file is left.
"""

import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from verifleet.errors import SandboxUnavailableError
from verifleet.sandbox import LocalSandbox
from verifleet.verification import VerificationRequest, parse_request
from verifleet.verifiers.code import CodeVerifier

CANARY = Path(f"/tmp/verifleet-attack-canary-{os.getpid()}")
SECRET = "verifleet-secret-7f3a"
LIMITS = {"cpu_s": 0.25, "wall_s": 0.8, "memory_mb": 96, "output_kb": 16}


def wins(body: str) -> str:
    """A program that says ESCAPED when its attack did not raise and gave something."""
    lines = "\n".join(f"    {line}" for line in body.splitlines())
    return f"def attack():\n{lines}\ntry:\n    got = attack()\nexcept BaseException as e:\n    print('refused', type(e).__name__)\nelse:\n    print('ESCAPED' if got else 'nothing')"


SYSCALL = "import ctypes\nlibc = ctypes.CDLL(None, use_errno=True)\n"
PYTHON_WALLS = {
    "tcp connect": "import socket\nreturn socket.create_connection(('127.0.0.1', 22), 0.2)",
    "tcp socket": "import socket\nreturn socket.socket()",
    "udp": "import socket\ns = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)\nreturn s.sendto(b'x', ('8.8.8.8', 53))",
    "ipv6": "import socket\nreturn socket.socket(socket.AF_INET6)",
    "metadata address": "import urllib.request\nreturn urllib.request.urlopen('http://169.254.169.254/computeMetadata/v1/', timeout=0.3)",
    "name lookup": "import socket\nreturn socket.getaddrinfo('metadata.google.internal', 80)",
    "unix socket": "import socket\ns = socket.socket(socket.AF_UNIX)\nreturn s",
    "abstract datagram": "import socket\na, b = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)\nreturn a.sendto(b'x', '\\0x')",
    "raw packet": "import socket\nreturn socket.socket(socket.AF_PACKET, socket.SOCK_RAW)",
    "netlink": "import socket\nreturn socket.socket(socket.AF_NETLINK, socket.SOCK_RAW)",
    "environment": "import os\nreturn any('SECRET' in k or 'VERIFLEET' in k for k in os.environ)",
    "environ of the parent": "import os\nreturn open(f'/proc/{os.getppid()}/environ').read()",
    "environ of process one": "return open('/proc/1/environ', 'rb').read()",
    "process list": "import os\nreturn [p for p in os.listdir('/proc') if p.isdigit()]",
    "own memory map": "return 'verifleet' in open('/proc/self/maps').read()",
    "memory of the parent": "import os\nreturn open(f'/proc/{os.getppid() or 1}/mem', 'rb').read(1)",
    "process_vm_readv": SYSCALL + "import os\nb = ctypes.create_string_buffer(8)\nclass V(ctypes.Structure): _fields_ = [('p', ctypes.c_void_p), ('n', ctypes.c_size_t)]\nv = V(ctypes.addressof(b), 8)\nreturn libc.process_vm_readv(os.getppid() or 1, ctypes.byref(v), 1, ctypes.byref(v), 1, 0) > 0",
    "ptrace": SYSCALL + "import os\nreturn libc.ptrace(16, os.getppid() or 2, 0, 0) == 0",
    "descriptors": "import os\nfound = []\nfor fd in range(4, 300):\n    try:\n        os.fstat(fd); found.append(fd)\n    except OSError: pass\nreturn found",
    "canary file": f"return '{SECRET}' in open('{CANARY}').read()",
    "canary overwritten": f"return open('{CANARY}', 'r+').write('x')",
    "file in etc": "return open('/etc/verifleet-x', 'w')",
    "file in the library": "import json, os\nreturn open(os.path.join(os.path.dirname(json.__file__), 'x.py'), 'w')",
    "library poisoned": "import json\nreturn open(json.__file__, 'a')",
    "password file": "return open('/etc/passwd').read()",
    "shadow file": "return open('/etc/shadow').read()",
    "root's home": "import os\nreturn [n for n in os.listdir('/root') if not n.startswith('.pyenv')]",
    "installed packages": "import glob, sys\nreturn glob.glob(sys.base_prefix + '/lib/python3*/site-packages/*')",
    "our own package's secrets": "import verifleet.settings\nreturn verifleet.settings",
    "parent folders": "import os\nos.chdir('/')\nfor _ in range(20): os.chdir('..')\nreturn open('etc/passwd').read()",
    "chroot": SYSCALL + "return libc.chroot(b'.') == 0",
    "mount": SYSCALL + "return libc.mount(b'none', b'/tmp', b'tmpfs', 0, 0) == 0",
    "unmount": SYSCALL + "return libc.umount2(b'/tmp', 2) == 0",
    "device node": "import os, stat\nos.mknod('disk', 0o600 | stat.S_IFBLK, os.makedev(8, 0))\nreturn open('disk', 'rb')",
    "block device": "return open('/dev/sda', 'rb') or open('/dev/vda', 'rb')",
    "kernel memory": "return open('/dev/mem', 'rb')",
    "sysctl": "return open('/proc/sys/kernel/core_pattern', 'w')",
    "cgroup release agent": "return open('/sys/fs/cgroup/release_agent', 'w')",
    "setuid": "import os\nos.setuid(0 if os.getuid() else 1)\nreturn True",
    "setgroups": "import os\nos.setgroups([0, 1])\nreturn True",
    "capabilities": SYSCALL + "import struct\nh = struct.pack('=Ii', 0x20080522, 0); d = ctypes.create_string_buffer(24)\nassert libc.syscall(125, h, d) == 0\nreturn any(d.raw)",
    "new user namespace": SYSCALL + "return libc.unshare(0x10000000) == 0",
    "new namespace by clone": SYSCALL + "return libc.syscall(56, 0x10000000 | 17, 0, 0, 0, 0) >= 0",
    "clone3": SYSCALL + "a = (ctypes.c_uint64 * 11)(); a[4] = 17\nreturn libc.syscall(435, a, 88) >= 0",
    "setns": SYSCALL + "return libc.setns(0, 0) == 0",
    "keyring": SYSCALL + "return libc.syscall(248, b'user', b'k', b'v', 1, -2) > 0",
    "bpf": SYSCALL + "return libc.syscall(321, 0, 0, 0) >= 0",
    "io_uring": SYSCALL + "p = ctypes.create_string_buffer(120)\nreturn libc.syscall(425, 4, p) >= 0",
    "userfaultfd": SYSCALL + "return libc.syscall(323, 0) >= 0",
    "perf_event_open": SYSCALL + "p = ctypes.create_string_buffer(128)\nreturn libc.syscall(298, p, 0, -1, -1, 0) >= 0",
    "memfd and exec": SYSCALL + "fd = libc.memfd_create(b'x', 0)\nreturn fd >= 0",
    "filter removed": SYSCALL + "libc.prctl(22, 0, 0, 0, 0)\nimport socket\nreturn socket.socket()",
    "x32 system calls": SYSCALL + "return libc.syscall(0x40000000 + 41, 2, 1, 0) >= 0",
    "fork": "import os\npid = os.fork()\nif pid == 0: os._exit(0)\nreturn True",
    "subprocess": "import subprocess\nreturn subprocess.run(['/bin/echo', 'x'])",
    "os.system": "import os\nreturn os.system('true') == 0",
    "exec": "import os, sys\nos.execv(sys.executable, [sys.executable, '-c', 'print(\"ESCAPED\")'])",
    "daemon": "import os\nif os.fork() == 0:\n    os.setsid()\n    import time; time.sleep(60)\nreturn True",
    "kill everybody": "import os, signal\nos.kill(-1, signal.SIGKILL)\nreturn True",
    "kill the parent": "import os, signal\nos.kill(os.getppid(), signal.SIGKILL)\nreturn True",
    "kill process one": "import os, signal\nif os.getpid() != 1:\n    os.kill(1, signal.SIGKILL)\n    return True",
    "signal by pidfd": SYSCALL + "return libc.syscall(434, 1 if __import__('os').getpid() != 1 else 2, 0) >= 0",
    "death signal removed": SYSCALL + "return libc.prctl(1, 0, 0, 0, 0) == 0",
    "limits raised": "import resource\nresource.setrlimit(resource.RLIMIT_CPU, (1000, 1000))\nreturn True",
    "address space raised": "import resource\nresource.setrlimit(resource.RLIMIT_AS, (1 << 40, 1 << 40))\nreturn True",
    "limits of others": "import os, resource\nreturn resource.prlimit(os.getppid() or 2, resource.RLIMIT_NOFILE)",
    "shared memory": SYSCALL + "return libc.shmget(1234, 4096, 0o1666) >= 0",
    "posix queue": SYSCALL + "return libc.mq_open(b'/x', 0o102, 0o600, 0) >= 0",
    "terminal injection": "import fcntl\nfor fd in (0, 1, 2):\n    try:\n        fcntl.ioctl(fd, 0x5412, b'x'); return True\n    except OSError: pass",
    "host name": "import socket\nsocket.sethostname('x')\nreturn True",
    "clock": "import time\ntime.clock_settime(time.CLOCK_REALTIME, 0)\nreturn True",
    "hard link to the library": "import json, os\nos.link(json.__file__, 'x')\nreturn open('x', 'a')",
    "symlink to the canary": f"import os\nos.symlink('{CANARY}', 'x')\nreturn '{SECRET}' in open('x').read()",
    "debugger of the interpreter": "import gc\nreturn any(type(o).__name__ == 'Keeper' and o.queue for o in gc.get_objects())",
}  # fmt: skip

PYTHON_LIMITS = {
    "memory bomb": "x = []\nwhile True: x.append(bytearray(10**7))",
    "shared mapping bomb": "import mmap\nm = [mmap.mmap(-1, 1 << 28) for _ in range(8)]\nfor x in m: x.write(b'x' * (1 << 28))",
    "disk bomb": "n = 0\nwhile True:\n    with open(str(n), 'wb') as f: f.write(b'x' * 10**7)\n    n += 1",
    "sparse file": "import os\nos.truncate(os.open('x', os.O_CREAT | os.O_RDWR), 1 << 40)\nprint('ESCAPED')",
    "many files": "for n in range(10**6): open(str(n), 'w').close()\nprint('ESCAPED')",
    "output bomb": "import os\nwhile True: os.write(1, b'x' * 65536)",
    "error output bomb": "import os\nwhile True: os.write(2, b'x' * 65536)",
    "result pipe bomb": "import os\nwhile True: os.write(3, b'\\0' * 65536)",
    "thread bomb": "import threading, time\nwhile True: threading.Thread(target=time.sleep, args=(9,)).start()",
    "fork bomb": "import os\nwhile True: os.fork()",
    "endless loop": "while True: pass",
    "sleeps for ever": "import time; time.sleep(1000)",
    "signals ignored": "import signal\nfor s in range(1, 32):\n    try: signal.signal(s, signal.SIG_IGN)\n    except (OSError, ValueError): pass\nwhile True: pass",
    "stops itself": "import os, signal\nos.kill(os.getpid(), signal.SIGSTOP)\nwhile True: pass",
    "deep recursion": "import sys\nsys.setrecursionlimit(10**9)\ndef f(): f()\nf()",
    "deep structure": "x = []\nfor _ in range(10**6): x = [x]\nrepr(x)\nprint('ESCAPED')",
    "huge number": "print(len(str(9**(9**9))))",
    "regular expression": "import re\nre.match('(a+)+$', 'a' * 40 + 'b')\nprint('ESCAPED')",
    "crash": "import ctypes; ctypes.string_at(0)",
    "abort": "import os; os.abort()",
}  # fmt: skip

TEST = "def check(candidate):\n    assert candidate(2) == 4\n    assert candidate(3) == 9\ncheck(square)"
TEST_APART = "def check(candidate):\n    for x, y in ((2, 4), (3, 9)):\n        assert candidate(x) == y\ncheck(square)"  # in a process of its own
PYTHON_VERDICTS = {
    "always equal": "class E:\n    def __eq__(s, o): return True\n    def __ne__(s, o): return False\n    def __hash__(s): return 0\ndef square(x): return E()",
    "always equal number": "class E(int):\n    def __eq__(s, o): return True\n    __hash__ = int.__hash__\ndef square(x): return E(1)",
    "always equal list": "class E(list):\n    def __eq__(s, o): return True\ndef square(x): return E()",
    "metaclass": "class M(type):\n    def __eq__(s, o): return True\n    __hash__ = type.__hash__\nclass square(metaclass=M):\n    def __new__(c, x): return c",
    "exit zero": "import os; os._exit(0)",
    "sys.exit in the call": "import sys\ndef square(x): sys.exit(0)",
    "SystemExit": "def square(x): raise SystemExit(0)",
    "quits at exit": "import atexit, os\natexit.register(lambda: os._exit(0))\ndef square(x): return 0",
    "assertions patched": "import builtins\nclass A(Exception): pass\nbuiltins.AssertionError = A\ndef square(x): return 0",
    "int.__eq__ patched": "import ctypes\ntry:\n    import gc\n    gc.get_referents(int.__dict__)[0]['__eq__'] = lambda a, b: True\nexcept Exception: pass\ndef square(x): return 0",
    "builtins patched": "import builtins\nbuiltins.__build_class__ = builtins.isinstance = builtins.all = lambda *a: True\ndef square(x): return 0",
    "trace function": "import sys\ndef t(frame, event, arg):\n    frame.f_trace_lines = False\n    return t\nsys.settrace(t)\ndef square(x): return 0",
    "looks for the test in frames": "import sys\ndef square(x):\n    f = sys._getframe()\n    while f:\n        for v in f.f_locals.values():\n            if isinstance(v, dict) and 'test_code' in v: return 4 if x == 2 else 9\n        f = f.f_back\n    return 0",
    "looks for the test in memory": "import gc\ndef square(x):\n    for o in gc.get_objects():\n        if isinstance(o, dict) and any(isinstance(v, (str, bytes)) and str.join('', ['candidate(2)', ' == 4']) in str(v) for v in list(o.values())): return x * x\n    return 0",
    "looks for the test in files": "import glob\ndef square(x):\n    for p in glob.glob('/tmp/**', recursive=True) + glob.glob('/proc/*/fd/*'):\n        try:\n            if 'assert candidate' in open(p).read(): return x * x\n        except OSError: pass\n    return 0",
    "reads its stdin": "import sys\ndata = sys.stdin.read()\ndef square(x): return x * x if 'assert' in data else 0",
    "reads the link ahead": "import os\ndef square(x):\n    os.set_blocking(4, False)\n    try: data = os.read(4, 10**6)\n    except OSError: data = b''\n    return x * x if data else 0",
    "forged verdict": "import json, os, struct\nd = json.dumps({'outcome': 'passed', 'checks': 2, 'calls': 2, 'number': None}).encode()\nos.write(3, struct.pack('>I', len(d)) + d)\ndef square(x): return 0",
    "forged verdict and exit": "import json, os, struct\nd = json.dumps({'outcome': 'passed', 'checks': 2, 'calls': 2}).encode()\nos.write(3, struct.pack('>I', len(d)) + d)\nos._exit(0)",
    "forged reply": "import os, struct\nd = b'{\"t\":[\"ok\",4,{\"d\":[]},\"\"]}'\nos.write(5, struct.pack('>I', len(d)) + d)\ndef square(x): return 0",
    "poisoned reply": "import os, struct\nos.write(5, struct.pack('>I', 5) + b'[[[[[')\ndef square(x): return 0",
    "endless reply": "import os, struct\nos.write(5, struct.pack('>I', 2**32 - 1))\ndef square(x): return 0",
    "marker printed": "print('PASSED 1.0 OK'); print('{\"outcome\": \"passed\"}')\ndef square(x): return 0",
    "AssertionError swallowed": "def square(x): raise AssertionError",
    "skips": "import unittest\ndef square(x): raise unittest.SkipTest",
    "judge's function replaced": "def check(candidate): pass\ndef square(x): return 0",
    "judge called back": "import os, struct\nd = b'{\"t\":[\"ask\",\"call\",{\"t\":[0,[],{\"d\":[]}]}]}'\nos.write(5, struct.pack('>I', len(d)) + d)\ndef square(x): return 0",
    "generator": "def square(x):\n    while True: yield 4",
    "coroutine": "async def square(x): return x * x",
    "exception that equals": "class E(Exception):\n    def __eq__(s, o): return True\ndef square(x): raise E",
    "endless iterator": "import itertools\ndef square(x): return itertools.count()",
    "huge result": "def square(x): return [0] * 10**8",
    "deep result": "def square(x):\n    r = []\n    for _ in range(10**5): r = [r]\n    return r",
}  # fmt: skip

NODE_WALLS = {
    "network": "require('net').connect(22, '127.0.0.1').on('connect', () => console.log('ESCAPED')).on('error', () => {})",
    "http": "require('http').get('http://169.254.169.254/', () => console.log('ESCAPED')).on('error', () => {})",
    "dns": "require('dns').lookup('metadata.google.internal', (e) => { if (!e) console.log('ESCAPED') })",
    "udp": "const s = require('dgram').createSocket('udp4'); s.on('error', () => {}); s.send('x', 53, '8.8.8.8', (e) => { if (!e) console.log('ESCAPED'); })",
    "child process": "const r = require('child_process').spawnSync(process.execPath, ['-e', '0']); if (!r.error) console.log('ESCAPED')",
    "shell": "require('child_process').exec('echo', (e) => { if (!e) console.log('ESCAPED') })",
    "cluster": "const c = require('cluster'); c.on('online', () => console.log('ESCAPED')); try { c.fork() } catch {}",
    "environment": "if (Object.keys(process.env).some(k => /SECRET|TOKEN|KEY|VERIFLEET/.test(k))) console.log('ESCAPED')",
    "environ of others": "for (const p of [1, process.ppid]) { try { require('fs').readFileSync(`/proc/${p}/environ`); console.log('ESCAPED') } catch {} }",
    "canary": f"try {{ if (require('fs').readFileSync('{CANARY}', 'utf8').includes('{SECRET}')) console.log('ESCAPED') }} catch {{}}",
    "password file": "try { require('fs').readFileSync('/etc/passwd'); console.log('ESCAPED') } catch {}",
    "write outside": "for (const f of ['/etc/x', '/usr/lib/x', '/dev/shm/x']) { try { require('fs').writeFileSync(f, 'x'); console.log('ESCAPED') } catch {} }",
    "kill": "for (const p of [-1, process.ppid, 1]) { if (p !== process.pid && p !== 0) { try { process.kill(p, 9); console.log('ESCAPED') } catch {} } }",
    "setuid": "try { process.setuid(process.getuid() ? 0 : 1); console.log('ESCAPED') } catch {}",
    "descriptors": "for (let fd = 4; fd < 40; fd++) { try { const s = require('fs').fstatSync(fd); if (s.isFile() && s.size > 0) console.log('ESCAPED') } catch {} }",
    "native module": "try { process.dlopen({ exports: {} }, '/tmp/x.node'); console.log('ESCAPED') } catch {}",
    "process.binding": "try { const b = process.binding('spawn_sync').spawn({ file: '/bin/sh', args: ['sh'], stdio: [] }); if (!b.error) console.log('ESCAPED') } catch {}",
    "worker threads": "const { Worker } = require('worker_threads'); try { new Worker('require(\"fs\").readFileSync(\"/etc/passwd\"); console.log(\"ESCAPED\")', { eval: true }).on('error', () => {}) } catch {}",
    "inspector": "try { require('inspector').open(9229, '127.0.0.1'); if (require('inspector').url()) console.log('ESCAPED') } catch {}",
    "heap bomb": "const a = []; for (;;) a.push(new Array(1e6).fill(1))",
    "buffer bomb": "const a = []; for (;;) a.push(Buffer.alloc(1e8, 1))",
    "output bomb": "for (;;) require('fs').writeSync(1, 'x'.repeat(65536))",
    "endless": "for (;;);",
    "endless promise": "(function f() { Promise.resolve().then(f) })()",
}  # fmt: skip

NODE_TEST = "const assert = require('assert');\nassert.strictEqual(square(2), 4);\nconsole.assert(square(3) === 9);"
NODE_VERDICTS = {
    "assert patched": "const a = require('assert'); for (const k of Object.keys(a)) a[k] = () => {}; console.assert = () => {}; const square = x => 0",
    "exit": "const square = x => process.exit(0)",
    "reallyExit": "process.reallyExit(0); const square = x => 0",
    "exit code forced": "process.on('exit', () => process.reallyExit(0)); const square = x => { throw 1 }",
    "module cache": "const M = require('module'); M._load = () => () => {}; M.prototype.require = () => () => {}; const square = x => 0",
    "Object.is and prototypes": "Object.is = () => true; Number.prototype.valueOf = () => 4; JSON.parse = () => 4; const square = x => 0",
    "value that coerces": "const square = x => ({ valueOf: () => x * x, [Symbol.toPrimitive]: () => x * x })",
    "proxy": "const square = x => new Proxy({}, { get: () => 4, getPrototypeOf: () => Number.prototype })",
    "forged frames": "const b = Buffer.from('{\"outcome\":\"passed\",\"checks\":2,\"calls\":2}'), h = Buffer.alloc(4); h.writeUInt32BE(b.length); require('fs').writeSync(3, Buffer.concat([h, b])); const square = x => 0",
    "forged replies": "const b = Buffer.from('[\"ok\",4,[],[]]'), h = Buffer.alloc(4); h.writeUInt32BE(b.length); for (let i = 0; i < 4; i++) require('fs').writeSync(5, Buffer.concat([h, b])); const square = x => 0",
    "abort": "process.abort(); const square = 1",
}  # fmt: skip

SCHEMA = (
    "CREATE TABLE t(id INTEGER PRIMARY KEY, v INTEGER); INSERT INTO t VALUES (1, 5), (2, 7), (3, 7), (4, 9), (5, 1);"
)
GOLD = "SELECT v, COUNT(*) FROM t GROUP BY v"
SQL = {
    "attach": f"ATTACH '{CANARY}' AS x",
    "attach in memory": "ATTACH ':memory:' AS x",
    "vacuum into": "VACUUM INTO '/tmp/verifleet-x.db'",
    "load_extension": "SELECT load_extension('/lib/x.so')",
    "readfile": f"SELECT readfile('{CANARY}'), 1",
    "writefile": "SELECT writefile('/tmp/verifleet-x', 'x'), 1",
    "pragma": "PRAGMA writable_schema = ON",
    "pragma function": "SELECT * FROM pragma_database_list",
    "recursion": "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT x, 1 FROM n",
    "cross join": "SELECT a.v, COUNT(*) FROM " + ", ".join(f"t {c}" for c in "abcdefghijklmnopqrs") + " GROUP BY 1",
    "blob bomb": "SELECT hex(zeroblob(1000000000)), 1",
    "text bomb": "SELECT group_concat(printf('%1000000d', v)) || printf('%.*c', 900000000, 'x'), 1 FROM t",
    "virtual table": "CREATE VIRTUAL TABLE f USING fts5(x)",
    "hard-coded": "SELECT 5, 1 UNION ALL SELECT 7, 2 UNION ALL SELECT 9, 1 UNION ALL SELECT 1, 1",
    "gold looked for": "SELECT sql, 1 FROM sqlite_master",
    "data deleted": "DELETE FROM t",
    "two statements": "SELECT v, COUNT(*) FROM t GROUP BY v; DROP TABLE t",
    "dml hidden in with": "WITH x AS (SELECT 1) INSERT INTO t SELECT 9, 9",
    "deep expression": "SELECT " + "(" * 5000 + "1" + ")" * 5000,
    "like bomb": "SELECT 'a' LIKE '" + "%a" * 5000 + "', 1",
}  # fmt: skip


def stdin(code: str, language: str = "python") -> VerificationRequest:
    tag = "js" if language == "javascript" else "python"
    reference = {"language": language, "tests": [{"input": "", "output": "ESCAPED"}]}
    raw = {"response": f"```{tag}\n{code}\n```", "reference": reference, "options": {"limits": LIMITS}}
    return parse_request("code", raw)


def with_test(code: str, language: str, test_code: str) -> VerificationRequest:
    tag = "js" if language == "javascript" else "python"
    reference = {"language": language, "test_code": test_code}
    raw = {"response": f"```{tag}\n{code}\n```", "reference": reference, "options": {"limits": LIMITS}}
    return parse_request("code", raw)


def attacks() -> dict[str, VerificationRequest]:
    found: dict[str, VerificationRequest] = {}
    found |= {f"python, {name}": stdin(wins(code)) for name, code in PYTHON_WALLS.items()}
    found |= {f"python, {name}": stdin(code) for name, code in PYTHON_LIMITS.items()}
    for name, code in PYTHON_VERDICTS.items():
        found[f"python verdict, {name}"] = with_test(code, "python", TEST)
        found[f"python verdict apart, {name}"] = with_test(code, "python", TEST_APART)
    for name, query in SQL.items():
        reference: dict[str, Any] = {"language": "sql", "schema": SCHEMA, "query": GOLD}
        raw = {"response": f"```sql\n{query}\n```", "reference": reference, "options": {"limits": LIMITS}}
        found[f"sql, {name}"] = parse_request("code", raw)
    if shutil.which("node"):
        found |= {f"node, {name}": stdin(code, "javascript") for name, code in NODE_WALLS.items()}
        found |= {
            f"node verdict, {name}": with_test(code, "javascript", NODE_TEST) for name, code in NODE_VERDICTS.items()
        }
    return found


def honest() -> list[VerificationRequest]:
    requests = [stdin("print('ESCAPED')"), with_test("def square(x): return x * x", "python", TEST)]
    if shutil.which("node"):
        requests.append(with_test("const square = x => x * x", "javascript", NODE_TEST))
    return requests


@pytest.fixture
def others() -> set[int]:
    """Processes that other tests of this run left to its end."""
    return children()


@pytest.fixture(params=[("A", ""), ("B", ""), ("C", ""), ("A", "numpy")], ids="-".join)
def verifier(others: set[int], request: pytest.FixtureRequest) -> Iterator[CodeVerifier]:
    rung, package = request.param
    if package:
        pytest.importorskip(package)
    sandbox = LocalSandbox(ladder=(rung,), packages=(package,) if package else ())
    try:
        sandbox.rung  # noqa: B018 - starts it
    except SandboxUnavailableError as error:
        pytest.skip(str(error))
    verifier = CodeVerifier(sandbox)
    yield verifier
    verifier.close()


def children() -> set[int]:
    """All descendants of this process."""
    parents = {}
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                parents[int(name)] = int(Path(f"/proc/{name}/stat").read_text().rsplit(")", 1)[1].split()[1])
            except OSError:
                continue
    found = {os.getpid()}
    while more := {pid for pid, parent in parents.items() if parent in found} - found:
        found |= more
    return found - {os.getpid()}


def left_files() -> set[str]:
    return {
        name
        for folder in (tempfile.gettempdir(), "/dev/shm")
        for name in os.listdir(folder)
        if "verifleet-" in name and "-demo-" not in name
    }


def test_no_attack_succeeds_and_nothing_is_left(verifier: CodeVerifier, others: set[int]) -> None:
    CANARY.write_text(SECRET)
    CANARY.chmod(0o666)
    try:
        before = left_files()
        requests = attacks()
        assert len(requests) >= 80
        for request in honest():
            assert verifier.check(request).score == 1.0
        results = dict(zip(requests, verifier.check_batch(list(requests.values())), strict=True))
        succeeded = [name for name, result in results.items() if result.score != 0.0]
        assert succeeded == []
        for request in honest():
            started = time.monotonic()
            assert verifier.check(request).score == 1.0
            assert time.monotonic() - started < 10
        assert CANARY.read_text() == SECRET
        verifier.close()
        deadline = time.monotonic() + 5
        while children() - others and time.monotonic() < deadline:
            time.sleep(0.05)
        assert not children() - others
        assert left_files() <= before
    finally:
        CANARY.unlink()
