"""How a statement is made: what it denies, whether it is negated, how sure it is, who is said to have said it."""

from __future__ import annotations

import re
from typing import Literal

from verifleet.agents.caseless import caseless
from verifleet.agents.lexicon import listed

Modality = Literal["asserted", "possible", "predicted"]

_RUMOUR = (
    r"(?:(?:the|a|an|one|these|those|any|all|online|social media|viral|circulating|earlier|recent|such|some|"
    r"false|fake|unverified|"
    r"unconfirmed|media|widespread|persistent)\s+){0,4}"
    r"(?:reports?|claims?|rumou?rs?|posts?|messages?|talk|stor(?:y|ies)|videos?|allegations?|suggestions?|speculation|"
    r"assertions?|information|tweets?|word|news|accounts?|statements?|images?|photos?)"
)
_LEADING = r"(?:\s+(?:(?:circulating|going around|shared|spread(?:ing)?|online|on social media|on \w+|today)\s+){0,3})"
_OF = r"(?:that|of|about|saying|claiming|suggesting|alleging|regarding|concerning|on)"
_FALSE = (
    r"(?:false|untrue|fake|wrong|unfounded|baseless|groundless|incorrect|inaccurate|fabricated|made[- ]up|a hoax|hoax|"
    r"hoaxes|misleading|misinformation|disinformation|debunked|nonsense|bogus|a lie|lies|a fabrication|mistaken|"
    r"exaggerated|without (?:any )?(?:foundation|basis|merit|substance)|fals[oaie]s?|falsch|faux)"
)
_DENY = caseless(
    r"\b(?:den(?:y|ies|ied|ying)|dismiss(?:es|ed|ing)?|reject(?:s|ed|ing)?|refut(?:e|es|ed|ing)|rul(?:e|es|ed|ing) out|"
    r"debunk(?:s|ed|ing)?|disput(?:e|es|ed|ing)|contradict(?:s|ed|ing)?|disprov(?:e|es|ed|ing)|discount(?:s|ed)|"
    r"quash(?:es|ed)?|desmiente|desmintió|smentisce|desmentiu|dément)\b"
    r"(?:\s+as\s+" + _FALSE + r")?(?:\s+" + _RUMOUR + r")?" + _LEADING + r"?(?:\s*" + _OF + r"\b)?\s*",
)
_CONTRARY = caseless(
    r"\b(?:contrary to|no truth (?:to|in)|no basis for|no foundation (?:to|for)|nothing to)\s+"
    + _RUMOUR
    + _LEADING
    + r"?(?:\s*"
    + _OF
    + r"\b)?\s*",
)
_NOT_TRUE = caseless(
    r"\b(?:is|are|was|were|'s|'re|as|remains?|proved|turned out(?: to be)?|described as|called)\s+"
    r"(?:(?:completely|totally|entirely|simply|just|all|absolutely|also|therefore|clearly|utterly|being)\s+)?"
    r"(?:" + _FALSE + r"|not (?:true|correct|accurate|the case|real|right|so)|n[o']t true)\b"
    r"|\b(?:have|has|had) no (?:basis|foundation|truth|substance|merit)\b",
)
_ISNT_TRUE = caseless(r"\b(?:isn't|aren't|wasn't|weren't) (?:true|correct|accurate|the case|real)\b")
_IT_IS_FALSE_THAT = caseless(
    r"\bit(?:'s| is| was) (?:" + _FALSE + r"|not (?:true|correct|the case)) (?:to say )?that\s+"
)
_RUMOUR_THAT = caseless(r"\b" + _RUMOUR + _LEADING + r"?\s*" + _OF + r"\s+")
_LABELLED_FALSE = caseless(
    r"^\W*(?:false|fake|fake news|hoax|rumou?r|not true|myth|debunked|misinformation)\s*[:!–-]+\s*"
)
_NONE_OF = caseless(
    r"\bno (?:evidence|signs?|indications?|truth|proof|confirmation|trace|threat|risk|danger|basis|reports?) "
    r"(?:of|that|to suggest(?: that)?|for|from)\s+",
)
_THERE_IS_NO = caseless(
    r"\bthere (?:is|was|are|were|has been|have been|had been)(?: currently| absolutely)?(?: no|"
    r"n't any| not any| not a| never(?: been)?(?: a| any)?)\s+",
)
_NO_X_FOUND = caseless(
    r"\bno (?P<what>(?:[\w'-]+\s+){1,5}?)(?P<verb>(?:was|were|has been|have been|had been|is|are)\s+"
    r"(?:ever\s+)?(?:found|confirmed|reported|detected|discovered|issued|recorded|seen|identified|"
    r"expected|planted|there))",
)
_NO_X = caseless(
    r"^\W*(?:[^:.]{2,60}:\s+)?no\s+(?!no\b|one\b|trains?\b|buses\b|flights\b|ferries\b|schools?\b|classes\b|power\b|electricity\b|water\b|doubt\b|longer\b|more\b|matter\b|idea\b|words?\b)"
    r"(?P<what>(?:[\w'-]+\s+){1,5}(?:at|in|on|near|inside|outside|under)\s.{2,80})",
)
_LOOSE_START = caseless(r"^\W*(?:despite|amid) [^,]{2,60},\s*")
_LOOSE_END = caseless(r",?\s+(?:they|it|these|which|this|that|and|but|all of (?:them|which))\W*$")
_NOTHING = caseless(
    r"\b(?:nothing (?:of (?:the|that) (?:kind|sort)|like (?:that|this)|suspicious|was found|found|"
    r"has been found|happened)"
    r"|no such (?:thing|\w+)|false alarm|not the case|did not happen|didn't happen|never happened"
    r"|no (?:truth|basis|foundation|substance) (?:to|in|for) (?:this|that|the|these|those|any|it|them|such)\b"
    r"|no evidence (?:of|for) (?:this|that|these|those|any of|it\b|such)"
    r"|(?:ignore|disregard|don't believe|do not believe|don't share|do not share|stop spreading|"
    r"do not spread|don't spread)"
    r" (?:the |these |those |this |all |any |such |false )?(?:\w+ )?(?:rumou?rs?|reports?|messages?|posts?|claims?))\b",
)
_ABOUT_RUMOUR = caseless(r"\b(?:rumou?rs?|claims?|reports?|stor(?:y|ies)|posts?)\b")
_NOT = caseless(
    r"\b(?:(?P<aux>is|are|was|were|has|have|had|did|does|do|will|would|can|could|should)(?:\s+not\b|"
    r"n['’]t\b)|cannot\b|won['’]t\b|can['’]t\b)"
    r"(?!\s+(?:only|just|yet (?:known|clear|confirmed)|clear|known|immediately))",
)
_NEGATIVE = caseless(
    r"(?:\b(?:not|never|none|nobody|neither|nor|no one|nothing|ningún|ninguna|nessun[ao]?|nenhum[a]?|"
    r"aucune?|kein[e]?)\b|n['’]t\b"
    r"|\bno\b(?! fewer| less| more than| doubt|\.\s?\d| power| electricity| water| longer| matter"
    r"| joke\b| surprise| wonder| trains?\b| buses\b| flights\b| ferries\b| trams?\b| "
    r"schools?\b| classes\b| lessons\b| signal\b| heating\b)|"
    r"\bunharmed\b|\buninjured\b)"
    r"(?! (?:only|just|clear|known))",
)
_POSSIBLE = caseless(
    r"\b(?:may|might|could|possibl[ey]|perhaps|maybe|fear(?:ed|s|ing)?|appears?|seems?|seemingly|"
    r"likely|probabl[ey]|suspect(?:ed|s)?"
    r"|believed|thought to|potential(?:ly)?|not clear|unclear|investigating (?:whether|if)|podría|"
    r"puede que|forse|talvez"
    r"|peut-être)\b",
)
_PREDICTED = caseless(
    r"\b(?:will|going to|gonna|about to|expected to|is expected|are expected|forecast|predicted|"
    r"set to|due to (?:arrive|hit|open|close|reach|make)"
    r"|scheduled|planned|plans? to|to be (?:closed|opened|reopened|evacuated)|imminent|heading (?:for|"
    r"to|toward)|approaching"
    r"|tomorrow|warns? of|would)\b",
)
HEARSAY = caseless(
    r"^\W*(?:omg\W+)?(?:(?:just |am |i'm |im |i )?(?:hear(?:ing|d)?)(?: (?:that|from|reports?))?|"
    r"(?:some |many |lots of )?(?:people|folks|locals|they|everyone|neighbou?rs) "
    r"(?:are |is |were |keep )?(?:say(?:ing|s)?|said|claim(?:ing)?|talking about|"
    r"telling me)(?: that)?|word (?:is|has it)(?: that)?|rumou?rs?(?: (?:is|has it|say|that|of|are))?"
    r"|apparently|supposedly|allegedly|reportedly|someone (?:said|says|told me)(?: that)?|dicen que|"
    r"se dice que|dizem que|si dice che)\b[\s:,]*"
    r"|\b(?:reportedly|allegedly|apparently|supposedly|purportedly|unconfirmed|unverified|rumou?red?|"
    r"hearsay|i heard|we heard|i hear|(?:was|been|being) told|told me"
    r"|(?:my |a |his |her )?(?:friend|cousin|neighbou?r|colleague|mate|brother|sister|mom|mum|dad|"
    r"uncle|aunt|husband|wife|roommate|son|daughter|nephew|niece)\b"
    r".{0,40}?\b(?:say|says|said|told|heard|claims?)"
    r"|according to (?:a |some |my |one |the )?(?:\w+ )?(?:friends?|neighbou?rs?|locals|people|rumou?rs?|social media|"
    r"cousin|colleague|mate|brother|sister|uncle|aunt|relatives?|guy|twitter|facebook|whatsapp|telegram|tiktok|posts?)"
    r"|\b(?:saw|read|seen) (?:it |this |that )?(?:on|in) (?:twitter|facebook|whatsapp|telegram|tiktok|a "
    r"group|the group)"
    r"|people (?:are )?say(?:ing)?|they say|sources say"
    r"|there are (?:reports|rumou?rs)|unconfirmed reports?|reports? (?:of|that)|al parecer|pare che|supostamente)\b",
)
_UPDATE = caseless(
    r"\b(?:as of|update[ds]?|now (?:at|stands?|reached|confirmed)|rise[sn]?(?: to)?|risen|rose|"
    r"climb(?:s|ed)?(?: to)?|jump(?:s|ed)? to"
    r"|increase[sd]? to|grow[sn]? to|grew to|up to \d+ from|revised|revise[sd]?|reaches|reached|"
    r"stands? at|so far|latest"
    r"|drop(?:s|ped)? to|falls? to|fell to|down to|lowered to|reduced to|corrected|sube a|sale a|sobe para|now)\b",
)
_ATTRIBUTED_BEFORE = re.compile(
    r"^\W*(?P<who>(?:[A-Z][\w.&'’-]*|of|the|and|for|de|del|la)(?:\s+(?:[A-Z][\w.&'’-]*|of|the|and|for|"
    r"de|del|la|department|police|agency|officials|authority|service|radio|"
    r"council)){0,7})\s*:\s+(?=\S)"
)
_SAYING = (
    r"(?:says?|said|confirm(?:s|ed)?|announc(?:es|ed)|report(?:s|ed)?|states?|stated|tells?|told|"
    r"warn(?:s|ed)?|den(?:ies|ied)|"
    r"estimates?|estimated|claim(?:s|ed)?|declar(?:es|ed)|reveal(?:s|ed)?|urge[sd]?|advis(?:es|ed)|order(?:s|ed)|count)"
)
_ATTRIBUTED_SUBJECT = re.compile(
    r"^\W*(?:the\s+)?(?P<who>(?:[A-Z][\w.&'’-]*|[Pp]olice|[Oo]fficials?|[Aa]uthorities|[Rr]eporters?|"
    r"[Mm]edics|[Hh]ospitals?)"
    r"(?:\s+(?:[A-Z][\w.&'’-]*|of|the|and|for|on|officials?|police|chief|department|spokes\w+|"
    r"authorities|ground|agency)){0,7}?)\s+" + _SAYING + r"\b"
)
_ATTRIBUTED_AFTER = re.compile(
    r"(?:,\s*|\s[-–—]\s*)(?P<who>(?:the\s+)?[\w.&'’-]+(?:\s+[\w.&'’-]+){0,6}?)\s+" + _SAYING + r"\b[\s.!\"”’']*$"
)
_ACCORDING = re.compile(
    r"\baccording to\s+(?P<who>(?:the\s+|a\s+)?[\w.&'’-]+(?:\s+[A-Z][\w.&'’-]+){0,6})", re.IGNORECASE
)
_NOT_WHO = listed(
    "omg,breaking,update,alert,rt,i,we,he,she,it,they,this,that,there,video,photo,news,live,more,false,"
    "fake,hoax,people,someone,everyone,friend,rumour,rumor,rumours,rumors,watch,urgent,reports,report,"
    "dead,injured,missing,the,a,an,not,fact,fact check,myth"
)


