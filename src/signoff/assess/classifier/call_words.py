"""What the classifier of calls sees: words, and pairs of neighbours that hold a word.

Of a line of a shell these are the words of the commands that act: a wrapper, a `cd` or an `echo`
makes an act no milder. What changes nothing about an act is left out of all calls: the agent's own
story, the text an edit takes away, whose home folder it is, the figures of a number, the spelling
of a name.

    call_features(Action(tool="drop_db", arguments={"name": "crm2"}))
        -> ({"drop", "db", "name", "crm", "drop _", "_ db", "crm 0"},)
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from itertools import compress, islice

from signoff.actions.action import Action, ActionKind, Json
from signoff.actions.operation import Operations, Verb
from signoff.actions.shell.command import Command
from signoff.actions.understand import HOST_TOOLS
from signoff.actions.vocabulary import lazy_re, words

LEAST = 24  # of a line or a file: features; `find . -name '*.c' -delete` has 7
LEAST_NAMED = 12  # of a function or a tool: `delete_all_drafts(owner="me")` has 11
TEXT_LIMIT = 8_000  # characters of a call that are read
NODE_LIMIT = 400  # arguments, nested ones included
COMMANDS_LIMIT = 200
WRAPPERS_LIMIT = 12
WORD = lazy_re(r"[^\W\d_]+|\d+|[^\s\w]|_")
CAMEL = lazy_re(r"(?<=[a-z])(?=[A-Z])")
# Who is at an address is a name that anybody chose.
HOST = lazy_re(
    r"(?:(?<=//)|(?<=@))[\w-]+(?:\.[\w-]+)+|\b[\w-]+(?:\.[\w-]+)*\.(?:com|org|net|io|dev|example|test)\b"
)
HOME = lazy_re(r"/(?:home|Users)/[\w.-]+")
# Told by the agent, or of what is no more: they say nothing about what will be.
SILENT = words(
    "description cwd workdir timeout explanation old_string old_str oldText old_text old_source"
)

Features = frozenset[str]


def call_features(
    action: Action, commands: tuple[Command, ...] = (), operations: Operations = ()
) -> tuple[Features, ...]:
    """Return the features of a call as a whole, then those of what each wrapper in it runs.

    Args:
        commands, operations: what the call was understood as; without them its text is read.
    """
    acting = _acting(commands, operations)
    if not acting:
        return (features_of(" \n ".join(_texts(action))),)
    whole: Features = frozenset().union(*acting.values())
    parents = {one.index: one.parent for one in commands}
    inner = [
        frozenset[str]().union(
            *(words for at, words in acting.items() if _is_in(at, wrapper, parents))
        )
        for wrapper in islice(dict.fromkeys(one.parent for one in commands), WRAPPERS_LIMIT)
        if wrapper >= 0
    ]
    return (whole, *inner)


def says_enough(action: Action, features: Features) -> bool:
    """Return whether there are words enough to tell a call by.

    What a short line of a shell or a path does is told better by its operations: of such calls
    whose right verdict is to ask the classifier would deny one in ten (measured on other
    people's lines).
    """
    return len(features) >= (LEAST_NAMED if _is_named(action) else LEAST)


def features_of(text: str) -> Features:
    """Return the words of a text in lower case, and pairs of neighbours that hold a word.

    Options of one letter count as words; signs and letters alone say more of the syntax than of
    the act.
    """
    text = CAMEL.sub(" ", HOST.sub("host", HOME.sub("/home/u", text[:TEXT_LIMIT])))
    found = ["0" if word.isdigit() else word for word in WORD.findall(text.lower())]
    telling = [len(word) > 1 for word in found]
    pairs = [
        f"{first} {second}"
        for first, second, is_first, is_second in zip(
            found, found[1:], telling, telling[1:], strict=False
        )
        if is_first or is_second or first == "-"
    ]
    return frozenset((*compress(found, telling), *pairs))


def _acting(commands: tuple[Command, ...], operations: Operations) -> dict[int, Features]:
    """Return the features of each command that does something, by its index."""
    wrappers = {one.parent for one in commands}
    doing = {one.group for one in operations if one.verb is not Verb.INERT}
    return {
        one.index: features_of(" ".join(_words(one)))
        for one in commands[:COMMANDS_LIMIT]
        if one.index in doing and one.index not in wrappers
    }


def _words(command: Command) -> Iterator[str]:
    for word in command.words:
        yield word.text if word.is_known else word.raw or word.text
    for one in command.redirects:
        yield f"> {one.target.text}"
    if command.stdin is not None and command.stdin.text:
        yield command.stdin.text


def _is_in(at: int, wrapper: int, parents: Mapping[int, int]) -> bool:
    """Return whether a wrapper runs a command, by itself or through others."""
    for _ in range(WRAPPERS_LIMIT):
        at = parents.get(at, -1)
        if at < 0 or at == wrapper:
            break
    return at == wrapper


def _is_named(action: Action) -> bool:
    """Return whether names say what is done: of a function, of a tool of a server."""
    return action.kind is not ActionKind.TOOL or action.tool not in HOST_TOOLS


def _texts(action: Action) -> Iterator[str]:
    is_named = _is_named(action)
    if is_named:
        yield action.tool
    stack: list[Json] = [
        part
        for name, value in tuple(action.arguments.items())[::-1]
        if name not in SILENT
        for part in ((value, name) if is_named else (value,))
    ]
    for _ in range(NODE_LIMIT):
        if not stack:
            return
        node = stack.pop()
        if isinstance(node, Mapping):
            stack += [part for pair in tuple(node.items())[::-1] for part in reversed(pair)]
        elif isinstance(node, (list, tuple)):
            stack.extend(reversed(node))
        else:
            yield node if isinstance(node, str) else json.dumps(node)
