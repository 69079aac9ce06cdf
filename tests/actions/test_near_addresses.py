"""Whether an address leads to this machine, and whether a server bound to it is open to others."""

from __future__ import annotations

import pytest

from signoff.actions.urls import is_every_interface, is_near_url


@pytest.mark.parametrize(
    ("text", "is_near"),
    [
        ("tcp://localhost:2375", True),
        ("http://127.0.0.1", True),
        ("localhost:9092", True),
        ("//[::1]:80", True),
        ("tcp://localhost.example:2375", False),
        ("https://rpc.example/localhost", False),
        ("https://rpc.example/?host=localhost", False),
        ("http://localhost@198.51.100.7/", False),
        ("spark://local-prod:7077", False),
    ],
)
def test_the_host_tells_whether_an_address_is_near(text: str, *, is_near: bool) -> None:
    """A text that begins like this machine may name another one."""
    assert is_near_url(text) is is_near


@pytest.mark.parametrize("text", ["0.0.0.0", "0.0.0.0:8000", "::", "[::]:8000", "*", ""])
def test_an_unspecified_address_is_every_interface(text: str) -> None:
    """With a port or without."""
    assert is_every_interface(text)


@pytest.mark.parametrize("text", ["127.0.0.1", "localhost:8000", "::1", "[::1]:80", "192.0.2.7"])
def test_one_address_is_not_every_interface(text: str) -> None:
    """Whether it is this machine's own or another's."""
    assert not is_every_interface(text)
