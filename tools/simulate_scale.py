"""Scale on paper: what 10^3 to 10^6 verifications a second need, what they wait and cost, and what gives way first.

    python -m tools.simulate_scale [--rates 1000 10000 100000 1000000] [--mix math=0.6,code=0.2,...]

Requests arrive at random (Poisson) and are spread at random over instances, so that each instance sees a Poisson
stream of its own; one instance of each verifier, and one runner task, are simulated request by request with measured
CPU seconds (tools/measured_cpu.json) and stand for all the others. Service times spread as the measured ones do, those
of programs as an exponential does; a batch is served as one request, on one CPU. The network's time is not in it.
A burst of programs from nothing is simulated apart: what is launched when, and when the last result is there.
"""

from __future__ import annotations

import argparse
import heapq
import math
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from tools.cost_model import BUSY, GIB_PER_VCPU, MILLION, REQUEST_BYTES, RESULT_BYTES, WAYS, WEIGHT, CostModel, Way
from tools.cost_model import IN_A_BATCH as BATCH
from tools.terraform_code import locals_of
from verifleet.settings import Settings

RATES = (1_000, 10_000, 100_000, 1_000_000)
MIX = {"math": 0.6, "code": 0.2, "knowledge": 0.1, "format": 0.1}
SIMULATED = 20_000
BURSTS = (500, 5_000, 50_000)
RUNNER_START_S = 15.0
"""From the launch of a job to its first pull: an assumption, documented only as seconds."""
RUNNER_IDLE_S = 60.0
"""How long a runner stays without work in the cloud."""
Service = Callable[[random.Random], float]
"""Draws the CPU seconds of one request."""


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
    "ask over HTTP, in batches: only programs (the watchdog's copies, their results) are pushed then; ask for more; "
    "a second region",
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


@cache
def large() -> Mapping[str, Mapping[str, int]]:
    """CPUs, and tasks of the runner, of the large installation, by weight."""
    sizes = locals_of(".")["sizes"]["large"]
    return {weight: {key: int(one[key]) for key in ("cpu", "tasks") if key in one} for weight, one in sizes.items()}


def exponential(service_s: float) -> Service:
    """Service times that vary as an exponential does."""
    return lambda dice: dice.expovariate(1 / service_s)


def as_measured(service_s: float, spread: Sequence[float]) -> Service:
    """Service times of equally likely groups, whose means are given as shares of the mean of all."""
    return lambda dice: service_s * dice.choice(spread)


def in_a_batch(service_s: float, spread: Sequence[float] | None) -> Service:
    """Service times of batches of BATCH; the sum of so many is as good as normal. Without a spread, of exponentials."""
    variance = 1.0 if spread is None else sum((share - 1) ** 2 for share in spread) / len(spread)
    mean, deviation = service_s * BATCH, service_s * math.sqrt(BATCH * variance)
    return lambda dice: max(service_s, dice.gauss(mean, deviation))


def latency(
    rate: float, service_s: float, servers: int, seed: int = 1, count: int = SIMULATED, draw: Service | None = None
) -> Sequence[float]:
    """Sorted seconds from arrival to answer at one instance: Poisson arrivals, `servers` CPUs, first come first served.

    Raises ValueError when the instance can't keep up.
    """
    draw = draw or exponential(service_s)
    if rate * service_s >= servers:
        raise ValueError(f"{rate:g} a second of {service_s:g} s are too many for {servers} CPUs")
    dice = random.Random(seed)
    free_at = [0.0] * servers
    now, found = 0.0, []
    for _ in range(count):
        now += dice.expovariate(rate)
        start = max(now, heapq.heappop(free_at))
        end = start + draw(dice)
        heapq.heappush(free_at, end)
        found.append(end - now)
    return sorted(found)


def needed(rate: float, service_s: float, cpus: int) -> int:
    """Instances that are kept no busier than BUSY."""
    return max(1, math.ceil(rate * service_s / (cpus * BUSY)))


def quantile(times: Sequence[float], share: float) -> float:
    """Milliseconds."""
    return times[min(len(times) - 1, int(share * len(times)))] * 1000


