"""File tools: read, write, edit, patch, delete, move, list, search -> Operations.

One operation for each path a call names, and one for each thing its new content adds
(`contents/added.py`). A call whose path cannot be found is not understood.

    Write(file_path="src/a.py", content="x = 1\\n") -> write file src/a.py, project, reversible
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from msgspec import Struct

from signoff.actions.action import Action, Json
from signoff.actions.contents.added import NewText, added_operations
from signoff.actions.known.file_kinds import SECRET_KINDS, is_dependency, is_sample
from signoff.actions.known.wildcards import dotted
from signoff.actions.operation import (
    FileKind,
    Operation,
    Operations,
    Reach,
    ResourceType,
    Trait,
    Verb,
)
from signoff.actions.paths import Located, locate, worse
from signoff.actions.place import Place
from signoff.actions.programs.vcs.patches import PatchedFile, read_patch
from signoff.actions.tools import file_tool_names as known
from signoff.actions.vocabulary import words
from signoff.values import replace

_PATH_NAMES = (
    "file_path", "path", "notebook_path", "filepath", "filename", "file", "target_file",
    "relative_path", "absolute_path", "uri", "directory", "dir_path", "folder", "source",
    "source_path", "src", "from", "old_path", "destination", "destination_path", "dest", "dst",
    "to", "new_path", "target", "paths", "files", "file_paths", "filePath", "absolutePath",
)  # fmt: skip
_DESTINATIONS = words("destination destination_path dest dst to new_path target")
_NEW_NAMES = ("content", "new_string", "new_source", "file_text", "new_str", "text", "insert_text",
              "code_edit", "contents", "replacement", "newText", "new_text")  # fmt: skip
OLD_NAMES = ("old_string", "old_str", "oldText", "old_text", "old_source")
PATCH_NAMES = ("patch", "input", "diff", "command", "patch_text", "unified_diff")
_RUNS_LATER = frozenset(
    {FileKind.GIT_HOOK, FileKind.SCHEDULE, FileKind.SHELL_STARTUP, FileKind.AGENT_CONFIG}
)
_SECRET_ACCOUNTS = ("/shadow", "/gshadow", "/shadow-", "/gshadow-", "/master.passwd", "/sam")
_MOST_PATHS = 200

_SERVERS = (
    "mcp__filesystem__",
    "mcp__fs__",
    "mcp__files__",
    "mcp__file__",
    "mcp__desktop-commander__",
)

_ALONE = (
    known.READ_TOOLS
    | known.LIST_TOOLS
    | known.SEARCH_TOOLS
    | known.WRITE_TOOLS
    | known.EDIT_TOOLS
    | known.PATCH_TOOLS
    | known.DELETE_TOOLS
    | known.MOVE_TOOLS
    | known.EDITOR_TOOLS
)
FILE_TOOLS: frozenset[str] = _ALONE | {
    server + name for server in _SERVERS for name in _ALONE if name.islower()
}


def understand_file_tool(action: Action, place: Place) -> Operations:
    """Return the effects of a file tool's call: on each path, and of new content."""
    name = action.tool.rpartition("__")[2]
    operations = tuple(_operations(name, action, place))
    return operations or (_opaque(action.tool, "no path in the call"),)


def read_operation(where: Located, *, target: str, program: str) -> Operation:
    """Build the Operation of reading a file or folder; `target`: its name as given."""
    where = replace(where, kind=where.read_kind) if where.secret else where
    is_secret = where.kind in SECRET_KINDS or (
        where.kind is FileKind.ACCOUNTS and where.path.lower().endswith(_SECRET_ACCOUNTS)
    )
    is_secret = is_secret or (where.kind is FileKind.AUTHORIZED_KEYS and "/.ssh/" not in where.path)
    traits = {Trait.READS_SECRET} if is_secret else set()
    return _operation(Verb.READ, where, target, program, traits=traits, reversible=True)


