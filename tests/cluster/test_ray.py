"""Scoring on Ray: a cluster of two nodes, as processes of this machine. `make test-ray` installs Ray and runs this."""

import json
import pickle
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

ray = pytest.importorskip("ray")
pytest.importorskip("ray.data")
pyarrow = pytest.importorskip("pyarrow")

from ray.cluster_utils import Cluster  # noqa: E402

from verifleet.errors import SettingsError, ShapeError  # noqa: E402
from verifleet.ray import Score  # noqa: E402
from verifleet.scoring.bulk import Job, results_in, score  # noqa: E402

pytestmark = [pytest.mark.slow, pytest.mark.timeout(500)]
STORE_BYTES = 128 * 1024 * 1024
PAGE = (Path(__file__).parents[2] / "docs" / "bulk.md").read_text()


@pytest.fixture
def cluster() -> Iterator[Any]:
    """Two nodes of one CPU each, so that both are needed; `other` is the one that no driver is on."""
    two = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "object_store_memory": STORE_BYTES})
    two.other = two.add_node(num_cpus=1, object_store_memory=STORE_BYTES)
    yield two
    ray.shutdown()
    two.shutdown()


def data(file: Path, count: int) -> Path:
    rows = ({"id": n, "question": "?", "answer": f"#### {n}", "response": str(n + 1 - n % 2)} for n in range(count))
    file.write_text("".join(json.dumps(row) + "\n" for row in rows) + "{no row\n")
    return file


def test_score_takes_and_gives_arrow_and_can_be_pickled() -> None:
    rows = [{"n": n, "question": "?", "answer": "#### 2", "response": said} for n, said in enumerate(("2", "3", None))]
    table = pyarrow.Table.from_pylist([*rows, {"n": 3, "question": None}])
    made = pickle.loads(pickle.dumps(Score("gsm8k", keep=["n"], options={"partial": True})))(table)
    assert made.column_names[:4] == ["n", "vf_request_id", "vf_verifier", "vf_score"]
    assert made["vf_score"].to_pylist() == [1.0, 0.0, 0.0, None]
    assert made["vf_status"].to_pylist()[3] == "error"
    assert json.loads(made["vf_details"].to_pylist()[3]) == {"fault": {"in": "row"}}
    with pytest.raises(ShapeError, match="give Score another prefix="):
        Score("gsm8k")(made.append_column("question", table["question"]))
    with pytest.raises(SettingsError, match="unknown reader"):
        Score("gsm9k")


def test_rows_come_back_once_and_in_order_though_a_node_dies_in_the_middle(cluster: Any, tmp_path: Path) -> None:
    source = data(tmp_path / "in.jsonl", 6_000)
    killed: list[int] = []

    def works_there() -> bool:
        actors = ray._private.state.actors().values()
        return any(one["State"] == "ALIVE" and one["Address"]["NodeID"] == cluster.other.node_id for one in actors)

    def progress(summary: Any) -> None:
        if summary.rows > 500 and not killed and works_there():
            killed.append(summary.rows)
            cluster.remove_node(cluster.other, allow_graceful=False)

    summary = score(Job(source, tmp_path / "out.jsonl", ray=cluster.address), progress)
    found = list(results_in(tmp_path / "out.jsonl"))
    assert killed[0] < 6_000
    assert (summary.rows, summary.errors, summary.verdicts["correct"]) == (6_001, 1, 3_000)
    assert [one["row"] for one in found] == list(range(6_001))
    assert [one["score"] for one in found[:-1]] == [float(n % 2) for n in range(6_000)]


def test_a_run_on_ray_is_gone_on_from_by_one_without_and_the_other_way_round(cluster: Any, tmp_path: Path) -> None:
    source, out = data(tmp_path / "in.jsonl", 700), tmp_path / "out.jsonl"
    command = [sys.executable, "-m", "verifleet.cli", "score", str(source), "-o", str(out)]
    done = subprocess.run([*command, "--ray", cluster.address], capture_output=True, text=True, check=False)
    assert done.returncode == 1, done.stderr  # the last line is no row
    whole = out.read_bytes()
    for cut, more in ((30_000, []), (60_000, ["--ray", cluster.address, "--workers", "1"])):
        out.write_bytes(whole[:cut])
        assert subprocess.run([*command, *more], capture_output=True, check=False).returncode == 1
        assert [one["row"] for one in results_in(out)] == list(range(701))


def test_a_cluster_that_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"there is no Ray cluster at 127\.0\.0\.1:1"):
        score(Job(data(tmp_path / "in.jsonl", 1), tmp_path / "out.jsonl", ray="127.0.0.1:1"))
    with pytest.raises(SettingsError, match="use HOST:PORT, or auto"):
        score(Job(data(tmp_path / "in.jsonl", 1), tmp_path / "out.jsonl", ray="ray://head:10001"))


def test_the_example_of_the_documentation_runs() -> None:
    example = PAGE.split("```python\n")[1].split("```")[0]
    # In a process of its own: one that was the driver of other clusters does not survive to start another.
    done = subprocess.run([sys.executable, "-c", example], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
