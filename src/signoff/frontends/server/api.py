"""What the daemon answers: each route a method, each failure a refusal.

Doors translate and nothing else: the work is the gate's. A hook is answered in its host's own
form, whatever goes wrong, with status 200, as hosts take other answers for a broken hook.
"""

from __future__ import annotations

import math
import os
import time
from collections.abc import Callable, Mapping, Sequence
from urllib.parse import unquote_to_bytes

from msgspec import Struct, field
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from signoff.actions.action import Action
from signoff.challenge.request import WaitBudget
from signoff.effects.store import Store
from signoff.errors import BadPayload, SignoffError
from signoff.frontends.decision_json import decision_json, undecided_json
from signoff.frontends.hosts.adapter import Adapter, HostAnswer, Report
from signoff.frontends.hosts.results.answers import answer_unread, result_answer
from signoff.frontends.hosts.waits import answer_within_s
from signoff.frontends.payloads import parse_payload
from signoff.frontends.results.gate_reviewer import GateReviewer
from signoff.frontends.server.idempotency import (
    ActionTicket,
    HeldAnswers,
    IdempotencyStore,
    Key,
)
from signoff.frontends.server.people.ports import Channels, NoChannels
from signoff.frontends.server.people.ran_calls import RanCalls, told_edited
from signoff.frontends.server.people.stops import Stops, asks_its_user
from signoff.frontends.server.project_runtimes import ProjectRuntime, ProjectRuntimes
from signoff.frontends.server.sessions import Sessions
from signoff.frontends.server.telemetry.metrics import Metrics
from signoff.frontends.server.telemetry.readiness import Readiness
from signoff.frontends.server.telemetry.tracing import OFF, Tracing
from signoff.frontends.server.wire.action_answers import ActionAnswers
from signoff.frontends.server.wire.bodies import (
    JSON,
    JsonAnswer,
    gone,
    read_body,
    status_of,
    waiting_answer,
    while_there,
)
from signoff.frontends.server.wire.callers import STRANGER, ActionCaller
from signoff.frontends.server.wire.inspections import inspect_texts
from signoff.ids import new_id
from signoff.sections import ResultPolicy
from signoff.serving.peer import PEER, Agents, Peer
from signoff.storage.commits.waiting_outcomes import WaitingOutcomes
from signoff.storage.fs_probe.probe import HERE, FileProbe
from signoff.storage.fs_probe.project import find_project
from signoff.storage.locks.lock_file import LockFile
from signoff.values import replace

SOURCE = "http"
PROJECT_HEADER = "signoff-project"
PATH_HEADER = "signoff-path"
DEADLINE_HEADER = "signoff-deadline"
EXIT_HEADER = "signoff-exit"
ANSWER_WITHIN_S = 1.0  # what waits longer gets an id to ask with
WAIT_LIMIT_S = 60.0  # of one poll: who waits longer asks again


