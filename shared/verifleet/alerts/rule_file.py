"""The rules of alerts, one YAML file: targets by name, and which changes go to which of them."""

from __future__ import annotations

import base64
import binascii
import os
import re
from collections.abc import Mapping
from email.utils import parseaddr
from pathlib import Path
from typing import Annotated
from urllib.parse import urlsplit

from pydantic import AfterValidator, BaseModel, ConfigDict, Discriminator, Field, Tag, ValidationError, model_validator

from verifleet.alerts.changes import CHANGE_KINDS, Change, ChangeKind, reaches
from verifleet.errors import SettingsError, ShapeError
from verifleet.incident_views import IncidentRow, Severity

MAX_RULES_BYTES = 200_000
MAX_TARGETS = MAX_RULES = 50
VARIABLE = re.compile(r"env:(VERIFLEET_ALERT_[A-Z0-9_]+)")
"""How a value is kept out of the file; no other variable can be named, so that a file reads nothing else."""
WHSEC = "whsec_"
SHORTEST_SECRET = 24
"""Bytes of a webhook's secret."""
Name = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9_-]{0,39}$")]


def _url_of(*schemes: str) -> AfterValidator:
    def check(text: str) -> str:
        parts = urlsplit(text)
        if parts.scheme not in schemes or not parts.hostname or len(text) > 2_000 or not text.isprintable():
            raise ValueError(f"must be a URL that begins with {' or '.join(f'{scheme}://' for scheme in schemes)}")
        _ = parts.port  # raises ValueError
        return text

    return AfterValidator(check)


def _address(text: str) -> str:
    _, address = parseaddr(text)
    if not re.fullmatch(r"[^\s@<>,;:]+@[^\s@<>,;:]+", address) or not text.isprintable():
        raise ValueError("must be an e-mail address")
    return text


Address = Annotated[str, AfterValidator(_address)]


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class _Target(_Part):
    allow_private: bool = Field(False, description="may be inside a private network, and be spoken to without TLS")


class Webhook(_Target):
    """Takes alerts as signed JSON."""

    webhook: Annotated[str, _url_of("https", "http")]
    secret: str | None = Field(None, repr=False, description="whsec_ and 24 bytes or more in base64; signs")
    repeat_unsure: bool = Field(False, description="send again what may have arrived; the receiver goes by webhook-id")

    @property
    def key(self) -> bytes | None:
        """The bytes that sign."""
        return base64.b64decode(self.secret.removeprefix(WHSEC)) if self.secret else None

    @model_validator(mode="after")
    def _checked(self) -> Webhook:
        try:
            right = self.secret is None or (self.secret.startswith(WHSEC) and len(self.key or b"") >= SHORTEST_SECRET)
        except binascii.Error:
            right = False
        if not right:
            raise ValueError("secret must be whsec_ and at least 24 bytes in base64: openssl rand -base64 32")
        _encrypted(self.webhook, allow_private=self.allow_private)
        return self


class Slack(_Target):
    """Takes alerts as a chat's incoming webhook does: Slack, Mattermost, Rocket.Chat, Discord's /slack."""

    slack: Annotated[str, _url_of("https", "http")] = Field(repr=False)

    @model_validator(mode="after")
    def _checked(self) -> Slack:
        _encrypted(self.slack, allow_private=self.allow_private)
        return self


class Email(_Target):
    """Takes alerts as plain text by SMTP: smtps:// (465), or smtp:// (587), which then turns to TLS."""

    model_config = ConfigDict(populate_by_name=True)

    email: Annotated[list[Address], Field(min_length=1, max_length=50)]
    sender: Address = Field(alias="from")
    smtp: Annotated[str, _url_of("smtp", "smtps")]
    user: str | None = None
    password: str | None = Field(None, repr=False)

    @model_validator(mode="after")
    def _checked(self) -> Email:
        if (self.user is None) != (self.password is None):
            raise ValueError("user and password go together")
        return self


Target = Annotated[
    Annotated[Webhook, Tag("webhook")] | Annotated[Slack, Tag("slack")] | Annotated[Email, Tag("email")],
    Discriminator(lambda given: next((n for n in ("webhook", "slack", "email") if n in given), "webhook")),
]


def _encrypted(url: str, *, allow_private: bool) -> None:
    if not url.startswith("https://") and not allow_private:
        raise ValueError("what leaves the network goes by https: or say allow_private: true")


