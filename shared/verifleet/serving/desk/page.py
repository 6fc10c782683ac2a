"""`GET /desk`: the incident page, a few files of the package that ask nothing but this function."""

from __future__ import annotations

import hashlib
from pathlib import Path

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

FOLDER = Path(__file__).parents[2] / "desk"
FILES = {
    "index.html": "text/html; charset=utf-8",
    "desk.css": "text/css; charset=utf-8",
    **dict.fromkeys(("desk.js", "map.js", "parts.js", "reports.js", "verifiers.js"), "text/javascript; charset=utf-8"),
    "world.json": "application/json",
}
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
)
"""Nothing but these files runs or is shown, nothing else is asked, and no text can become markup."""
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-cache",
}


def page_routes() -> list[Route]:
    """The page and its files as they are when the function starts: what is put in their place later may not fit."""
    bodies = {name: (FOLDER / name).read_bytes() for name in FILES}
    tags = {name: f'"{hashlib.sha256(body).hexdigest()[:32]}"' for name, body in bodies.items()}

    async def page(request: Request) -> Response:
        name = request.path_params.get("file", "index.html")
        if name not in FILES:
            raise HTTPException(404)
        body, tag = bodies[name], tags[name]
        headers = {**HEADERS, "ETag": tag}
        if request.headers.get("if-none-match") == tag:
            return Response(status_code=304, headers=headers)
        return Response(body, headers=headers, media_type=FILES[name])

    return [Route("/desk", page), Route("/desk/{file}", page)]
