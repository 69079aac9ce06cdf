"""Where a command holds secrets: by what is described of its program, never by how a secret looks.

`data/secret_places.yaml` describes the places of programs; descriptions of users have a key
`secrets`. The notation is at the head of that file. What is unknown before the line runs
(`-p"$PW"`) is no secret in the line.

    secrets_of_command(read_shell("docker login -u me -p tulip", cwd="/").commands[0])
        -> ("tulip",)
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

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
SETTING = frozenset(
    {"set", "config:set", "set-option", "--set", "setenv", "set-env", "set-variable"}
)
# `%s` in the format of printf(1), and the name that stands before it.
_DIRECTIVE = re.compile(
    r"(?:([\w.-]{1,80})[\"']?\s*[=: ]\s*[\"']?)?%(%|[-+ 0#]*\d*(?:\.\d+)?[a-zA-Z])"
)
# Who signs in, where the program is known by nobody: beside it `-p` is no port.
USERS = frozenset({"-u", "-U", "--user", "--username", "--login"})
PASSES = ("-p", "-P")
PASSWORD_COMMANDS = (":password", "-password", "_password")
HOLDERS = ("-command", "-file")  # ends of options that name where a secret is


def secrets_of_command(command: Command, own: Program | None = None) -> tuple[str, ...]:
    """Return the secrets in a command, as its program gets them and as written.

    Args:
        own: a user's description of the program.
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
    read = _BY_PROGRAM[program](command) if program in _BY_PROGRAM else ()
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


def _formatted(command: Command) -> Iterator[str]:
    """Yield what `printf` puts behind the name of a secret: `printf 'password=%s' X`."""
    given = command.words[1:WORDS_LIMIT]
    if not given:
        return
    # In a format of code the line breaks are written out.
    form = given[0].text[:NAME_LIMIT].replace("\\n", "\n")
    named = [name for name, kind in _DIRECTIVE.findall(form) if kind != "%"]
    for at, word in enumerate(given[1:] if named else ()):
        if is_secret_name(named[at % len(named)]):
            yield from written(word, word.text)


_BY_PROGRAM = {"read": _read_into_variable, "printf": _formatted}


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
    """Yield the secrets at the described positions."""
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
                continue
            # What is read from the input may be read from a file that is made on the line as well.
            yield from _printed(words)
            if command.stdin is not None:
                yield from secrets_of_input(place.mark, command.stdin)


def _printed(words: Sequence[Word]) -> Iterator[str]:
    """Yield files that a line prints for a program: `<(echo X)`, `--data-file=<(echo X)`."""
    for word in words:
        at = word.raw.find("<(")
        if at >= 0 and word.raw[at + 2 :].lstrip().startswith(PRINTING):
            yield word.raw[at:]


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
        elif "=" in text or text in SETTING or text.endswith("password"):
            return True
        if text in SETTING or text in USERS:
            return True
    return False


def _by_name(words: Sequence[Word]) -> Iterator[str]:
    """Yield the secrets after a secret's name, for any program."""
    yield from _by_option_name(words)
    plain = [word for word in words[1:] if word.text[:1] != "-"]
    for word in plain:
        name, _, value = word.text.partition("=")
        # `token=@file` names a file.
        if value and value[:1] != "@" and is_secret_name(name):
            yield from written(word, value)
    yield from _by_key(words, plain)
    # Of a described program the places are known, so none is guessed.
    if find(words[0].text.rpartition("/")[2]) is not None:
        return
    yield from _beside_user(words)
    # Of a program nobody described: `frob user:password admin X`, `frob reset-admin-password X`
    for at, word in enumerate(plain[:SUB_COMMANDS]):
        if word.text.endswith(PASSWORD_COMMANDS) and at + 1 < len(plain):
            yield from written(plain[-1], plain[-1].text)


def _by_key(words: Sequence[Word], plain: Sequence[Word]) -> Iterator[str]:
    """Yield the value behind a key that is set: `set token X`, `--set file section password X`."""
    at = next((i for i, word in enumerate(words) if word.text in SETTING), None)
    if at is None:
        return
    behind = [word for word in plain if any(word is one for one in words[at + 1 :])]
    for key, after in pairwise(behind):
        if not is_secret_name(key.text):
            continue
        if key is behind[0] or after is behind[-1]:
            yield from _printed((after,))
            yield from written(after, after.text)


def _beside_user(words: Sequence[Word]) -> Iterator[str]:
    """Yield what `-p` is given beside a user: `frob -u me -p X`, where X is no port or mapping."""
    if all(word.text not in USERS for word in words):
        return
    for option, value in pairwise(words):
        text = value.text
        is_plain = text[:1] not in "-./" and not text.replace(":", "").isdecimal()
        if option.text in PASSES and text and is_plain:
            yield from written(value, text)


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
