"""`verifleet dead-letters`: what could not be handled, why, and sending it again once the cause is mended.

Dead letters are kept in the subscription `dead-letters.archive`. Listing does not take them away; replaying
publishes the original data to the topic it came from and then acknowledges the dead letter.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from verifleet.errors import PublishError, SettingsError
from verifleet.local.pubsub import pubsub
from verifleet.local.pulling import pulled
from verifleet.messaging.topology import DEAD_LETTERS, SUBSCRIPTIONS, TOPICS

app = typer.Typer(name="dead-letters", help="List, show and replay what could not be handled.", no_args_is_help=True)
console = Console()

ARCHIVE = f"{DEAD_LETTERS}.archive"
OWN_ATTRIBUTES = ("reason", "path", "origin")
PULL_AT_ONCE = 500
FIRST_WAIT_S = 5.0

Project = Annotated[str | None, typer.Option("--project", help="Google Cloud project; without it the local fleet.")]
PortOffset = Annotated[int, typer.Option("--port-offset", min=0, max=50000)]


@dataclass(frozen=True, slots=True)
class DeadLetter:
    """One message in the archive."""

    message_id: str
    ack_id: str
    data: bytes
    attributes: dict[str, str]

    @property
    def reason(self) -> str:
        """Why it could not be handled."""
        given = self.attributes.get("reason")
        attempts = self.attributes.get("CloudPubSubDeadLetterSourceDeliveryCount")
        return given or (f"given up after {attempts} deliveries" if attempts else "not given")

    @property
    def topic(self) -> str | None:
        """The topic it was first published to."""
        forwarded = self.attributes.get("CloudPubSubDeadLetterSourceSubscription", "")
        origin = self.attributes.get("origin", "").split("/")[0] or forwarded.rsplit("/", 1)[-1]
        for subscription in SUBSCRIPTIONS:
            if subscription.name == origin:
                return subscription.topic
        return origin if origin in TOPICS else None


class Archive:
    """The dead letters of one project, through the ordinary Pub/Sub client."""

    def __init__(self, project: str, publisher: Any, subscriber: Any) -> None:
        self._project = project
        self._publisher = publisher
        self._subscriber = subscriber
        self._subscription = f"projects/{project}/subscriptions/{ARCHIVE}"

    def letters(self, most: int) -> list[DeadLetter]:
        """Up to `most` dead letters; they stay where they are once `release` is called."""
        found: dict[str, DeadLetter] = {}
        while len(found) < most:
            # The first look may have to connect first.
            wait_s = 1.0 if found else FIRST_WAIT_S
            received = pulled(self._subscriber, self._subscription, min(PULL_AT_ONCE, most), wait_s)
            new = [item for item in received if item.message.message_id not in found]
            for item in new:
                message = item.message
                letter = DeadLetter(message.message_id, item.ack_id, message.data, dict(message.attributes))
                found[letter.message_id] = letter
            if not new:
                break
        return list(found.values())

    def release(self, letters: list[DeadLetter]) -> None:
        """Give back what was only looked at."""
        for start in range(0, len(letters), PULL_AT_ONCE):
            ids = [letter.ack_id for letter in letters[start : start + PULL_AT_ONCE]]
            self._subscriber.modify_ack_deadline(subscription=self._subscription, ack_ids=ids, ack_deadline_seconds=0)

    def replay(self, letter: DeadLetter) -> str:
        """Publish a letter's original data to its topic again and take it out of the archive; the topic's name."""
        if letter.topic is None:
            raise PublishError(f"dead letter {letter.message_id} does not say where it came from")
        attributes = {
            key: value
            for key, value in letter.attributes.items()
            if key not in OWN_ATTRIBUTES and not key.startswith("CloudPubSubDeadLetter")
        }
        path = f"projects/{self._project}/topics/{letter.topic}"
        self._publisher.publish(path, letter.data, **attributes).result(timeout=20)
        self._subscriber.acknowledge(subscription=self._subscription, ack_ids=[letter.ack_id])
        return letter.topic


@app.command("list")
def list_command(project: Project = None, port_offset: PortOffset = 0, most: int = 100) -> None:
    """What is there and why."""
    with _archive(project, port_offset) as archive:
        letters = archive.letters(most)
        archive.release(letters)
    table = Table()
    for header in ("message", "topic", "reason", "bytes"):
        table.add_column(header, overflow="fold")  # whole: ids are copied from here
    for letter in letters:
        cells = (letter.message_id, letter.topic or "?", letter.reason, str(len(letter.data)))
        table.add_row(*map(escape, cells))
    console.print(table)
    console.print(f"{len(letters)} dead letters")


@app.command("show")
def show_command(message_id: str, project: Project = None, port_offset: PortOffset = 0, most: int = 1000) -> None:
    """One dead letter whole."""
    with _archive(project, port_offset) as archive:
        letters = archive.letters(most)
        archive.release(letters)
    letter = _find(letters, message_id)
    text = letter.data.decode("utf-8", "backslashreplace")
    console.print_json(json.dumps({"attributes": letter.attributes, "data": text}))


@app.command("replay")
def replay_command(
    message_ids: Annotated[list[str] | None, typer.Argument(help="message ids; none with --all")] = None,
    everything: Annotated[bool, typer.Option("--all", help="replay all of them")] = False,
    project: Project = None,
    port_offset: PortOffset = 0,
    most: int = 1000,
) -> None:
    """Publish dead letters to the topics they came from; what was replayed leaves the archive."""
    if not message_ids and not everything:
        raise SettingsError("name the message ids to replay, or give --all")
    with _archive(project, port_offset) as archive:
        letters = archive.letters(most)
        chosen = letters if everything else [_find(letters, message_id) for message_id in message_ids or []]
        try:
            for letter in chosen:
                console.print(f"{letter.message_id} replayed to {archive.replay(letter)}")
        finally:
            archive.release([letter for letter in letters if letter not in chosen])


def _find(letters: list[DeadLetter], message_id: str) -> DeadLetter:
    for letter in letters:
        if letter.message_id == message_id:
            return letter
    raise SettingsError(f"there is no dead letter {message_id}; see `verifleet dead-letters list`")


@contextmanager
def _archive(project: str | None, port_offset: int) -> Iterator[Archive]:
    with pubsub(project, port_offset) as (chosen, publisher, subscriber):
        yield Archive(chosen, publisher, subscriber)
