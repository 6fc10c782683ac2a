"""The Store on Firestore: one collection for each kind, `find` as one array-contains-any query.

A stored document holds the data as JSON text, so that any text survives and nothing but `keys`, `time` and
`expires_at` is indexed; the TTL policy of the database removes what has expired, reads leave it out at once.
"""

from __future__ import annotations

import asyncio
import base64
import hashlib
import json
import random
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, cast
from weakref import WeakValueDictionary

from verifleet.errors import StoreUnavailableError
from verifleet.storage.store import MAX_FIND_KEYS, Document

if TYPE_CHECKING:
    from google.cloud.firestore import AsyncClient

PUT_AT_ONCE = 200
UPDATE_ATTEMPTS = 20
CALL_TIMEOUT_S = 10.0
_LONGEST_NAME = 400
_NO_TIME = datetime(1, 1, 1, tzinfo=UTC)  # sorts after every real time, newest first, and lies outside every window


class FirestoreStore:
    """Documents in a Firestore database; connects on first use, once for each event loop.

    Args:
        project: the Google Cloud project.
        database: the database's id.
    """

    def __init__(self, project: str, database: str = "(default)") -> None:
        self._project = project
        self._database = database
        self._client: AsyncClient | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        # Updates of one document by one process take turns here, instead of colliding over there.
        self._turns: WeakValueDictionary[tuple[str, str], asyncio.Lock] = WeakValueDictionary()

    async def get(self, kind: str, id: str) -> Document | None:
        """The document, or None when absent or expired."""
        async with self._connected() as client:
            snapshot = await client.collection(kind).document(_name(id)).get(timeout=CALL_TIMEOUT_S)
            return _document(snapshot)

    async def get_many(self, kind: str, ids: Sequence[str]) -> dict[str, Document]:
        """Those of several documents that are there, by id; read at the same time."""
        found = await asyncio.gather(*(self.get(kind, id) for id in ids))
        return {id: document for id, document in zip(ids, found, strict=True) if document is not None}

    async def put(self, kind: str, id: str, document: Document) -> None:
        """Write or replace; visible to every reader once this returns."""
        async with self._connected() as client:
            await client.collection(kind).document(_name(id)).set(_fields(id, document), timeout=CALL_TIMEOUT_S)

    async def put_many(self, kind: str, documents: Mapping[str, Document]) -> None:
        """Write or replace several, in batches of one commit each."""
        items = list(documents.items())
        async with self._connected() as client:
            for start in range(0, len(items), PUT_AT_ONCE):
                batch = client.batch()
                for id, document in items[start : start + PUT_AT_ONCE]:
                    batch.set(client.collection(kind).document(_name(id)), _fields(id, document))
                await batch.commit(timeout=CALL_TIMEOUT_S)

    async def update(self, kind: str, id: str, change: Callable[[Document | None], Document | None]) -> Document | None:
        """Read, change, write if nobody wrote in between, else again; `change` may run more than once.

        One document needs no transaction: a write on the condition of what was read is as strict, takes no locks
        that two writers could wait on each other for, and is one round trip shorter.
        """
        from google.api_core.exceptions import Aborted, AlreadyExists, FailedPrecondition, NotFound

        turn = self._turns.setdefault((kind, id), asyncio.Lock())
        async with self._connected() as client, turn:
            reference = client.collection(kind).document(_name(id))
            for attempt in range(UPDATE_ATTEMPTS):
                snapshot = await reference.get(timeout=CALL_TIMEOUT_S)
                present = _document(snapshot)
                changed = change(present)
                if changed is None:
                    return present
                try:
                    await _write_unchanged(client, reference, snapshot, _fields(id, changed))
                except (Aborted, AlreadyExists, FailedPrecondition, NotFound):
                    await asyncio.sleep(random.uniform(0.0, min(1.0, 0.01 * 2**attempt)))
                else:
                    return changed
        raise StoreUnavailableError(f"a document of kind {kind} is too busy: {UPDATE_ATTEMPTS} writes collided")

    async def delete(self, kind: str, id: str) -> None:
        """Remove; no error when absent."""
        async with self._connected() as client:
            await client.collection(kind).document(_name(id)).delete(timeout=CALL_TIMEOUT_S)

    async def find(
        self,
        kind: str,
        keys: Sequence[str],
        *,
        after: datetime | None = None,
        before: datetime | None = None,
        limit: int = 100,
    ) -> list[tuple[str, Document]]:
        """(id, document) of documents with any of `keys`, newest first. Raises ValueError above MAX_FIND_KEYS keys."""
        wanted = sorted({_name(key) for key in keys})
        if len(wanted) > MAX_FIND_KEYS:
            raise ValueError(f"find takes at most {MAX_FIND_KEYS} keys, not {len(wanted)}")
        if not wanted or limit <= 0:
            return []
        async with self._connected() as client:
            query = _query(client.collection(kind), wanted, after, before)
            found: list[tuple[str, Document]] = []
            while len(found) < limit:
                # Expired documents take up places of a page until the TTL policy has removed them.
                missing = limit - len(found)
                page = await query.limit(missing).get(timeout=CALL_TIMEOUT_S)
                for snapshot in page:
                    document = _document(snapshot)
                    if document is not None:
                        found.append((json.loads(snapshot.get("id")), document))
                if len(page) < missing:
                    break
                query = query.start_after(page[-1])
            return found

    async def close(self) -> None:
        """Let go of the connection; the store opens again when it is used again."""
        client, self._client, self._loop = self._client, None, None
        if client is not None:
            closing: Any = cast("Any", client).close()
            if closing is not None:
                await closing

    @asynccontextmanager
    async def _connected(self) -> AsyncIterator[AsyncClient]:
        from google.api_core.exceptions import GoogleAPIError
        from google.auth.exceptions import GoogleAuthError

        try:
            yield self._connect()
        except (GoogleAPIError, GoogleAuthError) as error:
            raise StoreUnavailableError(f"Firestore does not answer: {error}") from error

    def _connect(self) -> AsyncClient:
        loop = asyncio.get_running_loop()
        if self._client is None or self._loop is not loop:
            from google.cloud.firestore import AsyncClient

            self._client = AsyncClient(project=self._project, database=self._database)
            self._loop = loop
            self._turns.clear()
        return self._client


