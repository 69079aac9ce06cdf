"""What a channel is given: where requests are read, where answers go, how texts are masked.

The daemon builds one context for all channels; a channel imports neither settings nor `build`.

    context = ChannelContext(requests=store, approval_service=service, state_dir=folder)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol, TypeAlias

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
        """Return a request as it stands now, expired if its time is over."""

    async def by_nonce(self, nonce: str) -> PendingRequest | None:
        """Return the request of a nonce."""

    async def listed(self, *states: RequestState, limit: int = 100) -> tuple[PendingRequest, ...]:
        """Return requests in these states, newest first."""


class SessionSummary(Protocol):
    """Says what a session did so far: a model's summary, or the list of its last calls."""

    async def summary(self, pending: PendingRequest) -> str:
        """Return it as text; an error is said in words."""


class CardOnly:
    """Says of a session what its card says: for where nothing else is known of it."""

    async def summary(self, pending: PendingRequest) -> str:
        """Return what the session did before."""
        return "\n".join(pending.card.so_far) or "nothing is known of this session"


CARD_ONLY = CardOnly()


def _unrecorded(_: AdminAct) -> None:
    """Write nothing: for where there is no audit log."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandServices:
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
    """The right to run one account; at most one node has it."""

    async def has(self) -> bool:
        """Tell whether this node has it now; take it if it is free."""

    async def end(self) -> None:
        """Let another node have it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AmongNodes:
    """What a channel needs to be one for many nodes.

    Args:
        lease: of a channel and its account.
        open_answers: the number of answers of every node's open requests, by id.
        is_due: whether a channel is asked about a request at this moment.
        code_of: the confirmation code of a request.
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
