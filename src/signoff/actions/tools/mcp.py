"""What an MCP tool call does: `mcp__server__tool` and its arguments -> Operations.

The name is the best that is known of a foreign tool: its leading verb, its last noun, and what
kind of server it belongs to. Arguments widen it (production, everybody, everything, public).
Annotations and the description are the server's own words: they only ever make it worse. A
name without a known verb is not understood.

Code, commands and SQL among the arguments are not judged here: `contents.embedded` hands them
out, and the Operations of a tool that only runs them are those of what it runs. So an empty
answer means that there are such pieces, never that nothing happens.

    mcp__github__merge_pull_request      -> PUBLISH, REMOTE
    mcp__slack__post_message             -> NETWORK_OUT a message, REMOTE
    mcp__postgres__query {"sql": ...}    -> (), the statement is in `embedded`
"""

from __future__ import annotations

from itertools import islice

from msgspec import Struct

from signoff.actions.action import Action
from signoff.actions.code.queries.names import QUERY_WORDS
from signoff.actions.code.reading import is_query
from signoff.actions.lexicon.heads import looks
from signoff.actions.lexicon.names import NAME_SAYS_NOTHING, split_words, vocabulary
from signoff.actions.lexicon.objects import IN_PROCESS, thing_of
from signoff.actions.lexicon.verbs import CARE, Lead, lead_verb, verb_of_sentence
from signoff.actions.operation import Operation, Operations, Reach, ResourceType, Trait, Verb
from signoff.actions.paths import locate
from signoff.actions.place import Place
from signoff.actions.tools.container_tools import rights_given
from signoff.actions.tools.dispatch import dispatched, http_operation
from signoff.actions.tools.naming.circumstances import Circumstances, circumstances_of
from signoff.actions.tools.naming.contents import (
    Piece,
    argument_words,
    embedded,
    is_cut,
    strings_of,
)
from signoff.actions.tools.naming.documents import edits_document
from signoff.actions.tools.naming.effects import GRAVE_ACTS, LOOKING, ToolReading, effect, raised
from signoff.actions.tools.naming.languages.foreign import overruled
from signoff.actions.tools.naming.languages.readings import reading_of
from signoff.actions.tools.naming.named_object import named_object
from signoff.actions.tools.naming.servers import (
    LOCAL,
    READ_NOUNS,
    THINGS,
    ServerKind,
    Tool,
    asked_lead,
    only_runs,
    split_tool,
)
from signoff.actions.tools.naming.trials.saved_files import saved_file, saved_to
from signoff.actions.tools.page_scripts import of_script
from signoff.actions.tools.sent_files import placed, reach_of_url, secrets_named, sent_to
from signoff.actions.wording.calls.reading import with_words
from signoff.values import replace

_IN_ONE = frozenset({Trait.BULK})
_TELLING_NAMES = ("name", "id", "title", "to", "channel", "repo", "key", "path", "url", "query")
_GRAVE_BUTTONS = GRAVE_ACTS - {Verb.NETWORK_OUT}  # a button SEND is on nearly every page
# A click on a field puts the cursor there, whatever its label says: `Delete reason input`.
_FIELDS = (("input",), ("field",), ("textbox",), ("checkbox",), ("tab",), ("dropdown",), ("label",))
_CHECKS = frozenset({"test", "tests", "lint", "build", "typecheck", "format", "diagnostics"})
# Servers whose tools run shell lines, whatever the tool's name.
_RUNNING = frozenset({ServerKind.SHELL, ServerKind.CONTAINER, ServerKind.CLUSTER})
_PROJECTS_ARE_REPOSITORIES = frozenset({"gitlab", "bitbucket", "gitea", "forgejo"})
_SHOWING = frozenset({ServerKind.SHELL, ServerKind.BROWSER, ServerKind.EDITOR})
# Words of tools that only hand on the query they are given.
_QUERY_TOOLS = QUERY_WORDS | vocabulary("query queries sql cql search pg statement hunt hunting")


