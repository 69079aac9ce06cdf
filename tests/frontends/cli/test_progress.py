"""What is shown while a command takes its time: on a terminal only, and gone at the end."""

from __future__ import annotations

import io
import os
import threading
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
from click.testing import CliRunner

from signoff.frontends.cli import progress as module
from signoff.frontends.cli.app import app
from signoff.frontends.cli.audit_log import read_all
from signoff.frontends.cli.progress import progress, shown_each
from signoff.settings import load_settings


class Terminal(io.StringIO):
    """Standard error of a person; `written` is set by the first text."""

    def __init__(self) -> None:
        super().__init__()
        self.written = threading.Event()

    def write(self, text: str) -> int:
        """Take a text."""
        done = super().write(text)
        self.written.set()
        return done

    def isatty(self) -> bool:
        """Say that it is a terminal."""
        return True


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    """A terminal on which everything is shown at once."""
    found = Terminal()
    # Not `sys.stderr` itself, which pytest sets again before the test begins.
    monkeypatch.setattr(module, "sys", SimpleNamespace(stderr=found))
    monkeypatch.setenv("TERM", "xterm")
    for name in ("NO_COLOR", "FORCE_COLOR", "TTY_COMPATIBLE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(module, "QUIET_S", -1.0)
    monkeypatch.setattr(module, "TICK_S", 0.0)
    return found


def test_a_bar_shows_how_far_it_is(terminal: Terminal) -> None:
    """And is gone at the end."""
    with progress("reading", total=4) as line:
        line.at(2)

    assert "[##########          ]  50% reading" in terminal.getvalue()
    assert terminal.getvalue().endswith("\r\033[K")


def test_a_time_is_shown_where_nobody_knows_the_end(terminal: Terminal) -> None:
    """Drawn by a thread, as the caller waits."""
    with progress("starting the daemon"):
        assert terminal.written.wait(30.0)

    assert "starting the daemon ... 0 s" in terminal.getvalue()
    assert terminal.getvalue().endswith("\r\033[K")


def test_no_line_stands_while_the_caller_prints(terminal: Terminal) -> None:
    """Each item comes with the line taken away."""

    def slow() -> Iterator[int]:
        for number in range(2):
            terminal.written.clear()
            assert terminal.written.wait(30.0)
            yield number

    for _ in shown_each("checking", slow()):
        assert terminal.getvalue().endswith("\r\033[K")


def test_a_quick_command_shows_nothing(terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is done at once needs no word."""
    monkeypatch.setattr(module, "QUIET_S", 60.0)
    with progress("reading", total=4) as line:
        line.at(4)

    assert "" == terminal.getvalue()


def test_a_program_sees_nothing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Standard error that is no terminal stays empty."""
    monkeypatch.setattr(module, "QUIET_S", -1.0)
    with progress("reading", total=4) as line:
        line.at(2)

    assert "" == capsys.readouterr().err


def test_reading_the_whole_audit_log_shows_a_bar(terminal: Terminal, tmp_path: Path) -> None:
    """For every command that reads it: they share the reader."""
    folders = {"SIGNOFF_CONFIG_DIR": str(tmp_path / "c"), "SIGNOFF_STATE_DIR": str(tmp_path / "s")}
    assert 0 == CliRunner(env=folders).invoke(app, ["lock"]).exit_code
    entries = list(read_all(load_settings(environment={**os.environ, **folders})))

    assert 1 == len(entries)
    assert "100% reading the audit log" in terminal.getvalue()
