"""Who is signed in stays so over a restart of the service, while systemd holds its port.

systemd does not run here: the tests make the sockets, pass them as `sd_listen_fds(3)` says, and
hold them between two starts, as the socket unit does. Everything else is the service itself.
"""

from __future__ import annotations

import contextlib
import signal
import socket
import subprocess
from collections.abc import Iterator, Sequence

import pytest
from inbox_caller import Person
from service_machine import ServiceMachine, service_machine, why_not
from test_inbox_process import post
from test_service_process import signed_in

from signoff.frontends.client.service_layout import LAYOUT
from signoff.frontends.service.steps import socket_file, socket_unit
from signoff.frontends.web.sign_ins.building import FILE

pytestmark = pytest.mark.skipif(bool(why_not()), reason=why_not() or "-")


@pytest.fixture(scope="module")
def machine() -> Iterator[ServiceMachine]:
    """Return a machine on which the service is installed."""
    with service_machine() as made:
        yield made


@contextlib.contextmanager
def held(machine: ServiceMachine) -> Iterator[Sequence[socket.socket]]:
    """Listen where the socket unit says, as systemd would."""
    unit = (machine.root / socket_file(LAYOUT).lstrip("/")).read_text()
    assert unit == socket_unit(4440)  # written before the test's settings named another port
    lines = [line for line in unit.splitlines() if line.startswith("ListenStream=")]
    with contextlib.ExitStack() as stack:
        made = []
        for line in lines:
            address, _, _ = line.removeprefix("ListenStream=").rpartition(":")
            family = socket.AF_INET6 if "[" in address else socket.AF_INET
            one = stack.enter_context(socket.socket(family, socket.SOCK_STREAM))
            one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            if family is socket.AF_INET6:
                one.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
            one.bind((address.strip("[]"), machine.port))
            one.listen(2_048)
            made.append(one)
        yield made


def is_in(machine: ServiceMachine, person: Person) -> bool:
    """Tell whether a browser's cookie still shows the inbox, at the address it knows."""
    return machine.request("GET", "/web/", headers={"Cookie": person.cookie}).status == 200


def ended(process: subprocess.Popen[bytes], number: signal.Signals) -> None:
    """End the service and wait for it."""
    process.send_signal(number)
    process.wait(timeout=60)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_a_restart_signs_nobody_out(machine: ServiceMachine, number: signal.Signals) -> None:
    """The address stays, the token is good, and the port is never free in between."""
    with held(machine) as passed:
        with machine.started(passed) as service:
            person = signed_in(machine, "root")
            ended(service, number)
        with socket.socket() as thief, pytest.raises(OSError, match="in use"):
            thief.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            thief.bind(("127.0.0.1", machine.port))
        with machine.started(passed):
            assert is_in(machine, person)
            left = post(machine, "/web/sign-out", person.cookie, token=person.token)
            assert (303, False) == (left.status, is_in(machine, person))


def test_who_signed_out_stays_out(machine: ServiceMachine) -> None:
    """Also where the service is killed at once."""
    with held(machine) as passed:
        with machine.started(passed) as service:
            person = signed_in(machine, "root")
            post(machine, "/web/sign-out", person.cookie, token=person.token)
            ended(service, signal.SIGKILL)
        with machine.started(passed):
            assert not is_in(machine, person)


@pytest.mark.parametrize("is_passed", [True, False])
def test_once_the_port_was_free_everybody_signs_in_again(
    machine: ServiceMachine, *, is_passed: bool
) -> None:
    """Other sockets on the same port may have been somebody else's in between."""
    with held(machine) as passed, machine.started(passed):
        person = signed_in(machine, "root")
        kept = (machine.state / FILE).read_bytes()
    with held(machine) if is_passed else contextlib.nullcontext(()) as passed:
        (machine.state / FILE).write_bytes(kept)
        with machine.started(passed):
            reply = machine.request("GET", "/web/", headers={"Cookie": person.cookie})
            # Not even the address is known any more.
            assert (403, True) == (reply.status, b"new address" in reply.body)


def test_all_browsers_are_signed_out_by_one_command(machine: ServiceMachine) -> None:
    """And stay so over a restart."""
    with held(machine) as passed:
        with machine.started(passed) as service:
            person = signed_in(machine, "root")
            assert "signed out: 1 browsers" in machine.at_terminal("root", "open", "--sign-out")
            assert not is_in(machine, person)
            ended(service, signal.SIGKILL)
        with machine.started(passed):
            assert not is_in(machine, person)


def test_the_file_shows_nothing_of_what_browsers_hold(machine: ServiceMachine) -> None:
    """It is for the service's user alone, and no part of it is readable."""
    with held(machine) as passed, machine.started(passed):
        person = signed_in(machine, "root")
        path = machine.state / FILE
        text = path.read_bytes()
        secrets = (person.cookie.partition("=")[2], person.token, "owner", person.cookie[:16])
        assert 0o600 == path.stat().st_mode & 0o777
        assert not [one for one in secrets if one.encode() in text]
