"""XML: well-formed or not, a document type, entities, root and XSD."""

import xml.etree.ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.unit.format.conftest import InlineWorkers, Judge
from verifleet.verifiers.format.xml_text import check_xml

ACCEPTED = [
    "<a/>",
    "<a xmlns='relative'/>",
    "<?xml version='1.1'?><a/>",
    '<?xml version="1.0" encoding="UTF-16"?><a/>',
    "\ufeff<a/>",
    "<a><b x='1' y=\"2\">t&lt;&#233;</b><!-- c --><?pi d?><![CDATA[<]]></a>",
    '<x:a xmlns:x="urn:x"/>',
    "<é>é</é>",
    '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-strict.dtd"><html/>',
    "<!DOCTYPE a [<!ELEMENT a (b)>]><a/>",
    '<!DOCTYPE a [<!ENTITY e "text">]><a>&e;</a>',
    '<!DOCTYPE a [<!ELEMENT a ANY><!ATTLIST a i ID #IMPLIED>]><a i="1"><a i="1"/></a>',
    '<!DOCTYPE a [<!NOTATION n SYSTEM "n"><!ENTITY p SYSTEM "p.gif" NDATA n>]><a/>',
]

REFUSED = [
    ("", "empty"),
    ("text", "document_empty"),
    ("<a>", "tag_not_finished"),
    ("<a></b>", "tag_name_mismatch"),
    ("<a/><b/>", "document_end"),
    ("<a/>text", "document_end"),
    ("<a b=1/>", "attribute_not_started"),
    ('<a b="1" b="2"/>', "attribute_redefined"),
    ('<a b="<"/>', None),
    ("<a>&nbsp;</a>", "undeclared_entity"),
    ("<a>&</a>", None),
    ("<a>]]></a>", None),
    ("<a><!-- a -- b --></a>", None),
    ("<x:a/>", "ns_err_undefined_namespace"),
    ("<a p:b='1'/>", "ns_err_undefined_namespace"),
    ("<a:b:c/>", None),
    ("<a xmlns:p='u' xmlns:q='u' p:b='' q:b=''/>", "ns_err_attribute_redefined"),
    ("<a xmlns:p=''/>", "ns_err_xml_namespace"),
    ("<a>\x01</a>", "invalid_char"),
    ("<1a/>", None),
    ("<A></a>", "tag_name_mismatch"),
    ("<a>\ud800</a>", "lone_surrogate"),
    ('<!DOCTYPE a [<!ENTITY e SYSTEM "file:///etc/passwd">]><a>&e;</a>', "external_entity"),
    ('<!DOCTYPE a [<!ENTITY e PUBLIC "p" "http://example.com/e">]><a/>', "external_entity"),
    ('<!DOCTYPE a [<!ENTITY % e SYSTEM "http://example.com/e"> %e;]><a/>', "external_entity"),
    ("<!DOCTYPE a [<!ENTITY % p \"<!ENTITY e SYSTEM 'file:///etc/passwd'>\"> %p;]><a>&e;</a>", "external_entity"),
    ('<!DOCTYPE a [<!ENTITY e "&f;"><!ENTITY f "&e;">]><a>&e;</a>', "entity_loop"),
]


@pytest.mark.parametrize("text", ACCEPTED)
def test_well_formed_xml_is_accepted(text: str) -> None:
    assert check_xml(text, None, InlineWorkers()) is None


@pytest.mark.parametrize(("text", "rule"), REFUSED)
def test_ill_formed_xml_is_refused(text: str, rule: str | None) -> None:
    fault = check_xml(text, None, InlineWorkers())
    assert fault is not None
    assert rule is None or fault.rule == rule


def test_the_place_of_a_fault_is_exact(judge: Judge) -> None:
    result = judge(" <a>\n  <b></c>\n</a>", "xml")
    fault = result.details["fault"]
    assert (fault["line"], fault["column"]) == (2, 6)


@pytest.mark.parametrize(
    "entities",
    [
        ['<!ENTITY l0 "lolololol">', *(f'<!ENTITY l{i + 1} "{f"&l{i};" * 10}">' for i in range(9))],
        [f'<!ENTITY l9 "{"a" * 60_000}">'],
    ],
    ids=["nested", "quadratic"],
)
def test_an_entity_bomb_is_refused(entities: list[str]) -> None:
    fault = check_xml(f"<!DOCTYPE a [{''.join(entities)}]><a>{'&l9;' * 200}</a>", None, InlineWorkers())
    assert fault is not None


def test_a_required_root_is_compared_by_its_name(judge: Judge) -> None:
    assert judge("<a/>", {"format": "xml", "root": "a"}).score == 1.0
    assert judge('<p:a xmlns:p="u"/>', {"format": "xml", "root": "{u}a"}).score == 1.0
    assert judge(f"<!-- {'x' * 100_000} --><a/>", {"format": "xml", "root": "a"}).score == 1.0
    result = judge("<b/>", {"format": "xml", "root": "a"})
    assert (result.score, result.verdict, result.details["fault"]["rule"]) == (0.0, "incorrect", "root")


XSD = """<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema"><xs:element name="n" type="xs:integer"/></xs:schema>"""


def test_an_xsd_is_applied(judge: Judge) -> None:
    assert judge("<n>12</n>", {"format": "xml", "xsd": XSD}).score == 1.0
    result = judge("<n>twelve</n>", {"format": "xml", "xsd": XSD})
    assert (result.score, result.verdict) == (0.0, "incorrect")
    assert result.details["fault"]["path"] == "/n"


@pytest.mark.parametrize("element", ["include", "import", "redefine"])
def test_an_xsd_may_not_take_in_another_document(judge: Judge, element: str) -> None:
    xsd = XSD.replace("<xs:element", f'<xs:{element} schemaLocation="file:///etc/passwd"/><xs:element', 1)
    result = judge("<n>12</n>", {"format": "xml", "xsd": xsd})
    assert result.score == 0.0
    assert result.details["fault"]["in"] == "reference"


names = st.from_regex(r"[A-Za-z_][A-Za-z0-9_.-]{0,8}", fullmatch=True).filter(lambda n: not n.lower().startswith("xml"))
texts = st.text(st.characters(min_codepoint=32, exclude_categories=["Cs"], exclude_characters="\ufffe\uffff"))


@given(names, st.dictionaries(names, texts, max_size=3), st.lists(st.tuples(names, texts), max_size=4))
def test_whatever_the_standard_library_writes_is_accepted(
    name: str, attributes: dict[str, str], children: list[tuple[str, str]]
) -> None:
    root = ET.Element(name, attributes)
    for child, text in children:
        ET.SubElement(root, child).text = text
    assert check_xml(ET.tostring(root, encoding="unicode"), None, InlineWorkers()) is None
