"""What a verifier takes and gives: requests, references, options, results, the Verifier protocol.

Pure: no framework, no I/O. The JSON shapes here are the public contract of `/verify`.
"""

from __future__ import annotations

import hashlib
import json
import logging
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated, Any, ClassVar, Literal, Protocol, TypeVar, cast, runtime_checkable

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Discriminator,
    Field,
    Tag,
    ValidationError,
    WithJsonSchema,
    field_validator,
    model_validator,
)

from verifleet.code_references import as_ours
from verifleet.errors import (
    BrokenByContentError,
    FieldProblem,
    SettingsError,
    ShapeError,
    VerifierUnavailableError,
    WorkerTimeoutError,
    nearest_name,
)
from verifleet.messages import prompt_text
from verifleet.references import contradicting, read_reference
from verifleet.template_syntax import check_template
from verifleet.turns import is_bare, own_turn
from verifleet.wire_names import VERIFIER_NAMES as VERIFIER_NAMES
from verifleet.wire_names import FormatName as FormatName
from verifleet.wire_names import VerifierName as VerifierName

logger = logging.getLogger(__name__)
R = TypeVar("R")

Status = Literal["scored", "unknown", "error"]
Verdict = Literal["correct", "partial", "incorrect", "malformed", "unknown", "error"]
ACCEPTED_FROM = 0.5
"""The score from which a response counts as accepted where only yes or no is asked."""
MAX_ANSWERS = 1_000
"""Answers, and aliases, of one reference."""
MAX_KEY_TERMS = 256
MAX_COLUMNS = 10_000
"""Named; a number of columns may be up to MAX_COLUMN_NUMBER."""
MAX_COLUMN_NUMBER = 1_000_000
MAX_PARTS = 256
"""Of one all_of or any_of."""
MAX_CHECKS = 64
"""Instructions, tools or expected calls of one reference."""
MAX_SCHEMA_VALUES = 50_000
"""Values of any kind in a json_schema, itself included."""
Text = str
ReferenceParts = Annotated[list["FormatReference"], Field(min_length=1, max_length=MAX_PARTS)]
MAX_LIMITS = {"cpu_s": 60.0, "wall_s": 240.0, "memory_mb": 2048, "output_kb": 1024}
_KEYS_OF_ONE_FORMAT = {"instructions": ("checks", "loose"), "tool_call": ("tools", "expected", "ordered")}
REFERENCE_ALIASES = ("label", "solution", "ground_truth", "target")
"""What trainers and data sets call the reference."""
_RESPONSE_NAMES = tuple("completion completions solution_str output generated_text text content messages".split())


def _number_as_text(value: object) -> object:
    """Datasets hold answers as JSON numbers too: 42 means "42"."""
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return repr(value)
    return value


def _bounded_schema(schema: object) -> object:
    count, level = 1, [schema]
    while level:
        below: list[object] = []
        for value in level:
            if isinstance(value, (dict, list)):
                count += len(value)
                below.extend(value.values() if isinstance(value, dict) else value)
        if count > MAX_SCHEMA_VALUES:
            raise ValueError(f"has more than {MAX_SCHEMA_VALUES} values, which is the limit")
        level = below
    return schema


def _one_or_many(value: object) -> str:
    return "<many>" if isinstance(value, list) else "<one>"


AnswerText = Annotated[str, BeforeValidator(_number_as_text), WithJsonSchema({"type": ["string", "number"]})]
OneOrMany = Discriminator(_one_or_many)  # names the branch, so that a fault is reported once and on the right path
AnswerList = Annotated[list[AnswerText], Field(max_length=MAX_ANSWERS)]
Answers = Annotated[Annotated[AnswerText, Tag("<one>")] | Annotated[AnswerList, Tag("<many>")], OneOrMany]
Objects = Annotated[list[Annotated[dict[str, Any], BeforeValidator(_bounded_schema)]], Field(max_length=MAX_CHECKS)]


