"""What a text shows to the models that judge it.

Words, their first letters, pairs of neighbours, classes of words (`data/word_classes.json`, in the six languages that
are read) and a few marks of form.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import cache
from itertools import pairwise

from verifleet.reading.legible import legible
from verifleet.reading.lexicon import Lexicon
from verifleet.reading.tokens import tag_parts, tokens
from verifleet.reading.words import data

MAX_TEXT = 1_000
"""Characters of a text that are looked at."""
MOST_OF_A_CLASS = 3
STEM = 5
"""Letters of a word that stand for all words that begin so: terremoto and terremotos, evacuated and evacuation."""

_LETTERS = re.compile(r"[^\W\d_]{2,}")
_PICTURE = re.compile("[\U0001f300-\U0001faff☀-➿]")
_PLACEHOLDERS = {"url": "<url>", "handle": "<user>", "tag": "<tag>"}
_PLACEHOLDERS |= {"clock": "<time>", "date": "<time>", "number": "<num>", "phone": "<num>"}
_MARKS = frozenset("!?$€£%…")
_NO_WORDS = frozenset({"<tag>", "<url>"})


def _words(text: str) -> list[str]:
    """Lower-case words and telling marks; links, handles, hashtags' marks, figures and clock times as placeholders."""
    found: list[str] = []
    for token in tokens(legible(text)):
        if token.kind == "word" or token.text[0] in _MARKS:
            found.append(token.text.replace("’", "'").lower())
        elif token.kind in _PLACEHOLDERS:
            found.append(_PLACEHOLDERS[token.kind])
        if token.kind == "tag":
            found += [part.lower() for part in tag_parts(token.text)]
    return found


@cache
def classes() -> Lexicon:
    """The classes of words."""
    return Lexicon.of(data("word_classes"))


def features(text: str) -> dict[str, float]:
    """What a model sees of a text, by name."""
    text = text[:MAX_TEXT]
    words = _words(text)
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
        "<label>": float(": " in text and not text.startswith("RT")),
        "<cut>": float(text.rstrip().endswith(("…", "..."))),
        "<quoted>": float('"' in text or "“" in text),
        "<ed>": float(min(sum(len(word) > 4 and word.endswith("ed") for word in words), 2)),
    }
    return {name: value for name, value in marks.items() if value}
