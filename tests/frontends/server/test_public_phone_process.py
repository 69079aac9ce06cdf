"""From a card on the phone to the page of a critical request, and its approval by a passkey.

The service behind a real TLS proxy (HAProxy), a real browser with a virtual authenticator, a Bot
API on loopback. What a phone adds, an app that opens links, is not here.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from bench.ports import free_port
from live_daemon import wait_until
from public_inbox import LINK, NAME, public_machine
from service_machine import AGENT, APPROVER, ServiceMachine, ids_of, why_not
from test_service_process import event, hook

sys.path.append(str(Path(__file__).parents[2] / "channels" / "telegram"))
from fake_bot_api import ADA, BOB, CHAT, TOKEN, FakeBotApi, fake_bot_api

from signoff.channels.passkey_page import NO_PAGE
from signoff.frontends.client.places import Places
from signoff.frontends.client.service_layout import LAYOUT
from signoff.frontends.doctor.port import is_taken

sync_api = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
pytest.importorskip("webauthn", reason="the extra `passkeys` is not installed")
from playwright.sync_api import Page, expect, sync_playwright  # noqa: E402 - see above

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
MISSING = [name for name in ("haproxy", "openssl") if not shutil.which(name)]
pytestmark = [
    pytest.mark.skipif(bool(why_not()), reason=why_not() or "-"),
    pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium on this machine"),
    pytest.mark.skipif(bool(MISSING), reason="no HAProxy or OpenSSL (apt-get install haproxy)"),
]
ORIGIN = f"https://{NAME}"
AUTHENTICATOR = {
    "protocol": "ctap2",
    "transport": "internal",
    "hasResidentKey": True,
    "hasUserVerification": True,
    "isUserVerified": True,
    "automaticPresenceSimulation": True,
}
BUTTON = "Answer with my passkey"
EXPLAINED = (
    "This deletes the whole database prod with all of its tables and data by dropdb,"
    " and nobody can bring it back afterwards without a backup"
)
PROXY = """
global
    maxconn 500
defaults
    mode http
    timeout connect 5s
    timeout client 60s
    timeout server 60s
frontend tls
    bind 127.0.0.1:{port} ssl crt {pem}
    default_backend inbox
backend inbox
    server signoff unix@{socket}
"""


@contextmanager
def tls_proxy(machine: ServiceMachine, folder: Path) -> Iterator[int]:
    """Run HAProxy before the inbox's socket; return its port."""
    made = (
        "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2"
        f" -subj /CN={NAME} -addext subjectAltName=DNS:{NAME} -keyout tls.key -out tls.crt"
    )
    subprocess.run(made.split(), cwd=folder, check=True, capture_output=True)
    pem, port = folder / "tls.pem", free_port()
    pem.write_text("".join((folder / name).read_text() for name in ("tls.crt", "tls.key")))
    socket = f"{machine.root}{Places(LAYOUT.state).inbox_socket}"
    (folder / "haproxy.cfg").write_text(PROXY.format(port=port, pem=pem, socket=socket))
    process = subprocess.Popen(["haproxy", "-db", "-f", str(folder / "haproxy.cfg")])
    try:
        wait_until(lambda: is_taken(port))
        yield port
    finally:
        process.kill()
        process.wait()


@contextmanager
def phone(port: int) -> Iterator[Page]:
    """Return a page of a browser that has an authenticator, at the size of a phone."""
    flags = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]
    flags += [f"--host-resolver-rules=MAP {NAME}:443 127.0.0.1:{port}"]
    flags += ["--ignore-certificate-errors"]
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=CHROMIUM, args=flags)
        context = browser.new_context(
            viewport={"width": 390, "height": 800}, ignore_https_errors=True
        )
        context.set_default_timeout(20_000)
        page = context.new_page()
        devices = context.new_cdp_session(page)
        devices.send("WebAuthn.enable")
        devices.send("WebAuthn.addVirtualAuthenticator", {"options": AUTHENTICATOR})
        yield page
        browser.close()


