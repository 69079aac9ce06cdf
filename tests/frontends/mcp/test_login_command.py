"""`signoff mcp login` and `logout` on a terminal, with real servers, and the proxy in between."""

from __future__ import annotations

import asyncio
import json
import os
import pty
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from oauth_servers import oauth_servers, visit

SIGNOFF = (sys.executable, "-m", "signoff")
WITHIN_S = 90.0


def test_a_person_signs_in_at_the_terminal_and_the_proxy_uses_it(tmp_path: Path) -> None:
    """The link is on the terminal alone; the log names the act; no token is anywhere in plain."""
    environment = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "LANG": "C.UTF-8"}

    async def play() -> None:
        async with oauth_servers() as servers, asyncio.timeout(WITHIN_S):
            url = servers.resource
            refused = await ran(["mcp", "login", url, "--no-browser"], environment)
            assert "at a terminal" in refused
            said = await signed_in(url, environment)
            assert f"signed in at {url}" in said
            assert not any(token in said for token in (*servers.access, *servers.refresh))
            assert "result" in await listed(url, environment)
            tokens = (*servers.access, *servers.refresh)
            await asyncio.to_thread(nothing_holds, tmp_path, tokens)
            assert "was told" in await ran(["mcp", "logout", url], environment)
            assert servers.refresh == {}
            assert f"signoff mcp login {url}" in await listed(url, environment)

    asyncio.run(play())
    log = asyncio.run(ran(["audit", "tail"], environment))
    assert "mcp.login" in log
    assert "mcp.logout" in log


async def ran(words: list[str], environment: Mapping[str, str]) -> str:
    """Run a command without a terminal; return what it says."""
    done = await asyncio.create_subprocess_exec(
        *SIGNOFF,
        *words,
        env=dict(environment),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )
    out, _ = await done.communicate()
    return out.decode()


async def signed_in(url: str, environment: Mapping[str, str]) -> str:
    """Sign in on a terminal; follow the link as the browser does."""
    pid, keyboard = pty.fork()
    if pid == 0:
        os.execvpe(SIGNOFF[0], [*SIGNOFF, "mcp", "login", url, "--no-browser"], dict(environment))
    shown = ""
    try:
        while piece := await asyncio.to_thread(_read, keyboard):
            shown += piece
            found = re.search(r"(http://\S+state=\S+)\s+waiting", shown)
            if found is not None:
                assert await asyncio.to_thread(visit, found[1]) == 200
                shown = shown.replace("waiting", "waited")
    finally:
        os.close(keyboard)
        os.waitpid(pid, 0)
    return shown


def _read(keyboard: int) -> str:
    try:
        return os.read(keyboard, 4_096).decode()
    except OSError:  # the other end is gone
        return ""


async def listed(url: str, environment: Mapping[str, str]) -> str:
    """Ask the server through the proxy; return the answer."""
    proxy = await asyncio.create_subprocess_exec(
        *SIGNOFF,
        *("mcp", "--url", url),
        env=dict(environment),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    asked = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
    assert proxy.stdin is not None
    assert proxy.stdout is not None
    proxy.stdin.write(json.dumps(asked).encode() + b"\n")
    answer = (await proxy.stdout.readline()).decode()
    proxy.stdin.close()
    await proxy.wait()
    return answer


def nothing_holds(folder: Path, tokens: tuple[str, ...]) -> None:
    """No file under a folder holds one of these texts."""
    files = [path for path in folder.rglob("*") if path.is_file()]
    assert files
    assert tokens
    for path in files:
        raw = path.read_bytes()
        assert not any(token.encode() in raw for token in tokens), path
