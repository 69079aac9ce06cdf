"""Tools of macOS: disks, services, settings, protections, key chain, backups, firmware."""

from __future__ import annotations

from collections.abc import Iterator

from signoff.actions.operation import Reach, Thing, Trait, Verb
from signoff.actions.programs.acts import Act, Effect, On
from signoff.actions.programs.call import Call
from signoff.actions.programs.program import Program, program, sub
from signoff.actions.programs.system.deeds import (
    ACCOUNT_GONE,
    ACCOUNT_SET,
    BACKUP_GONE,
    BACKUP_THINNED,
    DEVICE_CONTROL,
    DEVICE_SET,
    DISK_LOST,
    INERT,
    LOOK,
    MACHINE_SET,
    NETWORK_SET,
    PROTECTION_OFF,
    PROTECTION_SET,
    SECRET_GONE,
    SECRET_SET,
    SERVICE,
    SYSTEM_SET,
    USER_SET,
    WORKS,
    setting,
)

STOLEN_PASSWORD = Act(
    Verb.READ,
    Thing.FILE,
    On.OPERANDS,
    frozenset({Trait.READS_SECRET}),
    Reach.HOME,
    always=True,
)
CONSENT_RESET = Act(
    Verb.CONFIGURE, Thing.PROTECTION, On.OPERANDS, reach=Reach.SYSTEM, reversible=False, always=True
)


def key_chain(call: Call) -> Iterator[Effect]:
    """`security find-generic-password -w`: the password itself is shown."""
    what = call.texts[0] if call.operands else ""
    shows = what.startswith("find-") and "password" in what and call.has("-w", "-g", "-wa", "-ga")
    if shows or what in {"dump-keychain", "export"}:
        yield from call.perform(STOLEN_PASSWORD)
    elif (
        what.startswith(
            (
                "find-",
                "list-",
                "show-",
                "verify-",
                "default-",
                "login-",
                "error",
                "cms",
                "dump-trust",
                "help",
                "smartcards",
            )
        )
        or not what
    ):
        yield call.operation(Verb.READ, Thing.NOTHING)
    elif what.startswith("delete-"):
        yield from call.perform(SECRET_GONE)
    elif what in {
        "authorizationdb",
        "trust-settings-import",
        "add-trusted-cert",
        "remove-trusted-cert",
    }:
        yield from call.perform(PROTECTION_SET)
    else:
        yield from call.perform(SECRET_SET)


def integrity(call: Call) -> Iterator[Effect]:
    """`csrutil status|disable`, `spctl --master-disable`, `fdesetup disable`."""
    words_ = {*call.texts, *(o.name.lstrip("-") for o in call.options)}
    if words_ & {"disable", "master-disable", "global-disable", "clear", "delete"}:
        yield from call.perform(PROTECTION_OFF)
    elif not words_ or words_ & {
        "status",
        "list",
        "assess",
        "a",
        "isactive",
        "check",
        "report",
        "authenticated-root",
        "supportsauthrestart",
        "help",
    }:
        yield call.operation(Verb.READ, Thing.PROTECTION)
    else:
        yield from call.perform(PROTECTION_SET)


DISK = {
    "list info activity listFilesystems listPartitions verifyDisk verifyVolume": LOOK,
    "mount mountDisk unmount umount unmountDisk eject rename repairDisk repairVolume "
    "repairPermissions enableJournal disableJournal enableOwnership disableOwnership "
    "resizeVolume": DEVICE_CONTROL,
    "eraseDisk eraseVolume reformat eraseOptical zeroDisk randomDisk secureErase partitionDisk "
    "splitPartition mergePartitions addPartition": DISK_LOST,
}

