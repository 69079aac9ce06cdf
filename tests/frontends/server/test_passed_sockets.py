"""Sockets that a service manager passes: which are taken, and what names them."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator

import pytest

from signoff.errors import BadSettings
from signoff.serving.passed_sockets import close_all, continuity_of, passed_sockets

FIRST = 300  # descriptors of this test, where none of pytest's are


def listening(address: str = "127.0.0.1") -> socket.socket:
    """Return a new socket that listens."""
    one = socket.socket()
    one.bind((address, 0))
    one.listen()
    return one


@pytest.fixture
def one() -> Iterator[socket.socket]:
    """Return a socket that listens on loopback."""
    with listening() as found:
        yield found


def passed(*sockets: socket.socket, **said: str) -> tuple[socket.socket, ...]:
    """Take sockets as a process does that was handed them."""
    for at, one in enumerate(sockets):
        os.dup2(one.fileno(), FIRST + at)
    told = {"LISTEN_PID": str(os.getpid()), "LISTEN_FDS": str(len(sockets)), **said}
    return passed_sockets(told, first=FIRST)


def test_sockets_are_taken_and_passed_on_to_nobody(one: socket.socket) -> None:
    """No child of the daemon holds its port."""
    (found,) = passed(one)
    with found:
        assert (one.getsockname(), False) == (found.getsockname(), found.get_inheritable())


@pytest.mark.parametrize("pid", ["1", ""])
def test_what_is_meant_for_another_process_is_left_alone(pid: str) -> None:
    """Variables are inherited, descriptors need not be."""
    assert () == passed_sockets({"LISTEN_PID": pid, "LISTEN_FDS": "1"})


@pytest.mark.parametrize("count", ["-1", "x", "17", ""])
def test_a_count_that_is_none_is_refused(count: str) -> None:
    """Nothing is guessed."""
    with pytest.raises(BadSettings, match="LISTEN_FDS"):
        passed(LISTEN_FDS=count)


def test_only_sockets_that_listen_on_loopback_are_taken() -> None:
    """Others would open the inbox to other machines, or serve nobody."""
    silent, far, pair = socket.socket(), listening("0.0.0.0"), socket.socketpair()
    silent.bind(("127.0.0.1", 0))
    for bad in (silent, far, pair[0]):
        with pytest.raises(BadSettings, match=f"descriptor {FIRST}"):
            passed(bad)
    close_all((silent, far, *pair))


def test_a_socket_keeps_its_name_until_it_is_closed(one: socket.socket) -> None:
    """A new one on the same port has another name."""
    (again,) = passed(one)
    with again, listening() as other:
        first = continuity_of([one])
        assert first == continuity_of([again])
        assert continuity_of([other]) not in ("", first)
    assert "" == continuity_of([])
