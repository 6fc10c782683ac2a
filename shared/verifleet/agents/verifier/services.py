"""What is done for people at one place in an incident: food handed out, relatives received, patients treated.

A service is told by families of words, most of which count only beside another: "water" beside "handed out" is a
service, "water" beside "the windows" is not.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from verifleet.agents.verifier.wording import GENERIC, VAGUE, stem

_MODES = {
    "give": "hand handed handing handout handouts distribute distributes distributed distributing distribution give "
    "gives given giving gave available collect collected collecting collection pickup pick picked picking dispense "
    "dispensed dispensing issue issued issuing serve serves served serving free queue queues queueing queuing line "
    "supply supplied supplying get grab giveaway offered offering share shared "
    "dish dishing dished sharing shares doled filled fill filling refill",
    "move": "take takes taken taking took bring brings brought bringing carry carried transfer transferred move moved "
    "moving shift shifted shifting bused bussed bussing ferried transport transported transporting rush "
    "rushed send sent conveyed airlifted flown relocate relocated relocating escorted head heading directed go going "
    "goes admitted drive drove driven walked guided marched shuttled "
    "dropped delivered deposited removed conducted evacuated proceed landed ashore",
    "house": "house housed houses housing lodge lodged lodging kept keep keeping stay stays staying stayed sleep "
    "sleeping slept accommodate accommodated accommodates accommodating accommodation shelter shelters sheltered "
    "sheltering host hosted hosts hosting camped camping bed beds cot cots tent tents settled refuge quartered "
    "evacuated evacuees wait waiting gathered bedded camp camps resting spending spent",
    "check": "checked examined assessed",
    "treat": "treat treated treating treatment admitted care caring cared admission",
    "collect": "claim claimed claiming collect collected collecting retrieve retrieved reclaim pick picked pickup "
    "fetch identify identified",
    "meet": "meet meeting reunite reunited reunification reuniting reunion receive received receiving reception "
    "assemble assembly assembling muster gather gathering contact report reported register registered registering "
    "registration sign signed visit visiting speak listed",
    "donate": "donate donated donating donation donations dropoff drop dropped dropping",
}
_PEOPLE = {
    "relatives": "family families relatives relative parents parent loved kin mothers fathers guardians mums dads",
    "pupils": "pupils pupil students student children child kids kid schoolchildren",
    "hurt": "patients patient injured wounded casualties casualty hurt",
    "victims": "victims victim",
    "saved": "survivors survivor rescued",
    "everybody": "all everyone everybody every entire",
    "homeless": "evacuees displaced homeless evacuated villagers residents tenants households affected",
    "drivers": "motorists drivers motor motors vehicles traffic cars lorries trucks truckers",
}
# A topic, the words that name it, and those of which one must stand beside them ("" for none).
_TOPICS: tuple[tuple[str, str, str], ...] = (
    ("sandbags", "sandbag sandbags", ""),
    (
        "food",
        "food meal meals parcel parcels grocery groceries hamper hampers ration rations lunch lunches breakfast "
        "dinner dinners soup bread rice sandwiches foodstuffs",
        "+give kitchen bank point truck van +donate canteen hot",
    ),
    ("food", "kitchen kitchens canteen", "emergency soup field mobile relief community free"),
    (
        "water",
        "water",
        "bottled tanker tankers bowser bowsers standpipe standpipes bottles packs drinking +give +donate",
    ),
    ("blood", "blood donors donor plasma", "+donate +give drive bank site"),
    ("masks", "mask masks respirator respirators n95 ffp2", ""),
    ("medicine", "iodine tablets medicine medicines antivenom serum drugs pills", "+give centre center clinic"),
    ("vaccines", "vaccine vaccines vaccination vaccinations jab jabs immunisation inoculation", ""),
    ("fuel", "fuel petrol diesel kerosene firewood", "+give"),
    ("money", "cash payments payment grants vouchers cheques", "+give desk centre center office register paid"),
    (
        "charging",
        "charge charged charging recharge charger chargers",
        "phone phones mobile mobiles device devices battery batteries hub station point ya wheelchairs",
    ),
    ("warm", "warm warming heated warmup", "space spaces hub room place bank shelter centre center heating station"),
    ("cool", "cool cooling", "space spaces hub room place bank shelter off centre center station"),
    ("reunion", "reunite reunited reuniting reunification reunion reunify reunions", ""),
    (
        "relatives",
        "family families relatives relative parents parent loved kin mothers fathers guardians",
        "assistance reception desk area room centre center point wait waiting gather inquiry enquiry go head meet "
        "collect contact report reunite reunification pick information lounge way called register registered signed "
        "proceed come helpdesk directed asked received receive receiving welcomed",
    ),
    (
        "reunion",
        "pick picked pickup fetch collect collected collecting",
        "pupil pupils student students child children kid kids schoolchildren",
    ),
    ("tracing", "missing tracing", "register registered registration desk enquiry inquiry"),
    ("helpdesk", "desk helpdesk enquiry inquiry enquiries inquiries counter kiosk", ""),
    ("information", "information info", "centre center point desk kiosk stand hub"),
    (
        "command",
        "command control coordination operations incident",
        "post hq headquarters commander's",
    ),
    ("command", "command coordination operations", "centre center unit room"),
    ("command", "headquarters hq", ""),
    (
        "press",
        "press media journalists reporters camera cameras",
        "point centre center briefing briefings conference area gather room pool",
    ),
    (
        "diversion",
        "divert diverted diverting diverts diversion diversions detour detours detoured reroute rerouted rerouting "
        "redirected bypass",
        "",
    ),
    ("diversion", "route routes road", "alternative alternate"),
    (
        "treatment",
        "treatment isolation quarantine decontamination",
        "centre center unit ward post tent site facility hospital camp",
    ),
    ("medical", "field medical triage aid", "hospital post tent station camp clinic area centre center first"),
    ("testing", "testing test tests screening swab", "centre center site station point clinic camp"),
    ("shelter", "shelter shelters sheltering sheltered", ""),
    (
        "shelter",
        "shelter shelters sheltering evacuation evac relief refuge rest reception welfare evacuees accommodation "
        "homeless displaced cots beds bed tents tent evacuated camp",
        "centre center shelter hub camp +house point site open opened need needs needing",
    ),
    (
        "witnesses",
        "witnesses eyewitnesses",
        "asked urged please invited appeal want wants wanted should must desk statement statements",
    ),
    ("witnesses", "witnessed", "asked urged please invited should must"),
    ("morgue", "morgue mortuary", ""),
    ("morgue", "bodies remains corpses deceased body", "+move +give identify identified identification kept collected"),
    ("morgue", "dead", "identify identified identification kept laid lying stored brought"),
    (
        "footage",
        "video videos footage dashcam photos photographs recordings cctv",
        "hand bring upload submit give pass show send witnesses evidence",
    ),
    (
        "animals",
        "animal animals pet pets dog dogs cat cats horse horses livestock cattle goats sheep",
        "+move +house shelter drop boarding stables vet cared collect bring looked",
    ),
    (
        "lost",
        "lost belongings luggage baggage possessions bags suitcases",
        "child children kids kid property belongings items +collect phone phones bags returned back",
    ),
    ("relief", "relief aid", "items goods supplies materials packages kits parcels +give"),
    ("volunteers", "volunteer volunteers volunteering", ""),
    ("assembly", "assembly muster rendezvous assemble", "point area place zone at"),
    ("assembly", "meet", "everyone everybody residents tenants occupants staff"),
    (
        "buses",
        "bus buses shuttle shuttles coaches",
        "leave leaves leaving depart departing departs pickup board boarding start collect collecting pick picking "
        "replacement go goes",
    ),
    ("staging", "staging landing helipad", "area zone site point helicopters helicopter"),
    ("treatment", "decon", ""),
    ("staging", "helicopter helicopters chopper choppers", "land lands landed helipad"),
    ("washing", "shower showers laundry toilets", ""),
    ("childcare", "creche childcare daycare nursery", "open emergency free temporary offered"),
    ("counselling", "counselling counseling counsellors counselors psychologists psychological trauma", ""),
    ("insurance", "insurance compensation claims", "desk register office counter submit file point centre center"),
    ("mourning", "vigil memorial condolence condolences funeral funerals cremation cremations burial burials", ""),
    (
        "donations",
        "donate donated donating donation donations dropoff drop dropped",
        "clothes clothing goods items supplies blankets food money off donations point toys "
        "relief",
    ),
)  # fmt: skip
_GIVEN = frozenset(
    "blankets blanket clothes clothing coats nappies diapers toiletries kits kit tarps tarpaulins tarpaulin generators "
    "generator mattresses boots shoes gloves buckets pumps stoves heaters torches candles soap filters supplies goods "
    "ice firewood maize beans flour hay straw fodder oats feed "
    "toys detectors chlorine disinfectant shovels salt grit passes permits tokens forms milk formula".split()
)
_GOODS_NAMES = {
    word: names.split()[0]
    for names in (
        "tarpaulin tarp tarps tarpaulins", "diaper nappies nappy diapers", "torch torches flashlights flashlight",
        "permit passes permits", "clothes clothing coats", "kit kits packs", "generator generators gensets",
    )
    for word in names.split()
}  # fmt: skip
"""One name for goods that have several."""
_ALONE = frozenset(
    "animals press volunteers morgue donations command diversion treatment medical testing lost buses staging blood "
    "assembly mourning washing warm cool charging vaccines insurance counselling childcare".split()
)
"""Topics that one of two statements has for itself only where it speaks of something else."""
_GONE = frozenset("saved pupils homeless passenger relatives".split())
"""Groups of which one asks where they are."""
_SPECIAL = frozenset("animals press volunteers morgue warm cool mourning testing staging".split())
_FACILITY_OF = {
    word: name
    for name, words in {
        "centre": "centre center centres",
        "point": "point points stand booth kiosk counter stall",
        "desk": "desk desks helpdesk",
        "kitchen": "kitchen canteen bakery",
        "unit": "unit clinic lab laboratory",
        "hub": "hub hubs",
        "register": "register list registry",
        "office": "office offices bureau",
        "camp": "camp camps village",
        "post": "post",
        "service": "service services helpline",
        "lounge": "lounge room suite",
        "store": "store depot stockpile warehouse",
        "event": "session sessions ceremony briefing inquest hearing",
    }.items()
    for word in words.split()
}
"""What may be set up anywhere for one purpose: with the same purpose it is one thing."""
_EVENTFUL = frozenset(
    "hostage hostages gunman attack attacked threat "
    "closed close closes shut blocked block flooded flooding burning burnt fire blaze collapsed collapse fell "
    "fallen falls down killed dead died trapped stuck injured hurt wounded crashed crash hit struck "
    "exploded explosion leak leaking smell shots shooting shot stabbed damaged damage destroyed smashed "
    "stranded marooned boarded embarked departed "
    "broken torn stopped suspended cancelled seen saw heard found recovered arrested detained lost looting "
    "looted sank sunk capsized overturned burst evacuating searching rescuing rescued pulled battling fighting "
    "cordoned cordon sealed search spread spreading power outage restored delayed halted derailed uprooted "
    "toppled swept buried".split()
)
"""Words of happenings, which befall many places at once."""
_DIRECTIVE = frozenset(
    "should must asked can may please pls need needs told if advised requested urged want visit".split()
)
_STANDING = frozenset(
    "run running sits sit sited held "
    "opened open set established located stands stand runs operates operating based pitched parked installed hosted "
    "moved relocated housed stationed inaugurated".split()
)
_BE = frozenset({"are", "is", "were", "was"})
_OF_ALL = frozenset("killed injured missing trapped rescued arrested infected magnitude percent containment".split())
"""Counts of the whole incident, and not of a place in it."""
_COMMON = frozenset(
    "within open opened opening set located now only sole parking head official centre center point site place hub "
    "free kindly sir update latest currently today available people there here please far already so needs need "
    "everyone total number asked following anyone looking officials said says told after flood fire quake "
    "storm blast crash emergency temporary established y'all guys folks hi hello dear friends".split()
)
_SPEAKING = frozenset("officer officers news child children public missing".split())
_PUBLIC = frozenset(
    "people persons anyone anybody everyone everybody those residents resident folk folks neighbours neighbors tenants "
    "villagers households".split()
)
_OUT = frozenset(
    "left leave leaving evacuate evacuating evacuated evacuees home homes homeless displaced within radius cordon "
    "residents resident tenants villagers households".split()
)
"""Words by which it is told who cannot stay where they live."""
_SENT = frozenset("go way come head proceed register gather move walk".split())
_THEMSELVES = frozenset("yourself yourselves yersel yerself".split())
_DRIVEN = frozenset("chucked flooded burnt burned turfed forced driven washed bombed kicked".split())
_BACK = frozenset("return returned returning back reopen reopens reopened lifted".split())
_LODGED = frozenset("lodge lodged lodging accommodate accommodated accommodating sleep sleeping slept rehoused".split())
_RESPONDERS = frozenset(
    "crews crew firefighters firefighter police officers officer divers teams team engineers workers soldiers "
    "army troops paramedics ambulances ambulance trucks engines helicopters helicopter volunteers continue "
    "working work".split()
)
_TAKING = frozenset({"taking", "takes", "took"})
_BEDS = frozenset("bed beds cot cots bunks mattress mattresses".split())
_PUT = frozenset({"put", "putting", "puts"})
_OWN = frozenset("my our their his her outside outdoors rough street streets car cars".split())
"""Beside these, somebody sleeps where there is no shelter."""
_GOODS = frozenset({"sandbags", "food", "water", "masks", "medicine", "fuel"})
_NO_LUGGAGE = frozenset("of sand rice cement food rubbish blood body sleeping".split())
_SOLD = frozenset("sold sell sells selling buy buying bought price prices pricey expensive".split())
_EARLIER = frozenset({"when", "before", "until"})
_BEFALLS = frozenset(
    "rescued saved pulled plucked found stuck stranded trapped marooned boarded embarked departed left flew off "
    "escaped fled killed died sick ill fainted vomiting collapsed poisoned dizzy".split()
)
_KEEPING = frozenset({"check", "move", "house", "meet", "treat", "collect"})
_BOUND = frozenset("going heading travelling traveling bound".split())
_SELVES = frozenset({"i", "we", "us"})
_KEPT = frozenset({"check", "move", "house", "treat"})
_FOR_MORE = frozenset({"collect", "donate", "treat"})
_HOUSED = frozenset({"homeless", "everybody"})
_MODE_OF: dict[str, frozenset[str]] = {}
for _mode, _words in _MODES.items():
    for _word in _words.split():
        _MODE_OF[_word] = _MODE_OF.get(_word, frozenset()) | {_mode}
_GROUPS = frozenset(_PEOPLE) - {"everybody", "drivers"} | {"passenger"}
_PEOPLE_OF = {word: name for name, words in _PEOPLE.items() for word in words.split()}

_TOLD = frozenset(_MODE_OF) | frozenset(_PEOPLE_OF) | frozenset(_FACILITY_OF)


def _beside(needed: str) -> frozenset[str]:
    found: set[str] = set()
    for word in needed.split():
        found |= set(_MODES[word[1:]].split()) if word[1:] in _MODES else {word}
    return frozenset(found)


_READY = tuple((name, frozenset(named.split()), _beside(needed)) for name, named, needed in _TOPICS)
_NAMING = frozenset(word for _, named, _ in _READY for word in named) | _GIVEN

WITHOUT_TOPIC = 3
"""How much two statements share, by what is done and for whom, from which they speak of one service."""
MANY_WORDS = 3


@dataclass(frozen=True, slots=True)
class Service:
    """What is done at a place.

    Attributes:
        topics: the known services: "food", "relatives".
        modes: the ways in which it is done: "give", "house".
        words: who it is for, and other specific words.
        facilities: what is set up there, of whatever kind: "centre", "desk".
        directive: people are told to go there.
        eventful: it tells of a happening, which may befall many places.
        standing: it tells of something that was set up and stays there.
        here: who it speaks of is said to be at the place, or to have been brought there, in whatever words.
        scene: it tells where people were before, or what befell them there, as of those who boarded or were stuck.
    """

    topics: frozenset[str]
    modes: frozenset[str]
    words: frozenset[str]
    facilities: frozenset[str] = frozenset()
    directive: bool = False
    eventful: bool = False
    standing: bool = False
    scene: bool = False
    here: bool = False

    def same_as(self, other: Service, *, counted: bool = False, surely: bool = False) -> bool:
        """Whether both speak of one service; `counted` when both give one figure for it, `surely` not by chance."""
        shared = self.topics & other.topics
        if self.topics and other.topics and not shared and not counted:
            return False
        if (self.topics ^ other.topics) & _SPECIAL:
            return False
        if not shared and not counted and (self.topics | other.topics) & _ALONE:
            return False
        words, modes = self.words & other.words, self._ways() & other._ways()
        if shared:
            return True
        if modes and words:
            share = len(words) + min(len(modes), 2) + counted + bool(words & _GONE)
            if share + (self.directive and other.directive) >= WITHOUT_TOPIC:
                return True
        if surely and self.keeps and other.modes:
            mine, theirs = self.words & _GROUPS, other.words & _GROUPS
            return not (mine and theirs and mine.isdisjoint(theirs))  # those who are so many were taken or kept there
        return not (self.eventful or other.eventful) and self._is_one_thing(other, words, counted=counted)

    def _is_one_thing(self, other: Service, words: frozenset[str], *, counted: bool) -> bool:
        """Whether both speak of one thing by their words alone: of one facility, or with one figure for it."""
        if not words:
            return False
        if counted or self.facilities & other.facilities:
            return True
        if len(words) > 1 and self.words == other.words and words & _GROUPS:
            return True
        if (self.standing or other.standing) and len(words) > 1 and words in (self.words, other.words):
            return True
        return len(words) >= MANY_WORDS and 2 * len(words) >= min(len(self.words), len(other.words))

    @property
    def telling(self) -> bool:
        """Whether it is clear by itself what is done, or for whom."""
        return bool(self.topics) or bool(self.modes and self.words & _GROUPS)

    @property
    def keeps(self) -> bool:
        """Whether people are taken to the place or kept there."""
        return self.here or not self.modes.isdisjoint(_KEPT)

    @property
    def placed(self) -> bool:
        """Whether it is told as something that is at a place, so that its counts are those of that place."""
        return self.telling or self.standing or not self.eventful

    @property
    def offered(self) -> bool:
        """Whether something is done or kept there; "standing in Lake Road now" only says where somebody looks on."""
        return self.placed and (self.telling or self.directive or self.here or bool(self.facilities))

    def counts(self, slot: str) -> bool:
        """Whether those of a slot are counted at its place: the dead at the mortuary, the hurt at the clinic."""
        if slot == "killed":
            return "morgue" in self.topics
        if slot == "injured":
            return bool(self.topics & {"medical", "treatment"} or self.facilities & {"unit"} or "hurt" in self.words)
        return slot not in _OF_ALL or (slot == "rescued" and "saved" in self.words)

    def apart_from(self, other: Service) -> bool:
        """Whether they speak of two services, which may well be in two places."""
        if (self.topics ^ other.topics) & _SPECIAL:
            return True
        return bool(self.topics and other.topics) and self.topics.isdisjoint(other.topics)

    def _ways(self) -> frozenset[str]:
        """Who is taken to a place is housed there."""
        return self.modes | {"house"} if "move" in self.modes else self.modes

    def with_words_of(self, other: Service) -> Service:
        """This service with the words of another clause about it."""
        return replace(self, modes=self.modes | other.modes, words=self.words | other.words)


def service(tokens: frozenset[str], left_out: frozenset[str], asked: frozenset[str] = frozenset()) -> Service | None:
    """The service that the folded words of a statement speak of, if any.

    Args:
        tokens: the words of the statement without those of the places it names.
        left_out: words that say nothing here: the incident's own place and kind.
        asked: words beside it that say for whom or for what: "Need a bed?".
    """
    stated = tokens
    tokens |= asked
    topics = {name for name, named, needed in _READY if tokens & named and _stands(tokens, named, needed)}
    if "lost" in topics and "bags" in tokens and not tokens.isdisjoint(_GIVEN | _NO_LUGGAGE):
        topics.discard("lost")  # bags of ice
    if topics & _GOODS and tokens & _SOLD and "free" not in tokens:
        topics -= _GOODS  # where it is bought
    modes = frozenset().union(*(_MODE_OF[word] for word in tokens if word in _MODE_OF))
    scene = bool(stated & _EARLIER or (stated & _BEFALLS and not modes & _KEEPING) or _on_the_way(stated))
    if modes & {"give", "donate"}:
        topics |= {_GOODS_NAMES.get(word) or stem(word) for word in tokens & _GIVEN}
    people = {_PEOPLE_OF[word] for word in tokens if word in _PEOPLE_OF}
    if not topics and people <= _HOUSED and _takes_in(tokens, modes, told=bool(asked)):
        topics.add("shelter")
    if people & _GROUPS and not modes and tokens & _BE:
        modes = frozenset({"house"})  # "the injured are at ..."
    known = _NAMING | _COMMON | _RESPONDERS | (GENERIC - _SPEAKING) | left_out
    others = {stem(word) for word in tokens - known - _TOLD if word not in VAGUE and word.isalpha() and len(word) > 1}
    facilities = frozenset(_FACILITY_OF[word] for word in tokens if word in _FACILITY_OF)
    told = frozenset(people | (others - left_out))
    if not (topics or modes or facilities or told):
        return None
    directive, eventful, standing = (not stated.isdisjoint(some) for some in (_DIRECTIVE, _EVENTFUL, _STANDING))
    return Service(frozenset(topics), modes, told, facilities, directive, eventful, standing, scene)


def _on_the_way(tokens: frozenset[str]) -> bool:
    """Whether people were bound for the place, or say themselves that they wait there."""
    if not tokens.isdisjoint(_BOUND):
        return "was" in tokens or "were" in tokens
    return "waiting" in tokens and not tokens.isdisjoint(_SELVES)


def _takes_in(tokens: frozenset[str], modes: frozenset[str], *, told: bool) -> bool:
    """Whether those who cannot stay where they live are sent or lodged somewhere, and for nothing else."""
    out = "out" in tokens and not tokens.isdisjoint(_DRIVEN)
    if (tokens.isdisjoint(_PUBLIC) and not out) or modes & _FOR_MORE or tokens & _BACK:
        return False
    if tokens & _TAKING and "in" in tokens and (told or tokens & _BEDS):
        return True
    if tokens & _LODGED or ("up" in tokens and tokens & _PUT):
        return tokens.isdisjoint(_OWN)
    out = out or not tokens.isdisjoint(_BEDS)
    sent = "get" in tokens and not tokens.isdisjoint(_THEMSELVES)
    told = told or sent or not tokens.isdisjoint(_BEDS)
    if "opened" in tokens and "for" in tokens and (out or tokens & (_OUT - _PUBLIC)):
        return True
    return bool((sent or tokens & _SENT) and (out or tokens & _OUT) and (told or tokens & _DIRECTIVE))


def _stands(tokens: frozenset[str], named: frozenset[str], needed: frozenset[str]) -> bool:
    if not needed:
        return True
    # "Food parcels" name the topic twice; a word that names it and may stand beside it is no second one.
    return bool((tokens & needed) - named) or len(tokens & named) > 1
