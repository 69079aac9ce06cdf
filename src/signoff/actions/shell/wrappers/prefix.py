"""Programs that run the words behind their own options: sudo, env, timeout and many more.

timeout -k 5 30s rm -rf x    ->  rm -rf x      (one operand, the duration, comes first)
"""

from __future__ import annotations

from msgspec import Struct

from signoff.actions.shell.command import Stream, Word
from signoff.actions.shell.wrappers.inner import Inner, WrapperCall, joined
from signoff.actions.shell.wrappers.options import NO_OPTIONS, OptionTable
from signoff.actions.vocabulary import words


class Prefix(Struct, frozen=True):
    """How a wrapper command's own words are recognised.

    `needs` is the sub-command that must come first; `is_elsewhere` says that its folders are
    not those of this machine; `asks` are flags with which it only tells; `takes_line` says that
    one quoted word is a line for the shell; `own` are the beginnings of its operand, which may
    be left out.
    """

    options: OptionTable = NO_OPTIONS
    operands: int = 0
    assigns: bool = False
    is_elsewhere: bool = False
    needs: str = ""
    asks: str = ""
    takes_line: bool = False
    own: tuple[str, ...] = ()


def split_assignments(
    words: tuple[Word, ...],
) -> tuple[tuple[tuple[str, Word], ...], tuple[Word, ...]]:
    """Split words into leading `NAME=value` pairs and the rest."""
    pairs: list[tuple[str, Word]] = []
    for n, word in enumerate(words):
        name, equals, value = word.text.partition("=")
        # `BASH_FUNC_x%%` is no identifier, but bash defines a function by it (CVE-2014-6271).
        if not equals or not (name.isidentifier() or name.startswith("BASH_FUNC_")):
            return tuple(pairs), words[n:]
        known = word.is_known or "\ufffd" not in value
        pairs.append((name, Word(text=value, is_known=known, sources=word.sources)))
    return tuple(pairs), ()


def _is_own(given: tuple[Word, ...], prefix: Prefix) -> bool:
    return any([word.text.startswith(prefix.own) for word in given])


def unfold_prefix(call: WrapperCall) -> tuple[Inner, ...]:
    """Return what a wrapper command runs: the words after its options and operands."""
    prefix = PREFIXES[call.name]
    options = prefix.options.read(call.words, 1)
    count = prefix.operands
    if prefix.own and not _is_own(call.words[options.start : options.start + 1], prefix):
        count = 0
    own = call.words[options.start : options.start + count]
    if prefix.needs and (not own or own[0].text != prefix.needs):
        return ()
    # `command -v rm` tells where rm is; it does not run it.
    if any(flag in options.flags for flag in prefix.asks):
        return ()
    # Options may also stand behind its own operands: `ip netns exec n`, `doppler run -c dev`.
    again = prefix.options.read(call.words, options.start + count)
    rest = call.words[again.start :]
    assignments: tuple[tuple[str, Word], ...] = ()
    if prefix.assigns:
        assignments, rest = split_assignments(rest)
    if not rest:
        return ()
    if prefix.takes_line and len(rest) == 1:
        return (Inner(carrier=call.name, text=rest[0]),)
    return (
        Inner(
            carrier=call.name,
            words=rest,
            assignments=assignments,
            folder="" if prefix.is_elsewhere else None,
            in_shell=call.name in _IN_SHELL,
        ),
    )


_SLURM = OptionTable(
    "nNpcJtAowDeiGLdrqxCw",
    tuple(
        words(
            "nodes ntasks partition account time job-name output error input cpus-per-task mem "
            "gres constraint chdir nodelist exclude qos reservation dependency ntasks-per-node "
            "gpus mem-per-cpu cpu-bind export begin comment jobid"
        )
    ),
)
_MPI = OptionTable.of("nHx", "host hostfile machinefile np map-by bind-to wdir oversubscribe")
# Builtins and keywords: what they run may change this shell, as `command cd /` does.
_IN_SHELL = frozenset({"command", "builtin", "time", "nocorrect", "noglob", "exec"})
_PLAIN = Prefix()
_ARCHITECTURES = tuple(
    words(
        "linux32 linux64 uname26 x86 i386 i486 i586 i686 athlon aarch64 arm ppc s390 sparc mips "
        "ia64"
    )
)