def denied_statement(sentence: str) -> str | None:
    """The statement that a sentence calls false, "" for one named only as "this rumour", None for no denial."""
    labelled = _LABELLED_FALSE.match(sentence)
    if labelled is not None:
        return _tidy(sentence[labelled.end() :])
    said_false = _IT_IS_FALSE_THAT.search(sentence)
    if said_false is not None:
        return _tidy(sentence[said_false.end() :])
    match = _DENY.search(sentence)
    if match is not None:
        rest = sentence[match.end() :]
        not_true = _NOT_TRUE.search(rest)
        return _tidy(rest[: not_true.start()] if not_true else rest)
    match = _CONTRARY.search(sentence)
    if match is not None:
        return _tidy(sentence[match.end() :].split(",", 1)[0])
    untrue = _NOT_TRUE.search(sentence) or _ISNT_TRUE.search(sentence)
    if untrue is not None:
        return _called_untrue(sentence[: untrue.start()])
    return _absent(_BROKEN.sub(" ", sentence)) if _absent(sentence) is not None else None


def is_explicit_denial(sentence: str) -> bool:
    """Whether the sentence is there to call something false, rather than merely negated."""
    patterns = (_LABELLED_FALSE, _IT_IS_FALSE_THAT, _DENY, _CONTRARY, _NOTHING, _NONE_OF, _THERE_IS_NO, _NO_X_FOUND)
    if any(pattern.search(sentence) is not None for pattern in patterns):
        return True
    return _RUMOUR_THAT.search(sentence) is not None and _NOT_TRUE.search(sentence) is not None


