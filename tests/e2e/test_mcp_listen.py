"""`signoff mcp --listen`: the official SDK's client, before a process and a remote server."""

from __future__ import annotations

import asyncio
import contextlib
import importlib.util
import re
import subprocess
import sys
import threading
from collections.abc import Awaitable, Callable, Iterator, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from bench.ports import free_port

sys.path.append(str(Path(__file__).parents[1] / "frontends" / "server"))
from live_daemon import LiveDaemon, served, wait_until

if importlib.util.find_spec("mcp") is None:
    pytest.skip("mcp, the official SDK, is not installed (group e2e)", allow_module_level=True)

import httpx2
from mcp.client import Client, ClientRequestContext
from mcp.client.streamable_http import streamable_http_client
from mcp_types import ElicitRequestParams, ElicitResult
from test_mcp_sdk import over_http, text_of

SERVER = str(Path(__file__).with_name("sdk_server.py"))
MODES = ["legacy", "2026-07-28"]
BEARER = "Bearer tok-of-the-client-31337"
CHALLENGE = (
    'Bearer resource_metadata="https://mcp.example.com/.well-known/oauth-protected-resource/mcp",'
    ' scope="notes:read"'
)
METADATA = b'{"resource": "https://mcp.example.com/mcp",  "authorization_servers": ["https://as"]}'


@pytest.fixture(scope="module")
def daemon(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveDaemon]:
    """Return a running daemon."""
    with served(tmp_path_factory.mktemp("home")) as running:
        yield running


class Front:
    """A running `signoff mcp --listen`, and what it wrote to its log."""

    def __init__(self, process: subprocess.Popen[str], log: Path) -> None:
        self.process, self.log = process, log
        wait_until(lambda: self._found() is not None or process.poll() is not None)
        found = self._found()
        assert found is not None, log.read_text()
        self.url, self.token = found[1], found[2]

    def _found(self) -> re.Match[str] | None:
        return re.search(r"(http://\S+/mcp); .*`signoff-token: (\w+)`", self.log.read_text())


@contextlib.contextmanager
def listening(daemon: LiveDaemon, folder: Path, *words: str) -> Iterator[Front]:
    """Run the command."""
    command = [sys.executable, "-I", "-m", "signoff", "mcp", "--name", "notes"]
    log = folder / "listen.log"
    with log.open("w") as target:
        process = subprocess.Popen(
            [*command, "--listen", f"127.0.0.1:{free_port()}", *words],
            env=daemon.environment,
            cwd=str(daemon.home),
            stderr=target,
            text=True,
        )
    try:
        yield Front(process, log)
    finally:
        process.terminate()
        process.wait(timeout=60)


def using(
    front: Front,
    scene: Callable[[Client], Awaitable[None]],
    *,
    mode: str,
    headers: dict[str, str] | None = None,
    answer: ElicitResult | None = None,
) -> None:
    """Play a scene with the SDK's client."""

    async def answered(context: ClientRequestContext, params: ElicitRequestParams) -> ElicitResult:
        assert answer is not None
        return answer

    async def play() -> None:
        told = {"signoff-token": front.token, **(headers or {})}
        async with asyncio.timeout(60), httpx2.AsyncClient(headers=told, timeout=60) as http:
            transport = streamable_http_client(front.url, http_client=http)
            callback = None if answer is None else answered
            async with Client(transport, mode=mode, elicitation_callback=callback) as client:
                await scene(client)

    asyncio.run(play())


@pytest.mark.parametrize("is_remote", [False, True], ids=["process", "remote"])
@pytest.mark.parametrize("mode", MODES)
def test_calls_are_judged_and_progress_arrives(
    daemon: LiveDaemon, tmp_path: Path, mode: str, *, is_remote: bool
) -> None:
    """With a handshake and without, before a process and before a server over HTTP."""
    seen: list[float] = []

    async def told(progress: float, total: float | None, message: str | None) -> None:
        seen.append(progress)

    async def scene(client: Client) -> None:
        assert 6 == len((await client.list_tools()).tools)
        assert "milk, bread" == text_of(await client.call_tool("list_notes", {}))
        refused = await client.call_tool("run_command", {"command": "rm -rf ~"})
        assert refused.is_error and "signoff" in text_of(refused)
        counted = await client.call_tool("count", {"steps": 3}, progress_callback=told)
        assert text_of(counted).startswith("3 in ")

    with contextlib.ExitStack() as stack:
        words = ["--", sys.executable, SERVER, str(tmp_path)]
        if is_remote:
            words = ["--url", stack.enter_context(over_http(tmp_path))]
        front = stack.enter_context(listening(daemon, tmp_path, *words))
        using(front, scene, mode=mode)
        using(front, scene, mode=mode)
    assert not (tmp_path / "run_command").exists()
    assert seen


