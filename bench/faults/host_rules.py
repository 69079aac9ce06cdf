"""What each host makes of its hook's answer, by its own rule and in its least careful version.

The rules stand in each host's manifest. Everything a host does not honour as a no is a yes here,
though newer versions of some hosts stop at a failing hook: what is to be shown must hold without
their help.

    seen_by("codex", Ended(status=1))  ->  Seen.RUNS
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass

from bench.faults.calls import Seen
from signoff.actions.action import Json
from signoff.frontends.hosts.registry import ADAPTERS

DENIALS = ("deny", True)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """How a hook ended; status None = the host gave up waiting."""

    status: int | None
    stdout: str = ""
    stderr: str = ""


def seen_by(host: str, ended: Ended) -> Seen:
    """Tell what the host does with the call."""
    if ended.status is None:
        return Seen.HANGS
    rules = ADAPTERS[host].rules
    if ended.status == 2 and rules.has_status:
        return Seen.RUNS if rules.needs_words and not ended.stderr.strip() else Seen.REFUSED
    if ended.status:
        return Seen.RUNS
    return _seen_in(host, _object(ended.stdout))


def seen_over_http(status: int, body: bytes) -> Seen:
    """Tell what Claude Code does with the answer to an http hook with `onFailure: block`."""
    if not 200 <= status < 300:
        return Seen.REFUSED
    return _seen_in("claude-code", _object(body.decode(errors="replace")))


def _seen_in(host: str, said: Json) -> Seen:
    rules = ADAPTERS[host].rules
    for name in rules.decision:
        said = said.get(name) if isinstance(said, Mapping) else None
    if said in DENIALS:
        return Seen.REFUSED
    return Seen.ASKED if rules.ask and said == rules.ask else Seen.RUNS


def _object(text: str) -> Json:
    """Return the one JSON object a text is; anything else is no answer."""
    try:
        said: Json = json.loads(text)
    except ValueError:
        return None
    return said if isinstance(said, dict) else None
