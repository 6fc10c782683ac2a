"""What a trainer is told where there is no score."""

from __future__ import annotations

import logging
import threading
import uuid
from collections import OrderedDict, deque
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Literal

from verifleet.errors import VerifierUnavailableError
from verifleet.verification import VerificationResult

logger = logging.getLogger("verifleet.rewards")

OnError = Literal["none", "raise", "zero", "mean"]
LATELY: Final = 256
"""Scores that stand for the usual one, where a call holds a single row."""
KEPT: Final = 256
"""Rewards whose scores of late one process remembers."""
_lock = threading.Lock()

_kept: OrderedDict[str, Settling] = OrderedDict()


@dataclass(frozen=True, slots=True)
class Scored:
    """What came of a row.

    `score` is what the trainer is told: None for a row that abstains, and for a fault where `on_error` is `none`.
    `result` is the verdict behind it; None where the row abstained before it was judged. `gated`: a gate gave it.
    """

    score: float | None
    result: VerificationResult | None
    fault: bool = False
    gated: bool = False

    @property
    def value(self) -> float:
        """The score, where the trainer takes no None: each row has one there."""
        assert self.score is not None
        return self.score

    @property
    def verdict(self) -> str:
        """The verifier's, or `none` where the row abstained."""
        return "none" if self.result is None else self.result.verdict

    @property
    def reason(self) -> str:
        """Why."""
        return "There is no reference for this verifier." if self.result is None else self.result.reason


def shares(rows: Sequence[Scored]) -> dict[str, float]:
    """Of the rows of a call: faults, malformed, unknown and abstaining ones, and the time of the slowest in ms."""
    count = max(1, len(rows))
    verdicts = [row.verdict for row in rows]
    told = {name: verdicts.count(name) / count for name in ("malformed", "unknown")} | {
        "abstained": verdicts.count("none") / count
    }
    slowest = max((row.result.duration_ms for row in rows if row.result is not None), default=0.0)
    return {"faults": sum(row.fault for row in rows) / count, **told, "slowest_ms": slowest}


class Settling:
    """Puts what `on_error` says in the place of each fault.

    What was judged lately is the process's: a reward that comes out of a pickle for each call remembers it.
    """

    def __init__(self, name: str | None = None) -> None:
        self.name = name or uuid.uuid4().hex
        self._lately: deque[float] = deque(maxlen=LATELY)
        with _lock:
            _kept[self.name] = self
            while len(_kept) > KEPT:
                _kept.popitem(last=False)

    def __reduce__(self) -> tuple[Any, ...]:
        return _settling, (self.name,)

    @property
    def worked(self) -> bool:
        """Whether anything was judged yet."""
        return bool(self._lately)

    def is_dead(self, rows: Sequence[Scored]) -> bool:
        """Whether faults are all that ever came of what was judged: a mistake of the set-up, and no bad moment."""
        return any(row.fault for row in rows) and not self.worked and not _judged(rows)

    def settle(
        self,
        rows: Sequence[Scored],
        groups: Sequence[Hashable],
        on_error: OnError,
        *,
        left_out: bool,
        marked: bool = False,
    ) -> list[Scored]:
        """The rows as the trainer is told; raises VerifierUnavailableError.

        Args:
            rows: what came of each.
            groups: tells which have one prompt.
            on_error: what a fault is.
            left_out: the trainer leaves a group that has no score at all out of its baseline: it needs no mean.
            marked: it is told of each fault beside the score, so that even one from the start is no silent one.
        """
        faults = [row for row in rows if row.fault]
        judged = [row.score for row in rows if row.score is not None]
        if faults:
            logger.warning(
                "%d of %d rewards could not be judged (on_error=%s): %s",
                len(faults),
                len(rows),
                on_error,
                faults[0].reason,
            )
            if on_error == "raise":
                raise VerifierUnavailableError(faults[0].reason)
            if self.is_dead(rows) and not marked:
                raise VerifierUnavailableError(f"nothing could be judged yet, from the start on: {faults[0].reason}")
        settled = list(rows)
        if faults and on_error != "none":
            of_group: dict[Hashable, list[float]] = {}
            for row, group in zip(rows, groups, strict=True):
                if row.score is not None:
                    of_group.setdefault(group, []).append(row.score)
            for place, (row, group) in enumerate(zip(rows, groups, strict=True)):
                if row.fault and on_error == "zero":
                    settled[place] = replace(row, score=0.0)
                elif row.fault and (group in of_group or not left_out):
                    settled[place] = replace(row, score=self._mean(of_group.get(group, []), judged))
        self._lately.extend(_judged(rows)[-LATELY:])
        return settled

    def _mean(self, of_group: Sequence[float], judged: Sequence[float]) -> float | None:
        for scores in (of_group, judged, list(self._lately)):
            if scores:
                return sum(scores) / len(scores)
        return None


def _settling(name: str) -> Settling:
    with _lock:
        kept = _kept.get(name)
        if kept is not None:
            _kept.move_to_end(name)
    return kept or Settling(name)


def _judged(rows: Sequence[Scored]) -> list[float]:
    """The scores that a judge gave, not a gate before it."""
    return [row.score for row in rows if row.score is not None and not row.gated]