class _Model(BaseModel):
    model_config = ConfigDict(frozen=True, extra="allow", allow_inf_nan=False)


# --- options -----------------------------------------------------------------


def _capped(name: str) -> BeforeValidator:
    def cap(value: object) -> object:
        if isinstance(value, (int, float)) and not isinstance(value, bool) and value > MAX_LIMITS[name]:
            return MAX_LIMITS[name]
        return value

    return BeforeValidator(cap)


class Limits(_Model):
    """What an untrusted program may use; values above the fixed maxima are capped to them."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    cpu_s: Annotated[float, _capped("cpu_s")] = Field(4.0, gt=0, description="CPU seconds for each test")
    wall_s: Annotated[float, _capped("wall_s")] = Field(15.0, gt=0, description="wall seconds for the whole request")
    memory_mb: Annotated[int, _capped("memory_mb")] = Field(256, ge=16, description="memory of one program in MiB")
    output_kb: Annotated[int, _capped("output_kb")] = Field(64, ge=1, description="output of one test in KiB")


class Options(_Model):
    """How to judge. One model for all verifiers; each reads what concerns it."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    partial: bool = Field(False, description="credit for part of the roots, rules or required answers")
    form: Literal["value", "strict"] = Field("value", description="math: does the asked form matter beside the value")
    tolerance: float | None = Field(None, ge=0, description="relative tolerance for numbers; none means exact")
    extract: Literal["whole", "fence", "auto"] = Field("whole", description="format: what part of the response counts")
    format_assertion: bool = Field(False, description="format: JSON Schema formats are asserted")
    all_or_nothing: bool = Field(False, description="code: any failed test scores 0.0")
    whitespace: Literal["trailing", "exact", "any"] = Field(
        "trailing",
        description="code: output white space that is ignored (trailing on each line and at the end, none, all runs)",
    )
    limits: Limits = Field(default_factory=Limits)
    show_output: bool = Field(False, description="code: what a program wrote comes back whole, up to 64 KiB of a test")
    wait_s: float | None = Field(None, ge=0, le=3600, description="code: how long HTTP waits before it answers 202")
    prefilled: Text = Field("", description="text that the trainer put before the response, e.g. <think>")
    second_opinion: Literal["none", "report", "decide"] = Field(
        "none",
        description="math, knowledge: put `incorrect` to a model; report: only in details.second_opinion, decide: what "
        "it accepts is correct",
    )
    judge: Literal["none", "gemini"] = Field(
        "none",
        deprecated=True,
        description="the older name: gemini is second_opinion report, where that is not given, and decides nothing",
    )

    @model_validator(mode="before")
    @classmethod
    def _older_name(cls, given: Any) -> Any:
        if isinstance(given, dict) and given.get("judge") == "gemini" and "second_opinion" not in given:
            return {**given, "second_opinion": "report"}
        return given


DEFAULT_OPTIONS = Options()


# --- references --------------------------------------------------------------


class MathReference(_Model):
    """The expected answer as LaTeX or plain text; of several, any one is right."""

    answer: Answers


class StdinTest(_Model):
    """One test of a program: text for its stdin and the stdout that is expected."""

    input: Text = ""
    output: Text


class FunctionCase(_Model):  # type: ignore[no-redef]  # the pydantic plugin trips over a field named kwargs
    """One call of the entry point; tuples equal lists."""

    args: list[Any] = Field(default_factory=list)
    kwargs: dict[str, Any] = Field(default_factory=dict)
    expected: Any
    or_expected: list[Any] = Field(default_factory=list, description="further values that are right")


def _plain_language(given: Any) -> Any:
    return "cpp" if isinstance(given, str) and given.lower() == "c++" else given


