"""What "for this session" covers: the shape of a call, narrow and in words.

A shape has one thing per line: kind of shape, folder, words for people, then everything that
another call must have in common with it. Two calls are alike only if their shapes are equal, so a
line more makes a shape narrower. Four kinds are known:

- discussion: pull requests, comments, reviews and issues of one repository, by `gh`;
- environment: reading the project's own `.env` files, not those of production;
- file: one file tool, on one file or one folder;
- command: one plain command, its options and words as they stand, its targets by folder or host;
- tool: one other tool with the same arguments; texts of a message may differ.

There is no shape for what is critical, not understood, or runs something else, and none where a
finding hangs on the text of the call: secrets, injected prompts, weakened checks.
"""

from __future__ import annotations

import json
import posixpath
import re
from collections.abc import Collection, Iterable

from signoff.actions.action import Action, ActionKind
from signoff.actions.operation import FileKind, Operation, Operations, Reach, Trait, Verb
from signoff.actions.operation import ResourceType as Kind
from signoff.assess.assessed import Assessed
from signoff.challenge.terms.discussion import THREADS, discussion_of
from signoff.challenge.terms.grant import LINE_ARGUMENT, why_not_granted
from signoff.challenge.terms.plain_line import BARE, plain_lines

LINE_ARGUMENTS = frozenset({LINE_ARGUMENT, "description", "timeout", "run_in_background"})
ENVIRONMENT_LINE = "credential-access.env-file"
TALK_LINES = frozenset({"exfiltration.message", "exfiltration.request", "remote-change.changed"})
# Only what is found in these ways hangs on program and target, not on the text of the call.
GRANTABLE = (
    "exfiltration.message",
    "exfiltration.request",
    "remote-change.",
    "path-escape.",
    "persistence.ci",
    "destructive.",
    "system-change.",
    "supply-chain.",
    ENVIRONMENT_LINE,
)
# What runs later, opens a door or holds accounts: approved file by file, once.
NEVER_KINDS = frozenset(
    {
        FileKind.SHELL_STARTUP,
        FileKind.SCHEDULE,
        FileKind.AUTHORIZED_KEYS,
        FileKind.GIT_HOOK,
        FileKind.GIT_INTERNAL,
        FileKind.AGENT_CONFIG,
        FileKind.CREDENTIALS,
        FileKind.ACCOUNTS,
        FileKind.BOOT,
        FileKind.KERNEL,
        FileKind.DEVICE,
        FileKind.SYSTEM_BINARY,
        FileKind.AUDIT_LOG,
        FileKind.GUARD,
    }
)
# Of these a neighbour in the same folder is much the same; of all others only the file itself.
ALIKE_KINDS = frozenset(
    {FileKind.OTHER, FileKind.SOURCE, FileKind.TEST, FileKind.DOC, FileKind.DATA, FileKind.LOG}
)
WHOLE_TRAITS = frozenset({Trait.RECURSIVE, Trait.BROAD, Trait.WHOLE_STORE, Trait.BULK})
QUIET_PROGRAMS = frozenset({"cat", "cd", "head", "tail"})
READERS = frozenset({"cat", "grep", "head", "tail"})
ENVIRONMENT_TRAITS = frozenset({Trait.READS_SECRET, Trait.NAMED})
# With wildcards: `.env.*` can stand for that of production.
LIVE = re.compile(r"(?i)prod|live|stag|release|[*?\[{]")
DISCUSSION = "discussion"
TEXTS = frozenset({"body", "comment", "content", "description", "message", "subject", "text"})
NUMBERS = frozenset({"issue_number", "pull_number", "pullNumber", "issueNumber", "in_reply_to"})
FORCED_PUSH_WORDS = 3  # the program, its sub-command, and at least a remote and a branch
WORDS_LIMIT = 160


