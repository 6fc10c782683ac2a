"""Whether a commit's message is a conventional one, as a hook at commit and for a range of commits.

python -m tools.commit_message FILE              what git's commit-msg hook calls
python -m tools.commit_message --range A..B      all commits of a branch
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

LONGEST = 72
TYPES = ("build", "chore", "ci", "docs", "feat", "fix", "perf", "refactor", "revert", "style", "test")
_TITLE = re.compile(rf"(?:{'|'.join(TYPES)})(?:\([a-z0-9_, /-]+\))?!?: \S.*")
# What git writes by itself.
_OWN = re.compile(r"(?:Merge|Revert|fixup!|squash!) .*")


def problems(message: str) -> list[str]:
    """What is wrong with a message; lines that git takes for comments do not count."""
    lines = [line.rstrip() for line in message.split("\n") if not line.startswith("#")]
    while lines and not lines[0]:
        del lines[0]
    if not lines:
        return ["the message is empty"]
    title, found = lines[0], []
    if _OWN.fullmatch(title):
        return []
    if not _TITLE.fullmatch(title):
        found.append(f"the title is no conventional commit (TYPE(ROOM): WHAT, of {' '.join(TYPES)}): {title[:100]}")
    if len(title) > LONGEST:
        found.append(f"the title has {len(title)} characters, {LONGEST} at most: {title[:100]}")
    if title.endswith("."):
        found.append("the title ends in a full stop")
    if len(lines) > 1 and lines[1]:
        found.append("an empty line must part the title from the body")
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    """Say what is wrong."""
    parser = argparse.ArgumentParser(description="Whether commit messages are conventional.")
    parser.add_argument("file", nargs="?", type=Path)
    parser.add_argument("--range", help="of commits, such as main..HEAD")
    chosen = parser.parse_args(arguments)
    if chosen.range:
        command = ["git", "log", "-z", "--format=%B", chosen.range]
        messages = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split("\0")
        messages = [message for message in messages if message.strip()]
    elif chosen.file:
        messages = [chosen.file.read_text("utf-8")]
    else:
        parser.error("give FILE or --range")
    found = [problem for message in messages for problem in problems(message)]
    print("\n".join(found), file=sys.stderr, end="\n" if found else "")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
