# ruff: noqa: E501 - programs on one line
"""numpy offered to programs: right and wrong ones, hostile ones, and what is said where it is not offered."""

import os
import pickle
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.unit.sandbox.test_local import script
from verifleet.errors import SandboxUnavailableError, SettingsError
from verifleet.jobs.probe import OFFERED
from verifleet.sandbox import LocalSandbox
from verifleet.sandbox.guest import wire
from verifleet.sandbox.packages import OFFERABLE
from verifleet.settings import SETTINGS, allowed, load_settings
from verifleet.verification import VerificationResult, parse_request
from verifleet.verifiers.code import CodeVerifier
from verifleet.verifiers.code.foreign import FOREIGN

pytest.importorskip("numpy")
ROOT = Path(__file__).parents[3]
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the sandbox needs Linux")


@pytest.fixture(scope="module", params=["A", "B", "C"])
def sandbox(request: pytest.FixtureRequest) -> Iterator[LocalSandbox]:
    with LocalSandbox(ladder=(request.param,), packages=("numpy",), parallel=2) as sandbox:
        try:
            sandbox.rung  # noqa: B018 - starts it
        except SandboxUnavailableError as error:
            pytest.skip(str(error))
        yield sandbox


@pytest.fixture(scope="module")
def without() -> Iterator[LocalSandbox]:
    with LocalSandbox(parallel=2) as sandbox:
        yield sandbox


def check(sandbox: LocalSandbox, code: str, reference: Any, **options: Any) -> VerificationResult:
    raw = {"response": f"```python\nimport numpy as np\n{code}\n```", "reference": reference, "options": options}
    return CodeVerifier(sandbox).check(parse_request("code", raw))


def cases(*pairs: tuple[list[Any], Any]) -> dict[str, Any]:
    return {"entry_point": "f", "cases": [{"args": args, "expected": expected} for args, expected in pairs]}


def stdin(given: str, output: str) -> dict[str, Any]:
    return {"tests": [{"input": given, "output": output}] * 2}


def asserts(test_code: str) -> dict[str, Any]:
    return {"test_code": test_code}


