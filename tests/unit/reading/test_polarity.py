"""What is said and what is denied, by machine: whatever stands between a subject and its verb changes neither."""

from __future__ import annotations

from datetime import UTC, datetime
from itertools import product

import pytest

from verifleet.agents.facts.extract import facts_of
from verifleet.agents.facts.types import Quantity, Statement, Status
from verifleet.reading.read import read

TIME = datetime(2026, 3, 1, tzinfo=UTC)
BETWEEN = {
    "en": ("", " for San Jacinto and Eastridge", " for those who were evacuated", " near the 12 towns of the coast"),
    "es": ("", " para Cerro Alegre y Rodelillo", " para los que fueron evacuados", " para las 12 comunas de la costa"),
    "it": ("", " per Norcia e Amatrice", " per le 12 frazioni della costa", " per gli sfollati di Norcia"),
    "pt": ("", " para Blumenau e Gaspar", " para as 12 cidades da costa", " para os que foram desalojados"),
    "fr": ("", " pour Antibes et Cannes", " pour les 12 communes de la côte", " pour ceux qui ont été évacués"),
}
SUBJECTS = {
    "en": ("The evacuation order", "The tsunami warning"),
    "es": ("La orden de evacuación", "La alerta de tsunami"),
    "it": ("L'ordine di evacuazione", "L'allerta tsunami"),
    "pt": ("A ordem de evacuação", "O alerta de tsunami na região"),
    "fr": ("L'ordre d'évacuation", "L'alerte au tsunami"),
}
ENDED = {
    "en": (
        "has been lifted",
        ("has NOT been lifted", "hasn't been lifted", "has not yet been lifted", "was never lifted"),
    ),
    "es": ("ha sido levantada", ("NO ha sido levantada", "aún no ha sido levantada", "no se ha levantado")),
    "it": ("è stata revocata", ("NON è stata revocata", "non è ancora stata revocata")),
    "pt": ("já foi cancelado", ("NÃO foi cancelado", "ainda não foi cancelado")),
    "fr": ("a été levée", ("n'a PAS été levée", "n'a pas encore été levée")),
}
ENDINGS = [
    (language, f"{subject}{between} {verb}", verb == said)
    for language, (said, denied) in ENDED.items()
    for subject, between, verb in product(SUBJECTS[language], BETWEEN[language], (said, *denied))
]
GONE = {
    "en": (
        "15 people who were trapped{} have been rescued",
        "15 trapped people{} were rescued",
        "15 people trapped{} have all been found alive",
        "crews rescued 15 trapped people{}",
        "15 missing workers{} are accounted for and safe",
        "15 missing people{} have been found",
    ),
    "es": (
        "bomberos rescataron a las 15 personas atrapadas{}",
        "las 15 personas atrapadas{} fueron rescatadas",
        "las 15 personas que estaban atrapadas{} han sido rescatadas",
        "los 15 trabajadores desaparecidos{} fueron encontrados con vida",
    ),
    "it": ("le 15 persone intrappolate{} sono state salvate", "i 15 operai dispersi{} sono stati trovati"),
    "pt": ("as 15 pessoas desaparecidas{} foram encontradas", "os 15 trabalhadores desaparecidos{} foram resgatados"),
    "fr": ("les 15 personnes disparues{} ont été retrouvées", "les 15 ouvriers piégés{} ont été secourus"),
}
AT = {
    "en": ("", " in the mine", " under the rubble"),
    "es": ("", " en la mina", " bajo los escombros"),
    "it": ("", " nella miniera"),
    "pt": ("", " na mina"),
    "fr": ("", " dans la mine"),
}
ENDS = [told.format(at) for language, each in GONE.items() for told, at in product(each, AT[language])]
GOES_ON = (
    "15 people who were trapped{} have not been rescued",
    "15 people are trapped{} and 3 were rescued",
    "15 people are missing{} after a boat was found",
    "15 trapped people{} have yet to be rescued",
    "15 people remain trapped{}",
)
DENIED = (
    "reports of 10 deaths in {} are incorrect",
    "it is false that 10 people died in {}",
    "claims that 10 people died in {} were denied",
    "smentiamo i 10 morti a {}",
    "es falso que haya 10 muertos en {}",
    "10 people did not die in {}",
)


@pytest.mark.parametrize(("language", "text", "is_over"), ENDINGS)
def test_an_end_is_denied_or_told_whatever_stands_before_its_verb(language: str, text: str, is_over: bool) -> None:
    document = read(f"{text}.")
    facts = facts_of(document, TIME)

    assert document.language == language
    assert [one.polarity for one in facts if isinstance(one, Statement)] == ["asserted" if is_over else "denied"]
    for one in facts:
        if isinstance(one, Status):  # what has not ended holds
            assert (one.polarity, one.phase) == ("asserted", "ended" if is_over else "holds")


