"""Trees of Python source, built by many threads."""

from __future__ import annotations

import gc
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from verifleet.verifiers.code.syntax import parsed

DEEP = "x = " + "[1, (" * 40 + "{}" + ")]" * 40
WIDE = "def f(a):\n" + "".join(f"    x{i} = [a[{i}] + (b * {i} if a else {{1: {i}}})]\n" for i in range(30))


@pytest.fixture
def threads_change_while_a_tree_is_built() -> Iterator[None]:
    """A garbage collection, which building a tree sets off, hands over to another thread."""

    def hand_over(phase: str, info: dict[str, int]) -> None:
        time.sleep(0)

    before = gc.get_threshold()
    gc.callbacks.append(hand_over)
    gc.set_threshold(20)
    yield
    gc.set_threshold(*before)
    gc.callbacks.remove(hand_over)


@pytest.mark.usefixtures("threads_change_while_a_tree_is_built")
def test_threads_at_it_at_once_do_not_make_each_other_fail() -> None:
    with ThreadPoolExecutor(8) as pool:
        trees = list(pool.map(parsed, [DEEP, WIDE] * 40))
    assert all(tree.body for tree in trees)
