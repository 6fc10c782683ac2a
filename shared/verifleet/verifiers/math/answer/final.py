"""Where the final answer stands in a response.

The last statement of an answer wins, and only if it is one: an empty or unterminated box, a
negated box, and a prompt said again are refused. Everything is linear in the response's length.
"""

from __future__ import annotations

import json
import re
from collections import deque
from contextlib import suppress
from dataclasses import dataclass, replace

from verifleet.reasoning import answer_in
from verifleet.verifiers.math.answer import phrases, stance
from verifleet.verifiers.math.answer.retractions import MAX_AFTERWORD, corrected_after, withdrawn, without_struck_out
from verifleet.verifiers.math.answer.spelled import signs
from verifleet.verifiers.math.answer.statement import is_mathematical, stated_after, stated_last
from verifleet.verifiers.math.answer.value import NOTHING, Stated
from verifleet.verifiers.math.answer.wording import undressed
from verifleet.verifiers.math.question import Question
from verifleet.verifiers.math.syntax.lexer import balanced_end
from verifleet.verifiers.math.syntax.runs import FORMULA, formula_text
from verifleet.verifiers.math.syntax.vocabulary import OR, spoken

MAX_ANSWER = 8_000
MAX_GROUP = 100  # boxes that are looked at, from the last one
TAIL = 20_000  # characters at the end in which an answer without a box is looked for

_BOX = re.compile(r"\\(?:boxed|fbox|framebox)(?![a-zA-Z])\s*")
_FENCE = re.compile(r"^[ \t]*```", re.MULTILINE)
_JOIN = re.compile(
    r"(?:[\s$.,;:&|()\[\]{}*~]|\\[\\,;:!\[\]() ]|\\quad|\\qquad|\band\b|\bor\b|\\text\s*\{\s*(?:and|or|,)?\s*\}|\\\\|"
    r"\\(?:begin|end)\{[a-z*]+\}|(?:\b[a-zA-Z](?:_\{?\w\}?)?\s*=)|\beither\b|\balso\b|\bthen\b|\bpossibly\b|"
    r"\bmaybe\b|\bperhaps\b|\by\b|\bo\b|" + phrases.JOINED + ")*"
)
_ALTERNATIVE = spoken(
    r"""\b(?:alternatively|or (?:maybe|perhaps|possibly|it|else|the)|another (?:possible )?(?:answer|solution|
    possibility)|could (?:also )?be|might (?:also )?be|may also be|other (?:possible )?(?:answer|solution)s?)\b"""
)
_TRAILING_ALTERNATIVE = spoken(
    rf"""^\s*(?:(?:\$|\\\)|\\\])\s*)?(?:,\s*)?(?:or maybe\b|or possibly\b|or perhaps\b|(?:or|and/or|o)\b|
    alternatively\b,?|{OR})\s{{0,5}}(?!\s|equivalently|about|approximately|in\s|just|simply|roughly|
    more)(?P<rest>[^\n]{{1,200}})"""
)
_CUE = spoken(
    r"""(?:\bfinal answers?\b|\bcorrect answer\b|\banswers?\b(?=\s*(?:is|are|:|=|\*\*|would|should|to the|must|
    comes|turns))|\bans\b\s*(?=[.:=]))[*_\s]*(?:[^\n:.$\\]{0,60}?\b(?:is|are|be|to be)\b|(?:[*_\s]*(?:[-=]>|
    [:=→⇒])))?[*_\s:]*"""
)
_FOREIGN_CUE = re.compile(phrases.STATEMENT, re.IGNORECASE)
MAX_CUES = 10  # statements of an answer that are looked at, from the last one
_HASHES = re.compile(r"(?<![^\s(*\"'`])####(?!#)[ \t]*([^\n#]*)")

_BOLD_VECTOR = re.compile(r"(?<![*\\])\*\*([ijk])\*\*(?![\w(*])")  # 2**i** + 3**j** is no power
_PROVED = re.compile(r"\$\s*\\(?:blacksquare|square|Box|qed)\s*\$|\\(?:blacksquare|qed)(?![a-z])|[∎■]")
_EMPHASIS = {
    sign: re.compile(
        rf"(?<![\w)\]}}\\*]){re.escape(sign)}(?=[^\s*`])({inner}{{1,500}})(?<=[^\s\\]){re.escape(sign)}(?![\w(*])"
    )
    for sign, inner in (
        ("***", r"[^\n*]"), ("**", r"(?:[^\n*]|\*(?!\*))"), ("__", r"[^\n_]"), ("*", r"[^\n*]"), ("`", r"[^\n`]"),
    )
}  # fmt: skip

