"""Commit messages are conventional and short, or the hook says what is wrong."""

from pathlib import Path

import pytest
from tools.commit_message import main, problems


@pytest.mark.parametrize(
    "message",
    [
        "fix: an empty list is no answer",
        "feat(math)!: units count\n\nThey were left out.",
        "refactor(serving/desk, agents): one mechanism\n# a comment of git's",
        'Revert "feat: units count"',
        f"docs: {'x' * 66}",
    ],
)
def test_a_conventional_message_passes(message: str) -> None:
    assert problems(message) == []


@pytest.mark.parametrize(
    ("message", "said"),
    [
        ("", "empty"),
        ("# only comments\n", "empty"),
        ("units count", "no conventional commit"),
        ("wip: units", "no conventional commit"),
        ("fix:units", "no conventional commit"),
        (f"docs: {'x' * 67}", "73 characters"),
        ("fix: units count.", "full stop"),
        ("fix: units\nthey count", "empty line"),
    ],
)
def test_what_is_wrong_with_a_message_is_said(message: str, said: str) -> None:
    [problem] = problems(message)
    assert said in problem


def test_the_hook_refuses_a_bad_message_and_takes_a_good_one(tmp_path: Path) -> None:
    file = tmp_path / "COMMIT_EDITMSG"
    file.write_text("units count")
    assert main([str(file)]) == 1
    file.write_text("fix: units count")
    assert main([str(file)]) == 0
