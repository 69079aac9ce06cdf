"""Calls of tools that go to a stand-in of a service, or to a server of this machine.

A stand-in is told by a place for trials (`environment: "sandbox"`, `livemode: false`), by the
server's own name (`mcp__ticketing-sandbox__...`), or by a switch (`simulator: true`). One word that
says production, one server elsewhere or somebody who would get a message: the call is as it was.

    at_stand_in(ops, {"env": "paper", "contract": "PH-18", "side": "BUY"}, "place_order")     near
    at_stand_in(ops, {"env": "sandbox", "host": "api.bank.example"}, "place_order")           ops
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

from signoff.actions.action import Json
from signoff.actions.code.computing.names import OWN_SERVERS
from signoff.actions.lexicon.languages.glossary import concept_of
from signoff.actions.lexicon.languages.translations import words_of_trials
from signoff.actions.lexicon.names import NAME_SAYS_NOTHING, split_words, vocabulary
from signoff.actions.operation import Operation, Operations, Reach, ResourceType, Trait, Verb
from signoff.actions.programs.net.local_deletions import is_own_server
from signoff.actions.tools.naming.trials.arguments import (
    MOST,
    TIMES,
    folded_words,
    plain,
    switches,
)
from signoff.actions.tools.naming.trials.named_stand_ins import stand_ins_named
from signoff.actions.tools.naming.trials.rehearsals import KEPT_FILES, KEPT_THINGS, MODES, NEVER
from signoff.actions.urls import is_near_url
from signoff.actions.vocabulary import lazy_re, words
from signoff.values import replace

# Where a tool takes the address of the server that it talks to, and what puts one elsewhere.
SERVERS = words(
    "host hostname server serverurl baseurl apiurl apibase instanceurl portal portalurl broker"
    " brokerurl bootstrapservers registry registryurl endpoint endpointurl smtp smtphost smtpserver"
    " controller gatewayurl"
)
# Under other names a tool is given an address to use, to open or to allow, as well as its server.
_NOT_SERVERS = vocabulary(
    "redirect callback origin origins cors webhook webhooks hook source src link href page referer"
    " referrer image icon logo avatar to next target allow allowed whitelist upstream forward proxy"
    " peer content text body message note query html script command cmd code value values default"
)
# `Server=localhost;Database=ShopDev`, `host=127.0.0.1 dbname=shop`
_KEYED_SERVER = lazy_re(
    r"(?i)^(?:server|host|data source|address)\s*=\s*"
    r"(?:localhost|127(?:\.\d{1,3}){3}|::1|\(local(?:db)?\))(?=[\s;,\\]|$)"
)
_ADDING = vocabulary(
    "upstream backend proxy route dns record webhook target forward tunnel register peer join"
    " redirect allow whitelist rule listener"
)
_CHANGING = frozenset({Verb.WRITE, Verb.CONFIGURE, Verb.NETWORK_OUT, Verb.PUBLISH})
# What a test server or a sandbox may be asked to do as well, of one thing or of its test data.
_ACTING = _CHANGING | {
    Verb.SPEND,
    Verb.CONTROL,
    Verb.PRIVILEGE,
    Verb.DELETE,
    Verb.PERSIST,
    Verb.INSTALL,
}
_GRAVE = frozenset({Trait.WHOLE_STORE, Trait.OPENS_ACCESS, Trait.BLINDS, Trait.WEAKENS})
_LOSES = frozenset({Trait.SCHEMA_LOSS, Trait.UNBOUNDED, Trait.LOSES_HISTORY})
_LOST = vocabulary("drop purge wipe truncate destroy cascade erase")
_UNREAL = frozenset({ResourceType.MONEY, ResourceType.ACCOUNT, ResourceType.DEVICE})
_OF_SERVICES = frozenset(
    {
        *(ResourceType.NOTHING, ResourceType.MONEY, ResourceType.MESSAGE, ResourceType.ACCOUNT),
        *(ResourceType.URL, ResourceType.CLOUD),
    }
)
_OWN = "signoff"
# Servers that are nothing but a stand-in, by their names.
_STANDING_IN = vocabulary(
    "sandbox sim simulator simulation emulator mock mocked stub fake mailpit mailhog mailcatcher"
    " maildev greenmail smtp4dev papercut localstack wiremock mockserver moto azurite mountebank"
)
# A sandbox of these is a place where code runs, with the network of its host.
_RUNTIMES = OWN_SERVERS - {"sandbox"} | vocabulary(
    "e2b docker daytona modal vercel cloudflare microsandbox container vm browser shell terminal"
)
_TEST_IDS = lazy_re(r"(?:^|[_-])test(?:[_-]|$)")
_TRUE_SWITCHES = words("sandbox issandbox simulator simulated mock mocked emulator testmode istest")
_FALSE_SWITCHES = words("livemode islive production isproduction liveaccount")
# Names of arguments under which a stand-in is named as often as something real.
_WIDE_PLACES = words(
    "target exchange site org organization organisation plant subdomain station instance server"
    " cluster base system database workspace branch"
)
_SURE = vocabulary(
    "sandbox sandboxed paper simulator simulation sim twin scratch emulator mock mocked localstack"
    " playground"
)
_GATEWAYS = words("gateway provider transport mailer driver backend")
_LIVE_IDS = lazy_re(r"(?:^|[_-])live(?:[_-]|$)")
_EMULATED = lazy_re(r"emulator-\d{4,5}")
_DEVICES = words("device deviceid serial udid")
_PEOPLE = lazy_re(r"[^@\s]+@[^@\s]+\.[a-z]{2,}|\+\d[\d ()-]{6,}")
_WEB = lazy_re(r"(?i)^[a-z][a-z0-9+.-]*://")
_SHORT = 80
_TEXT_WORDS = 6


def at_near_server(operations: Operations, arguments: Mapping[str, Json], tool: str) -> Operations:
    """Return the operations that a tool's name tells, near if its server is on this machine.

    Args:
        tool: its name; what adds an address somewhere does not talk to it.
    """
    given = list(servers_of(arguments)) or list(_unnamed_servers(arguments))
    if not given or not all(map(is_near_server, given)) or _OWN in tool.lower():
        return operations
    if not _ADDING.isdisjoint(split_words(tool)):
        return operations
    is_safe = not names_production(arguments) and not _loses(arguments)
    verbs = _ACTING if is_safe else _CHANGING
    said = frozenset([*split_words(tool), *_argument_words(arguments)])
    if not all([is_own_server(str(address), said) for address in given]):
        verbs -= {Verb.DELETE}
    if is_safe:
        operations = tuple([_as_scratch(op) if _is_scratch(op) else op for op in operations])
    # What a name does not say is done on this machine, by a server that somebody started there.
    return tuple(
        [_as_near(op) if is_safe and is_unread(op) else _near(op, verbs) for op in operations]
    )


def _is_scratch(op: Operation) -> bool:
    """Tell the deletion of one thing of a store that is named after a trial: `scratch_chunks`."""
    is_store = op.thing in (ResourceType.DATABASE, ResourceType.NOTHING, ResourceType.BACKUP)
    is_named = (
        op.verb is Verb.DELETE and op.understood and is_store and op.file_kind not in KEPT_FILES
    )
    return is_named and not _SCRATCH.isdisjoint(folded_words(op.target)) and "*" not in op.target


def _as_scratch(op: Operation) -> Operation:
    near = _as_near(op)
    return replace(
        near, thing=ResourceType.NOTHING, traits=near.traits - _LOSES - {Trait.WHOLE_STORE}
    )


_SCRATCH = vocabulary(
    "test tests scratch tmp temp throwaway sandbox playground fixture fixtures dummy testdb prova"
    " proba proef prueba teste essai deneme probe versuch"
)


def _argument_words(arguments: Mapping[str, Json]) -> Iterator[str]:
    return (word for _, name, _ in switches(arguments) for word in split_words(name))


def servers_of(arguments: Mapping[str, Json]) -> Iterator[Json]:
    """Yield the addresses of servers that a call talks to, each with its port."""
    given = [(plain(name), value) for _, name, value in switches(arguments)]
    ports = [value for name, value in given if name in ("port", "serverport")]
    for name, value in given:
        if name in SERVERS:
            is_bare = isinstance(value, str) and ":" not in value and len(ports) == 1
            yield f"{value}:{ports[0]}" if is_bare else value


def _unnamed_servers(arguments: Mapping[str, Json]) -> Iterator[str]:
    """Yield the addresses of this machine under names of any language, if none is elsewhere."""
    if is_elsewhere(arguments):
        return
    for _, name, value in switches(arguments):
        # A plain `url` is as often what a record holds: `update_site(id=7, url=...)`.
        is_data = plain(name) in ("url", "uri") or not _NOT_SERVERS.isdisjoint(split_words(name))
        if isinstance(value, str) and not is_data and is_near_server(value):
            yield value


def is_near_server(value: Json) -> bool:
    """Tell an address of this machine that a client talks to: with a scheme or a port."""
    if not isinstance(value, str) or len(value) > MOST:
        return False
    if _KEYED_SERVER.match(value):
        return True
    _, scheme, rest = value.partition("://")
    # A number alone is an id; as an address it could be one of this machine.
    host, _, port = value.rpartition(":")
    is_address = bool(scheme) or (bool(host) and port.strip("/").isdigit())
    return is_address and is_near_url(f"http://{rest if scheme else value}")


def at_stand_in(operations: Operations, arguments: Mapping[str, Json], tool: str) -> Operations:
    """Return the operations that a tool's name tells, near if all goes to a stand-in.

    Args:
        tool: its name with its server's.
    """
    if (
        not (_is_stand_in_server(tool) or names_of_stand_in(arguments, tool))
        or _OWN in tool.lower()
    ):
        return operations
    if names_production(arguments) or _loses(arguments) or is_elsewhere(arguments):
        return operations
    is_caught = _is_stand_in_server(tool) or _is_mock_gateway(arguments)
    reached = not is_caught and reaches_people(arguments)
    return tuple(
        [
            op if reached and op.verb is Verb.NETWORK_OUT else _near(op, _ACTING, unknown=True)
            for op in operations
        ]
    )


def names_of_stand_in(arguments: Mapping[str, Json], tool: str = "") -> tuple[str, ...]:
    """Return the names of the arguments that aim a call at a stand-in.

    Args:
        tool: its name: what it speaks of is the thing that is acted on, and no place.
    """
    own = frozenset(split_words(tool))
    aimed = [
        (name, value)
        for _, name, value in switches(arguments)
        if plain(name) not in own and _aims(plain(name), value)
    ]
    # That it is not live is said of an answer as often: an id or a place says so as well.
    is_only_denied = all([value is False for _, value in aimed])
    if is_only_denied and not any(map(_TEST_IDS.search, _short_texts(arguments))):
        return stand_ins_named(arguments)
    return tuple([name for name, _ in aimed])


def _aims(name: str, value: Json) -> bool:
    if isinstance(value, bool):
        return name in (_TRUE_SWITCHES if value else _FALSE_SWITCHES)
    return isinstance(value, str) and len(value) <= _SHORT and _names_stand_in(name, value)


def _names_stand_in(name: str, value: str) -> bool:
    if name in _DEVICES:
        return _EMULATED.fullmatch(value) is not None
    told = folded_words(value)
    if name in MODES or name in words_of_trials("states"):
        return bool(told) and all([_is_simulated(word) for word in told])
    is_sure = name in words_of_trials("environments") or name in _GATEWAYS
    # Real things stand in a laboratory as well: it is one only as the name of an environment.
    if is_sure and not words_of_trials("laboratories").isdisjoint(told):
        return True
    if is_sure or name in words_of_trials("places"):
        return _has_stand_in(told)
    # Under a wider name a word may belong to the name of something real.
    return name in _WIDE_PLACES and bool(told) and not _SURE.isdisjoint((told[0], told[-1]))


def _is_simulated(word: str) -> bool:
    """Tell a mode in which nothing real is moved: `simulation`, in any language."""
    return concept_of(word) == "simulation" or word in words_of_trials("simulations")


def _has_stand_in(told: tuple[str, ...]) -> bool:
    """Tell a word for trials; signs and letters that are written together also begin with one."""
    stand_ins = words_of_trials("stand_ins")
    longer = [word for word in (*told, "".join(told)) if not word.isascii()]
    return not stand_ins.isdisjoint((*told, "".join(told))) or any(
        [word[:cut] in stand_ins for word in longer for cut in range(2, len(word))]
    )


def _is_stand_in_server(tool: str) -> bool:
    prefix, _, rest = tool.partition("__")
    server = rest.partition("__")[0] if prefix.lower() == "mcp" else ""
    told = frozenset(split_words(server[:MOST]))
    return not _STANDING_IN.isdisjoint(told) and _RUNTIMES.isdisjoint(told)


def _is_mock_gateway(arguments: Mapping[str, Json]) -> bool:
    given = [value for _, name, value in switches(arguments) if plain(name) in _GATEWAYS]
    told = [value for value in given if isinstance(value, str)]
    return bool(told) and all([not _STANDING_IN.isdisjoint(split_words(one)) for one in told])


def names_production(arguments: Mapping[str, Json]) -> bool:
    """Tell a word for production in any short value, or a switch that is on and named so."""
    return any([_is_production(name, value) for name, value in entries(arguments)])


def _is_production(name: str, value: Json) -> bool:
    if isinstance(value, bool):
        return _is_real(name, is_on=value)
    if not isinstance(value, str) or len(value.split()) >= _TEXT_WORDS:
        return False
    told = folded_words(value)
    return not words_of_trials("production").isdisjoint(told) or _LIVE_IDS.search(value) is not None


def _is_real(name: str, *, is_on: bool) -> bool:
    """Tell a switch that says that it is no trial: `live: true`, `sandbox: false`."""
    if plain(name) in (_FALSE_SWITCHES if is_on else _TRUE_SWITCHES):
        return True
    return is_on and not words_of_trials("production").isdisjoint(folded_words(name))


def _loses(arguments: Mapping[str, Json]) -> bool:
    """Tell a switch that loses more than the tool's name says: `dropTable: true`."""
    return any(
        [
            value is True and not _LOST.isdisjoint(split_words(name))
            for name, value in entries(arguments)
        ]
    )