NP = "import numpy as np\n"
# name: right program, wrong program, reference
PROGRAMS: dict[str, tuple[str, str, dict[str, Any]]] = {
    "an integer": ("def f(xs): return np.sum(xs)", "def f(xs): return np.max(xs)", cases(([[1, 2]], 3))),
    "a float": ("def f(xs): return np.mean(xs)", "def f(xs): return np.median(xs)", cases(([[1, 2, 6]], 3.0))),
    "a boolean": ("def f(xs): return np.all(xs)", "def f(xs): return np.int64(np.all(xs))", cases(([[1, 1]], True))),
    "a text": ("def f(x): return np.str_(x)", "def f(x): return np.bytes_(b'a')", cases((["a"], "a"))),
    "an array for a list": ("def f(x): return np.sort(x)", "def f(x): return np.sort(x)[::-1]", cases(([[2, 1]], [1, 2]))),
    "an array of one is no number": ("def f(x): return np.array(x)[0]", "def f(x): return np.array(x)", cases(([[3]], 3))),
    "a matrix": ("def f(x): return np.array(x).T", "def f(x): return np.array(x)", cases(([[[1, 2], [3, 4]]], [[1, 3], [2, 4]]))),
    "arrays in a dict": ("def f(x): return {'a': np.array(x), 'b': [np.int8(1)]}", "def f(x): return {'a': np.array(x), 'b': [np.int8(2)]}", cases(([[1]], {"a": [1], "b": [1]}))),
    "an array without dimensions": ("def f(x): return np.array(x)", "def f(x): return np.array(x + 1)", cases(([5], 5))),
    "an empty array": ("def f(): return np.array([])", "def f(): return np.zeros(1)", cases(([], []))),
    "not a number": ("def f(): return np.array([np.nan])", "def f(): return np.array([np.inf])", {"test_code": NP + "assert np.isnan(f()).all() and len(f()) == 1"}),
    "objects": ("def f(): return np.array([2**70, None, 'x'], dtype=object)", "def f(): return np.array([2**70, 0, 'x'], dtype=object)", cases(([], [2**70, None, "x"]))),
    "long doubles": ("def f(): return np.longdouble(0.5)", "def f(): return np.longdouble(0.25)", cases(([], 0.5))),
    "masked values are none": ("def f(): return np.ma.array([1, 2], mask=[0, 1])", "def f(): return np.ma.array([1, 2], mask=[1, 0])", cases(([], [1, None]))),
    "linear algebra": ("def f(a, b): return np.linalg.solve(a, b)", "def f(a, b): return np.linalg.inv(a)[0]", cases(([[[2, 0], [0, 4]], [2, 4]], [1, 1]))),
    "standard output": ("print(np.array(input().split(), int).cumsum())", "print(np.array(input().split(), int).cumprod())", stdin("1 2 3", "[1 3 6]")),
    "a function of the fast transform": ("print(int(np.fft.fft([1, 2, 3])[0].real))", "print(int(np.fft.fft([1, 2])[0].real))", stdin("", "6")),
    "asserts on numbers": ("def f(x): return np.int64(x + 1)", "def f(x): return np.int64(x)", asserts("assert f(1) == 2\nassert f(2) == 3")),
    "true is not numpy's true": ("def f(x): return bool(np.bool_(x))", "def f(x): return np.bool_(x)", asserts("assert f(1) is True")),
    "an integer of numpy is no int": ("def f(x): return int(np.int64(x))", "def f(x): return np.int64(x)", asserts("assert isinstance(f(1), int)")),
    "test program with arrays": ("def f(x): return x * 2", "def f(x): return x + 2", asserts(NP + "assert (f(np.array([1, 2])) == np.array([2, 4])).all()")),
    "nearly equal": ("def f(x): return np.sqrt(x)", "def f(x): return np.asarray(x)", asserts(NP + "assert np.allclose(f([2.0, 4.0]), [1.41421356, 2])")),
    "numpy.testing": ("def f(x): return np.array(x) / 3", "def f(x): return np.array(x) / 4", asserts(NP + "np.testing.assert_allclose(f([1, 2]), [1 / 3, 2 / 3])")),
    "type and shape": ("def f(): return np.zeros((2, 3), dtype=np.float32)", "def f(): return np.zeros((3, 2), dtype=np.float32)", asserts(NP + "r = f()\nassert isinstance(r, np.ndarray) and r.shape == (2, 3) and r.dtype == np.float32")),
    "scalars keep their type": ("def f(): return np.float32(1)", "def f(): return np.float64(1)", asserts(NP + "x = [1]\nassert type(f()) is np.float32 and x")),
    "changed in place": ("def f(a): a.sort()", "def f(a): np.sort(a)", asserts(NP + "a = np.array([3, 1, 2])\nf(a)\nassert a.tolist() == [1, 2, 3]")),
    "the same array given back": ("def f(a): return a", "def f(a): return a.copy()", asserts(NP + "a = np.arange(3)\nassert f(a) is a")),
    "times and texts in arrays": ("def f(): return np.array(['2020-01-01'], 'M8[D]'), np.array(['ab', 'c'])", "def f(): return np.array(['2020-01-02'], 'M8[D]'), np.array(['ab', 'c'])", asserts(NP + "d, t = f()\nassert d[0] == np.datetime64('2020-01-01') and list(t) == ['ab', 'c']")),
    "numpy by the solution's import": ("def f(): return np.eye(2)", "def f(): return np.ones((2, 2))", asserts("assert (f() == np.eye(2)).all()")),
    "a function of numpy passed in": ("def f(g): return g(np.array([0.0, 1.0]))", "def f(g): return np.cos([0.0, 1.0])", asserts(NP + "assert np.allclose(f(np.sin), np.sin([0.0, 1.0]))\nassert f(np.sum) == 1")),
    "types of numpy passed in and out": ("def f(t): return np.zeros(1, t), t", "def f(t): return np.zeros(1), float", asserts(NP + "a, t = f(np.int16)\nassert a.dtype == np.int16 and t is np.int16")),
    "errors of numpy": ("def f(a): return np.linalg.inv(a)", "def f(a):\n    raise ValueError('singular')", asserts("import pytest\n" + NP + "def test_f():\n    with pytest.raises(np.linalg.LinAlgError):\n        f(np.zeros((2, 2)))")),
    "seeded by the test program": ("def f(): return np.random.randint(0, 10**6)", "def f(): return 5", asserts(NP + "np.random.seed(7)\nwanted = np.random.randint(0, 10**6)\nnp.random.seed(7)\nassert f() == wanted")),
}  # fmt: skip


