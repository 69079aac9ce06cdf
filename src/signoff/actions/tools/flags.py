"""What typed arguments say is done as well: `delete=True`, and the name of what is run.

flagged_verb({"delete": True}) is Verb.DELETE
named_verb(("run", "migration"), {"0": "0042_drop_orders"}) is Verb.DELETE
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import islice

from signoff.actions.action import Json
from signoff.actions.lexicon.names import split_words, vocabulary
from signoff.actions.lexicon.verbs import CARE, NOUN_LIKE, VERBS
from signoff.actions.operation import Verb

_GRAVE = frozenset({Verb.DELETE, Verb.NETWORK_OUT, Verb.PUBLISH, Verb.SPEND, Verb.PRIVILEGE})
_RUNS = vocabulary("run apply execute exec trigger start invoke launch perform")
_RUN_THINGS = vocabulary(
    "migration migrations job task script procedure routine playbook operation"
)
# Clears what is rebuilt as often as what is not.
_MILD_WORDS = vocabulary(
    "clean cleanup clear reset prune expire flush discard dispose forget empty"
)
_REHEARSALS = vocabulary("dry preview simulate plan show print explain")
_MOST = 100


def flagged_verb(arguments: Mapping[str, Json]) -> Verb | None:
    """Return the most severe act that a true flag names, as `{"delete": true}`; else None."""
    names = (split_words(name) for name, value in islice(arguments.items(), _MOST) if value is True)
    # `delete=True` and `delete_all=True` are switches; a longer name mostly asks about something.
    return _worst(words[0] for words in names if words and len(words) <= 2)


def named_verb(words: tuple[str, ...], arguments: Mapping[str, Json]) -> Verb | None:
    """Return the most severe act in the name of a migration or job that is run; else None."""
    if _RUNS.isdisjoint(words) or _RUN_THINGS.isdisjoint(words) or words[0] in _REHEARSALS:
        return None
    texts = (value for value in islice(arguments.values(), _MOST) if isinstance(value, str))
    return _worst(
        word
        for text in texts
        # Names only: a sentence mentions acts that it does not do.
        if len(text) <= 200 and " " not in text
        for word in split_words(text)
        if word not in _MILD_WORDS
    )


def _worst(words: Iterable[str]) -> Verb | None:
    """Return the verb that needs most care among words that are plain verbs."""
    worst: Verb | None = None
    for word in words:
        verb = VERBS.get(word)
        # `post`, `order` or `release` are things as often as acts.
        if verb in _GRAVE and word not in NOUN_LIKE and (worst is None or CARE[verb] > CARE[worst]):
            worst = verb
    return worst
