"""`make test-trainers`: the trainers' own packages call our rewards, each in a venv made on first use.

A package that can't be installed here is told; what its calls look like stays recorded in
tests/unit/rewards/test_rewards.py.
"""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass

from tools.toolbox import ROOT
from tools.trainers import TORCH, TRL, python_with, versions


@dataclass(frozen=True)
class Trainer:
    """A package, what its tests import besides, and the packages that come without all they say they need."""

    name: str
    tests: str
    packages: tuple[str, ...]
    bare: tuple[str, ...] = ()


PAGES = str(ROOT / "tests" / "unit" / "test_docs_trainers.py")
"""Examples of the documentation, of which some import a trainer's package."""
TRAINERS = (
    Trainer("trl", "test_trl.py", (TORCH, TRL)),
    Trainer(
        "verl",
        "test_verl.py",
        (
            TORCH,
            "transformers<5.11",
            "ray",
            "tensordict<=0.10.0",
            "hydra-core",
            "codetiming",
            "pandas",
            "datasets",
            "aiohttp",
        ),
        ("verl==0.9.1",),
    ),
    Trainer(
        "ms-swift",
        "test_swift.py",
        (
            TORCH,
            "transformers<5.20",
            "trl<1",
            "modelscope",
            "peft<0.21",
            "json_repair",
            "dacite",
            "datasets<4.8.5",
            "pillow",
        ),
        ("ms-swift==4.6.0",),
    ),
    Trainer("verifiers", "test_verifiers.py", ("verifiers==0.4.0",)),
    Trainer("verifiers-v0", "test_verifiers.py", ("verifiers==0.3.1",)),
    Trainer("reasoning-gym", "test_reasoning_gym.py", ("reasoning-gym==0.1.25",)),
    Trainer("skyrl-gym", "test_skyrl.py", ("skyrl-gym==0.4.0",)),
    Trainer(
        "nemo-gym",
        "test_nemo_gym.py",
        (
            "openai==2.44.0",
            "fastapi",
            "omegaconf",
            "hydra-core",
            "rich",
            "orjson",
            "pandas",
            "scipy",
            "devtools",
            "itsdangerous",
            "psutil",
            "tqdm",
            "requests",
            "aiohttp",
            "uvicorn",
            "httptools",
            "uvloop",
            "PyJWT",
            "mcp<2",
            "pydot",
            "yappi",
            "ray",
            "wandb",
        ),
        ("--ignore-requires-python", "nemo-gym==0.7.0"),
    ),
    Trainer("openrlhf", "test_openrlhf.py", ("aiohttp",), ("openrlhf==0.11.2",)),
    Trainer("areal", "test_areal.py", ("colorlog",), ("areal==1.0.4",)),
)


def main() -> int:
    """Test all of them, or those that are named; 1 if any test failed."""
    failed: list[str] = []
    wanted = sys.argv[1:]
    for trainer in TRAINERS:
        if not wanted or trainer.name in wanted:
            failed += [] if _passes(trainer) else [trainer.name]
    print(f"FAILED: {', '.join(failed)}" if failed else "all that could be installed pass")
    return bool(failed)


def _passes(trainer: Trainer) -> bool:
    package = trainer.name.removesuffix("-v0")
    print(f"--- {trainer.name}", flush=True)
    try:
        python = python_with(trainer.name, *trainer.packages, bare=trainer.bare)
    except SystemExit as error:
        reason = str(error).strip().splitlines()[-1]
        print(f"    not to be had here ({reason}): its recorded shapes stand in, tests/unit/rewards/test_rewards.py")
        return True
    also = [name for name in ("torch", "transformers") if any(one.startswith(name) for one in trainer.packages)]
    print(f"    {versions(python, package, *also)}", flush=True)
    tests = ["--noconftest", "-o", "filterwarnings=default", "-p", "no:cacheprovider", "-p", "no:warnings"]
    command = [str(python), "-m", "pytest", *tests, str(ROOT / "tests" / "trainers" / trainer.tests), PAGES]
    return subprocess.run(command, cwd=ROOT, env={**os.environ, "HF_HUB_OFFLINE": "1"}, check=False).returncode == 0


if __name__ == "__main__":
    sys.exit(main())
