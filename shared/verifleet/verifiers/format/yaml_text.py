"""YAML 1.2 through yaml12 (saphyr), behind guards for what its parser can't bear: depth and alias bombs.

Its parser keeps the last of equal keys and lets two faults of indentation and flow pass, so a text that may have
some of these is read a second time by libyaml's.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any, Final
from urllib.parse import unquote

from verifleet.verification import WorkerPool
from verifleet.verifiers.format.fault import Fault, offset_of, shown, surrogate_fault
from verifleet.verifiers.format.guarded import in_worker

MAX_COLUMN: Final = 1_000  # of block indicators: bounds the nesting, since each level stands further right
PLAIN_EXPANSION: Final = 10_000_000  # characters with aliases written out, up to which we parse in this process
MAX_PLAIN: Final = 2_000_000  # characters without aliases
MAX_COMPLEX: Final = 1_000_000  # the same with explicit keys, which may be collections: these take longest
MAX_KEYED: Final = 1_000_000  # characters of a text in which equal keys are looked for
MAX_ALIASES: Final = 50_000  # counted; more may stand for anything

_DEEP = re.compile(rf"^(?:[ \t]|[-?:](?=[ \t\n])){{{MAX_COLUMN}}}", re.MULTILINE)
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f]")
_ANCHOR = re.compile(r"&([^\s,\[\]{}]+)")
_ALIAS = re.compile(r"\*([^\s,\[\]{}]+)")
_TAB_BEFORE_VALUE = re.compile(r"(?<=[^\s:]:)\t+(?=[A-Za-z0-9])")
# What may end the key of an entry, or stand for an entry without one; at least as many as there are entries.
_ENTRY = re.compile(r""":(?=[\s,\[\]{}]|\Z)|(?<=["'\]}]):|\?(?=\s)""")
# A tab where a line begins, and what may be a block scalar inside of a flow collection.
_SUSPECT = re.compile(r"^ *(?:[-?:] *)*\t|[\[{,]\s*[|>]|:[ \t]+[|>](?![-+0-9]*+[ \t]*+(?:#|\r?\n|\Z))", re.MULTILINE)
_INDENT = re.compile(r"[ \t]*(?:[-?:][ \t]*)*\Z")
_BLOCK = re.compile(r"[ \t]*(?:[-?](?=\s|\Z)|(?:[^\s#\[\]{},&!*|>'\"%@`][^#\n]*?|\"[^\"\n]*\"|'[^'\n]*'):(?=\s|\Z))")
_OTHER_SCALAR = re.compile(
    r"~|[Nn]ull|NULL|true|True|TRUE|false|False|FALSE|[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+"
    r"|[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)"
)
_PLACE = re.compile(
    r"^(?:YAML parse error: )?(?P<what>.*?) at byte \d+ line (?P<line>\d+) column (?P<column>\d+)", re.S
)


def check_yaml(text: str, workers: WorkerPool) -> Fault | None:
    """The first fault of a text as YAML: its grammar, a collection at the top, no tags that name Python objects."""
    fault = surrogate_fault(text) or _guard(text)
    if fault is not None:
        return fault
    aliases = "*" in text and "&" in text and expansion(text) > PLAIN_EXPANSION
    if not aliases and len(text) <= (MAX_COMPLEX if "? " in text else MAX_PLAIN):
        return yaml_fault(text)
    fault = in_worker(workers, yaml_fault, text)
    if aliases and fault is not None and fault.kind == "undecided":
        return Fault("alias_expansion", "The aliases of the document expand to an excessive size.", text.find("*"))
    return fault


def _guard(text: str) -> Fault | None:
    control = _CONTROL.search(text)
    if control is not None:
        message = f"The control character {control[0]!r} is not allowed in YAML."
        return Fault("control_character", message, control.start())
    deep = _DEEP.search(text)
    if deep is not None:
        return Fault("depth", f"The nesting reaches beyond column {MAX_COLUMN}.", deep.start())
    return None


def expansion(text: str) -> float:
    """An upper bound of the characters that a text stands for once its aliases are written out.

    Each copy of a node belongs to a chain of aliases, and a chain uses each definition of an anchor at most
    once: so there are at most as many chains as the product over all anchors of (1 + uses) to the definitions.
    """
    if text.count("*") > MAX_ALIASES:
        return math.inf
    definitions = Counter(_ANCHOR.findall(text))
    uses = Counter(_ALIAS.findall(text))
    factor = sum(math.log1p(uses[name]) * count for name, count in definitions.items() if name in uses)
    return len(text) * math.exp(min(factor, 500.0))


def yaml_fault(text: str) -> Fault | None:
    """The first fault, without guards: for texts known to be bounded, or inside a worker."""
    import yaml12

    try:
        documents = _parsed(text)
    except ValueError as error:
        return _syntax_fault(text, str(error))
    if not documents:
        return Fault("empty", "There is no YAML document: the text is empty.", 0)
    for number, document in enumerate(documents):
        top = document.value if isinstance(document, yaml12.Yaml) else document
        if not isinstance(top, (dict, list)):
            message = (
                f"The top of a YAML document must be a mapping or a sequence, not the scalar {shown(repr(top), 60)}."
            )
            return Fault("top_node", message, _first_content(text) if number == 0 else None, f"/{number}")
    if "!" in text:
        for tag in _tags(documents, yaml12.Yaml):
            if "python/" in unquote(tag):
                at = text.find("!")
                return Fault("python_tag", f"The tag {shown(tag, 80)} names a Python object; it is refused.", at)
    if len(text) > MAX_KEYED or (_has_unequal_keys(text, documents) and not _SUSPECT.search(text)):
        return None
    return _second_fault(text)


def _has_unequal_keys(text: str, documents: list[Any]) -> bool:
    """Whether the decoded mappings hold as many entries as the text can have, so that none was overwritten."""
    if "*" in text or "{" in text:  # copies of nodes, and entries that no mark tells
        return False
    import yaml12

    deep = (dict, list, yaml12.Yaml)
    entries = 0
    stack: list[Any] = [documents]
    while stack:
        node = stack.pop()
        children = node
        if isinstance(node, yaml12.Yaml):
            children = (node.value,)
        elif isinstance(node, dict):
            entries += len(node)
            stack += [key for key in node if key.__class__ is yaml12.Yaml]
            children = node.values()
        stack += [child for child in children if isinstance(child, deep)]
    return entries >= len(_ENTRY.findall(text))


def _second_fault(text: str) -> Fault | None:
    """What yaml12 lets pass, as far as libyaml (it knows YAML 1.1) can read the text.

    That is the second of two equal scalar keys in one mapping, a tab before a block, a block scalar in a flow.
    """
    import yaml

    keys: list[set[tuple[str, str]] | None] = []  # of each open collection; None in a sequence
    at_key: list[bool] = []
    try:
        for event in yaml.parse(text, Loader=yaml.CSafeLoader):
            if isinstance(event, yaml.CollectionEndEvent):
                keys.pop()
                at_key.pop()
            elif isinstance(event, yaml.NodeEvent):
                if keys and keys[-1] is not None:
                    key = _identity(event) if at_key[-1] else None
                    if key in keys[-1]:
                        return _twice(event)
                    if key is not None:
                        keys[-1].add(key)
                    at_key[-1] = not at_key[-1]
                if isinstance(event, yaml.CollectionStartEvent):
                    keys.append(set() if isinstance(event, yaml.MappingStartEvent) else None)
                    at_key.append(True)
    except yaml.MarkedYAMLError as error:
        return _stopped_at(text, error.problem_mark.index, str(error.problem)) if error.problem_mark else None
    except yaml.YAMLError:
        pass
    return None


def _stopped_at(text: str, at: int, problem: str) -> Fault | None:
    """The fault at which libyaml stopped, if YAML 1.2 forbids the same."""
    tab = at
    if problem.startswith("mapping values"):  # behind the key; the tab stands before it
        tab = text.find("\t", text.rfind("\n", 0, at) + 1, at)
    elif not problem.endswith("cannot start any token"):
        return None
    elif text[at : at + 1] in ("|", ">"):
        return Fault("syntax", "This is not YAML: a block scalar can't stand in a flow collection.", at)
    start = text.rfind("\n", 0, at) + 1
    if text[tab : tab + 1] == "\t" and _INDENT.match(text[start:tab]) and _BLOCK.match(text, tab):
        return Fault("tab", "A tab can't indent a block; use spaces.", tab)
    return None


def _twice(event: Any) -> Fault:
    message = f"The key {shown(repr(event.value), 60)} stands twice in one mapping."
    return Fault("duplicate_key", message, event.start_mark.index)


def _identity(event: Any) -> tuple[str, str] | None:
    """What makes a scalar key equal to another: its type and its value. None for collections and empty keys."""
    import yaml

    if not isinstance(event, yaml.ScalarEvent) or (event.style is None and not event.value):
        return None
    plain = event.style is None and event.tag is None
    if event.tag is not None and event.tag not in ("!", "tag:yaml.org,2002:str"):
        return event.tag, event.value
    return "other" if plain and _OTHER_SCALAR.fullmatch(event.value) else "string", event.value


def _parsed(text: str) -> list[Any]:
    """Every document of a text; raises ValueError where it is not YAML."""
    import yaml12

    try:
        return list(yaml12.parse_yaml(text, multi=True))
    except ValueError:
        spaced = _TAB_BEFORE_VALUE.sub(lambda tabs: " " * len(tabs[0]), text)
        if spaced == text:
            raise
        # The standard lets tabs stand between a colon and a scalar; the parser does not.
        return list(yaml12.parse_yaml(spaced, multi=True))


def _syntax_fault(text: str, message: str) -> Fault:
    place = _PLACE.match(message)
    if place is None:
        return Fault("syntax", f"This is not YAML: {shown(message)}.", None)
    rule = "depth" if "recursion limit" in place["what"] else "syntax"
    offset = offset_of(text, int(place["line"]), int(place["column"]))
    return Fault(rule, f"This is not YAML: {shown(place['what'])}.", offset)


def _first_content(text: str) -> int:
    match = re.search(r"^(?!---|%|\s*#)\s*\S", text, re.MULTILINE)
    return match.end() - 1 if match else 0


def _tags(documents: list[Any], wrapper: Any) -> Iterator[str]:
    """Every tag in decoded documents, without recursion."""
    stack: list[Any] = list(documents)
    while stack:
        node = stack.pop()
        if isinstance(node, wrapper):
            yield str(getattr(node, "tag", "") or "")
            stack.append(node.value)
        elif isinstance(node, dict):
            stack.extend(node.keys())
            stack.extend(node.values())
        elif isinstance(node, list):
            stack.extend(node)


def yaml_value(text: str) -> Any:
    """The first document as JSON values; raises ValueError where a key is not a string or a value no JSON value."""
    import yaml12

    return _plain(next(iter(_parsed(text)), None), yaml12.Yaml)


def _plain(node: Any, wrapper: Any) -> Any:
    if isinstance(node, wrapper):
        return _plain(node.value, wrapper)
    if isinstance(node, dict):
        if not all(isinstance(key, str) for key in node):
            raise ValueError("a key is not a string")
        return {key: _plain(value, wrapper) for key, value in node.items()}
    if isinstance(node, list):
        return [_plain(value, wrapper) for value in node]
    if isinstance(node, float) and not math.isfinite(node):
        raise ValueError("a number is not finite")
    return node
