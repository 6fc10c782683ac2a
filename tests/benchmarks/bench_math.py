"""Verifications a second and latencies of the math verifier, beside Math-Verify on the same cases.

    python -m tests.benchmarks.bench_math [CASES.jsonl]

Rows of a file: {"prompt", "response", "reference": {"answer"}, "expected"}; without a file, cases
are generated. Math-Verify is installed into a virtual environment of its own under .verifleet/.
One process each; then ours on two cores.
"""

from __future__ import annotations

import json
import random
import statistics
import subprocess
import sys
import time
import venv
from fractions import Fraction
from pathlib import Path

from tests.benchmarks.figures import row
from verifleet.verification import VerificationRequest, parse_request
from verifleet.verifiers.math import MathVerifier

ENVIRONMENT = Path(".verifleet/bench-math-verify")
PEER = "math-verify"
REPEATS = 3

PEER_PROGRAM = r"""
import json, logging, sys, time
logging.disable(logging.CRITICAL)
from math_verify import parse, verify
cases = [json.loads(line) for line in sys.stdin]
def score(case):
    gold = case["reference"]["answer"]
    gold = gold if isinstance(gold, str) else gold[0]
    try:
        return float(verify(parse(f"${gold}$" if "$" not in gold else gold), parse(case["response"])))
    except Exception:
        return 0.0
for case in cases[:20]:
    score(case)
seconds, scores = [], []
for case in cases:
    started = time.perf_counter()
    scores.append(score(case))
    seconds.append(time.perf_counter() - started)
json.dump({"seconds": seconds, "scores": scores}, sys.stdout)
"""

FILLER = (
    "Let us work through this step by step. First note that $3 + 4 = 7$, so after the first step $12$ terms remain. ",
    "We start from the given data: the discriminant is $25$, its square root $5$, and by symmetry half of it counts. ",
    "Consider the case $n = 1$; by induction the pattern holds with ratio $\\frac{1}{2}$ for all larger $n$. ",
)
FRAMES = (
    "Therefore the answer is \\boxed{%s}.",
    "Hence, the final answer is $%s$.",
    "**Final Answer**\n\\[ \\boxed{%s} \\]",
    "<think>\nI checked it twice.\n</think>\n\nThe answer is $\\boxed{%s}$.",
)


def generated(count: int, seed: int = 1) -> list[dict[str, object]]:
    """Responses of the length and the kinds of answers that models give; half of them wrong."""
    rng = random.Random(seed)
    rows = []
    for _ in range(count):
        reference, same, different = rng.choice(KINDS)(rng)
        right = rng.random() < 0.5
        text = (
            "".join(rng.choices(FILLER, k=rng.randint(1, 8)))
            + "\n\n"
            + rng.choice(FRAMES) % (same if right else different)
        )
        rows.append(
            {
                "prompt": "Find the value.",
                "response": text,
                "reference": {"answer": reference},
                "expected": float(right),
            }
        )
    return rows


def _integer(rng: random.Random) -> tuple[str, str, str]:
    n = rng.randint(-5000, 5000)
    return str(n), rng.choice([str(n), f"{n:,}", f"x = {n}", f"{n}.0"]), str(n + rng.choice([-1, 1, 10]))


def _fraction(rng: random.Random) -> tuple[str, str, str]:
    value = Fraction(rng.randint(1, 99), rng.randint(2, 60))
    k = rng.randint(2, 5)
    latex = rf"\frac{{{value.numerator}}}{{{value.denominator}}}"
    return (
        latex,
        rng.choice([f"{value}", rf"\dfrac{{{value.numerator * k}}}{{{value.denominator * k}}}"]),
        f"{value + 1}",
    )


def _radical(rng: random.Random) -> tuple[str, str, str]:
    a, b = rng.randint(2, 9), rng.choice([2, 3, 5, 7])
    return rf"{a}\sqrt{{{b}}}", rf"\sqrt{{{a * a * b}}}", rf"{a + 1}\sqrt{{{b}}}"


def _polynomial(rng: random.Random) -> tuple[str, str, str]:
    a, b = rng.randint(1, 9), rng.randint(1, 9)
    return f"x^2 + {a + b}x + {a * b}", f"(x+{a})(x+{b})", f"x^2 + {a + b}x + {a * b + 1}"


