"""Handler `log`: one line in the program's log for each decision.

The line holds the score, the level, what is done and the findings' categories; never the
input itself, which may hold secrets.

    pipeline.on("log", LogHandler())
"""

from __future__ import annotations

import logging

from signoff.effects.pipeline import PipelineDecision

LEVELS = {"none": logging.INFO, "low": logging.INFO, "medium": logging.WARNING}


class LogHandler:
    """A handler that writes decisions to a logger of the standard library."""

    def __init__(self, logger: logging.Logger | None = None) -> None:
        self._logger = logger or logging.getLogger("signoff.threats")

    def __call__(self, decision: PipelineDecision) -> None:
        """Write one line."""
        threat = decision.threat
        self._logger.log(
            LEVELS.get(threat.level, logging.ERROR),
            "tool=%r threat=%.1f level=%s do=%s findings=%s",
            decision.action.tool,
            threat.score,
            threat.level.value,
            ",".join(decision.do),
            ",".join(sorted({finding.category for finding in threat.results})),
        )
