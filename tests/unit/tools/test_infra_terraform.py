"""What infra/ declares is what the code uses: topology, kinds of documents, roles, settings."""

import ast
import importlib
import io
import re
import shutil
import subprocess
import tarfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from tools import iam_table
from tools.infra_check import collisions, wiring
from tools.offline_provider import Applied, TerraformError, apply_offline
from tools.provider_schema import ProviderSchema
from tools.terraform_code import INFRA, Block, grants, locals_of, modules, plain, references
from typer.testing import CliRunner

from verifleet.cli import _add_sub_commands, app
from verifleet.messaging.topology import (
    CLOUD_TIMING,
    DEAD_LETTERS,
    FUNCTIONS,
    GEMINI_FUNCTIONS,
    MAX_DELIVERY_ATTEMPTS,
    RUNNER,
    RUNNER_BULK,
    SUBSCRIPTIONS,
    TOPICS,
    timing_of,
)
from verifleet.settings import SETTINGS, allowed, load_settings
from verifleet.storage.store import Store

_add_sub_commands()
ROOT = INFRA.parent
MESSAGING = "modules/messaging"
JOBS = {"code-runner": "runner", "bulk-score": "bulk"}


def resource(folder: str, type_: str, name: str) -> Mapping[str, Any]:
    (body,) = (block.body for block in modules()[folder] if block.labels == (type_, name))
    return plain(dict(body))


def hyphened(function: str) -> str:
    return function.replace("_", "-")


def test_topics_and_subscriptions_are_those_of_the_topology() -> None:
    (topics,) = (block.body["default"] for block in modules()[MESSAGING] if block.address.endswith("variable.topics"))
    assert plain(topics) == list(TOPICS)
    declared = locals_of(MESSAGING)
    pushed = {one.name: one for one in SUBSCRIPTIONS if one.push_to}
    assert declared["push"] == {
        name: {"topic": one.topic, "to": hyphened(one.push_to or ""), "filter": one.filter}
        for name, one in pushed.items()
    }
    assert declared["pull"] == {one.name: one.topic for one in SUBSCRIPTIONS if not one.push_to and one.dead_letters}
    archives = [one.topic for one in SUBSCRIPTIONS if not one.dead_letters]
    assert declared["archives"] == archives
    assert {one.name for one in SUBSCRIPTIONS if not one.dead_letters} == {f"{topic}.archive" for topic in archives}
    assert all(len(one.filter.encode()) <= 256 for one in SUBSCRIPTIONS), "Pub/Sub takes filters of 256 bytes"


@pytest.mark.parametrize("name", ["push", "pull"])
def test_redelivery_is_that_of_the_topology(name: str) -> None:
    body = resource(MESSAGING, "google_pubsub_subscription", name)
    ((retry), (dead)) = body["retry_policy"][0], body["dead_letter_policy"][0]
    sooner = locals_of(MESSAGING)["min_backoff"]
    for one in SUBSCRIPTIONS:
        if bool(one.push_to) == (name == "push") and one.dead_letters:
            timing = timing_of(one.name, CLOUD_TIMING)
            assert sooner.get(one.name, "10s") == f"{timing.min_backoff_s:g}s", one.name
            assert retry["maximum_backoff"] == f"{timing.max_backoff_s:g}s"
    assert ("local.min_backoff" in retry["minimum_backoff"]) == (name == "push")
    assert '"10s"' in retry["minimum_backoff"] or retry["minimum_backoff"] == "10s"
    assert dead["max_delivery_attempts"] == MAX_DELIVERY_ATTEMPTS
    assert DEAD_LETTERS in dead["dead_letter_topic"]
    assert locals_of(".")["ack_deadline_s"] == CLOUD_TIMING.ack_deadline_s


def test_every_function_is_deployed_and_publishes_what_it_may() -> None:
    root = locals_of(".")
    assert sorted(root["functions"]) == sorted(map(hyphened, FUNCTIONS)) == sorted(root["publishes"])
    assert {topic for topics in root["publishes"].values() for topic in topics} <= set(TOPICS)
    assert root["sizes"].keys() == {"small", "large"}


