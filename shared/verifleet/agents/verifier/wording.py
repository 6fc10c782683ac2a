"""Words of a report made comparable: tokens, stems, concepts, near copies.

Two reports say the same in other words ("the dam has burst", "the embankment gave way"), so words are reduced to
stems and common wordings of incident reports to one concept each.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection
from collections.abc import Set as AbstractSet
from functools import lru_cache

from verifleet.agents.caseless import caseless

NEAR_COPY_FROM = 0.75
"""Jaccard similarity of the words of two reports from which one counts as a copy of the other."""
MAX_TEXT = 20_000
MAX_WORDS = 160
MAX_CONCEPTS = 60
SHORT_TEXT = 600

_LINK_OR_HANDLE = caseless(r"https?://\S+|www\.\S+|(?<!\w)@\w+")
_REPOST = caseless(
    r"^\W*(?:rt|mt|repost(?:ed|ing)?|fwd|forwarded|retweet(?:ed|ing)?)\b\W|\bvia\s+@\w+|^\W*[\"“”]\s*@\w+"
    r"|^.{0,60}?\b(?:rt|mt)\s+@\w+|^\W*[\"“].{8,250}[\"”]\W{1,4}@\w+\W*$"
)
CRY = caseless(
    r"\b(?:oh|ah|god|dear|my),? no+\b|\bno+,? no+\b|\bno (?:words|joke|kidding|cap|doubt|wonder"
    r"|way\b(?! (?:out|to|in|of|through)))\b"
)
"""Cries, of which the "no" negates nothing."""
_SENDER = re.compile(r"^\W*[A-Z][\w'’.-]*(?:\s+(?:and|of|for|the|de|la|[A-Z][\w'’.-]*)){0,6}:\s+")
_WORD = re.compile(r"[^\W_]+(?:['’.,][^\W_]+)*")
_UNSPACED = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]")

# One concept a line: wordings that reports use for the same thing. Stemmed when loaded.
_CONCEPTS = """
burst: fail failed failure burst breach breached collapse collapsed rupture ruptured crumbled fell fallen gave
dam: dam embankment levee levees dyke dike weir reservoir
bomb: bomb bombs explosive explosives device ied
arson: molotov firebomb
arson: arson arsonist arsonists deliberate deliberately torched sabotage saboteurs intentional intentionally arsonist's
burst: pancaked
building: building buildings block blocks apartment apartments tower residential flats tenement
blaze: flames burning ablaze alight blaze blazes
loot: loot looter looters looted looting ransacked ransacking plundered plundering pillaging rob robbing robbed robbers
gang: gang gangs mob mobs thugs bandits
shop: shop shops store stores supermarket supermarkets
animal: animal animals lion lions tiger tigers bear snake snakes crocodile dog dogs cat cats pet pets cattle livestock
animal: wolf wolves elephant elephants shark sharks crocodiles snakes bears monkey monkeys boar boars leopard leopards
animal: cow cows horse horses sheep goat goats pig pigs chicken chickens bird birds
shooter: shooter shooters gunman gunmen gunfire shooting shots sniper snipers
shooter: bullet bullets gunshot gunshots shot gun guns weapon weapons firearm firearms
drunk: drunk drunken intoxicated alcohol inebriated drinking sober
tsunami: tsunami tsunamis
contaminate: contaminated contamination poisoned poison poisonous tainted unsafe polluted undrinkable
leak: leak leaked leaking leaks spill spilled spilling released releasing seeping
close: locked close closed closure closing shut shutdown blocked impassable cordoned sealed
open: open opened reopen reopened reopening passable
shelter: shelter shelters
hostage: hostage hostages kidnap kidnapped abducted abduction
riot: riot riots rioting rioters unrest
escape: escape escaped escaping loose fled fleeing fugitive
inmate: inmate inmates prisoner prisoners convict convicts
prison: prison jail
petrol: petrol fuel gasoline
school: school schools classes
shortage: shortage shortages dry
radiation: radiation radioactive radioactivity
bridge: bridge bridges overpass viaduct flyover span spans
drug: drug drugs narcotics narcotic meth methamphetamine heroin cocaine fentanyl
train: train trains railway rail rails track tracks
road: road roads highway motorway street
hospital: hospital hospitals clinic infirmary
mall: mall shopping
water: water drinking tap
blast: blast explosion exploded exploding detonated detonation blew blown
injured: injured hurt wounded hospitalised hospitalized casualties injuries injury harm harmed
killed: dead killed died deaths death fatalities perished
evacuated: evacuated evacuees evacuation evacuate displaced evacuations
power: power electricity blackout outage outages grid dark darkness lights
rescued: rescued saved rescue
trapped: trapped stranded stuck
missing: missing unaccounted disappeared
outbreak: outbreak cholera epidemic typhoid dysentery
nuclear: nuclear reactor
toxic: toxic chlorine ammonia gas fumes hazardous noxious chemical chemicals vapour vapor
looming: imminent
bury: bury buried burying burial burials
resign: resign resigned resignation quit quits
crash: crash crashed collide collided collision collisions derailed
erupt: erupt erupted eruption erupting volcano volcanic
curfew: curfew martial lockdown
vaccine: vaccine vaccines vaccination vaccinations vaccinated
illness: illness sickness disease ill sick
quake: quake quakes earthquake earthquakes aftershock aftershocks tremor
attack: attack attacks attacked missile missiles terror terrorist terrorists
army: army soldiers troops military soldier
bank: bank banks atm atms
worker: worker workers staff employee employees crew
phone: phone phones mobile network signal
capsize: capsize capsized capsizes capsizing overturned overturns overturning keeled sank sunk sinking sinks
cyber: ransomware malware hacked hackers hacker hacking cyberattack cyberattacks cyber hack
computer: computer computers pc pcs servers server laptops screens
vehicle: vehicle vehicles car cars truck trucks lorry lorries traffic van vans
passenger: passenger passengers
halt: suspended suspend suspends suspension cancelled canceled cancel cancels cancellation cancellations postponed
halt: postpone halted scrapped
window: window windows glass glazing pane panes windowpane windowpanes
forecast: forecast forecasts predicted predicts predict prediction predictions
"""

GENERIC = frozenset(
    # grammar
    "a an the this that these those there here it its he she they them their his her we our us you your i my me who "
    "whom which what when where why how is are was were be been being am has have had having do does did done will "
    "would can could may might must shall should of in on at to from by for with without into onto over under up down "
    "out off about around near as than then and or but nor so if while because due after before during since until "
    "also just very more most some any all both each other another such only own same too not no yes again still "
    "already now today tonight yesterday tomorrow morning afternoon evening night hour hours minute minutes day days "
    "week ago am pm gmt utc local time "
    # telling
    "say says said saying tell tells told report reports reported reporting reportedly claim claims claimed confirm "
    "confirms confirmed confirming announce announced announces according state stated states statement spokesman "
    "spokeswoman spokesperson source sources breaking update updates updated urgent alert news radio tv press media "
    "journalist reporter reporters witness witnesses eyewitness hear heard hearing see seeing saw seen look watch "
    "friend people person persons residents resident locals local everyone everybody somebody someone folks public "
    "omg please pls careful safe stay run hide hiding share rt via pray prayers thoughts rumour rumours rumor rumors "
    "man men woman women child children adult adults boy boys girl girls kid kids victim victims patient patients "
    "social online post posts posted message messages video photo picture talk circulating spread spreading viral "
    # who tells
    "police fire department authority authorities agency official officials office officer officers service services "
    "emergency civil protection defence defense ministry government county city council "
    "management crew crews firefighters brigade response rescue team teams unit units dispatch center centre command "
    "sheriff national weather survey geological red cross hospital spokes incident scene site area region district "
    "town village neighbourhood neighborhood place part parts "
    "metre metres meter meters km kilometre kilometres kilometer kilometers foot feet hectare hectares acre acres "
    "false true untrue fake hoax truth denied deny denies evidence unfounded baseless correct incorrect".split()
)
"""Words that make no statement specific: grammar, who tells it, and the hazard's own name."""

