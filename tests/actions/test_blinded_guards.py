"""Rules after which a guard sees nothing that matters, and alarms that nobody gets."""

from __future__ import annotations

import pytest

from signoff.actions.contents.applied.records.muted_alarms import muted_alarms
from signoff.actions.contents.applied.rights.blinded_guards import (
    blinded_guard,
    exempted_all,
    exempted_more,
)
from signoff.actions.contents.applied.rights.cloud_doors import opened_cloud

_ALARMS = "route:\n  routes:\n    - matchers: [{}]\n      receiver: a\nreceivers:\n  - name: a\n{}"
_CHAIN = "chain a {{ type filter hook {}; policy drop;\n  tcp dport 22 accept\n{}}}\n"


@pytest.mark.parametrize(
    ("text", "is_blind"),
    [
        ("-w /srv/a -p rwa\n-a never,exit -F dir=/srv/a/\n", True),
        ("-w /srv/a -p rwa\n-a never,exit -F dir=/srv/b\n", False),
        ("-w /srv/a -p rwa\n-D\n", True),
        ("-D\n-w /srv/a -p rwa\n", False),
        ("-w /srv/a -p rwa\n-e 2\n", False),
        ("-a never,user\n", False),
        (_CHAIN.format("input", "  accept\n"), True),
        (_CHAIN.format("output", "  accept\n"), False),
        (_CHAIN.format("input", "  ip saddr 10.0.0.0/8 accept\n"), False),
        ("tcp dport 53 dnat to 203.0.113.4\n", True),
        ("tcp dport 8053 dnat to 203.0.113.4\n", False),
    ],
)
def test_a_guard_goes_blind(text: str, is_blind: bool) -> None:  # noqa: FBT001 - pytest gives it by position
    """For another folder, at the head of a file or for one port it is everyday work."""
    assert is_blind == bool(blinded_guard(text))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (_ALARMS.format('severity="critical"', ""), (True, False)),
        (_ALARMS.format('alertname="Disk"', ""), (False, True)),
        (_ALARMS.format('alertname="Watchdog"', ""), (False, False)),
        (_ALARMS.format('severity="critical"', "    email_configs: []\n"), (False, False)),
        ("route:\n  receiver: blackhole\n", (True, False)),
        ("mute_time_intervals: [night]\nreceiver: a\n", (False, True)),
    ],
)
def test_alarms_that_nobody_gets(text: str, expected: tuple[bool, bool]) -> None:
    """A receiver without an address tells nobody."""
    grave, other = muted_alarms(text)

    assert expected == (bool(grave), bool(other))


def test_a_policy_spares_more() -> None:
    """Only an edit that adds an exemption to a policy counts."""
    rule = "match:\n  kinds: [Pod]\n"

    assert exempted_more(rule, f"{rule}exclude:\n  any: []\n")
    assert not exempted_more(f"{rule}exclude:\n  any: []\n", rule)
    assert not exempted_more("", f"{rule}exclude:\n  any: []\n")


@pytest.mark.parametrize(
    ("old", "places", "is_all"),
    [("match:\n", "*", True), ("match:\n", "a-*", False), ("", "*", False)],
)
def test_a_policy_spares_everybody(old: str, places: str, is_all: bool) -> None:  # noqa: FBT001 - pytest gives it by position
    """A new policy that spares all takes nothing away."""
    new = f"{old}exclude:\n  any:\n    - resources:\n        namespaces: ['{places}']\n"

    assert is_all == bool(exempted_all(old, new))


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        ("access: 'Allow'\nsourceAddressPrefix: '*'\ndestinationPortRange: '*'", (True, False)),
        ("access: 'Allow'\nsourceAddressPrefix: '*'\ndestinationPortRange: '443'", (False, False)),
        ("access: 'Allow'\nsourceAddressPrefix: '*'\ndestinationPortRange: '22'", (False, True)),
        ("access: 'Deny'\nsourceAddressPrefix: '*'\ndestinationPortRange: '*'", (False, False)),
    ],
)
def test_a_rule_of_a_cloud_opens_ports(rule: str, expected: tuple[bool, bool]) -> None:
    """One port of a service is open to everybody in ordinary work."""
    everything, something = opened_cloud(f"direction: 'Inbound'\n{rule}\n")

    assert expected == (bool(everything), bool(something))
