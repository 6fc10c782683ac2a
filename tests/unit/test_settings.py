"""Settings: read from the environment, checked, and refused in a sentence that never shows what was given."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from verifleet.errors import SettingsError
from verifleet.settings import Settings, load_settings

ROOT = Path(__file__).parents[2]


def test_values_come_from_the_variables_in_their_kinds_and_empty_ones_count_as_unset(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    given = {
        "GCP_PROJECT": "mine", "VERIFLEET_MAX_HTTP_BYTES": "2048", "VERIFLEET_STREAM_S": "1.5",
        "VERIFLEET_DATA_DIR": "/x", "VERIFLEET_PUSH_CHECKED_BY_PLATFORM": "True", "VERIFLEET_LOG_LEVEL": "",
        "VERIFLEET_READERS": " a@b  c@d ", "VERIFLEET_ALERTS": "rules: []\ntargets: {}\n",
    }  # fmt: skip
    for name, value in given.items():
        monkeypatch.setenv(name, value)
    read = load_settings(stream_s=3)
    assert (read.google_cloud_project, read.max_http_bytes, read.stream_s) == ("mine", 2048, 3)
    assert (read.data_dir, read.push_checked_by_platform, read.readers) == (Path("/x"), True, ("a@b", "c@d"))
    assert (read.log_level, read.alerts) == ("INFO", "rules: []\ntargets: {}\n")
    assert "max_http_bytes" in read.given
    assert "log_level" not in read.given
    monkeypatch.setenv("GOOGLE_CLOUD_PROJECT", "first")
    assert load_settings().google_cloud_project == "first"


@pytest.mark.parametrize(
    ("name", "value", "problem"),
    [
        ("VERIFLEET_LOG_LEVEL", "s3cret", "must be one of: DEBUG, INFO, WARNING, ERROR"),
        ("VERIFLEET_MAX_HTTP_BYTES", "s3cret", "must be a whole number"),
        ("VERIFLEET_MAX_HTTP_BYTES", "3", "must be at least 1024"),
        ("VERIFLEET_STREAM_S", "nan", "must be above 0"),
        ("VERIFLEET_STREAM_S", "3601", "must be at most 3600"),
        ("VERIFLEET_STREAM_S", "s3cret", "must be a number"),
        ("GOOGLE_GENAI_USE_VERTEXAI", "s3cret", "must be true or false"),
        ("VERIFLEET_STORE", "s3cret", "must be like ^(sqlite:///.+|firestore(:.+)?)$"),
        ("VERIFLEET_PREFIX", "stage-\n", "must be like ^([a-z][a-z0-9-]{0,6}-)?$"),
        ("VERIFLEET_VERIFIER_URLS", "math=https://x s3cret", "must be like "),
        ("VERIFLEET_SANDBOX_PACKAGES", "numpy s3cret", "must be one of: numpy"),
        ("VERIFLEET_PUSH_ACCOUNT", "s3cret@x", "set VERIFLEET_PUSH_AUDIENCE too"),
    ],
)
def test_a_wrong_value_is_refused_by_the_name_of_its_variable_and_never_shown(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str, problem: str
) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(SettingsError) as refused:
        load_settings()
    assert f"{name}: {problem}" in str(refused.value)
    assert "s3cret" not in str(refused.value)


def test_keys_and_rules_of_alerts_are_not_in_what_is_printed() -> None:
    assert "s3cret" not in repr(Settings(google_api_key="s3cret", second_opinion_key="s3cret", alerts="s3cret"))


def test_a_function_starts_without_the_packages_that_only_requests_need(tmp_path: Path) -> None:
    """What a cold start waits for is the framework's; these took a quarter of it."""
    program = f"""
import runpy, sys
for path in {[str(path) for path in sorted(ROOT.glob("functions/*/main.py"))]}:
    runpy.run_path(path)
print("known:", *sorted({{"pydantic", "google.pubsub_v1", "grpc", "a2a", "httpx", "numpy"}} & set(sys.modules)))
"""
    given = {**os.environ, "VERIFLEET_STORE": f"sqlite:///{tmp_path}/store.db"}
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, env=given)
    assert done.stdout.splitlines()[-1] == "known:"
