"""Files that a call of any tool names by their path: read like any file, or sent away.

mcp__mail__send(attachments=["~/.ssh/id_ed25519"])           -> NETWORK_OUT, SENDS_SECRET
secrets_named(docs_get(path="~/.ssh/id_rsa"), operations, (), place)  -> READ, READS_SECRET
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import islice

from signoff.actions.action import Action
from signoff.actions.known.file_kinds import SECRET_KINDS
from signoff.actions.lexicon.languages.glossary import concept_of
from signoff.actions.lexicon.names import split_words
from signoff.actions.operation import (
    FileKind,
    Operation,
    Operations,
    Reach,
    ResourceType,
    Trait,
    Verb,
)
from signoff.actions.paths import locate
from signoff.actions.place import Place
from signoff.actions.shell.data_flow.staged import known_secrets
from signoff.actions.tools.files import read_operation
from signoff.actions.tools.naming.argument_paths import paths_in
from signoff.actions.tools.naming.contents import strings_of
from signoff.actions.vocabulary import lazy_re
from signoff.values import replace

SENDING = frozenset({Verb.NETWORK_OUT, Verb.PUBLISH})
# Arguments in which a path is talked about, not read.
PROSE = frozenset(
    {"body", "text", "title", "subject", "description", "message", "comment", "query", "prompt"}
)
# Whom a message goes to, or where it is posted.
RECIPIENTS = (
    *("to", "recipients", "recipient", "channel", "channels", "room", "chat", "list"),
    *("email", "phone", "address", "user", "group", "audience", "repo", "project", "id"),
)
# Where something is put.
DESTINATIONS = frozenset(
    {"to", "target", "destination", "destination_path", "dest", "dst", "new_path", "output", "into"}
)
_ADDRESS = lazy_re(
    r"(?i)(?:smb|cifs|nfs|afp|s?ftps?|scp|ssh|rsync|s3a?|gs|gcs|az|azure|abfss?|wasbs?|b2|r2|oss|cos|hdfs"
    r"|swift|webdavs?|davs?)://"
)
_MOVES = frozenset({"move", "mv", "rename"})
_TREES = frozenset({"tree", "trees", "directory", "directories", "folder", "folders", "rmtree"})
_RECURSIVE = ("recursive", "recurse", "recursively")
_ACTS = ("op", "action", "operation", "act", "method")
OBJECT_LIMIT = 200  # of a target that a tool's argument gives
TEXT_LIMIT = 20_000
# The value has none of `<{$*`, which mark placeholders, templates and masks.
_ASSIGNED = lazy_re(
    r"(?i)\b\w*(?:token|secret|passw(?:or)?d|api_?key|access_?key|private_?key)\w*[\"']?\s*[=:]\s*"
    r"[\"']?[^\s\"'<>{}$*]{8,}"
)
DEPTH_LIMIT, VALUES_LIMIT, PATH_LIMIT = 4, 200, 512


def placed(operations: Operations, action: Action) -> Operations:
    """Return the operations on files with what the paths say: addresses elsewhere, whole trees.

    copy(source="a.pdf", target="smb://nas/share/a.pdf")    -> NETWORK_OUT, SENDS_FILES
    run(action="delete_tree", path="src")                   -> DELETE, RECURSIVE
    """
    is_tree = any([op.verb is Verb.DELETE for op in operations]) and _names_tree(action)
    return tuple([_placed(op, action, is_tree=is_tree) for op in operations])


def _placed(op: Operation, action: Action, *, is_tree: bool) -> Operation:
    if op.thing is not ResourceType.FILE:
        return op
    if _ADDRESS.match(op.target) is not None:
        return _at_address(op, action)
    is_folder = op.verb is Verb.DELETE and "." not in op.target.rpartition("/")[2]
    if not is_tree or not is_folder or Trait.RECURSIVE in op.traits:
        return op
    traits = {Trait.RECURSIVE} | ({Trait.REBUILDABLE} if op.reversible else set())
    return replace(op, traits=op.traits | traits)


def _at_address(op: Operation, action: Action) -> Operation:
    """An address is no path of the project: what is written there is sent, what is read comes."""
    reach = reach_of_url(op.target)
    op = replace(op, path="", file_kind=FileKind.OTHER, reach=reach)
    if op.verb not in (Verb.WRITE, Verb.READ, Verb.NETWORK_OUT) or reach is Reach.LOOPBACK:
        return op
    names = {name.lower() for name, value in action.arguments.items() if value == op.target}
    if not DESTINATIONS.isdisjoint(names):
        traits = op.traits | {Trait.SENDS_FILES}
        return replace(op, verb=Verb.NETWORK_OUT, traits=traits, reversible=False)
    # What is copied from there stays; a move takes it away.
    is_source = not DESTINATIONS.isdisjoint([name.lower() for name in action.arguments])
    if op.verb is Verb.READ or (is_source and _MOVES.isdisjoint(_said(action))):
        return replace(op, verb=Verb.NETWORK_IN, reversible=True)
    return op


def _names_tree(action: Action) -> bool:
    """Tell a call that deletes folders with all they hold, by its name, its act or a flag."""
    if any([action.arguments.get(name) is True for name in _RECURSIVE]):
        return True
    return not _TREES.isdisjoint(_said(action))


def _said(action: Action) -> set[str]:
    """The words of a tool's name and of the act that its arguments name."""
    texts = (action.tool, *[action.text(name)[:60] for name in _ACTS])
    return {word for text in texts for word in split_words(text)}


