"""Repetitive and deep answers, of every operator and up to the length cap: never an error, never long."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from verifleet.errors import WorkerTimeoutError
from verifleet.verification import MathRequest, Options, VerificationRequest, parse_request
from verifleet.verifiers.math import MathVerifier
from verifleet.verifiers.math.algebra.evaluate import DIGITS, NotEvaluableError, precise_field
from verifleet.verifiers.math.tasks.checks import CPU_SECONDS, SharedTime
from verifleet.workers import ProcessWorkers

CPU_LIMIT_S = 3.0  # of this thread, on a slow machine; an ordinary one takes a tenth of it
LENGTH = 7_900

OPERANDS = (
    r"a b x n 1 2 -3 0.5 12 100 \pi e i x_1 A 1,000 9999999999 1e9 10:30 x=2 5! 1/2 (1,2) [0,1) |x| $5 f(x) x^2 (x+1) "
    r"\infty \{1,2\} \sqrt{2} \frac{1}{2} \binom{5}{2} \overline{3} \text{m} 90^\circ 50\% \mathbb{R}"
).split(" ")
OPERANDS += ["5 km/h", r"\int x dx", r"\sum_{k=1}^{9} k", r"\log_2 8", r"\begin{pmatrix}1&2\\3&4\end{pmatrix}"]
OPERATORS = (
    r"+ - * / ^ ! !! % = < > , ; : _ ' & | \\ \circ ^2 ^\circ \le \ne \in \approx \bmod \div \cdot \times \cap \cup "
    r"\setminus \pm \mp \vee \wedge \implies \to \ldots or and mod km/h to"
).split(" ")
OPERATORS.append("")
AROUND = [
    ("(", ")"), ("{", "}"), (r"\{", r"\}"), ("[", "]"), ("|", "|"), (r"\sqrt{", "}"), (r"\frac{", "}{2}"),
    (r"\frac{1}{", "}"), (r"\sin(", ")"), (r"\ln(", ")"), ("e^{", "}"), ("2^{", "}"), (r"\lfloor ", r"\rfloor "),
    (r"\text{", "}"), (r"\mathbf{", "}"), (r"\overline{", "}"), (r"\binom{9}{", "}"), ("max(", ",1)"), ("-", ""),
    (r"\int_0^1 ", " dx"), (r"\sum_{k=1}^{30} ", ""), (r"\prod_{k=1}^{9} ", ""), (r"\lim_{x\to 0} ", ""),
    (r"\frac{d}{dx} ", ""), ("", "^2"), ("", "!"), ("", "%"), ("", "^{1/2}"), (r"\begin{pmatrix}", r"\end{pmatrix}"),
]  # fmt: skip
PROMPTS = [
    "", "Solve $x^2-5x+6=0$.", "Differentiate $x^3$.", "Find the integral of $x^2$.", "Factor $x^2-1$.",
    "Solve $x^2<4$.", "Solve the system x+y=3, x-y=1.", "Simplify {}.", "Evaluate {}.", "Solve ${}=0$ for x.",
    "Compute \\int_0^1 {} dx.",
]  # fmt: skip


@pytest.fixture(scope="module")
def verifier() -> Iterator[MathVerifier]:
    workers = ProcessWorkers(preload=("verifleet.verifiers.math.algebra.symbolic",))
    yield MathVerifier(workers)
    workers.close()


def repetitive(rnd: random.Random) -> str:
    size = rnd.choice([60, 400, 1_500, LENGTH])
    if rnd.random() < 0.6:
        unit = "".join(f"{rnd.choice(OPERANDS)} {rnd.choice(OPERATORS)} " for _ in range(rnd.randint(1, 3)))
        return unit * max(1, size // len(unit)) + rnd.choice(OPERANDS)
    text = rnd.choice(OPERANDS)
    around = [rnd.choice(AROUND) for _ in range(rnd.randint(1, 3))]
    while len(text) < size:
        before, after = rnd.choice(around)
        text = before + text + after
    return text


def never_errs(
    verifier: MathVerifier, response: str, reference: str | None, prompt: str = "", partial: bool = False
) -> None:
    given = None if reference is None else {"answer": reference}
    raw = {"prompt": prompt, "response": response, "reference": given, "options": {"partial": partial}}
    started = time.thread_time()
    result = verifier.check(parse_request("math", raw))
    assert result.status != "error", (result.reason, prompt[:200], response[:200], reference and reference[:200])
    assert time.thread_time() - started < CPU_LIMIT_S, (prompt[:200], response[:200], reference and reference[:200])


@pytest.mark.parametrize("operator", OPERATORS)
def test_chains_of_every_operator_are_no_error(verifier: MathVerifier, operator: str) -> None:
    for first, last in (("a", "b"), ("5", ""), ("A", "A")):
        chain = f"{first} {operator} " * 300 + last
        for reference in ("42", "a/b", "5 km/h", chain + " + 0", None):
            never_errs(verifier, rf"\boxed{{{chain}}}", reference, "Simplify $a/b$." if reference is None else "")
    joined = "5" + operator * 1_500
    never_errs(verifier, rf"\boxed{{{joined}}}", "42")
    never_errs(verifier, rf"\boxed{{{joined}}}", None, "Solve $x^2-1=0$.")


@pytest.mark.parametrize("seed", range(6))
def test_random_repetitions_are_no_error(verifier: MathVerifier, seed: int) -> None:
    rnd = random.Random(seed)
    for _ in range(12):
        text = repetitive(rnd)
        response = rnd.choice([r"\boxed{%s}", "%s", "The answer is %s.", "$%s$", "#### %s"]).replace("%s", text)
        reference = rnd.choice(
            [None, "42", "x+1", "5 km/h", "(1,2)", repetitive(rnd)[:300], text + "+0", text + " " + text]
        )
        prompt = rnd.choice(PROMPTS).replace("{}", rnd.choice(["2+3", repetitive(rnd)[:300]]))
        never_errs(verifier, response, reference, prompt, partial=rnd.random() < 0.5)


@pytest.mark.parametrize(
    ("response", "reference"),
    [
        (r"\begin{pmatrix}1&2\\3&4\end{pmatrix} " * 60, r"\begin{pmatrix}1&2\\3&4\end{pmatrix}"),  # a product of 60
        (
            r"x! \times 9999999999 + " * 200 + "x!",
            r"x! \times 9999999999 + " * 200 + "2 x!",
        ),  # factorials to 1200 digits
        (r"\text{" * 1_100 + "5 km/h" + "}" * 1_100, "5 km/h"),
        ("5 km/h " * 150, "5"),
        ("a/" * 600 + "b", "x"),
        (r"\pm 1" * 900, r"\pm 1"),
    ],
)
def test_what_once_took_long_or_was_an_error_is_neither(verifier: MathVerifier, response: str, reference: str) -> None:
    never_errs(verifier, rf"\boxed{{{response}}}", reference)


def test_a_batch_shared_with_a_worker_has_no_error_for_deep_answers(verifier: MathVerifier) -> None:
    deep = "a/" * 600 + "b"
    requests = [
        MathRequest(response=rf"\boxed{{{deep}{number}}}", reference={"answer": "x"})
        for number in range(150)  # type: ignore[arg-type]
    ]
    assert {result.status for result in verifier.check_batch(requests)} == {"scored"}


def test_running_out_of_depth_or_memory_is_unknown_in_every_verifier() -> None:
    class Deep(MathVerifier):
        fault: type[Exception] = RecursionError

        def judge(self, request: MathRequest) -> None:  # type: ignore[override]
            raise self.fault

    verifier = Deep()
    for verifier.fault in (RecursionError, MemoryError):  # type: ignore[misc]
        result = verifier.check(VerificationRequest(response="1", reference={"answer": "1"}, options=Options()))
        assert (result.status, result.score) == ("unknown", 0.0)


def test_all_that_one_judgement_asks_of_computer_algebra_shares_its_time() -> None:
    granted = []

    class Pool:
        def call(self, function: object, *args: object, cpu_s: float = 1.0) -> tuple[None, float]:
            granted.append(cpu_s)
            return None, 0.4

    shared = SharedTime(Pool())  # type: ignore[arg-type]
    for _ in range(50):
        with suppress(WorkerTimeoutError):
            shared.call(Path, cpu_s=CPU_SECONDS)
    assert len(granted) < 5
    assert sum(min(seconds, 0.4) for seconds in granted) <= 2 * CPU_SECONDS


def test_functions_whose_single_value_takes_seconds_are_not_evaluated() -> None:
    field = precise_field(12 * DIGITS)
    with pytest.raises(NotEvaluableError):
        field.call("fact", field.rational(1) / 3)