def reaches_people(arguments: Mapping[str, Json]) -> bool:
    """Return whether a short value is an address or a number of somebody."""
    return any(map(_PEOPLE.search, _short_texts(arguments)))


def is_elsewhere(arguments: Mapping[str, Json]) -> bool:
    """Return whether there is a server that is neither of this machine nor named a stand-in."""
    given = [
        value
        for name, value in entries(arguments)
        if isinstance(value, str) and (plain(name) in SERVERS or _WEB.match(value))
    ]
    stand_ins = words_of_trials("stand_ins")
    return any(
        [not is_near_server(one) and stand_ins.isdisjoint(folded_words(one)) for one in given]
    )


def _short_texts(arguments: Mapping[str, Json]) -> Iterator[str]:
    for _, value in entries(arguments):
        if isinstance(value, str) and len(value) <= _SHORT:
            yield value


def entries(value: Json, name: str = "", depth: int = 0) -> Iterator[tuple[str, Json]]:
    """Yield every value of a call with the name it stands under."""
    if isinstance(value, Mapping) and depth < TIMES:
        for key, one in islice(value.items(), MOST):
            yield from entries(one, key, depth + 1)
    elif isinstance(value, Sequence) and not isinstance(value, str) and depth < TIMES:
        for one in islice(value, MOST):
            yield from entries(one, name, depth + 1)
    else:
        yield name, value