class CodeReference(_Model):
    """How a program is judged: exactly one of tests, entry_point + cases, test_code, or schema + query (SQL).

    `ordered`: whether the order of an SQL result counts; without it, it does where the query itself has an ORDER BY.
    The shapes of APPS, TACO, PRIME, LiveCodeBench, MBPP and HumanEval are taken as they are, see `code_references`.
    """

    language: Annotated[Literal["python", "javascript", "sql", "cpp"], BeforeValidator(_plain_language)] = Field(
        "python", description="of the program; c++ is cpp"
    )
    tests: list[StdinTest] | None = None
    checker: Text | None = Field(
        None,
        description="tests: a Python program that judges an output; its arguments are three files: input, output "
        "of the reference, output of the program",
    )
    setup: Text | None = Field(None, description="tests, cases: Python that stands before the program, such as imports")
    entry_point: Text | None = None
    cases: list[FunctionCase] | None = None
    test_code: Text | None = None
    schema_: Text | None = Field(None, alias="schema")
    query: Text | None = None
    ordered: bool | None = None

    @model_validator(mode="before")
    @classmethod
    def _as_data_sets_have_it(cls, given: Any) -> Any:
        return as_ours(given)

    @model_validator(mode="after")
    def _one_way_to_judge(self) -> CodeReference:
        if self.language == "sql":
            if self.query is None:
                raise ValueError("an SQL reference needs schema and query")
            return self
        given = [name for name in ("tests", "cases", "test_code") if getattr(self, name) is not None]
        if len(given) != 1:
            raise ValueError("give exactly one of tests, entry_point with cases, or test_code")
        if self.language == "cpp" and given == ["test_code"]:
            raise ValueError("a C++ program is judged by tests, or by entry_point with cases")
        if self.checker is not None and given != ["tests"]:
            raise ValueError("a checker needs tests, with the input and the output of each")
        if given == ["cases"] and not self.entry_point:
            raise ValueError("cases need entry_point, the name of the function to call")
        return self


class KnowledgeReference(_Model):
    """The expected answer; a list means that every one of them is required.

    Unknown keys are refused: a misspelt `aliases` would otherwise be none at all.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    answer: Answers
    aliases: AnswerList = Field(default_factory=list)
    key_terms: list[AnswerText] = Field(default_factory=list, max_length=MAX_KEY_TERMS)


class FormatReference(_Model):
    """The format a response must have; `all_of` and `any_of` compose references.

    Unknown keys are refused: a misspelt rule would otherwise be no rule at all.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    format: FormatName | None = None
    json_schema: Annotated[dict[str, Any] | bool, BeforeValidator(_bounded_schema)] | None = None
    columns: (
        Annotated[list[Text], Field(max_length=MAX_COLUMNS)] | Annotated[int, Field(le=MAX_COLUMN_NUMBER)] | None
    ) = Field(None, description="names of the CSV columns in order, or their number")
    header: bool | None = None
    delimiter: Text | None = Field(None, min_length=1, max_length=1)
    root: Text | None = None
    xsd: Text | None = None
    pattern: Text | None = None
    template: Text | None = None
    all_of: ReferenceParts | None = None
    any_of: ReferenceParts | None = None
    weights: list[Annotated[float, Field(ge=0)]] | None = None
    checks: Objects | None = Field(None, description="instructions: [{id, arguments...}] as IFEval and IFBench publish")
    loose: bool | None = Field(
        None, description="instructions may be followed without first line, last line or asterisks"
    )
    tools: Objects | None = Field(None, description="tool_call: functions with JSON Schemas of their parameters")
    expected: Objects | None = Field(None, description="tool_call: [{name, arguments, alternatives?, optional?}]")
    ordered: bool | None = Field(None, description="tool_call: the expected calls must come in their order")

    @model_validator(mode="before")
    @classmethod
    def _as_data_sets_have_it(cls, given: Any) -> Any:
        """`instruction_id_list` with `kwargs`, as data sets carry them, are `checks`."""
        if not isinstance(given, dict) or "instruction_id_list" not in given:
            return given
        rest = {key: value for key, value in given.items() if key not in ("instruction_id_list", "kwargs")}
        if "checks" in given:
            raise ValueError("give checks or instruction_id_list")
        names, arguments = given["instruction_id_list"], given.get("kwargs")
        arguments = [{}] * len(names) if arguments is None and isinstance(names, list) else arguments
        if not isinstance(names, list) or not isinstance(arguments, list) or len(names) != len(arguments):
            raise ValueError("instruction_id_list and kwargs are lists of one length")
        if not all(item is None or isinstance(item, dict) for item in arguments):
            raise ValueError("kwargs is a list of objects, one for each instruction")
        checks = [{**(item or {}), "id": name} for name, item in zip(names, arguments, strict=True)]
        return {"format": "instructions", **rest, "checks": checks}

    @field_validator("template")
    @classmethod
    def _can_be_used(cls, template: str | None) -> str | None:
        if template is not None:
            check_template(template)
        return template

    @model_validator(mode="after")
    def _names_a_format(self) -> FormatReference:
        if self.format == "template" and self.template is None:
            raise ValueError("the format template needs template, the text with its tags")
        if self.format == "instructions" and not self.checks:
            raise ValueError("the format instructions needs checks, a list of {id, arguments}")
        kinds = ("format", "all_of", "any_of", "json_schema", "template", "pattern", "checks", "tools", "expected")
        if all(getattr(self, kind) is None for kind in kinds):
            raise ValueError("give format, json_schema, pattern, template, checks, tools, all_of or any_of")
        for name, keys in _KEYS_OF_ONE_FORMAT.items():
            given = next((key for key in keys if getattr(self, key) is not None), None)
            other = self.format or ("json" if self.json_schema is not None else "template" if self.template else name)
            if given is not None and (other != name or (name == "tool_call" and self.checks is not None)):
                raise ValueError(f"{given} belongs to the format {name}; all_of holds a response to two formats")
        parts = self.all_of or self.any_of
        if self.weights is not None and (parts is None or len(self.weights) != len(parts) or not sum(self.weights)):
            raise ValueError("weights need all_of or any_of, one weight for each part, and not all zero")
        return self