@pytest.mark.parametrize("name", PROGRAMS)
def test_right_programs_pass_and_wrong_ones_do_not(sandbox: LocalSandbox, name: str) -> None:
    right, wrong, reference = PROGRAMS[name]
    passed, failed = check(sandbox, right, reference), check(sandbox, wrong, reference)
    assert (passed.score, failed.score, failed.status) == (1.0, 0.0, "scored"), (passed.reason, failed.reason)


YES = "class Yes{base}:\n    __array_priority__ = 1e9\n    def __eq__(self, o): return True\n    __ne__ = __lt__ = __gt__ = __le__ = __ge__ = lambda s, o: True\n    def __array_ufunc__(self, *a, **k): return True\n    def __array_function__(self, *a, **k): return True\n    def __array__(self, *a, **k): return np.array([1, 2])\n    def all(self, *a, **k): return True\n    any = __bool__ = all\n    def __hash__(self): return 1\n    def __sub__(self, o): return 0\n    __rsub__ = __abs__ = __sub__\n"
FORGED = {
    "equal to everything": YES.format(base="") + "def f(x): return Yes()",
    "an array equal to everything": YES.format(base="(np.ndarray)") + "def f(x): return np.zeros(2).view(Yes)",
    "a number equal to everything": YES.format(base="(np.float64)") + "def f(x): return Yes(7)",
    "objects equal to everything": YES.format(base="")
    + "def f(x):\n    found = np.empty(2, dtype=object)\n    found[0], found[1] = Yes(), Yes()\n    return found",
    "patched comparison": "np.array_equal = np.allclose = np.all = lambda *a, **k: True\nnp.testing.assert_allclose = print\ndef f(x): return np.zeros(2)",
    "a dtype of its own": "def f(x): return np.zeros(2, dtype=[('a', int)])",
}
TESTS = {
    "cases": cases(([1], [1, 2])),
    "asserts": asserts("assert list(f(1)) == [1, 2]"),
    "elementwise": asserts(NP + "x = [1]\nassert (f(1) == np.array([1, 2])).all()"),
    "elementwise, turned": asserts(NP + "x = [1]\nassert (np.array([1, 2]) == f(1)).all()"),
    "difference": asserts(NP + "x = [1]\nassert (abs(np.array([1, 2]) - f(1)) < 1e-9).all()"),
    "allclose": asserts(NP + "x = [1]\nassert np.allclose(f(1), [1, 2])"),
    "array_equal": asserts(NP + "x = [1]\nassert np.array_equal(f(1), [1, 2])"),
    "testing": asserts(NP + "np.testing.assert_allclose(f(1), [1, 2])"),
    "unequal": asserts(NP + "assert not (f(1) != np.array([1, 2])).any()"),
}


@pytest.mark.parametrize("test", TESTS)
@pytest.mark.parametrize("name", FORGED)
def test_who_overloads_comparison_wins_nothing(sandbox: LocalSandbox, name: str, test: str) -> None:
    result = check(sandbox, FORGED[name], TESTS[test])
    assert (result.score, result.status) == (0.0, "scored"), result
    assert check(sandbox, "def f(x): return np.array([1, 2])", TESTS[test]).score == 1.0


