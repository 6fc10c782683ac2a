"""`python -m verifleet.jobs.code_runner --probe`: may programs be run here? Asked before a deployment takes traffic.

It starts the sandbox as the runner would, judges one program of each language, and says in one line of JSON on which
rung they were isolated and what the kernel offers.
"""

from __future__ import annotations

import json
import os
import platform
import shutil
from pathlib import Path
from typing import Any

from verifleet.errors import SandboxUnavailableError
from verifleet.settings import Settings
from verifleet.verification import parse_request

PROGRAMS: dict[str, dict[str, Any]] = {
    "python": {
        "response": "```python\nprint(input()[::-1])\n```",
        "reference": {"language": "python", "tests": [{"input": "abc", "output": "cba"}]},
    },
    "javascript": {
        "response": "```javascript\nfunction twice(n) { return 2 * n; }\n```",
        "reference": {
            "language": "javascript",
            "entry_point": "twice",
            "cases": [{"args": [21], "expected": 42}],
        },
    },
    "sql": {
        "response": "```sql\nSELECT name FROM towns WHERE people > 1000\n```",
        "reference": {
            "language": "sql",
            "schema": "CREATE TABLE towns (name TEXT, people INTEGER);"
            " INSERT INTO towns VALUES ('Ay', 10), ('Os', 5000);",
            "query": "SELECT name FROM towns WHERE people > 1000",
        },
    },
}
"""One request for each language, which a working sandbox scores 1."""
OFFERED: dict[str, dict[str, Any]] = {
    "numpy": {
        "response": "```python\nimport numpy as np\ndef total(xs):\n    return np.sum(xs)\n```",
        "reference": {"language": "python", "entry_point": "total", "cases": [{"args": [[1, 2, 3]], "expected": 6}]},
    },
    "cpp": {
        "response": "```cpp\n#include <iostream>\nint main() { int n; std::cin >> n; std::cout << 2 * n; }\n```",
        "reference": {"language": "cpp", "tests": [{"input": "21", "output": "42"}]},
    },
}
"""One for each package and language that may be offered, asked where it is."""


def probe(config: Settings) -> dict[str, Any]:
    """What the probe found; `ok` says whether programs may be run here."""
    from verifleet.jobs.isolation import sandbox_of
    from verifleet.verifiers.code import CodeVerifier

    with sandbox_of(config) as sandbox:
        try:
            rung, refusal = sandbox.rung, None
        except SandboxUnavailableError as error:
            rung, refusal = None, str(error)
        offered = {*config.sandbox_packages, *config.sandbox_languages, *(["cpp"] if sandbox.toolchain else [])}
        asked = PROGRAMS | {name: OFFERED[name] for name in sorted(offered)}
        verifier = CodeVerifier(sandbox=sandbox)
        languages = {} if refusal else {name: _judged(verifier, request) for name, request in asked.items()}
    ok = refusal is None and all(told["score"] == 1.0 for told in languages.values())
    found = {"ok": ok, "rung": rung, "min_rung": config.sandbox_min_rung, "languages": languages, "kernel": _kernel()}
    return found if refusal is None else {**found, "reason": refusal}


def report(config: Settings) -> int:
    """Print what the probe found as one line of JSON, as Cloud Logging reads it; the process's exit status."""
    found = probe(config)
    said = f"programs are isolated on rung {found['rung']}" if found["ok"] else "programs can't be run here"
    print(json.dumps({"severity": "INFO" if found["ok"] else "ERROR", "message": said, **found}), flush=True)
    return 0 if found["ok"] else 1


def _judged(verifier: Any, request: dict[str, Any]) -> dict[str, Any]:
    result = verifier.check(parse_request("code", request))
    return {"score": result.score, **({} if result.score == 1.0 else {"reason": result.reason})}


def _kernel() -> dict[str, Any]:
    """What decides the rung."""
    from verifleet.sandbox.walls.kernel import landlock_abi

    status = dict(line.split(":\t", 1) for line in _text("/proc/self/status").splitlines() if ":\t" in line)
    return {
        "release": platform.release(),
        "machine": platform.machine(),
        "cpus": os.cpu_count(),
        "user": os.geteuid(),
        "capabilities": status.get("CapEff", "").strip(),
        "seccomp": status.get("Seccomp", "").strip(),
        "landlock_abi": landlock_abi(),
        "user_namespaces": _text("/proc/sys/user/max_user_namespaces").strip(),
        "node": shutil.which("node"),
    }


def _text(path: str) -> str:
    try:
        return Path(path).read_text(encoding="utf-8")
    except OSError:
        return ""
