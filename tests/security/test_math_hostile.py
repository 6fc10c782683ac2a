"""Hostile answers: none runs long, executes anything, breaks the verifier, or passes."""

import resource
import time
from collections.abc import Iterator

import pytest

from verifleet.verification import parse_request
from verifleet.verifiers.math import MathVerifier
from verifleet.workers import ProcessWorkers

CPU_LIMIT_S = 2.5  # of this thread; an ordinary machine takes a fifth of it, workers have their own, enforced limit
WALL_LIMIT_S = 20.0  # a crowded machine is slow, a hang is for ever
MEMORY_LIMIT_KB = 100 * 1024

CODE = [
    "__import__('os').system('touch {canary}')",
    "eval(\"open('{canary}','w')\")",
    "exec('import os')",
    "().__class__.__bases__[0].__subclasses__()",
    "Symbol('x').__class__.__mro__",
    "lambda: open('{canary}', 'w')",
    "[x for x in ().__class__.__base__.__subclasses__()]",
    "open('{canary}','w').write('x')",
    "os.system('touch {canary}')",
    'f\'{{open("{canary}","w")}}\'',
    "\\input{{/etc/passwd}}",
    "\\write18{{touch {canary}}}",
    "\\immediate\\write18{{id}}",
    "\\def\\a{{\\a\\a}}\\a",
    "\\newcommand{{\\x}}{{\\x\\x}}\\x",
    "sympify('2')",
    "parse_expr('1')",
    "{{{{7*7}}}}",
    "${{7*7}}",
    "`id`",
    "$(id)",
    "'; DROP TABLE answers; --",
]

LARGE = [
    "9^{9^{9^{9^{9}}}}",
    "9**9**9**9",
    "2^{2^{2^{2^{2^{2^{2}}}}}}",
    "10^{10^{10^{10}}}",
    "(10^{1000})^{1000}",
    "((((2^{999})^{999})^{999})^{999})^{999}",
    "10^{100000000}",
    "2^{-10^{18}}",
    "99999999!",
    "(10^9)!",
    "((10!)!)!",
    "100000!!",
    "5!!!!!!!!!!!!!!!!!!!!",
    "\\binom{10^9}{5\\cdot 10^8}",
    "\\binom{10^{18}}{10^9}",
    "\\sum_{k=1}^{10^{12}} k",
    "\\sum_{k=1}^{10^{12}} \\frac{1}{k!}",
    "\\prod_{k=1}^{10^{9}} k",
    "\\sum_{i=1}^{2000}\\sum_{j=1}^{2000}\\sum_{k=1}^{2000} ijk",
    "\\sum_{k=1}^{\\infty} \\frac{\\sin(k!)}{k}",
    "e^{e^{e^{e^{e^{e}}}}}",
    "\\exp(\\exp(\\exp(\\exp(100))))",
    "\\sin(10^{10^{10}})",
    "\\sin(e^{e^{e^{10}}})",
    "\\tan(10^{100000})",
    "\\gamma(10^{100})",
    "\\Gamma(10^{30})!",
    "\\ln(\\ln(\\ln(10^{10^{10}})))",
    "\\sqrt[10^{9}]{2}",
    "\\sqrt[10^{-9}]{2}",
    "1.0000000001^{10^{15}}",
    "(1+10^{-9})^{10^{18}}",
    "\\lfloor 10^{10^{9}} \\rfloor",
    "7^{10^{20}} \\bmod 10^{20}",
    "\\gcd(10^{5000}, 6^{5000})",
    "1e999999999",
    "1e-999999999",
    "0.\\overline{" + "9" * 3000 + "}",
    "(x+1)^{100000}",
    "(a+b+c+d+e+f+g+h)^{60}",
    "(x+y+z)^{1000000}",
    "\\prod_{k=1}^{60} (x+k)",
    "\\det\\begin{pmatrix}1&2\\\\3&4\\end{pmatrix}^{999999}",
    "x^{x^{x^{x^{x^{x^{x^{x}}}}}}}",
    "\\int_0^1 \\int_0^1 \\int_0^1 e^{xyz} dx dy dz",
    "\\int_0^\\infty \\sin(e^{x^2}) \\, dx",
    "\\int \\frac{1}{x^{99}+x+1} \\, dx",
    "\\int_0^1 \\frac{1}{x^{50} + \\sin(x^{70}) + e^{\\cos x}} \\, dx",
    "\\lim_{x \\to 0} \\frac{\\sin(\\sin(\\sin(\\sin x))) - \\tan(\\tan(\\tan x))}{x^{97}}",
    "\\lim_{n \\to \\infty} \\left(\\frac{n!}{n^n}\\right)^{1/n^{n}}",
]

