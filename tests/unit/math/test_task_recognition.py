"""Which task a prompt without a reference sets."""

from __future__ import annotations

import pytest

from verifleet.verifiers.math.question import Question
from verifleet.verifiers.math.tasks.recognition import task_of


@pytest.mark.parametrize(
    "template",
    [
        "{} The last line of your response should be of the form Answer: $ANSWER (without quotes).",
        "Please reason step by step, and put your final answer within \\boxed{{}}. {}",
        '{} Let\'s think step by step and output the final answer after "####".',
        "{} Think step by step and write the answer in <answer></answer> tags.",
    ],
)
def test_how_an_answer_is_written_is_no_part_of_the_task_and_what_else_is_asked_is(template: str) -> None:
    assert task_of(Question(template.format("What is 12*12?")))
    assert task_of(Question(template.format("What is 12*12? Then double it."))) is None
    assert task_of(Question(template.format("What is half of 12*12?"))) is None
