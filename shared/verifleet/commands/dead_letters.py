"""`verifleet dead-letters`: what could not be handled, why, and sending it again once the cause is mended.

Dead letters are kept in the subscription `dead-letters.archive`. Pub/Sub shows messages only by leasing them, so
whatever is looked at is given back at once, also when a command fails or is interrupted; replaying publishes the
original data to the topic it came from and acknowledges the dead letter only after that.
"""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Annotated, Any

import typer
from rich.markup import escape
from rich.table import Table

from verifleet.commands.options import PortOffset
from verifleet.errors import PublishError, SettingsError
from verifleet.local.pubsub import EMULATOR, pubsub
from verifleet.local.pulling import pulled
from verifleet.messaging.topology import (
    DEAD_LETTERS,
    REPLAYED_FOR,
    TOPICS,
    shares_its_topic,
    short_name,
    subscription_path,
    topic_of,
    topic_path,
)
from verifleet.settings import settings
from verifleet.terminal import plain_console

app = typer.Typer(name="dead-letters", help="List, show and replay what could not be handled.", no_args_is_help=True)
console = plain_console()

ARCHIVE = f"{DEAD_LETTERS}.archive"
OWN_ATTRIBUTES = ("reason", "path", "origin", REPLAYED_FOR)
PULL_AT_ONCE = 500
FIRST_WAIT_S = 5.0
"""The first look may have to connect first."""
EMPTY_PULLS = 3
"""A pull may come back empty, or with a part, while there are messages: so many empty ones in a row end a look."""
EMPTY_WAIT_S = {"here": 0.4, "cloud": 3.0}
MOST = 100_000
UNCOUNTED = (
    "Pub/Sub has no count: letters that another reader holds at this moment, or one that was killed (kill -9), are not "
    "shown; they come back when its lease ends (a minute)."
)
RETURNING = "A letter that still can't be handled comes back under a new id: see `verifleet dead-letters list`."

Project = Annotated[str | None, typer.Option("--project", help="Google Cloud project; without it the local fleet.")]
Most = Annotated[int, typer.Option("--most", min=1, help="show at most so many")]


@dataclass(frozen=True, slots=True)
class DeadLetter:
    """One message in the archive."""

    message_id: str
    data: bytes
    attributes: dict[str, str]

    @property
    def reason(self) -> str:
        """Why it could not be handled."""
        given = self.attributes.get("reason")
        attempts = self.attributes.get("CloudPubSubDeadLetterSourceDeliveryCount")
        return given or (f"given up after {attempts} deliveries" if attempts else "not given")

    @property
    def origin(self) -> str:
        """The subscription it was refused on, as far as it says."""
        forwarded = short_name(self.attributes.get("CloudPubSubDeadLetterSourceSubscription", ""), settings().prefix)
        return self.attributes.get("origin", "").split("/")[0] or forwarded

    @property
    def topic(self) -> str | None:
        """The topic it was first published to."""
        return topic_of(self.origin) or (self.origin if self.origin in TOPICS else None)


class Archive:
    """The dead letters of one project, through the ordinary Pub/Sub client; holds the leases of what it looked at."""

    def __init__(self, project: str, publisher: Any, subscriber: Any) -> None:
        self._project = project
        self._publisher = publisher
        self._subscriber = subscriber
        self._prefix = settings().prefix
        self._subscription = subscription_path(project, ARCHIVE, self._prefix)
        self._empty_wait_s = EMPTY_WAIT_S["here" if EMULATOR in os.environ else "cloud"]
        self._leases: dict[str, str] = {}

    def rounds(self, most: int = MOST) -> Iterator[list[DeadLetter]]:
        """Up to `most` dead letters, each once, in the portions in which they come."""
        seen: set[str] = set()
        empty, wait_s = 0, FIRST_WAIT_S
        while len(seen) < most and empty < EMPTY_PULLS:
            received = pulled(self._subscriber, self._subscription, min(PULL_AT_ONCE, most - len(seen)), wait_s)
            # One whose lease ended meanwhile comes again: only its newest lease counts.
            self._leases.update((item.message.message_id, item.ack_id) for item in received)
            new = [item.message for item in received if item.message.message_id not in seen]
            seen.update(message.message_id for message in new)
            empty, wait_s = 0 if new else empty + 1, self._empty_wait_s
            if new:
                yield [DeadLetter(message.message_id, message.data, dict(message.attributes)) for message in new]

    def letters(self, most: int = MOST) -> list[DeadLetter]:
        """Up to `most` dead letters; they are leased until `release`."""
        return [letter for portion in self.rounds(most) for letter in portion]

    def ids(self) -> set[str]:
        """The message ids of all that is there now; it is given back at once."""
        found = {letter.message_id for portion in self.rounds() for letter in portion}
        self.release()
        return found

    def release(self) -> None:
        """Give back everything that was only looked at."""
        ids = list(self._leases.values())
        self._leases.clear()
        for start in range(0, len(ids), PULL_AT_ONCE):
            some = ids[start : start + PULL_AT_ONCE]
            self._subscriber.modify_ack_deadline(subscription=self._subscription, ack_ids=some, ack_deadline_seconds=0)

    def replay(self, letters: Sequence[DeadLetter]) -> None:
        """Publish letters' original data to their topics again, then take them out of the archive.

        Raises PublishError, naming those that do not say where they came from; nothing is published then.
        """
        lost = [letter.message_id for letter in letters if letter.topic is None]
        if lost:
            raise PublishError(f"dead letter {', '.join(lost)} does not say where it came from")
        sent = []
        for letter in letters:
            attributes = {
                key: value
                for key, value in letter.attributes.items()
                if key not in OWN_ATTRIBUTES and not key.startswith("CloudPubSubDeadLetter")
            }
            if shares_its_topic(letter.origin):
                attributes[REPLAYED_FOR] = letter.origin
            path = topic_path(self._project, str(letter.topic), self._prefix)
            sent.append((letter.message_id, self._publisher.publish(path, letter.data, **attributes)))
        done: list[str] = []
        try:
            for message_id, future in sent:
                future.result(timeout=20)
                done.append(self._leases.pop(message_id))
        finally:
            if done:
                self._subscriber.acknowledge(subscription=self._subscription, ack_ids=done)


