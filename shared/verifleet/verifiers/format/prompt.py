"""The format that a prompt asks for, when no reference names it."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any, Final

from verifleet.verification import FormatReference
from verifleet.verifiers.format.prompt_schema import (
    literal_schema,
    quoted_names,
    shown_object,
    skeleton_schema,
)
from verifleet.verifiers.format.prompt_types import admits_no_other, items_type, told_type, typed_keys

SEARCHED: Final = 8_000  # characters from each end of a prompt; instructions stand there
_CACHED_LENGTH: Final = 8_000

_STANDARD: Final = r"(?:iso(?:[- ]?8601)?|rfc[- ]?3339)"
# Each format by the words that name it. Longer names come before the shorter ones they contain.
_NAMES: Final[tuple[tuple[str, str], ...]] = (
    ("ndjson", r"(?:ndjson|json ?lines|jsonl|newline[- ]delimited json)"),
    ("json", r"json(?! ?(?:schema|lines|l\b|path|web))"),
    ("xml", r"xml(?! ?schema)"),
    ("csv", r"(?:csv|comma[- ]separated values?)"),
    ("yaml", r"ya?ml"),
    ("toml", r"toml"),
    ("html", r"html5?"),
    (
        "markdown_table",
        r"(?:(?:markdown|md|gfm)[- ](?:formatted |style )?table"
        r"|table (?:formatted )?(?:in|as|using|with) (?:valid )?(?:github[- ]flavou?red )?markdown)",
    ),
    ("email", r"e-?mail address"),
    ("url", r"(?:url|uri|web ?link)"),
    ("uuid", r"(?:uuid|guid)(?:v?[1-8])?"),
    ("date-time", rf"(?:{_STANDARD}[- ](?:date-?time|timestamp|date and time)|date-time)"),
    ("duration", rf"{_STANDARD} duration"),
    ("time", r"rfc[- ]?3339 (?:full-)?time"),
    ("date", rf"(?:(?:{_STANDARD}|yyyy-mm-dd)(?: calendar)?(?: date)?)"),
    ("ipv6", r"ip ?v6(?: address)?"),
    ("ipv4", r"(?:ip ?v4(?: address)?|ip address)"),
    ("semver", r"(?:semantic version(?: number)?|semver(?: version)?)"),
    ("regex", r"(?:regex|regexp|regular expression)"),
    ("javascript", r"(?:javascript|ecmascript|node\.?js)"),
    ("python", r"python ?3?"),
    ("sql", r"sql(?:ite)?"),
)
_LANGUAGES: Final = {"javascript", "python", "sql"}
_DOCUMENTS: Final = {"json", "ndjson", "xml", "csv", "yaml", "toml", "html"}
_STAMPS: Final = {"date", "date-time", "time", "duration", "uuid", "semver"}
_ANY: Final = "|".join(f"(?P<f{number}>{words})" for number, (_, words) in enumerate(_NAMES))
_FILLER: Final = (
    r"(?:(?:(?:single-line|one-line|only|just|back|me|us|it|with|in|as|to|into|using|a|an|the|one|single|your"
    "|valid|strict|strictly|"
    r"well-?formed|compliant|correct|proper|raw|pure|plain|minified|compact|pretty-?printed|formatted|standard|"
    r"syntactically|complete|simple|small|short|random|working|some|exactly|of|rfc[- ]?(?!3339)\d+|version[- ]?\d|"
    r"(?:semicolon|tab|pipe|comma)[- ](?:separated|delimited)(?![ -]values)|github[- ]flavou?red|"
    r"answer|response|output|result|results|object|document|reply|format|form|code|be|must|should|following|"
    r"example|sample|next|new|final|resulting|corresponding|equivalent|matching|same|original|clean|"
    r"nested|flat|full|entire|whole|[a-z]+ed|rows?|lines?|records?|entries|\d+|two|three|four|five"
    r"|six|seven|eight|nine|ten)\b|:)"
    r"[ \t]*+[ \t\n:,\"'`*]{0,3}+){0,8}+"
)
_VERBS: Final = (
    r"(?:return|respond|reply|answer|output|print|emit|produce|generate|give|provide|write|create|format|show|display|"
    r"draw|compose|draft|design|construct|formatted|encode|serialize|serialise|present|supply|submit|send|make"
    "|build|express|render|"
    r"structured?|represent|returned|output(?:ted)?|must be|should be|needs to be|has to be|be)"
)
_BEFORE: Final = r"(?<![\w/.\-])"
# Where such a word follows, the format is the topic or belongs to something else.
_NOT_THAT: Final = (
    r"(?![ \t]+(?:polic(?:y|ies)|working|group|standards?|specifications?|spec|syntax|parsers?|parsing|librar(?:y|ies)|"
    r"validators?|validation|tools?|editors?|apis?|developers?|programmers?|community|conference|books?|tutorials?|"
    r"courses?|history|injection|servers?|engines?|interpreters?|jokes?|essay|blog|article|snake|tips|tricks|"
    r"experts?|professionals?|gurus?|engineers?|teachers?|tutors?|coders?|specialists?|beginners?|help|addresses|"
    r"questions|exercises|quiz(?:zes)?|facts|reasons|resources|concepts|features|basics|interviews?|cheat ?sheets?)\b)"
    # What is below or above the request is given with it.
    r"(?![ \t]+(?:(?:data|file|document|object|array|string|snippet|input|payload|response)[ \t]+)?"
    r"(?:below|above|attached|(?:provided|given|shown|pasted)[ \t]+(?:below|above|here)|you (?:just )?(?:gave|sent))\b)"
)
_AFTER: Final = r"(?![\w/]|\.\w|-(?!format|formatted|encoded|only|compliant)\w)" + _NOT_THAT
_NEGATED = re.compile(
    r"(?:\b(?:not|no|never|without|avoid|instead of|rather than|neither|nor)\b|n't)"
    r"(?:(?!\bbut\b)[^.\n;,]){0,25}$",
    re.IGNORECASE,
)
_QUOTED_SOURCE = re.compile(
    r"\b(?:(?:this|that|these|those|from|parse[sd]?|parsing|given|reads?|reading)\s+(?:the\s+)?|of\s+the\s+)$", re.I
)
_SENTENCE = re.compile(r"[.!?;:\n][\s\"'“”)]+|,[ \t]+(?=(?:and |then |but |please |so )*[a-z]+\b)")
_LEAD = re.compile(r"[.!?:;\n,][\s\"']*")  # the end of the sentence before, where a wording begins with it
# A sentence that begins so asks about the format, unless it says what to do.
_QUESTION = re.compile(
    r"\s*(?:how|why|who|whose|when|where|is|are|was|were|does|do|did|has|have|should|shall|which|"
    r"(?:check|test|verify|see|decide|determine|tell me) (?:whether|if|that))\b(?!n't| not)",
    re.IGNORECASE,
)
_REFUSED = re.compile(
    r"[ \t]+(?:\w+[ \t]+)?(?:is|are|will be|would be)[ \t]+"
    r"(?:not|rejected|ignored|forbidden|prohibited|penali[sz]ed|discarded|disallowed|invalid|wrong)\b",
    re.IGNORECASE,
)
_HOW = re.compile(r"\bhow[ \t]+(?:to|do|does|can|could|should|you|i|we|one)\b[^.]*$", re.IGNORECASE)
_PROSE = re.compile(
    r"\b(?:tutorial|guide|article|essay|blog|post|book|chapter|course|lesson|review|story|poem|haiku|song|limerick"
    "|letter|"
    r"summary|overview|introduction|comparison|report|speech)\b",
    re.IGNORECASE,
)
# What a text is or was put in, which is not what the answer shall be in.
_STATED = re.compile(
    r"\b(?:is|are|was|were|been|comes?|came|stored|saved|kept|provided|supplied|given|sent|received|available|written|"
    r"encoded|exported|loaded|uploaded|stores|saves|keeps|sends|holds|publishes|exchanges|have|has"
    r"|had|got|contains|reads|accepts|returns|takes|supports|uses)\b"
    r"[^.]{0,40}$",
    re.IGNORECASE,
)
# "In the XML", "using this JSON": a document that is there, unless "format" follows.
_GIVEN = re.compile(r"(?:in|using)[ \t]+(?:the|this|that|these|my|our|your)[ \t]+$", re.IGNORECASE)
_AS_SUCH = re.compile(r"[ \t]+(?:format|form|syntax|structure|style|notation|encoding)\b", re.IGNORECASE)
_CONVERTER = re.compile(
    r"\b(?:to|that|which|can|could|i|for|function|script|program|tool|code|method|way)\s+(?:\w+\s+){0,2}"
    r"(?:convert|transform|translat|turn|pars|serializ|export|chang)\w*\b[^.]*$",
    re.IGNORECASE,
)
# A sentence that begins so has the format as its topic, unless the answer is to be "as" or "in" it.
_ABOUT = re.compile(
    r"\s*(?:please |now |then )*"
    r"(?:describe|explain|discuss|define|compare|document|summari[sz]e|outline|teach|analy[sz]e)\b",
    re.IGNORECASE,
)
_WANTED = re.compile(
    r"\b(?:must|should|shall|needs?|has to|have to|want|wants|like|required?|please|ensure|make sure)\b", re.IGNORECASE
)
_CLAUSE: Final = r"(?:^|[.!?:;\n][ \t\"']*|,[ \t]*|\b(?:please|and|then|now|just|you|always|must|should)[ \t,]+)"
_PARSEABLE = re.compile(
    r"\bpars(?:e?able|ed)\b[^.\n]{0,20}\b(?:json\.loads|json\.parse)\b"
    r"|\bpars(?:e|ed|es|ing)\b[ \t]+(?:your|the)[ \t]+(?:reply|response|answer|output)\b[^.\n]{0,20}"
    r"\b(?:json\.loads|json\.parse)\b"
    r"|\b(?:respond|reply|answer|output|return|format|generate|produce|response|result)\b[^.\n]{0,60}"
    r"\b(?:using|follow\w*|match\w*|conform\w* to|adher\w+ to|according to|compl\w+ with|with|per|satisf\w+|obey\w*)"
    r"[ \t]+(?:(?:the|this|that|following|provided|given)[ \t]+)*json[- ]?schema\b",
    re.IGNORECASE,
)
_COLUMNS = re.compile(
    r"\b(?:columns?|headers?|fields?)\b(?: row| names(?![\w,])| named| called| are| is| of| in order| exactly| these|"
    r" the following| should be| must be|:|,| -)*[ \t]+(?P<names>[^.\n;]{1,400})",
    re.IGNORECASE,
)
_NO_COLUMN = re.compile(r"(?:\d+|no|nothing|only|with|without|a|the|at|please|then)[ \t]", re.IGNORECASE)
_COLUMN_NUMBER = re.compile(r"\b(\d{1,3}|two|three|four|five|six|seven|eight|nine|ten)[ -]+columns?\b", re.IGNORECASE)
_NUMBERS: Final = {
    word: number
    for number, word in enumerate(["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"], 2)
}
_DELIMITERS: Final = (("semicolon", ";"), ("tab", "\t"), ("pipe", "|"))
_NO_HEADER = re.compile(r"\b(?:no|without(?: an?)?|omit the|skip the) header", re.IGNORECASE)
_TAG_PAIR = re.compile(r"<(?P<tag>[a-zA-Z][\w-]{0,40})>[^<>]{0,200}</(?P=tag)>")
_TAG_NAMED = re.compile(
    r"<(?P<tag>[a-zA-Z][\w-]{0,40})>(?:[ \t]*(?:and|\.\.\.|…|,)?[ \t]*</(?P=tag)>)?[`'\"]?[ \t]+(?:tags?|blocks?)\b",
    re.I,
)
_TAG_WORDS = re.compile(r"\btags?\b|\btemplate\b|\bformat\b", re.IGNORECASE)
_WELL_KNOWN_TAGS: Final = frozenset(("think", "thinking", "reasoning", "answer", "solution", "final_answer", "result"))
_HTML_TAGS: Final = frozenset(
    "a b blockquote body br code div em h1 h2 h3 h4 h5 h6 head hr html i img li ol p pre s small span strong sub sup "
    "table tbody td th thead tr u ul".split()
)
_WRAPPED = re.compile(
    r"\b(?:wrap|enclose|put|place|surround)\b[^.\n<]{0,40}"
    r"\b(?:answer|response|reply|output|result|solution|reasoning|everything|it)\b",
    re.IGNORECASE,
)
_MAX_TAGS: Final = 12
_TAG_VERB = re.compile(
    r"\b(?:wrap|enclose|put|place|inside|in|within|between|using"
    r"|surround)\b[^.\n<]{0,80}<(?P<tag>[a-zA-Z][\w-]{0,40})>",
    re.IGNORECASE,
)
_LINES = re.compile(
    r"\bjson\b[^.\n]{0,40}\b(?:per|each|every|a|on each|on its own) line\b|\b(?:ndjson|jsonl|json lines)\b",
    re.IGNORECASE,
)
_ROOT = re.compile(
    r"\broot(?: element| tag| node)?(?: named| called| of| is| should be| must be|:)*[ \t]+"
    r"[`'\"<]{0,2}([A-Za-z_](?:[\w.-]*\w)?)",
    re.I,
)
_OR = re.compile(
    rf"(?:[ \t]+(?:format|document|file|object|output))?(?P<join>[ \t]*,[ \t]*or[ \t]+|[ \t]+or[ \t]+|[ \t]*,[ \t]*)"
    rf"(?:(?:in|as|an?|valid|well-?formed)[ \t]+){{0,3}}(?:{_ANY})(?![\w/]|\.\w|-\w)",
    re.IGNORECASE,
)
_EACH_LINE = re.compile(
    r"\b(?:each|every)\b(?:[ \t]+(?:line|object|record|row|entry|item|one))?\b|\b(?:one|an?)[ \t]+(?:json[ \t]+)?"
    r"(?:object|array|list|record)[ \t]+(?:per|on (?:each|every))[ \t]+line\b|\bper[ \t]+line\b",
    re.IGNORECASE,
)
_LINE_KIND = re.compile(
    r"\b(?:json[ \t]+)?(?P<kind>object|array|list)s?[ \t]+(?:per|on (?:each|every))[ \t]+line\b"
    r"|\b(?:each|every)[ \t]+line\b[^.\n,;]{0,20}?\b(?:an?|one)[ \t]+(?:valid[ \t]+|single[ \t]+)?(?:json[ \t]+)?"
    r"(?P<other>object|array|list)\b",
    re.IGNORECASE,
)
_NAME_IN_QUOTES: Final = r"(?:\"[\w -]{1,60}\"|'[\w -]{1,60}'|`[\w -]{1,60}`)"
_LINE_NAMES = re.compile(
    r"[^.\n]{0,60}?\b(?:with|containing|contains?|having|has|have|including|includes?)\b[ \t]+"
    rf"(?:(?:the|both|exactly|only)[ \t]+)*(?P<list>{_NAME_IN_QUOTES}"
    rf"(?:(?:,[ \t]*(?:and[ \t]+)?|[ \t]+and[ \t]+){_NAME_IN_QUOTES})+)[ \t]*(?:[.;\n]|$)"
)
# "Each record must contain: user, text, label." Behind a colon plain words are names.
_LINE_LISTED = re.compile(
    r"[^.:\n]{0,60}?\b(?:contain|contains|have|has|include|includes|with|fields|keys)\b[^.:\n]{0,20}:[ \t]*"
    rf"(?P<list>(?:{_NAME_IN_QUOTES}|[A-Za-z_]\w*)"
    rf"(?:(?:,[ \t]*(?:and[ \t]+)?|[ \t]+and[ \t]+)(?:{_NAME_IN_QUOTES}|[A-Za-z_]\w*))+)[ \t]*(?:[.;\n]|$)"
)
_LINE_SHOWN = re.compile(r"(?:[ \t]+(?:is|looks like|has the form|must be|should be))?[ \t]*[:=]?[ \t]*`?(?=\{)")
_KEY: Final = r"(?:\"[^\"\n]{1,60}\"|'[^'\n]{1,60}'|`[^`\n]{1,60}`|[A-Za-z_]\w*)(?:[ \t]*\([^)\n]{1,60}\))?"
_KEYS = re.compile(
    r"[^.\n]{0,80}?\b(?:with|containing|contains?|having|has|have|including|includes?|using|uses?)\b[ \t]+"
    r"(?:(?:the|these|exactly|only|just|following|required|a|single|one|two|three|four|five|six|\d)[ \t]+)*"
    r"(?:keys?|fields?|properties|property|attributes?)\b(?:[ \t]+(?:named|called|are|of))?[ \t]*:?[ \t]*"
    rf"(?P<list>{_KEY}(?:(?:[ \t]*,[ \t]*(?:and[ \t]+)?|[ \t]+and[ \t]+|[ \t]*&[ \t]*){_KEY})*)"
    r"(?=[ \t]*(?:[.;:!?)\n]|$|,?[ \t]+(?:for|of|where|only|please|from|based|describing|about)\b)"
    r"|,?[ \t]+(?:and|with|but)[ \t]+(?:nothing|no)\b)"
)
_BULLETS = re.compile(
    r"[^\n]{0,120}?\b(?:keys|fields|properties|attributes)\b[^.\n]{0,30}:?[ \t]*\n+"
    rf"(?P<list>(?:[ \t]*(?:[-*•]|\d+[.)])[ \t]+{_KEY}[ \t]*(?:[:–—-][^\n]*)?(?:\n+|$))+)"
)
_ITEM = re.compile(rf"(?P<key>{_KEY})(?P<rest>[^\n]*)")
_NO_KEYS: Final = frozenset(
    ("sorted", "and", "in", "as", "that", "values", "which", "quoted", "below", "above", "only")
)
_JSON_KIND = re.compile(
    r"[ \t]+(?:(?P<many>array|list)|(?P<one>object|dictionary|dict|map))(?!s)\b"
    r"(?![ \t]*(?:/|,?[ \t]*(?:or|per|for each|for every)\b))",
    re.IGNORECASE,
)
_ANOTHER_KIND: Final = {
    "object": re.compile(
        r"\bor[ \t]+(?:an?[ \t]+)?(?:json[ \t]+)?(?:array|list)\b|\bjson[ \t]+(?:array|list)\b", re.IGNORECASE
    ),
    "array": re.compile(r"\bor[ \t]+(?:an?[ \t]+)?(?:json[ \t]+)?object\b|\bjson[ \t]+object(?!s)\b", re.IGNORECASE),
}
_FENCE_ASKED = re.compile(
    r"\b(?:wrap|wrapped|enclosed?|surround|surrounded|put|place|placed|in|inside|within|into"
    r"|between|using|with|as|use)\b"
    r"[^.\n]{0,50}?(?:(?:\bmarkdown|\bcode|\bfenced)[- ]+(?:code[- ]?|json[- ]?)?(?:blocks?|fences?)\b|\bcodeblocks?\b"
    r"|\btriple[- ]?back-?ticks?\b|\bfences\b|```\w*[ \t]+(?:fence|block|code|mark|tag))"
    r"|\b(?:wrap|wrapped|enclosed?|surround|surrounded|between|inside|within)\b[^.\n]{0,30}(?:```|~~~)"
    r"|\b(?:wrap|wrapped|enclosed?|surround|surrounded|put|place|placed|in|inside|within|between|with)\b[^.\n]{0,40}?"
    r"(?:`?\bback-?ticks?\b`?|\binline[- ]code\b|\bcode ticks\b)",
    re.IGNORECASE,
)
_FENCE_REFUSED = re.compile(
    r"(?:\b(?:not|no|never|without|avoid|omit|remove|strip|instead of|rather than|free of)\b|n't)[^.\n;]{0,60}$",
    re.IGNORECASE,
)


def _tier(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


# From the surest wording to the weakest: "nothing but JSON"; "convert … to YAML"; "return valid JSON"; "use XML";
# "answer as CSV"; "valid YAML"; "TOML only"; "what is the URL".
_ONLY = _tier(
    rf"\b(?:nothing|anything|no text|no output)[ \t]+(?:but|except|besides|other than|else than)[ \t]+"
    rf"{_FILLER}{_BEFORE}(?:{_ANY}){_AFTER}"
)
_INTO = _tier(rf"\b(?:as|in|into|to|using)[ \t\n]+{_FILLER}{_BEFORE}(?:{_ANY}){_AFTER}")
_WHAT = _tier(rf"\bwhat(?:'s| is| are)?[ \t\n]+(?P<filler>{_FILLER}){_BEFORE}(?:{_ANY}){_AFTER}")
# "Fix this JSON": what comes back is that document.
_FIX = _tier(
    rf"{_CLAUSE}(?:fix|repair|correct|minify|pretty-?print|reformat|clean up|validate and fix)[ \t]+"
    r"(?:(?:the|this|that|my|our|following|broken|invalid|malformed|incorrect|above|below)[ \t]+)*"
    rf"{_BEFORE}(?:{_ANY})(?![\w/])"
    r"(?:[ \t]+(?:document|file|object|array|string|snippet|data|input|code))?(?:[ \t]+(?:below|above))?[ \t]*"
    r"(?:$|[.:;,!\n]|so that|and )"
)
_USE = _tier(rf"{_CLAUSE}use[ \t]+{_FILLER}{_BEFORE}(?:{_ANY}){_AFTER}")
_WEAK: Final = (
    _INTO,
    _tier(rf"\b(?:valid|well-?formed)[ \t\n]+{_FILLER}{_BEFORE}(?:{_ANY}){_AFTER}"),
    _tier(rf"{_BEFORE}(?:{_ANY})[ \t]+(?:only|output|format|object|array|document|string|response|please)\b"),
    _tier(rf"{_BEFORE}(?:{_ANY})[ \t]+with[ \t]+(?:\w+[ \t]+){{0,3}}(?:columns|keys|fields)\b"),
    _tier(rf"\bonly[ \t]+(?:valid[ \t]+)?{_BEFORE}(?:{_ANY})[ \t]+(?:is|are|will be|may be|can be)\b"),
    _tier(rf"\b(?:the|your|output|this)[ \t]+{_BEFORE}(?:{_ANY})[ \t]+(?:must|should|shall|has to|needs to)\b"),
)
_TIERS: Final = (
    _ONLY,
    _tier(
        rf"{_CLAUSE}(?:convert|transform|translate|turn|change|rewrite|reformat|format|export)\b[^.\n]{{0,120}}?"
        rf"\b(?:to|into|as|in)[ \t]+{_FILLER}{_BEFORE}(?:{_ANY}){_AFTER}"
    ),
    _tier(rf"\b{_VERBS}[ \t\n:]+{_FILLER}{_BEFORE}(?:{_ANY}){_AFTER}"),
    _tier(
        rf"\b(?:(?:i|we)(?:'d| would)?[ \t]+(?:want|need|like|expect|require)"
        rf"|(?:always|only)[ \t]+(?:replies|responds|answers|outputs|returns|speaks|produces))"
        rf"[ \t]+{_FILLER}{_BEFORE}(?:{_ANY}){_AFTER}"
    ),
    _tier(
        rf"^(?:an?[ \t]+)?(?:{_ANY})[ \t]+(?:query|code|function|script|program|snippet|statement|class|one-liner)"
        r"[ \t]+(?:to|for|that|which|returning)\b"
    ),
    _USE,
    *_WEAK,
    _FIX,
    _WHAT,
)


def asked_format(prompt: str) -> FormatReference | None:
    """The reference that a prompt's wording amounts to; None where it asks for no format."""
    if len(prompt) <= _CACHED_LENGTH:
        return _cached(prompt)
    return _asked(prompt if len(prompt) <= 2 * SEARCHED else prompt[:SEARCHED] + "\n\n" + prompt[-SEARCHED:])


