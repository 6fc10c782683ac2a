"""Settings: one frozen class, the only reader of the environment.

A wrong value stops the start with a SettingsError that names the variable and what is allowed.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import (
    AliasChoices,
    AliasGenerator,
    BeforeValidator,
    Field,
    ValidationError,
    ValidationInfo,
    field_validator,
)
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from verifleet.errors import SettingsError

MIB = 1024 * 1024
_VERIFIER_URL = r"^(math|code|knowledge|format)=https?://[^\s@?#]+$"


def _variable(field_name: str) -> str:
    return f"VERIFLEET_{field_name.upper()}"


def _words(value: object) -> object:
    return tuple(value.split()) if isinstance(value, str) else value


class Settings(BaseSettings):
    """All settings. Fields without an alias are read from VERIFLEET_<NAME>; empty values count as unset."""

    model_config = SettingsConfigDict(
        frozen=True,
        extra="ignore",
        env_ignore_empty=True,
        populate_by_name=True,
        alias_generator=AliasGenerator(validation_alias=_variable),
    )

    google_cloud_project: str = Field(
        "verifleet-local", validation_alias=AliasChoices("GOOGLE_CLOUD_PROJECT", "GCP_PROJECT")
    )
    prefix: str = Field(
        "",
        pattern=r"^([a-z][a-z0-9-]{0,6}-)?$",
        description="of the installation's names in its project, such as `stage-`; empty for the only one",
    )
    pubsub_emulator_host: str | None = Field(None, validation_alias="PUBSUB_EMULATOR_HOST")
    store: str = Field("sqlite:///.verifleet/store.db", pattern=r"^(sqlite:///.+|firestore(:.+)?)$")
    default_session: str = "default"
    data_dir: Path = Path(".verifleet")
    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = "INFO"

    otlp_endpoint: str | None = Field(
        None,
        validation_alias="OTEL_EXPORTER_OTLP_ENDPOINT",
        pattern=r"^https?://",
        description="where spans go over OTLP/HTTP (`/v1/traces` is added); none: nothing is traced",
    )

    max_http_bytes: int = Field(16 * MIB, ge=1024)
    max_bytes_in_hand: int = Field(
        64 * MIB, ge=1024, description="of the bodies of all requests that are being handled, beyond 64 KiB of each"
    )
    body_wait_s: float = Field(60.0, gt=0, description="within which a whole body must have come")
    connection_wait_s: float = Field(
        15.0, gt=0, description="how long a connection may be without a request's head, or without reading its answer"
    )
    caller_requests: int = Field(600, ge=1, description="requests of one caller under way at once in one process")
    max_message_bytes: int = Field(8 * MIB, ge=1024)
    ack_deadline_s: float = Field(60.0, gt=0, le=600, description="lease of an idempotency record")
    idempotency_ttl_s: float = Field(24 * 3600.0, gt=0)
    # Together below 10 s: a request that waits for one and then for the other is still answered 503 by then.
    publish_timeout_s: float = Field(4.0, gt=0, description="for one message, all attempts included")
    store_timeout_s: float = Field(4.0, gt=0, description="for one call of the store, all attempts included")

    push_checked_by_platform: bool = Field(
        False, description="a private Cloud Run service, which checks ID tokens and removes their signature"
    )
    push_audience: str | None = Field(None, description="audience of the ID tokens of Pub/Sub's pushes")
    push_account: str | None = Field(
        None, pattern=r"^[^@\s]+@[^@\s]+$", description="e-mail of the only account that may push; none: not checked"
    )
    push_certs_url: str = Field(
        "https://www.googleapis.com/oauth2/v1/certs", pattern=r"^https?://", description="other certificates, for tests"
    )

    readers: Annotated[tuple[str, ...], NoDecode, BeforeValidator(_words)] = Field(
        (), description="e-mails of accounts that may only read: whatever of theirs is no GET is refused"
    )
    verifier_urls: Annotated[
        tuple[Annotated[str, Field(pattern=_VERIFIER_URL)], ...], NoDecode, BeforeValidator(_words)
    ] = Field((), description="`math=https://...` and so on: verifiers whose `/metrics` the desk looks at; empty: none")
    alerts: str | None = Field(
        None, repr=False, description="YAML file of who is told of which changes, or its text, which has several lines"
    )
    stream_s: float = Field(
        60.0, gt=0, le=3600, description="how long one answer of /incidents/stream goes on; its client then asks again"
    )

    google_api_key: str | None = Field(
        None, validation_alias=AliasChoices("GOOGLE_API_KEY", "GEMINI_API_KEY"), repr=False
    )
    google_genai_use_vertexai: bool = Field(False, validation_alias="GOOGLE_GENAI_USE_VERTEXAI")
    google_cloud_location: str = Field("global", validation_alias="GOOGLE_CLOUD_LOCATION")
    google_gemini_base_url: str | None = Field(None, validation_alias="GOOGLE_GEMINI_BASE_URL")
    gemini_project: str | None = Field(None, description="project of Vertex AI, where it is another than the fleet's")
    gemini_model: str = "gemini-3.1-flash-lite"
    gemini_timeout_s: float = Field(8.0, gt=0)
    gemini_claims_per_minute: int = Field(60, ge=0)
    gemini_pairs_per_event: int = Field(
        8, ge=0, le=16, description="pairs that the rules leave open and Gemini judges, in one question; 0: none"
    )

    second_opinion_url: str | None = Field(
        None,
        pattern=r"^https?://[^\s@?#]+$",
        description="of an OpenAI-style model that is asked where a request has options.second_opinion; none: Gemini",
    )
    second_opinion_model: str = Field("", validate_default=True, description="its name there")
    second_opinion_key: str | None = Field(None, repr=False)
    second_opinion_timeout_s: float = Field(20.0, gt=0, le=120, description="for one opinion, which is two questions")

    summarizer_url: str | None = Field(None, validation_alias="SUMMARIZER_URL", pattern=r"^https?://")
    knowledge_base: str | None = Field(None, description="path or gs:// of a base made by `verifleet kb build`")
    source_rules: Path | None = Field(None, description="JSON file that decides a report's source by its publisher")

    code_runner_job: str | None = Field(None, description="projects/P/locations/L/jobs/J; none: a local process")
    run_api_endpoint: str | None = Field(None, description="other endpoint of the Cloud Run Admin API, for tests")
    runner_idle_s: float = Field(20.0, ge=0, description="a runner exits after this long without work")
    runner_connect_s: float = Field(180.0, gt=0, description="a runner that has not reached Pub/Sub by then fails")
    run_api_timeout_s: float = Field(4.0, gt=0, description="for one call of the Cloud Run Admin API")
    runner_parallel: int = Field(0, ge=0, description="requests under way at once in one runner; 0: 128")
    caller_programs: int = Field(
        100_000, ge=1, description="programs of one caller under way at once, counted in one process of code_verifier"
    )
    runner_max_tasks: int = Field(10, ge=1, le=10_000)
    runner_min_tasks: int = Field(0, ge=0, le=1000, description="runner tasks that are up without work, too")
    runner_backlog_per_task: int = Field(50, ge=1, description="executions that one runner task is expected to drain")
    sandbox_launcher: Annotated[tuple[str, ...], NoDecode, BeforeValidator(_words)] = Field(
        (), description="command put before the jail keeper, e.g. `/usr/local/gcp/bin/sandbox do --`"
    )
    sandbox_min_rung: Literal["A", "B", "C"] = Field("C", description="lowest isolation that is accepted")
    sandbox_packages: Annotated[tuple[Literal["numpy"], ...], NoDecode, BeforeValidator(_words)] = Field(
        (), description="offered to Python programs besides the standard library: `numpy`, which must be installed"
    )
    sandbox_languages: Annotated[tuple[Literal["cpp"], ...], NoDecode, BeforeValidator(_words)] = Field(
        (), description="that a runner must have besides Python, JavaScript and SQL: `cpp`, for which g++ is installed"
    )

    @field_validator("second_opinion_model")
    @classmethod
    def _model_is_named(cls, model: str, given: ValidationInfo) -> str:
        if not model and given.data.get("second_opinion_url"):
            raise ValueError("name the model that VERIFLEET_SECOND_OPINION_URL serves")
        return model

    @field_validator("push_account")
    @classmethod
    def _push_account_is_checkable(cls, account: str | None, given: ValidationInfo) -> str | None:
        if account and not given.data.get("push_checked_by_platform") and not given.data.get("push_audience"):
            raise ValueError(
                "set VERIFLEET_PUSH_AUDIENCE too, or VERIFLEET_PUSH_CHECKED_BY_PLATFORM=true on a private service"
            )
        return account


@lru_cache(maxsize=1)
def settings() -> Settings:
    """The process's settings, read once; raises SettingsError."""
    return load_settings()


def load_settings(**overrides: Any) -> Settings:
    """Read the environment; `overrides` by field name win. Raises SettingsError."""
    try:
        return Settings(**overrides)
    except ValidationError as error:
        problems = [f"{'.'.join(map(str, item['loc']))}: {item['msg']}" for item in error.errors(include_input=False)]
        raise SettingsError("wrong setting: " + "; ".join(problems)) from None
