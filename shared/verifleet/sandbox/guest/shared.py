"""Mode `shared`: test program and solution in one process, where the test needs what a link can't carry.

A solution can reach the verdict here; results of this mode say so. What can be hardened is: the report carries a
number that arrives only after the solution is loaded, and frames sent before don't count.
"""

from __future__ import annotations

import json
import os
import sys
from typing import Any

from verifleet.sandbox.guest import judge, runner, shim


class _Shared:
    """What run_test_program wants to know of a judge."""

    def __init__(self, job: dict[str, Any], entry_point: Any) -> None:
        self.job, self.entry_point = job, entry_point
        self.checks = self.calls = 0


def run(job: dict[str, Any]) -> None:
    """Load the solution, then read the test program, run it, report."""
    read, send_frame, decode, encode = runner.read_exactly, runner.send_frame, json.loads, json.dumps
    namespace = runner.fresh_main(runner.ready_streams())
    namespace["__name__"] = "solution"
    sys.modules["solution"] = sys.modules["__main__"]
    failed = runner.execute(job["source"], namespace)
    if failed is not None:
        runner.send({**failed, "loading": True})
        runner.leave(1)
    size = int.from_bytes(read(4), "big")
    test = decode(read(size))
    functions = [value for value in namespace.values() if getattr(value, "__module__", "") == "solution"]
    entry_point = namespace.get(test.get("entry_point") or "candidate", functions[-1] if functions else None)
    if entry_point is not None:
        namespace.setdefault("candidate", entry_point)
    namespace["__name__"] = "__main__"
    shim.install(test["modules"], sys.modules["solution"])
    report = judge.run_test_program(_Shared(test, entry_point), namespace, test)
    send_frame(encode({**report, "number": test["number"]}).encode())
    os._exit(0)