@lru_cache(maxsize=512)
def _cached(prompt: str) -> FormatReference | None:
    return _asked(prompt)


def _asked(prompt: str) -> FormatReference | None:
    tags = _tags(prompt)
    name, end = _named(prompt) or (None, 0)
    others = [] if name is None else _alternatives(prompt, name, end)
    if name in ("xml", "html") and tags and "think" not in tags:
        tags = ()  # tags of the document itself, not of a template
    fields = {} if name is None else _fields(prompt, name, end)
    if others:
        fields = {"any_of": [fields, *({"format": other} for other in others)]}
    if not tags:
        return None if name is None else FormatReference(**fields)
    template = FormatReference(template=_template(tags))
    if name is None or name in _LANGUAGES:
        return template
    if tags == ("think",):
        return FormatReference(all_of=[template, FormatReference(**fields)])
    return template if others else FormatReference(template=_template(tags, f"{{{name}}}"))


def _named(prompt: str) -> tuple[str, int] | None:
    """The format that is asked for, and where its name ends."""
    for tier in _TIERS:
        for match in tier.finditer(prompt):
            number = next(number for number in range(len(_NAMES)) if match[f"f{number}"])
            name = _NAMES[number][0]
            if _is_asked(prompt, tier, match, name, match.start(f"f{number}")):
                at, end = match.span(f"f{number}")
                meant = _moment(prompt, match[f"f{number}"], at) if name == "date" else name
                return _carrier(prompt, meant, end) if meant else None
    parseable = _PARSEABLE.search(prompt)
    return None if parseable is None else ("json", parseable.end())


