# ruff: noqa: E501 - programs on one line
"""Node processes forked from a warm one: they behave as newly started ones do, and share nothing with each other."""

import ctypes
import itertools
import json
import os
import platform
import shutil
import signal
import time
from collections.abc import Iterator
from concurrent.futures import Future
from pathlib import Path

import pytest

from verifleet.errors import SandboxUnavailableError
from verifleet.sandbox import Job, LocalSandbox, boot
from verifleet.sandbox.jobs import JobResult, ProcessResult, Rung

pytestmark = pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
X86 = platform.machine() == "x86_64"
_KCMP, _KCMP_FILE = 312, 0
_LIBC = ctypes.CDLL(None, use_errno=True)


def script(source: str, stdin: bytes = b"", **limits: float) -> Job:
    payload = json.dumps({"mode": "script", "source": source}).encode()
    return Job("node", (payload,), stdin=stdin, **limits)  # type: ignore[arg-type]


def run(sandbox: LocalSandbox, source: str, stdin: bytes = b"") -> ProcessResult:
    return sandbox.run(script(source, stdin)).processes[0]


def origin(sandbox: LocalSandbox) -> bytes:
    """When node was started and had come so far: the same for all forks of one; two nodes never agree in all of it."""
    program = "const { v8Start: a, environment: b, bootstrapComplete: c } = performance.nodeTiming"
    return run(sandbox, f"{program}; console.log(performance.timeOrigin, a, b, c)").stdout


def warm(sandbox: LocalSandbox) -> None:
    """Use the sandbox until runs are forked."""
    deadline = time.monotonic() + 30
    while origin(sandbox) != origin(sandbox):
        assert time.monotonic() < deadline, "no warm node got ready"
        time.sleep(0.1)


@pytest.fixture(scope="module")
def forked() -> Iterator[LocalSandbox]:
    if not X86:
        pytest.skip("nodes are forked on x86-64 only")
    with LocalSandbox(parallel=2) as sandbox:
        warm(sandbox)
        yield sandbox


@pytest.fixture(scope="module")
def started() -> Iterator[LocalSandbox]:
    with LocalSandbox(parallel=2, warm_node=False) as sandbox:
        yield sandbox


def nodes() -> dict[int, list[str]]:
    """All node processes below this one: pid and arguments."""
    parents, found = {}, {}
    for path in Path("/proc").glob("[0-9]*"):
        try:
            state = (path / "stat").read_text().rsplit(")", 1)[1].split()
            arguments = (path / "cmdline").read_bytes().decode(errors="replace").split("\0")
        except OSError:
            continue
        parents[int(path.name)] = int(state[1])
        if arguments[0].endswith("node") and state[0] != "Z":
            found[int(path.name)] = arguments
    ours = {os.getpid()}
    while more := {pid for pid, parent in parents.items() if parent in ours} - ours:
        ours |= more
    return {pid: arguments for pid, arguments in found.items() if pid in ours}


def stopped(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] == "t"
    except OSError:
        return False


