"""Stores and queues that are no SQL: redis, etcd, consul, neo4j, search engines, kafka, rabbitmq.

A read or a listing passes, a key set on a development store passes, what empties a store is asked
about; messages, topics and queues live on a service that others use.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from fnmatch import fnmatchcase
from itertools import pairwise

from signoff.actions.operation import Operation, Reach, ResourceType, Trait, Verb
from signoff.actions.programs.acts import Effect, Nested
from signoff.actions.programs.call import ProgramCall
from signoff.actions.programs.infra.databases import environment_of
from signoff.actions.programs.infra.services import names_production
from signoff.actions.shell.command import Word
from signoff.actions.vocabulary import words

KEY_VALUE_READS = words(
    "get mget exists ttl pttl type keys scan strlen hget hgetall hmget hkeys hvals hlen lrange "
    "llen smembers scard sismember zrange zscore zcard xrange xlen info ping dbsize config-get "
    "monitor slowlog client-list memory time echo object sscan hscan zscan randomkey help lastsave"
)
# Lua for `eval`: `redis.call('FLUSHALL')` runs a command inside the script.
_SCRIPTED = re.compile(r"redis\.p?call\(\s*['\"](\w{1,20})")
KEY_VALUE_LOSES = words("flushall flushdb")
# `replicaof`, once `slaveof`, replaces all that a store holds by what another one has.
KEY_VALUE_CONFIGURES = words(
    "config shutdown debug eval evalsha fcall function script module replicaof slaveof acl failover"
)
KEY_VALUE_SECRETS = words("requirepass masterauth masteruser tls-key-file-pass")


def key_value(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `redis-cli COMMAND ...`."""
    reach = Reach.PRODUCTION if environment_of(call) else Reach.PROJECT
    name = call.texts[0].lower() if call.operands else ""
    if [text.lower() for text in call.texts[:3:1]][:2] == ["config", "set"]:
        yield from _dump_place(call)
    for word in call.values("--eval"):
        yield call.opaque(f"what is in `{word.text[:60]}` is not known", Trait.INLINE)
    if name == "config" and call.texts[1:2] and call.texts[1].lower() == "get":
        yield _setting_read(call)
    elif not name or name in KEY_VALUE_READS:
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


def _dump_place(call: ProgramCall) -> Iterator[Effect]:
    """`config set dir`, `dbfilename`: the next dump writes the store's text into that file."""
    name, value = (*call.texts[2:4], "", "")[:2]
    # A known attack: the dump becomes `authorized_keys` or a crontab (CWE-73).
    if name.lower() == "dir" and value.rstrip("/").endswith("/.ssh"):
        yield call.on_file(Verb.WRITE, Word(text=f"{value.rstrip('/')}/authorized_keys"))
    if name.lower() in {"dir", "dbfilename"} and value:
        yield call.on_file(Verb.WRITE, call.operands[3])
        yield call.operation(Verb.WRITE, ResourceType.FILE, value, reach=Reach.REMOTE)


def _setting_read(call: ProgramCall) -> Operation:
    """`config get PATTERN`: settings, among them the passwords of the store."""
    patterns = [text.lower() for text in call.texts[2:]]
    if any([fnmatchcase(name, one) for name in KEY_VALUE_SECRETS for one in patterns]):
        return call.operation(
            Verb.READ, ResourceType.CREDENTIAL, "config get", traits=(Trait.READS_SECRET,)
        )
    return call.operation(Verb.READ, ResourceType.DATABASE, "config get")


def cypher(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `cypher-shell QUERY`: deleting without a bound empties the graph."""
    text = " ".join(call.texts).lower()
    if "delete" in text or "drop " in text:
        yield call.operation(
            Verb.DELETE,
            ResourceType.DATABASE,
            text[:80],
            # `MATCH (n) DETACH DELETE n` takes every node.
            traits=(Trait.UNBOUNDED,) if "where" not in text else (Trait.SCHEMA_LOSS,),
            reach=Reach.PRODUCTION if environment_of(call) else Reach.PROJECT,
            reversible=False,
        )
    elif call.has("-f", "--file") or (call.command.stdin is not None):
        yield call.operation(
            Verb.EXECUTE, ResourceType.DATABASE, reach=Reach.PROJECT, traits=(Trait.SCHEMA_LOSS,)
        )
    else:
        yield call.operation(Verb.WRITE, ResourceType.DATABASE, text[:80], reach=Reach.PROJECT)


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
