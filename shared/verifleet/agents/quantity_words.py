"""The vocabulary of quantities: number words, qualifiers, units and the words that say what is counted.

Words of incident reports in English, with the commonest of Spanish, Portuguese, Italian, French and German.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Qualifier = Literal["exact", "at_least", "at_most", "about", "range"]


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit word: slot it implies ("" when only the context tells), base unit, factor and offset to it."""

    slot: str
    base: str
    factor: float = 1.0
    offset: float = 0.0


@dataclass(frozen=True, slots=True)
class Slot:
    """A phrase that says what is counted; `side` is where its number stands."""

    name: str
    side: Literal["both", "after", "before"] = "both"
    active: bool = False
    """An active verb ("killed 6") takes the number behind it."""


def words(text: str) -> frozenset[str]:
    """The words of a space-separated list."""
    return frozenset(text.split())


_ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
    "seventeen eighteen nineteen"
)
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
NUMBERS: dict[str, int] = {
    **{word: value for value, word in enumerate(_ONES.split())},
    **{word: value for value, word in zip(range(20, 100, 10), _TENS.split(), strict=True)},
    "fourty": 40,
    # Only words that are no English words.
    "dos": 2, "tres": 3, "cuatro": 4, "cinco": 5, "seis": 6, "siete": 7, "ocho": 8, "nueve": 9, "diez": 10,
    "dois": 2, "duas": 2, "quatro": 4, "sete": 7, "oito": 8, "nove": 9, "dez": 10,
    "due": 2, "quattro": 4, "cinque": 5, "sei": 6, "otto": 8, "dieci": 10,
    "deux": 2, "trois": 3, "quatre": 4, "cinq": 5, "huit": 8, "neuf": 9, "dix": 10,
    "zwei": 2, "drei": 3, "vier": 4, "fünf": 5, "sechs": 6, "sieben": 7, "zehn": 10,
}  # fmt: skip
AMBIGUOUS_NUMBERS = frozenset({"one", "due", "sei", "dos", "dix"})
"""Number words that count only before something countable."""

SCALES: dict[str, float] = {
    "dozen": 12, "dozens": 12, "hundred": 100, "thousand": 1e3, "lakh": 1e5, "lakhs": 1e5, "million": 1e6,
    "crore": 1e7, "billion": 1e9, "mil": 1e3, "mila": 1e3, "mille": 1e3, "millones": 1e6, "millón": 1e6,
    "milhões": 1e6, "milioni": 1e6, "millions": 1e6, "tausend": 1e3, "k": 1e3, "mn": 1e6, "bn": 1e9,
}  # fmt: skip

INDEFINITE: dict[tuple[str, ...], tuple[float, float]] = {
    ("hundreds", "of", "thousands"): (2e5, 999_999),
    ("tens", "of", "thousands"): (2e4, 99_999),
    ("tens", "of", "millions"): (2e7, 99_999_999),
    ("hundreds",): (200, 999),
    ("thousands",): (2000, 9999),
    ("millions",): (2e6, 9_999_999),
    ("a", "score", "of"): (18, 25),
    ("dozens",): (24, 99),
    ("scores",): (40, 99),
    ("several", "dozen"): (36, 99),
    ("several", "hundred"): (300, 999),
    ("several", "thousand"): (3000, 9999),
    ("several",): (3, 9),
    ("a", "few", "dozen"): (24, 60),
    ("a", "few", "hundred"): (200, 600),
    ("a", "few", "thousand"): (2000, 6000),
    ("a", "few"): (2, 6),
    ("few", "hundred"): (200, 600),
    ("few", "thousand"): (2000, 6000),
    **{
        (*lead, *scale): (2 * size, 3 * size)
        for lead in (("a", "couple", "of"), ("couple", "of"), ("a", "couple"), ("couple",))
        for scale, size in ((("hundred",), 100), (("thousand",), 1000), (("dozen",), 12), (("million",), 1_000_000))
    },
    ("two", "score"): (40, 40),
    ("three", "score"): (60, 60),
    ("two-score",): (40, 40),
    ("three-score",): (60, 60),
    ("threescore",): (60, 60),
    ("scores", "of"): (40, 99),
    ("several", "scores"): (60, 199),
    ("a", "couple", "of"): (2, 3),
    ("a", "couple"): (2, 3),
    ("a", "handful", "of"): (3, 7),
    ("cientos", "de"): (200, 999),
    ("miles", "de"): (2000, 9999),
    ("centinaia", "di"): (200, 999),
    ("migliaia", "di"): (2000, 9999),
    ("centenas", "de"): (200, 999),
    ("milhares", "de"): (2000, 9999),
    ("des", "centaines", "de"): (200, 999),
    ("des", "milliers", "de"): (2000, 9999),
}
"""Words for a size without a figure, with the range that they stand for."""

