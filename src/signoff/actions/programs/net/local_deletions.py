"""Which DELETE requests to this machine stay with what runs here for development.

http://localhost:3000/api/users/ann          what a program of this machine holds
http://127.0.0.1:9200/products               an index of a store, with no program between
http://127.0.0.1:5984/orders                 a database, with no program between
http://127.0.0.1:8001/api/v1/namespaces/a    a cluster elsewhere, behind a proxy

A test server, a catcher of mail, a broker or a store of objects at a literal address of this
machine is the developer's own. A database is asked about as at its own console, and so is what only
hands on: engines of containers, clusters, agents of them.
"""

from __future__ import annotations

import re

from signoff.actions.vocabulary import words

STORE_SEGMENTS = words("repos projects orgs organizations accounts buckets clusters databases")
_WHOLE_SEGMENTS = words("clusters databases _all _cluster _snapshot _security *")
_STORE_PORT = re.compile(
    r":(?:1433|1521|2379|3306|5432|5984|6333|6379|7474|8086|8123|8529|9042|27017"
    r"|7700|8108|8983|9200|9300)(?:/|\Z)"
)
# What emulators, mocks and catchers of mail offer for tests to begin anew: none of it is kept.
_FOR_TESTS = re.compile(
    r":\d+/(?:emulator/v\d/|_localstack/|moto-api/|__admin/(?:mappings|requests)|mockserver/"
    r"|__cypress/|_mock/)|:(?:8025|1080)/(?:api/v\d/)?messages(?:/|\Z)|:4444/(?:wd/hub/)?session/"
)
# Engines, clusters and agents of one listen here: what is told them reaches further.
_FRONTS = re.compile(
    r":(?:2375|2376|2377|4243|6443|8001|8443|10250|8200|8500|4646|2019|9090)(?:/|\Z)"
    r"|/namespaces?/|/apis/|/v1/(?:kv|agent|catalog|acl|jobs?|sys)/|/v1\.\d+/"
    r"|/(?:containers|volumes|images|networks|nodes)/"
)
# What is told in a name or argument to be a database, or a part of one that holds its rows.
_STORED = words(
    "database databases db table tables schema schemas keyspace collection collections cluster"
    " clusters volume volumes snapshot snapshots backup backups droptable namespace namespaces"
)
# The address of a server, with its port literal, and something below its root.
_BELOW_ROOT = re.compile(r"\A(?:\w+://)?[\w.:\[\]@-]+/[^/?]")


def is_passing(path: str) -> bool:
    """Tell whether a deletion on this machine stays with the developer's own services."""
    if _STORE_PORT.search(path) or _FRONTS.search(path) or ".." in path:
        return False
    if _FOR_TESTS.search(path):
        return True
    below = path.partition("://")[2] or path
    segments = below.rstrip("/").split("/")[1:]
    return _BELOW_ROOT.match(path) is not None and _WHOLE_SEGMENTS.isdisjoint(segments)


def is_own_server(address: str, said: frozenset[str]) -> bool:
    """Tell whether a tool that deletes talks to a service, no database, engine or cluster.

    Args:
        address: of this machine, with its port.
        said: the words of the tool's name and of the names of its arguments.
    """
    server = address.rstrip("/")
    is_front = _STORE_PORT.search(server) or _FRONTS.search(server)
    return is_front is None and said.isdisjoint(_STORED)
