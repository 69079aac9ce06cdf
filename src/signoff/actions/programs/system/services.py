"""Services and jobs: service managers of Linux, BSD and macOS, process supervisors, schedules.

Looking is free; starting, stopping and enabling is asked about. Power commands of a service
manager act on the machine. A schedule plants what runs later by itself.
"""

from __future__ import annotations

from collections.abc import Iterator

from signoff.actions.operation import Reach, Thing, Trait, Verb
from signoff.actions.programs.acts import Act, Effect, On, remote
from signoff.actions.programs.call import Call
from signoff.actions.programs.lexicon import words
from signoff.actions.programs.program import Program, program
from signoff.actions.programs.system.deeds import (
    INERT,
    LATER,
    LOOK,
    SERVICE,
    SERVICE_SET,
    SYSTEM_SET,
    setting,
)
from signoff.actions.programs.system.power import power

JOBS_GONE = Act(
    Verb.DELETE, Thing.SERVICE, On.NOTHING, reach=Reach.SYSTEM, reversible=False, always=True
)
CONTAINER_GONE = Act(
    Verb.DELETE, Thing.CONTAINER, reach=Reach.SYSTEM, reversible=False, always=True
)
OWN_JOB = Act(Verb.CONTROL, Thing.PROCESS, On.OPERANDS, reach=Reach.PROJECT, always=True)

SYSTEMCTL_LOOKS = (
    "status show cat list-units list-unit-files list-timers list-sockets list-jobs list-machines "
    "list-dependencies list-automounts list-paths is-active is-enabled is-failed "
    "is-system-running get-default help show-environment whoami"
)
POWER_OFF = words("poweroff halt kexec switch-root")
RESTARTING = words(
    "reboot soft-reboot suspend hibernate hybrid-sleep rescue emergency default "
    "suspend-then-hibernate sleep isolate exit"
)
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


def service_manager(call: Call) -> Iterator[Effect]:
    """`systemctl`: with `-H` on another machine, with `--user` for this user."""
    what = call.texts[0] if call.operands else "list-units"
    target = " ".join(call.texts[1:])
    host = call.value("-H", "--host")
    bare = what in SHOWN_BARE and len(call.operands) < (3 if "service-log" in what else 2)
    if what in words(SYSTEMCTL_LOOKS) or bare or (what == "kill" and "help" in call.texts):
        yield call.operation(Verb.READ, Thing.SERVICE, target)
    elif host is not None:
        act = remote(Verb.CONTROL, Thing.SERVICE)
        yield from call.perform(act)
    elif what in POWER_OFF | RESTARTING:
        yield from power(call, off=what in POWER_OFF)
    elif what in SYSTEMCTL_CONTROL:
        yield call.operation(
            Verb.CONTROL, Thing.SERVICE, target, reach=Reach.SYSTEM, reversible=True
        )
    else:
        yield from _configured(call, what, target)


PROTECTIVE = (
    "ufw",
    "firewalld",
    "auditd",
    "apparmor",
    "clamav",
    "fail2ban",
    "nftables",
    "iptables",
    "rsyslog",
    "systemd-journald",
    "crowdsec",
    "falcon-sensor",
    "osqueryd",
    "wazuh",
    "ossec",
    "clamd",
    "falco",
    "syslog",
    "selinux",
)
STOPPING = words("stop disable mask kill unload remove bootout off")


def _configured(call: Call, what: str, target: str) -> Iterator[Effect]:
    thing = Thing.SERVICE if what in SYSTEMCTL_SET else Thing.SETTING
    yield call.operation(Verb.CONFIGURE, thing, target, reach=Reach.SYSTEM, reversible=True)


def protection_stopped(call: Call) -> Iterator[Effect]:
    """A service that protects is stopped or switched off."""
    texts = call.texts
    if STOPPING.isdisjoint(texts):
        return
    for text in texts:
        name = text.removesuffix(".service").lower()
        if name.startswith(PROTECTIVE):
            yield call.operation(
                Verb.CONFIGURE,
                Thing.PROTECTION,
                name,
                traits=(Trait.WEAKENS,),
                reach=Reach.SYSTEM,
                reversible=False,
            )