QUALIFIERS_BEFORE: dict[tuple[str, ...], Qualifier] = {
    **dict.fromkeys(
        [
            ("at", "least"), ("more", "than"), ("over",), ("above",), ("upwards", "of"), ("upward", "of"),
            ("no", "fewer", "than"), ("no", "less", "than"), ("not", "less", "than"), ("not", "fewer", "than"),
            ("greater", "than"), ("in", "excess", "of"), ("well", "over"), ("minimum", "of"), ("exceeds",),
            ("exceeding",), ("exceeded",), ("topped",), ("tops",), ("surpassed",), ("surpasses",),
            (">",), ("≥",), ("easily",), ("north", "of"), ("a", "good"), ("not", "under"), ("nothing", "less", "than"),
            ("al", "menos"), ("por", "lo", "menos"), ("más", "de"), ("mas", "de"), ("pelo", "menos"),
            ("mais", "de"), ("almeno",), ("più", "di"), ("oltre",), ("au", "moins"), ("plus", "de"), ("mindestens",),
            ("mehr", "als"),
        ],
        "at_least",
    ),
    **dict.fromkeys(
        [
            ("up", "to"), ("as", "many", "as"), ("as", "much", "as"), ("at", "most"), ("fewer", "than"),
            ("less", "than"), ("no", "more", "than"), ("not", "more", "than"), ("maximum", "of"), ("below",),
            ("under",), ("<",), ("≤",), ("hasta",), ("menos", "de"), ("fino", "a"), ("jusqu'à",), ("bis", "zu"),
        ],
        "at_most",
    ),
    **dict.fromkeys(
        [
            ("about",), ("around",), ("approximately",), ("approx",), ("roughly",), ("some",), ("circa",), ("ca",),
            ("nearly",), ("almost",), ("close", "to"), ("an", "estimated"), ("estimated",), ("estimated", "at"),
            ("perhaps",), ("maybe",), ("possibly",), ("~",), ("≈",), ("an", "average", "of"), ("just", "under"),
            ("just", "shy", "of"), ("shy", "of"), ("getting", "on", "for"), ("pushing",), ("the", "best", "part", "of"),
            ("close", "on"), ("in", "the", "region", "of"), ("something", "like"), ("more", "like"),
            ("just", "over"), ("just", "below"), ("just", "above"), ("unos",), ("unas",), ("casi",), ("cerca", "de"),
            ("alrededor", "de"), ("quase",), ("circa",), ("quasi",), ("environ",), ("près", "de"), ("etwa",),
            ("rund",), ("fast",),
        ],
        "about",
    ),
    **dict.fromkeys([("exactly",), ("a", "total", "of"), ("total", "of"), ("only",), ("precisely",)], "exact"),
}  # fmt: skip

QUALIFIERS_AFTER: dict[tuple[str, ...], Qualifier] = {
    ("+",): "at_least",
    ("or", "more"): "at_least",
    ("plus",): "at_least",
    ("and", "counting"): "at_least",
    ("or", "fewer"): "at_most",
    ("or", "less"): "at_most",
    ("or", "so"): "about",
    ("-", "odd"): "about",
    ("-", "something"): "about",
    ("something",): "about",
    ("-", "plus"): "at_least",
    ("-", "ish"): "about",
    ("odd",): "about",
    ("easily",): "at_least",
    ("-ish",): "about",
    ("ish",): "about",
}

NEGATIONS = words(
    "no zero without nobody none never nil ningún ninguna sin nenhum nenhuma sem nessun nessuna senza aucun aucune "
    "sans keine kein ohne walang"
)


def _slots(name: str, phrases: str, **how: object) -> dict[tuple[str, ...], Slot]:
    return {tuple(phrase.split()): Slot(name, **how) for phrase in phrases.split(",")}  # type: ignore[arg-type]


