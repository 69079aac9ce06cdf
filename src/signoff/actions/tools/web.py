"""Web tools: fetch, search, request and browse -> Operations.

A request that only reads is NETWORK_IN, one that carries something out is NETWORK_OUT. Any
address given anywhere in the arguments counts, and a call without one that can be read is not
understood.

    WebFetch(url="http://127.0.0.1:8000/") -> network-in, reach loopback
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from urllib.parse import unquote

from signoff.actions.action import Action, Json
from signoff.actions.known.hosts import HostClass
from signoff.actions.operation import (
    Operation,
    Operations,
    Reach,
    ResourceType,
    Trait,
    Verb,
)
from signoff.actions.paths import locate
from signoff.actions.place import Place
from signoff.actions.programs.net.local_deletions import is_passing
from signoff.actions.tools.files import read_operation
from signoff.actions.urls import UrlFacts, look_at_url, looks_secret
from signoff.actions.vocabulary import words

_URL_NAMES = words("url uri href link address endpoint target page urls links website request_url")
_BODY_NAMES = words("body data json form payload content params files file upload raw_body")
_READ_METHODS = words("get head options trace propfind")
_WEB_SCHEMES = words("http https ws wss ftp ftps")
# Services of other kinds: databases, brokers, directories, devices.
_SERVICE_SCHEMES = words(
    "amqp amqps bolt bolt+s bolt+ssc neo4j neo4j+s neo4j+ssc mqtt mqtts nats tls opc.tcp opc.https "
    "redis rediss valkey mongodb mongodb+srv postgres postgresql mysql mariadb cassandra cql "
    "couchbase ldap ldaps kafka pulsar pulsar+ssl stomp coap coaps rtsp rtsps rtmp sip sips modbus "
    "modbus+tcp s7 bacnet knx knxip zk zookeeper etcd consul grpc grpcs clickhouse influxdb snmp "
    "smb nfs imap imaps pop3 pop3s smtp smtps nntp"
)
# None of these opens a connection.
_QUIET_SCHEMES = words("about data blob mailto tel")
_SEARCH_NAMES = ("query", "q", "search", "search_query", "keywords", "search_term", "objective")
_MAX_URLS = 50
WEB_TOOLS: frozenset[str] = words(
    "WebFetch WebSearch web_fetch web_search fetch fetch_url http_request google_web_search "
    "browser_navigate browser_tab_new navigate goto open_url browse web_browser url_fetch "
    "mcp__fetch__fetch mcp__playwright__browser_navigate mcp__puppeteer__puppeteer_navigate "
    "mcp__chrome-devtools__navigate_page mcp__chrome-devtools__new_page read_url_content"
)
_MAX_BODY = 200_000


def understand_web_tool(action: Action, place: Place) -> Operations:
    """Return the effects of a web tool's call: one operation per URL."""
    urls = tuple(_urls(action.arguments))
    if not urls:
        return _without_url(action)
    if len(urls) > _MAX_URLS:
        return (_opaque("more addresses than are read", action.tool),)
    return tuple(_request(url, action, place) for url in urls)


def request_operation(
    url: str, *, method: str = "get", body: str = "", program: str = "", place: Place
) -> Operation:
    """Build the Operation of one HTTP request."""
    facts = look_at_url(url)
    if facts.scheme in _WEB_SCHEMES or facts.scheme in _SERVICE_SCHEMES:
        return _web_operation(url, facts, method=method.lower(), body=body, program=program)
    if facts.scheme == "file":
        return _file_operation(facts, place, program)
    if facts.scheme in _QUIET_SCHEMES:
        return Operation(verb=Verb.INERT, target=url[:200], program=program)
    why = "code in an address" if facts.scheme == "javascript" else f"scheme {facts.scheme}"
    return Operation(
        verb=Verb.EXECUTE,
        thing=ResourceType.CODE if facts.scheme == "javascript" else ResourceType.URL,
        target=url[:200],
        reach=Reach.UNKNOWN,
        traits=frozenset({Trait.INLINE}),
        understood=False,
        program=program,
        why=why,
    )


def _request(url: str, action: Action, place: Place) -> Operation:
    method = action.text("method") or action.text("http_method") or "get"
    body = _body_text(action.arguments)
    # Clients send a body by POST where no method is given, as `curl -d` does.
    if body and not action.text("method") and not action.text("http_method"):
        method = "post"
    return request_operation(url, method=method, body=body, program=action.tool, place=place)


