"""Programs that run the words behind their own options: sudo, env, timeout and many more.

timeout -k 5 30s rm -rf x    ->  rm -rf x      (one operand, the duration, comes first)
"""

from __future__ import annotations

from msgspec import Struct

from signoff.actions.file_endings import words
from signoff.actions.shell.command import Stream, Word
from signoff.actions.shell.wrappers.inner import Inner, WrapperCall, joined
from signoff.actions.shell.wrappers.options import NO_OPTIONS, OptionTable


class Prefix(Struct, frozen=True):
    """Options of a carrier, operands before the program, and whether assignments may precede.

    `needs` is the sub-command that must come first; `is_elsewhere` says that its folders are
    not those of this machine; `asks` are flags with which it only tells.
    """

    options: OptionTable = NO_OPTIONS
    operands: int = 0
    assigns: bool = False
    is_elsewhere: bool = False
    needs: str = ""
    asks: str = ""


def split_assignments(
    words: tuple[Word, ...],
) -> tuple[tuple[tuple[str, Word], ...], tuple[Word, ...]]:
    """Leading `NAME=value` words and the rest."""
    pairs: list[tuple[str, Word]] = []
    for n, word in enumerate(words):
        name, equals, value = word.text.partition("=")
        if not equals or not (name.isidentifier() or name.startswith("BASH_FUNC_")):
            return tuple(pairs), words[n:]
        known = word.is_known or "\ufffd" not in value
        pairs.append((name, Word(text=value, is_known=known, sources=word.sources)))
    return tuple(pairs), ()


def unfold_prefix(call: WrapperCall) -> tuple[Inner, ...]:
    """The words behind the carrier's options and own operands."""
    prefix = PREFIXES[call.name]
    options = prefix.options.read(call.words, 1)
    own = call.words[options.start : options.start + prefix.operands]
    if prefix.needs and (not own or own[0].text != prefix.needs):
        return ()
    if any(flag in options.flags for flag in prefix.asks):
        return ()
    again = prefix.options.read(call.words, options.start + prefix.operands)
    rest = call.words[again.start :]
    assignments: tuple[tuple[str, Word], ...] = ()
    if prefix.assigns:
        assignments, rest = split_assignments(rest)
    if not rest:
        return ()
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
_MPI = OptionTable(
    "nHx",
    tuple(["host", "hostfile", "machinefile", "np", "map-by", "bind-to", "wdir", "oversubscribe"]),
)
_IN_SHELL = frozenset({"command", "builtin", "time", "nocorrect", "noglob", "exec"})
_PLAIN = Prefix()

