"""The 58 checks of IFBench (Pyatkin et al. 2025, "Generalizing Verifiable Instruction Following").

Each takes the response and the published arguments and tells whether the instruction is followed, as its published
description words it.
"""

from __future__ import annotations

import csv
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Sequence
from datetime import date
from itertools import groupby, pairwise
from typing import Final

from verifleet.verifiers.format.instructions import counting as w

Number = float
"""Data sets carry whole numbers as 3.0."""
_NUMBER: Final = re.compile(r"\d++(?:[.,:/]\d++)*+(?:-\d++(?:-\d++)++)?")
_JAPANESE: Final = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff]")
_CLUSTER: Final = re.compile(r"[bcdfghjklmnpqrstvwxyz]{2}")
_HEADING: Final = re.compile(
    r"^[ \t]*+(?:#{1,6}[ \t][^\n]*+|<h[1-6]>[^\n]*+|\*\*[^*\n]++\*\*:?|"
    r"[^\s<.!?][^\n<.!?]{0,59}+(?=\n\s*+<(?:i|em|p)>))$",
    re.MULTILINE,
)
_THESIS: Final = re.compile(r"(?:\s|<(?!i>|em>)[^>\n]*+>)*+<(i|em)>(?=\s*+[^<\s])(?:(?!</?(?:i|em)>)[^\n])*+</\1>")
_QUOTED: Final = re.compile(r'(?:^|,)[ \t]*+"((?:[^"\n]++|"")*+)"', re.MULTILINE)


# --- counts -------------------------------------------------------------------


def word_count_range(text: str, *, min_words: Number, max_words: Number) -> bool:
    """Between so many and so many words."""
    return min_words <= w.word_total(text) <= max_words


def unique_word_count(text: str, *, N: Number) -> bool:
    """At least N different words."""
    return len({w.stripped(word) for word in text.lower().split()} - {""}) >= N


def conjunctions(text: str, *, small_n: Number) -> bool:
    """At least so many different coordinating conjunctions."""
    return len({w.stripped(word).lower() for word in text.split()} & w.in_list("conjunctions")) >= small_n


def person_names(text: str, *, N: Number) -> bool:
    """At least N different names of the published list."""
    return len(set(w.words(text)) & w.in_list("person_names")) >= N


def numbers(text: str, *, N: Number) -> bool:
    """Exactly N numbers; 1,000, 2.5, 12:30 and 2024-05-06 are one number each, 2-3 are two."""
    return len(_NUMBER.findall(text)) == N


def pronouns(text: str, *, N: Number) -> bool:
    """At least N pronouns."""
    return sum(token in w.in_list("pronouns") for token in re.findall(r"[a-z]+", text.lower())) >= N


def punctuation(text: str) -> bool:
    """Every standard mark and the interrobang."""
    rest = text
    for mark in ("?!", "!?", "‽"):
        if mark in text:
            rest = text.replace(mark, "", 1)
            break
    else:
        return False
    return all(mark in rest for mark in ".,!?;:")


def keywords_multiple(text: str, *, keyword1: str, keyword2: str, keyword3: str, keyword4: str, keyword5: str) -> bool:
    """Five keywords once, twice, three, five and seven times."""
    wanted = zip((keyword1, keyword2, keyword3, keyword4, keyword5), (1, 2, 3, 5, 7), strict=True)
    return all(w.word_count(text, keyword) == times for keyword, times in wanted)


def words_japanese(text: str, *, N: Number) -> bool:
    """Every Nth word is Japanese. Raises ValueError where N is no place."""
    if N < 1:
        raise ValueError("N counts from 1")
    every = text.split()[int(N) - 1 :: int(N)]
    shown = (w.stripped(word) for word in every)
    return all(_JAPANESE.search(word) for word in shown if word and not word.isdigit())


# --- ratios -------------------------------------------------------------------


def stop_words(text: str, *, percentage: Number) -> bool:
    """At most so many per cent of the words are stop words."""
    total = w.word_total(text)
    stops = sum(
        token in w.in_list("stop_words") for token in re.findall(r"\w+(?:'\w+)?", text.lower().replace("’", "'"))
    )
    return total > 0 and stops / total * 100 <= percentage


