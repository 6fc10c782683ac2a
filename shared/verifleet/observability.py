"""JSON logs in Cloud Logging's shape, the Prometheus metrics, and spans where an OTLP endpoint is set.

The context of the request at hand (function, operation, session, caller, trace) is kept here, so that every log line
and every metric below it carries the same names without being handed them.
"""

from __future__ import annotations

import importlib.util
import json
import logging
import os
import re
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from verifleet.errors import SettingsError

if TYPE_CHECKING:
    from prometheus_client import Counter, Histogram

    from verifleet.tracing import Tracing

logger = logging.getLogger(__name__)

TRACE_HEADERS = (b"traceparent", b"x-cloud-trace-context")
MESSAGE_CHARS = 1000
LINE_CHARS = 300
TRACE_CHARS = 20_000
"""Of a log line's message, of one line of a stack trace, of the whole of it."""

MAX_CALLERS = 100
"""Callers that a process names in its metrics; there is no end to their number, and each would be a series."""

SESSION = "session:"
"""How the name of a caller begins who published to a topic: nobody vouches for more than the session."""

MIN_SECRET = 8
"""Characters; what is shorter is no key, and words would vanish with it."""

_BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 300.0)
_TRACEPARENT = re.compile(r"00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})")
_SPAN_AT = 36
"""Where a traceparent's span begins; before it stand version and trace."""
_CLOUD_TRACE = re.compile(r"([0-9a-f]{32})(?:/(\d{1,20}))?(?:;o=([01]))?", re.IGNORECASE)
_NO_SPAN = nullcontext()
_endpoint: str | None = None
_tracing: Tracing | None = None
_making = threading.Lock()
_secrets: tuple[str, ...] = ()
_named: set[str] = set()

_context: ContextVar[_Context | None] = ContextVar("observability", default=None)


@dataclass(slots=True)
class _Context:
    function: str = "verifleet"
    operation: str = ""
    session_id: str | None = None
    traceparent: str | None = None
    in_span: bool = False
    """`traceparent` names a span of this process."""
    project: str = ""
    caller: str | None = None
    noted: dict[str, Any] = field(default_factory=dict)


_process = _Context()


def _present() -> _Context:
    return _context.get() or _process


def configure(function: str, *, level: str = "INFO", project: str = "", otlp_endpoint: str | None = None) -> None:
    """Name this process's function, write all logs to stdout, one JSON object a line, and trace to an endpoint.

    Raises SettingsError for an endpoint without the packages that it takes.
    """
    trace_to(otlp_endpoint)
    _process.function, _process.project = function, project
    # Nothing that our lines show, and half the price of a line. The process stays: gunicorn's own lines show it.
    logging._srcfile = None
    logging.logThreads = logging.logMultiprocessing = False
    handler = logging.StreamHandler(sys.stdout)
    handler.setFormatter(JsonFormatter())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level)
    for chatty in ("httpx", "httpcore", "google", "grpc", "urllib3"):
        logging.getLogger(chatty).setLevel(logging.WARNING)


@contextmanager
def request_context(function: str, operation: str, headers: Mapping[bytes, bytes], project: str) -> Iterator[None]:
    """Everything logged and counted inside belongs to this request; `headers` may hold TRACE_HEADERS."""
    token = _context.set(_Context(function, operation, None, _traceparent_of(headers), project=project))
    try:
        yield
    finally:
        _context.reset(token)


def note_envelope(session_id: str | None, trace: str | None, caller: str | None = None) -> None:
    """What is handled from here on belongs to this session and caller, and to this trace if it is a traceparent."""
    context = _context.get()
    if context is None:
        return
    present = context.traceparent
    if not trace or not _TRACEPARENT.fullmatch(trace):
        trace = present
    elif context.in_span and present is not None and present[:_SPAN_AT] == trace[:_SPAN_AT]:
        trace = present  # a span of ours goes between it and what is done here
    # A context of its own: of envelopes handled at the same time each has its session and trace.
    _context.set(
        replace(
            context,
            session_id=context.session_id if session_id is None else session_id,
            traceparent=trace,
            caller=context.caller if caller is None else caller,
        )
    )


def note_caller(caller: str) -> None:
    """The request at hand is this caller's."""
    context = _context.get()
    if context is not None:
        _context.set(replace(context, caller=caller))


def caller() -> str | None:
    """Whose request is at hand; None where there is none, or nobody knows."""
    return _present().caller


def note(**fields: Any) -> None:
    """Put these fields into the log line of the request at hand; alerts and objectives in infra/ are made of them."""
    _present().noted.update(fields)


def note_operation(operation: str) -> None:
    """The request at hand turned out to be this operation."""
    context = _context.get()
    if context is not None:
        _context.set(replace(context, operation=operation))


def operation() -> str:
    """The operation of the request at hand."""
    return _present().operation


def traceparent() -> str | None:
    """The W3C traceparent of the request at hand, to be passed on."""
    return _present().traceparent