def _alternatives(prompt: str, name: str, end: int) -> list[str]:
    """The other documents that would do, too: "JSON or XML", "JSON, YAML or TOML"."""
    found: list[str] = []
    joined = False
    while name in _DOCUMENTS and (match := _OR.match(prompt, end)) is not None:
        number = next(number for number in range(len(_NAMES)) if match[f"f{number}"])
        other, end = _NAMES[number][0], match.end(f"f{number}")
        joined = joined or "or" in match["join"].lower()
        if other not in _DOCUMENTS or len(found) >= len(_DOCUMENTS):
            return []
        found += [other] if other != name and other not in found else []
    return found if joined else []


def _carrier(prompt: str, name: str, end: int) -> tuple[str, int]:
    """The document that is to hold a value ("the URL as JSON"), else the format itself; and where its name ends."""
    reach = 0 if name in _LANGUAGES else 40
    inner = None if name in _DOCUMENTS else _INTO.search(prompt, end, end + reach + 60)
    if inner is None or inner.start() > end + reach + 1 or re.search(r"[.!?;\n]", prompt[end : inner.start()]):
        return name, end
    number = next(number for number in range(len(_NAMES)) if inner[f"f{number}"])
    return (_NAMES[number][0], inner.end(f"f{number}")) if _NAMES[number][0] in _DOCUMENTS else (name, end)


