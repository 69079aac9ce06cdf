"""The daemon's channels besides Telegram: Slack, and notices on other services.

What is configured and cannot be opened is a problem that is told; its name stays in the plan, so
people are asked in vain rather than passed over.

    others = Others(settings)
    approvals = build_approvals(settings, (*names, *others.names))
    channels = others.open(known)
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence

from signoff.challenge.channel import PushChannel
from signoff.challenge.channels.notify import Notice, Notifier
from signoff.challenge.channels.slack.channel import SlackChannel
from signoff.challenge.pending import PendingRequest
from signoff.challenge.visible import visible
from signoff.challenge.words.asking import QuestionChannel
from signoff.challenge.words.origin import own_name
from signoff.errors import SignoffError
from signoff.frontends.server.people.channel_order import NOTIFY
from signoff.frontends.server.people.files.slack import SlackSettings
from signoff.frontends.server.people.reloadable import ReloadableChannel
from signoff.frontends.server.people.slack import keep_slack
from signoff.frontends.server.people.telegram import TelegramContext
from signoff.settings import Settings
from signoff.wiring import build_notifier

log = logging.getLogger(__name__)

NAMED = 10


class NoticeChannels:
    """Opens them, runs them, tells what is wrong with them."""

    def __init__(self, settings: Settings) -> None:
        self._notify_problem = ""
        self._slack: ReloadableChannel[SlackSettings, SlackChannel, TelegramContext] = keep_slack(
            settings
        )
        self.notifier: Notifier | None = None
        try:
            self.notifier = build_notifier(settings)
        except SignoffError as error:
            self._notify_problem = str(error)
            log.error("%s is not available: %s", NOTIFY, error)

    @property
    def names(self) -> tuple[str, ...]:
        """The channels people can answer on, open or not."""
        return (self._slack.name,) if self._slack.is_wanted else ()

    @property
    def told(self) -> tuple[str, ...]:
        """What is told of requests and takes no answers: holds nobody up, so it goes first."""
        return () if self.notifier is None else (NOTIFY,)

    @property
    def wanted(self) -> tuple[str, ...]:
        """The same, if it is configured, well or not."""
        return (NOTIFY,) if self.notifier is not None or self._notify_problem else ()

    @property
    def problems(self) -> tuple[str, ...]:
        """What is wrong with them."""
        found = {NOTIFY: self._notify_problem, self._slack.name: self._slack.problem}
        return tuple(f"{name}: {problem}" for name, problem in found.items() if problem)

    def status(self) -> Mapping[str, str]:
        """Return how each channel is, in a word."""
        if self._slack.channel is not None:
            return {self._slack.name: self._slack.channel.status}
        return {self._slack.name: "refused"} if self._slack.is_wanted else {}

    @property
    def in_words(self) -> tuple[QuestionChannel, ...]:
        """Those who can be asked in words now."""
        return () if self._slack.channel is None else (self._slack.channel.in_words,)

    def open(self, known: TelegramContext) -> tuple[PushChannel, ...]:
        """Open what is configured; nothing is sent before it runs."""
        self._slack.open(known)
        slack = (self._slack,) if self._slack.is_wanted else ()
        return (*((self.notifier,) if self.notifier is not None else ()), *slack)

    async def run(self) -> None:
        """Run them until cancelled."""
        await self._slack.run()

    def alert_denials(self, *, session: str, agent: str, denials: int, last_tool: str) -> None:
        """Tell people on other services that a session was refused often."""
        self._slack.tell_soon(denials_told(session, agent, denials, last_tool))
        if self.notifier is not None:
            self.notifier.alert_denials(
                session=session, agent=agent, denials=denials, last_tool=last_tool
            )

    def alert_uncertain(self, requests: Sequence[PendingRequest]) -> None:
        """Tell people of calls they approved, of which nobody knows whether they ran."""
        said = uncertain_told(requests)
        self._slack.tell_soon(said)
        if self.notifier is not None:
            title = "signoff was restarted and lost sight of calls"
            self.notifier.tell(Notice(title=title, body=said, is_urgent=True))

    def close(self) -> None:
        """Send the notices that wait, and end."""
        self._slack.close()
        if self.notifier is not None:
            self.notifier.close()


def uncertain_told(requests: Sequence[PendingRequest]) -> str:
    """Say in one line which calls nobody knows of whether they ran."""
    named = ", ".join(f"{one.context.tool} (digest {one.card.code})" for one in requests[:NAMED])
    more = f" and {len(requests) - NAMED} more" if len(requests) > NAMED else ""
    return visible(f"let go, and whether it ran is not known: {named}{more}")


def denials_told(session: str, agent: str, denials: int, last_tool: str) -> str:
    """Say in one line that a session was refused often."""
    said = (
        f"session {session} of {own_name(agent)} was refused {denials} times; last tool {last_tool}"
    )
    return visible(said)