class Rule(_Part):
    """Which changes go to which targets; all that is given must hold."""

    name: Name
    to: Annotated[list[Name], Field(min_length=1)]
    changes: Annotated[list[ChangeKind], Field(min_length=1)] = list(CHANGE_KINDS)
    severity: Severity = Field("unknown", description="of the incident, at least")
    type: list[str] = Field([], description="event types; none: all")
    place: str | None = Field(None, description="a part of the incident's place")
    session: list[str] = Field([], description="session_ids; none: all")

    def fits(self, change: Change, session: str, row: IncidentRow) -> bool:
        """Whether a change of an incident goes to this rule's targets."""
        if change.kind not in self.changes or (self.session and session not in self.session):
            return False
        if self.type and row.event_type not in self.type:
            return False
        if self.place and self.place.casefold() not in (row.location or "").casefold():
            return False
        # An incident that was as severe before is not new to this rule.
        is_old = change.kind == "new" and reaches(change.before, self.severity)
        return reaches(change.severity, self.severity) and not is_old


class Rules(_Part):
    """All of the file."""

    desk: Annotated[str, _url_of("https", "http")] | None = Field(None, description="the page, linked from each alert")
    targets: Annotated[dict[Name, Target], Field(max_length=MAX_TARGETS)] = {}
    rules: Annotated[list[Rule], Field(max_length=MAX_RULES)] = []

    @model_validator(mode="after")
    def _targets_are_named(self) -> Rules:
        for rule in self.rules:
            unknown = [name for name in rule.to if name not in self.targets]
            if unknown:
                raise ValueError(f"rule {rule.name} names the target {unknown[0]}, which is not among the targets")
        return self

    def chosen(self, changes: list[Change], session: str, row: IncidentRow) -> dict[str, list[Change]]:
        """The changes that go to each target, each once however many rules name it."""
        found: dict[str, list[Change]] = {}
        for change in changes:
            names = (name for rule in self.rules if rule.fits(change, session, row) for name in rule.to)
            for name in dict.fromkeys(names):
                found.setdefault(name, []).append(change)
        return found


NO_RULES = Rules()


def read_rules(text: str, environment: Mapping[str, str] | None = None) -> Rules:
    """The rules in a YAML text; values `env:VERIFLEET_ALERT_...` come from the environment. Raises SettingsError."""
    import yaml

    if len(text) > MAX_RULES_BYTES:
        raise SettingsError(f"the rules of alerts are longer than {MAX_RULES_BYTES} characters")
    try:
        given = yaml.safe_load(text)
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        mark = getattr(error, "problem_mark", None)
        where = f"line {mark.line + 1}: " if mark else ""
        raise SettingsError(f"the rules of alerts are no YAML: {where}{getattr(error, 'problem', error)}") from None
    if not isinstance(given, dict):
        raise SettingsError("the rules of alerts have targets and rules: see docs/alerts.md")
    targets = given.get("targets")
    try:
        if isinstance(targets, dict):
            given["targets"] = {name: _filled(name, one, environment) for name, one in targets.items()}
        return Rules.model_validate(given)
    except ValidationError as error:
        raise SettingsError(f"the rules of alerts: {ShapeError.from_validation(error).message}") from None


def _filled(name: object, target: object, environment: Mapping[str, str] | None) -> object:
    if not isinstance(target, dict):
        return target
    known = os.environ if environment is None else environment
    filled = {}
    for field, value in target.items():
        named = VARIABLE.fullmatch(value) if isinstance(value, str) and value.startswith("env:") else None
        if isinstance(value, str) and value.startswith("env:") and (named is None or named[1] not in known):
            problem = "is not set" if named else "is no variable that begins with VERIFLEET_ALERT_"
            raise SettingsError(f"the rules of alerts: targets.{name}.{field}: {value[:100]} {problem}")
        filled[field] = known[named[1]] if named else value
    return filled


def load_rules(setting: str | None) -> Rules:
    """The rules that VERIFLEET_ALERTS gives: a path, or the text itself, which has several lines."""
    if setting is None:
        return NO_RULES
    if "\n" in setting:
        return read_rules(setting)
    try:
        return read_rules(Path(setting).read_text("utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(f"VERIFLEET_ALERTS={setting[:200]} can't be read: {error}") from None
