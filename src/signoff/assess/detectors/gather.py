"""Collects what detectors look at: the texts of a call by channel, and the patterns in them."""

from __future__ import annotations

from signoff.actions.action import Action
from signoff.actions.facts import Facts
from signoff.actions.operation import Operations
from signoff.assess.detectors.detector import Evidence
from signoff.assess.detectors.texts import read_texts
from signoff.assess.patterns.catalogue import Catalogue, catalogue


def gather(
    action: Action, facts: Facts, operations: Operations, patterns: Catalogue | None = None
) -> Evidence:
    """Give the evidence of one call."""
    return read_texts(action, facts, operations, patterns or catalogue())
