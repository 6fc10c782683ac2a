"""No process outlives the one that started it, however that one ends.

Linux's parent-death signal is cleared by fork, so it is set again in every child that forks from here
(gunicorn's workers among them): killing a server's master with -9 takes its workers along.

`python -m verifleet.jobs.lifeline MODULE ARGUMENTS...` runs a module tied in this way.
"""

from __future__ import annotations

import ctypes
import os
import runpy
import signal
import sys

PARENT_VARIABLE = "VERIFLEET_PARENT_PID"
_PR_SET_PDEATHSIG = 1


def die_with_parent() -> None:
    """Have the kernel kill this process, and whatever it forks, when the parent is gone. No effect but on Linux.

    The parent may put its pid into VERIFLEET_PARENT_PID, so that its death before this call is noticed too.
    """
    if not sys.platform.startswith("linux"):
        return
    _arm()
    expected = os.environ.pop(PARENT_VARIABLE, None)
    if expected is not None and os.getppid() != int(expected):
        os._exit(1)
    os.register_at_fork(after_in_child=_arm)


def _arm() -> None:
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)


if __name__ == "__main__":
    die_with_parent()
    sys.argv = sys.argv[1:]
    runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
