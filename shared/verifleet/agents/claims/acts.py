"""What a piece of a sentence does: it guides its readers, or it claims, which a small trained model tells.

The model is logistic, over what words do (`acts.json`), what they tell of (`words.json`), a few marks of form, and how
much report and sentence read like news of an incident (`checkworthiness`). Trained by `tools/train_claim_model.py` on
pieces that were read and labelled; the weights ship as `clause_model.json`.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from itertools import pairwise
from typing import Literal

from verifleet.agents.claims.checkworthiness import Model, classes
from verifleet.agents.claims.pieces import LEAST_WORDS, acts, listed
from verifleet.reading.document import Modality
from verifleet.reading.tokens import Token
from verifleet.reading.words import sense

Kind = Literal["factual", "quantity", "entity", "causal", "status"]
HEAD = 1
"""Words at the start of a piece that show what it is about to do: "take" orders, "gunmen take" tells."""
LABEL = 3
"""Words at the start of a piece that may be a label: "Mayor:"."""
FIRST_YEAR = 1500
LONGEST_FRAME = 6
MOST_OF_A_CLASS = 3
LONGEST = 20
"""Words from which a piece only counts as long."""

_SINCE = frozenset("since desde dal dopo depuis seit after despues apres nach".split())

_FOR = frozenset({"for", "if", "para", "si", "se"})


@cache
def clause_model() -> Model:
    """The model that ships with the package; read on first use."""
    document = json.loads(files(__package__).joinpath("clause_model.json").read_text("utf-8"))
    return Model(bias=document["bias"], weights=document["weights"])


def features(
    piece: Sequence[Token], modality: Modality, language: str, odds: tuple[float, float], toll: bool
) -> dict[str, float]:
    """What the model sees of a piece.

    `modality`: that of its first clause, "asked" when the sentence asks; `odds`: how much the report and its sentence
    read like news of an incident; `toll`: it counts those whom something befell.
    """
    words = [token for token in piece if token.kind in ("word", "tag", "handle")]
    low = [token.low for token in piece if token.kind != "mark"]
    said = _after_label(piece)
    size = len(words)
    seen = {f"of {name}": float(min(n, MOST_OF_A_CLASS)) for name, n in Counter(classes().names(low)).items()}
    named = Counter(acts().names([word.removeprefix("#") for word in low]))
    seen.update((f"does {name}", float(min(n, MOST_OF_A_CLASS))) for name, n in named.items())
    seen.update((f"begins {name}", 1.0) for name in acts().names(said[:HEAD]))
    seen |= {
        modality: 1.0,
        "report": odds[0],
        "sentence": odds[1],
        "toll": float(toll),
        "figures": float(min(sum(token.kind == "number" for token in piece), MOST_OF_A_CLASS)),
        "size": min(size, LONGEST) / 10,
        "predicate": float(any(word.low in listed("verb") or sense(word.low, language).state for word in words)),
        "capitals": sum(word.text[0].isupper() for word in words) / max(size, 1),
        "lower": float(piece[0].text[0].islower()),
    }
    return {name: value for name, value in seen.items() if value}


def guides(piece: Sequence[Token], modality: Modality) -> bool:
    """Whether a piece advises, asks for help, offers it, or names a number to call."""
    low = [token.low for token in piece if token.kind != "mark"]
    named = set(acts().names([word.removeprefix("#") for word in low]))
    helps = "advice" in named or "help" in classes().names(low)
    if any(token.kind == "phone" for token in piece):
        return helps or "offer" in named
    said = _after_label(piece)
    if modality == "asked" or piece[-1].text[0] == "?":
        return {"offer", "advice"} <= named
    if "wish" in acts().names(said[:HEAD]):
        return False
    if said[0] in listed("imperative") or "offer" in named:
        return bool(named & {"advice", "offer"})
    return helps and ("modal" in named or modality == "ordered")


def is_notice(piece: Sequence[Token]) -> bool:
    """Whether guidance only tells a number to call, which can be checked, and neither offers nor orders anything."""
    if not any(token.kind == "phone" for token in piece):
        return False
    plain = [token.low.removeprefix("#") for token in piece if token.kind != "mark"]
    if plain[0] in listed("numbers"):
        return True
    addressed = listed("imperative") | listed("calling") | listed("first") | listed("you")
    return addressed.isdisjoint(plain) and not {"offer", "modal"} & set(acts().names(plain))


def adds(piece: Sequence[Token]) -> bool:
    """Whether what is no statement by itself adds to the one before it: it is no name of a medium or a label."""
    words = [token for token in piece if token.kind == "word"]
    plain = [word for word in words if word.text.islower() and word.low not in listed("function")]
    return len(words) >= LEAST_WORDS and len(plain) > 1 and not any(word.low in listed("mediaof") for word in words)


def framed(piece: Sequence[Token]) -> int:
    """How many tokens at its start only lead to what is said: "Hearing that ...", "Segun dicen ..."."""
    low = [token.low for token in piece[:LONGEST_FRAME]]
    for length in range(len(low), 0, -1):
        if " ".join(low[:length]) in listed("frame") and len(piece) - length > LEAST_WORDS:
            return length
    return 0


def _after_label(piece: Sequence[Token]) -> list[str]:
    """The words of a piece, without a name before a colon at its start ("Mayor: stay inside")."""
    colon = next((n for n, token in enumerate(piece[: LABEL + 2]) if token.text == ":"), -1)
    said = [token.low.lstrip("#") for token in piece[colon + 1 :] if token.kind != "mark"]
    return said or [token.low.lstrip("#") for token in piece]


def of_another_year(piece: Sequence[Token], year: int) -> bool:
    """Whether a sentence tells of a year before `year`, that of its report: "in 2005", "1994 South Canyon Fire"."""
    for index, token in enumerate(piece):
        if token.kind == "number" and len(token.text) == 4 and token.text.isdigit():
            before = piece[index - 1].low if index else ""
            following = piece[index + 1].text if index + 1 < len(piece) else ""
            dated = before in listed("yearly") or (following[:1].isupper() and not before.isalpha())
            dated = dated and not any(word.low in _SINCE for word in piece[max(0, index - 3) : index])
            if FIRST_YEAR <= int(token.text) < year and dated:
                return True
    return False


def explains_tags(piece: Sequence[Token]) -> bool:
    """Whether a sentence tells what hashtags are for: "#RescuePH for help, #FloodPH for alerts"."""
    told = [token for token in piece if token.kind != "mark"]
    uses = [after.low in _FOR for tag, after in pairwise(told) if tag.kind == "tag"]
    return sum(uses) > 1 or any(token.low.startswith("hashtag") for token in told)


def kind_of(piece: Sequence[Token]) -> Kind:
    """What sort of claim a piece is."""
    low = {token.low for token in piece}
    if any(token.kind == "number" for token in piece):
        return "quantity"
    if low & listed("cause"):
        return "causal"
    if low & listed("state"):
        return "status"
    return "entity" if low & listed("identity") else "factual"
