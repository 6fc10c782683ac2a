"""Python source as a syntax tree, for any number of threads."""

from __future__ import annotations

import ast
import threading

# Until Python 3.13, building a tree counts its depth in one place for the whole interpreter (python/cpython#106905):
# two threads at it at once make valid programs fail, with SystemError or with a depth that neither has.
_building = threading.Lock()


def parsed(source: str) -> ast.Module:
    """The tree of a module; nothing is run.

    Raises SyntaxError, ValueError (NUL characters), RecursionError or MemoryError.
    """
    with _building:
        return ast.parse(source)
