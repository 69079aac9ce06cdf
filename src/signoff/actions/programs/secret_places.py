"""Where a command holds secrets: by what is described of its program, never by how a secret looks.

`data/secret_places.yaml` describes the places of programs; descriptions of users have a key
`secrets`. The notation is at the head of that file. What is unknown before the line runs
(`-p"$PW"`) is no secret in the line.

    secrets_of_command(read_shell("docker login -u me -p tulip", cwd="/").commands[0])
        -> ("tulip",)
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from signoff.actions.programs.program import Program
from signoff.actions.programs.registry import find, index
from signoff.actions.programs.secret_names import is_secret_name
from signoff.actions.programs.secret_notation import (
    PlaceKind,
    PlaceTriggers,
    SecretLines,
    read_places,
    triggers_of,
)
from signoff.actions.programs.secret_values import secrets_at, secrets_of_input, written
from signoff.actions.shell.command import Command, Word

WORDS_LIMIT = 2_000  # of one command
PRINTING = ("echo ", "printf ")
NAME_LIMIT = 1_000  # characters of a word that is looked at for a name
SUB_COMMANDS = 4  # words in which a sub-command is looked for
# Sub-commands that read a password from their input, whatever the program.
SIGNING_IN = frozenset({"login", "signin", "auth", "passwd", "unlock"})
SETTING = frozenset({"set", "config:set", "set-option"})
PASSWORD_COMMANDS = (":password", "-password", "_password")
HOLDERS = ("-command", "-file")  # ends of options that name where a secret is


def secrets_of_command(command: Command, own: Program | None = None) -> tuple[str, ...]:
    """Return the secrets a command holds, as its program gets them and as they are written.

    Args:
        own: what a user describes of the program.
    """
    assigned = tuple(_assigned(command)) if command.assignments else ()
    words, program = command.words, command.program
    # Without words or input only a variable can hold a secret.
    if not program or (len(words) < 2 and command.stdin is None):
        return assigned
    lines = index().secret_places.get(program, ())
    if own is not None and own.secrets:
        lines = (*lines, *own.secrets)
    # Most commands of a described program hold no secret, and a quick look tells so.
    placed = _placed(command, lines) if lines and _is_touched(words, triggers_of(lines)) else ()
    named = _by_name(words) if _names_secret(words) else ()
    read = _read_into_variable(command) if program == "read" else ()
    typed = _typed(command) if command.stdin is not None else ()
    return (*assigned, *placed, *named, *read, *typed)


def _assigned(command: Command) -> Iterator[str]:
    """Yield what variables with the name of a secret are set to."""
    for name, word in command.assignments:
        if is_secret_name(name):
            yield from written(word, word.text)


def _read_into_variable(command: Command) -> Iterator[str]:
    """Yield what `read` puts into variables with the name of a secret."""
    has_name = any(is_secret_name(word.text) for word in command.words[1:])
    if has_name and command.stdin is not None:
        yield from secrets_of_input("", command.stdin)


def _is_touched(words: Sequence[Word], triggers: PlaceTriggers) -> bool:
    """Tell quickly whether anything in a command can be a place of a secret."""
    if triggers.always:
        return True
    named, letters, beginnings = triggers.words, triggers.letters, triggers.beginnings
    for word in words:
        text = word.text
        if text in named or (beginnings and text.startswith(beginnings)):
            return True
        if text[:1] in {"-", "/"} and (
            not letters.isdisjoint(text) or text.partition("=")[0] in named
        ):
            return True
    return False


def _placed(command: Command, lines: SecretLines) -> Iterator[str]:
    """Yield what is in the described places."""
    words = command.words[1:WORDS_LIMIT]
    described = find(command.program)
    takes = described.takes if described else frozenset[str]()
    for path, places in lines:
        operands = _operands(words, path, takes)
        if operands is None:
            continue
        for place in read_places(places):
            if place.only_with and not _is_given(place.only_with, words):
                continue
            if place.kind is not PlaceKind.INPUT:
                yield from secrets_at(place, words, operands)
            elif command.stdin is not None:
                yield from secrets_of_input(place.mark, command.stdin)


def _is_given(option: str, words: Sequence[Word]) -> bool:
    """Tell whether an option is given, a short one also among others: the `-b` of `-nbB`."""
    for word in words:
        text = word.text
        if text.partition("=")[0] == option:
            return True
        # Reads `-` and then no second dash.
        if len(option) == 2 and text[:1] == "-" != text[1:2] and option[1] in text:
            return True
    return False


def _operands(words: Sequence[Word], path: str, takes: frozenset[str]) -> list[Word] | None:
    """Return the operands after a sub-command, None if it is another one."""
    known = list(_plain(words, takes))
    if not path:
        return known
    # Once more with the values of options: one that is no value may stand for a sub-command.
    found = _after_path(known, path)
    return _after_path(list(_plain(words, frozenset())), path) if found is None else found


def _plain(words: Sequence[Word], takes: frozenset[str]) -> Iterator[Word]:
    """Yield the words that are neither options nor their values."""
    is_value = False
    for word in words:
        is_option = word.text[:1] == "-" and len(word.text) > 1
        if not is_option and not is_value:
            yield word
        is_value = is_option and word.text in takes


def _after_path(operands: list[Word], path: str) -> list[Word] | None:
    """Return what follows one of the sub-commands, None if none of them is there."""
    texts = [word.text for word in operands]
    for said in path.split(","):
        wanted = said.split()
        for at in range(len(texts) - len(wanted) + 1):
            if texts[at : at + len(wanted)] == wanted:
                return operands[at + len(wanted) :]
    return None


def _typed(command: Command) -> Iterator[str]:
    """Yield what is handed to a sub-command that signs in or unlocks: `frob login <<< X`."""
    names = {word.text for word in command.words[1:SUB_COMMANDS]}
    is_asking = command.program.endswith("passwd") or not SIGNING_IN.isdisjoint(names)
    if is_asking and command.stdin is not None:
        yield from secrets_of_input("", command.stdin)


def _names_secret(words: Sequence[Word]) -> bool:
    """Tell whether an option, a key or a sub-command has the name of a secret."""
    for word in words:
        text = word.text
        if len(text) > NAME_LIMIT:
            continue
        if text[:1] == "-":
            name = text.partition("=")[0] if len(text) > 3 else ""
            if name and (
                is_secret_name(name) or name.endswith(HOLDERS) or is_secret_name(name[2:])
            ):
                return True
        elif text in SETTING or ("=" in text or text.endswith("password")):
            return True
    return False


def _by_name(words: Sequence[Word]) -> Iterator[str]:
    """Yield what follows the name of a secret, whatever the program."""
    yield from _by_option_name(words)
    plain = [word for word in words[1:] if word.text[:1] != "-"]
    for word in plain:
        name, _, value = word.text.partition("=")
        # `token=@file` names a file.
        if value and value[:1] != "@" and is_secret_name(name):
            yield from written(word, value)
    for before, key, after in zip(plain, plain[1:], plain[2:], strict=False):
        if before.text in SETTING and is_secret_name(key.text):
            yield from written(after, after.text)
    # Of a described program the places are known, so none is guessed.
    if find(words[0].text.rpartition("/")[2]) is not None:
        return
    # Of a program nobody described: `frob user:password admin X`, `frob reset-admin-password X`
    for at, word in enumerate(plain[:SUB_COMMANDS]):
        if word.text.endswith(PASSWORD_COMMANDS) and at + 1 < len(plain):
            yield from written(plain[-1], plain[-1].text)


def _by_option_name(words: Sequence[Word]) -> Iterator[str]:
    """Yield the values of options that are named like a secret, of any program."""
    for at, word in enumerate(words):
        name, _, value = word.text.partition("=")
        # `--no-password` switches asking off and takes no value.
        if word.text[:1] != "-" or len(word.text) < 3 or name.startswith("--no-"):
            continue
        after = words[at + 1] if at + 1 < len(words) else None
        if name.endswith(HOLDERS) and is_secret_name(name.rpartition("-")[0]):
            yield from _of_printing(word, after, value)
        elif value and (is_secret_name(name) or is_secret_name(name[2:])):
            yield from written(word, value)
        elif is_secret_name(name) and after is not None and name[:2] == "--" != after.text[:2]:
            # Behind a long option alone: `-token x` may be a cluster, and `--token --json` has no
            # value.
            yield from written(after, after.text)


def _of_printing(word: Word, after: Word | None, value: str) -> Iterator[str]:
    """Yield a line that prints a secret: `--password-command 'echo X'`, `-file=<(echo X)`."""
    raw = word.raw.partition("=")[2] if value else after.raw if after else ""
    text = raw if raw.startswith("<(") else value or (after.text if after else "")
    if text.removeprefix("<(").lstrip().startswith(PRINTING):
        yield text