SLOT_PHRASES: dict[tuple[str, ...], Slot] = {
    **_slots(
        "injured",
        "intoxicated,overcome by fumes,medical help,taken away in ambulances,taken away in an ambulance,"
        "transported,carried off in ambulances,on stretchers,"
        "gunshot wounds,bullet wounds,stab wounds,shot,respiratory problems,respiratory distress,breathing problems,"
        "breathing difficulties,difficulty breathing,trouble breathing,choking,"
        "needed treatment,need treatment,receiving treatment,received treatment,require treatment,required treatment,"
        "burnt people,burned people,burn victims,burns victims,got oxygen,given oxygen,needed oxygen,"
        "received oxygen,smoke inhalation,overcome by smoke,walking wounded,"
        "needing treatment,"
        "in a&e,in the emergency room,bandaged,stretchered,admissions,taken away by ambulance,require hospitalisation,"
        "hospitalisations,hospitalizations,needing stitches,fractures,broken bones,lacerations,cut and bruised,"
        "medical care,medical attention,medical treatment,hospital treatment,intensive care,suffered burns,with burns,"
        "admitted,injury tally,sustained injuries,suffered injuries,with injuries,"
        "come to harm,came to harm,been harmed,was harmed,were harmed,in a critical condition,in a serious condition,"
        "in a stable condition,"
        "injured,hurt,wounded,hospitalized,hospitalised,casualties,casualty,injuries,injury,burned victims,treated,"
        "needed treatment,need treatment,receiving treatment,under treatment,needed medical care,"
        "in hospital,in hospitals,in the hospital,to hospital,to hospitals,to the hospital,to local hospitals,"
        "to area hospitals,hospital admissions,hospital patients,maimed,seriously ill,in critical condition,"
        "in serious condition,in stable condition,poisoned,concussed,scalded,heridos,heridas,herido,"
        "lesionados,hospitalizados,feridos,feridas,ferido,feriti,feriti gravi,ferite,ricoverati,blessés,blessées,"
        "blessé,verletzte,verletzt,verletzten,sugatan,nasugatan",
    ),
    **_slots(
        "injured",
        "treats,treating,injures,injuring,injure,wounding,wounds,hospitalizing,leaves injured",
        active=True,
    ),
    **_slots(
        "killed",
        "dead,died,dies,killed,deaths,death,fatalities,fatality,death toll,deathtoll,toll,perished,deceased,bodies,"
        "body,corpses,corpse,slain,lost their lives,lost his life,lost her life,lives lost,lives,confirmed dead,"
        "feared dead,found dead,presumed dead,drowned,shot dead,fatally injured,fatally shot,murdered,massacred,"
        "electrocuted,suffocated,asphyxiated,muertos,muertas,muerto,muertes,fallecidos,fallecido,fallecieron,"
        "murieron,mortos,mortas,morto,mortes,morreram,morti,morte,vittime,vittima,deceduti,morts,mort,décès,tués,tué,"
        "tote,toten,todesopfer,getötet,patay,nasawi,namatay",
    ),
    **_slots("killed",
        "kills,killing,kill,claimed,claims,claiming,claimed the lives of,lost", active=True, side="before"),
    **_slots(
        "missing",
        "missing,listed as missing,reported missing,not been heard from,not been found,still to be found,"
        "whereabouts unknown,"
        "not seen since,not been seen,can't be found,cannot be found,could not be found,couldn't be found,"
        "cannot be located,can't be located,could not be located,yet to be found,yet to be located,yet to be traced,"
        "nobody has heard from,no one has heard from,nobody heard from,no word from,"
        "not accounted for,could not be reached,unaccounted for,unaccounted,disappeared,lost at sea,"
        "cannot be reached,desaparecidos,desaparecidas,"
        "desaparecido,desaparecida,dispersi,disperso,disparus,disparu,vermisst,vermisste,nawawala",
    ),
    **_slots(
        "evacuated",
        "transferred to evacuation,transferred to shelters,transferred to safety,led out,guided out,escorted out,"
        "told to get out,told to go,ordered to get out,cleared their homes,shown out of their homes,"
        "moved into shelters,moved to shelters,moved into shelter,moved to shelter,in tents,in emergency shelters,"
        "in temporary shelters,in temporary accommodation,rehoused,brought to safety,"
        "evacuated,evacuees,evacuee,displaced,homeless,fled,flee,evacuations,relocated,sheltered,in shelters,"
        "in shelter,in evacuation centers,in evacuation centres,moved to safety,taken to safety,forced to leave,"
        "forced from their homes,forced to flee,told to leave,ordered to leave,left homeless,ordered out,"
        "made homeless,from homes,from their homes,leave their homes,leave homes,"
        "asked to leave,advised to leave,had to leave,have to leave,having to leave,had to go,have left,"
        "left their homes,leave home,left home,"
        "had to flee,"
        "out of their homes,out of homes,without a home,without homes,without shelter,lost their homes,lost their home,"
        "sleeping in,spent the night,in hotels,put up in,checked in,registered at,being housed,are housed,were housed,"
        "gone to stay,staying at,staying in,led to safety,bussed out,bused out,cleared out,cleared from,"
        "moved out,uprooted,driven from their homes,in the evac,in evac,in the evacuation,in evacuation,at evacuation,"
        "at the evacuation,in relief camps,evacuados,evacuadas,damnificados,"
        "desplazados,desalojados,desabrigados,desalojadas,sfollati,evacuati,évacués,évacuées,sinistrés,evakuiert,"
        "evakuierte,lumikas",
    ),
    **_slots(
        "evacuated",
        "hosting,hosts,housing,accommodating,accommodates,sheltering,evacuate,evacuates,evacuating,displaces,"
        "displacing,displace,evacuation of,evacuation order issued for,evacuation order for,"
        "evacuation orders for,evacuation ordered for,evacuation notice for,evacuation notices for",
        active=True,
    ),
    **_slots(
        "trapped",
        "trapped,stranded,stuck,buried,under rubble,under the rubble,pinned,pinned down,entombed,caught inside,"
        "still inside,cut off,marooned,atrapados,atrapadas,presos,intrappolati,bloccati,piégés,eingeschlossen",
    ),
    **_slots("trapped", "traps,trapping,strands,stranding", active=True),
    **_slots(
        "rescued",
        "rescued,saved,pulled out,out alive,alive,dug out,brought out,hauled out,lifted out,got out,recovered alive,"
        "lifted to safety,pulled alive,pulled from,plucked,freed,airlifted,winched,pulled to safety,"
        "found alive,survivors,survivor,survived,rescatados,rescatadas,resgatados,salvati,"
        "tratti in salvo,secourus,sauvés,gerettet",
    ),
    **_slots("rescued", "rescues,rescuing,rescue,saves,airlifts", active=True),
    **_slots(
        "arrested",
        "arrested,detained,taken in for questioning,behind bars,charged,held for questioning,in custody,arrests,"
        "arrest,taken into custody,apprehended,suspects,suspect,gunmen,gunman,"
        "detenidos,detenidas,presos,arrestati,interpellés,festgenommen",
    ),
    **_slots("infected",
        "infected,infections,cases,confirmed cases,ill,sick,sickened,taken ill,fell ill,falling ill,"
        "unwell,contagiados,infectados,"
        "contagiati"),
    **_slots("affected", "affected,impacted,afectados,afectadas,afetados,colpiti,touchés,betroffen,apektado"),
    **_slots(
        "without_power",
        "customers are out,customers were out,homes are out,homes were out,customers remain out,households are out,"
        "power gone,power is gone,electricity gone,electricity is gone,no current,no lights,"
        "lights went out,electricity failed,power failed,supply interrupted,supply interruptions,"
        "loss of power,power loss,without supply,without mains,disconnected,cut from the grid,"
        "power is out,power out,power is off,power was cut,power cut to,power failure,power failures,electricity cut,"
        "electricity is out,electricity is off,electricity was cut,disconnections,knocked out power,knocks out power,"
        "cut power,cuts power,lost supply,lights are out,"
        "without power,without electricity,without electric power,no power,no electricity,lost power,"
        "lost electricity,lose power,losing power,power outage,power outages,power cut,power cuts,outages,outage,"
        "customers off,customers out,out of power,in the dark,blackout,blackouts,without lights,without light,"
        "lacking power,left powerless,powerless,off the grid,off supply,are off,still off,"
        "cut off from power,cut off from electricity,have no power,power knocked out,electricity knocked out,"
        "sin luz,sin electricidad,sin energía,sem luz,sem energia,senza luce,senza elettricità,senza corrente,"
        "sans électricité,sans courant,ohne strom,walang kuryente,customers affected,electricity customers",
    ),
    **_slots("without_water",
        "without water,without running water,no water,no drinking water,no running water,no tap water,no clean water,"
        "without drinking water,without clean water,"
        "sin agua,sem água,senza acqua"),
    **_slots("power_restored",
        "power restored,power back,back on,reconnected,restored,electricity restored,"
        "electricity back"),
    **_slots(
        "magnitude",
        "magnitude,mag,mag.,magnitud,magnitude of,"
        "richter,richter scale,on the richter scale,m,mw,ml,magnitudo,intensidad",
    ),
    **_slots("wind_speed", "winds,wind,gusts,gusting,gust,sustained winds,vientos,venti,rafales"),
    **_slots("rainfall", "rain,rainfall,rain gauge,rain gauges,of rain,precipitation,snow,snowfall,lluvia,pioggia"),
    **_slots(
        "water_level",
        "water level,water levels,water depth,flood level,river level,flood depth,above normal,above flood stage,"
        "flood stage,crest,crested,cresting,deep,flooding,floodwater,floodwaters,flood water,flood waters,storm surge,"
        "surge,waves,wave,swell,gauge,stage,crested at,peaked at,river,creek,bayou,reservoir,lagoon,"
        "tide,water,nivel del agua,livello",
    ),
    **_slots("temperature", "temperature,temperatures,highs,lows,mercury,temperatura"),
    **_slots("air_quality",
        "psi,aqi,air quality index,pm2.5,pm10,pm 2.5,air quality,3-hr psi,24-hr psi,pollutant index"),
    **_slots("containment", "contained,containment,contenido,under control"),
    **_slots("depth", "depth,depth of,profundidad,profondità"),
    **_slots("vehicles", "vehicles,vehicle"),
}  # fmt: skip