def write_operation(where: Located, *, target: str, program: str, place: Place) -> Operation:
    """Build the Operation of creating or changing a file; `target`: its name as given."""
    traits: set[Trait] = set()
    if where.kind in _RUNS_LATER:
        traits.add(Trait.RUNS_LATER)
    if where.kind is FileKind.AUTHORIZED_KEYS and not is_sample(where.path, where.reach):
        traits.add(Trait.BACKDOOR)
    operation = _operation(
        Verb.WRITE, where, target, program, traits=traits, reversible=_can_undo(where, place)
    )
    # pnpm and uv hard-link what they install; elsewhere a second name hides what is changed.
    if where.has_links and not is_dependency(where.path.lower().split("/")):
        return _not_understood(operation, "the file has another name as well (hard link)")
    return operation


def delete_operation(
    where: Located, *, target: str, program: str, place: Place, is_tree: bool = False
) -> Operation:
    """Build the Operation of deleting a file or folder; `target`: its name as given."""
    traits = {Trait.NAMED}
    if is_tree:
        traits.add(Trait.RECURSIVE)
    if where.is_root_of_reach:
        traits = {Trait.BROAD, Trait.RECURSIVE}
    if where.is_rebuildable:
        traits.add(Trait.REBUILDABLE)
    # Version control brings back the file it has; a tree may hold files that it never had.
    undo = where.is_rebuildable or (_can_undo(where, place) and not is_tree)
    return _operation(Verb.DELETE, where, target, program, traits=traits, reversible=undo)


def _operations(name: str, action: Action, place: Place) -> Iterator[Operation]:
    if name in known.EDITOR_TOOLS:
        name = _editor_command(action)
    for names, read in _READERS:
        if name in names:
            yield from read(action, place)
            return
    yield _opaque(action.tool, f"file tool with the command `{name[:40]}`")


def _editor_command(action: Action) -> str:
    """The plain tool that a command of the combined editor stands for."""
    match action.text("command"):
        case "view":
            return "Read"
        case "create":
            return "Write"
        case "str_replace" | "insert" | "undo_edit":
            return "Edit"
        case "delete":
            return "Delete"
        case "rename":
            return "Move"
        case other:
            return other


def _read(action: Action, place: Place) -> Iterator[Operation]:
    for path in paths_of(action.arguments):
        where = locate(path, place, has_glob="*" in path)
        yield read_operation(where, target=path, program=action.tool)


def _list(action: Action, place: Place) -> Iterator[Operation]:
    """Names only: a listing shows no content."""
    base = next(paths_of(action.arguments), "") or "."
    pattern = action.text("pattern") or action.text("glob_pattern") or action.text("glob")
    shown = _joined(base, pattern)
    where = locate(shown, place)
    yield _operation(Verb.READ, where, shown, action.tool, traits=set(), reversible=True)


def _search(action: Action, place: Place) -> Iterator[Operation]:
    base = next(paths_of(action.arguments), "") or "."
    glob = action.text("glob") or action.text("include")
    where = locate(_joined(base, glob), place)
    for hidden in dotted(glob):
        where = worse(where, locate(_joined(base, hidden), place))
    yield read_operation(where, target=_joined(base, glob), program=action.tool)


class FileEdit(Struct, frozen=True, kw_only=True):
    """New content for one file: its location, its name as given, and the text."""

    where: Located
    target: str
    text: NewText


def changes_of(action: Action, place: Place) -> tuple[FileEdit, ...]:
    """Return the new contents in a file tool's call, one per file and edit."""
    name = action.tool.rpartition("__")[2]
    if name in known.WRITE_TOOLS:
        return tuple(_written(action, place))
    if name in known.EDIT_TOOLS:
        return tuple(_edited(action, place))
    if name in known.PATCH_TOOLS:
        return tuple(_added(action, place))
    return tuple(_written(action, place)) if name in known.EDITOR_TOOLS else ()


def _write(action: Action, place: Place) -> Iterator[Operation]:
    for change in _written(action, place):
        yield from _change(change, action, place)


