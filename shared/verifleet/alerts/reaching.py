"""How an alert reaches its target: a host is resolved once, every address checked, and a checked one connected to.

So no name that changes its address between the check and the connection leads into a private network, and neither does
a redirect, since none is followed. What a try came to is one of three: it was taken; it was not, which may pass or
lasts; or nobody knows, because it was sent whole and no answer came.
"""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
import smtplib
import socket
import ssl
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from email.message import EmailMessage
from typing import Any, Literal
from urllib.parse import unquote, urlsplit

from verifleet.alerts.forms import Alert, as_chat, as_email, as_json, signed
from verifleet.alerts.rule_file import Email, Slack, Target, Webhook
from verifleet.errors import VerifleetError

TIMEOUT_S = 8.0
"""For one try, all of it: below the acknowledgement deadline, also on one machine."""
CONNECT_S = 4.0
MAY_PASS = frozenset({408, 421, 425, 429})
_INSIDE = tuple(map(ipaddress.ip_network, ("64:ff9b::/96", "64:ff9b:1::/48", "2002::/16", "2001::/32")))
"""Addresses of IPv6 that stand for addresses of IPv4: none of them is a target's own."""

Outcome = Literal["may pass", "lasting", "unsure"]
Addresses = Sequence[str]


class NotTakenError(VerifleetError):
    """A target did not take an alert, or nobody knows whether it did."""

    def __init__(self, reason: str, outcome: Outcome) -> None:
        super().__init__(reason)
        self.outcome = outcome


async def send(alert: Alert, target: Target) -> None:
    """Send an alert once; raises NotTakenError."""
    if isinstance(target, Email):
        message = as_email(alert, target)
        host, port = _place(target.smtp, 465 if target.smtp.startswith("smtps:") else 587)
        addresses = await resolve(host, port, allow_private=target.allow_private)
        await asyncio.to_thread(_mail, message, target, addresses)
    elif isinstance(target, Slack):
        await _post(target.slack, as_chat(alert), {"content-type": "application/json"}, target)
    else:
        body = as_json(alert)
        await _post(target.webhook, body, signed(body, alert.alert_id, datetime.now(UTC), target.key), target)


async def resolve(host: str, port: int, *, allow_private: bool) -> Addresses:
    """The addresses of a host. Raises NotTakenError when it has none, or one that is not of the public internet."""
    try:
        async with asyncio.timeout(CONNECT_S):
            found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError, TimeoutError):
        raise NotTakenError(f"{host} has no address", "may pass") from None
    addresses = list(dict.fromkeys(str(one[4][0]) for one in found))
    inside = [one for one in addresses if not is_public(one)]
    if inside and not allow_private:
        raise NotTakenError(f"{host} is {inside[0]}, inside a private network: allow_private is not set", "lasting")
    return addresses


def is_public(address: str) -> bool:
    """Whether an address is one of the public internet."""
    try:
        ip = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return False
    if isinstance(ip, ipaddress.IPv6Address):
        if ip.ipv4_mapped is not None:
            return is_public(str(ip.ipv4_mapped))
        if any(ip in network for network in _INSIDE):
            return False
    return ip.is_global and not (ip.is_multicast or ip.is_reserved or ip.is_unspecified)


def _place(url: str, default: int) -> tuple[str, int]:
    parts = urlsplit(url)
    return parts.hostname or "", parts.port or default


async def _post(url: str, body: bytes, headers: Mapping[str, str], target: Webhook | Slack) -> None:
    import httpcore

    host, port = _place(url, 443 if url.startswith("https:") else 80)
    addresses = await resolve(host, port, allow_private=target.allow_private)
    backend = _checked_backend(addresses)
    limits = {"connect": CONNECT_S, "read": TIMEOUT_S, "write": TIMEOUT_S, "pool": TIMEOUT_S}
    given = [("User-Agent", "verifleet"), *headers.items()]
    try:
        async with (
            asyncio.timeout(TIMEOUT_S),
            httpcore.AsyncConnectionPool(network_backend=backend, ssl_context=ssl.create_default_context()) as pool,
            pool.stream("POST", url, headers=given, content=body, extensions={"timeout": limits}) as answer,
        ):
            status: int = answer.status
    except (httpcore.ConnectError, httpcore.ConnectTimeout) as error:
        raise NotTakenError(f"{host} can't be connected to: {_said(error)}", "may pass") from None
    except (httpcore.UnsupportedProtocol, httpcore.LocalProtocolError) as error:
        raise NotTakenError(f"{host} can't be asked: {_said(error)}", "lasting") from None
    except (TimeoutError, httpcore.NetworkError, httpcore.TimeoutException, httpcore.ProtocolError) as error:
        if not backend.connected:
            raise NotTakenError(f"{host} can't be connected to in time", "may pass") from None
        raise NotTakenError(
            f"{host} took it and gave no answer ({_said(error)}): it may have arrived", "unsure"
        ) from None
    if 200 <= status < 300:
        return
    if 300 <= status < 400:
        raise NotTakenError(f"{host} answers {status}: redirects are not followed", "lasting")
    raise NotTakenError(f"{host} answers {status}", "may pass" if status >= 500 or status in MAY_PASS else "lasting")