def _is_asked(prompt: str, tier: re.Pattern[str], match: re.Match[str], name: str, at: int) -> bool:
    """Whether a wording that names a format asks for it, rather than speaking of it."""
    if tier is _ONLY:
        return True
    if tier is _FIX:
        return name in _DOCUMENTS
    if _NEGATED.search(prompt[max(0, match.start() - 40) : at]) or _QUOTED_SOURCE.search(prompt[max(0, at - 30) : at]):
        return False
    if tier is _USE and name not in _DOCUMENTS and name not in _STAMPS:
        return False
    if tier is _INTO and _GIVEN.match(prompt, match.start(), at) and not _AS_SUCH.match(prompt, match.end()):
        return False
    if tier is _WHAT:
        words = match["filler"].lower().split()
        plain = name in _DOCUMENTS or name in _LANGUAGES
        # An address that is asked for as a fact may come in a sentence; a UUID or a pattern is asked for as such.
        asked = () if plain or name in ("email", "url") else ("the",)
        return not {"example", "sample", "valid", "random", *asked}.isdisjoint(words)
    line = prompt[prompt.rfind("\n", 0, match.start()) + 1 : match.start()]
    if line.count('"') % 2 and '"' in prompt[match.end() : match.end() + 200].split("\n")[0]:
        return False  # an instruction that is only quoted
    lead = _LEAD.match(match[0])
    head = match.start() + (lead.end() if lead is not None else 1)
    begin = max((found.end() for found in _SENTENCE.finditer(prompt, max(0, at - 400), head)), default=0)
    before = prompt[max(begin, at - 400) : match.start()]
    if _QUESTION.match(prompt[max(begin, at - 400) : at]) or _REFUSED.match(prompt, match.end()):
        return False
    return not _is_topic(tier, name, before)


