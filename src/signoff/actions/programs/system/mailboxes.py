"""Mailboxes of a mail server: one user's, or with one option those of every user.

doveadm expunge -u ann mailbox Trash ALL     -> DELETE MESSAGE
doveadm expunge -A mailbox '*' ALL           -> DELETE MESSAGE, traits={WHOLE_STORE}
"""

from __future__ import annotations

from collections.abc import Iterator

from signoff.actions.operation import Reach, ResourceType, Trait, Verb
from signoff.actions.programs.acts import Effect
from signoff.actions.programs.call import ProgramCall
from signoff.actions.vocabulary import words

_DELETES = words("expunge delete deduplicate purge")
# What the server makes again, or what says how mail is found and not the mail.
_SHOWS = words(
    "status list search dump who stats log user help fetch get metric show print has lookup test "
    "verify view lookup-dict iter"
)
# A query of these takes a part of the mail and leaves the rest, whatever the number of users.
_BOUNDS = words(
    "before savedbefore sentbefore since on subject from to header text body deleted larger "
    "smaller older uid seen flagged keyword"
)
_FOLDERS = words("trash junk spam")


def doveadm(call: ProgramCall) -> Iterator[Effect]:
    """Yield effects of `doveadm COMMAND`: by its words, for one user or for all of them."""
    texts = [word.text for word in call.command.words[1:]]
    said = {text.lower() for text in texts}
    if not _DELETES.isdisjoint(said) and _is_of_tests(call):
        yield call.operation(
            Verb.WRITE, ResourceType.MESSAGE, " ".join(texts), reach=Reach.PROJECT, reversible=True
        )
    elif not _DELETES.isdisjoint(said):
        yield call.operation(
            Verb.DELETE,
            ResourceType.MESSAGE,
            " ".join(texts),
            traits=(Trait.WHOLE_STORE,) if _is_everybody(call, said) else (),
            reach=Reach.SYSTEM,
            reversible=False,
        )
    elif not texts or not _SHOWS.isdisjoint(said):
        yield call.operation(Verb.READ, ResourceType.MESSAGE, " ".join(texts))
    else:
        yield call.operation(
            Verb.CONTROL, ResourceType.SERVICE, " ".join(texts), reach=Reach.SYSTEM
        )


_CONTAINERS = words("docker podman docker-compose podman-compose nerdctl")
# Domains that no mail of people has (RFC 2606, RFC 6761).
_NOBODYS = ("@localhost", "@localhost.localdomain", ".test", ".localhost", ".invalid")


def _is_of_tests(call: ProgramCall) -> bool:
    """Tell the mailbox of an invented user in a container of this machine."""
    users = call.values("-u")
    carriers = [one.split()[0] for one in call.command.carriers if one]
    is_inside = bool(carriers) and _CONTAINERS.issuperset(carriers)
    is_named = bool(users) and not call.has("-A", "-F")
    return is_inside and is_named and all([_is_nobodys(word.text) for word in users])


def _is_nobodys(user: str) -> bool:
    return "*" not in user and "@" in user and user.lower().endswith(_NOBODYS)


def _is_everybody(call: ProgramCall, said: set[str]) -> bool:
    """Whether all mail of every user goes: not old or junk mail, not what was deleted before."""
    everyone = call.has("-A", "-F") or any(["*" in word.text for word in call.values("-u")])
    is_kept = "purge" in said or not _BOUNDS.isdisjoint(said) or not _FOLDERS.isdisjoint(said)
    return everyone and not is_kept
