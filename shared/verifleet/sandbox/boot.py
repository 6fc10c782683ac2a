"""What starts the other side of the walls: an interpreter, and its source, which comes over stdin.

The keeper is started so, and where the walls are another's, each process of a run.
"""

from __future__ import annotations

import json
import os
import shutil
import struct
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import IO, Any

_FOLDER = Path(__file__).parent
_ROOMS = ("walls", "guest", "keeper")
# The keeper's interpreter: no site packages, no user folder, no current folder, nothing of our environment. A fixed
# hash seed makes a program's set order the same in every run.
_FLAGS = ("-s", "-S", "-P", "-B")
_ENVIRONMENT = {"PYTHONHASHSEED": "0", "PATH": os.defpath, "LD_BIND_NOW": "1"}
_BOOT = """
import json, os, sys
from importlib.machinery import ModuleSpec
def read(n):
    data = b""
    while len(data) < n:
        part = os.read(0, n - len(data))
        if not part: sys.exit(1)
        data += part
    return data
bundle = json.loads(read(int.from_bytes(read(4), "big")))
class Bundle:
    def find_spec(self, name, path=None, target=None):
        if name in bundle["modules"]:
            return ModuleSpec(name, self, is_package=name in bundle["packages"])
    def create_module(self, spec): return None
    def exec_module(self, module):
        exec(compile(bundle["modules"][module.__name__], "<" + module.__name__ + ">", "exec"), module.__dict__)
sys.meta_path.insert(0, Bundle())
from importlib import import_module
from verifleet.sandbox.keeper import memory
with memory.in_one_piece():
    main = import_module(bundle["main"])
    main.load(bundle["config"])
main.main(bundle["config"])
"""


def start(launcher: Sequence[str], errors: int | IO[bytes], *, session: bool = False) -> subprocess.Popen[bytes]:
    """An interpreter behind `launcher` that waits for a bundle on stdin, in a `session` of its own if wanted."""
    words = [*launcher, os.path.realpath(sys.executable), *_FLAGS, "-c", _BOOT]
    return subprocess.Popen(
        [shutil.which(words[0]) or words[0], *words[1:]],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=errors,
        env=_ENVIRONMENT,
        cwd="/",
        start_new_session=session,
    )


def bundle(main: str, config: dict[str, Any]) -> bytes:
    """All source for the other side, and which module's main to call with `config`."""
    data = json.dumps({**_modules(), "main": main, "config": config}).encode()
    return struct.pack(">I", len(data)) + data


def node_source() -> str:
    """What node is started with."""
    return "".join((_FOLDER / "guest" / name).read_text(encoding="utf-8") for name in ("test_runner.js", "worker.js"))


def frames(data: bytes) -> list[bytes]:
    """The complete frames in what a process wrote; a broken last one is dropped."""
    found, offset = [], 0
    while offset + 4 <= len(data):
        (length,) = struct.unpack_from(">I", data, offset)
        if offset + 4 + length > len(data):
            break
        found.append(data[offset + 4 : offset + 4 + length])
        offset += 4 + length
    return found


def _modules() -> dict[str, Any]:
    """Source of everything that runs on the other side, by module name."""
    modules = {"verifleet": "", "verifleet.sandbox": ""}
    for path in (path for room in _ROOMS for path in _FOLDER.glob(f"{room}/*.py")):
        name = f"verifleet.sandbox.{path.parent.name}"
        modules[name if path.stem == "__init__" else f"{name}.{path.stem}"] = path.read_text(encoding="utf-8")
    packages = ["verifleet", "verifleet.sandbox", *(f"verifleet.sandbox.{room}" for room in _ROOMS)]
    return {"modules": modules, "packages": packages}
