"""The gates of projects: kept while they are used, and no session of its own for no session."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any, cast

import pytest

from signoff.actions.action import Action
from signoff.challenge.ladder import Ladder
from signoff.frontends.server import project_runtimes
from signoff.frontends.server.api import ApiRoutes
from signoff.frontends.server.project_runtimes import ProjectRuntimes
from signoff.frontends.server.sessions import Sessions
from signoff.frontends.server.wire.callers import ActionCaller
from signoff.storage.fs_probe.mounts import Mounts
from signoff.storage.fs_probe.probe import HERE
from signoff.testing import make_gate


@pytest.fixture
def runtimes(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> ProjectRuntimes:  # noqa: ANN401
    """Return gates of projects, two at most."""
    for name in ("CONFIG", "STATE"):
        monkeypatch.setenv(f"SIGNOFF_{name}_DIR", str(tmp_path / name))
    monkeypatch.setattr(project_runtimes, "PROJECTS_LIMIT", 2)
    gates = SimpleNamespace(gate=lambda *_, **__: make_gate())
    ladders = SimpleNamespace(ladder=lambda *_, **__: Ladder())
    return ProjectRuntimes(
        config_dir=str(tmp_path / "CONFIG"),
        gates=cast("Any", gates),
        ladders=cast("Any", ladders),
        mounts=Mounts(),
    )


def test_the_longest_unused_project_makes_room(runtimes: ProjectRuntimes) -> None:
    """Not the one that was met first: that may be the one in use."""

    async def steps() -> list[str]:
        for project in ("/w/a", "/w/b", "/w/a", "/w/c"):
            await runtimes.at(project)
        return [project for project, _ in runtimes.kept()]

    assert ["/w/a", "/w/c"] == asyncio.run(steps())


@pytest.mark.parametrize(("session", "is_kept"), [("", False), ("s1", True)])
@pytest.mark.parametrize("user", ["", "ada"])
def test_calls_without_a_session_share_no_project(
    session: str,
    is_kept: bool,  # noqa: FBT001 - a value of a case
    user: str,
    tmp_path: Any,  # noqa: ANN401
) -> None:
    """Of one user's programs on a service, each is judged by the project it runs in."""
    caller = ActionCaller(home="/home/ada", name=user)
    asked: list[str] = []

    class Runtimes:
        async def at(self, project: str, _: str) -> None:
            asked.append(project)

    api = SimpleNamespace(sessions=Sessions(), looking=HERE, guards=Runtimes())

    async def steps() -> None:
        for name in ("one", "two"):
            folder = tmp_path / name
            (folder / ".git").mkdir(parents=True)
            action = caller.action(
                Action(tool="f", arguments={}, session=session, source="python", cwd=str(folder))
            )
            await ApiRoutes.runtime_for(cast("ApiRoutes", api), action, action.cwd, caller)

    asyncio.run(steps())

    assert is_kept == (asked[0] == asked[1])
