"""Archives: packing reads, unpacking writes below a folder, some options run programs.

Unpacking over a folder of the system overwrites it. Moving into an archive deletes what was
packed. Compressors replace their operand by its packed form, which loses nothing.
"""

from __future__ import annotations

from collections.abc import Iterator

from signoff.actions.operation import Operation, Reach, ResourceType, Trait, Verb
from signoff.actions.programs.acts import Effect, Nested
from signoff.actions.programs.call import ProgramCall
from signoff.actions.programs.plain_names import is_plain_value
from signoff.actions.shell.command import Word
from signoff.actions.vocabulary import words

# By their exact names: `/usr/local` and `/opt` are where software is unpacked as usual.
SYSTEM_ROOTS = words("/ /etc /usr /bin /sbin /lib /lib64 /boot /usr/bin /usr/lib /usr/sbin /root")
HERE = Word(text=".")


def unpack(call: ProgramCall, folder: Word) -> Iterator[Operation]:
    """Yield the writes of unpacking an archive into a folder."""
    operation = call.on_file(Verb.WRITE, folder)
    if operation.path in SYSTEM_ROOTS:
        yield call.on_file(Verb.DELETE, folder, Trait.RECURSIVE, Trait.BROAD)
    else:
        yield operation


def pack(call: ProgramCall, sources: tuple[Word, ...], *, gone: bool) -> Iterator[Operation]:
    """Yield the reads of packing these files.

    Args:
        gone: they are deleted afterwards.
    """
    for word in sources:
        yield call.on_file(Verb.READ, word)
        if gone:
            yield call.on_file(Verb.DELETE, word, Trait.RECURSIVE)


def runs(call: ProgramCall, carrier: str, words_: tuple[Word, ...]) -> Iterator[Nested]:
    """Yield the programs that options name, as nested code."""
    for word in words_:
        yield Nested(
            text=word.text,
            language="shell",
            carrier=f"{call.name} {carrier}",
            is_known=word.is_known,
        )


TAR_RUNS = (
    "-I --use-compress-program --to-command --info-script --new-volume-script -F --rmt-command "
    "--rsh-command"
)
# Letters of tar's old style whose word follows among the operands, in the letters' order.
TAR_LETTERS = frozenset("fbCTXHVgKLNIF")
INTERPRETERS = words("sh bash zsh dash ksh python python3 perl ruby node php lua xargs")
COMPRESSORS = words(
    "gzip pigz bzip2 pbzip2 lbzip2 xz pixz zstd zstdmt lz4 lzip plzip lzop lzma compress brotli"
)


