"""The OpenAPI 3.1 document of each function, out of its app's own routes and the JSON Schemas of docs/schemas.

    python -m tools.openapi

They are written into the package, where `GET /openapi.json` finds them: making one means importing every model, which
no start has to pay for. A route that is not described here stops the command, and so does a description without route.
"""

from __future__ import annotations

import importlib.util
import json
import re
import tempfile
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

from starlette.applications import Starlette
from starlette.routing import BaseRoute, Mount, Route

from verifleet import __version__
from verifleet.body_schemas import all_schemas
from verifleet.incident_views import SEVERITIES, STATES
from verifleet.messaging.topology import FUNCTIONS
from verifleet.serving import app as app_factories
from verifleet.serving.a2a import MOUNT, protocol_routes
from verifleet.serving.openapi import FOLDER
from verifleet.settings import load_settings

ROOT = Path(__file__).resolve().parents[1]
Json = dict[str, Any]
Methods = Mapping[tuple[str, str], Json]
"""Operations by path and method."""

HANDLES = {"ingest_agent": "raw_event_v1", "verifier_agent": "event_v1", "summarizer_agent": "verified_event_v1"}
PUSH: Json = {
    "type": "object",
    "description": "What Pub/Sub pushes; its data is an envelope in Base64.",
    "required": ["message", "subscription"],
    "properties": {
        "message": {
            "type": "object",
            "required": ["messageId"],
            "properties": {
                "messageId": {"type": "string", "minLength": 1},
                "data": {"type": "string", "contentEncoding": "base64"},
                "attributes": {"type": "object", "additionalProperties": {"type": "string"}},
                "publishTime": {"type": "string"},
            },
        },
        "subscription": {"type": "string", "minLength": 1},
        "deliveryAttempt": {"type": "integer"},
    },
}
TEXT: Json = {"type": "string"}
HEALTH: Json = {
    "type": "object",
    "required": ["status", "function"],
    "properties": {
        "status": {"enum": ["ok", "unavailable"]},
        "function": {"type": "string"},
        "away": {"type": "array", "items": {"type": "string"}},
        "reasons": {"type": "object", "additionalProperties": {"type": "string"}},
        "gemini": {
            "description": "of functions that can ask Gemini: whether they do, and what was used since the start",
            "type": "object",
            "required": ["on"],
            "properties": {"on": {"type": "boolean"}, "model": TEXT, "way": {"enum": ["key", "vertex"]}},
        },
    },
}
IDEMPOTENCY_KEY: Json = {
    "name": "Idempotency-Key",
    "in": "header",
    "schema": {"type": "string", "minLength": 1, "maxLength": 255},
    "description": "names a request: repeated with it, nothing is run again; its content does for 10 minutes without",
}
OBJECT: Json = {"type": "object"}
A2A_ERRORS = {
    400: "The protocol's error: the client's mistake",
    404: "The protocol's error: no such task",
    409: "The protocol's error: the task can't be cancelled",
    415: "The body is no JSON, or encoded as it is not taken",
}
REFUSED = {
    400: "The body has the wrong shape: `fields` says where",
    408: "The body did not come in time",
    413: "The body is too large",
    415: "The body is no JSON, or encoded as it is not taken",
}
SURFACE = (
    "Every path that is not here is answered 404 (with a slash too many 307), every other method 405 with Allow (below "
    "/a2a perhaps 404), a body in a coding other than gzip 415, all as `error_response`. "
    "401, and 403 everywhere but at `POST /`, come from Google Cloud's front end before a function that is not open to "
    "all: call it with an ID token. A defect of ours is answered 500 and logged. Schemas are those of docs/schemas."
)


def documents() -> dict[str, Json]:
    """The document of each function."""
    return {name: document(name) for name in FUNCTIONS}


def rendered(name: str) -> str:
    """The text of a function's file."""
    return json.dumps(document(name), sort_keys=True, separators=(",", ":"), ensure_ascii=True) + "\n"