def test_agents_end_before_their_message_is_delivered_again() -> None:
    root = locals_of(".")
    agents = {name: one for name, one in root["functions"].items() if name.endswith("-agent")}
    assert agents
    assert all(one["timeout"] < root["ack_deadline_s"] for one in agents.values())


def test_functions_that_the_code_gives_a_store_or_a_knowledge_base_get_it() -> None:
    functions = locals_of(".")["functions"]
    assert {name for name, one in functions.items() if one["knowledge"]} == {"knowledge-verifier"}
    for name, one in functions.items():
        source = (ROOT / "functions" / name.replace("-", "_") / "main.py").read_text()
        assert one["store"] == ("open_store(" in source), name


# --- documents -------------------------------------------------------------------

STORE_METHODS = {name for name in vars(Store) if not name.startswith("_") and name != "close"}


def test_only_the_functions_that_ask_gemini_get_its_key() -> None:
    functions = locals_of(".")["functions"]
    assert {name for name, has in functions.items() if has["gemini"]} == {hyphened(name) for name in GEMINI_FUNCTIONS}


def kinds_used() -> Iterator[tuple[str, str]]:
    """(kind, method) of each call of a Store in the code."""
    for file in (ROOT / "shared" / "verifleet").rglob("*.py"):
        if file.parent.name == "storage" and file.name != "idempotency.py":
            continue
        tree = ast.parse(file.read_text())
        constants: dict[str, str] = {}
        for node in tree.body:
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("verifleet.serving"):
                module = importlib.import_module(node.module or "")
                imported = {name.asname or name.name: getattr(module, name.name, None) for name in node.names}
                constants |= {name: value for name, value in imported.items() if isinstance(value, str)}
        for node in tree.body:
            if isinstance(node, ast.Assign):
                targets, values = node.targets[0], node.value
                pairs = (
                    zip(targets.elts, values.elts, strict=True)
                    if isinstance(targets, ast.Tuple) and isinstance(values, ast.Tuple)
                    else [(targets, values)]
                )
                for target, value in pairs:
                    if (
                        isinstance(target, ast.Name)
                        and isinstance(value, ast.Constant)
                        and isinstance(value.value, str)
                    ):
                        constants[target.id] = value.value
        for node in ast.walk(tree):
            if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args):
                continue
            owner = ast.unparse(node.func.value)
            if node.func.attr in STORE_METHODS and owner.split(".")[-1] in ("store", "_store"):
                kind = node.args[0]
                yield (kind.value if isinstance(kind, ast.Constant) else constants[ast.unparse(kind)]), node.func.attr


def test_every_kind_of_document_has_ttl_and_exemptions_and_the_searched_ones_their_index() -> None:
    used = set(kinds_used())
    declared = locals_of("modules/documents")
    searched = {kind for kind, method in used if method == "find"}
    assert set(declared["found"]) == searched
    others = re.findall(r'"(\w+)"', declared["kinds"])
    assert sorted([*declared["found"], *others]) == sorted({kind for kind, _ in used})


def test_the_index_is_that_of_the_stores_one_query() -> None:
    source = (ROOT / "shared" / "verifleet" / "storage" / "firestore.py").read_text()
    assert source.count("array_contains_any") == 1
    assert source.count(".order_by(") == 1
    fields = resource("modules/documents", "google_firestore_index", "by_key")["fields"]
    assert fields == [
        {"field_path": "keys", "array_config": "CONTAINS"},
        {"field_path": "time", "order": "DESCENDING"},
    ]


# --- who may do what -----------------------------------------------------------------


def test_every_role_is_explained_in_the_table_and_every_row_is_granted() -> None:
    assert list(iam_table.difference()) == []
    assert iam_table.without_roles() == []


def test_nobody_unauthenticated_is_let_in_and_nobody_gets_a_basic_role() -> None:
    assert iam_table.open_members() == []
    assert not {role for grant in grants() for role in grant.roles} & {"roles/owner", "roles/editor", "roles/viewer"}


def test_no_resource_takes_over_the_whole_policy_of_another() -> None:
    types = {block.labels[0] for blocks in modules().values() for block in blocks if block.kind == "resource"}
    assert not [name for name in types if name.endswith(("_iam_policy", "_iam_binding"))]


