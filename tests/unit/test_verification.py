import time
from typing import Any, ClassVar

import pytest

from verifleet.errors import SettingsError, ShapeError, VerifierUnavailableError, WorkerTimeoutError
from verifleet.verification import (
    BaseVerifier,
    Judgement,
    MathRequest,
    VerificationRequest,
    Verifier,
    VerifierName,
    parse_request,
    summarize,
)


class EchoVerifier(BaseVerifier):
    name: ClassVar[VerifierName] = "math"

    def __init__(self, fault: Exception | None = None) -> None:
        self.fault = fault
        self.judged = 0

    def judge(self, request: MathRequest) -> Judgement:
        self.judged += 1
        if self.fault:
            raise self.fault
        return Judgement.correct("fine")


def request(**fields: Any) -> VerificationRequest:
    return VerificationRequest(**({"prompt": "p", "response": "r"} | fields))


def test_a_base_verifier_is_a_verifier() -> None:
    assert isinstance(EchoVerifier(), Verifier)


@pytest.mark.parametrize(
    ("fault", "status", "score"),
    [
        (WorkerTimeoutError("1 s"), "unknown", 0.0),
        (VerifierUnavailableError("no isolation"), "error", None),
        (RuntimeError("a defect"), "error", None),
        (RecursionError(), "unknown", 0.0),
    ],
)
def test_check_never_raises_and_our_faults_are_never_a_score(fault: Exception, status: str, score: float) -> None:
    result = EchoVerifier(fault).check(request())
    assert (result.status, result.score) == (status, score)


def test_verify_raises_for_a_fault_of_ours() -> None:
    with pytest.raises(VerifierUnavailableError):
        EchoVerifier(RuntimeError()).verify("p", "r")


def test_a_reference_of_the_wrong_shape_is_malformed() -> None:
    result = EchoVerifier().check(request(reference={"anwser": "4"}))
    assert (result.score, result.verdict) == (0.0, "malformed")
    assert result.details["fields"][0]["path"] == "reference.answer"


def test_a_batch_keeps_order_and_labels_and_judges_equal_content_once() -> None:
    verifier = EchoVerifier()
    results = verifier.check_batch([request(request_id="a"), request(request_id="b"), request(response="other")])
    assert [result.request_id for result in results] == ["a", "b", None]
    assert verifier.judged == 2


def test_what_a_deadline_cuts_off_is_an_error_without_a_score() -> None:
    results = EchoVerifier().check_batch([request()], deadline=time.monotonic() - 1)
    assert (results[0].status, results[0].score) == ("error", None)
    assert summarize(results)["status"] == {"error": 1}


def test_numbers_are_taken_as_answers_and_limits_are_capped() -> None:
    parsed = parse_request("math", {"response": "4", "reference": {"answer": 4}, "options": {"limits": {"cpu_s": 1e9}}})
    assert parsed.reference.answer == "4"
    assert parsed.options.limits.cpu_s == 60.0


@pytest.mark.parametrize(
    ("raw", "path"),
    [
        ({"response": 4}, "response"),
        ({"response": "4", "options": {"tolerence": 1}}, "options.tolerence"),
        ({"response": "4", "reference": [{"answer": {}}]}, "reference.0.answer"),
        ({"response": "4", "reference": "4"}, "reference"),
        ({"response": "4", "referenze": {"answer": "4"}}, "referenze"),
        ({"response": "4", "Reference": {"answer": "4"}}, "Reference"),
        ({"responze": "4"}, "responze"),
        ({"response": "4", "answer": "4"}, "answer"),
        ({"response": "4", "partial": True}, "partial"),
    ],
)
def test_a_wrong_shape_is_refused_with_its_path(raw: dict[str, Any], path: str) -> None:
    with pytest.raises(ShapeError) as caught:
        parse_request("math", raw)
    assert [field.path for field in caught.value.fields] == [path]


def test_a_misspelt_field_is_told_its_name_or_its_place() -> None:
    with pytest.raises(ShapeError, match=r"requests\.3\.referenze: is not known here; did you mean reference\?"):
        parse_request("math", {"response": "4", "referenze": {}}, "requests.3")
    with pytest.raises(ShapeError, match=r"format: is not known here; it belongs into reference\.format"):
        parse_request("format", {"response": "4", "format": "json"})


def test_labels_beside_a_request_travel_along() -> None:
    raw = {"response": "4", "id": 7, "metadata": {}, "category": "sum", "reference": {"answer": "4"}, "answer": "4"}
    assert parse_request("math", raw).model_extra == {"id": 7, "metadata": {}, "category": "sum", "answer": "4"}


