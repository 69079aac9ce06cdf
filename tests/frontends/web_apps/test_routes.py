"""Which rule judges a request, and what a limit's own refusals count for."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from serving import asgi_server, wsgi_server
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route

from signoff.asgi import AsgiMiddleware, RouteRule, lenient, read_web_file, standard, strict
from signoff.errors import BadSettings
from signoff.frontends.web_apps.reading import HttpRequest
from signoff.frontends.web_apps.routes import RouteTable
from signoff.frontends.web_apps.settings import ProtectionSettings
from signoff.wsgi import WsgiMiddleware

pytest.importorskip("limits", reason="the extra `limits` is not installed")

from signoff.access import AccessControl
from signoff.effects.access.counting import Counting, Limit

LOGIN, ADMIN, SEARCH = (
    RouteRule("/login", strict()),
    RouteRule("/admin/*", strict(), methods=("POST",)),
    RouteRule("/search*", lenient()),
)
STATIC, REST = RouteRule("/static/*", None), RouteRule("*", standard())


@pytest.mark.parametrize(
    "path, rule",
    [
        ("/login", LOGIN),
        ("/Login/", LOGIN),
        ("//login", LOGIN),
        ("/static/../login", LOGIN),
        ("/static/../admin/users", ADMIN),
        ("/search.php", SEARCH),
        ("/searching/x", SEARCH),
        ("/loginx", REST),
        ("/static/a.css", STATIC),
        ("/static/.well-known", STATIC),
        ("/STATIC/a.css", REST),
        ("/x/../static/a.css", REST),
        ("/a[1]?", REST),
    ],
)
def test_no_spelling_leads_past_a_rule(path: str, rule: RouteRule) -> None:
    """Servers tidy paths and ignore case; what is not judged is told exactly."""
    table = RouteTable((LOGIN, ADMIN, SEARCH, STATIC), REST)
    assert table.rule_for(path, "POST") is rule


async def page(request: Request) -> PlainTextResponse:
    return PlainTextResponse("hello")


def site(environ: dict[str, object], start_response: Callable[..., object]) -> list[bytes]:
    start_response("200 OK", [("Content-Type", "text/plain"), ("Content-Length", "5")])
    return [b"hello"]


@pytest.mark.parametrize("door", ["asgi", "wsgi"])
def test_a_limits_refusals_are_no_failures(door: str) -> None:
    """Who asks too often is not kept out for failing; other functions hear of each answer."""
    statuses: list[int] = []
    asking, failing = AccessControl(requests="2/hour"), AccessControl(failures="3/hour")
    settings = ProtectionSettings(
        routes=(RouteRule("/often", asking.guarding(standard())),),
        default=failing.guarding(standard()),
        answered=(asking.answered, failing.answered, lambda _, status: statuses.append(status)),
    )
    app = Starlette(routes=[Route("/{rest:path}", page)])
    served = (
        asgi_server(AsgiMiddleware(app, **settings))
        if door == "asgi"
        else wsgi_server(WsgiMiddleware(site, **settings))
    )
    with served as client:
        assert [200, 200, 429, 429, 429, 429] == [client.get("/often").status for _ in range(6)]
        assert [200, 200, 429, 429, 429, 429] == statuses
        assert 200 == client.get("/").status


def name_by_key(request: HttpRequest) -> str:
    return request.header("x-api-key") or request.client


def test_a_file_names_the_client(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keys are counted each by itself; a listed network stays out with any key."""
    file = tmp_path / "web.yaml"
    monkeypatch.setitem(sys.modules, "shop_keys", sys.modules[__name__])
    text = """
        version: 1
        client_of: shop_keys:name_by_key
        access:
          all: {requests: 1/hour, listed: [LISTED]}
        pipelines: {all: {access: all}}
        default: all
    """
    for listed, expected in (("192.0.2.0/24", [200, 429, 200]), ("127.0.0.0/8", [403, 403, 403])):
        file.write_text(text.replace("LISTED", listed))
        app = WsgiMiddleware(site, **read_web_file(str(file)).settings)
        with wsgi_server(app) as client:
            keys = ("a", "a", "b")
            assert expected == [client.get("/", **{"X-API-Key": key}).status for key in keys]
    file.write_text(text.replace("shop_keys:name_by_key", "shop_keys"))
    with pytest.raises(BadSettings, match="module:name"):
        read_web_file(str(file))


def test_a_slow_storage_holds_up_no_other_request(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An application goes on serving while a request waits for its counts."""
    is_asked, may_answer = threading.Event(), threading.Event()
    take = Counting.take

    def slow(self: Counting, what: str, client: str, limit: Limit) -> bool:
        is_asked.set()
        return may_answer.wait(30) and take(self, what, client, limit)

    monkeypatch.setattr(Counting, "take", slow)
    access = AccessControl(f"sqlite://{tmp_path}/access.db", requests="9/hour")
    guarded = access.guarding(standard())
    app = Starlette(routes=[Route("/{rest:path}", page)])
    middleware = AsgiMiddleware(app, routes=(RouteRule("/counted", guarded),), default=standard())
    with asgi_server(middleware) as client, ThreadPoolExecutor(1) as pool:
        counted = pool.submit(client.get, "/counted")
        assert is_asked.wait(30)
        other = client.get("/other").status
        is_first = not counted.done()
        may_answer.set()
        assert (200, True, 200) == (other, is_first, counted.result(30).status)
