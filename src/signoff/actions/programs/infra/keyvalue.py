"""Stores and queues that are no SQL: redis, etcd, consul, neo4j, search engines, kafka, rabbitmq.

A read or a listing passes, a key set on a development store passes, what empties a store is asked
about; messages, topics and queues live on a service that others use.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from itertools import pairwise

from signoff.actions.known.hosts import HostClass, class_of_host
from signoff.actions.operation import Operation, Reach, ResourceType, Trait, Verb
from signoff.actions.programs.acts import Effect, Nested
from signoff.actions.programs.call import ProgramCall, rejoin
from signoff.actions.programs.infra.databases import environment_of, script, statement
from signoff.actions.programs.infra.services import names_production
from signoff.actions.programs.program import Handler
from signoff.actions.shell.command import Stream, Word
from signoff.actions.urls import look_at_url
from signoff.actions.vocabulary import lazy_re2, words
from signoff.values import replace

KEY_VALUE_READS = words(
    "get mget exists ttl pttl type keys scan strlen hget hgetall hmget hkeys hvals hlen lrange "
    "llen smembers scard sismember zrange zscore zcard xrange xlen info ping dbsize config-get "
    "monitor slowlog client-list memory time echo object sscan hscan zscan randomkey help lastsave"
)
# Lua for `eval`: `redis.call('FLUSHALL')` runs a command inside the script.
_SCRIPTED = re.compile(r"redis\.p?call\(\s*['\"](\w{1,20})")
_JOINED_PROD = re.compile(r"^(?:\S{0,40}[/@])?[A-Z]{0,6}PROD\d*[A-Z]{0,3}(?:$|[.:])")
MOST_LINES = 50  # commands of a store on standard input
# redis-cli(1): these list, count and sample keys, or measure the server; no command runs then.
_MODES = (
    "--scan", "--bigkeys", "--memkeys", "--hotkeys", "--stat", "--latency", "--latency-history",
    "--latency-dist", "--intrinsic-latency",
)  # fmt: skip
KEY_VALUE_LOSES = words("flushall flushdb")
# `replicaof`, once `slaveof`, replaces all that a store holds by what another one has.
KEY_VALUE_CONFIGURES = words(
    "config shutdown debug eval evalsha fcall function script module replicaof slaveof acl failover"
)
# Keys go, on another machine: `unlink` is `del` in the background.
_KEYS_LOST = words("del unlink getdel")
# Names of servers to try things out on begin so in many languages: `redis-testi`, `dev2`.
_TRIAL_HOST = lazy_re2(
    r"(?i)(?:^|[^a-z])(?:dev|test|stag|sandbox|demo|preview|prueba|essai|recette|proba|prova|zkou"
    r"|(?:qa|ci|uat)\d*(?:[^a-z]|$))"
)
KEY_VALUE_SECRETS = words("requirepass masterauth masteruser tls-key-file-pass")


def key_value(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `redis-cli COMMAND ...`."""
    reach = Reach.PRODUCTION if environment_of(call) else Reach.PROJECT
    name = call.texts[0].lower() if call.operands else ""
    yield from _beside(call)
    if call.has(*_MODES):
        yield call.operation(Verb.READ, ResourceType.DATABASE)
    elif (lost := _lost_elsewhere(call, name, reach)) is not None:
        yield lost
    else:
        yield from _command(call, name, reach)


def _command(call: ProgramCall, name: str, reach: Reach) -> Iterator[Effect]:
    """Yield effects of one command of a store, or of those on standard input."""
    if name == "config" and call.texts[1:2] and call.texts[1].lower() == "get":
        yield _setting_read(call)
    elif not name and call.command.stdin is not None:
        yield from _fed(call, call.command.stdin, reach)
    elif not name or name in KEY_VALUE_READS or _is_shown(call.texts):
        yield call.operation(Verb.READ, ResourceType.DATABASE, name)
    elif name in KEY_VALUE_LOSES:
        yield call.operation(
            Verb.DELETE,
            ResourceType.DATABASE,
            name,
            traits=(Trait.UNBOUNDED,),
            reach=reach,
            reversible=False,
        )
    elif name in KEY_VALUE_CONFIGURES:
        yield call.operation(
            Verb.CONFIGURE,
            ResourceType.DATABASE,
            " ".join(call.texts[:2]),
            traits=(Trait.SCHEMA_LOSS,),
            reach=reach,
        )
        # Eight are enough: the script as a whole was already counted as a change with loss.
        for command in _SCRIPTED.findall(" ".join(call.texts[1:2]))[:8]:
            yield Nested(text=f"redis-cli {command}", language="shell", carrier="redis-cli eval")
    else:
        yield call.operation(
            Verb.WRITE, ResourceType.DATABASE, " ".join(call.texts[:2]), reach=reach
        )