PROGRAMS: tuple[Program, ...] = (
    setting(
        "diskutil",
        DEVICE_SET,
        subs={
            **DISK,
            "apfs": setting(
                "",
                DEVICE_SET,
                subs={
                    "list listSnapshots listUsers listCryptoUsers": LOOK,
                    "deleteContainer deleteVolume deleteVolumeGroup eraseVolume": DISK_LOST,
                    "deleteSnapshot": BACKUP_GONE,
                },
            ),
            "appleRAID ar coreStorage cs": setting(
                "", DEVICE_SET, subs={"list": LOOK, "delete": DISK_LOST, "create": DISK_LOST}
            ),
        },
    ),
    program(
        "hdiutil",
        DEVICE_CONTROL,
        subs={
            "info imageinfo verify checksum help plugins pmap": LOOK,
            "create makehybrid convert compact resize segment": WORKS,
            "attach mount detach unmount eject burn": DEVICE_CONTROL,
            "erasekeys": DISK_LOST,
        },
    ),
    setting(
        "tmutil",
        DEVICE_SET,
        bare=LOOK,
        subs={
            "status listbackups latestbackup destinationinfo machinedirectory compare isexcluded "
            "listlocalsnapshots listlocalsnapshotdates calculatedrift uniquesize version": LOOK,
            "delete deletelocalsnapshots deleteinprogress": BACKUP_GONE,
            "thinlocalsnapshots": BACKUP_THINNED,
            "disable disablelocal stopbackup removedestination": PROTECTION_OFF,
            "startbackup localsnapshot snapshot": SERVICE,
            "restore": DEVICE_SET,
        },
    ),
    program(
        "defaults",
        LOOK,
        subs={
            "read read-type domains find help export": LOOK,
            "write rename import": USER_SET,
            "delete delete-all": Act(
                Verb.DELETE,
                Thing.SETTING,
                On.OPERANDS,
                reach=Reach.HOME,
                reversible=False,
                always=True,
            ),
        },
        options_first=True,
    ),
    program(
        "plutil PlistBuddy",
        LOOK,
        acting={"-convert -replace -insert -remove -create": Act(Verb.WRITE, Thing.FILE, On.LAST)},
        values="-convert -replace -insert -remove -o -extract -c",
    ),
    setting(
        "launchctl",
        SERVICE,
        subs={
            "list print print-cache print-disabled blame plist procinfo hostinfo "
            "resolveport version help managername manageruid getenv dumpstate error": LOOK,
            "reboot": MACHINE_SET,
            "setenv unsetenv config": SYSTEM_SET,
        },
    ),
    program("security", handler=key_chain, values="-a -s -l -D -k -p -U -T -t -f -P -o -j -c -C"),
    program("csrutil spctl fdesetup", handler=integrity),
    setting("tccutil", CONSENT_RESET),
    setting(
        "pmset",
        SYSTEM_SET,
        acting={"-g": LOOK},
        subs={"sleepnow displaysleepnow": SYSTEM_SET},
        values="-g",
    ),
    setting("scutil", LOOK, acting={"--set": SYSTEM_SET, "--get --dns --proxy --nwi -r": LOOK}),
    setting(
        "networksetup",
        NETWORK_SET,
        acting={
            "-listallnetworkservices -listallhardwareports -getinfo -getairportnetwork "
            "-help -version -getdnsservers -getwebproxy -listlocations -getcurrentlocation "
            "-getcomputername -getairportpower -listpreferredwirelessnetworks "
            "-printcommands -listnetworkserviceorder -getmacaddress -getMTU "
            "-getsearchdomains -getsocksfirewallproxy": LOOK,
        },
    ),
    setting(
        "systemsetup",
        SYSTEM_SET,
        acting={
            "-gettimezone -getdate -getsleep -getremotelogin -getcomputername -listtimezones "
            "-getstartupdisk -gettime -getusingnetworktime -help": LOOK
        },
    ),
    setting("mdutil", SYSTEM_SET, acting={"-s -L": LOOK}, bare=LOOK),
    program(
        "mdfind mdimport mddiagnose system_profiler sw_vers ioreg vm_stat sysdiagnose "
        "spindump sample leaks heap vmmap footprint powermetrics fs_usage nettop latency "
        "syslog avbdeviced uttype "
        "diffimg sc_usage serverinfo otool",
        LOOK,
    ),
    program(
        "log",
        LOOK,
        subs={
            "erase": Act(
                Verb.DELETE,
                Thing.PROTECTION,
                On.NOTHING,
                frozenset({Trait.BLINDS}),
                Reach.SYSTEM,
                reversible=False,
                always=True,
            ),
            "config": SYSTEM_SET,
        },
    ),
    program(
        "xattr", LOOK, acting={"-w -d -c -dr -cr -rc -rd": Act(Verb.WRITE, Thing.FILE, On.LAST)}
    ),
    program("codesign", WORKS, acting={"-v -d --verify --display -dv -dvv": LOOK}),
    program(
        "productbuild pkgbuild productsign stapler lipo install_name_tool strip "
        "ditto-x sips afconvert iconutil tiffutil SetFile GetFileInfo "
        "actool ibtool",
        WORKS,
    ),
    setting(
        "dscl dseditgroup sysadminctl dscacheutil dsconfigad createhomedir",
        ACCOUNT_SET,
        subs={
            ".": sub(handler=lambda call: _directory(call)),
            "/Local/Default localhost": sub(handler=lambda call: _directory(call)),
            "read list search": LOOK,
        },
        acting={"-q -flushcache -statistics": LOOK, "-deleteUser": ACCOUNT_GONE},
    ),
    setting("profiles", PROTECTION_SET, subs={"status show list": LOOK}),
    setting(
        "AssetCacheManagerUtil sharing kickstart InternetSharing "
        "systemkeychain dsenableroot startosinstall createinstallmedia",
        SYSTEM_SET,
    ),
    setting(
        "idevicebackup idevicebackup2",
        DEVICE_CONTROL,
        subs={"backup info list": WORKS, "restore erase": DISK_LOST},
    ),
    program(
        "idevice_id ideviceinfo idevicesyslog "
        "idevicedate iproxy idevicecrashreport ideviceimagemounter",
        LOOK,
    ),
    setting(
        "idevicediagnostics idevicerestore idevicename ideviceinstaller",
        DEVICE_CONTROL,
        subs={
            "diagnostics mobilegestalt ioreg ioregentry": LOOK,
            "shutdown restart sleep": DEVICE_CONTROL,
        },
        bare=LOOK,
    ),
    program("say qlmanage screencapture caffeinate pbcopy pbpaste automator shortcuts cal", INERT),
)


def _directory(call: Call) -> Iterator[Effect]:
    """`dscl . -read|-create|-delete PATH`: the command is an option behind the node."""
    if call.has("-delete", "-remove"):
        yield from call.perform(ACCOUNT_GONE)
    elif call.has("-read", "-list", "-search", "-ls", "-cat") or not call.options:
        yield call.operation(Verb.READ, Thing.ACCOUNT)
    else:
        yield from call.perform(ACCOUNT_SET)
