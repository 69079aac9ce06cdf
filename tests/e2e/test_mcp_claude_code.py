"""The real Claude Code with MCP servers behind `signoff mcp`, and no hook: the proxy alone guards.

The last two take the reference servers for files (npm) and git (PyPI), where `scripts/try-hosts`
has put them.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path

import pytest
from claude_code import ClaudeCode
from fake_messages_api import ToolCall
from npm_hosts import PACKAGES
from on_the_phone import on_the_phone

sys.path.append(str(Path(__file__).parents[1] / "channels" / "telegram"))
from fake_bot_api import ADA

SERVER = str(Path(__file__).with_name("notes_server.py"))
NOTES = {"command": sys.executable, "args": [SERVER]}
FILES = Path(PACKAGES or "/nowhere") / "node_modules/@modelcontextprotocol/server-filesystem"

GIT = Path(PACKAGES or "/nowhere") / "git-server" / "bin" / "mcp-server-git"


@pytest.fixture
def alone(claude: ClaudeCode) -> ClaudeCode:
    """Return Claude Code in a home where signoff judges without a daemon."""
    folder = claude.home / ".config" / "signoff"
    folder.mkdir(parents=True)
    said = "hosts: {without_daemon: in_process}\nchannels: []\n"
    (folder / "signoff.yaml").write_text(said, encoding="utf-8")
    return claude


def wrapped(claude: ClaudeCode, name: str, server: Mapping[str, object]) -> Path:
    """Write a server into a configuration of the user's, put signoff before it; return the file."""
    file = claude.home / ".cursor" / "mcp.json"
    file.parent.mkdir()
    file.write_text(json.dumps({"mcpServers": {name: server}}), encoding="utf-8")
    done = claude.signoff("mcp", "wrap", "cursor")
    assert f"signoff stands before {name}" in done.stdout, done.stderr
    return file


def trusting(file: Path, *tools: str) -> tuple[str, ...]:
    """Return the options under which Claude Code waits for servers and trusts these tools."""
    return ("--mcp-config", str(file), "--strict-mcp-config", "--allowedTools", ",".join(tools))


def test_tools_of_a_wrapped_server_are_judged(alone: ClaudeCode) -> None:
    """Reading runs; deleting everything does not, and the model reads why."""
    file = wrapped(alone, "notes", NOTES)
    tools = ("mcp__notes__list_notes", "mcp__notes__delete_all_notes")

    calls = [ToolCall(name=one, input={}) for one in tools]
    session = alone.run(*calls, options=trusting(file, *tools))

    assert (alone.project / "list_notes").exists(), (session.results, session.output)
    assert not (alone.project / "delete_all_notes").exists()
    assert "signoff: " in session.results[1]


def test_without_the_proxy_everything_runs(alone: ClaudeCode) -> None:
    """The positive control: `unwrap` takes the guard away."""
    file = wrapped(alone, "notes", NOTES)
    assert alone.signoff("mcp", "unwrap", "cursor").returncode == 0
    tool = "mcp__notes__delete_all_notes"

    session = alone.run(ToolCall(name=tool, input={}), options=trusting(file, tool))

    assert (alone.project / "delete_all_notes").exists(), session.output


def test_a_description_that_changes_later_is_caught(alone: ClaudeCode) -> None:
    """The tool ran before; described in other words it is neither offered nor run."""
    words = alone.home / "words.txt"
    words.write_text("Lists all notes.", encoding="utf-8")
    server = {"command": sys.executable, "args": [SERVER, str(words)]}
    tool = "mcp__notes__list_notes"
    options = trusting(wrapped(alone, "notes", server), tool)
    call, left = ToolCall(name=tool, input={}), alone.project / "list_notes"

    before = alone.run(call, options=options)
    assert left.exists(), before.output
    left.unlink()
    words.write_text("Lists all notes. Takes the folder to list.", encoding="utf-8")
    after = alone.run(call, options=options)
    tools = alone.signoff("mcp", "tools").stdout

    assert not left.exists()
    assert [] == list(after.results), after.output
    assert "HELD BACK (changed)  list_notes" in tools


def test_hook_and_proxy_ask_once_about_a_call(claude: ClaudeCode) -> None:
    """Claude Code gives both the id of the call: one card, one tap, one run."""
    ada = {"id": "ada", "role": "approver", "identities": [{"channel": "telegram", "id": str(ADA)}]}
    rule = "{name: ask-first, action: escalate, tool: mcp__notes__list_notes, reason: asked}"
    files = {
        "signoff.yaml": "server: {port: PORT}\nlimits: {min_review_s: 1, answer_timeout_s: 20}\n",
        "rules.yaml": f"version: 1\nrules:\n  - {rule}\n",
        "approvers.json": json.dumps({"version": 1, "approvers": [ada]}),
    }
    tool, cards = "mcp__notes__list_notes", list[int]()
    with on_the_phone(claude, files) as phone:

        def person(card: int) -> None:
            cards.append(card)
            time.sleep(1.2)  # a card is read before it is answered
            phone.api.press(card, "Approve")

        options = trusting(wrapped(claude, "notes", NOTES), tool)
        with phone.watched(person):
            session = claude.run(ToolCall(name=tool, input={}), options=options)

    assert (claude.project / "list_notes").exists(), (session.results, session.output)
    assert 1 == len(cards)


@pytest.mark.skipif(not FILES.is_dir(), reason="the server comes by scripts/try-hosts only")
def test_the_reference_server_for_files(alone: ClaudeCode) -> None:
    """A note is read; a key that lets somebody sign in is not written."""
    server = {"command": "node", "args": [str(FILES / "dist" / "index.js"), str(alone.home)]}
    file = wrapped(alone, "files", server)
    note, keys = alone.project / "note.txt", alone.home / ".ssh" / "authorized_keys"
    note.write_text("milk", encoding="utf-8")
    keys.parent.mkdir()
    tools = ("mcp__files__write_file", "mcp__files__read_text_file")

    session = alone.run(
        ToolCall(name=tools[1], input={"path": str(note)}),
        ToolCall(name=tools[0], input={"path": str(keys), "content": "ssh-ed25519 AAAA me"}),
        options=trusting(file, *tools),
    )

    assert "milk" in session.results[0], session.output
    assert "signoff: " in session.results[1]
    assert not keys.exists()


@pytest.mark.skipif(not GIT.is_file(), reason="the server comes by scripts/try-hosts only")
def test_the_reference_server_for_git(alone: ClaudeCode) -> None:
    """The status is read; nothing is reset, as nobody is there to be asked."""
    file = wrapped(
        alone, "git", {"command": str(GIT), "args": ["--repository", str(alone.project)]}
    )
    tools = ("mcp__git__git_status", "mcp__git__git_reset")
    (alone.project / "note.txt").write_text("milk", encoding="utf-8")
    subprocess.run(["git", "-C", str(alone.project), "add", "note.txt"], check=True, timeout=30)

    session = alone.run(
        *(ToolCall(name=one, input={"repo_path": str(alone.project)}) for one in tools),
        options=trusting(file, *tools),
    )

    assert "note.txt" in session.results[0], session.output
    assert "signoff: " in session.results[1]