def set_up_telegram(machine: ServiceMachine, api: FakeBotApi) -> None:
    """Have Ada, who has a user of the machine, asked in a chat as well."""
    yaml = f"{{api: '{api.url}', chat: {CHAT}, users: [{ADA}, {BOB}], token_file: telegram.token}}"
    script = (
        f"umask 077; cd {LAYOUT.config}; printf %s '{TOKEN}' > telegram.token;"
        f' echo "{yaml}" > telegram.yaml; chown {LAYOUT.user}: telegram.*'
    )
    assert machine.run(["sh", "-c", script], user="root").returncode == 0
    words = ["approvers", "add", APPROVER, "--role", "admin"]
    words += ["--identity", f"terminal:uid:{ids_of(machine, APPROVER)}"]
    with machine.on_terminal("root", *words, "--identity", f"telegram:{ADA}") as typing:
        typing.confirm("add")
        assert APPROVER in typing.to_end()


def card_of(api: FakeBotApi) -> int:
    """Wait for a card with the button; return its message."""
    found: list[int] = []

    def look() -> bool:
        found[:] = [one for one in list(api.messages) if BUTTON in api.labels(one)]
        return bool(found)

    wait_until(look)
    return found[-1]


def links_of(api: FakeBotApi) -> list[str]:
    """Return the links that were sent so far."""
    buttons = [
        button
        for params in api.said("sendMessage")
        for row in (params.get("reply_markup") or {}).get("inline_keyboard", ())
        for button in row
    ]
    return [str(button["url"]) for button in buttons if "url" in button]


def pressed(api: FakeBotApi, card: int, user: int) -> str:
    """Press the button as somebody; return the link that follows."""
    before = len(links_of(api))
    api.press(card, BUTTON, user=user)
    wait_until(lambda: len(links_of(api)) > before)
    return links_of(api)[-1]


def test_a_critical_call_is_approved_from_its_card_by_a_passkey(tmp_path: Path) -> None:
    """The link is its person's, works once, and shows nothing without their passkey."""
    edits: tuple[str, ...] = (
        "s|^channels:.*|channels: [web, telegram]\\nlines: {destructive.whole-store: ask}|",
    )
    edits += ("s|^approval:|approval:\\n  parties: 1|",)
    with public_machine(*edits) as machine, fake_bot_api() as api:
        set_up_telegram(machine, api)
        with machine.started(), tls_proxy(machine, tmp_path) as port, phone(port) as page:
            signed_in_with_passkey(machine, page)
            asking = subprocess.Popen(
                hook(machine, AGENT),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
                cwd="/",
                env={"PATH": os.environ["PATH"]},
            )
            assert asking.stdin is not None
            asking.stdin.write(event("dropdb prod"))
            asking.stdin.close()
            asking.stdin = None
            card = card_of(api)
            api.press(card, BUTTON, user=BOB)  # listed in the chat, and no approver
            wait_until(lambda: NO_PAGE in str(api.said("answerCallbackQuery")))
            assert not links_of(api)
            link = pressed(api, card, ADA)
            page.goto(link)
            page.wait_for_url(f"{ORIGIN}/web/requests/*")
            answer(page)
            said, _ = asking.communicate(timeout=60)
            assert '"allow"' in said
            leave(page)
            page.goto("about:blank")
            page.goto(link)
            expect(page.locator("#sign-in-words")).to_contain_text("this link was used")


def signed_in_with_passkey(machine: ServiceMachine, page: Page) -> None:
    """Sign in by a link of one's own, add a passkey, and sign out."""
    shown = machine.at_terminal(APPROVER, "open", "--public")
    found = LINK.search(shown)
    assert found is not None, shown
    page.goto(found[0])
    page.wait_for_url(f"{ORIGIN}/web/")
    page.goto(f"{ORIGIN}/web/passkeys")
    page.fill("#name", "phone")
    page.click("text=Add a passkey >> nth=-1")
    expect(page.locator("#new-codes")).to_be_visible()
    leave(page)


def leave(page: Page) -> None:
    """Sign out."""
    page.goto(f"{ORIGIN}/web/")
    page.click("text=Sign out")
    page.wait_for_url(f"{ORIGIN}/web/sign-in")


def answer(page: Page) -> None:
    """Explain and approve what is shown; the page asks for the passkey by itself."""
    page.fill("#explanation", EXPLAINED)
    page.wait_for_selector("button.approve:not([disabled])", timeout=60_000)
    page.click("button.approve")
    expect(page.locator("#notice")).to_be_visible()
