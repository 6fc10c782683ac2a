"""XML 1.0 well-formedness through libxml2 with nothing read from outside; XSD and a required root as options."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from verifleet.verification import WorkerPool
from verifleet.verifiers.format.fault import Fault, offset_of, shown, surrogate_fault
from verifleet.verifiers.format.guarded import in_worker

if TYPE_CHECKING:
    from lxml import etree

MAX_EXPANSION: Final = 1_000_000  # characters that the entities of a document may stand for
PLAIN_DECLARATIONS: Final = 500
PLAIN_LENGTH: Final = 1_000_000  # characters of a text with a document type, for which a tree is built
_UNPARSED = re.compile(
    r"<!ENTITY\s+(\S+)\s+(?:SYSTEM|PUBLIC\s+(?:\"[^\"]*\"|'[^']*'))\s+(?:\"[^\"]*\"|'[^']*')\s+NDATA\s"
)
_PIECE: Final = 65_536  # bytes
_REFERENCE = re.compile(r"&([^\s;&#<]+);")
_VALIDITY: Final = ("VALID", "DTD")
_XSD = "{http://www.w3.org/2001/XMLSchema}"
_OUTSIDE = (_XSD + "include", _XSD + "import", _XSD + "redefine", _XSD + "override")


class XsdError(ValueError):
    """The XML Schema itself can't be used."""


class _NoTree:
    """What a parser builds when only its errors are wanted: nothing, so that tiny elements cost no memory."""

    def close(self) -> None:
        """The end of the document."""


def _parser(etree: Any, recover: bool = False, target: _NoTree | None = None) -> Any:
    return etree.XMLParser(
        target=target,
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        dtd_validation=False,
        attribute_defaults=False,
        huge_tree=False,
        recover=recover,
        encoding="utf-8",
    )


def check_xml(text: str, root: str | None, workers: WorkerPool) -> Fault | None:
    """The first fault of a trimmed text as a well-formed document, without reading anything else."""
    if not text:
        return Fault("empty", "There is no XML document: the text is empty.", 0)
    if (fault := surrogate_fault(text)) is not None:
        return fault
    if "<!DOCTYPE" not in text:
        return _plain_fault(text, root)
    if len(text) > PLAIN_LENGTH or text.count("<!") > PLAIN_DECLARATIONS:
        return in_worker(workers, xml_fault, text, root)
    return xml_fault(text, root)


def _plain_fault(text: str, root: str | None) -> Fault | None:
    """The first fault of a text without a document type: no tree is built."""
    from lxml import etree

    data = text.encode()
    parser = _parser(etree, target=_NoTree())
    try:
        etree.fromstring(data, parser)
    except etree.XMLSyntaxError as error:
        fault = _syntax_fault(text, error, parser.error_log)
    else:
        fault = _syntax_fault(text, None, parser.error_log)  # namespaces are not its target's business
    if fault is not None or root is None:
        return fault
    return _root_fault(text, _root(data), root)


def _root(data: bytes) -> Any:
    """The root element of a well-formed document, read no further than its start tag."""
    from lxml import etree

    head: Any = etree.XMLPullParser(events=("start",), encoding="utf-8", no_network=True, resolve_entities=False)
    for start in range(0, len(data), _PIECE):
        head.feed(data[start : start + _PIECE])
        if (event := next(head.read_events(), None)) is not None:
            return event[1]
    head.close()
    return next(head.read_events())[1]


def xml_fault(text: str, root: str | None) -> Fault | None:
    """The first fault, for short texts without many declarations (their handling is quadratic), or inside a worker."""
    from lxml import etree

    data = text.encode()
    parser = _parser(etree)
    try:
        tree = etree.fromstring(data, parser)
    except etree.XMLSyntaxError as error:
        fault = _syntax_fault(text, error, parser.error_log)
        if fault is not None:
            return fault
        tree = etree.fromstring(data, _parser(etree, recover=True))
    fault = _doctype_fault(text, tree)
    if fault is not None:
        return fault
    return _root_fault(text, tree, root) if root is not None else None


def _syntax_fault(text: str, error: etree.XMLSyntaxError | None, log: Any) -> Fault | None:
    """The first fault; None where a document type is merely not obeyed, which concerns validity alone."""
    first = next((entry for entry in log if _is_error(entry)), None)
    if first is None:
        if len(log) or error is None:
            return None
        return Fault("syntax", f"The XML is not well-formed: {shown(str(error))}.", offset_of(text, *error.position))
    message = shown(str(first.message).strip().rstrip("."))
    rule = str(first.type_name).lower().removeprefix("err_")
    offset = offset_of(text, first.line, first.column)
    if rule == "tag_name_mismatch" and text[offset - 1 : offset] == ">":
        offset = text.rfind("<", 0, offset)  # the library names the place behind the tag
    return Fault(rule, f"The XML is not well-formed: {message}.", offset)


