"""The daemon's channels as its API sees them, and what stands for them where nobody can be asked.

api = ApiRoutes(channels=NoChannels(), ...)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from signoff.actions.action import Action
from signoff.challenge.terms.mode import Mode
from signoff.frontends.hosts.adapter import HostAnswer, Report
from signoff.frontends.server.sessions import NOBODY, Waiting


class Channels(Protocol):
    """Port: the daemon's channels, as far as the API shows them."""

    @property
    def problems(self) -> Sequence[str]:
        """What is wrong with the channels; () if nothing."""

    @property
    def naps(self) -> Sequence[str]:
        """The nap in force, in words; () if there is none."""

    def status(self) -> Mapping[str, str]:
        """Return the state of each channel, in words for people."""

    def states(self) -> Mapping[str, str]:
        """Return the state of each channel in one word, without names; anybody may see it."""

    def mode(self) -> Mode:
        """Return where people are asked."""

    def waiting(self) -> Waiting:
        """Return the number of open requests, by (host, session)."""

    async def answer_for(self, action: Action, *, within_s: float) -> HostAnswer | None:
        """Return the reply to the host if the call is a question that people answered."""

    async def reported(self, host: str, report: Report) -> None:
        """Record a call that has ended, if people approved it."""

    async def finished(self, request_id: str, *, has_failed: bool, user: str = "") -> bool:
        """Record how the call of an approval request ended; False if it waits for no outcome."""


class NoChannels:
    """No channels: nobody can be asked."""

    problems = naps = ()

    def status(self) -> Mapping[str, str]:
        """Return {}."""
        return {}

    def states(self) -> Mapping[str, str]:
        """Return {}."""
        return {}

    def mode(self) -> Mode:
        """Return the mode "remote", as if channels were asked."""
        return Mode.REMOTE

    def waiting(self) -> Waiting:
        """Return {}: no requests are open."""
        return NOBODY

    async def answer_for(self, _: Action, *, within_s: float) -> HostAnswer | None:
        """Return None: nobody is asked."""
        return None

    async def reported(self, host: str, report: Report) -> None:
        """Do nothing: nobody has approved anything."""

    async def finished(self, request_id: str, *, has_failed: bool, user: str = "") -> bool:
        """Return False: nobody has approved anything."""
        return False
