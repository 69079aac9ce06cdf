"""Power, kernel, boot, clock, and virtual machines: what a whole machine stands on.

Switching off or restarting, loading kernel modules, changing what boots is refused; looking at
them is free. The clock and the language are settings of the system. Virtual machines with their
disks are asked about before they go; a whole store of them is refused.
"""

from __future__ import annotations

from collections.abc import Iterator

from signoff.actions.operation import Reach, ResourceType, Trait, Verb
from signoff.actions.programs.acts import Effect, On, always
from signoff.actions.programs.call import ProgramCall
from signoff.actions.programs.effect_presets import (
    CONFIGURE_SERVICE,
    CONFIGURE_SYSTEM,
    DELETE_BACKUP,
    INSPECT,
    MACHINE,
)
from signoff.actions.vocabulary import words

RUN_LEVELS = frozenset({"0", "1", "2", "3", "4", "5", "6", "s", "S", "q", "u"})


RESTART = always(
    Verb.CONTROL, ResourceType.SERVICE, on=On.NOTHING, reach=Reach.SYSTEM, reversible=False
)
REMOTE_SHELLS = frozenset({"ssh", "mosh", "sshpass", "pdsh", "ansible"})


def power(call: ProgramCall, *, off: bool) -> Iterator[Effect]:
    """Yield the effects of a shutdown or restart.

    Args:
        off: it switches the machine off.
    """
    # A machine reached by ssh may stay off: the line to it is gone, and it serves others.
    far = any(carrier.split(" ", 1)[0] in REMOTE_SHELLS for carrier in call.command.carriers)
    yield from call.perform(MACHINE if off or far else RESTART)


