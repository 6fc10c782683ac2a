"""Answers in languages other than English: the phrases that state, deny, join and count them.

Only what marks an answer is known here, not the languages: `La respuesta es 42`, `答案是42`,
`Ответ: 42`. Words after a number count as its unit unless they deny or weaken it.
"""

from __future__ import annotations

import re

from verifleet.verifiers.math.syntax.vocabulary import NOT, OR

_WIDE = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F) if chr(code - 0xFEE0) not in "\\{}<>|#$_^`~"}
_PUNCTUATION = str.maketrans("。।、،；：\u3000", "\n\n,,;: ") | _WIDE

_ANGLED = re.compile(
    r"(?<![\w)}])(?<![\w)}]\s)<(\s*[-−\d\\√a-z][^<>=\n]{0,80},[^<>=\n]{1,80})>(?!\s*[\w\\(-])"
)  # <1, 2>

_NOUN = (
    r"(?:\b(?:respuestas?|resposta|risposta|r[ée]ponses?|(?:end)?antwort|antwoord|odpowied[źz]|svaret|cevap|yan[ıi]t|"
    r"đáp\s+(?:án|số)|câu\s+trả\s+lời|jawaban(?:nya)?|ответ(?:ом)?|відповідь|απάντηση)\b|"
    r"उत्तर|الإجابة|الجواب|答案|答え|解答|正解|答(?=\s*:)|정답|답변|답)"
)
_COPULA = (
    r"(?:\b(?:es|son|ser[íi]a|é|são|est|sont|vaut|serait|ist|sind|lautet|lauten|beträgt|è|sono|is|zijn|to|wynosi|brzmi|"
    r"jest|är|là|adalah|ialah|равен|равна|равно|равны|равняется|будет|является|дорівнює|είναι)\b|\s[—–](?=\s)|"
    r"(?:هي|هو)\b|(?:应该|應該)?(?:就)?(?:是|为|為|等于|等於)|は|(?<=답)(?:변)?[은는이])"
)
STATEMENT = (
    rf"{_NOUN}[*_\s]*(?:[^\n:.$\\0-9=]{{0,40}}?(?:{_COPULA})|[*_\s]*(?:[:=]|-(?=\s))|(?=\s{{0,3}}[-−$0-9]))[*_\s:=]*"
)
"""Words by which other languages state an answer, up to the answer (a regular expression)."""

JOINED = rf"{OR}|\b(?:und|et|и|та|dan|và)\b|和|及び|그리고"
_BETWEEN = re.compile(r"(?<=[0-9)\]}$]\s)(?:(?P<and>[ye]|et)|(?:o|ou))(?=\s[-0-9(\[\\$A-Za-z])")

_DENIED_BEFORE = re.compile(rf"{NOT}(?:[^,;:.\n]|,\s(?:dass|что|що|że|dat)\b){{0,45}}$", re.IGNORECASE)
_DENIED_AFTER = re.compile(rf"^[\s$*)\]}}]*[^,;:.!\n$\\]{{0,20}}?{NOT}", re.IGNORECASE)
_CONTRAST = re.compile(
    rf"{NOT}(?P<denied>[^;:.\n]{{1,60}}?)(?:\b(?:sondern|sino(?:\s+que)?|mais|ma|mas|maar|lecz|ale"
    rf"|utan|melainkan|mà|а)\b|"
    r"而是|而应是|それは|(?<=なく)|(?<=니라))[\s,]*(?:(?:es|ist|est|è|é|это|là)\s+)?",
    re.IGNORECASE,
)
_BOUNDED = re.compile(
    r"(?:\b(?:mindestens|höchstens|mehr\s+als|weniger\s+als|al\s+menos|como\s+máximo|a\s+lo\s+sumo|m[áa]s\s+de"
    r"|menos\s+de|"
    r"au\s+(?:moins|plus)|plus\s+de|moins\s+de|almeno|al\s+massimo|pi[ùu]\s+di|meno\s+di|pelo\s+menos|no\s+máximo"
    r"|mais\s+de|"
    r"больше|меньше|более|менее|(?:не\s+)?(?:больше|меньше|более|менее)(?:\s+чем)?)|"
    r"至少|至多|最多|最少|不超过|不少于|大于|小于|超过|少なくとも|多くとも|적어도|많아야)[^0-9\n]{0,20}$",
    re.IGNORECASE,
)
VERBS = (
    r"\b(?:es|son|est|sont|vaut|ist|sind|lautet|beträgt|è|é|são|wynosi|равен|равна|равно|равны)\b|"
    r"(?<=[^\x00-\x7f])(?:是|为|為|等于|等於|有|は)"
)
"""Verbs before a value (a regular expression)."""


