"""The Store protocol: documents with keys, a time and an expiry; everything else is built on it.

Kinds in use: `execution` (idempotency records), `lease`, `batch` (programs sent), `result`, `report` (claims of one
report: evidence), `brief`, `source` (learnt credibility), `task` (A2A), `secret` (the key of code results).
What the incident desk keeps: `listing`, `shown`, `revision`, `finding`, `account`, `act`, `alert` (what is owed to
whom), and `mark` (of claims, for verifiers).
Firestore fits behind it: `find` is one array-contains-any query with a time order, `update` one transaction.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Protocol

MAX_FIND_KEYS = 30
"""As many keys as one Firestore array-contains-any query takes."""
MANY = 200
"""Documents that are asked for at once."""


def _plain(value: Any) -> str:
    if isinstance(value, datetime):
        return value.isoformat()
    raise TypeError(f"a document can't hold {type(value).__name__}")


as_text: Callable[[Any], str] = json.JSONEncoder(separators=(",", ":"), default=_plain).encode
"""The data of a document as it is stored: JSON in ASCII, so that any text survives."""


@dataclass(frozen=True, slots=True)
class Document:
    """One stored document.

    Attributes:
        data: JSON data, at most about 900 kB; shared by all who read it, so nobody changes it. Times are read back as
            text.
        keys: what `find` looks it up by; make them specific (put the session_id in).
        time: what `find` orders and windows by.
        expires_at: after this the document reads as absent; it is removed some time later. The store counts the time
            until then on its own clock, so that a wall clock which is stepped in between expires nothing.
        age: how long ago the document was written, on the store's own clock; given by `get` and `update` alone.
        text: `data` as `as_text` gives it, of who has measured it.
    """

    data: Mapping[str, Any]
    keys: tuple[str, ...] = ()
    time: datetime | None = None
    expires_at: datetime | None = None
    age: timedelta | None = field(default=None, compare=False)
    text: str | None = field(default=None, compare=False, repr=False)

    def stored(self) -> str:
        """The data as it is stored."""
        return as_text(self.data) if self.text is None else self.text


class Store(Protocol):
    """Strongly consistent documents.

    Every method raises StoreUnavailableError when the store does not answer within the store's time limit
    (`Settings.store_timeout_s`); after a call that waited that long, others fail at once for a moment, so that
    what a request asks for in turn waits once.
    """

    async def get(self, kind: str, id: str) -> Document | None:
        """The document, or None when absent or expired."""
        ...

    async def get_many(self, kind: str, ids: Sequence[str]) -> dict[str, Document]:
        """Those of several documents that are there, by id."""
        ...

    async def put(self, kind: str, id: str, document: Document) -> None:
        """Write or replace; visible to every reader once this returns."""
        ...

    async def put_many(self, kind: str, documents: Mapping[str, Document]) -> None:
        """Write or replace several; may be split into batches."""
        ...

    async def update(self, kind: str, id: str, change: Callable[[Document | None], Document | None]) -> Document | None:
        """Read, change, write in one transaction and return what is stored afterwards.

        `change` gets the present document (None when absent or expired) and returns the new one, or None to
        leave things as they are. It may be called again when transactions collide, so it must be pure.
        """
        ...

    async def delete(self, kind: str, id: str) -> None:
        """Remove; no error when absent."""
        ...

    async def find(
        self,
        kind: str,
        keys: Sequence[str],
        *,
        after: datetime | None = None,
        before: datetime | None = None,
        limit: int = 100,
    ) -> list[tuple[str, Document]]:
        """(id, document) of documents with any of `keys` (at most MAX_FIND_KEYS) and after <= time < before.

        Newest first, each document once.
        """
        ...

    def away(self) -> str | None:
        """Why the store is away, as its last calls told; None while it answers. Asks nobody."""
        ...

    async def close(self) -> None:
        """Let go of connections."""
        ...


async def get_all(store: Store, kind: str, ids: Sequence[str]) -> dict[str, Document]:
    """Those of any number of documents that are there, by id."""
    found: dict[str, Document] = {}
    for begin in range(0, len(ids), MANY):
        found |= await store.get_many(kind, ids[begin : begin + MANY])
    return found