def _near(op: Operation, verbs: frozenset[Verb], *, unknown: bool = False) -> Operation:
    is_kept = op.thing in KEPT_THINGS - {ResourceType.URL} or op.file_kind in KEPT_FILES
    is_far = op.reach in (Reach.REMOTE, Reach.UNKNOWN) or (
        op.verb not in _CHANGING and op.reach is Reach.NONE
    )
    is_act = (op.verb in verbs and op.understood) or (unknown and is_unread(op))
    # A server of this machine acts on the machine itself as well: its disks, jobs and keys.
    is_kept = is_kept or (not unknown and op.verb not in _CHANGING and op.thing not in _OF_SERVICES)
    is_kept = is_kept or (op.verb is Verb.DELETE and op.thing is ResourceType.DEVICE)
    if is_kept or not (is_far and is_act) or not (NEVER | _GRAVE | _LOSES).isdisjoint(op.traits):
        return op
    return _as_near(op)


def is_unread(op: Operation) -> bool:
    """Return whether only the name of a tool was read, and says nothing.

    A description that tells of more has made another verb of it.
    """
    return op.why == NAME_SAYS_NOTHING and not op.understood and op.verb is Verb.EXECUTE


def _as_near(op: Operation) -> Operation:
    verb = op.verb if op.verb in _CHANGING - {Verb.PUBLISH} else Verb.WRITE
    traits = op.traits - {Trait.BULK, Trait.BROAD}
    # No money moves there, no account of somebody changes, no machine moves.
    thing = ResourceType.NOTHING if op.thing in _UNREAL else op.thing
    near = replace(op, verb=verb, thing=thing, reach=Reach.LOOPBACK, reversible=True, traits=traits)
    return replace(near, understood=True, why="")
