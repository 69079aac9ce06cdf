"""Keys that a call or an earlier one makes for a test: they are nobody's credentials.

A key counts as made where a command that makes keys names a path in the project or a temporary
folder, it was looked for then, and was not there. Reading, using and deleting it is ordinary work.
Sending it to another machine is not: nobody can tell later what it opens.

    ssh-keygen -N '' -f /tmp/it_key && sftp -i /tmp/it_key it@localhost
    imgtool keygen -k /tmp/t.pem ; imgtool sign -k /tmp/t.pem app.bin
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise

from signoff.actions.known.file_kinds import SECRET_KINDS
from signoff.actions.operation import FileKind, Operation, Operations, Reach, Trait, Verb
from signoff.actions.paths import locate
from signoff.actions.place import Place
from signoff.actions.shell.command import Command
from signoff.actions.shell.owned.key_makers import makes_key
from signoff.actions.vocabulary import lazy_re
from signoff.values import replace

PREFIX = "key:"  # of the path of a key, among what a session made
OWN = frozenset({Reach.PROJECT, Reach.TEMP})
_OUTPUT = lazy_re(r"-{1,2}(?:[fkos]|out(?:put|file)?|key|keyout|keystore|outfile|file)$")
_CARRIED = frozenset({Trait.HOLDS_SECRET, Trait.SENDS_SECRET})
_SENDING = frozenset({Verb.NETWORK_OUT, Verb.PUBLISH})


def keys_made(commands: Sequence[Command], place: Place) -> Iterator[str]:
    """Yield the paths of keys that commands make where nothing was."""
    for command in commands:
        if not makes_key(command):
            continue
        here = replace(place, cwd=command.cwd) if command.cwd else place
        named = [word.text for word in command.words if word.is_known and not word.has_glob]
        targets = [redirect.target.text for redirect in command.redirects]
        for before, text in (*pairwise(named), *zip(targets, targets, strict=True)):
            # A bare word is the name of a file only behind such an option or a redirection.
            if "/" in text or "." in text or before is text or _OUTPUT.match(before):
                yield from filter(None, [_made_at(text.partition("=")[2] or text, here)])


def without_own_keys(
    operations: Operations, commands: Sequence[Command], place: Place
) -> Operations:
    """Return operations in which the keys that the session made are plain files."""
    if not any(map(_is_secret, operations)) or any(map(_leaves, operations)):
        return operations
    made = {mark.removeprefix(PREFIX) for mark in place.facts.created if mark.startswith(PREFIX)}
    made -= place.facts.secrets_read | place.facts.moved  # another file was put there since
    made.update(keys_made(commands, place))
    return _without_signed([_plain(op, made) for op in operations], made) if made else operations


def _made_at(text: str, place: Place) -> str:
    if not text or text[:1] == "-" or len(text) > 512:
        return ""
    at = locate(text, place, has_glob=False)
    fact = place.files.get(at.path)
    is_absent = fact is not None and not fact.exists
    is_own = is_absent and at.reach in OWN and at.path not in place.facts.secrets_read
    return at.path if is_own else ""


def _is_secret(op: Operation) -> bool:
    return op.file_kind in SECRET_KINDS or Trait.READS_SECRET in op.traits


def _leaves(op: Operation) -> bool:
    return op.verb in _SENDING and op.reach is not Reach.LOOPBACK


def _without_signed(operations: Sequence[Operation], made: Collection[str]) -> Operations:
    """Return operations in which what a program makes of such keys alone holds no secret."""
    read = {op.group for op in operations if op.verb is Verb.READ and op.path in made}
    read -= {op.group for op in operations if op.verb is Verb.READ and _is_secret(op)}
    return tuple(
        [
            replace(op, traits=op.traits - _CARRIED)
            if op.group in read and not _CARRIED.isdisjoint(op.traits)
            else op
            for op in operations
        ]
    )


def _plain(op: Operation, made: Collection[str]) -> Operation:
    if op.path not in made or op.reach not in OWN or Trait.HOLDS_SECRET in op.traits:
        return op
    return replace(op, file_kind=FileKind.DATA, traits=op.traits - {Trait.READS_SECRET})
