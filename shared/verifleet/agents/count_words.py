"""The vocabulary of counts: classes of things that reports count, and families of what befell them.

Reports of one incident name one class by many nouns (flats, homes, dwellings; boats, vessels, yachts) and one fate by
many verbs (razed, gutted, burnt to the ground), so both are reduced to a class and a family before they are compared.
A family is wider than a slot of `quantity_words`, which alone says enough to compare two figures.
"""

from __future__ import annotations

import re

from verifleet.agents.quantity_words import BUILDINGS, PEOPLE, VEHICLES, words

PERSONS = PEOPLE | words(
    "guy guys bloke blokes lad lads mate mates bystander bystanders traveller travellers traveler travelers rider "
    "riders local locals labourer labourers laborer laborers coworker coworkers co-worker co-workers colleague "
    "colleagues concertgoer concertgoers reveller revellers devotee devotees pilgrim pilgrims fan fans motorist "
    "motorists biker bikers skier skiers swimmer swimmers surfer surfers trekker trekkers walker walkers runner "
    "runners diver divers tenant tenants occupant occupants homeowner homeowners householder householders neighbour "
    "neighbours neighbor neighbors survivor survivors casualty casualties fatality fatalities evacuated case cases "
    "injury injuries death deaths body bodies corpse corpses wounded injured dead jawan jawans labour peeps dude "
    "dudes asthmatic asthmatics diabetic diabetics monk monks nun nuns carers staffers fisher fishers youth youths "
    "schoolchild schoolchildren schoolkid schoolkids youngster youngsters learner learners attendee attendees "
    "partygoer partygoers churchgoer churchgoers festivalgoer festivalgoers suspect suspects looter looters rioter "
    "rioters gunman gunmen trainee trainees recruit recruits cadet cadets life lives relative relatives trader "
    "traders vendor vendors shopkeeper shopkeepers clubber clubbers punter punters admission admissions "
    "hospitalisation hospitalisations hospitalization hospitalizations infection infections us them lass lasses chap "
    "chaps fella fellas gal gals mum mums mom moms dad dads gran grans granny grannies grandma grandmas auntie aunties "
    "cousin cousins parent parents toddler newborn newborns midwife midwives grandchild grandchildren schoolgirl "
    "schoolgirls schoolboy schoolboys backpacker backpackers oldie oldies oap oaps"
)
BUILT = BUILDINGS | words(
    "premise premises shed sheds shack shacks cottage cottages villa villas bungalow bungalows condo condos "
    "condominium condominiums townhouse townhouses trailer-home mobile-homes tenement tenements shanty shanties lodge "
    "lodges block blocks places rooms room classroom classrooms hostel hostels hotel hotels stall stalls kiosk kiosks "
    "farmhouse farmhouses outhouse outhouses stable stables greenhouse greenhouses mosque mosques temple temples "
    "storefront storefronts unit units outlet outlets boutique boutiques salon salons bakery bakeries pharmacy "
    "pharmacies"
)
SERVED = words(
    "customer customers household households property properties premise premises connection connections meter meters "
    "account accounts consumer consumers subscriber subscribers user users home homes house houses address addresses "
    "business businesses service services line lines outage outages"
)
"""What is supplied with power, water, gas or a line."""
_VESSELS = words(
    "boat boats vessel vessels yacht yachts ship ships trawler trawlers dinghy dinghies canoe canoes kayak kayaks "
    "barge barges ferry ferries craft launch launches catamaran catamarans sailboat sailboats dhow dhows "
    "bangka bangkas banca bancas pumpboat pumpboats speedboat speedboats motorboat motorboats narrowboat narrowboats "
    "houseboat houseboats skiff skiffs tug tugs lifeboat lifeboats raft rafts"
)
_AIRCRAFT = words("plane planes aircraft helicopter helicopters jet jets airliner airliners drone drones")
_FLIGHTS = words("flight flights departure departures arrival arrivals")
_RAIL = words("train trains carriage carriages wagon wagons locomotive locomotives tram trams railcar railcars")
_TREES = words("tree trees palm palms oak oaks pine pines gum gums eucalyptus elm elms beech mahogany mahoganies limbs")
ANIMALS = words(
    "animal animals dog dogs cat cats horse horses cow cows cattle buffalo buffaloes sheep goat goats pig pigs "
    "chicken chickens bird birds swan swans monkey monkeys alpaca alpacas livestock pet pets elephant elephants lion "
    "lions tiger tigers snake snakes crocodile crocodiles fish donkey donkeys camel camels deer koala koalas kangaroo "
    "kangaroos hen hens duck ducks turkey turkeys calf calves lamb lambs pony ponies puppy puppies kitten kittens "
    "beehive beehives hive hives llama llamas ox oxen yak yaks heads bull bulls foal foals mare mares rabbit rabbits "
    "seal seals strays turtle turtles croc crocs gator gators alligator alligators roo roos wallaby wallabies moggy "
    "moggies pup pups nag nags ewe ewes hog hogs piglet piglets boar boars fox foxes wolf wolves bear bears ape apes "
    "zebra zebras giraffe giraffes rhino rhinos hippo hippos flamingo flamingos penguin penguins parrot parrots "
    "emu emus ostrich ostriches heifer heifers steer steers bullock bullocks"
)
_CARS = words(
    "motor motors jalopy wheels campervan campervans motorhome motorhomes hgv hgvs semi semis rig rigs "
    "juggernaut juggernauts artic artics bicycle bicycles motorcycle motorcycles motorbike motorbikes moped mopeds "
    "scooter scooters tricycle tricycles rickshaw rickshaws"
)
_LIVED_IN = words("household households customer customers")
CLASSES: dict[str, str] = {
    **dict.fromkeys(BUILT | words("household households"), "building"),
    **dict.fromkeys(VEHICLES | _CARS, "vehicle"),
    **dict.fromkeys(SERVED - BUILT - _LIVED_IN | words("customer customers client clients"), "served"),
    **dict.fromkeys(PERSONS - _LIVED_IN, "person"),
    **dict.fromkeys(_VESSELS, "vessel"),
    **dict.fromkeys(_AIRCRAFT, "aircraft"),
    **dict.fromkeys(_FLIGHTS, "flight"),
    **dict.fromkeys(_RAIL, "train"),
    **dict.fromkeys(_TREES, "tree"),
    **dict.fromkeys(ANIMALS, "animal"),
}
"""The class of each noun that has one."""
_SORTS = (
    "truck lorry hgv semi rig juggernaut artic",
    "bus minibus",
    "car sedan taxi cab suv jeep pickup jalopy",
    "bike bicycle motorcycle motorbike moped scooter",
    "ambulance",
    "home house flat apartment dwelling residence cottage villa bungalow condo condominium townhouse tenement hut "
    "shanty farmhouse",
    "shop store business stall kiosk storefront outlet boutique salon bakery pharmacy",
    "school classroom kindergarten",
    "church mosque temple",
    "shed barn garage outhouse outbuilding stable greenhouse warehouse",
    "hotel hostel lodge",
    "cow cattle bull bullock heifer steer ox oxen calf calves buffalo",
    "sheep lamb ewe",
    "goat",
    "pig piglet hog",
    "horse pony foal mare donkey",
    "dog puppy pup stray",
    "cat kitten moggy",
    "crocodile croc alligator gator",
    "kangaroo roo wallaby",
    "elephant",
    "lion",
    "tiger",
    "monkey ape",
)
SORTS: dict[str, int] = {noun: sort for sort, nouns in enumerate(_SORTS) for noun in nouns.split()}
"""Nouns of one class that can't be the same things: lorries are no scooters, homes are no shops."""
COMMON = frozenset({"person", "building", "served", "vehicle"})
"""Classes of which one incident has many counts at once: being of one class says little."""
AKIN = frozenset(
    frozenset(pair)
    for pair in (
        ("building", "served"),
        ("person", "served"),
        ("vehicle", "train"),
        ("person", "case"),
        ("building", "roof"),
        ("building", "window"),
    )
)
"""Classes that count one thing where the numbers are the same."""
_NO_PERSONS = re.compile(
    r"(?:tow|trail|comput|shelt|boost|canc|contain|lock|freez|boil|tank|carri|met|lit|ord|numb|pap|transform|gen?erat"
    r"|react|burn|count|corn|lett|off|wat|fing|should|mast|wint|summ|riv|fi|chapt|quart|hamm|lad|spok|sprinkl|speak"
    r"|flow|pow|weath|matt|sect|flo|do|col|err|fact|mot|detect|monit|sens|elevat|tract|project|bunk|silenc|"
    r"helicopt|cylind|filt|fold|clust|barri|roost|crat|bann|post|stick|ventilat)(?:er|or)s"
)


