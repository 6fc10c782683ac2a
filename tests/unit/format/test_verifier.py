"""The verifier as a whole: what part of the response counts, composition, results."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.unit.format.conftest import InlineWorkers, Judge
from verifleet.errors import WorkerTimeoutError
from verifleet.verification import FormatRequest, VerificationRequest
from verifleet.verifiers.format import FormatVerifier
from verifleet.verifiers.format.checkers import CHECKERS
from verifleet.verifiers.format.program_syntax import python_fault

THINK = "<think>{text}</think>{text}"


def test_the_whole_trimmed_response_must_comply(judge: Judge) -> None:
    assert judge(' \t\r\n{"a": 1}\n', "json").score == 1.0
    assert judge('\u00a0{"a": 1}', "json").score == 0.0
    assert judge('\x0b{"a": 1}', "json").score == 0.0
    assert judge('Sure! {"a": 1}', "json").score == 0.0


@pytest.mark.parametrize(("name", "text"), [("yaml", "a: 1"), ("toml", "a = 1"), ("csv", "a,b"), ("python", "x = 1")])
def test_white_space_is_never_trimmed_where_it_matters(judge: Judge, name: str, text: str) -> None:
    assert judge(text, name).score == 1.0
    assert judge("<think>.</think>\n\n" + text, name).score == 1.0


def test_leading_blanks_break_python_and_csv(judge: Judge) -> None:
    assert judge("  x = 1", "python").score == 0.0
    assert judge("\n\na,b", "csv").score == 0.0


def test_everything_up_to_the_last_think_tag_is_reasoning(judge: Judge) -> None:
    assert judge('<think>{"b": 2}</think>\n{"a": 1}', "json").score == 1.0
    assert judge('no opening tag</think>{"a": 1}', "json").score == 1.0
    assert judge('<think>a</think><think>b</think>{"a": 1}', "json").score == 1.0


@pytest.mark.parametrize("text", ['<think>never closed {"a": 1}', 'x</think><think>{"a": 1}'])
def test_unclosed_reasoning_is_malformed(judge: Judge, text: str) -> None:
    result = judge(text, "json")
    assert (result.score, result.verdict) == (0.0, "malformed")
    assert result.details["fault"]["rule"] == "unclosed_think"


def test_a_document_that_quotes_the_think_tag_is_no_reasoning(judge: Judge) -> None:
    assert judge('{"html": "</think>"}', "json").score == 1.0
    assert judge("<r><think>x</think></r>", "xml").score == 1.0


def test_prefilled_text_belongs_to_the_response_but_not_to_its_offsets(judge: Judge) -> None:
    assert judge('reasons</think>{"a": 1}', "json", prefilled="<think>").score == 1.0
    assert judge("a</think>b", {"template": THINK}, prefilled="<think>").score == 1.0
    result = judge('"a": 01}', "json", prefilled="{")
    assert result.details["fault"]["offset"] == 6


def test_a_fence_counts_only_when_extraction_is_asked_for(judge: Judge) -> None:
    text = 'Here you are:\n```json\n{"a": 1}\n```\nBye.'
    assert judge(text, "json").score == 0.0
    assert judge(text, "json", extract="fence").score == 1.0
    assert judge(text, "json", extract="auto").score == 1.0
    assert judge('{"a": 1}', "json", extract="fence").score == 1.0
    assert judge('{"a": 1}', "json", extract="auto").score == 1.0


def test_offsets_of_a_fenced_block_count_in_the_whole_response(judge: Judge) -> None:
    text = "Text\n```json\n[1,]\n```"
    fault = judge(text, "json", extract="fence").details["fault"]
    assert text[fault["offset"]] == ","
    assert (fault["line"], fault["column"]) == (3, 3)


def test_of_several_fences_the_last_with_the_formats_name_counts(judge: Judge) -> None:
    text = "```json\n{bad}\n```\n```json\n[1]\n```\n```python\nx = (\n```"
    assert judge(text, "json", extract="fence").score == 1.0
    assert judge("```\n[1]\n```\n```\n[\n```", "json", extract="fence").score == 0.0


def test_a_block_of_another_language_is_no_answer_while_there_is_one_of_none(judge: Judge) -> None:
    assert judge("```\n[1]\n```\n```text\ndone\n```", "json", extract="auto").score == 1.0
    assert judge("```\n[\n```\n```text\n[1]\n```", "json", extract="auto").score == 0.0


@pytest.mark.parametrize(
    "text", ["<answer>```json\n[1]\n```</answer>", "<out> <answer>\n```\n[1]\n``` </answer></out>"]
)
def test_tags_may_stand_on_the_lines_of_a_fence(judge: Judge, text: str) -> None:
    assert judge(text, "json", extract="auto").score == 1.0
    assert judge(text.replace("[1]", "[1"), "json", extract="auto").score == 0.0


@pytest.mark.parametrize(
    "text", ["<think>a = 1</think>", "<thinking>\na = 1\n</thinking>\n", "```\n```", "```toml\n\n```"]
)
def test_an_answer_that_is_missing_is_no_empty_document(judge: Judge, text: str) -> None:
    assert judge(text, "toml", extract="auto").score == 0.0
    assert judge(text, "toml", extract="fence").details["fault"]["rule"] == "no_answer"


def test_remarks_alone_are_no_statement(judge: Judge) -> None:
    for text in ("-- none", "/* none */ ;", "# none\n"):
        assert judge(text, "sql").details["fault"]["rule"] == "empty"


def test_a_fence_may_hold_shorter_fences_and_use_tildes(judge: Judge) -> None:
    assert judge('````json\n["```"]\n````', "json", extract="fence").score == 1.0
    assert judge("~~~yaml\na: 1\n~~~", "yaml", extract="fence").score == 1.0


def test_a_fence_that_never_closes_is_malformed(judge: Judge) -> None:
    result = judge('```json\n{"a": 1}', "json", extract="fence")
    assert (result.score, result.verdict) == (0.0, "malformed")
    assert result.details["fault"]["rule"] == "unclosed_fence"


def test_without_a_reference_the_prompt_names_the_format(judge: Judge) -> None:
    result = judge('{"a": 1}', prompt="Return valid JSON.")
    assert (result.score, result.status) == (1.0, "scored")
    assert result.details["recognised"] == {"format": "json"}


def test_an_unrecognised_prompt_is_unknown(judge: Judge) -> None:
    result = judge('{"a": 1}', prompt="How are you?")
    assert (result.score, result.status, result.verdict) == (0.0, "unknown", "unknown")


def test_all_of_needs_every_part(judge: Judge) -> None:
    both = {"all_of": [{"template": THINK}, {"format": "json"}]}
    assert judge("<think>a</think>[1]", both).score == 1.0
    result = judge("<think>a</think>[1", both)
    assert result.score == 0.0
    assert result.details["fault"]["part"] == "all_of/1"
    assert judge("<think>a</think>[1", both, partial=True).score == 0.5


def test_weights_share_out_partial_credit(judge: Judge) -> None:
    parts = [{"format": "xml"}, {"format": "json"}, {"pattern": ".*1.*"}]
    assert judge("[1]", {"all_of": parts, "weights": [2, 1, 1]}, partial=True).score == pytest.approx(0.5)
    assert judge("[1]", {"all_of": parts, "weights": [0, 1, 1]}, partial=True).score == 1.0
    assert judge("[1]", {"all_of": parts, "weights": [2, 1, 1]}).score == 0.0
    assert judge("[1]", {"any_of": parts, "weights": [2, 1, 0]}, partial=True).score == pytest.approx(0.5)


def test_any_of_needs_one_part(judge: Judge) -> None:
    either = {"any_of": [{"format": "xml"}, {"format": "json"}]}
    assert judge("[1]", either).score == 1.0
    assert judge("<a/>", either).score == 1.0
    assert judge("a,b", either).score == 0.0


def test_compositions_nest(judge: Judge) -> None:
    reference = {"all_of": [{"any_of": [{"format": "json"}, {"format": "xml"}]}, {"pattern": "[^ ]+"}]}
    assert judge("[1]", reference).score == 1.0
    result = judge("{ }", reference)
    assert result.score == 0.0
    assert result.details["fault"]["part"] == "all_of/1"


def test_a_pattern_must_match_the_whole_response(judge: Judge) -> None:
    assert judge("abc", {"pattern": "[a-c]+"}).score == 1.0
    assert judge("abcd", {"pattern": "[a-c]+"}).score == 0.0
    assert judge("ab", {"pattern": "a|ab"}).score == 1.0
    assert judge("12", {"format": "json", "pattern": r"\d+"}).score == 1.0
    assert judge("a", {"pattern": "a)|(b"}).details["fault"]["in"] == "reference"


def test_a_pattern_that_explodes_is_given_up(judge: Judge) -> None:
    result = judge("a" * 60 + "b", {"pattern": r"(?=a)(a|aa)+(?<!b)$"})
    assert (result.score, result.status) == (0.0, "unknown")


def test_the_verifier_speaks_the_plain_protocol_too() -> None:
    verifier = FormatVerifier()
    assert verifier.verify("Return valid JSON", "[1]") == 1.0
    assert verifier.verify("Return valid JSON", "[1") == 0.0
    assert verifier.check(VerificationRequest(prompt="As YAML, please", response="- a")).score == 1.0
    wrong = VerificationRequest(response="x", reference={"format": "jsn"})
    assert verifier.check(wrong).verdict == "malformed"


@pytest.mark.parametrize("text", ["", "\0", "\ud800", "\ud800\x00<think>", "\u2028", "\ufeff"])
@pytest.mark.parametrize("prompt", ["Return valid JSON", "\ud800", ""])
def test_any_text_gets_a_result(judge: Judge, text: str, prompt: str) -> None:
    result = judge(text, prompt=prompt)
    assert result.score == 0.0
    result.model_dump_json(exclude={"request_id"})


@pytest.mark.parametrize("name", sorted(CHECKERS.keys() - {"instructions"}))
@given(data=st.data())
@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_no_text_is_an_error(judge: Judge, name: str, data: st.DataObject) -> None:
    pieces = st.sampled_from([*"\0\ud800\t\n\"'\\{}[]()<>&;:,.-+*|@#%!?=`$a1é", "SELECT ", "a: ", "x = ", "<a>", "a@["])
    text = "".join(data.draw(st.lists(pieces, max_size=8)))
    result = judge(text, name, extract=data.draw(st.sampled_from(["whole", "auto"])))
    assert result.status != "error", text
    offset = result.details.get("fault", {}).get("offset")
    assert offset is None or 0 <= offset <= len(text)


def test_equal_requests_get_equal_results() -> None:
    verifier = FormatVerifier()
    request = FormatRequest(response='{"a": [1, 2,]}', reference={"format": "json"})
    first, second = (verifier.check(request).model_dump(exclude={"duration_ms"}) for _ in range(2))
    assert first == second


class EndlessWorkers:
    """A pool in which every call uses up its time."""

    def __init__(self) -> None:
        self.granted: list[float] = []

    def call(self, function: Callable[..., Any], /, *args: Any, cpu_s: float = 1.0) -> Any:
        self.granted.append(cpu_s)
        raise WorkerTimeoutError("it used up its time")


def test_the_parts_of_a_composition_share_one_budget_of_time() -> None:
    workers = EndlessWorkers()
    verifier = FormatVerifier(workers)
    parts = [{"format": name} for name in ("python", "javascript", "sql") * 7]
    for composition in ("any_of", "all_of"):
        workers.granted.clear()
        result = verifier.check(FormatRequest(response="x", reference={composition: parts}))
        assert (result.score, result.status) == (0.0, "unknown")
        assert result.details["fault"]["rule"] == "time_limit"
        assert sum(workers.granted) < 1.0


def test_parts_that_need_no_worker_are_judged_though_the_time_of_the_others_is_used_up() -> None:
    verifier = FormatVerifier(EndlessWorkers())
    heavy = [{"format": "python"}] * 5
    for composition, text, score in (("any_of", "[1]", 1.0), ("all_of", "[1", 0.0)):
        reference = {composition: [*heavy, {"format": "json"}]}
        result = verifier.check(FormatRequest(response=text, reference=reference))
        assert (result.score, result.status) == (score, "scored")


class PatientWorkers:
    """A pool in which Python takes its time, which is granted only once the others are done."""

    def call(self, function: Callable[..., Any], /, *args: Any, cpu_s: float = 1.0) -> Any:
        if args[0] is python_fault and cpu_s < 0.5:
            raise WorkerTimeoutError("it used up its time")
        return function(*args)


def test_a_part_that_takes_long_is_looked_at_again_when_the_others_are_done() -> None:
    verifier = FormatVerifier(PatientWorkers())
    for composition, score in (("any_of", 1.0), ("all_of", 0.0)):
        reference = {composition: [{"format": "python"}, {"format": "javascript"}, {"format": "json"}]}
        result = verifier.check(FormatRequest(response="def f(): return [1", reference=reference))
        assert (result.score, result.status) == (0.0, "scored")
        result = verifier.check(FormatRequest(response="def f(): return [1]", reference=reference))
        assert (result.score, result.status) == (score, "scored")


def test_a_part_that_comes_too_late_says_so(judge: Judge) -> None:
    reference = {"any_of": [{"format": "json", "columns": n} for n in range(2, 60)]}
    text = "[" + "[1]," * 900_000 + "x"
    result = judge(text, reference)
    assert (result.score, result.status) == (0.0, "unknown")
    assert result.details["fault"]["rule"] == "time_budget"


def test_an_alternative_that_is_undecided_leaves_no_verdict() -> None:
    verifier = FormatVerifier(EndlessWorkers())
    reference = {"any_of": [{"format": "json"}, {"format": "python"}]}
    result = verifier.check(FormatRequest(response="x = 1", reference=reference))
    assert (result.status, result.details["fault"]["part"]) == ("unknown", "any_of/1")


@pytest.mark.parametrize("response", ["", "{", "{}", "<a/>", "<think>", "a,b"])
@pytest.mark.parametrize(
    ("reference", "rule"),
    [
        ({"pattern": "("}, "pattern"),
        ({"format": "json", "pattern": "("}, "pattern"),
        ({"json_schema": {"type": "foo"}}, "json_schema"),
        ({"json_schema": {"$ref": "https://example.com/schema"}}, "json_schema"),
        ({"format": "xml", "xsd": "<xs:schema"}, "xsd"),
        ({"all_of": [{"format": "json"}, {"json_schema": {"pattern": "("}}]}, "json_schema"),
        ({"any_of": [{"format": "json"}, {"format": "xml"}, {"pattern": "a)|(b"}]}, "pattern"),
        ({"all_of": [{"format": "json"}, {"pattern": "("}], "weights": [1, 0]}, "pattern"),
    ],
)
def test_an_unusable_reference_is_told_whatever_the_response_is(
    judge: Judge, response: str, reference: Any, rule: str
) -> None:
    result = judge(response, reference)
    assert (result.score, result.verdict) == (0.0, "malformed")
    assert (result.details["fault"]["rule"], result.details["fault"]["in"]) == (rule, "reference")
    assert result.reason.startswith("The reference is at fault, not the response: ")


def test_a_rule_of_a_reference_is_compiled_once(judge: Judge, workers: InlineWorkers) -> None:
    xsd = '<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema"><xs:element name="n"/></xs:schema>'
    for _ in range(3):
        assert judge("<n>", {"format": "xml", "xsd": xsd}).details["fault"].get("in") is None
    assert workers.calls == 1


def test_a_fence_around_the_whole_is_told_with_the_way_out(judge: Judge) -> None:
    hint = 'The response is fenced: options.extract = "auto" takes the fenced part.'
    for text in ("```json\n{}\n```", "\n~~~\n{}\n~~~", "<think>a</think>\n```\n{}\n```"):
        assert judge(text, "json").reason.endswith(hint)
        assert judge(text, "json", extract="auto").score == 1.0
    assert hint not in judge("{", "json").reason
    assert hint not in judge("```json\n{\n```", "json", extract="auto").reason
