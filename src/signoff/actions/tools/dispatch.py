"""Tools that do what an argument names: `call(service, operation)`, `manage(action)`, `request`.

The tool's own name says nothing there, the argument says all. An argument that names a graver
act than the name counts as well; one that names a milder act than a name that tells does not.

    dispatched({"operation": "DeleteBucket"}, aws_call) -> words ("delete", "bucket")
    http_operation(elasticsearch_request DELETE /_all) -> DELETE database, whole store
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice

from signoff.actions.action import Action, Json
from signoff.actions.lexicon.languages.translations import in_english, is_often_noun, names_act
from signoff.actions.lexicon.names import split_words, vocabulary
from signoff.actions.lexicon.objects import THINGS, singular, thing_of
from signoff.actions.lexicon.verbs import CARE, Lead, lead_verb
from signoff.actions.operation import CallWords, Operation, Reach, ResourceType, Trait, Verb
from signoff.actions.tools.naming.servers import THINGS as THINGS_OF_SERVERS
from signoff.actions.tools.naming.servers import ServerKind, Tool
from signoff.actions.urls import look_at_url
from signoff.actions.wording.calls.verbs import told
from signoff.values import replace

_NAMES = vocabulary("operation action op method verb subcommand command mode api")
# Names of tools that say only that something is done.
_SAYS_NOTHING = vocabulary(
    "call invoke request api execute run do perform operation action command dispatch proxy http"
    " rest use tool cli exec query"
)
# `search(action="delete")` looks for deletions; it deletes nothing.
_SEARCHES = vocabulary(
    "search list find filter query count get read describe show can is has check may should test"
    " validate"
)
_GRAVE = frozenset({Verb.DELETE, Verb.SPEND, Verb.PUBLISH, Verb.PRIVILEGE})
# What a tool is called after, of several acts that its argument chooses from: `action: "list"`.
_TOLD_APART = frozenset({Verb.NETWORK_OUT, Verb.PUBLISH, Verb.PERSIST, Verb.SPEND})
_SIGNS = str.maketrans("", "", "_-.:")  # `$validate` is how FHIR names what it does
_HTTP_READS = frozenset({"GET", "HEAD", "OPTIONS"})
_HTTP = _HTTP_READS | {"POST", "PUT", "PATCH", "DELETE"}
_HTTP_NAMES = ("method", "http_method", "verb", "httpMethod")
_PATHS = ("path", "endpoint", "uri", "route", "url", "resource")
# Elasticsearch reads at these ends by POST, as the query is too long for an address.
_ENDS_THAT_READ = vocabulary("search msearch count explain analyze validate mget graphql")
_LONGEST = 80
_MOST_TOLD = 3
_LINES = vocabulary("comando befehl ordre ordine polecenie prikaz ukaz")  # may hold a line
_PLACES = vocabulary("live production prod test sandbox staging")
_MAKES = vocabulary("create add new make write")
_STATES = vocabulary("status state post_status poststatus publish_status publishstatus")
# What a draft that waits for its time, or is shown to somebody, has as well.
_LATER = vocabulary(
    "publish publish_at publishat published published_at scheduled_at schedule date send send_at"
    " send_email email_segment recipients notify to newsletter"
)


def dispatched(action: Action, tool: Tool) -> Tool:
    """Return the tool narrowed to the action an argument names; unchanged if none does."""
    if _is_new_draft(action, tool):
        return replace(tool, words=(*tool.words, "draft"))
    named = _named_act(action.arguments)
    lead = lead_verb(named)
    if lead is None:
        return tool
    own = lead_verb(tool.words)
    if own is None or _SAYS_NOTHING.issuperset(tool.words) or _only_calls(action, tool, named):
        nouns = tuple(word for word in tool.words if singular(word) in THINGS)
        is_told = any(singular(word) in THINGS for word in named)
        return replace(tool, words=named if is_told else (*named, *nouns))
    if _is_look_of_noun(action, lead, own):
        return replace(tool, words=named)
    if lead.verb in _GRAVE and CARE[lead.verb] > CARE[own.verb] and own.word not in _SEARCHES:
        return replace(tool, words=(lead.word, *_without(tool.words, own)))
    return tool


def _only_calls(action: Action, tool: Tool, named: tuple[str, ...]) -> bool:
    """Tell `wallet_call`, `vts_command`: a thing, and that something is called.

    A draft that somebody is told of is no mere draft.
    """
    is_told_on = "draft" in named and not _LATER.isdisjoint(action.arguments)
    return len(tool.words) > 1 and tool.words[-1] in _CALLED and not is_told_on


_CALLED = vocabulary("call invoke request command dispatch operation")


def _is_look_of_noun(action: Action, lead: Lead, own: Lead) -> bool:
    """Tell `registre_caisse(action="contrôler")`: the name's verb is a noun of its language."""
    raw = split_words(action.tool.rpartition("__")[2][:_LONGEST])
    is_guessed = own.verb is Verb.WRITE and own.word not in raw and any(map(is_often_noun, raw))
    is_told = own.verb in _TOLD_APART and any(
        [names_act(name) or name in ("action", "operation") for name in action.arguments]
    )
    return (is_guessed or is_told) and lead.verb is Verb.READ and not lead.at


