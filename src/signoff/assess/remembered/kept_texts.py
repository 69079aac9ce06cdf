"""Texts that a session kept in a store, and later hands to a shell: rows, notes, messages, values.

A line of a script may be kept in pieces, each harmless: two rows of a table, two notes of a memory,
a value of a settings store. What reads them back into a shell runs them joined, so they are judged
joined. What a session remembers is a mark a piece, in order, with the names it is found by:

    kept:1:1:vaihe:find ~           a row of the table `vaihe`
    kept:2:2:vaihe:-delete

    kept_marks(commands, call)          the marks of one call
    kept_runs(action, facts, operations)  the joined texts that a line may run, as calls
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from signoff.actions.action import Action
from signoff.actions.contents.settings.formats import parse_json
from signoff.actions.facts import Facts, next_number, numbered_marks
from signoff.actions.operation import Operations, Verb
from signoff.actions.shell.command import Command
from signoff.actions.tools.naming.contents import strings_of
from signoff.actions.understand import HOST_TOOLS
from signoff.actions.vocabulary import lazy_re, words
from signoff.assess.combined.call import Call
from signoff.values import replace

PREFIX = "kept:"
SAID = "with what this session kept there"
OWN_LIMIT, JOB_LIMIT = 65_536, 24
PIECES_LIMIT, JOINED_LIMIT, TEXT_LIMIT, KEYS_LIMIT = 8, 12, 400, 6
STORES = words(
    "redis-cli valkey-cli keydb-cli etcdctl consul nats rabbitmqadmin mosquitto_pub pulsar-client "
    "kafkacat kcat tmux screen git kubectl oc vault aws gcloud az task todo skate pueue gh glab "
    "nomad defaults gsettings dconf setfattr xattr crudini doppler memcached-tool bd jrnl nb pass "
    "xclip xsel pbcopy wl-copy"
)
# Their words are code in which a text stands between quotation marks.
CODE_STORES = words("mongosh mongo cqlsh influx cypher-shell surreal arangosh")
# Of these many words are no texts that are kept.
_KEEPS = {
    "git": words("config notes commit tag"),
    "tmux": words("set-buffer setb set-environment setenv set"),
    "kubectl": words("create annotate label patch run"),
    "oc": words("create annotate label patch"),
}
_TABLE = lazy_re(
    r"(?i)\b(?:insert\s+(?:or\s+\w+\s+|ignore\s+)?into|replace\s+into|upsert\s+into|update)\s+"
    r"[\"`\[]?(?P<name>[\w.]+)"
)
_ROW = lazy_re(r"(?:\(\s*(?P<number>\d{1,9})\s*,\s*)?'(?P<text>(?:[^'\\]|''|\\.){1,400})'")
_QUOTED = lazy_re(r"'((?:[^'\\\n]|\\.){2,400})'|\"((?:[^\"\\\n]|\\.){2,400})\"")
# What may be a piece of a shell line: an option, a sign of the shell, or a program that does much.
_PIECE = lazy_re(
    r"^\s*-{1,2}\w|[~$|;&<>`/]|\s-{1,2}\w|^\s*(?:sudo\s+)?(?:rm|find|curl|wget|sh|bash|zsh|tar|cat|dd"
    r"|chmod|chown|base64|python3?|perl|node|nc|ncat|scp|ssh|eval|exec|xargs|mkfs\S*|shred|crontab)\b"
)
_KEY = lazy_re(r"^[\w./:@=-]{1,60}$")
_NAME = lazy_re(r"^\w[\w./:@=-]{2,60}$")
_PART = lazy_re(r"[A-Za-z][a-z0-9]{2,}|[A-Z]{3,}")
_COMMON = words(
    "mcp create add set put get write update insert append save store new item note entity "
    "entities observations record query execute run send post publish message tool the"
)
_SHORT = 4


class Piece(NamedTuple):
    """One text that a call keeps: its place among others, the names it is found by."""

    order: int
    keys: tuple[str, ...]
    text: str


def kept_marks(commands: Sequence[Command], call: Call) -> Iterator[str]:
    """Yield a mark for each text of a call that a store keeps and that may be a piece of a line."""
    pieces = [*_of_line(commands)] if commands else [*_of_tool(call)]
    if not pieces:
        return
    first = next_number(call.facts.created, PREFIX)
    for number, piece in enumerate(pieces[:PIECES_LIMIT], first):
        # `chores:daily` is one name; no name holds a semicolon.
        keys = ",".join(dict.fromkeys(piece.keys[:KEYS_LIMIT])).replace(":", ";")
        yield f"{PREFIX}{number}:{piece.order or number}:{keys}:{piece.text}"


def kept_runs(action: Action, facts: Facts, operations: Operations) -> Iterator[Action]:
    """Yield the kept texts that a line reads back into a shell, joined as it may join them."""
    if not any([mark.startswith(PREFIX) for mark in facts.created]):
        return
    if not any([op.verb is Verb.EXECUTE and not op.understood for op in operations]):
        return
    line = f"{action.text('command')}\n{_own_texts(facts)}".lower()
    found = [_read(order, rest) for order, rest in numbered_marks(facts.created, PREFIX)]
    pieces = [piece for piece in found if any([_names(key, line) for key in piece.keys])]
    pieces = pieces[-JOINED_LIMIT:]
    for text in dict.fromkeys(_joined(pieces)):
        yield replace(action, tool="Bash", arguments={"command": text, "description": SAID})


def _own_texts(facts: Facts) -> str:
    """Return the texts of the session's programs: a worker names the queue that it reads."""
    texts = [fact.text for path, fact in facts.files.items() if fact.text and path in facts.written]
    return "\n".join(dict.fromkeys(texts))[:OWN_LIMIT]


