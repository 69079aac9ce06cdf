"""What a channel is given: where requests are read, where answers go, how texts are masked.

The daemon builds one context for all channels; a channel imports neither settings nor `build`.

    context = ChannelContext(requests=store, approval_service=service, state_dir=folder)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol, TypeAlias

from msgspec import Struct

from signoff.challenge.channel import AnswerIntake
from signoff.challenge.pending import PendingRequest, RequestState
from signoff.challenge.replies import ReplyReader
from signoff.challenge.terms.approver import Directory, Identity
from signoff.challenge.terms.mode import ModeSwitch
from signoff.challenge.terms.policy import Policy
from signoff.effects.admin_acts import AdminAct


class ReadableRequests(Protocol):
    """The part of the store of requests that channels read."""

    async def get(self, id: str) -> PendingRequest | None:
        """Return a request as it is now, marked expired if its time is over; None if unknown."""

    async def by_nonce(self, nonce: str) -> PendingRequest | None:
        """Return the request with this nonce, None if there is none."""

    async def listed(self, *states: RequestState, limit: int = 100) -> tuple[PendingRequest, ...]:
        """Return requests in these states, newest first."""


class SessionSummary(Protocol):
    """Port: says what a session did so far, from a model or as a list of calls."""

    async def summary(self, pending: PendingRequest) -> str:
        """Return the summary; errors are reported in its text, not raised."""


class CardOnly:
    """A session summary that repeats what the card says, where no transcript is known."""

    async def summary(self, pending: PendingRequest) -> str:
        """Return the card's list of what the session did before."""
        return "\n".join(pending.card.so_far) or "nothing is known of this session"


CARD_ONLY = CardOnly()


def _unrecorded(_: AdminAct) -> None:
    """Write nothing: for where there is no audit log."""


class CommandServices(Struct, frozen=True, kw_only=True):
    """What chat commands can show and do; None = not available.

    Args:
        lock: sets the panic switch in the name of a person; returns the confirmation to show.
        confirm: lets a change from outside hold by its code; returns the sentence to show.
        learned: what was learned and what is proposed, in lines; it reads files.
        accept: takes the id of a proposal and who accepts it; returns the sentence to show.
        directory: who may answer and change the mode; None = everybody the channel listens to.
        record: writes an act of a person to the audit log, before it takes effect; it blocks.
    """

    status: Callable[[], Sequence[str]] | None = None
    cost: Callable[[], Sequence[str]] | None = None
    policies: Callable[[], Sequence[Policy]] | None = None
    lock: Callable[[str], str] | None = None
    mode: ModeSwitch | None = None
    directory: Directory | None = None
    confirm: Callable[[str], str] | None = None
    learned: Callable[[], Sequence[str]] | None = None
    accept: Callable[[str, str], str] | None = None
    record: Callable[[AdminAct], None] = _unrecorded


PageLink: TypeAlias = Callable[[PendingRequest, Identity], str]


class AccountLease(Protocol):
    """The exclusive right of one node to run a messenger account."""

    async def has(self) -> bool:
        """Return whether this node holds the lease; take it if it is free."""

    async def end(self) -> None:
        """Give the lease up, so that another node can take it."""


class AmongNodes(Struct, frozen=True, kw_only=True):
    """What a channel needs to serve the requests of several nodes.

    Args:
        lease: gives the lease of a channel's account.
        open_answers: returns the number of answers of every open request, by id.
        is_due: whether a channel is asked about a request now.
        code_of: returns the confirmation code of a request.
    """

    lease: Callable[[str], AccountLease]
    open_answers: Callable[[], Mapping[str, int]]
    is_due: Callable[[str, PendingRequest], bool]
    code_of: Callable[[str], str]


def _everybody(_: PendingRequest) -> tuple[str, ...]:
    return ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ChannelContext:
    """What the daemon hands to every channel.

    Args:
        state_dir: folder where a channel stores which message shows which request.
        mask: removes secrets from every text that is sent; never cuts.
        groups: returns the approver groups asked about a request now; () = everybody.
        reader: interprets replies in free text; None = they are not interpreted.
        witness: returns the newest checkpoint of the audit log, "" if unknown.
        page_link: returns the link that leads a person to a request's page, where their passkey
            lets them in, "" if they may not; None where no address lasts.
        key: random key of this daemon process, for secrets that no file holds.
        among: None = this machine is alone.
    """

    state_dir: str
    requests: ReadableRequests
    approval_service: AnswerIntake
    mask: Callable[[str], str] = str
    groups: Callable[[PendingRequest], tuple[str, ...]] = _everybody
    summary: SessionSummary = CARD_ONLY
    reader: ReplyReader | None = None
    witness: Callable[[], str] = str
    services: CommandServices = field(default_factory=CommandServices)
    page_link: PageLink | None = None
    key: bytes = field(default=b"", repr=False)
    among: AmongNodes | None = None

    @property
    def has_page(self) -> bool:
        """Whether requests have a page under an address that lasts."""
        return self.page_link is not None

    def link_for(self, pending: PendingRequest, identity: Identity) -> str:
        """Return the link that leads a person to a request's page, "" if there is none."""
        return self.page_link(pending, identity) if self.page_link else ""
