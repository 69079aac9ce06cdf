"""What the JSON object around a member is: a block of code, a message of a talk, a file.

An object is one of these only if all its members are known: none is added to excuse another.

    around_members({"role": "user", "content": "Hi"}, "messages", Around.LIST)  ->  Around.MESSAGE
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum

from msgspec import Struct

from signoff.actions.action import Json
from signoff.actions.vocabulary import lazy_re, words
from signoff.assess.contexts.objects.code_blocks import are_files, is_own_block
from signoff.assess.contexts.objects.tool_calls import is_tool_call


class Around(Enum):
    """The kind of JSON object that a member is in."""

    __hash__ = object.__hash__  # that of `Enum` is written in Python

    NOTHING = 0
    LIST = 1
    CODE_BLOCK = 2  # of a rich document
    CELL = 3  # of a notebook
    MESSAGE = 4  # of a talk with a model
    SOURCE = 5  # a file of a commit
    CONTAINER = 6  # what Docker is to start
    FRAME = 7  # of a stack trace, or a remark on a line of source
    MANIFEST = 8  # of a version of a package
    SCRIPTS = 9  # what a package runs where it is built
    PROGRAM = 10  # handed in beside the name of its language, to be run or judged
    FILES = 11  # of a paste, each by its name
    TOOL_CALL = 12  # of a model, as the talk with it holds one
    CHECKS = 14  # programs of a collection of requests, which run where it is opened
    OWN_BLOCK = 13  # of a rich document whose type is the name of the member with its content


class _DocumentBlock(Struct, frozen=True):
    """An object of a document: the list it stands in, all the members it may have, one of each.

    The name of the list is the application's, so that a caller cannot make its own object of
    another list a block by a member more.
    """

    around: Around
    lists: frozenset[str]
    members: frozenset[str]
    needs: tuple[frozenset[str], ...] = ()
    named: str = ""  # the member that says what it is, and what it may say
    names: frozenset[str] = frozenset()


_OF_CONTAINERS = words(
    "name image command args env envFrom ports resources volumeMounts workingDir imagePullPolicy"
    " livenessProbe readinessProbe startupProbe lifecycle securityContext stdin tty restartPolicy"
    " terminationMessagePath terminationMessagePolicy volumeDevices"
)
_OF_PROGRAMS = words(
    "lang language compiler source code source_code typed_code problem problem_id question_id task"
    " task_id contest contest_id exercise exercise_id stdin input data_input test_input file_name"
    " version judge_type"
)
_LANGUAGE = lazy_re(
    r"(?:c|c\+\+|cpp|csharp|c#|java|kotlin|python|pypy|py|ruby|rust|go|golang|haskell|scala|swift|perl"
    r"|bash|sh|shell|lua|julia|ocaml|fortran|pascal|dart|elixir|erlang|typescript|javascript|node|php"
    r"|r|sql|mysql|postgresql)[\d. _-]{0,8}"
)
_LASTING = frozenset({Around.CODE_BLOCK, Around.MESSAGE, Around.TOOL_CALL, Around.CHECKS})
_LISTS_OF_TEXT = frozenset({"content", "children"})
_SEPARATORS = lazy_re(r"[_-]")
_BLOCKS = (
    _DocumentBlock(
        Around.CODE_BLOCK,
        words("content children blocks nodes body document value"),
        words(
            "type attrs content text code children language lang marks id key version data format"
            " direction indent props"
        ),
        named="type",
        names=words("codeblock"),
    ),
    _DocumentBlock(
        Around.CELL,
        words("cells"),
        words("cell_type source outputs metadata execution_count id attachments"),
        named="cell_type",
        names=words("code markdown raw"),
    ),
    _DocumentBlock(
        Around.MESSAGE,
        words("messages input"),
        words("role content name tool_calls tool_call_id refusal cache_control type"),
        named="role",
        names=words("system developer user assistant tool"),
    ),
    _DocumentBlock(
        Around.MESSAGE,
        words("messages"),
        words("id author content status metadata create_time recipient channel weight end_turn"),
        (words("author"), words("content")),
    ),
    _DocumentBlock(
        Around.CHECKS,
        words("event"),
        words("listen script disabled id"),
        named="listen",
        names=words("prerequest test"),
    ),
    _DocumentBlock(
        Around.FRAME,
        words("stack frames stacktrace trace annotations"),
        words(
            "file filename path abs_path line lineno column colno code context_line function module"
            " method class_name start_line end_line annotation_level message raw_details title"
            " in_app"
        ),
        (words("line lineno start_line raw_details"), words("file filename path abs_path")),
    ),
    _DocumentBlock(
        Around.SOURCE,
        words("actions files tree changes"),
        words(
            "action file_path path previous_path content encoding mode type sha filename language"
            " last_commit_id execute_filemode"
        ),
        (words("file_path path filename"),),
    ),
)


# Each look at a member of an enumeration costs on Python 3.11.
_NOTHING, _LIST = Around.NOTHING, Around.LIST
# Without one of these an object is neither a container nor a program.
_TELLING = words("Image command args lang language compiler")


def around_members(node: Mapping[str, Json], name: str, around: Around) -> Around:
    """Return the kind of surroundings that the members of an object have.

    Args:
        name: name of the list or member that holds the object.
        around: surroundings of the object itself.
    """
    if (inherited := _inherited(node, name, around)) is not None:
        return inherited
    if around is Around.MANIFEST and name == "scripts":
        return Around.SCRIPTS
    if "scripts" in node and isinstance(node.get("dist"), Mapping):
        return Around.MANIFEST
    return _by_members(node, name, around)


def _inherited(node: Mapping[str, Json], name: str, around: Around) -> Around | None:
    """Return what an object is because of what it stands in, None for one that says it itself."""
    if around is Around.MESSAGE and is_tool_call(node):
        return Around.TOOL_CALL
    if around in _LASTING:
        return around
    if around is Around.OWN_BLOCK and name == "code":
        return Around.CODE_BLOCK
    return Around.SOURCE if around is Around.FILES else None


def _by_members(node: Mapping[str, Json], name: str, around: Around) -> Around:
    """Return what an object is by its members."""
    if name == "files" and are_files(node):
        return Around.FILES
    if _TELLING.isdisjoint(node):
        return _of_list(node, name) if around is _LIST else _NOTHING
    if (isinstance(node.get("Image"), str) and "Cmd" in node) or _is_container(node, name):
        return Around.CONTAINER
    if around is _NOTHING and _is_program(node):
        return Around.PROGRAM
    return _of_list(node, name) if around is _LIST else _NOTHING


def _of_list(node: Mapping[str, Json], name: str) -> Around:
    if name in _LISTS_OF_TEXT and _is_marked_code(node):
        return Around.CODE_BLOCK
    if name in _LISTS_OF_TEXT and is_own_block(node):
        return Around.OWN_BLOCK
    return next((one.around for one in _BLOCKS if _is_block(one, node, name)), Around.NOTHING)


def _is_container(node: Mapping[str, Json], name: str) -> bool:
    """Return whether an object is a container of Kubernetes, or the probe of one."""
    lists = [node[one] for one in ("command", "args") if one in node]
    if not lists or not all(isinstance(one, (list, tuple)) for one in lists):
        return False
    if name == "exec":
        return node.keys() == {"command"}
    is_named = name == "container" or isinstance(node.get("name"), str)
    return is_named and isinstance(node.get("image"), str) and node.keys() <= _OF_CONTAINERS


def _is_program(node: Mapping[str, Json]) -> bool:
    """Return whether an object is a program with the name of its language, and no more."""
    languages = [node[one] for one in ("lang", "language", "compiler") if one in node]
    said = languages[0] if len(languages) == 1 else None
    is_known = isinstance(said, str) and _LANGUAGE.fullmatch(said.lower()) is not None
    return is_known and node.keys() <= _OF_PROGRAMS


def _is_marked_code(node: Mapping[str, Json]) -> bool:
    """Return whether a piece of text of a rich document is marked as code, and is no more."""
    marks = node.get("marks")
    if isinstance(marks, (list, tuple)):
        is_code = any(isinstance(one, Mapping) and one.get("type") == "code" for one in marks)
        return is_code and node.keys() <= {"type", "text", "marks"}
    return node.get("code") is True and node.keys() <= {"text", "code", "bold", "italic"}


def _is_block(block: _DocumentBlock, node: Mapping[str, Json], name: str) -> bool:
    if name not in block.lists or not node.keys() <= block.members:
        return False
    said = node.get(block.named)
    plain = _SEPARATORS.sub("", said).lower() if isinstance(said, str) else ""
    is_named = not block.named or plain in block.names
    return is_named and not any(one.isdisjoint(node) for one in block.needs)
