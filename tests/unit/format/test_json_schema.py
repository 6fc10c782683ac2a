"""JSON Schema: verdicts, paths, partial credit, nothing fetched."""

import pytest

from tests.unit.format.conftest import InlineWorkers, Judge
from verifleet.verifiers.format.json_schema import PLAIN_COST, cost_of

PERSON = {
    "type": "object",
    "required": ["name", "age"],
    "properties": {"name": {"type": "string", "minLength": 2}, "age": {"type": "integer"}},
    "additionalProperties": False,
}


def test_a_value_that_satisfies_the_schema_scores_one(judge: Judge) -> None:
    assert judge('{"name": "Bo", "age": 3}', {"json_schema": PERSON}).score == 1.0


def test_the_broken_rule_is_named_with_its_path_and_place(judge: Judge) -> None:
    text = ' {"name": "Bo",\n "age": "3"}'
    result = judge(text, {"json_schema": PERSON})
    assert (result.score, result.verdict) == (0.0, "incorrect")
    fault = result.details["fault"]
    assert fault["rule"] == "type"
    assert fault["path"] == "/age"
    assert fault["schema_path"] == "/properties/age/type"
    assert (fault["line"], fault["column"]) == (2, 9)
    assert text[fault["offset"] :].startswith('"3"')


def test_true_allows_everything_and_false_nothing(judge: Judge) -> None:
    assert judge("1", {"json_schema": True}).score == 1.0
    assert judge("1", {"json_schema": False}).score == 0.0


def test_partial_is_the_share_of_satisfied_rules(judge: Judge) -> None:
    # Rules: type, two required names, name's type and minLength, age's type; additionalProperties.
    result = judge('{"name": "B", "age": 3}', {"json_schema": PERSON}, partial=True)
    assert result.score == pytest.approx(6 / 7)
    assert result.verdict == "partial"
    assert judge('{"name": "B", "age": 3}', {"json_schema": PERSON}).score == 0.0


@pytest.mark.parametrize("text", ["[]", '"x"', "7", "null"])
def test_a_value_of_the_wrong_type_earns_nothing_by_rules_that_do_not_touch_it(judge: Judge, text: str) -> None:
    schema = {
        "type": "object",
        "required": ["a", "b", "c", "d"],
        "properties": {"a": {"type": "string"}},
        "minProperties": 1,
    }
    assert judge(text, {"json_schema": schema}, partial=True).score == 0.0
    assert judge(text, {"json_schema": {"allOf": [schema]}}, partial=True).score == 0.0
    assert judge('{"a": "x"}', {"json_schema": schema}, partial=True).score == pytest.approx(4 / 7)
    nested = {"properties": {"p": schema}, "required": ["p"]}
    assert judge(f'{{"p": {text}}}', {"json_schema": nested}, partial=True).score == pytest.approx(1 / 8)


def test_every_missing_required_name_costs_its_share(judge: Judge) -> None:
    schema = {"type": "object", "required": ["a", "b", "c"]}
    assert judge('{"a": 1}', {"json_schema": schema}, partial=True).score == pytest.approx(2 / 4)


def test_branches_of_a_choice_that_do_not_apply_cost_nothing(judge: Judge) -> None:
    schema = {"properties": {"x": {"anyOf": [{"type": "string"}, {"type": "integer"}]}}, "required": ["x", "y"]}
    assert judge('{"x": 1}', {"json_schema": schema}, partial=True).score == pytest.approx(2 / 3)


@pytest.mark.parametrize("uri", ["http://example.com/s.json", "file:///etc/passwd", "other.json#/a"])
def test_a_reference_to_something_outside_the_schema_is_refused(judge: Judge, uri: str) -> None:
    result = judge("{}", {"json_schema": {"$ref": uri}})
    assert (result.score, result.status) == (0.0, "scored")
    assert result.details["fault"]["in"] == "reference"
    assert "external $ref is refused" in result.reason


def test_the_metaschemas_themselves_are_at_hand(judge: Judge) -> None:
    uri = "http://json-schema.org/draft-07/schema#"
    schema = {"$schema": uri, "$ref": uri}
    assert judge('{"type": "object"}', {"json_schema": schema}).score == 1.0
    assert judge('{"type": 12}', {"json_schema": schema}).score == 0.0


