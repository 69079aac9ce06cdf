"""`signoff matrix setup` and `invite` on a real terminal, before a homeserver."""

from __future__ import annotations

import json
import stat
import subprocess
import sys
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parents[1]))
from homeserver import ADA, BOB, ROOM, TOKEN, Homeserver, homeserver
from setup_terminal import set_up

from signoff.channels.matrix.settings import read_matrix


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Return a home with a token."""
    (tmp_path / "token").write_text(TOKEN, encoding="ascii")
    (tmp_path / "token").chmod(0o600)
    return tmp_path


def converse(server: Homeserver, home: Path, *words: str, typed: str, user: str) -> int:
    """Run a command; send the code it shows into the room, and type a word at the end."""

    def send(code: str) -> None:
        server.say(user, "signoff 00000000")  # anybody can send a wrong one
        server.say(user, f"signoff {code}")

    return set_up(home, "matrix", *words, before_code="room:  signoff ", send=send, typed=typed)


def setup_words(server: Homeserver, home: Path) -> tuple[str, ...]:
    """Return the words of `setup`."""
    where = ("--homeserver", server.url, "--room", ROOM)
    return ("setup", *where, "--token-file", str(home / "token"))


def test_setup_writes_what_was_confirmed(home: Path) -> None:
    """Room, token and person; then one more person in the same room."""
    config = home / ".config" / "signoff"
    with homeserver() as server:
        first = converse(server, home, *setup_words(server, home), typed="owner", user=ADA)
        second = converse(server, home, "invite", "bob", typed="bob", user=BOB)
        said = list(server.texts().values())
    found = read_matrix(str(config))
    people = json.loads((config / "approvers.json").read_text("utf-8"))["approvers"]

    assert (0, 0) == (first, second)
    assert found is not None
    assert (ROOM, (ADA, BOB), TOKEN) == (found.room, found.users, found.token)
    assert {"owner": ADA, "bob": BOB} == {one["id"]: one["identities"][-1]["id"] for one in people}
    assert ["signoff asks here from now on.", "bob may answer here from now on."] == said
    assert {0o600} == {
        stat.S_IMODE((config / name).stat().st_mode) for name in ("matrix.yaml", "matrix.token")
    }


def test_what_is_not_confirmed_is_not_written(home: Path) -> None:
    """Another word than the name is no."""
    with homeserver() as server:
        status = converse(server, home, *setup_words(server, home), typed="no", user=ADA)

    assert 2 == status
    assert not (home / ".config" / "signoff" / "matrix.yaml").exists()


def test_an_encrypted_room_is_refused(home: Path) -> None:
    """Before anybody is asked for a code."""
    with homeserver() as server:
        server.is_encrypted = True
        done = subprocess.run(
            [sys.executable, "-I", "-m", "signoff", "matrix", *setup_words(server, home)],
            env={"PATH": "", "HOME": str(home)},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
        )

    assert 2 == done.returncode
    assert "the room is encrypted" in done.stderr
    assert TOKEN not in done.stderr
