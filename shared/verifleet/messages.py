"""The text in what trainers hand over: strings, messages, lists of messages, lists of parts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

MODEL_ROLES = (None, "assistant", "model")
"""Whose messages are the model's; a message that says no role is one."""


def text_of(completion: Any) -> str:
    """The text of a completion: a string as it is, of messages the model's last one; of None nothing.

    What a user, a tool or the environment said is never the model's answer, wherever it stands.
    """
    said = _listed(completion)
    if isinstance(said, Sequence) and not isinstance(said, str):
        return next((_content(one) for one in reversed(said) if _field(one, "role") in MODEL_ROLES), "")
    return _content(said) if _field(said, "role") in MODEL_ROLES else ""


def is_completion(value: Any) -> bool:
    """Whether a value is a text, a message, or messages: something that a model may have said, be it nothing."""
    said = _listed(value)
    if isinstance(said, Sequence) and not isinstance(said, str):
        return bool(said) and all(map(is_completion, said))
    return isinstance(said, str) or any(_field(said, name) is not None for name in ("role", "content", "text"))


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