MALFORMED = [
    "(" * 1_000_000,
    ")" * 100_000,
    "{" * 100_000,
    "[" * 50_000 + "]" * 50_000,
    "\\frac{1}{" * 5_000 + "1" + "}" * 5_000,
    "\\frac{1}{1+" * 60 + "1" + "}" * 60,
    "\\sqrt{" * 20_000,
    "\\boxed{" * 20_000,
    "\\boxed{" * 3_000 + "1" + "}" * 3_000,
    "\\text{" * 10_000 + "1" + "}" * 10_000,
    "\\left(" * 10_000,
    "|" * 20_000,
    "||||||||||||||||||||||||||||||1" * 50,
    "-" * 50_000 + "1",
    "+-" * 20_000 + "1",
    "1" * 1_000_000,
    "1" * 7_900,
    "0." + "0" * 7_000 + "1",
    "1+" * 3_900 + "1",
    "1," * 3_900 + "1",
    "x^" * 3_000 + "x",
    "x_" * 3_000 + "x",
    "x_{" * 3_000 + "}" * 3_000,
    "x!" * 3_000,
    "x'" * 3_000,
    "\\pm 1 " * 500,
    "\\pm " * 30 + "1",
    "1 \\pm 2 " * 40,
    "\\cup [0,1]" * 500,
    "(0,1)" + " \\cup (0,1)" * 600,
    "x>1 \\text{ or } " * 400 + "x>1",
    "\\{" * 3_000 + "\\}" * 3_000,
    "\\begin{pmatrix}" * 500,
    "\\begin{pmatrix}" + "1 & " * 3_000 + "1\\end{pmatrix}",
    "\\begin{pmatrix}" + "1 \\\\ " * 1_500 + "\\end{pmatrix}",
    "\\begin{array}{" + "c" * 7_000,
    "\\begin{vmatrix}" + ("1&" * 30 + "1\\\\") * 31 + "\\end{vmatrix}",
    "\\sin " * 2_000 + "x",
    "\\log_{" * 500 + "2" + "}" * 500 + "3",
    "\\sum_{k=1}^{" * 40,
    "\\int " * 1_000,
    "\\int_0^1 " * 200 + "dx" * 200,
    "\\lim_{x \\to " * 300,
    "\\frac" * 3_000,
    "\\frac{d}{dx}" * 300 + "x",
    "\\frac{d^9}{dx^9} \\sin(\\cos(\\tan(x^x)))",
    "\\overline{" * 1_000 + "1" + "}" * 1_000,
    "$" * 100_000,
    "8}" + "\n" * 20_000 + "{",
    "$$" + "\\[" * 30_000,
    "\\" * 100_000,
    "&" * 50_000,
    "1:" * 3_000 + "1",
    "1%" * 3_000,
    "5^\\circ" * 1_000,
    "3 cm " * 1_500,
    "km / " * 1_500 + "h",
    "a.m. " * 1_500,
    "A. " * 2_500,
    "not " * 5_000 + "\\boxed{7}",
    "is " * 100_000 + "7",
    "the answer is " * 50_000 + "7",
    "Wait, " * 20_000 + "\\boxed{8}",
    "\\boxed{8} or " * 5_000 + "\\boxed{9}",
    "\\boxed{8}" * 20_000,
    "```" * 30_001,
    "<think>" * 20_000,
    "</think>" * 20_000 + "8",
    "<answer>" * 20_000,
    "#### " * 20_000,
    "=" * 50_000,
    "x=" * 3_900 + "8",
    "," * 50_000,
    ". " * 50_000 + "8",
    "8 " * 50_000,
    "12,345" * 1_300,
    "1 000 " * 1_300,
    "\n" * 200_000 + "8",
    " " * 500_000 + "8",
    "\t\r\n\x0b\x0c" * 20_000,
    "a" * 200_000,
    "é" * 200_000,
    "ans" * 50_000,
    "{\\bf " * 1_000,
    "\\left.\\right|" * 1_000,
    "\\not" * 1_000,
    "\\color{" * 1_000,
    "\\hspace{" * 1_000,
    "If the answer is " * 5_000 + "7",
    "You might think the answer is 8. " * 3_000,
    "#### Step 1: 8\n" * 5_000,
    "####" + " " * 50_000,
    "not 8 but " * 5_000 + "8",
    "1 234 " * 1_300 + "5",
    "8" + ", \\quad" * 1_000 + "k \\in",
    "8" + "\\ ~" * 2_000 + "(k \\in \\mathbb{Z}",
    "8 million" * 800,
    "\\mathbf{i}" * 1_500,
    "\\begin{cases} 1, & \\text{if } " * 200,
]

