"""Queries of graphs: GraphQL, SPARQL and Cypher.

{ shop { name } }                                   reads
mutation { productDelete(input: {}) { id } }        deletes, as the field's name says
SELECT ?s WHERE { ?s ?p ?o }                        reads
CLEAR ALL                                           the whole store
CALL apoc.load.json('https://...')                  reaches another server
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from signoff.actions.code.queries import acts
from signoff.actions.code.queries.parts import blanked, split_at
from signoff.actions.code.recorder import Recorder
from signoff.actions.lexicon.names import split_words, vocabulary
from signoff.actions.lexicon.objects import WHOLE_STORES, singular, thing_of
from signoff.actions.lexicon.verbs import lead_verb
from signoff.actions.operation import Reach, ResourceType, Trait, Verb
from signoff.actions.vocabulary import lazy_re

_MOST = 100
_DEFINITION = lazy_re(
    r"\s*(?:(query|mutation|subscription|fragment)\b|(?=\{))[^{(]{0,400}(?:\((?:[^()]|\([^()]*\))*\))?[^{]{0,400}"
)
_FIELD = lazy_re(r"(?:\w+\s*:\s*)?([A-Za-z_]\w*)")
_FRAGMENT = "fragment"
_LOOKS = frozenset({Verb.READ, Verb.INERT, Verb.NETWORK_IN})


def read_graphql(text: str, recorder: Recorder) -> None:
    """Record what the operations of a GraphQL document do."""
    plain = blanked(text.replace('"""', '"'), quotes='"', comments=("#",))
    if plain is None:
        recorder.opaque("the text cannot be read", "graphql")
        return
    at = 0
    for _ in range(_MOST):
        if not plain[at:].strip():
            return
        found = _DEFINITION.match(plain, at)
        if found is None or plain[found.end() : found.end() + 1] != "{":
            break
        body, at = _selection(plain, found.end())
        if found[1] == "mutation":
            _mutation(body, recorder)
        elif found[1] != _FRAGMENT:
            acts.reads(recorder, "graphql", ", ".join(islice(_fields(body), 5)))
    recorder.opaque("the text cannot be read", "graphql")


def _selection(plain: str, start: int) -> tuple[str, int]:
    """Return the text in the braces that open at `start`, and the index behind them."""
    depth = 0
    for at in range(start, len(plain)):
        depth += (plain[at] == "{") - (plain[at] == "}")
        if depth == 0:
            return plain[start + 1 : at], at + 1
    return plain[start + 1 :], len(plain)


def _fields(body: str) -> Iterator[str]:
    """Yield the names right inside a selection."""
    depth, top = 0, []
    for char in body:
        depth += (char in "{([") - (char in "})]")
        top.append(char if depth == 0 and char not in "})]" else " ")
    return (found[1] for found in islice(_FIELD.finditer("".join(top)), _MOST))


def _mutation(body: str, recorder: Recorder) -> None:
    for name in _fields(body):
        said = split_words(name)
        lead = lead_verb(said)
        verb = Verb.WRITE if lead is None or lead.verb in _LOOKS else lead.verb
        thing, _ = thing_of(said)
        is_whole = verb is Verb.DELETE and singular(said[-1]) in WHOLE_STORES
        recorder.operate(
            verb, f"graphql {name}"[:80],
            thing=thing if thing is not ResourceType.NOTHING else ResourceType.CLOUD,
            target=name, reach=Reach.REMOTE, reversible=verb is Verb.WRITE,
            traits=frozenset({Trait.WHOLE_STORE} if is_whole else ()),
        )  # fmt: skip


_PROLOGUE = lazy_re(r"(?is)\s*(?:(?:prefix\s+[\w.-]*:\s*<[^>]*>|base\s*<[^>]*>)\s*)*")
_SPARQL_READS = vocabulary("select ask construct describe")
_ALL_TRIPLES = lazy_re(
    r"(?is)\b(?:delete\s+where|where)\s*\{\s*(?:graph\s+\S+\s*\{\s*)?\?\w+\s+\?\w+\s+\?\w+\s*\.?\s*\}"
)
_IRI = lazy_re(r"<[^<>\s]*>")


def read_sparql(text: str, recorder: Recorder) -> None:
    """Record what a query or the updates of SPARQL do."""
    # `#` within an address is a part of it.
    hidden = _IRI.sub(lambda found: found[0].replace("#", "_").replace(";", "_"), text)
    plain = blanked(hidden, comments=("#",))
    if plain is None:
        recorder.opaque("the text cannot be read", "sparql")
        return
    for part in split_at(plain, plain, ";"):
        before = _PROLOGUE.match(part)
        said = part if before is None else part[before.end() :]
        if said.strip():
            _sparql(said, recorder)


def _sparql(said: str, recorder: Recorder) -> None:
    words = said.lower().replace("{", " { ").split()
    first = words[0]
    target = " ".join(said.split()[:6])[:200]
    if first in _SPARQL_READS:
        acts.reads(recorder, "sparql", target)
    elif first in ("drop", "clear", "move", "copy"):
        is_whole = not {"all", "named", "default"}.isdisjoint(words[1:3])
        trait = Trait.WHOLE_STORE if is_whole and first in ("drop", "clear") else Trait.UNBOUNDED
        acts.takes_away(recorder, f"sparql {first}", target, trait)
    elif "delete" in words and words[words.index("delete") + 1 :][:1] != ["data"]:
        if _ALL_TRIPLES.search(said) is not None:
            acts.takes_away(recorder, "sparql delete", target)
        else:
            _changes_rows(recorder, "sparql delete", target)
    elif first in ("insert", "delete", "with", "create", "add"):
        _changes_rows(recorder, f"sparql {first}", target)
    else:
        recorder.opaque(f"`{first[:40]}` is no query that is known", "sparql")


def _changes_rows(recorder: Recorder, program: str, target: str) -> None:
    recorder.operate(
        Verb.WRITE, program, thing=ResourceType.DATABASE, target=target, reach=Reach.PROJECT
    )


_REACHES = lazy_re(
    r"(?i)\bapoc\.(?:load|export|import|cypher|periodic|trigger|custom|systemdb|es|mongodb|couchbase"
    r"|bolt|nlp|ml|trigger|static|generate|refactor|nodes\.delete)\b[\w.]*"
    r"|\bdbms\.(?:security|shutdown|setConfigValue|cluster|killQuer\w*|upgrade)\b[\w.]*"
)


def read_cypher(text: str, recorder: Recorder) -> None:
    """Record what a query in Cypher does: its clauses are read as statements of SQL are."""
    recorder.sql.append(text)
    found = _REACHES.search(blanked(text, comments=("//",)) or text)
    if found is not None:
        recorder.opaque(f"`{found[0][:60]}` runs or fetches something else", "cypher")