@pytest.mark.parametrize("mode", MODES)
def test_the_clients_user_is_asked_by_a_form(daemon: LiveDaemon, tmp_path: Path, mode: str) -> None:
    """Where no channel is set up; only a yes lets the call go."""
    for answer in (
        ElicitResult(action="accept", content={"approve": True}),
        ElicitResult(action="decline"),
    ):

        async def scene(client: Client) -> None:
            await client.call_tool("delete_all_notes", {})

        words = ("--", sys.executable, SERVER, str(tmp_path))
        with listening(daemon, tmp_path, *words) as front:
            using(front, scene, mode=mode, answer=answer)
        ran = tmp_path / "delete_all_notes"
        assert (answer.action == "accept") == ran.exists()
        ran.unlink(missing_ok=True)


@pytest.mark.parametrize("mode", MODES)
def test_two_clients_at_once_do_not_meet(daemon: LiveDaemon, tmp_path: Path, mode: str) -> None:
    """Their requests have the same ids; each gets its own answers."""

    async def play(front: Front) -> list[str]:
        async def one(number: int) -> str:
            headers = {"signoff-token": front.token}
            async with httpx2.AsyncClient(headers=headers, timeout=60) as http:
                transport = streamable_http_client(front.url, http_client=http)
                async with Client(transport, mode=mode) as client:
                    return text_of(await client.call_tool("count", {"steps": number}))

        async with asyncio.timeout(60):
            return list(await asyncio.gather(*(one(number) for number in (1, 2, 3, 4))))

    with listening(daemon, tmp_path, "--", sys.executable, SERVER, str(tmp_path)) as front:
        found = asyncio.run(play(front))
    assert ["1", "2", "3", "4"] == [text.partition(" ")[0] for text in found]


def kept(headers: Mapping[str, str]) -> dict[str, str]:
    """Return the headers of a request that are handed on."""
    own = ("host", "authorization", "content-length", "connection")
    return {name: value for name, value in headers.items() if name.lower() not in own}


def told(headers: Mapping[str, str]) -> dict[str, str]:
    """Return the headers of an answer that are handed back."""
    return {n: headers[n] for n in ("content-type", "mcp-session-id") if n in headers}