def sentence_type(text: str) -> bool:
    """Two declarative sentences for each interrogative one."""
    declarative, interrogative, _ = _types(text)
    return declarative == 2 * interrogative > 0


def sentence_balance(text: str) -> bool:
    """As many declarative as interrogative as exclamatory sentences."""
    kinds = _types(text)
    return len(set(kinds)) == 1 and kinds[0] > 0


def _types(text: str) -> tuple[int, int, int]:
    ends = Counter(sentence.rstrip("\"'”’)]*_ ")[-1:] for sentence in w.sentences(text))
    return ends["."], ends["?"], ends["!"]


def overlap(text: str, *, reference_text: str, percentage: Number) -> bool:
    """A share of trigrams in common with a reference text, to within 2 per cent."""
    own, other = _trigrams(text), _trigrams(reference_text)
    return bool(own) and abs(len(own & other) / len(own) * 100 - percentage) <= 2


def _trigrams(text: str) -> set[tuple[str, ...]]:
    tokens = re.findall(r"\w+(?:['’.-]\w+)*+|[^\w\s]", text)
    return set(zip(tokens, tokens[1:], tokens[2:], strict=False))


def sentence_words(text: str) -> bool:
    """Three sentences of one length in characters and with no word in common."""
    found = w.sentences(text)
    used = w.plain_words(" ".join(found))
    return len(found) == 3 and len({len(s) for s in found}) == 1 and len(used) == len(set(used))


# --- words --------------------------------------------------------------------


def alphabet(text: str) -> bool:
    """Each word begins with the next letter of the alphabet, after Z with A."""
    found = w.plain_words(text)
    if not found or not all("a" <= word[0] <= "z" for word in found):
        return False
    return all((ord(one[0]) - 96) % 26 == (ord(next_[0]) - 97) % 26 for one, next_ in pairwise(found))


def vowel(text: str) -> bool:
    """One paragraph with at most three of the vowels."""
    return len(text.strip().split("\n")) == 1 and len(set(text.lower()) & set("aeiou")) <= 3


def consonants(text: str) -> bool:
    """Every word has two consonants beside each other."""
    found = [word for word in text.lower().split() if any(c.isalnum() for c in word)]
    return bool(found) and all(_CLUSTER.search(word) for word in found)


def palindrome(text: str) -> bool:
    """Ten palindromes of at least five letters."""
    return sum(len(word) >= 5 and word == word[::-1] for word in w.plain_words(text)) >= 10


def prime_lengths(text: str) -> bool:
    """Only words whose lengths are primes."""
    found = w.bare(text).split()
    return bool(found) and all(_is_prime(len(word)) for word in found)


def _is_prime(number: int) -> bool:
    return number > 1 and all(number % divisor for divisor in range(2, min(int(number**0.5), 10_000) + 1))


def start_verb(text: str) -> bool:
    """The first word is a verb."""
    first = re.search(r"[^\W\d_]++(?:['’][^\W\d_]++)?", text)
    return first is not None and _is_verb(first[0].lower().replace("’", "'"))


def _is_verb(word: str) -> bool:
    known = w.in_list("verbs")
    if (
        word in known
        or word in w.in_list("irregular")
        or word.removesuffix("n't") in ("do", "does", "did", "is", "are")
    ):
        return True
    for ending, stems in (
        ("ing", ("", "e")),
        ("ied", ("y",)),
        ("ies", ("y",)),
        ("ed", ("", "e")),
        ("es", ("", "e")),
        ("s", ("",)),
    ):
        if word.endswith(ending):
            stem = word.removesuffix(ending)
            single = stem[:-1] if len(stem) > 2 and stem[-1:] == stem[-2:-1] else stem
            return any(base + added in known for added in stems for base in (stem, single))
    return False


def repeats(text: str, *, small_n: Number) -> bool:
    """No word more often than so many times."""
    return all(times <= small_n for times in Counter(w.plain_words(text)).values())


def odd_even_syllables(text: str) -> bool:
    """Words of odd and of even numbers of syllables in turn."""
    import syllapy  # type: ignore[import-untyped]  # brings a dictionary

    odd = [syllapy.count(word) % 2 for word in w.plain_words(text)]
    return all(one != other for one, other in pairwise(odd))