def class_of(noun: str) -> str:
    """The class of a noun: its own where it has none; people by their ending ("concertgoers", "protestors")."""
    known = CLASSES.get(noun)
    if known:
        return known
    ends = noun.endswith(("ers", "ors", "ists", "goers", "eers")) and len(noun) > 5
    return "person" if ends and not _NO_PERSONS.fullmatch(noun) else ""


_TREATED = (
    r"injur|wound|hurt|slash|gored|maul|bitten|stung|trampl|struck|mow(?:n|ed)|broken (?:leg|arm|limb"
    r"|rib|bone)|suffer|presented (?:to|at)|\bed\b|run over|gassed|blister|examined"
    r"|sustain|hospital|\ba&e\b|\ber\b|casualt|treated for|treatment|medical|ambulance|stretcher"
    r"|admitted|admission|\btreated\b"
    r"|in-?patients?|clinic|burns?\b|burn(?:ed|t)\b|scald|stab|knif|shot\b|struck by|gunfire|bullet|maim|concuss|faint"
    r"|pass(?:ed)? out|unconscious|gasping|breath|smoke inhal|oxygen|first aid|\bhit by\b|chok"
    r"|intoxicat|overcome|bruis"
    r"|fractur|broken bones|bleed|choking|poison|paramedic|icu\b|intensive care|seen to|patched up|bandag"
)
_SICK = (
    r"cholera|covid|coronavirus|\bflu\b|influenza|virus|salmonella|legionella|\be\.? ?coli\b|food poisoning"
    r"|heat ?stroke|dengue|measles|typhoid|infect|sick|\bill\b|illness|vomit|diarrh|poorly|unwell|queasy"
    r"|gastro|throw(?:ing|n)? up|threw up|stomach|tumm(?:y|ies)|cramps?\b|\bbugs?\b|\bfevers?\b|sore throat"
    r"|symptom|\brash"
    r"|(?:come|came|coming|gone|are|is|were|was) down with\b"
    r"|contract(?:ed|ing)\b|dizz|nause"
    r"|tested positive|\bcases?\b"
)
_MOVED = (
    r"evacuat|displac|homeless|shelter|clear(?:ed|ing)? (?:\w+ ){0,4}?out"
    r"|told to (?:leave|go|clear|get)|order(?:ed)? (?:out|to (?:leave|go|"
    r"evacuate))|asked to (?:leave|go)|(?:have|had|having|must|forced) to (?:leave|quit|flee|clear|get out)|quit their|"
    r"fle[de]e?\b|moved (?:out|to|from|into)|(?:be|been|were|was) moved\b|led (?:out|to safety|away|down)"
    r"|march(?:ed)? out|walked (?:out|off)"
    r"|(?:brought|taken|took|guided|escorted|ushered|got|shown|bussed|bused|turned) (?:\w+ ){0,3}?out\b|relocat"
    r"|out of (?:their|our|the)"
    r" (?:homes?|houses?|school|building|flats?|hotel)|sleep|(?:spent|spending) the night|camp(?:ing|ed)? (?:in|at|out)"
    r"|rest cent|relief (?:camp|cent)|register(?:ed|ing)\b|checked in|put up\b|rehoused|leave (?:their|our) homes"
    r"|left their homes"
    r"|staying (?:at|in)|\b(?:in|inside) (?:the |a |our |their )?(?:school |sports |church "
    r"|community )*(?:gym\w*|hall|church"
    r"|mosque|stadium|tents?|arena)\b"
)
_SAVED = (
    r"fetch|guided (?:down|out)|by ladder|off ladders|left the "
    r"(?:aircraft|plane|ship|vessel|train|bus|ferry)|slides\b|disembark|"
    r"rescu|saved|dry (?:ground|land)|swam|are safe|lowered|retriev|alive|surviv|fish(?:ed)?\b|pluck|winch"
    r"|airlift|flown|taken out|chopper|lift(?:ed)? (?:off|from|out|to)|carried (?:out|to safety|down)"
    r"|transferred|haul(?:ed)? (?:from|out|off|to|aboard)"
    r"|pulled (?:from|out|off"
    r"|to)|dug out|dragged (?:from|out|ashore)|lifted (?:off|from|out|to)|brought (?:ashore|out|down|off"
    r"|to safety)|freed"
    r"|picked (?:up|off)|scooped|retriev|got out|made it|taken off|to safety|back on land|got off"
)
_TRAPPED = (
    r"trapp|strand|stuck|maroon|cut off|pinned|buried|under (?:the )?(?:rubble|wall|debris|mud|slab|concrete)|inside\b|"
    r"can(?:no|')t (?:get out|leave)|held up|snowbound|spent the night|on (?:trains and )?platforms|hanging on"
    r"|waiting to be"
)
_DEAD = (
    r"\bdead(?!line)|\bdie[ds]?\b|death|\bkill|fatal|perish|lost their li|corpse|bodies|deceased|drown|lives"
    r"|casualty toll|never made it|gone\b|crushed to|suffocat|electrocut|succumb"
)
_MISSING = (
    r"(?:not|n['’]t|never) (?:yet )?(?:been )?(?:come|came|got|returned|made "
    r"it|located|found|seen|heard)\b|nobody can find"
    r"|can(?:['’]t|not) be found|overdue|lost "
    r"(?:on|in|under|out|off)\b|clocked|missing|unaccounted|disappear|vanish|not been "
    r"(?:seen|found|heard)|whereabouts|untraced|nobody has seen|lost at"
)
_HELD = r"arrest|detain|custody|handcuff|in cuffs|charged|nicked|rounded up|taken in\b|apprehend|behind bars|locked up"
_ABOARD = (
    r"aboard|on ?board|carrying|crammed|packed|capacity|passenger list|manifest|in (?:the|that) (?:bus|coach|boat|ferry"
    r"|train|plane|minibus|van)\b|on (?:the|that) (?:bus|coach|boat|ferry|train|plane|minibus|van)\b|squeezed"
    r"|overloaded"
)
_FELL = (
    r"\bfell\b|\bfall(?:s|ing|en)?\b|ended up in (?:the|a) (?:\w+ )?(?:water|river|sea|harbou?r|canal|lake|channel)\b"
    r"|plung|tumbl|swept|thrown|pitched into|toppled into"
)
_NO_POWER = (
    r"power|electric|leccy|lecky|no lights?\b|no juice|blackout|black(?:ed)? ?out|in the dark|in darkness"
    r"|off supply|without supply|lights? (?:out|off)"
    r"|outage|\b(?:are|is|were|was|still|remain|now|customers?|premises|properties|homes|households|million"
    r"|thousand|places)"
    r" off\b(?! (?:the|a|to|by|at|of|work)\b)|off the grid|no supply|lost supply|disconnect|de-?energi"
)
_NO_WATER = r"running water|dry taps|taps?\b|no water|without water|water (?:supply|cut|outage|off)|drinking water"
_NO_HEAT = r"heating\b|radiator|hot water"
_NO_GAS = r"\bgas\b"
_NO_LINE = r"signal|broadband|internet|wi-?fi|phone|mobile|landline|network|coverage|online|fibre|telecom"
_BACK = r"restor|reconnect|back on|re-?energi|repaired"
_WET = (
    r"flood|drown|under ?water|inundat|submerg|swamp|(?<!break)water(?:logged)?\b|took on|taken on|went under"
    r"|deluge|sewage|ankle|waist"
    r"|knee-?deep|soaked|drenched"
)
_RUINED = (
    r"destroy|raz(?:ed|ing)|gut(?:ted|ting)|level+ed|flatten|wreck|ruin|burn|ash(?:es)?\b|rubble|incinerat"
    r"|obliterat|torch"
    r"|demolish|\blost\b(?! (?:its|their|the|all|some|an?|power|contact|count|signal|control)\b)|\bgone\b"
    r"|wiped (?:out|off)|consum|swallow|to bits|to pieces|smash|crush|collaps"
    r"|gone up|went up"
    r"|sunk|sank|sink|bottom\b|ablaze|matchwood|splinter|write-?off|written off|total+ed|toppl|blown (?:down"
    r"|away|apart|off"
    r"|up)|ripp?(?:ed)?\b|torn|tore|brought down|came down|come down|\bdown\b|doon\b|fell|\bfalls?\b"
    r"|fallen|felled|uproot|snapp"
    r"|broken|damag|unsafe|uninhab|unfit|condemn|red[- ](?:sticker|tag)|tagged|sticker|structural|roofless|unroof"
    r"|buried|cover(?:ed)? (?:by|in|with)|mud|engulf|under (?:the )?(?:mud|slide|landslide|snow|lava)|hit\b|battered"
    r"|derail|off the (?:rails?|tracks?)|(?:left|jump\w*) the (?:rails?|tracks?)|aground|ashore|beached"
    r"|washed up|on the (?:rocks|reef|breakwater|beach|sand|shore|quay)\b|\badrift|moorings|overturn|capsiz"
    r"|(?:rolled|blown|knocked|tipped|flipped|turned|keeled|pushed) over|flipped|on (?:its|their) (?:sides?"
    r"|roofs?|backs?)\b"
    r"|mangled|pile-?up|ramm|collid|crash|shunt|concertina|involved|charred|scorched|blaz|fire\b"
    r"|burnt|sealed"
)
_MARRED = r"crack|dented|scratch|chipped|singed|\bsoot|peeling"
"""What is less than ruin."""
_HALTED = (
    r"cancel|scrapp|axed|ground(?:ed)?\b|divert|turned (?:back|round|around)|delay|suspend|called off"
    r"|not (?:running|flying)"
    r"|rerout|re-rout|shelved|pulled\b"
)
_STOLEN = (
    r"stolen|\bst(?:eal|ole)\b|steals|stealing|rustl(?:ed|ers|ing)|loot|plunder|pilfer|carried off|drove off|driven off"
    r"|driven away|drove away|made off with|raided|raiders|\btheft|thieves|snatch|\btaken by\b|nicked|pinched"
)
_CAPTIVE = r"hostage|kidnap|abduct|captive|\bseized\b|captors|ransom"
_SPOILT = r"spoil|\brott|\bthaw|gone off|went off|perished|unsaleable|binned|thrown away|throw away|dumped|discarded"
_SENT_HOME = (
    r"\bsent (?:\w+ ){0,4}home|home early|no (?:school|classes|lessons)|dismissed"
    r"|\b(?:leav(?:e|ing)|left|quit) (?:the |their )?(?:schools?|class(?:es)?|lessons)\b"
)
SENT_HOME = re.compile(_SENT_HOME)