def _written(action: Action, place: Place) -> Iterator[FileEdit]:
    is_part = action.tool in ("NotebookEdit", "append_file")
    for path in paths_of(action.arguments):
        text = NewText(
            new=new_text(action.arguments),
            old=_known_text(path, place),
            is_whole=not is_part and "directory" not in action.tool,
        )
        yield FileEdit(where=locate(path, place, has_glob=False), target=path, text=text)


def _edit(action: Action, place: Place) -> Iterator[Operation]:
    edits = action.arguments.get("edits")
    if edits and isinstance(edits, Sequence) and not isinstance(edits, str):
        read = sum(isinstance(edit, Mapping) for edit in edits[:_MOST_PATHS])
        if read < len(edits):
            yield _opaque(action.tool, "edits that cannot be read")
    for change in _edited(action, place):
        for operation in _change(change, action, place):
            yield replace(operation, traits=operation.traits | {Trait.PARTIAL})


def _edited(action: Action, place: Place) -> Iterator[FileEdit]:
    edits = action.arguments.get("edits")
    pieces: list[Mapping[str, Json]] = [action.arguments]
    if edits and isinstance(edits, Sequence) and not isinstance(edits, str):
        pieces += [edit for edit in edits[:_MOST_PATHS] if isinstance(edit, Mapping)]
    outer = next(paths_of(action.arguments), "")
    for piece in pieces:
        new = new_text(piece)
        path = next(paths_of(piece), "") or outer
        if path and (new or piece is not action.arguments or len(pieces) == 1):
            text = NewText(new=new, old=first_text(piece, OLD_NAMES) or _known_text(path, place))
            yield FileEdit(where=locate(path, place, has_glob=False), target=path, text=text)


def _change(change: FileEdit, action: Action, place: Place) -> Iterator[Operation]:
    yield write_operation(change.where, target=change.target, program=action.tool, place=place)
    if change.text.new or change.text.old or change.text.is_whole:
        yield from added_operations(change.where, change.text, program=action.tool)


def _added(action: Action, place: Place) -> Iterator[FileEdit]:
    for file in read_patch(first_text(action.arguments, PATCH_NAMES)) or ():
        if not file.is_deleted:
            target = file.moved_to or file.path
            text = NewText(new=file.added, old=file.removed, is_whole=file.is_new)
            where = locate(target, place, has_glob=False)
            yield FileEdit(where=where, target=target, text=text)


def _patch(action: Action, place: Place) -> Iterator[Operation]:
    text = first_text(action.arguments, PATCH_NAMES)
    patched = read_patch(text)
    if patched is None:
        yield _opaque(action.tool, "a patch that cannot be read")
        return
    for file in patched:
        yield from _patched(file, action.tool, place)


def _patched(file: PatchedFile, tool: str, place: Place) -> Iterator[Operation]:
    where = locate(file.path, place, has_glob=False)
    if file.is_deleted:
        yield delete_operation(where, target=file.path, program=tool, place=place)
        return
    yield write_operation(where, target=file.path, program=tool, place=place)
    target = where
    if file.moved_to:
        target = locate(file.moved_to, place, has_glob=False)
        yield write_operation(target, target=file.moved_to, program=tool, place=place)
    text = NewText(new=file.added, old=file.removed, is_whole=file.is_new)
    yield from added_operations(target, text, program=tool)


def _delete(action: Action, place: Place) -> Iterator[Operation]:
    is_tree = "directory" in action.tool or bool(action.arguments.get("recursive"))
    for path in paths_of(action.arguments):
        where = locate(path, place)
        yield delete_operation(
            where, target=path, program=action.tool, place=place, is_tree=is_tree
        )


def _move(action: Action, place: Place) -> Iterator[Operation]:
    for name, path in _named_paths(action.arguments):
        where = locate(path, place, has_glob=False)
        if name.lower() in _DESTINATIONS:
            yield write_operation(where, target=path, program=action.tool, place=place)
            continue
        yield read_operation(where, target=path, program=action.tool)
        # After a move the source is gone, which changes that file as well.
        if "copy" not in action.tool:
            yield write_operation(where, target=path, program=action.tool, place=place)


