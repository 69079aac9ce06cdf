"""Reads the texts of one call, each once: what is in them becomes part of the `Evidence`.

An agent's call gives the strings of its arguments, a web request its decoded values, a result
what came back (and, where the caller hands it in as `request`, what it answers). What is longer
than the limits is read at its ends and marked as cut.

    with_texts(Evidence(action=Action(tool="Write", arguments={"content": "..."})))
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache, lru_cache

from signoff.actions.action import Action, ActionKind, Json
from signoff.actions.facts import Facts
from signoff.actions.operation import Operations
from signoff.assess.contexts.part import REST
from signoff.assess.detectors.detector import Evidence, RequestField, TextSource
from signoff.assess.patterns.catalogue import Catalogue, catalogue
from signoff.assess.patterns.masks import unmasked
from signoff.assess.patterns.pattern import joined
from signoff.assess.patterns.pattern_set import CUT, TEXT_LIMIT, PatternSet
from signoff.values import replace

NODE_LIMIT = 20_000
KNOWN_LIMIT = 256  # characters of a header whose patterns are kept
CACHED_LIMIT = 16 << 10  # characters of the body of a request that is cached for its response
FLAT_LIMIT = 16  # arguments
WITH_FIELDS = frozenset({ActionKind.HTTP_REQUEST, ActionKind.RESULT})
REQUEST = "request"  # the argument of a RESULT that holds the request it answers


def with_texts(evidence: Evidence, patterns: Catalogue | None = None) -> Evidence:
    """Return the evidence with its action's texts and the patterns found in them."""
    return read_texts(evidence.action, evidence.facts, evidence.operations, patterns)


def read_texts(
    action: Action, facts: Facts, operations: Operations, patterns: Catalogue | None = None
) -> Evidence:
    """Build the evidence of a call, with its texts and the patterns found in them."""
    patterns = patterns or catalogue()
    texts = _texts(action)
    hits: dict[TextSource, frozenset[str]] = {}
    is_cut = False
    for channel, text in texts.items():
        found = hits[channel] = patterns.of(channel).scan(text)
        is_cut = is_cut or CUT in found
    fields = _fields(action, patterns) if action.kind in WITH_FIELDS else ()
    is_cut = is_cut or any([one.place == REST for one in fields])
    if action.kind is ActionKind.HTTP_REQUEST:
        hits[TextSource.REQUEST] = frozenset[str]().union(*[f.hits for f in fields if f.hits])
    return Evidence(
        action=action,
        facts=facts,
        operations=operations,
        texts=texts,
        hits=hits,
        fields=fields,
        is_cut=is_cut,
    )


def _fields(action: Action, patterns: Catalogue) -> tuple[RequestField, ...]:
    is_result = action.kind is ActionKind.RESULT
    asked = action.arguments.get(REQUEST) if is_result else action.arguments
    if not isinstance(asked, Mapping):
        return ()
    body = asked.get("body", "")
    # A response is judged with its request, which was read a moment before.
    is_cached = isinstance(body, str) and len(body) <= CACHED_LIMIT
    return (_cached_fields if is_cached else _read_fields)(_RequestKey(asked), patterns)


class _RequestKey:
    """The key of a request in the cache: the same object, which is never changed."""

    __slots__ = ("request",)

    def __init__(self, request: Mapping[str, Json]) -> None:
        self.request = request

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _RequestKey) and self.request is other.request

    def __hash__(self) -> int:
        return id(self.request)


def _read_fields(asked: _RequestKey, patterns: Catalogue) -> tuple[RequestField, ...]:
    fields = _request_reader()(asked.request)
    return _scanned(fields, patterns.of(TextSource.REQUEST)) if fields else ()


_cached_fields = lru_cache(maxsize=64)(_read_fields)


@cache
def _request_reader() -> Callable[[Mapping[str, Json]], tuple[RequestField, ...]]:
    # Most processes never see a web request, and what reads one takes a twentieth of a start.
    from signoff.assess.detectors.request import fields_of  # noqa: PLC0415 - see above

    return fields_of


def _texts(action: Action) -> dict[TextSource, str]:
    texts: dict[TextSource, str] = {}
    if action.kind not in WITH_FIELDS:
        flat = _flat(action)
        texts[TextSource.ARGUMENTS] = joined(_strings(action) if flat is None else flat)
    elif action.kind is ActionKind.RESULT:
        values = tuple(_strings(action))
        texts[TextSource.RESULT] = joined(
            (*values, *(plain for one in values for plain in unmasked(one)))
        )
    if action.description:
        texts[TextSource.DESCRIPTION] = action.description
    return texts


def _scanned(fields: tuple[RequestField, ...], patterns: PatternSet) -> tuple[RequestField, ...]:
    """Say of each value what is in it; one pass over all new ones tells whether anything is."""
    new: list[int] = []
    hits: dict[int, frozenset[str]] = {}
    for at, one in enumerate(fields):
        # Short headers are what clients send the same every time.
        if one.place != "header" or len(one.raw) > KNOWN_LIMIT:
            new.append(at)
        elif found := _known_hits(patterns, one.forms):
            hits[at] = found
    if new and patterns.scan(joined([form for at in new for form in fields[at].forms])):
        hits.update({at: patterns.scan(joined(fields[at].forms)) for at in new})
    if not hits:
        return fields
    return tuple(
        [replace(one, hits=hits[at]) if hits.get(at) else one for at, one in enumerate(fields)]
    )


@lru_cache(maxsize=1024)
def _known_hits(patterns: PatternSet, forms: tuple[str, ...]) -> frozenset[str]:
    return patterns.scan(joined(forms))


def _flat(action: Action) -> list[str] | None:
    """Give the arguments of a call of a few short texts as they are; None for any other."""
    if len(action.arguments) > FLAT_LIMIT:
        return None
    texts: list[str] = []
    size = 0
    for value in action.arguments.values():
        if not isinstance(value, str):
            return None
        texts.append(value)
        size += len(value)
    return texts if size <= TEXT_LIMIT else None


def _strings(action: Action) -> Iterator[str]:
    """Give every string in the arguments, names too, without recursion."""
    is_result = action.kind is ActionKind.RESULT
    values = [v for name, v in action.arguments.items() if not (is_result and name == REQUEST)]
    stack: list[Json] = values[::-1]
    size = 0
    for _ in range(NODE_LIMIT):
        # Beyond that nothing is read anyway: the scan cuts it, and says so.
        if not stack or size > 2 * TEXT_LIMIT:
            return
        node = stack.pop()
        if isinstance(node, str):
            size += len(node)
            yield node
        elif isinstance(node, Mapping):
            for name, value in list(node.items())[::-1]:
                stack += (value, name)
        elif isinstance(node, (list, tuple)):
            stack.extend(reversed(node))
    yield " " * (TEXT_LIMIT + 1)  # longer than what is read: the scan then says it was cut