def _is_topic(tier: re.Pattern[str], name: str, before: str) -> bool:
    """Whether the words of a sentence before a wording make the format what is spoken about."""
    if tier is not _INTO and _HOW.search(before):
        return True
    if name in _LANGUAGES and _PROSE.search(before):
        return True
    if tier not in _WEAK:
        return False
    if tier is not _INTO and _ABOUT.match(before):
        return True
    if _WANTED.search(before):
        return False
    return bool(_STATED.search(before) or (name not in _LANGUAGES and _CONVERTER.search(before)))


def _moment(prompt: str, words: str, at: int) -> str | None:
    """What "ISO 8601" alone is about; a time of day without its offset is none of RFC 3339."""
    if "date" in words.lower() or "yyyy" in words.lower():
        return "date"
    around = prompt[max(0, at - 60) : at + len(words) + 20].lower()
    if re.search(r"date-?time|timestamp|date and time", around):
        return "date-time"
    if re.search(r"\bduration\b", around):
        return "duration"
    return None if re.search(r"\btime\b", around) else "date"


def _fields(prompt: str, name: str, end: int) -> dict[str, Any]:
    if name == "json" and _LINES.search(prompt):
        name = "ndjson"
    fields: dict[str, Any] = {"format": name}
    if name == "csv":
        fields |= _csv_fields(prompt)
    if name == "markdown_table" and (columns := _column_names(prompt)):
        fields["columns"] = columns
    if name == "ndjson" and (schema := _line_schema(prompt, end)):
        fields["json_schema"] = schema
    if name == "json" and (schema := _shown_schema(prompt, end)):
        fields["json_schema"] = schema
    root = _ROOT.search(prompt) if name == "xml" else None
    if root is not None:
        fields["root"] = root[1]
    return fields


