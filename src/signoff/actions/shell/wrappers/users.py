"""Carriers that change who or where: env, su, runuser, sg, flock, script, watch, busybox.

env -S 'rm -rf' /      ->  rm -rf /
su - web -c 'rm x'     ->  the text `rm x`
"""

from __future__ import annotations

from signoff.actions.shell.command import Word
from signoff.actions.shell.syntax.lexer import ShellLexer
from signoff.actions.shell.syntax.scan import Fuel
from signoff.actions.shell.syntax.tree import Unreadable
from signoff.actions.shell.wrappers.inner import Inner, WrapperCall, joined
from signoff.actions.shell.wrappers.options import NO_OPTIONS, OptionTable
from signoff.actions.shell.wrappers.prefix import split_assignments

_ENV = OptionTable.of(
    "uCSa",
    "unset chdir split-string argv0",
    "ignore-environment null debug block-signal default-signal ignore-signal",
)
_SU = OptionTable.of(
    "cgGsTuwC",
    "command session-command group supp-group shell whitelist-environment user",
    "login preserve-environment fast pty",
)
_FLOCK = OptionTable.of("wEc", "timeout wait conflict-exit-code command")
_SCRIPT = OptionTable.of(
    "cEIOBTmo",
    "command echo log-in log-out log-io log-timing output-limit",
    "quiet append return flush force",
)
_WATCH = OptionTable.of("nq", "interval equexit", "exec differences beep no-title")
_HYPERFINE = OptionTable.of(
    "wmMrpcsSunNL",
    "warmup runs min-runs max-runs prepare setup cleanup shell export-markdown export-json "
    "export-csv export-asciidoc export-orgmode time-unit style command-name input output "
    "parameter-list parameter-scan reference sort conclude names prefix-colors max-processes",
)


def unfold_env(call: WrapperCall) -> tuple[Inner, ...]:
    """Return inner commands: `env` with its own splitting of one string into words (`-S`)."""
    options = _ENV.read(call.words, 1)
    rest = call.words[options.start :]
    # `env -` means `env -i` (GNU coreutils manual).
    if rest and rest[0].text == "-":
        rest = rest[1:]
    split = options.value("S", "split-string")
    if split is not None:
        rest = (*_split_string(split), *rest)
        again = _ENV.read(rest)
        rest = rest[again.start :]
    assignments, rest = split_assignments(rest)
    folder = options.value("C", "chdir")
    if not rest:
        return ()
    return (
        Inner(
            carrier="env",
            words=rest,
            assignments=assignments,
            folder=None if folder is None else folder.text if folder.is_known else "",
        ),
    )


def _split_string(word: Word) -> tuple[Word, ...]:
    """The words `env -S` makes of one string; quotes are taken off, variables stay unknown."""
    try:
        raws = ShellLexer(word.text, Fuel()).all_words()
    except Unreadable:
        raws = word.text.split()
    return tuple(
        Word(
            text=_unquoted(raw),
            # `env -S` fills in `${NAME}` by itself, from the environment.
            is_known=word.is_known and "$" not in raw,
            sources=word.sources,
        )
        for raw in raws
    )


def _unquoted(raw: str) -> str:
    # `\_` is a blank to `env -S` (GNU coreutils manual).
    return raw.replace("'", "").replace('"', "").replace("\\_", " ").replace("\\", "")


def unfold_su(call: WrapperCall) -> tuple[Inner, ...]:
    """Return inner commands: `su -c` and `runuser`; the latter takes plain words behind `-u`."""
    options = _SU.read(call.words, 1)
    rest = call.words[options.start :]
    text = options.value("c", "command", "session-command")
    if text is None:
        # `su root -c 'x'`: options may stand behind the user.
        again = _SU.read(call.words, options.start + _users(rest))
        text = again.value("c", "command", "session-command")
    if text is not None:
        return (Inner(carrier=f"{call.name} -c", text=text, folder=None),)
    if call.name == "runuser" and options.value("u", "user") is not None and rest:
        return (Inner(carrier="runuser", words=rest),)
    # Without a command it starts a shell, which reads its orders from standard input.
    if call.stdin is not None and call.stdin.text is not None:
        return (Inner(carrier=call.name, text=Word(text=call.stdin.text)),)
    return ()