def sent_to(operations: Operations, reach: Reach) -> Operations:
    """Return the operations on sent files with the reach of the address they go to."""
    if reach in (Reach.LOOPBACK, Reach.NONE):
        return operations
    return tuple(
        replace(op, reach=reach, traits=op.traits | {Trait.SENDS_FILES}, reversible=False)
        if op.verb is Verb.NETWORK_OUT
        else op
        for op in operations
    )


def with_sent_secrets(operations: Operations, action: Action, place: Place) -> Operations:
    """Mark sending operations if a file of secrets goes along."""
    sends = [op.verb in SENDING and op.reach is not Reach.LOOPBACK for op in operations]
    if not any(sends):
        return operations
    if not any(_is_secret(text, place) for text in _paths(action)) and not (
        # Only after a secret was read in this session: documents are full of examples.
        known_secrets(place.facts.secrets_read) and _tells_secret(action)
    ):
        return operations
    return tuple(
        replace(op, traits=op.traits | {Trait.SENDS_SECRET}) if out else op
        for op, out in zip(operations, sends, strict=True)
    )


def with_recipients(operations: Operations, action: Action) -> Operations:
    """Set the target of messages to the recipients, as their title or text names nobody."""
    if not any([_is_message(op) for op in operations]):
        return operations
    texts = [action.text(name) for name in PROSE]
    prose = {text[:OBJECT_LIMIT] for text in texts if text}
    to = next(filter(None, map(action.text, RECIPIENTS)), "")[:OBJECT_LIMIT]
    return tuple(
        replace(op, target=to) if _is_message(op) and op.target in prose else op
        for op in operations
    )


def with_sent_results(operations: Operations, action: Action) -> Operations:
    """Return what only looks as sending, where an argument says to whom the result goes.

    run_report(fields=["salary"], email_to=["a@mail.example"])    -> NETWORK_OUT
    find_customer(email="a@mail.example")                         a filter: as it was
    """
    if not any([op.verb in _LOOKING and not op.path for op in operations]):
        return operations
    own = _addresses(action, lambda words: words[:1] in _OWN_NAMES)
    said = split_words(action.tool)
    if not _ONLY_SHOWN.isdisjoint(said):
        return operations
    is_search = not _SEARCHES.isdisjoint(said)
    names = _DELIVERS if is_search else _DELIVERS | _RECEIVING
    if not _addresses(action, lambda words: _is_receiver(words, names)) - own:
        return operations
    return tuple([_as_sent(op) if op.verb in _LOOKING and not op.path else op for op in operations])


def _as_sent(op: Operation) -> Operation:
    # What is found on this machine or tried only goes nowhere.
    if op.reach is Reach.LOOPBACK or Trait.DRY_RUN in op.traits or op.thing is ResourceType.URL:
        return op
    is_secret = Trait.READS_SECRET in op.traits
    traits = op.traits | ({Trait.SENDS_SECRET} if is_secret else set())
    return replace(
        op, verb=Verb.NETWORK_OUT, reach=Reach.REMOTE, traits=traits, reversible=False,
    )  # fmt: skip


def _addresses(action: Action, is_wanted: Callable[[tuple[str, ...]], bool]) -> set[str]:
    """Return the mail addresses under the names of arguments that are wanted."""
    return {
        text.lower()
        for name, value in islice(action.arguments.items(), VALUES_LIMIT)
        if is_wanted(split_words(name[:OBJECT_LIMIT]))
        for text in strings_of(value)[:VALUES_LIMIT]
        if len(text) <= OBJECT_LIMIT and _MAIL.fullmatch(text) is not None
    }