_COMMITTED = frozenset({"box", "boxes", "####", "answer tag", "stated answer"})

_BARE = re.compile(r"\$?(-?[0-9A-Za-z.]+)")

_AMOUNT_IS = re.compile(r"\s*\$?\d[\d.,]*\s(?!(?:or|and|of|to)\b)[a-z]+(?:\s[a-z]+)?\s(?:is|are|was|were)\s[a-z]")

_LABELLED = re.compile(r"\s*[A-Za-z][a-z]+(?:\s[a-z]+)*:\s")

_NOTHING = re.compile(r"\\[,;:! ]|\\l?dots|[\s$~{}]|\\quad")

_VALUE = re.compile(r"[0-9]|\\[a-z]|^[a-zA-Z]$")

MAX_MARKS = 50  # of #### that are looked at, from the last one
_HEADING = re.compile(r"(?:\d+\s*[.):]\s*\\?[A-Za-z]|(?:step|part|case|section|method)\b)", re.IGNORECASE)

_OBJECT = re.compile(r"(?:^|\n)[ \t]*(?P<object>\{)(?=[ \t]*\n|\")")
_ANSWER_KEYS = frozenset({"answer", "final_answer"})

_SENTENCE = re.compile(r"[.!?;](?=\s)|\n")

_SOLUTION_LENGTH = 200


@dataclass(frozen=True, slots=True)
class Answer:
    """A final answer: its text, where it stands in the response, and how it was found."""

    text: str
    span: tuple[int, int]
    how: str
    parts: tuple[str, ...] = ()  # several boxes that stand together
    clause: str = ""  # the clause that states it, for answers in words
    whole: str = ""  # all that is stated with it, for answers in several parts


class NoAnswerError(ValueError):
    """The response holds no final answer; says why. `malformed`: it is broken, rather than wrong."""

    def __init__(self, reason: str, malformed: bool = True) -> None:
        super().__init__(reason)
        self.reason = reason
        self.malformed = malformed


def answer_text(prefilled: str, response: str) -> tuple[str, int]:
    """What comes after the reasoning, and its offset in prefilled + response; raises NoAnswerError."""
    whole = prefilled + response
    start, unclosed = answer_in(whole)
    if unclosed >= 0:
        raise NoAnswerError("The reasoning never ends: <think> without </think>.")
    if len(_FENCE.findall(whole, start)) % 2:
        raise NoAnswerError("A ``` fence never closes.")
    return whole[start:], start


def extract(prefilled: str, response: str, asked: Question = NOTHING) -> Answer:
    """Find the final answer; raises NoAnswerError. `asked` is the prompt."""
    text, offset = answer_text(prefilled, response)
    offset -= len(prefilled)
    text = _without_emphasis(signs(phrases.plain_punctuation(without_struck_out(text))))
    found = (
        _boxed(text)
        or _tagged(text)
        or _marked(text)
        or _structured(text)
        or _cued(text, asked)
        or _concluded(text, asked)
    )
    if found is None:
        raise NoAnswerError("The response states no answer.")
    found = _unless_taken_back(text, found)
    start, end = found.span
    return replace(found, span=(max(0, start + offset), max(0, end + offset)))


def _without_emphasis(text: str) -> str:
    """The text with blanks for the signs of bold and italic words, of code and of a proof's end; as long as before."""
    text = _PROVED.sub(lambda match: " " * len(match.group()), text)
    text = _BOLD_VECTOR.sub(r"  \1  ", text) if "**" in text else text
    for sign, pattern in _EMPHASIS.items():
        if sign in text:
            text = pattern.sub(lambda match: match.group(1).center(len(match.group())), text)
    return text


def _unless_taken_back(text: str, found: Answer) -> Answer:
    """The answer, or the value by which the response replaces it afterwards; NoAnswerError if it is denied."""
    start, end = found.span
    if found.how in _COMMITTED:
        end += len("</answer>") if text.startswith("</answer>", end) else 0
        corrected = corrected_after(text, end, found.text)
        if corrected is not None:
            return Answer(corrected.text, (corrected.start, corrected.end), "correction")
    taken_back = stance.denied(text, start, end) or withdrawn(text, end, found.text)
    if taken_back or (found.how == "last line" and stance.asked(text, end)):
        raise NoAnswerError("The response says that this is not the answer.", malformed=False)
    return found


# --- boxes -------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Box:
    start: int
    end: int
    text: str