class McpCall(Struct, frozen=True, gc=False):
    """An MCP call, with everything derived from it."""

    action: Action
    tool: Tool
    lead: Lead
    circumstances: Circumstances
    pieces: tuple[Piece, ...]


def understand_mcp(action: Action, place: Place | None = None) -> Operations:
    """Return the Operations of an MCP call; without a place, its paths stay unresolved.

    () only if `embedded` returns code that says what the call does.
    """
    tool = dispatched(action, split_tool(action.tool))
    pieces = embedded(action)
    operations = with_words(_operations(action, tool, pieces, place), action, tool.words)
    rest: Operations = (_opaque(action, "more than can be read"),) if is_cut(action) else ()
    paths = tuple(text for kind, text in pieces if kind == "path")
    rights = rights_given(action) if tool.kind is ServerKind.CONTAINER else ()
    return (*operations, *rights, *secrets_named(action, operations, paths, place), *rest)


def _operations(
    action: Action, tool: Tool, pieces: tuple[Piece, ...], place: Place | None
) -> Operations:
    """Read the call by what the tool is for."""
    # First: where a method and a path are given, `request` or `call` in the name says less.
    request = http_operation(action, tool)
    if request is not None:
        return (request,)
    lead = overruled(action, tool, _lead(tool))
    lead = looks(tool.words, lead, argument_words(action)) or lead or reading_of(action)
    if _is_carrier(action, tool, lead, pieces):
        return _of_javascript(action, tool, pieces)
    kinds = {kind for kind, _ in pieces} - {"path", "url"}
    is_line = not kinds.isdisjoint(("shell", "powershell")) and tool.kind not in _RUNNING
    is_started = bool(kinds) and lead is not None and lead.verb is Verb.EXECUTE
    is_foreign = is_line or (is_started and tool.kind is ServerKind.OTHER)
    is_foreign = is_foreign and not _is_known_runner(action, tool)
    if lead is None or is_foreign or _runs_unread(tool, lead, pieces):
        return (_unknown(action, tool),)
    call = McpCall(action, tool, raised(action, lead), circumstances_of(action), pieces)
    return _of_call(call, place)


def _lead(tool: Tool) -> Lead | None:
    """Return the leading verb; a plural noun alone on a known server is read: `logs`."""
    lead = lead_verb(tool.words) or asked_lead(tool)
    if lead is None and tool.kind is not ServerKind.OTHER and tool.words[-1:]:
        at = len(tool.words) - 1
        return Lead(Verb.READ, tool.words[-1], at) if tool.words[-1] in READ_NOUNS else None
    # `capture_screenshot` only looks; with a payment service `capture` takes the money.
    if lead is not None and lead.word == "capture" and tool.kind in _SHOWING:
        return replace(lead, verb=Verb.READ)
    # What runs a query on a service of maps or knowledge asks it.
    is_run = lead is not None and lead.verb is Verb.EXECUTE and "query" in tool.words
    if lead is not None and is_run and tool.kind is ServerKind.WEB:
        return replace(lead, verb=Verb.READ)
    return lead


def _is_known_runner(action: Action, tool: Tool) -> bool:
    """Tell a tool whose name says no more than that it runs something."""
    return only_runs(tool, is_production=circumstances_of(action).is_production)


def _is_carrier(action: Action, tool: Tool, lead: Lead | None, pieces: tuple[Piece, ...]) -> bool:
    """Tell a tool that only runs what it is given."""
    kinds = {kind for kind, _ in pieces} - {"path", "url"}
    if not kinds:
        return False
    runs = lead is None or lead.verb in (Verb.EXECUTE, Verb.READ, Verb.INERT, Verb.CONTROL)
    if runs and all(map(is_query, kinds)) and not _QUERY_TOOLS.isdisjoint(tool.words):
        return True
    is_line = not kinds.isdisjoint(("shell", "powershell"))
    # A line of a shell in a tool that is not known to run lines may mean anything to it.
    if runs and is_line and tool.kind not in _RUNNING:
        return _is_known_runner(action, tool)
    if tool.kind is ServerKind.OTHER and (lead is None or lead.verb is Verb.EXECUTE):
        return _is_known_runner(action, tool)
    runs = runs and (lead is None or lead.verb is not Verb.CONTROL)
    return runs or tool.kind in (ServerKind.SHELL, ServerKind.DATABASE, ServerKind.BROWSER)


