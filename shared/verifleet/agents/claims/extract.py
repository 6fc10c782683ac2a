"""The claims of a document: its sentences without marks and asides, those that state something worth checking.

A small logistic model tells which do, over what words do (`reading/acts`), what a text shows (`reading/features`), and
how much report, sentence and piece read like news of an incident, which another one tells (`checkworthiness`). Both are
trained by `tools/train_claim_model.py`; the weights ship as `clause_model.json` and `claim_model.json`.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from verifleet.agents.lexicon import Model, model, probability
from verifleet.reading.acts import acts, listed
from verifleet.reading.document import Clause, Document, Modality, Sentence, Span
from verifleet.reading.features import MOST_OF_A_CLASS, classes, features
from verifleet.reading.legible import legible
from verifleet.reading.pieces import led_by, pieces, plain, reads, tells, topic, word_of
from verifleet.reading.tokens import Token, tokens

Kind = Literal["factual", "quantity", "entity", "causal", "status"]

MAX_CLAIMS = 64
MAX_GUIDANCE = 16
SHORT_REPORT = 400
"""Up to this length a report is scored as a whole, too: what stands beside a sentence tells."""
LEAST_ODDS, FURTHER_ODDS = -0.6, 0.3
"""Log-odds from which the likeliest piece of a report is a claim, and from which others are, crises left out."""
TOLL = 0.8
"""How likely a toll of a text that is not read is worth checking."""
LEAST_WORDS = 3
LONGEST_BEFORE = 140
"""Characters of what a piece may lean on."""
MAX_BLANKS = 12
MARK = ":"
"""Before what the model of clauses sees beside words."""
LEAST_GUIDANCE = -1.0
"""Log-odds of a sentence from which its advice is about an incident."""
_WORDS = frozenset({"word", "tag", "handle"})
_PRIOR = {"emergency": 1.5, "sensor": 2.0}
"""Log-odds added by sources that state facts only, of which the models were shown nothing."""


@dataclass(frozen=True, slots=True)
class ClaimSpan:
    """A claim of fact.

    Attributes:
        text: how it reads by itself: without links, handles and tails, hashtags as words.
        span: where it stands in the text of the document.
        kind: quantity, causal, status, entity or, for any other, factual.
        checkworthiness: 0..1, how likely it is worth checking.
    """

    text: str
    span: Span
    kind: Kind
    checkworthiness: float


@dataclass(frozen=True, slots=True)
class Claims:
    """What a document claims, and what it advises or offers, in order.

    Attributes:
        unread: its language is not read, so that nothing is known of what it claims but a toll.
    """

    claims: tuple[ClaimSpan, ...] = ()
    guidance: tuple[str, ...] = ()
    unread: bool = False


@dataclass(frozen=True, slots=True)
class Models:
    """What tells news of an incident from chatter (`report`), and a claim from what is none (`clause`)."""

    report: Model
    clause: Model


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a sentence that could stand alone.

    Attributes:
        seen: what the model of reports sees of it.
        around: how much the report reads like news of an incident, or its sentence where the report is long.
        odds: how much it reads so itself.
        share: how much of the report it is.
        behind: the character behind it, "w" for a word.
        source: the class of the report's source.
        led: where it names nothing, what it leans on: the statement before it, else what a hashtag tells of.
        first: whether it stands before the others.
    """

    tokens: Sequence[Token]
    sentence: Sentence
    language: str
    seen: Mapping[str, float]
    around: float
    odds: float
    share: float
    behind: str
    source: str
    led: str
    first: bool

    @property
    def text(self) -> str:
        """How it reads by itself."""
        own = reads(self.tokens)
        return self.led + (own[:1].upper() + own[1:] if self.led.endswith(". ") else own)

    @property
    def span(self) -> Span:
        """Where it stands."""
        return self.tokens[0].start, self.tokens[-1].end

    @property
    def clauses(self) -> list[Clause]:
        """The clauses that it shares something with."""
        start, end = self.span
        return [clause for clause in self.sentence.clauses if clause.span[0] < end and start < clause.span[1]]

    @property
    def modality(self) -> Modality:
        """How its first clause is put forward."""
        return "asked" if self.sentence.question else next((clause.modality for clause in self.clauses), "asserted")

    @property
    def counts(self) -> bool:
        """Whether it counts those whom something befell."""
        (start, end), told = self.span, (number for clause in self.clauses for number in clause.quantities)
        return any(one.predicate and not one.unit and start <= one.span[0] and one.span[1] <= end for one in told)

    @property
    def features(self) -> dict[str, float]:
        """What the model of clauses sees of it."""
        low = [word_of(token) for token in self.tokens if token.kind != "mark"]
        named = Counter(acts().names([word.removeprefix("#") for word in low]))
        marks = {f"does {name}": float(min(n, MOST_OF_A_CLASS)) for name, n in named.items()}
        marks.update((f"begins {name}", 1.0) for name in acts().names([word.lstrip("#") for word in low[:1]]))
        clauses = self.clauses
        numbers = [number for clause in clauses for number in clause.quantities]
        marks.update((clause.modality, 1.0) for clause in clauses)
        marks |= {
            "report": self.around,
            "piece": self.odds,
            self.modality: 1.0,
            f"from {self.source}": 1.0,
            f"before {self.behind}": 1.0,
            "share": self.share,
            "first": float(self.first),
            "led": float(self.led.endswith(". ")),
            "toll": float(self.counts),
            "told": float(any(tells(word, self.language) for word in self.tokens[1:])),
            "guides": float(guides(self.tokens, self.modality)),
            "clauses": float(min(len(clauses), MOST_OF_A_CLASS)),
            "names": float(min(sum(len(clause.names) for clause in clauses), MOST_OF_A_CLASS)),
            "numbers": float(min(len(numbers), MOST_OF_A_CLASS)),
            "unit": float(any(number.unit for number in numbers)),
            "negated": float(any(clause.negated for clause in clauses)),
            "attributed": float(any(clause.attributed_to for clause in clauses)),
        }
        return {**self.seen, **{f"{MARK}{name}": value for name, value in marks.items() if value}}

    def claims(self, clause: Model) -> float:
        """Log-odds that it is a claim, which no question is and nothing of one or two words but a toll."""
        size = sum(token.kind in _WORDS or token.kind == "number" for token in self.tokens) + self.counts
        return -10.0 if self.sentence.question or size < LEAST_WORDS else clause.sum(self.features)


