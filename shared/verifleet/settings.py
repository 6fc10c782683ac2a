"""Settings: one frozen class, the only reader of the environment.

A wrong value stops the start with a SettingsError that names the variable and what is allowed. Plain data and its own
checks: the packages that would do this are most of what a function's cold start would cost.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import Field, dataclass, field, fields, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

from verifleet.errors import SettingsError

MIB = 1024 * 1024
_VERIFIER_URL = r"^(math|code|knowledge|format)=https?://[^\s@?#]+$"

_TRUE, _FALSE = frozenset({"1", "true", "t", "yes", "y", "on"}), frozenset({"0", "false", "f", "no", "n", "off"})


@dataclass(frozen=True, slots=True)
class Allowed:
    """What a setting may be, each word of one that is several; and the variables that give it, the first one first."""

    variables: tuple[str, ...]
    pattern: str | None
    one_of: tuple[str, ...]
    least: float | None
    above: float | None
    most: float | None
    description: str

    def problem(self, value: Any) -> str | None:
        """What is wrong with a value; None for one that is allowed."""
        for one in value if isinstance(value, tuple) else (value,):
            if self.one_of and one not in self.one_of:
                return f"must be one of: {', '.join(self.one_of)}"
            if self.pattern and ("\n" in one or not re.search(self.pattern, one)):
                return f"must be like {self.pattern}"
        if self.least is not None and not value >= self.least:
            return f"must be at least {self.least:g}"
        if self.above is not None and not value > self.above:
            return f"must be above {self.above:g}"
        return f"must be at most {self.most:g}" if self.most is not None and not value <= self.most else None


def _setting(
    default: Any,
    *,
    variables: tuple[str, ...] = (),
    pattern: str | None = None,
    one_of: tuple[str, ...] = (),
    least: float | None = None,
    above: float | None = None,
    most: float | None = None,
    description: str = "",
    repr: bool = True,
) -> Any:
    allowed = Allowed(variables, pattern, one_of, least, above, most, description)
    return field(default=default, repr=repr, metadata={"allowed": allowed})


@dataclass(frozen=True, kw_only=True)
class Settings:
    """All settings; `given` names those that are set.

    Those without variables of their own are read from VERIFLEET_<NAME>; empty values count as unset.
    """

    google_cloud_project: str = _setting("verifleet-local", variables=("GOOGLE_CLOUD_PROJECT", "GCP_PROJECT"))
    prefix: str = _setting(
        "",
        pattern=r"^([a-z][a-z0-9-]{0,6}-)?$",
        description="of the installation's names in its project, such as `stage-`; empty for the only one",
    )
    pubsub_emulator_host: str | None = _setting(None, variables=("PUBSUB_EMULATOR_HOST",))
    store: str = _setting("sqlite:///.verifleet/store.db", pattern=r"^(sqlite:///.+|firestore(:.+)?)$")
    default_session: str = "default"
    data_dir: Path = Path(".verifleet")
    log_level: str = _setting("INFO", one_of=("DEBUG", "INFO", "WARNING", "ERROR"))

    otlp_endpoint: str | None = _setting(
        None,
        variables=("OTEL_EXPORTER_OTLP_ENDPOINT",),
        pattern=r"^https?://",
        description="where spans go over OTLP/HTTP (`/v1/traces` is added); none: nothing is traced",
    )

    max_http_bytes: int = _setting(16 * MIB, least=1024)
    max_bytes_in_hand: int = _setting(
        64 * MIB, least=1024, description="of the bodies of all requests that are being handled, beyond 64 KiB of each"
    )
    body_wait_s: float = _setting(60.0, above=0, description="within which a whole body must have come")
    connection_wait_s: float = _setting(
        15.0,
        above=0,
        description="how long a connection may be without a request's head, or without reading its answer",
    )
    caller_requests: int = _setting(600, least=1, description="requests of one caller under way at once in one process")
    max_message_bytes: int = _setting(8 * MIB, least=1024)
    ack_deadline_s: float = _setting(60.0, above=0, most=600, description="lease of an idempotency record")
    idempotency_ttl_s: float = _setting(24 * 3600.0, above=0)
    # Together below 10 s: a request that waits for one and then for the other is still answered 503 by then.
    publish_timeout_s: float = _setting(4.0, above=0, description="for one message, all attempts included")
    store_timeout_s: float = _setting(4.0, above=0, description="for one call of the store, all attempts included")

    push_checked_by_platform: bool = _setting(
        False, description="a private Cloud Run service, which checks ID tokens and removes their signature"
    )
    push_audience: str | None = _setting(None, description="audience of the ID tokens of Pub/Sub's pushes")
    push_account: str | None = _setting(
        None, pattern=r"^[^@\s]+@[^@\s]+$", description="e-mail of the only account that may push; none: not checked"
    )
    push_certs_url: str = _setting(
        "https://www.googleapis.com/oauth2/v1/certs", pattern=r"^https?://", description="other certificates, for tests"
    )

    readers: tuple[str, ...] = _setting(
        (), description="e-mails of accounts that may only read: whatever of theirs is no GET is refused"
    )
    verifier_urls: tuple[str, ...] = _setting(
        (),
        pattern=_VERIFIER_URL,
        description="`math=https://...` and so on: verifiers whose `/metrics` the desk looks at; empty: none",
    )
    alerts: str | None = _setting(
        None, repr=False, description="YAML file of who is told of which changes, or its text, which has several lines"
    )
    stream_s: float = _setting(
        60.0,
        above=0,
        most=3600,
        description="how long one answer of /incidents/stream goes on; its client then asks again",
    )

    google_api_key: str | None = _setting(None, variables=("GOOGLE_API_KEY", "GEMINI_API_KEY"), repr=False)
    google_genai_use_vertexai: bool = _setting(False, variables=("GOOGLE_GENAI_USE_VERTEXAI",))
    google_cloud_location: str = _setting("global", variables=("GOOGLE_CLOUD_LOCATION",))
    google_gemini_base_url: str | None = _setting(None, variables=("GOOGLE_GEMINI_BASE_URL",))
    gemini_project: str | None = _setting(
        None, description="project of Vertex AI, where it is another than the fleet's"
    )
    gemini_model: str = "gemini-3.1-flash-lite"
    gemini_timeout_s: float = _setting(8.0, above=0)
    gemini_claims_per_minute: int = _setting(60, least=0)
    gemini_pairs_per_event: int = _setting(
        8, least=0, most=16, description="pairs that the rules leave open and Gemini judges, in one question; 0: none"
    )

    second_opinion_url: str | None = _setting(
        None,
        pattern=r"^https?://[^\s@?#]+$",
        description="of an OpenAI-style model that is asked where a request has options.second_opinion; none: Gemini",
    )
    second_opinion_model: str = _setting("", description="its name there")
    second_opinion_key: str | None = _setting(None, repr=False)
    second_opinion_timeout_s: float = _setting(
        20.0, above=0, most=120, description="for one opinion, which is two questions"
    )

    summarizer_url: str | None = _setting(None, variables=("SUMMARIZER_URL",), pattern=r"^https?://")
    knowledge_base: str | None = _setting(None, description="path or gs:// of a base made by `verifleet kb build`")
    source_rules: Path | None = _setting(  # noqa: RUF009 - a field
        None, description="JSON file that decides a report's source by its publisher"
    )

    code_runner_job: str | None = _setting(None, description="projects/P/locations/L/jobs/J; none: a local process")
    run_api_endpoint: str | None = _setting(None, description="other endpoint of the Cloud Run Admin API, for tests")
    runner_idle_s: float = _setting(20.0, least=0, description="a runner exits after this long without work")
    runner_connect_s: float = _setting(
        180.0, above=0, description="a runner that has not reached Pub/Sub by then fails"
    )
    run_api_timeout_s: float = _setting(4.0, above=0, description="for one call of the Cloud Run Admin API")
    runner_parallel: int = _setting(0, least=0, description="requests under way at once in one runner; 0: 128")
    caller_programs: int = _setting(
        100_000,
        least=1,
        description="programs of one caller under way at once, counted in one process of code_verifier",
    )
    runner_max_tasks: int = _setting(10, least=1, most=10_000)
    runner_min_tasks: int = _setting(0, least=0, most=1000, description="runner tasks that are up without work, too")
    runner_backlog_per_task: int = _setting(
        50, least=1, description="executions that one runner task is expected to drain"
    )
    sandbox_launcher: tuple[str, ...] = _setting(
        (), description="command put before the jail keeper, e.g. `/usr/local/gcp/bin/sandbox do --`"
    )
    sandbox_min_rung: Literal["A", "B", "C"] = _setting(
        "C", one_of=("A", "B", "C"), description="lowest isolation that is accepted"
    )
    sandbox_packages: tuple[str, ...] = _setting(
        (),
        one_of=("numpy",),
        description="offered to Python programs besides the standard library: `numpy`, which must be installed",
    )
    sandbox_languages: tuple[str, ...] = _setting(
        (),
        one_of=("cpp",),
        description="that a runner must have besides Python, JavaScript and SQL: `cpp`, for which g++ is installed",
    )

    given: frozenset[str] = frozenset()


SETTINGS = {one.name: one for one in fields(Settings) if one.name != "given"}


def allowed(setting: Field[Any]) -> Allowed:
    """What a field of the settings may be, and the variables that give it."""
    told: Allowed = setting.metadata.get("allowed") or _ANY
    return told if told.variables else replace(told, variables=(f"VERIFLEET_{setting.name.upper()}",))


@lru_cache(maxsize=1)
def settings() -> Settings:
    """The process's settings, read once; raises SettingsError."""
    return load_settings()


