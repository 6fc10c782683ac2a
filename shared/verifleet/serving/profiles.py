"""What the agents' cards say, and the verifier agent's four tools as skills that can be called on their own."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from verifleet import __version__
from verifleet.errors import ShapeError
from verifleet.serving.a2a import INPUT_MODES, AgentProfile, Skill

if TYPE_CHECKING:
    from verifleet.envelopes import Envelope, VerifiedClaim
    from verifleet.serving.verifier_agent import VerifierAgent

_REPORT = "12 people injured in a fire in Leeds"
_TIME = "2026-03-01T10:00:00Z"
_CLAIM = {
    "claim": {"text": _REPORT, "source": "emergency", "span": [0, 36], "kind": "quantity", "checkworthiness": 0.9},
    "verified": True,
    "verdict": "supported",
    "confidence": 0.8,
}


_ACT = {
    "act_id": "example-1",
    "kind": "confirm",
    # The incident of the verified event below, in the session of the examples.
    "incident_id": "04b963c7-f34e-5d48-8c1c-755f1b61cc0c",
    "reason": "seen on site",
    "by": "Officer Example",
    "at": _TIME,
}
Forward = Callable[["Envelope[Any]"], Awaitable[str]]
"""Sends a verified event on and says which way: `a2a` or `topic`."""


def _envelope(schema: str, kind: str, data: dict[str, Any]) -> dict[str, Any]:
    payload = {"type": kind, "data": data}
    return {
        "schema": schema,
        "session_id": "example",
        "timestamp": _TIME,
        "source_agent": "example",
        "payload": payload,
    }


def _verified_event() -> dict[str, Any]:
    event = {
        "event_id": "example-1",
        "source": "emergency",
        "content": _REPORT,
        "location": "Leeds",
        "event_type": "fire",
        "timestamp": _TIME,
    }
    data = {
        "event_id": "example-1",
        "reliability_score": 1.0,
        "unverified": False,
        "verified_claims": [_CLAIM],
        "verification_timestamp": _TIME,
        "original_event": event,
    }
    return _envelope("verified_event_v1", "verified_event", data)


def _calling(skill: str, given: dict[str, Any]) -> str:
    """The data part that calls a skill."""
    return json.dumps({"skill": skill, "input": given})


def ingest_profile() -> AgentProfile:
    """The ingest agent's card."""
    report = Skill(
        "ingest_report",
        "Ingest reports",
        "Raw reports (JSON, bare text, several at once, CAP 1.2 alerts) become located and typed events.",
        ("incident", "ingest"),
        json.dumps(_envelope("raw_event_v1", "raw_event", {"source": "emergency", "content": _REPORT})),
    )
    modes = (*INPUT_MODES, "text/plain", "application/cap+xml", "application/xml", "text/xml")
    return AgentProfile("ingest_agent", "Makes events of raw incident reports.", __version__, (report,), modes)


def summarizer_profile() -> AgentProfile:
    """The summarizer agent's card."""
    brief = Skill(
        "summarize_incident",
        "Summarize incidents",
        "Verified events become one brief of at most 200 words for each incident, revised as reports come in.",
        ("incident", "summary"),
        json.dumps(_verified_event()),
    )
    act = Skill(
        "decide_on_incident",
        "Decide on an incident or a claim",
        "Confirms, dismisses, closes, reopens, merges or splits an incident, marks a claim, or takes any of it back.",
        ("incident", "decision"),
        json.dumps(_envelope("incident_act_v1", "incident_act", _ACT)),
    )
    return AgentProfile("summarizer_agent", "Keeps one brief for each incident.", __version__, (brief, act))