def tar(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `tar`: the mode decides; both spellings `tar xzf a` and `tar -x -z -f a`."""
    letters, given, operands = _old_style(call)
    yield from _tar_programs(call, given)
    archive = given.get("f") or call.value("-f", "--file")
    folder = given.get("C") or call.value("-C", "--directory") or HERE
    top = call.value("--one-top-level")
    if "x" in letters or call.has("-x", "--extract", "--get"):
        yield from _archive(call, Verb.READ, archive)
        # `-O` prints what was packed and writes no file.
        if not call.has("-O", "--to-stdout") and "O" not in letters:
            yield from unpack(call, top if top is not None else folder)
        # `-P` keeps leading slashes and `..` of members: they land anywhere (CWE-22).
        if call.has("-P", "--absolute-names") or "P" in letters:
            yield call.operation(
                Verb.WRITE, ResourceType.FILE, "absolute names", reach=Reach.UNKNOWN
            )
    elif letters & {"c", "r", "u", "A"} or call.has(*TAR_WRITING):
        yield from _archive(call, Verb.WRITE, archive)
        yield from pack(call, _below(folder, operands), gone=call.has("--remove-files"))
    elif call.has("--delete"):
        # Deletes members of the archive; no file on disk goes.
        yield from _archive(call, Verb.WRITE, archive)
    else:
        yield from _archive(call, Verb.READ, archive)
        yield call.operation(Verb.INERT, ResourceType.NOTHING)


TAR_WRITING = tuple(
    ["-c", "--create", "-r", "--append", "-u", "--update", "-A", "--catenate", "--concatenate"]
)


def _old_style(call: ProgramCall) -> tuple[frozenset[str], dict[str, Word], tuple[Word, ...]]:
    """Letters without a dash, the words they take, and what is left."""
    operands = call.operands
    modes = (*TAR_WRITING, "-x", "-t", "--extract", "--get", "--list", "-d", "--diff", "--delete")
    # With a mode option the first operand is a file: in `tar -c xzf` the file `xzf` is packed.
    if not operands or call.has(*modes) or not operands[0].text.isalpha():
        return frozenset(), {}, operands
    letters, rest = operands[0].text, list(operands[1:])
    given = {letter: rest.pop(0) for letter in letters if letter in TAR_LETTERS and rest}
    return frozenset(letters), given, tuple(rest)


def _tar_programs(call: ProgramCall, given: dict[str, Word]) -> Iterator[Effect]:
    values = call.values(*TAR_RUNS.split()) + tuple(given[k] for k in ("I", "F") if k in given)
    for word in values:
        if not is_plain_value(word.text, COMPRESSORS):
            yield from runs(call, "--use-compress-program", (word,))
        if word.text.split(" ", 1)[0].rsplit("/", 1)[-1] in INTERPRETERS:
            # `--to-command=sh`: each member is the program, and what the archive holds was not
            # read.
            yield call.opaque("feeds what the archive holds to an interpreter")
    for word in call.values("--checkpoint-action"):
        kind, _, line = word.text.partition("=")
        # Other actions (`dot`, `echo`, `sleep`) run nothing.
        if kind == "exec":
            text = Word(text=line, is_known=word.is_known)
            yield from runs(call, "--checkpoint-action", (text,))


def _archive(call: ProgramCall, verb: Verb, archive: Word | None) -> Iterator[Operation]:
    if archive is None or archive.text == "-":
        return
    host, colon, _ = archive.text.partition(":")
    # GNU tar reads `host:file` as a remote tape; one letter before the colon is a Windows drive.
    if colon and "/" not in host and len(host) > 1 and not call.has("--force-local"):
        verb = Verb.NETWORK_OUT if verb is Verb.WRITE else Verb.NETWORK_IN
        traits = (Trait.SENDS_FILES,) if verb is Verb.NETWORK_OUT else ()
        yield call.operation(
            verb, ResourceType.URL, archive.text, traits=traits, reach=Reach.REMOTE
        )
    elif archive.text != "/dev/null":
        # `tar cf /dev/null DIR` only measures.
        yield call.on_file(verb, archive)


def _below(folder: Word, operands: tuple[Word, ...]) -> tuple[Word, ...]:
    if folder is HERE:
        return operands
    return tuple(
        w
        if w.text.startswith(("/", "~"))
        else Word(text=f"{folder.text.rstrip('/')}/{w.text}", is_known=w.is_known)
        for w in operands
    )


def zip_archive(call: ProgramCall) -> Iterator[Effect]:
    """Effects: `zip ARCHIVE FILE...`; `-m` deletes what was packed, `-T -TT line` runs a line."""
    yield from runs(call, "-TT", call.values("-TT", "--unzip-command"))
    if not call.operands or call.has("-sf", "--show-files"):
        yield call.operation(Verb.INERT, ResourceType.NOTHING)
        return
    # `-` is standard output; no file is written.
    if call.operands[0].text != "-":
        yield call.on_file(Verb.WRITE, call.operands[0])
    if not call.has("-d", "--delete"):
        yield from pack(call, call.operands[1:], gone=call.has("-m", "--move"))


def unzip(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `unzip ARCHIVE -d FOLDER`."""
    for word in call.operands[:1]:
        yield call.on_file(Verb.READ, word)
    if call.has("-l", "-t", "-Z", "-v", "-p", "-z", "-c", "-tq") or not call.operands:
        yield call.operation(Verb.INERT, ResourceType.NOTHING)
        return
    yield from unpack(call, call.value("-d") or HERE)
    # unzip(1): `-:` lets members climb above the target folder by `../` (CWE-22).
    if call.has("-:", "-/"):
        yield call.operation(Verb.WRITE, ResourceType.FILE, "names above", reach=Reach.UNKNOWN)


def seven_zip(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects: `7z COMMAND ARCHIVE FILE...`; the folder is in `-oFOLDER`."""
    what = call.texts[0] if call.operands else ""
    if what in {"x", "e"}:
        yield from (call.on_file(Verb.READ, w) for w in call.operands[1:2])
        yield from unpack(call, call.value("-o") or HERE)
    elif what in {"a", "u", "d", "rn"}:
        yield from (call.on_file(Verb.WRITE, w) for w in call.operands[1:2])
        # `d` and `rn` name members of the archive behind it, not files to read.
        if what in {"a", "u"}:
            yield from pack(call, call.operands[2:], gone=call.has("-sdel"))
    else:
        yield call.operation(Verb.INERT, ResourceType.NOTHING)


def compressor(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `gzip FILE`: the file is replaced by its packed form."""
    # These keep the input file: they print, list or test.
    looks = call.has("-c", "--stdout", "--to-stdout", "-l", "--list", "-t", "--test", "-dc", "-cd")
    for word in call.operands:
        if word.text != "-":
            yield call.on_file(Verb.READ if looks else Verb.WRITE, word)
    if not call.operands:
        yield call.operation(Verb.INERT, ResourceType.NOTHING)


def cpio(call: ProgramCall) -> Iterator[Effect]:
    """Effects of `cpio`: names on standard input; `-i` unpacks here, `-p` copies to its operand."""
    for word in call.values("-F", "--file", "-O", "-I"):
        writing = call.has("-o", "--create", "-ov", "-oH")
        yield call.on_file(Verb.WRITE if writing else Verb.READ, word)
    yield from runs(call, "--rsh-command", call.values("--rsh-command"))
    if call.has("-t", "--list", "-it", "-itv"):
        yield call.operation(Verb.READ, ResourceType.NOTHING)
    elif call.has("-i", "--extract"):
        yield from unpack(call, call.value("-D", "--directory") or HERE)
    elif call.has("-p", "--pass-through"):
        yield from (call.on_file(Verb.WRITE, w) for w in call.operands[-1:])
    else:
        yield call.operation(Verb.INERT, ResourceType.NOTHING)


def pax(call: ProgramCall) -> Iterator[Effect]:
    """Effects of `pax`: `-w` packs its operands, `-rw` copies all but the last into the last."""
    # `-r -w` together is pax's copy mode; each alone unpacks or packs.
    copies = call.has("-rw", "-wr") or (call.has("-r") and call.has("-w"))
    read = call.operands[:-1] if copies else call.operands
    yield from (call.on_file(Verb.READ, word) for word in read)
    if copies:
        yield from (call.on_file(Verb.WRITE, word) for word in call.operands[-1:])
    if not call.operands:
        yield call.operation(Verb.INERT, ResourceType.NOTHING)


def library(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `ar rcs lib.a a.o`: the letters, the archive, its members."""
    letters = call.texts[0].lstrip("-") if call.operands else ""
    dashed = next((o.name.lstrip("-") for o in call.options if len(o.name) > 1), "")
    # With `-rcs` the letters are an option, so the archive is the first operand.
    archive = call.operands[1:2] if not dashed else call.operands[:1]
    # ar(1): replace, append, delete, move, write the index; `t`, `p` and `x` leave the archive as
    # is.
    writing = not set(dashed or letters).isdisjoint("rqdms")
    for word in archive:
        yield call.on_file(Verb.WRITE if writing else Verb.READ, word)
    if not archive:
        yield call.operation(Verb.INERT, ResourceType.NOTHING)


def unrar(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `unrar x ARCHIVE FOLDER/`, `rar a ARCHIVE FILE...`."""
    what = call.texts[0] if call.operands else ""
    if what in {"x", "e"}:
        yield from (call.on_file(Verb.READ, w) for w in call.operands[1:2])
        # unrar takes the target folder as its last operand; there is no option for it.
        yield from unpack(call, call.operands[-1] if len(call.operands) > 2 else HERE)
    elif what in {"a", "u", "f", "m", "d", "c", "rn", "k"}:
        yield from (call.on_file(Verb.WRITE, w) for w in call.operands[1:2])
        gone = what == "m" or call.has("-df", "-dr")
        yield from pack(call, call.operands[2:] if what in "aufm" else (), gone=gone)
    else:
        yield call.operation(Verb.INERT, ResourceType.NOTHING)


def unpacker(call: ProgramCall) -> Iterator[Effect]:
    """Yield the effects of unpacking every operand into a folder an option names, or here."""
    for word in call.operands:
        yield call.on_file(Verb.READ, word)
    listing = call.has("-l", "--list", "-t", "--test", "-s", "-stat", "-lls", "-ll")
    folder = call.value("-d", "-o", "--directory", "--output-directory", "-dest", "-X", "--dir")
    if call.operands and not listing:
        yield from unpack(call, folder or HERE)
    else:
        yield call.operation(Verb.INERT, ResourceType.NOTHING)


def packer(call: ProgramCall) -> Iterator[Effect]:
    """Yield the effects of packing: `-o` is written, every operand is read."""
    for word in call.values("-o", "-output", "--output"):
        yield call.on_file(Verb.WRITE, word)
    yield from pack(call, call.operands, gone=False)
    if not call.operands:
        yield call.operation(Verb.INERT, ResourceType.NOTHING)
