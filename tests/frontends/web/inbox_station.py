"""The inbox with everything around it real: daemon, gate, approvals, store, approvers, sockets.

with running(folder) as station:
    ada = station.signed_in("ada")
    ada.get("/web/")
"""

from __future__ import annotations

import asyncio
import contextlib
import http.client
import json
import socket
import threading
import time
from collections.abc import Coroutine, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlencode

import uvicorn

from signoff.assess.level import Level
from signoff.build.gate import build_gate
from signoff.build.judge import build_programs, build_rules
from signoff.challenge.approval_service import ApprovalService
from signoff.challenge.extras import Extras
from signoff.challenge.ladder import Ladder
from signoff.challenge.pending import PendingRequest
from signoff.challenge.people.announcing import Announcer
from signoff.challenge.people.asking import PeopleChannel
from signoff.challenge.people.granted import Granted
from signoff.challenge.proofs.seal import Seal
from signoff.challenge.terms.approver import Approver, ApproverRole, Identity
from signoff.challenge.terms.plan import ApprovalPlan, ChannelTerms
from signoff.challenge.terms.step import ProofKind
from signoff.effects.admin_acts import record_act
from signoff.effects.costs import Costs
from signoff.effects.store import Origin
from signoff.frontends.learning.service import Learning
from signoff.frontends.server.api import ApiRoutes
from signoff.frontends.server.app import build_app
from signoff.frontends.server.idempotency import IdempotencyStore as Tickets
from signoff.frontends.server.project_runtimes import PolledValue, ProjectRuntime
from signoff.frontends.server.sessions import Sessions
from signoff.frontends.server.telemetry.metrics import Metrics
from signoff.frontends.server.wire.callers import ActionCaller
from signoff.frontends.server.wire.shield import Shield
from signoff.frontends.web.link import Claim, Links, link_of
from signoff.frontends.web.live import Live
from signoff.frontends.web.origin import WebOrigin
from signoff.frontends.web.passkeys.ceremonies import PasskeyCeremonies
from signoff.frontends.web.passkeys.store import PasskeyFile
from signoff.frontends.web.people import WebPeople
from signoff.frontends.web.questions import WebQuestions
from signoff.frontends.web.services import InboxServices, ProjectRules
from signoff.frontends.web.sign_ins.visitors import Visitors
from signoff.frontends.web.site import build_site, is_ours
from signoff.frontends.web.softening.softer_lines import SofterLines
from signoff.frontends.web.statistics.totals import RecordStatistics
from signoff.gate import Gate
from signoff.settings import Settings, load_settings
from signoff.storage.approvals.approver_file import ApproverFile
from signoff.storage.approvals.database import Database
from signoff.storage.approvals.open_requests import open_requests
from signoff.storage.approvals.requests import SqliteRequests
from signoff.storage.approvals.standing import SqliteGrants, SqliteMode, SqlitePolicies
from signoff.storage.costs.cost_file import CostFile
from signoff.storage.locks.lock_file import LockFile
from signoff.storage.sqlite import SqliteStore

