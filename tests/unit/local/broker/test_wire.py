"""The few bytes of protobuf that are written by hand, against the protobuf library."""

from __future__ import annotations

import subprocess
import sys

from google.pubsub_v1.types import pubsub
from hypothesis import given
from hypothesis import strategies as st

from tests.contract.broker_backends import ROOT
from verifleet.local.broker import protos


@given(
    data=st.binary(max_size=300),
    attributes=st.dictionaries(
        st.text(st.characters(exclude_categories=["Cs"])), st.text(st.characters(exclude_categories=["Cs"])), max_size=3
    ),
    number=st.integers(1, 2**62),
    microseconds=st.integers(0, 2**52),
    attempt=st.integers(0, 10**9),
)
def test_a_stored_message_is_read_back_by_the_library_as_it_was_published(
    data: bytes, attributes: dict[str, str], number: int, microseconds: int, attempt: int
) -> None:
    sent = protos.PubsubMessage(data=data, attributes=attributes, message_id="forged")
    sent.publish_time.nanos = 5
    body = protos.published(sent, str(number), protos.publish_time(microseconds))
    response = pubsub.PullResponse.pb().FromString(protos.received_message(b"1-2-3", body, attempt) * 2)
    assert len(response.received_messages) == 2
    [received, _] = response.received_messages
    assert received.ack_id == "1-2-3"
    assert received.delivery_attempt == attempt
    assert received.message.data == data
    assert dict(received.message.attributes) == attributes
    assert received.message.message_id == str(number)
    assert received.message.publish_time.ToMicroseconds() == microseconds


def test_the_server_does_not_import_googles_clients_and_a_later_import_still_works() -> None:
    program = (
        "import sys; from verifleet.local.broker import protos; "
        "assert not [m for m in sys.modules if m.startswith('google.pubsub_v1.services')]; "
        "from google.cloud import pubsub_v1; from google.pubsub_v1.types import PubsubMessage; "
        "assert PubsubMessage.pb() is protos.PubsubMessage; pubsub_v1.PublisherClient"
    )
    subprocess.run([sys.executable, "-c", program], check=True, timeout=30, env={"PYTHONPATH": str(ROOT / "shared")})
