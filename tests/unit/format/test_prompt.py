"""Which format a prompt asks for."""

from typing import Any

import pytest

from verifleet.verifiers.format.prompt import asked_format

ASKED: list[tuple[str, dict[str, Any]]] = [
    ("Return valid JSON", {"format": "json"}),
    ("Respond with a JSON object with keys email and url.", {"format": "json"}),
    ("Your response must be valid JSON.", {"format": "json"}),
    ("JSON only, no prose.", {"format": "json"}),
    ("Convert this XML to JSON.", {"format": "json"}),
    ("Summarise the text below.\n\nOutput format: JSON", {"format": "json"}),
    ("Explain your answer, then return the result in JSON.", {"format": "json"}),
    ("Return one JSON object per line.", {"format": "ndjson"}),
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
]


@pytest.mark.parametrize(("prompt", "reference"), ASKED, ids=[prompt[:40] for prompt, _ in ASKED])
def test_the_asked_format_is_recognised(prompt: str, reference: dict[str, Any]) -> None:
    found = asked_format(prompt)
    assert found is not None
    assert found.model_dump(exclude_none=True) == reference


@pytest.mark.parametrize("prompt", NOT_ASKED, ids=[prompt[:40].encode("ascii", "replace") for prompt in NOT_ASKED])
def test_a_prompt_that_asks_for_no_format_gives_none(prompt: str) -> None:
    assert asked_format(prompt) is None


def test_instructions_at_either_end_of_a_long_prompt_are_found() -> None:
    for prompt in ("Return valid JSON.\n" + "data " * 20_000, "data " * 20_000 + "\nReturn valid JSON."):
        found = asked_format(prompt)
        assert found is not None
        assert found.format == "json"