def _runs_unread(tool: Tool, lead: Lead, pieces: tuple[Piece, ...]) -> bool:
    """Tell a tool that runs something which could not be read from its arguments."""
    if lead.verb is not Verb.EXECUTE or pieces or _CHECKS & set(tool.words):
        return False
    thing, _ = thing_of(tool.words)
    return tool.kind in LOCAL or thing in (
        ResourceType.CODE,
        ResourceType.NOTHING,
        ResourceType.PROCESS,
    )


def _of_call(call: McpCall, place: Place | None) -> Operations:
    """Choose the reading by the kind of server."""
    paths = tuple(text for kind, text in call.pieces if kind == "path")
    urls = tuple(text for kind, text in call.pieces if kind == "url")
    kind = call.tool.kind
    # What the server itself says of its tool is never made milder.
    saved = "" if call.lead.verb in GRAVE_ACTS else saved_to(call.action, call.lead)
    if saved:
        looked_at = replace(call, lead=replace(call.lead, verb=Verb.READ))
        return (_of_service(looked_at), saved_file(saved, call.action.tool, place))
    thing, _ = thing_of(call.tool.words)
    is_file_server = kind in (ServerKind.FILES, ServerKind.EDITOR)
    is_about_files = thing is ResourceType.FILE or "local" in call.tool.words
    is_about_files = is_about_files or call.lead.verb is Verb.DELETE
    if not urls and not call.circumstances.is_production:
        is_about_files = is_about_files or edits_document(paths, call.action.arguments, call.lead)
    if paths and (is_file_server or (kind is ServerKind.OTHER and is_about_files)):
        found = placed(tuple(_of_path(call, path, place) for path in paths), call.action)
        return sent_to(found, reach_of_url(urls[0])) if urls else found
    if kind is ServerKind.GIT:
        return (_of_git(call),)
    if kind is ServerKind.BROWSER or (urls and kind is ServerKind.WEB):
        return (_of_page(call, urls),)
    return (_of_service(call),)


def _of_path(call: McpCall, path: str, place: Place | None) -> Operation:
    """Read a tool that works on files by the path it is given."""
    operation = replace(_plain(call, Reach.PROJECT), thing=ResourceType.FILE, target=path[:500])
    if operation.verb in (Verb.EXECUTE, Verb.INERT):
        operation = replace(operation, verb=Verb.READ, reversible=True)
    if place is None:
        return operation
    located = locate(path, place, has_glob=False)
    is_edit = operation.verb is Verb.WRITE and located.reach is Reach.PROJECT
    is_wide = {Trait.BROAD} if call.lead.verb is Verb.DELETE and located.is_root_of_reach else set()
    return replace(
        operation,
        path=located.path,
        reach=located.reach,
        file_kind=located.kind,
        # Many changes of one file of the project are one edit.
        traits=operation.traits - _IN_ONE if is_edit else operation.traits | is_wide,
        reversible=operation.reversible or located.is_rebuildable,
    )


