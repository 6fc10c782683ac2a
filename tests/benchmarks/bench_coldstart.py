"""Cold start: process start to the first `/health` answer, of each function and of a bare hello world, in one run.

Goal: no function takes more than 1.25 times as long as a functions-framework ASGI function that does nothing.
Run: python -m tests.benchmarks.bench_coldstart [rounds]
"""

import http.client
import statistics
import sys
import tempfile
import time
from pathlib import Path

from tests.benchmarks.figures import row
from tests.functions.processes import FUNCTIONS, ROOT, free_port, function_command, running

GOAL = 1.25
HELLO = """
import functions_framework.aio

@functions_framework.aio.http
async def hello(request):
    return "hello"
"""


def seconds_to_health(source: Path, target: str, folder: Path) -> float:
    """Start a function and ask until it answers 200."""
    port = free_port()
    started = time.perf_counter()
    with running(function_command(source, target, port), port, folder, PUBSUB_EMULATOR_HOST="127.0.0.1:1") as server:
        while server.process.poll() is None and time.perf_counter() - started < 60:
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
            try:
                connection.request("GET", "/health")
                if connection.getresponse().status == 200:
                    return time.perf_counter() - started
            except OSError:
                time.sleep(0.002)
            finally:
                connection.close()
        raise SystemExit(f"{target} did not start:\n{server.log.read_text()[-2000:]}")


def main() -> None:
    """Each start is compared with a bare one right before it, so that the machine's other work falls on both."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 9
    worst = 0.0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        hello = folder / "main.py"
        hello.write_text(HELLO)
        print(f"{'function':<20} {'bare ms':>8} {'ms':>6} {'ratio':>6}   (medians of {rounds} pairs)")
        for target in FUNCTIONS:
            source = ROOT / "functions" / target / "main.py"
            seconds_to_health(source, target, folder)  # fills the disk cache, writes byte code
            pairs = [
                (seconds_to_health(hello, "hello", folder), seconds_to_health(source, target, folder))
                for _ in range(rounds)
            ]
            bare, ours = (statistics.median(times) * 1000 for times in zip(*pairs, strict=True))
            ratio = statistics.median(mine / theirs for theirs, mine in pairs)
            worst = max(worst, ratio)
            print(f"{target:<20} {bare:8.0f} {ours:6.0f} {ratio:6.2f}", flush=True)
            row(f"cold start: {target}", ours, "ms", against=bare, of="bare function", wanted=GOAL, better="less")
    print(f"goal: at most {GOAL} for every function: {'reached' if worst <= GOAL else 'MISSED'}")
    raise SystemExit(worst > GOAL)


if __name__ == "__main__":
    main()
