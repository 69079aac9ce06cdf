"""What pages work with; the code that builds the daemon hands it in.

InboxServices(requests=requests, approval_service=approval_service, people=people, ...)
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Protocol

from msgspec import Struct, field

from signoff.assess.rules.rule import RuleSet
from signoff.challenge.channel import AnswerIntake
from signoff.challenge.pending import PendingStore
from signoff.challenge.people.codes import ConfirmationCodes
from signoff.challenge.terms.approver import Directory
from signoff.challenge.terms.grant import GrantStore
from signoff.challenge.terms.mode import ModeSwitch
from signoff.challenge.terms.plan import ApprovalPlan
from signoff.challenge.terms.policy import PolicyStore
from signoff.effects.admin_acts import AdminAct
from signoff.effects.costs import Costs
from signoff.frontends.learning.service import Learning
from signoff.frontends.web.link import Links
from signoff.frontends.web.live import Live
from signoff.frontends.web.oidc.sign_in import OidcSignIn
from signoff.frontends.web.origin import WebOrigin
from signoff.frontends.web.passkeys.ceremonies import PasskeyCeremonies
from signoff.frontends.web.questions import WebQuestions
from signoff.frontends.web.sign_ins.request_links import RequestLinks
from signoff.frontends.web.sign_ins.visitors import Visitors
from signoff.frontends.web.softening.softer_lines import SofterLines
from signoff.frontends.web.statistics.totals import RecordStatistics
from signoff.storage.chain import VerifyResult
from signoff.storage.confirmed.in_force import InForce
from signoff.storage.confirmed.trust_control import TrustControl
from signoff.storage.locks.lock_file import LockFile
from signoff.storage.reading import Readable


class InboxRecord(Readable, Protocol):
    """Port: the audit log, as far as pages read it."""

    def verify(self) -> VerifyResult:
        """Check the whole hash chain."""


class ProjectRules(Struct, frozen=True, kw_only=True):
    """The rules of one project; its root is "" for rules outside projects."""

    project: str
    pack: str
    rules: RuleSet


class InboxServices(Struct, frozen=True, kw_only=True):
    """The services that pages of the web inbox use.

    Args:
        questions: questions of agents that wait for a text, not for an approval.
        passkeys: of those who sign in or approve what is critical by one.
        statistics: counts over the record, for charts.
        codes: confirmation codes for `signoff approve`, shown to those who could approve here
            too.
        people: who may sign in; the approval service must use the same ids.
        request_links: from messages to requests, for who has a passkey here; None where no name
            lasts.
        oidc: signs people in at a provider; None where none is configured.
        softer: tries and writes softer policy lines; None where settings are not to be changed.
        learning: proposes and writes learned rules.
        trust: shows trust in agents, and takes incidents.
        record_act: writes down what somebody changes of signoff itself, before it is changed.
        tenant: whose requests and record these are, in a store of several; "" = the default one.
        in_force, problems, sessions: what the daemon knows of rules and sessions.
        notices: what everybody should know and is no problem, as a nap.
    """

    requests: PendingStore
    approval_service: AnswerIntake
    plan: ApprovalPlan
    people: Directory
    policies: PolicyStore
    grants: GrantStore
    mode: ModeSwitch
    record: InboxRecord
    costs: Costs
    locks: LockFile
    links: Links
    visitors: Visitors
    live: Live
    origin: WebOrigin
    questions: WebQuestions
    statistics: RecordStatistics
    passkeys: PasskeyCeremonies
    record_act: Callable[[AdminAct], Awaitable[None]]
    in_force: Callable[[], Sequence[ProjectRules]]
    problems: Callable[[], Sequence[str]]
    sessions: Callable[[], Sequence[Mapping[str, str | int | float]]]
    notices: Callable[[], Sequence[str]] = tuple
    in_force_changes: InForce | None = None
    softer: SofterLines | None = None
    oidc: OidcSignIn | None = None
    request_links: RequestLinks | None = None
    learning: Learning | None = None
    trust: Callable[[], TrustControl] | None = None
    codes: ConfirmationCodes = field(default_factory=ConfirmationCodes)
    version: str = ""
    tenant: str = ""