def load_settings(**overrides: Any) -> Settings:
    """Read the environment; `overrides` by field name win. Raises SettingsError."""
    values: dict[str, Any] = {}
    problems = []
    for one in SETTINGS.values():
        limits = allowed(one)
        found = {variable: os.environ[variable] for variable in limits.variables if os.environ.get(variable)}
        name, given = next(iter(found.items()), (one.name, None))
        if one.name in overrides:
            name, given = one.name, overrides[one.name]
        elif given is None:
            continue
        try:
            values[one.name] = value = _read(str(one.type), given)
        except ValueError as error:
            problems.append(f"{name}: {error}")
            continue
        problem = limits.problem(value) if value is not None else None
        problems += [f"{name}: {problem}"] if problem else []
    if not problems:
        problems = list(_contradictions(made := Settings(**values, given=frozenset(values))))
    if problems:
        # Never the value itself, which may be a key.
        raise SettingsError("wrong setting: " + "; ".join(problems))
    return made


def _contradictions(made: Settings) -> Iterator[str]:
    if made.second_opinion_url and not made.second_opinion_model:
        yield "VERIFLEET_SECOND_OPINION_MODEL: name the model that VERIFLEET_SECOND_OPINION_URL serves"
    if made.push_account and not made.push_checked_by_platform and not made.push_audience:
        yield (
            "VERIFLEET_PUSH_ACCOUNT: set VERIFLEET_PUSH_AUDIENCE too, or VERIFLEET_PUSH_CHECKED_BY_PLATFORM=true "
            "on a private service"
        )


def _read(kind: str, given: Any) -> Any:
    """A value of a kind out of text; what is none already stays as it is. Raises ValueError."""
    return _READERS[re.split(r"\W", kind)[0]](given) if isinstance(given, str) else given


def _whole(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise ValueError("must be a whole number") from None


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise ValueError("must be a number") from None


def _flag(text: str) -> bool:
    told = text.strip().lower()
    if told not in _TRUE | _FALSE:
        raise ValueError("must be true or false")
    return told in _TRUE


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


_READERS: Mapping[str, Callable[[str], Any]] = {
    "str": str, "Literal": str, "int": _whole, "float": _number, "bool": _flag, "Path": Path, "tuple": _words,
}  # fmt: skip
_ANY = Allowed((), None, (), None, None, None, "")