def calls_untrue(sentence: str) -> bool:
    """Whether the sentence calls a statement false in so many words ("reports that X are false")."""
    patterns = (_LABELLED_FALSE, _IT_IS_FALSE_THAT, _DENY, _CONTRARY, _NOT_TRUE, _ISNT_TRUE)
    return any(pattern.search(sentence) is not None for pattern in patterns)


def _called_untrue(subject: str) -> str:
    rumour = _RUMOUR_THAT.search(subject)
    if rumour is not None:
        return _tidy(subject[rumour.end() :])
    attribution = _ATTRIBUTED_BEFORE.match(subject)
    return _tidy(subject[attribution.end() :] if attribution else subject)


def _absent(sentence: str) -> str | None:
    """What "no evidence of X", "there is no X", "no X was found", "X did not happen" deny."""
    if _NOTHING.search(sentence) is not None:
        return ""
    for pattern in (_NONE_OF, _THERE_IS_NO):
        match = pattern.search(sentence)
        if match is not None:
            return _tidy(sentence[match.end() :])
    match = _NO_X_FOUND.search(sentence)
    if match is not None:
        return _tidy(sentence[slice(*match.span("what"))] + sentence[slice(*match.span("verb"))])
    match = _NO_X.match(sentence)
    if match is not None:
        return _tidy(sentence[slice(*match.span("what"))])
    match = _NOT.search(sentence)
    if match is not None:
        return _tidy(sentence[: match.start()] + sentence[slice(*match.span("aux"))] + sentence[match.end() :])
    return None


