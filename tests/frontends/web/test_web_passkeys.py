"""Passkeys in a real browser with a virtual authenticator, and everything that is refused.

Needs Chromium (`apt-get install chromium`) and the extra `passkeys`; where they are not there
these tests say so.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from inbox_station import CRITICAL, HIGH, Station, running
from test_web_chromium import EXPLAINED

pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
pytest.importorskip("webauthn", reason="the extra `passkeys` is not installed")
from playwright.sync_api import Browser, Page, expect
from test_web_chromium import browsing, chromium, open_request, pytestmark  # noqa: F401 - see above

from signoff.errors import StoreError
from signoff.frontends.web.passkeys.ceremonies import PasskeyCeremonies
from signoff.frontends.web.passkeys.store import CODES, Passkey, PasskeyFile

AUTHENTICATOR = {
    "protocol": "ctap2",
    "transport": "internal",
    "hasResidentKey": True,
    "hasUserVerification": True,
    "isUserVerified": True,
    "automaticPresenceSimulation": True,
}
# Answers a request as the page's own script would, with a proof begun at another address.
ANSWER = """async ([begin, answer, nonce, times]) => {
  const token = localStorage.getItem("signoff-token");
  const post = (path, fields) => {
    const body = new URLSearchParams({ token, ...fields });
    return fetch(path, { method: "POST", body, redirect: "manual" });
  };
  const options = await (await post(begin, {})).json();
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
  const passkey = JSON.stringify((await navigator.credentials.get({ publicKey })).toJSON());
  const fields = { nonce, answer: "approve", explanation: window.explained, passkey };
  const said = [];
  for (let at = 0; at < times; at++) {
    const reply = await post(answer, fields);
    said.push(reply.type === "opaqueredirect" ? "taken" : await reply.text());
  }
  return said;
}"""


@contextmanager
def with_authenticator(chromium: Browser, station: Station, person: str) -> Iterator[Page]:  # noqa: F811 - the fixture's
    """Sign somebody in whose browser has an authenticator."""
    with browsing(chromium, station, person) as page:
        devices = page.context.new_cdp_session(page)
        devices.send("WebAuthn.enable")
        devices.send("WebAuthn.addVirtualAuthenticator", {"options": AUTHENTICATOR})
        yield page


def add_passkey(page: Page, station: Station, name: str = "laptop") -> list[str]:
    """Add a passkey; return the recovery codes that are shown."""
    page.goto(f"{station.origin}/web/passkeys")
    page.fill("#name", name)
    page.click("text=Add a passkey >> nth=-1")
    expect(page.locator("#new-codes")).to_be_visible()
    return page.locator("#codes code").all_inner_texts()


def test_what_is_critical_takes_the_passkey_of_who_has_one(
    chromium: Browser,  # noqa: F811 - the fixture
    empty: Station,
) -> None:
    """The page asks for it by itself; without one the same form is refused."""
    call = empty.ask(CRITICAL)
    with with_authenticator(chromium, empty, "ada") as page:
        codes = add_passkey(page, empty)
        stolen = empty.signed_in("ada").answer(call, "approve", explanation=EXPLAINED)
        open_request(page, empty, call)
        page.fill("#explanation", EXPLAINED)
        page.click("button.approve")
        expect(page.locator("#notice")).to_contain_text("somebody else must give")

    assert (422, "confirm this with your passkey" in stolen.text) == (stolen.status, True)
    assert CODES == len(set(codes))
    assert ["ada"] == [given.approver for given in call.request.answers]


def test_who_has_no_passkey_answers_as_before(empty: Station) -> None:
    """And what is less than critical takes none of anybody."""
    call = empty.ask(CRITICAL)
    empty.signed_in("bob").answer(call, "approve", explanation=EXPLAINED)

    assert ["bob"] == [given.approver for given in call.request.answers]


@pytest.mark.parametrize("proof_of", ["another request", "passkeys", "itself, twice"])
def test_a_proof_is_good_for_one_thing_once(
    chromium: Browser,  # noqa: F811 - the fixture
    empty: Station,
    proof_of: str,
) -> None:
    """Given for another request, or for one's passkeys, or used before, it proves nothing."""
    call, other = empty.ask(CRITICAL), empty.ask({**CRITICAL, "args": ["a*"]})
    ways = {
        "another request": (f"{other.page}/passkey", 1),
        "passkeys": ("/web/passkeys/prove", 1),
        "itself, twice": (f"{call.page}/passkey", 2),
    }
    with with_authenticator(chromium, empty, "ada") as page:
        add_passkey(page, empty)
        open_request(page, empty, call)
        explained = "too short" if proof_of.startswith("itself") else EXPLAINED
        page.evaluate("(words) => { window.explained = words; }", explained)
        begin, times = ways[proof_of]
        given = [begin, f"{call.page}/answer", call.request.nonce, times]
        *_, said = page.evaluate(ANSWER, given)

    assert () == call.request.answers
    assert ("given for something else" in said) or ("was used before" in said)