def shape_of(assessed: Assessed) -> str:
    """Return a text equal for calls that a session approval covers alike.

    Returns "" if no other call may count as similar.
    """
    action = assessed.action
    operations = tuple(op for op in assessed.operations if op.verb is not Verb.INERT)
    if why_not_granted(assessed) or not operations or not action.session:
        return ""
    # signoff's own files are never part of a grant (T-55).
    if any(op.file_kind in NEVER_KINDS or op.reach is Reach.GUARD for op in operations):
        return ""
    found = {f"{one.severity.value} {one.category}" for one in assessed.findings if one.detected}
    lines = {one.partition(" ")[2] for one in found}
    if not all(line.startswith(GRANTABLE) for line in lines):
        return ""
    # A call that another rule asks about is another question.
    common = [f"rule {assessed.rule.rule.name}"] if assessed.rule is not None else []
    if LINE_ARGUMENT in action.arguments:
        shape = _of_line(assessed, operations, lines)
    elif action.kind is ActionKind.TOOL and all(_is_own_file(action, op) for op in operations):
        shape = _of_environment(assessed, operations, lines, how="tool") or _of_files(
            assessed, operations
        )
    else:
        shape = _of_tool(action, operations, lines)
    if shape and shape[0] == DISCUSSION:
        found = {one.partition(" ")[0] for one in found}  # the lines of talk are one act
    common += sorted(found) or [f"level {assessed.level.value}"]
    return "\n".join([*shape, *common]) if shape else ""


def shape_words(shape: str) -> str:
    """Return a shape in one line for people."""
    from signoff.challenge.visible import visible  # noqa: PLC0415 - only where people are asked

    lines = shape.split("\n")
    return visible(f"{lines[2]} in {lines[1]}" if len(lines) > 2 else shape)


def _of_line(assessed: Assessed, operations: Operations, lines: set[str]) -> list[str]:
    """Return the shape of a shell line of plain commands."""
    action = assessed.action
    plain = () if set(action.arguments) - LINE_ARGUMENTS else plain_lines(action.text("command"))
    if not plain:
        return []
    words, folder = plain[0].words, plain[0].folder
    cwd = _absolute(folder, action.cwd) if folder else action.cwd
    main = tuple(op for op in operations if not _is_quiet(op, words[0]))
    # A bare program, `make` say, does whatever the folder holds at the time.
    is_here = cwd in (action.cwd, assessed.facts.project) and len(words) > 1
    if not is_here or {op.program.split(" ")[0] for op in main} != {words[0]}:
        return []
    where = {discussion_of(one.words) for one in plain}
    if len(where) == 1 and "" not in where and _only_talks(main, lines):
        return _of_discussion(action, cwd, where.pop())
    # Several commands in one line: which of them is like the next line's cannot be said.
    if len(plain) != 1 or len({op.group for op in main}) != 1:
        return []
    shape = _of_environment(assessed, main, lines, how=words[0]) if words[0] in READERS else []
    return shape or _of_command(action, words, cwd, main)


def _of_discussion(action: Action, cwd: str, where: str) -> list[str]:
    said = (
        "`gh`: answering and resolving review threads"
        if where == THREADS
        else f"`gh`: pull requests, comments, reviews and issues of {where}"
    )
    return [DISCUSSION, cwd, said, action.tool]


def _only_talks(operations: Operations, lines: set[str]) -> bool:
    """Tell whether a call does nothing but send messages, as far as it was understood."""
    verbs, things = {Verb.NETWORK_OUT, Verb.WRITE}, {Kind.MESSAGE, Kind.URL}
    return (
        bool(lines)
        and lines <= TALK_LINES
        and all(op.verb in verbs and op.thing in things and not op.traits for op in operations)
    )


def _of_environment(
    assessed: Assessed, operations: Operations, lines: set[str], *, how: str
) -> list[str]:
    """Return the shape of reading the project's own `.env` files, [] for anything else."""
    project = assessed.facts.project
    if not project or lines != {ENVIRONMENT_LINE}:
        return []
    if not all(_is_own_environment(op, project) for op in operations):
        return []
    return ["environment", project, "reading the project's `.env` files", how]


def _is_own_environment(op: Operation, project: str) -> bool:
    """Tell whether an operation reads a `.env` of the project, or an ordinary file in it."""
    if op.verb is not Verb.READ or op.reach is not Reach.PROJECT or not _is_below(op.path, project):
        return False
    if op.file_kind is not FileKind.ENV:
        return op.file_kind in ALIKE_KINDS and op.traits <= {Trait.NAMED}
    is_live = LIVE.search(posixpath.basename(op.target))
    return op.traits <= ENVIRONMENT_TRAITS and not is_live