def _shown_schema(prompt: str, end: int) -> dict[str, Any] | None:
    """What the prompt requires of the JSON: a schema, keys, parts of an object that it shows, or an object or array."""
    if "schema" in prompt.lower() and (schema := literal_schema(prompt)) is not None:
        return schema
    following = prompt[end : end + 1_000]
    if one := _object_of_keys(following):
        return _with_keys(one, following[:40])
    shape = skeleton_schema(prompt[: end + 8_000], max(0, end - 4))
    if shape is not None:
        kind = _JSON_KIND.match(following)
        return {"type": "array", "items": shape["else"]} if kind and kind["many"] and "else" in shape else shape
    if keys := quoted_names(following):
        return _with_keys({"type": "object", "required": keys}, following[:40])
    return _kind(prompt, end)


def _line_schema(prompt: str, end: int) -> dict[str, Any] | None:
    """What the prompt requires of each line of newline-delimited JSON; None where it says nothing plain of it."""
    following = prompt[end : end + 1_000]
    each = _EACH_LINE.search(following)
    if each is None:
        return None
    told = following[each.end() :]
    one = _object_of_keys(told)
    keys: list[str] = []
    if not one and (listed := _LINE_NAMES.match(told)):
        keys = [name.strip("\"'`") for name in re.findall(r"\"[^\"]+\"|'[^']+'|`[^`]+`", listed["list"])]
    elif not one and (listed := _LINE_LISTED.match(told)):
        keys = [name.strip("\"'`") for name in re.split(r",[ \t]*(?:and[ \t]+)?|[ \t]+and[ \t]+", listed["list"])]
    if one or keys:
        return one or {"type": "object", "required": keys}
    shown = _LINE_SHOWN.match(told)
    shape = shown_object(told, shown.end()) if shown else skeleton_schema(prompt[: end + 8_000], end + each.start())
    if shape is not None:
        return dict(shape.get("else", shape))
    kind = _LINE_KIND.search(following)
    named = (kind["kind"] or kind["other"]).lower() if kind else ""
    return {"type": "object" if named == "object" else "array"} if named else None


