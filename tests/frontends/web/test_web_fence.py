"""Who gets to a page, and what a change must show: cookie, token, origin, method, host, role."""

from __future__ import annotations

import itertools

import pytest
from inbox_station import MEDIUM, TOKEN, Station

from signoff.challenge.terms.approver import ApproverRole
from signoff.frontends.web.routes import ENDPOINTS
from signoff.frontends.web.site import HEADERS
from signoff.frontends.web.visit import RANKS

NAMES = {"{id}": "none", "{seq:int}": "1"}
PEOPLE = {"vic": ApproverRole.VIEWER, "bob": ApproverRole.APPROVER, "ada": ApproverRole.ADMIN}
SEEN = [e for e in ENDPOINTS if e.method == "GET" and e.path != "/web/events"]
CHANGES = [e for e in ENDPOINTS if e.method == "POST"]


def path_of(path: str) -> str:
    """Return a path with its names filled in."""
    for name, value in NAMES.items():
        path = path.replace(name, value)
    return path


def filled(station: Station, text: str) -> str:
    """Return a host or an origin with this station's names filled in."""
    host = station.parts.origin.host
    name = host.partition(":")[0]
    return text.format(host=host, name=name, port=station.port, other="0" * 32)


each_page = pytest.mark.parametrize("path", [path_of(e.path) for e in SEEN])
each_change = pytest.mark.parametrize("path", [path_of(e.path) for e in CHANGES])


@each_page
def test_a_stranger_sees_no_page(station: Station, path: str) -> None:
    """Programs are told, browsers are sent to the page that says how to sign in."""
    told = station.request("GET", path)
    sent = station.request("GET", path, headers={"Accept": "text/html"})

    assert (401, 303, "/web/sign-in") == (told.status, sent.status, sent.location)


def test_a_stranger_hears_of_nothing(station: Station) -> None:
    """Neither do events come without a cookie."""
    assert 401 == station.request("GET", "/web/events").status


@each_change
def test_a_stranger_changes_nothing(station: Station, path: str) -> None:
    """With a token or without."""
    token = station.signed_in("ada").token

    assert 401 == station.post(path, {"token": token}, {}).status


@each_change
def test_the_cookie_alone_changes_nothing(station: Station, path: str) -> None:
    """Who got hold of a cookie lacks the token."""
    ada = station.signed_in("ada")
    cookie = {"Cookie": f"{station.cookie_name}={ada.cookie}"}
    tokens = ("", ada.cookie, station.signed_in("ada").token, TOKEN)
    found = [station.post(path, {"token": token}, cookie).status for token in tokens]

    assert [403] * len(tokens) == found


@each_change
def test_nothing_is_changed_by_looking(station: Station, path: str) -> None:
    """What changes something is never a GET."""
    ada = station.signed_in("ada")

    assert 405 == ada.get(f"{path}?token={ada.token}").status


@pytest.mark.parametrize(
    "origin",
    [
        None,
        "null",
        "",
        "http://evil.example",
        "http://127.evil.example",
        "https://{host}",
        "http://{name}",
        "http://{name}:1",
        "http://127.0.0.1:{port}",
        "http://localhost:{port}",
        "http://{host}.evil.example",
        "http://evil.{host}",
        "http://{host}/",
        "HTTP://{host}",
    ],
)
@pytest.mark.parametrize("path", ["/web/policies/add", "/web/sign-in"])
def test_a_change_from_elsewhere_is_refused(
    station: Station, path: str, origin: str | None
) -> None:
    """The origin must be that of the page, to the letter; none at all is none of ours."""
    ada = station.signed_in("ada")
    headers = {
        "Cookie": f"{station.cookie_name}={ada.cookie}",
        "Content-Type": "application/x-www-form-urlencoded",
    }
    if origin is not None:
        headers["Origin"] = filled(station, origin)
    body = f"token={ada.token}&text=x".encode()

    assert 403 == station.request("POST", path, body, headers=headers).status


@pytest.mark.parametrize(
    "host",
    [
        "",
        "evil.example",
        "127.evil.example:{port}",
        "127.0.0.1:{port}",
        "localhost:{port}",
        "[::1]:{port}",
        "0.0.0.0:{port}",
        "{name}",
        "{name}:1",
        "evil.{host}",
        "{other}.localhost:{port}",
    ],
)
@pytest.mark.parametrize("path", ["/web/", "/web/sign-in", "/web/static/style.css", "/"])
def test_under_a_foreign_name_nothing_is_served(station: Station, host: str, path: str) -> None:
    """A name that leads here is not ours: that is what rebinding does."""
    ada = station.signed_in("ada")

    assert 403 == ada.get(path, Host=filled(station, host)).status


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
def test_only_the_page_to_sign_in_is_shown_from_elsewhere(station: Station, site: str) -> None:
    """`signoff open` leads there by a file; what it does, and every other page, stays shut."""
    headers = {"Sec-Fetch-Site": site}
    shown = station.request("GET", "/web/sign-in", headers=headers)
    sent = station.post("/web/sign-in", {"code": "x"}, headers)
    other = station.request("GET", "/web/proof", headers=headers)

    assert (200, 403, 403) == (shown.status, sent.status, other.status)
    assert "no-store" in str(shown.headers["cache-control"])


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
def test_a_request_of_another_page_is_not_served(station: Station, site: str) -> None:
    """Another port of this machine is another page too."""
    ada = station.signed_in("ada")

    assert 403 == ada.get("/web/", **{"Sec-Fetch-Site": site}).status


