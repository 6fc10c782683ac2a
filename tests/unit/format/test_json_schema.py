"""JSON Schema: verdicts, paths, partial credit, nothing fetched."""

import copy
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.unit.format.conftest import InlineWorkers, Judge
from verifleet.verifiers.format.json_schema import PLAIN_COST, CompiledSchema, cost_of

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


def share(judge: Judge, value: Any, schema: Any, **options: Any) -> float:
    score = judge(json.dumps(value), {"json_schema": schema}, partial=True, **options).score
    assert score is not None
    return score


def test_partial_is_the_share_of_satisfied_rules(judge: Judge) -> None:
    # Rules: two required names, name's type and minLength, age's type; the limit to these names only if it is broken.
    result = judge('{"name": "B", "age": 3}', {"json_schema": PERSON}, partial=True)
    assert result.score == pytest.approx(4 / 5)
    assert result.verdict == "partial"
    assert judge('{"name": "B", "age": 3}', {"json_schema": PERSON}).score == 0.0
    assert share(judge, {"name": "Bo", "age": 3, "x": 1}, PERSON) == pytest.approx(5 / 6)
    assert share(judge, {"name": "Bo"}, PERSON) == pytest.approx(3 / 5)
    assert share(judge, {}, PERSON) == 0.0


def test_a_call_of_a_tool_earns_step_by_step(judge: Judge) -> None:
    arguments = {"required": ["city"], "properties": {"city": {"type": "string"}}, "additionalProperties": False}
    schema = {
        "type": "object",
        "required": ["name", "arguments"],
        "properties": {"name": {"enum": ["weather"]}, "arguments": {"type": "object", **arguments}},
        "additionalProperties": False,
    }
    steps = [{}, {"name": "x"}, {"name": "weather"}, {"arguments": {}}, {"arguments": {"city": 1}}]
    ladder = steps[:3] + [{"name": "weather", **step} for step in steps[3:]]
    assert [share(judge, value, schema) for value in ladder] == pytest.approx([0, 1 / 5, 2 / 5, 3 / 5, 4 / 5])


def test_a_list_earns_by_what_stands_in_it(judge: Judge) -> None:
    item = {"type": "object", "required": ["id"], "properties": {"id": {"type": "integer"}}}
    schema = {"type": "array", "minItems": 2, "items": item}
    ladder = [[], [{}], [{}, {}], [{"id": 1}], [{"id": 1}, {}], [{"id": 1}, {"id": "x"}], [{"id": 1}, {"id": 2}]]
    shares = [share(judge, value, schema) for value in ladder]
    assert shares == pytest.approx([0, 1 / 6, 1 / 3, 1 / 2, 2 / 3, 5 / 6, 1])


@pytest.mark.parametrize("value", [[], "x", 7, None])
def test_a_value_of_the_wrong_type_earns_nothing_by_rules_that_do_not_touch_it(judge: Judge, value: Any) -> None:
    schema = {
        "type": "object",
        "required": ["a", "b", "c", "d"],
        "properties": {"a": {"type": "string"}},
        "minProperties": 1,
    }
    assert share(judge, value, schema) == 0.0
    assert share(judge, value, {"allOf": [schema]}) == 0.0
    assert share(judge, {"a": "x"}, schema) == pytest.approx(3 / 6)
    assert share(judge, {"p": value}, {"properties": {"p": schema}, "required": ["p"]}) == pytest.approx(1 / 7)


def test_every_missing_required_name_costs_its_share(judge: Judge) -> None:
    assert share(judge, {"a": 1}, {"type": "object", "required": ["a", "b", "c"]}) == pytest.approx(1 / 3)


def test_rules_that_hold_in_vain_earn_nothing(judge: Judge) -> None:
    limits = {"additionalProperties": False, "maxProperties": 9, "propertyNames": {"maxLength": 9}, "required": ["a"]}
    assert share(judge, {}, limits | {"properties": {"a": {}}, "not": {"required": ["z"]}}) == 0.0
    assert share(judge, [], {"maxItems": 9, "uniqueItems": True, "items": {"type": "integer"}, "minItems": 1}) == 0.0
    assert share(judge, {}, {"anyOf": [{"properties": {"b": {}}}, {"type": "null"}], "required": ["a"]}) == 0.0
    text = {"type": "object", "required": ["a", "b"], "properties": {"a": {"type": "string", "format": "date"}}}
    assert share(judge, {"a": "x"}, text) == pytest.approx(2 / 3)
    assert share(judge, {"a": "x"}, text, format_assertion=True) == pytest.approx(2 / 4)


