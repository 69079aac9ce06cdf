"""Takes the answers to pending requests, from all channels.

Who may answer, what they must prove, how long they must have read and whether they are in time is
told here and nowhere else; the store's compare-and-set has the last word. A refusal needs no
proof. Each answer ends in one sentence for whoever gave it.

    service = ApprovalService(store, directory, seal=Seal(key), plan=plan)
    outcome = await service.answer(Response(...))
"""

from __future__ import annotations

from msgspec import Struct

from signoff.actions.canonical import canonical
from signoff.assess.verdict import Verdict
from signoff.challenge.answer import FAST_TRY
from signoff.challenge.channel import AnswerOutcome, OutcomeKind, Response
from signoff.challenge.decoys.register import DecoyAnswer
from signoff.challenge.extras import Extras
from signoff.challenge.pending import Given, PendingRequest, PendingStore, RequestState, Settlement
from signoff.challenge.proofs.seal import Seal, is_code
from signoff.challenge.proofs.steps import (
    TeachBackValidator,
    WordsOnly,
    check_proof,
    is_empty,
    why_not_again,
)
from signoff.challenge.terms.approver import Approver, Directory, Identity
from signoff.challenge.terms.plan import ApprovalPlan, TooFast
from signoff.challenge.terms.step import ProofKind, ProofStep
from signoff.ids import is_same_secret
from signoff.values import replace

WORDS_LIMIT = 2_000


class _AnswerContext(Struct, frozen=True, kw_only=True):
    """One answer with everything it is judged by."""

    pending: PendingRequest
    approver: Approver
    response: Response
    step: ProofStep | None
    elapsed_s: float


class _Refused(Exception):
    """The answer is rejected; the message says why."""

    def __init__(self, kind: OutcomeKind, words: str) -> None:
        super().__init__(words)
        self.kind, self.words = kind, words


