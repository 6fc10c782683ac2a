"""Train the weights by which the expected answer is weighed against other things, and check them across questions.

    python -m tools.train_weighing CASES.jsonl [CASES.jsonl ...] [--metamorphic N] [--check CASES.jsonl ...]

CASES have rows {prompt, response, reference, expected} as `verifleet audit knowledge` takes them, as
tools/weighing_labels.jsonl has; N varied responses of the metamorphic test's frames in sight are added. Writes
`verifiers/knowledge/data/weighing.json`. Needs numpy and scipy.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from scipy.optimize import minimize
from tests.metamorphic import knowledge_cases
from tests.metamorphic.generate import request_of

from verifleet.audits.answers import read_rows
from verifleet.scoring.one_request import make_verifier
from verifleet.verification import parse_request
from verifleet.verifiers.knowledge import verifier as knowledge
from verifleet.verifiers.knowledge.guards import Answer, commit, held_back, hold_back
from verifleet.verifiers.knowledge.weighing import NOTHING, features, places_of

MODEL = Path(__file__).parents[1] / "shared/verifleet/verifiers/knowledge/data/weighing.json"
ABOUT = (
    "Weights of a log-linear model of which place of a response its answer stands at; made by tools/train_weighing.py "
    "from labelled responses in tools/weighing_labels.jsonl and varied ones of the metamorphic test, checked across "
    "questions"
)
FIELDS = ("prompt", "response", "reference", "options")
PENALTY, VARIED, FOLDS = 8.0, 0.6, 5
"""What the square of a weight costs, how much a varied response counts beside a written one, and parts for checking."""


@dataclass
class Case:
    """A response in which the expected answer stands: its places, whether it is the answer, and what the guards say."""

    prompt: str
    right: bool
    accepted: bool
    places: list[tuple[bool, dict[str, float]]]
    weight: float = 1.0


def cases(rows: Iterable[Mapping[str, Any]], weight: float = 1.0) -> Iterator[Case]:
    """The responses that the weighing decides on: where the expected answer stands beside something else."""
    verifier = make_verifier("knowledge")
    seen: list[Answer] = []
    original = knowledge.commit
    knowledge.commit = lambda answer: (seen.append(answer), commit(answer))[1]  # type: ignore[assignment]
    try:
        for row in rows:
            seen.clear()
            fields = ("prompt", "response", "reference", "options")
            verifier.check(
                parse_request("knowledge", {name: row[name] for name in fields if row.get(name) is not None})
            )
            if len(seen) == 1 and seen[0].asked is not None:
                yield from _case(seen[0], row["prompt"], row["expected"] >= 0.5, weight)
    finally:
        knowledge.commit = original


def _case(answer: Answer, prompt: str, right: bool, weight: float) -> Iterator[Case]:
    kept, _ = hold_back(answer)
    assert answer.asked is not None
    places = places_of(answer.reading, kept, answer.found, answer.asked)
    described = features(answer.reading, places, kept, answer.asked)
    stand = [place in kept or not held_back(replace(answer, places=[place]), place) for place in places]
    told = [(place in kept, one) for place, one, stands in zip(places, described, stand, strict=True) if stands]
    if kept:
        yield Case(prompt, right, bool(commit(answer)[0]), told, weight)


def varied(number: int) -> Iterator[dict[str, Any]]:
    """Responses of the frames in sight."""
    for case in knowledge_cases.sample(7, number):
        if not case.held_out:
            made = {name: value for name, value in request_of(case).items() if value}
            yield {**made, "prompt": made.get("prompt", ""), "expected": float(case.right)}


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
    """Wrong ones taken and right ones refused: by the guards, by the weighing, and by both."""
    right = np.array([case.right for case in known])
    accepted = np.array([case.accepted for case in known])

    def told(taken: Any) -> str:
        return f"{int((taken & ~right).sum())}+{int((~taken & right).sum())}"

    both = [
        f"{least}/{most}: {told(np.where(accepted, likely >= least, likely >= most))}"
        for least, most in ((0.1, 0.7), (0.15, 0.6), (0.15, 0.7), (0.2, 0.7), (0.2, 0.8), (0.3, 0.8))
    ]
    print(f"{name:20} {len(known):5}  guards {told(accepted)}  weighing {told(likely >= 0.4)}  both {'  '.join(both)}")


def main() -> None:
    """Train, print figures across questions, and write the weights."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("cases", nargs="+", type=Path)
    parser.add_argument("--metamorphic", type=int, default=0)
    parser.add_argument("--check", nargs="*", type=Path, default=[])
    given = parser.parse_args()
    written = [case for path in given.cases for case in cases(read_rows(path))]
    made = list(cases(varied(given.metamorphic), VARIED))
    names = sorted({name for case in (*written, *made) for _, told in case.places for name in told})
    groups = {prompt: n % FOLDS for n, prompt in enumerate(sorted({case.prompt for case in written}))}
    likely = np.zeros(len(written))
    for fold in range(FOLDS):
        train = [case for case in written if groups[case.prompt] != fold]
        test = [n for n, case in enumerate(written) if groups[case.prompt] == fold]
        likely[test] = Table([written[n] for n in test], names).likelihood(fitted([*train, *made], names))
    report("across questions", written, likely)
    theta = fitted([*written, *made], names)
    for path in given.check:
        known = list(cases(read_rows(path)))
        report(path.name, known, Table(known, names).likelihood(theta))
    if made:
        report("varied", made, Table(made, names).likelihood(theta))
    weights = {name: round(float(value), 3) for name, value in zip((*names, NOTHING), theta, strict=True)}
    MODEL.write_text(json.dumps({"about": ABOUT, "weights": weights}, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
