"""Disks, partitions, volumes and mounts: tables, formats, checks, swap, network file systems.

Whatever writes to a disk, a partition or their table is a loss nobody can give back. A file with
an image of a disk is a file. Removing a volume, a pool or a snapshot destroys it; creating one over
a disk destroys what was there; the rest changes how the machine stores.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from signoff.actions.operation import FileKind, Reach, ResourceType, Trait, Verb
from signoff.actions.programs.acts import Effect
from signoff.actions.programs.call import ProgramCall
from signoff.actions.programs.effect_presets import CONFIGURE_DEVICE, DESTROY_DEVICE, INSPECT
from signoff.actions.programs.program import Handler
from signoff.actions.programs.system.operands import device_like, on_device
from signoff.actions.shell.command import Word
from signoff.actions.vocabulary import lazy_re, words


def formats(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `mkfs`: what was on the disk is gone; an image file is only written."""
    # Only mke2fs has `-n` for a dry run; for mkfs.fat and mkfs.exfat it is the volume's name.
    if call.has("-n") and call.name.endswith(EXTENDED) and not call.has("-F"):
        yield call.operation(Verb.READ, ResourceType.DEVICE, " ".join(call.texts))
        return
    for word in _targets(call):
        # The size in blocks that mkfs takes behind the device.
        if word.text.isdigit():
            continue
        verb = Verb.DELETE if device_like(call, word) else Verb.WRITE
        yield on_device(call, verb, word)
    if not _targets(call):
        yield call.operation(Verb.INERT, ResourceType.NOTHING)


EXTENDED = ("mke2fs", "ext2", "ext3", "ext4")


def _targets(call: ProgramCall) -> tuple[Word, ...]:
    """The operands, and devices that an option took although another tool's option would not."""
    taken = (o.value for o in call.options if o.value is not None)
    return call.operands + tuple(w for w in taken if w.text.startswith("/dev/"))


def table(*looking: str) -> Handler:
    """Return the handler of a partition editor.

    Args:
        looking: options that only look; all else changes the disk.
    """

    def run(call: ProgramCall) -> Iterator[Effect]:
        if call.has(*looking) or not (call.operands or call.options):
            yield call.operation(Verb.READ, ResourceType.DEVICE, " ".join(call.texts))
            return
        # Options alone still write to the disk that the tool picks.
        for word in call.operands[-1:] or (Word(text="a disk", is_known=False),):
            yield on_device(call, Verb.WRITE, word)

    return run


# Commands of parted(8) that change nothing, with the number of words behind them.
PARTED_LOOKS = {"print": 0, "p": 0, "help": 1, "version": 0, "select": 1, "unit": 1, "quit": 0}
PARTED_LOOKS["align-check"] = 2
PARTED_SHOWS = words("devices free list all")


def editor(call: ProgramCall) -> Iterator[Effect]:
    """`fdisk DISK`: nothing happens until it is given commands, here by standard input."""
    if call.has("-l", "--list", "-s", "--getsz", "-x", "--list-details", "-V") or not call.operands:
        yield call.operation(Verb.READ, ResourceType.DEVICE, " ".join(call.texts))
    elif call.command.stdin is not None or call.has("-i", "-I", "-B", "-iy", "-Iy", "-iv"):
        # fdisk of the BSDs writes at once with these; Linux's waits for commands on its input.
        yield on_device(call, Verb.WRITE, call.operands[-1])
    else:
        yield from call.perform(CONFIGURE_DEVICE)


def _only_looks(given: Sequence[str]) -> bool:
    """Whether every command that parted is given only looks: `unit s print`."""
    at = 0
    while at < len(given) and given[at] in PARTED_LOOKS:
        size = PARTED_LOOKS[given[at]]
        # `print free`, `print 2`: what is shown may follow.
        shown = given[at + 1 : at + 2] if given[at] in {"print", "p"} else ()
        at += 1 + size + bool(shown and (shown[0] in PARTED_SHOWS or shown[0].isdigit()))
    return bool(given) and at >= len(given)