@pytest.mark.parametrize(
    "reference",
    [
        {"language": "python"},
        {"language": "python", "tests": [], "test_code": ""},
        {"language": "python", "cases": []},
        {"language": "sql", "schema": ""},
        {"language": "cobol", "tests": []},
    ],
)
def test_a_code_reference_needs_exactly_one_way_to_judge(reference: dict[str, Any]) -> None:
    with pytest.raises(ShapeError):
        parse_request("code", {"response": "", "reference": reference})


@pytest.mark.parametrize(
    ("verifier", "fields", "path", "problem"),
    [
        ("math", {"reference": 5}, "reference", "must be a JSON object"),
        ("math", {"reference": {}}, "reference.answer", "is required"),
        ("math", {"prompt": 1}, "prompt", "must be a string"),
        ("math", {"options": {"bogus": 1}}, "options.bogus", "is not known here"),
        ("format", {"reference": {"format": "csv", "columns": "a"}}, "reference.columns", "must be a JSON array"),
        ("code", {"reference": {"language": "python"}}, "reference", "give exactly one of tests"),
    ],
)
def test_a_wrong_shape_is_explained_in_plain_words(
    verifier: VerifierName, fields: dict[str, Any], path: str, problem: str
) -> None:
    with pytest.raises(ShapeError) as caught:
        parse_request(verifier, {"prompt": "p", "response": "r"} | fields)
    assert caught.value.fields[0].path == path
    assert caught.value.fields[0].problem.startswith(problem)


def test_the_digest_ignores_the_label_and_nothing_else() -> None:
    assert request(request_id="a").digest() == request(request_id="b").digest()
    assert request(response="x").digest() != request().digest()
    assert request(prompt="\ud800").digest()


@pytest.mark.parametrize(
    ("name", "reference", "path"),
    [
        ("knowledge", {"answer": "x", "aliases": ["y"] * 1_001}, "reference.aliases"),
        ("knowledge", {"answer": "x", "key_terms": ["y"] * 257}, "reference.key_terms"),
        ("knowledge", {"answer": ["x"] * 1_001}, "reference.answer"),
        ("math", {"answer": ["x"] * 1_001}, "reference.answer"),
        ("math", [{"answer": "x"}] * 1_001, "reference"),
        ("format", {"format": "csv", "columns": ["a"] * 10_001}, "reference.columns"),
        ("format", {"format": "csv", "columns": 2**32}, "reference.columns"),
        ("format", {"any_of": [{"format": "json"}] * 257}, "reference.any_of"),
        ("format", {"json_schema": {"enum": list(range(50_001))}}, "reference.json_schema"),
    ],
)
def test_a_reference_beyond_its_limits_is_refused_by_field(name: Any, reference: Any, path: str) -> None:
    with pytest.raises(ShapeError) as caught:
        parse_request(name, {"response": "x", "reference": reference})
    problems = [problem.problem for problem in caught.value.fields if problem.path == path]
    assert any(limit in problem for problem in problems for limit in ("1000", "256", "50000")), problems


@pytest.mark.parametrize("name", ["label", "solution", "ground_truth", "target"])
def test_what_data_sets_call_the_reference_is_the_reference(name: str) -> None:
    for value in ("4", 4, {"answer": "4"}, '{"answer": "4"}', "so it is \\boxed{4}"):
        given = parse_request("math", {"response": "4", name: value})
        assert given.reference is not None
        assert given == parse_request("math", {"response": "4", name: value, "reference": None})
    assert parse_request("format", {"response": "{}", name: "json"}).reference.format == "json"
    code = parse_request("code", {"response": "x", name: '{"inputs": ["1"], "outputs": ["2"]}'})
    assert code.reference.tests[0].output == "2"
    assert parse_request("math", {"response": "4", name: None}).reference is None


FIVE = {"answer": "5"}
PASSED = {"tests": [{"input": "1", "output": "2"}]}


@pytest.mark.parametrize(
    ("verifier", "reference", "name", "value"),
    [
        ("math", FIVE, "label", 5),
        ("math", FIVE, "solution", "We add 2 and 3, so it is \\boxed{5}."),
        ("math", {"answer": ["5", "10/2"]}, "ground_truth", "10/2"),
        ("math", [FIVE, {"answer": "10/2"}], "target", '["10/2"]'),
        ("knowledge", {"answer": "Paris", "aliases": ["Ville de Paris"]}, "label", ["paris", "Lutetia"]),
        ("code", PASSED, "solution", "print(2)"),
        ("code", PASSED, "label", '{"inputs": ["1"], "outputs": ["2"]}'),
        ("format", {"format": "json"}, "target", "json"),
        ("format", {"format": "json"}, "solution", '{"a": 1}'),
        ("math", FIVE, "label", None),
    ],
)
def test_what_says_the_same_as_the_reference_travels_beside_it(
    verifier: VerifierName, reference: Any, name: str, value: Any
) -> None:
    parsed = parse_request(verifier, {"response": "x", "reference": reference, name: value})
    alone = parse_request(verifier, {"response": "x", "reference": reference})
    assert parsed.reference == alone.reference


