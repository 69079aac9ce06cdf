"""Settings by which services let people in: anybody, or more than before."""

from __future__ import annotations

import pytest

from signoff.actions.contents.applied.rights.open_doors import is_outside, open_door
from signoff.actions.contents.applied.rights.wider_doors import wider_door

_STORE = "user default on nopass ~* +@all\n"


@pytest.mark.parametrize(
    ("text", "is_open"),
    [
        ("auth sufficient pam_rhosts.so\n", True),
        ("auth required pam_rhosts.so\n", False),
        ("account sufficient pam_succeed_if.so uid < 1000\n", False),
        ("TrustedUserCAKeys /tmp/ca.pub\n", True),
        ("TrustedUserCAKeys /etc/ssh/ca.pub\n", False),
        (f"bind 10.0.0.4\n{_STORE}", True),
        (f"bind 127.0.0.1 -::1\n{_STORE}", False),
        (_STORE, False),
        ("host all all 0.0.0.0/0 trust\n", True),
        ("host all all 10.0.0.0/8 trust\n", False),
        ("#host all all 0.0.0.0/0 trust\n", False),
    ],
)
def test_a_service_lets_anybody_in(text: str, is_open: bool) -> None:  # noqa: FBT001 - pytest gives it by position
    """What a list, a group or the machine itself bounds does not count."""
    assert is_open == bool(open_door(text))


@pytest.mark.parametrize(
    ("text", "is_wider"),
    [
        ("StrictModes no\n", True),
        ("StrictModes yes\n", False),
        ("ssl_protocols TLSv1 TLSv1.2;\n", True),
        ("SSLProtocol all -TLSv1 -TLSv1.1\n", False),
        ("smtpd_tls_protocols = !SSLv2, !SSLv3, !TLSv1\n", False),
        ("smtpd_tls_protocols = >=TLSv1.2\n", False),
        ("tls_min_version = TLS1_0\n", True),
        ("host all app 10.1.0.0/16 md5\n", True),
        ("hostssl all app 10.1.0.0/16 scram-sha-256\n", False),
        ("hostssl all app 198.51.100.4/32 cert\n", True),
    ],
)
def test_a_service_lets_more_in(text: str, is_wider: bool) -> None:  # noqa: FBT001 - pytest gives it by position
    """Settings that take old protocols out, or admit the house, are no loosening."""
    assert is_wider == bool(wider_door(text))


def test_which_addresses_are_outside() -> None:
    """Names are not looked up."""
    assert is_outside("203.0.113.0/24")
    assert not is_outside("10.0.0.0/8")
    assert not is_outside("samenet")
