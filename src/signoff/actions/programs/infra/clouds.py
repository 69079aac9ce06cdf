"""Clouds other than AWS: gcloud, az, and the many providers whose lines are read by their words.

What the words do not say is in the tables: secrets that are shown, logins that only touch
the user's own configuration, shells on remote machines, resource groups.
"""

from __future__ import annotations

from collections.abc import Iterator

from signoff.actions.operation import Reach, ResourceType, Trait, Verb
from signoff.actions.programs.acts import Effect, Nested
from signoff.actions.programs.call import ProgramCall
from signoff.actions.vocabulary import words


def rest(call: ProgramCall) -> Iterator[Effect]:
    """`az rest`, `fly api`: the method tells what is done."""
    method = _option(call.texts, words("-m --method -X --request")).lower()
    if method in {"", "get", "head"}:
        yield call.operation(Verb.READ, ResourceType.CLOUD)
    else:
        verb = Verb.DELETE if method == "delete" else Verb.WRITE
        yield call.operation(
            verb, ResourceType.CLOUD, reach=Reach.REMOTE, reversible=verb is not Verb.DELETE
        )


def _option(texts: tuple[str, ...], names: frozenset[str]) -> str:
    for place, text in enumerate(texts):
        name, equals, value = text.partition("=")
        if name in names:
            return value if equals else " ".join(texts[place + 1 : place + 2])
    return ""


def query(call: ProgramCall) -> Iterator[Effect]:
    """`bq query SQL`: the statement is taken apart."""
    for word in call.operands[1:]:
        if not word.text.startswith("-"):
            yield Nested(text=word.text, language="sql", carrier=call.name, is_known=word.is_known)
            return
    yield call.operation(Verb.READ, ResourceType.DATABASE)


def dropped(call: ProgramCall) -> Iterator[Effect]:
    """`bq rm`: a data set (`-r`, `-d`) is a whole store, a table is none."""
    whole = bool({"-r", "-d", "--dataset", "--recursive"} & set(call.texts))
    yield call.operation(
        Verb.DELETE,
        ResourceType.CLOUD,
        " ".join(call.texts[1:4]),
        traits=(Trait.WHOLE_STORE,) if whole else (),
        reach=Reach.REMOTE,
        reversible=False,
    )