def _csv_fields(prompt: str) -> dict[str, Any]:
    fields: dict[str, Any] = {}
    names = _column_names(prompt)
    number = _COLUMN_NUMBER.search(prompt)
    if names:
        fields["columns"] = names
    elif number is not None:
        word = number[1].lower()
        fields["columns"] = _NUMBERS.get(word) or max(1, int(word))
    if _NO_HEADER.search(prompt):
        fields["header"] = False
    for word, mark in _DELIMITERS:
        if re.search(
            rf"\b{word}s?\b[- ]*(?:delimit|separat|as (?:the )?(?:delimiter|separator))", prompt, re.IGNORECASE
        ):
            fields["delimiter"] = mark
    return fields


def _object_of_keys(following: str) -> dict[str, Any]:
    """A JSON Schema of an object with the keys that a prompt plainly lists behind "JSON"; empty where it lists none.

    Types that are named beside the keys are required of them, and no other keys where "exactly" these are asked for.
    """
    match = _KEYS.match(following)
    if match is not None:
        items = re.findall(_KEY, match["list"])
    elif (match := _BULLETS.match(following)) is not None:
        lines = [line.lstrip(" \t-*•0123456789.)") for line in match["list"].split("\n") if line.strip()]
        items = [line for line in lines if _ITEM.search(line)]
    else:
        keys = typed_keys(following)
        return {"type": "object", "required": [*keys], "properties": keys} if keys else {}
    told = [(m["key"], m["rest"]) for item in items if "optional" not in item.lower() and (m := _ITEM.search(item))]
    return _object_of(told, following[: match.start("list")], following[match.end() :], len(told) == len(items))


