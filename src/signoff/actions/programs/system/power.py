"""Power, kernel, boot, clock: what the whole machine stands on.

Switching off or restarting, loading kernel modules, changing what boots is refused; looking at
them is free. The clock and the language are settings of the system.
"""

from __future__ import annotations

from collections.abc import Iterator

from signoff.actions.operation import Reach, Thing, Trait, Verb
from signoff.actions.programs.acts import Act, Effect, On
from signoff.actions.programs.call import Call
from signoff.actions.programs.program import Program, program
from signoff.actions.programs.system.deeds import (
    DEVICE_SET,
    INERT,
    LOOK,
    LOOK_UP,
    MACHINE,
    MACHINE_SET,
    SERVICE_SET,
    SYSTEM_SET,
    setting,
)

RUN_LEVELS = frozenset({"0", "1", "2", "3", "4", "5", "6", "s", "S", "q", "u"})
STATE_TOOLS = Act(Verb.READ, Thing.MACHINE, On.NOTHING, always=True)


RESTART = Act(
    Verb.CONTROL, Thing.SERVICE, On.NOTHING, reach=Reach.SYSTEM, reversible=False, always=True
)
REMOTE_SHELLS = frozenset({"ssh", "mosh", "sshpass", "pdsh", "ansible"})


def power(call: Call, *, off: bool) -> Iterator[Effect]:
    """Switching off, and any of it on another machine, is no small thing; a restart is asked."""
    far = any(carrier.split(" ", 1)[0] in REMOTE_SHELLS for carrier in call.command.carriers)
    yield from call.perform(MACHINE if off or far else RESTART)


def restart(call: Call) -> Iterator[Effect]:
    """`reboot`: with `-p` and `--halt` it switches off."""
    if call.has("-w", "--wtmp-only", "--help"):
        yield call.operation(Verb.INERT, Thing.NOTHING)
    else:
        yield from power(call, off=call.has("-p", "--poweroff", "--halt", "-f", "--force"))


def shutdown(call: Call) -> Iterator[Effect]:
    """`shutdown`: `-c` cancels, `-k` only warns, `/a` cancels on Windows."""
    if call.has("-k", "--show") or "/a" in call.texts:
        yield call.operation(Verb.INERT, Thing.NOTHING)
    elif call.has("-c"):
        yield call.operation(Verb.CONTROL, Thing.SERVICE, "shutdown", reach=Reach.SYSTEM)
    else:
        again = call.has("-r", "--reboot") or "/r" in call.texts
        yield from power(call, off=not again)


def run_level(call: Call) -> Iterator[Effect]:
    """`init 0`, `telinit 6`; `init` of other tools is none of these."""
    if call.operands and call.texts[0] in RUN_LEVELS:
        yield from power(call, off=call.texts[0] == "0")
    else:
        yield from call.perform(RESTART)


def kernel_switches(call: Call) -> Iterator[Effect]:
    """`sysctl`: `-w`, `-p` and `name=value` change, the rest shows."""
    changing = call.has("-w", "--write", "-p", "--load", "--system") or any(
        "=" in text for text in call.texts
    )
    if changing:
        yield call.operation(
            Verb.CONFIGURE,
            Thing.SETTING,
            " ".join(call.texts),
            reach=Reach.SYSTEM,
            reversible=False,
        )
    else:
        yield call.operation(Verb.READ, Thing.MACHINE)


def modules(call: Call) -> Iterator[Effect]:
    """`modprobe`: dry runs and listings look, the rest changes the kernel."""
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
        yield call.operation(Verb.READ, Thing.MACHINE)
    elif call.name in {"insmod", "kldload", "kextload"} or "/" in " ".join(call.texts):
        yield from call.perform(MACHINE)
    else:
        yield call.operation(
            Verb.CONFIGURE,
            Thing.SETTING,
            " ".join(call.texts),
            reach=Reach.SYSTEM,
            reversible=False,
        )


