"""Gemini reinforcement tuning's Cloud Run contract, on a verifier.

In: `{"example": {"contents": [{"role", "parts": [{"text"}]}], "references": {name: text}}, "response": {"parts":
[{"text"}]}, "metadata": {...}}`. Out: `{"reward": float, "user_requested_aux_info": text}`.
Documented by google-genai's `types.ReinforcementTuningCloudRunRewardScorer`, whose models read and write the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from verifleet.errors import FieldProblem, ShapeError
from verifleet.serving import strict_json

if TYPE_CHECKING:
    from verifleet.verification import VerificationRequest, VerificationResult, VerifierName

CODE_WAIT_S = 280.0
"""Google gives a call five minutes."""

_TEXT_FIELDS = frozenset(
    {"language", "entry_point", "test_code", "schema", "query"}
    | {"format", "delimiter", "root", "xsd", "pattern", "template"}
)
_LIST_FIELDS = frozenset({"aliases", "key_terms"})
_PLAIN_FIELD = {"math": "answer", "knowledge": "answer", "format": "format", "code": "test_code"}
"""What a reference that is plain text is to each verifier."""


def reward_request(name: VerifierName, raw: Any) -> VerificationRequest:
    """The verification request in a reward call; raises ShapeError."""
    from verifleet.verification import parse_request

    if not isinstance(raw, dict):
        raise ShapeError("a reward call is a JSON object with example and response")
    example = _object(raw, "example", "example")
    references = _references(example)
    options = _json_or_text(references.pop("options", "{}"))
    if name == "code" and isinstance(options, dict):
        options = {"wait_s": CODE_WAIT_S, **options}
    request = {
        "prompt": _prompt(example),
        "response": _response(raw),
        "options": options,
        "reference": _reference(name, references),
    }
    try:
        return parse_request(name, request)
    except ShapeError as error:
        raise _relocated(error) from None


def reward_answer(result: VerificationResult) -> dict[str, Any]:
    """What a scored result answers: the score, and why."""
    return {"reward": result.score, "user_requested_aux_info": f"{result.verdict}: {result.reason}"}


def _prompt(example: dict[str, Any]) -> str:
    contents = example.get("contents")
    if contents is None:
        return ""
    if not isinstance(contents, list):
        raise ShapeError.at("example.contents", "give a list of contents")
    texts = [_text_of(content, f"example.contents.{index}") for index, content in enumerate(contents)]
    return "\n\n".join(text for text in texts if text)


def _response(raw: dict[str, Any]) -> str:
    if "response" not in raw:
        raise ShapeError.at("response", "is required")
    return _text_of(raw["response"], "response")


def _text_of(content: Any, path: str) -> str:
    """The text of a content's parts; the model's thoughts are not part of what it says."""
    if not isinstance(content, dict):
        raise ShapeError.at(path, "give an object with parts")
    parts = content.get("parts")
    if parts is None:
        return ""
    if not isinstance(parts, list):
        raise ShapeError.at(f"{path}.parts", "give a list of parts")
    texts = []
    for index, part in enumerate(parts):
        if not isinstance(part, dict) or not isinstance(part.get("text") or "", str):
            raise ShapeError.at(f"{path}.parts.{index}", "give an object with text")
        if not part.get("thought"):
            texts.append(part.get("text") or "")
    return "".join(texts)


def _references(example: dict[str, Any]) -> dict[str, str]:
    given = example.get("references")
    if given is None:
        return {}
    if not isinstance(given, dict):
        raise ShapeError.at("example.references", "give an object of texts")
    for name, value in given.items():
        if not isinstance(value, str):
            raise ShapeError.at(f"example.references.{name}", "give a text; JSON may be written in it")
    return dict(given)


def _reference(verifier: VerifierName, references: dict[str, str]) -> Any:
    if "reference" not in references:
        return {name: _field(name, text) for name, text in references.items()} or None
    text = references["reference"]
    value = _json_or_text(text)
    if isinstance(value, dict) or (isinstance(value, list) and value and all(isinstance(v, dict) for v in value)):
        return value
    return {_PLAIN_FIELD[verifier]: _field(_PLAIN_FIELD[verifier], text)}


def _field(name: str, text: str) -> Any:
    """What a reference's field means: the values of a data set are all texts, those of a reference are not."""
    if name in _TEXT_FIELDS:
        return text
    value = _json_or_text(text)
    if name == "answer":
        # "1.50", "true" and "[1, 2]" are answers as they stand; only a list of texts must be meant as JSON.
        return value if isinstance(value, list) and value and all(isinstance(v, str) for v in value) else text
    return [text] if name in _LIST_FIELDS and not isinstance(value, list) else value


def _json_or_text(text: str) -> Any:
    try:
        return strict_json.loads(text.encode("utf-8"))
    except (ShapeError, UnicodeEncodeError):
        return text


def _object(raw: dict[str, Any], name: str, path: str) -> dict[str, Any]:
    value = raw.get(name)
    if not isinstance(value, dict):
        raise ShapeError.at(path, "is required" if value is None else "give an object")
    return value


def _relocated(error: ShapeError) -> ShapeError:
    """The same error on the paths of what the caller sent."""
    fields = [
        FieldProblem(f"example.references.{problem.path.removeprefix('reference.')}", problem.problem)
        for problem in error.fields
    ]
    return ShapeError(error.message, fields)
