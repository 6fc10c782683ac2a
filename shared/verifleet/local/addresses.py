"""Where things are on this machine: function sources, ports, addresses."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from verifleet.errors import SettingsError
from verifleet.messaging.topology import FUNCTIONS

BROKER = "broker"
PORTS: dict[str, int] = {
    BROKER: 8085,
    "ingest_agent": 8001,
    "verifier_agent": 8002,
    "summarizer_agent": 8003,
    "math_verifier": 8101,
    "code_verifier": 8102,
    "knowledge_verifier": 8103,
    "format_verifier": 8104,
}
HOST = "127.0.0.1"


@dataclass(frozen=True, slots=True)
class Addresses:
    """The ports of one fleet: the standard ones moved by `offset`."""

    offset: int = 0

    def port(self, name: str) -> int:
        """Port of the broker or of a function."""
        return PORTS[name] + self.offset

    def url(self, name: str) -> str:
        """Base URL of a function."""
        return f"http://{HOST}:{self.port(name)}"

    @property
    def broker(self) -> str:
        """What PUBSUB_EMULATOR_HOST takes."""
        return f"{HOST}:{self.port(BROKER)}"


def functions_folder() -> Path:
    """The folder with one sub-folder for each function; raises SettingsError where it is not there."""
    folder = Path(__file__).resolve().parents[3] / "functions"
    if not folder.is_dir():
        raise SettingsError(f"no functions in {folder}: run the fleet from a checkout (pip install -e .)")
    return folder


def function_source(name: str) -> Path:
    """main.py of a function; raises SettingsError for an unknown one."""
    if name not in FUNCTIONS:
        raise SettingsError(f"unknown function {name!r}; there are: {', '.join(FUNCTIONS)}")
    return functions_folder() / name / "main.py"
