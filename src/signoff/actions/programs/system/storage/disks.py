"""Disks and partitions: tables, signatures, formats, checks.

Whatever writes to a disk, a partition or their table is a loss nobody can give back. A file with
an image of a disk is a file.
"""

from __future__ import annotations

from collections.abc import Iterator

from signoff.actions.operation import Reach, Thing, Verb
from signoff.actions.programs.acts import Effect
from signoff.actions.programs.call import Call
from signoff.actions.programs.lexicon import words
from signoff.actions.programs.program import Handler, Program, program
from signoff.actions.programs.system.deeds import (
    DEVICE_CONTROL,
    DEVICE_SET,
    DISK_LOST,
    INERT,
    LOOK,
    device_like,
    on_device,
    setting,
)
from signoff.actions.shell.command import Word


def formats(call: Call) -> Iterator[Effect]:
    """`mkfs`: what was on the disk is gone; an image file is only written."""
    if call.has("-n") and call.name.endswith(EXTENDED) and not call.has("-F"):
        yield call.operation(Verb.READ, Thing.DEVICE, " ".join(call.texts))
        return
    for word in _targets(call):
        if word.text.isdigit():
            continue
        verb = Verb.DELETE if device_like(call, word) else Verb.WRITE
        yield on_device(call, verb, word)
    if not _targets(call):
        yield call.operation(Verb.INERT, Thing.NOTHING)


EXTENDED = ("mke2fs", "ext2", "ext3", "ext4")


def _targets(call: Call) -> tuple[Word, ...]:
    """The operands, and devices that an option took although another tool's option would not."""
    taken = (o.value for o in call.options if o.value is not None)
    return call.operands + tuple(w for w in taken if w.text.startswith("/dev/"))


def table(*looking: str) -> Handler:
    """Make the handler of a partition editor: some options only look, the rest changes."""

    def run(call: Call) -> Iterator[Effect]:
        if call.has(*looking) or not (call.operands or call.options):
            yield call.operation(Verb.READ, Thing.DEVICE, " ".join(call.texts))
            return
        for word in call.operands[-1:] or (Word(text="a disk", is_known=False),):
            yield on_device(call, Verb.WRITE, word)

    return run


PARTED_LOOKS = words("print help version select unit quit align-check p")


def editor(call: Call) -> Iterator[Effect]:
    """`fdisk DISK`: nothing happens until it is given commands, here by standard input."""
    if call.has("-l", "--list", "-s", "--getsz", "-x", "--list-details", "-V") or not call.operands:
        yield call.operation(Verb.READ, Thing.DEVICE, " ".join(call.texts))
    elif call.command.stdin is not None:
        yield on_device(call, Verb.WRITE, call.operands[-1])
    else:
        yield from call.perform(DEVICE_SET)


def parted(call: Call) -> Iterator[Effect]:
    """`parted DEVICE COMMAND...`."""
    if call.has("-l", "--list"):
        yield call.operation(Verb.READ, Thing.DEVICE)
        return
    given = set(call.texts[1:2])
    if given and given <= PARTED_LOOKS:
        yield call.operation(Verb.READ, Thing.DEVICE, call.texts[0])
        return
    for word in call.operands[:1] or (Word(text="a disk", is_known=False),):
        yield on_device(call, Verb.WRITE, word)


def wipes(call: Call) -> Iterator[Effect]:
    """`wipefs`: lists signatures unless it is told to erase them."""
    if call.has("-n", "--no-act") or not call.has("-a", "--all", "-o", "--offset", "-af"):
        yield call.operation(Verb.READ, Thing.DEVICE, " ".join(call.texts))
        return
    for word in _targets(call):
        yield on_device(call, Verb.DELETE, word)


def checks(call: Call) -> Iterator[Effect]:
    """`fsck`: with `-n` and the like it only looks, else it may repair."""
    looking = call.has("-n", "-N", "--no-modify", "-nf", "--readonly", "--check", "-l", "--dry-run")
    repairs = call.has("-a", "-y", "-p", "--repair", "--auto", "-A", "-w", "-M")
    if looking or not repairs:
        yield call.operation(Verb.READ, Thing.DEVICE, " ".join(call.texts))
    else:
        yield call.operation(Verb.CONFIGURE, Thing.DEVICE, " ".join(call.texts), reach=Reach.SYSTEM)


def bad_blocks(call: Call) -> Iterator[Effect]:
    """`badblocks`: reads, but `-w` overwrites and `-n` rewrites."""
    for word in call.operands[:1]:
        if call.has("-w"):
            yield on_device(call, Verb.DELETE, word)
        elif call.has("-n"):
            yield call.operation(Verb.CONFIGURE, Thing.DEVICE, word.text, reach=Reach.SYSTEM)
        else:
            yield call.operation(Verb.READ, Thing.DEVICE, word.text)
    yield from (call.on_file(Verb.WRITE, w) for w in call.values("-o"))