def test_formats_are_asserted_only_on_demand(judge: Judge) -> None:
    reference = {"json_schema": {"type": "string", "format": "date"}}
    assert judge('"tomorrow"', reference).score == 1.0
    assert judge('"tomorrow"', reference, format_assertion=True).score == 0.0
    assert judge('"2024-02-29"', reference, format_assertion=True).score == 1.0


@pytest.mark.parametrize(
    ("schema", "good", "bad"),
    [
        ({"$schema": "http://json-schema.org/draft-04/schema#", "maximum": 3, "exclusiveMaximum": True}, "2", "3"),
        ({"$schema": "http://json-schema.org/draft-06/schema#", "exclusiveMaximum": 3}, "2", "3"),
        ({"$schema": "http://json-schema.org/draft-07/schema#", "items": [{"type": "null"}]}, "[null]", "[1]"),
        ({"$schema": "https://json-schema.org/draft/2019-09/schema", "items": [{"type": "null"}]}, "[null]", "[1]"),
        ({"prefixItems": [{"type": "null"}]}, "[null]", "[1]"),
    ],
)
def test_the_draft_is_the_one_the_schema_names(judge: Judge, schema: object, good: str, bad: str) -> None:
    assert judge(good, {"json_schema": schema}).score == 1.0
    assert judge(bad, {"json_schema": schema}).score == 0.0


@pytest.mark.parametrize("schema", [{"type": "strin"}, {"pattern": "(("}, {"$schema": "http://x.example/meta"}])
def test_an_unusable_schema_is_a_fault_of_the_reference(judge: Judge, schema: object) -> None:
    result = judge("1", {"json_schema": schema})
    assert result.verdict == "malformed"
    assert result.details["fault"]["in"] == "reference"


def test_allowed_values_are_not_told(judge: Judge) -> None:
    result = judge('"guess"', {"json_schema": {"enum": ["secret"]}})
    assert result.score == 0.0
    assert "secret" not in result.model_dump_json()


def test_a_schema_applies_to_yaml_toml_and_each_line_of_ndjson(judge: Judge) -> None:
    schema = {"required": ["a"]}
    assert judge('{"a":1}\n{"a":2}', {"format": "ndjson", "json_schema": schema}).score == 1.0
    result = judge('{"a":1}\n{"b":2}', {"format": "ndjson", "json_schema": schema})
    assert result.score == 0.0
    assert result.details["fault"]["offset"] == 8
    assert judge("<a/>", {"format": "xml", "json_schema": schema}).details["fault"]["in"] == "reference"


def test_only_a_schema_that_may_explode_goes_to_a_worker(judge: Judge, workers: InlineWorkers) -> None:
    judge('{"name": "Bo", "age": 3}', {"json_schema": PERSON})
    assert workers.calls == 0
    doubling = {f"d{i}": {"allOf": [{"$ref": f"#/$defs/d{i + 1}"}] * 2} for i in range(16)}
    exploding = {"$ref": "#/$defs/d0", "$defs": {**doubling, "d16": {"type": "string"}}}
    assert cost_of(exploding) > PLAIN_COST
    judge('"x"', {"json_schema": exploding})
    assert workers.calls == 1


def test_schemas_that_are_slow_on_long_texts_have_their_cost() -> None:
    assert cost_of({"enum": [f"v{i}" for i in range(100_000)]}) > PLAIN_COST
    assert cost_of({"pattern": r"\w" * 40_000}) > PLAIN_COST
    assert cost_of({"pattern": r"^\w+@\w+\.[a-z]{2,10}$"}) < 1_000


def test_a_recursive_schema_is_not_plain() -> None:
    assert cost_of({"properties": {"next": {"$ref": "#"}}}) > PLAIN_COST
    assert cost_of({"properties": {"a": {"$ref": "#/$defs/a"}}, "$defs": {"a": {"type": "string"}}}) < 20
    assert cost_of({"pattern": "(a{1000}){1000}"}) > PLAIN_COST