HOSTILE = {
    "an allocation beyond the limit": ("x = np.ones(10**9)", "memory"),
    "many small allocations": ("x = []\nwhile True: x.append(np.ones(10**6))", "memory"),
    "a product that never ends": ("a = np.ones((900, 900))\nwhile True: a @ a", "timeout"),
    "an array file that is a pickle": ("import pickle, os\nclass P:\n    def __reduce__(self): return os.system, ('true',)\npickle.dump(P(), open('p.npy', 'wb'))\nprint(np.load('p.npy', allow_pickle=True) == 0)", "wrong_output"),
    "a file mapped from outside": ("print(np.fromfile('/etc/passwd', np.uint8).size)", "exception"),
    "a file written outside": ("np.save('/usr/lib/x.npy', [1])", "exception"),
    "numpy itself changed": ("open(np.__file__, 'a')", "exception"),
    "libraries through ctypeslib": ("libc = np.ctypeslib.load_library('libc.so.6', '/lib/x86_64-linux-gnu')\nprint(libc.fork() >= 0 or libc.unshare(0x10000000) == 0)", "wrong_output"),
    "memory behind an array": ("a = np.lib.stride_tricks.as_strided(np.zeros(1), (1 << 40,), (8,))\nprint(a[-1])", "killed"),
    "a crash in an extension": ("np.ctypeslib.as_array((__import__('ctypes').c_int * 1).from_address(8))[0]", "killed"),
    "a thread for every number": ("import threading, time\nfor _ in range(200): threading.Thread(target=time.sleep, args=(9,), daemon=True).start()", "exception"),
    "a package beside it": ("import pydantic", "exception"),
    "a package that is found by its folder": ("import sys, os\nsys.path.insert(0, os.path.dirname(os.path.dirname(np.__file__)))\nimport pydantic", "exception"),
    "a compiler": ("import numpy.f2py as f\nprint(f.compile('end', 'x', verbose=False))", "exception"),
}  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_programs_end_in_their_limits_and_get_nothing(sandbox: LocalSandbox, name: str) -> None:
    code, outcome = HOSTILE[name]
    limits = {"cpu_s": 0.5, "wall_s": 3, "memory_mb": 64}
    result = check(sandbox, code, {"tests": [{"input": "", "output": "True"}]}, limits=limits)
    assert (result.score, result.status) == (0.0, "scored"), result
    assert result.details["tests"][0]["outcome"] == outcome, result.details
    assert check(sandbox, "print(np.arange(4).sum())", stdin("", "6")).score == 1.0


def printed(sandbox: LocalSandbox, source: str) -> str:
    process = sandbox.run(script(source)).processes[0]
    assert process.exit == 0, process.stderr
    return process.stdout.decode().strip()


def test_linear_algebra_has_one_thread(sandbox: LocalSandbox) -> None:
    source = "import numpy as np, threading, time\na = np.ones((800, 800))\nw, c = time.monotonic(), time.process_time()\na @ a\nprint((time.process_time() - c) < 1.3 * (time.monotonic() - w) + 0.05)"
    assert printed(sandbox, source) == "True"
    threads = "import ctypes, glob, numpy as np, os\nfolder = os.path.dirname(np.__file__) + '.libs'\nfor path in glob.glob(folder + '/*openblas*'):\n    print(getattr(ctypes.CDLL(path), 'scipy_openblas_get_num_threads64_')())"
    assert set(printed(sandbox, threads).split()) <= {"1"}


def test_chance_repeats_itself_in_every_run_with_numpy_too(sandbox: LocalSandbox) -> None:
    source = "import numpy as np; print(np.random.rand(), np.random.default_rng().random())"
    first = printed(sandbox, source)
    assert printed(sandbox, source) == first
    sandbox.close()
    assert printed(sandbox, source) == first
    drawing = {"tests": [{"input": "", "output": str(first.split()[0])}] * 4}
    assert check(sandbox, "print(np.random.rand())", drawing).score == 1.0