def _tidy(statement: str) -> str:
    before = _ATTRIBUTED_BEFORE.match(statement)
    statement = _ATTRIBUTED_AFTER.sub("", statement[before.end() :] if before else statement)
    statement = _LOOSE_END.sub("", _LOOSE_START.sub("", statement)).strip(" \t\n.,;:!?\"'“”’‘-–—")
    return "" if _ABOUT_RUMOUR.fullmatch(statement.split(" ", 1)[-1]) or statement.lower() in _EMPTY else statement


_EMPTY = listed(
    "this,that,it,these,those,they,the rumour,the rumor,rumours,rumors,reports,the reports,claims,"
    "the claims,the claim,the report,all rumours,the rumours,the rumors,the story,this story,"
    "the allegations,allegations,any of this,this rumour,this rumor,the same,the information,whatsapp,"
    "facebook,twitter,x,social media,telegram,tiktok,instagram,the internet,the contrary"
)


_SOME_PEOPLE = (
    r"(?:\d+|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozens?|people|persons?|men|women|children|kids"
    r"|workers|passengers|residents|crew)"
)
_BROKEN = caseless(
    r"\b(?:nothing|not|no longer|never)\s+(?:works?|working|functioning|responding|answering|available)\b"
    r"|n['’]t\s+(?:work(?:ing)?|functioning|responding|answering|available)\b"
    r"|\b(?:nothing|nobody|no one|none)\s+(?:can|could|is able to|gets?)\s+(?:\w+\s+)?(?:pass|get|through|reach"
    r"|leave|cross|move|see|go|stop)\b"
    r"|(?:\b(?:cannot|can not|could not|unable to)|\b(?:can|could)(?:n['’]?t|['’]t)|\bcant)\s+(?:be\s+)?(?:shut"
    r"|stop|see|get|reach|reached|leave"
    r"|cross|pass|go|move|breathe|control|contain|find|turn|lived|used|open|put)\b"
    r"|\bno longer\s+(?:be\s+)?(?:lived|used|passable|safe)\b"
    r"|\b(?:zero|no|not a single|not one)\s+(?:lights?|lamps?|current|mains|reception|phones?)\b"
    r"|\bnothing\s+(?:is\s+|was\s+)?(?:running|moving)\b"
    r"|(?:\b(?:not|never|nobody|no one|none of them)(?: (?:is|are|was|will|would|wants? to|to|dares? to))?"
    r"|n['’]t|\bdont|\bwont)"
    r"(?: (?:want|going|gonna)(?: to)?)? (?:tell|telling|say|saying|show|showing|admit\w*|report|reporting"
    r"|mention\w*|inform\w*)\b(?! that)"
    rf"|\b{_SOME_PEOPLE}\s(?:\w+\s){{0,3}}?(?:cannot|can not|could not|(?:can|could)n?['’]?t)\s+(?:yet\s+)?be\s+"
    r"(?:found|located|traced|accounted for|reached)\b"
    r"|(?:\b(?:not|never)|n['’]t)\s+(?:yet\s+)?(?:been\s+)?(?:seen (?:since|again|after)|heard from|accounted for)\b"
    r"|\b(?:nobody|no one)\s+(?:(?:has|have|['’]s)\s+)?heard from\b"
    rf"|\bno (?:word|news) (?:of|from) (?:the )?(?:missing|{_SOME_PEOPLE})\b",
)
"""What is out of order is a fact, and so is who is missing: not the denial of one."""
_ASIDE = caseless(
    r"(?:,\s+|\s+[–—-]\s+|\s+\()(?:and |but |though |with )?(?:none|no|nobody|not|without|neither|never)\b[^;]{1,120}$",
)
_STATED_BEFORE = caseless(
    r"\b(?:is|are|was|were|has|have|had|remains?|\w{3,}ed|dead|missing|hurt|shut|cut|hit|burst|lost|found|sent|taken|down)\b",
)


