"""The cost model and the simulation of scale follow from the figures that they are given."""

import json
import math
from pathlib import Path

import pytest
from tools.cost_model import CPU, PRICES, CostModel, table
from tools.operate_tables import PAGE, refreshed, tables
from tools.simulate_scale import DIRECT_VPC, latency, needed, quantile, read_mix, report, row

from verifleet.messaging.topology import FUNCTIONS

FIGURES = {
    "measured": "2026-01-01",
    "machine": "test",
    "verifiers": {name: {"single": 0.004, "batch": 0.001} for name in ("math", "knowledge", "format", "code")},
    "code_runner": 0.02,
    "agents": {"ingest_agent": 0.003, "verifier_agent": 0.006, "summarizer_agent": 0.004},
    "store_operations": {
        name: {"reads": 2.0, "writes": 3.0, "deletes": 0.0} for name in (*FUNCTIONS[:3], "code_verifier")
    },
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
    # One publish and five deliveries of a request, one publish and two deliveries of a result.
    assert queued.messages == pytest.approx(1e6 * (6 * 2500 + 3 * 1500) / 2**40 * 40)
    assert costs["code, HTTP, one a request"].documents == pytest.approx(10 * (2 * 0.03 + 3 * 0.09))


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
    small, large = (row("math", rate, model, batches=False) for rate in (1_000, 100_000))
    assert small.instances == needed(1_000, 0.004, 2) == 4
    assert large.instances == pytest.approx(100 * small.instances, rel=0.2)
    assert large.usd_hour == pytest.approx(100 * small.usd_hour)
    assert large.p99_ms == pytest.approx(small.p99_ms, rel=0.3)
    assert all(share < 1 for _, share in small.loads)


def test_the_first_quota_that_gives_way_is_named_with_what_to_do(model: CostModel) -> None:
    many = row("code", 50_000, model, batches=False)
    assert many.tasks == math.ceil(50_000 * 0.02 / (4 * 0.6))
    assert DIRECT_VPC in [quota for quota, share in many.loads if share > 1]
    assert [share for _, share in many.loads] == sorted((share for _, share in many.loads), reverse=True)
    text = report([50_000], {"code": 1.0}, model, batches=False)
    assert DIRECT_VPC.name in text
    assert DIRECT_VPC.remedy in text


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