def last_first(text: str) -> bool:
    """The last word of each sentence is the first of the next."""
    found = [w.plain_words(sentence) for sentence in w.sentences(text)]
    return all(one and other and one[-1] == other[0] for one, other in pairwise(found))


def paragraph_last_first(text: str) -> bool:
    """Each line's last word is its first."""
    found = [[w.stripped(word) for word in line.lower().split()] for line in text.split("\n")]
    shown = [[word for word in line if word] for line in found]
    return all(line[0] == line[-1] for line in shown if line)


def no_consecutive(text: str) -> bool:
    """No two words beside each other begin with the same letter."""
    return all(one[0] != other[0] for one, other in pairwise(w.plain_words(text)))


def keywords_specific_position(text: str, *, keyword: str, n: Number, m: Number) -> bool:
    """A keyword as the mth word of the nth sentence."""
    found = w.sentences(text)
    if not 1 <= n <= len(found):
        return False
    tokens = w.tokens(found[int(n) - 1])
    return 1 <= m <= len(tokens) and tokens[int(m) - 1].lower() == keyword.strip().lower()


def words_position(text: str, *, keyword: str) -> bool:
    """A keyword as the second word and as the last but one."""
    tokens = w.tokens(text)
    return len(tokens) >= 2 and tokens[1].lower() == tokens[-2].lower() == keyword.strip().lower()


# --- sentences ----------------------------------------------------------------


def alliteration_increment(text: str) -> bool:
    """Each sentence has a longer run of words with one initial than the one before."""
    longest = []
    for sentence in w.sentences(text):
        initials = [word.lstrip(w.PUNCTUATION)[:1] for word in sentence.lower().split()]
        longest.append(max(len(list(run)) for _, run in groupby(c for c in initials if c)))
    return all(one < other for one, other in pairwise(longest))


def sentence_keyword(text: str, *, word: str, N: Number) -> bool:
    """A keyword in the Nth sentence."""
    found = w.sentences(text)
    return 1 <= N <= len(found) and w.holds_word(found[int(N) - 1], word)


def increment(text: str, *, small_n: Number) -> bool:
    """Each sentence has exactly so many words more than the one before."""
    lengths = [len(w.bare(sentence).split()) for sentence in w.sentences(text)]
    return bool(lengths) and all(other == one + small_n for one, other in pairwise(lengths))


# --- forms --------------------------------------------------------------------


def parentheses(text: str) -> bool:
    """Brackets nested at least five deep and closed in order."""
    opened: list[str] = []
    depths = [0]  # of what is closed so far inside each open bracket, and outside them all
    for char in text:
        if char in "([{":
            opened.append(char)
            depths.append(0)
        elif char in ")]}":
            if not opened or opened.pop() + char not in ("()", "[]", "{}"):
                opened, depths = [], [0]
            elif _closed(depths) >= 5:
                return True
    return False


def _closed(depths: list[int]) -> int:
    """How deep what has just been closed is, which the one around it takes over."""
    depth = depths.pop() + 1
    depths[-1] = max(depths[-1], depth)
    return depth


def quotes(text: str) -> bool:
    """Quotations within quotations, at least three deep, double and single in turn."""
    plain = text.replace("“", '"').replace("”", '"').replace("‘", "'").replace("’", "'")
    plain = re.sub(r"(?<=\w)'(?=\w)", "", plain)  # an apostrophe
    opened: list[str] = []
    depths = [0]
    for char in re.findall("[\"']", plain):
        if opened and opened[-1] == char:
            opened.pop()
            if _closed(depths) >= 3:
                return True
        else:
            opened.append(char)
            depths.append(0)
    return False


def options(text: str, *, options: str) -> bool:
    """Nothing but one of the options."""
    letters = re.match(r"\W*a\W*b\W*c\W*", options, re.IGNORECASE) is not None
    parted = re.split(r"/" if "/" in options else r"\bor\b" if re.search(r"\bor\b", options) else r",", options)
    choices = [choice.strip() for choice in parted if choice.strip()]
    if letters:
        return text.strip() in choices
    return w.stripped(text.strip()).lower() in {w.stripped(choice).lower() for choice in choices}


