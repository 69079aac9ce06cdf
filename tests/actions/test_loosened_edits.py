"""Edits that widen networks, give the highest rights or take headers from pages."""

from __future__ import annotations

import pytest

from signoff.actions.contents.edits.higher_rights import higher_rights
from signoff.actions.contents.edits.web_policies import lost_header
from signoff.actions.contents.edits.widened_networks import widened_network


@pytest.mark.parametrize(
    ("old", "new", "is_wider"),
    [
        ("allow 10.1.2.0/24;", "allow 10.1.0.0/16;", True),
        ("allow 10.1.2.3;", "allow 10.1.0.0/16;", True),
        ("allow 2001:db8:1::/64;", "allow 2001:db8::/32;", True),
        ("allow 10.1.0.0/16;", "allow 10.1.2.0/24;", False),
        ("allow 10.1.2.0/24;", "allow 10.1.2.0/24;\nallow 10.1.0.0/16;", True),
        ("allow 127.0.0.1;", "allow 127.0.0.0/8;", False),
        ("deny 10.1.2.0/24;", "deny 10.1.0.0/16;", False),
        ("allowed:\n  - 10.1.2.0/24", "allowed:\n  - 10.1.0.0/16", True),
        ("subnet: 10.1.2.0/24", "subnet: 10.1.0.0/16", False),
        ("allow 10.1.2.0/24;", "allow 10.9.0.0/16;", False),
        ("allow 10.1.2.0/24;", "allow 999.1.0.0/16;", False),
    ],
)
def test_a_network_is_widened(old: str, new: str, is_wider: bool) -> None:  # noqa: FBT001 - pytest gives it by position
    """The wider one holds the other and more, in a list of those who may come in."""
    assert is_wider == bool(widened_network(old, new))


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("User=a", "User=root", "user: a -> root"),
        ("runAsUser: 1000", "runAsUser: 0", "runasuser: 1000 -> 0"),
        (
            'level="asInvoker"',
            'level="requireAdministrator"',
            "level: asInvoker -> requireAdministrator",
        ),
        ("USER a\nRUN b", "USER root\nRUN b\nUSER a", ""),
        ("User=root", "User=a", ""),
        ("level: 3", "level: 0", ""),
        ("name: a", "name: root", ""),
    ],
)
def test_an_account_gets_the_highest_rights(old: str, new: str, expected: str) -> None:
    """What an image runs as is what its last line says."""
    assert expected == higher_rights(old, new)


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("add_header X-Frame-Options DENY;", "", "x-frame-options"),
        ("add_header X-Frame-Options DENY;", "Content-Security-Policy: frame-ancestors 'none'", ""),
        ("headers: securityHeaders", "headers: []", "securityHeaders"),
        ("headers: securityHeaders", "headers: pageHeaders", ""),
        ("frame-ancestors 'self'", "frame-ancestors *", "frame-ancestors *"),
        ("add_header X-Powered-By a;", "", ""),
    ],
)
def test_pages_lose_a_header(old: str, new: str, expected: str) -> None:
    """A newer header may take the place of an older one."""
    assert expected == lost_header(old, new)
