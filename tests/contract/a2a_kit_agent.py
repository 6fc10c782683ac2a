"""The product's own A2A routes behind an executor that plays the conformance kit's scenarios.

    python -m tests.contract.a2a_kit_agent --port 9999

The kit tells by the messageId's prefix what the agent should do.
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import uvicorn
from a2a.helpers import new_data_part, new_raw_part, new_task_from_user_message, new_text_part, new_url_part
from a2a.server.agent_execution import AgentExecutor, RequestContext
from a2a.server.events import EventQueue
from a2a.server.tasks import TaskUpdater
from a2a.utils.errors import A2AError
from starlette.applications import Starlette

from verifleet.serving.a2a import INPUT_MODES, AgentProfile, Skill, a2a_routes
from verifleet.storage.sqlite import SqliteStore

STREAM_TIMEOUT_S = 2.0
FILE = {"media_type": "text/plain", "filename": "output.txt"}
Play = Callable[[TaskUpdater], Awaitable[None]]


def artifact(*parts: object, working: bool = False) -> Play:
    async def play(updater: TaskUpdater) -> None:
        if working:
            await updater.start_work()
        await updater.add_artifact(list(parts))  # type: ignore[arg-type]
        await updater.complete()

    return play


async def chunks(updater: TaskUpdater) -> None:
    await updater.start_work()
    await updater.add_artifact([new_text_part("chunk-1 ")], artifact_id="chunked", append=False, last_chunk=False)
    await updater.add_artifact([new_text_part("chunk-2")], artifact_id="chunked", append=True, last_chunk=True)
    await updater.complete()


async def stay(updater: TaskUpdater) -> None:
    await updater.start_work()
    await asyncio.sleep(2 * STREAM_TIMEOUT_S)
    await updater.complete()


async def reject(updater: TaskUpdater) -> None:
    raise A2AError("rejected")


async def complete(updater: TaskUpdater) -> None:
    await updater.complete(updater.new_agent_message([new_text_part("Hello from TCK")]))


async def complete_later(updater: TaskUpdater) -> None:
    await updater.start_work()
    await asyncio.sleep(STREAM_TIMEOUT_S)
    await updater.complete(updater.new_agent_message([new_text_part("Done after delay")]))


SCENARIOS: dict[str, Play] = {
    "tck-stream-artifact-chunked": chunks,
    "tck-stream-artifact-text": artifact(new_text_part("Streamed text content"), working=True),
    "tck-stream-artifact-file": artifact(new_raw_part(b"tck", **FILE), working=True),
    "tck-stream-ordering-001": artifact(new_text_part("Ordered output"), working=True),
    "tck-stream-001": artifact(new_text_part("Stream hello from TCK"), working=True),
    "tck-stream-002": lambda updater: updater.complete(),
    "tck-stream-003": artifact(new_text_part("Stream task lifecycle"), working=True),
    "tck-artifact-text": artifact(new_text_part("Generated text content")),
    "tck-artifact-file": artifact(new_raw_part(b"tck", **FILE)),
    "tck-artifact-file-url": artifact(new_url_part("https://example.com/output.txt", **FILE)),
    "tck-artifact-data": artifact(new_data_part({"key": "value", "count": 42})),
    "tck-delayed-complete": complete_later,
    "tck-auth-required": lambda updater: updater.requires_auth(),
    "tck-input-required": lambda updater: updater.requires_input(),
    "tck-reject-task": reject,
    "tck-complete-task": complete,
    "test-resubscribe-message-id": stay,
}


class KitExecutor(AgentExecutor):
    async def execute(self, context: RequestContext, event_queue: EventQueue) -> None:
        message, task_id, context_id = context.message, context.task_id, context.context_id
        assert message is not None
        assert task_id is not None
        assert context_id is not None
        updater = TaskUpdater(event_queue, task_id, context_id)
        if message.message_id.startswith("tck-message-response"):
            await event_queue.enqueue_event(updater.new_agent_message([new_text_part("Direct message response")]))
            return
        if context.current_task is None:
            task = new_task_from_user_message(message)
            task.id, task.context_id = task_id, context_id
            await event_queue.enqueue_event(task)
        # The longest prefix wins: tck-artifact-file-url is no tck-artifact-file.
        for prefix in sorted(SCENARIOS, key=len, reverse=True):
            if message.message_id.startswith(prefix):
                await SCENARIOS[prefix](updater)
                return
        await complete(updater)

    async def cancel(self, context: RequestContext, event_queue: EventQueue) -> None:
        assert context.task_id is not None
        assert context.context_id is not None
        await TaskUpdater(event_queue, context.task_id, context.context_id).cancel()


def application(folder: Path) -> Starlette:
    skill = Skill("tck", "Conformance", "Plays the conformance kit's scenarios.", ("tck",), "tck-complete-task")
    modes = (*INPUT_MODES, "text/plain")  # the kit sends text
    profile = AgentProfile("kit_agent", "verifleet's A2A routes under the conformance kit", "1.0.0", (skill,), modes)
    return Starlette(routes=a2a_routes(profile, KitExecutor, SqliteStore(folder / "store.db"), time.time()))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--host", default="127.0.0.1")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        uvicorn.run(application(Path(folder)), host=arguments.host, port=arguments.port, log_level="warning")


if __name__ == "__main__":
    main()