def verifier_profile(agent: Callable[[], VerifierAgent], forward: Forward, default_session: str) -> AgentProfile:
    """The verifier agent's card; its skills work on the agent that `agent()` gives."""

    async def verify_claim(given: dict[str, Any]) -> dict[str, Any]:
        from verifleet.envelopes import EventData

        text = _text(given, "claim")
        if not text.strip():
            raise _wrong("claim", "must be a statement; it is empty")
        now = datetime.now(UTC)
        event = _validated(
            EventData,
            {
                "event_id": f"claim-{hashlib.sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()[:32]}",
                "content": text,
                "timestamp": now,
                **{name: given[name] for name in ("source", "location", "event_type", "timestamp") if name in given},
            },
        )
        session = given.get("session_id", default_session)
        if not isinstance(session, str) or not session:
            raise _wrong("session_id", "must be a non-empty string")
        verified = await agent().assess(session, event)
        return {"verified_claims": [_plain(claim) for claim in verified.verified_claims], "method": verified.method}

    async def forward_to_summarizer(given: dict[str, Any]) -> dict[str, Any]:
        from verifleet.envelopes import parse_envelope

        return {"forwarded": await forward(parse_envelope(given, "verified_event_v1"))}

    skills = (
        Skill(
            "extract_claims",
            "Extract claims",
            "The checkable statements of a report, with span, kind and checkworthiness.",
            ("claims",),
            _calling("extract_claims", {"content": _REPORT, "source": "emergency"}),
            _extract_claims,
        ),
        Skill(
            "verify_claim",
            "Verify a claim",
            "Weighs one claim against what this session's reports say: verdict, confidence, evidence.",
            ("claims", "evidence"),
            _calling("verify_claim", {"claim": _REPORT, "location": "Leeds", "session_id": "example"}),
            verify_claim,
        ),
        Skill(
            "score_reliability",
            "Score reliability",
            "(verification_rate*0.6 + avg_confidence*0.4) * source_multiplier, clamped to 0..1, with its parts.",
            ("reliability",),
            _calling("score_reliability", {"verified_claims": [_CLAIM], "source": "emergency"}),
            _score_reliability,
        ),
        Skill(
            "forward_to_summarizer",
            "Forward to the summarizer",
            "Sends a verified event to the summarizer agent, over A2A or by its topic.",
            ("forwarding",),
            _calling("forward_to_summarizer", _verified_event()),
            forward_to_summarizer,
        ),
    )
    description = "Extracts the claims of incident reports, weighs the evidence and scores their reliability."
    return AgentProfile("verifier_agent", description, __version__, skills)


async def _extract_claims(given: dict[str, Any]) -> dict[str, Any]:
    from verifleet.agents.claims.extract import extract
    from verifleet.envelopes import Claim
    from verifleet.reading.read import read

    content, source = _text(given, "content"), _text(given, "source", "other")
    found = extract(read(content), source)
    made = [
        Claim(text=one.text, source=source, span=one.span, kind=one.kind, checkworthiness=round(one.checkworthiness, 4))
        for one in found.claims
    ]
    return {"claims": [_plain(claim) for claim in made], "guidance": list(found.guidance)}


async def _score_reliability(given: dict[str, Any]) -> dict[str, Any]:
    from verifleet.agents.belief.reliability import score_reliability
    from verifleet.envelopes import VerifiedClaim

    claims = given.get("verified_claims")
    if not isinstance(claims, list):
        raise _wrong("verified_claims", "must be a list of verified claims")
    parsed = [_validated(VerifiedClaim, claim, f"input.verified_claims.{index}") for index, claim in enumerate(claims)]
    for index, claim in enumerate(parsed):
        _refuse_contradiction(claim, f"verified_claims.{index}")
    reliability = score_reliability(parsed, _text(given, "source", "other"))
    parts = {**reliability.parts, "unverified": reliability.unverified, "unverified_reason": reliability.reason}
    return {"reliability_score": reliability.score, **parts}


def _refuse_contradiction(claim: VerifiedClaim, where: str) -> None:
    """Raises ShapeError for what no verifier says of a claim."""
    from verifleet.agents.belief.evidence import VERIFIED_FROM

    if claim.verified and (claim.verdict not in ("supported", "outdated") or claim.confidence < VERIFIED_FROM):
        told = f"{claim.verdict} with a confidence of {claim.confidence:g}"
        raise _wrong(
            f"{where}.verified",
            f"can't be true of what is {told}: it means supported, from {VERIFIED_FROM}",
        )
    if claim.verdict == "refuted" and claim.confidence >= VERIFIED_FROM:
        problem = "is the belief that the claim is true, and it is refuted"
        raise _wrong(f"{where}.confidence", f"{problem}: must be below {VERIFIED_FROM}")


def _text(given: dict[str, Any], name: str, default: str | None = None) -> str:
    value = given.get(name, default)
    if not isinstance(value, str):
        raise _wrong(name, "must be a string")
    return value


def _wrong(name: str, problem: str) -> ShapeError:
    return ShapeError.at(f"input.{name}", problem)


def _validated(model: Any, value: Any, prefix: str = "input") -> Any:
    from pydantic import ValidationError

    try:
        return model.model_validate(value)
    except ValidationError as error:
        raise ShapeError.from_validation(error, prefix) from None


def _plain(model: Any) -> dict[str, Any]:
    plain: dict[str, Any] = model.model_dump(mode="json")
    return plain
