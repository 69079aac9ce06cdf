"""Real agents obey: what is refused leaves no trace, whatever becomes of the guard.

Needs the agents' packages, which `scripts/try-hosts` installs; skipped without them.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from npm_hosts import NEEDS_PACKAGES, NPM_HOSTS, Agent, NpmHost, fresh, trust_codex_hooks

from signoff.frontends.hosts.registry import ADAPTERS

pytestmark = NEEDS_PACKAGES


@pytest.fixture(params=NPM_HOSTS, ids=lambda host: host.name)
def agent(request: pytest.FixtureRequest, tmp_path: Path) -> Agent:
    """Return an agent in a fresh home with an empty project under version control."""
    host: NpmHost = request.param
    agent = fresh(host, tmp_path)
    settings = agent.home / ".config" / "signoff" / "signoff.yaml"
    settings.parent.mkdir(parents=True)
    settings.write_text("hosts: {without_daemon: in_process}\n", encoding="utf-8")
    return agent


@pytest.fixture
def guarded(agent: Agent) -> Iterator[Agent]:
    """Return the agent with signoff installed by its own installer."""
    agent.host.configured(agent.home, "http://127.0.0.1:9")
    done = agent.signoff("install", agent.host.name)
    assert done.returncode == 0, done.stderr
    yield agent
    agent.signoff("down")


def made(agent: Agent) -> list[str]:
    """Return the names of what the agent's calls made in the project."""
    return sorted(path.name for path in agent.project.iterdir() if path.name.startswith("ran"))


def test_without_a_guard_everything_runs(agent: Agent) -> None:
    """The positive control: this agent would run what signoff refuses."""
    output = agent.run("touch ran1; git reset --hard")

    assert made(agent) == ["ran1"], output


def test_only_what_is_allowed_runs(guarded: Agent) -> None:
    """Of five calls the harmless ones run; a refusal and a question leave no trace."""
    output = guarded.run(
        "touch ran1", "touch ran2; rm -rf ~", "touch ran3; git reset --hard", "touch ran4"
    )

    assert made(guarded) == ["ran1", "ran4"], output


def test_every_call_is_on_the_record(guarded: Agent) -> None:
    """Allowed and refused calls are recorded under the host's name, once."""
    guarded.run("touch ran1", "rm -rf ~")

    tail = guarded.signoff("audit", "tail", "--json").stdout
    assert tail.count(f'"source":"{guarded.host.name}"') == 2
    assert tail.count('"verdict":"deny"') == 1


BROKEN = {
    "is missing": None,
    "exits 1": "exit 1",
    "is killed": "kill -9 $$",
    "says nothing": "exit 0",
    "says half an object": "printf '{\"decision\":'",
    "says text": "echo fine",
    "is stopped": "kill -STOP $$",
    "says an ask": 'echo \'{"hookSpecificOutput": {"permissionDecision": "ask"}\'',
}


@pytest.mark.parametrize("script", BROKEN.values(), ids=BROKEN.keys())
def test_a_broken_guard_blocks(guarded: Agent, tmp_path: Path, script: str | None) -> None:
    """With our installer's command, no failure of the guard lets a call run."""
    stand_in = tmp_path / "python"
    if script is not None:
        stand_in.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
        stand_in.chmod(0o755)
    hook = guarded.home / guarded.host.hook_file
    text = hook.read_text(encoding="utf-8")
    assert sys.executable in text
    text = text.replace(sys.executable, str(stand_in))
    kill_s = ADAPTERS[guarded.host.name].wait.kill_s
    for patience, short in ((f"KILL {kill_s} ", "KILL 2 "), ("MS = 615_000", "MS = 2_000")):
        text = text.replace(patience, short)
    hook.write_text(text, encoding="utf-8")

    output = guarded.run("touch ran1")

    assert made(guarded) == [], output


BYPASS = "--dangerously-bypass-hook-trust"
only_codex = pytest.mark.parametrize("agent", NPM_HOSTS[:1], ids=["codex"], indirect=True)


@only_codex
@pytest.mark.parametrize("is_trusted", [True, False])
def test_codex_runs_a_hook_only_after_it_was_trusted(guarded: Agent, *, is_trusted: bool) -> None:
    """What the doctor says of trust is so: without it, calls run as if there were no hook."""
    if is_trusted:
        trust_codex_hooks(guarded)
    said = guarded.signoff("doctor", "--host", "codex").stdout
    output = guarded.call(("exec_command", {"cmd": "touch ran1; git reset --hard"}), without=BYPASS)

    assert ("was not told to trust" in said) != is_trusted
    assert ([] if is_trusted else ["ran1"]) == made(guarded), output


@only_codex
def test_codex_starts_no_program_to_be_typed_into(guarded: Agent) -> None:
    """What is typed into a running program reaches no hook, so the installer rules that out."""
    output = guarded.call(("exec_command", {"cmd": "touch ran1; bash", "tty": True}))

    assert [] == made(guarded), output