def test_the_runner_pulls_two_subscriptions_publishes_two_topics_and_nothing_else() -> None:
    mine = [grant for grant in grants() if "google_service_account.runner" in grant.member]
    assert {(grant.resource, *grant.roles) for grant in mine} == {
        ("google_pubsub_subscription_iam_member", "roles/pubsub.subscriber"),
        ("google_pubsub_topic_iam_member", "roles/pubsub.publisher"),
    }
    (call,) = (block.body for block in modules()["."] if block.labels == ("code_runner",))
    assert re.findall(r'"([\w-]+)"', call["publish_topics"]) == ["code-results", "dead-letters"]
    (output,) = (block.body for block in modules()[MESSAGING] if block.labels == ("runner_subscriptions",))
    assert re.findall(r"in \[\"([\w.-]+)\", \"([\w.-]+)\"\]", output["value"]) == [(RUNNER, RUNNER_BULK)]


def test_bulk_scoring_reads_one_bucket_adds_to_another_and_sends_programs_away() -> None:
    mine = [grant for grant in grants() if "google_service_account.bulk" in grant.member]
    assert {(grant.resource, grant.name, role) for grant in mine for role in grant.roles} == {
        ("google_storage_bucket_iam_member", "read", "roles/storage.objectViewer"),
        ("google_storage_bucket_iam_member", "write", "roles/storage.objectViewer"),
        ("google_storage_bucket_iam_member", "write", "roles/storage.objectCreator"),
        ("google_cloud_run_v2_service_iam_member", "invoke", "roles/run.invoker"),
    }
    folder = "modules/bulk-score"
    buckets = {name: resource(folder, "google_storage_bucket_iam_member", name)["bucket"] for name in ("read", "write")}
    assert buckets == {"read": "${var.input_bucket}", "write": "${var.output_bucket}"}
    job = resource(folder, "google_cloud_run_v2_job", "bulk")["template"][0]
    assert job["task_count"] == "${var.tasks}"
    assert job["template"][0]["containers"][0]["command"] == [
        "verifleet",
        "score",
        "--url",
        "code=${var.code_verifier_url}",
    ]


def test_the_job_that_scores_runs_the_command_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    from verifleet.commands import score as score_cli

    jobs: list[Any] = []
    monkeypatch.setattr(score_cli, "score", lambda job, progress: jobs.append(job) or score_cli.Summary())
    monkeypatch.setattr(score_cli.signal, "signal", lambda *given: None)
    container = resource("modules/bulk-score", "google_cloud_run_v2_job", "bulk")["template"][0]["template"][0][
        "containers"
    ]
    command = [*container[0]["command"], *container[0]["args"]]
    given = {"code_verifier_url": "https://code", "input_bucket": "rollouts", "output_bucket": "scores"}
    filled = [re.sub(r"\$\{var\.(\w+)\}", lambda name: given[name[1]], word) for word in command]
    shown = CliRunner().invoke(app, filled[1:], env={"CLOUD_RUN_TASK_INDEX": "3", "CLOUD_RUN_TASK_COUNT": "10"})
    assert shown.exit_code == 0, shown.output
    (job,) = jobs
    assert (job.source, job.out, job.urls) == ("gs://rollouts/", "gs://scores/scores.parquet", {"code": "https://code"})
    assert (job.shard, job.shards) == (3, 10)


def test_the_runner_reaches_the_restricted_api_addresses_only() -> None:
    folder = "modules/code-runner"
    allow = resource(folder, "google_compute_firewall", "allow_restricted_apis")
    deny = resource(folder, "google_compute_firewall", "deny_everything_else")
    assert allow["destination_ranges"] == ["199.36.153.4/30"]
    assert deny["destination_ranges"] == ["0.0.0.0/0"]
    assert allow["priority"] < deny["priority"]
    assert resource(folder, "google_compute_network", "runner")["delete_default_routes_on_create"] is True
    job = resource(folder, "google_cloud_run_v2_job", "runner")
    assert job["template"][0]["template"][0]["vpc_access"][0]["egress"] == "ALL_TRAFFIC"


def test_nobody_but_the_runner_publishes_results_of_code() -> None:
    publishes = locals_of(".")["publishes"]
    assert "code-results" not in str(publishes)
    assert "verification-results" in str(publishes["code-verifier"])
    publisher = resource(MESSAGING, "google_pubsub_topic_iam_member", "publisher")
    assert "code-results" not in str(publisher)


