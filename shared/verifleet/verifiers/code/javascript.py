"""What a JavaScript test program needs, read from its text."""

from __future__ import annotations

import re

from verifleet.verifiers.code.testprogram import TestPlan

_DEFINED = re.compile(r"\b(?:function\s*\*?|class|const|let|var)\s+([A-Za-z_$][\w$]*)|exports\.([A-Za-z_$][\w$]*)")
_NAME = re.compile(r"[A-Za-z_$][\w$]*")
_STRINGS = re.compile(r"//[^\n]*|/\*.*?\*/|'(?:[^'\\\n]|\\.)*'|\"(?:[^\"\\\n]|\\.)*\"", re.DOTALL)
_SHARED = (
    (re.compile(r"\b(?:setTimeout|setInterval|nextTick|useFakeTimers)\b"), "it uses timers"),
    (re.compile(r"\bclass\s+\w+"), "it has classes of its own"),
    (re.compile(r"\.prototype\b|\bReflect\b|\bProxy\b"), "it looks into objects"),
)
NO_NODE = "JavaScript can't be judged here: node is not installed, or not on the PATH."


def plan(test_code: str, solution: str) -> TestPlan:
    """How a JavaScript test program has to be run; `names` are those of the solution that it uses."""
    bare = _STRINGS.sub(" ", test_code)
    own = defined_names(bare)
    names = tuple(sorted(set(_NAME.findall(bare)) & defined_names(solution) - own))
    shared = next((why for pattern, why in _SHARED if pattern.search(bare)), "")
    return TestPlan(names=names, shared=shared)


def defined_names(source: str) -> set[str]:
    """Names that JavaScript source seems to define."""
    return {first or second for first, second in _DEFINED.findall(source)}