def _traceparent_of(headers: Mapping[bytes, bytes]) -> str | None:
    given = headers.get(b"traceparent", b"").decode("latin-1")
    if _TRACEPARENT.fullmatch(given):
        return given
    match = _CLOUD_TRACE.fullmatch(headers.get(b"x-cloud-trace-context", b"").decode("latin-1"))
    if match is None:
        return None
    span = int(match[2] or 0) % 2**64 or 1
    return f"00-{match[1].lower()}-{span:016x}-{'01' if match[3] == '1' else '00'}"


# --- spans -------------------------------------------------------------------


def trace_to(endpoint: str | None) -> None:
    """Export spans over OTLP/HTTP to this endpoint from now on; None ends that. Nothing is imported before a span.

    Raises SettingsError where the packages that it takes are not installed.
    """
    global _endpoint, _tracing
    if endpoint is not None and not _exporter_is_installed():
        raise SettingsError(
            "OTEL_EXPORTER_OTLP_ENDPOINT is set, but the exporter is not installed; install verifleet[tracing], "
            "or add opentelemetry-exporter-otlp-proto-http to the function's requirements"
        )
    before, _tracing, _endpoint = _tracing, None, endpoint
    if before is not None:
        before.close()


def _exporter_is_installed() -> bool:
    try:
        return importlib.util.find_spec("opentelemetry.exporter.otlp.proto.http") is not None
    except ModuleNotFoundError:
        return False


def span(name: str | None, *, entry: bool = False, **attributes: Any) -> AbstractContextManager[None]:
    """What is done inside is a span of the trace at hand, and the parent of what it leads to, here and elsewhere.

    Attributes hold names, ids and numbers, never text of a prompt, a response, a reference or a report. An `entry` is
    what came from outside this process; it alone begins a trace. Without an endpoint, or a name, this does nothing.
    """
    return _NO_SPAN if _endpoint is None or name is None else _span(name, entry, attributes)


@contextmanager
def _span(name: str, entry: bool, attributes: dict[str, Any]) -> Iterator[None]:
    context = _present()
    if context.traceparent is None and not entry:
        yield
        return
    under_way = _tracer().start(name, context.traceparent, {"function": context.function, **attributes}, entry=entry)
    token = _context.set(replace(context, traceparent=under_way.traceparent, in_span=True))
    try:
        yield
    except BaseException as error:
        under_way.failed(error)
        raise
    finally:
        _context.reset(token)
        under_way.end()


def _tracer() -> Tracing:
    global _tracing
    with _making:
        if _tracing is None:
            from verifleet.tracing import Tracing

            assert _endpoint is not None
            _tracing = Tracing(_process.function, _endpoint)
        return _tracing


# --- logs --------------------------------------------------------------------


class JsonFormatter(logging.Formatter):
    """A log record as Cloud Logging reads it; ASCII, so that any text survives."""

    def format(self, record: logging.LogRecord) -> str:
        """One line of JSON; `extra={"fields": {...}}` adds fields."""
        context = _present()
        entry: dict[str, Any] = {
            "severity": record.levelname,
            "message": _cut(record.getMessage(), MESSAGE_CHARS),
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(),
            "logger": record.name,
            "agent": context.function,
            "operation": context.operation,
            "session_id": context.session_id,
            "caller": context.caller,
        }
        if context.traceparent:
            _, trace, span, flags = context.traceparent.split("-")
            entry["logging.googleapis.com/trace"] = f"projects/{context.project}/traces/{trace}"
            entry["logging.googleapis.com/spanId"] = span
            entry["logging.googleapis.com/trace_sampled"] = flags == "01"
        entry |= {name: _bounded(value) for name, value in getattr(record, "fields", {}).items()}
        if record.exc_info:
            entry["stack_trace"] = self.formatException(record.exc_info)
        return redacted(_encode(entry))

    def formatException(self, ei: Any) -> str:
        """Its end, each line cut: an exception's message may hold all that was sent to us."""
        lines = redacted(super().formatException(ei))[-TRACE_CHARS:].split("\n")
        return "\n".join(_cut(line, LINE_CHARS) for line in lines)


def _bounded(value: Any) -> Any:
    return _cut(value, MESSAGE_CHARS) if isinstance(value, str) else value


def _cut(text: str, limit: int) -> str:
    text = redacted(text)
    return text if len(text) <= limit else f"{text[:limit]}... ({len(text)} characters)"


def keep_secret(*secrets: str | None) -> None:
    """Never show these again: in logs, nor in what `redacted` is asked for."""
    global _secrets
    _secrets = tuple({*_secrets, *(secret for secret in secrets if secret and len(secret) >= MIN_SECRET)})


def redacted(text: str) -> str:
    """A text without the secrets of this process; to be asked before the text is cut."""
    for secret in _secrets:
        text = text.replace(secret, "[secret]")
    return text


def shape(value: object) -> str:
    """What a log may show of any value: numbers as they are, of all else how much there is and never what it says."""
    if value is None or isinstance(value, (bool, int, float)):
        return str(value) if not isinstance(value, int) or value.bit_length() <= 64 else "a large number"
    if isinstance(value, str):
        return f"{len(value)} characters"
    if isinstance(value, (bytes, bytearray)):
        return f"{len(value)} bytes"
    if isinstance(value, (list, tuple, set, frozenset)):
        return f"{len(value)} items"
    return f"{len(value)} fields" if isinstance(value, Mapping) else type(value).__name__