def test_every_function_takes_pushes_from_the_account_that_pushes_only() -> None:
    (block,) = (one for one in modules()["."] if one.labels == ("function",))
    environment = str(block.body["environment"])
    assert re.search(r"VERIFLEET_PUSH_ACCOUNT\s*= module\.messaging\.push_account", environment)
    (output,) = (one.body for one in modules()[MESSAGING] if one.labels == ("push_account",))
    push = resource(MESSAGING, "google_pubsub_subscription", "push")["push_config"][0]["oidc_token"][0]
    assert output["value"] == push["service_account_email"]


# --- settings ------------------------------------------------------------------------


def variables_read() -> Iterator[tuple[str, list[str]]]:
    """(field, environment variables that give it) of the settings."""
    for name, setting in SETTINGS.items():
        yield name, list(allowed(setting).variables)


def test_every_setting_is_set_by_the_installation_or_can_be_given_to_it() -> None:
    (block,) = (one for one in modules()["."] if one.labels == ("settings",))
    taken, _ = block.body["validation"]
    pattern = re.search(r'regex\(\\?"(.+?)\\?"', taken["condition"])
    assert pattern
    of_its_own = {"google_cloud_project", "summarizer_url", "google_api_key", "google_genai_use_vertexai"}
    of_this_machine = {"pubsub_emulator_host"}
    for name, variables in variables_read():
        if name not in of_its_own | of_this_machine:
            assert any(re.fullmatch(pattern[1], variable) for variable in variables), name


def test_every_environment_variable_is_one_that_the_settings_read() -> None:
    known = {"WORKERS"} | {choice for _, choices in variables_read() for choice in choices}
    jobs = [(f"modules/{name}", ("google_cloud_run_v2_job", job)) for name, job in JOBS.items()]
    for folder, labels in ((".", ("function",)), *jobs):
        (block,) = (one for one in modules()[folder] if one.labels == labels)
        text = str(block.body)
        given = set(re.findall(r"\b([A-Z][A-Z0-9_]{5,}) = ", text)) | set(re.findall(r"\b(VERIFLEET_\w+)\b", text))
        assert given
        assert not given - known, folder


# --- the checks themselves -------------------------------------------------------------


SAMPLES = {"str": "sample", "bool": "true", "int": "3", "float": "3.5", "Path": "/sample", "tuple": "a b"}
SPECIAL = {
    "prefix": "sample-",
    "store": "firestore:other",
    "log_level": "ERROR",
    "verifier_urls": "math=https://sample.example",
    "summarizer_url": "https://sample.example",
    "second_opinion_url": "https://sample.example",
    "sandbox_min_rung": "A",
    "sandbox_packages": "numpy",
    "sandbox_languages": "cpp",
    "ack_deadline_s": "33",
    "max_http_bytes": "123456",
    "max_message_bytes": "123456",
    "max_bytes_in_hand": "123456",
    "push_account": "push@sample.example",
    "push_certs_url": "https://sample.example",
    "otlp_endpoint": "https://sample.example",
}


def test_every_setting_is_read_from_the_environment_by_the_name_that_it_is_given_by(monkeypatch: Any) -> None:
    monkeypatch.setenv("VERIFLEET_PUSH_AUDIENCE", "https://other.example")  # what a push account can't do without
    monkeypatch.setenv("VERIFLEET_SECOND_OPINION_MODEL", "other")  # nor a model's address
    default = load_settings()
    unread = []
    for name, variables in variables_read():
        kind = str(SETTINGS[name].type)
        sample = SPECIAL.get(name) or next(value for key, value in SAMPLES.items() if key in kind)
        for variable in variables:
            with monkeypatch.context() as changed:
                changed.setenv(variable, sample)
                if getattr(load_settings(), name) == getattr(default, name):
                    unread.append(variable)
    assert not unread


def test_infra_is_wired() -> None:
    assert list(wiring()) == []


