"""What imports what in verifleet: the modules' graph, its circles, and the rooms that stand on its floors.

    python -m tools.imports            circles, and which rooms each room imports
    python -m tools.imports serving    what a room imports of others, module by module

Imports inside functions count; those under `if TYPE_CHECKING:` do not, they are never run.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from functools import lru_cache

import grimp

PACKAGE = "verifleet"

Graph = Mapping[str, frozenset[str]]


@lru_cache(maxsize=1)
def graph() -> Graph:
    """Each module and the modules that it imports, by their names within the package."""
    found = grimp.build_graph(PACKAGE, exclude_type_checking_imports=True, cache_dir=None)
    return {
        _within(name): frozenset(map(_within, found.find_modules_directly_imported_by(name) - {PACKAGE}))
        for name in sorted(found.modules)
        if name != PACKAGE
    }


def rooms(of: Graph, folder: str = "") -> Graph:
    """The modules and folders that stand side by side in a folder, and which of them each imports."""
    found: dict[str, set[str]] = {}
    for name, targets in of.items():
        if (here := _beside(name, folder)) is not None:
            there = {_beside(target, folder) for target in targets} - {None, here}
            found.setdefault(here, set()).update(room for room in there if room is not None)
    return {name: frozenset(targets) for name, targets in found.items()}


def folders(of: Graph) -> list[str]:
    """All folders, the package itself as the empty name."""
    return sorted({name.rpartition(".")[0] for name in of})


def circles(of: Graph) -> list[list[str]]:
    """Groups of names that reach one another."""
    reached = {name: _reached(of, name) for name in of}
    groups = {tuple(sorted(other for other in reached[name] if name in reached[other])) for name in of}
    return sorted(list(group) for group in groups if len(group) > 1)


def _reached(of: Graph, start: str) -> set[str]:
    found: set[str] = set()
    waiting = [start]
    while waiting:
        for target in of.get(waiting.pop(), frozenset()) - found:
            found.add(target)
            waiting.append(target)
    return found


def _beside(name: str, folder: str) -> str | None:
    if not folder:
        return name.partition(".")[0]
    return name.removeprefix(folder + ".").partition(".")[0] if name.startswith(folder + ".") else None


def _within(name: str) -> str:
    return name.removeprefix(PACKAGE + ".")


def main() -> None:
    """Circles and rooms, or what one room imports."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("room", nargs="?", help="such as serving or agents.facts")
    room = parser.parse_args().room
    of = graph()
    if room is None:
        print("circles of modules:", circles(of) or "none")
        for folder in folders(of):
            for group in circles(rooms(of, folder)):
                print(f"circle of rooms in {folder or PACKAGE}:", *group)
        for name, targets in rooms(of).items():
            print(name, "->", *sorted(targets))
        return
    for name, targets in of.items():
        outside = sorted(target for target in targets if not f"{target}.".startswith(room + "."))
        if f"{name}.".startswith(room + ".") and outside:
            print(name, "->", *outside)


if __name__ == "__main__":
    main()
