"""Every host's canary is known again where people look at sessions."""

from __future__ import annotations

import json
from collections.abc import Mapping

import pytest

from signoff.actions.action import Json
from signoff.frontends.hosts.canary import is_canary
from signoff.frontends.hosts.claude_code.checkup import CANARY
from signoff.frontends.hosts.installers import INSTALLERS
from signoff.frontends.hosts.registry import HOSTS

CANARIES: Mapping[str, Mapping[str, Json]] = {
    "claude-code": CANARY,
    **{name: event for one in INSTALLERS.values() for name, event in one.canaries.items()},
}
WITHOUT_SESSIONS = ("kiro",)


@pytest.mark.parametrize("host", [name for name in CANARIES if name not in WITHOUT_SESSIONS])
def test_a_canary_is_known_as_its_host_tells_it(host: str) -> None:
    """By the session and the line, whatever the host calls them."""
    event = CANARIES[host]
    call = HOSTS[host].parse(json.dumps(event).encode()).call

    assert call is not None
    assert is_canary(call.action.session, call.action.arguments)
