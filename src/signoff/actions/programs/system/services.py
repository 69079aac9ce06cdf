"""Services and jobs: service managers of Linux, BSD and macOS, process supervisors, schedules.

Looking is free; starting, stopping and enabling is asked about. Power commands of a service
manager act on the machine. A schedule plants what runs later by itself.
"""

from __future__ import annotations

from collections.abc import Iterator

from signoff.actions.contents.schedules import scheduled_lines
from signoff.actions.known.protections import PROTECTIVE
from signoff.actions.operation import Reach, ResourceType, Trait, Verb
from signoff.actions.programs.acts import Effect, Nested, On, always, remote
from signoff.actions.programs.call import ProgramCall
from signoff.actions.programs.effect_presets import CONTROL_SERVICE, PERSIST_SERVICE
from signoff.actions.programs.lexicon import lex
from signoff.actions.programs.system.power import power
from signoff.actions.vocabulary import words
from signoff.values import replace

JOBS_GONE = always(
    Verb.DELETE, ResourceType.SERVICE, on=On.NOTHING, reach=Reach.SYSTEM, reversible=False
)

SYSTEMCTL_LOOKS = (
    "status show cat list-units list-unit-files list-timers list-sockets list-jobs list-machines "
    "list-dependencies list-automounts list-paths is-active is-enabled is-failed "
    "is-system-running get-default help show-environment whoami"
)
# `kexec` and `switch-root` start another kernel or system: what runs is gone as by switching off.
POWER_OFF = words("poweroff halt kexec switch-root")
RESTARTING = words(
    "reboot soft-reboot suspend hibernate hybrid-sleep rescue emergency default "
    "suspend-then-hibernate sleep isolate exit"
)
# systemctl(1): these show their value without an argument and set it with one.
SHOWN_BARE = words("log-level log-target service-log-level service-log-target service-watchdogs")
SYSTEMCTL_CONTROL = words(
    "start stop restart reload try-restart kill reload-or-restart freeze thaw daemon-reload "
    "daemon-reexec reset-failed clean cancel try-reload-or-restart condrestart force-reload"
)
SYSTEMCTL_SET = words(
    "enable disable mask unmask edit link revert preset reenable set-default set-property "
    "preset-all add-wants add-requires set-environment unset-environment import-environment "
    "bind mount-image log-level log-target service-log-level"
)


