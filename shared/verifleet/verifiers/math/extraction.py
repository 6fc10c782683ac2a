"""Where the final answer stands in a response.

The last statement of an answer wins, and only if it is one: an empty or unterminated box, a
negated box, and a prompt said again are refused. Everything is linear in the response's length.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from verifleet.verifiers.math.tokens import balanced_end

MAX_ANSWER = 8_000
TAIL = 20_000  # characters at the end in which an answer without a box is looked for


@dataclass(frozen=True, slots=True)
class Answer:
    """A final answer: its text, where it stands in prefilled + response, and how it was found."""

    text: str
    span: tuple[int, int]
    how: str
    parts: tuple[str, ...] = ()  # several boxes that stand together
    earlier: tuple[str, ...] = ()  # other boxes before it, for answers in several parts


class NoAnswerError(ValueError):
    """The response holds no final answer; says why. `malformed`: it is broken, rather than wrong."""

    def __init__(self, reason: str, malformed: bool = True) -> None:
        super().__init__(reason)
        self.reason = reason
        self.malformed = malformed


_BOX = re.compile(r"\\(?:boxed|fbox|framebox)(?![a-zA-Z])\s*")
_FENCE = re.compile(r"^[ \t]*```", re.MULTILINE)
_PLACEHOLDERS = frozenset(
    "answer|your answer|the answer|final answer|the final answer|the correct answer|correct answer|"
    "your final answer|ans|result|"
    "the result|number|expression|solution|the solution|your solution|answer here|your answer here|"
    "insert answer here|value|x|...|"
    "\\ldots|\\dots|?|??|???|_|__|___|\\_|blank|todo|tbd|n/a|final|here|see above|as above|above|unknown|\\cdots|"
    "\\ldots.|\\square|the value|response".split("|")
) - {"x"}  # fmt: skip

_NEGATION = re.compile(
    r"(?:\b(?:not|never|cannot|isn['’]?t|aren['’]?t|wasn['’]?t|can['’]?t\s+be|doesn['’]?t|incorrect|wrong|"
    r"rather\s+than|instead\s+of|neither|nor|except|unlike|false)\b)"
    r"(?:\s+(?:be|equal|equals|to|the|an?|answer|answers|is|are|was|final|correct|right|simply|just|value|result|of|"
    r"actually|it|that|have|as|been)\b|[\s:*$\\(\[=,]|\\text|\\;|\\,)*$",
    re.IGNORECASE,
)
_DISOWNED = re.compile(
    r"^[\s$.,;:)\]\\*]*(?:(?:which|that|this|it|and\s+that|but\s+that|but\s+this|but\s+it)\s+)?(?:is|was|would\s+be|"
    r"are|turns\s+out\s+to\s+be)\s+"
    r"(?:clearly\s+|obviously\s+|definitely\s+|actually\s+|simply\s+)?(?:not\s+(?:the\s+)?(?:correct|right|answer|"
    r"true|valid|final)|wrong|incorrect|false|a\s+mistake|an\s+error|impossible|invalid)",
    re.IGNORECASE,
)
_JOIN = re.compile(
    r"(?:[\s$.,;:&|()\[\]{}*~]|\\[\\,;:!\[\]() ]|\\quad|\\qquad|\band\b|\bor\b|\\text\s*\{\s*(?:and|or|,)?\s*\}|\\\\|"
    r"\\(?:begin|end)\{[a-z*]+\}|(?:\b[a-zA-Z](?:_\{?\w\}?)?\s*=)|\beither\b|\balso\b|\bthen\b|\bpossibly\b|"
    r"\bmaybe\b|\bperhaps\b)*"
)
_ALTERNATIVE = re.compile(
    r"\b(?:alternatively|or\s+(?:maybe|perhaps|possibly|it|else|the)|another\s+(?:possible\s+)?(?:answer|solution|"
    r"possibility)|"
    r"could\s+(?:also\s+)?be|might\s+(?:also\s+)?be|may\s+also\s+be|other\s+(?:possible\s+)?(?:answer|solution)s?)\b",
    re.IGNORECASE,
)
_TRAILING_ALTERNATIVE = re.compile(
    r"^\s*(?:\$|\\\)|\\\])?\s*,?\s*(?:or|and/or|alternatively,?|or\s+maybe|or\s+possibly|"
    r"or\s+perhaps)\s+(?!equivalently|about|approximately|in\s|just|simply|roughly|more)(?P<rest>[^\n]{1,200})",
    re.IGNORECASE,
)
_CUE = re.compile(
    r"(?:\bfinal\s+answers?\b|\bcorrect\s+answer\b|\banswers?\b(?=\s*(?:is|are|:|=|\*\*|would|should|to\s+the|must|"
    r"comes|turns))|\bans\b\s*(?=[.:=]))"
    r"[*_\s]*(?:[^\n:.$\\]{0,60}?\b(?:is|are|be|to\s+be)\b|(?:[*_\s]*[:=]))?[*_\s:]*",
    re.IGNORECASE,
)
_LATER_CUE = re.compile(
    r"(?:\b(?:final|correct|actual|real|true|right)\s+answer|\banswer)\s*(?:is|:|should\s+be|=)\s*(?!not\b)",
    re.IGNORECASE,
)
_HASHES = re.compile(r"^[ \t]*####[ \t]*(.*)$", re.MULTILINE)
_SOLUTION = re.compile(
    r"\b(?:therefore|thus|hence|so|consequently|we\s+(?:get|have|find|obtain|conclude)|which\s+(?:gives|yields)|"
    r"giving|gives|yields|"
    r"(?:the\s+)?(?:solutions?|roots?|zeros?|result|value|antiderivative|derivative|integral|limit|sum|product|"
    r"total|probability|area|volume)[^.$\n]{0,40}?\b(?:is|are|equals?))\b[\s,:]*",
    re.IGNORECASE,
)
_MATH_SPAN = re.compile(
    r"\$\$(?P<dd>.+?)\$\$|(?<!\\)\$(?P<d>[^$\n]+?)(?<!\\)\$|\\\((?P<p>.+?)\\\)|\\\[(?P<b>.+?)\\\]", re.DOTALL
)
_CONNECTIVE = re.compile(r"(?:[\s,;.]|\band\b|\bor\b)*", re.IGNORECASE)
_SENTENCE_END = re.compile(r"(?<![A-Z])[.!?](?=\s+[A-Z(]|\s*$)|\n")
_AFTER_IS = re.compile(
    r"(?:\bis|\bare|\bequals?|=|\bget|\bgets|\bof|:|\bgives|\bearns?|\bcosts?|\bhas|\bhave|\bmakes?|"
    r"\btotal)\s*(?:about|approximately|exactly|only)?\s*$",
    re.IGNORECASE,
)
_NUMBER = re.compile(
    r"(?<![A-Za-z0-9_.])[-−]?\$?(?:\d{1,3}(?:,\d{3})+|\d+)?(?:\.\d+)?(?:\s*/\s*\d+)?%?(?![A-Za-z0-9_])"
)


def _last(matches: Iterable[re.Match[str]]) -> re.Match[str] | None:
    found = None
    for match in matches:
        found = match
    return found


def answer_text(prefilled: str, response: str) -> tuple[str, int]:
    """What comes after the reasoning, and its offset in prefilled + response; raises NoAnswerError."""
    whole = prefilled + response
    end = whole.rfind("</think>")
    start = 0 if end < 0 else end + len("</think>")
    if whole.find("<think>", start) >= 0:
        raise NoAnswerError("The reasoning never ends: <think> without </think>.")
    if len(_FENCE.findall(whole, start)) % 2:
        raise NoAnswerError("A ``` fence never closes.")
    return whole[start:], start


def extract(prefilled: str, response: str) -> Answer:
    """Find the final answer; raises NoAnswerError."""
    text, offset = answer_text(prefilled, response)
    found = _boxed(text) or _tagged(text) or _marked(text) or _cued(text) or _concluded(text)
    if found is None:
        raise NoAnswerError("The response states no answer.")
    start, end = found.span
    return Answer(found.text, (start + offset, end + offset), found.how, found.parts, found.earlier)


# --- boxes -------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Box:
    start: int
    end: int
    text: str


def _boxes(text: str) -> list[_Box]:
    boxes: list[_Box] = []
    limit = 0
    for match in _BOX.finditer(text):
        if match.start() < limit:
            continue  # a box inside the box before
        if text[match.end() : match.end() + 1] == "{":
            end = balanced_end(text, match.end())
            if end is None:
                raise NoAnswerError("The final box never closes.")
            inner = text[match.end() + 1 : end]
            nested = _BOX.match(inner.strip())
            if nested:
                inner = _boxes(inner)[-1].text
            boxes.append(_Box(match.start(), end + 1, inner))
        else:
            bare = re.compile(r"\$?(-?[0-9A-Za-z.]+)").match(text, match.end())
            if bare is None:
                raise NoAnswerError("The final box is empty.")
            boxes.append(_Box(match.start(), bare.end(), bare.group(1).rstrip(".")))
        limit = boxes[-1].end
    return boxes


def _boxed(text: str) -> Answer | None:
    boxes = _boxes(text)
    if not boxes:
        return None
    last = boxes[-1]
    tagged = _tagged(text[last.end :]) if "<answer>" in text[last.end :] else None
    if tagged is not None:
        return Answer(tagged.text, (tagged.span[0] + last.end, tagged.span[1] + last.end), tagged.how)
    _refuse_empty(last.text)
    _refuse_negated(text, last)
    group = _last_group(text, boxes)
    later = _said_after(text, last)
    if later is not None:
        group.append(later)
    if len({part.text.strip() for part in group}) > 1:
        parts = tuple(part.text for part in group)
        return Answer(", ".join(parts), (group[0].start, group[-1].end), "boxes", parts)
    earlier = tuple(box.text for box in boxes[:-1] if box.text.strip())
    return Answer(last.text, (last.start, last.end), "box", (), earlier[-20:])


def _refuse_empty(content: str) -> None:
    bare = re.sub(r"\\(?:text|mbox|mathrm|textbf)\s*\{([^{}]*)\}", r"\1", content)
    bare = re.sub(r"\\[,;:! ]|[\s$~{}]|\\quad", " ", bare).strip().lower().strip(".<>[]() ")
    if not bare or bare in _PLACEHOLDERS:
        raise NoAnswerError("The final box is empty.")


def _refuse_negated(text: str, box: _Box) -> None:
    before, after = text[max(0, box.start - 120) : box.start], text[box.end : box.end + 120]
    sentence = re.split(r"[.!?;](?:\s|$)|\n\s*\n|\bbut\b|\brather\b(?!\s+than)", before)[-1]
    if _NEGATION.search(sentence) or _DISOWNED.match(after):
        raise NoAnswerError("The final box holds what the response says is not the answer.", malformed=False)


def _last_group(text: str, boxes: list[_Box]) -> list[_Box]:
    r"""The last box with the boxes that are named together with it ("\\boxed{1} or \\boxed{2}")."""
    group = [boxes[-1]]
    for box in reversed(boxes[:-1]):
        gap = text[box.end : group[0].start]
        if len(gap) > 200:
            break
        joined = _JOIN.fullmatch(gap) is not None and gap.count("\n\n") == 0
        if not joined and not (_ALTERNATIVE.search(gap) and not _CORRECTION.search(gap)):
            break
        group.insert(0, box)
    return group


_CORRECTION = re.compile(
    r"\b(?:wait|actually|mistake|error|redo|redoing|correct(?:ion|ed|ing)?|recheck|re-?check|let me|sorry|oops|no,|"
    r"hmm|instead|recomput\w*|recalculat\w*)\b",
    re.IGNORECASE,
)


def _said_after(text: str, box: _Box) -> _Box | None:
    """Another answer that the response still gives after its last box."""
    rest = text[box.end : box.end + 2_000]
    alternative = _TRAILING_ALTERNATIVE.match(rest)
    if alternative:
        return _payload_box(alternative.group("rest"), box.end + alternative.start("rest"))
    cue = _last(_LATER_CUE.finditer(rest))
    if cue is None:
        return None
    return _payload_box(rest[cue.end() :], box.end + cue.end())


def _payload_box(payload: str, start: int) -> _Box | None:
    value = _statement(payload)
    if value is None or not re.search(r"[0-9]|\\[a-z]|^[a-zA-Z]$", value.text):
        return None
    return _Box(start + value.span[0], start + value.span[1], value.text)


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
        return Answer(inner.text, (start + inner.span[0], start + inner.span[1]), "answer tag")
    value = _statement(content.strip()) or Answer(content.strip(), (0, len(content)), "")
    return Answer(value.text, (start, end), "answer tag")


def _marked(text: str) -> Answer | None:
    last = _last(_HASHES.finditer(text))
    if last is None:
        return None
    content = last.group(1).strip()
    if not content:
        raise NoAnswerError("Nothing follows ####.")
    return Answer(content, last.span(1), "####")


def _cued(text: str) -> Answer | None:
    base = max(0, len(text) - TAIL)
    last = _last(_CUE.finditer(text, base))
    if last is None:
        return None
    payload = text[last.end() : last.end() + MAX_ANSWER]
    if re.match(r"\s*(?:not\b|n['’]t\b|never\b|incorrect\b|wrong\b|unknown\b|unclear\b)", payload, re.IGNORECASE):
        raise NoAnswerError("The response only says what the answer is not.", malformed=False)
    value = _statement(payload)
    if value is None:
        return None
    start = last.end()
    if _DISOWNED.match(text[start + value.span[1] : start + value.span[1] + 120]):
        raise NoAnswerError("The response disowns its answer.", malformed=False)
    return Answer(value.text, (start + value.span[0], start + value.span[1]), "stated answer")


def _concluded(text: str) -> Answer | None:
    """An answer in the last line: `x = 5`, `She has 12 apples left`."""
    stripped = text.rstrip()
    if not stripped:
        raise NoAnswerError("The response is empty.")
    start = max(stripped.rfind("\n") + 1, len(stripped) - MAX_ANSWER)
    line = stripped[start:]
    if re.fullmatch(r"\s*(?:\\\]|\$\$|\\end\{[a-z*]+\}|```)\s*", line):
        return _display(stripped)
    value = _statement(line, whole_line=True)
    if value is None:
        return None
    return Answer(value.text, (start + value.span[0], start + value.span[1]), "last line")


def _display(text: str) -> Answer | None:
    """A displayed formula that ends the response."""
    last = _last(_MATH_SPAN.finditer(text, max(0, len(text) - TAIL)))
    if last is None:
        return None
    content = next(group for group in last.groups() if group is not None)
    return Answer(content, last.span(), "last line")


def _statement(payload: str, whole_line: bool = False) -> Answer | None:
    """The answer at the start of a payload, or in a last line."""
    lead = re.match(r"[\s*_:>#-]*(?=\S)", payload)
    begin = (
        lead.end()
        if lead and not re.match(r"[\s*_:>#]*-\s*[\d.\\(]", payload)
        else len(payload) - len(payload.lstrip(" \t\n*_:>#"))
    )
    body = payload[begin:]
    end = _sentence_end(body)
    sentence = body[:end]
    if whole_line and body[end:].strip(" .*_"):
        return _last_sentence(payload)
    spans = list(_MATH_SPAN.finditer(sentence))
    if not spans and body.startswith((r"\[", "$$", r"\(")):
        spans = [match] if (match := _MATH_SPAN.match(body)) else []
        sentence = body
    if spans:
        return _from_spans(sentence, spans, begin, whole_line)
    return _from_plain(sentence, begin, whole_line)


def _sentence_end(body: str) -> int:
    inside = [match.span() for match in _MATH_SPAN.finditer(body[:2_000])]
    for match in _SENTENCE_END.finditer(body):
        if not any(low < match.start() < high for low, high in inside):
            return match.start()
    return len(body)


def _last_sentence(line: str) -> Answer | None:
    ends = [match.end() for match in _SENTENCE_END.finditer(line.rstrip())]
    start = (
        ends[-2]
        if len(ends) > 1 and not line[ends[-1] :].strip()
        else (ends[-1] if ends and line[ends[-1] :].strip() else 0)
    )
    if start == 0:
        return None
    value = (
        _statement(line[start:], whole_line=False)
        if not ends
        else _statement(line[start:].rstrip(" ."), whole_line=True)
    )
    if value is None:
        return None
    return Answer(value.text, (start + value.span[0], start + value.span[1]), "")


def _from_spans(sentence: str, spans: list[re.Match[str]], begin: int, whole_line: bool) -> Answer:
    """Formulas between words: those joined by `and`, `or` or commas at the end belong together."""

    def content(match: re.Match[str]) -> str:
        return next(group for group in match.groups() if group is not None)

    chosen = [spans[-1]] if whole_line else [spans[0]]
    if whole_line:
        for match in reversed(spans[:-1]):
            if not _CONNECTIVE.fullmatch(sentence[match.end() : chosen[0].start()]):
                break
            chosen.insert(0, match)
    else:
        for match in spans[1:]:
            if not _CONNECTIVE.fullmatch(sentence[chosen[-1].end() : match.start()]):
                break
            chosen.append(match)
    start, end = chosen[0].start(), chosen[-1].end()
    before = sentence[:start].strip()
    if (
        not whole_line
        and before
        and not re.search(r"[:=]$|\b(?:is|are|be)$", before)
        and re.search(r"\w", before)
        and _plain_value(before)
    ):
        return Answer(sentence.strip(), (begin, begin + len(sentence)), "")
    text = ", ".join(content(match).strip() for match in chosen) if len(chosen) > 1 else content(chosen[0])
    follows = re.match(r"\s*([a-zA-Z%°²³]+\.?)", sentence[end:])
    if follows and len(chosen) == 1 and len(sentence[end:].split()) <= 3:
        text = (
            rf"{text} \text{{ {sentence[end:].strip().rstrip('.')} }}"
            if re.fullmatch(r"[\sa-zA-Z.]+", sentence[end:])
            else text
        )
    return Answer(text, (begin + start, begin + end), "")


def _plain_value(text: str) -> bool:
    return bool(re.fullmatch(r"[-+$]?[\d.,/]+%?", text))


def _from_plain(sentence: str, begin: int, whole_line: bool) -> Answer | None:
    text = sentence.strip().strip("*_").strip().rstrip(".!").strip()
    if not text:
        return None
    start = begin + sentence.find(text)
    if whole_line:
        lead = _last(_SOLUTION.finditer(text))
        if lead is not None and text[lead.end() :].strip():
            start += lead.end()
            text = text[lead.end() :].strip()
        if _looks_mathematical(text):
            return Answer(text, (start, start + len(text)), "")
        return _number_in(text, start)
    return Answer(text, (start, start + len(text)), "")


def _looks_mathematical(text: str) -> bool:
    words = re.findall(r"(?<![\\A-Za-z])[A-Za-z]{2,}", text)
    plain = [word for word in words if word.lower() not in _MATH_WORDS]
    return len(plain) <= 1 or (len(text) <= 40 and len(plain) <= 4 and not re.search(r"[0-9]", text))


_MATH_WORDS = frozenset(
    "or and sin cos tan cot sec csc ln log exp sqrt pi infty infinity frac left right text in union inf abs dx "
    "begin end pmatrix bmatrix cdot times "
    "arctan arcsin arccos sinh cosh tanh theta alpha beta mod cm mm km ft kg mph hours minutes seconds degrees "
    "dollars cents units".split()
)


def _number_in(sentence: str, offset: int) -> Answer | None:
    """The number that a sentence ends on saying: after "is", "=" and the like, or the only one."""
    numbers = [match for match in _NUMBER.finditer(sentence) if re.search(r"\d", match.group())]
    if not numbers:
        return Answer(sentence, (offset, offset + len(sentence)), "") if len(sentence) < 200 else None
    stated = [match for match in numbers if _AFTER_IS.search(sentence[: match.start()])]
    if len({match.group() for match in numbers}) == 1:
        chosen = numbers[-1]
    elif stated and not re.search(r"\b(?:or|either|one of|among)\b", sentence):
        chosen = stated[-1]
    else:
        return Answer(sentence, (offset, offset + len(sentence)), "")
    return Answer(chosen.group(), (offset + chosen.start(), offset + chosen.end()), "")


def final_of(reference: str) -> str:
    """A reference's own final answer, where it is a whole solution with a box or ####."""
    if "\\boxed" in reference or "####" in reference:
        try:
            return extract("", reference).text
        except NoAnswerError:
            return reference
    stripped = reference.strip()
    match = _MATH_SPAN.fullmatch(stripped)
    if match and not (match.group("d") and "$" in match.group("d")):
        return next(group for group in match.groups() if group is not None)
    return reference
