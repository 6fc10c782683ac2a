"""Where the final answer stands in a response.

The last statement of an answer wins, and only if it is one: an empty or unterminated box, a
negated box, and a prompt said again are refused. Everything is linear in the response's length.
"""

from __future__ import annotations

import json
import re
from collections import deque
from contextlib import suppress

from verifleet.reading.spelled import signs
from verifleet.reading.words import spoken
from verifleet.reasoning import answer_in, offers_another
from verifleet.verifiers.math.answer import phrases, stance
from verifleet.verifiers.math.answer.statement import is_mathematical, leading_value, stated_after, stated_last
from verifleet.verifiers.math.answer.value import Stated, comparable
from verifleet.verifiers.math.answer.wording import undressed
from verifleet.verifiers.math.question import NOTHING, Question
from verifleet.verifiers.math.syntax.lexer import balanced_end
from verifleet.verifiers.math.syntax.runs import FORMULA, formula_text
from verifleet.verifiers.math.syntax.vocabulary import OR, phrased

MAX_ANSWER = 8_000
MAX_GROUP = 100  # boxes that are looked at, from the last one
TAIL = 20_000  # characters at the end in which an answer without a box is looked for
_BOX = re.compile(r"\\(?:boxed|fbox|framebox)(?![a-zA-Z])\s*")
_FENCE = re.compile(r"^[ \t]*```", re.MULTILINE)
_JOIN = re.compile(rf"(?:{phrased('final.join')}|{phrases.JOINED})*")
_ALTERNATIVE = spoken(rf"\b(?:{phrased('final.alternative')})\b")
_TRAILING_ALTERNATIVE = spoken(
    rf"""^\s*(?:(?:\$|\\\)|\\\])\s*)?(?:[,.;(]+\s*)?(?:or maybe\b|or possibly\b|or perhaps\b|(?:or|and/or|o)\b|
    alternatively\b,?|{phrased("final.unless")}|{OR})\s{{0,5}}(?!\s|equivalently|about|approximately|in\s|just|simply|
    roughly|more)(?P<rest>[^\n]{{1,200}})"""
)
_CUE = spoken(
    rf"""(?:\bfinal answers?\b|\bcorrect answer\b|\banswers?\b(?=\s*(?:is|are|:|=|\*\*|would|should|to the|must|
    comes|turns))|\bans\b\s*(?=[.:=]))[*_\s]*(?:[^\n:.$\\]{{0,60}}?\b(?:is|are|be|to be)\b|(?:[*_\s]*(?:[-=]>|
    [:=→⇒])))?[*_\s:]*|{phrases.STATEMENT}"""
)
MAX_CUES = 10  # statements of an answer that are looked at, from the last one
_HASHES = re.compile(r"(?<![^\s(*\"'`])####(?!#)[ \t]*([^\n#]*)")
_BOLD_VECTOR = re.compile(r"(?<![*\\])\*\*([ijk])\*\*(?![\w(*])")  # 2**i** + 3**j** is no power
_SHEET = re.compile(
    r"(?:\$\$?|\\\[)(\s*\\begin\{(?:align|gather)ed\})([^$]{1,2000}?)(\\end\{(?:align|gather)ed\}[\s.]*)(?:\$\$?|\\\])"
)
"""A formula that is a sheet of equations."""
_PROVED = re.compile(r"\$\s*\\(?:blacksquare|square|Box|qed)\s*\$|\\(?:blacksquare|qed)(?![a-z])|[∎■]")
_CJK = "[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]"
_EMPHASIS = {
    sign: re.compile(
        rf"(?<!(?!{_CJK})[\w)\]}}\\*]){re.escape(sign)}(?=[^\s*`])({inner}{{1,500}})(?<=[^\s\\])"
        rf"{re.escape(sign)}(?!(?!{_CJK})[\w(*])"
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
MAX_AFTERWORD = 20_000  # characters after an answer in which it may be taken back
_STRUCK = re.compile(
    r"(?<![^\s(*_$\"'>])~~(?=[^\s~])[^~\n]{1,500}(?<!\s)~~(?![^\s.,;:!?)*_$\"'<])|"
    r"<(?P<tag>s|del|strike)>[^<]{1,500}</(?P=tag)>|"
    r"(?P<opening>\\(?:boxed|fbox)\s?\{\s?|\$\s?)\\(?:[xbh]?cancel|sout)\s?\{[^{}]{1,500}\}(?=\s?[$}])|"
    r"\\(?:[xbh]?cancel|sout)\s?\{\\boxed\s?\{[^{}]{1,500}\}\s?\}"
)
_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_SUBJECT = (
    r"(?:it|(?:the|my)\s+(?:(?:correct|actual|real|right|true|final|new)\s+)?(?:answer|result|value|solution|total))"
)
_IS = r"(?:['’]s|\s+(?:is|was|equals|(?:should|must|would|ought\s+to)\s+(?:\w+ly\s+)?(?:be|have\s+been))|\s*[=:])"
_SAID = rf"(?:{_SUBJECT}{_IS}|should\s+(?:be|have\s+been)|make\s+(?:that|it)|(?:I|we)\s+(?:now\s+)?get)"
_CORRECTION = spoken(
    rf"""\A[\s*_$.)\]\\>,;:—–-]{{0,20}}(?:(?:no|but|or rather)\b,?\s*)?(?P<it>it(?:['’]s| is)) |
    (?:\A|[\n.!?;,:—–(>-])[\s*_$.)\]\\>,;:—–-]{{0,20}}{stance.CUE}{{1,6}}(?:(?:but|that|so|then|and|now|
    I (?:now )?(?:think|believe)) ){{0,3}}(?:(?P<said>{_SAID}|(?:that|this){_IS})\s*(?:(?:actually|really|just|
    instead|indeed|in fact) )?)?"""
)
_REST = spoken(phrased("final.rest"))
_SUBJECT_SAID = re.compile(_SUBJECT + r"|should|make", re.IGNORECASE)
_NAMED = re.compile(r"[\s*_]*(?P<name>[A-Z][a-z]+(?:\s[A-Z][a-z]+){0,2})[\s*_]*[.!]?\s*$")
_UNDONE = re.compile(r"[0-9)}]\s*(?:\*|\\cdot|\\times|\+|-)\s*[0-9(\\]")
MAX_STATED = 400
_OBJECT = re.compile(r"(?:^|\n)[ \t]*(?P<object>\{)(?=[ \t]*\n|\")")
_UNKNOWN = re.compile(r"[A-Za-zα-ω](?:_?\d)?")
_ANSWER_KEYS = frozenset({"answer", "final_answer"})
_SENTENCE = re.compile(r"[.!?;](?=\s)|\n")
_SOLUTION_LENGTH = 200


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


def extract(prefilled: str, response: str, asked: Question = NOTHING) -> Stated:
    """Find the final answer; raises NoAnswerError. `asked` is the prompt."""
    text, offset = answer_text(prefilled, response)
    text = _SHEET.sub(lambda match: "".join(match.groups()).center(len(match.group())), text) if "ed}" in text else text
    text = _without_emphasis(signs(phrases.plain_punctuation(_without_struck_out(text))))
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
    return _unless_taken_back(text, found).moved(offset - len(prefilled))


def _without_emphasis(text: str) -> str:
    """The text with blanks for the signs of bold and italic words, of code and of a proof's end; as long as before."""
    text = _PROVED.sub(lambda match: " " * len(match.group()), text)
    text = _BOLD_VECTOR.sub(r"  \1  ", text) if "**" in text else text
    for sign, pattern in _EMPHASIS.items():
        if sign in text:
            text = pattern.sub(lambda match: match.group(1).center(len(match.group())), text)
    return text


def _unless_taken_back(text: str, found: Stated) -> Stated:
    """The answer, or the value by which the response replaces it afterwards; NoAnswerError if it is denied."""
    end = found.end
    if found.how in ("stated answer", "last line"):
        other = _alternative_after(text, end)
        if other is not None:
            found = found._replace(parts=(found.text, other.text))
    if found.how in _COMMITTED:
        end += len("</answer>") if text.startswith("</answer>", end) else 0
        corrected = _corrected_after(text, end, found.text)
        if corrected is not None:
            return corrected._replace(how="correction")
    taken_back = stance.denied(text, found.start, end) or _withdrawn(text, end, found.text)
    if taken_back or (found.how == "last line" and stance.asked(text, end)):
        raise NoAnswerError("The response says that this is not the answer.", malformed=False)
    return found


# --- what is taken back ------------------------------------------------------


def _without_struck_out(text: str) -> str:
    r"""The text with blanks for what it strikes out: `~~42~~`, `<del>42</del>`, `\\boxed{\\cancel{42}}`.

    A factor cancelled within a formula stays. The length stays the same.
    """
    if not any(sign in text for sign in ("~~", "</", "cancel", "\\sout")):
        return text
    return _STRUCK.sub(lambda match: (match.group("opening") or "").ljust(len(match.group())), text)


def _withdrawn(text: str, end: int, own: str) -> bool:
    """Whether the response says of its answer afterwards that it is to be disregarded, or that it has none."""
    for match in phrases.WITHDRAWAL.finditer(text, end, end + MAX_AFTERWORD):
        numbers = _NUMBER.findall(match.group("what") or "")
        if not numbers or any(number in _NUMBER.findall(own) for number in numbers):
            return True
    return False


def _corrected_after(text: str, end: int, own: str) -> Stated | None:
    """The other value by which a response replaces the answer `own` that ends at `end`; None if it stands.

    A correction counts only where it is unmistakable: it opens with a word such as `wait` or `sorry`, names another
    value, and ends there. `Wait, 43 - 1 = 42.` goes on reasoning and takes nothing back.
    """
    corrections = list(_CORRECTION.finditer(text[end : end + MAX_AFTERWORD]))
    values = [(value, match) for match in corrections if (value := _value(match, own)) is not None]
    if not values or comparable(values[-1][0]).lower() == comparable(own).lower():
        return None
    value, match = values[-1]
    return Stated(value, *match.span()).moved(end)


def _value(match: re.Match[str], own: str) -> str | None:
    """The value that follows the words of a correction, if they say so or nothing else follows."""
    said = match.group("said") or match.group("it")
    stated = leading_value(match.string[match.end() : match.end() + MAX_STATED])
    if stated is None:
        name = _NAMED.match(match.string, match.end()) if said else None
        return name.group("name") if name else None
    value, rest = stated
    end = _REST.match(rest)
    if end is None or "boxed" in value:
        return None
    if end.group("unit") and (match.group("it") or not _SUBJECT_SAID.match(said or "")):
        return None  # "Actually, 3 cases remain."
    if not said:
        head, equals, _ = value.partition("=")
        if _UNDONE.search(value) or (equals and not re.match(rf"\s*{re.escape(head.strip())}\s*=", own)):
            return None  # a calculation, or some other quantity
    return value.strip()


# --- boxes -------------------------------------------------------------------


def _boxes(text: str) -> list[Stated]:
    """The last boxes but those of others, or of mistakes; of boxes within one another the innermost."""
    boxes: list[Stated] = []
    for match in deque(_BOX.finditer(text), MAX_GROUP):
        if stance.by_others(text, match.start()):
            continue
        if text[match.end() : match.end() + 1] == "{":
            end = balanced_end(text, match.end())
            if end is None:
                raise NoAnswerError("The final box never closes.")
            box = Stated(text[match.end() + 1 : end], match.start(), end + 1)
        else:
            bare = _BARE.match(text, match.end())
            if bare is None:
                raise NoAnswerError("The final box is empty.")
            box = Stated(bare.group(1).rstrip("."), match.start(), bare.end())
        if boxes and box.start < boxes[-1].end:
            boxes.pop()
        boxes.append(box)
    return boxes


def _boxed(text: str) -> Stated | None:
    boxes = _boxes(text)
    if not boxes:
        return None
    last = boxes[-1]
    if not _NOTHING.sub("", undressed(last.text)).strip(" .<>[]()?_"):
        raise NoAnswerError("The final box is empty.")
    group = [*_last_group(text, boxes), *filter(None, (_said_after(text, last.end),))]
    parts = tuple(part.text for part in group)
    if len(set(map(str.strip, parts))) > 1:
        return Stated(", ".join(parts), group[0].start, group[-1].end, how="boxes", parts=parts)
    return last._replace(text=_in_sentence(last.text), how="box")


def _in_sentence(content: str) -> str:
    r"""The value of a box that holds a sentence, `12\text{ apples are left}`; any other content unchanged."""
    plain = undressed(content[:MAX_ANSWER]) if "\\text" in content else content
    value = stated_after(plain, 0) if _AMOUNT_IS.match(plain) or _LABELLED.match(plain) else None
    return content if value is None else value.text


def _last_group(text: str, boxes: list[Stated]) -> list[Stated]:
    r"""The last box with the boxes that are named together with it ("\\boxed{1} or \\boxed{2}")."""
    group = [boxes[-1]]
    for box in reversed(boxes[:-1]):
        gap = text[box.end : group[0].start]
        offered = _ALTERNATIVE.search(gap) and not stance.WAVERING.search(gap)
        if len(gap) > 200 or not (offered or _JOIN.fullmatch(gap)):
            break
        group.insert(0, box)
    return group


def _said_after(text: str, at: int) -> Stated | None:
    """Another answer after the last box."""
    alternative = _alternative_after(text, at)
    if alternative is not None:
        return alternative
    rest = text[at : at + MAX_AFTERWORD]
    stated = None
    with suppress(NoAnswerError):
        stated = _tagged(rest) or _cued(rest)
    return stated.moved(at) if stated and _VALUE.search(stated.text) else None


def _alternative_after(text: str, at: int) -> Stated | None:
    """Another value that stands right behind an answer as its alternative, as in `42 (or 43)`."""
    alternative = _TRAILING_ALTERNATIVE.match(text[at : at + MAX_STATED])
    stated = stated_after(text, at + alternative.start("rest")) if alternative else None
    return stated if stated and _VALUE.search(stated.text) else None


# --- answers without a box ---------------------------------------------------


def _tagged(text: str) -> Stated | None:
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
        return inner.moved(start)._replace(how="answer tag")
    value, said = stated_after(content, 0), content.strip()
    return Stated(value.text if value else said, start, end, said, how="answer tag")


def _marked(text: str) -> Stated | None:
    """What the last `####` marks; a heading such as `#### Step 2: Solve` with text under it marks nothing."""
    for match in reversed(list(_HASHES.finditer(text))[-MAX_MARKS:]):
        content = match.group(1).strip()
        last = not text[match.end() :].strip()
        if not content and last:
            raise NoAnswerError("Nothing follows ####.")
        if not last and (not content or _HEADING.match(content) or not is_mathematical(content)):
            continue
        stated = _cued(content)
        found = stated.moved(match.start(1)) if stated else Stated(content, *match.span(1))
        return found._replace(how="####")
    return None


def _structured(text: str) -> Stated | None:
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
    values = [value for key, value in pairs if key.strip().lower().replace(" ", "_") in _ANSWER_KEYS]
    if pairs and all(_UNKNOWN.fullmatch(key) and isinstance(value, str) for key, value in pairs):
        values = [", ".join(f"{key} = {value}" for key, value in pairs)]  # {"x": 4, "y": 3}
    if len(values) > 1 or offers_another(stripped[start:]):
        raise NoAnswerError("The JSON object holds several answers.", malformed=False)
    if not values or not isinstance(values[0], str):
        return None
    value = values[0].encode("utf-8", "replace").decode().strip()  # an escape may be half a character
    if not value:
        raise NoAnswerError("The answer is empty.")
    return Stated(value, start, len(whole), how="JSON object")


def _cued(text: str, asked: Question = NOTHING) -> Stated | None:
    """The last answer that a phrase such as "the answer is" states, and that nothing said later denies."""
    cues = list(_CUE.finditer(text, max(0, len(text) - TAIL)))
    denied: set[str] = set()
    supposed, behind = False, 0
    for cue in reversed(cues[-MAX_CUES:]):
        if stance.supposed(text, cue.start()):
            supposed = supposed or "\n" not in text[cue.end() :].strip()
            continue
        line = text[cue.start() : cue.start() + 200].partition("\n")[0]
        value = stated_after(text, max(cue.end(), cue.start() + phrases.after_contrast(line)), asked)
        if value is None:
            break
        denial = stance.denied(text, cue.start(), value.end) or stance.denied(text, value.start, value.end)
        if denial or stance.asked(text, value.end):
            denied.add(value.text.strip())
            end = _SENTENCE.search(text, value.end)
            behind = behind or (end.end() if end else len(text))
        elif value.text.strip() in denied:
            break
        else:
            return value._replace(how="stated answer")
    later = _concluded(text[behind:], asked) if denied and text[behind:].strip(" .!*_$") else None
    if later is not None and later.text.strip() not in denied:
        return later.moved(behind)
    if denied or supposed:
        raise NoAnswerError("The response only supposes or denies an answer.", malformed=False)
    return None


def _concluded(text: str, asked: Question = NOTHING) -> Stated | None:
    """An answer in the last line: `x = 5`, `She has 12 apples left`."""
    stripped = text.rstrip()
    if not stripped:
        raise NoAnswerError("The response is empty.")
    start = max(0, len(stripped) - MAX_ANSWER)
    value = stated_last(stripped[start:], asked)
    return value and value.moved(start)._replace(how="last line")


def final_of(reference: str) -> str:
    """A reference's own final answer, where it is a whole solution rather than an answer."""
    stripped = reference.strip()
    if "\\boxed" in stripped or "####" in stripped or len(stripped) > _SOLUTION_LENGTH or _CUE.match(stripped):
        try:
            answer = extract("", stripped)
        except NoAnswerError:
            return stripped
        percent = re.match(r"[\s$]*(?:\\?%|percent\b|pct\b)", stripped[answer.end :])
        return rf"{answer.text}\%" if percent else answer.text
    match = FORMULA.fullmatch(stripped)
    return formula_text(match) if match else stripped
