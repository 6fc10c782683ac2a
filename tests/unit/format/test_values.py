"""Single values: identifiers, addresses, times, versions, patterns."""

import datetime
import ipaddress
import uuid

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.unit.format.conftest import InlineWorkers
from verifleet.verification import FormatReference
from verifleet.verifiers.format.checkers import CHECKERS
from verifleet.verifiers.format.fault import Fault


def check(name: str, text: str) -> Fault | None:
    return CHECKERS[name](text, FormatReference(format=name), InlineWorkers())


ACCEPTED = {
    "url": "http://a.example https://u:p@h:8080/p?q#f ftp://h/ mailto:a@b.example urn:isbn:0 tel:+1-2 http://[::1]/ "
    "http://[v1.a:b]/ file:///etc/x data:,x http://h/%20 x: http://a.b.?c http://1.2.3.4:/ news:a.b ssh+git://h",
    "uuid": "123e4567-e89b-12d3-a456-426614174000 00000000-0000-0000-0000-000000000000 "
    "FFFFFFFF-ffff-FFFF-ffff-FFFFFFFFFFFF",
    "date": "2024-02-29 2000-02-29 0000-02-29 1999-12-31",
    "time": "00:00:00Z 23:59:59.123456789+23:59 12:00:00z 23:59:60Z 15:59:60-08:00 00:29:60+00:30 00:00:00-00:00",
    "date-time": "2024-02-29T10:00:00Z 1998-12-31t23:59:60.5z 2024-01-01T00:00:00.000+01:00",
    "duration": "P1Y P1Y2M P1Y2M3D P3D PT1H PT1H2M PT1H2M3S PT36S P2W P1DT12H P1MT1M P0D PT0S P12345678901234567890D",
    "ipv4": "0.0.0.0 255.255.255.255 127.0.0.1",
    "ipv6": ":: ::1 1:2:3:4:5:6:7:8 2001:DB8::a ::ffff:192.0.2.1 1:: 1::8 64:ff9b::1.2.3.4",
    "semver": "0.0.0 1.2.3 10.20.30 1.2.3-a 1.2.3-0.a-b.12 1.2.3+001 1.2.3-rc.1+b.5-x 1.0.0--.- 1.0.0-0a",
    "regex": r"a ^a*?b+$ (a|b){2,3}? [^\]a-z] \d\D\w\W\s\S \bx\B (?:x) (?=a) (?!a) (?<=a) (?<!a) (?<n>a)\k<n> (a)\1 "
    r"\1(a) \u{1F600} \p{L}+ \P{Script=Greek} \cA \x41 \u0041 \. \/ / [\w-] [a\-z] [-a] [a-] [] [^] \0 "
    r"(?<a>x)|(?<a>y) (?i:a) (?i-s:a) \- [\b] a||b () (?<$>x) x{0} \ud83d\ude00",
}
REFUSED = {
    "url": "abc //h /p http: http:// http:///p http:h 1a://h http://a|b http://h:x http://h/%2 http://[::1 http://[1]/ "
    "http://ü.example http://h/\\ http://h#a#b https://a@b@c/ h<x>:y :a",
    "uuid": "123e4567e89b12d3a456426614174000 {123e4567-e89b-12d3-a456-426614174000} "
    "123e4567-e89b-12d3-a456-4266141740000 g23e4567-e89b-12d3-a456-426614174000 urn:uuid:0 123e4567_e89b-12d3-a456-4",
    "date": "2023-02-29 1900-02-29 2024-13-01 2024-00-01 2024-01-00 2024-1-1 20240101 2024-W01-1 ２024-01-01",
    "time": "10:00:00 24:00:00Z 10:60:00Z 10:00:61Z 22:59:60Z 10:00Z 100000Z 10:00:00.Z 10:00:00+24:00 10:00:00+0100 "
    "10:00:00,5Z T10:00:00Z 10:00:00ZZ 10:00:00+01:60",
    "date-time": "2024-01-01 2024-01-01T10:00:00 2024-01-01_10:00:00Z 2024-02-30T10:00:00Z 2024-01-01T23:58:60Z",
    "duration": "P PT P1 1Y P1S PT1D P1H P1Y2D PT1H2S P1W1D P1DT P2WT1H P-1D P1.5D PT1,5S p1d P1D2D P1D1Y",
    "ipv4": "1.2.3 1.2.3.4.5 256.1.1.1 01.2.3.4 1.2.3.4. .1.2.3.4 1.2.3.a 0x1.2.3.4 1.2.3.-4 １.2.3.4 1.2.3.4/8",
    "ipv6": ": ::: 1:2:3:4:5:6:7 1:2:3:4:5:6:7:8:9 1::2::3 12345:: g:: ::1%eth0 ::1/64 [::1] ::1.2.3 ::1.2.3.04 1:2:",
    "semver": "1 1.2 1.2.3.4 01.2.3 1.02.3 1.2.03 v1.2.3 1.2.3- 1.2.3+ 1.2.3-01 1.2.3-a..b 1.2.3+a+b 1.2.3-ä -1.2.3",
    "regex": r"( ) (?:a (?P<n>a) (?#c) [ [a [z-a] * a** +a a{2,1} { } ] a{ a{,3} \ \a \Z \1 (a)\2 \k<n> (?<n>a)\k<m> "
    r"(?<n>a)(?<n>b) (?<1>a) (?<>a) \u{110000} \u12 \x4 \c1 \01 \p{Foo} \p{Script=Foo} \pL [\w-z] (?=a)* ^* \b+ "
    r"(?ii:a) (?-:a) (?x:a) (?>a) \_ [\1]",
}