MEDIUM = "docker system prune -af"
HIGH = "npm publish"
CRITICAL = {
    "function": "delete_all_users",
    "args": ["*"],
    "kwargs": {"table": "users", "database": "production"},
    "docstring": "Permanently deletes all users, irreversible, drops everything.",
    "hints": {"irreversible": True, "destructive": True},
}
KEY = b"an approver key of 32 bytes only"
LABEL = "signoff-0123456789abcdef"
TOKEN = "a token for tests only"
# Times of reading that a test can wait for; the proofs of a level are the real ones.
REVIEW_S = 0.4
PLAN = ApprovalPlan(
    channels=(ChannelTerms(name="web"),),
    answer_s=60.0,
    review_s=dict.fromkeys(Level, REVIEW_S),
    proof_review_s=dict.fromkeys(ProofKind, REVIEW_S),
)
PEOPLE = {
    "ada": ApproverRole.ADMIN,
    "bob": ApproverRole.APPROVER,
    "vic": ApproverRole.VIEWER,
    "aud": ApproverRole.AUDITOR,
}
WITHIN_S = 60.0
Value = TypeVar("Value")


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What came back."""

    status: int
    headers: http.client.HTTPMessage
    text: str

    @property
    def location(self) -> str:
        """Where it sends the browser."""
        return self.headers["location"] or ""

    @property
    def said(self) -> Any:  # noqa: ANN401 - any JSON value
        """The body as JSON."""
        return json.loads(self.text)


@dataclass(frozen=True, slots=True, kw_only=True)
class Browser:
    """Somebody who is signed in, without a browser's window."""

    station: Station
    cookie: str
    token: str

    def get(self, path: str, **headers: str) -> Reply:
        """Load a page."""
        return self.station.request("GET", path, headers={"Cookie": self._cookie, **headers})

    def post(self, path: str, **fields: str) -> Reply:
        """Send a form as the page's own script does."""
        return self.station.post(path, {"token": self.token, **fields}, {"Cookie": self._cookie})

    def answer(self, call: Call, answer: str, **fields: str) -> Reply:
        """Answer a request after having read it."""
        self.post(f"{call.page}/seen")
        time.sleep(REVIEW_S + 0.05)
        return self.answer_at_once(call, answer, **fields)

    def answer_at_once(self, call: Call, answer: str, **fields: str) -> Reply:
        """Answer a request."""
        given = {"nonce": call.request.nonce, "answer": answer, **fields}
        return self.post(f"{call.page}/answer", **given)

    @property
    def headers(self) -> dict[str, str]:
        """What it sends along with every request."""
        return {"Host": self.station.parts.origin.host, "Cookie": self._cookie}

    @property
    def _cookie(self) -> str:
        return f"{self.station.cookie_name}={self.cookie}"


@dataclass(slots=True, kw_only=True)
class Station:
    """A running inbox."""

    folder: Path
    port: int
    parts: InboxServices
    directory: ApproverFile
    store: SqliteStore
    database: Database
    loop: asyncio.AbstractEventLoop

    @property
    def origin(self) -> str:
        """The origin of its pages."""
        return self.parts.origin.address()

    @property
    def cookie_name(self) -> str:
        """The name of its cookie."""
        return self.parts.origin.cookie

    def now(self, work: Coroutine[Any, Any, Value]) -> Value:
        """Run something on the server's loop."""
        return asyncio.run_coroutine_threadsafe(work, self.loop).result(WITHIN_S)

    def request(
        self,
        method: str,
        path: str,
        body: bytes | None = None,
        *,
        headers: Mapping[str, str | bytes] | None = None,
    ) -> Reply:
        """Send a request just as it is given, pages by their own host unless another is."""
        page = {"Host": self.parts.origin.host} if is_ours(path.partition("?")[0]) else {}
        link = http.client.HTTPConnection("127.0.0.1", self.port, timeout=WITHIN_S)
        try:
            link.request(method, path, body, {**page, **(headers or {})})
            answer = link.getresponse()
            text = answer.read().decode()
            return Reply(status=answer.status, headers=answer.headers, text=text)
        finally:
            link.close()

    def post(self, path: str, fields: Mapping[str, str], headers: Mapping[str, str]) -> Reply:
        """Send a form from a page of this origin; `headers` add to it."""
        sent = {"Content-Type": "application/x-www-form-urlencoded", "Origin": self.origin}
        return self.request("POST", path, urlencode(fields).encode(), headers={**sent, **headers})

    def link(self, approver: str, *, made_by: str = "") -> str:
        """Return a one-time link for somebody."""
        claim = Claim(approver=approver, made_by=made_by or approver)
        return link_of(self.origin, self.parts.links.make(claim).link)

    def signed_in(self, approver: str, *, made_by: str = "") -> Browser:
        """Sign somebody in, by a link of their own or of somebody else."""
        code = self.link(approver, made_by=made_by).partition("#")[2]
        reply = self.post("/web/sign-in", {"code": code}, {})
        cookie = reply.headers["set-cookie"].partition("=")[2].partition(";")[0]
        return Browser(station=self, cookie=cookie, token=reply.said["token"])

    def ask(self, wanted: str | Mapping[str, Any], **names: object) -> Call:
        """Let an agent ask about a shell line or a call, and wait until the request stands."""
        before = self._ids()
        line = {"tool_name": "Bash", "tool_input": {"command": wanted}}
        call = line if isinstance(wanted, str) else dict(wanted)
        about = {"cwd": str(self.folder), "session_id": "s1"}
        body = json.dumps({**about, **call, **names}).encode()
        reply = self.request("POST", "/v1/actions", body, headers=self.program)
        assert reply.status == 202, reply.text
        wait_until(lambda: bool(self._ids() - before))
        number = reply.location.rpartition("/")[2]
        return Call(station=self, number=number, request_id=(self._ids() - before).pop())

    @property
    def program(self) -> dict[str, str]:
        """The headers a program sends."""
        return {"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json"}

    def _ids(self) -> set[str]:
        return {one.id for one in self.now(self.parts.requests.listed())}


