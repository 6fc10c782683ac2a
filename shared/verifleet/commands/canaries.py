"""`verifleet canaries`: labelled answers through deployed verifiers; what is logged feeds the false-positive metric."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from verifleet.client import NO_ANSWER, VerifierClient
from verifleet.errors import SettingsError, ShapeError, TransientError
from verifleet.local.samples import load
from verifleet.verification import ACCEPTED_FROM, VERIFIER_NAMES, VerificationResult, VerifierName

ATTEMPTS = 2


@dataclass(frozen=True, slots=True)
class CanaryOutcome:
    """What one verifier did with its canaries."""

    verifier: str
    rows: int
    wrong: int
    accepted_wrong: int
    refused_right: int
    errors: int

    @property
    def false_positive_share(self) -> float:
        """Wrong answers that were accepted, of all wrong answers."""
        return self.accepted_wrong / self.wrong if self.wrong else 0.0

    def log_line(self) -> str:
        """One JSON object in Cloud Logging's shape."""
        healthy = not (self.accepted_wrong or self.refused_right or self.errors)
        figures = {
            "verifier": self.verifier,
            "rows": self.rows,
            "false_positive_share": self.false_positive_share,
            "refused_right": self.refused_right,
            "errors": self.errors,
        }
        severity = "INFO" if healthy else "ERROR"
        return json.dumps({"severity": severity, "message": f"canaries of {self.verifier}", "canaries": figures})


def read_targets(pairs: list[str], option: str = "--verifier") -> dict[VerifierName, str]:
    """`math=https://...` pairs as a mapping; raises SettingsError for anything else."""
    targets: dict[VerifierName, str] = {}
    for pair in pairs:
        name, _, url = pair.partition("=")
        if name not in VERIFIER_NAMES or not url.startswith(("http://", "https://")):
            raise SettingsError(f"{option} {pair!r}: use NAME=URL with NAME one of {', '.join(VERIFIER_NAMES)}")
        targets[name] = url.rstrip("/")
    return targets


def run_canaries(verifier: VerifierName, url: str) -> CanaryOutcome:
    """Send a verifier its canaries; raises TransientError when it can't be reached."""
    rows = [row for row in load("requests") if row["verifier"] == verifier]
    with VerifierClient(url, verifier=verifier, auth="google", attempts=ATTEMPTS) as client:
        try:
            results = client.verify_batch([row["request"] for row in rows])
        except ShapeError as error:
            raise SettingsError(f"{url} is not a {verifier} verifier; check --verifier {verifier}=URL") from error
    silent = [result for result in results if result.details == NO_ANSWER]
    if silent:
        raise TransientError(f"{verifier} at {url} did not answer: {silent[0].reason}")
    return _outcome(verifier, rows, results)


def _outcome(verifier: str, rows: list[dict[str, Any]], results: list[VerificationResult]) -> CanaryOutcome:
    wrong = accepted_wrong = refused_right = errors = 0
    for row, result in zip(rows, results, strict=True):
        right, score = row["expect"]["score"] >= ACCEPTED_FROM, result.score
        wrong += not right
        if score is None:
            errors += 1
        elif score >= ACCEPTED_FROM and not right:
            accepted_wrong += 1
        elif score < ACCEPTED_FROM and right:
            refused_right += 1
    return CanaryOutcome(verifier, len(rows), wrong, accepted_wrong, refused_right, errors)
