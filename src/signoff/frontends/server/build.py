"""Settings in, a daemon out: its record, channels and inbox, the gates of its projects, its routes.

It is above all it builds. What stands below the frontends, the gate and its parts, is built by
`signoff/build/`.

    daemon = Daemon(settings, places)
    build_app(daemon.api, shield=shield, site=daemon.site)
"""

from __future__ import annotations

import logging
import os
from collections.abc import Sequence
from datetime import date
from importlib import metadata

from starlette.routing import Route
from starlette.types import ASGIApp

import signoff
from signoff.actions.action import Action
from signoff.assess.assessed import Assessed
from signoff.build.approvals import Approvals, make_recheck
from signoff.build.gate import build_gate_parts, build_trust, with_trust
from signoff.build.shared import SharedParts
from signoff.build.stores import build_daemon_record, record_shown
from signoff.challenge.approval_service import ApprovalService
from signoff.challenge.channel import PushChannel
from signoff.challenge.channels.console import open_console
from signoff.challenge.pending import PendingRequest
from signoff.challenge.terms.approver import Identity
from signoff.challenge.words.asking import QuestionChannel
from signoff.effects.admin_acts import act_recorder
from signoff.frontends.auditing.checkpoint_watch import build_checkpoints
from signoff.frontends.auditing.push_kinds import build_pushes
from signoff.frontends.client.places import Places
from signoff.frontends.fleet.daemon_bundle import DaemonBundle
from signoff.frontends.hosts.registry import ADAPTERS
from signoff.frontends.learning.service import Learning
from signoff.frontends.mcp.adapter import MCP_ADAPTERS
from signoff.frontends.server.api import ApiRoutes
from signoff.frontends.server.app import ENDPOINTS
from signoff.frontends.server.inbox_sites import Inbox, build_inbox_sites
from signoff.frontends.server.openapi.description import describe
from signoff.frontends.server.people.channel_manager import ChannelManager
from signoff.frontends.server.people.context import OwnChannels
from signoff.frontends.server.people.decoys import DecoyParts, Decoys
from signoff.frontends.server.people.events import LifecycleEvents
from signoff.frontends.server.people.ran_calls import RanCalls
from signoff.frontends.server.people.stops import Stops
from signoff.frontends.server.project_runtimes import ProjectRuntimes
from signoff.frontends.server.sessions import Session, Sessions
from signoff.frontends.server.telemetry.build_tracing import build_tracing
from signoff.frontends.server.telemetry.logs import DecisionLog, open_log
from signoff.frontends.server.telemetry.metrics import Metrics
from signoff.frontends.server.telemetry.readiness import Readiness
from signoff.frontends.server.wire.action_answers import ActionAnswers
from signoff.frontends.server.wire.callers import RECHECKS, ActionCaller, AgentUsers, caller_of
from signoff.frontends.server.wire.changes import Changes
from signoff.frontends.server.wire.seals import Rechecks, Seals
from signoff.frontends.server.wire.signing_in import SigningIn
from signoff.frontends.server.wire.switches.overseeing import Overseeing
from signoff.frontends.server.wire.switches.routes import AdminSwitches
from signoff.frontends.server.wire.tool_alerts import ToolAlerts
from signoff.frontends.web.link import Links
from signoff.frontends.web.live import Live
from signoff.frontends.web.oidc.building import build_oidc
from signoff.frontends.web.passkeys.ceremonies import PasskeyCeremonies
from signoff.frontends.web.passkeys.store import FILE as PASSKEYS
from signoff.frontends.web.passkeys.store import PasskeyFile
from signoff.frontends.web.people import WebPeople
from signoff.frontends.web.questions import WebQuestions
from signoff.frontends.web.services import InboxServices, ProjectRules
from signoff.frontends.web.sign_ins.building import build_sign_ins
from signoff.frontends.web.softening.softer_lines import SofterLines
from signoff.frontends.web.statistics.totals import RecordStatistics
from signoff.serving.peer import Peer
from signoff.settings import ChannelName, Settings, load_settings
from signoff.storage.commits.waiting_outcomes import WaitingOutcomes, load_outcomes
from signoff.storage.confirmed.trust_control import TrustControl
from signoff.storage.fs_probe.mounts import Mounts
from signoff.storage.fs_probe.offloaded import OffloadedProbe
from signoff.storage.fs_probe.probe import FileProbe
from signoff.storage.locks.lock import Lock
from signoff.storage.locks.lock_file import LockFile
from signoff.values import replace