def _of_files(assessed: Assessed, operations: Operations) -> list[str]:
    """Return the shape of a file tool's call."""
    action, home = assessed.action, assessed.facts.home
    places = {_place(op, home) for op in operations}
    if len(places) != 1:
        return []
    place = places.pop()
    what = f"any file of {place}" if place.endswith("/") else place
    return ["file", action.cwd, f"{action.tool} on {what}", *_effects(operations)]


def _of_command(
    action: Action, words: Collection[str], cwd: str, operations: Operations
) -> list[str]:
    """Return the shape of a plain command: its words, with targets by folder or host."""
    if any(op.verb is Verb.PUBLISH and Trait.FORCED in op.traits for op in operations):
        plain = [word for word in words if not word.startswith("-")]
        if len(plain) <= FORCED_PUSH_WORDS:
            return []  # which branch it is hangs on where the work tree stands
    kinds = {target: _class(op) for op in operations for target in (op.target, op.path) if target}
    # Options stay as they stand: `-f` or `--all` more is another call.
    shaped = [kinds.get(_absolute(word, cwd), kinds.get(word, word)) for word in words]
    said = " ".join(word if BARE.fullmatch(word) else _quoted(word, kinds) for word in shaped)
    return ["command", cwd, said, action.tool, *_effects(operations)]


def _of_tool(action: Action, operations: Operations, lines: set[str]) -> list[str]:
    """Return the shape of any other tool's call: the same arguments, but for texts of messages."""
    is_talk = _only_talks(operations, lines) and action.kind is ActionKind.TOOL
    same = {
        name: value
        for name, value in action.arguments.items()
        if not is_talk
        or not (
            (name in TEXTS and isinstance(value, str))
            or (name in NUMBERS and isinstance(value, int | str))
        )
    }
    text = json.dumps(same, sort_keys=True)
    how = "with any text" if len(same) < len(action.arguments) else "exactly as here"
    said = f"{action.tool} {text if len(text) <= WORDS_LIMIT else ''} {how}"
    return ["tool", action.cwd, " ".join(said.split()), text, *_effects(operations)]


def _effects(operations: Iterable[Operation]) -> list[str]:
    """Return what operations do, apart from the single targets."""
    return sorted(
        {
            f"{op.verb.value} {op.thing.value} {op.reach.value} {op.file_kind.value}"
            f" {op.reversible} {','.join(sorted(op.traits))}"
            for op in operations
        }
    )


def _is_quiet(operation: Operation, program: str) -> bool:
    """Tell whether an operation only belongs to how a line is written: here-document, `tail`."""
    name = operation.program
    is_plain = operation.verb is Verb.READ and not operation.path and not operation.traits
    return name in QUIET_PROGRAMS and name != program and is_plain


def _is_own_file(action: Action, operation: Operation) -> bool:
    """Tell whether a file tool itself reads or writes one file."""
    is_file = operation.verb in (Verb.READ, Verb.WRITE) and bool(operation.path)
    return is_file and operation.program == action.tool and operation.thing is Kind.FILE


def _place(operation: Operation, home: str) -> str:
    """Return the folder whose files are alike for a file tool, else the file itself."""
    folder = posixpath.dirname(operation.path)
    # Neighbours of a file in `/` or in the home folder are no files of one piece of work.
    is_wide = operation.traits & WHOLE_TRAITS or posixpath.dirname(folder) == folder
    if operation.file_kind not in ALIKE_KINDS or is_wide or not folder or folder == home:
        return operation.path
    return f"{folder}/"


def _class(operation: Operation) -> str:
    """Return what stands for a target: its folder, its host, else the target itself."""
    if "://" in operation.target:
        scheme, _, rest = operation.target.partition("://")
        return f"<{scheme}://{rest.partition('/')[0]}>"
    is_alike = operation.file_kind in ALIKE_KINDS and not operation.traits & WHOLE_TRAITS
    if operation.path and is_alike:
        return f"<{posixpath.dirname(operation.path)}/>"
    return operation.path or operation.target


def _quoted(word: str, classes: dict[str, str]) -> str:
    """Return a word that no other word and no folder can be taken for."""
    return word if word in classes.values() else json.dumps(word)


def _is_below(path: str, folder: str) -> bool:
    return path.startswith(f"{folder.rstrip('/')}/")


def _absolute(word: str, cwd: str) -> str:
    """Return a word as the absolute path it would be."""
    return posixpath.normpath(posixpath.join(cwd, word)) if cwd else word
