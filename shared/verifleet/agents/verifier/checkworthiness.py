"""How much a sentence is worth checking: rules, and a small logistic model for crisis reports.

The rules look for what can be looked up (figures, deeds in the past, comparisons, names, causes) and for what can't
(opinions, wishes, prayers, questions, adverts). The model was trained on crisis reports and misleads elsewhere, so it
counts only as far as the text reads like such a report: `crisis_likeness` is its weight, the rules have the rest.
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import pairwise

from verifleet.agents.caseless import caseless
from verifleet.agents.lexicon import Lexicon

MAX_SENTENCE = 2_000
"""Characters of a sentence that are looked at."""

_URL = re.compile(r"(?:https?:?/{0,2}|www\.)\S*|\bhtt?\b(?=\W*$)")
_FORWARD = re.compile(r"\W{0,8}(?:RT|MT)\b\s*:?\s*@?\w{1,50}:?")
_HANDLE = re.compile(r"@\w+")
_HASHTAG = re.compile(r"#(\w{1,100})")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|(?<=[A-Za-z])(?=\d)")
_TOKEN = re.compile(r"<[a-z]+>|[^\W\d_]+(?:'[a-z]+)?|\d[\d,.:]*|[!?]+|[$€£%]|…|\.\.\.|[:;]-?[()Dd]|<3")


_NAME = re.compile(r"(?<=[a-z,;'\d] )(?!I\b|Americans?\b)[A-Z][\w'.-]+(?: [A-Z][\w'.-]+)*")
_EMOTICON = re.compile("[:;]-?[()DPp/](?!/)|<3|[\U0001f600-\U0001f64f❤♥\U0001f494]")
_MARKS = frozenset({"<url>", "<rt>", "<user>", "<tag>"})


def _word_set(listed: str) -> frozenset[str]:
    return frozenset(listed.split())


def plain(text: str) -> str:
    """The text with links, handles and hashtag marks replaced by placeholders; hashtags are parted into words."""
    text = _URL.sub(" <url> ", text[:MAX_SENTENCE].replace("’", "'"))
    text = _FORWARD.sub(" <rt> ", text, count=1) if _FORWARD.match(text) else text
    text = _HANDLE.sub(" <user> ", text)
    return _HASHTAG.sub(lambda match: " <tag> " + _CAMEL.sub(" ", match[1]), text)


def tokens(plain_text: str) -> list[str]:
    """Lower-case tokens of `plain` text; figures are `<num>`, clock times `<time>`."""
    found = []
    for token in _TOKEN.findall(plain_text.lower()):
        if token[0].isdigit():
            token = "<time>" if ":" in token else "<num>"
        elif token[0] in "!?":
            token = token[:2]
        found.append(token)
    return found


# --- rules --------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Rule:
    """One observation about a sentence: what it adds to the log-odds of being checkable, and the words that show it."""

    name: str
    weight: float
    most: int = 1
    """How often it counts at most."""
    words: str = ""
    """Words and phrases, parted by commas; `*` at the end stands for any ending."""


RULES: Mapping[str, Rule] = {
    rule.name: rule
    for rule in (
        Rule(
            "number", 0.9, 2,
            "two,three,four,five,six,seven,eight,nine,ten,eleven,twelve,thirteen,fourteen,fifteen,sixteen,seventeen,"
            "eighteen,nineteen,twenty,thirty,forty,fifty,sixty,seventy,eighty,ninety,hundred,hundreds,thousand,"
            "thousands,million,millions,billion,billions,trillion,dozen,dozens,half,third,quarter,twice,double,"
            "triple,"
            "zero,both,several,<num>",
        ),
        Rule("amount", 0.6, 2, "percent,per cent,million,billion,trillion,thousand,hundred,$,€,£,%"),
        Rule("toll", 0.8, 2),
        Rule(
            "past", 0.45, 2,
            "was,were,had,did,been,said,told,went,came,took,made,gave,got,saw,found,left,lost,won,led,"
            "held,kept,put,cut,"
            "built,sent,spent,paid,brought,bought,sold,taught,fought,hit,struck,shot,shut,rose,fell,grew,began,broke,"
            "drove,ran,spoke,wrote,chose,knew,met,stood,became,blew,burnt,sank,swept,cast,wrote,flew,froze,stole",
        ),
        Rule("perfect", 0.25),
        Rule(
            "trend", 0.55, 2,
            "more than,less than,fewer,higher,lower,larger,smaller,bigger,worse,better than,highest,lowest,largest,"
            "biggest,worst,greatest,most of,majority,increas*,decreas*,declin*,reduc*,raise*,raising,"
            "doubl*,tripl*,rise,"
            "rises,rising,risen,drop*,record,average,rate,first time,only,compared,deficit,debt,surplus,growth,"
            "growing,oldest,youngest,richest,poorest,strongest,weakest,cheaper,cheapest,costlier,safer,ever built,"
            "one in,one of every,"
            "gone up,gone down,went up,went down,climb*,jump*,surge*,than any,rank,ranks,ranked,more,than",
        ),
        Rule(
            "cause", 0.3, 1,
            "because of,cause,caused,causing,causes,due to,as a result,led to,leads to,resulted in,results in,after,"
            "following,triggered,blamed",
        ),
        Rule(
            "record", 0.55, 2,
            "tax,taxes,job,jobs,budget,deficit*,debt,unemployment,wage,wages,income,inflation,imports,exports,"
            "trade deficit,spending,funding,medicare,medicaid,social security,welfare,health insurance,premium*,"
            "troops,nuclear,weapons,prison,poverty,emission*,production,prices,voted against,voted for,"
            "vote against,signed,vetoed,passed,repeal*,privatiz*,bankrupt*,treaty,amendment,ban,banned,laid off,"
            "gross domestic,economists,percent,the bill,a bill,oil,immigrants,jobless,students,test scores,contracts,"
            "interest rates,per capita,surplus*,crime,enrol*,graduat*,patients,factories,manufacturing",
        ),
        Rule(
            "public", 0.15, 2,
            "econom*,gas,energy,trade,federal,government,state,states,congress*,senat*,house,court,law,laws,"
            "bills,act,"
            "president,governor,mayor,minister,parliament,vote,voted,votes,election,policy,program,programs,"
            "insurance,"
            "health,school,schools,education,police,military,army,navy,forces,weapon,war,soviet,union,iraq,iran,"
            "china,"
            "russia,border,security,company,companies,corporat*,worker,workers,farmer,farmers,bank,banks,department,"
            "agency,commission,report,study,according,records,years ago,last year,since,student,administration,"
            "factory",
        ),
        Rule(
            "reported", 0.7, 1,
            "reportedly,allegedly,apparently,confirm*,denied,denies,deny,announc*,according to,"
            "officials say,police say,says,hearing that,hearing,i heard,we heard,heard that,people say,"
            "people are saying,they say,rumour*,"
            "rumor*,reports of,reports that,unconfirmed,sources say,word is,claims that,breaking,authorities,"
            "officials,spokesman,spokeswoman,spokesperson,dicen que,se dice,al parecer,dizem que,pare che,declared",
        ),
        Rule(
            "occurrence", 0.8, 2,
            "burst*,collaps*,explod*,explosion,closed,closing,closure,reopen*,blocked,evacuat*,rescued,arrest*,"
            "trapped,"
            "flooded,derail*,crashed,looter*,looted,looting,stabbed,shot,injured,killed,wounded,destroyed,damaged,"
            "breached,leaking,leaked,spreading,contained,erupted,struck,drunk,started by,set on fire,taken over,"
            "suspended,cancelled,canceled,stranded,missing,without power,without electricity,without water,outage*,"
            "knocked out,knocked down,fell on,swept away,washed away,cut off,on fire,under water,underwater,went off,"
            "went down,detonated,robbed,kidnapped,hijacked,poisoned,contaminated,overturned,capsized,sank,sinking,"
            "toppled,gave way,breach,shutdown,shut down,found dead,planted,deliberate*,sabotage*,escaped,infected,"
            "evacuation cent*,lost power,about to hit,about to be closed,bomb,on scene,rerouted,diverted,restored,"
            "quarantined,cordoned,detained,in custody",
        ),
        Rule(
            "finite", 0.2, 1,
            "is,are,has,have,does,say,says,shows,gets,pays,makes,takes,goes,comes,wants,supports,opposes,costs,"
            "spends,"
            "provides,produces,uses,represents,owns,supplies,cannot,can't,isn't,aren't,doesn't",
        ),
        Rule(
            "denial", 0.9, 1,
            "no evidence,no truth,not true,untrue,denied,denies,there is no,there was no,no threat,"
            "no tsunami,unfounded,"
            "hoax,baseless,rumour*,rumor*,contrary to,false alarm,are false,is false,was false,did not,"
            "has not,have not,"
            "no sign,no signs,no danger,no risk,no indication",
        ),
        Rule("name", 0.3, 2),
        Rule("length", 0.2, 3),
        Rule("short", -1.1),
        Rule(
            "opinion", -0.45, 2,
            "i think,i believe,i feel,i hope,i guess,i wish,i love,i hate,i like,i want,i know,i mean,i agree,"
            "i disagree,i suppose,i say,i just,i really,i can't,i am,i would,i will,i have to,i don't,"
            "i'm,i'd,i'll,my view,"
            "my opinion,my heart,my thoughts,my friend,my friends,my belief,we need,we must,we should,we ought,"
            "we have to,we can,we will,we want,we hope,we believe,we've got to,we're going to,let us,"
            "let's,let me,should,"
            "ought,must,would,could,may,might,maybe,perhaps,hopefully,gonna,wanna,important,wonderful,"
            "terrible,beautiful,"
            "amazing,awful,horrible,sad,proud,great,best,right thing,wrong,fair,honest,of course,you know,frankly",
        ),
        Rule(
            "accusation", -1.3, 2,
            "only care*,do not care,don't care,should be jailed,should be fired,should be sacked,should be ashamed,"
            "should resign,must resign,belongs in jail,deserve*,pure evil,always the same,same old story,same story,"
            "this is what happens,that's what happens,what happens when you,so they can,so that they can,act of war,"
            "shameful,shame on,incompeten*,corrupt,useless,clowns,idiots,idiot,pathetic,wake up people,puppets,"
            "sheeple,scum,vultures,blood on your hands,blood on their hands,ashamed,outrageous,criminals,nobody cares,"
            "no one cares,what a joke,is a joke,a joke,told you so,typical,inexcusable",
        ),
        Rule(
            "stand", 0.55, 2,
            "opposed,bailout*,tariff*,subsid*,homelessness,approved,appointed,filibuster*,pardoned,deport*,asylum,voted,"
            "not a single,not one of,never once,was never,were never,voted down,co-sponsored,vetoes,for the first time,"
            "he said,she said,he called,she called,he told,she told,you said,you called,he promised,she promised,"
            "opponent said,said the opposite,flip-flop*,flipped,expire*,lapsed,overstay*,inherited,outsourc*,"
            "presided over,took office,came into office,left office",
        ),
        Rule(
            "floor", -1.4, 1,
            "seconds to respond,minutes to respond,minute to respond,seconds to answer,minutes to answer,minutes for,"
            "closing statement,closing statements,opening statement,opening statements,rebuttal,next question,"
            "follow up question,time is up,your time,yield back,two minute*,ninety seconds,the moderator,your response",
        ),
        Rule("future", -0.4, 1,
            "will,going to,we'll,you'll,they'll,he'll,she'll,shall,plan to,want to,would like,intend,"
            "promise"),
        Rule("first", -0.7, 1, "i,me,my,mine,myself,i'm,i've,i'll,i'd"),
        Rule(
            "feeling", -0.9, 2,
            "pray*,thoughts,rip,rest in peace,condolence*,god,bless,amen,heart,hearts,heartbr*,tragic,tragedy,sorry,"
            "sad,sadly,saddened,hugs,stay safe,stay strong,keep safe,be safe,be careful,take care,omg,"
            "wtf,lol,lmao,haha*,"
            "jaja*,damn,shit,fuck*,wow,hope,wish,miss you,love,scary,scared,crying,oremos,rezar,rezem,oração,orações,"
            "preghiamo,fuerza,força,forza,descansen,luto,good luck",
        ),
        Rule(
            "courtesy", -0.8, 1,
            "thanks,thank,thx,welcome,good morning,good evening,good night,good afternoon,hello,please,"
            "pls,congrat*,happy,"
            "excuse me,gracias,obrigado,obrigada,grazie,salamat",
        ),
        Rule(
            "advert", -1.4, 2,
            "buy,sale,sales,deal,deals,discount*,promo,promos,promotion*,coupon*,shop now,order now,free shipping,"
            "free trial,click,subscribe,follow me,follow us,follow back,retweet,check out,sign up,giveaway*,win a,"
            "enter to win,for only,limited time,now hiring,hiring now,apply now,casino,listing,listings,for sale,"
            "real estate,vacancy,"
            "special offer,contest,tickets,gift card,download our,limited offer,your order",
        ),
        Rule(
            "vague", -0.3, 3,
            "thing,things,something,way,ways,everybody,nobody,people,it,that,that's,it's,done,this,what,kind,"
            "sort,value,"
            "values,question,decision,debate,campaign,talk,talked,talking,lot,future,leadership,character,vision,"
            "american",
        ),
        Rule("question", -1.3),
        Rule("command", -0.7),
        Rule("exclaimed", -0.4),
    )
}  # fmt: skip
RULE_BIAS = -1.3
_HAZARDS = (
    "quake,quakes,earthquake*,magnitude,aftershock*,epicent*,tsunami*,flood*,rainfall,dam,dams,levee*,river,rivers,"
    "landslide*,mudslide*,typhoon*,hurricane*,cyclone*,tornado*,storm,storms,wind,winds,landfall,surge,fire,fires,"
    "wildfire*,bushfire*,blaze*,smoke,haze,psi,aqi,acres,burn*,evacuat*,evacuee*,shelter*,rescue*,trapped,stranded,"
    "missing,unaccounted,injur*,casualt*,wounded,hospital*,ambulance*,paramedic*,firefighter*,fatalit*,death toll,"
    "killed,kills,dead,victim*,survivor*,rubble,collaps*,explo*,blast*,bomb*,shooting*,shooter*,gunman,gunmen,"
    "gunfire,"
    "suspect,suspects,hostage*,attack*,crash*,derail*,wreck*,emergency,disaster*,relief,red cross,outage*,"
    "without power,without electricity,without water,power line*,road closure*,closed,siren*,first responder*,crews,"
    "on scene,residents,debris,damage*,destroyed,meteor*,volcan*,eruption*,ash,avalanche*,spill*,leak*,toxic,"
    "alluvion*,terremoto*,sismo,temblor,incendio*,incêndio,inundaci*,enchente*,muertos,heridos,mortos,feridos,morti,"
    "feriti,séisme,inondation*,incendie,hochwasser,erdbeben,baha,lindol,bagyo,looter*,arsonist*,evacuation,breaking"
)
_COMMANDS = _word_set(
    "please pls let let's go come look listen watch see read remember keep stop make help join "
    "give take get pray follow "
    "check call text donate share spread think imagine run stay be don't never tell ask try visit enjoy"
)
_ASKING = _word_set(
    "who what where why how is are was were do does did can could would will should has have am isn't aren't don't "
    "doesn't didn't won't wouldn't qué cómo por perché quando quem onde"
)
_NO_PAST = _word_set(
    "need indeed feed speed seed bed red ted wed shed exceed proceed succeed united supposed blessed used hundred"
)
_AUXILIARY = _word_set("has have had he's she's it's we've they've i've you've there's")
_PARTICIPLES = _word_set(
    "been gone come done made lost taken given risen fallen grown seen become cut spent paid "
    "built got burst broken hit "
    "shut sunk begun blown found held led left run sent struck swept written"
)
_TOLLED = _word_set(
    "injured hurt wounded hospitalized hospitalised casualties injuries dead died killed deaths fatalities missing "
    "unaccounted evacuated displaced homeless trapped stranded rescued arrested detained muertos heridos desaparecidos "
    "mortos feridos morti feriti dispersi morts blessés tote verletzte victims bodies destroyed damaged evacuees toll"
)
_TOLLING = _word_set(
    "kills killed killing injures injured injuring leaves left claims claimed trapping displacing evacuated"
)


_RULE_WORDS = Lexicon.of({rule.name: rule.words for rule in RULES.values()})
_HAZARD_WORDS = Lexicon.of({"hazard": _HAZARDS})
_POLICY_WORDS = Lexicon.of({"policy": RULES["record"].words})


def observations(plain_text: str, words: Sequence[str]) -> dict[str, int]:
    """How often each rule applies to a `plain` text with these `tokens`, at most as often as it counts."""
    bare = [word for word in words if word not in _MARKS]
    counts = Counter(_RULE_WORDS.names(bare))
    counts["past"] += sum(word.endswith("ed") and len(word) > 3 and word not in _NO_PAST for word in bare)
    counts["perfect"] = _perfects(bare)
    counts["toll"] = _tolls(bare)
    counts["name"] = sum(1 for _ in zip(_NAME.finditer(plain_text), range(2), strict=False))
    counts["advert"] -= _LISTING.search(plain_text) is not None
    size = sum(word[0].isalpha() or word == "<num>" for word in bare)
    counts["length"] = (size - 6) // 5
    counts["short"] = size < 5
    first = next((word for word in bare if word[0].isalpha()), "")
    asked = "?" in plain_text or "¿" in plain_text or "؟" in plain_text or (size < 12 and first in _ASKING)
    counts["question"] = asked and not (first not in _ASKING and _INCREDULOUS.search(plain_text))
    counts["command"] = first in _COMMANDS
    counts["exclaimed"] = "!" in plain_text or _EMOTICON.search(plain_text) is not None
    return {name: min(int(counts[name]), rule.most) for name, rule in RULES.items() if counts[name] > 0}


_LISTING = caseless(
    r"\blisting (?:badly|heavily|sharply|dangerously|severely|hard|more|over|to (?:port|starboard|one side|the)|at \d"
    r"|and )|\b(?:ship|boat|ferry|vessel|trawler|barge|yacht|tanker|liner|freighter|it|she)(?:['’]?s| is| was)? "
    r"(?:now )?listing\b"
)
"""A ship that leans is not for sale."""
_INCREDULOUS = caseless(r"(?:\d|<num>|hundred|thousand|dozen)[^?]*(?:\?\?|\?!|!\?)[?!]*\W*$")
"""A number shouted in disbelief asks nothing: "365 roofs ripped off??"."""


def _perfects(words: Sequence[str]) -> bool:
    """Whether an auxiliary is followed within three words by a participle."""
    for index, word in enumerate(words):
        if word in _AUXILIARY:
            ahead = words[index + 1 : index + 4]
            if any(
                next_word in _PARTICIPLES or (len(next_word) > 4 and next_word.endswith("ed")) for next_word in ahead
            ):
                return True
    return False


def _tolls(words: Sequence[str]) -> int:
    """How many figures count people or homes that were hit: "84 people injured", "kills at least 4"."""
    found = 0
    for index, word in enumerate(words):
        if word == "<num>" or "number" in _RULE_WORDS.words.get(word, ()):
            ahead, behind = words[index + 1 : index + 5], words[max(0, index - 3) : index]
            found += not _TOLLED.isdisjoint(ahead) or not _TOLLING.isdisjoint(behind)
    return found


def rule_log_odds(counts: Mapping[str, int]) -> float:
    """Log-odds of being checkable by the rules alone."""
    return RULE_BIAS + sum(RULES[name].weight * count for name, count in counts.items())


def crisis_likeness(words: Sequence[str]) -> float:
    """How much a text with these `tokens` reads like a report of an incident, 0..1: hazards, marks of networks."""
    hazards = sum(1 for _ in zip(_HAZARD_WORDS.names(words), range(3), strict=False))
    marks = len(_MARKS.intersection(words))
    if marks:
        return min(1.0, 0.8 + 0.1 * hazards + 0.05 * marks)
    likeness = (0.0, 0.6, 0.85, 0.95)[hazards]
    # "The troops came under attack" in a speech: words of policy beside a hazard tell of politics.
    return likeness * 0.4 if likeness and any(_POLICY_WORDS.names(words)) else likeness


# --- the model ----------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Model:
    """A logistic model over words, pairs of words and rule observations."""

    bias: float
    weights: Mapping[str, float]

    def log_odds(self, words: list[str], counts: Mapping[str, int]) -> float:
        """Log-odds that a report with these tokens and observations carries something checkable."""
        return self.bias + sum(
            self.weights[name] * value for name, value in features(words, counts).items() if name in self.weights
        )


_NOT_LEARNT = frozenset({"accusation", "stand", "floor"})
"""Rules of debates: too rare in reports of incidents to be learnt from them."""


def features(words: list[str], counts: Mapping[str, int]) -> dict[str, int]:
    """What the model sees: each word and pair of neighbours once, the length, the rule observations."""
    seen = dict.fromkeys(words, 1)
    bare = [word for word in words if word not in {"<tag>", "<url>"}]
    seen.update((f"{first} {second}", 1) for first, second in pairwise(bare))
    seen[f"<length{min(len(bare) // 5, 6)}>"] = 1
    seen.update((f"<{name}>", count) for name, count in counts.items() if count and name not in _NOT_LEARNT)
    return seen


@cache
def model() -> Model:
    """The model that ships with the package; read on first use."""
    document = json.loads(files("verifleet.agents.verifier").joinpath("claim_model.json").read_text("utf-8"))
    return Model(bias=document["bias"], weights=document["weights"])


def checkworthiness(sentence: str) -> float:
    """How much a sentence is worth checking, 0..1; from 0.5 on it is a claim."""
    return blend(sentence, None)


def blend(sentence: str, trained: Model | None) -> float:
    """Check-worthiness by the rules and `trained`, or by the shipped model."""
    text = plain(sentence)
    words = tokens(text)
    if not any(word[0].isalpha() for word in words):
        return 0.0
    counts = observations(text, words)
    likeness = crisis_likeness(words)
    log_odds = (1 - likeness) * rule_log_odds(counts)
    if likeness:
        log_odds += likeness * (trained or model()).log_odds(words, counts)
        # Who is to blame is an opinion beside the clearest facts of an incident, too.
        log_odds += likeness * RULES["accusation"].weight * counts.get("accusation", 0)
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, log_odds))))