def is_negated(sentence: str) -> bool:
    """Whether the sentence says that something is not so; "19 were treated, none of them seriously hurt" does not."""
    if _NEGATIVE.search(sentence) is None:
        return False
    aside = _ASIDE.search(sentence)
    if aside is not None and _STATED_BEFORE.search(sentence, 0, aside.start()) is not None:
        sentence = sentence[: aside.start()]
    return _NEGATIVE.search(_BROKEN.sub(" ", sentence)) is not None


def modality(sentence: str) -> Modality:
    """Whether the sentence asserts, thinks possible or predicts."""
    if _PREDICTED.search(sentence) is not None:
        return "predicted"
    return "possible" if _POSSIBLE.search(sentence) is not None else "asserted"


_ALARMIST = re.compile(
    r"\b(?:(?:they|media|tv|press|news|government|govt|authorit\w+|officials|police|mayor|army|company|hospital)"
    r"(?: (?:is|are|was|were|just|all|still|again|keep))*"
    r" (?:(?:won['’]?t|will not) (?:tell|say|show|report|admit)|do(?:n['’]?t| not) want (?:you|us|anyone) "
    r"to|hiding|lying"
    r"|lies|lied|silent|covering|silenced)"
    r"|(?:hiding|concealing) (?:it|this|that|the (?:truth|bodies|real|dead|numbers)|bodies|everything)"
    r"|cover(?:ing)?[- ]?(?:it |this |everything )?up|covered (?:it )?up|false flag|crisis actors?|staged"
    r"|pr stunt|inside job|psyop"
    r"|than they (?:admit|say|tell|claim|let on)|they (?:always|keep) (?:downplay|hid|lie)\w*"
    r"|(?:before|until|till) (?:it(?:['’]?s| is| gets)?|they|this(?: is| gets)?)? ?(?:delete[ds]?"
    r"|take[ns]? (?:it )?down|remove[ds]?|censor\w*)"
    r"|share (?:this |it )?(?:before|now|with (?:everyone|everybody|all|your)|everywhere|widely|asap|fast)"
    r"|(?:please |pls )?(?:spread the word|pass (?:it|this) on|make (?:it|this) viral|retweet this)"
    r"|run for your li(?:fe|ves)|wake up (?:people|sheep\w*)|mark my words|trust me|you heard it here|100 "
    r"?% (?:true|sure|confirmed|the)"
    r"|media blackout|mainstream media|act of war)\b"
    r"|!{3,}|(?:!\s*){3,}|\b(?-i:RUN)\b",
    re.IGNORECASE,
)
_ALARM_MARKS = (
    "!!,! !,won't,won’t,wont,will not,t want,not want,hiding,lying,lies,lied,silen,conceal,cover,false flag,staged,"
    "than they,they always,they keep,"
    "crisis actor,stunt,inside job,psyop,delete,take down,taken down,take it down,remove,censor,share,spread the,"
    "pass it,pass this,viral,retweet this,for your li,wake up,mark my,trust me,you heard it,100,blackout,mainstream,"
    "act of war,run"
).split(",")
"""One of these is in all that _ALARMIST finds; looking for them first is cheap."""
_SHOUTED = re.compile(
    r"\b(?:DEAD|ALL|SECOND|THIRD|INSANE|SHOCKING|BOMBS?|PEOPLE|WANTS?|BURST|NEVER|HUGE|MASSIVE|EVERYONE|EVERYTHING|NOBODY"
    r"|THOUSANDS|HUNDREDS|MILLIONS|DESTROYED|GONE|WAR|EVERY|TRUTH|LIES|KILLED|DYING|EXPLODED|COLLAPSED|POISONED?|REALLY"
    r"|TERRORISTS?|WHOLE|ENTIRE|MUST|SEE|WATCH|NOT|NO|DON['’]?T|DO NOT|SHARE|PANIC|CHAOS|HELL)\b"
)