_PHRASES = tuple(
    (tuple(part.replace("_", " ") for part in parts.split()), re.compile(rf"\b(?:{wordings})\b"), concept)
    for parts, wordings, concept in (
        ("break burgl theft steal stol", r"break-?ins?|burglar(?:y|ies)|thefts?|stealing|stolen", "looting"),
        ("purpose set foul criminal", r"on purpose|set alight|set on purpose|foul play|criminal act", "deliberately"),
        ("way away down caved", r"g[ai]ven? way|ga?ve (?:way|out)|washed away|come down|came down|caved in", "burst"),
        ("influence limit breath", r"under the influence|over the limit|breath(?:alyser|alyzer)?(?: test)?", "drunk"),
        ("close", r"close (?:to (?!all\b|traffic|the public|visitors|vehicles|trains)|by\b)", "near "),
        ("cable", r"cable[- ]cars?", "cablecar"),
        ("gas", r"(?:no|without|lost|losing|lacking) (?:their |any |mains )?gas\b(?! (?:leak|explosion))", "no mains"),
        ("shopping", r"shopping (?:centre|center|mall|complex|arcade)", "mall"),
        ("wave", r"(?:tidal|giant|killer|monster) waves?", "tsunami"),
        (
            "unattended suspicious booby",
            r"unattended (?:bag|package)|suspicious (?:bag|package|device|item)|booby trap",
            "bomb",
        ),
        ("fall topple tip", r"(?:about to|could|might|going to|will) (?:fall|topple|tip over)", "burst"),
        ("fire", r"(?:on|caught|catches|no|set on) fire|fire (?:broke|breaks) out", "ablaze"),
        (
            "down",
            r"(span|bridge|viaduct|roof|wall|tower|crane|slope|hillside|overpass|mast|ceiling) "
            r"(?:(?:is|has|are|have|was|were) )?(?:just |simply |completely |all "
            r"|totally )?(?:gone )?down(?! (?:to|by))",
            r"\1 burst",
        ),
        (
            "taped cordon fenced",
            r"(?:taped|cordoned|fenced|blocked|sealed|closed|roped) off|not let(?:ting)? (?:anyone|anybody"
            r"|people) (?:in|through)",
            "closed",
        ),
        ("running moving", r"nothing (?:is |was )?(?:running|moving)|(?:not|n't) (?:running|moving)", "suspended"),
        (
            "held",
            r"(?:persons?|people|shoppers|customers|anyone|nobody|no one) (?:(?:is|are|were|was) )?(?:being )?held\b",
            "hostage",
        ),
        (
            "rails track",
            r"(?:came|come|coming|jumped|slid|went|gone|flew) off the (?:rails|tracks?)"
            r"|(?:left|leaves) the (?:rails|tracks?)",
            "derailed",
        ),
        ("no_", r"no (?=(?:trains?|buses|flights|ferries|trams?)\b)", "cancelled "),
        ("no_", r"no (?=(?:school|schools|classes|lessons)\b)", "closed "),
        (
            "shop store",
            r"(?:empt(?:y|ies|ied|ying)|clean(?:ing|ed) out|stripp(?:ing|ed)|smash(?:ing|ed) (?:up|into)) "
            r"(?:the |all )?(?=shops?|stores?)",
            "looting ",
        ),
        ("powers", r"emergency powers", "curfew"),
        (
            "cut",
            r"(?:\b(?:road|highway|motorway|route|bridge|railway|line|pass|rail link|street)s?"
            r"(?: (?:is|are|was|were|has been|have been|completely|fully|now|being)){0,2} )cut(?: off)?",
            "road closed",
        ),
        (
            "out_of out_from into",
            r"(?:pouring|gushing|flowing|spewing|oozing|seeping|escaping) (?:out )?(?=(?:of|from|into)\b)",
            "leaking ",
        ),
        ("wash passable swept", r"washed out|not passable|no longer passable|swept away", "washed away closed"),
        ("system network", r"it systems?|information systems?|it network|computer (?:systems?|networks?)", "computers"),
        (
            "evac relief recep rest assist welfare",
            r"(?:evacuation|relief|reception|rest|assistance|welfare) (?:centre|center|site|point|hub)s?",
            "shelter",
        ),
        ("pulled service running", r"pulled out of|out of service|not running", "suspended"),
        (
            "on_the at_large got broke",
            r"on the (?:run|loose)|at large|got (?:away|out)|broke(?:n)? out(?= of)",
            "escaped",
        ),
    )
)
"""(parts of which each wording has one, wordings, concept): to look for the parts first is much cheaper."""


