"""Scale on paper: what 10^3 to 10^6 verifications a second need, what they wait and cost, and what gives way first.

    python -m tools.simulate_scale [--rates 1000 10000 100000 1000000] [--mix math=0.6,code=0.2,...]

Requests arrive at random (Poisson) and are spread at random over instances, so that each instance sees a Poisson
stream of its own; one instance of each verifier, and one runner task, are simulated request by request with measured
CPU seconds (tools/measured_cpu.json) and stand for all the others. Service times vary as an exponential does, which
is more than the measured ones do; a batch is served as one request. The network's time is not in it.
"""

from __future__ import annotations

import argparse
import heapq
import math
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from tools.cost_model import BUSY, MILLION, CostModel
from tools.cost_model import IN_A_BATCH as BATCH

RATES = (1_000, 10_000, 100_000, 1_000_000)
MIX = {"math": 0.6, "code": 0.2, "knowledge": 0.1, "format": 0.1}
SIMULATED = 20_000
INSTANCE_CPUS = {"math": 2, "format": 2, "knowledge": 1, "code": 1}
RUNNER_CPUS = 4


@dataclass(frozen=True)
class Quota:
    """A limit of the platform, as far as it is known; to be checked for one's own project and region."""

    name: str
    limit: float
    unit: str
    note: str
    remedy: str


DIRECT_VPC = Quota(
    "Direct VPC egress",
    200,
    "runner tasks of a region",
    "documented as 100 to 200 by region, can be raised",
    "ask for more, use bigger tasks (`runner.cpu`), then a second region with a runner of its own",
)
INSTANCES = Quota(
    "instances of one service",
    1_000,
    "instances",
    "depends on region, CPU and memory, can be raised",
    "send batches, ask for more, use bigger instances, then a second region behind a load balancer",
)
PUSH = Quota(
    "Pub/Sub push throughput",
    140e6,
    "bytes a second of a region",
    "default of large regions, can be raised",
    "ask for more; a second region. It is the watchdog's copies and the results of programs that are pushed",
)
PUBLISH = Quota(
    "Pub/Sub publish throughput",
    4e9,
    "bytes a second of a region",
    "default of large regions, can be raised",
    "ask for more; a second region",
)
WRITES = Quota(
    "Firestore writes",
    100_000,
    "documents a second of a database",
    "no limit is published; a planning figure, to be reached by half more every five minutes",
    "a second database or region",
)
TASKS = Quota("tasks of one execution", 10_000, "runner tasks", "documented", "a second region")


@dataclass(frozen=True)
class Row:
    """What one verifier needs at its share of a rate."""

    verifier: str
    rate: float
    instances: int
    tasks: int
    p50_ms: float
    p99_ms: float
    usd_hour: float
    loads: Sequence[tuple[Quota, float]]
    """Each quota that counts, with the share of it that is used, the fullest first."""


def latency(rate: float, service_s: float, servers: int, seed: int = 1, count: int = SIMULATED) -> Sequence[float]:
    """Sorted seconds from arrival to answer at one instance: Poisson arrivals, `servers` CPUs, first come first served.

    Raises ValueError when the instance can't keep up.
    """
    if rate * service_s >= servers:
        raise ValueError(f"{rate:g} a second of {service_s:g} s are too many for {servers} CPUs")
    dice = random.Random(seed)
    free_at = [0.0] * servers
    now, found = 0.0, []
    for _ in range(count):
        now += dice.expovariate(rate)
        start = max(now, heapq.heappop(free_at))
        end = start + dice.expovariate(1 / service_s)
        heapq.heappush(free_at, end)
        found.append(end - now)
    return sorted(found)


def needed(rate: float, service_s: float, cpus: int) -> int:
    """Instances that are kept no busier than BUSY."""
    return max(1, math.ceil(rate * service_s / (cpus * BUSY)))


def quantile(times: Sequence[float], share: float) -> float:
    """Milliseconds."""
    return times[min(len(times) - 1, int(share * len(times)))] * 1000


