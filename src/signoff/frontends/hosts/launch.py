"""The shell line a host runs as its hook: an answer in JSON, or the host's refusal.

Whatever becomes of the guard (a missing interpreter, a crash, a signal, its deadline, silence,
half an answer, an answer in a form this host does not know, an answer that cannot be written), the
line around it refuses in a form the host honours. It needs nothing but a POSIX shell, and nothing
that the environment can replace.

    hook_line(ADAPTER)
"""

from __future__ import annotations

import os
import shlex
import shutil

from signoff.challenge.words.stopping import StopMode
from signoff.errors import BadSettings
from signoff.frontends.client.words import MARK, REPORT_MARK, RESULT_MARK, client_words
from signoff.frontends.hosts.adapter import REFUSED, Adapter, HookOutputFormat
from signoff.frontends.hosts.waits import stop_wait
from signoff.settings import load_settings

REPORT_S = 5
# Bash takes functions from the environment, in the place of builtins too. In POSIX mode, which the
# assignment switches on, none replaces `unset`, `trap` and `exit`. The plugin's guard has no path.
_PLAIN = "POSIXLY_CORRECT=1; unset -f printf signoff; "
# Signals that end a shell and can be caught; one that writes to a closed pipe gets PIPE.
_ENDED = "trap 'exit 2' HUP INT QUIT PIPE ALRM TERM XCPU XFSZ USR1 USR2; "


def hook_line(adapter: Adapter, guard: str = "", *, patience_s: float | None = None) -> str:
    """Return the shell line that a host's settings start for an adapter.

    Args:
        guard: shell words that start signoff, "" = the `signoff` of this environment.
        patience_s: seconds after which a hook process that hangs is killed.

    Raises:
        BadSettings: the user's settings cannot be read, it is unknown which Python this is, or the
            hook is not started by a line.
    """
    if adapter.form is None:
        raise BadSettings(f"the hook of {adapter.name} is not started by a shell line")
    words = guard or shlex.join(guard_words(adapter))
    form, watch = adapter.form, ""
    if form.is_watched:
        watch = _watch(adapter.wait.kill_s if patience_s is None else patience_s)
    return (
        f"{_PLAIN}no() {{ {_refusal(adapter, form)}; }}; trap no EXIT; {_ENDED}"
        f"if answer=$({watch}{words}); then "
        f'case "$answer" in {"|".join(form.answers)}) '
        # The trap goes only after the write: an answer that nobody could read is a refusal.
        f"printf '%s\\n' \"$answer\" && trap - EXIT && exit 0;; esac; fi; "
        f"exit {REFUSED}"
    )


def _refusal(adapter: Adapter, form: HookOutputFormat) -> str:
    """Return the commands that refuse: in the host's words if it takes some, else by status 2.

    The subshell redirects without a spare descriptor.
    """
    by_status = f"(printf '%s\\n' '{form.no_answer}') >&2; exit {REFUSED}"
    if not form.refuses_in_words:
        return by_status
    words = shlex.quote(adapter.refuse(form.no_answer).stdout)
    return f"printf '%s\\n' {words} && exit 0; {by_status}"


def _watch(patience_s: float) -> str:
    """Return what kills a guard that was stopped by a signal, where this system has it.

    Hosts that run a call at their own time limit would run it then.
    """
    # The system's own first: what comes earlier on an agent's PATH may be anything.
    program = shutil.which("timeout", path=os.defpath) or shutil.which("timeout")
    return f"{shlex.quote(program)} -s KILL {patience_s:g} " if program else ""


def report_line(adapter: Adapter) -> str:
    """Return the shell line that reports a past event to the daemon; it decides nothing.

    Raises:
        BadSettings: as `hook_line`.
    """
    return shlex.join(
        client_words(adapter.name, load_settings(), deadline_s=REPORT_S, mark=REPORT_MARK)
    )


def stop_line(adapter: Adapter) -> tuple[str, int] | None:
    """Return the shell line of a stop hook and its limit in seconds.

    The line waits for a message to the agent and never denies. None if the user wants stops only
    reported.

    Raises:
        BadSettings: as `hook_line`.
    """
    settings = load_settings()
    if settings.stops.mode is StopMode.OFF:
        return None
    wait = stop_wait(settings.stops.wait_s)
    words = client_words(adapter.name, settings, deadline_s=wait.deadline_s, mark=REPORT_MARK)
    return shlex.join(words), wait.host_s


def guard_words(adapter: Adapter) -> list[str]:
    """Return the command that answers one event through the daemon.

    Raises:
        BadSettings: the user's settings cannot be read, or it is unknown which Python this is.
    """
    return client_words(adapter.name, load_settings(), deadline_s=adapter.wait.deadline_s)


def decides(command: str) -> bool:
    """Return whether a command of signoff decides about calls, and does not only report."""
    return not {REPORT_MARK, RESULT_MARK} & set(command.split())


def is_ours(command: str, *hosts: str) -> bool:
    """Return whether a command is a hook of signoff for one of these adapters."""
    # `shlex` puts quotes around some paths and not around others.
    bare = command.replace("'", "")
    # The space behind the name keeps `codex` from matching `codex-permission`.
    marks = (m for host in hosts for m in (f"-m signoff hook {host} ", f" {host} {MARK} "))
    return any(mark in bare for mark in marks)
