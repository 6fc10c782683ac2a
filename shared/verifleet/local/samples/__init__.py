"""Sample reports and verification requests, each with what it should get."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any


def load(name: str) -> list[dict[str, Any]]:
    """The rows of `reports` or `requests`."""
    text = files(__name__).joinpath(f"{name}.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]
