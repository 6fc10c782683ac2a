"""Whether a reference can be used at all, whatever the response is: a wrong one is no fault of the response."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Final

from verifleet.verification import FormatReference
from verifleet.verifiers.format.constraints import compile_pattern, compile_schema
from verifleet.verifiers.format.fault import Fault
from verifleet.verifiers.format.guarded import MeteredWorkers, in_worker
from verifleet.verifiers.format.json_schema import is_plain

_SEEN: Final = 1_024  # rules that are remembered
_RULES: Final = frozenset(("json_schema", "xsd", "pattern", "all_of", "any_of"))


class ReferenceCheck:
    """Compiles each rule of a reference once. Safe to share between threads."""

    def __init__(self) -> None:
        self._seen: dict[tuple[str, str, bool], str | None] = {}

    def fault(self, reference: FormatReference, format_assertion: bool, workers: MeteredWorkers) -> Fault | None:
        """The first rule of a reference or its parts that can't be used; None where that does not come out in time."""
        if _RULES.isdisjoint(reference.__pydantic_fields_set__):
            return None
        problem = None
        rule = ""
        if reference.json_schema is not None:
            rule = "json_schema"
            try:
                text = json.dumps(reference.json_schema)
            except RecursionError:
                return Fault(rule, "The JSON Schema is nested too deeply.", kind="reference")
            problem = self._problem((rule, text, format_assertion), compile_schema, workers, is_plain(text, 0))
        if problem is None and reference.xsd is not None:
            from verifleet.verifiers.format.xml_text import compile_xsd

            rule = "xsd"
            problem = self._problem((rule, reference.xsd, False), compile_xsd, workers, plain=False)
        if problem is None and reference.pattern is not None:
            rule = "pattern"
            plain = is_plain(json.dumps({"pattern": reference.pattern}), 0)
            problem = self._problem((rule, reference.pattern, False), compile_pattern, workers, plain)
        if problem is not None:
            return Fault(rule, problem, kind="reference")
        for part in (*(reference.all_of or ()), *(reference.any_of or ())):
            if (fault := self.fault(part, format_assertion, workers)) is not None:
                return fault
        return None

    def _problem(
        self,
        key: tuple[str, str, bool],
        compiled: Callable[[str, bool], str | None],
        workers: MeteredWorkers,
        plain: bool,
    ) -> str | None:
        if key in self._seen:
            return self._seen[key]
        if workers.exhausted:
            return None
        _, text, format_assertion = key
        outcome = compiled(text, format_assertion) if plain else in_worker(workers, compiled, text, format_assertion)
        if isinstance(outcome, Fault):
            return None  # undecided: not remembered
        if len(self._seen) >= _SEEN:
            self._seen.clear()
        self._seen[key] = outcome
        return outcome
