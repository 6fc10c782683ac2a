"""Mode `script`: a program that reads stdin and writes stdout. Only its output and exit code count, outside."""

from __future__ import annotations

from typing import Any

from verifleet.sandbox.guest import runner


def run(job: dict[str, Any]) -> None:
    """Run the program once."""
    namespace = runner.fresh_main()
    failed = runner.execute(job["source"], namespace)
    if failed is not None:
        runner.send(failed)
    runner.leave(0 if failed is None else 1)