def _lost_elsewhere(call: ProgramCall, name: str, reach: Reach) -> Operation | None:
    """Return the loss of keys, or of all there are, on another machine that is no trial."""
    is_replaced = name in ("replicaof", "slaveof") and call.texts[1:2] != ("NO",)
    is_whole = name in KEY_VALUE_LOSES or (is_replaced and len(call.texts) == 3)
    # One key of production is a change there, as before; which ones, must be known.
    is_one = reach is Reach.PRODUCTION and all([word.is_known for word in call.operands])
    is_lost = is_whole or (name in _KEYS_LOST and not is_one)
    if not is_lost or not _is_elsewhere(call):
        return None
    return call.operation(
        Verb.DELETE,
        ResourceType.DATABASE,
        " ".join(call.texts[:2]),
        traits=(Trait.WHOLE_STORE, Trait.UNBOUNDED) if is_whole else (),
        reach=Reach.REMOTE if reach is Reach.PROJECT else reach,
        reversible=False,
    )


def _is_elsewhere(call: ProgramCall) -> bool:
    """Tell a host by its full name or address; one without a dot may be a container beside."""
    host = call.value("-h")
    address = call.value("-u", "--uri")
    told = host.text if host is not None else ""
    if address is not None:
        told = look_at_url(address.text).host
    is_far = "." in told and class_of_host(told) in (HostClass.PUBLIC, HostClass.PRIVATE)
    return is_far and _TRIAL_HOST.search(told) is None


def _beside(call: ProgramCall) -> Iterator[Effect]:
    """Yield what a call does beside its command: where dumps go, a script that is named."""
    if [text.lower() for text in call.texts[:2]] == ["config", "set"]:
        yield from _dump_place(call)
    for word in call.values("--eval"):
        yield call.opaque(f"what is in `{word.text[:60]}` is not known", Trait.INLINE)


def _fed(call: ProgramCall, stream: Stream, reach: Reach) -> Iterator[Effect]:
    """Yield the effects of commands on standard input, a line each; `--pipe` loads data."""
    if call.has("--pipe"):
        yield call.operation(Verb.WRITE, ResourceType.DATABASE, reach=reach)
    elif stream.text is None:
        yield call.opaque("its commands come on standard input")
    else:
        lines = [line for line in stream.text.split("\n") if line.strip()]
        for line in lines[:MOST_LINES]:
            text = f"{rejoin(call.command.words)} {line}"
            yield Nested(text=text, language="shell", carrier=call.name)
        if len(lines) > MOST_LINES:
            yield call.opaque(f"more than {MOST_LINES} commands come on standard input")


def _dump_place(call: ProgramCall) -> Iterator[Effect]:
    """`config set dir`, `dbfilename`: the next dump writes the store's text into that file."""
    name, value = (*call.texts[2:4], "", "")[:2]
    # A known attack: the dump becomes `authorized_keys` or a crontab (CWE-73).
    if name.lower() == "dir" and value.rstrip("/").endswith("/.ssh"):
        yield call.on_file(Verb.WRITE, Word(text=f"{value.rstrip('/')}/authorized_keys"))
    if name.lower() in {"dir", "dbfilename"} and value:
        yield call.on_file(Verb.WRITE, call.operands[3])
        yield call.operation(Verb.WRITE, ResourceType.FILE, value, reach=Reach.REMOTE)


# Subcommands that show something of what else changes the store.
_SHOWN = (
    ("acl", words("list users whoami cat log dryrun genpass help")),
    ("script", words("exists help")),
    ("function", words("list stats help")),
    ("module", words("list help")),
)


def _is_shown(texts: Sequence[str]) -> bool:
    """Tell `ACL LIST` and the like, which only show; `ACL LOG RESET` clears."""
    told = [text.lower() for text in texts[:3]]
    return any(
        [told[:1] == [name] and told[1:2] and told[1] in shown for name, shown in _SHOWN]
    ) and ("reset" not in told)


def _setting_read(call: ProgramCall) -> Operation:
    """`config get PATTERN`: settings, among them the passwords of the store."""
    patterns = [text.lower() for text in call.texts[2:]]
    if any([fnmatchcase(name, one) for name in KEY_VALUE_SECRETS for one in patterns]):
        return call.operation(
            Verb.READ, ResourceType.CREDENTIAL, "config get", traits=(Trait.READS_SECRET,)
        )
    return call.operation(Verb.READ, ResourceType.DATABASE, "config get")


