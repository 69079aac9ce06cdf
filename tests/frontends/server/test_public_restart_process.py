"""The public name of the inbox over restarts: whose socket it is, and who stays signed in."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator

import pytest
from public_inbox import NAME, Proxy, public_machine
from service_machine import AGENT, ServiceMachine, why_not

from signoff.frontends.client.places import Places
from signoff.frontends.client.service_layout import LAYOUT

pytestmark = pytest.mark.skipif(bool(why_not()), reason=why_not() or "-")


@pytest.fixture(scope="module")
def machine() -> Iterator[ServiceMachine]:
    """Return a machine whose service has a public address; it does not run yet."""
    with public_machine() as made:
        yield made


def test_nobody_else_can_listen_in_its_place(machine: ServiceMachine) -> None:
    """The folder of the socket is the service's, also while the service is away."""
    path = Places(LAYOUT.state).inbox_socket
    with machine.started():
        assert machine.run(["test", "-S", path], user="root").returncode == 0
        assert machine.run(["rm", "-f", path], user=AGENT).returncode != 0
    for words in (["ln", "-s", "/tmp/x", path], ["mkdir", path], ["touch", path]):
        assert machine.run(words, user=AGENT).returncode != 0
    assert machine.run(["test", "-e", path], user="root").returncode != 0


def test_sign_ins_outlive_a_restart(machine: ServiceMachine) -> None:
    """The name lasts, and so does who is signed in; who signed out stays out."""
    proxy = Proxy(machine)
    with machine.started() as service:
        cookie, token = proxy.signed_in()
        other, _ = proxy.signed_in()
        service.send_signal(signal.SIGKILL)
        service.wait(timeout=60)
    with machine.started() as service:
        assert 200 == proxy.get("/web/", cookie).status
        assert 303 == proxy.post("/web/sign-out", cookie, token=token).status
        service.send_signal(signal.SIGKILL)
        service.wait(timeout=60)
    with machine.started():
        assert [303, 200] == [proxy.get("/web/", one).status for one in (cookie, other)]


def test_a_daemon_of_ones_own_user_takes_no_public_name(machine: ServiceMachine) -> None:
    """Any program of that user could answer in its place."""
    settings = f"server: {{inbox_url: 'https://{NAME}', port: {machine.port}}}"
    script = f'mkdir -p ~/.config/signoff && echo "{settings}" > ~/.config/signoff/signoff.yaml'
    assert machine.run(["sh", "-c", script], user=AGENT).returncode == 0
    folders = "SIGNOFF_STATE_DIR=$HOME/state SIGNOFF_CONFIG_DIR=$HOME/.config/signoff"
    words = ["sh", "-c", f"{folders} exec {sys.executable} -I -m signoff serve"]
    done = machine.run(words, user=AGENT)

    assert (2, True) == (done.returncode, "takes the service" in done.stderr), done
