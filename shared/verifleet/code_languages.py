"""Languages of programs, and what each needs on the machine that runs them."""

from __future__ import annotations

import shutil
from typing import Final

NEEDED: Final[dict[str, str | None]] = {"python": None, "javascript": "node", "sql": None, "cpp": "g++"}
ON_THE_RUNNER: Final = ("python", "javascript", "sql")
"""What the runner's image always has."""


def installed_languages() -> list[str]:
    """Those whose programs can be judged on this machine."""
    return [name for name, needed in NEEDED.items() if needed is None or shutil.which(needed)]


def languages_line() -> str:
    """The same for people, with what the others need."""
    here = installed_languages()
    missing = [f"{name} (no {needed} on the PATH)" for name, needed in NEEDED.items() if name not in here]
    return ", ".join(here) + (f"; not installed: {', '.join(missing)}" if missing else "")