def _lines_in(text: str) -> Iterator[str]:
    """Yield the lines that a job of JSON may hold: `{"argv": ["sh", "x"]}`, `{"cmd": "sh x"}`."""
    job = parse_json(text) if text[:1] in ("{", "[") else None
    waiting = [job]
    for _ in range(JOB_LIMIT):
        one = waiting.pop() if waiting else None
        if isinstance(one, str) and _PIECE.search(one) is not None:
            yield one
        elif isinstance(one, dict):
            waiting += [*one.values()]
        elif isinstance(one, list):
            named = [word for word in one if isinstance(word, str)]
            yield from [shlex.join(named)] if len(named) == len(one) > 0 else []
            waiting += one


def _joined(pieces: Sequence[Piece]) -> Iterator[str]:
    """Yield what the pieces give: each by itself, and all, in the order of rows and of calls."""
    for piece in pieces:
        yield from [*_lines_in(piece.text)] or [piece.text]
    by_row = sorted(pieces, key=lambda piece: piece.order)
    for ordered in (pieces, by_row, pieces[::-1]) if pieces[1:] else ():
        texts = [piece.text for piece in ordered]
        yield from [mark.join(texts) for mark in (" ", "", " | ", "\n")]


def _read(order: str, rest: str) -> Piece:
    keys, _, text = rest.partition(":")
    return Piece(int(order), tuple(keys.replace(";", ":").split(",")), text)


def _names(key: str, line: str) -> bool:
    """Tell whether a line names a thing; a short name must stand by itself."""
    if key.lower() not in line:
        return False
    if len(key) >= _SHORT:
        return True
    return re.search(rf"(?<![\w]){re.escape(key.lower())}(?![\w])", line) is not None


def _of_line(commands: Sequence[Command]) -> Iterator[Piece]:
    for command in commands:
        texts = [word.text for word in command.words[1:] if word.is_known]
        kept = _KEEPS.get(command.program)
        if command.program in STORES and (kept is None or not kept.isdisjoint(texts[:2])):
            yield from _values(command.program, texts)
        elif command.program in CODE_STORES:
            for text in texts:
                keys = (command.program,)
                yield from [_piece(keys, one or other) for one, other in _QUOTED.findall(text)]
        for text in texts:
            yield from _rows(text)


def _values(program: str, texts: Sequence[str]) -> Iterator[Piece]:
    keys = (program, *[text for text in texts if _KEY.match(text) and text[:1] != "-"])
    for text in texts:
        if text not in keys and len(text) <= TEXT_LIMIT and _PIECE.search(text):
            # `--from-literal=run=rm -rf ~`, `payload=rm -rf ~`
            yield _piece(keys, text.rpartition("=")[2] if _ASSIGNED.match(text) else text)


_ASSIGNED = lazy_re(r"^-{0,2}[\w.-]+=(?:[\w.-]+=)?[^=]*$")


def _rows(text: str) -> Iterator[Piece]:
    """Yield the text literals of an SQL statement that inserts or updates rows."""
    table = _TABLE.search(text)
    if table is None:
        return
    keys, number = (table["name"],), 0
    for found in _ROW.finditer(text):
        number = int(found["number"]) if found["number"] else 0
        if _PIECE.search(found["text"]):
            yield Piece(number, keys, found["text"].replace("''", "'"))


def _of_tool(call: Call) -> Iterator[Piece]:
    action = call.action
    if action.tool in HOST_TOOLS or not any([_keeps(op.verb) for op in call.operations]):
        return
    texts = [text for text in strings_of(action.arguments) if text]
    names = [part.lower() for part in _PART.findall(action.tool)]
    given = [text for text in texts if _NAME.match(text)]
    keys = tuple([*given[:3], *[name for name in names if name not in _COMMON]][:KEYS_LIMIT])
    for text in texts:
        rows = [*_rows(text)]
        yield from rows
        if not rows and text not in given and len(text) <= TEXT_LIMIT and _PIECE.search(text):
            yield _piece(keys, text)


def _keeps(verb: Verb) -> bool:
    return verb not in {Verb.READ, Verb.INERT, Verb.NETWORK_IN, Verb.DELETE}


def _piece(keys: tuple[str, ...], text: str) -> Piece:
    return Piece(0, keys, text)