def old_service(call: Call) -> Iterator[Effect]:
    """`service NAME ACTION`, `rc-service NAME ACTION`, `sv ACTION NAME`."""
    texts = set(call.texts)
    if call.has("--status-all", "-l", "--list", "-e", "--exists", "-r") or not texts:
        yield call.operation(Verb.READ, Thing.SERVICE)
    elif texts & {"status", "describe", "ineed", "iuse", "needsme", "usesme", "check", "list"}:
        yield call.operation(Verb.READ, Thing.SERVICE, " ".join(call.texts))
    else:
        yield from call.perform(SERVICE)


def crontab(call: Call) -> Iterator[Effect]:
    """`crontab`: lists, deletes, edits, or takes a file or its input."""
    if call.has("-l", "-T"):
        yield call.operation(Verb.READ, Thing.SERVICE, "scheduled jobs")
    elif call.has("-r"):
        yield from call.perform(JOBS_GONE)
    elif call.has("-e") or call.operands or call.command.stdin is not None:
        yield from (call.on_file(Verb.READ, w) for w in call.operands if w.text != "-")
        yield call.operation(
            Verb.PERSIST, Thing.SERVICE, "scheduled jobs", reach=Reach.SYSTEM, reversible=False
        )
    else:
        yield call.operation(Verb.READ, Thing.SERVICE, "scheduled jobs")


def schedule(call: Call) -> Iterator[Effect]:
    """`at TIME`: runs later; `-l` lists, `-r` and `-d` take jobs out."""
    if call.has("-l", "-c", "-V"):
        yield call.operation(Verb.READ, Thing.SERVICE, "scheduled jobs")
    elif call.has("-r", "-d"):
        yield call.operation(
            Verb.DELETE, Thing.SERVICE, " ".join(call.texts), reach=Reach.SYSTEM, reversible=False
        )
    else:
        yield from call.perform(LATER)


