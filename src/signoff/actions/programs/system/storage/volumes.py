"""Volumes: LVM, ZFS, btrfs, software RAID, encrypted disks, stratis, ceph on this machine.

Removing a volume, a pool or a snapshot destroys it; creating one over a disk destroys what was
there; the rest changes how the machine stores.
"""

from __future__ import annotations

from collections.abc import Iterator

from signoff.actions.operation import Reach, Thing, Verb
from signoff.actions.programs.acts import Act, Effect, system
from signoff.actions.programs.call import Call
from signoff.actions.programs.lexicon import words
from signoff.actions.programs.program import Program, program, sub
from signoff.actions.programs.system.deeds import (
    BACKUP_GONE,
    DEVICE_CONTROL,
    DEVICE_SET,
    DISK_LOST,
    INERT,
    LOOK,
    reading,
    setting,
)

RAID_LOOKS = tuple(words("-D --detail -E --examine -Q --query --detail-platform -F --monitor"))
VOLUME_LOST = system(Verb.DELETE, Thing.DEVICE)


def destroyed(call: Call) -> Iterator[Effect]:
    """`zfs destroy`: a name with `@` is a snapshot, the rest a file system with its data."""
    if call.has("-n"):
        yield call.operation(Verb.INERT, Thing.NOTHING)
        return
    for word in call.operands:
        thing = Thing.BACKUP if "@" in word.text else Thing.DEVICE
        yield call.operation(Verb.DELETE, thing, word.text, reach=Reach.SYSTEM, reversible=False)


def raid(call: Call) -> Iterator[Effect]:
    """`mdadm`: looks, assembles, creates over disks, zeroes."""
    if call.has(*RAID_LOOKS):
        act = LOOK
    elif call.has("--zero-superblock", "-C", "--create", "--build", "-B"):
        act = DISK_LOST
    else:
        act = DEVICE_SET
    yield from call.perform(act)


LVM: dict[str, Act] = {
    "lvremove vgremove pvremove lvreduce vgreduce": VOLUME_LOST,
    "vgcfgrestore lvm_import_vdo lvcreate vgcreate lvextend vgextend lvresize lvconvert "
    "lvchange vgchange lvrename vgrename pvcreate pvresize pvmove pvchange "
    "vgmerge vgsplit vgimport vgexport vgmknodes vgscan "
    "vgimportclone vgimportdevices lvmpolld lvmdevices lvmconfig vgck": DEVICE_SET,
    "lvmdiskscan pvck lvmdump vgcfgbackup pvs vgs lvs pvdisplay vgdisplay "
    "lvdisplay pvscan lvscan formats segtypes fullreport": LOOK,
}

BTRFS = {
    "subvolume": setting(
        "",
        DEVICE_SET,
        subs={
            "list show find-new get-default sync": LOOK,
            "delete": BACKUP_GONE,
            "create snapshot set-default": DEVICE_SET,
        },
    ),
    "filesystem": setting(
        "",
        DEVICE_SET,
        subs={"df show usage du sync commit-stats": LOOK, "resize label": DEVICE_SET},
    ),
    "device": setting(
        "", DEVICE_SET, subs={"stats scan ready usage": LOOK, "delete remove": DISK_LOST}
    ),
    "scrub balance": setting("", DEVICE_SET, subs={"status": LOOK, "limit": LOOK}),
    "inspect-internal": LOOK,
    "property": setting("", DEVICE_SET, subs={"get list": LOOK}),
    "qgroup quota": setting("", DEVICE_SET, subs={"show status": LOOK}),
    "check": sub(LOOK, acting={"--repair --init-csum-tree --init-extent-tree": DEVICE_SET}),
    "rescue replace": DEVICE_SET,
    "restore send": LOOK,
    "receive": DEVICE_SET,
    "help version": INERT,
}

PROGRAMS: tuple[Program, ...] = (
    *(setting(names, act, harmless="-t --test") for names, act in LVM.items()),
    setting("lvm", DEVICE_SET, subs={**LVM, "version help dumpconfig config": LOOK}),
    setting(
        "zfs",
        DEVICE_SET,
        subs={
            "list get diff holds userspace groupspace version send": LOOK,
            "destroy": sub(handler=destroyed),
            "rollback": DISK_LOST,
            "create snapshot snap clone set inherit mount unmount umount share unshare rename "
            "promote receive recv hold release bookmark allow unallow upgrade load-key unload-key "
            "change-key": DEVICE_SET,
        },
    ),
    setting(
        "zpool",
        DEVICE_SET,
        subs={
            "list status iostat get history events version wait": LOOK,
            "destroy labelclear remove detach": DISK_LOST,
            "create": reading(DISK_LOST),
            "add": reading(DEVICE_SET),
            "import export scrub clear online offline replace attach set upgrade trim split "
            "initialize resilver reopen reguid checkpoint": DEVICE_SET,
        },
    ),
    setting(
        "btrfs",
        DEVICE_SET,
        subs={
            **BTRFS,
            **{
                short: BTRFS[long]
                for short, long in (
                    ("su", "subvolume"),
                    ("sub", "subvolume"),
                    ("fi", "filesystem"),
                    ("dev", "device"),
                    ("bal", "scrub balance"),
                )
            },
        },
    ),
    program("mdadm", handler=raid, values="-l --level -n --raid-devices -x -e -N --name"),
    setting(
        "cryptsetup",
        DEVICE_SET,
        values="-c --cipher -s --key-size -h --hash -d --key-file --type -S --key-slot --header",
        subs={
            "luksFormat format luksErase erase luksKillSlot luksRemoveKey reencrypt "
            "luksHeaderRestore": DISK_LOST,
            "isLuks luksDump luksUUID status benchmark tcryptDump": LOOK,
            "open luksOpen close luksClose plainOpen create remove resize suspend luksSuspend "
            "luksResume luksAddKey luksChangeKey luksConvertKey config convert repair token "
            "luksHeaderBackup refresh": DEVICE_SET,
        },
    ),
    setting(
        "systemd-cryptsetup systemd-cryptenroll cryptdisks_start cryptdisks_stop clevis "
        "veritysetup integritysetup tcplay",
        DEVICE_SET,
        harmless="--help",
    ),
    setting(
        "veracrypt truecrypt zuluCrypt-cli tomb",
        DEVICE_SET,
        subs={
            "list help": LOOK,
        },
        acting={"--list -l": LOOK, "-c --create": DEVICE_SET},
    ),
    setting(
        "fscrypt encfs gocryptfs ecryptfs-setup-private cryfs encfsctl",
        DEVICE_SET,
        subs={
            "status info": LOOK,
            "lock unlock": DEVICE_CONTROL,
        },
    ),
    setting(
        "stratis",
        DEVICE_SET,
        subs={
            "pool filesystem fs blockdev": setting(
                "",
                DEVICE_SET,
                subs={
                    "list": LOOK,
                    "destroy": DISK_LOST,
                },
            ),
            "report daemon": LOOK,
        },
    ),
    setting(
        "vdo vdostats vdoformat bcache make-bcache bcachefs",
        DEVICE_SET,
        subs={
            "status list": LOOK,
            "remove format": DISK_LOST,
        },
    ),
    setting("multipath multipathd", DEVICE_SET, acting={"-l -ll -v2": LOOK}),
    program("zramctl", LOOK, acting={"-f --find -r --reset -s --size": DEVICE_SET}),
    setting("zerofree", DEVICE_SET),
    setting("virt-sparsify virt-resize virt-filesystems guestfish guestmount", DEVICE_SET),
)