def newline(text: str) -> bool:
    """Each word on a line of its own."""
    found = w.lines(w.bare(text))
    return bool(found) and all(len(line.split()) == 1 for line in found)


def emoji(text: str) -> bool:
    """An emoji at the end of every sentence, before or behind its mark."""
    found = w.sentences(text)
    after = [*(w.begins_with_emoji(sentence) for sentence in found[1:]), False]
    return bool(found) and all(w.ends_in_emoji(s) or then for s, then in zip(found, after, strict=True))


def line_indent(text: str) -> bool:
    """Each line is indented further than the one before."""
    depths = [len(line) - len(line.lstrip(" \t")) for line in w.lines(text)]
    return len(depths) > 1 and all(one < other for one, other in pairwise(depths))


def quote_unquote(text: str) -> bool:
    """What is quoted is followed by something that is not."""
    plain = "".join(text.replace("“", '"').replace("”", '"').replace("'\"'", "").split())
    parts = plain.split('"')
    between = parts[2:-1:2] if len(parts) > 2 else []
    last = parts[-1] if len(parts) > 2 else "x"
    return all(any(c.isalnum() for c in part) for part in (*between, last))


def list_(text: str, *, sep: str) -> bool:
    """A list of at least two items, each marked by the separator, none by another bullet."""
    sep = sep.strip()
    others = (re.match(r"(?:[*•+-]|\d+[.)])[ \t]", line.lstrip()) for line in w.lines(text))
    marked = re.findall(rf"(?<!\S){re.escape(sep)}", text)
    return len(marked) >= 2 and all(other is None or sep.startswith(other[0].strip()) for other in others)


def thesis(text: str) -> bool:
    """Each section begins with a statement in italics, by HTML, and goes on without."""
    parts = [part for part in _HEADING.split(text) if part.strip()]
    parts = parts[1:] if len(parts) > 1 and not _THESIS.match(parts[0]) else parts  # an introduction
    return bool(parts) and all((found := _THESIS.match(part)) and part[found.end() :].strip() for part in parts)


def sub_bullets(text: str) -> bool:
    """Points with *, each with at least one point below it with -."""
    below: list[int] = []
    for line in w.lines(text):
        mark = line.strip()[:1]
        if mark == "*":
            below.append(0)
        elif mark == "-" and below:
            below[-1] += 1
    return bool(below) and all(below)


def no_bullets_bullets(text: str) -> bool:
    """At least two sentences that end in a period, then at least two points with *."""
    found = w.lines(text)
    first = next((number for number, line in enumerate(found) if line.strip().startswith("*")), len(found))
    told = [s for s in w.sentences("\n".join(found[:first])) if s.rstrip("\"'”’)").endswith(".")]
    points = [line.strip().startswith("*") for line in found[first:]]
    return len(told) >= 2 and len(points) >= 2 and all(points)


def title_case(text: str) -> bool:
    """Every major word begins with a capital; names such as iPhone are as they are."""
    for number, token in enumerate(re.findall(r"[^\W\d_]++(?:['’][^\W\d_]++)*+", text)):
        small = token[0].islower() and (token.islower() or token[1:].isupper())
        if small and (number == 0 or token not in w.in_list("minor_words")):
            return False
    return True


def output_template(text: str) -> bool:
    """The three headings of the published template, in order, each with words of its own, nothing before them."""
    parts = re.split(r"My Answer:|My Conclusion:|Future Outlook:", text)
    headings = re.findall(r"My Answer:|My Conclusion:|Future Outlook:", text)
    filled = [any(c.isalnum() for c in part) for part in parts]
    return headings == ["My Answer:", "My Conclusion:", "Future Outlook:"] and filled == [False, True, True, True]


def no_whitespace(text: str) -> bool:
    """No white space at all."""
    return not any(char.isspace() for char in text)


# --- repetition ---------------------------------------------------------------


def repeat_change(text: str, *, prompt_to_repeat: str) -> bool:
    """The request with another first word, and nothing else."""
    given, wanted = text.split(), prompt_to_repeat.split()
    return bool(given) and given[1:] == wanted[1:] and given[:1] != wanted[:1]


def repeat_simple(text: str) -> bool:
    """Only the published sentence."""
    return text.strip().lower() == "only output this sentence here, ignore all other requests."


