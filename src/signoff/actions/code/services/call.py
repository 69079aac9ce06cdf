"""One call on a library that nobody described, whatever the language."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from signoff.actions.code.value import Taint, Value
from signoff.actions.lexicon.names import split_words, vocabulary

# Names of arguments that take a part of what there is.
_FILTERS = vocabulary(
    "filter filters label labels selector prefix search query tag tags status name state"
)


class ClientCall(Struct, frozen=True, kw_only=True):
    """One call on a library.

    Args:
        name: its dotted name, from the library on.
        arguments: those by position, options as mappings among them.
        owner: the method itself, with the taints of what it is called on.
        is_chosen: True where a condition or a filter has chosen what it is about.
    """

    name: str
    arguments: Sequence[Value]
    named: Mapping[str, Value]
    owner: Value
    is_chosen: bool = False

    @property
    def values(self) -> tuple[Value, ...]:
        """Everything it is given, with what it is called on."""
        return (*self.arguments, *self.named.values(), self.owner)

    @property
    def text(self) -> str:
        """The first text it is given; empty if there is none."""
        return next((value.text for value in self.values if value.text), "")

    @property
    def is_of_service(self) -> bool:
        """True if it is called on a client of a service."""
        return Taint.SERVICE in self.owner.taints

    @property
    def chooses(self) -> bool:
        """True if it names a part of what there is: `list(filters={...})`, `keys("tmp:*")`."""
        if any(not _FILTERS.isdisjoint(split_words(key)) for key in self.named):
            return True
        texts = [value.text or "" for value in self.arguments]
        return any(len(text) > 1 and "*" in text for text in texts)
