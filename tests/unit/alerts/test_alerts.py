"""Alerts: what is material, who is told of it once and in order, and that no text of a report gets out of its place."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import hmac
import json
import socket
import threading
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from verifleet.alerts import reaching
from verifleet.alerts.changes import Change, Known, news_of
from verifleet.alerts.forms import Alert, as_chat, as_email, as_json, chat_text
from verifleet.alerts.outbox import SENDING_FOR
from verifleet.alerts.reaching import NotTakenError, is_public, resolve, send
from verifleet.alerts.rule_file import Email, Rules, Target, Webhook, read_rules
from verifleet.cli import app as commands
from verifleet.commands.alerts import app
from verifleet.envelopes import BriefFact, IncidentBriefData, make_envelope
from verifleet.errors import SettingsError, ShapeError, TransientError
from verifleet.incident_views import IncidentRow, Severity
from verifleet.messaging.topology import BRIEFS_TO_ALERT, MAX_DELIVERY_ATTEMPTS
from verifleet.serving.delivery import Delivery, _current
from verifleet.serving.desk.alerting import Alerting
from verifleet.serving.desk.kept import LISTING, as_data, row_keys, row_of
from verifleet.serving.incidents import id_of
from verifleet.storage.sqlite import SqliteStore
from verifleet.storage.store import Document, Store

NOW = datetime(2026, 3, 1, 10, tzinfo=UTC)
SECRET = "whsec_" + base64.b64encode(b"k" * 32).decode()
HOSTILE = "<!channel> @here <https://evil.example|click> [x](http://evil.example)\r\nBcc: all@example.com\n=1+1\x07"
RULES = """
targets:
  pager: {webhook: "https://pager.example.com/x"}
  room: {slack: "https://chat.example.com/x"}
rules:
  - {name: all, to: [pager]}
"""


def fact(text: str = "12 dead", status: str = "reported", source: str = "news", **fields: Any) -> BriefFact:
    told = {"event_id": "e", "source": source, "time": NOW}
    own = {"id": "count people|dead|", "kind": "quantity", "text": text, "status": status, "as_of": NOW}
    return BriefFact.model_validate({**own, "sources": [told], **fields})


def brief(revision: int, *facts: BriefFact, reliability: float = 0.6, **fields: Any) -> IncidentBriefData:
    return IncidentBriefData(
        incident_id=fields.pop("incident_id", "i1"),
        summary="A storm.",
        key_facts=list(facts),
        reliability_score=reliability,
        reports=fields.pop("reports", revision),
        revision=revision,
        event_type="storm",
        location="Porto, Portugal",
        created_at=NOW,
        updated_at=NOW,
        **fields,
    )


def told(*briefs: tuple[IncidentBriefData, Severity]) -> list[list[str]]:
    """The kinds of what each brief changes materially."""
    known, kinds = Known(), []
    for one, severity in briefs:
        found = news_of(known, one, severity)
        known, changes = found or (known, [])
        kinds.append([change.kind for change in changes])
    return kinds


# --- what is material ---------------------------------------------------------------


def test_an_incident_is_new_once_and_again_only_when_it_is_more_severe_than_ever() -> None:
    severities: list[Severity] = ["minor", "minor", "severe", "minor", "severe", "extreme"]
    found = told(*((brief(number, fact()), severity) for number, severity in enumerate(severities, 1)))
    assert found == [["new"], [], ["new"], [], [], ["new"]]


def test_a_fact_is_told_when_it_is_confirmed_and_when_it_is_refuted_and_not_when_it_is_only_disputed() -> None:
    one = brief(1, fact()), brief(2, fact(status="disputed")), brief(3, fact(status="confirmed"))
    two = brief(4, fact(status="confirmed")), brief(5, fact(status="disputed", refuted=True))
    assert told(*((each, "minor") for each in (*one, *two)))[1:] == [[], ["confirmed"], [], ["refuted"]]


def test_a_fact_that_leaves_the_brief_and_comes_back_is_not_told_again() -> None:
    sure = fact(status="confirmed")
    found = told((brief(1, sure), "minor"), (brief(2), "minor"), (brief(3, sure), "minor"))
    assert found == [["new", "confirmed"], [], []]


def test_a_figure_that_an_authority_changes_is_a_correction_and_anybody_elses_is_none() -> None:
    def told_by(figure: int, source: str) -> BriefFact:
        return fact(f"{figure} dead", "confirmed", source, value={"low": figure, "high": figure})

    by = [told_by(12, "news"), told_by(13, "news"), told_by(15, "official"), told_by(15, "official")]
    assert told(*((brief(i, one), "minor") for i, one in enumerate(by, 1)))[1:] == [[], ["corrected"], []]


def test_reliability_is_told_when_it_crosses_the_limit_either_way_also_by_a_mere_count() -> None:
    first, low = brief(1, reliability=0.5), brief(1, reliability=0.29, reports=2, kind="count")
    again = brief(1, reliability=0.2, reports=3, kind="count"), brief(1, reliability=0.3, reports=4, kind="count")
    assert told(*((one, "minor") for one in (first, low, *again)))[1:] == [["reliability"], [], ["reliability"]]


def test_a_brief_that_is_not_later_than_another_changes_nothing() -> None:
    found = told((brief(3, fact()), "minor"), (brief(2, fact(status="confirmed")), "minor"), (brief(3), "extreme"))
    assert found[1:] == [[], []]


# --- the rules ----------------------------------------------------------------------


def row(severity: Severity = "severe", **fields: Any) -> IncidentRow:
    return row_of(brief(1), None, NOW).model_copy(update={"severity": severity, **fields})


def test_a_rule_takes_what_fits_all_of_it_and_each_target_has_a_change_once() -> None:
    rules = read_rules("""
