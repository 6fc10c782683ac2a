"""The code verifier of this machine, one for each file that has none of its own."""

from collections.abc import Iterator

import pytest

from tests.unit.solutions import code_verifier
from verifleet.verifiers.code import CodeVerifier


@pytest.fixture(scope="module")
def verifier() -> Iterator[CodeVerifier]:
    with code_verifier() as verifier:
        yield verifier
