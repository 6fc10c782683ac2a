"""Which format a prompt asks for."""

import json
from typing import Any

import pytest

from tests.unit.format.conftest import Judge
from verifleet.verification import FormatRequest
from verifleet.verifiers.format.prompt import asked_format
from verifleet.verifiers.format.prompt_schema import one_or_many
from verifleet.verifiers.format.verifier import FormatVerifier

ASKED: list[tuple[str, dict[str, Any]]] = [
    ("Return valid JSON", {"format": "json"}),
    ("I need JSON here, no text.", {"format": "json"}),
    ("Give me the same XML with new names.", {"format": "xml"}),
    ("Return the translated YAML.", {"format": "yaml"}),
    ("Not XML but JSON please.", {"format": "json"}),
    ("You are a bot that always answers in JSON.", {"format": "json"}),
    ("How long does it take? Use an ISO 8601 duration.", {"format": "duration"}),
    ("Print it as a single-line JSON.", {"format": "json"}),
    ("Write four lines of CSV about birds.", {"format": "csv"}),
    ("Give the next semantic version.", {"format": "semver"}),
    ("Fix this JSON: {a: 1}", {"format": "json"}),
    ("Repair the following broken XML so that it is well-formed.", {"format": "xml"}),
    ("SQL query to list all tables", {"format": "sql"}),
    ("Your response must conform to the JSON schema below.", {"format": "json"}),
    ("A script will parse your answer with json.loads.", {"format": "json"}),
    ("Only JSON is accepted.", {"format": "json"}),
    ("Use the XML above and answer in the JSON format.", {"format": "json"}),
    ("Return the entities as a JSON list, please.", {"format": "json", "json_schema": {"type": "array"}}),
    ("Reply with nothing but JSON", {"format": "json"}),
    ("You must not output anything except JSON.", {"format": "json"}),
    ("Use JSON for the output.", {"format": "json"}),
    ("Respond in JSON-format.", {"format": "json"}),
    ("Your answer must be parseable by json.loads.", {"format": "json"}),
    ("Is 7 prime? Return JSON.", {"format": "json"}),
    ("Can you give me that as JSON?", {"format": "json"}),
    ("I have a list of users; give it in JSON.", {"format": "json"}),
    ("Don't use markdown. Return JSON.", {"format": "json"}),
    ("Return the URL as JSON.", {"format": "json"}),
    ("Here's the JSON you asked for. Now respond in YAML.", {"format": "yaml"}),
    ("Convert the JSON to CSV.", {"format": "csv"}),
    ("Translate the XML document to JSON.", {"format": "json"}),
    ("Write a function to convert CSV to JSON in Python.", {"format": "python"}),
    ("Write a JSON parser in Python.", {"format": "python"}),
    ("Return each record as JSON on its own line.", {"format": "ndjson"}),
    ("as comma-separated values with header a,b,c", {"format": "csv", "columns": ["a", "b", "c"]}),
    ("CSV with columns a, b and 5 rows.", {"format": "csv", "columns": ["a", "b"]}),
    ("Output a CSV file containing columns for name and age.", {"format": "csv", "columns": ["name", "age"]}),
    ("Return CSV with columns separated by semicolons.", {"format": "csv"}),
    ("Show a table in Markdown.", {"format": "markdown_table"}),
    ("Show a markdown table with columns Name and Age", {"format": "markdown_table", "columns": ["Name", "Age"]}),
    ("What day was it? Answer in the format YYYY-MM-DD.", {"format": "date"}),
    ("Give the duration in ISO 8601 format", {"format": "duration"}),
    ("Respond with a timestamp in ISO 8601 format.", {"format": "date-time"}),
    ("Return the answer in <answer> tags as YAML.", {"template": "<answer>{yaml}</answer>"}),
    ("Your response must be valid JSON.", {"format": "json"}),
    ("JSON only, no prose.", {"format": "json"}),
    ("Convert this XML to JSON.", {"format": "json"}),
    ("Summarise the text below.\n\nOutput format: JSON", {"format": "json"}),
    ("Explain your answer, then return the result in JSON.", {"format": "json"}),
    ("Return one JSON object per line.", {"format": "ndjson", "json_schema": {"type": "object"}}),
    ("Write the records as JSON Lines.", {"format": "ndjson"}),
    ("as a CSV with columns a, b", {"format": "csv", "columns": ["a", "b"]}),
    ("Answer as CSV with columns: name, age and city.", {"format": "csv", "columns": ["name", "age", "city"]}),
    ("List them as CSV with three columns and no header.", {"format": "csv", "columns": 3, "header": False}),
    ("Create a semicolon-separated CSV of the rows.", {"format": "csv", "delimiter": ";"}),
    ("respond in YAML", {"format": "yaml"}),
    ("Do not use JSON; answer as YAML.", {"format": "yaml"}),
    ("Output the TOML config.", {"format": "toml"}),
    ("Return well-formed XML with root element catalog.", {"format": "xml", "root": "catalog"}),
    ("What is an example of valid HTML?", {"format": "html"}),
    ("Output a markdown table with the results", {"format": "markdown_table"}),
    ("a valid email address", {"format": "email"}),
    ("Generate a UUID", {"format": "uuid"}),
    ("Give a URL of the project.", {"format": "url"}),
    ("Give an ISO 8601 date.", {"format": "date"}),
    ("Provide the timestamp as RFC 3339 date-time", {"format": "date-time"}),
    ("Return an IPv4 address.", {"format": "ipv4"}),
    ("Produce a semantic version number", {"format": "semver"}),
    ("Write a regular expression matching digits", {"format": "regex"}),
    ("Write a Python function that parses JSON.", {"format": "python"}),
    ("Write JavaScript code to sort an array.", {"format": "javascript"}),
    ("Write a SQL query to list users.", {"format": "sql"}),
    ("wrap reasoning in <think>…", {"template": "<think>{text}</think>{text}"}),
    (
        "First think inside <think></think>, then answer in <answer></answer> tags.",
        {"template": "<think>{text}</think><answer>{text}</answer>"},
    ),
    ("Put the final answer in <result> tags.", {"template": "<result>{text}</result>"}),
    ("Return the answer inside <answer> tags as JSON", {"template": "<answer>{json}</answer>"}),
    (
        "Wrap your reasoning in <think> and </think>, then return JSON.",
        {"all_of": [{"template": "<think>{text}</think>{text}"}, {"format": "json"}]},
    ),
]