def _boxes(text: str) -> list[_Box]:
    """The last boxes; of boxes within one another the innermost."""
    boxes: list[_Box] = []
    for match in deque(_BOX.finditer(text), MAX_GROUP):
        if text[match.end() : match.end() + 1] == "{":
            end = balanced_end(text, match.end())
            if end is None:
                raise NoAnswerError("The final box never closes.")
            box = _Box(match.start(), end + 1, text[match.end() + 1 : end])
        else:
            bare = _BARE.match(text, match.end())
            if bare is None:
                raise NoAnswerError("The final box is empty.")
            box = _Box(match.start(), bare.end(), bare.group(1).rstrip("."))
        if boxes and box.start < boxes[-1].end:
            boxes.pop()
        boxes.append(box)
    return boxes


def _boxed(text: str) -> Answer | None:
    boxes = _boxes(text)
    if not boxes:
        return None
    last = boxes[-1]
    _refuse_empty(last.text)
    group = _last_group(text, boxes)
    later = _said_after(text, last)
    if later is not None:
        group = [*group, later]
    if len({part.text.strip() for part in group}) > 1:
        parts = tuple(part.text for part in group)
        return Answer(", ".join(parts), (group[0].start, group[-1].end), "boxes", parts)
    return Answer(_in_sentence(last.text), (last.start, last.end), "box")


def _in_sentence(content: str) -> str:
    r"""The value of a box that holds a sentence, `12\text{ apples are left}`; any other content unchanged."""
    plain = undressed(content[:MAX_ANSWER]) if "\\text" in content else content
    value = stated_after(plain, 0) if _AMOUNT_IS.match(plain) or _LABELLED.match(plain) else None
    return content if value is None else value.text


def _refuse_empty(content: str) -> None:
    if not _NOTHING.sub("", undressed(content)).strip(" .<>[]()?_"):
        raise NoAnswerError("The final box is empty.")


def _last_group(text: str, boxes: list[_Box]) -> list[_Box]:
    r"""The last box with the boxes that are named together with it ("\\boxed{1} or \\boxed{2}")."""
    group = [boxes[-1]]
    for box in reversed(boxes[:-1]):
        gap = text[box.end : group[0].start]
        if len(gap) > 200:
            break
        joined = _JOIN.fullmatch(gap) is not None and gap.count("\n\n") == 0
        if not joined and not (_ALTERNATIVE.search(gap) and not stance.WAVERING.search(gap)):
            break
        group.insert(0, box)
    return group


def _said_after(text: str, box: _Box) -> _Box | None:
    """Another answer after the last box."""
    rest = text[box.end : box.end + MAX_AFTERWORD]
    alternative = _TRAILING_ALTERNATIVE.match(rest)
    if alternative:
        return _payload_box(text, box.end + alternative.start("rest"))
    stated = None
    with suppress(NoAnswerError):
        stated = _cued(rest)
    if stated is None or not _VALUE.search(stated.text):
        return None
    start, end = (box.end + place for place in stated.span)
    return _Box(start, end, stated.text)


def _payload_box(text: str, start: int) -> _Box | None:
    value = stated_after(text, start)
    return _Box(value.start, value.end, value.text) if value and _VALUE.search(value.text) else None


# --- answers without a box ---------------------------------------------------


def _tagged(text: str) -> Answer | None:
    start = text.rfind("<answer>")
    if start < 0:
        return None
    start += len("<answer>")
    end = text.find("</answer>", start)
    if end < 0:
        raise NoAnswerError("The tag <answer> never closes.")
    content = text[start:end]
    if not content.strip():
        raise NoAnswerError("The answer is empty.")
    inner = _cued(content) or (_concluded(content) if "\n" in content.strip() else None)
    if inner is not None:
        return Answer(inner.text, (start + inner.span[0], start + inner.span[1]), "answer tag", clause=inner.clause)
    value = stated_after(content, 0)
    return Answer(value.text if value else content.strip(), (start, end), "answer tag", clause=content.strip())


def _marked(text: str) -> Answer | None:
    """What the last `####` marks; a heading such as `#### Step 2: Solve` with text under it marks nothing."""
    for match in reversed(list(_HASHES.finditer(text))[-MAX_MARKS:]):
        content = match.group(1).strip()
        last = not text[match.end() :].strip()
        if not content and last:
            raise NoAnswerError("Nothing follows ####.")
        if not last and (not content or _HEADING.match(content) or not is_mathematical(content)):
            continue
        stated = _cued(content)
        start = match.start(1)
        if stated is not None:
            return Answer(stated.text, (start + stated.span[0], start + stated.span[1]), "####")
        return Answer(content, match.span(1), "####")
    return None


