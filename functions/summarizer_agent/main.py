"""The summarizer agent's function: one brief for each incident, revised as reports come in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from verifleet.serving.app import agent_app, cloud_function, on_first_use
from verifleet.serving.asking import GeminiPart
from verifleet.serving.desk.routes import incident_routes
from verifleet.serving.profiles import summarizer_profile
from verifleet.storage import open_store

if TYPE_CHECKING:
    from starlette.applications import Starlette

    from verifleet.alerts.rule_file import Rules
    from verifleet.serving.summarizer_agent import SummarizerAgent
    from verifleet.settings import Settings


def build(settings: Settings) -> Starlette:
    """The app; the agent itself is made on the first request."""
    store, gemini = open_store(settings), GeminiPart(settings)

    def rules() -> Rules:
        from verifleet.alerts.rule_file import load_rules

        return load_rules(settings.alerts)

    # Wrong rules stop the start; where there are none, what reads them can wait.
    given = rules() if settings.alerts else None

    def make_agent() -> SummarizerAgent:
        from verifleet.serving.desk.alerting import Alerting
        from verifleet.serving.summarizer_agent import SummarizerAgent

        return SummarizerAgent(store, gemini=gemini.make(), alerting=Alerting(store, given or rules()))

    return agent_app(
        "summarizer_agent",
        expects=("verified_event_v1", "incident_act_v1", "incident_brief_v1"),
        handler=on_first_use(make_agent),
        unrecorded=("incident_brief_v1",),
        settings=settings,
        store=store,
        gemini=gemini,
        profile=summarizer_profile(),
        extra_routes=lambda receiver: incident_routes(settings, store, receiver),
    )


summarizer_agent = cloud_function("summarizer_agent", build)
