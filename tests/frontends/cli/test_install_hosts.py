"""`signoff install <host>` for every host: the file, what was there, what to do by hand."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from signoff.frontends.cli.app import app
from signoff.frontends.hosts.registry import BY_NAME


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in an empty home with a project in it."""
    project = tmp_path / "project"
    project.mkdir()
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(project)
    return tmp_path


def install(*arguments: str) -> Result:
    """Run the command."""
    return CliRunner().invoke(app, ["install", *arguments])


@pytest.mark.parametrize("host", BY_NAME)
def test_install_and_uninstall(host: str, home: Path) -> None:
    """Files are named as they are written and removed, with what must be done by hand."""
    done = install(host)
    removed = install(host, "--uninstall")

    assert (0, 0) == (done.exit_code, removed.exit_code)
    assert "signoff installed" in done.output
    assert all(note in done.output for note in BY_NAME[host].notes)
    assert "signoff removed" in removed.output


def test_a_project_gets_its_own(home: Path) -> None:
    """`--project` writes into the folder at hand."""
    install("windsurf", "--project")

    assert (home / "project" / ".windsurf" / "hooks.json").exists()
    assert not (home / ".codeium").exists()


def test_a_dry_run_shows_the_change(home: Path) -> None:
    """The change is shown as a difference, and nothing is written."""
    done = install("gemini", "--dry-run")

    assert '+    "BeforeTool": [' in done.output
    assert not (home / ".gemini").exists()


def test_a_host_that_reads_elsewhere_is_warned_of(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A variable that moves the host's folder would leave it unguarded in silence."""
    monkeypatch.setenv("CODEX_HOME", str(home / "elsewhere"))

    assert "CODEX_HOME is" in install("codex").stderr


def test_what_cannot_be_read_ends_with_two(home: Path) -> None:
    """A broken file is an error message with the file's name."""
    path = home / ".cursor" / "hooks.json"
    path.parent.mkdir()
    path.write_text("{", encoding="utf-8")
    done = install("cursor")

    assert 2 == done.exit_code
    assert str(path) in done.output


def test_a_plugin_package_is_written(home: Path) -> None:
    """A marketplace with one package, and no change to the settings."""
    done = install("claude-code", "--plugin", str(home / "market"))

    listed = json.loads((home / "market/.claude-plugin/marketplace.json").read_text("utf-8"))
    assert 0 == done.exit_code
    assert "./signoff" == listed["plugins"][0]["source"]
    assert not (home / ".claude").exists()