def drive(call: Call) -> Iterator[Effect]:
    """`hdparm`: shows settings; erasing and writing options destroy."""
    erasing = any(
        o.name.startswith(("--security-erase", "--trim-sector", "--write-sector", "--make-bad"))
        or o.name in {"--dco-restore", "--sanitize-block-erase", "--sanitize-crypto-scramble"}
        for o in call.options
    )
    looks = {"-i", "-I", "-t", "-T", "-g", "-C", "-v", "-tT", "-Tt", "--direct", "--verbose", "-H"}
    for word in call.operands[-1:]:
        if erasing:
            yield on_device(call, Verb.DELETE, word)
        elif all(o.name in looks or (o.value is None and len(o.name) == 2) for o in call.options):
            yield call.operation(Verb.READ, Thing.DEVICE, word.text)
        else:
            yield call.operation(Verb.CONFIGURE, Thing.DEVICE, word.text, reach=Reach.SYSTEM)


def label(call: Call) -> Iterator[Effect]:
    """`e2label DISK`: one operand shows the label, more change it."""
    looking = len(call.operands) < 2 and all(o.name in LABEL_LOOKS for o in call.options)
    yield from call.perform(LOOK if looking else DEVICE_SET)


LABEL_LOOKS = words("-l -u --uuid --label -i --print-label --print-guid --print-serial")


def image(call: Call) -> Iterator[Effect]:
    """Copies between disks and images: `-s` source, `-o` or the last word is overwritten."""
    for word in call.values("-s", "--source"):
        yield call.operation(Verb.READ, Thing.DEVICE, word.text)
    outputs = call.values("-o", "--output", "-O", "--overwrite", "-t", "--target", "-T")
    for word in outputs or call.operands[-1:]:
        verb = Verb.DELETE if device_like(call, word) else Verb.WRITE
        yield on_device(call, verb, word)


MAKERS = (
    "mkfs mkfs.ext2 mkfs.ext3 mkfs.ext4 mkfs.xfs mkfs.btrfs mkfs.vfat mkfs.fat mkfs.msdos "
    "mkfs.exfat mkfs.ntfs mkfs.f2fs mkfs.minix mkfs.cramfs mkfs.bfs mkfs.jfs mkfs.reiserfs "
    "mkfs.nilfs2 mkfs.udf mkfs.erofs mkfs.hfsplus mkfs.ocfs2 mkfs.gfs2 mkfs.bcachefs mke2fs "
    "mkntfs mkdosfs mkexfatfs mkudffs newfs newfs_msdos newfs_hfs newfs_apfs mkswap mkreiserfs "
    "mformat fdformat"
)
CHECKERS = (
    "fsck fsck.ext2 fsck.ext3 fsck.ext4 fsck.xfs fsck.vfat fsck.fat fsck.msdos fsck.exfat "
    "fsck.f2fs fsck.btrfs fsck.minix fsck.cramfs fsck.hfs fsck.hfsplus fsck.erofs e2fsck dosfsck "
    "xfs_repair ntfsfix fsck_apfs fsck_hfs fsck_msdos cvfsck reiserfsck jfs_fsck exfatfsck "
    "thin_check"
)