def is_alarmist(text: str) -> bool:
    """Whether a post is told in the manner of a rumour: shouted, urged to be shared, or "what they hide from you".

    A post all in capitals shouts no word in particular.
    """
    low = text.lower()
    if any(mark in low for mark in _ALARM_MARKS) and _ALARMIST.search(text) is not None:
        return True
    return _SHOUTED.search(text) is not None and not text.isupper()


def is_hearsay(sentence: str) -> bool:
    """Whether the sentence passes on what others said, without naming a body that answers for it."""
    return HEARSAY.search(sentence) is not None


_WITNESS = caseless(
    r"\b(?:i(?!-\d)|we|us|our|my|me|i['’]?m|we['’]?re|here|everywhere|anywhere|all around|(?:whole|entire) \w+"
    r"|can(?:['’]?t|not)? (?:see|hear|smell|feel)|saw|felt|heard|omg|right now"
    r"|just (?:saw|heard|felt|crossed|passed|went|happened))\b",
)
_ANOTHER = caseless(r"\b(?:another|second|third|one more)\b")
_OF_OTHERS = caseless(
    r"\b(?:another|second|third|more|again|next|further|too|also|as well|friends?|cousin|uncle|aunt|neighbou?r|brother"
    r"|sister)\b",
)


def tells_as_witness(sentence: str) -> bool:
    """Whether somebody tells what they saw themselves, neither of a further event nor what friends have told."""
    return _WITNESS.search(sentence) is not None and _OF_OTHERS.search(sentence) is None


def tells_of_another(sentence: str) -> bool:
    """Whether a sentence speaks of one more of a kind ("another blast")."""
    return _ANOTHER.search(sentence) is not None


def is_update(sentence: str) -> bool:
    """Whether the sentence brings an earlier figure up to date."""
    return _UPDATE.search(sentence) is not None


def attribution(sentence: str) -> str | None:
    """Who is said to have said it: "Civil Protection Agency: ...", "police said ...", "according to ..."."""
    for pattern in (_ATTRIBUTED_BEFORE, _ATTRIBUTED_SUBJECT):
        match = pattern.match(sentence)
        if match is not None and match["who"].split()[0].lower() not in _NOT_WHO:
            return match["who"].strip()
    match = _ACCORDING.search(sentence) or _ATTRIBUTED_AFTER.search(sentence)
    return match["who"].strip() if match is not None else None