PROGRAMS = {
    "timers": "let n = 0; const t = setInterval(() => { if (++n === 3) { clearInterval(t); console.log(n) } }, 2)",
    "a timer waits its time": "const t = Date.now(); setTimeout(() => console.log(Date.now() - t >= 99), 100)",
    "order": "setImmediate(() => console.log(4)); setTimeout(() => console.log(3), 0); process.nextTick(() => console.log(1)); Promise.resolve().then(() => console.log(2)); setTimeout(() => {}, 5)",
    "readline": "require('readline').createInterface({ input: process.stdin }).on('line', (l) => console.log('<' + l + '>'))",
    "readline promises": "const rl = require('readline/promises').createInterface({ input: process.stdin }); rl.question('').then((l) => { console.log(l); rl.close() })",
    "stdin events": "let s = ''; process.stdin.setEncoding('utf8').on('data', (d) => s += d).on('end', () => console.log(s))",
    "stdin at once": "console.log(require('fs').readFileSync(0, 'utf8'), require('fs').fstatSync(1).isFIFO())",
    "files": "const fs = require('fs'); (async () => { await fs.promises.writeFile('a', 'x'); await fs.promises.mkdir('d'); console.log(await fs.promises.readFile('a', 'utf8'), fs.readdirSync('.').sort()) })()",
    "streams of files": "const fs = require('fs'); fs.writeFileSync('a', 'x'.repeat(200000)); let n = 0; fs.createReadStream('a').on('data', (d) => n += d.length).on('close', () => console.log(n))",
    "threads of the pool": "const z = require('zlib'), c = require('crypto'); z.gzip('x'.repeat(1e5), (e, b) => z.gunzip(b, (f, d) => c.pbkdf2('p', 's', 1000, 8, 'sha256', (g, k) => console.log(d.length, k.toString('hex')))))",
    "crypto": "const c = require('crypto'); console.log(c.createHash('sha256').update('a').digest('hex'), c.randomUUID().length, c.webcrypto.getRandomValues(new Uint8Array(4)).length)",
    "dates and languages": "console.log(new Date(0).toISOString(), new Intl.NumberFormat('de').format(1234.5), 'ä'.localeCompare('z', 'sv'), Intl.DateTimeFormat().resolvedOptions().timeZone)",
    "web assembly": "WebAssembly.instantiate(new Uint8Array([0,97,115,109,1,0,0,0,1,5,1,96,0,1,127,3,2,1,0,7,5,1,1,102,0,0,10,6,1,4,0,65,42,11])).then((m) => console.log(m.instance.exports.f()))",
    "a worker": "const { Worker } = require('worker_threads'); try { new Worker('require(\"worker_threads\").parentPort.postMessage(7)', { eval: true }).on('message', console.log).on('error', (e) => console.log(e.message)) } catch (e) { console.log(e.code) }",
    "a child": "try { require('child_process').execSync('true'); console.log('ran') } catch (e) { console.log('refused') }",
    "stack overflow": "const f = () => f() + 1; try { f() } catch (e) { console.log(e instanceof RangeError) }",
    "collections of garbage": "let kept = []; for (let i = 0; i < 300; i++) { kept.push(new Array(20000).fill(i)); if (kept.length > 40) kept = kept.slice(20) } let b = 0; for (let i = 0; i < 200; i++) b += Buffer.alloc(100000).length; console.log(b, kept.length)",
    "a hot loop": "let s = 0; for (let i = 0; i < 3e7; i++) s = (s * 31 + i) | 0; console.log(s)",
    "finalizers": "const r = new FinalizationRegistry(() => {}); for (let i = 0; i < 1e5; i++) r.register({}, i); console.log(new WeakRef({}).deref() !== undefined)",
    "waiting": "const a = new Int32Array(new SharedArrayBuffer(4)); console.log(Atomics.wait(a, 0, 0, 5))",
    "signals to itself": "process.on('SIGUSR2', () => { console.log('got'); clearInterval(t) }); const t = setInterval(() => {}, 1000); process.kill(process.pid, 'SIGUSR2')",
    "events of the process": "process.on('beforeExit', () => console.log('before')); process.on('exit', (c) => console.log('exit', c)); console.log('body')",
    "who it is": "console.log(process.argv.slice(1), process.execArgv.length > 0, Object.keys(process.env).sort(), process.env.HOME === process.cwd(), typeof require('os').tmpdir(), process.exitCode)",
    "no trace of warming up": "console.log(typeof f, typeof module.exports, Object.keys(globalThis).sort().join(), process.listenerCount('exit'), process.listenerCount('beforeExit'), typeof gc)",
    "exit": "process.on('exit', (c) => console.log('exit', c)); process.exit(3)",
    "exit code": "process.on('exit', () => { process.exitCode = 5 }); process.exitCode = 4; console.log(1)",
    "exit in an exit handler": "process.on('exit', () => process.exit(6))",
    "a real exit": "process.reallyExit(9)",
    "thrown": "setTimeout(() => { throw new TypeError('late') }, 1)",
    "rejected": "Promise.reject(new Error('no'))",
    "thrown and caught": "process.on('uncaughtException', () => {}); console.log('x')",
    "abort": "process.abort()",
    "out of heap": "const a = []; for (;;) a.push(new Array(1e6).fill(1.5))",
    "out of buffers": "const a = []; for (;;) a.push(Buffer.alloc(1e8, 1))",
}  # fmt: skip


@pytest.mark.skipif(not X86, reason="nodes are forked on x86-64 only")
@pytest.mark.parametrize("name", PROGRAMS)
def test_a_forked_node_behaves_as_a_new_one(forked: LocalSandbox, started: LocalSandbox, name: str) -> None:
    job = script(PROGRAMS[name], b"line 1\nline 2\n", memory_mb=256)
    (fork,), (new,) = forked.run(job).processes, started.run(job).processes
    assert (fork.stdout, fork.exit, fork.killed_for) == (new.stdout, new.exit, new.killed_for)
    assert fork.frames == new.frames
    assert (b"heap out of memory" in fork.stderr) == (b"heap out of memory" in new.stderr)


def test_without_forks_each_run_has_a_node_of_its_own(started: LocalSandbox) -> None:
    assert len({origin(started) for _ in range(6)}) == 6


def test_a_strict_umask_around_the_sandbox_keeps_no_run_from_its_interpreter() -> None:
    before = os.umask(0o077)
    try:
        with LocalSandbox() as sandbox:
            assert run(sandbox, "console.log(1)").stdout == b"1\n"
    finally:
        os.umask(before)


