"""The verifier agent with its way to the summarizer: over A2A where SUMMARIZER_URL is set, else by the topic."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from verifleet.errors import TransientError
from verifleet.messaging.topology import VERIFIED_EVENTS
from verifleet.serving.asking import GeminiPart
from verifleet.serving.delivery import Output

if TYPE_CHECKING:
    from verifleet.envelopes import Envelope
    from verifleet.messaging.forwarding import A2AForwarder
    from verifleet.messaging.publisher import Publisher
    from verifleet.serving.verifier_agent import VerifierAgent
    from verifleet.settings import Settings
    from verifleet.storage.store import Store

logger = logging.getLogger(__name__)


class VerifierWithForwarding:
    """The verifier agent's Handler; makes the agent on the first event."""

    def __init__(self, settings: Settings, store: Store, publisher: Publisher) -> None:
        self._settings = settings
        self._store = store
        self._publisher = publisher
        self.gemini = GeminiPart(settings)
        self._agent: VerifierAgent | None = None
        self._forwarder: A2AForwarder | None = None

    def agent(self) -> VerifierAgent:
        """The agent itself."""
        if self._agent is None:
            from verifleet.serving.verifier_agent import VerifierAgent

            self._agent = VerifierAgent(self._store, gemini=self.gemini.make())
        return self._agent

    async def __call__(self, envelope: Envelope[Any], *, cause: str) -> Sequence[Output]:
        """Verify one event; what was forwarded over A2A is not published as well."""
        outputs = await self.agent()(envelope, cause=cause)
        if self._settings.summarizer_url is None:
            return outputs
        return await asyncio.gather(*(self._forwarded(output) for output in outputs))

    async def forward(self, envelope: Envelope[Any]) -> str:
        """Send one verified event on; says which way it went. Raises PublishError when neither way is open."""
        if self._settings.summarizer_url is not None:
            output = await self._forwarded(Output(VERIFIED_EVENTS, envelope))
            if output.topic is None:
                return "a2a"
        await self._publisher.publish(VERIFIED_EVENTS, envelope)
        return "topic"

    async def _forwarded(self, output: Output) -> Output:
        from verifleet.messaging.forwarding import A2AForwarder

        if self._forwarder is None:
            assert self._settings.summarizer_url is not None
            self._forwarder = A2AForwarder(self._settings.summarizer_url)
        try:
            await self._forwarder.forward(output.envelope)
        except TransientError as error:
            logger.warning("falling back to the topic %s: %s", output.topic, error)
            return output
        return Output(None, output.envelope)
