"""Asks people: stores a request, shows it on every channel that is asked now, and waits.

An approval counts only if this process accepted it in time, and if the call and the files it names
have not changed since. It works once. Without a clear answer the call is denied.

    people = PeopleChannel(store=store, announcer=announcer, seal=seal, operands=operands_of)
    answer = await people.ask(request)
"""

from __future__ import annotations

import asyncio
import contextvars
import json
import logging
import secrets
from collections.abc import Callable, Coroutine

from msgspec import Struct, field

from signoff.assess.verdict import Verdict
from signoff.challenge.answer import BY_TIMEOUT, NO_ANSWER, Answer, AnswerPart
from signoff.challenge.card import make_card
from signoff.challenge.pending import (
    MOST_WAITING,
    PendingRequest,
    PendingStore,
    RequestState,
    TooManyWaiting,
    WaitingLimits,
)
from signoff.challenge.people.announcing import Announcer, FollowedRequest, followed_request
from signoff.challenge.people.codes import ConfirmationCodes
from signoff.challenge.people.making import MakeCard, RequestMaker
from signoff.challenge.people.outcomes import UNKNOWN, CallOutcomes
from signoff.challenge.people.recheck import RECHECKED, ExecutionTokenStore
from signoff.challenge.people.waiting_calls import WaitingCalls
from signoff.challenge.proofs.ledger import SLACK_S
from signoff.challenge.proofs.seal import (
    CODED_CHANNEL,
    GRANT_PREFIX,
    Seal,
)
from signoff.challenge.request import Request, WaitBudget
from signoff.challenge.terms.binding import (
    Binding,
    Operands,
    digest_of_files,
    no_operands,
    unmatched_shape,
)
from signoff.challenge.terms.grant import GrantStore
from signoff.challenge.terms.redacted_requests import redacted_action_of
from signoff.redaction.redact import Redactor
from signoff.redaction.redacted_calls import restored
from signoff.values import replace

log = logging.getLogger(__name__)

NAME = "people"
DIGEST_BYTES = 32
LATER = "nobody has answered yet; the request stays open: call it again later"
ID_SHOWN = 8
GONE = "the caller went away; the request stays open, and the same call finds it"
VOIDED = (
    (RequestState.APPROVED, RequestState.EXPIRED),
    (RequestState.EXECUTING, RequestState.FAILED),
)
ROUNDS = 3  # an approval somebody else used up is asked for again, but not for ever


