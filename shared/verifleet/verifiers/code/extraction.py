"""Find the program in a response: fences, several blocks, prose around, reasoning before."""

from __future__ import annotations

import re
from collections import deque
from dataclasses import dataclass
from itertools import takewhile

from verifleet.reasoning import answer_in
from verifleet.verifiers.code.syntax import parsed

MAX_CODE = 1024 * 1024
# On the lines of a fence may stand tags, as in <answer>```python.
_FENCE = re.compile(r"^([ \t]*)(?:<[\w-]{1,40}>[ \t]*+){0,4}+(`{3,}|~{3,})[ \t]*([^\s`{]*)[^\n`]*$")
_CLOSING_TAGS = re.compile(r"(?<=[`~])[ \t]*+(?:</[\w-]{1,40}>[ \t]*+){1,4}+$")
_TAGS = {
    "python": {"python", "py", "python3", "py3", "python2", "pycon"},
    "javascript": {"javascript", "js", "node", "nodejs", "jsx", "mjs", "cjs", "ecmascript"},
    "cpp": {"cpp", "c++", "cc", "cxx", "c++11", "c++14", "c++17", "c++20", "cpp17", "cpp20", "c"},
    "sql": {"sql", "sqlite", "sqlite3", "postgresql", "mysql", "postgres"},
}
_NOT_CODE = {"text", "txt", "output", "console", "bash", "sh", "shell", "json", "plaintext", "stdout", "markdown", "md"}
_READS_INPUT = {
    "python": re.compile(r"\binput\s*\(|sys\.stdin|\bstdin\b|open\(\s*0"),
    "javascript": re.compile(r"stdin|readline|readFileSync\(\s*0"),
    "cpp": re.compile(r"\bmain\s*\("),
    "sql": re.compile(r"(?!)"),
}
_CODE_STARTS = {
    "python": re.compile(
        r"^(def |class |async def |import |from \w[\w.]* import |@\w|if __name__|[A-Za-z_][\w.]*\s*(=|\()|for |while )"
    ),
    "javascript": re.compile(
        r"^(const |let |var |function|async function|class |import |require\(|module\.|exports\.|//|/\*|console\."
        r"|['\"]use strict['\"])"
    ),
    "cpp": re.compile(
        r"^(#\s*(include|define|pragma|if)|using |namespace |template\b|typedef |class |struct |enum |//|/\*"
        r"|(static|const|constexpr|inline|unsigned|long|auto|void|bool|int|char|double|string)\b.*[;{(]"
        r"|(std::|vector<).*[;{(])"
    ),
    "sql": re.compile(r"^(select|with|insert|update|delete|create|replace|values|drop|alter)\b", re.IGNORECASE),
}
_EXPORT = r"(?:\bmodule\.exports\s*=(?!=)|^\s*export\s+default\b)\s*"
_BARE_EXPORT = re.compile(rf"{_EXPORT}(?:async\b\s*)?(?:function\b|\(|[A-Za-z_$][\w$]*\s*=>)", re.MULTILINE)
_NAMED_EXPORT = re.compile(rf"{_EXPORT}([A-Za-z_$][\w$]*)\s*(?:;|$)", re.MULTILINE)
_TAGGED = re.compile(
    r"^[ \t]*<(answer|final_answer|solution|program|code|pre)>((?:(?!</?\1>).)*+)</\1>[ \t]*$", re.MULTILINE | re.DOTALL
)
"""Lines that models put between tags of their own."""
_QUOTED = re.compile(r"(?<!`)`([^`\n]++)`(?!`)")
_MARK = re.compile(r"^[ \t]*\[([A-Z]{3,12})\][ \t]*\r?$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Block:
    """A fenced block: its language tag in lower case, its text, and where that is in the response."""

    tag: str
    text: str
    start: int


@dataclass(frozen=True, slots=True)
class Extracted:
    """The program, or why there is none."""

    code: str = ""
    span: tuple[int, int] | None = None
    problem: str = ""


def extract(response: str, language: str, names: tuple[str, ...], reads_input: bool = False) -> Extracted:
    """The program in `response`: the last complete block that defines `names`, else the best other guess."""
    text, offset, problem = strip_reasoning(response)
    if problem:
        return Extracted(problem=problem)
    blocks, closed = fenced_blocks(text)
    if not closed:
        return Extracted(problem="A code fence is opened and never closed.")
    if blocks:
        block = _choose(blocks, language, names, reads_input)
        if block is None or not block.text.strip():
            return Extracted(problem=f"There is no {language} code in the response.")
        code, start = block.text, block.start + offset
    else:
        code = _unfenced(text, language)
        if not code.strip():
            return Extracted(problem="There is no code in the response.")
        start = response.find(code)
    if len(code) > MAX_CODE:
        return Extracted(problem=f"The program has {len(code)} characters; at most {MAX_CODE} are judged.")
    return Extracted(code, (start, start + len(code)) if start >= 0 else None)


def strip_reasoning(text: str) -> tuple[str, int, str]:
    """What follows the reasoning, where that starts, and what is wrong with it."""
    start, unclosed = answer_in(text)
    before = text[start:unclosed] if unclosed >= 0 else "```"
    if "```" not in before and "~~~" not in before:
        return "", 0, f"The reasoning is opened with {text[unclosed : unclosed + 7]} and never closed."
    return text[start:], start, ""


def fenced_blocks(text: str) -> tuple[list[Block], bool]:
    """All fenced blocks, and whether the last one is closed.

    A fence that is never closed on a line of its own, or not before the next one with a language, is closed behind the
    last word of a line.
    """
    blocks: list[Block] = []
    fence, indent, tag, start, position = "", "", "", 0, 0
    lines: list[str] = []
    glued: Block | None = None
    for line in text.splitlines(keepends=True):
        position += len(line)
        bare = line.rstrip("\r\n")
        match = _FENCE.match(bare)
        if fence and glued is not None and match and match[3]:
            blocks.append(glued)
            fence, glued = "", None
        if fence:
            stripped = _CLOSING_TAGS.sub("", bare.strip()) if bare.endswith(">") else bare.strip()
            if stripped and set(stripped) == {fence[0]} and len(stripped) >= len(fence):
                blocks.append(Block(tag, "".join(lines), start))
                fence, glued = "", None
                continue
            lines.append(line[len(indent) :] if indent and line.startswith(indent) else line)
            if glued is None and stripped.endswith(fence):
                code = "".join(lines)
                glued = Block(tag, code[: code.rindex(fence)].rstrip(fence[0]), start)
        elif match:
            indent, fence, tag = match[1], match[2], match[3].lower().strip("{}.")
            start, lines = position, []
    if fence and glued is not None:
        blocks.append(glued)
    return blocks, not fence or glued is not None


def defines(code: str, name: str, language: str) -> bool:
    """Whether `code` defines a top-level `name`, judged from its text."""
    word = re.escape(name.split(".")[0])
    if language == "python":
        pattern = (
            rf"^(?:(?:async\s+)?def|class)\s+{word}\b|^{word}\s*(?::[^=\n]+)?=(?!=)|^from\s.+\bimport\b.*\b{word}\b"
        )
    elif language == "cpp":
        pattern = rf"\b(?:class|struct)\s+{word}\b|(?<!return)(?<!else)[\w>&*]\s[\s&*]*{word}\s*\("
    else:
        pattern = (
            rf"\b(?:function\s*\*?|class|const|let|var)\s+{word}\b|^\s*{word}\s*=(?!=)|exports\.{word}\b"
            rf"|\b{word}\s*:\s*(?:async\b|function\b|\()|(?:^|[{{,])\s*(?:async\s+)?{word}\s*\([^)\n]*\)\s*\{{"
        )
    if re.search(pattern, code, re.MULTILINE) is not None:
        return True
    return language == "javascript" and _is_function(code, name)


def _is_function(code: str, name: str) -> bool:
    """Whether the module is itself a function, for which any name stands: written there, or defined under another."""
    if _BARE_EXPORT.search(code):
        return True
    exported = _NAMED_EXPORT.search(code)
    other = exported[1] if exported else name
    return other != name and re.search(rf"\b(?:function\s*\*?|const|let|var)\s+{re.escape(other)}\b", code) is not None


def _choose(blocks: list[Block], language: str, names: tuple[str, ...], reads_input: bool) -> Block | None:
    """Tagged blocks before untagged ones that look like code; of these those that define the names; then the last."""
    tagged = [b for b in blocks if b.tag in _TAGS[language]]
    untagged = [b for b in blocks if not b.tag]
    odd = [b for b in blocks if b.tag and b.tag not in _NOT_CODE and not _known(b.tag)]
    pool = tagged or [b for b in untagged if _looks_like_code(b.text, language)] or odd or untagged
    if names:
        for group in (tagged, untagged, odd):
            full = [b for b in group if all(defines(b.text, name, language) for name in names)]
            if full:
                return full[-1]
        some = [b for b in pool if any(defines(b.text, name, language) for name in names)]
        return some[-1] if some else pool[-1] if pool else None
    if reads_input:
        reading = [b for b in pool if _READS_INPUT[language].search(b.text)]
        if reading:
            return reading[-1]
    return pool[-1] if pool else None


def _between_marks(text: str) -> str:
    """What stands between lines such as [PYTHON] and [/PYTHON], or [BEGIN] and [DONE]."""
    mark = _MARK.search(text)
    if mark is None:
        return text
    ends = [at for word in (f"[/{mark[1]}]", "[DONE]", "[END]") if (at := text.find(word, mark.end())) >= 0]
    return text[mark.end() : min(ends)] if ends else text


def _looks_like_code(text: str, language: str) -> bool:
    return any(_CODE_STARTS[language].match(line.strip()) for line in text.splitlines())


def _known(tag: str) -> bool:
    return any(tag in tags for tags in _TAGS.values())


def _unfenced(text: str, language: str) -> str:
    """A response without fences: all of it if it is code, else from its first line of code to where prose begins."""
    for tagged in deque(_TAGGED.finditer(text), maxlen=1):
        text = tagged[2]
    text = _between_marks(text)
    if language == "python":
        return _unfenced_python(text)
    lines = text.splitlines(keepends=True)
    first = next((i for i, line in enumerate(lines) if _CODE_STARTS[language].match(line.strip())), None)
    if language == "javascript" and text.strip() and text.lstrip("\r\n")[:1] in " \t":
        first = 0  # the body of a function, to be put after the prompt
    if first is None and (quoted := [one for one in _QUOTED.findall(text) if _looks_like_code(one, language)]):
        return str(quoted[-1])
    if first is None:
        return ""
    if language == "sql":
        return _statements("".join(lines[first:]))
    last = max(
        (i for i, line in enumerate(lines) if line.rstrip().endswith(("}", ";", ")", "*/"))), default=len(lines) - 1
    )
    return "".join(lines[first : max(last, first) + 1])


def _statements(text: str) -> str:
    """SQL up to its last semicolon at the end of a line; without one, up to the first empty line."""
    ends = [match.end() for match in re.finditer(r";[ \t]*\r?$", text, re.MULTILINE)]
    return text[: ends[-1]] if ends else re.split(r"\n[ \t\r]*\n", text, maxsplit=1)[0]


def _unfenced_python(text: str) -> str:
    if len(text) > 64 * 1024:
        return text
    problem = _syntax_error_line(text)
    if problem is None:
        return text if _CODE_STARTS["python"].search(text.lstrip()) or "\n" in text.strip() else _statement(text)
    lines = text.splitlines(keepends=True)
    if lines and lines[0][:1] in " \t" and text.strip():
        return text  # the body of a function, to be put after the prompt
    starts = [i for i, line in enumerate(lines) if _CODE_STARTS["python"].match(line)]
    best = ""
    for first in starts[:12]:
        end = len(lines)
        for _ in range(12):
            piece = "".join(lines[first:end])
            wrong = _syntax_error_line(piece)
            if wrong is None:
                if len(piece) > len(best):
                    best = piece
                break
            end = min(end - 1, first + max(wrong - 1, 0))
            if end <= first:
                break
        if best:
            return best
    return text if starts else _indented(lines)


def _indented(lines: list[str]) -> str:
    """Code that is told from prose by its indentation alone."""
    first = next((i for i, line in enumerate(lines) if line[:1] in " \t" and _starts_python(line)), None)
    if first is None:
        return ""
    indent = lines[first][: len(lines[first]) - len(lines[first].lstrip())]
    taken = list(takewhile(lambda line: line.startswith(indent) or not line.strip(), lines[first:]))
    code = "".join(line.removeprefix(indent) for line in taken)
    return code if _syntax_error_line(code) is None else ""


def _starts_python(line: str) -> bool:
    return _CODE_STARTS["python"].match(line.strip()) is not None


def _statement(text: str) -> str:
    """A single line counts as code when it does something: a lone word of prose parses too."""
    return text if re.search(r"[(=\[]", text) else ""


def _syntax_error_line(source: str) -> int | None:
    """The line of the first syntax error; None when there is none."""
    try:
        parsed(source)
    except SyntaxError as error:
        return error.lineno or 1
    except (ValueError, RecursionError, MemoryError, OverflowError):
        return 1
    return None
