"""The filter language of subscriptions: what each form means, what is refused, and that text and meaning agree."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verifleet.local.broker.filters import (
    MAX_BYTES,
    AllOf,
    AnyOf,
    Equals,
    Filter,
    FilterError,
    Has,
    HasPrefix,
    Not,
    parse_filter,
    quote,
)

MATH = {"verifier": "math", "schema": "verification_request_v1"}


@pytest.mark.parametrize(
    ("text", "matches"),
    [
        ("attributes:verifier", True),
        ("attributes:missing", False),
        ("attributes : verifier", True),
        ('attributes.verifier = "math"', True),
        ('attributes.verifier="math"', True),
        ('attributes.verifier = "Math"', False),
        ('attributes.verifier != "math"', False),
        ('attributes.verifier != "code"', True),
        ('attributes.missing != "anything"', True),
        ('hasPrefix(attributes.verifier, "ma")', True),
        ('hasPrefix( attributes.verifier ,"ma" )', True),
        ('hasPrefix(attributes.verifier, "")', True),
        ('hasPrefix(attributes.missing, "")', False),
        ("NOT attributes:missing", True),
        ("-attributes:verifier", False),
        ('NOT attributes.verifier = "code"', True),
        ('NOT (attributes.verifier = "math" OR attributes.verifier = "code")', False),
        ('attributes.verifier = "math" AND attributes:schema AND NOT attributes:missing', True),
        ('attributes:missing OR attributes.verifier = "math"', True),
        ('attributes:schema AND (attributes.verifier = "code" OR attributes.verifier = "math")', True),
        ("((attributes:schema))AND(attributes:verifier)", True),
        ('attributes:"verifier"', True),
        ('attributes."verifier" = "m\\u0061th"', True),
        ('attributes.verifier = "\\x6dath"', True),
        ('attributes.verifier = "\\155ath"', True),
        ('attributes.verifier = "\\U0000006Dath"', True),
        ("\n attributes:verifier\t", True),
    ],
)
def test_a_filter_means_what_pubsub_documents(text: str, matches: bool) -> None:
    assert parse_filter(text).matches(MATH) is matches


def test_keys_and_values_with_any_characters_are_written_in_quotes() -> None:
    attributes = {"iana.org/language_tag": 'He said "\\o/"\n', "みんな": "ja"}
    assert parse_filter('attributes:"iana.org/language_tag" AND attributes."みんな" = "ja"').matches(attributes)
    assert parse_filter('attributes:"\\u307F\\u3093\\u306A"').matches(attributes)
    assert parse_filter('attributes."iana.org/language_tag" = "He said \\"\\\\o/\\"\\n"').matches(attributes)


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "attributes",
        "attributes:",
        "attributes.a",
        "attributes.a = b",
        "attributes.a = 'b'",
        'attributes.a == "b"',
        'attributes.a > "b"',
        'attributes.a = "b',
        'attributes.a = "\\q"',
        'attributes.a = "\\xZZ"',
        'attributes.a = "\\ud800"',
        'attributes.a = "\\U00110000"',
        "attributes:a attributes:b",
        "attributes:a AND",
        "attributes:a and attributes:b",
        "attributes:a AND attributes:b OR attributes:c",
        "NOT NOT attributes:a",
        "NOTattributes:a",
        "(attributes:a",
        "attributes:a)",
        'hasPrefix(attributes.a "b")',
        'hasSuffix(attributes.a, "b")',
        "data:a",
        "attributes:iana.org/tag",
        "__import__('os')",
    ],
)
def test_what_is_not_a_filter_is_refused_with_the_place(text: str) -> None:
    with pytest.raises(FilterError, match="character"):
        parse_filter(text)


def test_a_filter_is_bounded_in_length_and_depth() -> None:
    deep = "(" * 121 + "attributes:a" + ")" * 121
    assert len(deep) <= MAX_BYTES
    assert parse_filter(deep) == Has("a")
    with pytest.raises(FilterError):
        parse_filter("(" * MAX_BYTES)
    with pytest.raises(FilterError, match="256 bytes"):
        parse_filter(f'attributes:"{"é" * 130}"')


texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
attributes_of_messages = st.dictionaries(st.sampled_from("abc"), texts, max_size=3)
comparisons: st.SearchStrategy[Filter] = st.one_of(
    st.builds(Has, texts),
    st.builds(Equals, st.sampled_from("abc"), texts),
    st.builds(HasPrefix, st.sampled_from("abc"), texts),
)
filters: st.SearchStrategy[Filter] = st.recursive(
    comparisons,
    lambda inner: st.one_of(
        st.builds(Not, inner),
        st.builds(lambda *terms: AllOf(terms), inner, inner),
        st.builds(lambda *terms: AnyOf(terms), inner, inner),
    ),
    max_leaves=4,
)


@given(filters, attributes_of_messages)
def test_a_filter_written_out_and_parsed_again_is_the_same_filter(original: Filter, attributes: dict[str, str]) -> None:
    text = str(original)
    if len(text.encode()) <= MAX_BYTES:
        parsed = parse_filter(text)
        assert parsed == original
        assert parsed.matches(attributes) is original.matches(attributes)


@given(texts)
def test_any_text_can_be_quoted(text: str) -> None:
    assert parse_filter(f"attributes.k = {quote(text)}").matches({"k": text})


@given(st.text(st.sampled_from('abd ()."\\:=!-NOTANDORhasPrefixattributes,\n') | st.characters(), max_size=80))
def test_no_text_does_anything_but_parse_or_be_refused(text: str) -> None:
    with contextlib.suppress(FilterError):
        parse_filter(text).matches({"a": "b"})
