"""Search indexes over HTTP: what a request deletes or rewrites by a query.

A POST that deletes by query empties an index where the query takes everything, or where no bound
is told. With one it is a request like any other.

    POST :9200/events/_delete_by_query {"query": {"match_all": {}}}   -> DELETE, traits={UNBOUNDED}
"""

from __future__ import annotations

import re

from signoff.actions.operation import Operation, Reach, ResourceType, Trait, Verb
from signoff.actions.programs.call import ProgramCall
from signoff.actions.programs.lexicon import is_production
from signoff.actions.urls import look_at_url

_BY_QUERY = {"_delete_by_query": Verb.DELETE, "_update_by_query": Verb.WRITE}
# Solr takes a deletion as an update, in XML or JSON.
_SOLR = re.compile(r"(?i)<delete>\s*<query>|\"delete\"\s*:\s*\{\s*\"query\"")
_EVERYTHING = re.compile(
    r"\"match_all\"\s*:|\"query\"\s*:\s*(?:\{\s*\}|\"\*(?::\*)?\")|<query>\s*\*(?::\*)?\s*</query>"
)
_BOUND = re.compile(r"\"query\"\s*:|<query>")
_BOUND_IN_ADDRESS = re.compile(r"[?&]q=(?!\*(?:$|&|:))[^&]")


def by_query(call: ProgramCall, url: str, body: str) -> Operation | None:
    """Return the deletion or change of all documents that a POST asks for, else None."""
    path = url.partition("?")[0].rstrip("/").rpartition("/")[2].lower()
    verb = _BY_QUERY.get(path)
    if verb is None and path == "update" and _SOLR.search(body) is not None:
        verb = Verb.DELETE
    is_bound = _BOUND_IN_ADDRESS.search(url) is not None or (
        _BOUND.search(body) is not None and _EVERYTHING.search(body) is None
    )
    if verb is None or is_bound:
        return None
    return call.operation(
        verb,
        ResourceType.DATABASE,
        url,
        traits=(Trait.UNBOUNDED,),
        reach=Reach.PRODUCTION if is_production(url) else look_at_url(url).reach,
        reversible=False,
    )
