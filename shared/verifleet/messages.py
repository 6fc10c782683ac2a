"""The text in what trainers hand over: strings, messages, lists of messages, lists of parts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any


def text_of(completion: Any) -> str:
    """The text of a completion: a string as it is, of a message list the last message's text; of None nothing."""
    message = _last(_listed(completion))
    return _content(message)


def prompt_text(prompt: Any) -> str:
    """The text of a prompt: of a message list what the user said last, else its last message."""
    messages = _listed(prompt)
    if isinstance(messages, str):
        return messages
    said = [one for one in messages if _field(one, "role") == "user"] if isinstance(messages, Sequence) else []
    return _content(said[-1] if said else _last(messages))


def _listed(value: Any) -> Any:
    """Arrays of numpy are lists."""
    return value.tolist() if hasattr(value, "tolist") else value


def _last(value: Any) -> Any:
    if isinstance(value, Sequence) and not isinstance(value, str):
        return value[-1] if value else ""
    return value


def _field(message: Any, name: str) -> Any:
    return message.get(name) if isinstance(message, Mapping) else getattr(message, name, None)


def _content(message: Any) -> str:
    """A message with tool calls has None as its content: it says nothing."""
    if message is None or isinstance(message, str):
        return message or ""
    content = _listed(_field(message, "content"))
    if isinstance(content, Sequence) and not isinstance(content, str):
        return "".join(str(_field(part, "text") or "") for part in content)
    return "" if content is None else str(content)
