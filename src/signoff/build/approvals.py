"""Builds everything people are asked with, from settings: requests, grants, policies, approvers.

    approvals = build_approvals(settings)
    people = build_people(approvals, [TerminalChannel(approval_service=...)])
    channel = build_switched(approvals, people)

`LazyApprovals` builds all of it at the first question: most calls ask nobody and pay nothing.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from functools import cached_property, partial

from msgspec import Struct, field

from signoff.assess.level import Level
from signoff.build.acts import note_own_act
from signoff.build.requests import (
    RequestStores,
    build_daemon_seal,
    build_requests,
    shares_requests,
)
from signoff.build.shared import SharedParts
from signoff.challenge.answer import BY_HOST, Answer
from signoff.challenge.approval_service import ApprovalService
from signoff.challenge.card import Card, make_card
from signoff.challenge.channel import PushChannel
from signoff.challenge.channels.terminal import TerminalChannel
from signoff.challenge.decoys.register import DecoyRegister
from signoff.challenge.extras import Extras
from signoff.challenge.people.announcing import Announcer
from signoff.challenge.people.asking import NAME, PeopleChannel
from signoff.challenge.people.codes import ConfirmationCodes
from signoff.challenge.people.granted import Granted
from signoff.challenge.people.host_prompt import HostChannel, Switched
from signoff.challenge.people.recheck import ExecutionTokenStore, PreExecutionRecheck
from signoff.challenge.people.waiting_calls import WaitingCalls
from signoff.challenge.proofs.ledger import RequestLedger
from signoff.challenge.proofs.seal import Seal
from signoff.challenge.request import Channel, Request
from signoff.challenge.terms.binding import Operands, across_machines
from signoff.challenge.terms.grant import GrantStore
from signoff.challenge.terms.plan import ApprovalPlan, ChannelTerms
from signoff.challenge.terms.policy import PolicyStore
from signoff.challenge.terms.step import ProofKind
from signoff.challenge.visible import visible
from signoff.effects.admin_acts import AdminAct
from signoff.settings import SET_UP_ELSEWHERE, ChannelName, Settings
from signoff.storage.approvals.approver_file import FILE, ApproverFile
from signoff.storage.approvals.daemon_seal import asking_daemon
from signoff.storage.approvals.ports import RequestStore
from signoff.storage.approvals.standing import SqliteMode, SqlitePolicies
from signoff.storage.bindings.file_hashes import FileHashes
from signoff.storage.bindings.operands import operands_of
from signoff.storage.confirmed.fleet import FleetStanding
from signoff.storage.confirmed.head import FILE as CONFIRMED
from signoff.storage.confirmed.head import ConfirmedHead
from signoff.storage.confirmed.in_force import InForce
from signoff.storage.confirmed.outside import OutsideChange, Sources
from signoff.storage.confirmed.sign_in import terms_of
from signoff.storage.confirmed.views import (
    ConfirmedApprovers,
    ConfirmedMode,
    ConfirmedPolicies,
    StandingFiles,
)
from signoff.storage.installation import installation_key
from signoff.storage.locks.lock_file import LockFile
from signoff.values import replace

# What the host's own prompt shows is not our card: what is critical goes to people.
# Doors in this process that run what a decision holds, and nothing else.
EDITS_HERE = frozenset({"python", "claude-agent-sdk"})
HOST_TERMS = ChannelTerms(name=BY_HOST, settles_up_to=Level.HIGH)


class Approvals(Struct, frozen=True, kw_only=True):
    """The stores and services for approvals of one installation, built from settings."""

    stores: RequestStores
    policies: SqlitePolicies
    switch: SqliteMode
    directory: ApproverFile
    seal: Seal
    plan: ApprovalPlan
    approval_service: ApprovalService
    ledger: RequestLedger
    shared: SharedParts
    waiting: WaitingCalls
    in_force: InForce | None = None
    operands: Operands
    codes: ConfirmationCodes = field(default_factory=ConfirmationCodes)

    @property
    def decoys(self) -> DecoyRegister:
        """The register of decoy requests of this process."""
        return self.approval_service.extras.decoys

    @property
    def requests(self) -> RequestStore:
        """The store of the requests that people answer."""
        return self.stores.requests

    @property
    def execution_tokens(self) -> ExecutionTokenStore:
        """The tokens for the check right before a call runs."""
        return self.stores.execution_tokens

    @property
    def grants(self) -> GrantStore:
        """The store of grants: approvals that cover more than one call."""
        return self.stores.grants

    def close(self) -> None:
        """Close the database file, and the connections to other machines."""
        self.stores.requests.close()
        self.stores.database.close()


def build_approvals(
    settings: Settings,
    channels: Sequence[str] = (),
    *,
    edits: frozenset[str] = frozenset(),
    seal: Seal | None = None,
    shared: SharedParts | None = None,
    tell: Callable[[OutsideChange], None] | None = None,
) -> Approvals:
    """Build the stores and services for approvals; no channel is opened.

    Args:
        channels: names of the channels to ask, in order; () = as configured.
        edits: frontends whose callers run edited arguments in place of the original.
        seal: holds this process's key; None = the daemon's own key in a daemon, else a new one,
            and the daemon checks its own seals.
        shared: parts that other components of the process share; None = built new.
        tell: receives changes made outside, for an admin; None = files are believed. Only the
            daemon can tell people of a change; elsewhere nobody could confirm one.
    """
    shared, ledger = shared or SharedParts(settings), RequestLedger()
    seal = seal or _seal(settings, is_daemon=tell is not None)
    stores = build_requests(settings, ledger, seal=seal)
    database, plan = stores.database, replace(plan_of(settings, channels), edits=edits)
    policies = SqlitePolicies(database)
    directory = ApproverFile(os.path.join(settings.config_dir, FILE))
    switch, in_force = SqliteMode(database, default=plan.mode), None
    if tell is not None:
        files = StandingFiles(policies, switch, LockFile(settings.locks_file))
        in_force = _in_force(settings, directory, files, tell=tell, fleet=stores.fleet)
        directory, switch = ConfirmedApprovers(directory, in_force), ConfirmedMode(switch, in_force)
        policies = ConfirmedPolicies(database, in_force)
    extras = _extras(settings, stores.grants, policies)
    approval_service = ApprovalService(
        stores.requests, directory, seal=seal, plan=plan, extras=extras, validator=shared.validator
    )
    return Approvals(
        stores=stores,
        operands=_operands(settings),
        policies=policies,
        switch=switch,
        directory=directory,
        seal=seal,
        plan=plan,
        approval_service=approval_service,
        ledger=ledger,
        in_force=in_force,
        shared=shared,
        waiting=WaitingCalls(stores.room),
    )


def _extras(settings: Settings, grants: GrantStore, policies: PolicyStore) -> Extras:
    """Build what keeps what an answer brings along; policies are written to the audit log."""

    async def note(by: str, said: str, channel: str) -> None:
        act = AdminAct(act="policy.add", by=by, said=visible(said), channel=channel)
        await note_own_act(settings, act)

    return Extras(grants=grants, policies=policies, note=note)


def _operands(settings: Settings) -> Operands:
    """Return what finds the files a call names, as all nodes see them where they share requests."""
    operands: Operands = partial(operands_of, hashes=FileHashes())
    return across_machines(operands) if shares_requests(settings) else operands


def _seal(settings: Settings, *, is_daemon: bool) -> Seal:
    """Return what seals the answers this process takes."""
    if is_daemon:
        return build_daemon_seal(settings)
    return Seal.fresh(asking_daemon(settings.state_dir))


def _in_force(
    settings: Settings,
    directory: ApproverFile,
    files: StandingFiles,
    *,
    tell: Callable[[OutsideChange], None],
    fleet: FleetStanding | None,
) -> InForce:
    """Build what believes changes of the files once an admin has confirmed them."""
    sources = Sources(
        directory.listed,
        files.mode.mode,
        files.policies.listed,
        files.locks.locks,
        lambda: terms_of(settings.oidc),
    )
    path = os.path.join(settings.state_dir, CONFIRMED)
    head = ConfirmedHead(path, installation_key(settings.key_file))
    return InForce(sources, head, tell, fleet=fleet, follower=files)


def plan_of(settings: Settings, channels: Sequence[str] = ()) -> ApprovalPlan:
    """Return the plan in force: what is configured, with every channel in its order.

    Args:
        channels: as in `build_approvals`; without them, those only a daemon asks hold nobody up.
    """
    said, least_s = settings.approval, settings.limits.min_review_s
    # A process without a daemon cannot reach messengers: waiting for their turn would be for
    # nothing.
    here = (name for name in settings.channels if name not in SET_UP_ELSEWHERE)
    names = list(channels or here)
    known = {terms.name: terms for terms in (HOST_TERMS, *said.channels)}
    ordered = [known.get(name, ChannelTerms(name=name)) for name in names if name != BY_HOST]
    return replace(
        said,
        channels=(*ordered, known[BY_HOST]),
        answer_s=settings.limits.answer_timeout_s,
        proof_review_s={**said.proof_review_s, ProofKind.CONFIRM: least_s},
    )


def build_people(
    approvals: Approvals,
    channels: Sequence[PushChannel],
    *,
    closes_s: float = 2.0,
) -> PeopleChannel:
    """Build the channel of the ladder that asks people.

    Args:
        channels: where cards are shown.
        closes_s: seconds to wait for the cards to be updated after an answer; 0 in a daemon, whose
            event loop goes on.
    """
    return PeopleChannel(
        store=approvals.requests,
        announcer=Announcer(
            store=approvals.requests, plan=approvals.plan, channels=tuple(channels)
        ),
        seal=approvals.seal,
        operands=approvals.operands,
        execution_tokens=approvals.execution_tokens if approvals.plan.is_rechecked else None,
        grants=approvals.grants,
        codes=approvals.codes,
        waiting=approvals.waiting,
        redactor=approvals.shared.redactor,
        closes_s=closes_s,
        card=partial(_card, approvals.shared),
    )


def _card(shared: SharedParts, request: Request) -> Card:
    """Return the card of a request, with the state of the audit log."""
    return replace(make_card(request), log=shared.log_state())


def build_switched(approvals: Approvals, people: Channel) -> Channel:
    """Build a channel that asks people or the host's own prompt, as `signoff mode` is set."""
    return Switched(
        switch=approvals.switch, local=HostChannel(), remote=people, plan=approvals.plan
    )