PREFIXES: dict[str, Prefix] = {
    **dict.fromkeys(
        words(
            "nohup setsid fakeroot eatmydata unbuffer faketty chronic ts catchsegv torsocks torify "
            "proxychains proxychains4 dbus-run-session dbus-launch nocorrect noglob tini dumb-init "
            "linux32 linux64 i386 x86_64 uname26 caffeinate arch gtime"
        ),
        _PLAIN,
    ),
    "doas": Prefix(OptionTable.of("uCa"), assigns=True),
    "sudo-rs": Prefix(OptionTable.of("ugpD", "user group chdir"), assigns=True),
    "pkexec": Prefix(OptionTable.of("", "user")),
    "nice": Prefix(OptionTable.of("n", "adjustment")),
    "ionice": Prefix(OptionTable.of("cnpPu", "class classdata pid pgid uid")),
    "timeout": Prefix(OptionTable.of("ks", "kill-after signal"), operands=1),
    "gtimeout": Prefix(OptionTable.of("ks", "kill-after signal"), operands=1),
    "stdbuf": Prefix(OptionTable.of("ioe", "input output error")),
    "gstdbuf": Prefix(OptionTable.of("ioe", "input output error")),
    "time": Prefix(OptionTable.of("fo", "format output")),
    "exec": Prefix(OptionTable.of("a")),
    "command": Prefix(asks="vV"),
    "builtin": _PLAIN,
    "chroot": Prefix(OptionTable.of("ug", "userspec groups"), operands=1, is_elsewhere=True),
    "unshare": Prefix(
        OptionTable.of("SGRwl", "setuid setgid root wd propagation setgroups"),
    ),
    "nsenter": Prefix(OptionTable.of("tSG", "target setuid setgid"), is_elsewhere=True),
    "strace": Prefix(OptionTable.of("abeoEIOPpSsuUX", "output trace attach user")),
    "ltrace": Prefix(OptionTable.of("aAeDFlnopsuwxX", "output library")),
    # setarch(8): the architecture may be left out.
    "setarch": Prefix(operands=1, own=_ARCHITECTURES),
    "dtach": Prefix(OptionTable.of("re"), operands=1),
    "abduco": Prefix(OptionTable.of("er"), operands=1),
    "autoexpect": Prefix(OptionTable.of("fC")),
    "empty": Prefix(OptionTable.of("ioptLS")),
    "prlimit": Prefix(OptionTable.of("po", "pid output")),
    "taskset": Prefix(operands=1),
    "schedtool": Prefix(OptionTable.of("npaM")),
    "chrt": Prefix(OptionTable.of("TPDp"), operands=1),
    "numactl": Prefix(
        OptionTable.of("imNCpP", "interleave membind cpunodebind physcpubind"),
    ),
    "cpulimit": Prefix(OptionTable.of("lepP", "limit exe pid path")),
    "choom": Prefix(OptionTable.of("np", "adjust pid")),
    "firejail": _PLAIN,
    "setpriv": Prefix(
        OptionTable.of("", "reuid regid groups inh-caps bounding-set ambient-caps"),
    ),
    "gosu": Prefix(operands=1),
    "su-exec": Prefix(operands=1),
    "setuidgid": Prefix(operands=1),
    "softlimit": Prefix(OptionTable.of("acdfmoprst")),
    "chpst": Prefix(OptionTable.of("uUbemdofpcrt/nlLP")),
    "faketime": Prefix(OptionTable.of("f"), operands=1),
    "rlwrap": Prefix(OptionTable.of("abcCDfghHilMNoOpPqsSStwzB")),
    "xvfb-run": Prefix(OptionTable.of("efnpsw", "error-file server-num server-args")),
    "systemd-inhibit": Prefix(OptionTable.of("", "what who why mode")),
    "ssh-agent": Prefix(OptionTable.of("aEOPt")),
    "grc": Prefix(OptionTable.of("c", "config colour")),
    "logsave": Prefix(operands=1),
    **dict.fromkeys(
        ("valgrind", "bear", "ccache", "sccache", "distcc", "heaptrack", "ifne", "winpty"), _PLAIN
    ),
    "sshpass": Prefix(OptionTable.of("pfdP")),
    "scan-build": Prefix(OptionTable.of("o", "use-cc use-c++")),
    "runcon": Prefix(OptionTable.of("turl", "type user role range")),
    "cgexec": Prefix(OptionTable.of("g")),
    "trickle": Prefix(OptionTable.of("udtlnwpL")),
    "rr": Prefix(operands=1, needs="record"),
    "ip": Prefix(OptionTable.of("n"), operands=3, needs="netns"),
    "wsl": Prefix(OptionTable.of("du", "distribution user cd")),
    "retry": Prefix(OptionTable.of("tdmscr", "times delay tries")),
    "aws-vault": Prefix(OptionTable.of("d", "duration region"), operands=2),
    "op": Prefix(OptionTable.of("", "env-file account"), operands=1, needs="run"),
    "doppler": Prefix(OptionTable.of("pct", "project config"), operands=1, needs="run"),
    "chamber": Prefix(operands=2, needs="exec"),
    "dotenv": Prefix(OptionTable.of("fe", "file env-file")),
    "dotenvx": Prefix(OptionTable.of("f", "env-file"), operands=1, needs="run"),
    "direnv": Prefix(operands=2, needs="exec"),
    "cross-env": Prefix(assigns=True),
    "cross-env-shell": Prefix(assigns=True),
    "with-contenv": _PLAIN,
    **dict.fromkeys(("srun", "salloc"), Prefix(_SLURM)),
    # bsub(1) of LSF hands its words to a shell on the node, as one line.
    "bsub": Prefix(OptionTable.of("qmoeJnWMRPugwbtifGULEaDFSvCc"), takes_line=True),
    **dict.fromkeys(("mpirun", "mpiexec", "orterun", "prun"), Prefix(_MPI)),
    "systemd-cat": Prefix(OptionTable.of("tp", "identifier priority stderr-priority")),
    "zellij": Prefix(
        OptionTable.of("ndxy", "name direction cwd height width"),
        operands=1,
        needs="run",
    ),
    "limactl": Prefix(OptionTable.of("", "workdir shell"), operands=2, needs="shell"),
    "toolbox": Prefix(OptionTable.of("cdr", "container distro release"), operands=1, needs="run"),
    "flatpak-spawn": Prefix(OptionTable.of("", "forward-fd directory")),
    "tox": Prefix(OptionTable.of("ec", "env conf workdir"), operands=1, needs="exec"),
    "composer": Prefix(OptionTable.of("d", "working-dir"), operands=1, needs="exec"),
    **dict.fromkeys(
        ("nx", "lerna", "turbo", "rush"),
        Prefix(
            OptionTable.of("", "scope projects filter concurrency ignore since"),
            operands=1,
            needs="exec",
            takes_line=True,
        ),
    ),
}


