"""Answers in languages other than English: the phrases that state, deny, join and count them.

Only what marks an answer is known here, not the languages: `La respuesta es 42`, `答案是42`,
`Ответ: 42`. Words after a number count as its unit unless they deny or weaken it.
"""

from __future__ import annotations

import re
import unicodedata

from verifleet.reading.words import spoken
from verifleet.verifiers.math.syntax.vocabulary import NOT, OR, listed, phrased

_WIDE = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F) if chr(code - 0xFEE0) not in "\\{}<>|#$_^`~"}
_DIGITS = {code: str(unicodedata.decimal(chr(code))) for code in range(0x660, 0xE60) if chr(code).isdecimal()}
_PUNCTUATION = str.maketrans("。।、،；：\u3000٫", "\n\n,,;: .") | _WIDE | _DIGITS
_ANGLED = re.compile(
    r"(?<![\w)}])(?<![\w)}]\s)<(\s*[-−\d\\√a-z][^<>=\n]{0,80},[^<>=\n]{1,80})>(?!\s*[\w\\(-])"
)  # <1, 2>
_NOUN = rf"(?:\b(?:{phrased('phrases.answer')})\b|{phrased('phrases.answer_in_script')})"
_COPULA = rf"(?:\b(?:{phrased('phrases.copula')})\b|{phrased('phrases.copula_in_script')})"
STATEMENT = (
    rf"{_NOUN}[*_\s]*(?:[^\n:.$\\0-9=]{{0,40}}?(?:{_COPULA})|[*_\s]*(?:[:=]|-(?=\s))|(?=\s{{0,3}}[-−$0-9]))[*_\s:=]*"
)
"""Words by which other languages state an answer, up to the answer (a regular expression)."""
JOINED = rf"{OR}|\b(?:und|et|и|та|dan|và)\b|和|及び|그리고"
_DENIED_BEFORE = re.compile(rf"{NOT}(?:[^,;:.\n]|,\s(?:dass|что|що|że|dat)\b){{0,45}}$", re.IGNORECASE)
_DENIED_AFTER = re.compile(rf"^[\s$*)\]}}]*[^,;:.!\n$\\]{{0,20}}?{NOT}", re.IGNORECASE)
_CONTRAST = spoken(
    rf"""(?:\bnot|n['’]t)\s(?P<not>[^;!?\n]{{1,60}}?)[,\s]\s{{0,5}}(?:but(?: (?:rather|actually|instead))?|rather|
    it(?:['’]s| is)|they(?:['’]re| are)) (?!not\b|also\b|only\b)|
    {NOT}(?P<denied>[^;:.\n]{{1,60}}?)(?:\b(?:sondern|sino(?: que)?|mais|ma|mas|maar|lecz|ale|utan|melainkan|mà|
    а)\b|而是|而应是|それは|(?<=なく)|(?<=니라))[\s,]*(?:(?:es|ist|est|è|é|это|là) )?"""
)
_BOUNDED = spoken(rf"(?:\b(?:{phrased('phrases.bound')})|{phrased('phrases.bound_in_script')})[^0-9\n]{{0,20}}$")
VERBS = (
    r"\b(?:es|son|est|sont|vaut|ist|sind|lautet|beträgt|è|é|são|wynosi|равен|равна|равно|равны)\b|"
    r"(?<=[^\x00-\x7f])(?:是|为|為|等于|等於|有|は)"
)
"""Verbs before a value (a regular expression)."""

# --- the words of a statement (see `statement`) ------------------------------

