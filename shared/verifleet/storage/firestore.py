"""The Store on Firestore: one collection for each kind, `find` as one array-contains-any query.

A stored document holds the data as JSON text, so that any text survives and nothing but `keys`, `time` and
`expires_at` is indexed; the TTL policy of the database removes what has expired, reads leave it out at once.

How old a document is goes by Firestore's own clock alone: when it was written, when it was read. The clocks of
those who use it need not agree.
"""

from __future__ import annotations

import asyncio
import base64
import hashlib
import json
import random
import time
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, cast
from weakref import WeakValueDictionary

from verifleet.errors import StoreUnavailableError
from verifleet.outage import Outage
from verifleet.storage.store import MAX_FIND_KEYS, Document

if TYPE_CHECKING:
    from google.cloud.firestore import AsyncClient

PUT_AT_ONCE = 200
UPDATE_ATTEMPTS = 20
TIMEOUT_S = 4.0
LAST_ATTEMPT_SHARE = 0.5
"""Of the time limit of an update, after which one that collided does not begin anew."""
_LONGEST_NAME = 400
_NO_TIME = datetime(1, 1, 1, tzinfo=UTC)  # sorts after every real time, newest first, and lies outside every window


@dataclass(slots=True, eq=False)
class _Connection:
    """A client on one event loop; one that was let go is closed when its last call has ended."""

    client: AsyncClient
    loop: asyncio.AbstractEventLoop
    calls: int = 0
    dropped: bool = False


@dataclass(frozen=True, slots=True)
class _Call:
    """One call of the store under way, with what is left of its time."""

    client: AsyncClient
    until: float

    @property
    def left_s(self) -> float:
        return max(0.05, self.until - time.monotonic())

    @property
    def limits(self) -> dict[str, Any]:
        """`retry` and `timeout` for a call of the client, whose own retries would go on for minutes."""
        from google.api_core.exceptions import InternalServerError, ResourceExhausted, ServiceUnavailable
        from google.api_core.retry import AsyncRetry, if_exception_type

        passing = if_exception_type(InternalServerError, ResourceExhausted, ServiceUnavailable)
        left = self.left_s
        retry = AsyncRetry(predicate=passing, initial=0.05, maximum=0.5, multiplier=2.0, timeout=left)
        return {"retry": retry, "timeout": left}


