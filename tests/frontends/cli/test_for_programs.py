"""What programs and shells get of the command line: JSON, completion, and lines that fit."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from signoff.frontends.cli.app import COMMANDS, app
from signoff.frontends.cli.completion import SHELLS
from signoff.frontends.cli.wrapping import WIDTH, wrapped, wrapped_line

# What tells no facts: it changes something, asks on a terminal, serves, or prints a file as it is.
WITHOUT = {
    *("demo", "completion", "open", "unlock", "proxy", "serve", "run", "hook", "exec"),
    *("approve", "allow-once", "deny", "confirm", "nap", "mcp-server", "rules import"),
    *("service init", "service install", "service uninstall", "shadow on", "shadow off"),
    *("mcp login", "mcp logout", "mcp accept", "mcp forget", "mcp wrap", "mcp unwrap", "mcp proxy"),
    *("approvers add", "approvers remove", "grants revoke"),
    *("trust incident", "trust restore", "trust revoke"),
    *("policies add", "policies edit", "policies promote", "policies remove"),
    *("learn accept", "learn dismiss", "learn remove"),
    *("bundle build", "bundle sign", "bundle verify", "bundle key", "bundle pull", "bundle leave"),
    *("tokens create", "tokens revoke"),
    *("audit backup", "audit restore", "audit rotate", "witness serve", "witness key"),
    *("audit export", "audit query", "audit prove"),  # in JSON, or the form that --format names
}
CHANGING = ("install ", "telegram ", "slack ", "matrix ")  # all commands of these groups
LISTS = ["pending", "watch", "approvers list", "policies list", "grants list", "mode", "cost"]


class TerminalText(io.StringIO):
    """What is printed, on a terminal."""

    def isatty(self) -> bool:
        """Say that it is one."""
        return True


def leaves(group: click.Group, path: str = "") -> Iterator[tuple[str, click.Command]]:
    """Yield every command that is no group, by its words."""
    ctx = click.Context(group)
    for name in group.list_commands(ctx):
        found = group.get_command(ctx, name)
        assert found is not None
        words = f"{path} {name}".strip()
        if isinstance(found, click.Group):
            yield from leaves(found, words)
        else:
            yield words, found


def test_every_answer_can_be_had_in_json() -> None:
    """Of every command but those listed above: a new one that tells facts takes the option."""
    without = {
        words
        for words, found in leaves(app)
        if not words.startswith(CHANGING)
        and not any("--json" in parameter.opts for parameter in found.params)
    }

    assert without <= WITHOUT
    assert WITHOUT - without <= {"mcp proxy"}  # hidden: it is in no list


EXTRAS = "asyncpg apprise webauthn httpx2 websockets genai_prices pyarrow limits valkey jwt mcp"


def test_every_command_loads_without_an_extra() -> None:
    """What `pip install signoff` brings is enough to start each of them."""
    code = (
        f"import sys\nsys.modules.update(dict.fromkeys({EXTRAS!r}.split()))\n"
        "import click\nfrom signoff.frontends.cli.app import app\n"
        "ctx = click.Context(app)\n"
        "for name in app.list_commands(ctx): app.get_command(ctx, name)"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-c", code], capture_output=True, text=True, check=False
    )

    assert 0 == done.returncode, done.stderr


@pytest.mark.parametrize("words", LISTS)
def test_an_answer_is_one_json_value(words: str, tmp_path: Path) -> None:
    """In an installation where nothing has happened yet, too."""
    folders = {"SIGNOFF_CONFIG_DIR": str(tmp_path / "c"), "SIGNOFF_STATE_DIR": str(tmp_path / "s")}
    done = CliRunner(env=folders).invoke(app, [*words.split(), "--json"])

    assert 0 == done.exit_code, done.output
    assert json.loads(done.stdout) is not None


def test_status_without_a_daemon_is_json_too(tmp_path: Path) -> None:
    """With the exit status as ever."""
    folders = {"SIGNOFF_CONFIG_DIR": str(tmp_path / "c"), "SIGNOFF_STATE_DIR": str(tmp_path / "s")}
    done = CliRunner(env=folders).invoke(app, ["status", "--json"])

    assert (1, False) == (done.exit_code, json.loads(done.stdout)["running"])


@pytest.mark.parametrize("shell", SHELLS)
def test_there_is_a_script_for_each_shell(shell: str) -> None:
    """Which asks signoff itself what can follow."""
    done = CliRunner().invoke(app, ["completion", shell])

    assert 0 == done.exit_code
    assert f"_SIGNOFF_COMPLETE={shell}_complete" in done.stdout


def test_a_shell_completes_commands_and_options() -> None:
    """In a real bash, by the script as it is printed."""
    folder = Path(sys.executable).parent
    line = (
        'eval "$(signoff completion bash)"; complete -p signoff;'
        " COMP_WORDS=(signoff au); COMP_CWORD=1; _signoff_completion signoff;"
        ' echo "${COMPREPLY[@]}";'
        " COMPREPLY=(); COMP_WORDS=(signoff up --p); COMP_CWORD=2; _signoff_completion signoff;"
        ' echo "${COMPREPLY[@]}"'
    )
    done = subprocess.run(
        ["bash", "--norc", "-c", line],
        env={"PATH": f"{folder}:/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )

    assert done.stdout.splitlines()[1:] == ["audit", "--port"], done.stderr


def test_completing_a_name_loads_no_command() -> None:
    """A press of the tab key waits for it."""
    code = (
        "import sys; from signoff.frontends.cli.app import app; import click;"
        " found = app.shell_complete(click.Context(app), 'r');"
        " print(sorted(one.value for one in found));"
        " print([m for m in sys.modules if m.startswith('signoff.frontends.cli.')])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )

    wanted = sorted(name for name in COMMANDS if name.startswith("r"))
    assert [str(wanted), "['signoff.frontends.cli.app']"] == done.stdout.splitlines()


def test_lines_wrap_at_words_under_their_text(monkeypatch: pytest.MonkeyPatch) -> None:
    """At 80 columns on a terminal; what is copied (a path, a command) stays in one piece."""
    monkeypatch.setattr("sys.stdout", TerminalText())
    path = f"/home/ada/{'x' * 100}"
    said = f"questions of Claude Code go to the web inbox (`signoff open`), see {path} there"
    line = f"asked     {said}"
    shown = wrapped_line(line).splitlines()

    assert "asked     questions" in shown[0]
    assert all(len(one) <= WIDTH for one in shown if path not in one)
    assert all(one.startswith(" " * 10) for one in shown[1:])
    assert any(path in one for one in shown)
    assert " ".join(line.split()) == " ".join(" ".join(shown).split())


def test_what_goes_to_a_program_is_one_line() -> None:
    """It is searched, not read."""
    line = f"asked     {'word ' * 50}end"

    assert line == wrapped_line(line)


def test_a_short_line_stays() -> None:
    """As it is."""
    assert "lock      all" == wrapped_line("lock      all")
    assert "  a b" == wrapped("a b", indent=2)
