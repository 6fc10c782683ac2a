"""Headlines as sentences: "Roads closed after flood" is "Roads were closed after flood".

A headline leaves out forms of "be", which tell nothing but that it is a sentence. They are put back where its first verb
shows which is missing; what has a verb already, or may go on otherwise, stays as it is.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from importlib.resources import files

from verifleet.agents.claims.pieces import listed

MOST_OF_A_SPEAKER = 4
"""Words before a colon."""
LEAST_ING = 5


@lru_cache(maxsize=8192)
def completed(text: str) -> str:
    """An English headline with the form of "be" that its first sentence leaves out."""
    words = text.split()
    start = next((n + 1 for n, word in enumerate(words[:MOST_OF_A_SPEAKER]) if word.endswith(":")), 0)
    end = next((n + 1 for n in range(start, len(words) - 1) if words[n].endswith((".", ";"))), len(words))
    low = [word.strip(".,:;!?'\"()").lower() for word in words[:end]]
    at = next((n for n in range(start + 1, end) if _ends_subject(words[n - 1 : n + 1], low[n - 1 : n + 2])), end)
    subject = low[start:at]
    if at == end or subject[-1] in listed("function"):
        return text
    if subject[0] in _words()["no subject"] and subject[1:2] != ["least"]:
        return text
    be = _missing(words[at], low[at], low[at + 1 :])
    if not be:
        return text
    at -= subject[-1].endswith("ly") or subject[-1] in ("both", "all", "also")
    return " ".join([*words[:at], be.split()[_is_plural(subject)], *words[at:]])


def _ends_subject(written: Sequence[str], low: Sequence[str]) -> bool:
    """Whether the second of three words is none of what a sentence is about, which may end with the first."""
    before, word, *behind = low
    known, after = _words(), behind[0] if behind else ""
    if written[0].endswith((",", ":")) or any(word in known[name] for name in ("done", "clause", "goes on")):
        return True
    if word in listed("verb") or (word.endswith("ed") and after in known["apart"] | listed("article")):
        return True
    going = (word == "to" and _is_infinitive(after)) or (word == "in" and after in known["stands in"])
    going &= before not in known["to"] and not _is_infinitive(before)
    return going or (_goes_on(written[1]) and before not in listed("function"))


def _goes_on(word: str) -> bool:
    return word.endswith("ing") and len(word) > LEAST_ING and word.islower() and word not in _words()["no verb"]


def _is_infinitive(word: str) -> bool:
    return word in _words()["infinitive"] or f"{word}s" in listed("verb")


def _missing(written: str, word: str, behind: Sequence[str]) -> str:
    """The singular and plural of the form that is missing before the first verb, "" where none is or none is sure."""
    known, after = _words(), behind[0] if behind else ""
    if word in known["goes on"]:
        stands = word in known["apart"] or after in known["done"] | known["apart"] or after.endswith("ing")
        return "is are" if stands else ""
    if any(other in listed("verb") and other not in known["done"] for other in behind[1:]):
        return ""
    apart = (not behind or after in known["apart"] or written.endswith(",")) and behind[:2] != ["at", "least"]
    if word in known["done"]:
        return ("is are" if word in known["to come"] else "was were") if apart else ""
    going = _goes_on(written) and (apart or after in ("the", "a"))
    return "is are" if going or word in ("to", "in") else ""


def _is_plural(subject: Sequence[str]) -> bool:
    """Whether a subject is of several: by its noun before any preposition, or its number."""
    known = _words()
    noun = next((n for n, word in enumerate(subject) if n and word in (known["apart"] - {"to"}) | {"of"}), len(subject))
    head = subject[noun - 1]
    if head in known["one"] or head.endswith(("ss", "us", "is")):
        return False
    return head in known["several"] or head[:1].isdigit() or "and" in subject[:noun] or head.endswith("s")


@cache
def _words() -> Mapping[str, frozenset[str]]:
    """Lists of words by what they do in a headline."""
    document = json.loads(files(__package__).joinpath("headline_words.json").read_text("utf-8"))
    return {name: frozenset(words.split()) for name, words in document.items() if name != "about"}
