"""Google's own emulators, where they are installed."""

import os
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Iterator

import pytest


@pytest.fixture(scope="session")
def firestore_emulator(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """host:port of a running Firestore emulator; skips where gcloud, its emulator or Java is missing."""
    if shutil.which("gcloud") is None or shutil.which("java") is None:
        pytest.skip("the Firestore emulator needs gcloud and Java")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{probe.getsockname()[1]}"
    log = tmp_path_factory.mktemp("firestore") / "emulator.log"
    command = ["gcloud", "emulators", "firestore", "start", f"--host-port={address}", "--quiet"]
    with log.open("wb") as output:
        process = subprocess.Popen(command, stdout=output, stderr=output, start_new_session=True)
    try:
        deadline = time.monotonic() + 40
        while "running" not in log.read_text(errors="replace"):
            if process.poll() is not None or time.monotonic() > deadline:
                pytest.skip(f"the Firestore emulator did not start: {log.read_text(errors='replace')[-300:]}")
            time.sleep(0.2)
        os.environ["FIRESTORE_EMULATOR_HOST"] = address
        yield address
    finally:
        os.environ.pop("FIRESTORE_EMULATOR_HOST", None)
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
