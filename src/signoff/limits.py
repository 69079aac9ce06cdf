"""Bounds a user may move: the section `limits` of `signoff.yaml`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import yaml

from signoff.assess.rules.notation.document import RuleFileErrors
from signoff.assess.rules.notation.values import nodes_of, number_of, said_or


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Bounds a user may move, within bounds of their own."""

    answer_timeout_s: float = 300.0
    min_review_s: float = 3.0
    busy_timeout_s: float = 5.0
    files: int = 64
    script_bytes: int = 65_536
    alert_after_denials: int = 5


LIMIT_RANGES: Mapping[str, tuple[float, float]] = {
    "answer_timeout_s": (1, 86_400),
    "min_review_s": (1, 600),
    "busy_timeout_s": (0.1, 60),
    "files": (0, 256),
    "script_bytes": (0, 1_048_576),
    "alert_after_denials": (1, 10_000),
}


def read_limits(node: yaml.Node | None, place: RuleFileErrors) -> Limits:
    """Read limits, each within its own bounds."""
    if node is None:
        return Limits()
    given = {
        name: said_or(number_of(value, place, name, LIMIT_RANGES[name]), 0.0)
        for name, value in nodes_of(node, place, tuple(LIMIT_RANGES), what="limits").items()
    }
    plain = Limits()
    return Limits(
        answer_timeout_s=given.get("answer_timeout_s", plain.answer_timeout_s),
        min_review_s=given.get("min_review_s", plain.min_review_s),
        busy_timeout_s=given.get("busy_timeout_s", plain.busy_timeout_s),
        files=int(given.get("files", plain.files)),
        script_bytes=int(given.get("script_bytes", plain.script_bytes)),
        alert_after_denials=int(given.get("alert_after_denials", plain.alert_after_denials)),
    )
