"""Everybody is told how people are asked, and nobody is sent where nobody is asked."""

from __future__ import annotations

from pathlib import Path

import pytest

from signoff.frontends.doctor.asking import (
    ALONE,
    asking_lines,
    asking_of,
    channels_of,
    more_ways,
)
from signoff.frontends.doctor.hosts import HostFolders, guarded_here
from signoff.frontends.hosts.claude_code.install import HOST
from signoff.frontends.hosts.claude_code.kinds import HookKind
from signoff.frontends.hosts.host import install
from signoff.settings import load_settings

WEB = "the web inbox (`signoff open`)"


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a new home."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("PATH", "/nowhere")
    return tmp_path


@pytest.mark.parametrize(
    ("host", "channels", "has_daemon", "begin", "is_refused"),
    [
        ("claude-code", (), True, "its own prompt", False),
        ("codex", (), True, "nobody", True),
        (
            "codex",
            ("web",),
            True,
            f"{WEB}; a call waits up to 300 s for you",
            False,
        ),
        (
            "claude-code",
            ("web", "telegram"),
            True,
            f"{WEB} and Telegram",
            False,
        ),
        ("claude-code", ("web",), False, "its own prompt", False),
    ],
)
def test_who_is_asked_is_said(
    host: str, channels: tuple[str, ...], *, has_daemon: bool, begin: str, is_refused: bool
) -> None:
    """A hook that judges by itself reaches no channel."""
    said = asking_of(host, channels, has_daemon=has_daemon)

    assert said.said.startswith(begin)
    assert is_refused == said.is_refused


def test_a_way_to_more_is_named_where_there_is_none(home: Path) -> None:
    """With the setting and its file, in one line at the end."""
    settings = load_settings()
    hosts = [asking_of("claude-code", ())]
    *_, last = asking_lines(settings, hosts, channels=())

    assert f"`channels: [web]` in {home}/.config/signoff/signoff.yaml" in last
    assert 1 == len(list(asking_lines(settings, hosts, channels=("web",))))


@pytest.mark.parametrize("channels", [(), ("web",)])
def test_a_hook_that_judges_by_itself_is_told_how_to_reach_channels(
    home: Path, channels: tuple[str, ...]
) -> None:
    """In one line; a channel alone would change nothing for it."""
    alone = asking_of("claude-code", channels, has_daemon=False)
    _, *more = asking_lines(load_settings(), [alone], channels=channels)

    assert [ALONE] == more


def test_a_hook_that_judges_by_itself_stands_beside_others(home: Path) -> None:
    """Each is told what helps it."""
    settings = load_settings()
    hosts = [
        asking_of("claude-code", (), has_daemon=False),
        asking_of("codex", ()),
    ]
    *_, first, second = asking_lines(settings, hosts, channels=())

    assert (more_ways(settings), ALONE) == (first, second)


@pytest.mark.parametrize(
    ("kind", "has_channel"), [(HookKind.COMMAND, True), (HookKind.IN_PROCESS, False)]
)
def test_what_is_installed_is_found(home: Path, kind: HookKind, *, has_channel: bool) -> None:
    """And nothing else, without any canary."""
    install(HOST, home, is_user=True, kind=kind)
    (found,) = guarded_here(HostFolders(home=home, project=home / "project"), ("web",), answer_s=60)

    assert "claude-code" == found.host
    assert has_channel == found.said.startswith(WEB)
    assert has_channel == ("waits up to 60 s" in found.said)


def test_the_daemons_word_counts_before_the_settings(home: Path) -> None:
    """It takes up changed channels at its next start."""
    config = home / ".config" / "signoff"
    config.mkdir(parents=True)
    (config / "signoff.yaml").write_text("channels: [web]\n", encoding="utf-8")
    settings = load_settings()

    assert (("web",), ()) == (channels_of(settings), channels_of(settings, {}))