class ApprovalService:
    """Checks answers from all channels and stores those that count."""

    def __init__(
        self,
        store: PendingStore,
        directory: Directory,
        *,
        seal: Seal,
        plan: ApprovalPlan,
        extras: Extras | None = None,
        validator: TeachBackValidator | None = None,
    ) -> None:
        self.store = store
        self.directory = directory
        self.seal = seal
        self.plan = plan
        self.extras = extras or Extras()
        self.validator = validator or WordsOnly()

    async def open(self, request_id: str, identity: Identity) -> AnswerOutcome:
        """Record that a person opened the card; the outcome's `step` is their next proof."""
        pending = await self.store.get(request_id)
        if pending is None:
            return AnswerOutcome(kind=OutcomeKind.UNKNOWN, words="there is no such request")
        approver = self.directory.find(identity)
        if approver is None:
            return _outcome(OutcomeKind.NOT_ALLOWED, f"`{identity}` is no approver", pending)
        if not pending.state.is_open:
            return _settled(pending)
        await self.store.shown(request_id, approver.id)
        return _outcome(OutcomeKind.PROOF_WANTED, _wanted(pending.next_step), pending)

    async def answer(self, response: Response) -> AnswerOutcome:
        """Check and store an answer; the outcome says whether it counted."""
        pending = await self.store.get(response.request_id)
        # By the nonce, as an id alone stands in logs and lists: only who was sent the card has it.
        if pending is None or not is_same_secret(pending.nonce, response.nonce):
            words = "this card is not known here: it is old, or a copy"
            return AnswerOutcome(kind=OutcomeKind.UNKNOWN, words=words)
        try:
            case = self._case(pending, response)
            # A refusal takes no proof, no code and no time: saying no is never made hard.
            if response.verdict is not Verdict.ALLOW:
                return await self._deny(case)
            await self._check(case)
            return await self._approve(case, await self._read_for(case))
        except _Refused as refused:
            return _outcome(refused.kind, refused.words, pending)

    def _case(self, pending: PendingRequest, response: Response) -> _AnswerContext:
        """Find the approver and the step the answer is for."""
        approver = self.directory.find(response.identity)
        # Also for a refusal: anybody could otherwise end everybody's requests.
        if approver is None or not approver.role.may_answer:
            words = f"`{response.identity}` may not answer; `signoff approvers list` shows who may"
            raise _Refused(OutcomeKind.NOT_ALLOWED, words)
        if not pending.state.is_open:
            told = _settled(pending)
            raise _Refused(told.kind, told.words)
        return _AnswerContext(
            pending=pending,
            approver=approver,
            response=response,
            step=pending.next_step,
            elapsed_s=self.store.moment().since(pending.created),
        )

    async def _deny(self, case: _AnswerContext) -> AnswerOutcome:
        """Deny the request: anybody who may answer can, without proof or reading time."""
        took_s = await self._took_s(case)
        if self.extras.decoys.holds(case.pending.id):
            return await self._answer_decoy(case, took_s)
        settlement = self._settlement(case, RequestState.DENIED, took_s=took_s, words=_words(case))
        return await self._settle(case, settlement)

    async def _check(self, case: _AnswerContext) -> None:
        """Check everything that an approval needs but time."""
        # Who may answer here comes first: nobody else learns whether a code or a proof is right.
        self._check_place(case)
        pending, step, proof = case.pending, case.step, case.response.proof
        # Each process of this user can write the file: earlier answers count by their seals only.
        if step is None or not self.seal.holds_so_far(pending):
            self.store.forged(pending.id)
            words = "the answers so far were not given to this daemon: deny it and ask again"
            raise _Refused(OutcomeKind.NOT_ALLOWED, words)
        if again := why_not_again(pending, case.approver, let_in_by=case.response.let_in_by):
            raise _Refused(OutcomeKind.NOT_ALLOWED, again)
        # Before the code and the proof are looked at, so that guessing ends.
        if await self.store.misses(pending.id, self._tried_as(case)) >= self.plan.tries:
            words = "too many wrong answers: somebody else must answer this one"
            raise _Refused(OutcomeKind.NOT_ALLOWED, words)
        if case.response.identity.channel in self.plan.coded and not is_code(proof.code, pending):
            await self.store.missed(pending.id, self._tried_as(case))
            words = (
                "wrong confirmation code: enter the one shown where you were asked, or on the"
                " request's page in the inbox (`signoff open`);"
                f" `{pending.card.code}` is the digest, not the confirmation code"
            )
            raise _Refused(OutcomeKind.WRONG_PROOF, words)
        # Opening the dialog is no wrong answer; from here on its time of reading counts.
        if is_empty(step, proof):
            await self.store.shown(pending.id, case.approver.id)
            raise _Refused(OutcomeKind.PROOF_WANTED, _wanted(step))
        wrong = check_proof(step, proof)
        if not wrong and step.kind is ProofKind.TEACH_BACK:
            # Last: it may ask a model, which costs time and money.
            wrong = await self.validator.validate(proof.text, step, pending.card.headline)
        if wrong:
            await self.store.missed(pending.id, self._tried_as(case))
            await self.store.tried(pending.id, case.approver.id, step.kind.value)
            raise _Refused(OutcomeKind.WRONG_PROOF, wrong)

    def _tried_as(self, case: _AnswerContext) -> str:
        """Return whom wrong proofs are counted for.

        Where a code says who speaks, an agent of the same user can speak as its owner: wrong
        proofs there take no tries away elsewhere.
        """
        channel = case.response.identity.channel
        return f"{channel}:{case.approver.id}" if channel in self.plan.coded else case.approver.id

    def _check_place(self, case: _AnswerContext) -> None:
        """Check that this person and this channel may approve it now.

        Raises:
            _Refused: they may not; the message says why.
        """
        pending, channel = case.pending, case.response.identity.channel
        now_s = self.store.moment().wall_s
        if others := self.plan.why_not(case.approver, case.elapsed_s, now_s):
            raise _Refused(OutcomeKind.NOT_ALLOWED, others)
        if not self.plan.is_asked(channel, pending.level, case.elapsed_s):
            # Its card may still stand there, and a late tap must not go past those who are asked
            # now.
            words = f"`{channel}` may not approve it any more: others are asked now"
            raise _Refused(OutcomeKind.NOT_ALLOWED, words)
        channels = (channel, *(given.channel for given in pending.answers))
        is_last = len(pending.answers) + 1 >= len(pending.steps)
        # One strong channel among the answers is enough; the last answer must not settle without.
        strong = (self.plan.terms_of(one).settles_up_to >= pending.level for one in channels)
        if is_last and not any(strong):
            words = f"`{channel}` may not settle what is {pending.level.value} alone"
            raise _Refused(OutcomeKind.NOT_ALLOWED, words)
        if case.response.edited is not None and not (
            pending.context.may_edit and len(pending.steps) == 1
        ):
            words = "the arguments cannot be changed here: refuse it, and say what is wanted"
            raise _Refused(OutcomeKind.NOT_ALLOWED, words)

    async def _read_for(self, case: _AnswerContext) -> float:
        """Return how long the card was read; refuse what is too fast, if so configured."""
        took_s = await self._took_s(case)
        if _is_fast(case, took_s) and self.plan.too_fast is TooFast.REFUSE:
            least_s = case.step.min_review_s if case.step else 0.0
            words = f"too fast: read it for {least_s:g} seconds first"
            await self.store.tried(case.pending.id, case.approver.id, FAST_TRY)
            raise _Refused(OutcomeKind.TOO_FAST, words)
        return took_s

    async def _took_s(self, case: _AnswerContext) -> float:
        """Return the seconds from the card being shown to the answer."""
        # Not seen by this person as far as we know: the time since it was asked is the most it can
        # be.
        seen_s = await self.store.seen_s(case.pending.id, case.approver.id)
        return max(0.0, case.elapsed_s if seen_s is None else seen_s)

    async def _approve(self, case: _AnswerContext, took_s: float) -> AnswerOutcome:
        """Count the approval; the last one settles the request."""
        if self.extras.decoys.holds(case.pending.id):
            return await self._answer_decoy(case, took_s)
        is_last = len(case.pending.answers) + 1 >= len(case.pending.steps)
        edited = case.response.edited
        settlement = self._settlement(
            case,
            RequestState.APPROVED if is_last else RequestState.PENDING,
            took_s=took_s,
            words=_words(case),
            edited=b"" if edited is None else canonical(edited),
        )
        outcome = await self._settle(case, settlement)
        # A grant or a policy comes with the last answer only: the others may still refuse.
        if outcome.kind is not OutcomeKind.APPROVED:
            return outcome
        added = await self.extras.add(
            case.pending,
            case.response,
            author=case.approver.id,
            seal=self.seal.for_answer(case.pending.id, case.response.proof.code),
            now_s=self.store.moment().wall_s,
        )
        return replace(outcome, words=f"{outcome.words}{added}")

    async def _answer_decoy(self, case: _AnswerContext, took_s: float) -> AnswerOutcome:
        """Settle a decoy as a denial, whatever was answered, and say what it was."""
        is_fast = case.response.verdict is Verdict.ALLOW and _is_fast(case, took_s)
        answer = DecoyAnswer(
            approver=case.approver.id,
            channel=case.response.identity.channel,
            verdict=case.response.verdict,
            took_s=took_s,
            was_fast=is_fast,
        )
        # Before the store: whoever waits for it to be settled finds the answer.
        self.extras.decoys.answered(case.pending.id, answer)
        # Of an approval nothing is kept: no words for an agent, no edit, no grant, no policy.
        settlement = self._settlement(case, RequestState.DENIED, took_s=took_s, words="")
        outcome = await self._settle(case, settlement)
        is_settled = outcome.kind is OutcomeKind.DENIED
        return replace(outcome, words=answer.told) if is_settled else outcome

    def _settlement(
        self,
        case: _AnswerContext,
        to: RequestState,
        *,
        took_s: float,
        words: str,
        edited: bytes = b"",
    ) -> Settlement:
        """Build the change for the store, sealed."""
        pending, response = case.pending, case.response
        is_approval = to is not RequestState.DENIED
        given = Given(
            step=len(pending.answers),
            approver=case.approver.id,
            channel=response.identity.channel,
            verdict=(Verdict.ALLOW if is_approval else Verdict.DENY).value,
            proof=case.step.kind.value if case.step and is_approval else "",
            words=words,
            took_s=took_s,
            was_fast=is_approval and _is_fast(case, took_s),
            at_s=self.store.moment().wall_s,
        )
        seal = self.seal.for_answer(pending.id, response.proof.code)
        given = replace(given, seal=seal.of_answer(pending, given, to, edited))
        return Settlement(given=given, to=to, words=words, edited=edited, use_s=self.plan.use_s)

    async def _settle(self, case: _AnswerContext, settlement: Settlement) -> AnswerOutcome:
        """Store the answer and return its outcome."""
        # Bound to the digest that was shown: a request changed on disk meanwhile is not settled.
        done = await self.store.settle(case.pending.id, settlement, digest=case.pending.digest)
        # Read again in any case: whoever lost the race is told who was first (T-32).
        now = await self.store.get(case.pending.id) or case.pending
        if not done:
            if now.state.is_open:
                words = "somebody else answered in this moment; look at the request again"
                return _outcome(OutcomeKind.ALREADY, words, now)
            return _settled(now)
        match settlement.to:
            case RequestState.DENIED:
                self.extras.decoys.note(now, case.response.identity.channel)
                return _outcome(OutcomeKind.DENIED, "denied; the agent is told", now)
            case RequestState.APPROVED:
                self.extras.decoys.note(now, case.response.identity.channel)
                return _outcome(OutcomeKind.APPROVED, "approved", now)
            case _:
                words = f"your part is done; next somebody else must give: {_name(now.next_step)}"
                return _outcome(OutcomeKind.STEP, words, now)


