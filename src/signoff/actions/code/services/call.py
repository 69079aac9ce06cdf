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


_TRIED = frozenset({"dryrun", "validateonly", "whatif", "simulate", "previewonly"})


def _is_on(value: Value, name: str) -> bool:
    if value.constant is True or (value.name == "true" and value.constant is None):
        return not value.others
    # The API of Kubernetes takes the stage up to which all is tried.
    return value.constant == "All" and "kubernetes" in name and not value.others


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
    def is_tried(self) -> bool:
        """True if it is literally told to change nothing: `dry_run=True`, `{dryRun: true}`."""
        told = [(key.lower().replace("_", ""), value) for key, value in self.named.items()]
        tried = [_is_on(value, self.name) for key, value in told if key in _TRIED]
        # discord.js counts members only: `members.prune({ dry: true })`.
        tried += [_is_on(value, "") for key, value in told if key == "dry" and "prune" in self.name]
        # Of a database's client it may be the field of the records that are meant.
        return bool(tried) and all(tried) and "Many" not in self.name

    @property
    def chooses(self) -> bool:
        """True if it selects a part: `list(filters={...})`, `keys("tmp:*")`."""
        if any(not _FILTERS.isdisjoint(split_words(key)) for key in self.named):
            return True
        texts = [value.text or "" for value in self.arguments]
        return any(len(text) > 1 and "*" in text for text in texts)