def extract(document: Document, source: str, models: Models | None = None) -> Claims:
    """The claims and the guidance in a document from a source of this class."""
    if not document.language:
        clauses = (clause for sentence in document.sentences for clause in sentence.clauses if clause.quantities)
        tolls = (ClaimSpan(plain(clause.text), clause.span, "quantity", TOLL) for clause in clauses)
        return Claims(tuple(tolls)[:MAX_CLAIMS], unread=True)
    models = models or Models(model("claims/claim_model.json"), model("claims/clause_model.json"))
    prior = _PRIOR.get(source, 0.0)
    claims: list[ClaimSpan] = []
    guidance: dict[str, None] = {}
    found = [(piece, piece.claims(models.clause) + prior) for piece in pieces_of(document, source, models.report)]
    best = max((odds for _, odds in found), default=0.0)
    for piece, odds in found:
        if max(piece.around, piece.odds) + prior >= LEAST_GUIDANCE and guides(piece.tokens, piece.modality):
            guidance[reads(piece.tokens)] = None
        if odds >= (LEAST_ODDS if odds == best else FURTHER_ODDS):
            claims.append(ClaimSpan(piece.text, piece.span, kind_of(piece.tokens), probability(piece.odds + prior)))
    return Claims(tuple(claims[:MAX_CLAIMS]), tuple(guidance)[:MAX_GUIDANCE])


def pieces_of(document: Document, source: str, report: Model) -> Iterator[Piece]:
    """The pieces of a document's sentences."""
    text, language = legible(document.text), document.language
    found = tokens(text)
    whole = odds_of(report, text) if len(text) <= SHORT_REPORT else None
    about = before = topic(found, language)
    first = True
    for sentence, own in _said(document, found):
        odds = odds_of(report, text[slice(*sentence.span)]) if whole is None else whole
        for part in pieces(own, language, sentence.cut):
            seen = features(reads(part))
            share, end = (part[-1].end - part[0].start) / len(text), part[-1].end
            behind = re.sub(r"\w", "w", text[end : end + MAX_BLANKS].lstrip()[:1])
            led = led_by(part, language, before, about)
            piece = Piece(part, sentence, language, seen, odds, report.sum(seen), share, behind, source, led, first)
            first = False
            told = piece.modality in ("asserted", "possible", "predicted") and len(piece.text) <= LONGEST_BEFORE
            before = f"{piece.text}. " if told and not led.endswith(". ") else before
            yield piece


def _said(document: Document, found: Sequence[Token]) -> list[tuple[Sentence, Sequence[Token]]]:
    """The sentences of a document with their tokens."""
    starts, ends = ([getattr(token, side) for token in found] for side in ("start", "end"))
    spans = ((bisect_left(starts, one.span[0]), bisect_right(ends, one.span[1])) for one in document.sentences)
    return [(one, found[a:b]) for one, (a, b) in zip(document.sentences, spans, strict=True) if a < b]


def odds_of(report: Model, text: str) -> float:
    """Log-odds that the text carries something checkable; far below zero when it has no word."""
    return report.sum(features(text)) if any(letter.isalpha() for letter in text) else -10.0


def checkworthiness(text: str) -> float:
    """How much a text is worth checking, 0..1."""
    return probability(odds_of(model("claims/claim_model.json"), text))


def guides(piece: Sequence[Token], modality: Modality) -> bool:
    """Whether a piece advises, asks for help, offers it, or names a number to call."""
    low = [token.low for token in piece if token.kind != "mark"]
    said = [word.lstrip("#") for word in low]
    named = set(acts().names(said))
    helps = "advice" in named or "help" in classes().names(low)
    if any(token.kind == "phone" for token in piece):
        return helps or "offer" in named
    if modality == "asked" or "wish" in acts().names(said[:1]):
        return False
    if said[0] in listed("imperative") or "offer" in named:
        return bool(named & {"advice", "offer"})
    return helps and ("modal" in named or modality == "ordered")


def kind_of(piece: Sequence[Token]) -> Kind:
    """What sort of claim a piece is."""
    low = {token.low for token in piece}
    if any(token.kind == "number" for token in piece):
        return "quantity"
    kinds: tuple[tuple[str, Kind], ...] = (("cause", "causal"), ("state", "status"), ("identity", "entity"))
    return next((kind for name, kind in kinds if low & listed(name)), "factual")
