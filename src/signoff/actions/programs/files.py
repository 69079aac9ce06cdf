"""Programs that read, write, copy, move and delete files: the everyday set of POSIX and GNU."""

from __future__ import annotations

from collections.abc import Iterator

from signoff.actions.operation import Reach, Thing, Trait, Verb
from signoff.actions.programs.acts import Act, Effect, Nested, On, deletes, inert, reads, writes
from signoff.actions.programs.call import UNKNOWN_MARK, Call
from signoff.actions.programs.program import Program, program
from signoff.actions.shell.command import Word

REMOVING = {
    "-r -R --recursive -d --dir": Trait.RECURSIVE,
    "-f --force": Trait.FORCED,
}
COPYING = {"-r -R --recursive -a --archive": Trait.RECURSIVE, "-f --force": Trait.FORCED}


def _copy(call: Call) -> Iterator[Effect]:
    """`cp`, `install`: sources are read, the last word or `-t` is written."""
    into = call.value("-t", "--target-directory")
    sources = call.operands if into is not None else call.operands[:-1]
    target = into if into is not None else (call.operands[-1] if call.operands else None)
    for word in sources:
        yield call.on_file(Verb.READ, word)
    if target is not None:
        yield call.on_file(Verb.WRITE, target)
        for word in sources:
            yield call.on_file(Verb.WRITE, _inside(target, word))


def _inside(folder: Word, source: Word) -> Word:
    """The file that a copy into a folder would make."""
    name = source.text.rstrip("/").rsplit("/", 1)[-1]
    return Word(
        text=f"{folder.text.rstrip('/')}/{name}" if folder.text != "/" else f"/{name}",
        is_known=folder.is_known and source.is_known and not source.has_glob,
        raw=folder.raw,
    )


def _move(call: Call) -> Iterator[Effect]:
    """`mv`: what is moved is gone from where it was; inside the project that is no loss."""
    into = call.value("-t", "--target-directory")
    sources = call.operands if into is not None else call.operands[:-1]
    target = into if into is not None else (call.operands[-1] if call.operands else None)
    lost = target is not None and target.text == "/dev/null"
    for word in sources:
        gone = call.on_file(Verb.DELETE, word, Trait.RECURSIVE)
        moved = call.on_file(Verb.WRITE, word)
        near = gone.reach in {Reach.PROJECT, Reach.TEMP} and Trait.BROAD not in gone.traits
        yield moved if near and not lost and gone.thing is not Thing.REPOSITORY else gone
    if target is not None:
        yield call.on_file(Verb.WRITE, target)


def _link(call: Call) -> Iterator[Effect]:
    """`ln`: a link is written; a link to a secret or a protected file reaches what it points to."""
    operands = call.operands
    if not operands:
        return
    source = operands[0]
    yield call.on_file(Verb.READ, source)
    yield call.on_file(Verb.WRITE, operands[-1] if len(operands) > 1 else Word(text="."))


def _tee(call: Call) -> Iterator[Effect]:
    for word in call.operands:
        yield call.on_file(Verb.WRITE, word)
    if not call.operands:
        yield call.operation(Verb.INERT, Thing.NOTHING)


def _disk_copy(call: Call) -> Iterator[Effect]:
    """`dd if=... of=...`."""
    for word in call.operands:
        name, _, value = word.text.partition("=")
        part = Word(text=value, is_known=word.is_known)
        if name == "if":
            yield call.on_file(Verb.READ, part)
        elif name == "of":
            yield call.on_file(Verb.WRITE, part)


def _truncate(call: Call) -> Iterator[Effect]:
    size = call.value("-s", "--size")
    empties = size is not None and size.text.lstrip("<") in {"0", "-0"}
    for word in call.operands:
        verb = Verb.DELETE if empties else Verb.WRITE
        operation = call.on_file(verb, word)
        rebuilt = operation.reach in {Reach.PROJECT, Reach.TEMP}
        yield call.on_file(Verb.WRITE, word) if rebuilt and empties else operation
    if size is not None and size.text[-1:].upper() in "TPEZY":
        yield call.operation(Verb.WRITE, Thing.FILE, traits=(Trait.EXHAUSTS,))


def _split_names(text: str) -> tuple[str, ...]:
    return tuple(text.split())


FIND_DELETING = ("-delete",)
FIND_WRITING = ("-fprint", "-fprintf", "-fprint0", "-fls")
NAME_TESTS = frozenset(_split_names("-name -iname -path -ipath -wholename -regex -iregex -lname"))
NARROW_TESTS = frozenset(_split_names("-empty -mtime -mmin -newer -size -inum -samefile -links"))


def _find(call: Call) -> Iterator[Effect]:
    """`find`: reads; `-delete` deletes what its tests select below its roots."""
    words = call.command.words[1:]
    texts = [w.text for w in words]
    start = next(
        (i for i, t in enumerate(texts) if t[:1] in {"-", "(", "!"} and t not in _FIND_LEADING),
        len(texts),
    )
    roots = [w for w in words[:start] if not w.text.startswith("-")] or [Word(text=".")]
    for root in roots:
        yield call.on_file(Verb.READ, root)
    for place, text in enumerate(texts):
        if text in FIND_WRITING and place + 1 < len(words):
            yield call.on_file(Verb.WRITE, words[place + 1])
    if any(text in FIND_DELETING for text in texts):
        selected = _selected_names(texts)
        for root in roots:
            yield from _find_deletion(call, root, selected, narrow=_is_narrow(texts))