def _is_new_draft(action: Action, tool: Tool) -> bool:
    """Tell something that is made as a draft: `create_post(status="draft")`."""
    lead = lead_verb(tool.words)
    if (
        lead is None
        or lead.at
        or lead.word not in _MAKES
        or not _LATER.isdisjoint(action.arguments)
    ):
        return False
    states = [value for name, value in action.arguments.items() if name.lower() in _STATES]
    return bool(states) and all([str(value).lower() == "draft" for value in states])


def _without(words: tuple[str, ...], lead: Lead) -> tuple[str, ...]:
    return words[: lead.at] + words[lead.at + 1 :]


def _named_act(arguments: Mapping[str, Json]) -> tuple[str, ...]:
    """Return the words of the argument that names the action."""
    for name, value in islice(arguments.items(), 100):
        # `DELETE` alone is a method of HTTP; `http_operation` reads it with its path.
        if not isinstance(value, str) or not 0 < len(value) <= _LONGEST or value in _HTTP:
            continue
        named = split_words(name)
        is_act = any(map(names_act, named)) and _LINES.isdisjoint(named)
        told = value.lstrip("$").translate(_SIGNS).split(" ")
        # `tarefa: "verificar cópias"`: what is looked at stands behind the act.
        is_word = len(told) <= (_MOST_TOLD if is_act else 1) and all(map(str.isalnum, told))
        is_told = not _NAMES.isdisjoint(named) or any(map(names_act, named))
        if is_word and is_told:
            words = _of_resource(value) or in_english(split_words(value))
            # `mode: "live"` tells a place; the act stands in another argument.
            if lead_verb(words) is not None or _PLACES.isdisjoint(words):
                return words
    return ()


def _of_resource(value: str) -> tuple[str, ...]:
    """Return the words of `charges.list` with the act first; () if no resource stands before it."""
    resource, dot, act = value.rpartition(".")
    words = split_words(act)
    lead = lead_verb(words) if dot and resource else None
    return (*words, *split_words(resource)) if lead is not None and not lead.at else ()


def http_operation(action: Action, tool: Tool) -> Operation | None:
    """Return the effect of a request to a service's API, by method and path; else None."""
    method = next((m for m in map(action.text, _HTTP_NAMES) if m.upper() in _HTTP), "").upper()
    path = next((p for p in map(action.text, _PATHS) if p.startswith("/")), "")
    if not path and method in _HTTP_READS:
        address = action.text("url")
        path = look_at_url(address).path if address.startswith(("https://", "http://")) else ""
    # Of these two kinds, the path belongs to an address of any host: the web reader's.
    if not method or not path or tool.kind in (ServerKind.WEB, ServerKind.BROWSER):
        return None
    words = split_words(path)
    is_store = tool.kind is ServerKind.DATABASE
    verb = _verb_of_request(method, words)
    thing = THINGS_OF_SERVERS[tool.kind]
    thing = thing_of(words)[0] if thing is ResourceType.NOTHING else thing
    # Elasticsearch drops every index by `DELETE /_all` and by `DELETE /*`.
    is_wide = verb is Verb.DELETE and (path.strip("/") in ("", "_all") or "*" in path)
    return Operation(
        verb=verb,
        thing=thing if thing is not ResourceType.NOTHING else ResourceType.URL,
        target=path[:200],
        reach=Reach.LOOPBACK if is_store else Reach.REMOTE,
        traits=frozenset({Trait.WHOLE_STORE, Trait.BROAD} if is_wide else ()),
        reversible=verb is not Verb.DELETE,
        program=action.tool[:100],
        source=f"{action.tool[:100]}({method} {path})"[:200],
        call=CallWords(
            does=told(verb), objects=(path[:120],), by=action.tool.rpartition("__")[2][:60]
        ),
    )


def _verb_of_request(method: str, words: tuple[str, ...]) -> Verb:
    if method in _HTTP_READS:
        return Verb.READ
    lead = lead_verb(words)
    if method == "DELETE" or (lead is not None and lead.verb is Verb.DELETE):
        return Verb.DELETE
    return Verb.READ if words and words[-1] in _ENDS_THAT_READ else Verb.WRITE