def _family(*named: tuple[str, str]) -> tuple[tuple[str, re.Pattern[str]], ...]:
    return tuple((name, re.compile(wordings)) for name, wordings in named)


OF_PEOPLE = _family(
    ("dead", _DEAD),
    ("missing", _MISSING),
    ("captive", _CAPTIVE),
    ("held", _HELD),
    ("line", _NO_LINE),
    ("tap", _NO_WATER),
    ("home early", _SENT_HOME),
    ("hurt", _TREATED),
    ("safe", _SAVED),
    ("sick", _SICK),
    ("moved", _MOVED),
    ("heat", _NO_HEAT),
    ("power", _NO_POWER),
    ("fell", _FELL),
    (
        "waiting",
        r"can(?:no|['’])t (?:fly|travel|get home|leave)|delay|\bmiss(?:ed|ing) (?:their|the)|queu|waiting (?:for|in)",
    ),
    ("stuck", _TRAPPED),
    ("aboard", _ABOARD),
    (
        "sent",
        r"battl|fighting|tackl|deploy|respond|fire-?ground|on (?:the )?scene|reinforc|search|volunteer|drafted|mobilis",
    ),
    ("attending", r"invited|attend|audience|crowd|spectat|enrol|\blive[sd]?\b|population|turned up|showed up|tickets?"),
)
"""What befell people, the surest words first."""
OF_THINGS = _family(
    ("back", _BACK),
    ("stolen", _STOLEN),
    ("spoilt", _SPOILT),
    (
        "fell",
        r"\b(?:fell|fall(?:s|en|ing)?|plung\w+|slid(?:es?|ing)?|slipp?\w*|tumbl\w+|pitched|toppl\w+|roll(?:ed|s)|went) "
        r"(?:off|overboard|down (?:the|an?) (?:bank|slope|ravine|cliff|hill\w*|embankment)"
        r"|into the (?:sea|water|river|channel|lake|canal|harbour|harbor|bay|ravine|gorge|sinkhole|hole|crater))\b",
    ),
    ("line", _NO_LINE),
    ("tap", r"running water|dry taps|\btaps?\b|no water|without (?:any )?water|water (?:supply|cut off|outage)"),
    ("moved", r"evacuat|told to leave|ordered to leave|threaten|at risk|under an? (?:order|warning)"),
    ("heat", _NO_HEAT),
    ("power", _NO_POWER),
    ("gas", _NO_GAS),
    ("wet", _WET),
    ("ruin", _RUINED),
    ("marred", _MARRED),
    ("shut", r"\bshut|\bclos(?:ed|es|ing|ure)\b|blocked|impassable|sealed off"),
    ("halt", _HALTED),
    ("waiting", r"can(?:no|['’])t (?:leave|sail|move|get out)|(?:kept|held|stay\w*|remain\w*) in (?:port|harbou?r)"),
    (
        "stuck",
        r"strand|stuck|pinn(?:ed|ing)|wedged|queue|trapp|gridlock|jam(?:med)?\b|tailback|parked|left (?:on|at)|loose"
        r"|escaped|wander",
    ),
)
"""What befell things."""
SUPPLIES = frozenset({"power", "tap", "gas", "heat", "line", "back"})
"""Families of what only people and what they live in can lack."""
SLOT_FATES = {
    "injured": "hurt",
    "critical": "hurt",
    "infected": "sick",
    "killed": "dead",
    "missing": "missing",
    "evacuated": "moved",
    "rescued": "safe",
    "trapped": "stuck",
    "arrested": "held",
    "without_power": "power",
    "without_water": "tap",
    "power_restored": "back",
    "buildings_destroyed": "ruin",
    "buildings_damaged": "ruin",
}
"""The family of each slot that says what befell what it counts."""
ALIKE = frozenset(
    frozenset(pair)
    for pair in (
        ("hurt", "sick"), ("moved", "safe"), ("wet", "ruin"), ("stuck", "moved"), ("stuck", "ruin"),
        ("safe", "stuck"), ("fell", "safe"), ("aboard", "stuck"), ("aboard", "safe"), ("aboard", "moved"),
        ("shut", "halt"), ("shut", "ruin"), ("shut", "wet"), ("shut", "stuck"), ("spoilt", "ruin"), ("spoilt", "wet"),
        ("home early", "moved"), ("fell", "wet"), ("fell", "ruin"), ("marred", "ruin"),
    )
)  # fmt: skip
"""Families that may tell of one thing where the numbers are the same."""
