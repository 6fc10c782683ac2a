"""What a JavaScript test program needs, read from its text."""

from __future__ import annotations

import re

from verifleet.verifiers.code.testprogram import TestPlan

_DEFINED = re.compile(r"\b(?:function\s*\*?|class|const|let|var)\s+([A-Za-z_$][\w$]*)|exports\.([A-Za-z_$][\w$]*)")
_NAME = re.compile(r"[A-Za-z_$][\w$]*")
_STRINGS = re.compile(r"//[^\n]*|/\*.*?\*/|'(?:[^'\\\n]|\\.)*'|\"(?:[^\"\\\n]|\\.)*\"", re.DOTALL)
_LATE = "it passes functions that answer later"
_RUNNERS = "test|it|describe|(?:before|after)(?:Each|All)?|expect|suite|setup|teardown|specify|context"
_ASYNC = r"\basync\s*(?:\(|function|\w+\s*=>)"
_GLOBALS = r"\b(?:Math|Date|globalThis|global)\b"
_SHARED = (
    (re.compile(r"(?<!jest\.)\bsetTimeout\b|\b(?:setInterval|nextTick|useFakeTimers)\b"), "it uses timers"),
    (re.compile(r"\bmock(?:Resolved|Rejected)Value|\b(?:fn|mockImplementation(?:Once)?)\(\s*async\b"), _LATE),
    (re.compile(rf"(?<![\w$.])(?!(?:{_RUNNERS})\b)[A-Za-z_$][\w$]*\((?:[^()]|\([^()]*\))*?{_ASYNC}"), _LATE),
    (re.compile(rf"\bspyOn\(\s*{_GLOBALS}|{_GLOBALS}\.\w+\s*=[^=]"), "it patches"),
    (re.compile(r"\bclass\s+\w+"), "it has classes of its own"),
    (re.compile(r"\.prototype\b|\bReflect\b|\bProxy\b"), "it looks into objects"),
)
_TEST_FUNCTION = re.compile(
    r"^(?:async\s+function|function)\s+(test\w*)\s*\(\s*\)|^(?:const|let"
    r"|var)\s+(test\w*)\s*=\s*(?:async\s*)?\(\s*\)\s*=>",
    re.MULTILINE,
)
_ERROR_CLASS = re.compile(r"\binstanceof\s+(\w*(?:Error|Exception))\b")
_OWN_ERRORS = frozenset(
    f"{kind}Error" for kind in ("", "Type", "Range", "Syntax", "Reference", "Eval", "URI", "Aggregate", "Assertion")
)
NO_NODE = "JavaScript can't be judged here: node is not installed, or not on the PATH."


def plan(test_code: str, solution: str) -> TestPlan:
    """How a JavaScript test program has to be run; `names` are those of the solution that it uses."""
    bare = _STRINGS.sub(" ", test_code)
    own = defined_names(bare)
    names = tuple(sorted(set(_NAME.findall(bare)) & defined_names(solution) - own))
    shared = next((why for pattern, why in _SHARED if pattern.search(bare)), "")
    if not shared and set(_ERROR_CLASS.findall(bare)) - _OWN_ERRORS - own:
        shared = "it asks for the class of an error"
    return TestPlan(names=names, shared=shared, left_to_call=_left_to_call(bare))


def _left_to_call(bare: str) -> str:
    """Calls of the test functions that a program defines and that nothing in it names again."""
    found = [first or second for first, second in _TEST_FUNCTION.findall(bare)]
    return "".join(f"\n{name}();" for name in found if len(re.findall(rf"\b{re.escape(name)}\b", bare)) == 1)


def defined_names(source: str) -> set[str]:
    """Names that JavaScript source seems to define."""
    return {first or second for first, second in _DEFINED.findall(source)}
