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
        name: dotted name, starting with the library.
        arguments: positional ones, among them mappings of options.
        owner: the method, with the taints of its object.
        is_chosen: True if a condition or filter selected what it acts on.
    """

    name: str
    arguments: Sequence[Value]
    named: Mapping[str, Value]
    owner: Value
    is_chosen: bool = False

    @property
    def values(self) -> tuple[Value, ...]:
        """All its arguments, and the object it is called on."""
        return (*self.arguments, *self.named.values(), self.owner)

    @property
    def text(self) -> str:
        """Its first text argument, "" if there is none."""
        return next((value.text for value in self.values if value.text), "")

    @property
    def is_of_service(self) -> bool:
        """True if it is called on a client of a service."""
        return Taint.SERVICE in self.owner.taints

    @property
    def chooses(self) -> bool:
        """True if it selects a part: `list(filters={...})`, `keys("tmp:*")`."""
        if any(not _FILTERS.isdisjoint(split_words(key)) for key in self.named):
            return True
        texts = [value.text or "" for value in self.arguments]
        return any(len(text) > 1 and "*" in text for text in texts)
