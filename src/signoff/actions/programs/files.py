"""Programs that read, write, copy, move and delete files: the everyday set of POSIX and GNU."""

from __future__ import annotations

from signoff.actions.operation import Trait
from signoff.actions.programs.acts import On, deletes, inert, reads, writes
from signoff.actions.programs.program import Program, program

RECURSIVE = {"-r -R --recursive": Trait.RECURSIVE, "-f --force": Trait.FORCED}

PROGRAMS: tuple[Program, ...] = (
    program(
        "cat tac nl od hexdump xxd strings wc cksum md5sum sha1sum sha256sum sha512sum b2sum file",
        reads(),
    ),
    program("ls dir vdir exa eza lsd stat tree du", reads(), values="-I --ignore -L -w --width"),
    program("head tail", reads(), values="-n -c --lines --bytes -s --sleep-interval --pid"),
    program("rm", deletes(), flags=RECURSIVE),
    program("rmdir", deletes(On.OPERANDS, Trait.REBUILDABLE)),
    program("unlink", deletes()),
    program("shred", deletes(), values="-n --iterations -s --size --random-source"),
    program("cp", reads(On.BUT_LAST), writes(On.LAST), values="-S --suffix", flags=RECURSIVE),
    program("mkdir touch", writes(), values="-m --mode -d --date -t -r --reference"),
    program("echo printf true false : pwd sleep date seq yes basename dirname", inert()),
)
