"""Fakes and builders for tests of code that uses signoff: real behaviour, nothing recorded on disk.

gate = make_gate(leaning=Verdict.ASK, channels=[FakeChannel(approved())])
decision = gate.check_now(make_action("delete_user"))
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct, field

from signoff.actions.action import Action, ActionKind, Json
from signoff.actions.facts import Facts
from signoff.actions.operation import Operations
from signoff.actions.shell.command import Command
from signoff.assess.assessed import Assessed, AssessedRule
from signoff.assess.finding import Finding
from signoff.assess.level import Challenge, Level, challenge_of
from signoff.assess.risk.score import RiskScore
from signoff.assess.threat.score import ThreatLevel, ThreatScore
from signoff.assess.verdict import Verdict
from signoff.challenge.answer import Answer
from signoff.challenge.approval_service import ApprovalService
from signoff.challenge.channel import AnswerOutcome, Response
from signoff.challenge.extras import Extras
from signoff.challenge.ladder import Ladder
from signoff.challenge.pending import ClockReading, PendingRequest
from signoff.challenge.people.announcing import Announcer
from signoff.challenge.people.asking import PeopleChannel
from signoff.challenge.proofs.ledger import RequestLedger
from signoff.challenge.proofs.seal import Seal
from signoff.challenge.proofs.steps import TeachBackValidator, WordsOnly
from signoff.challenge.request import Channel, Request
from signoff.challenge.terms.approver import Approver, ApproverRole, Identity
from signoff.challenge.terms.binding import Operands, no_operands
from signoff.challenge.terms.plan import ApprovalPlan, ChannelTerms
from signoff.challenge.terms.step import Proof, ProofStep
from signoff.effects.dispatch import Effects, Handler
from signoff.effects.store import SessionKey, Store
from signoff.gate import Gate
from signoff.redaction.redact import Redactor
from signoff.storage.approvals.database import Database
from signoff.storage.approvals.requests import SqliteRequests
from signoff.storage.approvals.standing import SqliteGrants, SqlitePolicies
from signoff.storage.memory import MemoryStore
from signoff.sync import run_now
from signoff.values import replace

TEST_KEY = b"a key for tests only"


class FakeRuleName(Struct, frozen=True):
    """A rule that has nothing but a name."""

    name: str = "a rule"


class FakeRule(Struct, frozen=True, kw_only=True):
    """A rule that matched."""

    rule: FakeRuleName = field(default_factory=FakeRuleName)
    action: str = "deny"


class FakeAssessment(Struct, frozen=True, kw_only=True):
    """An assessment whose every field a test sets; the defaults ask at level LOW."""

    action: Action
    facts: Facts = field(default_factory=Facts)
    operations: Operations = ()
    commands: tuple[Command, ...] = ()
    rule: AssessedRule | None = None
    findings: tuple[Finding, ...] = ()
    threat: ThreatScore = field(default_factory=lambda: ThreatScore(0.0, ThreatLevel.NONE))
    risk: RiskScore = field(default_factory=lambda: RiskScore(value=0.0, factors=()))
    level: Level = Level.LOW
    preliminary: Verdict = Verdict.ASK
    challenge: Challenge = Challenge.CONFIRM
    reason: str = "a test wants it so"
    policy_digest: str = "0" * 64
    proof_because: str = "a test wants it so"


class FakeChannel(Struct):
    """A channel that always gives the same answer and records the requests it got."""

    answer: Answer | None = None
    name: str = "fake"
    requests: list[Request] = field(default_factory=list)

    async def ask(self, request: Request) -> Answer | None:
        """Record the request and return the preset answer, None if there is none."""
        self.requests.append(request)
        return self.answer


class StoreMemory(Struct):
    """Recalls a session's history from a store; reads no files."""

    store: Store

    async def recall(self, action: Action) -> Facts:
        """Return facts that hold only the session's history."""
        key = SessionKey(agent=action.agent, session=action.session)
        known = await self.store.remembered(key, action.tool)
        return Facts(
            prior_calls=known.prior_calls,
            acts=known.acts,
            written=known.written,
            downloaded=known.downloaded,
            built=known.built,
            created=known.created,
            moved=known.moved,
            secrets_read=known.secrets_read,
            denials=known.denials,
        )