def test_references_are_found_in_expressions_and_not_in_plain_text() -> None:
    body = {
        "a": '${module.function["x"].url}',
        "b": '"projects/${var.project}/x var.not_this"',
        "c": ["${google_pubsub_topic.topic[each.value[0]].id}"],
        "d": '${var.on ? "var.nor_this" : local.size.small}',
        "e": "${data.google_project.this.number}",
    }
    assert set(references(body)) == {
        ("module", "function", "url"),
        ("var", "project", None),
        ("google_pubsub_topic", "topic", "id"),
        ("var", "on", None),
        ("local", "size", "small"),
        ("data.google_project", "this", "number"),
    }


TYPES = """
export interface GardenPlotConfig extends cdktf.TerraformMetaArguments {
    /**
    * How wide. See https://example.org/a/b
    *
    * Docs at Terraform Registry: {@link https://example.org/garden_plot#bed_width GardenPlot#bed_width}
    *
    * Note: a note / with a slash
    */
    readonly bedWidth: number;
    /**
    * Docs at Terraform Registry: {@link https://example.org/garden_plot#labels GardenPlot#labels}
    */
    readonly labels?: {
        [key: string]: string;
    };
    /**
    * Docs at Terraform Registry: {@link https://example.org/garden_plot#fence GardenPlot#fence}
    */
    readonly fence?: GardenPlotFence[] | cdktf.IResolvable;
}
export interface GardenPlotFence {
    /**
    * Docs at Terraform Registry: {@link https://example.org/garden_plot#height GardenPlot#height}
    */
    readonly height: number;
}
"""

CLASSES = """
class GardenPlotFenceOutputReference extends cdktf.ComplexObject {
    get height() {
        return this.getNumberAttribute('height');
    }
    // paint_left - computed: true, optional: false, required: false
    get paintLeft() {
        return this.getNumberAttribute('paint_left');
    }
}
class GardenPlotWormsOutputReference extends cdktf.ComplexObject {
    // length - computed: true, optional: false, required: false
    get length() {
        return this.getNumberAttribute('length');
    }
}
class GardenPlot extends cdktf.TerraformResource {
    constructor(scope, id, config) {
        super(scope, id, {
            terraformResourceType: 'google_garden_plot',
        });
        // fence - computed: false, optional: true, required: false
        this._fence = new GardenPlotFenceList(this, "fence", false);
        // worms - computed: true, optional: false, required: false
        this._worms = new GardenPlotWormsList(this, "worms", false);
    }
    get bedWidth() {
        return this.getNumberAttribute('bed_width');
    }
    get labels() {
        return this.getStringMapAttribute('labels');
    }
    // soil_state - computed: true, optional: false, required: false
    get soilState() {
        return this.getStringAttribute('soil_state');
    }
}
"""
PROVIDER = """
export interface GoogleProviderConfig {
    /**
    * Docs at Terraform Registry: {@link https://example.org/docs#project GoogleProvider#project}
    */
    readonly project?: string;
}
"""


@pytest.fixture
def schema(tmp_path: Path) -> ProviderSchema:
    files = {"garden-plot/index.d.ts": TYPES, "garden-plot/index.js": CLASSES, "provider/index.d.ts": PROVIDER}
    with tarfile.open(tmp_path / "types.tgz", "w:gz") as archive:
        for name, text in files.items():
            entry = tarfile.TarInfo(f"package/lib/{name}")
            entry.size = len(text)
            archive.addfile(entry, io.BytesIO(text.encode()))
    return ProviderSchema(tmp_path / "types.tgz", "google")


def block(body: dict[str, Any], type_: str = "google_garden_plot") -> Block:
    return Block("resource", (type_, "mine"), body, INFRA / "main.tf")