def _is_error(entry: Any) -> bool:
    """Whether an entry of the log is a fault of well-formedness, not of validity, and no mere warning."""
    return entry.level_name == "FATAL" or (entry.level_name == "ERROR" and entry.domain_name not in _VALIDITY)


def _doctype_fault(text: str, tree: Any) -> Fault | None:
    """External entities and entity bombs; a document type alone is no fault."""
    dtd = tree.getroottree().docinfo.internalDTD
    if dtd is None:
        return None
    contents: dict[str, str] = {}
    unparsed = set(_UNPARSED.findall(text))
    for entity in dtd.iterentities():
        if entity.system_url is not None:
            if entity.name in unparsed:
                continue  # a link to something else than XML, which no parser reads
            message = f"The entity {shown(str(entity.name), 60)!r} is external; external entities are refused."
            return Fault("external_entity", message, _declared(text, str(entity.name)))
        contents[str(entity.name)] = str(entity.content or "")
    lengths: dict[str, int] = {}
    total = 0
    for name in _REFERENCE.findall(text):
        total += _expanded(name, contents, lengths, frozenset())
        if total > MAX_EXPANSION and total > 8 * len(text):
            message = "The entities of the document expand to an excessive size."
            return Fault("entity_expansion", message, _declared(text, name))
    return None


def _declared(text: str, name: str) -> int | None:
    found = re.search(r"<!ENTITY\s+(?:%\s+)?" + re.escape(name) + r"\s", text)
    return found.start() if found else max(0, text.find("<!DOCTYPE"))


def _expanded(name: str, contents: dict[str, str], lengths: dict[str, int], open_names: frozenset[str]) -> int:
    """The characters that an entity stands for, capped; a loop counts as endless."""
    if name in lengths:
        return lengths[name]
    content = contents.get(name)
    if content is None:
        return 0
    if name in open_names or len(open_names) > 64:
        return MAX_EXPANSION + 1
    total = len(content)
    for inner in _REFERENCE.findall(content):
        total += _expanded(inner, contents, lengths, open_names | {name})
        if total > MAX_EXPANSION:
            break
    lengths[name] = min(total, MAX_EXPANSION + 1)
    return lengths[name]


def _root_fault(text: str, tree: Any, root: str) -> Fault | None:
    from lxml import etree

    name = etree.QName(tree)
    if root in (tree.tag, name.localname) or (tree.prefix and root == f"{tree.prefix}:{name.localname}"):
        return None
    at = text.find("<" + (f"{tree.prefix}:" if tree.prefix else "") + name.localname)
    message = f"The root element is {shown(name.localname, 60)!r}, not {shown(root, 60)!r}."
    return Fault("root", message, max(0, at), "/" + shown(name.localname, 60), "incorrect")


def compile_xsd(xsd: str, _: bool) -> str | None:
    """Why an XML Schema can't be used; None where it can. Runs in a worker."""
    try:
        _schema(xsd)
    except XsdError as error:
        return str(error)
    return None


def _schema(xsd: str) -> Any:
    from lxml import etree

    try:
        schema_tree = etree.fromstring(xsd.strip().encode(), _parser(etree))
        if next(schema_tree.iter(*_OUTSIDE), None) is not None:
            raise XsdError("The XML Schema takes in another document; include and import are refused.")
        return etree.XMLSchema(schema_tree)
    except (etree.XMLSyntaxError, etree.XMLSchemaParseError, UnicodeEncodeError) as error:
        raise XsdError(f"The XML Schema can't be used: {shown(str(error))}") from None


def xsd_fault(text: str, xsd: str) -> Fault | None:
    """The first fault of a well-formed document by an XML Schema. Runs in a worker: both may be hostile.

    Raises:
        XsdError: the schema can't be used; include, import, redefine and override are refused.
    """
    from lxml import etree

    schema = _schema(xsd)
    document = etree.fromstring(text.encode(), _parser(etree))
    if schema.validate(document):
        return None
    log: Any = schema.error_log
    entry = log[0]
    rule = entry.type_name.lower().removeprefix("schemav_")
    message = f"The document breaks its XML Schema: {shown(entry.message)}"
    at = text.find("<", offset_of(text, entry.line, 1))  # the library names the line alone
    return Fault(rule, message, max(0, at), entry.path, "incorrect")
