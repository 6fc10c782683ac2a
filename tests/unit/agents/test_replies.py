"""The stance of replies, the model's bounds, and which denials count."""

import json
import time
from collections.abc import Mapping
from dataclasses import replace
from importlib import resources
from pathlib import Path
from typing import Any

import pytest
import typer

from verifleet.agents.memory.report import from_json, to_json
from verifleet.agents.pipeline import prepare, verify_event
from verifleet.agents.voices import replies
from verifleet.agents.voices.replies import STANCES, chances, denies_firmly, features, read_reply
from verifleet.audits.replies import audit_replies
from verifleet.audits.scores import Scores
from verifleet.commands.audit import audit_command
from verifleet.envelopes import EventData
from verifleet.errors import ShapeError
from verifleet.reading.reposts import original_of

SIEGE = "BREAKING NEWS: Gunmen take hostages at Sydney cafe, wave Islamic flag http://t.co/x"
ANSWERED = replace(original_of(SIEGE), author="newsdesk")


def heard(text: str, author: str = "someone") -> str:
    found = chances(features(read_reply(text), ANSWERED, author=author))
    return max(found, key=found.__getitem__)


def firmly(text: str, author: str = "someone") -> bool:
    reply = read_reply(text)
    return denies_firmly(reply, ANSWERED, author=author)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("@newsdesk that's not the Islamic flag...", "deny"),
        ("@newsdesk what is your source? can you confirm this?", "query"),
        ("“@newsdesk: BREAKING NEWS: Gunmen take hostages at Sydney cafe, wave Islamic flag http://t.co/x”", "support"),
        ("@newsdesk my heart goes out to everyone who lives there", "comment"),
    ],
)
def test_clear_replies_get_their_stance(text: str, expected: str) -> None:
    assert heard(text) == expected


@pytest.mark.parametrize(
    ("text", "author", "counts"),
    [
        ("@newsdesk that's not the Islamic flag...", "someone", True),
        ("@newsdesk LIES", "someone", True),
        ("@newsdesk is that not the Islamic flag?", "someone", False),
        ("@another @newsdesk that's not the Islamic flag...", "someone", False),
        ("@newsdesk that's not the Islamic flag...", "newsdesk", False),
        ("@newsdesk I do not know what the world is coming to, these people have no heart at all", "someone", False),
    ],
)
def test_only_brief_denials_of_another_addressed_to_the_author_count(text: str, author: str, counts: bool) -> None:
    assert firmly(text, author) is counts


def thread(*replies: tuple[str, str]) -> dict[str, Any]:
    told = {"author": "a", "verified": False, "time": "2014-12-15T00:00:00+00:00"}
    made = [{**told, "id": str(i), "text": text, "stance": label} for i, (text, label) in enumerate(replies)]
    return {"id": "1", "incident": "x", "source": {**told, "id": "1", "author": "s", "text": SIEGE}, "replies": made}