def restart(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `reboot`: with `-p` and `--halt` it switches off."""
    if call.has("-w", "--wtmp-only", "--help"):
        yield call.operation(Verb.INERT, ResourceType.NOTHING)
    else:
        # `-f` skips stopping services and unmounting, so data may be lost as by pulling the plug.
        yield from power(call, off=call.has("-p", "--poweroff", "--halt", "-f", "--force"))


def shutdown(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `shutdown`: `-c` cancels, `-k` only warns, `/a` cancels on Windows."""
    # Asked first: whatever else is given, these switch nothing off.
    if call.has("-k", "--show") or "/a" in call.texts:
        yield call.operation(Verb.INERT, ResourceType.NOTHING)
    elif call.has("-c"):
        yield call.operation(Verb.CONTROL, ResourceType.SERVICE, "shutdown", reach=Reach.SYSTEM)
    else:
        again = call.has("-r", "--reboot") or "/r" in call.texts
        yield from power(call, off=not again)


def run_level(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `init 0`, `telinit 6`; `init` of other tools is none of these."""
    if call.operands and call.texts[0] in RUN_LEVELS:
        # Run level 0 is halt; 6 restarts; the others change what is running.
        yield from power(call, off=call.texts[0] == "0")
    else:
        yield from call.perform(RESTART)


def kernel_switches(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `sysctl`: `-w`, `-p` and `name=value` change, the rest shows."""
    changing = call.has("-w", "--write", "-p", "--load", "--system") or any(
        "=" in text for text in call.texts
    )
    if changing:
        # sysctl takes `name = 0` in one word as well.
        weakens = any([text.replace(" ", "") in PROTECTION_OFF for text in call.texts])
        yield call.operation(
            Verb.CONFIGURE,
            ResourceType.PROTECTION if weakens else ResourceType.SETTING,
            " ".join(call.texts),
            traits=(Trait.WEAKENS,) if weakens else (),
            reach=Reach.SYSTEM,
            reversible=False,
        )
    else:
        yield call.operation(Verb.READ, ResourceType.MACHINE)


# Address layout, tracing, kernel pointers, the log, loading of unsigned programs into the kernel.
PROTECTION_OFF = words(
    "kernel.randomize_va_space=0 kernel.yama.ptrace_scope=0 kernel.kptr_restrict=0 "
    "kernel.dmesg_restrict=0 kernel.unprivileged_bpf_disabled=0 kernel.perf_event_paranoid=-1 "
    "fs.protected_symlinks=0 kern.securelevel=-1 kern.securelevel=0 fs.protected_hardlinks=0"
)


def modules(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `modprobe`: dry runs and listings look, the rest changes the kernel."""
    looking = call.has(
        "-n",
        "--dry-run",
        "--show",
        "-c",
        "--showconfig",
        "-D",
        "--show-depends",
        "--show-config",
        "--show-modversions",
        "--resolve-alias",
        "-R",
        "-l",
        "--list",
        "-t",
    )
    if looking:
        yield call.operation(Verb.READ, ResourceType.MACHINE)
    elif call.name in {"insmod", "kldload", "kextload"} or "/" in " ".join(call.texts):
        # A file as a kernel module runs code nobody read with every right; a name is one that is
        # installed.
        yield from call.perform(MACHINE)
    else:
        yield call.operation(
            Verb.CONFIGURE,
            ResourceType.SETTING,
            " ".join(call.texts),
            reach=Reach.SYSTEM,
            reversible=False,
        )


def messages(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `dmesg`: shows; `-C` and `-c` empty the kernel's record."""
    if call.has("-C", "--clear", "-c", "--read-clear"):
        yield call.operation(
            Verb.DELETE,
            ResourceType.PROTECTION,
            "kernel messages",
            reach=Reach.SYSTEM,
            traits=(Trait.BLINDS,),
            reversible=False,
        )
    elif call.has("-D", "-E", "-n", "--console-off", "--console-on", "--console-level"):
        # Only what the console shows; the record stays.
        yield from call.perform(CONFIGURE_SYSTEM)
    else:
        yield call.operation(Verb.READ, ResourceType.MACHINE)


def clock(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `date`: shows; `-s` and a bare `MMDDhhmm` set the clock."""
    given = [t for t in call.texts if not t.startswith("+")]
    # `MMDDhhmm` is the shortest form that sets the clock; `+%s` formats were left out above.
    setting = call.has("-s", "--set") or any(t.isdigit() and len(t) >= 8 for t in given)
    for word in call.values("-f", "--file", "-r", "--reference"):
        # On the BSDs `-r 1700000000` is a time in seconds, and `-f` after `-j` a format: no
        # files.
        if not call.has("-j") and not word.text.lstrip("-").isdecimal():
            yield call.on_file(Verb.READ, word)
    # `-d` prints the time given, and `-j` of the BSDs parses it: neither sets the clock.
    if setting and not call.has("-d", "--date", "-j"):
        yield call.operation(
            Verb.CONFIGURE, ResourceType.MACHINE, "the clock", reach=Reach.SYSTEM, reversible=False
        )
    else:
        yield call.operation(Verb.INERT, ResourceType.NOTHING)


def hardware_clock(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `hwclock`: shows; the rest sets one clock from the other."""
    if call.options and not call.has("-r", "--show", "--get", "--verbose", "-v", "--test"):
        yield from call.perform(CONFIGURE_SYSTEM)
    else:
        yield call.operation(Verb.READ, ResourceType.MACHINE)


def host_name(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `hostname`: shows; an operand or a file sets it."""
    if call.operands or call.has("-F", "--file", "-b", "--boot"):
        yield from call.perform(CONFIGURE_SYSTEM)
    else:
        yield call.operation(Verb.INERT, ResourceType.NOTHING)


def virtual_snapshot(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `VBoxManage snapshot MACHINE list|take|restore|delete`."""
    what = call.texts[1] if len(call.texts) > 1 else "list"
    # A snapshot is what a broken machine is restored from.
    if what in {"delete", "deletecurrent"}:
        yield from call.perform(DELETE_BACKUP)
    elif what in {"list", "showvminfo"}:
        yield from call.perform(INSPECT)
    else:
        yield from call.perform(CONFIGURE_SERVICE)
