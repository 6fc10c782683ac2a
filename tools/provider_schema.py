"""A Terraform provider's schema, read from the classes that HashiCorp generates and publishes as an npm package.

Each resource has a folder lib/<name>. Its index.d.ts has one interface for each block, and the documentation link above
a field names the argument as Terraform spells it; its index.js has one class for each block, which tells the types, how
blocks nest, and what only the provider computes.
"""

from __future__ import annotations

import re
import tarfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

from tools.terraform_code import Block, is_block, plain

META = {"for_each", "count", "depends_on", "lifecycle", "provider", "provisioner", "connection"}

_INTERFACE = re.compile(r"export interface (\w+)[^{]*\{(.*?)\n\}", re.DOTALL)
_DOCUMENTED = re.compile(r"\{@link https://\S+#(\w+) ")
_OPTIONAL = re.compile(r"\s+readonly \w+(\?)?: ")

_CLASS = re.compile(r"\nclass (\w+) extends cdktf\.\w+ \{(.*?)\n\}", re.DOTALL)
_NESTED = re.compile(
    r"// (?P<name>\w+) - computed: (?P<computed>\w+), optional: (?P<optional>\w+), required: (?P<required>\w+)\n"
    r"\s+this\.\w+ = new (?P<class>[\w.]+)\(this, \"\w+\"(?:, (?P<set>true|false))?\)"
)
_GETTER = re.compile(
    r"\n    get \w+\(\) \{\n\s+return (?P<set>cdktf\.Fn\.tolist\()?this\.get(?P<type>\w+)Attribute\('(?P<name>\w+)'"
)
_SIMPLE = {"String": "string", "Number": "number", "Boolean": "bool"}

Nesting = Literal["one", "list", "set"]


@dataclass(frozen=True)
class Field:
    """An argument, a nested block or a computed attribute of a resource or block."""

    required: bool = False
    settable: bool = True
    type: Any = "string"
    """Terraform's name of the type, in JSON; of a block, None."""
    block: str | None = None
    nesting: Nesting = "one"


Blocks = Mapping[str, Mapping[str, Field]]
"""The fields of each block of a resource, by the block's class; the resource itself is ROOT."""
ROOT = ""


class ProviderSchema:
    """Resources of a provider, out of its package's archive. `provider` is the prefix of its resources' names."""

    def __init__(self, archive: Path, provider: str) -> None:
        self.provider = provider
        self._archive = archive
        self._blocks: dict[tuple[str, bool], Blocks] = {}

    @cached_property
    def _members(self) -> dict[str, str]:
        wanted = re.compile(r"package/lib/([\w-]+/index\.(?:d\.ts|js))$")
        members = {}
        with tarfile.open(self._archive) as archive:
            for member in archive:
                match = wanted.match(member.name)
                content = archive.extractfile(member) if match else None
                if match and content is not None:
                    members[match[1]] = content.read().decode()
        return members

    def blocks(self, type_: str, data: bool = False) -> Blocks:
        """Everything that a resource or data source has. Raises KeyError for one that the provider does not have."""
        if (type_, data) not in self._blocks:
            short = type_.removeprefix(f"{self.provider}_").replace("_", "-")
            folder = f"data-{self.provider}-{short}" if data else short
            if f"{folder}/index.js" not in self._members:
                raise KeyError(type_)
            self._blocks[type_, data] = self._read(folder)
        return self._blocks[type_, data]

    def arguments(self) -> set[str]:
        """What the provider's own block takes."""
        ((_, body),) = [
            (name, body)
            for name, body in _INTERFACE.findall(self._members["provider/index.d.ts"])
            if name.endswith("ProviderConfig")
        ]
        return {name for name, _ in _arguments(body)} - {"alias"}

    def attributes(self, type_: str, data: bool = False) -> set[str]:
        """What an expression may read of a resource: arguments, blocks and computed attributes."""
        return set(self.blocks(type_, data)[ROOT])

    def problems(self, block: Block) -> Iterator[str]:
        """What the provider would refuse of a resource or data block."""
        type_, data = block.labels[0], block.kind == "data"
        try:
            blocks = self.blocks(type_, data)
        except KeyError:
            yield f"{block.address}: the provider has no {block.kind} {type_}"
            return
        yield from _check(block.address, dict(block.body), ROOT, blocks, META)

    def _read(self, folder: str) -> Blocks:
        interfaces = dict(_INTERFACE.findall(self._members[f"{folder}/index.d.ts"]))
        classes = {name: body for name, body in _CLASS.findall(self._members[f"{folder}/index.js"])}
        (root,) = (name for name in classes if f"{name}Config" in interfaces)
        found = {ROOT: _fields(classes[root], interfaces[f"{root}Config"])}
        for name, body in classes.items():
            if name.endswith("OutputReference"):
                block = name.removesuffix("OutputReference")
                found[block] = _fields(body, interfaces.get(block, ""))
        for fields in found.values():
            for name, field in fields.items():
                if not field.settable and field.block:
                    fields[name] = Field(settable=False, type=_object_type(found, field))
        return found


