"""Cloud Storage on this machine: its JSON API as far as the client library uses it here, for the unmodified client."""

import base64
import json
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

import google_crc32c
import pytest

from verifleet.storage import objects


class Storage(ThreadingHTTPServer):
    """Objects by (bucket, name): content and generation. `faults` are answers that come first, by method."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.objects: dict[tuple[str, str], tuple[bytes, int]] = {}
        self.faults: list[tuple[str, int]] = []
        self.lose_answers_to_uploads = 0
        self.asked: list[tuple[str, str]] = []
        self.lock = threading.Lock()

    def names(self, bucket: str) -> list[str]:
        return sorted(name for of, name in self.objects if of == bucket)

    def put(self, bucket: str, name: str, content: bytes) -> None:
        with self.lock:
            self.objects[bucket, name] = (content, self.objects.get((bucket, name), (b"", 0))[1] + 1)


class _Handler(BaseHTTPRequestHandler):
    server: Storage
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        url = urlsplit(self.path)
        if bucket := re.fullmatch(r"/storage/v1/b/([^/]+)", url.path):  # by the client's own thread, at any time
            self._json({"kind": "storage#bucket", "name": bucket[1], "projectNumber": "1", "location": "EU"})
            return
        if self._failed():
            return
        query = parse_qs(url.query)
        listed = re.fullmatch(r"/storage/v1/b/([^/]+)/o", url.path)
        if listed:
            prefix = query.get("prefix", [""])[0]
            names = [name for name in self.server.names(listed[1]) if name.startswith(prefix)]
            self._json({"kind": "storage#objects", "items": [self._about(listed[1], name) for name in names]})
            return
        found = re.fullmatch(r"(?:/download)?/storage/v1/b/([^/]+)/o/([^/]+)", url.path)
        assert found, url.path
        key = found[1], unquote(found[2])
        if key not in self.server.objects or query.get("generation", [None])[0] not in (
            None,
            str(self.server.objects[key][1]),
        ):
            self._json({"error": {"code": 404, "message": f"No such object: {'/'.join(key)}"}}, 404)
        elif query.get("alt") == ["media"]:
            self._media(self.server.objects[key][0])
        else:
            self._json(self._about(*key))

    def _media(self, content: bytes) -> None:
        wanted = re.fullmatch(r"bytes=(\d+)-(\d*)", self.headers.get("range", ""))
        if wanted is None:
            self._answer(200, content, {"x-goog-hash": f"crc32c={_crc(content)}"})
            return
        start, end = int(wanted[1]), int(wanted[2] or len(content) - 1)
        part = content[start : end + 1]
        self._answer(206, part, {"content-range": f"bytes {start}-{start + len(part) - 1}/{len(content)}"})

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"]))
        if self._failed():
            return
        url = urlsplit(self.path)
        query = parse_qs(url.query)
        found = re.fullmatch(r"/upload/storage/v1/b/([^/]+)/o", url.path)
        assert found, url.path
        assert query["uploadType"] == ["multipart"], "parts are small"
        boundary = re.search(rb'boundary="?([^";]+)', self.headers["content-type"].encode())
        assert boundary
        _, first, second, _ = body.split(b"--" + boundary[1])
        about = json.loads(first.partition(b"\r\n\r\n")[2])
        content = second.partition(b"\r\n\r\n")[2][:-2]
        assert about["crc32c"] == _crc(content)
        name = about["name"]
        with self.server.lock:
            there = (found[1], name) in self.server.objects
        if query.get("ifGenerationMatch") == ["0"] and there:
            self._json({"error": {"code": 412, "message": "conditionNotMet"}}, 412)
            return
        self.server.put(found[1], name, content)
        if self.server.lose_answers_to_uploads:
            self.server.lose_answers_to_uploads -= 1
            self._json({"error": {"code": 503, "message": "lost"}}, 503)
            return
        self._json(self._about(found[1], name))

    def _failed(self) -> bool:
        with self.server.lock:
            self.server.asked.append((self.command, self.path))
            fault = next((one for one in self.server.faults if one[0] == self.command), None)
            if fault is not None:
                self.server.faults.remove(fault)
        if fault is not None:
            self._json({"error": {"code": fault[1], "message": "planted"}}, fault[1])
        return fault is not None

    def _about(self, bucket: str, name: str) -> dict[str, Any]:
        content, generation = self.server.objects[bucket, name]
        about = {"kind": "storage#object", "bucket": bucket, "name": name, "crc32c": _crc(content)}
        return about | {"generation": str(generation), "size": str(len(content))}

    def _json(self, value: Any, status: int = 200) -> None:
        self._answer(status, json.dumps(value).encode(), {"content-type": "application/json"})

    def _answer(self, status: int, body: bytes, headers: dict[str, str]) -> None:
        self.send_response(status)
        for name, value in ({"content-length": str(len(body))} | headers).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args: object) -> None:
        pass


def _crc(content: bytes) -> str:
    return base64.b64encode(google_crc32c.Checksum(content).digest()).decode()


@contextmanager
def running(monkeypatch: pytest.MonkeyPatch) -> Iterator[Storage]:
    """The server, to which the client library of this process and of those that it starts goes."""
    with Storage() as server:
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        monkeypatch.setenv("STORAGE_EMULATOR_HOST", f"http://127.0.0.1:{server.server_port}")
        objects._client.cache_clear()
        yield server
        objects._client.cache_clear()
        server.shutdown()