def _of_git(call: McpCall) -> Operation:
    """Read a tool of a local git repository."""
    words = set(call.tool.words)
    operation = replace(_plain(call, Reach.PROJECT), thing=ResourceType.REPOSITORY)
    texts = [one.lower() for one in strings_of(call.action.arguments)]
    # `mode: "hard"` of a reset is an argument of its own, without dashes.
    is_hard = "--hard" in " ".join(texts)[:2_000] or "hard" in texts
    is_hard = is_hard or call.circumstances.is_forced
    if "push" in words:
        lost = {Trait.FORCED, Trait.LOSES_HISTORY} if is_hard else set()
        verb = Verb.PUBLISH
        return replace(
            operation, verb=verb, reach=Reach.REMOTE, traits=frozenset(lost), reversible=not lost
        )
    if words & {"reset", "clean", "restore", "discard"}:
        # `git reset` without `--hard` keeps the files of the working tree (git-reset manual).
        is_loss = is_hard or "reset" not in words
        lost = {Trait.LOSES_WORK} if is_loss else set()
        verb = Verb.DELETE if is_loss else Verb.WRITE
        return replace(operation, verb=verb, traits=frozenset(lost), reversible=not is_loss)
    # `tag` or `merge`: nothing of a local repository leaves the machine without a push.
    if operation.verb in (Verb.PUBLISH, Verb.NETWORK_OUT):
        return replace(operation, verb=Verb.WRITE, reversible=True)
    return operation


def _of_page(call: McpCall, urls: tuple[str, ...]) -> Operation:
    """Read a tool of a browser or fetcher."""
    reach = reach_of_url(urls[0]) if urls else Reach.NONE
    operation = replace(
        _plain(call, reach),
        target=urls[0][:500] if urls else named_object(call.action, _TELLING_NAMES),
    )
    method = call.action.text("method").upper()
    if method in ("POST", "PUT", "PATCH"):
        return replace(operation, verb=Verb.NETWORK_OUT, thing=ResourceType.URL, reversible=False)
    if method == "DELETE":
        return replace(operation, verb=Verb.DELETE, thing=ResourceType.URL, reversible=False)
    if call.tool.kind is ServerKind.WEB or urls:
        # `request` names HTTP itself; without a method that changes something it only fetches.
        is_sent = call.lead.word != "request" and call.lead.verb in (
            Verb.NETWORK_OUT,
            Verb.DELETE,
            Verb.WRITE,
            Verb.PUBLISH,
        )
        return replace(operation, verb=call.lead.verb if is_sent else Verb.NETWORK_IN)
    return _of_click(call, operation)


def _of_click(call: McpCall, operation: Operation) -> Operation:
    """Read what is done on a page: by what stands on the button, where it says something grave."""
    if {"upload"} & set(call.tool.words):
        sends = frozenset({Trait.SENDS_FILES})
        return replace(operation, verb=Verb.NETWORK_OUT, reach=Reach.REMOTE, traits=sends)
    if call.lead.verb is not Verb.WRITE:
        verb = call.lead.verb if call.lead.verb is Verb.INSTALL else Verb.READ
        return replace(
            operation, verb=verb, thing=ResourceType.URL, reversible=True, traits=frozenset()
        )
    label = call.action.text("element") or call.action.text("text") or call.action.text("selector")
    button = lead_verb(split_words(label[:200]))
    is_grave = button is not None and button.verb in _GRAVE_BUTTONS and button.word != "page"
    is_field = split_words(label[-40:])[-1:] in _FIELDS
    if "click" in call.tool.words and button is not None and is_grave and not is_field:
        return replace(operation, verb=button.verb, reach=Reach.REMOTE, reversible=False)
    return replace(operation, thing=ResourceType.URL, reach=Reach.NONE, reversible=True)