@lru_cache(maxsize=20_000)
def stem(word: str) -> str:
    """A light English stem; words of other languages stay almost as they are."""
    for suffix in ("'s", "’s"):
        word = word.removesuffix(suffix)
    if len(word) <= 3 or not word.isascii():
        return word
    for suffix, least in (
        ("ations", 5),
        ("ation", 5),
        ("ions", 5),
        ("ion", 5),
        ("ies", 2),
        ("ing", 3),
        ("edly", 3),
        ("ed", 3),
        ("es", 3),
        ("ly", 4),
        ("s", 3),
    ):
        if word.endswith(suffix) and len(word) - len(suffix) >= least and not word.endswith("ss"):
            word = word[: -len(suffix)] + ("y" if suffix == "ies" else "")
            break
    if len(word) > 4 and word[-1] == word[-2] and word[-1] not in "sl":
        word = word[:-1]
    return word[:-1] if len(word) > 4 and word.endswith("e") else word


_LISTED = [
    (word, name)
    for name, wordings in (line.split(": ") for line in _CONCEPTS.strip().splitlines())
    for word in wordings.split()
]
# A listed word goes before another's stem: a block of flats is not blocked.
CONCEPTS = {stem(word): name for word, name in _LISTED} | dict(_LISTED)
_NAMES = frozenset(CONCEPTS.values())
HAPPENINGS = frozenset(
    "burst bomb arson loot shooter drunk tsunami contaminate leak hostage riot escape blast outbreak radiation toxic "
    "shortage crash erupt curfew attack capsize cyber blaze".split()
)
"""Concepts that say what is supposed to have happened; the others say to what, or where."""
DEEDS = frozenset("open close halt injured killed evacuated rescued trapped missing illness looming shelter".split())
"""Concepts that say what happened, known or feared, and so do not name what it happened to."""
_VAGUE = (
    "back found find finding left leave leaving put putting home homes street streets stay stays stayed keep "
    "keeps kept go goes going went gone come comes coming came take takes taking took taken turn turned turning "
    "start started begin began begun work works worked full half new old big large small first second third next "
    "last month months year years end side get gets got make makes made use used using call called know knows "
    "think want wants need needs let help helped every everything nothing something nowhere time times case cases "
    "fact search searched check checked measured recorded record inside outside already ever never still happen "
    "happened happening show shows showed give gives given move moved moving run running bring brought hold held "
    "real really just normally normal usual usually today's company "
)
VAGUE = frozenset(form for word in _VAGUE.split() for form in (word, stem(word))) | {"road"}
"""Words that two statements may share without being about one thing."""
_GENERIC_STEMS = frozenset(stem(word) for word in GENERIC) | GENERIC