def approved(*, decided_by: str = "fake", who: str = "ada") -> Answer:
    """Return an answer that allows.

    Args:
        decided_by: name of the channel.
        who: id of the approver.
    """
    return Answer(verdict=Verdict.ALLOW, decided_by=decided_by, who=who, channel="fake", took_s=4.0)


def refused(*, decided_by: str = "fake", who: str = "ada") -> Answer:
    """Return an answer that denies.

    Args:
        decided_by: name of the channel.
        who: id of the approver.
    """
    return Answer(verdict=Verdict.DENY, decided_by=decided_by, who=who, channel="fake", took_s=4.0)


def make_action(tool: str = "delete_user", *, session: str = "s1", **arguments: Json) -> Action:
    """Return an action that calls the function `tool` with these arguments."""
    return Action(
        tool=tool, arguments=arguments, kind=ActionKind.FUNCTION, agent="tester", session=session
    )


def make_gate(
    *,
    preliminary: Verdict = Verdict.ALLOW,
    level: Level = Level.LOW,
    channels: Sequence[Channel] = (),
    store: Store | None = None,
    handlers: Sequence[Handler] = (),
) -> Gate:
    """Return a gate whose judge gives every call the same preliminary verdict and level.

    Args:
        channels: asked in order if the verdict is `ask`; () = nobody.
        store: the audit log; None = one in memory.
    """
    kept = store or MemoryStore()

    def judge(action: Action, facts: Facts) -> Assessed:
        return FakeAssessment(
            action=action,
            facts=facts,
            preliminary=preliminary,
            level=level,
            challenge=challenge_of(level),
        )

    effects = Effects(kept, Redactor(TEST_KEY), handlers=handlers)
    return Gate(StoreMemory(kept), judge, ladder=Ladder(channels), effects=effects)


class FakePushChannel(Struct, kw_only=True):
    """A channel that records the requests it is told of and shows them to nobody.

    Args:
        error: raised by every `announce`; None = none.
    """

    name: str = "fake"
    error: Exception | None = None
    announced: list[PendingRequest] = field(default_factory=list)
    updated: list[PendingRequest] = field(default_factory=list)

    async def announce(self, pending: PendingRequest) -> None:
        """Record the request, or raise `error`."""
        if self.error is not None:
            raise self.error
        self.announced.append(pending)

    async def update(self, pending: PendingRequest) -> None:
        """Record the new state of a request."""
        self.updated.append(pending)


class FakeDirectory(Struct, frozen=True):
    """A directory for tests: each id is an approver who uses it on every channel."""

    approvers: tuple[Approver, ...]

    def find(self, identity: Identity) -> Approver | None:
        """Return the approver with this id, None if there is none."""
        return next((one for one in self.approvers if one.id == identity.id), None)

    def listed(self) -> tuple[Approver, ...]:
        """Return all approvers."""
        return self.approvers


class FakeClock(Struct):
    """A clock that only moves when a test moves it."""

    now: ClockReading = field(
        # Above zero on both: a time of 0 stands for none.
        default_factory=lambda: ClockReading(wall_s=1.8e9, running_s=5e3, boot_id="boot-1")
    )

    def __call__(self) -> ClockReading:
        """Return the time."""
        return self.now

    def pass_(self, seconds: float) -> None:
        """Move the wall clock and the running clock forward by some seconds."""
        self.now = ClockReading(
            wall_s=self.now.wall_s + seconds,
            running_s=self.now.running_s + seconds,
            boot_id=self.now.boot_id,
        )

    def set_wall(self, seconds: float) -> None:
        """Move only the wall clock, by so many seconds; negative = back."""
        self.now = replace(self.now, wall_s=self.now.wall_s + seconds)

    def reboot(self, *, after_s: float) -> None:
        """Simulate a restart: new boot id, and the running clock starts again.

        Args:
            after_s: seconds that pass on the wall clock meanwhile.
        """
        self.now = ClockReading(wall_s=self.now.wall_s + after_s, running_s=1.0, boot_id="boot-2")


