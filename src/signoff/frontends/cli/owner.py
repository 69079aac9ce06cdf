"""Changes to who may answer and how: typed out on a terminal by somebody who is admin here."""

from __future__ import annotations

from signoff.build.approvals import Approvals
from signoff.challenge.channels.terminal import here
from signoff.challenge.terms.approver import Approver, ApproverRole
from signoff.challenge.visible import visible_lines
from signoff.frontends.cli.exits import Refusal
from signoff.frontends.cli.typed import typed_out


def confirmed_as_admin(approvals: Approvals, text: str, *, word: str) -> Approver:
    """Show `text` on the terminal; return the admin who confirmed it by typing `word`.

    Raises:
        Refusal: nobody confirmed, or they are not an admin.
    """
    approver = approvals.directory.find(here())
    if approver is None or approver.role is not ApproverRole.ADMIN:
        raise Refusal(
            f"`{here()}` is no admin; `signoff approvers list` shows who is\n"
            f"if that locks you out: edit or delete {approvals.directory.path}, without it you are"
            " the only admin"
        )
    shown = "\n".join(visible_lines(text))
    if not typed_out(f"{shown}\nto confirm it, type: {word}", word=word):
        raise Refusal("not confirmed on a terminal: everything stays as it is")
    return approver
