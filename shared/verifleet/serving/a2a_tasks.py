"""A2A tasks in our Store, and the executor that runs an agent's handler for a message."""

from __future__ import annotations

import json
import logging
import uuid
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from a2a.helpers import get_data_parts, get_message_text, new_data_part, new_task, new_text_part
from a2a.server.agent_execution import AgentExecutor, RequestContext, SimpleRequestContextBuilder
from a2a.server.agent_execution.active_task import TERMINAL_TASK_STATES
from a2a.server.context import ServerCallContext
from a2a.server.events import EventQueue
from a2a.server.id_generator import IDGenerator, IDGeneratorContext
from a2a.server.owner_resolver import resolve_user_scope
from a2a.server.tasks import InMemoryTaskStore, TaskStore, TaskUpdater
from a2a.types.a2a_pb2 import ListTasksRequest, ListTasksResponse, Message, Part, SendMessageRequest, Task, TaskState
from a2a.utils.errors import PushNotificationNotSupportedError, UnsupportedOperationError
from google.protobuf.json_format import MessageToDict, ParseDict

from verifleet.errors import ShapeError, TransientError, VerifierUnavailableError
from verifleet.observability import tool
from verifleet.serving import strict_json
from verifleet.serving.delivery import Decode, Receiver
from verifleet.serving.tasks import completed
from verifleet.storage.store import Document, Store

if TYPE_CHECKING:
    from verifleet.serving.a2a import AgentProfile, Skill

logger = logging.getLogger(__name__)

KIND = "task"
OWN_CONTEXT = "unnamed-context-"
"""What the ids of contexts begin with that a client did not name."""
KEPT_FOR = timedelta(days=7)
LISTED_AT_MOST = 1000


class StoreTaskStore(TaskStore):
    """Tasks of one agent as documents of kind `task`, apart for each caller."""

    def __init__(self, store: Store, agent: str) -> None:
        self._store = store
        self._agent = agent

    async def save(self, task: Task, context: ServerCallContext) -> None:
        """Write or replace a task."""
        scope = self._scope(context)
        keys = (scope, f"{scope}/context/{task.context_id}")
        now = datetime.now(UTC)
        document = Document(MessageToDict(task), keys, time=now, expires_at=now + KEPT_FOR)
        await self._store.put(KIND, f"{scope}/{task.id}", document)

    async def get(self, task_id: str, context: ServerCallContext) -> Task | None:
        """The caller's task, or None."""
        document = await self._store.get(KIND, f"{self._scope(context)}/{task_id}")
        return None if document is None else ParseDict(dict(document.data), Task(), ignore_unknown_fields=True)

    async def list(self, params: ListTasksRequest, context: ServerCallContext) -> ListTasksResponse:
        """The caller's tasks, newest first: of the latest LISTED_AT_MOST."""
        scope = self._scope(context)
        key = f"{scope}/context/{params.context_id}" if params.context_id else scope
        found = await self._store.find(KIND, [key], limit=LISTED_AT_MOST)
        # Filters, order and page tokens are the SDK's own.
        page = InMemoryTaskStore()
        for _, document in found:
            await page.save(ParseDict(dict(document.data), Task(), ignore_unknown_fields=True), context)
        return await page.list(params, context)

    async def delete(self, task_id: str, context: ServerCallContext) -> None:
        """Remove the caller's task."""
        await self._store.delete(KIND, f"{self._scope(context)}/{task_id}")

    def _scope(self, context: ServerCallContext) -> str:
        return json.dumps([self._agent, resolve_user_scope(context)])


