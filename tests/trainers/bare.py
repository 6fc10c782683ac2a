"""Modules of a package that is installed without what it says it needs: nothing that its `__init__` imports."""

import importlib
import importlib.util
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest


def bare_module(name: str) -> Any:
    """The module, of packages that are left empty; skips where the package is not installed."""
    packages = name.split(".")[:-1]
    if packages[0] not in sys.modules:
        spec = importlib.util.find_spec(packages[0])
        if spec is None:
            pytest.skip(f"{packages[0]} is not installed", allow_module_level=True)
        paths = list(spec.submodule_search_locations or ())
        for length in range(1, len(packages) + 1):
            made = ModuleType(".".join(packages[:length]))
            made.__path__ = [str(Path(path, *packages[1:length])) for path in paths]
            sys.modules[made.__name__] = made
    return importlib.import_module(name)