def _query(collection: Any, keys: list[str], after: datetime | None, before: datetime | None) -> Any:
    from google.cloud.firestore import FieldFilter, Query

    query = collection.where(filter=FieldFilter("keys", "array_contains_any", keys))
    if after is not None:
        query = query.where(filter=FieldFilter("time", ">=", after))
    elif before is not None:
        query = query.where(filter=FieldFilter("time", ">", _NO_TIME))
    if before is not None:
        query = query.where(filter=FieldFilter("time", "<", before))
    return query.order_by("time", direction=Query.DESCENDING)


def _fields(id: str, document: Document) -> dict[str, Any]:
    return {
        "id": json.dumps(id),
        "data": json.dumps(document.data, ensure_ascii=True, separators=(",", ":")),
        "key_texts": json.dumps(list(document.keys)),
        "keys": [_name(key) for key in dict.fromkeys(document.keys)],
        "time": document.time or _NO_TIME,
        "expires_at": document.expires_at,
    }


async def _write_unchanged(client: AsyncClient, reference: Any, snapshot: Any, fields: dict[str, Any]) -> None:
    """Write on the condition that the document is as `snapshot` has it; raises what Firestore says when it is not."""
    if snapshot.exists:
        unchanged = client.write_option(last_update_time=snapshot.update_time)
        await reference.update(fields, option=unchanged, timeout=CALL_TIMEOUT_S)
    else:
        await reference.create(fields, timeout=CALL_TIMEOUT_S)


def _document(snapshot: Any) -> Document | None:
    if not snapshot.exists:
        return None
    fields = snapshot.to_dict()
    expires_at = _plain_time(fields.get("expires_at"))
    if expires_at is not None and expires_at <= datetime.now(UTC):
        return None
    moment = _plain_time(fields["time"])
    time = None if moment == _NO_TIME else moment
    return Document(json.loads(fields["data"]), tuple(json.loads(fields["key_texts"])), time, expires_at)


def _plain_time(value: Any) -> datetime | None:
    """Firestore's nanosecond datetimes as ordinary ones, which compare and print like any other."""
    if value is None:
        return None
    return datetime(
        value.year, value.month, value.day, value.hour, value.minute, value.second, value.microsecond, tzinfo=UTC
    )


def _name(text: str) -> str:
    """Any text as a document id or key: bytes in base64url, a hash of them when that is long; never empty."""
    data = text.encode("utf-8", "surrogatepass")
    if len(data) > _LONGEST_NAME:
        return f"h-{hashlib.sha256(data).hexdigest()}"
    return f"t-{base64.urlsafe_b64encode(data).decode('ascii').rstrip('=')}"
