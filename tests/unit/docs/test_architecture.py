"""The map in docs/architecture.md is the house: floors, arrows and paths are those of the sources."""

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
MAP = (ROOT / "docs" / "architecture.md").read_text("utf-8")
PACKAGE = ROOT / "shared" / "verifleet"


def part(title: str) -> str:
    """The text below a heading."""
    return MAP.partition(f"## {title}\n")[2].partition("\n## ")[0]


def floors() -> list[set[str]]:
    """The rooms of each floor, from the top."""
    rows = re.findall(r"^\| \d \w.*?\| (.*?) \|", part("Floors"), re.MULTILINE)
    return [set(re.findall(r"`(\w+)`", row)) for row in rows]


def test_the_floors_are_those_that_make_check_holds() -> None:
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]["contracts"]
    [held] = [contract["layers"] for contract in contracts if contract.get("containers") == ["verifleet"]]
    assert floors() == [set(layer.split(" : ")) for layer in held]
    assert len(floors()) <= 7


def test_every_room_stands_on_a_floor_and_no_arrow_goes_back_up_or_round() -> None:
    from tools.imports import circles, folders, graph, rooms

    of = graph()
    height = {room: -n for n, floor in enumerate(floors()) for room in floor}
    arrows = rooms(of)
    assert arrows.keys() == height.keys()
    assert [(a, b) for a, targets in arrows.items() for b in targets if height[b] > height[a]] == []
    assert circles(of) == []
    assert [circle for folder in folders(of) for circle in circles(rooms(of, folder))] == []


@pytest.mark.parametrize(("walk", "most"), [("A request to `/verify`", 8), ("A report", 12), ("A program", 10)])
def test_a_walk_enters_few_files_and_each_once(walk: str, most: int) -> None:
    steps = part("Three walks, file by file").partition(f"**{walk}")[2].partition("\n\n")[0]
    files = re.findall(r"^\d+\. `([\w/]+\.py)`", steps, re.MULTILINE)
    assert 0 < len(files) <= most
    assert len({*files}) == len(files)
    assert [file for file in files if not (PACKAGE / file).is_file()] == []


def test_every_target_of_the_makefile_is_there_once_and_ci_checks_and_tests() -> None:
    makefile = (ROOT / "Makefile").read_text()
    targets = re.findall(r"^([a-z-]+):", makefile, re.MULTILINE)
    assert sorted(targets) == sorted(set(targets)), "make takes the last one and warns only"
    for target, tool in (("check", "mypy"), ("test", "pytest -n 3"), ("infra-check", "tools.infra_check")):
        assert tool in makefile.partition(f"\n{target}:")[2].partition("\n\n")[0]
    assert (ROOT / ".ci" / "run").read_text().split()[-4:] == ["make", "check", "make", "test"]