BUILDINGS = words(
    "home homes house houses building buildings structure structures property properties residence residences "
    "apartment apartments address addresses shop shops store stores school schools "
    "hut huts cabin cabins business businesses dwelling "
    "dwellings unit units flat flats church churches warehouse warehouses barn barns casas viviendas case edifici "
    "maisons häuser edificios hospitals garage garages outbuilding outbuildings"
)
DESTROYED = words(
    "destroyed burned burnt levelled leveled flattened razed collapsed demolished gutted lost destroy destroys "
    "destroying incinerated obliterated torched wrecked ruined destruidas destruídas destruidos distrutte distrutti "
    "détruites détruits zerstört gone toppled consumed swallowed"
)
DAMAGED = words(
    "damaged damage damages damaging flooded inundated submerged dañadas dañados danneggiate danneggiati "
    "endommagées endommagés beschädigt underwater swamped affected hit scorched unsafe uninhabitable roofless"
)

PEOPLE = words(
    "ppl folk folks people person persons resident residents citizen citizens individual individuals victim victims "
    "civilian civilians other others patient patients human humans soul souls inhabitant inhabitants villager "
    "villagers "
    "evacuee evacuees men man women woman child children kid kids boy boys girl girls adult adults baby babies infant "
    "infants toddler toddlers teen teens teenager teenagers student students pupil pupils teacher teachers worker "
    "workers employee employees staff miner miners passenger passengers tourist tourists visitor visitors guest guests "
    "firefighter firefighters fireman firemen officer officers policeman policemen cop cops soldier soldiers troops "
    "paramedic paramedics volunteer volunteers driver drivers fisherman fishermen farmer farmers migrant migrants "
    "refugee refugees senior seniors pedestrian pedestrians cyclist cyclists member members crew crewmen sailor "
    "sailors spectator spectators worshipper worshippers shopper shoppers hostage hostages friend friends family "
    "families household households nurse nurses doctor doctors prisoner prisoners inmate inmates rescuer "
    "rescuers responder responders personas gente persone personen pessoas personnes menschen hombres mujeres niños "
    "niñas bambini donne uomini enfants kinder tao katao males females male female father mother son daughter brother "
    "sister couple husband wife elderly holidaymaker holidaymakers hiker hikers camper campers climber climbers "
    "customer customers commuter commuters"
)
GENERIC_PEOPLE = words(
    "ppl folk folks people person persons resident residents citizen citizens individual individuals victim victims "
    "civilian civilians other others patient patients human humans soul souls inhabitant inhabitants evacuee evacuees "
    "personas gente persone personen pessoas personnes menschen tao katao member members passenger passengers"
)
EVERYBODY = words(
    "ppl folk folks people person persons resident residents citizen citizens individual individuals civilian "
    "civilians humans souls inhabitant inhabitants villagers men women others victims"
)
"""Whom a report means that counts nobody among them: not those of one kind or place, such as patients or guests."""
HOUSEHOLDS = words(
    "customer customers household households home homes house houses business businesses property properties "
    "address addresses account accounts consumer consumers subscriber subscribers premises meters residence "
    "residences families family people residents "
    "users hogares clientes usuarios utenze famiglie foyers haushalte"
)
"""What loses power; all of them compare with one another."""
VEHICLES = words(
    "sedan sedans pickup pickups jeep jeeps minivan minivans cab cabs locomotive locomotives vehicle vehicles "
    "car cars truck trucks bus buses van vans lorry lorries motorcycle motorcycles bike bikes "
    "ambulance ambulances train trains carriage carriages wagon wagons tanker tankers boat boats ship ships plane "
    "planes aircraft helicopter helicopters taxi taxis tram trams coach coaches minibus minibuses ferry ferries "
    "engine engines coches autos vehículos veículos auto camion voitures rickshaw rickshaws suv suvs scooter "
    "scooters trailer trailers motorbike motorbikes moped mopeds yacht yachts dinghy dinghies trawler trawlers canoe "
    "canoes kayak kayaks barge barges tractor tractors"
)
GENERIC_VEHICLES = words("vehicle vehicles vehículos veículos")

