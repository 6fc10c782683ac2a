"""Train the two models of what a response puts forward, and check them across questions.

    python -m tools.train_weighing [CASES.jsonl ...] [--metamorphic N]

CASES have rows {prompt, response, reference, expected} as `verifleet audit knowledge` takes them; without any,
tools/weighing_labels.jsonl. Of every right response, other names in it are made wrong answers, and N varied responses
of the metamorphic test's frames in sight are added. Writes `weighing.json` and `pattern.json` of
`verifiers/knowledge/data`. Needs numpy, scipy and scikit-learn.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from scipy.optimize import minimize
from scipy.special import expit
from tests.metamorphic import knowledge_cases
from tests.metamorphic.generate import request_of

from tools.train_pattern import Pattern, words_of
from verifleet.audits.answers import read_rows
from verifleet.scoring.one_request import make_verifier
from verifleet.verification import parse_request
from verifleet.verifiers.knowledge import verifier as knowledge
from verifleet.verifiers.knowledge.features import features
from verifleet.verifiers.knowledge.guards import (
    ANSWER_GUARDS,
    CREDIBLE,
    Answer,
    commit,
    held_back,
    hold_back,
    signs,
    weighed_of,
)
from verifleet.verifiers.knowledge.spans import Occurrence
from verifleet.verifiers.knowledge.weighing import NOTHING, Weighed, places_of

LABELS = Path(__file__).parent / "weighing_labels.jsonl"
DATA = Path(__file__).parents[1] / "shared/verifleet/verifiers/knowledge/data"
WEIGHING, PATTERN = DATA / "weighing.json", DATA / "pattern.json"
ABOUT = (
    "Weights of a log-linear model of which place of a response its answer stands at; made by tools/train_weighing.py "
    "from labelled responses in tools/weighing_labels.jsonl and varied ones of the metamorphic test, checked across "
    "questions"
)
ABOUT_PATTERN = (
    "Words that are told as they are, and weights of a logistic model of how a response reads around the expected "
    "answer and other things; made by tools/train_weighing.py from the same responses"
)
FIELDS = ("prompt", "response", "reference", "options")
PENALTY, FOLDS, METAMORPHIC = 60.0, 4, 8_000
"""What the square of a weight costs, parts for checking, and how many varied responses are made."""
WEIGHTS = {"": 1.0, "natural": 2.0, "made": 2.0, "pair": 1.0, "varied": 4.0, "swapped": 0.5}
"""How much a case counts, by the row's `sort`: the varied ones, which are plain, have to be right, and those of pairs
that differ in who did what alone are no usual responses."""
SECOND = {"made": 0.5, "pair": 0.4, "varied": 3.0, "swapped": 0.1}
"""The same where all of a response is read: 1 for what people and models wrote."""
MAX_SWAPPED = 2
"""Other names of one response that are made wrong answers."""


@dataclass
class Case:
    """A response in which the expected answer stands: its places, whether it is the answer, and what counts."""

    row: Mapping[str, Any]
    right: bool
    places: list[tuple[bool, dict[str, float]]]
    sort: str
    others: list[str]
    """Other names in it."""
    answer: Answer
    kept: Sequence[Occurrence]
    guards: Sequence[str]
    weighed: Weighed

    @property
    def weight(self) -> float:
        """How much it counts where places are weighed."""
        return WEIGHTS[self.sort]

    @property
    def prompt(self) -> str:
        """The question, by which cases are kept apart."""
        return str(self.row["prompt"])


def cases(rows: Iterable[Mapping[str, Any]], sort: str = "") -> Iterator[Case]:
    """The responses that the weighing decides on: where the expected answer stands, and no guard holds it back."""
    for row, answer in committed(rows):
        if answer is not None and answer.asked is not None:
            yield from _case(answer, row, sort or row.get("sort", ""))


def committed(rows: Iterable[Mapping[str, Any]]) -> Iterator[tuple[Mapping[str, Any], Answer | None]]:
    """Rows with what the guards look at, if the expected answer stands in one place or more of the response."""
    verifier = make_verifier("knowledge")
    seen: list[Answer] = []
    original = knowledge.commit
    knowledge.commit = lambda answer: (seen.append(answer), commit(answer))[1]  # type: ignore[assignment]
    try:
        for row in rows:
            seen.clear()
            verifier.check(
                parse_request("knowledge", {name: row[name] for name in FIELDS if row.get(name) is not None})
            )
            yield row, seen[0] if len(seen) == 1 else None
    finally:
        knowledge.commit = original


def _case(answer: Answer, row: Mapping[str, Any], sort: str) -> Iterator[Case]:
    kept, guards = hold_back(answer)
    weighed = (
        None if not kept or any(guard.holds(answer, kept) for guard in ANSWER_GUARDS) else weighed_of(answer, kept)
    )
    if weighed is None or not weighed.likely:
        return
    assert answer.asked is not None
    reading = answer.reading
    places = places_of(reading, kept, answer.found, answer.asked)
    told, others = [], []
    for place, one in zip(places, features(reading, places, answer.asked), strict=True):
        spot = Occurrence(place.start, place.end)
        if place.mine or not held_back(replace(answer, places=[spot]), spot):
            told.append((place.mine, one))
            others += (
                []
                if place.mine
                else [reading.text[reading.tokens[place.start].start : reading.tokens[place.end - 1].end]]
            )
    yield Case(row, row["expected"] >= 0.5, told, sort, others, answer, kept, guards, weighed)


def swapped(known: Iterable[Case]) -> Iterator[Case]:
    """The right responses with other names of theirs as the expected answer, which is wrong then."""
    for case in known:
        names = [name for name in dict.fromkeys(case.others) if name[:1].isupper()] if case.right else []
        fields = {"prompt": case.prompt, "response": case.row["response"], "expected": 0.0}
        yield from cases(({**fields, "reference": {"answer": name}} for name in names[:MAX_SWAPPED]), "swapped")


def varied(number: int) -> Iterator[Case]:
    """Responses of the frames in sight."""
    made = (case for case in knowledge_cases.sample(7, number) if not case.held_out)
    yield from cases(({**request_of(case), "expected": float(case.right)} for case in made), "varied")
    rows = (
        {"prompt": topic.prompt, "response": text, "reference": topic.reference.model_dump(exclude_unset=True)}
        for topic, _, text in knowledge_cases.connected()
    )
    yield from cases(({**row, "expected": 1.0} for row in rows), "varied")


class Table:
    """Cases as arrays."""

    def __init__(self, known: Sequence[Case], names: Sequence[str]) -> None:
        self.known, at = known, {name: n for n, name in enumerate(names)}
        self.x = np.zeros((sum(len(case.places) for case in known), len(names)))
        self.mine = np.array([mine for case in known for mine, _ in case.places])
        for row, told in enumerate(told for case in known for _, told in case.places):
            for name, value in told.items():
                if name in at:
                    self.x[row, at[name]] = value
        lengths = [len(case.places) for case in known]
        self.first = np.concatenate([[0], np.cumsum(lengths)[:-1]])
        self.case = np.repeat(np.arange(len(known)), lengths)
        self.right = np.array([case.right for case in known])
        self.weight = np.array([case.weight for case in known])

    def sums(self, theta: Any) -> tuple[Any, Any, Any]:
        """The odds of each place, those of the expected answer's, and those of all and of nothing, by case."""
        odds = np.exp(np.clip(self.x @ theta[:-1], -30, 30))
        mine = np.add.reduceat(odds * self.mine, self.first)
        return odds, mine, np.add.reduceat(odds, self.first) + np.exp(theta[-1])

    def likelihood(self, theta: Any) -> Any:
        """How likely each case's answer is the expected one."""
        _, mine, whole = self.sums(theta)
        return mine / whole