@pytest.mark.parametrize(
    ("verifier", "reference", "name", "value"),
    [
        ("math", FIVE, "label", "4"),
        ("math", FIVE, "label", 15),
        ("math", FIVE, "solution", "We add 2 and 13, so it is \\boxed{15}."),
        ("knowledge", {"answer": "Paris"}, "ground_truth", "Lyon"),
        ("code", {"test_code": "assert f(1) == 2"}, "label", "assert f(1) == 3"),
        ("format", {"format": "json"}, "target", "xml"),
    ],
)
def test_what_contradicts_the_reference_is_refused_with_both_names(
    verifier: VerifierName, reference: Any, name: str, value: Any
) -> None:
    with pytest.raises(ShapeError, match=f"^reference: reference and {name} differ: send the one that is meant"):
        parse_request(verifier, {"response": "x", "reference": reference, name: value})


def test_a_plain_reference_is_told_the_name_under_which_it_is_taken() -> None:
    with pytest.raises(ShapeError, match=r"^reference: must be a JSON object; as label, a plain value is taken too$"):
        parse_request("knowledge", {"response": "x", "reference": "Paris"})


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        ({"response": "x", "target": "spam"}, r"requests\.3\.target\.format: "),
        ({"response": "x", "label": '{"format": "js'}, r"requests\.3\.label: is not JSON"),
        ({"response": "x", "label": "json", "target": "xml"}, r"requests\.3\.reference: label and target differ"),
        ({"completion": "x", "label": "json"}, r"requests\.3\.response: is required; send what is in completion as"),
        ({"messages": [], "label": "json"}, r"requests\.3\.response: is required; send what is in messages as"),
        ({"response": None, "label": "json"}, r"requests\.3\.response: must be a string"),
        (
            {"response": "x", "prompt": ["a"], "label": "json"},
            r"requests\.3\.prompt: give a text, or a list of messages",
        ),
        ({"response": "x", "prompt": [{"content": 1}], "label": "json"}, r"requests\.3\.prompt: .*; item 0 is none"),
        ({"response": "x", "prompt": {"content": "a"}, "label": "json"}, r"requests\.3\.prompt: must be a string"),
    ],
)
def test_what_cannot_be_a_request_is_refused_by_the_name_of_its_field(raw: dict[str, Any], said: str) -> None:
    with pytest.raises(ShapeError, match=f"^{said}"):
        parse_request("format", raw, "requests.3")


@pytest.mark.parametrize(
    ("prompt", "text"),
    [
        ([{"role": "system", "content": "s"}, {"role": "user", "content": "2+2?"}, {"role": "assistant"}], "2+2?"),
        ([{"role": "user", "content": [{"type": "text", "text": "2+"}, {"type": "text", "text": "2?"}]}], "2+2?"),
        ([{"role": "system", "content": "s"}], "s"),
        ([{"role": "assistant", "content": None, "tool_calls": []}], ""),
        ([], ""),
    ],
)
def test_a_prompt_may_be_a_list_of_messages_and_is_what_the_user_said_last(prompt: Any, text: str) -> None:
    read = parse_request("math", {"prompt": prompt, "response": "4", "label": "4"})
    assert read.prompt == text
    assert read.digest() == parse_request("math", {"prompt": text, "response": "4", "label": "4"}).digest()


class ForeignVerifier(BaseVerifier):
    """Does what its request says."""

    name = "knowledge"

    def judge(self, request: VerificationRequest) -> Any:
        if request.response == "exit":
            raise SystemExit(3)
        return {"none": None, "number": 0.5}[request.response]


@pytest.mark.parametrize(
    ("response", "said"), [("none", "None"), ("number", "0.5"), ("exit", "failed"), ("missing", "failed")]
)
def test_whatever_a_verifier_of_ones_own_does_there_is_a_result(response: str, said: str) -> None:
    result = ForeignVerifier().check(VerificationRequest(response=response))
    assert (result.status, result.score) == ("error", None)
    assert said in result.reason


def test_a_verifier_of_a_name_that_says_nothing_of_references_can_not_be_made() -> None:
    with pytest.raises(SettingsError, match=r"Strange\.name is 'strange': .* one of math, code, knowledge, format"):
        type("Strange", (BaseVerifier,), {"name": "strange"})