PROGRAMS: tuple[Program, ...] = (
    program(
        "systemctl",
        handler=service_manager,
        prelude=protection_stopped,
        values="-t --type --state -H --host -M --machine -p --property -n --lines -o --output "
        "-s --signal --root --job-mode -P",
        harmless="--dry-run",
    ),
    program(
        "service rc-service invoke-rc.d sv svc initctl openrc-service runsvctl svcadm s6-svc s6-rc",
        handler=old_service,
        prelude=protection_stopped,
    ),
    setting("stop restart reload", SERVICE),
    program("rc-status svcs svstat chkservice", LOOK),
    setting(
        "rc-update update-rc.d chkconfig sysv-rc-conf ntsysv inetd xinetd",
        SERVICE_SET,
        bare=LOOK,
        prelude=protection_stopped,
        subs={"show": LOOK},
        acting={"--list": LOOK},
    ),
    setting(
        "herd shepherd dinitctl",
        SERVICE,
        subs={
            "status detailed-status doc list log": LOOK,
        },
    ),
    setting(
        "supervisorctl circusctl",
        SERVICE,
        subs={
            "status tail maintail avail pid version help fg": LOOK,
            "shutdown": SERVICE_SET,
        },
    ),
    setting(
        "supervisord runsv runsvdir svscan crond cron cronie fcron atd anacron runit "
        "systemd-stdio-bridge openrc launchd daemon start-stop-daemon daemonize",
        SERVICE,
        harmless="-t --test -T",
        acting={"-n": SERVICE},
    ),
    setting(
        "pueued honcho goreman mprocs",
        OWN_JOB,
        subs={
            "list logs check status": LOOK,
            "stopall": Act(
                Verb.CONTROL,
                Thing.PROCESS,
                On.NOTHING,
                frozenset({Trait.BY_PATTERN}),
                Reach.PROJECT,
                always=True,
            ),
        },
    ),
    setting(
        "pueue",
        OWN_JOB,
        subs={
            "status log follow format-status completions help wait": LOOK,
            "remove rm clean reset kill": OWN_JOB,
            "group": OWN_JOB,
        },
    ),
    setting("tsp ts task-spooler nq fq", OWN_JOB),
    program("crontab scrontab fcrontab", handler=crontab, values="-u -s"),
    program("at batch", handler=schedule, values="-f -t -q", reads="-f"),
    program("atq", LOOK),
    program(
        "systemd-dissect", LOOK, acting={"-m --mount -M -u --umount -U --attach --copy-to": SERVICE}
    ),
    program("atrm", Act(Verb.DELETE, Thing.SERVICE, reach=Reach.SYSTEM, always=True)),
    program("run-parts", Act(Verb.EXECUTE, Thing.CODE, On.FIRST), harmless="--test --list"),
    setting("systemd-run", SERVICE, harmless="--version"),
    program(
        "systemd-analyze",
        LOOK,
        subs={
            "set-log-level set-log-target service-watchdogs log-level": SYSTEM_SET,
        },
    ),
    program("systemd-cat logger systemd-notify", INERT),
    setting(
        "systemd-tmpfiles systemd-sysusers systemd-hwdb systemd-firstboot systemd-confext "
        "systemd-machine-id-setup systemd-sysext systemd-random-seed",
        SYSTEM_SET,
        harmless="--dry-run --cat-config --print --json",
        acting={
            "--remove --purge": Act(
                Verb.DELETE, Thing.SETTING, On.NOTHING, reach=Reach.SYSTEM, always=True
            )
        },
    ),
    program(
        "systemd-creds",
        Act(Verb.READ, Thing.CREDENTIAL, On.OPERANDS, frozenset({Trait.READS_SECRET}), always=True),
        subs={"list has-tpm2": LOOK, "setup encrypt": SYSTEM_SET},
    ),
    setting(
        "machinectl portablectl systemd-nspawn",
        SERVICE,
        subs={
            "list status show list-images image-status show-image inspect is-attached": LOOK,
            "remove": CONTAINER_GONE,
        },
        acting={"--validate --list": LOOK},
    ),
    program(
        "busctl dbus-monitor qdbus dbus-daemon bustle",
        LOOK,
        subs={
            "call set-property emit": SERVICE,
        },
    ),
    setting("dbus-send", SERVICE),
    program("gdbus", LOOK, subs={"call emit": SERVICE}),
    setting(
        "apache2ctl apachectl httpd apache2",
        SERVICE,
        acting={"-M -S -t -l -L -V -v -D": LOOK},
        subs={"configtest status fullstatus": LOOK},
    ),
    setting(
        "nginx openresty haproxy varnishd lighttpd",
        SERVICE,
        acting={"-t -T -v -V -c -q": LOOK, "-s": SERVICE},
    ),
    setting(
        "a2enmod a2dismod a2ensite a2dissite a2enconf a2disconf phpenmod phpdismod "
        "nginx_ensite nginx_dissite",
        SERVICE_SET,
    ),
    program("a2query phpquery", LOOK),
    setting(
        "postfix exim dovecot postmulti",
        SERVICE,
        subs={"status check": LOOK},
        acting={"-bp -bP -bV": LOOK},
    ),
    program("postconf doveconf", LOOK, acting={"-e -X -M -F": SERVICE_SET}),
    program("postqueue mailq exiqgrep mailstats", LOOK, acting={"-f -i -s": SERVICE}),
    setting(
        "postsuper",
        SERVICE,
        acting={"-d": Act(Verb.DELETE, Thing.MESSAGE, On.NOTHING, reach=Reach.SYSTEM, always=True)},
        values="-d -h -H -r",
    ),
    setting(
        "prosodyctl ejabberdctl asterisk",
        SERVICE,
        subs={
            "status check about help": LOOK,
            "deluser unregister": Act(Verb.DELETE, Thing.ACCOUNT, reach=Reach.SYSTEM, always=True),
        },
    ),
    setting(
        "zabbix_server zabbix_agent2 zabbix_agentd nagios4 nagios collectd snmpd "
        "slurmdbd slurmctld slurmd ntpd chronyd sshd vsftpd proftpd smbd nmbd named unbound "
        "dnsmasq dhcpd udhcpd tftpd minidlna mpd icecast squid privoxy cupsd avahi-daemon "
        "pipewire-pulse guacd beanstalkd vpnd babeld bird knotd transmission-daemon",
        SERVICE,
        harmless="-t -T --test --check-config",
    ),
)
