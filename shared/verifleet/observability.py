"""JSON logs in Cloud Logging's shape and the four Prometheus metrics.

The context of the request at hand (function, operation, session, trace) is kept here, so that every log line and
every metric below it carries the same names without being handed them.
"""

from __future__ import annotations

import json
import logging
import os
import re
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import lru_cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from prometheus_client import Counter, Histogram

logger = logging.getLogger(__name__)

TRACE_HEADERS = (b"traceparent", b"x-cloud-trace-context")
SHOWN_CHARS = 300
"""What a log line shows of a tool's input or output."""

_BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 300.0)
_TRACEPARENT = re.compile(r"00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})")
_CLOUD_TRACE = re.compile(r"([0-9a-f]{32})(?:/(\d{1,20}))?(?:;o=([01]))?", re.IGNORECASE)


@dataclass(slots=True)
class _Context:
    function: str = "verifleet"
    operation: str = ""
    session_id: str | None = None
    traceparent: str | None = None
    project: str = ""


_process = _Context()
_context: ContextVar[_Context | None] = ContextVar("observability", default=None)


def _present() -> _Context:
    return _context.get() or _process


def configure(function: str, *, level: str = "INFO", project: str = "") -> None:
    """Name this process's function and write all logs to stdout, one JSON object a line."""
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
    token = _context.set(_Context(function, operation, None, _traceparent_of(headers), project))
    try:
        yield
    finally:
        _context.reset(token)


def note_envelope(session_id: str | None, trace: str | None) -> None:
    """What is handled from here on belongs to this session, and to this trace if it is a valid traceparent."""
    context = _context.get()
    if context is None:
        return
    # A context of its own: of envelopes handled at the same time each has its session and trace.
    _context.set(
        replace(
            context,
            session_id=context.session_id if session_id is None else session_id,
            traceparent=trace if trace and _TRACEPARENT.fullmatch(trace) else context.traceparent,
        )
    )


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


# --- logs --------------------------------------------------------------------


class JsonFormatter(logging.Formatter):
    """A log record as Cloud Logging reads it; ASCII, so that any text survives."""

    def format(self, record: logging.LogRecord) -> str:
        """One line of JSON; `extra={"fields": {...}}` adds fields."""
        context = _present()
        entry: dict[str, Any] = {
            "severity": record.levelname,
            "message": record.getMessage(),
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(),
            "logger": record.name,
            "agent": context.function,
            "operation": context.operation,
            "session_id": context.session_id,
        }
        if context.traceparent:
            _, trace, span, flags = context.traceparent.split("-")
            entry["logging.googleapis.com/trace"] = f"projects/{context.project}/traces/{trace}"
            entry["logging.googleapis.com/spanId"] = span
            entry["logging.googleapis.com/trace_sampled"] = flags == "01"
        entry |= getattr(record, "fields", {})
        if record.exc_info:
            entry["stack_trace"] = self.formatException(record.exc_info)
        return _encode(entry)


def shortened(value: object, limit: int = SHOWN_CHARS) -> str:
    """A value as text of at most about `limit` characters, for logs."""
    text = value if isinstance(value, str) else repr(value)
    return text if len(text) <= limit else f"{text[:limit]}... ({len(text)} characters)"


_encode = json.JSONEncoder(ensure_ascii=True, default=shortened).encode


# --- metrics -----------------------------------------------------------------


@dataclass(frozen=True)
class _Metrics:
    requests: Counter
    seconds: Histogram
    errors: Counter
    tools: Counter


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
    )


def count_request(operation: str, outcome: str, seconds: float) -> None:
    """Count and log one answered request; `outcome` is ok, rejected or failed."""
    labels = (_present().function, operation, outcome)
    metrics = _metrics()
    metrics.requests.labels(*labels).inc()
    metrics.seconds.labels(*labels).observe(seconds)
    if outcome != "ok":
        metrics.errors.labels(*labels).inc()
    fields = {"outcome": outcome, "duration_ms": round(seconds * 1000, 3)}
    # Deliveries are as many as messages, and what they led to is logged already.
    level = logging.DEBUG if operation == "deliver" and outcome == "ok" else logging.INFO
    if logger.isEnabledFor(level):
        logger.log(level, "%s %s", operation, outcome, extra={"fields": fields})


@dataclass(slots=True)
class ToolCall:
    """One call of a tool under way; set `output` to have it logged."""

    operation: str
    output: object = None
    outcome: str = "ok"
    fields: dict[str, Any] = field(default_factory=dict)


@contextmanager
def tool(operation: str, input: object = None) -> Iterator[ToolCall]:
    """Count and log a call of a tool, with its input and output shortened."""
    call = ToolCall(operation)
    started = time.perf_counter()
    try:
        yield call
    except BaseException:
        call.outcome = "failed"
        raise
    finally:
        _metrics().tools.labels(_present().function, operation, call.outcome).inc()
        if logger.isEnabledFor(logging.INFO):
            seconds = time.perf_counter() - started
            shown = {"tool_input": input, "tool_output": call.output}
            fields: dict[str, Any] = {k: shortened(value) for k, value in shown.items() if value is not None}
            fields |= {"outcome": call.outcome, "duration_ms": round(seconds * 1000, 3), **call.fields}
            logger.info("tool %s %s", operation, call.outcome, extra={"fields": fields})


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
