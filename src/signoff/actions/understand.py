"""Any call into Operations: the one entrance to the first stage.

Dispatch is by tool name; what looks like a known tool under another spelling is not trusted to
be it. A tool nobody knows is judged by its name and arguments like an MCP tool, and texts in its
arguments that are commands, SQL or code are taken apart as such.

    understand(Action(tool="Bash", arguments={"command": "rm -rf build"}), Facts())
        -> Understanding(operations=(DELETE file build, project, rebuildable), ...)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache, lru_cache, partial

from msgspec import Struct

from signoff.actions.action import Action, ActionKind
from signoff.actions.code.reading import is_query
from signoff.actions.contents.starting.package_sources import from_named_sources
from signoff.actions.contents.starting.unread_modules import marked_modules
from signoff.actions.contents.taken.unchanged import new_operations
from signoff.actions.facts import Facts
from signoff.actions.lexicon.unicode_forms import is_plain_name
from signoff.actions.looking.scripts import without_names
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
from signoff.actions.place import Place, is_on_drive
from signoff.actions.shell.command import Command
from signoff.actions.shell.meaning import (
    code_operations,
    lines_run_later,
    sql_operations,
    understand_shell,
)
from signoff.actions.shell.owned.own_keys import without_own_keys
from signoff.actions.shell.self_test import check_shell
from signoff.actions.shell.written_files import run_at_once
from signoff.actions.sql.self_test import check_sql
from signoff.actions.tools.files import FILE_TOOLS, changes_of, understand_file_tool
from signoff.actions.tools.functions import understand_function
from signoff.actions.tools.later_lines import lines_run_elsewhere
from signoff.actions.tools.mcp import understand_mcp
from signoff.actions.tools.naming.circumstances import circumstances_of
from signoff.actions.tools.naming.contents import embedded
from signoff.actions.tools.naming.embedded.pipelines import written_by
from signoff.actions.tools.naming.servers import split_tool
from signoff.actions.tools.naming.trials.environments import (
    at_near_server,
    at_stand_in,
    is_unread,
)
from signoff.actions.tools.naming.trials.held_back import held_back
from signoff.actions.tools.naming.trials.home_services import at_home
from signoff.actions.tools.naming.trials.rehearsals import rehearsed
from signoff.actions.tools.sent_files import (
    placed,
    with_recipients,
    with_sent_results,
    with_sent_secrets,
)
from signoff.actions.tools.shell_tool_names import POWERSHELL_TOOLS, SHELL_TOOLS
from signoff.actions.tools.web import WEB_TOOLS, request_operation, understand_web_tool
from signoff.actions.vocabulary import words
from signoff.actions.windows.forms import plain_files, plain_folder, respelled
from signoff.values import replace

SHELL_FIELDS = frozenset({"command", "description", "timeout", "run_in_background"})
EXTRA_SHELL_FIELDS = frozenset(
    {"workdir", "cwd", "directory", "shell", "dangerouslyDisableSandbox", "sandbox", "restart"}
)
KNOWN_SHELL_FIELDS = SHELL_FIELDS | EXTRA_SHELL_FIELDS
INERT_TOOLS = words(
    "TodoWrite TodoRead Task Agent TaskCreate TaskUpdate TaskList TaskGet TaskOutput TaskStop "
    "BashOutput KillShell KillBash ExitPlanMode EnterPlanMode AskUserQuestion ToolSearch Skill "
    "SlashCommand ListMcpResourcesTool ReadMcpResourceTool StructuredOutput LSP"
)

# What a host offers itself: every other name is that of a service or a function.
HOST_TOOLS = SHELL_TOOLS | POWERSHELL_TOOLS | INERT_TOOLS | FILE_TOOLS | WEB_TOOLS


class Understanding(Struct, frozen=True, gc=False):
    """What a call does, and the shell commands it was read from, if any."""

    operations: Operations
    commands: tuple[Command, ...] = ()


def place_of(action: Action, facts: Facts) -> Place:
    """Return the folders in force for a call; unknown ones are derived from the cwd."""
    cwd = _cwd_of(action, facts)
    home = facts.home or _home_of(cwd)
    project = facts.project or (cwd if cwd not in {"/", home} else cwd.rstrip("/") + "/.")
    place = Place(
        cwd=cwd,
        home=home,
        project=project,
        under_version_control=facts.under_version_control,
        guard_paths=facts.guard_paths,
        files=facts.files,
        facts=facts,
    )
    return _in_one_form(place) if place.is_on_windows else place


def _in_one_form(place: Place) -> Place:
    """Write the folders of Windows as paths are written when they are judged."""
    project, home = plain_folder(place.project), plain_folder(place.home)
    return replace(
        place,
        project=project,
        home=home,
        cwd=respelled(plain_folder(place.cwd), (project, home)),
        guard_paths=tuple(map(plain_folder, place.guard_paths)),
        files=plain_files(place.files, (project, home)) if place.files else place.files,
    )


def home_of(action: Action, facts: Facts) -> str:
    """Return the home folder in force for a call, derived from the cwd where it is unknown."""
    return facts.home or _home_of(_cwd_of(action, facts))


def _cwd_of(action: Action, facts: Facts) -> str:
    return action.cwd or facts.project or "/home/user/project"


@lru_cache(maxsize=256)
def _home_of(cwd: str) -> str:
    parts = cwd.split("/")
    # The first part is "" or, on Windows, a drive.
    is_home = parts[1:2] in (["home"], ["Users"]) or (
        is_on_drive(cwd) and parts[1:2] and parts[1].lower() == "users"
    )
    if len(parts) > 2 and is_home and parts[2]:
        return f"{parts[0]}/{parts[1]}/{parts[2]}"
    return "/root" if cwd == "/root" or cwd.startswith("/root/") else "/home/user"


@cache
def check_readers() -> None:
    """Run the self-tests of the main parsers, once per process; others are tested on loading.

    The result is not stored on disk: the test takes 3 ms, and a stored result could be forged.

    Raises:
        BrokenReader: a parser failed, so nothing may be judged.
    """
    check_shell()
    check_sql()


def understand(action: Action, facts: Facts) -> Understanding:
    """Parse a call into Operations. Whatever a caller sends, it does not raise.

    What cannot be understood is an Operation with `understood=False`.
    """
    place = place_of(action, facts)
    match action.kind:
        case ActionKind.TOOL:
            understanding = _understand_tool(action, place)
            if understanding.operations:
                commands = understanding.commands
                operations = without_own_keys(understanding.operations, commands, place)
                operations = _in_environment(operations, action)
                if operations is understanding.operations:
                    return understanding
                return Understanding(operations, commands)
            return Understanding((_nothing_understood(action),))
        case ActionKind.FUNCTION:
            named = (_by_name(op) for op in understand_function(action, place))
            operations = (
                *with_recipients(tuple(named), action),
                *_embedded_operations(action, place),
            )
            return Understanding(_in_environment(operations, action))
        case ActionKind.HTTP_REQUEST:
            return Understanding((_arriving_request(action),))
        case ActionKind.RESULT:
            return Understanding((Operation(verb=Verb.INERT, program=action.tool[:80]),))


def _arriving_request(action: Action) -> Operation:
    """A request to the application itself: by its method it reads or writes there."""
    reading = action.text("method").upper() in {"GET", "HEAD", "OPTIONS", ""}
    return Operation(
        verb=Verb.READ if reading else Verb.WRITE,
        thing=ResourceType.URL,
        target=action.text("path")[:200],
        reach=Reach.LOOPBACK,
        program=action.text("method")[:20] or "request",
    )


def _by_name(op: Operation) -> Operation:
    if op.path and Trait.SENDS_SECRET in op.traits:
        return op  # an argument says which file leaves, not the name
    traits = op.traits | {Trait.BY_NAME}
    if op.verb is Verb.READ and op.file_kind in {FileKind.CREDENTIALS, FileKind.ENV}:
        traits = op.traits | {Trait.READS_SECRET}  # the path says it, not the name
    return replace(op, traits=traits)


def _understand_tool(action: Action, place: Place) -> Understanding:
    tool = action.tool
    if tool in SHELL_TOOLS:
        return _understand_shell_tool(action, place)
    if tool in POWERSHELL_TOOLS:
        text = action.text("command")
        found = (*code_operations(text, "powershell", place), *run_at_once(text, "powershell"))
        return Understanding(marked_modules(found, place.facts))
    for names, understand_it in _TABLE:
        if tool in names:
            return Understanding(understand_it(action, place))
    if tool in INERT_TOOLS:
        return Understanding((Operation(verb=Verb.INERT, program=tool),))
    return _understand_unknown(action, place)


def _understand_shell_tool(action: Action, place: Place) -> Understanding:
    text = action.text("command")
    found = understand_shell(text, place) if text.strip() else None
    operations = found.operations if found else ()
    operations = from_named_sources(operations, text, place.facts)
    if not KNOWN_SHELL_FIELDS.issuperset(action.arguments):
        extra = action.arguments.keys() - KNOWN_SHELL_FIELDS
        why = f"the shell tool has no field {', '.join(sorted(extra))[:80]}"
        operations = (*operations, *_embedded_operations(action, place), _opaque(action, why))
    elif found is None:
        operations = (_opaque(action, "the shell tool was called without a command"),)
    elif not operations:  # every part was read, none does anything: comments, plain assignments
        operations = (Operation(verb=Verb.INERT, program=action.tool),)
    return Understanding(operations, found.commands if found else ())


def _understand_files(action: Action, place: Place) -> Operations:
    """File tools, with the shell lines that the new content would run by itself."""
    operations = placed(understand_file_tool(action, place), action)
    operations = without_names(operations, changes_of(action, place), place)
    return (*operations, *_lines_in_content(action, place))


def _lines_in_content(action: Action, place: Place) -> Iterator[Operation]:
    if action.text("cell_type") in _TEXT_CELLS:
        return
    for change in changes_of(action, place):
        read = partial(lines_run_later, where=change.where, place=place)
        yield from new_operations(change.text, change.where.path, read)
        if action.tool == "NotebookEdit" and change.text.new:
            yield from code_operations(_cell_code(change.text.new), "python", place)


_TEXT_CELLS = frozenset({"markdown", "raw"})


def _cell_code(text: str) -> str:
    """A notebook cell without the lines that go to the shell or to the notebook itself."""
    lines = text.splitlines()
    return "\n".join("pass" if line.lstrip()[:1] in {"!", "%"} else line for line in lines)


def _understand_unknown(action: Action, place: Place) -> Understanding:
    operations = tuple(_unbounded(op) for op in understand_mcp(action, place))
    operations = with_sent_results(with_recipients(operations, action), action)
    operations = with_sent_secrets(operations, action, place)
    operations = rehearsed(operations, action.arguments, action.tool)
    operations = at_near_server(operations, action.arguments, action.tool)
    elsewhere = (*written_by(action), *_run_elsewhere(action, place))
    inner = (*_embedded_operations(action, place), *elsewhere)
    if not any([op.verb is Verb.EXECUTE or not op.understood for op in inner]):
        operations = at_stand_in(operations, action.arguments, action.tool)
        operations = held_back(operations, action.arguments, action.tool)
        operations = at_home(operations, action.arguments, action.tool)
    if not action.tool.isascii() and not is_plain_name(action.tool):
        inner = (*inner, _opaque(action, "the tool's name has look-alike letters", Trait.HIDDEN))
    return Understanding((*_without_runner(operations, inner, action), *inner))


# Names of tools that hand what they are given to a store or a program, in its own language.
_HANDS_ON = words("db database sql query cli console")
_LOOKS = frozenset({Verb.READ, Verb.INERT, Verb.NETWORK_IN})


def _without_runner(operations: Operations, inner: Operations, action: Action) -> Operations:
    """Leave out a tool that nobody knows where it only hands on what looks.

    `wp_cli {"command": "wp core check-update"}`, `stable_db {"statement": "select ..."}`.
    """
    if not inner or not all([op.understood and op.verb in _LOOKS for op in inner]):
        return operations
    own = split_tool(action.tool).words
    pieces = [one for one in embedded(action) if one[0] not in ("url", "path") and one[1].strip()]
    if not pieces or not own or own[-1] not in _HANDS_ON or len(own) > _SHORT_NAME:
        return operations
    # A line names the program that the tool is named after; a query can only go to a store.
    if not all([is_query(kind) or _starts_with(text, own[0]) for kind, text in pieces]):
        return operations
    return tuple([op for op in operations if not is_unread(op)])


def _starts_with(line: str, program: str) -> bool:
    return line.split(maxsplit=1)[0].lower() == program


_SHORT_NAME = 2
_UNREAD = frozenset({Trait.REMOTE_CODE, Trait.REVERSE_SHELL, Trait.DECODED, Trait.SENDS_SECRET})


def _run_elsewhere(action: Action, place: Place) -> Iterator[Operation]:
    """What a script for other machines fetches and runs, or opens; their files are theirs."""
    for text in lines_run_elsewhere(action):
        for op in understand_shell(text, place, carriers=(action.tool,)).operations:
            if not _UNREAD.isdisjoint(op.traits):
                yield replace(op, traits=op.traits | {Trait.RUNS_LATER})


def _unbounded(op: Operation) -> Operation:
    """A tool that deletes in a database without a statement: its bound is unknown."""
    if op.verb is Verb.DELETE and op.thing is ResourceType.DATABASE:
        return replace(op, traits=op.traits | {Trait.UNBOUNDED}, reversible=False)
    return op


def _embedded_operations(action: Action, place: Place) -> Iterator[Operation]:
    """Take apart commands, SQL, code and addresses found in arguments."""
    pieces = embedded(action)
    if not pieces:
        return
    is_production = circumstances_of(action).is_production
    environment = "production" if is_production else action.environment
    for kind, text in pieces:
        if kind == "shell":
            yield from understand_shell(text, place, carriers=(action.tool,)).operations
        elif kind == "sql":
            yield from sql_operations(text, place, environment=environment, program=action.tool)
        elif kind == "url":
            yield request_operation(text, place=place, program=action.tool)
        elif kind != "path":
            yield from code_operations(text, kind, place, environment=environment)
            yield from run_at_once(text, action.tool[:80])


def _in_environment(operations: Operations, action: Action) -> Operations:
    """What acts on something in production reaches production."""
    if action.environment not in {"production", "prod"}:
        return operations
    return tuple(
        replace(op, reach=Reach.PRODUCTION)
        if op.reach in {Reach.REMOTE, Reach.UNKNOWN}
        or (op.thing is ResourceType.DATABASE and op.reach is Reach.PROJECT)
        else op
        for op in operations
    )


def _nothing_understood(action: Action) -> Operation:
    return _opaque(action, "nothing is known of this tool")


def _opaque(action: Action, why: str, *traits: Trait) -> Operation:
    return Operation(
        verb=Verb.EXECUTE,
        thing=ResourceType.CODE,
        target=action.tool[:80],
        reach=Reach.UNKNOWN,
        traits=frozenset(traits),
        reversible=False,
        understood=False,
        program=action.tool[:80],
        why=why,
    )


_TABLE: tuple[tuple[frozenset[str], Callable[[Action, Place], Operations]], ...] = (
    (frozenset(FILE_TOOLS), _understand_files),
    (frozenset(WEB_TOOLS), understand_web_tool),
)

__all__ = ["Understanding", "locate", "place_of", "understand"]
