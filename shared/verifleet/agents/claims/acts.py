"""What a piece of a sentence does: it guides its readers, or it claims, which a small trained model tells.

The model is logistic, over what words do (`acts.json`), what they tell of (`words.json`), a few marks of form, and how
much report and sentence read like news of an incident (`checkworthiness`). Trained by `tools/train_claim_model.py` on
pieces that were read and labelled; the weights ship as `clause_model.json`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Literal

from verifleet.agents.claims.checkworthiness import classes
from verifleet.agents.claims.pieces import acts, listed, tells
from verifleet.reading.document import Modality
from verifleet.reading.tokens import Token
from verifleet.reading.words import sense

Kind = Literal["factual", "quantity", "entity", "causal", "status"]
HEAD = 1
"""Words at the start of a piece that show what it is about to do: "take" orders, "gunmen take" tells."""
MOST_OF_A_CLASS = 3
LONGEST = 20
"""Words from which a piece only counts as long."""


def features(
    piece: Sequence[Token], modality: Modality, language: str, odds: tuple[float, float, float], toll: bool, parts: int = 1
) -> dict[str, float]:
    """What the model sees of a piece.

    `modality`: that of its first clause, "asked" when the sentence asks; `odds`: how much the report and its sentence
    read like news of an incident; `toll`: it counts those whom something befell.
    """
    words = [token for token in piece if token.kind in ("word", "tag", "handle")]
    low = [token.low for token in piece if token.kind != "mark"]
    said = [word.lstrip("#") for word in low]
    size = len(words)
    seen = {f"of {name}": float(min(n, MOST_OF_A_CLASS)) for name, n in Counter(classes().names(low)).items()}
    named = Counter(acts().names([word.removeprefix("#") for word in low]))
    seen.update((f"does {name}", float(min(n, MOST_OF_A_CLASS))) for name, n in named.items())
    seen.update((f"begins {name}", 1.0) for name in acts().names(said[:HEAD]))
    seen |= {
        modality: 1.0,
        "report": odds[0],
        "sentence": odds[1],
        "piece": odds[2],
        "toll": float(toll),
        "figures": float(min(sum(token.kind == "number" for token in piece), MOST_OF_A_CLASS)),
        "size": min(size, LONGEST) / 10,
        "verb": float(any(word.low in listed("verb") for word in words)),
        "told": float(any(tells(word, language) for word in words[1:])),
        "state": float(any(sense(word.low, language).state for word in words)),
        "ends loose": float(low[-1] in listed("function") or low[-1] in listed("verb")),
        "parts": float(parts > 1),
        "capitals": sum(word.text[0].isupper() for word in words) / max(size, 1),
        "lower": float(piece[0].text[0].islower()),
    }
    return {name: value for name, value in seen.items() if value}


def guides(piece: Sequence[Token], modality: Modality) -> bool:
    """Whether a piece advises, asks for help, offers it, or names a number to call."""
    low = [token.low for token in piece if token.kind != "mark"]
    said = [word.lstrip("#") for word in low]
    named = set(acts().names(said))
    helps = "advice" in named or "help" in classes().names(low)
    if any(token.kind == "phone" for token in piece):
        return helps or "offer" in named
    if modality == "asked" or "wish" in acts().names(said[:HEAD]):
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
