"""YAML 1.2."""

from __future__ import annotations

from typing import Any


def parse_yaml(text: str) -> Any:
    """Decode YAML."""
    import yaml12

    return yaml12.parse_yaml(text)
