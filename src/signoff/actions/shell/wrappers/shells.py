"""Shells and what reads shell text: `bash -c`, `sh <<< ..`, `eval`, `trap`, `source`.

echo 'rm x' | sh    ->  the known input is read as a script
curl $U | sh        ->  nothing to read; the command's stdin says where it comes from
"""

from __future__ import annotations

from signoff.actions.programs.scripts import only_checks
from signoff.actions.shell.command import Stream, Word
from signoff.actions.shell.wrappers.inner import NO_NAME, Inner, WrapperCall, joined
from signoff.actions.shell.wrappers.options import OptionTable

SHELLS = ("sh", "bash", "zsh", "dash", "ksh", "mksh", "ash", "rbash", "fish", "csh", "tcsh")

_SHELL = OptionTable.of("oO", "rcfile init-file command init-command")
_RC_OPTIONS = ("rcfile", "init-file")
_ENDING = frozenset({"EXIT", "0", "INT", "TERM", "HUP", "QUIT", "SIGINT", "SIGTERM", "SIGHUP"})
_TRAP_FLAGS = ("-l", "-p", "-P")


def unfold_shell(call: WrapperCall) -> tuple[Inner, ...]:
    """Return what a shell runs: the text of `-c`, of a script written before, or of its input."""
    if only_checks(call.words):
        return ()
    options = _SHELL.read(_minus(call.words), 1)
    operands = call.words[options.start :]
    made = list(_startup(call, options.value("init-command", "C")))
    for file in _startup_files(call.words):
        made.append(Inner(carrier=f"{call.name} --rcfile", words=(Word(text="source"), file)))
    given = options.value("command")
    if given is not None:
        made.append(Inner(carrier=f"{call.name} -c", text=given, parameters=operands))
    elif "c" in options.flags:
        if operands:
            # The word behind the text is `$0` (POSIX sh), so `$1` is the one after it.
            name = operands[1] if len(operands) > 1 else NO_NAME
            text, rest = operands[0], operands[2:]
            made.append(Inner(carrier=f"{call.name} -c", text=text, parameters=rest, own_name=name))
    elif operands and "s" not in options.flags and operands[0].text not in ("-", "/dev/stdin"):
        made.extend(_script(call, operands))
    else:
        # Behind `-s` every operand is a parameter; else the first one names the input.
        made.extend(_input(call, operands if "s" in options.flags else operands[1:]))
    return tuple(made)


def _minus(words: tuple[Word, ...]) -> tuple[Word, ...]:
    """Return the words with `+x` options written as `-x`."""
    return tuple(
        Word(text="-" + word.text[1:]) if word.text[:1] == "+" and n else word
        for n, word in enumerate(words)
    )


def _startup(call: WrapperCall, text: Word | None) -> tuple[Inner, ...]:
    return (Inner(carrier=f"{call.name} -C", text=text),) if text is not None else ()


def _startup_files(words: tuple[Word, ...]) -> tuple[Word, ...]:
    """The files that `--rcfile` and `--init-file` name; bash reads them with one dash, too."""
    found: list[Word] = []
    for n, word in enumerate(words):
        name, equals, value = word.text.partition("=")
        if name.lstrip("-") not in _RC_OPTIONS or name[:1] != "-":
            continue
        if equals:
            found.append(Word(text=value, is_known=word.is_known, sources=word.sources))
        elif n + 1 < len(words):
            found.append(words[n + 1])
    # `--rcfile /dev/null` says that no file is read.
    return tuple([word for word in found if word.text != "/dev/null"])


def _script(call: WrapperCall, operands: tuple[Word, ...]) -> tuple[Inner, ...]:
    text = call.file_text(operands[0])
    if text is None:
        return ()
    script = operands[0]
    return (Inner(carrier=call.name, text=text, parameters=operands[1:], own_name=script),)


def _input(call: WrapperCall, parameters: tuple[Word, ...]) -> tuple[Inner, ...]:
    stream = call.stdin
    if stream is None:
        return ()
    text = stream.text
    if text is None and stream.path:
        written = call.file_text(Word(text=stream.path))
        text = written.text if written is not None else None
    if text is None and not stream.sketch:
        return ()
    script = Word(
        text=text if text is not None else stream.sketch,
        is_known=text is not None,
        sources=stream.sources,
        is_decoded=stream.is_decoded,
    )
    rest = Stream(text="")  # the script itself was the input
    return (Inner(carrier=call.name, text=script, parameters=parameters, stdin=rest),)


def unfold_eval(call: WrapperCall) -> tuple[Inner, ...]:
    """Return inner commands: `eval` reads its operands, joined, as a line."""
    operands = call.operands
    if operands and operands[0].text == "--":
        operands = operands[1:]
    return (Inner(carrier="eval", text=joined(operands), in_shell=True),) if operands else ()


def unfold_source(call: WrapperCall) -> tuple[Inner, ...]:
    """Return the script that `.` and `source` run, if this line wrote it."""
    operands = call.operands
    if operands and operands[0].text == "--":
        operands = operands[1:]
    text = call.file_text(operands[0]) if operands else None
    if text is None and operands and call.stdin and operands[0].text == "/dev/stdin":
        # `source /dev/stdin`: the input is the script.
        text = Word(text=call.stdin.text or "") if call.stdin.text is not None else None
    return (Inner(carrier=call.name, text=text, in_shell=True),) if text is not None else ()


def unfold_trap(call: WrapperCall) -> tuple[Inner, ...]:
    """Return the command that `trap` runs later; it is analysed now."""
    operands = call.operands
    if operands and operands[0].text == "--":
        operands = operands[1:]
    # `trap - INT` and `trap '' INT` reset or ignore a signal; `trap -p` only lists.
    if len(operands) < 2 or operands[0].text in (*_TRAP_FLAGS, "-", ""):
        return ()
    signals = {word.text.upper() for word in operands[1:]}
    return (Inner(carrier="trap", text=operands[0], is_at_end=signals <= _ENDING),)
