"""The three agents with their own cores, in this process, on a store and a publisher that a test chooses."""

from __future__ import annotations

import logging

from starlette.applications import Starlette

from verifleet.messaging.publisher import Publisher
from verifleet.serving.app import agent_app
from verifleet.serving.ingest import IngestAgent, coerce_report, decode_report
from verifleet.serving.profiles import ingest_profile, summarizer_profile, verifier_profile
from verifleet.serving.summarizer_agent import SummarizerAgent
from verifleet.serving.verifier_forwarding import VerifierWithForwarding
from verifleet.settings import load_settings
from verifleet.storage.store import Store

AGENTS = ("ingest_agent", "verifier_agent", "summarizer_agent")


def agent(name: str, store: Store, publisher: Publisher) -> Starlette:
    """The app of one agent."""
    settings = load_settings(default_session="shared")
    if name == "ingest_agent":
        return agent_app(
            name,
            profile=ingest_profile(),
            expects=("raw_event_v1",),
            handler=IngestAgent(store),
            settings=settings,
            store=store,
            publisher=publisher,
            coerce=coerce_report("shared"),
            decode=decode_report,
        )
    if name == "summarizer_agent":
        return agent_app(
            name,
            profile=summarizer_profile(),
            expects=("verified_event_v1",),
            handler=SummarizerAgent(store),
            settings=settings,
            store=store,
            publisher=publisher,
        )
    verifier = VerifierWithForwarding(settings, store, publisher)
    return agent_app(
        name,
        profile=verifier_profile(verifier.agent, verifier.forward, "shared"),
        expects=("event_v1",),
        handler=verifier,
        settings=settings,
        store=store,
        publisher=publisher,
    )


class RootLogs(logging.Handler):
    """What reaches the process's log, as its own handler would write it."""

    def __init__(self) -> None:
        super().__init__()
        self.records: list[logging.LogRecord] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.records.append(record)

    def above(self, level: int) -> list[logging.LogRecord]:
        return [record for record in self.records if record.levelno >= level]
