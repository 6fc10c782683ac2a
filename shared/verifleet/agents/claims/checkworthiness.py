"""How likely a text carries something about an incident that can be checked: a small trained model.

Logistic, over words, their first letters, pairs of neighbours, classes of words (`words.json`, in the six languages
that are read) and a few marks of form. Trained by `tools/train_claim_model.py`; the weights ship as `claim_model.json`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import cache
from itertools import pairwise

from verifleet.agents.lexicon import Lexicon, Model, model, probability, shipped

MAX_TEXT = 1_000
"""Characters of a text that are looked at."""
MOST_OF_A_CLASS = 3
STEM = 5
"""Letters of a word that stand for all words that begin so: terremoto and terremotos, evacuated and evacuation."""

_URL = re.compile(r"(?:https?:?/{0,2}|www\.)\S*|\bhtt?\b(?=\W*$)")
_FORWARD = re.compile(r"\W{0,8}(?:RT|MT)\b\s*:?\s*@?\w{1,50}:?")
_HANDLE = re.compile(r"@\w+")
_HASHTAG = re.compile(r"#(\w{1,100})")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|(?<=[A-Za-z])(?=\d)")
_TOKEN = re.compile(r"<[a-z]+>|[^\W\d_]+(?:'[a-z]+)?|\d[\d,.:]*|[!?]+|[$€£%]|…|\.\.\.|[:;]-?[()Dd]|<3")
_LETTERS = re.compile(r"[^\W\d_]{2,}")
_PICTURE = re.compile("[\U0001f300-\U0001faff☀-➿]")
_NO_WORDS = frozenset({"<tag>", "<url>"})


def tokens(text: str) -> list[str]:
    """Lower-case tokens; links, handles, hashtags' marks, figures and clock times as placeholders."""
    text = _URL.sub(" <url> ", text.replace("’", "'"))
    text = _FORWARD.sub(" <rt> ", text, count=1) if _FORWARD.match(text) else text
    text = _HASHTAG.sub(lambda match: " <tag> " + _CAMEL.sub(" ", match[1]), _HANDLE.sub(" <user> ", text))
    found = []
    for token in _TOKEN.findall(text.lower()):
        if token[0].isdigit():
            token = "<time>" if ":" in token.rstrip(".,:") else "<num>"
        found.append(token[:2] if token[0] in "!?" else token)
    return found


@cache
def classes() -> Lexicon:
    """The classes of words, from `words.json`."""
    return Lexicon.of(shipped("claims/words.json"))


def features(text: str) -> dict[str, float]:
    """What the model sees of a text."""
    text = text[:MAX_TEXT]
    words = tokens(text)
    bare = [word for word in words if word not in _NO_WORDS]
    seen = dict.fromkeys(words, 1.0)
    seen.update((f"{first} {second}", 1.0) for first, second in pairwise(bare))
    seen.update((f"{word[:STEM]}~", 1.0) for word in words if len(word) > STEM and word[0] != "<")
    counts = Counter(classes().names(bare))
    seen.update((f"<{name}>", float(min(count, MOST_OF_A_CLASS))) for name, count in counts.items())
    seen.update((f"<{name}.>", 1.0) for name in counts)
    seen.update(_form(text, words, len(bare)))
    return seen


def _form(text: str, words: Sequence[str], size: int) -> dict[str, float]:
    written = _LETTERS.findall(text)
    tags = words.count("<tag>")
    marks = {
        f"<length{min(size // 4, 7)}>": 1.0,
        "<tags>": float(min(tags, 5)),
        "<capitals>": sum(word[0].isupper() for word in written) / max(len(written), 1),
        "<shouted>": float(sum(word.isupper() for word in written) > 3),
        "<addressed>": float(text.startswith(("@", ".@"))),
        "<lower>": float(text[:1].islower()),
        "<asked>": float("?" in text),
        "<exclaimed>": float(min(text.count("!"), 3)),
        "<picture>": float(_PICTURE.search(text) is not None),
        "<label>": float(": " in text and "<rt>" not in words),
        "<cut>": float(text.rstrip().endswith(("…", "..."))),
        "<quoted>": float('"' in text or "“" in text),
        "<ed>": float(min(sum(len(word) > 4 and word.endswith("ed") for word in words), 2)),
    }
    return {name: value for name, value in marks.items() if value}


def odds_of(report: Model, text: str) -> float:
    """Log-odds that the text carries something checkable; far below zero when it has no word."""
    return report.sum(features(text)) if any(letter.isalpha() for letter in text) else -10.0


def checkworthiness(text: str) -> float:
    """How much a text is worth checking, 0..1."""
    return probability(odds_of(model("claims/claim_model.json"), text))