def service_manager(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `systemctl`: with `-H` on another machine, with `--user` for this user."""
    what = call.texts[0] if call.operands else "list-units"
    target = " ".join(call.texts[1:])
    host = call.value("-H", "--host")
    # `service-log-level` names a service first, so its value is one word further on.
    bare = what in SHOWN_BARE and len(call.operands) < (3 if "service-log" in what else 2)
    if what in words(SYSTEMCTL_LOOKS) or bare or (what == "kill" and "help" in call.texts):
        yield call.operation(Verb.READ, ResourceType.SERVICE, target)
    elif host is not None:
        act = remote(Verb.CONTROL, ResourceType.SERVICE)
        yield from call.perform(act)
    elif what in POWER_OFF | RESTARTING:
        yield from power(replace(call, name=f"{call.name} {what}"), off=what in POWER_OFF)
    elif what in SYSTEMCTL_CONTROL:
        yield call.operation(
            Verb.CONTROL, ResourceType.SERVICE, target, reach=Reach.SYSTEM, reversible=True
        )
    else:
        yield from _configured(call, what, target)


def squid(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `squid`: with `-k parse` it only checks, with other signals it steers."""
    told = call.values("-k")
    if told and all([word.text in ("parse", "check") for word in told]):
        yield call.operation(Verb.READ, ResourceType.SERVICE, "squid")
    else:
        yield from call.perform(CONTROL_SERVICE)


STOPPING = words(
    "stop disable mask kill unload remove bootout off onestop faststop forcestop onedisable"
)
# Short names would be prefixes of others (`pf` of `pfexec`), unlike those of PROTECTIVE.
FILTERS = words("pf ipfw ipfilter npf pflog blacklistd com.apple.alf")  # by their whole names


def _configured(call: ProgramCall, what: str, target: str) -> Iterator[Effect]:
    thing = ResourceType.SERVICE if what in SYSTEMCTL_SET else ResourceType.SETTING
    yield call.operation(Verb.CONFIGURE, thing, target, reach=Reach.SYSTEM, reversible=True)


def protection_stopped(call: ProgramCall) -> Iterator[Effect]:
    """Yield the effect if a stopped or disabled service is a protective one."""
    texts = call.texts
    # Starting or restarting such a service is no attack on it.
    if STOPPING.isdisjoint(texts):
        return
    for text in texts:
        # systemctl takes `auditd` and `auditd.service` alike.
        name = text.removesuffix(".service").lower()
        if name.startswith(PROTECTIVE) or name in FILTERS:
            yield call.operation(
                Verb.CONFIGURE,
                ResourceType.PROTECTION,
                name,
                traits=(Trait.WEAKENS,),
                reach=Reach.SYSTEM,
                reversible=False,
            )


_SERVICE_ACTS = words("start stop restart reload force-reload condrestart try-restart up down once")


def old_service(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `service NAME ACTION`, `rc-service NAME ACTION`, `sv ACTION NAME`."""
    texts = set(call.texts)
    if call.has("--status-all", "-l", "--list", "-e", "--exists", "-r") or not texts:
        yield call.operation(Verb.READ, ResourceType.SERVICE)
    elif texts & {"status", "describe", "ineed", "iuse", "needsme", "usesme", "check", "list"} or (
        texts & {"onestatus", "rcvar", "configtest", "extracommands", "enabled", "poll"}
    ):
        yield call.operation(Verb.READ, ResourceType.SERVICE, " ".join(call.texts))
    else:
        # The act stands before or behind the name, and is no service.
        named = tuple([word for word in call.operands if word.text not in _SERVICE_ACTS])
        yield from replace(call, operands=named or call.operands).perform(CONTROL_SERVICE)


def crontab(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `crontab`: lists, deletes, edits, or takes a file or its input."""
    if call.has("-l", "-T"):
        yield call.operation(Verb.READ, ResourceType.SERVICE, "scheduled jobs")
    elif call.has("-r"):
        yield from call.perform(JOBS_GONE)
    elif call.has("-e") or call.operands or call.command.stdin is not None:
        # crontab(1): a file, `-` or plain input replaces the whole table.
        yield from (call.on_file(Verb.READ, w) for w in call.operands if w.text != "-")
        yield call.operation(
            Verb.PERSIST,
            ResourceType.SERVICE,
            "scheduled jobs",
            reach=Reach.SYSTEM,
            reversible=False,
        )
        yield from _jobs(call)
    else:
        yield call.operation(Verb.READ, ResourceType.SERVICE, "scheduled jobs")


def _jobs(call: ProgramCall) -> Iterator[Effect]:
    """The lines of a schedule that is fed, as far as their text is known."""
    stream = call.command.stdin
    # A sketch still names the lines of a text that is only partly known.
    texts = [stream.text or stream.sketch] if stream is not None else []
    texts += [text for word in call.operands if (text := call.session_text(word))]
    for line in (line for text in texts for line in scheduled_lines(text)):
        yield Nested(text=line, language="shell", carrier="crontab")


def schedule(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `at TIME`: runs later; `-l` lists, `-r` and `-d` take jobs out."""
    if call.has("-l", "-c", "-V"):
        yield call.operation(Verb.READ, ResourceType.SERVICE, "scheduled jobs")
    elif call.has("-r", "-d"):
        yield call.operation(
            Verb.DELETE,
            ResourceType.SERVICE,
            " ".join(call.texts),
            reach=Reach.SYSTEM,
            reversible=False,
        )
    else:
        yield from call.perform(PERSIST_SERVICE)
        for word in call.values("-f", "--file"):
            yield Nested(text=call.session_text(word), language="shell", carrier="at")
        for word in call.values("-f"):
            if text := call.session_text(word):
                yield Nested(text=text, language="shell", carrier="at")


# systemd.resource-control(5): how much a unit may use. Other properties name programs and users.
_BOUNDS = words(
    "MemoryMax MemoryHigh MemoryLow MemoryMin MemorySwapMax MemoryLimit CPUQuota CPUWeight"
    " CPUShares AllowedCPUs TasksMax IOWeight IOReadBandwidthMax IOWriteBandwidthMax LimitNOFILE"
    " LimitNPROC RuntimeMaxSec Nice OOMPolicy IPAddressDeny PrivateNetwork"
)
_LASTING = (
    "--on-active", "--on-boot", "--on-startup", "--on-unit-active", "--on-unit-inactive",
    "--on-calendar", "--timer-property", "--path-property", "--socket-property", "-r",
    "--remain-after-exit", "-H", "--host", "-M", "--machine", "--uid", "--gid", "-E", "--setenv",
)  # fmt: skip


def transient_unit(call: ProgramCall) -> Iterator[Effect]:
    """Effects of `systemd-run --user --scope PROGRAM`: it runs now, and ends with what it runs.

    The program itself is judged beside this call.
    """
    given = [word.text for word in call.values("-p", "--property")]
    is_bounded = _BOUNDS.issuperset([text.partition("=")[0] for text in given])
    is_here = call.has("--scope", "--wait", "--pipe", "-P", "-t", "--pty")
    if call.has("--user") and is_here and is_bounded and not call.has(*_LASTING):
        yield call.operation(Verb.INERT, ResourceType.NOTHING)
    else:
        yield from call.perform(CONTROL_SERVICE)


def console(call: ProgramCall) -> Iterator[Effect]:
    """Effects of `asterisk -rx LINE` and `fs_cli -x LINE`: a service's command, by its words."""
    lines = [*call.values("-rx", "-x", "-X", "--execute"), *call.operands[:1]]
    said = [lex(tuple(line.text.split()[:4])).verb if line.is_known else None for line in lines]
    if lines and all([verb is Verb.READ for verb in said]):
        yield call.operation(Verb.READ, ResourceType.SERVICE, call.name)
        return
    for line in lines:
        yield call.operation(
            Verb.CONTROL, ResourceType.SERVICE, line.text, reach=Reach.SYSTEM, reversible=False
        )
    if not lines:
        yield from call.perform(CONTROL_SERVICE)
