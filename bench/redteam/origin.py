"""Take the daemon's port while it is gone, and try to answer for the person at the inbox.

Each run signs a real Chromium in to a real daemon, opens the inbox and a request, and looks for
what another process gets:

    port       the cookie goes to a server on another port of this machine
    beside     a server on the same port of another loopback address gets the browser's pages
    reload     after SIGKILL a server takes the port; an open page loads it by itself
    replay     a cookie that was sent there is good at the next daemon
    stay       the person reloads the page, so that a service worker stays; the daemon starts
               again, the person signs in by a new link, and the worker approves what waits

`--control` runs a daemon without the protection (`unprotected.py`): every attack must succeed
there, or this harness shows nothing. It exits with 1 if an attack succeeds, or with `--control` if
one fails.

    .venv/bin/python -m bench.redteam.origin --runs 20
"""

from __future__ import annotations

import argparse
import contextlib
import http.client
import json
import os
import pty
import re
import select
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.ports import free_port
from bench.redteam.foreign_server import foreign_server, has_ipv6
from bench.redteam.unprotected import UNPROTECTED

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]
LINK = re.compile(r"http://[\w.-]+:\d+/web/sign-in#\S+")
SETTINGS = """
channels: [web]
limits: {min_review_s: 1, answer_timeout_s: 120}
approval: {review_s: {low: 0, medium: 0, high: 0, critical: 0}}
"""
ASKED = "docker system prune -af"
ATTACKS = ("port", "beside", "reload", "replay", "stay")
LEFT_ALONE_S = 8.0  # pages look for their server every 2 to 3 s
START_S = 30.0
ANSWERED_WITHIN_S = 8.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Installation:
    """A home with a daemon in it."""

    home: Path
    port: int
    is_control: bool

    @property
    def environment(self) -> dict[str, str]:
        """Of everything that runs there."""
        return {"PATH": os.environ["PATH"], "HOME": str(self.home)}

    def start(self) -> subprocess.Popen[bytes]:
        """Start the daemon and wait until it answers."""
        program = ["-c", UNPROTECTED] if self.is_control else ["-m", "signoff"]
        process = subprocess.Popen(
            [sys.executable, "-I", *program, "serve", "--port", str(self.port)],
            env=self.environment,
            stdout=subprocess.DEVNULL,
        )
        try:
            _wait(lambda: self._call("GET", "/healthz")[0] == 200)
        except AssertionError:
            process.kill()
            raise
        return process

    def ask(self) -> str:
        """Ask for a call as an agent does; return where its answer is found."""
        call = {"tool_name": "Bash", "tool_input": {"command": ASKED}, "cwd": str(self.home)}
        status, headers, said = self._call("POST", "/v1/actions", json.dumps(call))
        if status != 202:
            raise AssertionError(said)
        return headers["location"]

    def verdict(self, location: str) -> str:
        """Return what became of a call, "" while it waits."""
        _, _, said = self._call("GET", f"{location}?wait={ANSWERED_WITHIN_S}")
        return str(json.loads(said).get("verdict") or "")

    def link(self) -> str:
        """Return the link a person gets who types `signoff open` at a terminal."""
        pid, terminal = pty.fork()
        if pid == 0:
            words = [sys.executable, "-I", "-m", "signoff", "open"]
            os.execve(sys.executable, words, self.environment)
        said = b""
        with contextlib.suppress(OSError):  # how the end of a terminal is told
            while select.select([terminal], [], [], START_S)[0] and (
                piece := os.read(terminal, 4096)
            ):
                said += piece
        os.waitpid(pid, 0)
        os.close(terminal)
        found = LINK.search(said.decode())
        if found is None:
            raise AssertionError(said)
        return found[0]

    def sees_inbox(self, host: str, cookie: str) -> bool:
        """Tell whether a cookie shows the inbox under a host name."""
        headers = {"Host": host, "Cookie": cookie}
        return self._call("GET", "/web/inbox/list", headers=headers)[0] == 200

    def _call(
        self, method: str, path: str, body: str | None = None, headers: dict[str, str] | None = None
    ) -> tuple[int, http.client.HTTPMessage, str]:
        token = self.home / ".local/state/signoff/token"
        said = token.read_text(encoding="ascii").strip() if token.exists() else ""
        sent = {"Authorization": f"Bearer {said}", "Content-Type": "application/json"}
        link = http.client.HTTPConnection("127.0.0.1", self.port, timeout=15)
        try:
            link.request(method, path, body, {**sent, **(headers or {})})
            answer = link.getresponse()
            return answer.status, answer.headers, answer.read().decode()
        finally:
            link.close()