def test_a_denial_takes_no_passkey(chromium: Browser, empty: Station) -> None:  # noqa: F811 - the fixture
    """No is always possible."""
    call = empty.ask(CRITICAL)
    with with_authenticator(chromium, empty, "ada") as page:
        add_passkey(page, empty)
    empty.signed_in("ada").answer_at_once(call, "deny")

    assert "denied" == call.request.state.value


def test_a_recovery_code_counts_once(chromium: Browser, empty: Station) -> None:  # noqa: F811 - the fixture
    """Where the device is not at hand."""
    first, second = empty.ask(CRITICAL), empty.ask({**CRITICAL, "args": ["b*"]})
    with with_authenticator(chromium, empty, "ada") as page:
        code, *_ = add_passkey(page, empty)
    ada = empty.signed_in("ada")
    ada.answer(first, "approve", explanation=EXPLAINED, recovery=code.upper())
    again = ada.answer(second, "approve", explanation=EXPLAINED, recovery=code)

    assert (1, 0) == (len(first.request.answers), len(second.request.answers))
    assert "was used before" in again.text
    assert CODES - 1 == empty.parts.passkeys.file.codes_left("ada")


def test_a_passkey_signs_in(chromium: Browser, empty: Station) -> None:  # noqa: F811 - the fixture
    """Without a link, and with a token to answer by; who has signed out is not asked for it."""
    begun: list[str] = []
    with with_authenticator(chromium, empty, "ada") as page:
        add_passkey(page, empty)
        page.on("request", lambda sent: begun.append(sent.url) if "/options" in sent.url else None)
        page.click("text=Sign out")
        page.wait_for_url("**/web/sign-in")
        page.click("#passkey-sign-in")
        page.wait_for_url("**/web/")
        expect(page.locator(".who")).to_contain_text("Ada")
        expect(page.locator("#link")).to_have_text("live")

        assert page.evaluate("localStorage.getItem('signoff-token')")
    assert [f"{empty.origin}/web/sign-in/passkey/options"] == begun


def test_a_passkey_outlives_the_daemon(
    chromium: Browser,  # noqa: F811 - the fixture
    tmp_path: Path,
) -> None:
    """Each start has another host name; passkeys are bound to what stands above it.

    Whom `signoff open` leads to the new name is asked for the passkey without a press.
    """
    with running(tmp_path) as first, with_authenticator(chromium, first, "ada") as page:
        add_passkey(page, first)
        file = Path("config", "passkeys.json")
        later = tmp_path / "later"
        (later / file.parent).mkdir(parents=True)
        (later / file).write_bytes((tmp_path / file).read_bytes())
        with running(later) as second:
            leading = tmp_path / "open.html"
            address = f"{second.origin}/web/sign-in"
            leading.write_text(f'<meta http-equiv="refresh" content="0; url={address}">')
            page.goto(leading.as_uri())
            page.wait_for_url("**/web/")
            before, after = first.origin, second.origin
            page.goto("about:blank")  # before its server ends

    assert before.partition(".")[0] != after.partition(".")[0]


def test_a_second_device_takes_a_proof_by_the_first(
    chromium: Browser,  # noqa: F811 - the fixture
    empty: Station,
) -> None:
    """So a stolen session adds none, and removes none."""
    with with_authenticator(chromium, empty, "ada") as page:
        add_passkey(page, empty)
        ada = empty.signed_in("ada")
        (own,) = empty.parts.passkeys.file.of("ada")
        refused = [
            ada.post("/web/passkeys/options").status,
            ada.post("/web/passkeys/remove", id=own.id).status,
            ada.post("/web/passkeys/codes").status,
        ]
        devices = page.context.new_cdp_session(page)
        devices.send("WebAuthn.enable")
        page.goto(f"{empty.origin}/web/passkeys")
        page.click("text=Make new recovery codes")
        expect(page.locator("#codes code")).to_have_count(CODES)
        page.goto(f"{empty.origin}/web/passkeys")
        page.click("text=Remove laptop")
        expect(page.locator(".empty")).to_contain_text("You have none")

    assert [403, 400, 400] == refused
    assert () == empty.parts.passkeys.file.of("ada")
    assert 0 == empty.parts.passkeys.file.codes_left("ada")