def unfold_sudo(call: WrapperCall) -> tuple[Inner, ...]:
    """Return inner commands: `sudo` runs words; with `-s` or `-i` the user's shell reads them."""
    options = _SUDO.read(call.words, 1)
    assignments, rest = split_assignments(call.words[options.start :])
    # With these sudo edits, lists or forgets; the words behind them are not run.
    if options.flags & {"e", "edit", "l", "list", "v", "K"}:
        return ()
    folder = options.value("D", "chdir")
    place = None if folder is None else folder.text if folder.is_known else ""
    is_shell = bool(options.flags & {"s", "shell", "i", "login"})
    if not rest:
        # `sudo -s` without words is a shell, and reads its orders from standard input.
        stream = call.stdin if is_shell else None
        if stream is None or stream.text is None:
            return ()
        return (Inner(carrier="sudo", text=Word(text=stream.text), stdin=Stream(text="")),)
    if is_shell:
        return (Inner(carrier="sudo", text=joined(rest), assignments=assignments, folder=place),)
    return (Inner(carrier="sudo", words=rest, assignments=assignments, folder=place),)


_SUDO = OptionTable.of(
    "ugpCcDhRrtTU",
    "user group prompt chdir close-from host chroot role type other-user command-timeout "
    "login-class",
    "shell login edit list validate non-interactive preserve-env stdin",
)
