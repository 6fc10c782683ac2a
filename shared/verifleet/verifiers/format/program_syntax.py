"""Syntax of programs: Python and JavaScript. Nothing is run; parsers work in killable processes."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable
from typing import Final

from verifleet.verification import WorkerPool
from verifleet.verifiers.format.fault import Fault, line_start, offset_of, shown, surrogate_fault
from verifleet.verifiers.format.guarded import in_worker

MAX_LENGTH: Final = 2_000_000  # characters; longer programs are refused
_NOT_RUN: Final = "verifleet: parsed, not run"
_STRICT = re.compile(r"""(?:\s|//[^\n]*\n|/\*.*?\*/|#![^\n]*\n)*+(?:"use strict"|'use strict')""", re.DOTALL)
_MODULE = re.compile(r"\b(?:import|export|await)\b")
_JS_PLACE = re.compile(r"at <input>:(\d+)(?::(\d+))?")
# What the engine accepts though no program may have it; each by the one character that makes it so.
_PRIVATE = re.compile(r"(?<=\.)\s*(#)(?=[\w$\\])")
_NEW_CHAIN = re.compile(r"(?<![\w$.])new\s+[\w$]+(?:\.[\w$]+)*(\?)(?=\.\D)")
_CLASS = re.compile(r"\bclass\b")
_HASHBANG = re.compile(r"\A#![^\n\r]*")
_JS_MEMORY: Final = 256 * 1024 * 1024
_JS_STACK: Final = 1024 * 1024


def check_program(text: str, what: str, workers: WorkerPool, read: Callable[[str], Fault | None]) -> Fault | None:
    """Guard a program's text, then read it in a worker."""
    if not text.strip():
        return Fault("empty", f"There is no {what}: the text is empty.", 0)
    fault = surrogate_fault(text)
    if fault is None and len(text) > MAX_LENGTH:
        fault = Fault("length", f"The {what} is longer than {MAX_LENGTH} characters.", MAX_LENGTH)
    return fault or in_worker(workers, read, text)


# --- Python -------------------------------------------------------------------


def check_python(text: str, workers: WorkerPool) -> Fault | None:
    """The first fault of a text that must compile as a Python module."""
    return check_program(text, "Python program", workers, python_fault)


def python_fault(text: str) -> Fault | None:
    """The first fault; inside a worker, since the compiler warns through process-wide state and may exhaust memory."""
    if "\0" in text:
        return Fault("null_character", "Python source can't hold a NUL character.", text.find("\0"))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            compile(text, "<response>", "exec", dont_inherit=True)
        except SyntaxError as error:
            rule = type(error).__name__.removesuffix("Error").lower()
            offset = None
            if error.lineno is not None:
                offset = offset_of(text, error.lineno, max(1, error.offset or 1))
            return Fault(rule, f"This does not compile as Python: {shown(str(error.msg))}.", offset)
        except (RecursionError, MemoryError):
            return Fault("depth", "The program is nested too deeply to compile.", None)
    return None


# --- JavaScript ---------------------------------------------------------------


def check_javascript(text: str, workers: WorkerPool) -> Fault | None:
    """The first fault of a trimmed text as an ECMAScript script or module."""
    if text.startswith("```"):  # three templates in a row to the engine
        return Fault("fence", "The program stands in a fenced block; options.extract takes it out.", 0)
    return check_program(text, "JavaScript program", workers, javascript_fault)


def javascript_fault(text: str) -> Fault | None:
    """The first fault. The engine parses all of it before the first statement, ours, ends the run."""
    fault = _engine_fault(text, module=False)
    module = fault is not None and _MODULE.search(text) is not None and _engine_fault(text, module=True) is None
    if fault is not None and not module:
        return fault
    for rule, message, pattern in (
        ("private_name", "A private name stands outside of any class.", None if _CLASS.search(text) else _PRIVATE),
        ("optional_chain", "An optional chain can't follow new.", _NEW_CHAIN),
    ):
        place = pattern.search(text) if pattern is not None else None
        if place is not None and _is_code(text, place.start(1), module):
            return Fault(rule, message, place.start(1))
    return None


def _is_code(text: str, at: int, module: bool) -> bool:
    """Whether a character belongs to the code, not to a string or a comment, where "@" does as well as any."""
    return _engine_fault(text[:at] + "@" + text[at + 1 :], module) is not None


def _engine_fault(text: str, module: bool) -> Fault | None:
    import quickjs

    prefix = f'throw "{_NOT_RUN}";'
    if _STRICT.match(text):
        prefix = f'"use strict";{prefix}'
    # The engine takes C strings; in a literal or comment one control character is as good as another.
    source = _HASHBANG.sub("//", text).replace("\0", "\x01")
    context = quickjs.Context()
    context.set_memory_limit(_JS_MEMORY)
    context.set_max_stack_size(_JS_STACK)
    try:
        (context.module if module else context.eval)(prefix + source)
    except quickjs.StackOverflow:
        return Fault("depth", "The program is nested too deeply.", None)
    except quickjs.JSException as error:
        return _js_fault(text, str(error), len(prefix))
    return None


def _js_fault(text: str, message: str, shift: int) -> Fault | None:
    if not message.startswith("SyntaxError"):
        if message.startswith("InternalError"):
            return Fault("depth", f"The program can't be parsed: {shown(message.splitlines()[0])}.", None)
        return None  # our own end of the run, or a module that imports another
    place = _JS_PLACE.search(message)
    offset = None
    if place is not None:
        line = int(place[1])
        column = int(place[2] or 1) - (shift if line == 1 else 0)
        offset = offset_of(text, line, max(1, column)) if place[2] else line_start(text, line)
    what = message.splitlines()[0].removeprefix("SyntaxError: ")
    return Fault("syntax", f"This is not JavaScript: {shown(what)}.", offset)