def _object_of(told: list[tuple[str, str]], led: str, behind: str, required: bool) -> dict[str, Any]:
    """The schema of keys and what is told of each, `led` in by words; all are `required` or some are not."""
    split = [(re.fullmatch(r"(.*?)[ \t]*(?:\(([^)]*)\))?", key), rest) for key, rest in told]
    typed = {m[1].strip("\"'`"): told_type(m[2] or rest.lstrip(" \t:–—-")) for m, rest in split if m and m[1] != "and"}
    names = [m[1] for m, _ in split if m and m[1] != "and"]
    if any(name in _NO_KEYS for name in names) or (
        len(names) == 1
        and names[0][0].isalpha()
        and "\n" not in led
        and not re.search(r"\b(?:key|field|property|attribute)\b", led + names[0])
    ):
        return {}
    one: dict[str, Any] = {"type": "object", "required": [*typed]} if typed else {}
    if typed and required and admits_no_other(led, behind):
        return one | {"properties": typed, "additionalProperties": False}
    types = {key: schema for key, schema in typed.items() if schema}
    return one | {"properties": types} if types else one


def _with_keys(one: dict[str, Any], following: str) -> dict[str, Any]:
    """A JSON Schema of such an object, or of an array of such, as the prompt wants it."""
    many: dict[str, Any] = {"type": "array", "items": one}
    kind = _JSON_KIND.match(following)
    if kind is None:
        return {"if": {"type": "array"}, "then": many, "else": one}
    return many if kind["many"] else one


def _kind(prompt: str, end: int) -> dict[str, Any] | None:
    """A JSON Schema of what the JSON is to be at its top, where the prompt names it and speaks of nothing else."""
    match = _JSON_KIND.match(prompt, end)
    if match is None:
        return None
    kind = "array" if match["many"] else "object"
    if _ANOTHER_KIND[kind].search(prompt):
        return None
    return {"type": kind} | (items_type(prompt, match.end()) if match["many"] else {})


def asks_for_fence(prompt: str) -> bool:
    """Whether a prompt wants what it asks for in a fenced code block."""
    text = prompt if len(prompt) <= 2 * SEARCHED else prompt[:SEARCHED] + "\n\n" + prompt[-SEARCHED:]
    found = list(_FENCE_ASKED.finditer(text))
    return bool(found) and not any(_FENCE_REFUSED.search(text[max(0, m.start() - 70) : m.end()]) for m in found)


def _column_names(prompt: str) -> list[str]:
    """The names listed after "columns"; none where the words are not plainly a list."""
    for match in _COLUMNS.finditer(prompt):
        listed = re.split(r"\s*,\s*(?:and\s+)?|\s+and\s+", match["names"].strip(" :").removeprefix("for "))
        cut = next((number for number, name in enumerate(listed) if _NO_COLUMN.match(name)), len(listed))
        names = [name.strip(" \t`'\"*()[]") for name in listed[:cut]]
        if len(names) >= 2 and all(re.fullmatch(r"[\w$%#/-]+(?: [\w$%#/-]+)?", name) for name in names):
            return names
    return []


def _tags(prompt: str) -> tuple[str, ...]:
    """The tags that the prompt wants the response wrapped in, in the order of their naming."""
    found: dict[str, int] = {}
    speaks_of_tags = _TAG_WORDS.search(prompt) is not None
    wrapped = _WRAPPED.search(prompt) is not None
    for pattern in (_TAG_PAIR, _TAG_NAMED, _TAG_VERB):
        for match in pattern.finditer(prompt):
            tag = match["tag"]
            if pattern is not _TAG_PAIR and tag.lower() in _HTML_TAGS and not wrapped:
                continue  # markup for some of the words
            if pattern is _TAG_PAIR and not speaks_of_tags and tag.lower() not in _WELL_KNOWN_TAGS:
                continue  # markup that the prompt merely shows
            found[tag] = min(found.get(tag, match.start()), match.start())
    return tuple(sorted(found, key=lambda tag: found[tag])[:_MAX_TAGS])


def _template(tags: tuple[str, ...], last: str = "{text}") -> str:
    parts = [f"<{tag}>{{text}}</{tag}>" for tag in tags[:-1]] + [f"<{tags[-1]}>{last}</{tags[-1]}>"]
    return "".join(parts) + ("{text}" if tags == ("think",) else "")