def test_the_audit_writes_figures_and_a_row_for_every_reply(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, out = tmp_path / "threads.jsonl", tmp_path / "out.json"
    row = thread(("@newsdesk that's not the Islamic flag...", "deny"), ("@newsdesk what is your source?", "comment"))
    file.write_text(json.dumps(row) + "\n", "utf-8")
    app = typer.Typer()
    app.command()(audit_command)
    typer.main.get_command(app).main(["replies", str(file), "--json", str(out)], standalone_mode=False)
    written = json.loads(out.read_text("utf-8"))
    assert written["figures"] == json.loads(capsys.readouterr().out)
    assert written["figures"]["by_stance"]["deny"] == {"precision": 1.0, "recall": 1.0, "f1": 1.0}
    assert [(told["label"], told["stance"]) for told in written["rows"]] == [("deny", "deny"), ("comment", "query")]


def test_macro_f1_by_hand() -> None:
    counts = {("comment", "comment"): 3, ("deny", "comment"): 1, ("deny", "deny"): 1, ("query", "query"): 1}
    scores = Scores(STANCES, counts)
    assert scores.f1("deny") == pytest.approx(2 / 3)
    assert scores.macro_f1 == pytest.approx((6 / 7 + 2 / 3 + 1 + 0) / 4)


@pytest.mark.parametrize("row", [{}, {"source": 1, "replies": []}, thread(("x", "maybe"))])
def test_rows_that_are_no_threads_are_named(row: Mapping[str, Any]) -> None:
    with pytest.raises(ShapeError, match="row 1"):
        audit_replies([row])


@pytest.mark.parametrize("part", ["not ", "@a ", "“@a: x ", "? ", "\U0001f62a", "ht", "... "])
def test_hostile_replies_take_bounded_time(part: str) -> None:
    before = time.thread_time()
    assert heard(part * 100_000) in STANCES
    assert time.thread_time() - before < 2


def test_the_model_is_small_and_judges_within_its_time() -> None:
    assert len(resources.files("verifleet.agents.voices").joinpath("reply_model.json").read_bytes()) < 300_000
    texts = [f"@newsdesk number {i} was not hurt, who told you that? http://t.co/{i}" for i in range(300)]
    heard(texts[0])
    began = time.thread_time()
    for text in texts:
        heard(text)
    assert (time.thread_time() - began) / len(texts) < 0.001  # 0.2 ms where it is measured alone


def posted(text: str, event_id: str = "e1", **metadata: object) -> EventData:
    data = {"event_id": event_id, "content": text, "timestamp": "2014-12-15T00:00:00Z", "metadata": metadata}
    return EventData.model_validate(data)


def test_a_reply_is_kept_without_its_text_and_denies_when_what_it_answers_is_at_hand() -> None:
    event = posted("@newsdesk that's not the Islamic flag...", in_reply_to="544269749405097984", author="@someone")
    kept = from_json(json.loads(json.dumps(to_json(prepare(event).report)))).reply
    assert kept is not None
    asked = replace(original_of(SIEGE), author="@NewsDesk")
    assert denies_firmly(kept, asked, author="someone")
    assert not denies_firmly(kept, asked, author="newsdesk")
    assert replies.kept_reply(event, "") is None
    assert replies.kept_reply(posted("not the Islamic flag"), "en") is None


def test_a_reply_and_what_it_answers_share_a_link_by_either_id() -> None:
    reply = posted("@newsdesk no", in_reply_to="544269749405097984")
    source = posted(SIEGE, id="544269749405097984")
    links = replies.links("e2", replies.published_id(reply), replies.answers(reply))
    assert set(links) & set(replies.links(source.event_id, replies.published_id(source), replies.answers(source)))


@pytest.mark.parametrize("data", [{}, {"marks": 1}, {"marks": {"a": "x"}, "words": [], "quoted": [], "handles": []}])
def test_what_is_no_kept_reply_is_refused(data: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="no report"):
        from_json({**to_json(prepare(posted(SIEGE)).report), "reply": data})


def test_one_denying_reply_lowers_belief_and_only_two_dispute_a_claim() -> None:
    source = prepare(posted(SIEGE, author="@newsdesk", id="5442"))

    def judged(*authors: str) -> tuple[str, float]:
        texts = {"a": "@newsdesk that's not the Islamic flag...", "b": "@newsdesk not true! no Islamic flag there"}
        replies = [posted(texts[name], author=name, in_reply_to="5442", event_id=name) for name in authors]
        verified = verify_event(source, [prepare(reply).report for reply in replies], now=source.event.timestamp)
        (claim,) = verified.verified_claims
        return claim.verdict, claim.confidence

    alone, denied, twice, disputed = judged(), judged("a"), judged("a", "a"), judged("a", "b")
    assert (alone[0], denied[0], twice, disputed[0]) == ("insufficient", "insufficient", denied, "conflicting")
    assert alone[1] > denied[1] > disputed[1]