def messages(call: Call) -> Iterator[Effect]:
    """`dmesg`: shows; `-C` and `-c` empty the kernel's record."""
    if call.has("-C", "--clear", "-c", "--read-clear"):
        yield call.operation(
            Verb.DELETE,
            Thing.PROTECTION,
            "kernel messages",
            reach=Reach.SYSTEM,
            traits=(Trait.BLINDS,),
            reversible=False,
        )
    elif call.has("-D", "-E", "-n", "--console-off", "--console-on", "--console-level"):
        yield from call.perform(SYSTEM_SET)
    else:
        yield call.operation(Verb.READ, Thing.MACHINE)


def clock(call: Call) -> Iterator[Effect]:
    """`date`: shows; `-s` and a bare `MMDDhhmm` set the clock."""
    given = [t for t in call.texts if not t.startswith("+")]
    setting = call.has("-s", "--set") or any(t.isdigit() and len(t) >= 8 for t in given)
    for word in call.values("-f", "--file", "-r", "--reference"):
        if not call.has("-j") and not word.text.lstrip("-").isdecimal():
            yield call.on_file(Verb.READ, word)
    if setting and not call.has("-d", "--date", "-j"):
        yield call.operation(
            Verb.CONFIGURE, Thing.MACHINE, "the clock", reach=Reach.SYSTEM, reversible=False
        )
    else:
        yield call.operation(Verb.INERT, Thing.NOTHING)


def hardware_clock(call: Call) -> Iterator[Effect]:
    """`hwclock`: shows; the rest sets one clock from the other."""
    if call.options and not call.has("-r", "--show", "--get", "--verbose", "-v", "--test"):
        yield from call.perform(SYSTEM_SET)
    else:
        yield call.operation(Verb.READ, Thing.MACHINE)


def host_name(call: Call) -> Iterator[Effect]:
    """`hostname`: shows; an operand or a file sets it."""
    if call.operands or call.has("-F", "--file", "-b", "--boot"):
        yield from call.perform(SYSTEM_SET)
    else:
        yield call.operation(Verb.INERT, Thing.NOTHING)