_encode = json.JSONEncoder(ensure_ascii=True, default=shape).encode


# --- metrics -----------------------------------------------------------------


@dataclass(frozen=True)
class _Metrics:
    requests: Counter
    seconds: Histogram
    errors: Counter
    tools: Counter
    refused_results: Counter
    verdicts: Counter
    callers: Counter


@lru_cache(maxsize=1)
def _metrics() -> _Metrics:
    from prometheus_client import Counter, Histogram, disable_created_metrics

    disable_created_metrics()  # type: ignore[no-untyped-call]
    labels = ("function", "operation", "outcome")
    return _Metrics(
        Counter("agent_requests_total", "Requests answered", labels),
        Histogram("agent_request_duration_seconds", "Time to answer a request", labels, buckets=_BUCKETS),
        Counter("agent_errors_total", "Requests that were rejected or failed", labels),
        Counter("tool_invocations_total", "Calls of tools: publishing, stores, models, workers", labels),
        Counter("refused_results_total", "Results of code that were not believed", ("function", "why")),
        Counter("verdicts_total", "Verdicts given", ("function", "verdict")),
        Counter("caller_requests_total", "Requests answered, by who called", ("function", "caller", "outcome")),
    )


def count_request(operation: str, outcome: str, seconds: float) -> None:
    """Count and log one answered request; `outcome` is ok, rejected or failed."""
    labels = (_present().function, operation, outcome)
    metrics = _metrics()
    metrics.requests.labels(*labels).inc()
    metrics.seconds.labels(*labels).observe(seconds)
    if outcome != "ok":
        metrics.errors.labels(*labels).inc()
    metrics.callers.labels(_present().function, _caller_label(_present().caller), outcome).inc()
    noted = _present().noted
    fields = {"outcome": outcome, "duration_ms": round(seconds * 1000, 3), **noted}
    # Deliveries are as many as messages, and what they led to is logged already.
    level = logging.DEBUG if operation == "deliver" and outcome == "ok" and not noted else logging.INFO
    if logger.isEnabledFor(level):
        logger.log(level, "%s %s", operation, outcome, extra={"fields": fields})


def _caller_label(caller: str | None) -> str:
    """Sessions, which anybody may make up, are one label; so are callers beyond MAX_CALLERS."""
    if caller is None or caller.startswith(SESSION):
        return "unknown" if caller is None else "session"
    if caller not in _named:
        if len(_named) >= MAX_CALLERS:
            return "other"
        _named.add(caller)
    return caller


def count_refused_result(why: str) -> None:
    """Count a code result that is not believed; `why` is origin, unproven, different or late."""
    _metrics().refused_results.labels(_present().function, why).inc()


def count_verdicts(verdicts: Mapping[str, int]) -> None:
    """Count how often each verdict was given."""
    counter = _metrics().verdicts
    for verdict, many in verdicts.items():
        counter.labels(_present().function, verdict).inc(many)


@dataclass(slots=True)
class ToolCall:
    """One call of a tool under way; set `output` to have its shape logged, `fields` for what is to be read there."""

    operation: str
    output: object = None
    outcome: str = "ok"
    fields: dict[str, Any] = field(default_factory=dict)


@contextmanager
def tool(operation: str, input: object = None, **fields: Any) -> Iterator[ToolCall]:
    """Count and log a call of a tool, with the shape of its input and output.

    No text of a report, a prompt, a response or a reference stands in a log. What is none, such as ids and names of
    ours, goes into `fields` and is logged as it is.
    """
    call = ToolCall(operation, fields=fields)
    started = time.perf_counter()
    try:
        with span(operation, **fields):
            yield call
    except BaseException:
        call.outcome = "failed"
        raise
    finally:
        _metrics().tools.labels(_present().function, operation, call.outcome).inc()
        if logger.isEnabledFor(logging.INFO):
            seconds = time.perf_counter() - started
            shown = {"tool_input": input, "tool_output": call.output}
            told: dict[str, Any] = {k: shape(value) for k, value in shown.items() if value is not None}
            told |= {"outcome": call.outcome, "duration_ms": round(seconds * 1000, 3), **call.fields}
            logger.info("tool %s %s", operation, call.outcome, extra={"fields": told})


def metrics_text() -> tuple[bytes, str]:
    """The metrics in Prometheus's text format, and its content type.

    With several workers in one container, PROMETHEUS_MULTIPROC_DIR (prometheus-client's own variable) adds them up.
    """
    from prometheus_client import CONTENT_TYPE_LATEST, REGISTRY, CollectorRegistry, generate_latest, multiprocess

    _metrics()
    registry = REGISTRY
    if "PROMETHEUS_MULTIPROC_DIR" in os.environ:
        registry = CollectorRegistry()
        multiprocess.MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    return generate_latest(registry), CONTENT_TYPE_LATEST