UNICODE = [
    "答案是" * 20_000,
    "答案不是" * 20_000 + "8",
    "ответ не " * 10_000 + "8",
    "nicht " * 10_000 + "8",
    "la respuesta es " * 10_000,
    "или " * 20_000,
    "个" * 100_000,
    "8 " + "个 " * 3_000,
    "🎉 " * 5_000 + "8",
    "8" + " " * 7_000 + "🎉",
    "😀" * 7_900,
    "８" * 7_000,
    "\x00",
    "7\x00",
    "\ud800",
    "\udfff7\ud800",
    "\u202e7\u202c",
    "\u200b" * 10_000 + "8",
    "٧" + "1",
    "７" + "1",
    "𝟕1",
    "Ⅶ1",
    "⁷1",
    "₇",
    "½" * 3_000,
    "²" * 3_000,
    "∞" * 3_000,
    "√" * 3_000 + "2",
    "∫" * 2_000,
    "π" * 4_000,
    "−" * 4_000 + "1",
    "\ufeff8",
    "7\u0301",
    "𝓍" * 2_000,
    "🦉" * 20_000,
    "ﷺ" * 2_000,
    "\u2028".join("8" * 100),
    "x\u20d7",
]

HOSTILE = [text.format(canary="{canary}") for text in CODE] + LARGE + MALFORMED + UNICODE


@pytest.fixture(scope="module")
def verifier() -> Iterator[MathVerifier]:
    workers = ProcessWorkers(preload=("verifleet.verifiers.math.algebra.symbolic",))
    verifier = MathVerifier(workers)
    ask(verifier, "Evaluate $\\int_0^1 x \\, dx$.", "\\boxed{\\frac12}", None)  # everything is started and imported
    yield verifier
    workers.close()


def ask(verifier: MathVerifier, prompt: str, response: str, reference: str | None) -> float | None:
    raw = {"prompt": prompt, "response": response}
    if reference is not None:
        raw["reference"] = {"answer": reference}  # type: ignore[assignment]
    result = verifier.check(parse_request("math", raw))
    assert result.status != "error", result.reason
    result.model_dump()
    return result.score


def memory_kb() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def test_there_are_many_of_them() -> None:
    assert len(set(HOSTILE)) >= 150


@pytest.mark.parametrize("prompt", ["", "Compute {}.", "Solve for x: {} = 7"])
def test_hostile_answers_and_prompts_are_judged_quickly_and_never_accepted(verifier: MathVerifier, prompt: str) -> None:
    before = memory_kb()
    for text in HOSTILE:
        cpu, wall = time.thread_time(), time.monotonic()
        if prompt:
            score = ask(verifier, prompt.replace("{}", text), "\\boxed{12345677654}", None)
        else:
            score = ask(verifier, "", text if "\\boxed" in text else f"\\boxed{{{text}}}", "7")
        assert score == 0.0, text[:80]
        assert time.thread_time() - cpu < CPU_LIMIT_S, text[:80]
        assert time.monotonic() - wall < WALL_LIMIT_S, text[:80]
        assert ask(verifier, "", "\\boxed{7}", "7") == 1.0
    assert memory_kb() - before < MEMORY_LIMIT_KB


def test_hostile_references_never_match_and_never_break(verifier: MathVerifier) -> None:
    for text in HOSTILE:
        cpu = time.thread_time()
        assert ask(verifier, "", "\\boxed{12345677654}", text) == 0.0, text[:80]
        assert time.thread_time() - cpu < CPU_LIMIT_S, text[:80]


def test_hostile_text_without_a_box_is_judged_quickly(verifier: MathVerifier) -> None:
    for text in HOSTILE:
        cpu = time.thread_time()
        ask(verifier, "What is it?", text, "71")
        assert time.thread_time() - cpu < CPU_LIMIT_S, text[:80]


def test_nothing_is_executed(verifier: MathVerifier, tmp_path_factory: pytest.TempPathFactory) -> None:
    canary = tmp_path_factory.mktemp("canary") / "touched"
    for template in CODE:
        text = template.format(canary=canary)
        for prompt, reference in (("", "7"), (f"Compute {text}", None), (f"Solve for x: {text} = x", None)):
            ask(verifier, prompt, f"\\boxed{{{text}}}", reference)
            ask(verifier, prompt, text, reference)
    assert not canary.exists()