class FirestoreStore:
    """Documents in a Firestore database; connects on first use, once for each event loop.

    Args:
        project: the Google Cloud project.
        database: the database's id.
        timeout_s: after which a call fails, with all that the client tries again by itself.
    """

    def __init__(self, project: str, database: str = "(default)", timeout_s: float = TIMEOUT_S) -> None:
        self._project = project
        self._database = database
        self._timeout_s = timeout_s
        self._outage = Outage("store")
        self._connection: _Connection | None = None
        # Updates of one document by one process take turns here, instead of colliding over there.
        self._turns: WeakValueDictionary[tuple[str, str], asyncio.Lock] = WeakValueDictionary()

    async def get(self, kind: str, id: str) -> Document | None:
        """The document, or None when absent or expired."""
        async with self._calling(write=False) as call:
            return _document(await call.client.collection(kind).document(_name(id)).get(**call.limits))

    async def get_many(self, kind: str, ids: Sequence[str]) -> dict[str, Document]:
        """Those of several documents that are there, by id; read at the same time."""
        found = await asyncio.gather(*(self.get(kind, id) for id in ids))
        return {id: document for id, document in zip(ids, found, strict=True) if document is not None}

    async def put(self, kind: str, id: str, document: Document) -> None:
        """Write or replace; visible to every reader once this returns."""
        async with self._calling() as call:
            await call.client.collection(kind).document(_name(id)).set(_fields(id, document), **call.limits)

    async def put_many(self, kind: str, documents: Mapping[str, Document]) -> None:
        """Write or replace several, in batches of one commit each."""
        items = list(documents.items())
        for start in range(0, len(items), PUT_AT_ONCE):
            async with self._calling() as call:
                batch = call.client.batch()
                for id, document in items[start : start + PUT_AT_ONCE]:
                    batch.set(call.client.collection(kind).document(_name(id)), _fields(id, document))
                await batch.commit(**call.limits)

    async def update(self, kind: str, id: str, change: Callable[[Document | None], Document | None]) -> Document | None:
        """Read, change, write if nobody wrote in between, else again; `change` may run more than once.

        One document needs no transaction: a write on the condition of what was read is as strict, takes no locks
        that two writers could wait on each other for, and is one round trip shorter.
        """
        from google.api_core.exceptions import Aborted, AlreadyExists, FailedPrecondition, NotFound

        turn = self._turns.setdefault((kind, id), asyncio.Lock())
        async with turn, self._calling() as call:
            reference = call.client.collection(kind).document(_name(id))
            for attempt in range(UPDATE_ATTEMPTS):
                snapshot = await reference.get(**call.limits)
                present = _document(snapshot)
                changed = change(present)
                if changed is None:
                    return present
                try:
                    await _write_unchanged(call, reference, snapshot, _fields(id, changed))
                except (Aborted, AlreadyExists, FailedPrecondition, NotFound):
                    if call.left_s < LAST_ATTEMPT_SHARE * self._timeout_s:
                        break
                    await asyncio.sleep(random.uniform(0.0, min(1.0, 0.01 * 2**attempt)))
                else:
                    return changed
        raise StoreUnavailableError(f"a document of kind {kind} is too busy: {attempt + 1} writes collided")

    async def delete(self, kind: str, id: str) -> None:
        """Remove; no error when absent."""
        async with self._calling() as call:
            await call.client.collection(kind).document(_name(id)).delete(**call.limits)

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
        async with self._calling(write=False) as call:
            query = _query(call.client.collection(kind), wanted, after, before)
            found: list[tuple[str, Document]] = []
            while len(found) < limit:
                # Expired documents take up places of a page until the TTL policy has removed them.
                missing = limit - len(found)
                page = await query.limit(missing).get(**call.limits)
                for snapshot in page:
                    document = _document(snapshot)
                    if document is not None:
                        found.append((json.loads(snapshot.get("id")), document))
                if len(page) < missing:
                    break
                query = query.start_after(page[-1])
            return found

    def away(self) -> str | None:
        """Why Firestore is away, as the last calls told."""
        return self._outage.away()

    async def close(self) -> None:
        """Let go of the connection; the store opens again when it is used again."""
        connection, self._connection = self._connection, None
        if connection is not None:
            await _close(connection)

    @asynccontextmanager
    async def _calling(self, *, write: bool = True) -> AsyncIterator[_Call]:
        """A call with its time limit; whatever goes wrong over there is StoreUnavailableError."""
        resting = self._outage.resting()
        if resting is not None:
            raise StoreUnavailableError(resting)
        if self._connection is None:
            await asyncio.to_thread(_import)  # takes what a busy machine makes it take, and is no wait for Firestore
        from google.api_core.exceptions import DeadlineExceeded, GoogleAPIError, RetryError, ServiceUnavailable
        from google.auth.exceptions import GoogleAuthError

        until = time.monotonic() + self._timeout_s
        waited_for = (TimeoutError, RetryError, ServiceUnavailable, DeadlineExceeded)
        connection: _Connection | None = None
        try:
            # The client keeps to its limits mostly; this one holds for all that it does.
            async with asyncio.timeout(self._timeout_s):
                connection = await self._connect()
                connection.calls += 1
                yield _Call(connection.client, until)
        except (GoogleAPIError, GoogleAuthError, TimeoutError) as error:
            what = str(error) or f"no answer within {self._timeout_s:g} s"
            reason = f"Firestore does not answer: {what}"
            self._outage.failed(reason, waited=isinstance(error, waited_for), write=write)
            if connection is not None:
                # A new one connects at once, where an old one waits longer and longer between its attempts.
                connection.dropped = True
                if self._connection is connection:
                    self._connection = None
            raise StoreUnavailableError(reason) from error
        else:
            self._outage.answered(write=write)
        finally:
            if connection is not None:
                connection.calls -= 1
                if connection.dropped and not connection.calls:
                    await _close(connection)

    async def _connect(self) -> _Connection:
        loop = asyncio.get_running_loop()
        if self._connection is None or self._connection.loop is not loop:
            # Credentials are looked for over the network.
            client = await asyncio.to_thread(self._make_client)
            if self._connection is None or self._connection.loop is not loop:
                self._turns.clear()
                self._connection = _Connection(client, loop)
        return self._connection

    def _make_client(self) -> AsyncClient:
        from google.cloud.firestore import AsyncClient

        return AsyncClient(project=self._project, database=self._database)


def _import() -> None:
    import google.cloud.firestore  # noqa: F401


async def _close(connection: _Connection) -> None:
    closing: Any = cast("Any", connection.client).close()
    if closing is not None:
        await closing


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
        "data": document.stored(),
        "key_texts": json.dumps(list(document.keys)),
        "keys": [_name(key) for key in dict.fromkeys(document.keys)],
        "time": document.time or _NO_TIME,
        "expires_at": document.expires_at,
        "lives_s": None if document.expires_at is None else (document.expires_at - datetime.now(UTC)).total_seconds(),
    }


async def _write_unchanged(call: _Call, reference: Any, snapshot: Any, fields: dict[str, Any]) -> None:
    """Write on the condition that the document is as `snapshot` has it; raises what Firestore says when it is not."""
    if snapshot.exists:
        unchanged = call.client.write_option(last_update_time=snapshot.update_time)
        await reference.update(fields, option=unchanged, **call.limits)
    else:
        await reference.create(fields, **call.limits)


def _document(snapshot: Any) -> Document | None:
    if not snapshot.exists:
        return None
    fields = snapshot.to_dict()
    expires_at = _plain_time(fields.get("expires_at"))
    age = _age(snapshot)
    lives_s = fields.get("lives_s")
    if lives_s is not None and age.total_seconds() >= lives_s:
        return None
    if lives_s is None and expires_at is not None and expires_at <= datetime.now(UTC):  # of an earlier version
        return None
    moment = _plain_time(fields["time"])
    written_for = None if moment == _NO_TIME else moment
    return Document(json.loads(fields["data"]), tuple(json.loads(fields["key_texts"])), written_for, expires_at, age)


def _age(snapshot: Any) -> timedelta:
    """How long after it was written a document was read, both by Firestore's clock."""
    written, read = _plain_time(snapshot.update_time), _plain_time(snapshot.read_time)
    return timedelta.max if written is None or read is None else max(timedelta(), read - written)


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
