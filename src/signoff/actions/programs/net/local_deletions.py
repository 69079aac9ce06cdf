"""Which DELETE requests to this machine take one record, or what was made for tests.

http://localhost:3000/api/users/ann          one record
http://localhost:8025/api/v1/messages        mails that a catcher caught
http://127.0.0.1:9200/products               an index of a store, with no program between
"""

from __future__ import annotations

import re

from signoff.actions.vocabulary import words

STORE_SEGMENTS = words("repos projects orgs organizations accounts buckets clusters databases")
# One record by its number: `/users/17`, `/orders/9f1c2b4e-...`.
_STORE_PORT = re.compile(
    r":(?:2379|5984|6333|7474|7700|8086|8108|8123|8529|8983|9200|9300)\b"
)  # no program between
_RECORD = re.compile(r"[a-z]/(?:\d+|[0-9a-f]{8}-[0-9a-f-]{27}|[0-9a-f]{24})/?\Z")
# One by its name below a collection: `/api/users/ann`; what holds others is none.
_NAMED = re.compile(r"[a-z]s/[\w.~@%-]+/?\Z")
# What emulators, mocks and catchers of mail offer for tests to begin anew: none of it is kept.
_FOR_TESTS = re.compile(
    r":\d+/(?:emulator/v\d/|_localstack/|moto-api/|__admin/(?:mappings|requests)|mockserver/"
    r"|__cypress/|_mock/)|:(?:8025|1080)/(?:api/v\d/)?messages(?:/|\Z)|:4444/(?:wd/hub/)?session/"
)
# Engines, clusters and agents of one listen here: what is told them reaches further.
_FRONTS = re.compile(
    r":(?:2375|2376|2377|4243|6443|8001|8443|10250|8200|8500|4646|2019|9090)/"
    r"|/namespaces?/|/apis/|:\d+/v1/|/v1\.\d+/|/(?:containers|volumes|images|networks|nodes)/"
)


def is_passing(path: str) -> bool:
    """Tell whether a deletion on this machine takes one record, or what was made for tests."""
    if _STORE_PORT.search(path) or _FRONTS.search(path) or ".." in path:
        return False
    if _FOR_TESTS.search(path) or _RECORD.search(path):
        return True
    holder = path.rstrip("/").split("/")[-2:-1]
    return _NAMED.search(path) is not None and STORE_SEGMENTS.isdisjoint(holder)
