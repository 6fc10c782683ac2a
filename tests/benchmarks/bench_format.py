"""Format: the cost of a verdict on 1 kB of JSON by that of its parser, and rates of every format.

Goals: a verdict at most 1.3 times the same parser with the same strictness alone, and at most 2.5 times a bare
`json.loads`. Run: python -m tests.benchmarks.bench_format
"""

import json
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.benchmarks.figures import row
from tests.functions.processes import running_function
from verifleet.verification import FormatRequest, parse_request
from verifleet.verifiers.format import FormatVerifier

GOAL_STRICT = 1.3
GOAL_BARE = 2.5
ROUNDS = 300
CALLS = 40
SECONDS = 0.5
BATCH = 500

ITEMS = [{"sku": f"A{i}", "quantity": i, "price": i * 1.5, "note": "in stock, sold by the piece"} for i in range(10)]
JSON = json.dumps({"id": 7, "name": "Example", "tags": ["a", "b"], "items": ITEMS, "ok": True, "none": None})
SCHEMA = {
    "type": "object",
    "required": ["id", "items"],
    "properties": {
        "id": {"type": "integer"},
        "items": {"type": "array", "items": {"type": "object", "required": ["sku", "price"]}},
    },
}
YAML = "".join(f"- sku: A{i}\n  quantity: {i}\n  note: in stock\n" for i in range(25))
SOURCES: dict[str, tuple[dict[str, Any], str]] = {
    "json": ({"format": "json"}, JSON),
    "json_schema": ({"json_schema": SCHEMA}, JSON),
    "ndjson": ({"format": "ndjson"}, "\n".join(json.dumps(item) for item in ITEMS)),
    "xml": ({"format": "xml"}, "<items>" + "".join(f"<i sku='A{i}'>in stock</i>" for i in range(35)) + "</items>"),
    "csv": ({"format": "csv"}, "sku,quantity,note\n" + "".join(f'A{i},{i},"in, stock"\n' for i in range(55))),
    "yaml": ({"format": "yaml"}, YAML),
    "toml": ({"format": "toml"}, "".join(f"[item{i}]\nsku = 'A{i}'\nquantity = {i}\n" for i in range(25))),
    "html": ({"format": "html"}, "<ul>" + "<li>in <b>stock</b></li>" * 40 + "</ul>"),
    "markdown_table": ({"format": "markdown_table"}, "| a | b |\n|---|---|\n" + "| in | stock |\n" * 65),
    "email": ({"format": "email"}, "first.last@example.com"),
    "url": ({"format": "url"}, "https://example.com/a/b?c=d#e"),
    "date-time": ({"format": "date-time"}, "2024-02-29T10:00:00Z"),
    "regex": ({"format": "regex"}, r"^(?<year>\d{4})-\d{2}$"),
    "template": ({"template": "<think>{text}</think><answer>{text}</answer>"}, "<think>a</think><answer>b</answer>"),
    "python": ({"format": "python"}, "def f(x):\n    return [x, x + 1]\n\n" * 30),
    "javascript": ({"format": "javascript"}, "function f(x) { return [x, x + 1]; }\n" * 27),
    "sql": ({"format": "sql"}, "SELECT a, COUNT(*) FROM t WHERE b > 1 GROUP BY a;\n" * 20),
    "recursive schema": ({"json_schema": {"items": {"$ref": "#"}}}, "[[], [[]]]"),
}


def _no_constant(name: str) -> Any:
    raise ValueError(name)


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise ValueError("duplicate key")
    return members


def strict_loads(text: str) -> Any:
    """What a strict caller writes without us: duplicate keys, constants and lone surrogates refused."""
    text.encode()
    return json.loads(text, object_pairs_hook=_unique, parse_constant=_no_constant)


def microseconds(works: dict[str, Callable[[], object]]) -> dict[str, float]:
    """The CPU time of each, the best of many rounds taken in turn, so that other work on the machine counts less."""
    best = dict.fromkeys(works, float("inf"))
    for _ in range(ROUNDS):
        for name, work in works.items():
            started = time.thread_time()
            for _ in range(CALLS):
                work()
            best[name] = min(best[name], (time.thread_time() - started) / CALLS * 1e6)
    return best


def against_the_parser(verifier: FormatVerifier) -> bool:
    request = FormatRequest(response=JSON, reference={"format": "json"})
    cost = microseconds(
        {
            "bare json.loads": lambda: json.loads(JSON),
            "strict json.loads": lambda: strict_loads(JSON),
            "judge": lambda: verifier.judge(request),
            "check (whole result)": lambda: verifier.check(request),
        }
    )
    for name, value in cost.items():
        print(f"{name:>22}: {value:6.2f} µs for {len(JSON):,} characters")
    strict = cost["check (whole result)"] / cost["strict json.loads"]
    bare = cost["check (whole result)"] / cost["bare json.loads"]
    print(
        f"a verdict costs {strict:.2f} times the strict parser (goal {GOAL_STRICT}), {bare:.2f} the bare ({GOAL_BARE})"
    )
    names = {"strict": ("strict json.loads", GOAL_STRICT), "bare": ("bare json.loads", GOAL_BARE)}
    for peer, wanted in names.values():
        verdict = cost["check (whole result)"]
        row("format: 1 kB of JSON", verdict, "µs", against=cost[peer], of=peer, wanted=wanted, better="less")
    return strict <= GOAL_STRICT and bare <= GOAL_BARE


def in_process(verifier: FormatVerifier) -> None:
    print(f"\n{'format':>18}  {'characters':>10}  {'verdicts/s':>10}")
    for name, (reference, text) in SOURCES.items():
        request = parse_request("format", {"response": text, "reference": reference})
        if verifier.check(request).score != 1.0:
            raise SystemExit(f"the example for {name} is not accepted")
        done, started = 0, time.perf_counter()
        while time.perf_counter() - started < SECONDS:
            verifier.check(request)
            done += 1
        print(f"{name:>18}  {len(text):>10,}  {done / (time.perf_counter() - started):>10,.0f}", flush=True)


def over_http(folder: Path) -> None:
    requests = []
    for number in range(2_000):
        text = JSON[:-1] + f', "number": {number}' + ("}" if number % 3 else ",}")  # no two are equal, a third is wrong
        requests.append({"response": text, "reference": {"format": "json"}})
    bodies = [json.dumps({"requests": requests[i : i + BATCH]}).encode() for i in range(0, len(requests), BATCH)]
    with running_function("format_verifier", folder) as server:
        server.post("/verify/batch", bodies[0])
        started = time.perf_counter()
        for body in bodies:
            answer = server.post("/verify/batch", body)
            if answer.status != 200:
                raise SystemExit(f"/verify/batch answered {answer.status}: {answer.body[:300]!r}")
        seconds = time.perf_counter() - started
    print(
        f"\nover /verify/batch ({BATCH} at a time, one client, 1 kB of JSON): {len(requests) / seconds:,.0f} a second"
    )
    row("format over /verify/batch, 1 kB of JSON", len(requests) / seconds, "requests/s")


def main() -> None:
    """Print the rates; exit 1 where a goal is missed."""
    verifier = FormatVerifier()
    good = against_the_parser(verifier)
    in_process(verifier)
    verifier.close()
    with tempfile.TemporaryDirectory() as name:
        over_http(Path(name))
    print("goals:", "met" if good else "MISSED")
    sys.exit(not good)


if __name__ == "__main__":
    main()