def run(browser: Any, folder: Path, *, is_control: bool) -> set[str]:  # noqa: ANN401 - a Browser
    """Run all attacks once; return the names of those that succeed."""
    place = Installation(home=folder, port=free_port(), is_control=is_control)
    config = folder / ".config" / "signoff"
    config.mkdir(parents=True)
    (config / "signoff.yaml").write_text(SETTINGS, encoding="utf-8")
    context, process = browser.new_context(), place.start()
    try:
        place.ask()
        inbox = context.new_page()
        inbox.goto(place.link())
        inbox.wait_for_url("**/web/")
        shown = context.new_page()
        shown.goto(inbox.url)
        shown.click(".cards .headline")
        shown.wait_for_url("**/web/requests/*")
        found = _beside(context, inbox, place)
        process.kill()
        process.wait(10)
        gone = _gone(place, [inbox, shown])
        process = place.start()
        return found | gone.succeeded | _back(context, place, gone)
    finally:
        context.close()
        process.kill()
        process.wait(10)


@dataclass(frozen=True, slots=True, kw_only=True)
class Gone:
    """What the foreign server got while the daemon was gone."""

    succeeded: set[str]
    hosts: set[str]
    cookies: set[str]


def _beside(context: Any, inbox: Any, place: Installation) -> set[str]:  # noqa: ANN401 - see above
    """Attack while the daemon runs: from another port, and from another loopback address."""
    found, other, page = set(), free_port(), context.new_page()
    fresh = context.browser.new_context()  # no connection to the daemon is open there
    with foreign_server(other) as taken:
        for name in ("127.0.0.1", "localhost"):
            page.goto(f"http://{name}:{other}/web/")
        if taken.cookies:
            found.add("port")
    with contextlib.suppress(OSError), foreign_server(place.port, host="::1") as taken:
        fresh.new_page().goto(inbox.url)
        if taken.pages:
            found.add("beside")
    page.close()
    fresh.close()
    return found


def _gone(place: Installation, pages: list[Any]) -> Gone:
    """Take the port: first the pages are left alone, then the person reloads them."""
    found, request_id = set(), pages[1].url.rpartition("/")[2]
    with foreign_server(place.port, request_id=request_id) as taken:
        time.sleep(LEFT_ALONE_S)
        if taken.pages:
            found.add("reload")
        for page in pages:
            page.reload()
        with contextlib.suppress(AssertionError):
            _wait(lambda: taken.installed > 0, seconds=5)
        return Gone(succeeded=found, hosts=taken.hosts, cookies=taken.cookies)


def _back(context: Any, place: Installation, gone: Gone) -> set[str]:  # noqa: ANN401 - see above
    """Attack after the daemon has started again and the person has signed in again."""
    found, waiting = set(), place.ask()
    if any(place.sees_inbox(host, cookie) for host in gone.hosts for cookie in gone.cookies):
        found.add("replay")
    page = context.new_page()
    with contextlib.suppress(Exception):  # the worker may hold the page back
        page.goto(place.link(), timeout=START_S * 1_000)
    if place.verdict(waiting) == "allow":
        found.add("stay")
    return found


def _wait(is_so: Callable[[], bool], seconds: float = START_S) -> None:
    """Wait until something is so.

    Raises:
        AssertionError: it was not in time.
    """
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        with contextlib.suppress(OSError):
            if is_so():
                return
        time.sleep(0.05)
    raise AssertionError("not in time")


@contextlib.contextmanager
def chromium() -> Iterator[Any]:
    """Run a browser until the block ends; Playwright is in the group `e2e` only."""
    from playwright.sync_api import sync_playwright  # noqa: PLC0415 - see above

    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


def expected() -> frozenset[str]:
    """Return the attacks that succeed where nothing protects: `beside` takes IPv6."""
    return frozenset(ATTACKS) - (frozenset() if has_ipv6() else {"beside"})


def run_all(runs: int, *, is_control: bool) -> int:
    """Run the attacks so many times; return the exit status."""
    counted: Counter[str] = Counter()
    with chromium() as browser:
        for at in range(runs):
            with tempfile.TemporaryDirectory() as folder:
                found = run(browser, Path(folder), is_control=is_control)
            counted.update(found)
            print(f"run {at + 1}: {', '.join(sorted(found)) or 'nothing'}", flush=True)
    for attack in ATTACKS:
        print(f"{attack:8} {counted[attack]} of {runs}")
    is_bad = any(counted[one] < runs for one in expected()) if is_control else bool(counted)
    return 1 if is_bad else 0


def main() -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--control", action="store_true", help="a daemon without the protection")
    chosen = parser.parse_args()
    return run_all(chosen.runs, is_control=chosen.control)


if __name__ == "__main__":
    sys.exit(main())
