"""How well the stance of replies is told, from threads whose replies are labelled."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from verifleet.agents.voices.originals import fold_author
from verifleet.agents.voices.replies import STANCES, chances, features, read_reply
from verifleet.audits.scores import Scores, share, wrong_row
from verifleet.errors import ShapeError
from verifleet.reading.replies import Reply
from verifleet.reading.reposts import Original, original_of


@dataclass(frozen=True, slots=True)
class LabelledReply:
    """A reply of a thread as the model sees it, with its label."""

    id: str
    incident: str
    reply: Reply
    answered: Original
    author: str
    label: str


def as_json(scores: Scores) -> dict[str, Any]:
    """The figures as plain data."""
    told = {}
    for name in STANCES:
        shares = {"precision": share(*scores.precision(name)), "recall": share(*scores.recall(name))}
        told[name] = {key: round(value, 4) for key, value in (shares | {"f1": scores.f1(name)}).items()}
    plain = scores.as_json()
    return {"replies": plain["rows"], **{name: plain[name] for name in ("macro_f1", "confusion")}, "by_stance": told}


def audit_replies(
    rows: Sequence[Mapping[str, Any]],
) -> tuple[Scores, list[dict[str, Any]]]:
    """Figures, and a row for every reply; raises ShapeError naming the thread that is wrong."""
    told: list[dict[str, Any]] = []
    for item in labelled_replies(rows):
        found = chances(features(item.reply, item.answered, author=item.author))
        likely = {name: round(chance, 4) for name, chance in found.items()}
        told.append(
            {"id": item.id, "label": item.label, "stance": max(found, key=found.__getitem__), "chances": likely}
        )
    return Scores.of(STANCES, ((row["label"], row["stance"]) for row in told)), told


def labelled_replies(
    rows: Sequence[Mapping[str, Any]], read: Callable[..., Reply] = read_reply
) -> Iterator[LabelledReply]:
    """The replies of threads {"incident", "source": {...}, "replies": [{..., "stance"}]}.

    Authors are masked in published threads; the handle that most replies address is taken for that of the source.
    """
    for number, row in enumerate(rows, start=1):
        try:
            source = row["source"]
            read_replies = [read(reply["text"]) for reply in row["replies"]]
            named = Counter(handle for reply in read_replies for handle in reply.handles)
            handle = named.most_common(1)[0][0] if named else ""
            answered = replace(original_of(source["text"]), author=handle)
            for reply, data in zip(read_replies, row["replies"], strict=True):
                if data["stance"] not in STANCES:
                    raise wrong_row(number, "", f"a stance must be one of {', '.join(STANCES)}")
                by_source = fold_author(data.get("author")) == fold_author(source.get("author"))
                author = handle if by_source else str(data.get("author") or "")
                id, incident = str(data.get("id", "")), str(row.get("incident", ""))
                yield LabelledReply(id, incident, reply, answered, author, data["stance"])
        except (KeyError, TypeError, AttributeError, ValueError) as error:
            if isinstance(error, ShapeError):
                raise
            raise wrong_row(number, "", f"is no thread: {type(error).__name__} {error}") from None
