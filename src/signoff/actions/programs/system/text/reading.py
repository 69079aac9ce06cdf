"""Programs that only read: they print files, list names, show the state of the machine.

Three kinds: those that copy out what a file holds, those that list names and sizes (which leaves
secrets unread), and those that look at no file at all.
"""

from __future__ import annotations

from collections.abc import Iterator

from signoff.actions.operation import Thing, Trait, Verb
from signoff.actions.programs.acts import Effect, Nested, inert
from signoff.actions.programs.call import Call
from signoff.actions.programs.program import Program, program
from signoff.actions.programs.scripts import run_unread
from signoff.actions.programs.system.deeds import files_given, listed
from signoff.actions.shell.command import Word

ENDLESS = frozenset({"/dev/zero", "/dev/urandom", "/dev/random"})
BOUNDED = frozenset({"head", "ghead", "od", "hexdump", "xxd"})


def loads_builtin(call: Call) -> Iterator[Effect]:
    """`enable -f file name`: the shell loads a shared object; else builtins go on and off."""
    loaded = call.value("-f")
    yield call.operation(Verb.INERT, Thing.NOTHING) if loaded is None else run_unread(call, loaded)


def contents(call: Call) -> Iterator[Effect]:
    """`cat`, `tail` and others that copy their operands out."""
    given = files_given(call)
    for word in given:
        if word.text not in {"-", "--"}:
            yield call.on_file(Verb.READ, word)
    if _never_ends(call):
        yield call.operation(Verb.WRITE, Thing.FILE, traits=(Trait.EXHAUSTS,))
    elif not given:
        yield call.operation(Verb.INERT, Thing.NOTHING)


def _never_ends(call: Call) -> bool:
    """Whether a file without an end is copied without a bound, to where it is kept."""
    if not any([word.text in ENDLESS for word in call.operands]):
        return False
    if call.name in BOUNDED or call.has("-c", "-n", "--bytes"):
        return False
    return call.name == "tail" or any(r.kind.value != "read" for r in call.command.redirects)


def pager(call: Call) -> Iterator[Effect]:
    """`less +COMMAND FILE`: a command behind `+` may run a line."""
    for word in call.operands:
        if word.text[:1] == "+" and "!" in word.text:
            line = word.text.partition("!")[2]
            yield Nested(text=line, language="shell", carrier=call.name, is_known=word.is_known)
    kept = tuple(w for w in call.operands if w.text[:1] != "+")
    yield from contents(_with(call, kept))


def names(call: Call) -> Iterator[Effect]:
    """`ls`, `stat`, `du`: names and sizes, not what files hold."""
    for word in files_given(call) or (Word(text="."),):
        yield listed(call, word)


def query(call: Call) -> Iterator[Effect]:
    """`jq`, `yq`: the first operand is an expression unless a file gives it; `-i` writes back."""
    files = call.operands if call.has("-f", "--from-file") else call.operands[1:]
    in_place = call.has("-i", "--inplace", "--in-place")
    for word in files:
        yield call.on_file(Verb.WRITE if in_place else Verb.READ, word)
    if not files:
        yield call.operation(Verb.INERT, Thing.NOTHING)


def hex_dump(call: Call) -> Iterator[Effect]:
    """`xxd IN OUT` writes its second operand."""
    yield from contents(_with(call, call.operands[:1]))
    for word in call.operands[1:2]:
        yield call.on_file(Verb.WRITE, word)


def _with(call: Call, operands: tuple[Word, ...]) -> Call:
    return Call(
        name=call.name,
        options=call.options,
        operands=operands,
        traits=call.traits,
        command=call.command,
        place=call.place,
    )