@pytest.mark.parametrize("text", ENDS)
def test_those_who_were_found_or_rescued_are_trapped_or_missing_no_more(text: str) -> None:
    counts = {one.attribute: one.comparison for one in facts_of(read(f"{text}."), TIME) if isinstance(one, Quantity)}

    assert "rescued" in counts
    assert {counts.get(harm, "before") for harm in ("trapped", "missing")} == {"before"}


@pytest.mark.parametrize("text", [told.format(at) for told, at in product(GOES_ON, AT["en"])])
def test_those_who_were_not_rescued_are_trapped_or_missing_still(text: str) -> None:
    counts = [one for one in facts_of(read(f"{text}."), TIME) if isinstance(one, Quantity) and one.low == 15]

    assert counts
    assert {(one.attribute, one.polarity, one.comparison) for one in counts} <= {
        ("trapped", "asserted", ""),
        ("missing", "asserted", ""),
    }


@pytest.mark.parametrize("text", [told.format(place) for told, place in product(DENIED, ("Norcia", "San Juan"))])
def test_a_toll_that_is_called_false_is_denied(text: str) -> None:
    tolls = [one for one in facts_of(read(f"{text}."), TIME) if isinstance(one, Quantity) and one.low == 10]

    assert [one.polarity for one in tolls] == ["denied"]


@pytest.mark.parametrize(
    ("text", "figures"),
    [
        ("9 of the 12 missing people have been found alive", {("rescued", 9, ""), ("missing", 12, "before")}),
        ("all 12 missing people were found dead", {("dead", 12, ""), ("missing", 0, "")}),
        ("12,000 customers are still without power", {("without power", 12_000, "")}),
        ("los muertos por el sismo en Arequipa, Perú son 4", {("dead", 4, "")}),
    ],
)
def test_a_figure_is_of_those_whom_the_verb_tells_of(text: str, figures: set[tuple[str, float, str]]) -> None:
    found = (
        one for one in facts_of(read(f"{text}."), TIME) if isinstance(one, Quantity) and one.polarity == "asserted"
    )

    assert {(one.attribute, one.low, one.comparison) for one in found if one.attribute != "count"} == figures


@pytest.mark.parametrize(
    "text",
    [
        "12 dead claim denied by fire service",
        "Claim of 12 deaths dismissed by mayor",
        "Police dismiss claims of 12 deaths",
        "Officials reject reports that 12 people died",
        "12 dead in mill fire - DEBUNKED",
        "12 dead in mill fire – hoax",
    ],
)
def test_a_toll_that_is_dismissed_or_labelled_false_behind_is_denied(text: str) -> None:
    tolls = [one for one in facts_of(read(text), TIME) if isinstance(one, Quantity)]
    assert [one.polarity for one in tolls if one.low == 12] == ["denied"]


@pytest.mark.parametrize(
    "text",
    [
        "Judge dismissed the case after 12 deaths",
        "12 dead, mayor dismissed by governor",
        "Police chief dismissed over reports that 12 died",
        "Mayor rejects claims after 12 people died in fire",
        "12 dead in blast - news reports",
        "Fire kills 12 - not fake news",
    ],
)
def test_who_is_dismissed_denies_no_toll(text: str) -> None:
    tolls = [one for one in facts_of(read(text), TIME) if isinstance(one, Quantity)]
    assert [one.polarity for one in tolls if one.low == 12] == ["asserted"]


@pytest.mark.parametrize(
    ("text", "dead"),
    [
        ("Correction: one person, not two, died in the mill fire", 1),
        ("12 people, not 30, are dead", 12),
        ("12 personas, no 30, han muerto", 12),
        ("12 people, not 30, not 40, are dead", 12),
    ],
)
def test_a_figure_that_is_corrected_in_passing_is_no_figure(text: str, dead: int) -> None:
    tolls = [one for one in facts_of(read(text), TIME) if isinstance(one, Quantity)]
    assert [(one.low, one.attribute, one.polarity) for one in tolls] == [(dead, "dead", "asserted")]


def test_a_street_that_has_the_name_of_a_site_tells_nothing_of_it() -> None:
    lemmas = [
        set(read(text).sentences[0].clauses[0].lemmas) for text in ("Airport Road is open", "The airport is open")
    ]
    assert ["airport" in one for one in lemmas] == [False, True]


@pytest.mark.parametrize("text", ["In the crash, no one, police said, was killed.", "No, no one, thank God, died."])
def test_no_one_is_no_figure_that_is_corrected(text: str) -> None:
    assert any(clause.negated for sentence in read(text).sentences for clause in sentence.clauses)
