"""docs/trainers and docs/own-verifier.md: each example is run, and what configurations name is there.

Pages whose programs import a trainer's package are run where it is installed: `make test-trainers`.
"""

import ast
import asyncio
import importlib.util
import json
import re
import shlex
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any, get_type_hints

import pytest
from pydantic import BaseModel

from tests.trainers import open_instruct_recorded
from verifleet.rewards import Judge, _judges

DOCS = Path(__file__).parents[3] / "docs"
PAGES = sorted((DOCS / "trainers").glob("*.md"))
PACKAGES = ("swift", "reasoning_gym")
RECORDED = {"open_instruct.ground_truth_utils": open_instruct_recorded}
"""What stands in for a package that can't be installed."""


def blocks(page: Path, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", page.read_text(), re.MULTILINE | re.DOTALL)


def imported(page: Path, folder: Path) -> Any:
    """The page's program as the module that it says it is."""
    program = blocks(page, "python")[0]
    assert program.startswith("# my_reward.py\n")
    for package in PACKAGES:
        if f"import {package}" in program or f"from {package}" in program:
            pytest.importorskip(package)
    path = folder / "my_reward.py"
    path.write_text(program)
    spec = importlib.util.spec_from_file_location("my_reward", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    there = {name.partition(".")[0]: ModuleType(name) for name in RECORDED} | RECORDED | {"my_reward": module}
    sys.modules.update(there)
    try:
        spec.loader.exec_module(module)
    finally:
        for name in there:
            del sys.modules[name]
    return module


@pytest.mark.parametrize("page", [page for page in PAGES if page.stem != "sandbox-fusion"], ids=lambda page: page.stem)
def test_the_program_of_a_page_runs_and_has_what_its_configuration_names(page: Path, tmp_path: Path) -> None:
    module = imported(page, tmp_path)
    text = page.read_text().replace("my_reward.py", "")
    named = set(re.findall(r"my_reward[.:](\w+)", text))
    for block in blocks(page, "yaml"):
        named |= set(re.findall(r"path: my_reward\.py\n +name: (\w+)", block))
    for name in named:
        assert callable(getattr(module, name)), name


def test_what_configurations_of_trainers_name_is_written_as_they_read_it() -> None:
    yaml = pytest.importorskip("yaml")
    for page in PAGES:
        for block in blocks(page, "yaml"):
            assert isinstance(yaml.safe_load(block), dict)
        for block in blocks(page, "toml"):
            assert tomllib.loads(block)
        for block in blocks(page, "python"):
            ast.parse(block)
        for block in blocks(page, "sh"):
            assert shlex.split(block, comments=True)
    verl = yaml.safe_load(blocks(DOCS / "trainers" / "verl.md", "yaml")[0])["reward"]
    assert verl["custom_reward_function"] == {"path": "my_reward.py", "name": "acompute_score"}


# --- whole configurations -----------------------------------------------------------------

WHOLE = [page for page in PAGES if page.stem != "sandbox-fusion"]
GSM8K = {"question": "What is 70 + 2?", "answer": "It is 70+2 = <<70+2=72>>72.\n#### 72"}
SAID = "The answer is \\boxed{72}."


class Rows(list[dict[str, Any]]):
    """What `datasets` loads, as far as the programs use it."""

    column_names = ("question", "answer")
    written: list["Rows"] = []  # noqa: RUF012 - emptied for each program

    def map(self, function: Callable[..., Any], *, with_indices: bool = False, remove_columns: Any = ()) -> "Rows":
        made = (function(row, number) if with_indices else function(row) for number, row in enumerate(self))
        kept = ({name: value for name, value in row.items() if name not in remove_columns} for row in self)
        return Rows([old | new for old, new in zip(kept, made, strict=True)])

    def to_parquet(self, file: str) -> None:
        assert file.endswith(".parquet")
        self.written.append(self)


class Trainer:
    """Trains nothing, but has the reward judge a right answer to the first row."""

    trained = 0

    def __init__(self, *, model: Any, args: Any, reward_funcs: list[Any], train_dataset: Rows, **more: Any) -> None:
        self.rewards, self.row, self.args = reward_funcs, train_dataset[0], args
        assert model

    def train(self) -> None:
        columns = {name: [value] for name, value in self.row.items() if name != "prompt"}
        said = [[{"role": "assistant", "content": SAID}]]
        assert [reward([self.row["prompt"]], said, **columns) for reward in self.rewards] == [[1.0]]
        Trainer.trained += 1


def stand_ins(my_reward: Any) -> dict[str, Any]:
    """Modules that the programs import, by name."""
    fast = SimpleNamespace(
        from_pretrained=lambda **more: ("model", "tokenizer"), get_peft_model=lambda *of, **more: "m"
    )
    return {
        "my_reward": my_reward,
        "datasets": SimpleNamespace(load_dataset=lambda *of, **more: Rows([GSM8K])),
        "trl": SimpleNamespace(GRPOConfig=dict, GRPOTrainer=Trainer),
        "unsloth": SimpleNamespace(FastLanguageModel=fast),
    }


def run(page: Path, name: str, folder: Path, monkeypatch: pytest.MonkeyPatch, **more: Any) -> dict[str, Any]:
    """The names of the program that a page calls so."""
    for module, there in (stand_ins(imported(page, folder)) | more).items():
        monkeypatch.setitem(sys.modules, module, there)
    [program] = [block for block in blocks(page, "python") if block.startswith(f"# {name}\n")]
    names: dict[str, Any] = {"__name__": "program"}
    exec(compile(program, f"{page.name}: {name}", "exec"), names)
    return names


@pytest.mark.parametrize("page", WHOLE, ids=lambda page: page.stem)
def test_each_page_ends_with_a_whole_configuration_that_names_its_model_and_its_data(page: Path) -> None:
    _, _, whole = page.read_text().partition("\n## The whole configuration\n")
    assert re.search(r"Qwen\w*/Qwen|/models/Qwen|vllm_model", whole)
    assert re.search(r"gsm8k|dapo-math|RLVR-MATH|countdown|example\.jsonl", whole)
    assert "```sh\n" in whole


TAKING = [page for page in WHOLE if any("from my_reward import" in block for block in blocks(page, "python")[1:])]


@pytest.mark.parametrize("page", TAKING, ids=lambda page: page.stem)
def test_the_names_that_programs_take_from_a_page_s_reward_are_there(page: Path, tmp_path: Path) -> None:
    module = imported(page, tmp_path)
    taken = re.findall(r"^from my_reward import (\w+)$", "".join(blocks(page, "python")), re.MULTILINE)
    assert taken
    assert all(hasattr(module, name) for name in taken)


@pytest.mark.parametrize("name", ["trl", "unsloth"])
def test_a_training_of_trl_s_hands_over_what_the_reward_reads(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = Trainer.trained
    run(DOCS / "trainers" / f"{name}.md", "train.py", tmp_path, monkeypatch)
    assert Trainer.trained == before + 1


def test_the_rows_that_verl_is_given_are_judged_by_what_they_hold(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Rows, "written", [])
    run(DOCS / "trainers" / "verl.md", "data.py", tmp_path, monkeypatch)
    [[row], _] = Rows.written
    reward = imported(DOCS / "trainers" / "verl.md", tmp_path).compute_score
    asked = (row["data_source"], SAID, row["reward_model"]["ground_truth"], row["extra_info"])
    assert reward(*asked)["score"] == 1.0


def test_the_rows_that_skyrl_is_given_are_judged_by_what_they_hold(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Rows, "written", [])
    run(DOCS / "trainers" / "skyrl.md", "data.py", tmp_path, monkeypatch)
    [[row], _] = Rows.written
    env = imported(DOCS / "trainers" / "skyrl.md", tmp_path).Env(env_config={}, extras=row)
    assert env.step(SAID)["reward"] == 1.0


def test_the_environment_of_verifiers_scores_its_rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    vf = SimpleNamespace(Rubric=lambda funcs: funcs, SingleTurnEnv=lambda **given: given)
    names = run(DOCS / "trainers" / "verifiers.md", "gsm8k_verifleet.py", tmp_path, monkeypatch, verifiers=vf)
    env = names["load_environment"](max_workers=2)
    [row], [reward] = env["dataset"], env["rubric"]
    said = [{"role": "assistant", "content": SAID}]
    assert asyncio.run(reward(row["question"], said, row["answer"])) == 1.0


def test_the_server_of_nemo_gym_echoes_its_row_with_a_reward(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Body(BaseModel):
        responses_create_params: dict[str, Any]
        response: dict[str, Any]

    class Answer(Body):
        reward: float

    kinds = {"BaseVerifyRequest": Body, "BaseVerifyResponse": Answer, "BaseResourcesServerConfig": object}
    base = SimpleNamespace(**kinds, SimpleResourcesServer=object)
    more = {"nemo_gym": ModuleType("nemo_gym"), "nemo_gym.base_resources_server": base}
    page = DOCS / "trainers" / "nemo-gym.md"
    names = run(page, "app.py", tmp_path, monkeypatch, **more)
    [row] = map(json.loads, blocks(page, "jsonl"))
    said = {"output": [{"type": "message", "content": [{"type": "output_text", "text": "\\boxed{4}"}]}]}
    judged = asyncio.run(names["Verifleet"]().verify(names["Row"](**row, response=said)))
    assert (judged.reward, judged.expected_answer) == (1.0, "4")


def test_the_call_of_sandbox_fusion_is_answered_as_its_page_says() -> None:
    pytest.importorskip("starlette")
    from verifleet.serving.run_code import run_answer, run_request
    from verifleet.verifiers.code import CodeVerifier

    asked, told = map(json.loads, blocks(DOCS / "trainers" / "sandbox-fusion.md", "json"))
    request = run_request(asked)
    assert not isinstance(request, dict)
    answer = run_answer(CodeVerifier().check(request))
    answer["run_result"]["execution_time"] = told["run_result"]["execution_time"]
    assert answer == told


def test_every_adapter_has_a_page_and_every_page_stands_in_the_table() -> None:
    table = (DOCS / "rewards.md").read_text()
    for page in PAGES:
        assert f"(trainers/{page.name})" in table, page.name
    adapters = {path.stem for path in (DOCS.parent / "shared/verifleet/rewards").glob("[a-z]*.py")}
    pages = {page.stem.replace("ms-", "").replace("-", "_") for page in PAGES}
    assert adapters - pages == {"second_opinion"}  # a judge with a page of its own, for any trainer


def test_a_verifier_of_your_own_is_a_reward_and_a_function_as_the_page_says() -> None:
    page, source = DOCS / "own-verifier.md", (DOCS / "examples" / "own_verifier.py").read_text()
    names: dict[str, Any] = {}
    for block in blocks(page, "python"):
        exec(compile(block, "docs/own-verifier.md", "exec"), names)
    shown = ast.get_source_segment(source, ast.parse(source).body[3])
    assert shown is not None
    assert shown in blocks(page, "python")[1]
    protocol = names["Judge"]
    assert get_type_hints(protocol.check_batch) == get_type_hints(Judge.check_batch, vars(_judges))
    assert isinstance(names["AnagramVerifier"]().check_batch([]), list)


def test_a_verifier_of_your_own_is_served_with_all_routes() -> None:
    testclient = pytest.importorskip("starlette.testclient")
    pytest.importorskip("functions_framework")
    from verifleet.messaging.publisher import InMemoryPublisher
    from verifleet.serving.app import InProcessBackend, verifier_app
    from verifleet.settings import load_settings

    source = (DOCS / "examples" / "own_verifier.py").read_text().partition("\n\nknowledge_verifier = ")[0]
    names: dict[str, Any] = {}
    exec(compile(source, "own_verifier.py", "exec"), names)
    settings = load_settings(google_cloud_project="test-project")
    backend = InProcessBackend(names["AnagramVerifier"])
    app = verifier_app("knowledge", backend, settings=settings, publisher=InMemoryPublisher())
    body = re.findall(r"-d '(.*?)'$", "\n".join(blocks(DOCS / "own-verifier.md", "sh")), re.MULTILINE | re.DOTALL)[0]
    with testclient.TestClient(app) as client:
        told = client.post("/verify", json=json.loads(body)).json()
        assert (told["score"], told["verifier_version"]) == (1.0, "anagram-1")
        assert client.post("/rm", json={"response": "Silent", "label": "listen"}).json() == 1.0