def build_standing(approvals: Approvals) -> Granted:
    """Build the lookup of grants that cover a call."""
    return Granted(
        grants=approvals.grants,
        seal=approvals.seal,
        operands=approvals.operands,
        redactor=approvals.shared.redactor,
        alarms=approvals.ledger.alarms,
    )


def build_recheck(settings: Settings) -> PreExecutionRecheck:
    """Build the check of an approved call right before it runs, outside the daemon."""
    return make_recheck(build_approvals(settings))


def make_recheck(approvals: Approvals) -> PreExecutionRecheck:
    """Return the check, right before it runs, of a call that these approvals allowed."""
    return PreExecutionRecheck(
        store=approvals.requests,
        execution_tokens=approvals.execution_tokens,
        seal=approvals.seal,
        operands=approvals.operands,
        use_s=approvals.plan.use_s,
    )


class LazyApprovals:
    """The people and grants of an installation; nothing is opened before the first question."""

    name = NAME

    def __init__(self, shared: SharedParts) -> None:
        self.shared = shared

    async def ask(self, request: Request) -> Answer | None:
        """Ask people on the channels that work in this process."""
        return await build_switched(self.approvals, self._people).ask(request)

    async def answer(self, request: Request) -> Answer | None:
        """Return the answer a grant gives, None if none covers this."""
        return await build_standing(self.approvals).answer(request)

    async def finish(self, request_id: str, *, has_failed: bool = False) -> bool:
        """Record the outcome of a call that people approved; False if it does not wait for one."""
        return await self._people.finish(request_id, has_failed=has_failed)

    def format_for_llm(self, tool: str) -> str:
        """Return the guidelines for a tool, and the global ones, as a list for a model."""
        return self.approvals.policies.format_for_llm(tool)

    @cached_property
    def approvals(self) -> Approvals:
        """The stores and services, built on first use."""
        return build_approvals(self.shared.settings, edits=EDITS_HERE, shared=self.shared)

    @cached_property
    def _people(self) -> PeopleChannel:
        channels: list[PushChannel] = []
        settings = self.shared.settings
        if ChannelName.TERMINAL in settings.channels:
            timeout_s = settings.limits.answer_timeout_s
            channels.append(
                TerminalChannel(
                    approval_service=self.approvals.approval_service, timeout_s=timeout_s
                )
            )
        return build_people(self.approvals, channels)
