"""What was sent for a request, so that a repeated one finds its programs and sends none of them again.

One document a request: which chunk has which of its programs, and what is still to be sent. Its id is also the handle
by which a batch is asked after. It follows from caller and idempotency key, or content, by a secret: nobody guesses it.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from verifleet.errors import FieldProblem, ShapeError
from verifleet.serving.http import IDEMPOTENCY_KEY
from verifleet.serving.proofs import Proofs
from verifleet.storage.store import Document, Store

KIND = "batch"
CONTENT_KEPT_S = 600.0
"""How long the same content, without a key, is taken for the same request."""
SENDING_S = 30.0
"""After which whoever began to send counts as gone."""


@dataclass(frozen=True, slots=True)
class Chunk:
    """Programs that travel together: their id, and their places in the request."""

    id: str
    places: Sequence[int]


@dataclass(frozen=True, slots=True)
class Sent:
    """What is known of a request's programs.

    `unsent`: chunks that whoever opened it has to send now, or give back; where it was only read, those that nobody
    has noted as sent. `found`: it was there before.
    """

    id: str
    programs: int
    chunks: Sequence[Chunk]
    unsent: Sequence[Chunk] = ()
    found: bool = True


class SentRequests:
    """Records of requests in the Store.

    Args:
        store: where they are.
        proofs: the secret.
        kept_s: seconds for which they are kept.
    """

    def __init__(self, store: Store, proofs: Proofs, kept_s: float) -> None:
        self._store = store
        self._proofs = proofs
        self._kept_s = kept_s

    async def open(self, caller: str, key: str | None, content: str, split: Callable[[], Sequence[list[int]]]) -> Sent:
        """The request of a caller with this key or content (a digest); begun with `split`'s chunks where it is new.

        Raises ShapeError for a key that was used for another content.
        """
        way = ("content", content) if key is None else ("key", key)
        id = (await self._proofs.proof("\x1f".join(("sent", caller, *way))))[:40]
        token = uuid.uuid4().hex
        chunks = [Chunk(str(uuid.uuid4()), places) for places in split()]
        fresh = _document(content, chunks, chunks, token, self._expiry())

        def take(present: Document | None) -> Document | None:
            if present is None or (key is None and _age_s(present) >= CONTENT_KEPT_S):
                return fresh
            data = present.data
            if data["content"] == content and data["unsent"] and (not data["token"] or _age_s(present) >= SENDING_S):
                return Document({**data, "token": token}, expires_at=present.expires_at)
            return None

        stored = await self._store.update(KIND, id, take)
        data = fresh.data if stored is None else stored.data
        if data["content"] != content:
            problem = "was used before for a request with another content; give each request its own"
            raise ShapeError(f"{IDEMPOTENCY_KEY} {problem}", [FieldProblem(IDEMPOTENCY_KEY, problem)])
        mine = data["unsent"] if data["token"] == token else ()
        return _sent(id, data, mine, found=data != fresh.data)

    async def add(self, sent: Sent, places: Sequence[list[int]]) -> Sent:
        """Send these programs anew; where somebody else was quicker, what that one sends."""
        token = uuid.uuid4().hex
        chunks = [Chunk(str(uuid.uuid4()), some) for some in places]
        known = [chunk.id for chunk in sent.chunks]
        expiry = self._expiry()

        def append(present: Document | None) -> Document | None:
            if present is None or [id for id, _ in present.data["chunks"]] != known:
                return None
            return _document(present.data["content"], [*_chunks(present.data), *chunks], chunks, token, expiry)

        stored = await self._store.update(KIND, sent.id, append)
        if stored is None:
            return sent
        mine = stored.data["unsent"] if stored.data["token"] == token else ()
        return _sent(sent.id, stored.data, mine)

    async def read(self, id: str) -> Sent | None:
        """What is known of a request; None for an unknown id."""
        document = await self._store.get(KIND, id)
        return None if document is None else _sent(id, document.data, document.data["unsent"])

    async def told(self, sent: Sent, unsent: Collection[str]) -> None:
        """Note which chunks could not be sent: whoever asks next sends them."""

        def note(present: Document | None) -> Document | None:
            if present is None:
                return None
            return Document({**present.data, "unsent": list(unsent), "token": ""}, expires_at=present.expires_at)

        await self._store.update(KIND, sent.id, note)

    def _expiry(self) -> datetime:
        return datetime.now(UTC) + timedelta(seconds=self._kept_s)


def _document(
    content: str, chunks: Sequence[Chunk], unsent: Sequence[Chunk], token: str, expires_at: datetime
) -> Document:
    data = {
        "content": content,
        "programs": 1 + max(place for chunk in chunks for place in chunk.places),
        "chunks": [[chunk.id, list(chunk.places)] for chunk in chunks],
        "unsent": [chunk.id for chunk in unsent],
        "token": token,
    }
    return Document(data, expires_at=expires_at)


def _chunks(data: Mapping[str, Any]) -> list[Chunk]:
    return [Chunk(id, places) for id, places in data["chunks"]]


def _sent(id: str, data: Mapping[str, Any], mine: Collection[str], *, found: bool = True) -> Sent:
    chunks = _chunks(data)
    return Sent(id, data["programs"], chunks, [chunk for chunk in chunks if chunk.id in set(mine)], found)


def _age_s(document: Document) -> float:
    return 0.0 if document.age is None else document.age.total_seconds()
