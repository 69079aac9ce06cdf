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


ENDING = words("delete wipe trash deprovision purge remove deluser modifymessages")
# What is taken from an account and not the account or its data.
SMALL = words("alias aliases delegate delegates forward filter label signature token tokens asp")


def of_everybody(call: ProgramCall) -> Iterator[Effect]:
    """`gam all users ACTION ...`: the same for every account there is."""
    texts = [text.lower() for text in call.texts[2:5]]
    if not texts or not LOOKING.isdisjoint(texts[:2]):
        yield call.operation(Verb.READ, ResourceType.ACCOUNT)
        return
    ends = not ENDING.isdisjoint(texts[:1]) and SMALL.isdisjoint(texts)
    # How mail goes is a setting of the service; to whom stands in the words of the call.
    yield call.operation(
        Verb.DELETE if ends else Verb.CONFIGURE,
        ResourceType.ACCOUNT if ends else ResourceType.SERVICE,
        "all users" if ends else " ".join(call.texts),
        reach=Reach.REMOTE,
        reversible=False,
    )
