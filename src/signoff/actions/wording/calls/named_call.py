"""A call with the noun of its name and its arguments, as the readers of its roles take it."""

from __future__ import annotations

from msgspec import Struct

from signoff.actions.lexicon.names import vocabulary
from signoff.actions.operation import Operation, Reach, Verb
from signoff.actions.wording.calls.fields import Field
from signoff.actions.wording.calls.nouns import Noun, is_known, plain

# What is changed keeps its id; its name may be the new one.
CHANGING = vocabulary("update edit change modify patch set rename put write transition")
MAKES = vocabulary("create add new make open insert register init initialize schedule book")
SENDS = frozenset({Verb.NETWORK_OUT, Verb.PUBLISH, Verb.SPEND, Verb.PRIVILEGE})
LONGEST_NAME = 120


class NamedCall(Struct, frozen=True, gc=False):
    """A call with the noun of its name and its arguments.

    Args:
        word: the verb of the name, "" if it has none.
        is_own: whether the names of arguments may stand in a sentence as they are.
    """

    fields: tuple[Field, ...]
    noun: Noun
    word: str
    op: Operation
    is_own: bool

    @property
    def is_production(self) -> bool:
        """Whether the sentence says by itself that it happens in production."""
        return self.op.reach is Reach.PRODUCTION


def kind_of(call: NamedCall, one: Field) -> str:
    """Return what the name of an argument says it names, "" if it is a word of a foreign tool."""
    words = tuple(word for word in one.words if word in one.core or f"{word[:-1]}" in one.core)
    words = words or tuple(sorted(one.core))
    if one.words[-1:] == ("to",):
        words = one.words[-2:]
    return plain(words[-2:]) if is_known(words[-2:]) or call.is_own or one.is_place else ""
