"""Programs that travel together: one message there, one back, one stored document.

    requests ─► programs, each as JSON once ─► chunks of 1 to 64 ─► execution ─► results ─► document

A program alone travels in the form for one, which every runner understands.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from verifleet import observability

if TYPE_CHECKING:
    from verifleet.envelopes import Envelope
    from verifleet.storage.store import Document
    from verifleet.verification import VerificationRequest, VerificationResult

FUNCTION = "code_verifier"
MAX_PROGRAMS = 64
MAX_CHARS = 900_000
"""Of the programs of one chunk; a longer program travels alone."""

CHUNKS_PER_TASK = 2
"""So many at least for each runner task that a batch may have: the last one to end is short."""

_OWN_FIELDS = frozenset({"verification_id", "proof", "prompt", "response"})
_NONE_YET = '"programs":[]'
NOT_YET: Mapping[str, Any] = {"results": None}
"""The data of a chunk that is under way."""


@dataclass(frozen=True, slots=True)
class Program:
    """A request, and its fields as ASCII JSON without the caller's label."""

    request: VerificationRequest
    text: str
    digest: str

    @classmethod
    def of(cls, request: VerificationRequest) -> Program:
        """The program in a request."""
        fields = request.model_dump(mode="python", by_alias=True, exclude_unset=True)
        fields.pop("request_id", None)
        text = json.dumps(fields, sort_keys=True, ensure_ascii=True, allow_nan=False, separators=(",", ":"))
        return cls(request, text, hashlib.sha256(text.encode("ascii")).hexdigest())

    @property
    def labelled(self) -> str:
        """The text with the label."""
        label = self.request.request_id
        return self.text if label is None else f'{{"request_id":{json.dumps(label)},{self.text[1:]}'


def split(sizes: Sequence[int], tasks: int) -> list[list[int]]:
    """Places of programs of these sizes, chunk by chunk, for so many runner tasks."""
    most = max(1, min(MAX_PROGRAMS, -(-len(sizes) // (CHUNKS_PER_TASK * tasks))))
    chunks: list[list[int]] = []
    room = 0
    for place, size in enumerate(sizes):
        if not chunks or len(chunks[-1]) >= most or size > room:
            chunks.append([])
            room = MAX_CHARS
        chunks[-1].append(place)
        room -= size
    return chunks


def program_id(verification_id: str, index: int, programs: int) -> str:
    """What a program of a chunk is called."""
    return verification_id if programs == 1 else f"{verification_id}.{index}"


def execution_of_many(
    programs: Sequence[Program], verification_id: str, proof: str, session_id: str
) -> tuple[bytes, dict[str, str]]:
    """The message of several programs: data and attributes."""
    from verifleet.envelopes import CodeExecutionsData, message_attributes

    data = CodeExecutionsData.model_construct(verification_id=verification_id, proof=proof, programs=[])
    envelope = _execution("code_executions_v1", data, session_id, verification_id)
    # Each program is JSON already, and within a string of the rest its quotes could not stand bare.
    head, _, tail = envelope.encode().decode("ascii").partition(_NONE_YET)
    text = f'{head}"programs":[{",".join(program.labelled for program in programs)}]{tail}'
    return text.encode("ascii"), message_attributes(envelope)


def execution_of_one(
    request: VerificationRequest, verification_id: str, proof: str, session_id: str, cause: str
) -> Envelope[Any]:
    """The envelope of one program."""
    from verifleet.envelopes import CodeExecutionData

    # Not validated once more: the request's model did it. A caller's own fields may have any name, ours included.
    data = CodeExecutionData.model_construct(
        verification_id=verification_id, proof=proof, prompt=request.prompt, response=request.response
    )
    assert data.model_extra is not None
    fields = request.model_dump(mode="python", by_alias=True, exclude_unset=True)
    data.model_extra.update({name: value for name, value in fields.items() if name not in _OWN_FIELDS})
    return _execution("code_execution_v1", data, session_id, cause)


def _execution(schema: str, data: Any, session_id: str, cause: str) -> Envelope[Any]:
    from verifleet.envelopes import make_envelope

    return make_envelope(
        schema,
        data,
        session_id=session_id,
        source_agent=FUNCTION,
        timestamp=datetime.now(UTC),
        cause=cause,
        caller=observability.caller(),
        trace=observability.traceparent(),
    )


# --- what is kept -------------------------------------------------------------


def kept(results: Sequence[VerificationResult], caller: str | None) -> dict[str, Any]:
    """The data of the document that holds the results of a chunk."""
    plain = [result.model_dump(mode="python") for result in results]
    return {"results": plain, "at": datetime.now(UTC).isoformat(), "caller": caller}


def is_finished(data: Mapping[str, Any]) -> bool:
    """Whether a document's data has results."""
    return data.get("results", data.get("result")) is not None


def published(document: Document, verification_id: str, session_id: str) -> list[tuple[bytes, dict[str, str]]]:
    """The messages of a chunk's results, one for each program.

    However often results come in, one id with one content goes out.
    """
    from verifleet.envelopes import make_envelope, message_attributes, output_id
    from verifleet.verification import VerificationResult

    data = document.data
    at, caller = data.get("at"), data.get("caller")
    results = data["results"] if "results" in data else [data["result"]]
    first = make_envelope(
        "verification_result_v1",
        VerificationResult.model_validate(results[0]),
        session_id=session_id,
        source_agent=FUNCTION,
        timestamp=datetime.fromisoformat(at) if isinstance(at, str) else datetime.now(UTC),
        cause=verification_id,
        caller=caller if isinstance(caller, str) else observability.caller(),
        trace=observability.traceparent(),
    )
    # All but result and id is the same for each.
    plain, attributes = first.as_json(), message_attributes(first)
    messages = []
    for index, result in enumerate(results):
        name = program_id(verification_id, index, len(results))
        id = output_id(name, FUNCTION, "verification_result_v1")
        payload = {**plain["payload"], "data": {**result, "verification_id": name}}
        metadata = {**plain["metadata"], "envelope_id": id, "causation_id": name}
        text = json.dumps({**plain, "payload": payload, "metadata": metadata}, allow_nan=False, separators=(",", ":"))
        messages.append((text.encode("ascii"), {**attributes, "envelope_id": id}))
    return messages


def results_in(document: Document | None) -> list[VerificationResult] | None:
    """The results of a document, also of one that an earlier version wrote; None while there are none."""
    from verifleet.verification import VerificationResult

    if document is None or not is_finished(document.data):
        return None
    stored = document.data["results"] if "results" in document.data else [document.data["result"]]
    return [VerificationResult.model_validate(one) for one in stored]