class EnvelopeExecutor(AgentExecutor):
    """Runs the agent's handler for an envelope in a data part, or one of its skills.

    Args:
        profile: the agent's name and skills.
        receiver: parses, handles, publishes: the same way as `POST /tasks` and Pub/Sub.
    """

    def __init__(self, profile: AgentProfile, receiver: Receiver) -> None:
        self._profile = profile
        self._receiver = receiver
        self._skills = {skill.id: skill for skill in profile.skills}

    async def execute(self, context: RequestContext, event_queue: EventQueue) -> None:
        """Do all the work of a message, then say what became of it."""
        message = context.message
        assert message is not None
        assert context.task_id is not None
        assert context.context_id is not None
        updater = TaskUpdater(event_queue, context.task_id, context.context_id)
        at_once = bool(context.configuration and context.configuration.return_immediately)
        if not at_once:
            await self._begin(context, event_queue, updater)
        answer: dict[str, Any] | None = None
        error: dict[str, Any] = {}
        try:
            content, session = content_of(message, self._receiver.decode), _session(message)
            answer = await self._result(content, session, message.message_id)
        except ShapeError as fault:
            error = fault.as_json()
        except (TransientError, VerifierUnavailableError) as fault:
            error = {"code": "unavailable", "message": f"{fault}; try again", "fields": []}
        if at_once:
            # The caller's response goes out with the first event, so that comes when nothing is left to do.
            await self._begin(context, event_queue, updater)
        if answer is None:
            await updater.add_artifact([new_data_part({"status": "failed", "error": error})], name="error")
            await updater.failed(updater.new_agent_message([new_text_part(str(error["message"]))]))
        else:
            await updater.add_artifact([new_data_part(answer)], name="result")
            await updater.complete()

    async def cancel(self, context: RequestContext, event_queue: EventQueue) -> None:
        """Say that the task is cancelled; outputs that were published stay published."""
        assert context.task_id is not None
        assert context.context_id is not None
        await TaskUpdater(event_queue, context.task_id, context.context_id).cancel()

    async def _begin(self, context: RequestContext, event_queue: EventQueue, updater: TaskUpdater) -> None:
        if context.current_task is None:
            assert context.message is not None
            # The SDK's helper for a user's message breaks on an empty text, which is to be refused with a reason.
            submitted = TaskState.TASK_STATE_SUBMITTED
            task = new_task(updater.task_id, updater.context_id, submitted, history=[context.message])
            await event_queue.enqueue_event(task)
        await updater.start_work()

    async def _result(self, content: Any, session: str | None, message_id: str) -> dict[str, Any]:
        if isinstance(content, dict) and "skill" in content and not {"schema", "content"} & content.keys():
            return await self._run_skill(content, session)
        envelopes = self._receiver.parse(content, session)
        outputs = await self._receiver.handle(envelopes, message_id)
        return completed(self._profile.name, envelopes[0].session_id, message_id, outputs).as_json()

    async def _run_skill(self, content: dict[str, Any], session: str | None) -> dict[str, Any]:
        skill: Skill | None = self._skills.get(str(content["skill"]))
        if skill is None or skill.run is None:
            callable_ones = ", ".join(skill.id for skill in self._profile.skills if skill.run)
            known = f"one of: {callable_ones}" if callable_ones else "callable here: send what the agent handles itself"
            raise ShapeError.at("skill", f"{str(content['skill'])[:80]!r} is not {known}")
        given = content.get("input")
        if not isinstance(given, dict):
            raise ShapeError.at("input", "must be an object with the skill's input")
        if session is not None and "schema" not in given:  # an envelope names its own session
            given = {"session_id": session, **given}
        with tool(skill.id, skill.id):
            return {"skill": skill.id, "output": await skill.run(given)}


class ContextIds(IDGenerator):
    """Ids for contexts that a client did not name, to be known again.

    What is sent in them is in no session of its own, neither the first message nor one that continues the context.
    """

    def generate(self, context: IDGeneratorContext) -> str:
        """A new id."""
        return f"{OWN_CONTEXT}{uuid.uuid4()}"


