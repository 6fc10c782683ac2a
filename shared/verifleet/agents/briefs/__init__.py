"""Briefs: what the verified facts of an incident come to. No report's text is read here, only facts and labels."""

from verifleet.agents.briefs.brief import (
    counted,
    outline,
    render,
    revised,
    revisions_by,
    similar_incidents,
    with_incident,
)
from verifleet.agents.briefs.state import (
    State,
    emptied,
    given,
    given_mark,
    needed,
    new,
    read,
    taken,
    untold,
    with_event,
)
from verifleet.agents.briefs.words import rests_on, shorten

__all__ = [
    "State",
    "counted",
    "emptied",
    "given",
    "given_mark",
    "needed",
    "new",
    "outline",
    "read",
    "render",
    "rests_on",
    "revised",
    "revisions_by",
    "shorten",
    "similar_incidents",
    "taken",
    "untold",
    "with_event",
    "with_incident",
]