NOT_ASKED = [
    "What is JSON?",
    "What's a UUID?",
    "How can I convert JSON to YAML?",
    "How do I write valid JSON by hand?",
    "Is the following valid YAML? Answer yes or no.",
    "Check whether this is a valid email address: a@b.",
    "The file is in CSV format. How many rows does it have?",
    "I have data in JSON. Describe it in words.",
    "The code is written in Python. Explain it.",
    "Name a tool that converts JSON to CSV.",
    "Write a letter to the JSON working group.",
    'What does "respond in JSON" mean?',
    'Translate "Return JSON" into French.',
    "Reply in plain text, not JSON.",
    "Use plain English instead of JSON.",
    "Your answer must not be in JSON.",
    "Give the time in ISO 8601 format.",  # RFC 3339 wants an offset, which the prompt may not mean
    "Return the Unix timestamp.",
    "",
    "What is the capital of France?",
    "Tell me about JSON Schema.",
    "Here is JSON: {} Summarise it in prose.",
    "Parse the following CSV and compute the mean.",
    "Send an email to Bob.",
    "Never return JSON.",
    "Compare XML and YAML.",
    "x" * 100_000,
    "\ud800\x00",
    "What is the URL of the city's library?",
    "Use <em> tags for names of ships.",
    "Using the YAML above, work out the total.",
    "Which rooms are listed in the JSON?",
    "Describe the XML output of the scanner.",
    "The scanner stores its readings as CSV. Which is the highest?",
    "As a JavaScript engineer, tell me what a closure is.",
    "Give four random IPv6 addresses.",
    "Count the members of the JSON object.",
    "Answers in YAML will be ignored.",
    "Show me how to write valid TOML.",
    "Write a guide to reading files in Python.",
    "Not JSON, please.",
]


@pytest.mark.parametrize(("prompt", "reference"), ASKED, ids=[prompt[:40] for prompt, _ in ASKED])
def test_the_asked_format_is_recognised(prompt: str, reference: dict[str, Any]) -> None:
    found = asked_format(prompt)
    assert found is not None
    assert found.model_dump(exclude_none=True) == reference


@pytest.mark.parametrize("prompt", NOT_ASKED, ids=[prompt[:40].encode("ascii", "replace") for prompt in NOT_ASKED])
def test_a_prompt_that_asks_for_no_format_gives_none(prompt: str) -> None:
    assert asked_format(prompt) is None


OBJECT = {"type": "object", "required": ["a", "b"]}
EITHER = {"if": {"type": "array"}, "then": {"type": "array", "items": OBJECT}, "else": OBJECT}