def _users(rest: tuple[Word, ...]) -> int:
    return next((n for n, word in enumerate(rest) if word.text[:2] in ("-c", "--")), len(rest))


def unfold_sg(call: WrapperCall) -> tuple[Inner, ...]:
    """Return commands run by `sg group -c text`, `newgrp`."""
    operands = [word for word in call.operands if word.text not in ("-", "-c")]
    return (Inner(carrier="sg -c", text=operands[1]),) if len(operands) > 1 else ()


def unfold_flock(call: WrapperCall) -> tuple[Inner, ...]:
    """Return commands run by `flock file words` and `flock file -c text`."""
    options = _FLOCK.read(call.words, 1)
    text = options.value("c", "command")
    rest = call.words[options.start + 1 :]
    if text is None and rest:
        again = _FLOCK.read(rest)
        text = again.value("c", "command")
        rest = rest[again.start :]
    if text is not None:
        return (Inner(carrier="flock -c", text=text),)
    return (Inner(carrier="flock", words=rest),) if rest else ()


def unfold_script(call: WrapperCall) -> tuple[Inner, ...]:
    """Return inner commands: `script -c text file`; on BSD `script file words`."""
    options = _SCRIPT.read(call.words, 1)
    text = options.value("c", "command")
    rest = call.words[options.start :]
    if text is None and len(rest) > 1:
        again = _SCRIPT.read(rest, 1)
        text = again.value("c", "command")
        if text is None:
            return (Inner(carrier="script", words=rest[1:]),)
    return (Inner(carrier="script -c", text=text),) if text is not None else ()


def unfold_watch(call: WrapperCall) -> tuple[Inner, ...]:
    """Inner commands: `watch` joins its operands into a line, with `-x` it runs them as words."""
    options = _WATCH.read(call.words, 1)
    rest = call.words[options.start :]
    if not rest:
        return ()
    if options.flags & {"x", "exec"}:
        return (Inner(carrier="watch", words=rest),)
    # procps runs the line by `sh -c`, so characters that were quoted are special again.
    return (Inner(carrier="watch", text=joined(rest)),)


def unfold_texts(call: WrapperCall) -> tuple[Inner, ...]:
    """Return commands run by `hyperfine a b`, `concurrently a b`: every operand is a line."""
    hooks = ("prepare", "p", "setup", "s", "cleanup", "c")
    texts: list[Word] = []
    at = 1
    while at < len(call.words):  # options may stand behind the lines as well
        options = _HYPERFINE.read(call.words, at)
        texts += [w for name, w in options.values if name in hooks and call.name == "hyperfine"]
        texts += call.words[options.start : options.start + 1]
        at = options.start + 1
    return tuple(Inner(carrier=call.name, text=text) for text in texts if text.text[:1] != "-")


def unfold_lines(call: WrapperCall) -> tuple[Inner, ...]:
    """Return the operands of `start-server-and-test` that have several words: each is a line."""
    lines = [word for word in call.operands if " " in word.text.strip()]
    return tuple(Inner(carrier=call.name, text=word) for word in lines)


def unfold_entr(call: WrapperCall) -> tuple[Inner, ...]:
    """Return inner commands: `entr words`; with `-s` the one operand is a line for a shell."""
    options = NO_OPTIONS.read(call.words, 1)
    rest = call.words[options.start :]
    if not rest:
        return ()
    if "s" in options.flags:
        return (Inner(carrier="entr -s", text=rest[0]),)
    return (Inner(carrier="entr", words=rest),)


def unfold_busybox(call: WrapperCall) -> tuple[Inner, ...]:
    """Return commands run by `busybox rm x`: the applet is the program."""
    rest = call.operands
    # `busybox --install` and `--list` run no applet.
    if not rest or rest[0].text[:1] == "-":
        return ()
    return (Inner(carrier=call.name, words=rest),)
