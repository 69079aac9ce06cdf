"""Which values of inline code are clients of a service, whatever the library is called.

A library nobody described is a client where it says so itself (`Client`, `connect`, `session`),
or where it is given what only a service needs: a host, an address, a token. What such a client
gives back, and what is listed of it, belongs to the service as well.

    is_client("docker.DockerClient", ...)
    is_client("github.Github", key from the environment)
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from signoff.actions.code.value import Taint, Value, is_address, taints_of
from signoff.actions.known.hosts import HostClass, class_of_host
from signoff.actions.lexicon.names import split_words, vocabulary
from signoff.actions.urls import look_at_url

_CLIENTS = vocabulary(
    "client clients api connection connections conn connect connector connecthandler login"
    " authenticate service services sdk session auth admin broker cloud cluster resource env"
    " account mongoclient webclient sync async webhook smtp imap driver gateway publisher"
    " producer"
)
# What only a service is given; `password` alone opens a document, too.
_GIVEN = vocabulary(
    "host hosts hostname url uri endpoint endpoints server servers broker token apikey dsn"
    " username login credentials address account tenant bootstrap"
)
_SETS_UP = vocabulary("set init initialize login configure authenticate auth setup")
_OPENS = vocabulary("connect open login join dial")
_KEYS = vocabulary("token apikey secret password credentials key sid auth")
# Stand-ins of tests, kept in memory, and servers, whose `delete` declares a route.
_DOUBLES = vocabulary(
    "test tests testing fake mock mocked mocker stub dummy fixture simulator mongomock moto"
    " fastapi flask app router blueprint starlette sanic bottle quart litestar"
)
_NEAR = vocabulary(
    "local memory temporary temp zip tar dir directory path static session cached os"
)
# Stores and brokers whose clients go to this machine where no host is given.
_AT_HOME = vocabulary(
    "redis valkey ioredis pymongo mongodb motor mongoose elasticsearch opensearchpy psycopg"
    " pymysql mysql memcache pymemcache influxdb cassandra couchdb neo docker meilisearch qdrant"
    " weaviate chromadb etcd consul pika kombu celery rq minio"
)


def is_client(name: str, arguments: Sequence[Value], named: Mapping[str, Value]) -> bool:
    """Return whether the result of an unknown library call is a client of a service."""
    words = frozenset(split_words(name))
    if not _DOUBLES.isdisjoint(words):
        return False
    if not _CLIENTS.isdisjoint(words) or _is_main_class(name) or is_store(name):
        return True
    if _is_far_file_system(name):
        return True
    if any(not _GIVEN.isdisjoint(split_words(key)) for key in named):
        return True
    values = (*arguments, *named.values())
    return Taint.ENVIRONMENT_SECRET in taints_of(*values) or any(map(_is_place, values))


def is_store(name: str) -> bool:
    """Return whether a library is the client of a database or message broker."""
    return not _AT_HOME.isdisjoint(split_words(name))


def _is_main_class(name: str) -> bool:
    """Tell `github.Github`: a library's main object, called as the library is."""
    parts = name.lower().replace("_", "").removesuffix(".new").split(".")
    if name.endswith(".new") and len(parts) == 1:
        return True  # `Bunny.new`: Ruby knows the class by the library's name
    return len(parts) > 1 and parts[-1] == parts[0]


def _is_far_file_system(name: str) -> bool:
    """Tell `s3fs.S3FileSystem` and `fs.AzureStorage` from folders of this machine."""
    words = split_words(name.rpartition(".")[2])
    is_one = words[-2:] == ("file", "system") or words[-1:] in (("storage",), ("filesystem",))
    return is_one and _NEAR.isdisjoint(split_words(name))


def configures(name: str) -> bool:
    """Return whether a call sets a library's service address: `set_tracking_uri`."""
    return not _SETS_UP.isdisjoint(split_words(name.rpartition(".")[2])[:1])


def opens(name: str) -> bool:
    """Return whether a client's method takes the host: `connect("10.0.0.1")`."""
    return not _OPENS.isdisjoint(split_words(name.rpartition(".")[2]))


def is_key(attribute: str) -> bool:
    """Return whether an attribute of a library holds its API key: `stripe.api_key`."""
    return not _KEYS.isdisjoint(split_words(attribute))


def hosts_in(name: str, arguments: Sequence[Value], named: Mapping[str, Value]) -> tuple[str, ...]:
    """Return the hosts a client is given; "localhost" for a store without one."""
    values = [*arguments, *(v for k, v in named.items() if not _GIVEN.isdisjoint(split_words(k)))]
    found = tuple(dict.fromkeys(_hosts(values)))
    if found or any(value.constant is None and value.entries is None for value in values):
        return found
    return ("localhost",) if is_store(name) else ()


def _hosts(values: Iterable[Value]) -> Iterable[str]:
    for value in values:
        text = value.text or ""
        if "://" in text:
            yield look_at_url(text).host or text[:100]
        elif text and class_of_host(text) is not HostClass.UNKNOWN:
            yield text


def _is_place(value: Value) -> bool:
    """Tell an address with a scheme, or an IP address."""
    text = value.text or ""
    is_number = text[:1].isdigit() and text.count(".") == 3
    return is_address(value) or "://" in text[:30] or is_number