def test_forks_have_randomness_of_their_own(forked: LocalSandbox) -> None:
    program = "const c = require('crypto'); c.randomBytes(8, (e, late) => console.log(c.randomBytes(8).toString('hex'), late.toString('hex'), c.randomUUID()))"
    values = [value for _ in range(4) for value in run(forked, program).stdout.split()]
    assert len(set(values)) == 12


def test_unseeded_randomness_is_the_same_in_every_run(forked: LocalSandbox, started: LocalSandbox) -> None:
    program = "console.log(Math.random(), Math.random())"
    assert len({run(sandbox, program).stdout for sandbox in (forked, forked, started, started)}) == 1


def test_forks_find_nothing_that_others_left(forked: LocalSandbox) -> None:
    program = "const fs = require('fs'); console.log(fs.readdirSync('.').length, typeof left, Object.keys(process.env).length); globalThis.left = Array.prototype.left = 1; process.env.LEFT = 'x'; fs.writeFileSync('left', 'x'); require('fs').readFileSync = null"
    first = run(forked, program).stdout
    assert first.split()[:2] == [b"0", b"undefined"]
    assert all(run(forked, program).stdout == first for _ in range(3))


def test_forks_and_the_warm_node_share_no_open_file(forked: LocalSandbox) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root may look into descriptors of others")
    waiting: list[Future[JobResult]] = [
        forked.submit(
            script("process.stdin.on('data', () => {}); setInterval(() => {}, 1000); console.log(1)", wall_s=3.0)
        )
        for _ in range(2)
    ]
    time.sleep(1.0)
    files = [(pid, int(name)) for pid in nodes() for name in os.listdir(f"/proc/{pid}/fd")]
    assert len({pid for pid, _ in files}) >= 3
    for (one, descriptor), (other, another) in itertools.combinations(files, 2):
        if one != other:
            assert _LIBC.syscall(_KCMP, one, other, _KCMP_FILE, descriptor, another) > 0
    for future in waiting:
        future.result()


def walls(sandbox: LocalSandbox) -> tuple[dict[str, str], dict[str, str]]:
    """What the kernel says of a waiting run: its status and its limits."""
    future = sandbox.submit(script("setInterval(() => {}, 1000)", wall_s=1.0))
    time.sleep(0.7)
    pid = max(pid for pid in nodes() if not stopped(pid))
    status = dict(line.split(":", 1) for line in Path(f"/proc/{pid}/status").read_text().splitlines())
    lines = Path(f"/proc/{pid}/limits").read_text().splitlines()[1:]
    future.result()
    return status, {line[:26].strip(): line[26:47].strip() for line in lines}


@pytest.mark.parametrize("rung", ["A", "B", "C"])
def test_the_walls_around_a_fork_are_those_around_a_new_node(rung: Rung) -> None:
    found = []
    for warm_node in (True, False):
        with LocalSandbox(parallel=1, ladder=(rung,), warm_node=warm_node) as sandbox:
            try:
                assert sandbox.rung == rung
            except SandboxUnavailableError as error:
                pytest.skip(str(error))
            if warm_node:
                warm(sandbox)
            run(sandbox, "console.log(1)")
            found.append(walls(sandbox))
    (fork, fork_limits), (new, new_limits) = found
    names = ("Groups", "NoNewPrivs", "Seccomp", "CapInh", "CapPrm", "CapEff", "CapAmb", "SigIgn", "SigCgt")
    assert {name: fork[name] for name in names} == {name: new[name] for name in names}
    assert int(fork["CapBnd"], 16) & ~int(new["CapBnd"], 16) == 0
    assert len(fork["NSpid"].split()) == len(new["NSpid"].split())
    assert (fork["Uid"].split()[0] == str(os.getuid())) == (new["Uid"].split()[0] == str(os.getuid()))
    assert fork_limits == new_limits


def test_a_fork_holds_nothing_but_its_pipes_and_nodes_own(forked: LocalSandbox) -> None:
    held = run(
        forked,
        "const fs = require('fs'), found = []; for (let n = 0; n < 64; n++) { try { const s = fs.fstatSync(n); found.push(s.isFIFO() ? 'pipe' : s.isSocket() ? 'socket' : s.isCharacterDevice() ? 'device' : s.isFile() && s.size ? 'file' : s.isDirectory() ? 'folder' : 'other') } catch {} } console.log(...found)",
    ).stdout.split()
    assert not {b"socket", b"file", b"folder"} & set(held)
    assert held[:3] == [b"pipe"] * 3


def test_a_warm_node_that_was_killed_is_replaced(forked: LocalSandbox) -> None:
    before = origin(forked)
    for pid in nodes():
        if stopped(pid):
            os.kill(pid, signal.SIGKILL)
    for _ in range(6):
        assert run(forked, "console.log(1)").stdout == b"1\n"
    warm(forked)
    assert origin(forked) != before