HEAD_VALUES = "-n -c --lines --bytes -s --sleep-interval --pid --max-unchanged-stats"
CONTENTS = (
    "identify ffprobe mediainfo mkvinfo lnav otool mdls textutil rabin2 afinfo cat tac "
    "wc cksum md5sum sha1sum sha224sum sha256sum sha384sum "
    "sha512sum b2sum b3sum xxhsum zcat bzcat xzcat "
    "zstdcat lzcat zless bzless xzless zmore zstdless "
    "cmp diff3 rev ptx tsort nm objdump readelf eu-readelf "
    "ldd size sum xmllint fx gron csvlook csvcut csvstat csvgrep csvjson glow mdcat "
    "pdfinfo pdffonts pdfgrep cloc tokei scc wdiff "
    "git-delta rhash shasum md5 zdiff zcmp xzcmp xzdiff antiword catdoc "
    "difft difftastic icdiff look elfdump dumpbin c++filt addr2line "
    "exif mcat sixel jless trawl treemd csvtool vd visidata tidy-viewer "
    "multitail tailspin tspin ccze grc xq tomlq htmlq pup texcount style diction lsar "
    "isoinfo isosize getpcaps apkleaks olevba pdf-parser vt "
    "age-inspect zbarimg colrm colcrt xxhash gzless "
    "mp3info soxi opusinfo ogginfo sndfile-info djvutxt "
    "lsbom webpinfo jxlinfo pngcheck gif2json jpeginfo "
    "ent spell wordcount dump.exfat dumpe2fs"
)
NAMES = (
    "ls exa eza lsd dir vdir tree du gdu dust dua ncdu duf dysk stat file realpath readlink "
    "namei getfacl lsattr getfattr readlink greadlink erd lsx l ll la dutree diskonaut "
    "pwdx compsize fincore lsix baobab filefrag cksfv zipinfo lstopo hwloc-ls"
)
QUIET = (
    "echo printf true false : pwd sleep seq basename dirname test [ [[ expr factor "
    "let shift return exit break continue wait jobs fg bg disown times hash type which whereis "
    "whence where logout suspend umask ulimit set shopt setopt unset unsetopt unalias alias "
    "local declare typeset export readonly read mapfile readarray getopts caller dirs popd pushd "
    "cd bind complete compgen compopt help uname arch builtin autoload emulate zle bindkey "
    "zmodload zstyle rehash disable noglob vared zparseopts fc-scan fc-match "
    "nproc whoami id groups users who w last lastb lastlog uptime tty stty locale "
    "ncal clear reset tput info apropos whatis tldr cheat figlet cowsay xcowsay lolcat "
    "mandb catman makewhatis toilet banner numfmt shuf tr cmark uuidgen uuid getconf printenv "
    "wikiman tealdeer "
    "lscpu lsmem lspci lsusb lsmod lsof lsipc lslocks lslogins lsns lshw free "
    "lsfd lspath lsdev lssub vmstat iostat mpstat pidstat top htop btop atop bottom btm glances "
    "nmon gtop ytop bpytop bashtop iotop iftop nethogs nload bmon slurm-tool vnstat vnstati ifstat "
    "dstat dool collectl procs ps pgrep pidof pstree ss netstat pmap smem slabtop "
    "fatrace extrace opensnoop execsnoop powerstat turbostat intel_gpu_top nvtop "
    "radeontop tuptime uprecords procinfo cpuid x86info inxi hwinfo neofetch "
    "fastfetch screenfetch pfetch archey nitch macchina sensors acpi upower battop istats battery "
    "df blkid systemd-detect-virt systemd-id128 systemd-delta systemd-cgls "
    "systemd-path systemd-ac-power systemd-escape logname getent acpi_listen "
    "runlevel finger pinky mesg fortune cmatrix sl zdump tzselect dnsdomainname "
    "fgconsole showkey dumpkeys kbdinfo xev wev xwininfo xprop xdpyinfo xlsclients xlsfonts "
    "libinput con2fbmap glxinfo eglinfo vulkaninfo vainfo vdpauinfo clinfo lsb_release "
    "hostinfo machine machine-id "
    ""
    "aa-enabled apparmor_status getcap modinfo lid hardinfo lsscsi lsinitramfs lsinitrd "
    "lsinitcpio sa ac dump-utmp utmpdump logread "
    ""
    "repquota quota quotacheck xfs_info e2freefrag mmls fls "
    "spectre-meltdown-checker steamos-dump-info raspinfo "
    "iwlist lsusb.py bootinfo ioping netselect sipcalc ipcalc "
    "arpaname nstat rtstat lnstat routel xclock xeyes asciiquarium oneko pipes.sh cbonsai "
    "hollywood genact nyancat no-more-secrets nms peaclock tty-clock termdown "
    "spark colortest units gcal ddate nsnake "
    "moon-buggy bastet tetris yetris gnuchess nudoku 2048 minesweep greed snake4 robotfindskitten "
    "xkcdpass diceware pwgen apg pwqgen mcookie dircolors fc-cat tabs lesspipe "
    "ico xcalc kscreen-console modetest drm_info edid-decode "
    "decode-dimms numastat irqtop lsirq tlp-stat vrrtest ccal"
)

PROGRAMS: tuple[Program, ...] = (
    program("head tail ghead gtail", handler=contents, values=HEAD_VALUES),
    program("cut gcut", handler=contents, values="-d --delimiter -f --fields -b -c --bytes"),
    program("paste join comm", handler=contents, values="-d --delimiters -t -o -j -1 -2 -a -e -v"),
    program("od hexdump hd strings hexyl", handler=contents, values="-n -N -s -j -e -w --length"),
    program("fold nl", handler=contents, values="-w --width -s -b -v -i -d -f -h -l -n"),
    program("diff colordiff sdiff delta", handler=contents, values="-U -C -I -x --label -W -F"),
    program("bat batcat", handler=contents, values="-l --language -r --line-range -H --theme -m"),
    program("less more most", handler=pager),
    program("man", inert(), runs="-P --pager -H --html", values="-L -M -S -s -e -p -C"),
    program(CONTENTS, handler=contents),
    program("xxd", handler=hex_dump, values="-c -cols -g -groupsize -l -len -o -s -seek -n"),
    program(
        "jq yq gojq jaq dasel jqp mlr xsv qsv",
        handler=query,
        values="--tab --indent -I --indent -o -p --output-format --input-format -f --from-file",
    ),
    program(NAMES, handler=names, values="-L --level -I --ignore -c --format --printf -f -d -t"),
    program("dmidecode", inert(), writes="--dump-bin", reads="--from-dump", values="-s -t -d -H"),
    program(QUIET, inert()),
    program("enable", handler=loads_builtin, values="-f"),
)