@dataclass(slots=True, kw_only=True)
class Call:
    """A call that waits at the daemon."""

    station: Station
    number: str
    request_id: str

    def result(self, seconds: float = WITHIN_S) -> Any:  # noqa: ANN401 - any JSON value
        """Return what the agent is told."""
        path = f"/v1/actions/{self.number}?wait={seconds:g}"
        return self.station.request("GET", path, headers=self.station.program).said

    @property
    def request(self) -> PendingRequest:
        """Its request as it stands."""
        found = self.station.now(self.station.parts.requests.get(self.request_id))
        assert found is not None
        return found

    @property
    def page(self) -> str:
        """The page of its request."""
        return f"/web/requests/{self.request_id}"

    def right_choices(self) -> dict[str, str]:
        """Return the right answers to the quiz that is next."""
        step = self.request.next_step
        assert step is not None
        return {f"choice{at}": str(one.right) for at, one in enumerate(step.questions)}


@dataclass(frozen=True, slots=True, kw_only=True)
class OneGuard:
    """What decides for every project."""

    guard: ProjectRuntime
    problems: tuple[str, ...] = ()

    async def at(self, project: str, home: str = "") -> ProjectRuntime:
        """Return it."""
        return self.guard

    def in_force(self) -> list[dict[str, str | int]]:
        """Return nothing: the API's list is not what is tested here."""
        return []


@contextlib.contextmanager
def running(folder: Path, *, plan: ApprovalPlan = PLAN, port: int = 0) -> Iterator[Station]:
    """Run an inbox until the block ends."""
    tcp = socket.socket()
    tcp.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    tcp.bind(("127.0.0.1", port))
    station, app = build(folder, plan=plan, port=tcp.getsockname()[1])
    config = uvicorn.Config(
        app, log_level="critical", lifespan="off", ws="none", timeout_graceful_shutdown=2
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=_serve, args=(station.loop, server, tcp))
    thread.start()
    try:
        wait_until(lambda: server.started)
        yield station
    finally:
        station.loop.call_soon_threadsafe(station.parts.live.close)
        server.should_exit = True
        thread.join(WITHIN_S)
        tcp.close()
        station.store.close()
        station.database.close()


def _serve(loop: asyncio.AbstractEventLoop, server: uvicorn.Server, tcp: socket.socket) -> None:
    """Serve on a loop, then cut what still is connected, cancel what still waits and close it."""

    async def serve() -> None:
        await server.serve(sockets=[tcp])
        # Whoever connects while the server ends is not told to go: browsers do beforehand.
        for connection in tuple(server.server_state.connections):
            connection.transport.abort()
        tasks = asyncio.all_tasks() - {asyncio.current_task()}
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await loop.shutdown_default_executor()

    loop.run_until_complete(serve())
    loop.close()