def document(name: str) -> Json:
    """The document of one function. Raises ValueError where routes and descriptions differ."""
    described = _described(name)
    there = set(served(name))
    if there != described.keys():
        raise ValueError(f"{name}: not described {there - described.keys()}, no route {described.keys() - there}")
    paths: dict[str, Json] = {}
    for (path, method), operation in sorted(described.items()):
        item = paths.setdefault(path, {})
        item[method] = operation
        named = re.findall(r"{(\w+)}", path)
        if named:
            item["parameters"] = [{"name": one, "in": "path", "required": True, "schema": TEXT} for one in named]
    used: Json = {"openapi": "3.1.0", "paths": paths, "components": {"responses": _common_responses()}}
    used["components"]["schemas"] = dict(_schemas(used))
    return {
        **used,
        "info": {"title": name, "version": __version__, "description": SURFACE, "license": {"name": "Apache-2.0"}},
        "components": {
            **used["components"],
            "securitySchemes": {"idToken": {"type": "http", "scheme": "bearer", "bearerFormat": "JWT"}},
        },
        "security": [{"idToken": []}, {}],
    }


# --- what is served -----------------------------------------------------------


def served(name: str) -> Iterator[tuple[str, str]]:
    """(path, method) of every route of a function's app, those of A2A included."""
    yield from _methods(_app(name).routes)


def _methods(routes: list[BaseRoute], before: str = "") -> Iterator[tuple[str, str]]:
    for route in routes:
        if isinstance(route, Mount):
            inner = protocol_routes(None) if route.path == MOUNT else list(route.routes)
            yield from _methods(inner, before + route.path)
        elif isinstance(route, Route):
            path = re.sub(r"{(\w+):\w+}", r"{\1}", before + route.path)
            yield from ((path, method.lower()) for method in route.methods or ())


@cache
def _app(name: str) -> Starlette:
    with tempfile.TemporaryDirectory() as folder:
        settings = load_settings(store=f"sqlite:///{folder}/store.db")
        app: Starlette = _module(name).build(settings)
        return app


