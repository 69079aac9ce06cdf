"""Notices of the daemon on other services, and messages for people on every channel.

What is configured and cannot be opened is a problem that is told.

    notices = NoticeChannels(settings)
    notices.alert_uncertain(lost)
"""

from __future__ import annotations

import logging
from collections.abc import Sequence

from signoff.build.shared import SharedParts
from signoff.challenge.channels.notify import Notice, Notifier
from signoff.challenge.heading import own_name
from signoff.challenge.pending import PendingRequest
from signoff.challenge.visible import visible
from signoff.errors import SignoffError
from signoff.frontends.server.people.channel_order import NOTIFY
from signoff.settings import Settings
from signoff.values import count_of

log = logging.getLogger(__name__)

NAMED = 10


class NoticeChannels:
    """The channels that only send notices, through Apprise."""

    def __init__(self, settings: Settings, shared: SharedParts | None = None) -> None:
        self._problem = ""
        self.notifier: Notifier | None = None
        try:
            self.notifier = (shared or SharedParts(settings)).notifier
        except SignoffError as error:
            self._problem = str(error)
            log.error("%s is not available: %s", NOTIFY, error)

    @property
    def told(self) -> tuple[str, ...]:
        """Names of the working ones; they take no answers, so they are told first."""
        return () if self.notifier is None else (NOTIFY,)

    @property
    def wanted(self) -> tuple[str, ...]:
        """Names of the configured ones, working or not."""
        return (NOTIFY,) if self.notifier is not None or self._problem else ()

    @property
    def problems(self) -> tuple[str, ...]:
        """What is wrong with them; () if nothing."""
        return (f"{NOTIFY}: {self._problem}",) if self._problem else ()

    def alert_denials(self, *, session: str, agent: str, denials: int, last_tool: str) -> None:
        """Tell people on other services that a session was denied often."""
        if self.notifier is not None:
            self.notifier.alert_denials(
                session=session, agent=agent, denials=denials, last_tool=last_tool
            )

    def alert_uncertain(self, requests: Sequence[PendingRequest]) -> None:
        """Tell people about approved calls whose outcome is unknown."""
        if self.notifier is not None:
            title = "signoff was restarted and lost sight of calls"
            self.notifier.tell(Notice(title=title, body=uncertain_told(requests), is_urgent=True))

    def alert_tampering(self, text: str) -> None:
        """Tell people that signoff's files were changed by another program."""
        if self.notifier is not None:
            title = "signoff found its files changed"
            self.notifier.tell(Notice(title=title, body=text, is_urgent=True))

    def alert_tool(self, text: str) -> None:
        """Tell people that a tool of an MCP server is held back."""
        if self.notifier is not None:
            title = "signoff holds an MCP tool back"
            self.notifier.tell(Notice(title=title, body=text, is_urgent=True))

    def close(self) -> None:
        """Send the queued notices and stop."""
        if self.notifier is not None:
            self.notifier.close()


def uncertain_told(requests: Sequence[PendingRequest]) -> str:
    """Return one line that lists calls whose outcome is unknown."""
    named = ", ".join(f"{one.context.tool} (digest {one.card.code})" for one in requests[:NAMED])
    more = f" and {len(requests) - NAMED} more" if len(requests) > NAMED else ""
    # Names of tools come from agents, and could repaint what people read (T-36).
    return visible(f"let go, and whether it ran is not known: {named}{more}")


def denials_told(session: str, agent: str, denials: int, last_tool: str) -> str:
    """Return one line that says a session was denied often."""
    often = count_of(denials, "time")
    said = f"session {session} of {own_name(agent)} was denied {often}; last tool {last_tool}"
    # As above: session and tool are named by the agent.
    return visible(said)
