"""`verifleet mcp`: the fleet's tools for assistants, over stdio or streamable HTTP, by the protocol's own SDK."""

from __future__ import annotations

import asyncio
import json
import logging
import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from verifleet import __version__
from verifleet.commands.options import PortOffset, Url
from verifleet.errors import SettingsError, VerifleetError

if TYPE_CHECKING:
    from mcp.server.lowlevel import Server

    from verifleet.commands.mcp_tools import Tool, Toolbox

logger = logging.getLogger(__name__)
PORT = 8110
MAX_BODY = 16 * 1024 * 1024
HERE = ("127.0.0.1", "localhost", "::1")


def mcp_command(
    http: Annotated[bool, typer.Option("--http", help="Serve http://127.0.0.1:PORT/mcp instead of stdio.")] = False,
    port: Annotated[int, typer.Option(min=1, max=65535, help="With --http.")] = PORT,
    url: Url = None,
    session: Annotated[str | None, typer.Option(help="Where a call names none.")] = None,
    project: Annotated[str | None, typer.Option(help="Google Cloud project to publish to; else this machine.")] = None,
    port_offset: PortOffset = 0,
) -> None:
    """Give an assistant the four verifiers, incidents, why and publishing as MCP tools."""
    from verifleet.commands.mcp_tools import Toolbox

    server = make_server(Toolbox(url, session, project, port_offset))
    if not http:
        asyncio.run(_serve_stdio(server))
        return
    import uvicorn

    print(f"http://{HERE[0]}:{port}/mcp", file=sys.stderr, flush=True)
    uvicorn.run(http_app(server), host=HERE[0], port=port, log_level="warning")


def make_server(toolbox: Toolbox) -> Server[Any]:
    """The server of a toolbox. Raises SettingsError where the SDK is not installed."""
    try:
        from mcp import types
        from mcp.server.lowlevel import Server
    except ImportError:
        raise SettingsError("verifleet mcp needs the protocol's SDK: pip install 'verifleet[mcp]'") from None
    from verifleet.commands.mcp_tools import INSTRUCTIONS

    tools = {tool.name: tool for tool in toolbox.tools()}

    async def list_tools(context: Any, params: Any) -> types.ListToolsResult:
        return types.ListToolsResult(tools=[types.Tool(**_described(tool)) for tool in tools.values()])

    async def call_tool(context: Any, params: types.CallToolRequestParams) -> types.CallToolResult:
        answer, failed = await _answered(tools, params.name, params.arguments or {})
        text = answer if isinstance(answer, str) else json.dumps(answer, ensure_ascii=False)
        content = [types.TextContent(type="text", text=text)]
        structured = None if isinstance(answer, str) else answer
        return types.CallToolResult(content=content, structured_content=structured, is_error=failed)

    return Server(
        "verifleet",
        version=__version__,
        instructions=INSTRUCTIONS,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )


def http_app(server: Server[Any]) -> Any:
    """The server's app for streamable HTTP, which takes requests for this machine only, whatever name leads to it."""
    return server.streamable_http_app(stateless_http=True, max_request_body_size=MAX_BODY, host=HERE[0])


def _described(tool: Tool) -> dict[str, Any]:
    hints = {"read_only_hint": not tool.changes, "destructive_hint": False, "idempotent_hint": True}
    described = {"name": tool.name, "description": tool.description, "input_schema": tool.takes, "annotations": hints}
    return described if tool.gives is None else {**described, "output_schema": tool.gives}


async def _answered(tools: dict[str, Tool], name: str, given: dict[str, Any]) -> tuple[dict[str, Any] | str, bool]:
    """What a tool answers, or what is wrong, and which of the two it is."""
    from verifleet.commands.mcp_tools import sendable

    tool = tools.get(name)
    if tool is None:
        return f"there is no tool {name[:80]!r}; there are: {', '.join(tools)}", True
    try:
        return sendable(await asyncio.to_thread(tool.call, given)), False
    except VerifleetError as error:
        return str(error).encode("utf-8", "replace").decode(), True
    except Exception:
        # Its text may quote what was sent; it is in the log of whoever runs the server.
        logger.exception("tool %s", name)
        return f"{name} failed by a fault of its own: see the log of `verifleet mcp`", True


async def _serve_stdio(server: Server[Any]) -> None:
    from mcp.server.stdio import stdio_server

    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())
