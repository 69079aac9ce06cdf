"""Trust in agents, as people see and change it: incidents, revocation, a new start.

Whatever lowers trust anybody who may answer can do, at once. A new start is an admin's act: who
calls `restore` has checked that.

    control = TrustControl(book, in_force, tell=print)
    control.incident("claude-code", "databases", by="ada", note="dropped a table")
"""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import UTC, datetime

from signoff.challenge.visible import visible
from signoff.effects.learning.trust_ledger import ALL_DOMAINS, TrustLedger, TrustMark, TrustRow
from signoff.errors import SignoffError
from signoff.storage.confirmed.in_force import InForce
from signoff.values import replace

NAME_LIMIT = 200
NOTE_LIMIT = 500
NOTES_KEPT = 20
OFF = "trust is off: set `trust: {enabled: true}` in signoff.yaml and restart the daemon"


class NoTrust(SignoffError):
    """Trust is off, or the agent, domain or note is not valid."""


class TrustControl:
    """Shows and changes the trust in agents.

    Args:
        book: None = trust is off.
        tell: called with every change.
    """

    def __init__(
        self, book: TrustLedger | None, in_force: InForce, *, tell: Callable[[str], None]
    ) -> None:
        self._book, self._in_force, self._tell = book, in_force, tell

    @property
    def is_on(self) -> bool:
        """Whether trust changes risk levels."""
        return self._book is not None

    def rows(self) -> tuple[TrustRow, ...]:
        """Return trust by agent and domain.

        Raises:
            NoTrust: trust is off.
        """
        if self._book is None:
            raise NoTrust(OFF)
        return self._book.rows()

    def marks(self) -> tuple[TrustMark, ...]:
        """Return the trust marks people set on agents."""
        return self._in_force.standing.trust

    def incident(self, agent: str, domain: str = "", *, by: str, note: str = "") -> str:
        """Lower the trust in an agent by 0.3 at once; return a message.

        Args:
            agent: its name; "*" = every agent.
            domain: "" = every domain.

        Raises:
            NoTrust: trust is off, or one of these is not valid.
            StoreError: it cannot be stored.
        """
        said = f"{datetime.now(UTC):%Y-%m-%d} by {by}: {note or 'no note'}"

        def change(mark: TrustMark) -> TrustMark:
            # Notes may give way; the count of incidents, which lowers trust, does not.
            notes = (*mark.notes, visible(said))[-NOTES_KEPT:]
            return replace(mark, incidents=mark.incidents + 1, notes=notes)

        self._change(agent, domain, note, change)
        return self._told(f"incident of {_named(agent, domain)}, {said}")

    def revoke(self, agent: str, domain: str = "", *, by: str) -> str:
        """Set the trust in an agent to 0 at once; return a message.

        Raises:
            NoTrust: trust is off, or one of these cannot be taken.
            StoreError: it cannot be kept.
        """
        self._change(agent, domain, "", lambda mark: replace(mark, is_revoked=True))
        return self._told(f"trust in {_named(agent, domain)} was revoked by {by}")

    def restore(self, agent: str, domain: str = "", *, by: str) -> str:
        """Reset an agent to the trust of a new one; return a message.

        Raises:
            NoTrust: trust is off, or one of these cannot be taken.
            StoreError: it cannot be kept.
        """

        def change(mark: TrustMark) -> TrustMark:
            # A mark, not none: what the log says of the time before must not count again.
            return TrustMark(agent=mark.agent, domain=mark.domain, since_s=time.time())

        self._change(agent, domain, "", change)
        return self._told(f"trust in {_named(agent, domain)} begins anew, says {by}")

    def _change(
        self, agent: str, domain: str, note: str, change: Callable[[TrustMark], TrustMark]
    ) -> None:
        if self._book is None:
            raise NoTrust(OFF)
        if not agent or len(agent) > NAME_LIMIT or len(note) > NOTE_LIMIT:
            raise NoTrust(f"name an agent (at most {NAME_LIMIT} characters; notes {NOTE_LIMIT})")
        if domain and domain not in ALL_DOMAINS:
            raise NoTrust(f"unknown domain `{visible(domain)}` ({', '.join(ALL_DOMAINS)})")
        self._in_force.change_trust(agent, domain, change)

    def _told(self, words: str) -> str:
        self._tell(visible(words))
        return visible(words)


def _named(agent: str, domain: str) -> str:
    return f"`{agent}` with {domain}" if domain else f"`{agent}`"
