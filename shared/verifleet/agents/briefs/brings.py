"""What a sentence brings to those who have to act, and how well it reads, which a small trained model tells.

Logistic for each section of a brief, over what a text shows (`reading/features`), what words do (`reading/acts`) and
mean (`reading/words`). Trained by `tools/train_brief_model.py` on sentences of real posts that were read and labelled;
the weights ship as `brings_model.json`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import cache, lru_cache
from typing import Literal, NamedTuple, get_args

from verifleet.agents.lexicon import Model, model, shipped
from verifleet.reading.acts import acts, listed
from verifleet.reading.features import MOST_OF_A_CLASS
from verifleet.reading.features import features as text_features
from verifleet.reading.legible import legible
from verifleet.reading.tokens import tokens
from verifleet.reading.words import fold, sense

Section = Literal["damage", "now", "outlook", "people", "cause", "inquiry", "needs", "advice"]
SECTIONS: tuple[Section, ...] = get_args(Section)
"""What it did, or was done, for good; what goes on; what is to come; who is affected; why it happened; what is inquired
into, and who is suspected; what is needed or offered; what to do."""
USE, READS, PASSES = "use", "reads", "passes"
"""What else the model tells: that it is of use, that it is one whole plain sentence, and that it is true of its moment
alone."""
FLAGS = (READS, PASSES)
UNSURE = 0.0
ELSE: Section = "damage"
"""Log-odds from which a sentence is told in a section, and where any other is: with what happened."""
OFFICIAL = frozenset({"official", "emergency"})
OF_WORDS = 0.4
"""What a word counts beside what classes of words and marks of form count."""
MAX_TEXT = 400
MOST_TOLD_WITH, LONGEST = 2, 20
_MEANT = ("state", "noun", "hazard", "concept")


class Brought(NamedTuple):
    """The section that a sentence belongs to, and the log-odds that it is of use, reads well and soon passes."""

    section: Section
    use: float
    reads: float
    passes: float


def features(text: str, source: str, spoken: str = "en") -> dict[str, float]:
    """What the model sees of a sentence from a source of this class."""
    return _features(text, spoken) | dict.fromkeys(_told_by(source), 1.0)


def _told_by(source: str) -> list[str]:
    source = "official" if source in OFFICIAL else source
    return [f"from {source}"] * (source in ("official", "news"))


def _features(text: str, spoken: str) -> dict[str, float]:
    part = tokens(legible(text[:MAX_TEXT]))
    words = [token for token in part if token.kind in ("word", "tag", "handle")]
    low = [token.low.removeprefix("#") for token in part if token.kind != "mark"]
    read = text_features(text[:MAX_TEXT])
    seen = {name: value * (1.0 if name[0] == "<" else OF_WORDS) for name, value in read.items()}
    seen |= {f"does {name}": float(min(n, MOST_OF_A_CLASS)) for name, n in Counter(acts().names(low)).items()}
    seen |= {f"begins {name}": 1.0 for name in acts().names(low[:1])}
    folded = [fold(token.low.removeprefix("#")) for token in words]
    meanings = (sense(word, spoken) for word in folded)
    seen |= {f"means {named}": 1.0 for meant in meanings for kind in _MEANT if (named := getattr(meant, kind))}
    counts = {name: sum(word in told for word in folded) for name, told in told_with().items()}
    seen |= {name: float(min(n, MOST_TOLD_WITH)) for name, n in counts.items()}
    seen |= {
        "ends loose": float(bool(low) and low[-1] in listed("function")),
        "figures": float(min(sum(token.kind == "number" for token in part), MOST_OF_A_CLASS)),
        "phone": float(any(token.kind == "phone" for token in part)),
        "size": min(len(words), LONGEST) / 10,
        "checked": model("claims/claim_model.json").sum(read) / 3,
        "foreign": float(spoken != "en"),
    }
    return {name: value for name, value in seen.items() if value}


@cache
def told_with() -> Mapping[str, frozenset[str]]:
    """Words that sections are told with, by what they do there."""
    document = shipped("briefs/brings_words.json")
    return {name: frozenset(words.split()) for name, words in document.items() if name != "about"}


@cache
def models() -> Mapping[str, Model]:
    """The models that ship with the package, of each section and of what is of use; read on first use."""
    document = shipped("briefs/brings_model.json")
    return {name: Model(bias=one["bias"], weights=one["weights"]) for name, one in document.items()}


@cache
def known_words() -> frozenset[str]:
    """What the models of claims and sections know, words that no name has among them."""
    return frozenset().union(*(one.weights for one in (model("claims/claim_model.json"), *models().values())))


@lru_cache(maxsize=8192)
def brought(text: str, source: str = "", spoken: str = "en") -> Brought:
    """What a sentence from a source of this class brings."""
    known, told_by = _judged(text, spoken), _told_by(source)
    odds = {name: value + sum(models()[name].weights.get(one, 0.0) for one in told_by) for name, value in known.items()}
    fits, section = max((odds[name], name) for name in SECTIONS)
    return Brought(section if fits >= UNSURE else ELSE, odds[USE], *(known[flag] for flag in FLAGS))


@lru_cache(maxsize=8192)
def _judged(text: str, spoken: str) -> Mapping[str, float]:
    """What each model finds in a sentence, whoever says it."""
    seen = _features(text, spoken)
    return {name: model.sum(seen) for name, model in models().items()}