def row(name: str, rate: float, model: CostModel, *, batches: bool) -> Row:
    """Simulate one verifier at its own rate."""
    cpu = model.cpu["verifiers"][name]
    service_s, requests = (cpu["batch"] * BATCH, rate / BATCH) if batches else (cpu["single"], rate)
    cpus = INSTANCE_CPUS[name]
    instances = needed(requests, service_s, cpus)
    times = latency(requests / instances, service_s, cpus)
    tasks = 0
    loads = [(INSTANCES, float(instances))]
    if name == "code":
        runner_s = model.cpu["code_runner"]
        tasks = needed(rate, runner_s, RUNNER_CPUS)
        behind = latency(rate / tasks, runner_s, RUNNER_CPUS, seed=2)
        times = sorted(one + other for one, other in zip(_shuffled(times), behind, strict=True))
        operations = model.cpu["store_operations"]["code_verifier"]
        loads += [
            (DIRECT_VPC, float(tasks)),
            (TASKS, float(tasks)),
            (WRITES, rate * operations["writes"]),
            (PUBLISH, rate * 4_000),
            # The watchdog's copy of the request, and the result.
            (PUSH, rate * 4_000),
        ]
    filled = sorted(((quota, load / quota.limit) for quota, load in loads), key=lambda pair: -pair[1])
    usd = _usd_million(name, model, batches) * rate * 3600 / MILLION
    return Row(name, rate, instances, tasks, quantile(times, 0.5), quantile(times, 0.99), usd, filled)


def _shuffled(times: Sequence[float]) -> list[float]:
    mixed = list(times)
    random.Random(3).shuffle(mixed)
    return mixed


def _usd_million(name: str, model: CostModel, batches: bool) -> float:
    way = f"{name}, HTTP, {BATCH} a batch" if batches else f"{name}, HTTP, one a request"
    return next(cost.total for cost in model.verifications() if cost.what == way)


def simulate(rates: Sequence[float], mix: Mapping[str, float], model: CostModel, *, batches: bool) -> Iterator[Row]:
    """Every verifier at its share of every rate."""
    for rate in rates:
        for name, share in mix.items():
            yield row(name, rate * share, model, batches=batches)


def report(rates: Sequence[float], mix: Mapping[str, float], model: CostModel, *, batches: bool) -> str:
    """A Markdown table, and what to do about each quota that gives way."""
    lines = [
        "| a second, in all | verifier | its own | instances | runner tasks | p50 ms | p99 ms | USD an hour "
        "| fullest quota |",
        "|--:|---|--:|--:|--:|--:|--:|--:|---|",
    ]
    broken: dict[str, Quota] = {}
    for rate in rates:
        for one in simulate([rate], mix, model, batches=batches):
            broken |= {quota.name: quota for quota, share in one.loads if share > 1}
            fullest = [f"{quota.name}: {share:.0%}" for quota, share in one.loads if share > 1] or [
                f"{one.loads[0][0].name}: {one.loads[0][1]:.0%}"
            ]
            lines.append(
                f"| {rate:,.0f} | {one.verifier} | {one.rate:,.0f} | {one.instances:,} | {one.tasks or '–'} "
                f"| {one.p50_ms:.1f} | {one.p99_ms:.1f} | {one.usd_hour:,.2f} | {'; '.join(fullest)} |"
            )
    if broken:
        lines += ["", "What gives way, and what to do:", ""]
        lines += [f"- {one.name} ({one.limit:,.0f} {one.unit}; {one.note}): {one.remedy}." for one in broken.values()]
    return "\n".join(lines)


def read_mix(text: str) -> dict[str, float]:
    """`math=0.6,code=0.4` as shares that sum to one. Raises ValueError."""
    mix = {name: float(share) for name, _, share in (part.partition("=") for part in text.split(","))}
    if not set(mix) <= set(MIX) or abs(sum(mix.values()) - 1) > 1e-6:
        raise ValueError(f"the mix names {', '.join(MIX)} with shares that sum to 1, not {text!r}")
    return mix


def main() -> None:
    """Print the table for single requests and for batches."""
    parser = argparse.ArgumentParser(
        description="Instances, waiting and cost from 10^3 to 10^6 verifications a second."
    )
    parser.add_argument("--rates", type=float, nargs="+", default=RATES)
    parser.add_argument("--mix", type=read_mix, default=MIX, help="for example math=0.6,code=0.4")
    chosen = parser.parse_args()
    model = CostModel.read()
    for batches in (False, True):
        print(f"\n{f'HTTP, {BATCH} a batch' if batches else 'HTTP, one a request'}\n")
        print(report(chosen.rates, chosen.mix, model, batches=batches))


if __name__ == "__main__":
    main()
