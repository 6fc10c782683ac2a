"""Pages and tools: what they name of this project, a path or a module, is there."""

import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from tools.site import MODULES

ROOT = Path(__file__).parents[3]
PACKAGE = ROOT / "shared" / "verifleet"
PAGES = [*(ROOT / f"{name}.md" for name in ("README", "CONTRIBUTING", "SECURITY")), *sorted(ROOT.glob("docs/**/*.md"))]
OURS = {"docs", "functions", "infra", "shared", "tests", "tools"}
ROOMS = {path.name for path in PACKAGE.iterdir() if path.is_dir()}
NOT_OURS = {"infra/workflow_executor.py", "infra/terraform.tfvars", "infra/.terraform.lock.hcl"}
"""A file of AReaL's, and two that a deployment writes."""
PATH = re.compile(r"(?<![\w/.:~$}-])(\w+(?:/[\w.*-]*\w)+)(?![\w/])")
MODULE = re.compile(r"(?<![\w/.:-])((?:verifleet|tools|tests)(?:\.[a-z]\w*)+)(?![\w/-])")


def named_paths(page: Path) -> Iterator[tuple[Path, str]]:
    """(where it should be, path) of each path of ours; capitals stand for any name."""
    ours = OURS if page.parent.name == "trainers" else OURS | ROOMS  # trainers have folders of such names, too
    for path in PATH.findall(page.read_text("utf-8")):
        first = path.partition("/")[0]
        if first in ours and path not in NOT_OURS and ("." in path or first in OURS):
            yield (ROOT if first in OURS else PACKAGE), re.sub(r"[A-Z][A-Z_]{2,}", "*", path)


def is_there(module: str) -> bool:
    """Whether a dotted name leads to a module, or to what a module says by that name."""
    parts = module.split(".")
    at = ROOT / "shared" if parts[0] == "verifleet" else ROOT
    for part, following in pairwise([*parts, ""]):
        at = at / part
        file = at.with_suffix(".py") if at.with_suffix(".py").is_file() else at / "__init__.py"
        if not at.is_dir() or (following and not (at / following).is_dir() and not (at / f"{following}.py").is_file()):
            return file.is_file() and (not following or re.search(rf"\b{following}\b", file.read_text()) is not None)
    return True


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_path_and_module_of_ours_that_a_page_names_is_there(page: Path) -> None:
    assert [path for where, path in named_paths(page) if not any(where.glob(path))] == []
    assert [module for module in MODULE.findall(page.read_text("utf-8")) if not is_there(module)] == []


def test_every_module_of_the_site_is_there_and_so_is_every_adapter() -> None:
    assert [module for module in MODULES if not is_there(f"verifleet.{module}")] == []
    adapters = {f"rewards.{path.stem}" for path in (PACKAGE / "rewards").glob("[a-z]*.py")}
    assert sorted(adapters - {*MODULES}) == [], "list it in tools/site.py"


@pytest.mark.parametrize(
    "name", ["verifleet.names", "tests.unit.test_rewards", "tools.no_such_tool", "verifleet.errors.No"]
)
def test_a_name_that_leads_nowhere_is_noticed(name: str) -> None:
    assert not is_there(name)