def is_repost(text: str) -> bool:
    """Whether the text says of itself that it passes on another's post."""
    return bool(_REPOST.search(text[:300]))


def fold(text: str) -> str:
    """Case and compatibility forms folded, accents dropped."""
    folded = text[:MAX_TEXT].casefold()
    if folded.isascii():
        return folded
    decomposed = unicodedata.normalize("NFKD", folded)
    return "".join(char for char in decomposed if not unicodedata.combining(char))


def words(text: str) -> list[str]:
    """The words of a text, folded, without links and handles; scripts without spaces give pairs of characters."""
    found: list[str] = []
    folded = fold(_LINK_OR_HANDLE.sub(" ", text[:MAX_TEXT]))
    spaced = folded.isascii()
    for word in _WORD.findall(folded):
        if not spaced and _UNSPACED.search(word):
            found.extend(word[i : i + 2] for i in range(max(1, len(word) - 1)))
        else:
            found.append(word.replace(",", "") if word[0].isdigit() else word)
    return found


def signature(text: str) -> frozenset[str]:
    """The words by which near copies are told; at most MAX_WORDS, repost marks left out."""
    told = words(CRY.sub(" ", text))
    unique = dict.fromkeys(word for word in told if word not in {"rt", "mt", "breaking", "fwd", "via"})
    return frozenset(list(unique)[:MAX_WORDS])


