"""The source class of a report, decided from its publisher's identity by rules of the operator."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, StrictBool, ValidationError

from verifleet.agents.lexicon import shipped
from verifleet.errors import ShapeError

Source = Literal["twitter", "social", "news", "emergency", "official", "sensor", "other"]
_CLASS_OF: dict[str, Source] = {
    name: source for source, names in shipped("ingest/sources.json")["classes"].items() for name in names
}

_HOST = r"((?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.){1,8}[a-z](?:[a-z0-9-]{0,61}[a-z0-9]))"
_ADDRESS = re.compile(rf"https?://{_HOST}(?::\d{{1,5}})?(?:[/?#\\].*)?|(?:[a-z0-9._%+-]++@)?{_HOST}/?", re.DOTALL)

_Folded = Annotated[str, BeforeValidator(lambda name: name.strip().casefold() if isinstance(name, str) else name)]


def source_class(declared: str) -> Source:
    """The class that a declared source means ("tweet" is twitter, "gauge" is sensor); unknown ones are other."""
    return _CLASS_OF.get(declared.strip().casefold()[:40], "other")


class SourceRule(BaseModel):
    """Reports of a publisher that fits get `source`. A publisher fits when any of the conditions holds."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    source: Source
    authors: list[_Folded] = []
    author_pattern: re.Pattern[str] | None = None
    domains: list[_Folded] = []
    declared: list[_Folded] = []

    def fits(self, author: str, hosts: Sequence[str], declared: str) -> bool:
        """Whether a report of this author, with links to these hosts, declared as this source falls under the rule."""
        if declared in self.declared or (author and author in (name.removeprefix("@") for name in self.authors)):
            return True
        if author and self.author_pattern and re.search(self.author_pattern.pattern, author, re.IGNORECASE):
            return True
        domains = [domain.removeprefix("www.") for domain in self.domains]
        return any(f".{host}".endswith(f".{domain}") for host in hosts for domain in domains)


class SourceRules(BaseModel):
    """How the source class is decided: the first rule that fits, else what is declared if that is trusted.

    `untrusted_as` is the class of a report that declares an official one (emergency, official, sensor) without a rule
    that grants it, where declarations are not trusted.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    rules: tuple[SourceRule, ...] = ()
    trust_declared: StrictBool = True
    untrusted_as: Source = "social"

    def decide(self, declared: str, author: str | None, author_domain: str | None = None) -> Source:
        """The source class of a report. Links inside the text don't count: anyone may link to an authority."""
        known = source_class(declared)
        name = (author or "").strip().casefold().removeprefix("@")
        if name.isascii() and not (author or "").isascii():
            name = ""  # folding made an ASCII name of a lookalike
        hosts = [host for host in (host_of(name), host_of(author_domain or "")) if host]
        for rule in self.rules:
            if rule.fits(name, hosts, declared.strip().casefold()):
                return rule.source
        if self.trust_declared or known not in {"emergency", "official", "sensor"}:
            return known
        return self.untrusted_as


TRUSTING = SourceRules()
"""The default: what a publisher declares is believed."""


def read_source_rules(document: Any) -> SourceRules:
    """Rules from their JSON form.

        {"trust_declared": false, "untrusted_as": "social",
         "rules": [{"source": "emergency", "authors": ["@lafd"], "author_pattern": "^fire_", "domains": ["lafd.org"]}]}

    Raises:
        ShapeError: names the field that is wrong.
    """
    try:
        return SourceRules.model_validate(document)
    except ValidationError as error:
        refused = ShapeError.from_validation(error)
        raise ShapeError(f"source rules: {refused.message}", refused.fields) from None


def host_of(address: str) -> str:
    """The host of an http(s) link, of an e-mail address, or a name that is itself a host; "" for anything else.

    Only plain ASCII names count, and nothing is guessed: of what could be read in two ways ("fema.gov@evil.com" in a
    link, "evil.com?.gov") there is no host, since authority may hang on it.
    """
    found = _ADDRESS.fullmatch(address.strip().lower()) if address.isascii() and len(address) <= 2_000 else None
    host = (found[1] or found[2]).removeprefix("www.") if found else ""
    return host if len(host) <= 253 else ""
