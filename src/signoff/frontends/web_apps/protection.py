"""What ASGI and WSGI middleware share: the rules, one judgement, and what follows a failure.

A request that signoff fails to judge is refused (`OnFailure.REFUSE`), unless the setting says in
its name that this is unsafe.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable
from typing import Unpack

from signoff.actions.action import Action
from signoff.effects.handlers.conduct import is_counted
from signoff.effects.pipeline import PipelineDecision
from signoff.errors import BadSettings
from signoff.frontends.web_apps.problem import NOT_JUDGED, Problem, blocked, unreadable, withheld
from signoff.frontends.web_apps.reading import (
    HttpRequest,
    UnreadableBody,
    body_text,
    request_action,
    response_action,
)
from signoff.frontends.web_apps.routes import (
    LIMITS,
    RESPONSE_LIMIT,
    Larger,
    OnFailure,
    RouteRule,
    RouteTable,
    standard,
)
from signoff.frontends.web_apps.settings import Answered, ProtectionSettings
from signoff.values import replace

logger = logging.getLogger("signoff.web")


class Protection:
    """Judges an application's requests and responses; takes `ProtectionSettings`.

    Raises:
        BadSettings: a rule or a limit is out of range.
        TypeError: a setting is unknown.
    """

    def __init__(self, **settings: Unpack[ProtectionSettings]) -> None:
        # A name with a spelling mistake would leave a protection off without a word.
        if unknown := set(settings) - set(ProtectionSettings.__annotations__):
            raise TypeError(f"unknown setting `{min(unknown)}`")
        default = settings.get("default") or standard()
        rule = default if isinstance(default, RouteRule) else RouteRule("*", default)
        self.table = RouteTable(settings.get("routes", ()), rule)
        self.responses = settings.get("responses")
        self.response_limit = settings.get("response_limit", RESPONSE_LIMIT)
        if not LIMITS[0] <= self.response_limit <= LIMITS[1]:
            expected = f"expected {LIMITS[0]} to {LIMITS[1]}"
            raise BadSettings(f"response_limit is {self.response_limit} bytes, {expected}")
        on_failure = OnFailure(settings.get("on_failure", OnFailure.REFUSE))
        self._is_failure_refused = on_failure is OnFailure.REFUSE
        self._client_of = settings.get("client_of")
        self._answered = tuple(settings.get("answered", ()))
        # A counter of failures is not told of what a limit or list refused: refusals that count
        # keep a client out for as long as it retries.
        self._told_of_refusals = tuple(
            one for one in self._answered if not getattr(one, "counts_failures", False)
        )

    def judge(self, rule: RouteRule, request: HttpRequest, body: bytes) -> Judged:
        """Judge a request and run its handlers; never raises.

        Args:
            body: complete, or as much as is read.
        """
        try:
            if self._client_of is not None:
                request = replace(request, client=self._client_of(request), address=request.client)
            text = _text(request, body, rule)
            action = request_action(request, text)
            return self._decided(rule, action)
        # The client's doing, not a failure of ours: refused whatever `on_failure` says.
        except UnreadableBody as error:
            problem: Problem | None = unreadable(str(error))
            logger.info("a request could not be read: %s", error)
        except Exception:
            logger.exception("a request could not be judged")
            problem = NOT_JUDGED if self._is_failure_refused else None
        # Nothing is refused where requests are only watched.
        return Judged(problem=None if rule.is_watched else problem)

    def judge_response(self, action: Action, body: bytes) -> Problem | None:
        """Judge a complete response; return the response to send instead, None = send it."""
        if self.responses is None:
            return None
        try:
            decision = self.responses.decide(response_action(action, body.decode(errors="replace")))
            self.responses.act(decision)
            return None if decision.is_allowed else withheld(decision)
        except Exception:
            logger.exception("a response could not be judged")
            return NOT_JUDGED if self._is_failure_refused else None

    def watch_response(self, action: Action, body: bytes) -> None:
        """Judge the beginning of a response that was sent, in the background."""
        if self.responses is not None and body:
            self.responses.watch(response_action(action, body.decode(errors="replace")))

    def tell_blocked(self, judged: Judged) -> None:
        """Call the `answered` callbacks with the status of the response to a blocked request."""
        if judged.problem is None:
            return
        is_refusal = judged.decision is not None and not is_counted(judged.decision)
        callbacks = self._told_of_refusals if is_refusal else self._answered
        self._call(callbacks, judged.action, int(judged.problem.status))

    def tell(self, action: Action | None, status: int) -> None:
        """Call the `answered` callbacks with a response's status; their errors are logged."""
        self._call(self._answered, action, status)

    def _call(self, callbacks: Iterable[Answered], action: Action | None, status: int) -> None:
        if action is None:
            return
        for told in callbacks:
            try:
                told(action, status)
            except Exception:
                logger.exception("an answer could not be counted")

    def _decided(self, rule: RouteRule, action: Action) -> Judged:
        if rule.pipeline is None:
            return Judged(action=action)
        if rule.is_watched:
            rule.pipeline.watch(action)
            return Judged(action=action)
        decision = rule.pipeline.decide(action)
        rule.pipeline.act(decision)
        problem = None if decision.is_allowed else blocked(decision)
        return Judged(action=action, decision=decision, problem=problem)


class Judged:
    """A judged request: its action, the decision, and the response if it is blocked."""

    __slots__ = ("action", "decision", "problem")

    def __init__(
        self,
        *,
        action: Action | None = None,
        decision: PipelineDecision | None = None,
        problem: Problem | None = None,
    ) -> None:
        self.action, self.decision, self.problem = action, decision, problem


def _text(request: HttpRequest, body: bytes, rule: RouteRule) -> str:
    if not body:
        return ""
    kind, encoding = request.single("content-type"), request.single("content-encoding")
    is_beginning = rule.larger is Larger.BEGINNING or rule.is_watched
    return body_text(body, kind, encoding, rule.body_limit, is_beginning=is_beginning)