@pytest.mark.parametrize(
    ("prompt", "schema"),
    [
        ("Return JSON with keys a and b.", EITHER),
        ("Respond with a JSON object with the keys a and b.", OBJECT),
        ('Output a JSON array of objects having the fields "a", "b".', {"type": "array", "items": OBJECT}),
        (
            "Return JSON with the following keys:\n- a: the first\n- b (integer)\nNothing else.",
            one_or_many(OBJECT | {"properties": {"b": {"type": "integer"}}}),
        ),
        ("Return JSON with the keys:\n1. `a`\n2. `b`\n3. `c` (optional)", EITHER),
        (
            "The JSON must contain the fields a (string), b (number).",
            one_or_many(OBJECT | {"properties": {"a": {"type": "string"}, "b": {"type": "number"}}}),
        ),
        ('Reply with a JSON object with the key "answer".', {"type": "object", "required": ["answer"]}),
        ("Return JSON with keys sorted alphabetically.", None),
        ("Return JSON with keys sorted.", None),
        ("Return JSON with keys and values quoted.", None),
        ("Return JSON with keys such as a and b.", None),
        ("Return JSON with keys a or b.", None),
        ("Return JSON with fields separated by commas.", None),
        ("Return a JSON object whose keys are the words.", {"type": "object"}),
        ("Return a JSON array", {"type": "array"}),
        ("Provide the output as a JSON dictionary.", {"type": "object"}),
        ("Return a JSON object or array.", None),
        ("Return a JSON object, or a JSON array if there are several.", None),
        ("Return a JSON object for each person.", None),
    ],
)
def test_keys_that_a_prompt_plainly_lists_are_required(prompt: str, schema: dict[str, Any] | None) -> None:
    found = asked_format(prompt)
    assert found is not None
    assert found.format == "json"
    assert found.json_schema == schema


RECORD = {"type": "object", "required": ["product", "price"]}
TYPED = RECORD | {"properties": {"product": {"type": "string"}, "price": {"type": "number"}}}
LITERAL = {"type": "object", "properties": {"id": {"type": "integer"}}, "required": ["id"]}


@pytest.mark.parametrize(
    ("prompt", "schema"),
    [
        ('Respond only with JSON in the format {"product": string, "price": number}. A nut costs $5.', TYPED),
        ('Answer as JSON with the following structure:\n```json\n{"product": "...", "price": <price>,}\n```', RECORD),
        ('Return JSON like {"product": "nut", "price": 5}', RECORD),
        ('Return JSON. Use this structure: {"product": "...", "price": 0, "note": string (optional)}', RECORD),
        ('Return a JSON array like [{"product": "...", "price": 0}]', {"type": "array", "items": RECORD}),
        ('Return JSON for each nut in the format {"product": "...", "price": 0}', one_or_many(RECORD)),
        ('Return a JSON object with "product" and "price" fields.', RECORD),
        ("Return a JSON object. The fields must be 'product' and 'price'.", RECORD),
        (f"Return a JSON object matching this schema: {json.dumps(LITERAL)}", LITERAL),
        (f"Return JSON. Schema:\n```json\n{json.dumps(LITERAL, indent=1)}\n```", LITERAL),
        (f"Return a JSON array of matches, each following the schema {json.dumps(LITERAL)}", one_or_many(LITERAL)),
        ('Return a JSON array of objects with "product" and "price" keys.', {"type": "array", "items": RECORD}),
        # What may be meant otherwise asks for no keys.
        ('Count the words and return JSON like {"cat": 3, "dog": 2}.', None),
        ('Translate to French as JSON like {"hello": "bonjour"}.', None),
        ('Return JSON in the format {"key": "value"}.', None),
        ('Return JSON with nuts holding objects in the format {"product": "...", "price": 0}.', None),
        ('Return JSON with a list of nuts having "product" and "price" fields.', None),
        ('Return JSON with each nut in the format {"product": "...", "price": 0}, wrapped in "nuts".', None),
        ('Return JSON. Text: "It is like {"product": "nut", "price": 5}."', None),
        ('Return JSON in the format {"product": string, ...}.', None),
        ('Return JSON like {"product": "..."}. If there is none, return {"error": "..."}.', None),
        ('Return valid JSON without "product" and "price" fields.', None),
        ('Return JSON with "product" and optionally "price" fields.', None),
        ('Return JSON. The input has the format {"product": "...", "price": 0}.', None),
        ('Return JSON matching the schema {"type": "thing"}', None),
        ('Return JSON matching the schema {"$ref": "https://example.com/schema", "type": "object"}', None),
        ("Return JSON matching the schema " + '{"properties":' * 1000, None),
        ("Return JSON in the format " + '{"product":' * 1000, None),
    ],
)
def test_the_object_or_schema_that_a_prompt_shows_is_required(prompt: str, schema: dict[str, Any] | None) -> None:
    found = asked_format(prompt)
    assert found is not None
    assert found.format == "json"
    assert found.json_schema == schema


