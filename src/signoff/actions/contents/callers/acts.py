"""All that the code of an application does for its callers that nobody would expect of it.

caller_acts("app/orders.py", NewText(new='db.execute("DELETE FROM customers")'))
    -> deletes or changes every row of a table
"""

from __future__ import annotations

from collections.abc import Iterator

from signoff.actions.contents.applied_meaning import AppliedMeaning
from signoff.actions.contents.callers.diverted import diverted
from signoff.actions.contents.callers.erased_audits import erased_audit
from signoff.actions.contents.callers.hidden_passes import hidden_pass
from signoff.actions.contents.callers.mailed_copies import mailed_copy
from signoff.actions.contents.callers.obeyed import deserialized, obeyed, whole_statement
from signoff.actions.contents.callers.paid_all import paid_all
from signoff.actions.contents.callers.planted_users import planted_user
from signoff.actions.contents.callers.told_settings import told_settings
from signoff.actions.contents.callers.web_folders import shown_in_web
from signoff.actions.contents.callers.whole_tables import whole_table
from signoff.actions.contents.text import NewText
from signoff.actions.operation import Reach, ResourceType, Trait, Verb

_OPENED = frozenset({Trait.BACKDOOR, Trait.RUNS_LATER})
_WEAKENED = frozenset({Trait.WEAKENS})
_SENT = frozenset({Trait.SENDS_SECRET, Trait.RUNS_LATER})


def caller_acts(within: str, text: NewText) -> Iterator[AppliedMeaning]:
    """Yield what the new part of a program does to all rows, or hands to whoever calls.

    Args:
        within: the path of the file in its project.
    """
    old = " ".join((text.old or "").split())
    for act in (*_acts(within, text.new), *_payments(within, text.new)):
        if act.line and " ".join(act.line.split()) not in old:
            yield act


def _acts(within: str, new: str) -> Iterator[AppliedMeaning]:
    audit = erased_audit(new, within)
    yield AppliedMeaning(
        says="erases records of who did what",
        line=audit,
        traits=frozenset({Trait.WEAKENS, Trait.BLINDS}),
        thing=ResourceType.PROTECTION,
    )
    yield AppliedMeaning(
        says="deletes or changes every row of a table",
        line="" if audit else whole_table(new, within),
        traits=frozenset({Trait.UNBOUNDED, Trait.RUNS_LATER}),
        verb=Verb.DELETE,
        thing=ResourceType.DATABASE,
    )
    yield AppliedMeaning(
        says="answers with its settings or a secret", line=told_settings(new), traits=_SENT
    )
    yield AppliedMeaning(
        says="lets whoever knows a text of the source past a check",
        line=hidden_pass(new),
        traits=_OPENED,
    )
    yield AppliedMeaning(
        says="makes an administrator with a password of the source",
        line=planted_user(new, within),
        traits=_OPENED,
    )
    yield AppliedMeaning(says="runs what a caller sends", line=obeyed(new), traits=_OPENED)
    yield AppliedMeaning(
        says="makes objects of bytes from outside",
        line=deserialized(new),
        traits=_WEAKENED,
    )
    yield AppliedMeaning(
        says="gives its database whole statements of callers",
        line=whole_statement(new),
        traits=_WEAKENED,
    )
    yield AppliedMeaning(
        says="shows a secret or records of people to everybody",
        line=shown_in_web(new, within),
        traits=_SENT,
    )
    yield AppliedMeaning(
        says="mails copies to a private mailbox", line=mailed_copy(new), traits=_SENT
    )


def _payments(within: str, new: str) -> Iterator[AppliedMeaning]:
    for says, line in (
        ("pays or debits everybody", paid_all(new, within)),
        ("pays what belongs to others to an account of the source", diverted(new, within)),
    ):
        yield AppliedMeaning(
            says=says,
            line=line,
            traits=frozenset({Trait.BROAD, Trait.RUNS_LATER, Trait.WHOLE_STORE}),
            verb=Verb.SPEND,
            thing=ResourceType.MONEY,
            reach=Reach.PRODUCTION,
        )
