"""The push client against servers that behave well and badly."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable

import pytest

from verifleet.local.broker import protos
from verifleet.local.broker.push import push_body
from verifleet.local.broker.queue import Delivery
from verifleet.messaging.http_posts import Connection, Endpoint, connect

Server = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


async def read_request(reader: asyncio.StreamReader) -> bytes:
    head = await reader.readuntil(b"\r\n\r\n")
    length = int(head.lower().split(b"content-length: ")[1].split(b"\r\n")[0])
    return head + await reader.readexactly(length)


def answering(*chunks: bytes, close: bool = False) -> Server:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                await read_request(reader)
                for chunk in chunks:
                    writer.write(chunk)
                    await writer.drain()
                    await asyncio.sleep(0.01)
                if close:
                    break
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()

    return serve


def post_to(server: Server, times: int = 1) -> tuple[list[int | None], list[str]]:
    """Statuses of `times` POSTs one after the other, and what happened to the connection."""
    statuses: list[int | None] = []
    happened: list[str] = []

    async def main() -> None:
        listening = await asyncio.start_server(server, "127.0.0.1", 0)
        port = listening.sockets[0].getsockname()[1]
        endpoint = Endpoint.parse(f"http://127.0.0.1:{port}/push", "t")
        lost = asyncio.Event()

        def on_lost(_: Connection) -> None:
            happened.append("lost")
            lost.set()

        connection = await connect(endpoint, lambda _: happened.append("idle"), on_lost)
        for _ in range(times):
            answered: asyncio.Future[int | None] = asyncio.get_running_loop().create_future()
            connection.post(endpoint, b'{"message":{}}', answered.set_result)
            statuses.append(await asyncio.wait_for(answered, 5))
            await asyncio.sleep(0.06)
            if not connection.alive:
                break
        connection.abort()
        await asyncio.wait_for(lost.wait(), 5)
        listening.close()
        await listening.wait_closed()

    asyncio.run(main())
    return statuses, happened


@pytest.mark.parametrize(
    "answer",
    [
        [b"HTTP/1.1 204 No Content\r\n\r\n"],
        [b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n", b"ok"],
        [b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n", b"0\r\n\r\n"],
        [b"HTTP/1.1 2", b"02 Accepted\r\nContent-Le", b"ngth: 0\r\n\r\n"],
        [b"HTTP/1.1 103 Early Hints\r\n\r\n", b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"],
    ],
)
def test_a_complete_answer_leaves_the_connection_for_the_next_request(answer: list[bytes]) -> None:
    statuses, happened = post_to(answering(*answer), times=3)
    assert len(statuses) == 3
    assert all(status in (200, 202, 204) for status in statuses)
    assert happened == ["idle"] * 3 + ["lost"]


def test_a_server_that_closes_after_each_answer_is_not_used_again() -> None:
    answer = b"HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
    statuses, happened = post_to(answering(answer), times=2)
    assert statuses == [503]
    assert happened == ["lost"]


def test_an_interim_102_counts_as_the_answer_and_the_connection_is_given_up() -> None:
    statuses, happened = post_to(answering(b"HTTP/1.1 102 Processing\r\n\r\n"), times=2)
    assert statuses == [102]
    assert happened == ["lost"]


@pytest.mark.parametrize(
    "answer", [b"nonsense\r\n\r\n", b"SSH-2.0-OpenSSH\r\n", b"HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n", b""]
)
def test_no_usable_answer_is_none(answer: bytes) -> None:
    statuses, happened = post_to(answering(answer, close=True))
    assert statuses == [None]
    assert happened == ["lost"]


def test_an_endless_answer_is_cut_off_after_its_status_was_taken() -> None:
    head = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
    chunk = b"80000\r\n" + b"x" * 0x80000 + b"\r\n"
    statuses, happened = post_to(answering(head, *[chunk] * 8))
    assert statuses == [200]
    assert happened == ["lost"]


def test_an_endpoint_keeps_its_query_and_brackets_of_an_ipv6_address() -> None:
    endpoint = Endpoint.parse("http://[::1]:8101/a%20b?token=x&y", "t")
    assert (endpoint.host, endpoint.port, endpoint.tls) == ("::1", 8101, False)
    assert endpoint.head.startswith(b"POST /a%20b?token=x&y HTTP/1.1\r\nHost: [::1]:8101\r\n")
    assert Endpoint.parse("https://example.com", "t").port == 443
    assert Endpoint.parse("https://example.com", "t").head.startswith(b"POST / HTTP/1.1\r\nHost: example.com\r\n")


def test_the_body_is_the_documented_json() -> None:
    message = protos.PubsubMessage(data=b"\xff\x00", attributes={"k": 'é\u2028"'})
    stored = protos.published(message, "17", protos.publish_time(1_700_000_000_000_123))
    body = json.loads(push_body("projects/p/subscriptions/s", Delivery(17, stored, 3), with_attempt=False))
    assert body == {
        "message": {
            "data": "/wA=",
            "attributes": {"k": 'é\u2028"'},
            "messageId": "17",
            "publishTime": "2023-11-14T22:13:20.000123Z",
        },
        "subscription": "projects/p/subscriptions/s",
    }
    with_attempt = json.loads(push_body("s", Delivery(17, stored, 3), with_attempt=True))
    assert with_attempt["deliveryAttempt"] == 3
