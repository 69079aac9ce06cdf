"""Calls of Python programs: decided while the program waits on its connection.

POST /v1/calls            a `CallQuestion`; answered when it is decided
POST /v1/calls/outcome    a `CallOutcome`: how a call ended that people approved

A program that goes away stops waiting: its request stays open, and the same call, also of another
process, finds its answer. A question sent twice under one key is decided once.
"""

from __future__ import annotations

import time
from typing import Protocol

from starlette.requests import Request
from starlette.responses import Response

from signoff.actions.action import Action, ActionKind
from signoff.challenge.request import WaitBudget
from signoff.decide.decision import Decision
from signoff.errors import SignoffError
from signoff.frontends.decision_json import undecided_json
from signoff.frontends.payloads import parse_object
from signoff.frontends.python.wire import (
    CallQuestion,
    answer_json,
    read_outcome,
    read_question,
)
from signoff.frontends.results.gate_reviewer import GateReviewer
from signoff.frontends.server.idempotency import HeldAnswers
from signoff.frontends.server.project_runtimes import ProjectRuntime
from signoff.frontends.server.telemetry.metrics import Metrics
from signoff.frontends.server.wire.bodies import JSON, JsonAnswer, read_body, status_of
from signoff.frontends.server.wire.callers import ActionCaller
from signoff.serving.peer import PEER, Peer
from signoff.values import replace


class Outcomes(Protocol):
    """Port: records outcomes of approved calls."""

    async def finished(self, request_id: str, *, has_failed: bool, user: str = "") -> bool:
        """Record how the call of a request ended; False if it waits for no outcome."""


class Approved(Protocol):
    """Port: puts the end of approved calls on the record."""

    def approved(self, decision: Decision) -> None:
        """Remember a call that people approved until its end is reported."""

    def finished(self, request_id: str, *, has_failed: bool) -> None:
        """Record how the call of a request ended, if it is known."""


class CallParts(Protocol):
    """Port: what these routes need of the daemon."""

    @property
    def held(self) -> HeldAnswers:
        """Answers to questions that may be sent again."""

    @property
    def metrics(self) -> Metrics:
        """The daemon's counters."""

    @property
    def channels(self) -> Outcomes:
        """Records outcomes of approved calls."""

    @property
    def ran(self) -> Approved:
        """Puts the end of approved calls on the record."""

    def caller(self, peer: Peer | None, /) -> ActionCaller:
        """Return the user that a call is judged for.

        Args:
            peer: the process that connected.
        """

    async def runtime_for(
        self, action: Action, folder: str, caller: ActionCaller
    ) -> ProjectRuntime:
        """Return what decides about an action of a session in this folder."""

    async def wait_until_gone(self, request: Request) -> None:
        """Return once the caller has disconnected."""


async def decide_call(api: CallParts, request: Request) -> Response:
    """POST /v1/calls: decide about one call of a Python program."""
    try:
        caller = api.caller(request.scope.get(PEER))
        question = read_question(parse_object(await read_body(request)))
        question = replace(question, session=caller.session(question.session))
        digest = question.action.digest if question.key else ""
        async with api.held.turn(question.key):
            known = api.held.earlier(question.key, digest)
            if known is not None:
                return JsonAnswer(known)
            decision = await _decided(api, question, caller, request)
            api.ran.approved(decision)
            is_open = decision.answer is not None and decision.answer.is_open
            answer = answer_json(decision, is_open=is_open)
            # An open one is not kept: the same question sent later may find that people have
            # answered.
            if not is_open:
                api.held.keep(question.key, digest, answer)
            return JsonAnswer(answer)
    except SignoffError as error:
        api.metrics.failed(str(error))
        return Response(undecided_json(str(error)), status_of(error), media_type=JSON)
    except ValueError as error:
        # No canonical form, so nothing can be bound to it.
        return Response(undecided_json(f"call: {error}"), 400, media_type=JSON)


async def _decided(
    api: CallParts, question: CallQuestion, caller: ActionCaller, request: Request
) -> Decision:
    """Decide while the caller waits."""
    action, until = question.action, time.monotonic() + question.wait_s
    runtime = await api.runtime_for(action, action.cwd, caller)
    # The program has refused it already, so it is recorded and not judged.
    if question.refused and action.kind is ActionKind.RESULT:
        return await GateReviewer(runtime.gate_alone).withhold(action, question.refused)
    if question.refused:
        return await runtime.gate_alone.refuse(action, question.refused)
    gate = runtime.gate if question.can_prompt else runtime.gate_alone
    patience = WaitBudget(until=until, gone=lambda: api.wait_until_gone(request))
    return await gate.check(action, patience)


async def note_outcome(api: CallParts, request: Request) -> Response:
    """POST /v1/calls/outcome: record how a call that people approved ended."""
    try:
        outcome = read_outcome(parse_object(await read_body(request)))
        # Of a service that several users call, nobody ends the calls of another one.
        user = api.caller(request.scope.get(PEER)).name
        noted = await api.channels.finished(
            outcome.request, has_failed=outcome.has_failed, user=user
        )
        if noted:
            api.ran.finished(outcome.request, has_failed=outcome.has_failed)
    except SignoffError as error:
        return Response(undecided_json(str(error)), status_of(error), media_type=JSON)
    return JsonAnswer(b'{"noted":true}' if noted else b'{"noted":false}')
