"""Every detector, in the order they run: a visible table, one line each.

Those of Operations come first; those of text (secrets, injection, web requests, results) follow.
"""

from __future__ import annotations

from signoff.assess.detectors import (
    credential_access,
    defence_tampering,
    destructive,
    environment_poisoning,
    exfiltration,
    opaque,
    path_escape,
    persistence,
    privilege,
    production_impact,
    remote_change,
    remote_code,
    self_protection,
    supply_chain,
    system_change,
)
from signoff.assess.detectors.detector import Detector

DETECTORS: tuple[Detector, ...] = (
    self_protection.DETECTOR,
    destructive.DETECTOR,
    remote_code.DETECTOR,
    exfiltration.DETECTOR,
    credential_access.DETECTOR,
    persistence.DETECTOR,
    privilege.DETECTOR,
    defence_tampering.DETECTOR,
    environment_poisoning.DETECTOR,
    production_impact.DETECTOR,
    remote_change.DETECTOR,
    system_change.DETECTOR,
    supply_chain.DETECTOR,
    path_escape.DETECTOR,
    opaque.DETECTOR,
)
