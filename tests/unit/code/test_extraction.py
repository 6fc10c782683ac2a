"""Finding the program in a response, and completing it from the prompt."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from verifleet.verifiers.code.comparison import same_output, same_value
from verifleet.verifiers.code.extraction import extract
from verifleet.verifiers.code.prompts import completed, reference_in

F = "def f(x):\n    return x\n"


@pytest.mark.parametrize(
    "response",
    [
        f"```python\n{F}```",
        f"```py\n{F}```",
        f"~~~python\n{F}~~~",
        f"````\n{F}````",
        f"<think>```python\ndef f(x): wrong\n```</think>\n```python\n{F}```",
        f"why\n</think>\n```python\n{F}```",
        f"First try:\n```python\ndef f(x): return 0\n```\nBetter:\n```python\n{F}```",
        f"```python\n{F}```\nUse it so:\n```python\nprint(f(1))\n```",
        f"```python\n{F}```\nIt prints:\n```\n1\n```",
        f"Run `pip`:\n```bash\npip install x\n```\n```\n{F}```",
        F,
        f"Here is the function:\n\n{F}\nIt returns its argument unchanged.",
        "1. Do this:\n   ```python\n   def f(x):\n       return x\n   ```\n",
        f"<answer>```python\n{F}```</answer>",
        f"```python\n{F.rstrip()}```",
        f"```python\ndef f(x): return 0```\nNo:\n```python\n{F.rstrip()}```\nSo.",
        f'```python\n{F}"""Not a ```fence```\n"""\n```\nIt works.',
        f"[PYTHON]\n{F}[/PYTHON]\n[TESTS]\nassert f(0)\n[/TESTS]",
        f"[BEGIN]\n{F}\n[DONE]",
        "The function is\n\n    def f(x):\n        return x\n\nas asked.",
        f"```\n{F}```\nIn Rust:\n```rust\nlet f = |x| x;\nfor i in x {{}}\n```",
        f"<thinking>\n```python\ndef f(x): wrong\n```\n</thinking>\n```python\n{F}```",
        f"<answer>\n{F}</answer>",
        f"<answer>\ndef f(x): return 0\n</answer>\nNo:\n<answer>\n{F}</answer>",
    ],
)
def test_the_last_complete_block_that_defines_the_function_is_taken(response: str) -> None:
    found = extract(response, "python", ("f",))
    assert not found.problem
    space: dict[str, object] = {}
    exec(found.code, space)
    assert space["f"](7) == 7  # type: ignore[operator]


@pytest.mark.parametrize(
    ("response", "language", "code"),
    [
        ("<answer>\nSELECT 1\n</answer>", "sql", "SELECT 1\n"),
        ("```\nSELECT 1\n```\nwhich gives\n```\n1\n```", "sql", "SELECT 1\n"),
        ("The query is `SELECT a FROM t`, not `SELECT b`.", "sql", "SELECT b"),
        ("It is `SELECT a FROM t`; `a` is a column.", "sql", "SELECT a FROM t"),
        ("You want:\n\nSELECT 1\nFROM t\n\nIt selects.", "sql", "SELECT 1\nFROM t"),
        ("SELECT 1;\n\nThis selects one row; really.", "sql", "SELECT 1;"),
        (
            "Here:\nconst f = (x) => {\n  return x;\n}\nThat returns it",
            "javascript",
            "const f = (x) => {\n  return x;\n}\n",
        ),
        ("  return x;\n}\n", "javascript", "  return x;\n}\n"),
    ],
)
def test_prose_around_unfenced_code_is_left_out(response: str, language: str, code: str) -> None:
    assert extract(response, language, ()).code == code


def test_a_program_that_reads_input_is_preferred_to_an_example() -> None:
    response = "```python\nprint(input())\n```\nOr:\n```python\nprint(1)\n```"
    assert "input" in extract(response, "python", (), reads_input=True).code


@pytest.mark.parametrize(
    ("response", "problem"),
    [
        ("```python\ndef f(x): return x", "never closed"),
        ("<think>```python\nx\n```", "never closed"),
        ("", "no code"),
        ("Sorry, no.", "no code"),
        ("```json\n{}\n```", "no python code"),
        ("```python\n\n```", "no python code"),
    ],
)
def test_what_is_no_program_says_why(response: str, problem: str) -> None:
    assert problem in extract(response, "python", ("f",)).problem


def test_the_span_points_at_the_code() -> None:
    response = f"<think>a</think>Hi\n```python\n{F}```"
    found = extract(response, "python", ())
    assert found.span is not None
    assert response[found.span[0] : found.span[1]] == found.code == F


@settings(max_examples=200, deadline=None)
@given(st.text(), st.sampled_from(["python", "javascript", "sql"]), st.booleans())
def test_any_text_is_extracted_or_refused(text: str, language: str, fence: bool) -> None:
    found = extract(f"```\n{text}\n```" if fence else text, language, ("f",))
    assert bool(found.problem) != bool(found.code.strip())


PROMPT = 'from typing import List\n\ndef helper(x):\n    return x + 1\n\ndef f(x: List[int]) -> int:\n    """Add."""\n'


@pytest.mark.parametrize(
    "response",
    [
        "    return helper(sum(x))\n",
        "```python\nreturn helper(sum(x))\n```",
        "```python\ndef f(x: List[int]) -> int:\n    return helper(sum(x))\n```",
        f"```python\n{PROMPT}    return helper(sum(x))\n```",
    ],
)
def test_the_prompt_gives_imports_helpers_and_the_head(response: str) -> None:
    found = completed(extract(response, "python", ("f", "helper")), PROMPT, "python", ("f", "helper"))
    space: dict[str, object] = {}
    exec(found.code, space)
    assert space["f"]([1, 2]) == 4  # type: ignore[operator]


def test_test_lines_of_a_prompt_are_read() -> None:
    prompt = (
        "Reverse.\nTest 1: input=\"a\\nb\", output=\"b\\na\"\nTest 2: input='x', output='x'\ntest 3: input=5, output=5"
    )
    reference = reference_in(prompt)
    assert reference is not None
    assert reference.tests is not None
    assert [(t.input, t.output) for t in reference.tests] == [("a\nb", "b\na"), ("x", "x"), ("5", "5")]
    assert reference_in("nothing here") is None


@pytest.mark.parametrize(
    ("actual", "expected", "same"),
    [
        ((1, [2, (3,)]), [1, [2, [3]]], True),
        ({1: "a", None: 2}, {"1": "a", "null": 2}, True),
        ({1, 2}, [2, 1], True),
        ({1, 2}, [1, 2, 2], False),
        (True, 1, False),
        (1, True, False),
        (1.0, 1, True),
        (float("nan"), float("nan"), True),
        (0.1 + 0.2, 0.3, False),
        ("1", 1, False),
        (None, False, False),
        (b"x", "x", False),
        (10**400, 1.5, False),
    ],
)
def test_values_are_compared_as_json_would_have_them(actual: object, expected: object, same: bool) -> None:
    assert same_value(actual, expected, None) is same


def test_tolerance_is_relative() -> None:
    assert same_value([0.1 + 0.2, 1000.1], [0.3, 1000.0], 1e-3)
    assert not same_value(0.31, 0.3, 1e-3)
    assert same_output("x 3.14159\n", "x 3.1416", "trailing", 1e-4)
    assert not same_output("x 3.2", "x 3.1416", "trailing", 1e-4)


@given(st.text(alphabet="ab \n\t", max_size=30))
def test_an_output_equals_itself_however_white_space_counts(text: str) -> None:
    assert all(same_output(text, text, whitespace, None) for whitespace in ("exact", "trailing", "any"))
    assert same_output(text + "\n", text, "trailing", None)
