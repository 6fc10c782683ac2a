"""One id, one content: an envelope that is made again is published as it was made first.

A handler that is run again (its process was killed between storing and publishing, its message was delivered twice)
finds the world further on, and would say other things under the same id. So what is made under an id is kept before it
is published, the first one wins, and whoever makes it again publishes that.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from verifleet.envelopes import Envelope, parse_envelope
from verifleet.errors import ShapeError
from verifleet.serving.records import UNUSABLE, left_out
from verifleet.storage.store import Document, Store, as_text

KIND = "output"
LONGEST = 800_000
"""Characters of JSON that a document of the Store can hold."""


async def first_made(
    store: Store, made: Envelope[Any], expires_at: datetime, *, apart: Sequence[str] = ()
) -> Envelope[Any]:
    """The envelope that was first made under the id of `made`, which is this one unless there is another.

    Fields of its data named in `apart` are not kept: they are the same each time, and may be large. Nor is an envelope
    that no document can hold; it is published as it was made.
    """
    id = made.envelope_id
    assert id is not None
    data = {"envelope": made.model_dump(mode="python", by_alias=True, exclude={"payload": {"data": set(apart)}})}
    text = as_text(data)
    if len(text) > LONGEST:
        return made
    mine = Document(data, expires_at=expires_at, text=text)
    stored = await store.update(KIND, id, lambda present: None if present else mine)
    if stored is None or stored is mine:
        return made
    same = {name: value for name, value in made.as_json()["payload"]["data"].items() if name in apart}
    try:
        first = dict(stored.data["envelope"])
        first["payload"] = {**first["payload"], "data": {**first["payload"]["data"], **same}}
        return parse_envelope(first, made.schema_)
    except (*UNUSABLE, ShapeError) as error:
        left_out("output", id, error)
        return made


async def made_before(store: Store, id: str, schema: str) -> Envelope[Any] | None:
    """The envelope that was first made under an id; None where there is none, or it was not kept whole."""
    stored = await store.get(KIND, id)
    try:
        return parse_envelope(dict(stored.data["envelope"]), schema) if stored else None
    except (*UNUSABLE, ShapeError) as error:
        left_out("output", id, error)
        return None
