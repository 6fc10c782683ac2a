"""Compares the table of docs/iam.md with the IAM members in infra/: nothing granted unexplained, nothing stale."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from tools.terraform_code import INFRA, grants

TABLE = INFRA.parent / "docs" / "iam.md"


def granted() -> set[tuple[str, str]]:
    """(resource in the code, role) of every grant; a resource is module/type.name."""
    return {(f"{grant.module}: {grant.resource}.{grant.name}", role) for grant in grants() for role in grant.roles}


def explained(page: Path = TABLE) -> set[tuple[str, str]]:
    """(resource in the code, role) of every row that has all its columns filled."""
    found = set()
    for line in page.read_text(encoding="utf-8").split("\n"):
        cells = [cell.strip().strip("`") for cell in line.strip("|").split("|")]
        if len(cells) == 5 and cells[0].startswith("roles/") and all(cells):
            found.add((cells[4], cells[0]))
    return found


def difference() -> Iterator[str]:
    """What the table lacks and what it has too much."""
    for where, role in sorted(granted() - explained()):
        yield f"docs/iam.md does not explain {role} of {where}"
    for where, role in sorted(explained() - granted()):
        yield f"docs/iam.md explains {role} of {where}, which infra/ does not grant"


def without_roles() -> list[str]:
    """IAM members whose role can't be read from the code."""
    return [f"{grant.module}: {grant.name}" for grant in grants() if not grant.roles]


def open_members() -> list[str]:
    """IAM members that would let everybody in."""
    everybody = re.compile(r"allUsers|allAuthenticatedUsers")
    return [grant.name for grant in grants() if everybody.search(grant.member)]