@pytest.mark.parametrize(("name", "text"), [(name, text) for name, texts in ACCEPTED.items() for text in texts.split()])
def test_a_value_in_the_format_is_accepted(name: str, text: str) -> None:
    assert check(name, text) is None


@pytest.mark.parametrize(("name", "text"), [(name, text) for name, texts in REFUSED.items() for text in texts.split()])
def test_a_value_out_of_the_format_is_refused_with_its_place(name: str, text: str) -> None:
    fault = check(name, text)
    assert fault is not None
    assert fault.offset is not None
    assert 0 <= fault.offset <= len(text)


@pytest.mark.parametrize("name", sorted(ACCEPTED))
@pytest.mark.parametrize(
    "text", ["", "\0", "\ud800", " ", "\n", "a\n", "😀", "1" * 100_000, "." * 100_000, ":" * 100_000]
)
def test_odd_texts_never_crash(name: str, text: str) -> None:
    check(name, text)


@pytest.mark.parametrize(
    ("name", "text", "offset"),
    [
        ("date", "2024-02-30", 8),
        ("time", "10:61:00Z", 3),
        ("date-time", "2024-02-28 10:00:00Z", 10),
        ("duration", "P1Y2D", 4),
        ("ipv4", "1.2.300.4", 4),
        ("ipv6", "1:2:xyz::", 4),
        ("uuid", "123e4567-e89b-12d3-x456-426614174000", 19),
        ("semver", "1.2.3-a..b", 8),
        ("url", "https://a.example/x y", 19),
        ("regex", "ab(c", 2),
        ("regex", "[z-a]", 1),
    ],
)
def test_the_first_fault_is_found_exactly(name: str, text: str, offset: int) -> None:
    fault = check(name, text)
    assert fault is not None
    assert fault.offset == offset


@given(st.datetimes(), st.timezones())
def test_the_standard_librarys_times_are_accepted(moment: datetime.datetime, zone: datetime.tzinfo) -> None:
    assert check("date", moment.date().isoformat()) is None
    stamp = moment.replace(tzinfo=datetime.timezone(datetime.timedelta(minutes=moment.minute - 30)))
    assert check("date-time", stamp.isoformat()) is None
    assert check("time", stamp.timetz().isoformat()) is None


@given(st.uuids(), st.ip_addresses())
def test_the_standard_librarys_identifiers_are_accepted(
    identifier: uuid.UUID, address: ipaddress.IPv4Address | ipaddress.IPv6Address
) -> None:
    assert check("uuid", str(identifier)) is None
    assert check(f"ipv{address.version}", str(address)) is None