RESULT = re.compile(
    r"(?:(?<=^)|(?<=[\s,;:.()—–-]))(?:"
    rf"{phrased('phrases.result')}"
    r")(?=[\s,:$\ue000])[,:]?\s*"
    rf"|(?:{phrased('phrases.result_in_script')})[,、:\s]*"
    r"|;\s+(?=(?:it|this|that)\s+is\s|[a-z]+ing\s[^;.]{1,40}?\s(?:gives|yields|makes|leaves)\s)"
    r"|(?<=[a-z]):\s+(?=[-−]?\d[\d.,/]*\s*$)|[:;]\s+(?!both\s(?:work|check|satisf|hold))"
    r"(?=(?:since|because|so|thus|hence|the|its|our|both|a|an)\s[^:;.\n]{0,80}?\s(?:is|are|equals?|=)\s)"
    r"|(?<!as [a-z] )(?:→|⟹|⇒|∴|=>|\\implies\b|\\Rightarrow\b|\\Longrightarrow\b|(?<!\b[a-z])\s->\s)\s*",
    re.IGNORECASE,
)
"""Words after which a sentence says what follows; the clause behind the last of them is its conclusion."""
REJECTION = spoken(rf"\b(?:{phrased('phrases.rejection')})\b")
TRAILER = spoken(phrased("phrases.trailer"))
"""What begins a reason or a contrast behind a value."""
OPENING = spoken(phrased("phrases.opening"))
"""A clause before the main one: `Since x > 0, ...`."""
WITHDRAWAL = spoken(phrased("phrases.withdrawal"))
"""Words that withdraw a value, or all: `please disregard the 80`, `I am unable to determine it`."""
_INSTEAD = re.compile(r"\s*(?:[:;—–]|,\s(?:the|it)\b)(?=[^\n]*[\d$\\])")
CHANGING = listed("phrases.changing")
CHANGED_BEFORE = spoken(rf"\b(?:{phrased('phrases.changed_before')})[\s$*(]*$")
"""Words before a number that make something else of it."""
BACKGROUND = listed("phrases.background")
OFFERED = spoken(
    rf"""\b(?:either|(?<!least\s)(?<!most\s)(?<!exactly\s)one of|among|entweder|
    maybe|perhaps|possibly|could be|might be|may be|or maybe)\b|
    \s(?:or(?! in (?:interval|set)\s)|{OR})\s"""
)
"""Several values to choose from."""
EITHER = re.compile(phrased("phrases.either"), re.IGNORECASE)
"""Words of somebody who does not say which of several values it is."""
ONE_OF = spoken(phrased("phrases.one_of"))
COPULA_BEFORE = spoken(
    rf"""(?:\b(?:{phrased("phrases.asserting")})\b|
    {VERBS}|'s\b|(?<![0-9]):|:(?![0-9])|=)\s*(?:(?:{phrased("phrases.before_value")}) )*[\s$*(\[]*$"""
)
"""Words that assert the value behind them."""
COURTESY = spoken(rf"\b(?:{phrased('phrases.courtesy')})\b")
"""A sentence for the reader's sake, which states nothing."""
CHECK = spoken(rf"[\s*_#>(\[✓✔-]*(?:{phrased('phrases.check')})\b(?! (?:gives|shows|yields))")
"""What opens a sentence that checks an answer which stands already."""
CONTINUED = spoken(rf"[\s*_]*(?:{phrased('phrases.continued')})")
"""What opens a sentence that goes on about an answer, or speaks of others: `where C is a constant`, `(C) forgets`."""
UNREAL = spoken(phrased("phrases.unreal"))
"""A sentence about what is not so."""
RATE = spoken(rf"\s*(?:{phrased('phrases.rate')})")
"""A sentence that tells what an amount comes to for each, or what share it is."""
OTHER = spoken(
    r"(?:(?<!\bin\s)(?<!\bof\s)(?<!\bon\s)(?<!\bat\s)(?<!\bfor\s)\b(?P<whose>its|their|the) |"
    r"^\W{0,3}(?=[a-z ]{3,30}:))(?!(?:[a-z-]+ ){0,2}(?:answers?|values?|solutions?|"
    r"results?|total|number|ones?|final|therefore|thus|hence|conclusion|simplified|form)\b)(?:[a-z-]+ ){0,2}?"
    r"(?P<noun>[a-z-]{3,})(?: (?:of|in|on|at|for) (?:(?:the|its|a|this) )?(?:[a-z]+ ){0,2}[a-z\ue000]+)?"
    r"(?:\s*:| (?:is|are|equals?|was|were|(?:would|will) be)\b)"
)
"""What a sentence tells a value of: `The determinant is 6 and the trace is 5`, `Intercept: 3`."""
REMARK = re.compile(
    rf"\s*(?:{phrased('phrases.remark')})(?!.*(?:{phrased('phrases.no_remark')}))", re.IGNORECASE | re.DOTALL
)
"""A sentence about an answer that stands already; one that denies anything is none."""
DENIAL = spoken(rf"\b(?:{phrased('phrases.doubting')}) (?:(?:to|of) \w+ )?(?:that|if|whether)\b")
"""A main clause that denies what follows it: `It is false that`."""
SAYING = re.compile(rf"(?<!n't )(?<!not )\b(?:{phrased('phrases.saying')})\b")
"""Verbs before words such as `no solution`."""
BY_CASES = spoken(
    r"""(?P<one>\S(?:[^.;\n]|\.\d){0,80}?),? (?:if|when) (?P<first>(?:[^.;\n]|\.\d){1,80}?)
    (?: (?:and|but|or)|[,;](?: (?:and|but|or))?) (?:is |it['’]s |it is |equals )?
    (?P<other>[-−+]?[\w\\($√](?:[^.;,\n\s]|\s(?=[-+*/^])|(?<=[-+*/^])\s(?![-+*/^])){0,80}),? (?:otherwise|else|
    (?:if|when) (?P<last>\S[^.;\n]{0,80}))\W*$"""
)
"""Two values, each under a condition: `42 if x > 0 and 43 otherwise`."""
ALL_BUT = spoken(r"[^\d$\\]{0,60}\b(?:all|any|every)\b.{0,40}?\b(?:except|but|other than|excluding|apart from)\b")
"""`all real numbers except`: the value behind it is what is left out."""


def plain_punctuation(text: str) -> str:
    """The text with ASCII for wide digits and marks, and line ends for ideographic full stops; as long as before."""
    text = _ANGLED.sub("⟨\\1⟩", text) if "<" in text else text
    return text if text.isascii() else text.translate(_PUNCTUATION)


def after_withdrawal(text: str) -> int:
    """Where the value begins that replaces a withdrawn one, as in `I take that back: it is 15`; 0 if none does."""
    withdrawal = WITHDRAWAL.search(text)
    instead = _INSTEAD.search(text, withdrawal.start()) if withdrawal else None
    return instead.end() if instead else 0


def after_contrast(text: str) -> int:
    """Where the value begins in `not 41 but 42` and `nicht 41, sondern 42`; 0 if nothing is contrasted."""
    contrasts = (match for match in _CONTRAST.finditer(text) if re.search(r"[0-9$\\]", match["not"] or match["denied"]))
    return max((match.end() for match in contrasts), default=0)


def denied(before: str, after: str) -> bool:
    """Whether the words next to a value deny it, or make it a bound."""
    before, after = before[-80:], after[:60]
    before = before[after_contrast(before) :]
    return bool(_DENIED_BEFORE.search(before) or _BOUNDED.search(before) or _DENIED_AFTER.match(after))