def _module(name: str) -> ModuleType:
    """A function's main module, without its start from the process's settings."""
    spec = importlib.util.spec_from_file_location(f"described_{name}", ROOT / "functions" / name / "main.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    start = app_factories.start
    app_factories.start = lambda function, build: Starlette()
    try:
        spec.loader.exec_module(module)
    finally:
        app_factories.start = start
    return module


# --- what is said of it -------------------------------------------------------


def _described(name: str) -> Methods:
    operations: dict[tuple[str, str], Json] = {
        ("/health", "get"): _operation(
            "What is away", {200: _json(HEALTH, "All is there"), 503: _json(HEALTH, "Something is away")}
        ),
        ("/metrics", "get"): _operation(
            "Metrics of Prometheus", {200: _content({"text/plain": TEXT}, "In Prometheus's text format")}
        ),
        ("/openapi.json", "get"): _operation("This document", {200: _json(OBJECT, "OpenAPI 3.1")}),
    }
    operations |= _verifier(name.removesuffix("_verifier")) if name.endswith("_verifier") else _agent(name)
    for path, method in list(operations):
        if method == "get":
            answers = operations[path, method]["responses"]
            bare = {code: {"description": answer.get("description", "")} for code, answer in answers.items()}
            bare |= {code: answer for code, answer in answers.items() if "$ref" in answer}
            operations[path, "head"] = {"summary": "As GET, without a body", "responses": bare}
    return operations


def _verifier(verifier: str) -> Methods:
    waits = verifier == "code"
    pending = {202: _json(_ref("verify_pending"), "It goes on: ask at Location", ("Location", "Retry-After"))}
    reward = {200: _json(_ref("reward_response"), "The reward")}
    pushed: Json = {"anyOf": [PUSH, _ref("reward_request")]}
    operations: dict[tuple[str, str], Json] = {
        ("/verify", "post"): _post(
            "Score one response",
            _ref(f"verify_request_{verifier}"),
            {200: _json(_ref("verify_response"), "The result"), **(pending if waits else {})},
        ),
        ("/verify/batch", "post"): _post(
            "Score many responses",
            _ref(f"verify_batch_request_{verifier}"),
            {200: _json(_ref("verify_batch_response"), "A result for each, in their order")},
        ),
        ("/reward", "post"): _post("Gemini reinforcement tuning's call", _ref("reward_request"), reward),
        ("/", "post"): _deliver("A message of Pub/Sub, or a call as /reward takes it", pushed, reward),
    }
    operations |= _trainers(verifier)
    if waits:
        operations["/verifications/{verification_id}", "get"] = _operation(
            "The result of an earlier request",
            {
                200: _json(_ref("verify_response"), "The result"),
                **pending,
                404: _error("There is no such verification"),
                429: _response("TooMany"),
                503: _response("Unavailable"),
            },
        )
        operations["/batches/{batch_id}", "get"] = _operation(
            "The results of a batch that went on",
            {
                200: _json(_ref("batch_response"), "All of them"),
                202: _json(_ref("batch_pending"), "It goes on: ask again", ("Location", "Retry-After")),
                404: _error("There is no such batch"),
                429: _response("TooMany"),
                503: _response("Unavailable"),
            },
        )
        operations["/warm", "post"] = _post(
            "Have runners started for programs that are to come",
            _ref("warm_request"),
            {200: _json(_ref("warm_response"), "What runs now")},
        )
        for path in ("/verify", "/verify/batch", "/reward"):
            operations[path, "post"]["parameters"] = [IDEMPOTENCY_KEY]
    return operations


def _trainers(verifier: str) -> Methods:
    """The routes in trainers' own shapes, as their sources define them."""
    texts, numbers = {"type": "array", "items": TEXT}, {"type": "array", "items": {"type": "number"}}
    anything: Json = {"type": "array"}
    tested: Json = _fields({"results": {"type": "array", "items": {"enum": [0, 1]}}, "runtimes": numbers})
    tests: Json = _fields({"program": TEXT}, tests={"type": ["array", "string"]}, max_execution_time={"type": "number"})
    queries = _fields({"query": texts}, prompts=anything, labels=anything)
    rewards = _fields({"rewards": numbers, "scores": numbers, "extra_logs": OBJECT})
    metrics = _fields({"group_level_metrics": anything, "agent_metrics": OBJECT, "key_metrics": OBJECT})
    rewarded = _fields({"reward": {"type": "number"}}, mask_sample={"type": "boolean"}, failure_reason=TEXT)
    answered = _fields({"response": OBJECT}, responses_create_params=OBJECT)
    calls: dict[str, tuple[str, Json, Json]] = {
        "/get_reward": ("OpenRLHF's call", queries, rewards),
        "/rm": ("slime's call", _fields({"response": TEXT}, prompt={}, label={}), {"type": "number"}),
        "/nemo-gym/verify": ("NeMo-Gym's call", answered, rewarded),
        "/nemo-gym/seed_session": ("A session of NeMo-Gym begins", OBJECT, OBJECT),
        "/nemo-gym/close_session": ("A session of NeMo-Gym ends", OBJECT, OBJECT),
        "/nemo-gym/aggregate_metrics": ("Means of rewards", _fields({"verify_responses": anything}), metrics),
    }
    if verifier == "code":
        ran = _fields({"status": {"enum": ["Success", "Failed", "SandboxError"]}, "message": TEXT}, run_result={})
        run = _fields({"code": TEXT, "language": TEXT}, stdin={"type": ["string", "null"]}, run_timeout={}, files={})
        calls |= {
            "/test_program": ("open-instruct's call", tests, tested),
            "/test_program_stdio": ("open-instruct's call", tests, tested),
            "/run_code": ("SandboxFusion's call", run, ran),
        }
    operations = {
        (path, "post"): _post(summary, taken, {200: _json(given, "In the caller's shape")})
        for path, (summary, taken, given) in calls.items()
    }
    for operation in operations.values():
        operation["tags"] = ["trainers"]
    mode = _json({"enum": ["stateless"]}, "A row may be verified again")
    operations["/nemo-gym/reverify_mode", "get"] = _operation("How NeMo-Gym may verify again", {200: mode})
    return operations


def _fields(required: Json, **more: Json) -> Json:
    """An object with these fields; others are let through."""
    described: Json = {"type": "object", "properties": {**required, **more}}
    return {**described, "required": list(required)} if required else described


def _agent(name: str) -> Methods:
    schema = HANDLES[name]
    taken: Json = {"application/json": _ref(schema)}
    if name == "ingest_agent":
        one: Json = {"anyOf": [_ref(schema), _ref("bare_raw_events")]}
        taken = {"application/json": {"anyOf": [one, {"type": "array", "items": one}]}}
        taken |= dict.fromkeys(("text/plain", "application/xml", "text/xml", "application/cap+xml"), TEXT)
    task = _post(
        "Handle an envelope", taken, {200: _json(_ref("mcp_envelope_v1"), "Done; `result` is the envelope made")}
    )
    task["parameters"] = [
        {"name": "session_id", "in": "query", "schema": TEXT, "description": "of what names no session itself"}
    ]
    card = _operation("The agent's card", {200: _json(OBJECT, "The card"), 304: {"description": "As it was"}})
    operations: dict[tuple[str, str], Json] = {
        ("/", "post"): _deliver("A message of Pub/Sub", PUSH),
        ("/tasks", "post"): task,
        ("/.well-known/agent-card.json", "get"): card,
    }
    if name == "summarizer_agent":
        operations |= _incidents()
    operations |= {route: _a2a(*route) for route in _methods(_app(name).routes) if route[0].startswith(f"{MOUNT}/")}
    return {route: operation for route, operation in operations.items() if route[1] != "head"}


def _incidents() -> Methods:
    """What the summarizer agent answers of incidents."""
    session = _parameter("session_id", TEXT, "the session that is asked about, by default the default one")
    paging = [
        _parameter("limit", {"type": "integer", "minimum": 1, "maximum": 200}, "how many at most, by default 50"),
        _parameter("cursor", TEXT, "`next` of the page before"),
    ]
    time: Json = {"type": "string", "format": "date-time"}
    hours = _parameter("hours", {"type": "integer", "minimum": 1, "maximum": 168}, "how far back, by default 24")
    filters = [
        _parameter("state", TEXT, f"{', '.join(STATES)}; several with commas; by default all but merged"),
        _parameter("type", TEXT, "kinds of event, several with commas"),
        _parameter("severity", TEXT, f"{', '.join(SEVERITIES)}; several with commas"),
        _parameter("place", TEXT, "the name of a place, or a part of it between commas"),
        _parameter("bbox", TEXT, "west,south,east,north in degrees"),
        _parameter("text", TEXT, "words that all stand in it"),
        _parameter("since", time, "changed at this time or later"),
    ]
    asked: dict[str, tuple[str, str, str, list[Json]]] = {
        "/incidents": ("Incidents, those that changed last first", "incidents_response", "A page", [*filters, *paging]),
        "/incidents/{incident_id}": ("One incident", "incident_response", "Its brief, facts and latest reports", []),
        "/incidents/{incident_id}/reports": ("Its reports", "reports_response", "A page, the latest first", paging),
        "/incidents/{incident_id}/revisions": ("What changed", "revisions_response", "A page, latest first", paging),
        "/reports/{event_id}": ("One report", "report_response", "With its claims and their evidence", []),
        "/verifiers": ("How the verifiers did", "verifiers_response", "Over the last hours, and audits", [hours]),
        "/claims/{claim_id}": ("Why a claim has its verdict", "claim_response", "Evidence for and against", []),
    }
    operations: dict[tuple[str, str], Json] = {}
    told: dict[str, tuple[str, Json, list[Json]]] = {
        path: (summary, _json(_ref(schema), answer), parameters)
        for path, (summary, schema, answer, parameters) in asked.items()
    }
    fewer = [*filters[:-1], paging[0]]
    for form, entry in (("atom", "with the CAP 1.2 alert of each"), ("rss", "as RSS 2.0")):
        answer = _content({f"application/{form}+xml": TEXT}, "The feed")
        told[f"/incidents/feed.{form}"] = (f"What changed materially, {entry}", answer, fewer)
    cap = _content({"application/cap+xml": TEXT}, "The alert")
    told["/incidents/{incident_id}/cap"] = ("One incident as a CAP 1.2 alert", cap, [])
    for path, (summary, answered, parameters) in told.items():
        answers: dict[int, Json] = {
            200: answered,
            400: _error("A parameter is wrong: `fields` says which"),
            404: _error("It is not known, or no longer kept"),
            429: _response("TooMany"),
            503: _response("Unavailable"),
        }
        operations[path, "get"] = _operation(summary, answers)
        operations[path, "get"]["parameters"] = [session, *parameters]
    stream = "Events `incident`, with `incident_event` as data; `reset`: ask for the list anew; `away`: wait"
    events = _operation(
        "Incidents that are new or tell something new, as server-sent events",
        {
            200: _content({"text/event-stream": TEXT}, stream),
            400: _error("A parameter is wrong: `fields` says which"),
            429: _response("TooMany"),
            503: _response("Unavailable"),
        },
    )
    acts = _post(
        "Decide on an incident or a claim",
        _ref("act_request"),
        {
            200: _json(_ref("act_response"), "Applied, or applied before: the act, and its incident now"),
            409: _error("Somebody else has acted since"),
        },
    )
    acts["parameters"] = [session]
    audited = _post(
        "Record what an audit measured", _ref("audit_request"), {200: _json(_ref("audit_response"), "As it is kept")}
    )
    operations["/verifiers/audits", "post"] = audited
    operations["/acts", "post"] = acts
    page = {"text/html": TEXT}
    operations["/desk", "get"] = _operation(
        "The incident page", {200: _content(page, "The page"), 304: {"description": "As it was"}}
    )
    file = {"text/html": TEXT, "text/css": TEXT, "text/javascript": TEXT}
    operations["/desk/{file}", "get"] = _operation(
        "A file of the page",
        {200: _content(file, "The file"), 304: {"description": "As it was"}, 404: _error("There is no such file")},
    )
    events["parameters"] = [
        session,
        *filters[:-1],
        _parameter("since", time, "`as_of` of the list, so that nothing is missed"),
    ]
    return {**operations, ("/incidents/stream", "get"): events}


def _parameter(name: str, schema: Json, description: str) -> Json:
    return {"name": name, "in": "query", "schema": schema, "description": description}


def _a2a(path: str, method: str) -> Json:
    """An operation of A2A, whose bodies are the protocol's and not described again."""
    rest = "rest" in path
    bodies = dict.fromkeys(("application/json", "application/a2a+json") if rest else ("application/json",), OBJECT)
    answers: dict[int, Json] = {
        200: _content({**bodies, "text/event-stream": TEXT}, "The protocol's answer"),
        **{code: _json(OBJECT, text) for code, text in A2A_ERRORS.items()},
        429: _response("TooMany"),
        503: _json(OBJECT, "Something is away: try again", ("Retry-After",)),
    }
    operation = _operation(f"A2A over REST: {path}" if rest else "A2A over JSON-RPC", answers)
    operation["tags"] = ["a2a"]
    operation["externalDocs"] = {"url": "https://a2a-protocol.org/latest/specification/"}
    if method == "post":
        operation["requestBody"] = {"content": {name: {"schema": schema} for name, schema in bodies.items()}}
        operation["responses"] |= {str(code): _response(name) for code, name in ((408, "TooSlow"), (413, "TooLarge"))}
    return operation


def _deliver(summary: str, taken: Json, answers: Mapping[int, Json] | None = None) -> Json:
    content = {"application/json": taken, "application/cloudevents+json": {"type": "object"}}
    operation = _post(summary, content, {204: {"description": "Acknowledged"}, **(answers or {})})
    operation["responses"]["403"] = _response("Forbidden")
    return operation


def _post(summary: str, taken: Json, answers: Mapping[int, Json]) -> Json:
    """An operation with a body of ours: `taken` is its schema, or schemas by media type."""
    content = taken if all("/" in key for key in taken) else {"application/json": taken}
    common = {400: "WrongShape", 408: "TooSlow", 413: "TooLarge", 415: "UnsupportedMediaType"}
    common |= {429: "TooMany", 503: "Unavailable"}
    operation = _operation(summary, {**{code: _response(name) for code, name in common.items()}, **answers})
    media = {media_type: {"schema": schema} for media_type, schema in content.items()}
    operation["requestBody"] = {"required": True, "content": media}
    return operation


def _operation(summary: str, answers: Mapping[int, Json]) -> Json:
    before = {401: _response("Unauthenticated"), 403: _response("NotAllowed")}
    return {"summary": summary, "responses": {str(code): answer for code, answer in {**before, **answers}.items()}}


def _common_responses() -> Json:
    return {
        "Unauthenticated": {"description": "From Google Cloud's front end: a private function, called without a token"},
        "NotAllowed": {"description": "From Google Cloud's front end: who calls may not call this function"},
        "Forbidden": _error("Another account pushes than the one that may; or as NotAllowed"),
        "WrongShape": _error(REFUSED[400]),
        "TooSlow": _error(REFUSED[408]),
        "TooLarge": _error(REFUSED[413]),
        "UnsupportedMediaType": _error(REFUSED[415]),
        "TooMany": _json(_ref("error_response"), "This caller has as many under way as it may", ("Retry-After",)),
        "Unavailable": _json(_ref("error_response"), "Something is away: try again", ("Retry-After",)),
        "Redirected": {"description": "The same without the slash at its end, or with one: at Location"},
        "NotFound": _error("There is no such path"),
        "MethodNotAllowed": _json(_ref("error_response"), "The path does not take this method", ("Allow",)),
    }


def _error(description: str) -> Json:
    return _json(_ref("error_response"), description)


def _json(schema: Json, description: str, headers: tuple[str, ...] = ()) -> Json:
    return _content({"application/json": schema}, description, headers)


def _content(schemas: Json, description: str, headers: tuple[str, ...] = ()) -> Json:
    answer: Json = {"description": description, "content": {kind: {"schema": one} for kind, one in schemas.items()}}
    if headers:
        answer["headers"] = {header: {"schema": TEXT, "required": True} for header in headers}
    return answer


def _response(name: str) -> Json:
    return {"$ref": f"#/components/responses/{name}"}


def _ref(schema: str) -> Json:
    return {"$ref": f"#/components/schemas/{schema}"}


# --- schemas ------------------------------------------------------------------


def _schemas(used: Json) -> Iterator[tuple[str, Json]]:
    """The schemas that a document refers to. What several define alike is there once."""
    everything = all_schemas()
    shared: dict[str, Json] = {}
    wanted = sorted(set(re.findall(r"#/components/schemas/(\w+)", json.dumps(used))))
    for name in wanted:
        schema = dict(everything[name])
        parts: dict[str, Json] = schema.pop("$defs", {})
        alike = all(shared.setdefault(part, one) == one for part, one in parts.items())
        before = "" if alike else f"{name}."
        yield name, _moved(schema, before)
        for part, one in parts.items():
            yield f"{before}{part}", _moved(one, before)


def _moved(value: Any, before: str) -> Any:
    if isinstance(value, dict):
        return {key: _target(item, before) if key == "$ref" else _moved(item, before) for key, item in value.items()}
    return [_moved(item, before) for item in value] if isinstance(value, list) else value


def _target(ref: Any, before: str) -> Any:
    return ref.replace("#/$defs/", f"#/components/schemas/{before}") if isinstance(ref, str) else _moved(ref, before)


def main() -> None:
    """Write all of them."""
    for name in FUNCTIONS:
        path = FOLDER / f"{name}.json"
        path.write_text(rendered(name), encoding="ascii")
        print(path.relative_to(ROOT))


if __name__ == "__main__":
    main()
