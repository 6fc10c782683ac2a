"""The Google provider's schema, read from the types that HashiCorp generates from it and publishes as an npm package.

Each resource has a file lib/<name>/index.d.ts with one interface for each block; the documentation link above a
field names the argument as Terraform spells it.
"""

from __future__ import annotations

import re
import tarfile
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from tools.terraform_code import Block, is_block, plain

META = {"for_each", "count", "depends_on", "lifecycle", "provider", "provisioner", "connection"}

_INTERFACE = re.compile(r"export interface (\w+)[^{]*\{(.*?)\n\}", re.DOTALL)
_DOCUMENTED = re.compile(r"\{@link https://\S+#(\w+) ")
_FIELD = re.compile(r"\s+readonly \w+(\?)?: (\w+)?")
_GETTER = re.compile(r"\n    (?:get (\w+)\(\)|readonly (\w+):)")


@dataclass(frozen=True)
class Field:
    """An argument or a nested block of a resource."""

    required: bool
    block: str | None


class ProviderSchema:
    """Resources of the provider, out of the package's archive."""

    def __init__(self, archive: Path) -> None:
        self._archive = archive
        self._texts: dict[str, str] = {}

    @cached_property
    def _members(self) -> dict[str, bytes]:
        wanted = re.compile(r"package/lib/([\w-]+)/index\.d\.ts$")
        members = {}
        with tarfile.open(self._archive) as archive:
            for member in archive:
                match = wanted.match(member.name)
                content = archive.extractfile(member) if match else None
                if match and content is not None:
                    members[match[1]] = content.read()
        return members

    def _text(self, type_: str, data: bool = False) -> str:
        short = type_.removeprefix("google_").replace("_", "-")
        name = f"data-google-{short}" if data else short
        if name not in self._members:
            raise KeyError(type_)
        return self._members[name].decode()

    def blocks(self, type_: str, data: bool = False) -> dict[str, dict[str, Field]]:
        """Fields of each block by interface name; the resource itself is the one whose name ends in Config first."""
        text = self._text(type_, data)
        bodies = dict(_INTERFACE.findall(text))
        return {name: dict(_fields(body, bodies)) for name, body in bodies.items()}

    def attributes(self, type_: str, data: bool = False) -> set[str]:
        """What an expression may read of a resource: arguments and computed attributes."""
        text = self._text(type_, data)
        return {_snake(first or second) for first, second in _GETTER.findall(text)} | {"id"}

    def problems(self, block: Block) -> Iterator[str]:
        """What the provider would refuse of a resource or data block."""
        type_, data = block.labels[0], block.kind == "data"
        try:
            blocks = self.blocks(type_, data)
        except KeyError:
            yield f"{block.address}: the provider has no {block.kind} {type_}"
            return
        root = next(name for name in blocks if name.endswith("Config") and "static" not in name)
        yield from _check(block.address, dict(block.body), root, blocks, META)


def _fields(body: str, bodies: dict[str, str]) -> Iterator[tuple[str, Field]]:
    name = ""
    for line in body.split("\n"):
        if documented := _DOCUMENTED.search(line):
            name = documented[1]
        elif field := _FIELD.match(line):
            yield name, Field(field[1] is None, field[2] if field[2] in bodies else None)


def _check(where: str, body: dict[str, Any], type_: str, blocks: Any, meta: set[str]) -> Iterator[str]:
    fields = blocks[type_]
    given: set[str] = set()
    for name, value in body.items():
        if name in meta or name.startswith("__"):
            continue
        if name == "dynamic":
            for dynamic in value:
                for label, inside in dynamic.items():
                    given.add(plain(label))
                    yield from _check_block(where, plain(label), inside["content"], fields, blocks)
            continue
        given.add(name)
        if is_block(value):
            yield from _check_block(where, name, value, fields, blocks)
        elif name not in fields:
            yield f"{where}: there is no argument {name}"
        elif fields[name].block:
            yield f"{where}: {name} is a block, not an argument"
    for name, field in fields.items():
        if field.required and name not in given:
            yield f"{where}: {name} is required"


def _check_block(where: str, name: str, bodies: Any, fields: Any, blocks: Any) -> Iterator[str]:
    if name not in fields:
        yield f"{where}: there is no block {name}"
    elif fields[name].block is None:
        yield f"{where}: {name} is an argument, not a block"
    else:
        for body in bodies:
            yield from _check(f"{where}.{name}", body, fields[name].block, blocks, set())


def _snake(camel: str) -> str:
    return re.sub(r"(?<!^)([A-Z])", r"_\1", camel).lower()