log = logging.getLogger(__name__)

PAGE_FILE = "open-inbox.html"


class Daemon:
    """Builds and holds everything a daemon serves.

    Args:
        settings: those of the user, with the port that is listened on.
        places: where its files are; the token is made there if there is none.
        continuity: names the port's sockets where they outlive this process, else "".

    Raises:
        StoreError: the key of this installation cannot be made or read.
    """

    def __init__(self, settings: Settings, places: Places, *, continuity: str = "") -> None:
        self.settings, self.shared = settings, SharedParts(settings)
        self.metrics = Metrics(version=metadata.version("signoff"))
        # As early as it can be, so that what fails below is in it.
        open_log(places.log, self.shared.redactor, tell=self.metrics.failed, target=settings.log.to)
        self.tracing = build_tracing(settings)
        self.outcomes, self._continuity = WaitingOutcomes(), continuity
        load_outcomes(self.outcomes, places.outcomes)
        self.record = build_daemon_record(settings, self.outcomes)
        self.metrics.commits = self.record.commit.counts
        self.agent_users = AgentUsers(places.state) if places.is_service else None
        self.locks = LockFile(settings.locks_file, held=self._held_locks)
        self.sessions = self._build_sessions(places)
        self.checkpoints = build_checkpoints(settings, self.record.history)
        self.shared.log_state = self.checkpoints.short
        self.pushes = build_pushes(settings, self.record.history)
        self.events = LifecycleEvents(settings, self.shared.redactor, self.tracing.gate)
        self.inbox: Inbox | None = None
        self.console = open_console()
        self.learning = Learning(settings, self.record.history, tell=self._tell)
        self.remote, mounts = self._build_channels(), Mounts()
        in_force, history = self.remote.in_force, self.record.history
        self.trust = build_trust(settings, history, in_force.marks, in_force.answers)
        gates = build_gate_parts(
            self.shared,
            store=self.tracing.store(self.record.commit),
            handlers=(
                *(self.metrics, self.sessions, self.learning.withdrawing, self.events.decided),
                self.tracing.decided,
                *((DecisionLog(self.tracing.trace_id),) if settings.log.decisions else ()),
                *((self.trust,) if self.trust else ()),
            ),
            # A file system that never answers must not stop the loop.
            probe=OffloadedProbe(mounts),
            held=self._held_locks,
            enforcement=in_force.enforcement,
        )
        self.record_act = act_recorder(self.record.commit, gates.effects.origin)
        self.bundles = DaemonBundle(settings, self.record_act)
        self.guards = ProjectRuntimes(
            config_dir=settings.config_dir,
            bundle_file=self.bundles.path,
            port=settings.port,
            gates=replace(with_trust(gates, self.trust), watch=self.events.gate),
            ladders=self.remote,
            mounts=mounts,
        )
        parts = DecoyParts(self._judged, self._decoys_of, gates.effects)
        self.decoys = Decoys(settings.decoys, channels=self.remote, parts=parts)
        self.api = self._build_api(gates.probe)

    @property
    def site(self) -> ASGIApp | None:
        """The web inbox, None if it is not served."""
        return self.inbox.site if self.inbox else None

    @property
    def problems(self) -> Sequence[str]:
        """What is wrong with settings, rules and channels; () if nothing."""
        return (*self.guards.problems, *self.remote.problems, *self._proof_problems())

    def _proof_problems(self) -> Sequence[str]:
        """What keeps the record from being proven or sent elsewhere, and events from being sent."""
        pushed = [problem for one in self.pushes if (problem := one.problem())]
        events = (self.events.problem,) if self.events.problem else ()
        return (*self.checkpoints.problems, *pushed, *events, *self.bundles.problems)

    def local_routes(self) -> Sequence[Route]:
        """Return the routes served only to this user's processes, on the Unix socket."""
        if self.inbox is None:
            return ()
        parts = self.inbox.parts
        signing_in = SigningIn(
            links=parts.links,
            people=parts.people,
            agents=self.api.agents,
            origin=parts.origin,
            page=os.path.join(self.settings.state_dir, PAGE_FILE),
            sign_out=self.inbox.sign_out,
            public=self.inbox.public_address,
            users=self.agent_users,
        )
        people, agents = self.remote.approvals.directory, self.api.agents
        changes = Changes(in_force=self.remote.in_force, people=people, record=self.record_act)
        switches = AdminSwitches(
            nap=self.remote.nap,
            in_force=self.remote.in_force,
            policies=self.remote.approvals.policies,
            learning=self.learning,
            trust=self.trust_control,
            bundles=self.bundles,
            state_dir=self.settings.state_dir,
            people=people,
            agents=agents,
            tell=self.remote.tell_act,
            # The service cannot write to a terminal of its users.
            is_shown=self.agent_users is not None,
        )
        waiting = self.remote.approvals.requests.open_answers
        rechecks = Rechecks(recheck=make_recheck(self.remote.approvals), caller=self._caller)
        alerts = ToolAlerts(tell=self.remote.alert_tool, guards=self.guards)
        return (
            Route("/v1/sign-in-links", signing_in.answer, methods=["POST"]),
            Route("/v1/seals", Seals(seal=self.remote.approvals.seal).answer, methods=["POST"]),
            Route(RECHECKS, rechecks.answer, methods=["POST"]),
            Route("/v1/changes", changes.listed, methods=["GET"]),
            Route("/v1/changes", changes.confirm, methods=["POST"]),
            *switches.routes(),
            Route("/v1/oversight", Overseeing(self.record.history, waiting).shown, methods=["GET"]),
            Route("/v1/tool-alerts", alerts.answer, methods=["POST"]),
        )

    def close(self) -> None:
        """Close channels and audit log."""
        self.remote.close()
        self.events.close()
        self.record.close()
        self.tracing.close()

    def _held_locks(self, locks: tuple[Lock, ...]) -> tuple[Lock, ...]:
        """Return the locks of the file with those that nobody has confirmed to be lifted."""
        return self.remote.in_force.merged(locks)

    def _build_sessions(self, places: Places) -> Sessions:
        denials = self.settings.limits.alert_after_denials
        sessions = Sessions(alert_after=denials, alert=self._alert)
        sessions.load(places.sessions)
        return sessions

    def _build_channels(self) -> ChannelManager:
        return ChannelManager(
            self.settings,
            record=self.record.reader,
            status=self._status,
            own=OwnChannels(
                inbox=self._open_inbox,
                terminal=self.console,
                in_words=self._web_questions,
                learning=self.learning,
                page_link=self._page_link if self.settings.inbox_url else None,
            ),
            asking=self.events.asking(self.sessions.asking),
            shared=self.shared,
        )

    async def _judged(self, action: Action) -> Assessed:
        """Judge a call as one of its session; nothing is asked or recorded."""
        guard = await self.guards.at(self.sessions.project_of(action.source, action.session))
        return guard.gate.judge(action, await guard.gate.memory.recall(action))

    def _decoys_of(self, day: date) -> int:
        """Return how many decoys the record has of a day."""
        return self.inbox.parts.statistics.decoys_of(day) if self.inbox else 0

    def _build_api(self, probe: FileProbe) -> ApiRoutes:
        asked = self.remote.approvals
        return ApiRoutes(
            guards=self.guards,
            store=self.record.commit,
            answers=ActionAnswers(store=asked.stores.answers, operands=asked.operands),
            sessions=self.sessions,
            metrics=self.metrics,
            locks=self.locks,
            channels=self.remote,
            looking=probe,
            stops=Stops(
                counts=self.sessions,
                transcripts=self.shared.transcripts(self.record.reader),
                people=self.remote.in_words,
            ),
            ran=RanCalls(self.outcomes, events=self.events),
            hosts={**ADAPTERS, **MCP_ADAPTERS},
            caller=self._caller,
            record=record_shown(self.settings),
            record_problem=self.record.commit.problem,
            tracing=self.tracing,
            readiness=Readiness(self.record.commit.check_writable),
            proof_problems=self._proof_problems,
            openapi=lambda: describe(self.metrics.version, ENDPOINTS),
        )

    def _caller(self, peer: Peer | None) -> ActionCaller:
        """Return for whom a call is judged: who connects to a service, else the daemon's user."""
        if self.agent_users is None or peer is None:
            return ActionCaller(home=self.settings.home)
        return caller_of(peer.uid)

    def _open_inbox(self, approvals: Approvals) -> Sequence[PushChannel]:
        """Build the inbox; it is one of the channels where it is configured as one."""
        self.inbox = self._build_inbox(approvals)
        return (self.inbox.live,) if ChannelName.WEB in self.settings.channels else ()

    def _page_link(self, pending: PendingRequest, identity: Identity) -> str:
        """Return a link to a request under the public name, "" for who may not answer."""
        approver = self.remote.approvals.directory.find(identity)
        public = self.inbox.public if self.inbox else None
        return public.link_for(pending.id, approver.id) if public and approver else ""

    def _build_inbox(self, approvals: Approvals) -> Inbox:
        """Build the inbox; nothing is opened before somebody looks."""
        oidc = build_oidc(self.settings, approvals.directory, approvals.in_force)
        people = WebPeople(approvals.directory, oidc.guests if oidc else tuple)
        live = Live(approvals.requests, approvals.requests.open_answers)
        signed_in = build_sign_ins(self.settings, self._continuity)
        passkeys = PasskeyFile(os.path.join(self.settings.config_dir, PASSKEYS))
        parts = InboxServices(
            requests=approvals.requests,
            approval_service=self._answered_on_the_web(approvals, people),
            plan=approvals.plan,
            people=people,
            policies=approvals.policies,
            grants=approvals.grants,
            mode=approvals.switch,
            record=self.record.history,  # off the loop: not what decisions are written by
            costs=self.shared.costs,
            locks=self.locks,
            links=Links(),
            visitors=signed_in.visitors,
            live=live,
            origin=signed_in.origin,
            passkeys=PasskeyCeremonies(passkeys, signed_in.origin),
            questions=WebQuestions(live.tell),
            statistics=RecordStatistics(self.record.history, self.outcomes.results),
            oidc=oidc,
            record_act=lambda act: self.record_act(act),  # it is made after the inbox
            in_force=self._rules_in_force,
            problems=lambda: self.problems,
            notices=lambda: self.remote.naps,
            sessions=lambda: self.sessions.listed(self.remote.waiting()),
            codes=approvals.codes,
            in_force_changes=approvals.in_force,
            trust=lambda: self.trust_control,
            softer=SofterLines(load_settings),
            learning=self.learning,
            version=signoff.__version__,
            tenant=self.settings.store.tenant if self.settings.store else "",
        )
        is_service = self.agent_users is not None
        return build_inbox_sites(parts, self.settings, approvals.directory, is_service=is_service)

    def _answered_on_the_web(self, approvals: Approvals, people: WebPeople) -> ApprovalService:
        """Return the same service but for one thing: on the web people are known by their ids."""
        return ApprovalService(
            approvals.requests,
            people,
            seal=approvals.seal,
            plan=approvals.plan,
            extras=approvals.approval_service.extras,
            validator=self.shared.validator,
        )

    def _rules_in_force(self) -> Sequence[ProjectRules]:
        """Return under which rules each project stands."""
        return [
            ProjectRules(project=root, pack=guard.settings.pack.value, rules=guard.rules.current())
            for root, guard in self.guards.kept()
        ]

    def _web_questions(self) -> Sequence[QuestionChannel]:
        """Return the inbox as those who are asked in words, where it is a channel."""
        if self.inbox is None or ChannelName.WEB not in self.settings.channels:
            return ()
        return (self.inbox.parts.questions,)

    def _status(self) -> Sequence[str]:
        """Say what is in force, for a person who asks on a channel."""
        return (
            f"signoff {self.metrics.version}, up {self.metrics.uptime_s:.0f} s",
            f"decided {self.metrics.decisions}, pending {sum(self.remote.waiting().values())},"
            f" sessions {len(self.sessions.listed())}",
            *map(str, self.locks.locks()),
            *self.remote.naps,
            *(f"PROBLEM {problem}" for problem in self.problems),
        )

    @property
    def trust_control(self) -> TrustControl:
        """The service that shows and changes trust in agents."""
        return TrustControl(self.trust, self.remote.in_force, tell=self._tell)

    def _tell(self, text: str) -> None:
        self.remote.tell(text)

    def _alert(self, session: Session) -> None:
        self.metrics.alerts += 1
        said = "session `%s` of `%s` was denied %d times; last tool `%s`, project `%s`"
        log.warning(
            said, session.session, session.host, session.denials, session.last_tool, session.project
        )
        self.remote.alert_denials(
            session=session.session,
            agent=session.host,
            denials=session.denials,
            last_tool=session.last_tool,
        )