@app.command("list")
def list_command(project: Project = None, port_offset: PortOffset = 0, most: Most = MOST) -> None:
    """What is there and why."""
    table = Table()
    for header in ("message", "topic", "reason", "bytes"):
        table.add_column(header, overflow="fold")  # whole: ids are copied from here
    with _archive(project, port_offset) as archive:
        for letter in (letter for portion in archive.rounds(most) for letter in portion):
            cells = (letter.message_id, letter.topic or "?", letter.reason, str(len(letter.data)))
            table.add_row(*map(escape, cells))
    console.print(table)
    more = f"; there may be more than --most {most}" if table.row_count >= most else ""
    console.print(f"{table.row_count} dead letters{more}")
    console.print(UNCOUNTED, style="dim", soft_wrap=True)


@app.command("show")
def show_command(message_id: str, project: Project = None, port_offset: PortOffset = 0) -> None:
    """One dead letter whole."""
    with _archive(project, port_offset) as archive:
        (letter,) = _found(archive, [message_id])
    text = letter.data.decode("utf-8", "backslashreplace")
    console.print_json(json.dumps({"attributes": letter.attributes, "data": text}))


@app.command("replay")
def replay_command(
    message_ids: Annotated[list[str] | None, typer.Argument(help="message ids; none with --all")] = None,
    everything: Annotated[bool, typer.Option("--all", help="replay all of them")] = False,
    project: Project = None,
    port_offset: PortOffset = 0,
) -> None:
    """Publish dead letters to the topics they came from, each once; what was replayed leaves the archive."""
    if not message_ids and not everything:
        raise SettingsError("name the message ids to replay, or give --all")
    kept: list[str] = []
    replayed = 0
    with _archive(project, port_offset) as archive:
        for portion in _present(archive) if everything else [_found(archive, message_ids or [])]:
            known = [letter for letter in portion if letter.topic is not None or not everything]
            kept += [letter.message_id for letter in portion if letter not in known]
            archive.replay(known)
            replayed += len(known)
            for letter in known:
                console.print(f"{letter.message_id} replayed to {letter.topic}")
    console.print(f"{replayed} dead letters replayed")
    if replayed:
        console.print(RETURNING, style="dim", soft_wrap=True)
    if everything:
        console.print(UNCOUNTED, style="dim", soft_wrap=True)
    if kept:
        raise PublishError(f"kept, since they do not say where they came from: {', '.join(kept)}")


def _present(archive: Archive) -> Iterator[list[DeadLetter]]:
    """The letters that are there at the start, in portions.

    What comes in later, such as a replayed letter that is still bad, is left. Message ids tell them apart: they outlast
    redelivery, and a letter that returns is a new message, so that no clock of ours is compared with one of Pub/Sub.
    """
    wanted = archive.ids()
    if not wanted:
        return
    for portion in archive.rounds():
        chosen = [letter for letter in portion if letter.message_id in wanted]
        wanted.difference_update(letter.message_id for letter in chosen)
        yield chosen
        if not wanted:
            return


def _found(archive: Archive, message_ids: list[str]) -> list[DeadLetter]:
    """The letters with these ids, in their order."""
    found: dict[str, DeadLetter] = {}
    for portion in archive.rounds():
        found.update((letter.message_id, letter) for letter in portion if letter.message_id in message_ids)
        if len(found) == len(set(message_ids)):
            break
    for message_id in message_ids:
        if message_id not in found:
            raise SettingsError(f"there is no dead letter {message_id} now; see `verifleet dead-letters list`")
    return list(found.values())


@contextmanager
def _archive(project: str | None, port_offset: int) -> Iterator[Archive]:
    with pubsub(project, port_offset) as (chosen, publisher, subscriber), _interruptible():
        archive = Archive(chosen, publisher, subscriber)
        try:
            yield archive
        finally:
            archive.release()


@contextmanager
def _interruptible() -> Iterator[None]:
    """A polite end (SIGTERM, as by `timeout`) is like Ctrl-C, so that what is leased is given back."""
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