def test_warm_nodes_for_many_memory_limits_make_room_for_one_another(forked: LocalSandbox) -> None:
    for memory_mb in (64, 80, 96, 112, 128, 144):
        assert forked.run(script("console.log(1)", memory_mb=memory_mb)).processes[0].stdout == b"1\n"
    limits = [arguments[1] for pid, arguments in nodes().items() if "warm" in arguments and stopped(pid)]
    assert len(limits) <= 4


@pytest.mark.parametrize(
    "spoiled",
    [
        pytest.param("for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)", id="never gets ready"),
        pytest.param("process.reallyExit(1)", id="ends at once"),
        pytest.param("require('fs').readFileSync = () => 'wrong'", id="fails its trial"),
        pytest.param("require('net').createServer().listen(0)", id="holds what can't be made anew"),
    ],
)
def test_runs_go_on_without_a_warm_node_that_holds(monkeypatch: pytest.MonkeyPatch, spoiled: str) -> None:
    source = boot.node_source()
    monkeypatch.setattr(boot, "node_source", lambda: f"if (process.argv.at(-1) === 'warm') {{ {spoiled} }}\n{source}")
    with LocalSandbox(parallel=1) as sandbox:
        origins = []
        for _ in range(8):
            origins.append(origin(sandbox))
            time.sleep(0.05)
        assert len(set(origins)) == len(origins)


def altered_keeper(monkeypatch: pytest.MonkeyPatch, module: str, old: str, new: str) -> None:
    modules = boot._modules()
    name = f"verifleet.sandbox.keeper.{module}"
    assert old in modules["modules"][name]
    modules["modules"][name] = modules["modules"][name].replace(old, new)
    monkeypatch.setattr(boot, "_modules", lambda: modules)


NOT_YET = {  # what happens in the nursery of nodes instead of a start
    "no process is to be had": "raise BlockingIOError(11, 'no process is to be had')",
    "the process ends before it is ready": "memory_mb = 'none'",  # a limit that can't be set
}


@pytest.mark.parametrize("how", NOT_YET)
@pytest.mark.parametrize("times", [2, 100])
def test_a_node_that_does_not_start_is_started_again_some_times_and_then_is_no_verdict(
    monkeypatch: pytest.MonkeyPatch, how: str, times: int
) -> None:
    begins = 'assert role == "node"'
    counted = f"{begins}\n        self.asked = getattr(self, 'asked', 0) + 1\n        if self.asked <= {times}: {NOT_YET[how]}"
    altered_keeper(monkeypatch, "node_nursery", begins, counted)
    with LocalSandbox(parallel=1, warm_node=False) as sandbox:
        if times == 2:
            assert run(sandbox, "console.log(1)").stdout == b"1\n"
        else:
            with pytest.raises(SandboxUnavailableError, match="did not start, 3 times"):
                run(sandbox, "console.log(1)")


def test_a_node_that_hangs_at_its_start_is_no_verdict_and_no_timeout(monkeypatch: pytest.MonkeyPatch) -> None:
    altered_keeper(monkeypatch, "unit", "START_S = 10.0", "START_S = 0.3")
    source = boot.node_source()
    monkeypatch.setattr(
        boot, "node_source", lambda: f"for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)\n{source}"
    )
    with (
        LocalSandbox(parallel=1, warm_node=False) as sandbox,
        pytest.raises(SandboxUnavailableError, match="did not start"),
    ):
        sandbox.run(script("console.log(1)", wall_s=0.2))


@pytest.mark.parametrize(
    "ending",
    [
        pytest.param("process.abort()", id="aborts"),
        pytest.param("process.kill(process.pid, 'SIGKILL')", id="kills itself"),
        pytest.param("require('fs').closeSync(3); process.reallyExit(120)", id="closes the way to the keeper"),
        pytest.param("require('fs').writeSync(3, Buffer.alloc(64)); process.abort()", id="sends empty frames"),
        pytest.param(
            "require('fs').writeSync(2, 'uv_thread_create: Resource temporarily unavailable'); process.abort()",
            id="says what node says",
        ),
    ],
)
def test_a_program_can_not_make_its_end_look_like_a_failed_start(started: LocalSandbox, ending: str) -> None:
    process = run(started, f"console.log(1); {ending}")
    assert process.frames
    assert process.stdout == b"1\n"


def test_no_warm_node_outlives_its_sandbox() -> None:
    with LocalSandbox(parallel=1) as sandbox:
        before = set(nodes())
        run(sandbox, "console.log(1)")
        run(sandbox, "console.log(1)")
        during = set(nodes()) - before
        assert during
    deadline = time.monotonic() + 5
    while during & set(nodes()) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not during & set(nodes())