def _words(case: _AnswerContext) -> str:
    """Return what was written, and by whose leave where somebody else signed them in."""
    words, by = case.response.words[:WORDS_LIMIT], case.response.let_in_by
    return f"{words} [signed in by {by}]".strip() if by else words


def _is_fast(case: _AnswerContext, took_s: float) -> bool:
    """Tell whether the card cannot have been read in that time."""
    return case.step is not None and took_s < case.step.min_review_s


def _outcome(kind: OutcomeKind, words: str, pending: PendingRequest) -> AnswerOutcome:
    step = pending.next_step if pending.state.is_open else None
    return AnswerOutcome(kind=kind, words=words, pending=pending, step=step)


def _settled(pending: PendingRequest) -> AnswerOutcome:
    """Say how a request that is not open any more was settled."""
    match pending.state:
        case RequestState.EXPIRED:
            return _outcome(OutcomeKind.TOO_LATE, "too late: the request has expired", pending)
        case RequestState.WITHDRAWN:
            return _outcome(OutcomeKind.TOO_LATE, "too late: it is not asked any more", pending)
        case RequestState.DENIED:
            words = f"already denied by {pending.decided_by} on {pending.channel}"
        case _:
            words = f"already approved by {pending.decided_by} on {pending.channel}"
    return _outcome(OutcomeKind.ALREADY, words, pending)


def _wanted(step: ProofStep | None) -> str:
    return f"this needs a proof: {_name(step)}"


def _name(step: ProofStep | None) -> str:
    return step.kind.value if step else "nothing"
