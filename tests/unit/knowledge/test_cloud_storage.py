"""A base at a gs:// address: the unmodified client against a loopback server that speaks the storage protocol."""

import base64
import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import google_crc32c
import pytest

from verifleet.errors import KnowledgeBaseError
from verifleet.knowledge_base import open_knowledge_base
from verifleet.knowledge_base.build import SourceFact, build
from verifleet.verification import KnowledgeReference


class Bucket(ThreadingHTTPServer):
    """One object of one bucket; counts the downloads."""

    data = b""
    generation = 1
    corrupt = False
    downloads = 0


class Handler(BaseHTTPRequestHandler):
    server: Bucket

    def do_GET(self) -> None:
        url = urlsplit(self.path)
        if not url.path.endswith("/o/bases%2Ffacts.db"):
            self._answer(404, b'{"error": {"code": 404, "message": "no such object"}}', "application/json")
        elif parse_qs(url.query).get("alt") == ["media"]:
            self.server.downloads += 1
            data = self.server.data
            self._answer(200, data[:-1] + b"?" if self.server.corrupt else data, "application/octet-stream")
        else:
            meta = {"kind": "storage#object", "bucket": "team", "name": "bases/facts.db"}
            meta |= {
                "generation": str(self.server.generation),
                "size": str(len(self.server.data)),
                "crc32c": self._crc(),
            }
            self._answer(200, json.dumps(meta).encode(), "application/json")

    def _crc(self) -> str:
        return base64.b64encode(google_crc32c.Checksum(self.server.data).digest()).decode()

    def _answer(self, status: int, body: bytes, kind: str) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("x-goog-hash", f"crc32c={self._crc()}")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args: object) -> None:
        pass


@pytest.fixture
def bucket(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Bucket]:
    path = tmp_path / "facts.db"
    build([SourceFact("Who rules Freedonia?", KnowledgeReference(answer="Firefly"), "here")], path)
    with Bucket(("127.0.0.1", 0), Handler) as server:
        server.data = path.read_bytes()
        threading.Thread(target=server.serve_forever, daemon=True).start()
        monkeypatch.setenv("STORAGE_EMULATOR_HOST", f"http://127.0.0.1:{server.server_port}")
        yield server
        server.shutdown()


ADDRESS = "gs://team/bases/facts.db"


def test_an_object_is_downloaded_once_for_each_generation(bucket: Bucket, tmp_path: Path) -> None:
    for _ in range(2):
        fact = open_knowledge_base(ADDRESS, tmp_path / "cache").lookup("who rules freedonia")
        assert fact is not None
        assert fact.reference.answer == "Firefly"
    assert bucket.downloads == 1
    bucket.generation = 2
    open_knowledge_base(ADDRESS, tmp_path / "cache")
    assert bucket.downloads == 2


def test_a_corrupt_download_is_refused_and_leaves_nothing(bucket: Bucket, tmp_path: Path) -> None:
    bucket.corrupt = True
    with pytest.raises(KnowledgeBaseError, match="can't be downloaded"):
        open_knowledge_base(ADDRESS, tmp_path / "cache")
    assert not list((tmp_path / "cache").glob("*"))


def test_a_missing_object_is_named(bucket: Bucket, tmp_path: Path) -> None:
    with pytest.raises(KnowledgeBaseError, match=r"there is no object gs://team/other\.db"):
        open_knowledge_base("gs://team/other.db", tmp_path / "cache")
