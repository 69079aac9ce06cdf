"""Signoff comes before the servers of a client and goes away again, and nothing else changes."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from signoff.errors import BadSettings
from signoff.frontends.cli.mcp import command
from signoff.frontends.mcp.wrapping.clients import (
    CLIENTS,
    ConfigFile,
    WrapTask,
    unguarded,
    wrap_client,
)
from signoff.frontends.mcp.wrapping.entries import ServerEntry, own_words, unwrapped, wrapped

GITHUB = {"command": "npx", "args": ["-y", "@x/github"], "env": {"TOKEN": "t"}}
REMOTE = {"type": "http", "url": "https://example.com/mcp"}
JSON_FILES = [
    (name, is_user, config)
    for name, client in CLIENTS.items()
    for is_user, files in ((True, client.user), (False, client.project))
    for config in files
    if config.places
]
TOML = """# mine
model = "x"

[mcp_servers.github] # the first
command = "npx"  # with a comment
args = [
  "-y",
  "@x/github", # two
]
startup_timeout_sec = 20

[mcp_servers.github.env]
TOKEN = "t"

[mcp_servers."with dot.s"]
args = ["a"]
command = 'run "it"'

[mcp_servers.remote]
url = "https://example.com/mcp"

[profiles.a]
model = "y"
"""


def servers(**more: Any) -> dict[str, Any]:  # noqa: ANN401 - any configuration
    """Return servers by name."""
    return {"github": dict(GITHUB), "remote": dict(REMOTE), **more}


def put(folder: Path, config: ConfigFile, said: object) -> Path:
    """Write a client's configuration."""
    path = folder / config.path
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(said, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    return path


@pytest.mark.parametrize(("name", "is_user", "config"), JSON_FILES)
def test_every_client_is_wrapped_and_unwrapped(
    tmp_path: Path, *, name: str, is_user: bool, config: ConfigFile
) -> None:
    """Twice is as once; afterwards the file is as it was."""
    said: dict[str, Any] = {"other": [1, {"x": "\u00e4"}]}
    said[config.places[0][0]] = servers()
    path = put(tmp_path, config, said)
    before = path.read_text(encoding="utf-8")
    task = WrapTask(is_user=is_user)
    client = CLIENTS[name]
    assert unguarded(client, tmp_path, is_user=is_user) == ("github", "remote")

    (dry,) = wrap_client(client, tmp_path, WrapTask(is_user=is_user, is_dry=True))
    assert (dry.names, path.read_text(encoding="utf-8")) == (("github",), before)
    (done,) = wrap_client(client, tmp_path, task)
    assert (done.names, done.left) == (("github",), ("remote",))
    assert done.file.backup is not None
    assert done.file.backup.read_text(encoding="utf-8") == before
    assert unguarded(client, tmp_path, is_user=is_user) == ("remote",)
    (again,) = wrap_client(client, tmp_path, task)
    assert (again.names, again.file.backup) == ((), None)
    now = json.loads(path.read_text(encoding="utf-8"))[config.places[0][0]]["github"]
    assert now["args"][-6:] == ["mcp", "--name", "github", "--", "npx", "-y", "@x/github"][-6:]
    assert now["env"] == {"TOKEN": "t"}
    assert (now["command"] == "signoff") is not is_user

    (gone,) = wrap_client(client, tmp_path, WrapTask(is_user=is_user, is_removal=True))
    assert gone.names == ("github",)
    assert path.read_text(encoding="utf-8") == before


def test_servers_of_single_projects_of_claude_code(tmp_path: Path) -> None:
    """They stand deeper in the same file."""
    said = {"projects": {"/w/a": {"mcpServers": servers()}, "/w/b": {"history": ["x"]}}}
    path = put(tmp_path, CLIENTS["claude-code"].user[0], said)

    (done,) = wrap_client(CLIENTS["claude-code"], tmp_path, WrapTask(is_user=True))

    assert done.names == ("github",)
    after = json.loads(path.read_text(encoding="utf-8"))["projects"]
    assert "--" in after["/w/a"]["mcpServers"]["github"]["args"]
    assert after["/w/b"] == said["projects"]["/w/b"]


def test_codex_keeps_its_comments(tmp_path: Path) -> None:
    """Only the lines of command and args are others."""
    (tmp_path / ".codex").mkdir()
    path = tmp_path / ".codex" / "config.toml"
    path.write_text(TOML, encoding="utf-8")

    (done,) = wrap_client(CLIENTS["codex"], tmp_path, WrapTask(is_user=True))

    text = path.read_text(encoding="utf-8")
    found = tomllib.loads(text)["mcp_servers"]
    assert done.names == ("github", "with dot.s")
    assert done.left == ("remote",)
    assert found["github"]["args"][-4:] == ["--", "npx", "-y", "@x/github"]
    assert found["github"]["env"] == {"TOKEN": "t"}
    assert found["with dot.s"]["args"][-3:] == ["--", 'run "it"', "a"]
    assert "# mine" in text
    assert "# the first" in text
    list(wrap_client(CLIENTS["codex"], tmp_path, WrapTask(is_user=True, is_removal=True)))
    assert tomllib.loads(path.read_text(encoding="utf-8")) == tomllib.loads(TOML)


@pytest.mark.parametrize(
    "text",
    ['[mcp_servers]\ngithub = {command = "npx"}\n', 'mcp_servers.github.command = "npx"\n', "[x"],
    ids=["inline", "dotted", "broken"],
)
def test_toml_in_another_form_is_left_as_it_is(tmp_path: Path, text: str) -> None:
    """And its owner is told."""
    (tmp_path / ".codex").mkdir()
    path = tmp_path / ".codex" / "config.toml"
    path.write_text(text, encoding="utf-8")

    with pytest.raises(BadSettings):
        list(wrap_client(CLIENTS["codex"], tmp_path, WrapTask(is_user=True)))

    assert path.read_text(encoding="utf-8") == text


@pytest.mark.parametrize("text", ['{"mcpServers": {}, "mcpServers": {}}', "// x\n{}", "[1]"])
def test_json_with_a_doubt_is_left_as_it_is(tmp_path: Path, text: str) -> None:
    """Names given twice, comments, another shape."""
    path = tmp_path / ".mcp.json"
    path.write_text(text, encoding="utf-8")

    with pytest.raises(BadSettings):
        list(wrap_client(CLIENTS["claude-code"], tmp_path, WrapTask(is_user=False)))

    assert path.read_text(encoding="utf-8") == text


def test_an_older_installation_is_renewed() -> None:
    """Signoff comes once before a server, from wherever it was installed."""
    bare = ServerEntry("npx", ("-y", "x"))
    old = wrapped(bare, name="x", own=("/old/python", "-I", "-m", "signoff"))
    new = wrapped(old, name="x", own=own_words(is_shared=False))

    assert unwrapped(new) == unwrapped(old) == bare
    assert new == wrapped(bare, name="x", own=own_words(is_shared=False))


def test_the_command_says_what_it_did(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And which servers are not guarded."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".mcp.json").write_text(json.dumps({"mcpServers": servers()}), encoding="utf-8")

    done = CliRunner().invoke(command, ["wrap", "claude-code", "--project"])

    assert done.exit_code == 0, done.output
    assert "signoff stands before github" in done.output
    assert "remote is reached by an address, and is NOT guarded" in done.output
    assert "no configuration" in CliRunner().invoke(command, ["wrap", "cursor", "--project"]).output
