"""Asking a summarizer agent about incidents, on this machine or by URL."""

from __future__ import annotations

import json
import time
import uuid
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NamedTuple, Self
from urllib.parse import quote

import httpx

from verifleet.errors import SettingsError, ShapeError, TransientError
from verifleet.identity import identity_headers
from verifleet.local.addresses import Addresses
from verifleet.settings import settings

Json = dict[str, Any]

TIMEOUT_S = 30.0
SILENCE_S = 45.0
"""A stream says that it is alive more often than that."""
AGAIN_S = 1.0
TIMES = 5
"""So often it is asked while nobody answers: a function that restarts is away for moments."""
PAGE = 200
MAX_LOOKED_THROUGH = 5_000
AWAY = (502, 503, 504)
SHORT = 8
"""Characters of an incident's id that lists show, and that commands take for it."""


class Listed(NamedTuple):
    """Incidents; the time from which on to listen for more; whether there are others after them."""

    rows: list[Json]
    as_of: str
    more: bool


def default_session() -> str | None:
    """The session that this environment names, as `publish` takes it; None: whichever the agent's is."""
    config = settings()
    return config.default_session if "default_session" in config.given else None


class Asker:
    """Asks about the incidents of one session; raises SettingsError, ShapeError and TransientError.

    Args:
        url: the summarizer agent's; by default that of the fleet on this machine.
        session: which session; by default VERIFLEET_DEFAULT_SESSION, else the agent's default one.
        port_offset: of the fleet on this machine.
    """

    def __init__(self, url: str | None, session: str | None, port_offset: int = 0) -> None:
        self.url = (url or Addresses(port_offset).url("summarizer_agent")).rstrip("/")
        self.session = session or default_session()
        self._client = httpx.Client(timeout=TIMEOUT_S, trust_env=False)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._client.close()

    def incidents(self, most: int, **filters: str | None) -> Listed:
        """At most so many incidents, those that changed last first."""
        rows: list[Json] = []
        cursor, as_of = None, ""
        while True:
            page = self._get("/incidents", **filters, limit=str(min(PAGE, most - len(rows))), cursor=cursor)
            rows += page["incidents"]
            as_of = as_of or page["as_of"]
            cursor = page["next"]
            if cursor is None or len(rows) >= most:
                return Listed(rows, as_of, cursor is not None)

    def page(self, filters: Mapping[str, str]) -> Json:
        """One page of incidents, as the route answers it."""
        return self._get("/incidents", **filters)

    def incident(self, id: str) -> Json:
        """One incident, by its id or the beginning of it."""
        return self._get(f"/incidents/{_quoted(self.whole_id(id))}")

    def whole_id(self, id: str) -> str:
        """The id that begins so. Raises ShapeError when none or several do."""
        if len(id) >= 36 or not id:
            return id
        states = "open,confirmed,closed,dismissed,merged"
        rows = self.incidents(MAX_LOOKED_THROUGH, state=states).rows
        found = [row["incident_id"] for row in rows if row["incident_id"].startswith(id)]
        if len(found) == 1:
            return str(found[0])
        if not found:
            raise ShapeError(f"no incident begins with {id!r} here: `verifleet incidents` lists them")
        raise ShapeError(f"{len(found)} incidents begin with {id!r}: give more of the id ({', '.join(found[:3])})")

    def whole(self, id: str) -> Json:
        """An incident with all of its reports and revisions."""
        found = self.incident(id)
        path = f"/incidents/{_quoted(found['incident']['incident_id'])}"
        cursor = found.pop("more_reports")
        while cursor is not None:
            page = self._get(f"{path}/reports", limit=str(PAGE), cursor=cursor)
            found["reports"] += page["reports"]
            cursor = page["next"]
        return {**found, "revisions": self.revisions(found["incident"]["incident_id"])}

    def revisions(self, incident_id: str, most: int | None = None) -> list[Json]:
        """What an incident's revisions changed, the latest first."""
        found: list[Json] = []
        cursor = None
        while True:
            limit = str(PAGE if most is None else min(PAGE, most - len(found)))
            page = self._get(f"/incidents/{_quoted(incident_id)}/revisions", limit=limit, cursor=cursor)
            found += page["revisions"]
            cursor = page["next"]
            if cursor is None or (most is not None and len(found) >= most):
                return found

    def report(self, event_id: str) -> Json | None:
        """One report; None for one that is not known."""
        return self._asked(f"/reports/{_quoted(event_id)}")

    def claim(self, claim_id: str) -> Json | None:
        """Why a claim has its verdict; None for one that is not known."""
        return self._asked(f"/claims/{_quoted(claim_id)}")

    def act(self, **told: str | int | list[str] | None) -> Json:
        """Decide on an incident or a claim: the act, and its incident afterwards."""
        body = {name: value for name, value in told.items() if value is not None}
        body.setdefault("act_id", str(uuid.uuid4()))  # asked twice, it is done once
        return self._answer("POST", "/acts", {}, body) or {}

    def record(self, audit: Json) -> Json:
        """Have the figures of an audit kept."""
        return self._answer("POST", "/verifiers/audits", {}, audit) or {}

    def changes(self, since: str, **filters: str | None) -> Iterator[tuple[str, Json]]:
        """(event, data) of what changes from then on, each change once, for ever; waits out what is away."""
        told: dict[str, str] = {}
        while True:
            try:
                with self._streaming({**filters, "since": since}) as lines:
                    for name, data in _events(lines):
                        if name == "incident":
                            since = max(since, data["changed_at"])
                            if told.get(data["incident_id"]) == data["changed_at"]:
                                continue
                            if len(told) >= MAX_LOOKED_THROUGH:
                                told.clear()
                            told[data["incident_id"]] = data["changed_at"]
                        yield name, data
            except (httpx.HTTPError, TransientError):
                pass  # it is asked again
            time.sleep(AGAIN_S)

    @contextmanager
    def _streaming(self, params: Mapping[str, str | None]) -> Iterator[Iterator[str]]:
        timeout = httpx.Timeout(TIMEOUT_S, read=SILENCE_S)
        given = self._given(params)
        path = f"{self.url}/incidents/stream"
        with self._client.stream("GET", path, params=given, headers=identity_headers(self.url), timeout=timeout) as got:
            if got.status_code != 200:
                got.read()
                _refuse(got, path)
            yield got.iter_lines()

    def _get(self, path: str, **params: str | None) -> Json:
        found = self._asked(path, **params)
        if found is None:
            raise ShapeError(f"{self.url}{path} is not known{self._where()}: `verifleet incidents` lists what is")
        return found

    def _where(self) -> str:
        return (
            f" in the session {self.session!r}" if self.session else " in the default session (--session names another)"
        )

    def _asked(self, path: str, **params: str | None) -> Json | None:
        return self._answer("GET", path, params, None)

    def _answer(self, method: str, path: str, params: Mapping[str, str | None], body: Json | None) -> Json | None:
        given, identity = self._given(params), identity_headers(self.url)
        for left in reversed(range(TIMES)):
            try:
                answer = self._client.request(method, f"{self.url}{path}", params=given, headers=identity, json=body)
            except httpx.InvalidURL as error:
                raise SettingsError(f"--url {self.url[:200]}: {error}") from None
            except httpx.HTTPError as error:
                if not left or isinstance(error, httpx.UnsupportedProtocol):
                    why = str(error) or type(error).__name__
                    raise TransientError(
                        f"{self.url} does not answer ({why}); is the fleet up? (verifleet up)"
                    ) from None
            else:
                if answer.status_code not in AWAY or not left:
                    break
            time.sleep(AGAIN_S)
        if answer.status_code == 404:
            return None
        if answer.status_code != 200:
            _refuse(answer, path)
        try:
            found: Json = answer.json()
        except ValueError:
            raise TransientError(f"{self.url}{path} answers no JSON: is it a summarizer agent?") from None
        return found

    def _given(self, params: Mapping[str, str | None]) -> dict[str, str]:
        given = {name: value for name, value in params.items() if value is not None}
        return given | ({"session_id": self.session} if self.session else {})


def _refuse(answer: httpx.Response, path: str) -> None:
    try:
        message = str(answer.json()["error"]["message"])
    except (ValueError, KeyError, TypeError):
        message = f"HTTP {answer.status_code}"
    if answer.status_code in (400, 403, 409):
        raise ShapeError(message)
    raise TransientError(f"{path}: {message}")


def _events(lines: Iterator[str]) -> Iterator[tuple[str, Json]]:
    name = data = ""
    for line in lines:
        field, _, value = line.partition(": ")
        if field == "event":
            name = value
        elif field == "data":
            data = value
        elif not line and name:
            yield name, json.loads(data)
            name = data = ""


def _quoted(id: str) -> str:
    return quote(id.encode("utf-8", "backslashreplace"), safe="")
