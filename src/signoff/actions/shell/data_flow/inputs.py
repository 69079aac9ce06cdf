"""What reaches a command by its input or from the network, and ends in a file that runs.

(crontab -l; echo '@reboot x') | crontab -      the text that `echo` adds is known
curl -s URL > .git/hooks/pre-push               -> WRITE, traits={UNTRUSTED_SOURCE}
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from signoff.actions.code.file_taints import START_UP
from signoff.actions.contents.text import NewText
from signoff.actions.operation import FileKind, Operation, Trait, Verb
from signoff.actions.paths import Located, locate
from signoff.actions.place import Place
from signoff.actions.programs.vcs.patches import patch_of
from signoff.actions.shell.command import Command
from signoff.actions.shell.data_flow.edited import EDITS, edits_of
from signoff.values import replace

PRINTING = frozenset({"echo", "printf"})
READS_JOBS = frozenset({"crontab", "scrontab", "fcrontab"})
PLACES = frozenset({"cp", "mv", "ln", "install", "gcp", "gmv", "gln", "ginstall", "rsync"})
PATCHES = frozenset({"patch", "gpatch", "git"})
WRITES_INPUT = frozenset({"tee", "gtee", "sponge", "systemctl"}) | EDITS | PLACES | PATCHES
RUNS_ITSELF = START_UP | {FileKind.CI, FileKind.AGENT_CONFIG, FileKind.ACCOUNTS}
_WRITE = Verb.WRITE


def with_input(command: Command, commands: Sequence[Command]) -> Command:
    """Return a command that reads jobs from its input, with the known part of the input."""
    stream = command.stdin
    if stream is None or stream.text is not None or command.program not in READS_JOBS:
        return command
    printed = [
        " ".join([word.text for word in commands[at].words[1:]])
        for at in stream.sources
        if 0 <= at < len(commands) and commands[at].program in PRINTING
    ]
    sketch = "\n".join([stream.sketch, *printed])
    return replace(command, stdin=replace(stream, sketch=sketch))


def texts_written(command: Command, place: Place) -> Iterator[tuple[Located, NewText]]:
    """Yield each file that `tee` or an editing command writes, with the text."""
    if command.program in EDITS:
        yield from edits_of(command, place)
        return
    if command.program in PATCHES:
        for file in patch_of(command, place):
            new = NewText(new=file.added, old=file.removed, is_whole=file.is_new)
            yield locate(file.moved_to or file.path, place, has_glob=False), new
        return
    if command.program in PLACES:
        yield from _placed(command, place)
        return
    stream = command.stdin
    if stream is None or not stream.text:
        return
    texts = [word.text for word in command.words[1:] if word.is_known]
    is_whole = not {"-a", "--append", "-ai", "-ia"}.intersection(texts)
    is_unit = command.program == "systemctl"
    for text in _units(texts) if is_unit else [one for one in texts if one[:1] != "-"]:
        new = NewText(new=stream.text, is_whole=is_whole)
        yield locate(text, place, has_glob=False), new


def _units(texts: Sequence[str]) -> list[str]:
    """Give the files that `systemctl edit UNIT` writes, by the words behind the program."""
    named = [text for text in texts if text[:1] != "-"]
    folder = "~/.config/systemd/user" if "--user" in texts else "/etc/systemd/system"
    units = named[1:] if named[:1] == ["edit"] else []
    return [f"{folder}/{unit.removesuffix('.service')}.service" for unit in units]


def _placed(command: Command, place: Place) -> Iterator[tuple[Located, NewText]]:
    """Yield where a file comes to lie by its copy, move or link, and the text it has.

    It is a file that the session or this very line wrote. Under a name that is loaded or built it
    does what it did not do under its own: `mv notes.txt conftest.py`.
    """
    given = [word for word in command.words[1:] if word.is_known and word.text[:1] != "-"]
    if len(given) < 2 or not (place.facts.written or command.known_files):
        return
    own = dict(command.known_files)
    target = given[-1].text
    for word in given[:-1]:
        for path in _sources(word.text, target, place):
            fact = place.files.get(path) if path in place.facts.written else None
            known = own.get(path) or (fact.text if fact is not None else None)
            if not known:
                continue
            # The target may be a folder; nothing is looked up here, so both are tried.
            kind, name = locate(path, place, has_glob=False).kind, path.rpartition("/")[2]
            for text in (target, f"{target.rstrip('/')}/{name}"):
                where = locate(text, place, has_glob=False)
                if where.kind in RUNS_ITSELF or where.kind is not kind:
                    yield where, NewText(new=known, is_whole=True)


def _sources(text: str, target: str, place: Place) -> tuple[str, ...]:
    """The files a word may stand for: a link leads on from the folder it lies in."""
    # `ln -s ../x .git/hooks/y`: a symbolic link is read from where it lies (symlink(7)).
    from_link = f"{target.rpartition('/')[0] or '.'}/{text}"
    return locate(text, place, has_glob=False).path, locate(from_link, place, has_glob=False).path


def marked_start_up(operations: list[Operation], *, is_fetched: bool) -> list[Operation]:
    """Mark writes of files that run by themselves if their content is from the network."""
    if not is_fetched or not any([_starts(op) for op in operations]):
        return operations
    return [
        replace(op, traits=op.traits | {Trait.UNTRUSTED_SOURCE}) if _starts(op) else op
        for op in operations
    ]


def _starts(op: Operation) -> bool:
    return op.verb is _WRITE and op.file_kind in START_UP