PREFIXES: dict[str, Prefix] = {
    **dict.fromkeys(
        [
            "nohup",
            "setsid",
            "fakeroot",
            "eatmydata",
            "unbuffer",
            "faketty",
            "chronic",
            "ts",
            "catchsegv",
            "torsocks",
            "torify",
            "proxychains",
            "proxychains4",
            "dbus-run-session",
            "dbus-launch",
            "nocorrect",
            "noglob",
            "tini",
            "dumb-init",
            "linux32",
            "linux64",
            "i386",
            "x86_64",
            "uname26",
            "caffeinate",
            "arch",
            "gtime",
        ],
        _PLAIN,
    ),
    "doas": Prefix(OptionTable("uCa"), assigns=True),
    "sudo-rs": Prefix(OptionTable("ugpD", ("user", "group", "chdir")), assigns=True),
    "pkexec": Prefix(OptionTable("", ("user",))),
    "nice": Prefix(OptionTable("n", ("adjustment",))),
    "ionice": Prefix(OptionTable("cnpPu", ("class", "classdata", "pid", "pgid", "uid"))),
    "timeout": Prefix(OptionTable("ks", ("kill-after", "signal")), operands=1),
    "gtimeout": Prefix(OptionTable("ks", ("kill-after", "signal")), operands=1),
    "stdbuf": Prefix(OptionTable("ioe", ("input", "output", "error"))),
    "gstdbuf": Prefix(OptionTable("ioe", ("input", "output", "error"))),
    "time": Prefix(OptionTable("fo", ("format", "output"))),
    "exec": Prefix(OptionTable("a")),
    "command": Prefix(asks="vV"),
    "builtin": _PLAIN,
    "chroot": Prefix(OptionTable("ug", ("userspec", "groups")), operands=1, is_elsewhere=True),
    "unshare": Prefix(
        OptionTable("SGRwl", ("setuid", "setgid", "root", "wd", "propagation", "setgroups")),
    ),
    "nsenter": Prefix(OptionTable("tSG", ("target", "setuid", "setgid")), is_elsewhere=True),
    "strace": Prefix(OptionTable("abeoEIOPpSsuUX", ("output", "trace", "attach", "user"))),
    "ltrace": Prefix(OptionTable("aAeDFlnopsuwxX", ("output", "library"))),
    "setarch": Prefix(operands=1),
    "dtach": Prefix(OptionTable("re"), operands=1),
    "abduco": Prefix(OptionTable("er"), operands=1),
    "autoexpect": Prefix(OptionTable("fC")),
    "empty": Prefix(OptionTable("ioptLS")),
    "prlimit": Prefix(OptionTable("po", ("pid", "output"))),
    "taskset": Prefix(operands=1),
    "schedtool": Prefix(OptionTable("npaM")),
    "chrt": Prefix(OptionTable("TPDp"), operands=1),
    "numactl": Prefix(
        OptionTable("imNCpP", ("interleave", "membind", "cpunodebind", "physcpubind")),
    ),
    "cpulimit": Prefix(OptionTable("lepP", ("limit", "exe", "pid", "path"))),
    "choom": Prefix(OptionTable("np", ("adjust", "pid"))),
    "firejail": _PLAIN,
    "setpriv": Prefix(
        OptionTable("", ("reuid", "regid", "groups", "inh-caps", "bounding-set", "ambient-caps")),
    ),
    "gosu": Prefix(operands=1),
    "su-exec": Prefix(operands=1),
    "setuidgid": Prefix(operands=1),
    "softlimit": Prefix(OptionTable("acdfmoprst")),
    "chpst": Prefix(OptionTable("uUbemdofpcrt/nlLP")),
    "faketime": Prefix(OptionTable("f"), operands=1),
    "rlwrap": Prefix(OptionTable("abcCDfghHilMNoOpPqsSStwzB")),
    "xvfb-run": Prefix(OptionTable("efnpsw", ("error-file", "server-num", "server-args"))),
    "systemd-inhibit": Prefix(OptionTable("", ("what", "who", "why", "mode"))),
    "ssh-agent": Prefix(OptionTable("aEOPt")),
    **dict.fromkeys(
        ("valgrind", "bear", "ccache", "sccache", "distcc", "heaptrack", "ifne", "winpty"), _PLAIN
    ),
    "sshpass": Prefix(OptionTable("pfdP")),
    "scan-build": Prefix(OptionTable("o", ("use-cc", "use-c++"))),
    "runcon": Prefix(OptionTable("turl", ("type", "user", "role", "range"))),
    "cgexec": Prefix(OptionTable("g")),
    "trickle": Prefix(OptionTable("udtlnwpL")),
    "rr": Prefix(operands=1, needs="record"),
    "ip": Prefix(OptionTable("n"), operands=3, needs="netns"),
    "wsl": Prefix(OptionTable("du", ("distribution", "user", "cd"))),
    "retry": Prefix(OptionTable("tdmscr", ("times", "delay", "tries"))),
    "aws-vault": Prefix(OptionTable("d", ("duration", "region")), operands=2),
    "op": Prefix(OptionTable("", ("env-file", "account")), operands=1, needs="run"),
    "doppler": Prefix(OptionTable("pct", ("project", "config")), operands=1, needs="run"),
    "chamber": Prefix(operands=2, needs="exec"),
    "dotenv": Prefix(OptionTable("fe", ("file", "env-file"))),
    "dotenvx": Prefix(OptionTable("f", ("env-file",)), operands=1, needs="run"),
    "direnv": Prefix(operands=2, needs="exec"),
    "cross-env": Prefix(assigns=True),
    "cross-env-shell": Prefix(assigns=True),
    "with-contenv": _PLAIN,
    **dict.fromkeys(("srun", "salloc"), Prefix(_SLURM)),
    **dict.fromkeys(("mpirun", "mpiexec", "orterun", "prun"), Prefix(_MPI)),
    "systemd-cat": Prefix(OptionTable("tp", ("identifier", "priority", "stderr-priority"))),
    "zellij": Prefix(
        OptionTable("ndxy", ("name", "direction", "cwd", "height", "width")),
        operands=1,
        needs="run",
    ),
    "limactl": Prefix(OptionTable("", ("workdir", "shell")), operands=2, needs="shell"),
    "toolbox": Prefix(
        OptionTable("cdr", ("container", "distro", "release")), operands=1, needs="run"
    ),
    "flatpak-spawn": Prefix(OptionTable("", ("forward-fd", "directory"))),
    "tox": Prefix(OptionTable("ec", ("env", "conf", "workdir")), operands=1, needs="exec"),
    "composer": Prefix(OptionTable("d", ("working-dir",)), operands=1, needs="exec"),
    **dict.fromkeys(
        ("nx", "lerna", "turbo", "rush"),
        Prefix(OptionTable("", ("scope", "projects", "filter")), operands=1, needs="exec"),
    ),
}


def unfold_sudo(call: WrapperCall) -> tuple[Inner, ...]:
    """`sudo` runs words; with `-s` or `-i` the user's shell reads them."""
    options = _SUDO.read(call.words, 1)
    assignments, rest = split_assignments(call.words[options.start :])
    if options.flags & {"e", "edit", "l", "list", "v", "K"}:
        return ()
    folder = options.value("D", "chdir")
    place = None if folder is None else folder.text if folder.is_known else ""
    is_shell = bool(options.flags & {"s", "shell", "i", "login"})
    if not rest:
        stream = call.stdin if is_shell else None
        if stream is None or stream.text is None:
            return ()
        return (Inner(carrier="sudo", text=Word(text=stream.text), stdin=Stream(text="")),)
    if is_shell:
        return (Inner(carrier="sudo", text=joined(rest), assignments=assignments, folder=place),)
    return (Inner(carrier="sudo", words=rest, assignments=assignments, folder=place),)


_SUDO = OptionTable(
    "ugpCcDhRrtTU",
    (
        "user",
        "group",
        "prompt",
        "chdir",
        "close-from",
        "host",
        "chroot",
        "role",
        "type",
        "other-user",
        "command-timeout",
        "login-class",
    ),
    ("shell", "login", "edit", "list", "validate", "non-interactive", "preserve-env", "stdin"),
)