_FIND_LEADING = frozenset({"-H", "-L", "-P", "-E", "-X", "-x", "-s", "-d", "-O1", "-O2", "-O3"})


def _selected_names(texts: list[str]) -> list[str]:
    return [texts[i + 1] for i, t in enumerate(texts[:-1]) if t in NAME_TESTS]


def _is_narrow(texts: list[str]) -> bool:
    return not NARROW_TESTS.isdisjoint(texts)


def _find_deletion(call: Call, root: Word, names: list[str], *, narrow: bool) -> Iterator[Effect]:
    """Deletion by find: a name filter makes it a deletion of such files below the root."""
    real = [n for n in names if n not in {"*", "*.*", ".*", "?*"}]
    if not real and not narrow:
        yield call.on_file(Verb.DELETE, root, Trait.RECURSIVE, Trait.BROAD)
        return
    for name in real or [UNKNOWN_MARK]:
        path = f"{root.text.rstrip('/')}/{name}" if root.text != "/" else f"/{name}"
        selected = Word(text=path, is_known=root.is_known and bool(real), has_glob=True)
        operation = call.on_file(Verb.DELETE, selected)
        wide = operation.reach not in {Reach.PROJECT, Reach.TEMP}
        yield call.on_file(Verb.DELETE, selected, *((Trait.RECURSIVE,) if wide else ()))


def _shred(call: Call) -> Iterator[Effect]:
    for word in call.operands:
        yield call.on_file(Verb.DELETE, word)


def _yes(call: Call) -> Iterator[Effect]:
    """`yes > file` fills the disk; into a pipe it only answers."""
    endless = any(
        r.kind.value != "read" and r.target.text != "/dev/null" for r in call.command.redirects
    )
    traits = (Trait.EXHAUSTS,) if endless else ()
    yield call.operation(Verb.INERT, Thing.NOTHING, traits=traits)


ENDLESS = frozenset({"/dev/zero", "/dev/urandom", "/dev/random"})


def _reading(call: Call) -> Iterator[Effect]:
    """`cat`, `tail` and others that copy their operands out."""
    for word in call.operands:
        if word.text not in {"-", "--"}:
            yield call.on_file(Verb.READ, word)
    endless = any(w.text in ENDLESS for w in call.operands)
    bounded = call.name in {"head", "od", "hexdump", "xxd"} or call.has("-c", "-n", "--bytes")
    into = any(r.kind.value != "read" for r in call.command.redirects)
    if endless and not bounded and (into or call.name == "tail"):
        yield call.operation(Verb.WRITE, Thing.FILE, traits=(Trait.EXHAUSTS,))
    elif not call.operands:
        yield call.operation(Verb.INERT, Thing.NOTHING)


def _sort(call: Call) -> Iterator[Effect]:
    for word in call.operands:
        yield call.on_file(Verb.READ, word)
    if not call.operands:
        yield call.operation(Verb.INERT, Thing.NOTHING)


def _search(call: Call) -> Iterator[Effect]:
    """`grep PATTERN FILE...`: the pattern is data."""
    given = call.has("-e", "--regexp", "-f", "--file", "--files", "--type-list")
    files = call.operands if given else call.operands[1:]
    for word in files:
        yield call.on_file(Verb.READ, word)
    for option in call.options:
        if option.name == "--pre" and option.value is not None:
            yield Nested(text=option.value.text, language="shell", carrier="rg --pre")
        if option.name == "--hostname-bin" and option.value is not None:
            yield Nested(text=option.value.text, language="shell", carrier="rg --hostname-bin")
    if not files:
        yield call.operation(Verb.READ, Thing.FILE, ".", reach=Reach.PROJECT)


def _program_text(language: str, option: str) -> Program:
    """`sed`, `awk`: the first operand is a program unless an option gives it."""

    def run(call: Call) -> Iterator[Effect]:
        texts = call.values(option, "--expression", "--source")
        given = bool(texts) or call.has("-f", "--file")
        operands = call.operands
        if not given and operands:
            texts, operands = (operands[0],), operands[1:]
        for text in texts:
            yield Nested(
                text=text.text, language=language, carrier=call.name, is_known=text.is_known
            )
        in_place = any(o.name.startswith(("-i", "--in-place")) for o in call.options)
        for word in operands:
            if "=" in word.text and language == "awk":
                continue
            yield call.on_file(Verb.WRITE if in_place else Verb.READ, word)

    return program(
        "sed gsed" if language == "sed" else "awk gawk mawk nawk",
        values=f"{option} --expression -f --file -l --line-length -v --assign -F --source "
        "--field-separator -E"
        if language == "awk"
        else f"{option} --expression -f --file -l --line-length",
        handler=run,
    )


