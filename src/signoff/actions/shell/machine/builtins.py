"""Commands that change the shell itself: assignments, `cd`, `export`, `read`, `set`, `alias`.

"cd /tmp; x=1; read y <<< 2"  leaves  folder=/tmp, x=1, y=2 in the scope
"""

from __future__ import annotations

import re
from collections.abc import Callable

from msgspec import Struct

from signoff.actions.shell.command import Word
from signoff.actions.shell.machine.descriptors import read_from
from signoff.actions.shell.machine.folders import change, pop, push
from signoff.actions.shell.machine.outputs import output_of
from signoff.actions.shell.state import UNKNOWN, Feed, Output, ShellScope, unknown
from signoff.actions.shell.syntax.lexer import ShellLexer
from signoff.actions.shell.syntax.scan import Fuel
from signoff.actions.shell.words.escapes import expand_braces
from signoff.actions.shell.words.expand import Expander
from signoff.actions.shell.words.parameters import NAMEREF
from signoff.values import replace

ASSIGNMENT = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)(?:\[([^\]]*)\])?(\+)?=")
DECLARERS = frozenset({"export", "declare", "typeset", "local", "readonly"})
Pairs = tuple[tuple[str, Word], ...]
_PROMPTS = frozenset({"PS0", "PS1", "PS2", "PS4", "PROMPT_COMMAND"})


class Shell(Struct, frozen=True, gc=False):
    """What a builtin may change: the scope and its surroundings."""

    scope: ShellScope
    expander: Expander
    feed: Feed | None
    fuel: Fuel


def assign(raw: str, shell: Shell) -> tuple[str, Word] | None:
    """Perform an assignment as written; return (name, value), None if it is not one."""
    match = ASSIGNMENT.match(raw)
    if match is None:
        return None
    name, subscript, appends, value = match[1], match[2], match[3], raw[match.end() :]
    if subscript:
        shell.expander.quoted(subscript)
    if value[:1] == "(" and value[-1:] == ")":
        return name, _assign_array(name, value[1:-1], shell, appends=bool(appends))
    word = shell.expander.word(value)
    if subscript:
        shell.scope.arrays[name] = (UNKNOWN,)
        return name, word
    if appends:
        word = _appended(shell.scope.variables.get(name), word)
    store(name, word, shell)
    return name, word


def _assign_array(name: str, inside: str, shell: Shell, *, appends: bool) -> Word:
    raws = ShellLexer(inside, shell.fuel).all_words()
    words = tuple(word for raw in raws for word in shell.expander.words(raw))
    before = shell.scope.arrays.get(name, ()) if appends else ()
    shell.scope.variables.pop(name, None)
    shell.scope.arrays[name] = before + words
    return Word(
        text=" ".join(word.text for word in words),
        is_known=all(word.is_known for word in words),
        sources=tuple(source for word in words for source in word.sources),
    )


def _appended(before: Word | None, word: Word) -> Word:
    # `x+=y`, with x from outside: what it held before is not known.
    if before is None:
        return unknown(word.sources)
    return Word(
        text=before.text + word.text,
        is_known=before.is_known and word.is_known,
        sources=before.sources + word.sources,
        is_decoded=before.is_decoded or word.is_decoded,
    )


def store(name: str, word: Word, shell: Shell) -> None:
    """Set a variable; a prompt variable is expanded as the shell would."""
    is_tricky = name in shell.scope.tricky
    if (is_tricky or name in _PROMPTS) and ("$" in word.text or "`" in word.text):
        shell.expander.quoted(word.text)
    shell.scope.assign(name, unknown(word.sources) if is_tricky else word)


def declared(raws: list[str], shell: Shell) -> tuple[list[Word], Pairs]:
    """Perform the assignments of `export` and the like; return its words and pairs."""
    words: list[Word] = []
    pairs: list[tuple[str, Word]] = []
    _hide(raws, shell)
    for raw in _braces_expanded(raws, shell):
        pair = assign(raw, shell) if "=" in raw else None
        if pair is None:
            words.extend(shell.expander.words(raw))
        else:
            name, value = pair
            if raws[0] == "local" and shell.scope.hidden is None:
                shell.scope.assign(name, unknown(value.sources))  # it fails outside of functions
            pairs.append(pair)
            words.append(replace(value, text=f"{name}={value.text}", raw=raw))
    _declare(words, tuple(pairs), shell)
    return words, tuple(pairs)


def _braces_expanded(raws: list[str], shell: Shell) -> list[str]:
    """The words as bash gives them to `declare`: `X={a,b}` assigns twice, and the last counts."""
    if not any("{" in raw for raw in raws):
        return raws
    return [one for raw in raws for one in _alternatives(raw, shell)]


def _alternatives(raw: str, shell: Shell) -> list[str]:
    return [raw] if "=(" in raw or "{" not in raw else expand_braces(raw, shell.fuel)


