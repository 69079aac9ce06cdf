"""What is known of a whole call: asked once, although hundreds of Operations may ask it.

arguments_of(call)     '{"grades": "all"}'
name_words(call)       {"delete", "all", "grades"}
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from typing import Any, NamedTuple, Protocol, TypeVar

from signoff.actions.action import Action, ActionKind, Json
from signoff.actions.facts import Facts
from signoff.actions.lexicon.languages.translations import in_english
from signoff.actions.lexicon.names import split_words
from signoff.actions.operation import Operations
from signoff.actions.tools.naming.contents import strings_of
from signoff.actions.vocabulary import lazy_re, lazy_re2

TEXT_LIMIT = 20_000
MOST_TEXTS = 100
MOST_ENTRIES = 300
_DEEPEST = 8
PLACES = frozenset({"production", "prod", "live"})  # hints that name a place
# A place to try things out. To the pattern an underscore is no letter: `delete_test_users`.
_TRY_OUT = (
    "dev|develop(?:ment)?|tests?|testing|staging|stage|sandbox|demo|preview|scratch|fixtures?|mock"
)
TRIAL = lazy_re(
    rf"(?i)(?:^|[^a-z])(?:{_TRY_OUT}|testbed|tmp|temp|local|mine|my|personal|drafts?|spam|trash"
    r"|promo(?:tions)?|game|simulat\w*)(?:[^a-z]|$)"
)
# Of a shell line: `local` is how a program calls a file that it sends, as in `submit local-file`.
TRIAL_IN_LINE = lazy_re2(rf"(?i)(?:^|[^a-z])(?:{_TRY_OUT})(?:[^a-z]|$)")


class Call(Protocol):
    """Port: the whole call, as far as combinations of facts need it."""

    @property
    def action(self) -> Action:
        """The call as it came."""

    @property
    def facts(self) -> Facts:
        """What was known before it."""

    @property
    def operations(self) -> Operations:
        """Everything it does."""

    @property
    def texts(self) -> Mapping[Any, str]:
        """Its texts, keyed by where they come from."""

    @property
    def hits(self) -> Mapping[Any, frozenset[str]]:
        """Ids of the patterns found, keyed like `texts`."""

    @property
    def cache(self) -> dict[Any, Any]:
        """Cached answers about the whole call, keyed by the function that asks."""


T = TypeVar("T")
LONG = 200  # characters: a shorter text is searched sooner than looked up


def cached_per_call(ask: Callable[[Call], T]) -> Callable[[Call], T]:
    """Decorator: run a function of a call only once per call, however many Operations ask."""

    def asked(call: Call) -> T:
        if ask not in call.cache:
            call.cache[ask] = ask(call)
        answer: T = call.cache[ask]
        return answer

    return asked


def matches(pattern: re.Pattern[str], text: str, call: Call) -> bool:
    """Return whether the pattern is found in a text; results for long texts are cached per call."""
    if len(text) < LONG:
        return pattern.search(text) is not None
    key = (id(pattern), text)
    is_said: bool | None = call.cache.get(key)
    if is_said is None:
        is_said = call.cache[key] = pattern.search(text) is not None
    return is_said


def tool_name(call: Call) -> str:
    """Return the tool's name without the MCP server's."""
    return call.action.tool.rpartition("__")[2][:200]


@cached_per_call
def name_words(call: Call) -> frozenset[str]:
    """Return the words of the tool's name without the MCP server's."""
    return frozenset(in_english(split_words(tool_name(call))))


@cached_per_call
def arguments_of(call: Call) -> str:
    """Return the arguments as JSON text, cut at a limit."""
    return json.dumps(call.action.arguments, ensure_ascii=False)[:TEXT_LIMIT]


@cached_per_call
def texts_of(call: Call) -> str:
    """Return all texts in the arguments, joined and cut at a limit."""
    return " ".join(islice(strings_of(call.action.arguments), MOST_TEXTS))[:TEXT_LIMIT]


class Entry(NamedTuple):
    """One value among the arguments: the words of all names above it, and of the last."""

    above: frozenset[str]
    name: tuple[str, ...]
    value: Json


@cached_per_call
def entries_of(call: Call) -> tuple[Entry, ...]:
    """Return every value among the arguments, with the names above it."""
    first = Entry(frozenset(), (), None)
    return tuple(islice(_walk(call.action.arguments, first, 0), MOST_ENTRIES))


def _walk(value: Json, above: Entry, depth: int) -> Iterator[Entry]:
    if isinstance(value, Mapping) and depth < _DEEPEST:
        for key, inner in value.items():
            words = split_words(key[:80])
            here = Entry(above.above | frozenset(above.name), words, inner)
            yield from _walk(inner, here, depth + 1)
    elif isinstance(value, list | tuple) and depth < _DEEPEST:
        for inner in value:
            yield from _walk(inner, above, depth + 1)
    elif not isinstance(value, Mapping | list | tuple):
        yield Entry(above.above, above.name, value)


@cached_per_call
def is_declared(call: Call) -> bool:
    """Return whether a function's author declared by hints what it does."""
    is_function = call.action.kind is ActionKind.FUNCTION
    return is_function and any(
        [isinstance(one, bool) and name not in PLACES for name, one in call.action.hints.items()]
    )
