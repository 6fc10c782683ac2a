"""The 25 checks of IFEval (Zhou et al. 2023, "Instruction-Following Evaluation for Large Language Models").

Each takes the response and the published arguments and tells whether the instruction is followed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Final

from verifleet.verifiers.format.instructions import counting as w

_PLACEHOLDER: Final = re.compile(r"\[[^\[\]\n]*+\]")
_BULLET: Final = re.compile(
    r"^[ \t]*+(?!(?:[*-][ \t]*+){3,}+$)(?:[*-][ \t]++\S|-[^\W\d]|\*[^*\s][^*\n]*+$)", re.MULTILINE
)
_DOUBLE: Final = re.compile(r"\*\*([^\n*]++)\*\*")
_SINGLE: Final = re.compile(r"\*(?=[^\s*])([^\n*]++)(?<=\S)\*")
_TITLE: Final = re.compile(r"<<([^\n<>]++)>>")
_ANSWERS: Final = ("My answer is yes.", "My answer is no.", "My answer is maybe.")
_FENCES: Final = ("```json", "```Json", "```JSON", "```")
_SPARE: Final = 2_000
"""Letters beyond which no more of a text is looked at for its language."""
_RELATIONS: Final[dict[str, Callable[[int, int], bool]]] = {
    "at least": lambda count, bound: count >= bound,
    "less than": lambda count, bound: count < bound,
    "at most": lambda count, bound: count <= bound,
    "more than": lambda count, bound: count > bound,
    "exactly": lambda count, bound: count == bound,
}
_BULLET_MARK: Final = re.compile(r"^[ \t]*+\*(?=[ \t])", re.MULTILINE)


def holds(count: int, relation: str, bound: int) -> bool:
    """Whether a count stands in a relation to a bound. Raises ValueError for an unknown relation."""
    compare = _RELATIONS.get(" ".join(relation.lower().split()))
    if compare is None:
        raise ValueError(f"the relation {relation[:40]!r} is none of: {', '.join(_RELATIONS)}")
    return compare(count, bound)


def response_language(text: str, *, language: str) -> bool:
    """The whole response is in one language. Raises ValueError for one that langdetect does not know."""
    code = language.strip().lower().split("-")[0]
    if code not in w.in_list("languages"):
        raise ValueError(f"the language {language[:40]!r} is none of: {' '.join(w.listed('languages'))}")
    return w.language(text).split("-")[0] == code


def number_sentences(text: str, *, num_sentences: int, relation: str) -> bool:
    """So many sentences."""
    return holds(len(w.sentences(text)), relation, num_sentences)


def number_paragraphs(text: str, *, num_paragraphs: int) -> bool:
    """So many paragraphs, parted by ***."""
    parts = re.split(r"(?<!\S)\*{3}(?!\S)", text)
    inner = parts[1:-1] if len(parts) > 1 else []
    return all(part.strip() for part in inner) and sum(bool(part.strip()) for part in parts) == num_paragraphs


def number_words(text: str, *, num_words: int, relation: str) -> bool:
    """So many words."""
    return holds(w.word_total(text), relation, num_words)


def nth_paragraph_first_word(text: str, *, num_paragraphs: int, nth_paragraph: int, first_word: str) -> bool:
    """So many paragraphs, parted by blank lines, and the nth begins with a word."""
    parts = w.paragraphs(text)
    if len(parts) != num_paragraphs or not 1 <= nth_paragraph <= len(parts):
        return False
    first = re.search(r"\w++(?:['’-]\w++)*+", parts[nth_paragraph - 1])
    return first is not None and first[0].lower() == w.stripped(first_word).lower()


def number_placeholders(text: str, *, num_placeholders: int) -> bool:
    """At least so many placeholders in square brackets."""
    return len(_PLACEHOLDER.findall(text)) >= num_placeholders


def postscript(text: str, *, postscript_marker: str) -> bool:
    """A postscript that begins with the marker."""
    marker = postscript_marker.strip().lower()
    spaced = r"\.?\s?".join(re.escape(letter) for letter in marker.replace(".", "").replace(" ", ""))
    form = rf"(?<!\w){spaced}\.?(?!\w)" if re.fullmatch(r"(?:p\.?\s?){1,3}s\.?", marker) else re.escape(marker)
    found = re.search(form + r"\W*\w", text.lower())
    return found is not None


def number_bullet_lists(text: str, *, num_bullets: int) -> bool:
    """Exactly so many bullet points, with * or -."""
    return len(_BULLET.findall(text)) == num_bullets


def constrained_response(text: str) -> bool:
    """One of three fixed answers, and no other of them."""
    return sum(answer in text for answer in _ANSWERS) == 1


def number_highlighted_sections(text: str, *, num_highlights: int) -> bool:
    """At least so many parts highlighted by markdown asterisks."""
    bold = [found for found in _DOUBLE.findall(text) if found.strip()]
    light = [found for found in _SINGLE.findall(_DOUBLE.sub(" ", _BULLET_MARK.sub(" ", text))) if found.strip()]
    return len(bold) + len(light) >= num_highlights


def multiple_sections(text: str, *, section_spliter: str, num_sections: int) -> bool:
    """At least so many sections, each marked by the splitter and a number."""
    return len(re.findall(rf"{re.escape(section_spliter.strip())}\s?\d", text)) >= num_sections


def json_format(text: str) -> bool:
    """The whole response is JSON; a fence around it is allowed."""
    text = text.strip()
    for fence in _FENCES:
        text = text.removeprefix(fence)
    try:
        json.loads(text.removesuffix("```").strip())
    except (ValueError, RecursionError):
        return False
    return True


def title(text: str) -> bool:
    """A title in double angular brackets."""
    return any(found.strip() for found in _TITLE.findall(text))


def two_responses(text: str) -> bool:
    """Two different responses, parted by six asterisks."""
    parts = text.split("******")
    if any(not part.strip() for part in parts[1:-1]):
        return False
    given = [part.strip() for part in parts if part.strip()]
    return len(given) == 2 and given[0] != given[1]


def repeat_prompt(text: str, *, prompt_to_repeat: str) -> bool:
    """The request word for word, before anything else, then an answer."""
    given, asked = " ".join(text.lower().split()), " ".join(prompt_to_repeat.lower().split())
    return given.startswith(asked) and any(c.isalnum() for c in given[len(asked) :])


def end_checker(text: str, *, end_phrase: str) -> bool:
    """The response ends in exactly this phrase."""
    return text.strip().strip('"').lower().endswith(end_phrase.strip().strip('"').lower())


def quotation(text: str) -> bool:
    """The whole response stands in double quotation marks."""
    text = text.strip()
    return len(text) > 1 and text[0] == '"' == text[-1]


def existence(text: str, *, keywords: list[str]) -> bool:
    """Every keyword occurs, as a word or inflected."""
    return all(w.holds_keyword(text, keyword) for keyword in keywords)


def frequency(text: str, *, keyword: str, frequency: int, relation: str) -> bool:
    """A keyword occurs so often."""
    return holds(w.word_count(text, keyword), relation, frequency)


def forbidden_words(text: str, *, forbidden_words: list[str]) -> bool:
    """None of the words occurs."""
    return not any(w.holds_word(text, word) for word in forbidden_words)


def letter_frequency(text: str, *, letter: str, let_frequency: int, let_relation: str) -> bool:
    """A letter occurs so often, in either case."""
    return holds(text.lower().count(letter.strip().lower()), let_relation, let_frequency)


def capital_word_frequency(text: str, *, capital_frequency: int, capital_relation: str) -> bool:
    """So many words in capitals only."""
    return holds(sum(token.isupper() for token in w.tokens(text)), capital_relation, capital_frequency)


def english_capital(text: str) -> bool:
    """English in capitals only."""
    return text.isupper() and _may_be_english(text)


def english_lowercase(text: str) -> bool:
    """English in small letters only."""
    return text.islower() and _may_be_english(text)


def _may_be_english(text: str) -> bool:
    found = w.language(text[:_SPARE].lower())
    # Of a few words no detector can tell.
    return found in ("en", "") or (text.isascii() and len(text) < 60)


def no_comma(text: str) -> bool:
    """No comma anywhere."""
    return "," not in text


CHECKS: Final[dict[str, Callable[..., bool]]] = {
    "language:response_language": response_language,
    "length_constraints:number_sentences": number_sentences,
    "length_constraints:number_paragraphs": number_paragraphs,
    "length_constraints:number_words": number_words,
    "length_constraints:nth_paragraph_first_word": nth_paragraph_first_word,
    "detectable_content:number_placeholders": number_placeholders,
    "detectable_content:postscript": postscript,
    "detectable_format:number_bullet_lists": number_bullet_lists,
    "detectable_format:constrained_response": constrained_response,
    "detectable_format:number_highlighted_sections": number_highlighted_sections,
    "detectable_format:multiple_sections": multiple_sections,
    "detectable_format:json_format": json_format,
    "detectable_format:title": title,
    "combination:two_responses": two_responses,
    "combination:repeat_prompt": repeat_prompt,
    "startend:end_checker": end_checker,
    "startend:quotation": quotation,
    "keywords:existence": existence,
    "keywords:frequency": frequency,
    "keywords:forbidden_words": forbidden_words,
    "keywords:letter_frequency": letter_frequency,
    "change_case:capital_word_frequency": capital_word_frequency,
    "change_case:english_capital": english_capital,
    "change_case:english_lowercase": english_lowercase,
    "punctuation:no_comma": no_comma,
}
