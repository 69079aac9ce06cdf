"""Who may see a document of an office service: `gam user U add drivefileacl FILE anyone ...`."""

from __future__ import annotations

from collections.abc import Iterator

from signoff.actions.operation import Reach, ResourceType, Trait, Verb
from signoff.actions.programs.acts import Effect
from signoff.actions.programs.call import ProgramCall
from signoff.actions.programs.lexicon import split_name
from signoff.actions.vocabulary import words

RIGHTS = words("drivefileacl drivefileacls calendaracl calendaracls")
LOOKING = words("show print info get")


def of_user(call: ProgramCall) -> Iterator[Effect]:
    """Yield the effects of `gam user U ACTION WHAT ...` on shared files."""
    texts = call.texts
    at = next((n for n, text in enumerate(texts) if text.lower() in RIGHTS), -1)
    if len(texts) > 2 and texts[2].lower() in LOOKING:
        yield call.operation(Verb.READ, ResourceType.ACCOUNT)
    elif at >= 0 and "anyone" in texts[at + 2 :] and "add" in texts[:at]:
        # The parts of the name tell what it holds: `1PayrollFolder`.
        named = "".join([text.lstrip("0123456789") for text in texts[at + 1 : at + 2]])
        yield call.operation(
            Verb.CONFIGURE,
            ResourceType.ACCOUNT,
            "-".join(split_name(named)),
            traits=(Trait.OPENS_ACCESS,),
            reach=Reach.REMOTE,
            reversible=False,
        )
    else:
        yield call.operation(
            Verb.CONFIGURE,
            ResourceType.ACCOUNT,
            " ".join(texts[:4]),
            reach=Reach.REMOTE,
            reversible=False,
        )