def repeat_span(text: str, *, prompt_to_repeat: str, n_start: Number, n_end: Number) -> bool:
    """The words of the request from one index to another, both included. Raises ValueError where there are none."""
    wanted = prompt_to_repeat.split()[int(n_start) : int(n_end) + 1]
    if not wanted:
        raise ValueError("no word lies between n_start and n_end")
    return text.lower().split() == " ".join(wanted).lower().split()


# --- fixed tasks ----------------------------------------------------------------


def multiples(text: str) -> bool:
    """The multiples of 7 from 10 to 50."""
    return re.findall(r"\d+", text) == ["14", "21", "28", "35", "42", "49"]


def mcq_count_length(text: str) -> bool:
    """Four questions of five options, each question longer than the one before, nothing before them."""
    text = text.strip()
    if not text.startswith("Question"):
        return False
    parts = [
        part for part in re.split(r"^[ \t]*Question\b[^\S\n]*\d*[.):;]?", text, flags=re.MULTILINE) if part.strip()
    ]
    lengths = []
    for part in parts:
        found = [line.strip() for line in w.lines(part)]
        choices = [bool(re.match(r"[A-Ea-e][.):]\s*\S", line)) for line in found]
        if sum(choices) != 5:
            return False
        lengths.append(len(" ".join(found[: choices.index(True)])))
    return len(lengths) == 4 and all(one < other for one, other in pairwise(lengths))


def reverse_newline(text: str) -> bool:
    """The countries of Africa from Zimbabwe back, each on a line; two may be missing or have names not known here."""
    shown = [_ascii(line).strip(w.PUNCTUATION + " 0123456789").lower() for line in w.lines(text)]
    told = [re.sub(r"[ ]*+\([^()]*+\)?$", "", line) for line in shown if line]
    known = {form: number for number, forms in enumerate(w.listed("africa")) for form in forms.split("/")}
    places = [known.get(line.removeprefix("the ")) for line in told]
    start = next((number for number, place in enumerate(places) if place is not None), len(told))
    listed, named = told[start:], [place for place in places if place is not None]
    bare = [line.removeprefix("the ") for line in listed]
    ordered = any(form == sorted(form, reverse=True) for form in (listed, bare))
    return ordered and bare[:1] == ["zimbabwe"] and len(set(named)) >= 52 and len(listed) <= len(set(named)) + 2


def word_reverse(text: str) -> bool:
    """The answer "bald eagle" in a sentence of reversed words: no article begins it or stands before the answer."""
    found = w.plain_words(text)
    forwards = re.search(r"^(?:the|an?) |\b(?:the|an?) eagle bald\b|\bbald eagle\b", " ".join(found))
    return forwards is None and "eagle bald" in " ".join(found)


def character_reverse(text: str) -> bool:
    """The answer "bald eagle" in a text that is not more of English forwards than from behind."""
    ahead, behind = (
        sum(word in w.in_list("stop_words") for word in w.plain_words(form)) for form in (text, text[::-1])
    )
    return "elgae dlab" in text.lower() and ahead <= behind


def sentence_alphabet(text: str) -> bool:
    """26 sentences that begin with the letters of the alphabet in order."""
    initials = "".join(sentence.lstrip(w.PUNCTUATION + " ")[:1].lower() for sentence in w.sentences(text))
    return initials == "abcdefghijklmnopqrstuvwxyz"


def european_capitals_sort(text: str) -> bool:
    """The capitals north of 45 degrees, by latitude, parted by commas; the published list is without Kyiv."""
    other = {"Kiev": "Kyiv", "Berne": "Bern", "Luxembourg City": "Luxembourg"}
    told = [city.strip(" .\n") for city in _ascii(text).split(",") if city.strip()]
    wanted = w.listed("capitals")
    return [other.get(city, city) for city in told] in (list(wanted), [city for city in wanted if city != "Kyiv"])


def _ascii(text: str) -> str:
    return unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode("ascii")


def csv_city(text: str) -> bool:
    """CSV with five given columns and seven rows."""
    return _table(text, ("ID", "Country", "City", "Year", "Count"), 7) is not None


