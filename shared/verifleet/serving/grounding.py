"""What Gemini is asked about an event, each answer kept for a day, so that a revision asks only about what is new."""

from __future__ import annotations

import hashlib
import json
import logging
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, TypeVar

from verifleet.agents.belief.evidence import Item
from verifleet.agents.belief.open_pairs import RULE, STRENGTH, OpenPair, open_pairs, told_by
from verifleet.agents.belief.outside import found_page
from verifleet.agents.memory.keys import in_session
from verifleet.agents.memory.report import Report
from verifleet.agents.relate.types import Finding
from verifleet.envelopes import EventData, VerifiedClaim
from verifleet.errors import GeminiUnavailableError
from verifleet.serving import records
from verifleet.serving.records import ForeignClaims, Judgement, Pages
from verifleet.storage.store import Document, Store

if TYPE_CHECKING:
    from verifleet.gemini import Gemini
    from verifleet.gemini import OpenPair as Asked

logger = logging.getLogger(__name__)

GROUNDINGS = "grounding"
KEPT_FOR = timedelta(days=1)

T = TypeVar("T")
Opened = Mapping[tuple[int, str], Finding]
"""What was found about pairs that rules leave open, by the claim's index and the other report's event."""


class Grounding:
    """Gemini's answers about events, out of the store where they are known.

    Args:
        store: keeps answers.
        gemini: is asked for the others.
        now: the clock.
    """

    def __init__(self, store: Store, gemini: Gemini, now: Callable[[], datetime]) -> None:
        self._store = store
        self._gemini = gemini
        self._now = now

    async def foreign(self, session: str, event: EventData) -> list[tuple[int, int, str]]:
        """The claims of an event in a language that is not read, for `prepare`; none where they can't be had."""
        id = self._id(session, ["foreign", event.content])
        known = await self._known(ForeignClaims, id)
        if known is None:
            try:
                found = await self._gemini.foreign_claims(event.content)
            except GeminiUnavailableError as error:
                logger.warning("a report in an unread language claims nothing: %s", error)
                return []
            known = ForeignClaims([(*claim.span, claim.english) for claim in found])
            await self._keep(id, {"claims": known.claims})
        return known.claims

    async def pairs(self, session: str, own: Report, related: Sequence[Report]) -> Opened | None:
        """What is found about the pairs of a report that rules leave open; None where some could not be judged."""
        pairs = open_pairs(own, related, self._gemini.pairs_per_event)
        asked = [self._pair(own, pair) for pair in pairs]
        ids = [
            self._id(session, [pair.claim, pair.claim_time, pair.other, pair.other_time, pair.other_source])
            for pair in asked
        ]
        known = {id: await self._known(Judgement, id) for id in ids}
        new = [number for number, id in enumerate(ids) if known[id] is None]
        try:
            judged = await self._gemini.judge([asked[number] for number in new])
        except GeminiUnavailableError as error:
            logger.warning("open pairs are left open: %s", error)
            return None
        for number, made in zip(new, judged, strict=True):
            known[ids[number]] = Judgement(made.stance, made.reason)
            await self._keep(ids[number], {"stance": made.stance, "reason": made.reason})
        return {
            (pair.index, pair.other.event_id): Finding(found.stance, RULE, STRENGTH, f"Gemini: {found.reason}")
            for pair, id in zip(pairs, ids, strict=True)
            if (found := known[id]) is not None
        }

    async def pages(self, session: str, event: EventData, claim: VerifiedClaim) -> list[Item] | None:
        """What the web says about a claim, by the claim and the evidence known so far; None when unavailable."""
        text = claim.claim.text
        evidence = [[item.source, item.stance, item.reason] for item in claim.evidence]
        id = self._id(session, [text, event.location, event.event_type, evidence])
        known = await self._known(Pages, id)
        if known is None:
            context = {
                "place": event.location,
                "kind": event.event_type,
                "time": event.timestamp.isoformat(),
                "reported_by": event.source,
                "evidence_so_far": evidence[:6],
            }
            try:
                found = await self._gemini.ground(text, context)
            except GeminiUnavailableError as error:
                logger.warning("claim is judged without a search: %s", error)
                return None
            known = Pages([(page.title, page.url, page.stance, page.reason) for page in found])
            await self._keep(id, {"pages": known.pages})
        return [found_page(*page) for page in known.pages]

    def _pair(self, own: Report, pair: OpenPair) -> Asked:
        from verifleet.gemini import OpenPair as Asked

        other, claim = pair.other, own.claims[pair.index]
        return Asked(claim.label, own.time, own.source, told_by(other), other.time, other.source)

    def _id(self, session: str, asked: list[Any]) -> str:
        named = json.dumps([self._gemini.model, *asked], default=str)
        return in_session(session, hashlib.sha256(named.encode("ascii")).hexdigest())

    async def _known(self, kind: type[T], id: str) -> T | None:
        document = await self._store.get(GROUNDINGS, id)
        return records.read(kind, id, document.data) if document else None

    async def _keep(self, id: str, data: dict[str, Any]) -> None:
        await self._store.put(GROUNDINGS, id, Document(data, expires_at=self._now() + KEPT_FOR))
