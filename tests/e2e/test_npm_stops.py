"""The real Codex and Gemini CLI, stopped: words make them go on, a button lets them be.

Needs their packages, which `scripts/try-hosts` installs; skipped without them.
"""

from __future__ import annotations

import sys
import threading
from pathlib import Path

import pytest
from npm_hosts import NEEDS_PACKAGES, NPM_HOSTS, Agent, NpmHost, fresh
from on_the_phone import bot_files
from resident import resident

sys.path.append(str(Path(__file__).parents[1] / "channels" / "telegram"))
from fake_bot_api import FakeBotApi, fake_bot_api

GO_ON = tuple(host for host in NPM_HOSTS if host.name in ("codex", "gemini"))

pytestmark = NEEDS_PACKAGES


@pytest.fixture(params=GO_ON, ids=lambda host: host.name)
def agent(request: pytest.FixtureRequest, tmp_path: Path) -> Agent:
    """Return an agent in a fresh home with an empty project."""
    host: NpmHost = request.param
    return fresh(host, tmp_path)


def stops(api: FakeBotApi) -> list[int]:
    """Return the messages that tell of a stop."""
    return [n for n, said in list(api.messages.items()) if "has stopped" in str(said.get("text"))]


def test_a_person_sends_it_on(agent: Agent) -> None:
    """It stops twice: the first time it is sent on, the second time it is let be."""
    agent.host.configured(agent.home, "http://127.0.0.1:9")
    settings = {"signoff.yaml": "server: {port: PORT}\nstops: {mode: ask, wait_s: 30}\n"}
    with (
        fake_bot_api() as api,
        resident(agent, {**settings, **bot_files(api)}, hooks=(agent.host.name,)),
    ):
        is_over = threading.Event()

        def person() -> None:
            seen: set[int] = set()
            while not is_over.wait(0.2):
                for number in set(stops(api)) - seen:
                    is_over.wait(1.0)
                    seen.add(number)
                    if len(seen) == 1:
                        api.write("now run the tests", to=number)
                    else:
                        api.press(number, "Let it stop")

        phone = threading.Thread(target=person)
        phone.start()
        try:
            output = agent.run("touch ran1")
        finally:
            is_over.set()
            phone.join()

    assert 2 == len(stops(api)), output
