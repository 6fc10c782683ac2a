"""The cost model and the simulation of scale follow from the figures that they are given."""

import json
import math
import re
from pathlib import Path

import pytest
from tools.cost_model import CPU, PRICES, CostModel, table
from tools.operate_tables import PAGE, refreshed, tables
from tools.simulate_scale import (
    DIRECT_VPC,
    INSTANCES,
    RUNNER_IDLE_S,
    RUNNER_START_S,
    as_measured,
    burst,
    in_a_batch,
    latency,
    limits,
    needed,
    quantile,
    read_mix,
    report,
    row,
)
from tools.terraform_code import INFRA

from verifleet.messaging.topology import FUNCTIONS

FIGURES = {
    "measured": "2026-01-01",
    "machine": "test",
    "verifiers": {name: {"single": 0.004, "batch": 0.001} for name in ("math", "knowledge", "format", "code")},
    "code_runner": 0.02,
    "agents": {"ingest_agent": 0.003, "verifier_agent": 0.006, "summarizer_agent": 0.004},
    "store_operations": {
        name: {"reads": 2.0, "writes": 3.0, "deletes": 0.0} for name in (*FUNCTIONS[:3], "code_verifier")
    }
    | {"code_verifier_batch": {"writes": 0.1}, "code_verifier_burst": {"writes": 0.03}},
}


@pytest.fixture
def model(tmp_path: Path) -> CostModel:
    (tmp_path / "cpu.json").write_text(json.dumps(FIGURES))
    return CostModel.read(tmp_path / "cpu.json", PRICES)


def test_cost_is_cpu_time_requests_messages_documents_and_logs_at_their_prices(model: CostModel) -> None:
    costs = {cost.what: cost for cost in model.verifications()}
    alone = costs["math, HTTP, one a request"]
    assert alone.compute == pytest.approx(1e6 * 0.004 / 0.6 * (0.000024 + 2 * 0.0000025))
    assert alone.requests == pytest.approx(0.40)
    assert alone.messages == alone.documents == 0
    batched, queued = costs["math, HTTP, 64 a batch"], costs["math, Pub/Sub"]
    assert batched.total < alone.total < queued.total
    # One publish and five deliveries of a request, one publish and one delivery of a result, which is kept a week.
    kept = 1e6 * 1500 / 2**30 * 7 / 30 * 0.27
    assert queued.messages == pytest.approx(1e6 * (6 * 2500 + 2 * 1500) / 2**40 * 40 + kept)
    # A program is published once more, for runner and watchdog; its result by the runner, then for everybody.
    program = costs["code, Pub/Sub"]
    assert program.messages == pytest.approx(1e6 * (9 * 2500 + 4 * 1500) / 2**40 * 40 + kept)
    assert costs["code, HTTP, one a request"].documents == pytest.approx(10 * (2 * 0.03 + 3 * 0.09))
    assert costs["code, HTTP, 4,096 a batch"].documents == pytest.approx(10 * 0.03 * 0.09)
    assert costs["code, HTTP, 4,096 a batch"].requests == pytest.approx(0.40 * (2 / 64 + 1 / 4096))


def test_the_three_agents_cost_their_sum(model: CostModel) -> None:
    *parts, whole = model.events()
    assert whole.total == pytest.approx(sum(part.total for part in parts))
    assert whole.what in table(model.events())


@pytest.mark.parametrize("busy", [0.3, 0.6, 0.8])
def test_the_simulated_queue_waits_as_theory_says(busy: float) -> None:
    service_s = 0.01
    times = latency(busy / service_s, service_s, servers=1, count=60_000)
    # M/M/1: sojourn times are exponential with mean s / (1 - busy).
    mean = service_s / (1 - busy)
    assert sum(times) / len(times) == pytest.approx(mean, rel=0.12)
    assert quantile(times, 0.99) / 1000 == pytest.approx(-math.log(0.01) * mean, rel=0.2)


def test_an_instance_that_can_not_keep_up_is_refused() -> None:
    with pytest.raises(ValueError, match="too many for 2 CPUs"):
        latency(300, 0.01, servers=2)


