"""The claims of a document: its sentences without marks and asides, those that state something worth checking."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from verifleet.agents.claims.acts import (
    Kind,
    features,
    guides,
    is_notice,
    kind_of,
)
from verifleet.agents.claims.checkworthiness import odds_of
from verifleet.agents.claims.pieces import LEAST_WORDS, Piece, pieces
from verifleet.agents.lexicon import Model, model, probability
from verifleet.reading.document import Document, Modality, Sentence, Span
from verifleet.reading.tokens import Token, legible, tokens

MAX_CLAIMS = 64
MAX_GUIDANCE = 16
SHORT_REPORT = 400
"""Up to this length a report is scored as a whole, too: what stands beside a sentence tells."""
LEAST_ODDS = 0.1
"""Log-odds from which a piece is a claim."""
NO_CLAIM = -10.0
LONGEST_END = 12
"""Characters behind a sentence that show whether it breaks off."""
LEAST_GUIDANCE = -1.0
"""Log-odds of a sentence from which its advice is about an incident."""
_PRIOR = {"emergency": 1.5, "sensor": 2.0, "official": 0.8, "news": 0.8}
"""Log-odds added by source: such bodies state facts where others chat."""


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
        unread: its language is not read, so that nothing is known of what it claims.
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
class Spoken:
    """A sentence with its tokens and pieces, and how much its report and it read like news of an incident."""

    sentence: Sentence
    tokens: Sequence[Token]
    pieces: tuple[Piece, ...]
    odds: tuple[float, float]
    language: str
    report: Model

    def features(self, piece: Piece) -> dict[str, float]:
        """What the model of clauses sees of one of its pieces."""
        odds = (*self.odds, self.odds[1] if len(self.pieces) == 1 else odds_of(self.report, piece.text))
        return features(piece.tokens, self.modality(piece), self.language, odds, self.counts(piece), len(self.pieces))

    def counts(self, piece: Piece) -> bool:
        """Whether a piece counts those whom something befell."""
        return any(
            quantity.predicate
            and not quantity.unit
            and piece.span[0] <= quantity.span[0]
            and quantity.span[1] <= piece.span[1]
            for clause in self.sentence.clauses
            for quantity in clause.quantities
        )

    def claims(self, piece: Piece, clause: Model) -> float:
        """Log-odds that a piece is a claim, which no question is and nothing of one or two words but a toll."""
        size = sum(token.kind in ("word", "tag", "handle", "number") for token in piece.tokens) + self.counts(piece)
        return NO_CLAIM if self.sentence.question or size < LEAST_WORDS else clause.sum(self.features(piece))

    def modality(self, piece: Piece) -> Modality:
        """How the first clause of a piece is put forward."""
        if self.sentence.question:
            return "asked"
        inside = (c.modality for c in self.sentence.clauses if c.span[0] < piece.span[1] and piece.span[0] < c.span[1])
        return next(inside, "asserted")


def extract(document: Document, source: str, models: Models | None = None) -> Claims:
    """The claims and the guidance in a document from a source of this class."""
    if not document.language:
        return Claims(unread=True)
    models = models or Models(model("claims/claim_model.json"), model("claims/clause_model.json"))
    prior = _PRIOR.get(source, 0.0)
    claims: list[ClaimSpan] = []
    guidance: list[str] = []
    for spoken in spoken_of(document, models.report):
        worth = probability(spoken.odds[1] + prior)
        for piece in spoken.pieces:
            claimed = spoken.claims(piece, models.clause) + prior >= LEAST_ODDS
            if guides(piece.tokens, spoken.modality(piece)):
                if max(spoken.odds) + prior >= LEAST_GUIDANCE:
                    guidance.append(piece.text)
                claimed = is_notice(piece.tokens)
            if claimed:
                claims.append(ClaimSpan(piece.text, piece.span, kind_of(piece.tokens), worth))
    return Claims(tuple(claims[:MAX_CLAIMS]), tuple(dict.fromkeys(guidance))[:MAX_GUIDANCE])


def spoken_of(document: Document, report: Model) -> Iterator[Spoken]:
    """The sentences of a document with their pieces."""
    text = legible(document.text)
    said = _said(document, tokens(text))
    whole = odds_of(report, text) if len(text) <= SHORT_REPORT else None
    for sentence, own in said:
        odds = whole if whole is not None and len(said) == 1 else odds_of(report, text[slice(*sentence.span)])
        cut = _breaks_off(text[sentence.span[1] : sentence.span[1] + LONGEST_END])
        parts = tuple(pieces(own, document.language, cut))
        yield Spoken(sentence, own, parts, (odds if whole is None else whole, odds), document.language, report)


def _breaks_off(rest: str) -> bool:
    """Whether what follows a sentence shows that it was cut off: dots, and no more words."""
    bare = rest.lstrip()
    after = bare.lstrip("…. ")
    return bare.startswith(("…", "..")) and (not after or after.startswith(("http", "#", "@", "(", "\n", "”", '"')))


def _said(document: Document, found: Sequence[Token]) -> list[tuple[Sentence, Sequence[Token]]]:
    """The sentences of a document with their tokens."""
    said: list[tuple[Sentence, Sequence[Token]]] = []
    position = 0
    for sentence in document.sentences:
        start, end = sentence.span
        while position < len(found) and found[position].start < start:
            position += 1
        first = position
        while position < len(found) and found[position].end <= end:
            position += 1
        if position > first:
            said.append((sentence, found[first:position]))
    return said