_READERS: tuple[tuple[frozenset[str], Callable[[Action, Place], Iterator[Operation]]], ...] = (
    (known.READ_TOOLS, _read),
    (known.WRITE_TOOLS, _write),
    (known.EDIT_TOOLS, _edit),
    (known.LIST_TOOLS, _list),
    (known.SEARCH_TOOLS, _search),
    (known.PATCH_TOOLS, _patch),
    (known.DELETE_TOOLS, _delete),
    (known.MOVE_TOOLS, _move),
)


def _operation(
    verb: Verb, where: Located, target: str, program: str, *, traits: set[Trait], reversible: bool
) -> Operation:
    if where.is_root_of_reach:
        traits = traits | {Trait.BROAD}
    return Operation(
        verb=verb,
        thing=ResourceType.GUARD
        if where.reach is Reach.GUARD and verb is not Verb.READ
        else ResourceType.FILE,
        target=target[:500],
        path=where.path,
        reach=where.reach,
        file_kind=where.kind,
        traits=frozenset(traits),
        reversible=reversible,
        program=program,
        source=f"{program} {target}"[:200],
    )


def _can_undo(where: Located, place: Place) -> bool:
    if where.kind is FileKind.GIT_INTERNAL:
        return False
    if where.reach is Reach.PROJECT:
        return place.under_version_control
    return where.reach in (Reach.TEMP, Reach.NONE)


def _not_understood(operation: Operation, why: str) -> Operation:
    return Operation(
        verb=operation.verb, thing=operation.thing, target=operation.target, path=operation.path,
        reach=operation.reach, file_kind=operation.file_kind, traits=operation.traits,
        reversible=False, understood=False, program=operation.program, source=operation.source,
        why=why,
    )  # fmt: skip


def _opaque(program: str, why: str) -> Operation:
    return Operation(
        verb=Verb.EXECUTE, thing=ResourceType.FILE, reach=Reach.UNKNOWN, understood=False,
        program=program, why=why,
    )  # fmt: skip


def paths_of(arguments: Mapping[str, Json]) -> Iterator[str]:
    for _, path in _named_paths(arguments):
        yield path


def _named_paths(arguments: Mapping[str, Json]) -> Iterator[tuple[str, str]]:
    """Every path in the arguments, with the argument's name; lists one level deep."""
    for name in _PATH_NAMES:
        value = arguments.get(name)
        if isinstance(value, str):
            if value:
                yield name, value.removeprefix("file://")
        elif value is not None and isinstance(value, Sequence):
            for item in value:
                inner = item.get("path") if isinstance(item, Mapping) else item
                if isinstance(inner, str):
                    yield name, inner.removeprefix("file://")


def _joined(base: str, pattern: str) -> str:
    if not pattern:
        return base
    return pattern if pattern[0] in "/~" else f"{base.rstrip('/')}/{pattern}"


def first_text(arguments: Mapping[str, Json], names: tuple[str, ...]) -> str:
    for name in names:
        value = arguments.get(name)
        if isinstance(value, str) and value:
            return value
    return ""


def new_text(arguments: Mapping[str, Json]) -> str:
    """All new content in the arguments; under an unknown name, every text that is no path."""
    texts = {name: value for name, value in arguments.items() if isinstance(value, str)}
    known = [texts[name] for name in _NEW_NAMES if name in texts]
    if known:
        return "\n".join(known)
    passed = (*_PATH_NAMES, *OLD_NAMES, "edit_mode", "cell_type", "cell_id", "description")
    return "\n".join(text for name, text in texts.items() if name not in passed)


def _known_text(path: str, place: Place) -> str | None:
    fact = place.files.get(path) if place.files else None
    return fact.text if fact is not None else None
