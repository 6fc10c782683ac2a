"""Knowledge: bases of 1e3, 1e5 and 1e6 facts, and the rate of judging in process and over `/verify/batch`.

Goals: open and first look-up under 10 ms in a fresh process; 50,000 exact look-ups a second at every size (none asked
twice, so nothing comes from a cache); little memory of its own (the file is mapped, not read). Rates are of CPU time;
`exact/wall` is by the clock, and decides on a quiet machine.
Run: python -m tests.benchmarks.bench_knowledge [facts ...]
"""

import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from tests.benchmarks import figures
from tests.functions.processes import ROOT, environment, running_function
from verifleet.knowledge_base import SqliteKnowledgeBase, open_knowledge_base
from verifleet.knowledge_base.build import SourceFact, build
from verifleet.verification import KnowledgeReference, KnowledgeRequest
from verifleet.verifiers.knowledge import KnowledgeVerifier

SIZES = (1_000, 100_000, 1_000_000)
GOAL_COLD_MS = 10.0
GOAL_LOOKUPS = 50_000
SECONDS = 2.0
ROUNDS = 5
NOUNS = "mayor founder architect sister teacher captain painter biographer successor rival".split()
PLACES = "harbour library bridge garden tower museum station theatre chapel lighthouse".split()


def question(number: int) -> str:
    """A made-up question, different for each number."""
    noun, place = NOUNS[number % 10], PLACES[number // 10 % 10]
    return f"who was the {noun} of the {place} number {number // 100} in volume {number % 7}"


def facts(count: int) -> Iterator[SourceFact]:
    for number in range(count):
        yield SourceFact(question(number), KnowledgeReference(answer=f"person {number}"), f"fact {number}")


def rate(work: Callable[[int], object], limit: int) -> float:
    """Calls a second of CPU time; the best of a few rounds, so that other work on the machine counts less."""
    return rates(work, limit)[0]


def rates(work: Callable[[int], object], limit: int) -> tuple[float, float]:
    """Calls a second of CPU time and by the clock, each of the best round."""
    best, by_clock = 0.0, 0.0
    share = max(1, limit // ROUNDS)
    for turn in range(ROUNDS):
        done, started, began = 0, time.process_time(), time.perf_counter()
        while done < share and time.process_time() - started < SECONDS / ROUNDS:
            work(turn * share + done)
            done += 1
        best = max(best, done / (time.process_time() - started))
        by_clock = max(by_clock, done / (time.perf_counter() - began))
    return best, by_clock


def is_quiet() -> bool:
    """Whether other work leaves this process a core of its own."""
    return os.getloadavg()[0] < (os.cpu_count() or 1)


def memory_kb(kind: str) -> int:
    status = Path("/proc/self/status").read_text()
    return int(next(line.split()[1] for line in status.splitlines() if line.startswith(kind)))


def measure(path: Path, count: int) -> dict[str, float]:
    """Run in a fresh process: what is imported is there, the base is not."""
    order = random.Random(7).sample(range(count), min(count, 200_000))
    asked = [question(number) for number in order]
    before = memory_kb("RssAnon")
    started = time.perf_counter()
    base = SqliteKnowledgeBase(path)
    base.lookup(question(count // 2))
    cold = (time.perf_counter() - started) * 1000.0
    exact, by_clock = rates(lambda i: base.lookup(asked[i]), len(asked))
    memory = memory_kb("RssAnon") - before
    paraphrased = rate(lambda i: base.lookup(f"Please tell me {asked[i]}?"), len(asked))
    misspelt = rate(lambda i: base.lookup(asked[i].replace("volume", "voulme")), len(asked))
    missed = rate(lambda i: base.lookup(f"why is the {PLACES[i % 10]} number {i} closed"), len(asked))
    values = {"cold_ms": cold, "exact": exact, "by_clock": by_clock, "memory_kb": memory}
    return values | {"paraphrased": paraphrased, "misspelt": misspelt, "missed": missed}


def measured(path: Path, count: int) -> dict[str, float]:
    """Medians of a few fresh processes."""
    command = [sys.executable, "-m", "tests.benchmarks.bench_knowledge", "--measure", str(path), str(count)]
    variables = environment(path.parent) | {"PYTHONPATH": f"{ROOT / 'shared'}:{ROOT}"}
    runs = []
    for _ in range(3):
        done = subprocess.run(command, capture_output=True, text=True, check=True, env=variables, cwd=ROOT)
        runs.append(json.loads(done.stdout))
    return {key: statistics.median(run[key] for run in runs) for key in runs[0]}


def bases(sizes: tuple[int, ...], folder: Path) -> bool:
    columns = "facts build/s size_MB cold_ms exact/wall exact/s paraphrased/s misspelt/s missed/s memory_MB".split()
    print("  ".join(f"{c:>13}" for c in columns))
    good = True
    for count in sizes:
        path = folder / f"{count}.db"
        started = time.process_time()
        report = build(facts(count), path)
        build_rate = count / (time.process_time() - started)
        values = measured(path, count)
        cells = [
            f"{count:,}",
            f"{build_rate:,.0f}",
            f"{report.size_bytes / 1e6:.1f}",
            f"{values['cold_ms']:.2f}",
            *(f"{values[key]:,.0f}" for key in ("by_clock", "exact", "paraphrased", "misspelt", "missed")),
            f"{values['memory_kb'] / 1024:.1f}",
        ]
        print("  ".join(f"{c:>13}" for c in cells), flush=True)
        looked = f"knowledge: exact look-ups, {count:,} facts"
        figures.row(looked, values["exact"], "a CPU second", against=GOAL_LOOKUPS, of="goal", wanted=1)
        cold = {"against": GOAL_COLD_MS, "of": "goal", "wanted": 1, "better": "less"}
        figures.row(f"knowledge: opened and asked, {count:,} facts", values["cold_ms"], "ms", **cold)
        exact = values["by_clock"] if is_quiet() else values["exact"]
        good = good and values["cold_ms"] < GOAL_COLD_MS and exact >= GOAL_LOOKUPS
        path.unlink()
    return good


def requests(count: int) -> list[KnowledgeRequest]:
    """Answers to questions of the general base, right and wrong, short and explained; no two are equal."""
    shapes = (
        "{0}",
        "The answer is {0}.",
        "It is not {0}, as far as I know (see volume {1}).",
        "<think>Let me recall chapter {1}.</think><answer>{0}</answer>",
        "This is well documented. The answer to the question is {0}, which is found in volume {1} of the records.",
    )
    held = list(open_knowledge_base())
    made = []
    for i in range(count):
        fact = held[i % len(held)]
        answer = held[(i * 7 + 1) % len(held)].reference.answer if i % 3 == 0 else fact.reference.answer
        made.append(KnowledgeRequest(prompt=fact.question, response=shapes[i % len(shapes)].format(answer, i)))
    return made


def judging(folder: Path) -> None:
    asked = requests(5_000)
    verifier = KnowledgeVerifier(open_knowledge_base())
    print(f"judging in process: {rate(lambda i: verifier.check(asked[i]), len(asked)):,.0f} a CPU second")
    with running_function("knowledge_verifier", folder) as server:
        batches = [asked[i : i + 500] for i in range(0, len(asked), 500)]
        bodies = [
            json.dumps({"requests": [{"prompt": r.prompt, "response": r.response} for r in batch]}).encode()
            for batch in batches
        ]
        server.post("/verify/batch", bodies[0])
        started = time.perf_counter()
        for body in bodies:
            answer = server.post("/verify/batch", body)
            if answer.status != 200:
                raise SystemExit(f"/verify/batch answered {answer.status}: {answer.body[:300]!r}")
        seconds = time.perf_counter() - started
    print(f"over /verify/batch (500 at a time, one client): {len(asked) / seconds:,.0f} a second")
    figures.row("knowledge over /verify/batch", len(asked) / seconds, "requests/s")


def main() -> None:
    """Print the table; exit 1 where a goal is missed."""
    if sys.argv[1:2] == ["--measure"]:
        print(json.dumps(measure(Path(sys.argv[2]), int(sys.argv[3]))))
        return
    sizes = tuple(int(a) for a in sys.argv[1:]) or SIZES
    with tempfile.TemporaryDirectory() as name:
        good = bases(sizes, Path(name))
        judging(Path(name))
    print(
        f"goals: cold start under {GOAL_COLD_MS:.0f} ms, {GOAL_LOOKUPS:,} exact look-ups a second:",
        "met" if good else "MISSED",
    )
    sys.exit(not good)


if __name__ == "__main__":
    main()