def cypher(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `cypher-shell QUERY`, or of the queries on its standard input."""
    yield from _queries(call, call.operands, "cypher")


def console(language: str) -> Handler:
    """Return the handler of a server's console, whose commands come on standard input.

    Files of commands are named behind an `@`, or by `cmdfile=` and the like.
    """

    def run(call: ProgramCall) -> Iterator[Effect]:
        for word in call.operands:
            name = word.text.partition("=")[2] if word.text.startswith("cmdfile=") else word.text
            if name[:1] == "@" or name != word.text:
                named = replace(word, text=name.strip("@'\""))
                yield from script(call, named, language, _environment(call))
        yield from _queries(call, (), language)

    return run


def splunk_search(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `splunk search QUERY`."""
    yield from _queries(call, call.operands[1:], "spl")


def _environment(call: ProgramCall) -> str:
    """Return `production` if a server is named so, joined to other letters as well: `QMPROD1`."""
    is_named = any([_JOINED_PROD.search(word.text) is not None for word in call.operands])
    return "production" if is_named else environment_of(call)


def _queries(call: ProgramCall, given: Sequence[Word], language: str) -> Iterator[Effect]:
    environment, stream = _environment(call), call.command.stdin
    texts = [word for word in given if word.text.strip()]
    for word in texts:
        yield statement(call, word, language, environment)
    for word in call.values("-f", "--file"):
        yield from script(call, word, language, environment)
    if stream is not None and stream.text is not None and not texts:
        text = Word(text=stream.text)
        yield statement(call, text, language, environment)
    elif stream is not None and stream.path and not texts:
        yield from script(call, Word(text=stream.path), language, environment)
    elif stream is not None and not texts:
        yield call.opaque("its commands come on standard input")
    else:
        yield call.operation(Verb.READ, ResourceType.DATABASE)


def influx(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `influx -execute QUERY`: the statement is taken apart."""
    for word in call.values("-execute", "--execute"):
        yield Nested(text=word.text, language="sql", carrier=call.name, is_known=word.is_known)


def etcd_delete(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects: `etcdctl del KEY`; a prefix that every key has is the whole store."""
    keys = {text for text in call.texts[1:] if not text.startswith("-")}
    given = {text.removesuffix("=true") for text in call.texts}
    ranged = {"--prefix", "--from-key"} & given
    # Kubernetes keeps a whole cluster below `/registry`.
    whole = bool(ranged) and keys <= {"", "/", "/registry"}
    yield call.operation(
        Verb.DELETE,
        ResourceType.CLUSTER,
        " ".join(call.texts[1:3]),
        traits=(Trait.WHOLE_STORE,) if whole else (),
        reach=Reach.PRODUCTION if environment_of(call) else Reach.REMOTE,
        reversible=False,
    )


def cockroach_sql(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `cockroach sql -e QUERY`: every statement is taken apart."""
    given, is_told = call.command.words, False
    for before, word in pairwise(given):
        option, _, joined = word.text.partition("=")
        if before.text in {"-e", "--execute"}:
            is_told = True
            yield Nested(text=word.text, language="sql", carrier=call.name, is_known=word.is_known)
        elif option == "--execute" and joined:
            is_told = True
            yield Nested(text=joined, language="sql", carrier=call.name, is_known=word.is_known)
    if not is_told:
        yield call.operation(Verb.EXECUTE, ResourceType.CODE, "", reach=Reach.PROJECT)


def dolt_sql(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `dolt sql -q QUERY`: the statement is taken apart."""
    texts = call.texts
    for place, text in enumerate(texts):
        if text in {"-q", "--query"} and place + 1 < len(texts):
            word = call.operands[place + 1]
            yield Nested(
                text=word.text, language="mysql", carrier=call.name, is_known=word.is_known
            )
            return
    yield call.operation(Verb.READ, ResourceType.DATABASE)


def dolt_config(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects: `dolt config --get|--list` shows, all else changes the user's settings."""
    if {"--get", "--list"} & set(call.texts):
        yield call.operation(Verb.READ, ResourceType.SETTING)
    else:
        reach = Reach.HOME if "--global" in call.texts else Reach.PROJECT
        yield call.operation(Verb.CONFIGURE, ResourceType.SETTING, reach=reach)


READING = ("--list", "--describe", "--help", "--version", "--verify", "--generate", "--members")
REMOVING = ("--delete", "--delete-offsets", "--remove")


def topics(call: ProgramCall) -> Iterator[Effect]:
    """Effects of `kafka-topics`, `kafka-acls` and `kafka-consumer-groups`, by option."""
    reach = Reach.PRODUCTION if names_production(call) else Reach.REMOTE
    # Removal first: `--describe` beside `--delete` takes nothing back.
    if call.has(*REMOVING):
        yield call.operation(
            Verb.DELETE, ResourceType.CLOUD, "topics and groups", reach=reach, reversible=False
        )
    elif call.has(*READING) or call.is_dry("--dry-run"):
        yield call.operation(Verb.READ, ResourceType.CLOUD)
    else:
        thing = ResourceType.ACCOUNT if "acls" in call.name else ResourceType.CLOUD
        yield call.operation(Verb.WRITE, thing, reach=reach)


def kcat(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects: `kcat -P` sends messages, `-C` and `-L` read."""
    if call.has("-P"):
        yield call.operation(
            Verb.NETWORK_OUT, ResourceType.MESSAGE, "a topic", reach=Reach.REMOTE, reversible=False
        )
    else:
        verb = Verb.READ if call.has("-L", "-Q") else Verb.NETWORK_IN
        yield call.operation(verb, ResourceType.MESSAGE, "a topic", reach=Reach.REMOTE)
