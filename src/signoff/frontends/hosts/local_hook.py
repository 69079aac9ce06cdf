"""The hook process a host starts before a tool runs: `signoff hook <host>`.

Reads one event on stdin and answers it in the host's words. Everything else that may happen (an
unreadable event, an exception, a full pipe, its own deadline, a signal) ends in the host's words
for a refusal, or with an exit status the installed command turns into one. While it works,
stdout is closed to everybody but the answer, so that no library can write into it.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import sys
from collections.abc import Callable, Sequence
from typing import NoReturn

from signoff.actions.action import Action
from signoff.challenge.visible import visible
from signoff.decide.decision import Decision
from signoff.errors import BadPayload
from signoff.frontends.hosts.adapter import REFUSED, Adapter, HostAnswer, refuse_by_status
from signoff.frontends.hosts.wording import failure_of
from signoff.frontends.strict_json import MAX_BYTES
from signoff.settings import HostsAllow
from signoff.system.deadline import end_after, replace_process

USAGE = "usage: signoff hook HOST [--daemon [--report | --result]] [--deadline SECONDS]"
DAEMON, REPORT, RESULT = "--daemon", "--report", "--result"
DEADLINE_S = 610  # where the installed command names none

Decide = Callable[[Action], Decision]
Connect = Callable[[Adapter], tuple[Decide, HostsAllow]]


def connect(adapter: Adapter) -> tuple[Decide, HostsAllow]:
    """Load and build what decides; done late, so that a failure is a denial too."""
    from signoff.frontends.hosts import connection  # noqa: PLC0415 - as said above

    return connection.connect(adapter)


def run(arguments: Sequence[str], connect: Connect = connect) -> int:
    """Answer one event; return the exit status.

    Args:
        arguments: the host's name, and `--deadline SECONDS` or nothing; with `--daemon` this
            process becomes the client that asks the daemon, with `--result` as well the one that
            has a result read.
        connect: builds what decides.
    """
    try:
        if DAEMON in arguments:
            become_client(arguments)
        name = _arm(arguments)
        out = os.dup(1)
        os.dup2(2, 1)
        # One byte over the limit: an event that is too long is refused, not judged by its
        # beginning.
        answer = respond(_adapter(name), sys.stdin.buffer.read(MAX_BYTES + 1), connect)
        if answer.stdout:
            _write(out, f"{answer.stdout}\n".encode())
        if answer.stderr:
            _write(2, f"{answer.stderr}\n".encode())
        return answer.status
    except BaseException as error:  # noqa: BLE001 - no failure of any kind may let a call through
        return _refuse(error)


def become_client(arguments: Sequence[str]) -> NoReturn:
    """Replace this process by the daemon's client.

    For a hook that knows neither this Python nor its folders.

    Raises:
        BadPayload: the arguments are not valid, or the host is unknown.
        BadSettings: the settings cannot be read.
        OSError: the client cannot be started.
    """
    from signoff.frontends.client.words import REPORT_MARK, client_words  # noqa: PLC0415 - as above
    from signoff.settings import load_settings  # noqa: PLC0415 - as above

    match [word for word in arguments if word not in (DAEMON, REPORT, RESULT)]:
        case [name]:
            deadline_s = DEADLINE_S
        case [name, "--deadline", seconds]:
            deadline_s = int(seconds)
        case _:
            raise BadPayload(USAGE)
    adapter, settings = _adapter(name), load_settings()
    if RESULT in arguments:
        from signoff.frontends.hosts.results.lines import result_line  # noqa: PLC0415 - as above

        # Its time limit, and what the model is told of a failure, go by the settings.
        if (found := result_line(adapter, settings)) is not None:
            replace_process([shutil.which("sh") or "/bin/sh", "-c", found[0]])
    mark = REPORT_MARK if {REPORT, RESULT} & set(arguments) else ""
    words = client_words(adapter.name, settings, deadline_s=deadline_s, mark=mark)
    replace_process(words)


def respond(adapter: Adapter, event: bytes, connect: Connect) -> HostAnswer:
    """Return the answer to one event; what cannot be decided is denied."""
    try:
        call = adapter.parse(event).call
        if call is None:
            return adapter.nothing
        decide, hosts_allow = connect(adapter)
        return adapter.render(decide(call.action), hosts_allow)
    except BaseException as error:  # noqa: BLE001 - as above
        if adapter.fails_by_status:
            return refuse_by_status(failure_of(_reason(error)))
        return adapter.failure(_reason(error))


def _adapter(name: str) -> Adapter:
    from signoff.frontends.hosts.registry import ADAPTERS  # noqa: PLC0415 - late, as `connect` is

    if name not in ADAPTERS:
        raise BadPayload(f"unknown host `{name[:40]}` ({', '.join(ADAPTERS)})")
    return ADAPTERS[name]


def _arm(arguments: Sequence[str]) -> str:
    """End this process at its deadline, whatever it is doing then; return the host's name.

    The system ends the process even while it is stuck in a library, and the installed command
    refuses for it.
    """
    match list(arguments):
        case [name]:
            return name
        case [name, "--deadline", seconds]:
            end_after(float(seconds))
            return name
        case _:
            raise BadPayload(USAGE)


def _write(out: int, text: bytes) -> None:
    while text:
        text = text[os.write(out, text) :]


def _reason(error: BaseException) -> str:
    # An error may quote the call, whose control characters could drive a terminal (CWE-150).
    return visible(f"{type(error).__name__}: {error}"[:500])


def _refuse(error: BaseException) -> int:
    """Say why on stderr, if anybody listens."""
    with contextlib.suppress(OSError):
        os.write(2, f"{failure_of(_reason(error))}\n".encode())
    return REFUSED
