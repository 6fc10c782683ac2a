"""E-mail addresses."""

import pytest

from verifleet.verifiers.format.email_address import check_email

ACCEPTED = [
    "a@b.co",
    "first.last+tag@sub.example.com",
    "!#$%&'*+/=?^_`{|}~-@example.com",
    '"quoted local"@example.com',
    '"a\\"b"@example.com',
    "a@[192.0.2.1]",
    "a@[IPv6:2001:db8::1]",
    "a@xn--exmple-cua.com",
    "ü@exämple.com",
    "用户@例子.广告",
    "a@exämple.com",
    "x" * 64 + "@example.com",
    "a@[ipv6:::1]",
    '"a@[b"@example.com',
    '"ü\\"ö"@example.com',
]
REFUSED = [
    "",
    "plain",
    "@example.com",
    "a@",
    "a@@b.com",
    "a b@example.com",
    ".a@example.com",
    "a.@example.com",
    "a..b@example.com",
    "a@-b.com",
    "a@b-.com",
    "a@b..com",
    "a@.b.com",
    "a(comment)@example.com",
    "a@example.com (Alice)",
    "Alice <a@example.com>",
    "mailto:a@example.com,b@example.com",
    "a\r\n b@example.com",
    '"a"b@example.com',
    "a@[300.1.1.1]",
    "a@[IPv6:::g]",
    "a@[IPv6:]",
    "a@[IPv6: ]",
    "a@[IPv6:\r\n ]",
    "a@[ 192.0.2.1]",
    "a@[192.0.2.1",
    "x" * 65 + "@example.com",
    "a@" + "b" * 64 + ".com",
    "a@" + ".".join(["b" * 60] * 5),
    "ü@exa mple.com",
    '"\\ü"@example.com',
    "ü@",
    "a@exämple..com",
    "a\x00@example.com",
    "\ud800@example.com",
    "a@example.com, b@example.com",
]


@pytest.mark.parametrize("text", ACCEPTED)
def test_an_address_is_accepted(text: str) -> None:
    assert check_email(text) is None


@pytest.mark.parametrize("text", REFUSED)
def test_what_is_no_address_is_refused_with_a_place(text: str) -> None:
    fault = check_email(text)
    assert fault is not None
    assert fault.offset is not None
    assert 0 <= fault.offset <= len(text)


def test_the_place_points_at_the_faulty_character() -> None:
    fault = check_email("a..b@example.com")
    assert fault is not None
    assert fault.offset == 2
