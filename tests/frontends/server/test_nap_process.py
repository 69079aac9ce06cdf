"""`signoff nap` and a real daemon: a person at a terminal starts one, and nothing else does."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator

import pytest
from inbox_caller import asking_on_the_web, at_inbox
from live_daemon import LiveDaemon
from own_terminal import typed_code
from test_signing_in_process import ASKING, run

from signoff.actions.action import Json
from signoff.frontends.client.places import Places
from signoff.frontends.server.control import tell

SMALL = "git push --force-with-lease origin topic"
GRAVE = "git push --force origin topic"


@pytest.fixture(scope="module")
def daemon(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveDaemon]:
    """Return a daemon that asks on the web."""
    with asking_on_the_web(tmp_path_factory.mktemp("home")) as running:
        yield running


def nap(daemon: LiveDaemon, *, typed: str = "") -> tuple[int, str]:
    """Start a nap at a terminal; type the code it shows there, or something else."""
    return typed_code(daemon, "nap", "30m", after="minutes", typed=typed)


def test_a_nap_from_start_to_end(daemon: LiveDaemon) -> None:
    """Small questions pass, others wait, status and inbox say so, and then it is over."""
    before = daemon.act(SMALL, session_id="s1")
    status, said = nap(daemon)
    during, grave = daemon.act(SMALL, session_id="s1"), daemon.act(GRAVE, session_id="s1")
    shown = daemon.signoff("status")
    person = at_inbox(daemon)
    pages = [person.get(f"/web/{name}") for name in ("", "overview")]
    ended = daemon.signoff("nap", "--end")
    after = daemon.act(SMALL, session_id="s1")

    assert 0 == status, said
    assert [202, 200, 202, 202] == [one.status for one in (before, during, grave, after)]
    assert ("allow", "nap") == (during.said["verdict"], during.said["decided_by"])
    assert 0 == shown.returncode
    assert "notice    nap until" in shown.stdout
    assert [1, 1] == [page.count('<p class="banner" role="status">Nap until') for page in pages]
    assert [0, 0] == [page.count('role="alert">nap') for page in pages]
    assert "Nap until" not in person.get("/web/")
    assert "the nap is over" in ended.stdout
    tail = daemon.signoff("audit", "tail", "-n", "20", "--json").stdout.splitlines()
    assert "nap" in {json.loads(line)["decided_by"] for line in tail}
    me = f"uid:{os.getuid()}"
    assert ("nap.start", "owner", "terminal", "30 minutes") in daemon.acts()
    assert ("nap.end", me, "terminal", "signoff asks again") in daemon.acts()


def test_another_code_starts_none(daemon: LiveDaemon) -> None:
    """And the real one is void then."""
    status, said = nap(daemon, typed="AAAAAA")

    assert 2 == status
    assert "not the code" in said
    assert 202 == daemon.act(SMALL, session_id="s1").status


@pytest.mark.parametrize("minutes", [True, 0, 100_000, "30", None])
def test_only_a_number_of_minutes_is_asked_for(daemon: LiveDaemon, minutes: Json) -> None:
    """To Python `true` is a number, and would be a minute."""
    said = tell(Places(str(daemon.state)), "/v1/naps", {"minutes": minutes})

    assert "a nap lasts 1 to" in str(said["words"])


def test_without_a_terminal_there_is_none(daemon: LiveDaemon) -> None:
    """T-43: the socket is reached by every process of the user."""
    told = daemon.home / "said"
    body = '{"minutes": 30}'
    asking = ASKING.replace("/v1/sign-in-links", "/v1/naps")
    asking = asking.replace("Length: 2", f"Length: {len(body)}").replace("{}'", f"{body}'")
    run(daemon, "-c", asking, str(daemon.socket), str(told))
    piped = daemon.signoff("nap", "30m")

    assert b" 403 " in told.read_bytes()
    assert 2 == piped.returncode
    assert 202 == daemon.act(SMALL, session_id="s1").status


@pytest.mark.parametrize("words", [("5h",), ("30",), ("0m",), ("soon",), (), ("30m", "--end")])
def test_its_length_is_bounded(daemon: LiveDaemon, words: tuple[str, ...]) -> None:
    """And written with its unit."""
    done = daemon.signoff("nap", *words)

    assert 2 == done.returncode
    assert "code" not in done.stdout
