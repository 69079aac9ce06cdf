"""Processes: ending, slowing, tracing, looking into them.

Ending a process by its number is one's own business; by name or pattern it may hit others; all
of them at once is refused.
"""

from __future__ import annotations

from collections.abc import Iterator

import re2

from signoff.actions.operation import Reach, ResourceType, Trait, Verb
from signoff.actions.paths import locate
from signoff.actions.programs.acts import Effect, Nested
from signoff.actions.programs.call import ProgramCall
from signoff.actions.shell.command import Word
from signoff.actions.vocabulary import lazy_re2

SYSTEM_CALL = r"""system\s*\(\s*["']([^"']*)"""
# Patterns of pkill that any name fits.
MATCHES_ALL = frozenset({".", ".*", "", "^", "*", "$"})


_KILLS = frozenset({"-9", "-KILL", "-SIGKILL", "-s", "-n"})
# `:3000`, `tcp:3000`, `-ti:3000`, `@localhost:3000`: one port of this machine, no range, no other
# host.
_PORT = lazy_re2(r"(?i)(?:-t?i(?:tcp)?)?(?:tcp)?@?(?:localhost)?:[0-9]{2,5}")


def kill(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `kill PID`: one's own job; `-1` as a process means every one."""
    texts = [w.text for w in call.command.words[1:]]
    # kill(1): these list signals and send none.
    if texts[:1] in (["-l"], ["-L"], ["--list"], ["--table"]) or texts[:2] == ["-0"]:
        yield call.operation(Verb.INERT, ResourceType.NOTHING)
        return
    targets, signal = _targets(texts)
    # Signal 0 only asks whether the process is there.
    if signal == "0":
        yield call.operation(Verb.INERT, ResourceType.NOTHING)
        return
    for text in targets:
        # As a target `-1` is every process of the user, and 1 is init.
        everything = text in {"-1", "1"}
        yield call.operation(
            Verb.CONTROL,
            ResourceType.PROCESS,
            text,
            traits=(Trait.BROAD,) if everything else (Trait.NAMED,),
            reach=Reach.SYSTEM if everything else _reach(call, text),
        )
    if not targets:
        yield call.operation(Verb.INERT, ResourceType.NOTHING)


def _targets(texts: list[str]) -> tuple[list[str], str]:
    """Process words and the signal of `kill -9 -1`, `kill -s TERM 4 5`, `kill -- -7`."""
    signal, at = "", 0
    if texts and texts[0] in {"-s", "-n", "--signal", "-q"}:
        signal, at = (texts[1] if len(texts) > 1 else ""), 2
    elif len(texts) > 1 and texts[0].startswith("-") and texts[0] != "--":
        # With a target behind it the first dash is the signal: `kill -1 42` sends SIGHUP to 42.
        signal, at = texts[0][1:], 1
    return [t for t in texts[at:] if t != "--"], signal


def _reach(call: ProgramCall, text: str) -> Reach:
    # Numbers and jobs (`%1`) that the shell itself started or the caller looked up.
    known = text.lstrip("-%").isalnum() or text in {"$!", "$$", "%%", "%+", "%-"}
    if known:
        return Reach.PROJECT
    unknown = next((w for w in call.operands if w.text == text), None)
    from_lookup = unknown is not None and bool(unknown.sources) and not _is_own_pid(call, unknown)
    return Reach.UNKNOWN if from_lookup else Reach.PROJECT


def _is_own_pid(call: ProgramCall, word: Word) -> bool:
    """Whether the number comes from a `pid` file of the project, or of the shell's own jobs."""
    raw = word.raw.strip('"')
    raw = f"$({raw[1:-1]})" if raw[:1] == raw[-1:] == "`" else raw
    inside, _, filtered = raw.removeprefix("$(").removesuffix(")").partition("|")
    # These filters only strip the line end or take the first; any other may make another number
    # of it.
    if filtered.split()[:2] not in ([], ["tr", "-d"], ["head", "-1"], ["head", "-n1"]):
        return False
    parts = inside.split()
    if parts == ["jobs", "-p"]:
        return "|" not in word.raw
    if parts[:1] == ["lsof"]:
        given = {each.text for each in call.command.words}
        # SIGKILL gives a server no time to write its data, so only gentler signals pass.
        return _KILLS.isdisjoint(given) and _is_listener(parts[1:])
    if len(parts) == 2 and parts[0] in {"cat", "<"}:
        path = parts[1]
    elif len(parts) == 1 and parts[0].startswith("<"):
        path = parts[0][1:]
    else:
        return False
    # Anything the shell expands or splits in the path could name another file.
    return not set("$`*?;|&()") & set(path) and _is_own_pid_file(call, path)


def _is_own_pid_file(call: ProgramCall, path: str) -> bool:
    is_named = path.rpartition("/")[2].lower().rpartition(".")[2] in {"pid", "pidfile"}
    return is_named and locate(path, call.place).reach in {Reach.PROJECT, Reach.TEMP}


def _is_listener(options: list[str]) -> bool:
    """`lsof -ti :3000`: who holds one port of this machine, for a signal that lets it end."""
    # Who is connected to the port is left out by `-sTCP:LISTEN`: it selects less, never more.
    options = [text for text in options if text.lower() != "-stcp:listen"]
    flags = [text for text in options if text.startswith("-") and ":" not in text]
    ports = [text for text in options if _PORT.fullmatch(text)]
    # `-t` prints numbers only; a word that is neither flag nor port would select by something
    # else.
    return len(ports) == 1 and "t" in "".join(flags) and len(flags) + len(ports) >= len(options)


def by_pattern(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `pkill`, `killall`: whatever has the name or fits the pattern."""
    if call.has("-l", "--list", "-0", "--signal-list"):
        yield call.operation(Verb.INERT, ResourceType.NOTHING)
        return
    numbers = call.value("-F", "--pidfile") if call.name == "pkill" else None
    if numbers is not None:
        yield from _of_number_file(call, numbers)
        return
    parent = call.value("-P", "--parent")
    if call.name == "pkill" and parent is not None and parent.raw.strip('"') in _OWN_SHELL:
        yield call.operation(
            Verb.CONTROL, ResourceType.PROCESS, "", traits=(Trait.NAMED,), reach=Reach.PROJECT
        )
        return
    everything = (
        # killall5(8) signals every process outside its own session, without naming one.
        call.name == "killall5"
        or any(t in MATCHES_ALL for t in call.texts)
        or (call.has("-u", "--user", "-U", "--euid", "--uid", "-9") and not call.operands)
    )
    if not everything and any([_hits_guard(call, text) for text in call.texts]):
        yield call.operation(Verb.CONTROL, ResourceType.GUARD, GUARD, reach=Reach.GUARD)
    yield call.operation(
        Verb.CONTROL,
        ResourceType.PROCESS,
        " ".join(call.texts),
        traits=(Trait.BROAD,) if everything else (Trait.BY_PATTERN,),
        reach=Reach.SYSTEM,
    )


def _of_number_file(call: ProgramCall, word: Word) -> Iterator[Effect]:
    """Yield effects of `pkill -F run/app.pid`: as `kill $(cat run/app.pid)`."""
    yield call.on_file(Verb.READ, word)
    is_own = word.is_known and _is_own_pid_file(call, word.text)
    reach = Reach.PROJECT if is_own else Reach.UNKNOWN
    yield call.operation(
        Verb.CONTROL, ResourceType.PROCESS, word.text, traits=(Trait.NAMED,), reach=reach
    )


GUARD = "signoff"
_OWN_SHELL = ("$$", "${$}", "$BASHPID")  # its children are the line's own jobs
MIN_HIT = 4  # `pkill -f s` hits half of all programs, which is asked about as that
MAX_PATTERN = 200


def _hits_guard(call: ProgramCall, text: str) -> bool:
    """Whether a name or pattern picks signoff's process: `sign.ff`, `signof`, `[s]ignoff`."""
    # killall(1) takes names as they are, unless `-r` makes them patterns.
    if call.name == "killall" and not call.has("-r", "--regexp"):
        return text == GUARD
    if len(text) > MAX_PATTERN:
        return False
    try:
        found = re2.search(text, GUARD)
    except re2.error:
        return False
    return found is not None and len(found.group()) >= MIN_HIT


def users_of_file(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `fuser`: lists; `-k` kills who uses a file or port."""
    if call.has("-k", "--kill", "-ki"):
        yield call.operation(
            Verb.CONTROL,
            ResourceType.PROCESS,
            " ".join(call.texts),
            traits=(Trait.BY_PATTERN,),
            reach=Reach.SYSTEM,
        )
    else:
        yield call.operation(Verb.READ, ResourceType.PROCESS)


# gdb takes its long options with one dash or two.
DEBUGGER_LINES = (
    *("-ex", "--ex", "-iex", "--iex", "-eval-command", "--eval-command", "--init-eval-command"),
    *("-init-eval-command", "-o", "-O", "-k", "-K", "--one-line", "--one-line-before-file"),
    "--one-line-on-crash",
)


def debugger(call: ProgramCall) -> Iterator[Effect]:
    """Effects of `gdb -p PID`: gets into a running process; commands of `-ex` may run lines."""
    for word in call.values(*DEBUGGER_LINES):
        yield Nested(text=word.text, language="gdb", carrier=call.name, is_known=word.is_known)
    attached = call.has("-p", "--pid", "--attach-pid", "-n", "--attach-name")
    yield from (call.on_file(Verb.READ, w) for w in call.values("-x", "-s", "--source"))
    if attached:
        yield call.operation(
            Verb.CONTROL,
            ResourceType.PROCESS,
            "a running process",
            traits=(Trait.BY_PATTERN,),
            reach=Reach.SYSTEM,
        )
    elif call.operands:
        yield call.operation(Verb.EXECUTE, ResourceType.CODE, call.texts[0], reach=Reach.PROJECT)
    else:
        yield call.operation(Verb.INERT, ResourceType.NOTHING)


def hard_copy(call: ProgramCall) -> Iterator[Effect]:
    """Yield the effects of `screen -X hardcopy FILE`: writes a terminal's content to a file."""
    if "hardcopy" in [word.text for word in call.command.words[1:]]:
        yield call.operation(
            Verb.READ, ResourceType.PROCESS, path="/dev/pts/screen", reach=Reach.UNKNOWN
        )


def terminal_read(call: ProgramCall) -> Iterator[Effect]:
    """Effects of `tmux capture-pane -t NAME`: what is in a terminal, perhaps somebody else's."""
    given = call.value("-t")
    target = given.text if given is not None and given.is_known else ""
    yield call.operation(
        Verb.READ,
        ResourceType.PROCESS,
        target.partition(":")[0].lstrip("=%@"),
        # As a terminal's own path, so that rules on terminals also cover reading one through
        # tmux.
        path=f"/dev/pts/{call.name.split(' ', 1)[0]}",
        reach=Reach.UNKNOWN,
    )


MAX_SCRIPT = 20_000  # characters


def tracer(call: ProgramCall) -> Iterator[Effect]:
    """`strace -p PID`: sees what another process does; the program behind is unfolded."""
    yield from (call.on_file(Verb.WRITE, w) for w in call.values("-o", "--output"))
    if call.name in {"bpftrace", "stap"}:
        for word in call.values("-e"):
            # bpftrace's `system()` runs a shell line for each event, as root.
            if len(word.text) > MAX_SCRIPT:
                yield call.opaque("the script is too long to be read")
            for line in re2.findall(SYSTEM_CALL, word.text[:MAX_SCRIPT]):
                yield Nested(text=line, language="shell", carrier=f"{call.name} system")
    yield call.operation(Verb.READ, ResourceType.PROCESS)