def test_length_buys_no_share(judge: Judge) -> None:
    numbers = {"type": "array", "items": {"type": "integer"}}
    schema = {"properties": {"n": numbers}, "additionalProperties": {"type": "integer"}, "required": ["n", "m"]}
    few = share(judge, {"n": [1]}, schema)
    assert share(judge, {"n": [1] * 500}, schema) == pytest.approx(few)
    some = share(judge, {"n": [1], "a": 1}, schema)
    assert share(judge, {"n": [1]} | {f"k{i}": 1 for i in range(99)}, schema) == pytest.approx(some)


@pytest.mark.parametrize("name", ["a/b", "a~b", "a b", "ä", "%41", '"', "0", ""])
def test_names_of_any_kind_are_found_again(judge: Judge, name: str) -> None:
    inner = {"type": "object", "required": ["x", "y"], "properties": {"x": {"type": "integer"}}}
    schema = {"type": "object", "properties": {name: inner}}
    assert share(judge, {name: {"x": 1}}, schema) == pytest.approx(2 / 3)
    assert share(judge, {name: {"x": "1"}}, schema) == pytest.approx(1 / 3)
    assert share(judge, {name: {"x": 1}}, {"additionalProperties": inner}) == pytest.approx(2 / 3)
    assert share(judge, {name: {"x": 1}}, {"patternProperties": {"": inner}}) == pytest.approx(2 / 3)


def test_only_the_branch_that_applies_is_counted(judge: Judge) -> None:
    then = {"required": ["a", "b"], "properties": {"a": {"const": 1}}}
    schema = {"if": {"required": ["k"]}, "then": then, "else": {"required": ["c"]}}
    assert share(judge, {"k": 1, "a": 1}, schema) == pytest.approx(2 / 3)
    assert share(judge, {"a": 1}, schema) == 0.0


def test_a_schema_that_requires_itself_has_a_share(judge: Judge) -> None:
    schema = {"type": "object", "required": ["next"], "properties": {"next": {"$ref": "#"}}}
    assert 0.0 < share(judge, {"next": {"next": {}}}, schema) < 1.0


def _grown(inner: st.SearchStrategy[tuple[Any, Any]]) -> st.SearchStrategy[tuple[Any, Any]]:
    def as_object(parts: list[tuple[Any, Any]]) -> tuple[Any, Any]:
        names = [f"k{number}" for number in range(len(parts))]
        properties = {name: schema for name, (schema, _) in zip(names, parts, strict=True)}
        value = {name: value for name, (_, value) in zip(names, parts, strict=True)}
        closed = {"additionalProperties": False} if len(parts) != 2 else {}
        return {"type": "object", "required": names, "properties": properties, **closed}, value

    def as_array(part: tuple[Any, Any], number: int) -> tuple[Any, Any]:
        return {"type": "array", "minItems": number, "items": part[0]}, [copy.deepcopy(part[1]) for _ in range(number)]

    return st.lists(inner, min_size=1, max_size=3).map(as_object) | st.builds(as_array, inner, st.integers(1, 3))


LEAVES = st.sampled_from([({"type": "integer"}, 1), ({"type": "string", "minLength": 1}, "x"), ({"enum": ["a", 2]}, 2)])


@settings(max_examples=100, deadline=None)
@given(_grown(st.recursive(LEAVES, _grown, max_leaves=6)), st.data())
def test_every_further_fault_lowers_the_share(case: tuple[Any, Any], data: st.DataObject) -> None:
    schema, value = case
    compiled = CompiledSchema(schema, False)
    assert compiled.fault(value, partial=True) is None
    before = 1.0
    while True:
        place, key = value, None
        while isinstance(place, (dict, list)) and place:
            parent, key = (
                place,
                data.draw(st.sampled_from(list(place) if isinstance(place, dict) else range(len(place)))),
            )
            place = parent[key]
            if not isinstance(place, (dict, list)) or data.draw(st.booleans()):
                break
        if key is None:
            break
        if place is not None and data.draw(st.booleans()):
            parent[key] = None
        else:
            del parent[key]
        fault = compiled.fault(value, partial=True)
        assert fault is not None
        assert 0.0 <= fault.share <= before
        before = fault.share
    assert before == 0.0


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
