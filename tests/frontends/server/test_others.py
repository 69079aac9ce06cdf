"""The daemon's other channels: Slack from its file, notices, and what is wrong with them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from signoff.channels.slack.settings import read_slack
from signoff.errors import BadSettings
from signoff.frontends.server.people.channel_manager import ChannelManager
from signoff.frontends.server.people.notice_channels import NoticeChannels, uncertain_told
from signoff.settings import Settings
from signoff.storage.sqlite import SqliteStore
from signoff.testing import InMemoryApprovals, make_request
from signoff.values import replace

pytest.importorskip("websockets")
pytest.importorskip("apprise")

GOOD = "conversation: C0123\nusers: [U0A, U0B]\n"


@dataclass(frozen=True, slots=True)
class Place:
    """A configuration folder."""

    config: Path

    def write(self, text: str, *, mode: int = 0o600) -> None:
        """Write the file and both tokens."""
        (self.config / "slack.yaml").write_text(text)
        for name, token in (("slack.bot-token", "xoxb-1"), ("slack.app-token", "xapp-1")):
            path = self.config / name
            path.write_text(f"{token}\n")
            path.chmod(mode)

    def settings(self, *urls: str) -> Settings:
        """Return settings in folders of their own."""
        return Settings(
            config_dir=str(self.config),
            state_dir=str(self.config.parent / "state"),
            home="/home/dev",
            notify_urls=urls,
        )


@pytest.fixture
def place(tmp_path: Path) -> Place:
    """Give an empty configuration folder."""
    config = tmp_path / "config"
    config.mkdir()
    return Place(config)


@contextmanager
def channels(settings: Settings) -> Iterator[ChannelManager]:
    """Open what is configured, as the daemon does."""
    record = SqliteStore(settings.record_file)
    manager = ChannelManager(settings, record=record, status=tuple)
    try:
        yield manager
    finally:
        manager.close()
        record.close()


def asked(manager: ChannelManager) -> list[str]:
    """Return the channels that are asked, in order, without the host's prompt."""
    return [one.name for one in manager.approvals.plan.channels if one.name != "host"]


def test_without_a_file_there_is_no_slack(place: Place) -> None:
    """And nothing is wrong."""
    with channels(replace(place.settings(), channels=())) as manager:
        assert ([], (), {}) == (asked(manager), manager.problems, manager.status())


def test_slack_is_built_of_its_file(place: Place) -> None:
    """Tokens from files of their own, shown nowhere."""
    place.write(GOOD)
    found = read_slack(str(place.config))
    assert found is not None

    assert ("C0123", ("U0A", "U0B"), "slack.com") == (
        found.conversation,
        found.users,
        found.api.host,
    )
    assert ("xoxb-1", "xapp-1") == (found.bot_token, found.app_token)
    assert "xoxb" not in repr(found)


def test_channels_are_opened(place: Place) -> None:
    """Notices first, as they hold nobody up."""
    place.write(GOOD)
    with channels(place.settings("json://127.0.0.1:9")) as manager:
        assert ["notify", "slack"] == asked(manager)
        assert ("slack: not connected yet",) == manager.problems
        assert {"slack": "down"} == manager.status()


BAD: dict[str, Callable[[Place], None]] = {
    "name": lambda place: place.write("conversation: '#general'\nusers: [U0A]\n"),
    "user-name": lambda place: place.write("conversation: C0123\nusers: ['@ada']\n"),
    "no-users": lambda place: place.write("conversation: C0123\n"),
    "no-conversation": lambda place: place.write("users: [U0A]\n"),
    "unknown-key": lambda place: place.write(f"{GOOD}token: xoxb\n"),
    "version": lambda place: place.write(f"{GOOD}version: 2\n"),
    "api": lambda place: place.write(f"{GOOD}api: http://slack.example/api\n"),
    "empty": lambda place: place.write(""),
    "token-readable": lambda place: place.write(GOOD, mode=0o644),
    "token-missing": lambda place: place.write(f"{GOOD}bot_token_file: none\n"),
}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_file_is_a_problem_and_stays_in_the_plan(place: Place, name: str) -> None:
    """People are asked in vain rather than passed over."""
    BAD[name](place)
    with channels(place.settings()) as manager:
        assert ["slack"] == asked(manager)
        assert {"slack": "refused"} == manager.status()
        assert manager.problems[0].startswith("slack: ")
    with pytest.raises(BadSettings):
        read_slack(str(place.config))


def test_a_token_that_is_a_link_is_refused(place: Place) -> None:
    """It could lead anywhere."""
    place.write(GOOD)
    token = place.config / "slack.bot-token"
    token.rename(place.config / "elsewhere")
    os.symlink(place.config / "elsewhere", token)

    with pytest.raises(BadSettings):
        read_slack(str(place.config))


def test_a_bad_address_of_a_service_is_a_problem(place: Place) -> None:
    """And the rest works."""
    others = NoticeChannels(place.settings("nonsense://token@host"))

    assert () == others.told
    assert "token" not in others.problems[0]
    others.alert_denials(session="s", agent="a", denials=5, last_tool="Bash")


def test_calls_that_were_lost_sight_of_are_named() -> None:
    """By tool and digest, as many as can be read."""
    approvals = InMemoryApprovals()
    approvals.ask(make_request())
    lost = (approvals.channel.announced[-1],) * 12

    said = uncertain_told(lost)

    assert said.startswith("let go, and whether it ran is not known: delete_user (digest ")
    assert said.endswith("and 2 more")
