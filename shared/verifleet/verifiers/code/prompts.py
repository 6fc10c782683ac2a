"""What a prompt itself gives: tests to judge by, and the code that a response continues."""

from __future__ import annotations

import re
from dataclasses import replace

from verifleet.verification import CodeReference, StdinTest
from verifleet.verifiers.code.extraction import Extracted, defines, fenced_blocks
from verifleet.verifiers.code.syntax import parsed

_TEST_LINE = re.compile(
    r"""test\s*\d*\s*:\s*input\s*=\s*("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|[^,\n]+?)\s*,\s*"""
    r"""output\s*=\s*("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|[^\n]+)""",
    re.IGNORECASE,
)
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "\\": "\\", '"': '"', "'": "'", "0": "\0"}
_MAX_TESTS = 200
_LANGUAGES = (
    ("javascript", re.compile(r"\bjavascript\b|\bnode(?:\.js)?\b|```js", re.IGNORECASE)),
    ("cpp", re.compile(r"(?<!\w)C\+\+|```cpp", re.IGNORECASE)),
)
_ASYNC_IN_WORDS = re.compile(
    r"\b(?<!not )(?<!non-)(?:async(?:hronous)?\b[`'\"]?\s+(?:\w+\s+){0,2}?(?:function|method|coroutine)"
    r"|coroutine function)\b"
    r"|\breturn(?:s|ing)?\s+(?:(?:a|the)\s+)?(?:promise|coroutine)\b|\bPromise<",
    re.IGNORECASE,
)


def reference_in(prompt: str) -> CodeReference | None:
    """The prompt's own `Test 1: input="hello", output="olleh"` lines as stdin tests; None where there are none."""
    tests = [
        StdinTest(input=_unquoted(match[1]), output=_unquoted(match[2]))
        for match, _ in zip(_TEST_LINE.finditer(prompt), range(_MAX_TESTS), strict=False)
    ]
    if not tests:
        return None
    language = next((name for name, pattern in _LANGUAGES if pattern.search(prompt)), "python")
    return CodeReference.model_validate({"language": language, "tests": tests})


def _unquoted(text: str) -> str:
    text = text.strip()
    if len(text) < 2 or text[0] not in "\"'" or text[-1] != text[0]:
        return text
    return re.sub(r"\\(.)", lambda m: _ESCAPES.get(m[1], m[0]), text[1:-1])


def completed(found: Extracted, prompt: str, language: str, names: tuple[str, ...]) -> Extracted:
    """The program with the prompt's imports and helpers, or with its head where only a body was answered."""
    head = _code_of(prompt, language)
    if not head or language == "sql":
        return found
    wanted = [name for name in names if defines(head, name, language)]
    if not wanted:
        return found
    asked = last_function(head)
    asked = asked if asked in wanted else wanted[-1]
    if defines(found.code, asked, language):
        return replace(found, code=_before(head, asked) + found.code) if language == "python" else found
    body = found.code
    if language == "python" and body[:1] not in " \t\n":
        body = "".join(f"    {line}" for line in body.splitlines(keepends=True))
    return replace(found, code=f"{head.rstrip()}\n{body}")


def last_function(prompt: str) -> str:
    """The function that a prompt in code asks for: the last one it begins; empty where there is none."""
    pattern = r"^(?:async\s+)?def\s+(\w+)|^(?:async\s+)?function\s*\*?\s*(\w+)|^(?:const|let|var)\s+(\w+)\s*="
    names = ["".join(groups) for groups in re.findall(pattern, prompt, re.MULTILINE)]
    return names[-1] if names else ""


def asks_for_async(prompt: str, entry_point: str) -> bool:
    """Whether a prompt declares the entry point as an async function, in code or in words."""
    word = re.escape(entry_point.rsplit(".", 1)[-1])
    declared = rf"\basync\s+(?:def|function)\s*\*?\s*{word}\b|\b{word}\s*[=:]\s*async\b|\basync\s+{word}\s*\("
    if re.search(declared, prompt):
        return True
    return _ASYNC_IN_WORDS.search(prompt) is not None


def _before(head: str, name: str) -> str:
    """The part of the prompt's code before the asked function: imports and helpers."""
    start = re.search(rf"^(?:async\s+)?def\s+{re.escape(name)}\b", head, re.MULTILINE)
    part = head[: start.start()] if start else ""
    if not part.strip():
        return ""
    try:
        parsed(part)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ""
    return part


def _code_of(prompt: str, language: str) -> str:
    """The prompt as code: its last fenced block that defines something, or all of it if it starts like code."""
    if len(prompt) > 64 * 1024:
        return ""
    blocks, _ = fenced_blocks(prompt)
    text = blocks[-1].text if blocks else prompt
    starts = r"\s*(?:from |import |def |class |async def |@|#|\"\"\"|[A-Za-z_]\w* *=)"
    if language == "javascript":
        starts = r"\s*(?:/\*|//|const |let |var |function|class |async )"
    return text if re.match(starts, text) else ""