@pytest.mark.parametrize("kind", ["application/json", "text/plain", "multipart/form-data", ""])
def test_what_is_no_form_is_refused(station: Station, kind: str) -> None:
    """Only our own forms change something."""
    ada = station.signed_in("ada")
    fields = {"token": ada.token, "text": "x"}
    headers = {"Cookie": f"{station.cookie_name}={ada.cookie}", "Content-Type": kind}

    assert 400 == station.post("/web/policies/add", fields, headers).status


@pytest.mark.parametrize(
    ("person", "path"),
    [
        (person, endpoint.path)
        for person, endpoint in itertools.product(PEOPLE, CHANGES)
        if RANKS[PEOPLE[person]] < RANKS[endpoint.least]
    ],
)
def test_a_change_takes_its_role(station: Station, person: str, path: str) -> None:
    """Viewers look, approvers answer, admins manage."""
    assert 403 == station.signed_in(person).post(path_of(path)).status


def test_somebody_who_was_removed_is_signed_out_at_once(empty: Station) -> None:
    """The list of approvers is looked at each time."""
    bob = empty.signed_in("bob")
    before = bob.get("/web/").status
    empty.directory.remove("bob")

    assert (200, 401) == (before, bob.get("/web/").status)


def test_a_link_is_good_once(station: Station) -> None:
    """Whoever comes second gets no cookie."""
    code = station.link("ada").partition("#")[2]
    replies = [station.post("/web/sign-in", {"code": code}, {}) for _ in range(2)]

    assert [(200, True), (403, False)] == [(r.status, "set-cookie" in r.headers) for r in replies]


def test_a_link_for_nobody_signs_nobody_in(station: Station) -> None:
    """The list of approvers decides."""
    code = station.link("eve").partition("#")[2]

    assert 403 == station.post("/web/sign-in", {"code": code}, {}).status


def test_looking_at_a_link_does_not_use_it_up(station: Station) -> None:
    """What looks at links before people do changes nothing."""
    link = station.link("ada")
    station.request("GET", "/web/sign-in")

    assert 200 == station.post("/web/sign-in", {"code": link.partition("#")[2]}, {}).status


def test_scripts_never_get_to_see_the_cookie(station: Station) -> None:
    """And it goes along with nothing another site starts."""
    code = station.link("ada").partition("#")[2]
    cookie = station.post("/web/sign-in", {"code": code}, {}).headers["set-cookie"].lower()
    parts = {part.strip() for part in cookie.split(";")}

    assert {"httponly", "samesite=strict", "path=/web"} <= parts


def test_a_token_stands_in_no_page(station: Station) -> None:
    """A page that was fetched with a stolen cookie gives no token away."""
    ada = station.signed_in("ada")
    call = station.ask(MEDIUM)
    pages = [ada.get(path_of(e.path)).text for e in SEEN] + [ada.get(call.page).text]

    assert not any(ada.token in page for page in pages)


def test_signing_out_ends_it(station: Station) -> None:
    """The cookie is good for nothing after."""
    ada = station.signed_in("ada")
    left = ada.post("/web/sign-out")

    assert (303, 401) == (left.status, ada.get("/web/").status)


@pytest.mark.parametrize(
    "path", ["/web/", "/web/sign-in", "/web/static/inbox.js", "/web/none", "/"]
)
def test_every_answer_keeps_others_out(station: Station, path: str) -> None:
    """Frames, scripts and types from elsewhere."""
    headers = station.signed_in("ada").get(path).headers

    assert HEADERS == {name: headers[name] for name in HEADERS}


def test_pages_are_kept_nowhere(station: Station) -> None:
    """Neither by the browser nor on the way."""
    assert "no-store" == station.signed_in("ada").get("/web/history").headers["cache-control"]


def test_the_inbox_has_no_other_origin_to_share_with(station: Station) -> None:
    """No answer carries a CORS header."""
    headers = station.signed_in("ada").get("/web/", Origin=station.origin).headers

    assert [] == [name for name in headers if name.lower().startswith("access-control")]


def test_the_policy_allows_nothing_inline() -> None:
    """Scripts and styles come from files of ours only."""
    policy = HEADERS["content-security-policy"]

    assert ("default-src 'none'" in policy, "unsafe" in policy) == (True, False)


def test_the_api_still_takes_its_token(station: Station) -> None:
    """A cookie is nothing to programs' routes."""
    ada = station.signed_in("ada")

    assert 401 == ada.get("/v1/status").status


@pytest.mark.parametrize("path", ["/web/static/..%2fsite.py", "/web/static/none", "/web/static/"])
def test_only_files_for_browsers_are_served(station: Station, path: str) -> None:
    """By their names, out of a list."""
    assert 404 == station.request("GET", path).status


def test_programs_routes_are_not_served_under_the_inboxs_name(station: Station) -> None:
    """What a page of ours could be made to ask for is pages only."""
    headers = {**station.program, "Host": station.parts.origin.host}

    assert 403 == station.request("GET", "/v1/status", headers=headers).status


def test_signing_in_clears_what_lay_at_the_origin(station: Station) -> None:
    """Caches, storage and workers; a daemon before may have left none, but who knows who did."""
    code = station.link("ada").partition("#")[2]
    headers = station.post("/web/sign-in", {"code": code}, {}).headers

    assert '"cache", "storage"' == headers["clear-site-data"]


def test_no_page_of_ours_starts_a_worker(station: Station) -> None:
    """Not even one of our own files."""
    assert "worker-src 'none'" in HEADERS["content-security-policy"].split("; ")