@pytest.mark.parametrize(
    ("body", "problem"),
    [
        ({"bed_width": 1, "labels": {"a": "b"}, "fence": [{"height": 1, "__is_block__": True}]}, None),
        ({"bed_width": 1, "for_each": "${local.x}", "depends_on": []}, None),
        ({}, "bed_width is required"),
        ({"bed_width": 1, "bed_widht": 1}, "no argument bed_widht"),
        ({"bed_width": 1, "soil_state": "wet"}, "no argument soil_state"),
        ({"bed_width": 1, "fence": [{"__is_block__": True}]}, "height is required"),
        ({"bed_width": 1, "fence": [{"height": 1, "paint": 1, "__is_block__": True}]}, "no argument paint"),
        ({"bed_width": 1, "gate": [{"__is_block__": True}]}, "no block gate"),
        ({"bed_width": 1, "fence": {"height": 1}}, "fence is a block"),
        ({"bed_width": 1, "labels": [{"a": "b", "__is_block__": True}]}, "labels is an argument"),
        ({"bed_width": 1, "dynamic": [{'"fence"': {"content": [{"__is_block__": True}]}}]}, "height is required"),
        ({"bed_width": 1, "dynamic": [{'"gate"': {"content": [{"__is_block__": True}]}}]}, "no block gate"),
    ],
)
def test_what_the_provider_would_refuse_is_found(
    schema: ProviderSchema, body: dict[str, Any], problem: str | None
) -> None:
    problems = list(schema.problems(block(body)))
    assert len(problems) == (problem is not None)
    assert not problem or problem in problems[0]


def test_a_resource_that_the_provider_does_not_have_is_found(schema: ProviderSchema) -> None:
    assert "no resource google_gardn" in next(schema.problems(block({}, "google_gardn")))
    assert schema.attributes("google_garden_plot") == {"id", "bed_width", "labels", "fence", "soil_state", "worms"}


PLOT = """
terraform {
  required_providers {
    google = { source = "hashicorp/google" }
  }
}
variable "beds" {
  default = { a = 1 }
}
resource "google_garden_plot" "mine" {
  for_each  = var.beds
  bed_width = each.value
  fence {
    height = 2
  }
}
"""


needs_terraform = pytest.mark.skipif(shutil.which("terraform") is None, reason="terraform is not installed")
USED = [("google_garden_plot", False)]


@needs_terraform
def test_terraform_itself_applies_code_against_the_published_types(schema: ProviderSchema, tmp_path: Path) -> None:
    outputs = """
      output "soil" { value = google_garden_plot.mine["a"].soil_state }
      output "worms" { value = length(google_garden_plot.mine["a"].worms) }
    """
    (tmp_path / "main.tf").write_text(PLOT + outputs)
    done = apply_offline(tmp_path, [schema], USED, {})
    ((type_, values),) = done.created
    assert type_ == "google_garden_plot"
    assert values["fence"] == [{"height": 2, "paint_left": 1}], "given is kept, computed is made up"
    assert done.outputs == {"soil": values["soil_state"], "worms": 0}


@needs_terraform
@pytest.mark.parametrize(
    ("body", "problem"),
    [
        ('bed_width = "wide"', "a number is required"),
        ('bed_width = 1\nsoil_state = "wet"', "can't configure a value for"),
        (
            'bed_width = 1\nfor_each = toset([google_garden_plot.mine["a"].soil_state])',
            "Invalid for_each argument",
        ),
    ],
)
def test_terraform_itself_refuses_what_the_published_types_forbid(
    schema: ProviderSchema, tmp_path: Path, body: str, problem: str
) -> None:
    (tmp_path / "main.tf").write_text(f'{PLOT}resource "google_garden_plot" "b" {{\n{body}\n}}')
    with pytest.raises(TerraformError) as refused:
        apply_offline(tmp_path, [schema], USED, {})
    assert problem in re.sub(r"\s+", " ", str(refused.value)).replace('"', "")


def test_what_two_installations_would_both_make_is_found() -> None:
    def made(prefix: str) -> list[tuple[str, dict[str, Any]]]:
        account = {
            "account_id": f"{prefix}push",
            "display_name": f"{prefix}Push",
            "name": "google_service_account/x/name",
        }
        board = {"dashboard_json": f'{{"displayName": "{prefix}fleet"}}', "id": "google_monitoring_dashboard/one/id"}
        granted = {"role": "roles/run.viewer", "member": f"serviceAccount:{prefix}push", "project": "p"}
        return [
            ("google_service_account", account),
            ("google_monitoring_dashboard", board),
            ("google_project_iam_member", granted),
            ("google_project_service", {"service": "run"}),
        ]

    assert list(collisions(made(""), made("stage-"))) == []
    assert len(list(collisions(made(""), made("")))) == 3
    half = [("google_service_account", {"account_id": "push", "display_name": "stage-Push"})]
    assert "account_id push" in next(collisions(made(""), half)), "another title is no other name"
    assert "nothing is known to name" in next(collisions([], [("google_garden_plot", {"bed_width": 1})]))