class Guarded(BaseHTTPRequestHandler):
    """Stands before a server and wants its bearer token."""

    protocol_version = "HTTP/1.1"
    upstream = ""
    seen: list[str]

    def do_GET(self) -> None:
        """Give the metadata."""
        if self.path == "/.well-known/oauth-protected-resource/mcp":
            self.answer(200, METADATA, {"content-type": "application/json"})
        else:
            self.answer(405, b"", {})

    def do_DELETE(self) -> None:
        """End a session."""
        self.answer(204, b"", {})

    def do_POST(self) -> None:
        """Hand a message on."""
        body = self.rfile.read(int(self.headers["content-length"]))
        self.seen.append(self.headers.get("authorization", ""))
        if self.seen[-1] != BEARER:
            self.answer(401, b'{"error": "invalid_token"}', {"WWW-Authenticate": CHALLENGE})
            return
        got = httpx2.post(
            self.upstream, content=body, headers=kept(dict(self.headers.items())), timeout=30
        )
        self.answer(got.status_code, got.content, told(got.headers))

    def answer(self, status: int, body: bytes, headers: Mapping[str, str]) -> None:
        """Answer."""
        self.send_response(status)
        for name, value in {**headers, "content-length": str(len(body))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


@contextlib.contextmanager
def guarded_server(upstream: str) -> Iterator[tuple[str, list[str]]]:
    """Run one; give its address, and the tokens it was sent."""
    seen: list[str] = []
    handler = type("Handler", (Guarded,), {"upstream": upstream, "seen": seen})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/mcp", seen
    finally:
        server.shutdown()
        server.server_close()


@pytest.mark.parametrize("mode", MODES)
def test_the_clients_token_reaches_the_remote_server_and_no_log(
    daemon: LiveDaemon, tmp_path: Path, mode: str
) -> None:
    """It is sent on as it came, and stands in no file of signoff."""

    async def scene(client: Client) -> None:
        assert "milk, bread" == text_of(await client.call_tool("list_notes", {}))

    with (
        over_http(tmp_path) as upstream,
        guarded_server(upstream) as (url, seen),
        listening(daemon, tmp_path, "--url", url) as front,
    ):
        using(front, scene, mode=mode, headers={"Authorization": BEARER})
        log = front.log.read_text()
    assert {BEARER} == set(seen)
    secret = BEARER.split()[1]
    assert secret not in log
    files = [path for path in Path(daemon.home).rglob("*") if path.is_file()]
    assert files and not [path for path in files if secret.encode() in path.read_bytes()]


INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "t", "version": "1"},
    },
}
META = "io.modelcontextprotocol/"
LIST = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "tools/list",
    "params": {
        "_meta": {
            f"{META}protocolVersion": "2026-07-28",
            f"{META}clientInfo": {"name": "t", "version": "1"},
            f"{META}clientCapabilities": {},
        }
    },
}
JSON = {"content-type": "application/json", "accept": "application/json, text/event-stream"}


@pytest.mark.parametrize("said", [INITIALIZE, LIST], ids=MODES)
@pytest.mark.parametrize("given", ["", "Bearer wrong"])
def test_what_the_server_wants_for_authorization_comes_back_unharmed(
    daemon: LiveDaemon, tmp_path: Path, given: str, said: dict[str, object]
) -> None:
    """Status, `WWW-Authenticate` and the metadata it names: byte by byte."""
    with (
        over_http(tmp_path) as upstream,
        guarded_server(upstream) as (url, seen),
        listening(daemon, tmp_path, "--url", url) as front,
    ):
        headers = {**JSON, "signoff-token": front.token}
        if given:
            headers["authorization"] = given
        answer = httpx2.post(front.url, json=said, headers=headers, timeout=30)
        assert (401, CHALLENGE) == (answer.status_code, answer.headers["www-authenticate"])
        known = front.url.replace("/mcp", "/.well-known/oauth-protected-resource/mcp")
        metadata = httpx2.get(known, timeout=30)
        assert (200, METADATA) == (metadata.status_code, metadata.content)
    assert [given] * len(seen) == seen and seen


def test_strangers_are_refused(daemon: LiveDaemon, tmp_path: Path) -> None:
    """Without the token, from another page, under another name: nothing is started."""
    with listening(daemon, tmp_path, "--", sys.executable, SERVER, str(tmp_path)) as front:
        good = {**JSON, "signoff-token": front.token}
        for headers in (
            JSON,
            {**JSON, "signoff-token": "x"},
            {**good, "origin": "https://evil.example"},
            {**good, "host": "evil.example"},
        ):
            answer = httpx2.post(front.url, json=INITIALIZE, headers=headers, timeout=30)
            assert 403 == answer.status_code
        bad = [b"{", b"[]", b'{"jsonrpc": "2.0", "id": 1, "id": 2, "method": "ping"}']
        for body in bad:
            assert 400 == httpx2.post(front.url, content=body, headers=good).status_code
        ping = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
        unknown = {**good, "mcp-session-id": "guessed"}
        assert 404 == httpx2.post(front.url, json=ping, headers=unknown).status_code
        own = {**JSON, "authorization": f"Bearer {front.token}"}
        assert 200 == httpx2.post(front.url, json=INITIALIZE, headers=own, timeout=30).status_code


def test_it_listens_on_this_machine_only(daemon: LiveDaemon) -> None:
    """Another address is an error that says what to do."""
    command = [sys.executable, "-I", "-m", "signoff", "mcp", "--listen", "0.0.0.0:8808", "--", "x"]
    done = subprocess.run(
        command, env=daemon.environment, capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode != 0
    assert "cannot listen on `0.0.0.0:8808`" in done.stderr
