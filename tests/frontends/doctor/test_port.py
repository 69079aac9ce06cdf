"""The daemon's port: kept in the settings, moved by itself only before anybody knows it."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from signoff.errors import BadSettings
from signoff.frontends.doctor import port as ports
from signoff.frontends.doctor.port import (
    keep_port,
    kept_if_started,
    settle_port,
    whose_port,
    with_port,
)
from signoff.settings import PORT, Settings, load_settings


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    """Return the settings of a new home in which another program has the usual port."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setattr(ports, "is_taken", lambda port: port == PORT)
    return load_settings()


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", "server: {port: 5000}\n"),
        ("pack: strict  # mine\n", "pack: strict  # mine\nserver: {port: 5000}\n"),
        ("server: {port: 4440}\npack: strict\n", "server: {port: 5000}\npack: strict\n"),
        ("server:\n  port: 4440  # usual\n", "server:\n  port: 5000  # usual\n"),
        ("# é\nserver: {port: 4440}\n", "# é\nserver: {port: 5000}\n"),
    ],
)
def test_only_the_port_changes(before: str, after: str) -> None:
    """Comments and everything else stay."""
    assert after == with_port(before, 5000)


@pytest.mark.parametrize("text", ["{pack: strict}", "server: {}\n", "pack: [", "pack: strict\n..."])
def test_no_place_is_guessed(text: str) -> None:
    """What has no sure place for it is left to a person."""
    with pytest.raises(BadSettings, match="by hand"):
        with_port(text, 5000)


def test_before_the_first_start_another_port_is_kept(settings: Settings) -> None:
    """Nobody can have been told the usual one."""
    moved = settle_port(settings)

    assert (PORT + 1, PORT + 1) == (moved, load_settings().port)


def test_a_port_somebody_may_know_does_not_move(settings: Settings) -> None:
    """Hooks over HTTP carry it: they would go on asking whoever listens there."""
    Path(settings.state_dir).mkdir(parents=True)
    Path(settings.state_dir, "token").touch()

    assert 0 == settle_port(settings)


def test_a_chosen_port_does_not_move(settings: Settings) -> None:
    """Even where it is the usual one."""
    keep_port(settings, PORT)

    assert 0 == settle_port(load_settings())


def test_a_port_that_is_taken_on_ipv6_only_is_taken() -> None:
    """The daemon listens on both."""
    try:
        server = socket.create_server(("::1", 0), family=socket.AF_INET6)
    except OSError:
        pytest.skip("this machine has no IPv6")
    with server:
        found = ports.is_taken(server.getsockname()[1])

    assert found


def test_it_is_told_whose_program_has_a_port() -> None:
    """As far as the system says."""
    with socket.create_server(("127.0.0.1", 0)) as mine:
        said = whose_port(mine.getsockname()[1])

    assert said in {"another program of yours", "another program"}


@pytest.mark.parametrize("before", [None, "pack: strict  # mine\nserver: {port: 4500}\n"])
def test_a_start_that_fails_leaves_the_settings_as_they_were(
    settings: Settings, before: str | None
) -> None:
    """Hooks over HTTP go on with the port they know."""
    path = Path(settings.config_dir, "signoff.yaml")
    if before is not None:
        path.parent.mkdir(parents=True)
        path.write_text(before, encoding="utf-8")

    with pytest.raises(RuntimeError, match="no start"), kept_if_started(settings):
        keep_port(settings, 5000)
        raise RuntimeError("no start")

    assert before == (path.read_text(encoding="utf-8") if path.exists() else None)


def test_a_start_that_works_keeps_the_port(settings: Settings) -> None:
    """It holds from then on."""
    with kept_if_started(settings):
        keep_port(settings, 5000)

    assert load_settings().port == 5000
