"""Parts of a pipeline, to judge requests and responses; docs/pipelines shows how.

from signoff.pipeline import DefaultResolver, LogHandler, Pipeline, web_detectors, web_request

pipeline = Pipeline.sync(web_detectors()).resolve(DefaultResolver()).on("log", LogHandler())
decision = pipeline.process(web_request("/search", query={"q": "red shoes"}))
"""

from __future__ import annotations

from signoff.assess.detectors.blocklist import blocklist
from signoff.assess.detectors.content import RESULT_DETECTORS, WEB_DETECTORS
from signoff.assess.detectors.detector import Detector, Evidence, RequestField
from signoff.assess.detectors.entropy import entropy
from signoff.assess.detectors.graphql_limits import graphql_limits
from signoff.assess.detectors.rate import brute_force, rate_limit
from signoff.assess.detectors.reputation import reputation
from signoff.assess.finding import Finding, Severity
from signoff.assess.threat.aggregators import (
    Aggregator,
    MaxScoreAggregator,
    WeightedAggregator,
)
from signoff.assess.threat.resolvers import (
    DefaultResolver,
    Do,
    LenientResolver,
    MultiLevelResolver,
    Resolver,
    StrictResolver,
    Tier,
)
from signoff.assess.threat.score import ThreatLevel, ThreatScore, finding_to_score, score_to_level
from signoff.effects.detector_options import (
    DetectorOptions,
    Strictness,
    web_detectors,
    with_options,
)
from signoff.effects.handlers.alarms import AlarmHandler
from signoff.effects.handlers.analytics import AnalyticsHandler
from signoff.effects.handlers.blocklist import BlocklistHandler
from signoff.effects.handlers.log import LogHandler
from signoff.effects.handlers.notify import NotifyHandler
from signoff.effects.handlers.rate_counter import RateCounterHandler
from signoff.effects.handlers.reputation import ReputationHandler
from signoff.effects.pipeline import Handler, Pipeline, PipelineDecision
from signoff.frontends.web_apps.reading import response_action as web_response
from signoff.frontends.web_apps.reading import web_request

__all__ = [
    "RESULT_DETECTORS",
    "WEB_DETECTORS",
    "Aggregator",
    "AlarmHandler",
    "AnalyticsHandler",
    "BlocklistHandler",
    "DefaultResolver",
    "Detector",
    "DetectorOptions",
    "Do",
    "Evidence",
    "Finding",
    "Handler",
    "LenientResolver",
    "LogHandler",
    "MaxScoreAggregator",
    "MultiLevelResolver",
    "NotifyHandler",
    "Pipeline",
    "PipelineDecision",
    "RateCounterHandler",
    "ReputationHandler",
    "RequestField",
    "Resolver",
    "Severity",
    "StrictResolver",
    "Strictness",
    "ThreatLevel",
    "ThreatScore",
    "Tier",
    "WeightedAggregator",
    "blocklist",
    "brute_force",
    "entropy",
    "finding_to_score",
    "graphql_limits",
    "rate_limit",
    "reputation",
    "score_to_level",
    "web_detectors",
    "web_request",
    "web_response",
    "with_options",
]
