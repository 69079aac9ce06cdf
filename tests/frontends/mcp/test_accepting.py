"""A tool that is held back is accepted by an admin on a terminal, and by nobody else."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from scripted import tool

from signoff.frontends.cli import mcp_commands
from signoff.frontends.cli.exits import Refusal
from signoff.frontends.cli.mcp import command
from signoff.frontends.mcp.held import held_tools
from signoff.frontends.mcp.pins import HeldTool, PinFile, ToolPin, definition_digest
from signoff.settings import load_settings

NEW = tool(description="Adds numbers. New.\u202e")


@pytest.fixture
def pins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> PinFile:
    """Return the pins of a server, with one tool that has changed."""
    for name in ("CONFIG", "STATE"):
        monkeypatch.setenv(f"SIGNOFF_{name}_DIR", str(tmp_path / name))
    made = PinFile.of(load_settings(), server="sums", address=("npx", "sums"))
    held = HeldTool(digest=definition_digest(NEW), why="has changed", text=json.dumps(NEW))
    with made.changing() as tools:
        tools["add"] = ToolPin(digest="old", text=json.dumps(tool()), held=held)
        tools["other"] = ToolPin(digest="d", text="{}")
    return made


def run(*words: str) -> Result:
    """Run the command."""
    return CliRunner().invoke(command, list(words))


def test_without_a_terminal_nothing_is_accepted(
    pins: PinFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An agent that runs the command changes nothing."""

    def nobody(*_: object, **__: object) -> None:
        raise Refusal("not confirmed on a terminal: everything stays as it is")

    before = Path(pins.path).read_bytes()
    monkeypatch.setattr(mcp_commands, "confirmed_as_admin", nobody)

    for words in (("accept", "sums", "add"), ("accept", "sums"), ("forget", "sums")):
        assert run(*words).exit_code == 2
    assert Path(pins.path).read_bytes() == before


def test_what_an_admin_confirms_is_in_force(pins: PinFile, monkeypatch: pytest.MonkeyPatch) -> None:
    """They see the server, why, and what changed; nothing else changes."""
    shown: list[str] = []
    acts: list[tuple[str, str]] = []

    def confirm(_: object, text: str, *, word: str, act: str, said: str) -> None:
        shown.append(f"{word}: {text}")
        acts.append((act, said))

    monkeypatch.setattr(mcp_commands, "confirmed_as_admin", confirm)

    assert run("accept", "sums", "add").exit_code == 0

    assert "accept: MCP server sums (npx sums)" in shown[0]
    assert "New." in shown[0]
    assert acts == [("mcp.accept", f"sums add: {definition_digest(NEW)}")]
    accepted = pins.read().tools["add"]
    assert (accepted.digest, accepted.is_accepted) == (definition_digest(NEW), True)
    assert accepted.held is None
    assert pins.read().tools["other"].is_accepted is False
    assert run("accept", "sums", "add").exit_code == 2


def test_what_has_changed_again_is_not_accepted(
    pins: PinFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between the look and the yes the server may have said something else."""

    def meanwhile(*_: object, **__: object) -> None:
        with pins.changing() as tools:
            held = HeldTool(digest="third", why="has changed", text="{}")
            tools["add"] = ToolPin(digest="old", held=held)

    monkeypatch.setattr(mcp_commands, "confirmed_as_admin", meanwhile)

    assert run("accept", "sums", "add").exit_code == 2
    assert pins.read().tools["add"].digest == "old"


def test_tools_are_listed(pins: PinFile) -> None:
    """For people, and for programs."""
    assert "HELD BACK (changed)  add" in run("tools").output
    said = json.loads(run("tools", "--json").output)
    assert [one["held_back"] for one in said["servers"][0]["tools"]] == ["has changed", None]
    Path(pins.path).write_text("x", encoding="utf-8")
    assert "PROBLEM" in run("tools").output
    assert json.loads(run("tools", "--json").output)["broken_files"] == [pins.path]
    assert list(held_tools(load_settings())) == []


def test_a_forgotten_server_is_seen_for_the_first_time(
    pins: PinFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where its file cannot be believed any more."""
    monkeypatch.setattr(mcp_commands, "confirmed_as_admin", lambda *_, **__: None)
    assert run("forget", "nothing").exit_code == 2
    Path(pins.path).write_text("x", encoding="utf-8")

    assert run("forget", "sums").exit_code == 0

    assert not Path(pins.path).exists()
    assert dict(pins.read().tools) == {}


def test_a_part_of_a_name_forgets_no_server(pins: PinFile, monkeypatch: pytest.MonkeyPatch) -> None:
    """Though the file of another server is damaged."""
    monkeypatch.setattr(mcp_commands, "confirmed_as_admin", lambda *_, **__: None)
    Path(pins.path).write_text("x", encoding="utf-8")
    digest = Path(pins.path).stem.rpartition("-")[2]

    for part in ("sum", "s", "json", digest):
        assert run("forget", part).exit_code == 2
    assert Path(pins.path).exists()
