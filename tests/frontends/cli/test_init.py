"""`signoff init`: from an empty home to a guarded agent and an answered question."""

from __future__ import annotations

import json
import re
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from bench.ports import free_port
from bench.warm_home import give_patterns

sys.path.append(str(Path(__file__).parents[1] / "server"))
from live_daemon import LiveDaemon
from own_terminal import on_terminal
from test_inbox_process import LINK, post

WITHIN_S = 60.0


@pytest.fixture
def home(tmp_path: Path) -> Iterator[LiveDaemon]:
    """Return a home in which Claude Code was used and signoff never was."""
    (tmp_path / ".claude").mkdir()
    give_patterns(tmp_path)
    config = tmp_path / ".config" / "signoff"
    config.mkdir(parents=True)
    port = free_port()
    (config / "signoff.yaml").write_text(f"server: {{port: {port}}}\n", encoding="utf-8")
    # Nothing of this machine: no agents on the PATH, no screen.
    found = LiveDaemon(home=tmp_path, port=port, variables={"PATH": "/usr/bin:/bin"})
    yield found
    found.signoff("down")


def settings_of(home: LiveDaemon) -> str:
    """Return what stands in Claude Code's settings."""
    path = home.home / ".claude" / "settings.json"
    return path.read_text(encoding="utf-8") if path.exists() else ""


def test_the_whole_way_to_a_first_answer(home: LiveDaemon) -> None:
    """Two answers on the terminal, one in the inbox; what was answered there arrives here."""
    terminal = on_terminal(home, "init")
    terminal.until("Number")
    terminal.type("yes")
    terminal.until("is not one of")
    terminal.until("Number")
    terminal.type("browser")
    terminal.until("Do this")
    terminal.type("y")
    link = terminal.found(LINK.pattern)
    home.links.append(link[0])
    terminal.until("A test question")
    signed_in = post(home, "/web/sign-in", code=link[1])
    cookie = signed_in.headers["set-cookie"].partition(";")[0]
    path, nonce = waiting_request(home, cookie)
    fields = {"token": signed_in.said["token"], "nonce": nonce, "answer": "deny"}
    post(home, f"{path}/answer", cookie, **fields, words="use a branch")
    status = terminal.end()

    assert 0 == status, terminal.shown
    assert "Denied" in terminal.shown
    assert "use a branch" in terminal.shown
    assert "signoff" in settings_of(home)
    assert "channels: [web]" in (home.config / "signoff.yaml").read_text("utf-8")


def waiting_request(home: LiveDaemon, cookie: str) -> tuple[str, str]:
    """Return the path of the request that waits, and the nonce of its form."""
    deadline = time.monotonic() + WITHIN_S
    while True:
        page = home.request("GET", "/web/inbox/list", headers={"Cookie": cookie}).body.decode()
        if found := re.search(r"/web/requests/(\w+)", page):
            break
        assert time.monotonic() < deadline, page
        time.sleep(0.1)
    shown = home.request("GET", found[0], headers={"Cookie": cookie}).body.decode()
    nonce = re.search(r'name="nonce" value="(\w+)"', shown)
    assert nonce is not None
    return found[0], nonce[1]


def test_no_is_no(home: LiveDaemon) -> None:
    """Whatever is typed but a yes changes nothing."""
    terminal = on_terminal(home, "init")
    terminal.until("Number")
    terminal.type("")
    terminal.until("Do this")
    terminal.type("")

    assert 2 == terminal.end()
    assert "nothing was changed" in terminal.shown
    assert "" == settings_of(home)


def test_without_a_terminal_it_says_what_to_pass(home: LiveDaemon) -> None:
    """And changes nothing."""
    done = home.signoff("init")

    assert 2 == done.returncode
    assert "--yes" in done.stderr
    assert "--ask-in" in done.stderr
    assert "" == settings_of(home)


def test_a_dry_run_writes_nothing(home: LiveDaemon) -> None:
    """It says the same in JSON, for programs."""
    done = home.signoff("init", "--dry-run", "--json", "--ask-in", "browser")
    said = json.loads(done.stdout)

    assert ["claude-code"] == [one["name"] for one in said["hosts"]]
    assert ("not guarded", "browser") == (said["hosts"][0]["state"], said["ask_in"])
    assert "" == settings_of(home)
    assert "channels" not in (home.config / "signoff.yaml").read_text("utf-8")


def test_yes_needs_no_terminal_and_the_second_time_changes_nothing(home: LiveDaemon) -> None:
    """Where it runs is in place, it stays."""
    first = home.signoff("init", "--yes", "--json", "--ask-in", "browser")
    before = settings_of(home)
    second = home.signoff("init", "--yes", "--json")

    assert (0, 0) == (first.returncode, second.returncode), second.stderr
    assert "guarded" == json.loads(second.stdout)["hosts"][0]["state"]
    assert "keep" == json.loads(second.stdout)["ask_in"]
    assert before == settings_of(home)
    assert "starts the daemon in the background" in first.stderr
    assert "nothing: all is in place" in second.stderr
    assert "starts the daemon" not in second.stderr
    assert 1 == len([*(home.home / ".claude").iterdir()])


def test_the_agents_own_prompt_takes_over_from_the_inbox(home: LiveDaemon) -> None:
    """As `signoff mode local` does, which is confirmed on a terminal and in the inbox."""
    home.signoff("init", "--yes", "--ask-in", "browser")
    unconfirmed = home.signoff("init", "--yes", "--ask-in", "host")
    terminal = on_terminal(home, "init", "--ask-in", "host")
    terminal.until("`signoff mode local`: the agents' own prompts ask")
    terminal.until("Do this")
    terminal.type("y")
    terminal.until("Your inbox")
    terminal.confirm("local")
    terminal.found(r"inbox.*:\s+> ")
    terminal.type("")
    status = terminal.end()

    assert "`signoff mode local` changes it" in unconfirmed.stderr
    assert 0 == status, terminal.shown
    assert "press the button on the Policies page" in terminal.shown
    assert "A test question" not in terminal.shown


def test_where_all_is_in_place_nothing_is_asked(home: LiveDaemon) -> None:
    """There is nothing to say yes to."""
    home.signoff("init", "--yes", "--ask-in", "browser")
    terminal = on_terminal(home, "init", "--ask-in", "keep", "--no-open", "--no-test")

    assert 0 == terminal.end(), terminal.shown
    assert "nothing: all is in place" in terminal.shown
    assert "Do this" not in terminal.shown