def parted(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `parted DEVICE COMMAND...`."""
    if call.has("-l", "--list"):
        yield call.operation(Verb.READ, ResourceType.DEVICE)
        return
    if _only_looks(call.texts[1:]):
        yield call.operation(Verb.READ, ResourceType.DEVICE, call.texts[0])
        return
    for word in call.operands[:1] or (Word(text="a disk", is_known=False),):
        yield on_device(call, Verb.WRITE, word)


def wipes(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `wipefs`: lists signatures unless it is told to erase them."""
    # wipefs(8) erases only with `-a` or `-o`.
    if call.has("-n", "--no-act") or not call.has("-a", "--all", "-o", "--offset", "-af"):
        yield call.operation(Verb.READ, ResourceType.DEVICE, " ".join(call.texts))
        return
    for word in _targets(call):
        yield on_device(call, Verb.DELETE, word)


def checks(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `fsck`: with `-n` and the like it only looks, else it may repair."""
    looking = call.has("-n", "-N", "--no-modify", "-nf", "--readonly", "--check", "-l", "--dry-run")
    repairs = call.has("-a", "-y", "-p", "--repair", "--auto", "-A", "-w", "-M")
    # fsck asks before each repair unless one of these answers for it.
    if looking or not repairs:
        yield call.operation(Verb.READ, ResourceType.DEVICE, " ".join(call.texts))
    else:
        yield call.operation(
            Verb.CONFIGURE, ResourceType.DEVICE, " ".join(call.texts), reach=Reach.SYSTEM
        )


def debugger(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `debugfs`: reads, but with `-w` it changes the disk or the image file."""
    if not call.has("-w", "-x"):
        yield call.operation(Verb.READ, ResourceType.DEVICE, " ".join(call.texts))
        return
    for word in call.operands[-1:] or (Word(text="a disk", is_known=False),):
        is_disk = device_like(call, word)
        yield on_device(call, Verb.CONFIGURE if is_disk else Verb.WRITE, word)


def bad_blocks(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `badblocks`: reads, but `-w` overwrites and `-n` rewrites."""
    for word in call.operands[:1]:
        if call.has("-w"):
            yield on_device(call, Verb.DELETE, word)
        elif call.has("-n"):
            yield call.operation(Verb.CONFIGURE, ResourceType.DEVICE, word.text, reach=Reach.SYSTEM)
        else:
            yield call.operation(Verb.READ, ResourceType.DEVICE, word.text)
    yield from (call.on_file(Verb.WRITE, w) for w in call.values("-o"))


def drive(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `hdparm`: shows settings; erasing and writing options destroy."""
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
            # hdparm(8): most one-letter options show a setting without a value and set it with
            # one.
            yield call.operation(Verb.READ, ResourceType.DEVICE, word.text)
        else:
            yield call.operation(Verb.CONFIGURE, ResourceType.DEVICE, word.text, reach=Reach.SYSTEM)


def label(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `e2label DISK`: one operand shows the label, more change it."""
    # `e2label DISK NAME`: the second operand is the new name.
    looking = len(call.operands) < 2 and all(o.name in LABEL_LOOKS for o in call.options)
    yield from call.perform(INSPECT if looking else CONFIGURE_DEVICE)


LABEL_LOOKS = words("-l -u --uuid --label -i --print-label --print-guid --print-serial")


def image(call: ProgramCall) -> Iterator[Effect]:
    """Copies between disks and images: `-s` source, `-o` or the last word is overwritten."""
    for word in call.values("-s", "--source"):
        yield call.operation(Verb.READ, ResourceType.DEVICE, word.text)
    outputs = call.values("-o", "--output", "-O", "--overwrite", "-t", "--target", "-T")
    for word in outputs or call.operands[-1:]:
        verb = Verb.DELETE if device_like(call, word) else Verb.WRITE
        yield on_device(call, verb, word)


def mount(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects: `mount` alone lists; with operands or `-a` it changes what lies where."""
    # mount(8): `-f` does everything but the system call.
    if call.has("-l", "--show-labels", "-f", "--fake") or not (call.operands or call.has("-a")):
        yield call.operation(Verb.READ, ResourceType.DEVICE)
        return
    yield call.operation(
        Verb.CONFIGURE,
        ResourceType.DEVICE,
        " ".join(call.texts),
        reach=Reach.SYSTEM,
        reversible=True,
    )


def swap(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects: `swapon` alone and with `--show` lists."""
    if call.has("-s", "--summary", "--show") or not (call.operands or call.options):
        yield call.operation(Verb.READ, ResourceType.DEVICE)
    else:
        yield call.operation(
            Verb.CONFIGURE, ResourceType.DEVICE, " ".join(call.texts), reach=Reach.SYSTEM
        )


RAID_LOOKS = tuple(words("-D --detail -E --examine -Q --query --detail-platform -F --monitor"))


def destroyed(call: ProgramCall) -> Iterator[Effect]:
    """`zfs destroy`: a name with `@` is a snapshot, the rest a file system with its data."""
    if call.has("-n"):
        yield call.operation(Verb.INERT, ResourceType.NOTHING)
        return
    for word in call.operands:
        # zfs names a snapshot `pool/data@name`.
        thing = ResourceType.BACKUP if "@" in word.text else ResourceType.DEVICE
        yield call.operation(Verb.DELETE, thing, word.text, reach=Reach.SYSTEM, reversible=False)


def raid(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `mdadm`: looks, assembles, creates over disks, zeroes."""
    if call.has(*RAID_LOOKS):
        act = INSPECT
    elif call.has("--zero-superblock", "-C", "--create", "--build", "-B"):
        # Each writes over the start or end of its disks, where the former data was described.
        act = DESTROY_DEVICE
    else:
        act = CONFIGURE_DEVICE
    yield from call.perform(act)


_ARRAY_LOST = lazy_re(
    r"(?i)(?<![a-z])(?:del(?:ete)?|erase|cfgclr|cfg(?:ld|spare)?del|secureerase|sanitize|init(?:ialize)?"
    r"|initialization|ldinit|clear)(?![a-z])"
)
_ARRAY_SHOWN = lazy_re(
    r"(?i)\b(?:show\w*|getconfig|getlogs|getversion|list|status|display|info)\b"
    r"|-[a-z]{2,12}(?:info|list|dsply)\b|-get[a-z]+"
)
# Logs and spare disks: what the volumes hold stays.
_ARRAY_KEPT = lazy_re(r"(?i)\b(?:events|termlog|bootlogs?|ttylog|logs?|spares?|stop|abort)\b")


def controller(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `storcli`, `MegaCli`, `ssacli`: volumes of a RAID controller."""
    said = " ".join([word.text for word in call.command.words[1:]])[:200]
    shown, lost = _ARRAY_SHOWN.search(said), _ARRAY_LOST.search(said)
    if not said or (shown and (lost is None or shown.start() < lost.start())):
        verb = Verb.READ
    else:
        verb = Verb.DELETE if lost and not _ARRAY_KEPT.search(said) else Verb.CONFIGURE
    yield call.operation(
        verb, ResourceType.DEVICE, said, reach=Reach.SYSTEM, reversible=verb is Verb.READ
    )


WRITING = ("-w", "--write", "-E", "--erase", "-x", "--extract")
OWN = ("internal", "linux_mtd", "linux_spi")  # the chip that this machine starts from


def flashrom(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `flashrom -p internal -w FILE`: what the machine starts from is replaced."""
    # `--extract` writes files, not the chip.
    if not call.has(*WRITING[:4]):
        yield call.operation(Verb.READ, ResourceType.DEVICE)
        return
    programmer = call.value("-p", "--programmer")
    # An external programmer writes a chip on the bench; a spoilt chip of its own leaves a dead
    # machine.
    is_own = programmer is None or programmer.text.startswith(OWN)
    yield call.operation(
        Verb.WRITE if is_own else Verb.CONFIGURE,
        ResourceType.DEVICE,
        programmer.text if programmer is not None else "firmware",
        traits=(Trait.GLOBAL,) if is_own else (),
        reach=Reach.SYSTEM,
        file_kind=FileKind.BOOT if is_own else FileKind.OTHER,
        reversible=False,
    )


# What is only asked of a board, or copied out of it.
LOOKS_AT_BOARD = words(
    "info read_mac read-mac chip_id chip-id flash_id flash-id read_flash read-flash verify_flash "
    "verify-flash read_flash_status read-flash-status dump_mem dump-mem read_mem read-mem "
    "get_security_info get-security-info image_info image-info read reset run summary dump detect "
    "print-pit load list version merge_bin merge-bin elf2image make_image uf2 "
    "get_custom_mac get-custom-mac adc_info adc-info check_error"
)
# Commands of OpenOCD's language that write: into flash, memory, fuses.
WRITES_BOARD = lazy_re(
    r"\b(?:program|flash\s+(?:write|erase|fill|protect)\w*|\w*write\w*|\w*erase\w*|mw[bwhd]|load_image"
    r"|mass_erase|\w*lock|option\w*|source|exec|shell|eval)\b"
)


def board(call: ProgramCall) -> Iterator[Effect]:
    """Programmers of boards and chips: reading a board is looking, writing one changes it."""
    if not _leaves_board(call):
        yield from call.perform(CONFIGURE_DEVICE)
        return
    yield from call.perform(INSPECT)
    copied = [*call.values("-U", "--upload")] if call.name == "dfu-util" else []
    if call.operands and "read" in call.texts[0]:
        copied += [word for word in call.operands[1:] if "." in word.text or "/" in word.text]
    for word in copied:
        yield call.on_file(Verb.WRITE, word)


def _leaves_board(call: ProgramCall) -> bool:
    name = call.name
    if name == "avrdude":
        # `-U memory:operation:file`: r reads into the file, v compares.
        acts = [word.text.split(":") for word in call.values("-U")]
        # `-n` writes nothing.
        reads = call.has("-n") or not call.has("-e")
        return reads and all([len(act) > 1 and act[1] in {"r", "v"} for act in acts])
    if name == "dfu-util":
        return not call.has("-D", "--download", "-e", "--detach")
    if name == "openocd":
        given = call.values("-c", "--command")
        told = all([word.is_known and not WRITES_BOARD.search(word.text) for word in given])
        return bool(given) and told
    texts = [text for text in call.texts if not text.isdigit()]
    return bool(texts) and texts[0] in LOOKS_AT_BOARD