def _of_service(call: McpCall) -> Operation:
    """Read a tool of a service by its verb and noun."""
    words = set(call.tool.words)
    kind = call.tool.kind
    # An entry in one's own calendar reaches nobody else.
    if kind is ServerKind.CALENDAR and not call.circumstances.has_guests:
        # `book` and `invite` sound graver than what they do where nobody is invited.
        is_own = call.lead.verb in (Verb.WRITE, Verb.PERSIST, Verb.SPEND, Verb.NETWORK_OUT)
        operation = _plain(call, Reach.REMOTE)
        if is_own and "share" not in words:
            return replace(operation, verb=Verb.WRITE, reach=Reach.NONE, reversible=True)
        return operation
    if kind is ServerKind.CALENDAR and call.lead.verb not in LOOKING:
        operation = _plain(call, Reach.REMOTE)
        return replace(
            operation, verb=Verb.NETWORK_OUT, thing=ResourceType.MESSAGE, reversible=False
        )
    # A draft reaches nobody until another call sends it, which is judged then.
    if words & {"draft", "drafts"} and not words & {"send", "publish"}:
        operation = _plain(call, Reach.NONE)
        is_looking = operation.verb in LOOKING
        return operation if is_looking else replace(operation, verb=Verb.WRITE, reversible=True)
    is_local = kind in LOCAL or kind is ServerKind.OTHER
    if is_local and _CHECKS & words and call.lead.verb is Verb.EXECUTE:
        return replace(_plain(call, Reach.PROJECT), thing=ResourceType.CODE, reversible=True)
    return _plain(call, _reach_of_server(call))


def _reach_of_server(call: McpCall) -> Reach:
    """Tell how far a server's tools reach."""
    kind = call.tool.kind
    if kind is ServerKind.DATABASE:
        return Reach.LOOPBACK
    if kind in (ServerKind.FILES, ServerKind.EDITOR, ServerKind.CONTAINER):
        return Reach.PROJECT
    if kind in LOCAL:
        return Reach.NONE
    noun = thing_of(call.tool.words)[1]
    return Reach.NONE if kind is ServerKind.OTHER and noun in IN_PROCESS else Reach.REMOTE


def _plain(call: McpCall, reach: Reach) -> Operation:
    """Make the Operation that the name alone tells."""
    words = call.tool.words
    if not _PROJECTS_ARE_REPOSITORIES.isdisjoint(call.tool.server):
        words = tuple(["repository" if word == "project" else word for word in words])
    lead = call.lead
    thing, noun = thing_of(words[: lead.at] + words[lead.at + 1 :])
    if thing is ResourceType.NOTHING or call.tool.kind in (ServerKind.SECRETS, ServerKind.MONEY):
        is_open = thing in (ResourceType.NOTHING, ResourceType.DATABASE)
        thing = THINGS[call.tool.kind] if is_open else thing
    said = ToolReading(
        verb=lead.verb,
        word=lead.word,
        words=words,
        thing=thing,
        noun=noun,
        reach=Reach.NONE if lead.verb is Verb.INERT else reach,
        target=named_object(call.action, _TELLING_NAMES),
        program=call.action.tool,
        source=_source(call.action),
    )
    return effect(said, call.circumstances)


def _of_javascript(action: Action, tool: Tool, pieces: tuple[Piece, ...]) -> Operations:
    """Judge script for a page; nobody else reads that."""
    code = " ".join(text for kind, text in pieces if kind == "javascript").lower()
    if tool.kind is not ServerKind.BROWSER or not code:
        return ()
    return (of_script(action, code, source=_source(action)),)


def _unknown(action: Action, tool: Tool) -> Operation:
    """Build the Operation for a tool whose name says nothing; its description may make it worse."""
    told = verb_of_sentence(action.description)
    verb = told.verb if told and CARE[told.verb] > CARE[Verb.EXECUTE] else Verb.EXECUTE
    thing, _ = thing_of(tool.words)
    unknown = _opaque(action, NAME_SAYS_NOTHING)
    return replace(unknown, verb=verb, thing=thing, reversible=verb is Verb.EXECUTE)


def _opaque(action: Action, why: str) -> Operation:
    return Operation(
        verb=Verb.EXECUTE,
        thing=ResourceType.CODE,
        target=named_object(action, _TELLING_NAMES),
        reach=Reach.UNKNOWN,
        understood=False,
        program=action.tool[:100],
        source=_source(action),
        why=why,
    )


def _source(action: Action) -> str:
    names = ", ".join(name[:30] for name in islice(action.arguments, 6))
    return f"{action.tool[:100]}({names})"[:200]