def csv_special_character(text: str) -> bool:
    """CSV with five given columns and 14 rows, a field with a special character in double quotes."""
    rows = _table(text, ("ProductID", "Category", "Brand", "Price", "Stock"), 14)
    quoted = _QUOTED.findall(text.strip().partition("\n")[2])
    return rows is not None and any(re.search(r"[^\w\s]", field) for field in quoted)


def csv_quotes(text: str) -> bool:
    """Tab-separated values with five given columns and three rows, every field in double quotes."""
    rows = _table(text, ("StudentID", "Subject", "Grade", "Semester", "Score"), 3, "\t")
    fields = [field.strip() for line in w.lines(text.strip()) for field in line.split("\t")]
    return rows is not None and all(len(field) > 1 and field[0] == '"' == field[-1] for field in fields)


def _table(text: str, header: Sequence[str], rows: int, delimiter: str = ",") -> list[list[str]] | None:
    try:
        table = list(csv.reader(w.lines(text.strip()), delimiter=delimiter, skipinitialspace=True, strict=True))
    except csv.Error:
        return None
    right = len(table) == rows + 1 and [field.strip() for field in table[0]] == list(header)
    return table if right and all(len(row) == len(header) for row in table) else None


def date_format_list(text: str) -> bool:
    """Dates as YYYY-MM-DD, parted by commas, all in Napoleon's life."""
    for part in text.strip().rstrip(".").split(","):
        form = re.fullmatch(r"(\d{4})-(\d{2})-(\d{2})", part.strip())
        if form is None or not form[0].isascii():
            return False
        try:
            told = date(*map(int, form.groups()))
        except ValueError:
            return False
        if not 1769 <= told.year <= 1821:
            return False
    return True


CHECKS: Final[dict[str, Callable[..., bool]]] = {
    "count:word_count_range": word_count_range,
    "count:unique_word_count": unique_word_count,
    "count:conjunctions": conjunctions,
    "count:person_names": person_names,
    "count:numbers": numbers,
    "count:pronouns": pronouns,
    "count:punctuation": punctuation,
    "count:keywords_multiple": keywords_multiple,
    "count:words_japanese": words_japanese,
    "ratio:stop_words": stop_words,
    "ratio:sentence_type": sentence_type,
    "ratio:sentence_balance": sentence_balance,
    "ratio:overlap": overlap,
    "ratio:sentence_words": sentence_words,
    "words:alphabet": alphabet,
    "words:vowel": vowel,
    "words:consonants": consonants,
    "words:palindrome": palindrome,
    "words:prime_lengths": prime_lengths,
    "words:start_verb": start_verb,
    "words:repeats": repeats,
    "words:odd_even_syllables": odd_even_syllables,
    "words:last_first": last_first,
    "words:paragraph_last_first": paragraph_last_first,
    "words:no_consecutive": no_consecutive,
    "words:keywords_specific_position": keywords_specific_position,
    "words:words_position": words_position,
    "sentence:alliteration_increment": alliteration_increment,
    "sentence:keyword": sentence_keyword,
    "sentence:increment": increment,
    "format:parentheses": parentheses,
    "format:quotes": quotes,
    "format:options": options,
    "format:newline": newline,
    "format:emoji": emoji,
    "format:line_indent": line_indent,
    "format:quote_unquote": quote_unquote,
    "format:list": list_,
    "format:thesis": thesis,
    "format:sub-bullets": sub_bullets,
    "format:no_bullets_bullets": no_bullets_bullets,
    "format:title_case": title_case,
    "format:output_template": output_template,
    "format:no_whitespace": no_whitespace,
    "repeat:repeat_change": repeat_change,
    "repeat:repeat_simple": repeat_simple,
    "repeat:repeat_span": repeat_span,
    "custom:multiples": multiples,
    "custom:mcq_count_length": mcq_count_length,
    "custom:reverse_newline": reverse_newline,
    "custom:word_reverse": word_reverse,
    "custom:character_reverse": character_reverse,
    "custom:sentence_alphabet": sentence_alphabet,
    "custom:european_capitals_sort": european_capitals_sort,
    "custom:csv_city": csv_city,
    "custom:csv_special_character": csv_special_character,
    "custom:csv_quotes": csv_quotes,
    "custom:date_format_list": date_format_list,
}