def plain_punctuation(text: str) -> str:
    """The text with ASCII for wide digits and marks, and line ends for ideographic full stops; as long as before."""
    text = _ANGLED.sub("⟨\\1⟩", text) if "<" in text else text
    return text if text.isascii() else text.translate(_PUNCTUATION)


def in_english(text: str) -> str:
    """A statement's `2 y 3` as `2 and 3`."""
    return _BETWEEN.sub(lambda match: "and" if match.group("and") else "or", text)


def after_contrast(text: str) -> int:
    """Where the value begins in `nicht 41, sondern 42`; 0 if nothing is contrasted."""
    match = _CONTRAST.search(text)
    return match.end() if match is not None and re.search(r"[0-9$]", match.group("denied")) else 0


def denied(before: str, after: str) -> bool:
    """Whether the words next to a value deny it, or make it a bound."""
    before, after = before[-80:], after[:60]
    before = before[after_contrast(before) :]
    return bool(_DENIED_BEFORE.search(before) or _BOUNDED.search(before) or _DENIED_AFTER.match(after))


# --- the words of a statement (see `statement`) ------------------------------

RESULT = re.compile(
    r"(?:(?<=^)|(?<=[\s,;:.()—–-]))(?:"
    r"so(?!\s+(?:that|far|much|many|on|long)\b)|thus|hence|whence|therefore|consequently|accordingly|"
    r"then(?=\s*,|\s+(?:we|it|the|there|this|that|[a-z]\s*[=<>]|\ue000|\d))|but|however|giving|yielding|leaving|"
    r"which\s+(?:gives|means|equals|simplifies\s+to|reduces\s+to|factors(?:\s+further)?\s+(?:as|into)|yields|makes"
    r"|leaves|becomes|implies)|simplif(?:ies|ying)\s+to|"
    r"implying|of\s+which(?:\s+only)?|meaning(?:\s+that)?|(?:this\s+|which\s+|it\s+)?(?:means|follows|implies"
    r"|shows)\s+that|"
    r"(?:we|i)\s+(?:can\s+)?(?:find|see|conclude|deduce|get|obtain|know|say|found|showed|have\s+shown)\s+that"
    r"|if\s+and\s+only\s+if|iff|"
    r"es\s+decir|por\s+lo\s+tanto|por\s+tanto|por\s+ende|luego|entonces|así\s+que|de\s+modo\s+que|lo\s+que\s+da|pero|"
    r"donc|ainsi|d['’]où|par\s+conséquent|ce\s+qui\s+donne|alors|mais|"
    r"also|folglich|daher|somit|deshalb|demnach|mithin|aber|"
    r"portanto|logo|assim|então|por\s+isso|mas|o\s+que\s+dá|quindi|dunque|perciò|ma|dus|więc|zatem|"
    r"поэтому|следовательно|значит|итак|таким\s+образом|отсюда|тогда|но"
    r")(?=[\s,:$\ue000])[,:]?\s*"
    r"|(?:所以|因此|因而|故而|从而|于是|可得|得到|但是?|よって|したがって|従って|ゆえに|だから|ですから|すなわち|므로|따라서|그러므로|이므로)[,、:\s]*"
    r"|[:;]\s+(?=(?:since|because|so|thus|hence|the|its|our|both|a|an)\s[^:;.\n]{0,80}?\s(?:is|are|equals?|=)\s)"
    r"|(?<!as [a-z] )(?:→|⟹|⇒|∴|=>|\\implies\b|\\Rightarrow\b|\\Longrightarrow\b)\s*",
    re.IGNORECASE,
)
"""Words after which a sentence says what follows; the clause behind the last of them is its conclusion."""
REJECTION = re.compile(
    r"\b(?:extraneous|reject(?:ed|s)?|discard(?:ed)?|invalid|inadmissible|impossible|does\s+not\s+(?:satisfy|work"
    "|hold|fit)|"
    r"doesn['’]t\s+(?:satisfy|work|hold|fit)|fails?(?:\s+to)?|not\s+(?:valid|a\s+solution|allowed"
    r"|possible|in\s+the\s+domain))\b",
    re.IGNORECASE,
)
TRAILER = re.compile(
    r",\s*+(?:and\s+)?not(?=\s)|(?:,|(?<!\s)\s)\s*+(?:rather\s+than|instead\s+of|because|since"
    r"|whereas|unlike|(?:after|by|upon)\s+[a-z]+ing(?![^.]*\b(?:has|have|is|are|gets?|leaves?)\b)"
    r"|as\s+(?:required|desired|expected|claimed|above|"
    r"(?:the|my|our)\s+(?:final\s+)?answer)|so\s+that|(?:valid|rounded|correct)\s+(?:for|to|when|if|on)|"
    r"to\s+(?:\d|one|two|three|four|five|six)\s+(?:decimals?|significant)|as\s+[a-zA-Z]\s*(?:→|->|goes|tends"
    "|approaches)|"
    r"with\s+(?:equality|(?:arbitrary\s+)?constants?|(?:[A-Za-z](?:_?\d)?(?:,"
    r"|\s+and)?\s+){1,4}(?:an?\s+)?(?:arbitrary|any|constants?|free))|(?:since|as)\s+we|as\s+(?:the|we|it|they|there)|"
    r"given\s+that|provided|(?:(?<=,)|(?<=,\s))where|where(?=\s+(?:the|we|it))|which\s+(?:can|we|has|have|matches"
    "|agrees)|"
    r"porque|ya\s+que|puesto\s+que|weil|da\s+(?:die|der|das|es|sie|wir)|denn|parce\s+qu|car"
    r"|puisque|pois|porque|потому|так\s+как|поскольку)(?=[\s,:;.!$\ue000'’]|$)"
    r"|(?<!\s)\s+(?:when|if|whenever|once|wenn|falls|cuando|quando|quand|lorsque|когда"
    r"|если)(?=[\s\ue000])(?!\s+and\s+only)"
    r"|[,，]?\s*(?:因为|因為|なぜなら|왜냐)",
    re.IGNORECASE,
)
"""What begins a reason or a contrast behind a value."""
OPENING = re.compile(
    r"\s*(?:since|because|as|given|when|if|si|cuando|como|puisque|comme|quand|wenn|da|weil|quando|так\s+как"
    "|поскольку|если)"
    r"\s[^,;:]{0,200}[,;]\s|"
    r"\s*(?:(?!(?:being|during|nothing)\b)[a-z]{3,}ing|for|with|from|after|before|by|in|con|para|"
    r"pour|für|mit|nach|com|при|для|после)\s(?:(?!\b(?:is|are|was|were|equals?|gives?|yields?"
    r"|shows?|leaves|means|we|I|it)\b)[^,;:]){0,200}[,;]\s",
    re.IGNORECASE,
)
"""A clause before the main one: `Since x > 0, ...`."""
WITHDRAWAL = re.compile(
    r"\b(?:disregard|ignore|forget|scrap|retract|withdraw)\b(?!\s+the\s+(?:negative|other|extraneous|second|first))"
    r"(?:\s+about)?(?P<what>\s+(?:that|this|it|my|the|what)\b[^.;!?\n]{0,40})|"
    r"\b(?:I|we)\s?(?:['’]m|am|are)?\s+(?:unable\s+to|not\s+able\s+to|cannot|can['’]?t|could\s?n['’]?o?t)\s+"
    r"(?:be\s+(?:certain|sure)|determine|find|solve|answer|decide|tell|say)\b",
    re.IGNORECASE,
)
"""Words that withdraw a value, or all: `please disregard the 80`, `I am unable to determine it`."""
CHANGING = frozenset(
    "more less fewer times than of greater larger smaller higher lower older younger taller mod modulo fach mal "
    "veces fois раз больше меньше más menos plus moins mehr weniger mais".split()
)
CHANGED_BEFORE = re.compile(
    r"\b(?:(?:any|some|numbers?|values?|integers?)\b[^.;\n]{0,30}\b(?:from|between)\s[^.;\n]{1,20}\s(?:to|and)|"
    r"twice|thrice|half|double|triple|up\s+to|from|between|minus|plus|"
    r"(?:square|cube|root|multiples?|divisors?|factors?|sum|product|power|reciprocal|negative|opposite"
    r"|inverse)\s+of)[\s$*(]*$",
    re.IGNORECASE,
)
"""Words before a number that make something else of it."""
BACKGROUND = frozenset(
    "for from after before than with when where if since because per within between among against modulo step "
    "case part of page number out using via into through during over under by para de desde con sin entre tras "
    "pour de avec sans dans für von mit nach aus bei com sem entre из от для с после в при за".split()
)
OFFERED = re.compile(
    r"\b(?:either|one\s+of|among|entweder|maybe|perhaps|possibly|could\s+be|might\s+be|may\s+be|or\s+maybe)\b|"
    rf"\s(?:or(?!\s+in\s+(?:interval|set)\s)|{OR})\s",
    re.IGNORECASE,
)
"""Several values to choose from."""
ONE_OF = re.compile(
    r"\b(?:one\s+of|among|any\s+of|somewhere|einer?\s+von|un[ao]\s+de|l['’]un[e]?\s+de)\b[\s$*(]*$|"
    r"\b(?:one\s+of|among|either)\s[^.;]{1,60}\s(?:and|or)[\s$*(\\]*$",
    re.IGNORECASE,
)
COPULA_BEFORE = re.compile(
    r"(?:\b(?:is|are|was|were|be|equals?|get|gets|got|obtain|have|has|find|gives?|yields?|makes?|costs?|earns?"
    "|becomes?|to|by|"
    r"needs?|takes?|requires?|(?:gives?|leaves?)\s+(?:him|her|us|them|me|you)|(?:lies?|sits?|located|centred"
    r"|centered)\s+at|tends|(?:left|up|us)\s+with|arrive\s+at|obtenemos|obtemos|resulta|queda|trouve|obtient"
    r"|ergibt(?:\s+sich)?|erhalten(?:\s+wir)?|"
    r"получаем|total\s+of|remains?|leaves?|contains?|weighs?|there\s+(?:is|are))\b|"
    rf"{VERBS}|'s\b|(?<![0-9]):|:(?![0-9])|=)\s*"
    r"(?:(?:about|approximately|exactly|only|equal\s+to|simply|just|at(?!\s+(?:least|most)\b)|in|on|now|then|also"
    "|still|indeed|"
    r"precisely|therefore|thus|hence|given\s+by|either|both|all|a|an|the|total(?:\s+of)?|"
    r"(?:the\s+)?(?:values?|numbers?|integers?|fraction|set|interval|expression|point|pair|ordered\s+pair|list"
    "|angle|ratio)|"
    r"(?:das|der|die)\s+(?:gesuchte\s+)?[A-Z][a-zäöüß]+|finalement|finalmente|schließlich|"
    r"genau|etwa|exactamente|environ|exactement|exatamente|ровно|примерно)\s+)*[\s$*(\[]*$",
    re.IGNORECASE,
)
"""Words that assert the value behind them."""
COURTESY = re.compile(
    r"\b(?:feel\s+free|let\s+me\s+know|thanks?(?:\s+you)?|hope\s+(?:this|that|it)|happy\s+to\s+help|good\s+luck"
    r"|please\s+ask|"
    r"(?:if|would|do|does|should|shall|want)\s+(?:you|that|this|it|I|we)\b[^.!?]*(?:help|ask|question|clear|clarif"
    "|detail|"
    r"explain|another|other\s+way|like|\?)|I\s+am\s+(?:done|sure)\s*[.!]|q\.?e\.?d|espero\s+que|j['’]espère"
    r"|ich\s+hoffe|"
    r"espero\s+ter|надеюсь|希望|お役に立)\b",
    re.IGNORECASE,
)
"""A sentence for the reader's sake, which states nothing."""
CHECK = re.compile(
    r"[\s*_#>(\[✓✔-]*(?:answer\s+(?:verified|checked)|(?:for|by|in)\s+(?:comparison|contrast|reference)"
    r"|incidentally|by\s+the\s+way|as\s+an\s+aside|check(?:ing)?|verif(?:y|ying|ication)|(?:quick\s+)?sanity\s+check"
    r"|proof|note|remark|substituting\s+back|"
    r"plugging\s+(?:back|in)|indeed|(?:we|you|i|let\s+us|let['’]s)\s+(?:can\s+|now\s+|will\s+"
    r"|may\s+)*(?:double-?\s?)?(?:check|verify)|comprobación|verificación|vérification|probe|kontrolle|überprüfung"
    "|verificação|проверка|"
    r"检验|验证|検算|確認)\b(?!\s+(?:gives|shows|yields))",
    re.IGNORECASE,
)
"""What opens a sentence that checks an answer which stands already."""
REMARK = re.compile(
    r"\s*(?:(?:which|this|that|it|(?:both|these|they)(?:\s(?:values|numbers|roots|solutions))?"
    r"|no\s+other|everything)(?:['’]s\s+(?:it|all)\b|\s+(?:also\s+|all\s+|indeed\s+)?"
    r"(?:(?:is|are)\s+(?:indeed\s+)?(?:it|all|correct|right|consistent|valid|true|as\s|what\s|in\s|(?:the|our"
    r"|my)\s+(?:only|desired|required|"
    r"final|correct|answer|solution|result))|check|match|agree|satisf|complet|conclud|confirm|work|fit|hold|make"
    "|follow|prove|show|use))"
    r"|done|q\.?e\.?d|i['’]m\s|i\s+am\s)"
    r"(?!.*(?:\bnot\b|n['’]t\b|\bwrong\b|\bincorrect\b|\bfalse\b|\bmaybe\b|\bperhaps\b"
    r"|\bactually\b|\binstead\b|\bunsure\b))",
    re.IGNORECASE | re.DOTALL,
)
"""A sentence about an answer that stands already; one that denies anything is none."""
DENIAL = re.compile(
    r"\b(?:doubt(?:ful)?|deny|disagree|disbelieve|false|untrue|wrong|incorrect|impossible|unlikely|absurd"
    r"|nobody\s+\w+|nor?\s+one\s+\w+|"
    r"not\s+(?:true|correct|right|possible|likely|the\s+case)|don['’]t\s+(?:think|believe)|not\s+(?:think|believe))"
    r"\s+(?:(?:to|of)\s+\w+\s+)?(?:that|if|whether)\b",
    re.IGNORECASE,
)
"""A main clause that denies what follows it: `It is false that`."""
SAYING = re.compile(
    r"(?<!n't )(?<!not )\b(?:is|it's|are|be|get|gets|have|has|yields?|gives?|with|obtain|find|to|equals|exactly|means|"
    r"arrive at|answer|es|est|ist|sind|é|hat|tiene|on a)\b"
)
"""Verbs before words such as `no solution`."""
ALL_BUT = re.compile(
    r"[^\d$\\]{0,60}\b(?:all|any|every)\b.{0,40}?\b(?:except|but|other\s+than|excluding|apart\s+from)\b",
    re.IGNORECASE,
)
"""`all real numbers except`: the value behind it is what is left out."""