def _web_operation(url: str, facts: UrlFacts, *, method: str, body: str, program: str) -> Operation:
    sends = method not in _READ_METHODS or bool(body)
    has_secret = facts.has_secret or (bool(body) and looks_secret(body))
    # At a request bin, a value that only looks like a secret is enough: it is there to be
    # collected.
    if facts.is_covert and facts.has_secret_like_query:
        has_secret = True
    is_out = sends or has_secret
    is_own = facts.reach is Reach.LOOPBACK and is_passing(url.split("?", 1)[0].lower())
    return Operation(
        verb=Verb.NETWORK_OUT if is_own and is_out else _verb(method, is_out=is_out),
        thing=ResourceType.URL,
        target=url[:500],
        reach=facts.reach,
        traits=frozenset(_traits(facts, is_out=is_out, has_secret=has_secret)),
        reversible=not is_out or facts.reach is Reach.LOOPBACK,
        understood=facts.host_class is not HostClass.UNKNOWN,
        program=program,
        source=f"{method.upper()} {url}"[:200],
        why="" if facts.host_class is not HostClass.UNKNOWN else "host that is unknown",
    )


def _verb(method: str, *, is_out: bool) -> Verb:
    if method == "delete":
        return Verb.DELETE
    return Verb.NETWORK_OUT if is_out else Verb.NETWORK_IN


def _traits(facts: UrlFacts, *, is_out: bool, has_secret: bool) -> Iterator[Trait]:
    if facts.host_class is HostClass.METADATA:
        yield Trait.METADATA_HOST
        yield Trait.READS_SECRET
    if facts.host_class in (HostClass.PRIVATE, HostClass.LINK_LOCAL):
        yield Trait.PRIVATE_HOST
    if facts.is_covert and (is_out or facts.host_class is not HostClass.LOOPBACK):
        yield Trait.COVERT
    if has_secret and facts.host_class is not HostClass.LOOPBACK:
        yield Trait.SENDS_SECRET
    if facts.is_disguised:
        yield Trait.HIDDEN


def _file_operation(facts: UrlFacts, place: Place, program: str) -> Operation:
    """`file:` reads a local file."""
    where = locate(unquote(facts.path) or "/", place, has_glob=False)
    return read_operation(where, target=where.path or facts.path[:200], program=program)


def _without_url(action: Action) -> Operations:
    """A search, or a call whose address cannot be found."""
    for name in _SEARCH_NAMES:
        query = action.text(name)
        if query:
            has_secret = looks_secret(query[:_MAX_BODY])
            return (
                Operation(
                    verb=Verb.NETWORK_OUT if has_secret else Verb.NETWORK_IN,
                    thing=ResourceType.URL,
                    target=query[:200],
                    reach=Reach.REMOTE,
                    traits=frozenset({Trait.SENDS_SECRET}) if has_secret else frozenset(),
                    program=action.tool,
                ),
            )
    return (_opaque("no address in the call", action.tool),)


def _opaque(why: str, program: str) -> Operation:
    return Operation(
        verb=Verb.EXECUTE, thing=ResourceType.URL, reach=Reach.UNKNOWN, understood=False,
        program=program, why=why,
    )  # fmt: skip


def _urls(arguments: Mapping[str, Json]) -> Iterator[str]:
    """The addresses in the arguments, one level of lists and objects deep."""
    for name, value in arguments.items():
        if name.lower() in _URL_NAMES:
            yield from (text for text in _texts(value) if text.strip())


def _texts(value: Json) -> Iterator[str]:
    if isinstance(value, str):
        yield value
        return
    items: Sequence[Json] = ()
    if isinstance(value, Mapping):
        items = list(value.values())
    elif isinstance(value, Sequence):
        items = value
    # One more than is read, so that the caller sees that there are too many.
    for item in items[: _MAX_URLS + 1]:
        if isinstance(item, str):
            yield item
        elif isinstance(item, Mapping):
            yield from (text for text in item.values() if isinstance(text, str) and "://" in text)


def _body_text(arguments: Mapping[str, Json]) -> str:
    """Return the request's body as text."""
    texts: list[str] = []
    left = [value for name, value in arguments.items() if name.lower() in _BODY_NAMES]
    while left and len(texts) < 1000:
        value = left.pop()
        if isinstance(value, str):
            texts.append(value[:_MAX_BODY])
        elif isinstance(value, Mapping):
            left.extend(value.values())
            texts.extend(str(name)[:200] for name in value)
        elif isinstance(value, Sequence):
            left.extend(value[:1000])
        elif value is not None:
            texts.append(str(value)[:200])
    return "\n".join(texts)[:_MAX_BODY]
