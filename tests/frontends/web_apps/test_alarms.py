"""What would have been blocked is listed with the setting that leaves it out."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from serving import Client, asgi_server
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route

from signoff.asgi import AsgiMiddleware, read_web_file
from signoff.effects.handlers.alarms import AlarmHandler, route_of
from signoff.errors import BadSettings
from signoff.frontends.cli.app import app as signoff

TRIAL = """
version: 1
handlers:
  alarms: {{kind: alarms, file: {file}}}
pipelines:
  trial: {{mode: {mode}, on: {{block: alarms}}, {setting}}}
default: trial
"""
PAGE = "<script>go()</script>"
JSON = "application/json"


async def saved(request: Request) -> PlainTextResponse:
    await request.body()
    return PlainTextResponse("saved")


def save(client: Client, path: str, **members: str) -> int:
    return client.post(path, json.dumps(members), JSON).status


def middleware(folder: Path, setting: str, mode: str) -> tuple[AsgiMiddleware, Path]:
    alarms, config = folder / "alarms.jsonl", folder / "web.yaml"
    config.write_text(TRIAL.format(file=alarms, mode=mode, setting=setting))
    read = read_web_file(str(config))
    routes = [Route("/{path:path}", saved, methods=["GET", "POST"])]
    guarded = AsgiMiddleware(Starlette(routes=routes), **read.settings)
    return guarded, alarms


def served(folder: Path, setting: str = "weights: {}", mode: str = "watch") -> list[int]:
    """Send ordinary requests that are stopped, and attacks, to a real server."""
    guarded, _ = middleware(folder, setting, mode)
    with asgi_server(guarded) as client:
        statuses = [save(client, f"/articles/{n}", body=PAGE) for n in (1, 2)]
        statuses.append(save(client, "/articles/3", title=PAGE))
        statuses.append(client.get("/search?q=1%27%20or%201=1--%20-").status)
        statuses.append(save(client, "/articles/4", body="a red car"))
    guarded._protection.table.rule_for("/", "GET").pipeline.flush()  # type: ignore[union-attr]
    return statuses


def report(file: Path) -> list[dict[str, object]]:
    said = CliRunner().invoke(signoff, ["shadow", "report", "--web", str(file), "--json"])
    assert 0 == said.exit_code, said.output
    return [json.loads(line) for line in said.output.splitlines()]


def test_alarms_are_listed_with_their_settings(tmp_path: Path) -> None:
    """Nothing is blocked; each group names route, field, check, count and the setting."""
    assert [200] * 5 == served(tmp_path)
    found = report(tmp_path / "alarms.jsonl")

    assert {
        "count": 2,
        "clients": 1,
        "method": "POST",
        "route": "/articles/*",
        "field": "body.body",
        "check": "xss.script-tag",
        "setting": 'tune: {xss: {except_fields: ["body.body"]}}',
    } == found[0]
    assert {("body.title", "xss"), ("query.q", "sql-injection")} <= {
        (str(one["field"]), str(one["check"]).partition(".")[0]) for one in found
    }


def test_the_setting_leaves_out_the_alarm_and_nothing_else(tmp_path: Path) -> None:
    """Enforced with the printed line: the field passes, the attack in another one does not."""
    served(tmp_path)
    setting = str(report(tmp_path / "alarms.jsonl")[0]["setting"])
    assert [403, 403, 403, 403, 200] == served(tmp_path, mode="answer")
    assert [200, 200, 403, 403, 200] == served(tmp_path, setting, "answer")


def test_the_table_is_for_people_and_holds_no_values(tmp_path: Path) -> None:
    """Counts first; no value of a request is kept, and the file is its owner's."""
    served(tmp_path)
    file = tmp_path / "alarms.jsonl"
    said = CliRunner().invoke(signoff, ["shadow", "report", "--web", str(file)])

    assert said.output.splitlines()[0].startswith("count")
    assert "POST /articles/*" in said.output
    assert "script>" not in file.read_text()
    assert "127.0.0.1" not in file.read_text()
    assert 0o600 == file.stat().st_mode & 0o777


def test_a_foreign_site_is_named_with_the_setting_that_allows_it(tmp_path: Path) -> None:
    """A check of no field names what it is about."""
    guarded, file = middleware(tmp_path, "resolve: strict", "watch")
    head = {"Origin": "https://www.news.example", "Cookie": "a=1", "Host": "cmp.agency.example"}
    with asgi_server(guarded) as client:
        client.ask("POST", "/receipt", "{}", {"Content-Type": JSON, **head})
    guarded._protection.table.rule_for("/", "GET").pipeline.flush()  # type: ignore[union-attr]
    (found,) = report(file)
    assert 'allowed_origins: ["https://www.news.example"]' == found["setting"]


def test_what_cannot_be_read_or_written_is_said(tmp_path: Path) -> None:
    """A missing file ends the report with a message, a folder that is not there the start."""
    said = CliRunner().invoke(signoff, ["shadow", "report", "--web", str(tmp_path / "none")])
    assert 0 != said.exit_code
    assert "cannot be read" in said.output
    with pytest.raises(BadSettings):
        AlarmHandler(str(tmp_path / "none" / "alarms.jsonl"))


@pytest.mark.parametrize(
    ("path", "route"),
    [
        ("/posts/17/edit", "/posts/*/edit"),
        ("/a/3f2504e0-4f89-11d3-9a0c-0305e82c3301", "/a/*"),
        ("/x'; drop table y", "/*"),
        ("/a/b/c/d/e/f/g/h", "/a/b/c/d/e/f/*"),
        ("/", "/"),
    ],
)
def test_paths_of_one_route(path: str, route: str) -> None:
    """What names one thing of many is a star, and so is what no route has in it."""
    assert route == route_of(path)
