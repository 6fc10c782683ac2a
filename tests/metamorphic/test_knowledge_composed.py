"""What a verdict may not depend on: how a response is composed of commitments, remarks, denials and second thoughts."""

import random
from collections import Counter

from tests.metamorphic.knowledge_composed import HALVES, sample
from verifleet.verification import KnowledgeRequest
from verifleet.verifiers.knowledge import KnowledgeVerifier

VERIFIER = KnowledgeVerifier()
SAMPLES = 300
KEPT = 0.88
"""Of the responses of either half."""


def test_a_verdict_is_that_of_the_composition() -> None:
    wrong: Counter[bool] = Counter()
    for prompt, reference, response, right, _, held_out in sample(random.Random(2026), 2 * SAMPLES):
        result = VERIFIER.check(KnowledgeRequest(prompt=prompt, response=response, reference=reference))
        wrong[held_out] += (result.score == 1.0) != right
    assert max(wrong[False], wrong[True]) <= (1 - KEPT) * SAMPLES, wrong


def test_the_halves_share_no_part() -> None:
    mending, held_out = HALVES
    assert not any(set(mending[name]) & set(held_out[name]) for name in mending)