PROGRAMS: tuple[Program, ...] = (
    program("shutdown", handler=shutdown, values="-t"),
    program("reboot", handler=restart),
    setting("nvram", MACHINE_SET, acting={"-p -xp": LOOK}),
    program("poweroff halt fasthalt kexec", MACHINE, harmless="--wtmp-only"),
    setting("sleepnow pm-suspend pm-hibernate pm-powersave rtcwake zzz s2disk apm apmd", RESTART),
    program("init telinit", handler=run_level),
    program("sysctl", handler=kernel_switches, values="-n -N -r"),
    program("modprobe rmmod insmod kldload kldunload kextload kextunload kmutil", handler=modules),
    program("kmod", LOOK, subs={"list static-nodes": LOOK, "insert remove": MACHINE}),
    setting(
        "dkms",
        MACHINE_SET,
        harmless="-n --dry-run status --status",
        subs={"status": LOOK},
    ),
    setting(
        "grub-install grub2-install grub-mkconfig grub2-mkconfig update-grub update-grub2 "
        "grub-set-default grub-reboot grub2-set-default grub2-reboot grub-editenv "
        "grub2-editenv grubby efibootmgr bootctl lilo syslinux extlinux refind-install "
        "kernelstub kernel-install installkernel update-initramfs mkinitcpio dracut mkinitrd "
        "mkinitramfs booster limine limine-entry-tool limine-enroll-config limine-install "
        "limine-update limine-mkinitcpio genkernel eclean-kernel vkpurge rpi-eeprom-config "
        "raspi-config rpi-update bless grub-bios-setup sbctl mokutil "
        "efi-updatevar mhwd-kernel mkinitfs ukify systemd-bless-boot "
        "zipl yaboot silo reloadbootloader",
        MACHINE_SET,
        bare=LOOK,
        harmless="--dry-run --help-all",
        subs={
            "status list is-installed list-kernels verify kernel-identify kernel-inspect "
            "inspect list-files list-enrolled-keys": LOOK
        },
        acting={
            "--hookhelp --listhooks -L --status --list -l --list-enrolled --sb-state "
            "--info "
            "--default-kernel --listkernels --print --list-files": LOOK
        },
        writes="-o --output",
    ),
    program(
        "grub-file grub-script-check grub-mkpasswd-pbkdf2 efivar grub-probe grub-render-label "
        "grub-fstest grub-mkrelpath",
        INERT,
        acting={"-w --write": MACHINE_SET},
    ),
    program("grub-mkrescue grub-mkstandalone grub-mkimage", INERT, writes="-o --output"),
    program("rpi-eeprom-update", LOOK, acting={"-a -d -r -f": MACHINE_SET}),
    program("dmesg", handler=messages, values="-l --level -f --facility -n --time-format"),
    program(
        "date gdate",
        handler=clock,
        values="-d --date -r --reference -s --set -I -f --file -v",
        reads="-r --reference",
    ),
    program("hwclock", handler=hardware_clock),
    program("hostname", handler=host_name, values="-F --file"),
    program("domainname nisdomainname ypdomainname", handler=host_name),
    program(
        "timedatectl",
        LOOK,
        subs={
            "status show show-timesync timesync-status list-timezones": LOOK,
            "set-time set-timezone set-local-rtc set-ntp ntp-servers revert": SYSTEM_SET,
        },
    ),
    program(
        "hostnamectl",
        LOOK,
        subs={
            "status show": LOOK,
            "set-hostname hostname set-icon-name set-chassis set-deployment set-location icon-name "
            "chassis deployment location": SYSTEM_SET,
        },
    ),
    program(
        "localectl",
        LOOK,
        subs={
            "status list-locales list-keymaps list-x11-keymap-models list-x11-keymap-layouts "
            "list-x11-keymap-variants list-x11-keymap-options": LOOK,
            "set-locale set-keymap set-x11-keymap": SYSTEM_SET,
        },
    ),
    setting(
        "ntpdate htpdate rdate",
        SYSTEM_SET,
        harmless="-q -d --debug",
        acting={"-q -d": LOOK_UP},
    ),
    program(
        "chronyc ntpq ntpdc ntpctl",
        LOOK,
        subs={"makestep burst settime offline online add delete": SYSTEM_SET},
    ),
    setting(
        "depmod steamos-bootdebug locale-gen update-locale loadkeys setfont "
        "setupcon kbd_mode kbdrate setkeycodes chcpu chmem cpupower cpufreq-set tuned-adm "
        "powertop2tuned tlp auto-cpufreq x86_energy_perf_policy "
        "undervolt ryzenadj fancontrol nbfc i8kctl wrmsr i2cset setpci "
        "setserial ipcmk ipcrm optimus-manager envycontrol prime-select "
        "switcherooctl-x supergfxctl system76-power zramen earlyoom",
        SYSTEM_SET,
        harmless="-n --dry-run",
        acting={"--status --query -q --list -l -g --info": LOOK},
        subs={"status list query frequency-info info active stat": LOOK},
    ),
    setting("localedef", SYSTEM_SET, acting={"--list-archive": LOOK}),
    program("powerprofilesctl switcherooctl", LOOK, subs={"set": SYSTEM_SET, "launch": INERT}),
    setting(
        "update-alternatives alternatives",
        SYSTEM_SET,
        acting={"--list --display --query --get-selections": LOOK},
    ),
    setting("ldconfig", SYSTEM_SET, acting={"-p --print-cache": LOOK}),
    setting(
        "update-ca-certificates update-ca-trust "
        "update-desktop-database update-mime-database gtk-update-icon-cache fc-cache "
        "update-pciids update-usbids ldconfig.real texhash mktexlsr",
        SYSTEM_SET,
    ),
    program("trust", LOOK, subs={"anchor": SERVICE_SET}),
    program("i2cdump i2cget i2cdetect rdmsr", LOOK),
    setting("criu", DEVICE_SET, subs={"check": LOOK}),
)
