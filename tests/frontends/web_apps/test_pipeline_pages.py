"""The pages about pipelines: each example runs as it stands there, each option is named."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import msgspec
import pytest
from serving import asgi_server

from signoff.asgi import AsgiMiddleware, read_web_file
from signoff.assess.detectors.content import RESULT_DETECTORS, WEB_DETECTORS
from signoff.frontends.web_apps.asgi import Receive, Scope, Send
from signoff.frontends.web_apps.web_file import AccessFile, RouteFile, WebFile
from signoff.frontends.web_apps.web_parts import HandlerFile, PipelineFile, TokensFile

PAGES = Path(__file__).parents[3] / "docs" / "pipelines"
FILE = (PAGES / "web-yaml.md").read_text("utf-8")
EXAMPLES = [
    (page, number, code)
    for page in sorted(PAGES.glob("*.md"))
    for number, code in enumerate(
        re.findall(r"```python\n(.*?)```", page.read_text("utf-8"), re.DOTALL)
    )
]
SCRIPT = "%3Cscript%3Efetch('//e.example')%3C/script%3E"


@pytest.mark.parametrize(
    ("page", "code"),
    [pytest.param(page, code, id=f"{page.stem}-{number}") for page, number, code in EXAMPLES],
)
def test_example_runs(page: Path, code: str) -> None:
    """What it asserts holds."""
    names: dict[str, Any] = {"__name__": "example"}
    exec(compile(code, page.name, "exec"), names)


def test_each_part_has_an_example_of_ones_own() -> None:
    """Detector, aggregator, resolver and handler: ten lines at most, imports aside."""
    pages = {page.stem: code for page, _, code in EXAMPLES}  # the last of each page
    for name, start in (
        ("detectors", "def run"),
        ("scores", "class "),
        ("resolvers", "class "),
        ("handlers", "worst"),
    ):
        own = f"{start}{pages[name].partition(start)[2].partition('pipeline = ')[0]}"
        assert 3 <= len([line for line in own.splitlines() if line.strip()]) <= 10, name


@pytest.mark.parametrize("detector", [one.id for one in (*WEB_DETECTORS, *RESULT_DETECTORS)])
def test_page_names_every_detector(detector: str) -> None:
    """No detector is without its row."""
    assert f"`{detector}`" in (PAGES / "detectors.md").read_text("utf-8")


@pytest.mark.parametrize("kind", [WebFile, RouteFile, PipelineFile, HandlerFile, TokensFile])
def test_page_names_every_key(kind: type[msgspec.Struct]) -> None:
    """No key of the file is without its words."""
    names = {name for name in kind.__struct_fields__ if name != "version"}
    assert set() == {name for name in names if f"`{name}`" not in FILE}


def test_access_takes_what_its_page_names() -> None:
    """The keys below `access` are the settings of access control."""
    page = (PAGES.parent / "how-to" / "access.md").read_text("utf-8")
    assert [] == [name for name in AccessFile.__struct_fields__ if f"`{name}`" not in page]


def test_file_of_the_page_protects_an_application(tmp_path: Path) -> None:
    """Each route of the file is judged as it says."""
    text = re.search(r"```yaml\n(.*?)```", FILE, re.DOTALL)
    assert text is not None
    path = tmp_path / "web.yaml"
    page = 'https://chat.example/hook", retries: 3'
    assert page in text[1]
    path.write_text(text[1].replace(page, 'http://127.0.0.1:9/hook", retries: 0'))
    app = AsgiMiddleware(_ok, **read_web_file(str(path)).settings)
    with asgi_server(app) as client:
        statuses = [client.ask("POST", "/login").status for _ in range(11)]
        assert ([200] * 10, 429) == (statuses[:10], statuses[10])
        article = client.ask("POST", "/articles/7", f"article={SCRIPT}", FORM)
        title = client.ask("POST", "/articles/7", f"title={SCRIPT}", FORM)
        assert (200, 403) == (article.status, title.status)
        assert 200 == client.get(f"/search?q={SCRIPT}").status  # watched
        assert 200 == client.get(f"/static/a?q={SCRIPT}").status
        assert 403 == client.get(f"/other?q={SCRIPT}").status


FORM = {"Content-Type": "application/x-www-form-urlencoded"}


async def _ok(scope: Scope, receive: Receive, send: Send) -> None:
    """Say yes to everything."""
    if scope["type"] == "http":
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"ok"})


def test_parts_of_ones_own_are_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`module:name` takes a detector, an aggregator, a resolver and a handler from a module."""
    (tmp_path / "shop_parts.py").write_text(OWN)
    monkeypatch.syspath_prepend(str(tmp_path))
    path = tmp_path / "web.yaml"
    path.write_text(
        "pipelines:\n  own:\n    detectors: [shop_parts:COUPON]\n    score: shop_parts:Top\n"
        "    resolve: shop_parts:Review\n    on: {review: shop_parts:note}\n"
    )
    from signoff.pipeline import web_request  # noqa: PLC0415 - the pages import it as well

    decision = read_web_file(str(path)).pipelines["own"].process(web_request(query={"coupon": "A"}))
    import shop_parts  # type: ignore[import-not-found] # noqa: PLC0415 - written above

    assert decision is not None
    assert (("proceed", "review"), [decision]) == (decision.do, shop_parts.NOTED)


OWN = """
from signoff.pipeline import Detector, Finding, MaxScoreAggregator, Severity

def run(evidence):
    yield Finding(detector="coupon", category="coupon.x", severity=Severity.LOW)

COUPON = Detector(id="coupon", run=run)
NOTED = []
note = NOTED.append

class Top(MaxScoreAggregator):
    name = "top"

class Review:
    def resolve(self, threat):
        return ("proceed", "review") if threat.score else ("proceed",)
"""