@pytest.mark.parametrize("value", [r'"\ud800"', "1e999", "NaN", "9" * 30])
def test_a_schema_with_values_that_no_json_can_carry_is_left_alone(value: str) -> None:
    found = asked_format(f'Return JSON matching the schema {{"type": "object", "const": {value}}}')
    assert found is not None
    assert found.json_schema is None


def test_instructions_at_either_end_of_a_long_prompt_are_found() -> None:
    for prompt in ("Return valid JSON.\n" + "data " * 20_000, "data " * 20_000 + "\nReturn valid JSON."):
        found = asked_format(prompt)
        assert found is not None
        assert found.format == "json"


ANY_OF = [
    ("Return JSON or XML.", ["json", "xml"]),
    ("Return JSON, YAML or TOML.", ["json", "yaml", "toml"]),
    ("Return either valid JSON or a well-formed XML document.", ["json", "xml"]),
    ("Respond in CSV or JSON format.", ["csv", "json"]),
]


@pytest.mark.parametrize(("prompt", "names"), ANY_OF)
def test_any_of_several_formats_may_be_asked_for(prompt: str, names: list[str]) -> None:
    found = asked_format(prompt)
    assert found is not None
    assert found.model_dump(exclude_none=True) == {"any_of": [{"format": name} for name in names]}


@pytest.mark.parametrize(
    "prompt", ["Return JSON or an empty string.", "Return JSON, or I will be sad.", "Return JSON."]
)
def test_what_stands_behind_an_or_need_not_be_a_format(prompt: str) -> None:
    found = asked_format(prompt)
    assert found is not None
    assert found.format == "json"


@pytest.mark.parametrize(
    "prompt",
    [
        "Return JSON wrapped in ```json fences.",
        "Wrap your JSON output in a markdown code block.",
        "Respond in a ```json code block.",
        "Return JSON enclosed in triple backticks.",
        "Return JSON inside a fenced code block, please.",
    ],
)
def test_a_prompt_that_asks_for_a_fence_has_it_taken_off(judge: Judge, prompt: str) -> None:
    result = judge('```json\n{"a": 1}\n```', prompt=prompt)
    assert result.score == 1.0
    assert result.details["recognised"] == {"format": "json", "extract": "auto"}
    assert judge('```json\n{"a": 1,}\n```', prompt=prompt).score == 0.0
    assert judge('```json\n{"a": 1}\n```', prompt=prompt, extract="whole").score == 0.0


@pytest.mark.parametrize(
    "prompt",
    [
        "Return JSON. Do not wrap it in code fences.",
        "Return only JSON, no code fences.",
        "Return JSON (no markdown, no ``` fences).",
        "Output raw JSON, not inside a code block.",
        "Return JSON without markdown code blocks.",
        "Return valid JSON.",
    ],
)
def test_a_prompt_that_asks_for_no_fence_has_none_taken_off(judge: Judge, prompt: str) -> None:
    assert judge("{}", prompt=prompt).score == 1.0
    assert judge("```json\n{}\n```", prompt=prompt).score == 0.0


def test_the_kind_of_json_that_is_asked_for_is_required(judge: Judge) -> None:
    assert judge("{}", prompt="Return a JSON object.").score == 1.0
    assert judge("[]", prompt="Return a JSON object.").score == 0.0
    assert judge("{}", prompt="Return a JSON array").score == 0.0
    assert judge("[]", prompt="Return a JSON object or array.").score == 1.0