def _structured(text: str) -> Answer | None:
    """The answer of a JSON object that ends the response: `{"answer": 12}`."""
    whole = text.rstrip()
    stripped = whole.removesuffix("```").rstrip()
    opening = list(_OBJECT.finditer(stripped, max(0, len(stripped) - MAX_ANSWER))) if stripped.endswith("}") else []
    if not opening:
        return None
    start = opening[-1].start("object")
    try:
        pairs = json.loads(stripped[start:], object_pairs_hook=list, parse_int=str, parse_float=str)
    except (ValueError, RecursionError):
        return None
    if not isinstance(pairs, list) or not all(isinstance(pair, tuple) for pair in pairs):
        return None
    values = [value for key, value in pairs if key.strip().lower().replace(" ", "_") in _ANSWER_KEYS]
    if len(values) > 1:
        raise NoAnswerError("The JSON object holds several answers.", malformed=False)
    if not values or not isinstance(values[0], str):
        return None
    value = values[0].encode("utf-8", "replace").decode().strip()  # an escape may be half a character
    if not value:
        raise NoAnswerError("The answer is empty.")
    return Answer(value, (start, len(whole)), "JSON object")


def _cued(text: str, asked: Question = NOTHING) -> Answer | None:
    """The last answer that a phrase such as "the answer is" states, and that nothing said later denies."""
    cues = list(_CUE.finditer(text, max(0, len(text) - TAIL)))
    if not text.isascii() or _FOREIGN_CUE.search(text, max(0, len(text) - TAIL)):
        cues = sorted([*cues, *_FOREIGN_CUE.finditer(text, max(0, len(text) - TAIL))], key=re.Match.end)
    denied: set[str] = set()
    supposed, behind = False, 0
    for cue in reversed(cues[-MAX_CUES:]):
        if stance.supposed(text, cue.start()):
            supposed = supposed or "\n" not in text[cue.end() :].strip()
            continue
        value = _stated_by(text, cue, asked)
        if value is None:
            break
        denial = stance.denied(text, cue.start(), value.end) or stance.denied(text, value.start, value.end)
        if denial or stance.asked(text, value.end):
            denied.add(value.text.strip())
            behind = behind or _next_sentence(text, value.end)
        elif value.text.strip() in denied:
            break
        else:
            span = value.start, value.end
            return Answer(value.text, span, "stated answer", clause=value.clause, whole=value.whole)
    later = _concluded(text[behind:], asked) if denied and text[behind:].strip(" .!*_$") else None
    if later is not None and later.text.strip() not in denied:
        return replace(later, span=(later.span[0] + behind, later.span[1] + behind))
    if denied or supposed:
        raise NoAnswerError("The response only supposes or denies an answer.", malformed=False)
    return None


def _next_sentence(text: str, at: int) -> int:
    """Where the sentence behind the one at a place begins."""
    end = _SENTENCE.search(text, at)
    return end.end() if end else len(text)


def _stated_by(text: str, cue: re.Match[str], asked: Question) -> Stated | None:
    if cue.re is _CUE:
        return stated_after(text, cue.end(), asked)
    line = text[cue.start() : cue.start() + 200].partition("\n")[0]
    return stated_after(text, max(cue.end(), cue.start() + phrases.after_contrast(line)), asked)


def _concluded(text: str, asked: Question = NOTHING) -> Answer | None:
    """An answer in the last line: `x = 5`, `She has 12 apples left`."""
    stripped = text.rstrip()
    if not stripped:
        raise NoAnswerError("The response is empty.")
    if stripped.endswith("```"):
        stripped = stripped[:-3].rstrip()
    start = max(0, len(stripped) - MAX_ANSWER)
    value = stated_last(stripped, start, asked)
    if value is None:
        return None
    return Answer(value.text, (value.start, value.end), "last line", clause=value.clause, whole=value.whole)


def final_of(reference: str) -> str:
    """A reference's own final answer, where it is a whole solution rather than an answer."""
    stripped = reference.strip()
    if "\\boxed" in stripped or "####" in stripped or len(stripped) > _SOLUTION_LENGTH or _CUE.match(stripped):
        try:
            answer = extract("", stripped)
        except NoAnswerError:
            return stripped
        percent = re.match(r"[\s$]*(?:\\?%|percent\b|pct\b)", stripped[answer.span[1] :])
        return rf"{answer.text}\%" if percent else answer.text
    match = FORMULA.fullmatch(stripped)
    return formula_text(match) if match else stripped
