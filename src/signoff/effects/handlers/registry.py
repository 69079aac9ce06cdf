"""Every handler that ships with signoff: a visible table, one line each, by its file name."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from signoff.effects.handlers.alarms import AlarmHandler
from signoff.effects.handlers.analytics import AnalyticsHandler
from signoff.effects.handlers.blocklist import BlocklistHandler
from signoff.effects.handlers.log import LogHandler
from signoff.effects.handlers.notify import NotifyHandler
from signoff.effects.handlers.rate_counter import RateCounterHandler
from signoff.effects.handlers.reputation import ReputationHandler
from signoff.effects.pipeline import PipelineDecision

HANDLERS: Mapping[str, type[Callable[[PipelineDecision], None]]] = {
    "alarms": AlarmHandler,
    "analytics": AnalyticsHandler,
    "blocklist": BlocklistHandler,
    "log": LogHandler,
    "notify": NotifyHandler,
    "rate_counter": RateCounterHandler,
    "reputation": ReputationHandler,
}
