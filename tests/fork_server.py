"""Imports `signoff` once, and forks for every start that `signoff_start.py` asks for.

Run as `python -I fork_server.py FD` with one end of a socket pair, until the other end closes. Each
message on it is one start: a JSON object (`words`, `env`, `cwd`, `new_session`) and four file
descriptors: a socket for the answers, and standard input, output and error. On the socket of the
start the process id is told first, its exit status (negative for a signal) when it has ended.
"""

from __future__ import annotations

import atexit
import gc
import json
import os
import runpy
import selectors
import socket
import sys
import threading
from collections.abc import Sequence
from importlib import import_module
from typing import IO, Any, NoReturn, TextIO

MESSAGE = 200_000
MODULES = ("signoff.frontends.hosts.local_hook", "signoff.frontends.server.serve")
CHANNELS = ("telegram.channel", "slack.channel", "matrix.line")
# Only with their extra, which the real command imports late.
NOT_BEFORE = frozenset({"proxy"})


def load() -> None:
    """Import what the commands import, at once or later, and compile their patterns.

    What they test at their start (readers of code, of shell lines) they test themselves.
    """
    app = import_module("signoff.frontends.cli.app")
    names = [module for module, _ in app.COMMANDS.values() if module not in NOT_BEFORE]
    for name in (*MODULES, *(f"signoff.frontends.cli.{name}" for name in names)):
        import_module(name)
    import_module("signoff.actions.programs.registry").load_all()
    for where in import_module("signoff.actions.code.reading").LANGUAGES.values():
        import_module(f"signoff.actions.code.{where.partition(':')[0]}")
    for name in CHANNELS:
        import_module(f"signoff.channels.{name}")
    import_module("signoff.actions.vocabulary").compile_all()


class ForkServer:
    """Forks for each message, and tells how the children ended."""

    def __init__(self, control: socket.socket) -> None:
        self._control = control
        self._running: dict[int, tuple[int, socket.socket]] = {}  # by the descriptor of a child
        self._selector = selectors.DefaultSelector()
        self._selector.register(control, selectors.EVENT_READ)

    def serve(self) -> list[str]:
        """Serve until the other end closes; in a child, return the words of its command."""
        while True:
            for key, _ in self._selector.select():
                if key.fileobj is not self._control:
                    self._reap(key.fd)
                    continue
                said, handles, _, _ = socket.recv_fds(self._control, MESSAGE, 4)
                if not said:
                    sys.exit(0)
                task = json.loads(said)
                if not self._fork(handles):
                    become(task, handles)
                    words: list[str] = task["words"]
                    return words

    def _fork(self, handles: list[int]) -> int:
        """Fork; return 0 in the child, which keeps the last three descriptors only."""
        pid = os.fork()
        answers = socket.socket(fileno=handles.pop(0))
        if pid == 0:
            answers.close()
            self._forget()
            return 0
        for handle in handles:
            os.close(handle)
        child = os.pidfd_open(pid)
        self._running[child] = (pid, answers)
        self._selector.register(child, selectors.EVENT_READ)
        answers.send(b"%d" % pid)
        return pid

    def _reap(self, child: int) -> None:
        pid, answers = self._running.pop(child)
        self._selector.unregister(child)
        os.close(child)
        _, status = os.waitpid(pid, 0)
        with answers:
            try:
                answers.send(b"%d" % os.waitstatus_to_exitcode(status))
            except OSError:
                return  # the test waits for it no more

    def _forget(self) -> None:
        """Close what is of the server."""
        self._selector.close()
        self._control.close()
        for child, (_, answers) in self._running.items():
            os.close(child)
            answers.close()


def become(task: dict[str, Any], handles: list[int]) -> None:
    """Make this child what an exec would have made it: streams, environment, folder."""
    if task["new_session"]:
        os.setsid()
    for number, handle in enumerate(handles):
        os.dup2(handle, number)
    for handle in handles:
        os.close(handle)
    os.environ.clear()
    os.environ.update(task["env"])
    os.chdir(task["cwd"])
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        stream = opened(getattr(sys, name), mode)
        setattr(sys, name, stream)
        setattr(sys, f"__{name}__", stream)


def opened(stream: TextIO, mode: str) -> IO[Any]:
    """Return a standard stream made anew: a terminal is not buffered as a file is."""
    number = stream.fileno()
    return open(
        number,
        mode,
        encoding=stream.encoding,
        errors=stream.errors,
        buffering=1 if number == 2 or (mode == "w" and os.isatty(number)) else -1,
        closefd=False,
    )


def run(words: Sequence[str]) -> int:
    """Run the command line as `python -m signoff` does; return its exit status."""
    sys.argv = ["signoff", *words]
    try:
        runpy.run_module("signoff", run_name="__main__", alter_sys=True)
    except SystemExit as end:
        if isinstance(end.code, str):
            sys.stderr.write(f"{end.code}\n")
        return end.code if isinstance(end.code, int) else int(end.code is not None)
    return 0


def end(status: int) -> NoReturn:
    """End as Python does, but do not take all modules apart: that copies all of the server."""
    # Joins threads and ends pools; nothing public does it.
    threading._shutdown()  # type: ignore[attr-defined] # see above
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    os._exit(status)


if __name__ == "__main__":
    load()
    gc.collect()
    gc.freeze()  # what is loaded is not copied by a child's collections
    end(run(ForkServer(socket.socket(fileno=int(sys.argv[1]))).serve()))