def test_a_grant_on_what_is_made_later_and_a_resource_before_its_api_are_found() -> None:
    api, grant = ("google_project_service", {"service": "run"}), ("google_pubsub_topic_iam_member", {"topic": "t"})
    topic = ("google_pubsub_topic", {"name": "t"})
    assert list(Applied([api, topic, grant], {}).out_of_order()) == []
    assert "before it exists" in next(Applied([api, grant, topic], {}).out_of_order())
    assert "before all APIs" in next(Applied([topic, api, grant], {}).out_of_order())


# --- image and pipeline ------------------------------------------------------------------


def test_the_image_is_pinned_and_starts_as_root_so_that_every_rung_is_tried() -> None:
    lines = (INFRA / "code_runner" / "Dockerfile").read_text().split("\n")
    bases = dict(re.findall(r"^ARG (\w+_IMAGE)=(\S+)$", "\n".join(lines), re.MULTILINE))
    assert all(re.search(r":\d+\.\d+\.\d+-", base) for base in bases.values()), bases
    assert {line.split()[1] for line in lines if line.startswith("FROM ")} == {f"${{{name}}}" for name in bases}
    assert next(line for line in reversed(lines) if line.startswith("USER ")) == "USER ${RUNNER_USER}"
    assert "ARG RUNNER_USER=0" in lines
    assert "--require-hashes -r requirements.txt" in "\n".join(lines)
    assert "--no-deps ." in "\n".join(lines), "nothing is installed but what is locked"
    pins = re.findall(r"^([\w.\-]+)==", (INFRA / "code_runner" / "requirements.txt").read_text(), re.MULTILINE)
    assert {"google-cloud-pubsub", "sqlglot", "typer", "httpx"} <= set(pins)


@pytest.mark.parametrize(("ci", "expected"), [("", (0, "skipped")), ("true", (1, "FAILED"))])
def test_the_image_check_is_skipped_with_a_reason_without_a_container_tool_but_not_in_ci(
    ci: str, expected: tuple[int, str], tmp_path: Path
) -> None:
    bash = shutil.which("bash")
    assert bash
    (tmp_path / "dirname").symlink_to(shutil.which("dirname") or "")
    environment = {"PATH": str(tmp_path), **({"CI": ci} if ci else {})}
    done = subprocess.run(
        [bash, str(ROOT / "tools" / "image_check.sh")], env=environment, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout.split()[0]) == expected
    assert "neither docker nor podman" in done.stdout


def test_the_image_is_never_tried_with_more_than_a_platform_gives() -> None:
    for file in ("cloudbuild.yaml", "cloudbuild.check.yaml", "tools/image_check.sh"):
        lines = [line for line in (ROOT / file).read_text().split("\n") if not line.lstrip().startswith("#")]
        assert "--privileged" not in "\n".join(lines), file