class ApiRoutes(Struct, frozen=True, kw_only=True):
    """The HTTP API's routes and what they need."""

    guards: ProjectRuntimes
    store: Store
    sessions: Sessions
    metrics: Metrics
    locks: LockFile
    hosts: Mapping[str, Adapter]
    caller: Callable[[Peer | None], ActionCaller]
    record: str
    openapi: Callable[[], dict[str, object]]
    record_problem: Callable[[], str] = str
    proof_problems: Callable[[], Sequence[str]] = tuple
    channels: Channels = field(default_factory=NoChannels)
    looking: FileProbe = HERE
    stops: Stops | None = None
    ran: RanCalls = field(default_factory=lambda: RanCalls(WaitingOutcomes()))
    approval_service: IdempotencyStore = field(default_factory=IdempotencyStore)
    answers: ActionAnswers = field(default_factory=ActionAnswers)
    held: HeldAnswers = field(default_factory=HeldAnswers)
    agents: Agents = field(default_factory=Agents)
    readiness: Readiness = field(default_factory=Readiness)
    tracing: Tracing = OFF

    async def act(self, request: Request) -> Response:
        """POST /v1/actions: decide about one action."""
        try:
            caller = self.caller(request.scope.get(PEER))
            call = parse_payload(await read_body(request), source=SOURCE)
            action = caller.action(call.action)
            guard = await self.runtime_for(action, action.cwd, caller)
            if not action.request_id and (answer := await self._settled(guard, action)):
                return JsonAnswer(answer)
            return await self._answer(self._take(guard, action, _digest(action)), ANSWER_WITHIN_S)
        except SignoffError as error:
            return Response(undecided_json(str(error)), status_of(error), media_type=JSON)

    async def wait(self, request: Request) -> Response:
        """GET /v1/actions/{id}: the decision, once there is one."""
        try:
            seconds = float(request.query_params.get("wait", "0"))
        except ValueError:
            seconds = math.nan
        if not 0 <= seconds <= WAIT_LIMIT_S:
            said = f"`wait` must be a number of seconds from 0 to {WAIT_LIMIT_S:g}"
            return Response(undecided_json(said), 400, media_type=JSON)
        number = request.path_params["id"]
        ticket = self.approval_service.find(number)
        try:
            if ticket is not None:
                return await self._answer(ticket, seconds)
            with self.metrics.waiting():
                found = await self.answers.found(number, seconds=seconds)
        except SignoffError as error:
            return Response(undecided_json(str(error)), status_of(error), media_type=JSON)
        if found is None:
            return Response(undecided_json("no action of that id is known"), 404, media_type=JSON)
        return JsonAnswer(found) if found else waiting_answer(number)

    async def hook(self, request: Request) -> Response:
        """POST /hooks/{host}: answer a host's hook in the host's own format."""
        adapter = self.hosts.get(request.path_params["host"])
        if adapter is None:
            return Response(undecided_json("no host of that name"), 404, media_type=JSON)
        within_s = answer_within_s(request.headers.get(DEADLINE_HEADER, ""), adapter.wait)
        until = time.monotonic() + within_s
        try:
            caller = self.caller(request.scope.get(PEER))
            event = caller.event(adapter.parse(await read_body(request)))
            if event.report is not None:
                self.sessions.reported(adapter.name, event.report)
                self.ran.reported(adapter.name, event.report)
                await self.channels.reported(adapter.name, event.report)
                after = self._after(adapter, event.report, request, until=until)
                return host_response(await while_there(after, request) or adapter.nothing)
            if event.call is None:
                raise BadPayload("the event is neither a call nor a report")
            self.agents.note((adapter.name, event.call.action.session), request.scope.get(PEER))
            action = replace(event.call.action, search_path=_header(request, PATH_HEADER))
            folder = _header(request, PROJECT_HEADER)
            guard = await self.runtime_for(action, folder or action.cwd, caller)
            gate = guard.gate_for(adapter)
            # A host that goes away stops waiting; what it asked stays open for its next call.
            patience = WaitBudget(until=until, gone=lambda: self.wait_until_gone(request))
            decision = await gate.check(action, patience)
            self.ran.decided(adapter.name, action, decision)
            if decision.allowed and decision.edited_from:
                return host_response(await told_edited(adapter, event, decision, gate=gate))
            left_s = until - time.monotonic()
            is_asked = decision.allowed and asks_its_user(action)
            if is_asked and (
                answered := await while_there(
                    self.channels.answer_for(action, within_s=left_s), request
                )
            ):
                return host_response(answered)
            return host_response(adapter.render(decision, guard.settings.hosts_allow))
        except SignoffError as error:
            self.metrics.failed(str(error))
            return host_response(adapter.failure(str(error)))

    async def wait_until_gone(self, request: Request) -> None:
        """Return once the caller of a waiting call has disconnected."""
        with self.metrics.waiting():
            await gone(request)

    async def _after(
        self, adapter: Adapter, report: Report, request: Request, *, until: float
    ) -> HostAnswer:
        """Answer a report: with words to an agent that has stopped, or about a result."""
        if report.output is not None:
            patience = WaitBudget(until=until, gone=lambda: self.wait_until_gone(request))
            return await self._of_result(adapter, report, patience)
        if self.stops is None or report.stop is None or adapter.go_on is None:
            return adapter.nothing
        try:
            guard = await self.guards.at(self.sessions.project_of(adapter.name, report.session))
            words = await self.stops.words_for(
                adapter.name, report, guard.settings.stops, within_s=until - time.monotonic()
            )
        except SignoffError as error:
            self.metrics.failed(str(error))
            return adapter.nothing
        return adapter.go_on(words) if words else adapter.nothing

    async def _of_result(
        self, adapter: Adapter, report: Report, patience: WaitBudget
    ) -> HostAnswer:
        """Answer about a result in which something was found, else with nothing."""
        policy = ResultPolicy.BLOCK
        try:
            project = self.sessions.project_of(adapter.name, report.session)
            guard = await self.guards.at(project)
            policy = guard.settings.host_results
            reviewer = GateReviewer(guard.gate_alone, patience)
            answer = await result_answer(adapter, report, reviewer, policy)
        except SignoffError as error:
            self.metrics.failed(str(error))
            answer = answer_unread(adapter, report, policy, error)
        return answer or adapter.nothing

    async def inspect(self, request: Request) -> Response:
        """POST /v1/inspections: find instructions to the model and secrets in texts."""
        try:
            judge = (await self.guards.at("")).gate.judge
            return JsonAnswer(await inspect_texts(await read_body(request), judge))
        except SignoffError as error:
            return Response(undecided_json(str(error)), status_of(error), media_type=JSON)

    async def listed_sessions(self, _: Request) -> Response:
        """GET /v1/sessions: the known sessions."""
        return JSONResponse({"sessions": self.sessions.listed(self.channels.waiting())})

    async def status(self, request: Request) -> Response:
        """GET /v1/status: what is in force; other users see no project."""
        is_stranger = request.scope.get(STRANGER, False)
        return JSONResponse(
            {
                "version": self.metrics.version,
                "pid": os.getpid(),
                "uptime_s": round(self.metrics.uptime_s, 1),
                "record": self.record,
                "decisions": self.metrics.decisions,
                "pending": sum(self.channels.waiting().values()),
                "sessions": len(self.sessions.listed()),
                "locks": [str(lock) for lock in self.locks.locks()],
                "in_force": [] if is_stranger else self.guards.in_force(),
                "channels": self.channels.status(),
                "mode": self.channels.mode().value,
                "notices": [*self.channels.naps],
                "problems": [
                    *self._refusing(),
                    *self.guards.problems,
                    *self.channels.problems,
                    *self.proof_problems(),
                ],
                "last_error": "" if is_stranger else self.metrics.last_error,
            }
        )

    def _refusing(self) -> tuple[str, ...]:
        """Say why every call is refused, if it is."""
        found = self.record_problem()
        return (f"every call is refused: {found}",) if found else ()

    async def described(self, _: Request) -> Response:
        """GET /openapi.json: the description of these routes."""
        return JSONResponse(self.openapi())

    async def runtime_for(
        self, action: Action, folder: str, caller: ActionCaller
    ) -> ProjectRuntime:
        """Return the runtime of the project that a session in this folder belongs to.

        Raises:
            SignoffError: settings or rules are not valid.
        """
        session = caller.project_session(action.session)
        project = self.sessions.project_of(action.source, session)
        if not project:
            home = caller.home
            found = await self.looking.taken(lambda: find_project(folder, home=home))
            project = self.sessions.begun_in(action.source, session, found.root)
        return await self.guards.at(project, caller.home if caller.name else "")

    async def _settled(self, guard: ProjectRuntime, action: Action) -> bytes | None:
        """Answer an action that nobody is asked about; None where somebody must be.

        Raises:
            BadPayload: the action has no canonical form; it was refused.
        """
        decision = await guard.gate.settle(action)
        if decision is None:
            return None
        if not decision.digest:
            raise BadPayload(decision.reason)
        number = new_id()
        answer = decision_json(decision, id=number)
        self.approval_service.keep(number, answer)
        return answer

    def _take(self, guard: ProjectRuntime, action: Action, digest: str) -> ActionTicket:
        """Take an action in; what is locked meanwhile gets no earlier answer.

        Raises:
            OtherAction: the request id was used for another action.
            IdempotencyStoreFull: too many actions wait.
        """
        key: Key | None = None
        if action.request_id and not self.locks.reason(action):
            key = (action.agent, action.session, action.request_id)

        async def decide(number: str) -> bytes:
            return await self.answers.decided(guard.gate, action, key=key, ticket=number)

        is_kept = self.answers.store is None
        return self.approval_service.take(key, digest, decide, is_kept=is_kept)

    async def _answer(self, ticket: ActionTicket, seconds: float) -> Response:
        with self.metrics.waiting():
            answer = await self.approval_service.wait(ticket, seconds=seconds)
        if answer is not None:
            return JsonAnswer(answer)
        return waiting_answer(ticket.id, ticket.key[2] if ticket.key else "")


def _header(request: Request, name: str) -> str:
    """Return what the hook's client says of its own process, "" if it says nothing."""
    return os.fsdecode(unquote_to_bytes(request.headers.get(name, "")))


def host_response(answer: HostAnswer) -> Response:
    """Return a hook's answer as an HTTP response, with the exit status in a header."""
    body = answer.stderr if answer.status else answer.stdout
    return Response(body, headers={EXIT_HEADER: str(answer.status)}, media_type=JSON)


def _digest(action: Action) -> str:
    try:
        return action.digest
    except (ValueError, TypeError, RecursionError) as error:
        raise BadPayload(f"the action has no canonical form: {error}") from error