class PeopleChannel(Struct, frozen=True, kw_only=True):
    """A channel of the ladder: everybody who answers later.

    Args:
        wait_s: how long a call waits; None = as long as the request is open and its caller has
            patience. A wait that ends is no answer: the request stays open, and the same call
            finds it again.
        closes_s: how long an answered call waits for the cards to be brought up to date, where
            nothing goes on after it; 0 in a daemon.
        card: how cards are made, with secrets masked where they leave this machine.
        execution_tokens: stores the tokens for the check right before a call runs; None = no such
            check.
        codes: the confirmation codes of the requests opened here.
        waiting: bounds how many calls wait.
        grants: kept where answers are typed in another process.
        redactor: takes the secrets out of what is kept and shown; None where nothing leaves this
            process. What was asked stays in its memory, and a restart asks again.
    """

    store: PendingStore
    announcer: Announcer
    seal: Seal
    operands: Operands = no_operands
    wait_s: float | None = None
    closes_s: float = 2.0
    card: MakeCard = make_card
    execution_tokens: ExecutionTokenStore | None = None
    codes: ConfirmationCodes = field(default_factory=ConfirmationCodes)
    waiting: WaitingCalls = field(default_factory=lambda: WaitingCalls(WaitingLimits()))
    grants: GrantStore | None = None
    redactor: Redactor | None = None
    name: str = NAME
    _following: dict[str, asyncio.Task[None]] = field(default_factory=dict)

    async def ask(self, request: Request) -> Answer | None:
        """Ask the approvers whose turn it is and wait; None if nobody can be asked."""
        if not self.announcer.channels:
            return None
        action, is_held = request.action, request.patience.gone is not None
        try:
            with self.waiting.entered(action.source, action.session, is_held=is_held):
                return await self._asked(request)
        except TooManyWaiting as error:
            return replace(NO_ANSWER, words=str(error))

    async def _asked(self, request: Request) -> Answer | None:
        """Ask, again where the approval was used up by another call."""
        for _ in range(ROUNDS):
            id = await self._opened(request)
            if not id:
                return None
            # Only the id is kept while it waits: what is shown is read again when it is settled.
            pending, is_gone = await self._waited_for(id, request.patience)
            if is_gone or pending is None:
                return _unheard(id, GONE if is_gone else f"{LATER}{_by_hand(id)}")
            answer = await self._answer(request, pending)
            await self._close(pending)
            if answer is not None:
                return replace(answer, tries=await self.store.tries(id))
        return NO_ANSWER

    async def resume(self) -> tuple[PendingRequest, ...]:
        """After a restart, follow open requests again; return those that were executing.

        Their calls are marked uncertain, since their outcome is no longer reported.
        """
        uncertain = await self.store.recover()
        for pending in uncertain:
            log.warning(UNKNOWN, pending.id)
            self._keep(pending.id, self.announcer.update(pending))
        for pending in await self.store.listed(RequestState.PENDING, limit=MOST_WAITING):
            self._follow(pending)
        return uncertain

    async def finish(self, request_id: str, *, has_failed: bool = False, user: str = "") -> bool:
        """Record the outcome of an approved call; False if it does not wait for one.

        Args:
            user: system user whose call it must be; "" = any.
        """
        return await self.outcomes.finish(request_id, has_failed=has_failed, user=user)

    @property
    def _maker(self) -> RequestMaker:
        return RequestMaker(
            plan=self.announcer.plan,
            codes=self.codes,
            operands=self.operands,
            card=self.card,
            redactor=self.redactor,
            code_for=self.seal.code_for,
        )

    @property
    def outcomes(self) -> CallOutcomes:
        """Return the recorder of outcomes, with these cards and stores."""
        return CallOutcomes(store=self.store, announcer=self.announcer, redactor=self.redactor)

    async def _opened(self, request: Request) -> str:
        """Keep the request and tell the channels, unless the same is asked already.

        Returns its id, "" if nobody is there to be asked.
        """
        new, code = await self._maker.make(request)
        pending = await self.store.open(new, self._maker.steps_of(request))
        if pending.id == new.id:
            return await self._shown(pending, code)
        # The same call waits already: people are asked once (T-44).
        await self._show_joined(pending)
        return pending.id

    async def _show_joined(self, pending: PendingRequest) -> None:
        """Show a request of another node here as well: that node may have died, and its cards."""
        is_shown = not self.seal.is_shared or self.codes.of(pending.id)
        if is_shown or pending.state is not RequestState.PENDING:
            return
        code = self.seal.code_for(pending.id)
        self.codes.keep(pending.id, code)
        await self.announcer.announce(replace(pending, code=code))
        if pending.id not in self._following:
            self._follow(pending)

    async def _shown(self, pending: PendingRequest, code: str) -> str:
        """Tell the channels of a new request, and follow it; "" if nobody is there to be asked."""
        pending = replace(pending, code=code)
        self.codes.keep(pending.id, code)
        self.seal.learn(pending.id, code)
        # Withdrawn, not left open: the same call would join a request that nobody sees.
        if not await self.announcer.announce(pending):
            self.codes.drop(pending.id)
            await self.store.move(pending.id, RequestState.WITHDRAWN, start=RequestState.PENDING)
            return ""
        self._follow(pending)
        return pending.id

    async def open_decoy(self, request: Request, hide: Callable[[str], None]) -> str:
        """Show a test request that no agent made; return its id, "" if nobody can see it.

        Its digest matches no call, so an approval can let nothing through.

        Args:
            hide: called with the id before anybody can answer.
        """
        made, code = await self._maker.make(request)
        # Drawn, not left out: a daemon that was killed forgets that it is a decoy, and then an
        # approval for the session must cover no call; and its row looks like any other.
        shape = unmatched_shape(made.context.shape, secrets.token_hex(DIGEST_BYTES))
        context = replace(made.context, shape=shape)
        new = replace(made, digest=secrets.token_hex(DIGEST_BYTES), context=context)
        hide(new.id)
        return await self._shown(await self.store.open(new), code)

    def _follow(self, pending: PendingRequest) -> None:
        """Keep the cards up to date in the background."""
        self._keep(pending.id, self._followed(followed_request(pending)))

    async def _followed(self, followed: FollowedRequest) -> None:
        """Keep the cards of a request up to date until it is settled; then forget its code."""
        await self.announcer.follow(followed)
        self.codes.drop(followed.id)

    def _keep(self, request_id: str, telling: Coroutine[None, None, None]) -> None:
        """Notify the channels in the background."""
        # A context of its own: a copy would keep the caller's connection, which may be closed.
        task = asyncio.get_running_loop().create_task(telling, context=contextvars.Context())
        self._following[request_id] = task
        task.add_done_callback(lambda _: self._following.pop(request_id, None))

    async def _waited_for(
        self, id: str, patience: WaitBudget
    ) -> tuple[PendingRequest | None, bool]:
        """Wait until it is answered, it expires, or the caller's patience is at its end.

        Returns it as it is then, and whether the caller went away: what is approved then must not
        be used up for nobody.
        """
        # A second more, so that the wait ends by the request's own expiry.
        most_s = self.announcer.plan.answer_s + 1 if self.wait_s is None else self.wait_s
        timeout_s = patience.left_s(most_s)
        gone = None if patience.gone is None else asyncio.ensure_future(patience.gone())
        try:
            now = await self.store.wait(
                id, timeout_s=timeout_s, while_in=RequestState.PENDING, until=gone
            )
            return now, gone is not None and gone.done()
        finally:
            if gone is not None:
                gone.cancel()
                await asyncio.gather(gone, return_exceptions=True)

    async def _close(self, pending: PendingRequest) -> None:
        """Let the cards be brought up to date, where this process may end after the answer."""
        task = self._following.get(pending.id)
        if task is not None and self.closes_s and not pending.state.is_open:
            await asyncio.wait({task}, timeout=self.closes_s)

    async def _answer(self, request: Request, pending: PendingRequest) -> Answer | None:
        """Return what came of it; None if the approval was used up by another call."""
        match pending.state:
            case RequestState.APPROVED:
                return await self._use(request, pending)
            case RequestState.DENIED:
                return _answered(pending, Verdict.DENY)
            case RequestState.PENDING:
                return _unheard(pending.id, f"{LATER}{_by_hand(pending.id)}")
            case (
                RequestState.EXECUTING
                | RequestState.DONE
                | RequestState.FAILED
                | RequestState.UNCERTAIN
            ):
                return None
            case _:
                return _unheard(pending.id, NO_ANSWER.words)

    async def _use(self, request: Request, pending: PendingRequest) -> Answer | None:
        """Use an approval up, if it is one and still fits."""
        if not await asyncio.to_thread(self.seal.holds, pending):
            log.error(
                "request %s is approved in the store, but not by an approval service", pending.id
            )
            self.store.forged(pending.id)
            return await self._void(pending, "its approval was not given to signoff as it runs now")
        # By the answer's sealed time: the row's expiry could have been edited (T-61).
        age_s = self.store.moment().wall_s - pending.answers[-1].at_s
        if age_s > self.announcer.plan.use_s + SLACK_S:
            log.error("request %s was approved %.0f s ago, and has time left", pending.id, age_s)
            return await self._void(pending, "its approval is too old to be used")
        binding = await self._maker.binding(request)
        if binding.digest != pending.digest:
            log.error("request %s has changed since it was approved", pending.id)
            return await self._void(pending, "the call or a file it names has changed meanwhile")
        has_claimed = await self.store.move(
            pending.id, RequestState.EXECUTING, start=RequestState.APPROVED, digest=pending.digest
        )
        if not has_claimed:
            return None
        # After the row: one that was set back gets here again, but its seal is used up (T-33).
        if not await asyncio.to_thread(self.seal.claim, pending):
            log.error("the approval of request %s was used before", pending.id)
            return await self._void(pending, "its approval was used before")
        await asyncio.to_thread(self._take_over_grants, pending)
        answer = _answered(pending, Verdict.ALLOW)
        if answer.edited is not None and self.redactor is not None:
            answer = replace(answer, edited=restored(answer.edited, request.action, self.redactor))
        has_token = await asyncio.to_thread(self._leave_execution_token, pending, binding)
        return replace(answer, has_execution_token=has_token)

    def _take_over_grants(self, pending: PendingRequest) -> None:
        """Seal what was granted along with an answer typed elsewhere with the key of this process.

        It was sealed with the code of the request, which ends with it.
        """
        if self.grants is None or pending.answers[-1].channel != CODED_CHANNEL:
            return
        coded = self.seal.by_code(pending.id)  # slow on purpose
        if coded is None:
            return
        for grant in self.grants.listed():
            if coded.made(GRANT_PREFIX, grant.sealed, grant.seal):
                self.grants.seal(grant.id, self.seal.of_grant(*grant.sealed))

    def _leave_execution_token(self, pending: PendingRequest, binding: Binding) -> bool:
        """Have the call looked at once more where it runs, if that is wanted and can be done."""
        context = pending.context
        if (
            self.execution_tokens is None
            # What runs is then not what was asked about, and the token is bound to that.
            or pending.edited
            or (context.host, context.tool) not in RECHECKED
        ):
            return False
        operands = binding.operands
        if pending.action != binding.action.canonical_bytes:
            # Where it runs, the call is known as it was kept: without its secrets.
            operands = self.operands(redacted_action_of(binding.action, self.redactor))
        self.execution_tokens.leave(pending.id, digest_of_files(operands))
        return True

    async def _void(self, pending: PendingRequest, words: str) -> Answer:
        """End an approval that must not be used."""
        for start, to in VOIDED:
            await self.store.move(pending.id, to, start=start)
        return replace(NO_ANSWER, words=f"{words}: ask again", request_id=pending.id)


def _by_hand(id: str) -> str:
    """Say how the user answers it: the id names the request, and proves nothing."""
    return f" (the user can answer it: signoff allow-once {id[:ID_SHOWN]})"


def _unheard(id: str, words: str) -> Answer:
    """Return the refusal of a call that nobody has answered."""
    return replace(
        NO_ANSWER,
        words=words,
        request_id=id,
        decided_by=BY_TIMEOUT,
        is_open=words.startswith((LATER, GONE)),
    )


def _answered(pending: PendingRequest, verdict: Verdict) -> Answer:
    """Return the answer people gave."""
    answers = pending.answers
    last = answers[-1] if answers else None
    return Answer(
        verdict=verdict,
        decided_by=last.channel if last else BY_TIMEOUT,
        who=", ".join(given.approver for given in answers),
        channel=last.channel if last else "",
        took_s=last.took_s if last else 0.0,
        words=pending.words,
        request_id=pending.id,
        parts=tuple(
            AnswerPart(
                who=given.approver,
                channel=given.channel,
                proof=given.proof,
                took_s=given.took_s,
                was_fast=given.was_fast,
            )
            for given in answers
        ),
        edited=json.loads(pending.edited) if pending.edited else None,
    )
