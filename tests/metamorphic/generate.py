"""Runs metamorphic cases of the verifiers in several processes and shows what share keeps its verdict, by family.

    python -m tests.metamorphic.generate [--cases N] [--seed S] [--only math] [--show K] [--mending]

It fails where a verifier keeps less than KEPT of all, or KEPT_HELD_OUT of the frames held out. A module
`<verifier>_cases` has `sample(seed, count)`, which returns cases with prompt, reference, response, right, frame,
held_out and, if it likes, family and options. `--mending` leaves out the frames that are held out.
"""

from __future__ import annotations

import argparse
import importlib
import multiprocessing
import os
import random
import sys
import time
from collections import Counter
from typing import Any

CHUNK = 500
SHARES = {"math": 0.35, "knowledge": 0.3, "format": 0.25, "code": 0.1}
"""How the cases are shared out: programs take the longest."""
KEPT = 0.998
KEPT_HELD_OUT = 0.99
"""Of the verdicts of each verifier."""
Counts = Counter[tuple[str, bool]]


def _judged(job: tuple[str, int, int]) -> list[tuple[str, str, bool, bool, str]]:
    """(family, frame, held out, kept, what it was) of a chunk; what it was is empty if it kept its verdict."""
    verifier_name, seed, count = job
    from verifleet.scoring.one_request import make_verifier
    from verifleet.verification import parse_request

    cases = importlib.import_module(f"tests.metamorphic.{verifier_name}_cases").sample(seed, count)
    verifier = make_verifier(verifier_name)
    found = []
    for case in cases:
        result = verifier.check(parse_request(verifier_name, request_of(case)))
        score = result.score
        kept = score is not None and (score >= 0.5) == case.right
        family = getattr(case, "family", "") or verifier_name
        shown = f"{case.prompt} | {request_of(case)['reference']} | {case.response!r}"
        text = "" if kept else f"{case.right!s:5} {score} {result.reason} | {shown}"
        found.append((f"{verifier_name} {family}", case.frame, case.held_out, kept, text))
    return found


def request_of(case: Any) -> dict[str, Any]:
    """A case as a request."""
    reference = case.reference
    if isinstance(reference, str):
        reference = {"answer": reference}
    elif hasattr(reference, "model_dump"):
        reference = reference.model_dump(exclude_unset=True)
    request = {"prompt": case.prompt, "response": case.response, "reference": reference or None}
    return {**request, "options": dict(getattr(case, "options", ()))}


def main() -> None:
    """Judge and show."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--cases", type=int, default=200_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="")
    parser.add_argument("--show", type=int, default=20)
    parser.add_argument("--mending", action="store_true")
    options = parser.parse_args()
    shares = {name: share for name, share in SHARES.items() if options.only in ("", name)}
    jobs = []
    for name, share in shares.items():
        each = max(1, round(options.cases * share / sum(shares.values())))
        jobs += [
            (name, options.seed * 1_000_003 + chunk, min(CHUNK, each - chunk * CHUNK))
            for chunk in range(-(-each // CHUNK))
        ]
    random.Random(options.seed).shuffle(jobs)
    started = time.monotonic()
    total: Counter[tuple[str, bool]] = Counter()
    lost: Counter[tuple[str, bool]] = Counter()
    frames: Counter[str] = Counter()
    shown = 0
    with multiprocessing.get_context("spawn").Pool(os.cpu_count() or 1) as pool:
        for rows in pool.imap_unordered(_judged, jobs):
            for family, frame, held, kept, text in rows:
                if options.mending and held:
                    continue
                total[family, held] += 1
                if not kept:
                    lost[family, held] += 1
                    frames[frame if not held else "(held out)"] += 1
                    if shown < options.show and not held:
                        shown += 1
                        print(f"{frame!r} | {text}")
    print(f"\n{'family':<28} {'cases':>8} {'kept':>9} {'held out':>9}")
    below = []
    for family in sorted({family for family, _ in total}):
        _row(family, total, lost, [family])
    for name in (*shares, ""):
        both = _row(f"all of {name}", total, lost, [family for family, _ in total if family.startswith(name)])
        below += [name for kept, least in zip(both, (KEPT, KEPT_HELD_OUT), strict=True) if name and kept < least]
    print(f"{sum(total.values()):,} responses, {time.monotonic() - started:.0f} s")
    for frame, count in frames.most_common(options.show):
        print(f"{count:>6}  {frame!r}")
    sys.exit(f"below {KEPT:.1%}, or {KEPT_HELD_OUT:.1%} of frames held out: {', '.join(below)}" if below else 0)


def _row(title: str, total: Counts, lost: Counts, families: list[str]) -> tuple[float, float]:
    """Shows one line; the shares of all, and of frames held out, that kept their verdicts."""
    counts, missed = (
        [sum(counter[family, held] for family in set(families)) for held in (False, True)] for counter in (total, lost)
    )
    both = 1 - sum(missed) / max(1, sum(counts)), 1 - missed[1] / max(1, counts[1])
    print(
        f"{title:<28} {sum(counts):>8} {both[0]:>9.3%} {both[1] if counts[1] else '-':>9{'.3%' if counts[1] else ''}}"
    )
    return both


if __name__ == "__main__":
    main()
