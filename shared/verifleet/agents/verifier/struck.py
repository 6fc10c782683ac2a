"""What was struck: whether a claim of what befell one kind of site is told of another, as a strike on a hospital.

That both count six dead bears out the six, not that it was the hospital.
"""

from __future__ import annotations

from functools import lru_cache

from verifleet.agents.caseless import caseless
from verifleet.agents.verifier.memory import Report, Statement

_SITES = (
    ("hospital", r"hospitals?|clinic|maternity ward"),
    ("school", r"schools?|kindergarten|nursery|university|college"),
    ("shops", r"(?:shopping )?(?:mall|cent(?:re|er))|supermarket|market|bazaar|shops?|stores?"),
    ("worship", r"church|mosque|temple|cathedral|synagogue"),
    ("hotel", r"hotel|hostel"),
    ("stage", r"theat(?:re|er)|cinema|concert hall|nightclub"),
    ("travel", r"(?:railway |train |bus |metro )?station|airport|port"),
    ("prison", r"prison|jail"),
    (
        "homes",
        r"(?:residential|apartment|tower|housing) (?:\w+ )?(?:block|building|tower|area|estate)s?|flats|houses?|homes?",
    ),
    ("works", r"factory|refinery|warehouse|depot|(?:power|chemical) plant"),
    ("bridge", r"bridge|overpass|viaduct"),
    ("dam", r"dam|levee"),
)
_SITE_NAMED = caseless(r"\b(?:" + "|".join(f"(?P<{kind}>{said})" for kind, said in _SITES) + r")\b")
_BEFELL = caseless(
    r" (?:(?:was|is|has been|have been|being|completely|totally|just|now|got) ){0,3}"
    r"(?:destroyed|hit|struck|bombed|shelled|collapse[sd]?|collapsing|attacked|level+ed|flattened|blown up|bombing"
    r"|on fire|ablaze|explosion|exploded|strike|shooting|fire|collapse)\b",
)


def of_another_site(claim: Statement, other: Report) -> bool:
    """Whether a claim tells what befell one kind of site, and a report that names other kinds never names that one."""
    mine, struck = _sites_in(claim.text)
    if not struck:
        return False
    named = {site for told in other.statements for site in _sites_in(told.text)[0]}
    return bool(named) and named.isdisjoint(mine)


@lru_cache(maxsize=2048)
def _sites_in(text: str) -> tuple[frozenset[str | None], bool]:
    """The kinds of site that a text names, and whether something befell one of them."""
    named = list(_SITE_NAMED.finditer(text))
    return frozenset(m.lastgroup for m in named), any(_BEFELL.match(text, m.end()) for m in named)