SKIPPED = words(
    "rushed taken brought flown sent more other others of the a an additional new further nearby local its their "
    "his her our this these those "
    "least most very severely seriously critically badly lightly slightly fatally confirmed reported reportedly "
    "now still been be being are is was were have has had so far already also currently feared believed said thought "
    "known likely possibly probably small large elderly young innocent unidentified foreign minor major serious "
    "non-fatal nonfatal total different about"
)

UNITS: dict[str, Unit] = {
    **dict.fromkeys(("acre", "acres"), Unit("area_burned", "ha", 0.404686)),
    **dict.fromkeys(("hectare", "hectares", "ha", "hectáreas", "ettari"), Unit("area_burned", "ha")),
    **dict.fromkeys(("km2", "km²", "sq km", "square kilometres", "square kilometers"),
                     Unit("area_burned", "ha", 100.0)),
    **dict.fromkeys(("square miles", "square mile", "sq mi", "sq miles"), Unit("area_burned", "ha", 258.999)),
    **dict.fromkeys(("km/h", "kph", "kmh", "kmph", "kilometers per hour", "kilometres per hour", "kilometres an hour",
                     "kilometers an hour"), Unit("wind_speed", "km/h")),
    **dict.fromkeys(("mph", "miles per hour", "miles an hour"), Unit("wind_speed", "km/h", 1.609344)),
    **dict.fromkeys(("knots", "kt", "kts"), Unit("wind_speed", "km/h", 1.852)),
    **dict.fromkeys(("m", "metre", "metres", "meter", "meters", "metros", "metri", "mètres"), Unit("length", "m")),
    **dict.fromkeys(("ft", "foot", "feet"), Unit("length", "m", 0.3048)),
    **dict.fromkeys(("cm", "centimetres", "centimeters", "centimetre", "centimeter"), Unit("length", "m", 0.01)),
    **dict.fromkeys(("mm", "millimetres", "millimeters"), Unit("rainfall", "m", 0.001)),
    **dict.fromkeys(("inch", "inches", "in."), Unit("length", "m", 0.0254)),
    **dict.fromkeys(("yard", "yards"), Unit("length", "m", 0.9144)),
    **dict.fromkeys(("ug / m", "μg / m", "μg / m³", "ug / m³", "micrograms per cubic", "micrograms a cubic"),
                    Unit("air_quality", "µg/m³")),
    **dict.fromkeys(("km", "kms", "kilometre", "kilometres", "kilometer", "kilometers", "kilómetros", "chilometri"),
                    Unit("distance", "m", 1000.0)),
    **dict.fromkeys(("mile", "miles", "mi"), Unit("distance", "m", 1609.344)),
    **dict.fromkeys(("°c", "ºc", "°", "degrees celsius", "degrees c", "celsius", "degrees", "deg"),
                     Unit("temperature", "°C")),
    **dict.fromkeys(("°f", "ºf", "degrees fahrenheit", "degrees f", "fahrenheit"),
                    Unit("temperature", "°C", 5 / 9, -160 / 9)),
    **dict.fromkeys(("second", "seconds", "sec", "secs"), Unit("duration", "h", 1 / 3600)),
    **dict.fromkeys(("minute", "minutes", "min", "mins"), Unit("duration", "h", 1 / 60)),
    **dict.fromkeys(("hour", "hours", "hr", "hrs", "horas", "ore", "heures", "stunden"), Unit("duration", "h")),
    **dict.fromkeys(("day", "days", "días", "giorni", "jours", "tage", "dias"), Unit("duration", "h", 24.0)),
    **dict.fromkeys(("week", "weeks"), Unit("duration", "h", 168.0)),
    **dict.fromkeys(("month", "months"), Unit("duration", "h", 730.5)),
    **dict.fromkeys(("year", "years"), Unit("duration", "h", 8766.0)),
    **dict.fromkeys(("%", "percent", "per cent", "pct", "por ciento", "per cento"), Unit("percent", "%")),
    **dict.fromkeys(("tonne", "tonnes", "ton", "tons"), Unit("weight", "kg", 1000.0)),
    **dict.fromkeys(("kg", "kilos", "kilograms"), Unit("weight", "kg")),
    **dict.fromkeys(("litre", "litres", "liter", "liters"), Unit("volume", "l")),
    **dict.fromkeys(("gallon", "gallons"), Unit("volume", "l", 3.78541)),
    **dict.fromkeys(("barrel", "barrels"), Unit("volume", "l", 158.987)),
    **dict.fromkeys(("dollars", "dollar", "usd"), Unit("money", "USD")),
    **dict.fromkeys(("euros", "euro", "eur"), Unit("money", "EUR")),
    **dict.fromkeys(("pounds", "gbp"), Unit("money", "GBP")),
    **dict.fromkeys(("pesos", "peso", "php"), Unit("money", "PHP")),
    **dict.fromkeys(("rupees", "inr"), Unit("money", "INR")),
}  # fmt: skip

