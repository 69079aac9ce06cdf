"""GraphQL requests: what a mutation says it does, by the names of its fields.

deleting("mutation { deleteRepository(input: {id: 1}) { clientMutationId } }")
    -> ("deleteRepository",)
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from signoff.actions.operation import Operation, Reach, ResourceType, Trait, Verb
from signoff.actions.programs.call import ProgramCall
from signoff.actions.programs.lexicon import split_name
from signoff.actions.vocabulary import words

MOST_CHARS = 20_000
TAKES = words("delete remove destroy purge drop wipe erase truncate terminate")
# Things that hold everything else of somebody.
STORES = words("repository project organization account cluster database bucket workspace site app")
_MUTATION = re.compile(r"\bmutation\b[^{]{0,400}\{")
_FIELD = re.compile(r"(?:\w+\s*:\s*)?([A-Za-z_]\w*)")
_SIGNS = re.compile(r"[{}()]|(?:[A-Za-z_]\w*\s*:\s*)?[A-Za-z_]\w*")


def deleting(text: str) -> tuple[str, ...]:
    """Return the fields of a GraphQL mutation whose names mean deletion."""
    return tuple(name for name in _fields(text[:MOST_CHARS]) if TAKES & {*_words_of(name)})


def deletion(call: ProgramCall, target: str, text: str) -> Operation | None:
    """Return the deletion that a GraphQL request makes, None if it makes none."""
    names = deleting(text)
    if not names:
        return None
    whole = any([_words_of(name)[-1] in STORES and len(_words_of(name)) == 2 for name in names])
    return call.operation(
        Verb.DELETE,
        ResourceType.REPOSITORY if whole else ResourceType.URL,
        f"{target} {names[0]}",
        traits=(Trait.WHOLE_STORE,) if whole else (),
        reach=Reach.REMOTE,
        reversible=False,
    )


def _words_of(name: str) -> list[str]:
    return list(split_name(name))


def _fields(text: str) -> Iterator[str]:
    """Yield the names that stand right inside the braces of each mutation."""
    for start in _MUTATION.finditer(text):
        depth = 0
        for found in _SIGNS.finditer(text, start.end()):
            sign = found[0]
            if sign in "{(":
                depth += 1
            elif sign in "})":
                depth -= 1
                if depth < 0:
                    break
            elif depth == 0:
                field = _FIELD.fullmatch(sign)
                if field is not None:
                    yield field[1]