# --- requests ----------------------------------------------------------------


def _prompt_as_text(given: object) -> object:
    """Of a list of messages what the user said last, as trainers hand them over."""
    if not isinstance(given, list):
        return given
    for place, message in enumerate(given):
        content = message.get("content") if isinstance(message, dict) else message
        if not isinstance(message, dict) or not (content is None or isinstance(content, (str, list))):
            raise ValueError(f"give a text, or a list of messages with a content; item {place} is none")
    return prompt_text(given)


Prompt = Annotated[
    str,
    BeforeValidator(_prompt_as_text),
    WithJsonSchema({"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "object"}}]}),
]
"""A text, or a list of messages of a chat."""


class VerificationRequest(_Model):
    """One answer to judge. `request_id` is the caller's own label and is only echoed.

    The typed subclasses below say what `reference` is for each verifier; this base takes
    any JSON there, so that a request can be passed on before its verifier is known.
    """

    request_id: Text | None = None
    prompt: Prompt = ""
    response: Text
    reference: Any = None
    options: Options = DEFAULT_OPTIONS

    def digest(self) -> str:
        """Key for caching and deduplication: a hash of the content, without the caller's label (64 hex digits)."""
        content = self.model_dump(mode="python", exclude={"request_id"}, by_alias=True)
        text = json.dumps(content, sort_keys=True, ensure_ascii=True, separators=(",", ":"), default=str)
        return hashlib.sha256(text.encode("ascii")).hexdigest()


class MathRequest(VerificationRequest):
    """A request to the math verifier; of a list of references any one is right."""

    reference: (
        Annotated[
            Annotated[MathReference, Tag("<one>")]
            | Annotated[list[MathReference], Field(max_length=MAX_ANSWERS), Tag("<many>")],
            OneOrMany,
        ]
        | None
    ) = None


class CodeRequest(VerificationRequest):
    """A request to the code verifier."""

    reference: CodeReference | None = None


class KnowledgeRequest(VerificationRequest):
    """A request to the knowledge verifier."""

    reference: KnowledgeReference | None = None


class FormatRequest(VerificationRequest):
    """A request to the format verifier."""

    reference: FormatReference | None = None


REQUEST_MODELS: dict[VerifierName, type[VerificationRequest]] = {
    "math": MathRequest,
    "code": CodeRequest,
    "knowledge": KnowledgeRequest,
    "format": FormatRequest,
}


REQUEST_FIELDS = frozenset(VerificationRequest.model_fields)
_REFERENCE_MODELS: dict[VerifierName, type[_Model]] = {
    "math": MathReference,
    "code": CodeReference,
    "knowledge": KnowledgeReference,
    "format": FormatReference,
}


def parse_request(verifier: VerifierName, raw: object, prefix: str = "") -> VerificationRequest:
    """Validate decoded JSON as a request to `verifier`; raises ShapeError with field paths.

    Fields that are not known travel along, as in envelopes, unless they must be a slip that would change the verdict:
    a known name misspelt, or a field of the reference or the options beside them. What data sets call the reference
    (`REFERENCE_ALIASES`) is taken for it, read as `references.read_reference` does.
    """
    if not isinstance(raw, dict):
        raise ShapeError(f"a request is a JSON object with prompt and response, not {json_type(raw)}")
    alias = None
    if not raw.keys() <= REQUEST_FIELDS:
        raw, alias = _with_reference(verifier, raw, f"{prefix}." if prefix else "")
        slips = _slips(verifier, raw, f"{prefix}." if prefix else "")
        if slips:
            raise ShapeError.of(slips)
    try:
        return REQUEST_MODELS[verifier].model_validate(raw)
    except ValidationError as error:
        problems = [_hinted(problem, raw) for problem in ShapeError.from_validation(error).fields]
        dotted = f"{prefix}." if prefix else ""
        raise ShapeError.of([_renamed(problem, alias or "reference", dotted) for problem in problems]) from None


def _with_reference(verifier: VerifierName, raw: dict[Any, Any], prefix: str) -> tuple[dict[Any, Any], str | None]:
    """The request with its reference under its own name, and the name that it came under."""
    names = [name for name in ("reference", *REFERENCE_ALIASES) if raw.get(name) is not None]
    differing = contradicting(verifier, {name: raw[name] for name in names})
    if differing:
        told = f"{' and '.join(differing)} differ: send the one that is meant as reference"
        raise ShapeError.at(f"{prefix}reference", told)
    alias = names[0] if names and names[0] != "reference" else None
    if alias is None:
        return raw, None
    try:
        reference = read_reference(verifier, raw[alias])
    except ShapeError as error:
        raise ShapeError.of([_renamed(problem, alias, prefix) for problem in error.fields]) from None
    return {**{name: value for name, value in raw.items() if name != alias}, "reference": reference}, alias


def _hinted(problem: FieldProblem, raw: dict[Any, Any]) -> FieldProblem:
    """What is wrong with a reference, and where it may be a plain value."""
    if problem.path == "reference" and isinstance(raw.get("reference"), (str, int, float, list)):
        return FieldProblem(problem.path, f"{problem.problem}; as label, a plain value is taken too")
    return problem


def _renamed(problem: FieldProblem, alias: str, prefix: str) -> FieldProblem:
    """The problem of a reference under the name that it came under."""
    first, dot, rest = problem.path.partition(".")
    return FieldProblem(f"{prefix}{alias if first == 'reference' else first}{dot}{rest}", problem.problem)


def _slips(verifier: VerifierName, raw: dict[Any, Any], prefix: str) -> list[FieldProblem]:
    fields = _REFERENCE_MODELS[verifier].model_fields
    places = dict.fromkeys(Options.model_fields, "options")
    places |= dict.fromkeys((field.alias or name for name, field in fields.items()), "reference")
    problems = []
    if "response" not in raw:
        there = [name for name in _RESPONSE_NAMES if isinstance(raw.get(name), (str, list))]
        if there:
            problem = f"is required; send what is in {there[0]} as response"
            problems.append(FieldProblem(f"{prefix}response", problem))
    for name in raw.keys() - REQUEST_FIELDS:
        place = places.get(name)
        if place and raw.get(place) is None:
            problems.append(FieldProblem(f"{prefix}{name}", f"is not known here; it belongs into {place}.{name}"))
        elif (near := nearest_name(name, REQUEST_FIELDS)) is not None:
            problems.append(FieldProblem(f"{prefix}{name}", f"is not known here; did you mean {near}?"))
    return sorted(problems, key=lambda problem: problem.path)


def json_type(value: object) -> str:
    """The JSON name of a decoded value's type, for messages."""
    names = {dict: "an object", list: "an array", str: "a string", bool: "a boolean", int: "a number"}
    names |= {float: "a number", type(None): "null"}
    return names.get(type(value), type(value).__name__)


# --- results -----------------------------------------------------------------


class VerificationResult(_Model):
    """The whole answer. `score` is null exactly when `status` is error."""

    request_id: Text | None = None
    verifier: VerifierName
    score: float | None = Field(ge=0.0, le=1.0)
    status: Status
    verdict: Verdict
    reason: Text
    details: dict[str, Any] = Field(default_factory=dict)
    duration_ms: float = 0.0
    verifier_version: str = ""


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a verifier's core decides, before it is stamped with names and times."""

    score: float | None
    verdict: Verdict
    reason: str
    details: dict[str, Any] = field(default_factory=dict)
    status: Status = "scored"

    @classmethod
    def correct(cls, reason: str, **details: Any) -> Judgement:
        """Full score."""
        return cls(1.0, "correct", reason, details)

    @classmethod
    def incorrect(cls, reason: str, **details: Any) -> Judgement:
        """A well-formed answer that is wrong: 0.0."""
        return cls(0.0, "incorrect", reason, details)

    @classmethod
    def malformed(cls, reason: str, **details: Any) -> Judgement:
        """A response (or reference) that can't be read as an answer: 0.0."""
        return cls(0.0, "malformed", reason, details)

    @classmethod
    def unusable_reference(cls, reason: str, rule: str) -> Judgement:
        """A reference that no response can be judged by: 0.0, and `details.fault.in` tells whose fault it is."""
        return cls.malformed(reason, fault={"rule": rule, "in": "reference"})

    @classmethod
    def partial(cls, score: float, reason: str, **details: Any) -> Judgement:
        """Graded credit; 1.0 and 0.0 become correct and incorrect."""
        verdict: Verdict = "correct" if score >= 1.0 else "incorrect" if score <= 0.0 else "partial"
        return cls(min(1.0, max(0.0, score)), verdict, reason, details)

    @classmethod
    def unknown(cls, reason: str, score: float = 0.0, **details: Any) -> Judgement:
        """The verifier can't tell."""
        return cls(score, "unknown", reason, details, "unknown")

    @classmethod
    def error(cls, reason: str, **details: Any) -> Judgement:
        """A fault of ours: no score at all."""
        return cls(None, "error", reason, details, "error")


EMPTY_ANSWER = Judgement.unusable_reference("The reference's answer is empty: no response could be right.", "answer")


@runtime_checkable
class Verifier(Protocol):
    """What every verifier can do."""

    @property
    def name(self) -> VerifierName:
        """Which of the four this is."""
        ...

    def verify(self, prompt: str, response: str) -> float:
        """Score in 0..1; raises VerifierUnavailableError for a fault of ours."""
        ...

    def check(self, request: VerificationRequest) -> VerificationResult:
        """The whole answer; never raises."""
        ...

    def check_batch(
        self, requests: Sequence[VerificationRequest], deadline: float | None = None
    ) -> list[VerificationResult]:
        """Judge many, in order; `deadline` is on time.monotonic()'s scale, what it cuts off is an error result."""
        ...


class WorkerPool(Protocol):
    """Killable processes for work that may never end. Safe to call from many threads."""

    def call(self, function: Callable[..., R], /, *args: Any, cpu_s: float = 1.0) -> R:
        """Run a module-level function on picklable arguments in a worker process and return what it returns.

        The limit counts the call's own CPU time (wall time only as a backstop); waiting in the queue is free.

        Raises:
            WorkerTimeoutError: the call used up its time; its process was killed and replaced.
            WorkerLostError: the process died (memory limit, crash) or none could be started.
        """
        ...


def _text_of(reference: BaseModel | None) -> str:
    """All that a reference says, its own characters unescaped."""
    return "" if reference is None else json.dumps(reference.model_dump(), ensure_ascii=False, default=str)


class BaseVerifier(ABC):
    """Turns a core's `judge` into the Verifier protocol: never raises, stamps, judges equal content once."""

    name: ClassVar[VerifierName]
    version: ClassVar[str] = "1"

    def __init_subclass__(cls, **of_type: Any) -> None:
        """Raises SettingsError for a name that is none of the four."""
        super().__init_subclass__(**of_type)
        name = cls.__dict__.get("name", VERIFIER_NAMES[0])
        if name not in VERIFIER_NAMES:
            raise SettingsError(
                f"{cls.__name__}.name is {name!r}: it says how references are read, so it is one of "
                f"{', '.join(VERIFIER_NAMES)}"
            )

    @abstractmethod
    def judge(self, request: Any) -> Judgement:
        """Judge a request of this verifier's own request model. May raise VerifierUnavailableError."""

    def verify(self, prompt: str, response: str) -> float:
        """Score in 0..1; raises VerifierUnavailableError for a fault of ours."""
        result = self.check(VerificationRequest(prompt=prompt, response=response))
        if result.score is None:
            raise VerifierUnavailableError(result.reason)
        return result.score

    def check(self, request: VerificationRequest) -> VerificationResult:
        """The whole answer; never raises."""
        started = time.perf_counter()
        return self.stamp(request, self._judged(request), started)

    def judge_turn(self, request: VerificationRequest) -> Judgement:
        """Judge the model's own turn: every verifier sees a response without the tokens of its chat format."""
        prefilled, response, reference = request.options.prefilled, request.response, request.reference
        if is_bare(prefilled, response):
            return self._said(request)
        # Programs that handle such tokens are tested with them; what is to be said is never a test.
        held = str if isinstance(reference, CodeReference) else lambda: _text_of(reference)
        start, end = own_turn(prefilled, response, held)
        size = len(prefilled)
        if start == 0 and end == size + len(response):
            return self._said(request)
        lead = max(0, start - size)
        update: dict[str, Any] = {"response": response[lead : max(lead, end - size)]}
        if start and prefilled:
            update["options"] = request.options.model_copy(update={"prefilled": prefilled[start:]})
        return _moved(self._said(request.model_copy(update=update)), response[:lead])

    def _said(self, request: VerificationRequest) -> Judgement:
        said: object = self.judge(request)
        if not isinstance(said, Judgement):
            raise VerifierUnavailableError(f"{type(self).__name__}.judge returned {said!r:.100}, which is no Judgement")
        return said

    def check_batch(
        self, requests: Sequence[VerificationRequest], deadline: float | None = None
    ) -> list[VerificationResult]:
        """Judge many, in order; equal content once; what the deadline cuts off is an error result."""
        seen: dict[str, VerificationResult] = {}
        results = []
        for request in requests:
            digest = request.digest()
            result = seen.get(digest)
            if result is None:
                if deadline is not None and time.monotonic() >= deadline:
                    result = self.stamp(request, DEADLINE_MISSED)
                else:
                    result = seen[digest] = self.check(request)
            results.append(result.model_copy(update={"request_id": request.request_id}))
        return results

    def stamp(
        self, request: VerificationRequest, judgement: Judgement, started: float | None = None
    ) -> VerificationResult:
        """Make the result of a judgement; `started` is on time.perf_counter()'s scale."""
        duration_ms = 0.0 if started is None else (time.perf_counter() - started) * 1000.0
        return stamped(self.name, self.version, request.request_id, judgement, duration_ms)

    def _judged(self, request: VerificationRequest) -> Judgement:
        model = REQUEST_MODELS[self.name]
        try:
            if not isinstance(request, model):
                request = parse_request(self.name, dict(request))
            return self.judge_turn(request)
        except ShapeError as error:
            problems = error.as_json()["fields"]
            return Judgement.malformed(f"The request can't be judged: {error.message}", fields=problems)
        except WorkerTimeoutError as error:
            return Judgement.unknown(f"The comparison took too long and was stopped: {error}")
        except VerifierUnavailableError as error:
            return Judgement.error(str(error))
        except (RecursionError, MemoryError, BrokenByContentError):
            return Judgement.unknown("The comparison went too deep or grew too large, and was stopped.")
        except (Exception, SystemExit):
            # The protocol promises a result for every input; what is left here is a defect of ours, logged as one.
            logger.exception("verifier %s failed", self.name)
            return Judgement.error("The verifier failed on this request through a fault of its own.")


def _moved(judgement: Judgement, lead: str) -> Judgement:
    """The judgement of a response that `lead` was cut off from, with its places in the whole one."""
    if not lead:
        return judgement
    details = dict(judgement.details)
    span, fault = details.get("span"), details.get("fault")
    if span is not None:
        details["span"] = [len(lead) + place for place in span]
    if isinstance(fault, dict) and "offset" in fault:
        fault = fault | {"offset": len(lead) + fault["offset"]}
        if "line" in fault:
            if fault["line"] == 1:
                fault["column"] += len(lead) - max(lead.rfind("\n"), lead.rfind("\r")) - 1
            fault["line"] += lead.count("\n") + lead.count("\r") - lead.count("\r\n")
        details["fault"] = fault
    return replace(judgement, details=details)


def stamped(
    name: VerifierName, version: str, request_id: str | None, judgement: Judgement, duration_ms: float
) -> VerificationResult:
    """The result of a judgement."""
    return _unvalidated(
        request_id=request_id,
        verifier=name,
        score=judgement.score,
        status=judgement.status,
        verdict=judgement.verdict,
        reason=judgement.reason,
        details=dict(judgement.details),
        duration_ms=round(duration_ms, 3),
        verifier_version=version,
    )


def _unvalidated(**fields: Any) -> VerificationResult:
    """A result from all its fields, which are our own: validating them costs as much as a small verdict."""
    result = object.__new__(VerificationResult)
    assign = object.__setattr__
    assign(result, "__dict__", fields)
    assign(result, "__pydantic_fields_set__", set(fields))
    assign(result, "__pydantic_extra__", {})
    assign(result, "__pydantic_private__", None)
    return result


def unusable_reference(result: VerificationResult) -> bool:
    """Whether a result is malformed through its reference, whatever the response is: no score to train on."""
    fault = result.details.get("fault")
    return result.verdict == "malformed" and isinstance(fault, dict) and fault.get("in") == "reference"


DEADLINE_MISSED = Judgement.error("The deadline passed before this request was reached.")


def summarize(results: Sequence[VerificationResult], slowest: int = 5) -> dict[str, Any]:
    """The `summary` of a batch: counts by status and verdict, ids of the slowest (index where there is no id)."""
    counts: dict[str, dict[str, int]] = {"status": {}, "verdict": {}}
    for result in results:
        for group in ("status", "verdict"):
            value = cast(str, getattr(result, group))
            counts[group][value] = counts[group].get(value, 0) + 1
    order = sorted(range(len(results)), key=lambda i: -results[i].duration_ms)[:slowest]
    labels = [{"index": i, "request_id": results[i].request_id, "duration_ms": results[i].duration_ms} for i in order]
    return {"count": len(results), **counts, "slowest": labels}