PROGRAMS: tuple[Program, ...] = (
    program(
        MAKERS,
        handler=formats,
        values="-t --type -L --label -b -F -n -i -I -m -N -O -E -T -U --uuid -s -S -f "
        "--sectorsize -d -l -r -R -c -C -M -g -e -D -j -o --data --metadata -p "
        "--pagesize --volume-label --volume-guid --with-uuid --size --cluster-size --sector-size",
    ),
    program(CHECKERS, handler=checks, values="-t -C -b -B -E -j -L -l"),
    program("fdisk gdisk cfdisk cgdisk", handler=editor),
    program(
        "sfdisk",
        handler=table(
            "-l",
            "--list",
            "-d",
            "--dump",
            "-J",
            "--json",
            "-s",
            "--show-size",
            "-V",
            "--verify",
            "-F",
            "--list-free",
            "-T",
            "--list-types",
            "-g",
            "--show-geometry",
            "-n",
            "--no-act",
        ),
    ),
    program(
        "sgdisk",
        handler=table(
            "-p",
            "--print",
            "-i",
            "--info",
            "-v",
            "--verify",
            "-L",
            "--list-types",
            "-O",
            "--print-mbr",
            "-E",
            "-F",
            "-f",
            "-P",
            "--pretend",
            "-b",
            "--backup",
        ),
        values="-i --info",
        writes="-b --backup",
    ),
    program("parted", handler=parted, values="-a --align"),
    setting("gparted kpart gnome-disks", DEVICE_SET),
    setting("partprobe", DEVICE_SET, harmless="-d --dry-run -s --summary -h"),
    setting("partx", DEVICE_SET, harmless="-s --show -l --list -h"),
    setting("kpartx", DEVICE_SET, harmless="-l"),
    setting("delpart addpart resizepart", DISK_LOST),
    program("wipefs", handler=wipes, values="-t --types -o --offset"),
    program("blkdiscard", handler=formats, values="-o -l --offset --length -p"),
    setting("blkzone", DISK_LOST, subs={"report capacity": LOOK}),
    setting(
        "blockdev",
        DEVICE_SET,
        acting={
            "--getsize64 --getsz --getro --getss --getbsz --getra --report": LOOK,
        },
    ),
    program("badblocks", handler=bad_blocks, values="-b -c -e -d -i -o -p -t"),
    program("nwipe", handler=formats, values="--method -m --verify -r -p --logfile -l"),
    setting("sfill sswap", DEVICE_SET),
    program("hdparm", handler=drive, values="-B -S -M -W -a -A --fibmap --read-sector -p -X -K"),
    setting("sdparm", DEVICE_SET, acting={"-a --all -g --get -i --inquiry -e --enumerate": LOOK}),
    program(
        "smartctl",
        LOOK,
        acting={
            "-s --smart -o --offlineauto -S --saveauto --set -X --abort": DEVICE_CONTROL,
            "-t --test": DEVICE_CONTROL,
        },
        values="-d --device -l --log -n --nocheck",
    ),
    setting(
        "nvme",
        DEVICE_SET,
        subs={
            "list list-ns list-subsys list-ctrl smart-log id-ctrl id-ns error-log fw-log show-regs "
            "get-feature get-log version help effects-log endurance-log telemetry-log ns-descs "
            "device-self-test-log sanitize-log": LOOK,
            "format sanitize write-zeroes write write-uncor dsm delete-ns create-ns": DISK_LOST,
            "zns": DEVICE_SET,
        },
    ),
    program(
        "tune2fs e2label tune.exfat exfatlabel ntfslabel fatlabel dosfslabel xfs_admin swaplabel "
        "mlabel btrfstune tune.f2fs ntfstune e2mmpstatus",
        handler=label,
        values="-L -U -c -m -o -O -E -r -j -e",
    ),
    setting(
        "resize2fs xfs_growfs ntfsresize fatresize btrfs-convert e2undo e2image e4defrag "
        "xfs_fsr fstrim growpart resize.f2fs e4crypt xfs_io xfs_metadump xfs_freeze fsfreeze "
        "fsadm",
        DEVICE_SET,
        harmless="--dry-run --no-action",
    ),
    setting("xfs_quota edquota setquota quotaon quotaoff quotactl", DEVICE_SET),
    program("debugfs debugreiserfs xfs_db", LOOK, acting={"-w": DEVICE_SET}),
    setting(
        "testdisk photorec extundelete foremost scalpel ext4magic",
        DEVICE_SET,
        harmless="-list /list",
    ),
    program(
        "partclone.ext4 partclone.xfs partclone.btrfs partclone.ntfs partclone.fat "
        "partclone.dd partclone.restore partimage fsarchiver clonezilla ocs-sr ntfsclone "
        "bmaptool asr",
        handler=image,
        values="-s --source -o --output -O -t --target -T",
    ),
    setting("ventoy ventoy.sh", DISK_LOST, values="-r -L", acting={"-l": LOOK, "-u": DEVICE_SET}),
    setting("f3write f3probe f3fix", DEVICE_SET),
    program("f3read f3brew", LOOK),
    setting(
        "eject cdrecord wodim growisofs cdrdao cd-paranoia cdparanoia burn",
        DEVICE_CONTROL,
        harmless="-scanbus -prcap",
    ),
    program("isohybrid", INERT),
    program(
        "iscsiadm",
        LOOK,
        acting={"-o --op -l --login -u --logout -R --rescan -s": DEVICE_SET},
        values="-m --mode -t --type -p --portal -T --targetname -n -v -P --print",
    ),
    setting("sg_format sg_sanitize sg_write_same sg_unmap", DISK_LOST),
    setting(
        "sg_raw blkpr scsi_stop sg_start nbd-client losetup",
        DEVICE_SET,
        acting={"-a --all -l --list -j --associated": LOOK},
    ),
    setting(
        "dmsetup",
        DEVICE_SET,
        subs={
            "ls info status table deps targets version splitname": LOOK,
            "remove remove_all wipe_table clear": DISK_LOST,
        },
    ),
    setting(
        "mt mtx st",
        DEVICE_CONTROL,
        values="-f",
        subs={
            "status tell stshowoptions": LOOK,
            "erase": DISK_LOST,
        },
    ),
    setting(
        "udevadm",
        DEVICE_CONTROL,
        subs={
            "info monitor test test-builtin settle verify wait lock": LOOK,
            "trigger control hwdb": DEVICE_CONTROL,
        },
    ),
    setting(
        "udisksctl gnome-disk-utility udiskie udiskie-umount",
        DEVICE_CONTROL,
        subs={
            "status info dump monitor": LOOK,
            "power-off": DEVICE_CONTROL,
        },
    ),
    setting(
        "fwupdmgr fwupdtool",
        DEVICE_SET,
        subs={
            "get-devices get-updates get-history get-remotes get-details get-results get-topology "
            "get-upgrades get-releases get-plugins hwids security verify check-reboot-needed "
            "esp-list get-bios-settings monitor": LOOK,
            "refresh": LOOK,
        },
    ),
    setting(
        "esptool.py esptool st-flash dfu-util avrdude openocd flashrom bossac picotool "
        "rkdeveloptool heimdall dfu-programmer",
        DEVICE_SET,
        subs={
            "info read_mac chip_id flash_id reset image_info": LOOK,
        },
    ),
)