def row(name: str, rate: float, model: CostModel, way: Way = "single", count: int = SIMULATED) -> Row:
    """Simulate one verifier at its own rate, with `count` requests at one instance."""
    cpu = model.cpu["verifiers"][name]
    cpus = large()[WEIGHT[name]]["cpu"]
    if way == "batches":
        service_s, requests = cpu["batch"] * BATCH, rate / BATCH
        draw = in_a_batch(cpu["batch"], cpu.get("spread"))
    else:
        service_s, requests = cpu["single"], rate
        draw = as_measured(service_s, cpu["spread"]) if "spread" in cpu else exponential(service_s)
    instances = needed(requests, service_s, cpus)
    times = latency(requests / instances, service_s, cpus, count=count, draw=draw)
    tasks, pushed, published = 0, 0.0, 0.0
    loads = [(INSTANCES, float(instances))]
    if way == "queued":
        pushed, published = rate * REQUEST_BYTES, rate * (REQUEST_BYTES + RESULT_BYTES)
    if name == "code":
        runner_s, runner_cpus = model.cpu["code_runner"], large()["runner"]["cpu"]
        tasks = needed(rate, runner_s, runner_cpus)
        behind = latency(rate / tasks, runner_s, runner_cpus, seed=2, count=count)
        times = sorted(one + other for one, other in zip(_shuffled(times), behind, strict=True))
        operations = model.cpu["store_operations"]["code_verifier_batch" if way == "batches" else "code_verifier"]
        loads += [(DIRECT_VPC, float(tasks)), (TASKS, float(tasks)), (WRITES, rate * operations["writes"])]
        # The watchdog's copy of the execution, and the result.
        pushed += rate * (REQUEST_BYTES + RESULT_BYTES)
        # The execution, the runner's result and the one that is told to everybody.
        published = rate * (REQUEST_BYTES + 2 * RESULT_BYTES) + (rate * REQUEST_BYTES if way == "queued" else 0.0)
    loads += [(PUSH, pushed), (PUBLISH, published)]
    filled = sorted(((quota, load / quota.limit) for quota, load in loads), key=lambda pair: -pair[1])
    usd = _usd_million(name, model, way) * rate * 3600 / MILLION
    return Row(name, rate, instances, tasks, quantile(times, 0.5), quantile(times, 0.99), usd, filled)


def _shuffled(times: Sequence[float]) -> list[float]:
    mixed = list(times)
    random.Random(3).shuffle(mixed)
    return mixed


def _usd_million(name: str, model: CostModel, way: Way) -> float:
    return next(cost.total for cost in model.verifications() if cost.what == f"{name}, {WAYS[way]}")


def simulate(rates: Sequence[float], mix: Mapping[str, float], model: CostModel, way: Way) -> Iterator[Row]:
    """Every verifier at its share of every rate."""
    for rate in rates:
        for name, share in mix.items():
            yield row(name, rate * share, model, way)


def report(rates: Sequence[float], mix: Mapping[str, float], model: CostModel, way: Way = "single") -> str:
    """A Markdown table of what each rate needs."""
    lines = [
        "| a second, in all | verifier | its own | instances | runner tasks | p50 ms | p99 ms | USD an hour "
        "| fullest quota |",
        "|--:|---|--:|--:|--:|--:|--:|--:|---|",
    ]
    for rate in rates:
        for one in simulate([rate], mix, model, way):
            fullest = [f"{quota.name}: {share:.0%}" for quota, share in one.loads if share > 1] or [
                f"{one.loads[0][0].name}: {one.loads[0][1]:.0%}"
            ]
            lines.append(
                f"| {rate:,.0f} | {one.verifier} | {one.rate:,.0f} | {one.instances:,} | {one.tasks or '–'} "
                f"| {one.p50_ms:.1f} | {one.p99_ms:.1f} | {one.usd_hour:,.2f} | {'; '.join(fullest)} |"
            )
    return "\n".join(lines)