def _is_receiver(words: tuple[str, ...], names: frozenset[str]) -> bool:
    """Tell `email_to`, `recipients`, `empfaenger`; `email` alone is what is looked for."""
    return not names.isdisjoint((*words, *[concept_of(word) for word in words]))


_LOOKING = frozenset({Verb.READ, Verb.INERT, Verb.NETWORK_IN})
_MAIL = lazy_re(r"(?:[^<>@\n]{0,80}<)?[^\s@<>,;]{1,80}@[\w-]{1,60}(?:\.[\w-]{1,60}){1,6}>?")
_OWN_NAMES = (("from",), ("sender",))
_DELIVERS = frozenset({"deliver", "send", "forward", "mailto", "emailto", "sendto", "cc", "bcc"})
_RECEIVING = frozenset({"to", "recipient", "recipients", "receiver", "receivers"})
_ONLY_SHOWN = frozenset({"preview", "draft", "render"})
# Where mails are looked for, a receiver is what they are found by.
_SEARCHES = frozenset({"search", "find", "list", "filter", "query", "count", "lookup", "validate"})


def _is_message(op: Operation) -> bool:
    return op.thing is ResourceType.MESSAGE and op.verb is Verb.NETWORK_OUT


def _tells_secret(action: Action) -> bool:
    """Tell whether a message gives a value to a name of a secret: `API_TOKEN=f3a1...`."""
    texts = [value for value in action.arguments.values() if isinstance(value, str)]
    return any([_ASSIGNED.search(text[:TEXT_LIMIT]) is not None for text in texts])


def _paths(action: Action) -> Iterator[str]:
    """Yield the texts in a call's arguments that may be paths, bounded."""
    todo: list[tuple[object, int]] = [
        (value, 0) for name, value in action.arguments.items() if name not in PROSE
    ]
    for _ in range(VALUES_LIMIT):
        if not todo:
            return
        value, depth = todo.pop()
        if isinstance(value, str):
            # A dot at the start as well: `.env` has no slash.
            is_path = "/" in value or "\\" in value or value.startswith(".")
            if is_path and len(value) <= PATH_LIMIT and "\n" not in value:
                yield value
        elif depth < DEPTH_LIMIT and isinstance(value, Mapping):
            todo.extend((one, depth + 1) for name, one in value.items() if name not in PROSE)
        elif depth < DEPTH_LIMIT and isinstance(value, list | tuple):
            todo.extend((one, depth + 1) for one in value)


def _is_secret(text: str, place: Place) -> bool:
    if "://" in text:
        return False
    at = locate(text.removeprefix("@"), place, has_glob=False)
    return at.read_kind in SECRET_KINDS or at.path in place.facts.secrets_read


_SENDS = frozenset({Verb.NETWORK_OUT, Verb.PUBLISH})
_ATTACHED = ("attachments", "attachment", "files", "file_path", "body_file")
_MOST = 50


def secrets_named(
    action: Action, operations: Operations, paths: tuple[str, ...], place: Place | None
) -> tuple[Operation, ...]:
    """Return operations on files of secrets that the arguments name."""
    if place is None:
        return ()
    attached = (text for name in _ATTACHED for text in strings_of(action.arguments.get(name)))
    known = {operation.path for operation in operations if operation.path}
    is_sent = any(op.verb in _SENDS and op.reach is not Reach.LOOPBACK for op in operations)
    found: dict[str, Operation] = {}
    for path in (*paths_in(action.arguments), *paths, *attached)[:_MOST]:
        if not path or "\n" in path or "://" in path:
            continue
        where = locate(path, place, has_glob=False)
        # The call's own operation says already what is done to it.
        if where.path in known or where.path in found:
            continue
        operation = read_operation(where, target=path, program=action.tool[:100])
        if Trait.READS_SECRET in operation.traits:
            found[where.path] = _sent(operation) if is_sent else operation
    return tuple(found.values())


def _sent(operation: Operation) -> Operation:
    """Turn the reading of a secret into its sending."""
    traits = operation.traits | {Trait.SENDS_SECRET, Trait.SENDS_FILES}
    return replace(
        operation, verb=Verb.NETWORK_OUT, reach=Reach.REMOTE, traits=traits, reversible=False
    )


def reach_of_url(url: str) -> Reach:
    """Tell this machine's own servers from others; the tricks of URLs are the web reader's."""
    host = url.partition("://")[2].partition("/")[0].rpartition("@")[2].lower()
    name = host if host.startswith("[") else host.partition(":")[0]
    is_own = name in ("localhost", "127.0.0.1") or host.startswith("[::1]")
    return Reach.LOOPBACK if is_own else Reach.REMOTE
