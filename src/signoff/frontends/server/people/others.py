"""The daemon's channels besides Telegram: Slack, and notices on other services.

What is configured and cannot be opened is a problem that is told; its name stays in the plan, so
people are asked in vain rather than passed over.

    others = Others(settings)
    approvals = build_approvals(settings, (*names, *others.names))
    channels = others.open(known)
"""

from __future__ import annotations

import logging
from collections.abc import Mapping

from signoff.challenge.channel import PushChannel
from signoff.challenge.channels.notify import Notifier
from signoff.challenge.channels.slack.board import CHANNEL as SLACK
from signoff.challenge.channels.slack.channel import SlackChannel
from signoff.errors import SignoffError
from signoff.frontends.server.people.slack import build_slack
from signoff.frontends.server.people.slack_file import SlackSettings, read_slack
from signoff.frontends.server.people.telegram import Known
from signoff.settings import Settings
from signoff.wiring import build_notifier

log = logging.getLogger(__name__)

NOTIFY = Notifier.name


class Others:
    """Opens them, runs them, tells what is wrong with them."""

    def __init__(self, settings: Settings) -> None:
        self._problems: dict[str, str] = {}
        self._found: SlackSettings | None = None
        self.slack: SlackChannel | None = None
        self.notifier: Notifier | None = None
        try:
            self._found = read_slack(settings.config_dir)
        except SignoffError as error:
            self._failed(SLACK, error)
        try:
            self.notifier = build_notifier(settings)
        except SignoffError as error:
            self._failed(NOTIFY, error)

    @property
    def names(self) -> tuple[str, ...]:
        """The channels people can answer on, open or not."""
        return (SLACK,) if self._found is not None or SLACK in self._problems else ()

    @property
    def told(self) -> tuple[str, ...]:
        """What is told of requests and takes no answers: holds nobody up, so it goes first."""
        return () if self.notifier is None else (NOTIFY,)

    @property
    def problems(self) -> tuple[str, ...]:
        """What is wrong with them."""
        found = dict(self._problems)
        if self.slack is not None and self.slack.problem:
            found[SLACK] = self.slack.problem
        return tuple(f"{name}: {problem}" for name, problem in found.items())

    def status(self) -> Mapping[str, str]:
        """Return how each channel is, in a word."""
        if self.slack is not None:
            return {SLACK: self.slack.status}
        return {SLACK: "refused"} if SLACK in self._problems else {}

    def open(self, known: Known) -> tuple[PushChannel, ...]:
        """Open what is configured; nothing is sent before it runs."""
        if self._found is not None:
            try:
                self.slack = build_slack(self._found, known)
            except SignoffError as error:
                self._failed(SLACK, error)
        return tuple(one for one in (self.notifier, self.slack) if one is not None)

    async def run(self) -> None:
        """Run them until cancelled."""
        if self.slack is not None:
            await self.slack.run()

    def alert_denials(self, *, session: str, agent: str, denials: int, last_tool: str) -> None:
        """Tell people on other services that a session was refused often."""
        if self.notifier is not None:
            self.notifier.alert_denials(
                session=session, agent=agent, denials=denials, last_tool=last_tool
            )

    def close(self) -> None:
        """Send the notices that wait, and end."""
        if self.notifier is not None:
            self.notifier.close()

    def _failed(self, name: str, error: SignoffError) -> None:
        self._problems[name] = str(error)
        log.error("%s is not available: %s", name, error)
