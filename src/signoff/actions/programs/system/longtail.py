"""Single tools that belong to no larger family, and those of Android and BSD."""

from __future__ import annotations

from signoff.actions.operation import Reach, Thing, Trait, Verb
from signoff.actions.programs.acts import Act, On, reads, writes
from signoff.actions.programs.program import Program, program
from signoff.actions.programs.system.deeds import (
    BLINDED,
    DEVICE_CONTROL,
    DEVICE_SET,
    DISK_LOST,
    INERT,
    INSTALLED,
    LOOK,
    MACHINE,
    MESSAGE,
    NETWORK_SET,
    REMOVED,
    SERVICE,
    SERVICE_SET,
    SHOWS_SECRET,
    SYSTEM_SET,
    WORKS,
    setting,
)

SYNCED = Act(
    Verb.NETWORK_OUT,
    Thing.URL,
    On.OPERANDS,
    frozenset({Trait.SENDS_FILES}),
    Reach.REMOTE,
    reversible=False,
    always=True,
)

PROGRAMS: tuple[Program, ...] = (
    program(
        "os-prober hddtemp i7z ipcs ps_mem whowatch bandwhich fswatch inotifywait inotifywatch "
        "manpath debsecan findfs peekfd pathchk pinout i3status uuidparse "
        "lsclocks psrinfo prtconf prstat kextfind kextstat "
        "hwloc-info lstopo-no-graphics numademo ibstat opreport latencytop "
        "sysprof-cli memusage mprof xrestop nvidia-smi rocm-smi nvitop "
        "gpustat amdgpu_top zenmonitor cpu-x s-tui getprop dumpsys bugreport "
        "bugreportz logread getevent evtest "
        "jstest-list termux-info rig showrgb xlsatoms",
        INERT,
    ),
    program("unshadow", SHOWS_SECRET),
    setting("powertop", SYSTEM_SET, bare=LOOK, writes="-r --html -C --csv"),
    program(
        "perf trace-cmd bpftool bcc oprofile",
        WORKS,
        subs={
            "top stat list report annotate script diff evlist version help show stack stream": LOOK,
            "prog map link net btf feature": LOOK,
        },
        writes="-o --output",
    ),
    setting("ctrlaltdel", MACHINE),
    setting("archinstall calamares debian-installer", DISK_LOST),
    setting(
        "ndctl daxctl ipmctl ledctl",
        DEVICE_SET,
        subs={"destroy-namespace": DISK_LOST, "list": LOOK},
    ),
    setting("drutil xmount ewfmount affuse vmware-mount cdemu", DEVICE_CONTROL),
    setting("wondershaper trickled iptraf-ng mtr-packet", NETWORK_SET),
    setting(
        "mkhomedir_helper oddjob sysrc hidutil desktop-file-install fwconsole duti chpass",
        SYSTEM_SET,
    ),
    setting(
        "rcctl svccfg devfsadm jail bastille iocage ezjail-admin bhyve vm zoneadm zonecfg",
        SERVICE,
        subs={"ls get list status": LOOK, "destroy delete": DISK_LOST},
    ),
    setting(
        "topgrade downgrade pro ubuntu-advantage",
        INSTALLED,
        subs={"security-status": LOOK},
        harmless="-n",
    ),
    setting(
        "synopkg synoupgrade qpkg_cli",
        INSTALLED,
        subs={"uninstall": REMOVED, "start stop restart": SERVICE},
    ),
    setting("synouser synogroup synoshare synonet synoservice synoacltool", SYSTEM_SET),
    setting(
        "unison mutagen syncthing lsyncd osync freefilesync resilio-sync maestral dropbox "
        "megadl megaput megacmd mega-put onedrive insync nextcloudcmd rclonebrowser "
        "filen gdrive drive skicka grive",
        SYNCED,
        subs={
            "status list ls info help version about ignore filestatus autostart": LOOK,
            "sync": SYNCED,
            "download pull get": LOOK,
        },
    ),
    program(
        "patchelf",
        Act(Verb.WRITE, Thing.FILE, On.LAST),
        values="--set-rpath --add-needed "
        "--replace-needed --remove-needed --set-interpreter --set-soname --output",
        acting={"--print-rpath --print-needed --print-interpreter --print-soname": reads()},
    ),
    program("logsave", writes(On.FIRST)),
    program("dot_clean duperemove", writes()),
    setting(
        "pm",
        INSTALLED,
        subs={
            "path dump": LOOK,
            "uninstall clear": REMOVED,
            "grant revoke hide unhide suspend": SYSTEM_SET,
        },
    ),
    setting("settings content appops ime", SYSTEM_SET),
    program("logcat", LOOK, acting={"-c --clear": BLINDED}),
    program("termux-sms-send termux-telephony-call", MESSAGE),
    program("termux-clipboard-set termux-toast termux-vibrate termux-wake-lock", INERT),
    setting(
        "bluez-tools gnome-control-center systemsettings xfce4-settings-manager tuned "
        "thermald irqbalance",
        SERVICE_SET,
    ),
    program(
        "at-spi2 accessorysensormgrd apfsd appsleepd ocspd systemsoundserverd "
        "secd secinitd watchdogd autofsd",
        INERT,
    ),
)