def _declare(words: list[Word], pairs: Pairs, shell: Shell) -> None:
    """What `export`, `local`, `readonly` and `declare` do beside assigning."""
    scope, program = shell.scope, words[0].text
    flags = "".join(word.text[1:] for word in words[1:] if word.text[:1] == "-")
    names = [word.text.partition("=")[0] for word in words[1:] if word.text[:1] not in "-+"]
    if program == "export" or "x" in flags:
        is_function = "f" in flags
        scope.exported |= frozenset([f"{n}()" for n in names] if is_function else names)
    if program == "readonly" or set(flags) & set("rinulc"):
        # `-i`, `-n`, `-u`, `-l`, `-c` and read-only: what is stored is not the text that is
        # assigned.
        scope.tricky |= frozenset(names)
    # `declare "$x"` may set any variable.
    if any(not word.is_known and "=" not in word.text for word in words[1:]):
        scope.forget()
    if set(flags) & set("inulc"):
        for name, word in pairs:
            store(name, word, shell)
            if "n" in flags and word.is_known and word.text.isidentifier():
                scope.assign(name, replace(UNKNOWN, raw=NAMEREF + word.text))


def _hide(words: list[str], shell: Shell) -> None:
    """Remember what `local` and `declare` in a function shadow."""
    hidden = shell.scope.hidden
    if hidden is None or words[0] not in ("local", "declare", "typeset"):
        return
    for raw in words[1:]:
        name = raw.partition("=")[0]
        hidden.setdefault(name, shell.scope.variables.get(name))


def run_builtin(name: str, words: tuple[Word, ...], shell: Shell) -> None:
    """Apply what a builtin does to the scope; other programs change nothing."""
    act = _BUILTINS.get(name)
    if act is not None:
        act(words[1:], shell)


def _cd(words: tuple[Word, ...], shell: Shell) -> None:
    change(words, shell.scope)


def _pushd(words: tuple[Word, ...], shell: Shell) -> None:
    push(words, shell.scope)


def _popd(words: tuple[Word, ...], shell: Shell) -> None:
    pop(words, shell.scope)


def _read(words: tuple[Word, ...], shell: Shell) -> None:
    names = _read_names(words, shell)
    stream = read_from(words, shell.scope)
    if stream is not None:
        for name in names:
            store(name, unknown(stream.sources), shell)
        return
    line = shell.feed.line() if shell.feed is not None else None
    sources = shell.feed.stream.sources if shell.feed is not None else ()
    if line is None:
        for name in names:
            store(name, unknown(sources), shell)
        return
    ifs = shell.scope.variables.get("IFS", Word(text=" \t\n"))
    # The default of IFS (POSIX).
    separators = ifs.text if ifs.is_known else " \t\n"
    if _is_array(words):
        parts = [part for part in _cut(line, len(line) + 1, separators) if part]
        shell.scope.variables.pop(names[0], None)
        shell.scope.arrays[names[0]] = tuple(Word(text=part, sources=sources) for part in parts)
        return
    parts = _cut(line, len(names), separators)
    for n, name in enumerate(names):
        store(name, Word(text=parts[n] if n < len(parts) else "", sources=sources), shell)


def _is_array(words: tuple[Word, ...]) -> bool:
    """Whether all fields go into one array: `read -ra fields`."""
    return any([word.text[:1] == "-" and "a" in word.text[1:] for word in words])


def _cut(line: str, count: int, separators: str) -> list[str]:
    """A line cut into fields, the last of which keeps the rest."""
    blanks = "".join(c for c in separators if c in " \t\n")
    parts: list[str] = []
    line = line.strip(blanks) if blanks else line
    while separators and len(parts) < count - 1:
        end = next((n for n, c in enumerate(line) if c in separators), len(line))
        parts.append(line[:end])
        line = line[end + 1 :].lstrip(blanks) if blanks else line[end + 1 :]
    return [*parts, line]


def _read_names(words: tuple[Word, ...], shell: Shell) -> list[str]:
    names: list[str] = []
    skip = False
    for word in words:
        if skip:
            skip = False
        elif word.text[:1] == "-" and len(word.text) > 1:
            if word.text[1] == "a":
                names.append(word.text[2:])
            skip = word.text[-1] in "dinNptu" and word.text[1:] != "a"
        else:
            names.append(_name(word, shell))
    # bash puts a line that was read without a name there.
    return [name for name in names if name] or ["REPLY"]


def _name(word: Word, shell: Shell) -> str:
    """The variable a word names; a subscript is arithmetic, so it is looked into."""
    name, bracket, subscript = word.text.partition("[")
    if bracket:
        shell.expander.quoted(subscript)
    return name


def _names(words: tuple[Word, ...], shell: Shell) -> None:
    for word in words:
        _name(word, shell)


