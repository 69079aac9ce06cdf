"""Who may come in: limits, failures, a blocklist and reputation, put around a pipeline.

    access = AccessControl("sqlite:///var/lib/shop/access.db", requests="100/minute")
    app.add_middleware(
        AsgiMiddleware, default=access.guarding(standard()), answered=(access.answered,)
    )

The call after the last one that a limit allows is refused. What is refused here takes no place,
adds no failure and costs no standing, so a client that waits is served again. If the storage fails,
the request is blocked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from signoff.actions.action import Action
from signoff.assess.detectors.blocklist import blocklist
from signoff.assess.detectors.client import client_of
from signoff.assess.detectors.detector import Detector, Evidence
from signoff.assess.detectors.rate import BRUTE_FORCE, RATE_LIMIT
from signoff.assess.detectors.reputation import reputation
from signoff.assess.finding import Finding, Severity
from signoff.assess.threat.resolvers import Do
from signoff.effects.access.counting import Counting, Limit, read_limit
from signoff.effects.handlers.conduct import conduct
from signoff.effects.pipeline import FAILED as PART_FAILED
from signoff.effects.pipeline import Pipeline, PipelineDecision
from signoff.errors import BadSettings

SHARE = 0.3  # of a threat score that a client's standing loses
REQUESTS, FAILURES, LISTED = "requests", "failures", "blocked"
# Of guessing passwords, paths and tokens; 5xx are faults of the application itself.
FAILED = frozenset({401, 403, 404, 407, 429})
SECONDS = (1, 31_536_000)


class AccessControl:
    """Limits requests per client and blocks attackers, counted in one shared storage.

    Args:
        storage: `memory://`, `sqlite:///absolute/path` or `valkey://host:port` (extra `valkey`);
            several processes may share it.
        requests: most requests per client, as `100/minute`; "" = no limit.
        failures: most responses with a status in `failed` per client; "" = no limit.
        failed: HTTP statuses that count as failures.
        listed: addresses, networks (`203.0.113.0/24`) and names that are always blocked.
        blocked_for_s: seconds a client is blocked after an attack; 0 = not at all.
        half_life_s: seconds in which half of a lost standing comes back; 0 = no reputation.

    Raises:
        BadSettings: the storage cannot be opened, or a figure is out of range.
    """

    def __init__(  # noqa: PLR0913 - one argument a setting
        self,
        storage: str = "memory://",
        *,
        requests: str = "",
        failures: str = "",
        failed: Iterable[int] = FAILED,
        listed: Iterable[str] = (),
        blocked_for_s: int = 0,
        half_life_s: int = 0,
    ) -> None:
        for name, seconds in (("blocked_for_s", blocked_for_s), ("half_life_s", half_life_s)):
            if seconds and not SECONDS[0] <= seconds <= SECONDS[1]:
                raise BadSettings(f"{name} is {seconds}, expected 0 or up to {SECONDS[1]} seconds")
        self._counting = Counting(storage)
        self._is_waiting = not storage.startswith("memory:")
        self._requests = read_limit(requests) if requests else None
        self._failures = read_limit(failures) if failures else None
        self._failed, self._listed = frozenset(failed), tuple(listed)
        self._blocked_for_s, self._half_life_s = blocked_for_s, half_life_s

    def guarding(self, pipeline: Pipeline) -> Pipeline:
        """Return a copy of the pipeline that enforces these limits and records attackers."""
        guarded = pipeline.behind(*self.detectors(), is_waiting=self._is_waiting)
        return guarded.on(Do.BLOCK, self.note)

    def detectors(self) -> tuple[Detector, ...]:
        """Return the detectors for the limits; those that count nothing come first."""
        found = [blocklist(self._listed, has=self.is_blocked)]
        if self._half_life_s:
            found.append(reputation(self.standing))
        if self._failures is not None:
            found.append(_limiting(BRUTE_FORCE, "failures", self._failures, self._may_fail))
        if self._requests is not None:
            found.append(_limiting(RATE_LIMIT, "requests", self._requests, self._may_ask))
        return tuple(found)

    def answered(self, action: Action, status: int) -> None:
        """Count a response by its status; pass this as the middleware's `answered`."""
        client = client_of(action)
        if client and self._failures is not None and status in self._failed:
            self._counting.take(FAILURES, client, self._failures)

    # The middleware does not call it with what a limit or list refused.
    answered.counts_failures = True  # type: ignore[attr-defined]  # functions take attributes

    def note(self, decision: PipelineDecision) -> None:
        """Record a blocked request against its client, unless only these limits blocked it."""
        client, score = client_of(decision.action), conduct(decision)
        # Else a client that only asks too often would be kept out, and stay out by trying.
        own = {RATE_LIMIT, BRUTE_FORCE}
        # A part that failed says nothing of the client.
        found = [one for one in decision.threat.results if one.category != PART_FAILED]
        if not client or not score or {one.detector for one in found} <= own:
            return
        if self._blocked_for_s:
            self._counting.mark(LISTED, client, self._blocked_for_s)
        if self._half_life_s:
            self._counting.lose(client, score * SHARE, self._half_life_s)

    def block(self, client: str, for_s: int) -> None:
        """Block a client for some seconds."""
        self._counting.mark(LISTED, client, for_s)

    def unblock(self, client: str) -> None:
        """End a client's block."""
        self._counting.unmark(LISTED, client)

    def is_blocked(self, client: str) -> bool:
        """Return whether a client is blocked at present."""
        return bool(client) and self._counting.is_marked(LISTED, client)

    def standing(self, client: str) -> float:
        """Return a client's reputation, 0 (worst) to 100."""
        return self._counting.standing(client, self._half_life_s) if self._half_life_s else 100.0

    def _may_ask(self, client: str, limit: Limit) -> bool:
        return self._counting.take(REQUESTS, client, limit)

    def _may_fail(self, client: str, limit: Limit) -> bool:
        return self._counting.has_room(FAILURES, client, limit)


def _limiting(id: str, what: str, limit: Limit, has_room: Callable[[str, Limit], bool]) -> Detector:
    def run(evidence: Evidence) -> Iterator[Finding]:
        client = client_of(evidence.action)
        if client and not has_room(client, limit):
            yield Finding(
                detector=id,
                category=f"{id}.over",
                # Critical, so that the detectors behind do not read the request at all.
                severity=Severity.CRITICAL,
                confidence=1.0,
                evidence=f"`{client}` had {limit.count} {what} in {limit.window_s} seconds",
            )

    return Detector(id=id, run=run, title=f"Too many {what}", asi=("ASI02",))