def _object_type(blocks: Blocks, field: Field) -> Any:
    """The type of a computed list of objects; a block otherwise."""
    if field.block is None:
        return field.type
    inside = {name: _object_type(blocks, one) for name, one in blocks[field.block].items()}
    return ["set" if field.nesting == "set" else "list", ["object", inside]]


def _type(getter: str) -> Any:
    """String, NumberList, BooleanMap and so on."""
    for suffix, collection in (("Map", "map"), ("List", "list")):
        if getter.endswith(suffix):
            return [collection, _type(getter.removesuffix(suffix) or "String")]
    return _SIMPLE[getter]


def _arguments(interface: str) -> Iterator[tuple[str, bool]]:
    """(name, whether it is required) of what may be given."""
    name = ""
    for line in interface.split("\n"):
        if documented := _DOCUMENTED.search(line):
            name = documented[1]
        elif field := _OPTIONAL.match(line):
            yield name, field[1] is None


def _fields(class_: str, interface: str) -> dict[str, Field]:
    arguments = dict(_arguments(interface))
    fields = {"id": Field(settable=False)} if "terraformResourceType" in class_ else {}
    for match in _GETTER.finditer(class_):
        name, type_ = match["name"], _type(match["type"])
        fields[name] = Field(
            arguments.get(name, False), name in arguments, ["set", type_[1]] if match["set"] else type_
        )
    for match in _NESTED.finditer(class_):
        kind, name = match["class"], match["name"]
        if map_of := re.fullmatch(r"cdktf\.(\w+Map)", kind):
            fields[name] = Field(settable=False, type=_type(map_of[1]))
            continue
        nesting: Nesting = "one" if kind.endswith("OutputReference") else "set" if match["set"] == "true" else "list"
        block = kind.removesuffix("OutputReference").removesuffix("List")
        fields[name] = Field(arguments.get(name, False), name in arguments, None, block, nesting)
    return fields


def _check(where: str, body: dict[str, Any], block: str, blocks: Blocks, meta: set[str]) -> Iterator[str]:
    fields = blocks[block]
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
        elif name not in fields or not fields[name].settable:
            yield f"{where}: there is no argument {name}"
        elif fields[name].block:
            yield f"{where}: {name} is a block, not an argument"
    for name, field in fields.items():
        if field.required and name not in given:
            yield f"{where}: {name} is required"


def _check_block(where: str, name: str, bodies: Any, fields: Mapping[str, Field], blocks: Blocks) -> Iterator[str]:
    if name not in fields or not fields[name].settable:
        yield f"{where}: there is no block {name}"
        return
    block = fields[name].block
    if block is None:
        yield f"{where}: {name} is an argument, not a block"
        return
    for body in bodies:
        yield from _check(f"{where}.{name}", body, block, blocks, set())
