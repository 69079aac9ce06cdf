"""Collects what detectors look at: the texts of a call by channel, and the patterns in them."""

from __future__ import annotations

from signoff.actions.action import Action
from signoff.actions.facts import Facts
from signoff.actions.operation import Operations
from signoff.assess.detectors.detector import Evidence
from signoff.assess.detectors.texts import with_texts


def gather(action: Action, facts: Facts, operations: Operations) -> Evidence:
    """Give the evidence of one call."""
    return with_texts(Evidence(action=action, facts=facts, operations=operations))