def limits(model: CostModel) -> str:
    """Which quota gives way first, at how many verifications a second, and what to do about each."""
    lines = ["| verifier | way | gives way first | at so many a second |", "|---|---|---|--:|"]
    met: dict[str, Quota] = {}
    for name in MIX:
        for way, words in WAYS.items():
            much = row(name, 1e6, model, way, count=1)  # only what it needs is of interest
            quota, share = much.loads[0]
            met |= {quota.name: quota for quota, share in much.loads if share > 1}
            lines.append(f"| {name} | {words} | {quota.name} | {float(f'{much.rate / share:.2g}'):,.0f} |")
    lines += ["", "What these are, and what to do:", ""]
    lines += [f"- {one.name} ({one.limit:,.0f} {one.unit}; {one.note}): {one.remedy}." for one in met.values()]
    return "\n".join(lines)


@dataclass(frozen=True)
class Burst:
    """How a burst of programs goes."""

    tasks: int
    first_s: float
    last_s: float
    usd: float


def burst(programs: int, cpu_s: float, model: CostModel, *, tasks: int, cpus: int, seed: int = 4) -> Burst:
    """`programs` at once at one instance, with no runner up; at most `tasks` runner tasks of `cpus` CPUs.

    One launch brings as many tasks as that backlog needs; a task pulls as its CPUs become free.
    """
    dice = random.Random(seed)
    per_task = Settings.runner_backlog_per_task
    launched = max(1, min(tasks, math.ceil(programs / per_task)))
    free_at = [RUNNER_START_S] * (launched * cpus)
    ends = []
    for _ in range(programs):
        end = heapq.heappop(free_at) + dice.expovariate(1 / cpu_s)
        heapq.heappush(free_at, end)
        ends.append(end)
    price = model.price["run_job_vcpu_s"] + GIB_PER_VCPU["runner"] * model.price["run_job_gib_s"]
    return Burst(launched, min(ends), max(ends), launched * cpus * (max(ends) + RUNNER_IDLE_S) * float(price))


def bursts(model: CostModel) -> str:
    """A Markdown table of bursts of programs from nothing, for both sizes."""
    lines = [
        "| programs at once | CPU seconds each | size | runner tasks | first result after s | last after s | USD |",
        "|--:|--:|---|--:|--:|--:|--:|",
    ]
    sizes = locals_of(".")["sizes"]
    for programs in BURSTS:
        for cpu_s in (float(model.cpu["code_runner"]), 1.0):
            for name, size in sizes.items():
                runner = size["runner"]
                one = burst(programs, cpu_s, model, tasks=int(runner["tasks"]), cpus=int(runner["cpu"]))
                lines.append(
                    f"| {programs:,} | {cpu_s:g} | {name} | {one.tasks} | {one.first_s:.0f} | {one.last_s:,.0f} "
                    f"| {one.usd:.2f} |"
                )
    return "\n".join(lines)


def read_mix(text: str) -> dict[str, float]:
    """`math=0.6,code=0.4` as shares that sum to one. Raises ValueError."""
    mix = {name: float(share) for name, _, share in (part.partition("=") for part in text.split(","))}
    if not set(mix) <= set(MIX) or abs(sum(mix.values()) - 1) > 1e-6:
        raise ValueError(f"the mix names {', '.join(MIX)} with shares that sum to 1, not {text!r}")
    return mix


def main() -> None:
    """Print every table."""
    parser = argparse.ArgumentParser(
        description="Instances, waiting and cost from 10^3 to 10^6 verifications a second."
    )
    parser.add_argument("--rates", type=float, nargs="+", default=RATES)
    parser.add_argument("--mix", type=read_mix, default=MIX, help="for example math=0.6,code=0.4")
    chosen = parser.parse_args()
    model = CostModel.read()
    for way, words in WAYS.items():
        print(f"\n{words}\n\n{report(chosen.rates, chosen.mix, model, way)}")
    print(f"\nWhat gives way first\n\n{limits(model)}\n\nBursts of programs, from nothing\n\n{bursts(model)}")


if __name__ == "__main__":
    main()
