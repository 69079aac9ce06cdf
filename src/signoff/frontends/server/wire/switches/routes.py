"""The routes of everything an admin switches over the daemon's Unix socket.

AdminSwitches(remote=remote, learning=learning, trust=trust, bundles=bundles, ...).routes()
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import Struct
from starlette.routing import Route

from signoff.challenge.people.nap import NapSwitch
from signoff.challenge.terms.approver import Directory
from signoff.challenge.terms.policy import PolicyStore
from signoff.frontends.fleet.daemon_bundle import DaemonBundle
from signoff.frontends.learning.service import Learning
from signoff.frontends.server.wire.service_tokens import ServiceTokens
from signoff.frontends.server.wire.switches.enforcing import Enforcing
from signoff.frontends.server.wire.switches.learning import LearningSwitch
from signoff.frontends.server.wire.switches.leaving_bundle import LeavingBundle
from signoff.frontends.server.wire.switches.naps import Naps
from signoff.frontends.server.wire.switches.own_acts import PATH as OWN_ACTS
from signoff.frontends.server.wire.switches.own_acts import OwnActs
from signoff.frontends.server.wire.switches.policies import PolicySwitch
from signoff.frontends.server.wire.switches.tokens import TokenSwitch
from signoff.frontends.server.wire.switches.trusting import TrustSwitch
from signoff.serving.peer import Agents
from signoff.storage.confirmed.in_force import InForce
from signoff.storage.confirmed.trust_control import TrustControl


class AdminSwitches(Struct, frozen=True, kw_only=True):
    """All routes for changes that an admin confirms on the terminal.

    Args:
        state_dir: where API tokens are stored.
        tell: sends a notice to every messenger and to the log.
        is_shown: the commands show the codes themselves, as for a service.
    """

    nap: NapSwitch
    in_force: InForce
    policies: PolicyStore
    learning: Learning
    trust: TrustControl
    bundles: DaemonBundle
    state_dir: str
    people: Directory
    agents: Agents
    tell: Callable[[str], None]
    is_shown: bool

    def routes(self) -> Sequence[Route]:
        """Return the routes."""
        people, agents, tell, shown = self.people, self.agents, self.tell, self.is_shown
        record = self.bundles.record
        naps = Naps(self.nap, people, agents, tell, record=record, is_shown=shown)
        enforcing = Enforcing(self.in_force, people, agents, tell, record=record, is_shown=shown)
        leaving = LeavingBundle(
            self.bundles.leave, people, agents, tell, record=record, is_shown=shown
        )
        learning = LearningSwitch(self.learning, people, agents, record=record, is_shown=shown)
        policies = PolicySwitch(self.policies, people, agents, record=record, is_shown=shown)
        kept = ServiceTokens(self.state_dir)
        tokens = TokenSwitch(kept, people, agents, record, is_shown=shown)
        trust = TrustSwitch(self.trust, people, agents, record=record, is_shown=shown)
        return (
            Route("/v1/naps", naps.answer, methods=["POST"]),
            Route("/v1/enforcement", enforcing.answer, methods=["POST"]),
            Route("/v1/bundle", leaving.answer, methods=["POST"]),
            Route(OWN_ACTS, OwnActs(record).answer, methods=["POST"]),
            Route("/v1/policies", policies.answer, methods=["POST"]),
            Route("/v1/tokens", tokens.listed, methods=["GET"]),
            Route("/v1/tokens", tokens.answer, methods=["POST"]),
            Route("/v1/learning", learning.listed, methods=["GET"]),
            Route("/v1/learning", learning.answer, methods=["POST"]),
            Route("/v1/trust", trust.listed, methods=["GET"]),
            Route("/v1/trust", trust.answer, methods=["POST"]),
        )