READERS = (
    "cat tac nl od hexdump xxd strings wc cksum md5sum sha1sum sha224sum sha256sum sha384sum "
    "sha512sum b2sum b3sum file head tail less more most bat batcat zcat bzcat xzcat zstdcat "
    "zless bzless xzless iconv fold fmt expand unexpand paste cut column comm join cmp diff "
    "colordiff diff3 sdiff rev pr ptx tsort look nm objdump readelf ldd size hd readlink "
    "realpath stat du vdir dir ls exa eza lsd tree sum jq yq xq tomlq dasel xmllint fx gron "
    "mlr xsv qsv csvlook csvcut csvstat csvgrep glow mdcat pdfinfo pdftotext exiftool identify "
    "mediainfo ffprobe sqlite-utils cloc tokei scc wdiff delta git-delta hexyl base32 basenc "
    "uuencode cksfv rhash shasum md5 zdiff zcmp zgrep-list lsattr getfacl namei tput ncdu dust "
    "zipinfo unrar-list view aspell hunspell ispell antiword catdoc"
)
QUIET = (
    "echo printf true false : pwd sleep date seq basename dirname test [ [[ expr factor bc dc "
    "let shift return exit break continue wait jobs fg bg disown times hash type which whereis "
    "whence where builtin-list logout suspend umask ulimit set shopt setopt unset unalias alias "
    "local declare typeset export readonly read mapfile readarray getopts caller dirs popd pushd "
    "cd bind complete compgen compopt enable help history-list fc-list command-list uname arch "
    "nproc hostname whoami id groups users who w last lastlog uptime tty stty locale localectl-get "
    "cal ncal clear reset tput man info apropos whatis tldr cheat figlet cowsay lolcat toilet "
    "banner numfmt mktemp shuf tr uniq cmark uuidgen openssl-rand getconf env-list printenv "
    "lscpu lsmem lsblk lspci lsusb lsmod lsof lsipc lslocks lslogins lsns lshw dmidecode free "
    "vmstat iostat mpstat sar pidstat top htop btop atop ps pgrep pidof pstree ss netstat "
    "df findmnt blkid hwinfo inxi neofetch fastfetch screenfetch sensors acpi upower "
    "logname dmesg-read getent acpi_listen runlevel finger pinky mesg nohup-list cksum-list "
    "timedatectl-status watch-list yes-list fortune cmatrix sl zdump tzselect vlock-list"
)

PROGRAMS: tuple[Program, ...] = (
    program(
        READERS,
        handler=_reading,
        values="-n -c --lines --bytes -s -j -t -N -w --width -I --ignore -d --delimiter -f "
        "--fields -b --characters -L --level -e --arg --argjson --tab --indent --max-count -k "
        "--pid --sleep-interval --label -U --unified --format --printf",
    ),
    program(QUIET, inert()),
    program("yes", handler=_yes),
    program(
        "sort",
        handler=_sort,
        values="-k --key -t --field-separator -S --buffer-size -T --temporary-directory --parallel",
        writes="-o --output",
        runs="--compress-program",
    ),
    program("rm grm", deletes(), flags=REMOVING),
    program("rmdir", deletes(On.OPERANDS, Trait.NAMED), flags={"-p": Trait.NAMED}),
    program("unlink trash trash-put gio-trash rmtrash", deletes()),
    program("shred srm wipe", handler=_shred, values="-n --iterations -s --size --random-source"),
    program("truncate", handler=_truncate, values="-s --size -r --reference"),
    program(
        "cp gcp install rsync-local ditto",
        handler=_copy,
        values="-S --suffix -t --target-directory -m --mode -o --owner -g --group",
        flags=COPYING,
    ),
    program("mv gmv rename-one", handler=_move, values="-S --suffix -t --target-directory"),
    program("ln link symlink", handler=_link, values="-S --suffix -t --target-directory"),
    program(
        "mkdir touch mkfifo mknod-p fallocate",
        writes(),
        values="-m --mode -d --date -t -r --reference -l --length -o --offset",
    ),
    program("tee sponge", handler=_tee),
    program("dd dcfldd", handler=_disk_copy),
    program("find gfind bfs", handler=_find, options_first=False, values=""),
    program(
        "grep egrep fgrep zgrep rg ag ack ugrep pcregrep git-grep ripgrep",
        handler=_search,
        values="-e --regexp -f --file -m --max-count -A -B -C --context --include --exclude "
        "--exclude-dir -g --glob -t --type -T --type-not --color --colour -d -D --label --sort "
        "--max-depth --pre --hostname-bin -r --replace -j --threads --iglob",
    ),
    program(
        "fd fdfind",
        Act(Verb.READ, Thing.FILE, On.BUT_FIRST),
        values="-e --extension -t --type -E --exclude -d --max-depth -S --size -c --color -g",
    ),
    program("locate mlocate plocate", inert()),
    program("split csplit", reads(On.FIRST), writes(On.LAST), values="-b -l -n -a -d -C"),
    program("patch", writes(On.FIRST), reads="-i --input", values="-p --strip -d --directory"),
    program("sponge", writes()),
    _program_text("sed", "-e"),
    _program_text("awk", "-e"),
)