def test_it_is_off_unless_it_is_asked_for_and_the_reason_says_how_to_ask(without: LocalSandbox) -> None:
    for reference in (
        cases(([[1]], 1)),
        stdin("1", "1"),
        asserts("assert f([1]) == 1"),
        asserts("x = [1]\nassert f(x) == 1"),
    ):
        result = check(without, "def f(x): return np.sum(x)", reference)
        assert (result.score, result.status, result.details["needs"]) == (0.0, "scored", "numpy")
        assert result.reason.startswith(
            "The program needs numpy, which is not offered here: VERIFLEET_SANDBOX_PACKAGES=numpy offers it"
        )
    lazily = "def f(x):\n    import numpy\n    return numpy.sum(x)"
    request = {"response": f"```python\n{lazily}\n```", "reference": asserts("x = [1]\nassert f(x) == 1")}
    assert CodeVerifier(without).check(parse_request("code", request)).details["needs"] == "numpy"


def test_other_known_packages_are_named_too_and_other_failures_are_not_taken_for_it(without: LocalSandbox) -> None:
    def said(code: str) -> tuple[str, Any]:
        request = {"response": f"```python\n{code}\n```", "reference": stdin("", "1")}
        result = CodeVerifier(without).check(parse_request("code", request))
        assert result.score == 0.0
        return result.reason, result.details.get("needs")

    reason, needs = said("import pandas")
    assert (needs, "The program needs pandas, which the sandbox does not have" in reason) == ("pandas", True)
    assert said("import nothing_known")[1] is None
    assert said("import json.nothing")[1] is None
    assert said("raise ValueError(\"No module named 'numpy'\")")[1] is None


def test_a_test_program_that_needs_numpy_is_an_error_that_says_how_to_have_it(without: LocalSandbox) -> None:
    request = {"response": "```python\ndef f(): return 1\n```", "reference": asserts(NP + "assert f() == np.int64(1)")}
    result = CodeVerifier(without).check(parse_request("code", request))
    assert (result.score, result.status) == (None, "error")
    assert "VERIFLEET_SANDBOX_PACKAGES=numpy" in result.reason


def test_a_program_that_does_without_is_not_told_of_it(without: LocalSandbox) -> None:
    code = "try:\n    import numpy\nexcept ImportError:\n    numpy = None\nprint(numpy is None)"
    request = {"response": f"```python\n{code}\n```", "reference": stdin("", "True")}
    result = CodeVerifier(without).check(parse_request("code", request))
    assert (result.score, "needs" in result.details) == (1.0, False)


BESIDE = """
import os, sys
import json
from verifleet.errors import SandboxUnavailableError
from verifleet.sandbox import Job, LocalSandbox
with LocalSandbox(ladder=sys.argv[1], packages=("numpy",), parallel=1) as sandbox:
    try:
        sandbox.rung
    except SandboxUnavailableError as error:
        sys.exit(f"skip: {error}")
    source = '''
import os, sys
import numpy as np
found, place = [float(np.ones(2).sum())], os.path.dirname(np.__path__[0])
for attempt in (lambda: __import__("other"), lambda: sys.path.append(place) or __import__("other"),
                lambda: os.listdir(place + "/other"), lambda: open(np.__file__, "a"), lambda: open(place + "/x.py", "w")):
    try:
        found.append(attempt())
    except (ImportError, OSError):
        pass
print(found)
'''
    job = Job("python", (json.dumps({"mode": "script", "source": source}).encode(),))
    print(sandbox.run(job).processes[0].stdout.decode())
"""


@pytest.fixture(scope="module")
def interpreter() -> Iterator[str]:
    """An interpreter that anybody can run and that has numpy, and another package, among its own packages."""
    if os.geteuid() != 0 or sys.base_prefix in ("/", "/usr"):
        pytest.skip("needs root and an interpreter with a folder of its own")
    import numpy

    def needless(_: str, names: list[str]) -> list[str]:
        return [name for name in names if name in ("test", "tests", "site-packages", "include", "share")]

    place = Path("/opt") / f"verifleet-numpy-{os.getpid()}"
    try:
        shutil.copytree(sys.base_prefix, place, symlinks=True, ignore=needless)
        packages = place / f"lib/python{sys.version_info[0]}.{sys.version_info[1]}" / "site-packages"
        for folder in (Path(numpy.__path__[0]), Path(numpy.__path__[0]).with_name("numpy.libs")):
            if folder.is_dir():
                shutil.copytree(folder, packages / folder.name, ignore=needless)
        (packages / "other").mkdir(parents=True)
        (packages / "other" / "__init__.py").touch()
        place.chmod(0o755)
        yield str(place / "bin" / Path(os.path.realpath(sys.executable)).name)
    finally:
        shutil.rmtree(place, ignore_errors=True)