def fitted(known: Sequence[Case], names: Sequence[str]) -> Any:
    """The weights: of a right response one of its places is the answer, of a wrong one another thing or nothing."""
    table = Table(known, names)
    scale = table.x.std(axis=0) + 1e-3
    table.x /= scale

    def loss(theta: Any) -> tuple[float, Any]:
        odds, mine, whole = table.sums(theta)
        nothing = np.exp(theta[-1])
        named = np.where(table.right, mine, whole - mine)
        chosen = np.where(table.right[table.case], table.mine, ~table.mine)
        slope = table.weight[table.case] * odds * (chosen / named[table.case] - 1 / whole[table.case])
        gradient = -(table.x.T @ slope) + PENALTY * theta[:-1]
        bias = -(table.weight * nothing * (np.where(table.right, 0, 1 / named) - 1 / whole)).sum()
        value = -(table.weight * np.log(named / whole)).sum() + PENALTY / 2 * (theta[:-1] ** 2).sum()
        return value, np.concatenate([gradient, [bias]])

    found = minimize(loss, np.zeros(len(names) + 1), jac=True, method="L-BFGS-B", options={"maxiter": 200}).x
    return np.concatenate([found[:-1] / scale, found[-1:]])


def report(name: str, known: Sequence[Case], likely: Any) -> None:
    """Wrong ones taken and right ones refused, by the least likelihood that is taken."""
    right = np.array([case.right for case in known])
    told = (f"{least}: {int(((likely >= least) & ~right).sum())}+{int(((likely < least) & right).sum())}"
            for least in (0.4, 0.5, round(float(expit(CREDIBLE)), 2), 0.7, 0.8))  # fmt: skip
    print(f"{name:24} {len(known):5}  {'  '.join(told)}")