def _interval(rng: random.Random) -> tuple[str, str, str]:
    a = rng.randint(-9, 9)
    return rf"({a}, \infty)", f"x > {a}", rf"[{a}, \infty)"


def _tuple(rng: random.Random) -> tuple[str, str, str]:
    a, b = rng.randint(-9, 9), rng.randint(10, 20)
    return f"({a}, {b})", rf"\left({a}, {b}\right)", f"({b}, {a})"


def _trigonometric(rng: random.Random) -> tuple[str, str, str]:
    k = rng.randint(2, 6)
    return rf"{k}\sin 2x", rf"{2 * k}\sin x\cos x", rf"{2 * k}\sin x"


KINDS = (_integer, _integer, _integer, _fraction, _fraction, _radical, _polynomial, _interval, _tuple, _trigonometric)


def peer_python() -> Path:
    """The interpreter of Math-Verify's own environment; installs it on first use."""
    python = ENVIRONMENT / "bin" / "python"
    if not (ENVIRONMENT / "installed").exists():
        venv.create(ENVIRONMENT, with_pip=True, clear=True)
        subprocess.run([python, "-m", "pip", "install", "-q", "--disable-pip-version-check", PEER], check=True)
        (ENVIRONMENT / "installed").touch()
    return python


def report(
    name: str, seconds: list[float], scores: list[float], expected: list[float], total: float | None = None
) -> float:
    """Print one line; returns verifications a second."""
    ordered = sorted(seconds)
    rate = len(seconds) / (total or sum(seconds))
    wrong = sum((score >= 0.5) != (want >= 0.5) for score, want in zip(scores, expected, strict=True))
    p50, p99 = statistics.median(ordered), ordered[min(len(ordered) - 1, int(len(ordered) * 0.99))]
    print(
        f"{name:24} {rate:9.0f}/s   p50 {p50 * 1e3:7.3f} ms   p99 {p99 * 1e3:7.2f} ms   max {ordered[-1] * 1e3:8.1f} ms"
        f"   accuracy {100 * (1 - wrong / len(expected)):6.2f} %"
    )
    return rate


def timed(verifier: MathVerifier, requests: list[VerificationRequest]) -> tuple[list[float], list[float]]:
    """Seconds and scores, one request after the other."""
    seconds, scores = [], []
    for request in requests:
        started = time.perf_counter()
        result = verifier.check(request)
        seconds.append(time.perf_counter() - started)
        scores.append(result.score or 0.0)
    return seconds, scores


def main() -> None:
    """Run the comparison."""
    if len(sys.argv) > 1:
        rows = [json.loads(line) for line in Path(sys.argv[1]).read_text(encoding="utf-8").splitlines()]
        rows = [row for row in rows if row.get("reference")]
    else:
        rows = generated(1_500)
    fields = ("prompt", "response", "reference")
    requests = [parse_request("math", {name: row[name] for name in fields}) for row in rows]
    expected = [float(row["expected"]) for row in rows]
    print(f"{len(rows)} cases, {sum(expected):.0f} of them right")

    verifier = MathVerifier()
    timed(verifier, requests[:20])
    seconds, scores = timed(verifier, requests)
    ours = report("verifleet, one process", seconds, scores, expected)
    verifier.check_batch(requests[:200])
    many = [
        request.model_copy(update={"response": request.response + " " * k})
        for k in range(REPEATS)
        for request in requests
    ]
    started = time.perf_counter()
    results = verifier.check_batch(many)
    total = time.perf_counter() - started
    report(
        "verifleet, two cores",
        [result.duration_ms / 1e3 for result in results],
        [result.score or 0.0 for result in results],
        expected * REPEATS,
        total,
    )
    lines = "\n".join(json.dumps(row) for row in rows)
    done = subprocess.run([peer_python(), "-c", PEER_PROGRAM], input=lines, capture_output=True, text=True, check=True)
    peer = json.loads(done.stdout)
    theirs = report("Math-Verify, one process", peer["seconds"], peer["scores"], expected)
    print(f"one process: {ours / theirs:.1f} times the rate of Math-Verify")
    row("math: generated answers, one process", ours, "verifications/s", against=theirs, of="Math-Verify", wanted=1)


if __name__ == "__main__":
    main()