class InMemoryApprovals(Struct, kw_only=True):
    """Everything people are asked with, in memory, on a clock that stands until it is set.

    Args:
        people: who may answer; each is known on every channel by their id.
    """

    plan: ApprovalPlan = field(
        default_factory=lambda: ApprovalPlan(channels=(ChannelTerms(name="fake"),))
    )
    people: tuple[Approver, ...] = (
        Approver(id="ada", role=ApproverRole.ADMIN),
        Approver(id="bob"),
        Approver(id="cyd"),
        Approver(id="vic", role=ApproverRole.VIEWER),
    )
    channel: FakePushChannel = field(default_factory=FakePushChannel)
    clock: FakeClock = field(default_factory=FakeClock)
    operands: Operands = no_operands
    seal: Seal = field(default_factory=lambda: Seal(TEST_KEY))
    database: Database = field(default_factory=Database)
    ledger: RequestLedger = field(default_factory=RequestLedger)
    validator: TeachBackValidator = field(default_factory=WordsOnly)
    _store: SqliteRequests | None = None

    @property
    def store(self) -> SqliteRequests:
        """The store of requests; every property call returns the same one."""
        if self._store is None:
            self._store = SqliteRequests(self.database, clock=self.clock, ledger=self.ledger)
        return self._store

    @property
    def grants(self) -> SqliteGrants:
        """The store of grants."""
        return SqliteGrants(self.database, clock=self.clock)

    @property
    def policies(self) -> SqlitePolicies:
        """The store of policies."""
        return SqlitePolicies(self.database, clock=self.clock)

    @property
    def approval_service(self) -> ApprovalService:
        """The service that checks and stores answers."""
        return ApprovalService(
            self.store,
            FakeDirectory(self.people),
            seal=self.seal,
            plan=self.plan,
            extras=Extras(grants=self.grants, policies=self.policies),
            validator=self.validator,
        )

    def asking(self, *, wait_s: float | None = None) -> PeopleChannel:
        """Return the channel of the ladder that asks people.

        Args:
            wait_s: seconds a call waits; None = as long as the request is open.
        """
        announcer = Announcer(store=self.store, plan=self.plan, channels=(self.channel,))
        return PeopleChannel(
            store=self.store,
            announcer=announcer,
            seal=self.seal,
            operands=self.operands,
            wait_s=wait_s,
        )

    def ask(self, request: Request, *, wait_s: float = 0.0) -> Answer | None:
        """Ask people and wait at most `wait_s` seconds; None if nobody answered.

        The cards shown are in `channel.announced`.
        """
        return run_now(self.asking(wait_s=wait_s).ask(request))

    def answer(self, response: Response) -> AnswerOutcome:
        """Give an answer and return whether it counted."""
        return run_now(self.approval_service.answer(response))


def make_request(
    *,
    level: Level = Level.MEDIUM,
    challenge: Challenge | None = None,
    operations: Operations = (),
    action: Action | None = None,
) -> Request:
    """Return an approval request about a call.

    Args:
        challenge: the proof to ask for; None = the usual one of the level.
        action: the call; None = a call of `delete_user`.
    """
    chosen = action or make_action(user_id="usr_123", env="production")
    assessment = FakeAssessment(
        action=chosen,
        level=level,
        challenge=challenge or challenge_of(level),
        operations=operations,
    )
    return Request(action=chosen, assessment=assessment)


def make_response(
    pending: PendingRequest,
    who: str = "ada",
    *,
    verdict: Verdict = Verdict.ALLOW,
    channel: str = "fake",
    proof: Proof | None = None,
) -> Response:
    """Return an answer to a request, with a valid proof for its next step.

    Args:
        who: id of the approver.
        proof: given instead of the valid one.
    """
    return Response(
        request_id=pending.id,
        nonce=pending.nonce,
        identity=Identity(channel, who),
        verdict=verdict,
        proof=proof if proof is not None else good_proof(pending.next_step, pending.code),
    )


def good_proof(step: ProofStep | None, code: str = "") -> Proof:
    """Return a proof that is valid for this step.

    Args:
        step: None = only the code is given.
        code: the confirmation code, "" for none.
    """
    if step is None:
        return Proof(code=code)
    words = f"this call would act on {' and '.join(step.terms)} for good and that is what we want"
    return Proof(
        choices=tuple(question.right for question in step.questions),
        text=f"{words} here today, I have read all of it",
        code=code,
    )