def test_the_pipeline_goes_in_order_and_names_only_what_exists() -> None:
    import yaml12

    pipeline = yaml12.parse_yaml((ROOT / "cloudbuild.yaml").read_text())
    ids = [step["id"] for step in pipeline["steps"]]
    assert ids == [
        *("terraform", "check", "test", "image", "stage", "hold", "upload", "plan", "apply", "release", "smoke"),
    ]
    targets = set(re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    for step in pipeline["steps"]:
        assert set(re.findall(r"^make ([\w-]+)", step["script"], re.MULTILINE)) <= targets
    (plan,) = (step for step in pipeline["steps"] if step["id"] == "plan")
    assert "GOOGLE_IMPERSONATE_SERVICE_ACCOUNT=${_PLAN_ACCOUNT}" in plan["env"]
    assert "GOOGLE_BACKEND_IMPERSONATE_SERVICE_ACCOUNT=${_PLAN_ACCOUNT}" in plan["env"]


def test_no_apply_moves_traffic_and_the_pipeline_returns_to_what_served_when_a_later_step_fails() -> None:
    import yaml12

    config = resource("modules/function", "google_cloudfunctions2_function", "function")["service_config"][0]
    assert config["all_traffic_on_latest_revision"] is False
    steps = {step["id"]: step["script"] for step in yaml12.parse_yaml((ROOT / "cloudbuild.yaml").read_text())["steps"]}
    assert "--hold build/held.json" in steps["hold"]
    assert "|| touch build/half-applied" in steps["apply"]
    assert re.search(r"half-applied \]; then\n.*--back build/held.json", steps["release"])
    assert "--held build/held.json" in steps["release"]
    assert "--back build/held.json" in steps["smoke"]


def test_a_branch_is_checked_by_an_account_without_roles_and_main_deploys_after_approval() -> None:
    check = resource("pipeline", "google_cloudbuild_trigger", "check")
    deploy = resource("pipeline", "google_cloudbuild_trigger", "deploy")
    assert check["github"][0]["push"][0]["branch"] == deploy["github"][0]["push"][0]["branch"] == "^main$"
    assert check["github"][0]["push"][0]["invert_regex"] is True
    assert "invert_regex" not in deploy["github"][0]["push"][0]
    assert deploy["approval_config"][0]["approval_required"] is True
    assert (check["filename"], deploy["filename"]) == ("cloudbuild.check.yaml", "cloudbuild.yaml")
    assert "google_service_account.check.id" in check["service_account"]
    assert "google_service_account.deploy.id" in deploy["service_account"]
    branch = [grant for grant in grants() if "google_service_account.check" in grant.member]
    assert {(grant.resource, grant.name) for grant in branch} == {("google_storage_bucket_iam_member", "check_logs")}


def test_a_branchs_build_publishes_nothing_and_reads_no_installation() -> None:
    text = (ROOT / "cloudbuild.check.yaml").read_text()
    assert not re.findall(
        r"docker push|gcloud |terraform (?:init|plan|apply)|tfvars|STATE_BUCKET|SOURCE_BUCKET|serviceAccount|secret",
        text,
    )


def test_everything_follows_the_one_region() -> None:
    topic = resource(MESSAGING, "google_pubsub_topic", "topic")
    assert topic["message_storage_policy"][0]["allowed_persistence_regions"] == ["${var.region}"]
    (function,) = (one for one in modules()["."] if one.labels == ("function",))
    assert "GOOGLE_CLOUD_LOCATION = var.region" in function.body["environment"]
    named = re.compile(r'"(?:europe|us|asia|africa|me|australia|northamerica|southamerica)-\w+\d"|"global"')
    for folder, blocks in modules().items():
        if not folder.startswith("examples"):
            assert not [one.address for one in blocks if one.kind != "variable" and named.search(str(one.body))], folder


def test_the_account_that_plans_can_only_read() -> None:
    roles = {role for grant in grants() if "google_service_account.plan" in grant.member for role in grant.roles}
    readers = r"roles/(\w+\.(viewer|reader|networkViewer|securityReviewer|serviceUsageViewer|objectViewer)|browser)"
    assert roles
    assert not {role for role in roles if not re.fullmatch(readers, role)}


def test_the_deploying_account_changes_only_the_grants_of_the_project_that_infra_makes() -> None:
    (limited,) = (grant for grant in grants() if grant.name == "deploy_grants")
    condition = resource("pipeline", limited.resource, limited.name)["condition"][0]["expression"]
    allowed = set(re.findall(r"roles/[\w.]+", condition))
    made = {
        role
        for grant in grants()
        if grant.resource == "google_project_iam_member" and grant.module != "pipeline"
        for role in grant.roles
    }
    assert allowed == made


def test_nothing_reads_every_bucket_of_the_project() -> None:
    for grant in grants():
        if grant.resource == "google_project_iam_member" and any("storage" in role for role in grant.roles):
            body = resource(grant.module, grant.resource, grant.name)
            assert "projects/_/buckets/" in body["condition"][0]["expression"], grant.name


def test_examples_give_the_root_module_what_it_asks_for() -> None:
    sizes = set()
    for folder in ("examples/small", "examples/large"):
        (call,) = (one for one in modules()[folder] if one.kind == "module")
        sizes.add(plain(call.body["size"]))
    assert sizes == {"small", "large"}
