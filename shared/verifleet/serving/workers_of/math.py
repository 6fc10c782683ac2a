"""The math verifier in a worker."""

from __future__ import annotations

from verifleet.serving.worker_judging import Within, rehearse_with
from verifleet.verification import BaseVerifier, WorkerPool


def math(workers: WorkerPool) -> BaseVerifier:
    """The math verifier."""
    from verifleet.verifiers.math import MathVerifier

    return MathVerifier(workers)


def rehearse() -> None:
    """Fill what is made on first use: patterns, tables, SymPy's own."""
    rehearse_with(math(Within()), [
        ("Solve x^2 - 5x + 6 = 0.", "x = 2 or x = 3", None),
        ("Evaluate $\\int_0^1 x^2 \\, dx$.", "\\boxed{\\frac13}", None),
        ("Evaluate $\\int_0^1 \\frac{1}{\\sqrt{x}} \\, dx$.", "\\boxed{2}", None),
        ("Find $\\lim_{x \\to 0} \\frac{\\sin x}{x}$.", "\\boxed{1}", None),
        ("What is it?", "So the area is \\boxed{\\frac{9}{4}\\pi \\text{ cm}^2}.", {"answer": "2.25\\pi"}),
        ("Simplify.", "The answer is $\\sin^2 x + \\cos^2 x$.", {"answer": ["(0, 1]", "\\sqrt{x^2 + 1}"]}),
    ])  # fmt: skip
