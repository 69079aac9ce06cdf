"""What channels are given by the daemon: built once of settings, approvals and the record."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime

from msgspec import Struct

from signoff.build.acts import record_own_act
from signoff.build.approvals import Approvals
from signoff.challenge.channel import PushChannel
from signoff.challenge.pending import ClockReading, PendingRequest
from signoff.challenge.terms.plan import ApprovalPlan
from signoff.challenge.words.asking import QuestionChannel
from signoff.channels.context import AmongNodes, ChannelContext, CommandServices, PageLink
from signoff.errors import StoreError
from signoff.frontends.learning.formatting import learning_lines
from signoff.frontends.learning.service import Learning
from signoff.redaction.redact import Redactor
from signoff.settings import Settings
from signoff.storage.installation import installation_key
from signoff.storage.locks.lock import EVERYTHING
from signoff.storage.locks.lock_file import LockFile
from signoff.storage.reading import Readable
from signoff.values import count_of, replace

NEVER_CUT = 1 << 40


class OwnChannels(Struct, frozen=True, kw_only=True):
    """The channels that no settings file configures.

    Args:
        inbox: builds it; no channel where the settings do not name it as one.
        terminal: the terminal the daemon runs on; None = it runs in the background.
        learning: what chats show and accept; None = nothing.
        page_link: leads a person to a request's page under the public name; None = there is none.
        in_words: those of them who can be asked in words at that moment.
    """

    inbox: Callable[[Approvals], Sequence[PushChannel]] = lambda _: ()
    terminal: PushChannel | None = None
    in_words: Callable[[], Sequence[QuestionChannel]] = tuple
    learning: Learning | None = None
    page_link: PageLink | None = None


def build_context(
    settings: Settings,
    approvals: Approvals,
    own: OwnChannels,
    *,
    record: Readable,
    status: Callable[[], Sequence[str]],
) -> ChannelContext:
    """Build the context that every channel gets.

    Args:
        status: returns what is in force, as lines.

    Raises:
        StoreError: the key of this installation cannot be created or read.
    """
    # Nothing is cut here: a card is whole, or says that it is not (T-37).
    mask = Redactor(installation_key(settings.key_file), text_limit=NEVER_CUT)
    requests, plan = approvals.requests, approvals.plan
    return ChannelContext(
        state_dir=settings.state_dir,
        requests=requests,
        approval_service=approvals.approval_service,
        mask=mask.text,
        groups=lambda pending: _asked_now(plan, requests.moment(), pending),
        summary=approvals.shared.transcripts(record),
        reader=approvals.shared.reply_reader,
        # Shown on cards, where it gives away a record that was made anew (T-65).
        witness=lambda: _witness(record),
        services=_services(settings, approvals, status, own.learning),
        page_link=own.page_link,
        key=approvals.seal.key,
        among=_among(approvals),
    )


def _among(approvals: Approvals) -> AmongNodes | None:
    """Return what makes a channel one for all nodes, None on a machine alone."""
    lease, requests, plan = approvals.stores.lease, approvals.requests, approvals.plan
    if lease is None:
        return None
    return AmongNodes(
        lease=lease,
        open_answers=requests.open_answers,
        is_due=lambda name, pending: plan.is_asked(
            name, pending.level, requests.moment().since(pending.created)
        ),
        code_of=approvals.seal.code_for,
    )


def _asked_now(plan: ApprovalPlan, now: ClockReading, pending: PendingRequest) -> tuple[str, ...]:
    return plan.asked_now(now.since(pending.created), now.wall_s)


def _services(
    settings: Settings,
    approvals: Approvals,
    status: Callable[[], Sequence[str]],
    learning: Learning | None,
) -> CommandServices:
    """Return what commands show and do."""
    costs = approvals.shared.costs
    locks = LockFile(settings.locks_file)

    def cost() -> Sequence[str]:
        today, month = costs.today(), costs.this_month()
        return (
            f"today {count_of(today.calls, 'call')}, {today.cents:.2f} cents",
            f"this month {count_of(month.calls, 'call')}, {month.cents:.2f} cents",
        )

    def lock(by: str) -> str:
        since = datetime.now(UTC).isoformat(timespec="seconds")
        locks.add(replace(EVERYTHING, since=since, by=by))
        return "everything is refused from now on; `signoff unlock` on the machine lifts it"

    return CommandServices(
        status=status,
        cost=cost,
        policies=approvals.policies.listed,
        lock=lock,
        mode=approvals.switch,
        directory=approvals.directory,
        confirm=None if approvals.in_force is None else approvals.in_force.confirm_told,
        learned=None if learning is None else lambda: tuple(learning_lines(learning.look())),
        accept=None if learning is None else lambda id, by: learning.accept(id, by=by),
        record=lambda act: record_own_act(settings, act),
    )


def _witness(record: Readable) -> str:
    """Return the newest checkpoint of the record: its size and the start of its hash."""
    try:
        head = record.head()
    except StoreError:
        return ""
    return f"{count_of(head.seq, 'entry', 'entries')}, {head.hash.hex()[:16]}" if head.seq else ""