def test_nobody_adds_a_passkey_for_somebody_else(empty: Station) -> None:
    """Whoever made a link for Bob is not Bob."""
    reply = empty.signed_in("bob", made_by="ada").post("/web/passkeys/options")

    assert (403, True) == (reply.status, "somebody else made" in reply.said["words"])


@pytest.mark.parametrize(
    ("path", "fields"),
    [
        ("/web/sign-in/passkey", {"credential": "{}"}),
        ("/web/sign-in/passkey", {"credential": "x" * 30_000}),
        ("/web/sign-in/passkey", {"credential": '{"id":"a","response":{"clientDataJSON":"e30"}}'}),
        ("/web/sign-in/passkey/options", {}),
    ],
)
def test_what_is_no_passkey_signs_nobody_in(
    station: Station, path: str, fields: dict[str, str]
) -> None:
    """With a sentence, and no cookie."""
    reply = station.post(path, fields, {})

    assert reply.status in (400, 403, 409)
    assert reply.headers["set-cookie"] is None


@pytest.mark.parametrize("path", ["/web/sign-in/passkey", "/web/sign-in/passkey/options"])
def test_signing_in_is_of_this_origin(station: Station, path: str) -> None:
    """No other page starts it."""
    reply = station.post(path, {}, {"Origin": "http://evil.localhost:3000"})

    assert 403 == reply.status


def test_a_damaged_file_refuses_what_takes_a_passkey(empty: Station) -> None:
    """It is not taken for an empty one; denying goes on."""
    (empty.folder / "config" / "passkeys.json").write_text('{"version": 1, "passkeys": 3}')
    call = empty.ask(CRITICAL)
    ada = empty.signed_in("ada")
    reply = ada.answer(call, "approve", explanation=EXPLAINED)
    shown = ada.get(call.page)
    answers = call.request.answers
    ada.answer_at_once(call, "deny")

    assert (422, (), 200) == (reply.status, answers, shown.status)
    assert "denied" == call.request.state.value


def passkey(id: str, approver: str = "ada") -> Passkey:
    """Return a passkey."""
    return Passkey(id=id, approver=approver, name="laptop", public_key="AA")


def test_the_file_keeps_what_it_was_given(tmp_path: Path) -> None:
    """For its owner only, over a restart, and never two of one id."""
    path = tmp_path / "signoff" / "passkeys.json"
    file = PasskeyFile(str(path))
    file.add(passkey("a"))
    codes = file.make_codes("ada")
    with pytest.raises(StoreError, match="known already"):
        file.add(passkey("a", "bob"))
    again = PasskeyFile(str(path))

    assert (0o600, ("a",)) == (
        path.stat().st_mode & 0o777,
        tuple(one.id for one in again.of("ada")),
    )
    assert again.take_code("ada", codes[0])
    assert not any(code.replace("-", "") in path.read_text() for code in codes)
    assert not again.take_code("bob", codes[1])
    assert again.find("\u00e9") is None


def test_a_change_from_outside_counts_after_a_restart(tmp_path: Path) -> None:
    """Whoever removes the file does not make passkeys needless for the daemon that runs."""
    path = tmp_path / "signoff" / "passkeys.json"
    file = PasskeyFile(str(path))
    file.add(passkey("a"))
    path.unlink()

    assert 1 == len(file.of("ada"))


def test_a_late_proof_is_refused(empty: Station) -> None:
    """Two minutes after it was begun, whatever it says."""
    now = [0.0]
    passkeys = PasskeyCeremonies(
        empty.parts.passkeys.file, empty.parts.origin, clock=lambda: now[0]
    )
    challenge = json.loads(passkeys.begin(purpose="sign-in"))["challenge"]
    now[0] = 121.0
    data = json.dumps({"challenge": challenge}).encode()
    import base64  # noqa: PLC0415 - for this test alone

    sent = {"id": "a", "response": {"clientDataJSON": base64.urlsafe_b64encode(data).decode()}}
    with pytest.raises(Exception, match="came late"):
        passkeys.check(json.dumps(sent), purpose="sign-in")


def test_what_is_not_critical_takes_no_passkey(
    chromium: Browser,  # noqa: F811 - the fixture
    empty: Station,
) -> None:
    """A quiz is enough, as before."""
    call = empty.ask(HIGH)
    with with_authenticator(chromium, empty, "ada") as page:
        add_passkey(page, empty)
    empty.signed_in("ada").answer(call, "approve", **call.right_choices())

    assert "allow" == call.result()["verdict"]