def main() -> None:
    """Train, print figures across questions, and write the weights of both models."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("cases", nargs="*", type=Path, default=[LABELS])
    parser.add_argument("--metamorphic", type=int, default=METAMORPHIC)
    given = parser.parse_args()
    written = [case for path in given.cases for case in cases(read_rows(path))]
    made = [*varied(given.metamorphic)]
    known = [*written, *swapped(written)]
    names = sorted({name for case in (*known, *made) for _, told in case.places for name in told})
    prompts = sorted({case.prompt for case in written})
    random.Random(7).shuffle(prompts)
    groups = {prompt: n % FOLDS for n, prompt in enumerate(prompts)}
    fold = np.array([groups[case.prompt] for case in known])
    likely, of_made = np.zeros(len(known)), np.zeros(len(made))
    for n in range(FOLDS):  # what weighs a case has not been made with it: the second step sees what use will show it
        theta = fitted([*(known[i] for i in np.flatnonzero(fold != n)), *made], names)
        likely[fold == n] = Table([known[i] for i in np.flatnonzero(fold == n)], names).likelihood(theta)
        of_made += Table(made, names).likelihood(theta) / FOLDS
    words = words_of((t.text for t in c.answer.reading.tokens if not (t.capital or t.number)) for c in written)
    told = [
        signs(c.answer, c.kept, c.guards, replace(c.weighed, likely=p), words)
        for c, p in zip((*known, *made), (*likely, *of_made), strict=True)
    ]
    right = np.array([case.right for case in (*known, *made)])
    counts = np.array([SECOND.get(case.sort, 1.0) for case in (*known, *made)])
    fold = np.concatenate([fold, np.full(len(made), FOLDS)])
    credible = np.zeros(len(right))
    for n in range(FOLDS):
        own = [told[i] for i in np.flatnonzero(fold != n)]
        pattern = Pattern(own, right[fold != n], counts[fold != n])
        credible[fold == n] = pattern.likelihood([told[i] for i in np.flatnonzero(fold == n)])
    for sort in sorted({case.row.get("set", "") for case in written}):
        own = [n for n, case in enumerate(written) if case.row.get("set", "") == sort]
        report(f"across questions {sort}", [written[n] for n in own], credible[own])
    report("across questions, all", written, credible[: len(written)])
    theta = fitted([*known, *made], names)
    weights = {name: round(float(value), 3) for name, value in zip((*names, NOTHING), theta, strict=True)}
    WEIGHING.write_text(json.dumps({"about": ABOUT, "weights": weights}, indent=1) + "\n", "utf-8")
    pattern = Pattern(told, right, counts)
    PATTERN.write_text(
        json.dumps({"about": ABOUT_PATTERN, "words": " ".join(words), "weights": pattern.weights()}, indent=0) + "\n",
        "utf-8",
    )


if __name__ == "__main__":
    main()