def _mapfile(words: tuple[Word, ...], shell: Shell) -> None:
    names = [word.text for word in words if word.text[:1] != "-"]
    # bash's name where none is given.
    name = names[-1] if names else "MAPFILE"
    stream = read_from(words, shell.scope) or (shell.feed.stream if shell.feed else None)
    text = shell.feed.rest if shell.feed is not None else None
    text = text if stream is None or (shell.feed and stream is shell.feed.stream) else stream.text
    shell.scope.variables.pop(name, None)
    if text is None:
        sources = stream.sources if stream is not None else ()
        shell.scope.arrays[name] = (unknown(sources),)
    else:
        shell.scope.arrays[name] = tuple(Word(text=line) for line in text.splitlines())


def _printf(words: tuple[Word, ...], shell: Shell) -> None:
    # Only `-v` sets a variable; otherwise printf just prints.
    if len(words) < 2 or words[0].text != "-v":
        return
    name = _name(words[1], shell)
    output = output_of(words[1:], "printf", None, shell.scope)
    sources = tuple(source for word in words for source in word.sources)
    known = Word(text=output.text, sources=sources) if output.text is not None else None
    store(name, known or unknown(sources), shell)


def _set(words: tuple[Word, ...], shell: Shell) -> None:
    n = 0
    while n < len(words):
        text = words[n].text
        if text in ("--", "-"):
            # `set --` takes all parameters away, `set -` alone leaves them (bash, `set`).
            if text == "--" or n + 1 < len(words):
                shell.scope.parameters = words[n + 1 :]
            return
        if text[:1] not in "-+":
            shell.scope.parameters = words[n:]
            return
        # Each `o` takes the next word, a name as `pipefail`, wherever it stands in the cluster.
        following = words[n + 1 : n + 1 + text.count("o")]
        n += 1 + len([word for word in following if word.text[:1] not in "-+"])


def _shift(words: tuple[Word, ...], shell: Shell) -> None:
    if words and not words[0].text.isdecimal():
        shell.scope.parameters = (UNKNOWN,)
        return
    # Six digits: `int` refuses a number of thousands of them (CVE-2020-10735).
    count = int(words[0].text[:6]) if words else 1
    shell.scope.parameters = shell.scope.parameters[count:]


def _unset(words: tuple[Word, ...], shell: Shell) -> None:
    is_function = any(word.text == "-f" for word in words)
    for word in words:
        name = _name(word, shell)
        if is_function:
            shell.scope.functions.pop(name, None)
        elif name:
            # Unset expands to nothing, as an empty value does; a missing one would count as from
            # outside.
            shell.scope.assign(name, Word(text=""))


def _alias(words: tuple[Word, ...], shell: Shell) -> None:
    for word in words:
        name, equals, text = word.text.partition("=")
        if equals and word.is_known:
            shell.scope.aliases[name] = text


def _getopts(words: tuple[Word, ...], shell: Shell) -> None:
    for name in ("OPTARG", *(word.text for word in words[1:2])):
        store(name, UNKNOWN, shell)


def _leave(_: tuple[Word, ...], shell: Shell) -> None:
    """`return` and `break`: what follows may not run."""
    shell.scope.exits.append(shell.scope.copy())


def _hash(words: tuple[Word, ...], shell: Shell) -> None:
    if len(words) > 2 and words[0].text == "-p":
        # `hash -p /tmp/x ls`: from now on `ls` runs /tmp/x, as an alias would.
        shell.scope.aliases[words[2].text] = words[1].text


def _let(words: tuple[Word, ...], shell: Shell) -> None:
    for word in words:
        shell.expander.quoted(f"$(({word.text}))")


def _copy(words: tuple[Word, ...], shell: Shell) -> None:
    """A copied, moved or linked program or script is what it was under another name."""
    scope = shell.scope
    operands = [word for word in words if word.text[:1] != "-"]
    if len(operands) != 2 or not all(word.is_known for word in operands):
        return
    source, target = (scope.absolute(word.text) for word in operands)
    if not source or not target:
        return
    if source in scope.files or target in scope.files:
        # A file that the line wrote is overwritten by a source nobody knows: its text is lost.
        scope.files[target] = scope.files.get(source, Output(None))
    scope.programs[target] = scope.programs.get(source, operands[0])


_BUILTINS: dict[str, Callable[[tuple[Word, ...], Shell], None]] = {
    "cd": _cd,
    "chdir": _cd,
    "pushd": _pushd,
    "popd": _popd,
    "read": _read,
    "mapfile": _mapfile,
    "readarray": _mapfile,
    "printf": _printf,
    "set": _set,
    "shift": _shift,
    "unset": _unset,
    "alias": _alias,
    "hash": _hash,
    "let": _let,
    "getopts": _getopts,
    **dict.fromkeys(("return", "break", "continue"), _leave),
    **dict.fromkeys(("cp", "mv", "ln", "install"), _copy),
    "test": _names,
    "[": _names,
}
STATEFUL = frozenset(_BUILTINS) | DECLARERS