CURRENCIES: dict[str, str] = {
    "$": "USD", "us$": "USD", "€": "EUR", "£": "GBP", "₱": "PHP", "₹": "INR", "¥": "JPY",
    "c$": "CAD", "a$": "AUD", "p": "PHP",
}  # fmt: skip

_IRREGULAR = {
    "people": "person", "persons": "person", "children": "child", "men": "man", "women": "woman", "buses": "bus",
    "firemen": "firefighter", "fishermen": "fisherman", "crewmen": "crewman", "kids": "child",
    "kid": "child", "cop": "officer", "cops": "officer", "policeman": "officer", "policemen": "officer",
    "fireman": "firefighter", "pupil": "student", "pupils": "student", "troops": "soldier", "medic": "paramedic",
    "medics": "paramedic", "wolves": "wolf", "lives": "life", "families": "family", "bodies": "body", "babies": "baby",
    "autos": "car", "lorries": "truck", "lorry": "truck", "niños": "child", "bambini": "child", "enfants": "child",
}  # fmt: skip


def singular(noun: str) -> str:
    """The singular of a head noun, by rule ("children" -> "child", "ferries" -> "ferry", "trucks" -> "truck")."""
    if noun in _IRREGULAR:
        return _IRREGULAR[noun]
    if noun.endswith("ies") and len(noun) > 4:
        return noun[:-3] + "y"
    if noun.endswith(("ches", "shes", "xes", "sses")):
        return noun[:-2]
    return noun[:-1] if noun.endswith("s") and not noun.endswith(("ss", "us", "is")) and len(noun) > 3 else noun
