"""Judging one request from the command line: in this process, or by a running verifier."""

from __future__ import annotations

import json
from typing import Any, cast

from verifleet.errors import ShapeError, TransientError
from verifleet.references import read_reference as plain_reference
from verifleet.rewards.second_opinion import SecondOpinion
from verifleet.second_opinion import ASKED_OF, Model
from verifleet.verification import Verifier, VerifierName, parse_request


def make_verifier(kind: str) -> Verifier:
    """A verifier in this process, knowledge with its base, which may ask for second opinions; raises SettingsError."""
    verifier = _plain_verifier(kind)
    if verifier.name not in ASKED_OF:
        return verifier
    return SecondOpinion(verifier, _configured)


def _configured() -> Model | None:
    from verifleet.serving.asking import GeminiPart
    from verifleet.serving.opinions import model_of
    from verifleet.settings import settings

    return model_of(settings(), GeminiPart(settings()).make)


def _plain_verifier(kind: str) -> Verifier:
    from verifleet.settings import settings

    if kind == "code":
        from verifleet.jobs.isolation import sandbox_of
        from verifleet.verifiers.code import CodeVerifier

        return CodeVerifier(sandbox_of(settings()))
    if kind != "knowledge":
        from verifleet.rewards import make_verifier as plain

        return plain(kind)
    from verifleet.knowledge_base import open_knowledge_base
    from verifleet.verifiers.knowledge import KnowledgeVerifier

    return KnowledgeVerifier(open_knowledge_base(settings().knowledge_base))


def read_reference(kind: str, text: str) -> Any:
    """A reference from the command line: JSON objects and lists as they are, plain text by the verifier's habit.

    Raises:
        ShapeError: text that is meant as JSON and is none; judged as plain text, it would refuse every answer.
    """
    if kind == "code":
        try:
            return json.loads(text)
        except (ValueError, RecursionError) as error:
            raise ShapeError(f"--reference is not JSON: {error}") from None
    try:
        return plain_reference(cast("VerifierName", kind), text)
    except ShapeError as error:
        raise ShapeError(f"--{error.message.replace(':', '', 1)}") from None


def judge_here(kind: str, request: dict[str, Any]) -> dict[str, Any]:
    """Judge in this process; raises ShapeError for a request of the wrong shape."""
    verifier = make_verifier(kind)
    name: VerifierName = verifier.name
    return verifier.check(parse_request(name, request)).model_dump(mode="python")


def judge_there(kind: str, url: str, request: dict[str, Any]) -> dict[str, Any]:
    """Judge by the verifier that serves `url`; raises TransientError when it can't be reached, SettingsError."""
    from verifleet.client import VerifierClient

    with VerifierClient(url, verifier=kind, attempts=1) as client:
        try:
            return client.verify_json(request)
        except TransientError as error:
            raise TransientError(f"{error}; is the fleet up? (verifleet up)") from None
