"""docs/schemas is generated; `python -m tests.unit.test_schemas_are_current` writes it anew."""

import json
from pathlib import Path

import pytest

from verifleet.envelopes import json_schemas

FOLDER = Path(__file__).parents[2] / "docs" / "schemas"


def rendered() -> dict[str, str]:
    return {name: json.dumps(schema, indent=1, sort_keys=True) + "\n" for name, schema in json_schemas().items()}


@pytest.mark.parametrize("name", sorted(json_schemas()))
def test_the_published_schema_is_the_model(name: str) -> None:
    path = FOLDER / f"{name}.json"
    assert path.read_text() == rendered()[name], "run: python -m tests.unit.test_schemas_are_current"


def test_no_other_schema_is_published() -> None:
    assert {path.stem for path in FOLDER.glob("*.json")} == set(json_schemas())


if __name__ == "__main__":
    for name, text in rendered().items():
        (FOLDER / f"{name}.json").write_text(text)