def test_instances_and_cost_grow_with_the_rate_and_latency_does_not(model: CostModel) -> None:
    small, large = (row("math", rate, model) for rate in (1_000, 100_000))
    assert small.instances == needed(1_000, 0.004, 2) == 4
    assert large.instances == pytest.approx(100 * small.instances, rel=0.2)
    assert large.usd_hour == pytest.approx(100 * small.usd_hour)
    assert large.p99_ms == pytest.approx(small.p99_ms, rel=0.3)
    assert all(share < 1 for _, share in small.loads)


def test_the_first_quota_that_gives_way_is_named_with_what_to_do(model: CostModel) -> None:
    many = row("code", 50_000, model)
    assert many.tasks == math.ceil(50_000 * 0.02 / (4 * 0.6))
    assert DIRECT_VPC in [quota for quota, share in many.loads if share > 1]
    assert [share for _, share in many.loads] == sorted((share for _, share in many.loads), reverse=True)
    assert f"{DIRECT_VPC.name}: " in report([50_000], {"code": 1.0}, model)
    text = limits(model)
    assert DIRECT_VPC.remedy in text
    first = re.search(r"\| math \| HTTP, one a request \| (.*) \| ([\d,]+) \|", text)
    assert first
    # 1,000 instances of two CPUs that are 60 % busy with 4 ms each.
    assert (first[1], first[2]) == (INSTANCES.name, "300,000")


def test_service_times_spread_as_measured() -> None:
    times = latency(1.0, 0.01, servers=1, draw=as_measured(0.01, [0.5, 0.5, 0.5, 2.5]))
    assert quantile(times, 0.5) == pytest.approx(5, rel=0.01)
    assert 25 <= quantile(times, 0.99) < 40
    assert sum(times) / len(times) == pytest.approx(0.01, rel=0.05)


def test_a_batch_takes_as_long_as_its_items_and_spreads_less() -> None:
    times = latency(0.1, 0.64, servers=1, draw=in_a_batch(0.01, None))
    assert sum(times) / len(times) == pytest.approx(0.64, rel=0.1)
    assert quantile(times, 0.01) > 0.6 * 640


def test_a_burst_has_the_tasks_that_it_needs_and_waits_for_their_start(model: CostModel) -> None:
    small, large = (burst(5_000, 0.1, model, tasks=tasks, cpus=2) for tasks in (5, 100))
    assert (small.tasks, large.tasks) == (5, 100), "one for each 50 programs, at most what is allowed"
    assert burst(60, 0.1, model, tasks=100, cpus=2).tasks == 2
    assert small.first_s == pytest.approx(RUNNER_START_S, abs=0.1)
    assert small.last_s == pytest.approx(RUNNER_START_S + 5_000 * 0.1 / 10, rel=0.1)
    assert large.last_s < small.last_s


def test_the_runner_stays_as_long_as_the_installation_says() -> None:
    variables = (INFRA / "variables.tf").read_text()
    default = re.search(r'variable "runner_idle_s" \{.*?default\s+= (\d+)', variables, re.DOTALL)
    assert default
    assert default[1] == f"{RUNNER_IDLE_S:g}"


def test_a_mix_has_known_names_and_sums_to_one() -> None:
    assert read_mix("math=0.5,code=0.5") == {"math": 0.5, "code": 0.5}
    for wrong in ("math=0.5", "maths=1", "math=2,code=-1.5"):
        with pytest.raises(ValueError, match="sum to 1"):
            read_mix(wrong)


def test_the_shipped_figures_are_complete() -> None:
    shipped = CostModel.read(CPU, PRICES)
    assert {name for name, _ in shipped.cpu["verifiers"].items()} == {"math", "knowledge", "format", "code"}
    assert all(cost.total > 0 for cost in (*shipped.verifications(), *shipped.events()))
    assert "to be checked" in shipped.price["as_of"]


def test_the_tables_of_the_operations_page_are_current() -> None:
    page = PAGE.read_text()
    model = CostModel.read(CPU, PRICES)
    assert all(f"<!-- table: {name} -->" in page for name in tables(model))
    assert refreshed(page, model) == page, "run python -m tools.operate_tables"