def read_settings(folder: Path) -> Settings:
    """Read the settings of a folder as they are now."""
    names = {"SIGNOFF_CONFIG_DIR": "config", "SIGNOFF_STATE_DIR": "state"}
    return load_settings(environment={key: str(folder / name) for key, name in names.items()})


def build(folder: Path, *, plan: ApprovalPlan, port: int) -> tuple[Station, Any]:
    """Build an inbox on the files of a folder."""
    settings = Settings(
        config_dir=str(folder / "config"),
        state_dir=str(folder / "state"),
        home=str(folder),
    )
    store = SqliteStore(settings.record_file)
    database = Database(str(folder / "state" / "approvals.db"))
    requests, grants = SqliteRequests(database), SqliteGrants(database)
    directory = ApproverFile(str(folder / "config" / "approvers.json"))
    for name, role in PEOPLE.items():
        known = (Identity("terminal", f"uid:{name}"),)
        directory.add(Approver(id=name, name=name.title(), role=role, identities=known))
    people, policies = WebPeople(directory), SqlitePolicies(database)
    extras = Extras(grants=grants, policies=policies)
    approval_service = ApprovalService(requests, people, seal=Seal(KEY), plan=plan, extras=extras)
    live, sessions = Live(requests, lambda: open_requests(database)), Sessions()
    asking = PeopleChannel(
        store=requests,
        announcer=Announcer(store=requests, plan=plan, channels=(live,)),
        seal=Seal(KEY),
    )
    ladder = Ladder([asking], standing=Granted(grants=grants, seal=Seal(KEY)))
    rules = PolledValue(build_rules(settings))
    plain = build_gate(settings, channels=(), store=store, rules=rules, handlers=(sessions,))
    gate = Gate(plain.memory, plain.judge, ladder=ladder, effects=plain.effects, locks=plain.locks)
    guard = ProjectRuntime(
        gate=gate,
        gate_alone=gate,
        gate_again=gate,
        gate_again_alone=gate,
        settings=settings,
        rules=rules,
        programs=PolledValue(build_programs(settings)),
        signatures=(),
    )
    origin = WebOrigin(port, label=LABEL)
    parts = InboxServices(
        requests=requests,
        approval_service=approval_service,
        plan=plan,
        people=people,
        policies=policies,
        grants=grants,
        mode=SqliteMode(database),
        record=store,
        costs=Costs(CostFile(settings.costs_file), budget_cents=50),
        locks=LockFile(settings.locks_file),
        links=Links(),
        visitors=Visitors(),
        live=live,
        origin=origin,
        questions=WebQuestions(live.tell),
        statistics=RecordStatistics(store),
        passkeys=PasskeyCeremonies(PasskeyFile(str(folder / "config" / "passkeys.json")), origin),
        in_force=lambda: (ProjectRules(project="", pack="balanced", rules=rules.current()),),
        record_act=lambda act: record_act(store, act, Origin()),
        problems=lambda: (),
        sessions=sessions.listed,
        codes=asking.codes,
        softer=SofterLines(lambda: read_settings(folder)),
        learning=Learning(settings, store),
        version="0.1.0",
    )
    api = ApiRoutes(
        guards=OneGuard(guard=guard),  # type: ignore[arg-type]  # the part of it the API uses
        store=store,
        approval_service=Tickets(),
        sessions=sessions,
        metrics=Metrics(version="0.1.0"),
        locks=parts.locks,
        hosts={},
        caller=lambda _: ActionCaller(home=str(folder)),
        record=settings.record_file,
        openapi=dict,
    )
    shield = Shield(port=port, token=TOKEN, hosts={}, inbox=origin)
    station = Station(
        folder=folder,
        port=port,
        parts=parts,
        directory=directory,
        store=store,
        database=database,
        loop=asyncio.new_event_loop(),
    )
    return station, build_app(api, shield=shield, site=build_site(parts))


def wait_until(is_so: Any, seconds: float = WITHIN_S) -> None:  # noqa: ANN401 - any callable
    """Wait until something is so."""
    deadline = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < deadline, "it did not come to be in time"
        time.sleep(0.02)