@pytest.mark.parametrize("rung", ["A", "B", "C"])
def test_of_the_packages_beside_the_interpreter_numpy_alone_is_in_sight(interpreter: str, rung: str) -> None:
    environment = {"PYTHONPATH": str(ROOT / "shared"), "PATH": os.environ["PATH"]}
    done = subprocess.run([interpreter, "-c", BESIDE, rung], env=environment, capture_output=True, text=True)
    if done.stderr.startswith("skip: "):
        pytest.skip(done.stderr)
    assert done.stdout.strip() == "[2.0]", done.stderr


def test_only_what_is_on_the_list_can_be_offered(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(SandboxUnavailableError, match="pydantic can't be offered"):
        LocalSandbox(packages=("pydantic",)).run(script(""))
    with pytest.raises(SettingsError, match="sandbox_packages"):
        load_settings(sandbox_packages="pandas")
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(SandboxUnavailableError, match="not installed: pip install 'verifleet\\[numpy\\]'"):
        LocalSandbox(packages=("numpy",)).run(script(""))


def test_a_sandbox_keeps_its_packages_where_it_is_pickled() -> None:
    assert pickle.loads(pickle.dumps(LocalSandbox(packages=("numpy",))))._packages == ("numpy",)


def test_the_supervisor_takes_no_arrays_from_a_program() -> None:
    for forged in (
        b'{"array": ["<f8", [1], "AAAAAAAAAAA="]}',
        b'{"scalar": ["<f8", "AAAAAAAAAAA="]}',
        b'{"objects": [1, 1, 2]}',
    ):
        with pytest.raises(wire.WireError):
            wire.decode(forged)


def test_forged_arrays_are_no_arrays(sandbox: LocalSandbox) -> None:
    source = """
from verifleet.sandbox.guest import wire
good = ["<f8", [1], "AAAAAAAAAAA="]
assert wire.decode(wire.json.dumps({"array": good}).encode()).tolist() == [0.0]
for index, bad in [(0, "O"), (0, "|O8"), (0, "<f999999"), (0, "V8"), (0, [["a", "O"]]), (1, [1 << 40]), (1, [-5]), (1, ["x"]), (2, "A"), (2, 3), (1, [1] * 100)]:
    for forged in ({"array": [*good[:index], bad, *good[index + 1:]]}, {"scalar": [bad, bad]}, {"objects": [9, bad]}):
        try:
            wire.decode(wire.json.dumps(forged).encode())
        except wire.WireError:
            continue
        raise SystemExit(repr(forged))
print("refused")
"""
    assert printed(sandbox, source) == "refused"


def test_the_same_packages_are_known_everywhere() -> None:
    packages = set(allowed(SETTINGS["sandbox_packages"]).one_of)
    assert packages == set(OFFERABLE) == set(OFFERED) - {"cpp"}
    assert set(OFFERABLE) <= FOREIGN
    assert set(OFFERABLE) <= set(
        tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    )
    for place in ("infra", "infra/pipeline"):
        declared = (ROOT / place / "variables.tf").read_text().partition('variable "sandbox_packages"')[2]
        (listed,) = re.findall(r"contains\(\[(.*?)\], var\.sandbox_packages\)", declared)
        assert set(re.findall(r'"(\w+)"', listed)) == set(OFFERABLE)
    dockerfile = (ROOT / "infra" / "code_runner" / "Dockerfile").read_text()
    assert 'ARG SANDBOX_PACKAGES=""' in dockerfile
    for name in OFFERABLE:
        assert f"infra/code_runner/{name}.txt" in dockerfile
        assert (ROOT / "infra" / "code_runner" / f"{name}.txt").is_file()
