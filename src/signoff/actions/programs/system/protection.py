"""Protections: mandatory access control, audit, logs, history, antivirus, integrity.

Looking at them is free; changing them is asked about; switching them off or making them blind is
refused.
"""

from __future__ import annotations

from collections.abc import Iterator

from signoff.actions.operation import Operation, Reach, Thing, Trait, Verb
from signoff.actions.programs.acts import Effect
from signoff.actions.programs.call import Call
from signoff.actions.programs.program import Program, program
from signoff.actions.programs.system.deeds import (
    BLINDED,
    LOOK,
    PROTECTION_OFF,
    PROTECTION_SET,
    SERVICE,
    setting,
)
from signoff.actions.shell.command import Word

OFF = frozenset({"0", "permissive", "off", "disabled", "disable", "-e0"})


def enforcement(call: Call) -> Iterator[Effect]:
    """`setenforce`: 0 switches off."""
    off = any(text.lower() in OFF for text in call.texts)
    yield from call.perform(PROTECTION_OFF if off else PROTECTION_SET)


def audit_rules(call: Call) -> Iterator[Effect]:
    """`auditctl`: `-s`, `-l` look; `-e 0` and `-D` make the audit blind."""
    enabled = call.value("-e")
    if call.has("-D") or (enabled is not None and enabled.text == "0"):
        yield from call.perform(BLINDED)
    elif call.has("-s", "-l", "-v", "-h"):
        yield call.operation(Verb.READ, Thing.PROTECTION)
    else:
        yield from call.perform(PROTECTION_SET)


def history(call: Call) -> Iterator[Effect]:
    """`history`: lists; `-c` and `-d` take records away, `-s` and `-a` write to a file."""
    if call.has("-c", "-d") or "clear" in call.texts or "delete" in call.texts:
        yield from call.perform(BLINDED)
        return
    for option in ("-a", "-w", "-n", "-r"):
        if call.has(option):
            for word in call.operands[:1] or (Word(text="~/.bash_history"),):
                yield _recorded(call, word, writing=option in {"-a", "-w"})
            return
    yield call.operation(Verb.INERT, Thing.NOTHING)


def _recorded(call: Call, word: Word, *, writing: bool) -> Operation:
    if not call.operands:
        return call.operation(Verb.INERT, Thing.NOTHING)
    return call.on_file(Verb.WRITE if writing else Verb.READ, word)


def journal(call: Call) -> Iterator[Effect]:
    """`journalctl`: reads; vacuuming and rotating cut the record."""
    vacuum = any(o.name.startswith("--vacuum") for o in call.options)
    if vacuum:
        yield call.operation(
            Verb.DELETE,
            Thing.PROTECTION,
            "journal",
            traits=(Trait.BY_PATTERN,),
            reach=Reach.SYSTEM,
            reversible=False,
        )
    elif call.has("--rotate", "--flush", "--sync", "--relinquish-var", "--setup-keys"):
        yield from call.perform(SERVICE)
    else:
        yield call.operation(Verb.READ, Thing.NOTHING, "journal")


def rotation(call: Call) -> Iterator[Effect]:
    """`logrotate`: `-d` only shows."""
    if call.has("-d", "--debug"):
        yield call.operation(Verb.INERT, Thing.NOTHING)
    else:
        yield from call.perform(SERVICE)


SELINUX_PART = setting("", PROTECTION_SET, acting={"-l --list -E --extract": LOOK})

PROGRAMS: tuple[Program, ...] = (
    program("setenforce", handler=enforcement),
    setting(
        "setsebool togglesebool semodule chcon fixfiles chcat load_policy "
        "audit2allow sepolgen checkmodule apparmor_parser aa-enforce aa-logprof aa-genprof "
        "aa-mergeprof aa-autodep tripwire aide ossec-control smackload modutil",
        PROTECTION_SET,
        acting={"-l --list -L --show --check": LOOK},
        harmless="--dry-run --preprocess",
    ),
    setting("restorecon setfiles", PROTECTION_SET, harmless="-n"),
    setting("aa-complain aa-disable aa-teardown", PROTECTION_OFF),
    setting(
        "semanage",
        PROTECTION_SET,
        subs={
            "boolean fcontext port user login module interface node permissive ibpkey dontaudit "
            "export import ibendport": SELINUX_PART,
        },
    ),
    program("auditctl", handler=audit_rules, values="-e -w -a -A -d -k -p -F -f -b -r -S -C -W"),
    setting("augenrules auditd", PROTECTION_SET, harmless="--check"),
    program("ausearch aureport aulast auvirt audit2why seinfo sesearch", LOOK),
    program("history", handler=history, values="-d"),
    program("fc", LOOK, acting={"-e -s": SERVICE}),
    program(
        "journalctl",
        handler=journal,
        values="-u --unit -n --lines -S --since -U --until -p "
        "-g --grep -t -o --output -b -D -k -F -M --user-unit --file --root --image -i",
    ),
    program("logrotate", handler=rotation),
    setting("rsyslogd syslogd syslog-ng klogd", SERVICE, harmless="-N -s"),
    program("logwatch logcheck goaccess", LOOK, writes="-o --output --filename"),
    setting("logkeys", PROTECTION_SET),
    program(
        "clamscan clamdscan freshclam rkhunter chkrootkit lynis maldet yara",
        LOOK,
        acting={"--remove --move": PROTECTION_SET},
        writes="-l --log",
    ),
    program("clamconf clamdtop", LOOK),
    setting(
        "fail2ban-client crowdsec cscli denyhosts sshguard",
        PROTECTION_SET,
        subs={
            "status ping version get banned": LOOK,
            "decisions alerts metrics hub": setting(
                "", PROTECTION_SET, subs={"list inspect show": LOOK}
            ),
            "stop": PROTECTION_OFF,
        },
    ),
    program("debsums rpmverify pkgcheck paccheck needrestart checkrestart", LOOK),
    program("sestatus getenforce selinuxenabled aa-status getsebool matchpathcon", LOOK),
    program("faillog", LOOK, acting={"-r --reset": BLINDED}),
    setting(
        "usbguard",
        PROTECTION_SET,
        subs={
            "list-devices list-rules watch": LOOK,
        },
    ),
    setting("etckeeper", PROTECTION_SET, subs={"unclean vcs list-installed": LOOK}),
)
