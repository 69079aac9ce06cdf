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
from click.testing import CliRunner, Result

from signoff.frontends.cli.app import COMMANDS, app
from signoff.frontends.cli.completion import SHELLS
from signoff.frontends.cli.json_out import WITHOUT_ANSWER
from signoff.frontends.cli.wrapping import LABEL_WIDTH, WIDTH, say, wrapped

LISTS = ["pending", "watch", "approvers list", "policies list", "grants list", "mode", "cost"]


class TerminalText(io.StringIO):
    """What is printed, on a terminal."""

    def isatty(self) -> bool:
        """Say that it is one."""
        return True


def leaves(group: click.Group, path: str = "") -> Iterator[tuple[str, click.Command]]:
    """Yield every command that answers, by its words; hidden ones too."""
    ctx = click.Context(group)
    for name in {*group.list_commands(ctx), *group.commands}:
        found = group.get_command(ctx, name)
        assert found is not None
        words = f"{path} {name}".strip()
        if isinstance(found, click.Group):
            yield from leaves(found, words)
        # A group that answers by itself is a command as well.
        if not isinstance(found, click.Group) or found.invoke_without_command:
            yield words, found


def test_every_answer_can_be_had_in_json() -> None:
    """Of every command but those that print no result: a new one has the option."""
    without = {
        words
        for words, found in leaves(app)
        if not any("--json" in parameter.opts for parameter in found.params)
    }

    assert WITHOUT_ANSWER == without


@pytest.mark.parametrize("group", ["approvers", "policies", "grants"])
def test_a_group_alone_lists_in_json(tmp_path: Path, group: str) -> None:
    """As its `list` does."""
    alone, listed = invoked(tmp_path, group, "--json"), invoked(tmp_path, group, "list", "--json")

    assert (0, listed.stdout) == (alone.exit_code, alone.stdout)
    assert isinstance(json.loads(alone.stdout), list)


@pytest.mark.parametrize("group", ["approvers", "policies", "grants", "trust", "learn"])
def test_json_before_a_subcommand_is_not_left_unread(tmp_path: Path, group: str) -> None:
    """The error says where it belongs."""
    done = invoked(tmp_path, group, "--json", "anything")

    assert done.exit_code == 2
    assert "--json" in done.stderr or "No such command" in done.stderr


def test_a_change_answers_by_one_object(tmp_path: Path) -> None:
    """Whether it was made, what is said to people, and the facts; the words on standard error."""
    done = invoked(tmp_path, "lock", "tool", "Bash", "--json")
    answer = json.loads(done.stdout)

    assert (True, "tool", "Bash") == (answer["ok"], answer["scope"], answer["name"])
    assert answer["said"] == done.stderr.splitlines()


def test_a_refusal_answers_by_the_same_object(tmp_path: Path) -> None:
    """With the exit status and the message as ever."""
    done = invoked(tmp_path, "policies", "add", "pushing is fine", "--json")
    answer = json.loads(done.stdout)

    assert (2, False) == (done.exit_code, answer["ok"])
    assert answer["error"] in done.stderr


def test_an_installation_names_its_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A dry run too, and nothing is written then."""
    monkeypatch.setenv("HOME", str(tmp_path))
    done = invoked(tmp_path, "install", "claude-code", "--dry-run", "--json")
    (file,) = json.loads(done.stdout)["files"]

    assert (True, True) == (file["is_changed"], file["is_new"])
    assert not Path(file["path"]).exists()


def invoked(folder: Path, *words: str) -> Result:
    """Run a command with folders of its own."""
    folders = {"SIGNOFF_CONFIG_DIR": str(folder / "c"), "SIGNOFF_STATE_DIR": str(folder / "s")}
    return CliRunner(env=folders).invoke(app, words)


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
    done = invoked(tmp_path, *words.split(), "--json")

    assert 0 == done.exit_code, done.output
    assert json.loads(done.stdout) is not None


def test_status_without_a_daemon_is_json_too(tmp_path: Path) -> None:
    """With the exit status as ever."""
    done = invoked(tmp_path, "status", "--json")

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
    terminal = TerminalText()
    monkeypatch.setattr("sys.stdout", terminal)
    path = f"/home/ada/{'x' * 100}"
    said = f"questions of Claude Code go to the web inbox (`signoff open`), see {path} there"
    line = f"asked     {said}"
    say(line, indent=LABEL_WIDTH)
    shown = terminal.getvalue().splitlines()

    assert "asked     questions" in shown[0]
    assert all(len(one) <= WIDTH for one in shown if path not in one)
    assert all(one.startswith(" " * 10) for one in shown[1:])
    assert any(path in one for one in shown)
    assert " ".join(line.split()) == " ".join(" ".join(shown).split())


def test_what_goes_to_a_program_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    """It is searched, not read."""
    line = f"asked     {'word ' * 50}end"
    say(line)

    assert f"{line}\n" == capsys.readouterr().out


def test_a_short_line_stays() -> None:
    """As it is."""
    assert "  a b" == wrapped("a b", indent=2)
