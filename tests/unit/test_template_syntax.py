"""The parts of a template, and what is wrong with one."""

import pytest

from verifleet.template_syntax import MAX_LENGTH, Mark, TemplateError, check_template, template_parts


def test_a_template_is_its_fixed_texts_tags_and_placeholders_in_order() -> None:
    assert template_parts("So: <a x='1'>{text}</a> {{ {int}, {} }}") == (
        Mark("So:", False),
        Mark("<a x='1'>", True),
        "text",
        Mark("</a>", True),
        Mark("{", False),
        "int",
        Mark(",", False),
        "text",
        Mark("}", False),
    )


def test_any_text_may_be_named_after_the_tag_right_before_it() -> None:
    assert template_parts("<a>x</a><plan id='1'>{plan}</plan>")[4] == "plan"
    for template in ("<plan>so {plan}</plan>", "<plan><b>{plan}</b></plan>", "<plans>{plan_}</plans>"):
        with pytest.raises(TemplateError, match="is not known"):
            template_parts(template)


@pytest.mark.parametrize(
    ("template", "told"),
    [
        ("Say: {text}{int}", "nothing between two placeholders"),
        ("Say: {text} {int}", "only white space between two placeholders"),
        ("<a>{text}</a>{", "a single brace at 13"),
        ("a}", "a single brace at 1"),
        (" \n", "is empty"),
        ("{jsn}", "did you mean {json}?"),
        ("{%s}" % ("q" * 90), "placeholder {%s} is not known" % ("q" * 60)),
    ],
)
def test_a_template_that_can_not_be_used_says_why(template: str, told: str) -> None:
    with pytest.raises(TemplateError) as refused:
        check_template(template)
    assert told in str(refused.value)


def test_a_template_is_as_long_as_the_limit_and_no_longer() -> None:
    assert MAX_LENGTH == 100_000
    check_template("x" * MAX_LENGTH)
    for longer in (1, 2):
        with pytest.raises(TemplateError, match="longer than 100000 characters"):
            check_template("x" * (MAX_LENGTH + longer))


def test_marks_do_not_change() -> None:
    with pytest.raises(AttributeError):
        Mark("a", True).text = "b"  # type: ignore[misc]