targets:
  pager: {webhook: "https://pager.example.com/x"}
  room: {slack: "https://chat.example.com/x"}
rules:
  - {name: severe, changes: [new], severity: severe, type: [storm], place: porto, session: [s], to: [pager]}
  - {name: facts, changes: [confirmed, new], to: [room, pager]}
""")
    worse = Change(kind="new", text="x", severity="severe", before="minor")
    assert rules.chosen([worse], "s", row()) == {"pager": [worse]}
    assert rules.chosen([worse], "t", row()) == {}
    first = worse.model_copy(update={"before": None})
    assert rules.chosen([first], "s", row()) == {"pager": [first], "room": [first]}
    sure = Change(kind="confirmed", text="x", severity="minor")
    assert list(rules.chosen([sure], "s", row("minor"))) == ["room", "pager"]
    assert rules.chosen([Change(kind="refuted", text="x", severity="extreme")], "s", row()) == {}


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("targets: [", "no YAML"),
        ("- a", "targets and rules"),
        ("targets: {a: {webhook: 'http://example.com/'}}", "by https"),
        ("targets: {a: {webhook: 'file:///etc/passwd'}}", "must be a URL"),
        ("targets: {a: {webhook: 'https://e.example/', secret: short}}", "whsec_"),
        ("targets: {a: {slack: 'env:HOME'}}", "VERIFLEET_ALERT_"),
        ("targets: {a: {slack: 'env:VERIFLEET_ALERT_NOT_SET'}}", "is not set"),
        (
            "targets: {a: {email: [\"x@example.com\\nBcc: y@example.com\"], from: a@b.example, smtp: 'smtp://m'}}",
            "e-mail",
        ),
        ("rules: [{name: a, to: [nobody]}]", "not among the targets"),
        ("rules: [{name: a, to: [b], colour: red}]", "colour"),
    ],
)
def test_wrong_rules_are_refused_with_what_is_wrong(text: str, problem: str) -> None:
    with pytest.raises(SettingsError, match=problem):
        read_rules(text)


def test_a_value_of_the_environment_is_taken_and_never_shown() -> None:
    text = "targets: {a: {webhook: 'https://e.example/', secret: 'env:VERIFLEET_ALERT_A'}}"
    rules = read_rules(text, {"VERIFLEET_ALERT_A": SECRET})
    target = rules.targets["a"]
    assert isinstance(target, Webhook)
    assert target.key == b"k" * 32
    assert SECRET not in repr(rules)


# --- each once, in order --------------------------------------------------------------


class Targets:
    """Takes alerts, or not, as told."""

    def __init__(self) -> None:
        self.taken: list[tuple[str, int, list[str]]] = []
        self.faults: list[BaseException] = []
        self.ids: list[str] = []

    async def __call__(self, alert: Alert, target: Target) -> None:
        await asyncio.sleep(0)
        self.ids.append(alert.alert_id)
        if self.faults:
            raise self.faults.pop(0)
        name = "pager" if isinstance(target, Webhook) else "room"
        self.taken.append((name, alert.row.revision, [change.kind for change in alert.changes]))


class Desk:
    """The alerting of one store; `told` delivers a brief as its subscription does."""

    def __init__(self, store: Store, text: str = RULES) -> None:
        self.store = store
        self.targets = Targets()
        self.rules = read_rules(text)
        self.at = datetime.now(UTC)
        self.restart()

    def restart(self) -> None:
        self.alerting = Alerting(self.store, self.rules, send=self.targets, now=lambda: self.at)

    async def told(self, data: IncidentBriefData, attempt: int = 1, state: str = "open") -> None:
        listed = row_of(data, None, NOW).model_copy(update={"state": state})
        keys = row_keys("s", listed, data)
        await self.store.put(LISTING, id_of("s", data.incident_id), Document(as_data(listed), keys))
        made = make_envelope(
            "incident_brief_v1", data, session_id="s", source_agent="summarizer_agent", timestamp=NOW, cause="c"
        )
        token = _current.set(Delivery(BRIEFS_TO_ALERT, "m", b"", {}, attempt))
        try:
            assert await self.alerting(made, cause="c") == []
        finally:
            _current.reset(token)


def run(tmp_path: Path, scenario: Callable[[Desk], Awaitable[Any]], text: str = RULES) -> Desk:
    async def main() -> Desk:
        desk = Desk(SqliteStore(tmp_path / "store.db"), text)
        try:
            await scenario(desk)
        finally:
            await desk.store.close()
        return desk

    return asyncio.run(main())


NOT_NOW = NotTakenError("pager.example.com answers 503", "may pass")


def test_a_change_is_told_once_however_often_its_brief_comes_and_whoever_restarts(tmp_path: Path) -> None:
    async def scenario(desk: Desk) -> None:
        first, second = brief(1, fact()), brief(2, fact(status="confirmed"))
        await asyncio.gather(*(desk.told(first) for _ in range(5)))
        for one in (first, second, second):
            desk.restart()
            await desk.told(one)
        await desk.told(first)

    desk = run(tmp_path, scenario)
    assert desk.targets.taken == [("pager", 1, ["new"]), ("pager", 2, ["confirmed"])]


def test_a_brief_is_noted_before_it_is_published_and_comes_back_only_for_what_it_owes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("verifleet.serving.desk.alerting.MAX_OWED", 1)
    noted: list[bool] = []

    async def scenario(desk: Desk) -> None:
        first, same = brief(1, fact()), brief(2, fact())
        for one in (first, first, same):
            noted.append(bool(await desk.alerting.note("s", one)))
        await desk.told(first)
        noted.append(bool(await desk.alerting.note("s", first)))
        for revision, status in (
            (3, "confirmed"),
            (4, "disputed"),
            (5, "confirmed"),
            (6, "disputed"),
            (7, "confirmed"),
        ):
            noted.append(bool(await desk.alerting.note("s", brief(revision, fact(status=status)))))

    run(tmp_path, scenario)
    assert noted[:4] == [True, True, False, False]
    assert noted[4:] == [True, False, True, True, True], (
        "what owes too much waits on the topic, where it holds up no report"
    )


def test_what_is_not_taken_comes_again_and_later_changes_wait_for_it(tmp_path: Path) -> None:
    async def scenario(desk: Desk) -> None:
        desk.targets.faults = [NOT_NOW]
        with pytest.raises(TransientError, match="503"):
            await desk.told(brief(1, fact()))
        desk.restart()
        with pytest.raises(TransientError, match="waits"):
            await desk.told(brief(2, fact(status="confirmed")))
        await desk.told(brief(1, fact()), attempt=2)
        await desk.told(brief(2, fact(status="confirmed")), attempt=2)

    desk = run(tmp_path, scenario)
    assert [one[2] for one in desk.targets.taken] == [["new"], ["confirmed"]]
    assert desk.targets.ids[0] == desk.targets.ids[1] != desk.targets.ids[2]


def test_a_target_that_stays_down_ends_with_the_reason_and_holds_up_neither_others_nor_later_changes(
    tmp_path: Path,
) -> None:
    text = RULES.replace("to: [pager]", "to: [pager, room]")

    async def scenario(desk: Desk) -> None:
        desk.targets.faults = [NOT_NOW]
        with pytest.raises(TransientError):
            await desk.told(brief(1, fact()))
        desk.targets.faults = [NOT_NOW]
        with pytest.raises(ShapeError, match=r"targets\.pager: pager\.example\.com answers 503"):
            await desk.told(brief(1, fact()), attempt=MAX_DELIVERY_ATTEMPTS)
        await desk.told(brief(2, fact(status="confirmed")))
        await desk.told(brief(1, fact()))  # its dead letter, replayed

    desk = run(tmp_path, scenario, text)
    kinds = [(one[0], one[2]) for one in desk.targets.taken]
    assert kinds == [("room", ["new"]), ("pager", ["confirmed"]), ("room", ["confirmed"]), ("pager", ["new"])]


@pytest.mark.parametrize("outcome", ["lasting", "unsure"])
def test_what_is_refused_or_may_have_arrived_is_not_sent_again(tmp_path: Path, outcome: Any) -> None:
    async def scenario(desk: Desk) -> None:
        desk.targets.faults = [NotTakenError("why", outcome)]
        with pytest.raises(ShapeError, match="why"):
            await desk.told(brief(1, fact()))

    assert len(run(tmp_path, scenario).targets.ids) == 1


def test_a_webhook_whose_receiver_tells_repeats_apart_may_be_sent_again(tmp_path: Path) -> None:
    async def scenario(desk: Desk) -> None:
        desk.targets.faults = [NotTakenError("why", "unsure")]
        with pytest.raises(TransientError, match="why"):
            await desk.told(brief(1, fact()))
        await desk.told(brief(1, fact()), attempt=2)

    desk = run(tmp_path, scenario, RULES.replace('/x"}', '/x", repeat_unsure: true}', 1))
    assert len(desk.targets.taken) == 1


def test_an_alert_whose_sender_was_killed_is_not_sent_a_second_time(tmp_path: Path) -> None:
    async def scenario(desk: Desk) -> None:
        desk.targets.faults = [asyncio.CancelledError()]
        with pytest.raises(asyncio.CancelledError):
            await desk.told(brief(1, fact()))
        desk.restart()
        desk.at += SENDING_FOR + timedelta(seconds=1)
        with pytest.raises(ShapeError, match="may have arrived"):
            await desk.told(brief(1, fact()), attempt=2)

    assert len(run(tmp_path, scenario).targets.ids) == 1


def test_of_what_was_dismissed_nobody_is_told(tmp_path: Path) -> None:
    async def scenario(desk: Desk) -> None:
        await desk.told(brief(1, fact()), state="dismissed")
        await desk.told(brief(2, fact(status="confirmed")), state="dismissed")
        await desk.told(brief(3, fact(status="disputed", refuted=True)))

    assert [one[2] for one in run(tmp_path, scenario).targets.taken] == [["refuted"]]


def test_a_brief_that_came_another_way_than_by_its_subscription_is_refused(tmp_path: Path) -> None:
    async def scenario(desk: Desk) -> None:
        data = brief(1)
        made = make_envelope(
            "incident_brief_v1", data, session_id="s", source_agent="summarizer_agent", timestamp=NOW, cause="c"
        )
        with pytest.raises(ShapeError, match="subscription"):
            await desk.alerting(made, cause="c")

    assert run(tmp_path, scenario).targets.ids == []


# --- the forms ------------------------------------------------------------------------


def alert(text: str = "12 dead", **fields: Any) -> Alert:
    shown = row(location=text, headline=text)
    own = {"desk": "https://desk.example.com/desk", **fields}
    return Alert("0d0ccf1c-3f6d-5ac0-a87c-2d0f6c1e6a11", "s", shown, text, [Change(kind="new", text=text)], NOW, **own)


def test_a_chat_finds_no_mention_no_link_and_no_markup_in_a_report() -> None:
    text = json.loads(as_chat(alert(HOSTILE)))["text"]
    assert text.count("<") == text.count(">") == 1  # our own link
    assert "<https://desk.example.com/desk?session_id=s#i1|Open the incident>" in text
    for sign in ("@here", "](http", "://evil", "\x07", "\r"):
        assert sign not in text
    assert chat_text("a & b < c") == "a &amp; b &lt; c"


def test_no_text_of_a_report_becomes_a_header_of_an_email() -> None:
    target = Email.model_validate({"email": ["d@example.com"], "from": "v@example.com", "smtp": "smtp://m.example"})
    message = as_email(alert(HOSTILE), target)
    raw = message.as_bytes().decode("ascii")
    headers, _, body = raw.partition("\r\n\r\n")
    assert "\r\nBcc:" not in headers
    assert (message["To"], message["From"], message["Bcc"]) == ("d@example.com", "v@example.com", None)
    assert "12 dead" in as_email(alert(), target).get_content()
    assert body


# --- on their way -----------------------------------------------------------------------


@pytest.mark.parametrize(
    "address",
    "127.0.0.1 10.0.0.1 169.254.169.254 172.16.3.4 192.168.1.1 100.64.0.1 0.0.0.0 224.0.0.1 ::1 fe80::1%eth0 fd00::1 "
    "::ffff:127.0.0.1 64:ff9b::7f00:1 2002:7f00:1:: 255.255.255.255 nonsense".split(),
)
def test_no_address_of_a_private_network_is_public(address: str) -> None:
    assert not is_public(address)
    assert is_public("93.184.216.34")
    assert is_public("2606:2800:220:1:248:1893:25c8:1946")


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "127.1", "2130706433", "0x7f.1", "[::1]".strip("[]")])
def test_a_target_inside_a_private_network_is_refused_unless_it_is_allowed(host: str) -> None:
    with pytest.raises(NotTakenError, match="inside a private network") as refused:
        asyncio.run(resolve(host, 80, allow_private=False))
    assert refused.value.outcome == "lasting"
    assert asyncio.run(resolve(host, 80, allow_private=True))


def test_one_private_address_among_public_ones_is_enough_to_be_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    async def both(*_: Any, **__: Any) -> Any:
        return [(0, 0, 0, "", ("93.184.216.34", 443)), (0, 0, 0, "", ("10.0.0.8", 443))]

    async def main() -> None:
        monkeypatch.setattr(asyncio.get_running_loop(), "getaddrinfo", both, raising=False)
        await resolve("rebinding.example", 443, allow_private=False)

    with pytest.raises(NotTakenError, match=r"10\.0\.0\.8"):
        asyncio.run(main())


class Receiver(ThreadingHTTPServer):
    """A loopback HTTP server that keeps what it is sent and answers what it is told."""

    daemon_threads = True

    def __init__(self) -> None:
        self.got: list[tuple[str, dict[str, str], bytes]] = []
        self.answers: list[int] = []
        super().__init__(("127.0.0.1", 0), Taking)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/hook"


class Taking(BaseHTTPRequestHandler):
    server: Receiver

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"]))
        self.server.got.append((self.path, {name.lower(): value for name, value in self.headers.items()}, body))
        answer = self.server.answers.pop(0) if self.server.answers else 200
        if answer == 0:
            self.connection.shutdown(socket.SHUT_RDWR)
            return
        self.send_response(answer)
        if answer == 302:
            self.send_header("Location", self.server.url)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_: Any) -> None:
        """Say nothing."""


@contextmanager
def receiving() -> Iterator[Receiver]:
    with Receiver() as server:
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        yield server
        server.shutdown()


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with receiving() as server:
        yield server


def hook(receiver: Receiver, **fields: Any) -> Webhook:
    return Webhook(webhook=receiver.url, secret=SECRET, allow_private=True, **fields)


def test_a_webhook_gets_json_that_is_signed_as_standard_webhooks_has_it(receiver: Receiver) -> None:
    asyncio.run(send(alert(HOSTILE), hook(receiver)))
    ((path, headers, body),) = receiver.got
    signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
    digest = base64.b64encode(hmac.new(b"k" * 32, signed, hashlib.sha256).digest()).decode()
    assert headers["webhook-signature"] == f"v1,{digest}"
    assert (path, headers["webhook-id"], body) == ("/hook", alert().alert_id, as_json(alert(HOSTILE)))
    assert json.loads(body)["changes"][0]["text"] == HOSTILE


@pytest.mark.parametrize(
    ("answer", "outcome"),
    [(500, "may pass"), (429, "may pass"), (404, "lasting"), (302, "lasting"), (0, "unsure")],
)
def test_what_an_answer_means_and_no_redirect_is_followed(receiver: Receiver, answer: int, outcome: str) -> None:
    receiver.answers = [answer]
    with pytest.raises(NotTakenError) as refused:
        asyncio.run(send(alert(), hook(receiver)))
    assert refused.value.outcome == outcome
    assert len(receiver.got) == 1


def test_nobody_there_may_pass() -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{unused.getsockname()[1]}/"
        with pytest.raises(NotTakenError) as refused:
            asyncio.run(send(alert(), Webhook(webhook=url, allow_private=True)))
    assert refused.value.outcome == "may pass"


def test_the_address_that_was_checked_is_connected_to_whatever_the_name_is_by_then(
    receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def checked(host: str, port: int, *, allow_private: bool) -> list[str]:
        assert host == "name.invalid"
        return ["127.0.0.1"]

    monkeypatch.setattr(reaching, "resolve", checked)
    url = receiver.url.replace("127.0.0.1", "name.invalid")
    asyncio.run(send(alert(), Webhook(webhook=url, allow_private=True)))
    assert receiver.got[0][1]["host"].startswith("name.invalid")


class Mailbox:
    """A loopback SMTP server that answers what it is told to a command, and keeps what it is sent."""

    def __init__(self, **answers: str) -> None:
        self.answers = answers
        self.lines: list[str] = []

    async def __call__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"220 test\r\n")
        while line := (await reader.readline()).decode():
            self.lines.append(line.rstrip("\r\n"))
            word = line.split()[0].upper().rstrip(":")
            if word == "DATA":
                writer.write(b"354 go on\r\n")
                while (line := (await reader.readline()).decode()) not in (".\r\n", ""):
                    self.lines.append(line.rstrip("\r\n"))
            answer = self.answers.get(word, "250 ok")
            if answer == "close":
                break
            writer.write(f"{answer}\r\n".encode())
            if word == "QUIT":
                break
        writer.close()

    def mailed(self, made: Alert) -> None:
        async def main() -> None:
            async with await asyncio.start_server(self, "127.0.0.1", 0) as server:
                port = server.sockets[0].getsockname()[1]
                told = {"email": ["a@example.com", "B <b@example.com>"], "from": "Fleet <v@example.com>"}
                target = Email.model_validate({**told, "smtp": f"smtp://127.0.0.1:{port}", "allow_private": True})
                await send(made, target)

        asyncio.run(main())


def test_an_email_reaches_all_its_recipients_by_smtp() -> None:
    mailbox = Mailbox()
    mailbox.mailed(alert(HOSTILE))
    assert "mail FROM:<v@example.com>" in [line.partition(" size")[0] for line in mailbox.lines]
    assert [line for line in mailbox.lines if line.startswith("rcpt")] == [
        "rcpt TO:<a@example.com>",
        "rcpt TO:<b@example.com>",
    ]
    assert not [line for line in mailbox.lines if line.lower().startswith("bcc")]
    assert f"Message-ID: <{alert().alert_id}@example.com>" in mailbox.lines


@pytest.mark.parametrize(
    ("answers", "outcome"),
    [
        ({"MAIL": "451 later"}, "may pass"),
        ({"RCPT": "550 unknown"}, "lasting"),
        ({"DATA": "554 no"}, "lasting"),
        ({"DATA": "close"}, "unsure"),
        ({"EHLO": "close"}, "may pass"),
    ],
)
def test_what_a_mail_server_answers_decides_whether_it_is_sent_again(answers: dict[str, str], outcome: str) -> None:
    with pytest.raises(NotTakenError) as refused:
        Mailbox(**answers).mailed(alert())
    assert refused.value.outcome == outcome


def test_a_mail_server_outside_that_offers_no_encryption_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    async def main() -> None:
        async with await asyncio.start_server(Mailbox(), "127.0.0.1", 0) as server:
            port = server.sockets[0].getsockname()[1]
            told = {"email": ["a@example.com"], "from": "v@example.com", "smtp": f"smtp://127.0.0.1:{port}"}
            await send(alert(), Email.model_validate(told))

    monkeypatch.setattr(reaching, "is_public", lambda address: True)
    with pytest.raises(NotTakenError, match="STARTTLS") as refused:
        asyncio.run(main())
    assert refused.value.outcome == "lasting"


# --- the command ------------------------------------------------------------------------


def test_the_command_says_what_the_rules_do_and_sends_a_test(receiver: Receiver, tmp_path: Path) -> None:
    from typer.testing import CliRunner

    file = tmp_path / "alerts.yaml"
    file.write_text(
        f"targets:\n  pager: {{webhook: '{receiver.url}', allow_private: true}}\n"
        "rules:\n  - {name: severe, severity: severe, changes: [new], to: [pager]}\n"
    )
    done = CliRunner().invoke(app, ["check", str(file), "--send", "pager"])
    assert done.exit_code == 0, done.output
    assert "severe: new; severity severe and above -> pager" in done.output
    assert "pager: taken" in done.output
    assert "a test" in json.loads(receiver.got[0][2])["changes"][0]["text"]
    receiver.answers = [404]
    refused = CliRunner().invoke(app, ["check", str(file), "--send", "all"])
    assert (refused.exit_code, "answers 404" in refused.output) == (1, True)
    assert commands


def test_the_example_of_the_documentation_is_right() -> None:
    text = (Path(__file__).parents[3] / "docs" / "alerts.md").read_text("utf-8")
    example = text.partition("```yaml\n")[2].partition("```")[0]
    environment = {"VERIFLEET_ALERT_PAGER": SECRET, "VERIFLEET_ALERT_ROOM": "https://hooks.example.com/x"}
    rules = read_rules(example, {**environment, "VERIFLEET_ALERT_SMTP": "secret"})
    assert isinstance(rules, Rules)
    assert set(rules.targets) == {"pager", "room", "duty"}