def sender(text: str) -> str:
    """The sender's own name in front of a text, folded, else ""."""
    found = _SENDER.match(text[:200])
    return " ".join(_WORD.findall(fold(found[0]))) if found else ""


def body(text: str) -> str:
    """A text without the sender's own name in front: "State Police: the road is open"."""
    return _SENDER.sub("", text, count=1)


def near_copy(one: frozenset[str], other: frozenset[str]) -> bool:
    """Whether two signatures are those of a text and its copy, by their Jaccard similarity."""
    mine, theirs = len(one), len(other)
    if min(mine, theirs) < NEAR_COPY_FROM * max(mine, theirs) or not mine:
        return False
    shared = len(one & other)
    return shared >= NEAR_COPY_FROM * (mine + theirs - shared) and not _turned(one, other)


_TURNING = frozenset(
    "no not never none nobody nothing neither nor without cannot false fake hoax untrue rumour rumor rumours rumors "
    "denied denies deny debunked myth lifted cancelled canceled cancels withdrawn rescinded revoked expired ended "
    "downgraded reopened restored resumed".split()
)
"""Words that one of two texts has where it turns what the other says."""
_NUMBERS = frozenset(
    "one two three four five six seven eight nine ten eleven twelve dozen dozens twenty thirty forty fifty sixty "
    "seventy eighty ninety hundred hundreds thousand thousands".split()
)


def _turned(one: frozenset[str], other: frozenset[str]) -> bool:
    """Whether two texts differ in what they say for all the words they share: in a negation or in their figures."""
    (turning, figures), (other_turning, other_figures) = _marks(one), _marks(other)
    return turning != other_turning or not (figures <= other_figures or other_figures <= figures)


@lru_cache(maxsize=2048)
def _marks(signature: frozenset[str]) -> tuple[frozenset[str], frozenset[str]]:
    """The words of a signature that negate, and those that count."""
    turning = frozenset(word for word in signature if word in _TURNING or word.endswith(("n't", "n’t")))
    return turning, frozenset(word for word in signature if word[0].isdigit() or word in _NUMBERS)


def concepts(text: str, without: Collection[str] = ()) -> frozenset[str]:
    """The specific words of a statement, as stems or concepts: no grammar, no numbers, none of the stems `without`."""
    read = _read_again(text) if len(text) <= SHORT_TEXT else _read(text)
    found = [concept for stemmed, concept in read if stemmed not in without and concept not in without]
    return frozenset(found[:MAX_CONCEPTS])


def _read(text: str) -> tuple[tuple[str, str], ...]:
    """The specific words of a text, each as its stem and its concept."""
    folded = fold(text)
    for parts, phrase, word in _PHRASES:
        for part in parts:
            if part in folded:
                folded = phrase.sub(word, folded)
                break
    found = []
    for word in words(folded):
        stemmed = stem(word)
        concept = CONCEPTS.get(word) or CONCEPTS.get(stemmed)
        if word[0].isdigit():
            continue
        if concept is None and (word in GENERIC or stemmed in _GENERIC_STEMS or len(word) < 2):
            continue
        found.append((stemmed, concept or stemmed))
    return tuple(found)


_read_again = lru_cache(maxsize=2048)(_read)
"""What is asked of one statement for several purposes, each without other words."""


def weight(shared: AbstractSet[str]) -> float:
    """How much a set of words says: a known concept counts twice a common word."""
    return float(len(shared) + len(_NAMES.intersection(shared)))


def overlap(one: frozenset[str], other: frozenset[str]) -> float:
    """How much of the less specific statement the other contains, by weight of words, 0..1."""
    shared = weight(one & other)
    least = min(weight(one), weight(other))
    return shared / least if least and shared >= 2 else 0.0
