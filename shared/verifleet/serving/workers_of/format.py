"""The format verifier in a worker."""

from __future__ import annotations

from verifleet.serving.worker_judging import Within, rehearse_with
from verifleet.verification import BaseVerifier, FormatRequest, Judgement, WorkerPool


def format_(workers: WorkerPool) -> BaseVerifier:
    """The format verifier."""
    from verifleet.verifiers.format import FormatVerifier

    return FormatVerifier(workers)


def at_once(request: FormatRequest) -> Judgement | None:
    """What costs less to judge than to hand to a worker; None for everything else."""
    from verifleet.verifiers.format.verifier import at_once as judged

    return judged(request)


def preload() -> None:
    """Import what the formats need."""
    import importlib

    from verifleet.verifiers.format.verifier import PRELOAD

    for module in PRELOAD:
        importlib.import_module(module)


def rehearse() -> None:
    """Fill what is made on first use."""
    from verifleet.verifiers.format.formats import FORMATS

    schema = {"type": "object", "properties": {"a": {"type": "integer", "pattern": "^a+$"}}}
    samples = [
        ("Return valid JSON in a code block with the keys a and b.", '```json\n{"a": 1}\n```', None),
        ("", '{"a": 1}', {"json_schema": schema}),
        ("", "[[]]", {"json_schema": {"items": {"$ref": "#"}}}),
        ("", "<answer>4</answer>", {"template": "<answer>{text}</answer>"}),
        ("", "x", {"pattern": "^x+$"}),
        ("", "x", {"checks": [{"id": "punctuation:no_comma"}]}),
        ("", "f(a=1)", {"tools": [{"name": "f", "parameters": schema}]}),
    ]
    texts = {name: format.sample for name, format in FORMATS.items() if format.sample}
    samples += [("", text, {"format": name}) for name, text in texts.items()]
    samples += [("", text[:-1] + "(<{[", {"format": name}) for name, text in texts.items()]
    rehearse_with(format_(Within()), samples)