class ContextsOfTasks(SimpleRequestContextBuilder):
    """A message that names a task and no context is in the task's context (A2A 1.0, 3.4.3); the SDK invents another."""

    def __init__(self, tasks: TaskStore) -> None:
        super().__init__(context_id_generator=ContextIds())
        self._tasks = tasks

    async def build(
        self,
        context: ServerCallContext,
        params: SendMessageRequest | None = None,
        task_id: str | None = None,
        context_id: str | None = None,
        task: Task | None = None,
    ) -> RequestContext:
        """What a message is to be handled with.

        Raises PushNotificationNotSupportedError for a message whose sender waits for notifications: none would come.
        Raises UnsupportedOperationError for a message to a task that is finished.
        """
        if params is not None and params.configuration.HasField("task_push_notification_config"):
            raise PushNotificationNotSupportedError(
                message="no notifications are sent: the answer comes with the response, or by GetTask"
            )
        known = await self._tasks.get(task_id, context) if task_id else None
        if known is not None:
            context_id = context_id or known.context_id
            state = known.status.state
            if params is not None and state in TERMINAL_TASK_STATES:
                # The SDK says so too, but leaves the queues behind that it has made by then.
                raise UnsupportedOperationError(f"Task {task_id} is in terminal state: {TaskState.Name(state)}")
        return await super().build(context, params, task_id, context_id, task)


def _session(message: Message) -> str | None:
    """The session that a message names: in a part's metadata, in its own, else the A2A context that its client chose.

    Raises ShapeError for a session_id that is no text, or is empty.
    """
    for where, metadata in (*(("part", part.metadata) for part in message.parts), ("message", message.metadata)):
        if "session_id" in metadata.fields:
            session = MessageToDict(metadata)["session_id"]
            if not isinstance(session, str) or not session:
                raise ShapeError.at(f"{where}.metadata.session_id", "must be a non-empty string")
            return session
    context = message.context_id
    return context if context and not context.startswith(OWN_CONTEXT) else None


def content_of(message: Message, decode: Decode | None) -> Any:
    """The data of a message; else its text, as JSON or XML where it is that; else the bytes of a file.

    For an agent that takes bare reports (`decode`) each part is a report of its own, and several are a list; else there
    is one data part, beside which a text is only a remark, or all of the text as one, or a file. Raises ShapeError
    where there is none of these, or what would be lost.
    """
    parts = [part for part in message.parts if not _is_blank(part)]
    if any(part.WhichOneof("content") == "url" for part in parts):
        problem = "a part holds a URL, and nothing is fetched: send the content itself as data, text or bytes"
        raise ShapeError.at("message.parts", problem)
    if not parts:
        raise ShapeError.at("message.parts", "the message is empty")
    if decode is not None:
        return _one_or_list([_of_part(part, decode) for part in parts])
    data = get_data_parts(parts)
    if len(data) > 1:
        raise ShapeError.at("message.parts", "this agent takes one data part in a message; send a message for each")
    if data:
        return _whole_numbers(data[0])
    text = get_message_text(message)
    return _decoded(text) if text.strip() else strict_json.loads(parts[0].raw)


def _is_blank(part: Part) -> bool:
    kind = part.WhichOneof("content")
    return kind is None or (kind == "text" and not part.text.strip()) or (kind == "raw" and not part.raw.strip())


def _of_part(part: Part, decode: Decode) -> Any:
    kind = part.WhichOneof("content")
    if kind == "data":
        return _whole_numbers(get_data_parts([part])[0])
    return decode(part.raw, part.media_type) if kind == "raw" else _decoded(part.text, decode)


def _decoded(text: str, decode: Decode | None = None) -> Any:
    if decode is not None and text.lstrip().startswith("<"):
        return decode(text.encode("utf-8", "surrogatepass"), "application/xml")
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


def _one_or_list(contents: list[Any]) -> Any:
    """The content of a single part as it is; of several parts one list, with the lists in them taken apart."""
    if len(contents) == 1:
        return contents[0]
    return [item for content in contents for item in (content if isinstance(content, list) else [content])]


def _whole_numbers(value: Any) -> Any:
    """Protobuf's Value knows only doubles; 3.0 was most likely 3."""
    if isinstance(value, float) and value.is_integer() and abs(value) < 2**53:
        return int(value)
    if isinstance(value, dict):
        return {key: _whole_numbers(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_whole_numbers(item) for item in value]
    return value
