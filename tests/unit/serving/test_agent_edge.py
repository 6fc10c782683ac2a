"""What the agents take over HTTP and A2A, and what they refuse by name."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from a2a.helpers import new_data_part, new_raw_part, new_text_part, new_url_part
from a2a.types.a2a_pb2 import Message, Part
from starlette.testclient import TestClient

from tests.contract.a2a_kit_agent import application
from verifleet.errors import ShapeError
from verifleet.serving.a2a_tasks import contents_of
from verifleet.serving.http import MediaTypeError
from verifleet.serving.ingest import decode_report
from verifleet.serving.profiles import verifier_profile


def values_of(*of: Any) -> list[Any]:
    return [content.value for content in contents_of(*of)]


def message(*parts: Part) -> Message:
    return Message(message_id="m", parts=parts)


REPORT = {"source": "news", "content": "Storm in Ghent"}


def test_every_part_of_a_message_to_the_ingest_agent_is_a_report_in_its_order() -> None:
    parts = (
        new_text_part("Fire in Hull"),
        new_data_part(REPORT),
        new_text_part(" \n"),
        new_raw_part(b'"Hail in Bonn"'),
    )
    assert values_of(message(*parts), decode_report) == ["Fire in Hull", REPORT, "Hail in Bonn"]
    assert values_of(message(new_text_part(" "), new_data_part(REPORT)), decode_report) == [REPORT]


@pytest.mark.parametrize("decode", [decode_report, None])
def test_a_url_beside_data_is_refused_and_not_overlooked(decode: Any) -> None:
    with pytest.raises(ShapeError, match="nothing is fetched"):
        contents_of(message(new_data_part(REPORT), new_url_part("http://127.0.0.1/a")), decode)


def test_an_agent_that_takes_one_envelope_says_so_of_two_and_overlooks_a_remark() -> None:
    assert values_of(message(new_data_part(REPORT), new_text_part("please")), None) == [REPORT]
    with pytest.raises(ShapeError, match="one data part"):
        contents_of(message(new_data_part(REPORT), new_data_part(REPORT)), None)


@pytest.mark.parametrize(
    ("text", "charset"),
    [
        ("Überschwemmung in Köln", "ISO-8859-1"),
        ("Пожар в Туле", '"koi8-r"'),
        ("火事です", "shift_jis"),
        ("Crue", "UTF-8"),
    ],
)
def test_a_text_is_read_in_the_charset_it_names(text: str, charset: str) -> None:
    body = text.encode(charset.strip('"'))
    assert decode_report(body, f"text/plain; charset={charset}") == text


def test_an_unknown_charset_and_bytes_that_are_not_of_it_are_refused() -> None:
    for charset in ("x-own", "zlib", "utf-7", "idna"):
        with pytest.raises(MediaTypeError):
            decode_report(b"Fire", f"text/plain; charset={charset}")
    with pytest.raises(ShapeError):
        decode_report(b"Fire \xff\xff", "text/plain; charset=euc-jp")


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    with TestClient(application(tmp_path), headers={"A2A-Version": "1.0"}) as client:
        yield client


def test_a_message_whose_sender_waits_for_notifications_is_refused(client: TestClient) -> None:
    sent = {"role": "ROLE_USER", "messageId": "tck-complete-task", "parts": [{"text": "go"}]}
    waiting = {"message": sent, "configuration": {"taskPushNotificationConfig": {"url": "http://127.0.0.1:9/hook"}}}
    call = {"jsonrpc": "2.0", "id": 1, "method": "SendMessage", "params": waiting}
    assert client.post("/a2a/jsonrpc", json=call).json()["error"]["code"] == -32003
    assert client.post("/a2a/rest/message:send", json=waiting).json()["error"]["details"][0]["reason"] == (
        "PUSH_NOTIFICATION_NOT_SUPPORTED"
    )
    old = {
        "kind": "message",
        "role": "user",
        "messageId": "tck-complete-task",
        "parts": [{"kind": "text", "text": "go"}],
    }
    params = {"message": old, "configuration": {"pushNotificationConfig": {"url": "http://127.0.0.1:9/hook"}}}
    call = {"jsonrpc": "2.0", "id": 1, "method": "message/send", "params": params}
    assert client.post("/a2a/jsonrpc", json=call, headers={"A2A-Version": "0.3"}).json()["error"]["code"] == -32003


def unused(*_: Any) -> Any:
    raise AssertionError("this skill needs neither an agent nor a neighbour")


@pytest.mark.parametrize(
    ("judged", "field"),
    [
        ({"verified": True, "verdict": "insufficient", "confidence": 0.7}, "verified"),
        ({"verified": True, "verdict": "supported", "confidence": 0.2}, "verified"),
        ({"verified": False, "verdict": "refuted", "confidence": 0.8}, "confidence"),
    ],
)
def test_a_claim_that_contradicts_itself_has_no_reliability(judged: dict[str, Any], field: str) -> None:
    (score,) = [skill for skill in verifier_profile(unused, unused, "s").skills if skill.id == "score_reliability"]
    assert score.run is not None
    claims = [{"claim": {"text": "Two hurt", "source": "news"}, **judged}]
    with pytest.raises(ShapeError) as refused:
        asyncio.run(score.run({"verified_claims": claims, "source": "emergency"}))
    assert refused.value.fields[0].path == f"input.verified_claims.0.{field}"
