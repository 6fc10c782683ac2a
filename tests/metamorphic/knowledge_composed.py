"""Responses composed of parts, each with the verdict that its composition gives it.

A response has a lead, a thing named first and dropped, a commitment with a clause before or behind it that names
another thing, a remark that names another, and a word to end with; each of them may be missing. It is right for the
thing that it commits itself to and wrong for whatever else it names.

    python -m tests.metamorphic.knowledge_composed [CASES [SEED]]
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from collections.abc import Iterator

from tests.metamorphic import knowledge_parts as parts
from verifleet.verification import KnowledgeReference, KnowledgeRequest
from verifleet.verifiers.knowledge import KnowledgeVerifier

Parts = dict[str, list[str]]
JOINS = (". ", ".\n", "! ", ".\n\n", "; ", " — ")


def _lines(text: str, half: int) -> list[str]:
    return text.strip("\n").split("\n")[half::2]


def halves() -> tuple[Parts, Parts]:
    """The parts to mend with and those held out."""
    named = {name: text for name, text in vars(parts).items() if name.isupper() and isinstance(text, str)}
    mending, held = ({name: _lines(text, half) for name, text in named.items()} for half in (0, 1))
    return mending, held


HALVES = halves()


def upper(text: str) -> str:
    """With a capital first letter."""
    return text[:1].upper() + text[1:]


class Composer:
    """One response after another of one half of the parts and questions."""

    def __init__(self, chance: random.Random, half: int) -> None:
        self.chance, self.half, self.parts = chance, half, HALVES[half]
        self.used: list[str] = []

    def composed(self) -> tuple[str, str, str, bool, str]:
        """(prompt, reference, response, right, frame)."""
        self.used = []
        asked = self.chance.choice(parts.QUESTIONS[self.half :: 2])
        things = list(asked.things)
        self.chance.shuffle(things)
        chosen, other, third = things
        shape = self.chance.choices(("plain", "turned", "hedged", "named"), (8, 1, 1, 1))[0]
        if shape == "named":
            text = self._filled("NAMES_ONLY", asked, chosen, other)
            return asked.prompt, other, self._around(text), False, self._frame(shape)
        if shape == "hedged":
            text = upper(self._filled("COMMITS", asked, chosen, other)) + self._filled("HEDGES", asked, chosen, other)
            return asked.prompt, other, self._around(text), False, self._frame(shape)
        if shape == "turned":
            taken_back = upper(self._filled("COMMITS", asked, other, third))
            turn = self._filled("TURNS", asked, other, third)
            text = f"{taken_back}. {turn} {upper(self._filled('COMMITS', asked, chosen, third))}."
        else:
            text = self._plain(asked, chosen, other, third)
        right = self.chance.random() < 0.5
        named = [thing for thing in (other, third) if thing in text]
        if not right and named:
            return asked.prompt, self.chance.choice(named), self._around(text), False, self._frame(shape)
        return asked.prompt, chosen, self._around(text), True, self._frame(shape)

    def _plain(self, asked: parts.Asked, chosen: str, other: str, third: str) -> str:
        """A commitment and what may stand around it; the two other things stand in one of the slots each."""
        slots = self.chance.choice(
            (("BEFORE",), ("BEHIND",), ("ASIDES",), ("FIRST",), ("BEFORE", "ASIDES"), ("FIRST", "BEHIND"),
             ("FIRST", "ASIDES"), ("BEHIND", "ASIDES"), ())
        )  # fmt: skip
        given = dict(zip(slots, (other, third), strict=False))
        sentence = self._filled("COMMITS", asked, chosen, "")
        if "BEFORE" in given:
            sentence = f"{self._filled('BEFORE', asked, chosen, given['BEFORE'])} {sentence}"
        if "BEHIND" in given:
            sentence += self._filled("BEHIND", asked, chosen, given["BEHIND"])
        text = upper(sentence)
        if "FIRST" in given:
            text = f"{self._filled('FIRST', asked, chosen, given['FIRST'])} {text}"
        if "ASIDES" in given:
            aside = self._filled("ASIDES", asked, chosen, given["ASIDES"])
            join = self.chance.choice(JOINS)
            if self.chance.random() < 0.2 and not aside.startswith(("Not", "(")):
                text = f"{aside} {text}."
            else:
                goes_on = join[0] not in ".!" and not aside.startswith(given["ASIDES"])
                text += join + (aside[:1].lower() + aside[1:] if goes_on else aside)
        return text

    def _around(self, text: str) -> str:
        lead = self._one("LEADS") + " " if self.chance.random() < 0.3 else ""
        text = text if text.endswith((".", "!", "?", ".)")) else text + "."
        return lead + text + (" " + self._one("OUTS") if self.chance.random() < 0.3 else "")

    def _one(self, name: str) -> str:
        part = self.chance.choice(self.parts[name])
        self.used.append(part)
        return part

    def _filled(self, name: str, asked: parts.Asked, chosen: str, other: str) -> str:
        says = self.chance.choice(asked.says)
        remark = self.chance.choice(asked.remarks[self.half :: 2]).format(y=other)
        fields = {"c": chosen, "y": other, "np": asked.np, "s": says.format(x=chosen), "e": remark}
        return self._one(name).format(**fields, **{upper(k): upper(v) for k, v in fields.items()})

    def _frame(self, shape: str) -> str:
        return shape + ": " + " + ".join(self.used)


def sample(chance: random.Random, count: int) -> Iterator[tuple[str, KnowledgeReference, str, bool, str, bool]]:
    """So many responses, half of them of parts and questions that are held out."""
    composers = [Composer(chance, half) for half in (0, 1)]
    for n in range(count):
        prompt, reference, response, right, frame = composers[n % 2].composed()
        yield prompt, KnowledgeReference(answer=reference), response, right, frame, bool(n % 2)


def main() -> None:
    """Show what each half keeps, with the wrong answers paid and the right ones lost."""
    count, seed = map(int, (sys.argv[1:] + ["20000", "7"][len(sys.argv) - 1 :])[:2])
    counts: Counter[tuple[bool, bool, bool]] = Counter()
    verifier = KnowledgeVerifier()
    for prompt, reference, response, right, _, held_out in sample(random.Random(seed), count):
        result = verifier.check(KnowledgeRequest(prompt=prompt, response=response, reference=reference))
        counts[held_out, right, (result.score == 1.0) == right] += 1
    for held_out in (False, True):
        (paid, wrong), (lost, right) = (
            (counts[held_out, of, False], counts[held_out, of, False] + counts[held_out, of, True])
            for of in (False, True)
        )
        share = 1 - (paid + lost) / max(1, wrong + right)
        print(f"{'held out' if held_out else 'mending':<10} kept {share:.3%}, paid {paid}/{wrong}, lost {lost}/{right}")


if __name__ == "__main__":
    main()