def _checked_backend(addresses: Addresses) -> Any:
    """A network that connects to these addresses, whatever the name is by now; TLS goes by the name all the same."""
    import httpcore

    class Checked(httpcore.AnyIOBackend):
        connected = False

        async def connect_tcp(self, host: str, port: int, *rest: Any, **options: Any) -> Any:
            failed: Exception | None = None
            for address in addresses:
                try:
                    stream = await super().connect_tcp(address, port, *rest, **options)
                except (httpcore.ConnectError, httpcore.ConnectTimeout) as error:
                    failed = error
                else:
                    self.connected = True
                    return stream
            raise failed or httpcore.ConnectError("no address")

    return Checked()


class _CheckedSmtp(smtplib.SMTP):
    """SMTP to checked addresses; TLS goes by the host's name."""

    def __init__(self, host: str, port: int, addresses: Addresses, tls: ssl.SSLContext | None) -> None:
        self._addresses = addresses
        self._tls = tls
        self._name = host
        super().__init__(host, port, local_hostname="localhost", timeout=CONNECT_S)

    def _get_socket(self, host: str, port: int, timeout: float) -> socket.socket:
        failed: OSError = ConnectionError("no address")
        for address in self._addresses:
            try:
                plain = socket.create_connection((address, port), timeout)
                return self._tls.wrap_socket(plain, server_hostname=self._name) if self._tls else plain
            except OSError as error:
                failed = error
        raise failed


def _mail(message: EmailMessage, target: Email, addresses: Addresses) -> None:
    host, port = _place(target.smtp, 465 if target.smtp.startswith("smtps:") else 587)
    tls = ssl.create_default_context()
    sent = False
    try:
        server = _CheckedSmtp(host, port, addresses, tls if target.smtp.startswith("smtps:") else None)
        try:
            server.ehlo_or_helo_if_needed()
            if target.smtp.startswith("smtp:") and (server.has_extn("starttls") or not target.allow_private):
                server.starttls(context=tls)
                server.ehlo()
            if target.user is not None and target.password is not None:
                server.login(unquote(target.user), target.password)
            _named(server, message, target)
            sent = True
            code, said = server.data(message.as_bytes())
        finally:
            with contextlib.suppress(OSError, smtplib.SMTPException):
                server.quit()
    except smtplib.SMTPResponseException as error:
        code, said = error.smtp_code, _bytes(error.smtp_error)
    except smtplib.SMTPNotSupportedError as error:
        raise NotTakenError(f"{host}: {_said(error)}", "lasting") from None
    except (OSError, smtplib.SMTPException) as error:
        if sent:
            raise NotTakenError(f"{host} took it and gave no answer: it may have arrived", "unsure") from None
        raise NotTakenError(f"{host} can't be connected to: {_said(error)}", "may pass") from None
    if code != 250:
        text = said.decode("utf-8", "replace")
        outcome: Outcome = "may pass" if 400 <= code < 500 else "lasting"
        raise NotTakenError(f"{host} answers {code} {text[:200]}", outcome)


def _named(server: smtplib.SMTP, message: EmailMessage, target: Email) -> None:
    """Name sender and recipients, one of whom must be taken. Raises SMTPResponseException."""
    from email.utils import parseaddr

    code, said = server.mail(parseaddr(target.sender)[1])
    answers = [server.rcpt(parseaddr(one)[1]) for one in target.email] if code == 250 else [(code, said)]
    if not any(code in (250, 251) for code, _ in answers):
        raise smtplib.SMTPResponseException(*answers[0])


def _said(error: BaseException) -> str:
    return (str(error) or type(error).__name__)[:200]


def _bytes(text: bytes | str) -> bytes:
    return text if isinstance(text, bytes) else text.encode("utf-8", "replace")
