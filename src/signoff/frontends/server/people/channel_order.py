"""Which channels the daemon asks, in which order, and which of them are not there.

`channels` in `signoff.yaml` gives the order. What a file of its own sets up and the list does not
name is asked before what it names: services that are told, then messengers. A name of the list
that nothing sets up is a problem, and holds nobody up.

    order_of(("web", "telegram"), there=("telegram", "web"))     ("web", "telegram")
    order_of(("web",), there=("telegram", "web"))                ("telegram", "web")
"""

from __future__ import annotations

import os
from collections.abc import Collection, Sequence

from signoff.challenge.channels.notify import Notifier
from signoff.challenge.terms.approver import Approver, Directory
from signoff.challenge.terms.plan import ApprovalPlan
from signoff.channels.registry import CHANNELS
from signoff.documents.nearest import suggest
from signoff.errors import SignoffError
from signoff.settings import Settings

NOTIFY = Notifier.name
# What sets a channel up, where a name in the list alone does not.
WANTED = {
    **{one.name: f"there is no {one.file}: {one.setup}" for one in CHANNELS},
    NOTIFY: "no address stands under `notify`",
}
NOT_SET_UP = "not set up"


def order_of(named: Sequence[str], *, there: Sequence[str]) -> tuple[str, ...]:
    """Return the channels that exist, in the order they are asked.

    Args:
        named: as in the settings; () = all.
        there: names of the channels that exist.
    """
    unnamed = (name for name in there if name not in named)
    return (*unnamed, *(name for name in named if name in there))


def not_set_up(named: Sequence[str], *, there: Collection[str]) -> dict[str, str]:
    """Return the channels that are named but do not exist, each with what is wrong."""
    return {
        name: f"`channels` names it, but {WANTED[name]}; nobody is asked there"
        for name in named
        if name in WANTED and name not in there
    }


def empty_groups(plan: ApprovalPlan, people: Directory) -> tuple[str, ...]:
    """Return which approver groups that are asked have nobody who may answer."""
    named = [name for name in (plan.first_group, plan.second_group) if name]
    if not named:
        return ()
    try:
        there = [one for one in people.listed() if one.role.may_answer]
    except SignoffError as error:
        return (str(error),)
    known = {group for one in there for group in one.groups}
    return (*_empty(named, known), *_absent(plan, there))


def _empty(named: Sequence[str], known: set[str]) -> tuple[str, ...]:
    return tuple(
        f"`approval.groups` names `{name}`, and nobody who may answer is in it"
        f"{suggest(name, sorted(known)) if known else ''}; nobody is asked there:"
        f" `signoff approvers add --group {name}`"
        for name in named
        if name not in known
    )


def _absent(plan: ApprovalPlan, there: Sequence[Approver]) -> tuple[str, ...]:
    """Return which people of rotas could not approve when it is their turn."""
    return tuple(
        f"`approval.rotas.{group}` names `{id}`, who is not in that group or may not answer:"
        " `signoff approvers` shows who is"
        for group, rota in plan.rotas.items()
        for id in rota.people
        if not any(one.id == id and group in one.groups for one in there)
    )


def set_up(settings: Settings) -> tuple[str, ...]:
    """Return the names of channels that have a settings file or section, valid or not."""
    folder = settings.config_dir
    # Also a link that leads nowhere: it was meant as a setup, and is told as a broken one.
    found = [one.name for one in CHANNELS if os.path.lexists(os.path.join(folder, one.file))]
    return (*found, *((NOTIFY,) if settings.notify_urls else ()))