@pytest.mark.parametrize(
    ("prompt", "right", "wrong"),
    [
        ("Return JSON Lines; each line must have the keys id and name.", '{"id": 1, "name": "a"}', '{"id": 1}'),
        ('Output JSONL with one object per line containing "id" and "name".', '{"id": 1, "name": 2}', '{"name": 2}'),
        ("Return JSON Lines, one JSON array per line.", "[1]\n[2]", "{}\n[2]"),
        (
            'Return JSON Lines. Each line: {"id": number, "tag": string}',
            '{"id": 1, "tag": "x"}',
            '{"id": "1", "tag": "x"}',
        ),
        ('Write NDJSON; every record looks like {"id": <number>}.', '{"id": 1}', '{"key": 1}'),
        (
            "Produce a JSONL file. Each record must contain: user, text and label.",
            '{"user": 1, "text": "", "label": 0}',
            "{}",
        ),
        ("Give a UUID wrapped in backticks.", "`123e4567-e89b-12d3-a456-426614174000`", "`123e4567`"),
        ("Return the date in ISO 8601 format, enclosed in single backticks.", "`2024-02-29`", "`2024-02-30`"),
    ],
)
def test_what_a_prompt_says_of_each_line_and_of_ticks_counts(prompt: str, right: str, wrong: str) -> None:
    verifier = FormatVerifier()
    assert verifier.check(FormatRequest(prompt=prompt, response=right)).score == 1.0
    assert verifier.check(FormatRequest(prompt=prompt, response=wrong)).score == 0.0


@pytest.mark.parametrize(
    "prompt",
    [
        'Return JSON Lines. Each line: {"id": 1} or {"error": "..."}',
        "Return JSON Lines, each line keyed by name: {}",
        "Return JSON Lines. Each line must have: no comments and no trailing comma",
    ],
)
def test_what_may_mean_something_else_of_each_line_requires_nothing(prompt: str) -> None:
    assert FormatVerifier().check(FormatRequest(prompt=prompt, response='{"other": 1}')).score == 1.0


CITY = 'Respond with a JSON object with keys "city" (string), "pop" (integer) and "note" (string or null).'
LISTED_TYPES = "Return JSON with these keys:\n- name: string, in full\n- tags: list of strings\n"


@pytest.mark.parametrize(
    ("prompt", "right", "wrong"),
    [
        ("Give me the list as a JSON array of strings.", '["a"]', "[1, 2]"),
        ("Return a JSON list of integers.", "[]", '["a"]'),
        (CITY, '{"city": "X", "pop": 5, "note": null}', '{"city": "X", "pop": "5", "note": null}'),
        (CITY, '{"city": "X", "pop": 5, "note": "y"}', '{"city": "X", "pop": 5, "note": 1}'),
        (LISTED_TYPES, '{"name": "x", "tags": ["a"]}', '{"name": "x", "tags": [1]}'),
        ("Return a JSON object with integer field age.", '{"age": 3}', '{"age": "x"}'),
        ('Return JSON with a boolean key "ok" and a string key "why".', '{"ok": true, "why": "x"}', '{"ok": "x"}'),
        ("Return a JSON array of objects with keys a (number) and b (bool).", '[{"a": 1, "b": true}]', '[{"a": "1"}]'),
    ],
)
def test_types_that_a_prompt_names_are_required(judge: Judge, prompt: str, right: str, wrong: str) -> None:
    assert judge(right, None, prompt=prompt).score == 1.0
    assert judge(wrong, None, prompt=prompt).score != 1.0


@pytest.mark.parametrize(
    ("prompt", "response"),
    [
        ("Return a JSON array of strings or numbers.", "[1]"),
        ("Return a JSON array of string pairs.", '[["a", "b"]]'),
        ("Return JSON with the keys size (number in cm) and pop (number of people).", '{"size": "1 cm", "pop": "5"}'),
        ("Return JSON with these keys:\n- a: integer or string\n- b: number (may be null)", '{"a": "x", "b": null}'),
        ("Return JSON with these keys:\n1. list\n2. number", '{"list": "x", "number": "y"}'),
    ],
)
def test_words_that_are_no_mere_types_require_none(judge: Judge, prompt: str, response: str) -> None:
    assert judge(response, None, prompt=prompt).score == 1.0


@pytest.mark.parametrize(
    ("told", "closed"),
    [
        ("exactly two keys: a and b", True),
        ("only the keys a and b", True),
        ("keys a and b only", True),
        ("keys a and b and nothing else", True),
        ("exactly these keys:\n- a: integer\n- b: integer", True),
        ("the keys a and b", False),
        ("exactly these keys: a, b, c (optional)", False),
        ("keys a and b only if they are known", False),
    ],
)
def test_no_other_keys_may_stand_where_exactly_these_are_asked_for(judge: Judge, told: str, closed: bool) -> None:
    prompt = f"Return JSON with {told}."
    assert judge('{"a": 1, "b": 2}', None, prompt=prompt).score == 1.0
    assert (judge('{"a": 1, "b": 2, "c": 3}', None, prompt=prompt).score != 1.0) == closed


def test_only_json_may_have_other_keys(judge: Judge) -> None:
    assert judge('{"a": 1, "b": 2, "c": 3}', None, prompt="Return JSON only with the keys a and b.").score == 1.0
