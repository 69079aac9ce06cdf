"""Programs that are not on the machine but in the line: aliases, and scripts it wrote or copied.

`alias x='rm -rf'; x ~` runs `rm -rf ~`; `echo 'rm -rf ~' > t; ./t` runs what it wrote, by the
program that its first line names.
"""

from __future__ import annotations

import posixpath

from signoff.actions.shell.command import Word
from signoff.actions.shell.machine.redirects import file_text
from signoff.actions.shell.state import ShellScope
from signoff.actions.shell.wrappers.inner import Inner
from signoff.actions.shell.wrappers.shells import SHELLS

FIRST_LINE_LIMIT = 256  # characters of a first line that the kernel reads
# Programs that stand between an agent and what it does; nothing in a line may take their name.
GUARDED_PROGRAMS = frozenset(
    {"signoff", "claude", "codex", "copilot", "gemini", "cursor-agent", "opencode"}
)


def shadowing(name: str) -> tuple[Word, ...]:
    """Return words that mark a function named like a guarded program; () for other names."""
    return (Word(text="function"), Word(text=name)) if name in GUARDED_PROGRAMS else ()


def own_script(words: tuple[Word, ...], scope: ShellScope) -> tuple[Inner, ...]:
    """Return what running `./x` executes, if this line wrote or copied `x`; else ()."""
    made: list[Inner] = []
    text = file_text(words[0], scope)
    # A name without a slash is looked for in the PATH, not in this folder.
    if text is not None and "/" in words[0].text:
        script = words[0]
        if started := _interpreter(text):
            made.append(Inner(carrier=script.text, words=(*started, *words)))
        else:
            made.append(
                Inner(carrier=script.text, text=text, parameters=words[1:], own_name=script)
            )
    copied = scope.programs.get(scope.absolute(words[0].text)) if words[0].is_known else None
    # Otherwise it would be unfolded into itself without end.
    if copied is not None and copied.text != words[0].text:
        made.append(Inner(carrier="copy", words=(copied, *words[1:])))
    return tuple(made)


def _interpreter(text: Word) -> tuple[Word, ...]:
    """Return the words that a script's first line puts before its path; () for shell scripts.

    Text that is partly unknown, or was decoded, is read as shell: the first line says too little.
    """
    first = text.text[:FIRST_LINE_LIMIT].partition("\n")[0]
    if first[:2] != "#!" or not text.is_known or text.is_decoded:
        return ()
    parts = first[2:].split()
    if parts and posixpath.basename(parts[0]) == "env":
        # `env -S A=1 python3 -u`: options and variables stand before the program.
        del parts[0]
        while parts and (parts[0][:1] == "-" or "=" in parts[0]):
            del parts[0]
    if not parts or posixpath.basename(parts[0]) in SHELLS:
        return ()
    return tuple(Word(text=part) for part in parts)


def alias(words: tuple[Word, ...], scope: ShellScope) -> Inner:
    """Return the command that an alias expands to."""
    text = _with_operands(scope.aliases[words[0].text], words[1:])
    return Inner(carrier="alias", text=text, in_shell=True)


def _with_operands(alias: str, operands: tuple[Word, ...]) -> Word:
    """Return an alias's text with the words after it."""
    known = all(word.is_known for word in operands)
    # The alias is a text for the shell; its operands were expanded already, and must not be
    # again.
    quoted = " ".join("'" + word.text.replace("'", "'\\''") + "'" for word in operands)
    return Word(text=f"{alias} {quoted}" if known else alias, is_known=known)
